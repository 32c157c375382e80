/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tunnel.c - in logarithms, the broken line with few corners through the tunnel above the points: from each
 * corner straight on as far as the tunnel's middle can be reached.
 * Source: the cone of feasible slopes, as in H. Imai and M. Iri, An optimal algorithm for approximating a
 * piecewise linear function, 1986; greedy, with corners in the middle of the tunnel. */
#include "ask/tunnel.h"

#include <math.h>

static const double widen = 1.4;

/* What is printed of a number: so many digits. */
static double rounded(double value, int digits)
{
	double unit = pow(10, floor(log10(fabs(value))) - digits + 1);

	return round(value / unit) * unit;
}

double ft__tunnel_value(const struct ft__tunnel *tunnel, double x)
{
	double value = tunnel->c;
	size_t i;

	for (i = 0; i < tunnel->n; i++)
		value *= pow(fmax(1, x / tunnel->at[i]), tunnel->rise[i]);
	return value;
}

/* The farthest point whose middle is seen from that of `from`; slope: of the way there. */
static size_t see(const struct ft__floor *p, size_t n, size_t from, double wider, double *slope)
{
	double x = log(p[from].x), y = log(p[from].value) + wider * p[from].slack / 2, low = -INFINITY,
	       high = INFINITY;
	size_t i, seen = from + 1;

	for (i = from + 1; i < n && low <= high; i++) {
		double dx = log(p[i].x) - x, floor_y = log(p[i].value) - y;
		double middle = (floor_y + wider * p[i].slack / 2) / dx;

		if ((middle >= low && middle <= high) || i == from + 1) {
			seen = i;
			*slope = middle;
		}
		low = fmax(low, floor_y / dx);
		high = fmin(high, (floor_y + wider * p[i].slack) / dx);
	}
	return seen;
}

/* Corners from left to right; false: too many. */
static int walk(const struct ft__floor *p, size_t n, double wider, struct ft__tunnel *out)
{
	double slope = 0, before = 0;
	size_t at = 0;

	out->n = 0;
	while (at + 1 < n) {
		size_t next = see(p, n, at, wider, &slope);

		if (out->n == FT__BENDS_MAX)
			return 0;
		out->at[out->n] = rounded(p[at].x, 5);
		out->rise[out->n] = round((slope - before) * 1e4) / 1e4;
		before += out->rise[out->n++];
		at = next;
	}
	return 1;
}

void ft__tunnel_fit(const struct ft__floor *point, size_t n, struct ft__tunnel *out)
{
	double wider = 1, short_of = 0, unit;
	size_t i, kept = 0;

	*out = (struct ft__tunnel){.c = 1};
	while (!walk(point, n, wider, out))
		wider *= widen;
	for (i = 0; i < out->n; i++)
		if (out->rise[i] != 0) {
			out->at[kept] = out->at[i];
			out->rise[kept++] = out->rise[i];
		}
	out->n = kept;
	for (i = 0; i < n; i++)
		short_of = fmax(short_of, point[i].value / ft__tunnel_value(out, point[i].x));
	unit = pow(10, floor(log10(short_of)) - 4);
	out->c = ceil(short_of / unit) * unit;
}
