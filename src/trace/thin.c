/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thin.c - few points of a trace of many, so that a picture of it loses no spike. */
#include "base/alloc.h"
#include "num/order.h"
#include "foretime/trace.h"

#include <math.h>

/* Points of one column of the picture that are picked, in order. */
enum { PICKED = 4 };

struct thinner {
	const struct ft_trace *trace;
	struct ft_nodes *out;
	double begin, width; /* of the first column; of each */
	size_t columns;
};

static void add_point(struct thinner *thinner, double t, double y)
{
	struct ft_nodes *out = thinner->out;

	out->t[out->n] = t;
	out->y[out->n++] = y;
}

/* Of points i .. end - 1, which lie in one column. */
static void pick_points(struct thinner *thinner, size_t i, size_t end)
{
	const double *y = thinner->trace->y;
	size_t least = i, most = i, j, at[PICKED];

	for (j = i; j < end; j++) {
		least = y[j] < y[least] ? j : least;
		most = y[j] > y[most] ? j : most;
	}
	at[0] = i;
	at[1] = least < most ? least : most;
	at[2] = least < most ? most : least;
	at[3] = end - 1;
	for (j = 0; j < PICKED; j++)
		if (!j || at[j] > at[j - 1])
			add_point(thinner, thinner->trace->t[at[j]], y[at[j]]);
}

/* Left and right of the picture there is one more column each. */
static double column_of(const struct thinner *thinner, double t)
{
	double at = floor((t - thinner->begin) / thinner->width);

	return fmin(fmax(at, -1), (double)thinner->columns);
}

/* Points of one part, i .. end - 1. */
static void thin_part(struct thinner *thinner, size_t i, size_t end, bool whole)
{
	const double *t = thinner->trace->t;

	while (i < end) {
		double of = column_of(thinner, t[i]);
		size_t j = i + 1;

		while (!whole && j < end && column_of(thinner, t[j]) == of)
			j++;
		pick_points(thinner, i, j);
		i = j;
	}
}

/* Points first .. last - 1, part behind part. */
static void thin_parts(struct thinner *thinner, size_t first, size_t last, bool whole)
{
	const struct ft_trace *trace = thinner->trace;

	for (size_t i = 0; i < trace->n_parts; i++) {
		size_t begin = trace->part[i] > first ? trace->part[i] : first;
		size_t end = trace->part[i + 1] < last ? trace->part[i + 1] : last;

		if (begin >= end)
			continue;
		if (thinner->out->n)
			add_point(thinner, trace->t[begin - 1] / 2 + trace->t[begin] / 2, NAN);
		thin_part(thinner, begin, end, whole);
	}
}

enum ft_status ft_trace_thin(struct ft_nodes *out, const struct ft_trace *trace, double begin, double end,
			     size_t columns, struct ft_err *err)
{
	struct thinner thinner = {trace, out, begin, (end - begin) / (double)columns, columns};

	*out = (struct ft_nodes){0};
	if (!(begin < end) || !isfinite(end - begin) || !columns) {
		(void)ft_fail(err, FT_EINVAL, "a picture from %.15g to %.15g of %zu columns shows nothing",
			      begin, end, columns);
		return ft_remedy(err, "name two times, the earlier one first");
	}
	size_t first = ft_count_upto(trace->t, trace->n, begin);
	size_t last = ft_count_below(trace->t, trace->n, end);
	first -= first > 0;
	last += last < trace->n;
	bool whole = (last - first) / PICKED <= columns;
	size_t most = (whole ? last - first : PICKED * (columns + 2 + trace->n_parts)) + trace->n_parts;
	out->t = ft_malloc(most * sizeof *out->t);
	out->y = ft_malloc(most * sizeof *out->y);
	if (!out->t || !out->y) {
		ft_nodes_clear(out);
		return ft_nomem(err);
	}
	thin_parts(&thinner, first, last, whole);
	return FT_OK;
}
