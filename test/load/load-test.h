/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load-test.h - what the tests of the load room share: random histories, and the document's definition,
 * slowly. */
#ifndef FT_TEST_LOAD_TEST_H
#define FT_TEST_LOAD_TEST_H

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/load.h"
#include "tap.h"

/* A load that wanders between 0 and C, with gaps. */
__attribute__((unused)) static void random_history(struct ft_load_history *history, size_t n,
						   double processors, double gaps, struct ft_random *random)
{
	double load = processors * ft_random_uniform(random);

	*history = (struct ft_load_history){.interval_s = 1 + ft_random_uniform(random) * 20,
					    .processors = processors};
	for (size_t i = 0; i < n; i++) {
		if (ft_random_uniform(random) < 0.1)
			load = processors * ft_random_uniform(random);
		load = fmin(processors, fmax(0, load + 0.1 * processors * ft_random_normal(random)));
		(void)ft_load_history_add(history, ft_random_uniform(random) < gaps ? (double)NAN : load,
					  NULL);
	}
}

/* Row i (from 1) of the matrix A of 000 eq. 1, errata applied: the means of i loads in a row, l_j ...
 * l_(j+i-1), among the loads from `first` on. Gaps make no mean. Returns how many. */
__attribute__((unused)) static size_t slow_row(const struct ft_load_history *history, size_t first, size_t i,
					       double *a)
{
	size_t n = 0;

	for (size_t j = first; j + i <= history->n; j++) {
		double sum = 0;

		for (size_t k = j; k < j + i; k++)
			sum += history->load[k];
		if (!isnan(sum))
			a[n++] = sum / (double)i;
	}
	return n;
}

__attribute__((unused)) static int by_value(const void *a, const void *b)
{
	double p = *(const double *)a, q = *(const double *)b;

	return (p > q) - (p < q);
}

/* Whether functions are those of the loads from `first` on. */
__attribute__((unused)) static bool is_slow(const struct ft_load_functions *f,
					    const struct ft_load_history *history, size_t first, size_t w,
					    double share)
{
	double *a = malloc((history->n + 1) * sizeof *a);
	bool good = true;
	size_t i;

	for (i = 1; i <= w && good; i++) {
		size_t n = slow_row(history, first, i, a);
		if (!n)
			break;
		qsort(a, n, sizeof *a, by_value);
		double place = (1 - share) / 2 * (double)(n - 1);
		double low = a[(size_t)place];
		double high = a[n - 1 - (size_t)place];
		if (place > floor(place)) {
			low += (place - floor(place)) * (a[(size_t)place + 1] - low);
			high += (place - floor(place)) * (a[n - 2 - (size_t)place] - high);
		}
		if (i > f->n || fabs(f->least[i - 1] - low) > 1e-12 * history->processors ||
		    fabs(f->most[i - 1] - high) > 1e-12 * history->processors) {
			diag("row %zu of %zu: %.17g %.17g, not %.17g %.17g", i, f->n,
			     i > f->n ? 0 : f->least[i - 1], i > f->n ? 0 : f->most[i - 1], low, high);
			good = false;
		}
	}
	free(a);
	return good && f->n == i - 1;
}

#endif
