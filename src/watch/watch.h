/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.h - the users and background load of this machine at a moment, for policies: the public header of
 * the room.
 *
 *	ft__watch_new(&watch, &needs, err);
 *	ft__watch_count(watch, cpu_s_of_benchmarks, benchmarks);
 *	for (;;) {
 *		... wait until ft__watch_fd(watch) is readable, ft__watch_wait_ms(watch) at most ...
 *		ft_policies_judge(policies, ft__watch_look(watch), now_s, &judgement);
 *	}
 *
 * Events are used if there are any, else timers. Sources with floods of events, or very many processes, are
 * looked at more rarely, so that no kind takes more than a fiftieth of a processor.
 *
 * One thread calls all of it. Source: 001 II.B; doc/manager.md, "Conditions".
 */
#ifndef FT_WATCH_WATCH_H
#define FT_WATCH_WATCH_H

#include "policy/door.h"

#include <sys/types.h>

struct ft__watch;

/* What to observe: all that the conditions of these policies name, and nothing else. All is borrowed until
 * ft__watch_free. */
struct ft__watch_needs {
	const struct ft_policies *const *policies; /* [n] */
	size_t n;
	const char *root; /* "" or NULL: this machine; else a folder with a recorded /proc, /sys and /dev */
	bool timers;      /* as if the kernel had no events of processes and of power */
};

/* ft__watch_new - begin to watch. Something that cannot be watched is no failure: ft_seen has the reason.
 *
 * out  heap, ends with ft__watch_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOMEM; FT_EIO: no descriptors are left.
 */
enum ft_status ft__watch_new(struct ft__watch **out, const struct ft__watch_needs *needs, struct ft_err *err);
void ft__watch_free(struct ft__watch *watch); /* accepts NULL */

/* ft__watch_fd - readable when something may have changed: an epoll descriptor, borrowed. */
int ft__watch_fd(const struct ft__watch *watch);

/* ft__watch_wait_ms - the time until a look is due without an event; -1: none. */
int ft__watch_wait_ms(const struct ft__watch *watch);

/* ft__watch_count - set the function that returns the processor time of benchmarks until now, from any
 * origin (differences count); like that of this process and its descendants, it is not counted as other
 * users' time. It may be slow: it is called only when a look at the load needs it, some times a second at
 * most. */
void ft__watch_count(struct ft__watch *watch, double (*count)(void *ctx), void *ctx);

/* ft__watch_look - the present observations; borrowed until the next call. Never waits; costs a system
 * call if nothing has happened. Names of processes are shown as text: other bytes are escaped. */
const struct ft_seen *ft__watch_look(struct ft__watch *watch);

#endif
