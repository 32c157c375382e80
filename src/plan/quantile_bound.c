/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quantile_bound.c - what no division has ended by, but for a risk. */
#include "plan/quantile.h"

#include <math.h>

enum {
	STEPS = 14,  /* times that are looked at */
	STACK = 64,  /* pieces that wait: one for each halving */
	MOST = 2000, /* processors; of more the bound that was known stays */
};

/* Pieces are divided until they are so short beside the share, or promise so little more. */
static const double narrow = 2e-4;

struct quantile_bound_piece {
	int64_t from, to;
};

/* All times of a piece, without a knot inside: no share of it has a better chance, and none costs less. */
static double most_of(const struct ft__lates *g, const struct ft__late *o,
		      const struct quantile_bound_piece *p, double price)
{
	double a = ft_plan_time(o->typical, p->from), b = ft_plan_time(o->typical, p->to),
	       c = ft_plan_time(o->slow, p->from), d = ft_plan_time(o->slow, p->to), one, other, ahead;

	if (isinf(a + b + c + d))
		return -INFINITY; /* but its ends, which are looked at by themselves */
	if (!(a > 0 && b > 0))
		return price * (double)p->to;
	one = fmax(ft__late_least_spread, log(c / a) / g->z);
	other = fmax(ft__late_least_spread, log(d / b) / g->z);
	ahead = g->log_t - log(fmin(a, b));
	return ft__late_log_below(ahead / (ahead > 0 ? fmin(one, other) : fmax(one, other))) +
	       price * (double)p->to;
}

/* The largest ln F(x) + price x of one piece between knots, from above. */
static double most_between(struct ft__lates *g, const struct ft__late *o, struct quantile_bound_piece all,
			   double price, double known, double enough)
{
	struct quantile_bound_piece stack[STACK];
	size_t n = 0;
	double most = known;

	stack[n++] = all;
	while (n) {
		const struct quantile_bound_piece p = stack[--n];
		double here = most_of(g, o, &p, price);
		int64_t middle = p.from + (p.to - p.from) / 2;

		g->looks++;
		if (here <= most + enough)
			continue;
		if (middle == p.from || n + 2 > STACK || (double)(p.to - p.from) <= narrow * (double)p.from) {
			most = here;
			continue;
		}
		most = fmax(most, ft__late_chance(g, o, middle) + price * (double)middle);
		stack[n++] = (struct quantile_bound_piece){p.from, middle};
		stack[n++] = (struct quantile_bound_piece){middle, p.to};
	}
	return most;
}

static int64_t knot(const struct ft_plan_times *times, size_t k)
{
	return times->at ? times->at[k] : (int64_t)k;
}

static double most_price(struct ft__lates *g, const struct ft__late *o, int64_t total, double price,
			 double enough)
{
	const struct ft_plan_times *times[] = {o->typical, o->slow};
	int64_t cap = o->typical->most && o->typical->most < total ? o->typical->most : total, to;
	double most = o->typical->least > 0 ? (double)-INFINITY : 0;
	size_t at[2] = {0}, k;

	for (int64_t from = o->typical->least > 1 ? o->typical->least : 1; from <= cap; from = to) {
		to = cap;
		for (k = 0; k < 2; k++) {
			while (at[k] < times[k]->n && knot(times[k], at[k]) <= from)
				at[k]++;
			if (at[k] < times[k]->n && knot(times[k], at[k]) < to)
				to = knot(times[k], at[k]);
		}
		most = fmax(most, ft__late_chance(g, o, from) + price * (double)from);
		most = fmax(most, ft__late_chance(g, o, to) + price * (double)to);
		if (to > from)
			most = most_between(g, o, (struct quantile_bound_piece){from, to}, price, most,
					    enough);
		else
			break;
	}
	return most;
}

/* What a unit more costs where it costs least, and gains where it gains most: the price is between. */
static double price_of(const struct ft__lates *g)
{
	double get = -INFINITY, give = -INFINITY;

	for (size_t i = 0; i < g->p; i++) {
		get = fmax(get, g->of[i].get);
		give = fmax(give, g->of[i].give);
	}
	get = isinf(get) ? give : -get;
	give = isinf(give) ? get : give;
	return isinf(get) ? 0 : fmax(0, (get + give) / 2 / (double)g->block);
}

/* Is the chance below what is asked, whatever the division? */
static bool too_early(struct ft__lates *g, int64_t total, double log_t)
{
	double price, sum, enough = -1e-3 * g->log_q / (double)g->p;

	(void)ft__late_at(g, log_t);
	price = price_of(g);
	sum = -price * (double)total;
	for (size_t i = 0; i < g->p; i++) {
		const struct ft__late *o = &g->of[i], *before = i ? o - 1 : NULL;
		double most = 0;

		/* Those of a group are alike. */
		if (!before || before->typical != o->typical)
			most = most_price(g, o, total, price, enough) + enough;
		g->of[i].log_f = before && before->typical == o->typical ? before->log_f : most;
		sum += g->of[i].log_f;
	}
	return sum < g->log_q;
}

double ft__late_bound(struct ft__lates *g, int64_t total, double low, double log_value)
{
	double high = log_value;

	g->block = total / (int64_t)g->p / 1000 / g->step * g->step;
	g->block = g->block > g->step ? g->block : g->step;
	for (int i = 0; i < STEPS && g->p <= MOST && high > low; i++) {
		double middle = i ? (low + high) / 2 : high - 1e-3;

		if (too_early(g, total, middle))
			low = fmax(low, middle);
		else
			high = middle;
	}
	return fmin(low, log_value);
}
