/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.c - whose turn it is: the sizes that a builder asked for, repeated until the mean is known well
 * enough, in random order; when none wants a run, the builder is told of them and asked for more. */
#include "sweep/sweep.h"
#include "base/random.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* ---- wishes ------------------------------------------------------------------------------------------- */

/* The mean speed at a place; NaN: not known. */
static double speed_at(const struct ft_sweep *sweep, size_t index)
{
	const struct ft__tally *place = &sweep->place[index];
	double work;

	if (ft_program_work(sweep->program, &sweep->report.size[index].size, &work, NULL) || !(work > 0))
		work = place->work > 0 ? place->work : sweep->n_axes > 1 ? (double)NAN : 1;
	return place->n ? work / ft_stats_mean(place->seconds, place->n) : (double)NAN;
}

/* How well the mean at a place shall be known, as a share of it: a size that is ten times slower than the
 * fastest need not be known as well, where the tolerance is a share of that one's speed. */
static double tolerance_at(const struct ft_sweep *sweep, size_t index)
{
	double own = speed_at(sweep, index), top = own;

	if (!sweep->options.of_top || isnan(own))
		return sweep->options.tolerance;
	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		top = fmax(top, speed_at(sweep, i)); /* NaN loses */
	return sweep->options.tolerance * top / own;
}

/* Whether the confidence interval of the mean is narrower than the tolerance. */
static bool is_narrow(const struct ft_sweep *sweep, size_t index)
{
	const struct ft__tally *place = &sweep->place[index];
	double n = (double)place->n;

	if (place->n < 2)
		return false;
	return ft_student_t(sweep->options.confidence, n - 1) *
		       sqrt(ft_stats_variance(place->seconds, place->n) / n) <=
	       tolerance_at(sweep, index) * ft_stats_mean(place->seconds, place->n);
}

/* How many more runs a place wants now, those in flight among them. */
static size_t runs_wanted(const struct ft_sweep *sweep, size_t index)
{
	const struct ft_sweep_options *o = &sweep->options;
	const struct ft__tally *place = &sweep->place[index];
	const struct ft_sweep_size *size = &sweep->report.size[index];

	if (ft__guard_closes(sweep, &size->size))
		return 0;
	if (ft__builder_repeats(sweep))
		return !place->closed && place->n < place->wanted && place->tries < FT__TRIES;
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

/* A run that may be next. */
struct turn {
	size_t place;
	size_t repetition; /* how many runs the place has before it */
	uint64_t key;      /* random, and the same whenever this run is planned */
};

static struct turn turn_of(const struct ft_sweep *sweep, size_t index)
{
	const struct ft_size *size = &sweep->report.size[index].size;
	struct turn turn = {index, sweep->place[index].asked + sweep->place[index].in_flight, 0};
	struct ft_random random = {sweep->options.seed + turn.repetition};
	uint64_t bits;

	for (size_t i = 0; i < sweep->n_axes; i++) {
		memcpy(&bits, &size->value[sweep->axis[i]], sizeof bits);
		random.state = ft_random_bits(&random) ^ bits;
	}
	turn.key = ft_random_bits(&random);
	return turn;
}

static bool is_before(const struct turn *a, const struct turn *b)
{
	return a->repetition != b->repetition ? a->repetition < b->repetition : a->key < b->key;
}

/* The place whose turn it is; SIZE_MAX: none wants a run. First runs stand before second ones: a sweep that
 * was killed in the middle goes on in the same order, and a place that is ahead waits for the others. */
size_t ft__visit_next(const struct ft_sweep *sweep)
{
	struct turn best = {.place = SIZE_MAX};

	for (size_t i = 0; i < sweep->n_visits; i++) {
		struct turn turn = turn_of(sweep, sweep->visit[i]);

		if ((best.place == SIZE_MAX || is_before(&turn, &best)) &&
		    runs_wanted(sweep, turn.place) > sweep->place[turn.place].in_flight)
			best = turn;
	}
	return best.place;
}

double ft__visit_made(const struct ft_sweep *sweep)
{
	double made = 0;

	for (size_t i = 0; i < sweep->n_visits; i++) {
		double runs = (double)sweep->place[sweep->visit[i]].asked;

		made += runs > 0 ? runs / (runs + (double)runs_wanted(sweep, sweep->visit[i])) : 0;
	}
	return made;
}

/* ---- the builder's wishes ----------------------------------------------------------------------------- */

void ft__visit_end(struct ft_sweep *sweep, size_t index)
{
	size_t kept = 0;

	for (size_t i = 0; i < sweep->n_visits; i++)
		if (sweep->visit[i] != index)
			sweep->visit[kept++] = sweep->visit[i];
	sweep->n_visits = kept;
	sweep->place[index].visited = false;
}

/* One run for each ask of a builder that repeats. */
void ft__visit_begin(struct ft_sweep *sweep, size_t index)
{
	struct ft__tally *place = &sweep->place[index];

	place->wanted = place->n + 1;
	place->visited = true;
	sweep->visit[sweep->n_visits++] = index;
}

/* Tell the builder what is now known of a size that it asked for. One that failed, or that the budget does
 * not reach, is told with no time: the builder then approaches it from below. */
static enum ft_status tell_builder(struct ft_sweep *sweep, size_t index, struct ft_err *err)
{
	struct ft__tally *place = &sweep->place[index];

	/* What would not fit is left out, and nothing is concluded of others. */
	if (!place->n && !place->too_large && ft__guard_too_large(sweep, &sweep->report.size[index].size)) {
		place->too_large = place->absent = true;
		sweep->report.too_large++;
	}
	return ft__builder_tell(sweep, index, err);
}

/* Of the places that want no more, in the order in which it asked for them. */
static enum ft_status tell_ended(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i = 0;

	while (i < sweep->n_visits && !status) {
		size_t index = sweep->visit[i];

		if (sweep->place[index].in_flight) {
			i++;
			continue;
		}
		status = tell_builder(sweep, index, err);
		ft__visit_end(sweep, index);
	}
	return status;
}

/* Whether a size was run that lies between two others along the one parameter. */
static bool is_parted(const struct ft_sweep *sweep, double x, double y)
{
	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		double between = sweep->report.size[i].size.value[sweep->varying];

		if (sweep->place[i].n && between > fmin(x, y) && between < fmax(x, y))
			return true;
	}
	return false;
}

/* Whether a run in flight will tell what a new size would: they lie in the same gap between sizes that were
 * run. Where in a gap the builder asks changes with each run that it is told of; those that it still asks for
 * it knows to be apart.
 *
 * sizes  [n] what it asks for */
static bool is_doubled(const struct ft_sweep *sweep, size_t index, const struct ft_size *sizes, size_t n)
{
	double x = sweep->report.size[index].size.value[sweep->varying];
	size_t k;

	if (sweep->n_axes > 1 || sweep->place[index].n)
		return false;
	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		const struct ft_size *other = &sweep->report.size[i].size;

		if (!sweep->place[i].in_flight || sweep->place[i].n || i == index)
			continue;
		for (k = 0; k < n && !ft_size_equal(&sizes[k], other);)
			k++;
		if (k == n && !is_parted(sweep, x, other->value[sweep->varying]))
			return true;
	}
	return false;
}

/* Visit what the builder asks for, and what is not visited yet: the best of it, where it decides anew after
 * each run. any: there was such a size. */
static enum ft_status begin_visits(struct ft_sweep *sweep, const struct ft_size *sizes, size_t n, bool *any,
				   struct ft_err *err)
{
	bool repeats = ft__builder_repeats(sweep);
	enum ft_status status = FT_OK;
	size_t index;

	*any = false;
	for (size_t i = 0; i < n && !status && !(repeats && *any); i++) {
		status = ft__place_of(sweep, &sizes[i], &index, err);
		if (status || sweep->place[index].visited || (repeats && is_doubled(sweep, index, sizes, n)))
			continue;
		ft__visit_begin(sweep, index);
		*any = true;
	}
	return status;
}

/* Nothing that is visited wants a run: the builder is told, and asked again. One that repeats is asked for
 * one more than those in flight; the others are told of all that they asked for at once. any: there is more
 * to do. */
enum ft_status ft__visit_more(struct ft_sweep *sweep, bool *any, struct ft_err *err)
{
	bool repeats = ft__builder_repeats(sweep);
	struct ft_size sizes[FT_ASK_MAX];
	size_t n;

	*any = false;
	if (sweep->in_flight && !repeats)
		return FT_OK;
	enum ft_status status = tell_ended(sweep, err);
	if (!status)
		status = ft__builder_ask(sweep, sizes, repeats ? sweep->in_flight + 1 : FT_ASK_MAX, &n, err);
	if (status)
		return status;
	/* One that asks run by run, and that the budget does not pay for, has no other wish. */
	if (n && !(repeats && sweep->out_of_budget))
		return begin_visits(sweep, sizes, n, any, err);
	sweep->ended = !sweep->in_flight;
	if (sweep->ended)
		ft__builder_report(sweep);
	return FT_OK;
}
