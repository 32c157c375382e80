/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - a trace from a CSV file or stream: rows of a time and a value. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Several columns of one file, with the same times.
 */

/* What a column's times are later than those of the first by. */
static double shift_of(const struct ft_trace *trace, size_t k)
{
	return trace->dated ? (double)(trace[k].origin_ns - trace->origin_ns) / 1e9 : 0;
}

static bool are_same(const struct ft_trace *trace, size_t m)
{
	for (size_t k = 1; k < m; k++)
		if (trace[k].n != trace->n || shift_of(trace, k) != 0 ||
		    memcmp(trace[k].t, trace->t, trace->n * sizeof *trace->t) != 0)
			return false;
	return true;
}

/* The times of all within [begin, end], once each. */
static size_t collect_times(const struct ft_trace *trace, size_t m, double begin, double end, double *t)
{
	size_t n = 0, kept = 0;

	for (size_t k = 0; k < m; k++)
		for (size_t i = 0; i < trace[k].n; i++) {
			double at = trace[k].t[i] + shift_of(trace, k);

			if (at >= begin && at <= end)
				t[n++] = at;
		}
	ft_sort(t, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || t[i] > t[kept - 1])
			t[kept++] = t[i];
	return kept;
}

static enum ft_status share_times(struct ft_trace *trace, size_t m, double begin, double end,
				  struct ft_err *err)
{
	double **made = ft_calloc(2 * m, sizeof *made);
	size_t all = 0, n = 0;
	bool good = made;

	for (size_t k = 0; k < m; k++)
		all += trace[k].n;
	for (size_t k = 0; good && k < m; k++) {
		made[2 * k] = ft_malloc(all * sizeof **made);
		made[2 * k + 1] = ft_malloc(all * sizeof **made);
		good = made[2 * k] && made[2 * k + 1];
		if (!good)
			break;
		if (k)
			memcpy(made[2 * k], made[0], n * sizeof **made);
		else
			n = collect_times(trace, m, begin, end, made[0]);
		/* The values of a curve at ascending times within it. */
		double later = shift_of(trace, k);
		double *y = made[2 * k + 1];
		size_t at = 0;

		for (size_t i = 0; i < n; i++) {
			double x = made[0][i] - later;

			while (at + 2 < trace[k].n && trace[k].t[at + 1] <= x)
				at++;
			y[i] = ft_line_within(x, trace[k].t[at], trace[k].y[at], trace[k].t[at + 1],
					      trace[k].y[at + 1]);
		}
	}
	if (good) {
		/* [m + 1][n] the times, then the values of each. */
		for (size_t l = 0; l < m; l++) {
			ft_free(trace[l].t);
			ft_free(trace[l].y);
			trace[l].t = made[2 * l];
			trace[l].y = made[2 * l + 1];
			trace[l].n = n;
			trace[l].part[1] = n;
			trace[l].origin_ns = trace->origin_ns;
		}
	}
	for (size_t k = 0; made && !good && k < 2 * m; k++)
		ft_free(made[k]);
	ft_free(made);
	return good ? FT_OK : ft_nomem(err);
}

enum ft_status ft_traces_meet(struct ft_trace *trace, size_t m, struct ft_err *err)
{
	double begin = -INFINITY, end = INFINITY;

	for (size_t k = 0; k < m; k++) {
		if (trace[k].n_parts != 1) {
			(void)ft_fail(err, FT_EINVAL, "column %s is in parts", trace[k].value_column);
			(void)ft_remedy(err, "join the parts, or take one column at a time");
			return FT_EINVAL;
		}
		begin = fmax(begin, trace[k].t[0] + shift_of(trace, k));
		end = fmin(end, trace[k].t[trace[k].n - 1] + shift_of(trace, k));
	}
	if (!(begin < end)) {
		(void)ft_fail(err, FT_EINVAL, "columns %s and %s have no time in common", trace->value_column,
			      trace[m - 1].value_column);
		(void)ft_remedy(err, "take columns that have values at the same times");
		return FT_EINVAL;
	}
	return are_same(trace, m) ? FT_OK : share_times(trace, m, begin, end, err);
}

/*
 * A trace from a CSV file or stream: rows of a time and a value.
 */

static const double DAY_S = 86400, HOUR_S = 3600;
static const uint64_t SECOND_NS = 1000000000;

/* A trace being read. */
struct read_reader {
	struct ft_input *input;
	const struct ft_trace_format *format;
	struct ft__raw *raw;
	struct ft__columns columns;
	char unit[FT__CELL_TEXT]; /* behind the first value: "%", "MiB" */
	char *head;               /* heap; NULL: there is no header */
	size_t head_length;
	bool open_gap; /* the rows just before had no value */
	double gap_begin;
	bool first; /* no time was read yet */
	bool mprof; /* its lines say what they are: "MEM 3.15 1795999067.05" */
	int64_t origin_ns;
	double before; /* the time of the row before */
	double day;    /* of clocks: what the days so far add */
};

static enum ft_status fail_cell(const struct read_reader *r, const char *line, size_t length, size_t column,
				struct ft__cell cell, const char *what, struct ft_err *err)
{
	char text[FT__CELL_TEXT];

	if (memchr(line, '\0', length)) {
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: a zero byte: this is no text",
			      ft__input_name(r->input), ft__input_number(r->input));
		return ft_remedy(err, "give a CSV file (UTF-8), plain or gzip");
	}
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu: '%s' is %s", ft__input_name(r->input),
		      ft__input_number(r->input), column + 1, ft__cell_printable(cell, text), what);
	return ft_remedy(err, "name the columns with --value COLUMN,time=COLUMN; leave a cell empty if its "
			      "value is not known");
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static enum ft_status add_gap(struct read_reader *r, struct ft_err *err)
{
	struct ft__raw *raw = r->raw;
	struct ft__gap *grown = ft_grow(raw->gap, raw->n_gaps, &raw->gaps_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	raw->gap = grown;
	raw->gap[raw->n_gaps++] = (struct ft__gap){raw->n, r->gap_begin};
	return FT_OK;
}

static enum ft_status add_point(struct read_reader *r, double t, double y, struct ft_err *err)
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

/* A moment, in nanoseconds since 1970. */
static bool read_moment(const struct ft__columns *c, struct ft__cell cell, struct ft__cell clock, int64_t *ns)
{
	double seconds;

	if (c->form == FT__TIME_COUNT) {
		for (*ns = 0; cell.begin < cell.end && *cell.begin >= '0' && *cell.begin <= '9'; cell.begin++)
			if (*ns < INT64_MAX / 10 / c->count_ns)
				*ns = *ns * 10 + (*cell.begin - '0');
		*ns *= c->count_ns;
		return cell.begin == cell.end;
	}
	if (!ft__cell_date(cell, ns))
		return false;
	if (c->form == FT__TIME_DATE_CLOCK) {
		if (!ft__cell_clock(clock, &seconds) || seconds > DAY_S)
			return false;
		*ns += llround(seconds * 1e9);
	}
	return true;
}

/* Seconds and the rest apart, so that no digits are lost, and without a sign, for which there is no room. */
static double seconds_between(int64_t from_ns, int64_t to_ns)
{
	bool back = to_ns < from_ns;
	uint64_t from = (uint64_t)from_ns, to = (uint64_t)to_ns, ns = back ? from - to : to - from;
	uint64_t whole = ns / SECOND_NS;
	double seconds = (double)whole + (double)(ns % SECOND_NS) / 1e9;

	return back ? -seconds : seconds;
}

/* The time of a row, in seconds; of dates since the first. Clocks without a date begin a new day where they
 * fall back by more than half a one. */
static bool read_time(struct read_reader *r, struct ft__cell cell, struct ft__cell clock, double *t)
{
	struct ft_trace *out = r->raw->out;
	struct ft__cell unit;
	int64_t ns;

	if (r->columns.form == FT__TIME_NUMBER)
		return (ft__cell_number(cell, t) ||
			(r->columns.separator == ';' && ft__cell_quantity(cell, true, t, &unit) &&
			 unit.begin == unit.end)) &&
		       isfinite(*t);
	if (r->columns.form == FT__TIME_CLOCK) {
		if (!ft__cell_clock(cell, t))
			return false;
		if (*t + r->day < r->before - DAY_S / 2)
			r->day += DAY_S;
		*t += r->day;
		return true;
	}
	if (!read_moment(&r->columns, cell, clock, &ns))
		return false;
	if (r->first) {
		out->dated = true;
		out->origin_ns = ns;
	}
	*t = seconds_between(out->origin_ns, ns);
	return true;
}

/* The last row with a value: the gap that it ended goes on. */
static void drop_last(struct read_reader *r)
{
	struct ft__raw *raw = r->raw;

	raw->n--;
	if (!raw->n_gaps || raw->gap[raw->n_gaps - 1].before != raw->n)
		return;
	r->gap_begin = raw->gap[--raw->n_gaps].begin;
	r->open_gap = true;
}

/* A row that is complete: a value, or the beginning of a gap. */
static enum ft_status take_trace_row(struct read_reader *r, double t, double y, bool empty,
				     struct ft_err *err)
{
	struct ft__raw *raw = r->raw;
	bool steps = r->format->steps;

	if (!r->first && !(t > r->before)) {
		if (!(steps && t == r->before)) {
			char now[FT_TRACE_TIME_LENGTH], before[FT_TRACE_TIME_LENGTH];

			(void)ft_fail(err, FT_EINVAL, "%s:%zu: the time %s is %s the row before%s%s",
				      ft__input_name(r->input), ft__input_number(r->input),
				      ft_trace_time_format(r->raw->out, t, now),
				      t < r->before ? "earlier than that of" : "also that of",
				      t < r->before ? ", " : "",
				      t < r->before ? ft_trace_time_format(r->raw->out, r->before, before)
						    : "");
			if (t < r->before && r->raw->out->dated && t >= r->before - HOUR_S)
				return ft_remedy(err, "sort the rows by time; where summer time ends, write "
						      "UTC or the zone, as 2026-10-25T02:30:00+01:00");
			if (t < r->before)
				return ft_remedy(err, "sort the rows by time");
			return ft_remedy(
				err, "keep one row for each time; --value hold takes the last one of a time");
		}
		raw->out->same++;
		if (raw->n && raw->t[raw->n - 1] == t)
			drop_last(r);
	}
	r->first = false;
	r->before = t;
	raw->end = t;
	raw->out->rows++;
	if (!empty && steps && r->open_gap && r->gap_begin == t)
		r->open_gap = false; /* the last row of a time counts */
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

/* A value in the unit of the first; false: it is none. */
static bool read_value(struct read_reader *r, struct ft__cell cell, double *y)
{
	struct ft__cell unit;

	if (ft__cell_number(cell, y))
		return true;
	if (!ft__cell_quantity(cell, r->columns.separator == ';', y, &unit))
		return false;
	size_t length = (size_t)(unit.end - unit.begin);
	if (!r->raw->n)
		(void)snprintf(r->unit, sizeof r->unit, "%.*s", (int)length, unit.begin);
	return strlen(r->unit) == length && !memcmp(r->unit, unit.begin, length);
}

static enum ft_status read_row(struct read_reader *r, const char *line, size_t length, bool ended,
			       struct ft_err *err)
{
	struct ft__cell cell = {line, line}, time = cell, clock = cell, value = cell;
	size_t last_time = r->columns.time + (r->columns.form == FT__TIME_DATE_CLOCK);
	size_t last = last_time > r->columns.value ? last_time : r->columns.value, i;
	const char *at = line, *end = line + length;
	bool empty = false;
	double t, y = 0;

	for (i = 0; at && i <= last; i++) {
		at = ft__cell_next(at, end, r->columns.separator, &cell);
		if (i == r->columns.time)
			time = cell;
		if (i == r->columns.time + 1)
			clock = cell;
		if (i == r->columns.value)
			value = cell;
	}
	if (!ended && (i <= last || r->raw->stream)) {
		r->raw->out->cut = true;
		return FT_OK;
	}
	if (r->head && length == r->head_length &&
	    !memcmp(line, r->head, length)) /* files one behind the other */
		return FT_OK;
	if (i <= last) {
		if (memchr(line, '\0', length))
			return fail_cell(r, line, length, 0, (struct ft__cell){line, line}, "", err);
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: %zu cell%s, and column %zu is needed",
			      ft__input_name(r->input), ft__input_number(r->input), i, i == 1 ? "" : "s",
			      (last + 1));
		return ft_remedy(err, "give every row as many cells as the first");
	}
	if (!read_time(r, time, clock, &t))
		return fail_cell(r, line, length, r->columns.time, time,
				 r->raw->out->dated ? "not a date like the first" : "not a time", err);
	if (!read_value(r, value, &y)) {
		empty = ft__cell_empty(value);
		if (!empty) {
			struct ft__cell unit;
			char text[2 * FT__CELL_TEXT];
			double number;

			if (!ft__cell_quantity(value, r->columns.separator == ';', &number, &unit))
				return fail_cell(r, line, length, r->columns.value, value, "not a number",
						 err);
			(void)snprintf(text, sizeof text, "not in the unit of the first value, '%s'",
				       r->unit);
			(void)fail_cell(r, line, length, r->columns.value, value, text, err);
			return ft_remedy(err, "write all values in one unit");
		}
	} else if (isinf(y)) {
		return fail_cell(r, line, length, r->columns.value, value, "infinite", err);
	}
	return take_trace_row(r, t, y, empty, err);
}

static bool is_passed_over(const char *line, size_t length)
{
	if (length && line[0] == '#')
		return true;
	for (size_t i = 0; i < length; i++)
		if (line[i] != ' ' && line[i] != '\t')
			return false;
	return true;
}

/* Recordings of memory whose lines are no table. mprof of memory-profiler: "MEM MiB TIME", and others of the
 * command, its functions and children. psrecord: a comment whose names hold blanks, between which blanks are
 * all that separates. */
static const char mprof_head[] = "memory_mib timestamp",
		  psrecord_head[] = "elapsed cpu_percent real_mb virtual_mb",
		  psrecord_io_head[] =
			  "elapsed cpu_percent real_mb virtual_mb read_count write_count read_bytes "
			  "write_bytes";

static bool begins(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* A line is kept for a header; of a comment what follows the sign. */
static enum ft_status keep_head(struct read_reader *r, const char *line, size_t length, struct ft_err *err)
{
	while (length && (*line == '#' || *line == ' ')) {
		line++;
		length--;
	}
	/* The names of a header: psrecord's without the blanks in them. */
	const char *names = line;

	if (begins(line, length, "Elapsed time ") && memmem(line, length, "CPU (%)", 7))
		names = memmem(line, length, "Read count", 10) ? psrecord_io_head : psrecord_head;
	length = names == line ? length : strlen(names);
	line = names;
	ft_free(r->head);
	r->head = ft_malloc(length + 1);
	if (!r->head)
		return ft_nomem(err);
	memcpy(r->head, line, length);
	r->head_length = length;
	return FT_OK;
}

/* The next line, without its end. `ended`: it had one. */
static enum ft_status any_line(struct read_reader *r, const char **line, size_t *length, bool *ended,
			       struct ft_err *err)
{
	enum ft_status status = ft__input_line(r->input, line, length, err);
	size_t whole = *length;

	r->raw->out->bytes += whole;
	while (*length && ((*line)[*length - 1] == '\n' || (*line)[*length - 1] == '\r'))
		--*length;
	*ended = *length < whole;
	return status;
}

/* The same; of mprof the memory of the process alone. */
static enum ft_status next_line(struct read_reader *r, const char **line, size_t *length, bool *ended,
				struct ft_err *err)
{
	FT_TRY(any_line(r, line, length, ended, err));
	while (r->mprof && (begins(*line, *length, "CMDLINE ") || begins(*line, *length, "FUNC ") ||
			    begins(*line, *length, "CHLD ")))
		FT_TRY(any_line(r, line, length, ended, err));
	if (r->mprof && begins(*line, *length, "MEM ")) {
		*line += 4;
		*length -= 4;
	}
	return FT_OK;
}

/* The header, when there is one, which may be a comment, and the first row settle what the rest is. */
static enum ft_status read_head(struct read_reader *r, struct ft_err *err)
{
	struct ft__text_line row = {NULL, 0}, head;
	bool ended = true;

	/* The first line that is not passed over, nor the title of sysstat; the last comment before it is kept. */
	const char **line = &row.text;
	size_t *length = &row.length;

	FT_TRY(next_line(r, line, length, &ended, err));
	while (is_passed_over(*line, *length) || (*length > 6 && !memcmp(*line, "Linux ", 6))) {
		if (*length && **line == '#')
			FT_TRY(keep_head(r, *line, *length, err));
		FT_TRY(next_line(r, line, length, &ended, err));
	}
	if (begins(row.text, row.length, "CMDLINE ") ||
	    (row.length > 4 && begins(row.text, row.length, "MEM ") && row.text[4] >= '0' &&
	     row.text[4] <= '9')) {
		bool memory = begins(row.text, row.length, "MEM ");

		r->mprof = true;
		FT_TRY(keep_head(r, mprof_head, sizeof mprof_head - 1, err));
		row.text += memory ? 4 : 0;
		row.length -= memory ? 4 : 0;
		if (!memory)
			FT_TRY(next_line(r, &row.text, &row.length, &ended, err));
	} else if (ft__columns_head(row, NULL)) {
		FT_TRY(keep_head(r, row.text, row.length, err));
		do
			FT_TRY(next_line(r, &row.text, &row.length, &ended, err));
		while (is_passed_over(row.text, row.length));
	} else if (r->head && !ft__columns_head((struct ft__text_line){r->head, r->head_length}, &row)) {
		ft_free(r->head);
		r->head = NULL;
	}
	head = (struct ft__text_line){r->head, r->head_length};
	FT_TRY(ft__columns_find(&r->columns, r->format, ft__input_name(r->input), ft__input_number(r->input),
				head, row, err));
	ft__columns_name(&r->columns, head, r->columns.time, r->raw->out->time_column);
	ft__columns_name(&r->columns, head, r->columns.value, r->raw->out->value_column);
	return read_row(r, row.text, row.length, ended, err);
}

enum ft_status ft__read_rows(struct ft__raw *raw, struct ft_input *input,
			     const struct ft_trace_format *format, struct ft_err *err)
{
	struct read_reader r = {.input = input, .format = format, .raw = raw, .first = true};
	enum ft_status status = read_head(&r, err);

	while (status == FT_OK) {
		const char *line;
		size_t length;
		bool ended;

		status = next_line(&r, &line, &length, &ended, err);
		if (status == FT_OK && (!length || line[0] == '#' || line[0] == ' ' || line[0] == '\t') &&
		    is_passed_over(line, length))
			continue;
		if (status == FT_OK)
			status = read_row(&r, line, length, ended, err);
	}
	ft_free(r.head);
	if (r.open_gap)
		raw->end = r.gap_begin;
	return status == FT_EEND ? FT_OK : status;
}
