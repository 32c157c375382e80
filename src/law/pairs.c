/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairs.c - the belief in laws of two common terms and a constant: over the logarithms of the second
 * term's share beside the first, and of the constant's beside both, at the largest size.
 *
 * Few sizes hardly tell a constant, a slower and a faster term apart: what is likely is a narrow ridge, which
 * a grid along the axes would mostly miss. But for each ratio of the terms the two are one shape, and what
 * constant goes with it best, and how well that is known, is had in closed form. So the ratio is looked at
 * first, each with its best constant, and brought closer; then the constant, around that best one. */
#include "law/laws.h"

#include <math.h>

enum { RATIOS = 8, CONSTANTS = 6, ENOUGH = 5, ROUNDS = 6 };

/* ln of the constant over both terms; ln of the second over the first. Lower where the sizes span so much
 * that what is less at the largest still counts at the smallest. */
static const double lowest[2] = {-8, -6}, high[2] = {4, 6};

/* Pairs so many nats below the best pair are left out; how far constants are looked at on both sides of the
 * best one. */
static const double hopeless = 8, deviations = 5;

/* A pair, and what was found of its ratios. */
struct pair {
	unsigned char shape[2];
	double low[2];                          /* of the logarithms */
	double least, most;                     /* of the constant */
	double from, step;                      /* ln ratio */
	double ratio[RATIOS], constant[RATIOS]; /* the best one */
	double ln[RATIOS], square[RATIOS];      /* as of ft__law_cells */
	double top;                             /* of ln */
};

/* The least that is considered of a part: a third of the faster term at the smallest size. */
static double low_of(const struct ft__law_data *data, const struct pair *pair, size_t d)
{
	const double *fast = ft__law_g(data, pair->shape[0]);
	const double *part = ft__law_g(data, d ? pair->shape[1] : FT__CONSTANT);
	size_t k = fast[0] > 0 && part[0] > 0 ? 0 : 1;

	return fmin(lowest[d], log(fast[k] / part[k]) - 1);
}

/* Both terms as one shape, 1 at the largest size. */
static void join_shapes(const struct ft__law_data *data, const struct pair *pair, double ratio, double *g)
{
	const double *first = ft__law_g(data, pair->shape[0]), *second = ft__law_g(data, pair->shape[1]);

	for (size_t k = 0; k < data->n; k++)
		g[k] = (first[k] + ratio * second[k]) / (1 + ratio);
}

/* The constant that goes best with a shape: least squares of relative errors. */
static double best_constant(const struct ft__law_data *data, const struct pair *pair, const double *g)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0;

	for (size_t k = 0; k < data->n; k++) {
		double w = data->weight[k], wg = w * g[k], m = data->mean[k];

		s += w;
		sg += wg;
		sgg += wg * g[k];
		sm += w * m;
		sgm += wg * m;
	}
	double c1 = s * sgm - sg * sm;
	double c0 = sm * sgg - sg * sgm;
	double rho = c0 <= 0 ? 0 : c1 > 0 ? c0 / c1 : INFINITY;
	return rho < pair->least ? pair->least : rho > pair->most ? pair->most : rho;
}

/* One standard deviation of its logarithm. */
static double error_of(const struct ft__law_data *data, const double *g, double rho, double square)
{
	double mean = 0, sum = 0;

	for (size_t k = 0; k < data->n; k++) {
		double z = rho / (rho + g[k]);

		mean += data->count[k] * z;
		sum += data->count[k] * z * z;
	}
	sum -= mean * mean / data->total;
	return sqrt(square / fmax(data->total + data->extra - 2, 1) / fmax(sum, 1e-300));
}

static void set_cell(struct ft__law_cells *cells, size_t i, double constant, double ratio)
{
	cells->part[0][i] = constant * (1 + ratio);
	cells->part[1][i] = 1;
	cells->part[2][i] = ratio;
}

static void prepare_cells(struct ft__law_cells *cells, const struct pair *pair, size_t n)
{
	cells->terms = 2;
	cells->n = n;
	cells->shape[0] = pair->shape[0];
	cells->shape[1] = pair->shape[1];
}

/* Each ratio between two ends with its best constant. */
static void try_ratios(const struct ft__law_data *data, struct pair *pair, struct ft__law_cells *cells)
{
	double ratio = exp(pair->from + pair->step / 2), factor = exp(pair->step);

	prepare_cells(cells, pair, RATIOS);
	pair->top = -INFINITY;
	for (size_t i = 0; i < RATIOS; i++, ratio *= factor) {
		join_shapes(data, pair, ratio, data->r);
		pair->constant[i] = best_constant(data, pair, data->r);
		pair->ratio[i] = ratio;
		set_cell(cells, i, pair->constant[i], ratio);
	}
	ft__law_evidence(data, cells);
	for (size_t i = 0; i < RATIOS; i++) {
		pair->ln[i] = cells->ln[i];
		pair->square[i] = cells->square[i];
		pair->top = pair->ln[i] > pair->top ? pair->ln[i] : pair->top; /* fmax is a call */
	}
}

/* Bring the ratios closer around those that matter. */
static void focus_ratios(const struct ft__law_data *data, struct pair *pair, struct ft__law_cells *cells)
{
	double to = high[1];

	pair->low[0] = low_of(data, pair, 0);
	pair->low[1] = low_of(data, pair, 1);
	pair->least = exp(pair->low[0]);
	pair->most = exp(high[0]);
	pair->from = pair->low[1];
	for (int round = 0;; round++) {
		size_t first, last;
		double from = pair->from;

		pair->step = (to - from) / RATIOS;
		try_ratios(data, pair, cells);
		if (ft__law_inside(pair->ln, RATIOS, pair->top, &first, &last) >= ENOUGH || round == ROUNDS)
			return;
		pair->from = fmax(pair->low[1], from + ((double)first - 1) * pair->step);
		to = fmin(high[1], from + ((double)last + 2) * pair->step);
	}
}

/* Around the best constant of each ratio that matters. */
static enum ft_status weigh_ratios(const struct ft__law_data *data, const struct pair *pair, double prior,
				   struct ft__law_cells *cells, struct ft__law_points *points,
				   struct ft_err *err)
{
	double width[RATIOS]; /* ln of what a cell of the ratio stands for */
	size_t n = 0, rows = 0;

	for (size_t i = 0; i < RATIOS; i++) {
		if (pair->ln[i] < pair->top - FT__LAW_NEGLIGIBLE)
			continue;
		join_shapes(data, pair, pair->ratio[i], data->r);
		double centre = log(pair->constant[i]);
		double reach = deviations * error_of(data, data->r, pair->constant[i], pair->square[i]);
		double a = fmax(pair->low[0], centre - reach);
		double b = fmin(high[0], centre + reach);
		double constant = exp(a + (b - a) / (2 * CONSTANTS));
		double factor = exp((b - a) / CONSTANTS);
		for (size_t j = 0; j < CONSTANTS; j++, constant *= factor)
			set_cell(cells, n++, constant, pair->ratio[i]);
		width[rows++] = log((b - a) / CONSTANTS);
	}
	prepare_cells(cells, pair, n);
	ft__law_evidence(data, cells);
	for (size_t i = 0; i < n; i++)
		cells->ln[i] += width[i / CONSTANTS];
	prior += log(pair->step / (high[1] - pair->low[1]) / (high[0] - pair->low[0]));
	return ft__law_points_take(points, data, cells, prior, err);
}

enum ft_status ft__law_weigh_pairs(const struct ft__law_data *data, struct ft__law_points *points,
				   struct ft_err *err)
{
	struct ft__law_choice choice = {.terms = 2};
	struct pair pair[FT__LAW_PAIRS];
	struct ft__law_cells cells;
	enum ft_status status = FT_OK;
	double top = -INFINITY;
	size_t n = 0;

	for (size_t k = 0; k < data->n; k++)
		data->weight[k] = data->count[k] / (data->mean[k] * data->mean[k]);
	while (ft__law_choose(data, &choice)) {
		pair[n].shape[0] = choice.shape[0];
		pair[n].shape[1] = choice.shape[1];
		focus_ratios(data, &pair[n], &cells);
		top = fmax(top, pair[n++].top);
	}
	for (size_t i = 0; i < n && !status; i++)
		if (pair[i].top >= top - hopeless)
			status = weigh_ratios(data, &pair[i], -log((double)n), &cells, points, err);
	return status;
}
