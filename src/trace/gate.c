/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate.c - whether few rows tell so many phases apart, or noise whose neighbours are alike looks so. */
#include "base/alloc.h"
#include "base/random.h"
#include "trace/gate.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Made rows of fewer phases, and how many look like more where there are no more. Of 60 rows of noise, flat
 * or with a step of ten deviations, neighbours alike by 0 to 0.9, told rightly: noise as more phases leave it
 * 84 % of flat ones, this 92 %; steps 80 and 87 %. */
enum { MADE = 59, LOOK_LIKE_MORE = 2, BIAS = 20 };

static const double EXACT = 1e-12; /* of what one line leaves: rounding */

/* Neighbours of noise that is more alike than that do not tell a level. */
static const double ALIKE_MOST = 0.98;

/* Rows at equal distances. */
struct rows {
	const double *y; /* [n] */
	size_t n, shortest;
	double *sum, *moment, *square; /* [n + 1] running sums of y, of i y, of y^2 */
	double *cost;                  /* [most + 1][n + 1] */
	size_t *from;
	size_t most;
	double *line; /* [n] of the best phases */
	double *made; /* [n] */
};

/* Squares about the best line of rows [a, b), as running sums have them. */
static double about_line(const struct rows *r, size_t a, size_t b, double *mean, double *slope)
{
	double n = (double)(b - a), middle = ((double)a + (double)b - 1) / 2, sum = r->sum[b] - r->sum[a],
	       across = r->moment[b] - r->moment[a] - middle * sum, width = n * (n * n - 1) / 12,
	       square = r->square[b] - r->square[a] - sum * sum / n;

	*mean = sum / n;
	*slope = width > 0 ? across / width : 0;
	return fmax(0, square - *slope * across);
}

static void sum_up(struct rows *r, const double *y)
{
	size_t i;

	r->y = y;
	for (i = 0; i < r->n; i++) {
		r->sum[i + 1] = r->sum[i] + y[i];
		r->moment[i + 1] = r->moment[i] + (double)i * y[i];
		r->square[i + 1] = r->square[i] + y[i] * y[i];
	}
}

/* The best lines of up to `most` phases; what they leave stands in cost[k][n]. */
static void divide(struct rows *r, size_t most)
{
	size_t stride = r->n + 1, k, a, b;

	for (k = 0; k <= most; k++)
		for (b = 0; b <= r->n; b++)
			r->cost[k * stride + b] = k || b ? INFINITY : 0;
	for (b = r->shortest; b <= r->n; b++)
		for (a = 0; a + r->shortest <= b; a++) {
			double mean, slope, cost = about_line(r, a, b, &mean, &slope);

			for (k = 1; k <= most; k++)
				if (r->cost[(k - 1) * stride + a] + cost < r->cost[k * stride + b]) {
					r->cost[k * stride + b] = r->cost[(k - 1) * stride + a] + cost;
					r->from[k * stride + b] = a;
				}
		}
}

static double left_by(const struct rows *r, size_t k)
{
	return r->cost[k * (r->n + 1) + r->n];
}

/* Their lines; what they leave, and how far neighbours of that are alike. */
static double draw(struct rows *r, size_t k, double *deviation)
{
	size_t end = r->n, i;
	double square = 0, product = 0, before = 0;

	while (k) {
		size_t begin = r->from[k * (r->n + 1) + end];
		double mean, slope;

		(void)about_line(r, begin, end, &mean, &slope);
		for (i = begin; i < end; i++)
			r->line[i] = mean + slope * ((double)i - ((double)begin + (double)end - 1) / 2);
		end = begin;
		k--;
	}
	for (i = 0; i < r->n; i++) {
		double off = r->y[i] - r->line[i];

		square += off * off;
		product += i ? off * before : 0;
		before = off;
	}
	*deviation = sqrt(square / (double)r->n);
	return square > 0 ? product / square : 0;
}

/* Noise of the first order about lines. */
static void make(const struct rows *r, const double *line, double alike, double deviation, double *made,
		 struct ft_random *dice)
{
	double e = ft_random_normal(dice), fresh = sqrt(1 - alike * alike);
	size_t i;

	for (i = 0; i < r->n; i++) {
		made[i] = line[i] + deviation * e;
		e = alike * e + fresh * ft_random_normal(dice);
	}
}

/* Lines take some of the likeness of neighbours with them: so much as they take of made rows. */
static double without_bias(struct rows *r, const double *line, size_t k, double alike, double deviation,
			   struct ft_random *dice)
{
	double seen = 0, guess = fmin(fmax(alike, 0), ALIKE_MOST), unused;
	size_t i;

	for (i = 0; i < BIAS; i++) {
		make(r, line, guess, deviation, r->made, dice);
		sum_up(r, r->made);
		divide(r, k);
		seen += draw(r, k, &unused) / BIAS;
	}
	return fmin(fmax(guess + alike - seen, 0), ALIKE_MOST);
}

/* Whether a phase more gains more on these rows than on made ones that have no more than `fewer`. */
static bool are_more(struct rows *r, const double *y, size_t fewer, double *line, struct ft_random *dice)
{
	double all, gain, deviation, alike;
	size_t i, look_like = 0;

	sum_up(r, y);
	divide(r, fewer + 1);
	all = EXACT * left_by(r, 1);
	if (isinf(left_by(r, fewer + 1)) || left_by(r, fewer) <= all)
		return false;
	if (left_by(r, fewer + 1) <= all)
		return true;
	gain = left_by(r, fewer) / left_by(r, fewer + 1);
	/* What is a phase would then be noise: its neighbours are much alike. */
	alike = draw(r, fewer, &deviation);
	memcpy(line, r->line, r->n * sizeof *line);
	alike = without_bias(r, line, fewer, alike, deviation, dice);
	for (i = 0; i < MADE && look_like < LOOK_LIKE_MORE; i++) {
		make(r, line, alike, deviation, r->made, dice);
		sum_up(r, r->made);
		divide(r, fewer + 1);
		look_like += left_by(r, fewer) / left_by(r, fewer + 1) >= gain;
	}
	return look_like < LOOK_LIKE_MORE;
}

enum ft_status ft__phases_gate(const double *y, size_t n, double shortest, size_t *phases, struct ft_err *err)
{
	struct rows r = {.n = n, .shortest = (size_t)fmax(3, shortest * (double)n), .most = *phases};
	double *room = ft_calloc(6 * (n + 1) + (*phases + 1) * (n + 1), sizeof *room), *line;
	struct ft_random dice = {20260101};
	size_t k = *phases;

	r.from = ft_calloc((*phases + 1) * (n + 1), sizeof *r.from);
	if (!room || !r.from) {
		ft_free(room);
		ft_free(r.from);
		return ft_nomem(err);
	}
	r.sum = room;
	r.moment = r.sum + n + 1;
	r.square = r.moment + n + 1;
	r.line = r.square + n + 1;
	r.made = r.line + n + 1;
	line = r.made + n + 1;
	r.cost = line + n + 1;
	/* From many down: of several levels two phases alone say little. */
	while (k > 1 && !are_more(&r, y, k - 1, line, &dice))
		k--;
	*phases = k;
	ft_free(room);
	ft_free(r.from);
	return FT_OK;
}
