/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - which pieces are no more than noise with a memory: rows whose errors are alike say less than they
 * are many.
 *
 * What the pieces leave is taken for noise that keeps a share of itself from row to row (autoregressive of
 * order one), the share found anew for each number of pieces. Its likelihood must gain three logarithms of
 * the number of rows for each piece: two numbers are fitted, and their place is sought (after Zhang &
 * Siegmund 2007). A walk that has come far by its ends is less likely noise than one that has not: a part of
 * the squares there counts as news too. The same is asked of means of 4 and 16 rows, where memory longer than
 * the first step tells shows.
 */
#include "num/line.h"
#include "trace/fit.h"
#include "base/arena.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROWS_MOST = 2048, LEAST_MEANS = 64, COARSER = 4, LEVELS = 3, STEEP = 2, TELLING = 10 };

static const double PRICE = 3,          /* of a piece, in logarithms of the number of rows */
	MEMORY_MOST = 0.999, ALIKE = 2, /* standard deviations of the memory of noise that has none */
	ENDS = 0.25,                    /* of the squares of the first and last error is taken for news */
	PORTIONS = 5;                   /* fourth moment in squares of the second; 3 for normal noise */

/* The rows of a curve; of many the means of so many beside each other. */
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

/* What a model leaves of the rows. Returns its pieces; steep ones of few rows join the others, and do not
 * count; the rows beside them begin anew, for a jump is seldom met to the row. */
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

/* Neighbours made one. */
static size_t coarsen_errors(double *left, bool *fresh, size_t n)
{
	for (size_t i = 0; i < n / COARSER; i++) {
		double sum = 0;
		bool jump = false;

		for (size_t k = 0; k < COARSER; k++) {
			sum += left[COARSER * i + k];
			jump = jump || fresh[COARSER * i + k];
		}
		left[i] = sum / COARSER;
		fresh[i] = jump;
	}
	return n / COARSER;
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

/* May what so many pieces leave be noise with a memory? Not when neighbours are no more alike than fitting
 * makes them, nor when what is new comes in few large portions: those are jumps and spikes that want more
 * pieces. Of few rows to a piece neither can be told. */
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
			n = coarsen_errors(rows.left, rows.fresh, n);
		}
	}
	(void)ft__placing_look(&s->place, ft__path_nodes(s, *pieces), *pieces + 1);
	(void)leave_errors(&rows, &s->place);
	if (has_memory(&rows, *pieces))
		for (level = 0; level < LEVELS; level++)
			*pieces = best[level] < *pieces ? best[level] : *pieces;
	return FT_OK;
}
