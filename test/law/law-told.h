/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law-told.h - all that fitted laws tell, number by number, as sums (scores.h): in units of the value at a
 * size.
 */
#ifndef FT_TEST_LAW_TOLD_H
#define FT_TEST_LAW_TOLD_H

#include "scores.h"

#include "foretime/law.h"
#include "law/door.h"

enum { FACTOR = sizeof(struct ft_law_factor) / sizeof(double) };

/* A law at a size where it is of the order of unit. */
__attribute__((unused)) static void tell_law(struct test_told *told, const struct ft_law *law,
					     const double *x, double unit)
{
	test_tell(told, (double)law->terms, 1);
	test_tell(told, law->constant, unit);
	for (size_t i = 0; i < law->terms; i++) {
		struct ft_law one = {.params = law->params, .terms = 1, .term = {law->term[i]}};

		test_tell(told, ft_law_value(&one, x), unit);
		for (size_t k = 0; k < law->params; k++)
			test_tell_all(told, &law->term[i].factor[k].power, FACTOR, 1);
	}
}

__attribute__((unused)) static void tell_points(struct test_told *told, const struct ft_law_point *point,
						size_t n)
{
	test_tell(told, (double)n, 1);
	for (size_t i = 0; i < n; i++) {
		test_tell(told, point[i].weight, 1);
		test_tell(told, point[i].error, 1e-3);
		test_tell(told, point[i].constant, 1e-3);
		for (size_t k = 0; k < point[i].terms; k++) {
			test_tell(told, log(point[i].c[k]), 1);
			test_tell(told, point[i].shape[k], 1);
		}
	}
}

__attribute__((unused)) static void tell_one(struct test_told *told, const struct ft_laws *laws,
					     const double *x, double unit)
{
	struct ft_law_number power = {0};
	char words[256];

	tell_law(told, &laws->law, x, unit);
	for (size_t i = 0; i < laws->kinds; i++) {
		test_tell_all(told, &laws->kind[i].factor.power, FACTOR, 1);
		test_tell(told, laws->kind[i].weight, 1);
	}
	test_tell(told, (double)(laws->terms + 4 * laws->called + 8 * laws->exact + 16 * laws->breaks), 1);
	test_tell(told, laws->misfit, 1e-3);
	test_tell(told, laws->residual, unit);
	test_tell(told, laws->residual_ln, 1e-3);
	test_tell(told, laws->noise, 1e-3);
	test_tell(told, (double)(laws->sizes + 100 * laws->runs), 1);
	test_tell_all(told, &laws->least, 2, 1);
	for (size_t i = 0; i < laws->breaks; i++) {
		test_tell_all(told, &laws->broken[i].after, 2, 1);
		tell_law(told, &laws->broken[i].law, x, unit);
		test_tell_all(told, &laws->broken[i].error, 2, 1e-3);
	}
	tell_points(told, laws->point, laws->points);
	tell_points(told, laws->with_further, laws->further);
	for (size_t i = 0; i < FT_LAW_FREE; i++)
		test_tell_all(told, &laws->free[i].power, FACTOR, 1);
	(void)ft_laws_words(laws, NULL, words, sizeof words);
	test_tell_text(told, words);
	test_tell(told, ft_laws_power(laws, 0.9, &power), 1);
	test_tell_all(told, &power.value, 3, 1);
}

__attribute__((unused)) static void tell_candidates(struct test_told *told, const struct ft_law_candidate *c,
						    size_t n, const double *x, double unit)
{
	for (; n--; c++) {
		double there[FT_LAW_TERMS + 1] = {1};

		test_tell(told, c->weight, 1);
		tell_law(told, &c->law, x, unit);
		for (size_t i = 0; i < c->law.terms; i++) {
			struct ft_law one = {.params = c->law.params, .terms = 1, .term = {c->law.term[i]}};

			one.term[0].c = 1;
			there[i + 1] = ft_law_value(&one, x);
		}
		for (size_t j = 0; j <= c->law.terms; j++)
			for (size_t k = 0; k <= c->law.terms; k++)
				test_tell(told, c->covariance[j][k] * there[j] * there[k],
					  1e-4 * unit * unit);
	}
}

__attribute__((unused)) static void tell_many(struct test_told *told, const struct ft_laws_many *many,
					      const double *x, double unit)
{
	tell_candidates(told, many->candidate, many->candidates, x, unit);
	test_tell(told, many->exact, 1);
	test_tell(told, many->misfit, 1e-3);
	test_tell(told, many->residual, unit);
	test_tell_all(told, &many->residual_ln, 2, 1e-3);
	test_tell(told, (double)(many->places + 100 * many->runs), 1);
	test_tell_all(told, many->least, many->params, 1);
	test_tell_all(told, many->most, many->params, 1);
	test_tell_all(told, many->hidden, many->params, 1e-3);
}

__attribute__((unused)) static void tell_named(struct test_told *told, const struct ft_law_named *named,
					       const double *x, double unit)
{
	struct ft_law_number power = {0};

	tell_law(told, &named->law, x, unit);
	test_tell(told, (double)(named->sizes + 100 * named->runs + 10000 * named->rank), 1);
	test_tell(told, named->residual, unit);
	test_tell(told, named->residual_ln, 1e-3);
	test_tell_all(told, &named->mean_error, 3, 1e-3);
	test_tell_all(told, &named->least, 2, 1);
	test_tell(told, named->deviation, named->kind == FT_LAW_POWER ? 1e-3 : unit);
	test_tell(told, named->centre, 1);
	for (size_t i = 0; i <= named->law.terms; i++)
		test_tell_all(told, named->covariance[i], named->law.terms + 1,
			      named->kind == FT_LAW_POWER ? 1e-4 : unit * unit);
	test_tell(told, ft_law_named_power(named, 0.9, &power), 1);
	test_tell_all(told, &power.value, 3, 1);
}

#endif
