/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.h - where children of the manager live, with all that they start: held still, gone on with, ended,
 * weighed as one. Which way there is depends on the machine; ft__scope_way tells. */
#ifndef FT_MANAGER_SCOPE_H
#define FT_MANAGER_SCOPE_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stdint.h>

struct ft__scope;

/* ft__scope_new - name: of it, among those of this process: letters, digits, '-'. Several may be there at
 * once, but one only with children.
 *
 * Returns FT_OK; FT_ENOMEM; FT_EUNAVAIL: there is no way at all (each one's reason in the text). */
enum ft_status ft__scope_new(struct ft__scope **out, const char *name, struct ft_err *err);

/* ft__scope_free - its children were freed before; what a keeper that was killed left is ended, and waited
 * for, some seconds at most. Accepts NULL. */
void ft__scope_free(struct ft__scope *scope);

/* ft__scope_way - how it holds what is in it, and why no better: one line. Borrowed. */
const char *ft__scope_way(const struct ft__scope *scope);

/* ft__scope_freeze, ft__scope_thaw - stop all that is in it, and let it go on: children of it that start
 * meanwhile, too. Neither waits. What stood before it was frozen stands when it is thawed. Twice is once. */
enum ft_status ft__scope_freeze(struct ft__scope *scope, struct ft_err *err);
enum ft_status ft__scope_thaw(struct ft__scope *scope, struct ft_err *err);

/* ft__scope_weigh - dedicated: its share of the processor, as any other program. Else, and from the
 * beginning, only what nobody else wants, as far as the way can. */
void ft__scope_weigh(struct ft__scope *scope, bool dedicated);

/* ft__scope_limit - memory that what is in it may have beside what it has now; 0: any. Who wants more is
 * ended by the kernel, the largest first. false: the way cannot, and its sentence says so. */
bool ft__scope_limit(struct ft__scope *scope, double bytes);

/* ft__scope_clean - what keepers that were killed left is ended, as far as that is due. due_ns: when to call
 * it again, INT64_MAX: never. Returns whether nothing of it runs. Never waits.
 *
 * Whatever descends from this process is taken for left that does not descend from a child of this scope, or
 * from one that it had when the scope was made. */
bool ft__scope_clean(struct ft__scope *scope, int64_t *due_ns);

/* ft__scope_fd - readable when ft__scope_frozen may tell something new, until it is asked; -1: the children's
 * own descriptors are. */
int ft__scope_fd(const struct ft__scope *scope);

/* ft__scope_frozen - whether nothing in it runs, as far as was heard. */
bool ft__scope_frozen(struct ft__scope *scope);

/* ft__scope_frozen_s - for how long it has stood still since it was last frozen: until now, or until it was
 * thawed. */
double ft__scope_frozen_s(struct ft__scope *scope);

/* ft__scope_cpu_s - processor seconds that its children used since it was made, those that ended among
 * them. NaN: nobody can tell. */
double ft__scope_cpu_s(const struct ft__scope *scope);

#endif
