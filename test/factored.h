/* SPDX-License-Identifier: GPL-3.0-or-later */
/* factored.h - products of non-negative factors made up for tests. */
#ifndef FT_TEST_FACTORED_H
#define FT_TEST_FACTORED_H

#include "base/random.h"
#include "num/num.h"

#include <math.h>

enum { FACTORED_M = 40, FACTORED_N = 9, FACTORED_R = 3, FACTORED_MOST = 300 };

struct factored {
	double x[FACTORED_M * FACTORED_N], w[FACTORED_R * FACTORED_M], h[FACTORED_R * FACTORED_N],
		trace[FACTORED_MOST + 1];
	struct ft_nmf how;
};

__attribute__((unused)) static void factored_make(struct factored *f, struct ft_random *random, double noise)
{
	enum { M = FACTORED_M, N = FACTORED_N, R = FACTORED_R };
	double w[R * M], h[R * N];

	for (size_t i = 0; i < R * M; i++)
		w[i] = -log(1 - ft_random_uniform(random));
	for (size_t i = 0; i < R * N; i++)
		h[i] = -log(1 - ft_random_uniform(random));
	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < N; j++) {
			double sum = 0;

			for (size_t l = 0; l < R; l++)
				sum += w[l * M + i] * h[l * N + j];
			f->x[i * N + j] = sum * fabs(1 + noise * ft_random_normal(random));
		}
	for (size_t i = 0; i < M; i += 7)
		f->x[i * N + i % N] = 0; /* zeros are measurements too */
}

#endif
