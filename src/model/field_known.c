/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_known.c - what a field knows of a spot: at a site, among them, and what may hide where nothing was
 * measured. */
#include "base/alloc.h"
#include "model/field.h"
#include "model/field_work.h"
#include "num/cholesky.h"
#include "num/dense.h"
#include "num/order.h"

#include <assert.h>
#include <math.h>

/* doc/constants.md has the row of a table for each. */
static const double cliff_reach = 1.5, cliff_beside = 0.1; /* as shares of a gap */
static const double miss_freedom = 4, least_error = 0.02;  /* deviation: nobody asks for better */
static const double caution_quantile = 0.85, caution_normal = 1.44, caution_least = 0.5, caution_most = 3;
enum { PSEUDO = 6 }; /* misses that were not seen: .1, .4, .7 ... */

/* By how much a spot lies beyond all that was measured: in footprint; where that is not known, by how much at
 * least it exceeds each size in some parameters, ln. */
static double footprint_beyond(const struct ft__random_field *field, const struct ft__spot *spot,
			       const struct ft__spot *more)
{
	double least = INFINITY;

	for (size_t i = 0; i < field->n + (more != NULL); i++) {
		const struct ft__spot *other = i < field->n ? &field->spot[i] : more;
		double exceeds = 0;

		for (size_t k = 0; k < field->d && (!field->steps || field->product); k++)
			exceeds += fmax(0, fmin(spot->at[k], field->most[k]) - other->at[k]);
		if (field->steps && !field->product)
			exceeds = fmax(0, spot->reach - other->memory);
		least = fmin(least, exceeds);
	}
	return least;
}

/* How far a cliff anywhere in a gap makes a place miss, as a share of its variance: on average, for it has
 * been passed or not; where there is one, so that nine in ten intervals hold both. */
static double cliff_share(double u, bool is_cliff)
{
	double beside = fmin(u, 1 - u), far = (1 - beside) / cliff_reach;
	/* Beside a footprint that was measured it is hardly there: no more, then more and more. */
	double there = fmin(fmax(beside / cliff_beside - 0.5, 0), 1);

	return is_cliff ? fmax(u * (1 - u), there * far * far) : u * (1 - u);
}

static double hidden_in(const struct ft__field_gap *gap, double memory, const struct ft__spot *more)
{
	double from = gap->from, to = gap->to, share = 1;

	if (more && more->memory > from && more->memory < to) {
		from = memory > more->memory ? more->memory : from;
		to = memory > more->memory ? to : more->memory;
		share = (to - from) / (gap->to - gap->from);
		if (memory == more->memory)
			return 0;
	}
	return share * gap->variance * cliff_share((memory - from) / (to - from), gap->is_cliff);
}

double ft__field_hidden(const struct ft__random_field *field, const struct ft__spot *spot,
			const struct ft__spot *more)
{
	double far = field->cliffs ? footprint_beyond(field, spot, more) : 0;
	double least = -expm1(-FT__CLIFF_RATE * far) * field->cliff * field->cliff;
	size_t low = field->n_gaps ? ft_count_below_of(&field->gap[0].to, field->n_gaps, sizeof *field->gap,
						       spot->memory)
				   : 0;

	if (!field->steps || low == field->n_gaps || spot->memory <= field->gap[low].from)
		return least;
	return fmax(least, hidden_in(&field->gap[low], spot->memory, more));
}

double ft__field_scatter(const struct ft__random_field *field, const struct ft__spot *spot)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < field->n; i++) {
		double square = 1e-4;

		for (size_t k = 0; k < field->d; k++)
			square += pow(spot->at[k] - field->spot[i].at[k], 2);
		double w = 1 / (square * square);
		weight += w;
		sum += w * log(field->site[i].scatter);
	}
	return exp(sum / weight);
}

double ft__field_expect(const struct ft__random_field *field, const struct ft__spot *spot)
{
	double self = ft__field_self(field, spot), value = ft__field_mean(field, spot);

	for (size_t i = 0; i < field->n; i++)
		value += field->alpha[i] *
			 ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	return value;
}

struct ft__known ft__field_at(const struct ft__random_field *field, const struct ft__spot *spot, double *row)
{
	double own[FT__FIELD_DENSE], *k = row ? row : own, self = ft__field_self(field, spot);
	struct ft__known known = {.scatter = ft__field_scatter(field, spot) + field->drift};
	size_t n = field->n;

	assert(row || n <= FT__FIELD_DENSE);
	for (size_t i = 0; i < n; i++)
		k[i] = ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	known.z = ft__field_mean(field, spot) + ft_dot(k, field->alpha, n);
	ft_chol_forward(field->factor, n, k, 1);
	known.variance =
		fmax(ft__field_between(field, spot, self, spot, self) - ft_dot(k, k, n), FT__FIELD_LEAST);
	known.variance += ft__field_hidden(field, spot, NULL);
	return known;
}

struct ft__known ft__field_site(const struct ft__random_field *field, size_t i)
{
	double r = field->variance[i];

	return (struct ft__known){
		field->y[i] - r * field->alpha[i],
		fmax(r - r * r * field->inverse[i * field->n + i], FT__FIELD_LEAST),
		field->site[i].scatter + field->drift,
		0,
	};
}

double ft__field_score(const struct ft__random_field *field)
{
	double sum = 0;

	for (size_t i = 0; i < field->n; i++) {
		double off, variance;

		ft__field_left_out(field, i, &off, &variance);
		variance += least_error * least_error;
		sum -= (miss_freedom + 1) / 2 * log1p(off * off / variance / miss_freedom) +
		       log(variance) / 2;
	}
	return sum;
}

void ft__field_left_out(const struct ft__random_field *field, size_t i, double *off, double *variance)
{
	*variance = 1 / field->inverse[i * field->n + i];
	*off = field->alpha[i] * *variance;
}

enum ft_status ft__field_caution(const struct ft__random_field *field, double *caution, struct ft_err *err)
{
	size_t n = field->n;
	double *miss = ft_calloc(n + PSEUDO, sizeof *miss), off, variance;

	if (!miss)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		ft__field_left_out(field, i, &off, &variance);
		miss[i] = fabs(off) / sqrt(variance);
	}
	for (size_t i = 0; i < PSEUDO; i++)
		miss[n + i] = 0.1 + 0.3 * (double)i;
	ft_sort(miss, n + PSEUDO);
	*caution = fmin(
		fmax(miss[(size_t)(caution_quantile * (double)(n + PSEUDO))] / caution_normal, caution_least),
		caution_most);
	ft_free(miss);
	return FT_OK;
}
