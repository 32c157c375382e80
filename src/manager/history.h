/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - the load of others, recorded all the while, as foretime machine load record does: what the
 * manager itself runs is not in it. */
#ifndef FT_MANAGER_HISTORY_H
#define FT_MANAGER_HISTORY_H

#include "manager/worker.h"

#include <stdbool.h>

struct ft__history;

/* All is borrowed. */
struct ft__history_options {
	const struct ft__store_at *at;
	struct ft__worker *worker;
	double period_s;       /* 0: the usual one */
	const char *load_path; /* a file that has them, too, at each period; NULL: none */
	size_t most;           /* observations in it; 0: what predictions use */
	void (*complain)(void *ctx, const struct ft_err *err); /* the file cannot be written: once */
	void *ctx;
};

/* ft__history_new - begin.
 *
 * Returns FT_OK; FT_EUNAVAIL: the load of others cannot be told from ours here; FT_ENOMEM. */
enum ft_status ft__history_new(struct ft__history **out, const struct ft__history_options *options,
			       struct ft_err *err);
void ft__history_free(struct ft__history *history); /* after the worker; accepts NULL */

int ft__history_wait_ms(const struct ft__history *history);

/* ft__history_run - look, if it is time. quiet: nothing of ours runs. */
void ft__history_run(struct ft__history *history, bool quiet);

unsigned long ft__history_count(const struct ft__history *history); /* observations that were kept */

#endif
