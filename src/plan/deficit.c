/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deficit.c - A_i(T), the shares of processor i that take T at most, grow with T; u_i is the largest of each.
 * A plan is a choice of deficits u_i - x_i that sum to the slack, sum u_i - total. Only deficits up to the
 * slack matter, and near the best T it is small. */
#include "plan/deficit.h"
#include "plan/rise.h"
#include "plan/sets.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Intervals that are kept at once: 16 MB of them. Beyond, a plan is not proved. */
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

/* Back from the slack to what each is below its cap. Returns the time of the plan. */
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

enum ft_status ft__deficit(const struct ft__share *s, size_t m, int64_t total, double bound, uint64_t effort,
			   int64_t *y, struct ft_plan *out, int64_t *nearest, struct ft_err *err)
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
