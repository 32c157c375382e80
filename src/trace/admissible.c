/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admissible.c - the line between two pieces of a curve that is also its best L2 line there.
 *
 * With u the place on the left piece and v that on the right one, both 0 .. 1, two conditions:
 *
 *	D(u, v) = area under the curve - area under the line = 0	bilinear
 *	H(u, v) = rise of the curve's best line - rise of the line = 0
 *
 * The first gives v = V(u), a quotient of lines, hence monotone between its pole. On the way along it, with x
 * the line's begin, h its length, L its slope and l that of the left piece, dL/dx = 2 (L - l) / h: L - l
 * keeps its sign; and dM/dx = (l - L) h^2 / 6 for M = H h^2 / 12, the moments about the middle. So H has one
 * zero at most between two ends, where its signs differ. The document's bracket of four candidate lines (I to
 * IV) misses some.
 */
#include "trace/admissible.h"

#include <math.h>

/* Beside the curve's range, an area of that height, and a rise. */
static const double NO_AREA = 1e-13, NO_RISE = 1e-15;

/* The problem with D's corners: D = d00 (1-u)(1-v) + d10 u (1-v) + d01 (1-u) v + d11 u v. */
struct admissible_problem {
	const struct ft__stretch *s;
	double d00, d10, d01, d11;
	bool flat; /* D is 0 everywhere: v = 1, the farthest */
};

static struct ft__xy place_along(const struct ft__xy p[2], double share)
{
	if (share <= 0)
		return p[0];
	if (share >= 1)
		return p[1];
	return (struct ft__xy){p[0].x + share * (p[1].x - p[0].x), p[0].y + share * (p[1].y - p[0].y)};
}

static struct ft__span piece_of(struct ft__xy a, struct ft__xy b)
{
	double h = b.x - a.x;

	return (struct ft__span){h, a.y / 2 + b.y / 2, h > 0 ? (b.y - a.y) / h : 0, 0};
}

/* The curve from one place to the other. */
static struct ft__span curve_over(const struct ft__stretch *s, struct ft__xy begin, struct ft__xy end)
{
	return ft__span_join(ft__span_join(piece_of(begin, s->left[1]), s->inner),
			     piece_of(s->right[0], end));
}

static double area_excess(const struct ft__stretch *s, struct ft__xy begin, struct ft__xy end)
{
	struct ft__span all = curve_over(s, begin, end);

	return all.h * (all.mean - (begin.y + end.y) / 2);
}

/* V(u); outside 0 .. 1 where there is no such place. */
static double partner_of(const struct admissible_problem *p, double u)
{
	double at0 = p->d00 + u * (p->d10 - p->d00), at1 = p->d01 + u * (p->d11 - p->d01);

	if (p->flat)
		return 1;
	return at0 == 0 ? 0 : at0 / (at0 - at1);
}

/* H(u, V(u)). */
static double rise_excess(const struct admissible_problem *p, double u)
{
	struct ft__xy begin = place_along(p->s->left, u), end = place_along(p->s->right, partner_of(p, u));
	struct ft__span all = curve_over(p->s, begin, end);

	return all.slope * all.h - (end.y - begin.y);
}

/* The zero of H between low and high; NaN: none. */
static double zero_between(const struct admissible_problem *p, double low, double high)
{
	double first = rise_excess(p, low), last = rise_excess(p, high), nothing = NO_RISE * p->s->size;

	if (fabs(first) <= nothing) /* the line from its very beginning */
		return low;
	if (fabs(last) <= nothing)
		return high;
	if ((first > 0) == (last > 0))
		return NAN;
	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			return middle;
		if ((rise_excess(p, middle) > 0) == (first > 0))
			low = middle;
		else
			high = middle;
	}
}

/* Where a line between two values is 0; at an end where that is not between them. */
static double crossing_of(double at0, double at1)
{
	return fmin(fmax(at0 / (at0 - at1), 0), 1);
}

/* The line that begins between low and high, where V enters and leaves 0 .. 1, if it is the longest so far.
 */
static void take_line(const struct admissible_problem *p, double low, double high, double *longest,
		      struct ft__xy *begin, struct ft__xy *end)
{
	double v = partner_of(p, low + (high - low) / 2), u;

	if (!(low < high) || !(v >= 0 && v <= 1))
		return;
	u = zero_between(p, low, high);
	struct ft__xy a = place_along(p->s->left, u);
	struct ft__xy b = place_along(p->s->right, partner_of(p, u));
	if (!(b.x - a.x > *longest)) /* also where there is none */
		return;
	*longest = b.x - a.x;
	*begin = a;
	*end = b;
}

bool ft__admissible(const struct ft__stretch *s, struct ft__xy *begin, struct ft__xy *end)
{
	struct admissible_problem p = {.s = s};
	double area = s->size * (s->right[1].x - s->left[0].x), cut0 = 0, cut1 = 0, longest = 0;

	p.d00 = area_excess(s, s->left[0], s->right[0]);
	p.d10 = area_excess(s, s->left[1], s->right[0]);
	p.d01 = area_excess(s, s->left[0], s->right[1]);
	p.d11 = area_excess(s, s->left[1], s->right[1]);
	p.flat = fmax(fmax(fabs(p.d00), fabs(p.d10)), fmax(fabs(p.d01), fabs(p.d11))) <= NO_AREA * area;
	if (!p.flat) {
		cut0 = crossing_of(p.d00, p.d10); /* where V is 0, and 1 */
		cut1 = crossing_of(p.d01, p.d11);
	}
	take_line(&p, 0, fmin(cut0, cut1), &longest, begin, end);
	take_line(&p, fmin(cut0, cut1), fmax(cut0, cut1), &longest, begin, end);
	take_line(&p, fmax(cut0, cut1), 1, &longest, begin, end);
	return longest > 0;
}
