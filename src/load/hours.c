/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hours.c - what runs that began at each hour of the past met, and what that says of an hour to come. */
#include "base/alloc.h"
#include "load/history.h"
#include "num/stats.h"
#include "policy/local.h"

#include <math.h>

enum { HOUR_S = 60 * 60, HOURS = 24, SATURDAY = 6 };

/* Intervals of a run at least, and how far its beginnings are apart at least: 60 in an hour say as much. */
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

/* Running means, and the sum of squares about them (Welford). */
static void add_to_hour(struct ft_load_hour *hour, const struct past *past)
{
	double ln = log(past->taken_s / past->busy_s), off = ln - hour->ln;

	hour->begun++;
	hour->ln += off / (double)hour->begun;
	hour->scatter += off * (ln - hour->ln);
	hour->load += (past->load - hour->load) / (double)hour->begun;
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
		add_to_hour(last, past);
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

/* Which of two kinds foretells days that were left out better; of hours that both can tell of. */
static bool foretells_better(const struct ft_load_hours *hours, enum ft_load_alike one,
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
	enum ft_status status = ft__load_history_timed(
		&history, loads, fmax(FT_LOAD_INTERVAL_S, busy_s / STEPS), FT_LOAD_AGE_S, err);

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
		if (foretells_better(out, (enum ft_load_alike)alike, out->alike))
			out->alike = (enum ft_load_alike)alike;
	if (status)
		ft_load_hours_clear(out);
	return status;
}

/* ---- an hour to come ----------------------------------------------------------------------------------- */

void ft_load_hours_at(const struct ft_load_hours *hours, int64_t at_ns, double confidence,
		      struct ft_load_told_hour *out)
{
	const struct ft_load_hour like = hour_of(at_ns / 1000000000);
	enum ft_load_alike alike = hours->alike;
	struct hours_group g = gather_alike(hours, alike, &like, INT64_MIN);

	while (g.days < FT_LOAD_DAYS_LEAST) /* all hours together are of so many */
		g = gather_alike(hours, --alike, &like, INT64_MIN);
	double wide = ft_student_t(confidence, (double)(g.days - 1)) *
		      sqrt(g.between * (1 + 1 / (double)g.days) + g.scatter);
	*out = (struct ft_load_told_hour){.load = g.load,
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
