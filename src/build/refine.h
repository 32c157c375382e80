/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.h - the state of the adaptive builder over several parameters, and the sizes that it may ask for. */
#ifndef FT_BUILD_REFINE_H
#define FT_BUILD_REFINE_H

#include "build/lattice.h"
#include "foretime/surface.h"

enum { FT__FIRST_MOST = 16 };

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
	size_t first[FT__FIRST_MOST]; /* [n_first] candidates to begin with */
	size_t n_first, next_first;
	struct ft_kernel kernel;
	size_t waiting;                  /* the candidate asked; n: none */
	size_t runs;                     /* that were known there then */
	double foreseen, foreseen_error; /* ln time there; error < 0: nothing was foreseen */
	size_t calm;                     /* new sizes in a row that were as foreseen */
	double spent;
	enum ft_stop stop;
};

/* ft__candidates_make - the sizes that may be asked: a lattice of those admitted; and which come first.
 * FT_EINVAL: none is admitted; FT_ENOMEM. */
enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err);

/* ft__candidate_coordinate - ln size on an axis, its range being 0 .. 1. */
double ft__candidate_coordinate(const struct ft__grid *grid, size_t index);
double ft__candidate_shift(const struct ft__grid *grid); /* what is added to sizes that are not positive */

#endif
