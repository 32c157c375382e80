/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batches.c - runs come in batches: an hour's, a node's, a user's. Times and energies of one batch have a
 * level in common (what else ran, how fast the node is, how large the data are), which its runs do not show
 * and another batch does not share.
 *
 * Sizes that were run in several batches tell the variance between them, beyond what runs of one batch differ
 * by: the analysis of variance of unequal groups, over all sizes. It is shrunk to a stated one. With B
 * batches of that variance v, the mean level is known to v / B; the noise of single runs holds (B - 1) / B of
 * v, and a future run's batch all of it: 2 v / B is added to its variance.
 *
 * Of hours, nodes and users that counts which leaves the most doubt, v / B. Their variances are not added:
 * where each node had an hour of its own, both see the same differences.
 *
 * Source: Searle, Casella and McCulloch, Variance Components, 1992, sec. 3.6 (unbalanced one-way
 * classification). */
#include "model/batches.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A batch ends where no run begins for so long. */
static const double apart_s = 3600;

/* Standard deviation between batches before there are two: as between sessions of bench/verify on an idle
 * machine (doc/constants.md, other_session). It counts as so many batches. */
static const double stated = 0.025, stated_weight = 1;

enum { LOOKED_AT = 20000 };

struct batched {
	const struct ft_observation *o;
	int64_t key; /* when it began, or its node, or its user; 0: not known */
	size_t batch;
};

static int compare_keys(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;

	return (p->key > q->key) - (p->key < q->key);
}

static int compare_members(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;
	int by_size = ft_size_compare(&p->o->size, &q->o->size);

	if (by_size)
		return by_size;
	if (p->batch != q->batch)
		return p->batch < q->batch ? -1 : 1;
	return (p->o > q->o) - (p->o < q->o);
}

/* Sums over sizes. */
struct sums {
	double between, between_freedom, within, within_freedom, weight;
};

/* The members [n] of one size, by batch. */
static void add_size(struct sums *sums, const struct batched *m, size_t n, double offset)
{
	double mean = 0, squares = 0, between = 0, groups = 0;
	size_t to;

	for (size_t i = 0; i < n; i++)
		mean += log(m[i].o->value + offset) / (double)n;
	for (size_t from = 0; from < n; from = to) {
		double own = 0;

		for (to = from; to < n && m[to].batch == m[from].batch; to++)
			own += log(m[to].o->value + offset);
		double count = (double)(to - from);
		own /= count;
		for (size_t i = from; i < to; i++)
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

/* Batches of one kind; m: [n] with keys. They replace those of *out where they leave more doubt. */
static void find_kind(struct batched *m, size_t n, enum ft_batch kind, double offset, bool records,
		      struct ft_batches *out)
{
	struct ft_batches found = {0};
	struct sums sums = {0};
	double variance = stated * stated;
	size_t i, from;

	qsort(m, n, sizeof *m, compare_keys);
	if (m[0].key <= 0)
		return;
	for (i = 1, m[0].batch = 0; i < n; i++)
		m[i].batch = m[i - 1].batch + (kind == FT_BATCH_HOURS
						       ? (double)(m[i].key - m[i - 1].key) > apart_s * 1e9
						       : m[i].key != m[i - 1].key);
	found.n = out->count[kind] = m[n - 1].batch + 1;
	if (kind == FT_BATCH_HOURS)
		out->span_s = (double)(m[n - 1].key - m[0].key) / 1e9;
	qsort(m, n, sizeof *m, compare_members);
	for (i = 1, from = 0; i <= n; i++)
		if (i == n || !ft_size_equal(&m[i].o->size, &m[from].o->size)) {
			add_size(&sums, m + from, i - from, offset);
			from = i;
		}
	double freedom = fmin(sums.between_freedom, (double)found.n - 1);
	found.learned = freedom >= 1 && sums.within_freedom >= 1 && sums.weight > 0;
	if (found.learned) {
		double own = sums.within / sums.within_freedom;
		double seen = fmax(0, sums.between - sums.between_freedom * own) / sums.weight;

		variance = (stated_weight * variance + freedom * seen) / (stated_weight + freedom);
	}
	if (found.n > 1 || records)
		found.doubt = variance / (double)found.n;
	if (out->n && !(found.doubt > out->doubt))
		return;
	found.of = kind;
	found.deviation = sqrt(variance);
	found.span_s = out->span_s;
	memcpy(found.count, out->count, sizeof found.count);
	*out = found;
}

enum ft_status ft__batches_find(const struct ft_observation *observation, size_t n, double offset,
				bool records, struct ft_batches *out, struct ft_err *err)
{
	size_t step = (n + LOOKED_AT - 1) / LOOKED_AT, i, kept = 0;
	struct batched *m = ft_calloc(n / (step ? step : 1) + 1, sizeof *m);

	*out = (struct ft_batches){0};
	if (!m)
		return ft_nomem(err);
	for (i = 0; i < n; i += step)
		if (!observation[i].censored)
			m[kept++].o = &observation[i];
	for (enum ft_batch kind = 0; kept && kind < FT_BATCH_N; kind++) {
		for (i = 0; i < kept; i++)
			m[i].key = kind == FT_BATCH_HOURS   ? m[i].o->when_ns
				   : kind == FT_BATCH_NODES ? m[i].o->node
							    : m[i].o->user;
		find_kind(m, kept, kind, offset, records, out);
	}
	ft_free(m);
	return FT_OK;
}

void ft__batches_widen(const struct ft_batches *batches, double offset, double confidence,
		       struct ft_prediction *p)
{
	double typical = log(p->value + offset), far;

	if (!(batches->doubt > 0) || !(p->value + offset > 0))
		return;
	/* Of few batches their variance is not known well: of B - 1 of them, and the stated one. */
	far = sqrt(batches->doubt) * (batches->learned ? ft_student_t(confidence, (double)batches->n)
						       : ft_normal_quantile((1 + confidence) / 2));
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
