/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - what a band says of a size: at a knot, between knots, beyond them. */
#include "model/band.h"
#include "num/stats.h"

#include <math.h>

/* Beyond the data the relative error grows with ln of the distance by this much, and by half the change of
 * the exponent that the last three knots show. */
static const double drift_beyond = 0.25;

/* A gap that errs so much after all is no smooth piece: beside its knots it errs as in its middle. */
static const double rough_error = 0.1;

/* The power law beyond the data is drawn through knots that span at least so much of ln size. */
static const double span_least = 0.2;

static const char *const basis_texts[] = {
#define TEXT(name, words) words,
	FT_BASIS_LIST(TEXT)
#undef TEXT
};

const char *ft_basis_text(enum ft_basis basis)
{
	return (size_t)basis < sizeof basis_texts / sizeof *basis_texts ? basis_texts[basis] : "unknown";
}

/* The last knot at or left of x; x is inside. */
static size_t find_knot(const struct ft_model *model, double x)
{
	size_t low = 0, high = model->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (model->knot[middle].x <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Fill the interval: sd is the standard deviation of ln(value + offset) of one future run. */
static void set_interval(const struct ft_model *model, double sd, double confidence,
			 struct ft_prediction *out)
{
	double z = model->spread * ft_normal_quantile((1 + confidence) / 2);
	double factor = exp(fmin(z * sd, 700)), shifted = out->value + model->offset;

	out->lower = fmax(0, shifted / factor - model->offset);
	out->upper = fmin(shifted * factor - model->offset, 1e300);
}

static void at_knot(const struct ft_model *model, size_t j, double confidence, struct ft_prediction *out)
{
	const struct ft_knot *k = &model->knot[j];

	out->value = k->value;
	out->basis = FT_BASIS_AT_KNOT;
	out->runs = k->runs;
	set_interval(model, ft__band_run_noise(model, k->x) * sqrt(1 + 1 / (double)k->runs), confidence, out);
}

static void between(const struct ft_model *model, size_t j, double x, double work, double confidence,
		    struct ft_prediction *out)
{
	const struct ft_knot *k = &model->knot[j];
	struct ft__end a = ft__band_end(model, j), b = ft__band_end(model, j + 1);
	double at = ft__band_x(model, x), u = (at - a.at) / (b.at - a.at), e = model->gap_error[j];
	double s = ft__band_run_noise(model, x);
	double knots = (1 - u) * (1 - u) / (double)k[0].runs + u * u / (double)k[1].runs;
	double shaky = fmin(1, e / rough_error), near = fmax(4 * u * (1 - u), shaky * shaky);

	out->value = fmax(0, exp(ft__shape_level(k->shape, &a, &b, x, at, work)) - model->offset);
	out->basis = FT_BASIS_BETWEEN;
	out->runs = k[0].runs + k[1].runs;
	set_interval(model, sqrt(s * s * (1 + knots) + e * e * near), confidence, out);
}

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

/* How many knots the power law beyond an end is drawn through: three, and more where they lie so close that
 * they span less than what is to be extrapolated (or half of the range). */
static size_t count_outermost(const struct ft_model *model, size_t end, double dx)
{
	double range = inwards(model, end, model->n - 1);
	double span = fmax(span_least, fmin(dx, range / 2));
	size_t n = 1;

	while (n < model->n && (n < 3 || inwards(model, end, n - 1) < span))
		n++;
	return n;
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
	const struct ft_knot *first = &model->knot[end ? end + 1 - n : 0];
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

/* The power law through the three outermost knots, continued from the last one. */
static void beyond(const struct ft_model *model, double x, double work, double confidence,
		   struct ft_prediction *out)
{
	size_t end = x > model->knot[0].x ? model->n - 1 : 0, n, i;
	const struct ft_knot *k = &model->knot[end], *first;
	double dx = ft__band_x(model, x) - ft__band_x(model, k->x), e, ln;
	double s = ft__band_run_noise(model, k->x);
	struct trend trend = fit_trend(model, end, fabs(dx), s);

	n = count_outermost(model, end, fabs(dx));
	first = &model->knot[end ? end + 1 - n : 0];
	ln = level(model, k) + trend.power.exponent * dx;
	if (model->through_speed)
		ln = log(isnan(work) ? work_beyond(model, end, x) : work) - ln;
	out->value = fmax(0, exp(fmin(ln, 690)) - model->offset);
	out->basis = FT_BASIS_BEYOND;
	out->distance = k->x > 0 ? (end ? x / k->x : k->x / x) : exp(fabs(dx));
	for (i = 0; i < n; i++)
		out->runs += first[i].runs;
	/* One knot tells nothing of the shape: as uncertain as the distance itself. */
	e = fabs(dx);
	if (model->n > 1)
		e = fmin(model->gap_error[end ? end - 1 : 0], 0.1) +
		    (drift_beyond + trend.change / 2) * fabs(dx);
	set_interval(model, sqrt(s * s * (1 + 1 / (double)k->runs) + trend.power.variance * dx * dx + e * e),
		     confidence, out);
}

enum ft_status ft_model_predict(const struct ft_model *model, double x, double work, double confidence,
				struct ft_prediction *out, struct ft_err *err)
{
	size_t j;

	*out = (struct ft_prediction){.distance = 1};
	if (!isfinite(x))
		return ft_fail(err, FT_EINVAL, "a size must be a finite number");
	if (!(confidence >= 0.5 && confidence <= 0.999))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within 0.5 and 0.999", confidence);
	if (!isnan(work) && !(work > 0 && isfinite(work)))
		return ft_fail(err, FT_EINVAL, "the work at size %g is %g, not positive", x, work);
	if (x < model->knot[0].x || x > model->knot[model->n - 1].x) {
		if (x <= 0)
			return ft_fail(err, FT_EINVAL, "size %g is not positive, and outside the data", x);
		beyond(model, x, work, confidence, out);
		return FT_OK;
	}
	j = find_knot(model, x);
	if (model->knot[j].x == x)
		at_knot(model, j, confidence, out);
	else
		between(model, j, x, work, confidence, out);
	return FT_OK;
}
