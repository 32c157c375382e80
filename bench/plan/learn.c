/* SPDX-License-Identifier: GPL-3.0-or-later */
/* learn.c - totals over processors whose times are not known, or only but for their errors. */
#include "bench.h"

#include "base/alloc.h"
#include "num/num.h"
#include "plan/door.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- nothing is known ---------------------------------------------------------------------------------- */

enum { TOTAL = 2000, RUNS = 12, CASES = 120, MOST = 64 };

/* Seconds of x units: a power, a start, a cache that is left on the way, and for one in three a second level.
 */
struct made {
	double rate, power, start, cache[2], slower[2];
};

static struct made make(struct ft_random *r)
{
	struct made m = {spread(r, 0.7),
			 between(r, 0.9, 2.2),
			 ft_random_uniform(r) < 0.3 ? between(r, 0, 20) : 0,
			 {between(r, 5, TOTAL), between(r, 5, TOTAL)},
			 {between(r, 1, 3), ft_random_uniform(r) < 0.33 ? between(r, 1, 3) : 1}};

	return m;
}

static double seconds_of(const struct made *m, double x)
{
	double t = m->rate * pow(x, m->power);

	for (int k = 0; k < 2; k++)
		t *= x > m->cache[k] ? m->slower[k] : 1 + (m->slower[k] - 1) * pow(x / m->cache[k], 4);
	return t + m->start;
}

/* Processors: what each share takes on each. table: of p times TOTAL + 1. */
static void draw_times(size_t p, struct ft_random *r, double *table, struct ft_plan_times *times)
{
	for (size_t k = 0; k < p; k++) {
		struct made m = make(r);

		table[k * (TOTAL + 1)] = 0;
		for (int64_t x = 1; x <= TOTAL; x++)
			table[k * (TOTAL + 1) + (size_t)x] = seconds_of(&m, (double)x);
		times[k] = (struct ft_plan_times){.n = TOTAL + 1, .time_s = table + k * (TOTAL + 1)};
	}
}

/* How the best that ran is beside the best division, after each run. */
static void refine_case(size_t p, struct ft_random *r, double ratio[RUNS], int *settled)
{
	double *table = ft_malloc(p * (TOTAL + 1) * sizeof *table), seconds[MOST];
	struct ft_plan_times times[MOST] = {0};
	struct ft_plan_refine *refine = NULL;
	struct ft_plan_refined now;
	struct ft_partition best;
	int64_t units[MOST];
	int end = RUNS;

	draw_times(p, r, table, times);
	(void)ft_plan_partition(times, p, TOTAL, NULL, units, NULL, &best, NULL);
	(void)ft_plan_refine_new(&refine, p, TOTAL, NULL, NULL);
	for (int run = 0; run < RUNS; run++) {
		(void)ft_plan_refine_next(refine, units, &now, NULL);
		if (now.settled && end == RUNS)
			end = run;
		if (now.settled) {
			ratio[run] = run ? ratio[run - 1] : 1;
			continue;
		}
		for (size_t k = 0; k < p; k++)
			seconds[k] = ft_plan_time(&times[k], units[k]) * spread(r, 0.01);
		(void)ft_plan_refine_ran(refine, units, seconds, NULL);
		(void)ft_plan_refine_next(refine, units, &now, NULL);
		ratio[run] = now.best_s / best.plan.value;
	}
	*settled += end < RUNS;
	ft_plan_refine_free(refine);
	ft_free(table);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void bench_refine(void)
{
	static const size_t sizes[] = {4, 16, 64};
	static const int runs[] = {3, 5, 8, 12};
	struct ft_random r = {17};

	printf("aims: p 16 within 5 %% by run 5 in 55 %%, by run 8 in 90 %%; p 64 by run 8 in 85 %% (%d made "
	       "cases "
	       "each, noise 1 %%)\n",
	       CASES);
	printf("%6s %16s %16s %16s %16s %9s\n", "p", "run 3", "run 5", "run 8", "run 12", "settled");
	for (size_t s = 0; s < 3; s++) {
		double(*ratio)[RUNS] = ft_malloc(CASES * sizeof *ratio), at[CASES];
		int settled = 0, i;

		for (i = 0; i < CASES; i++)
			refine_case(sizes[s], &r, ratio[i], &settled);
		printf("%6zu", sizes[s]);
		for (size_t k = 0; k < 4; k++) {
			int near = 0;

			for (i = 0; i < CASES; i++) {
				at[i] = ratio[i][runs[k] - 1];
				near += at[i] <= 1.05;
			}
			qsort(at, CASES, sizeof *at, ascending);
			printf("   %6.3f  %3d %%", at[CASES / 2], 100 * near / CASES);
		}
		printf(" %7d %%\n", 100 * settled / CASES);
		ft_free(ratio);
	}
}

/* ---- the least quantile -------------------------------------------------------------------------------- */

enum { DRAWS = 20000 };

static void late_case(size_t p, int64_t n, double least, double most, struct ft_random *r)
{
	const double risk = 0.05, each = -expm1(log1p(-risk) / (double)p), z = ft_normal_quantile(1 - each);
	double fast[MOST][2] = {{0}}, slow[MOST][2] = {{0}}, sigma[MOST], start, median = 0, simple;
	struct ft_plan_times typical[MOST], late[MOST];
	int64_t at[2] = {0, n}, units[MOST], plain[MOST];
	struct ft_partition_late out, before;
	struct ft_partition found;
	int held = 0;

	for (size_t k = 0; k < p; k++) {
		sigma[k] = k % 2 ? least : most;
		fast[k][1] = spread(r, 0.5);
		slow[k][1] = fast[k][1] * exp(sigma[k] * z);
		typical[k] = (struct ft_plan_times){.n = 2, .at = at, .time_s = fast[k]};
		late[k] = (struct ft_plan_times){.n = 2, .at = at, .time_s = slow[k]};
	}
	(void)ft_plan_partition(typical, p, n, NULL, plain, NULL, &found, NULL);
	(void)ft_plan_partition_late(typical, late, each, p, n, NULL, risk, plain, &before, NULL);
	median = before.before_s;
	start = cpu_s();
	(void)ft_plan_partition(late, p, n, NULL, units, NULL, &found, NULL);
	(void)ft_plan_partition_late(typical, late, each, p, n, NULL, risk, units, &out, NULL);
	start = cpu_s() - start;
	simple = out.before_s;
	for (int i = 0; i < DRAWS; i++) {
		double last = 0;

		for (size_t k = 0; k < p; k++)
			last = fmax(last, fast[k][1] * (double)units[k] / (double)n * spread(r, sigma[k]));
		held += last <= out.plan.value;
	}
	printf("%6zu %8.2f, %4.2f %14.3f %14.4f %12.5f %9.4f %9.2f\n", p, least, most,
	       out.plan.value / median, out.plan.value / simple, out.plan.value / out.plan.bound,
	       held / (double)DRAWS, 1e3 * start);
}

void bench_late(void)
{
	static const size_t sizes[] = {4, 16, 64};
	static const double sigmas[][2] = {{0.1, 0.1}, {0.05, 0.15}, {0.02, 0.3}};
	struct ft_random r = {19};

	printf("aims: the quantile of 0.95 holds to 1 %%; 30 %% below that of typical times at p 16, (0.02, "
	       "0.3)\n");
	printf("%6s %14s %14s %14s %12s %9s %9s\n", "p", "sigma", "/ typical", "/ q^(1/p)", "/ bound", "held",
	       "ms");
	for (size_t s = 0; s < 3; s++)
		for (size_t k = 0; k < 3; k++)
			late_case(sizes[s], 1000000000, sigmas[k][0], sigmas[k][1], &r);
}
