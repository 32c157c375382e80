/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kriging.c - Gaussian-process interpolation over a few dimensions (Rasmussen & Williams, Gaussian processes
 * for machine learning, 2006, algorithm 2.1), with a kernel chosen by likelihood. */
#include "model/kriging.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* What the parts of a kernel may be. Steps away from the usual one count against a kernel: few knots say
 * little. */
static const double amplitudes[] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4};
static const double interactions[] = {0.01, 0.03, 0.1, 0.3, 1, 3};
static const double lengths[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4};
enum { N_AMPLITUDES = 10, N_INTERACTIONS = 6, N_LENGTHS = 7, N_SMOOTH = 3, N_PARTS = 4 };
static const int usual[N_PARTS] = {6, 3, 3, FT__KRIG_SMOOTH};
static const int counts[N_PARTS] = {N_AMPLITUDES, N_INTERACTIONS, N_LENGTHS, N_SMOOTH};

/* An error of a knot reaches this far, as a share of the range: what is interpolated passes through the
 * knots, and forgets what is noise between them. */
static const double error_reach = 0.01;

/* The level of the plane is within some e^3 of the mean. */
static const double level_deviation = 3;

enum ft_status ft__krig_new(struct ft__krig *krig, size_t n, size_t d, struct ft_err *err)
{
	*krig = (struct ft__krig){.n = n, .d = d, .inflation = 1};
	krig->x = ft_calloc(n * d + 1, sizeof *krig->x);
	krig->y = ft_calloc(3 * n + 1, sizeof *krig->y);
	krig->factor = ft_calloc(n * n + 1, sizeof *krig->factor);
	if (!krig->x || !krig->y || !krig->factor) {
		ft__krig_clear(krig);
		return ft_nomem(err);
	}
	krig->h = krig->y + n;
	krig->alpha = krig->h + n;
	return FT_OK;
}

void ft__krig_clear(struct ft__krig *krig)
{
	ft_free(krig->x);
	ft_free(krig->y);
	ft_free(krig->factor);
	*krig = (struct ft__krig){0};
}

static double matern(int smooth, double distance)
{
	double r;

	switch (smooth) {
	case FT__KRIG_ROUGH:
		return exp(-distance);
	case FT__KRIG_SMOOTH:
		r = sqrt(3) * distance;
		return (1 + r) * exp(-r);
	default:
		r = sqrt(5) * distance;
		return (1 + r + r * r / 3) * exp(-r);
	}
}

double ft__krig_cov(const struct ft__krig *krig, const double *a, double ha, const double *b, double hb)
{
	const struct ft_kernel *k = &krig->kernel;
	double sum = 0, product = 1, plane = level_deviation * level_deviation, far = 0;
	size_t i;

	for (i = 0; i < krig->d; i++) {
		double distance = fabs(a[i] - b[i]), rho = matern(k->smooth, distance / k->length);

		plane += krig->slope[i] * krig->slope[i] * (a[i] - 0.5) * (b[i] - 0.5);
		sum += rho;
		product *= rho;
		far += distance;
	}
	if (krig->d > 1)
		sum += k->interaction * k->interaction * product;
	return plane + k->amplitude * k->amplitude * sum +
	       (ha > 0 && hb > 0 ? ha * hb * exp(-far / error_reach) : 0);
}

/* Four sums at once: one alone would wait for each addition. */
double ft__krig_dot(const double *a, const double *b, size_t n)
{
	double sum[4] = {0};
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		sum[0] += a[i] * b[i];
		sum[1] += a[i + 1] * b[i + 1];
		sum[2] += a[i + 2] * b[i + 2];
		sum[3] += a[i + 3] * b[i + 3];
	}
	for (; i < n; i++)
		sum[0] += a[i] * b[i];
	return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* Cholesky's factor of the covariance. Two knots that nothing tells apart are held apart by a trifle. */
static void factorise(struct ft__krig *krig)
{
	size_t n = krig->n, d = krig->d, i, j;
	double *f = krig->factor;

	for (i = 0; i < n; i++)
		for (j = 0; j <= i; j++) {
			double sum =
				ft__krig_cov(krig, krig->x + i * d, krig->h[i], krig->x + j * d, krig->h[j]);

			sum -= ft__krig_dot(f + i * n, f + j * n, j);
			f[i * n + j] = i == j ? sqrt(fmax(sum, 1e-10)) : sum / f[j * n + j];
		}
}

void ft__krig_lower(const struct ft__krig *krig, double *v)
{
	size_t n = krig->n, i;

	for (i = 0; i < n; i++)
		v[i] = (v[i] - ft__krig_dot(krig->factor + i * n, v, i)) / krig->factor[i * n + i];
}

/* ln likelihood of the knots, but for a constant; leaves factor and alpha as the kernel has them. */
static double likelihood(struct ft__krig *krig)
{
	size_t n = krig->n, i, k;
	double *f = krig->factor, sum = 0;

	factorise(krig);
	memcpy(krig->alpha, krig->y, n * sizeof *krig->alpha);
	ft__krig_lower(krig, krig->alpha);
	for (i = 0; i < n; i++)
		sum -= krig->alpha[i] * krig->alpha[i] / 2 + log(f[i * n + i]);
	for (i = n; i-- > 0;) {
		for (k = i + 1; k < n; k++)
			krig->alpha[i] -= f[k * n + i] * krig->alpha[k];
		krig->alpha[i] /= f[i * n + i];
	}
	return sum;
}

static void centre(struct ft__krig *krig)
{
	size_t i;

	for (krig->mean = 0, i = 0; i < krig->n; i++)
		krig->mean += krig->y[i] / (double)krig->n;
	for (i = 0; i < krig->n; i++)
		krig->y[i] -= krig->mean;
}

void ft__krig_solve(struct ft__krig *krig)
{
	centre(krig);
	(void)likelihood(krig);
}

static struct ft_kernel kernel_of(const int part[N_PARTS])
{
	return (struct ft_kernel){amplitudes[part[0]], interactions[part[1]], lengths[part[2]], part[3]};
}

static int nearest(const double *list, int n, double value)
{
	int i, best = 0;

	for (i = 1; i < n; i++)
		if (fabs(log(list[i] / value)) < fabs(log(list[best] / value)))
			best = i;
	return best;
}

static double judge(struct ft__krig *krig, const int part[N_PARTS])
{
	double score;
	int i;

	krig->kernel = kernel_of(part);
	score = likelihood(krig);
	for (i = 0; i < N_PARTS; i++)
		score -= 0.15 * (part[i] - usual[i]) * (part[i] - usual[i]);
	return score;
}

/* Steps of one part, and of amplitude and length together: long and large are nearly the same. */
static const int moves[][N_PARTS] = {{1, 0, 0, 0}, {-1, 0, 0, 0},  {0, 1, 0, 0},  {0, -1, 0, 0},
				     {0, 0, 1, 0}, {0, 0, -1, 0},  {0, 0, 0, 1},  {0, 0, 0, -1},
				     {1, 0, 1, 0}, {-1, 0, -1, 0}, {1, -1, 0, 0}, {-1, 1, 0, 0}};

static bool move(int part[N_PARTS], const int by[N_PARTS])
{
	int i;

	for (i = 0; i < N_PARTS; i++) {
		part[i] += by[i];
		if (part[i] < 0 || part[i] >= counts[i])
			return false;
	}
	return true;
}

void ft__krig_tune(struct ft__krig *krig)
{
	int best[N_PARTS];
	double score;
	bool better = true;

	centre(krig);
	memcpy(best, usual, sizeof best);
	if (krig->kernel.amplitude > 0) {
		best[0] = nearest(amplitudes, N_AMPLITUDES, krig->kernel.amplitude);
		best[1] = nearest(interactions, N_INTERACTIONS, krig->kernel.interaction);
		best[2] = nearest(lengths, N_LENGTHS, krig->kernel.length);
		best[3] = krig->kernel.smooth;
	}
	score = judge(krig, best);
	while (better) {
		int from[N_PARTS];
		size_t i;

		better = false;
		memcpy(from, best, sizeof from);
		for (i = 0; i < sizeof moves / sizeof *moves; i++) {
			int part[N_PARTS];
			double other;

			memcpy(part, from, sizeof part);
			if (!move(part, moves[i]))
				continue;
			other = judge(krig, part);
			if (other > score + 1e-9) {
				score = other;
				memcpy(best, part, sizeof best);
				better = true;
			}
		}
	}
	(void)judge(krig, best);
}

enum ft_status ft__krig_check(struct ft__krig *krig, double *residual, struct ft_err *err)
{
	size_t n = krig->n, i;
	double *column = ft_calloc(n + 1, sizeof *column), sum = 0;

	if (!column)
		return ft_nomem(err);
	for (i = 0; i < n; i++) {
		double variance, error;

		/* The i-th diagonal element of the inverse: the square of the i-th column of factor^-1. */
		memset(column, 0, n * sizeof *column);
		column[i] = 1;
		ft__krig_lower(krig, column);
		variance = ft__krig_dot(column + i, column + i, n - i);
		error = krig->alpha[i] / variance;
		if (residual)
			residual[i] = error;
		sum += error * error * variance;
	}
	krig->inflation = n > krig->d + 1 ? fmax(1, sqrt(sum / (double)n)) : 1;
	ft_free(column);
	return FT_OK;
}

/* The error of the knot next to a place. */
static double error_near(const struct ft__krig *krig, const double *x)
{
	double best = INFINITY, h = 0;
	size_t i, k;

	for (i = 0; i < krig->n; i++) {
		double distance = 0;

		for (k = 0; k < krig->d; k++)
			distance += fabs(x[k] - krig->x[i * krig->d + k]);
		if (distance < best) {
			best = distance;
			h = krig->h[i];
		}
	}
	return h;
}

double ft__krig_at(const struct ft__krig *krig, const double *x, double *scratch, double *sd)
{
	double y = krig->mean, h = error_near(krig, x), variance = ft__krig_cov(krig, x, h, x, h);
	size_t i;

	for (i = 0; i < krig->n; i++) {
		scratch[i] = ft__krig_cov(krig, x, h, krig->x + i * krig->d, krig->h[i]);
		y += scratch[i] * krig->alpha[i];
	}
	if (!sd)
		return y;
	ft__krig_lower(krig, scratch);
	variance -= ft__krig_dot(scratch, scratch, krig->n);
	*sd = krig->inflation * sqrt(fmax(variance, 0));
	return y;
}
