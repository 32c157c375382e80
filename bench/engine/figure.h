/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - figures of sets of records, and the lines of the table that show them. */
#ifndef FT_BENCH_FIGURE_H
#define FT_BENCH_FIGURE_H

#include "record.h"

/* A replay by both versions. A unit is a curve: its replays stand side by side, and are averaged first. */
struct pair {
	const struct record *now, *today; /* today NULL: there is none */
	size_t unit, batch;
};

struct set {
	struct pair *pair;
	size_t n;
	double *scratch; /* [n] */
};

/* A figure of one version; NaN where there is none. */
typedef double figure(struct set *set, bool today, enum field field);

/* Over units, each with the mean of its replays. */
figure figure_median, figure_mean, figure_geometric, figure_most;

/* Over replays: the sum; the share whose value is within 20 %. */
figure figure_count, figure_within;

/* This field of what the next one counts: of all; the median of units. */
figure figure_pooled, figure_unit_pooled;

/* Now by today, over units; NaN for today. */
figure figure_ratio_median, figure_ratio_geometric;

/* By the oracle's score, over replays. */
figure figure_by_oracle, figure_by_oracle_median;

enum each { ALL, EACH_GROUP, EACH_KIND };

struct line {
	const char *part, *lattice, *kind; /* NULL: any */
	enum each each;
	const char *label;
	figure *figure;
	enum field field;
	double unit; /* the figure is shown times this */
	const char *aim;
};

extern const struct line table_line[];
extern const size_t table_lines;

#endif
