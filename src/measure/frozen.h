/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frozen.h - how long a run stood still, because somebody made us and all that we started do so. */
#ifndef FT_MEASURE_FROZEN_H
#define FT_MEASURE_FROZEN_H

#include <stdbool.h>

/* Who tells of it: ft_source_frozen. */
struct ft__frozen {
	double (*heard_s)(void *ctx); /* NULL: nobody */
	void *ctx;
};

/* A run, as foretime sees it from outside. */
struct ft__still {
	const struct ft__frozen *frozen; /* NULL: nobody tells */
	double began_s;                  /* by ft_clock_s */
	double stood_s;                  /* since then */
};

/* ft__still_begin - what was told before counts for nothing. */
void ft__still_begin(struct ft__still *still, const struct ft__frozen *frozen);

/* ft__still_hear - it goes on; ft__still_end: it took so many seconds, by the helper's clock. */
void ft__still_hear(struct ft__still *still);
void ft__still_end(struct ft__still *still, double wall_s);

/* ft__still_over - whether a time limit has passed. limit_s <= 0: none */
bool ft__still_over(const struct ft__still *still, double limit_s);

#endif
