/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.h - a heap of numbered keys: the least first, among equals the lowest number. */
#ifndef FT_PLAN_HEAP_H
#define FT_PLAN_HEAP_H

#include <stddef.h>

struct ft__key {
	double key;
	size_t of;
};

/* The caller's array holds n keys before, n + 1 after. */
void ft__heap_push(struct ft__key *heap, size_t n, struct ft__key key);
struct ft__key ft__heap_pop(struct ft__key *heap, size_t n); /* n >= 1 before, n - 1 after */

#endif
