/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h - builders over several parameters: which size to measure next, and when to stop.
 *
 * As build.h, but sizes are whole ones: a value for each parameter. gbbp and naive follow document 001
 * II.A.3: a model along each parameter, the others at their minimum; then the grid that the points of these
 * models span. A parameter whose own model is flat is left out of the grid. adaptive asks, one run at a time,
 * for the size that takes most error away for its seconds.
 */
#ifndef FORETIME_GRID_H
#define FORETIME_GRID_H

#include "foretime/build.h"

FT_BEGIN_DECLS

/* More sizes than this are refused. */
enum { FT_GRID_MOST = 1000000 };

/* What a builder over several parameters is made with. All pointers are borrowed, for as long as the builder
 * lives. */
struct ft_grid_options {
	struct ft_space space[FT_PARAMS_MAX]; /* of each parameter; least == most: it has that value */
	size_t n_params;
	/* > 0 at every size. NULL: none is stated; along each parameter the power law of the time between
	 * both ends then stands for it (gbbp), for 1 / time is no speed */
	double (*work)(void *ctx, const struct ft_size *size);
	bool (*admits)(void *ctx, const struct ft_size *size); /* whether a size makes sense; NULL: all do */
	/* gbbp: as in struct ft_build_options */
	void (*load)(void *ctx, const struct ft_size *size, double seconds, double load[2]);
	void *ctx;
	double tolerance, confidence; /* as in struct ft_build_options */
	size_t points;   /* at most so many sizes; naive: so many values of each parameter, 0: 20; else 0: no
			    limit */
	double budget_s; /* adaptive: seconds of all runs that it asks for; 0: for each parameter four times
			    what the dearest size is expected to take, and four times the first runs */
	bool end_zero, climb_strict;
};

struct ft_grid_builder;

/* ft_grid_builder_new - a builder.
 *
 * type  a row of ft_builder_type_get; one called "adaptive" stands for the adaptive builder over several
 *       parameters, of any other the one-parameter builder is used along each parameter
 * out   heap, ends with ft_grid_builder_free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: what ft_builder_new refuses; no parameter that varies; no size that the
 * constraints admit (looked for at up to 2^16 evenly spread sizes); a naive grid over FT_GRID_MOST;
 * FT_ENOMEM.
 */
enum ft_status ft_grid_builder_new(struct ft_grid_builder **out, const struct ft_builder_type *type,
				   const struct ft_grid_options *options, struct ft_err *err);
void ft_grid_builder_free(struct ft_grid_builder *builder); /* accepts NULL */

/* ft_grid_builder_overhead - as ft_builder_overhead. */
void ft_grid_builder_overhead(struct ft_grid_builder *builder, double seconds);

/* ft_grid_builder_ask - the sizes to measure now, admissible ones and each only until it is told; *n = 0: it
 * is done. Asking again without telling gives the same.
 *
 * sizes  [most] out
 *
 * Returns FT_OK; FT_EINVAL: the grid would need more than FT_GRID_MOST runs; FT_ENOMEM.
 */
enum ft_status ft_grid_builder_ask(struct ft_grid_builder *builder, struct ft_size *sizes, size_t most,
				   size_t *n, struct ft_err *err);

/* ft_grid_builder_tell - the times of all runs at a size so far; replaces what it was told there before.
 *
 * seconds  [n] > 0, borrowed; n = 0: nothing can be measured at this size
 * hole     n = 0 because the program says that this combination makes no sense: it is not asked again, and
 *          nothing is concluded of larger sizes
 *
 * Sizes that it did not ask for are welcome. Returns FT_OK; FT_EINVAL: not an admissible size, a time <= 0;
 * FT_ENOMEM.
 */
enum ft_status ft_grid_builder_tell(struct ft_grid_builder *builder, const struct ft_size *size,
				    const double *seconds, size_t n, bool hole, struct ft_err *err);

/* ft_grid_builder_footprint - the largest footprint of the runs at a size that was told, in bytes. Cliffs
 * come with it: adaptive looks for them there. Without it they are looked for along the parameters alone.
 *
 * Returns FT_OK; FT_EINVAL: a size that was not told, bytes <= 0. */
enum ft_status ft_grid_builder_footprint(struct ft_grid_builder *builder, const struct ft_size *size,
					 double bytes, struct ft_err *err);

/* ft_grid_builder_stop - why it asks no more; meaningful once it is done. */
enum ft_stop ft_grid_builder_stop(const struct ft_grid_builder *builder);

/* ft_grid_builder_repeats - whether each ask is for one run (as ft_builder_type.repeats). */
bool ft_grid_builder_repeats(const struct ft_grid_builder *builder);

/* ft_grid_builder_flat - whether a parameter turned out to change nothing; gbbp and naive then left it out of
 * the grid. Of adaptive meaningful once it is done. */
bool ft_grid_builder_flat(const struct ft_grid_builder *builder, size_t param);

/* ft_grid_builder_holes - combinations that were left out: those of the grid (of the candidates, with
 * adaptive) that the constraints do not admit, and those told to be holes. */
size_t ft_grid_builder_holes(const struct ft_grid_builder *builder);

FT_END_DECLS
#endif
