/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-copy.c - a copy of an engine says the same, and goes its own way; models' axes and words. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/model.h"
#include "model/model.h"
#include "tap.h"

#include <math.h>

enum { SIZES = 24 };

static double size_at(size_t i)
{
	return floor(20 * pow(1.35, (double)i));
}

static void tell(struct ft__engine *engine, size_t i, double slower, struct ft_random *random)
{
	double x = size_at(i), ln[3];

	for (size_t k = 0; k < 3; k++)
		ln[k] = 1.7 * log(x) + 0.3 * sin(log(x)) + slower + 0.01 * ft_random_normal(random);
	(void)ft__engine_set(engine, x, 1, ln, 3, NULL);
}

/* How many of many sizes are told otherwise. */
static size_t differ(const struct ft__engine *a, const struct ft__engine *b)
{
	size_t n = 0;

	for (size_t i = 0; i < 200; i++) {
		double x = floor(10 * pow(1.05, (double)i));
		struct ft__known p = ft__engine_at(a, x, true), q = ft__engine_at(b, x, true);

		n += p.z != q.z || p.variance != q.variance || p.scatter != q.scatter || p.slope != q.slope;
	}
	return n;
}

static void test_copy(void)
{
	struct ft_random random = {test_seed()};
	struct ft__engine engine, copy, again;

	ft__engine_init(&engine, 0, log(size_at(SIZES - 1) / 20), false);
	for (size_t i = 0; i < SIZES; i += 2)
		tell(&engine, i, 0, &random);
	ft__engine_settle(&engine, 4);
	(void)ft__engine_copy(&copy, &engine, NULL);
	(void)ft__engine_copy(&again, &engine, NULL);
	ok(copy.n == engine.n && !differ(&engine, &copy), "a copy says the same");
	for (size_t i = 1; i < SIZES; i += 2)
		tell(&copy, i, 1, &random);
	ft__engine_settle(&copy, 4);
	ok(copy.n == SIZES && differ(&engine, &copy) > 150 && !differ(&engine, &again),
	   "what it is told then is its own");
	ft__engine_clear(&engine);
	ft__engine_settle(&again, 4);
	ok(ft__engine_at(&again, 300, true).variance > 0 && again.n == SIZES / 2, "and outlives the other");
	ft__engine_clear(&copy);
	ft__engine_clear(&again);
}

static void test_faults(void)
{
	struct ft_random random = {test_seed()};
	struct ft__engine engine, copy;
	enum ft_status status = FT_ENOMEM;
	unsigned long k;
	int bad = 0;

	ft__engine_init(&engine, 0, 1, true);
	ok(!ft__engine_copy(&copy, &engine, NULL) && copy.n == 0, "of an empty one");
	ft__engine_clear(&copy);
	for (size_t i = 0; i < 3; i++)
		tell(&engine, i, 0, &random);
	for (k = 1; status && k < 30; k++) {
		(void)ft_alloc_fail_at(k);
		status = ft__engine_copy(&copy, &engine, NULL);
		(void)ft_alloc_fail_at(0);
		bad += status && (status != FT_ENOMEM || copy.site || copy.n);
		if (!status)
			ft__engine_clear(&copy);
	}
	ok(!status && k == 6 + 3 + 2 && !bad, "each allocation may fail: %lu", k);
	ft__engine_clear(&engine);
}

static void test_axes(void)
{
	struct ft_observation o[12];
	size_t axes[] = {0, 2}, axis[FT_PARAMS_MAX] = {9, 9}, i;
	struct ft_model *one = NULL, *two = NULL;

	for (i = 0; i < 12; i++)
		o[i] = (struct ft_observation){{3, {(double)(1 + i % 4), 5, (double)(1 + i / 4)}},
					       1,
					       (double)(2 + i),
					       0,
					       0,
					       false,
					       0,
					       0,
					       0};
	(void)ft_model_fit(&one, o, 4, &(struct ft_model_options){0}, NULL);
	(void)ft_model_fit(&two, o, 12, &(struct ft_model_options){.axis = axes, .n_axes = 2}, NULL);
	ok(ft_model_axes(one, axis) == 1 && axis[0] == 0, "a model is of its first parameter");
	ok(ft_model_axes(two, axis) == 2 && axis[0] == 0 && axis[1] == 2, "or of those that were named");
	ft_model_free(one);
	ft_model_free(two);
}

/* All words differ, and no number is without one. */
static void test_words(void)
{
	int i, bad = 0;

	for (i = 0; strcmp(ft_basis_text((enum ft_basis)i), "unknown") != 0; i++)
		for (int k = 0; k < i; k++)
			bad += !strcmp(ft_basis_text((enum ft_basis)i), ft_basis_text((enum ft_basis)k));
	ok(!bad && i >= 2 && !strcmp(ft_basis_text((enum ft_basis)99), "unknown"), "%d ways to be known", i);
	for (i = 0; strcmp(ft_level_text((enum ft_level)i), "unknown") != 0; i++)
		for (int k = 0; k < i; k++)
			bad += !strcmp(ft_level_text((enum ft_level)i), ft_level_text((enum ft_level)k));
	ok(!bad && i >= 2 && !strcmp(ft_level_text((enum ft_level)99), "unknown"), "%d levels", i);
}

int main(void)
{
	test_copy();
	test_faults();
	test_axes();
	test_words();
	return done();
}
