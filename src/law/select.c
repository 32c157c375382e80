/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c - for each shape the best law c0 + c1 g, and how likely it makes the samples. */
#include "law/laws.h"

#include <math.h>

enum { PRODUCT = 8 };

/* A law that misses no sample by more than this, root mean square, is exact; how many sizes more than
 * coefficients that takes. */
static const double exact = 1e-6;
enum { SPARE = 1 };

/* Weighted least squares of c0 + c1 g; a negative coefficient becomes 0, the other one is fitted again. */
static void solve_pair(const struct ft__law_data *data, const double *g, size_t from, size_t to,
		       struct ft__law_best *best)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0;

	for (size_t k = from; k < to; k++) {
		double w = data->weight[k], wg = w * g[k];

		s += w;
		sg += wg;
		sgg += wg * g[k];
		sm += w * data->mean[k];
		sgm += wg * data->mean[k];
	}
	double determinant = s * sgg - sg * sg;
	best->c0 = sm / s;
	best->c1 = 0;
	if (!(determinant > 1e-14 * s * sgg))
		return;
	best->c1 = (s * sgm - sg * sm) / determinant;
	best->c0 = (sm - best->c1 * sg) / s;
	if (best->c1 < 0) {
		best->c0 = sm / s;
		best->c1 = 0;
	} else if (best->c0 < 0) {
		best->c0 = 0;
		best->c1 = sgm / sgg;
	}
}

/* Errors are relative to the law, not to what was measured: twice, the second time by the first law. */
double ft__law_best_of(const struct ft__law_data *data, size_t shape, size_t from, size_t to,
		       struct ft__law_best *best)
{
	const double *g = ft__law_g(data, shape);
	double logs = 0, product = 1;

	for (size_t k = from; k < to; k++)
		data->weight[k] = data->count[k] / (data->mean[k] * data->mean[k]);
	for (int round = 0; round < 2; round++) {
		solve_pair(data, g, from, to, best);
		if (shape == FT__CONSTANT)
			best->c1 = 0;
		for (size_t k = from; k < to; k++) {
			double f = best->c0 + best->c1 * g[k];

			data->weight[k] = data->count[k] / (f * f);
		}
	}
	best->square = 0;
	for (size_t k = from; k < to; k++) {
		double f = best->c0 + best->c1 * g[k], r = data->mean[k] / f - 1;

		best->square += data->count[k] * r * r;
		logs += data->count[k] * data->ln[k];
		product *= r + 1; /* of mean / f: near 1, and one logarithm for all where counts are alike */
		if (!data->alike || k + 1 == to || (k - from) % PRODUCT == PRODUCT - 1) {
			logs -= data->count[k] * log(product);
			product = 1;
		}
	}
	return logs;
}

double ft__law_score(const struct ft__law_data *data, double square, double logs, double p)
{
	return -(data->total + data->extra) / 2 * log(square + data->scatter + data->floor + data->supposed) -
	       logs - p / 2 * log(data->total);
}

double ft__law_score_of_means(const struct ft__law_data *data, double p)
{
	double logs = 0;

	for (size_t k = 0; k < data->n; k++)
		logs += data->count[k] * data->ln[k];
	return ft__law_score(data, 0, logs, p);
}

bool ft__law_is_exact(const struct ft__law_data *data, double square, size_t coefficients)
{
	return data->n >= coefficients + SPARE && square + data->scatter < exact * exact * data->total;
}

/* Where a law meets the samples better than those of real programs do, the others must not look alike. */
static void set_floor(struct ft__law_data *data, double least)
{
	data->floor = fmax(fmin(1e-8, least / data->total), 1e-22) * data->total;
}

/* The scores of shapes from the table; which is the best. */
static size_t score_all(const struct ft__law_data *data, const double *logs, struct ft__law_best *best)
{
	size_t chosen = 0;

	for (size_t i = 0; i < FT_LAW_SHAPES; i++) {
		double p = (best[i].c0 > 0) + (best[i].c1 > 0);

		if (isnan(data->scale[i]))
			continue;
		best[i].score = ft__law_score(data, best[i].square, logs[i], p) + log(data->prior[i]);
		if (best[i].score > best[chosen].score)
			chosen = i;
	}
	return chosen;
}

size_t ft__law_select(struct ft__law_data *data, struct ft__law_best *best)
{
	struct ft__law_sight sight[FT_LAW_FAMILIES][FT__LAW_SIGHTS];
	double least = INFINITY, logs[FT_LAW_SHAPES];
	size_t i, chosen, n[FT_LAW_FAMILIES] = {0};

	for (i = 0; i < FT__LAW_ALL; i++) {
		best[i] = (struct ft__law_best){.square = INFINITY, .score = -INFINITY};
		if (i >= FT_LAW_SHAPES || isnan(data->scale[i]))
			continue;
		logs[i] = ft__law_best_of(data, i, 0, data->n, &best[i]);
		least = fmin(least, best[i].square + data->scatter);
	}
	set_floor(data, least);
	chosen = score_all(data, logs, best);
	if (ft__law_is_exact(data, best[chosen].square, 2) || !ft__law_may_be_free(data, best[chosen].score))
		return chosen;
	for (i = 0; i < FT_LAW_FAMILIES; i++)
		n[i] = ft__law_find(data, i, sight[i], &least);
	set_floor(data, least);
	chosen = score_all(data, logs, best);
	for (i = 0; i < FT_LAW_FAMILIES; i++)
		ft__law_free(data, i, sight[i], n[i], best);
	for (i = FT_LAW_SHAPES + FT_LAW_NODES / 2; i < FT__LAW_ALL; i += FT_LAW_NODES)
		if (best[i].score > best[chosen].score)
			chosen = i;
	return chosen;
}
