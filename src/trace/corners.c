/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corners.c - bounds of areas above lines over stretches of points, halved again and again.
 *
 * Let A_j be the area of the curve from a left end q to point j, less that of the straight line. For the
 * points of a stretch that begins at point l, with s = x_j - x_l, v what y_j is above the stretch's chord of
 * slope m, and g the area above the line from l to j,
 *
 *	A_j = A_l + s (y_l - y_q - m D) / 2 - v D / 2 + g	where D = x_l - x_q
 *
 * so bounds of s, v and g bound all A_j, and they are near where the stretch is short beside D or straight.
 */
#include "trace/corners.h"
#include "base/alloc.h"

#include <math.h>

enum { LEAF = 32 };

static size_t stretches(const struct ft__corners *c, size_t level)
{
	return (c->n - 1) / ((size_t)LEAF << level);
}

static struct ft__reach reach_of(const struct ft__corners *c, size_t first, size_t last)
{
	double slope = (c->y[last] - c->y[first]) / (c->x[last] - c->x[first]);
	struct ft__reach r = {slope, {0, 0}, {0, 0}};
	size_t j;

	for (j = first + 1; j <= last; j++) {
		double s = c->x[j] - c->x[first], rise = c->y[j] - c->y[first];
		double above = rise - slope * s;
		double area = c->area[j] - c->area[first] - s * (c->y[first] + rise / 2);

		r.above[0] = fmin(r.above[0], above);
		r.above[1] = fmax(r.above[1], above);
		r.area[0] = fmin(r.area[0], area);
		r.area[1] = fmax(r.area[1], area);
	}
	return r;
}

enum ft_status ft__corners_init(struct ft__corners *c, struct ft_err *err)
{
	size_t count = 0, level, k, n;
	struct ft__reach *out;

	for (c->levels = 0; stretches(c, c->levels) > 0; c->levels++)
		count += stretches(c, c->levels);
	c->reach = out = ft_malloc((count + 1) * sizeof *c->reach);
	if (!out)
		return ft_nomem(err);
	for (level = 0; level < c->levels; level++)
		for (k = 0, n = (size_t)LEAF << level; k < stretches(c, level); k++)
			*out++ = reach_of(c, k * n, (k + 1) * n);
	return FT_OK;
}

void ft__corners_clear(struct ft__corners *c)
{
	ft_free(c->reach);
	c->reach = NULL;
}

static double excess(const struct ft__corners *c, const struct ft__left_end *q, size_t j)
{
	return c->area[j] - q->area - (c->x[j] - q->x) * (q->y + c->y[j]) / 2;
}

/* The sign that all lines from q to the stretch have, for certain; 0: they may differ. */
static int sign_over(const struct ft__corners *c, const struct ft__reach *r, const struct ft__left_end *q,
		     size_t first, size_t last)
{
	double d = c->x[first] - q->x, at = excess(c, q, first);
	double tilt = (c->x[last] - c->x[first]) * (c->y[first] - q->y - r->slope * d) / 2;

	if (at + fmin(tilt, 0) - r->above[1] * d / 2 + r->area[0] > 2 * c->nothing)
		return 1;
	return at + fmax(tilt, 0) - r->above[0] * d / 2 + r->area[1] < -2 * c->nothing ? -1 : 0;
}

/* The longest stretch that ends at `end`, begins no earlier than `first`, and that no line reaches: where it
 * begins; `end` itself: there is none. */
static size_t pass_over(const struct ft__corners *c, const struct ft__left_end q[2], size_t first, size_t end)
{
	const struct ft__reach *level = c->reach;
	size_t begin = end, n = LEAF, k;

	for (k = 0; k < c->levels && end % n == 0 && end >= n && end - n >= first; k++, n *= 2) {
		const struct ft__reach *r = level + (end / n - 1);
		int sign = sign_over(c, r, &q[0], end - n, end);

		if (!sign || sign != sign_over(c, r, &q[1], end - n, end))
			break;
		begin = end - n;
		level += stretches(c, k);
	}
	return begin;
}

bool ft__corners_before(const struct ft__corners *c, const struct ft__left_end *from, size_t first,
			size_t end, size_t *piece)
{
	const struct ft__left_end q[2] = {*from, {c->x[first], c->y[first], c->area[first]}};
	double a, b;

	while (end > first) {
		size_t begin = pass_over(c, q, first, end), stop;

		if (begin < end) {
			end = begin;
			continue;
		}
		stop = end > LEAF ? (end - 1) / LEAF * LEAF : 0;
		stop = stop > first ? stop : first;
		a = excess(c, &q[0], end);
		b = excess(c, &q[1], end);
		for (; end > stop; end--) {
			double a0 = excess(c, &q[0], end - 1), b0 = excess(c, &q[1], end - 1);
			double least = fmin(fmin(a0, a), fmin(b0, b)), most = fmax(fmax(a0, a), fmax(b0, b));

			if (least <= c->nothing && most >= -c->nothing) {
				*piece = end - 1;
				return true;
			}
			a = a0;
			b = b0;
		}
	}
	return false;
}
