/* SPDX-License-Identifier: GPL-3.0-or-later */
/* statespace.h - a function of one variable as a random process, known by noisy values at nodes: filter,
 * smoother, and what both say between the nodes and beyond them. Cost O(n); no inverse anywhere.
 *
 *	value   df = (d + b) dx + sqrt(level) dW1      steps of the value: jumps and roughness
 *	slope   dd = -(d / tau) dx + sqrt(slope) dW2   bends; returns to b, the mean slope, over tau
 *	b constant; known exactly where its variance is 0
 *
 * Source: Durbin and Koopman, Time Series Analysis by State Space Methods, 2nd ed., ch. 4 (filter, fixed
 * interval smoother after de Jong, disturbance smoother); Bierman 1977 for the form.
 */
#ifndef FT_NUM_STATESPACE_H
#define FT_NUM_STATESPACE_H

#include <stddef.h>

/* value, slope, mean slope */
enum { FT_SS_STATES = 3 };

/* A symmetric matrix of the states: 00 01 02 11 12 22. */
struct ft_ss_square {
	double of[6];
};

struct ft_ss_vector {
	double of[FT_SS_STATES];
};

/* A node: what was seen there, and what the process does on the way to the next one. */
struct ft_ss_node {
	double x;            /* ascending, all different */
	double y, variance;  /* the value seen, > 0 */
	double level, slope; /* variances for a unit of x, of the gap to the next node */
};

/* What the passes leave at a node. Innovation: y less what all nodes before say, and its variance. l and L
 * carry what later nodes say (Durbin and Koopman 4.4: r and N), before and after the node's own value. */
struct ft_ss_pass {
	struct ft_ss_vector filtered, gain, l_before, l_after;
	struct ft_ss_square covariance, big_before, big_after;
	double innovation, total;
};

struct ft_ss_process {
	double tau;           /* > 0, in units of x */
	double slope_sd;      /* of d at the first node */
	double mean_slope[2]; /* of b: mean, variance */
	double value_sd;      /* of the value at the first node */
};

/* ft_ss_smooth - both passes.
 *
 * node  [n] n >= 1
 * pass  [n] out
 *
 * Returns the log-likelihood of all values but the first two, with innovations taken for t of four degrees of
 * freedom: single misses do not decide.
 */
double ft_ss_smooth(const struct ft_ss_process *process, const struct ft_ss_node *node, size_t n,
		    struct ft_ss_pass *pass);

struct ft_ss_value {
	double mean, variance, slope; /* slope: d + b */
};

/* ft_ss_at_node - value and slope at a node, by all nodes. */
struct ft_ss_value ft_ss_at_node(const struct ft_ss_pass *pass);

/* ft_ss_between - the value at x between node[i] and node[i + 1], or beyond the last one (i = n - 1), with
 * variances per unit of x on the way from node[i]. */
struct ft_ss_value ft_ss_between(const struct ft_ss_process *process, const struct ft_ss_node *node,
				 const struct ft_ss_pass *pass, size_t n, size_t i, double x, double level,
				 double slope);

/* ft_ss_before - the value at x below the first node: the process runs the same backwards. */
struct ft_ss_value ft_ss_before(const struct ft_ss_process *process, const struct ft_ss_node *node,
				const struct ft_ss_pass *pass, double x, double level, double slope);

/* What is left at a node when all others have spoken: residual of its value, and the variance of that.
 * Durbin and Koopman 4.5.3: residual = u / D, variance = 1 / D. */
struct ft_ss_value ft_ss_left_out(const struct ft_ss_pass *pass);

/* ft_ss_gap_energy - expected squares of the steps in a gap, per unit of x: what an EM round sets level and
 * slope to. i: the node at the gap's left end; energy[2] out: level, slope. */
void ft_ss_gap_energy(const struct ft_ss_process *process, const struct ft_ss_node *node,
		      const struct ft_ss_pass *pass, size_t i, double energy[2]);

/* ft_ss_innovations - in their own deviations, those far off counted less: t of four degrees of freedom.
 * ft_ss_whiten - one more column of values through the same gains and by the same weights: products of these
 * are those of generalised least squares (de Jong 1991).
 *
 * column  [n] its values at the nodes
 * out     [n]
 */
void ft_ss_innovations(const struct ft_ss_pass *pass, size_t n, double *out);
void ft_ss_whiten(const struct ft_ss_process *process, const struct ft_ss_node *node,
		  const struct ft_ss_pass *pass, size_t n, const double *column, double *out);

#endif
