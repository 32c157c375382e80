/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - for nodes at given times the best values, the error F, and its gradient in O(n). */
#include "trace/place.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum ft_status ft__placing_init(struct ft__placing *place, struct ft_arena *arena, const struct ft_pwl *f,
				enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	*place = (struct ft__placing){.f = f,
				      .ends = ends,
				      .most = most,
				      .x = ft_arena_take(arena, most, sizeof(double)),
				      .y = ft_arena_take(arena, most, sizeof(double)),
				      .g = ft_arena_take(arena, most, sizeof(double)),
				      .span = ft_arena_take(arena, most, sizeof *place->span),
				      .below = ft_arena_take(arena, most, sizeof(double)),
				      .right = ft_arena_take(arena, most, sizeof(double)),
				      .try_x = ft_arena_take(arena, most, sizeof(double)),
				      .direction = ft_arena_take(arena, most, sizeof(double)),
				      .scaled = ft_arena_take(arena, most, sizeof(double)),
				      .before = ft_arena_take(arena, most, sizeof(double))};
	return ft_arena_check(arena, err);
}

double ft__placing_gap(const struct ft_pwl *f)
{
	return 1e-12 * f->length;
}

/* The integrals of the document's u and v (003 section 2.1), from the span's line. */
static double weighted_right(const struct ft__span *s)
{
	return s->h * (s->mean / 2 + s->slope * s->h / 12);
}

static double weighted_left(const struct ft__span *s)
{
	return s->h * (s->mean / 2 - s->slope * s->h / 12);
}

/* The tridiagonal system A y = b of 003 section 2.1, eliminated from the left. The end values are those of
 * the curve, or have rows of their own. */
static void solve_nodes(struct ft__placing *w)
{
	size_t last = w->n - 1;
	bool fixed = w->ends == FT_PWL_FIXED;
	double *y = w->y, *below = w->below;

	for (size_t j = 0; j <= last; j++) {
		double left = j ? w->span[j - 1].h : 0, right = j < last ? w->span[j].h : 0;
		double b = 6 * ((j ? weighted_right(&w->span[j - 1]) : 0) +
				(j < last ? weighted_left(&w->span[j]) : 0));
		double pivot = 2 * (left + right);

		if (fixed && (!j || j == last)) {
			y[j] = ft__pwl_value(w->f, w->x[j]);
			below[j] = 0;
			continue;
		}
		if (j) {
			pivot -= left * below[j - 1];
			b -= left * y[j - 1];
		}
		below[j] = right / pivot;
		y[j] = b / pivot;
	}
	for (size_t j = last; j-- > 0;)
		y[j] -= below[j] * y[j + 1];
}

/* dF/dx_l = 2 R_l (m_l - m_{l+1}). R_l can be had from either side of the node: at the best y the two differ
 * in sign only. The mean of both is the less sensitive to rounding. */
static void set_gradient(struct ft__placing *w)
{
	w->g[0] = w->g[w->n - 1] = 0;
	for (size_t l = 1; l + 1 < w->n; l++) {
		const struct ft__span *a = &w->span[l - 1], *b = &w->span[l];
		double ma = (w->y[l] - w->y[l - 1]) / a->h, mb = (w->y[l + 1] - w->y[l]) / b->h;
		double right =
			a->h * ((a->mean - (w->y[l - 1] + w->y[l]) / 2) / 2 + (a->slope - ma) * a->h / 12);
		double left =
			b->h * ((b->mean - (w->y[l] + w->y[l + 1]) / 2) / 2 - (b->slope - mb) * b->h / 12);

		w->g[l] = (right - left) * (ma - mb);
	}
}

double ft__placing_look(struct ft__placing *w, const double *x, size_t n)
{
	assert(n >= 2 && n <= w->most);
	w->n = n;
	w->evaluations++;
	if (x != w->x)
		memcpy(w->x, x, n * sizeof *x);
	ft__pwl_spans(w->f, w->x, n, w->span);
	solve_nodes(w);
	set_gradient(w);
	w->square = 0;
	for (size_t j = 0; j + 1 < n; j++)
		w->square += ft__span_square(&w->span[j], w->y[j], w->y[j + 1]);
	return w->square;
}

/* ---- as the header has it ------------------------------------------------------------------------------ */

static enum ft_status check_nodes(const struct ft_pwl *f, const double *x, size_t n, struct ft_err *err)
{
	if (n < 2)
		return ft_fail(err, FT_EINVAL, "a model needs two nodes");
	if (x[0] != ft_pwl_begin(f) || x[n - 1] != ft_pwl_end(f))
		return ft_fail(err, FT_EINVAL,
			       "the first and the last node are not at the ends of the trace");
	for (size_t i = 1; i < n; i++)
		if (!(x[i] > x[i - 1]))
			return ft_fail(err, FT_EINVAL, "node %zu is not later than the one before", i);
	return FT_OK;
}

enum ft_status ft_pwl_place(const struct ft_pwl *f, const double *x, size_t n, enum ft_pwl_ends ends,
			    double *y, double *gradient_out, double *square, struct ft_err *err)
{
	struct ft__placing place;
	FT_ARENA(work);

	FT_TRY(check_nodes(f, x, n, err));
	FT_TRY(ft__placing_init(&place, &work, f, ends, n, err));
	for (size_t i = 0; i < n; i++)
		place.x[i] = x[i] - f->t0;
	(void)ft__placing_look(&place, place.x, n);
	for (size_t i = 0; i < n; i++)
		y[i] = f->y0 + place.y[i];
	if (ends == FT_PWL_FIXED) {
		y[0] = f->y[0];
		y[n - 1] = f->y[f->n - 1];
	}
	if (gradient_out)
		memcpy(gradient_out, place.g, n * sizeof *gradient_out);
	if (square)
		*square = place.square;
	return FT_OK;
}
