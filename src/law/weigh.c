/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weigh.c - the belief in laws of one term: for each shape a grid over rho, the constant's share beside
 * the term at the largest size. */
#include "law/laws.h"

#include <math.h>

enum { GRID = 20, ENOUGH = 8, ROUNDS = 7 };

/* Laws that are so many nats less likely than the best are left out; by the score, which is no more than a
 * guess of the evidence, only those that are farther below. */
static const double hopeless = 10, far = 20;

/* The constant is 1/100 of the term at the first size at least, or as much as can be seen there where that is
 * less, or none; and so is the term of the constant at the largest size: less than is seen may still grow. */
static const double least_share = 0.01;

/* The error of a mean, relative, by the best law. */
static double visible_share(const struct ft__law_data *data, const struct ft__law_best *best)
{
	double square = best->square + data->scatter + data->floor + data->supposed;

	return sqrt(square / fmax(data->total + data->extra - 2, 1) * (double)data->n / data->total);
}

/* Where the shape is 0 at the first size, the second one says how small rho may be. Of one that falls the
 * ends are the other way about. */
static double least_rho(const double *g, double share)
{
	return share * fmin(g[0] > 0 ? g[0] : g[1], 1);
}

static double most_rho(const double *g, double share)
{
	return fmax(g[0], 1) / share;
}

/* How well ln rho is known: one standard deviation, from the law's slope in it. */
static double error_of(const struct ft__law_data *data, const double *g, double rho, double square)
{
	double mean = 0, sum = 0;

	for (size_t k = 0; k < data->n; k++) {
		data->r[k] = rho / (rho + g[k]);
		mean += data->count[k] * data->r[k];
	}
	mean /= data->total;
	for (size_t k = 0; k < data->n; k++)
		sum += data->count[k] * (data->r[k] - mean) * (data->r[k] - mean);
	return sqrt(square / fmax(data->total + data->extra - 2, 1) / fmax(sum, 1e-300));
}

size_t ft__law_inside(const double *ln, size_t n, double top, size_t *first, size_t *last)
{
	size_t inside = 0;

	*first = n;
	*last = 0;
	for (size_t i = 0; i < n; i++) {
		if (ln[i] < top - FT__LAW_NEGLIGIBLE)
			continue;
		*first = inside++ ? *first : i;
		*last = i;
	}
	return inside;
}

/* Evidences on a grid between a and b, brought closer around those that matter. */
static void search_grid(const struct ft__law_data *data, double *a, double *b, struct ft__law_cells *cells)
{
	double low = *a, high = *b;

	for (int round = 0;; round++) {
		double step = (*b - *a) / GRID, top = -INFINITY, start = *a, ratio = exp(step);
		size_t first, last;

		for (size_t i = 0; i < GRID; i++)
			cells->part[0][i] = i ? cells->part[0][i - 1] * ratio : exp(start + step / 2);
		ft__law_evidence(data, cells);
		for (size_t i = 0; i < GRID; i++)
			top = cells->ln[i] > top ? cells->ln[i] : top; /* fmax is a call */
		if (ft__law_inside(cells->ln, GRID, top, &first, &last) >= ENOUGH || round == ROUNDS)
			return;
		*a = fmax(low, start + ((double)first - 1) * step);
		*b = fmin(high, start + ((double)last + 2) * step);
	}
}

/* What is known of one shape after a first look: at the best rho, and at 0. */
struct look {
	double rho, square;       /* the best law's */
	double with, without, ln; /* ln evidence; the better of both, with the prior */
};

static void prepare_cells(struct ft__law_cells *cells, size_t shape, size_t n)
{
	cells->terms = 1;
	cells->n = n;
	cells->shape[0] = (unsigned char)shape;
	for (size_t i = 0; i < n; i++)
		cells->part[1][i] = shape == FT__CONSTANT ? 0 : 1;
}

static struct look look_at_shape(const struct ft__law_data *data, size_t shape, double share,
				 const struct ft__law_best *best, struct ft__law_cells *cells)
{
	const double *g = ft__law_g(data, shape), most = most_rho(g, share);
	struct look look = {.square = best->square + data->scatter + data->floor + data->supposed};

	prepare_cells(cells, shape, 2);
	look.rho = best->c1 > 0 ? fmin(fmax(best->c0 / best->c1, least_rho(g, share)), most) : most;
	cells->part[0][0] = shape == FT__CONSTANT ? 1 : look.rho;
	cells->part[0][1] = shape == FT__CONSTANT ? 1 : g[0] > 0 ? 0 : least_rho(g, share);
	ft__law_evidence(data, cells);
	look.with = cells->ln[0];
	look.without = cells->ln[1];
	look.ln = fmax(look.with, look.without) + log(data->prior[shape]);
	return look;
}

static enum ft_status weigh_shape(const struct ft__law_data *data, size_t shape, double share,
				  const struct look *look, struct ft__law_cells *cells,
				  struct ft__law_points *points, struct ft_err *err)
{
	const double *g = ft__law_g(data, shape);
	double low = log(least_rho(g, share)), high = log(most_rho(g, share)), range = high - low;
	double prior = log(data->prior[shape]);
	double none = fmax(0.05, 1 - range / 20), centre, reach, a, b;

	prepare_cells(cells, shape, 1);
	cells->part[0][0] = shape == FT__CONSTANT ? 1 : g[0] > 0 ? 0 : least_rho(g, share);
	ft__law_evidence(data, cells);
	if (shape == FT__CONSTANT)
		return ft__law_points_take(points, data, cells, prior, err);
	FT_TRY(ft__law_points_take(points, data, cells, prior + log(none), err));
	centre = fmin(fmax(log(look->rho), low), high);
	reach = 7 * error_of(data, g, exp(centre), look->square);
	a = fmax(low, centre - reach);
	b = fmin(high, centre + reach);
	prepare_cells(cells, shape, GRID);
	search_grid(data, &a, &b, cells);
	return ft__law_points_take(points, data, cells, prior + log((1 - none) * (b - a) / GRID / range),
				   err);
}

enum ft_status ft__law_weigh(const struct ft__law_data *data, const struct ft__law_best *best,
			     struct ft__law_points *points, struct ft_err *err)
{
	struct look look[FT__LAW_ALL];
	struct ft__law_cells cells;
	double top = -INFINITY;
	enum ft_status status = FT_OK;
	size_t highest = 0;

	for (size_t i = 1; i < FT__LAW_ALL; i++)
		if (best[i].score > best[highest].score) /* -INFINITY where the shape does not exist */
			highest = i;
	double share = fmin(least_share, visible_share(data, &best[highest]));
	for (size_t i = 0; i < FT__LAW_ALL; i++) {
		look[i].ln = -INFINITY;
		if (isnan(data->scale[i]) || best[i].score < best[highest].score - far)
			continue;
		look[i] = look_at_shape(data, i, share, &best[i], &cells);
		top = fmax(top, look[i].ln);
	}
	for (size_t i = 0; i < FT__LAW_ALL && !status; i++)
		if (look[i].ln >= top - hopeless)
			status = weigh_shape(data, i, share, &look[i], &cells, points, err);
	return status;
}
