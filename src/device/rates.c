/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.c - fits rates of a device to timed launches, and predicts launches from them. */
#include "base/alloc.h"
#include "base/text.h"
#include "device/device.h"
#include "foretime/device.h"
#include "foretime/surrogate.h"
#include "kernel/door.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *about;
} rates_told[] = {
#define ROW(NAME, key, about) {#key, about},
	FT_RATE_LIST(ROW)
#undef ROW
};

/* The counts of a kernel that are one rate. */
static const struct {
	enum ft_rate rate;
	enum ft_kernel_count first, last;
} parts[] = {
	{FT_RATE_F16, FT_KERNEL_F16_ADD, FT_KERNEL_F16_MATH},
	{FT_RATE_F32, FT_KERNEL_F32_ADD, FT_KERNEL_F32_MULTIPLY},
	{FT_RATE_DIVIDE, FT_KERNEL_F32_DIVIDE, FT_KERNEL_F32_DIVIDE},
	{FT_RATE_F32, FT_KERNEL_F32_FUSED, FT_KERNEL_F32_OTHER},
	{FT_RATE_MATH, FT_KERNEL_F32_MATH, FT_KERNEL_F32_MATH},
	{FT_RATE_F64, FT_KERNEL_F64_ADD, FT_KERNEL_F64_MULTIPLY},
	{FT_RATE_DIVIDE, FT_KERNEL_F64_DIVIDE, FT_KERNEL_F64_DIVIDE},
	{FT_RATE_F64, FT_KERNEL_F64_FUSED, FT_KERNEL_F64_OTHER},
	{FT_RATE_MATH, FT_KERNEL_F64_MATH, FT_KERNEL_F64_MATH},
	{FT_RATE_INTEGER, FT_KERNEL_INTEGER, FT_KERNEL_INTEGER},
	{FT_RATE_INTEGER_DIVIDE, FT_KERNEL_INTEGER_DIVIDE, FT_KERNEL_INTEGER_DIVIDE},
	{FT_RATE_INTEGER, FT_KERNEL_INTEGER_COMPARE, FT_KERNEL_CONVERT},
	{FT_RATE_BRANCH, FT_KERNEL_BRANCH, FT_KERNEL_BRANCH},
	{FT_RATE_BARRIER, FT_KERNEL_BARRIER, FT_KERNEL_BARRIER},
	{FT_RATE_ATOMIC, FT_KERNEL_ATOMIC_GLOBAL, FT_KERNEL_ATOMIC_LOCAL},
	{FT_RATE_GLOBAL, FT_KERNEL_GLOBAL_LOAD, FT_KERNEL_GLOBAL_STORE},
	{FT_RATE_LOCAL, FT_KERNEL_LOCAL_LOAD, FT_KERNEL_LOCAL_STORE},
	{FT_RATE_PRIVATE, FT_KERNEL_CONSTANT_LOAD, FT_KERNEL_PRIVATE_STORE},
	{FT_RATE_SECTOR, FT_KERNEL_SECTOR, FT_KERNEL_SECTOR},
};

const char *ft_rate_name(size_t rate)
{
	return rate < FT_RATES ? rates_told[rate].name : NULL;
}

const char *ft_rate_about(size_t rate)
{
	return rate < FT_RATES ? rates_told[rate].about : NULL;
}

void ft_rate_amounts(const struct ft_kernel_features *features, double amount[FT_RATES])
{
	memset(amount, 0, FT_RATES * sizeof *amount);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (size_t k = parts[i].first; k <= parts[i].last; k++)
			amount[parts[i].rate] += features->count[k];
	amount[FT_RATE_LAUNCH] = 1;
	amount[FT_RATE_ITEM] = features->work_items;
	amount[FT_RATE_MISS] = features->misses_replay;
}

void ft_rate_five(const struct ft_kernel_features *features, double five[FT_RATE_FIVE])
{
	five[0] = ft_kernel_operations(features->count);
	five[1] = five[0] / features->work_items;
	five[2] = features->misses_rule;
	five[3] = features->work_items;
	five[4] = 1;
}

/* Adds a name to a list in words. */
static void add_rate_name(char *names, size_t room, size_t rate)
{
	size_t at = strlen(names);

	(void)snprintf(names + at, room - at, "%s'%s'", at ? ", " : "", rates_told[rate].about);
}

enum ft_status ft_rates_predict(const struct ft_rates *rates, const double amount[FT_RATES], double *seconds,
				struct ft_err *err)
{
	char unknown[256] = "", unseen[256] = "";

	*seconds = 0;
	for (size_t i = 0; i < FT_RATES; i++) {
		if (!isfinite(amount[i]))
			add_rate_name(unknown, sizeof unknown, i);
		else if (amount[i] > 0 && !rates->rate[i].seen)
			add_rate_name(unseen, sizeof unseen, i);
		else
			*seconds += amount[i] * rates->rate[i].seconds;
	}
	if (!*unknown && !*unseen)
		return FT_OK;
	*seconds = NAN;
	if (*unknown)
		(void)ft_fail(err, FT_ENOMODEL, "how often the kernel does this is not known: %s", unknown);
	else
		(void)ft_fail(err, FT_ENOMODEL, "the kernel does what no launch of the calibration did: %s",
			      unseen);
	return ft_remedy(err, *unknown ? "give the arguments and data that its counts depend on"
				       : "measure it on the device at two sizes or more");
}

/*
 * The document's regression over five features (004 chapter 13): rows divided by the
 * deviation of their time, robust least squares.
 */

/* Of a row whose deviation is not known: that of many timed launches. */
static const double share_unknown = 0.05;

static enum ft_status fill_columns(const struct ft_timed_launch *row, size_t n, double *x, double *y,
				   struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		double sigma = row[i].sigma > 0 ? row[i].sigma : share_unknown * row[i].seconds;

		if (!(row[i].seconds > 0) || !isfinite(row[i].seconds))
			return ft_fail(err, FT_EINVAL, "launch %zu, of %s: its seconds are not above 0",
				       i + 1, row[i].kernel);
		y[i] = row[i].seconds / sigma;
		for (size_t j = 0; j < FT_RATE_FIVE; j++) {
			x[i * FT_RATE_FIVE + j] = row[i].five[j] / sigma;
			if (!isfinite(row[i].five[j]))
				return ft_fail(err, FT_EINVAL,
					       "launch %zu, of %s: feature %zu of the five is not known",
					       i + 1, row[i].kernel, j + 1);
		}
	}
	return FT_OK;
}

enum ft_status ft_rates_document(const struct ft_timed_launch *row, size_t n, double beta[FT_RATE_FIVE],
				 struct ft_err *err)
{
	const struct ft_surrogate_options options = {.raw = true};
	struct ft_surrogate_problem problem = {.m = n, .k = FT_RATE_FIVE, .q = 1};
	struct ft_surrogate_fit *fit = NULL;
	double *x = ft_malloc((n + 1) * (FT_RATE_FIVE + 1) * sizeof *x), intercept;
	enum ft_status status = FT_OK;

	if (!x)
		return ft_nomem(err);
	if (n < FT_RATE_FIVE)
		status = ft_fail(err, FT_ENOMODEL, "%zu launches are too few for %d features", n,
				 FT_RATE_FIVE);
	if (!status)
		status = fill_columns(row, n, x, x + n * FT_RATE_FIVE, err);
	problem.x = x;
	problem.y = x + n * FT_RATE_FIVE;
	if (!status)
		status = ft_surrogate_solve(ft_solver_find("robust"), &problem, &options, &fit, err);
	if (!status)
		(void)ft_surrogate_beta(fit, beta, &intercept);
	ft_surrogate_free(fit);
	ft_free(x);
	return status;
}

double ft_rates_by_document(const struct ft_timed_launch *row, size_t n,
			    const struct ft_kernel_features *features)
{
	double beta[FT_RATE_FIVE], five[FT_RATE_FIVE], seconds = 0;

	if (ft_rates_document(row, n, beta, NULL))
		return NAN;
	ft_rate_five(features, five);
	for (size_t j = 0; j < FT_RATE_FIVE; j++)
		seconds += beta[j] * five[j];
	return seconds;
}

/*
 * Launches of a file.
 */

static enum ft_status read_cell(const struct ft_csv *csv, size_t row, const char *name, const char *path,
				double *out, struct ft_err *err)
{
	int column = ft_csv_column(csv, name);

	if (column >= 0)
		return ft_csv_number(csv, row, (size_t)column, false, out, err);
	(void)ft_fail(err, FT_EPARSE, "'%s' has no column %s", path, name);
	return ft_remedy(err, "foretime device calibrate DEV -o FILE.csv writes such files");
}

static enum ft_status read_row(const struct ft_csv *csv, size_t i, const char *path,
			       struct ft_timed_launch *row, struct ft_err *err)
{
	static const char *const five[] = {"operations", "operations_each", "misses_rule"};
	int kernel = ft_csv_column(csv, "kernel");
	enum ft_status status = read_cell(csv, i, "seconds", path, &row->seconds, err);

	if (!status && kernel < 0)
		status = ft_fail(err, FT_EPARSE, "'%s' has no column kernel", path);
	if (!status)
		status = read_cell(csv, i, "sigma", path, &row->sigma, err);
	for (size_t j = 0; !status && j < FT_RATES; j++)
		status = read_cell(csv, i, ft_rate_name(j), path, &row->amount[j], err);
	for (size_t j = 0; !status && j < sizeof five / sizeof *five; j++)
		status = read_cell(csv, i, five[j], path, &row->five[j], err);
	if (status)
		return status;
	row->kernel = ft_csv_cell(csv, i, (size_t)kernel);
	row->five[3] = row->amount[FT_RATE_ITEM];
	row->five[4] = 1;
	return FT_OK;
}

/* Takes csv. */
static enum ft_status take_table(struct ft_timed *out, struct ft_csv *csv, const char *path,
				 struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*out = (struct ft_timed){.csv = csv,
				 .n = ft_csv_rows(csv),
				 .device = ft_csv_note(csv, "device"),
				 .driver = ft_csv_note(csv, "driver")};
	out->row = ft_calloc(out->n + 1, sizeof *out->row);
	if (!out->row)
		status = ft_nomem(err);
	for (size_t i = 0; !status && i < out->n; i++)
		status = read_row(csv, i, path, &out->row[i], err);
	if (status)
		ft_timed_clear(out);
	return status;
}

enum ft_status ft_timed_read(struct ft_timed *out, const char *path, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_read(path, ',', &csv, err);

	*out = (struct ft_timed){0};
	return status ? status : take_table(out, csv, path, err);
}

enum ft_status ft_timed_parse(struct ft_timed *out, const char *name, const char *text, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_parse(name, text, strlen(text), ',', &csv, err);

	*out = (struct ft_timed){0};
	return status ? status : take_table(out, csv, name, err);
}

enum ft_status ft_timed_write(const struct ft_timed *timed, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add_note(&text, "device", timed->device);
	ft_text_add_note(&text, "driver", timed->driver);
	ft_text_add(&text, "kernel,seconds,sigma,operations,operations_each,misses_rule");
	for (size_t i = 0; i < FT_RATES; i++)
		ft_text_add(&text, ",%s", ft_rate_name(i));
	for (size_t i = 0; i < timed->n; i++) {
		const struct ft_timed_launch *row = &timed->row[i];

		const double head[] = {row->seconds, row->sigma, row->five[0], row->five[1], row->five[2]};
		size_t size = ft_csv_quote(row->kernel, NULL, 0) + 1, j;
		char *cell = ft_malloc(size);

		if (cell)
			(void)ft_csv_quote(row->kernel, cell, size);
		text.failed |= !cell;
		ft_text_add(&text, "\n%s", cell ? cell : "");
		ft_free(cell);
		for (j = 0; j < sizeof head / sizeof *head + FT_RATES; j++) {
			ft_text_add(&text, ",");
			ft_text_add_number(&text, j < sizeof head / sizeof *head
							  ? head[j]
							  : row->amount[j - sizeof head / sizeof *head]);
		}
	}
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

void ft_timed_clear(struct ft_timed *timed)
{
	if (!timed)
		return;
	ft_free(timed->row);
	ft_csv_free(timed->csv);
	*timed = (struct ft_timed){0};
}

/*
 * Rates from launches that were timed. ln seconds are fitted by Gauss and Newton: each step is least squares
 * with non-negative coefficients on rows divided by their predictions.
 */

/* Huber's: 95 % as efficient as least squares where errors are normal. */
static const double HUBER = 1.345;
/* A prediction is at least this share of the measurement, so that its logarithm exists. */
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

static double predicted_s(const struct rates_fit *f, const double *c, size_t i)
{
	double sum = 0;

	for (size_t j = 0; j < f->k; j++)
		sum += f->x[i * f->k + j] * c[j];
	return fmax(sum, share_least * f->seconds[i]);
}

/* Weighted squares of ln(measured / predicted), which are left in rest. */
static double sum_squares(struct rates_fit *f, const double *c)
{
	double sum = 0;

	for (size_t i = 0; i < f->m; i++) {
		f->rest[i] = log(f->seconds[i] / predicted_s(f, c, i));
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

/* One step of Gauss and Newton, halved until it improves; returns its length, as a share of the
 * predictions. */
static double step_rates(struct rates_fit *f)
{
	double to[FT_NNLS_COLUMNS], at[FT_NNLS_COLUMNS], before = sum_squares(f, f->c), far = 0;
	size_t half;

	for (size_t i = 0; i < f->m; i++) {
		double root = sqrt(f->weight[i]), now = predicted_s(f, f->c, i);

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
		far = fmax(far, fabs(log(predicted_s(f, at, i) / predicted_s(f, f->c, i))));
	if (half < HALVES)
		memcpy(f->c, at, sizeof at);
	return far;
}

/* Starts from relative least squares, whose rows are divided by the measurements. */
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
		double s = fmax(robust_deviation(f), 1e-9);
		for (size_t i = 0; i < f->m; i++) {
			double u = fabs(f->rest[i]);

			f->weight[i] = u <= HUBER * s ? 1 : HUBER * s / u;
		}
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
		double now = predicted_s(f, f->c, i);

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

/* The median error of a kernel's launches, predicted without it; NaN: one was refused. */
static double error_of(struct rates_fit *f, const struct ft_rates *rates, const struct ft_timed_launch *row,
		       size_t n, const char *kernel, double *left_out)
{
	size_t found = 0;
	bool refused = false;

	for (size_t i = 0; i < n; i++) {
		double seconds;

		if (strcmp(row[i].kernel, kernel) != 0)
			continue;
		refused |= ft_rates_predict(rates, row[i].amount, &seconds, NULL) != FT_OK;
		if (left_out)
			left_out[i] = seconds;
		f->sorted[found++] = fabs(log(fmax(seconds, share_least * row[i].seconds) / row[i].seconds));
	}
	return refused ? NAN : ft_stats_median(f->sorted, found);
}

/* ft__is_first - whether row i is the first launch of its kernel. */
static bool ft__is_first(const struct ft_timed_launch *row, size_t i)
{
	size_t k;

	for (k = 0; k < i && strcmp(row[k].kernel, row[i].kernel) != 0; k++)
		;
	return k == i;
}

/* left_tell - of the median errors |ln(predicted / measured)| of each kernel, [n]: the factors that 50 %
 * and 90 % of them do not exceed; NaN: there is none. */
static void left_tell(double *error, size_t n, double *off, double *off_most)
{
	*off = n ? exp(ft_stats_quantile(error, n, 0.5)) : NAN;
	*off_most = n ? exp(ft_stats_quantile(error, n, 0.9)) : NAN;
}

/* launches_check - FT_EINVAL: a launch with invalid seconds or amounts (which). */
static enum ft_status launches_check(const struct ft_timed_launch *row, size_t n, struct ft_err *err)
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

	FT_TRY(launches_check(row, n, err));
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
		/* off: [n] memory. */
		double *off = f.sorted + n;
		struct ft_rates without;

		out->kernels = out->predicted = 0;
		for (size_t i = 0; i < n; i++) {
			if (!ft__is_first(row, i))
				continue;
			out->kernels++;
			if (take_rows(&f, row, n, row[i].kernel, NULL))
				continue;
			solve_rates(&f);
			tell_rates(&f, &without);
			off[out->predicted] = error_of(&f, &without, row, n, row[i].kernel, left_out);
			if (!isnan(off[out->predicted]))
				out->predicted++;
		}
		left_tell(off, out->predicted, &out->off, &out->off_most);
	}
	ft_free(memory);
	return status;
}

/*
 * Support vectors over the document's features, compared to its regression (004 chapter 13, which could not
 * make them agree with its source, and chapter 15): their errors for kernels that never ran.
 */

/* The fifth is 1, which is constant in logarithms. */
enum { FEATURES = FT_RATE_FIVE - 1 };

struct rates_support_left {
	double *x, *y, *ahead,
		*error; /* [n x FEATURES], [n] of the other kernels; [n x FEATURES] of the kernel; [n] */
	size_t *group;  /* [n] which kernel */
	struct ft_estimate *predicted; /* [n] */
};

static enum ft_status reserve_support(struct rates_support_left *l, size_t n, struct ft_err *err)
{
	l->x = ft_calloc(n + 1, (2 * FEATURES + 2) * sizeof *l->x);
	l->group = ft_calloc(n + 1, sizeof *l->group);
	l->predicted = ft_calloc(n + 1, sizeof *l->predicted);
	if (!l->x || !l->group || !l->predicted)
		return ft_nomem(err);
	l->ahead = l->x + n * FEATURES;
	l->y = l->ahead + n * FEATURES;
	l->error = l->y + n;
	return FT_OK;
}

/* One more than each, since some are 0, without a logarithm. */
static void take_features(const struct ft_timed_launch *row, double x[FEATURES])
{
	for (size_t j = 0; j < FEATURES; j++)
		x[j] = 1 + row->five[j];
}

/* error: out, the median of |ln(predicted / measured)| of the kernel's launches. */
static enum ft_status predict_kernel(struct rates_support_left *l, const struct ft_timed_launch *row,
				     size_t n, const char *kernel, double *error, struct ft_err *err)
{
	struct ft_surrogate_problem problem = {
		.k = FEATURES, .q = 1, .x = l->x, .y = l->y, .group = l->group};
	struct ft_surrogate_fit *fit = NULL;
	size_t t, k = 0;

	/* Rows of a kernel are predicted from those of all others. m: of these; t: of the kernel. */
	size_t j, group = 0;

	for (problem.m = t = j = 0; j < n; j++) {
		group += ft__is_first(row, j);
		if (!strcmp(row[j].kernel, kernel)) {
			take_features(&row[j], l->ahead + t++ * FEATURES);
			continue;
		}
		take_features(&row[j], l->x + problem.m * FEATURES);
		l->group[problem.m] = group;
		l->y[problem.m++] = row[j].seconds;
	}
	if (!problem.m)
		return ft_fail(err, FT_ENOMODEL, "there is only one kernel: no other one predicts it");
	enum ft_status status = ft_surrogate_solve(ft_solver_find("svr"), &problem, NULL, &fit, err);
	if (!status)
		status = ft_surrogate_predict(fit, l->ahead, t, 0.9, l->predicted, err);
	ft_surrogate_free(fit);
	for (size_t i = 0; i < n && !status; i++)
		if (!strcmp(row[i].kernel, kernel)) {
			l->y[k] = fabs(log(l->predicted[k].value / row[i].seconds));
			k++;
		}
	*error = status ? NAN : ft_stats_median(l->y, t);
	return status;
}

enum ft_status ft_rates_support(const struct ft_timed_launch *row, size_t n, double *off, double *off_most,
				struct ft_err *err)
{
	struct rates_support_left left = {0};
	enum ft_status status = launches_check(row, n, err);
	size_t kernels = 0;

	for (size_t i = 0; i < n && !status; i++)
		for (size_t j = 0; j < FEATURES && !status; j++)
			if (!(row[i].five[j] >= 0) || !isfinite(row[i].five[j]))
				status = ft_fail(err, FT_EINVAL,
						 "launch %zu, of %s: feature %zu of the five is not known",
						 i + 1, row[i].kernel, j + 1);
	if (!status)
		status = reserve_support(&left, n, err);
	for (size_t i = 0; i < n && !status; i++)
		if (ft__is_first(row, i))
			status = predict_kernel(&left, row, n, row[i].kernel, &left.error[kernels++], err);
	if (!status)
		left_tell(left.error, kernels, off, off_most);
	ft_free(left.x);
	ft_free(left.group);
	ft_free(left.predicted);
	return status;
}

/*
 * Choosing a device for a kernel that never ran there, and the benefit of that.
 */

size_t ft_static_choose(const double *seconds, const bool *busy, size_t devices)
{
	size_t best = devices;

	for (size_t i = 0; i < devices; i++)
		if (!isnan(seconds[i]) && !(busy && busy[i]) &&
		    (best == devices || seconds[i] < seconds[best]))
			best = i;
	return best;
}

/* ln of a device's time relative to the best. */
static double ln_loss(const double *measured, size_t devices, size_t device)
{
	return log(measured[device] / measured[ft_static_choose(measured, NULL, devices)]);
}

static bool all_known(const double *predicted, size_t devices)
{
	size_t d;

	for (d = 0; d < devices && !isnan(predicted[d]); d++)
		;
	return d == devices;
}

enum ft_status ft_static_judge(struct ft_static_record *out, const double *predicted, const double *measured,
			       size_t launches, size_t devices, struct ft_err *err)
{
	double by_static = 0, by_majority = 0;

	if (!launches || !devices)
		return ft_fail(err, FT_EINVAL, "a record needs a launch and a device");
	for (size_t i = 0; i < launches * devices; i++)
		if (!(measured[i] > 0) || !isfinite(measured[i]))
			return ft_fail(err, FT_EINVAL, "launch %zu has a time that is not above 0",
				       i / devices + 1);
	out->launches = launches;
	/* The device that is best most often. */
	size_t most = 0, found = 0;

	for (size_t d = 0; d < devices; d++) {
		size_t times = 0;

		for (size_t i = 0; i < launches; i++)
			times += ft_static_choose(measured + i * devices, NULL, devices) == d;
		if (times > most) {
			most = times;
			found = d;
		}
	}
	out->majority = found;
	for (size_t i = 0; i < launches; i++) {
		const double *each = predicted + i * devices, *took = measured + i * devices;
		size_t chosen =
			all_known(each, devices) ? ft_static_choose(each, NULL, devices) : out->majority;

		by_static += ln_loss(took, devices, chosen);
		by_majority += ln_loss(took, devices, out->majority);
	}
	out->by_static = exp(by_static / (double)launches);
	out->by_majority = exp(by_majority / (double)launches);
	out->abstain = by_static >= by_majority;
	return FT_OK;
}

static bool is_same_launch(const struct ft_timed_launch *a, const struct ft_timed_launch *b)
{
	for (size_t j = 0; j < FT_RATES; j++)
		if (a->amount[j] < b->amount[j] || a->amount[j] > b->amount[j])
			return false;
	return !strcmp(a->kernel, b->kernel);
}

static bool are_alike(const struct ft_timed *timed, size_t devices)
{
	for (size_t k = 1; k < devices; k++) {
		if (timed[k].n != timed[0].n)
			return false;
		for (size_t i = 0; i < timed[0].n; i++)
			if (!is_same_launch(&timed[0].row[i], &timed[k].row[i]))
				return false;
	}
	return devices > 1;
}

enum ft_status ft_static_judge_timed(struct ft_static_record *out, const struct ft_timed *timed,
				     const double *const *left_out, size_t devices, struct ft_err *err)
{
	size_t n = devices ? timed[0].n : 0, i, k;

	if (!are_alike(timed, devices))
		return ft_fail(err, FT_ENOMODEL, "the devices did not make the same launches");
	double *predicted = ft_calloc(2 * n * devices + 1, sizeof *predicted);
	if (!predicted)
		return ft_nomem(err);
	double *measured = predicted + n * devices;
	for (i = 0; i < n; i++)
		for (k = 0; k < devices; k++) {
			predicted[i * devices + k] = left_out[k][i];
			measured[i * devices + k] = timed[k].row[i].seconds;
		}
	enum ft_status status = ft_static_judge(out, predicted, measured, n, devices, err);
	ft_free(predicted);
	return status;
}

struct ft_static_choice ft_static_decide(const double *seconds, size_t devices,
					 const struct ft_static_record *record)
{
	struct ft_static_choice choice = {.best = ft_static_choose(seconds, NULL, devices),
					  .second = devices};

	if (choice.best == devices)
		return choice;
	choice.abstained = record && record->abstain && record->majority != choice.best;
	if (choice.abstained)
		choice.best = record->majority;
	for (size_t i = 0; i < devices; i++)
		if (i != choice.best && !isnan(seconds[i]) &&
		    (choice.second == devices || seconds[i] < seconds[choice.second]))
			choice.second = i;
	return choice;
}
