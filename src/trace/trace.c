/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - a trace as it was read, with its gaps joined, broken or set to zero, and its steps made steep. */
#include "base/arena.h"
#include "base/text.h"
#include "base/moment.h"
#include "foretime/units.h"
#include "num/stats.h"
#include "trace/cells.h"
#include "trace/read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE = 10001 }; /* distances that the usual one is found from */

static const double REGULAR = 0.9, /* the share of distances that are near the usual one in a regular trace */
	NEAR = 0.25,               /* and how near */
	GAP = 2.5,                 /* a longer distance, in usual ones, is a gap */
	STEEP = 1e-3;              /* width of a jump, in shortest distances */

bool ft_trace_gaps_parse(const char *text, enum ft_trace_gaps *gaps)
{
	static const char *const words[] = {
#define FT_TRACE_GAPS_TEXT(name, words) words,
		FT_TRACE_GAPS_LIST(FT_TRACE_GAPS_TEXT)
#undef FT_TRACE_GAPS_TEXT
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i], text)) {
			*gaps = (enum ft_trace_gaps)i;
			return true;
		}
	return false;
}

static void raw_clear(struct ft__raw *raw)
{
	ft_free(raw->t);
	ft_free(raw->y);
	ft_free(raw->gap);
	*raw = (struct ft__raw){0};
}

void ft_trace_clear(struct ft_trace *trace)
{
	if (!trace)
		return;
	ft_free(trace->t);
	ft_free(trace->y);
	ft_free(trace->part);
	*trace = (struct ft_trace){0};
}

/* ---- missing rows -------------------------------------------------------------------------------------- */

/* The usual distance of two rows; 0: they are not regular, or too few to tell. */
static enum ft_status usual_distance(const struct ft__raw *raw, double *usual, struct ft_err *err)
{
	size_t pairs = raw->n - 1, step = pairs / SAMPLE + 1, n = 0, near = 0;

	*usual = 0;
	if (pairs < 8)
		return FT_OK;
	FT_OWN double *sample = ft_malloc(SAMPLE * sizeof *sample);
	if (!sample)
		return ft_nomem(err);
	for (size_t i = 0; i < pairs && n < SAMPLE; i += step)
		sample[n++] = raw->t[i + 1] - raw->t[i];
	*usual = ft_stats_ranked(sample, n, n / 2);
	for (size_t i = 0; i < n; i++)
		near += fabs(sample[i] - *usual) <= NEAR * *usual;
	if ((double)near < REGULAR * (double)n)
		*usual = 0;
	return FT_OK;
}

/* Distances that are too long are gaps too; the list stays ascending. */
static enum ft_status find_missing(struct ft__raw *raw, struct ft_err *err)
{
	FT_OWN struct ft__gap *all = NULL;
	size_t n = 0, capacity = 0, known = 0;
	double usual;

	FT_TRY(usual_distance(raw, &usual, err));
	if (!(usual > 0))
		return FT_OK;
	for (size_t i = 1; i < raw->n; i++) {
		bool listed = known < raw->n_gaps && raw->gap[known].before == i;

		if (!listed && !(raw->t[i] - raw->t[i - 1] > GAP * usual))
			continue;
		known += listed;
		struct ft__gap *grown = ft_grow(all, n, &capacity, sizeof *grown);
		if (!grown)
			return ft_nomem(err);
		all = grown;
		all[n++] = (struct ft__gap){i, raw->t[i - 1]};
	}
	ft_free(raw->gap);
	raw->gap = all;
	all = NULL;
	raw->n_gaps = n;
	raw->gaps_capacity = capacity;
	return FT_OK;
}

static void tell_gaps(struct ft_trace *out, const struct ft__raw *raw)
{
	out->gaps = raw->n_gaps;
	for (size_t i = 0; i < raw->n_gaps; i++)
		out->gap_s += raw->t[raw->gap[i].before] - raw->gap[i].begin;
	if (raw->n_gaps)
		out->gap_at = raw->gap[0].begin;
}

/* Where there is one, the stretch between two times counts. */
static double shorter_of(double shortest, double begin, double end)
{
	return end > begin ? fmin(shortest, end - begin) : shortest;
}

/* The width of a steep piece: so small beside any distance, and still more than a double's last digits. */
static enum ft_status find_steep(const struct ft__raw *raw, const char *name, double *width,
				 struct ft_err *err)
{
	double shortest = INFINITY,
	       digit = 16 * DBL_EPSILON * fmax(fabs(raw->t[0]), fabs(raw->t[raw->n - 1]));

	for (size_t i = 1; i < raw->n; i++)
		shortest = fmin(shortest, raw->t[i] - raw->t[i - 1]);
	for (size_t i = 0; i < raw->n_gaps; i++) {
		size_t next = raw->gap[i].before;

		if (next > 0)
			shortest = shorter_of(shortest, raw->t[next - 1], raw->gap[i].begin);
		if (next < raw->n)
			shortest = shorter_of(shortest, raw->gap[i].begin, raw->t[next]);
	}
	shortest = shorter_of(shortest, raw->t[raw->n - 1], raw->end);
	*width = fmin(fmax(STEEP * shortest, digit), shortest / 4);
	if (*width >= digit / 4 && *width >= 4 * DBL_MIN)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "rows of '%s' are %g apart, which is lost next to times up to %g", name,
		      shortest, raw->t[raw->n - 1]);
	return ft_remedy(err, "count times from the first row on");
}

/* ---- the curve ----------------------------------------------------------------------------------------- */

/* A curve being made, point by point; parts as they begin. */
struct trace_maker {
	struct ft_trace *out;
	size_t capacity, parts_capacity;
	size_t part_begin;
};

static bool put_point(struct trace_maker *m, double t, double y)
{
	struct ft_trace *out = m->out;
	size_t capacity = m->capacity;
	double *times = ft_grow(out->t, out->n, &capacity, sizeof *times), *values;

	if (!times)
		return false;
	out->t = times;
	capacity = m->capacity;
	values = ft_grow(out->y, out->n, &capacity, sizeof *values);
	if (!values)
		return false;
	out->y = values;
	m->capacity = capacity;
	out->t[out->n] = t;
	out->y[out->n++] = y;
	return true;
}

/* A part ends: with fewer than two points it is none. */
static bool end_part(struct trace_maker *m)
{
	struct ft_trace *out = m->out;
	size_t *grown = ft_grow(out->part, out->n_parts + 1, &m->parts_capacity, sizeof *grown);

	if (!grown)
		return false;
	out->part = grown;
	if (out->n - m->part_begin < 2) {
		out->n = m->part_begin;
		return true;
	}
	out->part[out->n_parts++] = m->part_begin;
	out->part[out->n_parts] = out->n;
	m->part_begin = out->n;
	return true;
}

/* Points: the rows themselves; with gaps as zero two more for each. */
static bool make_points(struct trace_maker *m, const struct ft__raw *raw, enum ft_trace_gaps gaps)
{
	size_t next = 0;
	double w = m->out->step_s;
	bool good = true;

	for (size_t i = 0; i < raw->n && good; i++) {
		if (next < raw->n_gaps && raw->gap[next].before == i) {
			next++;
			if (gaps == FT_TRACE_BREAK)
				good = end_part(m);
			else
				good = put_point(m, raw->t[i - 1] + w, 0) && put_point(m, raw->t[i] - w, 0);
		}
		good = good && put_point(m, raw->t[i], raw->y[i]);
	}
	return good && end_part(m);
}

/* A jump at t from what there is to y, half its width before and half behind: the integral stays. */
static bool put_jump(struct trace_maker *m, double t, double y)
{
	double w = m->out->step_s, was = m->out->y[m->out->n - 1];

	return was == y || (put_point(m, t - w / 2, was) && put_point(m, t + w / 2, y));
}

/* Steps: each value until the next row; the last row, or the beginning of a gap, ends. */
static bool make_steps(struct trace_maker *m, const struct ft__raw *raw, enum ft_trace_gaps gaps)
{
	size_t i, next = 0, last = raw->end > raw->t[raw->n - 1] ? raw->n : raw->n - 1;
	bool good = put_point(m, raw->t[0], raw->y[0]);

	for (i = 1; i < last && good; i++) {
		bool gap = next < raw->n_gaps && raw->gap[next].before == i;

		if (gap && gaps == FT_TRACE_ZERO) {
			good = put_jump(m, raw->gap[next].begin, 0);
		} else if (gap) {
			good = put_point(m, raw->gap[next].begin, m->out->y[m->out->n - 1]) && end_part(m) &&
			       put_point(m, raw->t[i], raw->y[i]);
		}
		next += gap;
		good = good && put_jump(m, raw->t[i], raw->y[i]);
	}
	if (next < raw->n_gaps && gaps != FT_TRACE_ZERO) /* the last row ends a gap only */
		return good && put_point(m, raw->gap[next].begin, m->out->y[m->out->n - 1]) && end_part(m);
	return good && put_point(m, raw->end, m->out->y[m->out->n - 1]) && end_part(m);
}

static enum ft_status too_few(const struct ft__raw *raw, const char *name, struct ft_err *err)
{
	if (raw->n)
		(void)ft_fail(err, FT_EINVAL, "'%s' has %s", name,
			      raw->n == 1 ? "one point only" : "no two neighbouring points");
	else
		(void)ft_fail(err, FT_EINVAL, "'%s' has no row with a time and a value", name);
	return ft_remedy(err, "give a trace of two rows or more");
}

/* From rows to the curve. Points without gaps, or joined, are taken as they are. */
static enum ft_status make_curve(struct ft_trace *out, struct ft__raw *raw, const char *name,
				 const struct ft_trace_format *format, struct ft_err *err)
{
	struct trace_maker m = {.out = out};

	if (raw->n < 2)
		return too_few(raw, name, err);
	if (!format->steps)
		FT_TRY(find_missing(raw, err));
	tell_gaps(out, raw);
	out->gaps += raw->held;
	if (!format->steps && (!raw->n_gaps || format->gaps == FT_TRACE_JOIN)) {
		out->part = ft_calloc(2, sizeof *out->part);
		if (!out->part)
			return ft_nomem(err);
		out->t = raw->t;
		out->y = raw->y;
		out->part[1] = out->n = raw->n;
		out->n_parts = 1;
		raw->t = raw->y = NULL;
		return FT_OK;
	}
	if (format->steps || format->gaps == FT_TRACE_ZERO)
		FT_TRY(find_steep(raw, name, &out->step_s, err));
	bool good = format->steps ? make_steps(&m, raw, format->gaps) : make_points(&m, raw, format->gaps);
	if (!good)
		return ft_nomem(err);
	return out->n_parts ? FT_OK : too_few(raw, name, err);
}

/* All of an input, which is closed. */
static enum ft_status read_input(struct ft_trace *out, struct ft_input *input, bool stream,
				 const struct ft_trace_format *format, struct ft_err *err)
{
	FT_CLEANUP(raw_clear) struct ft__raw raw = {.out = out, .stream = stream};
	enum ft_status status = ft__read_rows(&raw, input, format, err);

	if (status == FT_OK)
		status = make_curve(out, &raw, ft__input_name(input), format, err);
	ft__input_close(input);
	if (status != FT_OK)
		ft_trace_clear(out);
	return status;
}

enum ft_status ft_trace_read(struct ft_trace *out, const char *path, const struct ft_trace_format *format,
			     struct ft_err *err)
{
	struct ft_input *input;

	*out = (struct ft_trace){0};
	FT_TRY(ft__input_open(&input, path, err));
	return read_input(out, input, !strcmp(path, "-"), format, err);
}

enum ft_status ft_trace_parse(struct ft_trace *out, const char *name, const char *bytes, size_t length,
			      const struct ft_trace_format *format, struct ft_err *err)
{
	struct ft_input *input;

	*out = (struct ft_trace){0};
	FT_TRY(ft__input_memory(&input, name, bytes, length, err));
	return read_input(out, input, false, format, err);
}

/* ---- times --------------------------------------------------------------------------------------------- */

static bool read_time(const struct ft_trace *trace, struct ft__cell cell, double *t)
{
	int64_t ns;

	if (ft__cell_number(cell, t) && isfinite(*t))
		return true;
	if (!trace->dated || !ft__cell_date(cell, &ns))
		return false;
	*t = (double)(ns - trace->origin_ns) / 1e9;
	return true;
}

enum ft_status ft_trace_time_parse(const struct ft_trace *trace, const char *text, double *t,
				   struct ft_err *err)
{
	if (read_time(trace, (struct ft__cell){text, text + strlen(text)}, t))
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "'%s' is no time", text);
	if (trace->dated)
		return ft_remedy(err,
				 "write a date, as 2026-01-31T12:00:00Z, or the seconds since the first row");
	return ft_remedy(err, "write a number, as the trace has them");
}

enum ft_status ft_trace_interval_parse(const struct ft_trace *trace, const char *text, double *begin,
				       double *end, struct ft_err *err)
{
	const char *colon = text, *last = text + strlen(text);

	while ((colon = strchr(colon, ':')) != NULL) {
		if (read_time(trace, (struct ft__cell){text, colon}, begin) &&
		    read_time(trace, (struct ft__cell){colon + 1, last}, end))
			return FT_OK;
		colon++;
	}
	(void)ft_fail(err, FT_EPARSE, "'%s' is no interval", text);
	return ft_remedy(err, "write T1:T2");
}

char *ft_trace_time_format(const struct ft_trace *trace, double t, char buffer[FT_TRACE_TIME_LENGTH])
{
	char moment[FT__MOMENT_LENGTH], number[FT_NUMBER_LENGTH], *point;

	if (!trace->dated) {
		(void)snprintf(buffer, FT_TRACE_TIME_LENGTH, "%s", ft_number_format(t, number));
		return buffer;
	}
	(void)ft__moment_format(trace->origin_ns + (int64_t)llround(t * 1e9), moment);
	point = strchr(moment, '.');
	if (point && !strncmp(point, ".000000000", 10)) /* whole seconds */
		memcpy(point, "Z", 2);
	else if (point) /* milliseconds are enough for people */
		memcpy(point + 4, "Z", 2);
	(void)snprintf(buffer, FT_TRACE_TIME_LENGTH, "%s", moment);
	return buffer;
}
