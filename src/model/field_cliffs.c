/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_cliffs.c - cliffs over the footprint: which gaps between measured ones have one, and how high it may
 * be. */
#include "model/field.h"
#include "model/field_work.h"
#include "num/cholesky.h"
#include "num/dense.h"
#include "num/order.h"

#include <math.h>
#include <string.h>

/* doc/constants.md has the row of a table for it. */
static const double cliff_unusual = 3; /* a gap's steps, by the usual ones, from which on they are one */

/* The footprints that were measured are where gaps end. */
static void find_gaps(struct ft__random_field *field)
{
	double *memory = field->space;

	for (size_t i = 0; i < field->n; i++)
		memory[i] = field->spot[i].memory;
	ft_sort(memory, field->n);
	field->n_gaps = 0;
	for (size_t i = 1; i < field->n; i++)
		if (memory[i] > memory[i - 1])
			field->gap[field->n_gaps++] =
				(struct ft__field_gap){memory[i - 1], memory[i], 0, false};
}

/* What a step of 1 at a gap would explain: the score, and its information. */
static void look_at_gap(const struct ft__random_field *field, double from, double *score, double *information)
{
	size_t n = field->n, above = 0;
	double *is_above = field->space;

	*score = *information = 0;
	for (size_t i = 0; i < n; i++) {
		is_above[i] = field->spot[i].memory > from;
		above += is_above[i] > 0;
		*score += is_above[i] * field->alpha[i];
	}
	for (size_t i = 0; i < n && above; i++)
		if (is_above[i] > 0)
			*information += ft_dot(field->inverse + i * n, is_above, n);
}

double ft__field_step(const struct ft__random_field *field, const double *exponent)
{
	double slab = FT__CLIFF_SIZE * FT__CLIFF_SIZE, *at = field->space, *is_above = at + field->n,
	       score = 0, information = 0, sum = 0;
	size_t n = field->n;

	for (size_t i = 0; i < n; i++) {
		at[i] = is_above[i] = 0;
		for (size_t k = 0; k < field->d; k++)
			at[i] += exponent[k] * field->spot[i].at[k];
	}
	/* From the largest down, site by site: what a step of 1 below it would explain. */
	double most = -INFINITY, from = -INFINITY;
	for (size_t above = 0; above < n; above++) {
		size_t next = n;

		for (size_t i = 0; i < n; i++)
			if (is_above[i] <= 0 && (next == n || at[i] > at[next]))
				next = i;
		if (above && at[next] < from - 1e-9) {
			double b = 1 + slab * fmax(0, information);

			sum += (from - at[next]) *
			       exp(fmin(slab * score * score / (2 * b) - log(b) / 2, 600));
		}
		from = at[next];
		most = above ? most : from;
		information +=
			field->inverse[next * n + next] + 2 * ft_dot(field->inverse + next * n, is_above, n);
		score += field->alpha[next];
		is_above[next] = 1;
	}
	return most > from ? log(sum / (most - from)) : -INFINITY;
}

/* The direction in which the footprint grows by 1, the shortest of them: by least squares over the sites.
 * false: it does not. */
static bool find_uphill(const struct ft__random_field *field, double *way)
{
	double m[FT_PARAMS_MAX * FT_PARAMS_MAX] = {0}, square = 0;
	size_t d = field->d;

	memset(way, 0, FT_PARAMS_MAX * sizeof *way);
	for (size_t i = 0; i < field->n; i++)
		for (size_t j = 0; j < d; j++) {
			double at = field->spot[i].at[j] - field->centre[j];

			way[j] += at * field->spot[i].memory;
			for (size_t k = 0; k < d; k++)
				m[j * d + k] += at * (field->spot[i].at[k] - field->centre[k]);
		}
	for (size_t j = 0; j < d; j++)
		m[j * d + j] *= 1 + 1e-6;
	if (!ft_chol_factor(m, d))
		return false;
	ft_chol_solve(m, d, way, 1);
	for (size_t j = 0; j < d; j++)
		square += way[j] * way[j];
	for (size_t j = 0; j < d && square > 0; j++)
		way[j] /= square;
	return square > 0 && isfinite(square);
}

/* By how much more than the plane the value climbs through a gap, from the sites behind it straight down to
 * where it begins: where the footprint is one of a few parameters, their own curves take a part of a cliff.
 */
static double climb_of(const struct ft__random_field *field, const struct ft__field_gap *gap)
{
	double way[FT_PARAMS_MAX], slope[FT_PARAMS_MAX], sum = 0, length = gap->to - gap->from;
	size_t n = 0;

	if (!find_uphill(field, way))
		return 0;
	ft__field_plane(field, slope);
	for (size_t i = 0; i < field->n; i++) {
		struct ft__spot below = field->spot[i];

		if (below.memory != gap->to)
			continue;
		below.memory = gap->from;
		sum += ft__field_site(field, i).z;
		for (size_t k = 0; k < field->d; k++) {
			below.at[k] -= way[k] * length;
			sum -= slope[k] * way[k] * length;
		}
		sum -= ft__field_expect(field, &below);
		n++;
	}
	return sum / (double)n;
}

/* A gap whose steps are many times the usual ones has one cliff, and the place decides how far an answer may
 * miss. As in engine.c. */
static void find_shown(const struct ft__random_field *field, struct ft__field_gap *gap, double l,
		       double information)
{
	double power = ft__field_steps(field, gap->to, gap->to) -
		       ft__field_steps(field, gap->from, gap->from),
	       energy = power * power * (l * l - information) + power;

	if (energy < cliff_unusual * field->traits.usual_step * (gap->to - gap->from))
		return;
	gap->is_cliff = true;
	gap->variance = fmax(gap->variance, energy);
}

static void measure_cliff(const struct ft__random_field *field, struct ft__field_gap *gap)
{
	double climb = gap->is_cliff ? climb_of(field, gap) : 0;

	gap->variance = fmax(gap->variance, climb * climb);
}

/* A cliff may hide in each gap: spike and slab on top of the steps. It widens what is said between
 * footprints, and moves nothing. As in engine.c. */
void ft__field_find_cliffs(struct ft__random_field *field)
{
	double slab = FT__CLIFF_SIZE * FT__CLIFF_SIZE;

	field->n_gaps = 0;
	if (!field->steps)
		return;
	find_gaps(field);
	for (size_t i = 0; i < field->n_gaps; i++) {
		struct ft__field_gap *gap = &field->gap[i];
		double l, information, b, rare = -expm1(-FT__CLIFF_RATE * (gap->to - gap->from)), odds, p,
					  jump;

		look_at_gap(field, gap->from, &l, &information);
		b = 1 + slab * fmax(0, information);
		odds = rare / (1 - rare) * exp(fmin(slab * l * l / (2 * b) - log(b) / 2, 30));
		p = odds / (1 + odds);
		jump = slab * l / b;
		gap->variance = p * (jump * jump + slab / b);
		gap->is_cliff = p > 0.5;
		find_shown(field, gap, l, information);
		measure_cliff(field, gap);
	}
}
