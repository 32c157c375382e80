/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quantile.c - shares that minimise the time by which all have ended, except for a risk. Times are
 * independent, each log-normal about its typical one. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "num/num.h"
#include "plan/plan.h"

#include <assert.h>
#include <math.h>

static double ft__late_at(struct ft__lates *g, double log_t);

static double late_log_below(double z);

static double late_chance(struct ft__lates *g, const struct ft__late *one, int64_t units);

/*
 * The lower bound of all divisions, except for a risk.
 */

enum {
	STEPS = 14,  /* times that are looked at */
	STACK = 64,  /* pieces that wait: one for each halving */
	MOST = 2000, /* processors; of more the bound that was known stays */
};

/* Pieces are divided until they are this short relative to the share, or gain no more than this. */
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
	return late_log_below(ahead / (ahead > 0 ? fmin(one, other) : fmax(one, other))) +
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
		most = fmax(most, late_chance(g, o, middle) + price * (double)middle);
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
		most = fmax(most, late_chance(g, o, from) + price * (double)from);
		most = fmax(most, late_chance(g, o, to) + price * (double)to);
		if (to > from)
			most = most_between(g, o, (struct quantile_bound_piece){from, to}, price, most,
					    enough);
		else
			break;
	}
	return most;
}

/* late_bound - ln of a time that no division of the total is below, but for the risk.
 *
 * log_value  the quantile of the division as it is; low: a bound that is known
 *
 * Source: a Lagrangian bound. For any price mu of a unit the sum of chances is at most sum max_x (ln F(x) +
 * mu x) - mu total, and by its pieces, in which lines rule times, each maximum has a bound. */
static double late_bound(struct ft__lates *g, int64_t total, double low, double log_value)
{
	double high = log_value;

	g->block = total / (int64_t)g->p / 1000 / g->step * g->step;
	g->block = g->block > g->step ? g->block : g->step;
	for (int i = 0; i < STEPS && g->p <= MOST && high > low; i++) {
		double middle = i ? (low + high) / 2 : high - 1e-3;

		/* Is the probability below the required one for every division? */
		double price, sum, enough = -1e-3 * g->log_q / (double)g->p;

		(void)ft__late_at(g, middle);
		/* The cost of a further unit where it is least, and its gain where it is largest: the price is between. */
		double get = -INFINITY, give = -INFINITY;

		for (size_t k = 0; k < g->p; k++) {
			get = fmax(get, g->of[k].get);
			give = fmax(give, g->of[k].give);
		}
		get = isinf(get) ? give : -get;
		give = isinf(give) ? get : give;
		price = isinf(get) ? 0 : fmax(0, (get + give) / 2 / (double)g->block);
		sum = -price * (double)total;
		for (size_t k = 0; k < g->p; k++) {
			const struct ft__late *o = &g->of[k], *before = k ? o - 1 : NULL;
			double most = 0;

			/* Those of a group are alike. */
			if (!before || before->typical != o->typical)
				most = most_price(g, o, total, price, enough) + enough;
			g->of[k].log_f = before && before->typical == o->typical ? before->log_f : most;
			sum += g->of[k].log_f;
		}
		if (sum < g->log_q)
			low = fmax(low, middle);
		else
			high = middle;
	}
	return fmin(low, log_value);
}

/*
 * Shares that minimise the time by which all have ended, except for a risk. Times are independent, each
 * log-normal about its typical one.
 */

/* No time is predicted exactly. */
const double ft__late_least_spread = 1e-9;

/* The first blocks are this many times smaller than a processor's average. */
enum { FIRST_BLOCK = 4 };

/* Moves of one size of block: what is left to be gained then is less than the next size finds. */
static const double moves_least = 16, looks_most = 4e6;

/* ln of the share of the normal distribution below z; far below by its asymptote. */
/* late_log_below - ln of the share of the standard normal distribution below z. */
static double late_log_below(double z)
{
	if (z > 6)
		return log1p(-ft_normal_below(-z));
	return z > -30 ? log(ft_normal_below(z)) : -z * z / 2 - log(-z) - 0.9189385332046727;
}

/* late_chance - ln of the chance that a processor has ended a share by the time that is looked at. */
static double late_chance(struct ft__lates *g, const struct ft__late *o, int64_t units)
{
	double typical;

	g->looks++;
	if (units == 0)
		return 0;
	typical = ft_plan_time(o->typical, units);
	double late = ft_plan_time(o->slow, units);
	if (isinf(typical) || isinf(late))
		return -INFINITY;
	if (!(typical > 0))
		return 0;
	return late_log_below((g->log_t - log(typical)) /
			      fmax(ft__late_least_spread, log(late / typical) / g->z));
}

static double sum_at(struct ft__lates *g, double log_t)
{
	double sum = 0;

	g->log_t = log_t;
	for (size_t i = 0; i < g->p; i++) {
		g->of[i].log_f = late_chance(g, &g->of[i], g->of[i].units);
		sum += g->of[i].log_f;
	}
	return sum;
}

/* ln of the quantile of the makespan: not before the last typical time, for risks are below a half. */
static double find_quantile(struct ft__lates *g)
{
	double least = -INFINITY, width = 0.1;

	for (size_t i = 0; i < g->p; i++)
		if (g->of[i].units)
			least = fmax(least, log(ft_plan_time(g->of[i].typical, g->of[i].units)));
	if (isinf(least))
		return least;
	double most = least;
	while (sum_at(g, most) < g->log_q && width < 1e6) {
		most = least + width;
		width *= 2;
	}
	for (size_t i = 0; i < 200 && most - least > 1e-13 * fmax(1, fabs(most)); i++) {
		double middle = (least + most) / 2;

		if (sum_at(g, middle) < g->log_q)
			least = middle;
		else
			most = middle;
	}
	(void)sum_at(g, most);
	return most;
}

/* ---- blocks from one to another ------------------------------------------------------------------------ */

static void reckon_chances(struct ft__lates *g, struct ft__late *o)
{
	int64_t most = o->typical->most, more = o->units + g->block, less = o->units - g->block;

	o->get = most && more > most ? (double)-INFINITY : late_chance(g, o, more) - o->log_f;
	o->give =
		less < o->typical->least || less < 0 ? (double)-INFINITY : late_chance(g, o, less) - o->log_f;
}

static void take_units(struct ft__lates *g, struct ft__late *o, int64_t units)
{
	o->units = units;
	o->log_f = late_chance(g, o, units);
	reckon_chances(g, o);
}

/* The block that gains most by leaving, to where it costs least. False: none gains. */
static bool move_block(struct ft__lates *g)
{
	struct ft__late *from = NULL, *to = NULL;

	for (size_t i = 0; i < g->p; i++)
		if (g->of[i].give > -INFINITY && (!from || g->of[i].give > from->give))
			from = &g->of[i];
	for (size_t i = 0; from && i < g->p; i++)
		if (&g->of[i] != from && g->of[i].get > -INFINITY && (!to || g->of[i].get > to->get))
			to = &g->of[i];
	if (!to || !(from->give + to->get > 1e-12 * fmax(-g->log_q, 1e-6)))
		return false;
	take_units(g, from, from->units - g->block);
	take_units(g, to, to->units + g->block);
	return true;
}

/* ft__late_at - look at a time: chances and what a block changes. Returns the sum of chances. */
static double ft__late_at(struct ft__lates *g, double log_t)
{
	double sum = sum_at(g, log_t);

	for (size_t i = 0; i < g->p; i++)
		reckon_chances(g, &g->of[i]);
	return sum;
}

/* All moves of one size at the time that now is the quantile; whether there was one. */
static bool make_moves(struct ft__lates *g)
{
	double moves = fmax(moves_least, looks_most / (double)g->p), done = 0;

	(void)ft__late_at(g, find_quantile(g));
	while (done < moves && move_block(g))
		done++;
	return done > 0;
}

/* ---- the bound ----------------------------------------------------------------------------------------- */

static int64_t knot_at(const struct ft_plan_times *times, size_t k)
{
	return times->at ? times->at[k] : (int64_t)k;
}

/* The knots of both; returns how many. */
static size_t join_knots(const struct ft_plan_times *a, const struct ft_plan_times *b, int64_t *at)
{
	size_t i = 0, j = 0, n = 0;

	while (i < a->n || j < b->n) {
		int64_t x = i < a->n ? knot_at(a, i) : INT64_MAX, y = j < b->n ? knot_at(b, j) : INT64_MAX;

		at[n++] = x < y ? x : y;
		i += x <= y;
		j += y <= x;
	}
	return n;
}

/* Times between typical and late ones, of a weight for the latter, into room for the knots of both. Between
 * two powers that are lines a weighted geometric mean is concave: chords are below it. */
static void lay_between(const struct ft_plan_times *typical, const struct ft_plan_times *late, size_t groups,
			double weight, struct ft_plan_times *times, int64_t *at, double *time_s)
{
	size_t knots = 0;

	for (size_t i = 0; i < groups; i++) {
		times[i] = typical[i];
		times[i].n = join_knots(&typical[i], &late[i], at + knots);
		times[i].at = at + knots;
		times[i].time_s = time_s + knots;
		for (size_t k = 0; k < times[i].n; k++, knots++) {
			double a = ft_plan_time(&typical[i], at[knots]),
			       b = fmax(a, ft_plan_time(&late[i], at[knots]));

			time_s[knots] = a > 0 && isfinite(b) ? a * pow(b / a, weight) : isinf(b) ? b : a;
		}
	}
}

/* Each must have ended with a chance of 1 - risk at least: no plan is below the best division of these
 * times. */
static enum ft_status bound_quantile(const struct ft_plan_times *typical, const struct ft_plan_times *late,
				     size_t groups, int64_t total, const struct ft_partition_options *options,
				     double weight, double *least, struct ft_err *err)
{
	size_t knots = 0, p = 0;
	struct ft_partition found;

	for (size_t i = 0; i < groups; i++) {
		knots += typical[i].n + late[i].n;
		p += typical[i].count ? typical[i].count : 1;
	}
	FT_ARENA(work);
	struct ft_plan_times *times = ft_arena_take(&work, groups, sizeof *times);
	int64_t *at = ft_arena_take(&work, knots, sizeof *at);
	double *time_s = ft_arena_take(&work, knots, sizeof *time_s);
	int64_t *units = ft_arena_take(&work, p, sizeof *units);
	FT_TRY(ft_arena_check(&work, err));
	lay_between(typical, late, groups, weight, times, at, time_s);
	FT_TRY(ft_plan_partition(times, groups, total, options, units, NULL, &found, err));
	*least = found.plan.bound * (1 - 1e-12);
	return FT_OK;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

enum ft_status ft_plan_partition_late(const struct ft_plan_times *typical, const struct ft_plan_times *late,
				      double each, size_t groups, int64_t total,
				      const struct ft_partition_options *options, double risk, int64_t *units,
				      struct ft_partition_late *out, struct ft_err *err)
{
	struct ft__lates g = {.step = options && options->granularity ? options->granularity : 1};
	size_t k = 0;

	*out = (struct ft_partition_late){.plan = {INFINITY, INFINITY, false, 0}, .before_s = INFINITY};
	if (!(each > 0 && each <= risk * (1 + 1e-9) && risk < 0.5))
		return ft_fail(err, FT_EINVAL, "a risk of %g, and of %g for each, are not below 0.5", risk,
			       each);
	if (!groups)
		return ft_fail(err, FT_EINVAL, "no processors");
	for (size_t i = 0; i < groups; i++)
		if (!typical[i].n || !late[i].n || typical[i].count != late[i].count)
			return ft_fail(err, FT_EINVAL, "group %zu: other processors, or times without knots",
				       i);
	g.z = ft_normal_quantile(1 - each);
	g.log_q = log1p(-risk);
	for (size_t i = 0; i < groups; i++)
		g.p += typical[i].count ? typical[i].count : 1;
	FT_OWN struct ft__late *of = ft_calloc(g.p, sizeof *of);
	if (!of)
		return ft_nomem(err);
	for (size_t i = 0; i < groups; i++)
		for (size_t j = 0; j < (typical[i].count ? typical[i].count : 1); j++, k++)
			of[k] = (struct ft__late){
				.typical = &typical[i], .slow = &late[i], .units = units[k]};
	g.of = of;
	FT_TRY(bound_quantile(typical, late, groups, total, options, ft_normal_quantile(1 - risk) / g.z,
			      &out->plan.bound, err));
	out->before_s = exp(find_quantile(&g));
	int again = 0;

	assert(g.p > 0);
	int64_t steps = total / g.step / (int64_t)g.p / FIRST_BLOCK;
	for (steps = steps > 1 ? steps : 1; steps > 1; steps /= 2) {
		g.block = steps * g.step;
		(void)make_moves(&g);
	}
	g.block = g.step;
	while (make_moves(&g) && ++again < 8)
		continue;
	out->plan.value = exp(find_quantile(&g));
	for (size_t i = 0; i < g.p; i++)
		units[i] = g.of[i].units;
	if (out->plan.bound > 0)
		out->plan.bound = exp(late_bound(&g, total, log(out->plan.bound), log(out->plan.value)));
	out->plan.bound = fmin(out->plan.bound, out->plan.value);
	out->plan.evaluations = g.looks;
	return FT_OK;
}
