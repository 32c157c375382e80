/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revise.c - stay or move, when a run is slower than was promised: pay the loss until it is as large as a
 * move. */
#include "foretime/plan.h"

#include <math.h>

/* How much of the newest rate is in the recent one. */
static const double newest = 0.3;

enum ft_status ft_plan_contract(struct ft_plan_contract *out, double promised, double tolerance,
				struct ft_err *err)
{
	*out = (struct ft_plan_contract){.promised = promised, .tolerance = tolerance, .recent = promised};
	if (!(promised > 0) || isinf(promised))
		return ft_fail(err, FT_EINVAL, "a promised rate of %g", promised);
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
