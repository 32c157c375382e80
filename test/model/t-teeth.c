/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-teeth.c - structure finer than the distance of sizes: each shape at sizes by hand, its places, its words;
 * and that it is found where it is. */
#include "base/random.h"
#include "model/model.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static double at(enum ft__tooth_shape shape, double period, double phase, double x)
{
	const struct ft__tooth tooth = {.shape = shape, .period = period, .phase = phase};
	double variance = -1, value = ft__tooth_at(&tooth, x, &variance);

	return variance == 0 ? value : (double)NAN;
}

static void test_shapes(void)
{
	ok(at(FT__MULTIPLES, 8, 0, 64) == 1 && at(FT__MULTIPLES, 8, 0, 65) == 0 &&
		   at(FT__MULTIPLES, 8, 0, 60) == 0,
	   "multiples of 8");
	ok(at(FT__POWERS, 2, 0, 1024) == 1 && at(FT__POWERS, 2, 0, 1) == 1 &&
		   at(FT__POWERS, 2, 0, 1025) == 0 && at(FT__POWERS, 2, 0, 0) == 0 &&
		   at(FT__POWERS, 2, 0, 0.5) == 1,
	   "powers of 2");
	ok(at(FT__BLOCKS, 16, 0, 32) == 0 && near(at(FT__BLOCKS, 16, 0, 33), log(48.0 / 33), 1e-12) &&
		   near(at(FT__BLOCKS, 16, 0, 1), log(16), 1e-12) && at(FT__BLOCKS, 16, 0, 0.5) == 0,
	   "blocks of 16, in ln of what is rounded up");
	ok(near(at(FT__STEPS, 100, 0.25, 25), -0.5, 1e-12) && near(at(FT__STEPS, 100, 0.25, 75), 0, 1e-12) &&
		   near(at(FT__STEPS, 100, 0.25, 100), 0.25, 1e-12) &&
		   near(at(FT__STEPS, 100, 0.25, 525), -0.5, 1e-12),
	   "a sawtooth of 100 that falls at 25");
	ok(near(at(FT__GROWTH, 2, 0, 64 * sqrt(2)), 0, 1e-9) && near(at(FT__GROWTH, 2, 0.5, 64), 0, 1e-9) &&
		   near(at(FT__GROWTH, 4, 0.25, 4), 0.25, 1e-9) && at(FT__GROWTH, 2, 0, 0) == 0,
	   "a sawtooth over the logarithm");
}

/* Places that are all as likely: their mean, and what they differ by. */
static void test_places(void)
{
	const struct ft__tooth tooth = {
		.shape = FT__STEPS, .period = 100, .places = 2, .place = {{100, 0}, {100, 0.25}}};
	const struct ft__tooth other = {.shape = FT__MULTIPLES, .period = 8, .height = 2, .variance = 0.5};
	struct ft__engine engine = {.tooth = {tooth, other}, .n_teeth = 2};
	double variance, sum = 0.125, doubt = 9 * 0.125 * 0.125;

	ok(near(ft__tooth_at(&tooth, 80, &variance), 0.175, 1e-12) && near(variance, 0.125 * 0.125, 1e-9),
	   "two places: the mean, and their variance");
	engine.tooth[0].height = 3;
	engine.tooth[0].variance = 0.25;
	ok(near(ft__engine_doubt(&engine, 80), doubt, 1e-9), "where it falls is in doubt");
	ok(near(ft__engine_teeth(&engine, 80, &sum), 3 * 0.175 + 2, 1e-12) &&
		   near(sum, 0.125 + 0.25 * 0.175 * 0.175 + doubt + 0.5, 1e-9),
	   "all kinds together, and variance that is added to");
	sum = 0;
	ok(near(ft__engine_teeth(&engine, 81, &sum), 3 * 0.185, 1e-9), "off a multiple the other one alone");
}

static void test_words(void)
{
	static const char *const words[] = {"multiples of 8", "powers of 2", "blocks of 16", "steps of 12.5",
					    "steps at each factor of 1.5"};
	static const double period[] = {8, 2, 16, 12.5, 1.5};
	char text[48];
	int bad = 0;

	for (int i = 0; i < FT__TOOTH_SHAPES; i++) {
		const struct ft__tooth tooth = {.shape = (enum ft__tooth_shape)i, .period = period[i]};

		bad += ft__tooth_name(&tooth, text, sizeof text) != text || strcmp(text, words[i]) != 0;
	}
	ok(!bad, "each has its words");
}

/* A smooth curve with one of them: it is found, with its height; without, nothing is. */
static void test_found(void)
{
	static const struct ft__tooth truth[] = {{.shape = FT__MULTIPLES, .period = 16, .height = 0.15},
						 {.shape = FT__BLOCKS, .period = 64, .height = 1},
						 {.height = 0}};

	for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
		struct ft_random random = {11 + i};
		struct ft__engine engine;
		char text[48] = "none";

		ft__engine_init(&engine, 0, log(30), false);
		for (size_t k = 0; k < 60; k++) {
			double x = floor(100 * pow(30, (double)k / 59)), ln[3], unused;

			x = k % 2 ? x : x - fmod(x, 16);
			for (size_t r = 0; r < 3; r++)
				ln[r] = 1.5 * log(x) + truth[i].height * ft__tooth_at(&truth[i], x, &unused) +
					0.003 * ft_random_normal(&random);
			(void)ft__engine_set(&engine, x, 1, ln, 3, NULL);
		}
		ft__engine_settle(&engine, 12);
		if (engine.n_teeth)
			(void)ft__tooth_name(&engine.tooth[0], text, sizeof text);
		if (truth[i].height == 0)
			ok(engine.n_teeth == 0, "nothing is found where nothing is");
		else
			ok(engine.n_teeth == 1 && engine.tooth[0].shape == truth[i].shape &&
				   near(engine.tooth[0].period, truth[i].period, 0.02) &&
				   near(engine.tooth[0].height, truth[i].height, 0.1),
			   "%zu found, %s, height %.3g of %g", engine.n_teeth, text, engine.tooth[0].height,
			   truth[i].height);
		ft__engine_clear(&engine);
	}
}

int main(void)
{
	test_shapes();
	test_places();
	test_words();
	test_found();
	return done();
}
