/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - Gaussian-process regression, and its errors with whole groups of rows left out. */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <string.h>

/* New rows are predicted in batches of this size, so that their data stay in the cache. */
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

/* Memory for fitting. Rows are in the order of kin. */
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

/* Errors of one group, predicted from all others: C = ((K^-1)_gg)^-1 is the covariance of its prediction
 * with its noise, C alpha_g the error. */
static bool leave_out(struct process_work *w, size_t g, double *error)
{
	size_t at = w->kin.first[g], s = w->kin.first[g + 1] - at, q = w->q, i, j, r;
	double *block = w->block, *half = w->block + s * s;

	/* The block of the inverse covariance that belongs to rows at .. at + s - 1. */
	memset(block, 0, s * s * sizeof *block);
	for (size_t t = at; t < w->m; t++) {
		const double *row = w->inverse + t * w->m + at;

		for (size_t k = 0; k < s; k++)
			for (size_t l = k; l < s; l++)
				block[k * s + l] += row[k] * row[l];
	}
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
	ft_chol_invert(process->factor, w.m, w.inverse);
	for (size_t i = 0; i < w.kin.groups; i++)
		if (!leave_out(&w, i, error))
			return ft_fail(err, FT_EINVAL, "the rows are too far apart to be compared");
	for (size_t i = 0; i < w.q; i++)
		FT_TRY(ft__left_out_init(&process->left_out[i], arena, w.left + i * w.m, w.kin.group, w.m,
					 err));
	return FT_OK;
}

/* ---- prediction -------------------------------------------------------------------------------------- */

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

/* As many as are predicted at once. quantile [q] of the errors; cov as above; scratch [(d + 3 + q) n] */
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

/*
 * Gaussian-process regression on logarithms of ratios: a linear part, and a smooth part that lets similar
 * machines predict each other.
 *
 * Its settings are fixed: they lie on a flat plateau, and fitting them each time gained nothing. But if the
 * logarithms of programs are related linearly, and rows are few, the smooth part does harm: it is left out
 * if the errors of left-out rows show that.
 */

/* The smooth part reaches half as far as two rows usually are apart; noise is 3 % of a part's variance. */
static const double reach = 0.5, noise = 0.03;

enum { FEW_ROWS = 64, GROUPS_LEAST = 6 };
static const double clearly = 0.8;

struct solve_kernel_state {
	struct ft__logs logs;
	struct ft__process usual, plain; /* plain: without the smooth part; m = 0: not tried */
	bool *is_plain;                  /* [q] which of the two predicts a target */
};

/* All parts of the covariance weigh the same: the linear one has variance 1 on the average row. */
static struct ft__kernel choose_kernel(const double *feature, size_t m, size_t d, double median)
{
	struct ft__kernel kernel = {1, 1, 1, noise, reach * sqrt(median)};
	double sum = 0;

	for (size_t i = 0; i < m * d; i++)
		sum += feature[i] * feature[i];
	if (sum > 0)
		kernel.linear = (double)m / sum;
	return kernel;
}

/* Memory for fitting. */
struct solve_kernel_work {
	size_t m, d, q;
	const size_t *group;
	double *feature, *target, *square, *error, *other; /* [m x d], [m x q], [m x m], [m x q] twice */
};

static enum ft_status fit_process(struct ft__process *process, struct ft_arena *arena,
				  const struct ft__kernel *kernel, struct solve_kernel_work *w, double *error,
				  struct ft_err *err)
{
	return ft__process_fit(process, arena, kernel, w->feature, w->target, w->group, w->m, w->d, w->q,
			       w->square, error, err);
}

/* With few rows the smooth part may only follow what the linear one predicts as well: it is left out if
 * that predicts left-out groups clearly better. Fewer than six groups cannot show that. */
static enum ft_status fit_both(struct solve_kernel_state *s, struct ft_arena *arena, struct ft__kernel kernel,
			       struct solve_kernel_work *w, struct ft_err *err)
{
	FT_TRY(fit_process(&s->usual, arena, &kernel, w, w->error, err));
	if (w->m > FEW_ROWS || s->usual.left_out[0].groups < GROUPS_LEAST)
		return FT_OK;
	kernel.smooth = 0;
	FT_TRY(fit_process(&s->plain, arena, &kernel, w, w->other, err));
	for (size_t j = 0; j < w->q; j++) {
		double usual = 0, plain = 0;

		for (size_t i = 0; i < w->m; i++) {
			usual += fabs(w->error[i * w->q + j]);
			plain += fabs(w->other[i * w->q + j]);
		}
		s->is_plain[j] = plain < clearly * usual;
	}
	return FT_OK;
}

static enum ft_status solve_kernel(const struct ft_surrogate_problem *problem,
				   const struct ft_surrogate_options *options, struct ft_arena *arena,
				   void **state, struct ft_err *err)
{
	size_t m = problem->m, d = problem->k + 1, q = problem->q;
	FT_ARENA(work);
	struct solve_kernel_work w = {.m = m,
				      .d = d,
				      .q = q,
				      .group = problem->group,
				      .feature = ft_arena_take(&work, m * d, sizeof(double)),
				      .target = ft_arena_take(&work, m * q, sizeof(double)),
				      .square = ft_arena_take(&work, m * m, sizeof(double)),
				      .error = ft_arena_take(&work, m * q, sizeof(double)),
				      .other = ft_arena_take(&work, m * q, sizeof(double))};
	struct solve_kernel_state *s = ft_arena_take(arena, 1, sizeof *s);
	bool *is_plain = ft_arena_take(arena, q, sizeof *is_plain);
	double median;

	(void)options;
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft_arena_check(arena, err));
	s->is_plain = is_plain;
	FT_TRY(ft__logs_init(&s->logs, arena, problem, w.feature, w.target, err));
	FT_TRY(ft__distances(w.feature, m, d, w.square, &median, err));
	FT_TRY(fit_both(s, arena, choose_kernel(w.feature, m, d, median), &w, err));
	*state = s;
	return FT_OK;
}

/* The targets predicted by one of the two processes. */
static enum ft_status kernel_predict_some(const struct solve_kernel_state *s, bool plain,
					  const double *feature, const double *mean, size_t t,
					  double confidence, struct ft_estimate *out, struct ft_err *err)
{
	size_t q = s->logs.q, wanted = 0;

	for (size_t j = 0; j < q; j++)
		wanted += s->is_plain[j] == plain;
	if (!wanted)
		return FT_OK;
	FT_OWN double *value = ft_malloc(t * q * sizeof *value);
	FT_OWN double *half = ft_malloc(t * q * sizeof *half);
	if (!value || !half)
		return ft_nomem(err);
	FT_TRY(ft__process_predict(plain ? &s->plain : &s->usual, feature, t, confidence, value, half, err));
	for (size_t i = 0; i < t; i++)
		for (size_t j = 0; j < q; j++)
			if (s->is_plain[j] == plain)
				out[i * q + j] = ft__logs_estimate(&s->logs, j, mean[i], value[i * q + j],
								   half[i * q + j]);
	return FT_OK;
}

static enum ft_status predict(const void *state, const double *x, size_t t, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct solve_kernel_state *s = state;
	size_t d = s->logs.k + 1;
	FT_OWN double *feature = ft_malloc(t * d * sizeof *feature);
	FT_OWN double *mean = ft_malloc(t * sizeof *mean);

	if (!feature || !mean)
		return ft_nomem(err);
	ft__logs_features(&s->logs, x, t, feature, mean);
	FT_TRY(kernel_predict_some(s, false, feature, mean, t, confidence, out, err));
	return kernel_predict_some(s, true, feature, mean, t, confidence, out, err);
}

const struct ft_solver ft__solver_kernel = {
	.name = "kernel",
	.about = "Gaussian process on logarithms: similar machines predict each other",
	.positive = true,
	.solve = solve_kernel,
	.predict = predict,
};
