/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - prints the laws that runs follow, of a stored program or of a table. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CLASSES_SHOWN = 8 };

struct fit_question {
	struct ft_query query;
	const char *store_path, *by;
	bool json, verbose, manager;
	struct cli_models models;
	struct ft_fit fit;
};

/* ---- a table ------------------------------------------------------------------------------------------- */

static bool is_table(const char *word)
{
	return !strcmp(word, "-") || ft_word_ends(word, ".csv") || ft_word_ends(word, ".tsv") ||
	       ft_word_ends(word, ".txt") || ft_word_ends(word, ".gz");
}

/* name: a column that the sentence is about; NULL: none in particular. */
static int complain(const struct ft_csv *csv, const char *path, const char *what, const char *name)
{
	CLI_OWN char *list = cli_strdup("");

	for (size_t i = 0; i < ft_csv_columns(csv); i++)
		cli_reprint(&list, "%s%s%s", list, i ? ", " : "", ft_csv_column_name(csv, i));
	return cli_fail("'%s': %s%s%s%s\nhint: its columns are %s", path, what, name ? " '" : "",
			name ? name : "", name ? "'" : "", list);
}

/* A parameter of the laws, by the name of its column. */
static int add_param(struct ft_fit *fit, size_t column[FT_LAW_PARAMS], const struct ft_csv *csv,
		     const char *path, const char *name, size_t length)
{
	struct ft_program *program = &fit->program;
	char text[FT_PARAM_LENGTH];

	if (length >= sizeof text)
		return cli_fail("the name '%.*s' is too long", (int)length, name);
	(void)snprintf(text, sizeof text, "%.*s", (int)length, name);
	if (ft_program_find_param(program, text) >= 0)
		return CLI_DONE;
	if (program->n_params == FT_LAW_PARAMS)
		return cli_fail("more than %d parameters", FT_LAW_PARAMS);
	int found = ft_csv_column(csv, text);
	if (found < 0)
		return complain(csv, path, "there is no column", text);
	column[program->n_params] = (size_t)found;
	memcpy(program->param[program->n_params++].name, text, sizeof text);
	return CLI_DONE;
}

/* The parameters that the words name; else n; else the only column left. */
static int find_params(struct ft_fit *fit, size_t column[FT_LAW_PARAMS], const struct ft_csv *csv,
		       const struct cli_words *words, int by, int value)
{
	static const char special[] = "work|outcome|warmup|cost_s|started";
	const char *path = words->word[0], *only = NULL;
	size_t left = 0;

	for (size_t i = 1; i < words->n; i++)
		CLI_TRY(add_param(fit, column, csv, path, words->word[i], strcspn(words->word[i], "=")));
	if (fit->program.n_params)
		return CLI_DONE;
	if (ft_csv_column(csv, "n") >= 0)
		return add_param(fit, column, csv, path, "n", 1);
	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		const char *name = ft_csv_column_name(csv, i);

		if ((int)i == by || (int)i == value || ft_word_at(special, name) != SIZE_MAX ||
		    ft_resource_find(name))
			continue;
		only = name;
		left++;
	}
	if (left == 1)
		return add_param(fit, column, csv, path, only, strlen(only));
	return complain(csv, path, "which column has the sizes? name it behind the file", NULL);
}

static int find_value(const struct ft_csv *csv, const char *path, const char *resource, int by, int *value)
{
	const struct ft_resource *each;

	*value = -1;
	if (resource) {
		*value = ft_csv_column(csv, resource);
		return *value >= 0 ? CLI_DONE : complain(csv, path, "there is no column", resource);
	}
	for (size_t i = 0; (each = ft_resource_get(i)) && *value < 0; i++)
		*value = ft_csv_column(csv, each->name);
	if (*value < 0 && ft_csv_columns(csv) == (by >= 0 ? 3u : 2u))
		*value = (int)ft_csv_columns(csv) - 1; /* size, value */
	if (*value >= 0 && *value != by)
		return CLI_DONE;
	return complain(csv, path, "which column has the values? name it with --resource", NULL);
}

static int read_table(struct ft_fit *fit, const struct ft_csv *csv, const struct cli_words *words,
		      const char *by_name)
{
	const char *path = words->word[0];
	const int by = by_name ? ft_csv_column(csv, by_name) : -1, outcome = ft_csv_column(csv, "outcome"),
		  warmup = ft_csv_column(csv, "warmup");
	size_t column[FT_LAW_PARAMS] = {0};
	struct ft_err err = {0};
	int value;

	if (by_name && by < 0)
		return complain(csv, path, "there is no column", by_name);
	CLI_TRY(find_value(csv, path, fit->query->resource, by, &value));
	CLI_TRY(find_params(fit, column, csv, words, by, value));
	const char *name = ft_csv_column_name(csv, (size_t)value);
	fit->resource = ft_resource_find(name);
	if (!fit->resource) {
		fit->column = (struct ft_resource){.name = cli_given(ft_arena_text(&fit->memory, name)),
						   .unit = "",
						   .words = "",
						   .of = FT_CLASS_COUNT};
		fit->resource = &fit->column;
	}
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		const char *ended = outcome >= 0 ? ft_csv_cell(csv, row, (size_t)outcome) : "",
			   *warm = warmup >= 0 ? ft_csv_cell(csv, row, (size_t)warmup) : "";
		struct ft_law_place sample = {0};

		/* A run counts that ended well, is no warm-up, and has a value. */
		if ((*ended && strcmp(ended, "done") != 0) || !strcmp(warm, "1"))
			continue;
		if (ft_csv_number(csv, row, (size_t)value, true, &sample.value, &err))
			return cli_error(&err);
		if (isnan(sample.value))
			continue;
		for (size_t p = 0; p < fit->program.n_params; p++)
			if (ft_csv_number(csv, row, column[p], false, &sample.x[p], &err))
				return cli_error(&err);
		if (sample.value < 0 && fit->query->class != FT_LAW_SIGNED)
			return cli_fail("%s:%zu: a value of %g is negative: laws are of costs\n"
					"hint: --class signed is of values and terms of either sign",
					path, ft_csv_line(csv, row), sample.value);
		if (ft_fit_add(fit, by < 0 ? NULL : ft_csv_cell(csv, row, (size_t)by), &sample, &err))
			return cli_error(&err);
	}
	return fit->n ? CLI_DONE : cli_fail("'%s' has no row with a value of %s", path, fit->resource->name);
}

static int read_file(struct ft_fit *fit, const struct cli_words *words, const char *by)
{
	struct ft_csv *csv;
	struct ft_err err = {0};

	fit->source = words->word[0];
	if (ft_csv_read(words->word[0], 0, &csv, &err))
		return cli_error(&err);
	int status = read_table(fit, csv, words, by);
	ft_csv_free(csv);
	return status;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* "doubling n: 8x as long", where the samples end. */
static char *meaning_of(const struct ft_fit *fit, const double most[FT_LAW_PARAMS])
{
	const double value = ft_law_value(&fit->found->law, most);
	char *text = cli_strdup("");

	for (size_t p = 0; p < fit->program.n_params; p++) {
		double twice[FT_LAW_PARAMS];

		memcpy(twice, most, sizeof twice);
		twice[p] *= 2;
		const double ratio = ft_law_value(&fit->found->law, twice) / value;
		if (isfinite(ratio) && ratio > 0)
			cli_reprint(&text, "%s%sdoubling %s: %.3gx", text, *text ? ", " : "",
				    fit->program.param[p].name, ratio);
	}
	if (*text)
		cli_reprint(&text, "%s as %s", text, strcmp(fit->resource->unit, "s") ? "much" : "long");
	return text;
}

/* "n = 100 .. 1000, m = 2 .. 64" */
static char *range_of(const struct ft_fit *fit, double least[FT_LAW_PARAMS], double most[FT_LAW_PARAMS])
{
	const struct ft_fit_group *group = &fit->group[0];
	char *text = cli_strdup(""), number[2][FT_NUMBER_LENGTH];

	for (size_t p = 0; p < fit->program.n_params; p++) {
		least[p] = INFINITY;
		most[p] = -INFINITY;
		for (size_t i = 0; i < group->n; i++) {
			least[p] = fmin(least[p], group->sample[i].x[p]);
			most[p] = fmax(most[p], group->sample[i].x[p]);
		}
		cli_reprint(&text, "%s%s%s = %s .. %s", text, p ? ", " : "", fit->program.param[p].name,
			    ft_number_format(least[p], number[0]), ft_number_format(most[p], number[1]));
	}
	return text;
}

/* The misfit of the law over sizes, and the variation of runs at one size. */
static char *accuracy_of(const struct ft_fit_law *law)
{
	char misfit[FT_UNIT_LENGTH], noise[FT_UNIT_LENGTH];
	char *text = law->misfit < 1e-6 ? cli_strdup("exact")
					: cli_printed("accuracy %s", ft_share_format(law->misfit, misfit));

	if (!isnan(law->noise) && !law->exact)
		cli_reprint(&text, "%s, noise %s", text, ft_share_format(law->noise, noise));
	return text;
}

/* All that is known of the law itself. */
static void print_details(struct fit_question *q, const struct ft_fit_law *law)
{
	const struct ft_law_any *found = q->fit.found;
	const char *name = q->fit.program.param[0].name;
	char text[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH], number[2][FT_NUMBER_LENGTH];

	if (!found->many && (found->kind == FT_LAW_POWER || found->kind == FT_LAW_POLYLOG) &&
	    law->misfit >= 1e-6)
		printf("errors  %s on average, %s at most\n", ft_share_format(law->misfit, text),
		       ft_share_format(found->named.largest_error, most));
	/* As document 002 prints it; for power laws it is the misfit of logarithms. */
	if (law->misfit >= 1e-6)
		printf("leaves  R = %s over the sizes, the root of the sum of squares",
		       ft_value_format(law->residual, q->fit.resource->unit, text));
	if (law->misfit >= 1e-6 && !isnan(law->residual_ln))
		printf("; of logarithms %.4g", law->residual_ln);
	fputs(law->misfit >= 1e-6 ? "\n" : "", stdout);
	if (law->called)
		puts("terms   two: by the noise of single sizes no law of one term passes through them");
	if (law->words && found->laws.zeros)
		printf("zeros   below %s = %s it is 0\n", name,
		       ft_number_format(found->laws.least, number[0]));
	if (!isnan(law->power.value))
		printf("power   %.5g of %s", law->power.value, name);
	if (!isnan(law->power.value) && law->power.upper - law->power.lower >= 1e-9)
		printf("; with %s confidence between %.5g and %.5g",
		       ft_share_format(q->query.confidence, text), law->power.lower, law->power.upper);
	fputs(isnan(law->power.value) ? "" : "\n", stdout);
	if (law->n_classes || law->n_candidates) {
		struct cli_table table = {0};

		cli_table_heads(&table, law->n_classes ? "class" : "law", ">weight", NULL);
		for (size_t i = 0; i < law->n_classes && i < CLASSES_SHOWN && law->class[i].weight >= 0.005;
		     i++) {
			cli_table_add(&table, "%s", law->class[i].text);
			cli_table_add(&table, "%.2f", law->class[i].weight);
		}
		const struct ft_law_candidate *candidate =
			found->many ? found->multi.candidate : found->sums.candidate;
		for (size_t i = 0; i < law->n_candidates && i < CLASSES_SHOWN && candidate[i].weight >= 0.005;
		     i++) {
			cli_table_add(&table, "%s", ft_fit_text(&q->fit, &candidate[i].law, 3));
			cli_table_add(&table, "%.2f", candidate[i].weight);
		}
		putchar('\n');
		cli_table_print(&table, stdout);
	}
}

static bool differs(double a, double b)
{
	return a > 0 && b > 0 ? fabs(log(a / b)) > 0.1 : a < b || a > b;
}

/* Why the interval of predict is another one than that of the law, outside the range of the samples; the
 * first reason of these counts. */
static void print_difference(const struct ft_fit *fit, const struct ft_fit_law *answer, const double *least,
			     const double *most)
{
	static const char *const why[] = {
		"predict is for costs, which are never negative",
		"predict uses the law that was stated for the program",
		("the interval of the law assumes that the law continues;\npredict also allows for growth "
		 "that changes"),
		"predict gives more weight to the runs of the largest sizes than the law does",
		NULL,
	};
	CLI_OWN char *sides = cli_strdup("");
	size_t reason = 4;

	for (size_t i = 0; i < answer->n_predictions; i++) {
		const struct ft_law_prediction *law = &answer->prediction[i].law;
		const struct ft_prediction *model = &answer->prediction[i].model;
		const bool upper = differs(law->upper, model->upper),
			   lower = differs(law->lower, model->lower);
		bool outside = false;

		if (!upper && !lower && !differs(law->value, model->value))
			continue;
		for (size_t p = 0; p < fit->program.n_params; p++) {
			const double x = answer->prediction[i].size.value[p];
			char number[FT_NUMBER_LENGTH];

			if (x >= least[p] && x <= most[p])
				continue;
			outside = true;
			CLI_OWN char *side =
				cli_printed("%s %s %s", fit->program.param[p].name, x > most[p] ? ">" : "<",
					    ft_number_format(x > most[p] ? most[p] : least[p], number));
			if (!strstr(sides, side))
				cli_reprint(&sides, "%s%s%s", sides, *sides ? ", " : "", side);
		}
		const size_t here =
			law->lower < 0                                                                 ? 0
			: model->level == FT_LEVEL_LAW                                                 ? 1
			: (upper && model->upper > law->upper) || (lower && model->lower < law->lower) ? 2
												       : 3;
		reason = outside && here < reason ? here : reason;
	}
	if (why[reason])
		printf("they differ at %s: %s\n", sides, why[reason]);
}

static void print_law(struct fit_question *q, const struct ft_fit_law *law)
{
	struct ft_fit *fit = &q->fit;
	const struct ft_resource *resource = fit->resource;
	double least[FT_LAW_PARAMS] = {0}, most[FT_LAW_PARAMS] = {0};
	CLI_OWN char *range = range_of(fit, least, most), *meaning = meaning_of(fit, most),
		     *accuracy = accuracy_of(law);
	char number[2][FT_NUMBER_LENGTH], share[FT_UNIT_LENGTH];

	if (q->verbose && fit->answerer)
		cli_models_headline(&q->models, stdout);
	if (fit->answerer)
		cli_axes_print(&q->models, &resource, 1, stdout);
	if (q->verbose && fit->answerer) {
		cli_print_evidence(resource, &fit->facts, stdout);
	} else if (fit->facts.limits.runs) {
		CLI_OWN char *limits = cli_given(ft_tell_limits_text(&fit->facts, resource->unit));

		printf("%s: %s\n", resource->name, limits);
	}
	printf("law     %s%s%s%s = %s\n", resource->name, *resource->unit ? " [" : "", resource->unit,
	       *resource->unit ? "]" : "", ft_fit_text(fit, &fit->found->law, 4));
	if (law->words || *meaning)
		printf("class   %s%s%s\n", law->words ? law->words : "", law->words && *meaning ? "; " : "",
		       meaning);
	for (size_t i = 0; i < law->n_breaks; i++)
		printf("breaks  at %s = %s: up to %s it is %s\n", fit->program.param[0].name,
		       ft_number_format(law->broken[i].at.from, number[0]),
		       ft_number_format(law->broken[i].at.after, number[1]),
		       ft_fit_text(fit, &law->broken[i].at.law, 3));
	printf("holds   %s: %s, %.0f sizes, %zu runs\n", range, accuracy, law->sizes, law->runs);
	if (q->verbose)
		print_details(q, law);
	if (!law->n_predictions)
		return;
	putchar('\n');
	cli_tell_table(&ft_fit_predictions, law->prediction, law->n_predictions,
		       &(struct ft_tell_with){.program = &fit->program, .unit = resource->unit});
	printf("%s of %s lie between lower and upper\n", ft_share_format(q->query.confidence, share),
	       q->query.mean ? "means" : "runs");
	print_difference(fit, law, least, most);
}

/* One of many groups: a line. */
static void add_group(struct cli_table *table, struct fit_question *q, const struct ft_fit_law *law)
{
	const struct ft_law_prediction none = {.value = NAN, .lower = NAN, .upper = NAN},
				       *at = law->n_predictions ? &law->prediction[0].law : &none;
	const double value[] = {at->value, at->lower, at->upper};
	char text[FT_UNIT_LENGTH];

	if (!table->columns) {
		cli_table_heads(table, "group", ">runs", ">sizes", ">accuracy", NULL);
		if (q->fit.n_x == 1)
			cli_table_heads(table, ">value", ">lower", ">upper", NULL);
		cli_table_heads(table, "class", "law", NULL);
	}
	cli_table_add(table, "%s", law->group ? law->group : "");
	cli_table_add(table, "%zu", law->runs);
	if (law->error)
		cli_table_add(table, "%s", "");
	else
		cli_table_add(table, "%.0f", law->sizes);
	cli_table_add(table, "%s", law->error ? "" : ft_share_format(law->misfit, text));
	for (size_t i = 0; i < 3 && q->fit.n_x == 1; i++)
		cli_table_add(table, "%s",
			      isnan(value[i]) ? "unknown"
					      : ft_value_format(value[i], q->fit.resource->unit, text));
	cli_table_add(table, "%s", law->words ? law->words : "");
	cli_table_add(table, "%s", law->error ? law->error : ft_fit_text(&q->fit, &q->fit.found->law, 4));
}

/* ---- the command --------------------------------------------------------------------------------------- */

static int fit_laws(struct fit_question *q, const struct cli_words *words)
{
	struct ft_fit *fit = &q->fit;
	struct ft_err err = {0};

	if (!cli_names_program(words))
		return cli_word_missing(words, 0);
	fit->query = &q->query;
	fit->prior = cli_prior(NULL);
	if (is_table(words->word[0])) {
		CLI_TRY(read_file(fit, words, q->by));
	} else {
		if (q->by)
			return cli_fail("--by is for tables; '%s' is a program", words->word[0]);
		for (size_t i = 1; i < words->n; i++)
			if (!strchr(words->word[i], '='))
				return cli_size_refuse(words->word[i], "n");
		CLI_TRY(cli_models_open(&q->models, q->store_path, words->word[0], q->query.device,
					q->query.machine));
		if (ft_fit_runs(fit, q->models.answerer, &err))
			return cli_error(&err);
	}
	/* Words without '=' name parameters of a table alone. */
	for (size_t i = 1; i < words->n; i++) {
		char *equals = strchr(words->word[i], '=');

		if (!equals)
			continue;
		cli_list_note(words->word[i]);
		*equals = '\0';
		if (ft_query_take(&ft_question_fit, &q->query, words->word[i], equals + 1, &err))
			return cli_error(&err);
	}
	if (ft_fit_sizes(fit, &err))
		return cli_error(&err);
	struct ft_fit_law *law = cli_given(ft_arena_take(&fit->memory, fit->n, sizeof *law));
	struct cli_table table = {0};
	size_t found = 0;
	for (size_t i = 0; i < fit->n; i++) {
		if (ft_fit_find(fit, i, &law[i], &err))
			return cli_error(&err);
		found += !law[i].error;
		if (q->by && !q->json)
			add_group(&table, q, &law[i]);
		else if (!q->json && !law[i].error)
			print_law(q, &law[i]);
	}
	if (q->by && !q->json)
		cli_table_print(&table, stdout);
	const int status = found ? CLI_DONE : q->by ? CLI_NO : cli_error(&law[0].why);
	json_t *object;
	if (q->json && ft_fit_answer(fit, law, &object, &err))
		return cli_error(&err);
	if (q->json)
		cli_json_print(object, stdout);
	return status;
}

static int run_fit(const struct cli_command *command, int argc, char **argv)
{
	struct fit_question q = {.query = ft_query_usual};
	const struct ft_field options[] = {
		CLI_QUESTION(ft_question_fit, q.query),
		{0, "by", FT_FIELD_TEXT, &q.by, "COLUMN", "of a table: a law for each value of that column"},
		CLI_MANAGER_OPTION(q.manager),
		CLI_VERBOSE(q.verbose),
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
		CLI_QUESTION_REST(ft_question_fit, q.query),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = q.manager ? cli_manager_tell(&ft_question_fit, &ft_tell_fit, &words, q.json)
			   : fit_laws(&q, &words);
	ft_fit_clear(&q.fit);
	cli_models_close(&q.models);
	return status;
}

const struct cli_command cli_fit = {
	"fit",
	"fit scaling laws to the runs: n log n, and not n^2",
	"NAME [n=SIZE...] [OPTION...]\n"
	"FILE.csv [PARAMETER...] [n=SIZE...] [OPTION...]",
	"A law is a constant and terms c n^i log2(n)^j; each class has the weight that the runs give it.\n"
	"Exit status: 0 done, 1 the runs obey no law (or there is one size only), 2 wrong use or failure.\n",
	NULL,
	run_fit,
};
