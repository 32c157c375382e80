/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - turns observations of any length into equal intervals. */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/number.h"
#include "foretime/base.h"
#include "foretime/load.h"
#include "load/load.h"
#include "num/num.h"
#include "policy/policy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/*
 * Loads from a CSV table.
 */

/* Nanoseconds between two times, and before the first one, are counted in 64 bits. */
static const double earliest_s = -1e8, latest_s = 9e9;

/* A table being read. */
struct read_table {
	const char *path;
	struct ft_csv *csv;
	size_t time, load; /* columns */
	int processors;
	bool stated; /* how many there are */
	int64_t *ns; /* [rows with a load] when each was written */
	double *value;
	size_t n;
};

static enum ft_status find_column(const struct read_table *table, const char *name, size_t *column,
				  struct ft_err *err)
{
	int found = ft_csv_column(table->csv, name);

	*column = found < 0 ? 0 : (size_t)found;
	if (found >= 0)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' has no column '%s'", table->path, name);
	return ft_remedy(err, "its columns must be time (seconds, or a date and time) and load (processors)");
}

static enum ft_status read_time(const struct read_table *table, size_t row, int64_t *ns, struct ft_err *err)
{
	const char *cell = ft_csv_cell(table->csv, row, table->time), *end;
	double seconds;

	if (ft__number_scan_signed(cell, &end, &seconds) && !*end && seconds >= earliest_s &&
	    seconds < latest_s) {
		*ns = (int64_t)(seconds * 1e9);
		return FT_OK;
	}
	if (ft__moment_parse(cell, ns) && *ns >= (int64_t)(earliest_s * 1e9))
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu (time): '%.40s' is no time", table->path,
		      ft_csv_line(table->csv, row), table->time + 1, cell);
	(void)ft_remedy(err, "write seconds, or a date and time as in 2026-01-31T12:00:00");
	return FT_EPARSE;
}

static enum ft_status read_row(struct read_table *table, size_t row, struct ft_err *err)
{
	size_t line = ft_csv_line(table->csv, row);
	enum ft_status status =
		ft_csv_number(table->csv, row, table->load, true, &table->value[table->n], err);

	if (!status)
		status = read_time(table, row, &table->ns[table->n], err);
	if (status || isnan(table->value[table->n]))
		return status;
	if (!(table->value[table->n] >= 0 && isfinite(table->value[table->n])))
		return ft_fail(err, FT_EINVAL, "%s:%zu: %g processors are no load", table->path, line,
			       table->value[table->n]);
	if (!table->stated && table->value[table->n] > table->processors) {
		(void)ft_fail(err, FT_EINVAL, "%s:%zu: a load of %g on an unknown number of processors",
			      table->path, line, table->value[table->n]);
		return ft_remedy(err, "state the number of processors in a line '# processors: 8' before "
				      "the header");
	}
	if (table->n && table->ns[table->n] <= table->ns[table->n - 1])
		return ft_fail(err, FT_EINVAL, "%s:%zu: the time is not after that of the row before",
			       table->path, line);
	table->n++;
	return FT_OK;
}

static enum ft_status read_rows(struct read_table *table, struct ft_err *err)
{
	size_t rows = ft_csv_rows(table->csv), i;
	const char *note = ft_csv_note(table->csv, "processors"), *end;
	enum ft_status status = find_column(table, "time", &table->time, err);
	double noted;

	if (!status)
		status = find_column(table, "load", &table->load, err);
	if (status)
		return status;
	if (!table->processors && note && ft__whole_scan(note, &end, &noted) && noted >= 1 && noted < 1e6)
		table->processors = (int)noted;
	table->stated = table->processors;
	if (!table->stated)
		table->processors = 1;
	table->ns = ft_calloc(rows + 1, sizeof *table->ns);
	table->value = ft_calloc(rows + 1, sizeof *table->value);
	if (!table->ns || !table->value)
		return ft_nomem(err);
	for (i = 0; i < rows && !status; i++)
		status = read_row(table, i, err);
	if (!status && table->n < 2)
		return ft_fail(err, FT_EINVAL, "'%s' has %zu loads, and at least two are needed", table->path,
			       table->n);
	return status;
}

static enum ft_status add_rows(const struct read_table *table, struct ft_loads *loads, struct ft_err *err)
{
	double *distance = ft_calloc(table->n - 1, sizeof *distance), usual;
	enum ft_status status = FT_OK;

	if (!distance)
		return ft_nomem(err);
	for (size_t i = 1; i < table->n; i++)
		distance[i - 1] = (double)(table->ns[i] - table->ns[i - 1]) / 1e9;
	usual = ft_stats_median(distance, table->n - 1);
	ft_free(distance);
	for (size_t i = 0; i < table->n && !status; i++) {
		double since = i ? (double)(table->ns[i] - table->ns[i - 1]) / 1e9 : usual;
		struct ft_load load = {.interval_s = fmin(since, usual),
				       .load = table->value[i],
				       .busy = NAN,
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = table->processors};

		load.started_ns = table->ns[i] - (int64_t)(load.interval_s * 1e9);
		status = ft_loads_add(loads, &load, err);
	}
	return status;
}

enum ft_status ft_loads_read(const char *path, int processors, struct ft_loads *loads, struct ft_err *err)
{
	struct read_table table = {.path = path, .processors = processors};
	size_t before = loads->n;
	enum ft_status status = ft_csv_read(path, 0, &table.csv, err);

	if (!status)
		status = read_rows(&table, err);
	if (!status)
		status = add_rows(&table, loads, err);
	if (status)
		loads->n = before;
	ft_free(table.ns);
	ft_free(table.value);
	ft_csv_free(table.csv);
	return status;
}

/*
 * Turns observations of any length into equal intervals.
 */

/* Observations are cut at the ends of intervals; the most pieces. */
enum { PIECES_MOST = 50000000 };

#define AGE_MOST_S 9e9 /* nanoseconds since then are counted in 64 bits */

/* The layout of intervals. */
struct lay {
	double interval_s;
	size_t most; /* observed intervals; 0: all */
	enum ft_sharing sharing;
	double age_s; /* > 0: each interval of a gap is included, and none is older */
};

/* The part of one observation in one interval. */
struct history_piece {
	double interval; /* its number, counted back from the newest, 0 */
	double seconds, load;
	bool by_sweep;
};

static double end_s(const struct ft_load *load, int64_t origin_ns)
{
	/* Safe for any two numbers, since a store may contain any. */
	int64_t since_ns = (int64_t)((uint64_t)load->started_ns - (uint64_t)origin_ns);

	return (double)since_ns / 1e9 + load->interval_s;
}

/* Busy processors are at most all of them. */
static double load_for(const struct ft_load *load, enum ft_sharing sharing)
{
	if (sharing == FT_SHARING_FAIR)
		return load->load;
	return isnan(load->busy) ? fmin(load->load, load->processors) : load->busy;
}

/* Cut an observation that ended `ago` seconds before the newest one; out NULL: count only. */
static size_t cut_pieces(const struct ft_load *load, double ago, double interval_s, enum ft_sharing sharing,
			 struct history_piece *out)
{
	double from = fmax(0, ago), to = ago + load->interval_s, number = floor(from / interval_s);
	size_t n = 0;

	/* Above this, numbers and times are no longer exact. */
	if (to >= AGE_MOST_S || to / interval_s >= 0x1p52 || (to - from) / interval_s > PIECES_MOST)
		return (size_t)PIECES_MOST + 1;
	for (; number * interval_s < to; number++) {
		double begin = fmax(from, number * interval_s), end = fmin(to, (number + 1) * interval_s);

		if (end <= begin)
			continue;
		if (out)
			out[n] = (struct history_piece){number, end - begin, load_for(load, sharing),
							load->by_sweep};
		n++;
	}
	return n;
}

static int by_interval(const void *a, const void *b)
{
	const struct history_piece *p = a, *q = b;

	return (p->interval > q->interval) - (p->interval < q->interval);
}

/* The load of an interval from `n` pieces; NaN: they cover too little. */
static double settle_interval(const struct history_piece *piece, size_t n, double interval_s)
{
	double seconds[2] = {0}, sum[2] = {0};

	for (size_t i = 0; i < n; i++) {
		seconds[piece[i].by_sweep] += piece[i].seconds;
		sum[piece[i].by_sweep] += piece[i].seconds * piece[i].load;
	}
	for (size_t i = 2; i-- > 0;)
		if (seconds[i] >= 0.499999 * interval_s)
			return sum[i] / seconds[i];
	return NAN;
}

static enum ft_status add_gap(struct ft_load_history *out, double intervals, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (; intervals > 0 && !status; intervals--)
		status = ft_load_history_add(out, NAN, err);
	return status;
}

/* Newest first; the caller turns them round. */
static enum ft_status gather_intervals(struct ft_load_history *out, const struct history_piece *piece,
				       size_t n, const struct lay *how, double *oldest, struct ft_err *err)
{
	size_t most = how->most;
	enum ft_status status = FT_OK;
	size_t i = 0, observed = 0;
	double last = 0;

	while (i < n && !status && (!most || observed < most)) {
		size_t first = i;

		while (i < n && piece[i].interval == piece[first].interval)
			i++;
		double load = settle_interval(piece + first, i - first, out->interval_s);
		if (isnan(load))
			continue;
		if (how->age_s > 0 && piece[first].interval * out->interval_s > how->age_s)
			break;
		if (observed && piece[first].interval > last + 1)
			status = add_gap(out, how->age_s > 0 ? piece[first].interval - last - 1 : 1, err);
		if (!status)
			status = ft_load_history_add(out, load, err);
		last = *oldest = piece[first].interval;
		observed++;
	}
	return status;
}

static enum ft_status cut_all(const struct ft_loads *loads, double interval_s, const struct ft_load *newest,
			      enum ft_sharing sharing, struct history_piece **out, size_t *n,
			      struct ft_err *err)
{
	double end = end_s(newest, newest->started_ns);
	size_t i;

	*n = 0;
	*out = NULL;
	for (i = 0; i < loads->n && *n <= PIECES_MOST; i++)
		*n += cut_pieces(&loads->load[i], end - end_s(&loads->load[i], newest->started_ns),
				 interval_s, sharing, NULL);
	if (*n > PIECES_MOST) {
		(void)ft_fail(
			err, FT_EINVAL,
			"an interval of %g s cuts the loads into more than %d pieces, or they span centuries",
			interval_s, PIECES_MOST);
		return ft_remedy(err, "choose a longer interval, and look at the times");
	}
	*out = ft_malloc((*n ? *n : 1) * sizeof **out);
	if (!*out)
		return ft_nomem(err);
	for (i = 0, *n = 0; i < loads->n; i++)
		*n += cut_pieces(&loads->load[i], end - end_s(&loads->load[i], newest->started_ns),
				 interval_s, sharing, *out + *n);
	return FT_OK;
}

static enum ft_status lay_intervals(struct ft_load_history *out, const struct ft_loads *loads,
				    const struct lay *how, struct ft_err *err)
{
	double interval_s = how->interval_s;
	const struct ft_load *newest = loads->load;
	struct history_piece *piece;
	double oldest = 0;
	size_t n;

	*out = (struct ft_load_history){0};
	if (!(interval_s > 0 && isfinite(interval_s)))
		return ft_fail(err, FT_EINVAL, "an interval of %g s", interval_s);
	out->interval_s = interval_s;
	if (!loads->n)
		return FT_OK;
	for (size_t i = 1; i < loads->n; i++)
		if (end_s(&loads->load[i], newest->started_ns) >= end_s(newest, newest->started_ns))
			newest = &loads->load[i];
	enum ft_status status = cut_all(loads, interval_s, newest, how->sharing, &piece, &n, err);
	if (status) {
		ft_load_history_clear(out);
		return status;
	}
	assert(piece);
	qsort(piece, n, sizeof *piece, by_interval);
	status = gather_intervals(out, piece, n, how, &oldest, err);
	ft_free(piece);
	for (size_t k = 0; k < out->n / 2; k++) {
		double swap = out->load[k];

		out->load[k] = out->load[out->n - 1 - k];
		out->load[out->n - 1 - k] = swap;
	}
	out->processors = newest->processors;
	out->start_ns =
		newest->started_ns + (int64_t)((newest->interval_s - (oldest + 1) * interval_s) * 1e9);
	if (status)
		ft_load_history_clear(out);
	return status;
}

enum ft_status ft_load_history_make(struct ft_load_history *out, const struct ft_loads *loads,
				    double interval_s, size_t most, enum ft_sharing sharing,
				    struct ft_err *err)
{
	const struct lay how = {interval_s, most, sharing, 0};

	return lay_intervals(out, loads, &how, err);
}

size_t ft_load_history_observed(const struct ft_load_history *history, size_t newest)
{
	size_t i = history->n > newest ? history->n - newest : 0, n = 0;

	for (; i < history->n; i++)
		n += isnan(history->load[i]) ? 0 : 1;
	return n;
}

struct ft_loads_summary ft_loads_summarise(const struct ft_loads *loads)
{
	struct ft_loads_summary s = {0};

	for (size_t i = 0; i < loads->n; i++) {
		const struct ft_load *seen = &loads->load[i];
		int64_t end_ns = seen->started_ns + (int64_t)(seen->interval_s * 1e9);

		s.seconds += seen->interval_s;
		s.load += seen->interval_s * seen->load;
		s.busy += seen->interval_s * seen->busy;
		s.steal += seen->interval_s * seen->steal;
		s.iowait += seen->interval_s * seen->iowait;
		s.end_ns = end_ns > s.end_ns ? end_ns : s.end_ns;
	}
	s.load /= s.seconds;
	s.busy /= s.seconds;
	s.steal /= s.seconds;
	s.iowait /= s.seconds;
	return s;
}

/*
 * The load of runs that began at each hour of the past, and predictions for a future hour.
 */

enum { HOUR_S = 60 * 60, HOURS = 24, SATURDAY = 6 };

/* The least number of intervals of a run, and the least distance of its starts: 60 in an hour are enough. */
enum { STEPS = 100, APART_S = 60 };

static const char *const alikes[] = {
#define TEXT(name, words) words,
	FT_LOAD_ALIKE_LIST(TEXT)
#undef TEXT
};
enum { ALIKES = sizeof alikes / sizeof *alikes };

const char *ft_load_alike_text(enum ft_load_alike alike)
{
	return alikes[alike];
}

void ft_load_hours_clear(struct ft_load_hours *hours)
{
	if (!hours)
		return;
	ft_free(hours->hour);
	*hours = (struct ft_load_hours){0};
}

/* ---- runs that would have begun ------------------------------------------------------------------------ */

/* A run, and how it would have fared. */
struct past {
	double busy_s, threads;
	double taken_s, load; /* out; the load on average */
};

/* From interval `first` on, until the work is done. False: a gap, or the history, ended before. */
static bool go_through(const struct ft_load_history *history, size_t first, struct past *past)
{
	double left = past->busy_s, sum = 0;

	past->taken_s = 0;
	for (size_t i = first; i < history->n && !isnan(history->load[i]); i++) {
		double slow = ft_load_slow_down(FT_SHARING_FAIR, past->threads, history->processors,
						history->load[i]);
		double taken = fmin(history->interval_s, left * slow);

		past->taken_s += taken;
		sum += taken * history->load[i];
		left -= taken / slow;
		if (left <= past->busy_s * 1e-9) {
			past->load = sum / past->taken_s;
			return true;
		}
	}
	return false;
}

static int64_t moment_of(const struct ft_load_history *history, size_t i)
{
	return history->start_ns / 1000000000 + (int64_t)((double)i * history->interval_s);
}

static struct ft_load_hour hour_of(int64_t at_s)
{
	struct tm tm;

	ft__local_show(at_s, &tm);
	return (struct ft_load_hour){
		.day = (at_s + tm.tm_gmtoff) / HOUR_S / HOURS, .week_day = tm.tm_wday, .hour = tm.tm_hour};
}

static enum ft_status begin_all(struct ft_load_hours *out, const struct ft_load_history *history,
				struct past *past, struct ft_err *err)
{
	size_t step = (size_t)fmax(1, round(APART_S / history->interval_s)), i, capacity = 0;

	for (i = 0; i < history->n; i += step) {
		struct ft_load_hour at = hour_of(moment_of(history, i)), *last, *grown;

		if (!go_through(history, i, past))
			continue;
		last = out->n ? &out->hour[out->n - 1] : NULL;
		if (!last || last->day != at.day || last->hour != at.hour) {
			grown = ft_grow(out->hour, out->n, &capacity, sizeof *grown);
			if (!grown)
				return ft_nomem(err);
			out->hour = grown;
			out->days += !out->n || grown[out->n - 1].day != at.day;
			last = &grown[out->n++];
			*last = at;
		}
		/* Running means, and the sum of squares about them (Welford). */
		double ln = log(past->taken_s / past->busy_s), off = ln - last->ln;

		last->begun++;
		last->ln += off / (double)last->begun;
		last->scatter += off * (ln - last->ln);
		last->load += (past->load - last->load) / (double)last->begun;
	}
	for (i = 0; i < out->n; i++)
		out->hour[i].scatter /= (double)(out->hour[i].begun > 1 ? out->hour[i].begun - 1 : 1);
	return FT_OK;
}

/* ---- hours that are alike ------------------------------------------------------------------------------ */

static bool of_weekend(const struct ft_load_hour *hour)
{
	return hour->week_day % SATURDAY == 0;
}

static bool is_alike(enum ft_load_alike alike, const struct ft_load_hour *a, const struct ft_load_hour *b)
{
	if (alike == FT_LOAD_ALIKE_ANY)
		return true;
	if (a->hour != b->hour || (alike == FT_LOAD_ALIKE_WORK && of_weekend(a) != of_weekend(b)))
		return false;
	return alike != FT_LOAD_ALIKE_WEEK || a->week_day == b->week_day;
}

/* Hours like one, without those of its own day. */
struct hours_group {
	double ln, between, scatter, load; /* means; between: the variance of their means */
	size_t hours, days;
};

static struct hours_group gather_alike(const struct ft_load_hours *hours, enum ft_load_alike alike,
				       const struct ft_load_hour *like, int64_t without_day)
{
	struct hours_group g = {0};
	int64_t day = INT64_MIN;

	for (size_t i = 0; i < hours->n; i++) {
		const struct ft_load_hour *hour = &hours->hour[i];
		double off = hour->ln - g.ln;

		if (hour->day == without_day || !is_alike(alike, hour, like))
			continue;
		double n = (double)++g.hours;
		g.days += hour->day != day;
		day = hour->day;
		g.ln += off / n;
		g.between += off * (hour->ln - g.ln);
		g.scatter += (hour->scatter - g.scatter) / n;
		g.load += (hour->load - g.load) / n;
	}
	/* Hours of one day are no more than one day where the next one is concerned. */
	if (g.days > 1)
		g.between *= (double)g.days / ((double)(g.days - 1) * (double)g.hours);
	return g;
}

/* Which of two kinds predicts left-out days better; over hours that both can predict. */
static bool predicts_better(const struct ft_load_hours *hours, enum ft_load_alike one,
			    enum ft_load_alike other)
{
	double error[2] = {0};

	for (size_t i = 0; i < hours->n; i++) {
		const struct ft_load_hour *hour = &hours->hour[i];
		struct hours_group a = gather_alike(hours, one, hour, hour->day),
				   b = gather_alike(hours, other, hour, hour->day);

		if (a.days + 1 < FT_LOAD_DAYS_LEAST || b.days + 1 < FT_LOAD_DAYS_LEAST)
			continue;
		error[0] += (a.ln - hour->ln) * (a.ln - hour->ln);
		error[1] += (b.ln - hour->ln) * (b.ln - hour->ln);
	}
	return error[0] < error[1];
}

enum ft_status ft_load_hours_make(struct ft_load_hours *out, const struct ft_loads *loads, double busy_s,
				  double threads, struct ft_err *err)
{
	struct past past = {.busy_s = busy_s, .threads = threads};
	struct ft_load_history history;
	/* load_history_timed - ft_load_history_make of the demand of other processes, but interval i began at
	 * start_ns + i D: a gap has as many NaN as its length. Intervals that ended more than age_s > 0 before the
	 * newest are left out. */
	const struct lay how = {(fmax(FT_LOAD_INTERVAL_S, busy_s / STEPS)), 0, FT_SHARING_FAIR,
				FT_LOAD_AGE_S};
	enum ft_status status = lay_intervals(&history, loads, &how, err);

	*out = (struct ft_load_hours){0};
	if (status)
		return status;
	status = begin_all(out, &history, &past, err);
	ft_load_history_clear(&history);
	if (!status && out->days < FT_LOAD_DAYS_LEAST) {
		status = ft_fail(
			err, FT_ENOMODEL,
			"the background load was recorded for the length of such a run on %zu days, and %d "
			"are needed to compare hours",
			out->days, FT_LOAD_DAYS_LEAST);
		(void)ft_remedy(err, "record it with 'foretime machine load record'");
	}
	for (int alike = FT_LOAD_ALIKE_ANY + 1; alike < ALIKES && !status; alike++)
		if (predicts_better(out, (enum ft_load_alike)alike, out->alike))
			out->alike = (enum ft_load_alike)alike;
	if (status)
		ft_load_hours_clear(out);
	return status;
}

/* ---- an hour to come ----------------------------------------------------------------------------------- */

void ft_load_hours_at(const struct ft_load_hours *hours, int64_t at_ns, double confidence,
		      struct ft_load_answer_hour *out)
{
	const struct ft_load_hour like = hour_of(at_ns / 1000000000);
	enum ft_load_alike alike = hours->alike;
	struct hours_group g = gather_alike(hours, alike, &like, INT64_MIN);

	while (g.days < FT_LOAD_DAYS_LEAST) /* all hours together are of so many */
		g = gather_alike(hours, --alike, &like, INT64_MIN);
	double wide = ft_student_t(confidence, (double)(g.days - 1)) *
		      sqrt(g.between * (1 + 1 / (double)g.days) + g.scatter);
	*out = (struct ft_load_answer_hour){.load = g.load,
					    .slow_down = exp(g.ln),
					    .lower = exp(g.ln - wide),
					    .upper = exp(g.ln + wide),
					    .alike = alike,
					    .hours = g.hours,
					    .days = g.days};
}

/* The hours of one day, [from, to): which of them the other days recommend. */
static bool judge_day(const struct ft_load_hours *hours, size_t from, size_t to, double *chosen, double *any,
		      double *best)
{
	double least = INFINITY;

	*chosen = *any = 0;
	*best = INFINITY;
	for (size_t i = from; i < to; i++) {
		const struct ft_load_hour *hour = &hours->hour[i];
		struct hours_group g = gather_alike(hours, hours->alike, hour, hour->day);

		*any += hour->ln / (double)(to - from);
		*best = fmin(*best, hour->ln);
		if (g.hours && g.ln < least) {
			least = g.ln;
			*chosen = hour->ln;
		}
	}
	return 2 * (to - from) >= HOURS && isfinite(least);
}

bool ft_load_hours_worth(const struct ft_load_hours *hours, struct ft_load_worth *out)
{
	size_t to;

	*out = (struct ft_load_worth){0};
	for (size_t from = 0; from < hours->n; from = to) {
		double chosen, any, best;

		for (to = from; to < hours->n && hours->hour[to].day == hours->hour[from].day; to++)
			;
		if (!judge_day(hours, from, to, &chosen, &any, &best))
			continue;
		double n = (double)++out->days;
		out->chosen += (chosen - out->chosen) / n;
		out->any += (any - out->any) / n;
		out->best += (best - out->best) / n;
	}
	out->chosen = exp(out->chosen);
	out->any = exp(out->any);
	out->best = exp(out->best);
	return out->days > 0;
}
