/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_svr.c - support vector regression on logarithms of ratios (004 chapter 15 names it as future work).
 *
 * Its settings follow from the rows: distances are measured by the usual one between two rows, errors by the
 * usual size of the target (Cherkassky & Ma, Practical selection of SVM parameters, Neural Networks 2004, has
 * the cost so).
 */
#include "base/alloc.h"
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

static void free_state(void *state)
{
	struct solve_svr_state *s = state;

	if (!s)
		return;
	for (size_t j = 0; j < s->logs.q; j++) {
		if (s->svm)
			ft_svm_clear(&s->svm[j]);
		if (s->left_out)
			ft__left_out_clear(&s->left_out[j]);
	}
	ft_free(s->svm);
	ft_free(s->scale);
	ft_free(s->left_out);
	ft__logs_clear(&s->logs);
	ft_free(s);
}

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

static void clear_work(struct solve_svr_work *w)
{
	ft_free(w->feature);
	ft_free(w->target);
	ft_free(w->x);
	ft_free(w->y);
	ft_free(w->error);
	ft_free(w->fold);
}

static enum ft_status make_room(struct solve_svr_work *w, struct solve_svr_state *s, size_t m, size_t d,
				size_t q, struct ft_err *err)
{
	w->m = m;
	w->d = d;
	w->feature = ft_malloc(m * d * sizeof *w->feature);
	w->target = ft_malloc(m * q * sizeof *w->target);
	w->x = ft_malloc(m * d * sizeof *w->x);
	w->y = ft_malloc(m * sizeof *w->y);
	w->error = ft_malloc(m * sizeof *w->error);
	w->fold = ft_malloc(m * sizeof *w->fold);
	s->svm = ft_calloc(q, sizeof *s->svm);
	s->scale = ft_calloc(q, sizeof *s->scale);
	s->left_out = ft_calloc(q, sizeof *s->left_out);
	return w->feature && w->target && w->x && w->y && w->error && w->fold && s->svm && s->scale &&
			       s->left_out
		       ? FT_OK
		       : ft_nomem(err);
}

/* Groups by turns: 0, 1, .. FOLDS_MOST - 1, 0, .. */
static enum ft_status deal_folds(struct solve_svr_work *w, struct ft_err *err)
{
	struct ft__kin kin;

	FT_TRY(ft__kin_init(&kin, w->group, w->m, err));
	for (size_t i = 0; i < w->m; i++)
		w->fold[kin.row[i]] = kin.group[i] % FOLDS_MOST;
	w->folds = kin.groups < FOLDS_MOST ? kin.groups : FOLDS_MOST;
	ft__kin_clear(&kin);
	return FT_OK;
}

/* The errors of the rows of one fold, foretold by all others. */
static enum ft_status leave_out(struct solve_svr_work *w, const double *y, size_t fold, struct ft_err *err)
{
	struct ft_svm svm;
	size_t n = 0;

	for (size_t i = 0; i < w->m; i++)
		if (w->fold[i] != fold) {
			memcpy(w->x + n * w->d, w->feature + i * w->d, w->d * sizeof *w->x);
			w->y[n++] = y[i];
		}
	FT_TRY(ft_svm_fit(&svm, w->x, w->y, n, w->d, &w->settings, err));
	for (size_t i = 0; i < w->m; i++)
		if (w->fold[i] == fold)
			w->error[i] = ft_svm_at(&svm, w->feature + i * w->d) - y[i];
	ft_svm_clear(&svm);
	return FT_OK;
}

static enum ft_status fit_target(struct solve_svr_state *s, struct solve_svr_work *w, size_t which, double *y,
				 struct ft_err *err)
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
	enum ft_status status = ft_svm_fit(&s->svm[which], w->feature, y, w->m, w->d, &w->settings, err);
	for (size_t i = 0; i < w->m; i++)
		w->error[i] = NAN;
	for (size_t i = 0; w->folds > 1 && i < w->folds && !status; i++)
		status = leave_out(w, y, i, err);
	return status ? status : ft__left_out_init(&s->left_out[which], w->error, w->group, w->m, err);
}

static enum ft_status solve_svr(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, void **state, struct ft_err *err)
{
	size_t m = problem->m, d = problem->k + 1, q = problem->q;
	double *square = ft_malloc(m * m * sizeof *square), *y = ft_malloc(m * sizeof *y), median;
	struct solve_svr_state *s = ft_calloc(1, sizeof *s);
	struct solve_svr_work w = {.group = problem->group};
	enum ft_status status = square && y && s ? make_room(&w, s, m, d, q, err) : ft_nomem(err);

	(void)options;
	if (!status)
		status = ft__logs_init(&s->logs, problem, w.feature, w.target, err);
	if (!status)
		status = ft__distances(w.feature, m, d, square, &median, err);
	if (!status) {
		w.settings = (struct ft_svm_settings){cost, tube, narrow / median};
		status = deal_folds(&w, err);
	}
	for (size_t j = 0; j < q && !status; j++)
		status = fit_target(s, &w, j, y, err);
	clear_work(&w);
	ft_free(square);
	ft_free(y);
	if (status)
		free_state(s);
	else
		*state = s;
	return status;
}

static enum ft_status predict(const void *state, const double *x, size_t t, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct solve_svr_state *s = state;
	size_t d = s->logs.k + 1, q = s->logs.q;
	double *feature = ft_malloc(t * d * sizeof *feature), *mean = ft_malloc(t * sizeof *mean);
	enum ft_status status = feature && mean ? FT_OK : ft_nomem(err);

	if (!status)
		ft__logs_features(&s->logs, x, t, feature, mean);
	for (size_t j = 0; j < q && !status; j++) {
		double half = s->scale[j] * ft__left_out_reach(&s->left_out[j], confidence);

		for (size_t i = 0; i < t; i++)
			out[i * q + j] =
				ft__logs_estimate(&s->logs, j, mean[i],
						  s->scale[j] * ft_svm_at(&s->svm[j], feature + i * d), half);
	}
	ft_free(feature);
	ft_free(mean);
	return status;
}

const struct ft_solver ft__solver_svr = {
	.name = "svr",
	.about = "support vectors on logarithms, radial",
	.positive = true,
	.solve = solve_svr,
	.predict = predict,
	.free = free_state,
};
