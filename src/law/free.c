/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free.c - shapes with a parameter that is fitted: n^a, 2^(a n), 2^(-a n), and those of exact counts, a
 * term minus a slower one: n log n - a n, n^2 - a n, n^3 - a n^2.
 *
 * The parameter is searched for by its likelihood, and refined on a grid; then FT_LAW_NODES values of it,
 * evenly spaced in the likely region, become shapes like those of the table, each with the prior of its
 * step. A simple number that is as likely as the best one replaces it. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/num.h"

#include <math.h>

/*
 * Laws of several terms: choices of shapes, and the best coefficients for each.
 */

const unsigned char ft__law_common[FT__LAW_COMMON] = {1, 9, 18, 19, 27, 36, 37, 54};

/* The next ascending choice; false after the last. */
static bool next_choice(struct ft__law_choice *choice)
{
	size_t i = choice->terms;

	if (!choice->begun) {
		for (i = 0; i < choice->terms; i++)
			choice->index[i] = i;
		choice->begun = true;
		return true;
	}
	while (i-- > 0)
		if (choice->index[i] + choice->terms - i < FT__LAW_COMMON) {
			choice->index[i]++;
			for (size_t j = i + 1; j < choice->terms; j++)
				choice->index[j] = choice->index[j - 1] + 1;
			return true;
		}
	return false;
}

bool ft__law_choose(const struct ft__law_data *data, struct ft__law_choice *choice)
{
	bool exists;

	do {
		if (!next_choice(choice))
			return false;
		exists = true;
		for (size_t i = 0; i < choice->terms; i++) {
			choice->shape[i] = ft__law_common[choice->index[choice->terms - 1 - i]];
			exists &= !isnan(data->scale[choice->shape[i]]);
		}
	} while (!exists);
	return true;
}

static double value_at(const struct ft__law_data *data, const struct ft__law_joint *joint, size_t k)
{
	double sum = joint->constant;

	for (size_t i = 0; i < joint->terms; i++)
		sum += joint->c[i] * ft__law_g(data, joint->shape[i])[k];
	return sum;
}

/* a [n x (terms + 1)] and y [n]: rows divided by their error, that of the law so far. */
static void fill_rows(const struct ft__law_data *data, const struct ft__law_joint *joint, bool first,
		      double *a, double *y)
{
	size_t columns = (size_t)joint->terms + 1, k, i;

	for (k = 0; k < data->n; k++) {
		double w = sqrt(data->count[k]) / (first ? data->mean[k] : value_at(data, joint, k));

		y[k] = w * data->mean[k];
		a[k * columns] = w;
		for (i = 1; i < columns; i++)
			a[k * columns + i] = w * ft__law_g(data, joint->shape[i - 1])[k];
	}
}

static void join_laws(const struct ft__law_data *data, struct ft__law_joint *joint, double *work)
{
	size_t columns = (size_t)joint->terms + 1, k, i;
	double c[FT_LAW_MIXED + 1], logs = 0, p = 0, *y = work + data->n * columns;

	for (int round = 0; round < 2; round++) {
		fill_rows(data, joint, !round, work, y);
		ft_nnls(work, y, data->n, columns, c);
		joint->constant = c[0];
		for (i = 1; i < columns; i++)
			joint->c[i - 1] = c[i];
	}
	joint->square = 0;
	for (k = 0; k < data->n; k++) {
		double f = value_at(data, joint, k), r = data->mean[k] / f - 1;

		joint->square += data->count[k] * r * r;
		logs += data->count[k] * log(f);
	}
	for (i = 0; i < columns; i++)
		p += c[i] > 0;
	joint->score = ft__law_score(data, joint->square, logs, p);
}

enum ft_status ft__law_join(const struct ft__law_data *data, struct ft__law_joint *joint, struct ft_err *err)
{
	double *work = ft_malloc(data->n * ((size_t)joint->terms + 2) * sizeof *work);

	if (!work)
		return ft_nomem(err);
	join_laws(data, joint, work);
	ft_free(work);
	return FT_OK;
}

enum ft_status ft__law_join_best(const struct ft__law_data *data, size_t terms, struct ft__law_joint *best,
				 struct ft_err *err)
{
	double *work = ft_malloc(data->n * (terms + 2) * sizeof *work);
	struct ft__law_choice choice = {.terms = terms};
	size_t choices = 0;

	*best = (struct ft__law_joint){.score = -INFINITY, .square = INFINITY};
	if (!work)
		return ft_nomem(err);
	while (ft__law_choose(data, &choice)) {
		struct ft__law_joint joint = {.terms = (unsigned char)terms};

		choices++;
		for (size_t i = 0; i < terms; i++)
			joint.shape[i] = choice.shape[i];
		join_laws(data, &joint, work);
		if (joint.score > best->score)
			*best = joint;
	}
	best->score -= log((double)(choices ? choices : 1));
	ft_free(work);
	return FT_OK;
}

void ft__law_take(const struct ft__law_data *data, const struct ft__law_joint *joint, struct ft_law *out)
{
	struct ft_law_term *term;

	*out = (struct ft_law){.params = 1, .constant = joint->constant};
	for (size_t i = 0; i < joint->terms; i++) {
		if (!(joint->c[i] > 0))
			continue;
		term = &out->term[out->terms++];
		term->c = joint->c[i] / data->scale[joint->shape[i]];
		term->factor[0] = joint->shape[i] < FT_LAW_SHAPES
					  ? ft__law_factor(joint->shape[i])
					  : data->factor[joint->shape[i] - FT_LAW_SHAPES];
		if (!(term->factor[0].less > 0))
			continue;
		/* A difference is two terms. */
		out->term[out->terms] = *term;
		out->term[out->terms].c *= -term->factor[0].less;
		out->term[out->terms].factor[0].power -= term->factor[0].log > 0 ? 0 : 1;
		out->term[out->terms].factor[0].log -= term->factor[0].log > 0 ? 1 : 0;
		out->term[out->terms++].factor[0].less = term->factor[0].less = 0;
	}
}

/*
 * Shapes with a parameter that is fitted: n^a, 2^(a n), 2^(-a n), and those of exact counts, a term
 * minus a slower one: n log n - a n, n^2 - a n, n^3 - a n^2.
 */

enum { GRID = 9, ENOUGH = 5, ROUNDS = FT__LAW_SIGHTS / GRID - 1, HALF = FT_LAW_NODES / 2 };

/* Terms of less than 2^-steep of their most at one end of the data are looked for in no data. */
static const double steep = 60;

/* Numbers so many nats less likely than the best are no nodes; so many less is as likely as the best. */
static const double reach = 4.5, alike = 0.02;

static struct ft_law_factor power_factor(double at, double least, double span)
{
	(void)least;
	(void)span;
	return (struct ft_law_factor){.power = at};
}

/* Twelfths, and decimals of one and two digits. */
static double simple_power(double at, double span, int i)
{
	static const double per[] = {1, 2, 4, 3, 12, 10, 20, 100};

	(void)span;
	return i < (int)(sizeof per / sizeof *per) ? rint(at * per[i]) / per[i] : (double)NAN;
}

/* The number is ln of how often the term doubles over the data. */
static struct ft_law_factor exponential_factor(double at, double least, double span)
{
	(void)least;
	return (struct ft_law_factor){.rate = exp(at) / span};
}

/* What falls by the same factor for each more: it halves as often over the data. */
static struct ft_law_factor decaying_factor(double at, double least, double span)
{
	(void)least;
	return (struct ft_law_factor){.rate = -exp(at) / span};
}

/* 2^n, 3^n, e^n, 2^(n/2), 2^(n/3), ... */
static double simple_exponential(double at, double span, int i)
{
	double rate = exp(at) / span;

	if (i == 0)
		rate = rate >= 1 ? rint(rate) : 1 / rint(1 / rate);
	else if (i == 1)
		rate = M_LOG2E;
	else if (i == 2)
		rate = log2(rint(exp2(fmin(rate, 50)))); /* 3^n, 10^n */
	else
		rate = i == 3 ? rint(100 * rate) / 100 : (double)NAN;
	return rate > 0 ? log(rate * span) : (double)NAN;
}

/* The number is the share of the term that is gone at the smallest size. */
static struct ft_law_factor less_linear(double at, double least, double span)
{
	(void)span;
	return (struct ft_law_factor){.power = 1, .log = 1, .less = at * log2(least)};
}

static struct ft_law_factor square_less(double at, double least, double span)
{
	(void)span;
	return (struct ft_law_factor){.power = 2, .less = at * least};
}

static struct ft_law_factor cube_less(double at, double least, double span)
{
	(void)span;
	return (struct ft_law_factor){.power = 3, .less = at * least};
}

/* The number is ln of the size at which half of the level is reached, by the largest size. */
static struct ft_law_factor levelling(double at, double least, double span)
{
	return (struct ft_law_factor){.power = 1, .level = exp(at) * (least + span)};
}

static double nothing_simple(double at, double span, int i)
{
	(void)at;
	(void)span;
	(void)i;
	return NAN;
}

/* All powers together are as usual as one less usual class; exponentials are rare, and with fewer than two
 * doublings over the data cannot be distinguished from powers. Differences are each as usual as a power of
 * it. */
const struct ft__law_family ft__law_families[FT_LAW_FAMILIES] = {
	{power_factor, simple_power, -4, 8, 0.25, false},
	{exponential_factor, simple_exponential, 0.7, 4.1, 0.02, false},
	{less_linear, nothing_simple, 0.002, 0.98, 0.25, true},
	{square_less, nothing_simple, 0.002, 0.98, 0.25, true},
	{cube_less, nothing_simple, 0.002, 0.98, 0.25, true},
	{levelling, nothing_simple, -4, 1.5, 0.25, true},
	{decaying_factor, simple_exponential, 0.7, 4.1, 0.005, false},
};

/* Whether a family may be likely enough, compared to the best law of the table, to
 * matter. score: of that law. */
static bool law_may_be_free(const struct ft__law_data *data, double score)
{
	static const double margin = 2;

	return data->n > 2 && ft__law_score_of_means(data, 3) +
					      log(ft__law_families[0].prior * ft__law_prior(FT__CONSTANT)) >
				      score - margin;
}

/* ---- one number ---------------------------------------------------------------------------------------- */

/* The shape in a place; false: it is not finite, or too steep. */
static bool set_shape(struct ft__law_data *data, size_t shape, const struct ft_law_factor *factor)
{
	double *g = data->g + shape * data->n;

	data->factor[shape - FT_LAW_SHAPES] = *factor;
	data->scale[shape] = ft__law_factor_value(factor, data->x[data->n - 1]);
	for (size_t k = 0; k < data->n; k++)
		g[k] = ft__law_factor_value(factor, data->x[k]) / data->scale[shape];
	if (data->scale[shape] > 0 && isfinite(data->scale[shape]) && fabs(log2(g[0])) <= steep)
		return true;
	data->scale[shape] = (double)NAN;
	return false;
}

static double span_of(const struct ft__law_data *data)
{
	return data->x[data->n - 1] - data->x[0];
}

static struct ft__law_sight sight_at(struct ft__law_data *data, size_t family, size_t shape, double at,
				     struct ft__law_best *best)
{
	struct ft_law_factor factor = ft__law_families[family].factor(at, data->x[0], span_of(data));
	struct ft__law_sight sight = {.at = at, .square = INFINITY};

	if (!set_shape(data, shape, &factor))
		return sight;
	sight.logs = ft__law_best_of(data, shape, 0, data->n, best);
	sight.square = best->square;
	sight.p = (best->c0 > 0) + (best->c1 > 0) + 1;
	return sight;
}

static double score_of(const struct ft__law_data *data, const struct ft__law_sight *sight)
{
	return isfinite(sight->square) ? ft__law_score(data, sight->square, sight->logs, sight->p)
				       : (double)-INFINITY;
}

/* ---- the search ---------------------------------------------------------------------------------------- */

/* Search for the best parameter of a family [FT_LAW_FAMILIES]. sight [FT__LAW_SIGHTS].
 * Returns how many it tried; *least is lowered to the smallest sum of squares. */
static size_t law_find(struct ft__law_data *data, size_t family, struct ft__law_sight *sight, double *least)
{
	size_t shape = FT_LAW_SHAPES + family * FT_LAW_NODES, n = 0;
	double a = ft__law_families[family].low, b = ft__law_families[family].high, floor = data->floor;
	struct ft__law_best best;
	bool close = false;

	if (data->growing && !ft__law_families[family].growing)
		return 0;
	data->floor = 1e-22 * data->total; /* so that a law which is exact is found exactly */
	for (int round = 0; round < ROUNDS; round++) {
		double ln[GRID], top = -INFINITY, step = (b - a) / (GRID - 1), from = a, at = a;
		size_t first, last;

		for (size_t i = 0; i < GRID; i++) {
			sight[n] = sight_at(data, family, shape, from + step * (double)i, &best);
			ln[i] = score_of(data, &sight[n]);
			at = ln[i] > top ? sight[n].at : at;
			top = fmax(top, ln[i]);
			*least = fmin(*least, sight[n++].square + data->scatter);
		}
		size_t inside = ft__law_inside(ln, GRID, top, &first, &last);
		if (isinf(top) || close)
			break;
		close = inside >= ENOUGH; /* once more, around the best */
		a = fmax(ft__law_families[family].low, close ? at - step : from + ((double)first - 1) * step);
		b = fmin(ft__law_families[family].high, close ? at + step : from + ((double)last + 1) * step);
	}
	data->floor = floor;
	data->scale[shape] = (double)NAN;
	return n;
}

/* A plain number that is as likely, or the one given. */
static struct ft__law_sight simplify(struct ft__law_data *data, size_t family, size_t shape,
				     const struct ft__law_sight *top)
{
	double least = score_of(data, top) - alike, at;
	struct ft__law_best best;

	for (int i = 0; !isnan(at = ft__law_families[family].simple(top->at, span_of(data), i)); i++) {
		struct ft__law_sight sight = sight_at(data, family, shape, at, &best);

		if (at >= ft__law_families[family].low && at <= ft__law_families[family].high &&
		    score_of(data, &sight) >= least)
			return sight;
	}
	return *top;
}

/* Of what was seen, once the floor is known, the family's shapes around the best, with their
 * priors, and their best laws. */
static void law_free(struct ft__law_data *data, size_t family, const struct ft__law_sight *sight, size_t n,
		     struct ft__law_best *best)
{
	const struct ft__law_family *f = &ft__law_families[family];
	size_t first = FT_LAW_SHAPES + family * FT_LAW_NODES, chosen = 0;
	double prior = f->prior * ft__law_prior(FT__CONSTANT), step;

	for (size_t i = 1; i < n; i++)
		if (score_of(data, &sight[i]) > score_of(data, &sight[chosen]))
			chosen = i;
	if (!n || isinf(sight[chosen].square))
		return;
	struct ft__law_sight top = simplify(data, family, first, &sight[chosen]);
	/* The step between nodes: so that they reach as far as the number is likely. */
	double far = 0, least = score_of(data, &top) - reach;

	for (size_t i = 0; i < n; i++)
		if (score_of(data, &sight[i]) >= least)
			far = fmax(far, fabs(sight[i].at - top.at));
	step = far / HALF;
	for (size_t i = 0; i < FT_LAW_NODES; i++) {
		size_t shape = first + i;
		double at = top.at + step * ((double)i - HALF);

		data->scale[shape] = (double)NAN;
		if (i != HALF && (at < f->low || at > f->high || !(step > 0)))
			continue;
		struct ft__law_sight node = sight_at(data, family, shape, at, &best[shape]);
		data->prior[shape] = prior * fmax(step, 1e-12) / (f->high - f->low);
		best[shape].score = score_of(data, &node) + log(prior);
	}
}

/* Where a law meets the samples better than those of real programs do, the others must not look alike. */
static void set_floor(struct ft__law_data *data, double least)
{
	data->floor = fmax(fmin(1e-8, least / data->total), 1e-22) * data->total;
}

/* The scores of shapes from the table; which is the best. */
static size_t score_all(const struct ft__law_data *data, const double *logs, struct ft__law_best *best)
{
	size_t chosen = 0;

	for (size_t i = 0; i < FT_LAW_SHAPES; i++) {
		double p = (best[i].c0 > 0) + (best[i].c1 > 0);

		if (isnan(data->scale[i]))
			continue;
		best[i].score = ft__law_score(data, best[i].square, logs[i], p) + log(data->prior[i]);
		if (best[i].score > best[chosen].score)
			chosen = i;
	}
	return chosen;
}

size_t ft__law_select(struct ft__law_data *data, struct ft__law_best *best)
{
	struct ft__law_sight sight[FT_LAW_FAMILIES][FT__LAW_SIGHTS];
	double least = INFINITY, logs[FT_LAW_SHAPES];
	size_t i, chosen, n[FT_LAW_FAMILIES] = {0};

	for (i = 0; i < FT__LAW_ALL; i++) {
		best[i] = (struct ft__law_best){.square = INFINITY, .score = -INFINITY};
		if (i >= FT_LAW_SHAPES || isnan(data->scale[i]))
			continue;
		logs[i] = ft__law_best_of(data, i, 0, data->n, &best[i]);
		least = fmin(least, best[i].square + data->scatter);
	}
	set_floor(data, least);
	chosen = score_all(data, logs, best);
	if (ft__law_is_exact(data, best[chosen].square, 2) || !law_may_be_free(data, best[chosen].score))
		return chosen;
	for (i = 0; i < FT_LAW_FAMILIES; i++)
		n[i] = law_find(data, i, sight[i], &least);
	set_floor(data, least);
	chosen = score_all(data, logs, best);
	for (i = 0; i < FT_LAW_FAMILIES; i++)
		law_free(data, i, sight[i], n[i], best);
	for (i = FT_LAW_SHAPES + FT_LAW_NODES / 2; i < FT__LAW_ALL; i += FT_LAW_NODES)
		if (best[i].score > best[chosen].score)
			chosen = i;
	return chosen;
}
