/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.h - what energy costs, as several answers tell it. */
#ifndef FT_TELL_PRICE_H
#define FT_TELL_PRICE_H

#include "tell/tell.h"

enum { FT_TELL_CURRENCY = 16 };

/* A stated price. */
struct ft_told_price {
	double per_kwh, co2_g_per_kwh;   /* > 0; else: not stated */
	char currency[FT_TELL_CURRENCY]; /* "": none was said */
};
extern const struct ft_tell_record ft_tell_price; /* null: nothing was stated */

/* What some energy costs. */
struct ft_told_cost {
	double cost, co2_g; /* NaN: not asked for */
};
extern const struct ft_tell_record ft_tell_cost; /* rows */

/* ft_tell_cost_of - joules at a price. */
struct ft_told_cost ft_tell_cost_of(const struct ft_told_price *price, double joules);

#endif
