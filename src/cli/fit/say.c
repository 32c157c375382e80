/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c - what foretime fit found: for people, as a line of a table, as JSON. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024, CLASSES_SHOWN = 8 };

const struct ft_law *cli_fit_law(const struct cli_fit_result *fit)
{
	if (fit->many)
		return &fit->multi.candidate[0].law;
	return fit->kind == FT_LAW_LAWS ? &fit->laws.law : &fit->named.law;
}

enum ft_status cli_fit_predict(const struct cli_fit_result *fit, const double *x,
			       const struct cli_fit_style *style, struct ft_law_prediction *out,
			       struct ft_err *err)
{
	if (fit->many)
		return ft_laws_predict_many(&fit->multi, x, style->confidence, style->of, out, err);
	if (fit->kind != FT_LAW_LAWS)
		return ft_law_named_predict(&fit->named, x[0], style->confidence, style->of, out, err);
	return ft_laws_predict(&fit->laws, x[0], style->confidence, style->of, out, err);
}

static void law_text(const struct cli_fit_data *data, const struct ft_law *law, int digits, char text[TEXT])
{
	const char *names[FT_LAW_PARAMS];
	size_t p;

	for (p = 0; p < FT_LAW_PARAMS; p++)
		names[p] = data->param[p];
	(void)ft_law_format(law, names, digits, text, TEXT);
}

static double misfit_of(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.misfit;
	return fit->kind == FT_LAW_LAWS ? fit->laws.misfit : fit->named.mean_error;
}

static double noise_of(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.noise;
	return fit->kind == FT_LAW_LAWS ? fit->laws.noise : fit->named.noise;
}

static size_t sizes_of(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.places;
	return fit->kind == FT_LAW_LAWS ? fit->laws.sizes : fit->named.sizes;
}

/* ---- for people ---------------------------------------------------------------------------------------- */

static void print_breaks(const struct cli_fit_data *data, const struct ft_laws *laws)
{
	char text[TEXT], after[FT_NUMBER_LENGTH], from[FT_NUMBER_LENGTH];
	size_t i;

	for (i = 0; i < laws->breaks; i++) {
		const struct ft_law_break *b = &laws->broken[i];

		law_text(data, &b->law, 3, text);
		printf("breaks  at %s = %s: up to %s it is %s\n", data->param[0],
		       ft_number_format(b->from, from), ft_number_format(b->after, after), text);
	}
}

static void print_misfit(const struct cli_fit_result *fit)
{
	char misfit[FT_UNIT_LENGTH], noise[FT_UNIT_LENGTH];

	if ((fit->many && fit->multi.exact) || (!fit->many && fit->kind == FT_LAW_LAWS && fit->laws.exact)) {
		puts("misses  nothing: it passes through all runs");
		return;
	}
	if (misfit_of(fit) < 1e-6 && isnan(noise_of(fit)))
		puts("misses  nothing: it passes through all runs");
	else if (misfit_of(fit) < 1e-6)
		printf("misses  nothing but the scatter of runs of one size, %s\n",
		       ft_share_format(noise_of(fit), noise));
	else if (!fit->many && fit->kind != FT_LAW_LAWS)
		printf("misses  the sizes by %s on average, %s at most\n",
		       ft_share_format(misfit_of(fit), misfit),
		       ft_share_format(fit->named.largest_error, noise));
	else if (isnan(noise_of(fit)))
		printf("misses  the sizes by %s\n", ft_share_format(misfit_of(fit), misfit));
	else
		printf("misses  the sizes by %s; runs of one size scatter by %s\n",
		       ft_share_format(misfit_of(fit), misfit), ft_share_format(noise_of(fit), noise));
}

static void print_laws(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	const struct ft_laws *laws = &fit->laws;
	char text[TEXT], least[FT_NUMBER_LENGTH];

	(void)ft_laws_words(laws, data->param[0], text, sizeof text);
	printf("class   %s\n", text);
	print_misfit(fit);
	if (laws->called)
		puts("terms   two: repetitions say that no law of one passes through the sizes");
	print_breaks(data, laws);
	if (laws->zeros)
		printf("zeros   below %s = %s it is 0\n", data->param[0],
		       ft_number_format(laws->least, least));
}

static void print_classes(const struct cli_fit_data *data, const struct ft_laws *laws)
{
	struct cli_table table = {0};
	char text[TEXT];
	size_t i;

	cli_table_heads(&table, "class", ">weight", NULL);
	for (i = 0; i < laws->kinds && i < CLASSES_SHOWN && laws->kind[i].weight >= 0.005; i++) {
		(void)ft_law_class_format(&laws->kind[i].factor, data->param[0], text, sizeof text);
		cli_table_add(&table, "%s", text);
		cli_table_add(&table, "%.2f", laws->kind[i].weight);
	}
	putchar('\n');
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void print_candidates(const struct cli_fit_data *data, const struct ft_laws_many *laws)
{
	struct cli_table table = {0};
	char text[TEXT];
	size_t i;

	cli_table_heads(&table, ">weight", "law", NULL);
	for (i = 0; i < laws->candidates && i < CLASSES_SHOWN && laws->candidate[i].weight >= 0.005; i++) {
		law_text(data, &laws->candidate[i].law, 3, text);
		cli_table_add(&table, "%.2f", laws->candidate[i].weight);
		cli_table_add(&table, "%s", text);
	}
	putchar('\n');
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void add_value(struct cli_table *table, double value, const char *unit)
{
	char text[FT_UNIT_LENGTH];

	cli_table_add(table, "%s", isnan(value) ? "unknown" : ft_value_format(value, unit, text));
}

static void print_sizes(const struct cli_fit_data *data, const struct cli_fit_result *fit,
			const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	const char *unit = cli_unit(data->resource);
	struct cli_table table = {0};
	char digits[FT_NUMBER_LENGTH];
	size_t i, p;

	for (p = 0; p < data->params; p++) {
		char *head = cli_printed(">%s", data->param[p]);

		cli_table_head(&table, head);
		free(head);
	}
	cli_table_heads(&table, ">value", ">lower", ">upper", ">wide lower", ">wide upper", NULL);
	for (i = 0; i < sizes->n; i++) {
		struct ft_law_prediction said;
		struct ft_err err = {0};

		for (p = 0; p < data->params; p++)
			cli_table_add(&table, "%s", ft_number_format(sizes->x[i][p], digits));
		if (cli_fit_predict(fit, sizes->x[i], style, &said, &err))
			said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		add_value(&table, said.value, unit);
		add_value(&table, said.lower, unit);
		add_value(&table, said.upper, unit);
		add_value(&table, said.wide_lower, unit);
		add_value(&table, said.wide_upper, unit);
	}
	putchar('\n');
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void print_promise(const struct cli_fit_result *fit, const struct cli_fit_style *style)
{
	char share[FT_UNIT_LENGTH];

	printf("%s of %s are expected between lower and upper%s\n", ft_share_format(style->confidence, share),
	       style->of == FT_LAW_RUN ? "single runs" : "such means",
	       fit->many || fit->kind != FT_LAW_LAWS ? ""
						     : ", where the law has no term more;\nbetween wide "
						       "lower and wide upper, where it may have one");
}

void cli_fit_print(const struct cli_fit_data *data, const struct cli_fit_result *fit,
		   const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	const char *resource = data->resource;
	char text[TEXT], *names;
	size_t count = sizes_of(fit);

	if (style->models) {
		cli_models_headline(style->models, stdout);
		cli_axes_print(style->models, &resource, 1, stdout);
	}
	names = cli_fit_names(data);
	printf("%s of %s, %zu runs at %zu size%s\n\n", data->resource, names, data->group[0].n, count,
	       count == 1 ? "" : "s");
	free(names);
	law_text(data, cli_fit_law(fit), 4, text);
	printf("law     %s\n", text);
	if (fit->many || fit->kind != FT_LAW_LAWS)
		print_misfit(fit);
	else
		print_laws(data, fit);
	if (fit->many)
		print_candidates(data, &fit->multi);
	else if (fit->kind == FT_LAW_LAWS)
		print_classes(data, &fit->laws);
	if (!sizes->n)
		return;
	print_sizes(data, fit, sizes, style);
	print_promise(fit, style);
}

/* ---- many groups, one a line -----------------------------------------------------------------------------
 */

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
	const char *unit = cli_unit(data->resource);
	struct ft_law_prediction said = {NAN, NAN, NAN, NAN, NAN, NAN};
	struct ft_err err = {0};
	char text[TEXT];
	bool found = !fit->err.status;

	cli_table_add(table, "%s", group->name ? group->name : "");
	cli_table_add(table, "%zu", group->n);
	if (found)
		cli_table_add(table, "%zu", sizes_of(fit));
	else
		cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", found ? ft_share_format(misfit_of(fit), text) : "");
	if (sizes->n == 1) {
		if (found && cli_fit_predict(fit, sizes->x[0], style, &said, &err))
			said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		add_value(table, said.value, unit);
		add_value(table, said.lower, unit);
		add_value(table, said.upper, unit);
	}
	text[0] = '\0';
	if (found && !fit->many && fit->kind == FT_LAW_LAWS)
		(void)ft_laws_words(&fit->laws, data->param[0], text, sizeof text);
	cli_table_add(table, "%s", text);
	if (found)
		law_text(data, cli_fit_law(fit), 4, text);
	cli_table_add(table, "%s", found ? text : fit->err.text);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static json_t *json_of_law(const struct cli_fit_data *data, const struct ft_law *law)
{
	char text[TEXT];

	law_text(data, law, 17, text);
	return cli_json_text(text);
}

static json_t *json_of_classes(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	json_t *array = cli_json_array();
	char text[TEXT];
	size_t i;

	for (i = 0; !fit->many && fit->kind == FT_LAW_LAWS && i < fit->laws.kinds; i++) {
		const struct ft_law_class *kind = &fit->laws.kind[i];
		json_t *object = cli_json_object();

		(void)ft_law_class_format(&kind->factor, data->param[0], text, sizeof text);
		cli_json_set(object, "class", cli_json_text(text));
		cli_json_set(object, "power", cli_json_number(kind->factor.power));
		cli_json_set(object, "log", cli_json_number(kind->factor.log));
		cli_json_set(object, "weight", cli_json_number(kind->weight));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_candidates(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; fit->many && i < fit->multi.candidates; i++) {
		json_t *object = cli_json_object();

		cli_json_set(object, "law", json_of_law(data, &fit->multi.candidate[i].law));
		cli_json_set(object, "weight", cli_json_number(fit->multi.candidate[i].weight));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_breaks(const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; !fit->many && fit->kind == FT_LAW_LAWS && i < fit->laws.breaks; i++) {
		const struct ft_law_break *b = &fit->laws.broken[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "after", cli_json_number(b->after));
		cli_json_set(object, "from", cli_json_number(b->from));
		cli_json_set(object, "law", json_of_law(data, &b->law));
		cli_json_set(object, "error", cli_json_number(b->error));
		cli_json_set(object, "evidence", cli_json_number(b->evidence));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_predictions(const struct cli_fit_data *data, const struct cli_fit_result *fit,
				   const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	json_t *array = cli_json_array();
	size_t i, p;

	for (i = 0; i < sizes->n; i++) {
		json_t *object = cli_json_object();
		struct ft_law_prediction said;
		struct ft_err err = {0};

		if (cli_fit_predict(fit, sizes->x[i], style, &said, &err))
			said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		for (p = 0; p < data->params; p++)
			cli_json_set(object, data->param[p], cli_json_number(sizes->x[i][p]));
		cli_json_set(object, "value", cli_json_number(said.value));
		cli_json_set(object, "median", cli_json_number(said.median));
		cli_json_set(object, "lower", cli_json_number(said.lower));
		cli_json_set(object, "upper", cli_json_number(said.upper));
		cli_json_set(object, "wide_lower", cli_json_number(said.wide_lower));
		cli_json_set(object, "wide_upper", cli_json_number(said.wide_upper));
		cli_json_append(array, object);
	}
	return array;
}

json_t *cli_fit_json(const struct cli_fit_data *data, const struct cli_fit_group *group,
		     const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		     const struct cli_fit_style *style)
{
	bool found = !fit->err.status, weighed = found && !fit->many && fit->kind == FT_LAW_LAWS;
	const struct cli_fit_sizes none = {0};
	const struct cli_fit_result nothing = {.many = true};
	json_t *object = cli_json_object();
	char words[TEXT] = "";

	if (weighed)
		(void)ft_laws_words(&fit->laws, data->param[0], words, sizeof words);
	cli_json_set(object, "group", cli_json_text(group->name));
	cli_json_set(object, "runs", cli_json_number((double)group->n));
	cli_json_set(object, "sizes", cli_json_number(found ? (double)sizes_of(fit) : (double)NAN));
	cli_json_set(object, "error", cli_json_text(found ? NULL : fit->err.text));
	cli_json_set(object, "law", found ? json_of_law(data, cli_fit_law(fit)) : json_null());
	cli_json_set(object, "words", cli_json_text(weighed ? words : NULL));
	cli_json_set(object, "terms", cli_json_number(found ? (double)cli_fit_law(fit)->terms : (double)NAN));
	cli_json_set(object, "called", cli_json_bool(weighed && fit->laws.called));
	cli_json_set(object, "exact",
		     cli_json_bool((weighed && fit->laws.exact) || (found && fit->many && fit->multi.exact)));
	cli_json_set(object, "misfit", cli_json_number(found ? misfit_of(fit) : (double)NAN));
	cli_json_set(object, "noise", cli_json_number(found ? noise_of(fit) : (double)NAN));
	cli_json_set(object, "residual",
		     cli_json_number(found && !weighed && !fit->many ? fit->named.residual : (double)NAN));
	cli_json_set(object, "classes", json_of_classes(data, found ? fit : &nothing));
	cli_json_set(object, "candidates", json_of_candidates(data, found ? fit : &nothing));
	cli_json_set(object, "breaks", json_of_breaks(data, found ? fit : &nothing));
	cli_json_set(object, "predictions", json_of_predictions(data, fit, found ? sizes : &none, style));
	return object;
}
