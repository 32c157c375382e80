/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_kernel.c - Gaussian-process regression on logarithms of ratios: a linear part, and a smooth part that
 * lets machines that are alike foretell each other.
 *
 * Its settings are fixed: they lie on a flat plateau, and choosing them anew for each fit gained nothing. But
 * where the logarithms of programs hang together linearly, and rows are few, the smooth part does harm: it is
 * left away when the rows themselves say so.
 */
#include "surrogate/logs.h"
#include "surrogate/process.h"

#include <math.h>

/* The smooth part reaches half as far as two rows usually are apart; noise is 3 % of a part's variance. */
static const double reach = 0.5, noise = 0.03;

enum { FEW_ROWS = 64, GROUPS_LEAST = 6 };
static const double clearly = 0.8;

struct solve_kernel_state {
	struct ft__logs logs;
	struct ft__process usual, plain; /* plain: without the smooth part; m = 0: not tried */
	bool *is_plain;                  /* [q] which one foretells a target */
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

/* What is needed while fitting. */
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

/* With few rows the smooth part may only follow what the linear one tells as well: it is left away where
 * groups left out are then foretold clearly better. Fewer than six groups cannot say so. */
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

/* The targets that one of the two processes foretells. */
static enum ft_status predict_some(const struct solve_kernel_state *s, bool plain, const double *feature,
				   const double *mean, size_t t, double confidence, struct ft_estimate *out,
				   struct ft_err *err)
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
	FT_TRY(predict_some(s, false, feature, mean, t, confidence, out, err));
	return predict_some(s, true, feature, mean, t, confidence, out, err);
}

const struct ft_solver ft__solver_kernel = {
	.name = "kernel",
	.about = "Gaussian process on logarithms: similar machines predict each other",
	.positive = true,
	.solve = solve_kernel,
	.predict = predict,
};
