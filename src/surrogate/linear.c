/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.c - weighted least squares through singular values, its intervals, and its errors on rows left out.
 */
#include "surrogate/linear.h"
#include "num/cholesky.h"
#include "num/dense.h"
#include "num/stats.h"
#include "num/svd.h"
#include "surrogate/kin.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Below this share of a row's own say in its fitted value nothing is learned from the other rows. */
static const double own_only = 1e-8;

/* A decomposition at work: the weighted, scaled columns. */
struct linear_work {
	size_t m, c, rank;
	double *a;     /* [m x c] */
	double *u;     /* [m x r], r = min(m, c) */
	double *s;     /* [r] */
	double *v;     /* [c x r] */
	double *width; /* [c] what a column was divided by */
	double *rest;  /* [m] residuals, then errors */
	double *lever; /* [m] */
	double *small; /* [c x c + c] */
};

double ft__row_scale(const double *x, size_t k, bool raw)
{
	double scale = raw ? 0 : sqrt(ft_dot(x, x, k) / (double)k);

	return scale > 0 ? scale : 1;
}

enum ft_status ft__linear_rows(const struct ft_surrogate_problem *problem, bool intercept, const char *solver,
			       struct ft_err *err)
{
	size_t unknowns = problem->k + intercept;

	if (problem->m >= unknowns)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL,
		      "%zu unknowns and only %zu equation%s: '%s' needs at least as many rows", unknowns,
		      problem->m, problem->m == 1 ? "" : "s", solver);
	return ft_remedy(err,
			 "measure more rows, take a smaller basis, or choose a solver that keeps to what is "
			 "likely: bayes with --prior, ridge or kernel");
}

enum ft_status ft__linear_new(const struct ft_surrogate_problem *problem, bool intercept, bool raw,
			      struct ft_arena *arena, struct ft__linear **out, struct ft_err *err)
{
	size_t c = problem->k + intercept, q = problem->q;
	struct ft__linear *linear = ft_arena_take(arena, 1, sizeof *linear);

	*out = NULL;
	FT_TRY(ft_arena_check(arena, err));
	*linear = (struct ft__linear){.m = problem->m,
				      .k = problem->k,
				      .q = q,
				      .c = c,
				      .raw = raw,
				      .intercept = intercept,
				      .noise = 1,
				      .beta = ft_arena_take(arena, c * q, sizeof(double)),
				      .root = ft_arena_take(arena, q * c * c, sizeof(double)),
				      .known = ft_arena_take(arena, c, sizeof(bool)),
				      .s = ft_arena_take(arena, q, sizeof(double)),
				      .dof = ft_arena_take(arena, q, sizeof(double)),
				      .loss = ft_arena_take(arena, q, sizeof(double)),
				      .left_out = ft_arena_take(arena, q, sizeof *linear->left_out),
				      .outcome = {.converged = true, .rank = c},
				      .arena = arena};
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < c; i++)
		linear->known[i] = true;
	*out = linear;
	return FT_OK;
}

/* Weights into the rows, columns to length 1, singular values; columns of u and v behind the rank are not
 * used. */
static enum ft_status decompose_weighted(struct linear_work *w, const struct ft_surrogate_problem *problem,
					 const double *weight, double cut, struct ft_err *err)
{
	size_t r = w->m < w->c ? w->m : w->c;

	for (size_t i = 0; i < w->m; i++)
		for (size_t j = 0; j < w->c; j++) {
			double x = j < problem->k ? problem->x[i * problem->k + j] : 1;

			w->a[i * w->c + j] = weight[i] * x;
			w->width[j] += weight[i] * x * weight[i] * x;
		}
	for (size_t j = 0; j < w->c; j++)
		w->width[j] = w->width[j] > 0 ? sqrt(w->width[j]) : 1;
	for (size_t i = 0; i < w->m; i++)
		for (size_t j = 0; j < w->c; j++)
			w->a[i * w->c + j] /= w->width[j];
	enum ft_status status = ft_svd(w->a, w->m, w->c, w->u, w->s, w->v, err);
	while (w->rank < r && w->s[w->rank] > cut * w->s[0])
		w->rank++;
	return status;
}

/* beta and residuals of one target; r is the stride of u and v. */
static void solve_target(struct ft__linear *linear, const struct ft_surrogate_problem *problem,
			 const struct linear_work *w, const double *weight, size_t t)
{
	size_t r = w->m < w->c ? w->m : w->c;
	double *z = w->small;

	memset(z, 0, w->c * sizeof *z);
	for (size_t i = 0; i < w->m; i++) {
		w->rest[i] = weight[i] * problem->y[i * problem->q + t];
		ft_axpy(z, w->rest[i], w->u + i * r, w->rank);
	}
	for (size_t i = 0; i < w->m; i++)
		w->rest[i] -= ft_dot(w->u + i * r, z, w->rank);
	for (size_t p = 0; p < w->rank; p++)
		z[p] /= w->s[p];
	for (size_t j = 0; j < w->c; j++)
		linear->beta[j * linear->q + t] = ft_dot(w->v + j * r, z, w->rank) / w->width[j];
}

/* What of the covariance is left when the noise is taken out: root = V S^-1, in the units of beta. */
static void keep_root(struct ft__linear *linear, const struct linear_work *w, size_t t)
{
	double *root = linear->root + t * w->c * w->c;
	size_t r = w->m < w->c ? w->m : w->c;

	for (size_t j = 0; j < w->c; j++) {
		for (size_t p = 0; p < w->rank; p++)
			root[j * w->c + p] = w->v[j * r + p] / w->s[p] / w->width[j];
		if (ft_dot(w->v + j * r, w->v + j * r, w->rank) < 1 - own_only)
			linear->known[j] = false;
	}
	if (w->rank < linear->outcome.rank)
		linear->outcome.rank = w->rank;
}

/* The errors of a group's rows when all of them are left out: e = r + U_g (I - U_g' U_g)^-1 U_g' r_g, and
 * their leverage u (I - U_g' U_g)^-1 u' (Woodbury). Errors become NaN where the other rows do not tell. */
static void leave_group(struct linear_work *w, const size_t *kin, size_t n)
{
	size_t rank = w->rank, r = w->m < w->c ? w->m : w->c;
	double *a = w->small, *b = w->small + w->c * w->c, *u = w->a;

	memset(a, 0, (w->c * w->c + w->c) * sizeof *a);
	for (size_t i = 0; i < n; i++) {
		const double *row = w->u + kin[i] * r;

		for (size_t p = 0; p < rank; p++)
			for (size_t o = p; o < rank; o++)
				a[p * rank + o] -= row[p] * row[o];
		ft_axpy(b, w->rest[kin[i]], row, rank);
	}
	for (size_t p = 0; p < rank; p++)
		a[p * rank + p] += 1;
	bool told = ft_chol_factor_above(a, rank, own_only);
	if (told)
		ft_chol_forward(a, rank, b, 1);
	for (size_t i = 0; i < n; i++) { /* a is free by now: one row of u at a time */
		memcpy(u, w->u + kin[i] * r, rank * sizeof *u);
		if (told)
			ft_chol_forward(a, rank, u, 1);
		w->lever[kin[i]] = told ? ft_dot(u, u, rank) : NAN;
		w->rest[kin[i]] += told ? ft_dot(u, b, rank) : NAN;
	}
}

/* The same of one row, by hand. */
static void leave_row(struct linear_work *w, size_t i)
{
	const double *row = w->u + i * (w->m < w->c ? w->m : w->c);
	double lever = ft_dot(row, row, w->rank);
	bool told = 1 - lever > own_only;

	w->lever[i] = told ? lever / (1 - lever) : (double)NAN;
	w->rest[i] *= told ? 1 / (1 - lever) : (double)NAN;
}

/* Errors with the group left out, standardised, in units of the noise: w->rest is used up. `share` is what
 * of a row's weight the fit used (robust). */
static enum ft_status leave_out(struct ft__linear *linear, const struct ft_surrogate_problem *problem,
				struct linear_work *w, const double *share, size_t t, struct ft_err *err)
{
	struct ft__kin kin;
	FT_ARENA(work);

	FT_TRY(ft__kin_init(&kin, &work, problem->group, w->m, err));
	for (size_t g = 0; g < kin.groups; g++) {
		size_t at = kin.first[g], n = kin.first[g + 1] - at;

		if (n > 1)
			leave_group(w, kin.row + at, n);
		else
			leave_row(w, kin.row[at]);
	}
	for (size_t i = 0; i < w->m; i++) {
		double part = share ? share[i] : 1;

		w->rest[i] = fabs(w->rest[i]) / sqrt(part + w->lever[i]);
	}
	return ft__left_out_init(&linear->left_out[t], linear->arena, w->rest, problem->group, w->m, err);
}

enum ft_status ft__linear_fit(struct ft__linear *linear, const struct ft_surrogate_problem *problem,
			      const double *weight, const double *share, double cut, size_t first, size_t n,
			      bool errors, struct ft_err *err)
{
	size_t m = problem->m, c = linear->c, r = m < c ? m : c;
	FT_ARENA(work);
	double *both = ft_arena_take(&work, m, sizeof *both);
	struct linear_work w = {.m = m,
				.c = c,
				.a = ft_arena_take(&work, m * c, sizeof(double)),
				.u = ft_arena_take(&work, m * r, sizeof(double)),
				.s = ft_arena_take(&work, r, sizeof(double)),
				.v = ft_arena_take(&work, c * r, sizeof(double)),
				.width = ft_arena_take(&work, c, sizeof(double)),
				.rest = ft_arena_take(&work, m, sizeof(double)),
				.lever = ft_arena_take(&work, m, sizeof(double)),
				.small = ft_arena_take(&work, c * c + c, sizeof(double))};

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < m; i++)
		both[i] = weight[i] * (share ? sqrt(share[i]) : 1);
	FT_TRY(decompose_weighted(&w, problem, both, cut > 0 ? cut : 1e-10, err));
	for (size_t t = first; t < first + n; t++) {
		solve_target(linear, problem, &w, both, t);
		keep_root(linear, &w, t);
		linear->loss[t] = ft_dot(w.rest, w.rest, m);
		linear->dof[t] = (double)m - (double)w.rank;
		linear->s[t] = m > w.rank ? sqrt(linear->loss[t] / linear->dof[t]) : NAN;
		if (!errors)
			continue;
		FT_TRY(leave_out(linear, problem, &w, share, t, err));
		if (problem->group)
			linear->dof[t] = (double)linear->left_out[t].groups - (double)w.rank;
	}
	return FT_OK;
}

enum ft_status ft__linear_predict(const void *state, const double *x, size_t rows, double confidence,
				  struct ft_estimate *out, struct ft_err *err)
{
	const struct ft__linear *l = state;

	(void)err;
	for (size_t i = 0; i < rows; i++, x += l->k)
		for (size_t t = 0; t < l->q; t++) {
			const double *root = l->root + t * l->c * l->c;
			struct ft_estimate *e = &out[i * l->q + t];
			double own = 0, noise;

			e->value = l->intercept ? l->beta[l->k * l->q + t] : 0;
			for (size_t j = 0; j < l->k; j++)
				e->value += x[j] * l->beta[j * l->q + t];
			for (size_t p = 0; p < l->c; p++) {
				double sum = l->intercept ? root[l->k * l->c + p] : 0;

				for (size_t j = 0; j < l->k; j++)
					sum += x[j] * root[j * l->c + p];
				own += sum * sum;
			}
			noise = l->noise * ft__row_scale(x, l->k, l->raw);
			double half = sqrt(noise * noise + own) *
				      ft__reach(&l->left_out[t], l->s[t], l->dof[t], confidence);
			e->lower = e->value - half;
			e->upper = e->value + half;
		}
	return FT_OK;
}

void ft__linear_beta(const void *state, double *beta, double *intercept)
{
	const struct ft__linear *l = state;

	memcpy(beta, l->beta, l->k * l->q * sizeof *beta);
	for (size_t t = 0; t < l->q; t++)
		intercept[t] = l->intercept ? l->beta[l->k * l->q + t] : 0;
}

void ft__linear_spread(const void *state, double confidence, struct ft_estimate *beta)
{
	const struct ft__linear *l = state;

	for (size_t j = 0; j < l->k; j++)
		for (size_t t = 0; t < l->q; t++) {
			const double *root = l->root + t * l->c * l->c + j * l->c;
			double value = l->beta[j * l->q + t], half = INFINITY;

			if (l->known[j] && l->dof[t] >= 1 && isfinite(l->s[t]))
				half = ft_student_t(confidence, l->dof[t]) * l->s[t] *
				       sqrt(ft_dot(root, root, l->c));
			beta[j * l->q + t] = (struct ft_estimate){value, value - half, value + half};
		}
}

enum ft_status ft__linear_by_sigma(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
				   double *weight, struct ft_err *err)
{
	FT_OWN double *noise = ft_calloc(problem->m, sizeof *noise);

	if (!noise)
		return ft_nomem(err);
	for (size_t i = 0; i < problem->m; i++) {
		double scale = ft__row_scale(problem->x + i * problem->k, problem->k, linear->raw),
		       sigma = problem->sigma ? problem->sigma[i] : scale;

		if (!(sigma > 0) || !isfinite(sigma)) {
			(void)ft_fail(err, FT_EINVAL, "row %zu has the standard deviation %g", i + 1, sigma);
			return ft_remedy(err, "it must be > 0: repeat the measurement of that row");
		}
		weight[i] = 1 / sigma;
		noise[i] = sigma / scale;
	}
	linear->noise = ft_stats_median(noise, problem->m);
	return FT_OK;
}

enum ft_status ft__linear_solve(const struct ft_surrogate_problem *problem, bool intercept,
				const char *solver, const struct ft_surrogate_options *options,
				ft__linear_weigh *weigh, struct ft_arena *arena, void **state,
				struct ft_err *err)
{
	struct ft__linear *linear;

	FT_TRY(ft__linear_rows(problem, intercept, solver, err));
	FT_TRY(ft__linear_new(problem, intercept, options->raw, arena, &linear, err));
	FT_OWN double *weight = ft_calloc(problem->m, sizeof *weight);
	if (!weight)
		return ft_nomem(err);
	FT_TRY(weigh(problem, linear, weight, err));
	*state = linear;
	return ft__linear_fit(linear, problem, weight, NULL, options->cut, 0, problem->q, true, err);
}

void ft__linear_outcome(const void *state, struct ft_surrogate_outcome *out)
{
	const struct ft__linear *l = state;
	size_t t;

	*out = l->outcome;
	for (out->loss = 0, t = 0; t < l->q; t++)
		out->loss += l->loss[t];
}
