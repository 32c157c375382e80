/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_ridge.c - ridge regression on logarithms: a product of powers of the basis, drawn to the geometric
 * mean.
 *
 * The penalty is chosen by the errors of groups left out. With Z the features and a constant, A = Z'Z + p I:
 * the error of a group g that was left out is (I - H_gg)^-1 (y - Z b)_g, H_gg = Z_g A^-1 Z_g', and its
 * variance is in proportion to the diagonal of that inverse. Source: Hoerl & Kennard, Ridge regression,
 * Technometrics 1970; Cook & Weisberg, Residuals and influence in regression, 1982, section 2.2 (groups).
 */
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
	square_up(&w);
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
