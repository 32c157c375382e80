/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how far factorisations and least absolute deviations get, and in how many steps. */
#include "scores.h"

#include "base/random.h"
#include "num/num.h"

enum { CASES = 4, M = 37, N = 70, R = 6, ROWS = 40, COLUMNS = 4 };

static const struct kind {
	const char *name;
	struct ft_nmf how;
	enum ft_nmf_start start;
	bool holes;
	size_t rank;   /* 0: 3 */
	double told;   /* the factors after four iterations */
	double was[3]; /* the scores: what is left after four iterations, and at the end; iterations */
} kinds[] = {
	{.name = "squares", .start = FT_NMF_RANDOM, .was = {7.4395, 0.73468, 19.5}, .told = 691.749962},
	{.name = "squares, nndsvd",
	 .start = FT_NMF_NNDSVD,
	 .was = {1.1884, 0.74958, 19.75},
	 .told = 471.498356},
	{.name = "squares, ica", .start = FT_NMF_ICA, .was = {38.756, 0.73314, 22.75}, .told = 914.511405},
	{.name = "squares, holes",
	 .start = FT_NMF_NNDSVD,
	 .holes = true,
	 .was = {4.1852, 0.64717, 23.75},
	 .told = 528.163255},
	{.name = "squares, multiplicative",
	 .how = {.multiplicative = true},
	 .start = FT_NMF_RANDOM,
	 .was = {494.08, 0.72025, 300},
	 .told = 623.476427},
	{.name = "divergence",
	 .how = {.loss = FT_NMF_KL},
	 .start = FT_NMF_RANDOM,
	 .was = {14.439, 14.435, 10.5},
	 .told = 754.489027},
	{.name = "divergence, multiplicative",
	 .how = {.loss = FT_NMF_KL, .multiplicative = true},
	 .start = FT_NMF_NNDSVD,
	 .was = {114.83, 14.841, 110},
	 .told = 533.189632},
	{.name = "divergence, holes",
	 .how = {.loss = FT_NMF_KL},
	 .start = FT_NMF_RANDOM,
	 .holes = true,
	 .was = {9.3064, 9.2951, 11},
	 .told = 657.387459},
	{.name = "nonsmooth",
	 .how = {.loss = FT_NMF_NONSMOOTH, .smoothness = 0.4},
	 .start = FT_NMF_RANDOM,
	 .was = {84.799, 62.338, 15.25},
	 .told = 522.999517},
	{.name = "nonsmooth, multiplicative",
	 .how = {.loss = FT_NMF_NONSMOOTH, .smoothness = 0.4, .multiplicative = true},
	 .start = FT_NMF_ICA,
	 .was = {191.57, 69.333, 292.5},
	 .told = 608.521043},
	{.name = "squares of six",
	 .start = FT_NMF_RANDOM,
	 .rank = 6,
	 .was = {53.156, 0.51178, 38.5},
	 .told = 1405.870650},
	{.name = "squares of five, nndsvd",
	 .start = FT_NMF_NNDSVD,
	 .rank = 5,
	 .was = {27.623, 0.57725, 33},
	 .told = 851.842516},
	{.name = "divergence of six",
	 .how = {.loss = FT_NMF_KL},
	 .start = FT_NMF_NNDSVD,
	 .rank = 6,
	 .was = {3.3904, 3.3786, 15.5},
	 .told = 1142.993965},
};

/* A product of rank r, and a little beside it. */
static void draw(double *x, size_t r, bool holes, struct ft_random *random)
{
	double w[M * R], h[R * N];

	for (size_t i = 0; i < M * r; i++)
		w[i] = fmax(0, ft_random_normal(random));
	for (size_t i = 0; i < r * N; i++)
		h[i] = fmax(0, ft_random_normal(random));
	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < N; j++) {
			x[i * N + j] = 0.05 * ft_random_uniform(random);
			for (size_t k = 0; k < r; k++)
				x[i * N + j] += w[i * r + k] * h[k * N + j];
			if (holes && ft_random_uniform(random) < 0.1)
				x[i * N + j] = NAN;
		}
}

static void test_nmf(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"after four iterations", "in the end", "iterations"};
	static double x[M * N], w[R * M], h[R * N];
	struct ft_random random = {seed};
	struct test_told told = {0};
	double score[3] = {0};
	size_t r = kind->rank ? kind->rank : 3;

	for (int i = 0; i < CASES; i++) {
		struct ft_nmf few = kind->how, all = kind->how;

		few.most = 4;
		all.most = 300;
		all.tolerance = 1e-5;
		draw(x, r, kind->holes, &random);
		if (ft_nmf_find(&few, kind->start, seed, x, M, N, r, w, h, NULL))
			score[0] = INFINITY;
		test_tell_all(&told, w, r * M, 1);
		test_tell_all(&told, h, r * N, 1);
		if (ft_nmf_find(&all, kind->start, seed, x, M, N, r, w, h, NULL))
			score[0] = INFINITY;
		score[0] += few.value;
		score[1] += all.value;
		score[2] += (double)all.iterations;
	}
	for (int i = 0; i < 3; i++)
		test_score(kind->name, what[i], score[i] / CASES, kind->was[i]);
	test_told(kind->name, &told, kind->told);
}

/* Of a matrix of which most is not known: what is guessed of the rest. */
static void test_guess(double was)
{
	static double x[M * N];
	struct ft_random random = {55};
	struct test_told told = {0};

	draw(x, 3, false, &random);
	for (size_t i = 0; i < M * N; i++)
		x[i] = ft_random_uniform(&random) < 0.8 ? (double)NAN : x[i];
	ok(!ft_nmf_guess(x, M, N, NULL), "a guess");
	test_tell_all(&told, x, M * N, 1);
	test_told("a guess", &told, was);
}

/* Lines through points of which some lie far off: what is left, and in how many iterations; then of other
 * values. */
static void test_lad(void)
{
	static const double was[2] = {127.74, 91.5};
	struct ft_random random = {77};
	double x[ROWS * COLUMNS], y[ROWS], b[COLUMNS], left = 0, steps = 0;
	bool short_of = true;

	for (int turn = 0; turn < CASES; turn++) {
		struct ft_lad *lad;

		for (size_t i = 0; i < ROWS * COLUMNS; i++)
			x[i] = ft_random_uniform(&random);
		if (ft_lad_new(x, ROWS, COLUMNS, &lad, NULL))
			break;
		for (int again = 0; again < 3; again++) {
			size_t iterations = 0;
			bool converged;

			for (size_t i = 0; i < ROWS; i++) {
				y[i] = ft_random_uniform(&random) < 0.1 ? 9 : 0.1 * ft_random_normal(&random);
				for (size_t k = 0; k < COLUMNS; k++)
					y[i] += x[i * COLUMNS + k] * (double)k;
			}
			ft_lad_skip(lad, 5, again == 1);
			if (!again)
				short_of = !ft_lad_solve(lad, y, 1, b, NULL, &converged, &iterations, NULL) &&
					   !converged && short_of;
			if (ft_lad_solve(lad, y, 0, b, NULL, &converged, &iterations, NULL) || !converged)
				left = INFINITY;
			steps += (double)iterations;
			for (size_t i = 0; i < ROWS; i++) {
				double off = y[i];

				for (size_t k = 0; k < COLUMNS; k++)
					off -= x[i * COLUMNS + k] * b[k];
				left += fabs(off);
			}
		}
		ft_lad_free(lad);
	}
	ok(short_of, "one iteration is not enough, and it is told");
	test_score("least absolute deviations", "what is left", left / CASES, was[0]);
	test_score("least absolute deviations", "iterations", steps / CASES, was[1]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		test_nmf(&kinds[i], i + 1);
	test_guess(1166.630115);
	test_lad();
	return done();
}
