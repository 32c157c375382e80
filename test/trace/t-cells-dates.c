/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cells-dates.c - cells as dates and clocks, beside timegm. */
#include "cells-test.h"

#include <time.h>

static bool clock_is(const char *text, double expected)
{
	double seconds = -1;

	return ft__cell_clock((struct ft__cell){text, text + strlen(text)}, &seconds) && seconds == expected;
}

static bool no_clock(const char *text)
{
	double seconds;

	return !ft__cell_clock((struct ft__cell){text, text + strlen(text)}, &seconds);
}

static void by_hand(void)
{
	ok(clock_is("10:00:07", 36007) && clock_is("120:00:00.25", 432000.25) && clock_is("0:00:60", 60),
	   "clocks");
	ok(no_clock("10:00") && no_clock("10:60:00") && no_clock("1:2:3") && no_clock("10:00:00 AM") &&
		   no_clock(":00:00") && no_clock("10:00:00x"),
	   "and no clocks");
}

/* A moment's parts as they are written. */
struct moment {
	int year, month, day, hour, minute, second, zone_hour, zone_minute;
};

static struct moment any_moment(struct ft_random *random)
{
	struct moment moment = {.year = 1678 + below(random, 584),
				.month = 1 + below(random, 12),
				.day = 1 + below(random, 31),
				.hour = below(random, 24),
				.minute = below(random, 60),
				.second = below(random, 61),
				.zone_hour = below(random, 19),
				.zone_minute = below(random, 60)};

	if (below(random, 3) == 0) { /* one of them just outside */
		int *part[] = {&moment.year,   &moment.month,  &moment.day,       &moment.hour,
			       &moment.minute, &moment.second, &moment.zone_hour, &moment.zone_minute};
		static const int outside[8][2] = {{1677, 2262}, {0, 13},  {0, 32},  {24, 24},
						  {60, 60},     {61, 61}, {19, 19}, {60, 60}};
		int which = below(random, 8);

		*part[which] = outside[which][below(random, 2)];
	}
	if (below(random, 4) == 0) {
		moment.month = 2;
		moment.day = 28 + below(random, 2);
		moment.year = 1700 + 100 * below(random, 5) + below(random, 5);
	}
	return moment;
}

static int length_of(int year, int month)
{
	static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100);

	return length[month - 1] + (leap && month == 2);
}

/* Writes it in one of the forms. Returns whether it is one, and its nanoseconds since 1970. */
static bool write_moment(struct ft_random *random, struct moment m, char s[LENGTH], int64_t *ns)
{
	const char *sign = ONE_OF("-", "/", ""), *end = "";
	bool has_time = below(random, 4), has_seconds = below(random, 3),
	     has_fraction = below(random, 3) == 0;
	struct tm tm = {.tm_year = m.year - 1900, .tm_mon = m.month - 1, .tm_mday = m.day};
	bool good = m.year >= 1678 && m.year <= 2261 && m.month >= 1 && m.month <= 12 && m.day >= 1 &&
		    m.day <= length_of(m.year, m.month);
	int east = 0, second = has_seconds ? m.second : 0;
	char zone[16] = "";

	(void)snprintf(s, LENGTH, "%04d%s%02d%s%02d", m.year, sign, m.month, sign, m.day);
	*ns = good ? (int64_t)timegm(&tm) * 1000000000 : 0;
	if (!has_time)
		return good;
	good = good && m.hour < 24 && m.minute < 60 && second < 61;
	add(s, ONE_OF("T", "t", " "));
	(void)snprintf(s + strlen(s), LENGTH - strlen(s), "%02d:%02d", m.hour, m.minute);
	if (has_seconds)
		(void)snprintf(s + strlen(s), LENGTH - strlen(s), ":%02d", m.second);
	if (has_fraction) {
		static const int64_t unit[] = {0, 100000000, 1, 987654321};
		size_t which = ft_random_below(random, 4);

		add(s, ONE_OF(".", ","));
		add(s, ((const char *[]){"", "1", "000000001", "98765432199"})[which]); /* cut, not rounded */
		*ns += unit[which];
	}
	int form = below(random, 5);
	if (form == 0)
		end = ONE_OF("Z", "z", " Z", "UTC", " UTC", "GMT");
	if (form >= 2) {
		bool west = below(random, 2);

		good = good && m.zone_hour < 19 && (form == 2 || m.zone_minute < 60);
		east = (60 * m.zone_hour + (form == 2 ? 0 : m.zone_minute)) * (west ? -1 : 1);
		(void)snprintf(zone, sizeof zone,
			       form == 2   ? "%s%02d"
			       : form == 3 ? "%s%02d%02d"
					   : "%s%02d:%02d",
			       west ? "-" : "+", m.zone_hour, m.zone_minute);
	}
	add(s, *zone ? zone : end);
	*ns += (((int64_t)m.hour * 60 + m.minute - east) * 60 + second) * 1000000000;
	return good;
}

static bool same_date(const char *s, bool good, int64_t expected)
{
	struct text text;
	int64_t ns = -1;

	return ft__cell_date(*text_of(&text, s), &ns) == good && (!good || ns == expected);
}

static void dates(void)
{
	static const char *const none[] = {"",
					   "2026",
					   "2026-1-01",
					   "202601-01",
					   "2026-0101",
					   "2026-01-01x",
					   "2026-01-01T",
					   "2026-01-01T10",
					   "2026-01-01T10:",
					   "2026-01-01T1:00",
					   "2026-01-01T10:0",
					   "2026-01-01T10:00:",
					   "2026-01-01T10:00:0",
					   "2026-01-01T10:00+",
					   "2026-01-01T10:00+1",
					   "2026-01-01T10:00+01:",
					   "2026-01-01T10:00+01:3",
					   "2026-01-01T10:00X",
					   "2026-01-01T10:00ZZ",
					   "2026-01-01T10:00UT",
					   "2026-01-01T10:00UTCx",
					   "2026-01-01Z",
					   "2026-01-01T10:00 +0100 ",
					   "-026-01-01",
					   "2026-01-01T10.30"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, dates = 0, i;
	char s[LENGTH];
	int64_t ns;

	for (size_t k = 0; k < sizeof none / sizeof *none; k++)
		if (!same_date(none[k], false, 0)) {
			bad++;
			diag("'%s'", none[k]);
		}
	for (i = 0; i < cases; i++) {
		bool good = write_moment(&random, any_moment(&random), s, &ns);

		dates += good;
		if (!same_date(s, good, ns)) {
			bad++;
			diag("'%s' %d", s, good);
		}
	}
	ok(!bad && dates > cases / 3,
	   "dates are those of timegm, and what is none is none: %d of %d are some", dates, cases);
}

static void clocks(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(10000), bad = 0, i;
	char s[LENGTH];

	for (i = 0; i < cases; i++) {
		static const char *const fraction[] = {"", ".25", ".", ".x", "x", " "};
		unsigned hours = (unsigned)ft_random_below(&random, 1000000000) * (i % 8 == 0);
		int minute = below(&random, 61), second = below(&random, 62), which = below(&random, 6);
		bool good = minute < 60 && second < 61 && which < 2;
		struct text text;
		double seconds = -1;

		hours = i % 8 ? (unsigned)below(&random, 30) : hours;
		(void)snprintf(s, sizeof s, i % 16 == 1 ? "%010u:%02d:%02d%s" : "%u:%02d:%02d%s", hours,
			       minute, second, fraction[which]);
		good = good && i % 16 != 1; /* of ten digits there are no hours */
		bool same = ft__cell_clock(*text_of(&text, s), &seconds) == good &&
			    (!good ||
			     seconds == 3600.0 * hours + 60.0 * minute + second + (which == 1 ? 0.25 : 0));
		bad += !same;
		if (!same)
			diag("'%s'", s);
	}
	ok(!bad, "%d clocks", cases);
}

int main(void)
{
	by_hand();
	dates();
	clocks();
	return done();
}
