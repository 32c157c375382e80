/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c - when windows of the calendar are open. */
#include "base/number.h"
#include "foretime/base.h"
#include "policy/policy.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void ft__phrase_add(struct ft__phrase *line, const char *format, ...)
{
	size_t at = line->length < line->size ? line->length : line->size;
	va_list args;

	va_start(args, format);
	int added = vsnprintf(at < line->size ? line->s + at : NULL, line->size - at, format, args);
	va_end(args);
	if (added > 0)
		line->length += (size_t)added;
}

/*
 * The wall clock: it is put forward and back, but rarely.
 */

enum { DAY_S = 24 * 60 * 60 };

void ft__local_show(int64_t at_s, struct tm *tm)
{
	time_t at = (time_t)at_s, epoch = 0;

	if (!localtime_r(&at, tm))
		(void)gmtime_r(&epoch, tm);
}

static int64_t offset_at(int64_t at_s)
{
	struct tm tm;

	ft__local_show(at_s, &tm);
	return tm.tm_gmtoff;
}

/* The first moment after `before` that has another offset; `after` has. */
static int64_t first_shifted(int64_t before, int64_t after)
{
	int64_t offset = offset_at(before);

	while (after - before > 1) {
		int64_t middle = before + (after - before) / 2;

		if (offset_at(middle) == offset)
			before = middle;
		else
			after = middle;
	}
	return after;
}

/* local_pass - the moment when this many seconds have passed on the wall clock, or before that the first
 * one after it was changed. seconds >= 1 and at most a day. */
static int64_t local_pass(int64_t at_s, int64_t seconds)
{
	return offset_at(at_s) == offset_at(at_s + seconds) ? at_s + seconds
							    : first_shifted(at_s, at_s + seconds);
}

/* A time that is shown twice has two offsets, the larger one first; one that is skipped has none, and the
 * clock shows a later one from the moment on when it is put forward. */
/* local_first - the first moment at which the wall clock shows a time or a later one; shown_s: that time,
 * counted as if it were UTC. */
static int64_t local_first(int64_t shown_s)
{
	int64_t a = shown_s - offset_at(shown_s - DAY_S), b = shown_s - offset_at(shown_s + DAY_S);
	int64_t early = a < b ? a : b, late = a < b ? b : a;

	if (early + offset_at(early) == shown_s)
		return early;
	if (late + offset_at(late) == shown_s)
		return late;
	return first_shifted(early, late);
}

/*
 * When windows of the calendar are open.
 */

enum { MINUTES = 24 * 60, HORIZON_S = 3653 * 24 * 60 * 60 };

static bool has_value(uint64_t set, int value)
{
	return set >> value & 1;
}

static bool has_day(const struct ft_window *w, const struct tm *tm)
{
	return has_value(w->month_days, tm->tm_mday) && has_value(w->months, tm->tm_mon + 1) &&
	       has_value(w->week_days, tm->tm_wday);
}

static bool has_day_before(const struct ft_window *w, const struct tm *tm)
{
	struct tm before = {
		.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday - 1, .tm_hour = 12};

	(void)timegm(&before);
	return has_day(w, &before);
}

/* Whether the day and the time of day are those of the window, ignoring hour and minute. */
static bool has_time(const struct ft_window *w, const struct tm *tm)
{
	int now = tm->tm_hour * 60 + tm->tm_min;

	if (w->from == w->to)
		return has_day(w, tm);
	if (w->from < w->to)
		return now >= w->from && now < w->to && has_day(w, tm);
	return now >= w->from ? has_day(w, tm) : now < w->to && has_day_before(w, tm);
}

bool ft_window_open(const struct ft_window *window, int64_t at_s)
{
	struct tm tm;

	ft__local_show(at_s, &tm);
	return has_time(window, &tm) && has_value(window->hours, tm.tm_hour) &&
	       has_value(window->minutes, tm.tm_min);
}

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

/* The minute of the day up to which the result at this one does not change: the window opens and closes at
 * ends of its time of day, and within it at those of hours and minutes. */
static int same_until(const struct ft_window *w, const struct tm *tm)
{
	int now = tm->tm_hour * 60 + tm->tm_min, end = MINUTES;

	if (w->from > now)
		end = w->from;
	if (w->to > now)
		end = least_of(end, w->to);
	if (!has_time(w, tm) || (w->hours == FT__HOURS && w->minutes == FT__MINUTES))
		return end;
	if (!has_value(w->hours, tm->tm_hour) || w->minutes == FT__MINUTES)
		return least_of(end, (tm->tm_hour + 1) * 60);
	return least_of(end, now + 1);
}

int64_t ft_window_next(const struct ft_window *window, int64_t at_s)
{
	bool open = ft_window_open(window, at_s);
	int64_t t = at_s;

	if (window->minutes == FT__MINUTES && window->hours == FT__HOURS &&
	    window->month_days == FT__MONTH_DAYS && window->months == FT__MONTHS &&
	    window->week_days == FT__WEEK_DAYS && window->from == window->to)
		return FT_NEVER;
	while (t - at_s < HORIZON_S) {
		struct tm tm;

		ft__local_show(t, &tm);
		int64_t seconds = (same_until(window, &tm) - tm.tm_hour * 60 - tm.tm_min) * 60 - tm.tm_sec;
		t = local_pass(t, seconds > 0 ? seconds : 1);
		if (ft_window_open(window, t) != open)
			return t;
	}
	return FT_NEVER;
}

/*
 * Windows of the calendar and moments, parsed and printed.
 */

/* The range of a set. Values above `most` up to `last` wrap around: day 7 is day 0. */
struct window_text_field {
	const char *word;
	int least, most, last;
	const char *const *names; /* of the values; NULL: numbers only */
};

static const char *const week_day_names[] = {"sunday",   "monday", "tuesday", "wednesday",
					     "thursday", "friday", "saturday"};
static const char *const month_names[] = {"january",   "february", "march",    "april",
					  "may",       "june",     "july",     "august",
					  "september", "october",  "november", "december"};

/* In the order of cron. */
enum { MINUTE, HOUR, MONTH_DAY, MONTH, WEEK_DAY, FIELDS, TIME = FIELDS };
static const struct window_text_field fields[FIELDS] = {
	[MINUTE] = {"minute", 0, 59, 59, NULL},       [HOUR] = {"hour", 0, 23, 23, NULL},
	[MONTH_DAY] = {"day", 1, 31, 31, NULL},       [MONTH] = {"month", 1, 12, 12, month_names},
	[WEEK_DAY] = {NULL, 0, 6, 7, week_day_names},
};

/* ---- reading ----------------------------------------------------------------------------------------- */

/* A value of a field: digits, or three letters and more of a name. */
static bool take_value(const struct window_text_field *field, const char **at, int *value)
{
	size_t letters = 0;
	int digits;

	for (*value = 0, digits = 0; isdigit((unsigned char)**at) && digits < 3; digits++, ++*at)
		*value = *value * 10 + (**at - '0');
	if (digits)
		return *value >= field->least && *value <= field->last;
	while (isalpha((unsigned char)(*at)[letters]))
		letters++;
	for (int i = field->least; field->names && letters >= 3 && i <= field->most; i++)
		if (!strncasecmp(field->names[i - field->least], *at, letters)) {
			*at += letters;
			*value = i;
			return true;
		}
	return false;
}

/* "A", "A-B", "*", the last two perhaps with "/STEP". A range that is reversed goes over the end. */
static bool take_range(const struct window_text_field *field, const char **at, uint64_t *set)
{
	static const struct window_text_field step_field = {.least = 1, .most = 59, .last = 59};
	int size = field->most - field->least + 1, from = field->least, to = field->most, step = 1;
	bool many = true;

	if (**at == '*')
		++*at;
	else if (!take_value(field, at, &from))
		return false;
	else if (**at == '-') {
		++*at;
		if (!take_value(field, at, &to))
			return false;
	} else {
		to = from;
		many = false;
	}
	if (many && **at == '/') {
		++*at;
		if (!take_value(&step_field, at, &step))
			return false;
	}
	for (int i = 0; i <= to - from + (to < from ? size : 0); i += step)
		*set |= UINT64_C(1) << (field->least + (from - field->least + i) % size);
	return true;
}

static bool take_set(const struct window_text_field *field, const char *at, uint64_t *set)
{
	for (*set = 0;; at++) {
		if (!take_range(field, &at, set))
			return false;
		if (*at != ',')
			return !*at;
	}
}

/* "HH:MM", up to 24:00. */
static bool take_time(const char **at, int *minutes)
{
	static const struct window_text_field hour = {.most = 24, .last = 24};
	int hours, rest;

	if (!take_value(&hour, at, &hours) || *(*at)++ != ':' || !isdigit((unsigned char)**at) ||
	    !isdigit((unsigned char)(*at)[1]) || !take_value(&fields[MINUTE], at, &rest))
		return false;
	*minutes = hours * 60 + rest;
	return *minutes <= 24 * 60;
}

static bool take_times(const char *at, struct ft_window *window)
{
	return take_time(&at, &window->from) && *at++ == '-' && take_time(&at, &window->to) && !*at &&
	       window->from != window->to && window->from < 24 * 60;
}

static bool take_field(const char *text, int which, struct ft_window *window)
{
	uint64_t set;

	if (!take_set(&fields[which], text, &set))
		return false;
	switch (which) {
	case MINUTE:
		window->minutes = set;
		break;
	case HOUR:
		window->hours = (uint32_t)set;
		break;
	case MONTH_DAY:
		window->month_days = (uint32_t)set;
		break;
	case MONTH:
		window->months = (uint32_t)set;
		break;
	default:
		window->week_days = (uint32_t)set;
	}
	return true;
}

/* The words of a text, which are cut apart. Returns how many; more than `most`: as many as that and one. */
static size_t split(char *text, char *word[], size_t most)
{
	char *rest = NULL;
	size_t n = 0;

	for (text = strtok_r(text, " \t", &rest); text; text = strtok_r(NULL, " \t", &rest)) {
		if (n == most)
			return n + 1;
		word[n++] = text;
	}
	return n;
}

static int field_of(const char *word)
{
	for (int i = 0; i < FIELDS; i++)
		if (fields[i].word && !strcasecmp(fields[i].word, word))
			return i;
	return isalpha((unsigned char)*word) ? WEEK_DAY : TIME;
}

/* Returns the word that is not understood, or is there twice; NULL: none. */
static const char *take_words(char *word[], size_t n, struct ft_window *window)
{
	unsigned had = 0;

	for (size_t i = 0; i < n; i++) {
		int which = field_of(word[i]);
		const char *value = which < WEEK_DAY ? i + 1 < n ? word[++i] : NULL : word[i];

		if (had >> which & 1 || !value)
			return word[i];
		had |= 1U << which;
		if (which == TIME ? !take_times(value, window) : !take_field(value, which, window))
			return value;
	}
	return NULL;
}

static const char *take_cron(char *word[], size_t n, struct ft_window *window)
{
	if (n != FIELDS)
		return word[0];
	for (int i = 0; i < FIELDS; i++)
		if (!take_field(word[i], i, window))
			return word[i];
	return NULL;
}

static enum ft_status fail_window(struct ft_err *err, const char *text, const char *word)
{
	(void)ft_fail(err, FT_EPARSE, "'%.100s' is not a time: '%.40s' is not understood", text, word);
	(void)ft_remedy(
		err, "write as in 'sat-sun', 'mon-fri 22:00-06:00', 'day 1-7 hour 0-5', '0-29 22-23 * * *'");
	return FT_EPARSE;
}

enum ft_status ft_window_parse(const char *text, struct ft_window *window, struct ft_err *err)
{
	struct ft_window w = {FT__MINUTES, FT__HOURS, FT__MONTH_DAYS, FT__MONTHS, FT__WEEK_DAYS, 0, 0};
	char copy[FT_WINDOW_LENGTH], *word[2 * FIELDS];
	const char *bad = NULL;

	if (strlen(text) >= sizeof copy)
		return ft_fail(err, FT_EPARSE, "'%.100s...' is too long for a window of time", text);
	(void)memcpy(copy, text, strlen(text) + 1);
	size_t n = split(copy, word, sizeof word / sizeof *word);
	if (!n || n > sizeof word / sizeof *word)
		return fail_window(err, text, text);
	if (n > 1 || strcasecmp(word[0], "always") != 0)
		bad = *word[0] == '*' || (isdigit((unsigned char)*word[0]) && !strchr(word[0], ':'))
			      ? take_cron(word, n, &w)
			      : take_words(word, n, &w);
	if (bad)
		return fail_window(err, text, bad);
	if (!ft_window_open(&w, 0) && ft_window_next(&w, 0) == FT_NEVER)
		return ft_fail(err, FT_EPARSE, "'%s' is open at no time", text);
	*window = w;
	return FT_OK;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void add_value(struct ft__phrase *line, const struct window_text_field *field, int value)
{
	if (field->names)
		ft__phrase_add(line, "%.3s", field->names[value - field->least]);
	else
		ft__phrase_add(line, "%d", value);
}

/* How many consecutive values of a set start at a place, wrapping around. */
static int run_length(const struct window_text_field *field, uint64_t set, int from)
{
	int size = field->most - field->least + 1, n = 0;

	while (n < size && set >> (field->least + (from - field->least + n) % size) & 1)
		n++;
	return n;
}

static void add_field(struct ft__phrase *line, int which, uint64_t set, uint64_t all)
{
	const struct window_text_field *field = &fields[which];

	if (set == all)
		return;
	ft__phrase_add(line, "%s", line->length ? " " : "");
	if (field->word)
		ft__phrase_add(line, "%s ", field->word);
	int size = field->most - field->least + 1;
	const char *comma = "";

	for (int i = field->least; i <= field->most; i++) {
		int before = i == field->least ? field->most : i - 1;
		int n = run_length(field, set, i);

		if (!n || set >> before & 1)
			continue;
		ft__phrase_add(line, "%s", comma);
		add_value(line, field, i);
		if (n > 1) {
			ft__phrase_add(line, "-");
			add_value(line, field, field->least + (i - field->least + n - 1) % size);
		}
		comma = ",";
	}
}

size_t ft_window_format(const struct ft_window *w, char *buffer, size_t length)
{
	struct ft__phrase line = {buffer, length, 0};

	add_field(&line, WEEK_DAY, w->week_days, FT__WEEK_DAYS);
	if (w->from != w->to)
		ft__phrase_add(&line, "%s%02d:%02d-%02d:%02d", line.length ? " " : "", w->from / 60,
			       w->from % 60, w->to / 60, w->to % 60);
	add_field(&line, MONTH_DAY, w->month_days, FT__MONTH_DAYS);
	add_field(&line, MONTH, w->months, FT__MONTHS);
	add_field(&line, HOUR, w->hours, FT__HOURS);
	add_field(&line, MINUTE, w->minutes, FT__MINUTES);
	if (!line.length)
		ft__phrase_add(&line, "always");
	return line.length;
}

/* ---- moments ----------------------------------------------------------------------------------------- */

enum ft_status ft_moment_parse(const char *text, int64_t *at_s, struct ft_err *err)
{
	static const char rest[] = "0000-00-00T00:00:00";
	size_t length = strlen(text), date = strlen("0000-00-00"), minutes = date + strlen("T00:00");
	bool utc = length && text[length - 1] == 'Z';
	char whole[64];
	int64_t ns;

	(void)snprintf(whole, sizeof whole, "%.40s%s", text,
		       length == date || length == minutes ? rest + length : "");
	if (length > 40 || !ft__moment_parse(whole, &ns)) {
		(void)ft_fail(err, FT_EPARSE, "'%.60s' is not a time", text);
		(void)ft_remedy(err, "write as in '2026-12-24 08:00', or '2026-12-24T08:00:00Z' for UTC");
		return FT_EPARSE;
	}
	*at_s = utc ? ns / 1000000000 : local_first(ns / 1000000000);
	return FT_OK;
}

char *ft_moment_format(int64_t at_s, char buffer[32])
{
	struct tm tm;

	if (at_s == FT_NEVER)
		return memcpy(buffer, "never", sizeof "never");
	ft__local_show(at_s, &tm);
	(void)strftime(buffer, 32, tm.tm_sec ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", &tm);
	return buffer;
}
