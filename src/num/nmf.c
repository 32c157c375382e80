/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf.c - non-negative factorisation: its state, extrapolation, and stopping rules.
 *
 * Factors that moved are extrapolated in the direction of the move (Ang & Gillis, Accelerating nonnegative
 * matrix factorization algorithms using extrapolation, 2019): if the loss grows the step is rejected, the
 * next iteration is plain, and later ones extrapolate less. */
#include "base/alloc.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* The first extrapolation, its growth, the growth of its bound, and its divisor after a rejected step (Ang
 * & Gillis, section 3). */
static const double reach_first = 0.5, reach_grows = 1.05, bound_grows = 1.01, reach_falls = 1.5;

enum { OTHER_ROUNDS = 30 };

/* The best factors, those before extrapolation, and its length. */
struct momentum {
	double *best_w, *best_h, *last_w, *last_h;
	double value; /* the loss of the best */
	double reach, most;
	bool fresh;   /* it went too far: the next iteration is plain */
	bool careful; /* so did that */
};

void ft_nmf_smooth(double *h, size_t r, size_t n, double smoothness)
{
	for (size_t j = 0; j < n; j++) {
		double mean = 0;

		for (size_t l = 0; l < r; l++)
			mean += h[l * n + j] / (double)r;
		for (size_t l = 0; l < r; l++)
			h[l * n + j] = (1 - smoothness) * h[l * n + j] + smoothness * mean;
	}
}

/* nmf_fill - replace unknown entries by left right: [r x m], [r x n]. */
static void nmf_fill(struct ft__nmf_work *k, const double *left, const double *right)
{
	for (size_t e = 0; e < k->holes; e++) {
		size_t i = k->hole[e] / k->n, j = k->hole[e] % k->n;
		double predicted = 0;

		for (size_t l = 0; l < k->r; l++)
			predicted += left[l * k->m + i] * right[l * k->n + j];
		k->square += predicted * predicted - k->filled[k->hole[e]] * k->filled[k->hole[e]];
		k->filled[k->hole[e]] = k->filled_turned[j * k->m + i] = predicted;
	}
}

double ft__nmf_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static size_t count_holes(const double *x, size_t n)
{
	size_t holes = 0;

	for (size_t i = 0; i < n; i++)
		holes += isnan(x[i]) ? 1 : 0;
	return holes;
}

/* Copies of x; holes are zeros at first. */
static enum ft_status copy_matrix(struct ft__nmf_work *k, const double *x, struct ft_err *err)
{
	size_t m = k->m, n = k->n, holes = 0;

	k->holes = count_holes(x, m * n);
	k->filled_turned = ft_malloc((m * n + (k->holes ? m * n : 0)) * sizeof(double));
	k->hole = k->holes ? ft_malloc(k->holes * sizeof *k->hole) : NULL;
	if (!k->filled_turned || (k->holes && !k->hole))
		return ft_nomem(err);
	k->turned = k->filled_turned;
	k->x = x;
	if (k->holes) {
		k->x = k->filled = k->filled_turned + m * n;
		memcpy(k->filled, x, m * n * sizeof *x);
	}
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			double value = x[i * n + j];

			if (holes < k->holes && isnan(value)) {
				k->hole[holes++] = i * n + j;
				k->filled[i * n + j] = value = 0;
			}
			k->filled_turned[j * m + i] = value;
		}
	k->square = ft_dot(k->x, k->x, m * n);
	return FT_OK;
}

static enum ft_status work_init(struct ft__nmf_work *k, const struct ft_nmf *nmf, const double *x, size_t m,
				size_t n, size_t r, double *w, double *h, struct ft_err *err)
{
	size_t longer = m > n ? m : n;

	*k = (struct ft__nmf_work){.m = m,
				   .n = n,
				   .r = r,
				   .w = w,
				   .h = h,
				   .multiplicative = nmf->multiplicative,
				   .theta = nmf->loss == FT_NMF_NONSMOOTH ? nmf->smoothness : 0,
				   .l1 = nmf->l1,
				   .l2_w = fmax(nmf->l2, nmf->l1),
				   .l2_h = nmf->l2};
	FT_TRY(copy_matrix(k, x, err));
	k->memory = ft_malloc((2 * r * longer + r * r + longer + r) * sizeof(double));
	if (!k->memory)
		return ft_nomem(err);
	k->along = k->memory;
	k->smooth = k->along + r * longer;
	k->gram = k->smooth + r * longer;
	k->row = k->gram + r * r;
	k->sum = k->row + longer;
	return FT_OK;
}

static const struct ft__nmf_way *way_of(const struct ft_nmf *nmf)
{
	return nmf->loss == FT_NMF_FROBENIUS ? &ft__nmf_squares : &ft__nmf_divergence;
}

static void work_clear(struct ft__nmf_work *k)
{
	ft_free(k->filled_turned);
	ft_free(k->hole);
	ft_free(k->memory);
}

static void keep_best(const struct ft__nmf_work *k, struct momentum *m, double value)
{
	memcpy(m->best_w, k->w, k->r * k->m * sizeof *k->w);
	memcpy(m->best_h, k->h, k->r * k->n * sizeof *k->h);
	m->value = value;
}

static void go_back(struct ft__nmf_work *k, const struct momentum *m)
{
	memcpy(k->w, m->best_w, k->r * k->m * sizeof *k->w);
	memcpy(k->h, m->best_h, k->r * k->n * sizeof *k->h);
	memcpy(m->last_w, m->best_w, k->r * k->m * sizeof *k->w);
	memcpy(m->last_h, m->best_h, k->r * k->n * sizeof *k->h);
}

static enum ft_status momentum_init(struct momentum *m, struct ft__nmf_work *k, const struct ft__nmf_way *way,
				    struct ft_err *err)
{
	size_t of_w = k->r * k->m, of_h = k->r * k->n;

	*m = (struct momentum){.reach = reach_first, .most = 1};
	m->best_w = ft_malloc(2 * (of_w + of_h) * sizeof *m->best_w);
	if (!m->best_w)
		return ft_nomem(err);
	m->best_h = m->best_w + of_w;
	m->last_w = m->best_h + of_h;
	m->last_h = m->last_w + of_w;
	keep_best(k, m, way->loss(k));
	go_back(k, m);
	return FT_OK;
}

/* f := f + reach (f - last), last := f. */
FT_WIDE static void reach_on(double *restrict f, double *restrict last, double reach, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double here = f[i], there = here + reach * (here - last[i]);

		f[i] = there > 0 ? there : 0;
		last[i] = here;
	}
}

/* Of a loss: smaller gains are rounding. */
static double rounding(const struct ft__nmf_work *k)
{
	return 4 * DBL_EPSILON * k->square;
}

/* The value of the best falls, or stays. */
static void iterate(struct ft__nmf_work *k, struct momentum *m, const struct ft__nmf_way *way)
{
	double reach = k->multiplicative || m->fresh ? 0 : m->reach;

	(void)way->update(k, true, m->careful);
	reach_on(k->w, m->last_w, reach, k->r * k->m);
	double value = way->update(k, false, m->careful);
	if (value > m->value + rounding(k) && !(k->multiplicative || m->careful)) {
		go_back(k, m);
		m->careful = m->fresh;
		m->fresh = true;
		m->most = m->reach;
		m->reach /= reach_falls;
		return;
	}
	if (value <= m->value) /* else by rounding */
		keep_best(k, m, value);
	reach_on(k->h, m->last_h, reach, k->r * k->n);
	if (reach > 0) {
		m->reach = fmin(m->most, m->reach * reach_grows);
		m->most = fmin(1, m->most * bound_grows);
	}
	m->fresh = m->careful = false;
}

enum ft_status ft_nmf_run(struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r, double *w,
			  double *h, struct ft_err *err)
{
	const struct ft__nmf_way *way = way_of(nmf);
	struct momentum momentum = {0};
	struct ft__nmf_work work;
	enum ft_status status = work_init(&work, nmf, x, m, n, r, w, h, err);

	nmf->converged = false;
	nmf->iterations = 0;
	if (!status)
		status = momentum_init(&momentum, &work, way, err);
	for (; !status && nmf->iterations < nmf->most && !nmf->converged; nmf->iterations++) {
		double before = momentum.value;

		if (nmf->trace)
			nmf->trace[nmf->iterations] = before;
		iterate(&work, &momentum, way);
		nmf->converged = !momentum.fresh &&
				 before - momentum.value <= nmf->tolerance * momentum.value + rounding(&work);
	}
	if (!status) {
		nmf->value = momentum.value;
		if (nmf->trace)
			nmf->trace[nmf->iterations] = nmf->value;
		go_back(&work, &momentum);
	}
	ft_free(momentum.best_w);
	work_clear(&work);
	return status;
}

enum ft_status ft_nmf_other(const struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r,
			    double *w, double *h, bool of_w, struct ft_err *err)
{
	const struct ft__nmf_way *way = way_of(nmf);
	struct ft__nmf_work work;
	enum ft_status status = work_init(&work, nmf, x, m, n, r, w, h, err);
	double *f = of_w ? w : h;
	size_t length = r * (of_w ? m : n), i;

	for (i = 0; i < length; i++)
		f[i] = 1;
	for (i = 0; !status && i < OTHER_ROUNDS; i++)
		(void)way->update(&work, of_w, false);
	work_clear(&work);
	return status;
}

/*
 * Factors for the least divergence, sum x ln(x / wh) - x + wh: Newton's steps one entry at
 * a time (Hsieh & Dhillon, Fast coordinate descent methods with variable selection for non-negative matrix
 * factorization, 2011, section 3.2), or multiplicative updates (Lee & Seung, 2001); of w s h for sparse
 * factors (Pascual-Montano et al., 2006).
 *
 * With w h~ or w~ h in place of w h, where h~ = s h and w~ = w s, each half of an iteration is the plain
 * problem.
 */

/* Steps through all entries of a row before the next row. */
enum { ROUNDS = 2, WIDE = 2 * FT_LANES };

/* A prediction of zero is replaced by this share of a row's mean, since it is a divisor. */
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

/* The best value of one entry, with the rest of its row fixed. The slope of the divergence is sum - s(f)
 * with s convex and falling: s ~ a / (c + f) through its value and slope here never goes too far from the
 * left. From the right it may go below zero; then it becomes zero if the slope at zero allows, else a
 * multiplicative step is taken, which is safe. */
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

/* product = f b, f: r entries, `stride` apart; values are at least `least`. */
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

/* Replacements of unknown entries are no part of the loss. */
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

	nmf_fill(k, w, h);
	double loss = update_half(k, &half, k->multiplicative || careful, !of_w);
	return of_w ? (double)NAN : loss - of_holes(k, w);
}

static double find_loss(struct ft__nmf_work *k)
{
	const double *w = smooth_factor(k, k->w, k->m);
	const struct half half = {k->h, w, k->turned, k->n, k->m};
	double loss = 0;

	nmf_fill(k, w, k->h);
	for (size_t j = 0; j < k->n; j++) {
		struct nmf_divergence_row row = row_at(k, &half, j);

		loss += of_row(&row);
	}
	return loss - of_holes(k, w);
}

const struct ft__nmf_way ft__nmf_divergence = {update, find_loss};

/*
 * Factors for the least sum of squares: hierarchical alternating least squares, which optimises one row of a
 * factor at a time (Cichocki & Phan, 2009), several times for each product with x (Gillis & Glineur, 2012).
 */

/* Columns of a factor optimised together: all of their rows stay in the cache. */
enum { TILE = 64, SQUARES_ROUNDS = 30 };

/* Rounds end when one moves less than this share of the first one's move (Gillis & Glineur). */
static const double settled = 0.1;

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

/* Move one row to the minimum of the loss, with the rest fixed; the squares of the moves are summed. */
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
		f[i] *= below[i] > FT__NMF_TINY && along[i] > 0 ? along[i] / below[i] : 0;
}

/* How many rounds are efficient: one costs 2 length r^2, its preparation 2 m n r + the gram (Gillis &
 * Glineur, section 3.1). */
static size_t rounds(size_t length, size_t other, size_t r)
{
	double many = 0.5 * (1 + (double)other * (double)(length + r) / ((double)length * (double)(r + 1)));

	return many < SQUARES_ROUNDS ? 1 + (size_t)many : SQUARES_ROUNDS;
}

/* The loss of unknown entries is subtracted. */
static double squares_of_holes(const struct ft__nmf_work *k)
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

/* sum (x - wh)^2 = sum x^2 - 2 <h, w x> + <w w', h h'>, from along = w x and gram = w w'. These have the penalties of h,
 * and so has the sum. */
static double sum_up(const struct ft__nmf_work *k)
{
	double cross = ft_dot(k->along, k->h, k->r * k->n), both = 0;

	for (size_t i = 0; i < k->r; i++)
		for (size_t j = 0; j < k->r; j++)
			both += k->gram[i * k->r + j] * ft_dot(k->h + i * k->n, k->h + j * k->n, k->n);
	if (k->l2_w > 0)
		both += k->l2_w * ft_dot(k->w, k->w, k->r * k->m);
	return fmax(k->square - 2 * cross + both - squares_of_holes(k), 0);
}

/* along and gram for an update of w, or of h. */
static void prepare_update(struct ft__nmf_work *k, bool of_w)
{
	const double *other = of_w ? k->h : k->w;
	size_t length = of_w ? k->m : k->n, n = of_w ? k->n : k->m;

	nmf_fill(k, k->w, k->h);
	ft_multiply(other, of_w ? k->turned : k->x, k->r, n, length, k->along);
	/* gram = f f' of f [r x length]. */
	size_t r = k->r;

	for (size_t i = 0; i < r; i++)
		for (size_t j = 0; j <= i; j++)
			k->gram[i * r + j] = k->gram[j * r + i] = ft_dot(other + i * n, other + j * n, n);
	/* Half of what the penalties add to the slope of the loss. */
	for (size_t i = 0; i < r; i++)
		k->gram[i * r + i] += of_w ? k->l2_w : k->l2_h;
	for (size_t i = 0; i < r * length && !of_w && k->l1 > 0; i++)
		k->along[i] -= k->l1;
}

static double squares_update(struct ft__nmf_work *k, bool of_w, bool careful)
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

static double squares_find_loss(struct ft__nmf_work *k)
{
	prepare_update(k, false);
	return sum_up(k);
}

const struct ft__nmf_way ft__nmf_squares = {squares_update, squares_find_loss};
