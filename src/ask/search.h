/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - where along a sequence of sizes a function is over a limit. */
#ifndef FT_ASK_SEARCH_H
#define FT_ASK_SEARCH_H

#include "foretime/status.h"

#include <stdbool.h>

/* Neighbouring sizes, by number, both ends in it. */
struct ft__index_range {
	double from, to;
};

/* A search. Zero-initialise and set `ratio` and `ctx`; ends with ft__search_clear. */
struct ft__search {
	double (*ratio)(void *ctx, double index); /* over 1: does not fit */
	void *ctx;
	struct ft__index_range *stretch; /* [n] found: where it does not fit, ascending */
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

/* ft__search_each - go on by every number up to `to`, where the function is anything but smooth.
 * ft__search_bar - go on to `to`, and take for granted that nothing on the way fits. */
void ft__search_each(struct ft__search *search, double to);
void ft__search_bar(struct ft__search *search, double to);

/* ft__search_end - the last stretch ends where the search stands. FT_ENOMEM: some stretch found no room. */
enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err);
void ft__search_clear(struct ft__search *search); /* accepts NULL, and twice */

#endif
