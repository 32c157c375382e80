/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorded.h - curves as runs, of time and memory. */
#ifndef FT_BENCH_RECORDED_H
#define FT_BENCH_RECORDED_H

#include "curve.h"
#include "foretime/facts.h"

struct recorded {
	char name[128], group[64];
	struct ft_runs runs; /* by size; at each in random order */
	bool *used;
	double least, most;
	double cut; /* sizes above it are not learned */
};

/* recorded_add - append a run; bytes 0: not known. False: no memory; so do all below. */
bool recorded_add(struct ft_runs *runs, double n, double work, double seconds, double bytes);

bool recorded_of(struct recorded *out, const struct curve *curve);

/* recorded_make - a made curve of one of so many kinds. */
size_t recorded_kinds(void);
bool recorded_make(struct recorded *out, size_t kind, uint64_t seed);
void recorded_clear(struct recorded *r);

#endif
