/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - a total divided over processors: bound, shares, and what binds them. */
#include "base/alloc.h"
#include "plan/deficit.h"
#include "plan/rise.h"

#include <math.h>
#include <string.h>

static const uint64_t usual_effort = 20000000;

double ft_plan_gap(const struct ft_plan *plan)
{
	if (plan->exact || plan->value == plan->bound)
		return 0;
	return plan->bound > 0 ? plan->value / plan->bound - 1 : (double)INFINITY;
}

/* Groups made ready: one of their processors may take the rest that the granularity leaves. */
struct partition_job {
	const struct ft_plan_times *times;
	size_t groups, p;
	int64_t total, step, steps, rest;
	uint64_t effort;
	struct ft__share *s; /* [m] */
	size_t m;
	int64_t *y;           /* [p] in steps */
	struct ft__rise rise; /* of the last solve */
};

static size_t count_of(const struct ft_plan_times *times)
{
	return times->count > 0 ? times->count : 1;
}

static void clear_shares(struct partition_job *k)
{
	for (size_t i = 0; i < k->m; i++)
		ft__share_clear(&k->s[i]);
	k->m = 0;
	ft__rise_clear(&k->rise);
}

/* Shares of all groups; the first processor of group `taker` takes the rest too (none: taker = groups). */
static enum ft_status make_shares(struct partition_job *k, size_t taker, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	clear_shares(k);
	for (size_t i = 0; i < k->groups && !status; i++) {
		if (i == taker) {
			status = ft__share_init(&k->s[k->m++], &k->times[i], k->step, k->rest, k->total, err);
			k->s[k->m - 1].count = 1;
			if (status || count_of(&k->times[i]) == 1)
				continue;
		}
		status = ft__share_init(&k->s[k->m++], &k->times[i], k->step, 0, k->total, err);
		k->s[k->m - 1].count -= i == taker;
	}
	return status;
}

/* Shares from below the threshold up to what it allows, alike in each group. */
static void fill_shares(const struct partition_job *k)
{
	int64_t missing = k->steps - k->rise.sum, *y = k->y;

	for (size_t i = 0; i < k->m; i++) {
		const struct ft__share *s = &k->s[i];
		int64_t from = k->rise.a[i].y, room = 0, take, count = (int64_t)s->count;

		if (missing > 0)
			room = ft__share_cap(s, k->rise.t, k->rise.a[i], k->rise.b[i]).y - from;
		take = room < missing / count + 1 ? room * count : missing;
		take = take < missing ? take : missing;
		for (size_t j = 0; j < s->count; j++)
			*y++ = from + take / count + ((int64_t)j < take % count);
		missing -= take;
	}
}

static double latest_processor(const struct partition_job *k, size_t *which)
{
	double t = -1;
	size_t q = 0;

	for (size_t i = 0; i < k->m; i++)
		for (size_t j = 0; j < k->s[i].count; j++, q++) {
			double own = ft__share_time(&k->s[i], k->y[q]);

			if (own > t) {
				t = own;
				*which = q;
			}
		}
	return t;
}

/* What no plan is below: the threshold, and the least that each takes in any case. */
static double lower_bound(const struct partition_job *k)
{
	double t = isnan(k->rise.t) ? (double)INFINITY : k->rise.t;

	for (size_t i = 0; i < k->m; i++)
		t = fmax(t, ft__share_least(&k->s[i]));
	return t;
}

static bool any_falls(const struct partition_job *k)
{
	for (size_t i = 0; i < k->m; i++)
		if (k->s[i].hull)
			return true;
	return false;
}

static enum ft_status solve_shares(struct partition_job *k, size_t taker, struct ft_partition *out,
				   struct ft_err *err)
{
	enum ft_status status = make_shares(k, taker, err);
	uint64_t evaluations;

	*out = (struct ft_partition){.plan = {.value = INFINITY, .bound = INFINITY, .exact = true}};
	if (!status)
		status = ft__rise(&k->rise, k->s, k->m, k->steps, err);
	if (status)
		return status;
	double least = lower_bound(k);
	evaluations = k->rise.evaluations;
	if (isnan(k->rise.t)) {
		int64_t end = k->rise.least > k->steps ? k->rise.least : k->rise.most;

		out->missing = (k->steps - end) * k->step;
	} else if (isfinite(least) && any_falls(k)) {
		status = ft__deficit(k->s, k->m, k->steps, least, k->effort, k->y, &out->plan, &out->nearest,
				     err);
		if (out->nearest > 0)
			out->nearest = out->nearest * k->step + (taker < k->groups ? k->rest : 0);
		if (isfinite(out->plan.value))
			(void)latest_processor(k, &out->latest);
	} else if (isfinite(least)) {
		fill_shares(k);
		out->plan.value = out->plan.bound = latest_processor(k, &out->latest);
		evaluations += k->p;
	}
	out->plan.evaluations += evaluations;
	return status;
}

/* ---- what the granularity leaves over ------------------------------------------------------------------ */

/* Most steps by t, when the group that makes it most takes the rest. */
static int64_t sum_with_rest(struct partition_job *k, struct ft__rise *rise, const struct ft__share *with,
			     double t, size_t *taker)
{
	int64_t sum = 0, best = INT64_MIN;

	rise->evaluations += k->groups;
	for (size_t i = 0; i < k->groups; i++) {
		struct ft__cap c = ft__share_cap(&k->s[i], t, rise->a[i], rise->b[i]);
		sum = ft__units_add(sum, c.y, k->s[i].count);
		if (with[i].lo > with[i].hi || ft__share_least(&with[i]) > t)
			continue;
		int64_t own = ft__share_cap(&with[i], t, (struct ft__cap){with[i].lo, 0},
					    (struct ft__cap){with[i].hi, with[i].last})
				      .y -
			      c.y;
		if (own > best) {
			best = own;
			*taker = i;
		}
	}
	return best == INT64_MIN ? -1 : sum + best;
}

/* The least double by which the total can be reached at all, some group taking the rest; NaN: never. */
static double rest_bound(struct partition_job *k, const struct ft__share *with, size_t *taker)
{
	union {
		double t;
		uint64_t bits; /* in the order of the doubles, for those >= 0 */
	} a = {.t = 0}, b = {.t = 1e300}, c;

	if (sum_with_rest(k, &k->rise, with, b.t, taker) < k->steps)
		return NAN;
	if (sum_with_rest(k, &k->rise, with, a.t, taker) >= k->steps)
		return 0;
	while (b.bits - a.bits > 1) {
		c.bits = a.bits + (b.bits - a.bits) / 2;
		if (sum_with_rest(k, &k->rise, with, c.t, taker) >= k->steps)
			b = c;
		else
			a = c;
	}
	(void)sum_with_rest(k, &k->rise, with, b.t, taker);
	return b.t;
}

static enum ft_status make_with(const struct partition_job *k, struct ft__share *with, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < k->groups && !status; i++)
		status = ft__share_init(&with[i], &k->times[i], k->step, k->rest, k->total, err);
	return status;
}

/* The bound over all takers, and the taker that reaches it; with [groups] zeroed. */
static enum ft_status bound_with(struct partition_job *k, struct ft__share *with, double *t, size_t *taker,
				 int64_t *most, struct ft_err *err)
{
	FT_TRY(make_with(k, with, err));
	FT_TRY(make_shares(k, k->groups, err));
	FT_TRY(ft__rise(&k->rise, k->s, k->m, k->steps, err));
	for (size_t i = 0; i < k->groups; i++) {
		k->rise.a[i] = (struct ft__cap){k->s[i].lo, 0};
		k->rise.b[i] = (struct ft__cap){k->s[i].hi, k->s[i].last};
	}
	*t = rest_bound(k, with, taker);
	*most = sum_with_rest(k, &k->rise, with, 1e300, taker);
	if (!isnan(*t))
		(void)sum_with_rest(k, &k->rise, with, *t, taker);
	return FT_OK;
}

static enum ft_status find_taker(struct partition_job *k, double *t, size_t *taker, int64_t *most,
				 struct ft_err *err)
{
	struct ft__share *with = ft_calloc(k->groups, sizeof *with);

	if (!with)
		return ft_nomem(err);
	enum ft_status status = bound_with(k, with, t, taker, most, err);
	for (size_t i = 0; i < k->groups; i++)
		ft__share_clear(&with[i]);
	ft_free(with);
	return status;
}

/* One taker after the other, from `first` on, while effort lasts and the bound is not met. Leaves the best
 * shares in k->y; proved: no plan of any taker is below. */
static enum ft_status try_takers(struct partition_job *k, size_t first, double least, int64_t *best,
				 size_t *taker, struct ft_partition *out, struct ft_err *err)
{
	uint64_t evaluations = k->rise.evaluations;
	double proved = INFINITY;
	struct ft_partition one;

	*out = (struct ft_partition){.plan = {.value = INFINITY, .bound = least}};
	for (size_t i = 0; i < k->groups && !(out->plan.value <= least); i++) {
		size_t j = (first + i) % k->groups;

		if (evaluations > k->effort) {
			proved = least;
			break;
		}
		FT_TRY(solve_shares(k, j, &one, err));
		evaluations += one.plan.evaluations;
		proved = fmin(proved, one.plan.bound);
		if (!(one.plan.value < out->plan.value))
			continue;
		*out = one;
		*taker = j;
		memcpy(best, k->y, k->p * sizeof *best);
	}
	memcpy(k->y, best, k->p * sizeof *best);
	out->plan.bound = out->plan.value <= least ? out->plan.value : fmax(least, proved);
	out->plan.exact = out->plan.value <= out->plan.bound;
	out->plan.evaluations = evaluations;
	return FT_OK;
}

/* The taker that meets the bound; where its times fall and it does not, the others too. */
static enum ft_status solve_with_rest(struct partition_job *k, struct ft_partition *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	double least = NAN;
	size_t first = 0;
	int64_t most = 0;

	FT_TRY(find_taker(k, &least, &first, &most, err));
	if (isnan(least)) {
		status = solve_shares(k, first, out, err); /* what binds */
		if (!status && most >= 0 && out->missing > 0)
			out->missing = (k->steps - most) * k->step;
		return status;
	}
	int64_t *best = ft_calloc(k->p, sizeof *best);
	if (!best)
		return ft_nomem(err);
	size_t taker = first;
	status = try_takers(k, first, least, best, &taker, out, err);
	ft_free(best);
	return status ? status : make_shares(k, taker, err);
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static enum ft_plan_binds why_bound(const struct partition_job *k, const struct ft__share *s, int64_t y,
				    double t)
{
	struct ft__cap at = {s->lo, 0}, end = {s->hi, s->last};

	if (s->step * y + s->offset == k->total)
		return FT_BINDS_NOT;
	if (y >= s->hi)
		return FT_BINDS_CAP;
	if (ft__share_cap(s, t, at, end).y > y)
		return FT_BINDS_NOT;
	return y == s->lo && y > 0 ? FT_BINDS_LEAST : FT_BINDS_TIME;
}

static void tell_units(const struct partition_job *k, const struct ft_partition *out, int64_t *units,
		       enum ft_plan_binds *binds)
{
	bool found = isfinite(out->plan.value);
	size_t q = 0;

	for (size_t i = 0; i < k->m; i++)
		for (size_t j = 0; j < k->s[i].count; j++, q++) {
			const struct ft__share *s = &k->s[i];

			units[q] = found ? s->step * k->y[q] + s->offset : 0;
			if (!binds)
				continue;
			if (found)
				binds[q] = why_bound(k, s, k->y[q], out->plan.value);
			else
				binds[q] = out->missing < 0 && s->lo > 0 ? FT_BINDS_LEAST
					   : out->missing >= 0           ? FT_BINDS_CAP
									 : FT_BINDS_NOT;
		}
}

static enum ft_status check_times(const struct ft_plan_times *times, size_t groups, int64_t total,
				  int64_t step, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (groups == 0)
		return ft_fail(err, FT_EINVAL, "no processors");
	if (total < 0 || total > FT_PLAN_UNITS)
		return ft_fail(err, FT_EINVAL, "cannot divide %lld units: 0 to 2^53", (long long)total);
	if (step < 1 || step > FT_PLAN_UNITS)
		return ft_fail(err, FT_EINVAL, "a granularity of %lld", (long long)step);
	for (size_t i = 0; i < groups && !status; i++)
		status = ft__share_check(&times[i], i, err);
	return status;
}

enum ft_status ft_plan_partition(const struct ft_plan_times *times, size_t groups, int64_t total,
				 const struct ft_partition_options *options, int64_t *units,
				 enum ft_plan_binds *binds, struct ft_partition *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct partition_job k = {
		.times = times, .groups = groups, .total = total, .effort = usual_effort, .step = 1};

	*out = (struct ft_partition){.plan = {.value = INFINITY}};
	if (options && options->granularity)
		k.step = options->granularity;
	if (options && options->effort)
		k.effort = options->effort;
	FT_TRY(check_times(times, groups, total, k.step, err));
	for (size_t i = 0; i < groups; i++)
		k.p += count_of(&times[i]);
	k.steps = total / k.step;
	k.rest = total % k.step;
	k.s = ft_calloc(groups + 1, sizeof *k.s);
	k.y = ft_calloc(k.p, sizeof *k.y);
	if (!k.s || !k.y)
		status = ft_nomem(err);
	else if (k.rest > 0)
		status = solve_with_rest(&k, out, err);
	else
		status = solve_shares(&k, groups, out, err);
	if (!status)
		tell_units(&k, out, units, binds);
	if (k.s)
		clear_shares(&k);
	ft_free(k.s);
	ft_free(k.y);
	return status;
}
