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

/* Of one ask; and a grid, or a list of what a constraint admits, of more sizes is refused. */
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

const char *ft_far_text(enum ft_far far);
bool ft_far_parse(const char *text, enum ft_far *far);

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

/* ft_builder_space - what may be requested of a parameter: its space, cut down to what a list, a progression
 * or (where no other one varies) the constraint leaves of it. Borrowed. */
const struct ft_space *ft_builder_space(const struct ft_builder *builder, size_t param);

/* ft_builder_price - what runs cost: one that the builder is given as t seconds takes each_s + stretch t.
 * The start of a process whose routine times itself makes the first, a busy machine the second.
 * given_s: seconds of given runs that were needed anyway: not counted as spent.
 * each_s >= 0, stretch > 0; 0, 1 and 0 by default. */
void ft_builder_price(struct ft_builder *builder, double each_s, double stretch, double given_s);

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

/* ft_builder_gain - what the first of these runs would bring; after an ask. */
void ft_builder_gain(struct ft_builder *builder, struct ft_build_gain *out);

/* ft_builder_complete - how much of what it will want is there, as a share from 0 to 1; after an ask. By the
 * rule that ends it soonest, as far as that is known beforehand: adaptive by the error that is wanted over
 * the one that is left, the budget and the points; gbbp by the part of the range that it need not divide any
 * more, over several parameters by the sizes of the grid that its lines lead to expect; the others by the
 * sizes that they know to want. It never falls; below 1 as long as it asks. Cost: that of an ask at most.
 *
 * made  number of the sizes that it returned last and that have no result yet */
double ft_builder_complete(struct ft_builder *builder, double made);

/* ft_builder_tell - what is known of a size; replaces what it was given there before. A builder that repeats
 * keeps the earlier ones too; given no new one where it requested one, it does not return that size again.
 *
 * Also sizes that it did not ask for are welcome; those between the steps are left out. Returns FT_OK;
 * FT_EINVAL: a value outside its range, a time or a work <= 0; FT_ENOMEM.
 */
enum ft_status ft_builder_tell(struct ft_builder *builder, const struct ft_size *size,
			       const struct ft_build_result *told, struct ft_err *err);

/* ft_builder_stop - why it asks no more; meaningful once it is done. */
enum ft_stop ft_builder_stop(const struct ft_builder *builder);

/* ft_builder_flat - whether a parameter turned out to change nothing: gbbp and naive then left it out of the
 * grid. Of adaptive meaningful once it is done. False where no other one varies. */
bool ft_builder_flat(const struct ft_builder *builder, size_t param);

/* ft_builder_shape - what the sizes measured so far contradict of the shape that a gbbp builder takes for
 * granted along a parameter: cuts are compared, which noise does not part. Other builders assume no shape,
 * and have no such shape. FT_OK; FT_ENOMEM. */
enum ft_status ft_builder_shape(const struct ft_builder *builder, size_t param, struct ft_build_shape *out,
				struct ft_err *err);

/* ft_builder_holes - combinations that were left out: those of the grid (of the candidates, with adaptive)
 * that the constraints do not admit, and those reported as holes. */
size_t ft_builder_holes(const struct ft_builder *builder);

FT_END_DECLS

/*
 * Copies of one program at once: how many hinder each other, by which resource, and by how much.
 *
 * 	ft_pack_new(&pack, &options, err);
 * 	while (ft_pack_ask(pack, &copies, &limit_s)) {
 * 		... run this many at once, each for limit_s at most ...
 * 		ft_pack_tell(pack, copies, &runs, err);
 * 	}
 * 	ft_pack_report(pack, &report, err);
 * 	ft_pack_free(pack);
 *
 * A resource is additive (004 section 5.1.3) as long as k copies at once use k times what one uses alone.
 * That is the grace area (004 section 7.4.1), and it ends at another k for each resource. First 1, 2, 4 ...
 * copies run, then the edge is bisected. Each round begins and ends with a run alone, and each number of
 * copies is held against these two, in proportion; from the second round on the order between them is random.
 * So a machine that grows slower makes no copy look slow.
 */

FT_BEGIN_DECLS

enum { FT_PACK_LEVELS = 32, FT_PACK_RESOURCES = 32 };

struct ft_pack_options {
	size_t most;         /* copies at once at most, >= 1 */
	double memory_bytes; /* that all of them may have, by the peaks seen of one; 0: no limit */
	double budget_s;     /* of the wall time of all runs; 0: none */
	double timeout_s;    /* of one run; 0: four times what its copies would take one after another */
	double within;       /* copies hinder each other that use more than this share more; 0: 0.1 */
	double confidence;   /* of intervals; 0: 0.9 */
	uint64_t seed;       /* of the order */
};

/* How many times as much: of a copy among several, relative to one alone. The interval is that of the mean
 * over runs; NaN: too few rounds. */
struct ft_pack_ratio {
	double value, lower, upper;
};

/* This many copies at once. */
struct ft_pack_level {
	size_t copies, rounds;
	struct ft_pack_ratio longer;         /* the wall time of a copy, on average */
	struct ft_pack_ratio last;           /* ... of that which ended last */
	double work, work_lower, work_upper; /* done in a time, as multiples of what one does alone */
	double peak_bytes;                   /* the largest sum of their peaks; NaN: not measured */
	enum ft_outcome outcome;             /* of a copy that did not end well; else FT_DONE */
};

/* Up to how many copies a resource is additive. */
struct ft_pack_resource {
	const struct ft_resource *resource;
	size_t holds;              /* copies: this many, and fewer, use no more each */
	size_t breaks;             /* the fewest that were seen to use more; 0: none */
	struct ft_pack_ratio most; /* at `breaks`, else of the most copies that ran */
};

/* What keeps more from running. X(name, what is printed) */
#define FT_PACK_BOUND_LIST(X)                                                                                \
	X(SLOWER, "they hinder each other")                                                                  \
	X(MEMORY, "memory")                                                                                  \
	X(MOST, "no more were asked for")                                                                    \
	X(FAILED, "a copy did not end well")                                                                 \
	X(BUDGET, "the budget")

enum ft_pack_bound {
#define FT_PACK_BOUND_ENUM(name, words) FT_PACK_##name,
	FT_PACK_BOUND_LIST(FT_PACK_BOUND_ENUM)
#undef FT_PACK_BOUND_ENUM
};

const char *ft_pack_bound_text(enum ft_pack_bound bound);

struct ft_pack_report {
	struct ft_pack_level level[FT_PACK_LEVELS]; /* [n] by copies, ascending; those that ran */
	size_t n;
	struct ft_pack_resource resource[FT_PACK_RESOURCES]; /* [n_resources]; wall_s is the first */
	size_t n_resources;
	double alone_s;           /* median wall time of one alone */
	double alone_bytes;       /* largest peak of one; NaN: not measured */
	size_t fits;              /* copies: this many were shown not to hinder each other; 1: no two were */
	size_t perhaps;           /* >= fits: this many were not shown to */
	size_t best;              /* copies that do most work in a time */
	enum ft_pack_bound bound; /* of `perhaps` */
	enum ft_stop stop;
	double spent_s;
};

struct ft_pack;

/* ft_pack_new - out: heap, ends with ft_pack_free. FT_OK; FT_EINVAL: an option out of bounds; FT_ENOMEM. */
enum ft_status ft_pack_new(struct ft_pack **out, const struct ft_pack_options *options, struct ft_err *err);
void ft_pack_free(struct ft_pack *pack); /* accepts NULL */

/* ft_pack_ask - how many copies to run next. limit_s: out, after which each is to be ended; 0: never. false:
 * no more. */
bool ft_pack_ask(struct ft_pack *pack, size_t *copies, double *limit_s);

/* ft_pack_tell - what came of them: a run of each, all of the number last requested. One alone that did not
 * end well, and one that was interrupted, end it; of several, this many and more are not run again. FT_OK;
 * FT_EINVAL: not this many runs; FT_ENOMEM. */
enum ft_status ft_pack_tell(struct ft_pack *pack, size_t copies, const struct ft_runs *runs,
			    struct ft_err *err);

/* ft_pack_report - what is known. FT_OK; FT_ENOMODEL: no run alone has ended well. Source of the intervals:
 * Student's t of the logarithms of ratios. */
enum ft_status ft_pack_report(const struct ft_pack *pack, struct ft_pack_report *report, struct ft_err *err);

FT_END_DECLS

#endif
