/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-space.c - admissible sizes: numbering, snapping, middles and multiples; by hand and against a plain scan.
 */
#include "base/random.h"
#include "build/build.h"
#include "facts/door.h"
#include "tap.h"

#include <math.h>

static void by_hand(void)
{
	static const double listed[] = {1, 2, 4, 8, 16};
	struct ft__grid grid;

	ok(!ft__grid_init(&grid, &(struct ft_space){.least = 10, .most = 100, .stride = 10}, NULL) &&
		   grid.count == 10,
	   "10 .. 100 by 10: ten sizes");
	ok(ft__grid_value(&grid, 0) == 10 && ft__grid_value(&grid, 3) == 40 &&
		   ft__grid_value(&grid, 9) == 100,
	   "values");
	ok(ft__grid_snap(&grid, 34.9) == 2 && ft__grid_snap(&grid, 35) == 2 &&
		   ft__grid_snap(&grid, 35.1) == 3,
	   "snaps to the nearest, halfway to the lower");
	ok(ft__grid_snap(&grid, -5) == 0 && ft__grid_snap(&grid, 1e9) == 9, "outside: the ends");
	ok(ft__grid_find(&grid, 40) == 3 && ft__grid_find(&grid, 41) == FT__NONE,
	   "finds admissible sizes only");
	ok(ft__grid_middle(&grid, 0, 9) == 4 && ft__grid_middle(&grid, 0, 8) == 4, "the middle");
	ok(ft__grid_middle(&grid, 3, 4) == FT__NONE && ft__grid_middle(&grid, 3, 3) == FT__NONE,
	   "... or none");
	ok(!ft__grid_init(&grid, &(struct ft_space){.least = 10, .most = 95, .stride = 20}, NULL) &&
		   grid.count == 6 && ft__grid_value(&grid, 5) == 95 && ft__grid_value(&grid, 4) == 90,
	   "the largest is always admissible");
	ok(ft__grid_snap(&grid, 92) == 4 && ft__grid_snap(&grid, 93) == 5,
	   "... and has its own neighbourhood");
	ok(!ft__grid_init(&grid, &(struct ft_space){.least = 10, .most = 15, .stride = 20}, NULL) &&
		   grid.count == 2,
	   "a stride wider than the range: both ends");
	ok(!ft__grid_init(&grid, &(struct ft_space){.least = 0.1, .most = 0.7, .stride = 0.1}, NULL) &&
		   grid.count == 7 && ft__grid_find(&grid, 0.3) == 2 &&
		   ft__grid_find(&grid, 0.1 + 0.1 + 0.1) == 2,
	   "a stride that doubles do not hold exactly");
	ok(!ft__grid_init(&grid, &(struct ft_space){.least = 2, .most = 10, .sizes = listed, .n_sizes = 5},
			  NULL) &&
		   grid.count == 3 && ft__grid_value(&grid, 0) == 2 && ft__grid_value(&grid, 2) == 8,
	   "a list, as far as it lies in the range");
	ok(ft__grid_snap(&grid, 6) == 1 && ft__grid_snap(&grid, 6.5) == 2 &&
		   ft__grid_middle(&grid, 0, 2) == 1,
	   "a list snaps, and has middles");
}

/* Logarithms of sizes begin at the least: no size + shift is below 1, or below the least above 0. */
static void shifts(void)
{
	static const double least[] = {-40, -1, 0, 0.5, 1, 3};
	struct ft__grid grid;
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
		(void)ft__grid_init(&grid, &(struct ft_space){.least = least[i], .most = 100, .stride = 0.5},
				    NULL);
		wrong += least[i] + ft__grid_shift(&grid) != (least[i] > 0 ? least[i] : 1);
	}
	ok(!wrong, "ln (size + shift) is there from the least size on");
}

static void multiples(void)
{
	struct ft__grid grid;

	(void)ft__grid_init(&grid, &(struct ft_space){.least = 10, .most = 100, .stride = 25}, NULL);
	struct ft__multiples m = ft__multiples_of(&grid, 0);
	ok(ft__multiples_next(&m, &grid, 0, 4) == 1 && m.k == 3, "20 snaps to 10; 30 to 35");
	ok(ft__multiples_next(&m, &grid, 1, 4) == 2 && m.k == 5, "40 snaps to 35; 50 to 60");
	ok(ft__multiples_double(&m, &grid, 2, 4) == 4 && m.k == 10, "doubled: 100");
	ok(ft__multiples_next(&m, &grid, 4, 4) == FT__NONE &&
		   ft__multiples_double(&m, &grid, 4, 4) == FT__NONE,
	   "then none");
	m = ft__multiples_of(&grid, 2);
	ok(ft__multiples_next(&m, &grid, 2, 4) == FT__NONE, "2 x 60 is beyond the range");
	(void)ft__grid_init(&grid, &(struct ft_space){.least = 1e-30, .most = 1000, .stride = 1}, NULL);
	m = ft__multiples_of(&grid, 0);
	ok(ft__multiples_next(&m, &grid, 0, 1000) == 1 && ft__multiples_next(&m, &grid, 1, 1000) == 2,
	   "a tiny first size skips its many multiples at once");
	(void)ft__grid_init(&grid, &(struct ft_space){.least = -5, .most = 5, .stride = 2.5}, NULL);
	m = ft__multiples_of(&grid, 0);
	ok(ft__multiples_next(&m, &grid, 0, 4) == 1 && ft__multiples_next(&m, &grid, 1, 3) == 2 &&
		   ft__multiples_next(&m, &grid, 2, 2) == FT__NONE,
	   "a negative first size goes by strides, up to the top");
}

static size_t nearest(const double *values, size_t n, double x)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (fabs(values[i] - x) < fabs(values[best] - x))
			best = i;
	return best;
}

static void random_grids(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(500), bad = 0, i, j;

	for (i = 0; i < cases; i++) {
		double list[200], x;
		struct ft_space space = {.least = -3 + 6 * ft_random_uniform(&random),
					 .stride = 0.01 + ft_random_uniform(&random)};
		bool listed = ft_random_below(&random, 2);
		struct ft__grid grid;
		size_t n = 2 + ft_random_below(&random, 190), k;

		for (k = 0; k < n; k++)
			list[k] = listed && k ? list[k - 1] + 0.01 + ft_random_uniform(&random)
					      : space.least + space.stride * (double)k;
		if (!listed)
			list[n - 1] -= 0.9 * space.stride * ft_random_uniform(&random);
		space.most = list[n - 1];
		space.sizes = listed ? list : NULL;
		space.n_sizes = n;
		bad += ft__grid_init(&grid, &space, NULL) != FT_OK || grid.count != n;
		for (k = 0; k < n && k < grid.count; k++)
			bad += ft__grid_value(&grid, k) != list[k] || ft__grid_find(&grid, list[k]) != k;
		for (j = 0; j < 50; j++) {
			size_t left = ft_random_below(&random, n),
			       right = left + ft_random_below(&random, n - left);
			size_t middle = ft__grid_middle(&grid, left, right);

			x = list[0] + (list[n - 1] - list[0]) * (1.2 * ft_random_uniform(&random) - 0.1);
			bad += ft__grid_snap(&grid, x) != nearest(list, n, x);
			x = list[left] / 2 + list[right] / 2;
			if (right - left < 2)
				bad += middle != FT__NONE;
			else
				bad += middle != left + 1 + nearest(list + left + 1, right - left - 1, x);
		}
	}
	if (!ok(!bad, "%d random spaces", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

/* A progression is the list of its values. */
static void progressions(void)
{
	struct ft_random random = {test_seed() + 1};
	int cases = test_cases(300), bad = 0, i, j;

	for (i = 0; i < cases; i++) {
		struct ft_space space = {.least = 1 + (double)ft_random_below(&random, 50),
					 .factor = 1.02 + ft_random_uniform(&random)},
				listed;
		struct ft__grid grid, same;
		double list[400];
		size_t n = 2 + ft_random_below(&random, 390), k;

		space.least /= ft_random_below(&random, 2) ? 1 : 16;
		for (k = 0; k < n; k++)
			list[k] = ft_space_value(&space, (double)k);
		space.most = list[n - 1] + (ft_space_value(&space, (double)n) - list[n - 1]) / 2;
		listed = (struct ft_space){space.least, list[n - 1], 0, list, n, 0};
		bad += ft__grid_init(&grid, &space, NULL) || ft__grid_init(&same, &listed, NULL) ||
		       grid.count != n || grid.space.most != list[n - 1];
		for (j = 0; j < 50 && !bad; j++) {
			size_t left = ft_random_below(&random, n),
			       right = left + ft_random_below(&random, n - left);
			double x = list[left] * pow(space.factor, 2 * ft_random_uniform(&random) - 1);
			struct ft__multiples a = ft__multiples_of(&grid, 0), b = ft__multiples_of(&same, 0);

			bad += ft__grid_snap(&grid, x) != ft__grid_snap(&same, x) ||
			       ft__grid_find(&grid, x) != ft__grid_find(&same, x) ||
			       ft__grid_middle(&grid, left, right) != ft__grid_middle(&same, left, right) ||
			       ft__multiples_next(&a, &grid, left, right) !=
				       ft__multiples_next(&b, &same, left, right);
		}
	}
	if (!ok(!bad, "%d random progressions are the lists of their values", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

int main(void)
{
	by_hand();
	shifts();
	multiples();
	random_grids();
	progressions();
	return done();
}
