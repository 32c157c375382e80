/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reading.c - runs from files of other tools, for commands that do not store them. */
#include "cli/reading.h"
#include "cli/common.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct ft_import_options cli_reading_options(const struct cli_reading *reading)
{
	return (struct ft_import_options){
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
		if (import->passed[i] && i != FT_PASSED_RANGE) /* a range is asked for */
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

static int fail_several(const struct ft_import *import, const char *name)
{
	char names[300];
	size_t length = 0;

	for (size_t i = 0; i < import->n && length < sizeof names; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
					   import->part[i].program.name);
	return cli_fail(
		"the runs are of %zu programs, and not of '%s': %s%s\n"
		"hint: name the column of names with --by COLUMN, or remove the other programs from the file",
		import->n, name, names, length < sizeof names ? "" : " ...");
}

static int take_runs(struct ft_import *import, const char *name, struct ft_runs *runs)
{
	struct ft_imported *part = import->n == 1 ? &import->part[0] : NULL;

	assert(import->part); /* an import without runs has failed */
	for (size_t i = 0; i < import->n && !part; i++)
		if (!strcmp(import->part[i].program.name, name))
			part = &import->part[i];
	if (!part)
		return fail_several(import, name);
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
