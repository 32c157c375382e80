/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fft.h - the discrete Fourier transform of n complex numbers, n a power of two, by halves (Cooley and Tukey
 * 1965). */
#ifndef EXAMPLE_FFT_H
#define EXAMPLE_FFT_H

#include "example.h"

struct number {
	double re, im;
};

static inline struct number times(struct number a, struct number b)
{
	return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Of every stride-th number of x; root[k] = exp(-2 pi i k / (n stride)). As it is written, a call for each
 * half: gcc would put calls into each other, and what a size takes then hangs on how many are left over. */
__attribute__((noinline)) static void transform(size_t n, size_t stride, const struct number *x,
						const struct number *root, struct number *out)
{
	size_t half = n / 2, k;

	if (n == 1) {
		out[0] = x[0];
		return;
	}
	transform(half, 2 * stride, x, root, out);
	transform(half, 2 * stride, x + stride, root, out + half);
	for (k = 0; k < half; k++) {
		struct number even = out[k], odd = times(root[k * stride], out[half + k]);

		out[k] = (struct number){even.re + odd.re, even.im + odd.im};
		out[half + k] = (struct number){even.re - odd.re, even.im - odd.im};
	}
}

static inline struct number *make_numbers(size_t n)
{
	return (struct number *)example_numbers(n, 2);
}

static inline struct number *make_roots(size_t n)
{
	struct number *root = make_numbers(n);
	size_t k;

	for (k = 0; k < n; k++) {
		double angle = -2 * M_PI * (double)k / (double)n;

		root[k] = (struct number){cos(angle), sin(angle)};
	}
	return root;
}

static inline double energy(size_t n, const struct number *x)
{
	double sum = 0;

	while (n--)
		sum += x[n].re * x[n].re + x[n].im * x[n].im;
	return sum;
}

#endif
