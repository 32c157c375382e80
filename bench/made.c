/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.c - made curves: three of a known kind, families of random ones, and cliffs near the end. */
#include "curve.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 5, PARAMETERS = 8 };

/* The seconds at n, without noise. p: random numbers in 0..1, the same for the whole curve. */
typedef double law(double n, double most, const double *p);

struct family {
	const char *name;
	law *seconds;
	double least, most;
	size_t sizes;
	bool log_spaced;
	double noise;  /* relative standard deviation */
	double wild;   /* share of samples that take up to three times as long */
	double memory; /* limit of memory, bytes (a run needs 8 n); 0: not known */
};

/* ---- the three of the issue: work n, speed S k / (k + 150), k = n ------------------------------------- */

static double smooth_speed(double n)
{
	return 1e6 * n / (n + 150);
}

static double smooth(double n, double most, const double *p)
{
	(void)most;
	(void)p;
	return n / smooth_speed(n);
}

/* From 2000 a fall to 0.35 within some 60 sizes (of 16), from 3200 paging: down to 0.06, and falling to 0.01.
 */
static double cliff(double n, double most, const double *p)
{
	double share = 1;

	(void)most;
	(void)p;
	if (n > 2000)
		share = 0.35 + 0.65 * exp(-(n - 2000) / 320);
	if (n > 3200)
		share = fmin(share, 0.06 - 0.05 * (n - 3200) / (4080 - 3200));
	return n / (smooth_speed(n) * share);
}

static double dips(double n, double most, const double *p)
{
	(void)most;
	(void)p;
	return n / (smooth_speed(n) * (fmod(n, 128) < 16 ? 0.75 : 1));
}

static const struct family named[] = {
	{"made_smooth-2%", smooth, 16, 4080, 255, false, 0.02, 0, 0},
	{"made_smooth-5%", smooth, 16, 4080, 255, false, 0.05, 0, 0},
	{"made_cliff-2%", cliff, 16, 4080, 255, false, 0.02, 0, 0},
	{"made_cliff-5%", cliff, 16, 4080, 255, false, 0.05, 0, 0},
	{"made_dips-2%", dips, 16, 4080, 255, false, 0.02, 0, 0},
	{"made_dips-5%", dips, 16, 4080, 255, false, 0.05, 0, 0},
};

/* ---- families of random curves ------------------------------------------------------------------------ */

static double power(double n, double most, const double *p)
{
	(void)most;
	return 1e-8 * pow(n, 0.8 + 2.2 * p[0]) * pow(log(n + 2), 2 * p[1]);
}

/* Constant + per item. */
static double affine(double n, double most, const double *p)
{
	return pow(most, 0.3 + 0.6 * p[0]) * 1e-7 + 1e-7 * n;
}

/* Two caches: the cost of an item rises where each is full. */
static double caches(double n, double most, const double *p)
{
	double first = pow(most, 0.3 + 0.3 * p[0]), second = pow(most, 0.65 + 0.25 * p[1]);
	double item = 1 + (0.5 + 2 * p[2]) / (1 + pow(first / n, 2 + 4 * p[3])) +
		      (0.5 + 5 * p[4]) / (1 + pow(second / n, 2 + 6 * p[5]));

	return 1e-9 * pow(n, 1 + p[6]) * item;
}

static double step(double n, double most, const double *p)
{
	double at = pow(most, 0.5 + 0.45 * p[0]);

	return 1e-9 * pow(n, 1 + 1.5 * p[1]) * (n > at ? 1.3 + 2 * p[2] : 1);
}

/* Tables that double: the share of the filling repeats. */
static double saw(double n, double most, const double *p)
{
	double fill = log2(n) + p[0];

	(void)most;
	return 1e-8 * pow(n, 1 + 0.3 * p[1]) * (1 + (0.1 + 0.5 * p[2]) * (fill - floor(fill)));
}

static double parity(double n, double most, const double *p)
{
	(void)most;
	return 1e-8 * pow(n, 1 + p[0]) * (fmod(n, 2) < 1 ? 1 : 1.1 + 0.8 * p[1]);
}

/* Sizes that alias: one in some is slow. */
static double aliases(double n, double most, const double *p)
{
	(void)most;
	return 1e-8 * pow(n, 1 + p[0]) * (fmod(n, 16 * (1 + floor(4 * p[1]))) < 1 ? 1.5 + p[2] : 1);
}

/* Rises, then falls: another algorithm from some size on. */
static double switches(double n, double most, const double *p)
{
	double at = pow(most, 0.4 + 0.4 * p[0]);

	return n < at ? 1e-9 * n * n : 1e-9 * at * (0.6 + 0.3 * p[1]) * n * (1 + 0.1 * log(n / at));
}

static const struct family families[] = {
	{"power_n", power, 16, 4000, 250, false, 0.02, 0, 0},
	{"power_ln", power, 10, 1e7, 90, true, 0.02, 0, 0},
	{"power_noisy", power, 16, 4000, 250, false, 0.1, 0, 0},
	{"power_wild", power, 16, 4000, 250, false, 0.02, 0.1, 0},
	{"affine_n", affine, 100, 1e5, 200, false, 0.02, 0, 0},
	{"affine_ln", affine, 10, 1e7, 90, true, 0.03, 0, 0},
	{"caches_n", caches, 16, 4000, 250, false, 0.02, 0, 0},
	{"caches_ln", caches, 100, 1e8, 120, true, 0.03, 0, 0},
	{"caches_wild", caches, 100, 1e8, 120, true, 0.03, 0.05, 0},
	{"step_n", step, 16, 4000, 250, false, 0.02, 0, 0},
	{"step_ln", step, 10, 1e7, 90, true, 0.02, 0, 0},
	{"saw_ln", saw, 1000, 1e7, 140, true, 0.01, 0, 0},
	{"saw_n", saw, 16, 4000, 250, false, 0.02, 0, 0},
	{"parity_n", parity, 10, 400, 391, false, 0.01, 0, 0},
	{"aliases_n", aliases, 64, 2048, 249, false, 0.01, 0, 0},
	{"switches_n", switches, 16, 4000, 250, false, 0.02, 0, 0},
	{"switches_ln", switches, 10, 1e6, 100, true, 0.02, 0, 0},
};

/* ---- a cliff at 0.78 b ----------------------------------------------------------------------------------
 */

static double below_cliff(double n, double most, const double *p)
{
	double item = 1 + 2 * p[1] / (1 + pow(pow(most, 0.3 + 0.4 * p[2]) / n, 3));

	return 1e-9 * pow(n, 1 + 2 * p[0]) * item;
}

static double cliff_78(double n, double most, const double *p)
{
	return below_cliff(n, most, p) * (n > 0.78 * most ? 3 + 7 * p[3] : 1);
}

static const struct family cliffs[] = {
	{"end_no-cliff-known-far", below_cliff, 40, 4000, 100, false, 0.02, 0, 8.0 * 40000},
	{"end_no-cliff-unknown", below_cliff, 40, 4000, 100, false, 0.02, 0, 0},
	{"end_cliff-at-known-limit", cliff_78, 40, 4000, 100, false, 0.02, 0, 8.0 * 0.78 * 4000},
	{"end_cliff-limit-unknown", cliff_78, 40, 4000, 100, false, 0.02, 0, 0},
	{"end_cliff-of-other-cause", cliff_78, 40, 4000, 100, false, 0.02, 0, 8.0 * 40000},
};

static double one_sample(const struct family *f, double seconds, struct ft_random *random)
{
	double noisy = seconds * exp(f->noise * ft_random_normal(random));

	return ft_random_uniform(random) < f->wild ? noisy * (1.2 + 1.8 * ft_random_uniform(random)) : noisy;
}

static bool make(struct curve *out, const struct family *f, uint64_t seed)
{
	struct ft_random random = {seed * 2654435761u + (uint64_t)f->name[0] * 65537u + f->sizes};
	double p[PARAMETERS], last = 0;
	size_t i, k;

	*out = (struct curve){.memory_limit = f->memory};
	(void)snprintf(out->name, sizeof out->name, "%s", f->name);
	(void)snprintf(out->group, sizeof out->group, "%.*s", (int)strcspn(f->name, "_"), f->name);
	for (i = 0; i < PARAMETERS; i++)
		p[i] = ft_random_uniform(&random);
	out->size = ft_calloc(f->sizes, sizeof *out->size);
	for (i = 0; out->size && i < f->sizes; i++) {
		double u = (double)i / (double)(f->sizes - 1), sorted[SAMPLES];
		double n = round(f->log_spaced ? f->least * pow(f->most / f->least, u)
					       : f->least + u * (f->most - f->least));
		struct curve_size *size = &out->size[out->n];

		if (n <= last)
			continue;
		last = n;
		*size = (struct curve_size){.n = n, .work = n, .samples = SAMPLES};
		size->sample = ft_calloc(SAMPLES, sizeof *size->sample);
		if (!size->sample)
			break;
		for (k = 0; k < SAMPLES; k++)
			sorted[k] = size->sample[k] = one_sample(f, f->seconds(n, f->most, p), &random);
		size->median = ft_stats_median(sorted, SAMPLES);
		out->n++;
	}
	return out->n > 1;
}

bool curve_make(struct curve *out, size_t i, uint64_t seed)
{
	return i < sizeof named / sizeof *named && make(out, &named[i], seed);
}

bool curve_make_family(struct curve *out, size_t i, uint64_t seed)
{
	return i < sizeof families / sizeof *families && make(out, &families[i], seed);
}

bool curve_make_cliff(struct curve *out, size_t i, uint64_t seed)
{
	return i < sizeof cliffs / sizeof *cliffs && make(out, &cliffs[i], seed);
}
