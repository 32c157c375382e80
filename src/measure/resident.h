/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resident.h - inside the helper: the memory of a tree, what its processes share counted once.
 *
 * How much of a process is shared, and by how many, the kernel tells by walking through all its pages
 * (/proc/PID/smaps_rollup, Pss): too dear for every look. So it is read as often as its price allows, and
 * only when the tree could have become larger than it ever was. In between it is what was read last and what
 * the tree's control group has gained or lost since (own_group.h), where there is one. Else it is a guess:
 * what a process has gained since is its own, what it has lost went from both kinds alike, a process that was
 * not read yet shares as the tree did, of as much as the largest one has: it cannot have inherited more; the
 * rest is its own. A peak of such a guess is scaled at the next reading, where the guess turns out too large.
 */
#ifndef FT_MEASURE_RESIDENT_H
#define FT_MEASURE_RESIDENT_H

#include "measure/own_group.h"
#include "measure/tree.h"

enum {
	FT__RESIDENT_PRICE = 400, /* readings are apart at least so many times what one takes: 0.25 % of a
				     processor */
};

struct ft__resident {
	const struct ft__own_group *group;
	uint64_t peak_bytes; /* of a single process, or as it was read */
	bool guessed;        /* that is not as it was read after all */
	double guess_bytes;  /* the largest between readings, since the last one */
	bool sure;           /* that is no guess: the group tells it */
	double own;          /* of a resident byte, at the last reading; 1 before */
	int64_t due_ns;      /* when the next reading is due at the earliest */
	double read_bytes;   /* what the last reading came to; 0: there was none, or not of all */
	struct ft__group_memory at_reading; /* what the group held in its middle */
	bool settled;                       /* it hardly moved meanwhile */
};

/* group  that the tree is in, borrowed; may have none */
void ft__resident_begin(struct ft__resident *resident, const struct ft__own_group *group);

/* ft__resident_look - bytes of the tree now.
 *
 * tree    after ft__tree_bytes, which returned rss_bytes
 * always  read also where the peak cannot be higher
 * now_ns  any monotonic clock
 */
uint64_t ft__resident_look(struct ft__resident *resident, struct ft__tree *tree, uint64_t rss_bytes,
			   bool always, int64_t now_ns);

/* ft__resident_peak - the largest so far; guessed: out, whether it was between two readings, or of processes
 * that cannot be read. */
uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed);

#endif
