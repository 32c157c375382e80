/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels whose groups differ: what a draw of them says is compared with all of them. */

__kernel void filter(__global const float *p, __global const float *f, __global float *o, int w, int h, int size)
{
	int x = get_global_id(0), y = get_global_id(1), r = size / 2;
	float sum = 0;
	for (int j = -r; j <= r; j++)
		for (int i = -r; i <= r; i++)
			if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w)
				sum += p[(y + j) * w + x + i] * f[(j + r) * size + i + r];
	o[y * w + x] = sum;
}

__kernel void triangle(__global const float *a, __global float *o, int n)
{
	int i = get_global_id(0);
	float sum = 0;
	for (int j = 0; j <= i; j++)
		for (int k = j; k < n; k++)
			sum += a[j * n + k];
	o[i] = sum;
}

__kernel void sparse(__global const int *row, __global const int *column, __global const float *v,
		     __global const float *x, __global float *y, int n)
{
	int i = get_global_id(0);
	if (i < n) {
		float sum = 0;
		for (int k = row[i]; k < row[i + 1]; k++)
			sum += v[k] * x[column[k]];
		y[i] = sum;
	}
}
