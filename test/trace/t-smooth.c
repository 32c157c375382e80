/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-smooth.c - how many nodes would do in place of a spike, and both areas. */
#include "made.h"
#include "tap.h"

static struct made m;

/* How many sign changes the equation of 003 section 4 has between a and b, by many small steps. */
static size_t ways_slowly(double a, double ya, double b, double yb)
{
	enum { STEPS = 20000 };
	double before = 0;
	size_t ways = 0;
	int i;

	for (i = 1; i < STEPS; i++) {
		double x = a + (b - a) * i / STEPS;
		double left = ft_pwl_integral(m.f, a, x), right = ft_pwl_integral(m.f, x, b);
		double now = 2 * (x - a) * right + 2 * (x - b) * left - (x - a) * (b - x) * (yb - ya);

		ways += now * before < 0;
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

	made_points(&m, t, two, 9);
	(void)ft_pwl_constrain(&nodes, m.f, t, 9, 1, NULL);
	ok(!ft_nodes_smooth(&nodes, m.f, 0.5, 7.5, &spike, NULL) && spike.ways == ways_slowly(0, 0, 8, 0) &&
		   spike.ways > 1,
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
		slowly = ways_slowly(m.t[0], m.y[0], m.t[m.n - 1], m.y[m.n - 1]);
		if (!ft_nodes_smooth(&nodes, m.f, m.t[0], m.t[m.n - 1], &spike, NULL)) {
			/* two zeros within one small step are none to it */
			if (!isnan(spike.t) && (spike.ways < slowly || (spike.ways - slowly) % 2)) {
				bad++;
				diag("case %d: %zu nodes, %zu changes of sign", i, spike.ways, slowly);
			}
			several += spike.ways > 1;
		}
		ft_nodes_clear(&nodes);
		ft_pwl_free(m.f);
	}
	ok(!bad && several, "%d random curves: as many as the equation has zeros, several %d times", cases,
	   several);
}

int main(void)
{
	several_ways();
	return done();
}
