/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product.c - selects the products of the parameters' shapes that form the law.
 *
 * For each choice of one shape for each parameter: a constant and all products of them by non-negative
 * least squares, without the terms that gain too little. Then the best few are polished: each factor of
 * each term may take any other shape. So is one more, whose terms had shapes of their own from the
 * beginning (mixture.c). */
#include "law/laws.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * A law whose terms have shapes of their own: x^2 log y + x y^2 z.
 *
 * If all terms share a shape for each parameter, and one factor after the other is then changed, such a law
 * is not reached: every step on the way to it is worse. (With two parameters it is: of two terms one has a
 * single factor.) So all products of candidate shapes are columns at once, and non-negative least squares,
 * which has only the global minimum, selects them: columns are added one by one, that with the steepest
 * slope first, as Lawson & Hanson do. Of the columns of the same parameters, as a law has one, the largest
 * is taken.
 */

/* Columns in use at once, rounds, and the slope that is none. */
enum { ACTIVE = FT_NNLS_COLUMNS, ROUNDS = 60, PRODUCTS = 729 };
static const double level = 1e-9;

struct mixture {
	struct ft__law_many *many;
	unsigned char shape[FT_LAW_PARAMS][FT__OPTIONS]; /* of options from 1 on; option 0: no factor */
	size_t options[FT_LAW_PARAMS], columns;
	double length[PRODUCTS]; /* of each column, weighted */
	size_t active[ACTIVE], n;
	double c[ACTIVE]; /* of columns of length 1 */
};

static void add_option(struct mixture *m, size_t p, unsigned char shape)
{
	double *value = m->many->factors + (p * FT__OPTIONS + m->options[p]) * m->many->n;

	for (size_t i = 1; i < m->options[p]; i++)
		if (m->shape[p][i] == shape)
			return;
	for (size_t k = 0; k < m->many->n; k++) {
		value[k] = shape ? ft__law_shape_value(shape, m->many->place[k].x[p]) : 1;
		if (!p) /* errors are relative */
			value[k] *= sqrt(m->many->place[k].count) / m->many->place[k].mean;
	}
	m->shape[p][m->options[p]++] = shape;
}

/* The factors of a column, at all places. */
struct mixture_column {
	size_t params;
	const double *factor[FT_LAW_PARAMS];
};

static struct mixture_column take_column(const struct mixture *m, size_t column)
{
	struct mixture_column out = {.params = m->many->params};

	for (size_t p = 0; p < out.params; column /= m->options[p++])
		out.factor[p] = m->many->factors + (p * FT__OPTIONS + column % m->options[p]) * m->many->n;
	return out;
}

/* Its value at a place, over what was measured there. */
static double column_at(const struct mixture_column *column, size_t k)
{
	double value = 1;

	for (size_t p = 0; p < column->params; p++)
		value *= column->factor[p][k];
	return value;
}

static void list_products(struct mixture *m)
{
	struct ft__law_many *many = m->many;
	/* Of four parameters fewer of each: 625 products. */
	size_t most = many->params < 4 ? FT__SHAPES_MOST : 2, p, k;

	for (p = 0, m->columns = 1; p < many->params; p++) {
		add_option(m, p, FT__CONSTANT);
		for (size_t i = 0; i < 2 && many->two[p][i]; i++)
			add_option(m, p, many->two[p][i]);
		for (size_t i = 0; i < many->shapes[p] && i < most; i++)
			add_option(m, p, many->shape[p][i]);
		m->columns *= m->options[p];
	}
	assert(m->columns <= PRODUCTS);
	for (size_t i = 0; i < m->columns; i++) {
		const struct mixture_column column = take_column(m, i);

		for (m->length[i] = 0, k = 0; k < many->n; k++)
			m->length[i] += column_at(&column, k) * column_at(&column, k);
		m->length[i] = sqrt(m->length[i]);
	}
}

/* Coefficients of the columns in use; those of 0 are so no more. What is left: many->y. */
static void fit_columns(struct mixture *m)
{
	struct ft__law_many *many = m->many;
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct mixture_column column = take_column(m, m->active[i]);

		for (size_t k = 0; k < many->n; k++)
			many->a[k * m->n + i] = column_at(&column, k) / m->length[m->active[i]];
	}
	for (size_t k = 0; k < many->n; k++)
		many->y[k] = sqrt(many->place[k].count);
	ft_nnls(many->a, many->y, many->n, m->n, m->c);
	for (size_t k = 0; k < many->n; k++)
		for (size_t i = 0; i < m->n; i++)
			many->y[k] -= m->c[i] * many->a[k * m->n + i];
	for (size_t i = 0; i < m->n; i++) {
		if (!(m->c[i] > 0))
			continue;
		m->active[kept] = m->active[i];
		m->c[kept++] = m->c[i];
	}
	m->n = kept;
}

static bool is_active(const struct mixture *m, size_t column)
{
	size_t i;

	for (i = 0; i < m->n && m->active[i] != column; i++)
		;
	return i < m->n;
}

/* The column that would take away most, for its length; m->columns: none does. */
static size_t steepest_column(const struct mixture *m)
{
	double best = level * sqrt(m->many->total), slope;
	size_t k, chosen = m->columns;

	for (size_t i = 0; i < m->columns; i++) {
		const struct mixture_column column = take_column(m, i);

		if (is_active(m, i) || !(m->length[i] > 0) || isinf(m->length[i]))
			continue;
		for (slope = 0, k = 0; k < m->many->n; k++)
			slope += column_at(&column, k) * m->many->y[k];
		if (slope / m->length[i] <= best)
			continue;
		best = slope / m->length[i];
		chosen = i;
	}
	return chosen;
}

/* Of each choice of parameters the largest column. */
static void take_largest(const struct mixture *m, struct ft__product *out)
{
	double most[FT__COLUMNS] = {0};
	size_t p, column, bits;

	*out = (struct ft__product){0};
	for (size_t i = 0; i < m->n; i++) {
		for (bits = 0, p = 0, column = m->active[i]; p < m->many->params; column /= m->options[p++])
			bits |= (size_t)(column % m->options[p] > 0) << p;
		if (m->c[i] <= most[bits])
			continue;
		most[bits] = m->c[i];
		out->in[bits] = true;
		for (p = 0, column = m->active[i]; p < m->many->params; column /= m->options[p++])
			out->shape[bits][p] = m->shape[p][column % m->options[p]];
	}
}

/* law_mix - the terms of a law whose factors have shapes of their own, to begin with: shapes, and which
 * columns are in. False: there are none. (product.c) */
static bool law_mix(struct ft__law_many *many, struct ft__product *out)
{
	struct mixture m = {.many = many, .n = 1};
	size_t p;

	for (p = 0; p < many->params && many->two[p][0]; p++)
		;
	if (many->params < 3 || p < many->params) /* without lines the known shapes are tried anyhow */
		return false;
	list_products(&m);
	fit_columns(&m);
	for (int round = 0; round < ROUNDS && m.n < ACTIVE; round++) {
		size_t next = steepest_column(&m);
		if (next == m.columns)
			break;
		m.active[m.n++] = next;
		fit_columns(&m);
		if (!is_active(&m, next))
			break;
	}
	take_largest(&m, out);
	return m.n > 1;
}

/*
 * Selects the products of the parameters' shapes that form the law.
 */

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

/* The best shape for one factor, with the rest fixed. */
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
	if (law_mix(many, &law))
		offer_mixed(many, kept, &n, &law);
	return n;
}
