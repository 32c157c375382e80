/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf_squares.c - factors for the least sum of squares: hierarchical alternating least squares, which
 * settles one row of a factor at a time (Cichocki & Phan, 2009), several times for each product with x
 * (Gillis & Glineur, 2012). */
#include "num/dense.h"
#include "num/nmf_work.h"
#include "num/vector.h"

#include <math.h>
#include <string.h>

/* So many columns of a factor are settled together: all of their rows stay near the processor. */
enum { TILE = 64, ROUNDS = 30 };

/* Rounds end when one moves less than this share of the first one's move (Gillis & Glineur). */
static const double settled = 0.1;

/* gram = f f' of f [r x length]. */
static void find_gram(const double *f, size_t r, size_t length, double *gram)
{
	for (size_t i = 0; i < r; i++)
		for (size_t j = 0; j <= i; j++)
			gram[i * r + j] = gram[j * r + i] = ft_dot(f + i * length, f + j * length, length);
}

/* rest [width] = along - gram_row f, f [r x width] with rows length apart. */
FT_WIDE static void find_rest(double *restrict rest, const double *restrict along, const double *restrict f,
			      const double *restrict gram_row, size_t r, size_t length, size_t width)
{
	size_t l;

	memcpy(rest, along, width * sizeof *rest);
	for (l = 0; l + 4 <= r; l += 4) {
		const double *f0 = f + l * length, *f1 = f0 + length, *f2 = f1 + length, *f3 = f2 + length;
		double c0 = gram_row[l], c1 = gram_row[l + 1], c2 = gram_row[l + 2], c3 = gram_row[l + 3];

		for (size_t i = 0; i < width; i++)
			rest[i] -= (c0 * f0[i] + c1 * f1[i]) + (c2 * f2[i] + c3 * f3[i]);
	}
	for (; l < r; l++) {
		const double *f0 = f + l * length;
		double c0 = gram_row[l];

		for (size_t i = 0; i < width; i++)
			rest[i] -= c0 * f0[i];
	}
}

/* One row moves to where the loss is least, the others fixed; the squares of the moves are added up. */
FT_WIDE static void settle(double *restrict row, const double *restrict rest, double by,
			   double *restrict moved, size_t width)
{
	for (size_t i = 0; i < width; i++) {
		double to = row[i] + rest[i] * by, step;

		to = to > 0 ? to : 0;
		step = to - row[i];
		moved[i] += step * step;
		row[i] = to;
	}
}

/* Some columns of a factor f, rows length apart; `along` is the other one's product with x. */
static void settle_tile(double *f, const double *along, const double *gram, size_t r, size_t length,
			size_t width, size_t most)
{
	double rest[TILE], moved[TILE], first = 0, now;
	size_t i;

	for (size_t round = 0; round < most; round++) {
		memset(moved, 0, sizeof moved);
		for (size_t l = 0; l < r; l++) {
			if (!(gram[l * r + l] > FT__NMF_TINY))
				continue;
			find_rest(rest, along + l * length, f, gram + l * r, r, length, width);
			settle(f + l * length, rest, 1 / gram[l * r + l], moved, width);
		}
		for (now = 0, i = 0; i < width; i++)
			now += moved[i];
		if (!round)
			first = now;
		if (now <= settled * settled * first)
			break;
	}
}

static void settle_all(double *f, const double *along, const double *gram, size_t r, size_t length,
		       size_t most)
{
	for (size_t tile = 0; tile < length; tile += TILE)
		settle_tile(f + tile, along + tile, gram, r, length,
			    length - tile < TILE ? length - tile : TILE, most);
}

/* f := f * along / (gram f), all rows at once (Lee & Seung, 2001). */
static void multiply_update(double *f, const double *along, const double *gram, size_t r, size_t length,
			    double *below)
{
	ft_multiply(gram, f, r, r, length, below);
	for (size_t i = 0; i < r * length; i++)
		f[i] *= below[i] > FT__NMF_TINY ? along[i] / below[i] : 0;
}

/* How many rounds are worth their time: one costs 2 length r^2, what precedes it 2 m n r + the gram (Gillis &
 * Glineur, section 3.1). */
static size_t rounds(size_t length, size_t other, size_t r)
{
	double many = 0.5 * (1 + (double)other * (double)(length + r) / ((double)length * (double)(r + 1)));

	return many < ROUNDS ? 1 + (size_t)many : ROUNDS;
}

/* What the loss of a hole would be is taken off. */
static double of_holes(const struct ft__nmf_work *k)
{
	double sum = 0;

	for (size_t e = 0; e < k->holes; e++) {
		size_t i = k->hole[e] / k->n, j = k->hole[e] % k->n;
		double off = k->filled[k->hole[e]];

		for (size_t l = 0; l < k->r; l++)
			off -= k->w[l * k->m + i] * k->h[l * k->n + j];
		sum += off * off;
	}
	return sum;
}

/* sum (x - wh)^2 = sum x^2 - 2 <h, w x> + <w w', h h'>, from along = w x and gram = w w'. */
static double sum_up(const struct ft__nmf_work *k)
{
	double cross = ft_dot(k->along, k->h, k->r * k->n), both = 0;

	for (size_t i = 0; i < k->r; i++)
		for (size_t j = 0; j < k->r; j++)
			both += k->gram[i * k->r + j] * ft_dot(k->h + i * k->n, k->h + j * k->n, k->n);
	return fmax(k->square - 2 * cross + both - of_holes(k), 0);
}

/* along and gram for an update of w, or of h. */
static void prepare_update(struct ft__nmf_work *k, bool of_w)
{
	const double *other = of_w ? k->h : k->w;
	size_t length = of_w ? k->m : k->n, n = of_w ? k->n : k->m;

	ft__nmf_fill(k, k->w, k->h);
	ft_multiply(other, of_w ? k->turned : k->x, k->r, n, length, k->along);
	find_gram(other, k->r, n, k->gram);
}

static double update(struct ft__nmf_work *k, bool of_w, bool careful)
{
	double *f = of_w ? k->w : k->h;
	size_t length = of_w ? k->m : k->n, n = of_w ? k->n : k->m, r = k->r;

	(void)careful; /* it always is */
	prepare_update(k, of_w);
	if (k->multiplicative)
		multiply_update(f, k->along, k->gram, r, length, k->smooth);
	else
		settle_all(f, k->along, k->gram, r, length, rounds(length, n, r));
	return of_w ? (double)NAN : sum_up(k);
}

static double find_loss(struct ft__nmf_work *k)
{
	prepare_update(k, false);
	return sum_up(k);
}

const struct ft__nmf_way ft__nmf_squares = {update, find_loss};
