/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - what records say, as a table: today's version, this one, what is aimed at. */
#ifndef FT_BENCH_TABLE_H
#define FT_BENCH_TABLE_H

#include "record.h"

/* table_print - both sorted. Of two sets only the replays that are in both count. today NULL: there is none.
 * brief: no lines of single groups and kinds */
void table_print(const struct records *now, const struct records *today, bool brief);

#endif
