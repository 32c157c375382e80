/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine_known.c - what the adaptive builder over several parameters knows: the interpolation of all sizes
 * told, and what it says of the candidates. */
#include "base/alloc.h"
#include "build/refine.h"
#include "model/kriging.h"

#include <math.h>

/* Of more sizes (which came from elsewhere), as many as this count: all candidates, and every k-th other. */
enum { KNOTS_MOST = 400 };

/* The kernel is chosen anew when so many times more sizes are known; while they are few, each time. */
static const double tune_from = 1.1;
enum { TUNE_ALWAYS = 24 };

/* The noise of single runs before any repetition: 1.5 %, as if one repetition had shown it. */
static const double prior_noise = 0.015;

const struct ft__site *ft__refine_site(const struct ft__refine *r, size_t candidate)
{
	return ft__lattice_site(r->lattice, &r->candidate[candidate].place);
}

double ft__site_mean_ln(const struct ft__site *site)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < site->n; i++)
		sum += log(site->seconds[i]) / (double)site->n;
	return sum;
}

static void place_site(const struct ft__refine *r, const struct ft__site *site, double *x)
{
	size_t i;

	for (i = 0; i < r->d; i++)
		x[i] = ft__candidate_coordinate(&r->lattice->axis[r->axis[i]], site->place.at[r->axis[i]]);
}

double ft__refine_noise(const struct ft__refine *r, const double *x)
{
	double sum = prior_noise * prior_noise, freedom = 1;
	size_t i, k;

	for (i = 0; i < r->lattice->n_sites; i++) {
		const struct ft__site *site = &r->lattice->site[i];
		double at[FT_PARAMS_MAX], distance = 0, mean, w;

		if (site->n < 2)
			continue;
		place_site(r, site, at);
		for (k = 0; k < r->d; k++)
			distance += (at[k] - x[k]) * (at[k] - x[k]);
		w = exp(-sqrt(distance) / 0.3);
		mean = ft__site_mean_ln(site);
		for (k = 0; k < site->n; k++)
			sum += w * (log(site->seconds[k]) - mean) * (log(site->seconds[k]) - mean);
		freedom += w * (double)(site->n - 1);
	}
	return sqrt(sum / freedom);
}

size_t ft__refine_known(const struct ft__refine *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->lattice->n_sites; i++)
		n += r->lattice->site[i].n > 0;
	return n;
}

static bool is_candidate(const struct ft__refine *r, const struct ft__place *place)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (ft__lattice_same(r->lattice, &r->candidate[i].place, place))
			return true;
	return false;
}

/* How many sizes are known that it cannot have asked for. */
static size_t count_others(const struct ft__refine *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->lattice->n_sites; i++)
		n += r->lattice->site[i].n && !is_candidate(r, &r->lattice->site[i].place);
	return n;
}

enum ft_status ft__refine_krig(struct ft__refine *r, struct ft__krig *krig, struct ft_err *err)
{
	size_t i, n = 0, step = 1, others = count_others(r), most = ft__refine_known(r);
	enum ft_status status;

	if (most > KNOTS_MOST) {
		size_t room = KNOTS_MOST - (most - others);

		step = (others + room - 1) / room;
		most = KNOTS_MOST;
	}
	status = ft__krig_new(krig, most, r->d, err);
	if (status)
		return status;
	for (i = 0; i < r->d; i++) {
		const struct ft__grid *grid = &r->lattice->axis[r->axis[i]];

		krig->slope[i] = 2 * log((grid->space.most + ft__grid_shift(grid)) /
					 (grid->space.least + ft__grid_shift(grid)));
	}
	for (others = 0, i = 0; i < r->lattice->n_sites; i++) {
		const struct ft__site *site = &r->lattice->site[i];
		double *x = krig->x + n * r->d;

		if (!site->n || (step > 1 && !is_candidate(r, &site->place) && others++ % step))
			continue;
		place_site(r, site, x);
		krig->y[n] = ft__site_mean_ln(site) - log(ft__lattice_work(r->lattice, &site->place));
		krig->h[n++] = ft__refine_noise(r, x) / sqrt((double)site->n);
	}
	krig->n = n;
	krig->kernel = r->kernel;
	if (n < TUNE_ALWAYS || (double)n >= tune_from * (double)r->tuned) {
		ft__krig_tune(krig);
		r->tuned = n;
	} else {
		ft__krig_solve(krig);
	}
	r->kernel = krig->kernel;
	status = ft__krig_check(krig, NULL, err);
	if (status)
		ft__krig_clear(krig);
	return status;
}

void ft__refine_state(struct ft__refine *r, const struct ft__krig *krig, double *row)
{
	size_t i, j;

	for (i = 0; i < r->n; i++) {
		struct ft__candidate *c = &r->candidate[i];
		double *v = row + i * krig->n, y = krig->mean,
		       variance = ft__krig_cov(krig, c->x, 0, c->x, 0);

		for (j = 0; j < krig->n; j++) {
			v[j] = ft__krig_cov(krig, c->x, 0, krig->x + j * krig->d, 0);
			y += v[j] * krig->alpha[j];
		}
		ft__krig_lower(krig, v);
		variance -= ft__krig_dot(v, v, krig->n);
		c->error = krig->inflation * sqrt(fmax(variance, 0));
		c->seconds = c->work * exp(fmin(fmax(y, -600), 600));
	}
}
