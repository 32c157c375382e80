/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the curve of a typical run over one parameter, and the scatter of single runs about it, as one
 * random process (num/statespace.h) whose variances are learned from the runs. doc/models.md has the
 * formulas, doc/constants.md the measurement behind each constant.
 *
 *	z = ln value - ln work - base(x) = curve + fine structure + scatter
 *
 * A curve is a function of the runs it was told, in any order, once it has settled (ft__engine_settle).
 */
#ifndef FT_MODEL_ENGINE_H
#define FT_MODEL_ENGINE_H

#include "foretime/status.h"
#include "num/statespace.h"

#include <stdbool.h>
#include <stddef.h>

/* Of more runs at one size, as many quantiles stand for them; fine structure is of so many kinds at most. */
enum { FT__VALUES_KEPT = 32, FT__ENDS_KEPT = 4, FT__TEETH_MOST = 4, FT__TOOTH_PLACES = 8 };

/* Of runs at one size that met different limits, so many limits stand for all. */
enum { FT__LIMITS_KEPT = 8 };

/* What a person would call a spike: so many times longer than the typical run. */
#define FT__SPIKE_RATIO 1.5

/* One run, or count of them that were as long; weight: how far it is believed (1: as others, 0: not).
 *
 * A run that met a limit is a right-censored observation: only z > limit is known. Its z is then the expected
 * value above the limit, given the curve and the noise at the time of the last ft__site_believe. */
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
	double base;     /* what is taken off: the mean function */
	double teeth;    /* and the fine structure there */
	double scatter;  /* variance of single runs about the curve (scale of their t law) */
	double around;   /* the same but for its own runs, by which these are believed: of fields alone */
	double usual;    /* deviation that such runs usually have, before any is repeated */
	double texture;  /* variance of the typical run about the smooth curve, each size by itself */
	double rounding; /* which is never less than that of rounding to whole steps */
	double cliff;    /* variance of a cliff hidden in the gap to the next one */
	bool is_cliff;   /* and that is more likely than none */
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
	/* Of a sawtooth: periods and phases that are all as likely, for sizes hardly tell where it falls. */
	struct ft__tooth_place {
		double period, phase;
	} place[FT__TOOTH_PLACES]; /* [places] */
	size_t places;             /* 0: the period and the phase alone */
};

/* Zero-initialise by ft__engine_init; ends with ft__engine_clear. */
struct ft__engine {
	struct ft_ss_process process;
	double shift;            /* added to sizes before their logarithm is taken */
	double range;            /* ln of the largest by the least size that may be asked for */
	struct ft__site *site;   /* [n] ascending */
	struct ft_ss_node *node; /* [n] beside them */
	struct ft_ss_pass *pass;
	double *work; /* [6 n] space for sums along the sizes */
	size_t n, capacity;
	double *level_around,
		*slope_around; /* [n] what the gaps around each have in common of node.level, node.slope */
	double beyond_level[2],
		beyond_slope[2]; /* that of the first and of the last one, which goes on beyond */
	bool smooth;             /* no texture is looked for: of brief models */
	bool even;               /* runs scatter alike at all sizes, as levels of memory do */
	bool stiff;              /* gaps are not learned: the curve is its base, but for little */
	double likelihood;       /* ln of how likely the runs are, one size foretold after the other */
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

/* ft__site_believe - how far its runs are believed: as t errors of that scatter about what is known of the
 * curve there. ft__site_likelihood - ln of how likely they are about their mean, given that. (site.c) */
void ft__site_believe(struct ft__site *site, double z, double variance, double scatter);
double ft__site_likelihood(const struct ft__site *site, double mean);

/* ft__site_keep - the values of a site, of which the work is set: ln [n] ln value, in any order; n >= 1.
 * ft__site_limit - append runs that met a limit: ln [n] ln limit. False: no memory. ft__site_trust - believe
 * all runs alike, and take limits for values, as before anything is learned. (site.c) */
bool ft__site_keep(struct ft__site *site, const double *ln, size_t n);
bool ft__site_limit(struct ft__site *site, const double *ln, size_t n);
void ft__site_trust(struct ft__site *site);

/* ft__engine_set - all runs at a size, in place of those that were told of it before.
 *
 * ln  [n] ln value, in any order; n >= 1
 *
 * Returns FT_OK; FT_ENOMEM (nothing changed). Nothing is learned before ft__engine_learn.
 */
enum ft_status ft__engine_set(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
			      struct ft_err *err);

/* ft__engine_limit - further runs at a size, that met a limit: ln [n] ln limit. The size is added where it
 * has no runs yet. FT_ENOMEM: nothing changed. */
enum ft_status ft__engine_limit(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
				struct ft_err *err);

/* ft__engine_learn - so many rounds of expectation and maximisation, from where it stands. Cost O(n). */
void ft__engine_learn(struct ft__engine *engine, int rounds);

/* ft__engine_settle - learn anew, from scratch; fine structure too. */
void ft__engine_settle(struct ft__engine *engine, int rounds);

/* ft__engine_find_teeth - look once more for fine structure, and learn where it changed. (teeth.c) */
void ft__engine_find_teeth(struct ft__engine *engine);

/* ft__tooth_at - a shape at a size, of height 1: the mean over its places; *variance: among them.
 * ft__tooth_name: "multiples of 8"; returns the buffer. (teeth.c)
 */
double ft__tooth_at(const struct ft__tooth *tooth, double x, double *variance);
const char *ft__tooth_name(const struct ft__tooth *tooth, char *buffer, size_t size);

/* ft__engine_teeth - of all kinds found, at a size; *variance is added to. */
double ft__engine_teeth(const struct ft__engine *engine, double x, double *variance);

/* ft__engine_doubt - variance of where sawteeth fall, at a size or between sizes. (teeth.c) */
double ft__engine_doubt(const struct ft__engine *engine, double x);

/* What is known of a size. Logarithms. */
struct ft__known {
	double z;        /* of the typical run, less ln work and base */
	double variance; /* of that */
	double scatter;  /* variance of single runs about it */
	double slope;    /* dz / d ln x */
};

/* ft__engine_at - of any size; fine: with fine structure (else the smooth part alone, but for where sawteeth
 * may fall, which may be asked between admissible sizes). n >= 1. Cost O(log n). */
struct ft__known ft__engine_at(const struct ft__engine *engine, double x, bool fine);

/* ft__engine_near - the same, where i, the last site at or below x, and ln x are known. Cost O(1). */
struct ft__known ft__engine_near(const struct ft__engine *engine, size_t i, double x, double at, bool fine);

/* ft__engine_typical - the typical run of the i-th site, less teeth and base: the smooth curve, and what the
 * size has of its own, as far as its runs show it. */
struct ft_ss_value ft__engine_typical(const struct ft__engine *engine, size_t i);

/* ft__engine_freedom - how many runs the curve did not follow: of each site's one is lost to it, as far as it
 * is known by these runs alone. */
double ft__engine_freedom(const struct ft__engine *engine);

/* ft__engine_site - of the i-th that was measured. */
struct ft__known ft__engine_site(const struct ft__engine *engine, size_t i);

double ft__engine_ln(const struct ft__engine *engine, double x);

#endif
