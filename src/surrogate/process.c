/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - Gaussian-process regression, and its errors with whole groups of rows left out. */
#include "surrogate/process.h"
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

static enum ft_status leave_each_out(struct ft__process *p, struct process_work *w, struct ft_arena *arena,
				     double *error, struct ft_err *err)
{
	ft_chol_invert(p->factor, w->m, w->inverse);
	for (size_t i = 0; i < w->kin.groups; i++)
		if (!leave_out(w, i, error))
			return ft_fail(err, FT_EINVAL, "the rows are too far apart to be compared");
	for (size_t i = 0; i < w->q; i++)
		FT_TRY(ft__left_out_init(&p->left_out[i], arena, w->left + i * w->m, w->kin.group, w->m,
					 err));
	return FT_OK;
}

enum ft_status ft__process_fit(struct ft__process *process, struct ft_arena *arena,
			       const struct ft__kernel *kernel, const double *feature, const double *target,
			       const size_t *group, size_t m, size_t d, size_t q, const double *square,
			       double *error, struct ft_err *err)
{
	struct process_work w = {.m = m, .d = d, .q = q};
	FT_ARENA(work);

	FT_TRY(ft__kin_init(&w.kin, &work, group, m, err));
	w.turned = ft_arena_take(&work, m * d, sizeof *w.turned);
	w.alpha = ft_arena_take(&work, m * q, sizeof *w.alpha);
	w.scratch = ft_arena_take(&work, 2 * m, sizeof *w.scratch);
	w.inverse = ft_arena_take(&work, m * m, sizeof *w.inverse);
	w.block = ft_arena_take(&work, 2 * w.kin.largest * w.kin.largest, sizeof *w.block);
	w.left = ft_arena_take(&work, m * q, sizeof *w.left);
	w.column = ft_arena_take(&work, w.kin.largest * q, sizeof *w.column);
	FT_TRY(ft_arena_check(&work, err));
	*process = (struct ft__process){.kernel = *kernel,
					.m = m,
					.d = d,
					.q = q,
					.feature = ft_arena_take(arena, m * d, sizeof(double)),
					.norm = ft_arena_take(arena, m, sizeof(double)),
					.factor = ft_arena_take(arena, m * m, sizeof(double)),
					.weight = ft_arena_take(arena, m * q, sizeof(double)),
					.left_out = ft_arena_take(arena, q, sizeof *process->left_out)};
	FT_TRY(ft_arena_check(arena, err));
	take_in(process, &w, feature, target);
	FT_TRY(factorise_covariance(process, &w, square, err));
	return leave_each_out(process, &w, arena, error, err);
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
	FT_OWN double *cov = ft_malloc(process->m * n * sizeof *cov);
	FT_OWN double *scratch = ft_malloc((d + 3 + q) * n * sizeof *scratch);
	FT_OWN double *quantile = ft_malloc(q * sizeof *quantile);

	if (!cov || !scratch || !quantile)
		return ft_nomem(err);
	for (size_t i = 0; i < q; i++)
		quantile[i] = ft__left_out_reach(&process->left_out[i], confidence);
	for (size_t i = 0; i < t; i += n) {
		if (n > t - i)
			n = t - i;
		predict_some(process, feature + i * d, n, quantile, value + i * q, half + i * q, cov,
			     scratch);
	}
	return FT_OK;
}
