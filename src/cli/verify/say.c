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
	char text[FT_UNIT_LENGTH], lower[FT_UNIT_LENGTH], verdict[64];
	struct cli_table table = {0};
	size_t i;

	cli_size_heads(&table, &v->program);
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

	printf("%s from %s=%s to %s grows as %s%s, was %s: %s\n", g->resource,
	       v->program.param[g->param].name, ft_number_format(g->from, from), ft_number_format(g->to, to),
	       now, g->at_least ? " at least" : "", was,
	       g->verdict == FT_VERDICT_INSIDE ? "inside"
	       : g->verdict == FT_VERDICT_OVER ? "faster"
					       : "slower");
	free(was);
	free(now);
}

/* As many digits as the interval has. */
static char *ratio_text(const struct ft_shift *shift)
{
	const int digits = shift->upper - shift->lower < 0.02 ? 4 : 2;

	if (shift->at_least)
		return cli_printed("%.*f times what it was, at least (%.*f)", digits, shift->ratio, digits,
				   shift->lower);
	return cli_printed("%.*f times what it was (%.*f .. %.*f)", digits, shift->ratio, digits,
			   shift->lower, digits, shift->upper);
}

char *cli_verify_shift(const struct ft_shift *shift)
{
	char *ratio = ratio_text(shift), *text = cli_printed("%s is %s", shift->resource, ratio);

	free(ratio);
	return text;
}

static void print_shift(const struct ft_shift *shift)
{
	char *ratio;

	if (isnan(shift->ratio))
		return;
	ratio = ratio_text(shift);
	printf("%s: %s, over %zu size%s and %zu run%s: %s\n", shift->resource, ratio, shift->sizes,
	       shift->sizes == 1 ? "" : "s", shift->runs, shift->runs == 1 ? "" : "s",
	       ft_verdict_text(shift->verdict));
	free(ratio);
}

void cli_verify_text(const struct cli_verify *v)
{
	char joint[FT_UNIT_LENGTH];
	size_t i;

	if (v->against) {
		printf("%s: the old program and the new one in turn\n", v->program.name);
	} else {
		cli_models_headline(&v->models, stdout);
		cli_axes_print(&v->models, v->resource, v->n_resources, stdout);
	}
	printf("an unchanged program passes with %s at least\n\n",
	       ft_share_format(v->verified.confidence, joint));
	print_table(v);
	putchar('\n');
	for (i = 0; i < v->verified.n_shifts; i++)
		print_shift(&v->verified.shift[i]);
	for (i = 0; i < v->verified.n_growths; i++)
		print_growth(v, &v->verified.growth[i]);
}

static json_t *json_of_checks(const struct cli_verify *v)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		json_t *object = cli_json_object(), *size = cli_json_object();

		cli_json_set_size(size, &v->program, &c->size);
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

static json_t *json_of_shifts(const struct cli_verify *v)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < v->verified.n_shifts; i++) {
		const struct ft_shift *s = &v->verified.shift[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "resource", cli_json_text(s->resource));
		cli_json_set(object, "sizes", cli_json_number((double)s->sizes));
		cli_json_set(object, "runs", cli_json_number((double)s->runs));
		cli_json_set(object, "at_least", cli_json_bool(s->at_least));
		cli_json_set(object, "ratio", cli_json_number(s->ratio));
		cli_json_set(object, "lower", cli_json_number(s->lower));
		cli_json_set(object, "upper", cli_json_number(s->upper));
		cli_json_set(object, "verdict", cli_json_text(ft_verdict_text(s->verdict)));
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
		cli_json_set(object, "at_least", cli_json_bool(g->at_least));
		cli_json_set(object, "change", cli_json_number(g->change));
		cli_json_set(object, "lower", cli_json_number(g->lower));
		cli_json_set(object, "upper", cli_json_number(g->upper));
		cli_json_set(object, "verdict", cli_json_text(ft_verdict_text(g->verdict)));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_this_machine(void)
{
	struct ft_machine here = {0};
	json_t *object;

	(void)ft_machine_read("", &here, NULL);
	object = cli_json_machine(&here);
	ft_machine_clear(&here);
	return object;
}

void cli_verify_json(const struct cli_verify *v)
{
	json_t *object = cli_json_new("verify");

	cli_json_set(object, "name", cli_json_text(v->program.name));
	cli_json_set(object, "against", cli_json_text(v->against));
	cli_json_set(object, "machine",
		     v->against ? json_of_this_machine()
				: cli_json_machine(ft_ask_machine(v->models.answerer)));
	cli_json_set(object, "holds", cli_json_bool(v->verified.holds && !v->killed));
	cli_json_set(object, "killed", cli_json_bool(v->killed));
	cli_json_set(object, "strict", cli_json_bool(v->strict));
	cli_json_set(object, "confidence", cli_json_number(v->confidence));
	cli_json_set(object, "confidence_each", cli_json_number(v->n_resources ? v->verified.each : NAN));
	cli_json_set(object, "confidence_pooled", cli_json_number(v->n_resources ? v->verified.pooled : NAN));
	if (v->against) {
		cli_json_set(object, "flat", cli_json_array());
		cli_json_set(object, "together", cli_json_array());
	} else {
		cli_json_set_axes(object, &v->models, v->resource, v->n_resources);
	}
	cli_json_set(object, "shifts", json_of_shifts(v));
	cli_json_set(object, "checks", json_of_checks(v));
	cli_json_set(object, "growth", json_of_growths(v));
	cli_json_print(object, stdout);
}

static char *check_sentence(const struct cli_verify *v, const struct ft_check *c)
{
	char value[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH], verdict[64], at[256];
	const char *unit = cli_unit(c->resource);
	bool over = c->verdict == FT_VERDICT_OVER;

	(void)ft_size_format(&v->program, &c->size, at, sizeof at);
	print_verdict(c, verdict, sizeof verdict);
	return cli_printed("%s %s%s at %s, promised at %s %s: %s", c->resource, c->at_least ? "over " : "",
			   ft_value_format(c->value, unit, value), at, over ? "most" : "least",
			   ft_value_format(over ? c->promised.upper : c->promised.lower, unit, bound),
			   verdict);
}

static char *growth_sentence(const struct cli_verify *v, const struct ft_growth *g)
{
	bool over = g->verdict == FT_VERDICT_OVER;
	char *was = growth_text(v, g, g->was), *now = growth_text(v, g, g->now), *text;
	double least = over ? g->lower : -g->upper, most = over ? g->upper : -g->lower;

	text = g->at_least
		       ? cli_printed(
				 "%s was %s, now looks %s at least: the exponent is larger by %.2f or more",
				 g->resource, was, now, least)
		       : cli_printed("%s was %s, now looks %s: the exponent is %s by %.2f (%.2f to %.2f)",
				     g->resource, was, now, over ? "larger" : "smaller", fabs(g->change),
				     least, most);
	free(was);
	free(now);
	return text;
}

static bool is_broken(const struct cli_verify *v, enum ft_verdict verdict)
{
	return verdict == FT_VERDICT_OVER || (v->strict && verdict == FT_VERDICT_UNDER);
}

static void say_and_free(char *sentence, void (*say)(void *ctx, const char *sentence), void *ctx)
{
	say(ctx, sentence);
	free(sentence);
}

void cli_verify_each(const struct cli_verify *v, void (*say)(void *ctx, const char *sentence), void *ctx)
{
	const struct ft_verification *found = &v->verified;

	for (size_t i = 0; i < found->n_checks; i++)
		if (is_broken(v, found->check[i].verdict))
			say_and_free(check_sentence(v, &found->check[i]), say, ctx);
	for (size_t i = 0; i < found->n_shifts; i++)
		if (is_broken(v, found->shift[i].verdict))
			say_and_free(cli_verify_shift(&found->shift[i]), say, ctx);
	for (size_t i = 0; i < found->n_growths; i++)
		if (is_broken(v, found->growth[i].verdict))
			say_and_free(growth_sentence(v, &found->growth[i]), say, ctx);
}
