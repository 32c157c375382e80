/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_take.c - what tasks leave: a store of one run each, taken into the sweep of its kind of machine exactly
 * once; and tasks of which nothing comes back. */
#include "cli/build/via.h"
#include "base/clock.h"
#include "cli/common.h"
#include "foretime/adapt.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many tasks in a row may bring nothing back: before any did, which is then as it will be, and after:
 * nodes fail, and people end jobs. A size is tried so often as before. */
enum { LOST_AT_FIRST = 3, LOST_MOST = 10 };

/* ---- a file ------------------------------------------------------------------------------------------- */

struct build_found {
	struct ft_runs runs; /* of the process, then of its routines */
	struct ft_machine machine;
	char *hash;
};

static void found_clear(struct build_found *found)
{
	ft_runs_clear(&found->runs);
	ft_machine_clear(&found->machine);
	free(found->hash);
}

static enum ft_status read_list(struct ft_store *store, const struct ft_store_list *list,
				struct build_found *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i, process = 0;

	/* NAME comes before NAME/ROUTINE. */
	for (i = 1; i < list->n; i++)
		if (strlen(list->entry[i].name) < strlen(list->entry[process].name))
			process = i;
	if (!list->n || !list->entry[process].machine)
		return ft_fail(err, FT_EIO, "there is no run in it");
	out->hash = cli_strdup(list->entry[process].hash);
	status = ft_store_get_machine(store, list->entry[process].machine, &out->machine, err);
	if (!status)
		status = ft_store_get_runs(store, list->entry[process].program, 0, &out->runs, err);
	for (i = 0; i < list->n && !status; i++)
		if (i != process)
			status = ft_store_get_runs(store, list->entry[i].program, 0, &out->runs, err);
	return status;
}

/* It was made to measure, and has no number in our store yet. */
static void settle_runs(struct ft_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->n; i++) {
		runs->run[i].real = false;
		runs->run[i].id = 0;
	}
}

static enum ft_status read_found(const struct cli_via *via, const char *id, struct build_found *out,
				 struct ft_err *err)
{
	char *path = cli_folder_path(via, id, "db");
	struct ft_store *store = NULL;
	struct ft_store_list list = {0};
	enum ft_status status = ft_store_open(&store, path, FT_STORE_READ, err);

	*out = (struct build_found){0};
	if (!status)
		status = ft_store_get_list(store, NULL, &list, err);
	if (!status)
		status = read_list(store, &list, out, err);
	if (!status && !out->runs.run)
		status = ft_fail(err, FT_EIO, "there is no run in it");
	settle_runs(&out->runs);
	ft_store_list_clear(&list);
	ft_store_close(store);
	free(path);
	if (status)
		found_clear(out);
	return status;
}

/* ---- machines ----------------------------------------------------------------------------------------- */

static void copy_machine(struct ft_machine *to, const struct ft_machine *from)
{
	*to = *from;
	to->id = 0;
	to->fingerprint = cli_strdup(from->fingerprint);
	to->host = cli_strdup(from->host);
	to->cpu = cli_strdup(from->cpu);
	to->architecture = cli_strdup(from->architecture);
	to->system = cli_strdup(from->system);
	to->governor = cli_strdup(from->governor);
	to->hypervisor = cli_strdup(from->hypervisor);
	to->scheduler = NULL;
}

int cli_via_know(struct cli_via *via, size_t kind, const char *id)
{
	struct cli_machines *k = &via->kind[kind];
	struct build_found found;
	struct ft_err err = {0};

	if (read_found(via, id, &found, &err))
		return cli_error_at(&err, "'%s/%s.db'", via->folder, id);
	k->fingerprint = cli_strdup(found.machine.fingerprint);
	copy_machine(&k->machine, &found.machine);
	found_clear(&found);
	return CLI_DONE;
}

static int fail_version(const struct cli_via *via, const struct build_found *found)
{
	return cli_fail("on %s '%s' is another executable than here\n"
			"hint: a model is of one executable: put it where all machines see the same file",
			found->machine.host ? found->machine.host : "another machine",
			via->build->program.argv[0]);
}

/* A run of another machine than those of its kind: it is kept as that machine's, and told. */
static int keep_foreign(struct cli_via *via, struct cli_machines *kind, struct build_found *found)
{
	struct cli_build *build = via->build;
	struct ft_err err = {0};
	struct ft_runs one = {found->runs.run, 1, 1};

	if (ft_store_put_machine(build->store, &found->machine, &err) ||
	    ft_store_add_runs(build->store, build->program.id, found->machine.id, &one, &err))
		return cli_error(&err);
	if (++kind->foreign == 1) {
		cli_note("%s is another machine than %s: its run is kept as its own, and made again",
			 found->machine.host ? found->machine.host : found->machine.fingerprint,
			 kind->machine.host ? kind->machine.host : kind->fingerprint);
		return CLI_DONE;
	}
	return cli_fail("the runs come back from machines of several kinds, and a model is of one\n"
			"hint: --each-kind models each of them%s",
			via->engine->launcher ? ""
					      : "; --constraint TYPE, or another --partition, takes one");
}

/* ---- once --------------------------------------------------------------------------------------------- */

/* Whether the store has that very run: somebody was killed between keeping it and removing its file. */
static int is_kept(const struct cli_via *via, const struct cli_machines *kind, struct ft_runs *runs,
		   bool *kept)
{
	struct ft_runs stored = {0}, one = {0};
	struct ft_err err = {0};
	size_t dropped = 0;
	enum ft_status status =
		ft_store_get_runs(via->build->store, via->build->program.id, kind->machine.id, &stored, &err);

	one.run = cli_alloc(sizeof *one.run);
	one.n = one.capacity = 1;
	one.run[0] = runs->run[0];
	if (!status)
		status = ft_import_fresh(&one, &stored, &dropped, &err);
	*kept = dropped > 0;
	if (dropped)
		ft_run_init(&runs->run[0]); /* that one was cleared */
	free(one.run);
	ft_runs_clear(&stored);
	return status ? cli_error(&err) : CLI_DONE;
}

/* Who ends a job ends its program, too: that is no failure of its own. */
static bool was_ended(const struct ft_run *run)
{
	return run->outcome == FT_CRASHED && (run->signal == SIGTERM || run->signal == SIGKILL);
}

static int report(struct cli_via *via, struct cli_machines *kind, struct cli_task *task, struct ft_runs *runs)
{
	struct ft_err err = {0};
	enum ft_status status = ft_sweep_report(kind->sweep, task ? task->piece : 0, runs, &err);

	if (status == FT_EEXIST || status == FT_ENOENT)
		status = ft_sweep_report(kind->sweep, 0, runs, &err);
	if (status)
		return cli_error(&err);
	via->runs++;
	kind->lost = 0;
	kind->proven = true;
	return CLI_DONE;
}

static struct cli_machines *kind_of(struct cli_via *via, const char *id)
{
	size_t i;

	for (i = 0; i < via->n_kinds; i++)
		if (!strncmp(via->kind[i].word, id, 16))
			return &via->kind[via->kind[i].as];
	return NULL;
}

static int take_found(struct cli_via *via, struct cli_machines *kind, struct cli_task *task,
		      struct build_found *found)
{
	bool kept = false, foreign = strcmp(found->machine.fingerprint, kind->fingerprint) != 0;
	int status = CLI_DONE;

	if (strcmp(found->hash, via->build->program.hash) != 0)
		return fail_version(via, found);
	if (task && was_ended(&found->runs.run[0]) && task->lost < LOST_AT_FIRST)
		return cli_via_missing(via, task);
	if (foreign)
		status = keep_foreign(via, kind, found);
	else
		status = is_kept(via, kind, &found->runs, &kept);
	if (status == CLI_DONE && !foreign && !kept)
		return report(via, kind, task, &found->runs);
	if (task)
		(void)ft_sweep_lose(kind->sweep, task->piece, NULL);
	return status;
}

int cli_via_take(struct cli_via *via, const char *id, struct cli_task *task)
{
	struct cli_machines *kind = kind_of(via, id);
	struct build_found found;
	struct ft_err err = {0};
	int status;

	if (!kind || !kind->sweep) /* of a kind that is not asked about now: its file waits */
		return CLI_DONE;
	if (read_found(via, id, &found, &err)) {
		cli_note("'%s/%s.db' holds no run: %s", via->folder, id, err.text);
		status = task ? cli_via_missing(via, task) : CLI_DONE;
	} else {
		const struct ft_run *run = found.runs.run;

		/* One that only told of its machine has another size. */
		status = run && run->size.n == via->build->program.n_params
				 ? take_found(via, kind, task, &found)
				 : CLI_DONE;
		found_clear(&found);
	}
	if (status == CLI_DONE)
		cli_folder_drop(via, id);
	return status;
}

/* ---- lost --------------------------------------------------------------------------------------------- */

/* The engine ended it: a run like those that are ended here. */
static int report_ended(struct cli_via *via, struct cli_task *task)
{
	struct cli_machines *kind = &via->kind[via->kind[task->kind].as];
	struct ft_runs runs = {0};
	struct ft_run run;
	struct ft_err err = {0};

	ft_run_init(&run);
	run.size = task->size;
	run.outcome = task->fate == CLI_NO_MEMORY ? FT_OUT_OF_MEMORY : FT_TIMED_OUT;
	run.signal = SIGKILL;
	run.cost_s = task->fate == CLI_TOO_LONG ? task->limit_s : 0;
	run.started_ns = ft_clock_real_ns();
	run.detail = cli_printed("ended by %s", via->engine->name);
	if (ft_runs_take(&runs, &run, &err)) {
		ft_run_clear(&run);
		return cli_error(&err);
	}
	return report(via, kind, task, &runs);
}

/* Nothing comes back, again and again. */
static int fail_lost(const struct cli_via *via, const struct cli_task *task)
{
	int how = cli_folder_ended(via, task->id);
	char words[400];

	cli_folder_last_words(via, task->id, words, sizeof words);
	if (how == 127 || how == 126) {
		(void)cli_fail(
			"a task could not begin there: %s\n"
			"hint: foretime ('%s') and the program have to be on each machine, at the same path",
			*words ? words : "a command is missing", via->self);
	} else if (how > 0) {
		(void)cli_fail("tasks fail with status %d: %s", how, *words ? words : "nothing was said");
	} else if (*words || *via->why) {
		(void)cli_fail(
			"tasks bring nothing back: %s\n"
			"hint: what they leave is in '%s', which all machines have to see, as this folder",
			*words ? words : via->why, via->folder);
	} else {
		(void)cli_fail("tasks bring nothing back, and leave nothing in '%s'\n"
			       "hint: name a folder that all machines see with --folder DIR, and begin the "
			       "build in one",
			       via->folder);
	}
	return CLI_WRONG;
}

int cli_via_missing(struct cli_via *via, struct cli_task *task)
{
	struct cli_machines *kind = &via->kind[via->kind[task->kind].as];

	if (task->piece && (task->fate == CLI_NO_MEMORY || task->fate == CLI_TOO_LONG))
		return report_ended(via, task);
	via->lost++;
	if (++kind->lost >= (kind->proven ? LOST_MOST : LOST_AT_FIRST) || task->lost >= LOST_MOST)
		return fail_lost(via, task);
	if (task->piece)
		(void)ft_sweep_lose(kind->sweep, task->piece, NULL);
	return CLI_DONE;
}
