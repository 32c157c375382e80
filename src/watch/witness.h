/* SPDX-License-Identifier: GPL-3.0-or-later */
/* witness.h - processes by which conditions hold: a few for each, whatever their number. */
#ifndef FT_WATCH_WITNESS_H
#define FT_WATCH_WITNESS_H

#include "watch/source.h"
#include "watch/users.h"

/* Of a condition: one suffices to hold it, and while others are left nothing has to be looked for when it
 * ends. Of many conditions each has one. */
enum { FT__WITNESSES = 8, FT__WITNESSES_ALL = 512 };

struct ft__witness {
	pid_t pid;
	int end;          /* readable when it has ended; -1: nobody tells */
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

/* ft__witnesses_drop - the i-th, whose place another takes. Returns whether a condition is left with none. */
bool ft__witnesses_drop(struct ft__witnesses *set, size_t i);

/* ft__witnesses_tell - all of them, behind the n that there are. */
void ft__witnesses_tell(const struct ft__witnesses *set, struct ft_seen_process *seen, size_t *n);

#endif
