/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover_term.c - one term a + b x^p y^q above points: for given powers the cheapest a and b are found on a
 * convex function of b alone, and powers on a lattice of hundredths, by steps that become finer. */
#include "ask/cover.h"
#include "num/cholesky.h"

#include <math.h>
#include <string.h>

/* What steps begin with, and the finest: what is printed. */
static const double first_step = 0.64, last_step = 0.01;

/* With such shares of the lowest value as the constant the search begins. */
static const double begins[] = {0, 0.8, 0.97};

/* So often lines are cut; some five times do. */
enum { CUTS = 32 };

struct fit {
	const struct ft__floor *point;
	size_t n, axes;
	const double *base;
	const bool *must;
	struct ft__powers powers;
	double *m;                    /* [n] the product, as a share of that in the middle */
	double middle[FT_PARAMS_MAX]; /* ln */
};

static bool must(const struct fit *f, size_t i)
{
	return !f->must || f->must[i];
}

double ft__round_digits(double value, enum ft__rounding rounding)
{
	double unit = value > 0 ? pow(10, floor(log10(value)) - 2) : 1, digits = value / unit;

	digits = rounding == FT__UP     ? ceil(digits - 1e-9)
		 : rounding == FT__DOWN ? floor(digits)
					: round(digits);
	return unit < 1 ? digits / round(1 / unit) : digits * unit;
}

/* The least constant beside b. */
static double constant_beside(const struct fit *f, double b)
{
	double a = 0;
	size_t i;

	for (i = 0; i < f->n; i++)
		if (must(f, i))
			a = fmax(a, f->point[i].value - b * f->m[i]);
	return a;
}

static double cost_of(const struct fit *f, double a, double b)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		double least = f->base ? fmax(f->base[i], f->point[i].value) : f->point[i].value;

		sum += f->point[i].weight * fmax(0, a + b * f->m[i] - least) / f->point[i].value;
	}
	return sum;
}

/* Which point asks for the largest constant beside b; n: none asks for any. */
static size_t highest(const struct fit *f, double b)
{
	double most = 0;
	size_t at = f->n, i;

	for (i = 0; i < f->n; i++)
		if (must(f, i) && f->point[i].value - b * f->m[i] > most) {
			most = f->point[i].value - b * f->m[i];
			at = i;
		}
	return at;
}

/* The b that makes a + b m cheapest over what it must cover, a as small as b lets it be: of a convex function
 * of b, made of lines, the one that descends and the one that rises are cut until no third is above there. */
static double best_factor(const struct fit *f, double most)
{
	double a_price = 0, b_price = 0, b = most;
	size_t low = highest(f, 0), high = f->n, i;

	for (i = 0; i < f->n; i++)
		if (must(f, i)) {
			a_price += f->point[i].weight / f->point[i].value;
			b_price += f->point[i].weight / f->point[i].value * f->m[i];
		}
	for (i = 0; i < CUTS; i++) {
		double u = f->point[low].value, m = f->m[low];
		double over = high < f->n ? f->point[high].value : 0, beside = high < f->n ? f->m[high] : 0;
		size_t at;

		if (b_price - a_price * m >= 0)
			return 0;
		b = (u - over) / (m - beside);
		at = highest(f, b);
		if (at == low || at == high || !(m > beside))
			return fmin(b, most);
		if (at < f->n && b_price - a_price * f->m[at] < 0)
			low = at;
		else
			high = at;
	}
	return fmin(b, most);
}

/* The cheaper of what was found and another term, which is made to cover as it is printed. */
static void consider(struct fit *f, struct ft__term term, double unit, bool constant, double *cost,
		     struct ft__term *best)
{
	double here;
	size_t i;

	term.b = ft__round_digits(term.b / unit, constant ? FT__NEAREST : FT__UP);
	term.a = constant ? ft__round_digits(constant_beside(f, term.b * unit), FT__UP) : 0;
	if (!(term.b * unit < INFINITY) || (term.b == 0 && term.a == 0))
		return;
	for (i = 0; i < f->axes && term.b == 0; i++)
		term.power[i] = 0;
	here = cost_of(f, term.a, term.b * unit) +
	       ft__number_price * (double)ft__term_numbers(&term, f->axes);
	if (here >= *cost)
		return;
	*cost = here;
	*best = term;
}

/* For given powers: a constant alone, the product alone, both. */
static void try_powers(struct fit *f, const double *power, double *cost, struct ft__term *best)
{
	struct ft__term term = {.from = NAN, .upto = NAN};
	double unit = 0, most = 0;
	size_t i, a;

	for (a = 0; a < f->axes; a++) {
		term.power[a] = power[a];
		unit += power[a] * f->middle[a];
	}
	for (i = 0; i < f->n; i++) {
		double ln = 0;

		for (a = 0; a < f->axes; a++)
			ln += power[a] * (f->point[i].ln[a] - f->middle[a]);
		f->m[i] = exp(ln);
		if (must(f, i))
			most = fmax(most, f->point[i].value / f->m[i]);
	}
	unit = exp(unit);
	consider(f, term, unit, true, cost, best);
	term.b = most;
	consider(f, term, unit, false, cost, best);
	term.b = best_factor(f, most);
	consider(f, term, unit, true, cost, best);
}

/* A step along one axis, or along two of them: of what is no smooth function, one alone may not help. */
static bool step_along(struct fit *f, size_t which, double step, double *power, double *cost,
		       struct ft__term *best)
{
	size_t one = which / 2 % f->axes, other = which / 2 / f->axes, a;
	double before = *cost, was[FT_PARAMS_MAX];

	if (other < one)
		return false;
	memcpy(was, power, sizeof was);
	power[one] += step;
	power[other] += other == one ? 0 : which % 2 ? -step : step;
	for (a = 0; a < f->axes; a++)
		power[a] = fmin(f->powers.steepest, fmax(0, round(power[a] / last_step) * last_step));
	try_powers(f, power, cost, best);
	if (*cost < before)
		return true;
	memcpy(power, was, sizeof was);
	return false;
}

static void refine(struct fit *f, double *power, double *cost, struct ft__term *best)
{
	double step = first_step;

	while (step > f->powers.finest / 2) {
		bool helped = false;
		size_t i;

		for (i = 0; i < 2 * f->axes * f->axes; i++)
			helped = step_along(f, i, step, power, cost, best) ||
				 step_along(f, i, -step, power, cost, best) || helped;
		step /= helped ? 1 : 2;
	}
}

/* The powers of a product beside a constant: least squares of ln (value - constant) over the ln of the axes,
 * where the constant is not most of the value. */
static void powers_beside(const struct fit *f, double constant, double *power)
{
	enum { MOST = FT_PARAMS_MAX + 1 };
	double m[MOST * MOST] = {0}, y[MOST] = {0}, row[MOST];
	size_t n = f->axes + 1, i, j, k;

	for (i = 0; i < f->n; i++) {
		double weight = must(f, i) ? f->point[i].weight : 0;

		if (!(weight > 0) || !(f->point[i].value > 1.5 * constant))
			continue;
		for (j = 0; j < f->axes; j++)
			row[j] = f->point[i].ln[j] - f->middle[j];
		row[f->axes] = 1;
		for (j = 0; j < n; j++) {
			for (k = 0; k < n; k++)
				m[j * n + k] += weight * row[j] * row[k];
			y[j] += weight * row[j] * log(f->point[i].value - constant);
		}
	}
	for (j = 0; j < n; j++)
		m[j * n + j] += 1e-9 * m[j * n + j] + 1e-30;
	if (ft_chol_factor(m, n))
		ft_chol_solve(m, n, y, 1);
	for (j = 0; j < f->axes; j++)
		power[j] = round(fmin(f->powers.steepest, fmax(0, y[j])) / last_step) * last_step;
}

double ft__term_fit(const struct ft__floor *point, size_t n, size_t axes, const double *base,
		    const bool *must_cover, struct ft__powers powers, double *scratch, struct ft__term *out)
{
	struct fit f = {point, n, axes, base, must_cover, powers, scratch, {0}};
	double least = INFINITY, lowest = INFINITY;
	size_t i, a;

	for (i = 0; i < n; i++) {
		lowest = must(&f, i) ? fmin(lowest, point[i].value) : lowest;
		for (a = 0; a < axes; a++)
			f.middle[a] += point[i].ln[a] / (double)n;
	}
	for (i = 0; i < sizeof begins / sizeof *begins; i++) {
		double power[FT_PARAMS_MAX] = {0}, cost = INFINITY;
		struct ft__term term;

		powers_beside(&f, begins[i] * lowest, power);
		try_powers(&f, power, &cost, &term);
		refine(&f, power, &cost, &term);
		if (cost < least) {
			least = cost;
			*out = term;
		}
	}
	return least;
}
