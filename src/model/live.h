/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - a model that grows run by run: knots, what each would have been foretold as, how far each gap may
 * err.
 *
 * Builders ask it while they build, and ft_model_fit makes its model with it: both see the same errors. */
#ifndef FT_MODEL_LIVE_H
#define FT_MODEL_LIVE_H

#include "foretime/model.h"

/* A size, and what is kept of it so that nothing is computed twice. */
struct ft__node {
	double x, work;
	double at;     /* ln (x + shift), from the least size on */
	double decay;  /* exp(at / reach): a kernel is a quotient of two of these */
	double *value; /* [runs] ascending */
	size_t runs, capacity;
	double middle;  /* median of value + offset */
	double level;   /* ln of it */
	double scatter; /* sum of squares of ln(value + offset) about the mean */
	double calm;    /* the same without wild runs: from the median deviation, where that is less */
	size_t visits;  /* runs with none at another size between them are one visit */
	double within;  /* sum of squares of ln(value + offset) about the means of the visits */
	double visit_mean, visit_runs; /* of the newest visit */
	double residual[FT_SHAPES];    /* |level - what the neighbours say|; 0 at the ends */
	double root[FT_SHAPES];        /* its square root */
	double clean[FT_SHAPES];       /* the residual less what noise explains; see ft__live_refresh */
	/* What shapes say in the middle of the gap to the next node, less what the power law says there. */
	double differs[FT_SHAPES], cubic_differs;
	double noise; /* standard deviation of ln of one run here; see ft__live_refresh */
	/* Sums, weighted by the kernel, of scatter and of its degrees of freedom: over this node and those
	 * left of it, and over this node and those right of it. */
	double scatter_left, scatter_right, freedom_left, freedom_right;
};

/* A gap between two nodes. */
struct ft__gap {
	enum ft_shape shape;
	double raw;   /* error in its middle (of ln value), from the residuals around */
	double error; /* the same, after what became of earlier errors around here */
	double doubt; /* what nine in ten of them would be within: builders stop by it */
};

/* What was said of a new size before it was measured, and what it then was. */
struct ft__test {
	double decay;    /* of where it was */
	double residual; /* |ln measured - ln foretold| */
	double raw, error, noise;
};

enum { FT__TESTS = 64 };

/* Zero-initialise, then ft__live_init. */
struct ft__live {
	bool through_speed;
	enum ft_join join;
	double offset, shift, origin, reach;
	struct ft__node *node; /* [n] x ascending */
	size_t n, capacity, runs;
	double last_x;                   /* the size of the newest run; NaN: none yet */
	bool has_work;                   /* some node's work differs from another's */
	bool fresh;                      /* noise and clean residuals are up to date */
	struct ft__test last;            /* the newest test; residual is NaN when the last run was none */
	struct ft__test test[FT__TESTS]; /* the newest ones, by residual / raw ascending */
	size_t n_tests, tests;           /* kept, and ever */
	size_t age[FT__TESTS];           /* of each kept one: its number */
};

/* ft__live_init - for sizes between two, least < most or equal. */
void ft__live_init(struct ft__live *live, bool through_speed, enum ft_join join, double offset, double least,
		   double most);
void ft__live_clear(struct ft__live *live); /* accepts NULL, and twice */

/* ft__live_add - one run. A new size between two known ones is a test of what is known. FT_ENOMEM leaves all
 * as it was. Cost O(n). */
enum ft_status ft__live_add(struct ft__live *live, double x, double work, double value, struct ft_err *err);

/* ft__live_find - the last node at or left of x; n >= 1 and x not left of the first. */
size_t ft__live_find(const struct ft__live *live, double x);

/* ft__live_gap - the gap between nodes g and g + 1. Cost O(1), after O(n) once for each added run. */
struct ft__gap ft__live_gap(struct ft__live *live, size_t g);

/* ft__live_level - ln (value + offset) at x between nodes g and g + 1 by a shape. */
double ft__live_level(const struct ft__live *live, size_t g, enum ft_shape shape, double x);

/* ft__live_noise - standard deviation of ln of one run at node j. */
double ft__live_noise(struct ft__live *live, size_t j);

/* ft__live_drift - variance of ln of one run that visits at other times add to what `scatter` holds. */
double ft__live_drift(const struct ft__live *live);

/* ft__live_spread - how many times wider than the normal law's intervals are to be. */
double ft__live_spread(const struct ft__live *live);

/* ft__live_model - the model of what is known; n >= 1. out is cleared on failure. */
enum ft_status ft__live_model(struct ft__live *live, struct ft_model *out, struct ft_err *err);

#endif
