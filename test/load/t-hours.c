/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-hours.c - hours of the past, and what they say of an hour to come. */
#include "load-test.h"
#include "load/door.h"

#include <stdlib.h>
#include <time.h>

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };
static const int64_t monday_s = 1767571200; /* 2026-01-05 00:00 UTC */

/* Of `days` from a Monday on: the load that a function of day and hour says. */
static void fill(struct ft_loads *loads, int days, double interval_s, double (*load)(int day, int hour))
{
	double at = 0;

	*loads = (struct ft_loads){0};
	for (; at < (double)days * DAY_S; at += interval_s) {
		int day = (int)(at / DAY_S), hour = (int)(at / HOUR_S) % 24;
		double wanted = load(day, hour);
		const struct ft_load one = {.started_ns = (monday_s + (int64_t)at) * 1000000000,
					    .interval_s = interval_s,
					    .load = wanted,
					    .busy = NAN,
					    .processors = 2};

		if (!isnan(wanted))
			(void)ft_loads_add(loads, &one, NULL);
	}
}

static struct ft_random dice;

static double alike(int day, int hour)
{
	(void)day;
	(void)hour;
	return 3 * ft_random_uniform(&dice);
}

/* Full by day, 8 to 18. */
static double by_day(int day, int hour)
{
	(void)day;
	return hour >= 8 && hour < 18 ? 5 : 0.25;
}

static double by_work(int day, int hour)
{
	return day % 7 < 5 ? by_day(day, hour) : 0;
}

static double tuesdays(int day, int hour)
{
	return day % 7 == 1 ? 5 : by_day(day, hour);
}

static double nights_off(int day, int hour)
{
	return hour < 20 ? by_day(day, hour) : (double)NAN;
}

static struct ft_load_hours make(int days, double (*load)(int, int), double busy_s)
{
	struct ft_load_hours hours;
	struct ft_loads loads;
	struct ft_err err = {0};

	fill(&loads, days, 60, load);
	if (ft_load_hours_make(&hours, &loads, busy_s, 1, &err))
		diag("%s", err.text);
	ft_loads_clear(&loads);
	return hours;
}

static struct ft_load_answer_hour at(const struct ft_load_hours *hours, int day, int hour)
{
	struct ft_load_answer_hour told;

	ft_load_hours_at(hours, (monday_s + (int64_t)day * DAY_S + (int64_t)hour * HOUR_S) * 1000000000, 0.9,
			 &told);
	return told;
}

/* 2 processors: a load of 5 makes a run of one thread take (5 + 1) / 2 times as long, one of 0.25 no longer.
 */
static void test_day(void)
{
	struct ft_load_hours hours = make(10, by_day, 60);
	struct ft_load_answer_hour noon = at(&hours, 10, 12), night = at(&hours, 10, 3);
	struct ft_load_worth worth;

	ok(hours.days == 10 && hours.alike == FT_LOAD_ALIKE_DAY, "the hour of the day foretells best");
	ok(fabs(noon.slow_down - 3) < 1e-9 && fabs(night.slow_down - 1) < 1e-9,
	   "3 by day, 1 by night: %g, %g", noon.slow_down, night.slow_down);
	ok(fabs(noon.load - 5) < 1e-9 && noon.days == 10 && noon.hours == 10, "of 10 days");
	ok(fabs(noon.upper - 3) < 1e-9, "each day alike: no interval");
	ok(ft_load_hours_worth(&hours, &worth) && worth.days == 10, "10 days left out");
	ok(fabs(worth.chosen - 1) < 1e-9 && fabs(worth.best - 1) < 1e-9 &&
		   fabs(worth.any - pow(3, 10 / 24.0)) < 1e-3,
	   "choosing was worth it: %g, %g", worth.chosen, worth.any);
	ft_load_hours_clear(&hours);
}

static void test_kinds(void)
{
	struct ft_load_hours hours = make(21, by_work, 60);

	ok(hours.alike == FT_LOAD_ALIKE_WORK, "weekends are apart");
	ok(fabs(at(&hours, 21, 12).slow_down - 3) < 1e-9 && fabs(at(&hours, 26, 12).slow_down - 1) < 1e-9,
	   "Monday noon, Saturday noon");
	ft_load_hours_clear(&hours);
	hours = make(28, tuesdays, 60);
	ok(hours.alike == FT_LOAD_ALIKE_WEEK, "a day of its own");
	ok(fabs(at(&hours, 29, 3).slow_down - 3) < 1e-9 && at(&hours, 29, 3).days == 4, "Tuesday night");
	ft_load_hours_clear(&hours);
	dice.state = test_seed();
	hours = make(20, alike, 60);
	ok(hours.alike == FT_LOAD_ALIKE_ANY, "no hour is like itself: %s", ft_load_alike_text(hours.alike));
	ft_load_hours_clear(&hours);
}

/* A run that begins at 7:30 and needs an hour meets half an hour of each: half of it done, the other takes
 * three times as long. Longer than the machine is on: never ended. */
static void test_long(void)
{
	struct ft_load_hours hours = make(5, by_day, HOUR_S);
	struct ft_load_answer_hour seven = at(&hours, 5, 7);
	double ln = 0;

	for (int minute = 0; minute < 60; minute++)
		ln += log((60 - minute + 3 * minute) / 60.0) / 60;
	ok(fabs(log(seven.slow_down) - ln) < 0.01, "from seven on: %g, not %g", seven.slow_down, exp(ln));
	ft_load_hours_clear(&hours);
	hours = make(5, nights_off, 2 * HOUR_S);
	ok(hours.n && hours.hour[hours.n - 1].hour == 18, "what would go beyond the last hour did not end");
	ft_load_hours_clear(&hours);
	hours = make(5, nights_off, 21 * HOUR_S);
	ok(!hours.n, "none was on for so long");
	ft_load_hours_clear(&hours);
}

static void test_few(void)
{
	struct ft_load_hours hours;
	struct ft_loads loads;
	struct ft_err err = {0};

	fill(&loads, 2, 60, by_day);
	ok(ft_load_hours_make(&hours, &loads, 60, 1, &err) == FT_ENOMODEL && strstr(err.text, "on 2 days"),
	   "%s", err.text);
	ft_loads_clear(&loads);
	ok(ft_load_hours_make(&hours, &loads, 60, 1, &err) == FT_ENOMODEL, "nothing");
	hours = make(4, by_day, 60);
	ok(at(&hours, 4, 12).days >= FT_LOAD_DAYS_LEAST, "less likeness is enough");
	ft_load_hours_clear(&hours);
	ft_load_hours_clear(NULL);
}

/* The interval of an hour holds its share of days to come, of days that differ by chance. */
static double wanders(int day, int hour)
{
	static int of = -1;
	static double wanted;

	(void)hour;
	if (day != of)
		wanted = 3 * exp(0.5 * ft_random_normal(&dice));
	of = day;
	return wanted + 1;
}

static void test_promise(void)
{
	int trial, held = 0, trials = test_quick() ? 300 : 500;

	for (trial = 0; trial < trials; trial++) {
		struct ft_load_hours hours = make(5, wanders, HOUR_S / 4);
		double next = log((wanders(1000 + trial, 0) + 1) / 2);
		struct ft_load_answer_hour told = at(&hours, 5, 12);

		held += next >= log(told.lower) && next <= log(told.upper);
		ft_load_hours_clear(&hours);
	}
	ok(held > 0.86 * trials && held < 0.96 * trials, "90 %% of days to come: %d of %d", held, trials);
}

static void test_memory(void)
{
	struct ft_load_hours hours;
	struct ft_loads loads;
	size_t i;
	enum ft_status status = FT_ENOMEM;

	fill(&loads, 4, 600, by_day);
	for (i = 1; status == FT_ENOMEM; i++) {
		(void)ft_alloc_fail_at(i);
		status = ft_load_hours_make(&hours, &loads, 60, 1, NULL);
		(void)ft_alloc_fail_at(0);
	}
	ok(!status && i > 2, "memory that runs out: %zu places", i - 2);
	ft_load_hours_clear(&hours);
	ft_loads_clear(&loads);
}

int main(void)
{
	(void)setenv("TZ", "UTC", 1);
	tzset();
	test_day();
	test_kinds();
	test_long();
	test_few();
	test_promise();
	test_memory();
	return done();
}
