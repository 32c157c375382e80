/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp.c - the best nodes among given times, by dynamic programming over parabolas. */
#include "trace/chain.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

/* Values of a node at which parabolas are compared: over the whole range, and where the curve is about. */
enum { OVER_RANGE = 8, NEARBY = 8, VALUES = OVER_RANGE + NEARBY, KEPT = VALUES + 1 };

/* A way to a node: the error so far as a function of its value, and where it came from. */
struct dp_way {
	struct ft__parabola p;
	uint32_t from;  /* candidate */
	uint32_t which; /* its way */
};

struct dp_table {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	const double *x;
	size_t m, most;
	struct ft__span *cell; /* [m - 1] */
	struct dp_way *way;    /* [m][most + 1][KEPT] */
	uint8_t *count;        /* [m][most + 1] */
	/* of the present candidate */
	double value[VALUES];
	double (*lowest)[KEPT];      /* [most + 1] at each value; the last: the least anywhere */
	struct dp_way (*best)[KEPT]; /* [most + 1] */
	double *worst;               /* [most + 1] the largest of `lowest` */
	double range[2];
};

static struct dp_way *ways_to(const struct dp_table *t, size_t at, size_t pieces)
{
	return t->way + (at * (t->most + 1) + pieces) * KEPT;
}

/* What the curve is about at a candidate, seen from either side over 1, 3 and 9 cells; the curve itself. */
static void choose_values(struct dp_table *t, size_t at)
{
	struct ft__span left = {0}, right = {0};
	size_t i, k = 0, reach;

	for (i = 0; i < OVER_RANGE; i++)
		t->value[k++] =
			t->range[0] + (t->range[1] - t->range[0]) * ((double)i - 1) / (OVER_RANGE - 3);
	t->value[k++] = ft__pwl_value(t->f, t->x[at]);
	for (i = 0, reach = 1; reach <= 9; reach *= 3) {
		for (; i < reach; i++) {
			if (at > i)
				left = ft__span_join(t->cell[at - 1 - i], left);
			if (at + i + 1 < t->m)
				right = ft__span_join(right, t->cell[at + i]);
		}
		t->value[k++] = left.mean + left.slope * left.h / 2;
		t->value[k++] = right.mean - right.slope * right.h / 2;
	}
	t->value[k++] = (left.mean + right.mean) / 2;
	assert(k == VALUES);
}

static void forget_ways(struct dp_table *t)
{
	for (size_t k = 0; k <= t->most; k++) {
		t->worst[k] = INFINITY;
		for (size_t i = 0; i < KEPT; i++)
			t->lowest[k][i] = INFINITY;
	}
}

/* A way with so many pieces to the present candidate: kept where it is lowest. Most are lowest nowhere: that
 * is found out first, without branches. */
static void offer_way(struct dp_table *t, size_t pieces, struct dp_way way)
{
	double *lowest = t->lowest[pieces], at[VALUES], worst = 0;
	int lower = way.p.c < lowest[VALUES];

	for (size_t i = 0; i < VALUES; i++) {
		double d = t->value[i] - way.p.b;

		at[i] = way.p.a * d * d + way.p.c;
		lower |= at[i] < lowest[i];
	}
	if (!lower)
		return;
	for (size_t i = 0; i < VALUES; i++) {
		if (at[i] < lowest[i]) {
			lowest[i] = at[i];
			t->best[pieces][i] = way;
		}
		worst = lowest[i] > worst ? lowest[i] : worst;
	}
	if (way.p.c < lowest[VALUES]) {
		lowest[VALUES] = way.p.c;
		t->best[pieces][VALUES] = way;
	}
	t->worst[pieces] = worst;
}

/* The different ones of the kept ways. */
static void keep_ways(struct dp_table *t, size_t at)
{
	size_t j;

	for (size_t k = 1; k <= t->most; k++) {
		struct dp_way *out = ways_to(t, at, k);
		size_t n = 0;

		for (size_t i = 0; i < KEPT && !isinf(t->lowest[k][VALUES]); i++) {
			const struct dp_way *w = &t->best[k][i];

			for (j = 0; j < n && (out[j].from != w->from || out[j].which != w->which); j++)
				;
			if (j == n)
				out[n++] = *w;
		}
		t->count[at * (t->most + 1) + k] = (uint8_t)n;
	}
}

/* All ways to a candidate: from every earlier one, with one piece more. */
static void reach_candidate(struct dp_table *t, size_t at)
{
	struct ft__span piece = {0};

	choose_values(t, at);
	if (at + 1 == t->m)
		t->value[0] = t->f->y[t->f->n - 1] - t->f->y0;
	forget_ways(t);
	for (size_t s = at; s-- > 0;) {
		piece = ft__span_join(t->cell[s], piece);
		for (size_t k = 0; k < t->most && k <= s; k++) {
			const struct dp_way *from = ways_to(t, s, k);
			size_t n = t->count[s * (t->most + 1) + k];

			for (size_t i = 0; i < n; i++)
				if (from[i].p.c + piece.r < t->worst[k + 1])
					offer_way(t, k + 1,
						  (struct dp_way){ft__parabola_right(from[i].p, &piece),
								  (uint32_t)s, (uint32_t)i});
		}
	}
	keep_ways(t, at);
}

/* The best way to the end with so many pieces, and back. */
static double trace_back(const struct dp_table *t, size_t pieces, size_t *node)
{
	size_t at = t->m - 1, n = t->count[at * (t->most + 1) + pieces], which = 0, i, k;
	const struct dp_way *way = ways_to(t, at, pieces);
	struct ft__parabola end = ft__parabola_end(t->f->y[t->f->n - 1] - t->f->y0, t->ends);
	double least = INFINITY;

	for (i = 0; i < n; i++) {
		double square = ft__parabola_meet(way[i].p, end);

		if (square < least) {
			least = square;
			which = i;
		}
	}
	if (isinf(least))
		return least;
	for (k = pieces; k > 0; k--) {
		const struct dp_way *w = ways_to(t, at, k) + which;

		node[k] = at;
		at = w->from;
		which = w->which;
	}
	node[0] = 0;
	return least;
}

static void fill_table(struct dp_table *t, double *square, size_t *node)
{
	ways_to(t, 0, 0)[0] = (struct dp_way){ft__parabola_end(0, t->ends), 0, 0};
	t->count[0] = 1;
	for (size_t i = 1; i < t->m; i++)
		reach_candidate(t, i);
	square[0] = INFINITY;
	for (size_t k = 1; k <= t->most; k++)
		square[k] = trace_back(t, k, node + k * (t->most + 1));
}

enum ft_status ft__dp(const struct ft_pwl *f, enum ft_pwl_ends ends, const double *x, size_t m, size_t most,
		      double *square, size_t *node, struct ft_err *err)
{
	FT_ARENA(work);
	struct dp_table t = {.f = f,
			     .ends = ends,
			     .x = x,
			     .m = m,
			     .most = most,
			     .cell = ft_arena_take(&work, m - 1, sizeof *t.cell),
			     .way = ft_arena_take(&work, m * (most + 1) * KEPT, sizeof *t.way),
			     .count = ft_arena_take(&work, m * (most + 1), sizeof *t.count),
			     .lowest = ft_arena_take(&work, most + 1, sizeof *t.lowest),
			     .best = ft_arena_take(&work, most + 1, sizeof *t.best),
			     .worst = ft_arena_take(&work, most + 1, sizeof *t.worst)};

	assert(m >= 2 && most >= 1);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i + 1 < m; i++)
		t.cell[i] = ft__pwl_span(f, x[i], x[i + 1]);
	for (size_t i = 0; i < m; i++) {
		double value = ft__pwl_value(f, x[i]);

		t.range[0] = i ? fmin(t.range[0], value) : value;
		t.range[1] = i ? fmax(t.range[1], value) : value;
	}
	fill_table(&t, square, node);
	return FT_OK;
}
