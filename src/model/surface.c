/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.c - from samples at sizes of several parameters to knots, a kernel, and the stated error. */
#include "model/kriging.h"
#include "base/alloc.h"
#include "model/visits.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

/* A stated error over this is "rough", as for a band. */
static const double rough_over = 0.15;

/* With more knots than this noise is taken to be the same everywhere. */
enum { NOISE_LOCAL = 2000 };

/* Where the stated error is looked at: so many places of the box. */
enum { ERROR_PLACES = 256 };

static int compare_sizes(const struct ft_size *a, const struct ft_size *b)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->value[i] != b->value[i])
			return a->value[i] < b->value[i] ? -1 : 1;
	return 0;
}

/* A sample, and how often the size changed before it in the order of measurement. */
struct sample {
	const struct ft_observation *o;
	size_t visit;
};

static int compare_samples(const void *a, const void *b)
{
	const struct sample *p = a, *q = b;
	int by_size = compare_sizes(&p->o->size, &q->o->size);

	return by_size ? by_size : (p->visit > q->visit) - (p->visit < q->visit);
}

static bool is_good(const struct ft_observation *o, size_t n_params)
{
	bool good = o->size.n == n_params && n_params <= FT_PARAMS_MAX;
	size_t i;

	for (i = 0; good && i < n_params; i++)
		good = isfinite(o->size.value[i]);
	return good && isfinite(o->value) && o->value >= 0 && isfinite(o->work) && o->work > 0;
}

static enum ft_status check(const struct ft_observation *o, size_t n, struct ft_err *err)
{
	size_t i;

	if (!n)
		return ft_fail(err, FT_ENOMODEL, "there is no run to make a model of");
	for (i = 0; i < n; i++)
		if (!is_good(&o[i], o[0].size.n))
			return ft_fail(err, FT_EINVAL, "sample %zu (work %g, value %g) cannot be modelled", i,
				       o[i].work, o[i].value);
	return FT_OK;
}

/* As for a band: half the least positive value when there are zeros, 1 when all are zero. */
static double offset_for(const struct ft_observation *o, size_t n)
{
	double least = INFINITY;
	bool zero = false;
	size_t i;

	for (i = 0; i < n; i++) {
		zero = zero || o[i].value <= 0;
		if (o[i].value > 0)
			least = fmin(least, o[i].value);
	}
	if (!zero)
		return 0;
	return isfinite(least) ? least / 2 : 1;
}

/* The sum of squares of some values about their mean. */
static double squares_of(const double *ln, size_t n)
{
	double mean = 0, sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += ln[i] / (double)n;
	for (i = 0; i < n; i++)
		sum += (ln[i] - mean) * (ln[i] - mean);
	return sum;
}

/* A knot from the samples [n] of one size, in the order of measurement. scratch: [n] */
static struct ft_surface_knot make_knot(const struct sample *sample, size_t n, double offset, double *scratch,
					struct ft__visits *visits)
{
	struct ft_surface_knot knot = {
		.size = sample->o->size, .work = sample->o->work, .residual = NAN, .runs = n};
	size_t i, from = 0, n_visits = 0;
	double within = 0;

	for (i = 0; i < n; i++)
		scratch[i] = log(sample[i].o->value + offset);
	knot.scatter = squares_of(scratch, n);
	for (i = 1; i <= n; i++) {
		if (i < n && sample[i].visit == sample[from].visit)
			continue;
		within += squares_of(scratch + from, i - from);
		n_visits++;
		from = i;
	}
	ft__visits_add(visits, n, n_visits, knot.scatter, within);
	for (i = 0; i < n; i++)
		scratch[i] = sample[i].o->value;
	knot.value = ft_stats_median(scratch, n);
	return knot;
}

static enum ft_status make_knots(struct ft_surface *s, const struct ft_observation *o, size_t n,
				 struct ft_err *err)
{
	struct sample *sample = ft_calloc(n, sizeof *sample);
	double *scratch = ft_calloc(n, sizeof *scratch);
	struct ft__visits visits = {0};
	size_t i, from = 0, visit = 0;

	s->knot = ft_calloc(n, sizeof *s->knot);
	if (!sample || !scratch || !s->knot) {
		ft_free(sample);
		ft_free(scratch);
		return ft_nomem(err);
	}
	for (i = 0; i < n; i++) {
		visit += i && compare_sizes(&o[i].size, &o[i - 1].size);
		sample[i] = (struct sample){&o[i], visit};
	}
	qsort(sample, n, sizeof *sample, compare_samples);
	for (i = 1; i <= n; i++) {
		if (i < n && !compare_sizes(&sample[i].o->size, &sample[from].o->size))
			continue;
		s->knot[s->n++] = make_knot(sample + from, i - from, s->offset, scratch, &visits);
		from = i;
	}
	s->runs = n;
	s->drift = sqrt(ft__visits_drift(&visits));
	ft_free(sample);
	ft_free(scratch);
	return FT_OK;
}

static void find_axes(struct ft_surface *s)
{
	size_t i, p;

	s->n_params = s->knot[0].size.n;
	for (p = 0; p < s->n_params; p++) {
		s->least[p] = s->most[p] = s->knot[0].size.value[p];
		for (i = 1; i < s->n; i++) {
			s->least[p] = fmin(s->least[p], s->knot[i].size.value[p]);
			s->most[p] = fmax(s->most[p], s->knot[i].size.value[p]);
		}
		if (s->least[p] < s->most[p])
			s->axis[s->n_axes++] = p;
	}
}

static double shift(const struct ft_surface *s, size_t p)
{
	return s->least[p] > 0 ? 0 : 1 - s->least[p];
}

void ft__surface_place(const struct ft_surface *s, const struct ft_size *size, double *x)
{
	size_t i;

	for (i = 0; i < s->n_axes; i++) {
		size_t p = s->axis[i];
		double from = log(s->least[p] + shift(s, p)), to = log(s->most[p] + shift(s, p));

		x[i] = (log(size->value[p] + shift(s, p)) - from) / (to - from);
	}
}

double ft__surface_noise(const struct ft_surface *s, const double *x, double *freedom)
{
	double sum = 0.015 * 0.015, dof = 1;
	size_t i, j;

	for (j = 0; j < s->n; j++) {
		const double *at = s->place + j * s->n_axes;
		double distance = 0, w = 1;

		if (s->knot[j].runs < 2)
			continue;
		for (i = 0; i < s->n_axes; i++)
			distance += (at[i] - x[i]) * (at[i] - x[i]);
		if (s->n <= NOISE_LOCAL)
			w = exp(-sqrt(distance) / 0.3);
		sum += w * s->knot[j].scatter;
		dof += w * (double)(s->knot[j].runs - 1);
	}
	if (freedom)
		*freedom = dof;
	return sqrt(sum / dof);
}

/* What is interpolated: minus ln speed, or ln value. */
static double level(const struct ft_surface *s, const struct ft_surface_knot *k)
{
	return s->through_speed ? log(k->value / k->work) : log(k->value + s->offset);
}

enum ft_status ft__surface_krig(const struct ft_surface *s, const size_t *chosen, size_t n,
				struct ft__krig *krig, struct ft_err *err)
{
	enum ft_status status = ft__krig_new(krig, n, s->n_axes, err);
	size_t i;

	if (status)
		return status;
	krig->kernel = s->kernel;
	for (i = 0; i < s->n_axes; i++) {
		size_t p = s->axis[i];

		/* Exponents are within some -4 .. 4. */
		krig->slope[i] = 2 * log((s->most[p] + shift(s, p)) / (s->least[p] + shift(s, p)));
	}
	for (i = 0; i < n; i++) {
		const struct ft_surface_knot *k = &s->knot[chosen[i]];
		size_t a;

		for (a = 0; a < krig->d; a++)
			krig->x[i * krig->d + a] = s->place[chosen[i] * krig->d + a];
		krig->y[i] = level(s, k);
		krig->h[i] = hypot(s->noise[chosen[i]] / sqrt((double)k->runs), s->drift);
	}
	return FT_OK;
}

/* Up to `most` of the knots, evenly through their order. */
static enum ft_status krig_some(const struct ft_surface *s, size_t most, struct ft__krig *krig,
				struct ft_err *err)
{
	size_t n = s->n < most ? s->n : most, i;
	size_t *chosen = ft_calloc(n, sizeof *chosen);
	enum ft_status status;

	if (!chosen)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		chosen[i] = n > 1 ? i * (s->n - 1) / (n - 1) : 0;
	status = ft__surface_krig(s, chosen, n, krig, err);
	ft_free(chosen);
	return status;
}

/* The places of the knots, and the noise there. */
static enum ft_status place_knots(struct ft_surface *s, struct ft_err *err)
{
	size_t i;

	s->place = ft_calloc(s->n * s->n_axes + 1, sizeof *s->place);
	s->noise = ft_calloc(s->n, sizeof *s->noise);
	if (!s->place || !s->noise)
		return ft_nomem(err);
	for (i = 0; i < s->n; i++)
		ft__surface_place(s, &s->knot[i].size, s->place + i * s->n_axes);
	for (i = 0; i < s->n; i++)
		s->noise[i] = i && s->n > NOISE_LOCAL ? s->noise[0]
						      : ft__surface_noise(s, s->place + i * s->n_axes, NULL);
	return FT_OK;
}

enum ft_status ft__surface_prepare(struct ft_surface *s, struct ft_err *err)
{
	enum ft_status status;

	if (!s->n_params)
		find_axes(s);
	status = s->place ? FT_OK : place_knots(s, err);
	if (!status)
		status = ft__surface_outlook(s, err);
	if (status)
		return status;
	if (s->n > FT__SURFACE_WHOLE)
		return FT_OK;
	s->krig = ft_calloc(1, sizeof *s->krig);
	if (!s->krig)
		return ft_nomem(err);
	status = krig_some(s, s->n, s->krig, err);
	if (status)
		return status;
	s->krig->inflation = s->inflation;
	ft__krig_solve(s->krig);
	return FT_OK;
}

/* The kernel, from not too many knots; given: it is known. */
static enum ft_status choose_kernel(struct ft_surface *s, const struct ft_kernel *given, struct ft_err *err)
{
	struct ft__krig krig;
	enum ft_status status;

	if (given) {
		s->kernel = *given;
		return FT_OK;
	}
	status = krig_some(s, FT__SURFACE_TUNE, &krig, err);
	if (status)
		return status;
	ft__krig_tune(&krig);
	s->kernel = krig.kernel;
	ft__krig_clear(&krig);
	return FT_OK;
}

/* The kernel, and what leaving out each knot shows of it. */
static enum ft_status tune(struct ft_surface *s, const struct ft_kernel *given, struct ft_err *err)
{
	struct ft__krig krig;
	double *residual = ft_calloc(s->n, sizeof *residual);
	enum ft_status status = residual ? choose_kernel(s, given, err) : ft_nomem(err);
	size_t i;

	if (!status)
		status = krig_some(s, FT__SURFACE_WHOLE, &krig, err);
	if (!status) {
		ft__krig_solve(&krig);
		status = ft__krig_check(&krig, residual, err);
		s->inflation = krig.inflation;
		for (i = 0; s->n <= FT__SURFACE_WHOLE && s->n > s->n_axes + 1 && i < s->n; i++)
			s->knot[i].residual = residual[i];
		ft__krig_clear(&krig);
	}
	ft_free(residual);
	return status;
}

/* The i-th of the numbers of van der Corput in a base: evenly spread places (Halton 1960). */
static double spread(size_t i, size_t base)
{
	double share = 1, sum = 0;

	for (; i; i /= base) {
		share /= (double)base;
		sum += share * (double)(i % base);
	}
	return sum;
}

/* The stated error where there are knots all around; where there is no such place, of the knots themselves.
 */
static enum ft_status state_error(struct ft_surface *s, struct ft_err *err)
{
	static const size_t prime[FT_PARAMS_MAX] = {2, 3, 5, 7, 11, 13, 17, 19};
	double error[ERROR_PLACES], x[FT_PARAMS_MAX], y, sd, noise = 0;
	size_t i, k, n = 0;

	for (i = 0; i < ERROR_PLACES; i++) {
		enum ft_status status;
		double s1;

		for (k = 0; k < s->n_axes; k++)
			x[k] = spread(i + 1, prime[k]);
		if (s->n_axes && !ft__surface_surrounded(s, x))
			continue;
		status = ft__surface_error(s, x, &y, &sd, err);
		if (status)
			return status;
		/* At a place that is no knot the noise of a knot's median is in sd already. */
		s1 = hypot(ft__surface_noise(s, x, NULL), s->drift);
		noise = fmax(noise, s1);
		error[n++] = sqrt(sd * sd + s1 * s1 / 2);
	}
	if (!n) {
		ft__surface_place(s, &s->knot[0].size, x);
		noise = ft__surface_noise(s, x, NULL);
		error[n++] = fmax(0.5 / (double)s->n, noise);
	}
	s->stated_error = ft_stats_quantile(error, n, 0.95);
	s->rough = s->stated_error > rough_over;
	s->rough_by_noise = s->rough && noise > s->stated_error / 2;
	return FT_OK;
}

/* Knots, their places, and what is interpolated. kernel: NULL: it is to be found. */
static enum ft_status fit(struct ft_surface *out, const struct ft_observation *o, size_t n,
			  bool through_speed, const struct ft_kernel *kernel, struct ft_err *err)
{
	enum ft_status status = check(o, n, err);

	*out = (struct ft_surface){.inflation = 1};
	if (status)
		return status;
	out->offset = offset_for(o, n);
	out->through_speed = through_speed && out->offset == 0;
	status = make_knots(out, o, n, err);
	if (!status) {
		find_axes(out);
		status = place_knots(out, err);
	}
	if (!status)
		status = tune(out, kernel, err);
	if (!status)
		status = ft__surface_prepare(out, err);
	return status;
}

enum ft_status ft__surface_fit(struct ft_surface *out, const struct ft_observation *observation, size_t n,
			       bool through_speed, struct ft_err *err)
{
	enum ft_status status = fit(out, observation, n, through_speed, NULL, err);

	if (!status)
		status = state_error(out, err);
	if (status)
		ft__surface_clear(out);
	return status;
}

enum ft_status ft__surface_fit_kernel(struct ft_surface *out, const struct ft_observation *observation,
				      size_t n, bool through_speed, const struct ft_kernel *kernel,
				      struct ft_err *err)
{
	enum ft_status status = fit(out, observation, n, through_speed, kernel, err);

	if (status)
		ft__surface_clear(out);
	return status;
}

double ft__surface_pooled_noise(const struct ft_surface *surface)
{
	double *deviation = ft_calloc(surface->n, sizeof *deviation), most = 0, squares = 0, freedom = 0;
	size_t i, n = 0;

	if (!deviation)
		return -1;
	for (i = 0; i < surface->n; i++)
		if (surface->knot[i].runs > 1)
			deviation[n++] = sqrt(surface->knot[i].scatter / (double)(surface->knot[i].runs - 1));
	if (n)
		most = 5 * ft_stats_median(deviation, n);
	for (i = 0; n && i < surface->n; i++) {
		double dof = (double)surface->knot[i].runs - 1;

		if (dof > 0 && surface->knot[i].scatter <= most * most * dof) {
			squares += surface->knot[i].scatter;
			freedom += dof;
		}
	}
	ft_free(deviation);
	return freedom > 0 ? sqrt(squares / freedom) : (double)NAN;
}

void ft__surface_clear(struct ft_surface *surface)
{
	if (!surface)
		return;
	if (surface->krig)
		ft__krig_clear(surface->krig);
	ft_free(surface->krig);
	ft__surface_outlook_free(surface->outlook);
	ft_free(surface->place);
	ft_free(surface->noise);
	ft_free(surface->knot);
	*surface = (struct ft_surface){0};
}
