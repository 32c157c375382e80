/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.c - instructions of a program counted under valgrind, in a run of its own. */
#include "measure/simulate.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/units.h"
#include "measure/client.h"
#include "measure/format.h"
#include "measure/program_file.h"
#include "measure/record.h"
#include "measure/working_set.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What an empty program takes, for each format that was met. */
struct simulate_start {
	char *command;
	double instructions;
};

struct ft__simulator {
	struct ft__client client;
	char *valgrind;
	struct simulate_start *start;
	size_t n_starts, capacity;
};

/* ---- what cachegrind wrote --------------------------------------------------------------------------- */

/* Of the last line of a file that holds a text, what stands from there on: heap; NULL: none does. Returns
 * false when there is no memory. */
static bool find_line(const char *path, const char *text, char **found)
{
	FILE *file = fopen(path, "re");
	char *line = NULL, *at;
	size_t size = 0;
	bool good = true;

	*found = NULL;
	while (file && good && getline(&line, &size, file) > 0)
		if ((at = strstr(line, text))) {
			ft_free(*found);
			*found = ft_strndup(at, strcspn(at, "\n"));
			good = *found;
		}
	free(line);
	if (file)
		(void)fclose(file);
	return good;
}

struct simulate_harvest {
	double instructions;
	size_t processes;
	char terminated[128];         /* "Process terminating with ..."; "": none did */
	struct ft__counted *routines; /* callgrind: taken in, too; NULL: they are not wanted */
	double *misses;               /* [2] of two caches; NULL: they are not simulated */
};

/* "summary: N" ends a count (valgrind manual, cg-manual.outputfile); a log may tell of a process that did not
 * end by itself. */
static bool take_file(struct simulate_harvest *out, const char *path, const char *suffix)
{
	bool log = !strcmp(suffix, ".log");
	char *line;

	if (!log && out->routines) {
		out->processes++;
		return ft__counted_read(out->routines, path);
	}
	if (!find_line(path, log ? "Process terminating" : "summary: ", &line))
		return false;
	double instructions = line && !log ? strtod(line + strlen("summary: "), NULL) : 0;
	if (line && log && !*out->terminated)
		(void)snprintf(out->terminated, sizeof out->terminated, "%s", line);
	out->instructions += instructions;
	out->processes += instructions > 0;
	if (instructions > 0 && out->misses)
		ft__misses_add(line + strlen("summary: "), out->misses);
	ft_free(line);
	return true;
}

/* Take in all files of the folder, and remove it. */
static bool read_profiles(const char *folder, struct simulate_harvest *out)
{
	DIR *stream = opendir(folder);
	struct dirent *entry;
	bool good = stream != NULL;

	while (stream && (entry = readdir(stream))) {
		struct ft_text path = {0};
		const char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] == '.')
			continue;
		ft_text_add(&path, "%s/%s", folder, entry->d_name);
		good = good && !path.failed && (!dot || take_file(out, path.s, dot));
		if (!path.failed)
			(void)unlink(path.s);
		ft_text_clear(&path);
	}
	if (stream)
		(void)closedir(stream);
	(void)rmdir(folder);
	return good;
}

/* ---- one run under valgrind -------------------------------------------------------------------------- */

static enum ft_status refuse_signal(int number, const char *words, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL, "under valgrind it was ended by signal %d (%s)%s%s", number,
		      strsignal(number), *words ? ": " : "", words);
	if (number == SIGILL)
		(void)ft_remedy(err,
				"valgrind does not know every instruction, such as those of AVX-512: build "
				"the program without them (-mno-avx512f), or count where there are counters");
	else
		(void)ft_remedy(err,
				"let it end well under valgrind; it gets no standard input there, and of "
				"the environment only PATH, HOME and LD_LIBRARY_PATH");
	return FT_EUNAVAIL;
}

/* Any end but a good one is refused: a count that breaks off looks like any other. */
static enum ft_status judge_answer(const struct ft__answer *answer, const struct simulate_harvest *found,
				   double limit_s, struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	char text[FT_UNIT_LENGTH], words[161] = "";
	char *detail = ft__record_detail(answer);
	const char *newline = detail ? strrchr(detail, '\n') : NULL;

	if (!detail)
		return ft_nomem(err);
	(void)snprintf(words, sizeof words, "%.160s", newline ? newline + 1 : detail);
	ft_free(detail);
	if (reply->start_errno)
		return ft_fail(err, FT_EUNAVAIL, "cannot execute valgrind: %s", strerror(reply->start_errno));
	if (reply->flags & FT__ENDED_BY_CANCEL)
		return ft_fail(err, FT_EUNAVAIL, "it was interrupted under valgrind");
	if (reply->flags & FT__ENDED_AT_LIMIT) {
		(void)ft_fail(err, FT_EUNAVAIL, "under valgrind it was ended after %s",
			      ft_value_format(limit_s, "s", text));
		(void)ft_remedy(err, "valgrind takes some 20 times as long: count smaller sizes");
		return FT_EUNAVAIL;
	}
	if (WIFSIGNALED(reply->wait_status))
		return refuse_signal(WTERMSIG(reply->wait_status), words, err);
	if (reply->wait_status || (reply->flags & FT__NOT_ENDED)) {
		(void)ft_fail(err, FT_EUNAVAIL, "under valgrind it ended with status %d%s%s",
			      WEXITSTATUS(reply->wait_status), *words ? ": " : "", words);
		(void)ft_remedy(err,
				"let it end well there: it gets no standard input, and of the environment "
				"only PATH, HOME and LD_LIBRARY_PATH");
		return FT_EUNAVAIL;
	}
	if (*found->terminated) {
		(void)ft_fail(err, FT_EUNAVAIL, "under valgrind one of its processes did not end well: %s",
			      found->terminated);
		(void)ft_remedy(err,
				"valgrind does not know every instruction, such as those of AVX-512: build "
				"the program without them, or count where there are counters");
		return FT_EUNAVAIL;
	}
	if (found->processes)
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "valgrind wrote no count");
	(void)ft_remedy(err,
			"see whether the disk of TMPDIR is full; try 'valgrind --tool=cachegrind' by hand");
	return FT_EUNAVAIL;
}

static enum ft_status make_folder(char **folder, struct ft_err *err)
{
	const char *place = getenv("TMPDIR");
	struct ft_text text = {0};

	ft_text_add(&text, "%s/foretime-XXXXXX", place && *place == '/' ? place : "/tmp");
	*folder = ft_text_take(&text);
	if (!*folder)
		return ft_nomem(err);
	if (mkdtemp(*folder))
		return FT_OK;
	int number = errno;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot make the folder '%s': %s", *folder, strerror(number));
	(void)ft_remedy(err, "set TMPDIR to a folder that you may write to");
	ft_free(*folder);
	*folder = NULL;
	return FT_EUNAVAIL;
}

/* What counts: its options, NULL behind the last, and that which names its file. */
struct tool {
	const char *option[8];
	const char *output;
};

#define CACHEGRIND "valgrind", "-q", "--tool=cachegrind", "--trace-children=yes"

static const struct tool cachegrind = {{CACHEGRIND, "--cache-sim=no"}, "--cachegrind-out-file="},
			 callgrind = {{"valgrind", "-q", "--tool=callgrind", "--collect-atstart=no",
				       "--trace-children=yes", "--combine-dumps=yes",
				       "--separate-threads=yes"},
				      "--callgrind-out-file="};

/* argv before that of the program: valgrind and its options. */
enum { OPTIONS = 12 };

/* An option that names a file; in it valgrind takes '%' for the beginning of %p and the like. */
static void add_name(struct ft_text *text, const char *option, const char *folder, const char *name)
{
	ft_text_add(text, "%s", option);
	for (; *folder; folder++)
		ft_text_add_bytes(text, *folder == '%' ? "%%" : folder, *folder == '%' ? 2 : 1);
	ft_text_add(text, "%s", name);
}

static char **make_argv(const struct tool *tool, const char *folder, const char *file,
			const char *const *rest, char *made[2])
{
	struct ft_text log = {0}, output = {0};
	size_t n = 0, i;

	while (rest[n])
		n++;
	const char **argv = ft_calloc(n + OPTIONS, sizeof *argv);
	add_name(&log, "--log-file=", folder, "/%p.log");
	add_name(&output, tool->output, folder, "/%p.out");
	made[0] = ft_text_take(&log);
	made[1] = ft_text_take(&output);
	if (!argv || !made[0] || !made[1]) {
		ft_free(argv);
		return NULL;
	}
	for (i = 0; tool->option[i]; i++)
		argv[i] = tool->option[i];
	argv[i++] = made[0];
	argv[i++] = made[1];
	argv[i++] = file;
	for (n = 0; rest[n]; n++)
		argv[i++] = rest[n];
	return (char **)(uintptr_t)argv;
}

/* rest: the arguments behind the file; found: what was counted. */
static enum ft_status run_tool(struct ft__simulator *simulator, const struct ft__simulation *simulation,
			       const struct tool *tool, const char *file, const char *const *rest,
			       double limit_s, struct simulate_harvest *found, double *cost_s,
			       struct ft_err *err)
{
	struct ft__order order = {.file = simulator->valgrind,
				  .flags = FT__PLAIN,
				  .limit_s = limit_s,
				  .interrupt = simulation->interrupt,
				  .frozen = simulation->frozen};
	struct ft__answer answer = {.report = -1};
	char *folder = NULL, *made[2] = {NULL, NULL};

	FT_TRY(make_folder(&folder, err));
	order.argv = make_argv(tool, folder, file, rest, made);
	enum ft_status status =
		order.argv ? ft__client_run(&simulator->client, &order, &answer, err) : ft_nomem(err);
	if (!read_profiles(folder, found) && !status)
		status = ft_nomem(err);
	if (!status) {
		*cost_s += fmax(0, ft__answer_wall_s(&answer));
		status = judge_answer(&answer, found, limit_s, err);
	}
	ft__answer_clear(&answer);
	ft_free(order.argv);
	ft_free(made[0]);
	ft_free(made[1]);
	ft_free(folder);
	return status;
}

static enum ft_status count_command(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				    const char *file, const char *const *rest, double limit_s,
				    double *instructions, double *cost_s, struct ft_err *err)
{
	struct simulate_harvest found = {0};
	enum ft_status status =
		run_tool(simulator, simulation, &cachegrind, file, rest, limit_s, &found, cost_s, err);

	if (!status)
		*instructions = found.instructions;
	return status;
}

enum ft_status ft__simulate_routines(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				     struct ft__counted *out, double *cost_s, struct ft_err *err)
{
	struct simulate_harvest found = {.routines = out};

	*out = (struct ft__counted){0};
	*cost_s = 0;
	return run_tool(simulator, simulation, &callgrind, simulation->file,
			(const char *const *)(uintptr_t)(simulation->argv + 1), simulation->limit_s, &found,
			cost_s, err);
}

enum ft_status ft__simulate_caches(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				   const size_t bytes[2], double misses[2], double *cost_s,
				   struct ft_err *err)
{
	struct simulate_harvest found = {.misses = misses};
	char small[64], large[64];
	const struct tool tool = {{CACHEGRIND, "--cache-sim=yes", small, large}, cachegrind.output};

	(void)snprintf(small, sizeof small, "--D1=%zu,%d,%d", bytes[0], ft__cache_ways(bytes[0]),
		       FT__CACHE_LINE);
	(void)snprintf(large, sizeof large, "--LL=%zu,%d,%d", bytes[1], ft__cache_ways(bytes[1]),
		       FT__CACHE_LINE);
	misses[0] = misses[1] = 0;
	*cost_s = 0;
	return run_tool(simulator, simulation, &tool, simulation->file,
			(const char *const *)(uintptr_t)(simulation->argv + 1), simulation->limit_s, &found,
			cost_s, err);
}

/* ---- start-up ---------------------------------------------------------------------------------------- */

static char *join_words(const char *const *words)
{
	struct ft_text text = {0};

	for (; *words; words++)
		ft_text_add(&text, "%s\n", *words);
	return ft_text_take(&text);
}

/* What a program of that format takes to start: counted when it is met first. */
static enum ft_status find_start(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				 double *instructions, double *cost_s, struct ft_err *err)
{
	const char *argv[] = {simulation->file, simulation->argv[1], NULL}, *empty[FT__FORMAT_WORDS + 1];
	char path[FT__FORMAT_PATH], *command;
	enum ft_status status = ft__format_empty(argv, path, empty, err);
	struct ft_err why = {0};

	if (status)
		return status;
	command = join_words(empty);
	if (!command)
		return ft_nomem(err);
	for (size_t i = 0; i < simulator->n_starts; i++)
		if (!strcmp(simulator->start[i].command, command)) {
			*instructions = simulator->start[i].instructions;
			ft_free(command);
			return FT_OK;
		}
	status = count_command(simulator, simulation, empty[0], empty + 1, 0, instructions, cost_s, &why);
	if (status == FT_EUNAVAIL)
		(void)ft_fail(err, status, "what its start takes cannot be counted ('%s'): %s", empty[0],
			      why.text);
	else if (status && err)
		*err = why;
	struct simulate_start *grown =
		status ? NULL
		       : ft_grow(simulator->start, simulator->n_starts, &simulator->capacity, sizeof *grown);
	if (grown) {
		simulator->start = grown;
		grown[simulator->n_starts++] = (struct simulate_start){command, *instructions};
		return FT_OK;
	}
	ft_free(command);
	return status ? status : ft_nomem(err);
}

enum ft_status ft__simulate_count(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				  double *instructions, double *cost_s, struct ft_err *err)
{
	double start = NAN, whole = NAN;

	*instructions = NAN;
	*cost_s = 0;
	FT_TRY(find_start(simulator, simulation, &start, cost_s, err));
	FT_TRY(count_command(simulator, simulation, simulation->file,
			     (const char *const *)(uintptr_t)(simulation->argv + 1), simulation->limit_s,
			     &whole, cost_s, err));
	if (whole < start) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      "it takes %.0f instructions, fewer than an empty program (%.0f)", whole, start);
		(void)ft_remedy(err, "count a larger size");
		return FT_EUNAVAIL;
	}
	*instructions = whole - start;
	return FT_OK;
}

/* ---- open and close ---------------------------------------------------------------------------------- */

enum ft_status ft__simulate_open(struct ft__simulator **out, int threads, struct ft_err *err)
{
	struct ft__simulator *simulator = ft_calloc(1, sizeof *simulator);

	*out = NULL;
	if (!simulator)
		return ft_nomem(err);
	simulator->client.socket = -1;
	enum ft_status status = ft__program_find("valgrind", &simulator->valgrind, err);
	if (status == FT_ENOENT || status == FT_EACCESS) {
		status = ft_fail(err, FT_EUNAVAIL, "valgrind is not installed");
		(void)ft_remedy(err, "install it: apt install valgrind");
	}
	if (!status)
		status = ft__client_open(&simulator->client,
					 &(struct ft__setup){.threads = threads, .fixed = true}, err);
	if (status) {
		ft__simulate_close(simulator);
		return status;
	}
	*out = simulator;
	return FT_OK;
}

void ft__simulate_close(struct ft__simulator *simulator)
{
	if (!simulator)
		return;
	ft__client_close(&simulator->client);
	for (size_t i = 0; i < simulator->n_starts; i++)
		ft_free(simulator->start[i].command);
	ft_free(simulator->start);
	ft_free(simulator->valgrind);
	ft_free(simulator);
}

enum ft_status ft__simulate_check(struct ft_err *err)
{
	static const char *const none[] = {NULL};
	static const struct ft__simulation nobody = {.limit_s = 0};
	const char *const self[] = {"/proc/self/exe", NULL};
	const char *empty[FT__FORMAT_WORDS + 1];
	char path[FT__FORMAT_PATH];
	struct ft__simulator *simulator;
	double instructions, cost_s = 0;
	enum ft_status status = ft__simulate_open(&simulator, 0, err);

	if (!simulator)
		return status;
	status = ft__format_empty(self, path, empty, err);
	if (!status)
		status = count_command(simulator, &nobody, empty[0], none, 0, &instructions, &cost_s, err);
	ft__simulate_close(simulator);
	return status;
}
