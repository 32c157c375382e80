/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quantile.c - shares such that what all have ended by, but for a risk, is as early as possible. Times are
 * independent, each log-normal about its typical one. */
#include "base/arena.h"
#include "foretime/plan.h"
#include "num/stats.h"
#include "plan/quantile.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Nothing ends exactly when it is foretold. */
const double ft__late_least_spread = 1e-9;

/* Blocks begin with so many times less than a processor has on average. */
enum { FIRST_BLOCK = 4 };

/* Moves of one size of block: what is left to be gained then is less than the next size finds. */
static const double moves_least = 16, looks_most = 4e6;

/* ln of the share of the normal distribution below z; far below by its asymptote. */
double ft__late_log_below(double z)
{
	if (z > 6)
		return log1p(-ft_normal_below(-z));
	return z > -30 ? log(ft_normal_below(z)) : -z * z / 2 - log(-z) - 0.9189385332046727;
}

double ft__late_chance(struct ft__lates *g, const struct ft__late *o, int64_t units)
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
	return ft__late_log_below((g->log_t - log(typical)) /
				  fmax(ft__late_least_spread, log(late / typical) / g->z));
}

static double sum_at(struct ft__lates *g, double log_t)
{
	double sum = 0;

	g->log_t = log_t;
	for (size_t i = 0; i < g->p; i++) {
		g->of[i].log_f = ft__late_chance(g, &g->of[i], g->of[i].units);
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

	o->get = most && more > most ? (double)-INFINITY : ft__late_chance(g, o, more) - o->log_f;
	o->give = less < o->typical->least || less < 0 ? (double)-INFINITY
						       : ft__late_chance(g, o, less) - o->log_f;
}

static void take_units(struct ft__lates *g, struct ft__late *o, int64_t units)
{
	o->units = units;
	o->log_f = ft__late_chance(g, o, units);
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

double ft__late_at(struct ft__lates *g, double log_t)
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

static void improve_blocks(struct ft__lates *g, int64_t total)
{
	int again = 0;

	assert(g->p > 0);
	int64_t steps = total / g->step / (int64_t)g->p / FIRST_BLOCK;
	for (steps = steps > 1 ? steps : 1; steps > 1; steps /= 2) {
		g->block = steps * g->step;
		(void)make_moves(g);
	}
	g->block = g->step;
	while (make_moves(g) && ++again < 8)
		continue;
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

static enum ft_status check_risk(const struct ft_plan_times *typical, const struct ft_plan_times *late,
				 double each, size_t groups, double risk, struct ft_err *err)
{
	if (!(each > 0 && each <= risk * (1 + 1e-9) && risk < 0.5))
		return ft_fail(err, FT_EINVAL, "a risk of %g, and of %g for each, are not below 0.5", risk,
			       each);
	if (!groups)
		return ft_fail(err, FT_EINVAL, "no processors");
	for (size_t i = 0; i < groups; i++)
		if (!typical[i].n || !late[i].n || typical[i].count != late[i].count)
			return ft_fail(err, FT_EINVAL, "group %zu: other processors, or times without knots",
				       i);
	return FT_OK;
}

enum ft_status ft_plan_partition_late(const struct ft_plan_times *typical, const struct ft_plan_times *late,
				      double each, size_t groups, int64_t total,
				      const struct ft_partition_options *options, double risk, int64_t *units,
				      struct ft_partition_late *out, struct ft_err *err)
{
	struct ft__lates g = {.step = options && options->granularity ? options->granularity : 1};
	size_t k = 0;

	*out = (struct ft_partition_late){.plan = {INFINITY, INFINITY, false, 0}, .before_s = INFINITY};
	FT_TRY(check_risk(typical, late, each, groups, risk, err));
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
	improve_blocks(&g, total);
	out->plan.value = exp(find_quantile(&g));
	for (size_t i = 0; i < g.p; i++)
		units[i] = g.of[i].units;
	if (out->plan.bound > 0)
		out->plan.bound = exp(ft__late_bound(&g, total, log(out->plan.bound), log(out->plan.value)));
	out->plan.bound = fmin(out->plan.bound, out->plan.value);
	out->plan.evaluations = g.looks;
	return FT_OK;
}
