/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c - numbers with units at the edge: what people type, and what they read. */
#include "foretime/units.h"
#include "base/number.h"

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
static const struct unit number_units[] = {{"", 1, 1}, {"k", 1e3, 1}, {"M", 1e6, 1}, {"G", 1e9, 1}};

static const struct unit duration_units[] = {
	{"", 1, 1}, {"s", 1, 1}, {"ms", 1, 1e3}, {"us", 1, 1e6}, {"ns", 1, 1e9},
	{"m", 60, 1}, {"min", 60, 1}, {"h", 3600, 1}, {"d", 86400, 1},
};

static const struct unit byte_units[] = {
	{"", 1, 1}, {"B", 1, 1},
	{"kB", 1e3, 1}, {"MB", 1e6, 1}, {"GB", 1e9, 1}, {"TB", 1e12, 1},
	{"KiB", 0x1p10, 1}, {"MiB", 0x1p20, 1}, {"GiB", 0x1p30, 1}, {"TiB", 0x1p40, 1},
	{"K", 0x1p10, 1}, {"M", 0x1p20, 1}, {"G", 0x1p30, 1}, {"T", 0x1p40, 1},
};

static const struct unit hour_units[] = {{"Wh", 3600, 1}, {"kWh", 3.6e6, 1}, {"MWh", 3.6e9, 1}};

static const struct unit share_units[] = {{"", 1, 1}, {"%", 1, 100}};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A number with one of some suffixes, a blank between them allowed. */
static bool parse_scaled(const char *text, const struct unit *units, size_t n,
			 int (*compare)(const char *, const char *), double *value)
{
	const char *end;
	size_t i;

	if (!ft__number_scan_signed(text, &end, value))
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

enum ft_status ft_number_parse(const char *text, double *value, struct ft_err *err)
{
	if (parse_scaled(text, number_units, COUNT(number_units), strcmp, value))
		return FT_OK;
	*value = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not a number", text);
	(void)ft_remedy(err, "write digits, as in 3000, 2.5, 1e6 or 64k (k, M, G: 10^3, 10^6, 10^9)");
	return FT_EPARSE;
}

/* "1:30:00": hours, minutes, seconds. Two fields are refused: some read them as minutes, some as hours. */
static bool parse_clock(const char *text, double *seconds)
{
	double hours, minutes, rest;
	const char *end;

	if (!ft__whole_scan(text, &end, &hours) || *end != ':')
		return false;
	if (!ft__whole_scan(end + 1, &end, &minutes) || *end != ':')
		return false;
	if (!ft__number_scan(end + 1, &end, &rest) || *end)
		return false;
	*seconds = hours * 3600 + minutes * 60 + rest;
	return minutes < 60 && rest < 60 && isfinite(*seconds);
}

enum ft_status ft_duration_parse(const char *text, double *seconds, struct ft_err *err)
{
	if (parse_clock(text, seconds))
		return FT_OK;
	if (parse_scaled(text, duration_units, COUNT(duration_units), strcmp, seconds) && *seconds >= 0)
		return FT_OK;
	*seconds = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not a duration", text);
	(void)ft_remedy(
		err, "write a number with us, ms, s, m, h or d, as in 30s or 1.5h, or hours:minutes:seconds");
	return FT_EPARSE;
}

enum ft_status ft_bytes_parse(const char *text, double *bytes, struct ft_err *err)
{
	/* Memory has no millibytes: "mb" can only mean MB. */
	if (parse_scaled(text, byte_units, COUNT(byte_units), strcasecmp, bytes) && *bytes >= 0)
		return FT_OK;
	*bytes = 0;
	(void)ft_fail(err, FT_EPARSE, "'%s' is not an amount of memory", text);
	(void)ft_remedy(
		err,
		"write a number with kB, MB, GB, TB (decimal) or K, M, G, T, KiB, MiB, GiB, TiB (binary)");
	return FT_EPARSE;
}

enum ft_status ft_share_parse(const char *text, double least, double most, double *share, struct ft_err *err)
{
	char low[FT_UNIT_LENGTH], high[FT_UNIT_LENGTH];
	bool good = parse_scaled(text, share_units, COUNT(share_units), strcmp, share);

	/* 5 can only mean 5 %, where no share is above 1. */
	if (good && most <= 1 && *share >= 1 && *share > most && *share <= 100 && !strchr(text, '%'))
		*share /= 100;
	if (good && *share >= least && *share <= most)
		return FT_OK;
	*share = 0;
	/* As many digits as they have: 99.95 % is not 100 %. */
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
	if (!strcmp(unit, "J") && parse_scaled(text, hour_units, COUNT(hour_units), strcmp, value))
		return FT_OK;
	if (tail && length > tail && length - tail < sizeof number && !strcmp(text + length - tail, unit)) {
		length -= tail;
		length -= text[length - 1] == ' ' ? 1 : 0;
		memcpy(number, text, length);
		number[length] = '\0';
		if (parse_scaled(number, number_units, COUNT(number_units), strcmp, value))
			return FT_OK;
	}
	if (ft_number_parse(text, value, err) == FT_OK)
		return FT_OK;
	if (tail)
		(void)ft_remedy(err, "write a number of %s, as in 5, 5%s, 5k%s or 5M%s", unit, unit, unit,
				unit);
	return FT_EPARSE;
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
