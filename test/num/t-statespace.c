/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-statespace.c - the filter and smoother against a slow oracle: every value as a sum of independent sources
 * straight from the definition of the process, conditioned by a dense Cholesky factor in long double. */
#include "tap.h"

#include "base/random.h"
#include "num/num.h"

enum { MOST = 200, POINTS = MOST + 1, SOURCES = 3 + 3 * POINTS };

typedef long double real;

/* ---- the oracle -------------------------------------------------------------------------------------- */

/* What a point is made of: value and slope (d + b) as sums over the sources. */
struct point {
	real x, value[SOURCES], slope[SOURCES];
};

struct oracle {
	const struct ft_ss_process *process;
	const struct ft_ss_node *node;
	size_t n;
	struct point seen[MOST], asked;
	real factor[MOST][MOST]; /* Cholesky, lower, of the covariance of what is seen */
	real white[MOST];        /* factor^-1 (y - mean) */
};

static real mean_at(const struct oracle *o, real x)
{
	return o->node[0].y + (real)o->process->mean_slope[0] * (x - o->node[0].x);
}

/* Covariance of value and slope steps over a way. The first cancels: its series, to the last digit. */
static void steps(real tau, real h, real c[3])
{
	real u = h / tau, e = -expm1l(-u), term = 1, sum = 0;

	for (int k = 1; k <= 30; k++) {
		term *= -u / (real)k;
		sum -= k > 2 ? term * (powl(2, (real)k - 1) - 2) : 0;
	}
	if (u > 0.5L)
		sum = u - 2 * e - expm1l(-2 * u) / 2;
	c[0] = tau * tau * tau * sum;
	c[1] = tau * tau / 2 * e * e;
	c[2] = -tau / 2 * expm1l(-2 * u);
}

/* The point a way on from another, whose steps are the sources from `first` on; back: to smaller x. */
static void walk(const struct oracle *o, const struct point *from, real x, bool back, real level, real slope,
		 size_t first, struct point *to)
{
	real h = fabsl(x - from->x), tau = o->process->tau, way = back ? -1 : 1, c[3], l00, l10, l11;
	real decay = expl(-h / tau), a = -tau * expm1l(-h / tau), b = sqrtl((real)o->process->mean_slope[1]);

	steps(tau, h, c);
	*to = (struct point){.x = x};
	for (size_t k = 0; k < first; k++) {
		real mean = k == 2 ? b : 0, d = from->slope[k] - mean;

		to->value[k] = from->value[k] + way * (a * d + h * mean);
		to->slope[k] = decay * d + mean;
	}
	l00 = sqrtl(slope * c[0]);
	l10 = l00 > 0 ? slope * c[1] / l00 : 0;
	l11 = sqrtl(fmaxl(0, slope * c[2] - l10 * l10));
	to->value[first] = sqrtl(level * h);
	to->value[first + 1] = way * l00;
	to->slope[first + 1] = l10;
	to->slope[first + 2] = l11;
}

static real dot(const real *a, const real *b, size_t n)
{
	real sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* L z = b, in place. */
static void forward(const struct oracle *o, real *b)
{
	for (size_t i = 0; i < o->n; i++) {
		for (size_t k = 0; k < i; k++)
			b[i] -= o->factor[i][k] * b[k];
		b[i] /= o->factor[i][i];
	}
}

static void factorise(struct oracle *o)
{
	for (size_t i = 0; i < o->n; i++)
		for (size_t j = 0; j <= i; j++) {
			real sum = dot(o->seen[i].value, o->seen[j].value, SOURCES) +
				   (i == j ? (real)o->node[i].variance : 0);

			for (size_t k = 0; k < j; k++)
				sum -= o->factor[i][k] * o->factor[j][k];
			o->factor[i][j] = i == j ? sqrtl(sum) : sum / o->factor[j][j];
		}
}

/* split: the gap that the point at x divides, which takes three sources of its own; >= n - 1: none does. */
static void oracle_make(struct oracle *o, const struct ft_ss_process *process, const struct ft_ss_node *node,
			size_t n, size_t split, double x)
{
	size_t first = 3;
	struct point *last = &o->seen[0];

	o->process = process;
	o->node = node;
	o->n = n;
	o->seen[0] = (struct point){.x = node[0].x};
	o->seen[0].value[0] = process->value_sd;
	o->seen[0].slope[1] = process->slope_sd;
	o->seen[0].slope[2] = sqrtl((real)process->mean_slope[1]);
	for (size_t i = 1; i < n; i++, first += 3) {
		if (i - 1 == split) {
			walk(o, last, x, false, node[i - 1].level, node[i - 1].slope, first, &o->asked);
			last = &o->asked;
			first += 3;
		}
		walk(o, last, node[i].x, false, node[i - 1].level, node[i - 1].slope, first, &o->seen[i]);
		last = &o->seen[i];
	}
	factorise(o);
	for (size_t i = 0; i < n; i++)
		o->white[i] = (real)node[i].y - mean_at(o, node[i].x);
	forward(o, o->white);
}

/* Value and slope of a point, by all that is seen. */
static struct ft_ss_value oracle_at(const struct oracle *o, const struct point *point)
{
	real value[MOST], slope[MOST];

	for (size_t i = 0; i < o->n; i++) {
		value[i] = dot(point->value, o->seen[i].value, SOURCES);
		slope[i] = dot(point->slope, o->seen[i].value, SOURCES);
	}
	forward(o, value);
	forward(o, slope);
	return (struct ft_ss_value){
		(double)(mean_at(o, point->x) + dot(value, o->white, o->n)),
		(double)(dot(point->value, point->value, SOURCES) - dot(value, value, o->n)),
		(double)((real)o->process->mean_slope[0] + dot(slope, o->white, o->n)),
	};
}

/* ---- cases ------------------------------------------------------------------------------------------- */

struct made {
	struct ft_ss_process process;
	struct ft_ss_node node[MOST];
	struct ft_ss_pass pass[MOST];
	size_t n;
};

static double between(struct ft_random *r, double least, double most)
{
	return least * pow(most / least, ft_random_uniform(r));
}

/* gaps: the least and the largest, in x. */
static void make(struct made *m, struct ft_random *r, size_t n, double tau, const double gaps[2],
		 double variance)
{
	double x = 10 * ft_random_normal(r), y = 5 * ft_random_normal(r);

	m->n = n;
	m->process = (struct ft_ss_process){.tau = tau, .slope_sd = 1.5, .value_sd = 10};
	if (ft_random_below(r, 2)) {
		m->process.mean_slope[0] = 1.5;
		m->process.mean_slope[1] = 2.25;
	}
	for (size_t i = 0; i < n; i++) {
		double h = between(r, gaps[0], gaps[1]);

		m->node[i] = (struct ft_ss_node){x, y + 0.1 * ft_random_normal(r),
						 between(r, variance, 100 * variance), between(r, 1e-5, 0.3),
						 between(r, 1e-4, 3)};
		x += h;
		y += h * (1 + 0.3 * ft_random_normal(r)) + 0.05 * ft_random_normal(r);
	}
	(void)ft_ss_smooth(&m->process, m->node, n, m->pass);
}

/* The largest relative differences so far. Means are compared to their deviation, too: what is known to 1e-5
 * need not be right to 1e-14. */
struct off {
	double mean, variance, slope;
};

static void compare(struct off *off, struct ft_ss_value a, struct ft_ss_value b)
{
	off->mean = fmax(off->mean, fabs(a.mean - b.mean) / fmax(fmax(fabs(b.mean), sqrt(b.variance)), 1));
	off->variance = fmax(off->variance, fabs(a.variance / b.variance - 1));
	off->slope = fmax(off->slope, fabs(a.slope - b.slope) / fmax(fabs(b.slope), 1));
}

static bool within(const struct off *off, double mean, double variance)
{
	return off->mean <= mean && off->slope <= 10 * mean && off->variance <= variance;
}

static struct oracle oracle;

static void compare_nodes(const struct made *m, struct off *off)
{
	oracle_make(&oracle, &m->process, m->node, m->n, m->n, 0);
	for (size_t i = 0; i < m->n; i++)
		compare(off, ft_ss_at_node(&m->pass[i]), oracle_at(&oracle, &oracle.seen[i]));
}

/* Somewhere in a gap; least: how near to its ends, as a share. */
static void compare_between(const struct made *m, struct ft_random *r, double least, struct off *off)
{
	size_t g = m->n > 1 ? ft_random_below(r, m->n - 1) : 0;
	double u = least + (1 - 2 * least) * ft_random_uniform(r), x;

	if (m->n < 2)
		return;
	x = m->node[g].x + u * (m->node[g + 1].x - m->node[g].x);
	oracle_make(&oracle, &m->process, m->node, m->n, g, x);
	compare(off,
		ft_ss_between(&m->process, m->node, m->pass, m->n, g, x, m->node[g].level, m->node[g].slope),
		oracle_at(&oracle, &oracle.asked));
}

/* Beyond both ends. Before the first node the process runs the same backwards: given the state at the first
 * node, what lies on both sides of it is independent. */
static void compare_beyond(const struct made *m, struct ft_random *r, double least, struct off *off)
{
	size_t n = m->n, first = 3 * n;
	double h = between(r, least, 10), x;

	oracle_make(&oracle, &m->process, m->node, n, n, 0);
	x = m->node[n - 1].x + h;
	walk(&oracle, &oracle.seen[n - 1], x, false, 0.02, 0.4, first, &oracle.asked);
	compare(off, ft_ss_between(&m->process, m->node, m->pass, n, n - 1, x, 0.02, 0.4),
		oracle_at(&oracle, &oracle.asked));
	x = m->node[0].x - h;
	walk(&oracle, &oracle.seen[0], x, true, 0.02, 0.4, first, &oracle.asked);
	compare(off, ft_ss_before(&m->process, m->node, m->pass, x, 0.02, 0.4),
		oracle_at(&oracle, &oracle.asked));
}

static void compare_all(struct ft_random *r, size_t n, double tau, const double gaps[2], double variance,
			struct off *off)
{
	static struct made m;

	make(&m, r, n, tau, gaps, variance);
	compare_nodes(&m, off);
	compare_between(&m, r, 0.2, off);
	compare_beyond(&m, r, fmax(0.2, 0.03 * tau), off);
}

static void test_usual(void)
{
	static const size_t sizes[] = {1, 2, 3, 8, 30, 200};
	struct ft_random r = {test_seed()};
	int cases = test_cases(20), i;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		struct off off = {0};

		for (i = 0; i < (sizes[k] < 100 ? cases : 1); i++) {
			double tau = between(&r, 0.3, 2);

			compare_all(&r, sizes[k], tau, (double[]){0.1 * tau, tau}, 1e-4, &off);
		}
		ok(within(&off, 1e-9, 1e-9),
		   "%zu nodes: as the definition says (mean %.1g, variance %.1g, slope %.1g)", sizes[k],
		   off.mean, off.variance, off.slope);
	}
}

/* Ways that are short against tau, where the integrals are series; values known to 1e-5 beside a prior of 10,
 * neighbours and gaps of many units: covariances of 13 digits. */
static void test_extremes(void)
{
	static const double taus[] = {1, 50, 0.3, 1, 12, 50};
	struct ft_random r = {test_seed() + 1};

	for (size_t k = 0; k < 6; k++) {
		bool wide = k > 1;
		struct off off = {0};

		for (int i = 0; i < test_cases(20); i++)
			compare_all(&r, 1 + ft_random_below(&r, 20), taus[k],
				    (double[]){wide ? 1e-6 : 0.005, wide ? 10 : 0.5}, wide ? 1e-10 : 1e-4,
				    &off);
		ok(within(&off, wide ? 1e-4 : 1e-9, wide ? 1e-2 : 1e-9),
		   "%s, tau %g (mean %.1g, variance %.1g, slope %.1g)", wide ? "extremes" : "short ways",
		   taus[k], off.mean, off.variance, off.slope);
	}
}

/* In two steps as in one: what is said hardly changes where a node that tells nothing divides a gap. */
static void test_divided(void)
{
	struct ft_random r = {test_seed() + 3};
	static struct made a, b;
	struct off off = {0};

	for (int i = 0; i < test_cases(200); i++) {
		make(&a, &r, 6, between(&r, 0.3, 50), (double[]){0.01, 1}, 1e-4);
		b = a;
		memmove(&b.node[3], &b.node[2], 4 * sizeof *b.node);
		b.node[3].x += (b.node[4].x - b.node[3].x) * between(&r, 1e-3, 0.9);
		b.node[3].variance = 1e14;
		b.n = 7;
		(void)ft_ss_smooth(&b.process, b.node, b.n, b.pass);
		for (size_t k = 0; k < a.n; k++)
			compare(&off, ft_ss_at_node(&b.pass[k + (k > 2)]), ft_ss_at_node(&a.pass[k]));
	}
	ok(within(&off, 1e-7, 1e-7), "two steps are one (mean %.1g, variance %.1g, slope %.1g)", off.mean,
	   off.variance, off.slope);
}

/* ---- leaving out, energies, columns ------------------------------------------------------------------- */

/* An own value that tells nothing is one left out. */
static void test_left_out(void)
{
	struct ft_random r = {test_seed() + 4};
	static struct made m;
	double off = 0;

	for (int i = 0; i < test_cases(20); i++) {
		size_t k = 0;

		make(&m, &r, 1 + ft_random_below(&r, 20), 1, (double[]){0.1, 1}, 1e-4);
		for (k = 0; k < m.n; k++) {
			struct ft_ss_value said = ft_ss_left_out(&m.pass[k]), truth;
			struct ft_ss_node kept = m.node[k];

			/* Its value still is the mean of the first one's prior. */
			m.node[k].variance = 1e18;
			oracle_make(&oracle, &m.process, m.node, m.n, m.n, 0);
			truth = oracle_at(&oracle, &oracle.seen[k]);
			m.node[k] = kept;
			off = fmax(off, fabs(said.mean - (kept.y - truth.mean)));
			off = fmax(off, fabs(said.variance / (truth.variance + kept.variance) - 1));
		}
	}
	ok(off < 1e-9, "each node by all others: %.1g", off);
}

/* Expected squares of the sources of a gap, straight from the oracle: those of its steps. */
static void energies(const struct oracle *o, size_t g, real energy[2])
{
	real mean[3], variance[3];

	for (size_t k = 0; k < 3; k++) {
		real with[MOST];

		for (size_t i = 0; i < o->n; i++)
			with[i] = o->seen[i].value[3 + 3 * g + k];
		forward(o, with);
		mean[k] = dot(with, o->white, o->n);
		variance[k] = 1 - dot(with, with, o->n);
	}
	/* The sources have variance 1: their squares, times the variance of a unit. */
	energy[0] = (real)o->node[g].level * (mean[0] * mean[0] + variance[0]);
	energy[1] = (real)o->node[g].slope *
		    (mean[1] * mean[1] + variance[1] + mean[2] * mean[2] + variance[2]) / 2;
}

static void test_energies(void)
{
	struct ft_random r = {test_seed() + 5};
	static struct made m;
	double off = 0;

	for (int i = 0; i < test_cases(30); i++) {
		make(&m, &r, 2 + ft_random_below(&r, 20), between(&r, 0.3, 2), (double[]){0.1, 1}, 1e-4);
		oracle_make(&oracle, &m.process, m.node, m.n, m.n, 0);
		for (size_t g = 0; g + 1 < m.n; g++) {
			double said[2];
			real truth[2];

			ft_ss_gap_energy(&m.process, m.node, m.pass, g, said);
			energies(&oracle, g, truth);
			off = fmax(off, fabs(said[0] / (double)truth[0] - 1));
			off = fmax(off, fabs(said[1] / (double)truth[1] - 1));
		}
	}
	ok(off < 1e-8, "expected squares of steps: %.1g", off);
}

/* Generalised least squares with the t weights of the innovations; the first innovation is 0 by the prior. */
static void test_column(void)
{
	struct ft_random r = {test_seed() + 6};
	static struct made m;
	double off = 0, column[MOST], seen[MOST], left[MOST];

	for (int i = 0; i < test_cases(30); i++) {
		real white[MOST], n = 0, d = 0, excess = 0;

		make(&m, &r, 2 + ft_random_below(&r, 30), between(&r, 0.3, 2), (double[]){0.1, 1}, 1e-4);
		for (size_t k = 0; k < m.n; k++)
			white[k] = column[k] = ft_random_below(&r, 2) ? 1 : ft_random_normal(&r);
		ft_ss_innovations(m.pass, m.n, left);
		ft_ss_whiten(&m.process, m.node, m.pass, m.n, column, seen);
		oracle_make(&oracle, &m.process, m.node, m.n, m.n, 0);
		forward(&oracle, white);
		for (size_t k = 0; k < m.n; k++) {
			real z = oracle.white[k], w = 5 / (4 + z * z);

			n += w * white[k] * z - (real)(left[k] * seen[k]);
			d += w * white[k] * white[k];
			excess += (real)(seen[k] * seen[k]) - w * white[k] * white[k];
		}
		off = fmax(off, fmax(fabs((double)(excess / d)), fabs((double)(n / d))));
	}
	ok(off < 1e-9, "least squares of a column: %.1g", off);
}

static void test_likelihood(void)
{
	struct ft_random r = {test_seed() + 7};
	static struct made m;
	real sum = 0;

	make(&m, &r, 40, 1, (double[]){0.1, 1}, 1e-4);
	oracle_make(&oracle, &m.process, m.node, m.n, m.n, 0);
	for (size_t k = 2; k < m.n; k++)
		sum -= logl(oracle.factor[k][k]) + 2.5L * log1pl(oracle.white[k] * oracle.white[k] / 4);
	ok(near(ft_ss_smooth(&m.process, m.node, m.n, m.pass), (double)sum, 1e-10),
	   "the likelihood of t innovations");
	ok(ft_ss_smooth(&m.process, m.node, 2, m.pass) == 0, "two values have none");
}

/* Nothing falls apart after many nodes, nor where they are all but one. */
static void test_long(void)
{
	enum { MANY = 100000 };
	struct ft_ss_process process = {.tau = 1, .slope_sd = 1.5, .value_sd = 10};
	struct ft_ss_node *node = calloc(MANY, sizeof *node);
	struct ft_ss_pass *pass = calloc(MANY, sizeof *pass);
	struct ft_random r = {test_seed() + 8};
	size_t wrong = 0;

	for (size_t i = 0; i < MANY; i++)
		node[i] = (struct ft_ss_node){(double)i * 1e-9, 1 + 1e-3 * ft_random_normal(&r), 1e-6, 0.01,
					      0.1};
	(void)ft_ss_smooth(&process, node, MANY, pass);
	for (size_t i = 0; i < MANY; i++) {
		struct ft_ss_value v = ft_ss_at_node(&pass[i]);

		wrong += !(fabs(v.mean - 1) < 1e-3) || !(v.variance > 0) || !(v.variance < 1e-7);
	}
	ok(!wrong, "100000 nodes within 1e-4: %zu are off", wrong);
	free(node);
	free(pass);
}

int main(void)
{
	test_usual();
	test_extremes();
	test_divided();
	test_left_out();
	test_energies();
	test_column();
	test_likelihood();
	test_long();
	return done();
}
