/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf_begin.c - start values of a non-negative factorisation: random, from singular values, or from
 * independent components. */
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Alternating rounds of row and column factors; rounds of least squares before a divergence. */
enum { ROUNDS = 8, FIRST_MOST = 500 };

/* The factor of one row or column that gives its known sum: `other` are those of the other way. */
static double factor_of(const double *x, size_t n, size_t stride, const double *other)
{
	double sum = 0, expected = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i * stride])) {
			sum += x[i * stride];
			expected += other[i];
		}
	return expected > 0 ? sum / expected : 0;
}

static bool has_holes(const double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n && !isnan(x[i]);)
		i++;
	return i < n;
}

enum ft_status ft_nmf_guess(double *x, size_t m, size_t n, struct ft_err *err)
{
	if (!has_holes(x, m * n))
		return FT_OK;
	double *row = ft_malloc((m + n) * sizeof *row);
	if (!row)
		return ft_nomem(err);
	double *column = row + m;
	for (size_t i = 0; i < m; i++)
		row[i] = 1;
	for (size_t round = 0; round < ROUNDS; round++) {
		for (size_t j = 0; j < n; j++)
			column[j] = factor_of(x + j, m, n, row);
		for (size_t i = 0; i < m; i++)
			row[i] = factor_of(x + i * n, n, 1, column);
	}
	for (size_t i = 0; i < m * n; i++)
		x[i] = isnan(x[i]) ? row[i / n] * column[i % n] : x[i];
	ft_free(row);
	return FT_OK;
}

static void begin_random(const double *x, size_t m, size_t n, size_t r, uint64_t seed, double *w, double *h)
{
	struct ft_random random = {seed};
	double size = 2 * sqrt(ft__nmf_mean(x, m * n) / (double)r);

	for (size_t i = 0; i < r * m; i++)
		w[i] = size * ft_random_uniform(&random);
	for (size_t i = 0; i < r * n; i++)
		h[i] = size * ft_random_uniform(&random);
}

/* The norm of the part of v that has a sign. */
static double part_norm(const double *v, size_t n, size_t stride, double sign)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double part = fmax(sign * v[i * stride], 0);

		sum += part * part;
	}
	return sqrt(sum);
}

static void take_part(const double *v, size_t n, size_t stride, double by, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = fmax(by * v[i * stride], 0);
}

static enum ft_status begin_nndsvd(const double *x, size_t m, size_t n, size_t r, bool fill, uint64_t seed,
				   double *w, double *h, struct ft_err *err)
{
	double *u = ft_malloc((m * r + r + n * r) * sizeof *u), *s, *v;
	double mean = fill ? ft__nmf_mean(x, m * n) : 0;

	if (!u)
		return ft_nomem(err);
	s = u + m * r;
	v = s + r;
	enum ft_status status = ft_svd_first(x, m, n, r, seed, u, s, v, err);
	for (size_t l = 0; !status && l < r; l++) {
		double up = part_norm(u + l, m, r, 1), un = part_norm(u + l, m, r, -1),
		       vp = part_norm(v + l, n, r, 1), vn = part_norm(v + l, n, r, -1);
		double sign = up * vp >= un * vn ? 1 : -1, nu = sign > 0 ? up : un, nv = sign > 0 ? vp : vn,
		       size = sqrt(s[l] * nu * nv);

		take_part(u + l, m, r, nu > 0 ? sign * size / nu : 0, w + l * m);
		take_part(v + l, n, r, nv > 0 ? sign * size / nv : 0, h + l * n);
	}
	for (size_t i = 0; !status && fill && i < r * m; i++)
		w[i] = w[i] > 0 ? w[i] : mean;
	for (size_t i = 0; !status && fill && i < r * n; i++)
		h[i] = h[i] > 0 ? h[i] : mean;
	ft_free(u);
	return status;
}

/* b := (b b')^-1/2 b, r x r, through its singular values. */
static enum ft_status decorrelate(double *b, size_t r, double *work, struct ft_err *err)
{
	double *u = work, *v = u + r * r, *s = v + r * r;
	enum ft_status status = ft_svd(b, r, r, u, s, v, err);

	for (size_t i = 0; !status && i < r; i++)
		for (size_t j = 0; j < r; j++)
			b[i * r + j] = ft_dot(u + i * r, v + j * r, r);
	return status;
}

/* A step of FastICA with tanh on whitened z [m x r]: b := E{g(bz) z'} - E{g'(bz)} b. */
static void ica_step(const double *z, size_t m, size_t r, const double *b, double *next)
{
	memset(next, 0, r * r * sizeof *next);
	for (size_t l = 0; l < r; l++) {
		double slope = 0;

		for (size_t i = 0; i < m; i++) {
			double g = tanh(ft_dot(b + l * r, z + i * r, r));

			ft_axpy(next + l * r, g / (double)m, z + i * r, r);
			slope += (1 - g * g) / (double)m;
		}
		ft_axpy(next + l * r, -slope, b + l * r, r);
	}
}

/* Rows of x are observations, its columns mixtures: x - mean = sources x mixture. */
static enum ft_status begin_ica(const double *x, size_t m, size_t n, size_t r, uint64_t seed, double *w,
				double *h, struct ft_err *err)
{
	struct ft_random random = {seed};
	double *memory = ft_calloc(m * n + m * r + r + n * r + 6 * r * r + r, sizeof *memory), *c = memory,
	       *z, *s, *v, *b, *next, *work;

	if (!memory)
		return ft_nomem(err);
	z = c + m * n;
	s = z + m * r;
	v = s + r;
	b = v + n * r;
	next = b + r * r;
	work = next + r * r;
	for (size_t j = 0; j < n; j++) {
		double mean = 0;

		for (size_t i = 0; i < m; i++)
			mean += x[i * n + j] / (double)m;
		for (size_t i = 0; i < m; i++)
			c[i * n + j] = x[i * n + j] - mean;
	}
	enum ft_status status = ft_svd_first(c, m, n, r, seed, z, s, v, err);
	for (size_t i = 0; i < m * r; i++)
		z[i] *= sqrt((double)m);
	for (size_t i = 0; i < r * r; i++)
		b[i] = ft_random_normal(&random);
	for (size_t step = 0; !status && step < 200; step++) {
		double far = 0;

		status = decorrelate(b, r, work, err);
		ica_step(z, m, r, b, next);
		if (!status)
			status = decorrelate(next, r, work, err);
		for (size_t l = 0; l < r; l++)
			far = fmax(far, fabs(1 - fabs(ft_dot(next + l * r, b + l * r, r))));
		memcpy(b, next, r * r * sizeof *b);
		if (far < 1e-6)
			break;
	}
	for (size_t l = 0; !status && l < r; l++) {
		for (size_t i = 0; i < m; i++)
			w[l * m + i] = fmax(ft_dot(b + l * r, z + i * r, r), DBL_EPSILON);
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t i = 0; i < r; i++)
				sum += b[l * r + i] * s[i] * v[j * r + i];
			h[l * n + j] = fmax(sum / sqrt((double)m), DBL_EPSILON);
		}
	}
	ft_free(memory);
	return status;
}

enum ft_status ft_nmf_begin(enum ft_nmf_start start, const double *x, size_t m, size_t n, size_t r, bool fill,
			    uint64_t seed, double *w, double *h, struct ft_err *err)
{
	assert(r >= 1 && r <= m && r <= n);
	switch (start) {
	case FT_NMF_NNDSVD:
		return begin_nndsvd(x, m, n, r, fill, seed, w, h, err);
	case FT_NMF_ICA:
		return begin_ica(x, m, n, r, seed, w, h, err);
	case FT_NMF_RANDOM:
		begin_random(x, m, n, r, seed, w, h);
		break;
	case FT_NMF_GIVEN:
		break;
	}
	return FT_OK;
}

/* Start from the known and estimated entries. */
static enum ft_status begin_factors(enum ft_nmf_start start, const double *x, size_t m, size_t n, size_t r,
				    bool fill, uint64_t seed, double *w, double *h, struct ft_err *err)
{
	double *copy = has_holes(x, m * n) ? ft_malloc(m * n * sizeof *copy) : NULL;
	enum ft_status status = FT_OK;

	if (!has_holes(x, m * n))
		return ft_nmf_begin(start, x, m, n, r, fill, seed, w, h, err);
	if (!copy)
		return ft_nomem(err);
	memcpy(copy, x, m * n * sizeof *copy);
	status = ft_nmf_guess(copy, m, n, err);
	if (!status)
		status = ft_nmf_begin(start, copy, m, n, r, fill, seed, w, h, err);
	ft_free(copy);
	return status;
}

enum ft_status ft_nmf_find(struct ft_nmf *nmf, enum ft_nmf_start start, uint64_t seed, const double *x,
			   size_t m, size_t n, size_t r, double *w, double *h, struct ft_err *err)
{
	struct ft_nmf first = {
		.loss = FT_NMF_FROBENIUS, .tolerance = fmax(nmf->tolerance, 1e-6), .most = FIRST_MOST};
	/* A multiplicative update never leaves a zero: there are none to begin with. */
	enum ft_status status = begin_factors(start, x, m, n, r, nmf->multiplicative, seed, w, h, err);

	if (!status && start != FT_NMF_GIVEN && nmf->loss == FT_NMF_KL && !nmf->multiplicative)
		status = ft_nmf_run(&first, x, m, n, r, w, h, err);
	return status ? status : ft_nmf_run(nmf, x, m, n, r, w, h, err);
}
