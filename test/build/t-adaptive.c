/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-adaptive.c - the adaptive builder: what it asks, what it makes of failures, limits and foreign runs. */
#include "adaptive-test.h"
#include "base/alloc.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_laws(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	struct fake power = {.law = cubic}, line = {.law = affine};
	struct history *h = build(&o, &power);
	const double first[] = {64, 64, 181, 181, 512, 1448, 4096};
	size_t i;
	bool same = h->n > 7;

	for (i = 0; i < 7 && same; i++)
		same = h->run[i].x == first[i];
	ok(same, "five sizes evenly spaced in ln n, the smallest first, two runs of the first two");
	ok(!h->failed && h->stop == FT_STOP_TOLERANCE, "it ends, by its tolerance");
	ok(runs_at(h, 4096) == 1, "the largest is run once");
	ok(h->spent < 1.3 * cubic(4096), "and costs nearly all: %.2f of it in all", h->spent / cubic(4096));
	ok(error_of(h, &power, 64, 4096) < 1e-9, "a power law is exact");
	h = build(&o, &line);
	ok(error_of(h, &line, 64, 4096) < 0.05, "a constant and so much for each item: %.4f",
	   error_of(h, &line, 64, 4096));
}

static void test_tiny_spaces(void)
{
	struct fake fake = {.law = cubic};
	struct ft_build_options o = options_for(1, 2, 1);
	struct history *h = build(&o, &fake);

	ok(!h->failed && sizes_of(h) == 2 && h->stop == FT_STOP_EXHAUSTED, "two sizes, both measured");
	o = options_for(0, 4, 1);
	fake.law = affine;
	h = build(&o, &fake);
	ok(!h->failed && runs_at(h, 0) >= 1 && runs_at(h, 4) >= 1, "sizes from 0 on");
	o = options_for(1, 1e12, 1);
	fake.law = cubic;
	h = build(&o, &fake);
	ok(!h->failed && h->stop == FT_STOP_TOLERANCE && sizes_of(h) < 40,
	   "a billion sizes and more: %zu measured", sizes_of(h));
}

static void test_repeats(void)
{
	struct fake fake = {.law = cubic, .noise = 0.3, .random = {test_seed()}};
	struct ft_build_options o = options_for(64, 4096, 1);
	struct history *h = build(&o, &fake);
	size_t i, most = 0, most_calm = 0;

	for (i = 0; i < h->n; i++)
		most = runs_at(h, h->run[i].x) > most ? runs_at(h, h->run[i].x) : most;
	ok(most == 9 || most == 10,
	   "cheap sizes that scatter are run up to nine times, and once more at the end");
	fake = (struct fake){.law = cubic};
	h = build(&o, &fake);
	for (i = 0; i < h->n; i++)
		most_calm = runs_at(h, h->run[i].x) > most_calm ? runs_at(h, h->run[i].x) : most_calm;
	ok(most_calm == 3 || most_calm == 4,
	   "those that do not, three times, and perhaps once more at the end");
	fake.ends = 1;
	h = build(&o, &fake);
	ok(!h->failed && sizes_of(h) == h->n, "where a size has no more runs, it asks there no more");
	fake.ends = 0;
	o.reps_least = 2;
	o.reps_most = 2;
	h = build(&o, &fake);
	ok(h->n == 2 * sizes_of(h), "as often as the user wants");
}

/* A routine of microseconds in a process of milliseconds: its cheap sizes are not cheap. */
static void test_overhead(void)
{
	struct ft_build_options o = options_for(32, 600, 1);
	double cost[2] = {0, 0}, error[2] = {0, 0}, start = cubic(600) / 100;
	int i, n = 400; /* the share's standard deviation is 0.34 / sqrt(n / 2) */

	for (i = 0; i < n; i++) {
		struct fake fake = {.law = cubic,
				    .noise = 0.05,
				    .overhead = i % 2 * start,
				    .random = {test_seed() + (uint64_t)i / 2}};
		struct history *h = build(&o, &fake);

		cost[i % 2] += h->spent + (double)h->n * start;
		error[i % 2] += error_of(h, &fake, 32, 600) / (n / 2);
	}
	ok(cost[1] < 0.85 * cost[0] && error[1] < 0.15, "knowing what a start costs: %.2f of the cost",
	   cost[1] / cost[0]);
}

/* Four cheap sizes are run again when all is measured, for a few thousandths of what was spent; of 40 builds
 * one ends without. */
static void test_revisits(void)
{
	struct fake fake = {.law = cubic, .noise = 0.05, .random = {test_seed() + 4}};
	struct ft_build_options o = options_for(16, 4000, 1);
	struct history *h;
	int k, n = 100, visited = 0, wrong = 0;
	size_t i;

	for (k = 0; k < n; k++) {
		size_t again = 0;
		double cost = 0;

		h = build(&o, &fake);
		for (i = h->n; i-- > 1 && h->run[i].x != h->run[i - 1].x && runs_at(h, h->run[i].x) > 1;) {
			again++;
			cost += h->run[i].value;
		}
		visited += again >= 1;
		wrong += h->failed || again > 4 || cost > 0.004 * h->spent;
	}
	ok(!wrong && visited >= 0.9 * n, "sizes visited again at the end, cheaply: in %d of %d builds",
	   visited, n);
	o.reps_most = 3;
	h = build(&o, &fake);
	for (i = 0; i < h->n && runs_at(h, h->run[i].x) <= 3; i++)
		;
	ok(i == h->n, "but not more often than the user wants");
}

static void test_failures(void)
{
	struct fake fake = {.law = cubic, .dies = 1000};
	struct ft_build_options o = options_for(64, 4096, 1);
	struct history *h = build(&o, &fake);
	double largest = 0, least = 5000;
	size_t i, failures = 0, beyond = 0;

	for (i = 0; i < h->n; i++) {
		if (h->run[i].value > 0) {
			largest = fmax(largest, h->run[i].x);
		} else {
			least = fmin(least, h->run[i].x);
			failures++;
			beyond += h->run[i].x > 1448;
		}
	}
	ok(!h->failed && beyond == 1, "what dies at a size is run once larger, to tell a hole from the end");
	ok(largest < 1000 && least >= 1000 && least / largest < 1.11,
	   "the limit is found to a tenth: %g .. %g", largest, least);
	ok(failures <= 8, "in %zu failures", failures);

	fake = (struct fake){.law = cubic, .hole = 2};
	o = options_for(1, 1001, 1);
	h = build(&o, &fake);
	ok(!h->failed && runs_at(h, 1001) == 1 && error_of(h, &fake, 1, 1001) < 0.1,
	   "holes at every other size do not keep it from a model");

	fake = (struct fake){.law = cubic, .dies = 1};
	h = build(&o, &fake);
	ok(!h->failed && h->stop == FT_STOP_EXHAUSTED && h->n == 5, "where nothing runs it gives up");
}

static void test_limits(void)
{
	struct fake fake = {.law = step, .noise = 0.02, .random = {test_seed() + 1}};
	struct ft_build_options o = options_for(16, 4000, 1);
	struct history *h;
	double free = 0;
	int i, n = 200, found = 0;

	for (i = 0; i < n; i++) {
		h = build(&o, &fake);
		free = h->spent;
		found += error_of(h, &fake, 720, 4000) < 0.15;
	}
	ok(found >= 0.75 * n, "a step is found by %d of %d builds", found, n);
	o.budget = 0.6 * free;
	h = build(&o, &fake);
	ok(!h->failed && h->spent <= 1.05 * o.budget && h->stop == FT_STOP_BUDGET,
	   "a budget ends it: %.2f of it spent", h->spent / o.budget);
	o.budget = 0;
	o.points = 7;
	h = build(&o, &fake);
	ok(sizes_of(h) == 7 && h->stop == FT_STOP_POINTS, "so does a number of sizes");
	o.points = 0;
	fake.law = cubic;
	o.budget = 0.3 * cubic(4000);
	h = build(&o, &fake);
	ok(!h->failed && !runs_at(h, 4000) && h->spent < o.budget && h->stop == FT_STOP_BUDGET &&
		   h->run[h->n - 1].x < 4000,
	   "a largest size that the budget does not reach is not run");
	ok(error_of(h, &fake, 16, 1500) < 0.2, "and there is a model of what it does reach");
}

/* Told the first k runs of a history, it asks for the k + 1st. */
static void test_continues(void)
{
	struct fake fake = {.law = step, .noise = 0.03, .random = {test_seed() + 2}};
	struct ft_build_options o = options_for(16, 4000, 1);
	static struct history whole, part;
	size_t k, wrong = 0;

	whole = *build(&o, &fake);
	for (k = 1; k < whole.n; k++) {
		struct ft_builder *builder = new_builder(&o);
		double x[4];

		for (part.n = 1; part.n <= k; part.n++) {
			part.run[part.n - 1] = whole.run[part.n - 1];
			wrong += !tell_last(builder, &part);
		}
		wrong += ft_builder_ask(builder, x, 4) != 1 || x[0] != whole.run[k].x;
		ft_builder_free(builder);
	}
	ok(whole.n > 20 && !wrong, "told again what it was told, it goes on as it did (%zu runs)", whole.n);
}

/* Runs that came from elsewhere are used, and only what they leave open is asked for. */
static void test_foreign(void)
{
	struct fake fake = {.law = cubic};
	struct ft_build_options o = options_for(64, 4096, 1);
	struct ft_builder *builder = new_builder(&o);
	static struct history h;
	double x;

	h = (struct history){0};
	for (x = 64; x < 4096; x *= 1.3) {
		double size = round(x), t = cubic(size);

		h.failed |= ft_builder_tell(builder, size, &t, 1, NULL) != FT_OK;
	}
	drive(builder, &fake, &h);
	ok(!h.failed && h.run[0].x == 4096 && h.spent < 1.2 * cubic(4096) && h.stop == FT_STOP_TOLERANCE,
	   "with many runs from elsewhere it asks for the largest size, and cheap ones: %.3f of it in all",
	   h.spent / cubic(4096));
	ft_builder_free(builder);
}

static double eight_bytes(void *ctx, double x)
{
	return *(const double *)ctx * 8 * x;
}

static double unknown_bytes(void *ctx, double x)
{
	(void)ctx;
	(void)x;
	return NAN;
}

static void test_memory(void)
{
	struct fake fake = {.law = cubic}, cliff = {.law = late_cliff};
	struct ft_build_options o = options_for(40, 4000, 40);
	double scale = 1;
	struct history *h;

	o.memory = eight_bytes;
	o.memory_ctx = &scale;
	o.memory_limit_bytes = 8 * 40000;
	h = build(&o, &fake);
	ok(!h->failed && !runs_at(h, 4000) && h->spent < 0.85 * cubic(4000) && h->stop == FT_STOP_TOLERANCE,
	   "where memory is plenty the largest size is not run: %.2f of it", h->spent / cubic(4000));
	h = build(&o, &cliff);
	ok(runs_at(h, 4000) == 1, "a law that breaks brings it back");
	o.memory_limit_bytes = 8 * 3100;
	h = build(&o, &cliff);
	ok(runs_at(h, 4000) == 1, "near the limit of memory it is run");
	o.memory_limit_bytes = 8 * 40000;
	o.memory = unknown_bytes;
	h = build(&o, &fake);
	ok(runs_at(h, 4000) == 1, "without a model of memory it is run");
}

/* The way to the largest size is closed by failures: nothing takes much of the error away, and it ends. */
static void test_closed(void)
{
	struct ft_build_options o = options_for(1, 673540, 1);
	struct fake fake = {.law = cubic, .noise = 0.13, .hole = 3};
	size_t i, most = 0;

	o.tolerance = 0.29;
	for (i = 0; i < 20; i++) {
		const struct history *h;

		fake.random = (struct ft_random){test_seed() + i};
		h = build(&o, &fake);
		most = h->n > most ? h->n : most;
	}
	ok(most < 1000, "a gap full of failures does not keep it: %zu runs at most", most);
}

/* Any curve, any space: it ends, asks for admissible sizes only, and says why it stopped. */
static void test_random(void)
{
	struct ft_random r = {test_seed() + 3};
	size_t i, wrong = 0, runs = 0;

	for (i = 0; i < (size_t)test_cases(200); i++) {
		double least = floor(exp(8 * ft_random_uniform(&r))) - 1;
		double stride = floor(exp(5 * ft_random_uniform(&r)));
		double most = least + stride + floor(exp(14 * ft_random_uniform(&r)));
		struct ft_build_options o = options_for(least, most, stride);
		struct fake fake = {
			.law = (double (*[])(double)){cubic, affine, step}[ft_random_below(&r, 3)],
			.noise = ft_random_uniform(&r) * (ft_random_below(&r, 2) ? 0.5 : 0.01),
			.dies = ft_random_below(&r, 3) ? 0 : least + ft_random_uniform(&r) * (most - least),
			.hole = ft_random_below(&r, 4) ? 0 : 3,
			.ends = (double)ft_random_below(&r, 4),
			.random = {ft_random_bits(&r)},
		};
		struct history *h;
		size_t j;

		o.tolerance = 0.02 + 0.3 * ft_random_uniform(&r);
		if (fake.law == step && least < 1)
			o.space.least = 1;
		if (fake.law == cubic && least < 1)
			o.space.least = 1;
		h = build(&o, &fake);
		wrong += h->failed;
		for (j = 0; j < h->n; j++) {
			double place = (h->run[j].x - o.space.least) / stride;

			wrong += h->run[j].x != o.space.most && fabs(place - round(place)) > 1e-6;
		}
		runs += h->n;
	}
	if (!ok(!wrong, "random curves and spaces (%zu runs)", runs))
		diag("seed %ju: %zu wrong", (uintmax_t)test_seed(), wrong);
}

/* A progression and a list: nothing else is asked. */
static void test_spaces(void)
{
	static const double listed[] = {16, 48, 100, 1000, 3000, 4000};
	struct fake fake = {.law = cubic, .noise = 0.01, .random = {test_seed()}};
	size_t kind, j;

	for (kind = 0; kind < 2; kind++) {
		struct ft_build_options o = options_for(16, 5000, 1);
		struct history *h;
		size_t wrong = 0;

		o.space.factor = kind ? 0 : 2;
		o.space.sizes = kind ? listed : NULL;
		o.space.n_sizes = kind ? 6 : 0;
		h = build(&o, &fake);
		for (j = 0; j < h->n; j++)
			wrong += !ft_space_admits(&o.space, h->run[j].x);
		ok(!h->failed && !wrong && h->n > 3, "%zu runs at sizes of a %s", h->n,
		   kind ? "list" : "progression");
	}
}

static void test_faults(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	unsigned long n = 0;
	enum ft_status status;
	bool clean = true;

	do {
		struct ft_builder *builder;
		double x[4], t;
		size_t i;

		ft_alloc_fail_at(++n);
		status = ft_builder_new(&builder, ft_builder_type_find("adaptive"), &o, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !builder));
		for (i = 0; i < 6 && !status; i++) {
			(void)ft_builder_ask(builder, x, 4);
			t = cubic(x[0]) * (1 + 0.001 * (double)i);
			status = ft_builder_tell(builder, x[0], &t, i == 4 ? 0 : 1, NULL);
			clean = clean && (!status || status == FT_ENOMEM);
		}
		ft_builder_free(builder);
	} while (status && n < 100);
	ft_alloc_fail_at(0);
	ok(clean && !status && n > 5, "each allocation may fail");
}

int main(void)
{
	test_laws();
	test_tiny_spaces();
	test_repeats();
	test_overhead();
	test_revisits();
	test_failures();
	test_limits();
	test_continues();
	test_foreign();
	test_memory();
	test_closed();
	test_random();
	test_spaces();
	test_faults();
	return done();
}
