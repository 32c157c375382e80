/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-region.c - whether a place lies among others, which is next to it, and places spread evenly. */
#include "base/random.h"
#include "foretime/facts.h"
#include "model/model.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { POINTS = 30 };

static void draw(double *point, size_t n, size_t d, struct ft_random *random)
{
	for (size_t i = 0; i < n * d; i++)
		point[i] = ft_random_uniform(random);
}

/* How far the points reach in a direction, beyond x. */
static double reach(const double *point, size_t n, size_t d, const double *x, const double *way)
{
	double most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		double along = 0;

		for (size_t k = 0; k < d; k++)
			along += way[k] * (point[i * d + k] - x[k]);
		most = fmax(most, along);
	}
	return most;
}

/* In a plane: of 720 directions the one in which they reach least far beyond x; below 0: it lies outside. */
static double depth(const double *point, size_t n, const double *x)
{
	double least = INFINITY;

	for (int i = 0; i < 720; i++) {
		const double way[] = {cos(i * M_PI / 360), sin(i * M_PI / 360)};

		least = fmin(least, reach(point, n, 2, x, way));
	}
	return least;
}

static void test_plane(void)
{
	struct ft_random random = {test_seed()};
	int i, inside = 0, outside = 0, bad = 0, cases = test_cases(400);

	for (i = 0; i < cases; i++) {
		size_t n = 1 + ft_random_below(&random, POINTS);
		double point[POINTS * 2], x[2], deep;

		draw(point, n, 2, &random);
		x[0] = 1.4 * ft_random_uniform(&random) - 0.2;
		x[1] = 1.4 * ft_random_uniform(&random) - 0.2;
		deep = depth(point, n, x);
		if (fabs(deep) < 0.02) /* within a hundredth of the border either answer will do */
			continue;
		inside += deep > 0;
		outside += deep < 0;
		bad += ft__region_surrounds(point, n, 2, x) != (deep > 0);
	}
	ok(!bad && inside > cases / 5 && outside > cases / 5, "in a plane: %d inside, %d outside, %d wrong",
	   inside, outside, bad);
}

/* A mean of points lies among them; what lies further in a direction than all of them does not. */
static void test_more_dimensions(void)
{
	struct ft_random random = {test_seed()};
	int i, bad = 0, cases = test_cases(200);

	for (i = 0; i < cases; i++) {
		size_t d = 3 + ft_random_below(&random, FT_PARAMS_MAX - 2), k, j;
		double point[POINTS * FT_PARAMS_MAX], x[FT_PARAMS_MAX] = {0}, way[FT_PARAMS_MAX], length = 0,
						      far, sum = 0;

		draw(point, POINTS, d, &random);
		for (j = 0; j < POINTS; j++) {
			double weight = pow(ft_random_uniform(&random), 3);

			sum += weight;
			for (k = 0; k < d; k++)
				x[k] += weight * point[j * d + k];
		}
		for (k = 0; k < d; k++) {
			x[k] /= sum;
			way[k] = ft_random_normal(&random);
			length += way[k] * way[k];
		}
		bad += !ft__region_surrounds(point, POINTS, d, x);
		for (k = 0; k < d; k++)
			way[k] /= sqrt(length);
		far = reach(point, POINTS, d, x, way) + 0.03;
		for (k = 0; k < d; k++)
			x[k] += far * way[k];
		bad += ft__region_surrounds(point, POINTS, d, x);
	}
	ok(!bad, "in three dimensions and more: %d wrong of %d", bad, 2 * cases);
}

static void test_corners(void)
{
	static const double square[] = {0, 0, 0, 1, 1, 0, 1, 1},
			    at[][2] = {{0, 0}, {1, 1}, {0.5, 0}, {1, 0.3}};
	static const double out[][2] = {{-0.02, 0.5}, {1.02, 0.5}, {0.5, -0.02}, {0.5, 1.02}};
	size_t wrong = 0;

	for (size_t i = 0; i < 4; i++)
		wrong += !ft__region_surrounds(square, 4, 2, at[i]) ||
			 ft__region_surrounds(square, 4, 2, out[i]);
	ok(!wrong, "a corner and an edge belong to it, a fiftieth beyond does not");
	ok(ft__region_surrounds(square, 1, 2, at[0]) && !ft__region_surrounds(square, 1, 2, at[2]),
	   "a single place is among itself");
}

/* Each is taken once, the nearest first. */
static void test_nearest(void)
{
	struct ft_random random = {test_seed()};
	int i, bad = 0, cases = test_cases(50);

	for (i = 0; i < cases; i++) {
		double point[POINTS * 3], x[3], before = 0;
		bool taken[POINTS] = {false}, seen[POINTS] = {false, 0};

		draw(point, POINTS, 3, &random);
		draw(x, 1, 3, &random);
		for (size_t j = 0; j < POINTS; j++) {
			size_t at = ft__region_nearest(point, POINTS, 3, x, taken);
			double square = 0;

			for (size_t k = 0; k < 3; k++)
				square += pow(point[at * 3 + k] - x[k], 2);
			bad += seen[at] || !taken[at] || square < before;
			seen[at] = true;
			before = square;
		}
	}
	ok(!bad, "all of them, the nearest first");
}

static void test_spread(void)
{
	static const double halves[] = {0.5, 0.25, 0.75, 0.125, 0.625},
			    thirds[] = {1 / 3.0, 2 / 3.0, 1 / 9.0, 4 / 9.0};
	double x[FT_PARAMS_MAX], sum[FT_PARAMS_MAX] = {0};
	size_t i, k, cell[4][4] = {{0}};
	int bad = 0;

	for (i = 0; i < 1024; i++) {
		ft__region_spread(i, FT_PARAMS_MAX, x);
		bad += i < 5 && !near(x[0], halves[i], 1e-12);
		bad += i < 4 && !near(x[1], thirds[i], 1e-12);
		cell[(size_t)(4 * x[0])][(size_t)(4 * x[1])]++;
		for (k = 0; k < FT_PARAMS_MAX; k++) {
			bad += !(x[k] > 0 && x[k] < 1);
			sum[k] += x[k] / 1024;
		}
	}
	for (k = 0; k < FT_PARAMS_MAX; k++)
		bad += !(fabs(sum[k] - 0.5) < 0.02);
	for (i = 0; i < 16; i++)
		bad += cell[i / 4][i % 4] < 58 || cell[i / 4][i % 4] > 70;
	ok(!bad, "van der Corput's numbers, evenly spread along each axis and over two of them");
}

/* A place at a face of a box counts as inside, and so does one a billionth beyond. */
static void test_slack(void)
{
	static const double point[] = {0, 0, 1, 0, 0, 1, 1, 1};
	static const double inside[][2] = {
		{0, 0}, {1, 1}, {-0.9e-9, 0.5}, {0.5, 1 + 0.9e-9}, {1 + 0.9e-9, 0}};
	int bad = 0;

	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		bad += !ft__region_surrounds(point, 4, 2, inside[i]);
	ok(!bad, "at the faces: %d lie outside", bad);
	ok(!ft__region_surrounds(point, 4, 2, (double[]){0.5, 1.1}) &&
		   !ft__region_surrounds(point, 4, 2, (double[]){-0.1, 0.5}) &&
		   !ft__region_surrounds(point, 4, 2, (double[]){1.1, 1.1}),
	   "and outside is outside");
}

int main(void)
{
	test_slack();
	test_plane();
	test_more_dimensions();
	test_corners();
	test_nearest();
	test_spread();
	return done();
}
