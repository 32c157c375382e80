/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - where the search for nodes begins: equal distances, merging, dynamic programming, a user's; and
 * good nodes for all numbers of pieces. */
#include "trace/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MESH_LEAST = 512, MESH_MOST = 16384, CANDIDATES_EACH = 7, CANDIDATES_MOST = 200, SETTLE = 20 };

/* Descent along the path ends when its steps gain less than this share of F. */
static const double ROUGHLY = 1e-3;

enum ft_status ft__seek_init(struct ft__seek *s, struct ft_arena *arena, const struct ft_pwl *f,
			     enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	size_t cells = 8 * most > MESH_LEAST ? 8 * most : MESH_LEAST;

	*s = (struct ft__seek){.f = f, .coarse = *f, .ends = ends, .most = most, .arena = arena};
	if (cells > MESH_MOST)
		cells = most + most / 2 > MESH_MOST ? most + most / 2 : MESH_MOST;
	FT_TRY(ft__sketch_init(&s->sketch, arena, f, err));
	s->coarse.sketch = &s->sketch;
	s->mesh = ft_arena_take(arena, cells + 1, sizeof *s->mesh);
	s->best = ft_arena_take(arena, most + 3, sizeof *s->best);
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(ft__mesh(&s->coarse, cells, s->mesh, &s->n_mesh, err));
	FT_TRY(ft__placing_init(&s->place, arena, &s->coarse, ends, most + 3, err));
	return ft__chain_init(&s->chain, arena, &s->coarse, ends, (s->n_mesh > most ? s->n_mesh : most) + 3,
			      err);
}

void ft__seek_polish(struct ft__seek *s, int steps, double least)
{
	s->place.f = s->f;
	(void)ft__placing_look(&s->place, s->place.x, s->place.n);
	(void)ft__placing_descend(&s->place, steps, least);
	s->place.f = &s->coarse;
}

void ft__start_equal(struct ft__seek *s, size_t n)
{
	double *x = s->place.x;

	for (size_t j = 0; j < n; j++)
		x[j] = s->f->length * ((double)j / (double)n);
	x[n] = s->f->length;
	(void)ft__placing_look(&s->place, x, n + 1);
}

/* More nodes, in the middle of the longest pieces, until there are n. */
static void fill_nodes(double *x, size_t *count, size_t n)
{
	while (*count < n) {
		size_t longest = 1;

		for (size_t j = 2; j < *count; j++)
			if (x[j] - x[j - 1] > x[longest] - x[longest - 1])
				longest = j;
		memmove(x + longest + 1, x + longest, (*count - longest) * sizeof *x);
		x[longest] = x[longest - 1] / 2 + x[longest + 1] / 2;
		(*count)++;
	}
}

enum ft_status ft__start_merge(struct ft__seek *s, size_t n, struct ft_err *err)
{
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(c, n + 1, err));
	size_t count = c->n;
	fill_nodes(c->x, &count, n + 1);
	(void)ft__placing_look(&s->place, c->x, n + 1);
	return FT_OK;
}

/* Times for dynamic programming: the mesh thinned, for it costs their square; of a coarse mesh each cell
 * divided, for nodes need not be points of the curve. */
static enum ft_status choose_candidates(struct ft__seek *s, struct ft_arena *arena, size_t most,
					double **candidate, size_t *count, struct ft_err *err)
{
	size_t usual = CANDIDATES_EACH * most < CANDIDATES_MOST ? CANDIDATES_EACH * most : CANDIDATES_MOST;
	size_t m = most + most / 2 > usual ? most + most / 2 : usual, n = 0;
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(c, m, err));
	size_t parts = c->n == s->n_mesh && c->n < usual ? (usual + c->n - 2) / (c->n - 1) : 1;
	*candidate = ft_arena_take(arena, parts * (c->n - 1) + 1, sizeof **candidate);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i + 1 < c->n; i++)
		for (size_t k = 0; k < parts; k++)
			(*candidate)[n++] = c->x[i] + (c->x[i + 1] - c->x[i]) * ((double)k / (double)parts);
	(*candidate)[n++] = s->f->length;
	*count = n;
	return FT_OK;
}

enum ft_status ft__start_dp(struct ft__seek *s, size_t n, struct ft_err *err)
{
	double *candidate, *x = s->chain.x;
	size_t candidates;
	FT_ARENA(work);

	FT_TRY(choose_candidates(s, &work, n, &candidate, &candidates, err));
	size_t have = n < candidates - 1 ? n : candidates - 1, count = have + 1;
	double *square = ft_arena_take(&work, have + 1, sizeof *square);
	size_t *node = ft_arena_take(&work, (have + 1) * (have + 1), sizeof *node);
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft__dp(&s->coarse, s->ends, candidate, candidates, have, square, node, err));
	for (size_t j = 0; j <= have; j++)
		x[j] = candidate[node[have * (have + 1) + j]];
	fill_nodes(x, &count, n + 1);
	(void)ft__placing_look(&s->place, x, n + 1);
	return FT_OK;
}

/* ---- all numbers of pieces ----------------------------------------------------------------------------- */

double *ft__path_nodes(const struct ft__seek *s, size_t k)
{
	return s->path + k * (s->path_most + 1);
}

/* The present model, settled, is kept where it is the best of so many pieces. */
static void settle_model(struct ft__seek *s)
{
	struct ft__placing *p = &s->place;
	size_t k = p->n - 1;
	double square = ft__placing_descend(p, SETTLE, ROUGHLY);

	if (square < s->square[k]) {
		s->square[k] = square;
		memcpy(ft__path_nodes(s, k), p->x, p->n * sizeof *p->x);
	}
}

static void search_downwards(struct ft__seek *s)
{
	struct ft__chain *c = &s->chain;

	for (;;) {
		(void)ft__placing_look(&s->place, c->x, c->n);
		settle_model(s);
		if (c->n == 2)
			return;
		ft__chain_set(c, ft__path_nodes(s, c->n - 1), c->n);
		ft__chain_remove(c, ft__chain_cheapest(c));
	}
}

static void search_upwards(struct ft__seek *s)
{
	for (size_t k = 1; k < s->path_most; k++) {
		double place[3];

		ft__best_places(s, ft__path_nodes(s, k), k, place);
		if (ft__enter(s, ft__path_nodes(s, k), k, place, 1))
			settle_model(s);
		if (k + 2 <= s->path_most && ft__enter(s, ft__path_nodes(s, k), k, place + 1, 2))
			settle_model(s);
	}
}

enum ft_status ft__seek_path(struct ft__seek *s, size_t most, struct ft_err *err)
{
	if (s->path_most >= most)
		return FT_OK;
	ft__chain_set(&s->chain, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(&s->chain, most + 1, err));
	size_t n = s->chain.n;
	s->square = ft_arena_take(s->arena, n, sizeof *s->square);
	s->path = ft_arena_take(s->arena, n * n, sizeof *s->path);
	FT_TRY(ft_arena_check(s->arena, err));
	s->path_most = n - 1;
	for (size_t k = 0; k <= s->path_most; k++)
		s->square[k] = INFINITY;
	search_downwards(s);
	search_upwards(s);
	return FT_OK;
}

enum ft_status ft__start_path(struct ft__seek *s, size_t n, struct ft_err *err)
{
	FT_TRY(ft__seek_path(s, n, err));
	size_t have = n < s->path_most ? n : s->path_most, count = have + 1;
	memcpy(s->chain.x, ft__path_nodes(s, have), count * sizeof *s->chain.x);
	fill_nodes(s->chain.x, &count, n + 1);
	(void)ft__placing_look(&s->place, s->chain.x, n + 1);
	return FT_OK;
}

void ft__start_nodes(struct ft__seek *s, const struct ft_nodes *nodes)
{
	double *x = s->place.x;
	size_t n = 0;

	x[n++] = 0;
	for (size_t j = 0; j < nodes->n; j++) {
		double at = nodes->t[j] - s->f->t0;

		if (at > x[n - 1] + 2 * ft__placing_gap(s->f) &&
		    at < s->f->length - 2 * ft__placing_gap(s->f))
			x[n++] = at;
	}
	x[n++] = s->f->length;
	assert(n <= s->most + 1);
	(void)ft__placing_look(&s->place, x, n);
}
