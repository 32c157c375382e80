/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h - inside the helper: a second process, the parent of the one that watches.
 *
 * A program may end its parent process. What it leaves behind then becomes the guard's, which ends it; of a
 * real run it waits for the program and ends as that did.
 */
#ifndef FT_MEASURE_GUARD_H
#define FT_MEASURE_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/* How the guard ends when the helper was ended, and the run was not real. */
enum { FT__GUARD_NOTHING_LEFT = 2, FT__GUARD_SOME_LEFT = 3 };

/* ft__guard_fork - become two processes; returns in the one that is to watch, also where there cannot be
 * another.
 *
 * real  of struct ft_launch
 *
 * Returns where the number of a real program has to stand as long as it runs, 0 else: both see it. */
volatile pid_t *ft__guard_fork(bool real);

#endif
