/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the rows of the table of builders, one file each, and what a row is made of. */
#ifndef FT_BUILD_TYPES_H
#define FT_BUILD_TYPES_H

#include "build/lattice.h"

/* What a builder of sizes that are numbers is made with: along one parameter, the others held. */
struct ft__line_options {
	struct ft_space space;
	double (*work)(void *ctx, double x); /* NULL: none is stated */
	void (*load)(void *ctx, double x, double seconds, double load[2]);
	void *ctx;
	struct ft_build_options user; /* of this its spaces and functions count for nothing here */
};

/* Such a builder; its functions are as those of ft_builder_*. */
struct ft__line_type {
	enum ft_status (*init)(void **state, const struct ft__line_options *options, struct ft_err *err);
	size_t (*ask)(void *state, double *x, size_t most);
	/* x is NaN where there is none; NULL: it does not weigh runs */
	void (*gain)(void *state, double *x, struct ft_build_gain *out);
	enum ft_status (*tell)(void *state, double x, const struct ft_build_told *told, struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	double (*complete)(void *state, double made);
	void (*price)(void *state, double each_s, double stretch,
		      double given_s); /* NULL: no matter what runs cost */
	enum ft_status (*shape)(const void *state, struct ft_build_shape *out,
				struct ft_err *err); /* NULL: it takes none for granted */
	void (*free)(void *state);
};

struct ft__row;

/* A way to build on a lattice. What is told is in the lattice before `tell` is called. */
struct ft__plan {
	enum ft_status (*init)(void **state, struct ft__lattice *lattice, const struct ft__row *row,
			       struct ft_err *err);
	enum ft_status (*ask)(void *state, struct ft__place *places, size_t most, size_t *n,
			      struct ft_err *err);
	void (*gain)(void *state, struct ft_build_gain *out); /* NULL: it does not weigh runs */
	enum ft_status (*tell)(void *state, const struct ft__told *site, struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	double (*complete)(void *state, double made);
	void (*price)(void *state, double each_s, double stretch,
		      double given_s);                /* NULL: no matter what runs cost */
	bool (*flat)(const void *state, size_t axis); /* NULL: none is */
	enum ft_status (*shape)(const void *state, size_t axis, struct ft_build_shape *out,
				struct ft_err *err); /* NULL: none is taken for granted */
	size_t (*excluded)(
		const void *state); /* combinations that the constraints do not admit; NULL: none */
	void (*free)(void *state);
};

struct ft__row {
	struct ft_builder_type type;
	bool points_each; /* the sizes are known beforehand: options.points, or 20, values of each parameter
			   */
	struct ft__line_type line;      /* over one parameter; no init: `several` does that too */
	const struct ft__plan *several; /* over more */
};

extern const struct ft__row ft__builder_adaptive;
extern const struct ft__row ft__builder_gbbp;
extern const struct ft__row ft__builder_gbbp_naive;
extern const struct ft__row ft__builder_naive;
extern const struct ft__row ft__builder_naive_bisect;
extern const struct ft__row ft__builder_rand;

extern const struct ft__plan ft__plan_along;  /* over one parameter: the row's line */
extern const struct ft__plan ft__plan_span;   /* over several, 001 II.A.3: lines, and the grid they span */
extern const struct ft__plan ft__plan_refine; /* over several, adaptive */

/* How well the typical run is told to be known is what nine in ten are off by (engine_facts.c). */
#define FT__TOLD_CONFIDENCE 0.9

/* An adaptive builder that foretells single runs as well as may be, and does not know the typical one as was
 * asked for. */
struct ft__refining {
	double served_s, spent_s; /* what it took to foretell single runs; what was spent by now */
	double budget_s;          /* what is left of the user's budget; 0: he gave none */
	double known, tolerance;  /* to how much the typical run is known, and is to be; ln */
};

/* ft__refine_left - what may still be spent on the typical run, seconds: a share of what single runs took, or
 * all of the user's budget where that would do (errors fall as the root of what is spent). (build.c) */
double ft__refine_left(const struct ft__refining *refining);

/* A naive builder has so many values of each parameter, unless it is told otherwise. */
enum { FT__USUAL_POINTS = 20 };

#endif
