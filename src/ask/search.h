/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - where along a sequence of sizes a function is over a limit. */
#ifndef FT_ASK_SEARCH_H
#define FT_ASK_SEARCH_H

#include "foretime/status.h"

#include <stdbool.h>

/* The admissible values of a parameter, numbered from 0: least, least + stride, ... without an end. The upper
 * end of the range is one of them, also where the stride misses it. */
struct ft__sizes {
	double least, stride, most;
	double odd; /* the number of `most` where the stride misses it; else infinite */
};

#define FT__SIZES_MAX 0x1p52 /* numbers up to here are exact, and so are sums of two */

struct ft__sizes ft__sizes_of(double least, double stride, double most);
double ft__size_at(const struct ft__sizes *sizes, double index);
double ft__size_floor(const struct ft__sizes *sizes, double x); /* number of the largest size <= x, at most
									 FT__SIZES_MAX; below 0: none */

/* Neighbouring sizes, by number, both ends in it. */
struct ft__stretch {
	double from, to;
};

/* A search. Zero-initialise and set `ratio` and `ctx`; ends with ft__search_clear. */
struct ft__search {
	double (*ratio)(void *ctx, double index); /* over 1: does not fit */
	void *ctx;
	struct ft__stretch *stretch; /* [n] found: where it does not fit, ascending */
	size_t n, capacity;
	/* where it stands */
	bool begun, over, no_memory;
	double last;
};

/* ft__search_go - go on from `from` to `to` >= from, within which the function is smooth.
 *
 * point  [n] ascending, first from, last to: where to look. Between neighbours one change is found, and a
 * hump with one top; more would take closer points
 *
 * Cost: n + O(log(to - from)) evaluations for each change and each top.
 */
enum { FT__POINTS_MAX = 66 };
void ft__search_go(struct ft__search *search, const double *point, size_t n);

/* ft__search_end - the last stretch ends where the search stands. FT_ENOMEM: some stretch found no room. */
enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err);
void ft__search_clear(struct ft__search *search); /* accepts NULL, and twice */

#endif
