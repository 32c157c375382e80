/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_known.c - what the adaptive builder reads off what it was told: sizes, prices, the budget, how far
 * to trust its errors. */
#include "build/adaptive.h"

#include <math.h>

/* doc/constants.md has the row of a table for each. */
static const double usual_budget = 4; /* times the first sizes, where none was given ... */
enum { RUNS_USUAL = 60 };             /* ... and so many runs at least */
static const double caution_least = 0.5;
enum { CAUTION_SHARE = 16 }; /* of the misses: where there are many, so many new ones change little */

double ft__adaptive_value(const struct ft__adaptive *a, size_t index)
{
	return ft__grid_value(&a->grid, index);
}

double ft__adaptive_ln(const struct ft__adaptive *a, size_t index)
{
	return log(ft__adaptive_value(a, index) + a->shift);
}

size_t ft__adaptive_snap(const struct ft__adaptive *a, double ln)
{
	return ft__grid_snap(&a->grid, exp(ln) - a->shift);
}

size_t ft__adaptive_index_of(const struct ft__adaptive *a, size_t site)
{
	return ft__grid_snap(&a->grid, a->engine.site[site].x);
}

bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index)
{
	return ft__indices_has(&a->failed, index);
}

/* Whether a size that was run can be run again. */
bool ft__adaptive_is_closed(const struct ft__adaptive *a, size_t index)
{
	return ft__adaptive_has_failed(a, index) || ft__indices_has(&a->closed, index);
}

size_t ft__adaptive_failures_between(const struct ft__adaptive *a, size_t left, size_t right)
{
	size_t n = 0;

	for (size_t i = 0; i < a->failed.n; i++)
		n += a->failed.index[i] > left && a->failed.index[i] < right;
	return n;
}

bool ft__adaptive_is_new(const struct ft__adaptive *a, size_t index)
{
	return !ft__adaptive_has_failed(a, index) &&
	       ft__engine_find(&a->engine, ft__adaptive_value(a, index)) == a->engine.n;
}

/* ---- seconds ----------------------------------------------------------------------------------------- */

double ft__adaptive_work(const struct ft__adaptive *a, double x)
{
	return a->options.work ? a->options.work(a->options.ctx, x) : 1;
}

double ft__adaptive_cost(const struct ft__adaptive *a, double seconds)
{
	return a->each_s + a->stretch * seconds;
}

double ft__adaptive_price(const struct ft__adaptive *a, double x)
{
	return ft__adaptive_cost(a, exp(fmin(700, ft__engine_at(&a->engine, x, true).z)) *
					    ft__adaptive_work(a, x));
}

double ft__adaptive_site_price(const struct ft__adaptive *a, size_t site)
{
	return ft__adaptive_cost(a, exp(ft__engine_site(&a->engine, site).z) * a->engine.site[site].work);
}

double ft__adaptive_spent(const struct ft__adaptive *a)
{
	return a->stretch * a->told_s + (double)a->runs * a->each_s;
}

/* Without a budget of the user's: some times the first sizes, what they took or, where others were run
 * instead of them, will take. */
double ft__adaptive_budget_left(const struct ft__adaptive *a)
{
	double first = 0;

	if (a->options.user.budget_s > 0)
		return a->options.user.budget_s + a->given_s - ft__adaptive_spent(a);
	if (a->runs < RUNS_USUAL)
		return INFINITY;
	for (size_t i = 0; i < a->n_rungs; i++) {
		size_t site = ft__engine_find(&a->engine, ft__adaptive_value(a, a->rung[i]));

		if (site < a->engine.n)
			first += ft__adaptive_site_price(a, site);
		else if (ft__adaptive_is_new(a, a->rung[i]) && ft__adaptive_value(a, a->rung[i]) <= a->cut)
			first += ft__adaptive_price(a, ft__adaptive_value(a, a->rung[i]));
	}
	return usual_budget * first + a->given_s - ft__adaptive_spent(a);
}

double ft__adaptive_caution(const struct ft__adaptive *a, double at)
{
	double share = (at - ft__adaptive_ln(a, 0)) / a->engine.range;

	if (a->n_misses <= FT__CAUTION_PLACES)
		return ft__caution(a->miss, a->n_misses, at, a->engine.range, caution_least);
	return a->caution[(size_t)(FT__CAUTION_PLACES * fmin(fmax(share, 0), 1) + 0.5)];
}

void ft__adaptive_be_cautious(struct ft__adaptive *a)
{
	if (a->n_misses <= FT__CAUTION_PLACES || a->n_misses < a->n_cautious + a->n_cautious / CAUTION_SHARE)
		return;
	for (size_t i = 0; i <= FT__CAUTION_PLACES; i++)
		a->caution[i] =
			ft__caution(a->miss, a->n_misses,
				    ft__adaptive_ln(a, 0) + a->engine.range * (double)i / FT__CAUTION_PLACES,
				    a->engine.range, caution_least);
	a->n_cautious = a->n_misses;
}
