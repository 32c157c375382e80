/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process-input.c - models over several parameters: sizes that tell little, units, and a corner of memory
 * that nobody measured. */
#include "tap.h"

#include "base/random.h"
#include "foretime/model.h"

#include <math.h>

enum { MOST = 300 };

struct samples {
	struct ft_observation o[MOST];
	size_t n;
};

static double sum(double x, double y)
{
	return 1e-3 + 2e-7 * x * y + 1e-5 * x;
}

static void add(struct samples *s, double x, double y, double value, double memory)
{
	s->o[s->n++] = (struct ft_observation){{2, {x, y}}, 1, value, 0, memory, false, 0, 0, 0};
}

static struct ft_model *model_of(const struct samples *s)
{
	static const size_t axes[] = {0, 1};
	struct ft_model *model = NULL;

	(void)ft_model_fit(&model, s->o, s->n, &(struct ft_model_options){.axis = axes, .n_axes = 2}, NULL);
	return model;
}

static struct ft_prediction ask(const struct ft_model *model, double x, double y)
{
	struct ft_prediction said;

	if (!model || ft_model_predict(model, &(struct ft_size){2, {x, y}}, 1, 0.9, &said, NULL))
		said = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN};
	return said;
}

/* The value is finite and inside its interval, and that is no wider than so many times. */
static bool is_sound(const struct ft_prediction *said, double times)
{
	return isfinite(said->value) && isfinite(said->upper) && said->lower > 0 &&
	       said->lower <= said->value && said->value <= said->upper && said->upper <= times * said->lower;
}

static struct samples scattered(double noise, size_t n, struct ft_random *random)
{
	struct samples s = {.n = 0};

	while (s.n < n) {
		double x = round(16 * pow(64, ft_random_uniform(random)));
		double y = round(10 * pow(100, ft_random_uniform(random)));

		add(&s, x, y, sum(x, y) * exp(noise * ft_random_normal(random)), 1e6 + 8 * x * y);
	}
	return s;
}

/* Of two parameters that are always the same nobody can tell which one counts: along both at once it is
 * known, across it is not. */
static void test_same(void)
{
	struct ft_random random = {test_seed()};
	struct samples s = {.n = 0};

	for (size_t i = 0; i < 24; i++) {
		double x = round(16 * pow(64, (double)(i / 2) / 11));

		add(&s, x, x, sum(x, x) * exp(0.02 * ft_random_normal(&random)), 0);
	}
	struct ft_model *model = model_of(&s);
	struct ft_prediction along = ask(model, 300, 300);
	struct ft_prediction across = ask(model, 1000, 20);
	ok(is_sound(&along, 1.5) && near(along.value, sum(300, 300), 0.15) && along.basis == FT_BASIS_BETWEEN,
	   "two parameters that are the same: known where both are (%g .. %g; seed %llu)", along.lower,
	   along.upper, (unsigned long long)test_seed());
	ok(isfinite(across.value) && across.basis == FT_BASIS_BEYOND &&
		   across.upper / across.lower > 3 * along.upper / along.lower,
	   "elsewhere hardly: %g .. %g", across.lower, across.upper);
	ft_model_free(model);
}

/* Between two values nothing tells how it bends but how functions do: of 15 places each. */
static void test_two_values(void)
{
	struct ft_random random = {test_seed()};
	size_t held = 0, asked = 0;
	bool sound = true, wider = true;

	for (size_t turn = 0; turn < (size_t)test_cases(6); turn++) {
		struct samples s = {.n = 0};

		for (size_t i = 0; i < 24; i++) {
			double x = round(16 * pow(64, (double)(i / 2) / 11)), y = i % 2 ? 400 : 20;

			add(&s, x, y, sum(x, y) * exp(0.02 * ft_random_normal(&random)), 0);
		}
		struct ft_model *model = model_of(&s);
		for (size_t i = 0; i < 15; i++) {
			double x = 30 * pow(2, (double)(i % 5)), y = 40 * pow(2, (double)i / 5);
			struct ft_prediction at = ask(model, x, 400), between = ask(model, x, y);

			sound = sound && is_sound(&at, 1.4) && is_sound(&between, 100);
			wider = wider && between.upper / between.lower > at.upper / at.lower;
			held += between.lower <= sum(x, y) && sum(x, y) <= between.upper;
			asked++;
		}
		ft_model_free(model);
	}
	ok(sound && wider, "a parameter of two values: between them less is known than at them");
	ok((double)held > 0.8 * (double)asked, "and the interval holds it: %zu of %zu (seed %llu)", held,
	   asked, (unsigned long long)test_seed());
}

static void test_little(void)
{
	struct ft_random random = {test_seed()};
	struct samples s = {.n = 0};

	for (size_t i = 0; i < 12; i++)
		add(&s, 50, 60, 0.5 * exp(0.02 * ft_random_normal(&random)), 0);
	struct ft_model *model = model_of(&s);
	struct ft_prediction said = ask(model, 50, 60);
	ok(is_sound(&said, 1.3) && near(said.value, 0.5, 0.05), "one size, of many runs");
	ok(isnan(ask(model, 60, 60).value), "says nothing of others");
	ft_model_free(model);
	s = scattered(0, 30, &random);
	for (size_t i = 0; i < s.n; i++)
		s.o[i].value = 0.25;
	model = model_of(&s);
	said = ask(model, 100, 100);
	ok(is_sound(&said, 1.2) && near(said.value, 0.25, 1e-3), "times that are all the same: %g .. %g",
	   said.lower, said.upper);
	ft_model_free(model);
}

/* Holes: neither large values nor small ones of both parameters make sense, and the rest was measured. */
static void test_holes(void)
{
	struct ft_random random = {test_seed()};
	struct samples all = scattered(0.02, 200, &random), s = {.n = 0};

	for (size_t i = 0; i < all.n; i++) {
		double product = all.o[i].size.value[0] * all.o[i].size.value[1];

		if (product > 8000 && product < 24000)
			s.o[s.n++] = all.o[i];
	}
	struct ft_model *model = model_of(&s);
	struct ft_prediction inside = ask(model, 120, 120);
	struct ft_prediction hole = ask(model, 1000, 1000);
	ok(is_sound(&inside, 1.4) && near(inside.value, sum(120, 120), 0.1), "a strip of %zu runs", s.n);
	ok(isfinite(hole.value) && hole.basis == FT_BASIS_BEYOND &&
		   hole.upper / hole.lower > 1.3 * inside.upper / inside.lower,
	   "is no licence for what lies beside it (%g .. %g)", hole.lower, hole.upper);
	ft_model_free(model);
}

/* Units of both parameters and of time, and all runs in another order: the same answers. */
static void test_units(void)
{
	struct ft_random random = {test_seed()};
	struct samples s = scattered(0.03, 40, &random), other = {.n = 0};
	double off = 0;

	for (size_t i = 0; i < 40; i += 3) {
		s.o[s.n] = s.o[i];
		s.o[s.n++].value *= exp(0.03 * ft_random_normal(&random));
	}
	for (size_t i = 0; i < s.n; i++) {
		other.o[i] = s.o[s.n - 1 - i];
		other.o[i].size.value[0] *= 1024;
		other.o[i].size.value[1] *= 1e-2;
		other.o[i].value *= 1e3;
		other.n++;
	}
	struct ft_model *a = model_of(&s);
	struct ft_model *b = model_of(&other);
	for (size_t k = 0; k < 30; k++) {
		double x = 16 * pow(64, ft_random_uniform(&random)),
		       y = 10 * pow(100, ft_random_uniform(&random));
		struct ft_prediction p = ask(a, x, y), q = ask(b, 1024 * x, 1e-2 * y);

		off = fmax(off, fabs(log(q.value / p.value / 1e3)));
		off = fmax(off, fabs(log(q.upper / p.upper / 1e3)));
	}
	ok(off < 0.01, "neither units nor the order of runs count (%.2g; seed %llu)", off,
	   (unsigned long long)test_seed());
	ft_model_free(a);
	ft_model_free(b);
}

/* Runs hold a quarter of what the largest sizes need: whether pages are swapped there nobody saw. The doubt
 * alone is e^(2 1.645 0.25) wide. */
static void test_unseen_corner(void)
{
	struct ft_random random = {test_seed()};
	struct samples all = scattered(0.02, 120, &random), known = {.n = 0}, unknown;

	for (size_t i = 0; i < all.n; i++)
		if (all.o[i].memory < 2e6)
			known.o[known.n++] = all.o[i];
	add(&known, 16, 1000, sum(16, 1000), 1e6 + 8 * 16 * 1000);
	add(&known, 1024, 10, sum(1024, 10), 1e6 + 8 * 1024 * 10);
	unknown = known;
	for (size_t i = 0; i < unknown.n; i++)
		unknown.o[i].memory = 0;
	struct ft_model *model = model_of(&known);
	struct ft_prediction inside = ask(model, 100, 100);
	struct ft_prediction corner = ask(model, 1000, 1000);
	ft_model_free(model);
	model = model_of(&unknown);
	struct ft_prediction blind = ask(model, 1000, 1000);
	ft_model_free(model);
	ok(is_sound(&inside, 1.4), "below the largest footprint the interval is narrow (%g .. %g)",
	   inside.lower, inside.upper);
	ok(corner.upper > 2.3 * corner.lower && corner.basis == FT_BASIS_BEYOND,
	   "in a corner over it cliffs may hide: %g .. %g", corner.lower, corner.upper);
	ok(blind.upper > 1.8 * blind.lower, "also where no footprint is known: %g .. %g (seed %llu)",
	   blind.lower, blind.upper, (unsigned long long)test_seed());
}

int main(void)
{
	test_same();
	test_two_values();
	test_little();
	test_holes();
	if (!test_quick()) {
		test_units();
		test_unseen_corner();
	}
	return done();
}
