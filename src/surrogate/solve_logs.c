/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_logs.c - support vector regression on logarithms of ratios (004 chapter 15 names it as future work).
 *
 * Its settings follow from the rows: distances are measured by the usual one between two rows, errors by the
 * usual size of the target (Cherkassky & Ma, Practical selection of SVM parameters, Neural Networks 2004,
 * for the cost). */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * Rows of the basis and targets as the solvers on logarithms use them.
 */

/* Deviation of a logarithm that measurements have by themselves. */
static const double noise = 0.01;

/* One row's features, not yet centred; returns the logarithm of its geometric mean. */
static double read_features(const double *x, size_t k, double *feature)
{
	double mean = 0;

	for (size_t j = 0; j < k; j++) {
		feature[j] = log(x[j]);
		mean += feature[j] / (double)k;
	}
	for (size_t j = 0; j < k; j++)
		feature[j] -= mean;
	feature[k] = mean;
	return mean;
}

enum ft_status ft__logs_init(struct ft__logs *logs, struct ft_arena *arena,
			     const struct ft_surrogate_problem *problem, double *feature, double *target,
			     struct ft_err *err)
{
	size_t m = problem->m, k = problem->k, q = problem->q;
	FT_OWN double *column = ft_calloc(m, sizeof *column);

	*logs = (struct ft__logs){.k = k,
				  .q = q,
				  .centre = ft_arena_take(arena, k + 1, sizeof *logs->centre),
				  .per_unit = ft_arena_take(arena, k + 1, sizeof *logs->per_unit),
				  .prior = ft_arena_take(arena, q, sizeof *logs->prior)};
	if (!column)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++) {
		double mean = read_features(problem->x + i * k, k, feature + i * (k + 1));

		for (size_t j = 0; j < q; j++)
			target[i * q + j] = log(problem->y[i * q + j]) - mean;
	}
	size_t d = logs->k + 1;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++)
			logs->centre[j] += feature[i * d + j] / (double)m;
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++) {
			double *f = &feature[i * d + j];

			*f -= logs->centre[j];
			logs->per_unit[j] += *f * *f / (double)m;
		}
	for (size_t j = 0; j < d; j++)
		logs->per_unit[j] = 1 / (sqrt(logs->per_unit[j]) + noise);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++)
			feature[i * d + j] *= logs->per_unit[j];
	for (size_t j = 0; j < q; j++) {
		for (size_t i = 0; i < m; i++)
			column[i] = target[i * q + j];
		logs->prior[j] = ft_stats_median(column, m);
		for (size_t i = 0; i < m; i++)
			target[i * q + j] -= logs->prior[j];
	}
	return FT_OK;
}

void ft__logs_features(const struct ft__logs *logs, const double *x, size_t t, double *feature, double *mean)
{
	size_t k = logs->k;

	for (size_t i = 0; i < t; i++) {
		double *row = feature + i * (k + 1);

		mean[i] = read_features(x + i * k, k, row);
		for (size_t j = 0; j <= k; j++)
			row[j] = (row[j] - logs->centre[j]) * logs->per_unit[j];
	}
}

struct ft_estimate ft__logs_estimate(const struct ft__logs *logs, size_t target, double mean, double value,
				     double half)
{
	double centre = exp(mean + logs->prior[target] + value);

	if (isnan(half))
		return (struct ft_estimate){centre, 0, INFINITY};
	return (struct ft_estimate){centre, centre * exp(-half), centre * exp(half)};
}

/* ---- distances ---------------------------------------------------------------------------------------- */

/* The median above the diagonal. apart: room for all of it. */
static double median_distance(const double *square, size_t m, double *apart)
{
	size_t n = 0;

	if (m < 2)
		return 1;
	for (size_t i = 0; i < m; i++)
		for (size_t j = i + 1; j < m; j++)
			apart[n++] = square[i * m + j];
	double median = ft_stats_ranked(apart, n, n / 2);
	if (median > 0)
		return median;
	double mean = ft_stats_mean(apart, n);
	return mean > 0 ? mean : 1; /* more than half are twins */
}

enum ft_status ft__distances(const double *feature, size_t m, size_t d, double *square, double *median,
			     struct ft_err *err)
{
	FT_OWN double *turned = ft_malloc(m * d * sizeof *turned);
	FT_OWN double *norm = ft_malloc(m * sizeof *norm);
	FT_OWN double *apart = ft_malloc((m * (m - 1) / 2 + 1) * sizeof *apart);

	if (!turned || !norm || !apart)
		return ft_nomem(err);
	ft_transpose(feature, m, d, turned);
	ft_product_upper(feature, turned, m, d, square);
	for (size_t i = 0; i < m; i++)
		norm[i] = square[i * m + i];
	for (size_t i = 0; i < m; i++)
		for (size_t j = i; j < m; j++) {
			double s = norm[i] + norm[j] - 2 * square[i * m + j];

			/* rounding leaves a small distance between equal rows */
			square[i * m + j] = s > 1e-13 * (norm[i] + norm[j]) ? s : 0;
		}
	*median = median_distance(square, m, apart);
	return FT_OK;
}

/*
 * Ridge regression on logarithms: a product of powers of the basis, drawn to the geometric
 * mean.
 *
 * The penalty is chosen by the errors of groups left out. With Z the features and a constant, A = Z'Z + p I:
 * the error of a group g that was left out is (I - H_gg)^-1 (y - Z b)_g, H_gg = Z_g A^-1 Z_g', and its
 * variance is in proportion to the diagonal of that inverse. Source: Hoerl & Kennard, Ridge regression,
 * Technometrics 1970; Cook & Weisberg, Residuals and influence in regression, 1982, section 2.2 (groups).
 */

/* Penalties to try, as shares of the mean square of a row. The first one stays unless another is better by
 * more than rounding: one group alone is no evidence. */
static const double penalties[] = {0.03, 0.01, 0.1, 0.003, 0.3, 1}, better = 1 - 1e-9;
enum { N_PENALTIES = sizeof penalties / sizeof *penalties };

/* One target's answer. */
struct solve_ridge_answer {
	double *b;      /* [p] */
	double *factor; /* [p x p] U, U'U = A */
	struct ft__left_out left_out;
};

struct solve_ridge_state {
	struct ft__logs logs;
	size_t q;
	size_t p;                          /* columns of Z: k + 1 features and the constant */
	struct solve_ridge_answer *answer; /* [q] */
};

/* Memory for fitting; rows in the order of kin. */
struct solve_ridge_work {
	size_t m, p, q;
	struct ft__kin kin;
	double *feature, *target; /* [m x p - 1], [m x q] as the problem has them */
	double *z, *y;            /* [m x p], [m] of one target */
	double *gram;             /* [p x p] Z'Z */
	double *factor, *b;       /* [p x p], [p] of the penalty at work */
	double *turned;           /* [p x largest] of one group: U'^-1 Z_g' */
	double *block, *half;     /* [largest x largest] I - H_gg, and U'^-1 of it */
	double *off;              /* [largest] */
	double *error;            /* [m] over its deviation */
};

/* The factor and b under a penalty > 0. */
static void solve_penalised(struct solve_ridge_work *w, double penalty)
{
	size_t m = w->m, p = w->p;

	memcpy(w->factor, w->gram, p * p * sizeof *w->factor);
	memset(w->b, 0, p * sizeof *w->b);
	for (size_t j = 0; j < p; j++)
		w->factor[j * p + j] += penalty;
	bool definite = ft_chol_factor(w->factor, p);
	assert(definite); /* features are of size 1, the penalty a share of that */
	(void)definite;
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < p; j++)
			w->b[j] += w->z[i * p + j] * w->y[i];
	ft_chol_solve(w->factor, p, w->b, 1);
}

/*
 * Support vector regression on logarithms of ratios (004 chapter 15 names it as future work).
 */

/* The errors of one group left out; returns the sum of their sizes. */
static double leave_out(struct solve_ridge_work *w, size_t g)
{
	size_t at = w->kin.first[g], n = w->kin.first[g + 1] - at, p = w->p, i, j, l;
	double sum = 0;

	for (i = 0; i < n; i++) {
		const double *z = w->z + (at + i) * p;

		w->off[i] = w->y[at + i];
		for (j = 0; j < p; j++) {
			w->off[i] -= z[j] * w->b[j];
			w->turned[j * n + i] = z[j];
		}
	}
	ft_chol_forward(w->factor, p, w->turned, n);
	memset(w->block, 0, n * n * sizeof *w->block);
	for (l = 0; l < p; l++)
		for (i = 0; i < n; i++)
			for (j = i; j < n; j++)
				w->block[i * n + j] -= w->turned[l * n + i] * w->turned[l * n + j];
	for (i = 0; i < n; i++)
		w->block[i * n + i] += 1;
	if (!ft_chol_factor(w->block, n)) { /* it hangs on this group alone */
		for (i = 0; i < n; i++)
			w->error[at + i] = NAN;
		return 0;
	}
	ft_chol_solve(w->block, n, w->off, 1);
	ft_chol_invert(w->block, n, w->half);
	for (i = 0; i < n; i++) {
		double variance = 0;

		for (j = i; j < n; j++)
			variance += w->half[j * n + i] * w->half[j * n + i];
		w->error[at + i] = w->off[i] / sqrt(variance);
		sum += fabs(w->off[i]);
	}
	return sum;
}

/* The mean error over groups, each with one vote. */
static double leave_each_out(struct solve_ridge_work *w)
{
	double sum = 0;

	for (size_t g = 0; g < w->kin.groups; g++)
		sum += leave_out(w, g) / (double)(w->kin.first[g + 1] - w->kin.first[g]);
	return sum;
}

static enum ft_status fit_target(struct solve_ridge_work *w, size_t which, double unit,
				 struct solve_ridge_answer *answer, struct ft_arena *arena,
				 struct ft_err *err)
{
	double least = INFINITY, best = penalties[0];

	for (size_t i = 0; i < w->m; i++)
		w->y[i] = w->target[w->kin.row[i] * w->q + which];
	for (size_t i = 0; i < N_PENALTIES; i++) {
		solve_penalised(w, unit * penalties[i]);
		double sum = leave_each_out(w);
		if (sum < least * better) {
			least = sum;
			best = penalties[i];
		}
	}
	solve_penalised(w, unit * best);
	(void)leave_each_out(w);
	answer->b = ft_arena_copy(arena, w->b, w->p, sizeof *w->b);
	answer->factor = ft_arena_copy(arena, w->factor, w->p * w->p, sizeof *w->factor);
	return ft__left_out_init(&answer->left_out, arena, w->error, w->kin.group, w->m, err);
}

static enum ft_status solve_ridge(const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, struct ft_arena *arena,
				  void **state, struct ft_err *err)
{
	size_t m = problem->m, p = problem->k + 2, q = problem->q;
	struct solve_ridge_work w = {.m = m, .p = p, .q = q};
	struct solve_ridge_state *s = ft_arena_take(arena, 1, sizeof *s);
	struct solve_ridge_answer *answer = ft_arena_take(arena, q, sizeof *answer);
	double unit = 0;
	FT_ARENA(work);

	(void)options;
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(ft__kin_init(&w.kin, &work, problem->group, m, err));
	w.feature = ft_arena_take(&work, m * (p - 1), sizeof *w.feature);
	w.target = ft_arena_take(&work, m * q, sizeof *w.target);
	w.z = ft_arena_take(&work, m * p, sizeof *w.z);
	w.y = ft_arena_take(&work, m, sizeof *w.y);
	w.gram = ft_arena_take(&work, p * p, sizeof *w.gram);
	w.factor = ft_arena_take(&work, p * p, sizeof *w.factor);
	w.b = ft_arena_take(&work, p, sizeof *w.b);
	w.turned = ft_arena_take(&work, p * w.kin.largest, sizeof *w.turned);
	w.block = ft_arena_take(&work, w.kin.largest * w.kin.largest, sizeof *w.block);
	w.half = ft_arena_take(&work, w.kin.largest * w.kin.largest, sizeof *w.half);
	w.off = ft_arena_take(&work, w.kin.largest, sizeof *w.off);
	w.error = ft_arena_take(&work, m, sizeof *w.error);
	FT_TRY(ft_arena_check(&work, err));
	*s = (struct solve_ridge_state){.q = q, .p = p, .answer = answer};
	FT_TRY(ft__logs_init(&s->logs, arena, problem, w.feature, w.target, err));
	/* Z and Z'Z. */
	size_t rows = w.m, columns = w.p;

	memset(w.gram, 0, columns * columns * sizeof *w.gram);
	for (size_t i = 0; i < rows; i++) {
		double *z = w.z + i * columns;

		memcpy(z, w.feature + w.kin.row[i] * (columns - 1), (columns - 1) * sizeof *z);
		z[columns - 1] = 1;
		for (size_t j = 0; j < columns; j++)
			for (size_t l = j; l < columns; l++)
				w.gram[j * columns + l] += z[j] * z[l];
	}
	for (size_t j = 0; j < p; j++)
		unit += w.gram[j * p + j] / (double)m;
	for (size_t j = 0; j < q; j++)
		FT_TRY(fit_target(&w, j, unit, &answer[j], arena, err));
	*state = s;
	return FT_OK;
}

/* One row's target and half the width of its interval. */
static struct ft_estimate estimate(const struct solve_ridge_state *s, size_t which, const double *feature,
				   double mean, double quantile, double *z)
{
	const struct solve_ridge_answer *answer = &s->answer[which];
	size_t p = s->p;
	double value = 0, variance = 1;

	memcpy(z, feature, (p - 1) * sizeof *z);
	z[p - 1] = 1;
	for (size_t j = 0; j < p; j++)
		value += z[j] * answer->b[j];
	ft_chol_forward(answer->factor, p, z, 1);
	for (size_t j = 0; j < p; j++)
		variance += z[j] * z[j];
	return ft__logs_estimate(&s->logs, which, mean, value, quantile * sqrt(variance));
}

static enum ft_status predict(const void *state, const double *x, size_t t, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct solve_ridge_state *s = state;
	size_t d = s->p - 1, q = s->logs.q;
	FT_OWN double *feature = ft_malloc(t * d * sizeof *feature);
	FT_OWN double *mean = ft_malloc(t * sizeof *mean);
	FT_OWN double *z = ft_malloc(s->p * sizeof *z);

	if (!feature || !mean || !z)
		return ft_nomem(err);
	ft__logs_features(&s->logs, x, t, feature, mean);
	for (size_t j = 0; j < q; j++) {
		const struct ft__left_out *left_out = &s->answer[j].left_out;
		double quantile = ft__left_out_reach(left_out, confidence);

		for (size_t i = 0; i < t; i++)
			out[i * q + j] = estimate(s, j, feature + i * d, mean[i], quantile, z);
	}
	return FT_OK;
}

const struct ft_solver ft__solver_ridge = {
	.name = "ridge",
	.about = "ridge regression on logarithms: a product of powers",
	.positive = true,
	.solve = solve_ridge,
	.predict = predict,
};

/* Intervals are based on errors of left-out groups, in this many folds. */
enum { FOLDS_MOST = 10 };

/* In units of the target's deviation, and of one over the median squared distance. */
static const double cost = 10, tube = 0.05, narrow = 1;

struct solve_svr_state {
	struct ft__logs logs;
	struct ft_svm *svm;            /* [q] */
	double *scale;                 /* [q] what targets were divided by */
	struct ft__left_out *left_out; /* [q] */
};

/* Memory for fitting. */
struct solve_svr_work {
	size_t m, d;
	const size_t *group;
	double *feature, *target; /* [m x d], [m x q] */
	double *x, *y;            /* [m x d], [m] rows of a fold's complement */
	double *error;            /* [m] */
	size_t *fold;             /* [m] */
	size_t folds;
	struct ft_svm_settings settings;
};

static enum ft_status svr_fit_target(struct solve_svr_state *s, struct ft_arena *arena,
				     struct solve_svr_work *w, size_t which, double *y, struct ft_err *err)
{
	double square = 0;
	size_t q = s->logs.q;

	for (size_t i = 0; i < w->m; i++) {
		y[i] = w->target[i * q + which];
		square += y[i] * y[i] / (double)w->m;
	}
	s->scale[which] = square > 0 ? sqrt(square) : 1;
	for (size_t i = 0; i < w->m; i++)
		y[i] /= s->scale[which];
	FT_TRY(ft_svm_fit(&s->svm[which], arena, w->feature, y, w->m, w->d, &w->settings, err));
	for (size_t i = 0; i < w->m; i++)
		w->error[i] = NAN;
	for (size_t i = 0; w->folds > 1 && i < w->folds; i++) {
		/* The errors of the rows of one fold, predicted from all others. */
		struct ft_svm svm;
		size_t n = 0;
		FT_ARENA(work);

		for (size_t k = 0; k < w->m; k++)
			if (w->fold[k] != i) {
				memcpy(w->x + n * w->d, w->feature + k * w->d, w->d * sizeof *w->x);
				w->y[n++] = y[k];
			}
		FT_TRY(ft_svm_fit(&svm, &work, w->x, w->y, n, w->d, &w->settings, err));
		for (size_t k = 0; k < w->m; k++)
			if (w->fold[k] == i)
				w->error[k] = ft_svm_at(&svm, w->feature + k * w->d) - y[k];
	}
	return ft__left_out_init(&s->left_out[which], arena, w->error, w->group, w->m, err);
}

static enum ft_status solve_svr(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, struct ft_arena *arena,
				void **state, struct ft_err *err)
{
	size_t m = problem->m, d = problem->k + 1, q = problem->q;
	FT_ARENA(work);
	struct solve_svr_work w = {.m = m,
				   .d = d,
				   .group = problem->group,
				   .feature = ft_arena_take(&work, m * d, sizeof(double)),
				   .target = ft_arena_take(&work, m * q, sizeof(double)),
				   .x = ft_arena_take(&work, m * d, sizeof(double)),
				   .y = ft_arena_take(&work, m, sizeof(double)),
				   .error = ft_arena_take(&work, m, sizeof(double)),
				   .fold = ft_arena_take(&work, m, sizeof(size_t))};
	double *square = ft_arena_take(&work, m * m, sizeof *square), *y = ft_arena_take(&work, m, sizeof *y),
	       median;
	struct solve_svr_state *s = ft_arena_take(arena, 1, sizeof *s);
	struct solve_svr_state made = {.svm = ft_arena_take(arena, q, sizeof *s->svm),
				       .scale = ft_arena_take(arena, q, sizeof *s->scale),
				       .left_out = ft_arena_take(arena, q, sizeof *s->left_out)};

	(void)options;
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft__logs_init(&made.logs, arena, problem, w.feature, w.target, err));
	*s = made;
	FT_TRY(ft__distances(w.feature, m, d, square, &median, err));
	w.settings = (struct ft_svm_settings){cost, tube, narrow / median};
	/* Groups by turns: 0, 1, .. FOLDS_MOST - 1, 0, .. */
	struct ft__kin kin;
	FT_TRY(ft__kin_init(&kin, &work, w.group, w.m, err));
	for (size_t i = 0; i < w.m; i++)
		w.fold[kin.row[i]] = kin.group[i] % FOLDS_MOST;
	w.folds = kin.groups < FOLDS_MOST ? kin.groups : FOLDS_MOST;
	for (size_t j = 0; j < q; j++)
		FT_TRY(svr_fit_target(s, arena, &w, j, y, err));
	*state = s;
	return FT_OK;
}

static enum ft_status svr_predict(const void *state, const double *x, size_t t, double confidence,
				  struct ft_estimate *out, struct ft_err *err)
{
	const struct solve_svr_state *s = state;
	size_t d = s->logs.k + 1, q = s->logs.q;
	FT_OWN double *feature = ft_malloc(t * d * sizeof *feature);
	FT_OWN double *mean = ft_malloc(t * sizeof *mean);

	if (!feature || !mean)
		return ft_nomem(err);
	ft__logs_features(&s->logs, x, t, feature, mean);
	for (size_t j = 0; j < q; j++) {
		double half = s->scale[j] * ft__left_out_reach(&s->left_out[j], confidence);

		for (size_t i = 0; i < t; i++)
			out[i * q + j] =
				ft__logs_estimate(&s->logs, j, mean[i],
						  s->scale[j] * ft_svm_at(&s->svm[j], feature + i * d), half);
	}
	return FT_OK;
}

const struct ft_solver ft__solver_svr = {
	.name = "svr",
	.about = "support vectors on logarithms, radial",
	.positive = true,
	.solve = solve_svr,
	.predict = svr_predict,
};
