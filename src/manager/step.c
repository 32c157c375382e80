/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - what is done next about benchmarks. */
#include "manager/step.h"

#include <math.h>
#include <stdio.h>

static void judge_always(int64_t at_s, struct ft_judgement *judged)
{
	static const struct ft_policies none;

	ft_policies_judge(&none, &(struct ft_seen){0}, at_s, judged);
	(void)snprintf(judged->why, sizeof judged->why, "it was requested");
}

static void judge_stopped(struct ft_judgement *judged)
{
	*judged = (struct ft_judgement){.say = FT_SAY_END, .which = -1, .next_s = FT_NEVER};
	(void)snprintf(judged->why, sizeof judged->why, "it was stopped by hand");
}

/* Problems without policies of their own share the system's, which are judged once. */
static void judge_problems(struct ft__stand *stand, size_t n, const struct ft__world *world)
{
	size_t k;

	for (size_t i = 0; i < n; i++) {
		struct ft__stand *c = &stand[i];

		for (k = 0; k < i && stand[k].policies != c->policies; k++)
			;
		if (world->always)
			judge_always(world->at_s, &c->judged);
		else if (k < i)
			c->judged = stand[k].judged;
		else
			ft_policies_judge(c->policies, world->seen, world->at_s, &c->judged);
	}
	for (size_t i = 0; i < n; i++)
		if (stand[i].stopped && !world->always)
			judge_stopped(&stand[i].judged);
}

static void say_why(struct ft__action *action, enum ft__act act, const char *why)
{
	action->act = act;
	(void)snprintf(action->why, sizeof action->why, "%s", why);
}

/* ---- what is at work ----------------------------------------------------------------------------------- */

/* Whether one that may run goes before the one at work. */
static bool is_higher_there(const struct ft_queued *queue, size_t n, size_t at_work)
{
	for (size_t i = 0; i < n; i++)
		if (queue[i].may && queue[i].priority > queue[at_work].priority)
			return true;
	return false;
}

static void decide_frozen(const struct ft_judgement *judged, const struct ft_queued *queue, size_t n,
			  const struct ft__at_work *at_work, struct ft__action *action)
{
	if (!at_work->frozen)
		say_why(action, FT__ACT_FREEZE, judged->why);
	else if (!(at_work->frozen_s < judged->patience_s))
		say_why(action, FT__ACT_END, "it was paused for as long as its policies allow");
	else if (is_higher_there(queue, n, at_work->which))
		say_why(action, FT__ACT_END, "it is paused, and a problem of higher priority may run");
	else
		action->wait_s = fmin(action->wait_s, judged->patience_s - at_work->frozen_s);
}

static void decide_running(const struct ft_judgement *judged, const struct ft_queued *queue, size_t n,
			   const struct ft__at_work *at_work, struct ft__action *action)
{
	say_why(action, FT__ACT_WAIT, judged->why);
	if (at_work->ending)
		return;
	if (judged->say == FT_SAY_END)
		say_why(action, FT__ACT_END, judged->why);
	else if (judged->say == FT_SAY_FREEZE)
		decide_frozen(judged, queue, n, at_work, action);
	else if (at_work->frozen)
		say_why(action, FT__ACT_THAW, judged->why);
}

/* ---- what is next -------------------------------------------------------------------------------------- */

/* Why nothing is, in the words of the first that waits. */
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
	judge_problems(stand, n, world);
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
