/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.c - fifteen small routines, KERNEL N: the same source is compiled in several ways, and these are
 * the implementations between which bench/device/live chooses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double sink;

static float *array(size_t n)
{
	float *a = malloc((n + 1) * sizeof *a);

	if (!a)
		exit(3);
	for (size_t i = 0; i <= n; i++)
		a[i] = (float)(i * 2654435761u % 1000) / 1000;
	return a;
}

static void vecadd(size_t n)
{
	float *a = array(n), *b = array(n);

	for (size_t k = 0; k < 20; k++)
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
	sink += (double)a[n / 2];
}

static void dot(size_t n)
{
	float *a = array(n), *b = array(n), sum = 0;

	for (size_t k = 0; k < 20; k++)
		for (size_t i = 0; i < n; i++)
			sum += a[i] * b[i];
	sink += (double)sum;
}

static void matmul(size_t n)
{
	float *a = array(n * n), *b = array(n * n), *c = array(n * n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
	sink += (double)c[n];
}

static void rowsum(size_t n)
{
	float *a = array(n * n), sum = 0;

	for (size_t k = 0; k < 10; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				sum += a[i * n + j];
	sink += (double)sum;
}

static void colsum(size_t n)
{
	float *a = array(n * n), sum = 0;

	for (size_t k = 0; k < 10; k++)
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				sum += a[i * n + j];
	sink += (double)sum;
}

static void transpose(size_t n)
{
	float *a = array(n * n), *b = array(n * n);

	for (size_t k = 0; k < 10; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				b[j * n + i] = a[i * n + j];
	sink += (double)b[n];
}

static void stencil(size_t n)
{
	float *a = array(n * n), *b = array(n * n);

	for (size_t k = 0; k < 10; k++)
		for (size_t i = 1; i + 1 < n; i++)
			for (size_t j = 1; j + 1 < n; j++)
				b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
						       a[i * n - n + j] + a[i * n + n + j]);
	sink += (double)b[n + 1];
}

static void convolve(size_t n)
{
	float *a = array(n * n), *b = array(n * n);

	for (size_t i = 2; i + 2 < n; i++)
		for (size_t j = 2; j + 2 < n; j++) {
			float sum = 0;

			for (size_t k = 0; k < 5; k++)
				for (size_t l = 0; l < 5; l++)
					sum += a[(i + k - 2) * n + j + l - 2] * (float)(k + l);
			b[i * n + j] = sum;
		}
	sink += (double)b[2 * n + 2];
}

static void nbody(size_t n)
{
	float *x = array(n), *y = array(n), *f = array(n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			float dx = x[i] - x[j], dy = y[i] - y[j], r = dx * dx + dy * dy + 0.01f;

			f[i] += dx / (r * sqrtf(r));
		}
	sink += (double)f[n / 2];
}

static void logistic(size_t n)
{
	float *x = array(n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 100; k++)
			x[i] = 3.7f * x[i] * (1 - x[i]);
	sink += (double)x[n / 2];
}

static void histogram(size_t n)
{
	unsigned count[256] = {0};
	float *a = array(n);

	for (size_t k = 0; k < 10; k++)
		for (size_t i = 0; i < n; i++)
			count[(unsigned)(a[i] * 255)]++;
	sink += count[7];
}

static void prefix(size_t n)
{
	float *a = array(n);

	for (size_t k = 0; k < 10; k++)
		for (size_t i = 1; i < n; i++)
			a[i] = 0.5f * (a[i] + a[i - 1]);
	sink += (double)a[n - 1];
}

static void mandelbrot(size_t n)
{
	size_t k, all = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double x = 0, y = 0, a = 3.0 * (double)i / (double)n - 2,
			       b = 2.0 * (double)j / (double)n - 1;

			for (k = 0; k < 50 && x * x + y * y < 4; k++) {
				double t = x * x - y * y + a;

				y = 2 * x * y + b;
				x = t;
			}
			all += k;
		}
	sink += (double)all;
}

static int compare(const void *a, const void *b)
{
	float p = *(const float *)a, q = *(const float *)b;

	return (p > q) - (p < q);
}

static void sort(size_t n)
{
	float *a = array(n);

	qsort(a, n, sizeof *a, compare);
	sink += (double)a[n / 2];
}

static void sine(size_t n)
{
	float *a = array(n);

	for (size_t k = 0; k < 5; k++)
		for (size_t i = 0; i < n; i++)
			a[i] += sinf(a[i]) * expf(-a[i]);
	sink += (double)a[n / 2];
}

static const struct {
	const char *name;
	void (*run)(size_t n);
	size_t least, most;
} kernels[] = {
	{"vecadd", vecadd, 1000, 4000000},
	{"dot", dot, 1000, 4000000},
	{"matmul", matmul, 16, 512},
	{"rowsum", rowsum, 32, 2048},
	{"colsum", colsum, 32, 2048},
	{"transpose", transpose, 32, 2048},
	{"stencil", stencil, 32, 2048},
	{"convolve", convolve, 32, 1024},
	{"nbody", nbody, 64, 4096},
	{"logistic", logistic, 1000, 500000},
	{"histogram", histogram, 1000, 4000000},
	{"prefix", prefix, 1000, 4000000},
	{"mandelbrot", mandelbrot, 16, 1024},
	{"sort", sort, 1000, 1000000},
	{"sine", sine, 1000, 1000000},
};

int main(int argc, char **argv)
{
	size_t n = sizeof kernels / sizeof *kernels;

	for (size_t i = 0; argc == 1 && i < n; i++)
		printf("%s %zu %zu\n", kernels[i].name, kernels[i].least, kernels[i].most);
	if (argc == 1)
		return 0;
	for (size_t i = 0; argc == 3 && i < n; i++)
		if (!strcmp(kernels[i].name, argv[1])) {
			kernels[i].run((size_t)strtod(argv[2], NULL));
			return isnan(sink);
		}
	fprintf(stderr, "usage: kernels [KERNEL N]\n");
	return 2;
}
