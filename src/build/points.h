/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.h - what a builder knows at each size: whether it wants it, what it was told, the cut. */
#ifndef FT_BUILD_POINTS_H
#define FT_BUILD_POINTS_H

#include "build/types.h"

#include <stdbool.h>

struct ft__point {
	size_t index; /* of the size in the grid */
	bool wanted;  /* the procedure came here: this size belongs to the result */
	bool told;
	bool good;      /* told, and something could be measured */
	double work;    /* stated, or else reported by the runs; 0: neither */
	size_t n;       /* runs */
	double mean;    /* 1 / their mean time; 0 where nothing could be measured */
	double spread;  /* standard deviation of their times, as a share of the mean */
	double rate[2]; /* the cut of it, least and largest; of_top: of the load and the runs alone */
};

/* Zero-initialise. */
struct ft__points {
	struct ft__point *point; /* [n] ascending by index */
	size_t n, capacity;
	size_t wanted, told; /* how many are */
	size_t silent;       /* good ones of which no work is known: then the work is 1 at all of them */
};

/* ft__points_reserve - room for that many points in all; nothing changes on failure (false). */
bool ft__points_reserve(struct ft__points *points, size_t capacity);
void ft__points_clear(struct ft__points *points); /* accepts NULL, and twice */

const struct ft__point *ft__points_find(const struct ft__points *points,
					size_t index); /* NULL: nothing known */
bool ft__points_told(const struct ft__points *points, size_t index);
bool ft__points_good(const struct ft__points *points, size_t index);

/* ft__points_want - the procedure needs this size. Allocates nothing: there must be room for one more. Cost
 * O(n). */
void ft__points_want(struct ft__points *points, size_t index);

/* ft__points_cut - least and largest speed at a size; zeros where nothing could be measured. A tolerance of
 * the top speed is one of the fastest of the sizes that the procedure came to: cost O(n). */
void ft__points_cut(const struct ft__points *points, const struct ft_build_options *options, size_t index,
		    double cut[2]);

/* ft__points_beyond - the cut at the last size, which is not measured: of speed zero. Where the tolerance is
 * a distance it reaches as far from there; but a speed that has fallen and falls no more is never met by
 * that, and the dearest sizes would be divided down to the step: once the largest size measured is slower
 * than the fastest by a cut, the power law through the last two goes on. */
void ft__points_beyond(const struct ft__points *points, const struct ft__grid *grid,
		       const struct ft_build_options *options, double cut[2]);

/* ft__points_shape - what of the shape that GBBP takes for granted the sizes that the procedure came to
 * contradict. FT_OK; FT_ENOMEM. */
enum ft_status ft__points_shape(const struct ft__points *points, const struct ft__grid *grid,
				const struct ft_build_options *options, struct ft_build_shape *out,
				struct ft_err *err);

/* ft__points_tell - keep the cut of what was told about x. The caller reserved room for one more. A size
 * inside the range that is not admissible is left out: no procedure ever wants it. */
void ft__points_tell(struct ft__points *points, const struct ft__grid *grid,
		     const struct ft__line_options *options, double x, const struct ft_build_told *told);

#endif
