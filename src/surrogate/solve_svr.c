/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_svr.c - support vector regression on logarithms of ratios (004 chapter 15 names it as future work).
 *
 * Its settings follow from the rows: distances are measured by the usual one between two rows, errors by the
 * usual size of the target (Cherkassky & Ma, Practical selection of SVM parameters, Neural Networks 2004, has
 * the cost so).
 */
#include "num/stats.h"
#include "num/svm.h"
#include "surrogate/kin.h"
#include "surrogate/logs.h"
#include "surrogate/solver.h"

#include <math.h>
#include <string.h>

/* Intervals rest on errors of groups left out, so many of them at a time. */
enum { FOLDS_MOST = 10 };

/* In units of the target's deviation, and of one over the median squared distance. */
static const double cost = 10, tube = 0.05, narrow = 1;

struct solve_svr_state {
	struct ft__logs logs;
	struct ft_svm *svm;            /* [q] */
	double *scale;                 /* [q] what targets were divided by */
	struct ft__left_out *left_out; /* [q] */
};

/* What is needed while fitting. */
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

/* Groups by turns: 0, 1, .. FOLDS_MOST - 1, 0, .. */
static enum ft_status deal_folds(struct solve_svr_work *w, struct ft_err *err)
{
	struct ft__kin kin;
	FT_ARENA(work);

	FT_TRY(ft__kin_init(&kin, &work, w->group, w->m, err));
	for (size_t i = 0; i < w->m; i++)
		w->fold[kin.row[i]] = kin.group[i] % FOLDS_MOST;
	w->folds = kin.groups < FOLDS_MOST ? kin.groups : FOLDS_MOST;
	return FT_OK;
}

/* The errors of the rows of one fold, foretold by all others. */
static enum ft_status leave_out(struct solve_svr_work *w, const double *y, size_t fold, struct ft_err *err)
{
	struct ft_svm svm;
	size_t n = 0;
	FT_ARENA(work);

	for (size_t i = 0; i < w->m; i++)
		if (w->fold[i] != fold) {
			memcpy(w->x + n * w->d, w->feature + i * w->d, w->d * sizeof *w->x);
			w->y[n++] = y[i];
		}
	FT_TRY(ft_svm_fit(&svm, &work, w->x, w->y, n, w->d, &w->settings, err));
	for (size_t i = 0; i < w->m; i++)
		if (w->fold[i] == fold)
			w->error[i] = ft_svm_at(&svm, w->feature + i * w->d) - y[i];
	return FT_OK;
}

static enum ft_status fit_target(struct solve_svr_state *s, struct ft_arena *arena, struct solve_svr_work *w,
				 size_t which, double *y, struct ft_err *err)
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
	for (size_t i = 0; w->folds > 1 && i < w->folds; i++)
		FT_TRY(leave_out(w, y, i, err));
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
	FT_TRY(deal_folds(&w, err));
	for (size_t j = 0; j < q; j++)
		FT_TRY(fit_target(s, arena, &w, j, y, err));
	*state = s;
	return FT_OK;
}

static enum ft_status predict(const void *state, const double *x, size_t t, double confidence,
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
	.predict = predict,
};
