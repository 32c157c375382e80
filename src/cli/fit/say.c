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

double cli_fit_misfit(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.misfit;
	return fit->kind == FT_LAW_LAWS ? fit->laws.misfit : fit->named.mean_error;
}

double cli_fit_noise(const struct cli_fit_result *fit)
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
	if (cli_fit_misfit(fit) < 1e-6 && isnan(cli_fit_noise(fit)))
		puts("misses  nothing: it passes through all runs");
	else if (cli_fit_misfit(fit) < 1e-6)
		printf("misses  nothing but the scatter of runs of one size, %s\n",
		       ft_share_format(cli_fit_noise(fit), noise));
	else if (!fit->many && fit->kind != FT_LAW_LAWS)
		printf("misses  the sizes by %s on average, %s at most\n",
		       ft_share_format(cli_fit_misfit(fit), misfit),
		       ft_share_format(fit->named.largest_error, noise));
	else if (isnan(cli_fit_noise(fit)))
		printf("misses  the sizes by %s\n", ft_share_format(cli_fit_misfit(fit), misfit));
	else
		printf("misses  the sizes by %s; runs of one size scatter by %s\n",
		       ft_share_format(cli_fit_misfit(fit), misfit),
		       ft_share_format(cli_fit_noise(fit), noise));
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

/* What the law says of a size. */
struct prediction {
	struct ft_size size;
	struct ft_law_prediction said;
};

#define PREDICTION struct prediction
static const struct ft_tell_row prediction_rows[] = {
	{FT_TELL_AS(NULL, PREDICTION, size)},
	{FT_TELL_AS("value", PREDICTION, said.value), .null = "it says nothing there", .head = ">value",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("median", PREDICTION, said.median), .about = "of the belief", .null = ""},
	{FT_TELL_AS("lower", PREDICTION, said.lower), .null = "no interval", .head = ">lower", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("upper", PREDICTION, said.upper), .null = "no interval", .head = ">upper", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("wide_lower", PREDICTION, said.wide_lower),
	 .about = "holds the confidence also where the law may have one term more", .null = "no interval",
	 .head = ">wide lower", .unit = "", .none = "unknown"},
	{FT_TELL_AS("wide_upper", PREDICTION, said.wide_upper), .null = "no interval", .head = ">wide upper",
	 .unit = "", .none = "unknown"},
	{0},
};
static const struct ft_tell_record predictions = {.bytes = sizeof(PREDICTION), .row = prediction_rows};

/* Of all sizes; ends with free. */
static PREDICTION *predict(const struct cli_fit_data *data, const struct cli_fit_result *fit,
			   const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	PREDICTION *told = cli_alloc(sizes->n * sizeof *told);
	size_t i, p;

	for (i = 0; i < sizes->n; i++) {
		struct ft_err err = {0};

		told[i].size.n = data->params;
		for (p = 0; p < data->params; p++)
			told[i].size.value[p] = sizes->x[i][p];
		if (cli_fit_predict(fit, sizes->x[i], style, &told[i].said, &err))
			told[i].said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
	}
	return told;
}

/* A program of these parameters. */
static struct ft_program named(const struct cli_fit_data *data)
{
	struct ft_program program = {.n_params = data->params};
	size_t p;

	for (p = 0; p < data->params; p++)
		memcpy(program.param[p].name, data->param[p], sizeof data->param[p]);
	return program;
}

static void print_sizes(const struct cli_fit_data *data, const struct cli_fit_result *fit,
			const struct cli_fit_sizes *sizes, const struct cli_fit_style *style)
{
	const struct ft_program program = named(data);
	const struct ft_tell_with with = {.program = &program, .unit = cli_unit(data->resource)};
	PREDICTION *told = predict(data, fit, sizes, style);
	struct cli_table table = {0};

	cli_table_tell(&table, &predictions, told, sizes->n, &with);
	putchar('\n');
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	free(told);
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
	cli_table_add(table, "%s", found ? ft_share_format(cli_fit_misfit(fit), text) : "");
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

struct class
{
	char text[TEXT];
	struct ft_law_factor factor;
	double weight;
};

#define CLASS struct class
static const struct ft_tell_row class_rows[] = {
	{FT_TELL_AS("class", CLASS, text)},
	{FT_TELL_AS("power", CLASS, factor.power), .about = "of n"},
	{FT_TELL_AS("log", CLASS, factor.log), .about = "the power of log2 n"},
	{FT_TELL_AS("rate", CLASS, factor.rate), .about = "how often it doubles while n grows by 1"},
	{FT_TELL_AS("factorial", CLASS, factor.factorial), .about = "the power of n!"},
	{FT_TELL(CLASS, weight),
	 .about = "how much of the belief it has; all sum to 1 but for those under 0.0005"},
	{0},
};
static const struct ft_tell_record classes = {.bytes = sizeof(CLASS), .row = class_rows};

struct candidate {
	char law[TEXT];
	double weight;
};

static const struct ft_tell_row candidate_rows[] = {
	{FT_TELL(struct candidate, law)},
	{FT_TELL(struct candidate, weight)},
	{0},
};
static const struct ft_tell_record candidates = {.bytes = sizeof(struct candidate), .row = candidate_rows};

struct broken {
	struct ft_law_break at;
	char law[TEXT];
};

static const struct ft_tell_row broken_rows[] = {
	{FT_TELL_AS("after", struct broken, at.after), .about = "the last size of the law before"},
	{FT_TELL_AS("from", struct broken, at.from), .about = "the first size of the next one"},
	{FT_TELL(struct broken, law), .about = "the one before"},
	{FT_TELL_AS("error", struct broken, at.error), .about = "its relative error, one standard deviation"},
	{FT_TELL_AS("evidence", struct broken, at.evidence),
	 .about = "ln of how much likelier the runs are with all breaks than with none"},
	{0},
};
static const struct ft_tell_record breaks = {.bytes = sizeof(struct broken), .row = broken_rows};

struct told {
	const char *group, *error;
	char law[TEXT], words[TEXT]; /* "": none */
	size_t runs, n_classes, n_candidates, n_breaks, n_predictions;
	double sizes, terms, misfit, noise, residual; /* NaN: none */
	bool called, exact;
	CLASS *class;
	struct candidate *candidate;
	struct broken *broken;
	PREDICTION *prediction;
};

#define TOLD struct told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, group), .about = "the value of the column --by", .null = "without it"},
	{FT_TELL(TOLD, runs)},
	{FT_TELL(TOLD, sizes), .whole = true, .null = "there is no law"},
	{FT_TELL(TOLD, error), .about = "why there is no law", .null = "there is one"},
	{FT_TELL(TOLD, law), .about = "an expression of the parameters, in SI units; 17 digits",
	 .null = "there is none"},
	{FT_TELL(TOLD, words), .about = "the class with its evidence",
	 .null = "of power, polylog, several parameters"},
	{FT_TELL(TOLD, terms), .whole = true, .about = "of the law, besides the constant",
	 .null = "there is none"},
	{FT_TELL(TOLD, called), .about = "more than one term because the runs call for it"},
	{FT_TELL(TOLD, exact), .about = "it passes through all runs"},
	{FT_TELL(TOLD, misfit),
	 .about = "how far the means of the sizes are from the law: root mean square, relative; of power and "
		  "polylog "
		  "the mean of the relative errors",
	 .null = "there is no law"},
	{FT_TELL(TOLD, noise), .about = "relative standard deviation of runs of one size",
	 .null = "no size has two"},
	{FT_TELL(TOLD, residual),
	 .about = "of power and polylog: root of the sum of squares (002 appendix .1, eq. 6)",
	 .null = "of others"},
	{FT_TELL_MANY(LIST, "classes", TOLD, class, n_classes, &classes),
	 .about = "of laws of one parameter, the heaviest first"},
	{FT_TELL_MANY(LIST, "candidates", TOLD, candidate, n_candidates, &candidates),
	 .about = "of laws of several parameters, the heaviest first"},
	{FT_TELL_MANY(LIST, "breaks", TOLD, broken, n_breaks, &breaks),
	 .about = "`law` is that of the sizes from the last break on"},
	{FT_TELL_MANY(LIST, "predictions", TOLD, prediction, n_predictions, &predictions)},
	{0},
};
const struct ft_tell_record cli_fit_group_told = {.bytes = sizeof(TOLD), .row = rows};

static void tell_classes(TOLD *told, const struct cli_fit_data *data, const struct ft_laws *laws)
{
	size_t i;

	(void)ft_laws_words(laws, data->param[0], told->words, sizeof told->words);
	told->called = laws->called;
	told->exact = laws->exact;
	told->class = cli_alloc(laws->kinds * sizeof *told->class);
	for (i = 0; i < laws->kinds; i++) {
		const struct ft_law_class *kind = &laws->kind[i];
		CLASS *one = &told->class[told->n_classes++];

		(void)ft_law_class_format(&kind->factor, data->param[0], one->text, sizeof one->text);
		one->factor = kind->factor;
		one->weight = kind->weight;
	}
	told->broken = cli_alloc(laws->breaks * sizeof *told->broken);
	for (i = 0; i < laws->breaks; i++) {
		told->broken[i].at = laws->broken[i];
		law_text(data, &laws->broken[i].law, 17, told->broken[i].law);
	}
	told->n_breaks = laws->breaks;
}

static void tell_candidates(TOLD *told, const struct cli_fit_data *data, const struct ft_laws_many *laws)
{
	size_t i;

	told->exact = laws->exact;
	told->candidate = cli_alloc(laws->candidates * sizeof *told->candidate);
	for (i = 0; i < laws->candidates; i++) {
		law_text(data, &laws->candidate[i].law, 17, told->candidate[i].law);
		told->candidate[i].weight = laws->candidate[i].weight;
	}
	told->n_candidates = laws->candidates;
}

static void tell_law(TOLD *told, const struct cli_fit_data *data, const struct cli_fit_result *fit)
{
	law_text(data, cli_fit_law(fit), 17, told->law);
	told->sizes = (double)sizes_of(fit);
	told->terms = (double)cli_fit_law(fit)->terms;
	told->misfit = cli_fit_misfit(fit);
	told->noise = cli_fit_noise(fit);
	if (fit->many)
		tell_candidates(told, data, &fit->multi);
	else if (fit->kind == FT_LAW_LAWS)
		tell_classes(told, data, &fit->laws);
	else
		told->residual = fit->named.residual;
}

json_t *cli_fit_json(const struct cli_fit_data *data, const struct cli_fit_group *group,
		     const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		     const struct cli_fit_style *style)
{
	const struct ft_program program = named(data);
	const struct ft_tell_with with = {.program = &program};
	TOLD told = {.group = group->name,
		     .runs = group->n,
		     .sizes = NAN,
		     .terms = NAN,
		     .misfit = NAN,
		     .noise = NAN,
		     .residual = NAN};
	json_t *object;

	if (fit->err.status) {
		told.error = fit->err.text;
	} else {
		tell_law(&told, data, fit);
		told.prediction = predict(data, fit, sizes, style);
		told.n_predictions = sizes->n;
	}
	object = cli_tell_json(&cli_fit_group_told, &told, &with);
	free(told.class);
	free(told.candidate);
	free(told.broken);
	free(told.prediction);
	return object;
}
