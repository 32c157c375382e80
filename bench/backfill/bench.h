/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what the parts of bench-backfill share: jobs that are made, a queue that they wait in, and how
 * far our models are off. */
#ifndef FT_BENCH_BACKFILL_H
#define FT_BENCH_BACKFILL_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job {
	double submit_s, run_s, asked_s;
	size_t processors, user;
	/* of one simulation */
	double estimate_s, limit_s, start_s, end_s;
	bool raised; /* its estimate is raised when it is passed */
	bool killed;
};

struct jobs {
	struct job *job; /* [n] by submission */
	size_t n, processors, users;
};

/* What a model said of a run, as shares of what it took. */
struct error {
	double typical, most[2]; /* most: at a risk of 1 %, and of 5 % */
};

/* Of one program. */
struct errors {
	struct error *error; /* [n] */
	size_t n;
};

/* errors_learn - each curve (of a folder, NULL: none; and made ones of each kind) is learned from thirty runs
 * at random sizes; then all others are asked about. pool: out, [*n] heap. False: no memory. */
bool errors_learn(const char *folder, size_t curves, uint64_t seed, struct errors **pool, size_t *n);
void errors_free(struct errors *pool, size_t n);

/* A kind of workload. */
struct shape {
	const char *name;
	double median_s, users_scatter,
		own_scatter; /* of run times; scatters are standard deviations of ln */
	double over,
		over_scatter; /* by what users ask for more than they need: its median, and ln's deviation */
	double session;       /* jobs that a user submits one after another, the mean */
	size_t processors;    /* of the cluster */
	bool each;            /* each job is asked for by itself; else all of a session as one */
};

/* jobs_make - n jobs that keep so many processors so busy. False: no memory; so does jobs_run. */
bool jobs_make(struct jobs *out, const struct shape *shape, size_t n, double busy, uint64_t seed);
void jobs_free(struct jobs *jobs);

enum scheme {
	REQUESTED, /* what the user asked for */
	LAST_TWO,  /* the mean of the user's last two runs, raised when passed (Tsafrir, Etsion, Feitelson
		      2007) */
	TYPICAL,   /* the model's typical run, raised when passed */
	MOST_1_RAISED,
	MOST_5_RAISED, /* what it would request at a risk, raised when passed */
	MOST_1_KILLED,
	MOST_5_KILLED, /* the same, where the job is killed, and submitted again with what the user asked for
			*/
	EXACT,
	SCHEMES
};

struct outcome {
	double wait_s;         /* the mean */
	double slowdown;       /* bounded, at 60 s; the mean */
	double killed, wasted; /* shares: of jobs, and of the processors' time that was used */
	double busy;
};

/* jobs_run - first come, first served, with EASY backfilling. Each user's jobs are runs of one program of the
 * pool. */
bool jobs_run(struct jobs *jobs, enum scheme scheme, const struct errors *pool, size_t n, uint64_t seed,
	      struct outcome *out);

#endif
