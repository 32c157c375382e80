/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - models: from samples to a value with an interval at any size. */
#ifndef FT_MODEL_MODEL_H
#define FT_MODEL_MODEL_H

#include "base/text.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/law.h"
#include "foretime/model.h"
#include "law/door.h"
#include "model/door.h"
#include "num/num.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Batches of runs: what their common level adds to the uncertainty of other runs.
 */

/* ft__batches_find - batches of samples by the times, the nodes and the users of their runs, and the
 * variance between their levels.
 *
 * records  none of them is a benchmark of ours: for a single batch the stated deviation is used
 *
 * There are no batches of a kind if the time (node, user) of some run that ended is not known. The name of
 * a single node is the caller's to set. FT_ENOMEM. Cost O(n log n), of 20,000 samples at
 * most.
 */
enum ft_status ft__batches_find(const struct ft_observation *observation, size_t n, double offset,
				bool records, struct ft_batches *out, struct ft_err *err);

/* ft__batches_widen - a prediction as of runs of another batch. */
void ft__batches_widen(const struct ft_batches *batches, double offset, double confidence,
		       struct ft_prediction *p);

/*
 * Extrapolation of a cost above the largest measured size: by a slope whose distribution is learned from
 * other programs (growth_table.h), by resource class and by the slope at the edge.
 */

/* A mixture of normal laws of ln value. */
enum { FT__BELIEF_MOST = 96, FT__GROWTH_BINS = 6, FT__GROWTH_KINDS = 3 };

struct ft__growth_belief {
	double mean[FT__BELIEF_MOST], deviation[FT__BELIEF_MOST], weight[FT__BELIEF_MOST];
	double power[FT__BELIEF_MOST]; /* of members that are laws: their final exponent; others: 0 */
	size_t n;
};

/* Growth of a class of resources outside the data; one row of growth_table.h. ft__growth_slopes has the
 * slopes at the edge that the bins stand for; rows are interpolated between them. */
struct ft__growth {
	/* ln of how often growth changes, at a spread of 0.1 and a distance as long as the data */
	double change[FT__GROWTH_BINS];
	double spread, reach; /* powers of the spread, and of distance by span, in that rate */
	/* Once it changed, the slope is level, proportional (1, or the work's), or the edge's times `other`:
	 * how often, and the deviation of each */
	double share[FT__GROWTH_BINS][FT__GROWTH_KINDS];
	double deviation[FT__GROWTH_KINDS], other;
	double narrow; /* deviations shrink as this power of the spread below 0.1 */
	double steep;  /* laws are less usual by this, ln, for each power above 1 */
	/* How usual slopes are, independent of the data: level, proportional, anything */
	double usual[FT__GROWTH_KINDS];
	/* A level of memory outside: its rate per unit of ln size, ln of its height, and its deviation */
	double step_rate, step, step_deviation;
};

extern const double ft__growth_slopes[FT__GROWTH_BINS];
extern const struct ft__growth ft__growths[FT_CLASSES];

/* A staircase of the measured sizes: levels with rises between them, as of a pool that doubles. Logarithms. */
struct ft__stairs {
	double share; /* how likely it is that it goes on; 0: there is none */
	double since,
		place_deviation; /* from the last rise to the largest size, and how well that is known */
	double length, length_deviation; /* from rise to rise */
	double height, height_deviation; /* of a rise */
};

/* ft__stairs_find - the staircase of a curve, z over t, t ascending; noise: the deviation of a z. Cost O(n). */
struct ft__stairs ft__stairs_find(const double *t, const double *z, size_t n, double noise);

/* The largest size that was measured. Logarithms. */
struct ft__growth_edge {
	double z, deviation, slope; /* of the typical run there; d ln value / d ln size, minus the work's */
	double span;                /* ln of the largest by the least size */
	double spread; /* how far the runs' own sizes lie from predictions by the rest: a share */
	bool work;     /* a work is stated: what is proportional grows as the work does */
	struct ft__stairs stairs;
};

/* ft__beyond - the extrapolation at a size, from the predictions of a model's members.
 *
 * far    ln of the size by the largest that was measured, > 0
 * work   ln of the work there by the work at the edge; ignored unless edge->work
 * belief in: members, at most 14; out: the mixture, weights summing to 1
 *
 * Growth continues as the members predict, or it changes within that distance, with the probability of a
 * hazard that is proportional to the spread; then the slope is one of three kinds. Members continue the
 * measured sizes; if they are uncertain, slopes that programs usually have decide (the product of both,
 * closed for normal laws). A staircase goes on with its share.
 */
void ft__beyond(const struct ft__growth *growth, const struct ft__growth_edge *edge, double far, double work,
		struct ft__growth_belief *belief);

/*
 * Calibration of stated errors, by how far sizes lay from their predictions, mainly those near a place.
 */

/* The distance of a size from its prediction, in stated deviations; at: ln of the size. */
struct ft__miss {
	double at, miss;
};

void ft__misses_sort(struct ft__miss *miss, size_t n); /* ascending */

/* ft__caution - how many times wider than stated errors are around a place.
 *
 * miss   [n] ascending
 * range  ln of the largest by the least size
 * least  what it is at least
 *
 * Cost O(n).
 */
double ft__caution(const struct ft__miss *miss, size_t n, double at, double range, double least);

/*
 * The curve of a typical run over one parameter, and the noise of single runs about it, as one random
 * process (num/num.h) whose variances are learned from the runs. doc/engine-formulas.md has the formulas,
 * doc/constants.md the measurement behind each constant.
 *
 * 	z = ln value - ln work - base(x) = curve + fine structure + noise
 *
 * A settled curve (ft__engine_settle) is a function of its runs, independent of their order.
 */

/* More runs at one size are represented by this many quantiles; the most kinds of fine structure. */
enum { FT__VALUES_KEPT = 32, FT__ENDS_KEPT = 4, FT__TEETH_MOST = 4, FT__TOOTH_PLACES = 8 };

/* A run counts as a spike above this multiple of the typical run. */
#define FT__SPIKE_RATIO 1.5

/* One run, or count of them that were as long; weight: 1 for a normal run, 0 for one that is ignored.
 *
 * A run that met a limit is a right-censored observation: only z > limit is certain. Its z is then the
 * expected value above the limit, given the curve and the noise at the time of the last ft__site_believe. */
struct ft__run_value {
	double z, count, weight;
	double limit;  /* -INFINITY: the run ended by itself */
	double spread; /* variance of z about its expected value; 0 for a run that ended */
	double share;  /* information about the curve, as a share of that of a run that ended */
	double place;  /* where a run with that share of the information would lie; z for a run that ended */
	double evidence; /* ln probability of meeting the limit, less that of `place` in its stead */
};

/* A size that was measured. */
struct ft__site {
	double x, at;                /* the size, and ln of it (of size + shift) */
	double work;                 /* 1 where none is known */
	struct ft__run_value *value; /* [n] those that ended, ascending, then `limits` that met a limit */
	size_t n, runs, limits;
	double base;        /* the mean function, which is subtracted */
	double teeth;       /* and the fine structure there */
	double scatter;     /* variance of single runs about the curve (scale of their t law) */
	double around;      /* the same but for its own runs, by which these are believed: of fields alone */
	double usual;       /* usual deviation of such runs, before any is repeated */
	double texture;     /* variance of the typical run about the smooth curve, each size by itself */
	double rounding;    /* which is at least that of rounding to whole steps */
	double cliff;       /* variance of a cliff hidden in the gap to the next one */
	bool is_cliff;      /* and that is more likely than none */
	double sum, weight; /* of the places of runs, while the engine learns */
};

/* Structure finer than the distance of sizes: a shape of some period, known but for its height. */
enum ft__tooth_shape {
	FT__MULTIPLES, /* of the period */
	FT__POWERS,    /* of the period */
	FT__BLOCKS,    /* sizes are rounded up to multiples of the period */
	FT__STEPS,     /* a sawtooth over the size, of that period */
	FT__GROWTH,    /* a sawtooth over ln size: tables that grow by that factor */
	FT__TOOTH_SHAPES
};

struct ft__tooth {
	enum ft__tooth_shape shape;
	double period, phase; /* phase: 0 .. 1 */
	double height, variance;
	/* Of a sawtooth: periods and phases that are equally likely, since sizes hardly determine where it
	   falls. */
	struct ft__tooth_place {
		double period, phase;
	} place[FT__TOOTH_PLACES]; /* [places] */
	size_t places;             /* 0: the period and the phase alone */
};

/* Numbers of space for each site: six for a step of learning, three for how near other sites are. */
enum { FT__ENGINE_WORK = 9 };

/* Zero-initialise by ft__engine_init; ends with ft__engine_clear. */
struct ft__engine {
	struct ft_ss_process process;
	double shift;            /* added to sizes before their logarithm is taken */
	double range;            /* ln of the ratio of the largest to the smallest size that may be queried */
	struct ft__site *site;   /* [n] ascending */
	struct ft_ss_node *node; /* [n] parallel to them */
	struct ft_ss_pass *pass;
	double *work; /* [FT__ENGINE_WORK n] space for sums along the sizes */
	size_t n, capacity;
	double *level_around,
		*slope_around; /* [n] what the gaps around each have in common of node.level, node.slope */
	double beyond_level[2],
		beyond_slope[2]; /* of the first and of the last one, which continues outside */
	bool smooth;             /* no texture is looked for: of brief models */
	bool even;               /* noise is the same at all sizes, as for levels of memory */
	bool stiff;              /* gaps are not learned: the curve is its base, but for little */
	double likelihood;       /* ln of the likelihood of the runs, each size predicted from those before */
	struct ft__tooth tooth[FT__TEETH_MOST]; /* [n_teeth] */
	size_t n_teeth;
};

/* ft__engine_init - range: ln of the largest by the least size; work: values were divided by the work, so
 * that the curve's mean slope is 0. */
void ft__engine_init(struct ft__engine *engine, double shift, double range, bool work);
void ft__engine_clear(struct ft__engine *engine); /* accepts NULL, and twice */

/* ft__engine_copy - all of it; ends with ft__engine_clear. FT_ENOMEM. */
enum ft_status ft__engine_copy(struct ft__engine *out, const struct ft__engine *in, struct ft_err *err);

/* ft__engine_below - the last site at or below x; 0 where there is none. n >= 1. */
size_t ft__engine_below(const struct ft__engine *engine, double x);

/* ft__engine_find - the site of a size; engine->n: it is none. */
size_t ft__engine_find(const struct ft__engine *engine, double x);

/* ft__site_believe - set the weights of its runs: t errors of that noise about the curve there.
 * ft__site_likelihood - the log likelihood of the runs about their mean. (engine.c) */
void ft__site_believe(struct ft__site *site, double z, double variance, double scatter);
double ft__site_likelihood(const struct ft__site *site, double mean);

/* ft__site_keep - the values of a site, of which the work is set: ln [n] ln value, in any order; n >= 1.
 * ft__site_limit - append runs that met a limit: ln [n] ln limit. False: no memory. ft__site_trust - give
 * all runs the same weight, and treat limits as values, as before anything is learned. (engine.c) */
bool ft__site_keep(struct ft__site *site, const double *ln, size_t n);
bool ft__site_limit(struct ft__site *site, const double *ln, size_t n);
void ft__site_trust(struct ft__site *site);

/* ft__engine_set - set all runs at a size, replacing earlier ones.
 *
 * ln  [n] ln value, in any order; n >= 1
 *
 * Returns FT_OK; FT_ENOMEM (nothing changed). Nothing is learned before ft__engine_learn.
 */
enum ft_status ft__engine_set(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
			      struct ft_err *err);

/* ft__engine_limit - append runs at a size that met a limit: ln [n] ln limit. The size is added if it has
 * no runs yet. FT_ENOMEM: nothing changed. */
enum ft_status ft__engine_limit(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
				struct ft_err *err);

/* ft__engine_learn - this many rounds of expectation and maximisation, from the present state. Cost O(n). */
void ft__engine_learn(struct ft__engine *engine, int rounds);

/* ft__engine_settle - learn again from scratch, including fine structure. */
void ft__engine_settle(struct ft__engine *engine, int rounds);

/* ft__engine_find_teeth - look once more for fine structure, and learn where it changed. ft__engine_change_teeth -
 * look only; returns whether it changed. (teeth.c) */
void ft__engine_find_teeth(struct ft__engine *engine);
bool ft__engine_change_teeth(struct ft__engine *engine);

/* ft__tooth_at - a shape at a size, of height 1: the mean over its places; *variance: among them.
 * ft__tooth_name: "multiples of 8"; returns the buffer. (teeth.c)
 */
double ft__tooth_at(const struct ft__tooth *tooth, double x, double *variance);
const char *ft__tooth_name(const struct ft__tooth *tooth, char *buffer, size_t size);

/* ft__engine_teeth - of all kinds found, at a size; *variance is added to. */
double ft__engine_teeth(const struct ft__engine *engine, double x, double *variance);

/* ft__engine_doubt - variance of where sawteeth fall, at a size or between sizes. (teeth.c) */
double ft__engine_doubt(const struct ft__engine *engine, double x);

/* The prediction at a size. Logarithms. */
struct ft__known {
	double z;        /* of the typical run, minus ln work and base */
	double variance; /* of that */
	double scatter;  /* variance of single runs about it */
	double slope;    /* dz / d ln x */
};

/* ft__engine_at - at any size; fine: with fine structure (else the smooth part alone, except for the
 * uncertainty of sawteeth; valid between admissible sizes, too). n >= 1. Cost O(log n). */
struct ft__known ft__engine_at(const struct ft__engine *engine, double x, bool fine);

/* ft__engine_near - the same, where i, the last site at or below x, and ln x are known. Cost O(1). */
struct ft__known ft__engine_near(const struct ft__engine *engine, size_t i, double x, double at, bool fine);

/* ft__engine_typical - the typical run of the i-th site, without teeth and base: the smooth curve, and the
 * size's own difference from it, as far as its runs show it. */
struct ft_ss_value ft__engine_typical(const struct ft__engine *engine, size_t i);

/* ft__engine_freedom - how many runs the curve did not follow: of each site's one is lost to it, as far as it
 * is known by these runs alone. */
double ft__engine_freedom(const struct ft__engine *engine);

/* ft__engine_site - of the i-th that was measured. */
struct ft__known ft__engine_site(const struct ft__engine *engine, size_t i);

double ft__engine_ln(const struct ft__engine *engine, double x);

/*
 * The distribution of single runs about the typical one: residuals in units of the noise around them.
 * Skewed, because background load only ever slows a run down.
 */

enum { FT__RESIDUALS = 64 };

/* Zero-initialised: no run was seen twice, the prior alone. */
struct ft__scatter {
	double residual[FT__RESIDUALS]; /* [n] ascending; this many quantiles if there are more */
	double law[FT__RESIDUALS], reached[FT__RESIDUALS]; /* runs up to each: of the prior, of both */
	size_t n;
	double runs;                    /* that they stand for */
	double freedom;                 /* runs that the curve did not follow, which determine the noise */
	double usual;                   /* the deviation before any was seen, geometric mean over runs */
	double median;                  /* of the mixture with the prior */
	double spike_rate, spike_ratio; /* as in struct ft_model_facts */
};

/* ft__scatter_learn - from all runs of informative sites. site, known [sites]: the site, and the
 * prediction there (of ln value minus ln work and base). FT_ENOMEM. */
enum ft_status ft__scatter_learn(struct ft__scatter *scatter, const struct ft__site *site,
				 const struct ft__known *known, size_t sites, struct ft_err *err);

/* ft__scatter_quantile - below which a share p of single runs lies, less the median. */
double ft__scatter_quantile(const struct ft__scatter *scatter, double p);

/* ft__scatter_settle - set law, reached and median, once the residuals are there. */
void ft__scatter_settle(struct ft__scatter *scatter);

/*
 * The average over undecidable choices: how long a slope lasts (tau), and whether the mean of the curve is
 * the work alone or the laws of the sizes. Each is an engine of its own, weighted by how well it predicted
 * each size from those before.
 */

struct ft__member {
	double weight;
	bool by_law;              /* its mean is that of the laws */
	double freedom;           /* runs that it did not follow, which determine its noise; not stored */
	struct ft__engine engine; /* its sites hold no values */
};

enum { FT__MEMBERS_MOST = 8 }; /* that are kept */

/* Zero-initialise; ends with ft__blend_clear. */
struct ft__blend {
	struct ft__member *member; /* [n] heaviest first */
	size_t n;
	struct ft_laws *laws;  /* for members that use them; NULL: there are none */
	struct ft__miss *miss; /* [n_misses] ascending: of sizes that were left out */
	size_t n_misses;
	double most; /* the largest size, ln */
	enum ft_resource_class of;
	const struct ft__growth *growth; /* outside the data; borrowed */
	bool brief;                      /* one member: it continues unchanged outside the data */
	double spread;                   /* of the sizes about predictions by the rest: a share, > 0 */
	struct ft__growth_edge edge;
	double law_share,
		law_off; /* the trust in the law alone beyond the data, and how far sizes lie from it */
	struct ft__scatter runs;
};

/* The prediction at a size. Logarithms, minus the work. */
struct ft__outlook {
	double z;            /* of the typical run: the median */
	double lower, upper; /* its interval at the requested confidence; calibrated */
	double scatter;      /* scale of single runs, as their residuals are in units of it */
	double widest;       /* the same, widened for few runs, at that confidence */
};

/* Options of a blend: offset that was added to the values (laws are of values alone); brief: one member,
 * no laws, no calibration. */
struct ft__blend_options {
	double offset;
	enum ft_resource_class of;
	bool brief;
	const struct ft_prior *prior; /* NULL: the built-in one */
};

/* ft__blend_make - from an engine with all runs. Settles it. FT_ENOMEM. */
enum ft_status ft__blend_make(struct ft__blend *out, struct ft__engine *engine,
			      const struct ft__blend_options *options, struct ft_err *err);
void ft__blend_clear(struct ft__blend *blend); /* accepts NULL, and twice */

/* ft__blend_edge - set what ft__blend_at needs outside the data, after members, laws and spread are set. */
enum ft_status ft__blend_edge(struct ft__blend *blend, struct ft_err *err);

/* ft__blend_members - the prediction of each member at a size, continuing the measured ones: ln value
 * minus ln work. Returns the variance of single runs about it. */
double ft__blend_members(const struct ft__blend *blend, double x, double work, bool fine,
			 struct ft__growth_belief *out);

/* ft__blend_at - fine: with fine structure. work at x, for the laws' mean (laws are of values). */
struct ft__outlook ft__blend_at(const struct ft__blend *blend, double x, double work, bool fine,
				double confidence);

/*
 * Numbers as bytes, the same on every machine: doubles as IEEE 754, least byte first.
 */

/* Zero-initialise. */
struct ft__packer {
	unsigned char *bytes; /* [n] heap */
	size_t n, capacity;
	bool failed; /* no memory */
};

void ft__pack(struct ft__packer *packer, double value);
void ft__pack_many(struct ft__packer *packer, const double *values, size_t n);

struct ft__unpacker {
	const unsigned char *bytes;
	size_t left;
	bool failed; /* the input was too short */
};

double ft__unpack(struct ft__unpacker *from);
void ft__unpack_many(struct ft__unpacker *from, double *values, size_t n);

/* ft__unpack_count - a number of items of some doubles each: fails if it exceeds the rest. */
size_t ft__unpack_count(struct ft__unpacker *from, size_t doubles);

/* ft__pack_factor, ft__pack_law - a law's factor, and a law, since fitting one again costs more than all
 * other reasons to load a model. ft__unpack_law - with at most some parameters and terms. false: not
 * finite numbers. */
void ft__pack_law(struct ft__packer *packer, const struct ft_law *law);
bool ft__unpack_law(struct ft__unpacker *from, size_t params, size_t most, struct ft_law *law);

/*
 * The rows of the table of models, one file each, and what they share.
 */

struct ft_model {
	const struct ft_model_type *type;
	struct ft_model_facts facts;
	struct ft_knot *knot; /* [n] ascending, all different */
	size_t n;
	size_t axis[FT_PARAMS_MAX], n_axes;
	const struct ft_prior *prior; /* borrowed; NULL: the built-in one */
	void *state;                  /* the type's */
};

/* Input of a type's fit: the model's axes, knots and the facts through_speed, offset, sizes and runs are
   set. */
struct ft__fit {
	const struct ft_observation *observation; /* [n] ascending by size, then by value */
	const struct ft_observation *measured;    /* the same as they were given */
	size_t n;
	const struct ft_model_options *options;
};

struct ft_model_type {
	const char *name;
	size_t axes; /* number of parameters it takes: 1; 0: any other number */
	enum ft_status (*fit)(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err);
	/* The size and the confidence are checked; *out is zero but for distance 1. */
	enum ft_status (*predict)(const struct ft_model *model, const struct ft_size *size, double work,
				  double confidence, struct ft_prediction *out, struct ft_err *err);
	void (*pack)(const struct ft_model *model, struct ft__packer *packer);
	enum ft_status (*unpack)(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err);
	void (*free)(void *state); /* accepts NULL */
};

enum { FT__MODEL_TYPES = 4 };
extern const struct ft_model_type *const ft__model_types[FT__MODEL_TYPES];
extern const struct ft_model_type ft__model_engine, ft__model_band, ft__model_process, ft__model_shipped;

/* ft__observation_is_good - whether it can be modelled: numbers finite, value >= 0, work > 0, a size of
 * this many parameters. ft__observation_compare: by size, then by value, for qsort. */
bool ft__observation_is_good(const struct ft_observation *observation, size_t length);
int ft__observation_compare(const void *a, const void *b);

/* ft__model_rounding - variance of ln value that rounding to whole steps makes: of a twelfth of a step's
 * square. Source: Sheppard 1898 (corrections of moments). */
double ft__model_rounding(double step, double value);

/* ft__model_beyond_step - what is left of a share of a value when a step of it is no fault. */
double ft__model_beyond_step(double share, double step, double value);

/* ft__model_usual - the deviation that n runs, of the observations from `from` on, usually have, geometric
 * mean.
 */
double ft__model_usual(const struct ft__fit *fit, size_t from, size_t n);

/* ft__model_value - the cost of a logarithm, minus the offset that kept it finite; finite, not negative.
 * FT__LN_MOST: the range of exp; values outside it, and NaN, are moved to its end. */
#define FT__LN_MOST 700.0
double ft__model_value(double ln, double offset);

/* ft__model_x - the value of a model's only parameter. */
double ft__model_x(const struct ft_model *model, const struct ft_size *size);

/* ft__model_has_work - whether values go by work: one that is the same everywhere is none. */
bool ft__model_has_work(const struct ft_model *model);

/* ft__model_work - the work at a size of one parameter: as given, else the power law between the nearest
 * knots. */
double ft__model_work(const struct ft_model *model, double x, double work);

/* ft__model_place - where a size of one parameter lies: basis, distance, runs; *below: the last knot at or
 * below it. */
void ft__model_place(const struct ft_model *model, double x, struct ft_prediction *out, size_t *below);

/* ft__model_rough, ... - above this a curve counts as uneven, and runs as noisy; fewer sizes are not
   enough. */
#define FT__ROUGH_OVER 0.20
#define FT__NOISY_OVER 0.15
enum { FT__SIZES_LEAST = 5 };

/*
 * An engine's blend as bytes, and back.
 */

void ft__blend_pack(const struct ft__blend *blend, struct ft__packer *packer);

/* ft__blend_unpack - the model's knots are set already. Ends with ft__blend_clear, also on failure.
 * FT_EPARSE: invalid bytes; FT_ENOMEM. */
enum ft_status ft__blend_unpack(struct ft__blend *b, const struct ft_model *model, struct ft__unpacker *from,
				struct ft_err *err);

/*
 * Detect whether newer samples differ systematically from older ones.
 */

/* ft__change_settle - find the moment from which on samples have shifted, if there is one, and correct the
 * older ones: those at a size with newer ones are dropped, the rest are moved by the shift. Repeated, since
 * there may be several changes; `change` describes the last one: shift and error of the newer by the older,
 * how many are newer, since when; 0: there is none.
 *
 * Not possible for samples without times, or sizes that do not interleave: the order of a file is not
 * that of time.
 *
 * observation  [*n] in and out; put into the order of time
 * options      of the model that will be made of them
 *
 * Returns FT_OK; FT_ENOMEM. Cost: up to 80 fits to parts of the samples, of at most 300 of them, for each
 * change and one more.
 */
enum ft_status ft__change_settle(struct ft_observation *observation, size_t *n,
				 const struct ft_model_options *options, struct ft_change *change,
				 struct ft_err *err);

/*
 * Facts about the engine's model over one parameter as a whole.
 */

/*
 * The curve of a typical run over several parameters, and the noise of single runs about it, as
 * one random process whose variances are learned from the runs. doc/surfaces.md has the formulas.
 *
 * 	z = ln value - ln work = plane + a function of each ln parameter + one of all of them
 * 	    + steps along ln memory footprint + noise
 *
 * Along one parameter it is the process of model.h: slopes that return to a mean one. Caches and memory end
 * at some footprint, for any parameters that cause it: steps are a process over the footprint.
 */

/* The number of bins of ln footprint in which steps are learned; the most sites that are solved exactly,
 * and the number that represents more. */
enum { FT__FIELD_BINS = 32, FT__FIELD_DENSE = 500, FT__FIELD_FEW = 300 };

/* The position of a size. */
struct ft__spot {
	double at[FT_PARAMS_MAX]; /* [d] ln size */
	double memory; /* ln of the footprint, or of the product of parameters that stands for it */
	double reach;  /* and up to which one cliffs may hide */
};

/* The learned variances, of ln value. */
struct ft__field_traits {
	double slope[FT_PARAMS_MAX];  /* of the slope along each parameter */
	double length[FT_PARAMS_MAX]; /* over which that slope returns to the mean one, in ln size */
	/* The function along the direction in which the value grows, for products of powers plus a
	 * constant. Its slope, its length, and the direction. */
	double ridge, ridge_length, way[FT_PARAMS_MAX];
	double whole, whole_length;  /* of the function of all parameters, and over how much it changes */
	double usual_step;           /* for a unit of ln footprint: what all bins have in common ... */
	double step[FT__FIELD_BINS]; /* ... and each of its own */
	double first_bin, bin;       /* where the first begins, and their width */
};

/* A cliff that may hide between two footprints. */
struct ft__field_gap {
	double from, to; /* ln footprint */
	double variance;
	bool is_cliff; /* and that is more likely than none */
};

/* Zero-initialise by ft__field_init; ends with ft__field_clear. */
struct ft__random_field {
	size_t d;
	double slope_mean, slope_sd; /* of the plane, along each parameter */
	bool steps;                  /* footprints are known, or a product of parameters stands for them */
	bool product;                /* the latter: what no size shows hides from it, too */
	bool cliffs;                 /* they may hide outside all sites ... */
	double calm;  /* times the usual variances of its functions: below 1 for the residuals of a law */
	double cliff; /* of such a deviation ... */
	double most[FT_PARAMS_MAX]; /* ... up to here, where footprints are not known: ln size */
	struct ft__field_traits traits;
	struct ft__site *site; /* [n] input; x, at, base, teeth, cliff are unused */
	struct ft__spot *spot; /* [n] parallel to them */
	double *self;          /* [n] ft__field_self of them, once solved */
	double *y, *variance;  /* [n] what is seen there: the mean of its runs, and its variance */
	size_t n, capacity;
	double drift; /* variance that visits at another time add to that of single runs */
	/* derived: */
	double centre[FT_PARAMS_MAX], mean; /* of spots and y: units change nothing */
	double *factor;                     /* [n x n] U of the covariance U' U */
	double *inverse;                    /* [n x n] of the covariance */
	double *alpha;                      /* [n] inverse (y - mean) */
	double *space;                      /* [n x n] */
	struct ft__field_gap *gap;          /* [n_gaps] ascending */
	size_t n_gaps;
	double likelihood; /* ln of how likely the sites are, and the traits before them */
};

/* ft__field_init - over d parameters; work: values were divided by the work, so that slopes are about 0.
 * cliffs: they may hide where nothing was measured. field->steps and most are set by the caller. */
void ft__field_init(struct ft__random_field *field, size_t d, bool work, bool cliffs);
void ft__field_clear(struct ft__random_field *field); /* accepts NULL, and twice */

/* ft__field_forget - all sites; what was learned from them stays. */
void ft__field_forget(struct ft__random_field *field);

/* ft__field_set - set all runs at a spot, replacing earlier ones. ln [n] ln value, n >= 1. FT_ENOMEM:
 * nothing changed. Nothing is learned before ft__field_learn. */
enum ft_status ft__field_set(struct ft__random_field *field, const struct ft__spot *spot, double work,
			     const double *ln, size_t n, struct ft_err *err);

/* ft__field_limit - further runs at a spot, that met a limit: ln [n] ln limit. ft__field_take - the runs of a
 * site of another field, less a law at the spot (ln). FT_ENOMEM. */
enum ft_status ft__field_limit(struct ft__random_field *field, const struct ft__spot *spot, double work,
			       const double *ln, size_t n, struct ft_err *err);
enum ft_status ft__field_take(struct ft__random_field *field, const struct ft__spot *spot, double work,
			      const struct ft__site *from, double law, struct ft_err *err);

/* ft__field_learn - this many rounds of expectation and maximisation, from the present state; then lengths
 * are fitted if requested. n >= 1. Cost O(rounds n^3). */
void ft__field_learn(struct ft__random_field *field, int rounds, bool lengths);

/* ft__field_heed - learn the noise of runs and the weight of each, with fixed traits. */
void ft__field_heed(struct ft__random_field *field, int rounds);

/* ft__field_settle - learn again from scratch: from two starts, with steps from three, of which the one
 * with the highest likelihood is kept. Returns the log likelihood, traits included. */
double ft__field_settle(struct ft__random_field *field);

/* ft__field_score - the log likelihood of all sites, each predicted from all the rest. */
double ft__field_score(const struct ft__random_field *field);

/* ft__field_solve - what follows from traits, spots, y and variance as they are. */
void ft__field_solve(struct ft__random_field *field);

/* ft__field_self - the part of covariances that depends on one spot alone; ft__field_between - the
 * covariance of two spots with known parts: a third of the cost. */
double ft__field_self(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_between(const struct ft__random_field *field, const struct ft__spot *a, double self_a,
			 const struct ft__spot *b, double self_b);

/* ft__field_at - at any spot; slope is not set. row [n] out: U'^-1 times its covariances with the sites;
 * may be NULL. Cost O(n^2). */
struct ft__known ft__field_at(const struct ft__random_field *field, const struct ft__spot *spot, double *row);

/* ft__field_step - the evidence for one cliff along a product of powers of the parameters: ln of the mean,
 * over all places of it, of how much likelier the sites are with one. exponent [d]. Of a field that is
 * solved. */
double ft__field_step(const struct ft__random_field *field, const double *exponent);

/* ft__field_site - of the i-th that was measured. */
struct ft__known ft__field_site(const struct ft__random_field *field, size_t i);

/* ft__field_left_out - the i-th site predicted from the rest: its distance (innovation), and the variance
   of that. */
void ft__field_left_out(const struct ft__random_field *field, size_t i, double *off, double *variance);

/* ft__field_caution - the factor by which its errors exceed the stated ones: a quantile of the distances
 * of sites that are left out. FT_ENOMEM. */
enum ft_status ft__field_caution(const struct ft__random_field *field, double *caution, struct ft_err *err);

/* ft__field_hidden - variance of the cliffs that may hide before a spot; more: a spot that is measured as
 * well; NULL: none. */
double ft__field_hidden(const struct ft__random_field *field, const struct ft__spot *spot,
			const struct ft__spot *more);

/*
 * Shared by the files of the field.
 */

/* Cliffs per unit of ln footprint, and the deviation of one; what rounding leaves of a variance. */
#define FT__CLIFF_RATE  0.3
#define FT__CLIFF_SIZE  0.5
#define FT__FIELD_LEAST 1e-13

/* ft__field_from - half the variance of the change of a one-parameter function over a distance, for slopes
 * of variance 1: an Ornstein-Uhlenbeck process, integrated. Its covariance at a and b, which are counted
 * from the centre, is from(a) + from(b) - from(a - b). */
double ft__field_from(double a, double length);

/* ft__field_whole - of the function of all parameters, for a variance of 1. */
double ft__field_whole(const double *a, const double *b, size_t d, double length);

/* ft__field_begin - reset what was learned; steps: relative to the usual ones; scatter: the same, a
   deviation. */
void ft__field_begin(struct ft__random_field *field, double steps, double scatter);

/* ft__field_observe - y and variance: the mean of the runs of each site as far as they are believed. */
void ft__field_observe(struct ft__random_field *field);

/* ft__field_mean - the prior of level and plane. ft__field_scatter - the noise of single runs around a
 * spot, as learned at the sites near it. */
double ft__field_mean(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_scatter(const struct ft__random_field *field, const struct ft__spot *spot);

/* ft__field_plane - its slopes [d]. ft__field_expect - the mean at a spot, as of ft__field_at; cost O(n d).
 * ft__field_steps - the variance that the steps below two footprints share. */
void ft__field_plane(const struct ft__random_field *field, double *slope);
double ft__field_expect(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_steps(const struct ft__random_field *field, double a, double b);

/* ft__field_invert - inverse = W' W, W = U'^-1, of a field whose factor is U. */
void ft__field_invert(struct ft__random_field *field);

/* ft__field_factor - factor, alpha and likelihood, from traits, spots, y and variance as they are. */
void ft__field_factor(struct ft__random_field *field);

/*
 * A field of more sizes than are solved at once: its sites represent all (inducing points), and the
 * residuals of the rest are noise of their own.
 *
 * Source: Snelson and Ghahramani, Sparse Gaussian processes using pseudo-inputs, 2006 (the approximation is
 * called FITC); if all sizes are sites, it is the field itself.
 */

/* The observation at a size. */
struct ft__seen {
	struct ft__spot spot;
	double y, variance;
	struct ft__known known; /* out: of it */
};

/* Zero-initialise; ends with ft__many_clear. */
struct ft__many {
	size_t m;       /* sites of the field */
	double *first;  /* [m x m] U of their covariance */
	double *second; /* [m x m] U of 1 and the contributions of all sizes, in units of the first */
	double *alpha;  /* [m] in the same */
	double *space;  /* [m] */
};

/* ft__many_make - of a field that has learned, and all sizes seen [n], its sites among them. FT_ENOMEM.
 * Cost O(n m^2). */
enum ft_status ft__many_make(struct ft__many *many, const struct ft__random_field *field,
			     struct ft__seen *seen, size_t n, struct ft_err *err);
void ft__many_clear(struct ft__many *many); /* accepts NULL, and twice */

/* ft__many_at - as ft__field_at. Cost O(m^2). */
struct ft__known ft__many_at(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot);

/*
 * Run-to-run variation at one size when few runs were made: a prior, learned from recorded programs, which
 * the program's own runs gradually override.
 */

/* ft__noise_usual - the median over programs of the deviation of ln value of runs of one size.
 *
 * seconds  duration of the run; NaN: not known
 * load     tasks of other processes per processor around it; NaN: not known
 */
double ft__noise_usual(enum ft_resource_class of, double seconds, double load);

/* A deviation and its uncertainty: its logarithm is normal. */
struct ft__noise {
	double scale;  /* its median */
	double spread; /* deviation of its logarithm */
};

/* ft__noise_known - combine the prior with the deviation `seen` of some runs (`freedom`). */
struct ft__noise ft__noise_known(double usual, double seen, double freedom);

/* ft__noise_stretch - how much wider the interval is that a share `confidence` of runs is inside, where the
 * deviation is known so well only, than by its median alone: 1 where it is known exactly. Cost O(1). */
double ft__noise_stretch(double spread, double confidence);

/*
 * The prior of growth outside the measured range: the built-in table (growth_table.h), or a site's file
 * instead.
 */

struct ft_prior {
	struct ft__growth of[FT_CLASSES];
};

/* A parameter of struct ft__growth in the file: one row of the table, `rows` lists of `columns` numbers. */
struct ft__prior_field {
	const char *name;
	size_t offset, rows, columns;
	double least, most;
	bool shares; /* each list sums to 1 */
};

/* The table, which has all of struct ft__growth. A parameter is added by adding a row. */
extern const struct ft__prior_field ft__prior_field[];
extern const size_t ft__prior_fields;

/* ft__prior_growth - [FT_CLASSES] of a prior; NULL: the built-in table. */
const struct ft__growth *ft__prior_growth(const struct ft_prior *prior);

/* ft__prior_mark - a whole number by which different priors differ. */
double ft__prior_mark(const struct ft_prior *prior);

/* ft__prior_print - the file that ft_prior_read reads. Numbers have three digits, as in growth_table.h. */
void ft__prior_print(const struct ft__growth growth[FT_CLASSES], struct ft_text *out);

/*
 * The position of a place relative to other ones: among them, or outside.
 */

/* ft__region_surrounds - whether there are points on all sides of a place, weakly, or it lies in their convex
 * hull.
 *
 * point  [n x d] in units of their ranges; d <= FT_PARAMS_MAX, n >= 1
 * x      [d]
 */
bool ft__region_surrounds(const double *point, size_t n, size_t d, const double *x);

/* ft__region_nearest - the point nearest to a place that was not taken before; it is taken. taken [n] */
size_t ft__region_nearest(const double *point, size_t n, size_t d, const double *x, bool *taken);

/* ft__region_spread - the i-th of evenly spread places of the unit box (Halton 1960). x [d] out */
void ft__region_spread(size_t i, size_t d, double *x);

/*
 * The state of a model over several parameters.
 */

#define FT__NO_SITE ((size_t)-1)

/* The most views of where cliffs lie: without a product, and with the likeliest ones; and the largest
 * exponent of a product. */
enum { FT__SUSPECTS = 3, FT__VIEWS = 1 + FT__SUSPECTS, FT__PRODUCT_MOST = 2 };

/* One view: cliffs lie over the footprint, where it is known; else over no product of parameters, or over
 * one.
 */
struct ft__view {
	double weight;                 /* of all views: 1 */
	double product[FT_PARAMS_MAX]; /* [d] exponents of the product; all 0: there is none */
	struct ft__random_field field; /* a site for each knot, in their order; of many, for some */
	struct ft_laws_many *laws;     /* NULL: there are none */
	struct ft__random_field rest;  /* of their residuals */
	double inside, share;          /* the weight of both among the knots, and far outside them */
};

struct ft__several {
	size_t axis[FT_PARAMS_MAX], d;                    /* the parameters that vary, ascending */
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX]; /* [params] the box of the knots */
	size_t params;
	struct ft__view view[FT__VIEWS]; /* [n_views] the likeliest first */
	size_t n_views;
	size_t *site;          /* [knots] of the fields; FT__NO_SITE */
	struct ft__many many;  /* of many knots, all together, by the first view: m = 0: there are few */
	struct ft__seen *seen; /* [knots] of many */
	struct ft__random_field footprint; /* of ln bytes; no sites: not known */
	double *place;                     /* [n x d] of the knots: ln size, the box being 0 .. 1 */
	struct ft__scatter runs;
	double caution; /* ratio of actual to stated errors */
};

/* ft__several_shape - axes and box, from a model's knots. */
void ft__several_shape(struct ft__several *p, const struct ft_model *model);

/* ft__several_ln - ln of the value of a parameter; sizes of 0 and below are shifted to 1. ft__several_at_ln -
 * the spot of a size, of which the footprint is not looked at. */
double ft__several_ln(const struct ft__several *p, size_t param, double value);
struct ft__spot ft__several_at_ln(const struct ft__several *p, const struct ft_size *size);

/* ft__several_spot - the position of a size in a view; its footprint is predicted from those of the rest. */
struct ft__spot ft__several_spot(const struct ft__several *p, const struct ft__view *view,
				 const struct ft_size *size);

/* ft__several_place - a size in units of the box of the knots. x [d] out */
void ft__several_place(const struct ft__several *p, const struct ft_size *size, double *x);

/* ft__several_places - p->place and p->site, of the knots. FT_ENOMEM. */
enum ft_status ft__several_places(struct ft__several *p, const struct ft_model *model, struct ft_err *err);

/* ft__several_cliff - the deviation of a cliff outside all knots: a value that is the same at all of them
 * is not expected to change at once by more than its variation so far. */
double ft__several_cliff(const struct ft_model *model);

/* ft__several_unite - where not each knot is a site: p->many, of the field and all knots. FT_ENOMEM. */
enum ft_status ft__several_unite(struct ft__several *p, const struct ft_model *model, struct ft_err *err);

/* ft__several_mix - combine the prediction of the laws at a size with that of the field. other: of
   view->rest. */
void ft__several_mix(const struct ft__several *p, const struct ft__view *view, const struct ft_size *size,
		     double work, struct ft__known other, struct ft__known *known);

/* ft__several_clear_view - accepts one that is clear. */
void ft__several_clear_view(struct ft__view *view);

/* ft__several_fit - the row's, less the facts. */
enum ft_status ft__several_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err);

/*
 * The variance between runs of one size at different times, in addition to that of one visit: an analysis of
 * variance with random effects. Consecutive runs of one size are one visit.
 */

/* ft__visits_drift - variance of ln value that a run at another time adds to the noise of its size; 0 if
 * there are visits of fewer than two sizes. measured [n] in the order of measurement. FT_ENOMEM. */
enum ft_status ft__visits_drift(const struct ft_observation *measured, size_t n, double offset, double *drift,
				struct ft_err *err);

void ft__pack_factor(struct ft__packer *packer, const struct ft_law_factor *factor);

bool ft__unpack_factor(struct ft__unpacker *from, struct ft_law_factor *factor);

#endif
