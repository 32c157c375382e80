/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.h - inside the keeper: all its descendants stopped by signals, and kept so. */
#ifndef FT_MANAGER_HOLD_H
#define FT_MANAGER_HOLD_H

#include "measure/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise, then ft__hold_open. */
struct ft__hold {
	struct ft__tree tree;
	pid_t *held; /* [n] those that we stopped, in that order */
	size_t n, capacity;
	int64_t still_ns, look_ns, rest_ns; /* when it stood still (0: it does not); when it is looked at
					       again (0: never); how long after that again */
};

void ft__hold_open(struct ft__hold *hold);

/* ft__hold_begin - from now on all are stopped, again and again, until ft__hold_end. */
void ft__hold_begin(struct ft__hold *hold);

/* ft__hold_look - a pass over all descendants, when it is due: hold->look_ns. Returns whether it stands still
 * with this pass, and did not before. What the caller does meanwhile is its own affair. */
bool ft__hold_look(struct ft__hold *hold);

/* ft__hold_end - those that we stopped go on; those that stood before still stand. */
void ft__hold_end(struct ft__hold *hold);

/* ft__hold_alive - a descendant that lives, 0: none does. */
pid_t ft__hold_alive(struct ft__hold *hold);

#endif
