/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polynomial.c - Newton's form as a sum of powers, exactly. */
#include "kernel/wide.h"

#include <stdio.h>
#include <string.h>

static ft__wide common_divisor(ft__wide a, ft__wide b)
{
	a = a < 0 ? -a : a;
	b = b < 0 ? -b : b;
	while (b) {
		ft__wide rest = a % b;

		a = b;
		b = rest;
	}
	return a ? a : 1;
}

static void reduce(struct ft__fraction *a)
{
	ft__wide by = common_divisor(a->up, a->down);

	a->up /= by;
	a->down /= by;
}

/* These two return false where it does not fit. */
static bool add_fraction(struct ft__fraction *a, struct ft__fraction b)
{
	ft__wide by = common_divisor(a->down, b.down), left, right, up, down;

	if (__builtin_mul_overflow(a->up, b.down / by, &left) ||
	    __builtin_mul_overflow(b.up, a->down / by, &right) || __builtin_add_overflow(left, right, &up) ||
	    __builtin_mul_overflow(a->down, b.down / by, &down))
		return false;
	*a = (struct ft__fraction){up, down};
	reduce(a);
	return true;
}

static bool multiply_fraction(struct ft__fraction *a, struct ft__fraction b)
{
	ft__wide across = common_divisor(a->up, b.down), along = common_divisor(b.up, a->down), up, down;

	if (__builtin_mul_overflow(a->up / across, b.up / along, &up) ||
	    __builtin_mul_overflow(a->down / along, b.down / across, &down))
		return false;
	*a = (struct ft__fraction){up, down};
	reduce(a);
	return true;
}

enum { MOST = FT_KERNEL_DEGREE + 1 };

/* What k over 0 .. degree are in powers of x, where k = (x - first) / step. base: [degree + 1][degree + 1] */
static bool make_bases(const struct ft_kernel_variable *v, size_t degree,
		       struct ft__fraction base[MOST][MOST])
{
	for (size_t i = 0; i <= degree; i++)
		for (size_t p = 0; p < MOST; p++)
			base[i][p] = (struct ft__fraction){i == 0 && p == 0, 1};
	/* k over i is k over i - 1 times (x - first - (i - 1) step) / (i step) */
	for (size_t i = 1; i <= degree; i++) {
		ft__wide under = (ft__wide)i * v->step;
		struct ft__fraction slope = {1, under},
				    shift = {-((ft__wide)v->first + ((ft__wide)i - 1) * v->step), under};

		reduce(&shift);
		for (size_t p = 0; p <= i; p++) {
			struct ft__fraction low = base[i - 1][p], high = {0, 1};

			if (p)
				high = base[i - 1][p - 1];
			if (!multiply_fraction(&low, shift) || !multiply_fraction(&high, slope) ||
			    !add_fraction(&low, high))
				return false;
			base[i][p] = low;
		}
	}
	return true;
}

struct powers {
	struct ft__fraction base[FT_KERNEL_VARIABLES][MOST][MOST];
	struct ft__fraction factor[FT_KERNEL_TERMS]; /* of the powers that the exponents say */
};

/* The factor of one product of powers. */
static bool factor_of(const struct ft_kernel_expressions *e, const struct ft_kernel_expression *of,
		      struct powers *powers, size_t term)
{
	struct ft__fraction all = {0, 1};

	for (size_t i = 0; i < e->terms; i++) {
		struct ft__fraction part = {of->difference[i], 1};

		if (!of->difference[i])
			continue;
		for (size_t j = 0; j < e->n; j++)
			if (!multiply_fraction(&part,
					       powers->base[j][e->exponent[i][j]][e->exponent[term][j]]))
				return false;
		if (!add_fraction(&all, part))
			return false;
	}
	powers->factor[term] = all;
	return true;
}

/* Decimal digits; false: they do not fit. */
static bool write_digits(char *text, size_t size, ft__wide value)
{
	char reversed[48];
	size_t n = 0;

	do
		reversed[n++] = (char)('0' + (int)(value % 10));
	while (value /= 10);
	if (n + 1 > size)
		return false;
	for (size_t i = 0; i < n; i++)
		text[i] = reversed[n - 1 - i];
	text[n] = '\0';
	return true;
}

/* " + 3*n^2*m/2" */
static bool add_term(char *text, size_t size, struct ft__fraction by, const struct ft_kernel_expressions *e,
		     const uint8_t *exponent)
{
	size_t at = strlen(text);
	char up[48] = "", down[48] = "", powers[3 * (FT_KERNEL_NAME + 8)] = "";
	bool negative = by.up < 0;

	if (negative)
		by.up = -by.up;
	for (size_t j = 0; j < e->n; j++) {
		size_t end = strlen(powers);

		if (exponent[j] == 1)
			(void)snprintf(powers + end, sizeof powers - end, "*%s", e->variable[j].name);
		else if (exponent[j])
			(void)snprintf(powers + end, sizeof powers - end, "*%s^%d", e->variable[j].name,
				       exponent[j]);
	}
	bool one = by.up == 1 && *powers;
	if (!write_digits(up, sizeof up, by.up) || !write_digits(down, sizeof down, by.down))
		return false;
	int n = snprintf(text + at, size - at, "%s%s%s%s%s",
			 at         ? negative ? " - " : " + "
			 : negative ? "-"
				    : "",
			 one ? "" : up, powers + (one && *powers), by.down == 1 ? "" : "/",
			 by.down == 1 ? "" : down);
	return n > 0 && (size_t)n < size - at;
}

void ft__polynomial_text(const struct ft_kernel_expressions *e, struct ft_kernel_expression *of)
{
	static struct powers empty;
	struct powers powers = empty;

	of->text[0] = '\0';
	if (!of->known)
		return;
	for (size_t i = 0; i < e->n; i++)
		if (!make_bases(&e->variable[i], e->degree, powers.base[i]))
			return;
	for (size_t i = 0; i < e->terms; i++)
		if (!factor_of(e, of, &powers, i))
			return;
	for (size_t i = e->terms; i > 0; i--)
		if (powers.factor[i - 1].up &&
		    !add_term(of->text, sizeof of->text, powers.factor[i - 1], e, e->exponent[i - 1])) {
			of->text[0] = '\0';
			return;
		}
	if (!*of->text)
		(void)snprintf(of->text, sizeof of->text, "0");
}
