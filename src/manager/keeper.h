/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.h - what the manager and foretime-keeper say to each other, over a socket that keeps messages apart.
 *
 * A keeper stands between the manager and one child: it is the subreaper of all that the child starts, so
 * that none can leave it; it stops and ends them; and when the manager is gone, however that ended, it ends
 * them and itself. */
#ifndef FT_MANAGER_KEEPER_H
#define FT_MANAGER_KEEPER_H

#include <stdint.h>

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

#endif
