/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - what is run, looked at: before each benchmark, and once a model of it is built. */
#include "manager/construct_inside.h"

#include "base/clock.h"

#include <string.h>

/* Files that have not answered by then do not: a look takes some 0.1 ms, on a busy machine some 100. */
enum { LOOK_MS = 1000 };

/* Links and folders on the way to an executable may be others, of which nothing tells: a look is a stat of
 * each. */
#define LOOK_NS (60 * 1000000000LL)

bool ft__files_look_one(struct ft__construct *c, struct ft__problem *problem, struct ft__version *found)
{
	*found = (struct ft__version){0};
	if (ft__version_ask(&problem->aside, problem->told, c->user, c->files) &&
	    ft__version_answer(problem->aside, found, LOOK_MS))
		return ft__problem_look(problem, found);
	(void)ft_fail(&found->fault, FT_EUNAVAIL, "its files cannot be checked: no answer");
	(void)ft_remedy(&found->fault, "see whether the file system of '%.200s' is there",
			problem->told->program.argv[0]);
	return false;
}

/* Sweeps that are alive look when they are chosen. */
static bool is_looked_at(const struct ft__construct *c, const struct ft__problem *p)
{
	return !p->child && (!p->left || p->failures) && !c->options.always;
}

/* Another version of a program is another model, and one that could not be run may be cured. Returns whether
 * it was answered. */
static bool take_version(struct ft__problem *p, int wait_ms)
{
	struct ft__version found;

	if (!ft__version_answer(p->aside, &found, wait_ms))
		return false;
	if (!ft__problem_look(p, &found))
		return true;
	p->verify = p->told->contract && p->built_ns;
	ft__problem_recover(p);
	ft__problem_again(p);
	return true;
}

/* Whoever did not answer the look before is not waited for any more, or we would do nothing else. */
static int wait_ms(const struct ft__construct *c, struct ft__problem *p)
{
	int64_t left_ns = c->looked_ns + LOOK_MS * 1000000LL - ft_clock_ns();

	if (!p->aside || ft__aside_asked_ns(p->aside) < c->looked_ns || left_ns <= 0)
		return 0;
	return (int)(left_ns / 1000000);
}

/* All are asked for before any is waited for: files that do not answer cost us that time once. */
void ft__files_look(struct ft__construct *c)
{
	c->looked_ns = ft_clock_ns();
	c->unanswered = c->overlooked = false;
	for (size_t i = 0; i < c->n; i++)
		if (is_looked_at(c, &c->problem[i])) {
			(void)take_version(&c->problem[i], 0);
			(void)ft__version_ask(&c->problem[i].aside, c->problem[i].told, c->user, c->files);
		}
	for (size_t i = 0; i < c->n; i++)
		if (is_looked_at(c, &c->problem[i]) &&
		    !take_version(&c->problem[i], wait_ms(c, &c->problem[i])))
			c->unanswered = true;
}

/* Those that have not answered are asked again soon: what they would have told is told once. */
int64_t ft__files_due_ns(const struct ft__construct *c)
{
	if (c->overlooked)
		return 0;
	return c->looked_ns + (c->unanswered ? LOOK_MS * 1000000LL : LOOK_NS);
}
