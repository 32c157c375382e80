/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-refine.c - processors of which nothing is known: how soon a division is near the best one. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { P = 16, N = 2000, RUNS = 8 };

static void test_hand(void)
{
	/* Three units a second, and one. */
	struct ft_plan_refine *r = NULL;
	struct ft_plan_refined now;
	struct ft_err err;
	int64_t units[2];
	double seconds[2] = {2, 6}, nothing[2] = {0, 0};

	ok(!ft_plan_refine_new(&r, 2, 12, NULL, NULL) && !ft_plan_refine_next(r, units, &now, NULL) &&
		   units[0] == 6 && units[1] == 6 && isnan(now.expected_s) && !now.settled &&
		   !ft_plan_refine_best(r),
	   "nothing is known: equal shares");
	ok(!ft_plan_refine_ran(r, units, seconds, NULL) && !ft_plan_refine_next(r, units, &now, NULL) &&
		   units[0] == 9 && units[1] == 3 && near(now.expected_s, 3, 1e-12) && now.best_s == 6 &&
		   near(now.gain, 0.5, 1e-12) && now.even == 3 && !now.settled,
	   "a run of each tells their speeds");
	seconds[0] = seconds[1] = 3;
	ok(!ft_plan_refine_ran(r, units, seconds, NULL) && !ft_plan_refine_next(r, units, &now, NULL) &&
		   now.settled && ft_plan_refine_best(r)[0] == 9,
	   "both end together: settled");
	ok(ft_plan_refine_ran(r, units, nothing, &err) == FT_EINVAL && strstr(err.text, "processor 0") &&
		   ft_plan_refine_see(r, 2, 1, 1, NULL) == FT_EINVAL &&
		   ft_plan_refine_see(r, 0, 0, 1, NULL) == FT_EINVAL,
	   "times, shares and processors that are none");
	ft_plan_refine_free(r);
	ok(ft_plan_refine_new(&r, 0, 12, NULL, NULL) == FT_EINVAL && !r &&
		   ft_plan_refine_new(&r, 2, 0, NULL, NULL) == FT_EINVAL &&
		   ft_plan_refine_new(&r, 2, FT_PLAN_UNITS + 1, NULL, NULL) == FT_EINVAL,
	   "no processor, no units, too many");
}

static void test_none(void)
{
	struct ft_plan_refine *r = NULL;
	struct ft_plan_refined now;
	const struct ft_partition_options coarse = {.granularity = 300};
	struct ft_err err;
	int64_t units[2];

	ok(!ft_plan_refine_new(&r, 2, 100, &coarse, NULL) &&
		   ft_plan_refine_next(r, units, &now, &err) == FT_EINVAL &&
		   strstr(err.remedy, "--granularity") && !ft_plan_refine_best(r),
	   "steps larger than the total divide nothing");
	ft_plan_refine_free(r);
}

static void test_known(void)
{
	const struct ft_partition_options steps = {.granularity = 8};
	struct ft_plan_refine *r;
	struct ft_plan_refined now;
	int64_t units[3];

	(void)ft_plan_refine_new(&r, 3, 1000003, &steps, NULL);
	(void)ft_plan_refine_see(r, 0, 1000, 1, NULL);
	(void)ft_plan_refine_see(r, 1, 1000, 2, NULL);
	ok(!ft_plan_refine_next(r, units, &now, NULL) && units[0] + units[1] + units[2] == 1000003 &&
		   units[0] > units[2] && units[2] > units[1] && !now.settled && isnan(now.gain),
	   "runs from before count; who was never seen is taken for a usual one");
	ok((units[0] % 8 == 0) + (units[1] % 8 == 0) + (units[2] % 8 == 0) == 2,
	   "shares are multiples of the granularity but for what it leaves over");
	ft_plan_refine_free(r);
}

/* Seconds of x units: a power, a cache that is left, memory that is slow, a start. */
static double truth(const double *made, double x)
{
	double t = made[0] * pow(x, made[1]);

	t *= x > made[2] ? made[3] : 1 + (made[3] - 1) * pow(x / made[2], 4);
	return t + made[4];
}

static void test_learnt(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(60), soon = 0, settled = 0, wrong = 0;
	static double table[P][N + 1];

	for (i = 0; i < cases; i++) {
		size_t p = i % 2 ? P : 4, k;
		struct ft_plan_times times[P] = {0};
		struct ft_plan_refine *refine;
		struct ft_plan_refined now;
		struct ft_partition best;
		int64_t units[P], x;

		for (k = 0; k < p; k++) {
			double made[] = {spread(&r, 0.7), between(&r, 0.9, 1.8), between(&r, 20, N),
					 between(&r, 1, 3), between(&r, 0, 5)};

			for (x = 1; x <= N; x++)
				table[k][x] = truth(made, (double)x);
			times[k] = (struct ft_plan_times){.n = N + 1, .time_s = table[k]};
		}
		wrong += ft_plan_partition(times, p, N, NULL, units, NULL, &best, NULL) != FT_OK;
		wrong += ft_plan_refine_new(&refine, p, N, NULL, NULL) != FT_OK;
		for (int run = 0; run < RUNS && !wrong; run++) {
			double seconds[P] = {0};

			wrong += ft_plan_refine_next(refine, units, &now, NULL) != FT_OK;
			if (now.settled)
				break;
			for (k = 0, x = 0; k < p; k++) {
				x += units[k];
				seconds[k] = table[k][units[k]] * spread(&r, 0.01);
			}
			wrong += x != N || ft_plan_refine_ran(refine, units, seconds, NULL) != FT_OK;
		}
		soon += now.best_s <= 1.05 * best.plan.value;
		settled += now.settled;
		ft_plan_refine_free(refine);
	}
	ok(wrong == 0, "%d cases: every division is one", cases);
	ok(soon * 10 >= cases * 9, "within %d runs %d are within 5 %% of the best division", RUNS, soon);
	ok(settled * 10 >= cases * 7, "%d of them know it", settled);
}

int main(void)
{
	test_hand();
	test_none();
	test_known();
	test_learnt();
	return done();
}
