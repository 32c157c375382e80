/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-naive.c - the naive builder: equidistant sizes, all at once. */
#include "drive.h"

static const struct by_hand flat[] = {{0, 100, 0}, {0, 0, 0}};
static const struct by_hand never[] = {{0, 0, 0}, {0, 0, 0}};

static void expect(const struct ft_build_options *options, const struct by_hand *speeds, const char *expected,
		   const char *what)
{
	struct asked asked;

	drive("naive", options, times_by_hand, (void *)(uintptr_t)speeds, &asked);
	(void)says(&asked, expected, what);
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
