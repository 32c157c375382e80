/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - what buffers hold, as far as it is known: pages that are made when something known is written.
 */
#ifndef FT_KERNEL_MEMORY_H
#define FT_KERNEL_MEMORY_H

#include "foretime/kernel.h"
#include "kernel/value.h"

#include <stddef.h>

enum ft__space { FT__PRIVATE = 0, FT__GLOBAL = 1, FT__CONSTANT = 2, FT__LOCAL = 3 };

enum {
	FT__ADDRESS_BITS = 40,
	FT__OFFSET_BITS = 39
}; /* of an offset: an address is its buffer's number + 1 above them */

struct ft__buffer {
	int space;
	int64_t size;         /* bytes; -1: not known */
	const uint8_t *image; /* what it holds at first, borrowed; NULL: nobody knows */
	int64_t image_bytes;
	bool lost;    /* something was written nobody knows where */
	uint32_t era; /* pages of an older one hold nothing */
	char name[FT_KERNEL_NAME];
};

struct ft__page;

/* Zero-initialise; ends with ft__memory_clear. */
struct ft__memory {
	struct ft__buffer *buffer;
	size_t n, capacity;
	struct ft__page **table; /* open addressing, a power of two of places */
	size_t places, pages;
	struct ft__page *last; /* that was found */
};

/* ft__memory_add - one more buffer; -1: no memory. */
int ft__memory_add(struct ft__memory *memory, int space, int64_t size, const char *name);
void ft__memory_clear(struct ft__memory *memory);

/* ft__memory_reset - a buffer holds what it held at first. */
void ft__memory_reset(struct ft__memory *memory, int buffer);

/* ft__memory_load, ft__memory_store - a number of a width at an offset; what lies outside is unknown. */
struct ft__number ft__memory_load(struct ft__memory *memory, int buffer, int64_t offset, int width,
				  bool real);
void ft__memory_store(struct ft__memory *memory, int buffer, int64_t offset, int width, bool real,
		      struct ft__number value);

/* ft__memory_forget - nothing is known of a buffer any more; of all buffers of a space, where it is not known
 * which was written: buffer -1, and a space of -1 for all. */
void ft__memory_forget(struct ft__memory *memory, int buffer, int space);

#endif
