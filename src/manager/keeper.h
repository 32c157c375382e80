/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.h - the protocol between the manager and foretime-keeper, over a socket that preserves messages.
 * A keeper stands between the manager and one child: it is the subreaper of all that the child starts, so
 * that none can escape; it stops and ends them; and when the manager is gone, for any reason, it ends them
 * and itself. */
#ifndef FT_MANAGER_KEEPER_H
#define FT_MANAGER_KEEPER_H

#include "measure/tree.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { FT__KEEPER_SOCKET = 3 };

/* The keeper's command line: foretime-keeper VERSION OPTION... -- ARGV, options as they are followed. */
#define FT__KEEPER_ENTER     "--enter"     /* FILE: a cgroup.procs into which the child writes itself */
#define FT__KEEPER_LAST      "--last"      /* FILE TEXT: written before it is killed, lest that wait */
#define FT__KEEPER_DIRECTORY "--directory" /* working directory */
#define FT__KEEPER_USER      "--user"      /* UID GID GROUP,GROUP...: the user it runs as */

#define FT__KEEPER_NICE "--nice" /* it yields for good: where sessions are not weighed against each other */

/* From the manager. */
enum ft__keeper_what {
	FT__KEEPER_FREEZE = 1,
	FT__KEEPER_THAW_ALL,
	FT__KEEPER_END,   /* SIGTERM to the child; SIGKILL to all after some seconds */
	FT__KEEPER_KILL,  /* at once */
	FT__KEEPER_YIELD, /* only otherwise idle processor time */
	FT__KEEPER_WORK,  /* a normal share */
};

struct ft__keeper_order {
	double seconds;
	int32_t what, unused; /* all bytes are initialised, since they are sent to another process */
};

/* From the keeper. */
enum ft__keeper_news_kind {
	FT__KEEPER_STARTED = 1, /* pid: the child */
	FT__KEEPER_STILL,       /* at_ns: since when nothing runs, CLOCK_MONOTONIC */
	FT__KEEPER_ENDED,       /* status: as wait gives it; pid: of one that SIGKILL did not end, or 0 */
};

struct ft__keeper_news {
	int64_t at_ns;
	int32_t kind, pid, status, unused;
};

/*
 * Inside the keeper: turn a copy of it into the child.
 */

enum { FT__BECOME_GROUPS = 256, FT__BECOME_ENTER = 4, FT__BECOME_LAST = 4 };

/* Texts are of the command line. */
struct ft__become {
	char **argv;
	const char *directory;                /* NULL: ours */
	const char *enter[FT__BECOME_ENTER];  /* [n_enter] */
	const char *last[FT__BECOME_LAST][2]; /* [n_last] files, and what is written there at the end */
	int n_enter, n_last, n_groups;
	bool as_user, nice;
	uid_t uid;
	gid_t gid, group[FT__BECOME_GROUPS];
};

/* ft__become - execute the child; it has a session of its own before `session` is closed, and ends with
 * the keeper, its parent. Failures are printed on standard error: status 127, or 126 if the user is not
 * permitted. */
_Noreturn void ft__become(const struct ft__become *become, pid_t keeper, int session);

/*
 * Inside the keeper: stop all descendants by signals, and keep them stopped.
 */

/* Zero-initialise, then open its tree. */
struct ft__hold {
	struct ft__tree tree;
	struct ft__stopped {
		pid_t pid;
		int64_t since_ns; /* when it last got SIGSTOP outside a wait in the kernel */
	} * held;                 /* [n] those that we stopped, in that order */
	size_t n, capacity;
	int64_t still_ns, look_ns,
		rest_ns; /* paused since (0: not); next check (0: never); the interval after that */
};

/*
 * Control groups as folders: ours, and their files. Version 2, and version 1 if a system still has its
 * controllers there.
 */

/* ft__cgroup_find - the folder of the group that a process is in.
 *
 * pid         0: ours
 * controller  of version 1: "freezer"; NULL: version 2
 * top         out, may be NULL: whether no group around it is visible
 *
 * Returns false if there is no such hierarchy, or its folder is not visible. */
bool ft__cgroup_find(pid_t pid, const char *controller, char folder[PATH_MAX], bool *top);

/* ft__cgroup_write - write a text to a file of a group; errno is set on failure. */
bool ft__cgroup_write(const char *folder, const char *file, const char *text);

/* ft__cgroup_read - false: it is not there, or empty. */
bool ft__cgroup_read(const char *folder, const char *file, char *text, size_t size);

#endif
