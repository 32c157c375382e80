/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c - the range of an axis and its tics. */
#include "plot/axis.h"

#include "foretime/units.h"
#include "plot/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values beyond these are taken for infinite, so that neither air nor ratios overflow. */
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
	struct ft__axis axis = {.low = INFINITY, .high = -INFINITY, .log = panel->log_x};

	for (size_t k = 0; k < panel->n; k++)
		for (size_t i = 0; i < panel->series[k].n; i++)
			if (ft__series_has(panel, &panel->series[k], i))
				widen_axis(&axis, panel->series[k].x[i]);
	add_air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_of(double low, double high, bool log)
{
	struct ft__axis axis = {low, high, log, NULL, true};

	add_air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_y(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_y, panel->y_unit, false};
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

/* The prefix of a label, as an exponent. Where all of an axis lies from 0.001 up to 99999 plain numbers have
 * none. */
static int prefix_of(double magnitude, const struct ft__axis *axis)
{
	double high = fmax(fabs(axis->low), fabs(axis->high)), low = axis->log ? axis->low : high, exponent;

	if (magnitude == 0 || (in_seconds(axis) && magnitude >= 0.999 && magnitude < 0.999e5))
		return 0;
	if (in_bytes(axis))
		return 3 * (int)fmax(0, fmin(6, floor(log2(magnitude * 1.001) / 10)));
	if (!in_seconds(axis) && low >= 0.999e-3 && high < 0.999e5)
		return 0;
	exponent = 3 * floor(log10(magnitude * 1.001) / 3);
	return exponent < -15 || exponent > 18 ? 0 : (int)exponent;
}

/* A label: the number, the prefix and the unit. */
static void add_label(struct ft__tic *tic, double number, int prefix, const struct ft__axis *axis)
{
	static const char *const words[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
	static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	const char *word = in_bytes(axis) ? binary[prefix / 3] : words[(prefix + 15) / 3],
		   *unit = axis->unit && !in_bytes(axis) ? axis->unit : "";
	bool bare = number == 0 || !(*word || *unit);
	char digits[FT_NUMBER_LENGTH];

	(void)snprintf(tic->label, sizeof tic->label, "%s%s%s%s", ft_number_format(number, digits),
		       bare ? "" : " ", bare ? "" : word, bare ? "" : unit);
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
	double size = scale_by_ten(step, exponent);
	size_t n = 0;

	for (long k = (long)ceil(low / size - 1e-9); (double)k <= high / size + 1e-9 && n < FT__TICS_MOST;
	     k++)
		tic[n++] = tic_at((double)k * step, exponent + (unit > 1 ? prefix : 0), prefix, true, axis);
	return n;
}

/* Each decade, 1-2-5 where there are few of them, every so many where there are many; the rest without a
 * label. */
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

size_t ft__axis_places(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	return axis->log && axis->high > 4 * axis->low ? log_tics(axis, wanted, tic)
						       : linear_tics(axis, wanted, tic);
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

void ft__axis_tics(struct ft_text *script, const char *name, const struct ft__axis *axis, int wanted)
{
	struct ft__tic tic[FT__TICS_MOST];
	size_t n = ft__axis_places(axis, wanted, tic), i;

	ft_text_add(script, "set %stics (", name);
	for (i = 0; i < n; i++) {
		ft_text_add(script, i ? ", " : "");
		ft__plot_quoted(script, tic[i].label);
		ft_text_add(script, " ");
		ft_text_add_number(script, ft__axis_at(axis, tic[i].at));
		ft_text_add(script, *tic[i].label ? " 0" : " 1");
	}
	ft_text_add(script, ")\nset %srange [", name);
	ft_text_add_number(script, ft__axis_at(axis, axis->low));
	ft_text_add(script, ":");
	ft_text_add_number(script, ft__axis_at(axis, axis->high));
	ft_text_add(script, "]\n%s logscale %s\n", axis->log && !axis->exponents ? "set" : "unset", name);
}
