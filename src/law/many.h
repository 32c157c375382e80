/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many.h - what the files that find laws of several parameters share. */
#ifndef FT_LAW_MANY_H
#define FT_LAW_MANY_H

#include "law/laws.h"
#include "num/nnls.h"

/* Of each parameter: candidates; with none, and the two that stand beside each other; columns of a law. */
enum { FT__SHAPES_MOST = 6, FT__OPTIONS = FT__SHAPES_MOST + 3, FT__COLUMNS = 1 << FT_LAW_PARAMS };
_Static_assert((int)FT__COLUMNS <= (int)FT_LAW_TERMS + 1 && (int)FT__COLUMNS <= (int)FT_NNLS_COLUMNS,
	       "room for all products");

/* A size of several parameters. */
struct ft__law_spot {
	double x[FT_LAW_PARAMS], mean, count;
};

struct ft__law_many {
	size_t params, n;
	struct ft__law_spot *place; /* [n] */
	double total, scatter, floor;
	unsigned char shape[FT_LAW_PARAMS][FT__SHAPES_MOST]; /* candidates */
	size_t shapes[FT_LAW_PARAMS];
	unsigned char two[FT_LAW_PARAMS]
			 [2]; /* along lines, of two terms beside each other; 0: no lines tell */
	double *a, *y;        /* [n x FT__COLUMNS], [n]: room for the fits */
	double *columns;      /* [FT__COLUMNS][n]: products at each place */
	double *factors;      /* [FT_LAW_PARAMS][FT__OPTIONS][n] */
};

/* A law: a constant and products. Bit p of a column's number says that parameter p is a factor of it; column
 * 0 is the constant. Each factor has a shape of its own. */
struct ft__product {
	unsigned char shape[FT__COLUMNS][FT_LAW_PARAMS];
	bool in[FT__COLUMNS];
	double c[FT__COLUMNS];
	double square, score;
};

/* ft__law_find_shapes - for each parameter alone the shapes that explain most. (lines.c) */
enum ft_status ft__law_find_shapes(struct ft__law_many *many, struct ft_err *err);

/* ft__law_find_products - the best laws, the best first; kept [FT_LAW_CANDIDATES]. Returns how many.
 * (product.c) */
size_t ft__law_find_products(struct ft__law_many *many, struct ft__product *kept);

/* ft__law_mix - the terms of a law whose factors have shapes of their own, to begin with: shapes, and which
 * columns are in. False: there are none. (mixture.c) */
bool ft__law_mix(struct ft__law_many *many, struct ft__product *out);

/* ft__law_column - a column's value at a place. */
double ft__law_column(const struct ft__law_many *many, const struct ft__product *law, size_t k,
		      size_t column);

/* ft__law_deviation - one standard deviation of a law's value, by the covariance of its coefficients. */
double ft__law_deviation(const struct ft_law_candidate *candidate, const double *x);

#endif
