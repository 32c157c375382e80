/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct_inside.h - what the files of construction share. */
#ifndef FT_MANAGER_CONSTRUCT_INSIDE_H
#define FT_MANAGER_CONSTRUCT_INSIDE_H

#include "manager/child.h"
#include "manager/construct.h"
#include "manager/problem.h"
#include "manager/step.h"
#include "watch/watch.h"

/* What a sweep does that was told to do something, and has not answered. */
enum ft__doing {
	FT__WORK_NONE,
	FT__WORK_BEGIN,  /* it reads what the store has */
	FT__WORK_LOOK,   /* the same, of what is new there */
	FT__WORK_RUN,    /* a benchmark */
	FT__WORK_FINISH, /* it makes models, and ends */
	FT__WORK_VERIFY, /* benchmarks of a new version, which are compared */
	FT__WORK_WRITE,  /* another one writes the model to a file */
};

struct ft__construct {
	struct ft__construct_options options;
	const struct ft_manager_config *config;
	uid_t user;                  /* who may own what is run, too; (uid_t)-1: nobody */
	gid_t group;                 /* his */
	struct ft__problem *problem; /* [n], as are the next three */
	struct ft__stand *stand;
	struct ft_queued *queue;
	const struct ft_policies **policies;
	size_t n;
	struct ft__scope *scope;
	struct ft__watch *watch;
	int epoll, timer;
	int files;                 /* tells of what is run; -1 */
	struct ft__child *leaving; /* sweeps that were dropped, and are not gone yet */
	struct ft_turns turns;
	uint64_t used;
	struct ft__action last; /* what was to be done */
	int64_t due_ns;         /* when to look again though nothing is heard; INT64_MAX */
	int64_t clean_ns;       /* when to look again for what is left of sweeps; INT64_MAX */
	int64_t leaving_ns;     /* the same of those that leave */
	int64_t kept_ns;        /* when it was kept last */
	int64_t looked_ns;      /* at all executables */
	bool unanswered;        /* not all of them answered */
	bool overlooked;        /* what changed while a sweep was there was told of, and not looked at */
	bool changed;           /* since then */
	bool unkept;            /* it could not be, which was told */
	bool hasty;             /* we go before others */
	bool noted;             /* it was, since what is frozen stands still */

	/* The one at work. */
	enum ft__doing work;
	size_t which;
	bool by_age, frozen;
	bool ending;                /* its benchmark was told to end */
	int64_t told_ns, frozen_ns; /* when it was told to; since when it stands still */
	double stood_s;             /* in all, while it is at work */
	char why[512];              /* it was ended */

	struct ft_told_construction counts;
};

/* ---- work.c: the sweeps -------------------------------------------------------------------------------- */

/* ft__work_run - the next benchmark of a problem, or what stands before it. */
void ft__work_run(struct ft__construct *c, size_t which, bool by_age);
void ft__work_freeze(struct ft__construct *c, const char *why);
void ft__work_thaw(struct ft__construct *c, const char *why);
void ft__work_end(struct ft__construct *c, const char *why);

/* ft__work_hear - all that sweeps told. Returns whether any did. */
bool ft__work_hear(struct ft__construct *c);

/* ft__work_mind - one that does not answer is ended. Returns when to look again. */
int64_t ft__work_mind(struct ft__construct *c);

/* ft__work_drop - a problem's sweep goes, whatever it does. It is not waited for: nothing begins until it is
 * gone. */
void ft__work_drop(struct ft__construct *c, struct ft__problem *problem);

/* ---- room.c: how many sweeps there are ----------------------------------------------------------------- */

/* ft__room_choose - whose turn it is where it is this one's: another one's, where all the sweeps that are
 * alive would be lost for nothing. *gives: whose sweep makes room for its; NULL: none has to. */
struct ft__problem *ft__room_choose(struct ft__construct *c, size_t which, struct ft__problem **gives);

/* ---- files.c: what is run, looked at ------------------------------------------------------------------- */

/* ft__files_look - at that of all problems without a sweep: what has changed is built again.
 * ft__files_due_ns - when the next look is due though nothing is told of them. */
void ft__files_look(struct ft__construct *c);
int64_t ft__files_due_ns(const struct ft__construct *c);

/* ft__files_look_one - at one, as it is now. Returns whether it is another version; why it is not to be run
 * is its fault. */
bool ft__files_look_one(struct ft__construct *c, struct ft__problem *problem, struct ft__version *found);

/* ---- keep.c: what outlives the manager ----------------------------------------------------------------- */

void ft__construct_keep(struct ft__construct *c);                                 /* a failure is told */
enum ft_status ft__construct_recall(struct ft__construct *c, struct ft_err *err); /* no file is no failure */

/* ---- construct.c --------------------------------------------------------------------------------------- */

void ft__construct_tell(struct ft__construct *c, struct ft_told_event *event,
			const struct ft__problem *problem);
void ft__construct_complain(struct ft__construct *c, const struct ft_err *err);    /* of no problem */
struct ft__problem *ft__construct_find(struct ft__construct *c, const char *name); /* NULL: there is none */
void ft__construct_hurry(struct ft__construct *c, bool hasty);

/* ft__work_gone - whether all that were dropped are, with all that they started. */
bool ft__work_gone(struct ft__construct *c);

#endif
