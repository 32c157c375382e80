/* SPDX-License-Identifier: GPL-3.0-or-later */
/* improve.c - out of a local optimum: nodes leave where they are worth little and enter where they gain.
 *
 * Conjugate gradient never moves a node over another. Here one node (or two, for a step) enters where F falls
 * most, the cheapest leave, and descent settles the rest; kept when F is less than before.
 */
#include "trace/search.h"
#include "num/order.h"

#include <math.h>
#include <string.h>

enum { MOVES = 20, LOOKS = 16, PATH_LOOKS = 8, FIRST_LOOKS = 48, ROUNDS = 60, STEPS = 15 };

/* Nodes looked at that the whole may cost: half a second or so. */
static const double EFFORT = 4e5;

/* A node, or two, that would enter a piece. */
struct move {
	double x, z;   /* z NaN: one only */
	double square; /* F then */
};

static void offer_move(struct move *move, size_t *n, struct move one)
{
	if (isinf(one.square) || (*n == MOVES && one.square >= move[MOVES - 1].square))
		return;
	size_t i = *n < MOVES ? (*n)++ : MOVES - 1;
	for (; i && move[i - 1].square > one.square; i--)
		move[i] = move[i - 1];
	move[i] = one;
}

/* The best single node, and the best two neighbours, to enter piece j; square INFINITY: there is no room. */
static void try_piece(const struct ft__seek *s, size_t j, size_t looks, struct move *one, struct move *two)
{
	const struct ft__chain *c = &s->chain;
	double begin = c->x[j], end = c->x[j + 1],
	       gap = fmax(4 * ft__placing_gap(s->f), 1e-9 * (end - begin));
	size_t first = ft_count_upto(s->mesh, s->n_mesh, begin + gap),
	       last = ft_count_upto(s->mesh, s->n_mesh, end - gap), k;

	*one = *two = (struct move){NAN, NAN, INFINITY};
	if (last < first) /* a piece shorter than two gaps */
		return;
	if (last - first < 4) /* between few points of the curve */
		for (k = 1; k < 4; k++) {
			double x = begin + (end - begin) * (double)k / 4, now = ft__chain_with(c, j, x, NAN);

			if (end - begin > 8 * gap && now < one->square)
				*one = (struct move){x, NAN, now};
		}
	for (k = 0; k < looks && k < last - first; k++) {
		size_t at = last - first <= looks ? first + k : first + (last - first) * k / looks;
		double x = s->mesh[at], now = ft__chain_with(c, j, x, NAN);

		if (x >= end - gap)
			break;
		if (now < one->square)
			*one = (struct move){x, NAN, now};
		if (at + 1 >= s->n_mesh || s->mesh[at + 1] >= end - gap)
			continue;
		now = ft__chain_with(c, j, x, s->mesh[at + 1]);
		if (now < two->square)
			*two = (struct move){x, s->mesh[at + 1], now};
	}
}

static void enter_node(struct ft__chain *c, double x)
{
	size_t j;

	for (j = 0; j + 2 < c->n && c->x[j + 1] < x; j++)
		;
	if (x > c->x[j] && x < c->x[j + 1])
		ft__chain_insert(c, j, x);
}

/* The cheapest nodes leave until n are left. */
static void leave_cheapest(struct ft__chain *c, size_t n)
{
	ft__chain_sweep(c);
	while (c->n > n) {
		ft__chain_remove(c, ft__chain_cheapest(c));
		ft__chain_sweep(c);
	}
}

/* One move tried from the best nodes; returns whether the best is better now. */
static bool try_move(struct ft__seek *s, struct move move, size_t n, double *square)
{
	struct ft__placing *p = &s->place;
	struct ft__chain *c = &s->chain;
	size_t nodes = n + 1;

	ft__chain_set(c, s->best, nodes);
	enter_node(c, move.x);
	if (!isnan(move.z))
		enter_node(c, move.z);
	leave_cheapest(c, nodes);
	if (c->n != nodes || !(ft__chain_square(c) < 2 * *square))
		return false;
	memcpy(p->x, c->x, nodes * sizeof *p->x);
	p->n = nodes;
	if (!(ft__placing_descend(p, STEPS, 1e-4) < *square * (1 - 1e-6)))
		return false;
	*square = p->square;
	memcpy(s->best, p->x, nodes * sizeof *p->x);
	return true;
}

void ft__improve(struct ft__seek *s)
{
	struct ft__placing *p = &s->place;
	size_t n = p->n - 1;
	double square = p->square, spent = 0;

	if (n < 2)
		return;
	memcpy(s->best, p->x, p->n * sizeof *p->x);
	for (size_t round = 0; round < ROUNDS && spent < EFFORT && square > 0; round++) {
		struct move move[MOVES];
		size_t moves = 0, before = p->evaluations;
		bool better = false;

		ft__chain_set(&s->chain, s->best, n + 1);
		for (size_t j = 0; j < n; j++) {
			struct move one, two;

			try_piece(s, j, LOOKS, &one, &two);
			offer_move(move, &moves, one);
			offer_move(move, &moves, two);
		}
		for (size_t i = 0; i < moves && !better; i++)
			better = try_move(s, move[i], n, &square);
		spent += (double)n * (4 * LOOKS + (double)(p->evaluations - before));
		if (!better)
			break;
	}
	(void)ft__placing_look(p, s->best, n + 1);
}

void ft__best_places(struct ft__seek *s, const double *x, size_t n, double place[3])
{
	struct move best[2] = {{NAN, NAN, INFINITY}, {NAN, NAN, INFINITY}};
	size_t looks = n * PATH_LOOKS < FIRST_LOOKS ? FIRST_LOOKS / n : PATH_LOOKS;

	ft__chain_set(&s->chain, x, n + 1);
	for (size_t j = 0; j < n; j++) {
		struct move one, two;

		try_piece(s, j, looks, &one, &two);
		if (one.square < best[0].square)
			best[0] = one;
		if (two.square < best[1].square)
			best[1] = two;
	}
	place[0] = best[0].x;
	place[1] = best[1].x;
	place[2] = best[1].z;
}

bool ft__enter(struct ft__seek *s, const double *x, size_t n, const double *more, size_t count)
{
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, x, n + 1);
	for (size_t i = 0; i < count; i++)
		enter_node(c, more[i]);
	if (c->n != n + 1 + count)
		return false;
	(void)ft__placing_look(&s->place, c->x, c->n);
	return true;
}
