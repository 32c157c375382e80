/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - a resource of a program where nobody measured it. */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/surrogate/case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The basis in the row that is asked; a value that is missing cannot be guessed. */
static int find_row(struct cli_case *c, double *x)
{
	size_t known = 0;

	for (size_t j = 0; j < c->k; j++) {
		x[j] = c->matrix->value[c->asked * c->matrix->columns + c->basis[j]];
		known += isnan(x[j]) ? 0 : 1;
		if (isnan(x[j]) && !(c->solver->holes && (known || j + 1 < c->k))) {
			(void)cli_fail("'%s' has no value for '%s'\n"
				       "hint: measure it, or choose a basis without it: --basis A,B,...",
				       c->matrix->row[c->asked], c->matrix->column[c->basis[j]]);
			return CLI_NO;
		}
	}
	c->partial = known < c->k;
	return CLI_DONE;
}

static const char *value_text(double value, const char *unit, char buffer[FT_UNIT_LENGTH])
{
	if (*unit)
		return ft_value_format(value, unit, buffer);
	(void)snprintf(buffer, FT_UNIT_LENGTH, "%.5g", value);
	return buffer;
}

static void print_text(const struct cli_case *c, const struct cli_surrogate *s, const struct ft_estimate *e,
		       double measured)
{
	const struct ft_resource *known = ft_resource_find(s->target_resource);
	const char *unit = known ? known->unit : "";
	char value[FT_UNIT_LENGTH], lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH];

	printf("%s of %s: %s", s->target_resource, s->target, value_text(e->value, unit, value));
	if (isfinite(e->lower))
		printf(" (%.6g %% interval %s .. %s)\n", 100 * s->confidence,
		       value_text(fmax(e->lower, 0), unit, lower), value_text(e->upper, unit, upper));
	else
		puts(c->partial
			     ? " (no interval: some of the basis is missing there)"
			     : " (no interval: as many unknowns as rows, so nothing is known of the error)");
	printf("by %zu %s%s over %zu rows: %s\n", c->k, c->kind, c->k > 1 ? "s" : "",
	       cli_case_learned(c)->problem.m, c->solver->about);
	if (!isnan(measured))
		printf("measured: %s (not used)\n", value_text(measured, unit, value));
}

struct surrogate_predict_told {
	const char *source;
	struct cli_told_case of;
	const char *program, *resource, **basis;
	size_t n_basis;
	double value, lower, upper, actual;
};

#define TOLD struct surrogate_predict_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, source), .about = "the file, or the store"},
	{FT_TELL_BY(ROWS, NULL, TOLD, of), .of = &cli_case_rows},
	{FT_TELL(TOLD, program)},
	{FT_TELL(TOLD, resource)},
	{FT_TELL_MANY(LIST, "basis_names", TOLD, basis, n_basis, &ft_tell_texts)},
	{FT_TELL(TOLD, value)},
	{FT_TELL(TOLD, lower), .null = "nothing is known of the error"},
	{FT_TELL(TOLD, upper), .null = "nothing is known of the error"},
	{FT_TELL(TOLD, actual), .about = "what was measured there, and not used", .null = "nothing"},
	{0},
};
const struct ft_tell_record cli_surrogate_predict_told = {
	.name = "surrogate", .action = "predict", .version = 1, .row = rows};

static void print_json(const struct cli_case *c, const struct cli_surrogate *s, const struct ft_estimate *e,
		       double measured)
{
	TOLD told = {
		.source = cli_surrogate_source(s),
		.of = cli_case_told(c, s),
		.program = s->target,
		.resource = s->target_resource,
		.value = e->value,
		.lower = isfinite(e->lower) ? fmax(e->lower, 0) : (double)NAN,
		.upper = e->upper,
		.actual = measured,
	};

	told.basis = cli_names(c->matrix->column, c->basis, NULL, c->k, &told.n_basis);
	cli_tell(&cli_surrogate_predict_told, &told, NULL);
	cli_case_told_clear(&told.of);
	free(told.basis);
}

int cli_surrogate_predict(void *asked)
{
	struct cli_surrogate *surrogate = asked;
	FT_CLEANUP(cli_case_close) struct cli_case c = {0};
	struct ft_estimate e = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_case_open(&c, surrogate, true));
	CLI_TRY(cli_case_notes(&c, surrogate));
	CLI_OWN double *x = cli_alloc(c.k * sizeof *x);
	CLI_TRY(find_row(&c, x));
	if (ft_surrogate_predict(c.fit, x, 1, surrogate->confidence, &e, &err))
		return cli_error(&err);
	double measured = c.matrix->value[c.asked * c.matrix->columns + c.target];
	if (surrogate->json)
		print_json(&c, surrogate, &e, measured);
	else
		print_text(&c, surrogate, &e, measured);
	return CLI_DONE;
}
