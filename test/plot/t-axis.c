/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-axis.c - every point lies within its axis, and tics stand at round values. */
#include "base/random.h"
#include "plot/plot.h"
#include "tap.h"

static bool unit_tics_are(double low, double high, bool log, const char *unit, int wanted,
			  const char *expected)
{
	struct ft__axis axis = {low, high, log, unit, false, false};
	struct ft_text text = {0};

	ft__axis_tics(&text, "x", &axis, wanted);
	bool same = text.s && strncmp(text.s, expected, strlen(expected)) == 0;
	if (!same)
		diag("%s", text.s);
	ft_text_clear(&text);
	return same;
}

static bool tics_are(double low, double high, bool log, int wanted, const char *expected)
{
	return unit_tics_are(low, high, log, NULL, wanted, expected);
}

static void test_units(void)
{
	ok(unit_tics_are(0.00095, 2, true, "s", 5, "set xtics ('1 ms' 0.001 0, '' 0.002 1, "),
	   "milliseconds");
	ok(unit_tics_are(0, 170, false, "s", 3, "set xtics ('0' 0 0, '50 s' 50 0, '100 s' 100 0, "),
	   "seconds");
	ok(unit_tics_are(0, 0.35, false, "s", 4, "set xtics ('0' 0 0, '100 ms' 0.1 0, '200 ms' 0.2 0, "),
	   "the same on all of an axis");
	ok(unit_tics_are(0, 3e9, false, "bytes", 3, "set xtics ('0' 0 0, '1 GiB' 1073741824 0, "),
	   "bytes go by 1024");
	ok(unit_tics_are(0, 4e8, false, "bytes", 4, "set xtics ('0' 0 0, '100 MiB' 104857600 0, "),
	   "and in tens within it");
	ok(unit_tics_are(1e6, 1e10, true, "bytes", 4, "set xtics ('1 MiB' 1048576 0, '' 2097152 1, "),
	   "in decades, too");
	ok(unit_tics_are(0, 4e4, false, "J", 4, "set xtics ('0' 0 0, '10 kJ' 10000 0, "), "others");
	ok(unit_tics_are(0, 4e6, false, "J", 4, "set xtics ('0' 0 0, '1 MJ' 1000000 0, "), "with a prefix");
}

static void test_times(void)
{
	ok(unit_tics_are(0, 3000, false, "s", 4, "set xtics ('0' 0 0, '10 min' 600 0, '20 min' 1200 0, "),
	   "minutes");
	ok(unit_tics_are(0, 12000, false, "s", 4, "set xtics ('0' 0 0, '1 h' 3600 0, '2 h' 7200 0, "),
	   "hours");
	ok(unit_tics_are(0, 100000, false, "s", 4, "set xtics ('0' 0 0, '6 h' 21600 0, '12 h' 43200 0, "),
	   "a quarter of a day");
	ok(unit_tics_are(0, 4e6, false, "s", 5, "set xtics ('0' 0 0, '10 d' 864000 0, '20 d' 1728000 0, "),
	   "days");
	ok(unit_tics_are(11000, 12000, false, "s", 4,
			 "set xtics ('3.1 h' 11160 0, '3.15 h' 11340 0, '3.2 h' 11520 0, "
			 "'3.25 h' 11700 0, '3.3 h' 11880 0)"),
	   "a part of an hour, where an axis is short");
	ok(unit_tics_are(0.5, 4000, true, "s", 4,
			 "set xtics ('' 0.5 1, '1 s' 1 0, '' 2 1, '' 5 1, '10 s' 10 0, '' 20 1, '' 30 1, '1 "
			 "min' 60 0, '' 120 1, "
			 "'' 300 1, '10 min' 600 0, '' 1200 1, '1 h' 3600 0)"),
	   "of a logarithmic axis a minute, ten, an hour");
	ok(unit_tics_are(
		   50, 1e8, true, "s", 5,
		   "set xtics ('' 60 1, '' 120 1, '' 300 1, '10 min' 600 0, '' 1200 1, '' 3600 1, '' 7200 1, "
		   "'' 21600 1, '' 43200 1, '1 d' 86400 0, "),
	   "every second one of a long one");
}

/* 2023-11-14 22:13:20 UTC is 1700000000 s. */
static void test_dates(void)
{
	const double t = 1700000000, day = 86400;

	ok(unit_tics_are(t, t + 8 * 3600, false, "date", 4,
			 "set xtics ('15 Nov' 1700006400 0, '02:00' 1700013600 0, '04:00' 1700020800 0, "
			 "'06:00' 1700028000 0)"),
	   "hours, and the date at midnight");
	ok(unit_tics_are(t, t + 50, false, "date", 5,
			 "set xtics ('22:13:20' 1700000000 0, '22:13:30' 1700000010 0, "),
	   "seconds");
	ok(unit_tics_are(t, t + 10 * day, false, "date", 5,
			 "set xtics ('15 Nov' 1700006400 0, '17 Nov' 1700179200 0, "),
	   "days");
	ok(unit_tics_are(t, t + 100 * day, false, "date", 4,
			 "set xtics ('Dec' 1701388800 0, '2024' 1704067200 0, 'Feb' 1706745600 0)"),
	   "months, and the year in January");
	ok(unit_tics_are(-2 * 366 * day, 3 * 366 * day, false, "date", 5,
			 "set xtics ('1968' -63158400 0, '1969' -31536000 0, '1970' 0 0, "),
	   "years, also before 1970");
}

static void test_whole(void)
{
	struct ft__axis axis = {0.9, 3.2, false, NULL, false, true};
	struct ft__tic tic[FT__TICS_MOST];

	ok(ft__axis_places(&axis, 8, tic) == 3 && tic[0].at == 1 && tic[2].at == 3,
	   "of whole numbers no tic lies between two");
	axis.low = 1.01;
	axis.high = 1.02;
	ok(ft__axis_places(&axis, 4, tic) > 1, "except where none has one");
	ok(tics_are(0, 40000, false, 4, "set xtics ('0' 0 0, '10k' 10000 0, '20k' 20000 0, "), "thousands");
	ok(tics_are(100, 2e6, true, 5, "set xtics ('100' 100 0, ") &&
		   tics_are(1e5, 2e6, true, 8, "set xtics ('100k' 100000 0, '200k' 200000 0, "),
	   "and millions of a logarithmic axis");
}

static void test_tics(void)
{
	ok(tics_are(0, 3000, false, 6, "set xtics ('0' 0 0, '500' 500 0, '1000' 1000 0, '1500' 1500 0, "),
	   "sizes are written out");
	ok(tics_are(0, 3000, false, 3,
		    "set xtics ('0' 0 0, '1000' 1000 0, '2000' 2000 0, '3000' 3000 0)\n"
		    "set xrange [0:3000]\nunset logscale x\n"),
	   "a whole command");
	ok(tics_are(-0.1, 0.35, false, 4, "set xtics ('-0.1' -0.1 0, '0' 0 0, '0.1' 0.1 0, '0.2' 0.2 0"),
	   "no minus before zero");
	ok(tics_are(0.05, 0.95, false, 10, "set xtics ('0.1' 0.1 0, '0.2' 0.2 0, '0.3' 0.3 0, "),
	   "0.3 is 0.3");
	ok(tics_are(0, 4e10, false, 4, "set xtics ('0' 0 0, '10G' 10000000000 0, '20G' 20000000000 0, "),
	   "large values carry a prefix");
	ok(tics_are(0, 1.2e9, false, 6, "set xtics ('0' 0 0, '0.2G' 200000000 0, "),
	   "the same on all of a linear axis");
	ok(tics_are(0, 4e-6, false, 4, "set xtics ('0' 0 0, '1µ' 1e-06 0, ") ||
		   tics_are(0, 4e-6, false, 4, "set xtics ('0' 0 0, '1µ' 0.000001 0, "),
	   "small values carry a prefix");
	ok(tics_are(64, 700, true, 8,
		    "set xtics ('' 70 1, '' 80 1, '' 90 1, '100' 100 0, '200' 200 0, '' 300 1, '' "
		    "400 1, '500' 500 0, '' 600 1, '' 700 1)"),
	   "1-2-5 on a short logarithmic axis");
	ok(tics_are(1e-4, 10, true, 5, "set xtics ('100µ' 0.0001 0, '' 0.0002 1, "), "decades on a long one");
	ok(tics_are(1, 1e12, true, 4, "set xtics ('1' 1 0, '' 10 1, '' 100 1, '1k' 1000 0, "),
	   "every so many on a longer one");
	ok(tics_are(100, 300, true, 4, "set xtics ('100' 100 0, '150' 150 0, '200' 200 0, "),
	   "a very short one is as a linear one");
}

static void test_ranges(void)
{
	const double x[] = {64, 3000}, y[] = {1, 20}, close[] = {19, 20}, same[] = {7, 7},
		     rounded[] = {7, 7 * (1 + 1e-15)}, negative[] = {-3, 5};
	struct ft_series series = {.kind = FT_SERIES_LINE, .x = x, .y = y, .n = 2};
	struct ft_panel panel = {.series = &series, .n = 1};
	struct ft__axis axis = ft__axis_x(&panel);

	ok(axis.low < 64 && axis.low > 0 && axis.high > 3000 && axis.high < 3100, "a little air around x");
	axis = ft__axis_y(&panel);
	ok(axis.low == 0 && axis.high > 20 && axis.high < 22, "y starts at zero");
	series.y = close;
	axis = ft__axis_y(&panel);
	ok(axis.low > 18.5 && axis.low < 19, "not when the values lie close together");
	series.y = same;
	axis = ft__axis_y(&panel);
	ok(axis.low < 7 && axis.high > 7, "a constant has a range");
	series.y = rounded;
	axis = ft__axis_y(&panel);
	ok(axis.low < 6.9 && axis.high > 7.1, "so has one with rounding errors");
	series.y = negative;
	axis = ft__axis_y(&panel);
	ok(axis.low < -3 && axis.high > 5, "negative values are shown");
	panel.log_y = true;
	axis = ft__axis_y(&panel);
	ok(axis.log && axis.low > 0 && axis.low < 5 && axis.high > 5, "not on a logarithmic axis");
	series.n = 0;
	axis = ft__axis_y(&panel);
	ok(axis.log && axis.low == 1 && axis.high == 10, "an axis of nothing");
}

static double any_value(struct ft_random *random)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e300, 1e-300, 1e139, 1e-139};
	size_t k = ft_random_below(random, 40);

	return k < sizeof odd / sizeof *odd ? odd[k] : exp(20 * ft_random_normal(random));
}

/* Labelled tics of a command; -1 when one lies outside of the axis. */
static int count_tics(const char *text, const struct ft__axis *axis)
{
	const double slack = 1e-6 * (axis->log ? axis->low : axis->high - axis->low);
	int count = 0;

	for (const char *s = strstr(text, "'"); s && *s != ')';) {
		const char *label = s + 1, *after = strchr(label, '\'');
		char *end;
		double at = strtod(after + 1, &end);

		if (!(at >= axis->low - slack && at <= axis->high + slack))
			return -1;
		count += after > label;
		s = strpbrk(end, "')");
	}
	return count;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0;

	for (int round = 0; round < test_cases(2000) && !bad; round++) {
		double x[5], y[5], low[5], high[5];
		static const char *const unit[] = {NULL, "s", "bytes", "J", ""};
		struct ft_series series = {.kind = (unsigned)ft_random_below(&random, 3),
					   .x = x,
					   .y = y,
					   .lower = low,
					   .upper = high,
					   .n = ft_random_below(&random, 6)};
		struct ft_panel panel = {.log_x = ft_random_below(&random, 2),
					 .log_y = ft_random_below(&random, 2),
					 .series = &series,
					 .n = 1,
					 .y_unit = unit[ft_random_below(&random, 5)]};
		struct ft__axis axis[2];
		int wanted = 3 + (int)ft_random_below(&random, 9);

		for (size_t i = 0; i < 5; i++) {
			x[i] = any_value(&random);
			y[i] = any_value(&random);
			low[i] = any_value(&random);
			high[i] = any_value(&random);
		}
		axis[0] = ft__axis_x(&panel);
		axis[1] = ft__axis_y(&panel);
		for (size_t i = 0; i < series.n; i++)
			if (ft__series_has(&panel, &series, i))
				bad += !(x[i] >= axis[0].low && x[i] <= axis[0].high) ||
				       (series.kind != FT_SERIES_BAND &&
					!(y[i] >= axis[1].low && y[i] <= axis[1].high));
		for (int k = 0; k < 2; k++) {
			struct ft_text text = {0};

			bad += !(axis[k].low < axis[k].high) || !isfinite(axis[k].low) ||
			       !isfinite(axis[k].high);
			ft__axis_tics(&text, "y", &axis[k], wanted);
			int count = text.s ? count_tics(text.s, &axis[k]) : -1;
			bad += count < 1 || count > 3 * wanted + 3;
			if (bad)
				diag("round %d: %d tics of %d: %s", round, count, wanted,
				     text.s ? text.s : "");
			ft_text_clear(&text);
		}
	}
	if (!ok(!bad, "random series lie within their axes"))
		diag("seed %llu", (unsigned long long)test_seed());
}

int main(void)
{
	test_tics();
	test_units();
	test_times();
	test_dates();
	test_whole();
	test_ranges();
	test_random();
	return done();
}
