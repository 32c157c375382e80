/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - a total divided over processors: bound, shares, and what binds them. */
#include "plan/plan.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/*
 * A_i(T), the shares of processor i that take T at most, grow with T; u_i is the largest of each.
 * A plan is a choice of deficits u_i - x_i that sum to the slack, sum u_i - total. Only deficits up to the
 * slack matter, and near the best T it is small.
 */

/* The most intervals that are kept at once: 16 MB of them. Above, a plan is not proved. */
enum { KEPT = 1000000 };

struct deficit_search {
	const struct ft__share *s;
	size_t m, p; /* groups, processors */
	int64_t total, slack, nearest;
	struct ft__cap *u;           /* [m] */
	struct ft__intervals choice; /* deficits of each group */
	size_t *from;                /* [m + 1] in choice */
	struct ft__intervals sum;    /* deficits that the first processors can reach together */
	size_t *upto;                /* [p + 2] in sum */
	struct ft__sets work;
	uint64_t effort, looks;
};

enum answer { NO, YES, TOO_MUCH, NO_MEMORY };

static int64_t find_caps(struct deficit_search *k, double t)
{
	int64_t sum = 0;

	for (size_t i = 0; i < k->m; i++) {
		k->u[i] = ft__share_cap(&k->s[i], t, (struct ft__cap){k->s[i].lo, 0},
					(struct ft__cap){k->s[i].hi, k->s[i].last});
		sum = ft__units_add(sum, k->u[i].y, k->s[i].count);
	}
	k->looks += k->m;
	return sum;
}

static bool find_choices(struct deficit_search *k, double t)
{
	k->choice.n = 0;
	for (size_t i = 0; i < k->m; i++) {
		k->from[i] = k->choice.n;
		if (!ft__share_deficits(&k->s[i], t, k->u[i].y, k->slack, &k->choice, &k->looks))
			return false;
	}
	k->from[k->m] = k->choice.n;
	return true;
}

/* The sums of one more processor's deficits. */
static enum answer add_processor(struct deficit_search *k, size_t group, size_t processor)
{
	size_t start = k->upto[processor];

	if (!ft__sets_add(&k->work, k->sum.of + start, k->upto[processor + 1] - start,
			  k->choice.of + k->from[group], k->from[group + 1] - k->from[group], k->slack,
			  &k->sum))
		return NO_MEMORY;
	k->upto[processor + 2] = k->sum.n;
	return k->sum.n > KEPT || k->looks + k->work.looks > k->effort ? TOO_MUCH : YES;
}

/* Can shares that take t at most sum to the total? */
static enum answer reaches_total(struct deficit_search *k, double t)
{
	enum answer answer = YES;
	size_t processor = 0;

	k->slack = find_caps(k, t) - k->total;
	if (k->slack < 0)
		return NO;
	k->sum.n = 0;
	if (!find_choices(k, t) || !ft__interval_push(&k->sum, 0, 0))
		return NO_MEMORY;
	k->upto[0] = 0;
	k->upto[1] = 1;
	for (size_t i = 0; i < k->m && answer == YES; i++)
		for (size_t j = 0; j < k->s[i].count && answer == YES; j++)
			answer = add_processor(k, i, processor++);
	if (answer != YES)
		return answer;
	if (k->upto[k->p + 1] == k->upto[k->p])
		return NO;
	k->nearest = k->total + k->slack - k->sum.of[k->sum.n - 1].to;
	return k->nearest == k->total ? YES : NO;
}

/* A deficit of this choice that leaves one which those before can reach. */
static int64_t choose_deficit(const struct deficit_search *k, size_t group, size_t processor, int64_t rest)
{
	for (size_t i = k->from[group]; i < k->from[group + 1]; i++)
		for (size_t j = k->upto[processor]; j < k->upto[processor + 1]; j++) {
			struct ft__interval d = k->choice.of[i], q = k->sum.of[j];
			int64_t least = d.from > rest - q.to ? d.from : rest - q.to;
			int64_t most = d.to < rest - q.from ? d.to : rest - q.from;

			if (least <= most)
				return least;
		}
	assert(false); /* a sum that was reached has a way */
	return 0;
}

/* Back from the slack to each one's deficit. Returns the time of the plan. */
static double extract_shares(const struct deficit_search *k, int64_t *y)
{
	int64_t rest = k->slack;
	size_t i = k->m, processor = k->p;
	double t = 0;

	while (i-- > 0)
		for (size_t j = k->s[i].count; j-- > 0;) {
			int64_t d = choose_deficit(k, i, --processor, rest);

			rest -= d;
			y[processor] = k->u[i].y - d;
			t = fmax(t, ft__share_time(&k->s[i], y[processor]));
		}
	return t;
}

static double next_time(const struct deficit_search *k, double t)
{
	double next = INFINITY;

	for (size_t i = 0; i < k->m; i++)
		next = fmin(next, ft__share_next(&k->s[i], t));
	return next;
}

/* From a time that will not do to one that does: steps that grow. */
static enum answer gallop_up(struct deficit_search *k, double *lo, double *up, int64_t *y)
{
	double wide = 1e-4;

	for (;; wide *= 4) {
		double t = fmax(*lo * (1 + wide), next_time(k, *lo));
		if (!(t < DBL_MAX)) {
			t = DBL_MAX; /* all that is allowed at all */
			wide = INFINITY;
		}
		enum answer answer = reaches_total(k, t);
		if (answer == YES)
			*up = extract_shares(k, y);
		if (answer != NO || isinf(wide))
			return answer;
		*lo = t;
	}
}

/* Between lo, which will not do, and up, which does: halves, and when they are close, one time after the
 * other. */
static enum answer halve_between(struct deficit_search *k, double *lo, double *up, int64_t *y)
{
	for (;;) {
		double middle = *lo + (*up - *lo) / 2, next;

		if (*up - *lo < 1e-7 * *up || !(middle > *lo && middle < *up)) {
			next = next_time(k, *lo);
			if (next >= *up)
				return YES;
			middle = middle > next && middle < *up ? middle : next;
		}
		enum answer answer = reaches_total(k, middle);
		if (answer == YES)
			*up = extract_shares(k, y);
		else if (answer == NO)
			*lo = middle;
		else
			return answer;
	}
}

static enum answer solve_below(struct deficit_search *k, double bound, int64_t *y, struct ft_plan *out)
{
	enum answer answer = reaches_total(k, bound);
	double lo = bound, up = INFINITY;

	if (answer == YES) {
		out->value = extract_shares(k, y);
		out->exact = true;
		return YES;
	}
	if (answer != NO)
		return answer;
	answer = gallop_up(k, &lo, &up, y);
	if (answer == NO) {
		out->exact = true;
		out->bound = INFINITY;
		return NO;
	}
	if (answer == YES)
		answer = halve_between(k, &lo, &up, y);
	out->value = up;
	out->exact = answer == YES;
	out->bound = out->exact ? up : fmin(next_time(k, lo), up);
	return answer;
}

/* ft__deficit - the least T such that shares with times <= T sum to the total, from a bound of it on.
 *
 * s       [m]
 * bound   no T below it will do; caps at it reach the total
 * effort  intervals to look at
 * y       [processors] out: shares in steps; as they are where out->value is INFINITY
 *
 * out     value INFINITY: none (exact), or none found within the effort (not exact)
 * nearest out: where there is none, a sum above the total that can be reached; 0: none
 */
static enum ft_status ft__deficit(const struct ft__share *s, size_t m, int64_t total, double bound,
				  uint64_t effort, int64_t *y, struct ft_plan *out, int64_t *nearest,
				  struct ft_err *err)
{
	struct deficit_search k = {.s = s, .m = m, .total = total, .effort = effort};
	enum answer answer = NO_MEMORY;
	FT_ARENA(arena);

	*out = (struct ft_plan){.value = INFINITY, .bound = bound};
	for (size_t i = 0; i < m; i++)
		k.p += s[i].count;
	k.u = ft_arena_take(&arena, m, sizeof *k.u);
	k.from = ft_arena_take(&arena, m + 1, sizeof *k.from);
	k.upto = ft_arena_take(&arena, k.p + 2, sizeof *k.upto);
	if (!arena.failed)
		answer = solve_below(&k, bound, y, out);
	*nearest = answer == NO ? k.nearest : 0;
	out->evaluations = k.looks + k.work.looks;
	ft_free(k.choice.of);
	ft_free(k.sum.of);
	ft__sets_clear(&k.work);
	return answer == NO_MEMORY ? ft_nomem(err) : FT_OK;
}

/*
 * A total divided over processors: bound, shares, and what binds them.
 */

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
	int64_t *y;             /* [p] in steps */
	struct ft__rise rise;   /* of the last solve */
	struct ft_arena *arena; /* of s and y */
	struct ft_arena *solve; /* of what the last solve made */
};

static size_t count_of(const struct ft_plan_times *times)
{
	return times->count > 0 ? times->count : 1;
}

/* Shares of all groups; the first processor of group `taker` takes the rest too (none: taker = groups). */
static enum ft_status make_shares(struct partition_job *k, size_t taker, struct ft_err *err)
{
	ft_arena_clear(k->solve);
	k->m = 0;
	k->rise = (struct ft__rise){0};
	for (size_t i = 0; i < k->groups; i++) {
		struct ft__share *s = &k->s[k->m];

		if (i == taker) {
			FT_TRY(ft__share_init(s, k->solve, &k->times[i], k->step, k->rest, k->total, err));
			s->count = 1;
			k->m++;
			if (count_of(&k->times[i]) == 1)
				continue;
			s++;
		}
		FT_TRY(ft__share_init(s, k->solve, &k->times[i], k->step, 0, k->total, err));
		s->count -= i == taker;
		k->m++;
	}
	return FT_OK;
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
	*out = (struct ft_partition){.plan = {.value = INFINITY, .bound = INFINITY, .exact = true}};
	FT_TRY(make_shares(k, taker, err));
	FT_TRY(ft__rise(&k->rise, k->solve, k->s, k->m, k->steps, err));
	/* The lower bound of plans: the threshold, and the least time of each in any case. */
	double least = isnan(k->rise.t) ? (double)INFINITY : k->rise.t;

	for (size_t i = 0; i < k->m; i++)
		least = fmax(least, ft__share_least(&k->s[i]));
	uint64_t evaluations = k->rise.evaluations;
	if (isnan(k->rise.t)) {
		int64_t end = k->rise.least > k->steps ? k->rise.least : k->rise.most;

		out->missing = (k->steps - end) * k->step;
	} else if (isfinite(least) && any_falls(k)) {
		FT_TRY(ft__deficit(k->s, k->m, k->steps, least, k->effort, k->y, &out->plan, &out->nearest,
				   err));
		if (out->nearest > 0)
			out->nearest = out->nearest * k->step + (taker < k->groups ? k->rest : 0);
		if (isfinite(out->plan.value))
			(void)latest_processor(k, &out->latest);
	} else if (isfinite(least)) {
		/* Shares from below the threshold up to the allowed ones, equal in each group. */
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
		out->plan.value = out->plan.bound = latest_processor(k, &out->latest);
		evaluations += k->p;
	}
	out->plan.evaluations += evaluations;
	return FT_OK;
}

/* ---- the remainder of the granularity ------------------------------------------------------------------ */

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

/* The bound over all takers, and the taker that reaches it. */
static enum ft_status find_taker(struct partition_job *k, double *t, size_t *taker, int64_t *most,
				 struct ft_err *err)
{
	FT_ARENA(work);
	struct ft__share *with = ft_arena_take(&work, k->groups, sizeof *with);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < k->groups; i++)
		FT_TRY(ft__share_init(&with[i], &work, &k->times[i], k->step, k->rest, k->total, err));
	FT_TRY(make_shares(k, k->groups, err));
	FT_TRY(ft__rise(&k->rise, k->solve, k->s, k->m, k->steps, err));
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

/* The taker that meets the bound; if times fall and it does not, the rest are tried, too. */
static enum ft_status solve_with_rest(struct partition_job *k, struct ft_partition *out, struct ft_err *err)
{
	double least = NAN;
	size_t first = 0;
	int64_t most = 0;

	FT_TRY(find_taker(k, &least, &first, &most, err));
	if (isnan(least)) {
		FT_TRY(solve_shares(k, first, out, err)); /* what binds */
		if (most >= 0 && out->missing > 0)
			out->missing = (k->steps - most) * k->step;
		return FT_OK;
	}
	int64_t *best = ft_arena_take(k->arena, k->p, sizeof *best);
	FT_TRY(ft_arena_check(k->arena, err));
	size_t taker = first;
	FT_TRY(try_takers(k, first, least, best, &taker, out, err));
	return make_shares(k, taker, err);
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

enum ft_status ft_plan_partition(const struct ft_plan_times *times, size_t groups, int64_t total,
				 const struct ft_partition_options *options, int64_t *units,
				 enum ft_plan_binds *binds, struct ft_partition *out, struct ft_err *err)
{
	FT_ARENA(arena);
	FT_ARENA(solve);
	struct partition_job k = {.times = times,
				  .groups = groups,
				  .total = total,
				  .effort = usual_effort,
				  .step = 1,
				  .arena = &arena,
				  .solve = &solve};

	*out = (struct ft_partition){.plan = {.value = INFINITY}};
	if (options && options->granularity)
		k.step = options->granularity;
	if (options && options->effort)
		k.effort = options->effort;
	int64_t step = k.step;

	if (groups == 0)
		return ft_fail(err, FT_EINVAL, "no processors");
	if (total < 0 || total > FT_PLAN_UNITS)
		return ft_fail(err, FT_EINVAL, "cannot divide %lld units: 0 to 2^53", (long long)total);
	if (step < 1 || step > FT_PLAN_UNITS)
		return ft_fail(err, FT_EINVAL, "a granularity of %lld", (long long)step);
	for (size_t l = 0; l < groups; l++)
		FT_TRY(ft__share_check(&times[l], l, err));
	for (size_t i = 0; i < groups; i++)
		k.p += count_of(&times[i]);
	k.steps = total / k.step;
	k.rest = total % k.step;
	k.s = ft_arena_take(&arena, groups + 1, sizeof *k.s);
	k.y = ft_arena_take(&arena, k.p, sizeof *k.y);
	FT_TRY(ft_arena_check(&arena, err));
	if (k.rest > 0)
		FT_TRY(solve_with_rest(&k, out, err));
	else
		FT_TRY(solve_shares(&k, groups, out, err));
	bool found = isfinite(out->plan.value);
	size_t q = 0;

	for (size_t i = 0; i < k.m; i++)
		for (size_t j = 0; j < k.s[i].count; j++, q++) {
			const struct ft__share *s = &k.s[i];

			units[q] = found ? s->step * k.y[q] + s->offset : 0;
			if (!binds)
				continue;
			if (found)
				binds[q] = why_bound(&k, s, k.y[q], out->plan.value);
			else
				binds[q] = out->missing < 0 && s->lo > 0 ? FT_BINDS_LEAST
					   : out->missing >= 0           ? FT_BINDS_CAP
									 : FT_BINDS_NOT;
		}
	return FT_OK;
}
