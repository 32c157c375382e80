/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - all descendants of this process, found in /proc: their memory, and their end.
 *
 * The caller is their subreaper: an orphan becomes its child, so every descendant is found through its
 * parents.
 */
#ifndef FT_MEASURE_TREE_H
#define FT_MEASURE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum ft__tree_mark { FT__TREE_UNKNOWN, FT__TREE_OURS, FT__TREE_FOREIGN };

struct ft__tree_process {
	pid_t pid, parent, group;
	char state;
	enum ft__tree_mark mark;
};

struct ft__tree_member {
	pid_t pid;
	uint64_t rss_bytes;             /* at the last ft__tree_bytes; 0: a zombie */
	uint64_t read_bytes, own_bytes; /* resident.c: when its share was read; 0: it was not */
};

struct ft__tree {
	pid_t self;
	bool recorded;
	int proc, loadavg;              /* -1: there is no usable /proc */
	struct ft__tree_member *member; /* [n] ascending: living ones found so far */
	size_t n, capacity;
	size_t living; /* those that the last ft__tree_bytes saw with memory: no zombies */
	pid_t seen,
		seen_before; /* the numbers given out when last we looked for new ones, and the time before */
	struct ft__tree_process *found;
	size_t n_found, found_capacity;
};

/* ft__tree_open - false: /proc is missing or shows other processes than ours; the calls below then do what
 * they can.
 *
 * root  "", or a folder in which /proc was recorded: its self is then the caller */
bool ft__tree_open(struct ft__tree *tree, const char *root);
void ft__tree_close(struct ft__tree *tree);

/* ft__tree_read - read a file of /proc into a string.
 *
 * folder  of `proc`, or below it
 * buffer  [size] what does not fit is left out
 *
 * Returns false when it is gone, or empty. */
bool ft__tree_read(int folder, const char *name, char *buffer, size_t size);

/* ft__pid_place - where a number stands, or would, among n ascending entries of `size` bytes that begin with
 * theirs. */
size_t ft__pid_place(pid_t pid, const void *entries, size_t n, size_t size);

/* ft__tree_descriptors - each open descriptor of a process: its name in the folder /proc/PID/fd, which is open. */
void ft__tree_descriptors(const struct ft__tree *tree, pid_t pid,
			  void (*each)(void *ctx, int folder, const char *name), void *ctx);

/* ft__tree_begin - from now on the tree is `pid`, which is the caller's only child, and its descendants. */
void ft__tree_begin(struct ft__tree *tree, pid_t pid);

/* ft__tree_bytes - resident memory of the tree now, summed over processes: what they share counts in each.
 * Cost: a read for each member, and two for each process of the machine that began since the last call. */
uint64_t ft__tree_bytes(struct ft__tree *tree);

/* ft__tree_cpu_s - processor seconds of the members that the last ft__tree_bytes found, and of the children
 * that they have waited for, in the kernel's ticks of 10 ms. */
double ft__tree_cpu_s(const struct ft__tree *tree);

/* ft__tree_scan - the processes of the machine into `found`, ascending: ours, which are all our descendants,
 * are marked FT__TREE_OURS. It forgets the members.
 *
 * after  only those with greater numbers; 0: all. Numbers begin again from the bottom now and then.
 */
void ft__tree_scan(struct ft__tree *tree, pid_t after);

/* ft__tree_last - the number that was given out last, to a process or a thread; 0: not known. */
pid_t ft__tree_last(const struct ft__tree *tree);

/* ft__tree_one - a process or thread by its number, not marked; false: it is gone. */
bool ft__tree_one(const struct ft__tree *tree, pid_t pid, struct ft__tree_process *out);

/* ft__tree_kill - send SIGKILL to every descendant that lives now, and to the groups that they lead.
 * Processes forked meanwhile are left for the next call.
 *
 * group  a process group that began in this tree; all of it goes if a descendant is in it
 */
void ft__tree_kill(struct ft__tree *tree, pid_t group);

#endif
