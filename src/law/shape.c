/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - the shapes of a term, their priors, and laws as values. */
#include "base/number.h"
#include "law/laws.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* One of the shapes x^(twelfths / 12) log2(x)^log. */
struct ft__shape {
	unsigned char twelfths, log;
	double prior; /* how usual it is, before the samples; 1: as the classical ones */
};

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

/* Shapes of work divided over processors. The common ones have the prior of the less usual powers, the
 * rest that of the remaining; so have shapes that try all orders. */
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

/* n! by Stirling's series (NIST DLMF 5.11.3), to 5e-6 from 2 on and 8e-9 from 5 on: the same as in an
   expression. */
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
	for (i = 0; i < FT_LAW_GROWING; i += 3) { /* powers of the logarithm are 0, 1, 2, repeatedly */
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

/*
 * Laws and classes as text.
 */

struct text {
	char *buffer;
	size_t size, length;
};

static void put_word(struct text *text, const char *word)
{
	for (; *word; word++) {
		if (text->length + 1 < text->size)
			text->buffer[text->length] = *word;
		text->length++;
	}
}

static void put_number(struct text *text, double number, int digits)
{
	char word[40];

	ft__double_print(word, sizeof word, digits, 'g', number);
	put_word(text, word);
}

/* "n^1.5", "n^(1/3)": thirds would have no end as decimals. */
static void put_power(struct text *text, const char *name, double power, int digits)
{
	double twelfths = 12 * power;
	char word[40];

	put_word(text, name);
	if (power == 1)
		return;
	put_word(text, "^");
	if (power < 0)
		put_word(text, "(");
	if (power != floor(power) && fmod(fabs(twelfths), 4) == 0) {
		(void)snprintf(word, sizeof word, power < 0 ? "%.0f/3" : "(%.0f/3)", twelfths / 4);
		put_word(text, word);
	} else {
		put_number(text, power, twelfths == floor(twelfths) ? 17 : digits);
	}
	if (power < 0)
		put_word(text, ")");
}

/* "2^n", "2^(n/4)", "exp(n)", "2^(0.35*n)", "2^(-n/4)", "exp(-n)" */
static void put_exponential(struct text *text, const char *name, double rate, int digits)
{
	double size = fabs(rate), base = exp2(fmin(rate, 50)),
	       per = fabs(rint(1 / size) * size - 1) < 1e-14 ? rint(1 / size) : 0;
	bool natural = fabs(size - M_LOG2E) < 1e-14;
	char word[40];

	if (natural || (base > 2.5 && fabs(base - rint(base)) < 1e-13 * base)) {
		(void)snprintf(word, sizeof word, natural ? rate < 0 ? "exp(-" : "exp(" : "%.0f^", base);
		put_word(text, word);
		put_word(text, name);
		put_word(text, natural ? ")" : "");
		return;
	}
	put_word(text, rate < 0 ? "2^(-" : per == 1 ? "2^" : "2^(");
	if (per == 0) {
		put_number(text, size, digits);
		put_word(text, "*");
	}
	put_word(text, name);
	if (per > 1) {
		put_word(text, "/");
		put_number(text, per, 17);
	}
	put_word(text, rate > 0 && per == 1 ? "" : ")");
}

/* As ft__law_factor_value has it. */
static void put_factorial(struct text *text, const char *name)
{
	static const char *const part[] = {"*sqrt(2*3.141592653589793*",
					   ")*(",
					   "/exp(1))^",
					   "*exp(1/(12*",
					   ") - 1/(360*",
					   "^3) + 1/(1260*",
					   "^5))"};
	size_t n = sizeof part / sizeof *part;

	for (size_t i = 0; i < n; i++) {
		put_word(text, part[i]);
		put_word(text, i + 1 < n ? name : "");
	}
}

/* "*n^2*log2(n)", "/n"; nothing for a factor of 1. */
static void put_factor(struct text *text, const char *name, const struct ft_law_factor *factor, int digits)
{
	if (factor->power != 0) {
		put_word(text, factor->power < 0 ? "/" : "*");
		put_power(text, name, fabs(factor->power), digits);
	}
	if (factor->log != 0) {
		put_word(text, "*log2(");
		put_word(text, name);
		put_word(text, ")");
		if (factor->log != 1) {
			put_word(text, "^");
			put_number(text, factor->log, 17);
		}
	}
	if (factor->rate != 0) {
		put_word(text, "*");
		put_exponential(text, name, factor->rate, digits);
	}
	if (factor->level > 0) {
		put_word(text, "/(1 + ");
		put_word(text, name);
		put_word(text, "/");
		put_number(text, factor->level, digits);
		put_word(text, ")");
	}
	if (factor->factorial != 0)
		put_factorial(text, name);
}

static void put_coefficient(struct text *text, double c, int digits)
{
	if (!text->length) {
		put_number(text, c, digits);
		return;
	}
	put_word(text, c < 0 ? " - " : " + ");
	put_number(text, fabs(c), digits);
}

size_t ft_law_format(const struct ft_law *law, const char *const *name, int digits, char *buffer, size_t size)
{
	static const char *const usual[FT_LAW_PARAMS] = {"n", "m", "k", "l"};
	struct text text = {buffer, size, 0};

	assert(digits >= 1 && digits <= 17 && law->params <= FT_LAW_PARAMS);
	for (size_t i = 0; i < law->terms; i++) {
		put_coefficient(&text, law->term[i].c, digits);
		for (size_t j = 0; j < law->params; j++)
			put_factor(&text, name ? name[j] : usual[j], &law->term[i].factor[j], digits);
	}
	if (law->constant != 0 || !law->terms)
		put_coefficient(&text, law->constant, digits);
	if (size)
		buffer[text.length < size ? text.length : size - 1] = '\0';
	return text.length;
}

size_t ft_law_class_format(const struct ft_law_factor *factor, const char *name, char *buffer, size_t size)
{
	struct text text = {buffer, size, 0};

	if (!name)
		name = "n";
	if (factor->level > 0)
		put_word(&text, "levels off");
	else if (factor->power != 0)
		put_power(&text, name, factor->power, 4);
	if (factor->log != 0) {
		put_word(&text, text.length ? " log" : "log");
		if (factor->log != 1) {
			put_word(&text, "^");
			put_number(&text, factor->log, 17);
		}
		put_word(&text, " ");
		put_word(&text, name);
	}
	if (factor->rate != 0)
		put_exponential(&text, name, factor->rate, 4);
	if (factor->factorial != 0) {
		put_word(&text, name);
		put_word(&text, "!");
	}
	if (!text.length)
		put_word(&text, "constant");
	if (size)
		buffer[text.length < size ? text.length : size - 1] = '\0';
	return text.length;
}

static void put_kind(struct text *text, const struct ft_law_class *kind, const char *name)
{
	char word[96];

	(void)ft_law_class_format(&kind->factor, name, word, sizeof word);
	put_word(text, word);
	put_word(text, " (");
	ft__double_print(word, sizeof word, 2, 'f', kind->weight);
	put_word(text, word);
	put_word(text, ")");
}

/* The class that would be named next: the second heaviest; where that has no weight, the common one that
 * grows as the first does but for one step. */
static struct ft_law_class rival_of(const struct ft_laws *laws)
{
	static const struct ft_law_factor common[] = {
		{.power = 0},   {.log = 1},   {.power = 0.5},         {.power = 1}, {.power = 1, .log = 1},
		{.power = 1.5}, {.power = 2}, {.power = 2, .log = 1}, {.power = 3}};
	const struct ft_law_factor *first = &laws->kind[0].factor;
	struct ft_law_class rival = {common[1], 0};

	if (laws->kind[1].weight >= 0.005)
		return laws->kind[1];
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (common[i].power < first->power ||
		    (common[i].power == first->power && common[i].log < first->log))
			rival.factor = common[i];
	return rival;
}

size_t ft_laws_words(const struct ft_laws *laws, const char *name, char *buffer, size_t size)
{
	/* A class of a twentieth of the belief is the true one in up to a fifth of cases, by what classes
	 * there are; one of less hardly ever. The third is worth naming when it is well believed in. */
	static const double perhaps = 0.05, likely = 0.5, third = 0.2;
	struct text text = {buffer, size, 0};
	const struct ft_law_class *kind = laws->kind;
	struct ft_law_class rival = rival_of(laws);

	put_kind(&text, &kind[0], name);
	if (kind[1].weight >= perhaps || kind[0].weight < likely) {
		put_word(&text, ", perhaps ");
		put_kind(&text, &kind[1], name);
		if (kind[2].weight >= third) {
			put_word(&text, " or ");
			put_kind(&text, &kind[2], name);
		}
	} else {
		put_word(&text, ", not ");
		put_kind(&text, &rival, name);
	}
	if (size)
		buffer[text.length < size ? text.length : size - 1] = '\0';
	return text.length;
}
