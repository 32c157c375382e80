/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.c - what the residuals say: a trend, a spread that is not even, outliers (004 6.2.6). */
#include "surrogate/residuals.h"
#include "base/arena.h"
#include "num/order.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

enum { FEW = 8 };

static const double FAR = 5, LEVEL = 0.99;

static void sort_by(struct ft_keyed *place, const double *key, size_t m)
{
	for (size_t i = 0; i < m; i++)
		place[i] = (struct ft_keyed){key[i], i};
	ft_keyed_sort(place, m);
}

/* Ranks from 0; equal ones get their mean. */
static void find_ranks(struct ft_keyed *place, const double *key, size_t m, double *rank)
{
	size_t j;

	sort_by(place, key, m);
	for (size_t i = 0; i < m; i = j) {
		for (j = i + 1; j < m && place[j].key == place[i].key;)
			j++;
		for (size_t k = i; k < j; k++)
			rank[place[k].of] = (double)(i + j - 1) / 2;
	}
}

static double correlation(const double *a, const double *b, size_t n)
{
	double ma = ft_stats_mean(a, n), mb = ft_stats_mean(b, n), ab = 0, aa = 0, bb = 0;

	for (size_t i = 0; i < n; i++) {
		ab += (a[i] - ma) * (b[i] - mb);
		aa += (a[i] - ma) * (a[i] - ma);
		bb += (b[i] - mb) * (b[i] - mb);
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Whether a correlation of n pairs is one, at the level: Student's test. */
static bool is_correlated(double r, size_t n)
{
	double t = fabs(r) * sqrt((double)(n - 2) / fmax(1 - r * r, 1e-300));

	return t > ft_student_t(LEVEL, (double)(n - 2));
}

enum ft_status ft__residuals_read(const double *residual, const double *fitted, size_t m,
				  struct ft_residuals *out, bool *outlier, struct ft_err *err)
{
	FT_ARENA(work);
	struct ft_keyed *place = ft_arena_take(&work, m, sizeof *place);
	double *a = ft_arena_take(&work, m, sizeof *a), *b = ft_arena_take(&work, m, sizeof *b);
	double *size = ft_arena_take(&work, m, sizeof *size);

	*out = (struct ft_residuals){.few = m < FEW};
	memset(outlier, 0, m * sizeof *outlier);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < m; i++)
		size[i] = fabs(residual[i]);
	out->deviation = 1.4826 * ft_stats_median(size, m);
	if (!out->few && out->deviation > 0) {
		for (size_t i = 0; i < m; i++)
			out->outliers += outlier[i] = size[i] > FAR * out->deviation;
		find_ranks(place, size, m, a);
		find_ranks(place, fitted, m, b);
		out->growth = correlation(a, b, m);
		out->spread = is_correlated(out->growth, m);
		/* Ranks, so that one outlier makes no trend. */
		find_ranks(place, residual, m, size);
		sort_by(place, fitted, m);
		for (size_t i = 0; i + 1 < m; i++) {
			a[i] = size[place[i].of];
			b[i] = size[place[i + 1].of];
		}
		out->alike = correlation(a, b, m - 1);
		out->trend = out->alike > 0 && is_correlated(out->alike, m - 1);
	}
	return FT_OK;
}
