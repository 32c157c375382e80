/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moment.h - moments of the wall clock as text: ISO 8601, UTC, to the nanosecond. */
#ifndef FT_BASE_MOMENT_H
#define FT_BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum { FT__MOMENT_LENGTH = 48 };

/* ft__moment_format - nanoseconds since 1970 as "2026-01-31T12:00:00.123456789Z"; 0 as an empty text. */
char *ft__moment_format(int64_t ns, char buffer[FT__MOMENT_LENGTH]);

/* ft__moment_parse - the same back; fewer decimals, a blank for T, and no Z are accepted. */
bool ft__moment_parse(const char *text, int64_t *ns);

#endif
