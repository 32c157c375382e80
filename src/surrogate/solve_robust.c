/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_robust.c - least squares that an outlier does not bend: iteratively reweighted, first Huber's weights
 * until they settle, then Tukey's, which give up on what is far off (004 6.2.5; Maronna, Martin, Yohai,
 * Robust statistics, 2006, sections 4.4 and 5.5). */
#include "num/order.h"
#include "num/stats.h"
#include "surrogate/linear.h"

#include <math.h>
#include <string.h>

/* 95 % as efficient as least squares where the errors are normal. */
static const double HUBER = 1.345, TUKEY = 4.685;

enum { MOST = 100 };

struct solve_robust_work {
	const struct ft_surrogate_problem *problem;
	struct ft__linear *linear;
	double cut;
	size_t most;
	double *weight, *share, *rest, *sorted; /* [m] */
	double exact;                           /* errors below this are rounding */
	double *beta;                           /* [k] of the last iteration */
};

/* Residuals of a target times the weights; returns their robust deviation: the middle one of those that the
 * fit does not meet by having as many coefficients. */
static double find_rest(struct solve_robust_work *w, size_t t)
{
	const struct ft_surrogate_problem *p = w->problem;
	size_t met = w->linear->outcome.rank < p->m ? w->linear->outcome.rank : p->m - 1;

	for (size_t i = 0; i < p->m; i++) {
		double sum = p->y[i * p->q + t];

		for (size_t j = 0; j < p->k; j++)
			sum -= p->x[i * p->k + j] * w->linear->beta[j * p->q + t];
		w->rest[i] = w->weight[i] * sum;
		w->sorted[i] = fabs(w->rest[i]);
	}
	ft_sort(w->sorted, p->m);
	return ft_stats_median(w->sorted + met, p->m - met) / 0.6745;
}

static double huber(double u)
{
	return u <= HUBER ? 1 : HUBER / u;
}

static double tukey(double u)
{
	double v = 1 - u * u / (TUKEY * TUKEY);

	return u < TUKEY ? fmax(v * v, 1e-6) : 1e-6; /* not zero: a decomposition follows */
}

/* How far beta moved, against its size. */
static double moved_share(struct solve_robust_work *w, size_t t)
{
	const struct ft_surrogate_problem *p = w->problem;
	double far = 0, size = 0;

	for (size_t j = 0; j < p->k; j++) {
		double b = w->linear->beta[j * p->q + t];

		far = fmax(far, fabs(b - w->beta[j]));
		size = fmax(size, fabs(b));
		w->beta[j] = b;
	}
	return size > 0 ? far / size : 0;
}

/* Reweighted fits until beta rests. `s` 0: the deviation is found anew each time. */
static enum ft_status iterate_fits(struct solve_robust_work *w, double (*function)(double), double s,
				   size_t t, bool *rests, struct ft_err *err)
{
	*rests = false;
	for (size_t n = 0; !*rests && n < w->most; n++) {
		double now = find_rest(w, t), unit = s > 0 ? s : now;

		*rests = !(now > w->exact); /* the others are met exactly: nothing to weigh by */
		if (*rests)
			break;
		for (size_t i = 0; i < w->problem->m; i++)
			w->share[i] = function(fabs(w->rest[i]) / unit);
		FT_TRY(ft__linear_fit(w->linear, w->problem, w->weight, w->share, w->cut, t, 1, false, err));
		w->linear->outcome.iterations++;
		*rests = moved_share(w, t) < 1e-9;
	}
	return FT_OK;
}

static enum ft_status solve_target(struct solve_robust_work *w, size_t t, struct ft_err *err)
{
	bool huber_rests = false, tukey_rests = false;

	for (size_t i = 0; i < w->problem->m; i++) {
		w->share[i] = 1;
		w->sorted[i] = fabs(w->weight[i] * w->problem->y[i * w->problem->q + t]);
	}
	w->exact = 1e-13 * ft_stats_median(w->sorted, w->problem->m);
	(void)moved_share(w, t);
	FT_TRY(iterate_fits(w, huber, 0, t, &huber_rests, err));
	double s = find_rest(w, t);
	FT_TRY(iterate_fits(w, tukey, s, t, &tukey_rests, err));
	w->linear->outcome.converged &= tukey_rests;
	/* once more, with the errors */
	FT_TRY(ft__linear_fit(w->linear, w->problem, w->weight, w->share, w->cut, t, 1, true, err));
	if (w->problem->m > w->linear->outcome.rank)
		w->linear->s[t] = s;
	return FT_OK;
}

static enum ft_status solve_robust(const struct ft_surrogate_problem *problem,
				   const struct ft_surrogate_options *options, struct ft_arena *arena,
				   void **state, struct ft_err *err)
{
	size_t m = problem->m;
	FT_ARENA(work);
	struct solve_robust_work w = {.problem = problem,
				      .cut = options->cut,
				      .most = options->iterations ? options->iterations : MOST,
				      .weight = ft_arena_take(&work, m, sizeof(double)),
				      .share = ft_arena_take(&work, m, sizeof(double)),
				      .rest = ft_arena_take(&work, m, sizeof(double)),
				      .sorted = ft_arena_take(&work, m, sizeof(double)),
				      .beta = ft_arena_take(&work, problem->k, sizeof(double))};

	FT_TRY(ft__linear_rows(problem, false, "robust", err));
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft__linear_new(problem, false, options->raw, arena, &w.linear, err));
	for (size_t i = 0; i < m; i++)
		w.weight[i] = 1 / ft__row_scale(problem->x + i * problem->k, problem->k, options->raw);
	if (options->weigh)
		FT_TRY(ft__linear_by_sigma(problem, w.linear, w.weight, err));
	FT_TRY(ft__linear_fit(w.linear, problem, w.weight, NULL, w.cut, 0, problem->q, false, err));
	for (size_t t = 0; t < problem->q; t++)
		FT_TRY(solve_target(&w, t, err));
	*state = w.linear;
	return FT_OK;
}

const struct ft_solver ft__solver_robust = {
	.name = "robust",
	.about = "least squares that outliers do not bend",
	.solve = solve_robust,
	FT__LINEAR,
};
