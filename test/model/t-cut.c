/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cut.c - cuts by hand: load band, interval of the mean, tolerance, and their union. */
#include "base/random.h"
#include "foretime/model.h"
#include "num/num.h"
#include "tap.h"

static const double idle[2] = {0, 0};

static bool is(const double cut[2], double least, double most)
{
	bool good = near(cut[0], least, 1e-12) && near(cut[1], most, 1e-12);

	if (!good)
		diag("[%.17g %.17g] instead of [%.17g %.17g]", cut[0], cut[1], least, most);
	return good;
}

static void by_hand(void)
{
	const double one[] = {2}, two[] = {1.9, 2.1}, wild[] = {1, 3}, same[] = {2, 2, 2};
	const double band[2] = {0.1, 0.4}, narrow[2] = {0, 0.01};
	double cut[2], half;

	ft_model_cut(one, 1, 100, idle, 0.9, 0.05, cut);
	ok(is(cut, 47.5, 52.5), "one run, idle: the tolerance");
	ft_model_cut(one, 1, 100, band, 0.9, 0.05, cut);
	ok(is(cut, 30, 52.5), "load 0.1 .. 0.4: its band is 30 .. 45, the tolerance reaches higher");
	ft_model_cut(one, 1, 100, narrow, 0.9, 0.05, cut);
	ok(is(cut, 47.5, 52.5), "a load band inside the tolerance adds nothing");
	ft_model_cut(same, 3, 100, idle, 0.9, 0.05, cut);
	ok(is(cut, 47.5, 52.5), "equal runs: the tolerance");
	/* half = t(0.9, 1) * sqrt(0.02 / 2) = 6.313751514675 * 0.1 */
	half = 0.6313751514675041;
	ft_model_cut(two, 2, 100, idle, 0.9, 0.05, cut);
	ok(is(cut, 100 / (2 + half), 100 / (2 - half)), "two runs: the interval of their mean");
	ft_model_cut(two, 2, 100, band, 0.9, 0.05, cut);
	ok(is(cut, 30, 100 / (2 - half)), "... and the load band reaches lower");
	ft_model_cut(wild, 2, 100, idle, 0.9, 0.05, cut);
	ok(is(cut, 100 / (2 + 10 * half), 200),
	   "an interval beyond zero seconds is cut at half the fastest run");
}

/* Every part lies in the cut, both ends are reached by a part, and more confidence never narrows it. */
static void random_cuts(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(500), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double seconds[8], cut[2], wide[2], load[2],
			tolerance = 0.001 + 0.3 * ft_random_uniform(&random);
		double work = exp(10 * ft_random_uniform(&random)),
		       confidence = 0.5 + 0.45 * ft_random_uniform(&random);
		double scatter = 0.3 * ft_random_uniform(&random), ideal;
		size_t n = 1 + ft_random_below(&random, 8), j;

		load[0] = 0.5 * ft_random_uniform(&random);
		load[1] = load[0] + 0.4 * ft_random_uniform(&random);
		for (j = 0; j < n; j++)
			seconds[j] = exp(scatter * ft_random_normal(&random));
		ideal = work / ft_stats_mean(seconds, n);
		ft_model_cut(seconds, n, work, load, confidence, tolerance, cut);
		ft_model_cut(seconds, n, work, load, 0.99, tolerance, wide);
		bad += cut[0] <= 0 || !isfinite(cut[1]);
		bad += cut[0] > ideal * (1 - tolerance) || cut[0] > ideal * (1 - load[1]);
		bad += cut[1] < ideal * (1 + tolerance) || cut[1] < ideal * (1 - load[0]);
		bad += wide[0] > cut[0] || wide[1] < cut[1];
		if (n == 1)
			bad += !near(cut[0], ideal * (1 - fmax(tolerance, load[1])), 1e-12) ||
			       !near(cut[1], ideal * (1 + tolerance), 1e-12);
	}
	if (!ok(!bad, "%d random cuts", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

int main(void)
{
	by_hand();
	random_cuts();
	return done();
}
