/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface_predict.c - what a surface says of a size: at a knot, among knots, beyond them. */
#include "model/kriging.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>

/* Beyond the knots the error grows with ln of the distance by this much, where no laws are known. */
static const double usual_rate = 0.25;

static double distance_to(const struct ft_surface *s, size_t knot, const double *x)
{
	const double *at = s->place + knot * s->n_axes;
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n_axes; i++)
		sum += (at[i] - x[i]) * (at[i] - x[i]);
	return sqrt(sum);
}

/* The n nearest knots, nearest first; of equally near ones the first. */
static void find_near(const struct ft_surface *s, const double *x, size_t *near, size_t n)
{
	double distance[FT__SURFACE_NEAR];
	size_t i, j, found = 0;

	for (i = 0; i < s->n; i++) {
		double d = distance_to(s, i, x);

		if (found == n && d >= distance[n - 1])
			continue;
		for (j = found < n ? found++ : n - 1; j > 0 && distance[j - 1] > d; j--) {
			distance[j] = distance[j - 1];
			near[j] = near[j - 1];
		}
		distance[j] = d;
		near[j] = i;
	}
}

static bool on_all_sides(const struct ft_surface *s, const double *x)
{
	/* Bit k of a side: the k-th coordinate is not below that of x. */
	bool seen[1 << FT_PARAMS_MAX] = {false};
	size_t sides = (size_t)1 << s->n_axes, i, k, side, left = sides;

	for (i = 0; i < s->n && left; i++) {
		const double *at = s->place + i * s->n_axes;

		for (side = 0; side < sides; side++) {
			bool on = true;

			for (k = 0; k < s->n_axes && on; k++)
				on = side >> k & 1 ? at[k] >= x[k] - 1e-9 : at[k] <= x[k] + 1e-9;
			left -= on && !seen[side];
			seen[side] = seen[side] || on;
		}
	}
	return !left;
}

/* Whether a place lies in the convex hull of the knots, to within a hundredth of the ranges: the point of the
 * hull next to it is approached until a plane between them is found (Frank & Wolfe 1956). */
static bool in_hull(const struct ft_surface *s, const double *x)
{
	double at[FT_PARAMS_MAX]; /* of a point of the hull, less x */
	size_t d = s->n_axes, i, k;
	int round;

	for (k = 0; k < d; k++)
		at[k] = s->place[k] - x[k];
	for (round = 0; round < 200; round++) {
		double least = INFINITY, square = 0, along = 0, length = 0, share;
		size_t best = 0;

		for (k = 0; k < d; k++)
			square += at[k] * at[k];
		if (square < 1e-4)
			return true;
		for (i = 0; i < s->n; i++) {
			double dot = 0;

			for (k = 0; k < d; k++)
				dot += at[k] * (s->place[i * d + k] - x[k]);
			if (dot < least) {
				least = dot;
				best = i;
			}
		}
		if (least > 0)
			return false;
		for (k = 0; k < d; k++) {
			double step = s->place[best * d + k] - x[k] - at[k];

			along -= step * at[k];
			length += step * step;
		}
		share = length > 0 ? fmin(1, along / length) : 0;
		for (k = 0; k < d; k++)
			at[k] += share * (s->place[best * d + k] - x[k] - at[k]);
	}
	return false;
}

bool ft__surface_surrounded(const struct ft_surface *s, const double *x)
{
	return on_all_sides(s, x) || in_hull(s, x);
}

/* Of many knots, those around the question are solved for it. */
static enum ft_status error_around(const struct ft_surface *s, const double *x, double *y, double *sd,
				   struct ft_err *err)
{
	size_t near[FT__SURFACE_NEAR];
	double scratch[FT__SURFACE_NEAR];
	struct ft__krig krig;
	enum ft_status status;

	find_near(s, x, near, FT__SURFACE_NEAR);
	status = ft__surface_krig(s, near, FT__SURFACE_NEAR, &krig, err);
	if (status)
		return status;
	krig.inflation = s->inflation;
	ft__krig_solve(&krig);
	*y = ft__krig_at(&krig, x, scratch, sd);
	ft__krig_clear(&krig);
	return FT_OK;
}

enum ft_status ft__surface_error(const struct ft_surface *s, const double *x, double *y, double *sd,
				 struct ft_err *err)
{
	double scratch[FT__SURFACE_WHOLE];

	if (!s->krig)
		return error_around(s, x, y, sd, err);
	*y = ft__krig_at(s->krig, x, scratch, sd);
	return FT_OK;
}

const struct ft_surface_knot *ft__surface_find(const struct ft_surface *s, const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (ft_size_equal(&s->knot[i].size, size))
			return &s->knot[i];
	return NULL;
}

bool ft__surface_contains(const struct ft_surface *s, const struct ft_size *size)
{
	size_t p;

	for (p = 0; p < s->n_params; p++)
		if (!(size->value[p] >= s->least[p] && size->value[p] <= s->most[p]))
			return false;
	return true;
}

static void set_interval(const struct ft_surface *s, double sd, double freedom, double confidence,
			 struct ft_prediction *out)
{
	double factor = exp(fmin(ft_student_t(confidence, freedom) * sd, 700));

	out->lower = fmax(0, (out->value + s->offset) / factor - s->offset);
	out->upper = fmin((out->value + s->offset) * factor - s->offset, 1e300);
}

static size_t runs_near(const struct ft_surface *s, const double *x)
{
	size_t near[FT__SURFACE_NEAR] = {0}, n = 2 * s->n_axes, i, runs = 0;

	assert(s->knot);
	n = n < 1 ? 1 : n;
	n = n < s->n ? n : s->n;
	find_near(s, x, near, n);
	for (i = 0; i < n; i++)
		runs += s->knot[near[i]].runs;
	return runs;
}

/* How far outside: of each parameter the factor beyond the box, ln. */
static double beyond_box(const struct ft_surface *s, const struct ft_size *size, double *square)
{
	double most = 0;
	size_t i;

	*square = 0;
	for (i = 0; i < s->n_axes; i++) {
		size_t p = s->axis[i];
		double shift = s->least[p] > 0 ? 0 : 1 - s->least[p], v = size->value[p] + shift, d = 0;

		if (size->value[p] > s->most[p])
			d = log(v / (s->most[p] + shift));
		if (size->value[p] < s->least[p])
			d = log((s->least[p] + shift) / v);
		most = fmax(most, d);
		*square += d * d;
	}
	return most;
}

/* Inside the box, but not among knots: the largest factor of a parameter to the nearest knot, ln. */
static double beyond_knots(const struct ft_surface *s, const double *x)
{
	size_t near = 0, i;
	double most = 0;

	assert(s->place);
	find_near(s, x, &near, 1);
	for (i = 0; i < s->n_axes; i++) {
		size_t p = s->axis[i];
		double shift = s->least[p] > 0 ? 0 : 1 - s->least[p];

		most = fmax(most, fabs(s->place[near * s->n_axes + i] - x[i]) *
					  log((s->most[p] + shift) / (s->least[p] + shift)));
	}
	return most;
}

static enum ft_status answer(const struct ft_surface *s, const struct ft_size *size, double work,
			     double confidence, struct ft_prediction *out, struct ft_err *err)
{
	const struct ft_surface_knot *knot = ft__surface_find(s, size);
	double x[FT_PARAMS_MAX], freedom, noise, far, square, rate = usual_rate;
	struct ft__guess guess;
	enum ft_status status;

	ft__surface_place(s, size, x);
	noise = ft__surface_noise(s, x, &freedom);
	if (knot) {
		out->value = knot->value;
		out->basis = FT_BASIS_AT_KNOT;
		out->runs = knot->runs;
		set_interval(s, hypot(noise * sqrt(1 + 1 / (double)knot->runs), M_SQRT2 * s->drift), freedom,
			     confidence, out);
		return FT_OK;
	}
	status = ft__surface_error(s, x, &guess.ln, &guess.sd, err);
	if (status)
		return status;
	guess.ln += s->through_speed ? log(work) : 0;
	far = beyond_box(s, size, &square);
	if (far > 0)
		status = ft__surface_beyond(s, size, &guess, &rate, err);
	if (status)
		return status;
	out->value = fmax(0, exp(fmin(guess.ln, 690)) - s->offset);
	out->runs = runs_near(s, x);
	out->basis = far > 0 || !ft__surface_surrounded(s, x) ? FT_BASIS_BEYOND : FT_BASIS_BETWEEN;
	if (out->basis == FT_BASIS_BEYOND)
		out->distance = exp(far > 0 ? far : beyond_knots(s, x));
	/* The residuals that tell of sd are as many again as the knots that the plane does not use up. */
	if (s->n > s->n_axes + 1)
		freedom += (double)(s->n - s->n_axes - 1) / 2;
	noise = hypot(noise, s->drift);
	set_interval(s, sqrt(noise * noise + guess.sd * guess.sd + rate * rate * square), freedom, confidence,
		     out);
	return FT_OK;
}

static enum ft_status check_size(const struct ft_surface *s, const struct ft_size *size, struct ft_err *err)
{
	size_t p;

	if (size->n != s->n_params)
		return ft_fail(err, FT_EINVAL, "a size of %zu parameters was asked of a model of %zu",
			       size->n, s->n_params);
	for (p = 0; p < size->n; p++) {
		double v = size->value[p];
		double shift = s->least[p] > 0 ? 0 : 1 - s->least[p];

		if (!isfinite(v))
			return ft_fail(err, FT_EINVAL, "a size must be a finite number");
		if (s->least[p] < s->most[p] ? !(v + shift > 0) : v != s->least[p])
			return ft_fail(err, s->least[p] < s->most[p] ? FT_EINVAL : FT_ENOMODEL,
				       "there is no run at or around %.12g, but at %.12g .. %.12g", v,
				       s->least[p], s->most[p]);
	}
	return FT_OK;
}

enum ft_status ft__surface_predict(const struct ft_surface *surface, const struct ft_size *size, double work,
				   double confidence, struct ft_prediction *out, struct ft_err *err)
{
	enum ft_status status = check_size(surface, size, err);

	*out = (struct ft_prediction){.distance = 1};
	if (status)
		return status;
	if (!(confidence >= 0.5 && confidence <= 0.999))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within 0.5 and 0.999", confidence);
	if (surface->through_speed && !(work > 0 && isfinite(work)))
		return ft_fail(err, FT_EINVAL, "the work at a size is %g, not positive", work);
	status = answer(surface, size, work, confidence, out, err);
	if (status)
		*out = (struct ft_prediction){0};
	return status;
}
