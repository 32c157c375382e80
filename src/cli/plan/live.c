/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - `foretime plan partition --live`: divides without known times: divide, run, divide again. */
#include "cli/cli.h"
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "tell/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * What runs on each host, its name in the store, and its earlier runs.
 */

/* {host} in a word. */
static char *with_host(const char *word, const char *host)
{
	const char *at;
	char *out = cli_strdup("");

	while ((at = strstr(word, "{host}"))) {
		cli_reprint(&out, "%s%.*s%s", out, (int)(at - word), word, host);
		word = at + strlen("{host}");
	}
	cli_reprint(&out, "%s%s", out, word);
	return out;
}

/* The words of sizes: the total's value is no bound of the program. */
static int read_sizes(struct cli_live *q, struct ft_program *program)
{
	const struct cli_plan *plan = q->plan;
	CLI_OWN char **word = cli_alloc(plan->words * sizeof *word);

	for (size_t i = 1; i < plan->words; i++)
		word[i - 1] = plan->word[i];
	word[0] = q->parameter;
	CLI_TRY(cli_program_params(program, word, plan->words - 1, true));
	q->size.n = program->n_params;
	for (size_t i = 1; i < program->n_params; i++) {
		q->size.value[i] = program->param[i].least;
		if (program->param[i].least != program->param[i].most)
			return cli_fail("'%s' is a range: a plan is of one size", plan->word[i + 1]);
	}
	return CLI_DONE;
}

/* The machine of that name; else a new one with nothing but its name. */
static int find_machine(struct cli_live *q, const char *name, int64_t *id)
{
	struct ft_store *store = q->plan->store;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_store_newest_machine(store, name, &machine, NULL)) {
		cli_machine_named(name, &machine);
		if (ft_store_put_machine(store, &machine, &err))
			status = cli_error(&err);
	}
	*id = machine.id;
	return status;
}

/* Here each host is a processor of its own, and the program on it a program of its own: NAME/HOST. */
static int add_program(struct cli_live *q, struct cli_live_host *of, bool here)
{
	struct cli_plan *plan = q->plan;
	struct ft_program *program = &of->program;
	struct ft_err err = {0};

	program->name =
		here ? cli_printed("%s/%s", plan->word[0], of->host->name) : cli_strdup(plan->word[0]);
	cli_program_argv(program, plan->rest, plan->n_rest);
	for (size_t i = 0; i < program->argc; i++) {
		char *word = with_host(program->argv[i], of->host->name);

		free(program->argv[i]);
		program->argv[i] = word;
	}
	if (read_sizes(q, program) != CLI_DONE)
		return CLI_WRONG;
	program->hash = cli_program_hash(plan->store, program);
	of->machine = plan->here;
	if (!here && find_machine(q, of->host->name, &of->machine) != CLI_DONE)
		return CLI_WRONG;
	if (ft_store_put_program(plan->store, program, &err))
		return cli_error(&err);
	/* Take in earlier runs, so that an interrupted plan goes on. */
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};

	if (ft_store_get_runs(q->plan->store, of->program.id, of->machine, &runs, &err))
		return cli_error(&err);
	for (size_t i = 0; i < runs.n; i++) {
		const struct ft_run *run = &runs.run[i];
		double units = run->size.value[0], seconds = ft_run_value(run, &ft_wall_s);
		bool same = run->outcome == FT_DONE && seconds > 0 && units >= 1 && units <= (double)q->total;

		for (size_t k = 1; k < q->size.n; k++)
			same = same && run->size.value[k] == q->size.value[k];
		for (size_t j = 0; j < q->p && same; j++)
			if (q->piece[j].of == of &&
			    ft_plan_refine_see(q->refine, j, (int64_t)units, seconds, &err))
				return cli_error(&err);
	}
	return CLI_DONE;
}

/* live_programs - set the program, name and stored machine of each host, and read its earlier runs.
 * Returns CLI_DONE, or the exit status after a complaint; so do those below. */
static int live_programs(struct cli_live *q)
{
	const struct cli_live_way *way = cli_live_way(q->plan->via);

	if (!way)
		return CLI_WRONG;
	for (size_t i = 0; i < q->plan->n_hosts; i++)
		CLI_TRY(add_program(q, &q->host[i], way->here));
	return CLI_DONE;
}

/* live_size - the size of a piece. */
static struct ft_size live_size(const struct cli_live *q, const struct cli_live_piece *piece)
{
	struct ft_size size = q->size;

	size.value[0] = (double)piece->units;
	return size;
}

/* live_keep - the runs of a lap, in the store. */
static int live_keep(struct cli_live *q)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < q->p; i++) {
		struct cli_live_piece *piece = &q->piece[i];

		if (piece->runs.n && ft_store_add_runs(q->plan->store, piece->of->program.id,
						       piece->of->machine, &piece->runs, &err))
			return cli_error(&err);
	}
	return CLI_DONE;
}

static void live_clear(struct cli_live *q)
{
	for (size_t i = 0; q->piece && i < q->p; i++) {
		ft_source_close(q->piece[i].source);
		ft_runs_clear(&q->piece[i].runs);
		free(q->piece[i].label);
	}
	for (size_t i = 0; q->host && i < q->plan->n_hosts; i++)
		ft_program_clear(&q->host[i].program);
	ft_plan_refine_free(q->refine);
	free(q->piece);
	free(q->host);
}

/*
 * Run pieces at once: started here, each watched by a thread; or by mpiexec, srun or GNU parallel, as
 * scripts that report their time.
 */

/* ---- here --------------------------------------------------------------------------------------------- */

struct started {
	const struct cli_live *q;
	struct cli_live_piece *piece;
};

static void *run_piece(void *ctx)
{
	struct started *s = ctx;
	const struct ft_size size = live_size(s->q, s->piece);

	s->piece->status = ft_source_run(s->piece->source, &size, 0, 0, &s->piece->runs, &s->piece->err);
	return NULL;
}

static int open_sources(struct cli_live *q)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < q->p; i++) {
		const struct ft_launch launch = {.program = &q->piece[i].of->program, .counters = "none"};

		if (!q->piece[i].source && ft_source_open_process(&q->piece[i].source, &launch, &err))
			return cli_error(&err);
		ft_source_interrupt(q->piece[i].source, cli_interrupt_flag());
	}
	return CLI_DONE;
}

static int run_here(struct cli_live *q)
{
	CLI_OWN struct started *started = cli_alloc(q->p * sizeof *started);
	int status = open_sources(q);

	for (size_t i = 0; i < q->p && status == CLI_DONE; i++) {
		struct cli_live_piece *piece = &q->piece[i];

		started[i] = (struct started){q, piece};
		piece->running =
			piece->units && !pthread_create(&piece->thread, NULL, run_piece, &started[i]);
		if (piece->units && !piece->running)
			status = cli_fail("no thread to run %s with", piece->label);
	}
	for (size_t i = 0; i < q->p; i++)
		if (q->piece[i].running) {
			(void)pthread_join(q->piece[i].thread, NULL);
			q->piece[i].running = false;
			if (q->piece[i].status && status == CLI_DONE)
				status = cli_error_at(&q->piece[i].err, "%s", q->piece[i].label);
		}
	return status;
}

/* ---- scripts ------------------------------------------------------------------------------------------ */

static int write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool good = file && fputs(text, file) >= 0;

	if (file)
		good = !fclose(file) && good;
	return good ? CLI_DONE : cli_fail("cannot write '%s'", path);
}

/* FOLDER/piece.K and its result, FOLDER/took.K */
static int write_piece(const struct cli_live *q, const char *here, const char *folder, size_t i)
{
	const struct ft_size size = live_size(q, &q->piece[i]);
	char *took = cli_printed("%s/took.%zu", folder, i), *path = cli_printed("%s/piece.%zu", folder, i),
	     *text = NULL, **argv = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	(void)unlink(took);
	if (ft_program_arguments(&q->piece[i].of->program, &size, &argv, &err) ||
	    ft_carry_piece((const char *const *)argv, here, took, &text, &err))
		status = cli_error(&err);
	else
		status = write_file(path, text);
	ft_arguments_free(argv);
	free(text);
	free(path);
	free(took);
	return status;
}

/* NULL: this machine. */
static const char *host_of(const struct cli_live_piece *piece)
{
	char own[256] = "";
	const char *name = piece->of->host->name;

	(void)gethostname(own, sizeof own - 1);
	return strcmp(name, own) != 0 && strcmp(name, "localhost") != 0 ? name : NULL;
}

/* Remote shells start in another folder, so paths are absolute. */
static int write_plan(const struct cli_live *q, const char *folder, const struct ft_carry *format,
		      const char *path)
{
	const bool far = !strcmp(ft_carry_name(format), "parallel");
	CLI_OWN char *here = getcwd(NULL, 0);
	CLI_OWN struct ft_carry_command *command = cli_alloc(q->p * sizeof *command);
	const char *(*argv)[3] = cli_alloc(q->p * sizeof *argv);
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;
	size_t n = 0;
	int status = here ? CLI_DONE : cli_fail("this folder has no path any more");

	for (size_t i = 0; i < q->p && status == CLI_DONE; i++) {
		if (!q->piece[i].units)
			continue;
		status = write_piece(q, here, folder, i);
		argv[n][0] = "sh";
		argv[n][1] = cli_printed("%s%s%s/piece.%zu", far ? here : "", far ? "/" : "", folder, i);
		argv[n][2] = NULL;
		command[n] = (struct ft_carry_command){.host = host_of(&q->piece[i]), .argv = argv[n]};
		n++;
	}
	if (status == CLI_DONE && ft_carry_write(format, command, n, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = write_file(path, text);
	for (size_t i = 0; i < n; i++)
		free((void *)(uintptr_t)argv[i][1]);
	free(argv);
	return status;
}

/* The hosts of the tasks, line by line, as srun --distribution=arbitrary takes them; *several: not all of
 * them are this machine. */
static int write_hosts(const struct cli_live *q, const char *folder, bool *several)
{
	char *path = cli_printed("%s/hosts", folder), *text = cli_strdup(""), own[256] = "";

	(void)gethostname(own, sizeof own - 1);
	for (size_t i = 0; i < q->p; i++) {
		const char *host = host_of(&q->piece[i]);

		if (!q->piece[i].units)
			continue;
		*several = *several || host;
		cli_reprint(&text, "%s%s\n", text, host ? host : own);
	}
	int status = write_file(path, text);
	free(text);
	free(path);
	return status;
}

/* A run of which only the wall time is known. */
static int read_took(struct cli_live *q, const char *folder, size_t i)
{
	struct cli_live_piece *piece = &q->piece[i];
	char *took = cli_printed("%s/took.%zu", folder, i);
	FILE *file = fopen(took, "re");
	struct ft_err err = {0};
	struct ft_run run;
	double begin = 0, end = 0;
	int how = 1;
	bool answer = file && fscanf(file, "%d %lf %lf", &how, &begin, &end) == 3;

	if (file)
		(void)fclose(file);
	free(took);
	if (!answer)
		return cli_fail(
			"%s did not report its time\n"
			"hint: this folder has to be seen from all hosts, and each has a date with %%N",
			piece->label);
	ft_run_init(&run);
	run.size = live_size(q, piece);
	run.outcome = how ? FT_FAILED : FT_DONE;
	run.exit_status = how;
	run.started_ns = (int64_t)(begin * 1e9);
	run.cost_s = end - begin;
	if ((!how && ft_run_add(&run, &ft_wall_s, end - begin, FT_MEASURED, "date", NULL, &err)) ||
	    ft_runs_take(&piece->runs, &run, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* The command of a shell: a launcher, and the plan; of srun the number of tasks, and where they are. */
static char *command_of(const struct cli_live *q, const char *launcher, const char *folder, bool several)
{
	size_t n = 0;

	if (strcmp(launcher, "srun") != 0)
		return cli_printed("%s %s/plan >&2", launcher, folder);
	for (size_t i = 0; i < q->p; i++)
		n += q->piece[i].units > 0;
	if (!several)
		return cli_printed("srun -n %zu --multi-prog %s/plan >&2", n, folder);
	return cli_printed(
		"SLURM_HOSTFILE=%s/hosts srun -n %zu --distribution=arbitrary --multi-prog %s/plan >&2",
		folder, n, folder);
}

/* An interrupt ends the launcher, too: this is no failure of its own. */
static int launch(const char *command)
{
	FILE *pipe;
	int ended;

	(void)fflush(stdout);
	pipe = popen(command, "we");
	ended = pipe ? pclose(pipe) : -1;
	if (*cli_interrupt_flag())
		return CLI_INTERRUPTED;
	if (!ended)
		return CLI_DONE;
	return cli_fail(
		"'%s' failed\n"
		"hint: its own messages stand above; it has to be installed, and to reach each host of --on",
		command);
}

/* A lap by a launcher, which is given a plan in a format. */
static int run_through(struct cli_live *q, const char *format, const char *launcher)
{
	const struct ft_carry *carry = ft_carry_find(format);
	char folder[] = "foretime-live.XXXXXX";
	bool several = false;

	if (!mkdtemp(folder))
		return cli_fail("cannot make a folder here: the pieces are scripts in it");
	CLI_OWN char *path = cli_printed("%s/plan", folder);
	int status = write_plan(q, folder, carry, path);
	if (status == CLI_DONE)
		status = write_hosts(q, folder, &several);
	CLI_OWN char *command = command_of(q, launcher, folder, several);
	if (status == CLI_DONE)
		status = launch(command);
	for (size_t i = 0; i < q->p && status == CLI_DONE; i++)
		if (q->piece[i].units)
			status = read_took(q, folder, i);
	static const char *const names[] = {"piece", "took"};
	char *each;

	for (size_t i = 0; i < q->p; i++)
		for (size_t k = 0; k < 2; k++) {
			each = cli_printed("%s/%s.%zu", folder, names[k], i);
			(void)unlink(each);
			free(each);
		}
	for (size_t k = 0; k < 2; k++) {
		each = cli_printed("%s/%s", folder, k ? "hosts" : "plan");
		(void)unlink(each);
		free(each);
	}
	(void)rmdir(folder);
	return status;
}

static int run_mpiexec(struct cli_live *q)
{
	return run_through(q, "mpiexec", "mpiexec -configfile");
}

static int run_srun(struct cli_live *q)
{
	return run_through(q, "multi-prog", "srun");
}

static int run_parallel(struct cli_live *q)
{
	return run_through(q, "parallel", "parallel --jobs 0 ::::");
}

static const struct cli_live_way ways[] = {
	{"local", true, run_here},
	{"mpiexec", false, run_mpiexec},
	{"srun", false, run_srun},
	{"parallel", false, run_parallel},
};

const struct cli_live_way *cli_live_way(const char *name)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(name ? name : "local", ways[i].name))
			return &ways[i];
	(void)cli_fail("--via is local, mpiexec, srun or parallel, not '%s'\n"
		       "hint: local: all pieces are started here, at once",
		       name);
	return NULL;
}

/*
 * `foretime plan partition --live`: divides without known times: divide, run, divide again.
 */

enum { ROUNDS = 12, PIECES_MOST = 512 };

/* ---- the question ------------------------------------------------------------------------------------- */

#define HINT_USE "\nhint: foretime plan partition --via local NAME n=TOTAL --on a,b:2 -- PROG {n}"

static int add_pieces(struct cli_live *q)
{
	const struct cli_plan *plan = q->plan;
	struct ft_partition_options options = {0};
	struct ft_err err = {0};
	size_t i;

	if (cli_plan_counts(plan, q->parameter, &options.granularity) != CLI_DONE)
		return CLI_WRONG;
	for (i = 0; i < plan->n_hosts; i++)
		q->p += plan->host[i].count;
	if (q->p > PIECES_MOST)
		return cli_fail("more than %d processors", PIECES_MOST);
	q->host = cli_alloc(plan->n_hosts * sizeof *q->host);
	q->piece = cli_alloc(q->p * sizeof *q->piece);
	for (i = 0, q->p = 0; i < plan->n_hosts; i++) {
		q->host[i].host = &plan->host[i];
		for (size_t j = 0; j < plan->host[i].count; j++)
			q->piece[q->p++] = (struct cli_live_piece){
				.of = &q->host[i],
				.label = plan->host[i].count == 1
						 ? cli_strdup(plan->host[i].name)
						 : cli_printed("%s/%zu", plan->host[i].name, j + 1)};
	}
	return ft_plan_refine_new(&q->refine, q->p, q->total, &options, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- a lap -------------------------------------------------------------------------------------------- */

static int run_lap(struct cli_live *q, const int64_t *units, double *seconds)
{
	for (size_t i = 0; i < q->p; i++) {
		ft_runs_clear(&q->piece[i].runs);
		q->piece[i].units = units[i];
	}
	int status = cli_live_way(q->plan->via)->run(q);
	int kept = live_keep(q);
	CLI_TRY(status);
	CLI_TRY(kept);
	/* Check that each run of the lap ended well, and take its time. */
	for (size_t i = 0; i < q->p; i++) {
		struct cli_live_piece *piece = &q->piece[i];
		const struct ft_run *run = piece->runs.n ? &piece->runs.run[0] : NULL;

		seconds[i] = 0;
		if (!piece->units)
			continue;
		if (!run || run->outcome == FT_INTERRUPTED)
			return CLI_INTERRUPTED;
		if (run->outcome != FT_DONE) {
			char *why = cli_failure_text(run->outcome, run, run->detail);

			(void)cli_fail("%s with %s=%lld: %s", piece->label, q->parameter,
				       (long long)piece->units, why);
			free(why);
			return CLI_WRONG;
		}
		seconds[i] = ft_run_value(run, &ft_wall_s);
	}
	return CLI_DONE;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

struct laps {
	struct ft_answer_lap *lap;
	size_t n;
	double *seconds; /* [p] of the best one */
	bool quiet;
};

static void tell_lap(struct laps *l, const struct ft_plan_refined *now, const double *seconds, size_t p)
{
	struct ft_answer_lap lap = {.expected_s = now->expected_s};
	double shortest = INFINITY;
	char time[FT_UNIT_LENGTH], expected[FT_UNIT_LENGTH];

	for (size_t i = 0; i < p; i++) {
		lap.time_s = fmax(lap.time_s, seconds[i]);
		shortest = seconds[i] > 0 ? fmin(shortest, seconds[i]) : shortest;
	}
	lap.even = lap.time_s / shortest;
	if (lap.time_s < now->best_s)
		memcpy(l->seconds, seconds, p * sizeof *seconds);
	l->lap = cli_grow(l->lap, l->n, sizeof *l->lap);
	l->lap[l->n++] = lap;
	if (l->quiet)
		return;
	printf("run %zu: %s", l->n, ft_value_format(lap.time_s, "s", time));
	if (!isnan(lap.expected_s))
		printf(" (expected %s)", ft_value_format(lap.expected_s, "s", expected));
	printf(", the last %.3g times as long as the first\n", lap.even);
	(void)fflush(stdout);
}

static void print_lap(const struct cli_live *q, const struct laps *l, const struct ft_plan_refined *now)
{
	CLI_OWN struct ft_answer_part *part = cli_alloc(q->p * sizeof *part);
	const int64_t *best = ft_plan_refine_best(q->refine);
	const struct ft_answer_live answer = {.parameter = q->parameter,
					      .total = q->total,
					      .time_s = now->best_s,
					      .gain = now->gain,
					      .spread = now->spread,
					      .settled = now->settled,
					      .lap = l->lap,
					      .laps = l->n,
					      .part = part,
					      .parts = q->p};

	for (size_t i = 0; i < q->p; i++)
		part[i] = (struct ft_answer_part){q->piece[i].label, best[i],
						  (double)best[i] / (double)q->total,
						  best[i] ? l->seconds[i] : (double)NAN};
	if (q->plan->json) {
		cli_tell(&ft_tell_live, &answer, NULL);
	} else if (q->plan->format) {
		cli_tell_csv(stdout, &ft_tell_part, part, q->p, NULL, true);
	} else {
		char time[FT_UNIT_LENGTH], gain[FT_UNIT_LENGTH], spread[FT_UNIT_LENGTH];

		printf("%s=%lld over %zu processor%s: done in %s\n", answer.parameter,
		       (long long)answer.total, answer.parts, answer.parts == 1 ? "" : "s",
		       ft_value_format(answer.time_s, "s", time));
		if (answer.settled && answer.gain > 0)
			printf("the next division would gain %s; runs vary by %s\n",
			       ft_share_format(answer.gain, gain), ft_share_format(answer.spread, spread));
		else
			printf(answer.settled ? "nothing is to be gained\n"
					      : "not settled: more --runs go on from here\n");
		putchar('\n');
		cli_tell_table(&ft_tell_part, answer.part, answer.parts, NULL);
	}
}

static void clear_laps(struct laps *laps)
{
	free(laps->seconds);
	free(laps->lap);
}

int cli_plan_live(struct cli_plan *plan)
{
	FT_CLEANUP(live_clear) struct cli_live q = {.plan = plan};
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};

	if (!plan->n_rest)
		return cli_fail("--via runs a command: none stands behind --" HINT_USE);
	if (plan->words < 2 || strchr(plan->word[0], '=') || !plan->on)
		return cli_fail("--via wants a name, a total and --on" HINT_USE);
	if (plan->front || plan->least || plan->all || plan->plot || plan->risk > 0 ||
	    plan->memory_risk > 0 || !isnan(plan->deadline_s) || !isnan(plan->effort) || !isnan(plan->min) ||
	    (plan->format && strcmp(plan->format, "csv") != 0))
		return cli_fail("--via divides by what it measures: no risk, energy, deadline, effort, "
				"least share, file or picture\n"
				"hint: when it is done: foretime plan partition NAME/a NAME/b n=TOTAL");
	if (!plan->rounds)
		return cli_fail("--runs 0 runs nothing\n"
				"hint: to divide by the stored models: foretime plan partition NAME/a NAME/b "
				"n=TOTAL");
	CLI_TRY(cli_name_check(plan->word[0]));
	CLI_TRY(cli_plan_total(plan->word[1], q.parameter, &q.total));
	CLI_TRY(cli_plan_open_for(plan, CLI_WRITE));
	if (!plan->here) {
		if (ft_machine_read("", &machine, &err) || ft_store_put_machine(plan->store, &machine, &err))
			return cli_error(&err);
		plan->here = machine.id;
	}
	CLI_TRY(add_pieces(&q));
	CLI_TRY(live_programs(&q));
	cli_signals_catch();
	size_t rounds = q.plan->rounds == SIZE_MAX ? ROUNDS : q.plan->rounds;
	CLI_OWN int64_t *units = cli_alloc(q.p * sizeof *units);
	CLI_OWN double *seconds = cli_alloc(q.p * sizeof *seconds);
	FT_CLEANUP(clear_laps)
	struct laps laps = {.seconds = cli_alloc(q.p * sizeof *laps.seconds),
			    .quiet = q.plan->json || q.plan->format};
	struct ft_plan_refined now;

	for (size_t round = 0;; round++) {
		if (ft_plan_refine_next(q.refine, units, &now, &err))
			return cli_error(&err);
		if (now.settled || round == rounds)
			break;
		int status = run_lap(&q, units, seconds);
		if (*cli_interrupt_flag())
			return CLI_INTERRUPTED;
		CLI_TRY(status);
		tell_lap(&laps, &now, seconds, q.p);
		if (ft_plan_refine_ran(q.refine, units, seconds, &err))
			return cli_error(&err);
	}
	print_lap(&q, &laps, &now);
	return CLI_DONE;
}
