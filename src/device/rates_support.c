/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates_support.c - support vectors over the document's features, beside its regression (004 chapter 13,
 * which could not make them agree with its source, and chapter 15): how far they are off for kernels that
 * never ran. */
#include "base/alloc.h"
#include "device/left.h"
#include "foretime/surrogate.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* The fifth is 1: it tells nothing where logarithms are taken. */
enum { FEATURES = FT_RATE_FIVE - 1 };

struct rates_support_left {
	double *x, *y, *ahead, *error; /* [n x FEATURES], [n] of others; [n x FEATURES] of the kernel; [n] */
	size_t *group;                 /* [n] which kernel */
	struct ft_estimate *told;      /* [n] */
};

static enum ft_status make_room(struct rates_support_left *l, size_t n, struct ft_err *err)
{
	l->x = ft_calloc(n + 1, (2 * FEATURES + 2) * sizeof *l->x);
	l->group = ft_calloc(n + 1, sizeof *l->group);
	l->told = ft_calloc(n + 1, sizeof *l->told);
	if (!l->x || !l->group || !l->told)
		return ft_nomem(err);
	l->ahead = l->x + n * FEATURES;
	l->y = l->ahead + n * FEATURES;
	l->error = l->y + n;
	return FT_OK;
}

static void clear_left(struct rates_support_left *l)
{
	ft_free(l->x);
	ft_free(l->group);
	ft_free(l->told);
}

/* One more than each: some are 0, and none has a logarithm then. */
static void take_features(const struct ft_timed_launch *row, double x[FEATURES])
{
	for (size_t j = 0; j < FEATURES; j++)
		x[j] = 1 + row->five[j];
}

/* Rows of a kernel are foretold by those of all others. m: of these; t: of the kernel. */
static void split_rows(struct rates_support_left *l, const struct ft_timed_launch *row, size_t n,
		       const char *kernel, size_t *m, size_t *t)
{
	size_t i, group = 0;

	for (*m = *t = i = 0; i < n; i++) {
		group += ft__is_first(row, i);
		if (!strcmp(row[i].kernel, kernel)) {
			take_features(&row[i], l->ahead + (*t)++ * FEATURES);
			continue;
		}
		take_features(&row[i], l->x + *m * FEATURES);
		l->group[*m] = group;
		l->y[(*m)++] = row[i].seconds;
	}
}

/* error: out, |ln(foretold / measured)| of the kernel's launches, in the middle. */
static enum ft_status foretell_kernel(struct rates_support_left *l, const struct ft_timed_launch *row,
				      size_t n, const char *kernel, double *error, struct ft_err *err)
{
	struct ft_surrogate_problem problem = {
		.k = FEATURES, .q = 1, .x = l->x, .y = l->y, .group = l->group};
	struct ft_surrogate_fit *fit = NULL;
	size_t t, k = 0;

	split_rows(l, row, n, kernel, &problem.m, &t);
	if (!problem.m)
		return ft_fail(err, FT_ENOMODEL, "there is only one kernel: no other one predicts it");
	enum ft_status status = ft_surrogate_solve(ft_solver_find("svr"), &problem, NULL, &fit, err);
	if (!status)
		status = ft_surrogate_predict(fit, l->ahead, t, 0.9, l->told, err);
	ft_surrogate_free(fit);
	for (size_t i = 0; i < n && !status; i++)
		if (!strcmp(row[i].kernel, kernel)) {
			l->y[k] = fabs(log(l->told[k].value / row[i].seconds));
			k++;
		}
	*error = status ? NAN : ft_stats_median(l->y, t);
	return status;
}

enum ft_status ft_rates_support(const struct ft_timed_launch *row, size_t n, double *off, double *off_most,
				struct ft_err *err)
{
	struct rates_support_left left = {0};
	enum ft_status status = ft__launches_check(row, n, err);
	size_t kernels = 0;

	for (size_t i = 0; i < n && !status; i++)
		for (size_t j = 0; j < FEATURES && !status; j++)
			if (!(row[i].five[j] >= 0) || !isfinite(row[i].five[j]))
				status = ft_fail(err, FT_EINVAL,
						 "launch %zu, of %s: feature %zu of the five is not known",
						 i + 1, row[i].kernel, j + 1);
	if (!status)
		status = make_room(&left, n, err);
	for (size_t i = 0; i < n && !status; i++)
		if (ft__is_first(row, i))
			status = foretell_kernel(&left, row, n, row[i].kernel, &left.error[kernels++], err);
	if (!status)
		ft__left_tell(left.error, kernels, off, off_most);
	clear_left(&left);
	return status;
}
