/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-admissible.c - lines that have a curve's area and are its best ones: those that a fine grid brackets, and
 * those of whole numbers. */
#include "made.h"
#include "tap.h"
#include "trace/trace.h"

static struct made m;

/* Two conditions on a rectangle: how long the longest line is that a fine grid brackets; 0: none. */
static double grid_brackets(const struct ft_pwl *f, double x0, double x1, double x2, double x3)
{
	enum { GRID = 60 };
	double h[GRID + 1], h_end[GRID + 1], longest = 0;

	for (int i = 0; i <= GRID; i++) {
		double a = x0 + (x1 - x0) * i / GRID, d_before = 0;

		h[i] = NAN;
		for (int j = 0; j <= GRID;
		     j++) { /* the right end where areas agree, linearly between grid points */
			double b = x2 + (x3 - x2) * j / GRID, d, ya = ft_pwl_at(f, a), yb = ft_pwl_at(f, b);
			struct ft_pwl_line line = ft_pwl_line(f, a, b);

			d = (line.mean - (ya + yb) / 2) * (b - a);
			if (j && (d > 0) != (d_before > 0)) {
				b -= (x3 - x2) / GRID * d / (d - d_before);
				line = ft_pwl_line(f, a, b);
				h[i] = line.slope * (b - a) - (ft_pwl_at(f, b) - ya);
				h_end[i] = b;
			}
			d_before = d;
		}
		if (i && !isnan(h[i]) && !isnan(h[i - 1]) && (h[i] > 1e-9) != (h[i - 1] > 1e-9) &&
		    fabs(h[i] - h[i - 1]) < 0.2 && fabs(h[i]) > 1e-6 && fabs(h[i - 1]) > 1e-6)
			longest = fmax(longest, fmin(h_end[i], h_end[i - 1]) - a);
	}
	return longest;
}

/* The stretch from the first to the last piece of the curve, which begins in 0, 0. */
static struct ft__stretch whole(double size)
{
	size_t n = m.n;

	return (struct ft__stretch){.left = {{m.t[0], m.y[0]}, {m.t[1], m.y[1]}},
				    .right = {{m.t[n - 2], m.y[n - 2]}, {m.t[n - 1], m.y[n - 1]}},
				    .inner = ft__pwl_span(m.f, m.t[1], m.t[n - 2]),
				    .size = size};
}

/* Of any values, or of few whole ones, where much is 0 to the last digit. */
static void make_short(struct ft_random *random, bool any)
{
	m.n = 4 + ft_random_below(random, 6);
	m.t[0] = m.y[0] = 0; /* curves count from their first point */
	for (size_t j = 1; j < m.n; j++) {
		m.t[j] = any ? (double)j + 0.5 * ft_random_uniform(random)
			     : m.t[j - 1] + (double)(1 + ft_random_below(random, 2));
		m.y[j] = any ? ft_random_uniform(random) : (double)ft_random_below(random, 4) - 2;
	}
	ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
}

static void all_zeros(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(4000), bracketed = 0, missed = 0, wrong = 0, i;

	for (i = 0; i < cases; i++) {
		struct ft__xy a, b;

		make_short(&random, i % 2);
		struct ft__stretch s = whole(i % 2 ? 1 : 3);
		bool found = ft__admissible(&s, &a, &b);
		if (found) {
			struct ft_pwl_line line = ft_pwl_line(m.f, a.x, b.x);

			wrong += fabs(line.mean - (a.y + b.y) / 2) > 1e-10 ||
				 fabs(line.slope * (b.x - a.x) - (b.y - a.y)) > 1e-9;
		}
		double least = grid_brackets(m.f, m.t[0], m.t[1], m.t[m.n - 2], m.t[m.n - 1]);
		if (least > 0) {
			bracketed++;
			missed += !found || !(b.x - a.x >= least - 1e-9);
		}
		ft_pwl_free(m.f);
	}
	ok(!wrong, "every line found is admissible (%d are not)", wrong);
	ok(bracketed > cases / 50 && !missed,
	   "every line that a fine grid brackets is found, or a longer one (%d of %d cases)", bracketed,
	   cases);
}

/* Where many lines have the curve's area: on the axis that both pieces lie on, the whole; on the left one's,
 * to where it meets the curve again. */
static void many_lines(void)
{
	static const double t[] = {0, 1, 2, 3, 4, 5, 6};
	static const struct {
		double y[7], size, to;
	} cases[] = {
		{{0, 0, 1, -2, 1, 0, 0}, 3, 6},
		{{0, 0, 1, -2, 1, 0, 3}, 5, 5},
		{{0, 0, 1e-3, -2e-3, 1e-3, 0, 0}, 3e-3, 6},
		{{0, 0, 1, -1, 1, 0, 0}, 2, 0}, /* not that area */
		{{0, 0, 1, 0, -1, 0, 0}, 2, 0}, /* but askew */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft__xy a = {0, 0}, b = {0, 0};

		made_points(&m, t, cases[i].y, 7);
		struct ft__stretch s = whole(cases[i].size);
		bool found = ft__admissible(&s, &a, &b);
		ok(found == (cases[i].to > 0) && a.x == 0 && near(b.x, cases[i].to, 1e-12),
		   "of many lines with that area the one to %g: %g", cases[i].to, b.x);
		ft_pwl_free(m.f);
	}
}

int main(void)
{
	all_zeros();
	many_lines();
	return done();
}
