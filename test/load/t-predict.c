/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-predict.c - what load does to a run: by hand, against a fine search, in the document's own case. */
#include "load-test.h"
#include "load/door.h"

static double row_least[64], row_most[64];

static struct ft_load_functions functions_of(size_t n, double processors)
{
	return (struct ft_load_functions){
		.interval_s = 60, .processors = processors, .least = row_least, .most = row_most, .n = n};
}

static void slow_down(void)
{
	ok(near(ft_load_slow_down(FT_SHARING_NICED, 1, 1, 0.1), 1 / 0.9, 1e-14),
	   "000 section 2.2: a load of 0.1, 1/0.9 times longer");
	ok(near(ft_load_slow_down(FT_SHARING_NICED, 2, 4, 3), 2, 1e-14),
	   "niced: two threads on the one that is left");
	ok(ft_load_slow_down(FT_SHARING_NICED, 2, 4, 2) == 1, "niced: enough is left");
	ok(isinf(ft_load_slow_down(FT_SHARING_NICED, 1, 2, 2)), "niced: nothing is left");
	ok(near(ft_load_slow_down(FT_SHARING_FAIR, 1, 1, 1), 2, 1e-14), "fair: two share one");
	ok(near(ft_load_slow_down(FT_SHARING_FAIR, 4, 4, 2), 1.5, 1e-14), "fair: six on four");
	ok(near(ft_load_slow_down(FT_SHARING_FAIR, 1, 2, 8), 4.5, 1e-14), "fair: nine on two");
	ok(ft_load_slow_down(FT_SHARING_FAIR, 1, 4, 3) == 1, "fair: one is free");
	ok(ft_load_slow_down(FT_SHARING_FAIR, 64, 4, 0) == 1,
	   "more threads than processors keep all busy, not more");
	ok(near(ft_load_of_slow_down(1 / 0.9), 0.1, 1e-14) && ft_load_of_slow_down(INFINITY) == 1 &&
		   ft_load_of_slow_down(1) == 0,
	   "C = k = 1 niced: the lost part of the speed is the load");
}

static void by_hand(void)
{
	struct ft_load_functions f = functions_of(2, 1);
	struct ft_load_outlook o;

	row_least[0] = 0.2, row_least[1] = 0.25;
	row_most[0] = 0.8, row_most[1] = 0.5;
	ft_load_predict(&f, 8, 1, FT_SHARING_NICED, &o);
	ok(near(o.slow_down[0], 1 / 0.8, 1e-13) && near(o.slow_down[1], 1 / 0.2, 1e-13) && o.load[1] == 0.8,
	   "shorter than one observation: its extremes");
	ft_load_predict(&f, 600, 1, FT_SHARING_NICED, &o);
	ok(near(o.slow_down[0], 1 / 0.75, 1e-13) && near(o.slow_down[1], 2, 1e-13),
	   "longer than the window: its end");
	/* t = 30 / (1 - l), l = 0.8 - 0.005 (t - 60): 0.005 t^2 - 0.1 t - 30 = 0: t = 88.1 */
	ft_load_predict(&f, 30, 1, FT_SHARING_NICED, &o);
	ok(near(o.slow_down[1], (0.1 + sqrt(0.01 + 0.6)) / 0.01 / 30, 1e-12),
	   "between: where the two curves meet");
	ok(near(o.load[1], 1 - 1 / o.slow_down[1], 1e-12), "there the load is 1 - t_ideal / t (000 eq. 3)");
	row_most[0] = 1, row_most[1] = 1;
	ft_load_predict(&f, 30, 1, FT_SHARING_NICED, &o);
	ok(isinf(o.slow_down[1]) && o.load[1] == 1 && !isinf(o.slow_down[0]), "no crossing: unbounded");
	ft_load_predict(&f, 30, 1, FT_SHARING_FAIR, &o);
	ok(near(o.slow_down[1], 2, 1e-13), "a fair share is never unbounded");
}

/* Rises and falls again: the load would allow two times, and the run ends at the first. */
static void first_crossing(void)
{
	struct ft_load_functions f = functions_of(4, 1);
	struct ft_load_outlook o;

	row_least[0] = row_least[1] = row_least[2] = row_least[3] = 0;
	row_most[0] = 0.6, row_most[1] = 0.2, row_most[2] = 0.99, row_most[3] = 0.1;
	ft_load_predict(&f, 50, 1, FT_SHARING_NICED, &o);
	ok(o.slow_down[1] * 50 > 60 && o.slow_down[1] * 50 < 120, "the first crossing counts: %g s",
	   o.slow_down[1] * 50);
}

/* The first time on a fine grid at which the run has ended; the oracle. */
static double search(const struct ft_load_functions *f, int which, double ideal, double k,
		     enum ft_sharing sharing, double step)
{
	double t, load[2];

	for (t = ideal; t < 100 * ideal + 10 * f->interval_s * (double)f->n; t += step) {
		ft_load_at(f, t, load);
		if (ft_load_slow_down(sharing, k, f->processors, load[which]) * ideal <= t * (1 + 1e-12))
			return t;
	}
	return INFINITY;
}

static void randomly(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0, document = 0, longer = 0;

	for (int i = 0; i < test_cases(300); i++) {
		double processors = 1 + (double)ft_random_below(&random, 4),
		       k = 1 + (double)ft_random_below(&random, 6);
		enum ft_sharing sharing = ft_random_below(&random, 2) ? FT_SHARING_FAIR : FT_SHARING_NICED;
		struct ft_load_functions f = functions_of(1 + ft_random_below(&random, 8), processors);
		double ideal = 600 * ft_random_uniform(&random) * ft_random_uniform(&random) + 1, step = 0.01;
		struct ft_load_outlook o;

		for (size_t j = 0; j < f.n; j++) {
			row_most[j] = processors * 0.97 * ft_random_uniform(&random);
			row_least[j] = row_most[j] * ft_random_uniform(&random);
		}
		ft_load_predict(&f, ideal, k, sharing, &o);
		for (int which = 0; which < 2; which++) {
			double t = search(&f, which, ideal, k, sharing, step),
			       got = o.slow_down[which] * ideal;

			if (!(got <= t * (1 + 1e-9) && got >= t - step * (1 + 1e-9))) {
				diag("%g processors, %g threads, %s, %g s: %.9g, not %.9g", processors, k,
				     sharing ? "niced" : "fair", ideal, got, t);
				bad++;
			}
			longer += got < ideal * (1 - 1e-12);
			if (processors == 1 && sharing == FT_SHARING_NICED)
				document += !near(o.load[which], 1 - ideal / got, 1e-9) &&
					    fabs(o.load[which] - (1 - ideal / got)) > 1e-9;
		}
	}
	if (!ok(!bad, "as a search in small steps finds them") ||
	    !ok(!longer, "no run ends before its ideal time") ||
	    !ok(!document, "one niced thread on one processor: l = 1 - t_ideal / t"))
		diag("seed %llu", (unsigned long long)test_seed());
}

/* Crossings at the very ends of pieces are not lost to rounding. */
static void at_corners(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0;

	for (int i = 0; i < test_cases(2000); i++) {
		struct ft_load_functions f = functions_of(3, 1);
		size_t corner = 1 + ft_random_below(&random, 2);
		double t = 60 * (double)(corner + 1), l = 0.9 * ft_random_uniform(&random),
		       ideal = t * (1 - l);
		struct ft_load_outlook o;

		row_most[0] = row_most[1] = row_most[2] = fmin(0.999, l + 0.05);
		row_most[corner] = l;
		row_least[0] = row_least[1] = row_least[2] = 0;
		ft_load_predict(&f, ideal, 1, FT_SHARING_NICED, &o);
		if (o.slow_down[1] * ideal > t * (1 + 1e-9))
			bad++;
	}
	if (!ok(!bad, "crossings at corners are found"))
		diag("seed %llu: %d lost", (unsigned long long)test_seed(), bad);
}

int main(void)
{
	slow_down();
	by_hand();
	first_crossing();
	randomly();
	at_corners();
	return done();
}
