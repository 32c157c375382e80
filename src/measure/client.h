/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - foretime's side of the talk with foretime-helper. */
#ifndef FT_MEASURE_CLIENT_H
#define FT_MEASURE_CLIENT_H

#include "foretime/status.h"
#include "measure/frozen.h"
#include "measure/helper.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ft__client {
	int socket;   /* -1: no helper */
	int heard[2]; /* what children write to standard output and error, to be read without waiting; -1: it
			 goes where ours goes */
	pid_t helper;
	struct ft__still still; /* of the run that goes on */
	int ended; /* how it ended, as from wait(2), once it is closed; of one that was lost see guard.h */
};

/* What else is listened to while a run goes on: hear is called when one of the files can be read, and every
 * FT__LISTEN_MS. */
enum { FT__EAR_FILES = 8, FT__LISTEN_MS = 20 };

struct ft__ear {
	void (*hear)(void *ctx);
	size_t (*files)(void *ctx, int file[FT__EAR_FILES]); /* asked each time */
	void *ctx;
};

/* What is told of a run while it goes on. */
struct ft__hearing {
	/* file  what the child reports to, the hearer's from now on; -1: not this time */
	void (*news)(struct ft__hearing *hearing, const struct ft__news *news, int file);
	bool end; /* set by the hearer: the run is to be ended */
};

/* What to execute, and how; all borrowed. */
struct ft__order {
	const char *file;
	char **argv;
	unsigned flags; /* enum ft__request_flag */
	double limit_s, sample_s;
	const volatile sig_atomic_t *interrupt; /* may be NULL */
	const struct ft__frozen *frozen; /* limit_s is held by foretime where somebody tells; may be NULL */
	volatile sig_atomic_t *signal;   /* to pass on; may be NULL */
	struct ft__ear *ear;             /* may be NULL */
	struct ft__hearing *hearing;     /* with FT__NEWS and an ear; else NULL */
};

struct ft__answer {
	struct ft__reply reply;
	double frozen_s; /* of reply.wall_s, that it stood still */
	char *detail;    /* as written, with a zero byte behind */
	int report;      /* a file of what it reported; < 0: nothing, or it could not be handed over */
	struct ft__moment *trace; /* [n_moments] */
	size_t n_moments;
};

/* How a helper, and with it its children, are started. */
struct ft__setup {
	int threads;   /* > 0: they find it in OMP_NUM_THREADS and the like */
	int output;    /* > 0: this file is their standard output, with FT__KEEP_OUTPUT */
	bool overhear; /* what they write, with FT__PASS_THROUGH, comes to struct ft__client, heard */
	bool fixed;    /* the environment is always the same: see ft__launch_helper */
	bool real;     /* of struct ft_launch */
};

/* ft__client_open - start a helper. Ends with ft__client_close.
 *
 * setup  NULL: nothing special
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, or it does not start, or it is of another version; FT_ENOMEM.
 */
enum ft_status ft__client_open(struct ft__client *client, const struct ft__setup *setup, struct ft_err *err);
void ft__client_close(struct ft__client *client); /* twice, too */

/* ft__client_wait - of a helper that was lost in a real run: wait for the program. signal: to pass on; may be
 * NULL. Returns how it ended, as from wait(2). */
int ft__client_wait(struct ft__client *client, volatile sig_atomic_t *signal);

/* ft__client_pin - "0-3,6": where children may run. FT_EINVAL: not such a list, or a processor that there is
 * not. */
enum ft_status ft__client_pin(struct ft__client *client, const char *processors, struct ft_err *err);

/* ft__client_count - what the runs to come count. error [n] out: the errno of an attempt at each; 0: it
 * counts. */
enum ft_status ft__client_count(struct ft__client *client, const struct perf_event_attr *attr, size_t n,
				int *error, struct ft_err *err);

/* ft__client_run - execute and wait. The answer ends with ft__answer_clear; cleared on failure.
 *
 * Returns FT_OK, whatever became of the program; FT_EIO: the helper is lost: it is closed, but in a real run,
 * where ft__client_wait may follow; FT_ENOMEM.
 */
enum ft_status ft__client_run(struct ft__client *client, const struct ft__order *order,
			      struct ft__answer *answer, struct ft_err *err);

/* ft__client_start, ft__client_finish - the same in two steps: the order is sent; the answer is waited for.
 */
enum ft_status ft__client_start(struct ft__client *client, const struct ft__order *order, struct ft_err *err);
enum ft_status ft__client_finish(struct ft__client *client, const struct ft__order *order,
				 struct ft__answer *answer, struct ft_err *err);
/* ft__answer_wall_s - how long it ran, but for that; below 0: what was told cannot be. */
double ft__answer_wall_s(const struct ft__answer *answer);
void ft__answer_clear(struct ft__answer *answer);

#endif
