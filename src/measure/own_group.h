/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.h - inside the helper: a control group of memory for it and the programs that it starts.
 *
 * The group counts a page once, whoever holds it, and tells so for the price of one small file; but also
 * pages of files in memory (tmpfs) that nobody holds, and no page of a program's own file. So its figure is
 * not what processes hold (resident.h); how it moves is.
 */
#ifndef FT_MEASURE_OWN_GROUP_H
#define FT_MEASURE_OWN_GROUP_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise. */
struct ft__own_group {
	bool there;
	bool second;      /* of version 2 */
	int parent, stat; /* the folder of the group around it; its own memory.stat */
	int events;       /* what the kernel did in it; -1: not to be had */
	char name[32];
};

/* What a group holds. */
struct ft__group_memory {
	uint64_t anon_bytes;  /* of processes alone */
	uint64_t shmem_bytes; /* shared memory, and files in memory */
};

/* ft__own_group_open - make a group below the one that this process is in, and go into it, so that what is
 * started later begins there. Nothing is moved afterwards: to move a process the kernel waits for all others.
 *
 * folder  of the group that this process is in (ft__cgroups_own); NULL: none is wished
 *
 * group->there says whether it is there. Ends with ft__own_group_close, and the group with it, if it is
 * empty. */
void ft__own_group_open(struct ft__own_group *group, const char *folder);
void ft__own_group_close(struct ft__own_group *group);

/* ft__own_group_read - false: there is none, or it cannot be read. */
bool ft__own_group_read(const struct ft__own_group *group, struct ft__group_memory *memory);

/* ft__own_group_kills - processes of it that the kernel ever killed for memory, whoever waited for them; 0
 * where that is not to be known. */
uint64_t ft__own_group_kills(const struct ft__own_group *group);

#endif
