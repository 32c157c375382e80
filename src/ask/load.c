/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - predictions while others use the machine. */
#include "ask/ask.h"
#include "base/alloc.h"

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

/* What of the wall time is spent on processors, by how many at once; all of it where nobody measured that. */
static enum ft_status time_on_processors(struct ft_answerer *a, const struct ft_size *size, double confidence,
					 double wall_s, double *busy_s, double *threads, struct ft_err *err)
{
	struct ft_prediction cpu;
	struct ft_err unknown = {0};
	enum ft_status status = ft_ask_predict(a, "cpu_s", size, confidence, &cpu, &unknown);

	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || !(cpu.value > 0)) {
		*threads = *threads > 0 ? *threads : 1;
		*busy_s = wall_s;
		return FT_OK;
	}
	if (!(*threads > 0))
		*threads = fmax(1, cpu.value / wall_s);
	*busy_s = fmin(wall_s, cpu.value / *threads);
	return FT_OK;
}

/* Only the time on processors is stretched. */
static double stretch(double wall_s, double busy_s, double slow_down)
{
	return (wall_s - busy_s + busy_s * slow_down) / wall_s;
}

enum ft_status ft_ask_predict_loaded(struct ft_answerer *answerer, const char *resource,
				     const struct ft_size *size, double confidence,
				     const struct ft_ask_load *load, struct ft_prediction *out,
				     struct ft_load_outlook *outlook, struct ft_err *err)
{
	struct ft_load_outlook found = {.slow_down = {1, 1}};
	double threads = load->threads, busy_s, least, most;
	enum ft_status status = ft_ask_predict(answerer, resource, size, confidence, out, err);

	if (outlook)
		*outlook = found;
	if (status || load->view == FT_LOAD_IDLE || strcmp(resource, "wall_s") != 0 || !(out->value > 0))
		return status;
	status = get_functions(answerer, load, confidence, err);
	if (!status)
		status = time_on_processors(answerer, size, confidence, out->value, &busy_s, &threads, err);
	if (status) {
		*out = (struct ft_prediction){0};
		return status;
	}
	ft_load_predict(&answerer->load, busy_s, threads, load->sharing, &found);
	least = stretch(out->value, busy_s, found.slow_down[0]);
	most = stretch(out->value, busy_s, found.slow_down[1]);
	out->lower *= least;
	out->upper *= most;
	out->value *= 2 / (1 / least + 1 / most);
	if (outlook)
		*outlook = found;
	return FT_OK;
}
