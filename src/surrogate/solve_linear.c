/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_linear.c - robust least squares: iteratively reweighted, first with Huber's weights until they
 * converge, then Tukey's, which ignore distant outliers (004 6.2.5; Maronna, Martin, Yohai, Robust
 * statistics, 2006, sections 4.4 and 5.5). */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <string.h>

/*
 * Weighted least squares through singular values, its intervals, and its errors on rows left out.
 */

/* If the weight of the other rows in a row's fitted value is below this share, they give no information
   about it. */
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

/* linear_rows - FT_ENOMODEL when there are fewer rows than unknowns. */
static enum ft_status linear_rows(const struct ft_surrogate_problem *problem, bool intercept,
				  const char *solver, struct ft_err *err)
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

static enum ft_status linear_new(const struct ft_surrogate_problem *problem, bool intercept, bool raw,
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

/*
 * Robust least squares: iteratively reweighted, first with Huber's weights until they converge, then
 * Tukey's, which ignore distant outliers (004 6.2.5; Maronna, Martin, Yohai, Robust statistics, 2006,
 * sections 4.4 and 5.5).
 */

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

/* The covariance without the noise: root = V S^-1, in the units of beta. */
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
 * their leverage u (I - U_g' U_g)^-1 u' (Woodbury). Errors become NaN if the other rows do not determine
 * them. */
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
	bool determined = ft_chol_factor_above(a, rank, own_only);
	if (determined)
		ft_chol_forward(a, rank, b, 1);
	for (size_t i = 0; i < n; i++) { /* a is free by now: one row of u at a time */
		memcpy(u, w->u + kin[i] * r, rank * sizeof *u);
		if (determined)
			ft_chol_forward(a, rank, u, 1);
		w->lever[kin[i]] = determined ? ft_dot(u, u, rank) : NAN;
		w->rest[kin[i]] += determined ? ft_dot(u, b, rank) : NAN;
	}
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

		if (n > 1) {
			leave_group(w, kin.row + at, n);
		} else {
			/* The same of one row, by hand. */
			const double *row = w->u + kin.row[at] * (w->m < w->c ? w->m : w->c);
			double lever = ft_dot(row, row, w->rank);
			bool determined = 1 - lever > own_only;

			w->lever[kin.row[at]] = determined ? lever / (1 - lever) : (double)NAN;
			w->rest[kin.row[at]] *= determined ? 1 / (1 - lever) : (double)NAN;
		}
	}
	for (size_t i = 0; i < w->m; i++) {
		double part = share ? share[i] : 1;

		w->rest[i] = fabs(w->rest[i]) / sqrt(part + w->lever[i]);
	}
	return ft__left_out_init(&linear->left_out[t], linear->arena, w->rest, problem->group, w->m, err);
}

/* linear_fit - beta of the targets first .. first + n - 1 by weighted least squares, with one
 * decomposition.
 *
 * weight  [m] > 0: the residual of a row times its weight has the same standard deviation for all
 * share   [m] > 0: of the row's square in the sum; NULL: 1 (robust: what is left of an outlier)
 * cut     singular values below cut times the largest are dropped, of columns scaled to length 1; 0: 1e-10
 * errors  find the errors on rows left out too (else those of the last call stay)
 */
static enum ft_status linear_fit(struct ft__linear *linear, const struct ft_surrogate_problem *problem,
				 const double *weight, const double *share, double cut, size_t first,
				 size_t n, bool errors, struct ft_err *err)
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

static enum ft_status linear_solve(const struct ft_surrogate_problem *problem, bool intercept,
				   const char *solver, const struct ft_surrogate_options *options,
				   ft__linear_weigh *weigh, struct ft_arena *arena, void **state,
				   struct ft_err *err)
{
	struct ft__linear *linear;

	FT_TRY(linear_rows(problem, intercept, solver, err));
	FT_TRY(linear_new(problem, intercept, options->raw, arena, &linear, err));
	FT_OWN double *weight = ft_calloc(problem->m, sizeof *weight);
	if (!weight)
		return ft_nomem(err);
	FT_TRY(weigh(problem, linear, weight, err));
	*state = linear;
	return linear_fit(linear, problem, weight, NULL, options->cut, 0, problem->q, true, err);
}

void ft__linear_outcome(const void *state, struct ft_surrogate_outcome *out)
{
	const struct ft__linear *l = state;
	size_t t;

	*out = l->outcome;
	for (out->loss = 0, t = 0; t < l->q; t++)
		out->loss += l->loss[t];
}

/*
 * Least squares through singular values, the small ones dropped (004 6.2.3, equations 6.19 to
 * 6.22).
 */

static enum ft_status weigh_ols(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
				double *weight, struct ft_err *err)
{
	(void)err;
	for (size_t i = 0; i < problem->m; i++)
		weight[i] = 1 / ft__row_scale(problem->x + i * problem->k, problem->k, linear->raw);
	return FT_OK;
}

static enum ft_status solve_ols(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, struct ft_arena *arena,
				void **state, struct ft_err *err)
{
	return linear_solve(problem, false, "ols", options, weigh_ols, arena, state, err);
}

const struct ft_solver ft__solver_ols = {
	.name = "ols",
	.about = "least squares, small singular values dropped",
	.solve = solve_ols,
	FT__LINEAR,
};

/*
 * Least squares with each row divided by its standard deviation, and an intercept (004
 * 6.2.5 and chapter 13).
 */

static enum ft_status solve_weighted(const struct ft_surrogate_problem *problem,
				     const struct ft_surrogate_options *options, struct ft_arena *arena,
				     void **state, struct ft_err *err)
{
	return linear_solve(problem, true, "weighted", options, ft__linear_by_sigma, arena, state, err);
}

const struct ft_solver ft__solver_weighted = {
	.name = "weighted",
	.about = "least squares, rows by 1 / sigma, and an intercept",
	.solve = solve_weighted,
	FT__LINEAR,
};

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

/* How far beta moved, relative to its size. */
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

/* Reweighted fits until beta converges. `s` 0: the deviation is estimated again each time. */
static enum ft_status iterate_fits(struct solve_robust_work *w, double (*function)(double), double s,
				   size_t t, bool *rests, struct ft_err *err)
{
	*rests = false;
	for (size_t n = 0; !*rests && n < w->most; n++) {
		double now = find_rest(w, t), unit = s > 0 ? s : now;

		*rests = !(now > w->exact); /* the rest fit exactly: no scale for weights */
		if (*rests)
			break;
		for (size_t i = 0; i < w->problem->m; i++)
			w->share[i] = function(fabs(w->rest[i]) / unit);
		FT_TRY(linear_fit(w->linear, w->problem, w->weight, w->share, w->cut, t, 1, false, err));
		w->linear->outcome.iterations++;
		*rests = moved_share(w, t) < 1e-9;
	}
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

	FT_TRY(linear_rows(problem, false, "robust", err));
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(linear_new(problem, false, options->raw, arena, &w.linear, err));
	for (size_t i = 0; i < m; i++)
		w.weight[i] = 1 / ft__row_scale(problem->x + i * problem->k, problem->k, options->raw);
	if (options->weigh)
		FT_TRY(ft__linear_by_sigma(problem, w.linear, w.weight, err));
	FT_TRY(linear_fit(w.linear, problem, w.weight, NULL, w.cut, 0, problem->q, false, err));
	for (size_t t = 0; t < problem->q; t++) {
		bool huber_rests = false, tukey_rests = false;

		for (size_t l = 0; l < w.problem->m; l++) {
			w.share[l] = 1;
			w.sorted[l] = fabs(w.weight[l] * w.problem->y[l * w.problem->q + t]);
		}
		w.exact = 1e-13 * ft_stats_median(w.sorted, w.problem->m);
		(void)moved_share(&w, t);
		FT_TRY(iterate_fits(&w, huber, 0, t, &huber_rests, err));
		double s = find_rest(&w, t);
		FT_TRY(iterate_fits(&w, tukey, s, t, &tukey_rests, err));
		w.linear->outcome.converged &= tukey_rests;
		/* once more, with the errors */
		FT_TRY(linear_fit(w.linear, w.problem, w.weight, w.share, w.cut, t, 1, true, err));
		if (w.problem->m > w.linear->outcome.rank)
			w.linear->s[t] = s;
	}
	*state = w.linear;
	return FT_OK;
}

const struct ft_solver ft__solver_robust = {
	.name = "robust",
	.about = "least squares that outliers do not bend",
	.solve = solve_robust,
	FT__LINEAR,
};
