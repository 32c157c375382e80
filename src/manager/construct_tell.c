/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct_tell.c - how construction stands. */
#include "manager/construct_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "manager/day.h"
#include "manager/metrics.h"

bool ft__construct_over(const struct ft__construct *c, size_t *failed)
{
	bool over = c->work == FT__WORK_NONE;
	size_t i;

	for (i = 0, *failed = 0; i < c->n; i++) {
		over = over && !c->problem[i].left;
		*failed += c->problem[i].failures > 0;
	}
	return over;
}

bool ft__construct_quiet(const struct ft__construct *c)
{
	return c->work == FT__WORK_NONE || ft__scope_frozen(c->scope);
}

static const char *state_text(const struct ft__construct *c)
{
	static const char *const words[] = {"waits", "begins", "begins", "runs", "ends", "runs", "ends"};

	return c->ending ? "ends" : c->frozen ? "frozen" : words[c->work];
}

static const char *state_of(const struct ft__construct *c, size_t i)
{
	const struct ft__problem *p = &c->problem[i];

	if (c->work && c->which == i)
		return state_text(c);
	if (p->left && p->stopped)
		return "stopped";
	return !p->left ? p->failures ? "failed" : "done" : c->stand[i].backs_off_s > 0 ? "failed" : "waits";
}

static const char *why_not(const struct ft__construct *c, size_t i)
{
	const struct ft__problem *p = &c->problem[i];

	if (p->failures && !p->stopped)
		return p->fault.text;
	if (!p->left || (c->work && c->which == i && !c->frozen))
		return NULL;
	return c->stand[i].judged.say == FT_SAY_START ? "it is not its turn" : c->stand[i].judged.why;
}

static struct ft_told_queued queued_told(const struct ft__construct *c, size_t i)
{
	const struct ft__problem *p = &c->problem[i];
	double again_s = c->stand[i].backs_off_s;

	return (struct ft_told_queued){.name = p->told->program.name,
				       .state = state_of(c, i),
				       .why = why_not(c, i),
				       .next = *p->heard.next ? p->heard.next : NULL,
				       .priority = p->told->priority,
				       .complete = p->queued.complete,
				       .gain = p->queued.gain,
				       .seconds = p->queued.seconds,
				       .asked = p->queued.asked,
				       .again_s = again_s > 0 ? again_s : NAN,
				       .runs = p->runs,
				       .interrupted = p->queued.interrupted,
				       .waits_ns = p->queued.waits_s * 1000000000};
}

enum ft_status ft__construct_told(struct ft__construct *c, struct ft_told_benchmarks *told,
				  struct ft_err *err)
{
	const char *running = c->work ? c->problem[c->which].told->program.name : NULL;

	*told = (struct ft_told_benchmarks){.order = ft_order_text(c->config->order),
					    .state = state_text(c),
					    .why = c->last.why,
					    .running = running,
					    .way = ft__scope_way(c->scope),
					    .done = c->counts,
					    .n = c->n};
	told->problem = ft_calloc(c->n + 1, sizeof *told->problem);
	if (!told->problem)
		return ft_nomem(err);
	for (size_t i = 0; i < c->n; i++)
		told->problem[i] = queued_told(c, i);
	return FT_OK;
}

/* Files are looked at where they may hang; what came of it is known here. */
static void find_fault(void *ctx, size_t problem, struct ft_err *out)
{
	const struct ft__construct *c = ctx;

	if (c->problem[problem].failures)
		*out = c->problem[problem].fault;
}

enum ft_status ft__construct_day(struct ft__construct *c, struct ft_told_day *told, struct ft_err *err)
{
	int64_t now_s = ft_clock_real_ns() / 1000000000;
	enum ft_status status = ft__day_read(c->config, now_s, find_fault, c, told, err);

	if (!status)
		status = ft__day_see(told, c->policies, c->n, ft__watch_look(c->watch), err);
	if (status)
		ft__day_clear(told);
	return status;
}

void ft__construct_health(const struct ft__construct *c, struct ft_told_health *told)
{
	told->state = state_text(c);
	told->why = c->last.why;
	told->running = c->work ? c->problem[c->which].told->program.name : NULL;
	told->problems = c->n;
	for (size_t i = 0; i < c->n; i++) {
		told->waiting += c->problem[i].left;
		told->failed += c->problem[i].failures > 0;
	}
}

/* As numbers. */
struct construct_tell_numbers {
	double problems, waiting, failed, running, stands, runs, frozen, ended, broken, failures, spent_s,
		frozen_s, overhead_s;
};

#define AT(name) offsetof(struct construct_tell_numbers, name)
static const struct ft__metric metrics[] = {
	{"foretime_problems", "gauge", "problems that are configured", AT(problems)},
	{"foretime_problems_waiting", "gauge", "of these with something left to run", AT(waiting)},
	{"foretime_problems_failed", "gauge", "of these that back off", AT(failed)},
	{"foretime_benchmark_running", "gauge", "1 while one runs, also if it is paused", AT(running)},
	{"foretime_benchmark_frozen", "gauge", "1 while one is paused", AT(stands)},
	{"foretime_benchmarks_total", "counter", "benchmarks made", AT(runs)},
	{"foretime_benchmarks_frozen_total", "counter", "times that one was frozen", AT(frozen)},
	{"foretime_benchmarks_ended_total", "counter", "ended before they were done", AT(ended)},
	{"foretime_contracts_broken_total", "counter", "new versions of programs that broke their contract",
	 AT(broken)},
	{"foretime_benchmark_failures_total", "counter", "times that a sweep failed", AT(failures)},
	{"foretime_benchmark_seconds_total", "counter", "of benchmarks made", AT(spent_s)},
	{"foretime_benchmark_frozen_seconds_total", "counter", "for which they were paused", AT(frozen_s)},
	{"foretime_benchmark_overhead_seconds_total", "counter",
	 "around benchmarks, from the order to the answer", AT(overhead_s)},
	{0},
};

void ft__construct_metrics(const struct ft__construct *c, struct ft_text *out)
{
	const struct ft_told_construction *done = &c->counts;
	struct ft_told_health now = {0};

	ft__construct_health(c, &now);
	ft__metrics_add(metrics,
			&(struct construct_tell_numbers){.problems = (double)now.problems,
							 .waiting = (double)now.waiting,
							 .failed = (double)now.failed,
							 .running = c->work == FT__WORK_RUN,
							 .stands = c->frozen,
							 .runs = (double)done->runs,
							 .frozen = (double)done->frozen,
							 .ended = (double)done->ended,
							 .broken = (double)done->broken,
							 .failures = (double)done->failures,
							 .spent_s = done->spent_s,
							 .frozen_s = done->frozen_s,
							 .overhead_s = done->overhead_s},
			out);
}
