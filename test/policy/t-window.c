/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-window.c - windows of the calendar: read, written, opened and closed, also on the nights when clocks are
 * put forward or back. */
#include "policy-test.h"

#include "base/random.h"

static void test_words(void)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"sat-sun", "sat-sun"},
		{"SATURDAY,sunday", "sat-sun"},
		{"fri-mon", "fri-mon"},
		{"mon,wed,fri", "mon,wed,fri"},
		{"22:00-06:00", "22:00-06:00"},
		{"9:30-24:00", "09:30-24:00"},
		{"mon-fri 20:00-08:00", "mon-fri 20:00-08:00"},
		{"20:00-08:00 mon-fri", "mon-fri 20:00-08:00"},
		{"hour 22-5 minute 0-29", "hour 22-5 minute 0-29"},
		{"day 1-7,28 month jan-mar", "day 1-7,28 month jan-mar"},
		{"month nov-2", "month nov-feb"},
		{"minute 0-59/15", "minute 0,15,30,45"},
		{"*/30 22-23,0-5 * * 6,7", "sat-sun hour 22-5 minute 0,30"},
		{"* * * * sat", "sat"},
		{"* * * * 5-7", "fri-sun"},
		{"* * * * 0-7", "always"},
		{"* * * * *", "always"},
		{"always", "always"},
		{"  Always\t", "always"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_window w = window_of(cases[i].text), back;
		char shown[FT_WINDOW_LENGTH];

		(void)ft_window_format(&w, shown, sizeof shown);
		back = window_of(shown);
		ok(!strcmp(shown, cases[i].shown) && !memcmp(&w, &back, sizeof w), "'%s' is '%s'",
		   cases[i].text, shown);
	}
}

static void test_refused(void)
{
	static const char *const cases[] = {"",
					    " ",
					    "weekend",
					    "sa",
					    "sat sun",
					    "sat-",
					    "-sun",
					    "sat,,sun",
					    "22-6",
					    "22:00",
					    "22:00-",
					    "24:00-06:00",
					    "22:60-23:00",
					    "22:00-25:00",
					    "22:00-24:01",
					    "06:00-06:00",
					    "22:0-23:00",
					    "hour",
					    "hour 24",
					    "hour 22 hour 23",
					    "minute 60",
					    "minute 5/15",
					    "minute 0-59/0",
					    "minute 1000",
					    "day 0",
					    "day 32",
					    "month 0",
					    "month 13",
					    "month ja",
					    "year 2026",
					    "always sat",
					    "* * * *",
					    "* * * * * *",
					    "60 * * * *",
					    "* * * * 8",
					    "* * 30 2 *",
					    "day 31 month feb,apr,jun",
					    "hour 12 22:00-06:00",
					    "sat \x1b[31m",
					    "sat-sun\n"};
	char huge[4000];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_window window;
		struct ft_err err = {0};

		ok(ft_window_parse(cases[i], &window, &err) == FT_EPARSE && *err.text,
		   "'%s' is no window: %s", i < sizeof cases / sizeof *cases - 2 ? cases[i] : "a control",
		   err.text[0] ? "said" : "");
	}
	memset(huge, '*', sizeof huge - 1);
	huge[sizeof huge - 1] = '\0';
	ok(ft_window_parse(huge, &(struct ft_window){0}, NULL) == FT_EPARSE, "nor are 4,000 stars");
	ok(ft_window_parse("weekend", &(struct ft_window){0}, NULL) == FT_EPARSE, "nobody has to hear why");
}

/* All that may be said once, which is ten words; one more is too many. */
static void test_longest(void)
{
	static const char all[] = "minute 0-59 hour 0-23 day 1-31 month 1-12 sat 22:00-23:00";
	struct ft_window window = window_of(all), plain = window_of("sat 22:00-23:00");
	char longer[128];

	ok(!memcmp(&window, &plain, sizeof window), "'%s' is saturday night", all);
	(void)snprintf(longer, sizeof longer, "%s sun", all);
	ok(ft_window_parse(longer, &window, NULL) == FT_EPARSE, "'%s' is no window", longer);
}

/* Whether a window is open at each of some moments, "1" or "0". */
static void check_open(const char *window, const char *const *moments, const char *expected)
{
	struct ft_window w = window_of(window);

	for (size_t i = 0; moments[i]; i++)
		ok(ft_window_open(&w, at(moments[i])) == (expected[i] == '1'), "'%s' is %s at %s", window,
		   expected[i] == '1' ? "open" : "closed", moments[i]);
}

static void test_open(void)
{
	/* The 21st of November 2026 is a Saturday. */
	static const char *const week[] = {"2026-11-20 23:59:59", "2026-11-21", "2026-11-22 23:59:59",
					   "2026-11-23", NULL};
	static const char *const night[] = {"2026-11-20 21:59:59",
					    "2026-11-20 22:00",
					    "2026-11-21 05:59:59",
					    "2026-11-21 06:00",
					    "2026-11-21 22:00",
					    "2026-11-22 00:00",
					    NULL};
	static const char *const field[] = {"2026-12-24 03:14:59", "2026-12-24 03:15", "2026-12-24 03:16",
					    "2026-12-24 04:15",    "2026-12-25 03:15", NULL};

	check_open("sat-sun", week, "0110");
	check_open("fri 22:00-06:00", night, "011000");
	check_open("15 3 24 12 *", field, "01000");
}

static void test_clock_changes(void)
{
	static const char *const spring[] = {"2026-03-29 01:59:59", "2026-03-29 03:00", "2026-03-29 03:30",
					     NULL};
	static const char *const autumn[] = {"2026-10-25T00:29:59Z",
					     "2026-10-25T00:30:00Z",
					     "2026-10-25T00:59:59Z",
					     "2026-10-25T01:00:00Z",
					     "2026-10-25T01:30:00Z",
					     "2026-10-25T02:00:00Z",
					     NULL};

	check_open("02:30-04:00", spring, "011");
	struct ft_window w = window_of("02:15-02:45");
	ok(ft_window_next(&w, at("2026-03-29 01:00")) == at("2026-03-30 02:15"),
	   "a time that the clock skips does not come that night");
	w = window_of("02:30-04:00");
	ok(ft_window_next(&w, at("2026-03-29 01:00")) == at("2026-03-29 03:00"),
	   "one that it skips in part begins when it is put forward");
	check_open("02:30-03:00", autumn, "011010");
	w = window_of("02:30-03:00");
	ok(ft_window_next(&w, at("2026-10-25T00:45:00Z")) == at("2026-10-25T01:00:00Z") &&
		   ft_window_next(&w, at("2026-10-25T01:00:00Z")) == at("2026-10-25T01:30:00Z") &&
		   ft_window_next(&w, at("2026-10-25T01:30:00Z")) == at("2026-10-25T02:00:00Z"),
	   "one that it shows twice comes twice");
	w = window_of("sun");
	ok(at("2026-10-26") - ft_window_next(&w, at("2026-10-24 12:00")) == 25 * 3600 &&
		   ft_window_next(&w, at("2026-10-25")) == at("2026-10-26"),
	   "a Sunday may have 25 hours");
	ok(at("2026-03-29 02:30") == at("2026-03-29T01:00:00Z"), "02:30 that does not exist is 03:00");
	ok(at("2026-10-25 02:30") == at("2026-10-25T00:30:00Z"), "02:30 that is there twice is the first");
	set_zone(ZONE_LORD_HOWE);
	w = window_of("01:45-02:00");
	ok(ft_window_next(&w, at("2026-04-04T14:50:00Z")) == at("2026-04-04T15:00:00Z") &&
		   ft_window_next(&w, at("2026-04-04T15:00:00Z")) == at("2026-04-04T15:15:00Z"),
	   "a clock that is put back by half an hour");
	set_zone(ZONE_BERLIN);
}

static void random_text(char *text, size_t size, struct ft_random *random)
{
	static const char *const days[] = {"", "sat-sun ", "fri ", "mon,wed,fri "},
				 *const months[] = {"", "month mar,oct ", "day 25-31 ", "day 29 month 3 "},
				 *const fields[] = {"", "hour 2 ", "hour 22-3 ", "minute 0-59/20 ",
						    "hour 1-2 minute 30 "};
	int from = (int)ft_random_below(random, 24), to = (int)ft_random_below(random, 24);
	char times[32] = "";

	if (from != to && ft_random_below(random, 2))
		(void)snprintf(times, sizeof times, "%02d:%02d-%02d:15", from,
			       (int)ft_random_below(random, 60), to);
	(void)snprintf(text, size, "%s%s%s%s", days[ft_random_below(random, 4)],
		       months[ft_random_below(random, 4)], fields[ft_random_below(random, 5)], times);
}

/* Minute by minute: offsets of these zones are whole ones. */
static int64_t slow_next(const struct ft_window *w, int64_t from_s, int64_t to_s)
{
	bool open = ft_window_open(w, from_s);

	for (int64_t t = from_s - from_s % 60 + 60; t <= to_s; t += 60)
		if (ft_window_open(w, t) != open)
			return t;
	return to_s;
}

static void test_random(void)
{
	static const char *const zones[] = {ZONE_BERLIN, ZONE_LORD_HOWE, ZONE_APIA, "UTC0"};
	static const char *const starts[] = {"2026-03-27", "2026-10-23", "2026-04-03", "2026-10-02",
					     "2026-09-25"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(400), i, wrong = 0, tried = 0;

	for (i = 0; i < cases; i++) {
		char text[FT_WINDOW_LENGTH] = "";
		struct ft_window w;

		set_zone(zones[i % 4]);
		random_text(text, sizeof text, &random);
		if (ft_window_parse(text, &w, NULL))
			continue;
		int64_t from = at(starts[i % 5]) + (int64_t)ft_random_below(&random, 3 * 86400);
		int64_t next = slow_next(&w, from, from + 4 * 86400);
		tried++;
		if (ft_window_next(&w, from) != next && next < from + 4 * 86400) {
			diag("%s: '%s' at %lld: %lld, not %lld", zones[i % 4], text, (long long)from,
			     (long long)ft_window_next(&w, from), (long long)next);
			wrong++;
		}
	}
	ok(!wrong && tried > cases / 2, "%d windows open and close when a walk by minutes says (seed %llu)",
	   tried, (unsigned long long)test_seed());
	set_zone(ZONE_BERLIN);
}

static void test_far(void)
{
	struct ft_window w = window_of("29 2 29 2 *");

	ok(ft_window_next(&w, at("2026-11-21")) == at("2028-02-29 02:29"), "a leap day is waited for");
	w = window_of("always");
	ok(ft_window_open(&w, 0) && ft_window_next(&w, 0) == FT_NEVER, "what is always open never closes");
	w = window_of("sat-sun");
	(void)ft_window_open(&w, INT64_MAX - 1);
	ok(ft_window_next(&w, -1) == at("1970-01-03"), "also before 1970");
}

static void test_moments(void)
{
	static const char *const bad[] = {"",
					  "24:00",
					  "2026-13-01",
					  "2026-02-30",
					  "2026-12-24 8:00",
					  "tomorrow",
					  "2026-12-24 08:00:61",
					  "2026-12-24 08:00 and much that is no moment at all"};
	char shown[32];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(ft_moment_parse(bad[i], &(int64_t){0}, NULL) == FT_EPARSE, "'%s' is no moment", bad[i]);
	ok(at("2026-12-24") == at("2026-12-23T23:00:00Z") &&
		   at("2026-12-24 08:00") == at("2026-12-24T07:00:00Z"),
	   "moments are those of the zone");
	ok(!strcmp(ft_moment_format(at("2026-12-24 08:00"), shown), "2026-12-24 08:00"), "and shown so");
	ok(!strcmp(ft_moment_format(at("2026-12-24 08:00:07"), shown), "2026-12-24 08:00:07"),
	   "with seconds");
	ok(!strcmp(ft_moment_format(FT_NEVER, shown), "never"), "never");
}

int main(void)
{
	set_zone(ZONE_BERLIN);
	test_words();
	test_refused();
	test_longest();
	test_open();
	test_clock_changes();
	test_random();
	test_far();
	test_moments();
	return done();
}
