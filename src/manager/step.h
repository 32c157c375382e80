/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - what is done next about benchmarks: a pure function of how problems stand, what is seen and the
 * clock (001 II.B). The owner does it, keeps what came of it, and asks again. */
#ifndef FT_MANAGER_STEP_H
#define FT_MANAGER_STEP_H

#include "foretime/policy.h"

/* X(NAME, what it means) */
#define FT__ACT_LIST(X)                                                                                      \
	X(WAIT, "nothing, until something is seen or the time has come")                                     \
	X(RUN, "the problem's next benchmark")                                                               \
	X(FREEZE, "the running benchmark is paused")                                                         \
	X(THAW, "and goes on")                                                                               \
	X(END, "what is at work is ended, its time is lost")

enum ft__act {
#define FT__ACT_ENUM(name, about) FT__ACT_##name,
	FT__ACT_LIST(FT__ACT_ENUM)
#undef FT__ACT_ENUM
};

/* How a problem stands. */
struct ft__stand {
	const struct ft_policies *policies; /* those that count for it */
	bool left;                          /* something is left to run */
	double backs_off_s;                 /* it failed: not before so long; 0 */
	bool stopped;                       /* somebody holds it, until he lets it go on */
	struct ft_judgement judged;         /* out: what its policies say */
};

/* What is at work, if anything is: at most one at a time. */
struct ft__at_work {
	bool any;
	size_t which; /* of the problems */
	bool ending;  /* it was told to: nothing more is done about it */
	bool frozen;
	double frozen_s; /* for so long */
};

struct ft__world {
	const struct ft_seen *seen;
	int64_t at_s; /* of the wall clock */
	enum ft_order order;
	struct ft_turns turns;
	bool left;   /* something runs of what was at work before: nothing begins beside it */
	bool always; /* whatever policies say: somebody asked for it */
	struct ft__at_work at_work;
};

struct ft__action {
	enum ft__act act;
	size_t which; /* RUN */
	bool by_age;  /* RUN: its time counts as of those that waited longest */
	/* When the answer may be another one though nothing else is seen: a moment of the wall clock, and so
	 * long from now on. FT_NEVER, INFINITY */
	int64_t next_s;
	double wait_s;
	char why[FT_WHY_LENGTH]; /* "user alice is logged in (pts/3)" */
};

/* ft__step - what is done next.
 *
 * stand  [n]
 * queue      [n] the same, as ft_queue_choose has them; may: out
 *
 * What somebody stopped is judged as though a condition held that ends benchmarks, unless all is asked for.
 * A benchmark that runs goes on while its policies let it start or finish, stands still while they say
 * freeze, and is ended when they say end, or when it stood still for longer than they are patient. One that
 * stands still is ended, too, when a problem of higher priority may run: only one is there at a time, and it
 * may stand for long.
 *
 * Cost: that of ft_policies_judge for each list of policies, and of ft_queue_choose. */
void ft__step(struct ft__stand *stand, struct ft_queued *queue, size_t n, const struct ft__world *world,
	      struct ft__action *action);

#endif
