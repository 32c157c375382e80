/* SPDX-License-Identifier: GPL-3.0-or-later */
/* align.c - which phases of several runs are the same one. */
#include "base/arena.h"
#include "foretime/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levels that differ by so much of their range are as unlike as a phase that is missing; lengths count less,
 * for they are what grows. Two that are more unlike than two missing ones are not the same. */
static const double UNLIKE = 0.25, LENGTH = 0.1, MISSING = 1;

/* A phase beside the others of its trace. */
struct align_place {
	double level, share; /* of the range of levels; of the time, ln */
};

static void place_phases(const struct ft_phases *p, struct align_place *out)
{
	double least = INFINITY, most = -INFINITY, all = p->phase[p->n - 1].end - p->phase[0].begin;

	for (size_t i = 0; i < p->n; i++) {
		least = fmin(least, p->phase[i].level);
		most = fmax(most, p->phase[i].level);
	}
	for (size_t i = 0; i < p->n; i++)
		out[i] = (struct align_place){most > least ? (p->phase[i].level - least) / (most - least) : 1,
					      log((p->phase[i].end - p->phase[i].begin) / all)};
}

static double unlikeness(const struct align_place *a, const struct align_place *b)
{
	return fabs(a->level - b->level) / UNLIKE + LENGTH * fabs(a->share - b->share);
}

/* The most frequent number of phases; of several the largest, and the last such trace. */
static size_t choose_usual(const struct ft_phases *phases, size_t traces)
{
	size_t best = 0, best_count = 0;

	for (size_t i = 0; i < traces; i++) {
		size_t count = 0;

		for (size_t k = 0; k < traces; k++)
			count += phases[k].n == phases[i].n;
		if (count > best_count || (count == best_count && phases[i].n >= phases[best].n)) {
			best = i;
			best_count = count;
		}
	}
	return best;
}

/* Dynamic programming over two sequences: what stands beside what, in order. at: [n] out. cost: [n + 1][m +
 * 1] */
static void match_places(const struct align_place *one, size_t n, const struct align_place *other, size_t m,
			 double *cost, size_t *at)
{
	size_t i, j, stride = m + 1;

	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			double best = i || j ? INFINITY : 0;

			if (i)
				best = fmin(best, cost[(i - 1) * stride + j] + MISSING);
			if (j)
				best = fmin(best, cost[i * stride + j - 1] + MISSING);
			if (i && j)
				best = fmin(best, cost[(i - 1) * stride + j - 1] +
							  unlikeness(&one[i - 1], &other[j - 1]));
			cost[i * stride + j] = best;
		}
	for (i = n, j = m; i;) {
		if (j && cost[i * stride + j] ==
				 cost[(i - 1) * stride + j - 1] + unlikeness(&one[i - 1], &other[j - 1]))
			at[--i] = --j;
		else if (j && cost[i * stride + j] == cost[i * stride + j - 1] + MISSING)
			j--;
		else
			at[--i] = SIZE_MAX;
	}
}

enum ft_status ft_phases_align(struct ft_phase_rows *out, const struct ft_phases *phases, size_t traces,
			       struct ft_err *err)
{
	size_t like = choose_usual(phases, traces), most = 0, i;

	*out = (struct ft_phase_rows){.n = phases[like].n, .traces = traces, .like = like};
	for (i = 0; i < traces; i++)
		most = phases[i].n > most ? phases[i].n : most;
	FT_ARENA(work);
	struct align_place *place = ft_arena_take(&work, 2 * most, sizeof *place);
	double *cost = ft_arena_take(&work, (most + 1) * (most + 1), sizeof *cost);
	FT_TRY(ft_arena_check(&work, err));
	out->at = ft_calloc(traces * out->n, sizeof *out->at);
	if (!out->at)
		return ft_nomem(err);
	place_phases(&phases[like], place);
	for (i = 0; i < traces; i++) {
		place_phases(&phases[i], place + most);
		match_places(place, out->n, place + most, phases[i].n, cost, out->at + i * out->n);
	}
	return FT_OK;
}

void ft_phase_rows_clear(struct ft_phase_rows *rows)
{
	if (!rows)
		return;
	ft_free(rows->at);
	*rows = (struct ft_phase_rows){0};
}
