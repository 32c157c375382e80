/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alone.c - estimates what a run would have taken on an idle machine. */
#include "facts/door.h"
#include "foretime/facts.h"

#include <math.h>

/* More than this at once is more than one task; run_delay_s and cpu_s are exact to 2 %. */
static const double one_task = 1.05;

double ft_fair_slow_down(double threads, double processors, double others)
{
	return fmax(1, (others + fmin(threads, processors)) / processors);
}

/* Tasks of other processes; NaN: not observed. */
static double slow_down_of(const struct ft_run *run, double threads)
{
	double others = ft_run_runnable(run);

	return run->processors > 0 && !isnan(others)
		       ? ft_fair_slow_down(threads, run->processors, fmax(0, others))
		       : (double)NAN;
}

/* The part of the time with a runnable task that was spent waiting for other processes; delay as measured. */
static double waited_for(const struct ft_run *run, double active, double delay, double want, double threads)
{
	double waited = active * delay / want, slow_down = slow_down_of(run, threads);

	if (threads <= one_task || isnan(slow_down))
		return waited;
	return fmin(waited, active * (1 - 1 / slow_down));
}

struct ft_alone ft_run_alone(const struct ft_run *run)
{
	double wall = ft_run_value(run, &ft_wall_s), cpu = ft_run_value(run, &ft_cpu_s),
	       delay = ft_run_value(run, &ft_run_delay_s), want = cpu + delay, waited, active;
	struct ft_alone alone = {wall, NAN, 1};

	if (!(wall > 0) || !(cpu > 0))
		return alone;
	if (delay >= 0) {
		active = fmin(wall, want);
		alone.threads = fmax(1, want / wall);
		waited = waited_for(run, active, delay, want, alone.threads);
	} else {
		alone.threads = fmax(1, cpu / wall);
		active = cpu / alone.threads;
		/* The same without a measured delay. */
		double slow_down = slow_down_of(run, alone.threads);

		waited = slow_down > 1 ? fmin(wall - active, active * (slow_down - 1)) : 0;
		active += waited;
	}
	alone.wall_s = wall - waited;
	if (run->processors > 0)
		alone.wall_s = fmin(wall, fmax(alone.wall_s, cpu / run->processors));
	alone.busy_s = fmax(0, fmin(alone.wall_s, active - (wall - alone.wall_s)));
	return alone;
}

double ft_run_idle_value(const struct ft_run *run, const struct ft_resource *resource)
{
	return resource != &ft_wall_s ? ft_run_value(run, resource) : ft_run_alone(run).wall_s;
}

double ft_run_limit(const struct ft_run *run, const struct ft_resource *resource)
{
	double limit = NAN;

	if (run->outcome == FT_TIMED_OUT && resource->of == FT_CLASS_TIME) {
		limit = ft_run_idle_value(run, resource);
		if (isnan(limit) && resource == &ft_wall_s)
			limit = run->asked_s;
	} else if (run->outcome == FT_OUT_OF_MEMORY &&
		   (resource == &ft_peak_rss_bytes || resource == &ft_peak_tree_bytes)) {
		limit = ft_run_value(run, resource);
		/* Memory is looked at now and then: what a run was given is what it reached. */
		if (run->asked_bytes > 0 && (!isnan(limit) || resource == &ft_peak_tree_bytes))
			limit = fmax(run->asked_bytes, limit); /* NaN loses */
	}
	return limit > 0 ? limit : (double)NAN;
}

double ft_runs_slow_down(const struct ft_runs *runs, double *others)
{
	double wall_s = 0, alone_s = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		double alone = ft_run_alone(run).wall_s, runnable = ft_run_runnable(run);

		if (run->outcome != FT_DONE || run->warmup || isnan(alone))
			continue;
		wall_s += ft_run_value(run, &ft_wall_s);
		alone_s += alone;
		if (!isnan(runnable)) {
			sum += fmax(0, runnable);
			n++;
		}
	}
	if (others)
		*others = n ? sum / (double)n : (double)NAN;
	return alone_s > 0 ? wall_s / alone_s : 1;
}

double ft_runs_wanted(const struct ft_runs *runs)
{
	double others;
	int processors = 0;

	for (size_t i = 0; i < runs->n && !processors; i++)
		processors = runs->run[i].processors;
	(void)ft_runs_slow_down(runs, &others);
	return processors > 0 && others > 0 ? others / processors : 0;
}
