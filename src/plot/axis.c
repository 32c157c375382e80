/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c - the range of an axis and its tics. */
#include "plot/axis.h"

#include <math.h>

/* Values beyond these are taken for infinite, so that neither air nor ratios overflow. */
static const double huge = 1e140, tiny = 1e-140;

static bool drawable(double value, bool log)
{
	return fabs(value) < huge && (!log || value > tiny);
}

bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i)
{
	if (!drawable(series->x[i], panel->log_x))
		return false;
	if (series->kind == FT_SERIES_BAND)
		return series->lower[i] <= series->upper[i] && series->lower[i] < huge &&
		       series->upper[i] > -huge && (!panel->log_y || series->upper[i] > tiny);
	return drawable(series->y[i], panel->log_y);
}

static void widen(struct ft__axis *axis, double value)
{
	if (!drawable(value, axis->log))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

/* Air on both sides: a share of the width, or of its logarithm. */
static void air(struct ft__axis *axis, double share)
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
		double more = width > 0 ? width * share : axis->low == 0 ? 1 : fabs(axis->low) / 10;

		axis->low -= more;
		axis->high += more;
	}
}

struct ft__axis ft__axis_x(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_x};

	for (size_t k = 0; k < panel->n; k++)
		for (size_t i = 0; i < panel->series[k].n; i++)
			if (ft__series_has(panel, &panel->series[k], i))
				widen(&axis, panel->series[k].x[i]);
	air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_y(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_y};
	double low;

	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];

		for (size_t i = 0; i < series->n; i++) {
			if (!ft__series_has(panel, series, i))
				continue;
			if (series->kind != FT_SERIES_BAND)
				widen(&axis, series->y[i]);
			if (series->kind == FT_SERIES_BAND || series->kind == FT_SERIES_BARS) {
				widen(&axis, series->lower[i]);
				widen(&axis, series->upper[i]);
			}
		}
	}
	low = axis.low;
	air(&axis, 0.05);
	if (!axis.log && low >= 0 && low <= axis.high / 2)
		axis.low = 0;
	return axis;
}

/* mantissa x 10^exponent, rounded once, so that 3 x 10^-1 prints as 0.3. */
static double scaled(double mantissa, int exponent)
{
	return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

/* The SI prefix of a label, as an exponent. Where all of an axis lies from 0.001 up to 99999 nothing has one.
 */
static int prefix_of(double magnitude, const struct ft__axis *axis)
{
	double high = fmax(fabs(axis->low), fabs(axis->high)), low = axis->log ? axis->low : high, exponent;

	if (magnitude == 0 || (low >= 0.999e-3 && high < 0.999e5))
		return 0;
	exponent = 3 * floor(log10(magnitude * 1.001) / 3);
	return exponent < -15 || exponent > 18 ? 0 : (int)exponent;
}

static void add_tic(struct ft_text *script, double mantissa, int exponent, int prefix, bool labelled)
{
	static const char *const words[] = {" f", " p", " n", " µ", " m", "",
					    " k", " M", " G", " T", " P", " E"};

	bool first = script->length > 0 && script->s[script->length - 1] == '(';

	ft_text_add(script, first ? "'" : ", '");
	if (labelled) {
		ft_text_add_number(script, scaled(mantissa, exponent - prefix));
		ft_text_add(script, "%s", mantissa == 0 ? "" : words[(prefix + 15) / 3]);
	}
	ft_text_add(script, "' ");
	ft_text_add_number(script, scaled(mantissa, exponent));
	ft_text_add(script, labelled ? " 0" : " 1");
}

/* Steps of 1, 2 or 5 times a power of ten. */
static void linear_tics(struct ft_text *script, const struct ft__axis *axis, int wanted)
{
	double raw = (axis->high - axis->low) / wanted;
	int exponent = (int)floor(log10(raw));
	double share = raw / pow(10, exponent);
	double step = share < 1.4 ? 1 : share < 3 ? 2 : share < 7 ? 5 : 10;
	double unit = scaled(step, exponent);
	int prefix = prefix_of(fmax(fabs(axis->low), fabs(axis->high)), axis);

	for (long k = (long)ceil(axis->low / unit - 1e-9); (double)k <= axis->high / unit + 1e-9; k++)
		add_tic(script, (double)k * step, exponent, prefix, true);
}

/* Each decade, 1-2-5 where there are few of them, every so many where there are many; the rest without a
 * label. */
static void log_tics(struct ft_text *script, const struct ft__axis *axis, int wanted)
{
	double decades = log10(axis->high / axis->low);
	int each = (int)ceil(decades / wanted);
	bool fine = 3 * decades <= wanted + 2;

	for (int e = (int)floor(log10(axis->low)); e <= (int)ceil(log10(axis->high)); e++)
		for (int m = 1; m <= 9; m++) {
			double value = scaled(m, e);
			bool labelled = m == 1 ? e % each == 0 : fine && (m == 2 || m == 5);

			if (value < axis->low || value > axis->high || (!labelled && m > 1 && each > 1))
				continue;
			add_tic(script, m, e, prefix_of(value, axis), labelled);
		}
}

void ft__axis_tics(struct ft_text *script, char name, const struct ft__axis *axis, int wanted)
{
	ft_text_add(script, "set %ctics (", name);
	if (axis->log && axis->high > 4 * axis->low)
		log_tics(script, axis, wanted);
	else
		linear_tics(script, axis, wanted);
	ft_text_add(script, ")\nset %crange [", name);
	ft_text_add_number(script, axis->low);
	ft_text_add(script, ":");
	ft_text_add_number(script, axis->high);
	ft_text_add(script, "]\n%s logscale %c\n", axis->log ? "set" : "unset", name);
}
