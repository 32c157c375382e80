/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroups.h - the control groups around this process, of version 1 and 2. */
#ifndef FT_MEASURE_CGROUPS_H
#define FT_MEASURE_CGROUPS_H

#include <limits.h>
#include <stdbool.h>

/* ft__cgroups_walk - call see for the group that a controller has us in, and for all around it; also for
 * folders that may not be there.
 *
 * root        "" for this machine, or a folder that holds a recorded /proc and /sys
 * controller  as version 1 calls it: "memory", "cpu"
 * version     1 or 2: they call their files differently
 * folder      without root
 */
void ft__cgroups_walk(const char *root, const char *controller,
		      void (*see)(void *ctx, int version, const char *folder), void *ctx);

/* ft__cgroups_own - the folder of the group that a controller has us in, of version 1 where it is there; with
 * root in front. Below it go the groups that helpers made (own_group.h), are empty, and whose helper is gone.
 *
 * Returns false where there is none that we may make others in. */
bool ft__cgroups_own(const char *root, const char *controller, char folder[PATH_MAX]);

#endif
