/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batches.c - runs come in batches: an hour's, a day's. Times and energies of one batch have a level in
 * common (what else ran, how warm the machine was), which its runs do not show and another batch does not
 * share.
 *
 * Sizes that were run in several batches tell the variance between them, beyond what runs of one batch differ
 * by: the analysis of variance of unequal groups, over all sizes. It is shrunk to a stated one. With B
 * batches of that variance v, the mean level is known to v / B; the noise of single runs holds (B - 1) / B of
 * v, and a future run's batch all of it: 2 v / B is added to its variance.
 *
 * Source: Searle, Casella and McCulloch, Variance Components, 1992, sec. 3.6 (unbalanced one-way
 * classification). */
#include "model/batches.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

/* A batch ends where no run begins for so long. */
static const double apart_s = 3600;

/* Standard deviation between batches before there are two: as between sessions of bench/verify on an idle
 * machine (doc/constants.md, other_session). It counts as so many batches. */
static const double stated = 0.025, stated_weight = 1;

enum { LOOKED_AT = 20000 };

struct batched {
	const struct ft_observation *o;
	size_t batch;
};

static int compare_times(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;

	return (p->o->when_ns > q->o->when_ns) - (p->o->when_ns < q->o->when_ns);
}

static int compare_members(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;
	int by_size = ft_size_compare(&p->o->size, &q->o->size);

	return by_size ? by_size : (p->batch > q->batch) - (p->batch < q->batch);
}

/* Sums over sizes. */
struct sums {
	double between, between_freedom, within, within_freedom, weight;
};

/* The members [n] of one size, by batch. */
static void add_size(struct sums *sums, const struct batched *m, size_t n, double offset)
{
	double mean = 0, squares = 0, between = 0, groups = 0;
	size_t i, from, to;

	for (i = 0; i < n; i++)
		mean += log(m[i].o->value + offset) / (double)n;
	for (from = 0; from < n; from = to) {
		double own = 0, count;

		for (to = from; to < n && m[to].batch == m[from].batch; to++)
			own += log(m[to].o->value + offset);
		count = (double)(to - from);
		own /= count;
		for (i = from; i < to; i++)
			sums->within += pow(log(m[i].o->value + offset) - own, 2);
		sums->within_freedom += count - 1;
		between += count * (own - mean) * (own - mean);
		squares += count * count;
		groups++;
	}
	sums->between += between;
	sums->between_freedom += groups - 1;
	sums->weight += (double)n - squares / (double)n;
}

enum ft_status ft__batches_find(const struct ft_observation *observation, size_t n, double offset,
				bool records, struct ft_batches *out, struct ft_err *err)
{
	size_t step = (n + LOOKED_AT - 1) / LOOKED_AT, i, from, kept = 0;
	struct batched *m = ft_calloc(n / (step ? step : 1) + 1, sizeof *m);
	struct sums sums = {0};
	double variance = stated * stated, freedom;

	*out = (struct ft_batches){0};
	if (!m)
		return ft_nomem(err);
	for (i = 0; i < n; i += step) {
		if (observation[i].when_ns <= 0) {
			ft_free(m);
			return FT_OK;
		}
		if (!observation[i].censored)
			m[kept++].o = &observation[i];
	}
	if (!kept) {
		ft_free(m);
		return FT_OK;
	}
	qsort(m, kept, sizeof *m, compare_times);
	for (i = 1; i < kept; i++)
		m[i].batch =
			m[i - 1].batch + ((double)(m[i].o->when_ns - m[i - 1].o->when_ns) > apart_s * 1e9);
	out->n = m[kept - 1].batch + 1;
	out->span_s = (double)(m[kept - 1].o->when_ns - m[0].o->when_ns) / 1e9;
	qsort(m, kept, sizeof *m, compare_members);
	for (i = 1, from = 0; i <= kept; i++)
		if (i == kept || !ft_size_equal(&m[i].o->size, &m[from].o->size)) {
			add_size(&sums, m + from, i - from, offset);
			from = i;
		}
	ft_free(m);
	freedom = fmin(sums.between_freedom, (double)out->n - 1);
	out->learned = freedom >= 1 && sums.within_freedom >= 1 && sums.weight > 0;
	if (out->learned) {
		double own = sums.within / sums.within_freedom;
		double seen = fmax(0, sums.between - sums.between_freedom * own) / sums.weight;

		variance = (stated_weight * variance + freedom * seen) / (stated_weight + freedom);
	}
	out->deviation = sqrt(variance);
	if (out->n > 1 || records)
		out->doubt = variance / (double)out->n;
	return FT_OK;
}

void ft__batches_widen(const struct ft_batches *batches, double offset, double confidence,
		       struct ft_prediction *p)
{
	double typical = log(p->value + offset), far;

	if (!(batches->doubt > 0) || !(p->value + offset > 0))
		return;
	far = ft_normal_quantile((1 + confidence) / 2) * sqrt(batches->doubt);
	if (!isnan(p->known))
		p->known = expm1(hypot(log1p(p->known), far));
	far *= sqrt(2);
	if (p->lower + offset > 0)
		p->lower =
			fmin(p->value,
			     fmax(0, exp(typical - hypot(typical - log(p->lower + offset), far)) - offset));
	if (p->upper + offset > 0)
		p->upper = fmax(
			p->value,
			fmin(1e300, exp(typical + hypot(log(p->upper + offset) - typical, far)) - offset));
}
