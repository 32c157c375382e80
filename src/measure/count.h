/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count.h - inside the helper: counters of the processor and of the kernel, over a child and its descendants.
 */
#ifndef FT_MEASURE_COUNT_H
#define FT_MEASURE_COUNT_H

#include "measure/helper.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct ft__counters {
	struct perf_event_attr attr[FT__COUNTERS_MAX];
	int file[FT__COUNTERS_MAX], error[FT__COUNTERS_MAX];
	size_t n;
	int clock; /* processor time of the tree; -1: not asked for, or not to be had */
};

/* ft__count_choose - what the runs to come count.
 *
 * attr    [n], n <= FT__COUNTERS_MAX; how it is armed is set here
 * counts  [n] out: error is the errno of an attempt
 */
void ft__count_choose(struct ft__counters *counters, const struct perf_event_attr *attr, size_t n,
		      struct ft__count *counts);

/* ft__count_clock - processor seconds of the tree so far; < 0: the kernel does not count them. */
double ft__count_clock(const struct ft__counters *counters);

#endif
