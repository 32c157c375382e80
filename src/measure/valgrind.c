/* SPDX-License-Identifier: GPL-3.0-or-later */
/* valgrind.c - the probe that counts the instructions of a size in a separate run. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "measure/measure.h"
#include "measure/program_file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of simulated caches. */
enum { FT__CACHE_LINE = 64 };

/*
 * Instructions of routines counted by callgrind between their marks.
 *
 * A part of its file has "desc: Trigger: Client Request: TEXT" and then "summary: N" (valgrind manual,
 * cl-format). TEXT is written by foretime-probe.h: "@PROBE" the count of one stop-watch so far, "=ROUTINE
 * @PROBE" the name for that, and its count since; "?" that two ran at once. "thread: N" names the thread of
 * a part; at the end of the program each thread has a part (--separate-threads=yes).
 */

static const char trigger[] = "desc: Trigger: ", request[] = "Client Request: ", summary[] = "summary: ",
		  thread[] = "thread: ";

enum { PROBE_LENGTH = 32, TEXT_LENGTH = 160 };

/* The count of a stop-watch without a name yet. */
struct counted_pending {
	char probe[PROBE_LENGTH];
	double instructions;
};

struct counted_reading {
	struct ft__counted *out;
	struct counted_pending *pending; /* [n] */
	size_t n, capacity;
	char text[TEXT_LENGTH]; /* of the part being read; "": none of ours */
};

static struct counted_pending *find_pending(struct counted_reading *r, const char *probe)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->pending[i].probe, probe))
			return &r->pending[i];
	struct counted_pending *grown = ft_grow(r->pending, r->n, &r->capacity, sizeof *grown);
	if (!grown)
		return NULL;
	r->pending = grown;
	grown[r->n] = (struct counted_pending){.instructions = 0};
	(void)snprintf(grown[r->n].probe, PROBE_LENGTH, "%s", probe);
	return &grown[r->n++];
}

/* A part is complete. */
static bool take_part(struct counted_reading *r, double instructions)
{
	char *at = strrchr(r->text, '@');

	if (!strcmp(r->text, "?"))
		r->out->mixed = true;
	if (!at || !(instructions >= 0))
		return true;
	struct counted_pending *pending = find_pending(r, at + 1);
	if (!pending)
		return false;
	pending->instructions += instructions;
	if (*r->text != '=' || at < r->text + 3)
		return true;
	at[-1] = '\0'; /* the blank before it */
	instructions = pending->instructions;
	pending->instructions = 0;
	const char *name = r->text + 1;
	for (size_t i = 0; i < r->out->n; i++)
		if (!strcmp(r->out->routine[i].name, name)) {
			r->out->routine[i].instructions += instructions;
			return true;
		}
	if (r->out->n == FT__ROUTINES_MAX)
		return true;
	void *grown = ft_grow(r->out->routine, r->out->n, &r->out->capacity, sizeof *r->out->routine);
	if (!grown)
		return false;
	r->out->routine = grown;
	(void)snprintf(r->out->routine[r->out->n].name, FT__ROUTINE_LENGTH, "%s", name);
	r->out->routine[r->out->n++].instructions = instructions;
	return true;
}

bool ft__counted_read(struct ft__counted *counted, const char *path)
{
	struct counted_reading r = {.out = counted};
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool good = true;

	while (file && good && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, thread, sizeof thread - 1))
			r.out->threads |= strtol(line + sizeof thread - 1, NULL, 10) > 1;
		if (!strncmp(line, trigger, sizeof trigger - 1)) {
			const char *text = line + sizeof trigger - 1;
			bool ours = !strncmp(text, request, sizeof request - 1);

			(void)snprintf(r.text, sizeof r.text, "%s", ours ? text + sizeof request - 1 : "");
		} else if (*r.text && !strncmp(line, summary, sizeof summary - 1)) {
			good = take_part(&r, strtod(line + sizeof summary - 1, NULL));
			*r.text = '\0';
		}
	}
	free(line);
	if (file)
		(void)fclose(file);
	ft_free(r.pending);
	return good;
}

double ft__counted_of(const struct ft__counted *counted, const char *name)
{
	for (size_t i = 0; i < counted->n; i++)
		if (!strcmp(counted->routine[i].name, name))
			return counted->routine[i].instructions;
	return NAN;
}

void ft__counted_clear(struct ft__counted *counted)
{
	ft_free(counted->routine);
	*counted = (struct ft__counted){0};
}

/*
 * Count the instructions of a program under valgrind, in a separate run.
 */

/* The instructions of an empty program, for each format so far. */
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

/* ---- output of cachegrind --------------------------------------------------------------------------- */

/* The rest of the last line of a file that contains a text, from the text on: heap; NULL: no such line.
 * Returns false when there is no memory. */
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
	double *misses;               /* [3] of two caches, and accesses; NULL: they are not simulated */
	struct ft_profile *profile;   /* of all functions; NULL: they are not wanted */
	struct ft_err unread;         /* why one of its files could not be read */
};

/* "summary: N" ends a count (valgrind manual, cg-manual.outputfile); a log may report a process that did
 * not end by itself. */
static bool take_file(struct simulate_harvest *out, const char *path, const char *suffix)
{
	bool log = !strcmp(suffix, ".log");
	char *line;

	if (!log && out->profile) {
		const enum ft_status status = ft_profile_read(out->profile, path, &out->unread);

		out->processes += !status;
		return status != FT_ENOMEM;
	}
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
	if (WIFSIGNALED(reply->wait_status)) {
		int number = WTERMSIG(reply->wait_status);
		(void)ft_fail(err, FT_EUNAVAIL, "under valgrind it was ended by signal %d (%s)%s%s", number,
			      strsignal(number), *words ? ": " : "", words);
		if (number == SIGILL)
			(void)ft_remedy(
				err,
				"valgrind does not know every instruction, such as those of AVX-512: build "
				"the program without them (-mno-avx512f), or count where there are counters");
		else
			(void)ft_remedy(err,
					"let it end well under valgrind; it gets no standard input there, "
					"and of the environment only PATH, HOME and LD_LIBRARY_PATH");
		return FT_EUNAVAIL;
	}
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
	if (found->unread.status) {
		if (err)
			*err = found->unread;
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

/* A tool: its options, NULL behind the last, and the option of its output file. */
struct tool {
	const char *option[8];
	const char *output;
};

#define CACHEGRIND "valgrind", "-q", "--tool=cachegrind", "--trace-children=yes"

static const struct tool cachegrind = {{CACHEGRIND, "--cache-sim=no"}, "--cachegrind-out-file="},
			 callgrind = {{"valgrind", "-q", "--tool=callgrind", "--collect-atstart=no",
				       "--trace-children=yes", "--combine-dumps=yes",
				       "--separate-threads=yes"},
				      "--callgrind-out-file="},
			 profiler_tool = {{"valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
					   "--combine-dumps=yes"},
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
				   const size_t bytes[2], double misses[3], double *cost_s,
				   struct ft_err *err)
{
	struct simulate_harvest found = {.misses = misses};
	char small[64], large[64];
	const struct tool tool = {{CACHEGRIND, "--cache-sim=yes", small, large}, cachegrind.output};

	(void)snprintf(small, sizeof small, "--D1=%zu,%d,%d", bytes[0], ft__cache_ways(bytes[0]),
		       FT__CACHE_LINE);
	(void)snprintf(large, sizeof large, "--LL=%zu,%d,%d", bytes[1], ft__cache_ways(bytes[1]),
		       FT__CACHE_LINE);
	misses[0] = misses[1] = misses[2] = 0;
	*cost_s = 0;
	return run_tool(simulator, simulation, &tool, simulation->file,
			(const char *const *)(uintptr_t)(simulation->argv + 1), simulation->limit_s, &found,
			cost_s, err);
}

/* ---- all functions -------------------------------------------------------------------------------------- */

struct ft_profiler {
	struct ft__simulator *simulator;
};

void ft_profiler_close(struct ft_profiler *profiler)
{
	if (!profiler)
		return;
	ft__simulate_close(profiler->simulator);
	ft_free(profiler);
}

enum ft_status ft_profiler_run(struct ft_profiler *profiler, const struct ft_program *program,
			       const struct ft_size *size, double limit_s,
			       const volatile sig_atomic_t *interrupt, struct ft_profile *out, double *cost_s,
			       struct ft_err *err)
{
	struct simulate_harvest found = {.profile = out};
	char **argv, *path = NULL;

	*out = (struct ft_profile){0};
	*cost_s = 0;
	FT_TRY(ft_program_arguments(program, size, &argv, err));
	const struct ft__simulation simulation = {.interrupt = interrupt};
	enum ft_status status = ft__program_find(argv[0], &path, err);
	if (!status)
		status = run_tool(profiler->simulator, &simulation, &profiler_tool, path,
				  (const char *const *)(uintptr_t)(argv + 1), limit_s, &found, cost_s, err);
	ft_free(path);
	ft_arguments_free(argv);
	if (status)
		ft_profile_clear(out);
	return status;
}

/* ---- start-up ---------------------------------------------------------------------------------------- */

/* The start of a program of that format: counted when it first occurs. */
static enum ft_status find_start(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				 double *instructions, double *cost_s, struct ft_err *err)
{
	const char *argv[] = {simulation->file, simulation->argv[1], NULL}, *empty[FT__FORMAT_WORDS + 1];
	char path[FT__FORMAT_PATH], *command;
	enum ft_status status = ft__format_empty(argv, path, empty, err);
	struct ft_err why = {0};

	if (status)
		return status;
	const char *const *words = empty;
	struct ft_text text = {0};

	for (; *words; words++)
		ft_text_add(&text, "%s\n", *words);
	command = ft_text_take(&text);
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

static enum ft_status open_simulator(struct ft__simulator **out, const struct ft__setup *setup,
				     struct ft_err *err)
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
		status = ft__client_open(&simulator->client, setup, err);
	if (status) {
		ft__simulate_close(simulator);
		return status;
	}
	*out = simulator;
	return FT_OK;
}

enum ft_status ft__simulate_open(struct ft__simulator **out, int threads, struct ft_err *err)
{
	return open_simulator(out, &(struct ft__setup){.threads = threads, .fixed = true}, err);
}

enum ft_status ft_profiler_open(struct ft_profiler **out, int threads, struct ft_err *err)
{
	struct ft_profiler *profiler = ft_calloc(1, sizeof *profiler);

	*out = NULL;
	if (!profiler)
		return ft_nomem(err);
	enum ft_status status =
		open_simulator(&profiler->simulator,
			       &(struct ft__setup){.threads = threads, .fixed = true, .whole = true}, err);
	if (status)
		ft_free(profiler);
	else
		*out = profiler;
	return status;
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

/*
 * The probe that counts the instructions of a size in a separate run.
 */

static const double SLOWS = 100; /* how much longer valgrind may take than the limit of a run */

/* The count at a size. */
struct counted {
	struct ft_size size;
	double instructions;         /* of the process; NaN: reason has the cause */
	char *reason;                /* heap */
	struct ft__counted routines; /* n = 0: none was counted */
	char *routines_reason;       /* heap; why their run under valgrind failed, or NULL */
	bool one;                    /* one routine stands for the process, which is not counted itself */
};

struct valgrind {
	struct ft__simulator *simulator; /* NULL: unavailable, absent has the reason */
	struct ft_err absent;
	struct counted *counted; /* [n] sizes that were counted, or could not be */
	size_t n, capacity;
};

static void clear_counted(struct counted *counted)
{
	ft_free(counted->reason);
	ft_free(counted->routines_reason);
	ft__counted_clear(&counted->routines);
}

static void close_valgrind(void *state)
{
	struct valgrind *valgrind = state;

	ft__simulate_close(valgrind->simulator);
	for (size_t i = 0; i < valgrind->n; i++)
		clear_counted(&valgrind->counted[i]);
	ft_free(valgrind->counted);
	ft_free(valgrind);
}

static enum ft_status open_valgrind(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct valgrind *valgrind;

	(void)client;
	if (!ft__counters_simulated(launch))
		return FT_OK;
	*state = valgrind = ft_calloc(1, sizeof *valgrind);
	if (!valgrind)
		return ft_nomem(err);
	enum ft_status status = ft__simulate_open(&valgrind->simulator, launch->threads, &valgrind->absent);
	return status && status != FT_EUNAVAIL ? ft_nomem(err) : FT_OK;
}

static struct counted *find_counted(const struct valgrind *valgrind, const struct ft_size *size)
{
	for (size_t i = 0; i < valgrind->n; i++)
		if (ft_size_equal(&valgrind->counted[i].size, size))
			return &valgrind->counted[i];
	return NULL;
}

static bool wants(const void *state, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !find_counted(state, &run->size);
}

/* A failure that is an answer becomes the reason; any other is returned. */
static enum ft_status keep_reason(enum ft_status status, const struct ft_err *why, char **reason,
				  struct ft_err *err)
{
	if (status == FT_EUNAVAIL) {
		*reason = ft__reason(why);
		return *reason ? FT_OK : ft_nomem(err);
	}
	if (status && err)
		*err = *why;
	return status;
}

/* The routines, where the run reported some; then the process, unless its only routine stands for it. A
 * routine that cannot be counted is unavailable: the instructions of its process are no answer for it. */
static enum ft_status count_all(const struct valgrind *valgrind, const struct ft__again *again,
				struct counted *counted, double *cost_s, struct ft_err *err)
{
	const struct ft__simulation simulation = {again->file, again->argv, SLOWS * again->limit_s,
						  again->interrupt, again->frozen};
	struct ft_err why = valgrind->absent;
	enum ft_status status = FT_EUNAVAIL;
	double took_s = 0;

	counted->one = again->routines == 1;
	if (again->routines) {
		if (valgrind->simulator)
			status = ft__simulate_routines(valgrind->simulator, &simulation, &counted->routines,
						       &took_s, &why);
		*cost_s += took_s;
		status = keep_reason(status, &why, &counted->routines_reason, err);
		if (status || counted->one)
			return status;
	}
	took_s = 0;
	status = FT_EUNAVAIL;
	why = valgrind->absent;
	if (valgrind->simulator)
		status = ft__simulate_count(valgrind->simulator, &simulation, &counted->instructions, &took_s,
					    &why);
	*cost_s += took_s;
	return keep_reason(status, &why, &counted->reason, err);
}

static enum ft_status repeat(void *state, const struct ft__again *again, double *cost_s, struct ft_err *err)
{
	struct valgrind *valgrind = state;
	struct counted counted = {.size = *again->size, .instructions = NAN}, *grown = NULL;
	enum ft_status status = count_all(valgrind, again, &counted, cost_s, err);

	if (!status) {
		grown = ft_grow(valgrind->counted, valgrind->n, &valgrind->capacity, sizeof *grown);
		status = grown ? FT_OK : ft_nomem(err);
	}
	if (status) {
		clear_counted(&counted);
		return status;
	}
	valgrind->counted = grown;
	grown[valgrind->n++] = counted;
	return FT_OK;
}

/* NaN: it was not counted. */
static double routine_instructions(const struct counted *counted, const char *name)
{
	if (counted->routines.mixed || counted->routines.threads)
		return NAN;
	if (name)
		return ft__counted_of(&counted->routines, name);
	return counted->routines.n == 1 ? counted->routines.routine[0].instructions : NAN;
}

static enum ft_status read_valgrind(void *state, const struct ft__result *result, struct ft_run *run,
				    struct ft_err *err)
{
	const struct counted *counted = find_counted(state, &run->size);

	(void)result;
	if (!counted || run->outcome != FT_DONE)
		return FT_OK;
	if (!run->routine && !counted->one)
		return ft_run_add(run, &ft_instructions, counted->instructions,
				  counted->reason ? FT_UNAVAILABLE : FT_SIMULATED, "valgrind",
				  counted->reason, err);
	double value = routine_instructions(counted, run->routine);
	if (isnan(value)) {
		/* Callgrind counts in the thread that reports: what other threads do for a routine is not seen. So only a
		 * program that never had a second thread is believed; clocks cannot judge that, for those of a short routine,
		 * or of one that waited for a processor, show one thread as several and several as one. */
		struct ft_err why = {0};

		if (counted->routines_reason)
			return ft_run_add(run, &ft_instructions, NAN, FT_UNAVAILABLE, "callgrind",
					  counted->routines_reason, err);
		if (counted->routines.threads) {
			(void)ft_fail(&why, FT_EUNAVAIL,
				      "it ran in several threads, of which valgrind counts one");
			(void)ft_remedy(&why, "let it run in one: --threads 1");
		} else if (counted->routines.mixed) {
			(void)ft_fail(&why, FT_EUNAVAIL,
				      "two routines ran at once: their instructions cannot be apart");
			(void)ft_remedy(&why, "stop one before the other starts, and report now and then");
		} else {
			(void)ft_fail(&why, FT_EUNAVAIL,
				      "the program does not mark the start of its routines for valgrind");
			(void)ft_remedy(&why, "compile it where valgrind's header is (apt install valgrind)");
		}
		return ft__add_unavailable(run, &ft_instructions, "callgrind", &why, err);
	}
	return ft_run_add(run, &ft_instructions, value, FT_SIMULATED, "callgrind", NULL, err);
}

const struct ft__probe_ops ft__valgrind_probe = {.open = open_valgrind,
						 .close = close_valgrind,
						 .read = read_valgrind,
						 .wants = wants,
						 .repeat = repeat};
