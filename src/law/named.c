/* SPDX-License-Identifier: GPL-3.0-or-later */
/* named.c - the classes of document 002: power laws and polynomials in log2 n, by least squares. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/law.h"
#include "law/laws.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DEGREE_MOST = 5, COLUMNS = DEGREE_MOST + 1 };

struct kind {
	const char *word, *about;
};

static const struct kind kinds[] = {
#define KIND(name, word, about) [FT_LAW_##name] = {word, about},
	FT_LAW_KIND_LIST(KIND)
#undef KIND
};

const char *ft_law_kind_text(enum ft_law_kind kind)
{
	assert(kind < FT_LAW_KINDS);
	return kinds[kind].word;
}

bool ft_law_kind_parse(const char *text, enum ft_law_kind *kind)
{
	for (int i = 0; i < FT_LAW_KINDS; i++)
		if (!strcmp(text, kinds[i].word)) {
			*kind = (enum ft_law_kind)i;
			return true;
		}
	return false;
}

/* ---- power law: y = a x^b by the line through logarithms (002 ch. 4) -------------------------------------
 */

static void fit_power(struct ft_law_named *out, const struct ft_law_knot *knot, size_t n)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0, square = 0;

	for (size_t k = 0; k < n; k++) {
		sx += log(knot[k].x);
		sy += log(knot[k].mean);
	}
	sx /= (double)n;
	sy /= (double)n;
	for (size_t k = 0; k < n; k++) {
		double x = log(knot[k].x) - sx;

		sxx += x * x;
		sxy += x * (log(knot[k].mean) - sy);
	}
	double slope = sxy / sxx;
	double level = sy - slope * sx;
	for (size_t k = 0; k < n; k++) {
		double rest = log(knot[k].mean) - level - slope * log(knot[k].x);

		square += rest * rest;
	}
	out->law = (struct ft_law){.params = 1, .terms = 1, .term = {{.c = exp(level)}}};
	out->law.term[0].factor[0].power = slope;
	out->rank = 2;
	out->centre = sx;
	out->deviation = n > 2 ? sqrt(square / (double)(n - 2)) : (double)NAN;
	out->covariance[0][0] = 1 / (double)n;
	out->covariance[1][1] = 1 / sxx;
}

/* ---- polynomial in log2 n (002 sec. 5.3) -----------------------------------------------------------------
 */

/* The coefficients of least norm among those of least squares: fewer sizes than coefficients is allowed, as
 * the document's own example has it. */
static enum ft_status least_norm(struct ft_law_named *out, const struct ft_law_knot *knot, size_t n,
				 size_t columns, double *c, struct ft_err *err)
{
	size_t r = n < columns ? n : columns;
	double *a = ft_malloc((2 * n * columns + columns * columns + columns) * sizeof *a);

	if (!a)
		return ft_nomem(err);
	double *u = a + n * columns;
	double *v = u + n * columns;
	double *s = v + columns * columns;
	for (size_t k = 0; k < n; k++)
		for (size_t j = 0; j < columns; j++)
			a[k * columns + j] = j ? a[k * columns + j - 1] * log2(knot[k].x) : 1;
	enum ft_status status = ft_svd(a, n, columns, u, s, v, err);
	memset(c, 0, columns * sizeof *c);
	for (size_t i = 0; i < r && !status; i++) {
		double along = 0;

		if (!(s[i] > 1e-14 * s[0]))
			break;
		out->rank++;
		for (size_t k = 0; k < n; k++)
			along += u[k * r + i] * knot[k].mean;
		for (size_t j = 0; j < columns; j++) {
			c[j] += v[j * r + i] * along / s[i];
			for (size_t k = 0; k < columns; k++)
				out->covariance[j][k] += v[j * r + i] * v[k * r + i] / s[i] / s[i];
		}
	}
	ft_free(a);
	return status;
}

static enum ft_status fit_polylog(struct ft_law_named *out, const struct ft_law_knot *knot, size_t n,
				  size_t degree, struct ft_err *err)
{
	double c[COLUMNS], square = 0;

	FT_TRY(least_norm(out, knot, n, degree + 1, c, err));
	out->law = (struct ft_law){.params = 1, .terms = degree, .constant = c[0]};
	for (size_t i = 0; i < degree; i++) { /* the highest first */
		out->law.term[i].c = c[degree - i];
		out->law.term[i].factor[0].log = (double)(degree - i);
	}
	for (size_t k = 0; k < n; k++) {
		double rest = knot[k].mean - ft_law_value(&out->law, &knot[k].x);

		square += rest * rest;
	}
	out->deviation = n > out->rank ? sqrt(square / (double)(n - out->rank)) : (double)NAN;
	return FT_OK;
}

/* ---- both ------------------------------------------------------------------------------------------------
 */

static void take_errors(struct ft_law_named *out, const struct ft_law_knot *knot, size_t n)
{
	double scatter = 0, dof = 0;

	ft__law_residuals(&out->law, knot, n, &out->residual, &out->residual_ln);
	for (size_t k = 0; k < n; k++) {
		double value = ft_law_value(&out->law, &knot[k].x);
		double error = knot[k].mean > 0 ? fabs(value / knot[k].mean - 1) : 0;

		out->mean_error += error / (double)n;
		out->largest_error = fmax(out->largest_error, error);
		scatter += knot[k].scatter;
		dof += (double)knot[k].count - 1;
		out->runs += knot[k].count;
	}
	out->noise = dof > 0 ? sqrt(scatter / dof) : (double)NAN;
	out->sizes = n;
	out->least = knot[0].x;
	out->most = knot[n - 1].x;
}

static enum ft_status fit_knots(struct ft_law_named *out, enum ft_law_kind kind, size_t degree,
				const struct ft_law_knot *knot, size_t n, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (n < 2) {
		(void)ft_fail(err, FT_ENOMODEL, "there is one size only: any law passes through it");
		(void)ft_remedy(err, "measure more sizes");
		return FT_ENOMODEL;
	}
	if (!(knot[0].x > 0))
		return ft_fail(err, FT_EINVAL, "a size of %g has no logarithm", knot[0].x);
	for (size_t k = 0; k < n && kind == FT_LAW_POWER; k++)
		if (!(knot[k].mean > 0))
			return ft_fail(err, FT_ENOMODEL,
				       "the value is 0 at size %g, and a power law never is", knot[k].x);
	out->kind = kind;
	if (kind == FT_LAW_POWER)
		fit_power(out, knot, n);
	else
		status = fit_polylog(out, knot, n,
				     degree                ? degree
				     : n - 1 < DEGREE_MOST ? n - 1
							   : DEGREE_MOST,
				     err);
	if (!status)
		take_errors(out, knot, n);
	return status;
}

enum ft_status ft_law_named_fit(struct ft_law_named *out, enum ft_law_kind kind, size_t degree,
				const struct ft_law_sample *sample, size_t n, struct ft_err *err)
{
	struct ft_law_knot *knot = NULL;
	size_t sizes = 0;

	assert(kind == FT_LAW_POWER || kind == FT_LAW_POLYLOG);
	*out = (struct ft_law_named){0};
	if (degree > DEGREE_MOST)
		return ft_fail(err, FT_EINVAL, "a degree of %zu is over %d", degree, DEGREE_MOST);
	enum ft_status status = ft__law_samples(sample, n, false, &knot, &sizes, err);
	if (!status)
		status = fit_knots(out, kind, degree, knot, sizes, err);
	ft_free(knot);
	if (status)
		*out = (struct ft_law_named){0};
	return status;
}

/* z' C z of what the coefficients are multiplied with. */
static double variance(const struct ft_law_named *law, double x)
{
	double z[COLUMNS], sum = 0;
	size_t columns = law->law.terms + 1;

	if (law->kind == FT_LAW_POWER) {
		double from = log(x) - law->centre;

		return law->covariance[0][0] + from * from * law->covariance[1][1];
	}
	for (size_t i = 0; i < columns; i++)
		z[i] = i ? z[i - 1] * log2(x) : 1;
	for (size_t i = 0; i < columns; i++)
		for (size_t j = 0; j < columns; j++)
			sum += z[i] * z[j] * law->covariance[i][j];
	return fmax(sum, 0);
}

bool ft_law_named_power(const struct ft_law_named *law, double confidence, struct ft_law_number *out)
{
	if (law->kind != FT_LAW_POWER)
		return false;
	double reach = isnan(law->deviation) ? (double)NAN
					     : ft_student_t(confidence, (double)(law->sizes - law->rank)) *
						       law->deviation * sqrt(law->covariance[1][1]);
	out->value = law->law.term[0].factor[0].power;
	out->lower = out->value - reach;
	out->upper = out->value + reach;
	return true;
}

enum ft_status ft_law_named_predict(const struct ft_law_named *law, double x, double confidence,
				    enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	double one = of == FT_LAW_RUN;

	*out = (struct ft_law_prediction){0};
	if (ft__law_ask(x, confidence, err))
		return FT_EINVAL;
	if (!(x > 0))
		return ft_fail(err, FT_EINVAL, "a size of %g has no logarithm", x);
	out->value = fmax(ft_law_value(&law->law, &x), 0);
	out->median = out->value;
	double reach = isnan(law->deviation) ? (double)NAN
					     : ft_student_t(confidence, (double)(law->sizes - law->rank)) *
						       law->deviation * sqrt(variance(law, x) + one);
	double lower = law->kind == FT_LAW_POWER ? out->value * exp(-reach) : fmax(out->value - reach, 0);
	double upper = law->kind == FT_LAW_POWER ? out->value * exp(reach) : out->value + reach;
	out->lower = out->wide_lower = isnan(reach) ? (double)NAN : lower;
	out->upper = out->wide_upper = isnan(reach) ? (double)NAN : upper;
	return FT_OK;
}

void ft__law_residuals(const struct ft_law *law, const struct ft_law_knot *knot, size_t n, double *residual,
		       double *residual_ln)
{
	double sum = 0, logs = 0;

	for (size_t k = 0; k < n; k++) {
		double value = ft_law_value(law, &knot[k].x), ln = log(knot[k].mean / value);

		sum += (knot[k].mean - value) * (knot[k].mean - value);
		logs += ln * ln;
	}
	*residual = sqrt(sum);
	*residual_ln = isfinite(logs) ? sqrt(logs) : (double)NAN;
}
