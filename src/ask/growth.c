/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.c - tests whether a resource grows no faster than a bound, with start-up and lower terms free. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two kinds of laws explain the sizes. Within the bound: a sum of the bound's terms and lower ones, each with a
 * free coefficient >= 0. Beyond it: the same and one term more, which grows faster. Their likelihoods are
 * compared, each at its best.
 *
 * Counts are exact, and no sum of terms meets them exactly: tables double, branches turn. How far sizes lie
 * off a law is therefore learnt from the sizes themselves: a standard deviation, a share of what is not
 * start-up, common to all sizes. A law that explains little needs a large one, and is punished by its
 * likelihood. What is left is a ratio of sums of squares, judged by Student's distribution.
 */

enum {
	SIZES = FT_AT_MOST_SIZES,
	PHASES = 4, /* sizes between one and its double */
	COLUMNS = FT_NNLS_COLUMNS,
	BASE_MOST = COLUMNS - 2 - PHASES, /* besides a level for each phase, a step and what grows faster */
	DEVIATIONS = 11,
	WORSE_MOST = 128,
	STEPS_MOST = 96,
	ABOVE_LEAST = 3, /* sizes above a step, or where a term begins: fewer show no growth */
	SIZES_LEAST = 5
};

/* Standard deviations that are tried: this one, then twice that, and so on. Values have no more digits. */
static const double deviation_least = 0.00025, digits = 1e-5;

/* What is believed of the deviation before there are sizes: worth so many of them. */
static const double believed = 3, deviation_count = 0.002, deviation_other = 0.004;

/* A lower term may be subtracted from a term of the bound, up to this share of it at the smallest size: sorting
 * compares n log n - 1.3 n times. */
static const double subtracted = 0.5;

/* One step of the level among terms within the bound is as unlikely as this, ln. */
static const double step_penalty = 1, phase_penalty = 1.5;

/* Chance looks as much like growth so rarely where it is called growth (doc/contracts.md); without the largest size; and
 * by one size of each group, since a table that doubles near these looks like growth. */
static const double chance = 5e-5, chance_rest = 0.01, chance_apart = 1e-3;

/* More sizes are worth their time unless growth is as unlikely, or as likely, as this. */
static const double doubted = 1e-3, certain = 1e-6;

/* Steps up to this share of the largest size: a later one cannot be distinguished from growth. */
static const double step_latest = 0.5;

/* A worse term of a smaller share is none that matters; one of the other must be seen. */
static const double share_least = 0.03, share_seen = 0.2;

/* Sizes that differ by less than this factor from the next one are a group. */
static const double grouped = 1.01;

/* The normal quantile of 95 %. */
static const double surely = 1.645;

/* A column of a law: its value at each size, 1 at the largest. */
struct grown_column {
	double at[SIZES];
};

/* A term that grows faster than the bound. */
struct grown_worse {
	struct ft__bound_term term;
	size_t param; /* along which it does */
	double from;  /* it begins there; 0: everywhere */
	struct grown_column column;
	bool usual; /* the next whole power everywhere: reported as what would have been seen */
};

struct grown {
	size_t n, params;
	const struct ft__grown_point *point; /* [n] */
	size_t top;                          /* the largest size */
	enum ft_resource_class of;
	const struct ft__ceiling *bound;
	struct grown_column base[BASE_MOST], phase[PHASES], step[STEPS_MOST];
	size_t bases, constant, phases, steps, tiles; /* steps from tiles on are of tiles */
	bool phased;                                  /* laws have a level for each phase */
	struct grown_worse worse[WORSE_MOST];
	size_t worses;
	double y[SIZES], start; /* what is judged; the part of it that is start-up */
	double sigma[DEVIATIONS][SIZES], ln_sigma[DEVIATIONS];
	double volume[SIZES];            /* of each size, of that of the largest: the product of its values */
	double fall[SIZES];              /* deviations are larger by this at smaller sizes */
	size_t groups, group[SIZES + 1]; /* of sizes that are nearly alike: where each begins, and the end */
	double shared; /* variance that the sizes of a group have in common, as a share of their own */
};

/*
 * Columns.
 */

static void fill_column(const struct grown *g, const struct ft__bound_term *term, struct grown_column *out)
{
	const double top = ft__bound_value(term, g->point[g->top].x, g->params);

	for (size_t i = 0; i < g->n; i++)
		out->at[i] = ft__bound_value(term, g->point[i].x, g->params) / top;
}

static double smallest_of(const struct grown *g, size_t param)
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
	if (power >= 2)
		ADD(power - 1, 0);
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
static void add_lower(struct grown *g, const struct ft__bound_term *of, bool few, struct ft__bound_term *seen)
{
	double factor[FT_PARAMS_MAX][8][2];
	size_t n[FT_PARAMS_MAX], at[FT_PARAMS_MAX] = {0}, p;

	for (p = 0; p < g->params; p++)
		n[p] = lower_factors(of->power[p], of->log[p], few, factor[p]);
	for (p = 0; p < g->params;) {
		struct ft__bound_term term = {.power = {0}};
		bool is_new = g->bases < BASE_MOST;

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
static void add_subtracted(struct grown *g, const struct ft__bound_term *of, size_t param)
{
	struct ft__bound_term lower = *of;
	double least = smallest_of(g, param), ratio;

	if (of->log[param] > 0)
		lower.log[param]--;
	else
		lower.power[param] = fmax(0, of->power[param] - 1);
	if (g->bases == BASE_MOST || same_term(of, &lower) || of->power[param] == 0)
		return;
	struct grown_column *out = &g->base[g->bases++];
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

static void make_base(struct grown *g)
{
	struct ft__bound_term seen[BASE_MOST], constant = {.power = {0}};
	bool few = g->params > 1;

	g->constant = 0;
	seen[0] = constant;
	fill_column(g, &constant, &g->base[g->bases++]);
	for (size_t i = 0; i < g->bound->n; i++) /* they come first, where there are too many */
		if (g->bases < BASE_MOST && !same_term(&g->bound->term[i], &constant)) {
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
static void make_phases(struct grown *g)
{
	double phase[PHASES];
	size_t of[SIZES], count[PHASES] = {0}, n = 0;

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
		if (of[i] == PHASES)
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

static void make_groups(struct grown *g)
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
static size_t values_of(const struct grown *g, size_t param, double value[SIZES])
{
	for (size_t i = 0; i < g->n; i++)
		value[i] = g->point[i].x[param];
	return ft_sort_different(value, g->n);
}

/* A term of the bound has another level from some size on: another algorithm, or a cache that is full. Times
 * rise slowly there. */
static void make_steps(struct grown *g)
{
	double value[SIZES];

	for (size_t t = 0; t < g->bound->n; t++)
		for (size_t p = 0; p < g->params; p++) {
			size_t n = values_of(g, p, value);
			struct grown_column column;

			fill_column(g, &g->bound->term[t], &column);
			for (size_t k = 1; k + ABOVE_LEAST <= n && value[k] <= step_latest * value[n - 1] &&
					   g->steps + 2 <= STEPS_MOST;
			     k++) {
				bool slow = g->of == FT_CLASS_TIME && 8 * value[k] <= value[n - 1];
				struct grown_column *sharp = &g->step[g->steps++], *smooth = sharp + 1;

				g->steps += slow;
				for (size_t i = 0; i < g->n; i++) {
					double x = g->point[i].x[p];

					sharp->at[i] = x >= value[k] ? column.at[i] : 0;
					if (slow)
						smooth->at[i] = column.at[i] * x / (x + value[k]);
				}
			}
		}
}

/* A size that is rounded up to whole tiles, vectors or pages costs what the larger size would: of the widths that
 * programs have, those that a parameter is several times as large as. Of a product of loops one may not be tiled. */
static void make_tiles(struct grown *g)
{
	static const double width[] = {8, 12, 16, 24, 32, 48, 64, 96, 128};
	enum { WIDTHS = sizeof width / sizeof *width };

	for (size_t t = 0; t < g->bound->n && g->of == FT_CLASS_COUNT; t++)
		for (size_t p = 0; p < g->params; p++)
			for (size_t k = 0; k < 2 * WIDTHS && g->steps < STEPS_MOST; k++) {
				struct grown_column *column = &g->step[g->steps];
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
				g->steps += differs;
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

static void add_worse(struct grown *g, const struct ft__bound_term *term, size_t param, bool usual)
{
	for (size_t i = 0; i < g->worses; i++)
		if (same_term(&g->worse[i].term, term) && g->worse[i].from <= 0) {
			g->worse[i].usual |= usual;
			return;
		}
	if (g->worses == WORSE_MOST || is_within(g->bound, term))
		return;
	struct grown_worse *worse = &g->worse[g->worses++];

	*worse = (struct grown_worse){.term = *term, .param = param, .usual = usual};
	fill_column(g, term, &worse->column);
}

/* The same term from a size on: what it adds there, and at once. */
static void add_late(struct grown *g, const struct grown_worse *whole)
{
	double value[SIZES];
	size_t n = values_of(g, whole->param, value);

	for (size_t k = 1; k + ABOVE_LEAST <= n; k++)
		for (int at_once = 0; at_once < 2 && g->worses < WORSE_MOST; at_once++) {
			struct grown_worse *late = &g->worse[g->worses++];
			struct grown_column first;
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
static void make_worse(struct grown *g)
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

/* All of it, of these sizes; what is judged as in `like`. */
static void prepare(struct grown *g, const struct ft__grown_point *point, size_t n, const struct grown *like)
{
	*g = (struct grown){.n = n, .point = point, .top = n - 1};
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
}

/*
 * Likelihoods.
 */

/* A law: which columns it has besides the lower terms. NULL: none. */
struct grown_law {
	const struct grown_column *step, *worse;
	double ln;        /* its likelihood, at the best deviation and coefficients, and what is believed */
	size_t deviation; /* which of them */
	double c[COLUMNS];
	size_t terms; /* with a coefficient above 0 */
	double worse_at_top;
};

static void weigh(struct grown *g)
{
	for (size_t d = 0; d < DEVIATIONS; d++) {
		double tau = deviation_least * pow(2, (double)d),
		       usual = g->of == FT_CLASS_COUNT ? deviation_count : deviation_other;

		g->ln_sigma[d] = believed * (log(tau) + usual * usual / (2 * tau * tau));
		for (size_t i = 0; i < g->n; i++) {
			double part = fmax(g->y[i] - g->start, 0.02 * g->y[i]) * tau * g->fall[i],
			       error = g->point[i].error * g->y[i], least = digits * g->y[i];

			g->sigma[d][i] = sqrt(part * part + error * error + least * least);
			g->ln_sigma[d] += log(g->sigma[d][i]);
		}
		for (size_t group = 0; group < g->groups; group++)
			g->ln_sigma[d] +=
				log1p(g->shared * (double)(g->group[group + 1] - g->group[group])) / 2;
	}
}

/* Whitens the rows of a system where sizes of a group deviate together: what structure does is the same there. */
static void part_groups(const struct grown *g, double *a, size_t k)
{
	for (size_t group = 0; group < g->groups && g->shared > 0; group++) {
		const size_t from = g->group[group], to = g->group[group + 1];
		const double sizes = (double)(to - from), off = 1 - 1 / sqrt(1 + g->shared * sizes);

		for (size_t j = 0; j < k; j++) {
			double mean = 0;

			for (size_t i = from; i < to; i++)
				mean += a[i * k + j] / sizes;
			for (size_t i = from; i < to; i++)
				a[i * k + j] -= off * mean;
		}
	}
}

static double fit_at(const struct grown *g, const struct grown_law *law, size_t d, double c[COLUMNS])
{
	double a[SIZES * COLUMNS], y[SIZES], sum = 0;
	const struct grown_column *column[COLUMNS];
	size_t k = 0;

	for (; k < g->bases; k++)
		column[k] = &g->base[k];
	for (size_t j = 0; j < g->phases && g->phased; j++)
		column[k++] = &g->phase[j];
	if (law->step)
		column[k++] = law->step;
	if (law->worse)
		column[k++] = law->worse;
	assert(k <= COLUMNS);
	for (size_t i = 0; i < g->n; i++) {
		y[i] = g->y[i] / g->sigma[d][i];
		for (size_t j = 0; j < k; j++)
			a[i * k + j] = column[j]->at[i] / g->sigma[d][i];
	}
	part_groups(g, a, k);
	part_groups(g, y, 1);
	ft_nnls(a, y, g->n, k, c);
	for (size_t i = 0; i < g->n; i++) {
		double rest = y[i] - ft_dot(a + i * k, c, k);

		sum += rest * rest;
	}
	return sum;
}

/* From deviation `most` down: a law with a column more needs no larger one. */
static void fit_law(const struct grown *g, struct grown_law *law, size_t most)
{
	const size_t k = g->bases + (g->phased ? g->phases : 0) + (law->step != NULL) + (law->worse != NULL);
	double c[COLUMNS];

	law->ln = -INFINITY;
	for (size_t d = most + 1; d-- > 0;) {
		double ln = -fit_at(g, law, d, c) / 2 - g->ln_sigma[d];

		if (ln <= law->ln - 3)
			break;
		if (ln <= law->ln)
			continue;
		law->ln = ln;
		law->deviation = d;
		memcpy(law->c, c, sizeof c);
	}
	law->terms = 0;
	for (size_t i = 0; i < k; i++)
		law->terms += law->c[i] > 0;
	law->worse_at_top = law->worse ? law->c[k - 1] : 0;
}

/* What is start-up, by the law within the bound that relative differences prefer. */
static void find_start(struct grown *g)
{
	double least = INFINITY, c[COLUMNS], a[SIZES * COLUMNS], one[SIZES];

	for (size_t i = 0; i < g->n; i++) {
		one[i] = 1;
		least = fmin(least, g->y[i]);
		for (size_t j = 0; j < g->bases; j++)
			a[i * g->bases + j] = g->base[j].at[i] / g->y[i];
	}
	ft_nnls(a, one, g->n, g->bases, c);
	g->start = fmin(c[g->constant], least);
}

/* The likelihood of the best usual law beyond the bound. */
static double best_beyond(const struct grown *g)
{
	double best = -INFINITY;

	for (size_t k = 0; k < g->worses; k++) {
		struct grown_law law = {.worse = &g->worse[k].column};

		if (!g->worse[k].usual)
			continue;
		fit_law(g, &law, DEVIATIONS - 1);
		best = fmax(best, law.ln);
	}
	return best;
}

/* How sizes deviate from a law, by the likeliest one beyond the bound, which fits as well as any: alike at all
 * sizes; with the root of the size less, as sums of chances do; or with the size, as what is rounded up to
 * blocks and pages. Whether phases have levels of their own; and how much of it sizes of a group have in common. */
static void choose_noise(struct grown *g)
{
	static const double falls[] = {0, 0.5, 1}, common[] = {0, 1, 8, 64};
	enum { KINDS = 2 * sizeof falls / sizeof *falls };
	double best = -INFINITY, shared = 0, ln;
	int kept = 0;

	g->shared = 0;
	for (int kind = 0; kind <= KINDS; kind++) { /* the last time round: the best of them */
		int now = kind < KINDS ? kind : kept;

		g->phased = now % 2;
		for (size_t i = 0; i < g->n; i++)
			g->fall[i] = pow(g->volume[i], -falls[now / 2]);
		weigh(g);
		if (kind == KINDS || (g->phased && !g->phases))
			continue;
		ln = best_beyond(g) - (g->phased ? phase_penalty * (double)(g->phases - 1) : 0);
		if (ln > best + (now ? 1 : 0)) {
			best = ln;
			kept = now;
		}
	}
	best = -INFINITY;
	for (size_t k = 0; g->groups < g->n && k < sizeof common / sizeof *common; k++) {
		g->shared = common[k];
		weigh(g);
		ln = best_beyond(g);
		if (ln > best + (k ? 1 : 0)) {
			best = ln;
			shared = common[k];
		}
	}
	g->shared = shared;
	weigh(g);
}

/* The step that makes a law beyond the bound likeliest; NULL: none does. */
static const struct grown_column *best_step_beyond(const struct grown *g, size_t steps, size_t most)
{
	const struct grown_column *best = NULL;
	double best_ln = -INFINITY;

	for (size_t k = 0; k < g->worses; k++)
		for (size_t s = 0; s < steps && g->worse[k].usual; s++) {
			struct grown_law law = {.step = &g->step[s], .worse = &g->worse[k].column};

			fit_law(g, &law, most);
			if (law.ln <= best_ln)
				continue;
			best_ln = law.ln;
			best = law.step;
		}
	return best;
}

struct grown_answer {
	struct grown_law within, beyond;
	const struct grown_worse *worse; /* of beyond; NULL: no term makes the sizes likelier */
	double p, t;                     /* of chance; Student's */
	double deviation;                /* of the law that stands */
};

/* Both kinds of laws at their best. only: the only term to be tried; NULL: all. */
static void compare_laws(struct grown *g, struct grown_answer *out)
{
	struct grown_law law = {0}, step;
	double within;

	*out = (struct grown_answer){.p = 1};
	find_start(g);
	choose_noise(g);
	fit_law(g, &law, DEVIATIONS - 1);
	out->within = step = law;
	within = law.ln;
	for (size_t k = 0; k < g->steps; k++) {
		struct grown_law other = {.step = &g->step[k]};

		fit_law(g, &other, law.deviation);
		if (other.ln > step.ln)
			step = other;
	}
	if (step.ln - step_penalty > within) {
		within = step.ln - step_penalty;
		out->within = step;
	}
	out->beyond.ln = -INFINITY;
	/* A law beyond the bound has tiles only where those within it have the same. */
	if (!step.step || step.step < &g->step[g->tiles])
		step.step = best_step_beyond(g, g->tiles, law.deviation);
	for (size_t k = 0; k < g->worses; k++)
		for (int stepped = 0; stepped < 1 + (step.step != NULL); stepped++) {
			struct grown_law other = {.step = stepped ? step.step : NULL,
						  .worse = &g->worse[k].column};

			fit_law(g, &other, law.deviation);
			other.ln -= stepped ? step_penalty : 0;
			if (other.worse_at_top <= 0 || other.ln <= out->beyond.ln)
				continue;
			out->beyond = other;
			out->worse = &g->worse[k];
		}
	out->deviation = deviation_least * pow(2, (double)out->within.deviation) * sqrt(1 + g->shared);
	if (!out->worse || out->beyond.ln <= within)
		return;
	/* The profile of the deviation makes 2 ln of the ratio (n + believed) ln (1 + t^2 / freedom). */
	double count = (double)(g->shared > 0 ? g->groups : g->n) + believed,
	       freedom = count - (double)out->beyond.terms;
	if (freedom < 1)
		return;
	out->t = sqrt(freedom * expm1(2 * (out->beyond.ln - within) / count));
	out->p = ft_student_above(out->t, freedom);
}

/*
 * The answer.
 */

/* Whether chance explains growth well enough without the largest size: then that size alone is odd. */
static bool rests_on_one(struct grown *g)
{
	struct grown_answer answer;

	if (g->top + 1 != g->n)
		return false;
	const bool single = g->group[g->groups - 1] + 1 == g->n;
	g->n--;
	g->top--;
	g->groups -= single;
	g->group[g->groups] = g->n;
	compare_laws(g, &answer);
	g->n++;
	g->top++;
	g->groups += single;
	g->group[g->groups] = g->n;
	return answer.p > chance_rest;
}

/* Whether the largest size of each group shows growth as well. */
static bool shows_apart(const struct grown *g)
{
	FT_OWN struct grown *apart = ft_calloc(1, sizeof *apart);
	struct ft__grown_point point[SIZES];
	struct grown_answer answer;

	if (!apart || g->groups < SIZES_LEAST)
		return false;
	for (size_t i = 0; i < g->groups; i++) {
		point[i] = g->point[g->group[i + 1] - 1];
		point[i].value = g->y[g->group[i + 1] - 1];
	}
	prepare(apart, point, g->groups, g);
	compare_laws(apart, &answer);
	return answer.p < chance_apart;
}

static bool is_likely(const struct grown *g, const struct grown_answer *a)
{
	return a->p < chance && a->beyond.worse_at_top >= share_least * g->y[g->top];
}

static bool is_seen(struct grown *g, const struct grown_answer *a)
{
	return is_likely(g, a) && !rests_on_one(g) && (g->groups == g->n || shows_apart(g));
}

/* Which share of a term would have been seen: the sizes as they are, without what they have of that term, and
 * with more and more of it. NaN: none. */
static double share_seen_of(struct grown *g, const struct grown_worse *worse)
{
	double measured[SIZES], rest[SIZES], low = share_least / 2, high = 0.95, t;
	struct grown_answer answer;
	struct grown_law law = {.worse = &worse->column}, stepped = law;

	find_start(g);
	choose_noise(g);
	fit_law(g, &law, DEVIATIONS - 1);
	stepped.step = best_step_beyond(g, g->steps, law.deviation);
	if (stepped.step) {
		fit_law(g, &stepped, law.deviation);
		law = stepped.ln - step_penalty > law.ln ? stepped : law;
	}
	memcpy(measured, g->y, sizeof measured);
	for (size_t i = 0; i < g->n; i++)
		rest[i] = fmax(g->y[i] - law.worse_at_top * worse->column.at[i], 1e-3 * g->y[i]);
	t = NAN;
	for (int k = 0; k < 8; k++) {
		double share = k ? sqrt(low * high) : high;

		for (size_t i = 0; i < g->n; i++)
			g->y[i] = rest[i] + share / (1 - share) * rest[g->top] * worse->column.at[i];
		compare_laws(g, &answer);
		if (is_seen(g, &answer)) {
			high = share;
			t = answer.t;
		} else if (!k) {
			break;
		} else {
			low = share;
		}
	}
	memcpy(g->y, measured, sizeof measured);
	/* There half of such terms are seen. */
	if (isnan(t))
		return NAN;
	high *= high > 1.5 * share_least ? 1 + surely / fmax(t, 3) : 1;
	return high < 0.95 ? high : (double)NAN;
}

static void find_seen(struct grown *g, const struct ft_program *program, struct ft_at_most *out)
{
	out->seen = 0;
	for (size_t k = 0; k < g->worses && !isnan(out->seen); k++) {
		double share;

		if (!g->worse[k].usual)
			continue;
		share = share_seen_of(g, &g->worse[k]);
		if (share <= out->seen)
			continue;
		out->seen = share;
		out->param = g->worse[k].param;
		ft__bound_format(&g->worse[k].term, program, out->term);
	}
}

static void explain_sizes(const struct grown *g, const struct grown_answer *a, struct ft_at_most *out)
{
	const size_t k = g->bases + (g->phased ? g->phases : 0) + (a->beyond.step != NULL);
	bool no = out->verdict == FT_AT_MOST_NO;
	double from = INFINITY;

	for (size_t i = 0; i < g->n; i++) {
		struct ft_at_most_size *size = &out->size[i];
		double worse = no ? a->beyond.c[k] * a->worse->column.at[i] : 0;

		size->share = worse / g->y[i];
		size->explained = g->y[i] - worse;
		size->shows =
			worse > 0 && worse > 3 * g->sigma[a->beyond.deviation][i] && size->share >= 0.01;
		if (size->shows)
			from = fmin(from, g->point[i].x[a->worse->param]);
	}
	if (no)
		out->from = fmin(fmax(from, a->worse->from), g->point[g->top].x[a->worse->param]);
}

void ft__at_most_judge(const struct ft__grown_point *point, size_t n, const struct ft_program *program,
		       enum ft_resource_class of, const struct ft__ceiling *bound, struct ft_at_most *out)
{
	struct grown_answer answer;
	FT_OWN struct grown *g = ft_calloc(1, sizeof *g);

	out->verdict = FT_AT_MOST_UNDECIDED;
	out->seen = out->from = out->deviation = NAN;
	out->p = 1;
	out->settled = false;
	if (!g || n < SIZES_LEAST)
		return;
	prepare(g, point, n, &(struct grown){.params = program->n_params, .of = of, .bound = bound});
	compare_laws(g, &answer);
	out->p = answer.p;
	out->deviation = answer.deviation;
	if (is_seen(g, &answer)) {
		out->verdict = FT_AT_MOST_NO;
		out->share = answer.beyond.worse_at_top / g->y[g->top];
		out->param = answer.worse->param;
		ft__bound_format(&answer.worse->term, program, out->term);
		explain_sizes(g, &answer, out);
		out->settled = out->p < certain;
		return;
	}
	explain_sizes(g, &answer, out);
	find_seen(g, program, out);
	if (out->seen <= share_seen && !is_likely(g, &answer))
		out->verdict = FT_AT_MOST_YES;
	out->settled = out->verdict == FT_AT_MOST_YES && out->p >= doubted;
}
