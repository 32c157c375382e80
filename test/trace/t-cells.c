/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cells.c - cells of a line beside a slow reading of them. Behind the end of each stands something that
 * would be part of it. */
#include "cells-test.h"

#include <strings.h>

static bool quantity(const char *text, bool comma, double number, const char *unit)
{
	struct ft__cell cell = {text, text + strlen(text)}, rest;
	double value;

	return ft__cell_quantity(cell, comma, &value, &rest) && value == number &&
	       (size_t)(rest.end - rest.begin) == strlen(unit) && !memcmp(rest.begin, unit, strlen(unit));
}

static bool no_quantity(const char *text, bool comma)
{
	struct ft__cell cell = {text, text + strlen(text)}, rest;
	double value;

	return !ft__cell_quantity(cell, comma, &value, &rest);
}

static void by_hand(void)
{
	ok(quantity("55 %", false, 55, "%") && quantity("-1.5e3kB/s", false, -1500, "kB/s") &&
		   quantity("7", false, 7, "") && quantity("1e", false, 1, "e"),
	   "a number and its unit");
	ok(quantity("0,5 GiB", true, 0.5, "GiB") && no_quantity("0,5", false) &&
		   no_quantity("1,000,000", true) && no_quantity("1.234,5", true),
	   "a decimal comma, where it is asked for");
	ok(no_quantity("10:30", false) && no_quantity("2026-01-05", false) && no_quantity("12 AM 3", false) &&
		   no_quantity("", false) && no_quantity("A100", false) && no_quantity("%", false),
	   "neither clocks, dates nor names");
}

/* ---- numbers and quantities ---------------------------------------------------------------------------- */

static size_t digits_at(const char *s)
{
	return strspn(s, "0123456789");
}

/* How much of the beginning is a decimal number. */
static size_t number_at(const char *s)
{
	size_t i = *s == '+' || *s == '-', whole = digits_at(s + i), decimals = 0, sign, power;

	i += whole;
	if (s[i] == '.') {
		decimals = digits_at(s + i + 1);
		i += 1 + decimals;
	}
	if (!whole && !decimals)
		return 0;
	if (s[i] != 'e' && s[i] != 'E')
		return i;
	sign = s[i + 1] == '+' || s[i + 1] == '-';
	power = digits_at(s + i + 1 + sign);
	return power ? i + 1 + sign + power : i;
}

/* Of few letters, of which many texts are numbers. */
static void any_letters(struct ft_random *random, const char *letters, char s[LENGTH])
{
	size_t n = ft_random_below(random, 9), i;

	for (i = 0; i < n; i++)
		s[i] = letters[ft_random_below(random, strlen(letters))];
	s[n] = '\0';
}

static bool same_number(const char *s)
{
	struct text text;
	double value = -1, expected = strtod(s, NULL);
	const char *word = s + (*s == '+' || *s == '-');
	bool infinite = !strcasecmp(word, "inf") || !strcasecmp(word, "infinity");
	bool good = *s && (number_at(s) == strlen(s) || infinite);

	return ft__cell_number(*text_of(&text, s), &value) == good && (!good || value == expected);
}

static void numbers(void)
{
	static const char *const exact[] = {"9007199254740991",
					    "9007199254740992",
					    "9007199254740993",
					    "9007199254740993e1",
					    "9007199254740991e22",
					    "9007199254740991e23",
					    "1e22",
					    "1e23",
					    "3e-22",
					    "3e-23",
					    "-3e-22",
					    "1234567890123456789",
					    "12345678901234567890",
					    "0.1234567890123456789",
					    "0.000000000000000000012",
					    "1e400",
					    "1e401",
					    "-1e401",
					    "1e-400",
					    "1e-401",
					    "0.1e400",
					    "8192.e0",
					    "1e0000000022",
					    "inf",
					    "+INF",
					    "-inf",
					    "-Infinity",
					    "infinit",
					    "nan",
					    "-",
					    "+",
					    ".",
					    "",
					    "1 ",
					    " 1",
					    "0x10",
					    "1e+",
					    "1e-",
					    "1e",
					    "1.5.2",
					    "--1",
					    "5e-324",
					    "1.7976931348623157e308"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, numbers = 0, i;
	char s[LENGTH];

	for (size_t k = 0; k < sizeof exact / sizeof *exact; k++)
		if (!same_number(exact[k])) {
			bad++;
			diag("'%s'", exact[k]);
		}
	for (i = 0; i < cases; i++) {
		any_letters(&random, i % 2 ? "0159.eE+-" : "0123456789.e-", s);
		numbers += *s && number_at(s) == strlen(s);
		if (!same_number(s)) {
			bad++;
			diag("'%s'", s);
		}
	}
	ok(!bad && numbers > cases / 10,
	   "numbers are those of strtod, and what is none is none: %d of %d are some", numbers, cases);
}

/* Every number that is printed is read back as the same double. */
static void printed(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(20000), bad = 0, i;

	for (i = 0; i < cases; i++) {
		static const char *const formats[] = {"%.17g", "%.6g", "%.3f", "%.10e", "%.0f"};
		double value = ft_random_normal(&random) *
			       pow(10, (double)ft_random_below(&random, 40) - 20 +
					       (ft_random_below(&random, 10) ? 0 : 280)),
		       back = NAN;
		char text[400];
		struct ft__cell cell;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(text, sizeof text, formats[ft_random_below(&random, 5)], value);
#pragma GCC diagnostic pop
		cell = (struct ft__cell){text, text + strlen(text)};
		if (!ft__cell_number(cell, &back) || back != strtod(text, NULL)) {
			bad++;
			diag("%s: %.17g", text, back);
		}
	}
	ok(!bad, "%d random numbers are what strtod reads", cases);
}

static bool same_quantity(const char *s, bool comma)
{
	struct text text;
	struct ft__cell unit = {NULL, NULL};
	double value = -1;
	char points[LENGTH], *point;

	(void)snprintf(points, sizeof points, "%s", s);
	point = strchr(points, ',');
	if (comma && point && !strchr(points, '.'))
		*point = '.';
	size_t number = number_at(points);
	size_t blanks = strspn(points + number, " ");
	bool good = number && strlen(s) < 64 && !strpbrk(points + number + blanks, "0123456789:,;+-\"");
	(void)text_of(&text, s);
	if (ft__cell_quantity(text.cell, comma, &value, &unit) != good)
		return false;
	points[number] = '\0';
	return !good || (value == strtod(points, NULL) && unit.begin == text.s + number + blanks &&
			 unit.end == text.cell.end);
}

static void quantities(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, i;
	char s[LENGTH] = "";

	for (size_t k = 0; k < 66; k++, s[k - 1] = '1', s[k] = '\0')
		bad += !same_quantity(s, false);
	for (i = 0; i < cases; i++) {
		any_letters(&random, i % 3 ? "15.eE+- %k," : "12345., e%", s);
		if (!same_quantity(s, i % 2)) {
			bad++;
			diag("'%s'", s);
		}
	}
	ok(!bad, "a number and a unit of any %d texts (seed %llu)", cases, (unsigned long long)test_seed());
}

/* ---- cells of a line ----------------------------------------------------------------------------------- */

static void cells(void)
{
	static const char separators[] = {',', ';', '\t', ' '};
	struct ft_random any = {test_seed()}, *random = &any;
	int cases = test_cases(10000), bad = 0, i;

	for (i = 0; i < cases; i++) {
		char separator = separators[i % 4], line[LENGTH] = "", between[2] = {separator};
		const char *want[5], *at;
		size_t n = 1 + ft_random_below(random, 5), k;
		struct text text;
		struct ft__cell cell;

		for (k = 0; k < n; k++) {
			bool quoted = below(random, 4) == 0;

			want[k] = separator == ' ' && !quoted ? ONE_OF("a", "bc", "1.5")
							      : ONE_OF("", "a", "b c", "1.5");
			if (quoted && below(random, 2))
				want[k] = ONE_OF("x, y", "p;q", "u\tv", " w ");
			if (k)
				add(line, separator == ' ' ? ONE_OF(" ", "  ", "\t", " \t ") : between);
			else if (separator != '\t')
				add(line, ONE_OF("", " ", "\t "));
			if (separator != ' ')
				add(line, separator == '\t' ? ONE_OF("", " ") : ONE_OF("", " ", "\t"));
			add(line, quoted ? "\"" : "");
			add(line, want[k]);
			add(line, quoted ? "\"" : "");
			if (separator != ' ')
				add(line, separator == '\t' ? ONE_OF("", " ") : ONE_OF("", " ", "\t "));
		}
		if (separator == ' ')
			add(line, ONE_OF("", " ", "  "));
		at = text_of(&text, line)->begin;
		for (k = 0; k < n && at; k++) {
			at = ft__cell_next(at, text.cell.end, separator, &cell);
			if (strlen(want[k]) != (size_t)(cell.end - cell.begin) ||
			    memcmp(want[k], cell.begin, strlen(want[k])) != 0)
				break;
		}
		bad += k < n || at;
		if (k < n || at)
			diag("'%s': cell %zu of %zu", line, k, n);
	}
	ok(!bad, "%d lines come apart as they were put together", cases);
}

static void empty(void)
{
	static const char *const words[] = {"",  "NaN", "na",   "N/A",  "Null",  "none",
					    "-", "?",   "-nan", "+NaN", "[N/A]", "[Not Supported]"},
				 *const others[] = {"0", "nano", "n", "--", "no", "+", "[n/a", "nul"};
	struct text text;
	int bad = 0;

	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		bad += !ft__cell_empty(*text_of(&text, words[k]));
	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		bad += ft__cell_empty(*text_of(&text, others[k]));
	ok(!bad, "words for nothing, and others");
}

int main(void)
{
	by_hand();
	numbers();
	printed();
	quantities();
	cells();
	empty();
	return done();
}
