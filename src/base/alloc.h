/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - all of foretime's own allocation, so that a test can make the n-th one fail.
 *
 * Each returns NULL when memory is out, or when it is the allocation that ft_alloc_fail_at chose. What they
 * return is freed with ft_free (free would do, but one word for one thing).
 */
#ifndef FT_BASE_ALLOC_H
#define FT_BASE_ALLOC_H

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

/* ft_alloc_fail_at - for tests: the n-th allocation of this thread from now on (1 = the next) fails, once; 0:
 * none does. Returns how many it made since the last call. */
unsigned long ft_alloc_fail_at(unsigned long n);

#endif
