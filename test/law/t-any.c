/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-any.c - each class behind one question: beside what that class says itself. */
#include "base/alloc.h"
#include "foretime/law.h"
#include "law/door.h"
#include "tap.h"

enum { SIZES = 6 };

/* large */
static struct ft_law_any found;
static struct ft_laws laws;
static struct ft_law_named named;
static struct ft_law_sums sums;
static struct ft_laws_many many;

static bool is_said(double x, const struct ft_law_prediction *b)
{
	const double at[] = {x, x};
	struct ft_law_prediction a;

	return !ft_law_any_predict(&found, at, 0.9, FT_LAW_RUN, &a, NULL) && a.value == b->value &&
	       a.lower == b->lower && a.upper == b->upper;
}

/* 3 n^2, and a per cent to and fro. */
static void test_one(void)
{
	struct ft_law_place place[SIZES];
	struct ft_law_sample sample[SIZES];
	struct ft_law_prediction said;
	struct ft_law_number power, other;

	for (size_t i = 0; i < SIZES; i++) {
		double n = 8 * pow(2, (double)i), value = 3 * n * n * (i % 2 ? 1.01 : 0.99);

		place[i] = (struct ft_law_place){{n}, value};
		sample[i] = (struct ft_law_sample){n, value};
	}
	(void)ft_law_any_fit(&found, FT_LAW_LAWS, place, SIZES, 1, 1, "wall_s", NULL);
	(void)ft_laws_fit(&laws, sample, SIZES, &(struct ft_law_options){.terms = 1}, NULL);
	(void)ft_laws_predict(&laws, 1000, 0.9, FT_LAW_RUN, &said, NULL);
	ok(!found.many && found.misfit == laws.misfit && found.residual == laws.residual &&
		   found.residual_ln == laws.residual_ln && found.sizes == SIZES && is_said(1000, &said) &&
		   near(ft_law_value(&found.law, &(double){100}), 30000, 0.05),
	   "laws");
	(void)ft_law_any_fit(&found, FT_LAW_POWER, place, SIZES, 1, 0, "wall_s", NULL);
	(void)ft_law_named_fit(&named, FT_LAW_POWER, 0, sample, SIZES, NULL);
	(void)ft_law_named_predict(&named, 1000, 0.9, FT_LAW_RUN, &said, NULL);
	ok(found.misfit == named.mean_error && found.residual_ln == named.residual_ln &&
		   found.sizes == SIZES && is_said(1000, &said),
	   "a power");
	ok(ft_law_any_power(&found, 0.9, &power) && ft_law_named_power(&named, 0.9, &other) &&
		   power.value == other.value && near(power.value, 2, 0.02),
	   "the power that was found");
	(void)ft_law_any_fit(&found, FT_LAW_SIGNED, place, SIZES, 1, 0, "wall_s", NULL);
	(void)ft_law_sums_fit(&sums, sample, SIZES, NULL);
	(void)ft_law_sums_predict(&sums, 1000, 0.9, FT_LAW_RUN, &said, NULL);
	ok(found.misfit == sums.misfit && found.residual == sums.residual && isnan(found.residual_ln) &&
		   is_said(1000, &said) && !ft_law_any_power(&found, 0.9, &power),
	   "sums of either sign have no power, and no logarithms");
}

static void test_many(void)
{
	struct ft_law_place place[9];
	struct ft_law_prediction said;
	const double at[] = {50, 50};
	struct ft_law_number power;

	for (size_t i = 0; i < 9; i++) {
		double n = 4 * pow(2, (double)(i % 3)), m = 5 * pow(2, (double)(i / 3));

		place[i] = (struct ft_law_place){{n, m}, n * m};
	}
	(void)ft_law_any_fit(&found, FT_LAW_LAWS, place, 9, 2, 0, "wall_s", NULL);
	(void)ft_laws_fit_many(&many, place, 9, 2, NULL);
	(void)ft_laws_predict_many(&many, at, 0.9, FT_LAW_RUN, &said, NULL);
	ok(found.many && found.sizes == 9 && found.misfit == many.misfit && is_said(50, &said) &&
		   !ft_law_any_power(&found, 0.9, &power),
	   "two parameters");
}

static void test_refused(void)
{
	struct ft_law_place wild[SIZES], one = {{8}, 1};
	struct ft_err err = {0};

	for (size_t i = 0; i < SIZES; i++)
		wild[i] = (struct ft_law_place){{8 * pow(2, (double)i)}, i % 2 ? 1000 : 1};
	ok(ft_law_any_fit(&found, FT_LAW_LAWS, wild, SIZES, 1, 0, "cpu_s", &err) == FT_ENOMODEL &&
		   !strncmp(err.text, "cpu_s obeys no law: ", 20) && *err.remedy,
	   "%s", err.text);
	ok(ft_law_any_fit(&found, FT_LAW_SIGNED, &one, 1, 1, 0, "cpu_s", &err) == FT_ENOMODEL, "%s",
	   err.text);
	(void)ft_alloc_fail_at(1);
	ok(ft_law_any_fit(&found, FT_LAW_POWER, wild, SIZES, 1, 0, "cpu_s", &err) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

int main(void)
{
	test_one();
	test_many();
	test_refused();
	return done();
}
