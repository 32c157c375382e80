/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-kernel.c - the solvers on logarithms: units, order, twins, groups left out, intervals. */
#include "base/alloc.h"
#include "random-matrix.h"
#include "surrogate/surrogate.h"
#include "tap.h"

static const char *const names[] = {"kernel", "ridge", "svr"};
enum { N_NAMES = sizeof names / sizeof *names };

/* How near svr comes: libsvm stops early. */
static double tolerance(size_t which)
{
	return which == 2 ? 2e-3 : 1e-9;
}

static enum ft_status predict(const char *name, const struct ft_surrogate_problem *problem, const double *x,
			      size_t t, struct ft_estimate *out)
{
	struct ft_surrogate_fit *fit;
	enum ft_status status = ft_surrogate_solve(ft_solver_find(name), problem, NULL, &fit, NULL);

	if (!status)
		status = ft_surrogate_predict(fit, x, t, 0.9, out, NULL);
	ft_surrogate_free(fit);
	return status;
}

static void by_hand(size_t which)
{
	const char *name = names[which];
	/* the target is always thrice the basis */
	const double x[4] = {1, 2, 4, 8}, y[4] = {3, 6, 12, 24}, other[2] = {3, 100};
	const double same[3] = {2, 2, 2}, wild[3] = {1, 5, 25}, two[4] = {1, 2, 3, 4}, one[1] = {7};
	struct ft_surrogate_problem problem = {.m = 4, .k = 1, .q = 1, .x = x, .y = y};
	struct ft_estimate out[2];

	ok(!predict(name, &problem, other, 2, out) && near(out[0].value, 9, 1e-9) &&
		   near(out[1].value, 300, 1e-9),
	   "%s: thrice the basis stays thrice the basis, far away too", name);
	ok(out[0].lower <= out[0].value && out[0].value <= out[0].upper, "... within its interval");
	problem = (struct ft_surrogate_problem){.m = 3, .k = 1, .q = 1, .x = same, .y = wild};
	ok(!predict(name, &problem, same, 1, out) && out[0].value > 2 && out[0].value < 12 &&
		   out[0].lower <= 1.01 && out[0].upper >= 24.9,
	   "%s: a basis that tells nothing gives the middle, and its interval holds what there was (%.3g "
	   "%.3g "
	   "%.3g)",
	   name, out[0].lower, out[0].value, out[0].upper);
	problem = (struct ft_surrogate_problem){.m = 1, .k = 2, .q = 2, .x = two, .y = two + 2};
	ok(!predict(name, &problem, two, 1, out) && near(out[0].value, 3, 1e-9) &&
		   near(out[1].value, 4, 1e-9) && out[0].lower == 0 && isinf(out[0].upper),
	   "%s: one row is an answer whose error is not known", name);
	problem = (struct ft_surrogate_problem){.m = 2, .k = 1, .q = 1, .x = two, .y = two + 2};
	ok(!predict(name, &problem, one, 1, out) && out[0].value > 0 && isfinite(out[0].upper),
	   "%s: so are two", name);
}

static void refuses(size_t which)
{
	const double x[4] = {1, 2, 0, 8}, y[4] = {3, 6, 12, 24};
	const struct ft_surrogate_problem problem = {.m = 4, .k = 1, .q = 1, .x = x, .y = y};
	struct ft_surrogate_fit *fit;
	struct ft_err err = {0};

	ok(ft_surrogate_solve(ft_solver_find(names[which]), &problem, NULL, &fit, &err) == FT_EINVAL &&
		   !fit && *err.remedy,
	   "%s refuses a zero: %s", names[which], err.text);
}

static void make_positive(struct made *made, struct ft_random *random, size_t m, size_t k, size_t q)
{
	make(made, random, m, k, q, 0.1);
	for (size_t i = 0; i < m * q; i++)
		made->y[i] = fmax(made->y[i], 1e-3);
	for (size_t i = 0; i < m; i++)
		made->group[i] = ft_random_below(random, 1 + m / 3);
	made->problem.group = made->group;
}

static bool alike(const struct ft_estimate *a, const struct ft_estimate *b, double times, double relative)
{
	return near(times * a->value, b->value, relative) &&
	       near(times * a->lower, b->lower, 50 * relative) &&
	       near(times * a->upper, b->upper, 50 * relative);
}

/* Every column has a unit of its own; rows, columns and targets stand in any order; group numbers are names.
 */
static int units_and_order(struct ft_random *random, size_t which)
{
	struct made a;
	size_t m = 5 + ft_random_below(random, 40), k = 1 + ft_random_below(random, 6), i, j;
	size_t turn = 1 + ft_random_below(random, m - 1);
	double unit[MADE_K], other[MADE_K], changed[MADE_K];
	struct ft_estimate ours[2], theirs[2];

	make_positive(&a, random, m, k, 2);
	struct made b = a;
	b.problem.x = b.x;
	b.problem.y = b.y;
	b.problem.group = b.group;
	for (j = 0; j < k; j++)
		unit[j] = exp(5 * ft_random_normal(random));
	for (i = 0; i < m; i++) {
		size_t to = (i + turn) % m;

		for (j = 0; j < k; j++)
			b.x[to * k + (k - 1 - j)] = unit[j] * a.x[i * k + j];
		b.y[to * 2] = 1000 * a.y[i * 2 + 1];
		b.y[to * 2 + 1] = a.y[i * 2];
		b.group[to] = 17 * a.group[i] + 3;
	}
	for (j = 0; j < k; j++) {
		other[j] = exp(ft_random_normal(random));
		changed[k - 1 - j] = unit[j] * other[j];
	}
	int bad = predict(names[which], &a.problem, other, 1, ours) != FT_OK;
	bad += predict(names[which], &b.problem, changed, 1, theirs) != FT_OK;
	if (which == 2) { /* its folds depend on the order of rows */
		bad += !near(ours[0].value, theirs[1].value, 0.02);
		return bad + !near(1000 * ours[1].value, theirs[0].value, 0.02);
	}
	bad += !alike(&ours[0], &theirs[1], 1, tolerance(which));
	return bad + !alike(&ours[1], &theirs[0], 1000, tolerance(which));
}

/* A target foretold alone is foretold alike among others. */
static int alone(struct ft_random *random, size_t which)
{
	struct made a;
	size_t m = 3 + ft_random_below(random, 40), k = 1 + ft_random_below(random, 6), i;
	double single[MADE_M];
	struct ft_surrogate_problem problem;
	struct ft_estimate all[MADE_Q], one[1];

	make_positive(&a, random, m, k, MADE_Q);
	for (i = 0; i < m; i++)
		single[i] = a.y[i * MADE_Q + 1];
	problem = a.problem;
	problem.q = 1;
	problem.y = single;
	int bad = predict(names[which], &a.problem, a.x, 1, all) != FT_OK;
	bad += predict(names[which], &problem, a.x, 1, one) != FT_OK;
	return bad + !alike(&all[1], one, 1, 1e-9);
}

/* The closed form of the errors of groups left out, against fits without them. */
static int left_out(struct ft_random *random)
{
	struct made a;
	size_t m = 6 + ft_random_below(random, 30), k = 1 + ft_random_below(random, 4), d = k + 1, i, j, g;
	static double feature[MADE_M * (MADE_K + 1)], target[MADE_M * 2], square[MADE_M * MADE_M],
		error[MADE_M * 2], rest[MADE_M * (MADE_K + 1)], goal[MADE_M * 2], apart[MADE_M * MADE_M];
	double median;
	const struct ft__kernel kernel = {0.3, 1, 1, 0.05, 1};
	struct ft__process process;
	struct ft__logs logs;
	int bad = 0;
	FT_ARENA(arena);

	make_positive(&a, random, m, k, 2);
	bad += ft__logs_init(&logs, &arena, &a.problem, feature, target, NULL) != FT_OK;
	bad += ft__distances(feature, m, d, square, &median, NULL) != FT_OK;
	bad += ft__process_fit(&process, &arena, &kernel, feature, target, a.group, m, d, 2, square, error,
			       NULL) != FT_OK;
	g = a.group[ft_random_below(random, m)];
	for (i = j = 0; i < m; i++)
		if (a.group[i] != g) {
			memcpy(rest + j * d, feature + i * d, d * sizeof *rest);
			memcpy(goal + 2 * j++, target + 2 * i, 2 * sizeof *goal);
		}
	if (!j)
		return bad;
	bad += ft__distances(rest, j, d, apart, &median, NULL) != FT_OK;
	bad += ft__process_fit(&process, &arena, &kernel, rest, goal, NULL, j, d, 2, apart, NULL, NULL) !=
	       FT_OK;
	for (i = 0; i < m; i++) {
		double value[2], half[2];

		if (a.group[i] != g)
			continue;
		bad += ft__process_predict(&process, feature + i * d, 1, 0.9, value, half, NULL) != FT_OK;
		bad += fabs(target[2 * i] - value[0] - error[2 * i]) > 1e-8;
		bad += fabs(target[2 * i + 1] - value[1] - error[2 * i + 1]) > 1e-8;
	}
	return bad;
}

/* Median distances by counting, against sorting: the middle one of an odd number of pairs. */
static int median_distance(struct ft_random *random)
{
	double feature[MADE_M * 2], square[MADE_M * MADE_M], median;
	size_t m = 2 + ft_random_below(random, MADE_M - 2), below = 0, above = 0, pairs = 0, i, j;

	for (i = 0; i < 2 * m; i++)
		feature[i] = ft_random_normal(random);
	int bad = ft__distances(feature, m, 2, square, &median, NULL) != FT_OK;
	for (i = 0; i < m; i++)
		for (j = i + 1; j < m; j++) {
			double x = feature[2 * i] - feature[2 * j],
			       y = feature[2 * i + 1] - feature[2 * j + 1];

			bad += fabs(x * x + y * y - square[i * m + j]) > 1e-12;
			pairs++;
			below += square[i * m + j] < median;
			above += square[i * m + j] > median;
		}
	return bad + (2 * below > pairs) + (2 * above > pairs);
}

/* 90 % intervals hold about 90 % of new rows, by themselves and by groups with an offset of their own. */
static void coverage(struct ft_random *random, size_t which)
{
	double inside = 0, all = 0;
	int cases = 60;

	for (int i = 0; i < cases; i++) {
		struct made a;
		struct ft_estimate out[MADE_M];
		size_t m = MADE_M, train = 45;

		make(&a, random, m, 4, 1, 0);
		for (size_t j = 0; j < m; j++) {
			a.group[j] = j / 3;
			if (j % 3 == 0)
				a.beta[0] = 0.2 * ft_random_normal(random);
			a.y[j] *= exp(a.beta[0] + 0.05 * ft_random_normal(random));
		}
		a.problem.group = a.group;
		a.problem.m = train;
		if (predict(names[which], &a.problem, a.x + train * 4, m - train, out))
			continue;
		for (size_t t = 0; t < m - train; t++) {
			double y = a.y[train + t];

			inside += out[t].lower <= y && y <= out[t].upper;
			all++;
		}
	}
	ok(all == 60 * 15 && inside > 0.84 * all && inside < 0.97 * all,
	   "%s: %.1f %% of rows of new groups inside", names[which], 100 * inside / all);
}

static void out_of_memory(struct ft_random *random, size_t which)
{
	struct made a;
	struct ft_estimate out[2];
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	make_positive(&a, random, 9, 2, 2);
	do {
		ft_alloc_fail_at(++n);
		status = predict(names[which], &a.problem, a.x, 1, out);
		clean = clean && (!status || status == FT_ENOMEM);
	} while (status && n < 10000);
	ft_alloc_fail_at(0);
	ok(clean && !status && n > 10, "%s: each of %lu allocations may fail", names[which], n - 1);
}

static void many(const char *what, int (*one)(struct ft_random *, size_t), struct ft_random *random,
		 size_t which, int cases)
{
	int bad = 0;

	for (int i = 0; i < cases; i++)
		bad += one(random, which) != 0;
	if (!ok(!bad, "%s: %s, %d times", names[which], what, cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	for (size_t which = 0; which < N_NAMES; which++) {
		by_hand(which);
		refuses(which);
		many("units and order are of no account", units_and_order, &random, which, test_cases(60));
		many("a target alone as among others", alone, &random, which, test_cases(60));
		coverage(&random, which);
		out_of_memory(&random, which);
	}
	for (i = 0; i < cases; i++)
		bad += left_out(&random);
	if (!ok(!bad, "%d times, errors of a group left out are those of a fit without it", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	for (bad = i = 0; i < cases; i++)
		bad += median_distance(&random);
	ok(!bad, "%d median distances", cases);
	return done();
}
