/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-named.c - laws of named classes: their words, what they cannot be of, and intervals by the formulas. */
#include "foretime/law.h"
#include "law/door.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { SIZES = 7 };

static struct ft_law_named named; /* large */

static void test_words(void)
{
	enum ft_law_kind again = FT_LAW_KINDS;
	int bad = 0;

	for (enum ft_law_kind kind = 0; kind < FT_LAW_KINDS; kind++)
		bad += !ft_law_kind_parse(ft_law_kind_text(kind), &again) || again != kind;
	ok(!bad && !strcmp(ft_law_kind_text(FT_LAW_POLYLOG), "polylog"), "each kind is read by its word");
	ok(!ft_law_kind_parse("powers", &again) && !ft_law_kind_parse("", &again) &&
		   again == FT_LAW_KINDS - 1,
	   "what is no word of one changes nothing");
}

static void test_refused(void)
{
	struct ft_law_sample one[] = {{8, 1}, {8, 2}}, none[] = {{8, 1}, {16, 0}}, zero[] = {{0, 1}, {8, 2}};
	struct ft_law_prediction p;
	struct ft_law_number power;
	struct ft_err err;

	ok(ft_law_named_fit(&named, FT_LAW_POWER, 0, one, 2, &err) == FT_ENOMODEL && *err.remedy &&
		   named.sizes == 0,
	   "%s", err.text);
	ok(ft_law_named_fit(&named, FT_LAW_POWER, 0, none, 2, &err) == FT_ENOMODEL &&
		   strstr(err.text, "size 16"),
	   "%s", err.text);
	ok(ft_law_named_fit(&named, FT_LAW_POLYLOG, 0, zero, 2, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_law_named_fit(&named, FT_LAW_POLYLOG, 1, none, 2, &err) && named.mean_error < 1e-12,
	   "a polynomial may be 0, and errors are those of what is not");
	ok(!ft_law_named_power(&named, 0.9, &power), "it has no power");
	ok(ft_law_named_predict(&named, 0, 0.9, FT_LAW_MEAN, &p, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_law_named_predict(&named, 8, 0.3, FT_LAW_MEAN, &p, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_law_named_predict(&named, 64, 0.9, FT_LAW_MEAN, &p, &err) && p.value == 0,
	   "a polynomial that falls below 0 is 0");
}

/* Two runs at each size, apart by the same share; the mean of size k is off the law by off[k]. */
static void measure(struct ft_law_sample *sample, double (*law)(double x), const double *off, bool relative)
{
	for (size_t k = 0; k < SIZES; k++) {
		double x = ldexp(8, (int)k),
		       mean = law(x) * (relative ? exp(off[k]) : 1) + (relative ? 0 : off[k]);

		sample[2 * k] = (struct ft_law_sample){x, mean * 1.02};
		sample[2 * k + 1] = (struct ft_law_sample){x, mean * 0.98};
	}
}

static double power_law(double x)
{
	return 3 * pow(x, 1.7);
}

static double squares(double x)
{
	return 100 + 5 * log2(x) + 2 * log2(x) * log2(x);
}

/* What lies off a line so that least squares see nothing of it: the line is then known, and so are the
 * errors.
 */
static const double even[SIZES] = {0.05, -0.05, -0.05, 0.10, -0.05, -0.05, 0.05};

static double sum_of_squares(const double *of)
{
	double sum = 0;

	for (size_t k = 0; k < SIZES; k++)
		sum += of[k] * of[k];
	return sum;
}

/* y = level + slope z, z = ln x about its mean: variance s^2 (1/n + z^2 / sum z^2), and s^2 more of a run. */
static void test_power(void)
{
	struct ft_law_sample sample[2 * SIZES];
	struct ft_law_prediction mean, run;
	struct ft_law_number power;
	double s = sqrt(sum_of_squares(even) / (SIZES - 2)), t = ft_student_t(0.9, SIZES - 2), szz = 0, z,
	       x = 5000, error;

	measure(sample, power_law, even, true);
	for (size_t k = 0; k < SIZES; k++)
		szz += pow(((double)k - 3) * log(2), 2);
	z = log(x) - (log(8) + 3 * log(2));
	error = s * sqrt(1.0 / SIZES + z * z / szz);
	enum ft_status status = ft_law_named_fit(&named, FT_LAW_POWER, 0, sample, 2 * SIZES, NULL);
	ok(!status && near(named.law.term[0].factor[0].power, 1.7, 1e-9) &&
		   near(named.law.term[0].c, 3, 1e-9) && near(named.deviation, s, 1e-9) &&
		   near(named.noise, 0.02 * sqrt(2), 1e-9) && named.runs == 2 * SIZES &&
		   named.sizes == SIZES && named.rank == 2 && named.least == 8 && named.most == 512,
	   "a power law: %g n^%g, deviation %g", named.law.term[0].c, named.law.term[0].factor[0].power,
	   named.deviation);
	ok(near(named.largest_error, expm1(0.05) > 1 - exp(-0.1) ? expm1(0.05) : 1 - exp(-0.1), 1e-9) &&
		   near(named.mean_error, (2 * -expm1(-0.05) + 4 * expm1(0.05) - expm1(-0.1)) / 7, 1e-9),
	   "its errors: %g in the mean, %g at most", named.mean_error, named.largest_error);
	status = ft_law_named_power(&named, 0.9, &power) ? FT_OK : FT_ENOMODEL;
	ok(!status && near(power.value, 1.7, 1e-9) &&
		   near(power.upper - power.value, t * s / sqrt(szz), 1e-9) &&
		   near(power.value - power.lower, t * s / sqrt(szz), 1e-9),
	   "its power: %g to %g", power.lower, power.upper);
	status = ft_law_named_predict(&named, x, 0.9, FT_LAW_MEAN, &mean, NULL);
	ok(!status && near(mean.value, power_law(x), 1e-9) && mean.median == mean.value &&
		   near(log(mean.upper / mean.value), t * error, 1e-9) &&
		   near(log(mean.value / mean.lower), t * error, 1e-9) && mean.wide_upper == mean.upper &&
		   mean.wide_lower == mean.lower,
	   "the mean at %g: %g to %g", x, mean.lower, mean.upper);
	status = ft_law_named_predict(&named, x, 0.9, FT_LAW_RUN, &run, NULL);
	ok(!status && near(log(run.upper / run.value), t * sqrt(error * error + s * s), 1e-9) &&
		   near(log(run.value / run.lower), t * sqrt(error * error + s * s), 1e-9),
	   "a run there: %g to %g", run.lower, run.upper);
}

/* Of a polynomial of the logarithm through evenly spaced ones: with z = (log2 x - 6), the variance is
 * s^2 (1/n + z^2 / sum z^2 + (z^2 - m)^2 / sum (z^2 - m)^2), m the mean z^2. */
static void test_polynomial(void)
{
	static const double cubic[SIZES] = {1, -1, -1, 0, 1, 1, -1}; /* sees no parabola */
	struct ft_law_sample sample[2 * SIZES];
	struct ft_law_prediction mean, run;
	double s = sqrt(sum_of_squares(cubic) / (SIZES - 3)), t = ft_student_t(0.9, SIZES - 3), x = 4096,
	       z = 12 - 6, error;

	measure(sample, squares, cubic, false);
	error = s * sqrt(1.0 / 7 + z * z / 28 + pow(z * z - 4, 2) / 84);
	enum ft_status status = ft_law_named_fit(&named, FT_LAW_POLYLOG, 2, sample, 2 * SIZES, NULL);
	ok(!status && named.rank == 3 && near(named.law.constant, 100, 1e-7) &&
		   near(named.law.term[0].c, 2, 1e-7) && named.law.term[0].factor[0].log == 2 &&
		   near(named.law.term[1].c, 5, 1e-7) && near(named.deviation, s, 1e-7) &&
		   near(named.residual, s * 2, 1e-7),
	   "%g + %g log n + %g log^2 n, deviation %g", named.law.constant, named.law.term[1].c,
	   named.law.term[0].c, named.deviation);
	status = ft_law_named_predict(&named, x, 0.9, FT_LAW_MEAN, &mean, NULL);
	ok(!status && near(mean.value, squares(x), 1e-7) && near(mean.upper - mean.value, t * error, 1e-6) &&
		   near(mean.value - mean.lower, t * error, 1e-6),
	   "the mean at %g: %g to %g", x, mean.lower, mean.upper);
	status = ft_law_named_predict(&named, x, 0.9, FT_LAW_RUN, &run, NULL);
	ok(!status && near(run.upper - run.value, t * sqrt(error * error + s * s), 1e-6) && run.lower >= 0,
	   "a run there: %g to %g", run.lower, run.upper);
	ok(!ft_law_named_fit(&named, FT_LAW_POLYLOG, 0, sample, 2 * SIZES, NULL) && named.law.terms == 5 &&
		   !ft_law_named_fit(&named, FT_LAW_POLYLOG, 0, sample, 8, NULL) && named.law.terms == 3,
	   "of no degree: 5, or one less than there are sizes");
}

int main(void)
{
	test_words();
	test_refused();
	test_power();
	test_polynomial();
	return done();
}
