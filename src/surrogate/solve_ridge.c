/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_ridge.c - ridge regression on logarithms: a product of powers of the basis, drawn to the geometric
 * mean.
 *
 * The penalty is chosen by the errors of groups left out. With Z the features and a constant, A = Z'Z + p I:
 * the error of a group g that was left out is (I - H_gg)^-1 (y - Z b)_g, H_gg = Z_g A^-1 Z_g', and its
 * variance is in proportion to the diagonal of that inverse. Source: Hoerl & Kennard, Ridge regression,
 * Technometrics 1970; Cook & Weisberg, Residuals and influence in regression, 1982, section 2.2 (groups).
 */
#include "base/alloc.h"
#include "num/cholesky.h"
#include "surrogate/kin.h"
#include "surrogate/logs.h"
#include "surrogate/solver.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Penalties that are tried, as shares of the mean square of a row. The first one stands unless another is
 * better by more than rounding: one group alone tells nothing. */
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

static void free_state(void *state)
{
	struct solve_ridge_state *s = state;

	if (!s)
		return;
	for (size_t j = 0; s->answer && j < s->q; j++) {
		ft_free(s->answer[j].b);
		ft_free(s->answer[j].factor);
		ft__left_out_clear(&s->answer[j].left_out);
	}
	ft_free(s->answer);
	ft__logs_clear(&s->logs);
	ft_free(s);
}

/* What is needed while fitting; rows in the order of kin. */
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

static void clear_work(struct solve_ridge_work *w)
{
	ft__kin_clear(&w->kin);
	ft_free(w->feature);
	ft_free(w->target);
	ft_free(w->z);
	ft_free(w->y);
	ft_free(w->gram);
	ft_free(w->factor);
	ft_free(w->b);
	ft_free(w->turned);
	ft_free(w->block);
	ft_free(w->half);
	ft_free(w->off);
	ft_free(w->error);
}

static enum ft_status make_room(struct solve_ridge_state *s, struct solve_ridge_work *w,
				const struct ft_surrogate_problem *problem, struct ft_err *err)
{
	size_t m = w->m = problem->m, p = w->p = s->p = problem->k + 2, q = w->q = problem->q, largest;

	FT_TRY(ft__kin_init(&w->kin, problem->group, m, err));
	largest = w->kin.largest;
	w->feature = ft_malloc(m * (p - 1) * sizeof *w->feature);
	w->target = ft_malloc(m * q * sizeof *w->target);
	w->z = ft_malloc(m * p * sizeof *w->z);
	w->y = ft_malloc(m * sizeof *w->y);
	w->gram = ft_malloc(p * p * sizeof *w->gram);
	w->factor = ft_malloc(p * p * sizeof *w->factor);
	w->b = ft_malloc(p * sizeof *w->b);
	w->turned = ft_malloc(p * largest * sizeof *w->turned);
	w->block = ft_malloc(largest * largest * sizeof *w->block);
	w->half = ft_malloc(largest * largest * sizeof *w->half);
	w->off = ft_malloc(largest * sizeof *w->off);
	w->error = ft_malloc(m * sizeof *w->error);
	s->answer = ft_calloc(q, sizeof *s->answer);
	if (!w->feature || !w->target || !w->z || !w->y || !w->gram || !w->factor || !w->b || !w->turned ||
	    !w->block || !w->half || !w->off || !w->error || !s->answer)
		return ft_nomem(err);
	s->q = q;
	for (size_t j = 0; j < q; j++) {
		s->answer[j].b = ft_malloc(p * sizeof *s->answer[j].b);
		s->answer[j].factor = ft_malloc(p * p * sizeof *s->answer[j].factor);
		if (!s->answer[j].b || !s->answer[j].factor)
			return ft_nomem(err);
	}
	return FT_OK;
}

/* Z and Z'Z. */
static void square_up(struct solve_ridge_work *w)
{
	size_t m = w->m, p = w->p;

	memset(w->gram, 0, p * p * sizeof *w->gram);
	for (size_t i = 0; i < m; i++) {
		double *z = w->z + i * p;

		memcpy(z, w->feature + w->kin.row[i] * (p - 1), (p - 1) * sizeof *z);
		z[p - 1] = 1;
		for (size_t j = 0; j < p; j++)
			for (size_t l = j; l < p; l++)
				w->gram[j * p + l] += z[j] * z[l];
	}
}

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
				 struct solve_ridge_answer *answer, struct ft_err *err)
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
	memcpy(answer->b, w->b, w->p * sizeof *w->b);
	memcpy(answer->factor, w->factor, w->p * w->p * sizeof *w->factor);
	return ft__left_out_init(&answer->left_out, w->error, w->kin.group, w->m, err);
}

static enum ft_status solve_ridge(const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, void **state,
				  struct ft_err *err)
{
	struct solve_ridge_state *s = ft_calloc(1, sizeof *s);
	struct solve_ridge_work w = {0};
	enum ft_status status = s ? make_room(s, &w, problem, err) : ft_nomem(err);
	double unit = 0;

	(void)options;
	if (!status)
		status = ft__logs_init(&s->logs, problem, w.feature, w.target, err);
	if (!status) {
		square_up(&w);
		for (size_t j = 0; j < w.p; j++)
			unit += w.gram[j * w.p + j] / (double)w.m;
	}
	for (size_t j = 0; !status && j < w.q; j++)
		status = fit_target(&w, j, unit, &s->answer[j], err);
	clear_work(&w);
	if (status)
		free_state(s);
	else
		*state = s;
	return status;
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
	double *feature = ft_malloc(t * d * sizeof *feature), *mean = ft_malloc(t * sizeof *mean);
	double *z = ft_malloc(s->p * sizeof *z);
	enum ft_status status = feature && mean && z ? FT_OK : ft_nomem(err);

	if (!status)
		ft__logs_features(&s->logs, x, t, feature, mean);
	for (size_t j = 0; !status && j < q; j++) {
		const struct ft__left_out *left_out = &s->answer[j].left_out;
		double quantile = ft__left_out_reach(left_out, confidence);

		for (size_t i = 0; i < t; i++)
			out[i * q + j] = estimate(s, j, feature + i * d, mean[i], quantile, z);
	}
	ft_free(feature);
	ft_free(mean);
	ft_free(z);
	return status;
}

const struct ft_solver ft__solver_ridge = {
	.name = "ridge",
	.about = "ridge regression on logarithms: a product of powers",
	.positive = true,
	.solve = solve_ridge,
	.predict = predict,
	.free = free_state,
};
