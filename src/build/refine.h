/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.h - the state of the adaptive builder over several parameters, and the sizes that it may ask for. */
#ifndef FT_BUILD_REFINE_H
#define FT_BUILD_REFINE_H

#include "build/lattice.h"
#include "model/surface.h"

enum { FT__FIRST_MOST = 16, FT__REVISIT_MOST = 4 };

struct ft__candidate {
	struct ft__place place;
	double x[FT_PARAMS_MAX]; /* ln size, the range being 0 .. 1 */
	double work;
	double error;   /* what the model states, standard deviation of ln time */
	double seconds; /* and what it expects */
	bool dead;      /* a hole, or too large */
	bool failed;    /* told that nothing can be measured there, but no hole */
	bool far;       /* dearer than is sensible after failures */
	bool spent;     /* no more runs are to be had there */
};

struct ft__refine {
	struct ft__lattice *lattice;
	size_t axis[FT_PARAMS_MAX], d;   /* those that vary */
	struct ft__candidate *candidate; /* [n] */
	size_t n, excluded;
	size_t stride;                /* every so many candidates stand for all where a gain is summed up */
	size_t first[FT__FIRST_MOST]; /* [n_first] candidates to begin with */
	size_t n_first, next_first;
	struct ft_kernel kernel;
	size_t tuned;                     /* so many sizes were known when it was chosen */
	size_t waiting;                   /* the candidate asked; n: none */
	size_t last;                      /* the one asked before; n: none */
	size_t runs;                      /* that were known there then */
	double known_s;                   /* their seconds in all */
	double foreseen, foreseen_error;  /* ln time there; error < 0: nothing was foreseen */
	size_t calm;                      /* new sizes in a row that were as foreseen */
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
const struct ft__site *ft__refine_site(const struct ft__refine *r, size_t candidate);
double ft__site_mean_ln(const struct ft__site *site); /* of its seconds, of which there is one at least */

/* ft__refine_noise - of single runs around a place: as ft__surface_noise. */
double ft__refine_noise(const struct ft__refine *r, const double *x);
size_t ft__refine_known(const struct ft__refine *r); /* sizes that could be measured */

/* ft__refine_krig - the interpolation of all that is known; ends with ft__krig_clear. */
struct ft__krig;
enum ft_status ft__refine_krig(struct ft__refine *r, struct ft__krig *krig, struct ft_err *err);

/* ft__refine_state - what the model says of every candidate: its error, without the noise of a run, and its
 * seconds.
 *
 * row  [n x krig->n] out: of each candidate, factor^-1 times its covariances with what is known */
void ft__refine_state(struct ft__refine *r, const struct ft__krig *krig, double *row);

/* ft__candidate_coordinate - ln size on an axis, its range being 0 .. 1. */
double ft__candidate_coordinate(const struct ft__grid *grid, size_t index);

#endif
