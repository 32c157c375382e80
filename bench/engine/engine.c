/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - how good the engine is, beside another version of it, in one run.
 *
 *	engine [--part NAME,...] [--only TEXT] [--seeds N] [--tolerance T] [--processes N] [--csv FILE]
 *	       [--against PROGRAM|FILE.csv] [--brief] [--quiet]
 *
 * --only: jobs whose name holds the text, as "dense/saw 2/normal 5 %/1", "given/hash_", "laws/10/". --csv: a
 * row for each replay (record.h). --against: a program whose replays are made now, or a table that it wrote.
 * --brief: no lines of single groups. --quiet: no table.
 *
 * Parts: given (recorded curves: $FORETIME_DATA/curves), made (curves whose truth is known), made-5 (at a
 * tolerance of 5 %), beyond, laws, time. The program of another version: tools/baseline. +- is one standard
 * error. A score is the interval score of ln value (width and 20 times how far outside): less is better.
 */
#include "../words.h"
#include "part.h"
#include "subject.h"
#include "table.h"

#include <glob.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
	uint64_t seeds, processes;
	double tolerance;
	const char *part, *only, *csv, *against;
	bool quiet, brief;
};

static void print_machine(void)
{
	char line[256] = "", model[256] = "unknown processor";
	FILE *file = fopen("/proc/cpuinfo", "r");
	struct utsname name;
	double load = 0;

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "model name : %200[^\n]", model) == 1)
			break;
	if (file)
		(void)fclose(file);
	(void)uname(&name);
	(void)getloadavg(&load, 1);
	printf("machine: %s, %ld processors, load %.2f, %s %s\n", model, sysconf(_SC_NPROCESSORS_ONLN), load,
	       name.sysname, name.release);
}

/* The paths stay with the glob. */
static void find_curves(struct settings *settings, glob_t *tables)
{
	const char *data = getenv("FORETIME_DATA");
	char pattern[4096];

	(void)snprintf(pattern, sizeof pattern, "%s/curves/*.csv", data ? data : "../shared/data");
	if (glob(pattern, 0, NULL, tables)) {
		(void)fprintf(
			stderr,
			"engine: given and beyond: skipped: no '%s': set FORETIME_DATA to the folder of "
			"measurements\n",
			pattern);
		return;
	}
	settings->path = tables->gl_pathv;
	settings->paths = tables->gl_pathc;
}

/* The other program, with the same options. */
static bool run_other(const struct options *o, const char *csv)
{
	char seeds[24], processes[24], tolerance[32];
	const char *argument[20] = {o->against, "--quiet",     "--csv",   csv,           "--seeds",
				    seeds,      "--processes", processes, "--tolerance", tolerance};
	size_t n = 10;
	int status;

	(void)snprintf(seeds, sizeof seeds, "%llu", (unsigned long long)o->seeds);
	(void)snprintf(processes, sizeof processes, "%llu", (unsigned long long)o->processes);
	(void)snprintf(tolerance, sizeof tolerance, "%.17g", o->tolerance);
	if (o->part) {
		argument[n++] = "--part";
		argument[n++] = o->part;
	}
	if (o->only) {
		argument[n++] = "--only";
		argument[n++] = o->only;
	}
	(void)fflush(NULL);
	pid_t child = fork();
	if (!child) {
		(void)execv(o->against, (char *const *)argument);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static bool read_other(const struct options *o, struct records *out)
{
	const char *end = strrchr(o->against, '.');
	char path[] = "/tmp/engine-XXXXXX";
	bool good;

	if (end && !strcmp(end, ".csv")) {
		good = records_read(out, o->against);
	} else {
		int file = mkstemp(path);
		good = file >= 0 && !close(file) && run_other(o, path) && records_read(out, path);
		(void)unlink(path);
	}
	if (!good)
		(void)fprintf(stderr, "engine: nothing can be had from '%s'\n", o->against);
	records_sort(out);
	return good;
}

static bool parse(int argc, char **argv, struct options *o)
{
	const struct word table[] = {
		{"--part", WORD_TEXT, &o->part},       {"--only", WORD_TEXT, &o->only},
		{"--seeds", WORD_COUNT, &o->seeds},    {"--tolerance", WORD_NUMBER, &o->tolerance},
		{"--csv", WORD_TEXT, &o->csv},         {"--processes", WORD_COUNT, &o->processes},
		{"--against", WORD_TEXT, &o->against}, {"--quiet", WORD_FLAG, &o->quiet},
		{"--brief", WORD_FLAG, &o->brief},     {0},
	};

	*o = (struct options){.seeds = 30, .processes = 2, .tolerance = 0.1};
	return words_read(table, argc, argv, NULL) && o->seeds > 0 && o->processes > 0;
}

static int judge(const struct options *o, const struct settings *settings)
{
	struct records now = {0}, today = {0};
	bool good = parts_run(settings, o->part, (unsigned)o->processes, &now);

	if (!good)
		(void)fprintf(stderr, "engine: replays were lost\n");
	if (o->csv && !records_write(&now, o->csv)) {
		perror(o->csv);
		good = false;
	}
	if (good && o->against)
		good = read_other(o, &today);
	if (good && !o->quiet)
		table_print(&now, o->against ? &today : NULL, o->brief);
	records_clear(&now);
	records_clear(&today);
	return good ? 0 : 2;
}

int main(int argc, char **argv)
{
	struct settings settings = {0};
	struct options o;
	glob_t tables = {0};

	if (!parse(argc, argv, &o)) {
		(void)fprintf(stderr,
			      "usage: engine [--part given|made|made-5|beyond|laws|time,...] [--only TEXT] "
			      "[--seeds N] [--tolerance T] [--processes N] [--csv FILE] "
			      "[--against PROGRAM|FILE.csv] [--brief] [--quiet]\n");
		return 2;
	}
	settings.seeds = (unsigned)o.seeds;
	settings.tolerance = o.tolerance;
	settings.only = o.only;
	find_curves(&settings, &tables);
	if (!o.quiet) {
		print_machine();
		printf("now: %s; today: %s\n", subject_name, o.against ? o.against : "-");
	}
	int result = judge(&o, &settings);
	globfree(&tables);
	return result;
}
