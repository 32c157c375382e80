/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.c - times of a processor at whole shares, and their inverse. */
#include "base/alloc.h"
#include "num/num.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t knot_at(const int64_t *at, size_t k)
{
	return at ? at[k] : (int64_t)k;
}

/* The last knot at or before x; knot 0 where x is before all. */
static size_t knot_before(const int64_t *at, size_t n, int64_t x)
{
	size_t a = 0, b = n - 1;

	if (!at)
		return x < 0 ? 0 : (size_t)x < n ? (size_t)x : n - 1;
	while (a < b) {
		size_t c = (a + b + 1) / 2;

		if (at[c] <= x)
			a = c;
		else
			b = c - 1;
	}
	return a;
}

/* Between knots k and k + 1. x - knot is exact and the rest correctly rounded: what rises in exact arithmetic
 * does not fall here; the clamp keeps it so at the next knot. */
static double time_between(const int64_t *at, const double *t, size_t n, size_t k, int64_t x)
{
	if (x < knot_at(at, k))
		return x == 0 && knot_at(at, 0) == 1 ? 0 : (double)INFINITY;
	if (x == knot_at(at, k))
		return t[k];
	if (k + 1 == n || isinf(t[k]) || isinf(t[k + 1]))
		return INFINITY;
	double far = t[k + 1];
	double v = t[k] + (double)(x - knot_at(at, k)) *
				  ((far - t[k]) / (double)(knot_at(at, k + 1) - knot_at(at, k)));
	return (far >= t[k]) == (v > far) ? far : v;
}

double ft_plan_time(const struct ft_plan_times *times, int64_t units)
{
	if (units < 0)
		return INFINITY;
	if (times->function)
		return times->function(times->context, units);
	return time_between(times->at, times->time_s, times->n, knot_before(times->at, times->n, units),
			    units);
}

static int64_t units_of(const struct ft__share *s, int64_t y)
{
	return s->step * y + s->offset;
}

/* The largest number of steps whose units are not above x, and the smallest not below it. */
static int64_t steps_below(const struct ft__share *s, int64_t x)
{
	return x < s->offset ? -1 : s->step == 1 ? x - s->offset : (x - s->offset) / s->step;
}

static int64_t steps_above(const struct ft__share *s, int64_t x)
{
	return x <= s->offset ? 0 : s->step == 1 ? x - s->offset : (x - s->offset - 1) / s->step + 1;
}

static double time_at(const struct ft__share *s, size_t k, int64_t y)
{
	if (s->times->function)
		return s->times->function(s->times->context, units_of(s, y));
	return time_between(s->at, s->t, s->n, k, units_of(s, y));
}

double ft__share_time(const struct ft__share *s, int64_t y)
{
	return time_at(s, s->n ? knot_before(s->at, s->n, units_of(s, y)) : 0, y);
}

/* ---- checks, and making ready -------------------------------------------------------------------------- */

static enum ft_status check_knots(const struct ft_plan_times *times, size_t processor, struct ft_err *err)
{
	for (size_t k = 0; k < times->n; k++) {
		int64_t x = knot_at(times->at, k);

		if (!(times->time_s[k] >= 0))
			return ft_fail(err, FT_EINVAL, "processor %zu: the time of %lld units is %g",
				       processor, (long long)x, times->time_s[k]);
		if (x < 0 || x > FT_PLAN_UNITS || (k > 0 && x <= knot_at(times->at, k - 1)))
			return ft_fail(err, FT_EINVAL,
				       "processor %zu: knot %zu, of %lld units, is out of order or of bounds",
				       processor, k, (long long)x);
	}
	if (knot_at(times->at, 0) > (times->least > 1 ? times->least : 1))
		return ft_fail(err, FT_EINVAL, "processor %zu: its times begin at %lld units", processor,
			       (long long)times->at[0]);
	if (times->least > knot_at(times->at, times->n - 1))
		return ft_fail(err, FT_EINVAL, "processor %zu: its least share, %lld, is beyond its times",
			       processor, (long long)times->least);
	return FT_OK;
}

enum ft_status ft__share_check(const struct ft_plan_times *times, size_t processor, struct ft_err *err)
{
	if (times->least < 0 || times->most < 0 || times->least > FT_PLAN_UNITS ||
	    times->most > FT_PLAN_UNITS || (times->most > 0 && times->least > times->most))
		return ft_fail(err, FT_EINVAL, "processor %zu: shares from %lld to %lld units", processor,
			       (long long)times->least, (long long)times->most);
	if (times->function ? times->n > 0 : times->n == 0)
		return ft_fail(err, FT_EINVAL, "processor %zu: %s", processor,
			       times->n ? "both knots and a function" : "no times");
	return times->n ? check_knots(times, processor, err) : FT_OK;
}

/* The last share that a function gives a finite time. */
static void cut_function(struct ft__share *s)
{
	int64_t a = s->lo - 1, b = s->hi;

	if (s->lo > s->hi || ft__share_time(s, b) < INFINITY)
		return;
	while (b - a > 1) {
		int64_t c = a + (b - a) / 2;

		if (ft__share_time(s, c) < INFINITY)
			a = c;
		else
			b = c;
	}
	s->hi = a;
}

/* Shares from knot k on, before the next: none where first > last. */
static void find_segment(const struct ft__share *s, size_t k, int64_t *first, int64_t *last)
{
	int64_t x = knot_at(s->at, k);
	bool open = k + 1 < s->n && !isinf(s->t[k]) && !isinf(s->t[k + 1]);

	*first = steps_above(s, x);
	*last = steps_below(s, open ? knot_at(s->at, k + 1) - 1 : x);
	if (isinf(s->t[k]))
		*last = *first - 1;
	*first = *first < s->lo ? s->lo : *first;
	*last = *last > s->hi ? s->hi : *last;
}

/* The share of no units, where knots begin at 1. */
static bool may_idle(const struct ft__share *s)
{
	return s->lo == 0 && s->offset == 0 && s->hi >= 0 && s->n > 0 && knot_at(s->at, 0) == 1;
}

/* A table, each entry a share: no other is between. Tables have up to millions of entries, so they go a
 * shorter way. */
static bool is_plain(const struct ft__share *s)
{
	return s->n > 0 && !s->at && s->step == 1 && s->offset == 0;
}

static bool make_hull(struct ft__share *s, struct ft_arena *arena)
{
	double least = INFINITY;
	int64_t first, last;

	s->hull = ft_arena_take(arena, s->n, sizeof *s->hull);
	if (!s->hull)
		return false;
	for (size_t k = s->n; k-- > 0;) {
		if (is_plain(s)) {
			if (s->lo <= (int64_t)k && (int64_t)k <= s->hi && s->t[k] < least)
				least = s->t[k];
			s->hull[k] = least;
			continue;
		}
		find_segment(s, k, &first, &last);
		if (first <= last)
			least = fmin(least, fmin(time_at(s, k, first), time_at(s, k, last)));
		s->hull[k] = least;
	}
	return true;
}

static bool time_falls(const struct ft__share *s)
{
	for (size_t k = 0; k + 1 < s->n; k++)
		if (s->t[k + 1] < s->t[k])
			return true;
	return false;
}

enum ft_status ft__share_init(struct ft__share *out, struct ft_arena *arena,
			      const struct ft_plan_times *times, int64_t step, int64_t offset, int64_t total,
			      struct ft_err *err)
{
	int64_t least = times->least, most = times->most > 0 ? times->most : FT_PLAN_UNITS;
	int64_t first = times->n ? knot_at(times->at, 0) : 0;

	*out = (struct ft__share){.times = times,
				  .n = times->n,
				  .count = times->count > 0 ? times->count : 1,
				  .at = times->at,
				  .t = times->time_s,
				  .step = step,
				  .offset = offset};
	if (first > 1 && least < first)
		least = first;
	if (times->n && most > knot_at(times->at, times->n - 1))
		most = knot_at(times->at, times->n - 1);
	out->lo = steps_above(out, least);
	out->hi = steps_below(out, most);
	/* Shares above the total are of no use. */
	if (out->hi > steps_below(out, total))
		out->hi = steps_below(out, total) > out->lo ? steps_below(out, total)
			  : out->hi > out->lo               ? out->lo
							    : out->hi;
	if (times->function) {
		cut_function(out);
	} else if (time_falls(out)) {
		if (!make_hull(out, arena))
			return ft_nomem(err);
	} else {
		/* If times never fall, infinite ones are at the end. */
		size_t k = out->n;

		while (k > 0 && isinf(out->t[k - 1]))
			k--;
		int64_t last = k > 0 ? steps_below(out, knot_at(out->at, k - 1)) : may_idle(out) ? 0 : -1;
		out->hi = out->hi > last ? last : out->hi;
	}
	if (times->n && out->hi >= 0)
		out->last = knot_before(out->at, out->n, units_of(out, out->hi));
	return FT_OK;
}

/* ---- shares allowed by a time ------------------------------------------------------------------------ */

/* The last share of a segment before its time crosses t. */
static int64_t find_crossing(const struct ft__share *s, size_t k, double t, bool above, int64_t first,
			     int64_t last)
{
	double x = (double)knot_at(s->at, k), width = (double)knot_at(s->at, k + 1) - x;
	double units = fmin(ft_line_at(t, s->t[k], x, s->t[k + 1], x + width), x + width);

	/* The last of first..last whose time is <= t (or, with `above`, > t), if that holds for `first`, and for
	 * none after one where it does not; from a guess. */
	int64_t guess = steps_below(s, units > 0 ? (int64_t)units : 0);
	int64_t a = first, b = last + 1, wide = 1;

	guess = guess < first ? first : guess > last ? last : guess;
	if ((time_at(s, k, guess) <= t) != above) {
		for (a = guess; b - a > wide && (time_at(s, k, a + wide) <= t) != above; wide *= 2)
			a += wide;
		b = b - a > wide ? a + wide : b;
	} else {
		for (b = guess; b - a > wide && (time_at(s, k, b - wide) <= t) == above; wide *= 2)
			b -= wide;
		a = b - a > wide ? b - wide : a;
	}
	while (b - a > 1) {
		int64_t c = a + (b - a) / 2;

		if ((time_at(s, k, c) <= t) != above)
			a = c;
		else
			b = c;
	}
	return a;
}

static struct ft__cap cap_function(const struct ft__share *s, double t, int64_t a, int64_t b)
{
	while (a < b) {
		int64_t c = b - (b - a) / 2;

		if (ft__share_time(s, c) <= t)
			a = c;
		else
			b = c - 1;
	}
	return (struct ft__cap){a, 0};
}

struct ft__cap ft__share_cap(const struct ft__share *s, double t, struct ft__cap a, struct ft__cap b)
{
	const double *key = s->hull ? s->hull : s->t;
	struct ft__cap at = {s->lo, a.k};
	int64_t first, last;

	if (!s->n)
		return cap_function(s, t, a.y, b.y);
	while (a.k < b.k) {
		size_t c = (a.k + b.k + 1) / 2;

		if (key[c] <= t)
			a.k = c;
		else
			b.k = c - 1;
	}
	if (!(key[a.k] <= t))
		return at;
	at.k = a.k;
	find_segment(s, a.k, &first, &last);
	if (first > last || time_at(s, a.k, last) <= t)
		at.y = last;
	else if (time_at(s, a.k, first) <= t)
		at.y = find_crossing(s, a.k, t, false, first, last);
	else /* the knot itself is no share, and the first one after it takes longer */
		at.y = first - 1;
	at.y = at.y < s->lo ? s->lo : at.y;
	return at;
}

double ft__share_least(const struct ft__share *s)
{
	if (s->lo > s->hi)
		return INFINITY;
	if (may_idle(s))
		return 0;
	return s->hull ? s->hull[0] : ft__share_time(s, s->lo);
}

/* share_rise - the least time that allows more than a share; INFINITY: none does. */
static double share_rise(const struct ft__share *s, struct ft__cap at)
{
	int64_t first, last;

	if (at.y >= s->hi)
		return INFINITY;
	if (!s->hull)
		return ft__share_time(s, at.y + 1);
	at.k = knot_before(s->at, s->n, units_of(s, at.y + 1));
	double rest = at.k + 1 < s->n ? s->hull[at.k + 1] : (double)INFINITY;
	find_segment(s, at.k, &first, &last);
	first = first > at.y + 1 ? first : at.y + 1;
	if (first <= last)
		rest = fmin(rest, fmin(time_at(s, at.k, first), time_at(s, at.k, last)));
	return rest;
}

bool ft__interval_push(struct ft__intervals *list, int64_t from, int64_t to)
{
	if (list->n == list->capacity) {
		struct ft__interval *grown = ft_grow(list->of, list->n, &list->capacity, sizeof *list->of);
		if (!grown)
			return false;
		list->of = grown;
	}
	list->of[list->n++] = (struct ft__interval){from, to};
	return true;
}

/* One more interval of shares, below the ones before; joined to the last one where they touch. */
static bool push_below(struct ft__intervals *out, size_t start, int64_t u, int64_t from, int64_t to)
{
	if (out->n > start && out->of[out->n - 1].to + 1 == u - to) {
		out->of[out->n - 1].to = u - from;
		return true;
	}
	return ft__interval_push(out, u - to, u - from);
}

/* The shares of a segment that take t at most; false: none. */
static bool find_allowed(const struct ft__share *s, size_t k, double t, int64_t *first, int64_t *last)
{
	find_segment(s, k, first, last);
	if (*first > *last)
		return false;
	bool at_first = time_at(s, k, *first) <= t;
	bool at_last = time_at(s, k, *last) <= t;
	if (at_first && !at_last)
		*last = find_crossing(s, k, t, false, *first, *last);
	else if (!at_first && at_last)
		*first = find_crossing(s, k, t, true, *first, *last) + 1;
	return at_first || at_last;
}

bool ft__share_deficits(const struct ft__share *s, double t, int64_t u, int64_t slack,
			struct ft__intervals *out, uint64_t *looks)
{
	int64_t least = u - slack > s->lo ? u - slack : s->lo, from, to;
	size_t start = out->n, k = s->n ? knot_before(s->at, s->n, units_of(s, u)) + 1 : 0;

	if (!s->n)
		return push_below(out, start, u, least, u);
	while (k-- > 0) {
		++*looks;
		if (find_allowed(s, k, t, &from, &to) && from <= u && to >= least &&
		    !push_below(out, start, u, from < least ? least : from, to > u ? u : to))
			return false;
		if (units_of(s, least) >= knot_at(s->at, k))
			return true;
	}
	if (may_idle(s) && least == 0)
		return push_below(out, start, u, 0, 0);
	return true;
}

static double next_in(const struct ft__share *s, size_t k, double t)
{
	int64_t first, last;

	find_segment(s, k, &first, &last);
	if (first > last)
		return INFINITY;
	double at_first = time_at(s, k, first);
	double at_last = time_at(s, k, last);
	if (at_first > t && at_last > t)
		return fmin(at_first, at_last);
	if (at_last > t)
		return time_at(s, k, find_crossing(s, k, t, false, first, last) + 1);
	return at_first > t ? time_at(s, k, find_crossing(s, k, t, true, first, last)) : (double)INFINITY;
}

double ft__share_next(const struct ft__share *s, double t)
{
	double next = INFINITY;

	if (!s->n) {
		struct ft__cap at =
			ft__share_cap(s, t, (struct ft__cap){s->lo, 0}, (struct ft__cap){s->hi, 0});

		if (ft__share_time(s, at.y) > t)
			return ft__share_time(s, at.y);
		return at.y < s->hi ? ft__share_time(s, at.y + 1) : (double)INFINITY;
	}
	for (size_t k = 0; k < s->n && !is_plain(s); k++)
		next = fmin(next, next_in(s, k, t));
	for (size_t k = (size_t)s->lo; is_plain(s) && (int64_t)k <= s->hi; k++)
		if (s->t[k] > t && s->t[k] < next)
			next = s->t[k];
	return next;
}

/*
 * Sums of sets, over intervals or over bits.
 */

enum { WORD = 64 };

static int by_from(const void *a, const void *b)
{
	const struct ft__interval *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

static int by_length(const void *a, const void *b)
{
	const struct ft__interval *p = a, *q = b;
	int64_t lp = p->to - p->from, lq = q->to - q->from;

	return (lp > lq) - (lp < lq);
}

static bool append_interval(struct ft__intervals *out, size_t start, int64_t from, int64_t to)
{
	if (out->n > start && from <= out->of[out->n - 1].to + 1) {
		if (to > out->of[out->n - 1].to)
			out->of[out->n - 1].to = to;
		return true;
	}
	return ft__interval_push(out, from, to);
}

/* r |= a << k */
static void or_shifted(uint64_t *r, const uint64_t *a, size_t words, int64_t k)
{
	size_t w = (size_t)(k / WORD), b = (size_t)(k % WORD), i;

	for (i = words; i-- > w;) {
		uint64_t v = a[i - w] << b;

		if (b && i > w)
			v |= a[i - w - 1] >> (WORD - b);
		r[i] |= v;
	}
}

static bool make_bits(struct ft__sets *work, int64_t limit)
{
	size_t words = (size_t)(limit / WORD) + 1;

	if (words > work->words) {
		ft_free(work->bits);
		work->words = 0;
		work->bits = ft_malloc(3 * words * sizeof *work->bits);
		if (!work->bits)
			return false;
		work->words = words;
	}
	memset(work->bits, 0, 3 * words * sizeof *work->bits);
	return true;
}

/* a widened to the length of each interval of b, one after the other (the shortest first), and shifted to
   its start. */
static bool add_bits(struct ft__sets *work, const struct ft__interval *a, size_t na,
		     const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out)
{
	size_t words = (size_t)(limit / WORD) + 1, i;
	int64_t length = 0;

	work->pairs.n = 0;
	for (i = 0; i < nb; i++)
		if (!ft__interval_push(&work->pairs, b[i].from, b[i].to))
			return false;
	if (!make_bits(work, limit))
		return false;
	uint64_t *wide = work->bits;
	uint64_t *copy = wide + words;
	uint64_t *sum = copy + words;
	for (size_t k = 0; k < na; k++) {
		int64_t v, to = a[k].to < limit ? a[k].to : limit;

		for (v = a[k].from; v <= to; v++) {
			if (v % WORD == 0 && v + WORD <= to) {
				wide[v / WORD] = UINT64_MAX;
				v += WORD - 1;
			} else {
				wide[v / WORD] |= (uint64_t)1 << (v % WORD);
			}
		}
	}
	qsort(work->pairs.of, nb, sizeof *work->pairs.of, by_length);
	for (i = 0; i < nb; i++) {
		int64_t wanted = work->pairs.of[i].to - work->pairs.of[i].from;

		wanted = wanted < limit ? wanted : limit;
		while (length < wanted) {
			int64_t more = wanted - length < length + 1 ? wanted - length : length + 1;

			memcpy(copy, wide, words * sizeof *wide);
			or_shifted(wide, copy, words, more);
			length += more;
			work->looks += words;
		}
		if (work->pairs.of[i].from <= limit)
			or_shifted(sum, wide, words, work->pairs.of[i].from);
		work->looks += words;
	}
	int64_t from = -1;

	for (int64_t l = 0; l <= limit; l++) {
		uint64_t word = sum[l / WORD];
		bool on = word >> (l % WORD) & 1;

		if (on && from < 0)
			from = l;
		if (!on && from >= 0) {
			if (!ft__interval_push(out, from, l - 1))
				return false;
			from = -1;
		}
		/* whole words without new information */
		if (l % WORD == 0 && word == (from >= 0 ? UINT64_MAX : 0) && l + WORD <= limit)
			l += WORD - 1;
	}
	return from < 0 || ft__interval_push(out, from, limit);
}

bool ft__sets_add(struct ft__sets *work, const struct ft__interval *a, size_t na,
		  const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out)
{
	if (na < nb)
		return ft__sets_add(work, b, nb, a, na, limit, out);
	if ((double)na * (double)nb > WORD + 2.0 * (double)limit)
		return add_bits(work, a, na, b, nb, limit, out);
	work->pairs.n = 0;
	for (size_t i = 0; i < na; i++)
		for (size_t j = 0; j < nb && a[i].from + b[j].from <= limit; j++) {
			int64_t to = a[i].to + b[j].to;

			if (!ft__interval_push(&work->pairs, a[i].from + b[j].from, to < limit ? to : limit))
				return false;
		}
	work->looks += work->pairs.n + 1;
	if (na > 1 && nb > 1)
		qsort(work->pairs.of, work->pairs.n, sizeof *work->pairs.of, by_from);
	size_t start = out->n;
	for (size_t i = 0; i < work->pairs.n; i++)
		if (!append_interval(out, start, work->pairs.of[i].from, work->pairs.of[i].to))
			return false;
	return true;
}

void ft__sets_clear(struct ft__sets *work)
{
	ft_free(work->pairs.of);
	ft_free(work->bits);
	*work = (struct ft__sets){0};
}

/*
 * A bracketed secant on the logarithm of time, then the jumps of the sum one by one.
 */

int64_t ft__units_add(int64_t sum, int64_t units, size_t count)
{
	const int64_t most = (int64_t)1 << 62;
	int64_t all;

	if (__builtin_mul_overflow(units, count, &all) || all > most - sum)
		return most;
	return sum + all;
}

/* The sum of caps for a time; c [m] out, or NULL. */
static int64_t rise_sum(struct ft__rise *rise, const struct ft__share *s, size_t m, double t,
			struct ft__cap *c)
{
	int64_t sum = 0;

	rise->evaluations += m;
	for (size_t i = 0; i < m; i++) {
		struct ft__cap at = rise->a[i].y == rise->b[i].y
					    ? rise->a[i]
					    : ft__share_cap(&s[i], t, rise->a[i], rise->b[i]);

		sum = ft__units_add(sum, at.y, s[i].count);
		if (c)
			c[i] = at;
	}
	return sum;
}

/* Two times, the sums of caps at both, less the total; which end moved last. */
struct bracket {
	double ta, tb, fa, fb, shrink;
	int moved;
};

/* The Illinois rule: the end that stays twice has its weight halved. Leaves a, b with less than a processor's
 * worth of jumps to the total, or with no double between. */
static void narrow_bracket(struct ft__rise *rise, const struct ft__share *s, size_t m, int64_t total,
			   size_t processors, double tb, struct ft__cap *c)
{
	struct bracket k = {0, tb, (double)(total - rise->sum), (double)(rise->most - total), 0.5, 0};
	/* The first guess: each as fast as it is with all it can take. */
	double speed = 0;

	for (size_t i = 0; i < m; i++)
		if (rise->b[i].y > 0)
			speed += (double)s[i].count * (double)rise->b[i].y /
				 ft__share_time(&s[i], rise->b[i].y);
	double t = (double)total / speed;

	for (int round = 0; total - rise->sum > (int64_t)processors; round++) {
		if (round || !(t > 0 && t < tb)) {
			/* A time between both, or one of them if no double is between. */
			double time;

			if (!(k.ta > 0)) {
				time = fmax(k.tb * k.shrink, DBL_MIN);
				k.shrink = fmax(k.shrink * k.shrink, DBL_MIN);
			} else {
				double la = log(k.ta);
				double lb = log(k.tb);
				time = exp(la + (round % 4 == 3 ? 0.5 : k.fa / (k.fa + k.fb)) * (lb - la));
			}
			if (!(time > k.ta))
				time = nextafter(k.ta, INFINITY);
			t = time < k.tb ? time : nextafter(k.tb, 0);
		}
		if (!(t > k.ta && t < k.tb))
			break;
		int64_t sum = rise_sum(rise, s, m, t, c);
		if (sum < total) {
			memcpy(rise->a, c, m * sizeof *c);
			rise->sum = sum;
			k.ta = t;
			k.fa = (double)(total - sum);
			k.fb *= k.moved == 1 ? 0.5 : 1;
			k.moved = 1;
		} else {
			memcpy(rise->b, c, m * sizeof *c);
			k.tb = t;
			k.fb = (double)(sum - total) + 0.5;
			k.fa *= k.moved == 2 ? 0.5 : 1;
			k.moved = 2;
		}
	}
}

/* From a, the times at which more is possible, in their order, until the total is reached. */
static void finish_rise(struct ft__rise *rise, const struct ft__share *s, size_t m, int64_t total,
			struct ft__key *heap)
{
	int64_t sum = rise->sum;
	size_t i, n = 0;

	for (i = 0; i < m; i++)
		if (rise->a[i].y < rise->b[i].y)
			ft__heap_push(heap, n++, (struct ft__key){share_rise(&s[i], rise->a[i]), i});
	while (sum < total) {
		struct ft__key next = ft__heap_pop(heap, n--);

		i = next.of;
		rise->t = next.key;
		rise->evaluations++;
		struct ft__cap to = ft__share_cap(&s[i], next.key, rise->a[i], rise->b[i]);
		sum = ft__units_add(sum, to.y - rise->a[i].y, s[i].count);
		if (sum >= total)
			break;
		rise->sum = sum;
		rise->a[i] = to;
		if (to.y < rise->b[i].y)
			ft__heap_push(heap, n++, (struct ft__key){share_rise(&s[i], to), i});
	}
}

enum ft_status ft__rise(struct ft__rise *out, struct ft_arena *arena, const struct ft__share *s, size_t m,
			int64_t total, struct ft_err *err)
{
	struct ft__cap *c = ft_arena_take(arena, m, sizeof *c);
	struct ft__key *heap = ft_arena_take(arena, m, sizeof *heap);
	size_t processors = 0;
	int64_t in_no_time;

	out->a = ft_arena_take(arena, m, sizeof *out->a);
	out->b = ft_arena_take(arena, m, sizeof *out->b);
	FT_TRY(ft_arena_check(arena, err));
	/* The two ends: least shares, and caps without a limit of time; the time that the latter take. */
	double tb = 0;

	for (size_t i = 0; i < m; i++) {
		out->a[i] = (struct ft__cap){s[i].lo, 0};
		out->b[i] = (struct ft__cap){s[i].hi, s[i].last};
		out->b[i] = ft__share_cap(&s[i], DBL_MAX, out->a[i], out->b[i]);
		out->least = ft__units_add(out->least, s[i].lo, s[i].count);
		out->most = ft__units_add(out->most, out->b[i].y, s[i].count);
		if (out->b[i].y > s[i].lo)
			tb = fmax(tb, ft__share_time(&s[i], out->b[i].y));
	}
	out->sum = out->least;
	for (size_t i = 0; i < m; i++)
		processors += s[i].count;
	if (out->least > total || out->most < total) {
		out->t = NAN;
	} else if (out->least == total) {
		out->t = -INFINITY;
	} else if ((in_no_time = rise_sum(out, s, m, 0, c)) >= total) {
		out->t = 0;
	} else {
		memcpy(out->a, c, m * sizeof *c);
		out->sum = in_no_time;
		narrow_bracket(out, s, m, total, processors, tb, c);
		finish_rise(out, s, m, total, heap);
	}
	return FT_OK;
}
