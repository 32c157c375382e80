/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c - how likely many laws make the samples, at once; and the points that come of it.
 *
 * Errors are relative, normal, of one unknown size s; the level A of a law A r is unknown too. Both are
 * integrated away in closed form (Jeffreys' priors), the level by Laplace's approximation: with q = mean / r,
 * counts R and N = sum R,
 *
 *	A = sum R q^2 / sum R q,    SS = N - (sum R q)^2 / sum R q^2 + scatter,
 *	ln evidence = -(N - 1)/2 ln SS - sum R ln r - N ln A + constant.
 *
 * The loops run over laws inside, sizes outside: compilers make vectors of that. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/ln.h"

#include <math.h>
#include <string.h>

enum { CELLS = FT__LAW_CELLS, PRODUCT = 8 };

struct evidence_sums {
	double q1[CELLS], q2[CELLS];
	double product[CELLS], logs[CELLS]; /* of r */
	double work[CELLS];
};

static void add_size(const struct ft__law_data *data, const struct ft__law_cells *cells, size_t k,
		     struct evidence_sums *sums)
{
	double g[FT_LAW_MIXED] = {0}, mean = data->mean[k], count = data->count[k];

	for (size_t t = 0; t < cells->terms; t++)
		g[t] = ft__law_g(data, cells->shape[t])[k];
	for (size_t i = 0; i < cells->n; i++) {
		double r = cells->part[0][i] + cells->part[1][i] * g[0], q;

		if (cells->terms > 1)
			r += cells->part[2][i] * g[1];
		if (cells->terms > 2)
			r += cells->part[3][i] * g[2];
		q = mean / r;
		sums->q1[i] += count * q;
		sums->q2[i] += count * q * q;
		sums->product[i] *= r;
	}
}

/* Logarithms are dear: one for eight sizes, where these have as many samples each. */
static void take_logs(const struct ft__law_data *data, const struct ft__law_cells *cells, size_t k,
		      struct evidence_sums *sums)
{
	if (data->alike && k % PRODUCT != PRODUCT - 1 && k + 1 < data->n)
		return;
	ft_ln_many(sums->product, cells->n, sums->work);
	for (size_t i = 0; i < cells->n; i++) {
		/* ft_ln_many set it. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		sums->logs[i] += data->count[k] * sums->work[i];
		sums->product[i] = 1;
	}
}

void ft__law_evidence(const struct ft__law_data *data, struct ft__law_cells *cells)
{
	double rest = data->scatter + data->floor + data->supposed;
	struct evidence_sums sums;

	for (size_t i = 0; i < cells->n; i++) {
		sums.q1[i] = sums.q2[i] = sums.logs[i] = 0;
		sums.product[i] = 1;
	}
	for (size_t k = 0; k < data->n; k++) {
		add_size(data, cells, k, &sums);
		take_logs(data, cells, k, &sums);
	}
	for (size_t i = 0; i < cells->n; i++) {
		cells->level[i] = sums.q2[i] / sums.q1[i];
		sums.q1[i] = data->total - sums.q1[i] * sums.q1[i] / sums.q2[i];
		cells->square[i] = (sums.q1[i] > 0 ? sums.q1[i] : 0) + rest;
	}
	ft_ln_many(cells->square, cells->n, sums.work);
	ft_ln_many(cells->level, cells->n, sums.q1);
	for (size_t i = 0; i < cells->n; i++)
		cells->ln[i] = -(data->total + data->extra - 1) / 2 * sums.work[i] - sums.logs[i] -
			       data->total * sums.q1[i];
}

static enum ft_status make_room(struct ft__law_points *points, size_t more, struct ft_err *err)
{
	size_t capacity = 2 * points->capacity > points->n + more ? 2 * points->capacity : points->n + more;

	if (points->n + more <= points->capacity)
		return FT_OK;
	capacity = capacity < FT__LAW_POINTS_FIRST ? (size_t)FT__LAW_POINTS_FIRST : capacity;
	struct ft_law_point *grown = ft_realloc(points->point, capacity * sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	points->point = grown;
	points->capacity = capacity;
	return FT_OK;
}

enum ft_status ft__law_points_add(struct ft__law_points *points, const struct ft_law_point *point,
				  struct ft_err *err)
{
	if (make_room(points, 1, err))
		return FT_ENOMEM;
	points->top = points->n ? fmax(points->top, point->weight) : point->weight;
	points->point[points->n++] = *point;
	return FT_OK;
}

enum ft_status ft__law_points_take(struct ft__law_points *points, const struct ft__law_data *data,
				   const struct ft__law_cells *cells, double prior, struct ft_err *err)
{
	double top = points->n ? points->top : (double)-INFINITY, dof, least;

	dof = fmax(data->total + data->extra - 1, 1); /* of the level; the shares are given */
	for (size_t i = 0; i < cells->n; i++)
		top = cells->ln[i] + prior > top ? cells->ln[i] + prior : top; /* fmax is a call */
	least = top - FT__LAW_NEGLIGIBLE - prior;
	if (make_room(points, cells->n, err))
		return FT_ENOMEM;
	points->top = top;
	for (size_t i = 0; i < cells->n; i++) {
		if (!(cells->ln[i] >= least))
			continue;
		struct ft_law_point *out = &points->point[points->n++];
		out->weight = cells->ln[i] + prior;
		out->constant = cells->level[i] * cells->part[0][i];
		out->error = data->heavy * sqrt(cells->square[i] / dof / data->total);
		out->terms = (unsigned char)cells->terms;
		for (size_t t = 0; t < FT_LAW_MIXED; t++) {
			bool is = t < cells->terms;

			out->shape[t] = is ? cells->shape[t] : 0;
			out->c[t] =
				is ? cells->level[i] * cells->part[t + 1][i] / data->scale[cells->shape[t]]
				   : 0;
		}
	}
	return FT_OK;
}

/* A part of the points: the first ones, and the rest, whose weights count `rest` more. */
struct part {
	const struct ft__law_points *points;
	size_t first;
	double rest, top; /* top: the highest weight */
};

static double weight_of(const struct part *part, size_t i)
{
	return part->points->point[i].weight + (i < part->first ? 0 : part->rest);
}

static struct part take_part(const struct ft__law_points *points, size_t first, double rest)
{
	struct part part = {points, first, rest, -INFINITY};

	for (size_t i = 0; i < points->n; i++)
		part.top = weight_of(&part, i) > part.top ? weight_of(&part, i) : part.top;
	return part;
}

/* The weight below which points are too many: FT_LAW_POINTS at most are above it, but for points that are all
 * as heavy as the heaviest. */
static double weight_threshold(const struct part *part)
{
	enum { BINS = 128 };
	size_t count[BINS] = {0}, i, sum;

	for (i = 0; i < part->points->n; i++) {
		double below = (part->top - weight_of(part, i)) / FT__LAW_NEGLIGIBLE * BINS;

		if (below < BINS)
			count[(size_t)below]++;
	}
	for (i = 1, sum = count[0]; i < BINS && sum + count[i] <= FT_LAW_POINTS; i++)
		sum += count[i];
	return part->top - FT__LAW_NEGLIGIBLE * (double)i / BINS;
}

/* Each member, and not what lies between them, which nobody has set: the same samples give the same bytes. */
static void copy_point(struct ft_law_point *to, const struct ft_law_point *from)
{
	to->constant = from->constant;
	memcpy(to->c, from->c, sizeof to->c);
	to->error = from->error;
	memcpy(to->shape, from->shape, sizeof to->shape);
	to->terms = from->terms;
}

size_t ft__law_keep(const struct ft__law_points *points, size_t first, double rest, struct ft_law_point *out)
{
	struct part part = take_part(points, first, rest);
	double least = weight_threshold(&part), sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < points->n && n < FT_LAW_POINTS; i++) {
		if (weight_of(&part, i) <= least)
			continue;
		copy_point(&out[n], &points->point[i]);
		out[n].weight = exp(weight_of(&part, i) - part.top);
		sum += out[n++].weight;
	}
	for (size_t i = 0; i < n; i++)
		out[i].weight /= sum;
	return n;
}
