/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band_noise.c - how single runs scatter around a size: what repetitions tell, and what the residuals of the
 * knots add to it where they are few. doc/models.md gives the formulas. */
#include "model/band.h"
#include "num/stats.h"

#include <math.h>

/* Residuals count for half as much as repetitions: neighbours share knots. */
static const double residual_weight = 0.5;

/* Repetitions anywhere count for a fifth of such in the same place. */
static const double far_share = 0.2;

/* The most that residuals are taken for noise, and the least of one that its logarithm is taken of. */
static const double residual_most = 0.2, residual_least = 1e-4;

/* A knot without scatter (a clock that is too coarse) still scatters by so much. */
static const double least_noise = 1e-5;

double ft__band_noise(const struct ft_model *model, double size, double *freedom)
{
	double at = ft__band_x(model, size), sum = FT__PRIOR_FREEDOM * FT__PRIOR_NOISE * FT__PRIOR_NOISE,
	       dof = FT__PRIOR_FREEDOM;
	size_t j;

	for (j = 0; j < model->n; j++) {
		const struct ft_knot *k = &model->knot[j];
		double w;

		if (k->runs < 2)
			continue;
		w = ft__band_kernel(model, ft__band_x(model, k->x) - at);
		sum += w * k->scatter;
		dof += w * (double)(k->runs - 1);
	}
	if (freedom)
		*freedom = dof;
	return sqrt(sum / dof);
}

/* ---- what repetitions tell ------------------------------------------------------------------------------
 */

/* Degrees of freedom: around a size (weighted), and over all. */
struct freedom {
	double here, all;
};

static struct freedom count_freedom(const struct ft_model *model, double at)
{
	struct freedom f = {FT__PRIOR_FREEDOM, FT__PRIOR_FREEDOM};
	size_t j;

	for (j = 0; j < model->n; j++) {
		double repeats = (double)(model->knot[j].runs - 1);

		if (repeats > 0) {
			f.here += repeats * ft__band_kernel(model, ft__band_x(model, model->knot[j].x) - at);
			f.all += repeats;
		}
	}
	return f;
}

static double knot_noise(const struct ft_knot *k)
{
	return fmax(sqrt(k->scatter / (double)(k->runs - 1)), least_noise);
}

/* A mixture of normal laws, those of about the same deviation taken together. */
enum { LEVELS = 48 };
struct mixture {
	double low, high; /* ln of the least and the largest deviation */
	double weight[LEVELS], noise[LEVELS];
};

static void mix(struct mixture *m, double weight, double noise)
{
	double at = m->high > m->low ? (log(noise) - m->low) / (m->high - m->low) : 0;
	size_t i = (size_t)fmin(at * LEVELS, LEVELS - 1);

	m->noise[i] += weight * log(noise);
	m->weight[i] += weight;
}

/* Each repeated knot stands for a normal law of its own. All repetitions together count as one more at this
 * very place. */
static struct mixture gather_laws(const struct ft_model *model, double at, const struct freedom *f)
{
	struct mixture m = {.low = FT__PRIOR_NOISE, .high = FT__PRIOR_NOISE};
	size_t j;
	int i;

	for (j = 0; j < model->n; j++)
		if (model->knot[j].runs > 1) {
			m.low = fmin(m.low, knot_noise(&model->knot[j]));
			m.high = fmax(m.high, knot_noise(&model->knot[j]));
		}
	m.low = log(m.low);
	m.high = log(m.high);
	mix(&m, FT__PRIOR_FREEDOM / f->all, FT__PRIOR_NOISE);
	for (j = 0; j < model->n; j++) {
		const struct ft_knot *k = &model->knot[j];

		if (k->runs > 1)
			mix(&m,
			    (double)(k->runs - 1) *
				    (ft__band_kernel(model, ft__band_x(model, k->x) - at) + 1 / f->all),
			    knot_noise(k));
	}
	for (i = 0; i < LEVELS; i++)
		if (m.weight[i] > 0)
			m.noise[i] = exp(m.noise[i] / m.weight[i]);
	return m;
}

/* ln of the share of runs that lie more than exp(half) away (of ln value). */
static double ln_outside(const struct mixture *m, double half)
{
	double sum = 0, weights = 0;
	int i;

	for (i = 0; i < LEVELS; i++)
		if (m->weight[i] > 0) {
			sum += m->weight[i] * erfc(exp(half) / m->noise[i] * M_SQRT1_2);
			weights += m->weight[i];
		}
	return log(sum / weights);
}

/* The deviation of the normal law whose interval is as wide as the one that holds a share `confidence`: by
 * secants of ln share over ln width that keep the answer between them (Illinois). */
static double repeated_noise(const struct ft_model *model, double at, const struct freedom *f,
			     double confidence)
{
	struct mixture m = gather_laws(model, at, f);
	double z = log(ft_normal_quantile((1 + confidence) / 2)), out = log(1 - confidence);
	double low = m.low + z, high = m.high + z, f_low = ln_outside(&m, low) - out,
	       f_high = ln_outside(&m, high) - out;
	int step, side = 0;

	for (step = 0; step < 60 && f_low > 0 && f_high < 0 && high - low > 1e-9; step++) {
		double middle = (low * f_high - high * f_low) / (f_high - f_low);
		double f_middle = ln_outside(&m, middle) - out;

		if (fabs(f_middle) < 1e-9)
			return exp(middle - z);
		if (f_middle > 0) {
			low = middle;
			f_low = f_middle;
			f_high /= side == 1 ? 2 : 1;
			side = 1;
		} else {
			high = middle;
			f_high = f_middle;
			f_low /= side == 2 ? 2 : 1;
			side = 2;
		}
	}
	return exp((low + high) / 2 - z);
}

/* ---- what residuals may be ------------------------------------------------------------------------------
 */

/* The variance of a median of m runs, in units of that of one. */
static double median_variance(const struct ft_knot *k)
{
	double m = (double)k->runs;

	return m < 3 ? 1 / m : 1.4 / m;
}

static double level(const struct ft_model *model, size_t j)
{
	return log(model->knot[j].value + model->offset);
}

/* Beside the cubic through the two knots on either side, in units of what one run's noise makes of it
 * (Gasser, Sroka & Jennen-Steinmetz 1986): what is smooth is nearly gone. */
static double cubic_residual(const struct ft_model *model, size_t j)
{
	double x[4], at = ft__band_x(model, model->knot[j].x), away = level(model, j),
		     variance = median_variance(&model->knot[j]);
	size_t of[4] = {j - 2, j - 1, j + 1, j + 2}, i, k;

	for (i = 0; i < 4; i++)
		x[i] = ft__band_x(model, model->knot[of[i]].x);
	for (i = 0; i < 4; i++) {
		double w = 1;

		for (k = 0; k < 4; k++)
			if (k != i)
				w *= (at - x[k]) / (x[i] - x[k]);
		away -= w * level(model, of[i]);
		variance += w * w * median_variance(&model->knot[of[i]]);
	}
	return fabs(away) / sqrt(variance);
}

/* As many residuals as `count` say that single runs scatter by `noise`. */
struct residuals {
	double noise, count;
};

/* The noise that the residuals around a size would make if all of them were noise: their geometric mean,
 * which few large ones do not move, times what makes it right for the normal law, and more where few
 * residuals tell. reach: knots on either side that a residual needs. */
static struct residuals gather(const struct ft_model *model, double at, size_t reach)
{
	double sum = 0, weights = 0, squares = 0;
	struct residuals r = {INFINITY, 0};
	size_t j;

	for (j = reach; j + reach < model->n; j++) {
		double w = ft__band_kernel(model, ft__band_x(model, model->knot[j].x) - at);
		double away = reach == 1 ? model->knot[j].residual / sqrt(1.5) : cubic_residual(model, j);

		sum += w * log(fmax(away, residual_least));
		weights += w;
		squares += w * w;
	}
	if (!(weights > 0))
		return r;
	r.count = weights * weights / squares;
	r.noise = fmin(1.9 * (1 + 0.5 / r.count) * exp(sum / weights), residual_most);
	return r;
}

struct ft__noise ft__band_noises(const struct ft_model *model, double size, double confidence)
{
	double at = ft__band_x(model, size);
	struct freedom f = count_freedom(model, at);
	struct residuals near = gather(model, at, 1), cubic = gather(model, at, 2);
	struct ft__noise s = {.repeated = repeated_noise(model, at, &f, confidence)};
	double most = fmin(near.noise, cubic.noise), count = residual_weight * cubic.count;

	if (cubic.noise < s.repeated)
		s.repeated = sqrt((f.here * s.repeated * s.repeated + count * cubic.noise * cubic.noise) /
				  (f.here + count));
	if (isfinite(most))
		s.residual = most / sqrt(f.here + far_share * (f.all - FT__PRIOR_FREEDOM));
	return s;
}

double ft__band_run_noise(const struct ft_model *model, double size, double confidence)
{
	struct ft__noise s = ft__band_noises(model, size, confidence);

	return hypot(s.repeated, s.residual);
}
