/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - from words of the command line to a program that is stored. */
#include "cli/program.h"
#include "cli/common.h"
#include "foretime/calibrate.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether the stored program has runs that the store will count as those of ours, which is none of its own
 * yet. */
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
