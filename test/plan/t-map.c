/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-map.c - independent tasks on machines: by hand, against all mappings of small cases, larger ones beside
 * their bound. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { TASKS = 9, MACHINES = 4 };

static void test_hand(void)
{
	/* The second task runs on the second machine only, which it takes until 5. */
	const double no = INFINITY, t[] = {3, 3, no, 5, 4, 4, 3, 3};
	const double nowhere[] = {1, 2, no, no}, wrong[] = {1, 2, 3, -1};
	struct ft_plan out;
	struct ft_err err;
	size_t on[4];
	double load[2];

	ok(!ft_plan_map(t, 4, 2, NULL, on, load, &out, NULL) && on[1] == 1 && out.value == 8 &&
		   fmax(load[0], load[1]) == 8 && load[0] + load[1] == 15,
	   "a machine that is taken until 5 is a task more");
	ok(out.bound <= 8 && out.bound > 7.4, "the bound is half of all work, about");
	ok(!ft_plan_map(nowhere, 2, 2, NULL, on, load, &out, NULL) && isinf(out.value) && out.exact &&
		   on[0] == 0 && on[1] == FT_PLAN_NOWHERE,
	   "a task that fits nowhere is named");
	ok(!ft_plan_map(NULL, 0, 2, NULL, on, load, &out, NULL) && out.value == 0 && out.exact &&
		   load[0] == 0,
	   "no tasks take no time");
	ok(ft_plan_map(wrong, 2, 2, NULL, on, load, &out, &err) == FT_EINVAL && strstr(err.text, "task 1") &&
		   strstr(err.text, "machine 1") &&
		   ft_plan_map(t, 4, 0, NULL, on, load, &out, NULL) == FT_EINVAL,
	   "a negative time: which one; no machines");
}

/* The least makespan of all m^n mappings. */
static double enumerate(const double *p, size_t n, size_t m)
{
	size_t on[TASKS] = {0}, i, j;
	double best = INFINITY;

	for (;;) {
		double load[MACHINES] = {0}, t = 0;

		for (j = 0; j < n; j++)
			load[on[j]] += p[j * m + on[j]];
		for (i = 0; i < m; i++)
			t = fmax(t, load[i]);
		best = fmin(best, t);
		for (j = 0; j < n && ++on[j] == m; j++)
			on[j] = 0;
		if (j == n)
			return best;
	}
}

/* Related machines, unrelated ones, and memory: some tasks do not fit some machines, or only with paging. */
static void draw(double *p, size_t n, size_t m, int kind, struct ft_random *r)
{
	double speed[100];

	for (size_t i = 0; i < m; i++)
		speed[i] = spread(r, 0.5);
	for (size_t j = 0; j < n; j++) {
		double work = spread(r, 1);

		for (size_t i = 0; i < m; i++) {
			double t = work * speed[i];

			if (kind == 1)
				t *= spread(r, 0.4);
			if (kind == 2)
				t = between(r, 1, 100);
			if (kind == 3 && i > 0 && ft_random_below(r, 3) == 0)
				t = ft_random_below(r, 2) ? (double)INFINITY : 8 * t;
			p[j * m + i] = t;
		}
	}
}

static double value_of(const double *p, size_t n, size_t m, const size_t *on)
{
	double load[100] = {0}, t = 0;

	for (size_t j = 0; j < n; j++)
		load[on[j]] += p[j * m + on[j]];
	for (size_t i = 0; i < m; i++)
		t = fmax(t, load[i]);
	return t;
}

static void test_small(void)
{
	struct ft_plan_search search = {.effort = 200000, .seed = 1};
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(300), worse = 0, wrong = 0, exact = 0;

	for (i = 0; i < cases; i++) {
		double p[TASKS * MACHINES], best;
		size_t n = (size_t)whole(&r, 1, 8), m = (size_t)whole(&r, 1, 3), on[TASKS];
		struct ft_plan out;

		draw(p, n, m, i % 4, &r);
		best = enumerate(p, n, m);
		wrong += ft_plan_map(p, n, m, &search, on, NULL, &out, NULL) ||
			 out.bound > best * (1 + 1e-12) || out.value < best * (1 - 1e-12) ||
			 !near(value_of(p, n, m, on), out.value, 1e-12) ||
			 (out.exact && !near(out.value, best, 1e-9));
		worse += out.value > best * (1 + 1e-9);
		exact += out.exact;
	}
	ok(wrong == 0, "%d small cases: the bound is below the best mapping, the plan is what it says",
	   cases);
	ok(worse == 0, "and is the best one");
	ok(exact == cases, "and each is proved: there are few mappings, and all are looked at");
}

static void test_large(void)
{
	enum { N = 300, M = 12 };
	static double p[N * M];
	static size_t on[N], again[N];
	struct ft_plan_search search = {.effort = 10000000, .seed = 7};
	struct ft_random r = {test_seed()};

	for (int kind = 0; kind < 4; kind++) {
		struct ft_plan out, same;

		draw(p, N, M, kind, &r);
		ok(!ft_plan_map(p, N, M, &search, on, NULL, &out, NULL) && out.bound <= out.value &&
			   near(value_of(p, N, M, on), out.value, 1e-12) && ft_plan_gap(&out) < 0.05,
		   "300 tasks on 12 machines, kind %d: at most 5 %% above the bound", kind);
		ok(!ft_plan_map(p, N, M, &search, again, NULL, &same, NULL) && same.value == out.value &&
			   same.evaluations == out.evaluations && !memcmp(on, again, sizeof on) &&
			   (out.exact ||
			    (out.evaluations > search.effort / 2 && out.evaluations < 2 * search.effort)),
		   "the same seed gives the same plan, for about the effort asked for");
	}
}

int main(void)
{
	test_hand();
	test_small();
	test_large();
	return done();
}
