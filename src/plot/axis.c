/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c - the range of an axis, and tics at values that people expect: numbers, bytes, times and dates. */
#include "foretime/base.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/*
 * The range of an axis and its tics.
 */

/* Values outside these count as infinite, so that neither margins nor ratios overflow. */
static const double huge = 1e140, tiny = 1e-140;

static bool can_be_drawn(double value, bool log)
{
	return fabs(value) < huge && (!log || value > tiny);
}

bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i)
{
	if (!can_be_drawn(series->x[i], panel->log_x))
		return false;
	if (series->kind == FT_SERIES_BAND)
		return series->lower[i] <= series->upper[i] && series->lower[i] < huge &&
		       series->upper[i] > -huge && (!panel->log_y || series->upper[i] > tiny);
	return can_be_drawn(series->y[i], panel->log_y);
}

static void widen_axis(struct ft__axis *axis, double value)
{
	if (!can_be_drawn(value, axis->log))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

/* Air on both sides: a share of the width, or of its logarithm. */
static void add_air(struct ft__axis *axis, double share)
{
	if (axis->low > axis->high) {
		axis->low = axis->log ? 1 : 0;
		axis->high = axis->log ? 10 : 1;
	} else if (axis->log) {
		double factor = axis->high > axis->low ? pow(axis->high / axis->low, share) : 1.5;

		axis->low /= factor;
		axis->high *= factor;
	} else {
		double width = axis->high - axis->low;
		double size = fmax(fabs(axis->low), fabs(axis->high));
		/* Rounding is no range. */
		double more = width > 1e-9 * size ? width * share : size > 0 ? size / 10 : 1;

		axis->low -= more;
		axis->high += more;
	}
}

struct ft__axis ft__axis_x(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_x, panel->x_unit, false, panel->whole_x};

	for (size_t k = 0; k < panel->n; k++)
		for (size_t i = 0; i < panel->series[k].n; i++)
			if (ft__series_has(panel, &panel->series[k], i))
				widen_axis(&axis, panel->series[k].x[i]);
	add_air(&axis, 0.02);
	return axis;
}

const char *ft__axis_name(const struct ft_panel *panel, const struct ft__axis *x,
			  char buffer[FT__NAME_LENGTH])
{
	time_t seconds = (time_t)(x->low + (x->high - x->low) / 50); /* without the air */
	struct tm tm;
	char date[32] = "";

	if (!x->unit || strcmp(x->unit, "date") != 0)
		return panel->x_label ? panel->x_label : "";
	if (fabs(x->low) < 2.5e11 && gmtime_r(&seconds, &tm))
		(void)strftime(date, sizeof date, "%Y-%m-%d", &tm);
	(void)snprintf(buffer, FT__NAME_LENGTH, "%s, from %s", panel->x_label ? panel->x_label : "time",
		       date);
	return buffer;
}

struct ft__axis ft__axis_of(double low, double high, bool log, bool whole)
{
	struct ft__axis axis = {low, high, log, NULL, true, whole};

	add_air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_y(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_y, panel->y_unit, false, false};
	double low;

	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];

		for (size_t i = 0; i < series->n; i++) {
			if (!ft__series_has(panel, series, i))
				continue;
			if (series->kind != FT_SERIES_BAND) {
				widen_axis(&axis, series->y[i]);
			} else if (!series->beyond) {
				widen_axis(&axis, series->lower[i]);
				widen_axis(&axis, series->upper[i]);
			}
		}
	}
	low = axis.low;
	add_air(&axis, 0.05);
	if (!axis.log && low >= 0 && low <= axis.high / 2)
		axis.low = 0;
	return axis;
}

/* mantissa x 10^exponent, rounded once, so that 3 x 10^-1 prints as 0.3. */
static double scale_by_ten(double mantissa, int exponent)
{
	return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

static bool in_bytes(const struct ft__axis *axis)
{
	return axis->unit && !strcmp(axis->unit, "bytes");
}

static bool in_seconds(const struct ft__axis *axis)
{
	return axis->unit && !strcmp(axis->unit, "s");
}

/* The prefix of a label, as an exponent. Where all of an axis lies from 0.001 up to 9999 numbers have none. */
static int prefix_of(double magnitude, const struct ft__axis *axis)
{
	double high = fmax(fabs(axis->low), fabs(axis->high)), low = axis->log ? axis->low : high, exponent;

	if (magnitude == 0 || (in_seconds(axis) && magnitude >= 0.999 && magnitude < 0.999e5))
		return 0;
	if (in_bytes(axis))
		return 3 * (int)fmax(0, fmin(6, floor(log2(magnitude * 1.001) / 10)));
	if (!in_seconds(axis) && low >= 0.999e-3 && high < 0.999e4)
		return 0;
	exponent = 3 * floor(log10(magnitude * 1.001) / 3);
	return exponent < -15 || exponent > 18 ? 0 : (int)exponent;
}

/* A label: the number, the prefix and the unit; "10k" where there is no unit. */
static void add_label(struct ft__tic *tic, double number, int prefix, const struct ft__axis *axis)
{
	static const char *const words[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
	static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	const char *word = in_bytes(axis) ? binary[prefix / 3] : words[(prefix + 15) / 3],
		   *unit = axis->unit && !in_bytes(axis) ? axis->unit : "";
	bool bare = number == 0 || !(*word || *unit), apart = in_bytes(axis) || *unit;
	char digits[FT_NUMBER_LENGTH];

	(void)snprintf(tic->label, sizeof tic->label, "%s%s%s%s", ft_number_format(number, digits),
		       bare || !apart ? "" : " ", bare ? "" : word, bare ? "" : unit);
}

/* mantissa x 10^exponent, of bytes with 1024 in place of each 1000 of the prefix. */
static struct ft__tic tic_at(double mantissa, int exponent, int prefix, bool labelled,
			     const struct ft__axis *axis)
{
	double number = scale_by_ten(mantissa, exponent - prefix);
	struct ft__tic tic = {.at = in_bytes(axis) ? ldexp(number, prefix / 3 * 10)
						   : scale_by_ten(mantissa, exponent)};

	if (labelled)
		add_label(&tic, number, prefix, axis);
	return tic;
}

/* Steps of 1, 2 or 5 times a power of ten. */
static size_t linear_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	int prefix = prefix_of(fmax(fabs(axis->low), fabs(axis->high)), axis);
	double unit = in_bytes(axis) ? ldexp(1, prefix / 3 * 10) : 1;
	double low = axis->low / unit, high = axis->high / unit, raw = (high - low) / wanted;
	int exponent = (int)floor(log10(raw));
	double share = raw / pow(10, exponent);
	double step = share < 1.4 ? 1 : share < 3 ? 2 : share < 7 ? 5 : 10;
	size_t n = 0;

	if (axis->whole && exponent < 0 && floor(high) >= ceil(low)) {
		step = 1;
		exponent = 0;
	}
	double size = scale_by_ten(step, exponent);
	for (long k = (long)ceil(low / size - 1e-9); (double)k <= high / size + 1e-9 && n < FT__TICS_MOST;
	     k++)
		tic[n++] = tic_at((double)k * step, exponent + (unit > 1 ? prefix : 0), prefix, true, axis);
	return n;
}

/* Each decade, 1-2-5 if there are few of them, every k-th if there are many; the rest without a label. */
static size_t log_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	double decades = log10(axis->high / axis->low);
	int each = (int)ceil(decades / wanted);
	bool fine = 3 * decades <= wanted + 2;
	size_t n = 0;

	for (int e = (int)floor(log10(axis->low)) - 1; e <= (int)ceil(log10(axis->high)); e++)
		for (int m = 1; m <= 9; m++) {
			bool labelled = m == 1 ? e % each == 0 : fine && (m == 2 || m == 5);
			int prefix = in_bytes(axis) ? (int)fmax(0, fmin(18, 3 * floor(e / 3.0)))
						    : prefix_of(scale_by_ten(m, e), axis);
			struct ft__tic one = tic_at(m, e, prefix, labelled, axis);

			if (one.at >= axis->low && one.at <= axis->high &&
			    (labelled || m == 1 || each == 1) && n < FT__TICS_MOST)
				tic[n++] = one;
		}
	return n;
}

/* Times from minutes on: decimal steps of seconds would be read as sums. `from`: an axis that ends there has this
 * unit; its steps are those of people, and below the first of them decimal ones. */
static const struct time_unit {
	double seconds, from;
	const char *word;
	double step[7], stop[4]; /* stop: of a logarithmic axis, in units; the first is always labelled */
} time_units[] = {
	{86400, 3 * 86400, "d", {1}, {1, 2, 5}},
	{3600, 3 * 3600, "h", {1, 2, 3, 6, 12, 24}, {1, 2, 6, 12}},
	{60, 180, "min", {1, 2, 5, 10, 20, 30, 60}, {1, 2, 5}},
};

static size_t time_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	const struct time_unit *unit = time_units;
	size_t n = 0, i = 0;

	while (axis->high < unit->from)
		unit++;
	double raw = (axis->high - axis->low) / unit->seconds / wanted, step = 0;
	while (raw > 0.5 && i < 7 && unit->step[i] > 0 && step < raw * 0.8)
		step = unit->step[i++];
	if (step < raw * 0.8) { /* shorter than the unit, or many days */
		double power = pow(10, floor(log10(raw)));

		step = raw < 1.4 * power ? power
		       : raw < 3 * power ? 2 * power
		       : raw < 7 * power ? 5 * power
					 : 10 * power;
	}
	for (long k = (long)ceil(axis->low / unit->seconds / step - 1e-9);
	     (double)k * step * unit->seconds <= axis->high * (1 + 1e-9) && n < FT__TICS_MOST; k++) {
		char digits[FT_NUMBER_LENGTH];
		/* As a text and back: 0.3 of an hour is 0.3. */
		double number = round((double)k * step * 1e6) / 1e6;

		tic[n].at = number * unit->seconds;
		(void)snprintf(tic[n++].label, sizeof tic->label, number == 0 ? "0" : "%s %s",
			       ft_number_format(number, digits), unit->word);
	}
	return n;
}

static void add_time(const struct ft__axis *axis, double number, const struct time_unit *unit, bool labelled,
		     struct ft__tic tic[FT__TICS_MOST], size_t *n)
{
	double at = number * (unit ? unit->seconds : 1);
	int prefix = unit ? 0 : prefix_of(at, axis);

	if (!(at >= axis->low && at <= axis->high) || *n == FT__TICS_MOST)
		return;
	tic[*n] = (struct ft__tic){.at = at};
	if (labelled && unit)
		(void)snprintf(tic[*n].label, sizeof tic->label, "%g %s", number, unit->word);
	else if (labelled)
		add_label(&tic[*n], number * pow(10, -prefix), prefix, axis);
	++*n;
}

/* Decades up to ten seconds, then a minute, ten, an hour, six, a day, and decades of days. */
static size_t log_time_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	double decades = log10(axis->high / axis->low);
	int each = (int)ceil(decades / wanted), index = 0;
	bool fine = 3 * decades <= wanted + 2;
	size_t n = 0;

	for (int e = (int)floor(log10(axis->low)); e <= 1; e++, index++) {
		add_time(axis, scale_by_ten(1, e), NULL, index % each == 0, tic, &n);
		add_time(axis, scale_by_ten(2, e), NULL, fine, tic, &n);
		if (e < 1)
			add_time(axis, scale_by_ten(5, e), NULL, fine, tic, &n);
		else
			add_time(axis, 30, NULL, false, tic, &n);
	}
	for (int i = 2; i >= 0; i--) /* 1 min, 10 min, 1 h, 6 h, 1 d, 10 d ... */
		for (double scale = 1; scale < (i == 2 ? 20 : i == 1 ? 2 : 1e9); scale *= 10, index++) {
			const struct time_unit *unit = &time_units[i];

			for (size_t k = 0; k < 4 && unit->stop[k] > 0; k++)
				if (i == 0 || scale < 10 || (i == 2 && k < 2)) /* no 50 min, and no 10 h */
					add_time(axis, scale * unit->stop[k], unit,
						 fine || ((k == 0 || (i == 1 && k == 2 && each == 1)) &&
							  index % each == 0),
						 tic, &n);
		}
	return n;
}

/* The first second of a month, counted from January 1970. */
static double month_at(long month)
{
	int year = (int)floor((double)month / 12);
	struct tm tm = {.tm_year = 70 + year, .tm_mon = (int)(month - 12L * year), .tm_mday = 1};

	return (double)timegm(&tm);
}

/* Hours, and the date at midnight; days; months, and the year in January: in UTC. */
static size_t date_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	static const double steps[] = {1,     2,     5,     10,    15,     30,     60,
				       120,   300,   600,   900,   1800,   3600,   7200,
				       10800, 21600, 43200, 86400, 172800, 432000, 864000};
	static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	static const int months[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12000};
	double raw = (axis->high - axis->low) / wanted;
	size_t n = 0, i = 0;

	if (!(axis->low > -6e10 && axis->high < 2.5e11)) /* years of four digits */
		return linear_tics(&(struct ft__axis){axis->low, axis->high, false, NULL, false, false},
				   wanted, tic);
	while (i < sizeof steps / sizeof *steps && steps[i] < raw * 0.8)
		i++;
	bool by_month = i == sizeof steps / sizeof *steps;
	double step = by_month ? 30.44 * 86400 : steps[i];
	if (by_month)
		for (i = 0; i + 1 < sizeof months / sizeof *months && months[i] * step < raw * 0.8;)
			i++;
	long each = by_month ? months[i] : 1;
	long k =
		by_month ? (long)floor(axis->low / step / (double)each) * each : (long)ceil(axis->low / step);
	for (; n < FT__TICS_MOST; k += each) {
		double at = by_month ? month_at(k) : (double)k * step;
		time_t seconds = (time_t)at;
		struct tm tm;

		if (at > axis->high || !gmtime_r(&seconds, &tm))
			break;
		if (at < axis->low)
			continue;
		tic[n].at = at;
		if (by_month && (each >= 12 || !tm.tm_mon))
			(void)snprintf(tic[n].label, sizeof tic->label, "%d", 1900 + tm.tm_year);
		else if (by_month)
			(void)snprintf(tic[n].label, sizeof tic->label, "%s", names[tm.tm_mon]);
		else if (!tm.tm_hour && !tm.tm_min && !tm.tm_sec)
			(void)snprintf(tic[n].label, sizeof tic->label, "%d %s", tm.tm_mday,
				       names[tm.tm_mon]);
		else
			(void)snprintf(tic[n].label, sizeof tic->label,
				       step < 60 ? "%02d:%02d:%02d" : "%02d:%02d", tm.tm_hour, tm.tm_min,
				       tm.tm_sec);
		n++;
	}
	return n;
}

size_t ft__axis_places(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	bool log = axis->log && axis->high > 4 * axis->low;

	if (axis->unit && !strcmp(axis->unit, "date"))
		return date_tics(axis, wanted, tic);
	if (in_seconds(axis) && axis->high >= 180 && axis->high < 1e12 && axis->low > -axis->high)
		return log ? log_time_tics(axis, wanted, tic) : time_tics(axis, wanted, tic);
	return log ? log_tics(axis, wanted, tic) : linear_tics(axis, wanted, tic);
}

double ft__axis_at(const struct ft__axis *axis, double value)
{
	return axis->exponents && axis->log ? log10(value) : value;
}

static size_t mark_of(const struct ft__axis *axis, double value)
{
	double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
				 : (value - axis->low) / (axis->high - axis->low);

	return (size_t)(fmax(0, fmin(1, share)) * (FT__MARKS - 1));
}

bool ft__axis_hides(bool *mark, const struct ft__axis *x, const struct ft__axis *y, const double at[2])
{
	bool *one = mark + mark_of(y, at[1]) * FT__MARKS + mark_of(x, at[0]), before = *one;

	*one = true;
	return before;
}
