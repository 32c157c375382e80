/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth_terms.c - the terms of which laws of growth are made: within a bound, steps and rooms of it, and beyond. */
#include "ask/ask.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

enum {
	SIZES = FT_AT_MOST_SIZES,
	ABOVE_LEAST = 3 /* sizes above a step, or where a term begins: fewer show no growth */
};

/* A lower term may be subtracted from a term of the bound, up to this share of it at the smallest size: sorting
 * compares n log n - 1.3 n times. */
static const double subtracted = 0.5;

/* One step of the level among terms within the bound is as unlikely as this, ln; rooms, of hundreds of them. */
static const double step_penalty = 1, grid_penalty = 3;

/* Steps up to this share of the largest size: a later one cannot be distinguished from growth. */
static const double step_latest = 0.5;

/* Sizes that differ by less than this factor from the next one are a group. */
static const double grouped = 1.01;

static void fill_column(const struct ft__grown *g, const struct ft__bound_term *term,
			struct ft__grown_column *out)
{
	const double top = ft__bound_value(term, g->point[g->top].x, g->params);

	for (size_t i = 0; i < g->n; i++)
		out->at[i] = ft__bound_value(term, g->point[i].x, g->params) / top;
}

static double smallest_of(const struct ft__grown *g, size_t param)
{
	double least = INFINITY;

	for (size_t i = 0; i < g->n; i++)
		least = fmin(least, g->point[i].x[param]);
	return least;
}

static bool same_term(const struct ft__bound_term *a, const struct ft__bound_term *b)
{
	return ft__bound_within(a, b) && ft__bound_within(b, a);
}

/* The factors of one parameter that grow no faster than its factor in a term of the bound: power and logarithm
 * of each. few: of several parameters all products are columns. Returns how many. */
static size_t lower_factors(double power, double log, bool few, double out[8][2])
{
	size_t n = 0;

#define ADD(p, l) (out[n][0] = (p), out[n][1] = (l), n++)
	ADD(power, log);
	if (few) {
		if (power > 0 && log != 0)
			ADD(power, 0);
		else if (power > 0)
			ADD(power / 2, 0);
		ADD(0, 0);
		return n;
	}
	if (log > 0 && power > 0)
		ADD(power, 0);
	if (power > 1)
		ADD(power - 0.5, 0);
	if (power > 1)
		ADD(ceil(power) - 1, 0);
	if (power > 2.5)
		ADD(1, 0);
	if (power > 0)
		ADD(0.5 * fmin(power, 1), 0);
	if (power > 0)
		ADD(0, 1);
	ADD(0, 0);
#undef ADD
	return n;
}

/* All products of lower factors of one term of the bound, that no column is of yet. */
static void add_lower(struct ft__grown *g, const struct ft__bound_term *of, bool few,
		      struct ft__bound_term *seen)
{
	double factor[FT_PARAMS_MAX][8][2];
	size_t n[FT_PARAMS_MAX], at[FT_PARAMS_MAX] = {0}, p;

	for (p = 0; p < g->params; p++)
		n[p] = lower_factors(of->power[p], of->log[p], few, factor[p]);
	for (p = 0; p < g->params;) {
		struct ft__bound_term term = {.power = {0}};
		bool is_new = g->bases < FT__GROWN_BASES;

		for (p = 0; p < g->params; p++) {
			term.power[p] = factor[p][at[p]][0];
			term.log[p] = factor[p][at[p]][1];
		}
		for (size_t i = 0; i < g->bases && is_new; i++)
			is_new = !same_term(&seen[i], &term);
		if (is_new) {
			seen[g->bases] = term;
			fill_column(g, &term, &g->base[g->bases++]);
		}
		for (p = 0; p < g->params && ++at[p] == n[p]; p++)
			at[p] = 0;
	}
}

/* Of a term its next lower one along a parameter, subtracted. */
static void add_subtracted(struct ft__grown *g, const struct ft__bound_term *of, size_t param)
{
	struct ft__bound_term lower = *of;
	double least = smallest_of(g, param), ratio;

	if (of->log[param] > 0)
		lower.log[param]--;
	else
		lower.power[param] = fmax(0, ceil(of->power[param]) - 1);
	if (g->bases == FT__GROWN_BASES || same_term(of, &lower) || of->power[param] == 0)
		return;
	struct ft__grown_column *out = &g->base[g->bases++];
	fill_column(g, of, out);
	for (size_t i = 0; i < g->n; i++) {
		const double *x = g->point[i].x;
		double first[FT_PARAMS_MAX];

		memcpy(first, x, sizeof first);
		first[param] = least;
		ratio = ft__bound_value(&lower, x, g->params) / ft__bound_value(of, x, g->params) *
			ft__bound_value(of, first, g->params) / ft__bound_value(&lower, first, g->params);
		out->at[i] *= 1 - subtracted * ratio;
	}
}

static void make_base(struct ft__grown *g)
{
	struct ft__bound_term seen[FT__GROWN_BASES], constant = {.power = {0}};
	bool few = g->params > 1;

	g->constant = 0;
	seen[0] = constant;
	fill_column(g, &constant, &g->base[g->bases++]);
	for (size_t i = 0; i < g->bound->n; i++) /* they come first, where there are too many */
		if (g->bases < FT__GROWN_BASES && !same_term(&g->bound->term[i], &constant)) {
			seen[g->bases] = g->bound->term[i];
			fill_column(g, &g->bound->term[i], &g->base[g->bases++]);
		}
	for (size_t i = 0; i < g->bound->n; i++)
		add_lower(g, &g->bound->term[i], few, seen);
	for (size_t i = 0; i < g->bound->n; i++)
		for (size_t p = 0; p < g->params; p++)
			add_subtracted(g, &g->bound->term[i], p);
}

/* The first term of the bound has a level for each phase: sizes that are halves, quarters ... of one size have
 * one. */
static void make_phases(struct ft__grown *g)
{
	double phase[FT__GROWN_PHASES];
	size_t of[SIZES], count[FT__GROWN_PHASES] = {0}, n = 0;

	if (g->params != 1)
		return;
	for (size_t i = 0; i < g->n; i++) {
		double x = log2(g->point[i].x[0] / g->point[g->top].x[0]);

		x -= floor(x);
		for (of[i] = 0; of[i] < n; of[i]++) {
			double off = fabs(x - phase[of[i]]);

			if (off < 0.03 || off > 0.97)
				break;
		}
		if (of[i] == FT__GROWN_PHASES)
			return;
		if (of[i] == n)
			phase[n++] = x;
		count[of[i]]++;
	}
	for (size_t k = 0; k < n; k++)
		if (count[k] < ABOVE_LEAST)
			return;
	for (size_t k = 0; k < n && n > 1; k++, g->phases++)
		for (size_t i = 0; i < g->n; i++)
			g->phase[k].at[i] = of[i] == k ? g->base[1].at[i] : 0;
}

static void make_groups(struct ft__grown *g)
{
	for (size_t i = 0; i < g->n; i++) {
		bool near = i > 0;

		for (size_t p = 0; p < g->params && near; p++)
			near = g->point[i].x[p] <= grouped * g->point[i - 1].x[p] &&
			       g->point[i - 1].x[p] <= grouped * g->point[i].x[p];
		if (!near)
			g->group[g->groups++] = i;
	}
	g->group[g->groups] = g->n;
}

/* The different values of a parameter, ascending. */
static size_t values_of(const struct ft__grown *g, size_t param, double value[SIZES])
{
	for (size_t i = 0; i < g->n; i++)
		value[i] = g->point[i].x[param];
	return ft_sort_different(value, g->n);
}

/* A term of the bound has another level from some size on: another algorithm, or a cache that is full. Times
 * rise slowly there. */
static void make_steps(struct ft__grown *g)
{
	double value[SIZES];

	for (size_t t = 0; t < g->bound->n; t++)
		for (size_t p = 0; p < g->params; p++) {
			size_t n = values_of(g, p, value);
			struct ft__grown_column column;

			fill_column(g, &g->bound->term[t], &column);
			for (size_t k = 1; k + ABOVE_LEAST <= n && value[k] <= step_latest * value[n - 1] &&
					   g->steps + 2 <= FT__GROWN_STEPS;
			     k++) {
				bool slow = g->of == FT_CLASS_TIME && 8 * value[k] <= value[n - 1];
				struct ft__grown_step *sharp = &g->step[g->steps++], *smooth = sharp + 1;

				g->steps += slow;
				sharp->penalty = step_penalty;
				for (size_t i = 0; i < g->n; i++) {
					double x = g->point[i].x[p];

					sharp->first.at[i] = x >= value[k] ? column.at[i] : 0;
					if (slow)
						smooth->first.at[i] = column.at[i] * x / (x + value[k]);
				}
				if (slow)
					smooth->penalty = step_penalty;
			}
		}
}

/* A size that is rounded up to whole tiles, vectors or pages costs what the larger size would: of the widths that
 * programs have, those that a parameter is several times as large as. Of a product of loops one may not be tiled. */
static void make_tiles(struct ft__grown *g)
{
	static const double width[] = {8, 12, 16, 24, 32, 48, 64, 96, 128};
	enum { WIDTHS = sizeof width / sizeof *width };

	for (size_t t = 0; t < g->bound->n && g->of == FT_CLASS_COUNT; t++)
		for (size_t p = 0; p < g->params; p++)
			for (size_t k = 0; k < 2 * WIDTHS && g->steps < FT__GROWN_STEPS; k++) {
				struct ft__grown_column *column = &g->step[g->steps].first;
				const double w = width[k % WIDTHS], top = g->point[g->top].x[p];
				bool differs = false, part = k >= WIDTHS;

				if (top < 3 * w || (part && g->bound->term[t].power[p] < 2))
					continue;
				fill_column(g, &g->bound->term[t], column);
				for (size_t i = 0; i < g->n; i++) {
					double x[FT_PARAMS_MAX], exact = g->point[i].x[p],
								 whole = w * ceil(exact / w);

					memcpy(x, g->point[i].x, sizeof x);
					x[p] = whole;
					column->at[i] = ft__bound_value(&g->bound->term[t], x, g->params) *
							(part ? exact / whole : 1);
					differs |= whole > 1.01 * exact;
				}
				const double largest = column->at[g->top];
				for (size_t i = 0; i < g->n; i++)
					column->at[i] /= largest;
				g->step[g->steps].penalty = step_penalty;
				g->steps += differs;
			}
}

/*
 * Rooms that grow by a factor: arrays, tables, trees by their levels, transforms and products that are padded.
 * The room of a size is the smallest of from x factor^k that holds it.
 */

/* kind: 0 the room, and how full it is; 1 its logarithm: levels, passes; 2 all is as for the room, and each time that it
 * grows costs something by itself; 3 as 0, but slow only where it is nearly full. */
void ft__grown_room(const struct ft__grown *g, double factor, double from, int kind,
		    struct ft__grown_step *out)
{
	const struct ft__bound_term *term = &g->bound->term[0];
	double first[SIZES], top = 0, second_top = 0;

	*out = (struct ft__grown_step){.penalty = grid_penalty, .factor = factor, .from = from, .kind = kind};
	for (size_t i = 0; i < g->n; i++) {
		double x = g->point[i].x[0], levels = ceil(log(x / from) / log(factor) - 1e-9),
		       room = from * pow(factor, levels), value = ft__bound_value(term, &x, 1);

		if (kind % 3 == 0) {
			first[i] = pow(room, term->power[0]);
			out->second.at[i] = first[i] * pow(x / room, floor(term->power[0]) + (kind ? 5 : 1));
			second_top = fmax(second_top, out->second.at[i]);
		} else if (kind == 1) { /* at once for all, or for those that come then */
			const double each = value / x / fmax(log(x), 1e-3),
				     lowest = ceil(log(g->point[0].x[0] / from) / log(factor) - 1e-9);

			first[i] = each * x * (levels - lowest);
			out->second.at[i] = first[i] - each * from *
							       (pow(factor, levels) - pow(factor, lowest)) /
							       (factor - 1);
			second_top = fmax(second_top, out->second.at[i]);
		} else {
			first[i] = ft__bound_value(term, &room, 1);
			out->second.at[i] = levels - ceil(log(g->point[0].x[0] / from) / log(factor) - 1e-9);
			second_top = fmax(second_top, out->second.at[i]);
		}
		top = fmax(top, first[i]);
	}
	for (size_t i = 0; i < g->n; i++) {
		out->first.at[i] = top > 0 ? first[i] / top : 0;
		out->second.at[i] *= second_top > 0 ? 1 / second_top : 0;
	}
}

/* Whether a term of the bound grows as fast. */
static bool is_within(const struct ft__ceiling *bound, const struct ft__bound_term *term)
{
	for (size_t i = 0; i < bound->n; i++)
		if (ft__bound_within(term, &bound->term[i]))
			return true;
	return false;
}

static void add_worse(struct ft__grown *g, const struct ft__bound_term *term, size_t param, bool usual)
{
	for (size_t i = 0; i < g->worses; i++)
		if (same_term(&g->worse[i].term, term) && g->worse[i].from <= 0) {
			g->worse[i].usual |= usual;
			return;
		}
	if (g->worses == FT__GROWN_WORSE || is_within(g->bound, term))
		return;
	struct ft__grown_worse *worse = &g->worse[g->worses++];

	*worse = (struct ft__grown_worse){.term = *term, .param = param, .usual = usual};
	fill_column(g, term, &worse->column);
}

/* The same term from a size on: what it adds there, and at once. */
static void add_late(struct ft__grown *g, const struct ft__grown_worse *whole)
{
	double value[SIZES];
	size_t n = values_of(g, whole->param, value);

	for (size_t k = 1; k + ABOVE_LEAST <= n; k++)
		for (int at_once = 0; at_once < 2 && g->worses < FT__GROWN_WORSE; at_once++) {
			struct ft__grown_worse *late = &g->worse[g->worses++];
			struct ft__grown_column first;
			double top;

			*late = *whole;
			late->usual = false;
			late->from = value[k - 1];
			for (size_t i = 0; i < g->n; i++) {
				double x[FT_PARAMS_MAX];

				memcpy(x, g->point[i].x, sizeof x);
				x[late->param] = fmin(x[late->param], value[k - 1]);
				first.at[i] = ft__bound_value(&late->term, x, g->params) /
					      ft__bound_value(&late->term, g->point[g->top].x, g->params);
			}
			for (size_t i = 0; i < g->n; i++)
				if (g->point[i].x[late->param] <= value[k - 1])
					late->column.at[i] = 0;
				else if (!at_once)
					late->column.at[i] -= first.at[i];
			top = late->column.at[g->top];
			for (size_t i = 0; i < g->n; i++)
				late->column.at[i] /= top;
		}
}

/* Along each parameter: a logarithm more, half a power, one, two; alone, and times what the bound has of the
 * other parameters. Of a sum the products of its terms. */
static void make_worse(struct ft__grown *g)
{
	static const double more[] = {0.5, 1, 2};
	size_t whole;

	for (size_t t = 0; t < g->bound->n; t++)
		for (size_t p = 0; p < g->params; p++)
			for (int alone = 0; alone < 2; alone++) {
				struct ft__bound_term of = g->bound->term[t], term;

				for (size_t q = 0; q < g->params && alone; q++)
					if (q != p)
						of.power[q] = of.log[q] = 0;
				for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
					term = of;
					term.power[p] += more[k];
					term.log[p] = 0;
					add_worse(g, &term, p, false);
				}
				term = of;
				term.log[p]++;
				add_worse(g, &term, p, false);
				term = of;
				term.power[p] = floor(of.power[p]) + 1;
				term.log[p] = 0;
				add_worse(g, &term, p, true);
			}
	for (size_t a = 0; a < g->bound->n; a++)
		for (size_t b = 0; b < a; b++) {
			struct ft__bound_term term = g->bound->term[a];
			size_t param = 0;

			for (size_t p = 0; p < g->params; p++) {
				term.power[p] += g->bound->term[b].power[p];
				term.log[p] += g->bound->term[b].log[p];
				param = g->bound->term[b].power[p] > 0 ? p : param;
			}
			add_worse(g, &term, param, true);
		}
	whole = g->worses;
	for (size_t i = 0; i < whole; i++)
		if (g->worse[i].usual)
			add_late(g, &g->worse[i]);
}

void ft__grown_prepare(struct ft__grown *g, const struct ft__grown_point *point, size_t n,
		       const struct ft__grown *like)
{
	*g = (struct ft__grown){.n = n, .point = point, .top = n - 1};
	g->params = like->params;
	g->of = like->of;
	g->bound = like->bound;
	for (size_t i = 0; i < n; i++) {
		g->y[i] = point[i].value;
		g->volume[i] = 1;
		for (size_t p = 0; p < g->params; p++)
			g->volume[i] *= fmax(point[i].x[p], 1e-3);
		g->top = g->volume[i] > g->volume[g->top] ? i : g->top;
	}
	const double largest = g->volume[g->top];
	for (size_t i = 0; i < n; i++)
		g->volume[i] /= largest;
	make_base(g);
	make_phases(g);
	make_groups(g);
	make_steps(g);
	g->tiles = g->steps;
	make_tiles(g);
	make_worse(g);
	g->grids = g->steps;
	g->likeliest = like->likeliest - like->grids + g->grids;
	for (size_t k = like->grids; k < like->steps; k++)
		ft__grown_room(g, like->step[k].factor, like->step[k].from, like->step[k].kind,
			       &g->step[g->steps++]);
}
