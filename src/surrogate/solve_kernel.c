/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_kernel.c - Gaussian-process regression on logarithms of ratios: a linear part, and a smooth part that
 * lets machines that are alike foretell each other.
 *
 * Its settings are fixed: they lie on a flat plateau, and choosing them anew for each fit gained nothing. But
 * where the logarithms of programs hang together linearly, and rows are few, the smooth part does harm: it is
 * left away when the rows themselves say so.
 */
#include "base/alloc.h"
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

static void free_state(void *state)
{
	struct solve_kernel_state *s = state;

	if (!s)
		return;
	ft__logs_clear(&s->logs);
	ft__process_clear(&s->usual);
	ft__process_clear(&s->plain);
	ft_free(s->is_plain);
	ft_free(s);
}

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

static void clear_work(struct solve_kernel_work *w)
{
	ft_free(w->feature);
	ft_free(w->target);
	ft_free(w->square);
	ft_free(w->error);
	ft_free(w->other);
}

static enum ft_status make_room(struct solve_kernel_work *w, const struct ft_surrogate_problem *problem,
				struct ft_err *err)
{
	size_t m = problem->m, d = problem->k + 1, q = problem->q;

	*w = (struct solve_kernel_work){.m = m, .d = d, .q = q, .group = problem->group};
	w->feature = ft_malloc(m * d * sizeof *w->feature);
	w->target = ft_malloc(m * q * sizeof *w->target);
	w->square = ft_malloc(m * m * sizeof *w->square);
	w->error = ft_malloc(m * q * sizeof *w->error);
	w->other = ft_malloc(m * q * sizeof *w->other);
	return w->feature && w->target && w->square && w->error && w->other ? FT_OK : ft_nomem(err);
}

static enum ft_status fit_process(struct ft__process *process, const struct ft__kernel *kernel,
				  struct solve_kernel_work *w, double *error, struct ft_err *err)
{
	return ft__process_fit(process, kernel, w->feature, w->target, w->group, w->m, w->d, w->q, w->square,
			       error, err);
}

/* With few rows the smooth part may only follow what the linear one tells as well: it is left away where
 * groups left out are then foretold clearly better. Fewer than six groups cannot say so. */
static enum ft_status fit_both(struct solve_kernel_state *s, struct ft__kernel kernel,
			       struct solve_kernel_work *w, struct ft_err *err)
{
	enum ft_status status = fit_process(&s->usual, &kernel, w, w->error, err);

	if (status || w->m > FEW_ROWS || s->usual.left_out[0].groups < GROUPS_LEAST)
		return status;
	kernel.smooth = 0;
	status = fit_process(&s->plain, &kernel, w, w->other, err);
	for (size_t j = 0; !status && j < w->q; j++) {
		double usual = 0, plain = 0;

		for (size_t i = 0; i < w->m; i++) {
			usual += fabs(w->error[i * w->q + j]);
			plain += fabs(w->other[i * w->q + j]);
		}
		s->is_plain[j] = plain < clearly * usual;
	}
	return status;
}

static enum ft_status solve_kernel(const struct ft_surrogate_problem *problem,
				   const struct ft_surrogate_options *options, void **state,
				   struct ft_err *err)
{
	struct solve_kernel_state *s = ft_calloc(1, sizeof *s);
	struct solve_kernel_work w = {0};
	enum ft_status status = s ? make_room(&w, problem, err) : ft_nomem(err);
	double median;

	(void)options;
	if (!status && !(s->is_plain = ft_calloc(problem->q, sizeof *s->is_plain)))
		status = ft_nomem(err);
	if (!status)
		status = ft__logs_init(&s->logs, problem, w.feature, w.target, err);
	if (!status)
		status = ft__distances(w.feature, w.m, w.d, w.square, &median, err);
	if (!status)
		status = fit_both(s, choose_kernel(w.feature, w.m, w.d, median), &w, err);
	clear_work(&w);
	if (status)
		free_state(s);
	else
		*state = s;
	return status;
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
	double *value = ft_malloc(t * q * sizeof *value);
	double *half = ft_malloc(t * q * sizeof *half);
	enum ft_status status = value && half ? ft__process_predict(plain ? &s->plain : &s->usual, feature, t,
								    confidence, value, half, err)
					      : ft_nomem(err);
	for (size_t i = 0; !status && i < t; i++)
		for (size_t j = 0; j < q; j++)
			if (s->is_plain[j] == plain)
				out[i * q + j] = ft__logs_estimate(&s->logs, j, mean[i], value[i * q + j],
								   half[i * q + j]);
	ft_free(value);
	ft_free(half);
	return status;
}

static enum ft_status predict(const void *state, const double *x, size_t t, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct solve_kernel_state *s = state;
	size_t d = s->logs.k + 1;
	double *feature = ft_malloc(t * d * sizeof *feature), *mean = ft_malloc(t * sizeof *mean);
	enum ft_status status = feature && mean ? FT_OK : ft_nomem(err);

	if (!status) {
		ft__logs_features(&s->logs, x, t, feature, mean);
		status = predict_some(s, false, feature, mean, t, confidence, out, err);
	}
	if (!status)
		status = predict_some(s, true, feature, mean, t, confidence, out, err);
	ft_free(feature);
	ft_free(mean);
	return status;
}

const struct ft_solver ft__solver_kernel = {
	.name = "kernel",
	.about = "Gaussian process on logarithms: machines that are alike foretell each other",
	.positive = true,
	.solve = solve_kernel,
	.predict = predict,
	.free = free_state,
};
