/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.h - a schedule from keys: the ready task with the largest key first, to the machine where it ends
 * first, into the first gap that holds it. */
#ifndef FT_PLAN_DECODE_H
#define FT_PLAN_DECODE_H

#include "plan/graph.h"
#include "plan/heap.h"

/* Memory that schedules are made in, for graphs of n tasks and m machines. */
struct ft__decoder {
	struct ft__lane *lane;  /* [m] */
	size_t *left, *touched; /* [n], [n] */
	struct ft__key *heap;   /* [n] */
	double *ready, *local;  /* [m] */
	uint64_t looks;         /* machines looked at for a task */
	bool no_memory;
};

struct ft__schedule {
	struct ft_plan_slot *slot; /* [n] */
	double t;                  /* INFINITY: none was found */
};

/* What a schedule follows. NULL, or zero: nothing of it. */
struct ft__rule {
	const double *key;  /* [n] */
	const double *bias; /* [n x m] seconds added to the end, times alpha, to choose a machine */
	double alpha;
	const size_t *force; /* [n] machines; FT_PLAN_NOWHERE: free */
	const size_t *use;   /* [uses] the only machines to use */
	size_t uses;
};

enum ft_status ft__decoder_init(struct ft__decoder *out, struct ft_arena *arena, size_t n, size_t m,
				struct ft_err *err);

/* ft__decode - out->t INFINITY: some task had no machine left, or d->no_memory. Cost O(e + n m + n log n) */
void ft__decode(struct ft__decoder *d, const struct ft__graph *g, const struct ft__rule *rule,
		struct ft__schedule *out);

#endif
