/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-expr-random.c - random expressions, written with all parentheses and evaluated as they are written: the
 * oracle of what is read, printed and read again, and run by Python. */
#include "base/random.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tap.h"

#include <unistd.h>

static const char *const names[] = {"n", "m", "np"};
static const double values[] = {10, 3, 4};

/* ---- the writer --------------------------------------------------------------------------------------- */

struct writer {
	struct ft_random random;
	struct ft_text text;
	bool tame; /* small powers, no large literals: Python computes whole numbers exactly */
	bool wild; /* a part has no finite value: Python raises there, we go on */
};

static double write_random(struct writer *writer, int depth);

static void blank(struct writer *writer)
{
	if (!ft_random_below(&writer->random, 4))
		ft_text_add(&writer->text, " ");
}

static double write_leaf(struct writer *writer)
{
	size_t i = ft_random_below(&writer->random, 6);
	double number = (double)ft_random_below(&writer->random, 400) / 8;

	if (i < 3) {
		ft_text_add(&writer->text, "%s", names[i]);
		return values[i];
	}
	if (i == 5 && !writer->tame)
		number = ldexp(1 + ft_random_uniform(&writer->random),
			       (int)ft_random_below(&writer->random, 400) - 200);
	ft_text_add_number(&writer->text, number);
	return number;
}

static double write_binary(struct writer *writer, int depth)
{
	static const char *const sign[] = {
		"+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
	size_t i = ft_random_below(&writer->random, 13);

	ft_text_add(&writer->text, "(");
	double a = write_random(writer, depth - 1);
	blank(writer);
	ft_text_add(&writer->text, "%s", sign[i]);
	blank(writer);
	double b = write_random(writer, depth - 1);
	ft_text_add(&writer->text, ")");
	return i == 0    ? a + b
	       : i == 1  ? a - b
	       : i == 2  ? a * b
	       : i == 3  ? a / b
	       : i == 4  ? fmod(a, b)
	       : i == 5  ? a == b
	       : i == 6  ? a != b
	       : i == 7  ? a < b
	       : i == 8  ? a <= b
	       : i == 9  ? a > b
	       : i == 10 ? a >= b
	       : i == 11 ? a != 0 && b != 0
			 : a != 0 || b != 0;
}

static double write_call(struct writer *writer, int depth)
{
	static const char *const name[] = {"abs",   "sqrt",  "exp", "log", "log2", "log10", "ceil",
					   "floor", "round", "-",   "!",   "min",  "max",   "pow"};
	size_t i = ft_random_below(&writer->random, writer->tame ? 13 : 14);
	double b = 0;

	ft_text_add(&writer->text, i == 9 || i == 10 ? "(%s(" : "%s(", name[i]);
	double a = write_random(writer, depth - 1);
	if (i >= 11) {
		ft_text_add(&writer->text, ",");
		b = write_random(writer, depth - 1);
	}
	ft_text_add(&writer->text, i == 9 || i == 10 ? "))" : ")");
	return i == 0    ? fabs(a)
	       : i == 1  ? sqrt(a)
	       : i == 2  ? exp(a)
	       : i == 3  ? log(a)
	       : i == 4  ? log2(a)
	       : i == 5  ? log10(a)
	       : i == 6  ? ceil(a)
	       : i == 7  ? floor(a)
	       : i == 8  ? floor(a + 0.5)
	       : i == 9  ? -a
	       : i == 10 ? a == 0
	       : i == 11 ? (b < a ? b : a)
	       : i == 12 ? (b > a ? b : a)
			 : pow(a, b);
}

static double write_power(struct writer *writer, int depth)
{
	static const double exponent[] = {2, 3, 0.5, -1};
	double b;

	ft_text_add(&writer->text, "(");
	double a = write_random(writer, depth - 1);
	ft_text_add(&writer->text, ")^(");
	if (writer->tame) {
		b = exponent[ft_random_below(&writer->random, 4)];
		ft_text_add_number(&writer->text, b);
	} else {
		b = write_random(writer, depth - 1);
	}
	ft_text_add(&writer->text, ")");
	return pow(a, b);
}

/* One that may stand anywhere: powers and negations in their own parentheses. Returns its value. */
static double write_random(struct writer *writer, int depth)
{
	size_t i = ft_random_below(&writer->random, 8);
	double value;

	if (depth <= 0 || i == 0)
		return write_leaf(writer);
	if (i < 5) {
		value = write_binary(writer, depth);
	} else if (i < 7) {
		value = write_call(writer, depth);
	} else {
		ft_text_add(&writer->text, "(");
		value = write_power(writer, depth);
		ft_text_add(&writer->text, ")");
	}
	writer->wild = writer->wild || !isfinite(value);
	return value;
}

/* ---- what it wrote ------------------------------------------------------------------------------------- */

/* Whether a and b are one number, or both none. */
static bool same(double a, double b)
{
	return a == b || (!isfinite(a) && !isfinite(b));
}

static double value_of(const struct ft_expr *expr)
{
	double value;

	return ft_expr_eval(expr, names, values, 3, &value, NULL) == FT_OK ? value : NAN;
}

/* No pair of parentheses of a print can go: without it the text is no expression, or another one. */
static bool is_minimal(const char *print)
{
	size_t open, length = strlen(print);

	for (open = 0; open < length; open++) {
		char without[8192], again[8192];
		struct ft_expr *expr;
		size_t close = open, depth = 0;

		if (print[open] != '(' ||
		    (open && strchr("abcdefghijklmnopqrstuvwxyz0123456789", print[open - 1])))
			continue;
		do {
			depth += print[close] == '(';
			depth -= print[close] == ')';
			close++;
		} while (depth);
		(void)snprintf(without, sizeof without, "%.*s%.*s%s", (int)open, print,
			       (int)(close - open - 2), print + open + 1, print + close);
		if (ft_expr_new(&expr, without, NULL) != FT_OK)
			continue;
		(void)ft_expr_print(expr, FT_EXPR_OWN, again, sizeof again);
		ft_expr_free(expr);
		if (!strcmp(again, print))
			return false;
	}
	return true;
}

static void random_expressions(void)
{
	uint64_t seed = test_seed();
	int i, wrong = 0, changed = 0, parentheses = 0, finite = 0, n = test_cases(5000);

	for (i = 0; i < n; i++) {
		struct writer writer = {.random = {seed + (uint64_t)i}};
		double want = write_random(&writer, 1 + i % 6), got, again;
		char print[8192], second[8192];
		struct ft_expr *expr, *back = NULL;

		if (writer.text.length > 4096) {
			ft_text_clear(&writer.text);
			continue;
		}
		got = ft_expr_new(&expr, writer.text.s, NULL) == FT_OK ? value_of(expr) : -12345;
		(void)(expr && ft_expr_print(expr, FT_EXPR_OWN, print, sizeof print));
		again = expr && ft_expr_new(&back, print, NULL) == FT_OK ? value_of(back) : -12345;
		(void)(back && ft_expr_print(back, FT_EXPR_OWN, second, sizeof second));
		finite += isfinite(want);
		if (!same(got, want) && !wrong++)
			diag("seed %llu: %s is %.17g, got %.17g", (unsigned long long)seed + (unsigned)i,
			     writer.text.s, want, got);
		if ((!same(again, want) || !back || strcmp(print, second) != 0) && !changed++)
			diag("seed %llu: %s prints as %s, then %s: %.17g",
			     (unsigned long long)seed + (unsigned)i, writer.text.s, print, back ? second : "",
			     again);
		if (!is_minimal(print) && !parentheses++)
			diag("seed %llu: %s has too many parentheses", (unsigned long long)seed + (unsigned)i,
			     print);
		ft_expr_free(expr);
		ft_expr_free(back);
		ft_text_clear(&writer.text);
	}
	ok(!wrong && finite > n / 4,
	   "%d random expressions have the value that they were written with (%d finite)", n, finite);
	ok(!changed, "what is printed reads back, and prints the same again");
	ok(!parentheses, "no parenthesis is printed that could go");
}

/* Python evaluates what is printed for it; its words are our values. */
static void python(void)
{
	uint64_t seed = test_seed() + 7;
	char path[] = "/tmp/foretime-expr-XXXXXX", command[128], line[64];
	int i, wrong = 0, n = test_cases(2000), compared = 0, fd;
	double *want = calloc((size_t)n, sizeof *want);
	FILE *file;

	if (system("python3 -c 'import math' >/dev/null 2>&1")) { /* NOLINT: a fixed command */
		skip("Python computes the same", "there is no python3");
		free(want);
		return;
	}
	fd = mkstemp(path);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!want || !file) {
		ok(false, "a file for Python");
		return;
	}
	(void)fprintf(file,
		      "import math\nn, m, np = 10.0, 3.0, 4.0\ndef show(f):\n try: print(repr(float(f())))\n"
		      " except Exception: print('none')\n");
	for (i = 0; i < n; i++) {
		struct writer writer = {.random = {seed + (uint64_t)i}, .tame = true};
		struct ft_expr *expr;
		char print[8192] = "0";

		(void)write_random(&writer, 1 + i % 4);
		want[i] = ft_expr_new(&expr, writer.text.s, NULL) == FT_OK && !writer.wild ? value_of(expr)
											   : NAN;
		if (expr)
			(void)ft_expr_print(expr, FT_EXPR_PYTHON, print, sizeof print);
		(void)fprintf(file, "show(lambda: %s)\n", print);
		ft_expr_free(expr);
		ft_text_clear(&writer.text);
	}
	(void)fclose(file);
	(void)snprintf(command, sizeof command, "python3 %s", path);
	file = popen(command, "r"); /* NOLINT: a fixed command */
	for (i = 0; i < n && fgets(line, sizeof line, file); i++) {
		double got = strcmp(line, "none\n") != 0 ? strtod(line, NULL) : NAN;

		if (!isfinite(want[i]))
			continue;
		compared++;
		if (!near(got, want[i], 1e-9) && !wrong++)
			diag("seed %llu: %.17g, Python %s", (unsigned long long)seed + (unsigned)i, want[i],
			     line);
	}
	ok(!pclose(file) && i == n && !wrong && compared > n / 2, "Python computes the same for %d of %d",
	   compared, n);
	(void)unlink(path);
	free(want);
}

int main(void)
{
	random_expressions();
	python();
	return done();
}
