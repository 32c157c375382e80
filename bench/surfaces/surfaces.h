/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surfaces.h - the two parts of the bench. */
#ifndef FT_BENCH_SURFACES_H
#define FT_BENCH_SURFACES_H

#include <stdint.h>

/* cliffs, beyond - print their tables. type: of model; NULL: the usual one. */
void cliffs(uint64_t seeds, const char *type);
void beyond(uint64_t seeds, const char *type);

#endif
