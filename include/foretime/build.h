/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - builders: which size to measure next, and when to stop.
 *
 * A builder does no input or output and starts nothing. It is asked for sizes and told what was
 * measured there:
 *
 *	while ((n = ft_builder_ask(builder, sizes, FT_ASK_MAX)) > 0)
 *		for (i = 0; i < n; i++)
 *			ft_builder_tell(builder, sizes[i], seconds_measured_there, how_many);
 *
 * It asks for all sizes whose answers do not depend on each other at once, so that the caller may
 * measure them in random order, with repetitions spread (machines drift). The same answers bring the same
 * questions.
 */
#ifndef FORETIME_BUILD_H
#define FORETIME_BUILD_H

#include "foretime/facts.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

enum { FT_ASK_MAX = 256 };

/* The largest size is often half of all cost. Where it is left out, what is said of it is said from afar.
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

/* What the next run would bring. */
struct ft_build_gain {
	double size;    /* NaN: no run is worth making, or the builder does not weigh them */
	double error;   /* by how much it is expected to lower the mean excess error of the curve, as a share;
			   0: it   is one of the first sizes, which are run anyhow */
	double seconds; /* that it is expected to take */
};

/* What a builder is made with. Borrowed: space.sizes, work_ctx and load_ctx live as long as the
 * builder. */
struct ft_build_options {
	struct ft_space space;
	double (*work)(void *ctx, double x); /* volume of computation at x, > 0; NULL: 1 */
	void *work_ctx;
	double tolerance;  /* gbbp: least half-width of a cut, as a share; adaptive: 95 % quantile of the
			      relative error */
	double confidence; /* of the mean in a cut */
	/* gbbp: the least and the largest load that a run at x will meet, 0 <= load[0] <= load[1] <= 1, as a
	 * share of its ideal speed; seconds: the mean of those told there. NULL: an idle machine */
	void (*load)(void *ctx, double x, double seconds, double load[2]);
	void *load_ctx;
	size_t points; /* stop after so many sizes; naive: how many equidistant ones; 0: no such limit (naive:
			  20) */
	double budget; /* adaptive: seconds that the runs it asks for may take in all; 0: four times the first
			  ones of its first five sizes */
	size_t reps_least, reps_most; /* adaptive: runs of one size; 0: as they pay */
	enum ft_far far;              /* adaptive: whether the largest sizes are run */
	bool end_zero;                /* gbbp: the speed at `most` is taken for zero and not measured */
	bool climb_strict;            /* gbbp: document 000's rule for the end of the climb */
};

struct ft_builder;

/* A way to build. A row of the table: the functions are called through ft_builder_*. */
struct ft_builder_type {
	const char *name;  /* "gbbp" */
	const char *about; /* one line for --help */
	double tolerance;  /* its default */
	bool repeats; /* each ask is for one run, and it asks again for a size where it wants one more; else
			 the caller decides how often a size is run */
	enum ft_status (*init)(void **state, const struct ft_build_options *options, struct ft_err *err);
	size_t (*ask)(void *state, double *sizes, size_t most);
	void (*gain)(void *state, struct ft_build_gain *out); /* NULL: it does not weigh runs */
	enum ft_status (*tell)(void *state, double x, const double *seconds, size_t n, struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	void (*price)(void *state, double each_s,
		      double stretch); /* NULL: it asks no matter what runs cost */
	void (*free)(void *state);
};

/* ft_builder_type_get - the i-th of the table, the default one first; NULL past the last. */
const struct ft_builder_type *ft_builder_type_get(size_t i);
const struct ft_builder_type *ft_builder_type_find(const char *name); /* NULL: none of that name */

/* ft_builder_new - a builder.
 *
 * out  heap, ends with ft_builder_free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: an empty or reversed space, fewer than two admissible sizes, a tolerance or
 * confidence outside (0, 1); FT_ENOMEM.
 */
enum ft_status ft_builder_new(struct ft_builder **out, const struct ft_builder_type *type,
			      const struct ft_build_options *options, struct ft_err *err);
void ft_builder_free(struct ft_builder *builder); /* accepts NULL */

/* ft_builder_price - what runs cost: one that the builder is told of as t seconds takes each_s + stretch t.
 * The start of a process whose routine times itself makes the first, a machine that others use the second.
 * each_s
 * >= 0, stretch > 0; 0 and 1 until it is told of others. */
void ft_builder_price(struct ft_builder *builder, double each_s, double stretch);

/* ft_builder_ask - the sizes to measure now, each an admissible one; 0: it is done. Asking again without
 * telling gives the same. At most `most` (>= 1) of them: a builder that repeats decides best after each run,
 * and of several at once each divides another gap. */
size_t ft_builder_ask(struct ft_builder *builder, double *sizes, size_t most);

/* ft_builder_gain - what the first of these runs would bring. */
void ft_builder_gain(struct ft_builder *builder, struct ft_build_gain *out);

/* ft_builder_tell - the times of all runs at a size so far; replaces what it was told there before. A builder
 * that repeats keeps the earlier ones too; told of no new one where it asked for one, it asks there no more.
 *
 * seconds  [n] > 0, borrowed; n = 0: nothing can be measured at this size
 *
 * Also sizes that it did not ask for are welcome. Returns FT_OK; FT_EINVAL: x outside the space, a time <= 0;
 * FT_ENOMEM.
 */
enum ft_status ft_builder_tell(struct ft_builder *builder, double x, const double *seconds, size_t n,
			       struct ft_err *err);

/* ft_builder_stop - why it asks no more; meaningful once ft_builder_ask has returned 0. */
enum ft_stop ft_builder_stop(const struct ft_builder *builder);

FT_END_DECLS
#endif
