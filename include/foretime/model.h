/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - models: from a size to a value with an interval, for one resource.
 *
 * A band joins cuts. At each measured size (a knot) stands the median of the samples and the interval of the
 * cut; between knots the band's interpolant. A time is modelled through the speed work / time, every other
 * resource directly. doc/models.md has each formula with its source.
 */
#ifndef FORETIME_MODEL_H
#define FORETIME_MODEL_H

#include "foretime/facts.h"

FT_BEGIN_DECLS

/* One sample: the size's varying parameter, the volume of computation there (1 where none is known), the
 * value. */
struct ft_observation {
	double x, work, value;
};

struct ft_knot {
	double x, work;
	double value;    /* median of the samples, unit of the resource */
	double scatter;  /* sum of squares of ln value about its mean */
	double residual; /* |ln value - ln of what its two neighbours predict|; NaN at the ends */
	size_t runs;     /* how many samples */
};

struct ft_model {
	bool through_speed;   /* interpolates work / value, linear in x; else value, linear in x */
	double offset;        /* errors are those of ln(value + offset); 0 unless some value is 0 */
	struct ft_knot *knot; /* [n], x ascending and different */
	size_t n;
	size_t runs;       /* all samples */
	double *gap_error; /* [n - 1] relative error (one standard deviation of ln) at the middle of each gap
			    */
	double stated_error; /* 95 % quantile over the sizes of the range of the stated error, as a share */
	bool rough;          /* the curve defeats the method: stated_error over 15 % */
	bool rough_by_noise; /* rough because the runs scatter, not because of the shape */
};

/* ft_model_fit - a model of samples.
 *
 * observation    [n] in any order; x and value finite, value >= 0, work > 0
 * through_speed  model work / value; values of 0 have no speed: the model is then direct
 * out            the caller's, ends with ft_model_clear; cleared on failure
 *
 * One size suffices: the model then only extrapolates from it.
 *
 * Returns FT_OK; FT_EINVAL: a value out of bounds (its index in the text); FT_ENOMODEL: n = 0; FT_ENOMEM.
 * Cost O(n log n + k^2) for k sizes. Deterministic, and independent of the order of the observations.
 * Source: 000 section 2.1 (bands); notes on adaptive construction for the errors: doc/models.md.
 */
enum ft_status ft_model_fit(struct ft_model *out, const struct ft_observation *observation, size_t n,
			    bool through_speed, struct ft_err *err);
void ft_model_clear(struct ft_model *model);

/* ft_model_fit_runs - the model of one resource of runs: of those that ended well, are no warm-up, and agree
 * with `fixed` in every parameter but the varying one.
 *
 * program   its parameters and its work expression; without one, the work that the runs reported, when all
 * did; else 1 varying   index of the parameter that the model is a function of out       the caller's, ends
 * with ft_model_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOMODEL: no such run has a value of the resource; FT_EINVAL: work not positive at some
 * size; FT_ENOMEM.
 */
enum ft_status ft_model_fit_runs(struct ft_model *out, const struct ft_program *program, size_t varying,
				 const struct ft_size *fixed, const struct ft_runs *runs,
				 const char *resource, struct ft_err *err);

/* ft_program_work - the volume of computation of a program at a size.
 *
 * Returns FT_OK (*work > 0, or NaN when the program states none); FT_EPARSE; FT_EINVAL: not positive or not
 * finite there.
 */
enum ft_status ft_program_work(const struct ft_program *program, const struct ft_size *size, double *work,
			       struct ft_err *err);

/* X(name, what a person reads) */
#define FT_BASIS_LIST(X)                                                                                     \
	X(AT_KNOT, "measured")                                                                               \
	X(BETWEEN, "interpolated")                                                                           \
	X(BEYOND, "extrapolated")

enum ft_basis {
#define FT_BASIS_ENUM(name, words) FT_BASIS_##name,
	FT_BASIS_LIST(FT_BASIS_ENUM)
#undef FT_BASIS_ENUM
};

const char *ft_basis_text(enum ft_basis basis);

/* What a model answers. */
struct ft_prediction {
	double value, lower, upper; /* unit of the resource; 0 <= lower <= value <= upper, finite */
	enum ft_basis basis;
	double distance; /* how far beyond the data: x / largest or smallest / x; 1 inside */
	size_t runs; /* how many it rests on: those at the knot, at both neighbours, or at the outermost three
		      */
};

/* ft_model_predict - the value at a size, with the interval that holds a share `confidence` of future single
 * runs.
 *
 * x           > 0 beyond the data; any inside
 * work        at x; NaN: read from the knots (power law between them)
 * confidence  0.5 .. 0.999
 *
 * Returns FT_OK; FT_EINVAL (x not finite, or <= 0 beyond the data; confidence). Cost O(log n + k), allocates
 * nothing.
 */
enum ft_status ft_model_predict(const struct ft_model *model, double x, double work, double confidence,
				struct ft_prediction *out, struct ft_err *err);

/* ft_model_cut - the cut at a size: the interval of speeds that the samples there allow (000 section 2.1).
 *
 * seconds     [n] times of single runs, n >= 1
 * work        at the size, > 0
 * load        least and largest predicted load, 0 <= least <= most < 1 (0, 0: idle)
 * confidence  of the interval of the mean time, which the cut includes (two or more samples)
 * tolerance   half-width that a cut has at least, as a share of the speed
 * cut         [2] out: least and largest speed
 */
void ft_model_cut(const double *seconds, size_t n, double work, const double load[2], double confidence,
		  double tolerance, double cut[2]);

FT_END_DECLS
#endif
