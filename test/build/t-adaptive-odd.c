/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-adaptive-odd.c - the adaptive builder and programs that fail, hardly differ, or cost as much everywhere;
 * and that it ends whatever it is given. */
#include "adaptive-test.h"
#include "tap.h"

#include <stdlib.h>

/* ---- failures ---------------------------------------------------------------------------------------- */

struct edge {
	double good, bad; /* the outermost that worked, the nearest beyond that failed */
	size_t failures;
};

/* of: dies; else wakes. */
static struct edge edge_of(const struct history *h, bool top)
{
	struct edge e = {top ? 0 : INFINITY, top ? INFINITY : 0, 0};

	for (size_t i = 0; i < h->n; i++) {
		double x = h->run[i].size.value[0];

		if (h->run[i].value > 0)
			e.good = top ? fmax(e.good, x) : fmin(e.good, x);
		else
			e.failures++;
	}
	for (size_t i = 0; i < h->n; i++) {
		double x = h->run[i].size.value[0];

		if (!(h->run[i].value > 0) && (top ? x > e.good : x < e.good))
			e.bad = top ? fmin(e.bad, x) : fmax(e.bad, x);
	}
	return e;
}

static void test_ends(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(60), found = 0, failed = 0;
	size_t most = 0;

	for (i = 0; i < cases; i++) {
		struct ft_build_options o = options_for(64, 65536, 1);
		double at = 64 * pow(1024, 0.1 + 0.8 * ft_random_uniform(&r));
		bool top = i % 2;
		struct fake fake = {.law = affine,
				    .noise = 0.02,
				    .dies = top ? at : 0,
				    .wakes = top ? 0 : at,
				    .random = {test_seed() + (uint64_t)i}};
		struct history *h = build_by(&o, &fake, i & 2 ? 4 : 1);
		struct edge e = edge_of(h, top);

		failed += h->failed;
		found += fabs(log(e.good / e.bad)) < 0.25;
		most = e.failures > most ? e.failures : most;
	}
	ok(!failed && found >= 0.95 * cases, "the edge of failures is found to a quarter: in %d of %d", found,
	   cases);
	ok(most <= 10, "in at most %zu failures", most);
}

static void test_holes(void)
{
	struct ft_build_options o = options_for(1, 1001, 1);
	struct fake fake = {.law = cubic, .hole = 2};
	struct history *h = build(&o, &fake);
	size_t most = 0;

	ok(!h->failed && runs_at(h, 1001) >= 1 && share_within(h, &fake, 20, 1001, 0.1) > 0.9,
	   "holes at every other size do not keep it from a model (%zu runs)", h->n);
	for (size_t i = 0; i < 20; i++) {
		o = options_for(1, 673540, 1);
		fake = (struct fake){.law = cubic, .noise = 0.13, .hole = 3, .random = {test_seed() + i}};
		o.tolerance = 0.29;
		h = build(&o, &fake);
		most = h->n > most ? h->n : most;
		if (h->failed)
			most = MOST;
	}
	ok(most < 1000, "nor a gap full of them: %zu runs at most", most);
	o = options_for(64, 4096, 1);
	fake = (struct fake){.law = cubic, .dies = 1};
	h = build(&o, &fake);
	ok(!h->failed && h->stop == FT_STOP_EXHAUSTED && h->n <= 10,
	   "where nothing runs it gives up, after %zu", h->n);
	fake = (struct fake){.law = cubic, .dies = 65};
	h = build(&o, &fake);
	ok(!h->failed && h->n <= 20, "where one size runs, too, after %zu", h->n);
}

/* Where a size has no more runs, it asks there no more. */
static void test_closed(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	int failed = 0, twice = 0;

	for (int i = 0; i < 20; i++) {
		struct fake fake = {
			.law = cubic, .noise = 0.2, .ends = 1, .random = {test_seed() + (uint64_t)i}};

		o.reps_least = i % 2 ? 3 : 0;
		struct history *h = build_by(&o, &fake, i & 2 ? 4 : 1);
		failed += h->failed;
		for (size_t k = 0; k < h->n; k++)
			twice += runs_at(h, h->run[k].size.value[0]) > 1;
		failed += h->asked > 3 * h->n + 10;
	}
	ok(!failed && !twice, "where a size has no more runs, it asks there no more: %d did not end", failed);
}

/* ---- odd spaces and programs -------------------------------------------------------------------------- */

static void test_tiny_spaces(void)
{
	struct ft_build_options o;
	struct fake fake = {.law = cubic};

	for (double most = 2; most <= 4; most++) {
		o = options_for(1, most, 1);
		struct history *h = build(&o, &fake);
		ok(!h->failed && sizes_of(h) == (size_t)most && h->n < 40,
		   "%g sizes, all measured, in %zu runs", most, h->n);
	}
	o = options_for(0, 4, 1);
	fake.law = affine;
	ok(runs_at(build(&o, &fake), 0) >= 1, "sizes from 0 on");
	o = options_for(-20, 30, 1);
	ok(runs_at(build(&o, &fake), -20) >= 1, "sizes below 0");
	o = options_for(1, 1e12, 1);
	fake.law = cubic;
	ok(!build(&o, &fake)->failed && sizes_of(build(&o, &fake)) < 60,
	   "a billion sizes and more: %zu measured", sizes_of(build(&o, &fake)));
}

/* A parameter that changes nothing; a routine of microseconds in a process of milliseconds. */
static void test_same_cost(void)
{
	int i, cases = test_cases(20), ended = 0, good = 0;
	double runs = 0, knowing = 0;
	struct ft_build_options o = options_for(64, 4096, 1);

	for (i = 0; i < cases; i++) {
		struct fake fake = {.law = flat, .noise = 0.02, .random = {test_seed() + (uint64_t)i}};
		struct history *h = build(&o, &fake);

		ended += !h->failed && h->stop == FT_STOP_TOLERANCE;
		good += share_within(h, &fake, 64, 4096, 0.1) > 0.95;
		runs += (double)h->n / cases;
		fake = (struct fake){.law = cubic, .noise = 0.02, .random = {test_seed() + (uint64_t)i}};
		fake.overhead = 100 * cubic(4096);
		h = build(&o, &fake);
		knowing += (double)h->n / cases;
		ended += !h->failed && h->stop == FT_STOP_TOLERANCE;
	}
	ok(ended == 2 * cases && good >= 0.95 * cases && runs < 40,
	   "a parameter that changes nothing takes %.1f runs", runs);
	ok(knowing < 30, "where only starts cost, %.1f", knowing);
}

/* Of one size nothing is known of growth: by what is usual the next one is too dear for the budget, and what
 * half of the rest would pay for is tried. */
static void test_one_size(void)
{
	struct ft_build_options o = options_for(1, 1e6, 1);
	struct fake fake = {.law = flat};

	o.budget_s = 10;
	struct history *h = build(&o, &fake);
	ok(!h->failed && sizes_of(h) > 4 && h->spent > 0 && h->spent <= 10,
	   "one size and a budget left: %zu sizes, %.3g of 10 s", sizes_of(h), h->spent);
}

/* A progression and a list: nothing else is asked. */
static void test_spaces(void)
{
	static const double listed[] = {16, 48, 100, 1000, 3000, 4000};
	struct fake fake = {.law = cubic, .noise = 0.01, .random = {test_seed()}};

	for (size_t kind = 0; kind < 4; kind++) {
		struct ft_build_options o = options_for(16, 5000, kind == 2 ? 500 : 1);

		o.space[0].factor = kind ? 0 : 2;
		o.space[0].sizes = kind == 1 ? listed : NULL;
		o.space[0].n_sizes = kind == 1 ? 6 : 0;
		o.far = kind == 3 ? FT_FAR_SKIP : FT_FAR_MEASURE;
		o.space[0].factor = kind == 3 ? 1.5 : o.space[0].factor;
		struct history *h = build_by(&o, &fake, 4);
		ok(!h->failed && h->n > 3, "%zu runs at sizes of space %zu", h->n, kind);
	}
}

/* Any curve, any space: it ends, asks for admissible sizes only, and says why it stopped. */
static void test_random(void)
{
	static const double listed[] = {3, 4, 5, 9, 17, 100, 101, 102, 5000, 1e6};
	struct ft_random r = {test_seed() + 3};
	size_t wrong = 0, runs = 0, most_runs = 0;

	for (size_t i = 0; i < (size_t)test_cases(200); i++) {
		double least = floor(exp(8 * ft_random_uniform(&r)));
		double stride = floor(exp(5 * ft_random_uniform(&r)));
		double most = least + stride + floor(exp(14 * ft_random_uniform(&r)));
		struct ft_build_options o = options_for(least, most, stride);
		struct fake fake = {
			.law = (double (*[])(double)){cubic, affine, step, flat}[ft_random_below(&r, 4)],
			.noise = ft_random_uniform(&r) * (ft_random_below(&r, 2) ? 0.5 : 0.01),
			.dies = ft_random_below(&r, 3) ? 0 : least + ft_random_uniform(&r) * (most - least),
			.wakes = ft_random_below(&r, 4) ? 0
							: least + ft_random_uniform(&r) * (most - least) / 3,
			.hole = ft_random_below(&r, 4) ? 0 : 3,
			.ends = (double)ft_random_below(&r, 4),
			.overhead = ft_random_below(&r, 2) ? 0 : 0.01,
			.random = {ft_random_bits(&r)},
		};

		o.tolerance = 0.02 + 0.3 * ft_random_uniform(&r);
		o.points = ft_random_below(&r, 4) ? 0 : 1 + ft_random_below(&r, 20);
		o.budget_s = ft_random_below(&r, 4) ? 0 : fake.law(most) * 4 * ft_random_uniform(&r);
		o.reps_least = ft_random_below(&r, 4) ? 0 : ft_random_below(&r, 3);
		o.reps_most = ft_random_below(&r, 4) ? 0 : 2 + ft_random_below(&r, 3);
		o.far = (enum ft_far)ft_random_below(&r, FT_FARS);
		o.space[0].factor = ft_random_below(&r, 5) ? 0 : 1.3;
		if (!ft_random_below(&r, 6)) {
			o.space[0] = (struct ft_space){.least = 3, .most = 1e6, .stride = 1, .sizes = listed};
			o.space[0].n_sizes = 10;
		}
		if (ft_space_count(&o.space[0]) < 2)
			continue;
		struct history *h =
			build_by(&o, &fake, ft_random_below(&r, 3) ? 1 : 1 + ft_random_below(&r, 64));
		if (h->failed || (o.points && sizes_of(h) > o.points + 64)) {
			if (!wrong)
				diag("case %zu: %zu runs, %zu asked, stop %d", i, h->n, h->asked,
				     (int)h->stop);
			wrong++;
		}
		runs += h->n;
		most_runs = h->n > most_runs ? h->n : most_runs;
	}
	ok(!wrong, "random curves and spaces (%zu runs, %zu at most; seed %llu): %zu wrong", runs, most_runs,
	   (unsigned long long)test_seed(), wrong);
}

int main(void)
{
	test_ends();
	test_holes();
	test_closed();
	test_tiny_spaces();
	test_same_cost();
	test_one_size();
	test_spaces();
	test_random();
	return done();
}
