/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - Gaussian-process regression, and its errors with whole groups of rows left out. */
#include "surrogate/process.h"
#include "base/alloc.h"
#include "num/cholesky.h"
#include "num/dense.h"
#include "num/exp.h"
#include "num/vector.h"
#include "surrogate/kin.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* New rows are foretold so many at a time: what they need stays in the cache. */
enum { AT_ONCE = 128 };

static double at_least(double value, double least)
{
	return value > least ? value : least;
}

/* ---- the kernel --------------------------------------------------------------------------------------- */

/* out = covariance of a row with n others, from inner products (in out) and squared distances. */
FT_WIDE static void covariances(const struct ft__kernel *kernel, const double *square, size_t n, double *out,
				double *scratch)
{
	double per_length = sqrt(3) / kernel->length;

	if (!(kernel->smooth > 0)) {
		for (size_t i = 0; i < n; i++)
			out[i] = kernel->linear * out[i] + kernel->constant;
		return;
	}
	for (size_t i = 0; i < n; i++)
		scratch[i] = per_length * sqrt(square[i]);
	for (size_t i = 0; i < n; i++)
		out[i] = kernel->linear * out[i] + kernel->constant +
			 kernel->smooth * (1 + scratch[i]) * ft_exp_minus(scratch[i]);
}

/* ---- fitting ------------------------------------------------------------------------------------------ */

/* What is needed while fitting. Rows are taken in the order of kin. */
struct process_work {
	size_t m, d, q;
	struct ft__kin kin;
	double *turned;  /* [d x m] features */
	double *alpha;   /* [m x q] the targets, then covariance^-1 times them */
	double *scratch; /* [2 m] */
	double *inverse; /* [m x m] U'^-1 */
	double *block;   /* [largest x largest x 2] */
	double *left;    /* [q x m] errors over their deviation */
	double *column;  /* [largest x q] */
};

static enum ft_status make_room(struct ft__process *p, struct process_work *w, struct ft_err *err)
{
	size_t m = w->m, d = w->d, q = w->q;

	p->feature = ft_malloc(m * d * sizeof *p->feature);
	p->norm = ft_malloc(m * sizeof *p->norm);
	p->factor = ft_malloc(m * m * sizeof *p->factor);
	p->weight = ft_malloc(m * q * sizeof *p->weight);
	p->left_out = ft_calloc(q, sizeof *p->left_out);
	w->turned = ft_malloc(m * d * sizeof *w->turned);
	w->alpha = ft_malloc(m * q * sizeof *w->alpha);
	w->scratch = ft_malloc(2 * m * sizeof *w->scratch);
	w->inverse = ft_malloc(m * m * sizeof *w->inverse);
	w->block = ft_malloc(2 * w->kin.largest * w->kin.largest * sizeof *w->block);
	w->left = ft_malloc(m * q * sizeof *w->left);
	w->column = ft_malloc(w->kin.largest * q * sizeof *w->column);
	return p->feature && p->norm && p->factor && p->weight && p->left_out && w->turned && w->alpha &&
			       w->scratch && w->inverse && w->block && w->left && w->column
		       ? FT_OK
		       : ft_nomem(err);
}

static void clear_work(struct process_work *w)
{
	ft__kin_clear(&w->kin);
	ft_free(w->turned);
	ft_free(w->alpha);
	ft_free(w->scratch);
	ft_free(w->inverse);
	ft_free(w->block);
	ft_free(w->left);
	ft_free(w->column);
}

static void take_in(struct ft__process *p, struct process_work *w, const double *feature,
		    const double *target)
{
	size_t m = w->m, d = w->d, q = w->q;

	for (size_t i = 0; i < m; i++) {
		memcpy(p->feature + i * d, feature + w->kin.row[i] * d, d * sizeof *feature);
		memcpy(w->alpha + i * q, target + w->kin.row[i] * q, q * sizeof *target);
		p->norm[i] = 0;
		for (size_t j = 0; j < d; j++) {
			double f = p->feature[i * d + j];

			w->turned[j * m + i] = f;
			p->norm[i] += f * f;
		}
	}
}

/* U of the covariance of all rows, and alpha. */
static enum ft_status factorise_covariance(struct ft__process *p, struct process_work *w,
					   const double *square, struct ft_err *err)
{
	size_t m = w->m;

	ft_product_upper(p->feature, w->turned, m, w->d, p->factor);
	for (size_t i = 0; i < m; i++) {
		size_t a = w->kin.row[i];

		for (size_t j = i; j < m; j++) {
			size_t b = w->kin.row[j];

			w->scratch[j] = a < b ? square[a * m + b] : square[b * m + a];
		}
		covariances(&p->kernel, w->scratch + i, m - i, p->factor + i * m + i, w->scratch + m);
		p->factor[i * m + i] += p->kernel.noise;
	}
	if (!ft_chol_factor(p->factor, m))
		return ft_fail(err, FT_EINVAL, "the rows are too far apart to be compared");
	ft_chol_solve(p->factor, m, w->alpha, w->q);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < w->q; j++)
			p->weight[j * m + i] = w->alpha[i * w->q + j];
	return FT_OK;
}

/* The block of the inverse covariance that belongs to rows at .. at + s - 1. */
static void inverse_block(const struct process_work *w, size_t at, size_t s, double *block)
{
	memset(block, 0, s * s * sizeof *block);
	for (size_t r = at; r < w->m; r++) {
		const double *row = w->inverse + r * w->m + at;

		for (size_t i = 0; i < s; i++)
			for (size_t j = i; j < s; j++)
				block[i * s + j] += row[i] * row[j];
	}
}

/* Errors of one group, foretold by all others: C = ((K^-1)_gg)^-1 is the covariance of its prediction with
 * its noise, C alpha_g the error. */
static bool leave_out(struct process_work *w, size_t g, double *error)
{
	size_t at = w->kin.first[g], s = w->kin.first[g + 1] - at, q = w->q, i, j, r;
	double *block = w->block, *half = w->block + s * s;

	inverse_block(w, at, s, block);
	if (!ft_chol_factor(block, s))
		return false;
	memcpy(w->column, w->alpha + at * q, s * q * sizeof *w->column);
	ft_chol_solve(block, s, w->column, q);
	ft_chol_invert(block, s, half);
	for (i = 0; i < s; i++) {
		double variance = 0;

		for (r = i; r < s; r++)
			variance += half[r * s + i] * half[r * s + i];
		for (j = 0; j < q; j++) {
			double e = w->column[i * q + j];

			w->left[j * w->m + at + i] = e / sqrt(variance);
			if (error)
				error[w->kin.row[at + i] * q + j] = e;
		}
	}
	return true;
}

static enum ft_status leave_each_out(struct ft__process *p, struct process_work *w, double *error,
				     struct ft_err *err)
{
	enum ft_status status = FT_OK;

	ft_chol_invert(p->factor, w->m, w->inverse);
	for (size_t i = 0; i < w->kin.groups; i++)
		if (!leave_out(w, i, error))
			return ft_fail(err, FT_EINVAL, "the rows are too far apart to be compared");
	for (size_t i = 0; i < w->q && !status; i++)
		status = ft__left_out_init(&p->left_out[i], w->left + i * w->m, w->kin.group, w->m, err);
	return status;
}

enum ft_status ft__process_fit(struct ft__process *process, const struct ft__kernel *kernel,
			       const double *feature, const double *target, const size_t *group, size_t m,
			       size_t d, size_t q, const double *square, double *error, struct ft_err *err)
{
	struct process_work w = {.m = m, .d = d, .q = q};

	*process = (struct ft__process){.kernel = *kernel, .m = m, .d = d, .q = q};
	enum ft_status status = ft__kin_init(&w.kin, group, m, err);
	if (!status)
		status = make_room(process, &w, err);
	if (!status) {
		take_in(process, &w, feature, target);
		status = factorise_covariance(process, &w, square, err);
	}
	if (!status)
		status = leave_each_out(process, &w, error, err);
	clear_work(&w);
	if (status)
		ft__process_clear(process);
	return status;
}

void ft__process_clear(struct ft__process *process)
{
	for (size_t i = 0; process->left_out && i < process->q; i++)
		ft__left_out_clear(&process->left_out[i]);
	ft_free(process->left_out);
	ft_free(process->feature);
	ft_free(process->norm);
	ft_free(process->factor);
	ft_free(process->weight);
	*process = (struct ft__process){0};
}

/* ---- foretelling -------------------------------------------------------------------------------------- */

/* Covariances of n new rows with all rows: cov [m x n]. scratch [(d + 3) n]: behind the first d n stand the
 * variances of the new rows. */
static void covariances_with(const struct ft__process *p, const double *feature, size_t n, double *cov,
			     double *scratch)
{
	size_t d = p->d;
	double *turned = scratch, *norm = turned + d * n, *square = norm + n, *more = square + n;

	for (size_t j = 0; j < n; j++) {
		norm[j] = 0;
		for (size_t i = 0; i < d; i++) {
			double f = feature[j * d + i];

			turned[i * n + j] = f;
			norm[j] += f * f;
		}
	}
	ft_multiply(p->feature, turned, p->m, d, n, cov);
	for (size_t i = 0; i < p->m; i++) {
		double *row = cov + i * n;

		for (size_t j = 0; j < n; j++)
			square[j] = at_least(p->norm[i] + norm[j] - 2 * row[j], 0);
		covariances(&p->kernel, square, n, row, more);
	}
	for (size_t j = 0; j < n; j++) /* before anything is known */
		norm[j] =
			p->kernel.linear * norm[j] + p->kernel.smooth + p->kernel.constant + p->kernel.noise;
}

/* As many as are foretold at once. quantile [q] of the errors; cov as above; scratch [(d + 3 + q) n] */
static void predict_some(const struct ft__process *p, const double *feature, size_t n, const double *quantile,
			 double *value, double *half, double *cov, double *scratch)
{
	size_t m = p->m, q = p->q;
	double *variance = scratch + p->d * n, *row = variance + 3 * n;

	covariances_with(p, feature, n, cov, scratch);
	ft_multiply(p->weight, cov, q, m, n, row);
	for (size_t j = 0; j < n; j++)
		for (size_t c = 0; c < q; c++)
			value[j * q + c] = row[c * n + j];
	ft_chol_forward(p->factor, m, cov, n);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			variance[j] -= cov[i * n + j] * cov[i * n + j];
	for (size_t j = 0; j < n; j++)
		for (size_t c = 0; c < q; c++)
			half[j * q + c] = quantile[c] * sqrt(at_least(variance[j], p->kernel.noise));
}

enum ft_status ft__process_predict(const struct ft__process *process, const double *feature, size_t t,
				   double confidence, double *value, double *half, struct ft_err *err)
{
	size_t n = t < AT_ONCE ? t : AT_ONCE, d = process->d, q = process->q;
	double *cov = ft_malloc(process->m * n * sizeof *cov);
	double *scratch = ft_malloc((d + 3 + q) * n * sizeof *scratch);
	double *quantile = ft_malloc(q * sizeof *quantile);
	enum ft_status status = cov && scratch && quantile ? FT_OK : ft_nomem(err);

	for (size_t i = 0; !status && i < q; i++)
		quantile[i] = ft__left_out_reach(&process->left_out[i], confidence);
	for (size_t i = 0; !status && i < t; i += n) {
		if (n > t - i)
			n = t - i;
		predict_some(process, feature + i * d, n, quantile, value + i * q, half + i * q, cov,
			     scratch);
	}
	ft_free(cov);
	ft_free(scratch);
	ft_free(quantile);
	return status;
}
