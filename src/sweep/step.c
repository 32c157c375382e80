/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - pieces of work: the runs whose turn it is, as far as the budget pays for them, handed out. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>

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

/* What the budget leaves for runs that are not in flight. */
static double unreserved_s(const struct ft_sweep *sweep)
{
	double budget_s = sweep->options.budget_s;

	return budget_s > 0 ? budget_s - ft__spent(sweep) - sweep->reserved_s : INFINITY;
}

/* The time limit of a run: the user's, or its share of what the budget leaves. 0: none. All in flight
 * together cannot pass the budget. */
static double limit(const struct ft_sweep *sweep, double expected_s)
{
	double left = unreserved_s(sweep),
	       most = sweep->options.timeout_s > 0 ? sweep->options.timeout_s : INFINITY,
	       share = left / (double)(sweep->options.at_once - sweep->in_flight);

	most = fmin(most, fmin(left, fmax(share, 2 * expected_s))); /* NaN loses */
	return isfinite(most) ? most : 0;
}

/* What the budget says to a run. */
enum means { PAYS, WAITS, CANNOT };

static enum means means_for(const struct ft_sweep *sweep, double expected_s)
{
	double left = unreserved_s(sweep), all = left + sweep->reserved_s;

	if (!(all > 0) || expected_s > all)
		return CANNOT;
	return !(left > 0) || expected_s > left ? WAITS : PAYS;
}

/* A builder of times knows the budget, and has no other wish. One that steers by another resource knows no
 * seconds, and what a new size costs far from all that were run is a guess: of two small sizes it is off by a
 * power or more. */
static bool is_guessed(const struct ft_sweep *sweep, size_t index)
{
	return ft__builder_repeats(sweep) && sweep->options.resource->of != FT_CLASS_TIME &&
	       !sweep->place[index].n;
}

/* A place that the budget does not reach. Where its price is a guess, a new size half way to it, by the
 * logarithms, or nearer, which the budget does pay for, tells what the next ones cost; then the builder is
 * asked again. */
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
		if (sweep->place[place].asked || sweep->place[place].closed)
			break;
		if (means_for(sweep, ft__price(sweep, &size)) != PAYS)
			continue;
		ft__visit_end(sweep, index);
		ft__visit_begin(sweep, place);
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

/* The so-manieth run of its size: the least number that no other one has; that of a lost one is free again.
 * Those who came from elsewhere have the first ones; a piece that was out before they came moves them on. */
static size_t next_index(const struct ft_sweep *sweep, const struct ft__tally *place)
{
	size_t others = place->asked;

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

/* What is told of the next run of a place. */
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

/* One more piece, if there is one now: while the first run of all loads the program's file and libraries none
 * is made beside it. */
static enum ft_status step_sweep(struct ft_sweep *sweep, struct ft_sweep_piece *piece, size_t *n,
				 struct ft_err *err)
{
	bool any = true;

	while (any && !sweep->warming) {
		size_t index = ft__visit_next(sweep);
		double expected_s = index == SIZE_MAX ? (double)NAN : expected(sweep, index);
		enum ft_status status = FT_OK;

		if (index == SIZE_MAX) {
			FT_TRY(ft__visit_more(sweep, &any, err));
			continue;
		}
		enum means means = means_for(sweep, expected_s);
		if (means == CANNOT && sweep->in_flight && is_guessed(sweep, index))
			means = WAITS; /* what is in flight tells more of the price */
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
