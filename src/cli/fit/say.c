/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c - what foretime fit found: for people, and as a line of a table. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_SHOWN = 8 };

/* ---- for people ---------------------------------------------------------------------------------------- */

static void print_breaks(const struct cli_fit_data *data, const struct ft_laws *laws)
{
	char text[CLI_FIT_TEXT], after[FT_NUMBER_LENGTH], from[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < laws->breaks; i++) {
		const struct ft_law_break *b = &laws->broken[i];

		cli_fit_text(data, &b->law, 3, text);
		printf("breaks  at %s = %s: up to %s it is %s\n", data->param[0],
		       ft_number_format(b->from, from), ft_number_format(b->after, after), text);
	}
}

static void print_misfit(const struct cli_fit_result *fit)
{
	char misfit[FT_UNIT_LENGTH], noise[FT_UNIT_LENGTH];

	if (fit->of.exact) {
		puts("misses  nothing: it passes through all runs");
		return;
	}
	if (fit->of.misfit < 1e-6 && isnan(fit->of.noise))
		puts("misses  nothing: it passes through all runs");
	else if (fit->of.misfit < 1e-6)
		printf("misses  nothing but the scatter of runs of one size, %s\n",
		       ft_share_format(fit->of.noise, noise));
	else if (!fit->of.many && fit->of.kind != FT_LAW_LAWS && fit->of.kind != FT_LAW_SIGNED)
		printf("misses  the sizes by %s on average, %s at most\n",
		       ft_share_format(fit->of.misfit, misfit),
		       ft_share_format(fit->of.named.largest_error, noise));
	else if (isnan(fit->of.noise))
		printf("misses  the sizes by %s\n", ft_share_format(fit->of.misfit, misfit));
	else
		printf("misses  the sizes by %s; runs of one size scatter by %s\n",
		       ft_share_format(fit->of.misfit, misfit), ft_share_format(fit->of.noise, noise));
}

/* R as document 002 prints it: of power laws it is that of logarithms. */
static void print_residual(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	char text[FT_UNIT_LENGTH];

	if (fit->of.misfit < 1e-6) /* it misses nothing, that is said */
		return;
	printf("leaves  R = %s over the sizes, the root of the sum of squares",
	       ft_value_format(fit->of.residual, data->resource->unit, text));
	if (isnan(fit->of.residual_ln))
		putchar('\n');
	else
		printf("; of logarithms %.4g\n", fit->of.residual_ln);
}

static void print_power(const struct cli_fit_data *data, const struct cli_fit_result *fit, double confidence)
{
	struct ft_law_number power;
	char share[FT_UNIT_LENGTH];

	if (!ft_law_any_power(&fit->of, confidence, &power))
		return;
	if (isnan(power.lower) || power.upper - power.lower < 1e-9)
		printf("power   %.5g of %s\n", power.value, data->param[0]);
	else
		printf("power   %.5g of %s; %s of what may be is between %.5g and %.5g\n", power.value,
		       data->param[0], ft_share_format(confidence, share), power.lower, power.upper);
}

static void print_laws(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	const struct ft_laws *laws = &fit->of.laws;
	char text[CLI_FIT_TEXT], least[FT_NUMBER_LENGTH];

	(void)ft_laws_words(laws, data->param[0], text, sizeof text);
	printf("class   %s\n", text);
	print_misfit(fit);
	print_residual(data, fit);
	if (laws->called)
		puts("terms   two: runs of one size say that no law of one passes through the sizes");
	print_breaks(data, laws);
	if (laws->zeros)
		printf("zeros   below %s = %s it is 0\n", data->param[0],
		       ft_number_format(laws->least, least));
}

static void print_classes(const struct cli_fit_data *data, const struct ft_laws *laws)
{
	struct cli_table table = {0};
	char text[CLI_FIT_TEXT];

	cli_table_heads(&table, "class", ">weight", NULL);
	for (size_t i = 0; i < laws->kinds && i < CLASSES_SHOWN && laws->kind[i].weight >= 0.005; i++) {
		(void)ft_law_class_format(&laws->kind[i].factor, data->param[0], text, sizeof text);
		cli_table_add(&table, "%s", text);
		cli_table_add(&table, "%.2f", laws->kind[i].weight);
	}
	putchar('\n');
	cli_table_print(&table, stdout);
}

static void print_candidates(const struct cli_fit_data *data, const struct ft_law_candidate *candidate,
			     size_t n)
{
	struct cli_table table = {0};
	char text[CLI_FIT_TEXT];

	cli_table_heads(&table, ">weight", "law", NULL);
	for (size_t i = 0; i < n && i < CLASSES_SHOWN && candidate[i].weight >= 0.005; i++) {
		cli_fit_text(data, &candidate[i].law, 3, text);
		cli_table_add(&table, "%.2f", candidate[i].weight);
		cli_table_add(&table, "%s", text);
	}
	putchar('\n');
	cli_table_print(&table, stdout);
}

static void add_value(struct cli_table *table, double value, const char *unit)
{
	char text[FT_UNIT_LENGTH];

	cli_table_add(table, "%s", isnan(value) ? "unknown" : ft_value_format(value, unit, text));
}

/* Why the interval of predict is another one than that of the law. */
enum difference {
	SAME,
	NEGATIVE, /* predict is for costs */
	STATED,   /* predict uses a law that was stated */
	GROWTH,   /* predict's interval is wider on a side: growth may change */
	RUNS,     /* those of the largest sizes count more */
};

static bool differs(double a, double b)
{
	return a > 0 && b > 0 ? fabs(log(a / b)) > 0.1 : a < b || a > b;
}

static enum difference difference_of(const struct cli_fit_prediction *at)
{
	if (!differs(at->said.value, at->model.value) && !differs(at->said.lower, at->model.lower) &&
	    !differs(at->said.upper, at->model.upper))
		return SAME;
	if (at->said.lower < 0)
		return NEGATIVE;
	if (at->model.level == FT_LEVEL_LAW)
		return STATED;
	if ((at->model.upper > at->said.upper && differs(at->model.upper, at->said.upper)) ||
	    (at->model.lower < at->said.lower && differs(at->model.lower, at->said.lower)))
		return GROWTH;
	return RUNS;
}

/* Where a size lies outside the range of the samples: "n > 5120"; each side is listed once. False: it is
 * inside. */
static bool add_sides(char **text, const struct cli_fit_data *data, const struct cli_fit_group *group,
		      const struct ft_size *size)
{
	char number[FT_NUMBER_LENGTH];
	bool outside = false;

	for (size_t p = 0; p < data->params; p++) {
		double least = INFINITY, most = -INFINITY, x = size->value[p];

		for (size_t i = 0; i < group->n; i++) {
			least = fmin(least, group->sample[i].x[p]);
			most = fmax(most, group->sample[i].x[p]);
		}
		if (x >= least && x <= most)
			continue;
		outside = true;
		char *side = cli_printed("%s %s %s", data->param[p], x > most ? ">" : "<",
					 ft_number_format(x > most ? most : least, number));
		if (!*text || !strstr(*text, side))
			cli_reprint(text, "%s%s%s", *text ? *text : "", *text ? ", " : "", side);
		free(side);
	}
	return outside;
}

/* Why the two intervals differ outside the range of the samples. */
static void print_difference(const struct cli_fit_data *data, const struct cli_fit_group *group,
			     const struct cli_fit_prediction *told, size_t n)
{
	static const char *const why[] = {
		NULL,
		"predict is for costs, which are never negative",
		"predict uses the law that was stated for the program",
		("the law's interval assumes that the law goes on;\npredict also allows for growth that "
		 "changes"),
		"predict gives more weight to the runs of the largest sizes than\nthe law does",
	};
	enum difference kind = SAME;
	CLI_OWN char *sides = NULL;

	for (size_t i = 0; i < n; i++) {
		enum difference here = difference_of(&told[i]);

		if (here == SAME || !add_sides(&sides, data, group, &told[i].size))
			continue;
		kind = kind == SAME || here < kind ? here : kind;
	}
	if (kind != SAME)
		printf("they differ at %s: %s\n", sides, why[kind]);
}

static void print_coverage(const struct cli_fit_prediction *told, size_t n, const struct cli_fit_style *style)
{
	char share[FT_UNIT_LENGTH];
	bool both = false;

	for (size_t i = 0; i < n; i++)
		both |= !isnan(told[i].model.lower);
	printf("%s of %s are expected between lower and upper%s\n", ft_share_format(style->confidence, share),
	       style->of == FT_LAW_RUN ? "single runs" : "such means",
	       both ? " by the law,\nbetween its lower and its upper by predict" : "");
}

static void print_sizes(const struct cli_fit_data *data, const struct cli_fit_result *fit,
			const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	const struct ft_program program = cli_fit_program(data);
	const struct ft_tell_with with = {.program = &program, .unit = data->resource->unit};
	const struct cli_fit_group *group = &data->group[0];
	CLI_OWN struct cli_fit_prediction *told = cli_fit_predict_all(data, group, fit, sizes, style);

	putchar('\n');
	cli_tell_table(&cli_fit_predictions, told, sizes->n, &with);
	print_coverage(told, sizes->n, style);
	print_difference(data, group, told, sizes->n);
}

void cli_fit_print(const struct cli_fit_data *data, const struct cli_fit_result *fit,
		   const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	const struct ft_resource *resource = data->resource;
	char text[CLI_FIT_TEXT], *names;
	size_t count = fit->of.sizes;

	if (style->models) {
		cli_models_headline(style->models, stdout);
		cli_axes_print(style->models, &resource, 1, stdout);
		cli_print_evidence(resource, &data->facts, stdout);
	}
	names = cli_fit_names(data);
	printf("%s of %s, %zu runs at %zu size%s\n\n", data->resource->name, names, data->group[0].n, count,
	       count == 1 ? "" : "s");
	free(names);
	cli_fit_text(data, &fit->of.law, 4, text);
	printf("law     %s\n", text);
	if (fit->of.many || fit->of.kind != FT_LAW_LAWS) {
		print_misfit(fit);
		print_residual(data, fit);
	} else {
		print_laws(data, fit);
	}
	print_power(data, fit, style->confidence);
	if (fit->of.many)
		print_candidates(data, fit->of.multi.candidate, fit->of.multi.candidates);
	else if (fit->of.kind == FT_LAW_SIGNED)
		print_candidates(data, fit->of.sums.candidate, fit->of.sums.candidates);
	else if (fit->of.kind == FT_LAW_LAWS)
		print_classes(data, &fit->of.laws);
	if (sizes->n)
		print_sizes(data, fit, sizes, style);
}

/* ---- many groups, one a line -------------------------------------------------------------------------- */

void cli_fit_head(struct cli_table *table, const struct cli_fit_data *data, const struct cli_fit_sizes *sizes)
{
	(void)data;
	cli_table_heads(table, "group", ">runs", ">sizes", ">misses", NULL);
	if (sizes->n == 1) {
		cli_table_heads(table, ">value", ">lower", ">upper", NULL);
	}
	cli_table_heads(table, "class", "law", NULL);
}

void cli_fit_line(struct cli_table *table, const struct cli_fit_data *data, const struct cli_fit_group *group,
		  const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		  const struct cli_fit_style *style)
{
	const char *unit = data->resource->unit;
	struct ft_law_prediction said = {NAN, NAN, NAN, NAN, NAN, NAN};
	char text[CLI_FIT_TEXT];
	bool found = !fit->err.status;

	cli_table_add(table, "%s", group->name ? group->name : "");
	cli_table_add(table, "%zu", group->n);
	if (found)
		cli_table_add(table, "%zu", fit->of.sizes);
	else
		cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", found ? ft_share_format(fit->of.misfit, text) : "");
	if (sizes->n == 1) {
		if (found &&
		    ft_law_any_predict(&fit->of, sizes->x[0], style->confidence, style->of, &said, NULL))
			said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		add_value(table, said.value, unit);
		add_value(table, said.lower, unit);
		add_value(table, said.upper, unit);
	}
	text[0] = '\0';
	if (found && !fit->of.many && fit->of.kind == FT_LAW_LAWS)
		(void)ft_laws_words(&fit->of.laws, data->param[0], text, sizeof text);
	cli_table_add(table, "%s", text);
	if (found)
		cli_fit_text(data, &fit->of.law, 4, text);
	cli_table_add(table, "%s", found ? text : fit->err.text);
}
