/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rights.h - root in the folder of a user: whoever may write there chooses where its links lead, so that
 * files are touched with his rights, and with no more. */
#ifndef FT_MANAGER_RIGHTS_H
#define FT_MANAGER_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/* ft__rights_take - this thread has the rights of a user with files, until ft__rights_back. Nothing changes
 * where the user is (uid_t)-1, or we are not root. false: they cannot be had, and nothing has changed. */
bool ft__rights_take(uid_t user, gid_t group);
void ft__rights_back(void);

#endif
