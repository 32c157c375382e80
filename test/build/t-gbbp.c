/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gbbp.c - GBBP by hand: each case of 000 section 2.5, both ends, both climbs, failures, what is known
 * before.
 *
 * One run at a size and a tolerance of 5 % make the cut [0.95 s, 1.05 s].
 */
#include "drive.h"

static const struct ft_build_options usual = {.space = {{.least = 10, .most = 100, .stride = 10}},
					      .n_params = 1,
					      .tolerance = 0.05,
					      .confidence = 0.9};

static void expect(const struct ft_build_options *options, const struct by_hand *speeds, const char *expected,
		   const char *what)
{
	struct asked asked;

	drive("gbbp", options, times_by_hand, (void *)(uintptr_t)speeds, &asked);
	(void)says(&asked, expected, what);
}

static void cases(void)
{
	static const struct by_hand flat[] = {{10, 100, 0}, {0, 0, 0}};
	static const struct by_hand fall[] = {{10, 100, 0}, {30, 50, 0}, {0, 0, 0}};
	/* On the line from (20, 100) to (100, 20), and from there on. */
	static const struct by_hand line[] = {{10, 100, 0},  {30, 90, 0},  {40, 80, 0},
					      {60, 60, 0},   {70, 50, 0},  {80, 40, 0},
					      {90, 20.5, 0}, {100, 20, 0}, {0, 0, 0}};
	/* (60, 60) is on the line by accident: at 40 the line says 80 .. [76, 84], the speed is
	 * [90.25, 99.75]. */
	static const struct by_hand accident[] = {{10, 100, 0}, {30, 97, 0}, {40, 95, 0}, {50, 78, 0},
						  {60, 60, 0},  {70, 50, 0}, {80, 40, 0}, {90, 20.5, 0},
						  {100, 20, 0}, {0, 0, 0}};
	/* Below the line at 60; at 40 on the line from 20 to 60 (67.5): case c there, which asks 30 and 50.
	 */
	static const struct by_hand below[] = {{10, 100, 0}, {30, 83, 0}, {40, 67.5, 0}, {50, 51, 0},
					       {60, 35, 0},  {70, 34, 0}, {80, 33.5, 0}, {90, 27, 0},
					       {100, 20, 0}, {0, 0, 0}};
	/* Above the line at 60 (85 over 60): 40 meets 60, so [20, 40] goes on; 80 meets 60, so [80, 100]
	 * does. */
	static const struct by_hand above[] = {{10, 100, 0}, {30, 92, 0}, {40, 86, 0},  {60, 85, 0},
					       {80, 84, 0},  {90, 50, 0}, {100, 20, 0}, {0, 0, 0}};

	expect(&usual, flat, "10 20; 100; 60; 80; 90 (tolerance)",
	       "a: the left half is done, the right goes on");
	expect(&usual, fall, "10 20; 100; 60; 40; 30 (tolerance)",
	       "b: the right half is done, the left goes on");
	expect(&usual, line, "10 20; 100; 60; 40 80; 70 90 (tolerance)",
	       "c: met again in the left half, which is done");
	expect(&usual, accident, "10 20; 100; 60; 40 80; 30 50 70 90 (exhausted)",
	       "c: by accident, both quarters");
	expect(&usual, below, "10 20; 100; 60; 40 80; 30 50 90 (tolerance)",
	       "d: under the approximation, both halves");
	expect(&usual, above, "10 20; 100; 60; 40 80; 30 90 (tolerance)",
	       "e: over the approximation, both halves");
}

static void ends(void)
{
	static const struct by_hand line[] = {{10, 100, 0},  {30, 87.5, 0}, {40, 75, 0},
					      {50, 62.5, 0}, {60, 50, 0},   {70, 37.5, 0},
					      {80, 25, 0},   {90, 12.5, 0}, {0, 0, 0}};
	static const struct by_hand rising[] = {
		{10, 100, 0}, {20, 200, 0}, {30, 300, 0}, {40, 400, 0}, {0, 0, 0}};
	struct ft_build_options zero = usual, few = usual;

	zero.end_zero = true;
	expect(&zero, line, "10 20; 60; 40 80; 70 90 (tolerance)", "a line to zero, which is not measured");
	zero.space[0].most = 40;
	expect(&zero, rising, "10 20; 30 (exhausted)", "end zero: a climb stops short of the end");
	zero.space[0].most = 20;
	expect(&zero, rising, "10 (exhausted)", "end zero: of two sizes one is measured");
	few.space[0].most = 40;
	expect(&few, rising, "10 20; 30; 40 (exhausted)", "a climb that reaches the end asks it once");
	few.space[0].most = 37;
	expect(&few, rising, "10 20; 30; 37 (exhausted)", "the end need not be a multiple of the stride");
	few.space[0].most = 11;
	expect(&few, rising, "10; 11 (exhausted)", "2a beyond the range: the ends only");
}

static void climbs(void)
{
	static const struct by_hand creep[] = {{10, 100, 0}, {20, 104, 0}, {30, 108, 0},
					       {40, 200, 0}, {50, 150, 0}, {0, 0, 0}};
	static const struct by_hand steep[] = {
		{10, 100, 0}, {20, 120, 0}, {30, 140, 0}, {40, 130, 0}, {0, 0, 0}};
	/* Two runs at 10: t(0.9, 1) = 6.314; times 1/100 and 1/90, mean 0.010556, half 0.003508: [71.1,
	 * 141.9]. */
	static const struct by_hand wide[] = {
		{10, 100, 90}, {20, 120, 0}, {30, 200, 0}, {40, 100, 0}, {0, 0, 0}};
	/* The same at 20, [71.1, 141.9], around [95, 105] at 10: neither below nor inside. */
	static const struct by_hand around[] = {
		{10, 100, 0}, {20, 100, 90}, {30, 200, 0}, {40, 100, 0}, {0, 0, 0}};
	struct ft_build_options strict = usual;

	strict.climb_strict = true;
	expect(&usual, creep, "10 20; 100; 60; 40; 30 50 (tolerance)", "an overlap ends the climb");
	expect(&strict, creep, "10 20; 30; 40; 50; 100; 70; 80; 90 (tolerance)",
	       "strict: an overlap does not, a fall does");
	expect(&usual, steep, "10 20; 30; 40; 100; 70; 80; 90 (tolerance)", "a climb until the speed falls");
	expect(&strict, steep, "10 20; 30; 40; 100; 70; 80; 90 (tolerance)", "strict: the same");
	expect(&strict, wide, "10 20; 100; 60; 40; 30 (tolerance)", "strict: I_2a inside I_a ends the climb");
	expect(&strict, around, "10 20; 30; 40; 100; 70; 80; 90 (tolerance)",
	       "strict: I_2a around I_a does not");
	expect(&usual, around, "10 20; 100; 60; 80; 90 (tolerance)", "... but by default it does");
}

static void snapping(void)
{
	static const struct by_hand steep[] = {{0, 1, 0},     {10, 100, 0}, {20, 130, 0}, {30, 160, 0},
					       {35, 190, 0},  {60, 220, 0}, {85, 260, 0}, {95, 300, 0},
					       {100, 340, 0}, {0, 0, 0}};
	static const double listed[] = {3, 4, 7, 8, 15, 16, 40};
	static const struct by_hand powers[] = {{3, 1, 0},  {4, 2, 0},  {7, 3, 0},  {8, 4, 0},
						{15, 5, 0}, {16, 6, 0}, {40, 7, 0}, {0, 0, 0}};
	struct ft_build_options options = usual;

	options.space[0].stride = 25; /* 10 35 60 85 100; multiples 20 and 40 snap to what is known */
	expect(&options, steep, "10 35; 60; 85; 100 (exhausted)",
	       "multiples that snap to a known size are skipped");
	options.space[0] = (struct ft_space){.least = 0, .most = 30, .stride = 10};
	expect(&options, steep, "0 10; 20; 30 (exhausted)", "from zero the climb goes by strides");
	options.space[0] = (struct ft_space){.least = 0.1, .most = 0.3, .stride = 0.1};
	expect(&options, powers, "0.1 0.2; 0.3 (exhausted)",
	       "multiples that rounding puts beyond the end count");
	options.space[0] = (struct ft_space){.least = 10, .most = 100, .factor = 2};
	expect(&options, steep, "10 20; 40; 80 (exhausted)", "a progression: multiples snap to it");
	options.space[0] = (struct ft_space){.least = 1, .most = 100, .sizes = listed, .n_sizes = 7};
	/* multiples of 3: 6 -> 7, 9 -> 8, 12 -> 15 (11.5 is halfway), 18 -> 16, 30 -> 40; 4 is never on the
	 * way */
	expect(&options, powers, "3 7; 8; 15; 16; 40 (tolerance)", "multiples snap to listed sizes");
	options.space[0].most = 20;
	expect(&options, powers, "3 7; 8; 15; 16 (tolerance)", "a range inside a list");
}

static void limits(void)
{
	static const struct by_hand flat[] = {{10, 100, 0}, {0, 0, 0}};
	static const char *const expected[] = {"10 (points)",
					       "10 20 (points)",
					       "10 20; 100 (points)",
					       "10 20; 100; 60 (points)",
					       "10 20; 100; 60; 80 (points)",
					       "10 20; 100; 60; 80; 90 (tolerance)",
					       "10 20; 100; 60; 80; 90 (tolerance)"};
	static const struct by_hand line[] = {{10, 100, 0},  {30, 90, 0},  {40, 80, 0},
					      {60, 60, 0},   {70, 50, 0},  {80, 40, 0},
					      {90, 20.5, 0}, {100, 20, 0}, {0, 0, 0}};
	struct ft_build_options options = usual;

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		options.points = i + 1;
		expect(&options, flat, expected[i], "so many points");
	}
	options.points = 5;
	expect(&options, line, "10 20; 100; 60; 40 (points)", "the limit inside a batch");
}

static void failures(void)
{
	static const struct by_hand dies[] = {{10, 100, 0}, {71, 0, 0}, {0, 0, 0}};
	static const struct by_hand hole[] = {{10, 100, 0}, {60, 0, 0}, {70, 100, 0}, {0, 0, 0}};
	static const struct by_hand late[] = {{10, 0, 0}, {30, 100, 0}, {0, 0, 0}};
	static const struct by_hand last[] = {{10, 0, 0}, {100, 100, 0}, {0, 0, 0}};
	static const struct by_hand never[] = {{10, 0, 0}, {0, 0, 0}};
	static const struct by_hand hole_at_20[] = {{10, 100, 0}, {20, 0, 0}, {30, 100, 0}, {0, 0, 0}};
	static const struct by_hand only_10[] = {{10, 100, 0}, {20, 0, 0}, {0, 0, 0}};
	static const struct by_hand rises_then_dies[] = {{10, 100, 0}, {20, 200, 0}, {30, 0, 0}, {0, 0, 0}};
	static const struct by_hand fine[] = {{1000, 100, 0}, {1501, 0, 0}, {0, 0, 0}};
	struct ft_build_options zero = usual, wide = usual;

	zero.end_zero = true;
	expect(&usual, dies, "10 20; 100; 60; 80; 70 (tolerance)", "a program that dies beyond 70");
	expect(&zero, dies, "10 20; 60; 80; 70 (tolerance)", "the same with end zero");
	expect(&usual, hole, "10 20; 100; 60 (tolerance)", "a hole between good sizes is left alone");
	expect(&usual, late, "10 20; 30; 60; 100; 80; 90 (tolerance)",
	       "the first sizes fail: a is the first good one");
	expect(&usual, last, "10 20; 30; 40; 80; 100 (tolerance)", "only the last one can be measured");
	expect(&usual, never, "10 20; 30; 40; 80; 100 (exhausted)", "nothing can be measured");
	expect(&zero, never, "10 20; 30; 40; 80; 90 (exhausted)", "nothing can be measured, end zero");
	expect(&usual, hole_at_20, "10 20; 100; 50; 70; 80; 90 (tolerance)", "a hole ends the climb only");
	expect(&usual, only_10, "10 20; 100 (tolerance)", "the climb and the end fail");
	expect(&zero, only_10, "10 20 (tolerance)", "the same with end zero");
	expect(&usual, rises_then_dies, "10 20; 30; 100 (tolerance)",
	       "nothing above the lowest failure is asked");
	wide.space[0] = (struct ft_space){.least = 1000, .most = 2000, .stride = 1};
	/* 1500 good, 1750 .. 1562 fail; then 1500 .. 1562 is within 5 %. */
	expect(&wide, fine, "1000 2000; 1500; 1750; 1625; 1562 (tolerance)",
	       "the limit is found to the tolerance");
	wide.space[0].least = 1;
	wide.space[0].most = 0x1p22;
	{
		struct asked asked;

		drive("gbbp", &wide, times_by_hand, (void *)(uintptr_t)never, &asked);
		ok(!asked.failed && asked.n == 21 && asked.size[20] == 4 << 17,
		   "at most 20 tries for a first size");
		if (asked.n != 21)
			diag("%s", transcript(&asked));
	}
}

/* Sizes told before they are wanted, other sizes of the range, and samples that come later. */
static void known(void)
{
	static const struct by_hand flat[] = {{10, 100, 0}, {0, 0, 0}};
	struct ft_builder *builder;
	struct asked asked;
	const double fast = 0.01, slow[] = {1, 1.1};
	double sizes[FT_ASK_MAX], again[FT_ASK_MAX];

	ok(ft_builder_new(&builder, ft_builder_type_find("gbbp"), &usual, NULL) == FT_OK, "a builder");
	ok(!tell(builder, 60, &fast, 1, NULL) && !tell(builder, 10, &fast, 1, NULL) &&
		   !tell(builder, 30, &fast, 1, NULL) && !tell(builder, 63, &fast, 1, NULL),
	   "what is known already is welcome");
	drive_on(builder, times_by_hand, (void *)(uintptr_t)flat, FT_ASK_MAX, 0, &asked);
	says(&asked, "20; 100; 80; 90 (tolerance)", "... and not asked");
	ft_builder_free(builder);

	(void)ft_builder_new(&builder, ft_builder_type_find("gbbp"), &usual, NULL);
	ok(ask(builder, sizes, FT_ASK_MAX) == 2 && ask(builder, again, FT_ASK_MAX) == 2 &&
		   sizes[0] == again[0] && sizes[1] == again[1],
	   "asking twice gives the same");
	ok(ask(builder, sizes, 1) == 1 && sizes[0] == 10, "asking for one gives the first");
	(void)tell(builder, 10, &fast, 1, NULL);
	ok(ask(builder, sizes, FT_ASK_MAX) == 1 && sizes[0] == 20, "one told: the other is still asked");
	(void)tell(builder, 20, &fast, 1, NULL);
	(void)ask(builder, sizes, FT_ASK_MAX);
	(void)tell(builder, 20, slow, 2, NULL);
	ok(ask(builder, sizes, FT_ASK_MAX) == 1 && sizes[0] == 100, "more samples: what was decided stands");
	/* 20 is slow now: 60 meets 100, not 20, and [20, 60] is divided instead of [60, 100]. */
	drive_on(builder, times_by_hand, (void *)(uintptr_t)flat, FT_ASK_MAX, 0, &asked);
	says(&asked, "100; 60; 40; 30 (tolerance)", "... and what comes later uses them");
	ft_builder_free(builder);
}

/* Half-widths of 5 % of the fastest speed; 10 sizes, from 10 to 100. */
static void of_top(void)
{
	/* A cliff, and beyond it speeds that differ by more than 5 % of their own, never by 10 of 100. */
	static const struct by_hand cliff[] = {{10, 100, 0}, {50, 20, 0}, {60, 17, 0}, {70, 14, 0},
					       {80, 11, 0},  {90, 9, 0},  {100, 8, 0}, {0, 0, 0}};
	static const struct by_hand dies[] = {{10, 100, 0}, {50, 3, 0}, {71, 0, 0}, {0, 0, 0}};
	/* The top is found at 20: half-widths of 10, so that 30 (185) is met. */
	static const struct by_hand climb[] = {{10, 100, 0}, {20, 200, 0}, {30, 185, 0}, {0, 0, 0}};
	struct ft_build_options top = usual;
	struct ft_builder *builder;
	struct ft_err err = {0};

	top.of_top = true;
	struct ft_build_options zero = top;
	zero.end_zero = true;
	expect(&usual, cliff, "10 20; 100; 60; 40 80; 50 70 90 (tolerance)", "a share of each: every size");
	expect(&top, cliff, "10 20; 100; 60; 40; 50 (tolerance)", "of the top: one half of it is done");
	/* The law through 20 and 60 is 7.5 at 100: [2.5, 12.5] meets [12, 22]. */
	expect(&zero, cliff, "10 20; 60; 40; 50 (tolerance)", "to an end that the fall goes on to");
	expect(&top, dies, "10 20; 100; 60; 40 80; 50 70 (tolerance)",
	       "a failure is no speed: what lies below it is searched");
	expect(&top, climb, "10 20; 30; 100; 60; 80; 90 (tolerance)", "the fastest so far counts");
	ok(ft_builder_new(&builder, ft_builder_type_find("adaptive"), &top, &err) == FT_EINVAL && *err.remedy,
	   "adaptive refuses it: %s", err.text);
}

/* Five equidistant sizes in place of the climb. */
static void naive_start(void)
{
	static const struct by_hand flat[] = {{10, 100, 0}, {0, 0, 0}};
	static const struct by_hand twice[] = {
		{10, 100, 0}, {35, 50, 0}, {60, 100, 0}, {80, 50, 0}, {0, 0, 0}};
	static const struct by_hand dies[] = {{10, 100, 0}, {61, 0, 0}, {0, 0, 0}};
	static const struct by_hand hole[] = {{10, 0, 0}, {30, 100, 0}, {50, 0, 0}, {60, 100, 0}, {0, 0, 0}};
	static const struct by_hand never[] = {{10, 0, 0}, {0, 0, 0}};
	static const struct {
		const struct by_hand *speeds;
		bool zero;
		const char *asked, *what;
	} row[] = {
		{flat, false, "10 30 50 80 100; 20 40 60 90; 70 (exhausted)", "a constant speed"},
		{flat, true, "10 30 50 80 90; 20 40 60; 70 (exhausted)", "its end is not measured"},
		{twice, false, "10 30 50 80 100; 20 40 60 90; 70 (exhausted)",
		 "two falls: none is passed over"},
		{dies, false, "10 30 50 80 100; 20 40 60; 70 (tolerance)", "one that dies beyond 60"},
		{hole, false, "10 30 50 80 100; 90 (tolerance)", "failures at first, and a hole"},
		{never, false, "10 30 50 80 100 (exhausted)", "nothing can be measured"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct ft_build_options options = usual;
		struct asked asked;

		options.end_zero = row[i].zero;
		drive("gbbp_naive", &options, times_by_hand, (void *)(uintptr_t)row[i].speeds, &asked);
		(void)says(&asked, row[i].asked, row[i].what);
	}
}

/* A cubic program that reports its work, but for one run; silent: none of them does. */
static void drive_cubic(const struct by_hand *speeds, double silent, struct asked *asked)
{
	struct ft_builder *builder;
	struct ft_size sizes[FT_ASK_MAX];
	size_t n;

	*asked = (struct asked){.n = 0};
	(void)ft_builder_new(&builder, ft_builder_type_find("gbbp"), &usual, NULL);
	for (size_t batch = 0; !ft_builder_ask(builder, sizes, FT_ASK_MAX, &n, NULL) && n; batch++)
		for (size_t i = 0; i < n; i++) {
			double x = sizes[i].value[0], seconds[2];
			struct ft_build_result told = {.seconds = seconds, .n = 1};

			(void)times_by_hand((void *)(uintptr_t)speeds, x, seconds);
			seconds[0] *= x * x * x;
			told.work = silent < 0 || x == silent ? NAN : x * x * x;
			asked->batch[asked->n] = batch;
			asked->size[asked->n++] = x;
			asked->failed |= ft_builder_tell(builder, &sizes[i], &told, NULL) != FT_OK;
		}
	asked->stop = ft_builder_stop(builder);
	ft_builder_free(builder);
}

static void reported(void)
{
	static const struct by_hand flat[] = {{10, 100, 0}, {0, 0, 0}};
	static const struct by_hand fall[] = {{10, 100, 0}, {30, 50, 0}, {0, 0, 0}};
	struct asked asked, none;

	drive_cubic(flat, 0, &asked);
	(void)says(&asked, "10 20; 100; 60; 80; 90 (tolerance)", "the work that runs report: a flat speed");
	drive_cubic(fall, 0, &asked);
	(void)says(&asked, "10 20; 100; 60; 40; 30 (tolerance)", "... and one that falls");
	drive_cubic(flat, -1, &none);
	ok(none.n == 10, "where none is reported 1 / time is the speed, and every size is asked");
	drive_cubic(flat, 10, &asked);
	ok(!strcmp(transcript(&asked), transcript(&none)), "a run that reports none: the same");
}

int main(void)
{
	cases();
	of_top();
	naive_start();
	reported();
	ends();
	climbs();
	snapping();
	limits();
	failures();
	known();
	return done();
}
