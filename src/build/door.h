/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of build beyond its interface. */
#ifndef FT_BUILD_DOOR_H
#define FT_BUILD_DOOR_H

#include "foretime/build.h"
#include "foretime/facts.h"

#include <stdbool.h>
#include <stdint.h>

const char *ft_far_text(enum ft_far far);
bool ft_far_parse(const char *text, enum ft_far *far);

/* ft_builder_space - what may be requested of a parameter: its space, cut down to what a list, a progression
 * or (where no other one varies) the constraint leaves of it. Borrowed. */
const struct ft_space *ft_builder_space(const struct ft_builder *builder, size_t param);

/* ft_builder_price - what runs cost: one that the builder is given as t seconds takes each_s + stretch t.
 * The start of a process whose routine times itself makes the first, a busy machine the second.
 * given_s: seconds of given runs that were needed anyway: not counted as spent.
 * each_s >= 0, stretch > 0; 0, 1 and 0 by default. */
void ft_builder_price(struct ft_builder *builder, double each_s, double stretch, double given_s);

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
	X(MOST, "no more were requested")                                                                    \
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

#endif
