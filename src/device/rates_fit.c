/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates_fit.c - rates from launches that were timed. ln seconds are fitted by Gauss and Newton: each step is
 * least squares with coefficients that are not negative on rows divided by what they were foretold. */
#include "base/alloc.h"
#include "device/left.h"
#include "num/cholesky.h"
#include "num/nnls.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* Huber's: 95 % as efficient as least squares where errors are normal. */
static const double HUBER = 1.345;
/* What is foretold is a share of what was measured at least, so that its logarithm is there. */
static const double share_least = 1e-3;

enum { STEPS = 60, HALVES = 12 };

struct rates_fit {
	size_t m, k, rate[FT_NNLS_COLUMNS];           /* rows, columns, and which rates these are */
	double *x, *a;                                /* [m x k] */
	double *seconds, *y, *weight, *rest, *sorted; /* [m] */
	double c[FT_NNLS_COLUMNS];
};

/* Rows but those of one kernel; NULL: all. The columns are what these do. */
static enum ft_status take_rows(struct rates_fit *f, const struct ft_timed_launch *row, size_t n,
				const char *but, struct ft_err *err)
{
	size_t i;

	f->m = f->k = 0;
	for (size_t j = 0; j < FT_RATES; j++) {
		for (i = 0; i < n && (!(row[i].amount[j] > 0) || (but && !strcmp(row[i].kernel, but))); i++)
			;
		if (i == n)
			continue;
		if (f->k == FT_NNLS_COLUMNS)
			return ft_fail(err, FT_EINVAL, "launches show more than %d rates", FT_NNLS_COLUMNS);
		f->rate[f->k++] = j;
	}
	for (i = 0; i < n; i++) {
		if (but && !strcmp(row[i].kernel, but))
			continue;
		for (size_t j = 0; j < f->k; j++)
			f->x[f->m * f->k + j] = row[i].amount[f->rate[j]];
		f->seconds[f->m++] = row[i].seconds;
	}
	if (f->m > f->k)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "%zu launches do not determine %zu rates", f->m, f->k);
	return ft_remedy(err, "time more launches, of more kernels and sizes");
}

static double foretold_s(const struct rates_fit *f, const double *c, size_t i)
{
	double sum = 0;

	for (size_t j = 0; j < f->k; j++)
		sum += f->x[i * f->k + j] * c[j];
	return fmax(sum, share_least * f->seconds[i]);
}

/* Weighted squares of ln(measured / foretold), which are left in rest. */
static double sum_squares(struct rates_fit *f, const double *c)
{
	double sum = 0;

	for (size_t i = 0; i < f->m; i++) {
		f->rest[i] = log(f->seconds[i] / foretold_s(f, c, i));
		sum += f->weight[i] * f->rest[i] * f->rest[i];
	}
	return sum;
}

/* Their robust deviation, of as many as are free. */
static double robust_deviation(struct rates_fit *f)
{
	for (size_t i = 0; i < f->m; i++)
		f->sorted[i] = fabs(f->rest[i]);
	return ft_stats_quantile(f->sorted, f->m, 0.5) / 0.6745 * sqrt((double)f->m / (double)(f->m - f->k));
}

static void weigh_rows(struct rates_fit *f, double s)
{
	for (size_t i = 0; i < f->m; i++) {
		double u = fabs(f->rest[i]);

		f->weight[i] = u <= HUBER * s ? 1 : HUBER * s / u;
	}
}

/* One step of Gauss and Newton, halved until it gains; returns how far it went, as a share of what rows are
 * foretold. */
static double step_rates(struct rates_fit *f)
{
	double to[FT_NNLS_COLUMNS], at[FT_NNLS_COLUMNS], before = sum_squares(f, f->c), far = 0;
	size_t half;

	for (size_t i = 0; i < f->m; i++) {
		double root = sqrt(f->weight[i]), now = foretold_s(f, f->c, i);

		for (size_t j = 0; j < f->k; j++)
			f->a[i * f->k + j] = root * f->x[i * f->k + j] / now;
		f->y[i] = root * (1 + f->rest[i]);
	}
	ft_nnls(f->a, f->y, f->m, f->k, to);
	for (half = 0; half < HALVES; half++) {
		for (size_t j = 0; j < f->k; j++)
			at[j] = f->c[j] + ldexp(to[j] - f->c[j], -(int)half);
		if (sum_squares(f, at) < before)
			break;
	}
	for (size_t i = 0; half < HALVES && i < f->m; i++)
		far = fmax(far, fabs(log(foretold_s(f, at, i) / foretold_s(f, f->c, i))));
	if (half < HALVES)
		memcpy(f->c, at, sizeof at);
	return far;
}

/* Relative least squares, whose rows divide by what was measured, is where it begins. */
static void solve_rates(struct rates_fit *f)
{
	for (size_t i = 0; i < f->m; i++) {
		for (size_t j = 0; j < f->k; j++)
			f->a[i * f->k + j] = f->x[i * f->k + j] / f->seconds[i];
		f->y[i] = f->weight[i] = 1;
	}
	ft_nnls(f->a, f->y, f->m, f->k, f->c);
	for (size_t turn = 0; turn < STEPS; turn++) {
		(void)sum_squares(f, f->c);
		weigh_rows(f, fmax(robust_deviation(f), 1e-9));
		if (step_rates(f) < 1e-9)
			break;
	}
	(void)sum_squares(f, f->c);
}

/* Errors of those above 0, as shares: from the curvature where they are. */
static void find_errors(struct rates_fit *f, double s, double error[FT_NNLS_COLUMNS])
{
	double gram[FT_NNLS_COLUMNS * FT_NNLS_COLUMNS] = {0}, inverse[FT_NNLS_COLUMNS * FT_NNLS_COLUMNS];
	size_t free[FT_NNLS_COLUMNS], n = 0, i, p, q;

	for (p = 0; p < f->k; p++) {
		error[p] = NAN;
		if (f->c[p] > 0)
			free[n++] = p;
	}
	for (i = 0; i < f->m; i++) {
		double now = foretold_s(f, f->c, i);

		for (p = 0; p < n; p++)
			for (q = 0; q < n; q++)
				gram[p * n + q] += f->weight[i] * f->x[i * f->k + free[p]] * f->c[free[p]] *
						   f->x[i * f->k + free[q]] * f->c[free[q]] / (now * now);
	}
	if (!n || !ft_chol_factor(gram, n))
		return;
	ft_chol_invert(gram, n, inverse);
	for (p = 0; p < n; p++) {
		double sum = 0;

		for (q = 0; q < n; q++)
			sum += inverse[q * n + p] * inverse[q * n + p];
		error[free[p]] = s * sqrt(sum);
	}
}

static void tell_rates(struct rates_fit *f, struct ft_rates *out)
{
	double error[FT_NNLS_COLUMNS];

	out->residual = robust_deviation(f);
	find_errors(f, out->residual, error);
	for (size_t j = 0; j < FT_RATES; j++)
		out->rate[j] = (struct ft_rate_known){.error = NAN};
	for (size_t j = 0; j < f->k; j++)
		out->rate[f->rate[j]] = (struct ft_rate_known){f->c[j], error[j], true};
}

/* The middle error of a kernel's launches, foretold without it; NaN: one was refused. */
static double error_of(struct rates_fit *f, const struct ft_rates *rates, const struct ft_timed_launch *row,
		       size_t n, const char *kernel, double *left_out)
{
	size_t found = 0;
	bool refused = false;

	for (size_t i = 0; i < n; i++) {
		double seconds;

		if (strcmp(row[i].kernel, kernel) != 0)
			continue;
		refused |= ft_rates_foretell(rates, row[i].amount, &seconds, NULL) != FT_OK;
		if (left_out)
			left_out[i] = seconds;
		f->sorted[found++] = fabs(log(fmax(seconds, share_least * row[i].seconds) / row[i].seconds));
	}
	return refused ? NAN : ft_stats_median(f->sorted, found);
}

bool ft__is_first(const struct ft_timed_launch *row, size_t i)
{
	size_t k;

	for (k = 0; k < i && strcmp(row[k].kernel, row[i].kernel) != 0; k++)
		;
	return k == i;
}

void ft__left_tell(double *error, size_t n, double *off, double *off_most)
{
	*off = n ? exp(ft_stats_quantile(error, n, 0.5)) : NAN;
	*off_most = n ? exp(ft_stats_quantile(error, n, 0.9)) : NAN;
}

/* off: [n] memory. */
static void leave_out(struct rates_fit *f, const struct ft_timed_launch *row, size_t n, double *off,
		      double *left_out, struct ft_rates *out)
{
	struct ft_rates without;

	out->kernels = out->foretold = 0;
	for (size_t i = 0; i < n; i++) {
		if (!ft__is_first(row, i))
			continue;
		out->kernels++;
		if (take_rows(f, row, n, row[i].kernel, NULL))
			continue;
		solve_rates(f);
		tell_rates(f, &without);
		off[out->foretold] = error_of(f, &without, row, n, row[i].kernel, left_out);
		if (!isnan(off[out->foretold]))
			out->foretold++;
	}
	ft__left_tell(off, out->foretold, &out->off, &out->off_most);
}

enum ft_status ft__launches_check(const struct ft_timed_launch *row, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!(row[i].seconds > 0) || !isfinite(row[i].seconds))
			return ft_fail(err, FT_EINVAL, "launch %zu, of %s: its seconds are not above 0",
				       i + 1, row[i].kernel);
		for (size_t j = 0; j < FT_RATES; j++)
			if (!(row[i].amount[j] >= 0) || !isfinite(row[i].amount[j]))
				return ft_fail(err, FT_EINVAL, "launch %zu, of %s: its %s is not known",
					       i + 1, row[i].kernel, ft_rate_name(j));
	}
	return FT_OK;
}

enum ft_status ft_rates_fit(struct ft_rates *out, const struct ft_timed_launch *row, size_t n,
			    double *left_out, struct ft_err *err)
{
	struct rates_fit f = {0};
	double *memory;

	FT_TRY(ft__launches_check(row, n, err));
	if (!(memory = ft_calloc(n + 1, (2 * FT_NNLS_COLUMNS + 6) * sizeof *memory)))
		return ft_nomem(err);
	f.x = memory;
	f.a = f.x + n * FT_NNLS_COLUMNS;
	f.seconds = f.a + n * FT_NNLS_COLUMNS;
	f.y = f.seconds + n;
	f.weight = f.y + n;
	f.rest = f.weight + n;
	f.sorted = f.rest + n;
	for (size_t i = 0; left_out && i < n; i++)
		left_out[i] = NAN;
	enum ft_status status = take_rows(&f, row, n, NULL, err);
	if (!status) {
		solve_rates(&f);
		tell_rates(&f, out);
		leave_out(&f, row, n, f.sorted + n, left_out, out);
	}
	ft_free(memory);
	return status;
}
