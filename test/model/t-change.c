/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-change.c - drift is found where there is one, seldom where there is none, and old samples give way. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "model/change.h"

enum { MOST = 400 };

/* A year of a program: a sweep over sizes, then runs of any size; from `at` on all is slower. */
struct life {
	struct ft_surface_observation o[MOST];
	size_t index[MOST];
	size_t n, at;
};

static double time_of(double x)
{
	return 1e-3 + 2e-9 * x * x * log2(x);
}

static void add(struct life *life, struct ft_random *seed, double x, double noise, double shift)
{
	size_t i = life->n++;

	life->index[i] = i;
	life->o[i] = (struct ft_surface_observation){
		{1, {x}}, 1, time_of(x) * exp(noise * ft_random_normal(seed) + (i >= life->at ? shift : 0))};
}

/* 10 sizes three times, then `more` runs: of old sizes, or of new ones. */
static void live(struct life *life, struct ft_random *seed, size_t more, bool new_sizes, double noise,
		 double shift)
{
	size_t i, j;

	*life = (struct life){.at = 30};
	for (j = 0; j < 3; j++)
		for (i = 0; i < 10; i++)
			add(life, seed, 100 * pow(1.6, (double)i), noise, shift);
	for (i = 0; i < more; i++) {
		double u = ft_random_uniform(seed);

		add(life, seed, new_sizes ? floor(100 * pow(68, u)) : 100 * pow(1.6, floor(10 * u)), noise,
		    shift);
	}
}

static enum ft_status settle(struct ft_surface_observation *o, size_t *index, size_t *n,
			     struct ft_change *drift)
{
	struct ft__older older = {.type = &ft__older_band, .through_speed = true, .join = FT_JOIN_BEST};

	return ft__change_settle(o, index, n, &older, drift, NULL);
}

static bool drifts(const struct life *life, struct ft_change *drift)
{
	struct life copy = *life;

	return !settle(copy.o, copy.index, &copy.n, drift) && drift->runs > 0;
}

static void test_by_hand(void)
{
	static const double run[][2] = {{10, 1}, {20, 2}, {40, 4}, {10, 1}, {20, 2}, {40, 4},
					{10, 2}, {20, 4}, {40, 8}, {10, 2}, {20, 4}, {80, 16}};
	struct ft_surface_observation o[12];
	size_t index[12], n = 6, i;
	struct ft_change drift;

	for (i = 0; i < 12; i++) {
		o[i] = (struct ft_surface_observation){{1, {run[i][0]}}, 1, run[i][1]};
		index[i] = i;
	}
	ok(!settle(o, index, &n, &drift) && n == 6 && !drift.runs && drift.shift == 0,
	   "the same again is no drift");
	n = 3;
	ok(!settle(o, index, &n, &drift) && n == 3 && !drift.runs, "three runs tell nothing");
	n = 12;
	ok(!settle(o, index, &n, &drift) && n == 6 && index[0] == 6 && drift.runs == 6 &&
		   near(drift.shift, log(2), 1e-9),
	   "twice as slow since the seventh run (%zu, %g): where newer runs are, older ones go", drift.runs,
	   drift.shift);
}

static void test_moved(void)
{
	struct life life = {.at = 12};
	struct ft_random seed = {1};
	struct ft_change drift;
	size_t i;

	for (i = 0; i < 12; i++)
		add(&life, &seed, 100 * pow(1.6, (double)(i % 6)), 0, log(1.2));
	for (i = 0; i < 8; i++)
		add(&life, &seed, 100 * pow(1.6, (double)(i % 4)), 0, log(1.2));
	ok(!settle(life.o, life.index, &life.n, &drift) && life.n == 12,
	   "older runs stay where no newer one is");

	ok(near(life.o[0].value, 1.2 * time_of(life.o[0].size.value[0]), 1e-6), "... and are moved");
	ok(drift.runs == 8, "... eight are newer");
}

/* How often a drift is found in `cases` lives. */
static double rate(size_t more, bool new_sizes, double noise, double shift, int cases, double *mean)
{
	struct ft_random seed = {test_seed()};
	int i, found = 0;
	double sum = 0;

	for (i = 0; i < cases; i++) {
		struct life life;
		struct ft_change drift;

		live(&life, &seed, more, new_sizes, noise, shift);
		if (!drifts(&life, &drift))
			continue;
		found++;
		sum += drift.shift;
	}
	if (mean)
		*mean = found ? sum / found : 0;
	return (double)found / cases;
}

static void test_rates(void)
{
	static const double noises[] = {0.01, 0.03, 0.1};
	int cases = test_cases(60), sizes;
	double none = 0, mean;
	size_t i;

	for (sizes = 0; sizes < 2; sizes++)
		for (i = 0; i < 3; i++) {
			double quiet = rate(30, sizes, noises[i], 0, cases, NULL);
			double five = rate(30, sizes, noises[i], log(1.05), cases, NULL);
			double twenty = rate(30, sizes, noises[i], log(1.2), cases, &mean);

			diag("%s sizes, noise %g: found at 0 %%: %.3f, 5 %%: %.2f, 20 %%: %.2f (mean %.3f)",
			     sizes ? "new" : "old", noises[i], quiet, five, twenty, mean);
			none += quiet / 6;
			if (noises[i] <= 0.03)
				ok(twenty > 0.95 && fabs(mean - log(1.2)) < 0.03,
				   "20 %% is found in noise of %g %%", 100 * noises[i]);
			if (noises[i] <= 0.01)
				ok(five > 0.8, "5 %% in noise of 1 %%");
		}
	ok(none < 0.03, "false alarms: %.4f", none);
}

static void test_faults(void)
{
	struct life life;
	struct ft_change drift;
	enum ft_status status;
	struct ft_random seed = {5};
	unsigned long n = 0;

	live(&life, &seed, 20, true, 0.01, 0.2);
	do {
		struct life copy = life;

		ft_alloc_fail_at(++n);
		status = settle(copy.o, copy.index, &copy.n, &drift);
	} while (status == FT_ENOMEM && n < 100000);
	ft_alloc_fail_at(0);
	ok(!status && n > 3 && drift.runs > 0, "each allocation may fail");
}

int main(void)
{
	test_by_hand();
	test_moved();
	test_rates();
	test_faults();
	return done();
}
