/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - all of foretime's own allocation, so that a test can make the n-th one fail.
 *
 * Each returns NULL when memory is out, or when it is the allocation that ft_alloc_fail_at chose. What they
 * return is freed with ft_free (free would do, but one word for one thing). */
#ifndef FT_BASE_ALLOC_H
#define FT_BASE_ALLOC_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

void *ft_malloc(size_t bytes);
void *ft_calloc(size_t count, size_t bytes); /* zeroed; NULL when the product overflows */
void *ft_realloc(void *old, size_t bytes);   /* old stays valid on failure */
char *ft_strdup(const char *text);           /* NULL gives NULL */
char *ft_strndup(const char *text, size_t length);
void ft_free(void *memory);

/* ft_grow - room for one more element in a growing array.
 *
 * array     the array, or NULL while *capacity is 0
 * count     elements in use
 * capacity  in and out, in elements
 * bytes     of one element
 *
 * Returns the array, moved perhaps and with *capacity > count, or NULL (array and *capacity as before).
 * Cost: amortised O(1).
 */
void *ft_grow(void *array, size_t count, size_t *capacity, size_t bytes);

/* ft_reserve - the same for `wanted` elements in all, of which there is one at least. */
void *ft_reserve(void *array, size_t wanted, size_t *capacity, size_t bytes);

/* ft_alloc_fail_at - for tests: the n-th allocation of this thread from now on (1 = the next) fails, once; 0:
 * none does. Returns how many it made since the last call. */
unsigned long ft_alloc_fail_at(unsigned long n);

/*
 * Memory of one answer or one piece of work, released at once.
 *
 * A function that needs room while it works owns an arena, returns wherever it is done, and the compiler
 * releases the arena at the end of its scope. Many requests need one check only:
 *
 * 	FT_ARENA(work);
 * 	double *a = ft_arena_take(&work, n, sizeof *a), *b = ft_arena_take(&work, n, sizeof *b);
 * 	FT_TRY(ft_arena_check(&work, err));
 */

/* Zero-initialised by its owner, ends with ft_arena_clear. */
struct ft_arena {
	struct ft__arena_block *newest;
	bool failed; /* a request was refused */
};

/* FT_ARENA - an arena that is released at the end of its scope. */
#define FT_ARENA(name) FT_CLEANUP(ft_arena_clear) struct ft_arena name = {0}

/* FT_OWN - the same for a single pointer from ft_malloc and its kin; NULL is fine.
 *
 *	FT_OWN double *row = ft_calloc(columns, sizeof *row);
 */
#define FT_OWN FT_CLEANUP(ft_free_own)
void ft_free_own(void *pointer); /* the address of the pointer whose memory is freed */

/* ft_arena_take - zeroed memory for count things of so many bytes each, aligned for anything; its owner is
 * the arena. Blocks double up to 64 KiB; what needs more than a quarter of a block gets one of its own.
 *
 * count  0 gives memory that may not be written to
 *
 * Returns NULL where memory is out, where count * bytes overflows, and ever after that; what was taken before
 * stays valid. Each call counts as one allocation for ft_alloc_fail_at. Threads: an arena belongs to one at a
 * time.
 */
void *ft_arena_take(struct ft_arena *arena, size_t count, size_t bytes);

/* ft_arena_check - FT_ENOMEM where a request was refused since the arena was empty. */
enum ft_status ft_arena_check(const struct ft_arena *arena, struct ft_err *err);

/* ft_arena_copy - ft_arena_take with a copy of the count things that stand at from. */
void *ft_arena_copy(struct ft_arena *arena, const void *from, size_t count, size_t bytes);

/* ft_arena_text - a copy of text; NULL gives NULL. */
char *ft_arena_text(struct ft_arena *arena, const char *text);

/* ft_arena_grow - ft_grow for an array in an arena: what it moves away from stays there, so that all its
 * former places together take as much memory as the array has at last. */
void *ft_arena_grow(struct ft_arena *arena, const void *array, size_t count, size_t *capacity, size_t bytes);

/* ft_arena_clear - release all that was taken; the arena is empty then and may be used again. Accepts NULL,
 * and twice. */
void ft_arena_clear(struct ft_arena *arena);

/* ft_alloc_fails - of alloc.c, for requests that are served without an allocation of their own: counts one,
 * and is true when it is the one that must fail. */
bool ft_alloc_fails(void);

#endif
