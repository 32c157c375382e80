/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-quantile.c - what all have ended by but for a risk: against all divisions, and against what is drawn. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "num/num.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { N = 24, MOST = 16 };

static const double each = 0.05;

struct instance {
	struct ft_plan_times typical[MOST], late[MOST];
	int64_t at[3];
	double slow[MOST][3], sigma[MOST], fast[MOST][3];
	size_t p;
};

static void slow_down(struct instance *g)
{
	for (size_t i = 0; i < g->p; i++)
		for (size_t k = 0; k < 3; k++)
			g->slow[i][k] = g->fast[i][k] * exp(g->sigma[i] * ft_normal_quantile(1 - each));
}

/* p processors of their own pace and scatter; lines from 0 to n, bent in the middle by up to `bend`. */
static void draw(struct instance *g, size_t p, int64_t n, double least, double most, double bend,
		 struct ft_random *r)
{
	*g = (struct instance){.p = p, .at = {0, n / 2, n}};
	for (size_t i = 0; i < p; i++) {
		g->sigma[i] = least * pow(most / least, ft_random_uniform(r));
		g->fast[i][2] = spread(r, 0.5);
		g->fast[i][1] = g->fast[i][2] * (double)g->at[1] / (double)n * between(r, 1 / bend, bend);
		g->typical[i] = (struct ft_plan_times){.n = 3, .at = g->at, .time_s = g->fast[i]};
		g->late[i] = (struct ft_plan_times){.n = 3, .at = g->at, .time_s = g->slow[i]};
	}
	slow_down(g);
}

static double chance(const struct instance *g, const int64_t *units, double t)
{
	double all = 1;

	for (size_t i = 0; i < g->p; i++)
		if (units[i])
			all *= ft_normal_below(log(t / ft_plan_time(&g->typical[i], units[i])) / g->sigma[i]);
	return all;
}

static double quantile(const struct instance *g, const int64_t *units, double risk)
{
	double least = 1e-6, most = 1e6;

	for (int i = 0; i < 200; i++) {
		double middle = sqrt(least * most);

		if (chance(g, units, middle) < 1 - risk)
			least = middle;
		else
			most = middle;
	}
	return most;
}

/* The least quantile over all ways to divide what is left among those from i on. */
static void enumerate(const struct instance *g, double risk, size_t i, int64_t left, int64_t *units,
		      double *best)
{
	if (i + 1 == g->p) {
		units[i] = left;
		*best = fmin(*best, quantile(g, units, risk));
		return;
	}
	for (int64_t x = 0; x <= left; x++) {
		units[i] = x;
		enumerate(g, risk, i + 1, left - x, units, best);
	}
}

static void test_all(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(30), wrong = 0, worse = 0, invalid = 0;
	double sum = 0, most = 0, gap = 0;

	for (i = 0; i < cases; i++) {
		size_t p = 2 + ft_random_below(&r, 2);
		int64_t units[MOST], tried[MOST], n = whole(&r, 3, N), k, left = 0;
		double risk = between(&r, 0.06, 0.25), best = INFINITY, own;
		struct ft_partition_late out;
		struct ft_partition found;
		struct instance g;

		draw(&g, p, n, 0.02, 0.5, 1 + 2 * (i % 2), &r);
		wrong += ft_plan_partition(g.late, p, n, NULL, units, NULL, &found, NULL) != FT_OK;
		own = quantile(&g, units, risk);
		wrong += ft_plan_partition_late(g.typical, g.late, each, p, n, NULL, risk, units, &out,
						NULL) != FT_OK;
		wrong += fabs(out.before_s / own - 1) > 1e-6;
		for (k = 0; k < (int64_t)p; k++)
			left += units[k];
		enumerate(&g, risk, 0, n, tried, &best);
		own = quantile(&g, units, risk);
		wrong +=
			left != n || fabs(out.plan.value / own - 1) > 1e-6 || own > out.before_s * (1 + 1e-9);
		gap = fmax(gap, best / out.plan.bound);
		invalid += out.plan.bound > best * (1 + 1e-9);
		worse += own > best * (1 + 1e-6);
		sum += own / best;
		most = fmax(most, own / best);
	}
	ok(!wrong, "%d cases: a division, its quantile, and never a worse one", cases);
	ok(!invalid, "no division is below a bound, which are up to %.3f below the best", gap);
	ok(worse * 5 <= cases && sum / cases < 1.005, "%d are not the best, %.4f in the mean, %.4f at most",
	   worse, sum / cases, most);
}

/* What is promised of shares happens so often. */
static void test_drawn(void)
{
	enum { DRAWS = 4000 };
	struct ft_random r = {test_seed()};
	struct ft_partition_late out;
	struct ft_partition found;
	struct instance g;
	int64_t units[MOST], median[MOST], n = 1000000000;
	int held = 0;

	draw(&g, MOST, n, 0.02, 0.3, 1, &r);
	for (size_t k = 0; k < MOST; k++)
		g.sigma[k] = k % 2 ? 0.02 : 0.3;
	slow_down(&g);
	ok(!ft_plan_partition(g.typical, MOST, n, NULL, median, NULL, &found, NULL) &&
		   !ft_plan_partition(g.late, MOST, n, NULL, units, NULL, &found, NULL) &&
		   !ft_plan_partition_late(g.typical, g.late, each, MOST, n, NULL, 0.05, units, &out, NULL),
	   "16 processors, 1e9 units");
	for (int i = 0; i < DRAWS; i++) {
		double last = 0;

		for (size_t k = 0; k < MOST; k++)
			last = fmax(last, ft_plan_time(&g.typical[k], units[k]) * spread(&r, g.sigma[k]));
		held += last <= out.plan.value;
	}
	ok(fabs(held / (double)DRAWS - 0.95) < 0.015, "the promised quantile of 0.95 holds in %.3f of %d",
	   held / (double)DRAWS, DRAWS);
	ok(out.plan.value < 0.75 * quantile(&g, median, 0.05) && out.plan.bound > 0.99 * out.plan.value,
	   "it is %.3f of that of typical times, and at most %.3f of the bound",
	   out.plan.value / quantile(&g, median, 0.05), out.plan.value / out.plan.bound);
}

static void test_bounds(void)
{
	const struct ft_partition_options steps = {.granularity = 10};
	struct ft_random r = {5};
	struct ft_partition_late out;
	struct instance g;
	int64_t units[2] = {500, 503};
	struct ft_err err;

	draw(&g, 2, 1003, 0.1, 0.1, 1, &r);
	g.typical[0].most = g.late[0].most = 520;
	g.typical[1].least = g.late[1].least = 100;
	g.fast[0][1] *= 1e-3;
	g.fast[0][2] *= 1e-3;
	slow_down(&g);
	ok(!ft_plan_partition_late(g.typical, g.late, each, 2, 1003, &steps, 0.1, units, &out, &err) &&
		   units[0] == 520 && units[1] == 483,
	   "a cap, and steps");
	ok(ft_plan_partition_late(g.typical, g.late, each, 2, 1003, NULL, 0.04, units, &out, &err) ==
			   FT_EINVAL &&
		   ft_plan_partition_late(g.typical, g.late, 0, 2, 1003, NULL, 0.1, units, &out, &err) ==
			   FT_EINVAL,
	   "risks that are none: %s", err.text);
	ok(ft_plan_partition_late(g.typical, g.late, each, 0, 1003, NULL, 0.1, units, &out, &err) ==
		   FT_EINVAL,
	   "nobody");
	g.typical[1].n = 0;
	ok(ft_plan_partition_late(g.typical, g.late, each, 2, 1003, NULL, 0.1, units, &out, &err) ==
		   FT_EINVAL,
	   "no knots: %s", err.text);
}

static void test_faults(void)
{
	struct ft_random r = {5};
	enum ft_status status = FT_ENOMEM;
	struct ft_partition_late out;
	struct instance g;
	unsigned long n;

	draw(&g, 3, 1000, 0.1, 0.2, 1, &r);
	for (n = 1; status == FT_ENOMEM && n < 100; n++) {
		int64_t units[3] = {300, 300, 400};

		ft_alloc_fail_at(n);
		status = ft_plan_partition_late(g.typical, g.late, each, 3, 1000, NULL, 0.1, units, &out,
						NULL);
	}
	ft_alloc_fail_at(0);
	ok(status == FT_OK && n > 4, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
	test_all();
	test_drawn();
	test_bounds();
	test_faults();
	return done();
}
