/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - what tools of others print, which are run for that: without a shell, and never for ever. */
#ifndef FT_CLI_CHILD_H
#define FT_CLI_CHILD_H

#include <stddef.h>

/* A command and what came of it. Zero-initialise; argv is the only field that must be set. Ends with
 * cli_child_clear. */
struct cli_child {
	const char *const *argv;        /* ends with NULL; found in PATH */
	const char *const *environment; /* "TZ=UTC": in place of ours; ends with NULL. NULL: ours */
	double limit_s;                 /* it is ended after so long; 0: 60 s */
	/* as it was */
	char *text; /* what it printed, and a zero byte; not NULL after cli_child_run */
	size_t length;
	char *words; /* likewise on standard error */
	int status; /* with which it ended; -1: it could not be started (missing), or was ended by us, or by a
		       signal */
	int missing; /* there is no such command */
	int late;    /* it did not end in time */
	int much;    /* it printed more than is kept */
};

/* cli_child_run - run it. Returns CLI_DONE where it ended with status 0, CLI_INTERRUPTED, else CLI_WRONG:
 * nothing is said of that. More than 256 MiB are wrong, too. */
int cli_child_run(struct cli_child *child);

/* cli_child_fail - complain of one that did not end well, with the last line that it wrote to standard error;
 * hint: what to do about it. Returns CLI_WRONG. */
int cli_child_fail(const struct cli_child *child, const char *hint);

void cli_child_clear(struct cli_child *child); /* accepts twice */

#endif
