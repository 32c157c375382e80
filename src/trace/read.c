/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - a trace from a CSV file or stream: rows of a time and a value. */
#include "trace/read.h"
#include "base/alloc.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { QUOTED = 48 }; /* bytes of a cell in a message */

/* A trace being read. */
struct reader {
	struct ft__lines *lines;
	const struct ft_trace_format *format;
	struct ft__raw *raw;
	char separator;
	size_t time, value; /* columns, from 0 */
	bool open_gap;      /* the rows just before had no value */
	double gap_begin;
	bool first; /* no time was read yet */
	int64_t origin_ns;
	double before; /* the time of the row before */
};

/* A cell as it may stand in a message. */
static const char *printable(struct ft__cell cell, char text[QUOTED])
{
	size_t i;

	for (i = 0; i + 4 < QUOTED && cell.begin + i < cell.end; i++)
		text[i] = isprint((unsigned char)cell.begin[i]) ? cell.begin[i] : '?';
	(void)snprintf(text + i, QUOTED - i, "%s", cell.begin + i < cell.end ? "..." : "");
	return text;
}

static enum ft_status fail_cell(const struct reader *r, const char *line, size_t length, size_t column,
				struct ft__cell cell, const char *what, struct ft_err *err)
{
	char text[QUOTED];

	if (memchr(line, '\0', length)) {
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: a zero byte: this is no text", r->lines->name,
			      r->lines->line);
		return ft_remedy(err, "give a CSV file (UTF-8), plain or gzip");
	}
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu: '%s' is %s", r->lines->name, r->lines->line,
		      column + 1, printable(cell, text), what);
	return ft_remedy(
		err, "name the columns with --time and --value; leave a cell empty where nothing is known");
}

/* ---- columns ------------------------------------------------------------------------------------------- */

/* Names of columns of time; numbers first, dates last. */
static const char *const time_names[] = {"t_s",  "time_s",    "elapsed_s", "seconds",  "t",         "elapsed",
					 "time", "timestamp", "ts",        "datetime", "date_time", "date"};
enum { TIME_NAMES = sizeof time_names / sizeof *time_names };

/* The rank of a name among those of time; TIME_NAMES: it is none. */
static size_t time_rank(struct ft__cell cell)
{
	size_t length = (size_t)(cell.end - cell.begin), i;

	for (i = 0; i < TIME_NAMES; i++)
		if (strlen(time_names[i]) == length && !strncasecmp(time_names[i], cell.begin, length))
			break;
	return i;
}

static char find_separator(const char *line, size_t length)
{
	static const char candidate[] = {',', '\t', ';'};
	size_t count[sizeof candidate] = {0}, best = 0, i, k;
	bool quoted = false;

	for (i = 0; i < length; i++) {
		quoted ^= line[i] == '"';
		for (k = 0; k < sizeof candidate; k++)
			count[k] += !quoted && line[i] == candidate[k];
	}
	for (k = 1; k < sizeof candidate; k++)
		if (count[k] > count[best])
			best = k;
	if (!count[best])
		return ' ';
	return candidate[best];
}

static bool get_cell(const struct reader *r, const char *line, size_t length, size_t column,
		     struct ft__cell *cell)
{
	const char *at = line, *end = line + length;
	size_t i;

	for (i = 0; at && i <= column; i++)
		at = ft__cell_next(at, end, r->separator, cell);
	return i > column;
}

static bool is_time(struct ft__cell cell)
{
	double number;
	int64_t ns;

	return ft__cell_number(cell, &number) || ft__cell_date(cell, &ns);
}

/* A header is a line none of whose cells is a time, a number or empty. */
static bool is_header(const struct reader *r, const char *line, size_t length)
{
	struct ft__cell cell;
	size_t i;

	for (i = 0; get_cell(r, line, length, i, &cell); i++)
		if (is_time(cell))
			return false;
	return true;
}

static enum ft_status find_named(const struct reader *r, const char *head, size_t length, const char *name,
				 size_t *column, struct ft_err *err)
{
	struct ft__cell cell;
	size_t i, number = 0, wanted = strlen(name);

	for (i = 0; head && get_cell(r, head, length, i, &cell); i++)
		if ((size_t)(cell.end - cell.begin) == wanted && !strncmp(cell.begin, name, wanted)) {
			*column = i;
			return FT_OK;
		}
	for (i = 0; name[i] >= '0' && name[i] <= '9' && number < 1000000; i++)
		number = 10 * number + (size_t)(name[i] - '0');
	if (number && !name[i]) {
		*column = number - 1;
		return FT_OK;
	}
	(void)ft_fail(err, FT_EPARSE, "'%s' has no column '%s'", r->lines->name, name);
	return ft_remedy(err, "name a column of its header, or give its number, from 1");
}

static void name_column(const struct reader *r, const char *head, size_t length, size_t column, char name[64])
{
	struct ft__cell cell;

	if (head && get_cell(r, head, length, column, &cell))
		(void)snprintf(name, 64, "%.*s", (int)(cell.end - cell.begin), cell.begin);
	else
		(void)snprintf(name, 64, "%zu", column + 1);
}

/* The first column of numbers that are no times; else the first without a value in this row. */
static bool find_value(struct reader *r, const char *head, size_t head_length, const char *row, size_t length)
{
	struct ft__cell cell, name;
	double number;
	size_t i, empty;

	for (empty = 0; empty < 2; empty++)
		for (i = 0; get_cell(r, row, length, i, &cell); i++) {
			if (i == r->time || !(empty ? ft__cell_empty(cell) : ft__cell_number(cell, &number)))
				continue;
			if (head && get_cell(r, head, head_length, i, &name) && time_rank(name) < TIME_NAMES)
				continue;
			r->value = i;
			return true;
		}
	return false;
}

/* The columns of time and value, from the header (NULL: none) and the first row. */
static enum ft_status find_columns(struct reader *r, const char *head, size_t head_length, const char *row,
				   size_t length, struct ft_err *err)
{
	const struct ft_trace_format *format = r->format;
	enum ft_status status = FT_OK;
	size_t best = TIME_NAMES + 1, i;
	struct ft__cell cell, name;

	if (format->time)
		status = find_named(r, head, head_length, format->time, &r->time, err);
	for (i = 0; status == FT_OK && !format->time && get_cell(r, row, length, i, &cell); i++) {
		size_t rank = head && get_cell(r, head, head_length, i, &name) ? time_rank(name) : TIME_NAMES;

		if (is_time(cell) && rank < best) {
			best = rank;
			r->time = i;
		}
	}
	if (status != FT_OK)
		return status;
	if (format->value)
		return find_named(r, head, head_length, format->value, &r->value, err);
	if (find_value(r, head, head_length, row, length))
		return FT_OK;
	if (memchr(row, '\0', length))
		return fail_cell(r, row, length, 0, (struct ft__cell){row, row}, "", err);
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: no column of numbers beside that of the time", r->lines->name,
		      r->lines->line);
	return ft_remedy(
		err, "give a CSV file with a column of times and one of values; name them with --time and "
		     "--value");
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static enum ft_status add_gap(struct reader *r, struct ft_err *err)
{
	struct ft__raw *raw = r->raw;
	struct ft__gap *grown = ft_grow(raw->gap, raw->n_gaps, &raw->gaps_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	raw->gap = grown;
	raw->gap[raw->n_gaps++] = (struct ft__gap){raw->n, r->gap_begin};
	return FT_OK;
}

static enum ft_status add_point(struct reader *r, double t, double y, struct ft_err *err)
{
	struct ft__raw *raw = r->raw;

	if (r->open_gap && raw->n && add_gap(r, err) != FT_OK)
		return FT_ENOMEM;
	r->open_gap = false;
	if (raw->n == raw->capacity) { /* what is not written to takes no memory */
		size_t capacity = raw->capacity ? 2 * raw->capacity : 1024;
		double *times = ft_realloc(raw->t, capacity * sizeof *times), *values;

		if (!times)
			return ft_nomem(err);
		raw->t = times;
		values = ft_realloc(raw->y, capacity * sizeof *values);
		if (!values)
			return ft_nomem(err);
		raw->y = values;
		raw->capacity = capacity;
	}
	raw->t[raw->n] = t;
	raw->y[raw->n++] = y;
	return FT_OK;
}

/* The time of a row, in seconds; of dates since the first. */
static bool read_time(struct reader *r, struct ft__cell cell, double *t)
{
	struct ft_trace *out = r->raw->out;
	int64_t ns, whole;

	if (!out->dated && ft__cell_number(cell, t) && isfinite(*t))
		return true;
	if (!(r->first || out->dated) || !ft__cell_date(cell, &ns))
		return false;
	if (r->first) {
		out->dated = true;
		out->origin_ns = ns;
	}
	whole = (ns - out->origin_ns) / 1000000000; /* apart, so that no digits are lost */
	*t = (double)whole + (double)((ns - out->origin_ns) % 1000000000) / 1e9;
	return true;
}

static enum ft_status fail_order(const struct reader *r, double t, struct ft_err *err)
{
	char now[FT_TRACE_TIME_LENGTH], before[FT_TRACE_TIME_LENGTH];

	(void)ft_fail(err, FT_EINVAL, "%s:%zu: the time %s is %s the row before%s%s", r->lines->name,
		      r->lines->line, ft_trace_time_format(r->raw->out, t, now),
		      t < r->before ? "earlier than that of" : "also that of", t < r->before ? ", " : "",
		      t < r->before ? ft_trace_time_format(r->raw->out, r->before, before) : "");
	if (t < r->before)
		return ft_remedy(err, "sort the rows by time");
	return ft_remedy(err, "keep one row for each time; --steps takes the last one of a time");
}

/* A row that is complete: a value, or the beginning of a gap. */
static enum ft_status take_row(struct reader *r, double t, double y, bool empty, struct ft_err *err)
{
	struct ft__raw *raw = r->raw;
	bool steps = r->format->steps;

	if (!r->first && !(t > r->before)) {
		if (!(steps && t == r->before))
			return fail_order(r, t, err);
		raw->out->same++;
		if (raw->n && raw->t[raw->n - 1] == t)
			raw->n--;
	}
	r->first = false;
	r->before = t;
	raw->end = t;
	raw->out->rows++;
	if (!empty)
		return add_point(r, t, y, err);
	if (steps && r->format->gaps == FT_TRACE_JOIN) {
		raw->held++;
		return FT_OK;
	}
	if (!r->open_gap) {
		r->open_gap = true;
		r->gap_begin = steps || !raw->n ? t : raw->t[raw->n - 1];
	}
	return FT_OK;
}

static enum ft_status read_row(struct reader *r, const char *line, size_t length, bool ended,
			       struct ft_err *err)
{
	struct ft__cell cell = {line, line}, time = cell, value = cell;
	size_t last = r->time > r->value ? r->time : r->value, i;
	const char *at = line, *end = line + length;
	bool empty = false;
	double t, y = 0;

	for (i = 0; at && i <= last; i++) {
		at = ft__cell_next(at, end, r->separator, &cell);
		if (i == r->time)
			time = cell;
		if (i == r->value)
			value = cell;
	}
	if (!ended && (i <= last || r->lines->stream)) {
		r->raw->out->cut = true;
		return FT_OK;
	}
	if (i <= last) {
		if (memchr(line, '\0', length))
			return fail_cell(r, line, length, 0, time, "", err);
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: %zu cell%s, and column %zu is needed", r->lines->name,
			      r->lines->line, i, i == 1 ? "" : "s", last + 1);
		return ft_remedy(err, "give every row as many cells as the first");
	}
	if (!read_time(r, time, &t))
		return fail_cell(r, line, length, r->time, time,
				 r->raw->out->dated ? "not a date like the first" : "not a time", err);
	if (!ft__cell_number(value, &y)) {
		empty = ft__cell_empty(value);
		if (!empty)
			return fail_cell(r, line, length, r->value, value, "not a number", err);
	} else if (isinf(y)) {
		return fail_cell(r, line, length, r->value, value, "infinite", err);
	}
	return take_row(r, t, y, empty, err);
}

static bool is_passed_over(const char *line, size_t length)
{
	size_t i;

	if (length && line[0] == '#')
		return true;
	for (i = 0; i < length; i++)
		if (line[i] != ' ' && line[i] != '\t')
			return false;
	return true;
}

/* The header, when there is one, and the first row settle what the rest is. */
static enum ft_status read_head(struct reader *r, struct ft_err *err)
{
	const char *line = NULL, *row = NULL;
	char *head = NULL;
	size_t length = 0, head_length = 0;
	bool ended = true;
	enum ft_status status;

	do
		status = ft__lines_next(r->lines, &line, &length, &ended, err);
	while (status == FT_OK && is_passed_over(line, length));
	if (status == FT_OK) {
		r->separator = find_separator(line, length);
		row = line;
		if (is_header(r, line, length)) {
			head_length = length;
			head = ft_malloc(length + 1);
			if (!head)
				return ft_nomem(err);
			memcpy(head, line, length);
			do
				status = ft__lines_next(r->lines, &row, &length, &ended, err);
			while (status == FT_OK && is_passed_over(row, length));
		}
	}
	if (status == FT_OK)
		status = find_columns(r, head, head_length, row, length, err);
	if (status == FT_OK) {
		name_column(r, head, head_length, r->time, r->raw->out->time_column);
		name_column(r, head, head_length, r->value, r->raw->out->value_column);
		status = read_row(r, row, length, ended, err);
	}
	ft_free(head);
	return status;
}

enum ft_status ft__read_rows(struct ft__raw *raw, struct ft__lines *lines,
			     const struct ft_trace_format *format, struct ft_err *err)
{
	struct reader r = {.lines = lines, .format = format, .raw = raw, .first = true};
	enum ft_status status = read_head(&r, err);

	while (status == FT_OK) {
		const char *line;
		size_t length;
		bool ended;

		status = ft__lines_next(r.lines, &line, &length, &ended, err);
		if (status == FT_OK && (!length || line[0] == '#' || line[0] == ' ' || line[0] == '\t') &&
		    is_passed_over(line, length))
			continue;
		if (status == FT_OK)
			status = read_row(&r, line, length, ended, err);
	}
	raw->out->bytes = r.lines->bytes;
	raw->ends_in_gap = r.open_gap;
	if (r.open_gap)
		raw->end = r.gap_begin;
	return status == FT_EEND ? FT_OK : status;
}
