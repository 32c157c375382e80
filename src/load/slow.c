/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow.c - how much longer runs take under background load than by fair sharing, learned from runs. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/load.h"
#include "load/door.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Processors left that count as none: rounding leaves as many. */
static const double none = 1e-9;

enum { RUNS_MOST = 200, NODES = 9, PRIOR_NODES = 7 };

/* doc/constants-answers.md has what chose them. How near runs are: these in ln length, and in the share that
 * they get of a processor, make their weight 1 / e. */
static const double near_length = 0.75, near_share = 0.1;

/* The prior of slowdowns: their deviation relative to the loss by sharing, with the weight of this many
 * runs. */
static const double prior_deviation = 0.4, prior_runs = 0.5;

/* The variation of times and energies between sessions, equal at all sizes; and under full load: sharing
 * of other resources, which waiting times do not show. */
static const double other_session = 0.025, busy_session = 0.2;

double ft_load_session(double wanted)
{
	return hypot(other_session, busy_session * fmin(1, wanted));
}

/* ---- learning ---------------------------------------------------------------------------------------- */

static bool get_slow_down(const struct ft_run *run, struct ft_slow_down *out)
{
	struct ft_alone alone = ft_run_alone(run);
	double others = ft_run_runnable(run), wall_s = ft_run_value(run, &ft_wall_s);

	if (run->outcome != FT_DONE || run->warmup || isnan(others) || run->processors < 1 ||
	    isnan(ft_run_value(run, &ft_run_delay_s)) || !(alone.busy_s > 0))
		return false;
	out->ln_busy = log(alone.busy_s);
	out->ln_fair = log(ft_fair_slow_down(alone.threads, run->processors, fmax(0, others)));
	out->off = log((alone.busy_s + wall_s - alone.wall_s) / alone.busy_s) - out->ln_fair;
	return true;
}

enum ft_status ft_slow_downs_make(struct ft_slow_downs *out, const struct ft_runs *runs, struct ft_err *err)
{
	double *scratch = ft_calloc(runs->n + 1, sizeof *scratch);

	*out = (struct ft_slow_downs){.run = ft_calloc(RUNS_MOST, sizeof *out->run), .threads = 1};
	if (!out->run || !scratch) {
		ft_free(scratch);
		ft_slow_downs_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = runs->n; i-- > 0 && out->n < RUNS_MOST;)
		out->n += get_slow_down(&runs->run[i], &out->run[out->n]);
	/* Waiting makes tasks look more parallel: use runs without waiting, if there are any. */
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome == FT_DONE && !run->warmup && ft_run_value(run, &ft_cpu_s) > 0)
			scratch[n++] = fmax(1, ft_run_value(run, &ft_cpu_s) / ft_run_alone(run).wall_s);
	}
	out->threads = n ? ft_stats_median(scratch, n) : 1;
	ft_free(scratch);
	return FT_OK;
}

void ft_slow_downs_clear(struct ft_slow_downs *slow_downs)
{
	if (!slow_downs)
		return;
	ft_free(slow_downs->run);
	*slow_downs = (struct ft_slow_downs){0};
}

/* ---- a run that meets a load -------------------------------------------------------------------------- */

/* The i-th of n nodes of equal probability. */
static double node(size_t i, size_t n)
{
	return ft_normal_quantile(((double)i + 0.5) / (double)n);
}

struct slow_weighed {
	double off, weight;
};

/* The distribution of similar slowdowns; offs [RUNS_MOST + PRIOR_NODES] out. Returns their number. */
static size_t weigh_alike(const struct ft_slow_downs *slow_downs, double ln_busy, double ln_fair,
			  struct slow_weighed *offs)
{
	double deviation = prior_deviation * (1 - exp(-ln_fair));
	size_t n = 0;

	for (size_t i = 0; i < slow_downs->n; i++) {
		const struct ft_slow_down *run = &slow_downs->run[i];
		double apart = fabs(run->ln_busy - ln_busy) / near_length +
			       fabs(exp(-run->ln_fair) - exp(-ln_fair)) / near_share;

		offs[n++] = (struct slow_weighed){run->off, exp(-apart)};
	}
	for (size_t i = 0; i < PRIOR_NODES; i++)
		offs[n++] = (struct slow_weighed){deviation * node(i, PRIOR_NODES), prior_runs / PRIOR_NODES};
	return n;
}

static int compare_offs(const void *p, const void *q)
{
	const struct slow_weighed *a = p, *b = q;

	return (a->off > b->off) - (a->off < b->off);
}

/* Nodes of equal probability of weighed values, which are sorted. */
static void condense(struct slow_weighed *offs, size_t n, double *out)
{
	double total = 0, below = 0;
	size_t k = 0;

	qsort(offs, n, sizeof *offs, compare_offs);
	for (size_t i = 0; i < n; i++)
		total += offs[i].weight;
	for (size_t i = 0; i < n; i++) {
		below += offs[i].weight;
		while (k < NODES && below >= ((double)k + 0.5) / NODES * total)
			out[k++] = offs[i].off;
	}
	for (; k < NODES; k++)
		out[k] = offs[n - 1].off;
}

/* The share of the time spent on processors, with the usual slowdown: sessions differ only in that. */
static double busy_share(const struct ft_load_meeting *m)
{
	double busy_s = m->busy_s * sqrt(m->slow_down[0] * m->slow_down[1]);

	return busy_s / (m->value - m->busy_s + busy_s);
}

void ft_load_meet(const struct ft_slow_downs *slow_downs, const struct ft_load_meeting *m, double out[3])
{
	double wide = ft_normal_quantile((1 + m->confidence) / 2), blocked_s = m->value - m->busy_s,
	       of_busy = wide * busy_share(m),
	       below = hypot(log(m->value / m->lower), of_busy * m->session[0]),
	       above = hypot(log(m->upper / m->value), of_busy * m->session[1]),
	       ln_least = log(m->slow_down[0]), ln_most = log(m->slow_down[1]), off[NODES],
	       time[NODES * NODES * NODES];
	struct slow_weighed offs[RUNS_MOST + PRIOR_NODES];
	size_t n = 0;

	condense(offs, weigh_alike(slow_downs, log(fmax(m->busy_s, 1e-9)), (ln_least + ln_most) / 2, offs),
		 off);
	for (size_t i = 0; i < NODES; i++) {
		double z = node(i, NODES) / wide, scatter = exp(z * (z < 0 ? below : above));

		for (size_t j = 0; j < NODES; j++) {
			double fair =
				(ln_least + ln_most) / 2 + node(j, NODES) / wide * (ln_most - ln_least) / 2;

			for (size_t k = 0; k < NODES; k++)
				time[n++] = scatter * (blocked_s + m->busy_s * exp(fmax(0, fair + off[k])));
		}
	}
	out[0] = ft_stats_median(time, n);
	out[1] = ft_stats_quantile(time, n, (1 - m->confidence) / 2);
	out[2] = ft_stats_quantile(time, n, (1 + m->confidence) / 2);
}

double ft_load_slow_down(enum ft_sharing sharing, double threads, double processors, double load)
{
	double k = fmin(threads, processors), left = processors - load;

	assert(threads > 0 && processors >= 1 && load >= 0);
	if (sharing == FT_SHARING_FAIR)
		return ft_fair_slow_down(k, processors, load);
	return left > none ? k / fmin(k, left) : INFINITY;
}
