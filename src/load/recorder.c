/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorder.c - the load of others between two looks at /proc. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/queue.h"
#include "foretime/load.h"
#include "load/stat.h"

#include <math.h>
#include <unistd.h>

struct ft_load_recorder {
	char *root;
	bool children;
	struct ft__load_stat stat; /* at the last look */
	double own, waited_s;
	int64_t looked_ns; /* monotonic */
	/* since then */
	size_t looks, crowded;    /* crowded: that found somebody waiting */
	double runnable, waiting; /* sums, of others */
};

static enum ft_status read_load(const struct ft_load_recorder *recorder, struct ft__load_stat *stat,
				double *own, struct ft_err *err)
{
	char *text = ft__load_slurp(recorder->root, "stat");
	bool good = text && ft__load_stat_parse(text, stat);

	ft_free(text);
	if (!good) {
		(void)ft_fail(err, FT_EUNAVAIL, "'%s/proc/stat' does not count processor time",
			      recorder->root);
		(void)ft_remedy(err, "the background load cannot be measured here: predict with --load idle");
		return FT_EUNAVAIL;
	}
	if (ft__load_own(recorder->root, recorder->children, own))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "'%s/proc/self' does not report the processor time of our %s",
		      recorder->root, recorder->children ? "processes" : "process");
	(void)ft_remedy(err, "record it with 'foretime machine load record' during other work");
	return FT_EUNAVAIL;
}

enum ft_status ft_load_recorder_open(struct ft_load_recorder **out, const char *root, bool children,
				     struct ft_err *err)
{
	struct ft_load_recorder *recorder = ft_calloc(1, sizeof *recorder);
	struct ft__queue queue;

	*out = NULL;
	if (!recorder)
		return ft_nomem(err);
	ft__queue_read(root, &queue);
	recorder->waited_s = queue.waited_s;
	recorder->root = ft_strdup(root);
	recorder->children = children;
	recorder->looked_ns = ft_clock_ns();
	enum ft_status status =
		recorder->root ? read_load(recorder, &recorder->stat, &recorder->own, err) : ft_nomem(err);
	if (status)
		ft_load_recorder_close(recorder);
	else
		*out = recorder;
	return status;
}

void ft_load_recorder_close(struct ft_load_recorder *recorder)
{
	if (!recorder)
		return;
	ft_free(recorder->root);
	ft_free(recorder);
}

double ft_load_recorder_elapsed(const struct ft_load_recorder *recorder)
{
	return (double)(ft_clock_ns() - recorder->looked_ns) / 1e9;
}

/* A recorded /proc has its own time: that of its ticks. */
static double interval(const struct ft_load_recorder *recorder, const struct ft__load_stat *now,
		       int64_t now_ns)
{
	if (!*recorder->root)
		return (double)(now_ns - recorder->looked_ns) / 1e9;
	return (now->all - recorder->stat.all) / now->processors / (double)sysconf(_SC_CLK_TCK);
}

/* Whoever is runnable beyond the processors waits; we that look do not count. */
static void add_look(struct ft_load_recorder *recorder, const struct ft__queue *queue)
{
	double others = queue->runnable - 1, waiting = others - recorder->stat.processors;

	if (isnan(others))
		return;
	recorder->looks++;
	recorder->runnable += others;
	if (waiting > 0) {
		recorder->crowded++;
		recorder->waiting += waiting;
	}
}

void ft_load_recorder_look(struct ft_load_recorder *recorder)
{
	struct ft__queue queue;

	ft__queue_read(recorder->root, &queue);
	add_look(recorder, &queue);
}

/* What others wanted beyond what they kept busy. Looks are few: for how long somebody waited the kernel knows
 * better, how many did they alone. */
static double count_waiting(const struct ft_load_recorder *recorder, const struct ft_load *load,
			    double pressure)
{
	double looks = (double)recorder->looks, crowded = (double)recorder->crowded;

	if (!recorder->looks)
		return recorder->children || isnan(pressure) ? 0 : pressure;
	if (recorder->children)
		return (isnan(pressure) ? 1 : pressure) *
		       fmax(0, recorder->runnable / looks + load->steal - load->busy);
	return (isnan(pressure) ? crowded / looks : pressure) *
	       (recorder->crowded ? recorder->waiting / crowded : 1);
}

enum ft_status ft_load_recorder_read(struct ft_load_recorder *recorder, struct ft_load *out,
				     struct ft_err *err)
{
	int64_t now_ns = ft_clock_ns();
	struct ft__load_stat now;
	struct ft__queue queue;
	double own;

	*out = (struct ft_load){0};
	FT_TRY(read_load(recorder, &now, &own, err));
	if (!ft__load_stat_between(&recorder->stat, &now, fmax(0, own - recorder->own), out))
		return ft_fail(err, FT_EEND, "no tick of the clock has passed");
	out->interval_s = interval(recorder, &now, now_ns);
	out->started_ns = ft_clock_real_ns() - (int64_t)(out->interval_s * 1e9);
	ft__queue_read(recorder->root, &queue);
	add_look(recorder, &queue);
	out->load = out->busy +
		    count_waiting(recorder, out,
				  ft__queue_pressure(recorder->waited_s, queue.waited_s, out->interval_s));
	recorder->stat = now;
	recorder->own = own;
	recorder->waited_s = queue.waited_s;
	recorder->looked_ns = now_ns;
	recorder->looks = recorder->crowded = 0;
	recorder->runnable = recorder->waiting = 0;
	return FT_OK;
}
