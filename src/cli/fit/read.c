/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - samples for foretime fit: from a table, or from the runs of a program. */
#include "cli/common.h"
#include "base/word.h"
#include "cli/fit/fit.h"
#include "cli/sizes.h"
#include "foretime/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_fit_is_file(const char *word)
{
	static const char *const ends[] = {".csv", ".tsv", ".txt", ".gz"};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ft_word_ends(word, ends[i]))
			return true;
	return !strcmp(word, "-");
}

void cli_fit_data_clear(struct cli_fit_data *data)
{
	for (size_t i = 0; i < data->n; i++) {
		free(data->group[i].name);
		free(data->group[i].sample);
	}
	free(data->group);
	free(data->source);
	if (data->resource == &data->column)
		free((void *)(uintptr_t)data->column.name);
	*data = (struct cli_fit_data){0};
}

/* Tables are mostly sorted by group: the last one is looked at first. */
static struct cli_fit_group *group_of(struct cli_fit_data *data, const char *name)
{
	for (size_t i = data->n; i-- > 0;)
		if (!name || !strcmp(data->group[i].name, name))
			return &data->group[i];
	data->group = cli_grow(data->group, data->n, sizeof *data->group);
	data->group[data->n] = (struct cli_fit_group){.name = cli_strdup(name)};
	return &data->group[data->n++];
}

char *cli_fit_names(const struct cli_fit_data *data)
{
	char *text = cli_strdup(data->param[0]);

	for (size_t p = 1; p < data->params; p++) {
		cli_reprint(&text, "%s, %s", text, data->param[p]);
	}
	return text;
}

static void add_sample(struct cli_fit_group *group, const struct ft_law_place *sample)
{
	group->sample = cli_grow(group->sample, group->n, sizeof *group->sample);
	group->sample[group->n++] = *sample;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Which column is what; -1: there is none. */
struct fit_columns {
	int by, value, outcome, warmup;
	size_t param[FT_LAW_PARAMS];
};

/* Columns of runs that are neither a size nor a resource. */
static bool is_special(const char *name)
{
	static const char *const names[] = {"work", "outcome", "warmup", "cost_s", "started"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int complain_columns(const struct ft_csv *csv, const char *path, const char *what)
{
	CLI_OWN char *list = cli_strdup("");

	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		cli_reprint(&list, "%s%s%s", list, i ? ", " : "", ft_csv_column_name(csv, i));
	}
	(void)cli_fail("'%s': %s\nhint: its columns are %s", path, what, list);
	return CLI_WRONG;
}

static int find_value(struct fit_columns *columns, const struct ft_csv *csv, const char *path,
		      const char *resource)
{
	const struct ft_resource *each;

	if (resource) {
		columns->value = ft_csv_column(csv, resource);
		if (columns->value >= 0)
			return CLI_DONE;
		char *what = cli_printed("there is no column '%s'", resource);
		(void)complain_columns(csv, path, what);
		free(what);
		return CLI_WRONG;
	}
	for (size_t i = 0; (each = ft_resource_get(i)) && columns->value < 0; i++)
		columns->value = ft_csv_column(csv, each->name);
	if (columns->value < 0 && ft_csv_columns(csv) == (columns->by >= 0 ? 3u : 2u))
		columns->value = (int)ft_csv_columns(csv) - 1; /* size, value */
	if (columns->value >= 0 && columns->value != columns->by)
		return CLI_DONE;
	return complain_columns(csv, path, "which column has the values? name it with --resource");
}

static int add_param(struct cli_fit_data *data, struct fit_columns *columns, const struct ft_csv *csv,
		     const char *path, const char *name, size_t length)
{
	char text[FT_PARAM_LENGTH];

	if (length >= sizeof text)
		return cli_fail("the name '%.*s' is too long", (int)length, name);
	(void)snprintf(text, sizeof text, "%.*s", (int)length, name);
	for (size_t i = 0; i < data->params; i++)
		if (!strcmp(data->param[i], text))
			return CLI_DONE;
	if (data->params == FT_LAW_PARAMS)
		return cli_fail("more than %d parameters", FT_LAW_PARAMS);
	int column = ft_csv_column(csv, text);
	if (column < 0) {
		char *what = cli_printed("there is no column '%s'", text);

		(void)complain_columns(csv, path, what);
		free(what);
		return CLI_WRONG;
	}
	columns->param[data->params] = (size_t)column;
	(void)snprintf(data->param[data->params++], sizeof text, "%s", text);
	return CLI_DONE;
}

/* The parameters that the words name; else n; else the only column left. */
static int find_params(struct cli_fit_data *data, struct fit_columns *columns, const struct ft_csv *csv,
		       const struct cli_words *words)
{
	const char *path = words->word[0], *name, *only = NULL;
	size_t left = 0;

	for (size_t i = 1; i < words->n; i++)
		CLI_TRY(add_param(data, columns, csv, path, words->word[i], strcspn(words->word[i], "=")));
	if (data->params)
		return CLI_DONE;
	if (ft_csv_column(csv, "n") >= 0)
		return add_param(data, columns, csv, path, "n", 1);
	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		name = ft_csv_column_name(csv, i);
		if ((int)i == columns->by || (int)i == columns->value || is_special(name) ||
		    ft_resource_find(name))
			continue;
		only = name;
		left++;
	}
	if (left == 1)
		return add_param(data, columns, csv, path, only, strlen(only));
	return complain_columns(csv, path, "which column has the sizes? name it behind the file");
}

/* A row counts when the run ended well, is no warm-up, and has a value. */
static bool row_counts(const struct ft_csv *csv, const struct fit_columns *columns, size_t row)
{
	const char *outcome = columns->outcome >= 0 ? ft_csv_cell(csv, row, (size_t)columns->outcome) : "";
	const char *warmup = columns->warmup >= 0 ? ft_csv_cell(csv, row, (size_t)columns->warmup) : "";

	return (!*outcome || !strcmp(outcome, "done")) && strcmp(warmup, "1") != 0;
}

static int read_rows(struct cli_fit_data *data, const struct ft_csv *csv, const struct fit_columns *columns)
{
	struct ft_err err = {0};

	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		struct ft_law_place sample = {0};

		if (!row_counts(csv, columns, row))
			continue;
		if (ft_csv_number(csv, row, (size_t)columns->value, true, &sample.value, &err))
			return cli_error(&err);
		if (isnan(sample.value))
			continue;
		for (size_t p = 0; p < data->params; p++)
			if (ft_csv_number(csv, row, columns->param[p], false, &sample.x[p], &err))
				return cli_error(&err);
		if (sample.value < 0 && !data->any_sign)
			return cli_fail("%s:%zu: a value of %g is negative: laws are of costs\n"
					"hint: --class signed is of values and terms of either sign",
					data->source, ft_csv_line(csv, row), sample.value);
		add_sample(
			group_of(data, columns->by < 0 ? NULL : ft_csv_cell(csv, row, (size_t)columns->by)),
			&sample);
	}
	if (data->n)
		return CLI_DONE;
	return cli_fail("'%s' has no row with a value of %s", data->source, data->resource->name);
}

static int read_table(struct cli_fit_data *data, const struct ft_csv *csv, const struct cli_words *words,
		      const char *resource, const char *by)
{
	struct fit_columns columns = {
		-1, -1, ft_csv_column(csv, "outcome"), ft_csv_column(csv, "warmup"), {0}};

	if (by && (columns.by = ft_csv_column(csv, by)) < 0) {
		char *what = cli_printed("there is no column '%s'", by);

		(void)complain_columns(csv, words->word[0], what);
		free(what);
		return CLI_WRONG;
	}
	CLI_TRY(find_value(&columns, csv, words->word[0], resource));
	CLI_TRY(find_params(data, &columns, csv, words));
	const char *name = ft_csv_column_name(csv, (size_t)columns.value);
	data->resource = ft_resource_find(name);
	if (!data->resource) {
		data->column = (struct ft_resource){
			.name = cli_strdup(name), .unit = "", .words = "", .of = FT_CLASS_COUNT};
		data->resource = &data->column;
	}
	return read_rows(data, csv, &columns);
}

int cli_fit_read_table(struct cli_fit_data *data, const struct cli_words *words, const char *resource,
		       const char *by)
{
	struct ft_csv *csv;
	struct ft_err err = {0};

	data->source = cli_strdup(words->word[0]);
	if (ft_csv_read(words->word[0], 0, &csv, &err))
		return cli_error(&err);
	int status = read_table(data, csv, words, resource, by);
	ft_csv_free(csv);
	return status;
}

/* ---- programs ------------------------------------------------------------------------------------------ */

/* Of more parameters than laws have, those that change nothing. Returns how many are left. */
static size_t leave_out_flat(const struct cli_models *models, const struct ft_resource *resource,
			     size_t *axis, size_t n)
{
	bool flat[FT_PARAMS_MAX];
	size_t kept = 0;

	ft_tell_axes_flat(models->answerer, &resource, 1, flat);
	for (size_t i = 0; i < n; i++)
		if (!flat[axis[i]])
			axis[kept++] = axis[i];
	return kept ? kept : n;
}

/* What is expected of a run that met a limit; NaN: it met none. Runs at one limit are spread over what lies
 * above it by the multiples of the golden section, whose fractions fill an interval evenly. */
static double value_above(struct cli_fit_data *data, const struct cli_models *models,
			  const struct ft_run *run, const struct ft_resource *resource)
{
	static const double golden = 0.6180339887498949;
	const struct ft_model_record *record;
	double limit = ft_run_limit(run, resource), turn, work;

	if (isnan(limit) || run->warmup ||
	    ft_ask_model(models->answerer, resource, &run->size, &record, NULL) ||
	    ft_program_work(ft_ask_program(models->answerer), &run->size, &work, NULL))
		return NAN;
	data->facts = *ft_model_facts(record->model);
	turn = 0.5 + golden * (double)data->met++;
	return ft_model_above(record->model, &run->size, work, limit, turn - floor(turn));
}

int cli_fit_read_program(struct cli_fit_data *data, const struct cli_models *models, const char *typed)
{
	const struct ft_program *program = ft_ask_program(models->answerer);
	const struct ft_runs *runs = ft_ask_runs(models->answerer);
	size_t axis[FT_PARAMS_MAX], axes = ft_ask_axes(models->answerer, axis), i, p;

	data->source = cli_strdup(program->name);
	const struct ft_resource *resource = cli_models_resource(models, typed);
	if (!resource)
		return CLI_WRONG;
	data->resource = resource;
	if (axes > FT_LAW_PARAMS)
		axes = leave_out_flat(models, resource, axis, axes);
	if (axes > FT_LAW_PARAMS) {
		(void)cli_fail(
			"the runs of '%s' differ in %zu parameters that matter; laws are of %d at most\n"
			"hint: export the runs, and fit those that agree in some parameters",
			program->name, axes, FT_LAW_PARAMS);
		return CLI_NO;
	}
	data->params = axes;
	for (p = 0; p < axes; p++)
		(void)snprintf(data->param[p], sizeof data->param[p], "%s",
			       program->n_params ? program->param[axis[p]].name : "n");
	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		struct ft_law_place sample = {.value = run->outcome == FT_DONE
							       ? ft_run_idle_value(run, resource)
							       : value_above(data, models, run, resource)};

		if (run->warmup || isnan(sample.value))
			continue;
		for (p = 0; p < axes; p++)
			sample.x[p] = runs->run[i].size.value[axis[p]];
		add_sample(group_of(data, NULL), &sample);
	}
	if (data->n)
		return CLI_DONE;
	(void)cli_fail("no run of '%s' has a value of %s", program->name, resource->name);
	cli_hint(runs->n ? "'foretime show %s' lists what was measured"
			 : "it has no run yet: measure it with foretime build %s",
		 program->name);
	return CLI_WRONG;
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

/* The place of each parameter of the laws among the values. */
static int find_axes(const struct ft_values *values, const struct cli_fit_data *data, size_t at[])
{
	size_t p, i;

	for (i = 0; i < values->n; i++) {
		for (p = 0; p < data->params && strcmp(data->param[p], values->axis[i].name) != 0;)
			p++;
		if (p == data->params) {
			(void)cli_fail("the runs do not differ in a parameter '%s'", values->axis[i].name);
			char *names = cli_fit_names(data);
			cli_hint("laws here are of %s", names);
			free(names);
			return CLI_WRONG;
		}
	}
	for (p = 0; p < data->params; p++) {
		for (i = 0; i < values->n && strcmp(data->param[p], values->axis[i].name) != 0;)
			i++;
		if (i == values->n)
			return cli_fail("no value for parameter '%s'", data->param[p]);
		at[p] = i;
	}
	return CLI_DONE;
}

static int combine_rows(struct cli_fit_sizes *sizes, const struct cli_fit_data *data,
			const struct ft_values *values)
{
	size_t step[FT_PARAMS_MAX] = {0}, at[FT_LAW_PARAMS] = {0}, p;

	CLI_TRY(find_axes(values, data, at));
	do {
		sizes->x = cli_grow(sizes->x, sizes->n, sizeof *sizes->x);
		memset(sizes->x[sizes->n], 0, sizeof *sizes->x);
		for (p = 0; p < data->params; p++)
			sizes->x[sizes->n][p] = values->axis[at[p]].value[step[at[p]]];
		sizes->n++;
	} while (ft_values_next(values, step));
	return CLI_DONE;
}

/* Sizes of a program meet its constraint. */
static int check_sizes(const struct cli_fit_sizes *sizes, const struct cli_fit_data *data,
		       const struct ft_answerer *answerer)
{
	const char *name[FT_LAW_PARAMS];
	struct ft_err err = {0};
	struct ft_size size;

	if (!ft_ask_program(answerer)->where)
		return CLI_DONE;
	for (size_t p = 0; p < data->params; p++)
		name[p] = data->param[p];
	for (size_t i = 0; i < sizes->n; i++)
		if (!ft_ask_size(answerer, name, sizes->x[i], data->params, &size, NULL) &&
		    ft_ask_admits(answerer, &size, &err))
			return cli_error(&err);
	return CLI_DONE;
}

int cli_fit_sizes_find(struct cli_fit_sizes *sizes, const struct cli_fit_data *data,
		       const struct cli_words *words, const struct ft_answerer *answerer)
{
	FT_CLEANUP(ft_values_clear) struct ft_values values = {0};

	for (size_t i = 1; i < words->n; i++)
		if (strchr(words->word[i], '='))
			CLI_TRY(cli_values_add(&values, words->word[i]));
	CLI_TRY(cli_values_count(&values, words->word[words->n - 1]));
	if (values.n)
		CLI_TRY(combine_rows(sizes, data, &values));
	return answerer ? check_sizes(sizes, data, answerer) : CLI_DONE;
}
