/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.c - which rows train, which are foretold, and which columns are the basis of a trial. */
#include "surrogate/draw.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_chance = 1e-3;

static size_t group_of(const size_t *group, size_t row)
{
	return group ? group[row] : row;
}

enum ft_status ft__split_init(struct ft__split *split, struct ft_arena *arena, const size_t *group, size_t m,
			      struct ft_err *err)
{
	size_t j;

	*split = (struct ft__split){.train = ft_arena_take(arena, m, sizeof(size_t)),
				    .test = ft_arena_take(arena, m, sizeof(size_t)),
				    .first = ft_arena_take(arena, m, sizeof(size_t)),
				    .order = ft_arena_take(arena, m, sizeof(size_t))};
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++) {
		for (j = 0; group && j < split->n_groups; j++)
			if (group[split->first[j]] == group[i])
				break;
		if (!group || j == split->n_groups)
			split->first[split->n_groups++] = i;
	}
	return FT_OK;
}

static int ascending(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Adds the rows of a group to a list; in a table without groups a row is its own. */
static size_t add_group(const struct ft_trials *trials, size_t first, size_t *list, size_t n)
{
	size_t last = trials->group ? trials->m : first + 1;

	for (size_t i = first; i < last; i++)
		if (group_of(trials->group, i) == group_of(trials->group, first))
			list[n++] = i;
	return n;
}

/* Any rows of the last group: a table is often sorted, and its first rows tell little of the others. */
static void cut_last(struct ft__split *split, size_t before, size_t train, struct ft_random *random)
{
	if (split->n_train <= train)
		return;
	ft_random_shuffle(random, split->train + before, split->n_train - before, sizeof *split->train);
	split->n_train = train;
}

void ft__split_draw(struct ft__split *split, const struct ft_trials *trials, struct ft_random *random)
{
	size_t g, before = 0;

	memcpy(split->order, split->first, split->n_groups * sizeof *split->order);
	ft_random_shuffle(random, split->order, split->n_groups, sizeof *split->order);
	split->n_train = split->n_test = 0;
	for (g = 0; g < split->n_groups && split->n_train < trials->train; g++) {
		before = split->n_train;
		split->n_train = add_group(trials, split->order[g], split->train, split->n_train);
	}
	cut_last(split, before, trials->train, random);
	for (; g < split->n_groups; g++)
		split->n_test = add_group(trials, split->order[g], split->test, split->n_test);
	if (trials->test && split->n_test > trials->test) {
		ft_random_shuffle(random, split->test, split->n_test, sizeof *split->test);
		split->n_test = trials->test;
	}
	qsort(split->train, split->n_train, sizeof *split->train, ascending);
	qsort(split->test, split->n_test, sizeof *split->test, ascending);
}

/* Pearson's, on the rows where both are known. */
static double correlation(const struct ft_trials *trials, const struct ft__split *split, size_t a, size_t b)
{
	double n = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;

	for (size_t i = 0; i < split->n_train; i++) {
		double x = trials->value[split->train[i] * trials->n + a];
		double y = trials->value[split->train[i] * trials->n + b], dx, dy;

		if (isnan(x) || isnan(y))
			continue;
		n++;
		dx = x - mean_a;
		dy = y - mean_b;
		mean_a += dx / n;
		mean_b += dy / n;
		aa += dx * (x - mean_a);
		bb += dy * (y - mean_b);
		ab += dx * (y - mean_b);
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

void ft__basis_draw(const struct ft_trials *trials, const struct ft__split *split, size_t target,
		    struct ft_random *random, double *weight, size_t *basis)
{
	size_t n = trials->n;

	for (size_t j = 0; j < n; j++)
		weight[j] = j == target ? 0 : fmax(correlation(trials, split, j, target), least_chance);
	for (size_t drawn = 0; drawn < trials->k; drawn++) {
		double sum = 0;
		size_t last = n;

		for (size_t j = 0; j < n; j++)
			sum += weight[j];
		double at = ft_random_uniform(random) * sum;
		for (size_t j = 0; j < n && at >= 0; j++)
			if (weight[j] > 0) {
				last = j;
				at -= weight[j];
			}
		assert(last < n);
		basis[drawn] = last;
		weight[last] = 0;
	}
}
