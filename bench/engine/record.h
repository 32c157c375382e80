/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - what was measured: a row for each replay, and tables of them. */
#ifndef FT_BENCH_RECORD_H
#define FT_BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Figures of a replay; NaN where a part has none. X(name) */
#define RECORD_FIELDS(X)                                                                                       \
	X(score)     /* interval score of ln value, mean over sizes */                                         \
	X(oracle)    /* that of the true quantiles */                                                          \
	X(held)      /* runs inside the interval, of those that were not handed out */                         \
	X(asked)     /* how many these are */                                                                  \
	X(held_new)  /* the same at sizes that were never measured */                                          \
	X(asked_new) /* */                                                                                     \
	X(mean)      /* relative error: the mean over sizes */                                                 \
	X(p95)       /* its 95 % quantile */                                                                   \
	X(half)      /* half the width of the interval, ln, mean over sizes */                                 \
	X(known)     /* relative error that is told of the typical run, median over sizes */                   \
	X(typical)   /* share of sizes whose typical run is within 1.645 times that */                         \
	X(cost)      /* seconds of all runs over those of the cheapest interpolant, or of the largest run */   \
	X(runs)                                                                                                \
	X(sizes)                                                                                               \
	X(rough)  /* it was said that the curve is rough */                                                    \
	X(silent) /* it was not, and p95 is over 25 % */                                                       \
	X(alarm)  /* it was, and p95 is below 10 % */                                                          \
	X(missed) /* the builder stopped, and the typical run is told to be known worse than was asked for   \
		   */ \
	X(cpu_s) /* processor time of building and fitting; part time: of one decision, mean */                \
	X(worst) /* part time: of one decision, most */

enum field {
#define RECORD_ENUM(name) FIELD_##name,
	RECORD_FIELDS(RECORD_ENUM)
#undef RECORD_ENUM
		FIELDS
};

struct record {
	char part[12], lattice[12], group[20], kind[20], name[100];
	unsigned seed;
	double value[FIELDS];
};

struct records {
	struct record *record;
	size_t n, capacity;
};

/* record_new - all figures NaN. Texts that do not fit are cut. */
struct record record_new(const char *part, const char *lattice, const char *group, const char *kind,
			 const char *name, unsigned seed);

/* record_compare - by part, lattice, group, kind, name and seed; of const struct record. */
int record_compare(const void *a, const void *b);

bool records_add(struct records *records, const struct record *record);
void records_sort(struct records *records);
void records_clear(struct records *records);

/* A CSV table with a line of names; numbers read back the same. */
bool records_write(const struct records *records, const char *path);
bool records_read(struct records *out, const char *path);

#endif
