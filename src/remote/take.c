/* SPDX-License-Identifier: GPL-3.0-or-later */
/* take.c - what tasks leave: a store of one run each, taken into the sweep of its kind of machine exactly
 * once; and tasks of which nothing comes back. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "remote/executor.h"

#include <signal.h>
#include <string.h>

/* So many tasks in a row may bring nothing back: before any did, which is then as it will be, and after:
 * nodes fail, and people end jobs. A size is tried so often as before. */
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

/* A run of another machine than those of its kind: it is kept as that machine's, and told. */
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

/* Whether the store has that very run: somebody was killed between keeping it and removing its file. */
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

/* Who ends a job ends its program, too: that is no failure of its own. */
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

	if (!kind || !kind->sweep) /* of a kind that is not asked about now: its file waits */
		return FT_OK;
	enum ft_status status = read_found(remote, id, &found, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		ft__remote_note(remote, "'%s/%s.db' holds no run: %s", remote->folder.path, id, why.text);
		status = task ? ft__task_miss(remote, task, err) : FT_OK;
	} else {
		/* One that only told of its machine has another size. */
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

/* Nothing comes back, again and again. */
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
