/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - the least error of all pieces on one side of a node, as a function of the node's value.
 *
 * With given times that function is a parabola. Passing it over one piece more, whose other end is free,
 * gives a parabola again: so what a node's removal costs, or another one gains, is known exactly, with the
 * best values of all other nodes, in O(1).
 */
#ifndef FT_TRACE_CHAIN_H
#define FT_TRACE_CHAIN_H

#include "base/arena.h"
#include "trace/pwl.h"

/* a (y - b)^2 + c; a = INFINITY: y is b. */
struct ft__parabola {
	double a, b, c;
};

/* ft__parabola_end - at an end of the curve: its value there is kept, or free. */
struct ft__parabola ft__parabola_end(double value, enum ft_pwl_ends ends);

/* ft__parabola_right - over a piece to its other end. */
struct ft__parabola ft__parabola_right(struct ft__parabola at_begin, const struct ft__span *piece);

/* ft__parabola_meet - the least sum of both, at one node. */
double ft__parabola_meet(struct ft__parabola left, struct ft__parabola right);

/* Nodes, the curve over their pieces, and the parabolas from both ends. Zero-initialise; ends with
 * ft__chain_clear. */
struct ft__chain {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	size_t n, most;
	double *x;
	struct ft__span *span;             /* [n - 1] */
	struct ft__parabola *left, *right; /* [n] of all pieces before the node, and behind it */
};

enum ft_status ft__chain_init(struct ft__chain *chain, struct ft_arena *arena, const struct ft_pwl *f,
			      enum ft_pwl_ends ends, size_t most, struct ft_err *err);

/* ft__chain_set - these nodes; all is made anew. */
void ft__chain_set(struct ft__chain *chain, const double *x, size_t n);

/* ft__chain_square - F. */
double ft__chain_square(const struct ft__chain *chain);

/* ft__chain_with - F with another node at x, or two at x < z, inside piece j (NaN: only one). */
double ft__chain_with(const struct ft__chain *chain, size_t j, double x, double z);

/* ft__chain_insert, ft__chain_remove - n changes by one; the parabolas are brought up to date by
 * ft__chain_sweep. */
void ft__chain_insert(struct ft__chain *chain, size_t j, double x); /* inside piece j; n < most */
void ft__chain_remove(struct ft__chain *chain, size_t j);
void ft__chain_sweep(struct ft__chain *chain);

/* ft__chain_cheapest - the inner node whose removal costs least; n > 2. */
size_t ft__chain_cheapest(const struct ft__chain *chain);

/* ft__chain_thin - nodes removed, the cheapest first, until n are left; of many, several at once that are no
 * neighbours. */
enum ft_status ft__chain_thin(struct ft__chain *chain, size_t n, struct ft_err *err);

/* ft__mesh - times of the curve's points where a fit may want its nodes: the interval is halved again and
 * again where its best line leaves most.
 *
 * x     out [most + 1], ascending, the ends included
 * Returns FT_OK (n nodes; fewer than most when nothing is left to divide); FT_ENOMEM.
 */
enum ft_status ft__mesh(const struct ft_pwl *f, size_t most, double *x, size_t *n, struct ft_err *err);

/* ft__dp - the best nodes among given times, for every number of pieces up to `most`: dynamic programming
 * whose state is the parabolas that are lowest somewhere (after Fearnhead, Maidstone & Letchford 2019, CPOP;
 * 003's Bellman & Roth 1969 has values on a grid).
 *
 * x       [m] ascending, the ends included
 * square  out [most + 1]: F of the best with so many pieces; INFINITY where there are none
 * node    out [most + 1][most + 1] row-major: the numbers in x of its nodes
 *
 * Cost O(most m^2). Nearly exact: of the parabolas those are kept that are lowest at some twenty values.
 */
enum ft_status ft__dp(const struct ft_pwl *f, enum ft_pwl_ends ends, const double *x, size_t m, size_t most,
		      double *square, size_t *node, struct ft_err *err);

#endif
