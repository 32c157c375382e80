/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-units.c - numbers at the edge: every form that is read, every form that is refused, every width of print.
 */
#include "base/random.h"
#include "foretime/base.h"
#include "tap.h"

#include <locale.h>
#include <strings.h>

typedef enum ft_status parser(const char *, double *, struct ft_err *);

struct example {
	const char *text;
	double value; /* NaN: refused */
};

static void check(const char *what, parser *parse, const struct example *example, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ft_err err = {0};
		double value = -1;
		enum ft_status status = parse(example[i].text, &value, &err);

		if (isnan(example[i].value))
			ok(status == FT_EPARSE && value == 0 && strstr(err.text, example[i].text) &&
				   *err.remedy,
			   "%s refuses '%s': %s", what, example[i].text, err.text);
		else if (!ok(status == FT_OK && value == example[i].value, "%s reads '%s'", what,
			     example[i].text))
			diag("got %.17g: %s", value, err.text);
	}
}

#define CHECK(what, parse, ...)                                                                              \
	check(what, parse, (const struct example[]){__VA_ARGS__},                                            \
	      sizeof((const struct example[]){__VA_ARGS__}) / sizeof(struct example))

static enum ft_status share_0_1(const char *text, double *share, struct ft_err *err)
{
	return ft_share_parse(text, 0, 1, share, err);
}

static enum ft_status share_1_50(const char *text, double *share, struct ft_err *err)
{
	return ft_share_parse(text, 0.01, 0.5, share, err);
}

static enum ft_status joules(const char *text, double *value, struct ft_err *err)
{
	return ft_value_parse(text, "J", value, err);
}

static enum ft_status count(const char *text, double *value, struct ft_err *err)
{
	return ft_value_parse(text, "", value, err);
}

static enum ft_status seconds_value(const char *text, double *value, struct ft_err *err)
{
	return ft_value_parse(text, "s", value, err);
}

static enum ft_status bytes_value(const char *text, double *value, struct ft_err *err)
{
	return ft_value_parse(text, "bytes", value, err);
}

static void parse_examples(void)
{
	CHECK("number", ft_number_parse, {"0", 0}, {"3000", 3000}, {"-2.5", -2.5}, {"+7", 7}, {".5", .5},
	      {"5.", 5}, {"1e6", 1e6}, {"1E-3", 1e-3}, {"64k", 64e3}, {"1.5M", 1.5e6}, {"2G", 2e9},
	      {"2 G", 2e9}, {"4.9e-324", 4.9e-324}, {"1e-999", 0}, {"", NAN}, {" ", NAN}, {" 1", NAN},
	      {"1 ", NAN}, {"k", NAN}, {"1e", NAN}, {"1e999", NAN}, {"1e308k", NAN}, {"nan", NAN},
	      {"inf", NAN}, {"infinity", NAN}, {"0x10", NAN}, {"0x1p3", NAN}, {"1,5", NAN}, {"1.2.3", NAN},
	      {"--1", NAN}, {"5 kk", NAN}, {".", NAN}, {"-", NAN}, {"e5", NAN});
	CHECK("duration", ft_duration_parse, {"30s", 30}, {"1.5h", 5400}, {"2m", 120}, {"2min", 120},
	      {"10ms", 0.01}, {"3ms", 0.003}, {"250us", 250e-6}, {"7ns", 7e-9}, {"3d", 259200},
	      {"1:30:00", 5400}, {"100:00:00.5", 360000.5}, {"0:0:1", 1}, {"12", 12}, {"0", 0},
	      {"1.23 s", 1.23}, {"1:60:00", NAN}, {"1:00:60", NAN}, {"1:-5:00", NAN}, {":1:2", NAN},
	      {"1:2:", NAN}, {"1:2:3:4", NAN}, {"-1s", NAN}, {"5 weeks", NAN}, {"", NAN}, {"s", NAN},
	      {"1e999", NAN}, {"12 ", NAN}, {"+5s", 5});
	CHECK("duration of several units", ft_duration_parse, {"1h30m", 5400}, {"10m30s", 630},
	      {"1h 30m", 5400}, {"2 d 3 h", 183600}, {"1.5 h", 5400}, {"1 min 05 s", 65},
	      {"2 d 03 h", 183600}, {"1d2h3m4.5s", 93784.5}, {"3 hours 2 minutes", 10920}, {"1s 500ms", 1.5},
	      {"2 years", 2 * 365.25 * 86400}, {"1h30", NAN}, {"30m1h", NAN}, {"1h1h", NAN}, {"1h-30m", NAN},
	      {"1h+30m", NAN}, {"1h  30m", NAN}, {"1h 30m ", NAN}, {"5 5", NAN}, {"1h,30m", NAN},
	      {"10mm", NAN}, {"1,000", NAN}, {"1,000,000 s", 1e6}, {"1_000s", 1000}, {"1.5,000s", NAN},
	      {"5 MB", NAN}, {"5K", NAN});
	CHECK("clock", ft_duration_parse, {"10:30", 630}, {"90:00", 5400}, {"0:05.25", 5.25},
	      {"1-00:42:00", 88920}, {"1-12", 129600}, {"1-12:30", 131400}, {"0-48:00:00", 172800},
	      {"00:00:01.5", 1.5}, {"1:30", 90}, {"1-12:30.5", NAN}, {"1-12:60", NAN}, {"10:60", NAN},
	      {"10:3.", NAN}, {"1:2e1", NAN}, {"1:2.5e1", NAN}, {"1-", NAN}, {"-1:00", NAN}, {"1-2-3", NAN},
	      {"1.5-00:00", NAN}, {"1-1:1:1:1", NAN}, {"2024-01-31", NAN}, {"1:30:00s", NAN},
	      {"1.5:30", NAN});
	CHECK("ISO 8601", ft_duration_parse, {"PT10M30S", 630}, {"P1DT2H", 93600}, {"P2W", 1209600},
	      {"PT0.5S", 0.5}, {"PT36H", 129600}, {"P", NAN}, {"PT", NAN}, {"P1DT", NAN}, {"P1M", NAN},
	      {"P1Y", NAN}, {"PT1D", NAN}, {"P1H", NAN}, {"PT30S10M", NAN}, {"PT1H 2M", NAN}, {"T1H", NAN},
	      {"1DT2H", NAN}, {"PT5", NAN});
	CHECK("bytes", ft_bytes_parse, {"8GiB", 8 * 0x1p30}, {"500MB", 500e6}, {"64k", 65536}, {"64K", 65536},
	      {"1kB", 1000}, {"1KB", 1000}, {"2T", 2 * 0x1p40}, {"2TB", 2e12}, {"1.5 GiB", 1.5 * 0x1p30},
	      {"17", 17}, {"17B", 17}, {"3mb", 3e6}, {"3 mib", 3 * 0x1p20}, {"0", 0}, {"-1", NAN},
	      {"1 Gi", 0x1p30}, {"2PiB", 0x1p51}, {"1,000,000", 1e6}, {"1,000", NAN}, {"GiB", NAN},
	      {"1GiBs", NAN}, {"", NAN}, {"0x10", NAN}, {"nanB", NAN});
	CHECK("share", share_1_50, {"5%", 0.05}, {"0.05", 0.05}, {"1%", 0.01}, {"0.5", 0.5}, {"50 %", 0.5},
	      {"7%", 0.07}, {"5", 0.05}, {"1", 0.01}, {"50", 0.5}, {"1.5", 0.015}, {"0.9%", NAN},
	      {"0.9", NAN}, {"51%", NAN}, {"51", NAN}, {"500", NAN}, {"%", NAN}, {"", NAN}, {"-5%", NAN},
	      {"5%%", NAN});
	CHECK("part", share_0_1, {"0", 0}, {"0.3", 0.3}, {"1", 1}, {"1%", 0.01}, {"30", 0.3}, {"100", 1},
	      {"101", NAN});
	CHECK("joules", joules, {"5kJ", 5e3}, {"5 kJ", 5e3}, {"5 J", 5}, {"5", 5}, {"5k", 5e3}, {"2Wh", 7200},
	      {"1.5kWh", 5.4e6}, {"J", NAN}, {"45 mJ", 0.045}, {"5W", NAN}, {"5JJ", NAN}, {"", NAN});
	CHECK("count", count, {"1e12", 1e12}, {"5M", 5e6}, {"5 J", NAN}, {"5MB", NAN}, {"", NAN});
	CHECK("value of s", seconds_value, {"1.5h", 5400}, {"5J", NAN});
	CHECK("value of bytes", bytes_value, {"8GiB", 8 * 0x1p30}, {"5s", NAN});
	ok(ft_number_parse("x", &(double){0}, NULL) == FT_EPARSE, "err may be NULL");
}

static void number_examples(void)
{
	static const struct example example[] = {
		{"0", 0},
		{"-0", -0.0},
		{"3000", 3000},
		{"9007199254740992", 0x1p53},
		{"0.1", 0.1},
		{"0.3", 0.3},
		{"1e+22", 1e22},
		{"1e-07", 1e-7},
		{"1000000000000000", 1e15},
		{"-2.5", -2.5},
		{"0.30000000000000004", 0.1 + 0.2},
		{"inf", INFINITY},
		{"-inf", -INFINITY},
	};
	char buffer[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
		ok(!strcmp(ft_number_format(example[i].value, buffer), example[i].text), "%s is printed so",
		   example[i].text);
	}
	ok(!strcmp(ft_number_format(NAN, buffer), "nan") && !strcmp(ft_number_format(-NAN, buffer), "nan"),
	   "NaN");
}

/* ---- against slow and plain references ------------------------------------------------------------------
 */

/* The number that a text is, digit by digit; the commas are read where `commas`. False: none. */
static bool slow_number(const char *text, bool commas, char mark, double *value)
{
	char plain[64], *end;
	size_t n = 0, group = 0, groups = 0;
	bool digits = true;

	for (; *text; text++) {
		if (digits && (*text == '_' || (commas && *text == ','))) {
			if ((mark && *text != mark) ||
			    (groups ? group != 3 : group < 1 || group > 3 || plain[0] == '0'))
				return false;
			mark = *text;
			groups++;
			group = 0;
			continue;
		}
		if (*text == '.' || *text == 'e' || *text == 'E') {
			if (digits && groups && group != 3)
				return false;
			digits = false;
		}
		if (!strchr("0123456789.eE+-", *text))
			return false;
		group += digits;
		plain[n++] = *text;
	}
	plain[n] = '\0';
	if ((digits && groups && group != 3) || !n || !strpbrk(plain, "0123456789") || strchr("+-", plain[0]))
		return false;
	*value = strtod(plain, &end);
	return !*end && isfinite(*value);
}

/* Every way to cut a text into a number and a unit. */
static bool slow_size(const char *text, double *value)
{
	static const struct {
		const char *name;
		double times;
		bool any; /* in capitals or not */
	} unit[] = {
		{"", 1, false},        {"k", 1e3, false},     {"K", 1e3, false},    {"M", 1e6, false},
		{"G", 1e9, false},     {"T", 1e12, false},    {"P", 1e15, false},   {"b", 1, true},
		{"kb", 1e3, true},     {"mb", 1e6, true},     {"gb", 1e9, true},    {"kib", 0x1p10, true},
		{"mib", 0x1p20, true}, {"gib", 0x1p30, true}, {"ki", 0x1p10, true}, {"mi", 0x1p20, true},
		{"gi", 0x1p30, true},  {"eib", 0x1p60, true},
	};
	size_t length = strlen(text);

	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		size_t tail = strlen(unit[i].name), n = length - tail;
		char number[64];

		if (tail > length || (unit[i].any ? strcasecmp : strcmp)(text + n, unit[i].name) != 0)
			continue;
		if (tail && n && text[n - 1] == ' ')
			n--;
		snprintf(number, sizeof number, "%.*s", (int)n, text);
		const char *at = number + (*number == '-' || *number == '+'), *zero = at;
		bool grouped = false;
		while ((zero = strchr(zero, ',')))
			grouped = *++zero == '0' || grouped;
		if ((!strchr(at, ',') || grouped) && slow_number(at, true, 0, value)) {
			*value = (*number == '-' ? -*value : *value) * unit[i].times;
			return isfinite(*value);
		}
	}
	return false;
}

/* Fields of digits, of which the most significant is the first: days before a '-', and seconds last but where
 * days stand before fewer than three. */
static bool slow_clock(const char *text, double *seconds)
{
	static const double weight[2][4][3] = {{{0}, {0}, {60, 1, 0}, {3600, 60, 1}},
					       {{0}, {3600, 0, 0}, {3600, 60, 0}, {3600, 60, 1}}};
	double field[8] = {0}, days = 0;
	bool dated = false;
	size_t n = 0;

	for (const char *at = text;; at++) {
		size_t digits = strspn(at, "0123456789");

		if (!digits)
			return false;
		field[n++] = strtod(at, NULL);
		at += digits;
		if (*at == '-' && n == 1 && !dated) {
			days = field[--n];
			dated = true;
		} else if (*at != ':') {
			if (*at || n > 3)
				return false;
			break;
		}
	}
	*seconds = 86400 * days;
	for (size_t i = 0; i < n; i++) {
		*seconds += weight[dated][n][i] * field[i];
		if (i && field[i] >= 60)
			return false;
	}
	return dated || n > 1;
}

static void garbage_random(void)
{
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	int bad = 0, good = 0, n = test_cases(200000);
	char text[16];

	for (int i = 0; i < n; i++) {
		size_t length = 1 + ft_random_below(&random, 11);
		double value = 0, slow = 0;

		for (size_t j = 0; j < length; j++)
			text[j] = "0001234567,,,__.ekKMGbBi -+"[ft_random_below(&random, 27)];
		text[length] = '\0';
		const bool reads = ft_number_parse(text, &value, NULL) == FT_OK,
			   want = slow_size(text, &slow);
		bad += reads != want || (reads && value != slow);
		good += reads;
		if (reads != want || (reads && value != slow))
			diag("'%s': %d %.17g, slowly %d %.17g", text, reads, value, want, slow);
	}
	if (!ok(!bad && good > n / 100, "%d random texts are the numbers, or none, that a slow reader finds",
		n))
		diag("seed %llu: %d of %d", (unsigned long long)seed, bad, good);
	bad = good = 0;
	n = test_cases(20000);
	for (int i = 0; i < n; i++) {
		size_t length = 3 + ft_random_below(&random, 6);
		double value = 0, slow = 0;

		for (size_t j = 0; j < length; j++)
			text[j] = "1259::-"[ft_random_below(&random, 7)];
		text[length] = '\0';
		const bool reads = ft_duration_parse(text, &value, NULL) == FT_OK;
		const bool plain = strspn(text, "0123456789") == length;
		const bool want = plain || slow_clock(text, &slow);
		if (plain)
			slow = strtod(text, NULL);
		bad += reads != want || (reads && value != slow);
		good += reads && !plain;
		if (reads != want || (reads && value != slow))
			diag("'%s': %d %.17g, slowly %d %.17g", text, reads, value, want, slow);
	}
	if (!ok(!bad && good, "%d random clocks", n))
		diag("seed %llu: %d of %d", (unsigned long long)seed, bad, good);
}

/* What people are shown can be typed again: to the digits that were shown. */
static void values_read_back(void)
{
	static const char *const units[] = {"s", "bytes", "J", "W", "1/s", ""};
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	int bad = 0, n = test_cases(20000);

	for (int i = 0; i < n; i++) {
		const char *unit = units[i % 6];
		double value = pow(10, ft_random_uniform(&random) * 24 - 9), back;
		char text[FT_UNIT_LENGTH];
		/* Two units show whole seconds, minutes or hours; of bytes none is broken. */
		double slack = !strcmp(unit, "s") && value > 59 ? 0.02 : 0.006;

		if (!strcmp(unit, "bytes"))
			value = fmin(ceil(value), 0x1p60);
		(void)ft_value_format(value, unit, text);
		const bool reads = ft_value_parse(text, unit, &back, NULL) == FT_OK;
		bad += !reads || fabs(back - value) > slack * value;
		if (!reads || fabs(back - value) > slack * value)
			diag("%.17g %s: '%s'", value, unit, text);
	}
	if (!ok(!bad, "%d values are read as they are shown", n))
		diag("seed %llu: %d", (unsigned long long)seed, bad);
}

/* Any double reads back to the last bit, and no fewer digits would do. */
static void number_random(void)
{
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	int i, bad = 0, longer = 0, n = test_cases(20000);
	char buffer[FT_NUMBER_LENGTH], fewer[64];

	for (i = 0; i < n; i++) {
		uint64_t bits = ft_random_bits(&random);
		double value, back;
		size_t digits = 0;

		memcpy(&value, &bits, sizeof value);
		if (i % 2)
			value = (double)ft_random_below(&random, 1000000) / 1000;
		if (!isfinite(value))
			continue;
		bad += ft_number_parse(ft_number_format(value, buffer), &back, NULL) != FT_OK ||
		       memcmp(&value, &back, sizeof value) != 0;
		for (size_t j = 0; buffer[j] && buffer[j] != 'e'; j++)
			digits += buffer[j] >= '0' + !digits && buffer[j] <= '9'; /* no leading zeros */
		if (digits > 15 &&
		    strtod((snprintf(fewer, sizeof fewer, "%.15g", value), fewer), NULL) == value)
			longer += value != trunc(value);
	}
	if (!ok(!bad && !longer, "%d random doubles read back, in few digits", n))
		diag("seed %llu: %d differ, %d too long", (unsigned long long)seed, bad, longer);
}

/* Numbers as tables have them, up to two digits more than a double keeps: the very one that strtod reads. */
static void number_short(void)
{
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	int i, bad = 0, n = test_cases(20000);

	for (i = 0; i < n; i++) {
		size_t length = 1 + ft_random_below(&random, 18),
		       point = ft_random_below(&random, length + 2), j;
		char text[32] = "";
		double value;

		for (j = 0; j < length; j++)
			text[j] = (char)(j == point && length > 1 ? '.' : '0' + ft_random_below(&random, 10));
		bad += ft_number_parse(text, &value, NULL) != FT_OK || value != strtod(text, NULL);
	}
	if (!ok(!bad, "%d decimal numbers are read to the last bit", n))
		diag("seed %llu: %d differ", (unsigned long long)seed, bad);
}

struct print {
	double value;
	const char *unit, *text;
};

static void value_examples(void)
{
	static const struct print print[] = {
		{1.234, "s", "1.23 s"},
		{0.0456, "s", "45.6 ms"},
		{250e-6, "s", "250 us"},
		{1e-9, "s", "1.00 ns"},
		{0, "s", "0 s"},
		{59.9, "s", "59.9 s"},
		{59.96, "s", "1 min 00 s"},
		{125, "s", "2 min 05 s"},
		{3599.4, "s", "59 min 59 s"},
		{3599.7, "s", "1 h 00 min"},
		{7500, "s", "2 h 05 min"},
		{172799, "s", "2 d 00 h"},
		{90000, "s", "25 h 00 min"},
		{270000, "s", "3 d 03 h"},
		{1e9, "s", "31.7 years"},
		{-7500, "s", "-2 h 05 min"},
		{9.9951e-4, "s", "1.00 ms"},
		{0, "bytes", "0 B"},
		{1.5e-11, "bytes", "0 B"},
		{0.7, "bytes", "1 B"},
		{999.6, "bytes", "1000 B"},
		{1023, "bytes", "1023 B"},
		{1024, "bytes", "1.00 KiB"},
		{1.5 * 0x1p30, "bytes", "1.50 GiB"},
		{1047552, "bytes", "1023 KiB"},
		{1048400, "bytes", "1.00 MiB"},
		{123456, "bytes", "121 KiB"},
		{7, "", "7"},
		{999, "", "999"},
		{1.23e9, "", "1.23 G"},
		{12.34, "", "12.3"},
		{0.0123, "", "0.0123"},
		{999.6, "", "1.00 k"},
		{1.2e9, "1/s", "1.20 G/s"},
		{0.0123, "1/s", "0.0123 /s"},
		{0.25, "W", "250 mW"},
		{1500, "J", "1.50 kJ"},
		{NAN, "s", "unknown"},
		{NAN, "bytes", "unknown"},
		{-NAN, "", "unknown"},
		{INFINITY, "s", "infinite"},
		{-INFINITY, "W", "-infinite"},
	};
	char buffer[FT_UNIT_LENGTH];

	for (size_t i = 0; i < sizeof print / sizeof *print; i++)
		if (!ok(!strcmp(ft_value_format(print[i].value, print[i].unit, buffer), print[i].text),
			"%.6g %s is '%s'", print[i].value, print[i].unit, print[i].text))
			diag("got '%s'", buffer);
	ok(!strcmp(ft_share_format(0.049, buffer), "4.9 %"), "share 4.9 %%");
	ok(!strcmp(ft_share_format(0.12345, buffer), "12.3 %"), "share 12.3 %%");
	ok(!strcmp(ft_share_format(12.5, buffer), "1250 %"), "share 1250 %%");
	ok(!strcmp(ft_share_format(NAN, buffer), "unknown"), "share unknown");
}

/* Durations that are printed in one unit read back within the rounding; all fit the buffer and end. */
static void value_random(void)
{
	uint64_t seed = test_seed() + 1;
	struct ft_random random = {seed};
	int i, bad = 0, n = test_cases(20000);

	for (i = 0; i < n; i++) {
		double value = exp(-15 + 19 * ft_random_uniform(&random)), back; /* 0.3 us to 55 s */
		char buffer[FT_UNIT_LENGTH];

		bad += ft_duration_parse(ft_value_format(value, "s", buffer), &back, NULL) != FT_OK ||
		       !near(value, back, 0.00501);
		value = exp(60 * ft_random_uniform(&random));
		if (value < 1e21)
			bad += ft_bytes_parse(ft_value_format(floor(value), "bytes", buffer), &back, NULL) !=
				       FT_OK &&
			       !strpbrk(buffer, "PE");
	}
	if (!ok(!bad, "%d random values read back within their rounding", n))
		diag("seed %llu: %d do not", (unsigned long long)seed, bad);
}

/* A locale with a decimal comma changes nothing. */
static void other_locale(void)
{
	char buffer[FT_UNIT_LENGTH];
	double value;

	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
		skip("a decimal comma changes nothing", "no locale with a decimal comma is installed");
		return;
	}
	ok(ft_number_parse("1.5", &value, NULL) == FT_OK && value == 1.5 &&
		   !strcmp(ft_number_format(2.5, buffer), "2.5") &&
		   !strcmp(ft_value_format(1.234, "s", buffer), "1.23 s"),
	   "a decimal comma changes nothing");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	parse_examples();
	number_examples();
	number_random();
	garbage_random();
	values_read_back();
	number_short();
	value_examples();
	value_random();
	other_locale();
	return done();
}
