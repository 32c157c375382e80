/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - turns words of the command line into a stored program. */
#include "adapt/door.h"
#include "base/number.h"
#include "cli/cli.h"
#include "foretime/base.h"
#include "foretime/measure.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Options that choose what else is measured, for every command that runs programs.
 */

void cli_probes_set(const struct cli_probes *probes, struct ft_launch *launch)
{
	launch->counters = probes->counters;
	launch->energy = probes->energy;
	launch->gpu = probes->gpu;
	launch->meter = probes->meter;
	launch->meter_unit = probes->meter_unit;
	launch->working_set = probes->working_set;
	launch->sockets = probes->sockets;
	if (probes->valgrind)
		launch->instructions = FT_COUNT_SIMULATED;
	else if (probes->instructions)
		launch->instructions = FT_COUNT_SOMEHOW;
}

void cli_usage_write(const struct ft_usage *usage, FILE *file)
{
	fputs("time_s,cpu_utilisation,rss_bytes,processes\n", file);
	for (size_t i = 0; i < usage->n; i++) {
		const struct ft_usage_point *point = &usage->point[i];

		fprintf(file, "%.6f,%.4f,%.0f,%.0f\n", point->time_s, point->processors, point->rss_bytes,
			point->processes);
	}
}

/*
 * How long a machine or a device is busy.
 */

int cli_wait_of(const struct ft_field_texts *waits, const char *label, double *wait_s)
{
	size_t length = strlen(label);
	struct ft_err err = {0};

	for (size_t i = 0; i < waits->n; i++) {
		const char *text = waits->text[i];

		if (!strncmp(text, label, length) && text[length] == '=')
			return ft_duration_parse(text + length + 1, wait_s, &err)
				       ? cli_error_at(&err, "--wait")
				       : CLI_DONE;
	}
	return CLI_DONE;
}

/*
 * Read runs from files of other tools, for commands that do not store them.
 */

struct ft_import_options cli_reading_options(const struct cli_reading *reading)
{
	/* What packed inputs hold, in the user's cache: it may be removed at any time. */
	static char counts[PATH_MAX];
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length = cache && *cache == '/' ? snprintf(counts, sizeof counts, "%s/foretime/counts", cache)
		     : home && *home == '/'
			     ? snprintf(counts, sizeof counts, "%s/.cache/foretime/counts", home)
			     : 0;

	return (struct ft_import_options){
		.counts = length > 0 && (size_t)length < sizeof counts ? counts : NULL,
		.format = reading->format,
		.by = reading->by,
		.directory = reading->directory,
		.size = reading->size.text,
		.n_sizes = reading->size.n,
		.value = reading->value.text,
		.n_values = reading->value.n,
	};
}

void cli_reading_notes(const struct ft_import *import)
{
	for (size_t i = 0; i < FT_PASSED_N; i++) {
		if (import->passed[i] && i != FT_PASSED_RANGE) /* a range is requested */
			cli_note("left out %zu row%s %s%s%s", import->passed[i],
				 import->passed[i] == 1 ? "" : "s", ft_passed_text((enum ft_passed)i),
				 i == FT_PASSED_FILE || i == FT_PASSED_BROKEN ? ", the first: " : "",
				 i == FT_PASSED_FILE     ? import->missing
				 : i == FT_PASSED_BROKEN ? import->broken.text
							 : "");
		if (import->passed[i] && i == FT_PASSED_BROKEN)
			cli_hint("%s", import->broken.remedy);
	}
	if (import->files_left_out)
		cli_note("left out %zu file%s that cannot be used, the first: %s", import->files_left_out,
			 import->files_left_out == 1 ? "" : "s", import->file.text);
	if (import->files_left_out)
		cli_hint("%s", import->file.remedy);
	if (import->doubtful)
		cli_note("left out %zu value%s that cannot be, the first: %s", import->doubtful,
			 import->doubtful == 1 ? "" : "s", import->doubted);
	if (import->timed[0])
		cli_note("a size is made of column '%s', which has the seconds that were measured%s%s",
			 import->timed,
			 strcmp(import->format->name, "snakemake") != 0
				 ? ""
				 : ": a wildcard of that name is called wildcards.",
			 strcmp(import->format->name, "snakemake") != 0 ? "" : import->timed);
	if (import->unread[0])
		cli_note("passed over, though their numbers differ: %s; parameters besides n are named "
			 "behind the file",
			 import->unread);
	if (import->mixed[0])
		cli_note("runs of the same size differ in: %s; --by %.*s makes a program of each text there",
			 import->mixed, (int)strcspn(import->mixed, ","), import->mixed);
}

static int take_runs(struct ft_import *import, const char *name, struct ft_runs *runs)
{
	struct ft_imported *part = import->n == 1 ? &import->part[0] : NULL;

	assert(import->part); /* an import without runs has failed */
	for (size_t i = 0; i < import->n && !part; i++)
		if (!strcmp(import->part[i].program.name, name))
			part = &import->part[i];
	if (!part) {
		char names[300];
		size_t length = 0;

		for (size_t k = 0; k < import->n && length < sizeof names; k++)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
						   k ? ", " : "", import->part[k].program.name);
		return cli_fail("the runs are of %zu programs, and not of '%s': %s%s\n"
				"hint: name the column of names with --by COLUMN, or remove the other "
				"programs from the file",
				import->n, name, names, length < sizeof names ? "" : " ...");
	}
	cli_reading_notes(import);
	*runs = part->runs;
	part->runs = (struct ft_runs){0};
	return CLI_DONE;
}

int cli_reading_of(const struct cli_reading *reading, const struct ft_field_texts *paths,
		   const struct ft_program *program, struct ft_runs *runs)
{
	struct ft_import_options options = cli_reading_options(reading);
	struct ft_param param[FT_PARAMS_MAX];
	struct ft_import import = {0};
	struct ft_err err = {0};

	memcpy(param, program->param, sizeof param);
	for (size_t i = 0; i < program->n_params; i++)
		if (param[i].least < param[i].most) {
			param[i].least = param[i].most = param[i].factor = 0;
			param[i].n_list = 0;
		}
	options.wanted = program->name;
	options.param = param;
	options.n_params = program->n_params;
	for (size_t i = 0; i < paths->n; i++) {
		options.several = i + 1 < paths->n || import.runs;
		if (ft_import_read(&import, paths->text[i], &options, &err))
			return cli_error(&err);
	}
	int status = take_runs(&import, program->name, runs);
	ft_import_clear(&import);
	return status;
}

/*
 * Turns words of the command line into a stored program.
 */

void cli_list_note(const char *word)
{
	static const char digits[] = "0123456789";
	const char *equals = strchr(word, '='), *at = equals ? equals + 1 : "";
	size_t length = strspn(at, digits), n = 1;
	double value, before = strtod(at, NULL);
	bool multiples = length > 1; /* 64,128,256 and 100,200,300 are series, as lists are */

	if (length < 1 || length > 2 || *at == '0')
		return;
	for (at += length; *at == ','; at += length + 1, before = value, n++) {
		length = strspn(at + 1, digits);
		value = strtod(at + 1, NULL);
		if (length != 3 || at[1] == '0')
			return;
		multiples = multiples && fmod(value, before) == 0;
	}
	if (n > 1 && !*at && !multiples)
		cli_note("%s is a list of %zu values; one number has no commas, or '_' for them", word, n);
}

int cli_program_params(struct ft_program *program, char **word, size_t n, bool bare)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < n; i++) {
		struct ft_param param;

		if (!strchr(word[i], '=') && !bare)
			return cli_fail(
				"unexpected argument '%s'\n"
				"hint: put the command after --; a parameter has values, as in n=64:3000 "
				"or n=100",
				word[i]);
		if (ft_param_parse(word[i], &param, &err))
			return cli_error(&err);
		cli_list_note(word[i]);
		if (ft_program_find_param(program, param.name) >= 0)
			return cli_fail("parameter '%s' is given twice", param.name);
		if (program->n_params == FT_PARAMS_MAX)
			return cli_fail("more than %d parameters", FT_PARAMS_MAX);
		program->param[program->n_params++] = param;
	}
	return CLI_DONE;
}

void cli_program_argv(struct ft_program *program, char **word, size_t n)
{
	program->argv = cli_alloc((n + 1) * sizeof *program->argv);
	for (size_t i = 0; i < n; i++)
		program->argv[i] = cli_strdup(word[i]);
	program->argc = n;
}

void cli_program_name(struct ft_program *program)
{
	if (program->name || !program->argc)
		return;
	const char *slash = strrchr(program->argv[0], '/');
	program->name = cli_strdup(slash && slash[1] ? slash + 1 : program->argv[0]);
}

/* ---- work and constraints ----------------------------------------------------------------------------- */

int cli_work_check(const struct ft_program *program)
{
	struct ft_err err = {0};

	return ft_program_check_work(program, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_where_check(const struct ft_program *program)
{
	struct ft_err err = {0};

	return ft_program_check_where(program, program->where, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_program_where(struct ft_program *program, const char *const *where, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ft_err err = {0};
		char *before = program->where;

		if (ft_program_check_where(program, where[i], &err))
			return cli_error(&err);
		program->where = before ? cli_printed("%s && (%s)", before, where[i])
					: cli_printed(n > 1 ? "(%s)" : "%s", where[i]);
		free(before);
	}
	return CLI_DONE;
}

/* ---- keeping ------------------------------------------------------------------------------------------ */

int cli_name_check(const char *name)
{
	const char *fault = ft_program_name_fault(name);

	if (fault)
		return cli_fail("'%s' cannot be a program's name: %s\n"
				"hint: choose one of letters, digits and - _ . : + as in fft_v2",
				name, fault);
	if (strncmp(name, FT_CALIBRATION_PREFIX, strlen(FT_CALIBRATION_PREFIX)) != 0)
		return CLI_DONE;
	return cli_fail("names that begin with " FT_CALIBRATION_PREFIX " are those of micro-benchmarks\n"
			"hint: choose another name; foretime machine import takes a machine's row");
}

/* Whether the stored program has runs that the store will count as our program's, which has none of its
 * own yet. */
static bool takes_runs(struct ft_store *store, const struct ft_program *stored, const struct ft_program *ours)
{
	struct ft_store_list list = {0};
	bool has = false, known = false;

	if (stored->argv || !ft_program_same_params(stored, ours) ||
	    ft_store_get_list(store, ours->name, &list, NULL))
		return false;
	for (size_t i = 0; i < list.n; i++) {
		has = has || (list.entry[i].program == stored->id && list.entry[i].runs);
		known = known || (ft_program_is_on(ours, list.entry[i].device) &&
				  !strcmp(list.entry[i].hash, ours->hash));
	}
	ft_store_list_clear(&list);
	return has && !known;
}

void cli_program_tell_version(struct ft_store *store, const struct ft_program *program)
{
	struct ft_program before = {0};

	if (ft_store_get_program_on(store, program->name, program->device, &before, NULL) || !program->hash ||
	    !*program->hash || !before.hash || !strcmp(before.hash, program->hash)) {
		ft_program_clear(&before);
		return;
	}
	if (*before.hash)
		cli_note("'%s' is a new program: its executable is not the one measured before; older runs "
			 "are kept, and not used",
			 program->name);
	else if (takes_runs(store, &before, program))
		cli_note("runs of '%s' that were imported without its version are taken for runs of this one",
			 program->name);
	ft_program_clear(&before);
}

int cli_program_put(struct ft_store *store, struct ft_program *program)
{
	struct ft_store_list before = {0};
	struct ft_err err = {0};

	/* A name of an older store that none can have any more goes on. */
	const bool stored = !ft_store_get_list(store, program->name, &before, NULL) && before.n;
	ft_store_list_clear(&before);
	if (!stored && cli_name_check(program->name) != CLI_DONE)
		return CLI_WRONG;
	cli_program_tell_version(store, program);
	return ft_store_put_program(store, program, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- cases -------------------------------------------------------------------------------------------- */

static int range_of_column(struct ft_param *param, const struct ft_csv *csv, size_t column)
{
	struct ft_err err = {0};
	double value;

	param->least = INFINITY;
	param->most = -INFINITY;
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		if (ft_csv_number(csv, row, column, false, &value, &err))
			return cli_error(&err);
		param->least = fmin(param->least, value);
		param->most = fmax(param->most, value);
	}
	if (!(param->stride > 0))
		param->stride = 1;
	param->of_data = true;
	return CLI_DONE;
}

int cli_program_cases(struct ft_program *program, const struct ft_csv *csv, const char *path)
{
	if (!ft_csv_rows(csv))
		return cli_fail("'%s' has no rows", path);
	if (!program->n_params)
		return cli_fail("which column of '%s' is the size?\n"
				"hint: write its name before --, as in: foretime build NAME n --cases %s -- "
				"PROG {path}",
				path, path);
	for (size_t i = 0; i < program->n_params; i++) {
		struct ft_param *param = &program->param[i];
		int column = ft_csv_column(csv, param->name), status;

		if (param->least != 0 || param->most != 0)
			continue;
		if (column < 0)
			return cli_fail("'%s' has no column '%s'\n"
					"hint: its first column is '%s'",
					path, param->name, ft_csv_column_name(csv, 0));
		status = range_of_column(param, csv, (size_t)column);
		if (status != CLI_DONE)
			return status;
	}
	return CLI_DONE;
}

/*
 * The sizes to predict: words of the command line, or a table.
 */

int cli_size_refuse(const char *word, const char *parameter)
{
	double value;

	if (ft__number_read(word, true, &value))
		return cli_fail("'%s' is not a size: of which parameter?\nhint: write %s=%s", word, parameter,
				word);
	return cli_fail("'%s' is not a size\n"
			"hint: write %s=2048, %s=64,512,4096, or %s=64:3000:64 for a range",
			word, parameter, parameter, parameter);
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

int cli_values_add(struct ft_values *values, const char *word)
{
	const char *list = strchr(word, '=');
	struct ft_err err = {0};

	if (!list)
		return cli_size_refuse(word, "n");
	cli_list_note(word);
	char *name = cli_printed("%.*s", (int)(list - word), word);
	enum ft_status status = ft_values_add(values, name, list + 1, &err);
	free(name);
	return status ? cli_error(&err) : CLI_DONE;
}

int cli_values_count(const struct ft_values *values, const char *word)
{
	struct ft_err err = {0};

	return ft_values_count(values, FT_VALUES_MOST, word, &err) ? cli_error(&err) : CLI_DONE;
}

/* The rows of a table whose columns are parameters; other columns are ignored. */
static int sizes_of_table(struct cli_sizes *sizes, const struct ft_answerer *answerer,
			  const struct ft_csv *csv, const char *path)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t column[FT_PARAMS_MAX], row, i, n = 0;
	struct ft_err err = {0};
	struct ft_size size;

	for (i = 0; i < program->n_params; i++) {
		int at = ft_csv_column(csv, program->param[i].name);

		if (at >= 0) {
			name[n] = program->param[i].name;
			column[n++] = (size_t)at;
		}
	}
	if (ft_csv_rows(csv) > FT_VALUES_MOST)
		return cli_fail("'%s' has more than %d sizes\nhint: split it", path, FT_VALUES_MOST);
	for (row = 0; row < ft_csv_rows(csv); row++) {
		for (i = 0; i < n; i++)
			if (ft_csv_number(csv, row, column[i], false, &value[i], &err))
				return cli_error(&err);
		if (ft_ask_size(answerer, name, value, n, &size, &err) ||
		    ft_ask_admits(answerer, &size, &err))
			return cli_error_at(&err, "%s:%zu", path, ft_csv_line(csv, row));
		add_size(sizes, &size);
	}
	return CLI_DONE;
}

int cli_sizes_find(struct cli_sizes *sizes, const struct ft_answerer *answerer, const struct cli_words *words,
		   const char *path)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *parameter = program->n_params ? program->param[ft_program_varying(program)].name : "n";
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};

	if (!path && words->n > 1) {
		FT_CLEANUP(ft_values_clear) struct ft_values values = {0};

		for (size_t i = 1; i < words->n; i++)
			CLI_TRY(strchr(words->word[i], '=') ? cli_values_add(&values, words->word[i])
							    : cli_size_refuse(words->word[i], parameter));
		CLI_TRY(cli_values_count(&values, words->word[words->n - 1]));
		const char *name[FT_PARAMS_MAX];
		double value[FT_PARAMS_MAX];
		size_t step[FT_PARAMS_MAX] = {0};
		struct ft_size size;

		do {
			ft_values_get(&values, step, name, value);
			if (ft_ask_size(answerer, name, value, values.n, &size, &err) ||
			    ft_ask_admits(answerer, &size, &err))
				return cli_error(&err);
			add_size(sizes, &size);
		} while (ft_values_next(&values, step));
		return CLI_DONE;
	}
	if (!path)
		return cli_fail(
			"at which size?\n"
			"hint: name it behind '%s': %s=2048, %s=64:3000:64 for a range, or --sizes FILE.csv",
			program->name, parameter, parameter);
	if (words->n > 1)
		return cli_fail("sizes are given twice: by '%s' and by --sizes", words->word[1]);
	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int status = sizes_of_table(sizes, answerer, csv, path);
	ft_csv_free(csv);
	return status;
}

void cli_sizes_clear(struct cli_sizes *sizes)
{
	if (!sizes)
		return;
	free(sizes->size);
	*sizes = (struct cli_sizes){0};
}
