/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.h - scatter of known distribution: what of it lies outside an interval is known, too. */
#ifndef FT_BENCH_NOISE_H
#define FT_BENCH_NOISE_H

#include "base/random.h"
#include "replay.h"

#include <stdint.h>

enum { NOISE_KINDS = 6, NOISE_QUANTILES = 3840 };

/* ln of run / typical run is one of these quantiles, all alike, times a scale. */
struct noise {
	const char *name;
	double quantile[NOISE_QUANTILES]; /* ascending */
	double sum[NOISE_QUANTILES + 1];  /* of those before */
	double first, last;               /* scale at the least size and at the largest */
	double lasts;                     /* correlation of a run with the one before it */
};

/* noise_kind - the i-th of NOISE_KINDS, made once. */
const struct noise *noise_kind(size_t i);

/* noise_scale - u: ln size, 0 at the least and 1 at the largest. */
double noise_scale(const struct noise *noise, double u);

double noise_draw(const struct noise *noise, double scale, uint64_t random);

/* noise_lasting - of the turn-th run of all, where what disturbs one lasts into the next ones: the same
 * random numbers give the same sequence. Cost O(1). */
double noise_lasting(const struct noise *noise, double scale, struct ft_random *random, size_t turn);

/* noise_oracle - the central interval of 90 %, about ln 0. */
struct range noise_oracle(const struct noise *noise, double scale);

/* noise_held - share of runs inside; noise_score - their mean interval score. range: about the typical run.
 */
double noise_held(const struct noise *noise, double scale, struct range range);
double noise_score(const struct noise *noise, double scale, struct range range);

#endif
