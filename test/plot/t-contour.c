/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-contour.c - lines of equal value lie where the value is, are whole, and keep out of holes. */
#include "base/alloc.h"
#include "base/random.h"
#include "plot/plot.h"
#include "tap.h"

#include <math.h>

enum { ROWS = 17, COLUMNS = 23, POINTS_MOST = 4 * ROWS * COLUMNS };

/* All lines at a level. */
struct lines {
	const double *value;
	double level;
	size_t n, closed, points;
	double x[POINTS_MOST], y[POINTS_MOST];
	bool off; /* a point is not where the value is, or jumps over more than a cell */
};

/* Between two neighbours, straight. */
static double value_at(const double *value, double x, double y)
{
	size_t j = (size_t)x, i = (size_t)y;
	double u = x - (double)j, v = y - (double)i, here = value[i * COLUMNS + j];

	if (u > 0)
		return here + u * (value[i * COLUMNS + j + 1] - here);
	return v > 0 ? here + v * (value[(i + 1) * COLUMNS + j] - here) : here;
}

static void take(void *ctx, const double *x, const double *y, size_t n)
{
	struct lines *lines = ctx;

	lines->n++;
	lines->closed += n > 2 && x[0] == x[n - 1] && y[0] == y[n - 1];
	for (size_t i = 0; i < n; i++) {
		double off = value_at(lines->value, x[i], y[i]) - lines->level;

		lines->off |= !(fabs(off) < 1e-9) ||
			      (i && hypot(x[i] - x[i - 1], y[i] - y[i - 1]) > sqrt(2) + 1e-9);
		if (lines->points < POINTS_MOST) {
			lines->x[lines->points] = x[i];
			lines->y[lines->points++] = y[i];
		}
	}
}

static struct lines *trace(const double *value, double level)
{
	static struct lines lines;

	lines = (struct lines){.value = value, .level = level};
	if (ft__contour_trace(value, ROWS, COLUMNS, level, take, &lines))
		lines.off = true;
	return &lines;
}

static void fill(double *value, double (*f)(double x, double y))
{
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		value[i] = f((double)(i % COLUMNS), (double)(i / COLUMNS));
}

static double slope(double x, double y)
{
	return x + y / 100;
}

static double cone(double x, double y)
{
	return hypot(x - 11, y - 8);
}

static double saddle(double x, double y)
{
	return (x - 10.5) * (y - 7.5);
}

static void test_shapes(void)
{
	double value[ROWS * COLUMNS];
	bool round = true;

	fill(value, slope);
	struct lines *lines = trace(value, 5.5);
	ok(lines->n == 1 && !lines->closed && lines->points == ROWS && !lines->off, "a slope has one line");
	lines = trace(value, 1000);
	ok(lines->n == 0, "none where the value is not");
	fill(value, cone);
	lines = trace(value, 5.25);
	for (size_t i = 0; i < lines->points; i++)
		round = round && fabs(hypot(lines->x[i] - 11, lines->y[i] - 8) - 5.25) < 0.05;
	ok(lines->n == 1 && lines->closed == 1 && round && !lines->off,
	   "a cone has a circle, which is closed");
	value[8 * COLUMNS + 16] = NAN;
	lines = trace(value, 5.25);
	ok(lines->n == 1 && !lines->closed && !lines->off, "a hole opens it");
	fill(value, saddle);
	lines = trace(value, 0.01);
	ok(lines->n == 2 && !lines->closed && !lines->off, "at a saddle two lines pass");
	lines = trace(value, -0.01);
	ok(lines->n == 2 && !lines->closed && !lines->off, "on either side of it");
}

static bool crosses(const double *value, size_t a, size_t b, double level)
{
	return (value[a] >= level) != (value[b] >= level);
}

static bool is_whole(const double *value, size_t i, size_t j)
{
	const double *v = value + i * COLUMNS + j;

	return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[COLUMNS]) && isfinite(v[COLUMNS + 1]);
}

/* In every cell with four values as many pieces of lines as it has pairs of crossed edges. */
static size_t count_pieces(const double *value, double level)
{
	size_t pieces = 0;

	for (size_t i = 0; i + 1 < ROWS; i++)
		for (size_t j = 0; j + 1 < COLUMNS; j++) {
			size_t k = i * COLUMNS + j;

			if (is_whole(value, i, j))
				pieces += ((size_t)crosses(value, k, k + 1, level) +
					   crosses(value, k + COLUMNS, k + COLUMNS + 1, level) +
					   crosses(value, k, k + COLUMNS, level) +
					   crosses(value, k + 1, k + COLUMNS + 1, level)) /
					  2;
		}
	return pieces;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	double value[ROWS * COLUMNS];
	int bad = 0;

	for (int round = 0; round < test_cases(300) && !bad; round++) {
		double level = ft_random_normal(&random) / 2,
		       holes = (double)ft_random_below(&random, 4) / 10;

		for (size_t i = 0; i < ROWS * COLUMNS; i++)
			value[i] = (double)ft_random_below(&random, 1000) < 1000 * holes
					   ? (double)NAN
					   : ft_random_normal(&random);
		struct lines *lines = trace(value, level);
		bad += lines->off || lines->points - lines->n != count_pieces(value, level);
	}
	if (!ok(!bad, "random values have each piece of line once"))
		diag("seed %llu", (unsigned long long)test_seed());
}

static void test_faults(void)
{
	double value[ROWS * COLUMNS];
	int refused = 0;

	fill(value, slope);
	for (unsigned long n = 1; n <= 3; n++) {
		struct lines lines = {.value = value, .level = 5.5};

		ft_alloc_fail_at(n);
		refused +=
			ft__contour_trace(value, ROWS, COLUMNS, 5.5, take, &lines) == FT_ENOMEM && !lines.n;
	}
	ft_alloc_fail_at(0);
	ok(refused == 3, "each of three allocations may fail");
}

int main(void)
{
	test_shapes();
	test_random();
	test_faults();
	return done();
}
