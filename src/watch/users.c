/* SPDX-License-Identifier: GPL-3.0-or-later */
/* users.c - names of users, kept. */
#include "watch/users.h"

#include <pwd.h>
#include <stdio.h>

enum { ENTRY_BYTES = 16384 };

static void find_name(struct ft__owner *user)
{
	char bytes[ENTRY_BYTES];
	struct passwd entry, *found = NULL;

	if (!getpwuid_r(user->uid, &entry, bytes, sizeof bytes, &found) && found && *found->pw_name)
		(void)snprintf(user->name, sizeof user->name, "%s", found->pw_name);
	else
		(void)snprintf(user->name, sizeof user->name, "%u", (unsigned)user->uid);
}

struct ft__owner *ft__owner_get(struct ft__users *users, uid_t uid, bool *fresh)
{
	struct ft__owner *user = &users->user[uid % FT__USERS_KEPT];

	*fresh = !user->known || user->uid != uid;
	if (*fresh) {
		*user = (struct ft__owner){.uid = uid, .known = true};
		find_name(user);
	}
	return user;
}
