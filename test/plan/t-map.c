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

/* ---- least energy by a deadline ------------------------------------------------------------------------ */

static double energy_of(const double *e, size_t n, size_t m, const size_t *on)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += e[j * m + on[j]];
	return sum;
}

/* The least energy of all mappings that keep a deadline; the least time of any. */
static double enumerate_energy(const double *p, const double *e, size_t n, size_t m, double deadline,
			       double *fastest)
{
	size_t on[TASKS] = {0}, j;
	double best = INFINITY;

	for (*fastest = INFINITY;;) {
		double t = value_of(p, n, m, on);

		*fastest = fmin(*fastest, t);
		if (t <= deadline)
			best = fmin(best, energy_of(e, n, m, on));
		for (j = 0; j < n && ++on[j] == m; j++)
			on[j] = 0;
		if (j == n)
			return best;
	}
}

static void draw_energy(const double *p, double *e, size_t n, size_t m, struct ft_random *r)
{
	double watts[100];

	for (size_t i = 0; i < m; i++)
		watts[i] = 100 * spread(r, 0.7);
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < m; i++)
			e[j * m + i] = isinf(p[j * m + i]) ? 0 : watts[i] * p[j * m + i] * spread(r, 0.2);
}

static void test_energy_hand(void)
{
	/* The first machine is twice as fast, and takes four times the power. */
	const double t[] = {1, 2, 1, 2, 1, 2}, e[] = {4, 2, 4, 2, 4, 2}, bad[] = {4, 2, 4, NAN, 4, 2};
	const double no = INFINITY, cheap[] = {1, 2, 1, no, 1, 2}, some[] = {1, 2, no, no, 1, 2};
	struct ft_map_energy out;
	struct ft_err err;
	size_t on[3];
	double load[2];

	ok(!ft_plan_map_energy(t, e, 3, 2, INFINITY, NULL, 0, NULL, on, load, &out, NULL) &&
		   out.plan.value == 6 && out.plan.exact && out.time_s == 6 && load[1] == 6,
	   "without a deadline each goes where it costs least");
	ok(!ft_plan_map_energy(cheap, e, 3, 2, INFINITY, NULL, 0, NULL, on, load, &out, NULL) &&
		   out.plan.value == 8 && on[1] == 0 && load[1] == 4,
	   "but never where it does not fit");
	ok(!ft_plan_map_energy(t, e, 3, 2, 4, NULL, 0, NULL, on, load, &out, NULL) && out.plan.value == 8 &&
		   out.time_s == 4 && out.latest == 1 && isnan(out.fastest_s) && load[0] == 1,
	   "a deadline sends one to the fast machine");
	ok(!ft_plan_map_energy(t, e, 3, 2, 1.5, NULL, 0, NULL, on, load, &out, NULL) &&
		   isinf(out.plan.value) && out.plan.exact && isinf(out.plan.bound) && out.fastest_s == 2 &&
		   load[out.latest] == out.fastest_s,
	   "before the fastest plan there is none: how long that takes, and what binds");
	ok(!ft_plan_map_energy(some, e, 3, 2, 9, NULL, 0, NULL, on, load, &out, NULL) &&
		   isinf(out.plan.value) && on[1] == FT_PLAN_NOWHERE && on[0] != FT_PLAN_NOWHERE,
	   "a task that fits nowhere is named");
	ok(!ft_plan_map_energy(NULL, NULL, 0, 2, 9, NULL, 0, NULL, on, load, &out, NULL) &&
		   out.plan.value == 0 && out.plan.exact,
	   "no tasks cost nothing");
	ok(ft_plan_map_energy(t, bad, 3, 2, 9, NULL, 0, NULL, on, load, &out, &err) == FT_EINVAL &&
		   strstr(err.text, "task 1") && strstr(err.text, "machine 1") &&
		   ft_plan_map_energy(bad, e, 3, 2, 9, NULL, 0, NULL, on, load, &out, NULL) == FT_EINVAL &&
		   ft_plan_map_energy(t, e, 3, 2, NAN, NULL, 0, NULL, on, load, &out, NULL) == FT_EINVAL &&
		   ft_plan_map_energy(t, e, 3, 0, 9, NULL, 0, NULL, on, load, &out, NULL) == FT_EINVAL,
	   "energies, times and deadlines that are none; no machines");
}

/* Machines that are taken are as tasks of their own, which fit nowhere else and cost nothing. */
static void test_energy_taken(void)
{
	const double t[] = {2, 4, 3, 4}, e[] = {9, 1, 9, 1}, no = INFINITY;
	const double rows[] = {2, 4, 3, 4, 5, no}, free[] = {9, 1, 9, 1, 0, 0};
	const struct ft_plan_reserved two[] = {{0, 0, 3}, {0, 0, 5}}, until[] = {{1, 0, 1}, {0, 0, 20}},
				      later[] = {{0, 1, 2}}, none[] = {{2, 0, 1}};
	struct ft_map_energy out, same;
	size_t on[2], as[3];
	double load[2];
	struct ft_err err;

	ok(!ft_plan_map_energy(t, e, 2, 2, 7, two, 2, NULL, on, load, &out, NULL) &&
		   !ft_plan_map_energy(rows, free, 3, 2, 7, NULL, 0, NULL, as, NULL, &same, NULL) &&
		   out.plan.value == same.plan.value && out.plan.value == 10 && on[0] == 0 && on[1] == 1 &&
		   load[0] == 7 && load[1] == 4 && out.latest == 0,
	   "the longest of what one is taken for counts");
	ok(!ft_plan_map_energy(t, e, 2, 2, 9, until, 2, NULL, on, load, &out, NULL) && on[0] == 1 &&
		   on[1] == 1 && load[1] == 9 && out.plan.value == 2,
	   "who is taken beyond the deadline gets no task");
	ok(!ft_plan_map_energy(t, e, 2, 2, 8, until, 2, NULL, on, load, &out, NULL) &&
		   isinf(out.plan.value) && out.fastest_s == 9,
	   "... and the other one is too slow");
	ok(ft_plan_map_energy(t, e, 2, 2, 9, later, 1, NULL, on, load, &out, &err) == FT_EINVAL &&
		   strstr(err.text, "machine 0") &&
		   ft_plan_map_energy(t, e, 2, 2, 9, none, 1, NULL, on, load, &out, NULL) == FT_EINVAL,
	   "%s", err.text);
}

static void test_energy_small(void)
{
	struct ft_plan_search search = {.effort = 200000, .seed = 1};
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(300), worse = 0, wrong = 0, none = 0, exact = 0;

	for (i = 0; i < cases; i++) {
		double p[TASKS * MACHINES], e[TASKS * MACHINES], best, fastest, deadline;
		size_t n = (size_t)whole(&r, 1, 8), m = (size_t)whole(&r, 1, 3), on[TASKS];
		struct ft_map_energy out;

		draw(p, n, m, i % 4, &r);
		draw_energy(p, e, n, m, &r);
		(void)enumerate_energy(p, e, n, m, INFINITY, &fastest);
		deadline = fastest * between(&r, 0.8, 2.5);
		best = enumerate_energy(p, e, n, m, deadline, &fastest);
		wrong += ft_plan_map_energy(p, e, n, m, deadline, NULL, 0, &search, on, NULL, &out, NULL) ||
			 (isfinite(best) && out.plan.bound > best * (1 + 1e-12));
		if (isinf(out.plan.value)) {
			wrong += !near(out.fastest_s, fastest, 1e-9) || (out.plan.exact && isfinite(best));
			none++;
		} else {
			wrong += out.plan.value < best * (1 - 1e-12) ||
				 !near(energy_of(e, n, m, on), out.plan.value, 1e-12) ||
				 !near(value_of(p, n, m, on), out.time_s, 1e-12) ||
				 out.time_s > deadline * (1 + 1e-12) ||
				 (out.plan.exact && !near(out.plan.value, best, 1e-9));
		}
		worse += isinf(out.plan.value) ? isfinite(best) : out.plan.value > best * (1 + 1e-9);
		exact += out.plan.exact;
	}
	ok(wrong == 0, "%d small cases: a bound, and plans that are what they say", cases);
	ok(worse == 0, "and the best ones");
	ok(none > 0 && exact == cases, "some have no plan: %d; all is proved: %d", none, exact);
}

static void test_energy_large(void)
{
	enum { N = 300, M = 12 };
	static double p[N * M], e[N * M];
	static size_t on[N], again[N];
	struct ft_plan_search search = {.effort = 10000000, .seed = 7};
	struct ft_random r = {test_seed()};

	for (int kind = 0; kind < 4; kind++) {
		struct ft_map_energy out, same;
		struct ft_plan fast;

		draw(p, N, M, kind, &r);
		draw_energy(p, e, N, M, &r);
		/* Four machines that are alike. */
		for (size_t j = 0; j < (size_t)N * M; j++)
			if (j % M > 8) {
				p[j] = p[j - j % M + 8];
				e[j] = e[j - j % M + 8];
			}
		(void)ft_plan_map(p, N, M, &search, on, NULL, &fast, NULL);
		enum ft_status status = ft_plan_map_energy(p, e, N, M, 1.2 * fast.value, NULL, 0, &search, on,
							   NULL, &out, NULL);
		ok(!status && out.time_s <= 1.2 * fast.value * (1 + 1e-12) && ft_plan_gap(&out.plan) < 0.1 &&
			   near(energy_of(e, N, M, on), out.plan.value, 1e-12),
		   "300 tasks on 12 machines, kind %d: %.2g above the bound", kind, ft_plan_gap(&out.plan));
		ok(!ft_plan_map_energy(p, e, N, M, 1.2 * fast.value, NULL, 0, &search, again, NULL, &same,
				       NULL) &&
			   same.plan.evaluations == out.plan.evaluations && !memcmp(on, again, sizeof on),
		   "the same seed gives the same plan");
	}
}

int main(void)
{
	test_hand();
	test_small();
	test_large();
	test_energy_hand();
	test_energy_taken();
	test_energy_small();
	test_energy_large();
	return done();
}
