/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - servers by when they would be done, and ties with the best. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "num/num.h"
#include "plan/door.h"

#include <math.h>
#include <stdlib.h>

static const double usual_risk = 0.05;

/* Points at which densities are summed, over this many standard deviations to either side. */
enum { POINTS = 600 };
static const double reach = 6;

/* Chance that a is before b; spreads are independent. */
static double chance_before(double a, double spread_a, double b, double spread_b)
{
	double spread = hypot(spread_a, spread_b);

	if (!(spread > 0))
		return a < b ? 1 : a > b ? 0 : 0.5;
	return ft_normal_below((b - a) / spread);
}

struct rank_entry {
	struct ft_plan_rank rank;
	const struct ft_plan_server *server;
	double mean, spread;
};

static enum ft_plan_rank_why judge_server(const struct ft_plan_server *s, double z)
{
	if (isinf(s->time_s) || isinf(s->wait_s) || isinf(s->transfer_s))
		return FT_RANK_NO_FIT;
	if (s->limit_s > 0 && s->time_s + z * s->spread_s > s->limit_s)
		return FT_RANK_LIMIT;
	return FT_RANK_GOOD;
}

/* Usable ones first; ties by load, then cost; all else by when they are done. */
static int compare_entries(const void *a, const void *b)
{
	const struct rank_entry *p = a, *q = b;

	if (p->rank.why != q->rank.why)
		return p->rank.why < q->rank.why ? -1 : 1;
	if (p->rank.alike != q->rank.alike)
		return p->rank.alike ? -1 : 1;
	if (p->rank.alike && p->server->load != q->server->load)
		return p->server->load < q->server->load ? -1 : 1;
	if (p->rank.alike && p->server->cost != q->server->cost)
		return p->server->cost < q->server->cost ? -1 : 1;
	if (p->rank.end_s != q->rank.end_s)
		return p->rank.end_s < q->rank.end_s ? -1 : 1;
	return (p->rank.server > q->rank.server) - (p->rank.server < q->rank.server);
}

/* Probability to be done before all others: its density times the probability of each other one to be
 * later, summed. Without variance a very small one is used. */
static double chance_first(const struct rank_entry *e, size_t n, size_t which, double least_spread)
{
	double spread = fmax(e[which].spread, least_spread), sum = 0, weight = 0;

	for (size_t k = 0; k <= POINTS; k++) {
		double z = reach * (2 * (double)k / POINTS - 1), w = exp(-z * z / 2);
		double t = e[which].mean + z * spread, later = 1;

		for (size_t i = 0; i < n; i++)
			if (i != which && e[i].rank.why == FT_RANK_GOOD)
				later *= ft_normal_below((e[i].mean - t) / fmax(e[i].spread, least_spread));
		sum += w * later;
		weight += w;
	}
	return sum / weight;
}

enum ft_status ft_plan_rank(const struct ft_plan_server *server, size_t n, double risk,
			    struct ft_plan_rank *out, struct ft_err *err)
{
	risk = risk == 0 ? usual_risk : risk;
	if (!(risk > 0 && risk < 1))
		return ft_fail(err, FT_EINVAL, "a risk of %g: between 0 and 1", risk);
	for (size_t l = 0; l < n; l++)
		if (!(server[l].time_s >= 0) || !(server[l].wait_s >= 0) || !(server[l].transfer_s >= 0) ||
		    !(server[l].spread_s >= 0) || isinf(server[l].spread_s) || !(server[l].limit_s >= 0) ||
		    isnan(server[l].load) || isnan(server[l].cost))
			return ft_fail(err, FT_EINVAL,
				       "server %zu: a time, a wait or a spread that is negative or no number",
				       l);
	FT_OWN struct rank_entry *e = ft_calloc(n + 1, sizeof *e);
	if (!e)
		return ft_nomem(err);
	double z = ft_normal_quantile(1 - risk);
	for (size_t i = 0; i < n; i++) {
		const struct ft_plan_server *s = &server[i];

		e[i] = (struct rank_entry){.server = s,
					   .mean = s->wait_s + s->transfer_s + s->time_s,
					   .spread = s->spread_s,
					   .rank = {.server = i, .why = judge_server(s, z)}};
		e[i].rank.end_s = e[i].mean + z * s->spread_s;
	}
	const struct rank_entry *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (e[i].rank.why == FT_RANK_GOOD && (!best || e[i].rank.end_s < best->rank.end_s))
			best = &e[i];
	for (size_t i = 0; i < n; i++)
		if (e[i].rank.why == FT_RANK_GOOD) {
			e[i].rank.before_best =
				chance_before(e[i].mean, e[i].spread, best->mean, best->spread);
			e[i].rank.alike = &e[i] == best || e[i].rank.before_best >= risk;
		}
	double largest = 0, all = 0;

	for (size_t k = 0; k < n; k++)
		if (e[k].rank.why == FT_RANK_GOOD)
			largest = fmax(largest, fmax(fabs(e[k].mean), e[k].spread));
	for (size_t k = 0; k < n; k++) {
		if (e[k].rank.why == FT_RANK_GOOD)
			e[k].rank.first = chance_first(e, n, k, 1e-9 * largest + 1e-300);
		all += e[k].rank.first;
	}
	for (size_t k = 0; k < n && all > 0; k++)
		e[k].rank.first /= all;
	qsort(e, n, sizeof *e, compare_entries);
	for (size_t i = 0; i < n; i++)
		out[i] = e[i].rank;
	return FT_OK;
}

/*
 * Stay or move, when a run is slower than predicted: wait until the loss is as large as the cost of a move.
 */

/* The weight of the newest rate in the recent one. */
static const double newest = 0.3;

/* The slowdown that is no breach, if the plan has no interval. */
static const double usual_tolerance = 0.1;

enum ft_status ft_plan_contract(struct ft_plan_contract *out, double promised, double tolerance,
				struct ft_err *err)
{
	*out = (struct ft_plan_contract){.promised = promised, .tolerance = tolerance, .recent = promised};
	if (!(promised > 0) || isinf(promised))
		return ft_fail(err, FT_EINVAL, "a predicted rate of %g", promised);
	if (!(tolerance >= 0) || isinf(tolerance))
		return ft_fail(err, FT_EINVAL, "a tolerance of %g", tolerance);
	return FT_OK;
}

enum ft_status ft_plan_revise(struct ft_plan_contract *contract, const struct ft_plan_progress *now,
			      struct ft_plan_revision *out, struct ft_err *err)
{
	*out = (struct ft_plan_revision){0};
	if (!(now->seconds >= 0) || !(now->rate >= 0) || !(now->other_rate >= 0) || !(now->remaining >= 0) ||
	    !(now->cost_s >= 0))
		return ft_fail(err, FT_EINVAL,
			       "progress that is negative or no number: %g s at %g, elsewhere %g, %g left, a "
			       "move of %g s",
			       now->seconds, now->rate, now->other_rate, now->remaining, now->cost_s);
	contract->recent = (1 - newest) * contract->recent + newest * now->rate;
	/* A single slow look is not believed, nor a single fast one. */
	contract->broken =
		(now->rate + contract->recent) / 2 < contract->promised / (1 + contract->tolerance);
	if (!contract->broken)
		contract->loss_s = 0;
	else if (now->other_rate > 0)
		contract->loss_s += now->seconds * fmax(0, 1 - now->rate / now->other_rate);
	out->loss_s = contract->loss_s;
	out->stay_s = now->remaining > 0 ? now->remaining / contract->recent : 0;
	out->move_s = now->remaining > 0 ? now->cost_s + now->remaining / now->other_rate : 0;
	out->broken = contract->broken;
	out->move = contract->broken && contract->loss_s >= now->cost_s && out->move_s < out->stay_s;
	return FT_OK;
}

/* ---- running pieces ---------------------------------------------------------------------------------- */

enum ft_status ft_plan_runner(struct ft_plan_runner *out, const char *label, double units, double time_s,
			      double upper_s, struct ft_err *err)
{
	*out = (struct ft_plan_runner){.label = label, .units = units};
	if (!(units > 0) || !(time_s > 0))
		return ft_fail(err, FT_EINVAL, "'%s' has a share of %g in %g s", label, units, time_s);
	return ft_plan_contract(&out->contract, units / time_s,
				upper_s > time_s ? upper_s / time_s - 1 : usual_tolerance, err);
}

enum ft_status ft_plan_look(struct ft_plan_runner *runner, size_t n, size_t own, double seconds, double done,
			    double cost_s, struct ft_err *err)
{
	struct ft_plan_runner *r = &runner[own];
	struct ft_plan_progress now = {.seconds = seconds - r->seen_s,
				       .rate = (done - r->done) / (seconds - r->seen_s),
				       .remaining = fmax(0, r->units - done),
				       .cost_s = cost_s};

	if (!(seconds > r->seen_s) || !(done >= r->done)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' goes back: after %g units in %g s come %g in %g s",
			      r->label, r->done, r->seen_s, done, seconds);
		return ft_remedy(err, "rows of a processor ascend in seconds, from its begin, and in units "
				      "done");
	}
	if (r->done >= r->units)
		return FT_OK;
	double best = INFINITY;

	for (size_t i = 0; i < n; i++) {
		const struct ft_plan_runner *other = &runner[i];
		double rate = fmin(other->contract.promised, other->contract.recent);
		double busy = fmax(0, (other->units - other->done) / rate - fmax(0, seconds - other->seen_s));

		if (i == own || !(busy + now.remaining / rate < best))
			continue;
		best = busy + now.remaining / rate;
		now.other_rate = rate;
		now.cost_s = cost_s + busy;
	}
	FT_TRY(ft_plan_revise(&r->contract, &now, &r->last, err));
	r->seen_s = seconds;
	r->done = done;
	r->looked = true;
	r->cost_s = now.cost_s;
	return FT_OK;
}
