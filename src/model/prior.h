/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prior.h - the growth beyond the data that is believed in before the data: the built-in table
 * (growth_table.h), or what a site's file has in its place. */
#ifndef FT_MODEL_PRIOR_H
#define FT_MODEL_PRIOR_H

#include "base/text.h"
#include "foretime/model.h"
#include "model/beyond.h"

struct ft_prior {
	struct ft__growth of[FT_CLASSES];
};

/* A parameter of struct ft__growth in the file: one row of the table, `rows` lists of `columns` numbers. */
struct ft__prior_field {
	const char *name;
	size_t offset, rows, columns;
	double least, most;
	bool shares; /* each list sums to 1 */
};

/* The table, which has all of struct ft__growth. A parameter is added by adding a row. */
extern const struct ft__prior_field ft__prior_field[];
extern const size_t ft__prior_fields;

/* ft__prior_growth - [FT_CLASSES] of a prior; NULL: the built-in table. */
const struct ft__growth *ft__prior_growth(const struct ft_prior *prior);

/* ft__prior_mark - a whole number by which different priors differ. */
double ft__prior_mark(const struct ft_prior *prior);

/* ft__prior_print - the file that ft_prior_read reads. Numbers have three digits, as in growth_table.h. */
void ft__prior_print(const struct ft__growth growth[FT_CLASSES], struct ft_text *out);

#endif
