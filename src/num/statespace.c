/* SPDX-License-Identifier: GPL-3.0-or-later */
/* statespace.c - filter (Joseph form) and smoother (Bryson-Frazier) of an integrated Ornstein-Uhlenbeck
 * process with steps. Matrices of three are written out: most of their entries are zero. */
#include "num/num.h"

#include <math.h>

/* Below this share of tau, the integrals cancel: series. */
static const double short_way = 0.02;

/* A variance is never less: what rounding leaves of it. */
static const double least_variance = 1e-14;

/* Innovations are weighted as a t law with this many degrees of freedom. */
static const double freedom = 4;

enum { P00, P01, P02, P11, P12, P22 };

/* The transition of the states over a length h: f += a d + h b, d *= decay; lost: 1 - decay, exactly. */
struct statespace_way {
	double h, a, decay, lost;
};

static struct statespace_way way_of(const struct ft_ss_process *process, double h)
{
	double lost = -expm1(-h / process->tau);

	return (struct statespace_way){h, process->tau * lost, 1 - lost, lost};
}

/* The same to node i > 0 after a forward pass. */
static struct statespace_way way_to(const struct ft_ss_process *process, const struct ft_ss_node *node,
				    const struct ft_ss_pass *pass, size_t i)
{
	double lost = pass[i].lost;

	return (struct statespace_way){node[i].x - node[i - 1].x, process->tau * lost, 1 - lost, lost};
}

/* Variances of f, of f with d, and of d, that slope steps of variance 1 per unit make on the way. */
static void integrate_slope(const struct ft_ss_process *process, const struct statespace_way *way,
			    double out[3])
{
	double tau = process->tau, h = way->h, u = h / tau,
	       lost = way->lost * (1 + way->decay); /* 1 - exp(-2 u) */

	if (u < short_way)
		out[0] = h * h * h *
			 (1.0 / 3 - u * (1.0 / 4 - u * (7.0 / 60 - u * (1.0 / 24 - u * (31.0 / 2520)))));
	else
		out[0] = tau * tau * tau * (u - 2 * way->lost + lost / 2);
	out[1] = way->a * way->a / 2;
	out[2] = tau / 2 * lost;
}

/* The state at the end of a way, before anything is seen there. */
static void go_way(const struct ft_ss_process *process, const struct statespace_way *way, double level,
		   double slope, struct ft_ss_vector *mean, struct ft_ss_square *square)
{
	double *m = mean->of, *p = square->of, a = way->a, e = way->decay, h = way->h, added[3];
	double t0 = p[P00] + a * p[P01] + h * p[P02], t1 = p[P01] + a * p[P11] + h * p[P12];
	double t2 = p[P02] + a * p[P12] + h * p[P22];

	m[0] += a * m[1] + h * m[2];
	m[1] *= e;
	integrate_slope(process, way, added);
	p[P00] = t0 + a * t1 + h * t2 + slope * added[0] + level * h;
	p[P01] = e * t1 + slope * added[1];
	p[P02] = t2;
	p[P11] = e * e * p[P11] + slope * added[2];
	p[P12] *= e;
}

/* The information of later nodes, carried back over a way: l = F' l, L = F' L F. */
static void go_back(const struct statespace_way *way, struct ft_ss_vector *vector,
		    struct ft_ss_square *square)
{
	double *l = vector->of, *p = square->of, a = way->a, e = way->decay, h = way->h;
	double u0 = a * p[P00] + e * p[P01], u1 = a * p[P01] + e * p[P11];
	double v0 = h * p[P00] + p[P02], v1 = h * p[P01] + p[P12], v2 = h * p[P02] + p[P22];

	l[1] = a * l[0] + e * l[1];
	l[2] += h * l[0];
	p[P01] = u0;
	p[P02] = v0;
	p[P11] = a * u0 + e * u1;
	p[P12] = a * v0 + e * v1;
	p[P22] = h * v0 + v2;
}

/* The value of a node is seen. In Joseph form, C P C' + k k' R with C = I - k e0', the first row is R k. */
static void see_value(const struct ft_ss_node *node, struct ft_ss_pass *pass)
{
	double *m = pass->filtered.of, *p = pass->covariance.of, *k = pass->gain.of, r = node->variance;
	double p0 = p[P00], p1 = p[P01], p2 = p[P02];

	pass->total = p0 + r;
	pass->innovation = node->y - m[0];
	pass->weight = sqrt((freedom + 1) / (freedom + pass->innovation * pass->innovation / pass->total) /
			    pass->total);
	k[0] = p0 / pass->total;
	k[1] = p1 / pass->total;
	k[2] = p2 / pass->total;
	m[0] += k[0] * pass->innovation;
	m[1] += k[1] * pass->innovation;
	m[2] += k[2] * pass->innovation;
	p[P00] = r * k[0];
	p[P01] = r * k[1];
	p[P02] = r * k[2];
	p[P11] += k[1] * k[1] * (p0 + r) - 2 * k[1] * p1;
	p[P12] += k[1] * k[2] * (p0 + r) - k[1] * p2 - k[2] * p1;
	p[P22] += k[2] * k[2] * (p0 + r) - 2 * k[2] * p2;
}

static double dot(const struct ft_ss_vector *a, const struct ft_ss_vector *b)
{
	return a->of[0] * b->of[0] + a->of[1] * b->of[1] + a->of[2] * b->of[2];
}

static struct ft_ss_vector square_times(const struct ft_ss_square *square, const struct ft_ss_vector *vector)
{
	const double *p = square->of, *v = vector->of;

	return (struct ft_ss_vector){{p[P00] * v[0] + p[P01] * v[1] + p[P02] * v[2],
				      p[P01] * v[0] + p[P11] * v[1] + p[P12] * v[2],
				      p[P02] * v[0] + p[P12] * v[1] + p[P22] * v[2]}};
}

/* Back over the value of a node: l = C' l - e0 v / S, L = C' L C + e0 e0' / S. */
static void unsee_value(struct ft_ss_pass *pass)
{
	struct ft_ss_vector g = square_times(&pass->big_after, &pass->gain);
	double *p = pass->big_before.of;

	pass->l_before = pass->l_after;
	pass->big_before = pass->big_after;
	pass->l_before.of[0] -= dot(&pass->gain, &pass->l_after) + pass->innovation / pass->total;
	p[P00] += dot(&pass->gain, &g) - 2 * g.of[0] + 1 / pass->total;
	p[P01] -= g.of[1];
	p[P02] -= g.of[2];
}

double ft_ss_smooth(const struct ft_ss_process *process, const struct ft_ss_node *node, size_t n,
		    struct ft_ss_pass *pass)
{
	double likelihood = 0;

	for (size_t i = 0; i < n; i++) {
		if (!i) {
			pass->lost = 0;
			pass->filtered = (struct ft_ss_vector){{node->y, 0, process->mean_slope[0]}};
			pass->covariance = (struct ft_ss_square){{process->value_sd * process->value_sd, 0, 0,
								  process->slope_sd * process->slope_sd, 0,
								  process->mean_slope[1]}};
		} else {
			struct statespace_way way = way_of(process, node[i].x - node[i - 1].x);

			pass[i].lost = way.lost;
			pass[i].filtered = pass[i - 1].filtered;
			pass[i].covariance = pass[i - 1].covariance;
			go_way(process, &way, node[i - 1].level, node[i - 1].slope, &pass[i].filtered,
			       &pass[i].covariance);
		}
		see_value(&node[i], &pass[i]);
		if (i > 1)
			likelihood -= log(pass[i].total) / 2 +
				      (freedom + 1) / 2 *
					      log1p(pass[i].innovation * pass[i].innovation /
						    (pass[i].total * freedom));
	}
	pass[n - 1].l_after = (struct ft_ss_vector){{0}};
	pass[n - 1].big_after = (struct ft_ss_square){{0}};
	for (size_t i = n; i-- > 0;) {
		unsee_value(&pass[i]);
		if (i) {
			struct statespace_way way = way_to(process, node, pass, i);

			pass[i - 1].l_after = pass[i].l_before;
			pass[i - 1].big_after = pass[i].big_before;
			go_back(&way, &pass[i - 1].l_after, &pass[i - 1].big_after);
		}
	}
	return likelihood;
}

/* A state and its covariance from earlier nodes, combined with later ones: m - P l, P - P L P. */
static struct ft_ss_value join_ways(const struct ft_ss_vector *mean, const struct ft_ss_square *square,
				    const struct ft_ss_vector *l, const struct ft_ss_square *big)
{
	const double *p = square->of;
	struct ft_ss_vector row = {{p[P00], p[P01], p[P02]}},
			    slope = {{p[P01] + p[P02], p[P11] + p[P12], p[P12] + p[P22]}};
	struct ft_ss_vector seen = square_times(big, &row);

	return (struct ft_ss_value){
		.mean = mean->of[0] - dot(&row, l),
		.variance = fmax(p[P00] - dot(&row, &seen), least_variance),
		.slope = mean->of[1] + mean->of[2] - dot(&slope, l),
	};
}

struct ft_ss_value ft_ss_at_node(const struct ft_ss_pass *pass)
{
	return join_ways(&pass->filtered, &pass->covariance, &pass->l_after, &pass->big_after);
}

struct ft_ss_value ft_ss_between(const struct ft_ss_process *process, const struct ft_ss_node *node,
				 const struct ft_ss_pass *pass, size_t n, size_t i, double x, double level,
				 double slope)
{
	struct statespace_way there = way_of(process, x - node[i].x);
	struct ft_ss_vector mean = pass[i].filtered, l = {{0}};
	struct ft_ss_square square = pass[i].covariance, big = {{0}};

	go_way(process, &there, level, slope, &mean, &square);
	if (i + 1 < n) {
		struct statespace_way back = way_of(process, node[i + 1].x - x);

		l = pass[i + 1].l_before;
		big = pass[i + 1].big_before;
		go_back(&back, &l, &big);
	}
	return join_ways(&mean, &square, &l, &big);
}

/* Backwards in x the slope process is the same, once its variance is that of all times: the value is the
 * first node's, less the way with its slope. */
struct ft_ss_value ft_ss_before(const struct ft_ss_process *process, const struct ft_ss_node *node,
				const struct ft_ss_pass *pass, double x, double level, double slope)
{
	struct statespace_way way = way_of(process, node->x - x);
	struct ft_ss_vector l = square_times(&pass->covariance, &pass->l_after), mean = pass->filtered;
	struct ft_ss_square square = pass->covariance;
	double *p = square.of, rows[3][3], seen[3][3];

	for (int i = 0; i < 3; i++)
		mean.of[i] -= l.of[i];
	for (int i = 0; i < 3; i++) {
		static const int at[3][3] = {{P00, P01, P02}, {P01, P11, P12}, {P02, P12, P22}};

		for (int j = 0; j < 3; j++)
			rows[i][j] = p[at[i][j]];
		for (int j = 0; j < 3; j++) {
			struct ft_ss_vector row = {{rows[i][0], rows[i][1], rows[i][2]}};
			struct ft_ss_vector through = square_times(&pass->big_after, &row);

			seen[i][j] = 0;
			for (int k = 0; k < 3; k++)
				seen[i][j] += through.of[k] * pass->covariance.of[at[k][j]];
		}
	}
	p[P00] -= seen[0][0];
	p[P01] = -(p[P01] - seen[0][1]);
	p[P02] = -(p[P02] - seen[0][2]);
	p[P11] -= seen[1][1];
	p[P12] -= seen[1][2];
	p[P22] -= seen[2][2];
	mean.of[1] = -mean.of[1];
	mean.of[2] = -mean.of[2];
	go_way(process, &way, level, slope, &mean, &square);
	return (struct ft_ss_value){mean.of[0], fmax(square.of[P00], least_variance),
				    -(mean.of[1] + mean.of[2])};
}

struct ft_ss_value ft_ss_left_out(const struct ft_ss_pass *pass)
{
	struct ft_ss_vector g = square_times(&pass->big_after, &pass->gain);
	double u = pass->innovation / pass->total + dot(&pass->gain, &pass->l_after);
	double d = 1 / pass->total + dot(&pass->gain, &g);

	return (struct ft_ss_value){u / d, 1 / d, 0};
}

void ft_ss_gap_energy(const struct ft_ss_process *process, const struct ft_ss_node *node,
		      const struct ft_ss_pass *pass, size_t i, double energy[2])
{
	struct statespace_way way = way_to(process, node, pass, i + 1);
	const double *l = pass[i + 1].l_before.of, *p = pass[i + 1].big_before.of;
	double r = node[i].level, q = node[i].slope, c[3], squares, trace;

	integrate_slope(process, &way, c);
	squares = c[0] * l[0] * l[0] + 2 * c[1] * l[0] * l[1] + c[2] * l[1] * l[1];
	trace = c[0] * p[P00] + 2 * c[1] * p[P01] + c[2] * p[P11];
	energy[0] = fmax(0, r * r * way.h * (l[0] * l[0] - p[P00]) + r);
	energy[1] = fmax(0, q * q * (squares - trace) / 2 + q);
}

void ft_ss_innovations(const struct ft_ss_pass *pass, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = pass[i].weight * pass[i].innovation;
}

void ft_ss_whiten(const struct ft_ss_process *process, const struct ft_ss_node *node,
		  const struct ft_ss_pass *pass, size_t n, const double *column, double *out)
{
	double m[FT_SS_STATES] = {0};

	for (size_t i = 0; i < n; i++) {
		const struct ft_ss_pass *p = &pass[i];

		if (i) {
			struct statespace_way way = way_to(process, node, pass, i);

			m[0] += way.a * m[1] + way.h * m[2];
			m[1] *= way.decay;
		}
		double v = column[i] - m[0];
		m[0] += p->gain.of[0] * v;
		m[1] += p->gain.of[1] * v;
		m[2] += p->gain.of[2] * v;
		out[i] = p->weight * v;
	}
}
