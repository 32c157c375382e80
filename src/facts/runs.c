/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - writes runs as a table of text, and reads it back to the last digit. */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/facts.h"
#include "foretime/base.h"
#include "foretime/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The surroundings of a run, by the names of columns.
 */

#define NUMBER(field)                                                                                        \
	static double get_##field(const struct ft_run *run)                                                  \
	{                                                                                                    \
		return run->field;                                                                           \
	}                                                                                                    \
	static void set_##field(struct ft_run *run, double value)                                            \
	{                                                                                                    \
		run->field = value;                                                                          \
	}

NUMBER(load_before)
NUMBER(runnable_before)
NUMBER(runnable_after)
NUMBER(pressure)

static double get_processors(const struct ft_run *run)
{
	return run->processors ? (double)run->processors : (double)NAN;
}

static void set_processors(struct ft_run *run, double value)
{
	run->processors = value >= 1 && value < 1e6 ? (int)value : 0;
}

#define ROW(field)                                                                                           \
	{                                                                                                    \
#field, get_##field, set_##field                                                             \
	}

const struct ft__surround ft__surround[FT__SURROUND_N] = {
	ROW(load_before), ROW(runnable_before), ROW(runnable_after), ROW(pressure), ROW(processors),
};

/*
 * Runs from a table of text: our own exports, and plain sweeps like n,wall_s.
 */

enum { RUNS_MAX = 1 << 20 };

/* A table, and the meaning of its columns. */
struct runs_read_table {
	const char *name; /* in messages */
	const struct ft_csv *csv;
	struct ft_param param[FT_PARAMS_MAX]; /* of the program to be */
	size_t n_params;
	int param_column[FT_PARAMS_MAX]; /* -1: the fixed value */
	const struct ft_resource *resource[FT__COLUMNS_MAX];
	int resource_column[FT__COLUMNS_MAX];
	size_t n_resources;
	int work, outcome, warmup, cost, started; /* columns; -1: none */
	int surround[FT__SURROUND_N];
	struct ft_err *err;
};

/* A parameter of this range takes the range of the data. */
static bool is_open(const struct ft_param *param)
{
	return param->least == 0 && param->most == 0;
}

/* The names of the columns, in a buffer, for messages. */
static const char *column_names(const struct runs_read_table *table, char *buffer, size_t size)
{
	size_t length = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < ft_csv_columns(table->csv) && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%.40s", i ? ", " : "",
					   ft_csv_column_name(table->csv, i));
	return buffer;
}

static enum ft_status fail_table(const struct runs_read_table *table, const char *lacks, const char *remedy)
{
	char names[300];

	(void)ft_fail(table->err, FT_EINVAL, "'%.120s' has no column %s; its columns are %s", table->name,
		      lacks, column_names(table, names, sizeof names));
	(void)ft_remedy(table->err, "%s", remedy);
	return FT_EINVAL;
}

static enum ft_status fail_cell(const struct runs_read_table *table, size_t row, int column, const char *what,
				const char *remedy)
{
	(void)ft_fail(table->err, FT_EINVAL, "%.120s:%zu: column %d (%.40s): %s: '%.40s'", table->name,
		      ft_csv_line(table->csv, row), column + 1,
		      ft_csv_column_name(table->csv, (size_t)column), what,
		      ft_csv_cell(table->csv, row, (size_t)column));
	(void)ft_remedy(table->err, "%s", remedy);
	return FT_EINVAL;
}

static enum ft_status find_params(struct runs_read_table *table)
{
	if (!table->n_params) {
		if (ft_csv_column(table->csv, "n") < 0)
			return fail_table(table, "'n'",
					  "name the parameters: n or another column of the file");
		table->param[table->n_params++] = (struct ft_param){.name = "n", .stride = 1};
	}
	for (size_t i = 0; i < table->n_params; i++) {
		const struct ft_param *param = &table->param[i];
		char quoted[FT_PARAM_LENGTH + 32];

		table->param_column[i] = ft_csv_column(table->csv, param->name);
		if (table->param_column[i] >= 0 || (param->least == param->most && !is_open(param)))
			continue;
		(void)snprintf(quoted, sizeof quoted, "for parameter '%s'", param->name);
		return fail_table(
			table, quoted,
			"name a parameter as its column is named, or give it a fixed value, as in m=100");
	}
	return FT_OK;
}

/* Those that the note names. */
static enum ft_status find_counters(struct runs_read_table *table)
{
	const char *note = ft_csv_note(table->csv, "counters");
	char names[FT__COUNTERS_MAX * FT_RESOURCE_LENGTH], *rest = NULL;
	size_t n = 0;

	(void)snprintf(names, sizeof names, "%s", note ? note : "");
	for (char *name = strtok_r(names, " ", &rest); name && n < FT__COUNTERS_MAX;
	     name = strtok_r(NULL, " ", &rest)) {
		int column = ft_csv_column(table->csv, name);

		if (column < 0 || ft_resource_find(name) || strlen(name) >= FT_RESOURCE_LENGTH ||
		    table->n_resources == FT__COLUMNS_MAX)
			continue;
		FT_TRY(ft_resource_named(name, &table->resource[table->n_resources], table->err));
		table->resource_column[table->n_resources++] = column;
		n++;
	}
	return FT_OK;
}

/* In foreign tables `pressure` may be anything; and a column named like a parameter is the parameter's. */
static int find_surround(const struct runs_read_table *table, const char *name)
{
	if (!ft_csv_note(table->csv, "foretime"))
		return -1;
	for (size_t i = 0; i < table->n_params; i++)
		if (!strcmp(table->param[i].name, name))
			return -1;
	return ft_csv_column(table->csv, name);
}

static enum ft_status find_columns(struct runs_read_table *table)
{
	const struct ft_resource *resource;
	char known[400] = "give a column the name of a resource:";
	size_t i, length = strlen(known);

	for (i = 0; (resource = ft_resource_get(i)); i++) {
		int column = ft_csv_column(table->csv, resource->name);

		if (length < sizeof known)
			length += (size_t)snprintf(known + length, sizeof known - length, " %s",
						   resource->name);
		for (size_t j = 0; j < table->n_params; j++) /* input_bytes may be one of them */
			column = strcmp(table->param[j].name, resource->name) ? column : -1;
		if (column < 0 || table->n_resources == FT__COLUMNS_MAX)
			continue;
		table->resource[table->n_resources] = resource;
		table->resource_column[table->n_resources++] = column;
	}
	FT_TRY(find_counters(table));
	table->work = ft_csv_column(table->csv, "work");
	table->outcome = ft_csv_column(table->csv, "outcome");
	table->warmup = ft_csv_column(table->csv, "warmup");
	table->cost = ft_csv_column(table->csv, "cost_s");
	table->started = ft_csv_column(table->csv, "started");
	for (i = 0; i < FT__SURROUND_N; i++)
		table->surround[i] = find_surround(table, ft__surround[i].name);
	return table->n_resources ? FT_OK : fail_table(table, "of a resource", known);
}

/* The size of a row; *inside: whether it is in the program's ranges. */
static enum ft_status read_size(const struct runs_read_table *table, size_t row, struct ft_size *size,
				bool *inside)
{
	*inside = true;
	size->n = table->n_params;
	for (size_t i = 0; i < table->n_params; i++) {
		size->value[i] = table->param[i].least;
		if (table->param_column[i] < 0)
			continue;
		enum ft_status status = ft_csv_number(table->csv, row, (size_t)table->param_column[i], false,
						      &size->value[i], table->err);
		if (status != FT_OK)
			return status;
		*inside = *inside && ft_param_covers(&table->param[i], size->value[i]);
	}
	return FT_OK;
}

/* outcome, warmup, started: without such columns, a plain run that ended well. */
static enum ft_status read_words(const struct runs_read_table *table, size_t row, struct ft_run *run)
{
	const char *cell;

	if (table->outcome >= 0) {
		cell = ft_csv_cell(table->csv, row, (size_t)table->outcome);
		if (*cell && !ft_outcome_parse(cell, &run->outcome))
			return fail_cell(table, row, table->outcome, "not an outcome",
					 "write done, failed, crashed, timed out, out of memory, not valid, "
					 "not started or interrupted");
	}
	if (table->warmup >= 0) {
		cell = ft_csv_cell(table->csv, row, (size_t)table->warmup);
		run->warmup = !strcmp(cell, "1");
		if (*cell && strcmp(cell, "0") != 0 && strcmp(cell, "1") != 0)
			return fail_cell(table, row, table->warmup, "neither 0 nor 1",
					 "write 1 for a warm-up, else 0");
	}
	if (table->started >= 0) {
		cell = ft_csv_cell(table->csv, row, (size_t)table->started);
		if (*cell && !ft__moment_parse(cell, &run->started_ns))
			return fail_cell(table, row, table->started, "not a moment",
					 "write it as 2026-01-31T12:00:00Z (UTC), or leave the cell empty");
	}
	return FT_OK;
}

/* A number that may be missing, and may not be negative; nor zero where `positive`. */
static enum ft_status read_amount(const struct runs_read_table *table, size_t row, int column, bool positive,
				  double *value)
{
	enum ft_status status = ft_csv_number(table->csv, row, (size_t)column, true, value, table->err);

	if (status != FT_OK)
		return status;
	if (*value < 0 || (positive && *value == 0))
		return fail_cell(table, row, column, positive ? "not above zero" : "a negative value",
				 "correct the value, or leave the cell empty");
	return FT_OK;
}

static enum ft_status read_resources(const struct runs_read_table *table, size_t row, struct ft_run *run)
{
	bool done = run->outcome == FT_DONE;

	for (size_t i = 0; i < table->n_resources; i++) {
		const struct ft_resource *resource = table->resource[i];
		/* The kernel counts CPU time in ticks: 0 can be true of it. No run takes no time at all. */
		bool positive = done && resource == &ft_wall_s;
		double value;
		enum ft_status status = read_amount(table, row, table->resource_column[i], positive, &value);

		if (status == FT_OK && !strcmp(resource->unit, "s") && value > FT_TIME_MOST_S)
			status = fail_cell(table, row, table->resource_column[i],
					   "longer than a hundred years",
					   "correct its unit: times are seconds");
		if (status == FT_OK && !isnan(value))
			status = ft_run_add(run, resource, value, FT_MEASURED, "import", NULL, table->err);
		if (status != FT_OK)
			return status;
	}
	if (done && !run->n_samples) /* names the empty cell */
		return ft_csv_number(table->csv, row, (size_t)table->resource_column[0], false, &run->cost_s,
				     table->err);
	return FT_OK;
}

/* The cost of a run without a recorded one: the wall time, else the first time of it. */
static double cost_of(const struct runs_read_table *table, const struct ft_run *run)
{
	double cost = ft_run_value(run, &ft_wall_s);

	for (size_t i = 0; i < table->n_resources && isnan(cost); i++)
		if (table->resource[i]->of == FT_CLASS_TIME)
			cost = ft_run_value(run, table->resource[i]);
	return isnan(cost) ? 0 : cost;
}

static enum ft_status read_run(const struct runs_read_table *table, size_t row, struct ft_run *run)
{
	double cost = NAN;
	enum ft_status status = read_words(table, row, run);

	if (status == FT_OK && table->work >= 0)
		status = read_amount(table, row, table->work, run->outcome == FT_DONE, &run->work);
	if (status == FT_OK && table->cost >= 0)
		status = read_amount(table, row, table->cost, false, &cost);
	if (status == FT_OK) {
		double value;

		for (size_t i = 0; i < FT__SURROUND_N && status == FT_OK; i++) {
			if (table->surround[i] < 0)
				continue;
			status = read_amount(table, row, table->surround[i], false, &value);
			if (status == FT_OK)
				ft__surround[i].set(run, value);
		}
	}
	if (status == FT_OK)
		status = read_resources(table, row, run);
	if (status == FT_OK)
		run->cost_s = isnan(cost) ? cost_of(table, run) : cost;
	return status;
}

/* Append the runs of all rows in the program's ranges. */
static enum ft_status read_rows(const struct runs_read_table *table, struct ft_runs *runs)
{
	size_t row, before = runs->n;

	for (row = 0; row < ft_csv_rows(table->csv); row++) {
		struct ft_run run;
		bool inside;

		ft_run_init(&run);
		enum ft_status status = read_size(table, row, &run.size, &inside);
		if (status == FT_OK && inside)
			status = read_run(table, row, &run);
		if (status == FT_OK && inside)
			status = ft_runs_take(runs, &run, table->err);
		if (status != FT_OK) {
			ft_run_clear(&run);
			return status;
		}
	}
	if (runs->n > before || !row)
		return FT_OK;
	(void)ft_fail(table->err, FT_EINVAL, "no row of '%.120s' lies within the range of the parameters",
		      table->name);
	(void)ft_remedy(table->err, "widen the range, or leave it out: the range of the data is taken then");
	return FT_EINVAL;
}

/* A text of the program: its own, else that of a note. */
static bool take_note(const struct runs_read_table *table, const char *key, char *const *had, char **copy)
{
	const char *note = ft_csv_note(table->csv, key);

	*copy = NULL;
	if (*had || !note || !*note)
		return true;
	*copy = ft_strdup(note);
	return *copy;
}

/* All went well: give the program the facts in the table. */
static enum ft_status give_knowledge(const struct runs_read_table *table, struct ft_program *program)
{
	struct {
		const char *key;
		char **had, *note;
	} each[] = {{"work", &program->work, NULL},
		    {"method", &program->method, NULL},
		    {"where", &program->where, NULL},
		    {"device", &program->device, NULL},
		    {"driver", &program->driver, NULL}};
	size_t n = sizeof each / sizeof *each, i = 0;

	while (i < n && take_note(table, each[i].key, each[i].had, &each[i].note))
		i++;
	if (i < n) {
		while (i--)
			ft_free(each[i].note);
		return ft_nomem(table->err);
	}
	for (i = 0; i < n; i++)
		if (each[i].note)
			*each[i].had = each[i].note;
	memcpy(program->param, table->param, sizeof program->param);
	program->n_params = table->n_params;
	ft_program_take_ranges(program, ft_csv_note(table->csv, "ranges"));
	return FT_OK;
}

/* A run takes some 0.8 KiB of memory, however short its row. */
static enum ft_status check_rows(const struct runs_read_table *table)
{
	if (ft_csv_rows(table->csv) <= RUNS_MAX)
		return FT_OK;
	(void)ft_fail(table->err, FT_EINVAL, "%s: %zu runs are more than %d, which can be used at once",
		      table->name, ft_csv_rows(table->csv), RUNS_MAX);
	return ft_remedy(table->err, "leave out some of sizes that have many");
}

enum ft_status ft_runs_of_table(const struct ft_csv *csv, const char *name, struct ft_program *program,
				struct ft_runs *runs, struct ft_err *err)
{
	struct runs_read_table table = {.csv = csv, .name = name, .err = err, .n_params = program->n_params};
	size_t before = runs->n;
	enum ft_status status = check_rows(&table);

	memcpy(table.param, program->param, sizeof table.param);
	if (status == FT_OK)
		status = find_params(&table);
	if (status == FT_OK)
		status = find_columns(&table);
	if (status == FT_OK)
		status = read_rows(&table, runs);
	if (status == FT_OK) {
		/* Open ranges become those of the runs from `first` on. */
		for (size_t i = 0; i < table.n_params; i++) {
			struct ft_param *param = &table.param[i];
			bool open = is_open(param) && before < runs->n;

			param->of_data = open;
			if (open)
				param->least = param->most = runs->run[before].size.value[i];
			for (size_t j = before; open && j < runs->n; j++) {
				param->least = fmin(param->least, runs->run[j].size.value[i]);
				param->most = fmax(param->most, runs->run[j].size.value[i]);
			}
		}
		status = give_knowledge(&table, program);
	}
	while (status != FT_OK && runs->n > before)
		ft_run_clear(&runs->run[--runs->n]);
	return status;
}

enum ft_status ft_runs_read(const char *path, struct ft_program *program, struct ft_runs *runs,
			    struct ft_err *err)
{
	struct ft_csv *csv = NULL;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	if (!status)
		status = ft_runs_of_table(csv, strcmp(path, "-") ? path : "standard input", program, runs,
					  err);
	ft_csv_free(csv);
	return status;
}

/*
 * Writes runs as a table of text, and reads it back to the last digit.
 */

/* NaN is an empty cell. */
static void add_number(struct ft_text *text, double value)
{
	if (!isnan(value))
		ft_text_add_number(text, value);
	ft_text_add_bytes(text, ",", 1);
}

/* Whether a resource gets a column. The wall time always does: a table without any resource is none of
   ours. */
static bool has_column(const struct ft_runs *runs, const struct ft_resource *resource)
{
	for (size_t i = 0; i < runs->n; i++)
		if (!isnan(ft_run_value(&runs->run[i], resource)))
			return true;
	return resource == &ft_wall_s;
}

static bool any_work(const struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		if (!isnan(runs->run[i].work))
			return true;
	return false;
}

/* Whether a surrounding value gets a column: some run has it, and no parameter has its name. */
static bool is_written(const struct ft_program *program, const struct ft_runs *runs,
		       const struct ft__surround *surround)
{
	for (size_t i = 0; i < runs->n && ft_program_find_param(program, surround->name) < 0; i++)
		if (!isnan(surround->get(&runs->run[i])))
			return true;
	return false;
}

static void add_run(struct ft_text *text, const struct ft_run *run, const struct ft_resource *const *column,
		    size_t n, bool work, const bool written[FT__SURROUND_N])
{
	char moment[FT__MOMENT_LENGTH];

	for (size_t i = 0; i < run->size.n; i++)
		add_number(text, run->size.value[i]);
	for (size_t i = 0; i < n; i++)
		add_number(text, ft_run_value(run, column[i]));
	if (work)
		add_number(text, run->work);
	ft_text_add(text, "%s,%d,", ft_outcome_text(run->outcome), run->warmup);
	add_number(text, run->cost_s);
	for (size_t i = 0; i < FT__SURROUND_N; i++)
		if (written[i])
			add_number(text, ft__surround[i].get(run));
	ft_text_add(text, "%s\n", ft__moment_format(run->started_ns, moment));
}

enum ft_status ft_runs_write(const struct ft_program *program, const struct ft_runs *runs, char **out,
			     struct ft_err *err)
{
	const struct ft_resource *column[FT__COLUMNS_MAX];
	const struct ft_resource **counter;
	size_t n_counters;
	struct ft_text text = {0};
	bool work = any_work(runs), written[FT__SURROUND_N];

	*out = NULL;
	if (ft_runs_counters(runs, &counter, &n_counters, err))
		return FT_ENOMEM;
	if (n_counters > FT__COUNTERS_MAX) {
		ft_free(counter);
		return ft_fail(err, FT_EINVAL,
			       "the runs have %zu different counters, of which a table takes %d", n_counters,
			       FT__COUNTERS_MAX);
	}
	char *ranges = ft_program_ranges(program);
	text.failed = !ranges;
	/* The resources that get columns, in the order of the table. A parameter takes the column of its name:
	 * input_bytes. */
	const struct ft_resource *resource;
	size_t n = 0;

	for (size_t i = 0; (resource = ft_resource_get(i)) && n < FT__COLUMNS_MAX - FT__COUNTERS_MAX; i++)
		if (ft_program_find_param(program, resource->name) < 0 && has_column(runs, resource))
			column[n++] = resource;
	for (size_t i = 0; i < n_counters; i++)
		column[n++] = counter[i];

	ft_text_add(&text, "# foretime: runs 1\n");
	ft_text_add_note(&text, "name", program->name);
	ft_text_add_note(&text, "device", program->device);
	ft_text_add_note(&text, "driver", program->driver);
	ft_text_add_note(&text, "work", program->work);
	ft_text_add_note(&text, "method", program->method);
	ft_text_add_note(&text, "where", program->where);
	ft_text_add_note(&text, "ranges", ranges);
	for (size_t i = 0; i < n_counters; i++)
		ft_text_add(&text, "%s%s%s", i ? " " : "# counters: ", counter[i]->name,
			    i + 1 < n_counters ? "" : "\n");
	for (size_t i = 0; i < program->n_params; i++)
		ft_text_add(&text, "%s,", program->param[i].name);
	for (size_t i = 0; i < n; i++)
		ft_text_add(&text, "%s,", column[i]->name);
	ft_text_add(&text, "%soutcome,warmup,cost_s,", work ? "work," : "");
	for (size_t i = 0; i < FT__SURROUND_N; i++)
		if ((written[i] = is_written(program, runs, &ft__surround[i])))
			ft_text_add(&text, "%s,", ft__surround[i].name);
	ft_text_add(&text, "started\n");
	for (size_t i = 0; i < runs->n; i++)
		add_run(&text, &runs->run[i], column, n, work, written);
	ft_free(counter);
	ft_free(ranges);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
