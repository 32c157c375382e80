/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.h - what is judged: the few calls that differ between versions. subject.c is this version's;
 * subject-7880672.c is that of the version that it is compared with (tools/baseline surfaces).
 */
#ifndef FT_BENCH_SURFACES_SUBJECT_H
#define FT_BENCH_SURFACES_SUBJECT_H

#include "foretime/facts.h"

#include <stdbool.h>

extern const char *const subject_name;

/* One run. */
struct subject_run {
	struct ft_size size;
	double seconds, footprint_bytes; /* 0: not known */
};

/* Sizes that a builder may ask for: on each axis those listed, or every integer least .. most. */
struct subject_axis {
	double least, most;
	const double *sizes; /* [n] ascending; NULL: every integer */
	size_t n;
};

/* Builders with a tolerance of 10 %, asked for one size at a time; false: it is done, or failed. */
struct subject_builder;
struct subject_builder *subject_open(const struct subject_axis *axis, size_t params); /* NULL: none */
bool subject_ask(struct subject_builder *builder, struct ft_size *size);
bool subject_tell(struct subject_builder *builder, const struct ft_size *size, const double *seconds,
		  size_t n, double footprint_bytes);
void subject_close(struct subject_builder *builder);

/* Models of runs in the order in which they were measured. type: of model; NULL: the usual one. */
struct subject;
struct subject *subject_fit(const struct subject_run *run, size_t n, const char *type); /* NULL: none */
void subject_free(struct subject *subject);

struct subject_answer {
	double value, lower, upper; /* holds 90 % of single runs */
};

bool subject_predict(const struct subject *subject, const struct ft_size *size, struct subject_answer *out);
double subject_told(const struct subject *subject); /* how well the curve is said to be known, a share */
bool subject_rough(const struct subject *subject);

#endif
