/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constrain.c - constrained placement (003 section 3.2): from the left the longest admissible line, again and
 * again; P and lambda bound the search. */
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>

/* Plus a b, and what is lost in rounding that. */
static inline struct ft__sum ft__sum_add_product(struct ft__sum sum, double a, double b)
{
	double product = a * b;

	sum.low += fma(a, b, -product);
	return ft__sum_add(sum, product);
}

/*
 * The line between two pieces of a curve that is also its best L2 line there.
 *
 * With u the position on the left piece and v that on the right one, both 0 .. 1, two conditions:
 *
 * 	D(u, v) = area under the curve - area under the line = 0	bilinear
 * 	H(u, v) = rise of the curve's best line - rise of the line = 0
 *
 * The first gives v = V(u), a quotient of lines, hence monotone between its pole. On the way along it, with x
 * the line's begin, h its length, L its slope and l that of the left piece, dL/dx = 2 (L - l) / h: L - l
 * keeps its sign; and dM/dx = (l - L) h^2 / 6 for M = H h^2 / 12, the moments about the middle. So H has one
 * zero at most between two ends, where its signs differ. The document's bracket of four candidate lines (I to
 * IV) misses some.
 */

/* An area or rise below this is zero, relative to the curve's range. */
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

/*
 * Bounds of what the best L2 line is above the curve at its ends, over stretches of right ends.
 *
 * With L = b - a, f counted from its value at a, F and X the integrals of f and of (x - a) f over a..b,
 *
 * 	E = 2 L F - 3 X	           L^2 / 2 times what the best line is above the curve at a
 * 	G = 3 X - L F - L^2 f(b) / 2	the same at b
 *
 * E is linear in a along a straight piece, and quadratic in b; G is quadratic in a, and linear in b. Over a
 * stretch that begins at point l, with D = x_l - a, c = f(l), m the slope of the stretch's chord, s the time
 * since l, g what the curve is above the chord, p its integral and P the integral of p up to s,
 *
 * 	E = (2 D F - 3 X) + s (2 F - D c) + s^2 (c - D m) / 2 - (D + s) p + 3 P
 * 	G = (3 X - D F - c D^2 / 2) + s (D c - F - m D^2 / 2) + 2 (D + s) p - 3 P - (D + s)^2 g / 2
 *
 * with F and X up to l. Bounds of g and p are kept for stretches of all lengths. p changes by little from
 * piece to piece, and stretches nearly as long as D are mostly passed over: O(log n) of them for one a.
 */

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

enum ft_status ft__sieve_init(struct ft__sieve *v, struct ft_arena *arena, struct ft_err *err)
{
	size_t count = 0;

	for (v->levels = 0; !v->levels || count_stretches(v, v->levels - 1) > 1; v->levels++)
		count += count_stretches(v, v->levels);
	v->to = ft_arena_take(arena, v->n, sizeof *v->to);
	struct ft__sieve_stretch *stretch = v->level[0] = ft_arena_take(arena, count, sizeof *stretch);
	FT_TRY(ft_arena_check(arena, err));
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
	for (size_t k = 0; k < count_stretches(v, 0); k++)
		stretch[k] = shortest_stretch(v, k * LEAF, end_of(v, k * LEAF, LEAF));
	for (size_t level = 1; level < v->levels; level++) {
		v->level[level] = v->level[level - 1] + count_stretches(v, level - 1);
		/* The stretches of a level from those of the one before; one without a neighbour stays as it is. */
		const struct ft__sieve_stretch *part = v->level[level - 1];
		size_t n = (size_t)LEAF << level, k;

		for (k = 0; k < count_stretches(v, level); k++) {
			size_t first = k * n, middle = end_of(v, first, n / 2), last = end_of(v, first, n);

			v->level[level][k] = middle < last
						     ? join_stretches(v, part + 2 * k, first, middle, last)
						     : part[2 * k];
		}
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

/* sieve_span - the curve from point i to point j; without what its line leaves. */
static struct ft__span sieve_span(const struct ft__sieve *v, size_t i, size_t j)
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

/*
 * Constrained placement (003 section 3.2): from the left the longest admissible line, again and
 * again; P and lambda bound the search.
 */

/* The curve without points on straight lines; from t0 and y0. */
struct constrain_points {
	const struct ft_pwl *f;
	double *x, *y;
	size_t n;
	struct ft__sieve sieve;
};

struct constrain_growing {
	struct ft_nodes *nodes;
	size_t capacity;
};

static bool push_node(struct constrain_growing *g, double x, double y)
{
	struct ft_nodes *nodes = g->nodes;
	size_t capacity = g->capacity;
	double *t = ft_grow(nodes->t, nodes->n, &capacity, sizeof *t), *values;

	if (!t)
		return false;
	nodes->t = t;
	capacity = g->capacity;
	values = ft_grow(nodes->y, nodes->n, &capacity, sizeof *values);
	if (!values)
		return false;
	nodes->y = values;
	g->capacity = capacity;
	nodes->t[nodes->n] = x;
	nodes->y[nodes->n++] = y;
	return true;
}

/* Is the middle one of three points on the line between the outer ones? */
static bool is_straight(double x0, double y0, double x1, double y1, double x2, double y2)
{
	double share = (x1 - x0) / (x2 - x0), on = y0 + share * (y2 - y0);

	return fabs(on - y1) <= 1e-15 * fmax(fabs(y0), fmax(fabs(y1), fabs(y2)));
}

static enum ft_status points_make(struct constrain_points *p, struct ft_arena *arena, const struct ft_pwl *f,
				  struct ft_err *err)
{
	double least = 0, most = 0;

	*p = (struct constrain_points){.f = f,
				       .x = ft_arena_take(arena, f->n, sizeof *p->x),
				       .y = ft_arena_take(arena, f->n, sizeof *p->y)};
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < f->n; i++) {
		double x = f->t[i] - f->t0, y = f->y[i] - f->y0;

		if (p->n >= 2 &&
		    is_straight(p->x[p->n - 2], p->y[p->n - 2], p->x[p->n - 1], p->y[p->n - 1], x, y))
			p->n--;
		p->x[p->n] = x;
		p->y[p->n++] = y;
		least = fmin(least, y);
		most = fmax(most, y);
	}
	p->sieve = (struct ft__sieve){.x = p->x, .y = p->y, .n = p->n, .size = most - least};
	return ft__sieve_init(&p->sieve, arena, err);
}

/* A search for one line: it begins on the piece that ends at point i, after `from`, and ends by `limit`. */
struct quest {
	const struct constrain_points *p;
	struct ft__xy from;
	size_t i;
	double limit;
};

/* The line that ends on the piece from point j to the next. */
static bool try_piece(const struct quest *q, size_t j, struct ft__xy *begin, struct ft__xy *end)
{
	const struct constrain_points *p = q->p;
	struct ft__stretch s = {.left = {q->from, {p->x[q->i], p->y[q->i]}},
				.right = {{p->x[j], p->y[j]}, {p->x[j + 1], p->y[j + 1]}},
				.size = p->sieve.size};

	if (s.right[1].x > q->limit) {
		s.right[1].y = ft_line_at(q->limit, s.right[0].x, s.right[0].y, s.right[1].x, s.right[1].y);
		s.right[1].x = q->limit;
	}
	s.inner = sieve_span(&p->sieve, q->i, j);
	return ft__admissible(&s, begin, end);
}

/* The farthest line: pieces from the last before the limit back to the next but one. The limit may cut the
 * last piece: its corner is not known, and it is always tried. */
static bool farthest_line(const struct quest *q, size_t last, size_t *piece, struct ft__xy *begin,
			  struct ft__xy *end)
{
	for (*piece = last; !try_piece(q, *piece, begin, end);)
		if (!ft__sieve_before(&q->p->sieve, q->from, q->i, *piece, piece))
			return false;
	return true;
}

/* One part of P: from point `first` + `from` on, to x = end. */
static bool walk_part(const struct constrain_points *p, struct constrain_growing *out, double begin,
		      double end, double reach)
{
	size_t i = 1;
	struct quest q = {.p = p};

	while (i + 1 < p->n && p->x[i] <= begin)
		i++;
	q.from = (struct ft__xy){begin, ft__pwl_value(p->f, begin)};
	while (q.from.x < end) {
		struct ft__xy a, b;
		size_t piece = i;
		bool found = false;

		q.i = i;
		q.limit = fmin(end, q.from.x + reach);
		if (p->x[i] < q.limit) { /* the last piece that begins before the limit */
			size_t last = i + ft_count_below(p->x + i, p->n - 1 - i, q.limit) - 1;
			found = farthest_line(&q, last, &piece, &a, &b);
		}
		if (!found) {
			b = (struct ft__xy){fmin(p->x[i], end), p->y[i]};
			if (p->x[i] > end)
				b.y = ft__pwl_value(p->f, end);
			piece = i - 1;
		} else if (a.x > q.from.x && !push_node(out, a.x, a.y)) {
			return false;
		}
		if (b.x > end)
			b.x = end;
		if (!push_node(out, b.x, b.y))
			return false;
		q.from = b;
		i = piece + 1;
		while (i + 1 < p->n && p->x[i] <= b.x)
			i++;
	}
	return true;
}

enum ft_status ft_pwl_constrain(struct ft_nodes *out, const struct ft_pwl *f, const double *keep,
				size_t n_keep, double lambda, struct ft_err *err)
{
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes nodes = {0};
	struct constrain_growing g = {.nodes = &nodes};
	struct constrain_points p;
	double begin = 0;
	FT_ARENA(work);

	*out = (struct ft_nodes){0};
	if (!(lambda >= 1) || isinf(lambda)) {
		(void)ft_fail(err, FT_EINVAL, "lambda is %g, and must be 1 or more", lambda);
		return ft_remedy(err, "1 lets a line be as long as may be, 10 a tenth of the whole");
	}
	for (size_t k = 0; k < n_keep; k++)
		if (!(keep[k] >= ft_pwl_begin(f) && keep[k] <= ft_pwl_end(f))) {
			(void)ft_fail(err, FT_EINVAL, "the time to keep, %.15g, is outside %.15g .. %.15g",
				      keep[k], ft_pwl_begin(f), ft_pwl_end(f));
			return ft_remedy(err, "name times within the trace");
		}
	FT_TRY(points_make(&p, &work, f, err));
	double *stop = ft_arena_take(&work, n_keep + 1, sizeof *stop);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n_keep; i++)
		stop[i] = keep[i] - f->t0;
	stop[n_keep] = f->length;
	ft_sort(stop, n_keep + 1);
	if (!push_node(&g, 0, 0))
		return ft_nomem(err);
	for (size_t i = 0; i <= n_keep; i++) {
		if (!(stop[i] > begin))
			continue;
		if (!walk_part(&p, &g, begin, stop[i], f->length / lambda))
			return ft_nomem(err);
		begin = stop[i];
	}
	/* Nodes back to the curve's own origin; at its points exactly its times and values. */
	double range[2];
	size_t n = 0;

	ft_pwl_range(f, range, NULL);
	for (size_t l = 0; l < nodes.n; l++) {
		double t = f->t0 + nodes.t[l], y = fmin(fmax(f->y0 + nodes.y[l], range[0]), range[1]);

		if (n && !(t > nodes.t[n - 1]))
			continue;
		nodes.t[n] = t;
		nodes.y[n++] = y;
	}
	nodes.n = n;
	nodes.t[n - 1] = f->t[f->n - 1];
	nodes.y[n - 1] = f->y[f->n - 1];
	*out = nodes;
	nodes = (struct ft_nodes){0};
	return FT_OK;
}
