/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - runs that were recorded elsewhere, by foretime or by other tools, from files into the store. */
#include "cli/import/import.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether a word names a file: a point or a slash before any '=' is in no parameter's name. */
static bool is_file(const char *word)
{
	size_t length = strcspn(word, "=");

	return !strcmp(word, "-") || memchr(word, '.', length) || memchr(word, '/', length);
}

/* A file that is named twice, also under two names. */
static int check_twice(const struct cli_import *import)
{
	CLI_OWN struct stat *st = cli_alloc((import->n_paths + 1) * sizeof *st);
	int status = CLI_DONE;

	for (size_t i = 0; i < import->n_paths && status == CLI_DONE; i++) {
		if (stat(import->path[i], &st[i]) || !S_ISREG(st[i].st_mode))
			st[i].st_ino = 0;
		for (size_t j = 0; j < i && st[i].st_ino && status == CLI_DONE; j++)
			if (st[j].st_ino == st[i].st_ino && st[j].st_dev == st[i].st_dev)
				status = cli_fail("'%s' is the same file as '%s'\n"
						  "hint: name each file once",
						  import->path[i], import->path[j]);
	}
	return status;
}

static int read_words(struct cli_import *import, const struct cli_words *words)
{
	if (!words->n)
		return cli_word_missing(words, 0);
	import->path = words->word;
	for (import->n_paths = 1; import->n_paths < words->n && is_file(words->word[import->n_paths]);
	     import->n_paths++)
		;
	if (import->n_paths < words->n) {
		CLI_TRY(cli_program_params(&import->asked, words->word + import->n_paths,
					   words->n - import->n_paths, true));
	}
	return check_twice(import);
}

static int read_version(struct cli_import *import)
{
	static const char *const names[] = {
		[CLI_VERSION_SAME] = "same", [CLI_VERSION_OLDER] = "older", [CLI_VERSION_NEWER] = "newer"};

	if (!import->as_version)
		return CLI_DONE;
	for (size_t i = CLI_VERSION_SAME; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], import->as_version)) {
			import->version = (enum cli_version)i;
			return CLI_DONE;
		}
	return cli_fail("--as-version '%s': runs are not of such a version\n"
			"hint: --as-version same, older or newer than the one in the store",
			import->as_version);
}

/* "cgroup", or as Slurm has it: "jobacct_gather/cgroup". */
static int read_gathered(struct cli_import *import)
{
	static const char *const names[] = {"linux", "cgroup"};
	const char *word = import->gathered, *slash = word ? strrchr(word, '/') : NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!word || !strcmp(names[i], slash ? slash + 1 : word)) {
			import->cgroup = word && i;
			return CLI_DONE;
		}
	return cli_fail(
		"gathered='%s': no way in which Slurm gathers memory\n"
		"hint: --from gathered=linux or cgroup: the JobAcctGatherType of scontrol show config",
		word);
}

/* The options that the library is given. */
static struct ft_import_options options_of(struct cli_import *import)
{
	struct ft_import_options options = cli_reading_options(&import->reading);

	options.name = import->name;
	options.param = import->asked.param;
	options.n_params = import->asked.n_params;
	if (!import->machine_name) {
		options.machine = import->machines.text;
		options.n_machines = import->machines.n;
	}
	options.cgroup = import->cgroup;
	options.strict = import->strict;
	options.memory_bytes = import->memory_bytes;
	options.processors = import->machine.threads;
	options.progress = cli_import_progress;
	options.ctx = import;
	return options;
}

static int read_files(struct cli_import *import)
{
	struct ft_import_options options = options_of(import);
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (import->name && !strchr(import->name, '{'))
		CLI_TRY(cli_name_check(import->name));
	for (size_t i = 0; i < import->n_paths; i++) {
		options.several = i + 1 < import->n_paths || import->import.runs;
		if (ft_import_read(&import->import, import->path[i], &options, &err)) {
			cli_import_progress_end(import);
			return cli_error(&err);
		}
	}
	for (size_t i = 0; i < import->import.n && status == CLI_DONE; i++) {
		struct ft_program *program = &import->import.part[i].program;

		if (import->work) {
			free(program->work);
			program->work = cli_strdup(import->work);
		}
		if (import->device) {
			free(program->device);
			program->device = cli_strdup(import->device);
		}
		status = cli_name_check(program->name);
		if (status == CLI_DONE && program->device && ft_program_device_fault(program->device))
			status = cli_fail("'%s' cannot name a device: %s", program->device,
					  ft_program_device_fault(program->device));
		if (status == CLI_DONE)
			status = cli_work_check(program);
		if (status == CLI_DONE)
			status = cli_where_check(program);
	}
	return status;
}

static int run_import(const struct cli_command *command, int argc, char **argv)
{
	struct cli_import i = {0};
	const struct ft_field options[] = {
		{0, "name", FT_FIELD_TEXT, &i.name, "NAME",
		 "the program's name in the store; in it {COLUMN} stands for the text of a column, "
		 "{COLUMN:/RE/} for what a group matches there"},
		CLI_READING_OPTIONS(i.reading),
		{0, "here", FT_FIELD_FLAG, &i.here, NULL, "the runs were made on this machine",
		 .not_with = "machine"},
		CLI_QUIET_OPTION(i.quiet),
		CLI_ANSWER_OPTIONS(i.json, i.store_path),
		CLI_GROUP("where the runs were made, and by which version"),
		{0, "machine", FT_FIELD_TEXTS, &i.machines, "M",
		 "the runs were made on the machine of this name; 'node[01-16]=M': those on these nodes; "
		 "'{COLUMN}': as in a column"},
		{0, "device", FT_FIELD_TEXT, &i.device, "D", "the runs are of this device of the program"},
		{0, "memory", FT_FIELD_BYTES, &i.memory_bytes, "SIZE",
		 "memory of that machine: a run that needed more is left out"},
		{0, "gathered", FT_FIELD_TEXT, &i.gathered, "WAY",
		 "sacct: how Slurm gathered memory, linux or cgroup (JobAcctGatherType); by cgroup it is an "
		 "estimate",
		 .of = "from"},
		{0, "as-version", FT_FIELD_TEXT, &i.as_version, "WHICH",
		 "of the version in the store: same, older (kept apart) or newer (used in its place); "
		 "default: same, older where the file names another"},
		{0, "work", FT_FIELD_TEXT, &i.work, "EXPR", "volume of computation, as in '2*n^3'"},
		CLI_GROUP("which rows are taken"),
		{0, "strict", FT_FIELD_FLAG, &i.strict, NULL,
		 "take all rows of all files, or nothing; default: what cannot be used is left out"},
		{0, "all", FT_FIELD_FLAG, &i.again, NULL, "take also runs that the store has already"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	cli_signals_catch();
	i.began_s = ft_clock_s();
	status = read_version(&i);
	if (status == CLI_DONE)
		status = read_gathered(&i);
	if (status == CLI_DONE)
		status = read_words(&i, &words);
	if (status == CLI_DONE)
		status = cli_import_machine(&i);
	if (status == CLI_DONE)
		status = read_files(&i);
	if (status == CLI_DONE)
		status = cli_import_keep(&i);
	if (status == CLI_DONE)
		cli_import_tell(&i);
	ft_import_clear(&i.import);
	ft_program_clear(&i.asked);
	ft_machine_clear(&i.machine);
	cli_import_forget(&i);
	free(i.known);
	return status;
}

const struct cli_command cli_import = {
	"import",
	"take recorded runs of foretime and of other tools into the store",
	"FILE... [n[=64:3000]] [--name NAME] [--by COLUMN] [--size N=WHERE]... [OPTION...]",
	"Tables (CSV), Snakemake benchmarks, Nextflow traces, sacct -P, hyperfine and Google Benchmark JSON, "
	"and\n"
	"Extra-P are recognised by what the file begins with. Rows that cannot be used are left out. Runs "
	"belong to a\n"
	"machine called elsewhere, unless the file names one, or --here or --machine is given.\n",
	NULL,
	run_import,
};
