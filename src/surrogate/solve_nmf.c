/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_nmf.c - programs as mixtures of computational patterns: [X y] ~ W H, without negative entries,
 * with the targets as last columns (004 6.3, equation 6.37).
 *
 * A new row x of the basis determines the weight of each pattern, w = x H+ (6.39, the right pseudo-inverse
 * of the basis' part of H); the target's value is then w h (6.40). So the prediction is x beta with beta =
 * H+ h. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/surrogate.h"
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <string.h>

/*
 * Start values of nmf, from tables.
 */

/* The name of a column of [X y]. */
static const char *column_name(const struct ft_surrogate_start *start, size_t j)
{
	return start->matrix->column[j < start->learned->problem.k ? start->basis[j] : start->target];
}

static enum ft_status read_cell(const struct ft_csv *csv, const char *path, size_t row, size_t column,
				double *value, struct ft_err *err)
{
	enum ft_status status = ft_csv_number(csv, row, column, false, value, err);

	if (status || *value >= 0)
		return status;
	(void)ft_fail(err, FT_EINVAL, "%s:%zu: column %zu (%s): %g is negative", path, ft_csv_line(csv, row),
		      column + 1, ft_csv_column_name(csv, column), *value);
	return ft_remedy(err, "what patterns consume, and how much of each there is, is never below 0");
}

/* The patterns of the other table, or the requested number, must match. factor: [rank x n] out */
static enum ft_status make_factor(struct ft_surrogate_start *start, const char *path, size_t rank, size_t n,
				  double **factor, struct ft_err *err)
{
	if (!rank || (start->rank && start->rank != rank)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' has %zu patterns%s", path, rank,
			      rank ? ", and not the requested number" : "");
		return ft_remedy(err, "one column of W, and one row of H, for each pattern; rank= may be "
				      "left out");
	}
	start->rank = rank;
	*factor = ft_calloc(rank * n, sizeof **factor);
	return *factor ? FT_OK : ft_nomem(err);
}

static enum ft_status read_h(struct ft_surrogate_start *start, const char *path, const struct ft_csv *csv,
			     struct ft_err *err)
{
	size_t n = start->learned->problem.k + 1;

	FT_TRY(make_factor(start, path, ft_csv_rows(csv), n, &start->h, err));
	for (size_t j = 0; j < n; j++) {
		int column = ft_csv_column(csv, column_name(start, j));

		if (column < 0) {
			(void)ft_fail(err, FT_ENOENT, "'%s' has no column '%s'", path, column_name(start, j));
			return ft_remedy(err, "H has a column for each %s of the basis, and for the target",
					 start->kind);
		}
		for (size_t l = 0; l < start->rank; l++)
			FT_TRY(read_cell(csv, path, l, (size_t)column, &start->h[l * n + j], err));
	}
	return FT_OK;
}

static enum ft_status read_w(struct ft_surrogate_start *start, const char *path, const struct ft_csv *csv,
			     struct ft_err *err)
{
	const struct ft_case *learned = start->learned;
	size_t m = learned->problem.m;

	FT_TRY(make_factor(start, path, ft_csv_columns(csv) - 1, m, &start->w, err));
	for (size_t i = 0; i < m; i++) {
		const char *name = start->matrix->row[learned->row[i]];
		size_t row = 0;

		while (row < ft_csv_rows(csv) && strcmp(ft_csv_cell(csv, row, 0), name) != 0)
			row++;

		if (row == ft_csv_rows(csv)) {
			(void)ft_fail(err, FT_ENOENT, "'%s' has no row '%s'", path, name);
			return ft_remedy(err,
					 "W has a row for each that is learned from, named in its first "
					 "column; H has the column '%s'",
					 column_name(start, learned->problem.k));
		}
		for (size_t l = 0; l < start->rank; l++)
			FT_TRY(read_cell(csv, path, row, l + 1, &start->w[i * start->rank + l], err));
	}
	return FT_OK;
}

enum ft_status ft_start_read(struct ft_surrogate_start *start, const char *path, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct ft_csv *csv;

	FT_TRY(ft_csv_read(path, 0, &csv, err));
	bool is_h = ft_csv_column(csv, column_name(start, start->learned->problem.k)) >= 0;
	if (is_h ? start->h != NULL : start->w != NULL)
		status = ft_fail(err, FT_EEXIST, "'%s' is another %s", path, is_h ? "H" : "W");
	else
		status = is_h ? read_h(start, path, csv, err) : read_w(start, path, csv, err);
	ft_csv_free(csv);
	return status;
}

void ft_start_clear(struct ft_surrogate_start *start)
{
	if (!start)
		return;
	ft_free(start->w);
	ft_free(start->h);
	start->w = start->h = NULL;
}

/*
 * Programs as mixtures of computational patterns: [X y] ~ W H, without negative entries, with the
 * targets as last columns (004 6.3, equation 6.37).
 */

enum { MOST = 2000 };

static const double TOLERANCE = 1e-6;

struct nmf {
	size_t m, k, q, n, rank;
	bool raw;
	double smoothness;
	double *w;    /* [m x rank] in the units of X */
	double *h;    /* [rank x n] */
	double *beta; /* [k x q] */
	double *s;    /* [q] standard deviation of a row */
	double dof;
	struct ft__left_out *left_out; /* [q] of the rows that it saw */
	struct ft_surrogate_outcome outcome;
};

/* The words of the options. */
static const struct loss {
	const char *name;
	enum ft_nmf_loss loss;
} losses[] = {{"frobenius", FT_NMF_FROBENIUS}, {"kl", FT_NMF_KL}, {"nonsmooth", FT_NMF_NONSMOOTH}};

static const struct solve_nmf_start {
	const char *name;
	enum ft_nmf_start start;
} starts[] = {
	{"nndsvd", FT_NMF_NNDSVD}, {"random", FT_NMF_RANDOM}, {"ica", FT_NMF_ICA}, {"given", FT_NMF_GIVEN}};

/* A factorisation to compute: scaled rows, and options. */
struct solve_nmf_work {
	struct ft_nmf how;
	enum ft_nmf_start start;
	double *x;              /* [m x n] */
	double *scale;          /* [m] */
	double *w, *h;          /* [rank x m], [rank x n] */
	struct ft_arena *arena; /* of all this */
};

static enum ft_status read_words(const struct ft_surrogate_options *o, struct solve_nmf_work *work,
				 struct ft_err *err)
{
	const char *loss = o->loss ? o->loss : "frobenius", *start = o->start ? o->start : "nndsvd",
		   *usual = strcmp(loss, "frobenius") != 0 ? "newton" : "hals",
		   *method = o->method ? o->method : usual;
	size_t i, j;

	for (i = 0; i < 3 && strcmp(losses[i].name, loss) != 0;)
		i++;
	if (i == 3) {
		(void)ft_fail(err, FT_EINVAL, "nmf knows no loss '%s'", loss);
		return ft_remedy(err, "there are frobenius, kl and nonsmooth");
	}
	for (j = 0; j < 4 && strcmp(starts[j].name, start) != 0;)
		j++;
	if (j == 4 || (starts[j].start == FT_NMF_GIVEN && !((o->w || o->h) && o->rank))) {
		(void)ft_fail(err, FT_EINVAL, j == 4 ? "nmf knows no start '%s'" : "no start was %s", start);
		return ft_remedy(err, "there are nndsvd, random and ica, and files: W.csv, H.csv or both");
	}
	if (strcmp(method, usual) != 0 && strcmp(method, "multiplicative") != 0) {
		(void)ft_fail(err, FT_EINVAL, "nmf knows no method '%s' for the loss '%s'", method, loss);
		return ft_remedy(err, "there are %s and multiplicative", usual);
	}
	if (!(o->l1 >= 0 && isfinite(o->l1) && o->l2 >= 0 && isfinite(o->l2)))
		return ft_fail(err, FT_EINVAL, "the penalties l1 and l2 are 0 or larger");
	if ((o->l1 > 0 || o->l2 > 0) && losses[i].loss != FT_NMF_FROBENIUS) {
		(void)ft_fail(err, FT_EINVAL, "the penalties l1 and l2 belong to the loss frobenius");
		return ft_remedy(err, "leave out loss=%s, or the penalties", loss);
	}
	if (!(o->smoothness >= 0 && o->smoothness < 1) || !(o->tolerance >= 0))
		return ft_fail(err, FT_EINVAL, "a smoothness is in 0..1 and a tolerance >= 0");
	work->how = (struct ft_nmf){.loss = losses[i].loss,
				    .multiplicative = *method == 'm',
				    .smoothness = o->smoothness > 0 ? o->smoothness : 0.5,
				    .l1 = o->l1,
				    .l2 = o->l2,
				    .tolerance = o->tolerance > 0 ? o->tolerance : TOLERANCE,
				    .most = o->iterations ? o->iterations : MOST};
	work->start = starts[j].start;
	return FT_OK;
}

/* [X y] with each row scaled. */
static enum ft_status join_target(const struct ft_surrogate_problem *p, bool raw, struct solve_nmf_work *work,
				  struct ft_err *err)
{
	size_t n = p->k + p->q;

	work->x = ft_arena_take(work->arena, p->m * n, sizeof(double));
	work->scale = ft_arena_take(work->arena, p->m, sizeof(double));
	FT_TRY(ft_arena_check(work->arena, err));
	for (size_t i = 0; i < p->m; i++) {
		double *row = work->x + i * n;

		/* Of its known values. */
		const double *x = p->x + i * p->k;
		size_t seen = 0;

		for (size_t j = 0; j < p->k; j++)
			if (!isnan(x[j]))
				row[seen++] = x[j];
		work->scale[i] = ft__row_scale(row, seen, raw);
		for (size_t j = 0; j < n; j++)
			row[j] = (j < p->k ? p->x[i * p->k + j] : p->y[i * p->q + j - p->k]) / work->scale[i];
	}
	return FT_OK;
}

/* The requested rank, else the smallest that leaves 1 % of the sum of squares. */
static enum ft_status choose_rank(struct nmf *nmf, const struct solve_nmf_work *work, size_t wanted,
				  struct ft_err *err)
{
	size_t most = nmf->m < nmf->k ? nmf->m : nmf->k, r = nmf->m < nmf->n ? nmf->m : nmf->n, i;
	double total = 0, sum = 0;

	nmf->rank = wanted;
	if (wanted > most) {
		(void)ft_fail(err, FT_EINVAL, "%zu patterns, and only %zu rows and %zu columns in the basis",
			      wanted, nmf->m, nmf->k);
		return ft_remedy(err, "write at most --solver nmf,rank=%zu", most);
	}
	if (wanted)
		return FT_OK;
	FT_OWN double *u = ft_malloc((nmf->m * r + r + nmf->n * r + nmf->m * nmf->n) * sizeof *u);
	if (!u)
		return ft_nomem(err);
	double *x = u + nmf->m * r + r + nmf->n * r;
	memcpy(x, work->x, nmf->m * nmf->n * sizeof *x);
	FT_TRY(ft_nmf_guess(x, nmf->m, nmf->n, err));
	FT_TRY(ft_svd(x, nmf->m, nmf->n, u, u + nmf->m * r, u + nmf->m * r + r, err));
	for (i = 0; i < r; i++)
		total += u[nmf->m * r + i] * u[nmf->m * r + i];
	for (i = 0; i < most && sum < 0.99 * total; i++)
		sum += u[nmf->m * r + i] * u[nmf->m * r + i];
	nmf->rank = i ? i : 1;
	return FT_OK;
}

/* One factor is given; the other one is fitted to it. */
static enum ft_status take_given(const struct nmf *nmf, const struct ft_surrogate_options *options,
				 struct solve_nmf_work *work, struct ft_err *err)
{
	for (size_t i = 0; options->w && i < nmf->m; i++)
		for (size_t l = 0; l < nmf->rank; l++)
			work->w[l * nmf->m + i] = options->w[i * nmf->rank + l] / work->scale[i];
	if (options->h)
		memcpy(work->h, options->h, nmf->rank * nmf->n * sizeof *work->h);
	if (options->w && options->h)
		return FT_OK;
	return ft_nmf_other(&work->how, work->x, nmf->m, nmf->n, nmf->rank, work->w, work->h, !options->w,
			    err);
}

/* beta = H+ h: H [rank x k] = U S V', H+ = V S^-1 U' (the same as Q R^-T of equation 6.47 where H has full
 * row rank, and of least norm where it has not). Of the columns that x knows; NULL: of all of them. beta
 * [k x q] is zeros at first. Returns its rank in *rank. */
static enum ft_status find_beta(const struct nmf *nmf, const double *x, double *beta, size_t *rank,
				struct ft_err *err)
{
	const size_t r = nmf->rank, k = nmf->k;
	FT_ARENA(work);
	double *smooth = ft_arena_copy(&work, nmf->h, r * nmf->n, sizeof *smooth);
	double *basis = ft_arena_take(&work, r * k, sizeof *basis),
	       *u = ft_arena_take(&work, r * r, sizeof *u);
	double *s = ft_arena_take(&work, r, sizeof *s), *v = ft_arena_take(&work, k * r, sizeof *v);

	FT_TRY(ft_arena_check(&work, err));
	if (nmf->smoothness > 0)
		ft_nmf_smooth(smooth, r, nmf->n, nmf->smoothness);
	for (size_t l = 0; l < r; l++)
		for (size_t j = 0; j < k; j++)
			basis[l * k + j] = x && isnan(x[j]) ? 0 : smooth[l * nmf->n + j];
	FT_TRY(ft_svd(basis, r, k, u, s, v, err));
	*rank = 0;
	for (size_t p = 0; p < r && s[p] > 1e-10 * s[0]; p++) {
		++*rank;
		for (size_t t = 0; t < nmf->q; t++) {
			double part = 0;

			for (size_t l = 0; l < r; l++)
				part += u[l * r + p] * smooth[l * nmf->n + k + t];
			for (size_t j = 0; j < k; j++)
				beta[j * nmf->q + t] += v[j * r + p] * part / s[p];
		}
	}
	return FT_OK;
}

static bool is_complete(const double *x, size_t k)
{
	size_t j;

	for (j = 0; j < k && !isnan(x[j]);)
		j++;
	return j == k;
}

/* Rows where the basis and a target are known. */
static size_t known_rows(const struct nmf *nmf, const struct solve_nmf_work *work, size_t target)
{
	size_t n = 0;

	for (size_t i = 0; i < nmf->m; i++) {
		const double *x = work->x + i * nmf->n;

		n += is_complete(x, nmf->k) && !isnan(x[nmf->k + target]);
	}
	return n;
}

static enum ft_status solve_nmf(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, struct ft_arena *arena,
				void **state, struct ft_err *err)
{
	FT_ARENA(memory);
	struct solve_nmf_work work = {.arena = &memory};
	struct nmf *nmf = ft_arena_take(arena, 1, sizeof *nmf);
	size_t m = problem->m, k = problem->k, q = problem->q, n = k + q;

	FT_TRY(ft_arena_check(arena, err));
	*nmf = (struct nmf){.m = m, .k = k, .q = q, .n = n, .raw = options->raw};
	FT_TRY(read_words(options, &work, err));
	for (size_t i = 0; i < problem->m * problem->k; i++)
		if (problem->x[i] < 0)
			return ft_fail(err, FT_EINVAL, "row %zu of the basis, column %zu: %g is negative",
				       i / problem->k + 1, i % problem->k + 1, problem->x[i]);
	for (size_t i = 0; i < problem->m * problem->q; i++)
		if (problem->y[i] < 0)
			return ft_fail(err, FT_EINVAL, "row %zu of the targets, column %zu: %g is negative",
				       i / problem->q + 1, i % problem->q + 1, problem->y[i]);
	FT_TRY(join_target(problem, options->raw, &work, err));
	FT_TRY(choose_rank(nmf, &work, options->rank, err));
	work.w = ft_arena_take(work.arena, nmf->rank * nmf->m, sizeof(double));
	work.h = ft_arena_take(work.arena, nmf->rank * nmf->n, sizeof(double));
	FT_TRY(ft_arena_check(work.arena, err));
	if (work.start == FT_NMF_GIVEN)
		FT_TRY(take_given(nmf, options, &work, err));
	FT_TRY(ft_nmf_find(&work.how, work.start, options->seed, work.x, nmf->m, nmf->n, nmf->rank, work.w,
			   work.h, err));
	nmf->smoothness = work.how.loss == FT_NMF_NONSMOOTH ? work.how.smoothness : 0;
	nmf->outcome = (struct ft_surrogate_outcome){.converged = work.how.converged,
						     .iterations = work.how.iterations,
						     .rank = nmf->rank,
						     .loss = work.how.value};
	nmf->w = ft_arena_take(arena, m * nmf->rank, sizeof(double));
	nmf->h = ft_arena_take(arena, nmf->rank * n, sizeof(double));
	nmf->beta = ft_arena_take(arena, k * q, sizeof(double));
	nmf->s = ft_arena_take(arena, q, sizeof(double));
	nmf->left_out = ft_arena_take(arena, q, sizeof *nmf->left_out);
	FT_TRY(ft_arena_check(arena, err));
	/* W in the units of X. The scale of a pattern is arbitrary: its largest share in a column of H becomes 1.
	 * S mixes the patterns: with it one factor serves for all of them. */
	double all = 0;

	for (size_t i = 0; i < nmf->rank * nmf->n; i++)
		all = fmax(all, work.h[i]);
	for (size_t l = 0; l < nmf->rank; l++) {
		double most = 0;

		for (size_t j = 0; j < nmf->n; j++)
			most = fmax(most, work.h[l * nmf->n + j]);
		if (nmf->smoothness > 0)
			most = all;
		if (!(most > 0))
			most = 1;
		for (size_t j = 0; j < nmf->n; j++)
			nmf->h[l * nmf->n + j] = work.h[l * nmf->n + j] / most;
		for (size_t i = 0; i < nmf->m; i++)
			nmf->w[i * nmf->rank + l] = work.w[l * nmf->m + i] * most * work.scale[i];
	}
	FT_TRY(find_beta(nmf, NULL, nmf->beta, &nmf->outcome.rank, err));
	/* Predictions of the training rows compared to their values, in rows of weight 1. */
	FT_OWN double *error = ft_calloc(nmf->m, sizeof *error);

	if (!error)
		return ft_nomem(err);
	for (size_t t = 0; t < nmf->q; t++) {
		double square = 0, rows = (double)known_rows(nmf, &work, t), dof = rows - (double)nmf->rank;

		nmf->dof = t && nmf->dof < dof ? nmf->dof : dof;

		for (size_t i = 0; i < nmf->m; i++) {
			error[i] = work.x[i * nmf->n + nmf->k + t];
			for (size_t j = 0; j < nmf->k; j++)
				error[i] -= work.x[i * nmf->n + j] * nmf->beta[j * nmf->q + t];
			square += isnan(error[i]) ? 0 : error[i] * error[i];
			/* the error of a fit that includes the row is too small by the freedom of the fit */
			error[i] *= dof >= 1 ? sqrt(rows / dof) : NAN;
		}
		nmf->s[t] = dof >= 1 ? sqrt(square / dof) : NAN;
		FT_TRY(ft__left_out_init(&nmf->left_out[t], arena, error, problem->group, nmf->m, err));
		if (problem->group)
			nmf->dof = (double)nmf->left_out[t].groups - (double)nmf->rank;
	}
	*state = nmf;
	return FT_OK;
}

/* A row with a partly missing basis: from the known part. The error of that is not known. */
static enum ft_status predict_part(const struct nmf *nmf, const double *x, struct ft_estimate *out,
				   struct ft_err *err)
{
	FT_OWN double *beta = ft_calloc(nmf->k * nmf->q, sizeof *beta);
	size_t rank;

	if (!beta)
		return ft_nomem(err);
	FT_TRY(find_beta(nmf, x, beta, &rank, err));
	for (size_t t = 0; t < nmf->q; t++) {
		out[t] = (struct ft_estimate){0, -INFINITY, INFINITY};
		for (size_t j = 0; j < nmf->k; j++)
			out[t].value += isnan(x[j]) ? 0 : x[j] * beta[j * nmf->q + t];
	}
	return FT_OK;
}

static enum ft_status predict(const void *state, const double *x, size_t rows, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct nmf *nmf = state;

	for (size_t i = 0; i < rows; i++, x += nmf->k) {
		if (!is_complete(x, nmf->k)) {
			FT_TRY(predict_part(nmf, x, out + i * nmf->q, err));
			continue;
		}
		for (size_t t = 0; t < nmf->q; t++) {
			struct ft_estimate *e = &out[i * nmf->q + t];
			double half = ft__row_scale(x, nmf->k, nmf->raw) *
				      ft__reach(&nmf->left_out[t], nmf->s[t], nmf->dof, confidence);

			e->value = 0;
			for (size_t j = 0; j < nmf->k; j++)
				e->value += x[j] * nmf->beta[j * nmf->q + t];
			e->lower = e->value - half;
			e->upper = e->value + half;
		}
	}
	return FT_OK;
}

static void beta(const void *state, double *out, double *intercept)
{
	const struct nmf *nmf = state;

	memcpy(out, nmf->beta, nmf->k * nmf->q * sizeof *out);
	memset(intercept, 0, nmf->q * sizeof *intercept);
}

static void outcome(const void *state, struct ft_surrogate_outcome *out)
{
	*out = ((const struct nmf *)state)->outcome;
}

static void patterns(const void *state, struct ft_patterns *out)
{
	const struct nmf *nmf = state;

	*out = (struct ft_patterns){nmf->m, nmf->rank, nmf->n, nmf->smoothness, nmf->w, nmf->h};
}

const struct ft_solver ft__solver_nmf = {
	.name = "nmf",
	.about = "mixtures of computational patterns, none negative",
	.linear = true,
	.holes = true,
	.solve = solve_nmf,
	.predict = predict,
	.beta = beta,
	.outcome = outcome,
	.patterns = patterns,
};
