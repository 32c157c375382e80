/* SPDX-License-Identifier: GPL-3.0-or-later */
/* working_set.h - how large a cache must be that a program finds its data in it. */
#ifndef FT_MEASURE_WORKING_SET_H
#define FT_MEASURE_WORKING_SET_H

#include "foretime/status.h"

#include <stddef.h>

/* ft__misses_add - the two caches' misses of a line "IR I1MR ILMR DR D1MR DLMR DW D1MW DLMW", added. */
void ft__misses_add(const char *summary, double misses[2]);

/* Caches that are tried: 4 KiB, 6 KiB, 8 KiB, 12 KiB .. 256 MiB. */
enum { FT__CACHES = 33 };

/* ft__cache_bytes - the size of a cache by its index; ft__cache_ways - of a size: 8, or 12 of 3/4 of a power
 * of 2, so that the number of its sets is one. */
size_t ft__cache_bytes(size_t i);
int ft__cache_ways(size_t bytes);

/* Misses by the indices of two caches, i < j, in one run. */
typedef enum ft_status ft__misses_of(void *ctx, size_t i, size_t j, double misses[2], struct ft_err *err);

/* ft__working_set - the smallest cache beside which no more than a tenth of those misses is left that a cache
 * of 4 KiB has beyond one of 256 MiB. What goes over its data once is content with 4 KiB. As misses fall with
 * the size of the cache, two are tried at a time: five runs at most.
 *
 * Returns what misses returns.
 */
enum ft_status ft__working_set(ft__misses_of *misses, void *ctx, double *bytes, struct ft_err *err);

#endif
