/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.h - what the manager and foretime-keeper say to each other, over a socket that keeps messages apart.
 *
 * A keeper stands between the manager and one child: it is the subreaper of all that the child starts, so
 * that none can leave it; it stops and ends them; and when the manager is gone, however that ended, it ends
 * them and itself. */
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
#define FT__KEEPER_DIRECTORY "--directory" /* where it runs */
#define FT__KEEPER_USER      "--user"      /* UID GID GROUP,GROUP...: whom it runs as */

#define FT__KEEPER_NICE "--nice" /* it yields for good: where sessions are not weighed against each other */

/* From the manager. */
enum ft__keeper_what {
	FT__KEEPER_FREEZE = 1,
	FT__KEEPER_THAW_ALL,
	FT__KEEPER_END,   /* SIGTERM to the child; SIGKILL to all after so many seconds */
	FT__KEEPER_KILL,  /* at once */
	FT__KEEPER_YIELD, /* only what nobody else wants */
	FT__KEEPER_WORK,  /* its share, as all others */
};

struct ft__keeper_order {
	double seconds;
	int32_t what, unused; /* nothing of it is not set: it goes to another process */
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
 * Inside the keeper: from a copy of it to the child.
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

/* ft__become - it has a session of its own before `session` is closed. It ends with the keeper, its parent.
 * What failed is said on standard error: status 127, or 126 where it would run as whom it must not. */
_Noreturn void ft__become(const struct ft__become *become, pid_t keeper, int session);

/*
 * Inside the keeper: all its descendants stopped by signals, and kept so.
 */

/* Zero-initialise, then ft__hold_open. */
struct ft__hold {
	struct ft__tree tree;
	pid_t *held; /* [n] those that we stopped, in that order */
	size_t n, capacity;
	int64_t still_ns, look_ns, rest_ns; /* when it stood still (0: it does not); when it is looked at
					       again (0: never); how long after that again */
};

/*
 * Control groups as folders: where ours are, and their files. Of version 2, and of 1 where a
 * system has its controllers there still.
 */

/* ft__cgroup_find - the folder of the group that a process is in.
 *
 * pid         0: ours
 * controller  of version 1: "freezer"; NULL: version 2
 * top         out, may be NULL: whether there is no group around it that we could see
 *
 * Returns false where there is no such hierarchy, or its folder is not to be seen. */
bool ft__cgroup_find(pid_t pid, const char *controller, char folder[PATH_MAX], bool *top);

/* ft__cgroup_write - a text into a file of a group; errno tells why not. */
bool ft__cgroup_write(const char *folder, const char *file, const char *text);

/* ft__cgroup_read - false: it is not there, or empty. */
bool ft__cgroup_read(const char *folder, const char *file, char *text, size_t size);

#endif
