/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - runs a program on this machine. */
#include "base/alloc.h"
#include "base/clock.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "measure/launch.h"
#include "measure/measure.h"
#include "measure/program_file.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Watch a program while it runs: the news of the helper, its reports of progress, and its output.
 */

enum {
	BLOCK = 1 << 16,
	BLOCKS_MOST = 64 /* of output at once: the clock is checked in between */
};

struct watching {
	struct ft__hearing hearing; /* first member: the client has a pointer to it */
	const struct ft_watcher *watcher;
	const struct ft__client *client;
	struct ft__report report;
	int file; /* the file of the program's reports; -1: not known yet */
	off_t at; /* read so far */
	char block[BLOCK];
};

static enum ft_status open_watching(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct watching *w;

	if (!launch->watcher)
		return FT_OK;
	*state = w = ft_calloc(1, sizeof *w);
	if (!w)
		return ft_nomem(err);
	w->watcher = launch->watcher;
	w->client = client;
	w->file = -1;
	return FT_OK;
}

static void forget_gone(struct watching *w)
{
	if (w->file >= 0)
		(void)close(w->file);
	w->file = -1;
	w->at = 0;
	ft__report_clear(&w->report);
}

/* The newest report of the program. Without memory there is no progress, but no failure of the run. */
static void read_report(struct watching *w)
{
	ssize_t got;

	while (w->file >= 0 && w->at < FT__REPORT_MAX && (got = pread(w->file, w->block, BLOCK, w->at)) > 0) {
		if (ft__report_add(&w->report, w->block, (size_t)got, NULL))
			return;
		w->at += got;
	}
}

static void take_news(struct ft__hearing *hearing, const struct ft__news *news, int file)
{
	struct watching *w = (struct watching *)(void *)hearing;
	const bool timed = news->exec_s > 0 || news->delay_s > 0;
	struct ft_moment moment = {.time_s = news->time_s,
				   .bytes = (double)news->bytes,
				   .largest_bytes = (double)news->largest_bytes,
				   .cpu_s = timed ? news->exec_s : (double)NAN,
				   .delay_s = timed ? news->delay_s : (double)NAN,
				   .pid = news->program};

	if (file >= 0) {
		forget_gone(w);
		w->file = file;
	}
	if (news->first)
		return;
	read_report(w);
	moment.done = w->report.done;
	moment.total = w->report.total;
	if (!w->watcher->look(w->watcher->ctx, &moment))
		hearing->end = true;
}

static bool arm(void *state, struct ft__order *order)
{
	struct watching *w = state;

	forget_gone(w);
	w->hearing = (struct ft__hearing){take_news, false};
	order->flags |= FT__NEWS;
	order->hearing = &w->hearing;
	return true;
}

static void hear_watched(void *state)
{
	struct watching *w = state;
	ssize_t got;

	for (int i = 0; i < 2 && w->watcher->heard; i++)
		for (int blocks = 0;
		     blocks < BLOCKS_MOST && (got = read(w->client->heard[i], w->block, BLOCK)) > 0; blocks++)
			w->watcher->heard(w->watcher->ctx, i + 1, w->block, (size_t)got);
}

static size_t files(void *state, int *file, size_t most)
{
	const struct watching *w = state;
	size_t n = 0;

	for (; n < 2 && n < most && w->watcher->heard; n++)
		file[n] = w->client->heard[n];
	return n;
}

/* Read the rest of the pipes; also after the loss of a helper. */
static void drain(struct watching *w)
{
	if (w->watcher->heard && w->client->heard[0] >= 0)
		hear_watched(w);
}

static enum ft_status read_nothing(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	(void)result;
	(void)run;
	(void)err;
	drain(state);
	return FT_OK;
}

static void close_watching(void *state)
{
	drain(state);
	forget_gone(state);
	ft_free(state);
}

/*
 * Runs a program on this machine.
 */

const struct ft__probe_ops ft__watcher_probe = {.open = open_watching,
						.close = close_watching,
						.arm = arm,
						.hear = hear_watched,
						.files = files,
						.read = read_nothing};

static const double SAMPLE_S = 0.01, LATE_CLEANUP_S = 5; /* of a cleanup after an interrupt */

struct process {
	struct ft_source source;
	struct ft_launch launch;
	struct ft__client client;
	struct ft__probes probes;
	char *file;     /* the path of argv[0]; NULL: it has placeholders, so each run looks it up */
	char *emulator; /* path; NULL: the program is of this processor */
	int case_column;
	size_t case_param; /* the parameter with the size of a case */
	int64_t hz_ns;
	double hz;
};

static struct process *process_of(struct ft_source *source)
{
	return (struct process *)(void *)source;
}

/* ---- cases ------------------------------------------------------------------------------------------- */

static enum ft_status open_cases(struct process *process, struct ft_err *err)
{
	const struct ft_program *program = process->launch.program;
	const struct ft_csv *cases = process->launch.cases;

	if (!program->n_params)
		return ft_fail(err, FT_EINVAL, "cases need a parameter: the column that is their size");
	process->case_param = ft_program_varying(program);
	process->case_column = ft_csv_column(cases, program->param[process->case_param].name);
	if (process->case_column < 0) {
		(void)ft_fail(err, FT_EINVAL, "the cases have no column '%s', which is to be their size",
			      program->param[process->case_param].name);
		(void)ft_remedy(err, "name the column that is: the first is '%s'",
				ft_csv_column_name(cases, 0));
		return FT_EINVAL;
	}
	if (!ft_csv_rows(cases))
		return ft_fail(err, FT_EINVAL, "there are no cases: the table has a header and no row");
	size_t rows = ft_csv_rows(cases), i;
	double *sizes = ft_calloc(rows ? rows : 1, sizeof *sizes);

	process->source.sizes = sizes;
	if (!sizes)
		return ft_nomem(err);
	for (i = 0; i < rows; i++)
		FT_TRY(ft_csv_number(cases, i, (size_t)process->case_column, false, &sizes[i], err));
	process->source.n_sizes = ft_sort_different(sizes, rows);
	process->source.sizes_param = process->case_param;
	return FT_OK;
}

/* The case of a size; where several have it, each in its turn. */
static enum ft_status find_case(const struct process *process, const struct ft_size *size, size_t index,
				size_t *row, struct ft_err *err)
{
	const struct ft_csv *cases = process->launch.cases;
	size_t rows = ft_csv_rows(cases), same = 0, pass, i;
	char digits[FT_NUMBER_LENGTH];
	double value;

	for (pass = 0; pass < 2; pass++) {
		size_t nth = same ? index % same : 0;

		for (i = 0; i < rows; i++) {
			if (ft_csv_number(cases, i, (size_t)process->case_column, false, &value, NULL) ||
			    value != size->value[process->case_param])
				continue;
			if (pass && !nth--) {
				*row = i;
				return FT_OK;
			}
			same += !pass;
		}
	}
	(void)ft_fail(err, FT_EINVAL, "there is no case with %s=%s",
		      process->launch.program->param[process->case_param].name,
		      ft_number_format(size->value[process->case_param], digits));
	(void)ft_remedy(err, "ask for a size that the table of cases has");
	return FT_EINVAL;
}

/* ---- a run ------------------------------------------------------------------------------------------- */

static bool interrupted(const struct process *process)
{
	return process->source.interrupt && *process->source.interrupt;
}

/* NULL: no reports of pauses. */
static const struct ft__frozen *frozen_of(const struct process *process)
{
	return process->source.frozen.heard_s ? &process->source.frozen : NULL;
}

static enum ft_status open_helper(struct process *process, struct ft_err *err)
{
	const struct ft_launch *launch = &process->launch;
	char layer[FT__HELPER_PATH];
	const struct ft__setup setup = {.threads = launch->threads,
					.layer = ft__gpu_layer(launch, layer) ? layer : NULL,
					.real = launch->real,
					/* What a program looks up in its environment counts. */
					.fixed = process->emulator,
					.whole = process->emulator,
					.overhear = launch->watcher && launch->watcher->heard};
	enum ft_status status = ft__client_open(&process->client, &setup, err);

	if (!status && launch->pin)
		status = ft__client_pin(&process->client, launch->pin, err);
	if (!status)
		status = ft__probes_open(&process->probes, launch, &process->client, err);
	return status;
}

static void close_helper(struct process *process)
{
	ft__probes_close(&process->probes);
	ft__client_close(&process->client);
}

/* The program ended its helper: the next run gets another. */
static enum ft_status open_again(struct process *process, struct ft_err *err)
{
	close_helper(process);
	return open_helper(process, err);
}

static enum ft_status have_helper(struct process *process, struct ft_err *err)
{
	return process->client.socket >= 0 ? FT_OK : open_again(process, err);
}

/* Execute a shell command. words: the error, heap; NULL without one. frozen_s: the length of pauses. */
static enum ft_status run_shell(struct process *process, const struct ft__filling *filling, const char *name,
				const char *command, double *frozen_s, char **words, struct ft_err *err)
{
	char shell[] = "sh", option[] = "-c", file[] = "/bin/sh";
	char *argv[] = {shell, option, NULL, NULL};
	bool late = interrupted(process);
	struct ft__order order = {.file = file,
				  .argv = argv,
				  .flags = FT__PLAIN,
				  .limit_s = late ? LATE_CLEANUP_S : 0,
				  .sample_s = SAMPLE_S,
				  .interrupt = late ? NULL : process->source.interrupt,
				  .frozen = frozen_of(process)};
	struct ft__answer answer;
	struct ft_text text = {0};
	enum ft_status status = have_helper(process, err);

	*words = NULL;
	*frozen_s = 0;
	if (status)
		return status;
	ft__arguments_fill(filling, command, &text);
	argv[2] = ft_text_take(&text);
	if (!argv[2])
		return ft_nomem(err);
	status = ft__client_run(&process->client, &order, &answer, err);
	ft_free(argv[2]);
	if (status == FT_EIO) {
		ft_text_add(&text, "the %s command ended foretime-helper, its parent process", name);
		*words = ft_text_take(&text);
		return *words ? open_again(process, err) : ft_nomem(err);
	}
	if (status)
		return status;
	*frozen_s = answer.frozen_s;
	if (answer.reply.start_errno || answer.reply.wait_status) {
		int ended = answer.reply.wait_status;
		char *words_of_run = ft__record_detail(&answer);

		if (answer.reply.start_errno)
			ft_text_add(&text, "the %s command cannot start: %s", name,
				    strerror(answer.reply.start_errno));
		else if (WIFSIGNALED(ended))
			ft_text_add(&text, "the %s command was ended by signal %d", name, WTERMSIG(ended));
		else
			ft_text_add(&text, "the %s command failed with status %d", name, WEXITSTATUS(ended));
		if (words_of_run && *words_of_run)
			ft_text_add(&text, ": %s", words_of_run);
		*words = words_of_run ? ft_text_take(&text) : NULL;
		status = *words ? FT_OK : ft_nomem(err);
		ft_free(words_of_run);
		ft_text_clear(&text);
	}
	ft__answer_clear(&answer);
	return status;
}

/* The helper was ended, together with the program or by it. A real program continues, and its run is
 * recorded, even if no other helper can be started. */
static enum ft_status record_lost(struct process *process, const struct ft__before *before,
				  struct ft_runs *runs, struct ft_err *err)
{
	const struct ft_launch *launch = &process->launch;
	struct ft__client *client = &process->client;
	int ended = launch->real ? ft__client_wait(client, launch->signal) : client->ended;
	enum ft_status status = ft__record_lost(before, launch->real, ended, runs, err);

	if (!status && !launch->real)
		return open_again(process, err);
	close_helper(process);
	return status;
}

static enum ft_status run_program(struct process *process, const struct ft__filling *filling, double limit_s,
				  struct ft_runs *runs, struct ft_err *err)
{
	const struct ft_launch *launch = &process->launch;
	struct ft__order order = {.flags = (launch->pass_through ? FT__PASS_THROUGH : 0U) |
					   (launch->real ? FT__REAL : 0U),
				  .limit_s = limit_s,
				  .sample_s = launch->sample_s > 0 ? launch->sample_s : SAMPLE_S,
				  .interrupt = process->source.interrupt,
				  .frozen = frozen_of(process),
				  .signal = launch->real ? launch->signal : NULL};
	struct ft__before before;
	struct ft__answer answer;
	size_t at = runs->n;

	FT_TRY(have_helper(process, err));
	FT_TRY(ft__arguments_list(filling, &order.argv, err));
	order.file = process->file ? process->file : order.argv[0];
	if (process->emulator) {
		enum ft_status wrapped = ft__emulate_words(process->emulator, order.file, &order.argv, err);

		if (wrapped) {
			ft_arguments_free(order.argv);
			return wrapped;
		}
		order.file = process->emulator;
	}
	ft__probes_arm(&process->probes, &order);
	ft__record_before(filling->size, &process->hz_ns, &process->hz, &before);
	enum ft_status status = ft__client_run(&process->client, &order, &answer, err);
	if (!status) {
		status = ft__record_answer(&before, order.file, &answer, &process->probes, runs, err);
		ft__answer_clear(&answer);
	} else if (status == FT_EIO) {
		status = record_lost(process, &before, runs, err);
	}
	if (!status && launch->pass_through && (launch->real || interrupted(process))) {
		/* A program that shares our terminal may have got the interrupt before us. */
		if (runs->run[at].outcome == FT_CRASHED &&
		    (runs->run[at].signal == SIGINT || runs->run[at].signal == SIGTERM ||
		     runs->run[at].signal == SIGHUP))
			runs->run[at].outcome = FT_INTERRUPTED;
	}
	ft_arguments_free(order.argv);
	return status;
}

/* A failed cleanup does not invalidate the run; it is added to the run's words. */
static enum ft_status add_words(struct ft_run *run, char *words, struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s%s%s", run->detail ? run->detail : "", run->detail ? "\n" : "", words);
	ft_free(words);
	words = ft_text_take(&text);
	if (!words)
		return ft_nomem(err);
	ft_free(run->detail);
	run->detail = words;
	return FT_OK;
}

/* The body between prepare and cleanup: make the run at an index of runs, or repeat it for a probe. */
typedef enum ft_status between(struct process *process, const struct ft__filling *filling, double limit_s,
			       struct ft_runs *runs, size_t at, size_t probe, struct ft_err *err);

static enum ft_status make_run(struct process *process, const struct ft__filling *filling, double limit_s,
			       struct ft_runs *runs, size_t at, size_t probe, struct ft_err *err)
{
	(void)probe;
	assert(at == runs->n);
	return run_program(process, filling, limit_s, runs, err);
}

/* How many routines the run at an index reported. */
static size_t routines_of(const struct ft_runs *runs, size_t at)
{
	const struct ft_run *run = &runs->run[at];

	for (size_t i = 0; i < run->n_samples; i++)
		if (!strcmp(run->sample[i].probe, "report"))
			return 1;
	return runs->n - at - 1;
}

static enum ft_status repeat_run(struct process *process, const struct ft__filling *filling, double limit_s,
				 struct ft_runs *runs, size_t at, size_t probe, struct ft_err *err)
{
	struct ft__again again = {.size = filling->size,
				  .limit_s = limit_s,
				  .run = &runs->run[at],
				  .routines = routines_of(runs, at),
				  .interrupt = process->source.interrupt,
				  .frozen = frozen_of(process)};
	char *found = NULL;

	FT_TRY(ft__arguments_list(filling, &again.argv, err));
	again.file = process->file;
	if (!process->file && ft__program_find(again.argv[0], &found, NULL) == FT_OK)
		again.file = found;
	if (!again.file)
		again.file = again.argv[0];
	enum ft_status status =
		ft__probes_repeat(&process->probes, probe, &again, &runs->run[at].cost_s, err);
	ft_free(found);
	ft_arguments_free(again.argv);
	return status;
}

/* A shell command before or after the run; its time is added to *took_s. */
static enum ft_status run_command(struct process *process, const struct ft__filling *filling,
				  const char *what, const char *command, double *took_s, char **words,
				  struct ft_err *err)
{
	double began_s = ft_clock_s(), frozen_s;
	enum ft_status status = run_shell(process, filling, what, command, &frozen_s, words, err);

	*took_s += fmax(0, ft_clock_s() - began_s - frozen_s);
	return status;
}

/* Prepare, run, clean up. The times of the first and the last are a part of the cost of runs. */
static enum ft_status run_between(struct process *process, const struct ft__filling *filling, between *body,
				  double limit_s, struct ft_runs *runs, size_t at, size_t probe,
				  struct ft_err *err)
{
	const struct ft_launch *launch = &process->launch;
	struct ft__filling shell = *filling;
	struct ft__before before;
	char *words = NULL;
	bool there = at < runs->n;
	double around_s = 0;
	size_t first = at;
	enum ft_status status = FT_OK;

	shell.shell = true;
	ft__record_before(filling->size, &process->hz_ns, &process->hz, &before);
	if (interrupted(process))
		return there ? FT_OK : ft__record_failure(&before, FT_INTERRUPTED, NULL, runs, err);
	if (launch->prepare)
		status = run_command(process, &shell, "prepare", launch->prepare, &around_s, &words, err);
	if (status) {
		ft_free(words);
		return status;
	}
	if (there && (interrupted(process) || words))
		status = words ? add_words(&runs->run[at], words, err) : FT_OK, words = NULL;
	else if (interrupted(process))
		status = ft__record_failure(&before, FT_INTERRUPTED, NULL, runs, err);
	else if (words)
		status = ft__record_failure(&before, FT_NOT_STARTED, words, runs, err);
	else
		status = body(process, filling, limit_s, runs, at, probe, err);
	ft_free(words);
	words = NULL;
	if (launch->cleanup && !status)
		status = run_command(process, &shell, "cleanup", launch->cleanup, &around_s, &words, err);
	for (; around_s > 0 && at < runs->n; at++)
		runs->run[at].cost_s += around_s;
	if (words && !status)
		return add_words(&runs->run[first], words, err);
	ft_free(words);
	return status;
}

static enum ft_status process_run(struct ft_source *source, const struct ft_size *size, size_t index,
				  double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	struct process *process = process_of(source);
	size_t before = runs->n, row = 0;
	enum ft_status status = FT_OK;

	if (process->launch.cases)
		status = find_case(process, size, index, &row, err);
	if (!status) {
		/* The run, and a repetition for each probe that needs one. */
		struct ft__filling filling = {process->launch.program, process->launch.cases, row, size,
					      false};
		struct ft__probes *probes = &process->probes;
		size_t at = runs->n;
		status = run_between(process, &filling, make_run, limit_s, runs, at, 0, err);

		for (size_t i = 0; !status && (i = ft__probes_wanting(probes, i, &runs->run[at])) < probes->n;
		     i++)
			status = run_between(process, &filling, repeat_run, limit_s, runs, at, i, err);
		for (; !status && at < runs->n; at++) {
			status = ft__probes_read(probes, NULL, &runs->run[at], err);
			if (!status && process->emulator)
				status = ft__emulate_run(process->launch.emulate, &runs->run[at], err);
		}
	}
	while (status && runs->n > before)
		ft_run_clear(&runs->run[--runs->n]);
	return status;
}

static void process_close(struct ft_source *source)
{
	struct process *process = process_of(source);

	close_helper(process);
	ft_free(process->file);
	ft_free(process->emulator);
	ft_free(process);
}

static const struct ft_source_ops process_ops = {"process", true, process_run, process_close};

bool ft_launch_names(const struct ft_launch *launch, const char *name)
{
	struct ft__filling filling = {.program = launch->program, .cases = launch->cases};

	for (size_t i = 0; i < launch->program->argc; i++)
		if (ft__arguments_name(&filling, launch->program->argv[i], name))
			return true;
	filling.shell = true;
	return launch->prepare && ft__arguments_name(&filling, launch->prepare, name);
}

/* ---- open -------------------------------------------------------------------------------------------- */

static enum ft_status check_templates(const struct ft_launch *launch, struct ft_err *err)
{
	const struct ft_program *program = launch->program;
	struct ft__filling filling = {.program = program, .cases = launch->cases};
	enum ft_status status = FT_OK;

	for (size_t i = 0; !status && i < program->argc; i++)
		status = ft__arguments_check(&filling, program->argv[i], err);
	filling.shell = true;
	if (!status && launch->prepare)
		status = ft__arguments_check(&filling, launch->prepare, err);
	if (!status && launch->cleanup)
		status = ft__arguments_check(&filling, launch->cleanup, err);
	return status;
}

enum ft_status ft_source_open_process(struct ft_source **out, const struct ft_launch *launch,
				      struct ft_err *err)
{
	enum ft_status status = FT_OK;
	const struct ft_program *program = launch->program;

	*out = NULL;
	if (!program || !program->argc || !program->argv[0][0])
		return ft_fail(err, FT_EINVAL, "there is no program to run");
	FT_TRY(check_templates(launch, err));
	struct process *process = ft_calloc(1, sizeof *process);
	if (!process)
		return ft_nomem(err);
	*process = (struct process){.source.ops = &process_ops, .launch = *launch, .client.socket = -1};
	if (launch->cases)
		status = open_cases(process, err);
	if (!status && !strchr(program->argv[0], '{'))
		status = ft__program_find(program->argv[0], &process->file, err);
	if (!status && launch->emulate)
		status = ft__emulate_open(&process->launch, &process->emulator, err);
	if (!status)
		status = open_helper(process, err);
	if (status) {
		ft_source_close(&process->source);
		return status;
	}
	*out = &process->source;
	return FT_OK;
}

/*
 * Runs of one program at the same time: a source for each, and a thread that waits for it.
 */

/* Closed until all that wait behind it are there. */
struct gate {
	pthread_mutex_t lock;
	bool open;
};

/* One run of the group. */
struct group_place {
	struct ft_source *source;
	pthread_t thread;
	struct gate *gate;
	const struct ft_size *size;
	double limit_s;
	bool started;
	enum ft_status status;
	struct ft_err err;
	struct ft_runs runs;
};

struct ft_group {
	struct group_place *place;
	size_t n;
};

enum ft_status ft_group_open(struct ft_group **out, const struct ft_launch *launch, size_t n,
			     struct ft_err *err)
{
	struct ft_group *group = ft_calloc(1, sizeof *group);
	enum ft_status status = FT_OK;

	*out = NULL;
	if (!group)
		return ft_nomem(err);
	group->place = ft_calloc(n, sizeof *group->place);
	if (!group->place)
		status = ft_nomem(err);
	for (; !status && group->n < n; group->n += !status)
		status = ft_source_open_process(&group->place[group->n].source, launch, err);
	if (status)
		ft_group_close(group);
	else
		*out = group;
	return status;
}

void ft_group_close(struct ft_group *group)
{
	if (!group)
		return;
	assert(group->place || !group->n);
	for (size_t i = 0; i < group->n; i++)
		ft_source_close(group->place[i].source);
	ft_free(group->place);
	ft_free(group);
}

void ft_group_interrupt(struct ft_group *group, const volatile sig_atomic_t *flag)
{
	for (size_t i = 0; i < group->n; i++)
		ft_source_interrupt(group->place[i].source, flag);
}

static void *run_place(void *ctx)
{
	struct group_place *place = ctx;
	bool open;

	(void)pthread_mutex_lock(&place->gate->lock);
	open = place->gate->open;
	(void)pthread_mutex_unlock(&place->gate->lock);
	if (open)
		place->status = ft_source_run(place->source, place->size, 0, place->limit_s, &place->runs,
					      &place->err);
	return NULL;
}

/* If a thread cannot be started, the existing ones find the gate closed. */
static enum ft_status start_threads(struct ft_group *group, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		place->started = !pthread_create(&place->thread, NULL, run_place, place);
		if (place->started)
			continue;
		(void)ft_fail(err, FT_EUNAVAIL, "no thread to wait for run %zu of %zu", i + 1, n);
		return ft_remedy(err, "raise the limit of processes (ulimit -u), or run fewer at once");
	}
	return FT_OK;
}

/* The process alone: reports of its routines are not used here. */
static enum ft_status take_answers(struct ft_group *group, size_t n, struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		if (!status && place->status) {
			status = place->status;
			if (err)
				*err = place->err;
		}
		if (!status)
			status = ft_runs_take(runs, &place->runs.run[0], err);
		ft_runs_clear(&place->runs);
	}
	return status;
}

enum ft_status ft_group_run(struct ft_group *group, const struct ft_size *size, size_t n, double limit_s,
			    struct ft_runs *runs, struct ft_err *err)
{
	struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};

	if (!n || n > group->n)
		return ft_fail(err, FT_EINVAL, "%zu runs at once, and there is room for %zu", n, group->n);
	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		*place = (struct group_place){
			.source = place->source, .gate = &gate, .size = size, .limit_s = limit_s};
	}
	(void)pthread_mutex_lock(&gate.lock);
	enum ft_status status = start_threads(group, n, err);
	gate.open = !status;
	(void)pthread_mutex_unlock(&gate.lock);
	for (size_t i = 0; i < n; i++)
		if (group->place[i].started)
			(void)pthread_join(group->place[i].thread, NULL);
	(void)pthread_mutex_destroy(&gate.lock);
	return status ? status : take_answers(group, n, runs, err);
}
