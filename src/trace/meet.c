/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meet.c - several columns of one file, with the same times. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "num/line.h"
#include "num/order.h"

#include <math.h>
#include <string.h>

/* What a column's times are later than those of the first by. */
static double shift_of(const struct ft_trace *trace, size_t k)
{
	return trace->dated ? (double)(trace[k].origin_ns - trace->origin_ns) / 1e9 : 0;
}

static bool are_same(const struct ft_trace *trace, size_t m)
{
	for (size_t k = 1; k < m; k++)
		if (trace[k].n != trace->n || shift_of(trace, k) != 0 ||
		    memcmp(trace[k].t, trace->t, trace->n * sizeof *trace->t) != 0)
			return false;
	return true;
}

/* The times of all within [begin, end], once each. */
static size_t collect_times(const struct ft_trace *trace, size_t m, double begin, double end, double *t)
{
	size_t n = 0, kept = 0;

	for (size_t k = 0; k < m; k++)
		for (size_t i = 0; i < trace[k].n; i++) {
			double at = trace[k].t[i] + shift_of(trace, k);

			if (at >= begin && at <= end)
				t[n++] = at;
		}
	ft_sort(t, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || t[i] > t[kept - 1])
			t[kept++] = t[i];
	return kept;
}

/* The values of a curve at ascending times within it. */
static void read_values(const struct ft_trace *trace, double later, const double *t, size_t n, double *y)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		double x = t[i] - later;

		while (at + 2 < trace->n && trace->t[at + 1] <= x)
			at++;
		y[i] = ft_line_within(x, trace->t[at], trace->y[at], trace->t[at + 1], trace->y[at + 1]);
	}
}

/* [m + 1][n] the times, then the values of each. */
static void take_shared(struct ft_trace *trace, size_t m, double **made, size_t n)
{
	for (size_t k = 0; k < m; k++) {
		ft_free(trace[k].t);
		ft_free(trace[k].y);
		trace[k].t = made[2 * k];
		trace[k].y = made[2 * k + 1];
		trace[k].n = n;
		trace[k].part[1] = n;
		trace[k].origin_ns = trace->origin_ns;
	}
}

static enum ft_status share_times(struct ft_trace *trace, size_t m, double begin, double end,
				  struct ft_err *err)
{
	double **made = ft_calloc(2 * m, sizeof *made);
	size_t all = 0, n = 0;
	bool good = made;

	for (size_t k = 0; k < m; k++)
		all += trace[k].n;
	for (size_t k = 0; good && k < m; k++) {
		made[2 * k] = ft_malloc(all * sizeof **made);
		made[2 * k + 1] = ft_malloc(all * sizeof **made);
		good = made[2 * k] && made[2 * k + 1];
		if (!good)
			break;
		if (k)
			memcpy(made[2 * k], made[0], n * sizeof **made);
		else
			n = collect_times(trace, m, begin, end, made[0]);
		read_values(&trace[k], shift_of(trace, k), made[0], n, made[2 * k + 1]);
	}
	if (good)
		take_shared(trace, m, made, n);
	for (size_t k = 0; made && !good && k < 2 * m; k++)
		ft_free(made[k]);
	ft_free(made);
	return good ? FT_OK : ft_nomem(err);
}

enum ft_status ft_traces_meet(struct ft_trace *trace, size_t m, struct ft_err *err)
{
	double begin = -INFINITY, end = INFINITY;

	for (size_t k = 0; k < m; k++) {
		if (trace[k].n_parts != 1) {
			(void)ft_fail(err, FT_EINVAL, "column %s is in parts", trace[k].value_column);
			(void)ft_remedy(err, "join the parts, or take one column at a time");
			return FT_EINVAL;
		}
		begin = fmax(begin, trace[k].t[0] + shift_of(trace, k));
		end = fmin(end, trace[k].t[trace[k].n - 1] + shift_of(trace, k));
	}
	if (!(begin < end)) {
		(void)ft_fail(err, FT_EINVAL, "columns %s and %s have no time in common", trace->value_column,
			      trace[m - 1].value_column);
		(void)ft_remedy(err, "take columns that have values at the same times");
		return FT_EINVAL;
	}
	return are_same(trace, m) ? FT_OK : share_times(trace, m, begin, end, err);
}
