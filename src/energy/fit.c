/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - fits the power of each part to runs, some of which may be wrong. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/energy.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/*
 * Fits the power of each part to runs, some of which may be wrong.
 */

/* Trial subsets: all of them, or this many at random; concentration steps of each. */
enum { TRIALS = 3000, STEPS = 3, ROUNDS = 20 };

/* Runs that are this improbable given the rest are left out; the probability that a good set loses one. */
static const double wrongly_left_out = 0.01;

/* Rows of the regression: mean power over shares of time. */
struct fit_rows {
	size_t n, k;
	double *x;                 /* [n x k] times / t_wall */
	double *y;                 /* [n] W */
	double *residual, *sorted; /* [n] */
	bool *used;                /* [n] */
};

static void rows_clear(struct fit_rows *r)
{
	ft_free(r->x);
	ft_free(r->y);
	ft_free(r->residual);
	ft_free(r->sorted);
	ft_free(r->used);
}

static enum ft_status rows_init(struct fit_rows *r, const struct ft_energy_runs *runs, struct ft_err *err)
{
	*r = (struct fit_rows){.n = runs->n, .k = runs->parts};
	r->x = ft_calloc(r->n * r->k, sizeof *r->x);
	r->y = ft_calloc(r->n, sizeof *r->y);
	r->residual = ft_calloc(r->n, sizeof *r->residual);
	r->sorted = ft_calloc(r->n, sizeof *r->sorted);
	r->used = ft_calloc(r->n, sizeof *r->used);
	if (!r->x || !r->y || !r->residual || !r->sorted || !r->used) {
		rows_clear(r);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < r->n; i++) {
		r->y[i] = runs->energy_j[i] / runs->wall_s[i];
		for (size_t j = 0; j < r->k; j++)
			r->x[i * r->k + j] = runs->time_s[i * r->k + j] / runs->wall_s[i];
	}
	return FT_OK;
}

/* The Gram matrix of the used rows, columns scaled to 1; false: two columns are proportional, or nearly. */
static bool factor(const struct fit_rows *r, double *gram, double *scale)
{
	size_t k = r->k;

	memset(gram, 0, k * k * sizeof *gram);
	for (size_t i = 0; i < r->n; i++)
		for (size_t a = 0; r->used[i] && a < k; a++)
			for (size_t b = a; b < k; b++)
				gram[a * k + b] += r->x[i * k + a] * r->x[i * k + b];
	for (size_t a = 0; a < k; a++) {
		scale[a] = sqrt(gram[a * k + a]);
		if (!(scale[a] > 0))
			return false;
	}
	for (size_t a = 0; a < k; a++)
		for (size_t b = a; b < k; b++)
			gram[a * k + b] /= scale[a] * scale[b];
	return ft_chol_factor_above(gram, k, 1e-10); /* a small pivot is an answer */
}

/* Least squares over the used rows, and all residuals; false: they do not determine the coefficients. */
static bool solve_rows(struct fit_rows *r, double *c)
{
	double gram[FT_POWER_PARTS * FT_POWER_PARTS], scale[FT_POWER_PARTS];
	size_t k = r->k;

	if (!factor(r, gram, scale))
		return false;
	memset(c, 0, k * sizeof *c);
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; r->used[i] && j < k; j++)
			c[j] += r->x[i * k + j] * r->y[i] / scale[j];
	ft_chol_solve(gram, k, c, 1);
	for (size_t j = 0; j < k; j++)
		c[j] /= scale[j];
	for (size_t i = 0; i < r->n; i++) {
		double modelled = 0;

		for (size_t j = 0; j < k; j++)
			modelled += r->x[i * k + j] * c[j];
		r->residual[i] = r->y[i] - modelled;
	}
	return true;
}

static void sort_residuals(struct fit_rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		r->sorted[i] = fabs(r->residual[i]);
	ft_sort(r->sorted, r->n);
}

/* Use the h rows that are met best. Returns the sum of their squares. */
static double concentrate(struct fit_rows *r, size_t h)
{
	size_t used = 0;
	double sum = 0;

	sort_residuals(r);
	for (size_t i = 0; i < r->n; i++) {
		r->used[i] = fabs(r->residual[i]) <= r->sorted[h - 1] && used < h;
		used += r->used[i];
	}
	for (size_t i = 0; i < h; i++)
		sum += r->sorted[i] * r->sorted[i];
	return sum;
}

static double combinations(size_t n, size_t k)
{
	double c = 1;

	for (size_t i = 0; i < k; i++)
		c *= (double)(n - i) / (double)(i + 1);
	return c;
}

/* The next subset of k of n in order; false past the last. */
static bool next_subset(size_t *index, size_t k, size_t n)
{
	size_t i = k;

	while (i-- > 0)
		if (index[i] < n - k + i) {
			index[i]++;
			for (size_t j = i + 1; j < k; j++)
				index[j] = index[j - 1] + 1;
			return true;
		}
	return false;
}

static void random_subset(size_t *index, size_t k, size_t n, struct ft_random *random)
{
	size_t j;

	for (size_t i = 0; i < k; i++) {
		do {
			index[i] = ft_random_below(random, n);
			for (j = 0; j < i && index[j] != index[i]; j++)
				;
		} while (j < i);
	}
}

/* Least trimmed squares: leaves the residuals of the best coefficients. False: no subset determines any. */
static bool trim_squares(struct fit_rows *r, double *c)
{
	size_t index[FT_POWER_PARTS], h = (r->n + r->k + 1) / 2, trial, i, step;
	bool all = combinations(r->n, r->k) <= TRIALS, found = false;
	double best = INFINITY, sum, trial_c[FT_POWER_PARTS];
	struct ft_random random = {1};

	for (i = 0; i < r->k; i++)
		index[i] = i;
	for (trial = 0; trial < TRIALS; trial++) {
		if (!all)
			random_subset(index, r->k, r->n, &random);
		memset(r->used, 0, r->n * sizeof *r->used);
		for (i = 0; i < r->k; i++)
			r->used[index[i]] = true;
		sum = INFINITY;
		for (step = 0; step <= STEPS && solve_rows(r, trial_c); step++)
			sum = concentrate(r, h);
		if (sum < best) {
			best = sum;
			found = true;
			memcpy(c, trial_c, r->k * sizeof *c);
		}
		if (all && !next_subset(index, r->k, r->n))
			break;
	}
	return found;
}

/* Leave out distant runs, refit, and readmit those that are no longer distant, until nothing changes. */
static bool refine_fit(struct fit_rows *r, double resolution_w, double *c)
{
	/* A uniform error of half the resolution to either side. */
	double floor = resolution_w / sqrt(12), scale, fit = 0;
	size_t used = 0, changed = 1;

	for (size_t l = 0; l < r->n; l++) {
		r->residual[l] = r->y[l];
		for (size_t j = 0; j < r->k; j++)
			r->residual[l] -= r->x[l * r->k + j] * c[j];
	}
	for (size_t i = 0; i < r->n; i++)
		fit = fmax(fit, fabs(r->y[i]));
	sort_residuals(r);
	/* Rousseeuw & Leroy 1987, p. 202: consistent for the normal law, and for few rows. */
	scale = 1.4826 * (1 + 5 / (double)(r->n - r->k)) * r->sorted[r->n / 2];
	for (size_t round = 0; round < ROUNDS && changed; round++) {
		double squares = 0;

		scale = fmax(fmax(scale, floor), 1e-9 * fit);
		double far_off = ft_student_t(1 - wrongly_left_out / (double)r->n,
					      (double)((round ? used : r->n) - r->k));
		changed = used = 0;
		for (size_t i = 0; i < r->n; i++) {
			bool use = fabs(r->residual[i]) <= far_off * scale;

			changed += use != r->used[i] || !round;
			r->used[i] = use;
			used += use;
		}
		if (used <= r->k || !solve_rows(r, c))
			return false;
		for (size_t i = 0; i < r->n; i++)
			squares += r->used[i] ? r->residual[i] * r->residual[i] : 0;
		scale = sqrt(squares / (double)(used - r->k));
	}
	return true;
}

/* ---- quality of the fit ------------------------------------------------------------------------- */

static void set_covariance(const struct fit_rows *r, struct ft_power *power)
{
	double gram[FT_POWER_PARTS * FT_POWER_PARTS], scale[FT_POWER_PARTS], column[FT_POWER_PARTS],
		squares = 0;
	size_t k = r->k, used = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->used[i]) {
			used++;
			squares += r->residual[i] * r->residual[i];
		}
	power->freedom = used > k ? (double)(used - k) : 0;
	power->noise_w = power->freedom > 0 ? sqrt(squares / power->freedom) : (double)NAN;
	if (!(power->freedom > 0) || !factor(r, gram, scale))
		return;
	for (size_t j = 0; j < k; j++) {
		memset(column, 0, sizeof column);
		column[j] = 1 / scale[j];
		ft_chol_solve(gram, k, column, 1);
		for (size_t i = 0; i < k; i++)
			power->covariance[i * k + j] = column[i] / scale[i] * power->noise_w * power->noise_w;
	}
}

/* Measured power to compare with the model: peaks if they were measured, else means. */
static double measured_power(const struct ft_energy_runs *runs, const struct ft_energy_fit *fit, size_t i,
			     double *modelled)
{
	size_t j, k = runs->parts;

	if (!fit->of_peaks) {
		*modelled = fit->power_w[i];
		return runs->energy_j[i] / runs->wall_s[i];
	}
	for (*modelled = 0, j = 0; j < k; j++)
		*modelled += runs->most[i * k + j] * fit->power.watts[j];
	return runs->peak_w[i];
}

/* Whether a run has its peak, and how many units of each part were in use then. */
static bool knows_peak(const struct ft_energy_runs *runs, size_t i)
{
	size_t k = runs->parts;

	for (size_t j = 0; j < k; j++)
		if (isnan(runs->most[i * k + j]))
			return false;
	return !isnan(runs->peak_w[i]);
}

/* Of the runs that were used. */
static void judge_fit(const struct ft_energy_runs *runs, double resolution_w, struct ft_energy_fit *fit,
		      double *work)
{
	double mean = 0, total = 0, rest = 0, *other = work + runs->n, n;
	size_t i, used = 0;

	fit->of_peaks = true;
	for (i = 0; i < runs->n; i++) {
		used += !fit->left_out[i];
		mean += fit->left_out[i] ? 0 : runs->energy_j[i];
		fit->of_peaks = fit->of_peaks && knows_peak(runs, i);
	}
	n = (double)used;
	for (i = 0, used = 0; i < runs->n; i++) {
		double off = runs->energy_j[i] - fit->power_w[i] * runs->wall_s[i];
		double from_mean = runs->energy_j[i] - mean / n;

		if (fit->left_out[i])
			continue;
		rest += off * off;
		total += from_mean * from_mean;
		work[used] = measured_power(runs, fit, i, &other[used]);
		used++;
	}
	fit->r2 = total > 0 ? 1 - rest / total : (double)NAN;
	double variance = ft_stats_variance(work, used);
	/* One part has the same power in every run: whether that varies as much is no question. */
	fit->f_ratio = runs->parts > 1 && used > 1 && variance > 0 ? ft_stats_variance(other, used) / variance
								   : (double)NAN;
	fit->f_p = isnan(fit->f_ratio) ? (double)NAN : ft_f_probability(fit->f_ratio, n - 1, n - 1);
	for (i = 0; i < used; i++)
		work[i] = fabs(work[i] - other[i]);
	fit->difference_w = ft_stats_mean(work, used);
	fit->t_p = NAN;
	if (resolution_w > 0 && used > 1) {
		double sd = sqrt(ft_stats_variance(work, used) / n);

		fit->t_p = sd > 0 ? ft_student_above((fit->difference_w - resolution_w) / sd, n - 1)
				  : (double)(fit->difference_w <= resolution_w);
	}
}

/* The two parts whose times are proportional; or the lack of runs. */
static enum ft_status explain_singular(struct fit_rows *r, const struct ft_energy_runs *runs,
				       struct ft_err *err)
{
	size_t k = r->k;

	if (r->n < k) {
		(void)ft_fail(err, FT_EINVAL, "%zu run%s cannot determine %zu powers", r->n,
			      r->n == 1 ? "" : "s", k);
		return ft_remedy(err, "measure more runs, with other numbers of cores and machines");
	}
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b < a; b++) {
			double aa = 0, bb = 0, ab = 0;

			for (size_t i = 0; i < r->n; i++) {
				aa += r->x[i * k + a] * r->x[i * k + a];
				bb += r->x[i * k + b] * r->x[i * k + b];
				ab += r->x[i * k + a] * r->x[i * k + b];
			}
			if (ab * ab < (1 - 1e-9) * aa * bb)
				continue;
			(void)ft_fail(err, FT_EINVAL,
				      "'%s' and '%s' were always used in the same proportion: their "
				      "powers cannot be distinguished",
				      runs->part[b], runs->part[a]);
			return ft_remedy(err,
					 "measure runs that use them differently, or leave one of them out");
		}
	(void)ft_fail(err, FT_EINVAL, "the runs do not distinguish the powers of the parts");
	return ft_remedy(err, "measure runs that use them differently");
}

enum ft_status ft_energy_fit(struct ft_energy_fit *out, const struct ft_energy_runs *runs,
			     const struct ft_energy_fit_options *options, struct ft_err *err)
{
	struct ft_power *power = &out->power;
	double confidence = options->confidence > 0 ? options->confidence : 0.9, *work = NULL;
	struct fit_rows r;
	enum ft_status status = FT_OK;

	*out = (struct ft_energy_fit){.n = runs->n};
	FT_TRY(rows_init(&r, runs, err));
	out->power_w = ft_calloc(r.n, sizeof *out->power_w);
	out->left_out = ft_calloc(r.n, sizeof *out->left_out);
	work = ft_calloc(2 * r.n, sizeof *work);
	if (!out->power_w || !out->left_out || !work) {
		status = ft_nomem(err);
		goto out;
	}
	power->parts = r.k;
	memcpy(power->part, runs->part, sizeof power->part);
	/* Robust only where more than half of the runs can outvote the rest. */
	if (options->plain || r.n < 2 * r.k + 1 || !trim_squares(&r, power->watts) ||
	    !refine_fit(&r, options->resolution_w, power->watts)) {
		for (size_t i = 0; i < r.n; i++)
			r.used[i] = true;
		if (r.n < r.k || !solve_rows(&r, power->watts)) {
			status = explain_singular(&r, runs, err);
			goto out;
		}
	}
	set_covariance(&r, power);
	for (size_t i = 0; i < r.n; i++) {
		out->power_w[i] = r.y[i] - r.residual[i];
		out->left_out[i] = !r.used[i];
		out->n_left_out += !r.used[i];
	}
	for (size_t i = 0; i < r.k; i++) {
		out->interval_w[i] = power->freedom > 0 ? ft_student_t(confidence, power->freedom) *
								  sqrt(power->covariance[i * r.k + i])
							: (double)NAN;
		out->negative += power->watts[i] < 0;
	}
	judge_fit(runs, options->resolution_w, out, work);
out:
	ft_free(work);
	rows_clear(&r);
	if (status)
		ft_energy_fit_clear(out);
	return status;
}

void ft_energy_fit_clear(struct ft_energy_fit *fit)
{
	if (!fit)
		return;
	ft_free(fit->power_w);
	ft_free(fit->left_out);
	*fit = (struct ft_energy_fit){0};
}
