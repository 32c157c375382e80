/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-expr.c - expressions: read, refused, evaluated and printed; their bounds. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tap.h"

static const char *const names[] = {"n", "m", "np"};
static const double values[] = {10, 3, 4};

static double eval(const char *text)
{
	struct ft_expr *expr;
	double value = NAN;

	if (ft_expr_new(&expr, text, NULL) != FT_OK ||
	    ft_expr_eval(expr, names, values, 3, &value, NULL) != FT_OK)
		value = NAN;
	ft_expr_free(expr);
	return value;
}

static void examples(void)
{
	static const struct {
		const char *text;
		double value;
	} example[] = {
		{"2*n^3", 2000},     {"2*n**3", 2000},
		{"-2^2", -4},        {"2^-1", 0.5},
		{"2^3^2", 512},      {"(2^3)^2", 64},
		{"2^-1^2", 0.5},     {"--n", 10},
		{"-n - -m", -7},     {"n-m-1", 6},
		{"n-(m-1)", 8},      {"n/m/2", 10. / 3 / 2},
		{"n%m*2", 2},        {"-n%m", -1},
		{"n%-m", 1},         {" n  +\t1 ", 11},
		{"1e3", 1000},       {".5", .5},
		{"5.", 5},           {"1.5e-1", .15},
		{"n<m", 0},          {"n>m", 1},
		{"n<=10", 1},        {"n>=10", 1},
		{"n==10", 1},        {"n!=10", 0},
		{"n>m && m>np", 0},  {"n>m||m>np", 1},
		{"!n", 0},           {"!0", 1},
		{"!n<m", 1},         {"!!n", 1},
		{"!n<m && 0", 0},    {"1||0&&0", 1},
		{"7&&5", 1},         {"(n>m)+1", 2},
		{"np<=n*m", 1},      {"1+2<4", 1},
		{"(1<2)==1", 1},     {"abs(-n)", 10},
		{"sqrt(n*n)", 10},   {"exp(0)", 1},
		{"log(exp(2))", 2},  {"log2(8)", 3},
		{"log10(1000)", 3},  {"ceil(n/m)", 4},
		{"floor(n/m)", 3},   {"round(2.5)", 3},
		{"round(-2.5)", -2}, {"round(n/m)", 3},
		{"min(n,m)", 3},     {"max(n, m)", 10},
		{"pow(m, 2)", 9},    {"abs (m)", 3},
		{"n*log2(np)", 20},  {"max(min(1,2),0)", 1},
		{"max(1,n,2)", 10},  {"min(3,n,2,m)", 2},
		{"1/3", 1. / 3},     {"((((n))))", 10},
		{"2*-m", -6},        {"4.9e-324", 4.9e-324},
	};

	for (size_t i = 0; i < sizeof example / sizeof *example; i++)
		if (!ok(eval(example[i].text) == example[i].value, "'%s' is %g", example[i].text,
			example[i].value))
			diag("got %.17g", eval(example[i].text));
	ok(eval("\r\n n \n+ 1\n") == 11, "line ends are blanks");
}

/* Text, the column that the message names, and a word of the message or its remedy. */
static void refusals(void)
{
	static const struct {
		const char *text;
		int column;
		const char *word;
	} example[] = {
		{"", 1, "the end"},
		{"2*", 3, "found the end"},
		{"2n", 2, "write *"},
		{"(n", 3, "')'"},
		{"n)", 2, "take the parenthesis out"},
		{"foo(3)", 1, "abs sqrt exp"},
		{"n=3", 2, "write =="},
		{"n & m", 3, "write &&"},
		{"n|m", 2, "write ||"},
		{"a < b < c", 7, "a < b && b < c"},
		{"a==b==c", 5, "&&"},
		{"0x10", 2, "'x10'"},
		{"1e999", 1, "1.8e308"},
		{"n\xc2\xb2", 2, "character"},
		{"min(n)", 6, "operands"},
		{"abs(n, 1)", 6, "')'"},
		{"abs()", 5, "a number"},
		{"1,5", 2, "point"},
		{"1 + !n", 5, "parentheses"},
		{"+n", 1, "a number"},
		{"n + * m", 5, "'*'"},
		{"n 3", 3, "write *"},
		{"3 n", 3, "'n'"},
		{"()", 2, "a number"},
		{"n ^", 4, "the end"},
		{"* n", 1, "'*'"},
		{"n(3)", 1, "function"},
		{"2***3", 4, "'*'"},
		{"'n'", 1, "'''"},
		{"\"", 1, "'\"'"},
		{"n;m", 2, "';'"},
		{"nan()", 1, "function"},
		{"1.2.3", 4, "'.'"},
	};

	for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
		struct ft_expr *expr = (struct ft_expr *)&i;
		struct ft_err err = {0};
		char column[32];

		(void)snprintf(column, sizeof column, ": column %d: ", example[i].column);
		ok(ft_expr_new(&expr, example[i].text, &err) == FT_EPARSE && !expr &&
			   strstr(err.text, column) &&
			   (strstr(err.text, example[i].word) || strstr(err.remedy, example[i].word)) &&
			   *err.remedy,
		   "refuses: %s", err.text);
	}
}

/* What repeats `count` times between two ends is accepted, or not. */
static enum ft_status repeated(const char *open, int count, const char *middle, const char *close,
			       struct ft_err *err)
{
	struct ft_text text = {0};
	struct ft_expr *expr;

	for (int i = 0; i < count; i++)
		ft_text_add(&text, "%s", open);
	ft_text_add(&text, "%s", middle);
	for (int i = 0; i < count; i++)
		ft_text_add(&text, "%s", close);
	enum ft_status status = ft_expr_new(&expr, text.s, err);
	if (status == FT_OK) {
		double value;

		(void)ft_expr_eval(expr, names, values, 3, &value, NULL);
		(void)ft_expr_print(expr, FT_EXPR_PYTHON, NULL, 0);
	}
	ft_expr_free(expr);
	ft_text_clear(&text);
	return status;
}

static void bounds(void)
{
	struct ft_err err = {0};

	ok(repeated("(", 200, "n", ")", NULL) == FT_OK, "200 parentheses");
	ok(repeated("(", 201, "n", ")", &err) == FT_EPARSE && strstr(err.text, "200"), "201: %s", err.text);
	ok(repeated("-", 201, "n", "", &err) == FT_EPARSE && repeated("!", 201, "n", "", &err) == FT_EPARSE &&
		   repeated("abs(", 201, "n", ")", &err) == FT_EPARSE &&
		   repeated("2^-", 201, "n", "", &err) == FT_EPARSE,
	   "201 signs, negations, functions");
	ok(repeated("(", 4000, "", "", &err) == FT_EPARSE, "4000 open parentheses");
	ok(repeated("1+", 2047, "n", "", NULL) == FT_OK, "a sum of 4095 bytes");
	ok(repeated("1^", 2047, "n", "", NULL) == FT_OK, "a tower of 4095 bytes");
	ok(repeated(" ", 4095, "n", "", NULL) == FT_OK, "4096 bytes");
	ok(repeated(" ", 4096, "n", "", &err) == FT_EPARSE && strstr(err.text, "4096"), "4097: %s", err.text);
}

static void names_and_values(void)
{
	struct ft_expr *expr;
	struct ft_err err = {0};
	double value = 5;

	(void)ft_expr_new(&expr, "np*n + log(log) + n_1*np", NULL);
	ok(!strcmp(ft_expr_name(expr, 0), "np") && !strcmp(ft_expr_name(expr, 1), "n") &&
		   !strcmp(ft_expr_name(expr, 2), "log") && !strcmp(ft_expr_name(expr, 3), "n_1") &&
		   !ft_expr_name(expr, 4),
	   "different names in order");
	ok(ft_expr_eval(expr, names, values, 3, &value, &err) == FT_EINVAL && value == 0 &&
		   strstr(err.text, "'log'") && strstr(err.remedy, "n, m, np"),
	   "%s; %s", err.text, err.remedy);
	ft_expr_free(expr);
	(void)ft_expr_new(&expr, "n/(m-3)", NULL);
	ok(ft_expr_eval(expr, names, values, 3, &value, &err) == FT_EINVAL && value == 0 &&
		   strstr(err.text, "where n=10 m=3 np=4") && *err.remedy,
	   "%s", err.text);
	ok(ft_expr_eval(expr, names, values, 0, &value, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	ft_expr_free(expr);
	ft_expr_free(NULL);
}

static void prints(const char *text, const char *own, const char *python, const char *groovy)
{
	const char *const want[] = {own, python, groovy};
	struct ft_expr *expr;
	char got[200];

	if (ft_expr_new(&expr, text, NULL) != FT_OK) {
		ok(false, "'%s' parses", text);
		return;
	}
	for (int i = 0; i < 3; i++)
		if (!ok(ft_expr_print(expr, (enum ft_expr_language)i, got, sizeof got) == strlen(want[i]) &&
				!strcmp(got, want[i]),
			"'%s' prints as %s", text, want[i]))
			diag("got %s", got);
	ft_expr_free(expr);
}

static void printing(void)
{
	struct ft_expr *expr;
	char buffer[16];
	bool good = true;

	prints("2*n^3", "2*n^3", "2*n**3", "2.0d*Math.pow(n, 3.0d)");
	prints("((2*(n^3)))", "2*n^3", "2*n**3", "2.0d*Math.pow(n, 3.0d)");
	prints("a+(b+c)", "a + (b + c)", "a + (b + c)", "a + (b + c)");
	prints("(a+b)+c", "a + b + c", "a + b + c", "a + b + c");
	prints("(a+b)*c", "(a + b)*c", "(a + b)*c", "(a + b)*c");
	prints("(-a)^b", "(-a)^b", "(-a)**b", "Math.pow(-a, b)");
	prints("-(a^b)", "-a^b", "-a**b", "-Math.pow(a, b)");
	prints("a^(-b)", "a^-b", "a**-b", "Math.pow(a, -b)");
	prints("-(-a)", "--a", "--a", "-(-a)");
	prints("a-(-b)", "a - -b", "a - -b", "a - -b");
	prints("-(a*b)", "-(a*b)", "-(a*b)", "-(a*b)");
	prints("a%b", "a%b", "math.fmod(a, b)", "a%b");
	prints("log2(n) + log(n) + log10(n)", "log2(n) + log(n) + log10(n)",
	       "math.log2(n) + math.log(n) + math.log10(n)",
	       "(Math.log(n) / Math.log(2.0d)) + Math.log(n) + Math.log10(n)");
	prints("ceil(n/0.5)", "ceil(n/0.5)", "math.ceil(n/0.5)", "Math.ceil(n/0.5d)");
	prints("round(a<b)", "round(a < b)", "math.floor((a < b) + 0.5)",
	       "Math.floor((a < b ? 1.0d : 0.0d) + 0.5d)");
	prints("!a || b && c<d", "!a || b && c < d", "not a or b != 0 and c < d",
	       "!(a != 0.0d) || b != 0.0d && c < d");
	prints("(a||b)*2", "(a || b)*2", "(a != 0 or b != 0)*2",
	       "(a != 0.0d || b != 0.0d ? 1.0d : 0.0d)*2.0d");
	prints("(a<b)==c", "(a < b) == c", "(a < b) == c", "(a < b ? 1.0d : 0.0d) == c");
	prints("min(a, max(b, abs(sqrt(exp(c)))))", "min(a, max(b, abs(sqrt(exp(c)))))",
	       "min(a, max(b, abs(math.sqrt(math.exp(c)))))",
	       "Math.min(a, Math.max(b, Math.abs(Math.sqrt(Math.exp(c)))))");
	prints("max(a, b, min(a, b, c))", "max(a, b, min(a, b, c))", "max(a, b, min(a, b, c))",
	       "Math.max(Math.max(a, b), Math.min(Math.min(a, b), c))");
	prints("max(a, max(b, c))", "max(a, max(b, c))", "max(a, max(b, c))", "Math.max(a, Math.max(b, c))");
	prints("1e22*1e-7", "1e+22*1e-07", "1e+22*1e-07", "1e+22d*1e-07d");
	prints("pow(pow(a,b),c)", "(a^b)^c", "(a**b)**c", "Math.pow(Math.pow(a, b), c)");
	(void)ft_expr_new(&expr, "n*m", NULL);
	for (size_t size = 0; size < 6; size++) {
		memset(buffer, 'X', sizeof buffer);
		good = good && ft_expr_print(expr, FT_EXPR_OWN, size ? buffer : NULL, size) == 3 &&
		       buffer[size] == 'X' && (!size || strlen(buffer) == (size < 4 ? size - 1 : 3));
	}
	ok(good, "a text that does not fit is cut, and its length told");
	ft_expr_free(expr);
}

static void allocation_faults(void)
{
	unsigned long n = 0;
	struct ft_expr *expr;
	enum ft_status status;
	bool good = true;

	do {
		struct ft_err err = {0};

		expr = (struct ft_expr *)&n;
		(void)ft_alloc_fail_at(++n);
		status = ft_expr_new(&expr, "a+b*c^max(d,e)-f<=g && h || !i+j == k%l", &err);
		good = good && (status == FT_OK || (status == FT_ENOMEM && err.status == status && !expr));
	} while (status != FT_OK && n < 1000);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 15 && n < 1000, "each of %lu allocations may fail", n - 1);
	ft_expr_free(expr);
}

int main(void)
{
	examples();
	refusals();
	bounds();
	names_and_values();
	printing();
	allocation_faults();
	return done();
}
