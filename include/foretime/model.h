/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - models: from a size to what a run there costs, for one resource.
 *
 *	struct ft_model *model;
 *
 *	ft_model_fit(&model, observation, n, &options, err);
 *	ft_model_predict(model, &size, work, 0.9, &prediction, err);
 *	ft_model_free(model);
 *
 * A prediction has two numbers for each size: what a typical run takes, with its accuracy, and how single
 * runs vary about it. Only the first can be measured away. doc/models.md explains the method.
 */
#ifndef FORETIME_MODEL_H
#define FORETIME_MODEL_H

#include "foretime/facts.h"

FT_BEGIN_DECLS

/* One sample: the size, the volume of computation there (1 where it is not known), the value. */
struct ft_observation {
	struct ft_size size;
	double work, value;
	int64_t when_ns; /* when its run began, wall clock; 0: not known */
	double memory;   /* bytes, the largest footprint of its run; 0: not known */
	bool censored;   /* its run met a limit: its cost would have been larger than the value */
	double noise; /* deviation of ln value that runs like it usually have at one size; 0: as options->of
		       */
	unsigned node, user; /* numbers that distinguish the nodes and the users of records; 0: not known */
};

/* A size that was measured. */
struct ft_knot {
	struct ft_size size;
	double work;
	double value; /* median of the samples, unit of the resource; limits count as values: a lower bound */
	double scatter; /* sum of squares of ln value about its mean, of the runs that ended */
	size_t runs;
	size_t limits; /* of these, how many met a limit */
};

/* Runs that met a limit: right-censored samples, of which only a lower bound is known. */
struct ft_limits {
	size_t runs;
	double least, most; /* the smallest and the largest bound, unit of the resource */
};

/* Runs that have something in common, whose times and energies therefore have a level in common: those that
 * began within an hour of another one, records of one node, records of one user. */
enum ft_batch { FT_BATCH_HOURS, FT_BATCH_NODES, FT_BATCH_USERS, FT_BATCH_N };

/* Batches of runs. A future batch does not share their level: predictions are wider by what batches of that
 * kind differ by that leaves the most doubt. */
struct ft_batches {
	enum ft_batch of; /* that kind of batches */
	size_t n;         /* of these; 0: not known, or of a resource that nothing disturbs */
	double span_s;    /* from the begin of the first run to that of the last; 0: not known */
	double deviation; /* standard deviation of ln value between batches ... */
	bool learned;     /* ... of these batches; else a stated one */
	double doubt;     /* variance of the level of all: predictions are wider by it; 0: they are not */
	size_t count[FT_BATCH_N]; /* how many there are of each kind; 0: not known */
	char node[64]; /* of records that all ran on one node (or the same nodes), which; else "" */
};

/* Newer runs lie systematically from older ones: the program or the machine changed. */
struct ft_change {
	double shift;     /* ln of newer by older values; 0: no change */
	double error;     /* its standard error */
	size_t runs;      /* how many runs are newer */
	int64_t since_ns; /* wall clock of the first of them; 0: not known */
};

/* Structure finer than the distance of sizes. */
struct ft_fine {
	char kind[32]; /* "multiples of 8" */
	double ratio;  /* what it multiplies the value by, between its two extremes */
};

enum { FT_FINE_MOST = 4 };

/* What is known of a model as a whole. */
struct ft_model_facts {
	const char *type; /* "engine" */
	size_t sizes, runs;
	bool through_speed; /* it is one of a time, divided by the work */
	double offset;      /* errors are those of ln(value + offset); 0 unless some value is 0 */
	double known;       /* 90 % of typical runs, of the sizes requested, lie within +- this share of the
			 prediction */
	double scatter;     /* 90 % of single runs lie within about +- this share of the typical one; NaN: not
			       known */
	double spike_rate;  /* share of runs that take much longer than all others; 0: none seen */
	double spike_ratio; /* how much longer, the median of them */
	bool rough;      /* the curve's shape defeats the method: at more than one size in twenty the typical
			    run is known to over 20 % only */
	bool noisy;      /* noise is over 15 % */
	bool too_few;    /* there are too few sizes to estimate the accuracy */
	double worst[2]; /* of one parameter: between which two sizes the typical run is known least; else NaN
			  */
	struct ft_size corner; /* of several: the corner of the ranges measured where it is; n = 0: of one */
	double worst_known;    /* how well it is known there, as known; NaN: not known */
	struct ft_fine fine[FT_FINE_MOST]; /* [n_fine] */
	size_t n_fine;
	struct ft_change change; /* of ft_model_fit_runs: older runs count for less */
	struct ft_limits limits;
	struct ft_batches batches; /* of ft_model_fit_runs */
	size_t zeros;   /* > 0: it is mostly 0, in this many of the runs: no logarithm shows how that grows.
			 Then `known` and `scatter` are NaN, and `most` is all that is given */
	double most;    /* the largest value of a run that ended by itself */
	double step;    /* of which all values are multiples; 0: of none */
	double shipped; /* not 0: its shape is, as far as `trust`, that of a model from another machine, which
			   has this mark */
	double trust;   /* of a shipped model: 0 (the runs alone count) .. 1 */
	double scale;   /* and how many times the other machine's values are; NaN: not known */
};

struct ft_model;

/* How costs grow beyond the largest size measured, as far as other programs show: learned from those of a
 * site, in place of the built-in prior. */
struct ft_prior;

/* ft_prior_read - a file that tools/learn-growth --site wrote.
 *
 * out  heap, ends with ft_prior_free, after all models that have it; NULL on failure
 *
 * Returns FT_OK; FT_EPARSE: it is damaged, or of another version (the line and what is wrong in the text);
 * FT_ENOENT, FT_EACCESS, FT_EIO; FT_EINVAL: larger than any such file; FT_ENOMEM.
 */
enum ft_status ft_prior_read(struct ft_prior **out, const char *path, struct ft_err *err);
void ft_prior_free(struct ft_prior *prior); /* accepts NULL */

/* How a model is fitted. Zero-initialised: an engine over the first parameter. */
struct ft_model_options {
	const char
		*type; /* "engine" (one parameter), "band" (gbbp's, one parameter), "process" (several; over
			  one it is refused, for it would have no laws there); NULL: by the number of axes
			*/
	const size_t *axis; /* [n_axes] the parameters that it is a function of, ascending; NULL: the first */
	size_t n_axes;
	bool through_speed; /* it is a time, with a speed work / value; values of 0 have none: the model is
			       then direct */
	enum ft_resource_class
		of;       /* how the cost behaves; zero-initialised: as a time, the least predictable */
	double tolerance; /* band: least half-width of a cut; 0: 5 % */
	double step;      /* values are multiples of it (1: a count): less than a step is neither rough nor a
			     change; 0: they are not */
	const double *sizes; /* [n_sizes] ascending, of one parameter: the admissible ones, over which
				facts are given; NULL: all between the least and the largest */
	size_t n_sizes;
	bool brief; /* leave out what takes long: no average over laws, no calibration */
	const struct ft_model
		*like; /* brief, over several parameters: as smooth as that one; NULL: find out */
	const struct ft_prior *prior; /* borrowed as long as there is the model; NULL: the built-in one */
	const struct ft_model *donor; /* a model of the same resource from another machine, whose shape is
					 followed as far as the samples agree; copied; NULL: none */
	double donor_mark;            /* any number that identifies it, not 0 */
};

/* ft_model_fit - a model of samples.
 *
 * observation  [n] in any order; sizes finite and of one length, value finite >= 0, work > 0
 * options      may be NULL
 * out          heap, ends with ft_model_free; NULL on failure
 *
 * One size suffices. The same samples in any order give the same model. Censored samples with the value 0
 * have no information and are left out.
 *
 * Returns FT_OK; FT_EINVAL: a value out of bounds (its index in the text), no such type; FT_ENOMODEL: n = 0,
 * or all samples are censored (the text has the bound); FT_ENOMEM. Cost O(n log n) and O(k) for k sizes over
 * one parameter (some 10 ms for 100), O(k^3) for up to 200 sizes over several.
 */
enum ft_status ft_model_fit(struct ft_model **out, const struct ft_observation *observation, size_t n,
			    const struct ft_model_options *options, struct ft_err *err);
void ft_model_free(struct ft_model *model); /* accepts NULL */

/* ft_model_fit_xy - a model of values over one parameter, the usual kind.
 *
 * x, y  [n] in any order, sizes may repeat: x finite, y finite >= 0; seconds, bytes or any other unit
 *
 * Ask it with ft_model_predict, a size of one value, and a work of 1. Returns as ft_model_fit.
 */
enum ft_status ft_model_fit_xy(struct ft_model **out, const double *x, const double *y, size_t n,
			       struct ft_err *err);

const struct ft_model_facts *ft_model_facts(const struct ft_model *model);

/* ft_model_knots - the sizes that were measured, ascending. Borrowed. */
const struct ft_knot *ft_model_knots(const struct ft_model *model, size_t *n);

/* ft_model_fit_runs - the model of one resource of runs: of those that ended well or met a limit of the
 * resource, are no warm-up, and agree with `fixed` in every parameter that is not in
 * options->axis.
 *
 * If newer runs differ systematically from older ones, the facts contain it; older runs then count only
 * at sizes that no newer one has, moved by as much. Without the times of runs, or where sizes do not
 * interleave, no change is reported.
 *
 * program  its parameters and its work expression; without one, the work that the runs reported, when all
 *          did and there is one parameter; else 1
 * options  through_speed and type are set here: by the resource, and by the program's method (gbbp and naive
 *          have bands over one parameter)
 *
 * Returns as ft_model_fit; FT_ENOMODEL: no such run has a value of the resource; FT_EINVAL: work not positive
 * at some size.
 */
enum ft_status ft_model_fit_runs(struct ft_model **out, const struct ft_program *program,
				 const struct ft_runs *runs, const struct ft_resource *resource,
				 const struct ft_size *fixed, const struct ft_model_options *options,
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
	X(CYCLES, "instructions") /* counted on one machine, at the speed of another */                      \
	X(POWER, "powers")        /* of its machine, times what the run takes */                             \
	X(ROWS, "calibrations")   /* of two machines, with the times on one of them */

enum ft_level {
#define FT_LEVEL_ENUM(name, words) FT_LEVEL_##name,
	FT_LEVEL_LIST(FT_LEVEL_ENUM)
#undef FT_LEVEL_ENUM
};

const char *ft_level_text(enum ft_level level);

/* What a model answers. */
struct ft_prediction {
	/* Unit of the resource; 0 <= lower <= value <= upper, finite: the typical run, and what holds a share
	 * `confidence` of single runs. A law that was stated and never tried has no interval: lower and upper
	 * are NaN. */
	double value, lower, upper;
	double known; /* the typical run is within value / (1 + known) .. value (1 + known), with the same
			 confidence; NaN: not given */
	enum ft_level level;
	enum ft_basis basis;
	double distance; /* extrapolation: x / largest or smallest / x; 1 inside */
	size_t runs; /* how many it rests on: those at the knot, at both neighbours, or at the outermost three
		      */
	size_t limits; /* of these, how many met a limit */
	size_t zeros;  /* > 0: of all runs (then `runs`) this many are 0, more than half: value and lower are
			  0,  known is NaN, upper is the largest of all, times distance outside the measured
			  range */
};

/* ft_model_predict - what a run at a size costs.
 *
 * size        > 0 outside the measured range, in the parameters that the model is a function of
 * work        at the size; NaN: read from the knots (power law between them)
 * confidence  0.5 .. 0.999
 *
 * Returns FT_OK; FT_EINVAL (a size that is not finite, or <= 0 outside the measured range; confidence; no
 * work where it is needed); FT_ENOMODEL: a parameter that does not vary has another value than in the runs;
 * FT_ENOMEM. Cost O(log k), over several parameters O(k^2). Threads: any number may ask one model at once.
 */
enum ft_status ft_model_predict(const struct ft_model *model, const struct ft_size *size, double work,
				double confidence, struct ft_prediction *out, struct ft_err *err);

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
