/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairs.c - what alternating runs of an old and a new program show, of one size and of a suite of benchmarks. */
#include "ask/ask.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/*
 * The shift of a program at one size.
 *
 * Background load only makes runs longer, and by amounts that pairs do not share: the shortest runs of both
 * programs differ by less chance than the pairs do. Where the noise goes both ways, or drifts, pairs are better. So
 * several estimates compete, and the one of the smallest variance counts. That variance is seen by exchanging
 * old and new at random within pairs, after the shift was taken out (Fisher's randomisation).
 */

enum { WAYS = 3, EXCHANGES = 100 };

/* Chance makes the smallest of several variances too small. */
static const double clearly = 0.6;

/* The mean of the lowest share of values. */
static double mean_of_low(double *value, size_t n, double share)
{
	ft_sort(value, n);
	return ft_stats_mean(value, (size_t)ceil(share * (double)n));
}

/* An estimate of ln (new / old), of values' logarithms [n]. work: [2 n] */
static double estimate_shift(int way, const double *before, const double *now, size_t n, double *work)
{
	static const double share[WAYS] = {0, 0.5, 1.0 / 3};

	for (size_t i = 0; i < n; i++) {
		work[i] = way ? now[i] : now[i] - before[i];
		work[n + i] = before[i];
	}
	if (way)
		return mean_of_low(work, n, share[way]) - mean_of_low(work + n, n, share[way]);
	ft_sort(work, n);
	return ft_stats_mean(work + n / 4, n - 2 * (n / 4));
}

/* Its variance: that over exchanges within pairs. now: [n] without the shift */
static double exchange_variance(int way, const double *before, const double *now, size_t n, double *work)
{
	struct ft_random random = {n};
	double *const a = work + 2 * n, *const b = work + 3 * n;
	double sum = 0;

	for (int k = 0; k < EXCHANGES; k++) {
		for (size_t i = 0; i < n; i++) {
			const bool exchanged = ft_random_below(&random, 2);

			a[i] = exchanged ? now[i] : before[i];
			b[i] = exchanged ? before[i] : now[i];
		}
		sum += pow(estimate_shift(way, a, b, n, work), 2);
	}
	return sum / EXCHANGES * (double)n / ((double)n - 1.5);
}

double ft__pairs_shift(const double *before, const double *now, size_t n, double *work, double *variance)
{
	double *const left = work + 4 * n;
	double best = 0;

	*variance = INFINITY;
	for (int way = 0; way < WAYS; way++) {
		const double shift = estimate_shift(way, before, now, n, work);

		for (size_t i = 0; i < n; i++)
			left[i] = now[i] - shift;
		const double found = (double)n * exchange_variance(way, before, left, n, work);
		if (found < (way ? clearly : 1) * *variance) {
			*variance = found;
			best = shift;
		}
	}
	return best;
}

/*
 * A suite of benchmarks.
 *
 * Each is looked at when it has 16, 32, 64 ... pairs. The smallest p value of its looks, times their number, is one
 * that holds whenever the pairs end; so the pairs may go where they decide the most.
 */

enum { SCREENED = 5, FIRST_LOOK = 16, LOOKS = 6 };

/* Counts that differ by less are the same. */
static const double same = 1e-4;

/* A slowdown by `worth` is to be found. A benchmark with a smaller chance of half of that needs no further pair. */
static const double worth = 0.05, hopeless = 0.002, few = 0.02; /* what few pairs hide */

static bool is_look(size_t n)
{
	size_t look = FIRST_LOOK;

	for (int i = 0; i < LOOKS; i++, look *= 2)
		if (n == look)
			return true;
	return false;
}

static double freedom_of(const struct ft_paired *p)
{
	return (double)p->n - 1;
}

/* p value of a shift that is below `least`, by a look. */
static double p_value(const struct ft_paired *p, double shift, double least)
{
	if (p->exact)
		return shift > least ? 0 : 1;
	const double value = p->sd > 0       ? ft_student_above((shift - least) / p->sd, freedom_of(p))
			     : shift > least ? 0
					     : 1;
	/* There are only so many exchanges of n pairs. */
	return fmax(value, exp2(-(double)p->n));
}

/* Counts that two pairs agree on, or that old and new program have in common. */
static bool repeats(const struct ft_paired *p)
{
	const size_t i = p->n - 1;

	if (p->resource->disturbed)
		return false;
	return (!i && fabs(p->shift) < same) ||
	       (i && fabs(p->before[i] - p->before[i - 1]) < same && fabs(p->now[i] - p->now[i - 1]) < same);
}

enum ft_status ft_paired_add(struct ft_paired *p, double before, double now, double cost_s,
			     struct ft_err *err)
{
	if (!(before > 0 && now > 0 && isfinite(before) && isfinite(now)))
		return ft_fail(err, FT_EINVAL, "%g and %g are no pair of values above 0", before, now);
	size_t capacity = p->capacity;
	double *const a = ft_grow(p->before, p->n, &capacity, sizeof *a);
	p->before = a ? a : p->before;
	double *const b = a ? ft_grow(p->now, p->n, &p->capacity, sizeof *b) : NULL;
	if (!b)
		return ft_nomem(err);
	p->now = b;
	if (!p->n)
		p->over = p->under = 1;
	p->before[p->n] = log(before);
	p->now[p->n++] = log(now);
	p->cost_s = p->n > 1 ? (2 * p->cost_s + cost_s) / 3 : cost_s;
	if (p->n <= 20 || p->n % (p->n / 10) == 0 || is_look(p->n)) {
		double *work = ft_calloc(6 * p->n, sizeof *work), variance;

		if (!work)
			return ft_nomem(err);
		if (p->n > 1) {
			p->shift = ft__pairs_shift(p->before, p->now, p->n, work, &variance);
			p->sd = sqrt(variance / (double)p->n);
		} else {
			p->shift = p->now[0] - p->before[0];
			p->sd = INFINITY;
		}
		for (size_t i = 0; i < p->n; i++)
			work[i] = p->now[i];
		ft_sort(work, p->n);
		p->value = exp(ft_stats_median(work, p->n));
		ft_free(work);
	}
	p->exact = repeats(p);
	if (p->exact || is_look(p->n)) {
		const double least = log1p(ft__least_of(p->resource, before)), looks = p->exact ? 1 : LOOKS;

		p->over = fmin(p->over, looks * p_value(p, p->shift, least));
		p->under = fmin(p->under, looks * p_value(p, -p->shift, least));
	}
	return FT_OK;
}

bool ft_paired_new_first(const struct ft_paired *p)
{
	struct ft_random random = {p->n + 1};

	return ft_random_bits(&random) >> 63;
}

void ft_paired_clear(struct ft_paired *p)
{
	ft_free(p->before);
	ft_free(p->now);
	*p = (struct ft_paired){0};
}

/* The chance that it is slower by half of what is to be found, per second of a pair: pairs go first where that is
 * large, and so does each benchmark until its first look. */
static double gain(const struct ft_paired *p)
{
	const double cost_s = fmax(p->cost_s, 1e-3);

	if (p->failed || p->exact || p->verdict == FT_VERDICT_OVER)
		return 0;
	if (p->n < SCREENED)
		return 1e6 / (double)(1 + p->n) / cost_s;
	if (p->n >= (size_t)FIRST_LOOK << (LOOKS - 1))
		return 0;
	const double sd = hypot(p->sd, few / (double)p->n);
	const double chance = ft_student_above((worth / 2 - p->shift) / sd, freedom_of(p));

	return chance < hopeless ? 0 : chance / cost_s;
}

size_t ft_suite_next(const struct ft_paired *paired, size_t n)
{
	size_t best = SIZE_MAX;
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		const double gained = gain(&paired[i]);

		if (gained > most) {
			most = gained;
			best = i;
		}
	}
	return best;
}

/* The largest p value that may be a discovery: with k of them, k of m values are at most k / m of the risk. Fewer at each
 * step, until it is so. */
static double find_threshold(const struct ft_paired *paired, size_t n, bool over, double risk)
{
	size_t judged = 0, found, below;

	for (size_t i = 0; i < n; i++)
		judged += !paired[i].failed && paired[i].n;
	for (below = found = judged; found; found = below) {
		const double most = risk * (double)found / (double)judged;

		below = 0;
		for (size_t i = 0; i < n; i++)
			below += !paired[i].failed && paired[i].n &&
				 (over ? paired[i].over : paired[i].under) <= most;
		if (below == found)
			return most;
	}
	return -1;
}

void ft_suite_judge(struct ft_paired *paired, size_t n, double risk)
{
	const double over = find_threshold(paired, n, true, risk),
		     under = find_threshold(paired, n, false, risk);

	for (size_t i = 0; i < n; i++) {
		struct ft_paired *p = &paired[i];

		p->ratio = p->lower = p->upper = NAN;
		p->verdict = FT_VERDICT_INSIDE;
		if (p->failed || !p->n)
			continue;
		const double wide = p->exact   ? 0
				    : p->n > 1 ? p->sd * ft_student_t(1 - risk, freedom_of(p))
					       : INFINITY;
		p->ratio = exp(p->shift);
		p->lower = exp(p->shift - wide);
		p->upper = exp(p->shift + wide);
		p->verdict = p->over <= over     ? FT_VERDICT_OVER
			     : p->under <= under ? FT_VERDICT_UNDER
						 : FT_VERDICT_INSIDE;
	}
}

/* ---- earlier verdicts --------------------------------------------------------------------------------- */

double ft_history_change(const double *x, size_t n, size_t *at)
{
	static const double certain = 4;
	double noise = 0, best = certain, change = 0;

	*at = 0;
	if (n < 6)
		return 0;
	for (size_t i = 1; i < n; i++)
		noise += pow(x[i] - x[i - 1], 2) / (2 * (double)(n - 1));
	/* The ratios themselves are accurate to some tenths of a percent. */
	noise = fmax(noise, 1e-6);
	for (size_t k = 3; k + 3 <= n; k++) {
		const double by = ft_stats_mean(x + k, n - k) - ft_stats_mean(x, k);
		const double error = sqrt(noise * (1 / (double)k + 1 / (double)(n - k)));

		if (fabs(by) > best * error && fabs(by) > log1p(ft__least_shift)) {
			best = fabs(by) / error;
			change = by;
			*at = k;
		}
	}
	return change;
}
