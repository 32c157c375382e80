/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rise.c - a bracketed secant on the logarithm of time, then the jumps of the sum one by one. */
#include "plan/heap.h"
#include "plan/rise.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* The two ends: least shares, and caps without a limit of time. Returns the time that the latter take. */
static double set_ends(struct ft__rise *rise, const struct ft__share *s, size_t m)
{
	double t = 0;

	for (size_t i = 0; i < m; i++) {
		rise->a[i] = (struct ft__cap){s[i].lo, 0};
		rise->b[i] = (struct ft__cap){s[i].hi, s[i].last};
		rise->b[i] = ft__share_cap(&s[i], DBL_MAX, rise->a[i], rise->b[i]);
		rise->least = ft__units_add(rise->least, s[i].lo, s[i].count);
		rise->most = ft__units_add(rise->most, rise->b[i].y, s[i].count);
		if (rise->b[i].y > s[i].lo)
			t = fmax(t, ft__share_time(&s[i], rise->b[i].y));
	}
	rise->sum = rise->least;
	return t;
}

/* Two times, the sums of caps at both, less the total; which end moved last. */
struct bracket {
	double ta, tb, fa, fb, shrink;
	int moved;
};

/* A time between both, or one of them where no double is between. */
static double next_time(struct bracket *k, int round)
{
	double t;

	if (!(k->ta > 0)) {
		t = fmax(k->tb * k->shrink, DBL_MIN);
		k->shrink = fmax(k->shrink * k->shrink, DBL_MIN);
	} else {
		double la = log(k->ta);
		double lb = log(k->tb);
		t = exp(la + (round % 4 == 3 ? 0.5 : k->fa / (k->fa + k->fb)) * (lb - la));
	}
	if (!(t > k->ta))
		t = nextafter(k->ta, INFINITY);
	return t < k->tb ? t : nextafter(k->tb, 0);
}

/* The first guess: each as fast as it is with all it can take. */
static double guess_time(const struct ft__rise *rise, const struct ft__share *s, size_t m, int64_t total)
{
	double speed = 0;

	for (size_t i = 0; i < m; i++)
		if (rise->b[i].y > 0)
			speed += (double)s[i].count * (double)rise->b[i].y /
				 ft__share_time(&s[i], rise->b[i].y);
	return (double)total / speed;
}

/* The Illinois rule: the end that stays twice has its weight halved. Leaves a, b with less than a processor's
 * worth of jumps to the total, or with no double between. */
static void narrow_bracket(struct ft__rise *rise, const struct ft__share *s, size_t m, int64_t total,
			   size_t processors, double tb, struct ft__cap *c)
{
	struct bracket k = {0, tb, (double)(total - rise->sum), (double)(rise->most - total), 0.5, 0};
	double t = guess_time(rise, s, m, total);

	for (int round = 0; total - rise->sum > (int64_t)processors; round++) {
		if (round || !(t > 0 && t < tb))
			t = next_time(&k, round);
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
			ft__heap_push(heap, n++, (struct ft__key){ft__share_rise(&s[i], rise->a[i]), i});
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
			ft__heap_push(heap, n++, (struct ft__key){ft__share_rise(&s[i], to), i});
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
	double tb = set_ends(out, s, m);
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
