/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - means, quantiles, and the quantiles of Student's and the normal distribution. */
#include "num/num.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Logarithms of many numbers at once.
 */

/* x = 2^e m, m within sqrt(1/2) and sqrt(2); ln m = 2 atanh f, f = (m - 1)/(m + 1). */
void ft_ln_many(const double *x, size_t n, double *out)
{
	const uint64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, mantissa = 0x000fffffffffffff;
	const uint64_t shift = 0x4330000000000000; /* 2^52 */

	for (size_t i = 0; i < n; i++) {
		double m, e;
		uint64_t bits;

		memcpy(&bits, &x[i], sizeof bits);
		bits += one - root;
		uint64_t high = bits >> 52 | shift;
		bits = (bits & mantissa) + root;
		memcpy(&m, &bits, sizeof m);
		memcpy(&e, &high, sizeof e);
		e -= 4503599627370496.0 + 1023;
		double f = (m - 1) / (m + 1);
		double f2 = f * f;
		out[i] = e * 0.69314718055994530942 +
			 2 * f *
				 (1 + f2 * (1.0 / 3 +
					    f2 * (1.0 / 5 +
						  f2 * (1.0 / 7 +
							f2 * (1.0 / 9 +
							      f2 * (1.0 / 11 +
								    f2 * (1.0 / 13 + f2 * (1.0 / 15))))))));
	}
}

/*
 * Ascending order of doubles.
 */

int ft_compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void ft_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof *values, ft_compare_doubles);
}

size_t ft_sort_different(double *values, size_t n)
{
	size_t kept = 0;

	ft_sort(values, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || values[i] > values[kept - 1])
			values[kept++] = values[i];
	return kept;
}

static int compare_keyed(const void *a, const void *b)
{
	const struct ft_keyed *p = a, *q = b;

	return p->key != q->key ? ft_compare_doubles(&p->key, &q->key) : (p->of > q->of) - (p->of < q->of);
}

void ft_keyed_sort(struct ft_keyed *order, size_t n)
{
	if (n > 1)
		qsort(order, n, sizeof *order, compare_keyed);
}

/*
 * Means, quantiles, and the quantiles of Student's and the normal distribution.
 */

/* So few are sorted on the stack: by then both ways take as long. */
enum { FEW = 1, DIGIT = 8 };
static const uint64_t SIGN = (uint64_t)1 << 63, DIGITS = (1 << DIGIT) - 1;

static void set_off(void)
{
	(void)gsl_set_error_handler_off();
}

/* GSL has one error handler for the whole process, and by default it aborts: whoever calls GSL here calls
 * this before. A program that links the library and sets a handler of its own sets it after its first call
 * into the library. */
static void quiet_gsl(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, set_off);
}

double ft_stats_mean(const double *values, size_t n)
{
	assert(n >= 1);
	return gsl_stats_mean(values, 1, n);
}

double ft_stats_variance(const double *values, size_t n)
{
	return n < 2 ? 0 : gsl_stats_variance(values, 1, n);
}

/* Numbers in the order of the doubles whose bits they are, and back. */
static uint64_t key_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | SIGN;
}

/* From the highest digit on: of those that agree so far, so many have each next digit. */
static double count_ranked(const double *values, size_t n, size_t k)
{
	uint64_t found = 0, known = 0;

	for (int shift = 64 - DIGIT; shift >= 0; shift -= DIGIT) {
		size_t count[1 << DIGIT] = {0}, i;
		uint64_t digit = 0;

		for (i = 0; i < n; i++) {
			uint64_t key = key_of(values[i]);

			if ((key & known) == found)
				count[key >> shift & DIGITS]++;
		}
		while (k >= count[digit])
			k -= count[digit++];
		found |= digit << shift;
		known |= DIGITS << shift;
	}
	uint64_t bits = found >> 63 ? found & ~SIGN : ~found;
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

double ft_stats_ranked(const double *values, size_t n, size_t k)
{
	double copy[FEW];

	assert(k < n);
	if (n > FEW)
		return count_ranked(values, n, k);
	memcpy(copy, values, n * sizeof *copy);
	ft_sort(copy, n);
	return copy[k];
}

double ft_stats_quantile(const double *values, size_t n, double share)
{
	assert(n >= 1 && share >= 0 && share <= 1);
	double place = share * (double)(n - 1);
	size_t k = (size_t)place;
	double low = ft_stats_ranked(values, n, k);
	if (k + 1 == n || place <= (double)k)
		return low;
	double high = ft_stats_ranked(values, n, k + 1);
	return (1 - (place - (double)k)) * low + (place - (double)k) * high;
}

double ft_stats_median(const double *values, size_t n)
{
	return ft_stats_quantile(values, n, 0.5);
}

double ft_student_t(double confidence, double dof)
{
	assert(confidence > 0 && confidence < 1 && dof > 0);
	quiet_gsl();
	return gsl_cdf_tdist_Qinv((1 - confidence) / 2, dof);
}

double ft_normal_quantile(double p)
{
	assert(p > 0 && p < 1);
	quiet_gsl();
	return gsl_cdf_ugaussian_Pinv(p);
}

double ft_normal_below(double z)
{
	return 0.5 * erfc(-z * 0.70710678118654752440);
}

/* How much of all weight lies within -w .. w. */
static double share_within(const double *deviation, const double *weight, size_t n, double w)
{
	double inside = 0, total = 0;

	for (size_t i = 0; i < n; i++) {
		inside += weight[i] * (deviation[i] > 0 ? erf(w / deviation[i] * 0.70710678118654752440) : 1);
		total += weight[i];
	}
	return inside / total;
}

double ft_normals_within(const double *deviation, const double *weight, size_t n, double p)
{
	double least = INFINITY, most = 0, normal = ft_normal_quantile((1 + p) / 2);

	for (size_t i = 0; i < n; i++) {
		if (isnan(deviation[i]))
			return NAN;
		least = fmin(least, deviation[i]);
		most = fmax(most, deviation[i]);
	}
	if (!n || isinf(most))
		return n ? most : (double)NAN;
	/* It is no less than the narrowest alone has, and no more than the widest. */
	least *= normal;
	most *= normal;
	while (most - least > 1e-9 * most) {
		double middle = (least + most) / 2;

		if (share_within(deviation, weight, n, middle) < p)
			least = middle;
		else
			most = middle;
	}
	return most;
}

/* How much of all weight lies below z; *density: its slope. */
static double share_below(const double *mean, const double *deviation, const double *weight, size_t n,
			  double z, double *density)
{
	double below = 0, total = 0;

	*density = 0;
	for (size_t i = 0; i < n; i++) {
		double at = deviation[i] > 0 ? (z - mean[i]) / deviation[i] : 0;

		below += weight[i] * (deviation[i] > 0 ? ft_normal_below(at) : z >= mean[i]);
		if (deviation[i] > 0)
			*density += weight[i] * exp(-at * at / 2) / (deviation[i] * sqrt(2 * M_PI));
		total += weight[i];
	}
	*density /= total;
	return below / total;
}

/* Newton's steps, halved where they leave what is known to hold it. */
double ft_normals_quantile(const double *mean, const double *deviation, const double *weight, size_t n,
			   double p)
{
	double least = INFINITY, most = -INFINITY, wide = 0, normal = ft_normal_quantile(p), z, step;

	/* It lies between that of the one and that of another. */
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, mean[i] + normal * deviation[i]);
		most = fmax(most, mean[i] + normal * deviation[i]);
		wide = fmax(wide, deviation[i]);
	}
	z = (least + most) / 2;
	step = most - least;
	while (most - least > 1e-9 * wide && fabs(step) > 1e-10 * wide) {
		double density, off = share_below(mean, deviation, weight, n, z, &density) - p, before = z;

		*(off < 0 ? &least : &most) = z;
		z -= off / density;
		if (!(z > least && z < most))
			z = (least + most) / 2;
		step = z - before;
		if (step == 0)
			break;
	}
	return z;
}

double ft_student_above(double t, double dof)
{
	assert(dof > 0);
	quiet_gsl();
	return gsl_cdf_tdist_Q(t, dof);
}

double ft_f_probability(double ratio, double above, double below)
{
	assert(ratio >= 0 && above > 0 && below > 0);
	quiet_gsl();
	double p = gsl_cdf_fdist_P(ratio, above, below);
	return 2 * (p < 0.5 ? p : 1 - p);
}
