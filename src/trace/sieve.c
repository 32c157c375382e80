/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sieve.c - bounds of what the best L2 line is above the curve at its ends, over stretches of right ends.
 *
 * With L = b - a, f counted from its value at a, F and X the integrals of f and of (x - a) f over a..b,
 *
 *	E = 2 L F - 3 X	           L^2 / 2 times what the best line is above the curve at a
 *	G = 3 X - L F - L^2 f(b) / 2	the same at b
 *
 * E is linear in a along a straight piece, and quadratic in b; G is quadratic in a, and linear in b. Over a
 * stretch that begins at point l, with D = x_l - a, c = f(l), m the slope of the stretch's chord, s the time
 * since l, g what the curve is above the chord, p its integral and P the integral of p up to s,
 *
 *	E = (2 D F - 3 X) + s (2 F - D c) + s^2 (c - D m) / 2 - (D + s) p + 3 P
 *	G = (3 X - D F - c D^2 / 2) + s (D c - F - m D^2 / 2) + 2 (D + s) p - 3 P - (D + s)^2 g / 2
 *
 * with F and X up to l. Bounds of g and p are kept for stretches of all lengths. p changes by little from
 * piece to piece, and stretches nearly as long as D are mostly passed over: O(log n) of them for one a.
 */
#include "trace/sieve.h"

enum { LEAF = 8 };

/* What counts as 0, of the range of the values: more than the rounding of either side of a comparison. */
static const double NOTHING = 4e-13;

/* ---- bounds -------------------------------------------------------------------------------------------- */

static void widen_bound(struct ft__bound *bound, double value)
{
	bound->least = value < bound->least ? value : bound->least;
	bound->most = value > bound->most ? value : bound->most;
}

/* ---- the curve ----------------------------------------------------------------------------------------- */

static size_t count_stretches(const struct ft__sieve *v, size_t level)
{
	size_t n = (size_t)LEAF << level;

	return (v->n - 1 + n - 1) / n;
}

static size_t end_of(const struct ft__sieve *v, size_t first, size_t length)
{
	return v->n - 1 - first > length ? first + length : v->n - 1;
}

static void sum_up(struct ft__sieve *v)
{
	struct ft__sieve_sums sum = {{0, 0}, {0, 0}};
	size_t i;

	for (i = 0; i + 1 < v->n; i++) {
		double h = v->x[i + 1] - v->x[i], f = h * (v->y[i] / 2 + v->y[i + 1] / 2);

		v->to[i] = sum;
		sum.f = ft__sum_add(sum.f, f);
		sum.xf = ft__sum_add_product(sum.xf, v->x[i], f);
		sum.xf = ft__sum_add(sum.xf, h * (f / 2 + h * (v->y[i + 1] - v->y[i]) / 12));
	}
	v->to[i] = sum;
}

/* The integral of g over the stretch between two points. */
static double area_above(const struct ft__sieve *v, size_t first, size_t last)
{
	double chord = (v->x[last] - v->x[first]) * (v->y[first] / 2 + v->y[last] / 2);

	return ft__sum_less(v->to[last].f, v->to[first].f) - chord;
}

static double slope_of(const struct ft__sieve *v, size_t first, size_t last)
{
	return (v->y[last] - v->y[first]) / (v->x[last] - v->x[first]);
}

/* Over a piece p is a parabola, and between its Bernstein coefficients. */
static struct ft__sieve_stretch shortest_stretch(const struct ft__sieve *v, size_t first, size_t last)
{
	struct ft__sieve_stretch r = {.slope = slope_of(v, first, last)};
	double g = 0, p = 0;

	for (size_t j = first + 1; j <= last; j++) {
		double h = v->x[j] - v->x[j - 1],
		       next = v->y[j] - v->y[first] - r.slope * (v->x[j] - v->x[first]);

		widen_bound(&r.above, next);
		widen_bound(&r.area, p + g * h / 2);
		p += h * (g + next) / 2;
		widen_bound(&r.area, p);
		g = next;
	}
	return r;
}

/* Two neighbours as one: their chords are a hat above or below the common one. */
static struct ft__sieve_stretch join_stretches(const struct ft__sieve *v,
					       const struct ft__sieve_stretch part[2], size_t first,
					       size_t middle, size_t last)
{
	double slope = slope_of(v, first, last), h = v->x[middle] - v->x[first];
	double hat = v->y[middle] - v->y[first] - slope * h, half = hat * h / 2;
	double all = hat * (v->x[last] - v->x[first]) / 2, area = area_above(v, first, middle);
	struct ft__bound above = {fmin(part[0].above.least, part[1].above.least) + fmin(hat, 0),
				  fmax(part[0].above.most, part[1].above.most) + fmax(hat, 0)};

	return (struct ft__sieve_stretch){
		slope,
		above,
		{fmin(part[0].area.least + fmin(half, 0), part[1].area.least + area + fmin(half, all)),
		 fmax(part[0].area.most + fmax(half, 0), part[1].area.most + area + fmax(half, all))}};
}

/* The stretches of a level from those of the one before; one without a neighbour stays as it is. */
static void join_level(struct ft__sieve *v, size_t level)
{
	const struct ft__sieve_stretch *part = v->level[level - 1];
	size_t n = (size_t)LEAF << level, k;

	for (k = 0; k < count_stretches(v, level); k++) {
		size_t first = k * n, middle = end_of(v, first, n / 2), last = end_of(v, first, n);

		v->level[level][k] =
			middle < last ? join_stretches(v, part + 2 * k, first, middle, last) : part[2 * k];
	}
}

enum ft_status ft__sieve_init(struct ft__sieve *v, struct ft_arena *arena, struct ft_err *err)
{
	size_t count = 0;

	for (v->levels = 0; !v->levels || count_stretches(v, v->levels - 1) > 1; v->levels++)
		count += count_stretches(v, v->levels);
	v->to = ft_arena_take(arena, v->n, sizeof *v->to);
	struct ft__sieve_stretch *stretch = v->level[0] = ft_arena_take(arena, count, sizeof *stretch);
	FT_TRY(ft_arena_check(arena, err));
	sum_up(v);
	for (size_t k = 0; k < count_stretches(v, 0); k++)
		stretch[k] = shortest_stretch(v, k * LEAF, end_of(v, k * LEAF, LEAF));
	for (size_t level = 1; level < v->levels; level++) {
		v->level[level] = v->level[level - 1] + count_stretches(v, level - 1);
		join_level(v, level);
	}
	return FT_OK;
}

/* F and X from point i to point j, f counted from its value at i. */
static void integrals_between(const struct ft__sieve *v, size_t i, size_t j, double *f, double *xf)
{
	double h = v->x[j] - v->x[i], all = ft__sum_less(v->to[j].f, v->to[i].f);
	struct ft__sum product = ft__sum_add_product((struct ft__sum){0, 0}, v->x[i], all);
	struct ft__sum moment = {v->to[j].xf.high - v->to[i].xf.high, v->to[j].xf.low - v->to[i].xf.low};

	*f = all - h * v->y[i];
	*xf = ft__sum_less(moment, product) - h * h * v->y[i] / 2;
}

struct ft__span ft__sieve_span(const struct ft__sieve *v, size_t i, size_t j)
{
	double h = v->x[j] - v->x[i], f, xf;

	if (!(h > 0))
		return (struct ft__span){0, v->y[i], 0, 0};
	integrals_between(v, i, j, &f, &xf);
	return (struct ft__span){h, v->y[i] + f / h, 12 * (xf - f * h / 2) / (h * h * h), 0};
}

/* ---- what is passed over ------------------------------------------------------------------------------- */

/* The piece on which lines begin: from a place to a point. */
struct sieve_left {
	struct ft__xy from;
	size_t first;
	double h, rise; /* from the one to the other */
};

/* A left end as a stretch sees it. */
struct sieve_view {
	double d, c, f, x; /* D, c, F, X */
};

static void view_from(const struct ft__sieve *v, const struct sieve_left *left, size_t l,
		      struct sieve_view view[2])
{
	double h = v->x[l] - v->x[left->first], dx = left->h, dy = left->rise, f, xf;

	integrals_between(v, left->first, l, &f, &xf);
	view[1] = (struct sieve_view){h, v->y[l] - v->y[left->first], f, xf};
	view[0] = (struct sieve_view){h + dx, v->y[l] - left->from.y, f + dy * (h + dx / 2),
				      xf + dx * f + dy * (h * (h / 2 + dx) + dx * dx / 3)};
}

/* Bounds of v0 + v1 s + v2 s^2 for s from 0 to S. */
static struct ft__bound bound_quadratic(double v0, double v1, double v2, double s)
{
	struct ft__bound bound = {v0, v0};

	widen_bound(&bound, v0 + v1 * s / 2);
	widen_bound(&bound, v0 + (v1 + v2 * s) * s);
	return bound;
}

static int sign_of(struct ft__bound bound, double nothing)
{
	return bound.least > nothing ? 1 : bound.most < -nothing ? -1 : 0;
}

/* The sign of E. */
static int sign_left(const struct sieve_view *a, const struct ft__sieve_stretch *r, double s, double nothing)
{
	struct ft__bound e = bound_quadratic(2 * a->d * a->f - 3 * a->x, 2 * a->f - a->d * a->c,
					     (a->c - a->d * r->slope) / 2, s);

	e.least += 3 * s * r->area.least - (a->d + s) * r->area.most;
	e.most += 3 * s * r->area.most - (a->d + s) * r->area.least;
	return sign_of(e, nothing);
}

/* The sign of G + (h / 2) dG/da, where dG/da = L f(b) - 2 F; h <= D. With h = 0 and, at the other end of the
 * left piece, 0 again these are the Bernstein coefficients of G over that piece. */
static int sign_right(const struct sieve_view *a, const struct ft__sieve_stretch *r, double s, double h,
		      double nothing)
{
	double d = a->d, wide = 2 * (d + s) - h, most = (d + s) * (d + s - h) / 2;
	double g0 = 3 * a->x - d * a->f - a->c * d * d / 2 + (d * a->c - 2 * a->f) * h / 2;
	double g1 = d * a->c - a->f - r->slope * d * d / 2 + (d * r->slope - a->c) * h / 2;
	struct ft__bound g = bound_quadratic(g0, g1, 0, s);

	g.least += wide * r->area.least - 3 * s * r->area.most - most * r->above.most;
	g.most += wide * r->area.most - 3 * s * r->area.least - most * r->above.least;
	return sign_of(g, nothing);
}

/* Is there no line to the stretch between two points? */
static bool is_excluded(const struct ft__sieve *v, const struct sieve_left *left,
			const struct ft__sieve_stretch *r, size_t begin, size_t end)
{
	double s = v->x[end] - v->x[begin], all = v->x[end] - left->from.x;
	double nothing = NOTHING * v->size * all * all / 2;
	struct sieve_view view[2];

	view_from(v, left, begin, view);
	int one = sign_left(&view[0], r, s, nothing);
	if (one && one == sign_left(&view[1], r, s, nothing))
		return true;
	one = sign_right(&view[0], r, s, 0, nothing);
	return one && one == sign_right(&view[1], r, s, 0, nothing) &&
	       one == sign_right(&view[0], r, s, left->h, nothing);
}

/* May a line end on the piece that begins at point j? On the very next one only if that goes on straight. */
static bool may_end(const struct ft__sieve *v, const struct sieve_left *left, size_t j)
{
	const struct ft__sieve_stretch piece = {.slope = slope_of(v, j, j + 1)};
	struct sieve_view view[2];

	if (j > left->first)
		return !is_excluded(v, left, &piece, j, j + 1);
	view_from(v, left, j + 1, view);
	double l = view[0].d;
	return fabs(2 * l * view[0].f - 3 * view[0].x) <= NOTHING * v->size * l * l / 2;
}

/* The last piece from `stop` on, before `end`, on which a line may end. */
static bool last_piece(const struct ft__sieve *v, const struct sieve_left *left, size_t stop, size_t end,
		       size_t *piece)
{
	for (; end > stop; end--)
		if (may_end(v, left, end - 1)) {
			*piece = end - 1;
			return true;
		}
	return false;
}

bool ft__sieve_before(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t end, size_t *piece)
{
	const struct sieve_left left = {from, first, v->x[first] - from.x, v->y[first] - from.y};
	size_t k = v->levels - 1;

	while (end > first) { /* the stretch of level k around the last piece before `end` */
		size_t n = (size_t)LEAF << k, at = (end - 1) / n, begin = at * n;

		if (begin > first && is_excluded(v, &left, &v->level[k][at], begin, end_of(v, begin, n))) {
			end = begin;
			k += at % 2 == 0 && k + 1 < v->levels;
		} else if (k) {
			k--;
		} else if (last_piece(v, &left, begin > first ? begin : first, end, piece)) {
			return true;
		} else {
			end = begin;
		}
	}
	return false;
}
