/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promised.c - made functions whose truth is known. */
#include "base/random.h"
#include "promised.h"

#include <math.h>

/* x [PROMISED_PARAMS] by the middle one, so that all factors matter; r [PROMISED_RANDOM] 0 .. 1. */
static double power(const double *x, const double *r)
{
	return pow(x[0], 0.5 + 2 * r[0]) * pow(x[1], 1.5 * r[1]);
}

static double start(const double *x, const double *r)
{
	return r[2] + pow(x[0], 1 + 2 * r[0]) * pow(x[1], -r[1]);
}

static double two_terms(const double *x, const double *r)
{
	return 0.3 * r[2] + x[0] * x[1] + (0.2 + 2 * r[0]) * pow(x[0], 2) + r[1] * x[1];
}

static double logs(const double *x, const double *r)
{
	return x[0] * log2(promised_middle * x[0]) * (x[1] + r[0] * pow(x[1], 1.5));
}

static double bent(const double *x, const double *r)
{
	return x[0] * x[1] * (1 + 0.8 / (1 + pow(pow(4, 2 * r[0] - 1) / (x[0] * x[1]), 2)));
}

static double least_of(const double *x, const double *r)
{
	return 0.2 * r[1] + fmin(x[0] * x[0] * x[1], (1 + 3 * r[0]) * x[0] * pow(x[1], 1.5));
}

static double edge(const double *x, const double *r)
{
	return (0.1 + x[0] * x[1] + r[0] * x[0]) *
	       (x[0] * x[1] > pow(6, 2 * r[1] - 1) ? 1.3 + 0.5 * r[2] : 1);
}

static double paging(const double *x, const double *r)
{
	return (0.05 + pow(x[0], 1 + r[1]) * x[1]) *
	       (1 + 6 * fmin(1, fmax(0, log(x[0] * x[1] / (8 + 8 * r[0])) / 0.3)));
}

/* One value of the first parameter in twelve, as if by chance, takes twice as long. */
static double bad_sizes(const double *x, const double *r)
{
	struct ft_random random = {(uint64_t)(promised_middle * x[0]) * 977 + (uint64_t)(1000 * r[0])};

	return x[0] * (0.2 + x[1]) * (ft_random_below(&random, 12) ? 1 : 2);
}

static double amdahl(const double *x, const double *r)
{
	return x[0] * x[0] * (0.05 * r[0] + 1 / x[1]) + 0.02 * r[1] * x[1];
}

static double exchange(const double *x, const double *r)
{
	return 0.1 * r[0] * x[1] + (0.5 + r[1]) * x[0] / x[1] + pow(x[0], 2 + r[2]) / x[1];
}

static double tiles(const double *x, const double *r)
{
	double tile = 32 + 96 * r[0];

	return 0.1 + x[0] * ceil(promised_middle * x[1] / tile) * tile / promised_middle;
}

static double two_edges(const double *x, const double *r)
{
	double bytes = x[0] * x[1] + x[1];

	return x[0] * (x[1] + r[0]) * (bytes > 0.3 + r[1] ? 1.3 : 1) * (bytes > 5 + 5 * r[2] ? 1.5 : 1);
}

static double saturated(const double *x, const double *r)
{
	return 0.1 * r[2] + x[0] * x[1] / (1 + pow(x[0] / (0.5 + 2 * r[0]), 1 + r[1]));
}

static double apart(const double *x, const double *r)
{
	return 0.2 + sqrt(x[0]) * (0.5 + r[0]) + x[1] * log2(promised_middle * x[1]) / 7 * (0.2 + r[1]);
}

static double wall(const double *x, const double *r)
{
	return (0.1 + x[0] * pow(x[1], r[0])) * (x[0] > pow(5, 2 * r[1] - 1) ? 1.7 : 1);
}

static double ripple(const double *x, const double *r)
{
	return x[0] * sqrt(x[1]) *
	       (1 + 0.15 * sin((1 + r[0]) * log(x[0]) + (0.5 + r[1]) * log(x[1]) + 6 * r[2]));
}

/* One size in eight. */
static double bad_pairs(const double *x, const double *r)
{
	struct ft_random random = {(uint64_t)(promised_middle * x[0]) * 977 +
				   (uint64_t)(promised_middle * x[1]) * 31337};

	return (0.1 + pow(x[0], 1 + r[0]) * x[1]) * (ft_random_below(&random, 8) ? 1 : 1.6);
}

static double ridge(const double *x, const double *r)
{
	return x[0] * x[1] * (1 + 0.4 * tanh((1 + r[0]) * log(x[0] / x[1]) + 2 * r[1] - 1));
}

static double three_power(const double *x, const double *r)
{
	return 0.2 * r[2] + pow(x[0], 0.5 + r[0]) * x[1] * pow(x[2], 2 * r[1] - 1);
}

static double three_edge(const double *x, const double *r)
{
	return (0.1 + x[0] * x[1] + r[0] * x[0] * x[2]) *
	       (x[0] * x[1] * x[2] > pow(6, 2 * r[1] - 1) ? 1.5 : 1);
}

static double three_terms(const double *x, const double *r)
{
	return 0.1 * r[0] + x[0] * x[1] / x[2] + r[1] * x[2] + r[2] * x[0];
}

static double bytes_two(const double *x)
{
	return 4e6 + 1e7 * x[0] * x[1];
}

static double bytes_sum(const double *x)
{
	return 4e6 + 1e7 * (x[0] * x[1] + x[1]);
}

static double bytes_first(const double *x)
{
	return 4e6 + 1e7 * x[0];
}

static double bytes_three(const double *x)
{
	return 4e6 + 1e7 * x[0] * x[1] * x[2];
}

const struct promised promised[PROMISED] = {
	{"power", power, bytes_first, 2, false},
	{"start", start, bytes_two, 2, false},
	{"two terms", two_terms, NULL, 2, false},
	{"logs", logs, bytes_two, 2, false},
	{"bent", bent, NULL, 2, false},
	{"least of", least_of, bytes_two, 2, false},
	{"edge", edge, bytes_two, 2, false},
	{"paging", paging, bytes_two, 2, false},
	{"bad sizes", bad_sizes, bytes_two, 2, false},
	{"three, power", three_power, bytes_first, 3, false},
	{"three, edge", three_edge, bytes_three, 3, false},
	{"Amdahl", amdahl, bytes_first, 2, true},
	{"exchange", exchange, bytes_two, 2, true},
	{"tiles", tiles, bytes_two, 2, true},
	{"two edges", two_edges, bytes_sum, 2, true},
	{"saturated", saturated, NULL, 2, true},
	{"apart", apart, bytes_two, 2, true},
	{"wall", wall, bytes_first, 2, true},
	{"ripple", ripple, bytes_two, 2, true},
	{"bad pairs", bad_pairs, bytes_two, 2, true},
	{"ridge", ridge, NULL, 2, true},
	{"three, terms", three_terms, bytes_two, 3, true},
};
