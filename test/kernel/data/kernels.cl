/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of kinds that benchmarks have (image diffusion, alignment, stencils, linear algebra, graphs, sorting), written
 * for these tests. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TILE 16

/* ---- stencils and images ---- */

__kernel void diffusion(__global const float *image, __global float *c, __global float *east, int rows, int columns,
			float q0)
{
	int x = get_global_id(0), y = get_global_id(1);
	if (x >= columns || y >= rows)
		return;
	int at = y * columns + x;
	int up = y > 0 ? y - 1 : 0, down = y < rows - 1 ? y + 1 : rows - 1;
	int left = x > 0 ? x - 1 : 0, right = x < columns - 1 ? x + 1 : columns - 1;
	float here = image[at];
	float n = image[up * columns + x] - here, s = image[down * columns + x] - here;
	float w = image[y * columns + left] - here, e = image[y * columns + right] - here;
	float g2 = (n * n + s * s + w * w + e * e) / (here * here);
	float l = (n + s + w + e) / here;
	float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
	float den = 1 + 0.25f * l;
	float q = num / (den * den);
	den = (q - q0) / (q0 * (1 + q0));
	float k = 1.0f / (1.0f + den);
	c[at] = fmin(fmax(k, 0.0f), 1.0f);
	east[at] = e;
}

__kernel void heat_tile(__global const float *power, __global const float *from, __global float *to, int n, int turns,
			float rx, float ry)
{
	__local float t[TILE][TILE], next[TILE][TILE];
	int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
	t[ly][lx] = from[gy * n + gx];
	float p = power[gy * n + gx];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < turns; i++) {
		int inside = lx > i && lx < TILE - 1 - i && ly > i && ly < TILE - 1 - i;
		if (inside)
			next[ly][lx] = t[ly][lx] + p + (t[ly + 1][lx] + t[ly - 1][lx] - 2.0f * t[ly][lx]) * ry +
				       (t[ly][lx + 1] + t[ly][lx - 1] - 2.0f * t[ly][lx]) * rx;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (inside)
			t[ly][lx] = next[ly][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	to[gy * n + gx] = t[ly][lx];
}

__kernel void jacobi(__global const float *a, __global float *b, int n)
{
	int i = get_global_id(1), j = get_global_id(0);
	if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
		b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] +
				       a[(i - 1) * n + j]);
}

__kernel void field_step(__global const float *source, __global float *ey, __global const float *hz, int t, int nx, int ny)
{
	int i = get_global_id(1), j = get_global_id(0);
	if (i < nx && j < ny) {
		if (i == 0)
			ey[i * ny + j] = source[t];
		else
			ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
	}
}

__constant float weight[7] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};

__kernel void blur_rows(__global const float *in, __global float *out, int w, int h)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0;
	for (int k = -3; k <= 3; k++) {
		int at = clamp(x + k, 0, w - 1);
		sum += in[y * w + at] * weight[k + 3];
	}
	if (y < h)
		out[y * w + x] = sum;
}

/* ---- dynamic programming ---- */

__kernel void align(__global int *score, __global const int *similar, int width, int penalty, int diagonal)
{
	__local int s[TILE + 1][TILE + 1], ref[TILE][TILE];
	int lx = get_local_id(0), bx = get_group_id(0), by = diagonal - 1 - bx;
	int base = width * TILE * by + TILE * bx + lx;
	for (int y = 0; y < TILE; y++)
		ref[y][lx] = similar[base + (y + 1) * width + 1];
	if (lx == 0)
		s[0][0] = score[base];
	s[lx + 1][0] = score[width * TILE * by + TILE * bx + (lx + 1) * width];
	s[0][lx + 1] = score[base + 1];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int m = 0; m < TILE; m++) {
		if (lx <= m) {
			int x = lx + 1, y = m - lx + 1;
			s[y][x] = max(s[y - 1][x - 1] + ref[y - 1][x - 1], max(s[y][x - 1] - penalty, s[y - 1][x] - penalty));
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int m = TILE - 2; m >= 0; m--) {
		if (lx <= m) {
			int x = lx + TILE - m, y = TILE - lx;
			s[y][x] = max(s[y - 1][x - 1] + ref[y - 1][x - 1], max(s[y][x - 1] - penalty, s[y - 1][x] - penalty));
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int y = 0; y < TILE; y++)
		score[base + (y + 1) * width + 1] = s[y + 1][lx + 1];
}

__kernel void cheapest_path(__global const int *wall, __global const int *from, __global int *to, int columns, int turns,
			    int start, int halo)
{
	__local int before[256], now[256];
	int lx = get_local_id(0), size = get_local_size(0);
	int small = size - 2 * turns * halo, x = small * (int)get_group_id(0) - halo * turns + lx;
	int least = x - lx < 0 ? -(x - lx) : 0;
	int most = x - lx + size > columns ? size - 1 - (x - lx + size - columns) : size - 1;
	int west = max(lx - 1, least), east = min(lx + 1, most);
	int valid = lx >= least && lx <= most;
	if (x >= 0 && x < columns)
		before[lx] = from[x];
	barrier(CLK_LOCAL_MEM_FENCE);
	int done = 0;
	for (int i = 0; i < turns; i++) {
		done = 0;
		if (lx >= i + 1 && lx <= size - i - 2 && valid) {
			int shortest = min(min(before[west], before[lx]), before[east]);
			now[lx] = shortest + wall[columns * (start + i) + x];
			done = 1;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i == turns - 1)
			break;
		if (done)
			before[lx] = now[lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (done)
		to[x] = now[lx];
}

/* ---- linear algebra ---- */

__kernel void product_first(__global const float *a, __global const float *b, __global float *tmp, int ni, int nj, int nk,
			    float alpha)
{
	int j = get_global_id(0), i = get_global_id(1);
	if (i < ni && j < nj) {
		float sum = 0;
		for (int k = 0; k < nk; k++)
			sum += alpha * a[i * nk + k] * b[k * nj + j];
		tmp[i * nj + j] = sum;
	}
}

__kernel void transposed_vector(__global const float *a, __global const float *tmp, __global float *y, int nx, int ny)
{
	int j = get_global_id(0);
	if (j < ny) {
		y[j] = 0;
		for (int i = 0; i < nx; i++)
			y[j] += a[i * ny + j] * tmp[i];
	}
}

__kernel void two_vectors(__global const float *a, __global const float *p, __global const float *r, __global float *q,
			  __global float *s, int nx, int ny)
{
	int i = get_global_id(0);
	float first = 0, second = 0;
	if (i < nx)
		for (int j = 0; j < ny; j++)
			first += a[i * ny + j] * p[j];
	if (i < ny)
		for (int j = 0; j < nx; j++)
			second += a[j * ny + i] * r[j];
	if (i < nx)
		q[i] = first;
	if (i < ny)
		s[i] = second;
}

__kernel void two_matrices(__global const float *a, __global const float *b, __global const float *x, __global float *y,
			   float alpha, float beta, int n)
{
	int i = get_global_id(0);
	if (i < n) {
		float first = 0, second = 0;
		for (int j = 0; j < n; j++) {
			first += a[i * n + j] * x[j];
			second += b[i * n + j] * x[j];
		}
		y[i] = alpha * first + beta * second;
	}
}

__kernel void rank_update(__global const float *a, __global float *c, float alpha, float beta, int n, int m)
{
	int j = get_global_id(0), i = get_global_id(1);
	if (i < n && j <= i) {
		c[i * n + j] *= beta;
		for (int k = 0; k < m; k++)
			c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
	}
}

__kernel void covariance(__global const float *data, __global float *symmetric, int m, int n)
{
	int first = get_global_id(0);
	if (first < m)
		for (int second = first; second < m; second++) {
			float sum = 0;
			for (int i = 0; i < n; i++)
				sum += data[i * m + first] * data[i * m + second];
			symmetric[first * m + second] = sum;
			symmetric[second * m + first] = sum;
		}
}

__kernel void deviation(__global const float *data, __global float *mean, __global float *std, int m, int n)
{
	int j = get_global_id(0);
	if (j < m) {
		float sum = 0, square = 0;
		for (int i = 0; i < n; i++)
			sum += data[i * m + j];
		sum /= (float)n;
		for (int i = 0; i < n; i++) {
			float off = data[i * m + j] - sum;
			square += off * off;
		}
		square = sqrt(square / (float)n);
		mean[j] = sum;
		std[j] = square <= 0.005f ? 1.0f : square;
	}
}

__kernel void eliminate(__global float *a, __global float *b, __global const float *factor, int n, int t)
{
	int x = get_global_id(0), y = get_global_id(1);
	if (x >= n - 1 - t || y >= n - t)
		return;
	a[n * (x + 1 + t) + y + t] -= factor[n * (x + 1 + t) + t] * a[n * t + y + t];
	if (y == 0)
		b[x + 1 + t] -= factor[n * (x + 1 + t) + t] * b[t];
}

__kernel void factor_diagonal(__global float *m, int dim, int offset)
{
	__local float d[TILE][TILE];
	int tx = get_local_id(0);
	for (int i = 0; i < TILE; i++)
		d[i][tx] = m[(offset + i) * dim + offset + tx];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < TILE - 1; i++) {
		if (tx > i) {
			for (int j = 0; j < i; j++)
				d[tx][i] -= d[tx][j] * d[j][i];
			d[tx][i] /= d[i][i];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (tx > i)
			for (int j = 0; j < i + 1; j++)
				d[i + 1][tx] -= d[i + 1][j] * d[j][tx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 1; i < TILE; i++)
		m[(offset + i) * dim + offset + tx] = d[i][tx];
}

/* ---- data ---- */

__kernel void visit(__global const int *start, __global const int *degree, __global const int *edge, __global int *mask,
		    __global int *next, __global const int *seen, __global int *cost, int n)
{
	int t = get_global_id(0);
	if (t < n && mask[t]) {
		mask[t] = 0;
		for (int i = start[t]; i < start[t] + degree[t]; i++) {
			int to = edge[i];
			if (!seen[to]) {
				cost[to] = cost[t] + 1;
				next[to] = 1;
			}
		}
	}
}

__kernel void nearest(__global const float *feature, __global const float *centre, __global int *member, int points,
		      int centres, int features)
{
	int p = get_global_id(0);
	if (p >= points)
		return;
	int index = 0;
	float least = FLT_MAX;
	for (int i = 0; i < centres; i++) {
		float sum = 0;
		for (int l = 0; l < features; l++) {
			float off = feature[l * points + p] - centre[i * features + l];
			sum += off * off;
		}
		index = sum < least ? i : index;
		least = fmin(least, sum);
	}
	member[p] = index;
}

__kernel void sum_scan(__global const int *in, __global int *out, __local int *a)
{
	int l = get_local_id(0), n = get_local_size(0);
	a[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int by = 1; by < n; by *= 2) {
		int add = l >= by ? a[l - by] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		a[l] += add;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = a[l];
}

/* ---- arithmetic ---- */

float normal(float x)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
	float c = 0.3989423f * exp(-0.5f * x * x) * k * (0.3193815f + k * (-0.3565638f + k * 1.781478f));
	return x > 0 ? 1 - c : c;
}

__kernel void option(__global const float *price, __global float *call, float rate, float sigma, float years, int n)
{
	int i = get_global_id(0);
	if (i < n) {
		float s = price[i], root = sqrt(years);
		float d1 = (log(s / 100.0f) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root);
		call[i] = s * normal(d1) - 100.0f * exp(-rate * years) * normal(d1 - sigma * root);
	}
}

__kernel void shuffle_bits(__global uint *state, int rounds)
{
	int i = get_global_id(0);
	uint x = state[i], y = (uint)i;
	for (int r = 0; r < rounds; r++) {
		switch (r % 5) {
		case 0:
			x ^= x << 13;
			break;
		case 1:
			x ^= x >> 17;
			break;
		case 2:
			x ^= (x << 5) + y;
			break;
		default:
			x = x * 1664525u + 1013904223u;
			y /= 3;
		}
	}
	state[i] = x + y;
}

__kernel void integrate(__global double *x, __global double *v, double dt, int steps)
{
	int i = get_global_id(0);
	double p = x[i], q = v[i];
	for (int s = 0; s < steps; s++) {
		double a = -p / (1.0 + p * p);
		q += dt * a;
		p += dt * q;
	}
	x[i] = p;
	v[i] = q;
}

__kernel void private_table(__global const float *in, __global float *out, int n)
{
	float table[8];
	int i = get_global_id(0);
	for (int k = 0; k < 8; k++)
		table[k] = (float)(k * k) * in[i];
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += table[(k * 5 + i) & 7];
	out[i] = sum;
}
