/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what the parts of bench-plan share. */
#ifndef FT_BENCH_PLAN_H
#define FT_BENCH_PLAN_H

#include "base/random.h"
#include "foretime/plan.h"

#include <math.h>
#include <time.h>

static inline double cpu_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double between(struct ft_random *r, double least, double most)
{
	return least + (most - least) * ft_random_uniform(r);
}

static inline double spread(struct ft_random *r, double sigma)
{
	return exp(sigma * ft_random_normal(r));
}

/* The parts. folder: $FORETIME_DATA, or where it usually is. */
void bench_partition(void);
void bench_any(void);
void bench_energy(void);
void bench_refine(void);
void bench_late(void);
void bench_map(void);
void bench_topology(void);
void bench_moves(const char *folder);
void bench_heft(void);
void bench_enumerated(void);
void bench_stg(const char *folder);
void bench_workflows(const char *root);

#endif
