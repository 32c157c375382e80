/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revise.c - stay or move, when a run is slower than was promised: pay the loss until it is as large as a
 * move. */
#include "foretime/revise.h"

#include <math.h>

/* How much of the newest rate is in the recent one. */
static const double newest = 0.3;

/* How much slower than planned is no breach, where the plan has no interval. */
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

/* ---- who runs at once ---------------------------------------------------------------------------------- */

enum ft_status ft_plan_runner(struct ft_plan_runner *out, const char *label, double units, double time_s,
			      double upper_s, struct ft_err *err)
{
	*out = (struct ft_plan_runner){.label = label, .units = units};
	if (!(units > 0) || !(time_s > 0))
		return ft_fail(err, FT_EINVAL, "'%s' has a share of %g in %g s", label, units, time_s);
	return ft_plan_contract(&out->contract, units / time_s,
				upper_s > time_s ? upper_s / time_s - 1 : usual_tolerance, err);
}

static void find_other_place(const struct ft_plan_runner *runner, size_t n, size_t own, double seconds,
			     double cost_s, struct ft_plan_progress *now)
{
	double best = INFINITY;

	for (size_t i = 0; i < n; i++) {
		const struct ft_plan_runner *r = &runner[i];
		double rate = fmin(r->contract.promised, r->contract.recent);
		double busy = fmax(0, (r->units - r->done) / rate - fmax(0, seconds - r->seen_s));

		if (i == own || !(busy + now->remaining / rate < best))
			continue;
		best = busy + now->remaining / rate;
		now->other_rate = rate;
		now->cost_s = cost_s + busy;
	}
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
	find_other_place(runner, n, own, seconds, cost_s, &now);
	FT_TRY(ft_plan_revise(&r->contract, &now, &r->last, err));
	r->seen_s = seconds;
	r->done = done;
	r->looked = true;
	r->cost_s = now.cost_s;
	return FT_OK;
}
