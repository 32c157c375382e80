/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resident.c - inside the helper: the memory of a tree, what its processes share counted once. */
#include "measure/resident.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ft__resident_begin(struct ft__resident *resident)
{
	*resident = (struct ft__resident){.own = 1};
}

/* ---- a guess ------------------------------------------------------------------------------------------ */

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
	size_t i;

	for (i = 0; i < tree->n; i++)
		if ((double)tree->member[i].read_bytes > largest)
			largest = (double)tree->member[i].read_bytes;
	for (i = 0; i < tree->n; i++)
		sum += guess_member(resident, &tree->member[i], largest);
	return sum;
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

/* Returns false when a process could not be read. */
static bool read_tree(struct ft__resident *resident, struct ft__tree *tree, int64_t now_ns)
{
	int64_t began_ns = ft_clock_spent_ns();
	double rss = 0, own = 0;
	size_t i, unread = tree->living;

	for (i = 0; i < tree->n; i++)
		if (read_member(tree, &tree->member[i])) {
			rss += (double)tree->member[i].read_bytes;
			own += (double)tree->member[i].own_bytes;
			unread--;
		}
	if (rss > 0)
		resident->own = own / rss;
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

uint64_t ft__resident_look(struct ft__resident *resident, struct ft__tree *tree, uint64_t rss_bytes,
			   bool always, int64_t now_ns)
{
	double guess, is, past;
	bool all;

	if (tree->living < 2) {
		raise_peak(resident, (double)rss_bytes, false);
		return rss_bytes;
	}
	guess = guess_tree(resident, tree);
	if (now_ns < resident->due_ns ||
	    !(always || rss_bytes > resident->peak_bytes || resident->guess_bytes > 0)) {
		if (guess > resident->guess_bytes && guess > (double)resident->peak_bytes)
			resident->guess_bytes = guess;
		return (uint64_t)guess;
	}
	all = read_tree(resident, tree, now_ns);
	is = guess_tree(resident, tree);
	past = is < guess ? resident->guess_bytes * is / guess : resident->guess_bytes;
	raise_peak(resident, is, !all);
	raise_peak(resident, past, true);
	resident->guess_bytes = 0;
	return (uint64_t)is;
}

uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed)
{
	bool higher = resident->guess_bytes > (double)resident->peak_bytes;

	*guessed = higher || resident->guessed;
	return higher ? (uint64_t)resident->guess_bytes : resident->peak_bytes;
}
