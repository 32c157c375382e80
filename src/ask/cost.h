/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - what one size costs, asked again and again. */
#ifndef FT_ASK_COST_H
#define FT_ASK_COST_H

#include "ask/ask.h"
#include "foretime/cost.h"

/* A question of a cost made ready. */
struct ft__costing {
	struct ft_answerer *answerer;
	struct ft_cost_options options; /* each with its value */
	struct ft_size size;            /* of what was asked last */
	size_t varying;
	const struct ft_resource *memory; /* NULL: not measured */
	double memory_bytes;              /* INFINITY: any */
	double cap;                       /* the largest that fits by ft_ask_largest; NaN: not asked yet */
	double failing;                   /* from here on no run ended well; INFINITY */
	double risk;                      /* 0: typical */
	bool rough;
};

enum ft_status ft__costing_init(struct ft__costing *c, struct ft_answerer *answerer,
				const struct ft_size *size, size_t varying,
				const struct ft_cost_options *options, struct ft_err *err);

/* ft__costing_at - the cost of x units; INFINITY and why where they will not do. */
enum ft_status ft__costing_at(struct ft__costing *c, double x, double *value, enum ft_cost_end *end,
			      struct ft_err *err);

#endif
