/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - hands out pieces of work: the next runs, as far as the budget pays for them. */
#include "base/alloc.h"
#include "base/random.h"
#include "model/door.h"
#include "num/num.h"
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

/*
 * Choose the next run: the sizes that a builder requested are repeated until the mean is accurate enough, in
 * random order; when none needs a run, the builder gets their results, and is queried for more.
 */

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

/* The target accuracy of the mean at a place, as a share of it: a size ten times slower than the fastest
 * needs less accuracy, if the tolerance is a share of that one's speed. */
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

/* How many more runs a place needs now, including those in flight. */
static size_t runs_wanted(const struct ft_sweep *sweep, size_t index)
{
	const struct ft_sweep_options *o = &sweep->options;
	const struct ft__tally *place = &sweep->place[index];
	const struct ft_sweep_size *size = &sweep->report.size[index];

	if (ft__guard_closes(sweep, &size->size))
		return 0;
	if (ft__builder_repeats(sweep))
		return !place->closed && place->n < place->wanted && place->tries < FT__TRIES;
	if (place->closed || place->n >= o->reps_most || place->requested >= o->reps_most + size->failed)
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
	struct turn turn = {index, sweep->place[index].requested + sweep->place[index].in_flight, 0};
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

/* The place to run next; SIZE_MAX: none needs a run. First runs come before second ones: so a killed sweep
 * continues in the same order, and a place that is ahead waits for the rest. */
/* visit_next - the place to run next; SIZE_MAX: none requested by the builder needs a run. */
double ft__visit_made(const struct ft_sweep *sweep)
{
	double made = 0;

	for (size_t i = 0; i < sweep->n_visits; i++) {
		double runs = (double)sweep->place[sweep->visit[i]].requested;

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
/* visit_begin - a run of a place is needed, whether the builder requested it or not. */
static void visit_begin(struct ft_sweep *sweep, size_t index)
{
	struct ft__tally *place = &sweep->place[index];

	place->wanted = place->n + 1;
	place->visited = true;
	sweep->visit[sweep->n_visits++] = index;
}

/* Whether a size was run that lies between two given ones along the one parameter. */
static bool is_parted(const struct ft_sweep *sweep, double x, double y)
{
	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		double between = sweep->report.size[i].size.value[sweep->varying];

		if (sweep->place[i].n && between > fmin(x, y) && between < fmax(x, y))
			return true;
	}
	return false;
}

/* Whether a run in flight gives the information of a new size: they lie in the same gap between sizes that
 * were run. The builder moves its requests in a gap with each result; those that it still requests
 * together are distinct.
 *
 * sizes  [n] the requests */
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

/* Visit the requested sizes that are not visited yet: only the best one, if the builder decides again
 * after each run. any: there was such a size. */
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
		visit_begin(sweep, index);
		*any = true;
	}
	return status;
}

/* No visited place needs a run: the builder gets the results, and is queried again. One that repeats is
 * queried for one more than those in flight; the rest get the results of all requested sizes at once. any:
 * there is more to do. */
/* visit_more - then give the builder the results, and ask for more. any: out, there is some. */
static enum ft_status visit_more(struct ft_sweep *sweep, bool *any, struct ft_err *err)
{
	bool repeats = ft__builder_repeats(sweep);
	struct ft_size sizes[FT_ASK_MAX];
	size_t n;

	*any = false;
	if (sweep->in_flight && !repeats)
		return FT_OK;
	/* Of the places that need no more runs, in the order of the requests. */
	enum ft_status status = FT_OK;
	size_t i = 0;

	while (i < sweep->n_visits && !status) {
		size_t index = sweep->visit[i];

		if (sweep->place[index].in_flight) {
			i++;
			continue;
		}
		/* Give the builder the result of a size that it requested. One that failed, or that the budget does not
		 * reach, has no time: the builder then approaches it from below. */
		struct ft__tally *place = &sweep->place[index];

		/* A size that would not fit in memory is left out, without a conclusion about larger ones. */
		if (!place->n && !place->too_large &&
		    ft__guard_too_large(sweep, &sweep->report.size[index].size)) {
			place->too_large = place->absent = true;
			sweep->report.too_large++;
		}
		status = ft__builder_tell(sweep, index, err);
		ft__visit_end(sweep, index);
	}
	if (!status)
		status = ft__builder_ask(sweep, sizes, repeats ? sweep->in_flight + 1 : FT_ASK_MAX, &n, err);
	if (status)
		return status;
	/* A builder that requests run by run, and whose request exceeds the budget, has no other request. */
	if (n && !(repeats && sweep->out_of_budget))
		return begin_visits(sweep, sizes, n, any, err);
	sweep->ended = !sweep->in_flight;
	if (sweep->ended)
		ft__builder_report(sweep);
	return FT_OK;
}

/*
 * Hands out pieces of work: the next runs, as far as the budget pays for them.
 */

const char *ft_reason_text(enum ft_reason reason)
{
	static const char *const texts[] = {
#define TEXT(name, words) words,
		FT_REASON_LIST(TEXT)
#undef TEXT
	};

	return (size_t)reason < sizeof texts / sizeof *texts ? texts[reason] : "unknown";
}

/* ---- time and money ----------------------------------------------------------------------------------- */

/* A run that was ended for its share of the budget takes longer than that; NaN: not known. */
static double expected(const struct ft_sweep *sweep, size_t index)
{
	double ended_s = sweep->place[index].ended_s;

	return fmax(ft__price(sweep, &sweep->report.size[index].size), ended_s > 0 ? 2 * ended_s : NAN);
}

/* The budget left for runs that are not in flight. */
static double unreserved_s(const struct ft_sweep *sweep)
{
	double budget_s = sweep->options.budget_s;

	return budget_s > 0 ? budget_s - ft__spent(sweep) - sweep->reserved_s : INFINITY;
}

/* The time limit of a run: the user's, or its share of the remaining budget. 0: none. All in flight
 * together cannot exceed the budget. */
static double limit(const struct ft_sweep *sweep, double expected_s)
{
	double left = unreserved_s(sweep),
	       most = sweep->options.timeout_s > 0 ? sweep->options.timeout_s : INFINITY,
	       share = left / (double)(sweep->options.at_once - sweep->in_flight);

	most = fmin(most, fmin(left, fmax(share, 2 * expected_s))); /* NaN loses */
	return isfinite(most) ? most : 0;
}

/* Whether the budget pays for a run. */
enum means { PAYS, WAITS, CANNOT };

static enum means means_for(const struct ft_sweep *sweep, double expected_s)
{
	double left = unreserved_s(sweep), all = left + sweep->reserved_s;

	if (!(all > 0) || expected_s > all)
		return CANNOT;
	return !(left > 0) || expected_s > left ? WAITS : PAYS;
}

/* A builder of times accounts for the budget itself, and has no other request. One that steers by another
 * resource has no seconds, and the price of a new size far from all that were run is a guess: from two
 * small sizes it is off by a power of ten or more. */
static bool is_guessed(const struct ft_sweep *sweep, size_t index)
{
	return ft__builder_repeats(sweep) && sweep->options.resource->of != FT_CLASS_TIME &&
	       !sweep->place[index].n;
}

/* A place that the budget does not reach. If its price is a guess, a new size half way to it by the
 * logarithms, or nearer, which the budget does pay for, improves the estimate; then the builder is queried
 * again. */
static enum ft_status give_up(struct ft_sweep *sweep, size_t index, struct ft_err *err)
{
	struct ft_size wanted = sweep->report.size[index].size, size = wanted;
	size_t from = ft__place_nearest(sweep, &wanted), place, k;

	for (double share = 0.5; is_guessed(sweep, index) && from != SIZE_MAX; share /= 2) {
		for (k = 0; k < sweep->n_axes; k++) {
			const struct ft_space *space = ft_builder_space(sweep->builder, sweep->axis[k]);
			double shift = space->least > 0 ? 0 : 1 - space->least;
			double near = sweep->report.size[from].size.value[sweep->axis[k]] + shift,
			       far = wanted.value[sweep->axis[k]] + shift;

			size.value[sweep->axis[k]] =
				ft_space_nearest(space, near * pow(far / near, share) - shift);
		}
		if (ft_size_equal(&size, &sweep->report.size[from].size))
			break;
		if (ft_size_equal(&size, &wanted) || !ft__admits(sweep, &size))
			continue;
		FT_TRY(ft__place_of(sweep, &size, &place, err));
		if (sweep->place[place].requested || sweep->place[place].closed)
			break;
		if (means_for(sweep, ft__price(sweep, &size)) != PAYS)
			continue;
		ft__visit_end(sweep, index);
		visit_begin(sweep, place);
		return FT_OK;
	}
	sweep->place[index].closed = true;
	sweep->out_of_budget = true;
	return FT_OK;
}

/* ---- handing out -------------------------------------------------------------------------------------- */

static enum ft_reason reason_of(const struct ft_sweep *sweep, const struct ft__tally *place)
{
	if (!sweep->warm)
		return FT_REASON_WARM_UP;
	if (place->last_piece && sweep->piece[place->last_piece - 1].fate == FT__LOST)
		return FT_REASON_LOST;
	if (place->tries)
		return FT_REASON_RETRY;
	return place->n ? FT_REASON_AGAIN : FT_REASON_NEW;
}

static bool is_taken(const struct ft_sweep *sweep, const struct ft__tally *place, size_t index)
{
	for (size_t id = place->last_piece; id; id = sweep->piece[id - 1].previous)
		if (sweep->piece[id - 1].index == index &&
		    (sweep->piece[id - 1].counted || sweep->piece[id - 1].fate == FT__OUT))
			return true;
	return false;
}

/* The repetition number of a run of its size: the smallest that no other one has; that of a lost one is
 * free again. Runs from elsewhere have the first ones; a piece that was out before they came moves them
 * on. */
static size_t next_index(const struct ft_sweep *sweep, const struct ft__tally *place)
{
	size_t others = place->requested;

	for (size_t id = place->last_piece; id; id = sweep->piece[id - 1].previous)
		others -= sweep->piece[id - 1].counted;
	size_t index = others;
	for (size_t id = place->last_piece; id; id = sweep->piece[id - 1].previous)
		index += sweep->piece[id - 1].counted && sweep->piece[id - 1].index < others;
	while (is_taken(sweep, place, index))
		index++;
	return index;
}

static double gain_of(const struct ft_sweep *sweep, const struct ft_size *size)
{
	struct ft_build_gain gain;

	ft_builder_gain(sweep->builder, &gain);
	return ft_size_equal(&gain.size, size) && gain.error > 0 ? gain.error : (double)NAN;
}

/* The description of the next run of a place. */
static struct ft_sweep_piece piece_of(const struct ft_sweep *sweep, size_t index, double expected_s)
{
	const struct ft__tally *place = &sweep->place[index];
	const struct ft_size *size = &sweep->report.size[index].size;

	return (struct ft_sweep_piece){
		.size = *size,
		.index = next_index(sweep, place),
		.reason = reason_of(sweep, place),
		.gain = gain_of(sweep, size),
		.expected_s = expected_s,
		.limit_s = limit(sweep, expected_s),
		.need_bytes = ft__guard_need(sweep, size),
		.limit_bytes = sweep->options.memory_bytes > 0 ? sweep->options.memory_bytes
							       : sweep->memory_limit_bytes,
		.lost = place->lost,
	};
}

/* From now on it is in flight, and has an id. */
static enum ft_status hand_out(struct ft_sweep *sweep, size_t index, struct ft_sweep_piece *piece,
			       struct ft_err *err)
{
	struct ft__tally *place = &sweep->place[index];
	struct ft__piece *grown =
		ft_grow(sweep->piece, sweep->n_pieces, &sweep->pieces_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	sweep->piece = grown;
	grown[sweep->n_pieces++] = (struct ft__piece){
		.place = index,
		.index = piece->index,
		.previous = place->last_piece,
		.limit_s = piece->limit_s,
		.warmup = piece->reason == FT_REASON_WARM_UP,
		.last = sweep->options.budget_s > 0 && !sweep->in_flight &&
			piece->limit_s >= unreserved_s(sweep),
	};
	piece->id = place->last_piece = sweep->n_pieces;
	if (piece->reason == FT_REASON_WARM_UP)
		sweep->warming = piece->id;
	sweep->warm = true;
	place->in_flight++;
	sweep->in_flight++;
	sweep->reserved_s += sweep->options.budget_s > 0 ? piece->limit_s : 0;
	return FT_OK;
}

enum ft_status ft_sweep_adopt(struct ft_sweep *sweep, struct ft_sweep_piece *piece, struct ft_err *err)
{
	enum ft_status status = ft__sweep_check(sweep, err);
	struct ft_sweep_piece old = *piece;
	size_t index;

	if (!status && !ft__is_asked(sweep, &piece->size))
		status = ft_fail(err, FT_EINVAL, "this sweep asks for no run at that size");
	if (!status)
		status = ft__place_of(sweep, &piece->size, &index, err);
	if (status)
		return status;
	*piece = piece_of(sweep, index, expected(sweep, index));
	piece->limit_s = old.limit_s;
	piece->reason = old.reason;
	return hand_out(sweep, index, piece, err);
}

/* One more piece, if there is one now: the first run of all loads the program's file and libraries, so
 * none runs at the same time. */
static enum ft_status step_sweep(struct ft_sweep *sweep, struct ft_sweep_piece *piece, size_t *n,
				 struct ft_err *err)
{
	bool any = true;

	while (any && !sweep->warming) {
		struct turn best = {.place = SIZE_MAX};

		for (size_t i = 0; i < sweep->n_visits; i++) {
			struct turn turn = turn_of(sweep, sweep->visit[i]);

			if ((best.place == SIZE_MAX || is_before(&turn, &best)) &&
			    runs_wanted(sweep, turn.place) > sweep->place[turn.place].in_flight)
				best = turn;
		}
		size_t index = best.place;
		double expected_s = index == SIZE_MAX ? (double)NAN : expected(sweep, index);
		enum ft_status status = FT_OK;

		if (index == SIZE_MAX) {
			FT_TRY(visit_more(sweep, &any, err));
			continue;
		}
		enum means means = means_for(sweep, expected_s);
		if (means == CANNOT && sweep->in_flight && is_guessed(sweep, index))
			means = WAITS; /* the runs in flight will improve the price */
		switch (means) {
		case PAYS:
			*piece = piece_of(sweep, index, expected_s);
			status = hand_out(sweep, index, piece, err);
			*n += !status;
			return status;
		case WAITS:
			/* When one comes back the builder may wish for another. */
			if (ft__builder_repeats(sweep) && !sweep->place[index].tries)
				ft__visit_end(sweep, index);
			return FT_OK;
		case CANNOT:
			status = give_up(sweep, index, err);
			if (status)
				return status;
		}
	}
	return FT_OK;
}

enum ft_status ft_sweep_step(struct ft_sweep *sweep, struct ft_sweep_piece *pieces, size_t most, size_t *n,
			     struct ft_err *err)
{
	enum ft_status status = ft__sweep_check(sweep, err);
	size_t before = SIZE_MAX;

	*n = 0;
	while (!status && *n < most && *n != before && sweep->in_flight < sweep->options.at_once &&
	       !sweep->ended) {
		before = *n;
		status = step_sweep(sweep, &pieces[*n], n, err);
	}
	if (status)
		sweep->broken = status;
	return status;
}
