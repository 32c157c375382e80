/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_simplex.c - non-negative shares with the least absolute error, as a linear programme (004 6.1,
 * equations 6.9 to 6.13; its dual is solved). */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <string.h>

/*
 * Non-negative shares with the least absolute error, as a linear programme (004 6.1, equations 6.9 to
 * 6.13; its dual is solved).
 */

enum { FOLDS = 10 };

struct simplex {
	size_t k, q;
	bool raw;
	double *beta; /* [k x q] */
	double *sd;   /* [k x q] of beta, by leaving folds out; infinite: not known */
	double *s;    /* [q] standard deviation of a row, from its middle errors; NaN: not known */
	double *dof;  /* [q] */
	struct ft__left_out *left_out; /* [q] */
	struct ft_surrogate_outcome outcome;
};

/* Memory of one call. */
struct solve_simplex_work {
	const struct ft_surrogate_problem *problem;
	struct ft_lad *lad;
	double *x, *y;       /* [m x k], [m] scaled */
	double *b, *shares;  /* [k] of a fold, of all rows */
	double *error;       /* [m] */
	size_t *fold, folds; /* [m] 0 .. folds - 1: rows of a group are in one fold */
	size_t most;
};

/* Errors of each fold by the other ones, and how far beta moves (the jackknife of groups; Shao & Tu, The
 * jackknife and bootstrap, 1995, section 2.3): the programme goes on from where it is, with the fold's rows
 * out. */
static enum ft_status leave_folds_out(struct simplex *s, struct solve_simplex_work *w, size_t t,
				      struct ft_err *err)
{
	size_t m = w->problem->m, k = w->problem->k, q = w->problem->q, iterations;
	bool converged;

	for (size_t f = 0; f < w->folds; f++) {
		for (size_t i = 0; i < m; i++)
			if (w->fold[i] == f)
				ft_lad_skip(w->lad, i, true);
		FT_TRY(ft_lad_solve(w->lad, w->y, w->most, w->b, NULL, &converged, &iterations, err));
		for (size_t j = 0; j < k; j++) {
			double far = w->b[j] - w->shares[j];

			s->sd[j * q + t] += far * far * (double)(w->folds - 1) / (double)w->folds;
		}
		for (size_t i = 0; i < m; i++)
			if (w->fold[i] == f) {
				w->error[i] = fabs(w->y[i] - ft_dot(w->x + i * k, w->b, k));
				ft_lad_skip(w->lad, i, false);
			}
	}
	for (size_t j = 0; j < k; j++)
		s->sd[j * q + t] = sqrt(s->sd[j * q + t]);
	return FT_OK;
}

/* The middle error of rows that are not met exactly, as a standard deviation. */
static void middle_error(struct simplex *s, const struct solve_simplex_work *w, size_t t)
{
	size_t n = 0, active = 0, m = w->problem->m, k = w->problem->k;
	double *left = w->error;

	for (size_t i = 0; i < k; i++)
		active += w->shares[i] > 0;
	for (size_t i = 0; i < m; i++)
		left[n++] = fabs(w->y[i] - ft_dot(w->x + i * k, w->shares, k));
	s->dof[t] = (double)m - (double)active;
	s->s[t] = NAN;
	if (m <= active)
		return;
	ft_sort(left, n);
	s->s[t] = 1.4826 * ft_stats_median(left + active, m - active);
}

static enum ft_status solve_target(struct simplex *s, struct ft_arena *arena, struct solve_simplex_work *w,
				   const struct ft_surrogate_options *options, size_t t, struct ft_err *err)
{
	const struct ft_surrogate_problem *p = w->problem;
	size_t iterations;
	bool converged;

	for (size_t i = 0; i < p->m; i++)
		w->y[i] = p->y[i * p->q + t] / ft__row_scale(p->x + i * p->k, p->k, options->raw);
	FT_TRY(ft_lad_solve(w->lad, w->y, w->most, w->shares, NULL, &converged, &iterations, err));
	s->outcome.converged &= converged;
	s->outcome.iterations += iterations;
	for (size_t j = 0; j < p->k; j++)
		s->beta[j * p->q + t] = w->shares[j];
	middle_error(s, w, t);
	for (size_t i = 0; i < p->m; i++)
		s->outcome.loss += fabs(w->y[i] - ft_dot(w->x + i * p->k, w->shares, p->k));
	/* With fewer groups no quantile is used (see reach). */
	if (w->folds < FOLDS) {
		for (size_t j = 0; j < p->k; j++)
			s->sd[j * p->q + t] = INFINITY;
		return FT_OK;
	}
	FT_TRY(leave_folds_out(s, w, t, err));
	return ft__left_out_init(&s->left_out[t], arena, w->error, p->group, p->m, err);
}

static void end_lad(struct ft_lad **lad)
{
	ft_lad_free(*lad);
}

static enum ft_status solve_simplex(const struct ft_surrogate_problem *problem,
				    const struct ft_surrogate_options *options, struct ft_arena *arena,
				    void **state, struct ft_err *err)
{
	size_t m = problem->m, k = problem->k, q = problem->q;
	FT_ARENA(work);
	struct solve_simplex_work w = {.problem = problem,
				       .x = ft_arena_take(&work, m * k, sizeof(double)),
				       .y = ft_arena_take(&work, m, sizeof(double)),
				       .error = ft_arena_take(&work, m, sizeof(double)),
				       .b = ft_arena_take(&work, k, sizeof(double)),
				       .shares = ft_arena_take(&work, k, sizeof(double)),
				       .fold = ft_arena_take(&work, m, sizeof(size_t)),
				       .most = options->iterations};
	struct simplex *s = ft_arena_take(arena, 1, sizeof *s);

	FT_TRY(ft_arena_check(arena, err));
	*s = (struct simplex){.k = k,
			      .q = q,
			      .raw = options->raw,
			      .beta = ft_arena_take(arena, k * q, sizeof(double)),
			      .sd = ft_arena_take(arena, k * q, sizeof(double)),
			      .s = ft_arena_take(arena, q, sizeof(double)),
			      .dof = ft_arena_take(arena, q, sizeof(double)),
			      .left_out = ft_arena_take(arena, q, sizeof *s->left_out),
			      .outcome = {.converged = true, .rank = m < k ? m : k}};
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < m; i++) {
		double scale = ft__row_scale(problem->x + i * k, k, options->raw);

		for (size_t j = 0; j < k; j++)
			w.x[i * k + j] = problem->x[i * k + j] / scale;
	}
	/* Groups in the order in which they come go round the folds. */
	const size_t *group = w.problem->group;
	size_t j, groups = 0;

	for (size_t i = 0; i < w.problem->m; i++) {
		for (j = 0; group && j < i && group[j] != group[i];)
			j++;
		w.fold[i] = group && j < i ? w.fold[j] : groups++ % FOLDS;
	}
	w.folds = groups < FOLDS ? groups : FOLDS;
	FT_CLEANUP(end_lad) struct ft_lad *lad = NULL;
	FT_TRY(ft_lad_new(w.x, m, k, &lad, err));
	w.lad = lad;
	for (size_t t = 0; t < q; t++)
		FT_TRY(solve_target(s, arena, &w, options, t, err));
	*state = s;
	return FT_OK;
}

static enum ft_status predict(const void *state, const double *x, size_t rows, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct simplex *s = state;

	(void)err;
	for (size_t i = 0; i < rows; i++, x += s->k)
		for (size_t t = 0; t < s->q; t++) {
			struct ft_estimate *e = &out[i * s->q + t];
			double half = ft__row_scale(x, s->k, s->raw) *
				      ft__reach(&s->left_out[t], s->s[t], s->dof[t], confidence);

			e->value = 0;
			for (size_t j = 0; j < s->k; j++)
				e->value += x[j] * s->beta[j * s->q + t];
			e->lower = e->value - half;
			e->upper = e->value + half;
		}
	return FT_OK;
}

static void beta(const void *state, double *out, double *intercept)
{
	const struct simplex *s = state;

	memcpy(out, s->beta, s->k * s->q * sizeof *out);
	memset(intercept, 0, s->q * sizeof *intercept);
}

/* Shares are not negative, and so are the ends of their intervals. */
static void spread(const void *state, double confidence, struct ft_estimate *out)
{
	const struct simplex *s = state;
	double width = ft_student_t(confidence, FOLDS - 1);

	for (size_t i = 0; i < s->k * s->q; i++) {
		double half = width * s->sd[i];

		out[i] = (struct ft_estimate){
			s->beta[i], isinf(half) ? -INFINITY : fmax(s->beta[i] - half, 0), s->beta[i] + half};
	}
}

static void outcome(const void *state, struct ft_surrogate_outcome *out)
{
	*out = ((const struct simplex *)state)->outcome;
}

const struct ft_solver ft__solver_simplex = {
	.name = "simplex",
	.about = "shares that are not negative, least absolute error",
	.linear = true,
	.solve = solve_simplex,
	.predict = predict,
	.beta = beta,
	.spread = spread,
	.outcome = outcome,
};
