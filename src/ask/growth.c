/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.c - the local exponent of new runs beside that of the model: did n log n become n^2? */
#include "ask/growth.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A change of the exponent by less is none that matters. */
static const double least_change = 0.05;

/* An exponent that is farther from every class has no class. */
static const double near_class = 0.12;

struct slope {
	double value, weight;
};

static int compare_slopes(const void *a, const void *b)
{
	const struct slope *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

/* The weighted median of the slopes between pairs, each weighted with its distance.
 * Source: P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, 1968; weights: L.
 * Jaeckel, 1972. pair: [n (n - 1) / 2] working space. */
static double median_slope(const struct ft__step *s, size_t n, double (*ln)(const struct ft__step *),
			   struct slope *pair)
{
	double total = 0, sum = 0;
	size_t i, pairs = 0;

	for (i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			double dx = log(s[j].x / s[i].x);

			pair[pairs++] = (struct slope){(ln(&s[j]) - ln(&s[i])) / dx, dx};
			total += dx;
		}
	qsort(pair, pairs, sizeof *pair, compare_slopes);
	for (i = 0; (sum += pair[i].weight) < total / 2; i++)
		;
	return pair[i].value;
}

static double ln_value(const struct ft__step *step)
{
	return log(step->value);
}

static double ln_promised(const struct ft__step *step)
{
	return log(step->promised);
}

static double ln_ratio(const struct ft__step *step)
{
	return log(step->value / step->promised);
}

/* The standard error of a weighted line's slope, larger where sizes scatter about it by more than they
 * should. */
static double slope_error(const struct ft__step *s, size_t n, double slope)
{
	double w = 0, x = 0, y = 0, xx = 0, chi = 0;

	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (s[i].sd * s[i].sd);

		w += weight;
		x += weight * log(s[i].x);
		y += weight * ln_ratio(&s[i]);
	}
	x /= w;
	y /= w;
	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (s[i].sd * s[i].sd), dx = log(s[i].x) - x;
		double left = ln_ratio(&s[i]) - y - slope * dx;

		xx += weight * dx * dx;
		chi += weight * left * left;
	}
	return sqrt(fmax(1, chi / (double)(n - 2)) / xx);
}

enum ft_status ft__growth_test(const struct ft__step *step, size_t n, double quantile, struct ft_growth *out,
			       struct ft_err *err)
{
	struct slope *pair = ft_calloc(n * (n - 1) / 2, sizeof *pair);

	if (!pair)
		return ft_nomem(err);
	out->sizes = n;
	out->from = step[0].x;
	out->to = step[n - 1].x;
	out->was = median_slope(step, n, ln_promised, pair);
	out->now = median_slope(step, n, ln_value, pair);
	out->change = median_slope(step, n, ln_ratio, pair);
	double wide = quantile * slope_error(step, n, out->change);
	out->lower = out->change - wide;
	out->upper = out->change + wide;
	out->verdict = out->lower > least_change    ? FT_VERDICT_OVER
		       : out->upper < -least_change ? FT_VERDICT_UNDER
						    : FT_VERDICT_INSIDE;
	ft_free(pair);
	return FT_OK;
}

/* ---- words -----------------------------------------------------------------------------------------------
 */

static void print_class(double power, bool log_too, const char *name, char buffer[FT_GROWTH_LENGTH])
{
	const char *tail = log_too ? " log " : "", *of = log_too ? name : "";

	if (power == 0)
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s%s", log_too ? "log " : "constant", of);
	else if (power == 1)
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s%s%s", name, tail, of);
	else
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s^%.3g%s%s", name, power, tail, of);
}

char *ft_growth_text(double exponent, double margin, double x, const char *name,
		     char buffer[FT_GROWTH_LENGTH])
{
	/* The exponent of n^i log n around n is i + 1 / ln n. */
	double rise = x > 2 ? 1 / log(x) : INFINITY, nearest = near_class, best = -1;
	char with[FT_GROWTH_LENGTH], plain[FT_GROWTH_LENGTH];
	bool log_too = false;

	for (int i = 0; i <= 8; i++) {
		double power = i / 2.0, off = fabs(power - exponent), off_log = fabs(power + rise - exponent);

		if (fmin(off, off_log) >= nearest)
			continue;
		nearest = fmin(off, off_log);
		best = power;
		log_too = off_log < off;
	}
	if (best < 0) {
		print_class(round(100 * exponent) / 100, false, name, buffer);
		return buffer;
	}
	print_class(best, log_too, name, buffer);
	/* The other of the two may be meant as well. */
	if (fabs(best + (log_too ? 0 : rise) - exponent) > margin)
		return buffer;
	print_class(best, false, name, plain);
	print_class(best, true, name, with);
	(void)snprintf(buffer, FT_GROWTH_LENGTH, "%.*s or %.*s", FT_GROWTH_LENGTH / 2 - 4, plain,
		       FT_GROWTH_LENGTH / 2 - 4, with);
	return buffer;
}
