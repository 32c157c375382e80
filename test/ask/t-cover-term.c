/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cover-term.c - the cheapest term above points, beside all that a coarse look finds; costs by their
 * formula; covers of points at random. */
#include "tap.h"

#include "ask/ask.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { POINTS = 24, AXES = 2 };

static const struct ft__powers powers = {0.01, 4};

/* Points at random places whose values rise with each axis, and scatter. */
static void make(struct ft__floor *point, size_t axes, double scatter, struct ft_random *random)
{
	double p = 3 * ft_random_uniform(random), q = 2 * ft_random_uniform(random);
	double level = exp(2 * ft_random_normal(random)), constant = level * 20 * ft_random_uniform(random);

	for (size_t i = 0; i < POINTS; i++) {
		point[i] = (struct ft__floor){.weight = 1.0 / POINTS};
		for (size_t a = 0; a < axes; a++)
			point[i].ln[a] = log(1 + floor(200 * pow(ft_random_uniform(random), 2)));
		point[i].value =
			(constant + level * exp(p * point[i].ln[0] + (axes > 1 ? q * point[i].ln[1] : 0))) *
			exp(scatter * ft_random_normal(random));
	}
}

/* The header's words: weight times the share above the greater of value and base, and 0.02 a number. */
static double cost_by_formula(const struct ft__floor *point, const double *base, const struct ft__term *term,
			      size_t axes)
{
	double cost = 0.02 * ((term->a > 0) + (term->b > 0));

	for (size_t a = 0; a < axes && term->b > 0; a++)
		cost += term->power[a] != 0 && term->power[a] != 1 ? 0.02 : 0;
	for (size_t i = 0; i < POINTS; i++) {
		double said = term->a + term->b, floor_there = fmax(point[i].value, base ? base[i] : 0);

		if (term->b > 0) {
			double product = 1;

			for (size_t a = 0; a < axes; a++)
				product *= pow(exp(point[i].ln[a]), term->power[a]);
			said = term->a + term->b * product;
		}
		cost += point[i].weight * fmax(0, said - floor_there) / point[i].value;
	}
	return cost;
}

static bool covers(const struct ft__floor *point, const bool *must, const struct ft__term *term, size_t axes)
{
	for (size_t i = 0; i < POINTS; i++)
		if ((!must || must[i]) &&
		    ft__term_value(term, axes, point[i].ln) < point[i].value * (1 - 1e-9))
			return false;
	return true;
}

/* With these powers the cheapest of the lines through two points, of multiples and of constants; a and b to
 * as many digits as they have. */
static double look_at(const struct ft__floor *point, const double *base, const double *power, size_t axes)
{
	double m[POINTS], least = INFINITY;
	size_t a;

	for (size_t i = 0; i < POINTS; i++)
		for (m[i] = 1, a = 0; a < axes; a++)
			m[i] *= exp(power[a] * point[i].ln[a]);
	for (size_t i = 0; i < POINTS; i++)
		for (size_t j = 0; j <= i; j++) {
			struct ft__term term = {.power = {power[0], axes > 1 ? power[1] : 0}};
			double up = 1;

			term.b = i == j ? point[i].value / m[i]
					: (point[i].value - point[j].value) / (m[i] - m[j]);
			term.a = point[i].value - term.b * m[i];
			if (!(term.b >= 0) || !(term.a >= -1e-9 * point[i].value) || isinf(term.b))
				continue;
			term.a = fmax(term.a, 0);
			for (size_t k = 0; k < POINTS; k++)
				up = fmin(up, (term.a + term.b * m[k]) / point[k].value);
			if (up > 1 - 1e-9)
				least = fmin(least, cost_by_formula(point, base, &term, axes));
		}
	return least;
}

static double look_coarsely(const struct ft__floor *point, const double *base, size_t axes)
{
	double power[AXES] = {0}, least = INFINITY;

	for (power[0] = 0; power[0] <= 4; power[0] += 0.5)
		for (power[1] = 0; power[1] <= (axes > 1 ? 4 : 0); power[1] += 0.5)
			least = fmin(least, look_at(point, base, power, axes));
	return least;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int i, uncovered = 0, costs = 0, dear = 0, cases = test_cases(40);

	for (i = 0; i < cases; i++) {
		size_t axes = 1 + (size_t)i % 2, k;
		struct ft__floor point[POINTS];
		double base[POINTS], scratch[(4 + AXES) * POINTS], cost, coarsely;
		bool must[POINTS], all = i % 4 < 2;
		struct ft__term term;

		make(point, axes, i % 3 ? 0.1 : 0, &random);
		for (k = 0; k < POINTS; k++) {
			must[k] = ft_random_below(&random, 3) > 0;
			base[k] = must[k] ? 0 : point[k].value * (1 + ft_random_uniform(&random));
		}
		cost = ft__term_fit(point, POINTS, axes, all ? NULL : base, all ? NULL : must, powers,
				    scratch, &term);
		uncovered += !covers(point, all ? NULL : must, &term, axes);
		costs += !near(cost, cost_by_formula(point, all ? NULL : base, &term, axes), 1e-6);
		coarsely = look_coarsely(point, all ? NULL : base, axes);
		if (cost > 1.02 * coarsely + 0.01) {
			diag("case %d: %g, coarsely %g", i, cost, coarsely);
			dear++;
		}
	}
	ok(!uncovered, "what must be covered is");
	ok(!costs, "costs are what the formula says: %d of %d are not", costs, cases);
	ok(dear <= cases / 20, "none is dearer than what a coarse look finds: %d of %d are", dear, cases);
}

/* What is a term is found, to its digits. */
static void test_exact(void)
{
	static const struct ft__term truth[] = {{.a = 3, .b = 0.02, .power = {2}},
						{.b = 5, .power = {0.5}},
						{.a = 7},
						{.a = 100, .b = 1, .power = {1}},
						{.b = 0.4, .power = {1.25, 1}},
						{.a = 50, .b = 0.001, .power = {2, 1.5}}};
	struct ft_random random = {test_seed()};
	double scratch[(4 + AXES) * POINTS], cost;
	struct ft__floor point[POINTS];
	struct ft__term term;

	for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
		size_t axes = i < 4 ? 1 : 2;

		make(point, axes, 0, &random);
		for (size_t k = 0; k < POINTS; k++)
			point[k].value = ft__term_value(&truth[i], axes, point[k].ln);
		cost = ft__term_fit(point, POINTS, axes, NULL, NULL, powers, scratch, &term);
		ok(cost <= ft__number_price * (double)ft__term_numbers(&truth[i], axes) + 0.002 &&
			   covers(point, NULL, &term, axes),
		   "%g + %g x^%g y^%g: %g + %g x^%g y^%g", truth[i].a, truth[i].b, truth[i].power[0],
		   truth[i].power[1], term.a, term.b, term.power[0], term.power[1]);
	}
}

static void test_numbers(void)
{
	struct ft__term term = {.a = 2, .from = NAN, .upto = NAN};

	ok(ft__term_numbers(&term, 2) == 1, "a constant is one number");
	term.b = 3;
	term.power[0] = 1;
	ok(ft__term_numbers(&term, 2) == 2, "a power of 1 is not written");
	term.power[0] = 1.5;
	term.power[1] = -1;
	ok(ft__term_numbers(&term, 2) == 3, "another one is");
	term.from = 4;
	ok(ft__term_numbers(&term, 2) == 4, "and so is an end");
	term.upto = 5;
	term.outside = true;
	ok(ft__term_numbers(&term, 2) == 7, "and where the data end, along each axis");
}

/* Whether what a cover asks is so at a place, by its definition. */
static double value_by_definition(const struct ft__cover *cover, const double *ln)
{
	double most = 0;

	for (size_t i = 0; i < cover->n; i++) {
		const struct ft__term *t = &cover->term[i];
		double product = 1, x = ln[cover->axis];
		bool there = true, beyond = false;

		for (size_t a = 0; a < cover->axes; a++) {
			product *= pow(exp(ln[a]), t->power[a]);
			beyond =
				beyond || (cover->falls[a] ? ln[a] < cover->most[a] : ln[a] > cover->most[a]);
		}
		if (t->outside)
			there = beyond;
		else if (cover->falls[cover->axis])
			there = (isnan(t->from) || x < t->from) && (isnan(t->upto) || x >= t->upto);
		else
			there = (isnan(t->from) || x > t->from) && (isnan(t->upto) || x <= t->upto);
		most = there ? fmax(most, t->a + t->b * product) : most;
	}
	return most;
}

/* Over the places of all points, also those beyond the data; along an axis it never turns. */
static int compare_cover(const struct ft__cover *cover, const struct ft__floor *point, size_t axes)
{
	double cost = 0, at[AXES] = {2, 2};
	int bad = 0;

	for (size_t i = 0; i < POINTS; i++) {
		double said = ft__cover_value(cover, point[i].ln);

		bad += !near(said, value_by_definition(cover, point[i].ln), 1e-9);
		bad += said < point[i].value * (1 - 1e-9);
		cost += point[i].weight * (said / point[i].value - 1);
	}
	for (size_t i = 0; i < cover->n; i++)
		cost += ft__number_price * (double)ft__term_numbers(&cover->term[i], axes);
	bad += !near(cost, cover->cost, 1e-9);
	for (size_t a = 0; a < axes; a++, at[0] = at[1] = 2) {
		double before = NAN;

		for (size_t step = 0; step < 400; step++) {
			at[a] = 0.02 * (double)step;
			double here = ft__cover_value(cover, at);
			bad += cover->falls[a] ? here > before * (1 + 1e-9) : here < before * (1 - 1e-9);
			before = here;
		}
	}
	return bad;
}

static void test_covers(void)
{
	const struct ft__extent data[] = {{1, 100}, {1, 100}};
	double end[AXES * 3] = {5, 20, 80, 5, 20, NAN};
	struct ft_random random = {test_seed()};
	int i, bad = 0, raised = 0, cases = test_cases(24), ended = 0;

	for (i = 0; i < cases; i++) {
		size_t axes = 1 + (size_t)i % 2, k;
		struct ft__floor point[POINTS];
		struct ft__cover cover, plain;

		make(point, axes, 0.2, &random);
		for (k = 0; k < POINTS; k++) {
			point[k].value *= i % 3 && point[k].ln[0] > log(20) ? 6 : 1; /* a step */
			if (i % 4 >= 2)                                              /* it falls */
				point[k].value = exp(8 - 0.3 * log(point[k].value));
		}
		bad += ft__cover_fit(point, POINTS, axes, data, end, 3, &cover) ||
		       compare_cover(&cover, point, axes);
		bad += ft__cover_fit(point, POINTS, axes, data, end, 0, &plain) ||
		       compare_cover(&plain, point, axes);
		bad += cover.cost > plain.cost + 0.02;
		ended += cover.n > plain.n;
		ft__cover_raise(&cover, 1.25);
		for (k = 0; k < POINTS; k++)
			raised += ft__cover_value(&cover, point[k].ln) < 1.25 * point[k].value * (1 - 1e-9);
	}
	ok(!bad && ended > 0,
	   "above all points, monotone, at the cost that is told: %d wrong of %d, %d with ends", bad, cases,
	   ended);
	ok(!raised, "a quarter more, raised by as much");
}

int main(void)
{
	test_random();
	test_exact();
	test_numbers();
	test_covers();
	return done();
}
