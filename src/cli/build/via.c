/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via.c - `foretime build --via`: one sweep for each kind of machine, whose runs are carried there and taken
 * in as they come back. */
#include "cli/build/via.h"
#include "cli/common.h"
#include "cli/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_engine *const engines[] = {&cli_engine_slurm, &cli_engine_parallel,
						   &cli_engine_mpiexec};

enum { ENGINES = sizeof engines / sizeof *engines };

static const struct cli_engine *find_engine(const char *name)
{
	size_t i;

	for (i = 0; i < ENGINES; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

/* ---- what was typed ----------------------------------------------------------------------------------- */

static int check_alone(const struct cli_build *build)
{
	if (!build->partition && !build->constraint && !build->hosts && !build->folder && !build->each_kind &&
	    !build->dry_run && !build->at_once)
		return CLI_DONE;
	return cli_fail("--partition, --constraint, --hosts, --folder, --each-kind, --at-once and --dry-run "
			"are of --via\n"
			"hint: --via slurm, parallel or mpiexec says who carries the runs");
}

int cli_via_check(const struct cli_build *build)
{
	const struct cli_engine *engine;

	if (!build->via)
		return check_alone(build);
	engine = find_engine(build->via);
	if (!engine)
		return cli_fail("--via is slurm, parallel or mpiexec, not '%s'\n"
				"hint: without it all runs are made here",
				build->via);
	if (build->replay_path || build->cases_path || build->steps || build->automatic.word ||
	    build->devices.n)
		return cli_fail("--via carries runs of a program between two sizes: no --replay, --cases, "
				"--steps, --device or auto");
	if (engine->launcher ? build->partition || build->constraint : build->hosts != NULL)
		return cli_fail(engine->launcher ? "--partition and --constraint are of --via slurm"
						 : "--hosts is of --via parallel and mpiexec");
	if (build->each_kind && build->json)
		return cli_fail("--json is one object, and --each-kind makes models of several machines\n"
				"hint: leave out --json, and ask foretime show --json --machine M behind it");
	if (build->at_once <= FT_ASK_MAX)
		return CLI_DONE;
	return cli_fail("--at-once is at most %d", FT_ASK_MAX);
}

/* ---- the work ----------------------------------------------------------------------------------------- */

static int begin_sweep(struct cli_via *via, struct cli_machines *kind)
{
	struct cli_build *build = via->build;
	struct ft_sweep_options options = build->options;
	struct ft_err err = {0};

	options.elsewhere = true;
	options.at_once = build->at_once ? build->at_once : kind->slots;
	options.at_once = options.at_once > FT_ASK_MAX ? FT_ASK_MAX : options.at_once ? options.at_once : 1;
	kind->slots = options.at_once;
	if (ft_store_put_machine(build->store, &kind->machine, &err) ||
	    ft_sweep_new(&kind->sweep, build->store, &build->program, &kind->machine, NULL, &options, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* The runs whose turn it is. */
static int hand_out(struct cli_via *via, size_t k)
{
	struct cli_machines *kind = &via->kind[k];
	size_t out = cli_tasks_out(via, k), n = 0, i;
	size_t most = out < kind->slots ? kind->slots - out : 0;
	struct ft_sweep_piece *piece = cli_alloc((most + 1) * sizeof *piece);
	struct cli_task *task = cli_alloc((most + 1) * sizeof *task);
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (most && ft_sweep_step(kind->sweep, piece, most, &n, &err))
		status = cli_error(&err);
	for (i = 0; i < n; i++)
		task[i] = (struct cli_task){.kind = k,
					    .piece = piece[i].id,
					    .size = piece[i].size,
					    .limit_s = piece[i].limit_s,
					    .lost = piece[i].lost};
	if (status == CLI_DONE && n) {
		status = cli_tasks_send(via, task, n);
		via->quiet_s = 0;
	}
	kind->ended = !n && !out;
	free(task);
	free(piece);
	return status;
}

static void show_script(const struct cli_via *via)
{
	struct ft_progress sum = {.expected_s = NAN,
				  .reason = -1,
				  .gain = NAN,
				  .hindrance = {.slow_down = 1}},
			   each;
	size_t i;

	for (i = 0; i < via->n_kinds; i++)
		if (via->kind[i].sweep) {
			ft_sweep_progress(via->kind[i].sweep, &each);
			sum.points += each.points;
			sum.spent_s += each.spent_s;
			sum.budget_s += each.budget_s;
			sum.in_flight += each.in_flight;
		}
	if (via->build->options.progress)
		via->build->options.progress(via->build->options.progress_ctx, &sum);
}

static int work(struct cli_via *via)
{
	bool more = true;
	size_t i;
	int status = CLI_DONE;

	while (more && status == CLI_DONE && !*cli_interrupt_flag()) {
		more = false;
		status = cli_tasks_collect(via, "end");
		if (status == CLI_DONE)
			status = cli_tasks_look(via, false);
		for (i = 0; i < via->n_kinds && status == CLI_DONE; i++)
			if (via->kind[i].as == i) {
				status = hand_out(via, i);
				more = more || !via->kind[i].ended;
			}
		show_script(via);
		if (more && status == CLI_DONE)
			cli_via_rest(via);
	}
	return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* The models of a kind, and what they rest on. */
static int end_kind(struct cli_via *via, struct cli_machines *kind, bool failed)
{
	struct cli_build *build = via->build;
	struct ft_err err = {0};
	enum ft_status status = ft_sweep_end(kind->sweep, &build->report, &err);
	struct ft_machine before = build->machine;

	build->machine = kind->machine;
	if ((status == FT_OK || status == FT_ENOMODEL) && !(failed && !build->report.n_sizes)) {
		if (via->build->each_kind)
			printf("%s%s on %s\n", kind == via->kind ? "" : "\n", build->program.name,
			       kind->machine.host ? kind->machine.host : kind->fingerprint);
		cli_build_report(build);
	}
	build->machine = before;
	ft_sweep_report_clear(&build->report);
	return status ? cli_error(&err) : CLI_DONE;
}

/* Nobody takes in any more what is out. What has ended meanwhile is. */
static void call_off(struct cli_via *via)
{
	size_t i;

	via->engine->cancel(via);
	(void)cli_tasks_collect(via, "end");
	for (i = 0; i < via->n; i++)
		cli_folder_drop(via, via->task[i].id);
}

static int end(struct cli_via *via, int status)
{
	bool interrupted = *cli_interrupt_flag();
	size_t i;
	int ended;

	if (status != CLI_DONE || interrupted)
		call_off(via);
	for (i = 0; i < via->n_kinds; i++) {
		if (!via->kind[i].sweep)
			continue;
		ended = end_kind(via, &via->kind[i], status != CLI_DONE);
		status = status == CLI_DONE ? ended : status;
	}
	if (via->lost && status == CLI_DONE)
		cli_note("%zu task%s brought nothing back, and %s asked for again", via->lost,
			 via->lost == 1 ? "" : "s", via->lost == 1 ? "was" : "were");
	return status == CLI_DONE && interrupted ? CLI_INTERRUPTED : status;
}

static int carry(struct cli_via *via)
{
	size_t i;
	int status = cli_kinds_find(via);

	for (i = 0; i < via->n_kinds && status == CLI_DONE; i++)
		if (via->kind[i].as == i)
			status = begin_sweep(via, &via->kind[i]);
	/* What a build before left, before anything is asked for. */
	if (status == CLI_DONE)
		status = cli_tasks_collect(via, "db");
	if (status == CLI_DONE)
		status = cli_tasks_look(via, true);
	if (status == CLI_DONE)
		status = work(via);
	/* What came meanwhile, of tasks that a build before began. */
	if (status == CLI_DONE)
		status = cli_tasks_collect(via, "db");
	return end(via, status);
}

static int dry_run(const struct cli_via *via)
{
	struct cli_task task = {.size = {.n = via->build->program.n_params}};
	char serial[] = "0123456789abcdef0123456789abcdef", *text;
	size_t i, n = via->build->at_once ? via->build->at_once : 1;

	text = via->engine->show(via, serial, 0, n);
	if (!text)
		return CLI_WRONG;
	printf("%s", text);
	free(text);
	for (i = 0; i < task.size.n; i++)
		task.size.value[i] = via->build->program.param[i].least;
	task.limit_s = via->build->options.timeout_s;
	(void)snprintf(task.id, sizeof task.id, "%s.0", serial);
	if (cli_folder_script(via, &task, &text) != CLI_DONE)
		return CLI_WRONG;
	printf("\n%s.sh, at the least sizes:\n%s", task.id, text);
	free(text);
	return CLI_DONE;
}

static void via_clear(struct cli_via *via)
{
	size_t i;

	for (i = 0; i < via->n_kinds; i++) {
		ft_sweep_free(via->kind[i].sweep);
		ft_machine_clear(&via->kind[i].machine);
		free(via->kind[i].fingerprint);
		free(via->kind[i].label);
		free(via->kind[i].nodes);
	}
	for (i = 0; i < via->n_slots; i++)
		free(via->slot[i].host);
	free(via->slot);
	free(via->kind);
	free(via->task);
	cli_folder_close(via);
}

int cli_build_via(struct cli_build *build)
{
	struct cli_via via = {.build = build, .engine = find_engine(build->via)};
	int status;

	cli_signals_catch();
	status = cli_folder_open(&via);
	if (status == CLI_DONE && build->dry_run)
		status = dry_run(&via);
	else if (status == CLI_DONE && (status = via.engine->open(&via)) == CLI_DONE) {
		status = carry(&via);
		/* A failure leaves what explains it. */
		if (status == CLI_DONE || status == CLI_INTERRUPTED)
			cli_folder_clean(&via);
	}
	via_clear(&via);
	return status;
}
