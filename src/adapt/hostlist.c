/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostlist.c - lists of nodes as Slurm writes them: "a[1-3,07],b", "r[1-2]n[1-8]" (scontrol(1), hostlists).
 */
#include "adapt/job.h"
#include "foretime/sinfo.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

enum { HOST_LENGTH = 256, DIGITS_MOST = 9 };

/* Up to the comma outside brackets. */
static size_t item_length(const char *list)
{
	size_t length = 0;
	bool inside = false;

	for (; list[length] && (inside || list[length] != ','); length++)
		inside = list[length] == '[' || (inside && list[length] != ']');
	return length;
}

/* ---- whether a node is in a list ---------------------------------------------------------------------- */

/* A number of n digits within "1-3,07,9-12", of as many as the list's where these begin with 0. */
static bool in_brackets(const char *list, const char *end, const char *digits, size_t n)
{
	unsigned long own = 0;

	for (size_t i = 0; i < n; i++)
		own = 10 * own + (unsigned long)(digits[i] - '0');
	while (list < end) {
		char *behind;
		unsigned long from = strtoul(list, &behind, 10), to = from;
		size_t width = (size_t)(behind - list);

		if (behind < end && *behind == '-')
			to = strtoul(behind + 1, &behind, 10);
		if (behind == list)
			return false;
		if (own >= from && own <= to && (n == width || (*list != '0' && *digits != '0')))
			return true;
		list = behind + (behind < end);
	}
	return false;
}

static bool is_node(const char *item, const char *end, const char *node)
{
	for (; item < end && *item != '['; item++, node++)
		if (*item != *node)
			return false;
	if (item == end)
		return !*node;
	const char *close = memchr(item, ']', (size_t)(end - item));
	size_t digits = strspn(node, "0123456789");
	for (size_t n = 1; close && n <= digits && n <= DIGITS_MOST; n++)
		if (in_brackets(item + 1, close, node, n) && is_node(close + 1, end, node + n))
			return true;
	return false;
}

bool ft_sinfo_has_node(const char *nodes, const char *node)
{
	while (*nodes) {
		size_t length = item_length(nodes);

		if (is_node(nodes, nodes + length, node))
			return true;
		nodes += length + (nodes[length] == ',');
	}
	return false;
}

/* ---- all nodes of a list ------------------------------------------------------------------------------ */

struct hostlist_walk {
	bool (*take)(void *ctx, const char *host);
	void *ctx;
	size_t left;
	char host[HOST_LENGTH];
};

static bool walk_item(struct hostlist_walk *walk, size_t length, const char *item, const char *end);

/* One "3" or "07-12" of brackets; NULL: it is neither, or it ended. Of no more digits a number ends a loop.
 */
static const char *walk_range(struct hostlist_walk *walk, size_t length, const char *range, const char *close,
			      const char *end)
{
	char *behind;
	unsigned long from = strtoul(range, &behind, 10), to = from;
	int width = (int)(behind - range);

	if (!width || width > DIGITS_MOST)
		return NULL;
	if (*behind == '-') {
		const char *last = behind + 1;

		to = strtoul(last, &behind, 10);
		if (to < from || behind - last > DIGITS_MOST)
			return NULL;
	}
	for (; from <= to; from++) {
		int n = snprintf(walk->host + length, HOST_LENGTH - length, "%0*lu", width, from);

		if (length + (size_t)n >= HOST_LENGTH || !walk_item(walk, length + (size_t)n, close + 1, end))
			return NULL;
	}
	return behind == close || *behind == ',' ? behind : NULL;
}

/* The rest of an item, behind so much of the name. */
static bool walk_item(struct hostlist_walk *walk, size_t length, const char *item, const char *end)
{
	const char *range;

	for (; item < end && *item != '['; item++) {
		if (length + 1 >= HOST_LENGTH)
			return false;
		walk->host[length++] = *item;
	}
	walk->host[length] = '\0';
	if (item == end)
		return length && walk->left-- && walk->take(walk->ctx, walk->host);
	const char *close = memchr(item, ']', (size_t)(end - item));
	for (range = item; close && range && range < close;)
		range = walk_range(walk, length, range + 1, close, end);
	return close && range;
}

bool ft__hosts_each(const char *list, size_t most, bool (*take)(void *ctx, const char *host), void *ctx)
{
	struct hostlist_walk walk = {.take = take, .ctx = ctx, .left = most};

	while (*list) {
		size_t length = item_length(list);

		if (!walk_item(&walk, 0, list, list + length))
			return false;
		list += length + (list[length] == ',');
	}
	return true;
}
