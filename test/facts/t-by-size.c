/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-by-size.c - runs of one size, together. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "facts/door.h"
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

	for (size_t i = 0; i < runs.n; i++) {
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
	size_t j, k, total = 0;

	for (size_t i = 0; i < by_size->n; i++) {
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
	for (size_t i = 1; i < by_size->n; i++)
		if (ft_size_compare(&by_size->at[i - 1].run[0]->size, &by_size->at[i].run[0]->size) >= 0)
			return false;
	return true;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	bool complete = true, ascending = true;

	for (int i = 0; i < 500; i++) {
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
	ok(made && n == 4, "no memory is said, and leaves nothing");
	ft_by_size_clear(&by_size);
	ft_by_size_clear(&by_size);
	free(runs.run);
}

/* Of 8: 4, 1, a failure, 3, a warm-up; of 16 a crash alone. */
static void test_values(void)
{
	static struct ft_sample sample[6];
	static const double seconds[6] = {4, 1, 9, 3, 100, 7};
	static const int64_t started_ns[6] = {10, 60, 20, 60, 30, 40};
	struct ft_run run[6] = {0};
	const struct ft_runs runs = {.run = run, .n = 6}, none = {0};
	struct ft_size_values *values = NULL;
	unsigned long k;
	size_t n = 0;
	bool passed = false;

	for (size_t i = 0; i < 6; i++) {
		sample[i].resource = &ft_wall_s;
		sample[i].value = seconds[i];
		run[i] = (struct ft_run){.size = {.n = 1, .value = {i == 5 ? 16 : 8}},
					 .sample = &sample[i],
					 .n_samples = 1,
					 .started_ns = started_ns[i],
					 .warmup = i == 4};
	}
	run[2].outcome = FT_FAILED;
	run[5].outcome = FT_CRASHED;
	(void)ft_runs_values(&runs, &ft_wall_s, &values, &n, NULL);
	ok(n == 2 && values[0].size.value[0] == 8 && values[0].n == 3 && values[0].median == 3 &&
		   values[0].least == 1 && values[0].most == 4 && values[0].failed == 1 &&
		   values[0].failure == &run[2],
	   "three values of a size, and a failure; no warm-up");
	ok(n == 2 && values[1].n == 0 && isnan(values[1].median) && isnan(values[1].most) &&
		   values[1].failure == &run[5],
	   "a size of which nothing is known");
	free(values);
	run[2].outcome = FT_DONE;
	(void)ft_runs_values(&runs, &ft_wall_s, &values, &n, NULL);
	ok(n && values[0].median == 3.5, "of four the middle of two");
	free(values);
	for (k = 1; k < 10 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_runs_values(&runs, &ft_wall_s, &values, &n, NULL);
		(void)ft_alloc_fail_at(0);
		if (!passed && values)
			break;
	}
	free(values);
	ok(passed && k == 7, "each allocation may fail");
	ok(ft_runs_newest(&runs) == &run[3] && !ft_runs_newest(&none), "the newest, of equals the last");
}

int main(void)
{
	test_random();
	test_memory();
	test_values();
	return done();
}
