/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task.c - tasks: sent to the executor, and watched until they have ended. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/adapt.h"
#include "remote/remote.h"
#include "sweep/door.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
 * The script of a task for sh, from which the next build can restore it.
 */

/* A command, and the words of it that are made here. */
struct command {
	char file[PATH_MAX], limit[40], value[FT_PARAMS_MAX][FT_PARAM_LENGTH + 40];
	const char **argv; /* [n], and NULL */
	size_t n;
};

static void put_words(struct command *command, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		command->argv[command->n++] = words[i];
}

static enum ft_status fill_command(struct command *command, const struct ft_remote *remote,
				   const struct ft__remote_task *task, struct ft_err *err)
{
	const struct ft_remote_options *options = &remote->options;
	const char *const begin[] = {options->foretime, "run", "--into",
				     ft__folder_path(&remote->folder, task->id, "db", command->file)},
			  *const limit[] = {"--timeout", command->limit}, *const nothing[] = {"--", "true"};
	size_t n = 0;

	while (options->launch && options->launch[n])
		n++;

	command->n = 0;
	command->argv =
		ft_calloc(4 + 2 + n + FT_PARAMS_MAX + 2 + remote->program->argc + 1, sizeof *command->argv);
	if (!command->argv)
		return ft_nomem(err);
	put_words(command, begin, 4);
	if (!task->size.n) {
		put_words(command, nothing, 2);
		return FT_OK;
	}
	(void)snprintf(command->limit, sizeof command->limit, "%.9gs", task->limit_s);
	put_words(command, limit, task->limit_s > 0 ? 2 : 0);
	put_words(command, options->launch, n);
	const struct ft_program *program = remote->program;

	for (size_t i = 0; i < program->n_params; i++) {
		(void)snprintf(command->value[i], sizeof command->value[i], "%s=%.17g",
			       program->param[i].name, task->size.value[i]);
		command->argv[command->n++] = command->value[i];
	}
	command->argv[command->n++] = "--";
	put_words(command, (const char *const *)program->argv, program->argc);
	return FT_OK;
}

enum ft_status ft__script_text(const struct ft_remote *remote, const struct ft__remote_task *task,
			       char **text, struct ft_err *err)
{
	struct command command;
	struct ft_text whole = {0};
	char end[PATH_MAX], *script = NULL;
	enum ft_status status = fill_command(&command, remote, task, err);

	if (!status)
		status = ft_carry_piece(command.argv, remote->here,
					ft__folder_path(&remote->folder, task->id, "end", end), &script, err);
	ft_free(command.argv);
	if (status)
		return status;
	ft_text_add(&whole, "%s# limit %.17g\n", script, task->limit_s);
	for (size_t i = 0; i < task->size.n; i++)
		ft_text_add(&whole, "# size %.17g\n", task->size.value[i]);
	ft_free(script);
	*text = ft_text_take(&whole);
	return *text ? FT_OK : ft_nomem(err);
}

bool ft__script_recall(const struct ft_remote *remote, const char *id, struct ft__remote_task *task)
{
	char path[PATH_MAX], line[4096];
	FILE *file = fopen(ft__folder_path(&remote->folder, id, "sh", path), "re");
	double value;

	*task = (struct ft__remote_task){.fate = FT__TASK_OUT};
	(void)snprintf(task->id, sizeof task->id, "%s", id);
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "# limit %lf", &value) == 1)
			task->limit_s = value;
		else if (sscanf(line, "# size %lf", &value) == 1 && task->size.n < FT_PARAMS_MAX)
			task->size.value[task->size.n++] = value;
	}
	if (file)
		(void)fclose(file);
	return task->size.n == remote->program->n_params;
}

/*
 * Tasks: sent to the executor, and watched until they have ended.
 */

/* The interval of looks into the folder, as a share of the time since the last event: results wait that
 * long. An executor is queried more rarely: squeue costs slurmctld some 10 ms, and its lock (scheduling
 * waits for both). */
#define FOLDER_SHARE   0.02
#define EXECUTOR_SHARE 0.1

static const double FOLDER_LEAST_S = 0.02, FOLDER_MOST_S = 2, EXECUTOR_LEAST_S = 0.5, EXECUTOR_MOST_S = 30;

/* How late an interruption is noticed. */
static const double INTERRUPT_S = 0.1;

/* ---- tasks -------------------------------------------------------------------------------------------- */

static enum ft_status add_task(struct ft_remote *remote, const struct ft__remote_task *task,
			       struct ft_err *err)
{
	struct ft__remote_task *grown =
		ft_grow(remote->task, remote->n_tasks, &remote->tasks_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	remote->task = grown;
	remote->task[remote->n_tasks++] = *task;
	return FT_OK;
}

void ft__task_remove(struct ft_remote *remote, size_t i)
{
	if (remote->executor->launcher && remote->task[i].slot < remote->n_slots)
		remote->slot[remote->task[i].slot].busy = false;
	remote->task[i] = remote->task[--remote->n_tasks];
}

size_t ft__tasks_count(const struct ft_remote *remote, size_t kind)
{
	size_t n = 0;

	for (size_t i = 0; i < remote->n_tasks; i++)
		n += remote->kind[remote->task[i].kind].as == kind;
	return n;
}

enum ft_status ft__tasks_send(struct ft_remote *remote, struct ft__remote_task *task, size_t n,
			      struct ft_err *err)
{
	struct ft__remote_task **sent = ft_calloc(n, sizeof *sent);
	char serial[FT__ID];
	size_t first = remote->n_tasks;
	enum ft_status status = sent ? FT_OK : ft_nomem(err);

	/* A unique prefix of ids. */
	unsigned long long ns = (unsigned long long)ft_clock_real_ns();

	remote->drawn = ns > remote->drawn ? ns : remote->drawn + 1;
	(void)snprintf(serial, FT__ID, "%s%016llx", remote->kind[task->kind].word, remote->drawn);
	for (size_t i = 0; i < n && !status; i++) {
		(void)snprintf(task[i].id, sizeof task[i].id, "%.32s.%zu", serial, i);
		char *text = NULL;
		status = add_task(remote, &task[i], err);

		if (!status)
			status = ft__script_text(remote, &task[i], &text, err);
		if (!status)
			status = ft__folder_write(&remote->folder, task[i].id, "sh", text, err);
		ft_free(text);
	}
	for (size_t i = 0; i < n && !status; i++)
		sent[i] = &remote->task[first + i];
	if (!status)
		status = remote->executor->submit(remote, serial, sent, n, err);
	ft_free(sent);
	return status;
}

enum ft_status ft__task_adopt(struct ft_remote *remote, const char *id, struct ft_err *err)
{
	struct ft__remote_task task;
	struct ft_sweep_piece piece = {.reason = FT_REASON_NEW};
	const struct ft__machines *kind = ft__kind_of_task(remote, id);

	for (size_t i = 0; i < remote->n_tasks; i++)
		if (!strcmp(remote->task[i].id, id))
			return FT_OK;
	if (!kind || !kind->sweep || !ft__script_recall(remote, id, &task))
		return FT_OK;
	task.kind = (size_t)(kind - remote->kind);
	piece.size = task.size;
	piece.limit_s = task.limit_s;
	enum ft_status status = ft_sweep_adopt(kind->sweep, &piece, NULL);
	task.piece = piece.id;
	if (!status)
		return add_task(remote, &task, err);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK; /* its size is not requested any more */
}

/* ---- looking ------------------------------------------------------------------------------------------ */

void ft__tasks_rest(struct ft_remote *remote)
{
	double seconds = fmin(FOLDER_MOST_S, fmax(FOLDER_LEAST_S, FOLDER_SHARE * remote->quiet_s)),
	       left_s = seconds;

	for (; left_s > 0 && !ft__remote_is_interrupted(remote); left_s -= INTERRUPT_S)
		ft_clock_sleep(fmin(left_s, INTERRUPT_S));
	remote->quiet_s += seconds;
	remote->looked_s += seconds;
}

static struct ft__remote_task *find_task(struct ft_remote *remote, const char *id, size_t *at)
{
	for (*at = 0; *at < remote->n_tasks; ++*at)
		if (!strcmp(remote->task[*at].id, id))
			return &remote->task[*at];
	return NULL;
}

/* A task that has ended, by its files. It is removed, unless its launcher here has still to end. */
static enum ft_status end_task(struct ft_remote *remote, const char *id, struct ft_err *err)
{
	char path[PATH_MAX];
	bool there = access(ft__folder_path(&remote->folder, id, "db", path), R_OK) == 0;
	size_t at;
	struct ft__remote_task *task = find_task(remote, id, &at);
	enum ft_status status = FT_OK;

	if (task && !task->piece)
		return FT_OK;
	if (task && task->taken) {
		ft__folder_drop(&remote->folder, id);
		return FT_OK;
	}
	if (there)
		status = ft__task_take(remote, id, task, err);
	else if (task)
		status = ft__task_miss(remote, task, err);
	if (status) /* its files stay */
		return status;
	if (!there)
		ft__folder_drop(&remote->folder, id);
	if (task && task->child > 0)
		task->taken = true;
	else if (task)
		ft__task_remove(remote, at);
	remote->quiet_s = 0;
	return FT_OK;
}

enum ft_status ft__tasks_collect(struct ft_remote *remote, const char *ending, struct ft_err *err)
{
	struct ft__ids ids = {0};
	enum ft_status status = ft__folder_list(&remote->folder, ending, &ids, err);

	for (size_t i = 0; i < ids.n && !status; i++)
		status = end_task(remote, ids.id[i], err);
	ft_free(ids.id);
	return status;
}

/* Tasks that are gone, without files at the look after that. */
static enum ft_status miss_tasks(struct ft_remote *remote, struct ft_err *err)
{
	size_t i = 0;
	enum ft_status status = FT_OK;

	while (i < remote->n_tasks && !status) {
		struct ft__remote_task *task = &remote->task[i];
		bool out = task->fate == FT__TASK_OUT || task->child > 0;
		char id[FT__ID];

		memcpy(id, task->id, sizeof id);
		if (!out && task->taken) {
			ft__folder_drop(&remote->folder, id);
			ft__task_remove(remote, i);
		} else if (!out && task->piece && task->missed > 0) { /* task.c handles the rest */
			status = end_task(remote, id, err);
		} else {
			if (task->piece)
				task->missed = out ? 0 : task->missed + 1;
			i++;
		}
	}
	return status;
}

/* Files are taken behind it: what is gone by then has left its own. */
enum ft_status ft__tasks_look(struct ft_remote *remote, bool now, struct ft_err *err)
{
	double wait_s = fmin(EXECUTOR_MOST_S, fmax(EXECUTOR_LEAST_S, EXECUTOR_SHARE * remote->quiet_s));

	if (!now && !remote->executor->launcher && remote->looked_s < wait_s)
		return FT_OK;
	remote->looked_s = 0;
	enum ft_status status = remote->executor->look(remote, err);
	if (!status)
		status = ft__tasks_collect(remote, "end", err);
	return status ? status : miss_tasks(remote, err);
}

/*
 * Find the kinds of machines: a task on each reports its machine, before anything is requested.
 */

/* ---- kinds -------------------------------------------------------------------------------------------- */

enum ft_status ft__kind_find(struct ft_remote *remote, const char *label, size_t *kind, struct ft_err *err)
{
	for (*kind = 0; *kind < remote->n_kinds; ++*kind)
		if (!strcmp(remote->kind[*kind].label, label))
			return FT_OK;
	struct ft__machines *grown =
		ft_grow(remote->kind, remote->n_kinds, &remote->kinds_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	remote->kind = grown;
	char *copy = ft_strdup(label);
	if (!copy)
		return ft_nomem(err);
	struct ft__machines *added = &remote->kind[remote->n_kinds];
	*added = (struct ft__machines){.label = copy, .as = remote->n_kinds++};
	(void)ft_hash_format(ft_hash_text(label), added->word);
	return FT_OK;
}

struct ft__machines *ft__kind_of_task(struct ft_remote *remote, const char *id)
{
	for (size_t i = 0; i < remote->n_kinds; i++)
		if (!strncmp(remote->kind[i].word, id, 16))
			return &remote->kind[remote->kind[i].as];
	return NULL;
}

/* ---- identification
   -------------------------------------------------------------------------------------------- */

/* WORD.kind.db is what a build before found out. */
static void kept_name(const struct ft_remote *remote, size_t kind, char name[FT__ID])
{
	(void)snprintf(name, FT__ID, "%s.kind", remote->kind[kind].word);
}

/* FT_OK, also if nothing is stored, or it is damaged: its fingerprint stays NULL; FT_ENOMEM. */
static enum ft_status recall_kind(struct ft_remote *remote, size_t kind, struct ft_err *err)
{
	char name[FT__ID], path[PATH_MAX];
	struct ft_err why = {0};

	kept_name(remote, kind, name);
	if (access(ft__folder_path(&remote->folder, name, "db", path), R_OK) != 0)
		return FT_OK;
	enum ft_status status = ft__kind_know(remote, kind, name, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status)
		ft__remote_note(remote, "%s", why.text);
	return FT_OK;
}

static enum ft_status ask_kind(struct ft_remote *remote, size_t kind, struct ft_err *err)
{
	struct ft__remote_task task = {.kind = kind};
	enum ft_status status = FT_OK;

	if (!remote->kind[kind].fingerprint)
		status = recall_kind(remote, kind, err);
	return status || remote->kind[kind].fingerprint ? status : ft__tasks_send(remote, &task, 1, err);
}

/* A task of ask_kind has ended, or is gone. */
static enum ft_status hear_kind(struct ft_remote *remote, size_t at, struct ft_err *err)
{
	struct ft__remote_task *task = &remote->task[at];
	char path[PATH_MAX];
	size_t kind = task->kind;
	enum ft_status status;

	if (access(ft__folder_path(&remote->folder, task->id, "db", path), R_OK) == 0) {
		status = ft__kind_know(remote, kind, task->id, err);
		char name[FT__ID], from[PATH_MAX], to[PATH_MAX];

		kept_name(remote, kind, name);
		(void)rename(ft__folder_path(&remote->folder, task->id, "db", from),
			     ft__folder_path(&remote->folder, name, "db", to));
		ft__folder_drop(&remote->folder, task->id);
	} else {
		status = ft__task_miss(remote, task, err);
		ft__folder_drop(&remote->folder, task->id);
	}
	ft__task_remove(remote, at);
	remote->quiet_s = 0;
	return status ? status : ask_kind(remote, kind, err);
}

static bool all_known(const struct ft_remote *remote)
{
	size_t i;

	for (i = 0; i < remote->n_kinds && remote->kind[i].fingerprint;)
		i++;
	return i == remote->n_kinds;
}

/* ---- distinguishing kinds
   --------------------------------------------------------------------------------------- */

/* Slurm's configuration distinguishes kinds whose hardware looks the same: then the name of the kind is
 * part of the model's machine. */
static enum ft_status tell_apart(struct ft__machines *kind, struct ft_err *err)
{
	struct ft_text both = {0};
	struct ft_machine named = {0};
	char *host = ft_strdup(kind->label);
	enum ft_status status = FT_OK;

	ft_text_add(&both, "%s %s", kind->fingerprint, kind->label);
	status = both.failed || !host ? ft_nomem(err) : ft_machine_named(both.s, &named, err);
	ft_text_clear(&both);
	if (status) {
		ft_free(host);
		return status;
	}
	ft_free(kind->machine.fingerprint);
	ft_free(kind->machine.host);
	kind->machine.fingerprint = named.fingerprint;
	kind->machine.host = host;
	named.fingerprint = NULL;
	ft_machine_clear(&named);
	return FT_OK;
}

static bool is_alike(const struct ft_remote *remote, size_t i, size_t j)
{
	return !strcmp(remote->kind[i].fingerprint, remote->kind[j].fingerprint);
}

/* Hosts that are alike are one kind. Returns how many are left. */
static size_t unite_hosts(struct ft_remote *remote)
{
	size_t j, several = 0;

	for (size_t i = 0; i < remote->n_kinds; i++) {
		for (j = 0; j < i && !is_alike(remote, i, j);)
			j++;
		several += j == i;
		if (j < i && remote->executor->launcher) {
			remote->kind[i].as = remote->kind[j].as;
			remote->kind[remote->kind[j].as].slots += remote->kind[i].slots;
		}
	}
	return several;
}

static enum ft_status settle_kinds(struct ft_remote *remote, struct ft_err *err)
{
	size_t several = unite_hosts(remote), i, j;
	enum ft_status status = FT_OK;

	for (i = 0; i < remote->n_kinds && !remote->executor->launcher && !status; i++) {
		for (j = 0; j < remote->n_kinds && (j == i || !is_alike(remote, i, j));)
			j++;
		if (j < remote->n_kinds)
			status = tell_apart(&remote->kind[i], err);
	}
	if (status || several <= 1 || remote->options.each_kind)
		return status;
	(void)ft_fail(err, FT_EINVAL, "the hosts are machines of %zu kinds, and a model is of one", several);
	return ft_remedy(err, "--via each-kind models each of them");
}

enum ft_status ft__kinds_learn(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < remote->n_kinds && !status; i++)
		status = ask_kind(remote, i, err);
	while (!status && !ft__remote_is_interrupted(remote) && (!all_known(remote) || remote->n_tasks)) {
		ft__tasks_rest(remote);
		status = ft__tasks_look(remote, false, err);
		if (!status) {
			size_t k = 0;

			while (k < remote->n_tasks && !status) {
				struct ft__remote_task *task = &remote->task[k];
				bool gone = task->fate != FT__TASK_OUT && task->missed++ > 0;

				if (task->piece || task->child > 0 ||
				    (!gone && ft__folder_result(&remote->folder, task->id) < 0))
					k++;
				else
					status = hear_kind(remote, k, err);
			}
		}
	}
	return status || ft__remote_is_interrupted(remote) ? status : settle_kinds(remote, err);
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
	/* It was made to measure, and has no number in our store yet. */
	struct ft_runs *runs = &out->runs;

	for (size_t i = 0; i < runs->n && runs->run; i++) {
		runs->run[i].real = false;
		runs->run[i].id = 0;
	}
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

	if (strcmp(found->hash, remote->program->hash) != 0) {
		(void)ft_fail(err, FT_EINVAL, "on %s '%s' is another executable than here",
			      found->machine.host ? found->machine.host : "another machine",
			      remote->program->argv[0]);
		return ft_remedy(err,
				 "a model is of one executable: put it where all machines see the same file");
	}
	if (task &&
	    (found->runs.run[0].outcome == FT_CRASHED &&
	     (found->runs.run[0].signal == SIGTERM || found->runs.run[0].signal == SIGKILL)) &&
	    task->lost < LOST_AT_FIRST)
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

enum ft_status ft__task_miss(struct ft_remote *remote, struct ft__remote_task *task, struct ft_err *err)
{
	struct ft__machines *kind = &remote->kind[remote->kind[task->kind].as];

	if (task->piece && (task->fate == FT__TASK_NO_MEMORY || task->fate == FT__TASK_TOO_LONG)) {
		/* The executor ended it: a run like those that are ended here. */
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
	remote->lost++;
	if (++kind->lost >= (kind->proven ? LOST_MOST : LOST_AT_FIRST) || task->lost >= LOST_MOST) {
		/* Tasks are lost repeatedly. */
		int how = ft__folder_result(&remote->folder, task->id);
		const char *folder = remote->folder.path;
		char words[400];

		ft__folder_last_words(&remote->folder, task->id, words, sizeof words);
		if (how == 127 || how == 126) {
			(void)ft_fail(err, FT_EIO, "a task could not begin there: %s",
				      *words ? words : "a command is missing");
			return ft_remedy(err,
					 "foretime ('%s') and the program have to be on each machine, at the "
					 "same path",
					 remote->options.foretime);
		}
		if (how > 0)
			return ft_fail(err, FT_EIO, "tasks fail with status %d: %s", how,
				       *words ? words : "no message");
		if (*words || *remote->why) {
			(void)ft_fail(err, FT_EIO, "tasks bring nothing back: %s",
				      *words ? words : remote->why);
			return ft_remedy(
				err,
				"what they leave is in '%s', which all machines have to see, as this folder",
				folder);
		}
		(void)ft_fail(err, FT_EIO, "tasks bring nothing back, and leave nothing in '%s'", folder);
		return ft_remedy(err, "name a folder that all machines see with --via folder=DIR, and begin "
				      "the build in one");
	}
	if (task->piece)
		(void)ft_sweep_lose(kind->sweep, task->piece, NULL);
	return FT_OK;
}
