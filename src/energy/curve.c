/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.c - power against utilisation: idle, full, and how it bends between. */
#include "base/alloc.h"
#include "foretime/energy.h"
#include "num/cholesky.h"

#include <math.h>
#include <string.h>

/* Exponents tried for the bent part. */
static const double exponents[] = {0.25, 0.35, 0.5, 0.7, 1.4, 2, 3, 4};
enum { EXPONENTS = sizeof exponents / sizeof *exponents };

struct curve_points {
	const double *use, *watts;
	size_t n, without; /* this one is left out; n: none */
};

/* Relative least squares of watts ~ c0 + c1 u + c2 u^r (terms 2 or 3) by normal equations. False: singular.
 */
static bool solve_curve(const struct curve_points *p, double exponent, size_t terms, double c[3])
{
	double a[9] = {0};

	memset(c, 0, 3 * sizeof *c);
	for (size_t i = 0; i < p->n; i++) {
		double g[3] = {1, p->use[i], pow(p->use[i], exponent)}, w = 1 / (p->watts[i] * p->watts[i]);

		if (i == p->without)
			continue;
		for (size_t j = 0; j < terms; j++) {
			for (size_t k = j; k < terms; k++)
				a[j * terms + k] += w * g[j] * g[k];
			c[j] += w * g[j] * p->watts[i];
		}
	}
	if (!ft_chol_factor_above(a, terms, 1e-12 * a[0]))
		return false;
	ft_chol_solve(a, terms, c, 1);
	return true;
}

/* Mean relative error at points left out one by one; infinite: not determined. */
static double left_out_error(struct curve_points *p, double exponent, size_t terms)
{
	double sum = 0, c[3];
	size_t n = p->n;

	for (size_t i = 0; i < n; i++) {
		p->without = i;
		if (!solve_curve(p, exponent, terms, c)) {
			p->without = n;
			return INFINITY;
		}
		double said = c[0] + c[1] * p->use[i] + c[2] * pow(p->use[i], exponent);
		sum += fabs(said / p->watts[i] - 1) / (double)n;
	}
	p->without = n;
	return sum;
}

double ft_load_curve_watts(const struct ft_load_curve *curve, double use)
{
	double bent = curve->straight == 1 ? 0 : (1 - curve->straight) * pow(use, curve->exponent);

	return curve->idle_w + (curve->full_w - curve->idle_w) * (curve->straight * use + bent);
}

static size_t count_different(const double *use, size_t n)
{
	size_t j, count = 0;

	for (size_t i = 0; i < n && count < 8; i++) {
		for (j = 0; j < i && use[j] != use[i]; j++)
			;
		count += j == i;
	}
	return count;
}

enum ft_status ft_load_curve_fit(struct ft_load_curve *out, const double *use, const double *watts, size_t n,
				 struct ft_err *err)
{
	struct curve_points p = {use, watts, n, n};
	double c[3], error, area;
	size_t i, best = EXPONENTS, levels = count_different(use, n);

	*out = (struct ft_load_curve){.n = n, .straight = 1, .exponent = 1};
	for (i = 0; i < n; i++)
		if (!(use[i] >= 0 && use[i] <= 1) || !(watts[i] > 0) || !isfinite(watts[i])) {
			(void)ft_fail(err, FT_EINVAL, "point %zu: %g W at a utilisation of %g", i + 1,
				      watts[i], use[i]);
			return ft_remedy(err,
					 "utilisations lie within 0 and 1 (or 0 and 100 %%), powers above 0");
		}
	if (levels < 3) {
		(void)ft_fail(err, FT_EINVAL, "%zu different utilisation%s: a curve needs three", levels,
			      levels == 1 ? "" : "s");
		return ft_remedy(err, "measure idle, half and full load at least");
	}
	out->line_error = out->error = left_out_error(&p, 1, 2);
	for (i = 0; i < EXPONENTS && levels >= 4; i++) {
		error = left_out_error(&p, exponents[i], 3);
		/* A bend must pay for its coefficient. */
		if (error < 0.9 * out->error) {
			out->error = error;
			best = i;
		}
	}
	if (best < EXPONENTS)
		out->exponent = exponents[best];
	if (!solve_curve(&p, out->exponent, best < EXPONENTS ? 3 : 2, c))
		return ft_fail(err, FT_EINVAL, "the points do not determine a curve");
	out->idle_w = c[0];
	out->full_w = c[0] + c[1] + c[2];
	if (best < EXPONENTS && out->full_w != out->idle_w)
		out->straight = c[1] / (out->full_w - out->idle_w);
	/* Area between the curve and the proportional line, over that of a constant one. */
	area = out->idle_w + c[1] / 2 + c[2] / (out->exponent + 1) - out->full_w / 2;
	out->proportion = 1 - area / (out->full_w / 2);
	return FT_OK;
}
