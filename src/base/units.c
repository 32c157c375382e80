/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c - parses numbers with units as people type them, and prints them. */
#include "base/number.h"
#include "foretime/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A suffix, and what a number before it is multiplied and divided by: dividing keeps 3ms the double 0.003. */
struct unit {
	const char *name;
	double times, per;
};

/* clang-format off */
/* Prefixes of a unit; the first NUMBER_UNITS also stand behind a bare number, of which there are no millis. */
static const struct unit prefix_units[] = {
	{"", 1, 1}, {"k", 1e3, 1}, {"K", 1e3, 1}, {"M", 1e6, 1}, {"G", 1e9, 1}, {"T", 1e12, 1}, {"P", 1e15, 1},
	{"m", 1, 1e3}, {"u", 1, 1e6}, {"n", 1, 1e9}, {"p", 1, 1e12},
};
enum { NUMBER_UNITS = 7 };

static const struct unit duration_units[] = {
	{"", 1, 1}, {"s", 1, 1}, {"sec", 1, 1}, {"second", 1, 1}, {"seconds", 1, 1},
	{"ms", 1, 1e3}, {"millis", 1, 1e3}, {"us", 1, 1e6}, {"\xc2\xb5s", 1, 1e6}, {"ns", 1, 1e9}, {"ps", 1, 1e12},
	{"m", 60, 1}, {"min", 60, 1}, {"minute", 60, 1}, {"minutes", 60, 1},
	{"h", 3600, 1}, {"hour", 3600, 1}, {"hours", 3600, 1}, {"d", 86400, 1}, {"day", 86400, 1}, {"days", 86400, 1},
	{"years", 365.25 * 86400, 1},
};

/* ISO 8601, section 5.5.2: years and months have no fixed length. */
static const struct unit iso_days[] = {{"W", 604800, 1}, {"D", 86400, 1}};
static const struct unit iso_times[] = {{"H", 3600, 1}, {"M", 60, 1}, {"S", 1, 1}};

/* The first BYTE_NAMES cannot be taken for a number's prefix: sizes may have them, too. */
static const struct unit byte_units[] = {
	{"B", 1, 1},
	{"kB", 1e3, 1}, {"MB", 1e6, 1}, {"GB", 1e9, 1}, {"TB", 1e12, 1}, {"PB", 1e15, 1},
	{"KiB", 0x1p10, 1}, {"MiB", 0x1p20, 1}, {"GiB", 0x1p30, 1}, {"TiB", 0x1p40, 1}, {"PiB", 0x1p50, 1},
	{"EiB", 0x1p60, 1}, {"Ki", 0x1p10, 1}, {"Mi", 0x1p20, 1}, {"Gi", 0x1p30, 1}, {"Ti", 0x1p40, 1},
	{"", 1, 1}, {"K", 0x1p10, 1}, {"M", 0x1p20, 1}, {"G", 0x1p30, 1}, {"T", 0x1p40, 1}, {"P", 0x1p50, 1},
};
enum { BYTE_NAMES = 16 };

static const struct unit hour_units[] = {{"Wh", 3600, 1}, {"kWh", 3.6e6, 1}, {"MWh", 3.6e9, 1}};

static const struct unit share_units[] = {{"", 1, 1}, {"%", 1, 100}};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The possible meaning of commas in a number. A single one is a decimal point to many, several are not. */
enum commas { OF_VALUE, OF_SIZE, OF_CELL };

static bool scan_number(const char *text, enum commas commas, const char **end, double *value)
{
	struct ft__groups groups;

	return ft__number_scan_grouped(text, end, value, &groups) &&
	       (!groups.commas || commas == OF_CELL || (commas == OF_SIZE ? groups.zero : groups.commas > 1));
}

/* A number with one of some suffixes, a blank between them allowed. */
static bool parse_scaled(const char *text, enum commas commas, const struct unit *units, size_t n,
			 int (*compare)(const char *, const char *), double *value)
{
	const char *end;
	size_t i;

	if (!scan_number(text, commas, &end, value))
		return false;
	if (*end == ' ' && end[1])
		end++;
	for (i = 0; i < n && compare(end, units[i].name); i++)
		;
	if (i == n)
		return false;
	*value = *value * units[i].times / units[i].per;
	return isfinite(*value);
}

static bool parse_number(const char *text, enum commas commas, double *value)
{
	return parse_scaled(text, commas, prefix_units, NUMBER_UNITS, strcmp, value) ||
	       parse_scaled(text, commas, byte_units, BYTE_NAMES, strcasecmp, value);
}

bool ft__number_read(const char *cell, bool single, double *value)
{
	return parse_number(cell, single ? OF_CELL : OF_VALUE, value);
}

enum ft_status ft_number_parse(const char *text, double *value, struct ft_err *err)
{
	static const char how[] =
		"write digits, as in 3000, 2.5, 1e6, 1_000_000 or 1,000,000, or 64k, 10M, 10MB, 64KiB "
		"(k, M, G, T: 10^3, 10^6, 10^9, 10^12)";

	if (parse_number(text, OF_SIZE, value))
		return FT_OK;
	const bool list = parse_number(text, OF_CELL, value);
	*value = 0;
	(void)ft_fail(err, FT_EPARSE,
		      list ? "'%s' may be one number or a list of several" : "'%s' is not a number", text);
	return ft_remedy(
		err, "%s",
		list ? "write one number without commas or with '_', as in 1234567 or 1_234_567; commas "
		       "group its digits only where a group begins with 0, as in 1,000,000"
		     : how);
}

/* "1h 30m", "2 d 03 h", up to `stop`: each unit is less than the one before it; a number without one stands
 * alone. */
static bool parse_pieces(const char *text, const char *stop, const struct unit *units, size_t n,
			 double *seconds)
{
	const char *first = text;
	double before = INFINITY;

	for (*seconds = 0; text < stop;) {
		const char *start = text;
		double piece;
		size_t i = 0;

		if (!scan_number(text, OF_VALUE, &text, &piece) || piece < 0 ||
		    (before < INFINITY && *start == '+'))
			return false;
		text += *text == ' ' && text[1];
		size_t length = strcspn(text, " .,+-_0123456789T");
		while (i < n &&
		       (strlen(units[i].name) != length || strncmp(text, units[i].name, length) != 0))
			i++;
		if (i == n || !(units[i].times / units[i].per < before) ||
		    (!length && (*text || before < INFINITY)))
			return false;
		*seconds += piece * units[i].times / units[i].per;
		before = units[i].times / units[i].per;
		text += length;
		text += *text == ' ' && text[1];
	}
	return text == stop && stop > first && isfinite(*seconds);
}

/* "P1DT2H30M". Source: ISO 8601-1:2019, section 5.5.2. */
static bool parse_iso(const char *text, double *seconds)
{
	const char *stop = text + strlen(text), *middle = text + strcspn(text, "T");
	double days = 0, times = 0;

	if (*text != 'P' || stop == text + 1 || (*middle && middle + 1 == stop) || strchr(text, ' '))
		return false;
	if (middle > text + 1 && !parse_pieces(text + 1, middle, iso_days, COUNT(iso_days), &days))
		return false;
	if (*middle && !parse_pieces(middle + 1, stop, iso_times, COUNT(iso_times), &times))
		return false;
	*seconds = days + times;
	return isfinite(*seconds);
}

/* [DAYS-]HOURS:MINUTES:SECONDS, MINUTES:SECONDS, DAYS-HOURS, DAYS-HOURS:MINUTES; parts of a second may stand
 * behind seconds. Source: sbatch(1), --time. */
static bool parse_clock(const char *text, double *seconds)
{
	double days = 0, part[3] = {0};
	const char *end;
	size_t n = 0;

	const bool dated = ft__whole_scan(text, &end, &days) && *end == '-';
	for (text = dated ? end + 1 : text; n < 3; text = end + 1) {
		if (!ft__whole_scan(text, &end, &part[n++]) || (n > 1 && part[n - 1] >= 60))
			return false;
		if (*end != ':')
			break;
	}
	if (*end == '.' && (n == 3 || (n == 2 && !dated))) {
		double fraction;

		(void)ft__number_scan(text, &end, &part[n - 1]);
		if (!ft__whole_scan(strchr(text, '.') + 1, &text, &fraction) || text != end)
			return false;
	}
	if (*end || (n == 1 && !dated))
		return false;
	*seconds = dated || n == 3 ? 86400 * (dated ? days : 0) + 3600 * part[0] + 60 * part[1] + part[2]
				   : 60 * part[0] + part[1];
	return isfinite(*seconds);
}

enum ft_status ft_duration_parse(const char *text, double *seconds, struct ft_err *err)
{
	if (parse_clock(text, seconds) || parse_iso(text, seconds) ||
	    parse_pieces(text, text + strlen(text), duration_units, COUNT(duration_units), seconds))
		return FT_OK;
	*seconds = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not a duration", text);
	return ft_remedy(err, "write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or "
			      "[days-]hours:minutes:seconds");
}

enum ft_status ft_bytes_parse(const char *text, double *bytes, struct ft_err *err)
{
	/* Memory has no millibytes: "mb" can only mean MB. */
	if (parse_scaled(text, OF_VALUE, byte_units, COUNT(byte_units), strcasecmp, bytes) && *bytes >= 0)
		return FT_OK;
	*bytes = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not an amount of memory", text);
	return ft_remedy(
		err,
		"write a number with kB, MB, GB, TB (decimal) or K, M, G, T, KiB, MiB, GiB, TiB (binary), "
		"as in 8GiB or 500MB");
}

enum ft_status ft_share_parse(const char *text, double least, double most, double *share, struct ft_err *err)
{
	char low[FT_UNIT_LENGTH], high[FT_UNIT_LENGTH];
	bool good = parse_scaled(text, OF_VALUE, share_units, COUNT(share_units), strcmp, share);

	/* 5 can only mean 5 %, where no share is above 1. */
	if (good && most <= 1 && *share >= 1 && *share > most && *share <= 100 && !strchr(text, '%'))
		*share /= 100;
	if (good && *share >= least && *share <= most)
		return FT_OK;
	*share = 0;
	/* With as many digits as needed: 99.95 % is not 100 %. */
	(void)snprintf(low, sizeof low, "%.4g %%", 100 * least);
	(void)snprintf(high, sizeof high, "%.4g %%", 100 * most);
	if (good)
		(void)ft_fail(err, FT_EPARSE, "'%s' is not between %s and %s", text, low, high);
	else
		(void)ft_fail(err, FT_EPARSE, "'%s' is not a share", text);
	(void)ft_remedy(err, "write a share as in 5%% or 0.05, from %s to %s", low, high);
	return FT_EPARSE;
}

enum ft_status ft_value_parse(const char *text, const char *unit, double *value, struct ft_err *err)
{
	size_t length = strlen(text), tail = strlen(unit);
	char number[64];

	if (!strcmp(unit, "s"))
		return ft_duration_parse(text, value, err);
	if (!strcmp(unit, "bytes"))
		return ft_bytes_parse(text, value, err);
	if (!strcmp(unit, "J") && parse_scaled(text, OF_VALUE, hour_units, COUNT(hour_units), strcmp, value))
		return FT_OK;
	const size_t one = !strncmp(unit, "1/", 2); /* "1.23 G/s" */
	if (tail && length + one > tail && length + one - tail < sizeof number &&
	    !strcmp(text + length + one - tail, unit + one)) {
		length -= tail - one;
		length -= text[length - 1] == ' ' ? 1 : 0;
		memcpy(number, text, length);
		number[length] = '\0';
		if (parse_scaled(number, OF_VALUE, prefix_units, COUNT(prefix_units), strcmp, value))
			return FT_OK;
	}
	if (parse_scaled(text, OF_VALUE, prefix_units, NUMBER_UNITS, strcmp, value))
		return FT_OK;
	*value = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not a number", text);
	return tail ? ft_remedy(err, "write a number of %s, as in 5, 5%s, 5k%s or 5M%s", unit, unit + one,
				unit + one, unit + one)
		    : ft_remedy(err, "write digits, as in 3000, 2.5, 1e6 or 64k (k, M, G, T: 10^3, 10^6, "
				     "10^9, 10^12)");
}

/* The nearest number of three significant digits: 59.96 becomes 60 before a unit is chosen for it. */
static double round_three(double value)
{
	char digits[FT_NUMBER_LENGTH];
	const char *end;

	ft__double_print(digits, sizeof digits, 2, 'e', value);
	(void)ft__number_scan(digits, &end, &value);
	return value;
}

/* value >= 0 in three significant digits, without an exponent where that is bearable; whole ones as "7". */
static void format_three(double value, bool whole, char digits[FT_NUMBER_LENGTH])
{
	if (value >= 1e6 || (value > 0 && value < 1))
		ft__double_print(digits, FT_NUMBER_LENGTH, 3, 'g', value);
	else if (whole || value == 0 || value >= 100)
		ft__double_print(digits, FT_NUMBER_LENGTH, 0, 'f', value);
	else
		ft__double_print(digits, FT_NUMBER_LENGTH, value >= 10 ? 1 : 2, 'f', value);
}

static void format_si(double value, const char *unit, char *buffer, size_t size)
{
	static const char *const prefix[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
	enum { NONE = 4, LAST = sizeof prefix / sizeof *prefix - 1 };
	bool whole = !*unit && value == trunc(value) && value < 1000;
	char digits[FT_NUMBER_LENGTH];
	int i = NONE;

	value = round_three(value);
	for (; value >= 1000 && i < LAST; i++)
		value = round_three(value / 1000);
	/* 0.0123 and 0.0123 /s stay that: "12.3 m" and "12.3 m/s" would be read as metres. */
	for (; *unit && *unit != '1' && value > 0 && value < 1 && i > 0; i--)
		value = round_three(value * 1000);
	format_three(value, whole, digits);
	if (!strncmp(unit, "1/", 2)) /* "1.23 G/s" */
		unit++;
	(void)snprintf(buffer, size, "%s%s%s%s", digits, *prefix[i] || *unit ? " " : "", prefix[i], unit);
}

static void format_bytes(double value, char *buffer, size_t size)
{
	static const char *const prefix[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
	enum { LAST = sizeof prefix / sizeof *prefix - 1 };
	bool whole = value < 1023.5; /* of a single byte there is no part */
	char digits[FT_NUMBER_LENGTH];
	int i = 0;

	/* 1023.6 KiB would read 1024 KiB: it is 1.00 MiB. */
	for (; !whole && value >= 1023.5 && i < LAST; i++)
		value /= 1024;
	if (whole)
		value = round(value);
	format_three(value < 999 ? round_three(value) : value, whole, digits);
	(void)snprintf(buffer, size, "%s %sB", digits, prefix[i]);
}

static void format_duration(double value, char *buffer, size_t size)
{
	const double year = 365.25 * 86400;
	char digits[FT_NUMBER_LENGTH];
	double whole;

	if (round_three(value) < 60) {
		format_si(value, "s", buffer, size);
	} else if (round(value) < 3600) {
		whole = round(value);
		(void)snprintf(buffer, size, "%.0f min %02.0f s", floor(whole / 60), fmod(whole, 60));
	} else if (round(value / 60) < 2 * 24 * 60) {
		whole = round(value / 60);
		(void)snprintf(buffer, size, "%.0f h %02.0f min", floor(whole / 60), fmod(whole, 60));
	} else if (value < 2 * year) {
		whole = round(value / 3600);
		(void)snprintf(buffer, size, "%.0f d %02.0f h", floor(whole / 24), fmod(whole, 24));
	} else {
		format_three(round_three(value / year), false, digits);
		(void)snprintf(buffer, size, "%s years", digits);
	}
}

char *ft_value_format(double value, const char *unit, char buffer[FT_UNIT_LENGTH])
{
	size_t minus = value < 0;

	if (isnan(value)) {
		(void)snprintf(buffer, FT_UNIT_LENGTH, "unknown");
		return buffer;
	}
	buffer[0] = '-'; /* overwritten unless it stays */
	if (isinf(value))
		(void)snprintf(buffer + minus, FT_UNIT_LENGTH - minus, "infinite");
	else if (!strcmp(unit, "s"))
		format_duration(fabs(value), buffer + minus, FT_UNIT_LENGTH - minus);
	else if (!strcmp(unit, "bytes"))
		format_bytes(fabs(value), buffer + minus, FT_UNIT_LENGTH - minus);
	else
		format_si(fabs(value), unit, buffer + minus, FT_UNIT_LENGTH - minus);
	return buffer;
}

char *ft_share_format(double share, char buffer[FT_UNIT_LENGTH])
{
	char digits[FT_NUMBER_LENGTH];

	if (isnan(share)) {
		(void)snprintf(buffer, FT_UNIT_LENGTH, "unknown");
		return buffer;
	}
	if (fabs(share) * 100 >= 999.5 && fabs(share) < 1e6)
		ft__double_print(digits, sizeof digits, 0, 'f', share * 100);
	else
		ft__double_print(digits, sizeof digits, 3, 'g', share * 100);
	(void)snprintf(buffer, FT_UNIT_LENGTH, "%s %%", digits);
	return buffer;
}
