/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complexity.c - experimental complexity: how much of each program of a basis a target is, as its size grows
 * (004 7.2), and where two programs together are more than their sum (7.4, 7.5). */
#include "base/alloc.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double one(double n)
{
	(void)n;
	return 1;
}

static double linear(double n)
{
	return n;
}

static double square(double n)
{
	return n * n;
}

static double cube(double n)
{
	return n * n * n;
}

static double ceil_log(double n)
{
	return n >= 1 ? ceil(log2(n)) : (double)NAN;
}

static double n_ceil_log(double n)
{
	return n * ceil_log(n);
}

/* 004 10.2.1, and a constant. */
static const struct {
	const char *text;
	double (*value)(double n);
} terms[FT_COMPLEXITY_TERMS] = {
	{"1", one},      {"ceil(log2(n))", ceil_log},
	{"n", linear},   {"n*ceil(log2(n))", n_ceil_log},
	{"n^2", square}, {"n^3", cube},
	{"exp(n)", exp},
};

const char *ft_complexity_term_text(size_t term)
{
	return term < FT_COMPLEXITY_TERMS ? terms[term].text : NULL;
}

double ft_complexity_curve_value(const struct ft_complexity_curve *curve, double n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < curve->terms; i++)
		sum += curve->c[i] * terms[curve->term[i]].value(n);
	return sum;
}

/* Weighted least squares of beta on one or two terms; false: a coefficient is negative or not determined. */
static bool solve(const double *n, const double *beta, const double *w, size_t s,
		  struct ft_complexity_curve *out)
{
	double a = 0, b = 0, d = 0, ya = 0, yb = 0, determinant;
	size_t i;

	for (i = 0; i < s; i++) {
		double p = terms[out->term[0]].value(n[i]);
		double q = out->terms > 1 ? terms[out->term[1]].value(n[i]) : 0;

		if (!isfinite(p) || !isfinite(q))
			return false;
		a += w[i] * p * p;
		b += w[i] * p * q;
		d += w[i] * q * q;
		ya += w[i] * p * beta[i];
		yb += w[i] * q * beta[i];
	}
	if (!(a > 0) || !isfinite(a) || !isfinite(d))
		return false;
	if (out->terms == 1) {
		out->c[0] = ya / a;
		return out->c[0] > 0;
	}
	determinant = a * d - b * b;
	if (!(determinant > 1e-10 * a * d))
		return false;
	out->c[0] = (ya * d - yb * b) / determinant;
	out->c[1] = (yb * a - ya * b) / determinant;
	return out->c[0] > 0 && out->c[1] > 0;
}

/* Sum of squares of relative errors, and R^2 of beta as it is. */
static double judge(const double *n, const double *beta, const double *w, size_t s,
		    struct ft_complexity_curve *out)
{
	double sum = 0, rest = 0, total = 0, mean = 0;
	size_t i;

	for (i = 0; i < s; i++)
		mean += beta[i] / (double)s;
	for (i = 0; i < s; i++) {
		double off = beta[i] - ft_complexity_curve_value(out, n[i]);

		sum += w[i] * off * off;
		rest += off * off;
		total += (beta[i] - mean) * (beta[i] - mean);
	}
	out->r2 = total > 0 ? 1 - rest / total : (double)NAN;
	return sum;
}

/* The sparsest curve that beta calls for: Schwarz's criterion over single terms and pairs, which also pay for
 * being chosen among so many (Chen & Chen 2008, gamma 1). */
static void fit_one(const double *n, const double *beta, double *w, size_t s,
		    struct ft_complexity_curve *best)
{
	double most = 0, least = INFINITY, samples = (double)s;
	struct ft_complexity_curve c = {0};
	size_t i, a, b;

	*best = (struct ft_complexity_curve){.r2 = NAN};
	for (i = 0; i < s; i++)
		most = fmax(most, fabs(beta[i]));
	if (!(most > 0))
		return;
	/* Relative errors; but what is a hundredth of the largest share counts no more than that. */
	for (i = 0; i < s; i++)
		w[i] = 1 / (fmax(fabs(beta[i]), 0.01 * most) * fmax(fabs(beta[i]), 0.01 * most));
	for (a = 0; a < FT_COMPLEXITY_TERMS; a++)
		for (b = a; b < FT_COMPLEXITY_TERMS; b++) {
			double sum, score;

			c.terms = a == b ? 1 : 2;
			if (s < c.terms + 1)
				continue;
			c.term[0] = (unsigned char)a;
			c.term[1] = (unsigned char)b;
			if (!solve(n, beta, w, s, &c))
				continue;
			sum = judge(n, beta, w, s, &c);
			score = samples * log(sum / samples + 1e-12) + (double)c.terms * log(samples) +
				2 * log(c.terms > 1 ? 21 : 7);
			if (score < least) {
				least = score;
				*best = c;
				best->error = sqrt(sum / samples);
			}
		}
}

enum ft_status ft_complexity_fit(const double *n, const double *beta, size_t s, size_t k,
				 struct ft_complexity_curve *out, struct ft_err *err)
{
	double *column = ft_calloc(s, sizeof *column), *w = ft_calloc(s, sizeof *w);
	enum ft_status status = FT_OK;
	size_t i, j;

	memset(out, 0, k * sizeof *out);
	if (!column || !w) {
		status = ft_nomem(err);
		goto out;
	}
	if (s < 2) {
		status = ft_fail(err, FT_ENOMODEL, "%zu size%s: how a share grows needs two at least", s,
				 s == 1 ? "" : "s");
		(void)ft_remedy(err, "measure the program at more sizes");
		goto out;
	}
	for (i = 0; i < s; i++)
		if (!(n[i] > 0) || !isfinite(n[i])) {
			status = ft_fail(err, FT_EINVAL, "a size of %g has no complexity", n[i]);
			goto out;
		}
	for (j = 0; j < k; j++) {
		for (i = 0; i < s; i++)
			column[i] = beta[i * k + j];
		fit_one(n, column, w, s, &out[j]);
	}
out:
	ft_free(column);
	ft_free(w);
	return status;
}

size_t ft_complexity_curve_format(const struct ft_complexity_curve *curve, char *buffer, size_t size)
{
	size_t length = 0, i;

	if (size)
		*buffer = 0;
	if (!curve->terms)
		return (size_t)snprintf(buffer, size, "0");
	for (i = curve->terms; i-- > 0;) {
		size_t left = length < size ? size - length : 0;
		int added = snprintf(left ? buffer + length : NULL, left, "%s%.4g%s%s", length ? " + " : "",
				     curve->c[i], curve->term[i] ? "*" : "",
				     curve->term[i] ? terms[curve->term[i]].text : "");

		length += added > 0 ? (size_t)added : 0;
	}
	return length;
}

void ft_complexity_compose(const double *first, const double *second, double phi, size_t k, double *out)
{
	size_t j;

	for (j = 0; j < k; j++)
		out[j] = first[j] + phi * second[j];
}
