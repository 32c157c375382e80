/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scatter.c - quantiles of single runs: as those of the mixture that is inverted by halves. */
#include "base/random.h"
#include "model/model.h"
#include "tap.h"

static const double prior_runs = 20, gap_most = 1;

/* Abramowitz and Stegun, 26.7.3. */
static double student_5(double t)
{
	double theta = atan(t / sqrt(5)), c = cos(theta);

	return 0.5 + (theta + sin(theta) * (c + 2 * c * c * c / 3)) / acos(-1);
}

/* The share below x. */
static double below(const struct ft__scatter *scatter, double x)
{
	const double *r = scatter->residual;
	double share = 0, n = (double)scatter->n;
	size_t above = 0;

	while (above < scatter->n && r[above] <= x)
		above++;
	if (above == scatter->n)
		share = n;
	else if (above && r[above] - r[above - 1] > gap_most)
		share = (double)above;
	else if (above)
		share = (double)above - 0.5 + (x - r[above - 1]) / (r[above] - r[above - 1]);
	share = scatter->n ? share / n : 0;
	return (scatter->runs * share + prior_runs * student_5(x)) / (scatter->runs + prior_runs);
}

static double invert(const struct ft__scatter *scatter, double p)
{
	double low = -100, high = 100;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (below(scatter, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

static int compare(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Residuals, some of them spikes, some of them equal. */
static void make(struct ft__scatter *scatter, struct ft_random *random)
{
	*scatter = (struct ft__scatter){.n = ft_random_below(random, FT__RESIDUALS + 1)};
	for (size_t i = 0; i < scatter->n; i++) {
		double x = ft_random_normal(random), spike = ft_random_uniform(random);

		x = spike < 0.05 ? 20 * x : x;
		scatter->residual[i] = spike > 0.9 ? round(x) : x;
	}
	qsort(scatter->residual, scatter->n, sizeof *scatter->residual, compare);
	scatter->runs = (double)scatter->n * (1 + floor(40 * pow(ft_random_uniform(random), 4)));
	ft__scatter_settle(scatter);
}

/* The share to ask of the mixture so that a share p is expected of the next run: k / (n + 1) for k / n. */
static double expected(const struct ft__scatter *scatter, double p)
{
	double tail = fmin(p, 1 - p);
	double less = tail - scatter->runs / (scatter->runs + 1) * (1 - tail) / (scatter->runs + 20);

	less = fmax(less, tail / 2);
	return p < 0.5 ? less : 1 - less;
}

static void test_quantiles(void)
{
	static const double share[] = {0.0005, 0.025, 0.05, 0.2, 0.5, 0.7, 0.95, 0.99, 0.9995};
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), wrong = 0, i;
	struct ft__scatter scatter;

	for (i = 0; i < cases; i++) {
		make(&scatter, &random);
		for (size_t k = 0; k <= sizeof share / sizeof *share; k++) {
			double p = k ? share[k - 1] : ft_random_uniform(&random) * 0.999 + 0.0005;
			double is = ft__scatter_quantile(&scatter, p) + scatter.median,
			       wants = invert(&scatter, expected(&scatter, p));

			if (fabs(is - wants) > 1e-11 && !wrong++)
				diag("seed %llu, case %d: %zu residuals, %g runs, at %g: %.15g, not %.15g",
				     (unsigned long long)test_seed(), i, scatter.n, scatter.runs, p, is,
				     wants);
		}
	}
	ok(!wrong, "quantiles of %d kinds of scatter are those found by halves (%d are not)", cases, wrong);
}

static void test_alone(void)
{
	struct ft__scatter scatter = {.n = 0};

	ft__scatter_settle(&scatter);
	ok(fabs(scatter.median) < 1e-12 && near(ft__scatter_quantile(&scatter, 0.95), 2.015048, 1e-6),
	   "no run was seen twice: Student's law of five degrees of freedom");
}

int main(void)
{
	test_alone();
	test_quantiles();
	return done();
}
