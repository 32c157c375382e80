/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c - plain decimal numbers, independent of the locale. */
#include "base/number.h"
#include "foretime/base.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A program that uses the library may have set a locale with a decimal comma, so both directions name the C
 * locale. newlocale gives a static object for it (glibc): no allocation, a few nanoseconds. */
static locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double to_double(const char *text)
{
	locale_t c = c_locale();

	if (!c)
		return strtod(text, NULL);
	double value = strtod_l(text, NULL, c);
	freelocale(c);
	return value;
}

void ft__double_print(char *buffer, size_t size, int precision, char conversion, double value)
{
	locale_t c = c_locale();
	locale_t before = c ? uselocale(c) : (locale_t)0;

	if (conversion == 'g')
		(void)snprintf(buffer, size, "%.*g", precision, value);
	else if (conversion == 'e')
		(void)snprintf(buffer, size, "%.*e", precision, value);
	else
		(void)snprintf(buffer, size, "%.*f", precision, value);
	if (c) {
		(void)uselocale(before);
		freelocale(c);
	}
}

static const char *skip_digits(const char *text)
{
	while (*text >= '0' && *text <= '9')
		text++;
	return text;
}

bool ft__whole_scan(const char *text, const char **end, double *value)
{
	*end = skip_digits(text);
	*value = 0;
	if (*end == text)
		return false;
	for (; text < *end; text++) /* exact to 2^53: enough for hours and minutes */
		*value = *value * 10 + (*text - '0');
	return true;
}

/* Digits and an optional point, as in most numbers of tables: digits up to 2^53 and powers of ten up to
 * 10^22 are exact as doubles, so that one division rounds as strtod does (Clinger 1990, How to read
 * floating point numbers accurately). False: another form. */
static bool scan_short(const char *text, const char *last, double *value)
{
	uint64_t digits = 0;
	double power = 1;
	bool point = false;

	if (last - text > 16 || FLT_EVAL_METHOD != 0)
		return false;
	for (; text < last; text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			return false;
		digits = digits * 10 + (uint64_t)(*text - '0');
		power *= point ? 10 : 1;
	}
	*value = (double)digits / power;
	return digits <= (uint64_t)1 << 53;
}

bool ft__number_scan(const char *text, const char **end, double *value)
{
	const char *whole = skip_digits(text), *last = whole;

	*end = text;
	*value = 0;
	if (*whole == '.')
		last = skip_digits(whole + 1);
	if (last - text == (*whole == '.')) /* no digit at all */
		return false;
	if (*last == 'e' || *last == 'E') {
		const char *sign = last + 1 + (last[1] == '+' || last[1] == '-');

		if (skip_digits(sign) > sign)
			last = skip_digits(sign);
	}
	*end = last;
	if (scan_short(text, last, value))
		return true;
	/* strtod finds the same end, but for "0x10": there the number is 0. */
	*value = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 0 : to_double(text);
	return true;
}

bool ft__number_scan_signed(const char *text, const char **end, double *value)
{
	bool minus = *text == '-';

	if (!ft__number_scan(text + (minus || *text == '+'), end, value)) {
		*end = text;
		return false;
	}
	if (minus)
		*value = -*value;
	return true;
}

bool ft__number_scan_grouped(const char *text, const char **end, double *value, struct ft__groups *groups)
{
	const char *first = text + (*text == '-' || *text == '+'), *at = skip_digits(first), *last;
	const char mark = *at;
	char digits[64];
	size_t n = (size_t)(at - first);

	*groups = (struct ft__groups){0};
	if ((mark != ',' && mark != '_') || n < 1 || n > 3 || *first == '0')
		return ft__number_scan_signed(text, end, value);
	memcpy(digits, first, n);
	for (; *at == mark && n < sizeof digits - 3; at += 4, n += 3) {
		if (skip_digits(at + 1) != at + 4)
			break;
		memcpy(digits + n, at + 1, 3);
		groups->commas += mark == ',';
		groups->zero = groups->zero || (mark == ',' && at[1] == '0');
	}
	*end = text;
	*value = 0;
	if (*at == ',' || *at == '_') /* a group of another length, another mark, or far too many */
		return false;
	/* The rest, a point or an exponent, behind the digits without marks. */
	(void)snprintf(digits + n, sizeof digits - n, "%.24s", at);
	(void)ft__number_scan(digits, &last, value);
	*value = *text == '-' ? -*value : *value;
	*end = at + (last - (digits + n));
	return true;
}

bool ft__commas_group(const char *text)
{
	while ((text = strchr(text, ',')))
		if (*++text == '0' && text[1] >= '0' && text[1] <= '9')
			return true;
	return false;
}

char *ft_number_format(double value, char buffer[FT_NUMBER_LENGTH])
{
	if (!isfinite(value)) {
		(void)snprintf(buffer, FT_NUMBER_LENGTH, "%s",
			       isnan(value) ? "nan"
			       : value > 0  ? "inf"
					    : "-inf");
		return buffer;
	}
	if (fabs(value) <= 0x1p53 && value == trunc(value)) {
		(void)snprintf(buffer, FT_NUMBER_LENGTH, "%s%" PRId64, signbit(value) ? "-" : "",
			       (int64_t)fabs(value));
		return buffer;
	}
	for (int precision = 15; precision <= 17; precision++) {
		ft__double_print(buffer, FT_NUMBER_LENGTH, precision, 'g', value);
		if (to_double(buffer) == value)
			break;
	}
	return buffer;
}

/*
 * Moments of the wall clock, written and read.
 */

enum { NS_PER_S = 1000000000 };

char *ft__moment_format(int64_t ns, char buffer[FT__MOMENT_LENGTH])
{
	int64_t rest = ns % NS_PER_S;
	time_t seconds = (time_t)(ns / NS_PER_S - (rest < 0));
	struct tm tm;

	buffer[0] = '\0';
	if (!ns || !gmtime_r(&seconds, &tm))
		return buffer;
	size_t length = strftime(buffer, FT__MOMENT_LENGTH, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(buffer + length, FT__MOMENT_LENGTH - length, ".%09dZ",
		       (int)(rest < 0 ? rest + NS_PER_S : rest));
	return buffer;
}

/* Parse this many digits; -1 when there are fewer. */
static int take_digits(const char **at, int digits)
{
	int value = 0;

	for (; digits; digits--, ++*at) {
		if (**at < '0' || **at > '9')
			return -1;
		value = value * 10 + (**at - '0');
	}
	return value;
}

/* One of some bytes. */
static bool take_byte(const char **at, const char *accepted)
{
	bool found = **at && strchr(accepted, **at);

	*at += found;
	return found;
}

/* ".123": at most nine decimals; without any 0. */
static bool take_fraction(const char **at, int64_t *ns)
{
	int64_t unit = NS_PER_S;

	*ns = 0;
	if (!take_byte(at, "."))
		return true;
	for (; **at >= '0' && **at <= '9'; ++*at) {
		unit /= 10;
		*ns += unit * (**at - '0');
		if (!unit)
			return false;
	}
	return unit < NS_PER_S;
}

bool ft__moment_parse(const char *text, int64_t *ns)
{
	static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
	int64_t fraction;

	*ns = 0;
	const int year = take_digits(&text, 4);
	if (year < 1678 || year > 2261 || !take_byte(&text, "-")) /* the range of int64_t in ns */
		return false;
	const int month = take_digits(&text, 2);
	if (month < 1 || month > 12 || !take_byte(&text, "-"))
		return false;
	const int day = take_digits(&text, 2);
	if (!take_byte(&text, "T "))
		return false;
	const int hour = take_digits(&text, 2);
	if (!take_byte(&text, ":"))
		return false;
	const int minute = take_digits(&text, 2);
	if (!take_byte(&text, ":"))
		return false;
	const int second = take_digits(&text, 2);
	if (!take_fraction(&text, &fraction) || (take_byte(&text, "Z"), *text))
		return false;
	const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	if (day < 1 || day > before[month] - before[month - 1] + (leap && month == 2) || hour < 0 ||
	    hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
		return false;
	const int past = year - 1; /* whole years */
	const int64_t days = 365 * (int64_t)(year - 1970) + past / 4 - past / 100 + past / 400 - 477 +
			     before[month - 1] + (leap && month > 2) + day - 1;
	*ns = ((days * 24 + hour) * 60 + minute) * 60 * NS_PER_S + second * (int64_t)NS_PER_S + fraction;
	return true;
}
