/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.c - whether two programs together are the sum of both (004 7.4 and 7.5). */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/compose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 40 };

static const struct ft_tell_row truth_rows[] = {{.key = "", .kind = FT_TELL_BOOL}, {0}};
static const struct ft_tell_record truth = {.row = truth_rows};

struct composed {
	struct ft_sum sum;
	const char *resource;
	const bool *holds;
};

#define SUM struct composed
static char *off_cell(const void *record, const struct ft_tell_with *with)
{
	const SUM *told = record;

	(void)with;
	if (!isfinite(told->sum.off))
		return cli_strdup(told->holds ? "-" : "");
	return cli_printed("%+.1f %%", 100 * told->sum.off);
}

static char *verdict_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_strdup(((const SUM *)record)->sum.holds ? "" : "not the sum");
}

static const struct ft_tell_row sum_rows[] = {
	{FT_TELL_AS("n", SUM, sum.n), .null = "it has no sizes", .head = ">n"},
	{FT_TELL(SUM, resource), .head = "resource"},
	{FT_TELL_AS("value", SUM, sum.parts), .head = ">composed", .unit = ".6g"},
	{FT_TELL_AS("actual", SUM, sum.whole), .null = "not compared", .head = ">measured", .unit = ".6g",
	 .none = ""},
	{FT_TELL_AS(NULL, SUM, sum.off), .head = ">off by", .cell = off_cell},
	{FT_TELL_AS(NULL, SUM, sum.holds), .head = "", .cell = verdict_cell},
	{FT_TELL_BY(POINTER, "holds", SUM, holds), .of = &truth, .null = "not compared"},
	{0},
};
static const struct ft_tell_record sums = {.bytes = sizeof(SUM), .row = sum_rows};

struct surrogate_compose_told {
	const char *source;
	SUM *composed;
	size_t n;
	double fails;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct surrogate_compose_told, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "composed", struct surrogate_compose_told, composed, n, &sums)},
	{FT_TELL(struct surrogate_compose_told, fails), .whole = true, .about = "values that are not the sum",
	 .null = "not compared"},
	{0},
};
const struct ft_tell_record cli_surrogate_compose_told = {
	.name = "surrogate", .action = "compose", .version = 1, .row = rows};

static void print_text(const struct cli_surrogate *s, const struct surrogate_compose_told *told)
{
	bool compared = !isnan(told->fails);
	struct cli_table table = {0};
	size_t shown = 0;

	for (size_t i = 0; i < told->n; i++) {
		/* Of many, those that do not hold. */
		if (compared && told->n > ROWS_SHOWN && told->composed[i].sum.holds)
			continue;
		if (shown++ < ROWS_SHOWN || !compared)
			cli_table_tell(&table, &sums, &told->composed[i], 1, NULL);
	}
	cli_table_print(&table, stdout);
	if (!compared)
		return;
	if (shown > ROWS_SHOWN)
		printf("... %zu more: --json has them\n", shown - ROWS_SHOWN);
	if (told->fails > 0)
		printf("%sadditivity fails for %.0f of %zu values (more than %.3g %% off): beyond the grace "
		       "area the programs compete\nfor a resource, or help each other\n",
		       shown ? "\n" : "", told->fails, told->n, 100 * s->tolerance);
	else
		printf("%sthe whole is the sum of its parts: all %zu values within %.3g %%\n",
		       shown ? "\n" : "", told->n, 100 * s->tolerance);
}

/* Returns how many values are not the sum. */
static double tell_sums(const struct cli_surrogate *s, const struct ft_sum *sum, size_t count)
{
	struct surrogate_compose_told told = {cli_surrogate_source(s),
					      cli_alloc(count * sizeof *told.composed), count,
					      s->target ? 0 : (double)NAN};

	for (size_t i = 0; i < count; i++) {
		told.composed[i] = (SUM){sum[i], s->matrix.row[sum[i].row], s->target ? &sum[i].holds : NULL};
		told.fails += !sum[i].holds;
	}
	if (s->json)
		cli_tell(&cli_surrogate_compose_told, &told, NULL);
	else
		print_text(s, &told);
	free(told.composed);
	return told.fails;
}

static int compose(const struct cli_surrogate *s, const struct ft_expr *phi)
{
	FT_CLEANUP(ft_sized_clear) struct ft_sized first = {0}, second = {0}, whole = {0};
	const struct ft_composition of = {.matrix = &s->matrix,
					  .first = &first,
					  .second = &second,
					  .whole = s->target ? &whole : NULL,
					  .phi = phi,
					  .tolerance = s->tolerance};
	CLI_OWN struct ft_sum *sum = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t count;

	if (ft_sized_find(&first, &s->matrix, s->first, &err) ||
	    ft_sized_find(&second, &s->matrix, s->second, &err) ||
	    (s->target && ft_sized_find(&whole, &s->matrix, s->target, &err)) ||
	    ft_sums_compare(&of, &sum, &count, &err))
		status = cli_error(&err);
	else if (tell_sums(s, sum, count) > 0)
		status = CLI_NO;
	return status;
}

int cli_surrogate_compose(void *asked)
{
	struct cli_surrogate *s = asked;
	struct ft_expr *phi = NULL;
	struct ft_err err = {0};

	CLI_OWN char *pair = cli_strdup(s->basis.n ? s->basis.text[0] : "");
	char *comma = strchr(pair, ',');
	if (comma) {
		*comma = '\0';
		s->first = pair;
		s->second = comma + 1;
	} else if (s->basis.n == 2) {
		s->first = s->basis.text[0];
		s->second = s->basis.text[1];
	}
	if (!s->first || !s->second || strchr(s->second, ','))
		return cli_fail("which two programs? --basis A,B is missing\n"
				"hint: write foretime surrogate compose FILE.csv --basis f,g [--target fg]");
	if (s->phi && ft_expr_new(&phi, s->phi, &err))
		return cli_error_at(&err, "--phi");
	int status = cli_surrogate_open(s);
	if (status == CLI_DONE)
		status = compose(s, phi);
	ft_expr_free(phi);
	return status;
}
