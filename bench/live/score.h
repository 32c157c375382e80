/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.h - how good predict --load now is, of what bench/live/live --keep left. */
#ifndef FT_BENCH_LIVE_SCORE_H
#define FT_BENCH_LIVE_SCORE_H

/* score_kept - ask each store of a folder, at the sizes and beside the loads that were seen then, what
 * ft_ask_predict says under FT_LOAD_NOW, and judge it by the runs that were made there; beside it what the
 * command said then. Prints a table. Returns an exit status. */
int score_kept(const char *folder, const char *raw);

#endif
