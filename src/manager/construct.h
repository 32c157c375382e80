/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct.h - models that build themselves when nobody is disturbed (001 II.B): the problems of the
 * configuration, a sweep for each that is at work, and the one benchmark that runs.
 *
 * Nothing here waits, but ft__construct_free. Whoever owns it waits for ft__construct_fd, and for no longer
 * than ft__construct_wait_ms, and calls ft__construct_run. */
#ifndef FT_MANAGER_CONSTRUCT_H
#define FT_MANAGER_CONSTRUCT_H

#include "base/text.h"
#include "manager/config.h"
#include "tell/manager.h"

struct ft__construct;

struct ft__construct_options {
	const char *command;    /* the foretime that builds */
	const char *store_path; /* absolute */
	const char *state_path; /* where turns and places are kept; NULL: nowhere */
	bool always;            /* whatever policies say, and each problem once: 001's first mode */
	bool dedicated;         /* benchmarks have their share of the processors; else what others leave */
	/* What happens; borrowed during the call. */
	void (*tell)(void *ctx, const struct ft_told_event *event);
	/* How often a program was asked about so far; NULL: nobody counts. */
	uint64_t (*asked)(void *ctx, const char *name);
	void *ctx;
};

/* ft__construct_new - begin. options: texts are borrowed. config: borrowed until another one is given.
 *
 * Returns FT_OK; FT_EUNAVAIL: there is no way to hold a benchmark; FT_EINVAL: there is no such user;
 * FT_ENOMEM.
 */
enum ft_status ft__construct_new(struct ft__construct **out, const struct ft__construct_options *options,
				 const struct ft_manager_config *config, struct ft_err *err);

/* ft__construct_free - the sweep at work is told to end, the others leave, and all are waited for together,
 * fifteen seconds at most: what is finished is in the store. Accepts NULL. */
void ft__construct_free(struct ft__construct *construct);

int ft__construct_fd(const struct ft__construct *construct);
int ft__construct_wait_ms(const struct ft__construct *construct);
void ft__construct_run(struct ft__construct *construct);

/* ft__construct_take - another configuration: problems that stay keep how they stand, and their sweeps. On
 * failure the one before stays. FT_OK; as ft__construct_new. */
enum ft_status ft__construct_take(struct ft__construct *construct, const struct ft_manager_config *config,
				  struct ft_err *err);

/* ft__construct_stale - runs were added to the store: sweeps look before they go on. */
void ft__construct_stale(struct ft__construct *construct);

/* What the store says of a program (ft_store_get_state). */
struct ft__state {
	char *name;  /* heap */
	char *state; /* ends with free; NULL: not known */
};

/* ft__construct_built - the problems whose models are built. Heap, [n]; NULL: none, or no memory.
 * ft__construct_give - where the store says something else than it did when one was built, others have added
 * to it: it is looked at again. */
struct ft__state *ft__construct_built(const struct ft__construct *construct, size_t *n);
void ft__construct_give(struct ft__construct *construct, const struct ft__state *state, size_t n);

/* ft__construct_stop - hold a problem of the configuration, whatever its policies say: what runs of it is
 * ended; or let it go on. That is kept beside the store. FT_OK, also where it is so already; FT_ENOENT: there
 * is no such problem. */
enum ft_status ft__construct_stop(struct ft__construct *construct, const char *name, bool stop,
				  struct ft_err *err);

/* ft__construct_over - whether nothing is left to run, and nothing runs. failed: problems without a model. */
bool ft__construct_over(const struct ft__construct *construct, size_t *failed);

/* ft__construct_quiet - whether nothing of it runs, or all stands still. */
bool ft__construct_quiet(const struct ft__construct *construct);

/* ft__construct_told - how it stands. told->problem: heap, [told->n]; ends with ft_free; what it points to is
 * borrowed until the next run. FT_OK; FT_ENOMEM. */
enum ft_status ft__construct_told(struct ft__construct *construct, struct ft_told_benchmarks *told,
				  struct ft_err *err);

/* ft__construct_day - what its configuration means for the day to come, and what is seen now. Ends with
 * ft__day_clear; cleared on failure. FT_OK; FT_ENOMEM. */
enum ft_status ft__construct_day(struct ft__construct *construct, struct ft_told_day *told,
				 struct ft_err *err);

/* ft__construct_health - its part of it; texts are borrowed until the next run. */
void ft__construct_health(const struct ft__construct *construct, struct ft_told_health *told);

/* ft__construct_metrics - as Prometheus reads them. */
void ft__construct_metrics(const struct ft__construct *construct, struct ft_text *out);

/* ft__construct_state - where turns and places are kept: beside the store. Heap; NULL: no memory. */
char *ft__construct_state(const char *store_path);

#endif
