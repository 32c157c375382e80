/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rights.c - the rights of another user, with files alone: setfsuid(2), which is of one thread. */
#include "manager/rights.h"

#include <sys/fsuid.h>
#include <unistd.h>

/* What fails is not told: whether it did is asked with an identity that there is not. */
bool ft__rights_take(uid_t user, gid_t group)
{
	if (user == (uid_t)-1 || geteuid())
		return true;
	(void)setfsgid(group);
	(void)setfsuid(user);
	if ((uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group)
		return true;
	ft__rights_back();
	return false;
}

void ft__rights_back(void)
{
	(void)setfsuid(geteuid());
	(void)setfsgid(getegid());
}
