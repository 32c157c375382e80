/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.h - the state of the adaptive builder over several parameters, and the sizes that it may ask for.
 *
 * All of it is a function of the runs that it was told, in their order, and of what they cost, whether it
 * asked for them or not. */
#ifndef FT_BUILD_REFINE_H
#define FT_BUILD_REFINE_H

#include "build/types.h"
#include "model/caution.h"
#include "model/field.h"

enum { FT__FIRST_MOST = 16, FT__REVISIT_MOST = 4, FT__BIDS_MOST = 64 };

struct ft__candidate {
	struct ft__place place;
	struct ft__spot spot;
	double self; /* of it, as covariances need */
	double work;
	double variance, hidden; /* of ln of the typical time: what the field states, and cliffs beside it */
	double scatter;          /* variance of single runs */
	double ln;               /* of the typical time */
	double seconds;          /* that are expected to be told of a run */
	size_t runs;             /* that are known */
	bool dead;               /* a hole, or too large */
	bool failed;             /* told that nothing can be measured there, but no hole */
	bool far;    /* dearer than is sensible after failures, or beyond what the user wants run */
	bool closed; /* no more runs are to be had there */
};

/* A run that is wanted. */
struct ft__wish {
	size_t candidate;
	size_t runs;    /* wanted there in all: done once so many are known */
	double gain;    /* mean excess that it is expected to take away */
	double seconds; /* its price; 0: not known */
};

struct ft__refine {
	struct ft__lattice *lattice;
	const size_t *axis; /* [d] those that vary */
	size_t d;
	struct ft__candidate *candidate; /* [n] */
	size_t n, excluded;
	size_t stride;                /* every so many candidates stand for all where a gain is summed up */
	size_t first[FT__FIRST_MOST]; /* [n_first] candidates to begin with */
	size_t n_first;
	struct ft__random_field field, footprint; /* footprint has no sites: none is known */
	size_t tuned, footprint_tuned;            /* so many sites there were when lengths were looked for */
	double *space;                            /* [footprint.n] */
	double *row;           /* [field.n x n] U'^-1 times the covariances with candidates */
	struct ft__miss *miss; /* [n_misses] ascending: first visits, in deviations */
	size_t n_misses, misses_most;
	double left_out; /* what the model that answers will think of its errors: ft__field_caution */
	size_t runs;     /* that were told of candidates, and ... */
	double told_s;   /* ... their seconds, as told */
	double each_s, stretch, given_s;     /* what they cost: ft_builder_price */
	struct ft__wish wish[FT__BIDS_MOST]; /* [n_wishes] what was decided last */
	size_t n_wishes, n_decided;          /* the others follow them where several are asked for at once */
	size_t decided;                      /* runs that were known then; 0: it has only begun */
	size_t strays;                       /* told since then of what was not wished for */
	double decisions_s;                  /* what all of them took, about */
	bool due;                            /* one is */
	bool ending;    /* the wishes are visits at the end: nothing else will be asked */
	double known_s; /* what was spent when single runs were foretold as well as was asked for; 0: they are
			   not */
	double typical_s; /* what may still be spent to know the typical run; 0: it is known, or single runs
			     are not */
	double believed;  /* when nothing more was wanted: to how much the typical run is known, ln */
	double doubt;     /* times the caution: the model that answers knew less; 1 */
	size_t doubted;   /* runs when it was asked last */
	double within;    /* when that was decided: the error that is wanted over the one that is left */
	enum ft_stop stop;
	bool flat[FT_PARAMS_MAX]; /* once it is done: this parameter changes nothing */
};

/* ft__candidates_make - the sizes that may be asked: a lattice of those admitted; and which come first.
 * FT_EINVAL: none is admitted; FT_ENOMEM. */
enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err);

/* ft__refine_find - the candidate of a place; n: it is none. */
size_t ft__refine_find(const struct ft__refine *r, const struct ft__place *place);

/* ft__refine_cost - of a run that is told as so many seconds. */
double ft__refine_cost(const struct ft__refine *r, double seconds);

/* ft__refine_dearest - seconds of the dearest candidate that may be run; 0: none may. */
double ft__refine_dearest(const struct ft__refine *r);

double ft__refine_spent(const struct ft__refine *r);
double ft__refine_budget_left(const struct ft__refine *r);

/* ---- what is known (refine_known.c) ------------------------------------------------------------------- */

size_t ft__refine_known(const struct ft__refine *r); /* sizes that could be measured */

/* ft__refine_learn - from all that was told, and what follows of every candidate; at least one size could be
 * measured. FT_ENOMEM. */
enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err);

/* ft__refine_caution - how many times wider than stated errors are: by the first visits, and by sites that
 * are left out.
 */
double ft__refine_caution(const struct ft__refine *r);

/* ft__refine_ask_model - the model that answers learns from the start, and by laws: it may think less of the
 * same runs, and to end then would be to say two things of one surface. Sets doubt. FT_ENOMEM. */
enum ft_status ft__refine_ask_model(struct ft__refine *r, struct ft_err *err);

/* ft__refine_missed - how far the first run at a candidate lay off what was said of it. FT_ENOMEM. */
enum ft_status ft__refine_missed(struct ft__refine *r, double miss, struct ft_err *err);

/* ft__refine_seconds - what a decision takes of processor time, about: from the numbers of sizes alone, for
 * clocks differ from one build to the next. */
double ft__refine_seconds(const struct ft__refine *r);

/* ---- which runs are wanted (refine_bid.c) -------------------------------------------------------------- */

/* ft__refine_bid - the runs that take most excess away for their seconds, one after the other, each as if
 * those before it had been made: r->wish, and r->stop where there is none.
 *
 * from         so many wishes stay
 * least, most  of them in all: as many as make the decision cheap beside them, but not fewer or more than
 * these
 *
 * FT_ENOMEM.
 */
enum ft_status ft__refine_bid(struct ft__refine *r, size_t from, size_t least, size_t most,
			      struct ft_err *err);

static inline bool ft__candidate_is_alive(const struct ft__candidate *c)
{
	return !c->dead && !c->far;
}

/* ft__refine_ln - ln size on the axis-th of those that vary. */
double ft__refine_ln(const struct ft__refine *r, size_t axis, size_t index);

#endif
