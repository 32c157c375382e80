/* SPDX-License-Identifier: GPL-3.0-or-later */
/* families.h - made devices: what a launch takes, a rate, a transfer, a step where a cache ends. */
#ifndef FT_TEST_FAMILIES_H
#define FT_TEST_FAMILIES_H

#include "base/random.h"
#include "device/door.h"
#include "foretime/device.h"

#include <math.h>

enum { FAMILY_LEAST = 64, FAMILY_MOST = 65536, FAMILY_SIZES = 33 };

struct made {
	double launch_s, rate_s, power, transfer_s, cache, step;
};

static inline double made_s(const struct made *made, double n)
{
	return made->launch_s + made->transfer_s * n +
	       made->rate_s * pow(n, made->power) * (n > made->cache ? made->step : 1);
}

static inline double log_uniform(struct ft_random *random, double least, double most)
{
	return least * pow(most / least, ft_random_uniform(random));
}

/* Two devices of one routine: the second has the dearer launch and the faster rate, as that of a GPU; what
 * its launch takes the first one computes at a size anywhere in the range, or beyond both ends of it. */
static inline void make_pair(struct ft_random *random, struct made made[2])
{
	static const double powers[] = {1, 1.5, 2, 3};
	double power = powers[ft_random_below(random, 4)], launch = log_uniform(random, 1e-5, 1e-2);
	double even = log_uniform(random, FAMILY_LEAST / 4.0, FAMILY_MOST * 4.0),
	       rate = launch / pow(even, power);

	made[0] = (struct made){launch * log_uniform(random, 1e-3, 0.3),
				rate,
				power,
				0,
				log_uniform(random, FAMILY_LEAST, FAMILY_MOST),
				1 + 2 * ft_random_uniform(random)};
	made[1] = (struct made){launch,   rate / log_uniform(random, 1.2, 50),
				power,    0.3 * ft_random_uniform(random) * rate * pow(even, power - 1),
				INFINITY, 1};
}

/* Implementations of one routine as programs of their own: each begins with what a process takes, which hides
 * small sizes; rates are apart by up to two, and a cache ends for all at about one size: some lose more by
 * it. */
static inline void make_processes(struct ft_random *random, struct made *made, size_t n)
{
	static const double powers[] = {1, 1.5, 2};
	double power = powers[ft_random_below(random, 3)], start = log_uniform(random, 5e-4, 3e-3);
	double rate = start * log_uniform(random, 20, 2000) / pow(FAMILY_MOST, power);
	double cache = log_uniform(random, FAMILY_LEAST, FAMILY_MOST);

	for (size_t i = 0; i < n; i++)
		made[i] = (struct made){start * (1 + 0.1 * ft_random_uniform(random)),
					rate * log_uniform(random, 1, 2),
					power,
					0,
					cache * log_uniform(random, 0.8, 1.25),
					1 + 3 * ft_random_uniform(random)};
}

/* The run that was asked for was made. */
static inline enum ft_status tell_time(struct ft_chooser *chooser, const struct ft_chooser_next *next,
				       double seconds)
{
	const struct ft_chooser_run run = {seconds, NAN, NAN};

	return ft_chooser_tell(chooser, next->device, &next->size, &run, NULL);
}

/* A chooser over such devices, driven until it asks no more. spent_s: out, what its runs took. */
static inline struct ft_chooser *drive_chooser(const struct made *made, size_t n, size_t points,
					       double tolerance, double noise, struct ft_random *random,
					       size_t *runs, double *spent_s)
{
	const struct ft_chooser_options options = {
		.space = {{.least = FAMILY_LEAST, .most = FAMILY_MOST, .stride = 1}},
		.n_params = 1,
		.n_devices = n,
		.points = points,
		.tolerance = tolerance};
	struct ft_chooser_next next;
	struct ft_chooser *chooser;

	*runs = 0;
	*spent_s = 0;
	if (ft_chooser_new(&chooser, &options, NULL))
		return NULL;
	while (!ft_chooser_ask(chooser, &next, NULL) && next.size.n && *runs < 400) {
		double s = made_s(&made[next.device], next.size.value[0]) *
			   exp(noise * ft_random_normal(random));

		if (tell_time(chooser, &next, s))
			break;
		++*runs;
		*spent_s += s;
	}
	return chooser;
}

/* The mean of ln of what the chosen device takes by the best one, over the range. always: [n] out, of each
 * device alone; may be NULL. */
static inline double lost(struct ft_chooser *chooser, const struct made *made, size_t n, double *always)
{
	struct ft_standing standing[FT_DEVICES_MAX];
	double sum = 0;
	size_t chosen = 0;

	for (size_t j = 0; always && j < n; j++)
		always[j] = 0;
	for (size_t i = 0; i < FAMILY_SIZES; i++) {
		double x = round(FAMILY_LEAST *
				 pow((double)FAMILY_MOST / FAMILY_LEAST, (double)i / (FAMILY_SIZES - 1)));
		const struct ft_size size = {1, {x}};
		double best = INFINITY;

		for (size_t j = 0; j < n; j++)
			best = fmin(best, made_s(&made[j], x));
		for (size_t j = 0; always && j < n; j++)
			always[j] += log(made_s(&made[j], x) / best) / FAMILY_SIZES;
		if (ft_chooser_at(chooser, &size, standing, &chosen, NULL))
			return NAN;
		sum += log(made_s(&made[chosen], x) / best);
	}
	return sum / FAMILY_SIZES;
}

#endif
