/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-by-size.c - runs of one size, together. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/facts.h"

#include <stdlib.h>

enum { RUNS = 40 };

static bool is_below(const struct ft_run *run, const void *most)
{
	return run->cost_s < *(const double *)most;
}

/* Few sizes, so that many are alike; some of one parameter more. */
static struct ft_runs draw(struct ft_random *random)
{
	struct ft_runs runs = {.run = calloc(RUNS, sizeof *runs.run), .n = ft_random_below(random, RUNS + 1)};
	size_t i;

	for (i = 0; i < runs.n; i++) {
		struct ft_size *size = &runs.run[i].size;

		size->n = 1 + ft_random_below(random, 2);
		size->value[0] = (double)ft_random_below(random, 4);
		size->value[1] = (double)ft_random_below(random, 2);
		runs.run[i].cost_s = (double)ft_random_below(random, 4);
	}
	return runs;
}

/* Of each size the runs that count, as a search through all of them finds them. */
static bool is_complete(const struct ft_runs *runs, double most, const struct ft_by_size *by_size)
{
	size_t i, j, k, total = 0;

	for (i = 0; i < by_size->n; i++) {
		const struct ft_size_runs *at = &by_size->at[i];

		for (j = 0, k = 0; j < runs->n; j++)
			if (is_below(&runs->run[j], &most) &&
			    ft_size_equal(&runs->run[j].size, &at->run[0]->size) &&
			    (k == at->n || at->run[k++] != &runs->run[j]))
				return false;
		if (k != at->n || !k)
			return false;
		total += k;
	}
	for (j = 0; j < runs->n; j++)
		total -= is_below(&runs->run[j], &most);
	return !total;
}

static bool ascends(const struct ft_by_size *by_size)
{
	size_t i;

	for (i = 1; i < by_size->n; i++)
		if (ft_size_compare(&by_size->at[i - 1].run[0]->size, &by_size->at[i].run[0]->size) >= 0)
			return false;
	return true;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	bool complete = true, ascending = true;
	int i;

	for (i = 0; i < 500; i++) {
		struct ft_runs runs = draw(&random);
		double most = (double)ft_random_below(&random, 5);
		struct ft_by_size by_size;

		if (ft_runs_by_size(&runs, is_below, &most, &by_size, NULL))
			complete = false;
		complete &= is_complete(&runs, most, &by_size);
		ascending &= ascends(&by_size);
		ft_by_size_clear(&by_size);
		free(runs.run);
	}
	ok(complete, "all that count, of each size in their order, and no other");
	ok(ascending, "sizes ascend");
}

static void test_memory(void)
{
	struct ft_random random = {7};
	struct ft_runs runs = draw(&random);
	double most = 3;
	struct ft_by_size by_size;
	struct ft_err err = {0};
	unsigned long n = 0;
	bool made;

	do {
		(void)ft_alloc_fail_at(++n);
		made = !ft_runs_by_size(&runs, is_below, &most, &by_size, &err);
		(void)ft_alloc_fail_at(0);
	} while (!made && !by_size.n && !by_size.at && !by_size.run && err.status == FT_ENOMEM && n < 9);
	ok(made && n == 3, "no memory is said, and leaves nothing");
	ft_by_size_clear(&by_size);
	ft_by_size_clear(&by_size);
	free(runs.run);
}

int main(void)
{
	test_random();
	test_memory();
	return done();
}
