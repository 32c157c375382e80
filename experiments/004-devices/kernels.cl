/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The training and test kernels of document 004, 13.4: the first three train. */

__kernel void vector_addition(__global const float *a, __global const float *b, __global float *c)
{
	size_t i = get_global_id(0);

	c[i] = a[i] + b[i];
}

__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}

__kernel void logistic(__global float *a, int turns)
{
	size_t i = get_global_id(0);
	float x = a[i];

	for (int k = 0; k < turns; k++)
		x = 3.7f * x * (1.0f - x);
	a[i] = x;
}

__kernel void row_sums(__global const float *a, __global float *sums, int n)
{
	int x = get_global_id(0);
	float sum = 0;

	for (int y = 0; y < n; y++)
		sum += a[y * n + x];
	sums[x] = sum;
}

__kernel void column_sums(__global const float *a, __global float *sums, int n)
{
	int y = get_global_id(0);
	float sum = 0;

	for (int x = 0; x < n; x++)
		sum += a[y * n + x];
	sums[y] = sum;
}

__kernel void sobel(__global const float *a, __global float *b, int n)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
		__global const float *p = a + y * n + x;
		float h = p[-n + 1] - p[-n - 1] + 2 * (p[1] - p[-1]) + p[n + 1] - p[n - 1];
		float v = p[n - 1] - p[-n - 1] + 2 * (p[n] - p[-n]) + p[n + 1] - p[-n + 1];

		b[y * n + x] = h * h + v * v;
	}
}

__kernel void convolution(__global const float *a, __global const float *filter, __global float *b, int n, int width)
{
	int x = get_global_id(0), y = get_global_id(1), half_width = width / 2;
	float sum = 0;

	if (x >= half_width && y >= half_width && x < n - half_width && y < n - half_width) {
		for (int j = 0; j < width; j++)
			for (int i = 0; i < width; i++)
				sum += filter[j * width + i] * a[(y + j - half_width) * n + x + i - half_width];
		b[y * n + x] = sum;
	}
}

__kernel void transpose_naive(__global const float *a, __global float *b, int n)
{
	int x = get_global_id(0), y = get_global_id(1);

	b[x * n + y] = a[y * n + x];
}

__kernel void transpose_local(__global const float *a, __global float *b, int n)
{
	__local float tile[16][17];
	int x = get_local_id(0), y = get_local_id(1);
	int left = get_group_id(0) * 16, top = get_group_id(1) * 16;

	tile[y][x] = a[(top + y) * n + left + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	b[(left + y) * n + top + x] = tile[x][y];
}
