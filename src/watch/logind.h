/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logind.h - sessions as systemd's logind knows them, through its library, which is loaded when it is asked
 * for. */
#ifndef FT_WATCH_LOGIND_H
#define FT_WATCH_LOGIND_H

#include "foretime/status.h"

#include <stdbool.h>
#include <sys/types.h>

struct ft__logind;

/* ft__logind_is_there - whether this machine's sessions are its. */
bool ft__logind_is_there(void);

/* ft__logind_open - FT_OK; FT_ENOMEM; FT_EUNAVAIL: it cannot be asked. Ends with ft__logind_close. */
enum ft_status ft__logind_open(struct ft__logind **out, struct ft_err *err);
void ft__logind_close(struct ft__logind *logind); /* accepts NULL */

/* ft__logind_fd - readable when sessions come, go or change. */
int ft__logind_fd(const struct ft__logind *logind);

/* A session of a user who is there. */
struct ft__session {
	uid_t uid;
	const char *tty;   /* "pts/3", "tty2"; NULL: it has none */
	const char *where; /* that, or its seat, or the machine that it comes from, or its number */
};

/* ft__logind_each - each session of users: neither those of services, nor the screen that asks who one is,
 * nor what its user has left. False: it cannot be told, or (errno) `see` returned false. */
bool ft__logind_each(struct ft__logind *logind, bool (*see)(void *ctx, const struct ft__session *session),
		     void *ctx);

#endif
