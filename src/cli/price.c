/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.c - what energy costs, as it is typed and as people read it. */
#include "cli/price.h"
#include "cli/common.h"
#include "foretime/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double J_PER_KWH = 3.6e6;

/* "0.30EUR/kWh": the number, what stands before the stroke, and a kWh's worth. */
static bool read_ratio(const char *text, double *value, char word[FT_TELL_CURRENCY])
{
	const char *stroke = strchr(text, '/'), *at;
	char unit[FT_TELL_CURRENCY], *end;
	double joules;

	*value = strtod(text, &end);
	if (!stroke || end == text || end > stroke || !isfinite(*value) || !(*value > 0))
		return false;
	for (at = end; at < stroke && isspace((unsigned char)*at); at++)
		;
	if (stroke - at >= FT_TELL_CURRENCY ||
	    snprintf(unit, sizeof unit, "1%s", stroke + 1) >= (int)sizeof unit ||
	    !isalpha((unsigned char)unit[1]) || ft_value_parse(unit, "J", &joules, NULL) || !(joules > 0))
		return false;
	(void)snprintf(word, FT_TELL_CURRENCY, "%.*s", (int)(stroke - at), at);
	*value *= J_PER_KWH / joules;
	return true;
}

static int wrong_price(const char *option, const char *text, const char *example)
{
	return cli_fail("%s'%s' is not a price or a power\nhint: write %s%s", option, text, option, example);
}

int cli_price_read(struct cli_price *price)
{
	static const struct {
		const char *unit;
		double grams;
	} masses[] = {{"g", 1}, {"kg", 1e3}, {"t", 1e6}, {"mg", 1e-3}};
	struct ft_told_price *told = &price->told;
	char unit[FT_TELL_CURRENCY];
	size_t i, n = sizeof masses / sizeof *masses;

	*told = (struct ft_told_price){.per_kwh = NAN, .co2_g_per_kwh = NAN};
	if (price->price && !read_ratio(price->price, &told->per_kwh, told->currency))
		return wrong_price("--price ", price->price, "0.30/kWh, or 0.30EUR/kWh");
	if (!price->co2)
		return CLI_DONE;
	if (!read_ratio(price->co2, &told->co2_g_per_kwh, unit))
		return wrong_price("--price co2=", price->co2, "400g/kWh");
	for (i = 0; i < n && strcmp(masses[i].unit, unit) != 0; i++)
		;
	if (i == n)
		return wrong_price("--price co2=", price->co2, "400g/kWh");
	told->co2_g_per_kwh *= masses[i].grams;
	return CLI_DONE;
}

char *cli_price_text(const struct cli_price *price, double joules)
{
	struct ft_told_cost cost = ft_tell_cost_of(&price->told, joules);
	CLI_OWN char *money = isnan(cost.cost)
				      ? cli_strdup("")
				      : cli_printed("%.3g%s%s", cost.cost, *price->told.currency ? " " : "",
						    price->told.currency);
	char mass[FT_UNIT_LENGTH], *text;

	text = cli_printed("%s%s%s%s", money, *money && !isnan(cost.co2_g) ? ", " : "",
			   isnan(cost.co2_g) ? "" : ft_value_format(cost.co2_g, "g", mass),
			   isnan(cost.co2_g) ? "" : " of CO2");
	return text;
}
