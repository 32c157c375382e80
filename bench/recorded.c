/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorded.c - curves as runs, of time and memory: recorded ones, and made ones. */
#include "base/alloc.h"
#include "base/random.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>

bool recorded_add(struct ft_runs *runs, double n, double work, double seconds, double bytes)
{
	struct ft_run run = {.size = {.n = 1, .value = {n}}, .work = work, .cost_s = seconds};

	if (ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "replay", NULL, NULL) ||
	    (bytes > 0 && ft_run_add(&run, &ft_peak_rss_bytes, bytes, FT_MEASURED, "replay", NULL, NULL))) {
		ft_run_clear(&run);
		return false;
	}
	return ft_runs_take(runs, &run, NULL) == FT_OK;
}

void recorded_clear(struct recorded *r)
{
	ft_runs_clear(&r->runs);
	ft_free(r->used);
	*r = (struct recorded){0};
}

bool recorded_of(struct recorded *out, const struct curve *curve)
{
	*out = (struct recorded){.least = curve->size[0].n, .most = curve->size[curve->n - 1].n};
	(void)snprintf(out->name, sizeof out->name, "%s", curve->name);
	(void)snprintf(out->group, sizeof out->group, "%s", curve->group);
	for (size_t i = 0; i < curve->n; i++)
		for (size_t k = 0; k < curve->size[i].samples; k++)
			if (!recorded_add(&out->runs, curve->size[i].n, curve->size[i].work,
					  curve->size[i].sample[k], 0))
				return false;
	return true;
}

/* ---- made curves: start-up and a power, memory likewise; noise as programs have it ----------------------
 */

struct kind {
	const char *name;
	double time_noise, memory_noise; /* standard deviation of ln */
	double wild;                     /* share of runs that take up to three times as long */
	double drift;                    /* that a whole batch of runs has in common */
};

static const struct kind kinds[] = {
	{"made-quiet", 0.02, 0.002, 0, 0},
	{"made-noisy", 0.15, 0.02, 0, 0},
	{"made-spiky", 0.05, 0.005, 0.05, 0},
	{"made-data-dependent", 0.3, 0.1, 0, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MADE_SIZES = 80, MADE_RUNS = 12 };

static bool make(struct recorded *out, const struct kind *kind, uint64_t seed)
{
	struct ft_random random = {seed * 0x9e3779b97f4a7c15u + (uint64_t)(kind - kinds)};
	double start = pow(10, -3 + 3 * ft_random_uniform(&random)),
	       power = 0.8 + 2.2 * ft_random_uniform(&random);
	double base = pow(10, 6.5 + 1.5 * ft_random_uniform(&random)),
	       rise = 0.5 + 1.5 * ft_random_uniform(&random);
	double seconds = pow(10, 4 * ft_random_uniform(&random)) * start; /* of the power, at the end */
	double bytes = pow(10, -1 + 3 * ft_random_uniform(&random)) * base;

	*out = (struct recorded){.least = 100, .most = 1e5};
	(void)snprintf(out->name, sizeof out->name, "%s-%llu", kind->name, (unsigned long long)seed);
	(void)snprintf(out->group, sizeof out->group, "%s", kind->name);
	for (size_t i = 0; i < MADE_SIZES; i++) {
		double n = round(100 * pow(1000, (double)i / (MADE_SIZES - 1)));
		double t = start + seconds * pow(n / 1e5, power), b = base + bytes * pow(n / 1e5, rise);

		for (size_t k = 0; k < MADE_RUNS; k++) {
			double factor = exp(kind->time_noise * ft_random_normal(&random));

			if (ft_random_uniform(&random) < kind->wild)
				factor *= 1.2 + 1.8 * ft_random_uniform(&random);
			if (!recorded_add(&out->runs, n, NAN, t * factor,
					  b * exp(kind->memory_noise * ft_random_normal(&random))))
				return false;
		}
	}
	return true;
}

bool recorded_make(struct recorded *out, size_t kind, uint64_t seed)
{
	return make(out, &kinds[kind], seed);
}

size_t recorded_kinds(void)
{
	return KINDS;
}
