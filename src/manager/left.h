/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left.h - what descends from us, and from no keeper any more: a keeper that was killed left it. */
#ifndef FT_MANAGER_LEFT_H
#define FT_MANAGER_LEFT_H

#include "foretime/status.h"
#include "measure/tree.h"

#include <stdbool.h>
#include <stdint.h>

struct ft__scoped;

struct ft__left {
	struct ft__tree tree;
	pid_t *before; /* [n] children that we had before, and that are not ours to end */
	size_t n, capacity;
	int64_t look_ns, rest_ns; /* when it is looked for again (0: nothing is left); how long after that */
	bool moves;               /* some of it may still run */
};

/* ft__left_open - from now on what a child of ours leaves becomes our child (prctl(2),
 * PR_SET_CHILD_SUBREAPER). FT_OK; FT_ENOMEM. */
enum ft_status ft__left_open(struct ft__left *left, struct ft_err *err);
void ft__left_close(struct ft__left *left);

/* ft__left_expect - something may be left. */
void ft__left_expect(struct ft__left *left);

/* ft__left_end - SIGKILL to all that is left, whatever now is; what has ended is waited for. It does not wait
 * itself. keepers: those whose descendants stay. Returns whether nothing is left. Cost: a look at all
 * processes of the machine. */
bool ft__left_end(struct ft__left *left, const struct ft__scoped *keepers);

#endif
