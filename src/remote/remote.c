/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.c - runs on other machines through an executor: prepared, reported, and ended. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "remote/remote.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct ft__executor *const executors[] = {&ft__executor_slurm, &ft__executor_parallel,
						       &ft__executor_mpiexec};

enum { EXECUTORS = sizeof executors / sizeof *executors };

static const struct ft__executor *find_executor(const char *name)
{
	for (size_t i = 0; i < EXECUTORS; i++)
		if (!strcmp(executors[i]->name, name))
			return executors[i];
	return NULL;
}

enum ft_status ft_remote_check(const struct ft_remote_options *options, struct ft_err *err)
{
	const struct ft__executor *executor = find_executor(options->executor);

	if (!executor) {
		(void)ft_fail(err, FT_EINVAL, "--via is slurm, parallel or mpiexec, not '%s'",
			      options->executor);
		return ft_remedy(err, "without it all runs are made here");
	}
	if (executor->launcher && (options->partition || options->constraint))
		return ft_fail(err, FT_EINVAL, "partition and constraint are of --via slurm");
	if (!executor->launcher && options->hosts)
		return ft_fail(err, FT_EINVAL, "hosts is of --via parallel and mpiexec");
	if (options->sweep.at_once > FT_ASK_MAX)
		return ft_fail(err, FT_EINVAL, "at-once is at most %d", FT_ASK_MAX);
	return FT_OK;
}

enum ft_status ft_remote_open(struct ft_remote **out, struct ft_store *store, struct ft_program *program,
			      const struct ft_remote_options *options, struct ft_err *err)
{
	enum ft_status status = ft_remote_check(options, err);

	*out = NULL;
	if (status)
		return status;
	struct ft_remote *remote = ft_calloc(1, sizeof *remote);
	if (!remote)
		return ft_nomem(err);
	remote->store = store;
	remote->program = program;
	remote->options = *options;
	remote->executor = find_executor(options->executor);
	status =
		ft__folder_choose(&remote->folder, options->folder, ft_store_path(store), program->name, err);
	if (!status && !getcwd(remote->here, sizeof remote->here))
		status = errno == ENOENT ? ft_fail(err, FT_ENOENT, "this folder has no path any more")
					 : ft_fail_errno(err, errno, "this directory has no readable path");
	if (status)
		ft_remote_close(remote);
	else
		*out = remote;
	return status;
}

enum ft_status ft_remote_show(const struct ft_remote *remote, char **out, struct ft_err *err)
{
	static const char serial[] = "0123456789abcdef0123456789abcdef";
	const struct ft_sweep_options *sweep = &remote->options.sweep;
	struct ft__remote_task task = {.size = {.n = remote->program->n_params}, .limit_s = sweep->timeout_s};
	char *handed = NULL, *script = NULL;
	struct ft_text text = {0};
	enum ft_status status =
		remote->executor->show(remote, serial, sweep->at_once ? sweep->at_once : 1, &handed, err);

	*out = NULL;
	for (size_t i = 0; i < task.size.n; i++)
		task.size.value[i] = remote->program->param[i].least;
	(void)snprintf(task.id, sizeof task.id, "%s.0", serial);
	if (!status)
		status = ft__script_text(remote, &task, &script, err);
	if (!status) {
		ft_text_add(&text, "%s\n%s.sh, at the least sizes:\n%s", handed, task.id, script);
		*out = ft_text_take(&text);
		status = *out ? FT_OK : ft_nomem(err);
	}
	ft_free(script);
	ft_free(handed);
	return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

size_t ft_remote_sweeps(const struct ft_remote *remote)
{
	size_t n = 0;

	for (size_t i = 0; i < remote->n_kinds; i++)
		n += remote->kind[i].sweep != NULL;
	return n;
}

size_t ft_remote_lost(const struct ft_remote *remote)
{
	return remote->lost;
}

enum ft_status ft_remote_end(struct ft_remote *remote, size_t i, const struct ft_machine **machine,
			     struct ft_sweep_report *report, struct ft_err *err)
{
	struct ft__machines *kind = remote->kind;

	while (!kind->sweep || i--)
		kind++;
	*machine = &kind->machine;
	enum ft_status status = ft_sweep_end(kind->sweep, report, err);
	remote->failed = remote->failed || status;
	return status;
}

void ft_remote_close(struct ft_remote *remote)
{
	if (!remote)
		return;
	for (size_t i = 0; i < remote->n_kinds; i++) {
		ft_sweep_free(remote->kind[i].sweep);
		ft_machine_clear(&remote->kind[i].machine);
		ft_free(remote->kind[i].fingerprint);
		ft_free(remote->kind[i].label);
		ft_free(remote->kind[i].nodes);
	}
	for (size_t i = 0; i < remote->n_slots; i++)
		ft_free(remote->slot[i].host);
	ft_free(remote->slot);
	ft_free(remote->kind);
	ft_free(remote->task);
	if (remote->folder.lock >= 0 && !remote->failed)
		ft__folder_clean(&remote->folder);
	ft__folder_close(&remote->folder);
	ft_free(remote);
}

/* ---- the caller ---------------------------------------------------------------------------------------- */

void ft__remote_note(const struct ft_remote *remote, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (!remote->options.note)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	remote->options.note(remote->options.sweep.progress_ctx, text);
}

bool ft__remote_is_interrupted(const struct ft_remote *remote)
{
	const volatile sig_atomic_t *interrupt = remote->options.sweep.interrupt;

	return interrupt && *interrupt;
}

/*
 * One sweep for each kind of machine, whose runs are carried there and stored as they come back.
 */

static enum ft_status begin_sweep(struct ft_remote *remote, struct ft__machines *kind, struct ft_err *err)
{
	struct ft_sweep_options options = remote->options.sweep;
	enum ft_status status = ft_store_put_machine(remote->store, &kind->machine, err);

	options.elsewhere = true;
	options.at_once = options.at_once ? options.at_once : kind->slots;
	options.at_once = options.at_once > FT_ASK_MAX ? FT_ASK_MAX : options.at_once ? options.at_once : 1;
	kind->slots = options.at_once;
	return status ? status
		      : ft_sweep_new(&kind->sweep, remote->store, remote->program, &kind->machine, NULL,
				     &options, err);
}

/* Hand out the next runs. */
static enum ft_status hand_out(struct ft_remote *remote, size_t k, struct ft_err *err)
{
	struct ft__machines *kind = &remote->kind[k];
	size_t out = ft__tasks_count(remote, k), n = 0, i;
	size_t most = out < kind->slots ? kind->slots - out : 0;
	struct ft_sweep_piece *piece = ft_calloc(most + 1, sizeof *piece);
	struct ft__remote_task *task = ft_calloc(most + 1, sizeof *task);
	enum ft_status status = piece && task ? FT_OK : ft_nomem(err);

	if (!status && most)
		status = ft_sweep_step(kind->sweep, piece, most, &n, err);
	for (i = 0; i < n && !status; i++)
		task[i] = (struct ft__remote_task){.kind = k,
						   .piece = piece[i].id,
						   .size = piece[i].size,
						   .limit_s = piece[i].limit_s,
						   .lost = piece[i].lost};
	if (!status && n) {
		status = ft__tasks_send(remote, task, n, err);
		remote->quiet_s = 0;
	}
	kind->ended = !n && !out;
	ft_free(task);
	ft_free(piece);
	return status;
}

/* Summed over all sweeps. */
static void tell_progress(const struct ft_remote *remote)
{
	const struct ft_sweep_options *options = &remote->options.sweep;
	struct ft_progress sum = {.expected_s = NAN,
				  .reason = -1,
				  .gain = NAN,
				  .hindrance = {.slow_down = 1}},
			   each;

	for (size_t i = 0; i < remote->n_kinds; i++)
		if (remote->kind[i].sweep) {
			ft_sweep_progress(remote->kind[i].sweep, &each);
			sum.points += each.points;
			sum.spent_s += each.spent_s;
			sum.budget_s += each.budget_s;
			sum.in_flight += each.in_flight;
		}
	if (options->progress)
		options->progress(options->progress_ctx, &sum);
}

static enum ft_status go_on(struct ft_remote *remote, struct ft_err *err)
{
	bool more = true;
	enum ft_status status = FT_OK;

	while (more && !status && !ft__remote_is_interrupted(remote)) {
		more = false;
		status = ft__tasks_collect(remote, "end", err);
		if (!status)
			status = ft__tasks_look(remote, false, err);
		for (size_t i = 0; i < remote->n_kinds && !status; i++)
			if (remote->kind[i].as == i) {
				status = hand_out(remote, i, err);
				more = more || !remote->kind[i].ended;
			}
		tell_progress(remote);
		if (more && !status)
			ft__tasks_rest(remote);
	}
	return status;
}

static enum ft_status carry(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = ft__kinds_learn(remote, err);

	if (status || ft__remote_is_interrupted(remote))
		return status;
	for (size_t i = 0; i < remote->n_kinds && !status; i++)
		if (remote->kind[i].as == i)
			status = begin_sweep(remote, &remote->kind[i], err);
	/* Results of an earlier build, before anything is requested. */
	if (!status)
		status = ft__tasks_collect(remote, "db", err);
	if (!status)
		status = ft__tasks_look(remote, true, err);
	if (!status)
		status = go_on(remote, err);
	/* Results of tasks of an earlier build that came meanwhile. */
	return status ? status : ft__tasks_collect(remote, "db", err);
}

/* Running tasks are cancelled, and those that ended meanwhile are stored; if that fails, or something
 * failed before, the files of all others stay. */
static enum ft_status call_off(struct ft_remote *remote, bool failed, struct ft_err *err)
{
	remote->executor->cancel(remote);
	enum ft_status status = ft__tasks_collect(remote, "end", err);
	for (size_t i = 0; i < remote->n_tasks && !status && !failed; i++)
		ft__folder_drop(&remote->folder, remote->task[i].id);
	return status;
}

enum ft_status ft_remote_run(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = ft__folder_open(&remote->folder, remote->program->name, err);

	if (!status)
		status = remote->executor->open(remote, err);
	if (!status) {
		status = carry(remote, err);
		if (status)
			(void)call_off(remote, true, NULL);
		else if (ft__remote_is_interrupted(remote))
			status = call_off(remote, false, err);
	}
	remote->failed = status != FT_OK;
	return status;
}

/*
 * Files of tasks: a store of one run each, taken into the sweep of its kind of machine exactly once; and
 * lost tasks.
 */

/* The most lost tasks in a row: before the first result, when something is wrong in general, and after it,
 * when nodes fail and people end jobs. A size is retried as often as the former. */
enum { LOST_AT_FIRST = 3, LOST_MOST = 10 };

/* ---- a file ------------------------------------------------------------------------------------------- */

struct take_file {
	struct ft_runs runs; /* of the process, then of its routines */
	struct ft_machine machine;
	char *hash;
};

static void found_clear(struct take_file *found)
{
	ft_runs_clear(&found->runs);
	ft_machine_clear(&found->machine);
	ft_free(found->hash);
	found->hash = NULL;
}

static enum ft_status read_list(struct ft_store *store, const struct ft_store_list *list,
				struct take_file *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t process = 0;

	/* NAME comes before NAME/ROUTINE. */
	for (size_t i = 1; i < list->n; i++)
		if (strlen(list->entry[i].name) < strlen(list->entry[process].name))
			process = i;
	if (!list->n || !list->entry[process].machine)
		return ft_fail(err, FT_EIO, "there is no run in it");
	out->hash = ft_strdup(list->entry[process].hash);
	if (!out->hash)
		return ft_nomem(err);
	status = ft_store_get_machine(store, list->entry[process].machine, &out->machine, err);
	if (!status)
		status = ft_store_get_runs(store, list->entry[process].program, 0, &out->runs, err);
	for (size_t i = 0; i < list->n && !status; i++)
		if (i != process)
			status = ft_store_get_runs(store, list->entry[i].program, 0, &out->runs, err);
	return status;
}

/* It was made to measure, and has no number in our store yet. */
static void settle_runs(struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		runs->run[i].real = false;
		runs->run[i].id = 0;
	}
}

/* out: cleared on failure */
static enum ft_status read_found(const struct ft_remote *remote, const char *id, struct take_file *out,
				 struct ft_err *err)
{
	char path[PATH_MAX];
	struct ft_store *store = NULL;
	struct ft_store_list list = {0};
	enum ft_status status =
		ft_store_open(&store, ft__folder_path(&remote->folder, id, "db", path), FT_STORE_READ, err);

	*out = (struct take_file){0};
	if (!status)
		status = ft_store_get_list(store, NULL, &list, err);
	if (!status)
		status = read_list(store, &list, out, err);
	if (!status && !out->runs.run)
		status = ft_fail(err, FT_EIO, "there is no run in it");
	settle_runs(&out->runs);
	ft_store_list_clear(&list);
	ft_store_close(store);
	if (status)
		found_clear(out);
	return status;
}

/* ---- machines ----------------------------------------------------------------------------------------- */

enum ft_status ft__kind_know(struct ft_remote *remote, size_t kind, const char *id, struct ft_err *err)
{
	struct ft__machines *k = &remote->kind[kind];
	struct take_file found;
	struct ft_err why = {0};
	enum ft_status status = read_found(remote, id, &found, &why);

	if (status) {
		(void)ft_fail(err, status, "'%s/%s.db': %s", remote->folder.path, id, why.text);
		if (*why.remedy)
			(void)ft_remedy(err, "%s", why.remedy);
		return status;
	}
	k->fingerprint = ft_strdup(found.machine.fingerprint);
	if (k->fingerprint) {
		k->machine = found.machine;
		k->machine.id = 0;
		ft_free(k->machine.scheduler); /* of that job */
		k->machine.scheduler = NULL;
		found.machine = (struct ft_machine){0};
	}
	found_clear(&found);
	return k->fingerprint ? FT_OK : ft_nomem(err);
}

static enum ft_status fail_version(const struct ft_remote *remote, const struct take_file *found,
				   struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "on %s '%s' is another executable than here",
		      found->machine.host ? found->machine.host : "another machine",
		      remote->program->argv[0]);
	return ft_remedy(err, "a model is of one executable: put it where all machines see the same file");
}

/* A run of another machine than those of its kind: it is stored as that machine's, and reported. */
static enum ft_status keep_foreign(struct ft_remote *remote, struct ft__machines *kind,
				   struct take_file *found, struct ft_err *err)
{
	struct ft_runs one = {found->runs.run, 1, 1};

	FT_TRY(ft_store_put_machine(remote->store, &found->machine, err));
	FT_TRY(ft_store_add_runs(remote->store, remote->program->id, found->machine.id, &one, err));
	if (++kind->foreign == 1) {
		ft__remote_note(remote,
				"%s is another machine than %s: its run is kept as its own, and made again",
				found->machine.host ? found->machine.host : found->machine.fingerprint,
				kind->machine.host ? kind->machine.host : kind->fingerprint);
		return FT_OK;
	}
	(void)ft_fail(err, FT_EINVAL,
		      "the runs come back from machines of several kinds, and a model is of one");
	return ft_remedy(err, "--via each-kind models each of them%s",
			 remote->executor->launcher
				 ? ""
				 : "; --via constraint=TYPE, or another partition=P, takes one");
}

/* ---- once --------------------------------------------------------------------------------------------- */

/* Whether the store has that very run: a process was killed between storing it and removing its file. */
static enum ft_status find_kept(const struct ft_remote *remote, const struct ft__machines *kind,
				struct ft_runs *runs, bool *kept, struct ft_err *err)
{
	struct ft_runs stored = {0}, one = {.run = ft_calloc(1, sizeof *one.run), .n = 1, .capacity = 1};
	size_t dropped = 0;
	enum ft_status status = one.run ? ft_store_get_runs(remote->store, remote->program->id,
							    kind->machine.id, &stored, err)
					: ft_nomem(err);

	if (!status) {
		one.run[0] = runs->run[0];
		status = ft_import_fresh(&one, &stored, &dropped, err);
	}
	*kept = dropped > 0;
	if (dropped)
		ft_run_init(&runs->run[0]); /* that one was cleared */
	ft_free(one.run);
	ft_runs_clear(&stored);
	return status;
}

/* Cancelling a job ends its program, too: that is no failure of its own. */
static bool was_ended(const struct ft_run *run)
{
	return run->outcome == FT_CRASHED && (run->signal == SIGTERM || run->signal == SIGKILL);
}

static enum ft_status report_runs(struct ft__machines *kind, const struct ft__remote_task *task,
				  struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = ft_sweep_report(kind->sweep, task ? task->piece : 0, runs, err);

	if (status == FT_EEXIST || status == FT_ENOENT)
		status = ft_sweep_report(kind->sweep, 0, runs, err);
	if (status)
		return status;
	kind->lost = 0;
	kind->proven = true;
	return FT_OK;
}

static enum ft_status take_found(struct ft_remote *remote, struct ft__machines *kind,
				 struct ft__remote_task *task, struct take_file *found, struct ft_err *err)
{
	bool kept = false, foreign = strcmp(found->machine.fingerprint, kind->fingerprint) != 0;
	enum ft_status status;

	if (strcmp(found->hash, remote->program->hash) != 0)
		return fail_version(remote, found, err);
	if (task && was_ended(&found->runs.run[0]) && task->lost < LOST_AT_FIRST)
		return ft__task_miss(remote, task, err);
	if (foreign)
		status = keep_foreign(remote, kind, found, err);
	else
		status = find_kept(remote, kind, &found->runs, &kept, err);
	if (!status && !foreign && !kept)
		return report_runs(kind, task, &found->runs, err);
	if (task)
		(void)ft_sweep_lose(kind->sweep, task->piece, NULL);
	return status;
}

enum ft_status ft__task_take(struct ft_remote *remote, const char *id, struct ft__remote_task *task,
			     struct ft_err *err)
{
	struct ft__machines *kind = ft__kind_of_task(remote, id);
	struct take_file found;
	struct ft_err why = {0};

	if (!kind || !kind->sweep) /* of a kind outside this build: its file waits */
		return FT_OK;
	enum ft_status status = read_found(remote, id, &found, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		ft__remote_note(remote, "'%s/%s.db' holds no run: %s", remote->folder.path, id, why.text);
		status = task ? ft__task_miss(remote, task, err) : FT_OK;
	} else {
		/* A task that only reported its machine has another size. */
		if (found.runs.run[0].size.n == remote->program->n_params)
			status = take_found(remote, kind, task, &found, err);
		found_clear(&found);
	}
	if (!status)
		ft__folder_drop(&remote->folder, id);
	return status;
}

/* ---- lost --------------------------------------------------------------------------------------------- */

/* The executor ended it: a run like those that are ended here. */
static enum ft_status report_ended(struct ft_remote *remote, struct ft__remote_task *task, struct ft_err *err)
{
	struct ft_runs runs = {0};
	struct ft_text detail = {0};
	struct ft_run run;

	ft_run_init(&run);
	run.size = task->size;
	run.outcome = task->fate == FT__TASK_NO_MEMORY ? FT_OUT_OF_MEMORY : FT_TIMED_OUT;
	run.signal = SIGKILL;
	run.cost_s = task->fate == FT__TASK_TOO_LONG ? task->limit_s : 0;
	run.started_ns = ft_clock_real_ns();
	ft_text_add(&detail, "ended by %s", remote->executor->name);
	run.detail = ft_text_take(&detail);
	if (!run.detail)
		return ft_nomem(err);
	enum ft_status status = ft_runs_take(&runs, &run, err);
	if (!status)
		status = report_runs(&remote->kind[remote->kind[task->kind].as], task, &runs, err);
	ft_runs_clear(&runs);
	return status;
}

/* Tasks are lost repeatedly. */
static enum ft_status fail_lost(const struct ft_remote *remote, const struct ft__remote_task *task,
				struct ft_err *err)
{
	int how = ft__folder_result(&remote->folder, task->id);
	const char *folder = remote->folder.path;
	char words[400];

	ft__folder_last_words(&remote->folder, task->id, words, sizeof words);
	if (how == 127 || how == 126) {
		(void)ft_fail(err, FT_EIO, "a task could not begin there: %s",
			      *words ? words : "a command is missing");
		return ft_remedy(
			err, "foretime ('%s') and the program have to be on each machine, at the same path",
			remote->options.foretime);
	}
	if (how > 0)
		return ft_fail(err, FT_EIO, "tasks fail with status %d: %s", how,
			       *words ? words : "no message");
	if (*words || *remote->why) {
		(void)ft_fail(err, FT_EIO, "tasks bring nothing back: %s", *words ? words : remote->why);
		return ft_remedy(err,
				 "what they leave is in '%s', which all machines have to see, as this folder",
				 folder);
	}
	(void)ft_fail(err, FT_EIO, "tasks bring nothing back, and leave nothing in '%s'", folder);
	return ft_remedy(
		err, "name a folder that all machines see with --via folder=DIR, and begin the build in one");
}

enum ft_status ft__task_miss(struct ft_remote *remote, struct ft__remote_task *task, struct ft_err *err)
{
	struct ft__machines *kind = &remote->kind[remote->kind[task->kind].as];

	if (task->piece && (task->fate == FT__TASK_NO_MEMORY || task->fate == FT__TASK_TOO_LONG))
		return report_ended(remote, task, err);
	remote->lost++;
	if (++kind->lost >= (kind->proven ? LOST_MOST : LOST_AT_FIRST) || task->lost >= LOST_MOST)
		return fail_lost(remote, task, err);
	if (task->piece)
		(void)ft_sweep_lose(kind->sweep, task->piece, NULL);
	return FT_OK;
}
