/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c - when windows of the calendar are open. */
#include "policy/policy.h"

#include "policy/local.h"

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

/* Whether the day and the time of day are those of the window, whatever the hour and the minute. */
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

/* The minute of the day up to which nothing changes that is seen at this one: the window opens and closes at
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

static bool always_open(const struct ft_window *w)
{
	return w->minutes == FT__MINUTES && w->hours == FT__HOURS && w->month_days == FT__MONTH_DAYS &&
	       w->months == FT__MONTHS && w->week_days == FT__WEEK_DAYS && w->from == w->to;
}

int64_t ft_window_next(const struct ft_window *window, int64_t at_s)
{
	bool open = ft_window_open(window, at_s);
	int64_t t = at_s;

	if (always_open(window))
		return FT_NEVER;
	while (t - at_s < HORIZON_S) {
		struct tm tm;

		ft__local_show(t, &tm);
		int64_t seconds = (same_until(window, &tm) - tm.tm_hour * 60 - tm.tm_min) * 60 - tm.tm_sec;
		t = ft__local_pass(t, seconds > 0 ? seconds : 1);
		if (ft_window_open(window, t) != open)
			return t;
	}
	return FT_NEVER;
}
