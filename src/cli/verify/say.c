/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c - tells what `foretime verify` found. */
#include "cli/verify/verify.h"
#include "cli/common.h"
#include "cli/facts.h"

#include <math.h>
#include <stdlib.h>

static void print_verdict(const struct ft_check *c, char *buffer, size_t size)
{
	if (c->verdict == FT_VERDICT_INSIDE)
		(void)snprintf(buffer, size, "inside");
	else if (c->share >= 1)
		(void)snprintf(buffer, size, "%.2g times as much", c->share + 1);
	else
		(void)snprintf(buffer, size, "%.2g %% %s", 100 * c->share, ft_verdict_text(c->verdict));
}

static void print_table(const struct cli_verify *v)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	char text[FT_UNIT_LENGTH], lower[FT_UNIT_LENGTH], verdict[64];
	struct cli_table table = {0};
	size_t i;

	cli_size_heads(&table, program);
	cli_table_heads(&table, "resource", ">now", ">promised", "", ">runs", "verdict", NULL);
	for (i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		const char *unit = cli_unit(c->resource);

		cli_size_cells(&table, &c->size);
		cli_table_add(&table, "%s", c->resource);
		cli_table_add(&table, "%s%s", c->at_least ? "over " : "",
			      ft_value_format(c->value, unit, text));
		cli_table_add(&table, "%s ..", ft_value_format(c->promised.lower, unit, lower));
		cli_table_add(&table, "%s%s", ft_value_format(c->promised.upper, unit, text),
			      c->promised.basis == FT_BASIS_BEYOND ? ", extrapolated" : "");
		cli_table_add(&table, "%zu", c->runs);
		print_verdict(c, verdict, sizeof verdict);
		cli_table_add(&table, "%s", verdict);
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

/* "n^1.08 (n log n)" */
static char *growth_text(const struct cli_verify *v, const struct ft_growth *g, double exponent)
{
	const char *name = v->program.param[g->param].name;
	char words[FT_GROWTH_LENGTH];

	return cli_printed(
		"%s^%.2f (%s)", name, exponent,
		ft_growth_text(exponent, (g->upper - g->lower) / 2, sqrt(g->from * g->to), name, words));
}

static void print_growth(const struct cli_verify *v, const struct ft_growth *g)
{
	char *was = growth_text(v, g, g->was), *now = growth_text(v, g, g->now);
	char from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];

	printf("%s from %s=%s to %s grows as %s, was %s: %s\n", g->resource, v->program.param[g->param].name,
	       ft_number_format(g->from, from), ft_number_format(g->to, to), now, was,
	       g->verdict == FT_VERDICT_INSIDE ? "inside"
	       : g->verdict == FT_VERDICT_OVER ? "faster"
					       : "slower");
	free(was);
	free(now);
}

void cli_verify_text(const struct cli_verify *v)
{
	char joint[FT_UNIT_LENGTH], each[FT_UNIT_LENGTH];
	size_t checks = v->verified.n_checks + v->verified.n_growths, i;

	cli_models_headline(&v->models, stdout);
	cli_axes_print(&v->models, v->resource, v->n_resources, stdout);
	printf("an unchanged program passes with %s at least",
	       ft_share_format(v->verified.confidence, joint));
	if (checks > 1)
		printf(": %zu checks, each with %s", checks, ft_share_format(v->verified.each, each));
	puts("\n");
	print_table(v);
	if (v->verified.n_growths)
		putchar('\n');
	for (i = 0; i < v->verified.n_growths; i++)
		print_growth(v, &v->verified.growth[i]);
}

static json_t *json_of_checks(const struct cli_verify *v)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		json_t *object = cli_json_object(), *size = cli_json_object();

		cli_json_set_size(size, program, &c->size);
		cli_json_set(object, "resource", cli_json_text(c->resource));
		cli_json_set(object, "unit", cli_json_text(cli_unit(c->resource)));
		cli_json_set(object, "size", size);
		cli_json_set(object, "runs", cli_json_number((double)c->runs));
		cli_json_set(object, "value", cli_json_number(c->value));
		cli_json_set(object, "at_least", cli_json_bool(c->at_least));
		cli_json_set(object, "expected", cli_json_number(c->promised.value));
		cli_json_set(object, "lower", cli_json_number(c->promised.lower));
		cli_json_set(object, "upper", cli_json_number(c->promised.upper));
		cli_json_set(object, "basis", cli_json_text(ft_basis_text(c->promised.basis)));
		cli_json_set(object, "share", cli_json_number(c->share));
		cli_json_set(object, "verdict", cli_json_text(ft_verdict_text(c->verdict)));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_growths(const struct cli_verify *v)
{
	json_t *array = cli_json_array();
	char words[FT_GROWTH_LENGTH];
	size_t i;

	for (i = 0; i < v->verified.n_growths; i++) {
		const struct ft_growth *g = &v->verified.growth[i];
		const char *name = v->program.param[g->param].name;
		double x = sqrt(g->from * g->to), margin = (g->upper - g->lower) / 2;
		json_t *object = cli_json_object();

		cli_json_set(object, "resource", cli_json_text(g->resource));
		cli_json_set(object, "parameter", cli_json_text(name));
		cli_json_set(object, "sizes", cli_json_number((double)g->sizes));
		cli_json_set(object, "from", cli_json_number(g->from));
		cli_json_set(object, "to", cli_json_number(g->to));
		cli_json_set(object, "was", cli_json_number(g->was));
		cli_json_set(object, "was_words",
			     cli_json_text(ft_growth_text(g->was, margin, x, name, words)));
		cli_json_set(object, "now", cli_json_number(g->now));
		cli_json_set(object, "now_words",
			     cli_json_text(ft_growth_text(g->now, margin, x, name, words)));
		cli_json_set(object, "change", cli_json_number(g->change));
		cli_json_set(object, "lower", cli_json_number(g->lower));
		cli_json_set(object, "upper", cli_json_number(g->upper));
		cli_json_set(object, "verdict", cli_json_text(ft_verdict_text(g->verdict)));
		cli_json_append(array, object);
	}
	return array;
}

void cli_verify_json(const struct cli_verify *v)
{
	json_t *object = cli_json_new("verify");

	cli_json_set(object, "name", cli_json_text(v->program.name));
	cli_json_set(object, "machine", cli_json_machine(ft_ask_machine(v->models.answerer)));
	cli_json_set(object, "holds", cli_json_bool(v->verified.holds && !v->killed));
	cli_json_set(object, "killed", cli_json_bool(v->killed));
	cli_json_set(object, "strict", cli_json_bool(v->strict));
	cli_json_set(object, "confidence", cli_json_number(v->confidence));
	cli_json_set(object, "confidence_each", cli_json_number(v->n_resources ? v->verified.each : NAN));
	cli_json_set_axes(object, &v->models, v->resource, v->n_resources);
	cli_json_set(object, "checks", json_of_checks(v));
	cli_json_set(object, "growth", json_of_growths(v));
	cli_json_print(object, stdout);
}

/* What is broken, a line each. */
void cli_verify_complain(const struct cli_verify *v)
{
	char value[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH], verdict[64], at[256];
	size_t i;

	for (i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		const char *unit = cli_unit(c->resource);
		bool over = c->verdict == FT_VERDICT_OVER;

		if (c->verdict == FT_VERDICT_INSIDE || (!over && !v->strict))
			continue;
		(void)ft_size_format(&v->program, &c->size, at, sizeof at);
		print_verdict(c, verdict, sizeof verdict);
		(void)cli_fail(
			"%s %s%s at %s, promised at %s %s: %s", c->resource, c->at_least ? "over " : "",
			ft_value_format(c->value, unit, value), at, over ? "most" : "least",
			ft_value_format(over ? c->promised.upper : c->promised.lower, unit, bound), verdict);
	}
	for (i = 0; i < v->verified.n_growths; i++) {
		const struct ft_growth *g = &v->verified.growth[i];
		bool over = g->verdict == FT_VERDICT_OVER;
		char *was, *now;

		if (g->verdict == FT_VERDICT_INSIDE || (!over && !v->strict))
			continue;
		was = growth_text(v, g, g->was);
		now = growth_text(v, g, g->now);
		(void)cli_fail("%s was %s, now looks %s: the exponent is %s by %.2f (%.2f to %.2f)",
			       g->resource, was, now, over ? "larger" : "smaller", fabs(g->change),
			       over ? g->lower : -g->upper, over ? g->upper : -g->lower);
		free(was);
		free(now);
	}
}
