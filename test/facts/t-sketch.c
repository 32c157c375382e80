/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sketch.c - very many values in little memory, compared with all of them. */
#include "base/alloc.h"
#include "base/random.h"
#include "facts/door.h"
#include "foretime/facts.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000 };

/* The exact quantile: the value of that rank. */
static double exact(const double *sorted, size_t n, double share)
{
	return sorted[(size_t)(share * (double)(n - 1))];
}

static bool same(const struct ft_sketch *a, const struct ft_sketch *b)
{
	return a->n == b->n && a->zeros == b->zeros && a->least == b->least && a->most == b->most &&
	       a->level == b->level && a->n_buckets == b->n_buckets &&
	       !memcmp(a->key, b->key, a->n_buckets * sizeof *a->key) &&
	       !memcmp(a->count, b->count, a->n_buckets * sizeof *a->count);
}

/* Values exp(spread * u), u in 0 .. 1: quantiles are within the error that the sketch states of itself. */
static void quantiles(struct ft_random *random, double spread, double at_most)
{
	static const double shares[] = {0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
	double *value = ft_calloc(N, sizeof *value), sum = 0, worst = 0;
	struct ft_sketch all = {0}, half[2] = {0}, back;
	size_t length;
	void *bytes;

	for (size_t i = 0; i < N; i++) {
		value[i] = 1e-3 * exp(spread * ft_random_uniform(random));
		sum += value[i];
		ft_sketch_add(&all, value[i]);
		ft_sketch_add(&half[i % 2], value[i]);
	}
	ft_sort(value, N);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		worst = fmax(worst,
			     fabs(ft_sketch_quantile(&all, shares[i]) / exact(value, N, shares[i]) - 1));
	ok(all.n == N && all.least == value[0] && all.most == value[N - 1] && fabs(all.sum / sum - 1) < 1e-12,
	   "number, ends and sum are exact");
	ok(worst <= 1.0001 * ft_sketch_error(&all) && ft_sketch_error(&all) <= at_most,
	   "values within a factor of %.3g: quantiles to %.2g, stated %.2g, in %zu buckets", exp(spread),
	   worst, ft_sketch_error(&all), all.n_buckets);
	ft_sketch_join(&half[0], &half[1]);
	ok(same(&half[0], &all), "two joined are the sketch of all");
	bool good = !ft_sketch_pack(&all, &bytes, &length, NULL);
	good = good && length <= 400 &&
	       !ft_sketch_unpack(bytes, length, all.least, all.most, all.sum, &back, NULL) &&
	       same(&back, &all);
	ok(good, "as bytes (%zu) and back", length);
	for (size_t cut = 0; cut < length; cut++) /* none is read beyond */
		(void)ft_sketch_unpack(bytes, cut, 1, 2, 3, &back, NULL);
	ft_free(bytes);
	ft_free(value);
}

static void few(void)
{
	struct ft_sketch sketch = {0}, other = {0};
	struct ft_err err = {0};

	ok(isnan(ft_sketch_quantile(&sketch, 0.5)), "none has no quantile");
	ft_sketch_add(&sketch, NAN);
	ft_sketch_add(&sketch, INFINITY);
	ok(!sketch.n, "what is no number is passed over");
	ft_sketch_join(&sketch, &other);
	ok(!sketch.n, "nothing and nothing");
	ft_sketch_add(&sketch, 3);
	ok(ft_sketch_quantile(&sketch, 0) == 3 && ft_sketch_quantile(&sketch, 0.5) == 3 &&
		   ft_sketch_quantile(&sketch, 1) == 3,
	   "one is exact");
	ft_sketch_add(&sketch, 0);
	ft_sketch_add(&sketch, 0);
	ok(sketch.n == 3 && sketch.zeros == 2 && ft_sketch_quantile(&sketch, 0.5) == 0 && sketch.least == 0,
	   "zeros");
	ft_sketch_join(&other, &sketch);
	ok(same(&other, &sketch), "joined to nothing");
	ok(ft_sketch_unpack("\xff\xff\xff", 3, 1, 2, 3, &other, &err) == FT_EPARSE && err.text[0],
	   "bytes of no end");
	ok(ft_sketch_unpack("\0\0\2\0", 4, 1, 2, 3, &other, &err) == FT_EPARSE, "a bucket of nothing");
	ok(ft_sketch_unpack("\0\0\2\1\0\1", 6, 1, 2, 3, &other, &err) == FT_EPARSE,
	   "buckets that do not ascend");
	ok(ft_sketch_unpack("\0\0\2\1", 4, 2, 1, 3, &other, &err) == FT_EPARSE, "ends in the wrong order");
	ok(ft_sketch_unpack("\0\0\2\1", 4, NAN, 1, 3, &other, &err) == FT_EPARSE, "no ends");
}

/* Values of any magnitude fit. */
static void extremes(void)
{
	struct ft_sketch sketch = {0};

	for (int e = -1000; e <= 1000; e++)
		ft_sketch_add(&sketch, ldexp(1, e));
	ok(sketch.n == 2001 && sketch.n_buckets <= FT_SKETCH_BUCKETS &&
		   ft_sketch_quantile(&sketch, 1) == ldexp(1, 1000) && ft_sketch_quantile(&sketch, 0.5) > 0,
	   "from 2^-1000 to 2^1000 in %zu buckets", sketch.n_buckets);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	few();
	extremes();
	quantiles(&random, 0.1, 0.0011);
	quantiles(&random, 0.69, 0.0081);
	quantiles(&random, 4, 0.07);
	quantiles(&random, 20, 0.4);
	return done();
}
