/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - sources of observations on users and background load: a row for each kind. */
#ifndef FT_WATCH_SOURCE_H
#define FT_WATCH_SOURCE_H

#include "foretime/base.h"
#include "watch/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Receive messages about programs being executed from the kernel (the process connector).
 */

/*
 * Sessions of systemd's logind, through its library, which is loaded when it is needed.
 */

struct ft__logind;

/* accepts NULL */

/* A session of an active user. */
struct ft__session {
	uid_t uid;
	const char *tty;   /* "pts/3", "tty2"; NULL: it has none */
	const char *where; /* the terminal, the seat, the remote machine, or the number of the session */
};

enum {
	FT__PATIENT_MS = 1000, /* the interval of looks at what raises no events */
	FT__SHOWN_LENGTH = 96, /* a process's name, each of its 15 bytes escaped */
};

struct ft__source;

/* The functions of a source. */
struct ft__source_ops {
	const char *name;
	unsigned kinds; /* the conditions that it serves: 1 << FT_CONDITION_... */
	/* Allocates its state, and descriptors of its events (ft__source_listen). FT_ENOMEM; anything else
	 * that is missing is replaced by a timer, or reported by look. */
	enum ft_status (*open)(struct ft__source *source, struct ft_err *err);
	/* Observe: everything if `fresh`, else what may have changed. It empties its descriptors, and sets
	 * when it is due again. ft__source_cannot reports why it is not possible. */
	void (*look)(struct ft__source *source, struct ft_seen *seen, bool fresh);
	void (*close)(struct ft__source *source);
};

/* Our own processes. */
struct ft__ours {
	pid_t self;
	double (*count)(void *ctx); /* processor time of benchmarks, in seconds; NULL: there are none */
	void *ctx;
};

/* A source at work. */
struct ft__source {
	const struct ft__source_ops *ops; /* NULL: no condition needs it */
	const char *root;
	bool events;                                 /* kernel events of this machine may be used */
	const struct ft_condition *const *condition; /* [n_conditions] of its kinds */
	size_t n_conditions;
	const struct ft__ours *ours;
	void *state;             /* its own */
	int64_t now_ns;          /* of the present look */
	int64_t due_ns;          /* when to look again without an event; FT_NEVER */
	int64_t early_ns;        /* from when on a look costs little; FT_NEVER */
	int epoll;               /* its descriptors; -1: it has none */
	char why[FT_WHY_LENGTH]; /* why it cannot be seen; "": it can */
	/* watch.c's */
	int64_t rested_ns; /* it is left alone until then; 0: it is not */
	int64_t debt_ns;   /* recent processor time above its share */
	int64_t looked_ns;
	bool fresh; /* all is to be looked at */
};

extern const struct ft__source_ops ft__source_battery, ft__source_files, ft__source_load, ft__source_logins,
	ft__source_processes;

/* ft__source_listen - be woken by a descriptor. events: as of epoll. False: it cannot. */
bool ft__source_listen(struct ft__source *source, int fd, uint32_t events);

/* ft__source_due - look again in that many milliseconds at the latest. */
void ft__source_due(struct ft__source *source, int64_t ms);

/* ft__source_early - from then on it is looked at together with any other look, without a wake-up of its
   own. */
void ft__source_early(struct ft__source *source, int64_t ms);

/* ft__source_cannot - why this look failed. */
void ft__source_cannot(struct ft__source *source, const char *format, ...) FT_PRINTF(2, 3);

/*
 * Parse the files of other users' processes in /proc.
 */

/* The kernel's state of a process. */
struct ft__stat {
	char state;
	pid_t parent;
	bool kernel; /* a thread of the kernel's */
};

/* ft__stat_parse - "17 (a) b) S 1 ...", as in /proc/PID/stat. False: another format. */
bool ft__stat_parse(const char *text, struct ft__stat *out);

/* ft__name_show - a foreign name, as text of one line; what does not fit is left out. */
void ft__name_show(const char *name, char *shown, size_t size);

/*
 * Cached names of users, since a lookup may use the network.
 */

enum { FT__USER_LENGTH = 257, FT__USERS_KEPT = 256 };

struct ft__owner {
	uid_t uid;
	bool known;
	bool counts;                /* the caller's: a condition holds by him */
	char name[FT__USER_LENGTH]; /* his number where he has none */
};

struct ft__users {
	struct ft__owner user[FT__USERS_KEPT]; /* a user has one slot, which may be reused for another */
};

/* ft__owner_get - borrowed until the next call; *fresh: the user was not cached, and the caller's flags
   are false. */
struct ft__owner *ft__owner_get(struct ft__users *users, uid_t uid, bool *fresh);

/*
 * Processes that make conditions hold: a few for each, out of any number.
 */

struct ft__witness {
	pid_t pid;
	int end;          /* readable when it has ended; -1: no such descriptor */
	const char *name; /* a condition's, where one names it; else what is shown of it */
	char shown[FT__SHOWN_LENGTH];
	char user[FT__USER_LENGTH];
};

struct ft__witnesses {
	const struct ft_condition *const *condition; /* [n_conditions] borrowed */
	size_t n_conditions;
	struct ft__witness *witness; /* [room] */
	size_t n, room, most;
	size_t *found; /* [n_conditions] how many hold each; at least one where there is any */
};

/* ft__witnesses_init - FT_OK; FT_ENOMEM. Ends with ft__witnesses_clear in both cases. */
enum ft_status ft__witnesses_init(struct ft__witnesses *set, const struct ft__source *source,
				  struct ft_err *err);
void ft__witnesses_clear(struct ft__witnesses *set); /* accepts what is all zero */
void ft__witnesses_empty(struct ft__witnesses *set);

/* ft__condition_holds_by - whether a condition holds by a process alone. */
bool ft__condition_holds_by(const struct ft_condition *condition, const struct ft_seen_process *process);

/* ft__witnesses_want - whether any condition holds by it that has too few. */
bool ft__witnesses_want(const struct ft__witnesses *set, const struct ft_seen_process *process);

/* ft__witnesses_add - one that is wanted, and is not there; its name is shown as text. NULL: no room is left,
 * or it is there. */
struct ft__witness *ft__witnesses_add(struct ft__witnesses *set, const struct ft_seen_process *process);

/* ft__witnesses_drop - remove the i-th; another takes its place. Returns whether a condition is left with
   none. */
bool ft__witnesses_drop(struct ft__witnesses *set, size_t i);

/* ft__witnesses_tell - all of them, behind the n that there are. */
void ft__witnesses_tell(const struct ft__witnesses *set, struct ft_seen_process *seen, size_t *n);

#endif
