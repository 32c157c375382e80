/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random-matrix.h - measurements made up for tests, and a problem around them. */
#ifndef FT_TEST_RANDOM_MATRIX_H
#define FT_TEST_RANDOM_MATRIX_H

#include "base/random.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_M = 60, MADE_K = 8, MADE_Q = 3 };

struct made {
	double x[MADE_M * MADE_K], y[MADE_M * MADE_Q], beta[MADE_K * MADE_Q];
	size_t group[MADE_M];
	struct ft_surrogate_problem problem;
};

/* Rows of very different size, columns too; y = x beta with relative noise. */
__attribute__((unused)) static void make(struct made *made, struct ft_random *random, size_t m, size_t k,
					 size_t q, double noise)
{
	for (size_t j = 0; j < k * q; j++)
		made->beta[j] = 2 * ft_random_uniform(random);
	for (size_t i = 0; i < m; i++) {
		double size = exp(3 * ft_random_normal(random));

		for (size_t j = 0; j < k; j++)
			made->x[i * k + j] = size * exp(ft_random_normal(random));
		for (size_t t = 0; t < q; t++) {
			double sum = 0;

			for (size_t j = 0; j < k; j++)
				sum += made->x[i * k + j] * made->beta[j * q + t];
			made->y[i * q + t] = sum * (1 + noise * ft_random_normal(random));
		}
	}
	made->problem = (struct ft_surrogate_problem){.m = m, .k = k, .q = q, .x = made->x, .y = made->y};
}

#endif
