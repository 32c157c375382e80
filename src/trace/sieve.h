/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sieve.h - on which pieces of a curve an admissible line from a given piece may end.
 *
 * The line from a to b is admissible where the best L2 line over a..b has the curve's values at both ends.
 * What the best line is above the curve at its left end changes little from one b to the next, however wild
 * the curve: stretches where it, or the same at the right end, has one sign for all a and b are passed over
 * at once.
 */
#ifndef FT_TRACE_SIEVE_H
#define FT_TRACE_SIEVE_H

#include "base/arena.h"
#include "trace/admissible.h"
#include "trace/sum.h"

enum { FT__SIEVE_LEVELS = 64 };

/* Least and most. */
struct ft__bound {
	double least, most;
};

/* What is known of a stretch of points. */
struct ft__sieve_stretch {
	double slope;           /* of its chord */
	struct ft__bound above; /* g: the curve above the chord */
	struct ft__bound area;  /* p: the integral of g from the first point on */
};

/* Integrals of the curve and of x times it up to a point. */
struct ft__sieve_sums {
	struct ft__sum f, xf;
};

/* Points of a curve. The caller sets x, y, n and size; ends with ft__sieve_clear. */
struct ft__sieve {
	const double *x, *y; /* [n] the caller's */
	size_t n;
	double size;                                       /* the range of the values */
	struct ft__sieve_sums *to;                         /* [n] */
	struct ft__sieve_stretch *level[FT__SIEVE_LEVELS]; /* each half as many as the one before */
	size_t levels;
};

/* ft__sieve_init - O(n), in the arena's memory. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__sieve_init(struct ft__sieve *v, struct ft_arena *arena, struct ft_err *err);

/* ft__sieve_span - the curve from point i to point j; without what its line leaves. */
struct ft__span ft__sieve_span(const struct ft__sieve *v, size_t i, size_t j);

/* ft__sieve_before - the last piece from point j to the next, first <= j < end, on which a line may end that
 * begins between `from` and point `first`, both on one piece. Returns false: there is none. */
bool ft__sieve_before(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t end, size_t *piece);

#endif
