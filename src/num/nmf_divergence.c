/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf_divergence.c - factors for the least divergence, sum x ln(x / wh) - x + wh: Newton's steps one entry at
 * a time (Hsieh & Dhillon, Fast coordinate descent methods with variable selection for non-negative matrix
 * factorization, 2011, section 3.2), or multiplicative updates (Lee & Seung, 2001); of w s h for sparse
 * factors (Pascual-Montano et al., 2006).
 *
 * With w h~ or w~ h in place of w h, where h~ = s h and w~ = w s, each half of an iteration is the plain
 * problem.
 */
#include "num/dense.h"
#include "num/nmf_work.h"
#include "num/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Steps through all entries of a row before the next row. */
enum { ROUNDS = 2, WIDE = 2 * FT_LANES };

/* Where nothing is foretold, something is, by this share of a row's mean: it is divided by. */
static const double least_share = 1e-16;

/* ---- one row: x [n] ~ f b, b [r x n], product [n] = f b ---------------------------------------------------
 */

struct nmf_divergence_row {
	const double *x, *b;
	const double *sum; /* [r] of b's rows */
	double *product;
	size_t n;
	double least; /* of a product */
};

/* sum b x / p and sum b^2 x / p^2. */
static inline void find_slopes(const struct nmf_divergence_row *row, const double *b, double *slope,
			       double *curve)
{
	ft_lanes s[2] = {{0}, {0}}, c[2] = {{0}, {0}}; /* two sums each: neither waits for itself */
	size_t j;

	for (j = 0; j + WIDE <= row->n; j += WIDE)
		for (size_t o = 0; o < 2; o++) {
			ft_lanes x, q, p;

			memcpy(&x, row->x + j + o * FT_LANES, sizeof x);
			memcpy(&q, b + j + o * FT_LANES, sizeof q);
			memcpy(&p, row->product + j + o * FT_LANES, sizeof p);
			q /= p;
			x *= q;
			s[o] += x;
			c[o] += x * q;
		}
	s[0] += s[1];
	c[0] += c[1];
	*slope = (s[0][0] + s[0][1]) + (s[0][2] + s[0][3]);
	*curve = (c[0][0] + c[0][1]) + (c[0][2] + c[0][3]);
	for (; j < row->n; j++) {
		double q = b[j] / row->product[j];

		*slope += row->x[j] * q;
		*curve += row->x[j] * q * q;
	}
}

/* The slope where the entry f of that row would be zero. */
static double slope_at_zero(const struct nmf_divergence_row *row, const double *b, double f)
{
	double slope = 0;

	for (size_t j = 0; j < row->n; j++)
		slope += row->x[j] * b[j] / fmax(row->product[j] - f * b[j], row->least);
	return slope;
}

/* Where one entry should be, the others of its row fixed. The slope of the divergence is sum - s(f) with s
 * convex and falling: s ~ a / (c + f) through its value and slope here, from the left, never goes too far.
 * From the right it may reach below zero; then zero it is where the slope says so, else a multiplicative
 * step, which is safe. */
static inline double next_value(const struct nmf_divergence_row *row, const double *b, double sum, double f)
{
	double s, c;

	find_slopes(row, b, &s, &c);
	if (!(c > 0))
		return sum > 0 ? 0 : f;
	double there = f + s / c * (s / sum - 1);
	if (there > 0)
		return there;
	if (!(f > 0))
		return 0;
	return slope_at_zero(row, b, f) <= sum ? 0 : f * s / sum;
}

static inline void move_product(const struct nmf_divergence_row *row, const double *restrict b, double by)
{
	double *restrict product = row->product, least = row->least;
	size_t n = row->n;

	for (size_t j = 0; j < n; j++) {
		double p = product[j] + by * b[j];

		product[j] = p > least ? p : least;
	}
}

/* product = f b, f: r entries, `stride` apart; nothing of it is below `least`. */
FT_WIDE static void find_product(const struct nmf_divergence_row *row, const double *f, size_t r,
				 size_t stride)
{
	double *restrict product = row->product, least = row->least;
	size_t n = row->n;

	memset(product, 0, n * sizeof *product);
	for (size_t l = 0; l < r; l++)
		ft_axpy(product, f[l * stride], row->b + l * n, n);
	for (size_t j = 0; j < n; j++)
		product[j] = product[j] > least ? product[j] : least;
}

/* f: r entries, `stride` apart. */
FT_WIDE static void settle_row(const struct nmf_divergence_row *row, double *f, size_t r, size_t stride)
{
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t l = 0; l < r; l++) {
			const double *b = row->b + l * row->n;

			if (!(row->sum[l] > FT__NMF_TINY))
				continue;
			double there = next_value(row, b, row->sum[l], f[l * stride]);
			if (there == f[l * stride])
				continue;
			move_product(row, b, there - f[l * stride]);
			f[l * stride] = there;
		}
}

/* f := f * (b x / p) / sum b (Lee & Seung). */
static void multiply_row(const struct nmf_divergence_row *row, double *f, size_t r, size_t stride)
{
	double *ratio = row->product;

	for (size_t j = 0; j < row->n; j++)
		ratio[j] = row->x[j] / ratio[j];
	for (size_t l = 0; l < r; l++)
		f[l * stride] *= row->sum[l] > FT__NMF_TINY
					 ? ft_dot(row->b + l * row->n, ratio, row->n) / row->sum[l]
					 : 0;
}

/* ---- a factor --------------------------------------------------------------------------------------------
 */

static double of_entry(double x, double p)
{
	return x > 0 ? x * log(x / p) - x + p : p;
}

static double of_row(const struct nmf_divergence_row *row)
{
	double loss = 0;

	for (size_t j = 0; j < row->n; j++)
		loss += of_entry(row->x[j], row->product[j]);
	return loss;
}

/* f [r x length] for x [length x n] ~ f b. */
struct half {
	double *f;
	const double *b, *x;
	size_t length, n;
};

static struct nmf_divergence_row row_at(const struct ft__nmf_work *k, const struct half *half, size_t i)
{
	struct nmf_divergence_row row = {
		.x = half->x + i * half->n, .b = half->b, .sum = k->sum, .product = k->row, .n = half->n};

	row.least = fmax(least_share * ft__nmf_mean(row.x, row.n), FT__NMF_TINY);
	find_product(&row, half->f + i, k->r, half->length);
	return row;
}

/* Returns the loss of where it ends, when that is wanted. */
static double update_half(struct ft__nmf_work *k, const struct half *half, bool multiplicative, bool wanted)
{
	double loss = 0;

	for (size_t l = 0; l < k->r; l++)
		k->sum[l] = ft__nmf_mean(half->b + l * half->n, half->n) * (double)half->n;
	for (size_t i = 0; i < half->length; i++) {
		struct nmf_divergence_row row = row_at(k, half, i);

		if (!multiplicative) {
			settle_row(&row, half->f + i, k->r, half->length);
		} else {
			multiply_row(&row, half->f + i, k->r, half->length);
			if (wanted) /* the product's place served for ratios */
				find_product(&row, half->f + i, k->r, half->length);
		}
		loss += wanted ? of_row(&row) : 0;
	}
	return loss;
}

static const double *smooth_factor(struct ft__nmf_work *k, const double *f, size_t length)
{
	if (!(k->theta > 0))
		return f;
	memcpy(k->smooth, f, k->r * length * sizeof *f);
	ft_nmf_smooth(k->smooth, k->r, length, k->theta);
	return k->smooth;
}

/* What stands for holes is no part of the loss. */
static double of_holes(const struct ft__nmf_work *k, const double *w)
{
	double loss = 0;

	assert(k->n > 0);
	for (size_t e = 0; e < k->holes; e++) {
		size_t i = k->hole[e] / k->n, j = k->hole[e] % k->n;
		double p = 0;

		for (size_t l = 0; l < k->r; l++)
			p += w[l * k->m + i] * k->h[l * k->n + j];
		loss += of_entry(k->filled[k->hole[e]], fmax(p, FT__NMF_TINY));
	}
	return loss;
}

static double update(struct ft__nmf_work *k, bool of_w, bool careful)
{
	const double *w = of_w ? k->w : smooth_factor(k, k->w, k->m),
		     *h = of_w ? smooth_factor(k, k->h, k->n) : k->h;
	const struct half half = of_w ? (struct half){k->w, h, k->x, k->m, k->n}
				      : (struct half){k->h, w, k->turned, k->n, k->m};

	ft__nmf_fill(k, w, h);
	double loss = update_half(k, &half, k->multiplicative || careful, !of_w);
	return of_w ? (double)NAN : loss - of_holes(k, w);
}

static double find_loss(struct ft__nmf_work *k)
{
	const double *w = smooth_factor(k, k->w, k->m);
	const struct half half = {k->h, w, k->turned, k->n, k->m};
	double loss = 0;

	ft__nmf_fill(k, w, k->h);
	for (size_t j = 0; j < k->n; j++) {
		struct nmf_divergence_row row = row_at(k, &half, j);

		loss += of_row(&row);
	}
	return loss - of_holes(k, w);
}

const struct ft__nmf_way ft__nmf_divergence = {update, find_loss};
