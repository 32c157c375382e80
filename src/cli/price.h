/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.h - what energy costs, in money and in carbon dioxide, by a stated price. */
#ifndef FT_CLI_PRICE_H
#define FT_CLI_PRICE_H

#include "cli/options.h"
#include "tell/price.h"

/* Zero-initialise. */
struct cli_price {
	const char *price, *co2; /* as typed; NULL: not stated */
	struct ft_told_price told;
};

/* clang-format off */
#define CLI_PRICE_OPTIONS(p) \
	{0, "price", FT_FIELD_TEXT, &(p).price, "PRICE", "price of energy, as in 0.30/kWh or 0.30EUR/kWh"}, \
	{0, "co2", FT_FIELD_TEXT, &(p).co2, "MASS", "carbon dioxide of energy, as in 400g/kWh", .of = "price"}
/* clang-format on */

/* cli_price_read - what was typed. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_price_read(struct cli_price *price);

static inline bool cli_price_stated(const struct cli_price *price)
{
	return price->price || price->co2;
}

/* cli_price_text - "0.021 EUR, 28 g of CO2", what was stated of it; ends with free. */
char *cli_price_text(const struct cli_price *price, double joules);

#endif
