/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.h - the curve of a typical run over several parameters, and the scatter of single runs about it, as
 * one random process whose variances are learned from the runs. doc/models.md has the formulas.
 *
 *	z = ln value - ln work = plane + a function of each ln parameter + one of all of them
 *	    + steps along ln memory footprint + scatter
 *
 * Along one parameter it is the process of engine.h: slopes that return to a mean one. Caches and memory end
 * at some footprint, whatever the parameters are that make it: steps are a process over that.
 */
#ifndef FT_MODEL_FIELD_H
#define FT_MODEL_FIELD_H

#include "foretime/facts.h"
#include "model/engine.h"

/* Steps are learned in so many bins of ln footprint; so many sites are solved as they are, of more so many
 * stand for all. */
enum { FT__FIELD_BINS = 32, FT__FIELD_DENSE = 500, FT__FIELD_FEW = 300 };

/* Where a size lies. */
struct ft__spot {
	double at[FT_PARAMS_MAX]; /* [d] ln size */
	double memory; /* ln of the footprint, or of the product of parameters that stands for it */
	double reach;  /* and up to which one cliffs may hide */
};

/* What is learned. Variances are of ln value. */
struct ft__field_traits {
	double slope[FT_PARAMS_MAX];  /* of the slope along each parameter */
	double length[FT_PARAMS_MAX]; /* over which that slope returns to the mean one, in ln size */
	/* The function along the way on which the value grows: of products of powers beside a constant. Its
	 * slope, its length, and the way. */
	double ridge, ridge_length, way[FT_PARAMS_MAX];
	double whole, whole_length;  /* of the function of all parameters, and over how much it changes */
	double usual_step;           /* for a unit of ln footprint: what all bins have in common ... */
	double step[FT__FIELD_BINS]; /* ... and each of its own */
	double first_bin, bin;       /* where the first begins, and how wide they are */
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
	bool cliffs;                 /* they may hide beyond all sites ... */
	double calm;                 /* times the usual variances of its functions: below 1 beside a law */
	double cliff;                /* of such a deviation ... */
	double most[FT_PARAMS_MAX];  /* ... up to here, where footprints are not known: ln size */
	struct ft__field_traits traits;
	struct ft__site *site; /* [n] what was told; of x, at, base, teeth, cliff nothing */
	struct ft__spot *spot; /* [n] beside them */
	double *self;          /* [n] ft__field_self of them, once solved */
	double *y, *variance;  /* [n] what is seen there: the mean of its runs, and its variance */
	size_t n, capacity;
	double drift; /* variance that visits at another time add to that of single runs */
	/* what follows from it: */
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
 * cliffs: they may hide where nothing was measured. field->steps and most are the caller's to set. */
void ft__field_init(struct ft__random_field *field, size_t d, bool work, bool cliffs);
void ft__field_clear(struct ft__random_field *field); /* accepts NULL, and twice */

/* ft__field_forget - all sites; what was learned from them stays. */
void ft__field_forget(struct ft__random_field *field);

/* ft__field_set - all runs at a spot, in place of those that were told of it before. ln [n] ln value, n >= 1.
 * FT_ENOMEM: nothing changed. Nothing is learned before ft__field_learn. */
enum ft_status ft__field_set(struct ft__random_field *field, const struct ft__spot *spot, double work,
			     const double *ln, size_t n, struct ft_err *err);

/* ft__field_limit - further runs at a spot, that met a limit: ln [n] ln limit. ft__field_take - the runs of a
 * site of another field, less a law at the spot (ln). FT_ENOMEM. */
enum ft_status ft__field_limit(struct ft__random_field *field, const struct ft__spot *spot, double work,
			       const double *ln, size_t n, struct ft_err *err);
enum ft_status ft__field_take(struct ft__random_field *field, const struct ft__spot *spot, double work,
			      const struct ft__site *from, double law, struct ft_err *err);

/* ft__field_learn - so many rounds of expectation and maximisation, from where it stands; then lengths are
 * looked for where asked to. n >= 1. Cost O(rounds n^3). */
void ft__field_learn(struct ft__random_field *field, int rounds, bool lengths);

/* ft__field_heed - learn how runs scatter and how far each is believed, traits as they are. */
void ft__field_heed(struct ft__random_field *field, int rounds);

/* ft__field_settle - learn anew, from scratch: from two starts, where there are steps from three, of which
 * the one is kept that makes the runs likeliest. Returns ln of how likely they are, traits included. */
double ft__field_settle(struct ft__random_field *field);

/* ft__field_score - ln of how likely all sites are, each by all others. */
double ft__field_score(const struct ft__random_field *field);

/* ft__field_solve - what follows from traits, spots, y and variance as they are. */
void ft__field_solve(struct ft__random_field *field);

/* ft__field_self - what a covariance needs of one spot alone; ft__field_between - the covariance of two whose
 * are known: a third of the cost. */
double ft__field_self(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_between(const struct ft__random_field *field, const struct ft__spot *a, double self_a,
			 const struct ft__spot *b, double self_b);

/* ft__field_at - of any spot; slope is not told. row [n] out: U'^-1 times its covariances with the sites; may
 * be NULL. Cost O(n^2). */
struct ft__known ft__field_at(const struct ft__random_field *field, const struct ft__spot *spot, double *row);

/* ft__field_step - the evidence for one cliff along a product of powers of the parameters: ln of the mean,
 * over all places of it, of how much likelier the sites are with one. exponent [d]. Of a field that is
 * solved. */
double ft__field_step(const struct ft__random_field *field, const double *exponent);

/* ft__field_site - of the i-th that was measured. */
struct ft__known ft__field_site(const struct ft__random_field *field, size_t i);

/* ft__field_left_out - the i-th, by all others: how far it lies off (innovation), and the variance of that.
 */
void ft__field_left_out(const struct ft__random_field *field, size_t i, double *off, double *variance);

/* ft__field_caution - how many times wider than stated its errors are: a quantile of what sites lie off by
 * that are left out in turn. FT_ENOMEM. */
enum ft_status ft__field_caution(const struct ft__random_field *field, double *caution, struct ft_err *err);

/* ft__field_hidden - variance of the cliffs that may hide before a spot; more: a spot that is measured as
 * well; NULL: none. */
double ft__field_hidden(const struct ft__random_field *field, const struct ft__spot *spot,
			const struct ft__spot *more);

#endif
