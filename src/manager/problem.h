/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.h - how a problem of the configuration stands: what its sweep told last, its place in the queue,
 * failures, and for how long its policies let benchmarks run. */
#ifndef FT_MANAGER_PROBLEM_H
#define FT_MANAGER_PROBLEM_H

#include "manager/builder.h"
#include "manager/config.h"
#include "manager/version.h"

#include <jansson.h>

struct ft__child;

/* How long stretches were in which nothing ended a benchmark: so many of them are remembered. */
enum { FT__STRETCHES = 32 };

struct ft__problem {
	const struct ft_manager_problem *told; /* of the configuration */
	const struct ft_policies *policies;    /* those that count */
	struct ft__child *child;               /* its sweep; NULL: it is begun when it is chosen */
	bool ready;                            /* the sweep waits to be told what to do */
	bool stale;                            /* others may have added runs since it looked */
	bool left;                             /* something may be left to run */
	bool stopped;                          /* by hand: it waits for whoever did it */
	uint64_t used;                         /* when it was at work last: the largest is the newest */
	struct ft_queued queued;
	struct ft__heard heard;         /* the last one */
	unsigned long runs;             /* since the manager began */
	bool verify;                    /* a new version of it is to keep what was promised */
	char said[256];                 /* whether it did */
	struct ft__aside *aside;        /* by which its files are looked at; NULL as yet */
	char stamp[FT__VERSION_LENGTH]; /* of the version that its models are of */

	unsigned failures;   /* in a row */
	int64_t again_ns;    /* not before, by the steady clock; 0 */
	struct ft_err fault; /* why it failed */

	double stretch_s[FT__STRETCHES];
	size_t n_stretches;
	int64_t open_ns, held_ns; /* since when they let benchmarks run, and since when they hold them; 0 */
	bool hopeless;            /* that nothing here helps was told */

	int64_t built_ns; /* when its model was */
	char *state;      /* what the store said of it then; heap, NULL: not known yet */

	uint64_t asked; /* the counter as it was read last */
	int64_t asked_ns;
};

/* ft__problem_begin - one that nothing is known of; ends with ft__problem_end, once its sweep left. */
void ft__problem_begin(struct ft__problem *problem, const struct ft_manager_config *config, size_t i,
		       int64_t at_s);

void ft__problem_end(struct ft__problem *problem);

/* ft__problem_again - a model that is built is looked at again. */
void ft__problem_again(struct ft__problem *problem);

/* ft__problem_hear - its sweep told something. by_age: as in struct ft_turns, which get the time. */
void ft__problem_hear(struct ft__problem *problem, const struct ft__heard *heard, int64_t at_s);

/* ft__problem_interrupted - a benchmark was ended before it was done. */
void ft__problem_interrupted(struct ft__problem *problem, int64_t at_s);

/* ft__problem_stop - it is held, or goes on: at once, where it waited for having failed. The time for which
 * it is held is none that its policies left it. */
void ft__problem_stop(struct ft__problem *problem, bool stop);

/* ft__problem_fail - it is tried again after a while, which doubles each time. Returns whether that is
 * another failure than the last. */
bool ft__problem_fail(struct ft__problem *problem, const struct ft_err *err, int64_t now_ns);
void ft__problem_recover(struct ft__problem *problem);

/* ft__problem_backs_off - for so many seconds more; 0. */
double ft__problem_backs_off(const struct ft__problem *problem, int64_t now_ns);

/* ft__problem_judged - what its policies say from now on: of stretches. */
void ft__problem_judged(struct ft__problem *problem, const struct ft_judgement *judged, int64_t now_ns);

/* ft__problem_asked - a counter of questions, as it stands now; what was counted before fades. */
void ft__problem_asked(struct ft__problem *problem, uint64_t counter, int64_t now_ns);

/* ft__problem_queue - its place. */
void ft__problem_queue(struct ft__problem *problem, int64_t now_ns, struct ft_queued *out);

/* ft__problem_hopeless - whether nothing helps it, told once. */
bool ft__problem_hopeless(struct ft__problem *problem, int64_t at_s, char why[FT_WHY_LENGTH]);

/* ft__problem_look - what was found of its files: whether they are another version than they were, or there
 * are some where there were none. */
bool ft__problem_look(struct ft__problem *problem, const struct ft__version *found);

/* ft__problem_keep, ft__problem_recall - what outlives the manager. NULL: no memory. */
json_t *ft__problem_keep(const struct ft__problem *problem);
void ft__problem_recall(struct ft__problem *problem, const json_t *kept, int64_t at_s);

/* ft__problem_verdict - a line of a verification; what is over tells more than what is not. */
void ft__problem_verdict(struct ft__problem *problem, const char *line);

/* ft__problem_tail - what its child said on standard error, in one line: of what is no character, or half of
 * one, a '?'. */
void ft__problem_tail(const struct ft__problem *problem, char line[256]);

#endif
