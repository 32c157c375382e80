/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.c - what nodes cost and gain, from parabolas that are passed along the pieces. */
#include "trace/chain.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct ft__parabola ft__parabola_end(double value, enum ft_pwl_ends ends)
{
	return (struct ft__parabola){ends == FT_PWL_FREE ? 0 : INFINITY, value, 0};
}

/* Over a piece from one end, where the curve's best line is `near`, to the other, where it is `far`. With p
 * and q the distances from that line, the piece costs r + h/3 (p^2 + p q + q^2); the sum with a (p - e)^2 is
 * least over p where 2 a (p - e) + h/3 (2 p + q) = 0. */
static struct ft__parabola pass_piece(struct ft__parabola at, const struct ft__span *piece, double near,
				      double far)
{
	double h = piece->h, e = at.b - near;
	struct ft__parabola out;

	if (isinf(at.a)) {
		out.a = h / 3;
		out.b = far - e / 2;
		out.c = at.c + piece->r + h / 4 * e * e;
		return out;
	}
	double p = at.a * e / (at.a + h / 4); /* where both are least: q = -p / 2 */
	out.a = h / 3 - h / 3 * (h / 3) / (4 * (at.a + h / 3));
	out.b = far - p / 2;
	out.c = at.c + piece->r + p * h / 4 * e;
	return out;
}

struct ft__parabola ft__parabola_right(struct ft__parabola at_begin, const struct ft__span *piece)
{
	double rise = piece->slope * piece->h / 2;

	return pass_piece(at_begin, piece, piece->mean - rise, piece->mean + rise);
}

static struct ft__parabola parabola_left(struct ft__parabola at_end, const struct ft__span *piece)
{
	double rise = piece->slope * piece->h / 2;

	return pass_piece(at_end, piece, piece->mean + rise, piece->mean - rise);
}

double ft__parabola_meet(struct ft__parabola left, struct ft__parabola right)
{
	double d = left.b - right.b, a;

	if (isinf(left.a))
		a = right.a;
	else if (isinf(right.a))
		a = left.a;
	else
		a = left.a + right.a > 0 ? left.a * right.a / (left.a + right.a) : 0;
	return left.c + right.c + a * d * d;
}

enum ft_status ft__chain_init(struct ft__chain *chain, struct ft_arena *arena, const struct ft_pwl *f,
			      enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	*chain = (struct ft__chain){.f = f,
				    .ends = ends,
				    .most = most,
				    .x = ft_arena_take(arena, most, sizeof *chain->x),
				    .span = ft_arena_take(arena, most, sizeof *chain->span),
				    .left = ft_arena_take(arena, most, sizeof *chain->left),
				    .right = ft_arena_take(arena, most, sizeof *chain->right)};
	return ft_arena_check(arena, err);
}

void ft__chain_sweep(struct ft__chain *c)
{
	size_t last = c->n - 1;

	c->left[0] = ft__parabola_end(0, c->ends); /* values count from the first point's */
	for (size_t j = 0; j < last; j++)
		c->left[j + 1] = ft__parabola_right(c->left[j], &c->span[j]);
	c->right[last] = ft__parabola_end(c->f->y[c->f->n - 1] - c->f->y0, c->ends);
	for (size_t j = last; j-- > 0;)
		c->right[j] = parabola_left(c->right[j + 1], &c->span[j]);
}

void ft__chain_set(struct ft__chain *c, const double *x, size_t n)
{
	assert(n >= 2 && n <= c->most);
	memcpy(c->x, x, n * sizeof *x);
	c->n = n;
	ft__pwl_spans(c->f, x, n, c->span);
	ft__chain_sweep(c);
}

double ft__chain_square(const struct ft__chain *c)
{
	return ft__parabola_meet(c->left[c->n - 1], c->right[c->n - 1]);
}

/* F without node 0 < j < n - 1. */
static double without_node(const struct ft__chain *c, size_t j)
{
	struct ft__span both = ft__span_join(c->span[j - 1], c->span[j]);

	return ft__parabola_meet(ft__parabola_right(c->left[j - 1], &both), c->right[j + 1]);
}

double ft__chain_with(const struct ft__chain *c, size_t j, double x, double z)
{
	struct ft__span piece = ft__pwl_span(c->f, c->x[j], x);
	struct ft__parabola at = ft__parabola_right(c->left[j], &piece);

	if (!isnan(z)) {
		piece = ft__pwl_span(c->f, x, z);
		at = ft__parabola_right(at, &piece);
		x = z;
	}
	piece = ft__pwl_span(c->f, x, c->x[j + 1]);
	return ft__parabola_meet(ft__parabola_right(at, &piece), c->right[j + 1]);
}

void ft__chain_insert(struct ft__chain *c, size_t j, double x)
{
	assert(c->n < c->most && x > c->x[j] && x < c->x[j + 1]);
	memmove(c->x + j + 2, c->x + j + 1, (c->n - j - 1) * sizeof *c->x);
	memmove(c->span + j + 1, c->span + j, (c->n - 1 - j) * sizeof *c->span);
	c->x[j + 1] = x;
	c->n++;
	c->span[j] = ft__pwl_span(c->f, c->x[j], x);
	c->span[j + 1] = ft__pwl_span(c->f, x, c->x[j + 2]);
}

void ft__chain_remove(struct ft__chain *c, size_t j)
{
	assert(j > 0 && j + 1 < c->n);
	c->span[j - 1] = ft__span_join(c->span[j - 1], c->span[j]);
	memmove(c->span + j, c->span + j + 1, (c->n - 2 - j) * sizeof *c->span);
	memmove(c->x + j, c->x + j + 1, (c->n - 1 - j) * sizeof *c->x);
	c->n--;
}

size_t ft__chain_cheapest(const struct ft__chain *c)
{
	double least = INFINITY;
	size_t cheapest = 1;

	for (size_t j = 1; j + 1 < c->n; j++) {
		double square = without_node(c, j);

		if (square < least) {
			least = square;
			cheapest = j;
		}
	}
	return cheapest;
}

/* Remove up to `wanted` nodes that cost no more than `limit`, none beside another. */
static void remove_below(struct ft__chain *c, const double *cost, double limit, size_t wanted)
{
	size_t kept = 1, removed = 0;
	bool just = false;

	for (size_t j = 1; j + 1 < c->n; j++) {
		if (removed < wanted && !just && cost[j] <= limit) {
			c->span[kept - 1] = ft__span_join(c->span[kept - 1], c->span[j]);
			removed++;
			just = true;
			continue;
		}
		c->x[kept] = c->x[j];
		c->span[kept] = c->span[j];
		kept++;
		just = false;
	}
	c->x[kept] = c->x[c->n - 1];
	c->n = kept + 1;
}

enum ft_status ft__chain_thin(struct ft__chain *c, size_t n, struct ft_err *err)
{
	FT_OWN double *cost = ft_malloc(c->n * sizeof *cost);

	if (!cost)
		return ft_nomem(err);
	ft__chain_sweep(c);
	while (c->n > n) {
		size_t surplus = c->n - n, wanted = surplus > 8 ? surplus / 4 : 1;

		for (size_t j = 1; j + 1 < c->n; j++)
			cost[j] = without_node(c, j);
		remove_below(c, cost, ft_stats_ranked(cost + 1, c->n - 2, wanted - 1), wanted);
		ft__chain_sweep(c);
	}
	return FT_OK;
}
