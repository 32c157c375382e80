/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warp.h - how accesses lie: sectors of warps, strides, lines of a cache. */
#ifndef FT_KERNEL_WARP_H
#define FT_KERNEL_WARP_H

#include "kernel/run.h"

/* Of an instruction that accesses global memory. */
struct ft__pattern {
	double times, warps, sectors;
	double pairs, same; /* neighbours of which both are known, and those that lie as the first ones did */
	int64_t stride;     /* of the first ones */
	double step;        /* largest distance of one execution from the next by a work-item; NaN: none */
	int buffer;         /* -1: none yet, -2: several */
};

/* Of a buffer. */
struct ft__reach {
	uint64_t least, most; /* addresses that were touched; most < least: none */
	uint64_t block;       /* bytes between the lowest and the highest of a work-item, the largest */
	double touches;
	double step; /* the largest of its accesses */
};

/* Of lines that were used last; zero-initialise all but the sizes. */
struct ft__line_cache {
	size_t line, sets, ways;
	uint64_t *tag; /* [sets][ways], the last used one first */
	double misses;
};

struct ft__trace {
	size_t warp;
	struct ft__pattern *pattern; /* [n_accesses] */
	struct ft__reach *reach;     /* [n_buffers] those that are no work-item's own */
	size_t n_accesses, n_buffers;
	struct ft__line_cache cache;
	/* room */
	uint32_t *first, *order; /* of each lane: where an access's touches begin; touches by access */
	size_t order_capacity;
	uint64_t *sector;
	size_t sector_capacity;
	struct ft__reach *own; /* [n_buffers] of one work-item */
	bool failed;           /* memory is out */
};

enum ft_status ft__trace_open(struct ft__trace *trace, const struct ft__run *run,
			      const struct ft_kernel_options *options, struct ft_err *err);
void ft__trace_close(struct ft__trace *trace);

/* ft__trace_phase - take in what the work-items of a group touched since the last barrier; a phase of
 * ft__group_run. */
void ft__trace_phase(void *with, struct ft__run *run);

/* ft__misses_rule - of 004 chapter 13: each buffer by itself; where the block that a work-item goes through
 * fits in the cache, each line of the buffer once, else each access by its stride. scale: of the whole launch
 * to the groups. */
double ft__misses_rule(const struct ft__trace *trace, const struct ft_kernel_options *options, double scale);

#endif
