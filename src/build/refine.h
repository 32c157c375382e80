/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.h - the state of the adaptive builder over several parameters, and the sizes that it may ask for. */
#ifndef FT_BUILD_REFINE_H
#define FT_BUILD_REFINE_H

#include "build/types.h"
#include "model/field.h"

enum { FT__FIRST_MOST = 16, FT__REVISIT_MOST = 4 };

struct ft__candidate {
	struct ft__place place;
	struct ft__spot spot;
	double self; /* of it, as covariances need */
	double work;
	double variance, hidden; /* of ln of the typical time: what the field states, and cliffs beside it */
	double scatter;          /* variance of single runs */
	double ln;               /* of the typical time */
	double seconds;          /* expected */
	bool dead;               /* a hole, or too large */
	bool failed;             /* told that nothing can be measured there, but no hole */
	bool far;                /* dearer than is sensible after failures */
	bool spent;              /* no more runs are to be had there */
};

struct ft__refine {
	struct ft__lattice *lattice;
	size_t axis[FT_PARAMS_MAX], d;   /* those that vary */
	struct ft__candidate *candidate; /* [n] */
	size_t n, excluded;
	size_t stride;                /* every so many candidates stand for all where a gain is summed up */
	size_t first[FT__FIRST_MOST]; /* [n_first] candidates to begin with */
	size_t n_first, next_first;
	struct ft__field field, footprint; /* footprint has no sites: none is known */
	size_t tuned, footprint_tuned;     /* so many sites there were when lengths were looked for */
	double *row;                       /* [field.n x n] U'^-1 times the covariances with candidates */
	double *miss;                      /* [n_misses] ascending: first visits, in deviations */
	size_t n_misses, misses_most;
	size_t waiting;                   /* the candidate asked; n: none */
	size_t last;                      /* the one asked before; n: none */
	size_t runs;                      /* that were known there then */
	double known_s;                   /* their seconds in all */
	double foreseen, foreseen_error;  /* ln time there, its deviation; < 0: nothing was foreseen */
	double spent;                     /* seconds, of the runs that it asked for */
	double first_s;                   /* those of them that went into the first sizes */
	double overhead;                  /* of each run, beside those it is told of; part of the above */
	size_t revisit[FT__REVISIT_MOST]; /* [n_revisits] candidates to run again at the end */
	size_t n_revisits, next_revisit;
	bool ending; /* they are chosen: nothing else will be asked */
	enum ft_stop stop;
	bool flat[FT_PARAMS_MAX]; /* once it is done: this parameter changes nothing */
};

/* ft__candidates_make - the sizes that may be asked: a lattice of those admitted; and which come first.
 * FT_EINVAL: none is admitted; FT_ENOMEM. */
enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err);

/* ft__refine_site - what is known of a candidate; NULL: nothing. */
const struct ft__told *ft__refine_site(const struct ft__refine *r, size_t candidate);

size_t ft__refine_known(const struct ft__refine *r); /* sizes that could be measured */

/* ft__refine_learn - from all that was told, and what follows of every candidate; at least one size could be
 * measured. FT_ENOMEM. (refine_known.c) */
enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err);

/* ft__refine_caution - how many times larger than stated errors are. ft__refine_missed - one more. FT_ENOMEM.
 */
double ft__refine_caution(const struct ft__refine *r);
enum ft_status ft__refine_missed(struct ft__refine *r, double miss, struct ft_err *err);

/* ft__refine_gain - by how much one more run at a candidate lets single runs be foretold better, summed over
 * the candidates that stand for all, where the excess is larger than `from`. */
double ft__refine_gain(const struct ft__refine *r, size_t candidate, double from);

/* ft__refine_left - the mean excess over all candidates, and the one that 95 % of them stay below. scratch
 * [n] */
void ft__refine_left(const struct ft__refine *r, double *scratch, double *mean, double *high);

static inline bool ft__candidate_is_alive(const struct ft__candidate *c)
{
	return !c->dead && !c->far;
}

/* ft__refine_ln - ln size on the axis-th of those that vary. */
double ft__refine_ln(const struct ft__refine *r, size_t axis, size_t index);

#endif
