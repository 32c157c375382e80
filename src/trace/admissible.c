/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admissible.c - the line between two pieces of a curve that is also its best L2 line there.
 *
 * With u the place on the left piece and v that on the right one, both 0 .. 1, two conditions:
 *
 *	D(u, v) = area under the curve - area under the line = 0	bilinear
 *	H(u, v) = moment of the curve about the middle - that of the line = 0	cubic in u and in v
 *
 * The first gives v = V(u), a quotient of lines, hence monotone between its pole. Then H(u, V(u)) times the
 * cube of the denominator is a polynomial of degree 6 in u, and all its zeros are found from its Bernstein
 * coefficients: no sign change, no zero. The document's bracket of four candidate lines (I to IV) misses
 * those that come in pairs.
 */
#include "trace/admissible.h"

#include <math.h>
#include <string.h>

enum { DEGREE = 6, DEPTH = 60 };

static const double NOTHING = 1e-13;

/* The problem with D's corners: D = d00 (1-u)(1-v) + d10 u (1-v) + d01 (1-u) v + d11 u v. */
struct admissible_problem {
	const struct ft__stretch *s;
	double d00, d10, d01, d11;
	bool flat; /* D is 0 everywhere: v = 1, the farthest */
};

static struct ft__xy along(const struct ft__xy p[2], double share)
{
	if (share <= 0)
		return p[0];
	if (share >= 1)
		return p[1];
	return (struct ft__xy){p[0].x + share * (p[1].x - p[0].x), p[0].y + share * (p[1].y - p[0].y)};
}

static struct ft__span piece(struct ft__xy a, struct ft__xy b)
{
	double h = b.x - a.x;

	return (struct ft__span){h, a.y / 2 + b.y / 2, h > 0 ? (b.y - a.y) / h : 0, 0};
}

/* The curve from one place to the other. */
static struct ft__span over(const struct ft__stretch *s, struct ft__xy begin, struct ft__xy end)
{
	return ft__span_join(ft__span_join(piece(begin, s->left[1]), s->inner), piece(s->right[0], end));
}

static double area_excess(const struct ft__stretch *s, struct ft__xy begin, struct ft__xy end)
{
	struct ft__span all = over(s, begin, end);

	return all.h * (all.mean - (begin.y + end.y) / 2);
}

/* V(u); outside 0 .. 1 where there is no such place. */
static double partner(const struct admissible_problem *p, double u, double *denominator)
{
	double at0 = p->d00 + u * (p->d10 - p->d00), at1 = p->d01 + u * (p->d11 - p->d01);

	*denominator = at0 - at1;
	if (p->flat) {
		*denominator = 1;
		return 1;
	}
	if (at0 == 0)
		return 0;
	return at0 / *denominator;
}

/* H times the cube of the denominator, scaled so that it is a pure number. */
static double moment_excess(const struct admissible_problem *p, double u, double scale)
{
	double denominator, v = partner(p, u, &denominator), d = denominator / scale;
	struct ft__xy begin = along(p->s->left, u), end = along(p->s->right, fmin(fmax(v, 0), 1));
	struct ft__span all = over(p->s, begin, end);

	return (all.slope * all.h - (end.y - begin.y)) * all.h * all.h * d * d * d;
}

/* Bernstein coefficients of the polynomial with values at 0, 1/6, ... 1. */
static void bernstein(const double value[DEGREE + 1], double out[DEGREE + 1])
{
	static const double choose[DEGREE + 1] = {1, 6, 15, 20, 15, 6, 1};
	double c[DEGREE + 1], power[DEGREE + 1] = {0};
	int i, j;

	memcpy(c, value, sizeof c);
	for (j = 1; j <= DEGREE; j++) /* divided differences over nodes i */
		for (i = DEGREE; i >= j; i--)
			c[i] = (c[i] - c[i - 1]) / j;
	for (i = DEGREE; i >= 0; i--) { /* Newton's form to powers of t = 6 u */
		for (j = DEGREE; j > 0; j--)
			power[j] = power[j - 1] - i * power[j];
		power[0] = c[i] - i * power[0];
	}
	for (i = 0; i <= DEGREE; i++)
		power[i] *= pow(DEGREE, i) / choose[i];
	for (i = 0; i <= DEGREE; i++) { /* b_i = sum_j C(i,j) / C(6,j) p_j */
		double row = 1;

		out[i] = 0;
		for (j = 0; j <= i; j++) {
			out[i] += row * power[j];
			row = row * (i - j) / (j + 1);
		}
	}
}

static int variations(const double b[DEGREE + 1], double nothing)
{
	int count = 0, sign = 0, i;

	for (i = 0; i <= DEGREE; i++) {
		int now = b[i] > nothing ? 1 : b[i] < -nothing ? -1 : 0;

		count += now && sign && now != sign;
		sign = now ? now : sign;
	}
	return count;
}

/* The part of an interval of u in which V is a place, and its polynomial. */
struct admissible_window {
	double low, high, scale, nothing;
};

static double bisect(const struct admissible_problem *p, const struct admissible_window *w, double a,
		     double b)
{
	double fa = moment_excess(p, a, w->scale);
	int i;

	for (i = 0; i < 80 && b - a > 0; i++) {
		double middle = a + (b - a) / 2, now = moment_excess(p, middle, w->scale);

		if (middle <= a || middle >= b)
			break;
		if ((now < 0) == (fa < 0)) {
			a = middle;
			fa = now;
		} else {
			b = middle;
		}
	}
	return a + (b - a) / 2;
}

/* A zero with so small a share of the window to the left as there is; NaN: none. */
static double first_zero(const struct admissible_problem *p, const struct admissible_window *w,
			 const double b[DEGREE + 1], double from, double to, int depth)
{
	double left[DEGREE + 1], right[DEGREE + 1], zero, middle = from + (to - from) / 2;
	int count = variations(b, w->nothing), i, j;

	if (!count)
		return NAN;
	if (count == 1 && (b[0] > 0) != (b[DEGREE] > 0) && fabs(b[0]) > w->nothing &&
	    fabs(b[DEGREE]) > w->nothing)
		return bisect(p, w, w->low + from * (w->high - w->low), w->low + to * (w->high - w->low));
	if (!depth || middle <= from || middle >= to)
		return NAN;
	memcpy(right, b, sizeof right);
	for (i = 0; i <= DEGREE; i++) { /* de Casteljau at the middle */
		left[i] = right[0];
		for (j = 0; j + i < DEGREE; j++)
			right[j] = right[j] / 2 + right[j + 1] / 2;
	}
	zero = first_zero(p, w, left, from, middle, depth - 1);
	return isnan(zero) ? first_zero(p, w, right, middle, to, depth - 1) : zero;
}

/* The first zero of H between low and high. */
static double zero_between(const struct admissible_problem *p, double low, double high)
{
	struct admissible_window w = {low, high, 0, 0};
	double value[DEGREE + 1], b[DEGREE + 1], denominator, size, h;
	int i;

	(void)partner(p, low, &denominator);
	w.scale = fabs(denominator);
	(void)partner(p, high, &denominator);
	w.scale = fmax(w.scale, fabs(denominator));
	if (!(w.scale > 0))
		w.scale = 1;
	h = p->s->right[1].x - p->s->left[0].x;
	size = p->s->size * h * h;
	w.nothing = NOTHING * size;
	for (i = 0; i <= DEGREE; i++)
		value[i] = moment_excess(p, low + (high - low) * i / DEGREE, w.scale);
	if (fabs(value[0]) <= w.nothing * 1e-2) /* the line from its very beginning */
		return low;
	bernstein(value, b);
	if (fabs(value[DEGREE]) <= w.nothing * 1e-2 && !variations(b, w.nothing))
		return high;
	return first_zero(p, &w, b, 0, 1, DEPTH);
}

static void add_cut(double cut[4], int *n, double at0, double at1)
{
	double u = at0 / (at0 - at1);

	if (u > 0 && u < 1)
		cut[(*n)++] = u;
}

static void take_line(const struct admissible_problem *p, double u, double *longest, struct ft__xy *begin,
		      struct ft__xy *end)
{
	double denominator, v = partner(p, u, &denominator);
	struct ft__xy a = along(p->s->left, u), b = along(p->s->right, v);

	if (b.x - a.x <= *longest)
		return;
	*longest = b.x - a.x;
	*begin = a;
	*end = b;
}

bool ft__admissible(const struct ft__stretch *s, struct ft__xy *begin, struct ft__xy *end)
{
	struct admissible_problem p = {.s = s};
	double cut[4] = {0, 1}, longest = 0, nothing = NOTHING * s->size * (s->right[1].x - s->left[0].x);
	int n = 1, i, j;

	p.d00 = area_excess(s, s->left[0], s->right[0]);
	p.d10 = area_excess(s, s->left[1], s->right[0]);
	p.d01 = area_excess(s, s->left[0], s->right[1]);
	p.d11 = area_excess(s, s->left[1], s->right[1]);
	p.flat = fabs(p.d00) <= nothing && fabs(p.d10) <= nothing && fabs(p.d01) <= nothing &&
		 fabs(p.d11) <= nothing;
	if (!p.flat) {
		if ((p.d00 > 0 && p.d10 > 0 && p.d01 > 0 && p.d11 > 0) ||
		    (p.d00 < 0 && p.d10 < 0 && p.d01 < 0 && p.d11 < 0))
			return false;
		add_cut(cut, &n, p.d00, p.d10); /* where V is 0, and 1 */
		add_cut(cut, &n, p.d01, p.d11);
	}
	cut[n++] = 1;
	for (i = 1; i < n; i++)
		for (j = i; j > 0 && cut[j - 1] > cut[j]; j--) {
			double swap = cut[j];

			cut[j] = cut[j - 1];
			cut[j - 1] = swap;
		}
	for (i = 0; i + 1 < n; i++) {
		double denominator, v, zero;

		if (!(cut[i + 1] > cut[i]))
			continue;
		v = partner(&p, (cut[i] + cut[i + 1]) / 2, &denominator);
		if (!(v >= 0 && v <= 1))
			continue;
		zero = zero_between(&p, cut[i], cut[i + 1]);
		if (!isnan(zero))
			take_line(&p, zero, &longest, begin, end);
	}
	return longest > 0;
}
