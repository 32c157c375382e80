/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct.c - the loop of construction: what is seen, what is done next, until nothing is. */
#include "manager/construct_inside.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <sched.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* State is written at most so often while benchmarks run: what is lost of it are seconds of turns. */
#define KEEP_NS (10 * 1000000000LL)

/* A model that is built is looked at again no sooner, whoever adds to its runs: a sweep that finds nothing to
 * do takes as long as some benchmarks. */
#define AGAIN_NS (600 * 1000000000LL)

/* Of one call: whatever it is, it then lets others go on. */
enum { STEPS_MOST = 64 };

/* ---- telling ------------------------------------------------------------------------------------------- */

void ft__construct_tell(struct ft__construct *c, struct ft_told_event *event,
			const struct ft__problem *problem)
{
	event->name = problem->told->program.name;
	if (c->options.tell)
		c->options.tell(c->options.ctx, event);
}

void ft__construct_complain(struct ft__construct *c, const struct ft_err *err)
{
	struct ft_told_event event = {.event = "failed",
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

	/* What a keeper did not end is the scope's to end, which it hears of first. */
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

/* A clock that is set wakes it, too: a day is as good as never. */
static void set_timer(struct ft__construct *c)
{
	int64_t day_s = ft_clock_real_ns() / 1000000000 + 86400,
		next_s = c->last.next_s < day_s ? c->last.next_s : day_s;
	struct itimerspec at = {.it_value = {.tv_sec = (time_t)next_s}};

	(void)timerfd_settime(c->timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL);
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

		if (c->options.asked)
			ft__problem_asked(p, c->options.asked(c->options.ctx, p->told->program.name), now_ns);
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

static void take_action(struct ft__construct *c, const struct ft__action *action)
{
	if (action->act == FT__ACT_RUN)
		ft__work_run(c, action->which, action->by_age);
	else if (action->act == FT__ACT_FREEZE)
		ft__work_freeze(c, action->why);
	else if (action->act == FT__ACT_THAW)
		ft__work_thaw(c, action->why);
	else
		ft__work_end(c, action->why);
}

static int64_t sooner_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* When the next thing is due that nothing tells of. */
static int64_t due_ns(struct ft__construct *c)
{
	int64_t due = sooner_of(ft__files_due_ns(c), sooner_of(c->clean_ns, c->leaving_ns));

	if (c->last.wait_s < 1e9)
		due = sooner_of(due, ft_clock_ns() + (int64_t)(c->last.wait_s * 1e9));
	if (c->changed)
		due = sooner_of(due, c->kept_ns + KEEP_NS);
	return due;
}

/* Whoever kills us and a keeper while a benchmark stands leaves it standing: the next manager finds it by
 * what was written down. */
static bool must_note(struct ft__construct *c)
{
	c->noted = c->noted && c->frozen;
	return c->options.state_path && c->frozen && !c->noted && ft__scope_frozen(c->scope);
}

/* While a benchmark runs that others may have to be rid of we are on a processor as soon as they are seen:
 * beside eight busy loops on two processors that took 70 ms at p99, so it takes 20 (bench/watch.c, one run;
 * nice was of no use there). Our children have none of it. Who may not is as all others. */
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
	/* Its descriptor is quiet when it was asked. */
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
		take_action(c, &c->last);
	}
	ft__construct_hurry(c, !c->options.always && !c->frozen && c->work != FT__WORK_NONE);
	if ((c->changed && ft_clock_ns() - c->kept_ns >= KEEP_NS) || must_note(c))
		ft__construct_keep(c);
	c->due_ns = steps == STEPS_MOST ? 0 : sooner_of(due_ns(c), mind_ns);
	set_timer(c);
}

/* ---- what others add ----------------------------------------------------------------------------------- */

struct ft__state *ft__construct_built(const struct ft__construct *c, size_t *n)
{
	struct ft__state *state = ft_calloc(c->n + 1, sizeof *state);
	size_t i;

	for (i = 0, *n = 0; state && i < c->n; i++)
		if (!c->problem[i].left && (state[*n].name = ft_strdup(c->problem[i].told->program.name)))
			++*n;
	return state;
}

/* What is said first is of its own last run. */
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
			if (!strcmp(c->problem[k].told->program.name, state[i].name))
				take_over(&c->problem[k], &state[i]);
	c->due_ns = 0;
}

/* ---- what somebody says by hand ------------------------------------------------------------------------ */

struct ft__problem *ft__construct_find(struct ft__construct *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->problem[i].told->program.name, name))
			return &c->problem[i];
	return NULL;
}

enum ft_status ft__construct_stop(struct ft__construct *c, const char *name, bool stop, struct ft_err *err)
{
	struct ft_told_event event = {.event = stop ? "stopped" : "continued",
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
