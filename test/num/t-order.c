/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-order.c - sorting, places among what is sorted, lines between points: by hand, and against looking at
 * each. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

static void by_hand(void)
{
	double values[] = {3, -1, 3, 2, -1}, x = 2;
	struct ft_keyed keyed[] = {{2, 5}, {-1, 8}, {2, 4}};

	ft_sort(values, 5);
	ok(values[0] == -1 && values[1] == -1 && values[2] == 2 && values[3] == 3 && values[4] == 3,
	   "sorted");
	ok(ft_count_upto(values, 5, 2) == 3 && ft_count_below(values, 5, 2) == 2,
	   "at most 2: three; below: two");
	ok(ft_count_upto(values, 5, -2) == 0 && ft_count_below(values, 5, 9) == 5, "below all, and above");
	ok(ft_count_upto(values, 0, 2) == 0, "among none");
	ok(ft_search(&x, values, 5, sizeof x, ft_compare_doubles) == 2, "2 stands third");
	ok(ft_sort_different(values, 5) == 3 && values[0] == -1 && values[1] == 2 && values[2] == 3,
	   "each once: three");
	ft_keyed_sort(keyed, 3);
	ok(keyed[0].of == 8 && keyed[1].of == 4 && keyed[2].of == 5, "by keys, and equal ones by numbers");
	ft_sort(NULL, 0);
	ok(ft_sort_different(NULL, 0) == 0, "none stay none");
}

static void lines(void)
{
	const struct {
		int other;
		double key;
	} thing[] = {{9, 1}, {8, 2}, {7, 4}};
	const double y[] = {1, 3, -1};
	const double *key = &thing[0].key;

	ok(ft_last_upto_of(key, 3, sizeof *thing, 2) == 1 &&
		   ft_last_upto_of(key, 3, sizeof *thing, 3.9) == 1 &&
		   ft_last_upto_of(key, 3, sizeof *thing, 9) == 2 &&
		   !ft_last_upto_of(key, 3, sizeof *thing, 0),
	   "the last thing at or below; the first where there is none");
	ok(ft_count_below_of(key, 3, sizeof *thing, 2) == 1 &&
		   ft_count_below_of(key, 3, sizeof *thing, 5) == 3,
	   "how many things are below");
	ok(ft_line_at(3, 2, 10, 4, 20) == 15 && ft_line_at(6, 2, 10, 4, 20) == 30 &&
		   ft_line_at(15, 10, 2, 20, 4) == 3,
	   "on a line, beyond its points, and where it has a value");
	ok(ft_line_within(3, 2, 10, 4, 20) == 15 && ft_line_within(6, 2, 10, 4, 20) == 20 &&
		   ft_line_within(0, 2, 10, 4, 20) == 10,
	   "held at its ends");
	ok(ft_line_grid(y, 3, 0.5) == 2 && ft_line_grid(y, 3, 1) == 3 && ft_line_grid(y, 3, 1.75) == 0 &&
		   ft_line_grid(y, 3, -4) == 1 && ft_line_grid(y, 3, 7) == -1 && ft_line_grid(y, 1, 0.5) == 1,
	   "between values at 0, 1, 2");
}

/* Few different numbers, so that many are equal. */
static int try_one(struct ft_random *random)
{
	double values[40], x = (double)ft_random_below(random, 12);
	size_t n = ft_random_below(random, 40), below = 0, upto = 0, different, i, had[12] = {0}, kinds = 0;
	int bad = 0;

	for (i = 0; i < n; i++) {
		values[i] = (double)ft_random_below(random, 12);
		below += values[i] < x;
		upto += values[i] <= x;
		kinds += !had[(size_t)values[i]]++;
	}
	ft_sort(values, n);
	for (i = 1; i < n; i++)
		bad += values[i - 1] > values[i];
	bad += ft_count_below(values, n, x) != below || ft_count_upto(values, n, x) != upto;
	bad += ft_search(&x, values, n, sizeof x, ft_compare_doubles) != below;
	different = ft_sort_different(values, n);
	bad += different != kinds;
	for (i = 1; i < different; i++)
		bad += !(values[i - 1] < values[i]);
	return bad;
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(500), bad = 0, i;

	by_hand();
	lines();
	for (i = 0; i < cases; i++)
		bad += try_one(&random);
	if (!ok(!bad, "%d random lists", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	return done();
}
