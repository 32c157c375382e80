/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - predictions under background load. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

/* How long this moment is looked at, and for how long what was seen stands for it: whoever asks for many sizes
 * gets one moment. */
static const double NOW_S = 0.2;
enum { NOW_NS = 1000000000 };

static enum ft_status read_loads(const struct ft_answerer *a, struct ft_loads *loads, struct ft_err *err)
{
	return ft_store_get_load(a->store, a->machine.id, ft_clock_real_ns() - FT_LOAD_AGE_S * 1000000000LL,
				 loads, err);
}

static enum ft_status read_usual(struct ft_answerer *a, enum ft_sharing sharing, double share,
				 struct ft_err *err)
{
	struct ft_loads loads = {0};
	enum ft_status status = read_loads(a, &loads, err);

	if (!status)
		status = ft_load_usual(&a->load, &loads, sharing, share, err);
	ft_loads_clear(&loads);
	return status;
}

/* A load that stays as it is. */
static enum ft_status read_now(struct ft_answerer *a, enum ft_sharing sharing, struct ft_err *err)
{
	double load;
	int processors;

	if (!a->here || a->here != a->machine.id) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      "the load of '%s' cannot be seen from here, where the runs were not made",
			      a->machine.host ? a->machine.host : "another machine");
		(void)ft_remedy(err, "ask there, or with --load idle");
		return FT_EUNAVAIL;
	}
	FT_TRY(ft_load_now(NOW_S, sharing, &load, &processors, err));
	a->now_ns = ft_clock_ns();
	a->load = (struct ft_load_functions){.interval_s = NOW_S,
					     .processors = processors,
					     .least = ft_calloc(1, sizeof(double)),
					     .most = ft_calloc(1, sizeof(double)),
					     .n = 1};
	if (!a->load.least || !a->load.most) {
		ft_load_functions_clear(&a->load);
		return ft_nomem(err);
	}
	a->load.least[0] = load;
	a->load.most[0] = load;
	return FT_OK;
}

static enum ft_status get_functions(struct ft_answerer *a, double share, struct ft_err *err)
{
	bool now = a->beside.view == FT_LOAD_NOW;

	if (a->load.n && (now || a->load_share == share))
		return FT_OK;
	ft_load_functions_clear(&a->load);
	a->load_share = share;
	return now ? read_now(a, a->beside.sharing, err) : read_usual(a, a->beside.sharing, share, err);
}

/* The load of such a run at the requested hour; several moments use the same observations. */
static enum ft_status look_at_hour(struct ft_answerer *a, double busy_s, double threads, double confidence,
				   struct ft_load_outlook *outlook, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (a->beside.sharing != FT_SHARING_FAIR) {
		(void)ft_fail(err, FT_EINVAL, "a start time needs fair sharing, not --niced");
		return ft_remedy(err, "leave out --niced");
	}
	if (!a->loads.n)
		status = read_loads(a, &a->loads, err);
	if (!status && (!a->hours.n || a->hours_busy_s != busy_s || a->hours_threads != threads)) {
		ft_load_hours_clear(&a->hours);
		a->hours_busy_s = busy_s;
		a->hours_threads = threads;
		status = ft_load_hours_make(&a->hours, &a->loads, busy_s, threads, err);
	}
	if (status)
		return status;
	ft_load_hours_at(&a->hours, a->beside.at_ns, confidence, &a->told);
	a->load.processors = a->loads.load[a->loads.n - 1].processors;
	*outlook = (struct ft_load_outlook){{a->told.load, a->told.load}, {a->told.lower, a->told.upper}};
	return FT_OK;
}

/* ---- a run under load --------------------------------------------------------------------------------- */

static enum ft_status get_slow_downs(struct ft_answerer *a, struct ft_err *err)
{
	static const struct ft_runs none;

	if (a->slow_downs.run)
		return FT_OK;
	FT_TRY(ft__ask_read_whole(a, err));
	/* Slowdowns of runs here do not apply to another machine. */
	return ft_slow_downs_make(&a->slow_downs, a->elsewhere ? &none : &a->runs, err);
}

/* The part of a typical time spent on processors: all of it if that was not measured. threads: in, 0: not
 * given; out */
static enum ft_status find_busy(struct ft_answerer *a, const struct ft_size *size, double confidence,
				double wall_s, double *threads, double *busy_s, struct ft_err *err)
{
	struct ft_prediction cpu = {0};
	enum ft_status status = ft_ask_predict(a, &ft_cpu_s, size, confidence, &cpu, NULL);

	*busy_s = wall_s;
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (!(*threads > 0))
		*threads =
			a->elsewhere && cpu.value > 0 ? fmax(1, cpu.value / wall_s) : a->slow_downs.threads;
	if (!status && cpu.value > 0)
		*busy_s = fmin(wall_s, cpu.value / *threads);
	return FT_OK;
}

static void meet_load(const struct ft_answerer *answerer, struct ft_prediction *p, double confidence,
		      double busy_s, const struct ft_load_outlook *outlook)
{
	double then = ft_runs_wanted(&answerer->runs),
	       now = (outlook->load[0] + outlook->load[1]) / 2 / answerer->load.processors;
	struct ft_load_meeting meeting = {
		.value = p->value,
		.lower = p->lower,
		.upper = p->upper,
		.confidence = confidence,
		.busy_s = busy_s,
		.slow_down = {outlook->slow_down[0], outlook->slow_down[1]},
		.session = {ft_load_session(then), ft_load_session(fmax(then, now))}};
	double met[3];

	ft_load_meet(&answerer->slow_downs, &meeting, met);
	p->value = met[0];
	p->known = NAN; /* for this load, not known */
	p->lower = met[1];
	p->upper = met[2];
}

void ft_ask_under(struct ft_answerer *answerer, const struct ft_ask_load *load)
{
	const struct ft_ask_load *now = &answerer->beside;

	/* A month of recorded load takes a third of a second to sort: the same question again keeps it. */
	if (load->view == now->view && load->sharing == now->sharing && load->threads == now->threads &&
	    load->at_ns == now->at_ns &&
	    (load->view != FT_LOAD_NOW || ft_clock_ns() - answerer->now_ns < NOW_NS))
		return;
	ft_load_functions_clear(&answerer->load);
	answerer->beside = *load;
}

const struct ft_load_answer_hour *ft_ask_hour(const struct ft_answerer *answerer)
{
	return answerer->told.days ? &answerer->told : NULL;
}

bool ft_ask_hours_worth(const struct ft_answerer *answerer, struct ft_load_worth *out)
{
	return answerer->hours.n && ft_load_hours_worth(&answerer->hours, out);
}

enum ft_status ft__ask_beside(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	double threads = answerer->beside.threads, busy_s = 0;
	struct ft_load_outlook outlook;

	if (answerer->beside.view == FT_LOAD_IDLE || resource != &ft_wall_s || !(out->value > 0))
		return FT_OK;
	enum ft_status status =
		answerer->beside.view == FT_LOAD_AT ? FT_OK : get_functions(answerer, confidence, err);
	if (!status)
		status = get_slow_downs(answerer, err);
	if (!status)
		status = find_busy(answerer, size, confidence, out->value, &threads, &busy_s, err);
	if (status)
		return status;
	if (answerer->beside.view != FT_LOAD_AT)
		ft_load_predict(&answerer->load, busy_s, threads, answerer->beside.sharing, &outlook);
	else if ((status = look_at_hour(answerer, busy_s, threads, confidence, &outlook, err)) != FT_OK)
		return status;
	if (answerer->beside.sharing == FT_SHARING_FAIR && out->lower > 0)
		meet_load(answerer, out, confidence, busy_s, &outlook);
	else {
		/* For a niced run when the background load leaves nothing, or when sharing is not fair, slowdowns of past
		 * runs do not apply. */
		double least = 1 + busy_s / out->value * (outlook.slow_down[0] - 1),
		       most = 1 + busy_s / out->value * (outlook.slow_down[1] - 1);

		out->lower *= least;
		out->upper *= most;
		out->value *= 2 / (1 / least + 1 / most);
		out->known = NAN;
	}
	return FT_OK;
}
