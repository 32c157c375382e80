/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-naive.c - sizes that are known beforehand: equidistant ones, bisected ones, random ones. */
#include "drive.h"

#include <math.h>

static const struct by_hand flat[] = {{0, 100, 0}, {0, 0, 0}};
static const struct by_hand never[] = {{0, 0, 0}, {0, 0, 0}};

static void expect(const struct ft_build_options *options, const struct by_hand *speeds, const char *expected,
		   const char *what)
{
	struct asked asked;

	drive("naive", options, times_by_hand, (void *)(uintptr_t)speeds, &asked);
	(void)says(&asked, expected, what);
}

static void bisect(void)
{
	struct ft_build_options options = {.space = {{.least = 0, .most = 100, .stride = 1}},
					   .n_params = 1,
					   .tolerance = 0.05,
					   .confidence = 0.9,
					   .points = 7};
	struct asked asked;

	drive("naive_bisect", &options, times_by_hand, (void *)(uintptr_t)flat, &asked);
	(void)says(&asked, "0 100; 50; 25 75; 12 37 (points)", "bisect: generation by generation");
	options.space[0].stride = 25;
	options.points = 0;
	drive("naive_bisect", &options, times_by_hand, (void *)(uintptr_t)flat, &asked);
	(void)says(&asked, "0 100; 50; 25 75 (exhausted)", "bisect: until nothing is left to divide");
	options.points = 1;
	drive("naive_bisect", &options, times_by_hand, (void *)(uintptr_t)flat, &asked);
	(void)says(&asked, "0 (points)", "bisect: one size");
	drive("naive_bisect", &options, times_by_hand, (void *)(uintptr_t)never, &asked);
	(void)says(&asked, "0 (exhausted)", "bisect: nothing can be measured");
}

/* All sizes that rand asks for over some parameters; whether they are distinct. */
static size_t draw(const struct ft_build_options *options, struct ft_size *sizes, bool *distinct,
		   enum ft_stop *stop)
{
	struct ft_builder *builder;
	struct ft_size now[FT_ASK_MAX];
	size_t n, all = 0;
	const double second = 1;

	*distinct = true;
	if (ft_builder_new(&builder, ft_builder_type_find("rand"), options, NULL))
		return 0;
	while (!ft_builder_ask(builder, now, FT_ASK_MAX, &n, NULL) && n)
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < all; j++)
				*distinct &= !ft_size_equal(&sizes[j], &now[i]);
			sizes[all++] = now[i];
			(void)ft_builder_tell(builder, &now[i],
					      &(struct ft_build_result){.seconds = &second, .n = 1}, NULL);
		}
	*stop = ft_builder_stop(builder);
	ft_builder_free(builder);
	return all;
}

static bool small(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return size->value[0] + size->value[1] <= 20;
}

static bool even_first(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return fmod(size->value[0], 2) == 0;
}

static void rand_sizes(void)
{
	static struct ft_size first[2000], second[2000];
	struct ft_build_options options = {
		.space = {{.least = 10, .most = 1000, .stride = 10}, {.least = 4, .most = 4, .stride = 1}},
		.n_params = 2,
		.tolerance = 0.05,
		.confidence = 0.9,
		.seed = 1};
	enum ft_stop stop;
	bool distinct;
	size_t low = 0, origin = 0;
	size_t n = draw(&options, first, &distinct, &stop);
	size_t m = draw(&options, second, &distinct, &stop);

	ok(n == 20 && m == n && !memcmp(first, second, n * sizeof *first) && distinct &&
		   stop == FT_STOP_POINTS,
	   "rand: twenty sizes, the same for the same seed");
	for (size_t i = 0; i < n; i++)
		origin += first[i].value[0] == 10;
	ok(origin == 1, "the least is one of them");
	options.seed = 2;
	(void)draw(&options, second, &distinct, &stop);
	ok(memcmp(first, second, n * sizeof *first) != 0, "others for another seed");
	options.points = 500;
	ok(draw(&options, first, &distinct, &stop) == 100 && distinct && stop == FT_STOP_EXHAUSTED,
	   "all of 100 where more are wanted");
	options.space[1] = (struct ft_space){.least = 0, .most = 1e6, .stride = 1};
	options.points = 1500;
	n = draw(&options, first, &distinct, &stop);
	for (size_t i = 0; i < n; i++)
		low += first[i].value[0] <= 500;
	ok(n == 1500 && distinct && stop == FT_STOP_POINTS && low > 650 && low < 850,
	   "of 1e8 sizes 1500, half of them (%zu) in the lower half", low);
	options.admits = even_first;
	options.space[0].stride = 5;
	n = draw(&options, first, &distinct, &stop);
	for (size_t i = low = 0; i < n; i++)
		low += fmod(first[i].value[0], 2) == 0;
	ok(n == 1500 && low == n && distinct, "a constraint holds");
	options.admits = small;
	options.space[0] = options.space[1] = (struct ft_space){.least = 1, .most = 100, .stride = 1};
	ok(draw(&options, first, &distinct, &stop) == 190 && distinct && stop == FT_STOP_EXHAUSTED,
	   "all of the 190 that one leaves");
}

int main(void)
{
	static const double listed[] = {1, 2, 3, 50, 98, 99, 100};
	struct ft_build_options options = {.space = {{.least = 0, .most = 100, .stride = 1}},
					   .n_params = 1,
					   .tolerance = 0.05,
					   .confidence = 0.9,
					   .points = 5};
	struct ft_builder *builder;
	struct asked asked;
	const double second = 1;

	bisect();
	rand_sizes();
	expect(&options, flat, "0 25 50 75 100 (points)", "five equidistant sizes");
	options.space[0].stride = 10;
	expect(&options, flat, "0 20 50 70 100 (points)", "snapped, halfway to the lower");
	options.points = 1;
	expect(&options, flat, "0 (points)", "one point: the least");
	options.points = 11;
	expect(&options, flat, "0 10 20 30 40 50 60 70 80 90 100 (points)", "as many as there are");
	options.points = 0;
	expect(&options, flat, "0 10 20 30 40 50 60 70 80 90 100 (exhausted)",
	       "20 unless said otherwise, of 11");
	expect(&options, never, "0 10 20 30 40 50 60 70 80 90 100 (exhausted)", "nothing can be measured");
	options.points = SIZE_MAX;
	expect(&options, flat, "0 10 20 30 40 50 60 70 80 90 100 (exhausted)",
	       "more than memory holds, of 11");
	options.space[0] = (struct ft_space){.least = 1, .most = 100, .sizes = listed, .n_sizes = 7};
	options.points = 5; /* 1 25.75 50.5 75.25 100: 25.75 is nearer to 3, 75.25 to 98 */
	expect(&options, flat, "1 3 50 98 100 (points)", "snapped to a list");
	options.points = 6; /* 1 20.8 40.6 60.4 80.2 100 */
	expect(&options, flat, "1 3 50 98 100 (exhausted)", "two that snap to one size count once");

	options.space[0] = (struct ft_space){.least = 16, .most = 1000, .factor = 2};
	options.points = 20;
	expect(&options, flat, "16 32 64 128 256 512 (exhausted)", "all of a progression");

	options = (struct ft_build_options){.space = {{.least = 1, .most = 1000, .stride = 1}},
					    .n_params = 1,
					    .tolerance = 0.05,
					    .confidence = 0.9,
					    .points = 300};
	drive("naive", &options, times_by_hand, (void *)(uintptr_t)flat, &asked);
	ok(!asked.failed && asked.n == 300 && asked.batch[FT_ASK_MAX - 1] == 0 &&
		   asked.batch[FT_ASK_MAX] == 1,
	   "more than one question holds: the rest follows");
	options.points = 3;
	(void)ft_builder_new(&builder, ft_builder_type_find("naive"), &options, NULL);
	ok(!tell(builder, 500, &second, 1, NULL) && !tell(builder, 7.5, &second, 1, NULL),
	   "known sizes are welcome");
	drive_on(builder, times_by_hand, (void *)(uintptr_t)flat, 1, 0, &asked);
	says(&asked, "1; 1000 (points)", "... and not asked");
	ft_builder_free(builder);
	return done();
}
