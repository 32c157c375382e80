/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - builders: which size to measure next, and when to stop, over any number of parameters.
 *
 * A builder does no input or output and starts nothing. It is queried for sizes and given what was
 * measured there:
 *
 *	while (!ft_builder_ask(builder, sizes, FT_ASK_MAX, &n, err) && n > 0)
 *		for (i = 0; i < n; i++)
 *			ft_builder_tell(builder, &sizes[i], &told_there, err);
 *
 * It asks for all sizes whose answers do not depend on each other at once, so that the caller may
 * measure them in random order, with repetitions spread (machines change). The same answers, given in the
 * same order, bring the same questions, whether it had chosen them or not: a build that was ended is
 * continued by giving it all known results.
 *
 * A parameter whose range is one value has that value and is no parameter of the model. Over several that
 * vary, gbbp and naive follow document 001 II.A.3: a model along each parameter, the others at their minimum;
 * then the grid that the points of these models span. A parameter whose own model is flat is left out of the
 * grid.
 */
#ifndef FORETIME_BUILD_H
#define FORETIME_BUILD_H

#include "foretime/facts.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* Most sizes of one ask; and a grid, or a list of what a constraint admits, of more sizes is refused. */
enum { FT_ASK_MAX = 256, FT_BUILD_SIZES_MOST = 1000000 };

/* The largest size is often half of all cost. Where it is left out, its prediction is extrapolated.
 * X(name, word, what it means) */
#define FT_FAR_LIST(X)                                                                                       \
	X(MEASURE, "measure", "run the largest size")                                                        \
	X(HALF, "half", "run nothing beyond half of it")                                                     \
	X(SKIP, "skip", "run nothing beyond a quarter of it")

enum ft_far {
#define FT_FAR_ENUM(name, word, about) FT_FAR_##name,
	FT_FAR_LIST(FT_FAR_ENUM)
#undef FT_FAR_ENUM
		FT_FARS
};

/* What a builder is made with. All pointers are borrowed, for as long as the builder lives. */
struct ft_build_options {
	struct ft_space space[FT_PARAMS_MAX]; /* [n_params] least == most: it has that value */
	size_t n_params;
	/* volume of computation, > 0 at every size. NULL: not stated; gbbp then takes what the runs
	 * report, else 1, over several parameters the power law of the time between both ends along each */
	double (*work)(void *ctx, const struct ft_size *size);
	bool (*admits)(void *ctx, const struct ft_size *size); /* whether a size makes sense; NULL: all do */
	/* gbbp: the least and the largest load that a run at a size will meet, 0 <= load[0] <= load[1] <= 1,
	 * as a share of its ideal speed; seconds: the mean of those given there. NULL: an idle machine */
	void (*load)(void *ctx, const struct ft_size *size, double seconds, double load[2]);
	void *ctx;
	double tolerance; /* gbbp: least half-width of a cut, as a share; adaptive: 95 % quantile of the
			     relative error */
	bool of_top; /* gbbp: the tolerance is a share of the fastest speed measured, not of each size's own:
			000 section 4, a distance between intervals */
	double confidence; /* of the mean in a cut */
	size_t points; /* stop after this many sizes; naive, naive_bisect: this many values of each parameter;
			  0: no such limit (naive: 20, rand: 20 for each parameter) */
	uint64_t seed; /* rand: of the sizes */
	double budget_s; /* adaptive: seconds that the runs may take in all; 0: some times what the first
			    ones, or the dearest, take */
	size_t reps_least, reps_most; /* adaptive: runs of one size; 0: as they pay */
	enum ft_far far;              /* adaptive: whether the largest sizes are run */
	bool end_zero;                /* gbbp: the speed at `most` is taken for zero and not measured */
	bool climb_strict;            /* gbbp: document 000's rule for the end of the climb */
};

/* What all runs at a size gave so far. */
struct ft_build_result {
	const double *seconds; /* [n] > 0, borrowed; n = 0: nothing can be measured at this size ... */
	size_t n;
	bool hole;   /* ... because the program reports that it makes no sense: nothing is concluded of larger
		      * ones
		      */
	double work; /* that the runs reported; 0 or NaN: none */
	double footprint_bytes; /* the largest of the runs; 0 or NaN: not known. Cliffs come with it: over
				   several parameters adaptive looks for them there */
	bool given; /* the last of the runs was one that somebody needed anyhow: adaptive does not repeat it
		     */
	const double *limit_s; /* [limits] > 0, borrowed: the time limits that further runs met. n = 0: they
				  count for nothing */
	size_t limits;
	bool over; /* most runs meet their limit: no further one is worth its time */
};

/* What the next run would bring. */
struct ft_build_gain {
	struct ft_size size; /* n = 0: no run is worth making, or the builder does not weigh them */
	double error;   /* by how much it is expected to lower the mean excess error of the curve, as a share;
			   0: it is one of the first sizes, which are run anyhow */
	double seconds; /* that it is expected to take; 0: not known */
	double accuracy; /* of the curve, by the runs so far: what is compared with the tolerance; NaN: not
			    known */
};

/* A way to build: what there is to choose from. */
struct ft_builder_type {
	const char *name;  /* "gbbp" */
	const char *about; /* one line for --help */
	double tolerance;  /* its default */
	bool repeats; /* each ask is for one run, and it returns a size again where it needs one more; else
			 the caller decides how often a size is run */
	const char *of_top; /* what it is called with options.of_top; NULL: that means nothing to it */
	bool usually_top;   /* where no tolerance is stated, it is one of the top (000 section 4) */
};

/* ft_builder_type_get - the i-th of the table, the default one first; NULL past the last. */
const struct ft_builder_type *ft_builder_type_get(size_t i);
const struct ft_builder_type *ft_builder_type_find(const char *name); /* NULL: none of that name */

/* What of the shape that gbbp takes for granted (000 section 2.3) the sizes measured contradict, along one
 * parameter. Where it does not hold, gbbp may end too early, or ask for more than it needs. */
struct ft_build_shape {
	bool jumps; /* (a): the speed is no continuous function: it at least halves, or doubles, between ...
		     */
	double jump[2];    /* ... two sizes that are the same within the tolerance */
	bool rises;        /* (b): it falls, and rises again: ... */
	double low, again; /* ... it is low here, and higher before and at this larger size */
	bool bends; /* (c): from the fastest size on a straight line crosses the curve more than once: ... */
	double bend[3]; /* ... these sizes lie on alternate sides of it. Not looked for where it rises again
			 */
	bool widens;    /* (d): runs vary more (speeds, not shares of them) ... */
	double wider;   /* ... from this size on than below */
};

struct ft_builder;

/* ft_builder_new - a builder.
 *
 * type  one of the table
 * out   heap, ends with ft_builder_free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: an empty or reversed space, no parameter that varies, fewer than two admissible
 * sizes of one that does, a tolerance or confidence outside (0, 1), a tolerance of the top speed where the
 * builder knows none, no size that the constraints admit (over
 * several parameters looked for at up to 2^16 evenly spread sizes; over one each size is tried, and they may
 * be FT_BUILD_SIZES_MOST), a naive grid over FT_BUILD_SIZES_MOST; FT_ENOMEM.
 */
enum ft_status ft_builder_new(struct ft_builder **out, const struct ft_builder_type *type,
			      const struct ft_build_options *options, struct ft_err *err);
void ft_builder_free(struct ft_builder *builder); /* accepts NULL */

/* ft_builder_ask - the sizes to measure now, each an admissible one; *n = 0: it is done. Asking again without
 * giving a result returns the same.
 *
 * sizes  [most] out; at most FT_ASK_MAX. A builder that repeats decides best after each run (most = 1); of
 *        several at once each shows something of its own
 *
 * Returns FT_OK; FT_EINVAL: the grid would need more than FT_BUILD_SIZES_MOST runs; FT_ENOMEM: asking again
 * goes on.
 */
enum ft_status ft_builder_ask(struct ft_builder *builder, struct ft_size *sizes, size_t most, size_t *n,
			      struct ft_err *err);

/* ft_builder_tell - what is known of a size; replaces what it was given there before. A builder that repeats
 * keeps the earlier ones too; given no new one where it requested one, it does not return that size again.
 *
 * Also sizes that it did not ask for are welcome; those between the steps are left out. Returns FT_OK;
 * FT_EINVAL: a value outside its range, a time or a work <= 0; FT_ENOMEM.
 */
enum ft_status ft_builder_tell(struct ft_builder *builder, const struct ft_size *size,
			       const struct ft_build_result *result, struct ft_err *err);

/* ft_builder_stop - why it asks no more; meaningful once it is done. */
enum ft_stop ft_builder_stop(const struct ft_builder *builder);

FT_END_DECLS

#endif
