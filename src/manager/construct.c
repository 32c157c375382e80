/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct.c - the loop of construction: observe, decide, act, until nothing is left to do. */
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/construct.h"
#include "manager/day.h"
#include "manager/inside.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/*
 * Limit the number of live sweeps, and choose which one makes room for another.
 */

/* The most sweeps that live at once; most of them wait, each with its runs and a model in memory. A sweep
 * that was dropped starts again when it is chosen, at the cost of its first look at the store. */
enum { ALIVE_MOST = 8 };

/* Its first run warms up the program and does not count, so a dropped sweep has to repeat it. */
static bool has_counted(const struct ft__problem *p)
{
	return p->heard.runs > 1;
}

/* *last: the one that was at work longest ago. */
static void take_older(struct ft__problem **last, struct ft__problem *p)
{
	if (!*last || p->used < (*last)->used)
		*last = p;
}

/* If all live sweeps are at their first run, they would displace one another for ever and none would get
 * further: then one of them continues, except in favour of a higher priority. */
struct ft__problem *ft__room_choose(struct ft__construct *c, size_t which, struct ft__problem **gives)
{
	struct ft__problem *chosen = &c->problem[which], *counted = NULL, *fresh = NULL, *goes_on = NULL;
	size_t alive = 0;

	*gives = NULL;
	for (size_t i = 0; i < c->n; i++) {
		struct ft__problem *p = &c->problem[i];

		alive += p->child != NULL;
		if (!p->child || !p->ready)
			continue;
		take_older(has_counted(p) ? &counted : &fresh, p);
		if (!has_counted(p) && c->queue[i].may && !(c->queue[i].priority < c->queue[which].priority))
			take_older(&goes_on, p);
	}
	if (chosen->child || alive < ALIVE_MOST)
		return chosen;
	if (!counted && goes_on)
		return goes_on;
	*gives = counted ? counted : fresh;
	return chosen;
}

/*
 * Decide and do the next step of benchmarks.
 */

static void say_why(struct ft__action *action, enum ft__act act, const char *why)
{
	action->act = act;
	(void)snprintf(action->why, sizeof action->why, "%s", why);
}

/* ---- the problem at work
   ----------------------------------------------------------------------------------- */

/* Whether one that may run has a higher priority than the one at work. */
static bool is_higher_there(const struct ft_queued *queue, size_t n, size_t at_work)
{
	for (size_t i = 0; i < n; i++)
		if (queue[i].may && queue[i].priority > queue[at_work].priority)
			return true;
	return false;
}

static void decide_running(const struct ft_judgement *judged, const struct ft_queued *queue, size_t n,
			   const struct ft__at_work *at_work, struct ft__action *action)
{
	say_why(action, FT__ACT_WAIT, judged->why);
	if (at_work->ending)
		return;
	if (judged->say == FT_SAY_END) {
		say_why(action, FT__ACT_END, judged->why);
	} else if (judged->say == FT_SAY_FREEZE) {
		if (!at_work->frozen)
			say_why(action, FT__ACT_FREEZE, judged->why);
		else if (!(at_work->frozen_s < judged->patience_s))
			say_why(action, FT__ACT_END, "it was paused for as long as its policies allow");
		else if (is_higher_there(queue, n, at_work->which))
			say_why(action, FT__ACT_END,
				"it is paused, and a problem of higher priority may run");
		else
			action->wait_s = fmin(action->wait_s, judged->patience_s - at_work->frozen_s);
	} else if (at_work->frozen) {
		say_why(action, FT__ACT_THAW, judged->why);
	}
}

/* ---- the next step
   -------------------------------------------------------------------------------------- */

/* Why no benchmark runs, in the words of the first one that waits. */
static void say_why_not(const struct ft__stand *stand, size_t n, struct ft__action *action)
{
	say_why(action, FT__ACT_WAIT, "nothing is left to run");
	for (size_t i = 0; i < n; i++)
		if (stand[i].left) {
			say_why(action, FT__ACT_WAIT,
				stand[i].backs_off_s > 0 ? "it failed, and is tried again later"
							 : stand[i].judged.why);
			return;
		}
}

static void choose_problem(const struct ft__stand *stand, const struct ft_queued *queue, size_t n,
			   const struct ft__world *world, struct ft__action *action)
{
	struct ft_choice choice;

	if (ft_queue_choose(queue, n, world->order, &world->turns, world->at_s, &choice)) {
		say_why_not(stand, n, action);
		return;
	}
	say_why(action, FT__ACT_RUN, choice.why);
	action->which = choice.which;
	action->by_age = choice.by_age;
}

void ft__step(struct ft__stand *stand, struct ft_queued *queue, size_t n, const struct ft__world *world,
	      struct ft__action *action)
{
	const struct ft__at_work *at_work = &world->at_work;

	*action = (struct ft__action){.act = FT__ACT_WAIT, .next_s = FT_NEVER, .wait_s = INFINITY};
	/* Problems without policies of their own share the system's, which are judged once. */
	size_t k;

	for (size_t i = 0; i < n; i++) {
		struct ft__stand *each = &stand[i];

		for (k = 0; k < i && stand[k].policies != each->policies; k++)
			;
		if (world->always) {
			static const struct ft_policies none;

			ft_policies_judge(&none, &(struct ft_seen){0}, world->at_s, &each->judged);
			(void)snprintf(each->judged.why, sizeof each->judged.why, "it was requested");
		} else if (k < i) {
			each->judged = stand[k].judged;
		} else {
			ft_policies_judge(each->policies, world->seen, world->at_s, &each->judged);
		}
	}
	for (size_t i = 0; i < n; i++)
		if (stand[i].stopped && !world->always) {
			stand[i].judged =
				(struct ft_judgement){.say = FT_SAY_END, .which = -1, .next_s = FT_NEVER};
			(void)snprintf(stand[i].judged.why, sizeof stand[i].judged.why,
				       "it was stopped by hand");
		}
	for (size_t i = 0; i < n; i++) {
		const struct ft__stand *c = &stand[i];

		queue[i].may = c->left && !(c->backs_off_s > 0) && c->judged.say == FT_SAY_START;
		if (c->left && c->backs_off_s > 0)
			action->wait_s = fmin(action->wait_s, c->backs_off_s);
		if (c->judged.next_s < action->next_s)
			action->next_s = c->judged.next_s;
	}
	if (!at_work->any && world->left)
		say_why(action, FT__ACT_WAIT, "what is left of another benchmark is ended first");
	else if (at_work->any)
		decide_running(&stand[at_work->which].judged, queue, n, at_work, action);
	else
		choose_problem(stand, queue, n, world, action);
}

/*
 * The loop of construction: observe, decide, act, until nothing is left to do.
 */

/* State is written at most so often while benchmarks run: what is lost of it are seconds of turns. */
#define KEEP_NS (10 * 1000000000LL)

/* The shortest time between two looks at a built model, even if runs are added: a sweep that finds nothing
 * to do takes as long as some benchmarks. */
#define AGAIN_NS (600 * 1000000000LL)

/* Steps of one call, before the event loop continues. */
enum { STEPS_MOST = 64 };

/* ---- reporting
   ------------------------------------------------------------------------------------------- */

void ft__construct_tell(struct ft__construct *c, struct ft_answer_event *event,
			const struct ft__problem *problem)
{
	event->name = problem->answer->program.name;
	if (c->options.tell)
		c->options.tell(c->options.ctx, event);
}

void ft__construct_complain(struct ft__construct *c, const struct ft_err *err)
{
	struct ft_answer_event event = {.event = "failed",
					.why = err->text,
					.remedy = *err->remedy ? err->remedy : NULL,
					.seconds = NAN,
					.frozen_s = NAN,
					.complete = NAN,
					.again_s = NAN};

	if (c->options.tell)
		c->options.tell(c->options.ctx, &event);
}

bool ft__work_gone(struct ft__construct *c)
{
	bool gone = ft__children_gone(&c->leaving, &c->leaving_ns);

	/* What a keeper did not end, the scope ends; it is informed first. */
	return ft__scope_clean(c->scope, &c->clean_ns) && gone;
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

int ft__construct_fd(const struct ft__construct *c)
{
	return c->epoll;
}

int ft__construct_wait_ms(const struct ft__construct *c)
{
	int64_t left_ns = c->due_ns - ft_clock_ns();
	int ms = ft__watch_wait_ms(c->watch);

	if (left_ns <= 0)
		return 0;
	if (left_ns < INT32_MAX * 1000000LL && (ms < 0 || left_ns < ms * 1000000LL))
		ms = (int)((left_ns + 999999) / 1000000);
	return ms;
}

/* Whether there was anything. */
static bool read_away(int fd)
{
	char bytes[4096];
	bool any = false;

	while (fd >= 0 && read(fd, bytes, sizeof bytes) > 0)
		any = true;
	return any;
}

static void look_at_problems(struct ft__construct *c, struct ft__world *world)
{
	int64_t now_ns = ft_clock_ns();

	for (size_t i = 0; i < c->n; i++) {
		struct ft__problem *p = &c->problem[i];

		if (c->options.query)
			ft__problem_query(p, c->options.query(c->options.ctx, p->answer->program.name),
					  now_ns);
		ft__problem_queue(p, now_ns, &c->queue[i]);
		c->stand[i].left = p->left;
		c->stand[i].stopped = p->stopped;
		c->stand[i].backs_off_s = ft__problem_backs_off(p, now_ns);
	}
	*world = (struct ft__world){
		.at_s = ft_clock_real_ns() / 1000000000,
		.order = c->config->order,
		.turns = c->turns,
		.left = !ft__work_gone(c),
		.always = c->options.always,
		.at_work = {.any = c->work != FT__WORK_NONE,
			    .which = c->which,
			    .ending = c->ending,
			    .frozen = c->frozen,
			    .frozen_s = c->frozen ? (double)(now_ns - c->frozen_ns) * 1e-9 : 0},
	};
	world->seen = ft__watch_look(c->watch);
}

static int64_t sooner_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* When the next step is due without an event. */
static int64_t due_ns(struct ft__construct *c)
{
	int64_t due = sooner_of(ft__files_due_ns(c), sooner_of(c->clean_ns, c->leaving_ns));

	if (c->last.wait_s < 1e9)
		due = sooner_of(due, ft_clock_ns() + (int64_t)(c->last.wait_s * 1e9));
	if (c->changed)
		due = sooner_of(due, c->kept_ns + KEEP_NS);
	return due;
}

/* If we and a keeper are killed while a benchmark is paused, it stays paused: the state file tells the
 * next manager which one. */
static bool must_note(struct ft__construct *c)
{
	c->noted = c->noted && c->frozen;
	return c->options.state_path && c->frozen && !c->noted && ft__scope_frozen(c->scope);
}

/* While a benchmark runs that may have to yield, we need a processor as soon as a user or load appears:
 * with eight busy loops on two processors that took 70 ms at p99, and with a real-time priority 20 ms
 * (bench/watch.c, one run; nice did not help). Our children do not inherit it. Without the permission we
 * keep the normal priority. */
void ft__construct_hurry(struct ft__construct *c, bool hasty)
{
	const struct sched_param how = {.sched_priority = hasty};

	if (hasty != c->hasty)
		(void)sched_setscheduler(0, (hasty ? SCHED_RR : SCHED_OTHER) | SCHED_RESET_ON_FORK, &how);
	c->hasty = hasty;
}

void ft__construct_run(struct ft__construct *c)
{
	struct ft__world world;
	int64_t mind_ns;
	int steps;

	(void)read_away(c->timer);
	/* Reading it clears its descriptor. */
	(void)ft__scope_frozen(c->scope);
	if (read_away(c->files) || ft_clock_ns() >= ft__files_due_ns(c))
		ft__files_look(c);
	for (steps = 0; steps < STEPS_MOST; steps++) {
		(void)ft__work_hear(c);
		mind_ns = ft__work_mind(c);
		look_at_problems(c, &world);
		ft__step(c->stand, c->queue, c->n, &world, &c->last);
		for (size_t i = 0; i < c->n; i++)
			ft__problem_judged(&c->problem[i], &c->stand[i].judged, ft_clock_ns());
		if (c->last.act == FT__ACT_WAIT)
			break;
		if (c->last.act == FT__ACT_RUN)
			ft__work_run(c, c->last.which, c->last.by_age);
		else if (c->last.act == FT__ACT_FREEZE)
			ft__work_freeze(c, c->last.why);
		else if (c->last.act == FT__ACT_THAW)
			ft__work_thaw(c, c->last.why);
		else
			ft__work_end(c, c->last.why);
	}
	ft__construct_hurry(c, !c->options.always && !c->frozen && c->work != FT__WORK_NONE);
	if ((c->changed && ft_clock_ns() - c->kept_ns >= KEEP_NS) || must_note(c))
		ft__construct_keep(c);
	c->due_ns = steps == STEPS_MOST ? 0 : sooner_of(due_ns(c), mind_ns);
	/* A clock that is set wakes it, too: a day is as good as never. */
	int64_t day_s = ft_clock_real_ns() / 1000000000 + 86400,
		next_s = c->last.next_s < day_s ? c->last.next_s : day_s;
	struct itimerspec at = {.it_value = {.tv_sec = (time_t)next_s}};

	(void)timerfd_settime(c->timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL);
}

/* ---- runs added by other processes
   ----------------------------------------------------------------------------------- */

/* The first report is to be of its own last run. */
static void take_over(struct ft__problem *p, const struct ft__state *state)
{
	if (p->left || !state->state)
		return;
	if (!p->state)
		p->state = ft_strdup(state->state);
	else if (strcmp(p->state, state->state) != 0 && ft_clock_ns() - p->built_ns > AGAIN_NS)
		ft__problem_again(p);
}

void ft__construct_give(struct ft__construct *c, const struct ft__state *state, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < c->n; k++)
			if (!strcmp(c->problem[k].answer->program.name, state[i].name))
				take_over(&c->problem[k], &state[i]);
	c->due_ns = 0;
}

/* ---- manual stop and continue ------------------------------------------------------------------------ */

struct ft__problem *ft__construct_find(struct ft__construct *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->problem[i].answer->program.name, name))
			return &c->problem[i];
	return NULL;
}

enum ft_status ft__construct_stop(struct ft__construct *c, const char *name, bool stop, struct ft_err *err)
{
	struct ft_answer_event event = {.event = stop ? "stopped" : "continued",
					.seconds = NAN,
					.frozen_s = NAN,
					.complete = NAN,
					.again_s = NAN};
	struct ft__problem *problem = ft__construct_find(c, name);

	if (!problem) {
		(void)ft_fail(err, FT_ENOENT, "no problem '%.100s' is configured", name);
		return ft_remedy(err, "GET /queue lists those that are");
	}
	if (problem->stopped != stop)
		ft__construct_tell(c, &event, problem);
	ft__problem_stop(problem, stop);
	ft__construct_keep(c);
	c->due_ns = 0;
	return FT_OK;
}

/*
 * Built models whose programs got runs from other processes.
 */

struct ft__revisit {
	struct ft__task task; /* first: one is the other */
	struct ft__construct *construct;
	struct ft__worker *worker;
	bool at_work, again;
	struct ft__state *state; /* [n] */
	size_t n;
};

static void post_task(struct ft__revisit *revisit);

static void read_states(struct ft__task *task, struct ft_store *store)
{
	struct ft__revisit *revisit = (struct ft__revisit *)task;

	for (size_t i = 0; store && i < revisit->n; i++)
		(void)ft_store_get_state(store, revisit->state[i].name, &revisit->state[i].state, NULL);
}

static void clear_revisit(struct ft__revisit *revisit)
{
	for (size_t i = 0; i < revisit->n; i++) {
		ft_free(revisit->state[i].name);
		free(revisit->state[i].state);
	}
	ft_free(revisit->state);
	revisit->state = NULL;
	revisit->n = 0;
}

static void give_states(struct ft__task *task)
{
	struct ft__revisit *revisit = (struct ft__revisit *)task;

	revisit->at_work = false;
	ft__construct_give(revisit->construct, revisit->state, revisit->n);
	clear_revisit(revisit);
	if (revisit->again)
		post_task(revisit);
}

static void post_task(struct ft__revisit *revisit)
{
	revisit->again = false;
	struct ft__state *state = ft_calloc(revisit->construct->n + 1, sizeof *state);
	size_t i;

	for (i = 0, revisit->n = 0; state && i < revisit->construct->n; i++)
		if (!revisit->construct->problem[i].left &&
		    (state[revisit->n].name = ft_strdup(revisit->construct->problem[i].answer->program.name)))
			++revisit->n;
	revisit->state = state;
	revisit->at_work = revisit->n > 0;
	if (revisit->at_work)
		ft__worker_post(revisit->worker, &revisit->task);
	else
		clear_revisit(revisit);
}

void ft__revisit_look(struct ft__revisit *revisit)
{
	revisit->again = true;
	if (!revisit->at_work)
		post_task(revisit);
}

enum ft_status ft__revisit_new(struct ft__revisit **out, struct ft__construct *construct,
			       struct ft__worker *worker, struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	**out = (struct ft__revisit){
		.task = {.work = read_states, .done = give_states}, .construct = construct, .worker = worker};
	return FT_OK;
}

void ft__revisit_free(struct ft__revisit *revisit)
{
	if (revisit)
		clear_revisit(revisit);
	ft_free(revisit);
}

/*
 * Report the state of construction.
 */

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

enum ft_status ft__construct_answer(struct ft__construct *c, struct ft_answer_benchmarks *answer,
				    struct ft_err *err)
{
	const char *running = c->work ? c->problem[c->which].answer->program.name : NULL;

	*answer = (struct ft_answer_benchmarks){.order = ft_order_text(c->config->order),
						.state = state_text(c),
						.why = c->last.why,
						.running = running,
						.way = ft__scope_way(c->scope),
						.done = c->counts,
						.n = c->n};
	answer->problem = ft_calloc(c->n + 1, sizeof *answer->problem);
	if (!answer->problem)
		return ft_nomem(err);
	for (size_t i = 0; i < c->n; i++) {
		const struct ft__problem *p = &c->problem[i];
		double again_s = c->stand[i].backs_off_s;

		answer->problem[i] = (struct ft_answer_queued){.name = p->answer->program.name,
							       .state = state_of(c, i),
							       .why = why_not(c, i),
							       .next = *p->heard.next ? p->heard.next : NULL,
							       .priority = p->answer->priority,
							       .complete = p->queued.complete,
							       .gain = p->queued.gain,
							       .seconds = p->queued.seconds,
							       .query = p->queued.queries,
							       .again_s = again_s > 0 ? again_s : NAN,
							       .runs = p->runs,
							       .interrupted = p->queued.interrupted,
							       .waits_ns = p->queued.waits_s * 1000000000};
	}
	return FT_OK;
}

/* Files are looked at where they may hang; what came of it is known here. */
static void find_fault(void *ctx, size_t problem, struct ft_err *out)
{
	const struct ft__construct *c = ctx;

	if (c->problem[problem].failures)
		*out = c->problem[problem].fault;
}

enum ft_status ft__construct_day(struct ft__construct *c, struct ft_answer_day *answer, struct ft_err *err)
{
	int64_t now_s = ft_clock_real_ns() / 1000000000;
	enum ft_status status = ft__day_read(c->config, now_s, find_fault, c, answer, err);

	if (!status)
		status = ft__day_see(answer, c->policies, c->n, ft__watch_look(c->watch), err);
	if (status)
		ft__day_clear(answer);
	return status;
}

void ft__construct_health(const struct ft__construct *c, struct ft_answer_health *answer)
{
	answer->state = state_text(c);
	answer->why = c->last.why;
	answer->running = c->work ? c->problem[c->which].answer->program.name : NULL;
	answer->problems = c->n;
	for (size_t i = 0; i < c->n; i++) {
		answer->waiting += c->problem[i].left;
		answer->failed += c->problem[i].failures > 0;
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
	const struct ft_answer_construction *done = &c->counts;
	struct ft_answer_health now = {0};

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

/*
 * Document 001's first mode: all models of a configuration now.
 */

static void tell_event(void *ctx, const struct ft_answer_event *event)
{
	const struct ft_manager_options *options = ctx;
	struct ft_text text = {0};

	/* Ends are reported, so starts need not be. */
	if (!strcmp(event->event, "started"))
		return;
	ft__answer_event(event, &text);
	if (text.s && options->say)
		options->say(options->ctx, text.s);
	ft_text_clear(&text);
}

static int open_signals(struct ft_err *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		(void)ft_fail_errno(err, errno, "cannot take signals");
	return fd;
}

/* Until all is built, or a signal comes. */
static enum ft_status run_until_built(struct ft__construct *construct, int signals, size_t *failed,
				      struct ft_err *err)
{
	struct pollfd fd[] = {{.fd = signals, .events = POLLIN},
			      {.fd = ft__construct_fd(construct), .events = POLLIN}};

	ft__construct_run(construct);
	while (!ft__construct_over(construct, failed)) {
		if (poll(fd, 2, ft__construct_wait_ms(construct)) < 0 && errno != EINTR)
			return ft_fail_errno(err, errno, "cannot wait for events");
		if (fd[0].revents)
			return ft_fail(err, FT_EINTR, "interrupted; what is finished is kept");
		ft__construct_run(construct);
	}
	return FT_OK;
}

static enum ft_status build_all(const struct ft_manager_options *options, const char *store_path, int signals,
				size_t *failed, struct ft_err *err)
{
	struct ft__construct_options how = {.command = options->command,
					    .store_path = store_path,
					    .always = true,
					    .dedicated = true,
					    .tell = tell_event,
					    .ctx = (void *)(uintptr_t)options};
	struct ft__construct *construct = NULL;
	enum ft_status status = ft__construct_new(&construct, &how, options->config, err);

	if (!status)
		status = run_until_built(construct, signals, failed, err);
	ft__construct_free(construct);
	return status;
}

enum ft_status ft_manager_build(const struct ft_manager_options *options, size_t *failed, struct ft_err *err)
{
	struct ft__store_at store = {0};
	enum ft_status status = ft__store_place(options->store_path, options->config, &store, err);
	int signals = status ? -1 : open_signals(err);

	*failed = 0;
	if (!status)
		status = signals < 0 ? FT_EIO : build_all(options, store.path, signals, failed, err);
	if (signals >= 0)
		(void)close(signals);
	ft_free(store.path);
	return status;
}
