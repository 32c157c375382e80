/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-partition.c - shares of a total: by hand, then thousands of small cases against dynamic programming over
 * all whole shares, bit for bit; then large ones against what can be checked of them. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { PROCESSORS = 8, KNOTS = 64, UNITS = 400 };

/* ---- by hand ------------------------------------------------------------------------------------------- */

static double root(const void *context, int64_t units)
{
	return *(const double *)context * sqrt((double)units);
}

static void test_hand(void)
{
	static const int64_t at[] = {0, 10, 20};
	static const double slow[] = {0, 10, 40}, fast[] = {0, 5, 10};
	static const double dear = 2, cheap = 1;
	struct ft_plan_times t[2] = {{.n = 3, .at = at, .time_s = slow}, {.n = 3, .at = at, .time_s = fast}};
	struct ft_plan_times roots[2] = {{.function = root, .context = &dear},
					 {.function = root, .context = &cheap}};
	enum ft_plan_binds binds[2];
	struct ft_partition out;
	int64_t x[2];

	/* Times 1 and 1/2 a unit: 6 : 12. */
	ok(!ft_plan_partition(t, 2, 18, NULL, x, binds, &out, NULL) && x[0] == 6 && x[1] == 12 &&
		   out.plan.value == 6 && out.plan.exact && ft_plan_gap(&out.plan) == 0,
	   "two speeds: equal times");
	ok(binds[0] == FT_BINDS_TIME && binds[1] == FT_BINDS_TIME, "both are bound by time");
	t[1].most = 8;
	ok(!ft_plan_partition(t, 2, 18, NULL, x, binds, &out, NULL) && x[0] == 10 && x[1] == 8 &&
		   out.plan.value == 10 && out.latest == 0 && binds[1] == FT_BINDS_CAP,
	   "a cap is kept and named");
	ok(!ft_plan_partition(t, 2, 30, NULL, x, binds, &out, NULL) && isinf(out.plan.value) &&
		   out.missing == 2 && out.plan.exact && binds[0] == FT_BINDS_CAP,
	   "too much: two units are missing, and caps are what binds");
	t[1].most = 0;
	t[0].least = 12;
	ok(!ft_plan_partition(t, 2, 18, NULL, x, binds, &out, NULL) && x[0] == 12 && x[1] == 6 &&
		   out.plan.value == 16 && binds[0] == FT_BINDS_LEAST && binds[1] == FT_BINDS_NOT,
	   "a least share is kept and named; the other could take more");
	ok(!ft_plan_partition(t, 2, 11, NULL, x, binds, &out, NULL) && isinf(out.plan.value) &&
		   out.missing == -1 && binds[0] == FT_BINDS_LEAST,
	   "least shares beyond the total: one unit too many");
	ok(!ft_plan_partition(roots, 2, 1000000000000, NULL, x, NULL, &out, NULL) &&
		   x[0] + x[1] == 1000000000000 && x[0] == 200000000000 && out.plan.exact,
	   "functions: sqrt n and 2 sqrt n divide 1e12 as 4 : 1");
}

static void test_falls(void)
{
	/* Only blocks of 3 are cheap on the first, only even shares are possible on the second. */
	static const double first[] = {0, 9, 9, 3, 9, 9, 6, 9, 9, 9};
	const double no = INFINITY, second[] = {0, no, 4, no, 8, no, 12, no};
	struct ft_plan_times t[2] = {{.n = 10, .time_s = first}, {.n = 8, .time_s = second}};
	enum ft_plan_binds binds[2];
	struct ft_partition out;
	int64_t x[2];

	ok(!ft_plan_partition(t, 2, 5, NULL, x, NULL, &out, NULL) && x[0] == 3 && x[1] == 2 &&
		   out.plan.value == 4 && out.plan.exact,
	   "times that fall, and shares that are forbidden");
	t[0] = t[1];
	ok(!ft_plan_partition(t, 2, 7, NULL, x, binds, &out, NULL) && isinf(out.plan.value) &&
		   out.plan.exact && out.missing == 0 && out.nearest == 8,
	   "no shares add up to 7: 8 would do");
}

static void test_granularity(void)
{
	static const int64_t at[] = {0, 1000};
	static const double one[] = {0, 1000}, two[] = {0, 500};
	struct ft_plan_times t[2] = {{.n = 2, .at = at, .time_s = one}, {.n = 2, .at = at, .time_s = two}};
	struct ft_partition_options options = {.granularity = 64};
	struct ft_partition out;
	int64_t x[2];

	ok(!ft_plan_partition(t, 2, 640, &options, x, NULL, &out, NULL) && x[0] == 192 && x[1] == 448 &&
		   out.plan.exact && out.plan.value == 224,
	   "multiples of 64");
	/* 10 steps and 10 units: 192 + 10 and 448 is better than 192, 458 (229) or 256, 394. */
	ok(!ft_plan_partition(t, 2, 650, &options, x, NULL, &out, NULL) && x[0] == 202 && x[1] == 448 &&
		   out.plan.exact && out.plan.value == 224,
	   "what is left over goes to where it does least harm");
}

static void test_refused(void)
{
	static const int64_t at[] = {0, 10, 10}, late[] = {5, 10};
	static const double good[] = {0, 1, 2}, negative[] = {0, -1, 2};
	const double nan_time[] = {0, NAN, 2};
	struct ft_plan_times t = {.n = 3, .time_s = good}, two[2];
	struct ft_partition_options options = {.granularity = -1};
	struct ft_partition out;
	struct ft_err err;
	int64_t x[2];

	ok(ft_plan_partition(&t, 0, 1, NULL, x, NULL, &out, NULL) == FT_EINVAL &&
		   ft_plan_partition(&t, 1, -1, NULL, x, NULL, &out, NULL) == FT_EINVAL &&
		   ft_plan_partition(&t, 1, FT_PLAN_UNITS + 1, NULL, x, NULL, &out, NULL) == FT_EINVAL &&
		   ft_plan_partition(&t, 1, 1, &options, x, NULL, &out, NULL) == FT_EINVAL,
	   "no processor, less than nothing, beyond 2^53, a granularity below 1");
	two[0] = two[1] = t;
	two[1].time_s = nan_time;
	ok(ft_plan_partition(two, 2, 1, NULL, x, NULL, &out, &err) == FT_EINVAL &&
		   strstr(err.text, "processor 1") && strstr(err.text, "1 units"),
	   "NaN: which processor and where");
	two[1].time_s = negative;
	ok(ft_plan_partition(two, 2, 1, NULL, x, NULL, &out, NULL) == FT_EINVAL, "a negative time");
	t.at = at;
	ok(ft_plan_partition(&t, 1, 1, NULL, x, NULL, &out, NULL) == FT_EINVAL, "knots that do not ascend");
	t.at = late;
	t.n = 2;
	ok(ft_plan_partition(&t, 1, 1, NULL, x, NULL, &out, NULL) == FT_EINVAL,
	   "times that begin at 5 units");
	t = (struct ft_plan_times){.n = 3, .time_s = good, .least = 2, .most = 1};
	ok(ft_plan_partition(&t, 1, 1, NULL, x, NULL, &out, NULL) == FT_EINVAL, "bounds the wrong way round");
	t = (struct ft_plan_times){.n = 3, .time_s = good, .least = 5};
	ok(ft_plan_partition(&t, 1, 5, NULL, x, NULL, &out, NULL) == FT_EINVAL,
	   "a least share without a time");
}

/* ---- against dynamic programming ----------------------------------------------------------------------- */

struct instance {
	struct ft_plan_times times[PROCESSORS];
	int64_t at[PROCESSORS][KNOTS];
	double t[PROCESSORS][KNOTS];
	size_t groups, p;
	int64_t total, step;
};

enum kind { RISING, PLATEAUS, CLIFFS, WAVES, HOLES, LINES, KINDS };

static double draw_time(struct ft_random *r, enum kind kind, double before, double rate, double wide)
{
	switch (kind) {
	case RISING:
		return before + rate * wide * between(r, 0.5, 2);
	case PLATEAUS:
		return before + (ft_random_below(r, 3) ? 0 : rate * wide);
	case CLIFFS:
		return before + rate * wide * (ft_random_below(r, 8) ? 1 : 50);
	case WAVES:
	case LINES:
		return rate * between(r, 0, 60);
	default:
		return ft_random_below(r, 3) ? rate * (double)whole(r, 0, 20) : (double)INFINITY;
	}
}

static void draw_processor(struct instance *k, size_t i, enum kind kind, struct ft_random *r)
{
	struct ft_plan_times *t = &k->times[i];
	bool table = kind == WAVES || kind == HOLES || ft_random_below(r, 3) == 0;
	double rate = exp(between(r, -2, 2)), before = 0;
	int64_t x = whole(r, 0, 1);

	*t = (struct ft_plan_times){.n = (size_t)whole(r, 2, table ? 60 : 6), .time_s = k->t[i]};
	for (size_t j = 0; j < t->n; j++) {
		k->at[i][j] = table ? (int64_t)j : x;
		before = k->t[i][j] =
			j == 0 && ft_random_below(r, 2) ? 0 : draw_time(r, kind, before, rate, 1);
		x += whole(r, 1, 20);
	}
	if (!table)
		t->at = k->at[i];
	x = k->at[i][t->n - 1];
	if (ft_random_below(r, 4) == 0)
		t->least = whole(r, 0, x < 3 ? x : 3);
	if (ft_random_below(r, 4) == 0)
		t->most = whole(r, t->least > 1 ? t->least : 1, x > t->least ? x : t->least + 1);
	if (k->p + 2 <= PROCESSORS && ft_random_below(r, 4) == 0)
		t->count = 2;
	k->p += t->count ? t->count : 1;
}

static void draw(struct instance *k, enum kind kind, struct ft_random *r)
{
	k->groups = (size_t)whole(r, 1, 4);
	k->p = 0;
	for (size_t i = 0; i < k->groups; i++)
		draw_processor(k, i, ft_random_below(r, 5) ? kind : RISING, r);
	k->total = whole(r, 0, 60);
	k->step = ft_random_below(r, 4) ? 1 : whole(r, 2, 9);
}

static bool may(const struct ft_plan_times *t, int64_t x)
{
	return x >= t->least && (t->most == 0 || x <= t->most);
}

/* The least makespan over all shares: all are multiples of the step, but one (with = 1) takes the rest too.
 */
static double dynamic(const struct instance *k)
{
	double best[2][UNITS + 1], next[2][UNITS + 1];
	int64_t rest = k->total % k->step, n = k->total;

	for (int64_t s = 0; s <= n; s++)
		best[0][s] = best[1][s] = INFINITY;
	best[0][0] = 0;
	for (size_t i = 0; i < k->groups; i++)
		for (size_t c = 0; c < (k->times[i].count ? k->times[i].count : 1); c++) {
			for (int64_t s = 0; s <= n; s++)
				next[0][s] = next[1][s] = INFINITY;
			for (int64_t x = 0; x <= n; x++) {
				double t = may(&k->times[i], x) ? ft_plan_time(&k->times[i], x)
								: (double)INFINITY;

				for (int64_t s = x; s <= n && t < INFINITY; s++)
					for (int with = 0; with < 2; with++) {
						if (x % k->step == 0)
							next[with][s] = fmin(next[with][s],
									     fmax(best[with][s - x], t));
						else if (with && x % k->step == rest)
							next[1][s] =
								fmin(next[1][s], fmax(best[0][s - x], t));
					}
			}
			memcpy(best, next, sizeof best);
		}
	return best[rest > 0][n];
}

/* Do the shares keep the rules? Returns their makespan, NaN where they do not. */
static double judge(const struct instance *k, const int64_t *x)
{
	double t = 0;
	int64_t sum = 0;
	size_t q = 0, odd = 0;

	for (size_t i = 0; i < k->groups; i++)
		for (size_t c = 0; c < (k->times[i].count ? k->times[i].count : 1); c++, q++) {
			t = fmax(t, ft_plan_time(&k->times[i], x[q]));
			sum += x[q];
			odd += x[q] % k->step != 0;
			if (!may(&k->times[i], x[q]))
				return NAN;
		}
	return sum == k->total && odd <= (k->total % k->step > 0) ? t : (double)NAN;
}

static void test_dynamic(void)
{
	static const char *const names[KINDS] = {"that rise", "with plateaus",         "with cliffs",
						 "that wave", "with forbidden shares", "in lines that fall"};
	struct ft_random r = {test_seed()};
	int kind, i, cases = test_cases(1700);

	for (kind = 0; kind < KINDS; kind++) {
		int differ = 0, none = 0, unproved = 0;

		for (i = 0; i < cases; i++) {
			struct instance k;
			struct ft_partition out;
			struct ft_partition_options options;
			int64_t x[PROCESSORS];
			uint64_t seed = r.state;

			draw(&k, (enum kind)kind, &r);
			options = (struct ft_partition_options){.granularity = k.step};
			double best = dynamic(&k);
			bool good = !ft_plan_partition(k.times, k.groups, k.total, &options, x, NULL, &out,
						       NULL) &&
				    out.plan.value == best && out.plan.bound <= best &&
				    (isinf(best) || judge(&k, x) == best);
			none += isinf(best);
			unproved += !out.plan.exact;
			if (!good && differ++ < 3)
				diag("case %d, state %llu: %.17g, dynamic programming %.17g, judged %.17g", i,
				     (unsigned long long)seed, out.plan.value, best, judge(&k, x));
		}
		ok(differ == 0, "%d cases of times %s: as dynamic programming says, bit for bit", cases,
		   names[kind]);
		ok(unproved == 0 && none > 0 && none < cases, "all proved; %d have no plan", none);
	}
}

/* ---- large --------------------------------------------------------------------------------------------- */

/* Alike processors given as a group, and one by one: the same makespan. Nothing below it is possible: all
 * shares one unit above those that end latest. */
static void test_large(void)
{
	enum { KINDS_OF = 20, EACH = 50, MANY = KINDS_OF * EACH };
	static int64_t at[KINDS_OF][40], x[MANY];
	static double t[KINDS_OF][40];
	static struct ft_plan_times groups[KINDS_OF], singles[MANY];
	struct ft_random r = {test_seed()};
	struct ft_partition a, b;
	int64_t total = 1000000007, sum = 0;
	size_t i;
	bool even = true;

	for (i = 0; i < KINDS_OF; i++) {
		double rate = exp(between(&r, -1, 1)) * 1e-6;

		for (size_t j = 1; j < 40; j++) {
			at[i][j] = at[i][j - 1] + whole(&r, 1, 100000) * (int64_t)j;
			t[i][j] = t[i][j - 1] + rate * (double)(at[i][j] - at[i][j - 1]) * between(&r, 1, 4);
		}
		groups[i] = (struct ft_plan_times){.count = EACH, .n = 40, .at = at[i], .time_s = t[i]};
		for (size_t j = 0; j < EACH; j++) {
			singles[i * EACH + j] = groups[i];
			singles[i * EACH + j].count = 1;
		}
	}
	ok(!ft_plan_partition(singles, MANY, total, NULL, x, NULL, &b, NULL) &&
		   !ft_plan_partition(groups, KINDS_OF, total, NULL, x, NULL, &a, NULL) && a.plan.exact &&
		   isfinite(a.plan.value) && a.plan.value == b.plan.value,
	   "1,000 processors of 20 kinds: the same as a group and one by one");
	for (i = 0; i < MANY; i++) {
		sum += x[i];
		even = even && llabs(x[i] - x[i / EACH * EACH]) <= 1;
	}
	ok(sum == total && even, "shares sum to the total, alike within a kind");
	ok(a.plan.evaluations < 100 * KINDS_OF, "a kind is looked at once: %llu evaluations",
	   (unsigned long long)a.plan.evaluations);
	/* What all could do in just less time is less than the total. */
	for (sum = 0, i = 0; i < KINDS_OF; i++) {
		int64_t from = 0, to = at[i][39];

		while (from < to) {
			int64_t c = (from + to + 1) / 2;

			if (ft_plan_time(&groups[i], c) < a.plan.value)
				from = c;
			else
				to = c - 1;
		}
		sum += from * EACH;
	}
	ok(sum < total, "in less time all of them together do less");
}

static void test_effort(void)
{
	enum { MANY = 24, HOLES_IN = 4000 };
	static double t[MANY][HOLES_IN];
	static struct ft_plan_times times[MANY];
	struct ft_random r = {test_seed()};
	struct ft_partition_options options = {0};
	struct ft_partition out, whole_out;
	int64_t x[MANY];

	for (size_t i = 0; i < MANY; i++) {
		for (size_t j = 0; j < HOLES_IN; j++)
			t[i][j] = j && ft_random_below(&r, 50) ? (double)INFINITY
							       : between(&r, 0.5, 1) * (double)j;
		times[i] = (struct ft_plan_times){.n = HOLES_IN, .time_s = t[i]};
	}
	ok(!ft_plan_partition(times, MANY, 30011, NULL, x, NULL, &whole_out, NULL) && whole_out.plan.exact &&
		   isfinite(whole_out.plan.value) && whole_out.plan.evaluations > 100,
	   "few allowed sizes: proved with the usual effort");
	options.effort = whole_out.plan.evaluations / 4;
	ok(!ft_plan_partition(times, MANY, 30011, &options, x, NULL, &out, NULL) &&
		   out.plan.bound <= whole_out.plan.value && out.plan.value >= whole_out.plan.value &&
		   !out.plan.exact && ft_plan_gap(&out.plan) > 0,
	   "with a quarter of it: not proved, and the bound holds");
}

/* 2^53 units, times from 1e-300 to 1e300, none at all, all alike. */
static void test_extreme(void)
{
	static const int64_t at[] = {0, 1, FT_PLAN_UNITS / 3, FT_PLAN_UNITS};
	static const double t[][4] = {{0, 1e-300, 1e-299, 1e300}, {0, 0, 0, 0}, {0, 1, 1, 1}, {5, 5, 5, 5}};
	int wrong = 0;

	for (size_t a = 0; a < 4; a++)
		for (size_t b = 0; b < 4; b++)
			for (int64_t step = 1; step < 4; step++) {
				struct ft_plan_times times[] = {
					{.n = 4, .at = at, .time_s = t[a]},
					{.n = 4, .at = at, .time_s = t[b], .count = 3}};
				struct ft_partition_options options = {.granularity = step};
				struct ft_partition out;
				int64_t x[4], sum = 0;
				double latest = 0;

				wrong += ft_plan_partition(times, 2, FT_PLAN_UNITS, &options, x, NULL, &out,
							   NULL) != FT_OK;
				for (size_t i = 0; i < 4; i++) {
					sum += x[i];
					latest = fmax(latest, ft_plan_time(&times[i > 0], x[i]));
				}
				wrong += sum != FT_PLAN_UNITS || latest != out.plan.value ||
					 !out.plan.exact || out.plan.evaluations > 2000;
			}
	ok(wrong == 0, "2^53 units, times from nothing to 1e300: proved, in few evaluations");
}

int main(void)
{
	test_extreme();
	test_hand();
	test_falls();
	test_granularity();
	test_refused();
	test_dynamic();
	test_large();
	test_effort();
	return done();
}
