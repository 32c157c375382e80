/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate.c - decides whether few rows support a number of phases, or whether autocorrelated noise explains
   them. */
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Find pieces that autocorrelated noise explains: rows with similar errors carry less information than their
 * number suggests.
 *
 * The residuals are modelled as noise that keeps a share of itself from row to row (autoregressive of order
 * one), with the share fitted for each number of pieces. Its likelihood must gain three logarithms of the
 * number of rows for each piece: two numbers are fitted, and their place is sought (after Zhang & Siegmund
 * 2007). A random walk with distant ends is less likely noise than one without: a part of the squares there
 * counts as information, too. The same test is made on means of 4 and 16 rows, which reveal memory longer
 * than the first step.
 */

enum { ROWS_MOST = 2048, LEAST_MEANS = 64, COARSER = 4, LEVELS = 3, STEEP = 2, TELLING = 10 };

static const double PRICE = 3,          /* of a piece, in logarithms of the number of rows */
	MEMORY_MOST = 0.999, ALIKE = 2, /* standard deviations of the memory of noise that has none */
	ENDS = 0.25,                    /* of the squares of the first and last error is taken for news */
	PORTIONS = 5;                   /* fourth moment in squares of the second; 3 for normal noise */

/* The rows of a curve; if there are many, means of groups of adjacent rows. */
struct noise_rows {
	double *t, *y; /* from t0 and y0 */
	double *left;  /* what a model leaves of them */
	bool *fresh;   /* a jump of the model lies between this row and the one before */
	size_t n;
};

static enum ft_status rows_make(struct noise_rows *rows, struct ft_arena *arena, const struct ft_pwl *f,
				struct ft_err *err)
{
	size_t each = (f->n + ROWS_MOST - 1) / ROWS_MOST, n = f->n / each, i, k;

	*rows = (struct noise_rows){.t = ft_arena_take(arena, n, sizeof(double)),
				    .y = ft_arena_take(arena, n, sizeof(double)),
				    .left = ft_arena_take(arena, n, sizeof(double)),
				    .fresh = ft_arena_take(arena, n, sizeof(bool)),
				    .n = n};
	FT_TRY(ft_arena_check(arena, err));
	for (i = 0; i < n; i++) {
		double t = 0, y = 0;

		for (k = i * each; k < (i + 1) * each; k++) {
			t += f->t[k] - f->t0;
			y += f->y[k] - f->y0;
		}
		rows->t[i] = t / (double)each;
		rows->y[i] = y / (double)each;
	}
	return FT_OK;
}

/* The residuals of a model. Returns its pieces; steep ones of few rows are merged with their neighbours,
 * and do not count; the rows next to them start again, since a jump is seldom located to the row. */
static size_t leave_errors(struct noise_rows *rows, const struct ft__placing *model)
{
	const double *x = model->x, *y = model->y;
	size_t j = 0, begin = 0, pieces = 1, few = rows->n / 100 < STEEP ? rows->n / 100 : STEEP;

	memset(rows->fresh, 0, rows->n * sizeof *rows->fresh);
	rows->fresh[0] = true;
	for (size_t i = 0; i < rows->n; i++) {
		for (; j + 2 < model->n && rows->t[i] > x[j + 1]; j++) {
			pieces += i - begin > few;
			for (size_t k = begin; i && i - begin <= few && k <= i + 1 && k < rows->n; k++)
				rows->fresh[k] = true;
			begin = i;
		}
		rows->left[i] = rows->y[i] - ft_line_at(rows->t[i], x[j], y[j], x[j + 1], y[j + 1]);
	}
	return pieces;
}

/* Pairs of neighbouring errors: the sums of squares of the earlier and of the later ones, and of products. */
struct pairs {
	double before, after, product, count;
};

static struct pairs pair_up(const double *left, const bool *fresh, size_t n)
{
	struct pairs p = {0, 0, 0, 0};

	for (size_t i = 1; i < n; i++) {
		if (fresh[i])
			continue;
		p.before += left[i - 1] * left[i - 1];
		p.after += left[i] * left[i];
		p.product += left[i] * left[i - 1];
		p.count++;
	}
	return p;
}

/* The share of an error that the next row has too. Given the first error: what a Yule-Walker estimate adds
 * for the ends looks like news, and the more the longer the memory. */
static double memory_of(const struct pairs *p)
{
	return p->before > 0 ? p->product / p->before : 0;
}

/* Twice the logarithm of the likelihood, its sign turned: n log of what is new in each error. */
static double surprise_of(const struct noise_rows *rows, size_t n, double least)
{
	struct pairs p = pair_up(rows->left, rows->fresh, n);
	double memory = fmin(fmax(memory_of(&p), 0), MEMORY_MOST);
	double first = rows->left[0], last = rows->left[n - 1];
	double news =
		p.after - memory * (2 * p.product - memory * p.before) + ENDS * (first * first + last * last);

	return p.count > 0 ? (double)n * log(fmax(news / p.count, least)) : 0;
}

/* What so many pieces must gain; of few rows the more, for each piece also hides what is new (as Hurvich &
 * Tsai 1989). */
static double price_of(size_t rows, size_t pieces)
{
	double n = (double)rows, k = (double)pieces;

	return PRICE * log(n) * k * n / fmax(n - 2 * k - 2, 1);
}

/* Whether the residuals of a number of pieces may be autocorrelated noise. Not if neighbours are no more
 * similar than fitting makes them, nor if the information comes in few large portions: those are jumps and
 * spikes that need more pieces. With few rows to a piece neither can be decided. */
static bool has_memory(const struct noise_rows *rows, size_t pieces)
{
	struct pairs p = pair_up(rows->left, rows->fresh, rows->n);
	double memory = memory_of(&p), count = (double)rows->n, second = 0, fourth = 0;

	if (rows->n < TELLING * pieces)
		return true;
	if ((memory + 2 * (double)pieces / count) * sqrt(count) < ALIKE)
		return false;
	for (size_t i = 1; i < rows->n; i++) {
		double new = rows->fresh[i] ? 0 : rows->left[i] - memory * rows->left[i - 1];

		second += new *new;
		fourth += new *new *new *new;
	}
	return fourth * count < PORTIONS * second * second;
}

enum ft_status ft__count_noise(struct ft__seek *s, size_t *pieces, struct ft_err *err)
{
	double least[LEVELS] = {INFINITY, INFINITY, INFINITY}, nothing = 1e-20 * s->square[1] / s->f->length;
	size_t best[LEVELS] = {*pieces, *pieces, *pieces}, k, level;
	struct noise_rows rows;
	FT_ARENA(work);

	FT_TRY(rows_make(&rows, &work, s->f, err));
	nothing = fmax(nothing, 1e-300);
	for (k = 1; k <= *pieces; k++) {
		size_t n = rows.n;

		(void)ft__placing_look(&s->place, ft__path_nodes(s, k), k + 1);
		size_t count = leave_errors(&rows, &s->place);
		for (level = 0; level < LEVELS && (!level || n >= LEAST_MEANS); level++) {
			double cost = surprise_of(&rows, n, nothing) + price_of(n, count);

			if (cost < least[level]) {
				least[level] = cost;
				best[level] = k;
			}
			/* Neighbours made one. */
			for (size_t i = 0; i < n / COARSER; i++) {
				double sum = 0;
				bool jump = false;

				for (size_t j = 0; j < COARSER; j++) {
					sum += rows.left[COARSER * i + j];
					jump = jump || rows.fresh[COARSER * i + j];
				}
				rows.left[i] = sum / COARSER;
				rows.fresh[i] = jump;
			}
			n = n / COARSER;
		}
	}
	(void)ft__placing_look(&s->place, ft__path_nodes(s, *pieces), *pieces + 1);
	(void)leave_errors(&rows, &s->place);
	if (has_memory(&rows, *pieces))
		for (level = 0; level < LEVELS; level++)
			*pieces = best[level] < *pieces ? best[level] : *pieces;
	return FT_OK;
}

/*
 * Decides whether few rows support a number of phases, or whether autocorrelated noise explains them.
 */

/* Simulated rows of fewer phases, and the number that must look like more for a rejection. Of 60 rows of
 * noise, flat or with a step of ten deviations, with correlation 0 to 0.9, correct decisions: with the
 * noise estimated from more phases 84 % of flat ones, with this 92 %; steps 80 and 87 %. */
enum { MADE = 59, LOOK_LIKE_MORE = 2, BIAS = 20 };

static const double EXACT = 1e-12; /* of what one line leaves: rounding */

/* Above this correlation of neighbours the noise has no measurable level. */
static const double ALIKE_MOST = 0.98;

/* What several curves leave has no more in common than that: of two that are the same one is drawn too. */
static const double COMMON_MOST = 0.999;

/* Rows at equal distances, of one curve or several. */
struct gate_rows {
	size_t m, n, shortest;
	const double *weight;          /* [m] of a curve's squares */
	double *y;                     /* [m][n] */
	double *sum, *moment, *square; /* [m][n + 1] running sums of y, of i y, of y^2 */
	double *cost;                  /* [most + 1][n + 1] */
	size_t *from;
	size_t most;
	double *line;             /* [m][n] of the best phases */
	double *deviation, *seen; /* [m] of what they leave, and how far neighbours of that are alike */
	double *common;           /* [m x m] U of what they leave of several curves at once */
};

/* Noise about lines: as struct gate_rows has it. */
struct noise {
	double *line, *alike, *deviation, *common;
	double *e, *fresh; /* [m] room */
};

/* Squares of curve k about the best line of rows [a, b), as running sums have them. */
static double about_line(const struct gate_rows *r, size_t k, size_t a, size_t b, double *mean, double *slope)
{
	const double *sums = r->sum + k * (r->n + 1), *moments = r->moment + k * (r->n + 1),
		     *squares = r->square + k * (r->n + 1);
	double n = (double)(b - a), middle = ((double)a + (double)b - 1) / 2, sum = sums[b] - sums[a],
	       across = moments[b] - moments[a] - middle * sum, width = n * (n * n - 1) / 12,
	       square = squares[b] - squares[a] - sum * sum / n;

	*mean = sum / n;
	*slope = width > 0 ? across / width : 0;
	return fmax(0, square - *slope * across);
}

/* The best lines of up to `most` phases; what they leave stands in cost[k][n]. */
static void divide_rows(struct gate_rows *r, size_t most)
{
	size_t stride = r->n + 1;

	for (size_t k = 0; k < r->m; k++)
		for (size_t i = 0; i < r->n; i++) {
			size_t at = k * stride + i;
			double y = r->y[k * r->n + i];

			r->sum[at + 1] = r->sum[at] + y;
			r->moment[at + 1] = r->moment[at] + (double)i * y;
			r->square[at + 1] = r->square[at] + y * y;
		}
	for (size_t k = 0; k <= most; k++)
		for (size_t b = 0; b <= r->n; b++)
			r->cost[k * stride + b] = k || b ? INFINITY : 0;
	for (size_t b = r->shortest; b <= r->n; b++)
		for (size_t a = 0; a + r->shortest <= b; a++) {
			double mean, slope, cost = 0;

			for (size_t l = 0; l < r->m; l++)
				cost += r->weight[l] * about_line(r, l, a, b, &mean, &slope);

			for (size_t k = 1; k <= most; k++)
				if (r->cost[(k - 1) * stride + a] + cost < r->cost[k * stride + b]) {
					r->cost[k * stride + b] = r->cost[(k - 1) * stride + a] + cost;
					r->from[k * stride + b] = a;
				}
		}
}

static double left_by(const struct gate_rows *r, size_t k)
{
	return r->cost[k * (r->n + 1) + r->n];
}

static double correlation_of(const struct gate_rows *r, size_t a, size_t b)
{
	const double *x = r->y + a * r->n, *y = r->y + b * r->n, *at = r->line + a * r->n,
		     *to = r->line + b * r->n;
	double product = 0, both = (double)r->n * r->deviation[a] * r->deviation[b];

	for (size_t i = 0; i < r->n; i++)
		product += (x[i] - at[i]) * (y[i] - to[i]);
	return both > 0 ? COMMON_MOST * product / both : 0;
}

/* Lines of k phases, and what they leave. */
static void fit_phases(struct gate_rows *r, size_t k)
{
	/* The lines of k phases. */
	size_t end = r->n;

	for (; k; k--) {
		size_t begin = r->from[k * (r->n + 1) + end];

		for (size_t c = 0; c < r->m; c++) {
			double mean, slope;

			(void)about_line(r, c, begin, end, &mean, &slope);
			for (size_t i = begin; i < end; i++)
				r->line[c * r->n + i] =
					mean + slope * ((double)i - ((double)begin + (double)end - 1) / 2);
		}
		end = begin;
	}
	for (size_t a = 0; a < r->m; a++) {
		/* What they leave of a curve: how far neighbours of that are alike. */
		const double *y = r->y + a * r->n, *line = r->line + a * r->n;
		double square = 0, product = 0, before = 0;

		for (size_t i = 0; i < r->n; i++) {
			double off = y[i] - line[i];

			square += off * off;
			product += i ? off * before : 0;
			before = off;
		}
		r->deviation[a] = sqrt(square / (double)r->n);
		r->seen[a] = square > 0 ? product / square : 0;
	}
	for (size_t a = 0; a < r->m; a++)
		for (size_t b = 0; b < r->m; b++)
			r->common[a * r->m + b] = a == b ? 1 : correlation_of(r, a, b);
	(void)ft_chol_factor(r->common, r->m);
}

/* What is new in the noise of each curve: U' z. */
static void throw_dice(const struct gate_rows *r, const struct noise *noise, struct ft_random *dice)
{
	for (size_t a = 0; a < r->m; a++)
		noise->fresh[a] = 0;
	for (size_t a = 0; a < r->m; a++) {
		double z = ft_random_normal(dice);

		for (size_t b = a; b < r->m; b++)
			noise->fresh[b] += noise->common[a * r->m + b] * z;
	}
}

/* Noise of the first order about lines, in place of the rows. */
static void make_noise(struct gate_rows *r, const struct noise *noise, struct ft_random *dice)
{
	throw_dice(r, noise, dice);
	for (size_t c = 0; c < r->m; c++)
		noise->e[c] = noise->fresh[c];
	for (size_t i = 0; i < r->n; i++) {
		for (size_t c = 0; c < r->m; c++)
			r->y[c * r->n + i] = noise->line[c * r->n + i] + noise->deviation[c] * noise->e[c];
		throw_dice(r, noise, dice);
		for (size_t c = 0; c < r->m; c++)
			noise->e[c] = noise->alike[c] * noise->e[c] +
				      sqrt(1 - noise->alike[c] * noise->alike[c]) * noise->fresh[c];
	}
}

/* Whether a phase more gains more on the rows y than on made ones that have no more than `fewer`. */
static bool are_more(struct gate_rows *r, const double *const *y, size_t fewer, struct noise *noise,
		     struct ft_random *dice)
{
	size_t look_like = 0;

	for (size_t i = 0; i < r->m; i++)
		memcpy(r->y + i * r->n, y[i], r->n * sizeof *r->y);
	divide_rows(r, fewer + 1);
	double all = EXACT * left_by(r, 1);
	if (isinf(left_by(r, fewer + 1)) || left_by(r, fewer) <= all)
		return false;
	if (left_by(r, fewer + 1) <= all)
		return true;
	double gain = left_by(r, fewer) / left_by(r, fewer + 1);
	/* What is a phase would then be noise: its neighbours are much alike. */
	/* What k phases leave of these rows is the noise of those to be made. */
	fit_phases(r, fewer);
	memcpy(noise->line, r->line, r->m * r->n * sizeof *noise->line);
	memcpy(noise->deviation, r->deviation, r->m * sizeof *noise->deviation);
	memcpy(noise->common, r->common, r->m * r->m * sizeof *noise->common);
	/* Lines take some of the likeness of neighbours with them: so much as they take of made rows. */
	double *likeness = noise->fresh + r->m, *taken = likeness + r->m;

	for (size_t c = 0; c < r->m; c++) {
		likeness[c] = r->seen[c];
		taken[c] = 0;
		noise->alike[c] = fmin(fmax(likeness[c], 0), ALIKE_MOST);
	}
	for (size_t i = 0; i < BIAS; i++) {
		make_noise(r, noise, dice);
		divide_rows(r, fewer);
		fit_phases(r, fewer);
		for (size_t c = 0; c < r->m; c++)
			taken[c] += r->seen[c] / BIAS;
	}
	for (size_t c = 0; c < r->m; c++)
		noise->alike[c] = fmin(fmax(noise->alike[c] + likeness[c] - taken[c], 0), ALIKE_MOST);
	for (size_t i = 0; i < MADE && look_like < LOOK_LIKE_MORE; i++) {
		make_noise(r, noise, dice);
		divide_rows(r, fewer + 1);
		look_like += left_by(r, fewer) / left_by(r, fewer + 1) >= gain;
	}
	return look_like < LOOK_LIKE_MORE;
}

/* The next `count` numbers of the room. */
static double *next_numbers(double **room, size_t count)
{
	double *at = *room;

	*room += count;
	return at;
}

static void lay_out(struct gate_rows *r, struct noise *noise, double *room)
{
	size_t m = r->m, rows = m * r->n, sums = m * (r->n + 1);

	r->y = next_numbers(&room, rows);
	r->line = next_numbers(&room, rows);
	noise->line = next_numbers(&room, rows);
	r->sum = next_numbers(&room, sums);
	r->moment = next_numbers(&room, sums);
	r->square = next_numbers(&room, sums);
	r->deviation = next_numbers(&room, m);
	r->seen = next_numbers(&room, m);
	noise->deviation = next_numbers(&room, m);
	noise->alike = next_numbers(&room, m);
	noise->e = next_numbers(&room, m);
	noise->fresh = next_numbers(&room, 3 * m); /* and two of give_back */
	r->common = next_numbers(&room, m * m);
	noise->common = next_numbers(&room, m * m);
	r->cost = room;
}

enum ft_status ft__phases_gate(const double *const *y, const double *weight, size_t m, size_t n,
			       double shortest, size_t *phases, struct ft_err *err)
{
	struct gate_rows r = {.m = m,
			      .n = n,
			      .weight = weight,
			      .shortest = (size_t)fmax(3, shortest * (double)n),
			      .most = *phases};
	size_t cells = (*phases + 1) * (n + 1), k = *phases;
	FT_OWN double *room = ft_calloc(6 * m * (n + 1) + (2 * m + 8) * m + cells, sizeof *room);
	struct noise noise;
	struct ft_random dice = {20260101};

	FT_OWN size_t *from = ft_calloc(cells, sizeof *from);
	if (!room || !from)
		return ft_nomem(err);
	r.from = from;
	lay_out(&r, &noise, room);
	/* From many phases downwards: with several levels, two phases alone are not conclusive. */
	while (k > 1 && !are_more(&r, y, k - 1, &noise, &dice))
		k--;
	*phases = k;
	return FT_OK;
}
