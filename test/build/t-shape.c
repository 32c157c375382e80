/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-shape.c - what gbbp takes for granted of the speed: told where made curves break it, and not for noise.
 */
#include "base/random.h"
#include "build/build.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>

enum { SIZES = 30, RUNS_MOST = 10, BUILDS = 400 };

struct made {
	double (*speed)(double x);
	double (*noise)(double x); /* share of a run's time; NULL: 2 % */
	bool bursts;               /* one run in fifty takes three times as long */
	size_t runs;               /* at a size; 0: 2 */
};

static double flat(double x)
{
	(void)x;
	return 10;
}

static double falling(double x)
{
	return 10 - 8 * x / 3000;
}

/* Climbs, is constant, falls where memory ends, and is slow from there on. */
static double paging(double x)
{
	return 10 * x / (x + 50) * (0.05 + 0.95 / (1 + pow(x / 1500, 12)));
}

static double convex(double x)
{
	return 10 / (1 + x / 300);
}

static double cache(double x)
{
	return x < 1000 ? 10 : x < 2000 ? 7 : 9;
}

/* Document 000, figure 9f: a plateau in the region of paging. */
static double plateau(double x)
{
	return x < 1000   ? 10
	       : x < 1400 ? 10 - 5 * (x - 1000) / 400
	       : x < 2200 ? 5
	       : x < 2600 ? 5 - 4.5 * (x - 2200) / 400
			  : 0.5;
}

static double broken(double x)
{
	return x < 1490 ? 10 : 3;
}

static double little(double x)
{
	(void)x;
	return 0.05;
}

static double much(double x)
{
	(void)x;
	return 0.12;
}

static double growing(double x)
{
	return x < 1500 ? 0.01 : 0.12;
}

static struct ft_build_shape check(const struct made *made, uint64_t seed)
{
	static const double idle[2] = {0, 0};
	struct ft_random random = {seed};
	struct ft__cut cut[SIZES];
	struct ft_build_shape shape;
	size_t n = made->runs ? made->runs : 2;

	for (size_t i = 0; i < SIZES; i++) {
		double x = 100 * (double)(i + 1), seconds[RUNS_MOST];
		double noise = made->noise ? made->noise(x) : 0.02;

		/* Two neighbours, as bisection leaves them. */
		if (i == 14 || i == 15)
			x = i == 14 ? 1480 : 1500;
		for (size_t j = 0; j < n; j++) {
			seconds[j] = exp(noise * ft_random_normal(&random)) / made->speed(x);
			if (made->bursts && ft_random_below(&random, 50) == 0)
				seconds[j] *= 3;
		}
		cut[i] = (struct ft__cut){.x = x, .mean = 1 / ft_stats_mean(seconds, n), .n = n};
		cut[i].spread = sqrt(ft_stats_variance(seconds, n)) * cut[i].mean * cut[i].mean;
		ft_model_cut(seconds, n, 1, idle, 0.9, 0.05, cut[i].speed);
	}
	ft__shape_check(cut, SIZES, 0.05, &shape);
	return shape;
}

/* In how many of the builds each of the four is told. */
static void count(const struct made *made, size_t told[4])
{
	told[0] = told[1] = told[2] = told[3] = 0;
	for (uint64_t seed = 1; seed <= BUILDS; seed++) {
		struct ft_build_shape shape = check(made, seed);

		told[0] += shape.jumps;
		told[1] += shape.rises;
		told[2] += shape.bends;
		told[3] += shape.widens;
	}
}

static void quiet(const char *name, struct made made)
{
	size_t told[4];

	count(&made, told);
	ok(told[0] + told[1] + told[2] + told[3] <= BUILDS / 50, "%s: nothing is told in 98 of 100 builds",
	   name);
	diag("of %d: (a) %zu, (b) %zu, (c) %zu, (d) %zu", BUILDS, told[0], told[1], told[2], told[3]);
}

static void loud(const char *name, struct made made, size_t which)
{
	size_t told[4];

	count(&made, told);
	ok(told[which] >= BUILDS * 19 / 20, "%s: (%c) is told in 95 of 100 builds", name, (int)('a' + which));
	diag("of %d: (a) %zu, (b) %zu, (c) %zu, (d) %zu", BUILDS, told[0], told[1], told[2], told[3]);
}

static void where(void)
{
	struct ft_build_shape shape = check(&(struct made){.speed = cache, .noise = little, .runs = 10}, 7);

	ok(shape.rises && shape.low >= 1000 && shape.low < 2000 && shape.again >= 2000 && shape.again < 2200,
	   "it rises again at %g, from %g", shape.again, shape.low);
	shape = check(&(struct made){.speed = broken}, 7);
	ok(shape.jumps && shape.jump[0] == 1480 && shape.jump[1] == 1500, "it jumps at %g, %g", shape.jump[0],
	   shape.jump[1]);
	shape = check(&(struct made){.speed = plateau}, 7);
	ok(shape.bends && shape.bend[0] < shape.bend[1] && shape.bend[1] < shape.bend[2] &&
		   shape.bend[0] >= 1000,
	   "a step at %g, %g, %g", shape.bend[0], shape.bend[1], shape.bend[2]);
	shape = check(&(struct made){.speed = flat, .noise = growing, .runs = 5}, 7);
	ok(shape.widens && shape.wider > 1400 && shape.wider < 1700, "wider from %g on", shape.wider);
}

/* A builder tells it of the sizes that it came to. */
static void told_by_builder(void)
{
	struct ft_build_options options = {.space = {{.least = 100, .most = 3000, .stride = 100}},
					   .n_params = 1,
					   .tolerance = 0.05,
					   .confidence = 0.9};
	const char *const name[] = {"gbbp", "naive"};
	size_t n;

	for (size_t i = 0; i < 2; i++) {
		struct ft_builder *builder;
		struct ft_size sizes[FT_ASK_MAX];
		struct ft_build_shape shape;

		(void)ft_builder_new(&builder, ft_builder_type_find(name[i]), &options, NULL);
		while (!ft_builder_ask(builder, sizes, FT_ASK_MAX, &n, NULL) && n)
			for (size_t j = 0; j < n; j++) {
				double seconds = 1 / cache(sizes[j].value[0]);

				(void)ft_builder_tell(builder, &sizes[j],
						      &(struct ft_build_result){.seconds = &seconds, .n = 1},
						      NULL);
			}
		ok(!ft_builder_shape(builder, 0, &shape, NULL) && shape.rises == !i && !shape.jumps,
		   "%s takes %s for granted", name[i], i ? "nothing" : "a shape");
		ft_builder_free(builder);
	}
}

/* Over two parameters each has a line of its own: what one of them breaks is told of that one. */
static void told_of_two(void)
{
	struct ft_build_options options = {.space = {{.least = 100, .most = 3000, .stride = 100},
						     {.least = 100, .most = 3000, .stride = 100}},
					   .n_params = 2,
					   .tolerance = 0.05,
					   .confidence = 0.9};
	size_t n;

	for (size_t at = 0; at < 2; at++) {
		struct ft_builder *builder;
		struct ft_size sizes[FT_ASK_MAX];
		struct ft_build_shape there, other;

		(void)ft_builder_new(&builder, ft_builder_type_find("gbbp"), &options, NULL);
		while (!ft_builder_ask(builder, sizes, FT_ASK_MAX, &n, NULL) && n)
			for (size_t j = 0; j < n; j++) {
				double seconds = sizes[j].value[1 - at] / cache(sizes[j].value[at]);

				(void)ft_builder_tell(builder, &sizes[j],
						      &(struct ft_build_result){.seconds = &seconds, .n = 1},
						      NULL);
			}
		n = !ft_builder_shape(builder, at, &there, NULL);
		ok(n && there.rises && there.low >= 1000 && there.low < 2000 && there.again >= 2000,
		   "of two parameters it is told of number %zu: it rises again at %g, from %g", at,
		   there.again, there.low);
		ok(!ft_builder_shape(builder, 1 - at, &other, NULL) && !other.rises && !other.jumps &&
			   !other.bends,
		   "and not of the other");
		ft_builder_free(builder);
	}
}

/* Five cuts, the fastest first: above, below and above the line from end to end. */
static void bends_at_once(void)
{
	struct ft__cut cut[] = {{1000, {10, 10}, 10, 4, 0.001},
				{1500, {9, 9}, 9, 4, 0.001},
				{2000, {5, 5}, 5, 4, 0.001},
				{2500, {4.8, 4.8}, 4.8, 4, 0.001},
				{3000, {2, 2}, 2, 4, 0.001}};
	struct ft_build_shape shape = {0};

	ft__shape_check(cut, 5, 0.01, &shape);
	ok(shape.bends && shape.bend[0] == 1500 && shape.bend[1] == 2000 && shape.bend[2] == 2500,
	   "a line from the fastest size on is crossed twice: %d, %g", (int)shape.bends, shape.bend[0]);
}

int main(void)
{
	bends_at_once();
	quiet("a constant speed", (struct made){.speed = flat});
	quiet("a line that falls", (struct made){.speed = falling});
	quiet("a climb and a cliff", (struct made){.speed = paging});
	quiet("a convex fall", (struct made){.speed = convex});
	quiet("the same, single runs", (struct made){.speed = convex, .runs = 1});
	quiet("a cliff, ten runs at a size", (struct made){.speed = paging, .runs = 10});
	quiet("a constant speed with bursts", (struct made){.speed = flat, .bursts = true});
	quiet("a cliff with noise of 12 %", (struct made){.speed = paging, .noise = much});
	quiet("the same, single runs", (struct made){.speed = paging, .noise = much, .runs = 1});
	loud("a speed that falls by 30 % and rises again", (struct made){.speed = cache}, 1);
	loud("a plateau in the region of paging", (struct made){.speed = plateau}, 2);
	loud("a jump", (struct made){.speed = broken}, 0);
	loud("scatter that grows twelvefold", (struct made){.speed = flat, .noise = growing, .runs = 5}, 3);
	where();
	told_by_builder();
	told_of_two();
	return done();
}
