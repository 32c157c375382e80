/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c - figures of sets of records. */
#include "figure.h"
#include "num/num.h"

#include <math.h>

static double value_of(const struct pair *pair, bool today, enum field field)
{
	return (today ? pair->today : pair->now)->value[field];
}

/* The unit's replays are [from, to). */
static size_t unit_end(const struct set *set, size_t from)
{
	size_t to = from;

	while (to < set->n && set->pair[to].unit == set->pair[from].unit)
		to++;
	return to;
}

/* Means of units into scratch; those without a number are left out. */
static size_t unit_means(struct set *set, bool today, enum field field)
{
	size_t to, n = 0;

	for (size_t from = 0; from < set->n; from = to) {
		double sum = 0;

		to = unit_end(set, from);
		for (size_t i = from; i < to; i++)
			sum += value_of(&set->pair[i], today, field);
		if (!isnan(sum))
			set->scratch[n++] = sum / (double)(to - from);
	}
	return n;
}

double figure_median(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

double figure_mean(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_mean(set->scratch, n) : (double)NAN;
}

double figure_geometric(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field), i;

	for (i = 0; i < n; i++)
		set->scratch[i] = log(set->scratch[i]);
	return n ? exp(ft_stats_mean(set->scratch, n)) : (double)NAN;
}

double figure_most(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_quantile(set->scratch, n, 1) : (double)NAN;
}

/* How many replays. */
double figure_count(struct set *set, bool today, enum field field)
{
	double sum = 0;

	for (size_t i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field);
	return sum;
}

/* Share of replays whose error is within 20 %. */
double figure_within(struct set *set, bool today, enum field field)
{
	double sum = 0;

	for (size_t i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field) <= 0.2;
	return set->n ? sum / (double)set->n : (double)NAN;
}

/* Now by today, a unit. */
static size_t unit_ratios(struct set *set, enum field field)
{
	size_t to, n = 0;

	for (size_t from = 0; from < set->n; from = to) {
		double now = 0, today = 0;

		to = unit_end(set, from);
		for (size_t i = from; i < to; i++) {
			now += value_of(&set->pair[i], false, field);
			today += value_of(&set->pair[i], true, field);
		}
		if (!isnan(now / today))
			set->scratch[n++] = now / today;
	}
	return n;
}

double figure_ratio_median(struct set *set, bool today, enum field field)
{
	size_t n = today ? 0 : unit_ratios(set, field);

	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

double figure_ratio_geometric(struct set *set, bool today, enum field field)
{
	size_t n = today ? 0 : unit_ratios(set, field), i;

	for (i = 0; i < n; i++)
		set->scratch[i] = log(set->scratch[i]);
	return n ? exp(ft_stats_mean(set->scratch, n)) : (double)NAN;
}

/* Of pairs of fields that follow each other: how many are inside, of how many. */
double figure_pooled(struct set *set, bool today, enum field field)
{
	return figure_count(set, today, field) / figure_count(set, today, field + 1);
}

double figure_unit_pooled(struct set *set, bool today, enum field field)
{
	size_t to, n = 0;

	for (size_t from = 0; from < set->n; from = to) {
		double inside = 0, asked = 0;

		to = unit_end(set, from);
		for (size_t i = from; i < to; i++) {
			inside += value_of(&set->pair[i], today, field);
			asked += value_of(&set->pair[i], today, field + 1);
		}
		if (asked > 0)
			set->scratch[n++] = inside / asked;
	}
	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

/* Score by the oracle's: by replays. */
double figure_by_oracle(struct set *set, bool today, enum field field)
{
	double sum = 0;

	for (size_t i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field) / value_of(&set->pair[i], today, FIELD_oracle);
	return set->n ? sum / (double)set->n : (double)NAN;
}

double figure_by_oracle_median(struct set *set, bool today, enum field field)
{
	for (size_t i = 0; i < set->n; i++)
		set->scratch[i] =
			value_of(&set->pair[i], today, field) / value_of(&set->pair[i], today, FIELD_oracle);
	return set->n ? ft_stats_median(set->scratch, set->n) : (double)NAN;
}
