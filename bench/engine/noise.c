/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - scatter of known distribution. */
#include "noise.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

enum { SPIKES = NOISE_QUANTILES / 30 };

static double normal(size_t i, size_t n)
{
	return ft_normal_quantile(((double)i + 0.5) / (double)n);
}

static void make_normal(double *q)
{
	for (size_t i = 0; i < NOISE_QUANTILES; i++)
		q[i] = normal(i, NOISE_QUANTILES);
}

/* Exponential, its median at 0. */
static void make_skewed(double *q)
{
	for (size_t i = 0; i < NOISE_QUANTILES; i++)
		q[i] = -log1p(-((double)i + 0.5) / NOISE_QUANTILES) - log(2);
}

/* One run in 30 takes three times as long. */
static void make_spikes(double *q)
{
	for (size_t i = 0; i < NOISE_QUANTILES - SPIKES; i++)
		q[i] = 0.02 * normal(i, NOISE_QUANTILES - SPIKES);
	for (size_t i = 0; i < SPIKES; i++)
		q[NOISE_QUANTILES - SPIKES + i] = log(3) + 0.02 * normal(i, SPIKES);
}

struct row {
	const char *name;
	void (*make)(double *quantile);
	double first, last, lasts;
};

static const struct row rows[NOISE_KINDS] = {
	{"normal 2 %", make_normal, 0.02, 0.02, 0}, {"normal 5 %", make_normal, 0.05, 0.05, 0},
	{"skewed 10 %", make_skewed, 0.1, 0.1, 0},  {"spikes", make_spikes, 1, 1, 0},
	{"10 % to 1 %", make_normal, 0.1, 0.01, 0}, {"lasting 10 %", make_normal, 0.1, 0.1, 0.7},
};

const struct noise *noise_kind(size_t i)
{
	static struct noise made[NOISE_KINDS];
	struct noise *noise = &made[i];

	if (noise->name)
		return noise;
	rows[i].make(noise->quantile);
	for (size_t k = 0; k < NOISE_QUANTILES; k++)
		noise->sum[k + 1] = noise->sum[k] + noise->quantile[k];
	noise->first = rows[i].first;
	noise->last = rows[i].last;
	noise->lasts = rows[i].lasts;
	noise->name = rows[i].name;
	return noise;
}

double noise_scale(const struct noise *noise, double u)
{
	return noise->first * pow(noise->last / noise->first, u);
}

double noise_draw(const struct noise *noise, double scale, uint64_t random)
{
	return scale * noise->quantile[random % NOISE_QUANTILES];
}

/* A moving average of the last FELT disturbances; 0.7^24 is 2e-4. */
double noise_lasting(const struct noise *noise, double scale, struct ft_random *random, size_t turn)
{
	enum { FELT = 24 };
	const uint64_t seed = random->state;
	double sum = 0, weight = 1, squares = 0;

	for (size_t i = 0; i < FELT; i++) {
		struct ft_random own = {seed + 0x9e3779b97f4a7c15u * (turn + FELT - i)};

		sum += weight * ft_random_normal(&own);
		squares += weight * weight;
		weight *= noise->lasts;
	}
	return scale *
	       noise->quantile[(size_t)(0.5 * erfc(-sum / sqrt(2 * squares)) * (NOISE_QUANTILES - 1) + 0.5)];
}

struct range noise_oracle(const struct noise *noise, double scale)
{
	return (struct range){scale * noise->quantile[NOISE_QUANTILES / 20],
			      scale * noise->quantile[NOISE_QUANTILES - 1 - NOISE_QUANTILES / 20]};
}

/* How many quantiles are below. */
static size_t below(const struct noise *noise, double at)
{
	size_t low = 0, high = NOISE_QUANTILES;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (noise->quantile[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double noise_held(const struct noise *noise, double scale, struct range range)
{
	size_t to = below(noise, range.upper / scale), from = below(noise, range.lower / scale);

	return (double)(to - from) / NOISE_QUANTILES;
}

double noise_score(const struct noise *noise, double scale, struct range range)
{
	double lower = range.lower / scale, upper = range.upper / scale;
	size_t from = below(noise, lower), to = below(noise, upper);
	double under = lower * (double)from - noise->sum[from];
	double over = noise->sum[NOISE_QUANTILES] - noise->sum[to] - upper * (double)(NOISE_QUANTILES - to);

	return range.upper - range.lower + 20 * scale * (under + over) / NOISE_QUANTILES;
}
