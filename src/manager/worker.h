/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.h - the thread that waits for the store and for fits, so that no request does.
 *
 * The serving thread posts jobs and is told when they are done, by a descriptor of its loop. The worker also
 * looks whether others changed the store. */
#ifndef FT_MANAGER_WORKER_H
#define FT_MANAGER_WORKER_H

#include "foretime/store.h"

#include <stdbool.h>
#include <sys/types.h>

struct ft__worker;

/* A store, and whose it is. */
struct ft__store_at {
	char *path; /* absolute, heap; as root without links */
	uid_t user; /* as root whom benchmarks run as; (uid_t)-1: ours, or anybody's */
	gid_t group;
	const struct ft_prior *prior; /* of its models; NULL: the built-in one */
};

/* ft__store_at_open - as ft_store_open. As root with no more rights than its user's, who may write the
 * folder: FT_EACCESS where it is a link since, or another user's. */
enum ft_status ft__store_at_open(const struct ft__store_at *at, struct ft_store **out, unsigned flags,
				 struct ft_err *err);

/* A part of a struct of whoever posts it; his again when `done` is called. */
struct ft__task {
	void (*work)(struct ft__task *task, struct ft_store *store); /* by the worker. store: its own, to
								      read; NULL: it cannot be opened now */
	void (*done)(struct ft__task *task);                         /* by the serving thread */
	struct ft__task *next;
	bool slow; /* it may take a second: the others and those like it take turns */
};

/* ft__worker_new - changed: called by the serving thread when others changed the store, once a second at
 * most. at: borrowed. FT_OK; FT_EUNAVAIL: no thread, no descriptor; FT_ENOMEM. */
enum ft_status ft__worker_new(struct ft__worker **out, const struct ft__store_at *at,
			      void (*changed)(void *ctx), void *ctx, struct ft_err *err);

/* ft__worker_free - waits for the task at work; those that were not begun are done without it. Accepts NULL.
 */
void ft__worker_free(struct ft__worker *worker);

/* ft__worker_health - FT_OK, or what was wrong with the store when it was last looked at: it is read whole
 * after changes, for a twentieth of the worker's time at most. */
enum ft_status ft__worker_health(struct ft__worker *worker, struct ft_err *err);

void ft__worker_post(struct ft__worker *worker, struct ft__task *task);
int ft__worker_fd(const struct ft__worker *worker); /* readable: there is something done */
void ft__worker_finish(struct ft__worker *worker);  /* call `done` of all that are, and `changed` */

#endif
