/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixture.c - a law whose terms have shapes of their own: x^2 log y beside x y^2 z.
 *
 * Where all terms share a shape for each parameter, and one factor after the other is then changed, such a
 * law is not reached: on the way to it every step is worse. (Of two parameters it is: of two terms one has a
 * single factor.) So all products of candidate shapes are columns at once, and least squares with
 * coefficients that are not negative, which has no other minima than the best one, says which of them there
 * are: columns are added one by one, that with the steepest slope first, as Lawson & Hanson do. Of the
 * columns of the same parameters, as a law has one, the largest is taken. */
#include "law/many.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

bool ft__law_mix(struct ft__law_many *many, struct ft__product *out)
{
	struct mixture m = {.many = many, .n = 1};
	size_t p;

	for (p = 0; p < many->params && many->two[p][0]; p++)
		;
	if (many->params < 3 || p < many->params) /* where no lines tell, what is known is tried anyhow */
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
