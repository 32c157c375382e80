/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.c - a binary heap in an array. */
#include "plan/heap.h"

#include <stdbool.h>

static bool comes_before(struct ft__key a, struct ft__key b)
{
	return a.key < b.key || (a.key == b.key && a.of < b.of);
}

void ft__heap_push(struct ft__key *heap, size_t n, struct ft__key key)
{
	size_t i = n;

	for (; i > 0 && comes_before(key, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = key;
}

struct ft__key ft__heap_pop(struct ft__key *heap, size_t n)
{
	struct ft__key least = heap[0], moved = heap[n - 1];
	size_t i = 0, child;

	for (n--; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && comes_before(heap[child + 1], heap[child]))
			child++;
		if (!comes_before(heap[child], moved))
			break;
		heap[i] = heap[child];
	}
	heap[i] = moved;
	return least;
}
