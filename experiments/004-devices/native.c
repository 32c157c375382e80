/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native.c - the kernels of kernels.cl as loops over their work-items, in their order.
 *
 *	native KERNEL N M TIMES
 *
 * prints what a launch takes: the lower quartile of TIMES of them behind one that is not timed, or of as many
 *as 0.3 s have room for, and their standard deviation; seconds of the processor, for others may use
 *it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static float *a, *b, *c;

static void vector_addition(int n, int m)
{
	(void)m;
	for (int i = 0; i < n; i++)
		c[i] = a[i] + b[i];
}

static void product(int n, int m)
{
	(void)m;
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			float sum = 0;

			for (int k = 0; k < n; k++)
				sum += a[y * n + k] * b[k * n + x];
			c[y * n + x] = sum;
		}
}

static void logistic(int n, int m)
{
	for (int i = 0; i < n; i++) {
		float x = a[i];

		for (int k = 0; k < m; k++)
			x = 3.7f * x * (1.0f - x);
		c[i] = x;
	}
}

static void row_sums(int n, int m)
{
	(void)m;
	for (int x = 0; x < n; x++) {
		float sum = 0;

		for (int y = 0; y < n; y++)
			sum += a[y * n + x];
		c[x] = sum;
	}
}

static void column_sums(int n, int m)
{
	(void)m;
	for (int y = 0; y < n; y++) {
		float sum = 0;

		for (int x = 0; x < n; x++)
			sum += a[y * n + x];
		c[y] = sum;
	}
}

static void sobel(int n, int m)
{
	(void)m;
	for (int y = 1; y < n - 1; y++)
		for (int x = 1; x < n - 1; x++) {
			const float *p = a + y * n + x;
			float h = p[-n + 1] - p[-n - 1] + 2 * (p[1] - p[-1]) + p[n + 1] - p[n - 1];
			float v = p[n - 1] - p[-n - 1] + 2 * (p[n] - p[-n]) + p[n + 1] - p[-n + 1];

			c[y * n + x] = h * h + v * v;
		}
}

static void convolution(int n, int m)
{
	int half = m / 2;

	for (int y = half; y < n - half; y++)
		for (int x = half; x < n - half; x++) {
			float sum = 0;

			for (int j = 0; j < m; j++)
				for (int i = 0; i < m; i++)
					sum += b[j * m + i] * a[(y + j - half) * n + x + i - half];
			c[y * n + x] = sum;
		}
}

static void transpose_naive(int n, int m)
{
	(void)m;
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++)
			c[x * n + y] = a[y * n + x];
}

static void transpose_local(int n, int m)
{
	(void)m;
	for (int top = 0; top < n; top += 16)
		for (int left = 0; left < n; left += 16) {
			float tile[16][17];

			for (int y = 0; y < 16; y++)
				for (int x = 0; x < 16; x++)
					tile[y][x] = a[(top + y) * n + left + x];
			for (int y = 0; y < 16; y++)
				for (int x = 0; x < 16; x++)
					c[(left + y) * n + top + x] = tile[x][y];
		}
}

static const struct {
	const char *name;
	void (*run)(int n, int m);
	int square; /* it has n n elements */
} kernels[] = {
	{"vector_addition", vector_addition, 0},
	{"product", product, 1},
	{"logistic", logistic, 0},
	{"row_sums", row_sums, 1},
	{"column_sums", column_sums, 1},
	{"sobel", sobel, 1},
	{"convolution", convolution, 1},
	{"transpose_naive", transpose_naive, 1},
	{"transpose_local", transpose_local, 1},
};

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *p, const void *q)
{
	double x = *(const double *)p, y = *(const double *)q;

	return (x > y) - (x < y);
}

static void time_it(void (*run)(int, int), int n, int m, int times)
{
	double *took = calloc((size_t)times, sizeof *took), all = 0, mean, squares = 0;
	int k = 0;

	run(n, m);
	while (took && k < times && (!k || all < 0.3)) {
		double from = now_s();

		run(n, m);
		took[k] = now_s() - from;
		all += took[k++];
	}
	if (!took || !k)
		exit(3);
	mean = all / k;
	for (int i = 0; i < k; i++)
		squares += (took[i] - mean) * (took[i] - mean);
	qsort(took, (size_t)k, sizeof *took, compare);
	printf("%.9g %.9g\n", took[k / 4], k > 1 ? sqrt(squares / (k - 1)) : 0);
	free(took);
}

int main(int argc, char **argv)
{
	int n = argc == 5 ? atoi(argv[2]) : 0, m = argc == 5 ? atoi(argv[3]) : 0,
	    times = argc == 5 ? atoi(argv[4]) : 0;

	for (size_t i = 0; n > 0 && times > 0 && i < sizeof kernels / sizeof *kernels; i++) {
		size_t floats = (size_t)n * (size_t)(kernels[i].square ? n : 1) + 1024;

		if (strcmp(kernels[i].name, argv[1]) != 0)
			continue;
		a = malloc(floats * sizeof *a);
		b = malloc(floats * sizeof *b);
		c = malloc(floats * sizeof *c);
		if (!a || !b || !c)
			return 3;
		for (size_t k = 0; k < floats; k++) {
			a[k] = b[k] = (float)(k * 2654435761u % 1000) / 1000;
			c[k] = 0;
		}
		time_it(kernels[i].run, n, m, times);
		return c[floats / 3] > 1e30f; /* it is used */
	}
	fprintf(stderr, "usage: native KERNEL N M TIMES\n");
	return 2;
}
