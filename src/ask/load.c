/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - predictions while others use the machine. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* How long this moment lasts. */
static const double NOW_S = 0.2;

static enum ft_status read_usual(struct ft_answerer *a, enum ft_sharing sharing, double share,
				 struct ft_err *err)
{
	struct ft_loads loads = {0};
	struct timespec now;
	enum ft_status status;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	status = ft_store_get_load(a->store, a->machine.id,
				   ((int64_t)now.tv_sec - FT_LOAD_AGE_S) * 1000000000, &loads, err);
	if (!status)
		status = ft_load_usual(&a->load, &loads, sharing, share, err);
	ft_loads_clear(&loads);
	return status;
}

/* A load that stays as it is. */
static enum ft_status read_now(struct ft_answerer *a, enum ft_sharing sharing, struct ft_err *err)
{
	double load[2];
	int processors;
	enum ft_status status;

	if (!a->here || a->here != a->machine.id) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      "the load of '%s' cannot be seen from here, where the runs were not made",
			      a->machine.host ? a->machine.host : "another machine");
		(void)ft_remedy(err, "ask there, or with --load idle");
		return FT_EUNAVAIL;
	}
	status = ft_load_now(NOW_S, sharing, load, &processors, err);
	if (status)
		return status;
	a->load = (struct ft_load_functions){.interval_s = NOW_S,
					     .processors = processors,
					     .least = ft_calloc(1, sizeof(double)),
					     .most = ft_calloc(1, sizeof(double)),
					     .n = 1};
	if (!a->load.least || !a->load.most) {
		ft_load_functions_clear(&a->load);
		return ft_nomem(err);
	}
	a->load.least[0] = load[0];
	a->load.most[0] = load[1];
	return FT_OK;
}

static enum ft_status get_functions(struct ft_answerer *a, const struct ft_ask_load *load, double share,
				    struct ft_err *err)
{
	bool now = load->view == FT_LOAD_NOW;

	if (a->load.n && a->load_view == load->view && a->load_sharing == load->sharing &&
	    (now || a->load_share == share))
		return FT_OK;
	ft_load_functions_clear(&a->load);
	a->load_view = load->view;
	a->load_sharing = load->sharing;
	a->load_share = share;
	return now ? read_now(a, load->sharing, err) : read_usual(a, load->sharing, share, err);
}

/* ---- without others ------------------------------------------------------------------------------------ */

/* A run when nobody else is there. */
struct alone {
	double wall_s, busy_s; /* busy_s: of these, on processors */
	double threads;        /* so many at once */
};

/* By what others slowed the runs while they were measured: the median of those that know who wanted a
 * processor. 1 where most do not, and where a prediction is not made of these runs' times. */
static double slowed_by(const struct ft_answerer *a, double threads, double *scratch)
{
	size_t i, all = 0, n = 0;

	for (i = 0; i < a->runs.n && !a->elsewhere; i++) {
		const struct ft_run *run = &a->runs.run[i];
		double runnable = ft_run_runnable(run);

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		all++;
		if (run->processors && !isnan(runnable))
			scratch[n++] = ft_load_slow_down(FT_SHARING_FAIR, threads, run->processors, runnable);
	}
	return n && 2 * n >= all ? ft_stats_median(scratch, n) : 1;
}

/* What of a wall time that was measured is spent on processors, and what is left of it without the waiting
 * that the others of that time explain: they would count twice. All of it is on processors where nobody
 * measured that. Threads that waited look like fewer: they are told from the time without the waiting. */
static void leave_alone(const struct ft_answerer *a, double wall_s, double cpu_s, double *scratch,
			struct alone *out)
{
	double slowed;

	if (!(out->threads > 0))
		out->threads = fmax(1, cpu_s / wall_s); /* NaN loses */
	slowed = slowed_by(a, out->threads, scratch);
	out->busy_s = isnan(cpu_s) ? wall_s / slowed : fmin(wall_s, cpu_s / out->threads);
	out->wall_s = fmax(out->busy_s, wall_s - out->busy_s * (slowed - 1));
}

/* Whether runs of any number of threads met nobody. */
static bool were_alone(const struct ft_answerer *a, double *scratch)
{
	return slowed_by(a, INFINITY, scratch) <= 1;
}

/* idle: nothing but the waiting is asked for, and the processor time only where there was some. */
static enum ft_status find_alone(struct ft_answerer *a, const struct ft_size *size, double confidence,
				 double wall_s, bool idle, struct alone *out, struct ft_err *err)
{
	double *scratch = ft_calloc(a->runs.n + 1, sizeof *scratch);
	struct ft_prediction cpu = {0};
	struct ft_err unknown = {0};
	enum ft_status status = scratch ? FT_OK : ft_nomem(err);

	if (!status && idle && were_alone(a, scratch)) {
		out->wall_s = out->busy_s = wall_s;
	} else if (!status) {
		status = ft_ask_predict(a, "cpu_s", size, confidence, &cpu, &unknown);
		if (status != FT_ENOMEM)
			leave_alone(a, wall_s, status || !(cpu.value > 0) ? (double)NAN : cpu.value, scratch,
				    out);
		status = status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
	}
	ft_free(scratch);
	return status;
}

/* ---- with them ------------------------------------------------------------------------------------------
 */

/* Only the time on processors is stretched. */
static double stretch(const struct alone *alone, double slow_down)
{
	return alone->wall_s - alone->busy_s + alone->busy_s * slow_down;
}

enum ft_status ft_ask_predict_loaded(struct ft_answerer *answerer, const char *resource,
				     const struct ft_size *size, double confidence,
				     const struct ft_ask_load *load, struct ft_prediction *out,
				     struct ft_load_outlook *outlook, struct ft_err *err)
{
	struct ft_load_outlook found = {.slow_down = {1, 1}};
	struct alone alone = {.threads = load->threads};
	bool idle = load->view == FT_LOAD_IDLE;
	double least, most;
	enum ft_status status = ft_ask_predict(answerer, resource, size, confidence, out, err);

	if (outlook)
		*outlook = found;
	if (status || strcmp(resource, "wall_s") != 0 || !(out->value > 0))
		return status;
	if (!idle)
		status = get_functions(answerer, load, confidence, err);
	if (!status)
		status = find_alone(answerer, size, confidence, out->value, idle, &alone, err);
	if (status) {
		*out = (struct ft_prediction){0};
		return status;
	}
	if (!idle)
		ft_load_predict(&answerer->load, alone.busy_s, alone.threads, load->sharing, &found);
	least = stretch(&alone, found.slow_down[0]) / out->value;
	most = stretch(&alone, found.slow_down[1]) / out->value;
	out->lower *= least;
	out->upper *= most;
	out->value *= 2 / (1 / least + 1 / most);
	if (outlook)
		*outlook = found;
	return FT_OK;
}
