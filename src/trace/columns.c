/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - the columns of a table of times and values, found from its header and its first row. */
#include "base/number.h"
#include "trace/trace.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * Cells of a line as numbers and dates, at the speed of reading.
 */

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

static bool cells_is_date(int year, int month, int day)
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
	if (at != end || !cells_is_date(year, month, day) || hour < 0 || hour > 23 || minute < 0 ||
	    minute > 59 || second < 0 || second > 60)
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
	/* Where a decimal number at the beginning of a text ends. */
	const char *at = text, *end = text + length;
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
	number.end = at;
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

/*
 * The columns of a table of times and values, found from its header and its first row.
 */

/* Names of columns of time; numbers first, dates last. */
static const char *const time_names[] = {"t_s",       "time_s",    "elapsed_s", "seconds", "t",
					 "elapsed",   "time",      "timestamp", "ts",      "datetime",
					 "date_time", "date time", "date"};
enum { TIME_NAMES = sizeof time_names / sizeof *time_names, IN_SECONDS = 4 };

/* Names of columns of numbers that are no measurement. */
static const char *const label_names[] = {"interval", "uid", "pid", "tid", "tgid", "index", "id"};
enum { LABEL_NAMES = sizeof label_names / sizeof *label_names };

const char *ft__cell_printable(struct ft__cell cell, char text[FT__CELL_TEXT])
{
	size_t i;

	for (i = 0; i + 4 < FT__CELL_TEXT && cell.begin + i < cell.end; i++)
		text[i] = isprint((unsigned char)cell.begin[i]) ? cell.begin[i] : '?';
	(void)snprintf(text + i, FT__CELL_TEXT - i, "%s", cell.begin + i < cell.end ? "..." : "");
	return text;
}

/* The rank of a name in a list; `count`: it is not there. */
static size_t rank_in(const char *const *names, size_t count, struct ft__cell cell)
{
	size_t length = (size_t)(cell.end - cell.begin), i;

	for (i = 0; i < count; i++)
		if (strlen(names[i]) == length && !strncasecmp(names[i], cell.begin, length))
			break;
	return i;
}

/* The most frequent of comma, tab and semicolon; commas within numbers count only if there is no other. */
static char find_separator(struct ft__text_line line)
{
	size_t commas = 0, decimal = 0, tabs = 0, semicolons = 0;
	bool quoted = false;

	for (size_t i = 0; i < line.length; i++) {
		char c = line.text[i];

		quoted ^= c == '"';
		if (quoted)
			continue;
		tabs += c == '\t';
		semicolons += c == ';';
		commas += c == ',';
		decimal += c == ',' && i && i + 1 < line.length && isdigit((unsigned char)line.text[i - 1]) &&
			   isdigit((unsigned char)line.text[i + 1]);
	}
	if (tabs || semicolons)
		commas -= decimal;
	if (!commas && !tabs && !semicolons)
		return ' ';
	if (commas >= tabs && commas >= semicolons)
		return ',';
	return tabs >= semicolons ? '\t' : ';';
}

/* The cells of a line, one after another. */
struct cells {
	const char *at, *end; /* at: NULL past the last */
	char separator;
};

static struct cells cells_of(char separator, struct ft__text_line line)
{
	/* An empty one has no text. */
	return (struct cells){line.text, line.text ? line.text + line.length : NULL, separator};
}

static bool next_cell(struct cells *cells, struct ft__cell *cell)
{
	if (!cells->at)
		return false;
	cells->at = ft__cell_next(cells->at, cells->end, cells->separator, cell);
	return true;
}

static bool get_cell(char separator, struct ft__text_line line, size_t column, struct ft__cell *cell)
{
	struct cells cells = cells_of(separator, line);
	size_t i = 0;

	while (next_cell(&cells, cell))
		if (i++ == column)
			return true;
	return false;
}

static size_t count_cells(char separator, struct ft__text_line line)
{
	struct cells cells = cells_of(separator, line);
	struct ft__cell cell;
	size_t n = 0;

	while (next_cell(&cells, &cell))
		n++;
	return n;
}

static bool is_clock(struct ft__cell cell)
{
	double seconds;

	return ft__cell_clock(cell, &seconds);
}

static bool is_date(struct ft__cell cell)
{
	int64_t ns;

	return ft__cell_date(cell, &ns);
}

/* A number; its decimals behind a comma where that is not the separator. */
static bool is_number(char separator, struct ft__cell cell)
{
	struct ft__cell unit;
	double number;

	if (ft__cell_number(cell, &number))
		return true;
	return ft__cell_quantity(cell, separator == ';', &number, &unit) && unit.begin == unit.end;
}

static bool is_time(char separator, struct ft__cell cell)
{
	return is_number(separator, cell) || is_date(cell) || is_clock(cell);
}

bool ft__columns_head(struct ft__text_line line, const struct ft__text_line *row)
{
	char separator = find_separator(row ? *row : line);
	struct cells cells = cells_of(separator, line);
	struct ft__cell cell;

	if (row && (count_cells(separator, line) < 2 ||
		    count_cells(separator, line) != count_cells(separator, *row)))
		return false;
	while (next_cell(&cells, &cell))
		if (is_time(separator, cell))
			return false;
	return true;
}

void ft__columns_name(const struct ft__columns *c, struct ft__text_line head, size_t column, char name[64])
{
	struct ft__cell cell;

	if (get_cell(c->separator, head, column, &cell))
		(void)snprintf(name, 64, "%.*s", (int)(cell.end - cell.begin), cell.begin);
	else
		(void)snprintf(name, 64, "%zu", column + 1);
}

/* A column by its name or number. */
static bool find_named(const struct ft__columns *c, struct ft__text_line head, const char *name,
		       size_t *column)
{
	struct cells cells = cells_of(c->separator, head);
	struct ft__cell cell;
	size_t i, number = 0, wanted = strlen(name);

	for (i = 0; next_cell(&cells, &cell); i++)
		if ((size_t)(cell.end - cell.begin) == wanted && !strncmp(cell.begin, name, wanted)) {
			*column = i;
			return true;
		}
	for (i = 0; name[i] >= '0' && name[i] <= '9' && number < 1000000; i++)
		number = 10 * number + (size_t)(name[i] - '0');
	*column = number - 1;
	return number && !name[i];
}

/* Of the columns of times that whose name ranks first. Returns false when there is none, or one that has its
 * name holds something else; that is then c->time. */
static bool find_time(struct ft__columns *c, struct ft__text_line head, struct ft__text_line row)
{
	struct cells cells = cells_of(c->separator, row), names = cells_of(c->separator, head);
	size_t best = TIME_NAMES + 1, strange = TIME_NAMES, at = 0;
	struct ft__cell cell, name;

	for (size_t i = 0; next_cell(&cells, &cell); i++) {
		size_t rank = next_cell(&names, &name) ? rank_in(time_names, TIME_NAMES, name) : TIME_NAMES;

		if (!is_time(c->separator, cell)) {
			at = rank < strange ? i : at;
			strange = rank < strange ? rank : strange;
		} else if (rank < best) {
			best = rank;
			c->time = i;
		}
	}
	if (best == TIME_NAMES && strange == TIME_NAMES)
		return true;
	if (best >= TIME_NAMES)
		c->time = at;
	return best < TIME_NAMES;
}

/* Whole numbers that are moments from 2000 to 2100 in milliseconds, microseconds or nanoseconds; 0: they are
 * not. */
static int64_t count_of(struct ft__cell cell)
{
	double number;

	for (const char *at = cell.begin; at < cell.end; at++)
		if (!isdigit((unsigned char)*at))
			return 0;
	if (!ft__cell_number(cell, &number))
		return 0;
	for (int64_t unit = 1000000; unit; unit /= 1000)
		if (number * (double)unit >= 9.46e17 && number * (double)unit < 4.1e18)
			return unit;
	return 0;
}

/* The format of the column's times. A date next to a clock column is combined with it. */
static void find_form(struct ft__columns *c, struct ft__text_line head, struct ft__text_line row)
{
	struct ft__cell cell = {NULL, NULL}, other, name;
	size_t rank = get_cell(c->separator, head, c->time, &name) ? rank_in(time_names, TIME_NAMES, name)
								   : TIME_NAMES;

	(void)get_cell(c->separator, row, c->time, &cell);
	c->form = FT__TIME_NUMBER;
	if (is_clock(cell)) {
		c->form = FT__TIME_CLOCK;
		if (c->time && get_cell(c->separator, row, c->time - 1, &other) && is_date(other)) {
			c->form = FT__TIME_DATE_CLOCK;
			c->time--;
		}
	} else if (is_date(cell)) {
		if (get_cell(c->separator, row, c->time + 1, &other) && is_clock(other) &&
		    !memchr(cell.begin, ':', (size_t)(cell.end - cell.begin)))
			c->form = FT__TIME_DATE_CLOCK;
		else if (!is_number(c->separator, cell) || rank + 1 == TIME_NAMES)
			c->form = FT__TIME_DATE;
	} else if (rank >= IN_SECONDS) {
		c->count_ns = count_of(cell);
		c->form = c->count_ns ? FT__TIME_COUNT : FT__TIME_NUMBER;
	}
}

/* The first column of numbers that is neither a time nor, if possible, a label; else the first column
 * without a value in this row. */
static bool find_value(struct ft__columns *c, struct ft__text_line head, struct ft__text_line row)
{
	size_t last = c->time + (c->form == FT__TIME_DATE_CLOCK), i;
	struct ft__cell cell, name, unit;
	double number;

	for (int pass = 0; pass < 3; pass++) {
		struct cells cells = cells_of(c->separator, row), names = cells_of(c->separator, head);

		for (i = 0; next_cell(&cells, &cell); i++) {
			bool named = next_cell(&names, &name);

			if ((i >= c->time && i <= last) ||
			    !(pass == 2 ? ft__cell_empty(cell)
					: ft__cell_quantity(cell, c->separator == ';', &number, &unit)))
				continue;
			if (named && (rank_in(time_names, TIME_NAMES, name) < TIME_NAMES ||
				      (!pass && rank_in(label_names, LABEL_NAMES, name) < LABEL_NAMES)))
				continue;
			c->value = i;
			return true;
		}
	}
	return false;
}

/* What is missing, in words. */
static enum ft_status fail_columns(const struct ft__columns *c, const char *name, size_t line,
				   struct ft__text_line row, bool timed, struct ft_err *err)
{
	char text[FT__CELL_TEXT];
	struct ft__cell cell = {row.text, row.text + row.length};

	if (memchr(row.text, '\0', row.length)) {
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: a zero byte: this is no text", name, line);
		return ft_remedy(err, "give a CSV file (UTF-8), plain or gzip");
	}
	(void)get_cell(c->separator, row, c->time, &cell);
	if (!timed) {
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu: '%s' is no time", name, line, c->time + 1,
			      ft__cell_printable(cell, text));
		return ft_remedy(err,
				 "write times as seconds, hh:mm:ss or 2026-01-31T12:00:00; of sar: sadf -d");
	}
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: no column of numbers besides that of the time, '%s'", name,
		      line, ft__cell_printable(cell, text));
	return ft_remedy(err,
			 "give a column of times and one of values, a point before the decimals and nothing "
			 "between thousands; name them with --value COLUMN,time=COLUMN");
}

enum ft_status ft__columns_find(struct ft__columns *c, const struct ft_trace_format *format, const char *name,
				size_t line, struct ft__text_line head, struct ft__text_line row,
				struct ft_err *err)
{
	const char *missing = NULL;

	*c = (struct ft__columns){.separator = find_separator(head.text ? head : row)};
	if (format->time && !find_named(c, head, format->time, &c->time))
		missing = format->time;
	if (!format->time && !find_time(c, head, row))
		return fail_columns(c, name, line, row, false, err);
	if (!missing)
		find_form(c, head, row);
	if (!missing && format->value && !find_named(c, head, format->value, &c->value))
		missing = format->value;
	if (missing) {
		(void)ft_fail(err, FT_EPARSE, "'%s' has no column '%s'", name, missing);
		return ft_remedy(err, "name a column of its header, or give its number, from 1");
	}
	if (!format->value && !find_value(c, head, row))
		return fail_columns(c, name, line, row, true, err);
	return FT_OK;
}
