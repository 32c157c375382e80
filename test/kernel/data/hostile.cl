/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels should not do. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void forever(__global int *a, int n)
{
	volatile int on = 1;
	while (on || n > 0) {
		on += n;
		a[get_global_id(0)] = on;
	}
}

__kernel void diverge(__global int *a)
{
	if (get_local_id(0) < 4) {
		a[get_local_id(0)] = 1;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	a[get_local_id(0)] = 2;
}

__kernel void outside(__global int *a, int n)
{
	a[get_global_id(0) + 1] = n;
}

__kernel void far_away(__global int *a, long n)
{
	a[n * 1000000007 + get_global_id(0)] = a[-n];
}

__kernel void local_memory(__global int *a, __local int *s)
{
	s[get_local_id(0)] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = s[get_local_id(0)];
}

int elsewhere(int);

__kernel void calls(__global int *a)
{
	a[get_global_id(0)] = elsewhere(3);
}

/* Something known is written nobody knows where, then read. */
__kernel void scattered(__global const int *where, __global int *count, int n)
{
	int i = get_global_id(0);
	count[i] = 3;
	count[where[i]] = 5;
	for (int k = 0; k < count[i]; k++)
		count[n + i] += k;
}

__kernel void thresholds(__global float *a, int n)
{
	int i = get_global_id(0);
	for (int k = 0; k < n; k++)
		a[i] += 1.0f;
	if (n > 1000)
		a[i] *= 3.0f;
}

__kernel void alternates(__global float *a, int n)
{
	for (int k = 0; k < n / 2; k++)
		a[get_global_id(0)] += 1.0f;
}

__kernel void logarithm(__global float *a, int n)
{
	for (int k = n; k > 0; k >>= 1)
		a[get_global_id(0)] += 1.0f;
}

/* One limit for all components of a vector: how often the loop runs is known only of who takes it for each. */
__kernel void limited(__global float *a, float least, float most)
{
	float16 limits = clamp((float16)(5.0f), least, most);
	for (int k = 0; k < (int)limits.sf; k++)
		a[get_global_id(0)] += 1.0f;
}

/* No work-item touches global memory before the barrier. */
__kernel void waits(__global int *a, __local int *s)
{
	s[get_local_id(0)] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = s[0];
}
