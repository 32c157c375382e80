/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - a program that the manager talks to, a line at a time, and that ends with it.
 *
 *	ft__child_start(&child, &(struct ft__child_options){.argv = argv, .scope = scope}, err);
 *	ft__child_tell(child, "run\n");
 *	... when ft__child_fd(child) is readable:
 *	while (ft__child_line(child, &line))
 *		...
 *	if (ft__child_ended(child, &end))
 *		ft__child_free(child);
 *
 * Nothing here waits, but ft__child_free and ft__children_wait. Each child has a keeper (keeper.h), which is
 * installed beside foretime-helper. */
#ifndef FT_MANAGER_CHILD_H
#define FT_MANAGER_CHILD_H

#include "manager/scope.h"

#include <sys/types.h>

enum { FT__CHILD_LINE = 65536, FT__CHILD_TAIL = 1024, FT__CHILD_UNTOLD = 65536 };

struct ft__child;

struct ft__child_options {
	const char *const *argv; /* [0] a path, or looked for in PATH; the last NULL */
	const char *directory;   /* NULL: ours */
	/* As root: whom it runs as, with his groups, HOME, USER and LOGNAME, and never more rights than his.
	 * NULL: ourselves; root is refused then, but where as_root says that it is meant. */
	const char *user;
	bool as_root;
	struct ft__scope *scope;
};

struct ft__child_end {
	int status;   /* as wait gives it */
	pid_t left;   /* of one that even SIGKILL did not end; 0: nothing is left of it */
	double cpu_s; /* of all that it started */
};

/* ft__child_start - all descriptors are ours alone: it has its standard three, no blocked and no ignored
 * signals. A program that cannot be executed is one that ended, with status 127 and the reason in its tail.
 *
 * Returns FT_OK; FT_EINVAL: no such user; FT_EACCESS: it would run as root, or we may not run it as another
 * user; FT_EUNAVAIL: no keeper, no process; FT_ENOMEM. */
enum ft_status ft__child_start(struct ft__child **out, const struct ft__child_options *options,
			       struct ft_err *err);

/* ft__child_free - what is left of it is killed, frozen or not, and waited for: some milliseconds, twenty
 * seconds where one of them is stuck in the kernel. Accepts NULL. */
void ft__child_free(struct ft__child *child);

/* ft__child_leave - the same without waiting: nothing more is heard of it, and it stands in the list of those
 * that leave (NULL at first) until it is gone. child: taken; accepts NULL. */
void ft__child_leave(struct ft__child *child, struct ft__child **leaving);

/* ft__children_gone - those that are gone are freed; where a keeper did not do in half a minute what it was
 * told it is killed itself, and what it left is its scope's to end. due_ns: when to look again though nothing
 * is heard of them, INT64_MAX: never. Returns whether nobody leaves any more. */
bool ft__children_gone(struct ft__child **leaving, int64_t *due_ns);

/* ft__children_wait - for all of them together, so many seconds at most: who is not gone by then is left to
 * his keeper, which ends him without us. */
void ft__children_wait(struct ft__child **leaving, double seconds);

/* ft__child_fd - readable: there is something to be read, told or known: lines until there is none, then
 * ft__child_ended. */
int ft__child_fd(const struct ft__child *child);

/* ft__child_line - the next whole line without its end; of a longer one than FT__CHILD_LINE the beginning.
 * Borrowed until the next call. false: there is none now. */
bool ft__child_line(struct ft__child *child, const char **line);

/* ft__child_tell - text: whole lines. What it does not take now it is told later; NULL: nothing more comes.
 *
 * Returns FT_OK; FT_EEND: it hears nothing any more; FT_ENOSPC: FT__CHILD_UNTOLD bytes wait already (nothing
 * of the text is told); FT_ENOMEM. */
enum ft_status ft__child_tell(struct ft__child *child, const char *text, struct ft_err *err);

/* ft__child_ended - whether it has, and nothing runs of what it started; its lines are read before. */
bool ft__child_ended(struct ft__child *child, struct ft__child_end *end);

/* ft__child_finish - thaw its scope, SIGTERM; after so many seconds SIGKILL to all that it started. */
void ft__child_finish(struct ft__child *child, double seconds);

/* ft__child_pid - the root of all its processes: its keeper. */
pid_t ft__child_pid(const struct ft__child *child);

/* ft__child_tail - the last of what it said on standard error, at most FT__CHILD_TAIL bytes, as it came but
 * zero bytes. Borrowed. */
const char *ft__child_tail(struct ft__child *child);

#endif
