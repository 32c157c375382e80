/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-growth.c - exponents of new runs beside those promised, by their definitions; and in words. */
#include "tap.h"

#include "ask/ask.h"
#include "base/random.h"

enum { SIZES = 7, PAIRS = SIZES * (SIZES - 1) / 2 };

/* The least slope between two sizes such that no greater ones have half of all distances. */
static double slope_by_definition(const double *x, const double *y, size_t n)
{
	double slope[PAIRS], weight[PAIRS], all = 0, least = INFINITY;
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++, pairs++) {
			weight[pairs] = x[i] - x[j];
			slope[pairs] = (y[i] - y[j]) / weight[pairs];
			all += weight[pairs];
		}
	for (size_t i = 0; i < pairs; i++) {
		double upto = 0;

		for (size_t j = 0; j < pairs; j++)
			upto += slope[j] <= slope[i] ? weight[j] : 0;
		least = upto >= all / 2 ? fmin(least, slope[i]) : least;
	}
	return least;
}

/* The inverse of the normal equations of a weighted line, its slope's element; more where the sizes lie
 * farther off than their deviations say. */
static double error_by_definition(const double *x, const double *y, const double *sd, size_t n, double slope)
{
	double w[3] = {0}, level = 0, chi = 0;

	for (size_t i = 0; i < n; i++) {
		w[0] += pow(sd[i], -2);
		w[1] += pow(sd[i], -2) * x[i];
		w[2] += pow(sd[i], -2) * x[i] * x[i];
		level += pow(sd[i], -2) * (y[i] - slope * x[i]);
	}
	level /= w[0];
	for (size_t i = 0; i < n; i++)
		chi += pow((y[i] - slope * x[i] - level) / sd[i], 2);
	return sqrt(w[0] / (w[0] * w[2] - w[1] * w[1]) * fmax(1, chi / (double)(n - 2)));
}

static void test_definitions(void)
{
	struct ft_random random = {test_seed()};
	int i, slopes = 0, errors = 0, verdicts = 0, seen[3] = {0}, cases = test_cases(300);

	for (i = 0; i < cases; i++) {
		double x[SIZES], y[SIZES], was[SIZES], now[SIZES], sd[SIZES], off = 0.2 * (i % 4 - 1.5),
									      error;
		size_t n = 3 + (size_t)i % (SIZES - 2), k;
		struct ft__step step[SIZES];
		struct ft_growth growth = {0};

		for (k = 0; k < n; k++) {
			x[k] = (k ? x[k - 1] : 2) + 0.1 + 2 * ft_random_uniform(&random);
			sd[k] = 0.02 + 0.2 * ft_random_uniform(&random);
			was[k] = 1.2 * x[k] + 0.3 * ft_random_normal(&random);
			y[k] = off * x[k] + (i % 3) * sd[k] * ft_random_normal(&random);
			now[k] = was[k] + y[k];
			step[k] = (struct ft__step){exp(x[k]), exp(now[k]), exp(was[k]), sd[k]};
		}
		(void)ft__growth_test(step, n, 2, &growth, NULL);
		slopes += growth.sizes != n || growth.from != step[0].x || growth.to != step[n - 1].x ||
			  !near(growth.was, slope_by_definition(x, was, n), 1e-9) ||
			  !near(growth.now, slope_by_definition(x, now, n), 1e-9) ||
			  fabs(growth.change - slope_by_definition(x, y, n)) > 1e-9;
		error = error_by_definition(x, y, sd, n, growth.change);
		errors += !near(growth.upper - growth.lower, 4 * error, 1e-9) ||
			  !near(growth.upper + growth.lower, 2 * growth.change, 1e-9);
		verdicts += growth.verdict != (growth.lower > 0.05    ? FT_VERDICT_OVER
					       : growth.upper < -0.05 ? FT_VERDICT_UNDER
								      : FT_VERDICT_INSIDE);
		seen[growth.verdict]++;
	}
	ok(!slopes, "exponents are weighted medians of slopes: %d of %d are not", slopes, cases);
	ok(!errors, "their intervals are those of a weighted line: %d of %d are not", errors, cases);
	ok(!verdicts && seen[FT_VERDICT_OVER] && seen[FT_VERDICT_UNDER] && seen[FT_VERDICT_INSIDE],
	   "they change by 0.05 at least where that is told: %d of %d are wrong", verdicts, cases);
}

/* n^2 hidden in the band: no size is over, the growth is. */
static void test_robust(void)
{
	struct ft__step step[7];
	struct ft_growth growth = {0};

	for (int i = 0; i < 7; i++) {
		double x = pow(2, 10 + i);

		step[i] = (struct ft__step){x, 1e-9 * x * x, 1e-6 * x, 0.05};
	}
	step[3].value *= 20;
	(void)ft__growth_test(step, 7, 2.6, &growth, NULL);
	ok(near(growth.was, 1, 1e-9) && fabs(growth.now - 2) < 0.25,
	   "one bad size of seven does not tip the slope: %.2f", growth.now);
	step[3].value /= 20;
	(void)ft__growth_test(step, 7, 2.6, &growth, NULL);
	ok(near(growth.change, 1, 1e-9) && growth.verdict == FT_VERDICT_OVER, "without it the change is 1");
	for (int i = 0; i < 7; i++)
		step[i].value = sqrt(step[i].x);
	(void)ft__growth_test(step, 7, 2.6, &growth, NULL);
	ok(growth.verdict == FT_VERDICT_UNDER && near(growth.change, -0.5, 1e-9), "slower growth is under");
	for (int i = 0; i < 7; i++) {
		step[i].value = step[i].promised * pow(step[i].x, 0.1);
		step[i].sd = 0.5;
	}
	(void)ft__growth_test(step, 7, 2.6, &growth, NULL);
	ok(growth.verdict == FT_VERDICT_INSIDE, "what the noise may have made is inside");
}

static void test_words(void)
{
	static const struct {
		double exponent, margin, x;
		const char *words;
	} cases[] = {
		{0.01, 0, 1e4, "constant"},
		{1.0, 0, 1e4, "n"},
		{1.11, 0, 1e4, "n log n"},
		{2.0, 0, 1e4, "n^2"},
		{2.1, 0, 1e4, "n^2 log n"},
		{0.5, 0, 1e4, "n^0.5"},
		{0.11, 0, 1e4, "log n"},
		{1.05, 0.06, 1e4, "n or n log n"},
		{1.05, 0.04, 1e4, "n"},
		{1.1, 0.09, 1e4, "n log n"},
		{4, 0, 1e4, "n^4"},
		{4.11, 0, 1e4, "n^4 log n"},
		{-0.1, 0, 1e4, "constant"},
		{-0.2, 0, 1e4, "n^-0.2"},
		{1.72, 0, 1e12, "n^1.72"},
		{7.3, 0, 1e4, "n^7.3"},
		{1.5, 0.2, 1e4, "n^1.5 or n^1.5 log n"},
		{2.0, 0.01, 1.5, "n^2"},
	};
	char buffer[FT_GROWTH_LENGTH];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ok(!strcmp(ft_growth_text(cases[i].exponent, cases[i].margin, cases[i].x, "n", buffer),
			   cases[i].words),
		   "exponent %g around %g is %s", cases[i].exponent, cases[i].x, buffer);
}

int main(void)
{
	test_definitions();
	test_robust();
	test_words();
	return done();
}
