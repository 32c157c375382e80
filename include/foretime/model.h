/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - models: from a size to a value with an interval, for one resource.
 *
 * At each measured size (a knot) stands the median of the samples; each gap between knots has a shape that
 * joins them. How wide intervals are is learned from the order in which sizes were measured: each new size
 * was a test of what the model said of it before. doc/models.md has each formula with its source.
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

/* What joins a knot to the next one. X(name, word) */
#define FT_SHAPE_LIST(X)                                                                                     \
	X(SPEED, "speed")   /* the speed work / value, linear in x (000 section 2.1) */                      \
	X(POWER, "power")   /* ln value, linear in ln x */                                                   \
	X(AFFINE, "affine") /* the value, linear in x */

enum ft_shape {
#define FT_SHAPE_ENUM(name, word) FT_SHAPE_##name,
	FT_SHAPE_LIST(FT_SHAPE_ENUM)
#undef FT_SHAPE_ENUM
		FT_SHAPES
};

const char *ft_shape_text(enum ft_shape shape);
bool ft_shape_parse(const char *text, enum ft_shape *shape);

/* How a fit chooses shapes. */
enum ft_join {
	FT_JOIN_SPEED, /* a time through its speed, everything else affine: the bands of 000 */
	FT_JOIN_BEST /* power law, affine, or the speed, in each gap what would have foretold the knots around
		      * it better */
};

struct ft_knot {
	double x, work;
	double value;        /* median of the samples, unit of the resource */
	double scatter;      /* sum of squares of ln value about its mean */
	double residual;     /* |ln value - ln of what its two neighbours predict|; NaN at the ends */
	size_t runs;         /* how many samples */
	enum ft_shape shape; /* joins it to the next knot; of the last knot: that of the gap before */
};

/* Newer runs lie systematically off what older ones say: the program or the machine changed. */
struct ft_change {
	double shift;     /* ln of newer by older values; 0: no drift */
	double error;     /* its standard error */
	size_t runs;      /* how many runs are newer */
	int64_t since_ns; /* wall clock of the first of them; 0: not known */
};

/* What was found beyond the data; see ft_model_keep_outlook. */
struct ft_outlook;

struct ft_model {
	bool through_speed;   /* beyond the data the speed work / value is continued, else the value */
	double offset;        /* errors are those of ln(value + offset); 0 unless some value is 0 */
	struct ft_knot *knot; /* [n], x ascending and different */
	size_t n;
	size_t runs;       /* all samples */
	double *gap_error; /* [n - 1] relative error (one standard deviation of ln) at the middle of each gap
			    */
	double drift;      /* standard deviation of ln value that visits at another time add to the scatter */
	double spread;     /* how many times wider intervals are than a normal law would have them */
	double stated_error; /* 95 % quantile over the sizes of the range of the stated error, as a share */
	bool rough;          /* the curve defeats the method: stated_error over 15 % */
	struct ft_outlook *outlook; /* NULL: none is kept */
	bool rough_by_noise;        /* rough because the runs scatter, not because of the shape */
	struct ft_change change;    /* of ft_model_fit_runs: older runs count for less */
};

/* ft_model_fit - a model of samples.
 *
 * observation    [n] in the order in which they were measured; x and value finite, value >= 0, work > 0
 * through_speed  it is a time, with a speed work / value; values of 0 have none: the model is then direct
 * out            the caller's, ends with ft_model_clear; cleared on failure
 *
 * One size suffices: the model then only extrapolates from it.
 *
 * Returns FT_OK; FT_EINVAL: a value out of bounds (its index in the text); FT_ENOMODEL: n = 0; FT_ENOMEM.
 * Cost O(n k) for k sizes. The same observations in the same order give the same model; the order tells what
 * each new size taught, and so how far errors are to be trusted: values do not depend on it, intervals and
 * shapes of errors do. Source: 000 section 2.1 (bands); doc/models.md for the rest.
 */
enum ft_status ft_model_fit(struct ft_model *out, const struct ft_observation *observation, size_t n,
			    bool through_speed, enum ft_join join, struct ft_err *err);

/* ft_model_state - state the error, and whether the curve is rough, over given sizes instead of all between
 * the least and the largest knot alike: for lists of sizes.
 *
 * sizes  [n] ascending, those that may be asked for; NULL: all alike
 */
enum ft_status ft_model_state(struct ft_model *model, const double *sizes, size_t n, struct ft_err *err);

void ft_model_clear(struct ft_model *model);

/* ft_model_keep_outlook - keep what the first prediction beyond the data finds out (some ms), so that the
 * next ones cost some 30 us. A fitted model does so already; one from a store does not. Such a model may be
 * asked by one thread at a time. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft_model_keep_outlook(struct ft_model *model, struct ft_err *err);

/* ft_model_noise - how much single runs at one size scatter: the standard deviation of ln value, pooled
 * over the sizes that were repeated, without those that scatter five times more than the middle one; NaN when
 * none was. Cost O(k log k), allocates; NaN also without memory.
 */
double ft_model_noise(const struct ft_model *model);

/* ft_model_fit_runs - the model of one resource of runs: of those that ended well, are no warm-up, and agree
 * with `fixed` in every parameter but the varying one. Gaps are joined by the speed where the program's
 * method is gbbp or naive, else by the best shape.
 *
 * Where newer runs drifted away from older ones, out->change tells it; older runs then count only at sizes
 * that no newer one has, moved by the shift.
 *
 * program   its parameters and its work expression; without one, the work that the runs reported, when all
 *           did; else 1
 * varying   index of the parameter that the model is a function of
 * out       the caller's, ends with ft_model_clear; cleared on failure
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
	X(BEYOND, "extrapolated")                                                                            \
	X(STATED, "estimated") /* by a law that was stated, or by another machine's instructions */

enum ft_basis {
#define FT_BASIS_ENUM(name, words) FT_BASIS_##name,
	FT_BASIS_LIST(FT_BASIS_ENUM)
#undef FT_BASIS_ENUM
};

const char *ft_basis_text(enum ft_basis basis);

/* Which level of what is known of a program answered (002 section 4.1.3). X(name, what a person reads) */
#define FT_LEVEL_LIST(X)                                                                                     \
	X(MODEL, "model")                                                                                    \
	X(TABLE, "table")         /* runs of that very size, where the model is poor or absent */            \
	X(LAW, "law stated")      /* by an expert; set to the runs where there are any */                    \
	X(CYCLES, "instructions") /* counted on one machine, at the speed of another */

enum ft_level {
#define FT_LEVEL_ENUM(name, words) FT_LEVEL_##name,
	FT_LEVEL_LIST(FT_LEVEL_ENUM)
#undef FT_LEVEL_ENUM
};

const char *ft_level_text(enum ft_level level);

/* What a model answers. */
struct ft_prediction {
	/* Unit of the resource; 0 <= lower <= value <= upper, finite. A law that was stated and never tried
	 * has no interval: lower and upper are NaN. */
	double value, lower, upper;
	enum ft_level level;
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
 * Returns FT_OK; FT_EINVAL (x not finite, or <= 0 beyond the data; confidence); FT_ENOMEM. Cost O(log n + k);
 * the first beyond the data some ms.
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
