/* SPDX-License-Identifier: GPL-3.0-or-later */
/* systemd.h - a scope of systemd's around this process, in which control groups are ours to make: a user's
 * session has none that he may divide. Over sd-bus(3), whose library is loaded when it is asked for. */
#ifndef FT_MANAGER_SYSTEMD_H
#define FT_MANAGER_SYSTEMD_H

#include "foretime/status.h"

#include <stdbool.h>

/* ft__systemd_wanted - whether systemd has the groups of this machine, and the one that we are in is not
 * ours; why: why not. */
bool ft__systemd_wanted(struct ft_err *why);

/* ft__systemd_move - into a transient scope, of the user's manager, as root of the system's. It waits for
 * three seconds at most, whatever the bus does.
 *
 * unit  "NAME.scope"
 *
 * FT_OK; FT_EUNAVAIL: we are where we were. */
enum ft_status ft__systemd_move(const char *unit, struct ft_err *why);

#endif
