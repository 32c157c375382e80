/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - a builder against a ground of runs, and the marks that its model gets. */
#ifndef FT_BENCH_ENGINE_REPLAY_H
#define FT_BENCH_ENGINE_REPLAY_H

#include "record.h"
#include "subject.h"

/* What can be run. */
struct ground {
	const double *size; /* [n] ascending */
	size_t n;
	bool strided; /* they are all integers between the first and the last */
	double (*work)(void *ctx, double x);
	/* The k-th run of size i, made as the turn-th of all; NaN: none is left. */
	double (*seconds)(const void *ctx, size_t i, size_t k, size_t turn);
	void *ctx;
	double tolerance;
};

struct replay {
	size_t *used;            /* [ground.n] runs handed out */
	struct subject_run *run; /* [n] in that order */
	size_t n, capacity;
	double cost, cpu_s, tolerance;
	struct subject *subject;
};

/* replay_build - build, and model what was handed out; ends with replay_clear, also on failure. */
enum ft_status replay_build(struct replay *out, const struct ground *ground, struct ft_err *err);

/* replay_hand_out - one more run of size i; false: none is left. */
bool replay_hand_out(struct replay *replay, const struct ground *ground, size_t i);

void replay_clear(struct replay *replay);

/* What is said of single sizes, gathered. */
struct marks {
	double score, oracle, half, weight, held, asked, held_new, asked_new;
	bool is_typical;       /* errors are those of the typical run, not of some runs' median */
	double *error, *known; /* [n] */
	size_t n;
};

/* An interval of ln value. */
struct range {
	double lower, upper;
};

/* range_of - what was answered; it reaches to a ten-thousandth of the value at most. */
struct range range_of(const struct subject_answer *answer);

/* range_score - how far a value is outside counts 2 / alpha = 20 times (Gneiting and Raftery, Strictly proper
 * scoring rules, prediction, and estimation, 2007, section 6.2). */
double range_score(struct range range, double ln);

double cpu_now(void); /* of this process, seconds */

/* marks_record - into the figures of a replay. */
void marks_record(struct marks *marks, const struct replay *replay, size_t sizes, struct record *record);

#endif
