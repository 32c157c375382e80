/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.c - cells of a line as numbers and dates, at the speed of reading. */
#include "trace/cells.h"
#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *ft__cell_next(const char *at, const char *end, char separator, struct ft__cell *cell)
{
	while (at < end && (*at == ' ' || (*at == '\t' && separator != '\t')))
		at++;
	bool quoted = at < end && *at == '"';
	at += quoted;
	cell->begin = at;
	if (quoted) {
		const char *close = memchr(at, '"', (size_t)(end - at));

		cell->end = close ? close : end;
		at = close ? close + 1 : end;
	}
	while (at < end && *at != separator && !(separator == ' ' && *at == '\t'))
		at++;
	if (!quoted) {
		cell->end = at;
		while (cell->end > cell->begin && (cell->end[-1] == ' ' || cell->end[-1] == '\t'))
			cell->end--;
	}
	if (separator == ' ')
		while (at + 1 < end && (at[1] == ' ' || at[1] == '\t'))
			at++;
	return at < end && !(separator == ' ' && at + 1 == end) ? at + 1 : NULL;
}

/* What the fast way cannot do exactly. */
static bool slow_number(struct ft__cell cell, double *value)
{
	char text[512];
	size_t length = (size_t)(cell.end - cell.begin);
	const char *end;

	if (!length || length >= sizeof text)
		return false;
	memcpy(text, cell.begin, length);
	text[length] = '\0';
	if (ft__number_scan_signed(text, &end, value))
		return !*end;
	end = text + (*text == '-' || *text == '+');
	*value = *text == '-' ? -INFINITY : INFINITY;
	return !strcasecmp(end, "inf") || !strcasecmp(end, "infinity");
}

/* Digits appended to a number; how many. */
static size_t append_digits(const char **at, const char *end, uint64_t *number)
{
	const char *begin = *at;

	for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
		*number = *number * 10 + (uint64_t)(**at - '0');
	return (size_t)(*at - begin);
}

/* A number of up to 19 digits below 2^53 times a power of ten up to 22 is exact in one rounding (Clinger
 * 1990). */
bool ft__cell_number(struct ft__cell cell, double *value)
{
	static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
				       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const char *at = cell.begin;
	bool negative = at < cell.end && *at == '-', below = false;
	uint64_t mantissa = 0, exponent = 0;
	size_t decimals = 0;

	at += negative || (at < cell.end && *at == '+');
	size_t whole = append_digits(&at, cell.end, &mantissa);
	if (at < cell.end && *at == '.') {
		at++;
		decimals = append_digits(&at, cell.end, &mantissa);
	}
	if (!whole && !decimals)
		return slow_number(cell, value);
	if (at < cell.end && (*at == 'e' || *at == 'E')) {
		at++;
		below = at < cell.end && *at == '-';
		at += below || (at < cell.end && *at == '+');
		if (!append_digits(&at, cell.end, &exponent))
			return false;
	}
	if (at != cell.end)
		return false;
	if (whole + decimals > 19 || mantissa >> 53 || exponent > 400)
		return slow_number(cell, value);
	long scale = (below ? -(long)exponent : (long)exponent) - (long)decimals;
	if (scale < -22 || scale > 22)
		return slow_number(cell, value);
	*value = scale < 0 ? (double)mantissa / power[-scale] : (double)mantissa * power[scale];
	if (negative)
		*value = -*value;
	return true;
}

/* Exactly so many digits; -1 when there are fewer. */
static int take_digits(const char **at, const char *end, int count)
{
	int value = 0;

	for (; count; count--, ++*at) {
		if (*at >= end || **at < '0' || **at > '9')
			return -1;
		value = value * 10 + (**at - '0');
	}
	return value;
}

static bool pass_one(const char **at, const char *end, const char *accepted)
{
	bool found = *at < end && strchr(accepted, **at) && **at;

	*at += found;
	return found;
}

/* Days since 1970 of a date of the Gregorian calendar (Hinnant, chrono-compatible low-level date algorithms).
 */
static int64_t days_since_1970(int64_t year, int month, int day)
{
	int64_t y = year - (month <= 2), era = y / 400, of_era = y - 400 * era;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool is_date(int year, int month, int day)
{
	static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return year >= 1678 && year <= 2261 && month >= 1 && month <= 12 && day >= 1 &&
	       day <= length[month - 1] + (leap && month == 2);
}

/* "Z", "UTC", "+02:00", "+0200", "-05", or nothing: minutes east of Greenwich. */
static bool take_zone(const char **at, const char *end, int *minutes)
{
	int rest = 0;

	*minutes = 0;
	(void)pass_one(at, end, " ");
	if (end - *at == 3 && (!memcmp(*at, "UTC", 3) || !memcmp(*at, "GMT", 3)))
		*at = end;
	if (*at == end || (pass_one(at, end, "Zz") && *at == end))
		return true;
	bool west = *at < end && **at == '-';
	if (!pass_one(at, end, "+-"))
		return false;
	int hours = take_digits(at, end, 2);
	if (*at < end) {
		(void)pass_one(at, end, ":");
		rest = take_digits(at, end, 2);
	}
	*minutes = (60 * hours + rest) * (west ? -1 : 1);
	return hours >= 0 && hours <= 18 && rest >= 0 && rest < 60;
}

bool ft__cell_date(struct ft__cell cell, int64_t *ns)
{
	const char *at = cell.begin, *end = cell.end;
	int year = take_digits(&at, end, 4), month, day, hour = 0, minute = 0, second = 0, zone = 0;
	int64_t unit = 1000000000, fraction = 0;

	*ns = 0;
	if (year < 0)
		return false;
	bool apart = pass_one(&at, end, "-/");
	month = take_digits(&at, end, 2);
	if (month < 0 || apart != pass_one(&at, end, "-/"))
		return false;
	day = take_digits(&at, end, 2);
	if (at < end) {
		if (!pass_one(&at, end, "T t"))
			return false;
		hour = take_digits(&at, end, 2);
		if (!pass_one(&at, end, ":"))
			return false;
		minute = take_digits(&at, end, 2);
		if (pass_one(&at, end, ":"))
			second = take_digits(&at, end, 2);
		if (pass_one(&at, end, ".,"))
			for (; at < end && *at >= '0' && *at <= '9'; at++) {
				unit /= 10;
				fraction += unit * (*at - '0');
			}
		if (!take_zone(&at, end, &zone))
			return false;
	}
	if (at != end || !is_date(year, month, day) || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
	    second < 0 || second > 60)
		return false;
	*ns = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute - zone) * 60000000000 +
	      second * 1000000000LL + fraction;
	return true;
}

bool ft__cell_clock(struct ft__cell cell, double *seconds)
{
	const char *at = cell.begin, *end = cell.end;
	uint64_t hours = 0;
	size_t count = append_digits(&at, end, &hours);
	double rest = 0;

	if (!count || count > 9 || !pass_one(&at, end, ":"))
		return false;
	int minute = take_digits(&at, end, 2);
	if (minute < 0 || !pass_one(&at, end, ":"))
		return false;
	int second = take_digits(&at, end, 2);
	struct ft__cell fraction = (struct ft__cell){at, end};
	if (minute > 59 || second < 0 || second > 60 ||
	    (at < end && (*at != '.' || !ft__cell_number(fraction, &rest))))
		return false;
	*seconds = (double)(hours * 3600) + 60.0 * minute + second + rest;
	return true;
}

/* Where a decimal number at the beginning of a text ends. */
static const char *after_number(const char *at, const char *end)
{
	uint64_t any = 0;

	(void)pass_one(&at, end, "+-");
	(void)append_digits(&at, end, &any);
	if (pass_one(&at, end, "."))
		(void)append_digits(&at, end, &any);
	if (at + 1 < end && (*at == 'e' || *at == 'E')) {
		const char *exponent = at + 1;

		(void)pass_one(&exponent, end, "+-");
		if (append_digits(&exponent, end, &any))
			at = exponent;
	}
	return at;
}

bool ft__cell_quantity(struct ft__cell cell, bool comma, double *value, struct ft__cell *unit)
{
	char text[64], *point;
	size_t length = (size_t)(cell.end - cell.begin), i;
	struct ft__cell number = {text, text};

	if (length >= sizeof text)
		return false;
	memcpy(text, cell.begin, length);
	text[length] = '\0';
	point = comma ? memchr(text, ',', length) : NULL;
	if (point && !memchr(text, '.', length))
		*point = '.';
	number.end = after_number(text, text + length);
	i = (size_t)(number.end - text);
	while (i < length && text[i] == ' ')
		i++;
	*unit = (struct ft__cell){cell.begin + i, cell.end};
	for (; i < length; i++) /* no part of a date, a clock, a name or another number */
		if (strchr("0123456789:,;+-\"", text[i]))
			return false;
	return ft__cell_number(number, value);
}

bool ft__cell_empty(struct ft__cell cell)
{
	static const char *const words[] = {"",  "nan", "na",   "n/a",  "null",  "none",
					    "-", "?",   "-nan", "+nan", "[n/a]", "[not supported]"};
	size_t length = (size_t)(cell.end - cell.begin), i;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && !strncasecmp(words[i], cell.begin, length))
			return true;
	return false;
}
