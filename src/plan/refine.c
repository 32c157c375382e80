/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.c - a total over processors whose times are learned while they run: divide, run, divide again.
 * Between measurements times follow powers of the share: lines in logarithms. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "num/num.h"
#include "plan/door.h"

#include <math.h>
#include <string.h>

/* Bounds of powers outside the measurements; below the smallest share at most the third. Two shares closer
 * than `close` in logarithms do not determine a power, and 1 is used instead. */
static const double least_power = 0.3, most_power = 3, most_below = 1.5, near_each_other = 0.2;

/* Knots of the times used by a division: each share up to FEW, then this far apart. Lines between knots
 * lie within 0.0003 of a third power. */
enum { FEW = 256 };
static const double apart = 1.02;

/* The run-to-run variation of a share when none was repeated. */
static const double usual_spread = 0.02;

struct seen {
	int64_t units;
	double ln_s, squares; /* the mean of ln seconds, and squares about it */
	size_t runs;
};

struct learner {
	struct seen *seen; /* [n] ascending in units */
	size_t n, capacity;
	double squares; /* of ln seconds about what was expected so near another share, as of one run */
	size_t near;    /* how many */
};

struct ft_plan_refine {
	struct learner *of; /* [p] */
	size_t p;
	int64_t total;
	struct ft_partition_options options;
	double best_s;  /* the least makespan measured; INFINITY: none */
	int64_t *best;  /* [p] its shares */
	double even;    /* of the newest run: the longest time over the shortest */
	int64_t *at;    /* [knots] */
	double *time_s; /* [p x knots] */
	size_t knots;
	struct ft_arena arena; /* of all this */
};

/* ---- measurements --------------------------------------------------------------------------------- */

static int compare_units(const void *key, const void *entry)
{
	int64_t a = *(const int64_t *)key, b = ((const struct seen *)entry)->units;

	return (a > b) - (a < b);
}

static double ln_units(const struct seen *s)
{
	return log((double)s->units);
}

/* The power between two of them; limited outside the data. */
static double power_between(const struct seen *a, const struct seen *b)
{
	double between = ln_units(b) - ln_units(a), e = (b->ln_s - a->ln_s) / between,
	       trust = fmin(1, between / near_each_other);

	return fmin(most_power, fmax(least_power, trust * e + (1 - trust)));
}

/* Seconds of a share that is above 0, of a measured processor. */
static double expect_s(const struct learner *l, int64_t units)
{
	size_t i = ft_search(&units, l->seen, l->n, sizeof *l->seen, compare_units);
	const struct seen *at = &l->seen[i], *last;
	double x = log((double)units);

	if (i < l->n && at->units == units)
		return exp(at->ln_s);
	if (i == 0)
		return exp(at->ln_s +
			   (l->n > 1 ? fmin(most_below, power_between(at, at + 1)) : 1) * (x - ln_units(at)));
	last = at - 1;
	if (i == l->n)
		return exp(last->ln_s +
			   (l->n > 1 ? power_between(last - 1, last) : 1) * (x - ln_units(last)));
	return exp(last->ln_s +
		   (at->ln_s - last->ln_s) * (x - ln_units(last)) / (ln_units(at) - ln_units(last)));
}

/* Whether an almost equal share was measured. */
static bool is_near(const struct learner *l, int64_t units)
{
	size_t i = ft_search(&units, l->seen, l->n, sizeof *l->seen, compare_units);
	double x = log((double)units);

	return (i < l->n && ln_units(&l->seen[i]) - x < near_each_other) ||
	       (i > 0 && x - ln_units(&l->seen[i - 1]) < near_each_other);
}

/* Such a time varies about the curve as a repeated one would: the curve there is one run, too. */
static void compare_near(struct learner *l, int64_t units, double ln)
{
	if (!is_near(l, units))
		return;
	double off = ln - log(expect_s(l, units));
	l->squares += off * off / 2;
	l->near++;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

void ft_plan_refine_free(struct ft_plan_refine *r)
{
	if (!r)
		return;
	ft_arena_clear(&r->arena);
	ft_free(r);
}

/* The shares that are knots, up to the total; at NULL: not stored. Returns how many. */
static size_t place_knots(int64_t total, int64_t step, int64_t *at)
{
	int64_t last = total / step;
	size_t n = 0;

	for (int64_t y = 0; y < last; y = y < FEW ? y + 1 : (int64_t)((double)y * apart), n++)
		if (at)
			at[n] = y * step;
	if (at)
		at[n] = last * step;
	return n + 1;
}

enum ft_status ft_plan_refine_new(struct ft_plan_refine **out, size_t p, int64_t total,
				  const struct ft_partition_options *options, struct ft_err *err)
{
	int64_t step = options && options->granularity ? options->granularity : 1;

	*out = NULL;
	if (p == 0 || total < 1 || total > FT_PLAN_UNITS || step < 1)
		return ft_fail(err, FT_EINVAL, "%lld units in steps of %lld for %zu processors",
			       (long long)total, (long long)step, p);
	struct ft_plan_refine *r = ft_calloc(1, sizeof *r);
	if (!r)
		return ft_nomem(err);
	*r = (struct ft_plan_refine){.p = p, .total = total, .best_s = INFINITY, .even = INFINITY};
	if (options)
		r->options = *options;
	r->knots = place_knots(total, step, NULL);
	r->of = ft_arena_take(&r->arena, p, sizeof *r->of);
	r->best = ft_arena_take(&r->arena, p, sizeof *r->best);
	r->at = ft_arena_take(&r->arena, r->knots, sizeof *r->at);
	r->time_s = ft_arena_take(&r->arena, p * r->knots, sizeof *r->time_s);
	if (ft_arena_check(&r->arena, err)) {
		ft_plan_refine_free(r);
		return FT_ENOMEM;
	}
	(void)place_knots(total, step, r->at);
	*out = r;
	return FT_OK;
}

enum ft_status ft_plan_refine_see(struct ft_plan_refine *r, size_t processor, int64_t units, double seconds,
				  struct ft_err *err)
{
	if (processor >= r->p || units < 1 || units > FT_PLAN_UNITS || !(seconds > 0) || isinf(seconds))
		return ft_fail(err, FT_EINVAL, "processor %zu took %g s for %lld units", processor, seconds,
			       (long long)units);
	struct learner *l = &r->of[processor];
	size_t i = ft_search(&units, l->seen, l->n, sizeof *l->seen, compare_units);
	double ln = log(seconds), off;
	struct seen *s;

	if (i == l->n || l->seen[i].units != units) {
		compare_near(l, units, ln);
		s = ft_arena_grow(&r->arena, l->seen, l->n, &l->capacity, sizeof *l->seen);
		if (!s)
			return ft_nomem(err);
		l->seen = s;
		memmove(&s[i + 1], &s[i], (l->n++ - i) * sizeof *s);
		s[i] = (struct seen){.units = units};
	}
	s = &l->seen[i];
	s->runs++;
	off = ln - s->ln_s;
	s->ln_s += off / (double)s->runs;
	s->squares += off * (ln - s->ln_s);
	return FT_OK;
}

enum ft_status ft_plan_refine_ran(struct ft_plan_refine *r, const int64_t *units, const double *seconds,
				  struct ft_err *err)
{
	double longest = 0, shortest = INFINITY;

	for (size_t i = 0; i < r->p; i++) {
		if (units[i] == 0)
			continue;
		FT_TRY(ft_plan_refine_see(r, i, units[i], seconds[i], err));
		longest = fmax(longest, seconds[i]);
		shortest = fmin(shortest, seconds[i]);
	}
	if (!(longest > 0))
		return FT_OK;
	r->even = longest / shortest;
	if (longest < r->best_s) {
		r->best_s = longest;
		memcpy(r->best, units, r->p * sizeof *units);
	}
	return FT_OK;
}

/* ---- the next division --------------------------------------------------------------------------------- */

/* Seconds a unit of measured processors, the mean in logarithms, which is assumed for the rest. */
static double usual_pace(const struct ft_plan_refine *r, size_t *seen)
{
	double sum = 0;

	*seen = 0;
	for (size_t i = 0; i < r->p; i++)
		if (r->of[i].n) {
			const struct seen *last = &r->of[i].seen[r->of[i].n - 1];

			sum += last->ln_s - ln_units(last);
			(*seen)++;
		}
	return *seen ? exp(sum / (double)*seen) : 1;
}

enum ft_status ft_plan_refine_next(struct ft_plan_refine *r, int64_t *units, struct ft_plan_refined *out,
				   struct ft_err *err)
{
	struct ft_partition found;
	size_t seen;
	double pace = usual_pace(r, &seen);

	*out = (struct ft_plan_refined){.expected_s = NAN, .best_s = r->best_s, .gain = NAN};
	FT_OWN struct ft_plan_times *times = ft_calloc(r->p, sizeof *times);

	if (!times)
		return ft_nomem(err);
	for (size_t i = 0; i < r->p; i++) {
		double *row = r->time_s + i * r->knots;

		for (size_t k = 0; k < r->knots; k++)
			row[k] = r->at[k] == 0 ? 0
				 : r->of[i].n  ? expect_s(&r->of[i], r->at[k])
					       : pace * (double)r->at[k];
		times[i] = (struct ft_plan_times){.n = r->knots, .at = r->at, .time_s = row};
	}
	FT_TRY(ft_plan_partition(times, r->p, r->total, &r->options, units, NULL, &found, err));
	if (isinf(found.plan.value)) {
		(void)ft_fail(err, FT_EINVAL, "%lld units cannot be divided so", (long long)r->total);
		(void)ft_remedy(err, "state a --granularity that is no more than the total");
		return FT_EINVAL;
	}
	/* Run-to-run variation of a share: the standard deviation of ln seconds. A single difference says little:
	 * the usual variation counts as one more. */
	double squares = 0;
	size_t free = 0;

	for (size_t i = 0; i < r->p; i++) {
		squares += r->of[i].squares;
		free += r->of[i].near;
		for (size_t k = 0; k < r->of[i].n; k++) {
			squares += r->of[i].seen[k].squares;
			free += r->of[i].seen[k].runs - 1;
		}
	}
	out->spread = sqrt((squares + usual_spread * usual_spread) / (double)(free + 1));
	out->even = r->even;
	if (seen)
		out->expected_s = found.plan.value;
	if (isfinite(r->best_s) && seen == r->p)
		out->gain = 1 - found.plan.value / r->best_s;
	out->settled = isfinite(r->best_s) && (out->gain < out->spread || r->even <= 1 + out->spread ||
					       !memcmp(units, r->best, r->p * sizeof *units));
	return FT_OK;
}

const int64_t *ft_plan_refine_best(const struct ft_plan_refine *r)
{
	return isfinite(r->best_s) ? r->best : NULL;
}
