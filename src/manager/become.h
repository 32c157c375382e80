/* SPDX-License-Identifier: GPL-3.0-or-later */
/* become.h - inside the keeper: from a copy of it to the child. */
#ifndef FT_MANAGER_BECOME_H
#define FT_MANAGER_BECOME_H

#include <stdbool.h>
#include <sys/types.h>

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

/* ft__become_read - options of keeper.h, "--", and a command. */
bool ft__become_read(struct ft__become *become, char **argv);

/* ft__become_last - write what is to be written at the end. */
void ft__become_last(const struct ft__become *become);

/* ft__become - it has a session of its own before `session` is closed. It ends with the keeper, its parent.
 * What failed is said on standard error: status 127, or 126 where it would run as whom it must not. */
_Noreturn void ft__become(const struct ft__become *become, pid_t keeper, int session);

#endif
