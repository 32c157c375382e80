/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-expr.c - any text as an expression: refused with words, or of the same value when printed and read
 * again. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fuzz_expr_seeds[] = {
	"2*n^3",
	"np <= nx && nx <= 4096",
	"!(a < b) || c == d && e != 3",
	"-2^2 + 2**-1 - (n - (m - 1))",
	"log2(n)*n + sqrt(abs(x)) % 7",
	"pow(min(n, m), max(1.5e3, .5)) / ceil(n/64)",
	"((((((n))))))",
	"round(exp(log(n)) - log10(m) + floor(1e-7*n))",
	NULL,
};

const char *const fuzz_expr_pieces[] = {
	"+",     "-",      "*",    "/",     "%",      "^",        "**",     "(",
	")",     ",",      "<",    "<=",    ">=",     "==",       "!=",     "!",
	"&&",    "||",     "abs(", "log2(", "min(n,", "pow(",     "n",      "m",
	"1e308", "1e-320", "0x1p", "1e999", "((((",   "\xc2\xb2", "round(", "9007199254740993",
	".",     " ",      NULL,
};

enum { PRINT_SIZE = 1 << 17 };

/* The value where every name has one; same: not finite, told by err. */
static enum ft_status eval(const struct ft_expr *expr, double *value)
{
	const char *name[2048];
	double values[2048];
	size_t n = 0;

	for (; n < 2048 && (name[n] = ft_expr_name(expr, n)); n++)
		values[n] = 1.5 + (double)n;
	return ft_expr_eval(expr, name, values, n, value, NULL);
}

static const char *check(const struct ft_expr *expr, char *print, char *again)
{
	double value, value_again;
	enum ft_status status = eval(expr, &value), status_again;
	size_t length = ft_expr_print(expr, FT_EXPR_OWN, print, PRINT_SIZE);
	struct ft_expr *back;

	if (length >= PRINT_SIZE || strlen(print) != length)
		return "the length that was told";
	if (ft_expr_print(expr, FT_EXPR_PYTHON, again, PRINT_SIZE) != strlen(again) ||
	    ft_expr_print(expr, FT_EXPR_GROOVY, again, PRINT_SIZE) != strlen(again))
		return "the length that was told in another language";
	if (length > 4096)
		return NULL;
	if (ft_expr_new(&back, print, NULL) != FT_OK)
		return "what is printed can be read";
	(void)ft_expr_print(back, FT_EXPR_OWN, again, PRINT_SIZE);
	status_again = eval(back, &value_again);
	ft_expr_free(back);
	if (strcmp(print, again) != 0)
		return "it prints the same again";
	if (status != status_again || (status == FT_OK && memcmp(&value, &value_again, sizeof value) != 0))
		return "it has the same value again";
	return NULL;
}

const char *fuzz_expr(const uint8_t *bytes, size_t length)
{
	static char print[PRINT_SIZE], again[PRINT_SIZE]; /* so large that making them is most of the time */
	char *text = ft_strndup((const char *)bytes, length);
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};
	const char *broken = NULL;

	if (text && ft_expr_new(&expr, text, &err) == FT_OK)
		broken = check(expr, print, again);
	else if (text && (expr || err.status != FT_EPARSE || !*err.text || !*err.remedy))
		broken = "a refusal has words and a remedy";
	ft_expr_free(expr);
	ft_free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_expr)
#endif
