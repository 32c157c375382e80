/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.h - recorded or made curves for benchmarks of builders: sizes, and samples of the time at each. */
#ifndef FT_BENCH_CURVE_H
#define FT_BENCH_CURVE_H

#include "base/random.h"
#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

struct curve_size {
	double n, work, median;
	double *sample; /* [samples] seconds, in the order in which they are handed out */
	size_t samples;
};

struct curve {
	char name[128], group[64];
	struct curve_size *size; /* [n] ascending */
	size_t n;
	double memory_limit; /* bytes; a run needs 8 n; 0: not known */
};

/* curve_read - a table with the columns n, wall_s and, where it has one, work. */
enum ft_status curve_read(struct curve *out, const char *path, struct ft_err *err);

/* curve_next - the next table of a folder, by name; *at begins with 0. One that cannot be read is told of and
 * passed over. False: that was the last; where there is none at all, that is told, too. */
bool curve_next(struct curve *out, const char *folder, size_t *at);

void curve_clear(struct curve *curve);

/* curve_shuffle - the samples of each size in random order. */
void curve_shuffle(struct curve *curve, uint64_t seed);

/* curve_thin - leave out a share of the sizes by chance, the ends excepted: another curve of the same kind.
 */
void curve_thin(struct curve *curve, double share, uint64_t seed);

double curve_cost_all(const struct curve *curve); /* one sample of each size */
double curve_cost_20(const struct curve *curve);  /* of 20 equidistant ones */

/* curve_limit - cost of the cheapest interpolant of the speed, linear in n through recorded sizes, both ends
 * measured, that is within `within` of the speed at each. Cost O(n^3) at most. */
double curve_limit(const struct curve *curve, double within);

#endif
