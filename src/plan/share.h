/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.h - the times of one group of processors made ready: shares counted in steps of the granularity,
 * bounds applied, and which shares a given time allows. */
#ifndef FT_PLAN_SHARE_H
#define FT_PLAN_SHARE_H

#include "base/arena.h"
#include "foretime/plan.h"

/* Shares are steps: a share of y is step y + offset units. */
struct ft__share {
	const struct ft_plan_times *times;
	size_t n, count;
	const int64_t *at; /* NULL: 0, 1, 2 ... */
	const double *t;
	double *hull; /* [n] where times fall: the least time from a knot on; NULL: t never falls */
	int64_t step, offset;
	int64_t lo, hi; /* steps that bounds and knots allow; lo > hi: none */
	size_t last;    /* the knot at or before hi */
};

/* A share, and the knot at or before it. */
struct ft__cap {
	int64_t y;
	size_t k;
};

/* ft__share_check - are these times what plan.h says? processor: its index, for the text. */
enum ft_status ft__share_check(const struct ft_plan_times *times, size_t processor, struct ft_err *err);

/* ft__share_init - of checked times, for shares of at most `total` units (least shares excepted), in the
 * arena's memory. */
enum ft_status ft__share_init(struct ft__share *out, struct ft_arena *arena,
			      const struct ft_plan_times *times, int64_t step, int64_t offset, int64_t total,
			      struct ft_err *err);

double ft__share_time(const struct ft__share *s, int64_t y); /* lo <= y <= hi */

/* ft__share_cap - the largest share that takes T at most, or lo where none does. Known brackets: a from a
 * smaller T (or lo, knot 0), b from a larger one (or hi, `last`). */
struct ft__cap ft__share_cap(const struct ft__share *s, double t, struct ft__cap a, struct ft__cap b);

/* ft__share_least - the least time of any allowed share. */
double ft__share_least(const struct ft__share *s);

/* ft__share_rise - the least time that allows more than a share; INFINITY: none does. */
double ft__share_rise(const struct ft__share *s, struct ft__cap at);

struct ft__interval {
	int64_t from, to;
};

/* Intervals in a growing array. */
struct ft__intervals {
	struct ft__interval *of;
	size_t n, capacity;
};

bool ft__interval_push(struct ft__intervals *list, int64_t from, int64_t to); /* false: out of memory */

/* ft__share_deficits - by how much shares that take T at most lie below u, up to `slack`: appended as
 * intervals, ascending, apart. u: the largest such share. looks: counts what was looked at. False: out of
 * memory. */
bool ft__share_deficits(const struct ft__share *s, double t, int64_t u, int64_t slack,
			struct ft__intervals *out, uint64_t *looks);

/* ft__share_next - the least time above T that any share takes; INFINITY: none. Cost O(n log). */
double ft__share_next(const struct ft__share *s, double t);

#endif
