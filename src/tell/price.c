/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.c - what energy costs, as several answers tell it. */
#include "tell/price.h"
#include "base/text.h"
#include "foretime/units.h"

#include <math.h>

static const double J_PER_KWH = 3.6e6;

struct ft_told_cost ft_tell_cost_of(const struct ft_told_price *price, double joules)
{
	double kwh = joules / J_PER_KWH;

	return (struct ft_told_cost){price->per_kwh > 0 ? kwh * price->per_kwh : (double)NAN,
				     price->co2_g_per_kwh > 0 ? kwh * price->co2_g_per_kwh : (double)NAN};
}

static bool is_stated(const void *told)
{
	const struct ft_told_price *price = told;

	return price->per_kwh > 0 || price->co2_g_per_kwh > 0;
}

static const struct ft_tell_row price_rows[] = {
	{FT_TELL(struct ft_told_price, per_kwh), .null = "not stated"},
	{FT_TELL(struct ft_told_price, currency), .about = "as it was typed"},
	{FT_TELL(struct ft_told_price, co2_g_per_kwh), .null = "not stated"},
	{0},
};
const struct ft_tell_record ft_tell_price = {.row = price_rows, .there = is_stated};

/* Columns that are empty are not there. */
static char *number_cell(double value, const char *unit)
{
	struct ft_text text = {0};
	char buffer[FT_UNIT_LENGTH];

	if (isnan(value))
		ft_text_add(&text, "%s", "");
	else if (unit)
		ft_text_add(&text, "%s", ft_value_format(value, unit, buffer));
	else if (value > 0 && (value < 1e-4 || value >= 1000)) /* without an exponent */
		ft_text_add(&text, "%.*f", (int)fmax(0, fmin(12, 2 - floor(log10(value)))), value);
	else
		ft_text_add(&text, "%.3g", value);
	return ft_text_take(&text);
}

static char *cost_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return number_cell(((const struct ft_told_cost *)record)->cost, NULL);
}

static char *co2_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return number_cell(((const struct ft_told_cost *)record)->co2_g, "g");
}

static const struct ft_tell_row cost_rows[] = {
	{FT_TELL(struct ft_told_cost, cost), .about = "of the energy, in the currency of the price",
	 .absent = "no price was stated", .head = ">cost", .cell = cost_cell, .csv = true},
	{FT_TELL(struct ft_told_cost, co2_g), .about = "of the energy, grams of carbon dioxide",
	 .absent = "not stated", .head = ">CO2", .cell = co2_cell, .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_cost = {.row = cost_rows};
