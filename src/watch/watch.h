/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.h - what others do on this machine at a moment, for policies to judge: the one door of the room.
 *
 *	ft__watch_new(&watch, &needs, err);
 *	ft__watch_count(watch, cpu_s_of_benchmarks, benchmarks);
 *	for (;;) {
 *		... wait until ft__watch_fd(watch) is readable, ft__watch_wait_ms(watch) at most ...
 *		ft_policies_judge(policies, ft__watch_look(watch), now_s, &judgement);
 *	}
 *
 * Events tell where there are any, and timers where there are none. Whatever floods us with events, or has
 * very many processes, is looked at more rarely, so that no kind takes more than a fiftieth of a processor.
 *
 * One thread calls all of it. Source: 001 II.B; doc/manager.md, "What is seen".
 */
#ifndef FT_WATCH_WATCH_H
#define FT_WATCH_WATCH_H

#include "foretime/policy.h"

#include <sys/types.h>

struct ft__watch;

/* What is to be seen: whatever the conditions of these policies name, and nothing else. All is borrowed until
 * ft__watch_free. */
struct ft__watch_needs {
	const struct ft_policies *const *policies; /* [n] */
	size_t n;
	const char *root; /* "" or NULL: this machine; else a folder with a recorded /proc, /sys and /dev */
	bool timers;      /* as where the kernel does not tell of processes and of power */
};

/* ft__watch_new - begin to watch. What cannot be watched is no failure: ft_seen tells why.
 *
 * out  heap, ends with ft__watch_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOMEM; FT_EIO: no descriptors are left.
 */
enum ft_status ft__watch_new(struct ft__watch **out, const struct ft__watch_needs *needs, struct ft_err *err);
void ft__watch_free(struct ft__watch *watch); /* accepts NULL */

/* ft__watch_fd - readable when something may have changed: an epoll descriptor, borrowed. */
int ft__watch_fd(const struct ft__watch *watch);

/* ft__watch_wait_ms - a look is due then, though nothing is heard; -1: none is. */
int ft__watch_wait_ms(const struct ft__watch *watch);

/* ft__watch_count - processor time of benchmarks until now, since whenever (differences count), which is no
 * more others' than this process and whatever descends from it. The function may cost: it is asked only when
 * a look at the load needs it, some times a second at most. */
void ft__watch_count(struct ft__watch *watch, double (*count)(void *ctx), void *ctx);

/* ft__watch_look - what is seen now; borrowed until the next call. Never waits; costs a system call where
 * nothing has happened. Names of processes are shown as text: what is none in them is escaped. */
const struct ft_seen *ft__watch_look(struct ft__watch *watch);

#endif
