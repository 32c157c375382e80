/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that go along columns of rows of n numbers: 004 chapter 13. */

__kernel void column_sums(__global const float *a, __global float *sum, int n)
{
	int x = get_global_id(0);
	float s = 0;
	for (int y = 0; y < 128; y++)
		s += a[y * n + x];
	sum[x] = s;
}

__kernel void transpose(__global const float *a, __global float *b, int n)
{
	int x = get_global_id(0), y = get_global_id(1);
	b[x * n + y] = a[y * n + x];
}
