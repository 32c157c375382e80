/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.h - what is judged: the few calls that differ between versions of the engine. subject.c is this
 * version's; subject-7880672.c is that of the version that it is compared with (tools/baseline).
 */
#ifndef FT_BENCH_SUBJECT_H
#define FT_BENCH_SUBJECT_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

extern const char *const subject_name;

enum { SUBJECT_ASK_MOST = 256 };

/* One run. */
struct subject_run {
	double x, work, seconds;
};

/* What a builder may ask for. sizes [n] ascending: all of them; NULL: every integer least .. most */
struct subject_space {
	double least, most;
	const double *sizes;
	size_t n;
	double (*work)(void *ctx, double x); /* > 0 */
	void *ctx;
	double tolerance;
	double budget; /* seconds; 0: the builder's own */
};

/* Builders: asked and told as ft_builder_*; seconds [n] are all runs of a size so far. */
struct subject_builder;
enum ft_status subject_open(struct subject_builder **out, const struct subject_space *space,
			    struct ft_err *err);
size_t subject_ask(struct subject_builder *builder, double *sizes, size_t most);
enum ft_status subject_tell(struct subject_builder *builder, double x, const double *seconds, size_t n,
			    struct ft_err *err);
void subject_close(struct subject_builder *builder);

/* Models of runs in the order in which they were measured. space: which sizes may be asked for, for what is
 * told of the whole curve; NULL: any. */
struct subject;
enum ft_status subject_fit(struct subject **out, const struct subject_run *run, size_t n,
			   const struct subject_space *space, struct ft_err *err);
void subject_free(struct subject *subject);

struct subject_answer {
	double value, lower, upper; /* holds 90 % of single runs */
	double known; /* how well the typical run is known, relative, one standard deviation; NaN: not told */
};

enum ft_status subject_predict(struct subject *subject, double x, double work, struct subject_answer *out,
			       struct ft_err *err);
bool subject_rough(const struct subject *subject);

/* How well it tells the typical run to be known: 95 % of what may be asked for, relative; NaN: not told. */
double subject_known(const struct subject *subject);

/* What `fit` says of x: the law of the runs alone. */
enum ft_status subject_law(const struct subject_run *run, size_t n, double x, double *value,
			   struct ft_err *err);

#endif
