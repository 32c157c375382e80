/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf.c - non-negative factors: what the updates work on, how far they reach, and when they end.
 *
 * Factors that moved go on a little in the direction in which they moved (Ang & Gillis, Accelerating
 * nonnegative matrix factorization algorithms using extrapolation, 2019): a loss that got larger by that is
 * not taken, the next iteration is plain, and later ones reach less far. */
#include "base/alloc.h"
#include "num/dense.h"
#include "num/nmf_work.h"
#include "num/vector.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* How the reach begins, grows, how its bound grows, and what it is divided by when it went too far (Ang &
 * Gillis, section 3). */
static const double reach_first = 0.5, reach_grows = 1.05, bound_grows = 1.01, reach_falls = 1.5;

enum { OTHER_ROUNDS = 30 };

/* Where the factors were best, where they were before they reached further, and how far they do. */
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

void ft__nmf_fill(struct ft__nmf_work *k, const double *left, const double *right)
{
	for (size_t e = 0; e < k->holes; e++) {
		size_t i = k->hole[e] / k->n, j = k->hole[e] % k->n;
		double said = 0;

		for (size_t l = 0; l < k->r; l++)
			said += left[l * k->m + i] * right[l * k->n + j];
		k->square += said * said - k->filled[k->hole[e]] * k->filled[k->hole[e]];
		k->filled[k->hole[e]] = k->filled_turned[j * k->m + i] = said;
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
				   .theta = nmf->loss == FT_NMF_NONSMOOTH ? nmf->smoothness : 0};
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

/* Of a loss: below that there is nothing to gain. */
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
