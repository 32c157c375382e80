/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - how far a model is from a curve: one pass over the pieces of both. */
#include "trace/pwl.h"
#include "base/alloc.h"
#include "num/line.h"
#include "trace/sum.h"

#include <math.h>

/* The largest distance so far. */
static void note_farthest(struct ft_pwl_error *error, double x, double d)
{
	if (fabs(d) > error->max) {
		error->max = fabs(d);
		error->max_at = x;
	}
}

void ft_pwl_compare(const struct ft_pwl *f, const double *t, const double *y, size_t n,
		    struct ft_pwl_error *error)
{
	struct ft__sum square = {0, 0}, area = {0, 0};
	size_t i = 0, j = 0;
	double x = f->t0, d = f->y[0] - y[0];

	*error = (struct ft_pwl_error){.max = fabs(d), .max_at = x, .least = y[0], .most = y[0]};
	while (i + 1 < f->n && j + 1 < n) {
		double data_end = f->t[i + 1], model_end = t[j + 1], next = fmin(data_end, model_end), e;

		e = (data_end <= next ? f->y[i + 1]
				      : ft_line_within(next, f->t[i], f->y[i], data_end, f->y[i + 1])) -
		    (model_end <= next ? y[j + 1] : ft_line_within(next, t[j], y[j], model_end, y[j + 1]));
		square = ft__sum_add(square, (next - x) * (d * d + d * e + e * e) / 3);
		note_farthest(error, next, e);
		x = next;
		d = e;
		i += data_end <= next;
		j += model_end <= next;
	}
	for (j = 1; j < n; j++) {
		area = ft__sum_add(area, (t[j] - t[j - 1]) * (y[j - 1] / 2 + y[j] / 2));
		error->least = fmin(error->least, y[j]);
		error->most = fmax(error->most, y[j]);
	}
	error->rms = sqrt((square.high + square.low) / f->length);
	error->area = area.high + area.low;
	error->area_data = ft_pwl_integral(f, f->t0, f->t[f->n - 1]);
}

void ft_nodes_clear(struct ft_nodes *nodes)
{
	if (!nodes)
		return;
	ft_free(nodes->t);
	ft_free(nodes->y);
	*nodes = (struct ft_nodes){0};
}

double ft_nodes_at(const struct ft_nodes *nodes, double t)
{
	size_t i = ft_count_upto(nodes->t + 1, nodes->n - 2, t); /* the piece: nodes before it */

	return ft_line_within(t, nodes->t[i], nodes->y[i], nodes->t[i + 1], nodes->y[i + 1]);
}
