/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - `foretime plan partition --live`: no times are known; divide, run, divide again. */
#include "cli/plan/live.h"
#include "cli/facts.h"
#include "cli/program.h"
#include "tell/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, PIECES_MOST = 512 };

/* ---- the question ------------------------------------------------------------------------------------- */

#define HINT_USE "\nhint: foretime plan partition --via local NAME n=TOTAL --on a,b:2 -- PROG {n}"

static int check_live(const struct cli_plan *plan)
{
	if (!plan->n_rest)
		return cli_fail("--via runs a command: none stands behind --" HINT_USE);
	if (plan->words < 2 || strchr(plan->word[0], '=') || !plan->on)
		return cli_fail("--via wants a name, a total and --on" HINT_USE);
	if (plan->front || plan->least || plan->all || plan->grid || plan->plot || plan->risk > 0 ||
	    plan->memory_risk > 0 || !isnan(plan->deadline_s) || !isnan(plan->effort) || !isnan(plan->min) ||
	    (plan->format && strcmp(plan->format, "csv") != 0))
		return cli_fail("--via divides by what it measures: no risk, energy, deadline, effort, "
				"grid, least share, file or picture\n"
				"hint: when it is done: foretime plan partition NAME/a NAME/b n=TOTAL");
	if (!plan->rounds)
		return cli_fail("--runs 0 runs nothing\n"
				"hint: to divide by the stored models: foretime plan partition NAME/a "
				"NAME/b n=TOTAL");
	return cli_name_check(plan->word[0]);
}

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

/* Each run of the lap: it ended well, and took so long. */
static int judge_lap(struct cli_live *q, double *seconds)
{
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

static int run_lap(struct cli_live *q, const int64_t *units, double *seconds)
{
	for (size_t i = 0; i < q->p; i++) {
		ft_runs_clear(&q->piece[i].runs);
		q->piece[i].units = units[i];
	}
	int status = cli_live_way(q->plan->via)->run(q);
	int kept = cli_live_keep(q);
	CLI_TRY(status);
	CLI_TRY(kept);
	return judge_lap(q, seconds);
}

/* ---- the answer --------------------------------------------------------------------------------------- */

struct laps {
	struct ft_told_lap *lap;
	size_t n;
	double *seconds; /* [p] of the best one */
	bool quiet;
};

static void tell_lap(struct laps *l, const struct ft_plan_refined *now, const double *seconds, size_t p)
{
	struct ft_told_lap lap = {.expected_s = now->expected_s};
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

static void print_text(const struct ft_told_live *told)
{
	char time[FT_UNIT_LENGTH], gain[FT_UNIT_LENGTH], spread[FT_UNIT_LENGTH];

	printf("%s=%lld over %zu processor%s: done in %s\n", told->parameter, (long long)told->total,
	       told->parts, told->parts == 1 ? "" : "s", ft_value_format(told->time_s, "s", time));
	if (told->settled && told->gain > 0)
		printf("the next division would gain %s; runs vary by %s\n",
		       ft_share_format(told->gain, gain), ft_share_format(told->spread, spread));
	else
		printf(told->settled ? "nothing is to be gained\n"
				     : "not settled: more --runs go on from here\n");
	putchar('\n');
	cli_tell_table(&ft_tell_part, told->part, told->parts, NULL);
}

static void print_lap(const struct cli_live *q, const struct laps *l, const struct ft_plan_refined *now)
{
	CLI_OWN struct ft_told_part *part = cli_alloc(q->p * sizeof *part);
	const int64_t *best = ft_plan_refine_best(q->refine);
	const struct ft_told_live told = {.parameter = q->parameter,
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
		part[i] =
			(struct ft_told_part){q->piece[i].label, best[i], (double)best[i] / (double)q->total,
					      best[i] ? l->seconds[i] : (double)NAN};
	if (q->plan->json)
		cli_tell(&ft_tell_live, &told, NULL);
	else if (q->plan->format)
		cli_tell_csv(stdout, &ft_tell_part, part, q->p, NULL, true);
	else
		print_text(&told);
}

static void clear_laps(struct laps *laps)
{
	free(laps->seconds);
	free(laps->lap);
}

static int learn_lap(struct cli_live *q)
{
	size_t rounds = q->plan->rounds == SIZE_MAX ? ROUNDS : q->plan->rounds;
	CLI_OWN int64_t *units = cli_alloc(q->p * sizeof *units);
	CLI_OWN double *seconds = cli_alloc(q->p * sizeof *seconds);
	FT_CLEANUP(clear_laps)
	struct laps laps = {.seconds = cli_alloc(q->p * sizeof *laps.seconds),
			    .quiet = q->plan->json || q->plan->format};
	struct ft_plan_refined now;
	struct ft_err err = {0};

	for (size_t round = 0;; round++) {
		if (ft_plan_refine_next(q->refine, units, &now, &err))
			return cli_error(&err);
		if (now.settled || round == rounds)
			break;
		int status = run_lap(q, units, seconds);
		if (*cli_interrupt_flag())
			return CLI_INTERRUPTED;
		CLI_TRY(status);
		tell_lap(&laps, &now, seconds, q->p);
		if (ft_plan_refine_ran(q->refine, units, seconds, &err))
			return cli_error(&err);
	}
	print_lap(q, &laps, &now);
	return CLI_DONE;
}

int cli_plan_live(struct cli_plan *plan)
{
	FT_CLEANUP(cli_live_clear) struct cli_live q = {.plan = plan};
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};

	CLI_TRY(check_live(plan));
	CLI_TRY(cli_plan_total(plan->word[1], q.parameter, &q.total));
	CLI_TRY(cli_plan_open_for(plan, CLI_WRITE));
	if (!plan->here) {
		if (ft_machine_read("", &machine, &err) || ft_store_put_machine(plan->store, &machine, &err))
			return cli_error(&err);
		plan->here = machine.id;
	}
	CLI_TRY(add_pieces(&q));
	CLI_TRY(cli_live_programs(&q));
	cli_signals_catch();
	return learn_lap(&q);
}
