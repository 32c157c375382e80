/* SPDX-License-Identifier: GPL-3.0-or-later */
/* former.h - what a manager left that was killed together with its keepers: frozen, it would stand for ever.
 * It is found by what that manager wrote down, and ended. */
#ifndef FT_MANAGER_FORMER_H
#define FT_MANAGER_FORMER_H

#include "manager/scope.h"

#include <jansson.h>
#include <sys/types.h>

/* ft__former_keep - what the next manager has to know of a scope to end what is in it. NULL: no memory. Cost:
 * where signals hold it, a look at all processes of the machine for each child. */
json_t *ft__former_keep(struct ft__scope *scope);

/* ft__former_process - a process, with its start, by which it is told from another one of that number. */
json_t *ft__former_process(pid_t pid);

/* ft__former_end - end it, and wait for that: some milliseconds, three seconds where one is stuck in the
 * kernel.
 *
 * kept  what ft__former_keep told, or anything; NULL: nothing was
 * user  whom benchmarks run as; as root only his processes are ended one by one, for the file is in his
 * folder left  out: how much could not be ended
 *
 * Returns how much there was: processes, and groups in which some were. A manager that still runs loses
 * nothing. */
size_t ft__former_end(const json_t *kept, uid_t user, size_t *left);

#endif
