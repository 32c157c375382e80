/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resident.c - inside the helper: the memory of a tree, what its processes share counted once. */
#include "measure/resident.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the group tells is a guess where shared memory has moved by more than this share of all, which may be
 * files that nobody holds, and where the group has during the reading that it goes on from. */
static const double moves_most = 0.01;

void ft__resident_begin(struct ft__resident *resident, const struct ft__own_group *group)
{
	*resident = (struct ft__resident){.group = group, .own = 1};
}

/* ---- between readings --------------------------------------------------------------------------------- */

static double guess_member(const struct ft__resident *resident, const struct ft__tree_member *member,
			   double largest)
{
	double rss = (double)member->rss_bytes, read = (double)member->read_bytes;
	double inherited = rss < largest ? rss : largest;

	if (!member->read_bytes)
		return resident->own * inherited + (rss - inherited);
	return rss > read ? (double)member->own_bytes + (rss - read) : (double)member->own_bytes * rss / read;
}

static double guess_tree(const struct ft__resident *resident, const struct ft__tree *tree)
{
	double largest = 0, sum = 0;

	for (size_t i = 0; i < tree->n; i++)
		if ((double)tree->member[i].read_bytes > largest)
			largest = (double)tree->member[i].read_bytes;
	for (size_t i = 0; i < tree->n; i++)
		sum += guess_member(resident, &tree->member[i], largest);
	return sum;
}

/* By the group, from the last reading on. Returns false where that cannot be. */
static bool follow_tree(const struct ft__resident *resident, double *bytes, bool *sure)
{
	const struct ft__group_memory *before = &resident->at_reading;
	struct ft__group_memory now;

	if (!(resident->read_bytes > 0) || !ft__own_group_read(resident->group, &now))
		return false;
	double anon = (double)now.anon_bytes - (double)before->anon_bytes;
	double shmem = (double)now.shmem_bytes - (double)before->shmem_bytes;
	*bytes = resident->read_bytes + anon + shmem;
	*sure = resident->settled && fabs(shmem) <= moves_most * *bytes;
	return *bytes > 0;
}

/* The tree now, without a reading; sure: that is no guess. */
static double estimate_tree(const struct ft__resident *resident, const struct ft__tree *tree, bool *sure)
{
	double bytes;

	if (follow_tree(resident, &bytes, sure))
		return bytes;
	*sure = false;
	return guess_tree(resident, tree);
}

/* ---- a reading ---------------------------------------------------------------------------------------- */

static bool find_kib(const char *text, const char *key, uint64_t *bytes)
{
	const char *found = strstr(text, key);

	if (found)
		*bytes = 1024 * strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* What is shared counts by its share. A process of another user, or of a kernel without smaps_rollup (before
 * 4.14), stays unread. */
static bool read_member(const struct ft__tree *tree, struct ft__tree_member *member)
{
	char name[32], text[512];

	(void)snprintf(name, sizeof name, "%d/smaps_rollup", (int)member->pid);
	return member->rss_bytes && ft__tree_read(tree->proc, name, text, sizeof text) &&
	       find_kib(text, "\nRss:", &member->read_bytes) && find_kib(text, "\nPss:", &member->own_bytes);
}

static double held_bytes(const struct ft__group_memory *memory)
{
	return (double)memory->anon_bytes + (double)memory->shmem_bytes;
}

/* From where the group is followed. */
static void mark_settled(struct ft__resident *resident, double own, const struct ft__group_memory *before)
{
	struct ft__group_memory after;

	resident->read_bytes = 0;
	if (!ft__own_group_read(resident->group, &after))
		return;
	resident->read_bytes = own;
	resident->settled = fabs(held_bytes(&after) - held_bytes(before)) <= moves_most * own;
	resident->at_reading.anon_bytes = (before->anon_bytes + after.anon_bytes) / 2;
	resident->at_reading.shmem_bytes = (before->shmem_bytes + after.shmem_bytes) / 2;
}

/* Returns false when a process could not be read. */
static bool read_tree(struct ft__resident *resident, struct ft__tree *tree, int64_t now_ns)
{
	int64_t began_ns = ft_clock_spent_ns();
	struct ft__group_memory before = {0};
	double rss = 0, own = 0;
	size_t unread = tree->living;

	(void)ft__own_group_read(resident->group, &before);
	for (size_t i = 0; i < tree->n; i++)
		if (read_member(tree, &tree->member[i])) {
			rss += (double)tree->member[i].read_bytes;
			own += (double)tree->member[i].own_bytes;
			unread--;
		}
	if (rss > 0)
		resident->own = own / rss;
	mark_settled(resident, unread ? 0 : own, &before);
	resident->due_ns = now_ns + FT__RESIDENT_PRICE * (ft_clock_spent_ns() - began_ns);
	return !unread;
}

/* ---- both --------------------------------------------------------------------------------------------- */

static void raise_peak(struct ft__resident *resident, double bytes, bool guessed)
{
	if (bytes <= (double)resident->peak_bytes)
		return;
	resident->peak_bytes = (uint64_t)bytes;
	resident->guessed = guessed;
}

/* What is between readings, as the largest since the last one. */
static void raise_guess(struct ft__resident *resident, double bytes, bool sure)
{
	if (bytes <= resident->guess_bytes || bytes <= (double)resident->peak_bytes)
		return;
	resident->guess_bytes = bytes;
	resident->sure = sure;
}

uint64_t ft__resident_look(struct ft__resident *resident, struct ft__tree *tree, uint64_t rss_bytes,
			   bool always, int64_t now_ns)
{
	bool sure;

	if (tree->living < 2) {
		raise_peak(resident, (double)rss_bytes, false);
		return rss_bytes;
	}
	double bytes = estimate_tree(resident, tree, &sure);
	if (now_ns < resident->due_ns ||
	    !(always || rss_bytes > resident->peak_bytes || resident->guess_bytes > 0)) {
		raise_guess(resident, bytes, sure);
		return (uint64_t)bytes;
	}
	bool all = read_tree(resident, tree, now_ns);
	double is = guess_tree(resident, tree);
	double past = is < bytes && !sure ? resident->guess_bytes * is / bytes : resident->guess_bytes;
	raise_peak(resident, is, !all);
	raise_peak(resident, past, !(resident->sure && sure));
	resident->guess_bytes = 0;
	return (uint64_t)is;
}

uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed)
{
	bool higher = resident->guess_bytes > (double)resident->peak_bytes;

	*guessed = higher ? !resident->sure : resident->guessed;
	return higher ? (uint64_t)resident->guess_bytes : resident->peak_bytes;
}
