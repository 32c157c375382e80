/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - what a band says of sizes beyond its knots: the laws that its outer knots obey, and the power
 * law through them, each as much as it would have been right about the outermost ones. doc/models.md derives
 * it. */
#include "base/alloc.h"
#include "foretime/law.h"
#include "model/band.h"
#include "model/outlook.h"
#include "num/stats.h"

#include <math.h>

/* Laws are found in knots that span so much of ln size, and are so many at least. */
static const double window_span = 3.5;
enum { WINDOW_LEAST = 6, WINDOW_MOST = FT__TEST_MOST, INNER_LEAST = 4, ANCHORS = 3, UNEVEN_LEAST = 6 };

/* The power law beyond the data is drawn through knots that span at least so much of ln size. */
static const double span_least = 0.2;

/* Knots so far (of ln value) off their neighbours, among so many at least. */
static const double uneven = 0.12;

/* ln of what is continued beyond the data: the speed, or the value. */
static double level(const struct ft_model *model, const struct ft_knot *k)
{
	return model->through_speed ? log(k->work / k->value) : log(k->value + model->offset);
}

/* The power law through neighbouring knots: its exponent, and the variance that noise gives to it. */
struct slope {
	double exponent, variance;
};

/* Least squares of the levels of n knots; s is the noise of a single run. */
static struct slope fit_slope(const struct ft_model *model, const struct ft_knot *knot, size_t n, double s)
{
	double x = 0, y = 0, xx = 0, xy = 0, noise = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		x += ft__band_x(model, knot[i].x) / (double)n;
		y += level(model, &knot[i]) / (double)n;
	}
	for (i = 0; i < n; i++) {
		double dx = ft__band_x(model, knot[i].x) - x;

		xx += dx * dx;
		xy += dx * (level(model, &knot[i]) - y);
		noise += dx * dx * s * s / (double)knot[i].runs;
	}
	return xx > 0 ? (struct slope){xy / xx, noise / (xx * xx)} : (struct slope){0, 0};
}

/* How far the i-th knot from an end is away from it. */
static double inwards(const struct ft_model *model, size_t end, size_t i)
{
	return fabs(ft__band_x(model, model->knot[end ? end - i : i].x) -
		    ft__band_x(model, model->knot[end].x));
}

/* Whether most of some neighbouring knots are off the power law through the two beside them: then the
 * outermost three may lie anywhere. */
static bool is_uneven(const struct ft_model *model, const struct ft_knot *knot, size_t n)
{
	size_t i, off = 0;

	for (i = 1; i + 1 < n; i++) {
		double left = ft__band_x(model, knot[i - 1].x), right = ft__band_x(model, knot[i + 1].x);
		double share = (ft__band_x(model, knot[i].x) - left) / (right - left);
		double chord = level(model, &knot[i - 1]) +
			       share * (level(model, &knot[i + 1]) - level(model, &knot[i - 1]));

		off += fabs(level(model, &knot[i]) - chord) > uneven;
	}
	return n >= UNEVEN_LEAST && 2 * off > n - 2;
}

/* The outermost knots, three at least, that span so much of ln size. */
static size_t count_within(const struct ft_model *model, size_t end, double span)
{
	size_t n = 1;

	while (n < model->n && (n < 3 || inwards(model, end, n - 1) < span))
		n++;
	return n;
}

static const struct ft_knot *outermost(const struct ft_model *model, size_t end, size_t n)
{
	return &model->knot[end ? end + 1 - n : 0];
}

/* How many knots the power law beyond an end is drawn through: three, and more where they lie so close that
 * they span less than what is to be extrapolated, or where they are uneven: half of the range at most. */
static size_t count_outermost(const struct ft_model *model, size_t end, double dx)
{
	double half = inwards(model, end, model->n - 1) / 2;
	size_t n = count_within(model, end, half);

	if (is_uneven(model, outermost(model, end, n), n))
		return n;
	return count_within(model, end, fmax(span_least, fmin(dx, half)));
}

/* The power law through the outermost knots, and how much its exponent changes within them, beyond what noise
 * would show. */
struct trend {
	struct slope power;
	double change;
};

/* Where the exponent changes, the half of the knots nearest to the end says more of what comes than all of
 * them: it counts as much as the change stands out from the noise. A constant beside a power is the usual
 * cause (start-up, n^2). */
static struct trend fit_trend(const struct ft_model *model, size_t end, double dx, double s)
{
	size_t n = count_outermost(model, end, dx), middle = 1, i;
	const struct ft_knot *first = outermost(model, end, n);
	struct trend trend = {fit_slope(model, first, n, s), 0};
	double half = inwards(model, end, n - 1) / 2, squared, noise, share;
	struct slope left, right, near;

	if (n < 3)
		return trend;
	for (i = 2; i + 1 < n; i++)
		if (fabs(inwards(model, end, i) - half) < fabs(inwards(model, end, middle) - half))
			middle = i;
	if (end)
		middle = n - 1 - middle;
	left = fit_slope(model, first, middle + 1, s);
	right = fit_slope(model, first + middle, n - middle, s);
	near = end ? right : left;
	noise = left.variance + right.variance;
	squared = fmax(0, (right.exponent - left.exponent) * (right.exponent - left.exponent) - noise);
	trend.change = sqrt(squared);
	if (n == 3 || squared == 0)
		return trend;
	share = squared / (squared + noise);
	trend.power.exponent += share * (near.exponent - trend.power.exponent);
	trend.power.variance += share * fmax(0, near.variance - trend.power.variance);
	return trend;
}

static double work_beyond(const struct ft_model *model, size_t end, double x)
{
	if (model->n == 1)
		return model->knot[0].work;
	return end ? ft__band_work(model, model->n - 2, model->n - 1, x) : ft__band_work(model, 0, 1, x);
}

/* ---- two ways of continuing ---------------------------------------------------------------------------- */

/* The power law through the outermost knots, continued from the last one. */
static struct ft__guess continue_trend(const struct ft_model *model, size_t end, double x, double work)
{
	const struct ft_knot *k = &model->knot[end];
	double dx = ft__band_x(model, x) - ft__band_x(model, k->x);
	struct trend trend =
		fit_trend(model, end, fabs(dx), ft__band_run_noise(model, k->x, FT__NOISE_SHARE));
	double ln = level(model, k) + trend.power.exponent * dx;

	if (model->through_speed)
		ln = log(isnan(work) ? work_beyond(model, end, x) : work) - ln;
	return (struct ft__guess){ln,
				  sqrt(trend.power.variance + trend.change * trend.change / 4) * fabs(dx)};
}

/* Laws of the knots from the end inwards; false: there are none. */
struct outer {
	struct ft_laws laws;
	double anchor; /* ln of how much larger the values at the outermost knots are than the laws say */
};

static bool find_laws(struct outer *outer, const struct ft_model *model, size_t end, size_t n)
{
	const struct ft_knot *first = outermost(model, end, n);
	struct ft_law_knot knot[WINDOW_MOST];
	size_t anchors = n < ANCHORS ? n : ANCHORS, i;
	struct ft_law_prediction said;

	for (i = 0; i < n; i++)
		knot[i] = (struct ft_law_knot){first[i].x, first[i].value, first[i].runs, first[i].scatter};
	if (!(knot[0].x > 0) || ft_laws_fit_knots(&outer->laws, knot, n, NULL, NULL))
		return false;
	outer->anchor = 0;
	for (i = 0; i < anchors; i++) {
		const struct ft_knot *k = &model->knot[end ? end - i : i];

		if (ft_laws_predict(&outer->laws, k->x, 0.9, FT_LAW_MEAN, &said, NULL) || !(said.value > 0) ||
		    !(k->value > 0))
			return false;
		outer->anchor += log(k->value / said.value) / (double)anchors;
	}
	return true;
}

static bool continue_laws(const struct outer *outer, double x, struct ft__guess *out)
{
	struct ft_law_prediction said;

	if (ft_laws_predict(&outer->laws, x, 0.9, FT_LAW_MEAN, &said, NULL) || !(said.value > 0) ||
	    !isfinite(said.value) || !(said.wide_lower > 0))
		return false;
	out->ln = log(said.value) + outer->anchor;
	out->sd = log(said.wide_upper / said.wide_lower) / 2 / ft_normal_quantile(0.95);
	return true;
}

/* ---- the test: the inner part of the outer knots foretells the others ------------------------------------
 */

/* How many knots from the end inwards laws are found in. */
static size_t count_window(const struct ft_model *model, size_t end)
{
	size_t n = 1;

	while (n < model->n && n < WINDOW_MOST &&
	       (n < WINDOW_LEAST || inwards(model, end, n - 1) < window_span))
		n++;
	return n;
}

/* A model without its outermost knots on one side; borrows them. */
static struct ft_model without(const struct ft_model *model, size_t end, size_t left_out)
{
	struct ft_model part = *model;

	part.n -= left_out;
	if (!end) {
		part.knot += left_out;
		part.gap_error += left_out;
	}
	return part;
}

static void try_out(struct ft__test *test, const struct ft_model *model, size_t end, size_t window)
{
	struct outer inner;
	struct ft_model part;
	size_t outer = 0, part_end, i;
	double quarter = inwards(model, end, window - 1) / 4, from;

	test->n = 0;
	while (outer + INNER_LEAST < window && inwards(model, end, outer) < quarter)
		outer++;
	if (!outer)
		return;
	part = without(model, end, outer);
	part_end = end ? part.n - 1 : 0;
	if (!find_laws(&inner, &part, part_end, window - outer))
		return;
	from = ft__band_x(model, part.knot[part_end].x);
	for (i = 0; i < outer; i++) {
		const struct ft_knot *k = &model->knot[end ? end - i : i];
		struct ft__guess trend = continue_trend(&part, part_end, k->x, k->work), laws;
		double ln = log(k->value + model->offset);

		if (!continue_laws(&inner, k->x, &laws))
			continue;
		test->laws[test->n] = laws.ln - ln;
		test->trend[test->n] = trend.ln - ln;
		test->distance[test->n] = fabs(ft__band_x(model, k->x) - from);
		test->noise[test->n++] =
			ft__band_run_noise(model, k->x, FT__NOISE_SHARE) / sqrt((double)k->runs);
	}
}

/* ---- both together ---------------------------------------------------------------------------------------
 */

/* What was found beyond one end of a model. */
struct side {
	struct outer outer;
	bool lawful; /* there are laws */
	double share, rate;
	size_t window;
};

/* Both ends, each found when it is first asked for. */
struct ft_outlook {
	struct side *side[2];
};

static void look(struct side *side, const struct ft_model *model, size_t end)
{
	struct ft__test test = {.n = 0};

	side->window = count_window(model, end);
	side->share = 0;
	side->lawful = side->window >= INNER_LEAST && find_laws(&side->outer, model, end, side->window);
	if (side->lawful) {
		try_out(&test, model, end, side->window);
		side->share =
			ft__outlook_share(&test, side->outer.laws.misfit,
					  ft__band_run_noise(model, model->knot[end].x, FT__NOISE_SHARE));
	}
	side->rate =
		fmax(ft__outlook_prior(side->share), ft__outlook_rate(&test, side->share, FT__TEST_MOST));
}

static void answer(const struct side *side, const struct ft_model *model, size_t end, double x, double work,
		   double confidence, struct ft_prediction *out)
{
	const struct ft_knot *k = &model->knot[end];
	double dx = fabs(ft__band_x(model, x) - ft__band_x(model, k->x)), e,
	       s = ft__band_run_noise(model, k->x, confidence);
	struct ft__guess both = continue_trend(model, end, x, work), laws;
	size_t i;

	if (side->lawful && continue_laws(&side->outer, x, &laws))
		both = ft__outlook_combine(side->share, &laws, &both);
	out->value = fmax(0, exp(fmin(both.ln, 690)) - model->offset);
	out->basis = FT_BASIS_BEYOND;
	out->distance = k->x > 0 ? fmax(x / k->x, k->x / x) : exp(dx);
	for (i = 0; i < side->window; i++)
		out->runs += model->knot[end ? end - i : i].runs;
	/* One knot tells nothing of the shape: as uncertain as the distance itself. */
	e = model->n > 1 ? fmin(model->gap_error[end ? end - 1 : 0], 0.1) + side->rate * dx : dx;
	ft__band_interval(model,
			  sqrt(s * s * (1 + 1 / (double)k->runs) + 2 * model->drift * model->drift +
			       both.sd * both.sd + e * e),
			  confidence, out);
}

enum ft_status ft__band_beyond(const struct ft_model *model, double x, double work, double confidence,
			       struct ft_prediction *out, struct ft_err *err)
{
	bool upper = x > model->knot[0].x;
	size_t end = upper ? model->n - 1 : 0;
	struct side *side = model->outlook ? model->outlook->side[upper] : NULL, *made = NULL;

	if (!side) {
		side = made = ft_calloc(1, sizeof *made);
		if (!made)
			return ft_nomem(err);
		look(made, model, end);
	}
	answer(side, model, end, x, work, confidence, out);
	if (made && model->outlook)
		model->outlook->side[upper] = made;
	else
		ft_free(made);
	return FT_OK;
}

enum ft_status ft_model_keep_outlook(struct ft_model *model, struct ft_err *err)
{
	if (!model->outlook)
		model->outlook = ft_calloc(1, sizeof *model->outlook);
	return model->outlook ? FT_OK : ft_nomem(err);
}

void ft__outlook_free(struct ft_outlook *outlook)
{
	if (!outlook)
		return;
	ft_free(outlook->side[0]);
	ft_free(outlook->side[1]);
	ft_free(outlook);
}
