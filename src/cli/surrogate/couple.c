/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couple.c - routines that run one after the other: what they do to each other (002 1.3.2). */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One resource at one size. */
struct coupled {
	double n;
	const char *resource;
	size_t length; /* of the windows */
	double *coupling;
	size_t windows;
	double sum;      /* of the routines alone */
	double composed; /* with their couplings */
	double measured; /* of the target; NaN: none is, or not there */
};

struct chain {
	char **name; /* [k] as typed */
	size_t k;
	struct cli_sized *alone; /* [k] */
	struct cli_sized target;
	struct coupled *at;
	size_t n;
};

static void clear_chain(struct chain *c)
{
	size_t i;

	for (i = 0; i < c->k; i++) {
		free(c->name[i]);
		cli_sized_clear(&c->alone[i]);
	}
	for (i = 0; i < c->n; i++)
		free(c->at[i].coupling);
	cli_sized_clear(&c->target);
	free(c->name);
	free(c->alone);
	free(c->at);
}

static int read_chain(const struct cli_surrogate *s, struct chain *c)
{
	char *copy = cli_strdup(s->chain), *rest = copy, *word;
	int status = CLI_DONE;

	c->name = cli_alloc((strlen(copy) + 1) * sizeof *c->name);
	c->alone = cli_alloc((strlen(copy) + 1) * sizeof *c->alone);
	while (status == CLI_DONE && (word = strsep(&rest, ","))) {
		c->name[c->k] = cli_strdup(word);
		status = cli_sized_find(&c->alone[c->k++], &s->matrix, word);
	}
	free(copy);
	if (status == CLI_DONE && c->k < 2)
		status = cli_fail(
			"--chain %s: two routines at least run one after the other\n"
			"hint: write --chain A,B,C in their order; A+B is what A and B take together",
			s->chain);
	if (status == CLI_DONE && s->target)
		status = cli_sized_find(&c->target, &s->matrix, s->target);
	return status;
}

/* "app/a", "app/b": "app/a+app/b" or "app/a+b". */
static char *window_name(const struct chain *c, size_t begin, size_t length, bool brief)
{
	const char *slash = strrchr(c->name[begin], '/');
	size_t prefix = slash ? (size_t)(slash - c->name[begin]) + 1 : 0, i;
	char *name = cli_strdup(c->name[begin]);

	for (i = 1; i < length; i++) {
		const char *next = c->name[(begin + i) % c->k];
		bool same = brief && prefix && !strncmp(next, c->name[begin], prefix);
		cli_reprint(&name, "%s+%s", name, next + (same ? prefix : 0));
	}
	return name;
}

/* What the windows of that length take; false: not all were measured. */
static bool find_windows(const struct cli_surrogate *s, const struct chain *c, double n, size_t row,
			 size_t length, size_t windows, double *together)
{
	size_t w;

	for (w = 0; w < windows; w++) {
		char *full = window_name(c, w, length, false), *brief = window_name(c, w, length, true);
		long column = cli_sized_column(&s->matrix, full, n);

		if (column < 0)
			column = cli_sized_column(&s->matrix, brief, n);
		free(full);
		free(brief);
		together[w] =
			column < 0 ? (double)NAN : s->matrix.value[row * s->matrix.columns + (size_t)column];
		if (!(together[w] > 0))
			return false;
	}
	return true;
}

static double value_at(const struct cli_surrogate *s, const struct cli_sized *of, double n, size_t row)
{
	size_t i;

	for (i = 0; i < of->sizes; i++)
		if (of->n[i] == n || isnan(of->n[i]))
			return s->matrix.value[row * s->matrix.columns + of->column[i]];
	return NAN;
}

/* By the longest windows all of which were measured. */
static int couple_at(const struct cli_surrogate *s, struct chain *c, double n, size_t row)
{
	double *alone = cli_alloc(4 * c->k * sizeof *alone), *together = alone + c->k,
	       *weight = together + c->k;
	struct coupled one = {.n = n, .resource = s->matrix.row[row], .measured = NAN};
	struct ft_err err = {0};
	int status = CLI_DONE;
	bool good = true;
	size_t i;

	for (i = 0; i < c->k; i++) {
		alone[i] = value_at(s, &c->alone[i], n, row);
		good = good && alone[i] > 0;
		one.sum += alone[i];
	}
	for (one.length = good ? c->k : 1; one.length > 1; one.length--) {
		one.windows = ft_chain_windows(c->k, one.length, s->loop);
		if (find_windows(s, c, n, row, one.length, one.windows, together))
			break;
	}
	if (one.length > 1) {
		one.coupling = cli_alloc(one.windows * sizeof *one.coupling);
		if (ft_chain_couple(alone, c->k, together, one.length, s->loop, one.coupling, weight,
				    &one.composed, &err))
			status = cli_error(&err);
		if (s->target)
			one.measured = value_at(s, &c->target, n, row);
		c->at = cli_grow(c->at, c->n, sizeof *c->at);
		c->at[c->n++] = one;
	}
	free(alone);
	return status;
}

static int couple_all(const struct cli_surrogate *s, struct chain *c)
{
	int status = CLI_DONE;
	size_t i, row;

	for (i = 0; i < c->alone[0].sizes; i++)
		for (row = 0; row < s->matrix.rows && status == CLI_DONE; row++)
			status = couple_at(s, c, c->alone[0].n[i], row);
	if (status == CLI_DONE && !c->n) {
		char *name = window_name(c, 0, 2, true);

		(void)cli_fail("no neighbours of the chain were measured together\n"
			       "hint: measure pairs too, as '%s': what both take, one after the other",
			       name);
		free(name);
		return CLI_NO;
	}
	return status;
}

static void print_chain(const struct cli_surrogate *s, const struct chain *c)
{
	struct cli_table table = {0};
	char text[FT_NUMBER_LENGTH];
	size_t i, w;

	cli_table_heads(&table, ">n", "resource", ">sum", ">coupled", NULL);
	if (s->target)
		cli_table_heads(&table, ">measured", ">sum off by", ">coupled off by", NULL);
	cli_table_head(&table, "couplings");
	for (i = 0; i < c->n; i++) {
		const struct coupled *at = &c->at[i];
		char *words = cli_strdup(""), *more;

		for (w = 0; w < at->windows; w++) {
			char *name = window_name(c, w, at->length, true);

			more = cli_printed(!isfinite(at->coupling[w]) ? "%s%s%s -"
					   : at->coupling[w] < 1e6    ? "%s%s%s %.3f"
								      : "%s%s%s %.4g",
					   words, w ? ", " : "", name, at->coupling[w]);
			free(name);
			free(words);
			words = more;
		}
		cli_table_add(&table, "%s", isnan(at->n) ? "-" : ft_number_format(at->n, text));
		cli_table_add(&table, "%s", at->resource);
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
		free(words);
	}
	cli_table_print(&table, stdout);
	puts("\na coupling above 1: they are in each other's way; below 1: they help each other");
}

#define AT struct coupled
static const struct ft_tell_row at_rows[] = {
	{FT_TELL(AT, n), .null = "they have no sizes"},
	{FT_TELL(AT, resource)},
	{FT_TELL(AT, length), .about = "of the windows: routines that were measured together"},
	{FT_TELL_MANY(LIST, "couplings", AT, coupling, windows, &ft_tell_numbers),
	 .about = "of the windows that begin with each routine: together / sum of each alone"},
	{FT_TELL(AT, sum), .about = "of the routines alone"},
	{FT_TELL(AT, composed), .about = "with the couplings"},
	{FT_TELL(AT, measured), .null = "no target, or not measured there"},
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

int cli_surrogate_couple(void *asked)
{
	struct cli_surrogate *s = asked;
	struct chain c = {0};
	int status = CLI_DONE;

	if (!s->chain)
		status = cli_fail("which routines run one after the other? --chain is missing\n"
				  "hint: write foretime surrogate couple FILE.csv --chain A,B,C");
	if (status == CLI_DONE)
		status = cli_surrogate_open(s);
	if (status == CLI_DONE)
		status = read_chain(s, &c);
	if (status == CLI_DONE)
		status = couple_all(s, &c);
	if (status == CLI_DONE && s->json)
		cli_tell(&cli_surrogate_couple_told,
			 &(struct surrogate_couple_told){cli_surrogate_source(s), c.name, c.at, c.k, c.n,
							 s->loop},
			 NULL);
	else if (status == CLI_DONE)
		print_chain(s, &c);
	clear_chain(&c);
	return status;
}
