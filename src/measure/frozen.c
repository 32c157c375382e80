/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frozen.c - how long a run stood still, because somebody made us and all that we started do so. */
#include "measure/frozen.h"
#include "base/clock.h"
#include "measure/probes.h"

/* The next that was told; 0: there is no more. */
static double next_s(const struct ft__still *still)
{
	const struct ft__frozen *frozen = still->frozen;

	return frozen && frozen->heard_s ? frozen->heard_s(frozen->ctx) : 0;
}

void ft__still_begin(struct ft__still *still, const struct ft__frozen *frozen)
{
	*still = (struct ft__still){.frozen = frozen};
	while (next_s(still) > 0)
		continue;
	still->began_s = ft_clock_s();
}

/* It is told before we go on, so it ended just now: one that is longer than the run has lasted was over
 * before the run began. */
void ft__still_hear(struct ft__still *still)
{
	double seconds;

	while ((seconds = next_s(still)) > 0)
		if (seconds <= ft_clock_s() - still->began_s)
			still->stood_s += seconds;
}

/* One that began when the program had ended already is none of the run's. */
void ft__still_end(struct ft__still *still, double wall_s)
{
	double seconds;

	while ((seconds = next_s(still)) > 0) {
		double since_s = ft_clock_s() - still->began_s;
		if (seconds <= since_s && since_s - seconds < wall_s)
			still->stood_s += seconds;
	}
}

bool ft__still_over(const struct ft__still *still, double limit_s)
{
	return limit_s > 0 && ft_clock_s() - still->began_s - still->stood_s >= limit_s;
}

/* ---- the probe ---------------------------------------------------------------------------------------- */

/* Of a run that never stood still it says nothing. */
static enum ft_status read_frozen(void *state, const struct ft__result *result, struct ft_run *run,
				  struct ft_err *err)
{
	(void)state;
	if (!(result->answer->frozen_s > 0))
		return FT_OK;
	return ft__add_measured(run, &ft_frozen_s, result->answer->frozen_s, "freeze", err);
}

const struct ft__probe_ops ft__freeze_probe = {.read = read_frozen, .read_routine = read_frozen};
