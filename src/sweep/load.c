/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - a sweep and the load of others: observed between its runs, and used in the builder's cuts.
 *
 * An observation reaches from one moment between two runs to another, so that all that our processes used is
 * counted by then. */
#include "sweep/sweep.h"
#include "base/clock.h"

#include <math.h>

/* Shorter observations are coarse, for the clock's ticks are. */
static const double LAST_LEAST_S = 1;

static int64_t month_ago_ns(void)
{
	return ft_clock_real_ns() - FT_LOAD_AGE_S * 1000000000LL;
}

/* Too little history is as none: the machine counts as idle. */
static enum ft_status read_history(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_loads loads = {0};
	enum ft_status status =
		ft_store_get_load(sweep->store, sweep->machine->id, month_ago_ns(), &loads, err);

	if (!status)
		status = ft_load_usual(&sweep->load, &loads, sweep->options.sharing,
				       sweep->options.confidence, err);
	ft_loads_clear(&loads);
	return status == FT_ENOMODEL ? FT_OK : status;
}

enum ft_status ft__load_begin(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!ft__is_here(sweep))
		return FT_OK;
	if (sweep->options.load == FT_LOAD_USUAL)
		status = read_history(sweep, err);
	if (!status)
		status = ft_load_recorder_open(&sweep->recorder, "", true, err);
	return status == FT_EUNAVAIL ? FT_OK : status;
}

/* What cannot be stored is not worth a sweep: whatever is wrong with the store, the next run tells. */
void ft__load_observe(struct ft_sweep *sweep, bool last)
{
	struct ft_load load;

	if (!sweep->recorder)
		return;
	ft_load_recorder_look(sweep->recorder);
	if (ft_load_recorder_elapsed(sweep->recorder) < (last ? LAST_LEAST_S : (double)FT_LOAD_INTERVAL_S) ||
	    ft_load_recorder_read(sweep->recorder, &load, NULL))
		return;
	load.by_sweep = true;
	(void)ft_store_add_load(sweep->store, sweep->machine->id, &load, NULL);
}

void ft__load_end(struct ft_sweep *sweep)
{
	ft__load_observe(sweep, true);
	ft_load_recorder_close(sweep->recorder);
	sweep->recorder = NULL;
	ft_load_functions_clear(&sweep->load);
}

/* So many runs, and as much longer than alone all together. */
enum { HINDERED_LEAST = 5 };
static const double hindered_by = 1.15;

void ft__hindrance_add(struct ft_sweep *sweep, const struct ft_run *run)
{
	double alone_s = ft_run_alone(run).wall_s, others = ft_run_runnable(run);

	if (run->outcome != FT_DONE || isnan(alone_s) || isnan(others))
		return;
	sweep->hindered_s += ft_run_value(run, &ft_wall_s);
	sweep->alone_s += alone_s;
	sweep->others += fmax(0, others);
	sweep->processors = run->processors;
	sweep->n_hindered++;
}

struct ft_hindrance ft__hindrance(const struct ft_sweep *sweep)
{
	struct ft_hindrance h = {.slow_down = 1, .others = NAN, .processors = sweep->processors};

	if (!sweep->n_hindered)
		return h;
	h.slow_down = sweep->hindered_s / sweep->alone_s;
	h.others = sweep->others / (double)sweep->n_hindered;
	h.busy = sweep->n_hindered >= HINDERED_LEAST && h.slow_down >= hindered_by;
	return h;
}

/* 000 section 2.2: the ideal time is the processor time; of each of k threads where there are several. */
void ft__load_at(void *ctx, const struct ft_size *size, double seconds, double load[2])
{
	const struct ft_sweep *sweep = ctx;
	struct ft_load_outlook outlook;
	double threads = sweep->options.threads, ideal = seconds;

	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		const struct ft__tally *place = &sweep->place[i];

		if (!ft_size_equal(&sweep->report.size[i].size, size) || !place->n_cpu)
			continue;
		if (!(threads > 0))
			threads = fmax(1, place->cpu_s / place->wall_s);
		ideal = place->cpu_s / (double)place->n_cpu / threads;
	}
	ft_load_predict(&sweep->load, ideal, threads > 0 ? threads : 1, sweep->options.sharing, &outlook);
	for (size_t i = 0; i < 2; i++)
		load[i] = ft_load_of_slow_down(outlook.slow_down[i]);
}
