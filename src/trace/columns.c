/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - the columns of a table of times and values, found from its header and its first row. */
#include "trace/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* The comma, tab or semicolon that there is most of; commas within numbers do not count beside the others. */
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

/* How the times of the column are written. A date beside a clock makes one of both. */
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

/* The first column of numbers that are no times, nor labels if there are others; else the first without a
 * value in this row. */
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
