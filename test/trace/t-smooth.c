/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-smooth.c - how many nodes would do in place of a spike, and both areas. */
#include "base/alloc.h"
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

	for (int i = 0; i < 60; i++) {
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

	*best = NAN;
	for (int i = 1; i < STEPS; i++) {
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

	made_points(&m, t, two, 9);
	(void)ft_pwl_constrain(&nodes, m.f, t, 9, 1, NULL);
	bool smoothed = !ft_nodes_smooth(&nodes, m.f, 0.5, 7.5, &spike, NULL);
	ok(smoothed && spike.ways == ways_slowly(0, 0, 8, 0, &best) && spike.ways > 1,
	   "two spikes as one: %zu nodes would do", spike.ways);
	ok(near(spike.area[0] + spike.area[1], 18, 1e-12) &&
		   near(spike.area[0], spike.y * spike.t / 2, 1e-12),
	   "and both areas are told");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	for (i = 0; i < cases; i++) {
		made_random(&m, &random, 8 + ft_random_below(&random, 12));
		(void)ft_pwl_constrain(&nodes, m.f, m.t, m.n, 1, NULL);
		size_t slowly = ways_slowly(m.t[0], m.y[0], m.t[m.n - 1], m.y[m.n - 1], &best);
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

	made_points(&m, t, value, 4);
	(void)ft_pwl_constrain(&nodes, m.f, t, 4, 1, NULL);
	bool smoothed = !ft_nodes_smooth(&nodes, m.f, 0, 4, &spike, NULL);
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

/* ---- spikes that are found ---------------------------------------------------------------------------- */

enum { SPIKES = 15 };

/* A day with spikes of a minute, in rows of so many seconds: where phases see a spike, it is smoothed, and
 * nothing else is. */
static void of_a_day(size_t n, double noise, double wave, struct ft_random *random)
{
	const struct ft_curves curves = {.part = &m.f, .n = 1};
	const struct ft_pwl_stretch found = {NAN, NAN};
	size_t rows = n / 1440 ? n / 1440 : 1, at[SPIKES], i, k, good = 0;
	double row = 86400 / (double)n, seconds = 0, keep, range[2];
	struct ft_curves_fit fit, kept;
	struct ft_phases phases;
	struct ft_spikes spikes;
	bool inside = true;

	for (i = 0; i < n; i++) {
		m.t[i] = row * (double)i;
		m.y[i] = 30 + wave * sin(2 * 3.14159265 * (double)i / (double)n) +
			 noise * ft_random_normal(random);
	}
	for (k = 0; k < SPIKES; k++) {
		at[k] = (k + 1) * n / (SPIKES + 1) + ft_random_below(random, n / (2 * SPIKES)) -
			n / (4 * SPIKES);
		for (i = 0; i < rows; i++)
			m.y[at[k] + i] += 50;
	}
	(void)ft_pwl_new(&m.f, m.t, m.y, n, NULL);
	(void)ft_pwl_phases(&phases, m.f, 0, NULL);
	(void)ft_pwl_spikes(&spikes, m.f, &phases, false, NULL);
	for (k = 0; k < SPIKES && spikes.n == SPIKES; k++)
		good += spikes.t[k] >= m.t[at[k]] && spikes.t[k] < m.t[at[k] + rows];
	ok(good == SPIKES, "%zu rows, noise %g, wave %g: phases see all %d spikes (%zu)", n, noise, wave,
	   SPIKES, spikes.n);
	(void)ft_curves_constrain(&fit, &curves, &(struct ft_curves_wish){NULL, 0, 1, &found, 1}, NULL);
	for (k = 0, good = 0; k < SPIKES && fit.n_spikes == SPIKES; k++) {
		good += fit.spike[k].begin < m.t[at[k]] && fit.spike[k].end > m.t[at[k] + rows - 1];
		seconds += fit.spike[k].end - fit.spike[k].begin;
	}
	ok(good == SPIKES && seconds < 4 * SPIKES * (60 + row),
	   "each is smoothed, and nothing else: %g min of the day", seconds / 60);
	ft_pwl_range(m.f, range, NULL);
	for (i = 0; i < fit.nodes.n; i++)
		inside = inside && fit.nodes.y[i] >= range[0] && fit.nodes.y[i] <= range[1];
	ok(inside && near(fit.error.area, fit.error.area_data, 1e-9),
	   "in the range of the curve, with its area");
	keep = m.t[at[3]];
	(void)ft_curves_constrain(&kept, &curves, &(struct ft_curves_wish){&keep, 1, 1, &found, 1}, NULL);
	ok(kept.n_spikes == SPIKES - 1 && near(ft_nodes_at(&kept.nodes, keep), ft_pwl_at(m.f, keep), 1e-9),
	   "one with a time of P stays");
	ft_curves_fit_clear(&kept);
	ft_curves_fit_clear(&fit);
	ft_phases_clear(&phases);
	ft_spikes_clear(&spikes);
	ft_pwl_free(m.f);
}

static void found_everywhere(void)
{
	struct ft_random random = {test_seed()};
	struct ft_pwl_stretch *none = NULL;
	size_t n = 1, k;
	bool good = true;

	of_a_day(1440, 2, 0, &random);
	of_a_day(1440, 2, 15, &random);
	of_a_day(2880, 1, 0, &random);
	of_a_day(4000, 5, 0, &random);
	made_points(&m, (double[]){0, 1, 2, 3, 4}, (double[]){1, 1, 1, 1, 1}, 5);
	ok(!ft_pwl_spikes_around(&none, &n, m.f, NULL, 0, NULL) && !n, "a constant has none");
	ft_free(none);
	for (k = 1; good && k < 400; k++) {
		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_pwl_spikes_around(&none, &n, m.f, NULL, 0, NULL);
		(void)ft_alloc_fail_at(0);
		ft_free(none);
		good = status == FT_OK || status == FT_ENOMEM;
		if (!status)
			break;
	}
	ok(good && k > 3 && k < 400, "%lu allocations: each may fail", (unsigned long)k);
	ft_pwl_free(m.f);
}

int main(void)
{
	several_ways();
	as_steep();
	at_hand();
	found_everywhere();
	return done();
}
