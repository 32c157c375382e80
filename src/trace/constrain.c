/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constrain.c - constrained placement (003 section 3.2): from the left the longest admissible line, again and
 * again; P and lambda bound the search. */
#include "num/line.h"
#include "num/order.h"
#include "trace/sieve.h"

#include <math.h>
#include <string.h>

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

/* Is the middle one of three points on the line between the others? */
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
	s.inner = ft__sieve_span(&p->sieve, q->i, j);
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

static enum ft_status check_lambda(const struct ft_pwl *f, const double *keep, size_t n_keep, double lambda,
				   struct ft_err *err)
{
	if (!(lambda >= 1) || isinf(lambda)) {
		(void)ft_fail(err, FT_EINVAL, "lambda is %g, and must be 1 or more", lambda);
		return ft_remedy(err, "1 lets a line be as long as may be, 10 a tenth of the whole");
	}
	for (size_t i = 0; i < n_keep; i++)
		if (!(keep[i] >= ft_pwl_begin(f) && keep[i] <= ft_pwl_end(f))) {
			(void)ft_fail(err, FT_EINVAL, "the time to keep, %.15g, is outside %.15g .. %.15g",
				      keep[i], ft_pwl_begin(f), ft_pwl_end(f));
			return ft_remedy(err, "name times within the trace");
		}
	return FT_OK;
}

/* Nodes back to the curve's own origin; at its points exactly its times and values. */
static void move_back(struct ft_nodes *nodes, const struct ft_pwl *f)
{
	double range[2];
	size_t n = 0;

	ft_pwl_range(f, range, NULL);
	for (size_t i = 0; i < nodes->n; i++) {
		double t = f->t0 + nodes->t[i], y = fmin(fmax(f->y0 + nodes->y[i], range[0]), range[1]);

		if (n && !(t > nodes->t[n - 1]))
			continue;
		nodes->t[n] = t;
		nodes->y[n++] = y;
	}
	nodes->n = n;
	nodes->t[n - 1] = f->t[f->n - 1];
	nodes->y[n - 1] = f->y[f->n - 1];
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
	FT_TRY(check_lambda(f, keep, n_keep, lambda, err));
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
	move_back(&nodes, f);
	*out = nodes;
	nodes = (struct ft_nodes){0};
	return FT_OK;
}
