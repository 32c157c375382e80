/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_search.c - a mapping made better: off the machine that ends last. */
#include "plan/map.h"

#include <math.h>
#include <string.h>

static const size_t nobody = FT_PLAN_NOWHERE;

/* Gains below this are rounding. */
static const double gain = 1e-12;

struct map_search_walk {
	struct ft__map *k;
	struct ft__mapping *q;
	struct ft__lists lists;
};

static double time_of(const struct map_search_walk *w, size_t j, size_t i)
{
	return w->k->p[j * w->k->m + i];
}

static void move_task(struct map_search_walk *w, size_t j, size_t to)
{
	ft__lists_move(&w->lists, w->k, w->q, j, to);
}

static size_t latest_machine(const struct map_search_walk *w)
{
	size_t k = 0;

	for (size_t i = 1; i < w->k->m; i++)
		if (w->q->load[i] > w->q->load[k])
			k = i;
	return k;
}

/* What is to be done: task j goes to machine i, and `back` comes (or nobody). */
struct map_search_step {
	double value; /* the larger of both loads */
	size_t j, i, back;
};

static void best_move(struct map_search_walk *w, size_t from, struct map_search_step *best)
{
	double t = w->q->load[from];

	for (size_t j = w->lists.head[from]; j != nobody; j = w->lists.next[j]) {
		for (size_t i = 0; i < w->k->m; i++) {
			double v = fmax(w->q->load[i] + time_of(w, j, i), t - time_of(w, j, from));

			if (i != from && v < best->value)
				*best = (struct map_search_step){v, j, i, nobody};
		}
		w->k->looks += w->k->m;
	}
}

static void best_swap(struct map_search_walk *w, size_t from, struct map_search_step *best)
{
	for (size_t j = w->lists.head[from]; j != nobody; j = w->lists.next[j]) {
		double rest = w->q->load[from] - time_of(w, j, from);

		for (size_t i = 0; i < w->k->m; i++) {
			double with = w->q->load[i] + time_of(w, j, i);

			if (i == from || isinf(with))
				continue;
			for (size_t l = w->lists.head[i]; l != nobody; l = w->lists.next[l]) {
				double v = fmax(rest + time_of(w, l, from), with - time_of(w, l, i));

				if (v < best->value)
					*best = (struct map_search_step){v, j, i, l};
				w->k->looks++;
			}
		}
		w->k->looks += w->k->m;
	}
}

static void descend_mapping(struct map_search_walk *w, uint64_t until)
{
	do {
		size_t from = latest_machine(w);
		struct map_search_step best = {w->q->load[from] * (1 - gain), nobody, 0, nobody};

		w->q->t = w->q->load[from];
		best_move(w, from, &best);
		if (best.j == nobody)
			best_swap(w, from, &best);
		if (best.j == nobody)
			return;
		if (best.back != nobody)
			move_task(w, best.back, from);
		move_task(w, best.j, best.i);
		w->q->t = w->q->load[latest_machine(w)];
	} while (w->k->looks < until);
}

/* Two to five random moves or exchanges, none of a task that alone takes longer than the best plan. */
static void shake_mapping(struct map_search_walk *w, double below, struct ft_random *random)
{
	size_t n = w->k->n, count = 2 + ft_random_below(random, 4), c;

	for (c = 0; c < count; c++) {
		size_t j = ft_random_below(random, n), l, i, from = w->q->on[j];

		if (ft_random_below(random, 2)) {
			i = ft_random_below(random, w->k->m);
			if (i != from && time_of(w, j, i) < below)
				move_task(w, j, i);
			continue;
		}
		l = ft_random_below(random, n);
		i = w->q->on[l];
		if (i != from && time_of(w, j, i) < below && time_of(w, l, from) < below) {
			move_task(w, j, i);
			move_task(w, l, from);
		}
	}
	w->k->looks += 4 * count;
}

static void wander(struct map_search_walk *w, struct ft__mapping *best, double bound, uint64_t until,
		   struct ft_random *random)
{
	descend_mapping(w, until);
	ft__mapping_sum(w->q, w->k);
	ft__mapping_copy(best, w->q, w->k);
	while (w->k->looks < until && best->t > bound * (1 + 1e-9) && w->k->m > 1) {
		shake_mapping(w, best->t, random);
		descend_mapping(w, until);
		if (w->q->t < best->t * (1 - gain)) {
			ft__mapping_sum(w->q, w->k);
			ft__mapping_copy(best, w->q, w->k);
		} else if (w->q->t > 1.02 * best->t) {
			ft__mapping_copy(w->q, best, w->k);
			ft__lists_fill(&w->lists, w->k, w->q);
			w->k->looks += w->k->n;
		}
	}
}

enum ft_status ft__map_search(struct ft__map *k, struct ft__mapping *m, double bound, uint64_t until,
			      struct ft_random *random, struct ft_err *err)
{
	FT_ARENA(work);
	struct ft__mapping now = ft__mapping_make(&work, k);
	struct map_search_walk w = {.k = k, .q = &now, .lists = ft__lists_make(&work, k)};

	FT_TRY(ft_arena_check(&work, err));
	ft__mapping_copy(&now, m, k);
	ft__lists_fill(&w.lists, k, &now);
	wander(&w, m, bound, until, random);
	return FT_OK;
}
