/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - the shapes of a term, how usual each is, and laws as values. */
#include "law/laws.h"

#include <assert.h>
#include <math.h>

/* X(twelfths of the power, weights of log^0, log^1, log^2): classical classes 100, less usual ones 25, the
 * rest 8. */
#define POWERS(X)                                                                                            \
	X(0, 100, 100, 25)                                                                                   \
	X(3, 8, 8, 8)                                                                                        \
	X(4, 25, 8, 8)                                                                                       \
	X(6, 100, 25, 8)                                                                                     \
	X(8, 25, 8, 8)                                                                                       \
	X(9, 8, 8, 8)                                                                                        \
	X(12, 100, 100, 25)                                                                                  \
	X(15, 25, 8, 8)                                                                                      \
	X(16, 25, 8, 8)                                                                                      \
	X(18, 100, 25, 8)                                                                                    \
	X(20, 25, 8, 8)                                                                                      \
	X(21, 25, 8, 8)                                                                                      \
	X(24, 100, 100, 25)                                                                                  \
	X(27, 8, 8, 8)                                                                                       \
	X(28, 8, 8, 8)                                                                                       \
	X(30, 25, 8, 8)                                                                                      \
	X(32, 8, 8, 8)                                                                                       \
	X(33, 8, 8, 8)                                                                                       \
	X(36, 100, 25, 8)

#define ROWS(power, a, b, c) {power, 0, (a) / 100.0}, {power, 1, (b) / 100.0}, {power, 2, (c) / 100.0},

static const struct ft__shape shapes[] = {POWERS(ROWS)};
_Static_assert(sizeof shapes / sizeof *shapes == FT_LAW_GROWING, "as many shapes as law.h states");

/* What divides: work that is shared out. As usual as the less usual powers, the others as the rest; so is
 * what tries all orders. */
static const struct {
	struct ft_law_factor factor;
	double prior;
} further[] = {
	{{.power = -1.0 / 3}, 0.08}, {{.power = -0.5}, 0.08},         {{.power = -2.0 / 3}, 0.08},
	{{.power = -1}, 0.25},       {{.power = -1, .log = 1}, 0.08}, {{.power = -2}, 0.08},
	{{.factorial = 1}, 0.08},
};
_Static_assert(FT_LAW_GROWING + sizeof further / sizeof *further == FT_LAW_SHAPES, "as many as law.h states");

double ft__law_prior(size_t i)
{
	/* NOLINTNEXTLINE(bugprone-macro-parentheses): a sum is made of many */
#define PLUS(power, a, b, c) +(a) + (b) + (c)
	assert(i < FT_LAW_SHAPES);
	return 100 * (i < FT_LAW_GROWING ? shapes[i].prior : further[i - FT_LAW_GROWING].prior) /
	       (0 POWERS(PLUS));
#undef PLUS
}

struct ft_law_factor ft__law_factor(size_t i)
{
	assert(i < FT_LAW_SHAPES);
	if (i >= FT_LAW_GROWING)
		return further[i - FT_LAW_GROWING].factor;
	return (struct ft_law_factor){.power = shapes[i].twelfths / 12.0, .log = shapes[i].log};
}

/* x^(part / 12) for the parts that powers have: exact where it can be, and faster than by pow. */
static double root_of(double x, unsigned part)
{
	switch (part) {
	case 3:
		return sqrt(sqrt(x));
	case 4:
		return cbrt(x);
	case 6:
		return sqrt(x);
	case 8:
		return cbrt(x * x);
	case 9:
		return sqrt(x) * sqrt(sqrt(x));
	default:
		return 1;
	}
}

static double log_of(double x)
{
	return x >= 1 ? log2(x) : (double)NAN;
}

/* x^(twelfths / 12), root: of the part below 1. */
static double power_of(double x, double root, unsigned twelfths)
{
	double value = root;

	for (unsigned i = 0; i < twelfths / 12; i++)
		value *= x;
	return value;
}

/* n! by Stirling's series (NIST DLMF 5.11.3), to 5e-6 from 2 on and 8e-9 from 5 on: as an expression says it.
 */
static double factorial(double x)
{
	double ln = (x + 0.5) * log(x) - x + 1 / (12 * x) - 1 / (360 * pow(x, 3)) + 1 / (1260 * pow(x, 5));

	return x > 0 ? sqrt(2 * M_PI) * exp(ln) : (double)NAN;
}

static double power_value(double power, double x)
{
	double value = 1;

	if (power != floor(power) || fabs(power) > 3)
		return pow(x, power);
	for (int i = 0; i < (int)fabs(power); i++)
		value *= x;
	return power < 0 ? 1 / value : value;
}

double ft__law_factor_value(const struct ft_law_factor *factor, double x)
{
	double value = factor->power == 0 ? 1 : power_value(factor->power, x);

	if (factor->log != 0)
		value *= pow(log2(x), factor->log);
	if (factor->rate != 0)
		value *= exp2(factor->rate * x);
	if (factor->less != 0)
		value *= 1 - factor->less / (factor->log > 0 ? log2(x) : x);
	if (factor->level > 0)
		value /= 1 + x / factor->level;
	return factor->factorial == 0 ? value : value * factorial(x);
}

double ft__law_shape_value(size_t i, double x)
{
	assert(i < FT_LAW_SHAPES);
	if (i >= FT_LAW_GROWING)
		return ft__law_factor_value(&further[i - FT_LAW_GROWING].factor, x);
	const struct ft__shape *shape = &shapes[i];
	double value = power_of(x, root_of(x, shape->twelfths % 12), shape->twelfths);
	if (!shape->log)
		return value;
	double log = log_of(x);
	return value * (shape->log == 1 ? log : log * log);
}

void ft__law_shape_values(double x, double *value)
{
	double root[12], log = log_of(x);
	size_t i;

	for (i = 0; i < sizeof root / sizeof *root; i++)
		root[i] = root_of(x, (unsigned)i);
	for (i = 0; i < FT_LAW_GROWING; i += 3) { /* powers of the logarithm are 0, 1, 2 in turn */
		value[i] = power_of(x, root[shapes[i].twelfths % 12], shapes[i].twelfths);
		value[i + 1] = value[i] * log;
		value[i + 2] = value[i] * (log * log);
	}
	for (; i < FT_LAW_SHAPES; i++)
		value[i] = ft__law_factor_value(&further[i - FT_LAW_GROWING].factor, x);
}

double ft_law_value(const struct ft_law *law, const double *x)
{
	double sum = law->constant;

	for (size_t i = 0; i < law->terms; i++) {
		double value = law->term[i].c;

		for (size_t j = 0; j < law->params; j++)
			value *= ft__law_factor_value(&law->term[i].factor[j], x[j]);
		sum += value;
	}
	return sum;
}
