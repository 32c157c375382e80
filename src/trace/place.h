/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - nodes with their best values, and the search for better times. */
#ifndef FT_TRACE_PLACE_H
#define FT_TRACE_PLACE_H

#include "base/arena.h"
#include "trace/pwl.h"

/* A workspace for models of up to `most` nodes. In an arena's memory. Times and
 * values count from the curve's t0 and y0. */
struct ft__placing {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	size_t most;
	/* of the nodes that were looked at last */
	size_t n;
	double *x, *y, *g;     /* [n] g = dF/dx */
	struct ft__span *span; /* [n - 1] the curve over each piece */
	double square;         /* F */
	size_t evaluations;
	/* scratch */
	double *below, *right, *try_x, *direction, *scaled, *before;
};

enum ft_status ft__placing_init(struct ft__placing *place, struct ft_arena *arena, const struct ft_pwl *f,
				enum ft_pwl_ends ends, size_t most, struct ft_err *err);

/* ft__placing_look - the best values of nodes x [n], F and its gradient. x may be place->x. Returns F. */
double ft__placing_look(struct ft__placing *w, const double *x, size_t n);

/* ft__placing_descend - from place->x downhill by conjugate gradient, for at most so many steps, until steps
 * gain less than `least` of F. Returns F. */
double ft__placing_descend(struct ft__placing *w, int steps, double least);

/* ft__placing_gap - how near two nodes may be. */
double ft__placing_gap(const struct ft_pwl *f);

#endif
