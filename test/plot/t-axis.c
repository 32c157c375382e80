/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-axis.c - every point lies within its axis, and tics stand at round values. */
#include "base/random.h"
#include "plot/plot.h"
#include "tap.h"

static bool unit_tics_are(double low, double high, bool log, const char *unit, int wanted,
			  const char *expected)
{
	struct ft__axis axis = {low, high, log, unit, false};
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
	ok(unit_tics_are(0, 3000, false, "s", 3, "set xtics ('0' 0 0, '1000 s' 1000 0, "),
	   "no thousands of seconds have a prefix");
	ok(unit_tics_are(0, 0.35, false, "s", 4, "set xtics ('0' 0 0, '100 ms' 0.1 0, '200 ms' 0.2 0, "),
	   "the same on all of an axis");
	ok(unit_tics_are(0, 3e9, false, "bytes", 3, "set xtics ('0' 0 0, '1 GiB' 1073741824 0, "),
	   "bytes go by 1024");
	ok(unit_tics_are(0, 4e8, false, "bytes", 4, "set xtics ('0' 0 0, '100 MiB' 104857600 0, "),
	   "and in tens within it");
	ok(unit_tics_are(1e6, 1e10, true, "bytes", 4, "set xtics ('1 MiB' 1048576 0, '' 2097152 1, "),
	   "in decades, too");
	ok(unit_tics_are(0, 4e4, false, "J", 4, "set xtics ('0' 0 0, '10000 J' 10000 0, "), "others");
	ok(unit_tics_are(0, 4e6, false, "J", 4, "set xtics ('0' 0 0, '1 MJ' 1000000 0, "), "with a prefix");
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
	ok(tics_are(0, 4e10, false, 4, "set xtics ('0' 0 0, '10 G' 10000000000 0, '20 G' 20000000000 0, "),
	   "large values carry a prefix");
	ok(tics_are(0, 1.2e9, false, 6, "set xtics ('0' 0 0, '0.2 G' 200000000 0, "),
	   "the same on all of a linear axis");
	ok(tics_are(0, 4e-6, false, 4, "set xtics ('0' 0 0, '1 µ' 1e-06 0, ") ||
		   tics_are(0, 4e-6, false, 4, "set xtics ('0' 0 0, '1 µ' 0.000001 0, "),
	   "small values carry a prefix");
	ok(tics_are(64, 700, true, 8,
		    "set xtics ('' 70 1, '' 80 1, '' 90 1, '100' 100 0, '200' 200 0, '' 300 1, '' "
		    "400 1, '500' 500 0, '' 600 1, '' 700 1)"),
	   "1-2-5 on a short logarithmic axis");
	ok(tics_are(1e-4, 10, true, 5, "set xtics ('100 µ' 0.0001 0, '' 0.0002 1, "),
	   "decades on a long one");
	ok(tics_are(1, 1e12, true, 4, "set xtics ('1' 1 0, '' 10 1, '' 100 1, '1 k' 1000 0, "),
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
	test_ranges();
	test_random();
	return done();
}
