/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.c - whether two programs together are the sum of both (004 7.4 and 7.5). */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/expr.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 40 };

/* Two programs, what runs both, and how often the second is called. */
struct composition {
	struct cli_sized first, second, whole;
	struct ft_expr *phi; /* NULL: once */
};

static int phi_at(const struct composition *c, double n, double *phi)
{
	static const char *const name[] = {"n"};
	struct ft_err err = {0};

	*phi = 1;
	if (c->phi && ft_expr_eval(c->phi, name, &n, 1, phi, &err))
		return cli_error_at(&err, "--phi at n=%g", n);
	return CLI_DONE;
}

/* The column of a program at n; one without sizes is the same everywhere. -1: it was not measured there. */
static long column_at(const struct cli_sized *s, double n)
{
	size_t i;

	for (i = 0; i < s->sizes; i++)
		if (s->n[i] == n || isnan(s->n[i]))
			return (long)s->column[i];
	return -1;
}

/* One resource at one size: is the whole the sum of its parts? */
struct sum {
	double n, parts, whole;
	double off; /* the error of the sum, as a share of the whole */
	const char *resource;
	bool holds;
};

static int compare_all(const struct cli_surrogate *s, const struct composition *c, struct sum *sum,
		       size_t *count, bool *compared)
{
	const struct ft_matrix *m = &s->matrix;
	const struct cli_sized *over = *compared ? &c->whole : isnan(c->first.n[0]) ? &c->second : &c->first;
	size_t i, r;

	*count = 0;
	for (i = 0; i < over->sizes; i++) {
		double n = over->n[i], phi;
		long f = column_at(&c->first, n), g = column_at(&c->second, n);
		int status = phi_at(c, n, &phi);

		if (status != CLI_DONE)
			return status;
		if (f < 0 || g < 0)
			continue;
		for (r = 0; r < m->rows; r++) {
			struct sum *at = &sum[*count];

			*at = (struct sum){
				.n = n, .resource = m->row[r], .whole = NAN, .off = NAN, .holds = true};
			at->parts = m->value[r * m->columns + (size_t)f] +
				    phi * m->value[r * m->columns + (size_t)g];
			if (*compared)
				at->whole = m->value[r * m->columns + over->column[i]];
			if (isnan(at->parts) || (*compared && isnan(at->whole)))
				continue;
			if (*compared) {
				/* None of a resource (faults, say) in the whole and its parts is a sum too.
				 */
				at->off = at->whole == at->parts ? 0 : at->parts / at->whole - 1;
				at->holds = fabs(at->off) <= s->tolerance;
			}
			++*count;
		}
	}
	if (*count)
		return CLI_DONE;
	(void)cli_fail("'%s' and '%s' were never measured at the same size", c->first.name, c->second.name);
	return CLI_NO;
}

static const struct ft_tell_row truth_rows[] = {{.key = "", .kind = FT_TELL_BOOL}, {0}};
static const struct ft_tell_record truth = {.row = truth_rows};

struct composed {
	struct sum sum;
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
	{FT_TELL_AS("resource", SUM, sum.resource), .head = "resource"},
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
	size_t i, shown = 0;

	for (i = 0; i < told->n; i++) {
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
static double tell_sums(const struct cli_surrogate *s, const struct sum *sum, size_t count, bool compared)
{
	struct surrogate_compose_told told = {cli_surrogate_source(s),
					      cli_alloc(count * sizeof *told.composed), count,
					      compared ? 0 : (double)NAN};
	size_t i;

	for (i = 0; i < count; i++) {
		told.composed[i] = (SUM){sum[i], compared ? &sum[i].holds : NULL};
		told.fails += !sum[i].holds;
	}
	if (s->json)
		cli_tell(&cli_surrogate_compose_told, &told, NULL);
	else
		print_text(s, &told);
	free(told.composed);
	return told.fails;
}

int cli_surrogate_compose(void *asked)
{
	struct cli_surrogate *s = asked;
	struct composition c = {0};
	struct sum *sum = NULL;
	struct ft_err err = {0};
	bool compared = s->target != NULL;
	size_t count = 0;
	int status = CLI_DONE;

	if (!s->first || !s->second)
		status = cli_fail(
			"which two programs? --first and --second are needed\n"
			"hint: write foretime surrogate compose FILE.csv --first f --second g [--target fg]");
	if (status == CLI_DONE && s->phi && ft_expr_new(&c.phi, s->phi, &err))
		status = cli_error_at(&err, "--phi");
	if (status == CLI_DONE)
		status = cli_surrogate_open(s);
	if (status == CLI_DONE)
		status = cli_sized_find(&c.first, &s->matrix, s->first);
	if (status == CLI_DONE)
		status = cli_sized_find(&c.second, &s->matrix, s->second);
	if (status == CLI_DONE && compared)
		status = cli_sized_find(&c.whole, &s->matrix, s->target);
	if (status == CLI_DONE) {
		sum = cli_alloc((s->matrix.rows * s->matrix.columns + 1) * sizeof *sum);
		status = compare_all(s, &c, sum, &count, &compared);
	}
	if (status == CLI_DONE && tell_sums(s, sum, count, compared) > 0)
		status = CLI_NO;
	free(sum);
	ft_expr_free(c.phi);
	cli_sized_clear(&c.first);
	cli_sized_clear(&c.second);
	cli_sized_clear(&c.whole);
	return status;
}
