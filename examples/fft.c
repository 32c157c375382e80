/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fft.c - the discrete Fourier transform of n numbers, n a power of two, by halves (Cooley and Tukey 1965).
 */
#include "example.h"

#include <complex.h>

/* Without the care for infinities that * takes. */
static inline double complex product(double complex a, double complex b)
{
	return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* Of every stride-th number of x; root[k] = exp(-2 pi i k / (n stride)). */
static void transform(size_t n, size_t stride, const double complex *x, const double complex *root,
		      double complex *out)
{
	size_t half = n / 2, k;

	if (n == 1) {
		out[0] = x[0];
		return;
	}
	transform(half, 2 * stride, x, root, out);
	transform(half, 2 * stride, x + stride, root, out + half);
	for (k = 0; k < half; k++) {
		double complex even = out[k], odd = product(root[k * stride], out[half + k]);

		out[k] = even + odd;
		out[half + k] = even - odd;
	}
}

static double complex *make_roots(size_t n)
{
	double complex *root = (double complex *)example_numbers(n, 2);
	size_t k;

	for (k = 0; k < n; k++)
		root[k] = cexp(CMPLX(0, -2 * M_PI * (double)k / (double)n));
	return root;
}

static double energy(size_t n, const double complex *x)
{
	double sum = 0;

	while (n--)
		sum += creal(product(x[n], conj(x[n])));
	return sum;
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv);
	double complex *x, *root, *out;
	struct ft_probe probe = FT_PROBE_INIT;

	if (n & (n - 1))
		ft_probe_invalid();
	x = (double complex *)example_numbers(n, 2);
	out = (double complex *)example_numbers(n, 2);
	root = make_roots(n);
	ft_probe_start(&probe);
	transform(n, 1, x, root, out);
	ft_probe_stop(&probe);
	ft_probe_report("fft", 5 * (double)n * log2((double)n), &probe);

	/* Parseval */
	example_check(fabs(energy(n, out) / (double)n - energy(n, x)) <= 1e-9 * energy(n, x), "fft");
	free(x);
	free(out);
	free(root);
	return 0;
}
