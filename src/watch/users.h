/* SPDX-License-Identifier: GPL-3.0-or-later */
/* users.h - names of users, kept: asking for one may go over a network. */
#ifndef FT_WATCH_USERS_H
#define FT_WATCH_USERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { FT__USER_LENGTH = 257, FT__USERS_KEPT = 256 };

struct ft__owner {
	uid_t uid;
	bool known;
	bool counts;                /* the caller's: a condition holds by him */
	char name[FT__USER_LENGTH]; /* his number where he has none */
};

struct ft__users {
	struct ft__owner user[FT__USERS_KEPT]; /* a user has one place, which others may take */
};

/* ft__owner_get - borrowed until another is asked for; *fresh: he was not known, and the caller's are false.
 */
struct ft__owner *ft__owner_get(struct ft__users *users, uid_t uid, bool *fresh);

#endif
