/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how well each solver foretells programs by others, and what its intervals are worth, over
 * kinds of matrices; which programs are chosen for a basis, and what lacks filled in. */
#include "base/random.h"
#include "foretime/surrogate.h"
#include "scores.h"
#include "surrogate/door.h"

#include <math.h>

enum { M = 36, N = 8, PATTERNS = 3, WHAT = 7 };

/* Trials of a solver. */
static const struct kind {
	const char *name, *solver;
	struct ft_surrogate_options options;
	enum ft_basis_way way;
	enum ft_gaps gaps;
	size_t k;         /* programs of the basis */
	double missing;   /* share of values */
	double outliers;  /* share of values that are five times as much */
	bool kin;         /* three machines a group */
	double was[WHAT]; /* the scores */
} kinds[] = {
	{.name = "simplex",
	 .solver = "simplex",
	 .k = 3,
	 .outliers = 0.03,
	 .was = {0.54974, 0.091194, 0.49693, 0.089642, 0.55091, 0.89583, 384}},
	{.name = "simplex, kin, raw",
	 .solver = "simplex",
	 .options = {.raw = true},
	 .way = FT_BASIS_CHOSEN,
	 .k = 4,
	 .kin = true,
	 .was = {0.26637, 0.058287, 0.18564, 0.01065, 0.11751, 0.81667, 180}},
	{.name = "ols",
	 .solver = "ols",
	 .k = 3,
	 .was = {0.39849, 0.057771, 0.17551, 0.0039254, 0.20345, 0.91667, 384}},
	{.name = "ols, cut, what lacks is filled",
	 .solver = "ols",
	 .options = {.cut = 0.05},
	 .way = FT_BASIS_CHOSEN,
	 .k = 5,
	 .missing = 0.05,
	 .was = {0.11376, 0.031955, 0.082172, 0.0055204, 0.05588, 0.91435, 139}},
	{.name = "weighted",
	 .solver = "weighted",
	 .way = FT_BASIS_NAMED,
	 .k = 2,
	 .was = {0.32363, 0.081877, 0.20896, 0.0023312, 0.14628, 0.88889, 288}},
	{.name = "robust",
	 .solver = "robust",
	 .k = 3,
	 .outliers = 0.05,
	 .kin = true,
	 .was = {1.2682, 0.094088, 0.53398, 0.054561, 0.84583, 0.86944, 360}},
	{.name = "ridge",
	 .solver = "ridge",
	 .way = FT_BASIS_CHOSEN,
	 .k = 4,
	 .kin = true,
	 .was = {0.23923, 0.050216, 0.11509, 0.019304, 0.072613, 0.91667, 180}},
	{.name = "ridge, what lacks is dropped",
	 .solver = "ridge",
	 .gaps = FT_GAPS_DROP,
	 .k = 3,
	 .missing = 0.05,
	 .was = {0.29952, 0.0691, 0.19664, 0.0028127, 0.12122, 0.8873, 299}},
	{.name = "bayes",
	 .solver = "bayes",
	 .k = 3,
	 .was = {0.18672, 0.052455, 0.16085, 0.0078197, 0.11484, 0.88802, 384}},
	{.name = "bayes, chosen",
	 .solver = "bayes",
	 .way = FT_BASIS_CHOSEN,
	 .k = 2,
	 .kin = true,
	 .was = {0.31571, 0.080262, 0.25486, 0.0077836, 0.14317, 0.9037, 270}},
	{.name = "kernel",
	 .solver = "kernel",
	 .k = 3,
	 .was = {0.3332, 0.078179, 0.28497, 0.026085, 0.16884, 0.91927, 384}},
	{.name = "svr",
	 .solver = "svr",
	 .k = 2,
	 .way = FT_BASIS_NAMED,
	 .was = {0.61405, 0.15448, 0.44566, 0.08541, 0.31069, 0.96528, 288}},
	{.name = "nmf",
	 .solver = "nmf",
	 .k = 4,
	 .options = {.rank = 3, .seed = 2},
	 .was = {0.41886, 0.060623, 0.26875, 0.011368, 0.41097, 0.89583, 384}},
	{.name = "nmf, holes, divergence",
	 .solver = "nmf",
	 .options = {.loss = "kl", .start = "nndsvd"},
	 .gaps = FT_GAPS_KEEP,
	 .k = 4,
	 .missing = 0.05,
	 .was = {0.49741, 0.087358, 0.31788, 0.017092, 0.55491, 0.92294, 362}},
};

static const char *const what[WHAT] = {"relative error", "median error", "nine in ten below", "mean error",
				       "spread",         "coverage",     "predictions"};

/* What programs take of three resources, whose pace is each machine's own. */
static void draw(const struct kind *kind, double *value, size_t *group, struct ft_random *random)
{
	double share[N][PATTERNS], pace[PATTERNS];
	size_t k;

	for (size_t j = 0; j < N; j++)
		for (k = 0; k < PATTERNS; k++)
			share[j][k] = 0.05 + pow(ft_random_uniform(random), 2);
	for (size_t i = 0; i < M; i++) {
		group[i] = kind->kin ? i / 3 : i;
		for (k = 0; k < PATTERNS && (!kind->kin || i % 3 == 0); k++)
			pace[k] = exp(0.7 * ft_random_normal(random));
		for (size_t j = 0; j < N; j++) {
			double *v = &value[i * N + j];

			for (*v = 0, k = 0; k < PATTERNS; k++)
				*v += share[j][k] * pace[k];
			*v *= exp(0.04 * ft_random_normal(random));
			if (ft_random_uniform(random) < kind->outliers)
				*v *= 5;
			if (ft_random_uniform(random) < kind->missing)
				*v = NAN;
		}
	}
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const size_t named[] = {6, 1};
	struct ft_random random = {seed};
	double value[M * N];
	size_t group[M], i;
	struct ft_trials_result result = {0};
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .group = kind->kin ? group : NULL,
				   .way = kind->way,
				   .k = kind->k,
				   .named = named,
				   .train = 20,
				   .gaps = kind->gaps,
				   .repeats = 3,
				   .seed = seed,
				   .confidence = 0.9,
				   .solver = ft_solver_find(kind->solver),
				   .options = &kind->options};

	draw(kind, value, group, &random);
	ok(!ft_trials_run(&trials, &result, NULL), "%s", kind->name);
	{
		const struct ft_trial_score *all = &result.all;
		const double score[WHAT] = {
			all->rae,      all->median_error, all->p90_error,          fabs(all->error_mean),
			all->error_sd, all->coverage,     (double)all->predictions};

		for (i = 0; i < WHAT; i++)
			test_score(kind->name, what[i], score[i], kind->was[i]);
	}
	ft_trials_clear(&result);
}

/* Which columns, what they leave; how identical machines differ. */
static void test_basis(void)
{
	static const double was[5] = {14, 0.41911, 0.032448, 1488, 1.1636};
	static const struct kind kind = {.kin = true};
	struct ft_random random = {5};
	double value[M * N], left[4], score[5] = {0};
	size_t group[M], chosen[4], i;
	struct ft_floor floors[N], all;

	draw(&kind, value, group, &random);
	ok(!ft_basis_choose(value, M, N, 4, chosen, left, NULL) &&
		   !ft_floors_find(floors, &all, value, M, N, group, NULL),
	   "a basis, and floors");
	for (i = 0; i < 4; i++) {
		score[0] += (double)(chosen[i] * (i + 1));
		score[1] += left[i];
	}
	score[2] = all.error;
	score[3] = (double)(all.rows + 100 * all.groups);
	for (i = 0; i < N; i++)
		score[4] += floors[i].error * (double)(i + 1);
	test_score("a basis of four", "which", score[0], was[0]);
	test_score("a basis of four", "left", score[1], was[1]);
	test_score("floors", "of all", score[2], was[2]);
	test_score("floors", "rows and groups", score[3], was[3]);
	test_score("floors", "of each", score[4], was[4]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		test_kind(&kinds[i], 100 * (i + 1));
	test_basis();
	return done();
}
