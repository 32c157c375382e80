/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - a trace as it was read, with its gaps joined, broken or set to zero, and its steps made steep. */
#include "base/alloc.h"
#include "base/number.h"
#include "foretime/base.h"
#include "foretime/trace.h"
#include "num/num.h"
#include "trace/trace.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Few points of a trace of many, so that a picture of it loses no spike.
 */

/* Points of one column of the picture that are picked, in order. */
enum { PICKED = 4 };

struct thinner {
	const struct ft_trace *trace;
	struct ft_nodes *out;
	double begin, width; /* of the first column; of each */
	size_t columns;
};

static void add_point(struct thinner *thinner, double t, double y)
{
	struct ft_nodes *out = thinner->out;

	out->t[out->n] = t;
	out->y[out->n++] = y;
}

/* Left and right of the picture there is one more column each. */
static double column_of(const struct thinner *thinner, double t)
{
	double at = floor((t - thinner->begin) / thinner->width);

	return fmin(fmax(at, -1), (double)thinner->columns);
}

/* Points of one part, i .. end - 1. */
static void thin_part(struct thinner *thinner, size_t i, size_t end, bool whole)
{
	const double *t = thinner->trace->t;

	while (i < end) {
		double of = column_of(thinner, t[i]);
		size_t j = i + 1;

		while (!whole && j < end && column_of(thinner, t[j]) == of)
			j++;
		/* Of points i .. end - 1, which lie in one column. */
		const double *y = thinner->trace->y;
		size_t least = i, most = i, k, at[PICKED];

		for (k = i; k < j; k++) {
			least = y[k] < y[least] ? k : least;
			most = y[k] > y[most] ? k : most;
		}
		at[0] = i;
		at[1] = least < most ? least : most;
		at[2] = least < most ? most : least;
		at[3] = j - 1;
		for (k = 0; k < PICKED; k++)
			if (!k || at[k] > at[k - 1])
				add_point(thinner, thinner->trace->t[at[k]], y[at[k]]);
		i = j;
	}
}

/* Points first .. last - 1, part behind part. */
static void thin_parts(struct thinner *thinner, size_t first, size_t last, bool whole)
{
	const struct ft_trace *trace = thinner->trace;

	for (size_t i = 0; i < trace->n_parts; i++) {
		size_t begin = trace->part[i] > first ? trace->part[i] : first;
		size_t end = trace->part[i + 1] < last ? trace->part[i + 1] : last;

		if (begin >= end)
			continue;
		if (thinner->out->n)
			add_point(thinner, trace->t[begin - 1] / 2 + trace->t[begin] / 2, NAN);
		thin_part(thinner, begin, end, whole);
	}
}

enum ft_status ft_trace_thin(struct ft_nodes *out, const struct ft_trace *trace, double begin, double end,
			     size_t columns, struct ft_err *err)
{
	struct thinner thinner = {trace, out, begin, (end - begin) / (double)columns, columns};

	*out = (struct ft_nodes){0};
	if (!(begin < end) || !isfinite(end - begin) || !columns) {
		(void)ft_fail(err, FT_EINVAL, "a picture from %.15g to %.15g of %zu columns shows nothing",
			      begin, end, columns);
		return ft_remedy(err, "name two times, the earlier one first");
	}
	size_t first = ft_count_upto(trace->t, trace->n, begin);
	size_t last = ft_count_below(trace->t, trace->n, end);
	first -= first > 0;
	last += last < trace->n;
	bool whole = (last - first) / PICKED <= columns;
	size_t most = (whole ? last - first : PICKED * (columns + 2 + trace->n_parts)) + trace->n_parts;
	out->t = ft_malloc(most * sizeof *out->t);
	out->y = ft_malloc(most * sizeof *out->y);
	if (!out->t || !out->y) {
		ft_nodes_clear(out);
		return ft_nomem(err);
	}
	thin_parts(&thinner, first, last, whole);
	return FT_OK;
}

/*
 * A trace as it was read, with its gaps joined, broken or set to zero, and its steps made steep.
 */

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

/* The usual distance of two rows; 0: they are not regular, or too few. */
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

/* Where there is one, the stretch between two times counts. */
static double shorter_of(double shortest, double begin, double end)
{
	return end > begin ? fmin(shortest, end - begin) : shortest;
}

/* The width of a steep piece: small compared to any distance, and still larger than a double's last
   digits. */
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
	out->gaps = raw->n_gaps;
	for (size_t i = 0; i < raw->n_gaps; i++)
		out->gap_s += raw->t[raw->gap[i].before] - raw->gap[i].begin;
	if (raw->n_gaps)
		out->gap_at = raw->gap[0].begin;
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

/*
 * All parts of a trace: statistics, comparison with a model, constrained models, phases.
 */

enum ft_status ft_curves_new(struct ft_curves *out, const struct ft_trace *trace, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_clear)
	struct ft_curves curves = {.part = ft_calloc(trace->n_parts, sizeof *curves.part)};

	*out = (struct ft_curves){0};
	if (!curves.part)
		return ft_nomem(err);
	for (size_t i = 0; i < trace->n_parts; i++, curves.n++)
		FT_TRY(ft_pwl_new(&curves.part[i], trace->t + trace->part[i], trace->y + trace->part[i],
				  trace->part[i + 1] - trace->part[i], err));
	*out = curves;
	/* The cleanup finds nothing. NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores) */
	curves = (struct ft_curves){0};
	return FT_OK;
}

void ft_curves_clear(struct ft_curves *curves)
{
	if (!curves)
		return;
	for (size_t i = 0; i < curves->n; i++)
		ft_pwl_free(curves->part[i]);
	ft_free(curves->part);
	*curves = (struct ft_curves){0};
}

int ft_curves_part(const struct ft_curves *curves, double t)
{
	for (size_t i = 0; i < curves->n; i++)
		if (t >= ft_pwl_begin(curves->part[i]) && t <= ft_pwl_end(curves->part[i]))
			return (int)i;
	return -1;
}

/* ---- comparison with a model
   ------------------------------------------------------------------------------------ */

void ft__error_join(struct ft_pwl_error *all, const struct ft_pwl_error *one, bool first)
{
	if (first) {
		*all = *one;
		return;
	}
	if (one->max > all->max) {
		all->max = one->max;
		all->max_at = one->max_at;
	}
	all->area += one->area;
	all->area_data += one->area_data;
	all->least = fmin(all->least, one->least);
	all->most = fmax(all->most, one->most);
}

void ft_curves_compare(const struct ft_curves *curves, const struct ft_nodes *nodes, const size_t *first,
		       struct ft_pwl_error *error)
{
	double square = 0, length = 0;

	for (size_t i = 0; i < curves->n; i++) {
		double part = ft_pwl_end(curves->part[i]) - ft_pwl_begin(curves->part[i]);
		struct ft_pwl_error one;

		ft_pwl_compare(curves->part[i], nodes->t + first[i], nodes->y + first[i],
			       first[i + 1] - first[i], &one);
		square += one.rms * one.rms * part;
		length += part;
		ft__error_join(error, &one, !i);
	}
	error->rms = sqrt(square / length);
}

/* ---- as a whole ---------------------------------------------------------------------------------------- */

struct ft_curves_summary ft_curves_summarise(const struct ft_curves *curves)
{
	struct ft_curves_summary s = {.range = {INFINITY, -INFINITY}, .shortest = INFINITY};
	double square = 0;

	for (size_t i = 0; i < curves->n; i++) {
		const struct ft_pwl *f = curves->part[i];

		double range[2], at[2];

		ft_pwl_range(f, range, at);
		for (size_t k = 0; k < 2; k++)
			if (k ? range[k] > s.range[k] : range[k] < s.range[k]) {
				s.range[k] = range[k];
				s.at[k] = at[k];
			}
		s.length += ft_pwl_end(f) - ft_pwl_begin(f);
		s.area += ft_pwl_integral(f, ft_pwl_begin(f), ft_pwl_end(f));
		for (size_t k = 1; k < f->n; k++) {
			s.shortest = fmin(s.shortest, f->t[k] - f->t[k - 1]);
			s.longest = fmax(s.longest, f->t[k] - f->t[k - 1]);
		}
	}
	s.mean = s.area / s.length;
	for (size_t i = 0; i < curves->n; i++) {
		const double x[2] = {ft_pwl_begin(curves->part[i]), ft_pwl_end(curves->part[i])},
			     y[2] = {s.mean, s.mean};
		struct ft_pwl_error error;

		ft_pwl_compare(curves->part[i], x, y, 2, &error);
		square += error.rms * error.rms * (x[1] - x[0]);
	}
	s.deviation = sqrt(square / s.length);
	return s;
}

/* ---- constrained --------------------------------------------------------------------------------------- */

enum ft_status ft__nodes_append(struct ft_nodes *all, const struct ft_nodes *more, struct ft_err *err)
{
	size_t n = all->n + more->n;
	double *t = ft_realloc(all->t, n * sizeof *t), *y;

	if (!t)
		return ft_nomem(err);
	all->t = t;
	y = ft_realloc(all->y, n * sizeof *y);
	if (!y)
		return ft_nomem(err);
	all->y = y;
	memcpy(t + all->n, more->t, more->n * sizeof *t);
	memcpy(y + all->n, more->y, more->n * sizeof *y);
	all->n = n;
	return FT_OK;
}

static enum ft_status add_spike(struct ft_curves_fit *out, size_t *capacity, const struct ft_pwl_spike *spike,
				struct ft_err *err)
{
	struct ft_pwl_spike *grown = ft_grow(out->spike, out->n_spikes, capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	out->spike = grown;
	grown[out->n_spikes++] = *spike;
	return FT_OK;
}

/* The i-th part, appended to the fit. */
static enum ft_status constrain_part(struct ft_curves_fit *out, size_t *capacity,
				     const struct ft_curves *curves, size_t i,
				     const struct ft_curves_wish *wish, struct ft_err *err)
{
	FT_OWN struct ft_pwl_stretch *found = NULL;
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes part = {0};
	size_t n_found = 0, n = 0;

	for (size_t k = 0; k < wish->n_smooth && !found; k++)
		if (isnan(wish->smooth[k].begin))
			FT_TRY(ft_pwl_spikes_around(&found, &n_found, curves->part[i], wish->keep,
						    wish->n_keep, err));
	FT_OWN double *keep = ft_calloc(wish->n_keep + 2 * n_found + 1, sizeof *keep);
	if (!keep)
		return ft_nomem(err);
	for (size_t k = 0; k < wish->n_keep; k++)
		if (ft_curves_part(curves, wish->keep[k]) == (int)i)
			keep[n++] = wish->keep[k];
	for (size_t k = 0; found && k < n_found; k++) {
		keep[n++] = found[k].begin;
		keep[n++] = found[k].end;
	}
	FT_TRY(ft_pwl_constrain(&part, curves->part[i], keep, n, wish->lambda, err));
	/* The options for the i-th part; an interval of another part is skipped. A detected spike is moved to
	 * where a node within the curve's range preserves its areas: it has nodes at both ends, so nothing next to
	 * it changes. */
	const struct ft_pwl *f = curves->part[i];
	struct ft_pwl_spike one;
	double range[2], w, y;

	ft_pwl_range(f, range, NULL);
	for (size_t k = 0; found && k < n_found; k++) {
		double a = found[k].begin, b = found[k].end;

		if (!ft_pwl_smooth(f, a, ft_pwl_at(f, a), b, ft_pwl_at(f, b), &w, &y) || y < range[0] ||
		    y > range[1])
			continue;
		FT_TRY(ft_nodes_smooth(&part, f, a, b, &one, err));
		FT_TRY(add_spike(out, capacity, &one, err));
	}
	for (size_t k = 0; k < wish->n_smooth; k++) {
		const struct ft_pwl_stretch *at = &wish->smooth[k];

		if (isnan(at->begin) || (curves->n > 1 && ft_curves_part(curves, at->begin) != (int)i))
			continue;
		FT_TRY(ft_nodes_smooth(&part, f, at->begin, at->end, &one, err));
		FT_TRY(add_spike(out, capacity, &one, err));
	}
	FT_TRY(ft__nodes_append(&out->nodes, &part, err));
	out->first[i + 1] = out->nodes.n;
	return FT_OK;
}

enum ft_status ft_curves_constrain(struct ft_curves_fit *out, const struct ft_curves *curves,
				   const struct ft_curves_wish *wish, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_fit_clear)
	struct ft_curves_fit fit = {.first = ft_calloc(curves->n + 1, sizeof *fit.first)};
	size_t capacity = 0;

	*out = (struct ft_curves_fit){0};
	if (!fit.first)
		return ft_nomem(err);
	for (size_t i = 0; i < curves->n; i++)
		FT_TRY(constrain_part(&fit, &capacity, curves, i, wish, err));
	ft_curves_compare(curves, &fit.nodes, fit.first, &fit.error);
	*out = fit;
	fit = (struct ft_curves_fit){0};
	return FT_OK;
}

void ft_curves_fit_clear(struct ft_curves_fit *fit)
{
	if (!fit)
		return;
	ft_nodes_clear(&fit->nodes);
	ft_free(fit->first);
	ft_free(fit->spike);
	*fit = (struct ft_curves_fit){0};
}

/* ---- in phases ----------------------------------------------------------------------------------------- */

enum ft_status ft_curves_phases(struct ft_phases *out, const struct ft_curves *curves, size_t most,
				struct ft_err *err)
{
	FT_CLEANUP(ft_phases_clear) struct ft_phases all = {0};
	double square = 0, length = 0;

	*out = (struct ft_phases){0};
	for (size_t i = 0; i < curves->n; i++) {
		const struct ft_pwl *f = curves->part[i];
		FT_CLEANUP(ft_phases_clear) struct ft_phases part = {0};

		FT_TRY(ft_pwl_phases(&part, f, most, err));
		struct ft_phase *grown = ft_realloc(all.phase, (all.n + part.n) * sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		memcpy(grown + all.n, part.phase, part.n * sizeof *grown);
		all.phase = grown;
		all.n += part.n;
		all.work += part.work;
		square += part.rms * part.rms * (ft_pwl_end(f) - ft_pwl_begin(f));
		length += ft_pwl_end(f) - ft_pwl_begin(f);
	}
	all.rms = sqrt(square / length);
	for (size_t i = 0; i < all.n; i++)
		all.phase[i].share = all.work != 0 ? all.phase[i].work / all.work : NAN;
	*out = all;
	all = (struct ft_phases){0};
	return FT_OK;
}

enum ft_status ft_curves_spikes(struct ft_spikes *out, const struct ft_curves *curves,
				const struct ft_phases *phases, bool dips, struct ft_err *err)
{
	FT_CLEANUP(ft_spikes_clear) struct ft_spikes all = {0};
	size_t at = 0;

	*out = (struct ft_spikes){0};
	for (size_t i = 0; i < curves->n; i++) {
		struct ft_phases part = {.phase = phases->phase + at};
		FT_CLEANUP(ft_spikes_clear) struct ft_spikes one = {0};

		for (; at < phases->n && phases->phase[at].begin < ft_pwl_end(curves->part[i]); at++)
			part.n++;
		FT_TRY(ft_pwl_spikes(&one, curves->part[i], &part, dips, err));
		if (one.n > all.n) {
			all.period = one.period;
			all.height = one.height;
		}
		for (size_t k = 0; k < one.n; k++)
			FT_TRY(ft__spikes_add(&all, one.t[k], one.at[k], err));
	}
	*out = all;
	all = (struct ft_spikes){0};
	return FT_OK;
}
