/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product.c - which products of the parameters' shapes make the law.
 *
 * For each choice of one shape for each parameter: a constant and all products of them by least squares with
 * coefficients that are not negative, and without the terms that are not worth their place. Then the best few
 * are polished: each factor of each term may take any other shape. So is one more, whose terms had shapes of
 * their own from the beginning (mixture.c). */
#include "law/many.h"

#include <math.h>
#include <string.h>

enum { STARTS = 3, SWEEPS = 4 };

double ft__law_column(const struct ft__law_many *many, const struct ft__product *law, size_t k, size_t column)
{
	double value = 1;

	for (size_t p = 0; p < many->params; p++)
		if (column >> p & 1)
			value *= ft__law_shape_value(law->shape[column][p], many->place[k].x[p]);
	return value;
}

static size_t columns_of(const struct ft__law_many *many)
{
	return (size_t)1 << many->params;
}

static void fill_column(struct ft__law_many *many, const struct ft__product *law, size_t column)
{
	for (size_t k = 0; k < many->n; k++)
		many->columns[column * many->n + k] = ft__law_column(many, law, k, column);
}

/* ln of how usual the shapes are; one that stands in several terms counts once. */
static double prior_of(const struct ft__law_many *many, const struct ft__product *law)
{
	double prior = 0;

	for (size_t p = 0; p < many->params; p++)
		for (size_t i = 1; i < columns_of(many); i++) {
			bool seen = !law->in[i] || !(i >> p & 1);

			for (size_t j = 1; j < i && !seen; j++)
				seen = law->in[j] && j >> p & 1 && law->shape[j][p] == law->shape[i][p];
			prior += seen ? 0 : log(ft__law_prior(law->shape[i][p]));
		}
	return prior;
}

/* Least squares of the columns in index, relative to many->y, which becomes the law. */
static void solve_columns(struct ft__law_many *many, const size_t *index, size_t n, double *c)
{
	size_t j;

	for (size_t k = 0; k < many->n; k++) {
		double w = sqrt(many->place[k].count) / many->y[k];

		for (j = 0; j < n; j++)
			many->a[k * n + j] = w * many->columns[index[j] * many->n + k];
		many->y[k] = w * many->place[k].mean;
	}
	ft_nnls(many->a, many->y, many->n, n, c);
	for (size_t k = 0; k < many->n; k++)
		for (many->y[k] = 0, j = 0; j < n; j++)
			many->y[k] += c[j] * many->columns[index[j] * many->n + k];
}

/* The coefficients of the columns that are in, and the score; what is 0 then is out. */
static void fit_product(struct ft__law_many *many, struct ft__product *law)
{
	double c[FT__COLUMNS], logs = 0, p = 0;
	size_t index[FT__COLUMNS], n = 0, j, k;

	for (j = 0; j < columns_of(many); j++) {
		if (law->in[j])
			index[n++] = j;
		law->c[j] = 0;
	}
	for (k = 0; k < many->n; k++)
		many->y[k] = many->place[k].mean;
	solve_columns(many, index, n, c);
	law->score = -INFINITY;
	for (k = 0; k < many->n; k++)
		if (!(many->y[k] > 0))
			return;
	solve_columns(many, index, n, c);
	law->square = 0;
	for (k = 0; k < many->n; k++) {
		double r = many->place[k].mean / many->y[k] - 1;

		law->square += many->place[k].count * r * r;
		logs += many->place[k].count * log(many->y[k]);
	}
	for (j = 0; j < n; j++) {
		law->c[index[j]] = c[j];
		law->in[index[j]] = c[j] > 0;
		p += c[j] > 0;
	}
	if (isfinite(logs) && isfinite(law->square))
		law->score = -many->total / 2 * log(law->square + many->scatter + many->floor) - logs -
			     p / 2 * log(many->total) + prior_of(many, law);
}

static size_t count_in(const struct ft__law_many *many, const struct ft__product *law)
{
	size_t n = 0;

	for (size_t j = 0; j < columns_of(many); j++)
		n += law->in[j];
	return n;
}

/* Leave out what is not worth its place, the least worthy first. */
static void prune(struct ft__law_many *many, struct ft__product *law)
{
	bool better = true;

	while (better && count_in(many, law) > 1) {
		struct ft__product best = *law;

		better = false;
		for (size_t j = 0; j < columns_of(many); j++) {
			struct ft__product less = *law;

			if (!law->in[j])
				continue;
			less.in[j] = false;
			fit_product(many, &less);
			if (less.score > best.score) {
				best = less;
				better = true;
			}
		}
		*law = best;
	}
}

/* The best shape for one factor, the others as they are. */
static bool polish_factor(struct ft__law_many *many, struct ft__product *law, size_t column, size_t p)
{
	struct ft__product best = *law;

	for (size_t i = 1; i < FT__LAW_SEVERAL; i++) {
		struct ft__product other = *law;

		other.shape[column][p] = (unsigned char)i;
		if (i == law->shape[column][p] || isnan(ft__law_column(many, &other, 0, column)))
			continue;
		fill_column(many, &other, column);
		fit_product(many, &other);
		if (other.score > best.score)
			best = other;
	}
	fill_column(many, &best, column);
	if (best.score <= law->score)
		return false;
	*law = best;
	return true;
}

static void polish(struct ft__law_many *many, struct ft__product *law)
{
	bool better = true;

	for (size_t j = 0; j < columns_of(many); j++)
		fill_column(many, law, j);
	for (int sweep = 0; sweep < SWEEPS && better; sweep++) {
		better = false;
		for (size_t j = 1; j < columns_of(many); j++)
			for (size_t p = 0; p < many->params; p++)
				if (law->in[j] && j >> p & 1)
					better |= polish_factor(many, law, j, p);
		prune(many, law);
	}
}

static bool same_law(const struct ft__law_many *many, const struct ft__product *a,
		     const struct ft__product *b)
{
	for (size_t j = 0; j < columns_of(many); j++) {
		if (a->in[j] != b->in[j])
			return false;
		for (size_t p = 0; p < many->params && a->in[j]; p++)
			if (j >> p & 1 && a->shape[j][p] != b->shape[j][p])
				return false;
	}
	return true;
}

/* Keep the best, in order. */
static void offer_choice(const struct ft__law_many *many, struct ft__product *kept, size_t *n,
			 const struct ft__product *law)
{
	size_t i;

	if (isinf(law->score))
		return;
	for (i = 0; i < *n; i++)
		if (same_law(many, &kept[i], law))
			return;
	if (*n == FT_LAW_CANDIDATES) {
		if (kept[*n - 1].score >= law->score)
			return;
		--*n;
	}
	for (i = *n; i > 0 && kept[i - 1].score < law->score; i--)
		kept[i] = kept[i - 1];
	kept[i] = *law;
	++*n;
}

static void fit_choice(struct ft__law_many *many, const size_t *choice, struct ft__product *law)
{
	*law = (struct ft__product){0};
	for (size_t j = 0; j < columns_of(many); j++) {
		for (size_t p = 0; p < many->params; p++)
			law->shape[j][p] = many->shape[p][choice[p]];
		law->in[j] = true;
		fill_column(many, law, j);
	}
	fit_product(many, law);
	prune(many, law);
}

/* A law that begins with shapes of its own in each term; one that is known is no new start. */
static void offer_mixed(struct ft__law_many *many, struct ft__product *kept, size_t *n,
			struct ft__product *law)
{
	for (size_t i = 0; i < columns_of(many); i++)
		fill_column(many, law, i);
	fit_product(many, law);
	prune(many, law);
	for (size_t i = 0; i < *n; i++)
		if (same_law(many, &kept[i], law))
			return;
	polish(many, law);
	offer_choice(many, kept, n, law);
}

size_t ft__law_find_products(struct ft__law_many *many, struct ft__product *kept)
{
	size_t choice[FT_LAW_PARAMS] = {0}, n = 0, p, i, starts;
	struct ft__product start[STARTS], law;

	for (p = 0; p < many->params;) {
		fit_choice(many, choice, &law);
		offer_choice(many, kept, &n, &law);
		for (p = 0; p < many->params && ++choice[p] == many->shapes[p]; p++)
			choice[p] = 0;
	}
	starts = n < STARTS ? n : STARTS;
	memcpy(start, kept, starts * sizeof *start);
	for (i = 0; i < starts; i++) {
		polish(many, &start[i]);
		offer_choice(many, kept, &n, &start[i]);
	}
	if (ft__law_mix(many, &law))
		offer_mixed(many, kept, &n, &law);
	return n;
}
