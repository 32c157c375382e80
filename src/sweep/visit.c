/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.c - runs at the sizes that a builder asked for: repeated until the mean is known well enough, in
 * random order over the sizes, within the budget. */
#include "sweep/sweep.h"
#include "base/alloc.h"
#include "base/random.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mean speed at a place; NaN: not known. */
static double speed_at(const struct ft__sweep *sweep, size_t index)
{
	const struct ft__place *place = &sweep->place[index];
	double work;

	if (ft_program_work(sweep->program, &sweep->report->size[index].size, &work, NULL) || !(work > 0))
		work = place->work > 0 ? place->work : sweep->n_axes > 1 ? (double)NAN : 1;
	return place->n ? work / ft_stats_mean(place->seconds, place->n) : (double)NAN;
}

/* How well the mean at a place shall be known, as a share of it: a size that is ten times slower than the
 * fastest need not be known as well, where the tolerance is a share of that one's speed. */
static double tolerance_at(const struct ft__sweep *sweep, size_t index)
{
	double own = speed_at(sweep, index), top = own;
	size_t i;

	if (!sweep->options->of_top || isnan(own))
		return sweep->options->tolerance;
	for (i = 0; i < sweep->report->n_sizes; i++)
		top = fmax(top, speed_at(sweep, i)); /* NaN loses */
	return sweep->options->tolerance * top / own;
}

/* Whether the confidence interval of the mean is narrower than the tolerance. */
static bool is_narrow(const struct ft__sweep *sweep, size_t index)
{
	const struct ft__place *place = &sweep->place[index];
	double n = (double)place->n;

	if (place->n < 2)
		return false;
	return ft_student_t(sweep->options->confidence, n - 1) *
		       sqrt(ft_stats_variance(place->seconds, place->n) / n) <=
	       tolerance_at(sweep, index) * ft_stats_mean(place->seconds, place->n);
}

/* How many more runs a place wants in this round. */
static size_t wanted(const struct ft__sweep *sweep, size_t index)
{
	const struct ft_sweep_options *o = sweep->options;
	const struct ft__place *place = &sweep->place[index];
	const struct ft_sweep_size *size = &sweep->report->size[index];

	if (ft__guard_closes(sweep, &size->size))
		return 0;
	if (ft__builder_repeats(sweep))
		return !place->closed && place->n < place->wanted && place->asked < place->last_try;
	if (place->closed || place->n >= o->reps_most || place->asked >= o->reps_most + size->failed)
		return 0;
	if (place->n + size->failed < o->reps_least)
		return o->reps_least - place->n - size->failed;
	if (!place->n) /* it failed as often as it may */
		return 0;
	if (o->reps_least >= o->reps_most || place->spent_s >= o->reps_limit_s)
		return 0;
	return is_narrow(sweep, index) || o->reps_least == 1 ? 0 : 1;
}

/* The time limit of the next run: the user's, or what the budget leaves. 0: none. */
static double limit(const struct ft__sweep *sweep)
{
	const struct ft_sweep_options *o = sweep->options;
	double left = o->budget_s > 0 ? o->budget_s - ft__spent(sweep) : INFINITY;
	double most = o->timeout_s > 0 ? o->timeout_s : INFINITY;

	return isfinite(fmin(left, most)) ? fmin(left, most) : 0;
}

/* Whether the budget allows a run at a size. */
static bool affordable(const struct ft__sweep *sweep, const struct ft_size *size)
{
	double left = sweep->options->budget_s - ft__spent(sweep);

	return !(sweep->options->budget_s > 0) || (left > 0 && !(ft__price(sweep, size) > left));
}

static enum ft_status keep_routine(struct ft__sweep *sweep, struct ft_run *run, struct ft_err *err)
{
	struct ft_program routine;
	enum ft_status status = ft_program_copy(&routine, sweep->program, err);
	char name[256];

	if (status)
		return status;
	(void)snprintf(name, sizeof name, "%s/%s", sweep->program->name, run->routine);
	ft_free(routine.name);
	routine.name = ft_strdup(name);
	routine.id = 0;
	status = routine.name ? ft_store_put_program(sweep->store, &routine, err) : ft_nomem(err);
	if (!status)
		status = ft_store_add_run(sweep->store, routine.id, sweep->machine->id, run, err);
	ft_program_clear(&routine);
	return status;
}

enum ft_status ft__runs_keep(struct ft__sweep *sweep, struct ft_runs *runs, bool warmup, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < runs->n && !status; i++) {
		struct ft_run *run = &runs->run[i];

		run->warmup = warmup;
		if (run->outcome == FT_INTERRUPTED)
			continue;
		if (run->routine)
			status = keep_routine(sweep, run, err);
		else
			status = ft_store_add_run(sweep->store, sweep->program->id, sweep->machine->id, run,
						  err);
	}
	return status;
}

static void show_progress(const struct ft__sweep *sweep, size_t index)
{
	const struct ft_sweep_options *o = sweep->options;
	struct ft_progress progress = {
		.points = sweep->report->points,
		.runs = sweep->report->runs,
		.spent_s = o->budget_s > 0 ? ft__spent(sweep) : sweep->report->cost_s,
		.budget_s = o->budget_s,
		.size = sweep->report->size[index].size,
		.expected_s = ft__price(sweep, &sweep->report->size[index].size),
		.hindrance = ft__hindrance(sweep),
	};

	if (o->progress)
		o->progress(o->progress_ctx, &progress);
}

/* A place that the budget does not reach. */
static void give_up(struct ft__sweep *sweep, size_t index)
{
	sweep->place[index].closed = true;
	sweep->out_of_budget = true;
}

/* Whether the budget pays for another run like the one that was just made. */
static bool repeatable(const struct ft__sweep *sweep, double cost_s)
{
	double budget_s = sweep->options->budget_s;

	return !(budget_s > 0) || budget_s - ft__spent(sweep) >= cost_s;
}

/* One execution. A replay that has no more, and a run that was ended by the user or by the end of the budget,
 * end the place. A warm-up that cannot be repeated counts: it is all that there is. */
static enum ft_status run_once(struct ft__sweep *sweep, size_t index, bool warmup, struct ft_err *err)
{
	struct ft__place *place = &sweep->place[index];
	struct ft_runs runs = {0};
	double limit_s = limit(sweep);
	enum ft_status status;

	show_progress(sweep, index);
	status = ft_source_run(sweep->source, &sweep->report->size[index].size, place->asked, limit_s, &runs,
			       err);
	if (status == FT_EEND) {
		place->closed = true;
		place->absent = !place->n;
		status = FT_OK;
		goto out;
	}
	if (status)
		goto out;
	sweep->report->runs += runs.run[0].outcome != FT_INTERRUPTED;
	sweep->report->cost_s += runs.run[0].cost_s;
	place->spent_s += runs.run[0].cost_s;
	warmup = warmup && repeatable(sweep, runs.run[0].cost_s);
	ft__hindrance_add(sweep, &runs.run[0]);
	status = ft__runs_keep(sweep, &runs, warmup, err);
	if (runs.run[0].outcome == FT_INTERRUPTED)
		sweep->interrupted = true;
	else if (runs.run[0].outcome == FT_TIMED_OUT && limit_s != sweep->options->timeout_s)
		give_up(sweep, index);
	else if (!status && !warmup)
		status = ft__place_add(sweep, index, &runs.run[0], err);
	if (!status)
		status = ft__guard_add(sweep, &runs.run[0], err);
out:
	ft_runs_clear(&runs);
	ft__load_observe(sweep, false);
	return status;
}

static void count_points(struct ft__sweep *sweep)
{
	size_t i;

	sweep->report->points = 0;
	for (i = 0; i < sweep->report->n_sizes; i++)
		sweep->report->points += sweep->place[i].n > 0;
}

static bool stopped(struct ft__sweep *sweep)
{
	if (sweep->options->interrupt && *sweep->options->interrupt)
		sweep->interrupted = true;
	return sweep->interrupted;
}

/* A run of a round. */
struct turn {
	size_t place;
	size_t repetition; /* how many runs the place has before it */
	uint64_t key;      /* random, and the same whenever this run is planned */
};

static uint64_t turn_key(const struct ft__sweep *sweep, const struct ft_size *size, size_t repetition)
{
	struct ft_random random = {sweep->options->seed + repetition};
	uint64_t bits;
	size_t i;

	for (i = 0; i < sweep->n_axes; i++) {
		memcpy(&bits, &size->value[sweep->axis[i]], sizeof bits);
		random.state = ft_random_bits(&random) ^ bits;
	}
	return ft_random_bits(&random);
}

static int compare_turns(const void *a, const void *b)
{
	const struct turn *p = a, *q = b;

	if (p->repetition != q->repetition)
		return p->repetition < q->repetition ? -1 : 1;
	return (p->key > q->key) - (p->key < q->key);
}

/* The runs of a round: every place as often as it wants, in random order. Its first runs stand before the
 * second ones, so that a sweep that was killed in the middle plans what is left in the same order. */
static enum ft_status make_round(const struct ft__sweep *sweep, const size_t *index, size_t n,
				 struct turn **round, size_t *length, struct ft_err *err)
{
	size_t i, j, k;

	*length = 0;
	for (i = 0; i < n; i++)
		*length += wanted(sweep, index[i]);
	*round = ft_calloc(*length, sizeof **round);
	if (!*round)
		return ft_nomem(err);
	for (i = 0, k = 0; i < n; i++) {
		const struct ft__place *place = &sweep->place[index[i]];
		size_t wants = wanted(sweep, index[i]);

		for (j = 0; j < wants; j++)
			(*round)[k++] = (struct turn){
				index[i], place->asked + j,
				turn_key(sweep, &sweep->report->size[index[i]].size, place->asked + j)};
	}
	qsort(*round, *length, sizeof **round, compare_turns);
	/* A place that is ahead waits for the others, as it would have had the sweep not been killed. */
	for (i = 0; i < *length && (*round)[i].repetition == (*round)[0].repetition;)
		i++;
	*length = i;
	return FT_OK;
}

/* The first run of all is a warm-up: it loads the program's file and libraries, and is not modelled. */
static enum ft_status warm_up(struct ft__sweep *sweep, size_t index, struct ft_err *err)
{
	if (sweep->warm)
		return FT_OK;
	sweep->warm = true;
	return run_once(sweep, index, true, err);
}

static enum ft_status run_round(struct ft__sweep *sweep, const struct turn *round, size_t length, bool *any,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < length && !status && !stopped(sweep); i++) {
		size_t index = round[i].place;
		const struct ft__place *place = &sweep->place[index];
		size_t asked = place->asked;

		if (place->closed || ft__guard_closes(sweep, &sweep->report->size[index].size))
			continue;
		if (!affordable(sweep, &sweep->report->size[index].size)) {
			give_up(sweep, index);
			*any = true; /* others may still want theirs */
			continue;
		}
		status = warm_up(sweep, index, err);
		if (!status && !stopped(sweep) && !place->closed && place->asked == asked)
			status = run_once(sweep, index, false, err);
		*any = true;
		count_points(sweep);
	}
	return status;
}

enum ft_status ft__visit(struct ft__sweep *sweep, const size_t *index, size_t n, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool any = true;
	size_t i;

	count_points(sweep);
	/* One run for each ask; a failure may be an accident, and is tried once more. */
	for (i = 0; i < n; i++) {
		struct ft__place *place = &sweep->place[index[i]];

		place->wanted = place->n + 1;
		place->last_try = place->asked - place->tries + FT__TRIES;
	}
	while (any && !status && !stopped(sweep)) {
		struct turn *round;
		size_t length;

		any = false;
		status = make_round(sweep, index, n, &round, &length, err);
		if (status)
			break;
		status = run_round(sweep, round, length, &any, err);
		ft_free(round);
	}
	return status;
}
