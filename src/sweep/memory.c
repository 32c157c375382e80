/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - the memory that runs need, as a law of the size. */
#include "sweep/memory.h"
#include "num/line.h"

#include <math.h>

/* The sizes that the law is drawn through lie this factor apart, where there are such. */
static const double apart = 1.4;

/* Exponents that programs have. */
static const double exponent_least = 0.25, exponent_most = 6;

/* Less than this is not growth: the loader's pages, a library's caches. */
static const double growth_bytes = 0x1p20, growth_share = 0.05;

bool ft__need_grows(const struct ft__need *need, size_t n)
{
	double growth = n ? need[n - 1].bytes - need[0].bytes : 0;

	return growth > growth_bytes && growth > growth_share * need[0].bytes;
}

/* The nearest size below need[of] that lies apart from it, else the one before it. */
static size_t apart_before(const struct ft__need *need, size_t of)
{
	size_t i = of - 1;

	while (i && need[i].x * apart > need[of].x)
		i--;
	return need[i].x * apart > need[of].x ? of - 1 : i;
}

/* Two sizes: the larger one of a line and a power law. */
static double beyond_two(const struct ft__need *a, const struct ft__need *b, double x)
{
	double line = ft_line_at(x, a->x, a->bytes, b->x, b->bytes);

	if (b->bytes <= a->bytes)
		return b->bytes;
	if (a->x <= 0 || a->bytes <= 0)
		return line;
	return fmax(line, b->bytes * pow(x / b->x, log(b->bytes / a->bytes) / log(b->x / a->x)));
}

/* (x3^p - x2^p) / (x2^p - x1^p), which rises with p. */
static double growth_ratio(double x1, double x2, double x3, double p)
{
	return (pow(x3 / x2, p) - 1) / (1 - pow(x1 / x2, p));
}

static double need_beyond(const struct ft__need *need, size_t n, double x)
{
	const struct ft__need *c = &need[n - 1], *b = &need[apart_before(need, n - 1)], *a;
	double low = exponent_least, high = exponent_most;

	if (b == need)
		return beyond_two(b, c, x);
	a = &need[apart_before(need, (size_t)(b - need))];
	if (c->bytes <= b->bytes)
		return fmax(b->bytes, c->bytes);
	if (b->bytes <= a->bytes || a->x <= 0)
		return beyond_two(b, c, x);
	double ratio = (c->bytes - b->bytes) / (b->bytes - a->bytes);
	for (int i = 0; i < 60; i++) {
		double p = (low + high) / 2;

		if (growth_ratio(a->x, b->x, c->x, p) < ratio)
			low = p;
		else
			high = p;
	}
	return c->bytes + (c->bytes - b->bytes) * (pow(x / c->x, low) - 1) / (1 - pow(b->x / c->x, low));
}

double ft__need_at(const struct ft__need *need, size_t n, double x)
{
	if (!n)
		return NAN;
	if (n == 1 || x <= need[0].x)
		return need[0].bytes;
	if (x > need[n - 1].x)
		return need_beyond(need, n, x);
	size_t i = ft_count_below_of(&need[1].x, n - 1, sizeof *need, x);
	return ft_line_at(x, need[i].x, need[i].bytes, need[i + 1].x, need[i + 1].bytes);
}
