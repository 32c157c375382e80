/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-smooth.c - how many nodes would do in place of a spike, and both areas. */
#include "made.h"
#include "tap.h"

static struct made m;

/* What the equation of 003 section 4 leaves at x. */
static double left_over(double a, double ya, double b, double yb, double x)
{
	double left = ft_pwl_integral(m.f, a, x), right = ft_pwl_integral(m.f, x, b);

	return 2 * (x - a) * right + 2 * (x - b) * left - (x - a) * (b - x) * (yb - ya);
}

/* The node that a zero between p and q makes, and its error. */
static struct ft_pwl_error node_slowly(double a, double ya, double b, double yb, double p, double q,
				       double *t)
{
	double begin = left_over(a, ya, b, yb, p), node_t[3] = {a, 0, b}, node_y[3] = {ya, 0, yb};
	struct ft_pwl_error error;
	int i;

	for (i = 0; i < 60; i++) {
		double middle = p + (q - p) / 2;

		if (left_over(a, ya, b, yb, middle) * begin > 0)
			p = middle;
		else
			q = middle;
	}
	*t = node_t[1] = p + (q - p) / 2;
	node_y[1] = 2 * ft_pwl_integral(m.f, a, *t) / (*t - a) - ya;
	ft_pwl_compare(m.f, node_t, node_y, 3, &error);
	return error;
}

/* How many sign changes the equation has between a and b, by many small steps; where the node is that leaves
 * least. */
static size_t ways_slowly(double a, double ya, double b, double yb, double *best)
{
	enum { STEPS = 5000 };
	double before = 0, least = INFINITY, t;
	size_t ways = 0;
	int i;

	*best = NAN;
	for (i = 1; i < STEPS; i++) {
		double x = a + (b - a) * i / STEPS, now = left_over(a, ya, b, yb, x);

		if (now * before < 0) {
			double rms = node_slowly(a, ya, b, yb, x - (b - a) / STEPS, x, &t).rms;

			ways++;
			*best = rms < least ? t : *best;
			least = fmin(least, rms);
		}
		before = now != 0 ? now : before;
	}
	return ways;
}

static void several_ways(void)
{
	/* twice up: the middle, where both are halved, and a node in each of them */
	const double t[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, two[] = {0, 0, 9, 0, 0, 0, 9, 0, 0};
	struct ft_random random = {test_seed()};
	int cases = test_cases(60), bad = 0, several = 0, i;
	struct ft_pwl_spike spike;
	struct ft_nodes nodes;
	double best;
	bool smoothed;

	made_points(&m, t, two, 9);
	(void)ft_pwl_constrain(&nodes, m.f, t, 9, 1, NULL);
	smoothed = !ft_nodes_smooth(&nodes, m.f, 0.5, 7.5, &spike, NULL);
	ok(smoothed && spike.ways == ways_slowly(0, 0, 8, 0, &best) && spike.ways > 1,
	   "two spikes as one: %zu nodes would do", spike.ways);
	ok(near(spike.area[0] + spike.area[1], 18, 1e-12) &&
		   near(spike.area[0], spike.y * spike.t / 2, 1e-12),
	   "and both areas are told");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	for (i = 0; i < cases; i++) {
		size_t slowly;

		made_random(&m, &random, 8 + ft_random_below(&random, 12));
		(void)ft_pwl_constrain(&nodes, m.f, m.t, m.n, 1, NULL);
		slowly = ways_slowly(m.t[0], m.y[0], m.t[m.n - 1], m.y[m.n - 1], &best);
		if (!ft_nodes_smooth(&nodes, m.f, m.t[0], m.t[m.n - 1], &spike, NULL)) {
			/* two zeros within one small step are none to it */
			if (!isnan(spike.t) && (spike.ways < slowly || (spike.ways - slowly) % 2)) {
				bad++;
				diag("case %d: %zu nodes, %zu changes of sign", i, spike.ways, slowly);
			}
			several += spike.ways > 1;
			bad += slowly && spike.ways == slowly && !near(spike.t, best, 1e-6);
		}
		ft_nodes_clear(&nodes);
		ft_pwl_free(m.f);
	}
	ok(!bad && several,
	   "%d random curves: as many as the equation has zeros, several %d times, the best is taken", cases,
	   several);
}

/* A piece as steep as the line from end to end: its zero is that of no parabola. */
static void as_steep(void)
{
	const double t[] = {0, 1, 3, 4}, value[] = {0, 3, 5, 4};
	struct ft_pwl_spike spike;
	struct ft_nodes nodes;
	double best;
	bool smoothed;

	made_points(&m, t, value, 4);
	(void)ft_pwl_constrain(&nodes, m.f, t, 4, 1, NULL);
	smoothed = !ft_nodes_smooth(&nodes, m.f, 0, 4, &spike, NULL);
	ok(smoothed && spike.ways == 1 && ways_slowly(0, 0, 4, 4, &best) == 1 && best > 1 && best < 3 &&
		   near(spike.t, best, 1e-9),
	   "a node within a piece that is as steep as the whole: %g", spike.t);
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
}

/* One piece stays; what has its area goes; where no node keeps both areas that is told. */
static void at_hand(void)
{
	const double t[] = {0, 1, 2, 3, 4, 5}, odd[] = {1, 2, 1, 0, 1, 3}, flat[] = {0, 0, 0, 0, 0, 0};
	struct ft_pwl_spike spike;
	struct ft_nodes nodes;
	struct ft_err err = {0};

	made_points(&m, t, odd, 6);
	(void)ft_pwl_constrain(&nodes, m.f, t, 6, 1, NULL);
	ok(!ft_nodes_smooth(&nodes, m.f, 4.25, 4.75, &spike, NULL) && nodes.n == 6 && isnan(spike.t) &&
		   !spike.ways && spike.begin == 4 && spike.end == 5 && near(spike.area[0], 2, 1e-12) &&
		   isnan(spike.area[1]),
	   "one piece: nothing is smoothed");
	ok(!ft_nodes_smooth(&nodes, m.f, 0, 4, &spike, NULL) && nodes.n == 3 && nodes.t[1] == 4 &&
		   nodes.t[2] == 5 && isnan(spike.t) && spike.begin == 0 && spike.end == 4 &&
		   near(spike.area[0], 4, 1e-12),
	   "as much above as below: the line");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	made_points(&m, t, flat, 6);
	nodes = (struct ft_nodes){.t = (double[]){0, 1, 2, 5}, .y = (double[]){1, 0, 0, 2}, .n = 4};
	ok(ft_nodes_smooth(&nodes, m.f, 0, 5, &spike, &err) == FT_EINVAL && nodes.n == 4 && *err.remedy, "%s",
	   err.text);
	ft_pwl_free(m.f);
}

/* ---- spikes that are found, beside a slow search ------------------------------------------------------- */

static double rise_and_fall(const struct ft_nodes *nodes, size_t i, size_t j)
{
	double sum = 0;
	size_t k;

	for (k = i + 1; k <= j; k++)
		sum += fabs(nodes->y[k] - nodes->y[k - 1]);
	return sum;
}

/* Up and down that goes with all between two nodes; 0: they stay. */
static double gain_slowly(const struct ft_nodes *nodes, const double *keep, size_t n_keep, size_t i, size_t j,
			  double *w, double *y)
{
	double a = nodes->t[i], b = nodes->t[j], ya = nodes->y[i], yb = nodes->y[j], range[2], gain;
	size_t k;

	if (j - i < 3 || j - i > 6 || b - a > 0.05 * (m.t[m.n - 1] - m.t[0]))
		return 0;
	for (k = 0; k < n_keep; k++)
		if (keep[k] > a && keep[k] < b)
			return 0;
	ft_pwl_range(m.f, range, NULL);
	gain = rise_and_fall(nodes, i, j);
	if (ft_pwl_smooth(m.f, a, ya, b, yb, w, y))
		gain = *y < range[0] || *y > range[1] ? 0 : gain - fabs(*y - ya) - fabs(yb - *y);
	else
		gain = fabs(ft_pwl_line(m.f, a, b).mean - (ya + yb) / 2) > 1e-9 * made_range(&m)
			       ? 0
			       : gain - fabs(yb - ya);
	return gain < 0.1 * made_range(&m) ? 0 : gain;
}

/* What goes, the most up and down in the least time first, again and again. */
static size_t smooth_slowly(struct ft_nodes *nodes, const double *keep, size_t n_keep)
{
	size_t spikes, i, j;

	for (spikes = 0;; spikes++) {
		double best = 0, w, y, best_w = NAN, best_y = NAN;
		size_t from = 0, to = 0, n = 0, k;

		for (i = 0; i < nodes->n; i++)
			for (j = i + 1; j < nodes->n; j++) {
				double gain = gain_slowly(nodes, keep, n_keep, i, j, &w, &y) /
					      (nodes->t[j] - nodes->t[i]);

				if (gain <= best)
					continue;
				best = gain;
				from = i;
				to = j;
				best_w = w;
				best_y = y;
			}
		if (best == 0)
			return spikes;
		for (k = 0; k < nodes->n; k++) {
			bool inside = k > from && k < to;

			if (inside && (k > from + 1 || isnan(best_w)))
				continue;
			nodes->t[n] = inside ? best_w : nodes->t[k];
			nodes->y[n++] = inside ? best_y : nodes->y[k];
		}
		nodes->n = n;
	}
}

/* A curve of spikes of all kinds on a slow wave: hats, steps that go up and down, plateaus, twice the same.
 */
static void made_spiky(struct ft_random *random)
{
	static const double shape[][5] = {{1, 0, 0, 0, 0},   {0.4, 1, 0.4, 0, 0}, {1, 1, 1, 0, 0},
					  {1, -1, 0, 0, 0},  {1, 0, 1, 0, 0},     {-1, 2, -1, 0, 0},
					  {1, 0.9, 0, 0, 0}, {0.2, 0, -1, 0, 1}};
	size_t i, k, kind;

	m.n = 180;
	for (i = 0; i < m.n; i++) {
		m.t[i] = 50 + (double)i + 0.2 * ft_random_uniform(random);
		m.y[i] = 3 + (i % 60 < 30 ? 0.02 * (double)(i % 30) : 0);
	}
	for (i = 5; i + 20 < m.n; i += 9 + ft_random_below(random, 20)) {
		double height = 0.2 + 2 * ft_random_uniform(random);

		kind = ft_random_below(random, sizeof shape / sizeof *shape);
		for (k = 0; k < 5; k++)
			m.y[i + k] += height * shape[kind][k];
	}
	(void)ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
}

static void found_slowly(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(16), bad = 0, chords = 0, nodes_made = 0, i;

	for (i = 0; i < cases; i++) {
		struct ft_nodes fast, slow;
		struct ft_pwl_spike *spike = NULL;
		double keep[2];
		size_t n = 0, k, same = 0, slow_n;

		made_spiky(&random);
		keep[0] = m.t[100] + 0.5;
		keep[1] = m.t[20];
		(void)ft_pwl_constrain(&fast, m.f, m.t, m.n, 1, NULL);
		(void)ft_pwl_constrain(&slow, m.f, m.t, m.n, 1, NULL);
		(void)ft_nodes_smooth_auto(&fast, m.f, keep, 2, &spike, &n, NULL);
		slow_n = smooth_slowly(&slow, keep, 2);
		for (k = 0; k < fast.n && fast.n == slow.n; k++)
			same += fast.t[k] == slow.t[k] && fast.y[k] == slow.y[k];
		bad += n != slow_n || same != slow.n;
		if (n != slow_n || same != slow.n)
			diag("case %d: %zu spikes, slowly %zu", i, n, slow_n);
		for (k = 0; k < n; k++) {
			double end = isnan(spike[k].t) ? spike[k].end : spike[k].t;

			chords += isnan(spike[k].t) ? 1 : 0;
			nodes_made += isnan(spike[k].t) ? 0 : 1;
			bad += !near(spike[k].area[0], ft_pwl_integral(m.f, spike[k].begin, end), 1e-9) ||
			       (isnan(spike[k].t) ? !isnan(spike[k].area[1])
						  : !near(spike[k].area[1],
							  ft_pwl_integral(m.f, end, spike[k].end), 1e-9));
		}
		free(spike);
		ft_nodes_clear(&fast);
		ft_nodes_clear(&slow);
		ft_pwl_free(m.f);
	}
	ok(!bad && chords && nodes_made, "spikes are found as a slow search does: %d by a line, %d by a node",
	   chords, nodes_made);
}

int main(void)
{
	several_ways();
	as_steep();
	at_hand();
	found_slowly();
	return done();
}
