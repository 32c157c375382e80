/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver.c - the table of solvers, and the checks before one of them runs. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * From a matrix with names to a problem for a solver.
 */

void ft_case_clear(struct ft_case *c)
{
	if (!c)
		return;
	ft_free(c->row);
	ft_free(c->left_out);
	ft_free(c->x);
	ft_free(c->y);
	ft_free(c->sigma);
	ft_free(c->group);
	*c = (struct ft_case){0};
}

/* How many values of a row are missing. */
static size_t count_missing(const struct ft_matrix *matrix, size_t row, const size_t *column, size_t n)
{
	size_t missing = 0;

	for (size_t j = 0; j < n; j++)
		missing += isnan(matrix->value[row * matrix->columns + column[j]]) ? 1 : 0;
	return missing;
}

/* No row is left: which column lacks most. */
static enum ft_status none_complete(const struct ft_matrix *matrix, const size_t *basis, size_t k,
				    const size_t *target, size_t q, struct ft_err *err)
{
	size_t i, j, most = 0, worst = target[0];

	for (j = 0; j < k + q; j++) {
		size_t column = j < k ? basis[j] : target[j - k], missing = 0;

		for (i = 0; i < matrix->rows; i++)
			missing += count_missing(matrix, i, &column, 1);
		if (missing > most) {
			most = missing;
			worst = column;
		}
	}
	(void)ft_fail(err, FT_ENOMODEL,
		      "no row has a value for the target and all of the basis: '%s' lacks %zu of %zu",
		      matrix->column[worst], most, matrix->rows);
	return ft_remedy(err, "measure what is missing, choose a basis without it, or let it be guessed: "
			      "--missing impute");
}

enum ft_status ft_case_make(const struct ft_matrix *matrix, const size_t *basis, size_t k,
			    const size_t *target, size_t q, const size_t *row, size_t m, bool keep,
			    struct ft_case *out, struct ft_err *err)
{
	size_t rows = row ? m : matrix->rows, n = 0;
	bool noisy = q == 1;

	*out = (struct ft_case){0};
	for (size_t j = 0; j < k; j++)
		for (size_t l = 0; l < q; l++)
			if (basis[j] == target[l]) {
				(void)ft_fail(err, FT_EINVAL, "'%s' is the target, and in the basis too",
					      matrix->column[target[l]]);
				return ft_remedy(err, "a program describes itself perfectly: take it out of "
						      "the basis");
			}
	FT_CLEANUP(ft_case_clear)
	struct ft_case made = {.row = ft_calloc(rows, sizeof *made.row),
			       .left_out = ft_calloc(rows, sizeof *made.left_out),
			       .x = ft_calloc(rows * k, sizeof *made.x),
			       .y = ft_calloc(rows * q, sizeof *made.y),
			       .sigma = ft_calloc(rows, sizeof *made.sigma)};
	if (matrix->group)
		made.group = ft_calloc(rows, sizeof *made.group);
	if (!made.row || !made.left_out || !made.x || !made.y || !made.sigma ||
	    (matrix->group && !made.group))
		return ft_nomem(err);
	for (size_t i = 0; i < rows; i++) {
		size_t at = row ? row[i] : i;
		const double *value = matrix->value + at * matrix->columns;
		size_t of_basis = count_missing(matrix, at, basis, k),
		       missing = of_basis + count_missing(matrix, at, target, q);

		if (keep ? of_basis == k : missing > 0) {
			made.left_out[made.incomplete++] = at;
			continue;
		}
		made.missing += missing;
		for (size_t j = 0; j < k; j++)
			made.x[n * k + j] = value[basis[j]];
		for (size_t j = 0; j < q; j++)
			made.y[n * q + j] = value[target[j]];
		made.sigma[n] = matrix->sd[at * matrix->columns + target[0]];
		noisy &= made.sigma[n] > 0;
		if (made.group)
			made.group[n] = matrix->group[at];
		made.row[n++] = at;
	}
	if (!n)
		return none_complete(matrix, basis, k, target, q, err);
	made.problem = (struct ft_surrogate_problem){.m = n,
						     .k = k,
						     .q = q,
						     .x = made.x,
						     .y = made.y,
						     .group = made.group,
						     .sigma = noisy ? made.sigma : NULL};
	size_t at;

	for (size_t j = 0; j < made.problem.k; j++) {
		for (at = 0; at < made.problem.m && made.x[at * made.problem.k + j] == 0;)
			at++;
		if (at == made.problem.m) {
			(void)ft_fail(err, FT_EINVAL, "'%s' is zero in every row: it describes nothing",
				      matrix->column[basis[j]]);
			return ft_remedy(err, "take it out of the basis");
		}
	}
	*out = made;
	made = (struct ft_case){0};
	return FT_OK;
}

void ft_basis_known(const struct ft_matrix *matrix, size_t row, size_t *basis, size_t *k, size_t *unknown,
		    size_t *n_unknown)
{
	size_t missing = count_missing(matrix, row, basis, *k), j, known = 0;

	*n_unknown = 0;
	if (missing == *k)
		return;
	for (j = 0; j < *k; j++)
		if (count_missing(matrix, row, &basis[j], 1))
			unknown[(*n_unknown)++] = basis[j];
		else
			basis[known++] = basis[j];
	*k = known;
}

/*
 * The table of solvers, and the checks before one of them runs.
 */

static const struct ft_solver *const solvers[] = {
	/* clang-format off: a row each */
	&ft__solver_ols,   &ft__solver_robust, &ft__solver_weighted, &ft__solver_simplex, &ft__solver_nmf,
	&ft__solver_bayes, &ft__solver_ridge,  &ft__solver_svr,      &ft__solver_kernel,
	/* clang-format on */
};

enum { N_SOLVERS = sizeof solvers / sizeof *solvers };

const struct ft_solver *ft_solver_get(size_t i)
{
	return i < N_SOLVERS ? solvers[i] : NULL;
}

const struct ft_solver *ft_solver_find(const char *name)
{
	for (size_t i = 0; i < N_SOLVERS; i++)
		if (!strcmp(solvers[i]->name, name))
			return solvers[i];
	return NULL;
}

static enum ft_status check_values(const struct ft_solver *solver, const char *what, const double *value,
				   size_t rows, size_t columns, struct ft_err *err)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++) {
			double v = value[i * columns + j];

			if (isnan(v) && solver->holes)
				continue;
			if (!isfinite(v))
				return ft_fail(err, FT_EINVAL, "row %zu of %s, column %zu: not a number",
					       i + 1, what, j + 1);
			if (v != 0 && (fabs(v) < 1e-140 || fabs(v) > 1e140)) {
				(void)ft_fail(err, FT_EINVAL,
					      "row %zu of %s, column %zu: %g, whose square is no number",
					      i + 1, what, j + 1, v);
				return ft_remedy(err, "give that resource in another unit");
			}
			if (solver->positive && v <= 0) {
				(void)ft_fail(err, FT_EINVAL,
					      "row %zu of %s, column %zu: %g, and '%s' works on logarithms",
					      i + 1, what, j + 1, v, solver->name);
				return ft_remedy(
					err, "leave that row out, or choose a linear solver: --solver ols");
			}
		}
	return FT_OK;
}

enum ft_status ft_surrogate_solve(const struct ft_solver *solver, const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, struct ft_surrogate_fit **out,
				  struct ft_err *err)
{
	static const struct ft_surrogate_options defaults;

	assert(problem->m >= 1 && problem->k >= 1 && problem->q >= 1);
	*out = NULL;
	FT_TRY(check_values(solver, "the basis", problem->x, problem->m, problem->k, err));
	FT_TRY(check_values(solver, "the targets", problem->y, problem->m, problem->q, err));
	struct ft_surrogate_fit *fit = ft_calloc(1, sizeof *fit);
	if (!fit)
		return ft_nomem(err);
	*fit = (struct ft_surrogate_fit){.solver = solver, .m = problem->m, .k = problem->k, .q = problem->q};
	enum ft_status status =
		solver->solve(problem, options ? options : &defaults, &fit->arena, &fit->state, err);
	if (status)
		ft_surrogate_free(fit);
	else
		*out = fit;
	return status;
}

void ft_surrogate_free(struct ft_surrogate_fit *fit)
{
	if (!fit)
		return;
	ft_arena_clear(&fit->arena);
	ft_free(fit);
}

enum ft_status ft_surrogate_predict(const struct ft_surrogate_fit *fit, const double *x, size_t t,
				    double confidence, struct ft_estimate *out, struct ft_err *err)
{
	enum ft_status status = check_values(fit->solver, "the basis", x, t, fit->k, err);

	assert(confidence > 0 && confidence < 1);
	return status ? status : fit->solver->predict(fit->state, x, t, confidence, out, err);
}

bool ft_surrogate_beta(const struct ft_surrogate_fit *fit, double *beta, double *intercept)
{
	if (!fit->solver->beta)
		return false;
	fit->solver->beta(fit->state, beta, intercept);
	return true;
}

bool ft_surrogate_spread(const struct ft_surrogate_fit *fit, double confidence, struct ft_estimate *beta)
{
	if (!fit->solver->spread)
		return false;
	fit->solver->spread(fit->state, confidence, beta);
	return true;
}

struct ft_surrogate_outcome ft_surrogate_outcome(const struct ft_surrogate_fit *fit)
{
	struct ft_surrogate_outcome outcome = {
		.converged = true, .rank = fit->m < fit->k ? fit->m : fit->k, .loss = NAN};

	if (fit->solver->outcome)
		fit->solver->outcome(fit->state, &outcome);
	return outcome;
}

bool ft_surrogate_patterns(const struct ft_surrogate_fit *fit, struct ft_patterns *out)
{
	if (!fit->solver->patterns)
		return false;
	fit->solver->patterns(fit->state, out);
	return true;
}

/*
 * Check whether a target is a mixture of its basis (004 6.1.2).
 */

/* Below this share of the target the rest is rounding. */
static const double ROUNDING = 1e-6;

/* The share of the first target that a solver leaves. */
static enum ft_status find_rest(const struct ft_solver *solver, const struct ft_surrogate_problem *p,
				bool raw, double *rest, struct ft_err *err)
{
	struct ft_surrogate_options options = {.raw = raw};
	FT_CLEANUP(ft__fit_end) struct ft_surrogate_fit *fit = NULL;
	FT_OWN double *beta = ft_calloc(p->k, sizeof *beta);
	double intercept, sum = 0, all = 0;

	if (!beta)
		return ft_nomem(err);
	FT_TRY(ft_surrogate_solve(solver, p, &options, &fit, err));
	(void)ft_surrogate_beta(fit, beta, &intercept);
	for (size_t i = 0; i < p->m; i++) {
		double scale = ft__row_scale(p->x + i * p->k, p->k, raw), y = p->y[i] / scale;

		all += fabs(y);
		for (size_t j = 0; j < p->k; j++)
			y -= p->x[i * p->k + j] / scale * beta[j];
		sum += fabs(y);
	}
	*rest = all > 0 ? sum / all : 0;
	return FT_OK;
}

enum ft_status ft_surrogate_cone(const struct ft_surrogate_problem *problem, bool raw, struct ft_cone *out,
				 struct ft_err *err)
{
	struct ft_surrogate_problem one = *problem;
	FT_OWN double *y = ft_calloc(problem->m, sizeof *y);

	*out = (struct ft_cone){.free_rest = NAN};
	if (!y)
		return ft_nomem(err);
	for (size_t i = 0; i < problem->m; i++)
		y[i] = problem->y[i * problem->q];
	one.y = y;
	one.q = 1;
	FT_TRY(find_rest(&ft__solver_simplex, &one, raw, &out->rest, err));
	if (problem->m >= problem->k)
		FT_TRY(find_rest(&ft__solver_ols, &one, raw, &out->free_rest, err));
	/* Least squares is not the least absolute error: it may do worse by that measure. */
	if (out->free_rest > out->rest)
		out->free_rest = out->rest;
	out->inside = out->rest <= ROUNDING;
	return FT_OK;
}

/*
 * The fit of a target, and its quality.
 */

/* The share of a normal distribution within one standard deviation. */
static const double one_deviation = 0.6826894921370859;

enum ft_status ft_surrogate_describe(const struct ft_surrogate_fit *fit,
				     const struct ft_surrogate_problem *problem, double confidence, bool raw,
				     struct ft_description *out, struct ft_err *err)
{
	size_t m = problem->m, k = problem->k;
	FT_CLEANUP(ft_description_clear)
	struct ft_description d = {.beta = ft_calloc(k, sizeof *d.beta),
				   .interval = ft_calloc(k, sizeof *d.interval),
				   .sd = ft_calloc(k, sizeof *d.sd),
				   .fitted = ft_calloc(m, sizeof *d.fitted),
				   .residual = ft_calloc(m, sizeof *d.residual),
				   .outlier = ft_calloc(m, sizeof *d.outlier)};

	*out = (struct ft_description){0};
	if (!d.beta || !d.interval || !d.sd || !d.fitted || !d.residual || !d.outlier)
		return ft_nomem(err);
	d.linear = ft_surrogate_beta(fit, d.beta, &d.intercept);
	d.spread = ft_surrogate_spread(fit, one_deviation, d.interval);
	for (size_t j = 0; j < k && d.spread; j++)
		d.sd[j] = (d.interval[j].upper - d.interval[j].lower) / 2;
	(void)ft_surrogate_spread(fit, confidence, d.interval);
	(void)ft_surrogate_patterns(fit, &d.patterns);
	FT_TRY(ft_surrogate_predict(fit, problem->x, m, confidence, d.fitted, err));
	FT_TRY(ft_surrogate_cone(problem, raw, &d.cone, err));
	/* Against the size of the basis in their row, so that rows of any unit compare. */
	for (size_t i = 0; i < problem->m; i++) {
		double square = 0;

		for (size_t j = 0; j < problem->k; j++)
			square += problem->x[i * problem->k + j] * problem->x[i * problem->k + j] /
				  (double)problem->k;
		d.residual[i] = problem->y[i] - d.fitted[i].value;
		if (!raw && square > 0)
			d.residual[i] /= sqrt(square);
	}
	/* Sizes are in the rows' own units: what grows is the work. */
	FT_OWN double *value = ft_calloc(m, sizeof *value);

	if (!value)
		return ft_nomem(err);
	for (size_t i = 0; i < m; i++)
		value[i] = d.fitted[i].value;
	FT_TRY(ft__residuals_read(d.residual, value, m, &d.reading, d.outlier, err));
	*out = d;
	d = (struct ft_description){0};
	return FT_OK;
}

void ft_description_clear(struct ft_description *description)
{
	if (!description)
		return;
	ft_free(description->beta);
	ft_free(description->interval);
	ft_free(description->sd);
	ft_free(description->fitted);
	ft_free(description->residual);
	ft_free(description->outlier);
	*description = (struct ft_description){0};
}
