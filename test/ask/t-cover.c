/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cover.c - short formulas above points. */
#include "tap.h"

#include "ask/ask.h"
#include "base/alloc.h"

#include <math.h>

enum { POINTS = 200 };

/* f on points of an axis from 1 to 10,000, and of another one from 1 to 10 where there are two. */
static size_t make_points(struct ft__floor *point, size_t axes, double (*f)(double, double))
{
	size_t n = 0;

	for (size_t i = 0; i < POINTS; i++) {
		double x = axes == 1 ? pow(1e4, (double)i / (POINTS - 1)) : pow(1e4, (double)(i % 20) / 19);
		double y = axes == 1 ? 1 : pow(10, floor((double)i / 20) / 9);

		point[n++] = (struct ft__floor){{log(x), log(y)}, f(x, y), 1.0 / POINTS};
	}
	return n;
}

static double flat_then_square(double x, double y)
{
	(void)y;
	return 2 + 1e-6 * x * x;
}

static double step(double x, double y)
{
	(void)y;
	return x > 300 ? 50 : 3;
}

static double falling(double x, double y)
{
	return (0.1 + 5e-3 * x) / y;
}

static double saw(double x, double y)
{
	return fmod(x, 7) + y;
}

/* How far it is below at most, and above in the mean; whether it falls where it is not to. */
static void look(const struct ft__cover *cover, const struct ft__floor *point, size_t n, double *below,
		 double *above, bool *rises)
{
	double last = 0, ln[2] = {0, 0};

	*below = *above = 0;
	*rises = true;
	for (size_t i = 0; i < n; i++) {
		double over = ft__cover_value(cover, point[i].ln) / point[i].value - 1;

		*below = fmax(*below, -over);
		*above += over / (double)n;
	}
	for (size_t i = 0; i < 3300; i++) {
		ln[0] = 0.003 * (double)i;
		*rises = *rises && ft__cover_value(cover, ln) >= last * (1 - 1e-9);
		last = ft__cover_value(cover, ln);
	}
}

static void test_cover(void)
{
	static const struct {
		const char *name;
		double (*f)(double, double);
		size_t axes, terms;
		double above;
	} cases[] = {{"a constant and a square", flat_then_square, 1, 1, 0.01},
		     {"a step", step, 1, 2, 0.2},
		     {"one that falls along the second axis", falling, 2, 3, 0.1},
		     {"a saw", saw, 1, FT__TERMS_MAX, 10}};
	static struct ft__floor point[POINTS];
	const struct ft__extent data[] = {{1, 1e4}, {1, 10}};
	double end[2 * 5] = {20, 100, 300, 1000, 3000, NAN, NAN, NAN, NAN, NAN}, below, above;
	struct ft__cover cover;
	bool rises;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = make_points(point, cases[i].axes, cases[i].f);

		(void)ft__cover_fit(point, n, cases[i].axes, data, end, 5, &cover);
		look(&cover, point, n, &below, &above, &rises);
		ok(below < 1e-9 && rises && cover.n <= cases[i].terms && above <= cases[i].above,
		   "%s: covered by %zu terms, %.1f %% above", cases[i].name, cover.n, 100 * above);
	}
	ok(cover.term[0].a >= 0 && cover.term[0].b >= 0, "no term is negative");
	point[0] = (struct ft__floor){{0}, 5.0049, 1};
	ok(!ft__cover_fit(point, 1, 1, data, end, 0, &cover) && cover.n == 1 &&
		   near(cover.term[0].a, 5.01, 1e-12) && cover.term[0].b == 0,
	   "a single point is a constant of three digits");
}

static void test_digits(void)
{
	ok(near(ft__round_digits(1234.5, FT__UP), 1240, 1e-12) &&
		   near(ft__round_digits(1234.5, FT__DOWN), 1230, 1e-12) &&
		   near(ft__round_digits(0.00012345, FT__NEAREST), 0.000123, 1e-12) &&
		   near(ft__round_digits(2.34e-24, FT__UP), 2.34e-24, 1e-12) &&
		   ft__round_digits(0, FT__UP) == 0,
	   "three digits: up, down, and what has three stays");
}

/* Every allocation in turn fails: that is told. */
static void test_faults(void)
{
	static struct ft__floor point[POINTS];
	const struct ft__extent data[] = {{1, 1e4}};
	size_t n = make_points(point, 1, flat_then_square);
	struct ft__cover cover;
	unsigned long k = 0, made;
	enum ft_status status;
	bool told = true;

	do {
		(void)ft_alloc_fail_at(++k);
		status = ft__cover_fit(point, n, 1, data, NULL, 0, &cover);
		made = ft_alloc_fail_at(0);
		told = told && (status == FT_ENOMEM || made < k);
	} while (made >= k);
	ok(told && !status, "each of %lu allocations may fail", made);
}

int main(void)
{
	test_cover();
	test_digits();
	test_faults();
	return done();
}
