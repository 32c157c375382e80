/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-functions.c - l_min(t) and l_max(t): by hand, against the document's definition, with gaps, out of
 * memory. */
#include "load-test.h"
#include "load/door.h"

static struct ft_load_history history_of(double *load, size_t n)
{
	return (struct ft_load_history){.interval_s = 60, .load = load, .n = n, .processors = 2};
}

static void by_hand(void)
{
	double load[] = {0.5, 0.1, 0.3, 1.1};
	struct ft_load_history history = history_of(load, 4);
	struct ft_load_functions f;
	double at[2];

	if (!ok(ft_load_functions_make(&f, &history, 3, 1, NULL) == FT_OK && f.n == 3, "three rows"))
		return;
	ok(near(f.least[0], 0.1, 1e-15) && near(f.most[0], 1.1, 1e-15), "of one load: 0.1 to 1.1");
	ok(near(f.least[1], 0.2, 1e-15) && near(f.most[1], 0.7, 1e-15), "of two: 0.2 to 0.7");
	ok(near(f.least[2], 0.3, 1e-15) && near(f.most[2], 0.5, 1e-15), "of three: 0.3 to 0.5");
	ft_load_at(&f, 90, at);
	ok(near(at[0], 0.15, 1e-14) && near(at[1], 0.9, 1e-14), "straight between two rows");
	ft_load_at(&f, 1, at);
	ok(at[0] == f.least[0] && at[1] == f.most[0], "constant below the first");
	ft_load_at(&f, 1e9, at);
	ok(at[0] == f.least[2] && at[1] == f.most[2], "and beyond the last");
	ft_load_at(&f, INFINITY, at);
	ok(at[0] == f.least[2] && at[1] == f.most[2], "however far");
	ok(ft_load_choose_window(&f, 0.3) == 2,
	   "from two minutes on they are within 0.6 processors of each other");
	ok(ft_load_choose_window(&f, 0.5) == 1, "within a whole one always");
	ok(ft_load_choose_window(&f, 0.01) == 0, "within 0.02 never");
	ft_load_functions_clear(&f);
	ft_load_functions_clear(&f);
	ft_load_functions_clear(NULL);
}

static void gaps(void)
{
	double load[] = {1, NAN, 0.5, 0.7, NAN, NAN, 0.2};
	struct ft_load_history history = history_of(load, 7);
	struct ft_load_functions f;
	struct ft_err err = {0};

	ok(ft_load_functions_make(&f, &history, 5, 1, NULL) == FT_OK && f.n == 2, "no average spans a gap");
	ok(near(f.least[1], 0.6, 1e-15) && near(f.most[1], 0.6, 1e-15), "only one of two loads");
	ft_load_functions_clear(&f);
	load[0] = load[2] = load[3] = load[6] = NAN;
	ok(ft_load_functions_make(&f, &history, 5, 1, &err) == FT_ENOMODEL && !f.least && *err.remedy,
	   "nothing but gaps: %s", err.text);
	history.n = 0;
	ok(ft_load_functions_make(&f, &history, 5, 1, &err) == FT_ENOMODEL, "no loads");
	ok(ft_load_functions_make(&f, &history, 0, 1, &err) == FT_EINVAL, "no window");
	ok(ft_load_functions_make(&f, &history, 1, 0, &err) == FT_EINVAL, "no share");
	ok(ft_load_functions_make(&f, &history, 1, 1.5, &err) == FT_EINVAL, "too large a share");
}

static void randomly(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0, wide = 0;

	for (int i = 0; i < test_cases(200); i++) {
		struct ft_load_history history;
		struct ft_load_functions all, part;
		size_t w = 1 + ft_random_below(&random, 30), row;
		double share = 0.5 + ft_random_uniform(&random) / 2;

		random_history(&history, 1 + ft_random_below(&random, 80), 4,
			       ft_random_below(&random, 2) ? 0.1 : 0, &random);
		if (!ft_load_functions_make(&all, &history, w, 1, NULL) &&
		    !ft_load_functions_make(&part, &history, w, share, NULL)) {
			bad += !is_slow(&all, &history, 0, w, 1) || !is_slow(&part, &history, 0, w, share);
			for (row = 0; row < all.n; row++)
				wide += part.least[row] < all.least[row] - 1e-12 ||
					part.most[row] > all.most[row] + 1e-12; /* sums rounded differently */
		}
		ft_load_functions_clear(&all);
		ft_load_functions_clear(&part);
		ft_load_history_clear(&history);
	}
	if (!ok(!bad, "as the document defines them, in random histories with gaps") ||
	    !ok(!wide, "quantiles are inside"))
		diag("seed %llu", (unsigned long long)test_seed());
}

static void no_memory(double share)
{
	double load[] = {1, 0.5, 0.7};
	struct ft_load_history history = history_of(load, 3);
	struct ft_load_functions f;
	struct ft_err err;
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;

	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_load_functions_make(&f, &history, 2, share, &err);
		good &= !status || (status == FT_ENOMEM && !f.least && !f.most && !f.n);
	} while (status && n < 100);
	(void)ft_alloc_fail_at(0);
	ft_load_functions_clear(&f);
	ok(good && n > 2 && n < 100, "share %g: %lu allocations fail cleanly", share, n - 1);
}

int main(void)
{
	by_hand();
	gaps();
	randomly();
	no_memory(1);
	no_memory(0.9);
	return done();
}
