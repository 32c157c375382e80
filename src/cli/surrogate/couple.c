/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couple.c - routines that run one after the other: what they do to each other (002 1.3.2). */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/compose.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked and found; at ends with ft_coupled_free. */
struct coupling {
	struct ft_chain chain;
	char **name; /* [k] as typed */
	struct ft_coupled *at;
	size_t n;
};

/* "A,B,C"; "A,B,C,A" is a loop. */
static int read_chain(struct cli_surrogate *s, struct coupling *c)
{
	CLI_OWN char *copy = cli_strdup(s->chain);

	c->name = cli_alloc((strlen(copy) + 1) * sizeof *c->name);
	for (char *rest = copy, *word; (word = strsep(&rest, ","));)
		c->name[c->chain.k++] = cli_strdup(word);
	if (c->chain.k > 2 && !strcmp(c->name[0], c->name[c->chain.k - 1])) {
		free(c->name[--c->chain.k]);
		s->loop = true;
	}
	c->chain.matrix = &s->matrix;
	c->chain.name = c->name;
	c->chain.loop = s->loop;
	c->chain.target = s->target;
	if (c->chain.k >= 2)
		return CLI_DONE;
	return cli_fail("--basis %s: two routines at least run one after the other\n"
			"hint: write --basis A,B,C in their order; A+B is what A and B take together",
			s->chain);
}

static void clear_coupling(struct coupling *c)
{
	for (size_t i = 0; i < c->chain.k; i++)
		free(c->name[i]);
	free(c->name);
	ft_coupled_free(c->at, c->n);
}

/* "A+B 0.980, B+C 1.020" */
static char *couplings_of(const struct ft_chain *chain, const struct ft_coupled *at)
{
	char *words = NULL;

	for (size_t w = 0; w < at->windows; w++) {
		CLI_OWN char *name = cli_given(ft_chain_window_name(chain, w, at->length, true));

		cli_reprint(&words,
			    !isfinite(at->coupling[w]) ? "%s%s%s -"
			    : at->coupling[w] < 1e6    ? "%s%s%s %.3f"
						       : "%s%s%s %.4g",
			    w ? words : "", w ? ", " : "", name, at->coupling[w]);
	}
	return words;
}

static void print_chain(const struct cli_surrogate *s, const struct coupling *c)
{
	struct cli_table table = {0};
	char text[FT_NUMBER_LENGTH];

	cli_table_heads(&table, ">n", "resource", ">sum", ">coupled", NULL);
	if (s->target)
		cli_table_heads(&table, ">measured", ">sum off by", ">coupled off by", NULL);
	cli_table_head(&table, "couplings");
	for (size_t i = 0; i < c->n; i++) {
		const struct ft_coupled *at = &c->at[i];
		CLI_OWN char *words = couplings_of(&c->chain, at);

		cli_table_add(&table, "%s", isnan(at->n) ? "-" : ft_number_format(at->n, text));
		cli_table_add(&table, "%s", s->matrix.row[at->row]);
		cli_table_add(&table, "%.6g", at->sum);
		cli_table_add(&table, "%.6g", at->composed);
		if (s->target && isnan(at->measured)) {
			cli_table_add(&table, "%s", "-");
			cli_table_add(&table, "%s", "-");
			cli_table_add(&table, "%s", "-");
		} else if (s->target) {
			cli_table_add(&table, "%.6g", at->measured);
			cli_table_add(&table, "%+.1f %%", 100 * (at->sum / at->measured - 1));
			cli_table_add(&table, "%+.1f %%", 100 * (at->composed / at->measured - 1));
		}
		cli_table_add(&table, "%s", words);
	}
	cli_table_print(&table, stdout);
	puts("\na coupling above 1: they are in each other's way; below 1: they help each other");
}

struct coupled {
	struct ft_coupled at;
	const char *resource;
};

#define AT struct coupled
static const struct ft_tell_row at_rows[] = {
	{FT_TELL_AS("n", AT, at.n), .null = "they have no sizes"},
	{FT_TELL(AT, resource)},
	{FT_TELL_AS("length", AT, at.length),
	 .about = "of the windows: routines that were measured together"},
	{FT_TELL_MANY(LIST, "couplings", AT, at.coupling, at.windows, &ft_tell_numbers),
	 .about = "of the windows that begin with each routine: together / sum of each alone"},
	{FT_TELL_AS("sum", AT, at.sum), .about = "of the routines alone"},
	{FT_TELL_AS("composed", AT, at.composed), .about = "with the couplings"},
	{FT_TELL_AS("measured", AT, at.measured), .null = "no target, or not measured there"},
	{0},
};
static const struct ft_tell_record at_told = {.bytes = sizeof(AT), .row = at_rows};

struct surrogate_couple_told {
	const char *source;
	char **name;
	AT *at;
	size_t k, n;
	bool loop;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct surrogate_couple_told, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "chain", struct surrogate_couple_told, name, k, &ft_tell_texts),
	 .about = "in their order"},
	{FT_TELL(struct surrogate_couple_told, loop), .about = "the first follows the last"},
	{FT_TELL_MANY(LIST, "coupled", struct surrogate_couple_told, at, n, &at_told)},
	{0},
};
const struct ft_tell_record cli_surrogate_couple_told = {
	.name = "surrogate", .action = "couple", .version = 1, .row = rows};

static void print_json(const struct cli_surrogate *s, const struct coupling *c)
{
	struct surrogate_couple_told told = {cli_surrogate_source(s),
					     c->name,
					     cli_alloc(c->n * sizeof *told.at),
					     c->chain.k,
					     c->n,
					     s->loop};

	for (size_t i = 0; i < c->n; i++)
		told.at[i] = (AT){c->at[i], s->matrix.row[c->at[i].row]};
	cli_tell(&cli_surrogate_couple_told, &told, NULL);
	free(told.at);
}

int cli_surrogate_couple(void *asked)
{
	struct cli_surrogate *s = asked;
	FT_CLEANUP(clear_coupling) struct coupling c = {0};
	struct ft_err err = {0};

	if (s->basis.n == 1)
		s->chain = s->basis.text[0];
	if (!s->chain)
		return cli_fail("which routines run one after the other? --basis A,B,C is missing\n"
				"hint: write foretime surrogate couple FILE.csv --basis A,B,C");
	CLI_TRY(cli_surrogate_open(s));
	CLI_TRY(read_chain(s, &c));
	if (ft_chain_measure(&c.chain, &c.at, &c.n, &err))
		return cli_error(&err);
	if (s->json)
		print_json(s, &c);
	else
		print_chain(s, &c);
	return CLI_DONE;
}
