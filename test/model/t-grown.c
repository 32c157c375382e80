/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-grown.c - engines and fields that have learned and are told more: what they know of sites and of any
 * place after each. */
#include "model-told.h"

#include "model/model.h"

enum { FIRST = 9, MORE = 9, PLACES = 12, VALUES = 4, SEEN = 30 };

static void tell_known(struct test_told *told, const struct ft__known *known)
{
	test_tell(told, known->z, 1);
	test_tell(told, known->variance, 1e-4);
	test_tell(told, known->scatter, 1e-4);
	test_tell(told, known->slope, 1);
}

/* ---- an engine ------------------------------------------------------------------------------------------
 */

/* Each third of what comes later stands in place of what was told of a size. */
static void tell_engine(struct ft__engine *engine, size_t i, double noise, struct ft_random *random)
{
	double x = i >= FIRST && i % 3 == 0 ? engine->site[ft_random_below(random, engine->n)].x
					    : round(40 * pow(100, ft_random_uniform(random))),
	       ln[VALUES], work = x * x;
	size_t n = 1 + ft_random_below(random, VALUES), k;

	for (k = 0; k < n; k++)
		ln[k] = log(1e-9 * pow(x, 2.5) * (x > 700 ? 1.5 : 1)) + noise * ft_random_normal(random);
	(void)ft__engine_set(engine, x, work, ln, n, NULL);
}

static void tell_engine_all(struct test_told *told, const struct ft__engine *engine)
{
	struct ft__known known;

	for (size_t i = 0; i < engine->n; i++) {
		known = ft__engine_site(engine, i);
		tell_known(told, &known);
		test_tell(told, engine->site[i].x, 100);
	}
	for (size_t i = 0; i < PLACES; i++) {
		known = ft__engine_at(engine, 11 * pow(1.9, (double)i), i % 2);
		tell_known(told, &known);
	}
	test_tell(told, engine->likelihood, 1);
}

static void test_engine(bool work, double noise, double was)
{
	struct ft_random random = {5};
	struct test_told told = {0};
	struct ft__engine engine, copy;
	size_t i;

	ft__engine_init(&engine, work ? 0 : 3, log(100), work);
	for (i = 0; i < FIRST; i++)
		tell_engine(&engine, i, noise, &random);
	ft__engine_settle(&engine, 12);
	for (; i < FIRST + MORE; i++) {
		tell_engine(&engine, i, noise, &random);
		ft__engine_learn(&engine, (int)(i % 3));
		tell_engine_all(&told, &engine);
	}
	if (!ft__engine_copy(&copy, &engine, NULL)) {
		tell_engine(&copy, i, noise, &random);
		ft__engine_learn(&copy, 1);
		tell_engine_all(&told, &copy);
		ft__engine_clear(&copy);
	}
	test_told(work ? "an engine that grows, noisy" : "an engine that grows", &told, was);
	ft__engine_clear(&engine);
}

/* What of the fine structure is at a size, 0 .. 1. */
static double fine(enum ft__tooth_shape shape, double x)
{
	switch (shape) {
	case FT__POWERS:
		return exp2(round(log2(x))) == x;
	case FT__BLOCKS:
		return ceil(x / 64) * 64 / x - 1;
	case FT__STEPS:
		return fmod(x, 256) / 256;
	case FT__GROWTH:
		return log2(x / 3) - floor(log2(x / 3));
	case FT__MULTIPLES:
	case FT__TOOTH_SHAPES:
	default:
		return fmod(x, 8) != 0;
	}
}

static void test_tooth(enum ft__tooth_shape shape, double height, double was)
{
	struct ft_random random = {7};
	struct test_told told = {0};
	struct ft__engine engine;
	char name[32];

	ft__engine_init(&engine, 0, log(100), false);
	for (size_t i = 0; i < 40; i++) {
		double x = round(32 * pow(100, (double)i / 39)), ln[2];

		x = i % 3 ? x : shape == FT__POWERS ? exp2(round(log2(x))) : 8 * ceil(x / 8);
		for (size_t k = 0; k < 2; k++)
			ln[k] = 1.5 * log(x) + height * fine(shape, x) + 0.01 * ft_random_normal(&random);
		(void)ft__engine_set(&engine, x, 1, ln, 2, NULL);
	}
	ft__engine_settle(&engine, 20);
	tell_engine_all(&told, &engine);
	for (size_t i = 0; i < engine.n_teeth; i++) {
		const struct ft__tooth *t = &engine.tooth[i];

		test_tell_text(&told, ft__tooth_name(t, name, sizeof name));
		test_tell(&told, (double)t->shape, 1);
		test_tell_all(&told, &t->period, 2, 1);
		test_tell(&told, t->height, 1e-1);
		test_tell(&told, t->variance, 1e-4);
	}
	for (size_t i = 0; i < 64; i++) {
		double x = 40 + 13.5 * (double)i, variance = 0;

		test_tell(&told, ft__engine_teeth(&engine, x, &variance), 1e-1);
		test_tell(&told, variance, 1e-4);
		test_tell(&told, ft__engine_doubt(&engine, x), 1e-4);
	}
	ft__engine_find_teeth(&engine);
	tell_engine_all(&told, &engine);
	test_told("fine structure", &told, was);
	ft__engine_clear(&engine);
}

/* ---- a field --------------------------------------------------------------------------------------------
 */

static struct ft__spot any_spot(struct ft_random *random)
{
	double x = round(16 * pow(64, ft_random_uniform(random))),
	       y = round(10 * pow(100, ft_random_uniform(random)));

	return (struct ft__spot){{log(x), log(y)}, log(1e5 + 8 * x * y), log(2e5 + 8 * x * y)};
}

static double value_at(const struct ft__spot *spot)
{
	return log(1e-3 + 1e-8 * exp(2 * spot->at[0] + spot->at[1])) + (spot->memory > log(1e6) ? 0.4 : 0);
}

static void tell_field(struct ft__random_field *field, bool again, struct ft_random *random)
{
	struct ft__spot spot = again ? field->spot[ft_random_below(random, field->n)] : any_spot(random);
	double ln[VALUES];
	size_t n = 1 + ft_random_below(random, VALUES), k;

	for (k = 0; k < n; k++)
		ln[k] = value_at(&spot) + 0.03 * ft_random_normal(random);
	(void)ft__field_set(field, &spot, 1, ln, n, NULL);
}

static void tell_field_all(struct test_told *told, const struct ft__random_field *field)
{
	struct ft_random random = {77};
	struct ft__known known;
	double off, variance, caution;

	for (size_t i = 0; i < field->n; i++) {
		known = ft__field_site(field, i);
		tell_known(told, &known);
		ft__field_left_out(field, i, &off, &variance);
		test_tell(told, off, 1e-2);
		test_tell(told, variance, 1e-4);
	}
	for (size_t i = 0; i < PLACES; i++) {
		struct ft__spot spot = any_spot(&random), more = any_spot(&random);

		spot.at[0] += i % 4 ? 0 : 2;
		known = ft__field_at(field, &spot, NULL);
		tell_known(told, &known);
		test_tell(told, ft__field_hidden(field, &spot, i % 2 ? &more : NULL), 1e-4);
	}
	test_tell(told, ft__field_score(field), 1);
	test_tell(told, field->likelihood, 1);
	if (!ft__field_caution(field, &caution, NULL))
		test_tell(told, caution, 1);
}

/* What is seen besides its sites, by all. */
static void tell_many(struct test_told *told, const struct ft__random_field *field)
{
	static struct ft__seen seen[SEEN];
	struct ft_random random = {78};
	struct ft__many many;

	for (size_t i = 0; i < SEEN; i++) {
		struct ft__spot spot = i < field->n ? field->spot[i] : any_spot(&random);

		seen[i] = (struct ft__seen){.spot = spot,
					    .y = value_at(&spot) + 0.03 * ft_random_normal(&random),
					    .variance = 1e-4 * (double)(1 + i % 5)};
	}
	if (ft__many_make(&many, field, seen, SEEN, NULL))
		return;
	for (size_t i = 0; i < SEEN; i++)
		tell_known(told, &seen[i].known);
	for (size_t i = 0; i < PLACES; i++) {
		struct ft__spot spot = any_spot(&random);
		struct ft__known known = ft__many_at(&many, field, &spot);

		tell_known(told, &known);
	}
	ft__many_clear(&many);
}

static void test_field(bool steps, double was)
{
	struct ft_random random = {6};
	struct test_told told = {0};
	struct ft__random_field field;
	size_t i;

	ft__field_init(&field, 2, false, true);
	field.steps = steps;
	field.drift = 1e-4;
	field.most[0] = log(500);
	for (i = 0; i < FIRST; i++)
		tell_field(&field, false, &random);
	ft__field_settle(&field);
	tell_field_all(&told, &field);
	for (; i < FIRST + MORE; i++) {
		tell_field(&field, i % 3 == 0, &random);
		if (i % 2)
			ft__field_learn(&field, 2, i % 4 == 1);
		else
			ft__field_heed(&field, 2);
		tell_field_all(&told, &field);
	}
	tell_many(&told, &field);
	test_told(steps ? "a field that grows, footprints known" : "a field that grows", &told, was);
	ft__field_clear(&field);
}

int main(void)
{
	test_engine(false, 0.02, 861.630760);
	test_engine(true, 0.2, 3483.682439);
	test_field(false, 2226.576853);
	test_field(true, 2499.434864);
	test_tooth(FT__MULTIPLES, 0.26, 967.517801);
	test_tooth(FT__POWERS, 0.4, 1070.455039);
	test_tooth(FT__BLOCKS, 1, 1083.600443);
	test_tooth(FT__STEPS, 0.33, 1215.560485);
	test_tooth(FT__GROWTH, 0.47, 1652.238881);
	return done();
}
