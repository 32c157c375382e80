/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-energy.c - least energy by a deadline, and fronts: by hand, and against dynamic programming. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "tap.h"

enum { PROCESSORS = 5, UNITS = 41, VALUES = PROCESSORS * UNITS };

static void test_hand(void)
{
	/* The first is fast and dear, the second slow and cheap. */
	const double fast_s[] = {0, 1, 2, 3, 4}, dear_j[] = {0, 5, 10, 15, 20};
	const double slow_s[] = {0, 3, 6, 9, 12}, cheap_j[] = {0, 1, 2, 3, 4};
	struct ft_plan_costs cost[] = {{5, fast_s, dear_j}, {5, slow_s, cheap_j}}, wrong[2];
	const double nan_j[] = {0, NAN, 1, 1, 1};
	struct ft_partition_energy out;
	struct ft_plan_front front;
	struct ft_err err;
	int64_t x[2];

	ok(!ft_plan_partition_energy(cost, 2, 4, INFINITY, 0, x, &out, NULL) && x[1] == 4 &&
		   out.plan.value == 4 && out.plan.exact && out.time_s == 12,
	   "no deadline: all to the cheap one");
	ok(!ft_plan_partition_energy(cost, 2, 4, 6.5, 0, x, &out, NULL) && x[0] == 2 && x[1] == 2 &&
		   out.plan.value == 12 && out.time_s == 6 && isnan(out.fastest_s),
	   "a deadline of 6.5 s");
	ok(!ft_plan_partition_energy(cost, 2, 4, 2, 0, x, &out, NULL) && isinf(out.plan.value) &&
		   out.plan.exact && out.fastest_s == 3 && x[0] == 0,
	   "a deadline before the fastest plan: which it is");
	ok(!ft_plan_partition_energy(cost, 2, 9, INFINITY, 0, x, &out, NULL) && isinf(out.plan.value) &&
		   isinf(out.fastest_s),
	   "more than the tables hold: no plan at all");
	ok(!ft_plan_front(cost, 2, 4, 0, 0, &front, NULL) && front.n == 4 && front.complete &&
		   front.point[0].energy_j == 4 && front.point[1].time_s == 9 && front.point[3].time_s == 3 &&
		   front.point[3].energy_j == 16 && front.units[6] == 3 && front.units[7] == 1,
	   "the front has four points");
	ft_plan_front_clear(&front);
	ft_plan_front_clear(&front);
	ok(!ft_plan_front(cost, 2, 4, 2, 0, &front, NULL) && front.n == 2 && front.point[1].time_s == 3,
	   "two of them are the cheapest and the fastest");
	ft_plan_front_clear(&front);
	memcpy(wrong, cost, sizeof wrong);
	wrong[1].energy_j = nan_j;
	ok(ft_plan_partition_energy(wrong, 2, 4, 1, 0, x, &out, &err) == FT_EINVAL &&
		   strstr(err.text, "processor 1: 1 units") &&
		   ft_plan_partition_energy(cost, 2, 4, NAN, 0, x, &out, NULL) == FT_EINVAL &&
		   ft_plan_partition_energy(cost, 0, 4, 1, 0, x, &out, NULL) == FT_EINVAL &&
		   ft_plan_front(wrong, 2, 4, 0, 0, &front, NULL) == FT_EINVAL,
	   "NaN, a deadline that is none, no processors");
}

struct instance {
	struct ft_plan_costs cost[PROCESSORS];
	double t[PROCESSORS][UNITS], e[PROCESSORS][UNITS];
	size_t p;
	int64_t total;
};

static void draw(struct instance *k, struct ft_random *r, int kind)
{
	size_t i, x, n = (size_t)whole(r, 2, UNITS);

	k->p = (size_t)whole(r, 1, PROCESSORS);
	for (i = 0; i < k->p; i++) {
		double rate = exp(between(r, 0, 2)), watts = exp(between(r, 0, 3));

		for (x = 0; x < n; x++) {
			double t = rate * (double)x * (kind % 2 ? 1 : between(r, 0.5, 1.5));

			k->t[i][x] = kind == 4 && x && ft_random_below(r, 4) == 0 ? (double)INFINITY : t;
			k->e[i][x] = kind % 3 == 0   ? watts * t
				     : kind % 3 == 1 ? watts * between(r, 0, 1) * (double)x
						     : watts * (double)x;
		}
		k->cost[i] = (struct ft_plan_costs){n, k->t[i], k->e[i]};
	}
	k->total = whole(r, 0, (int64_t)(k->p * (n - 1)));
}

static double dynamic(const struct instance *k, double deadline)
{
	double best[VALUES], next[VALUES];

	for (int64_t s = 0; s <= k->total; s++)
		best[s] = s == 0 ? 0 : INFINITY;
	for (size_t i = 0; i < k->p; i++) {
		for (int64_t s = 0; s <= k->total; s++)
			next[s] = INFINITY;
		for (int64_t x = 0; x < (int64_t)k->cost[i].n && x <= k->total; x++)
			for (int64_t s = x; s <= k->total && k->t[i][x] <= fmin(deadline, 1e300); s++)
				next[s] = fmin(next[s], best[s - x] + k->e[i][x]);
		memcpy(best, next, sizeof best);
	}
	return best[k->total];
}

static bool keeps(const struct instance *k, const int64_t *x, double time_s, double energy_j)
{
	double t = 0, e = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < k->p; i++) {
		t = fmax(t, k->t[i][x[i]]);
		e += k->e[i][x[i]];
		sum += x[i];
	}
	return sum == k->total && t == time_s && near(e, energy_j, 1e-12);
}

static bool same(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-9 * fabs(b) + 1e-12;
}

static void test_dynamic(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(3000), differ = 0, none = 0;

	for (i = 0; i < cases; i++) {
		struct ft_partition_energy out;
		struct instance k;
		int64_t x[PROCESSORS];

		draw(&k, &r, i % 6);
		double deadline = i % 5 == 0 ? (double)INFINITY : between(&r, 0, 4) * (double)k.cost[0].n;
		double best = dynamic(&k, deadline);
		none += isinf(best);
		differ += ft_plan_partition_energy(k.cost, k.p, k.total, deadline, 0, x, &out, NULL) ||
			  !out.plan.exact || !same(out.plan.value, best) || out.plan.bound > out.plan.value ||
			  (isinf(best) && isfinite(out.fastest_s) && !(out.fastest_s > deadline)) ||
			  (isfinite(best) &&
			   (!keeps(&k, x, out.time_s, out.plan.value) || out.time_s > deadline));
	}
	ok(differ == 0 && none > 0 && none < cases, "%d cases as dynamic programming says, %d without a plan",
	   cases, none);
}

static int by_value(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* All times as deadlines, the earliest first: a point wherever the least energy falls. */
static size_t all_points(const struct instance *k, struct ft_plan_point *out)
{
	double t[VALUES], last = INFINITY;
	size_t n = 0, points = 0;

	for (size_t i = 0; i < k->p; i++)
		for (size_t x = 0; x < k->cost[i].n; x++)
			t[n++] = k->t[i][x];
	qsort(t, n, sizeof *t, by_value);
	for (size_t i = 0; i < n && t[i] < INFINITY; i++) {
		double e = dynamic(k, t[i]);

		if (e < last * (1 - 1e-12) - 1e-12 || (isinf(last) && isfinite(e))) {
			last = e;
			out[points++] = (struct ft_plan_point){t[i], e};
		}
	}
	return points;
}

static void test_fronts(void)
{
	struct ft_random r = {test_seed() + 1};
	int i, cases = test_cases(120), differ = 0, outside = 0;

	for (i = 0; i < cases; i++) {
		struct ft_plan_point all[VALUES];
		struct ft_plan_front front, few;
		struct instance k;

		do
			draw(&k, &r, i % 6);
		while (k.cost[0].n > 25);
		size_t n = all_points(&k, all);
		bool good = !ft_plan_front(k.cost, k.p, k.total, 0, 0, &front, NULL) && front.n == n &&
			    front.complete && (n == 0 || front.knee < n);
		for (size_t j = 0; j < n && good; j++)
			good = front.point[j].time_s == all[n - 1 - j].time_s &&
			       same(front.point[j].energy_j, all[n - 1 - j].energy_j) &&
			       keeps(&k, front.units + j * k.p, front.point[j].time_s,
				     front.point[j].energy_j);
		differ += !good;
		good = !ft_plan_front(k.cost, k.p, k.total, 5, 0, &few, NULL) && few.n <= 5 &&
		       (n < 2 || (few.n >= 2 && few.point[few.n - 1].time_s == front.point[n - 1].time_s &&
				  same(few.point[0].energy_j, front.point[0].energy_j)));
		for (size_t j = 0; j < few.n && good; j++)
			good = same(few.point[j].energy_j, dynamic(&k, few.point[j].time_s));
		outside += !good;
		ft_plan_front_clear(&front);
		ft_plan_front_clear(&few);
	}
	ok(differ == 0, "%d fronts as dynamic programming for every deadline says", cases);
	ok(outside == 0,
	   "five points of each: the cheapest, the fastest, and each of least energy by its time");
}

static void test_effort(void)
{
	enum { MANY = 3000 };
	static double t[2][MANY], e[2][MANY];
	struct ft_plan_costs cost[] = {{MANY, t[0], e[0]}, {MANY, t[1], e[1]}};
	struct ft_random r = {test_seed()};
	struct ft_partition_energy out;
	int64_t x[2];

	for (size_t i = 0; i < MANY; i++) {
		t[0][i] = t[1][i] = (double)i;
		e[0][i] = between(&r, 1, 2) * (double)i;
		e[1][i] = between(&r, 1, 2) * (double)i;
	}
	ok(!ft_plan_partition_energy(cost, 2, MANY, INFINITY, 100, x, &out, NULL) && isinf(out.plan.value) &&
		   !out.plan.exact && isfinite(out.plan.bound) && x[0] == 0,
	   "no plan within so little effort, and none is claimed not to be");
}

int main(void)
{
	test_hand();
	test_dynamic();
	test_fronts();
	test_effort();
	return done();
}
