/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - how a program is executed, as far as that decides what its start-up takes. */
#ifndef FT_MEASURE_FORMAT_H
#define FT_MEASURE_FORMAT_H

#include "foretime/status.h"

#include <stddef.h>

enum { FT__FORMAT_PATH = 4096, FT__FORMAT_WORDS = 4 };

/* ft__format_empty - the command that starts as a program does, and then does nothing: an empty executable,
 * static or dynamic; or its interpreter with an empty script.
 *
 * argv   the program's, as it would be executed; argv[0] is a path
 * path   out: space for the words of empty
 * empty  out: the command, NULL at the end; points into path and argv
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, as for another architecture or C library. */
enum ft_status ft__format_empty(const char *const *argv, char path[FT__FORMAT_PATH],
				const char *empty[FT__FORMAT_WORDS + 1], struct ft_err *err);

#endif
