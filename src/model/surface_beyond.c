/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface_beyond.c - what a surface says beyond the box of its knots: the laws that its outer knots obey, and
 * its interpolation carried on, each as much as it would have been right about the outermost ones; as
 * beyond.c does over one parameter. doc/models.md has the formulas. */
#include "base/alloc.h"
#include "foretime/law.h"
#include "model/kriging.h"
#include "num/stats.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Laws are found in knots that span so much of ln size in each direction that is left, or in so many. */
static const double window_span = 3.5;

/* The sizes of a test lie side by side over an edge and err together: they count for so many at most. */
static const double tests_most = 8;

enum { WINDOW_LEAST = 24, DIRECTIONS = 27 };
_Static_assert(FT_LAW_PARAMS == 3, "three directions for each parameter of a law: 27");

/* Laws of some knots, and what they leave over. */
struct outer {
	struct ft_laws_many laws;
	struct ft__krig rest; /* ln of how much larger the values at the knots are than the laws say */
	double least[FT_LAW_PARAMS], most[FT_LAW_PARAMS]; /* the box of the knots */
};

/* What was found for one direction: which parameters lie above the box of the knots, and which below. */
struct side {
	int to[FT_LAW_PARAMS]; /* of each axis: -1, 0, 1 */
	struct outer outer;
	bool lawful;
	double share, rate;
};

struct ft_surface_outlook {
	_Atomic(struct side *) side[DIRECTIONS]; /* NULL: nobody asked yet */
};

/* ---- two ways of continuing ---------------------------------------------------------------------------- */

static void outer_clear(struct outer *outer)
{
	ft__krig_clear(&outer->rest);
}

/* What the laws alone say of a size. */
static bool say(const struct ft_surface *s, const struct outer *outer, const struct ft_size *size,
		struct ft__guess *out)
{
	struct ft_law_prediction said;
	double x[FT_LAW_PARAMS];
	size_t i;

	for (i = 0; i < s->n_axes; i++)
		x[i] = size->value[s->axis[i]];
	if (ft_laws_predict_many(&outer->laws, x, 0.9, FT_LAW_MEAN, &said, NULL) || !(said.lower > 0) ||
	    !isfinite(said.upper))
		return false;
	*out = (struct ft__guess){log(said.value),
				  log(said.upper / said.lower) / 2 / ft_normal_quantile(0.95)};
	return true;
}

/* The laws, times what is left over where the box is left. */
static bool continue_laws(const struct ft_surface *s, const struct outer *outer, const struct ft_size *size,
			  struct ft__guess *out)
{
	double x[FT_PARAMS_MAX], scratch[FT__SURFACE_WHOLE], sd;
	struct ft_size edge = *size;
	size_t i;

	if (!say(s, outer, size, out))
		return false;
	for (i = 0; i < s->n_axes; i++)
		edge.value[s->axis[i]] = fmin(fmax(size->value[s->axis[i]], outer->least[i]), outer->most[i]);
	ft__surface_place(s, &edge, x);
	out->ln += ft__krig_at(&outer->rest, x, scratch, &sd);
	out->sd = hypot(out->sd, sd);
	return true;
}

/* The laws of some knots [n]. FT_ENOMODEL: there are none; FT_ENOMEM. Ends with outer_clear. */
static enum ft_status find_laws(struct outer *outer, const struct ft_surface *s, const size_t *chosen,
				size_t n, struct ft_err *err)
{
	struct ft_law_place *place = ft_calloc(n, sizeof *place);
	enum ft_status status = place ? FT_OK : ft_nomem(err);
	size_t i, a;

	memset(outer, 0, sizeof *outer);
	for (a = 0; a < s->n_axes; a++) {
		outer->least[a] = INFINITY;
		outer->most[a] = -INFINITY;
	}
	for (i = 0; i < n && !status; i++) {
		const struct ft_surface_knot *k = &s->knot[chosen[i]];

		for (a = 0; a < s->n_axes; a++) {
			double v = k->size.value[s->axis[a]];

			place[i].x[a] = v;
			outer->least[a] = fmin(outer->least[a], v);
			outer->most[a] = fmax(outer->most[a], v);
		}
		place[i].value = k->value;
	}
	if (!status)
		status = ft_laws_fit_many(&outer->laws, place, n, s->n_axes, err);
	ft_free(place);
	if (!status)
		status = ft__surface_krig(s, chosen, n, &outer->rest, err);
	for (i = 0; i < n && !status; i++) {
		const struct ft_surface_knot *k = &s->knot[chosen[i]];
		struct ft__guess said;

		if (say(s, outer, &k->size, &said))
			outer->rest.y[i] = log(k->value) - said.ln;
		else
			status = FT_ENOMODEL;
	}
	if (!status) {
		outer->rest.inflation = s->inflation;
		ft__krig_solve(&outer->rest);
	} else {
		outer_clear(outer);
	}
	return status;
}

/* ---- the test: the inner part of the outer knots foretells the others ------------------------------------
 */

static double range_of(const struct ft_surface *s, size_t a)
{
	return log(s->most[s->axis[a]] / s->least[s->axis[a]]);
}

/* How far a knot lies inside of the edge that is left, along an axis: ln. */
static double inwards(const struct ft_surface *s, const struct side *side, size_t knot, size_t a)
{
	double at = s->place[knot * s->n_axes + a];

	return (side->to[a] > 0 ? 1 - at : at) * range_of(s, a);
}

/* The knots in which laws are looked for: those nearest to the edges that are left. Returns their number. */
static size_t choose_window(const struct ft_surface *s, const struct side *side, size_t *chosen, double *far)
{
	size_t i, j, a, n = 0;

	for (i = 0; i < s->n; i++) {
		double d = 0;

		for (a = 0; a < s->n_axes; a++)
			if (side->to[a])
				d = fmax(d, inwards(s, side, i, a));
		if (n == FT__SURFACE_WHOLE && d >= far[n - 1])
			continue;
		for (j = n < FT__SURFACE_WHOLE ? n++ : n - 1; j > 0 && far[j - 1] > d; j--) {
			far[j] = far[j - 1];
			chosen[j] = chosen[j - 1];
		}
		far[j] = d;
		chosen[j] = i;
	}
	while (n > WINDOW_LEAST && far[n - 1] > window_span)
		n--;
	return n;
}

/* Those of the chosen knots that lie in the outer quarter of any direction are moved behind the others.
 * Returns how many the others are. */
static size_t part_outer(const struct ft_surface *s, const struct side *side, size_t *chosen, size_t n)
{
	size_t outside[FT__SURFACE_WHOLE], inner = 0, outer = 0, i, a;
	double extent[FT_LAW_PARAMS] = {0};

	for (i = 0; i < n; i++)
		for (a = 0; a < s->n_axes; a++)
			extent[a] = fmax(extent[a], inwards(s, side, chosen[i], a));
	for (i = 0; i < n; i++) {
		bool out = false;

		for (a = 0; a < s->n_axes; a++)
			out = out || (side->to[a] && inwards(s, side, chosen[i], a) < extent[a] / 4);
		if (out)
			outside[outer++] = chosen[i];
		else
			chosen[inner++] = chosen[i];
	}
	memcpy(chosen + inner, outside, outer * sizeof *chosen);
	return inner;
}

/* How far a size lies outside of the box of some knots: ln, over all parameters. */
static double distance_from(const struct ft_surface *s, const struct outer *outer, const struct ft_size *size)
{
	double sum = 0;
	size_t a;

	for (a = 0; a < s->n_axes; a++) {
		double v = size->value[s->axis[a]], d = 0;

		if (v > outer->most[a])
			d = log(v / outer->most[a]);
		if (v < outer->least[a])
			d = log(outer->least[a] / v);
		sum += d * d;
	}
	return sqrt(sum);
}

/* Of the knots chosen [n] the first `inner` foretell the others. */
static enum ft_status try_out(struct ft__test *test, const struct ft_surface *s, const size_t *chosen,
			      size_t inner, size_t n, struct ft_err *err)
{
	size_t step = (n - inner + FT__TEST_MOST - 1) / FT__TEST_MOST, i;
	struct outer *laws = ft_calloc(1, sizeof *laws);
	struct ft__krig krig = {0};
	enum ft_status status = laws ? find_laws(laws, s, chosen, inner, err) : ft_nomem(err);

	if (!status)
		status = ft__surface_krig(s, chosen, inner, &krig, err);
	if (!status) {
		krig.inflation = s->inflation;
		ft__krig_solve(&krig);
	}
	for (i = inner; i < n && !status; i += step) {
		const struct ft_surface_knot *k = &s->knot[chosen[i]];
		const double *x = s->place + chosen[i] * s->n_axes;
		double scratch[FT__SURFACE_WHOLE], ln = log(k->value);
		struct ft__guess said;

		if (!continue_laws(s, laws, &k->size, &said))
			continue;
		test->laws[test->n] = said.ln - ln;
		test->trend[test->n] =
			ft__krig_at(&krig, x, scratch, NULL) + (s->through_speed ? log(k->work) : 0) - ln;
		test->distance[test->n] = distance_from(s, laws, &k->size);
		test->noise[test->n++] = s->noise[chosen[i]] / sqrt((double)k->runs);
	}
	ft__krig_clear(&krig);
	if (laws)
		outer_clear(laws);
	ft_free(laws);
	return status == FT_ENOMODEL ? FT_OK : status;
}

/* ---- both together ---------------------------------------------------------------------------------------
 */

static enum ft_status look(struct side *side, const struct ft_surface *s, struct ft_err *err)
{
	size_t chosen[FT__SURFACE_WHOLE] = {0}, n, inner;
	double far[FT__SURFACE_WHOLE];
	struct ft__test test = {.n = 0};
	enum ft_status status;

	n = choose_window(s, side, chosen, far);
	status = find_laws(&side->outer, s, chosen, n, NULL);
	side->lawful = !status;
	if (side->lawful) {
		inner = part_outer(s, side, chosen, n);
		status = try_out(&test, s, chosen, inner, n, err);
		side->share = ft__outlook_share(&test, side->outer.laws.misfit, s->noise[chosen[n - 1]]);
	}
	side->rate = ft__outlook_rate(&test, side->share, tests_most);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

static void side_free(struct side *side)
{
	if (side)
		outer_clear(&side->outer);
	ft_free(side);
}

/* In which direction of the box a size lies; to [n_axes]: of each axis -1, 0 or 1. */
static size_t direction_of(const struct ft_surface *s, const struct ft_size *size, int *to)
{
	size_t direction = 0, a;

	for (a = 0; a < s->n_axes; a++) {
		size_t p = s->axis[a];

		to[a] = (size->value[p] > s->most[p]) - (size->value[p] < s->least[p]);
		direction = 3 * direction + (size_t)(to[a] + 1);
	}
	return direction;
}

/* What was found in the direction of a size, now if nobody asked before. Threads that ask first at the same
 * time find the same, and one of them keeps it. NULL: no memory. */
static const struct side *side_of(const struct ft_surface *s, const struct ft_size *size, struct ft_err *err)
{
	int to[FT_LAW_PARAMS] = {0};
	_Atomic(struct side *) *kept = &s->outlook->side[direction_of(s, size, to)];
	struct side *before = atomic_load(kept), *side;

	if (before)
		return before;
	side = ft_calloc(1, sizeof *side);
	if (!side) {
		(void)ft_nomem(err);
		return NULL;
	}
	memcpy(side->to, to, sizeof to);
	if (look(side, s, err)) {
		side_free(side);
		return NULL;
	}
	if (atomic_compare_exchange_strong(kept, &before, side))
		return side;
	side_free(side);
	return before;
}

enum ft_status ft__surface_beyond(const struct ft_surface *s, const struct ft_size *size,
				  struct ft__guess *guess, double *rate, struct ft_err *err)
{
	const struct side *side;
	struct ft__guess laws;

	if (!s->outlook)
		return FT_OK;
	side = side_of(s, size, err);
	if (!side)
		return FT_ENOMEM;
	if (side->lawful && continue_laws(s, &side->outer, size, &laws))
		*guess = ft__outlook_combine(side->share, &laws, guess);
	*rate = side->rate;
	return FT_OK;
}

/* Laws are of two or three parameters that are over 0, and of values that are. */
static bool may_have_laws(const struct ft_surface *s)
{
	size_t i;

	for (i = 0; i < s->n_axes; i++)
		if (!(s->least[s->axis[i]] > 0))
			return false;
	return s->n_axes >= 2 && s->n_axes <= FT_LAW_PARAMS && s->offset == 0;
}

enum ft_status ft__surface_outlook(struct ft_surface *s, struct ft_err *err)
{
	if (!may_have_laws(s))
		return FT_OK;
	s->outlook = ft_calloc(1, sizeof *s->outlook);
	return s->outlook ? FT_OK : ft_nomem(err);
}

void ft__surface_outlook_free(struct ft_surface_outlook *outlook)
{
	size_t i;

	for (i = 0; outlook && i < DIRECTIONS; i++)
		side_free(outlook->side[i]);
	ft_free(outlook);
}
