/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.c - allocation that can be made to fail. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local unsigned long made, doomed; /* else threads would race for them */

unsigned long ft_alloc_fail_at(unsigned long n)
{
	unsigned long before = made;

	made = 0;
	doomed = n;
	return before;
}

bool ft_alloc_fails(void)
{
	return ++made == doomed;
}

void *ft_malloc(size_t bytes)
{
	return ft_alloc_fails() ? NULL : malloc(bytes ? bytes : 1);
}

void *ft_calloc(size_t count, size_t bytes)
{
	return ft_alloc_fails() ? NULL : calloc(count ? count : 1, bytes ? bytes : 1);
}

void *ft_realloc(void *old, size_t bytes)
{
	return ft_alloc_fails() ? NULL : realloc(old, bytes ? bytes : 1);
}

char *ft_strndup(const char *text, size_t length)
{
	char *copy = ft_malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *ft_strdup(const char *text)
{
	return text ? ft_strndup(text, strlen(text)) : NULL;
}

void ft_free(void *memory)
{
	free(memory);
}

void *ft_reserve(void *array, size_t wanted, size_t *capacity, size_t bytes)
{
	size_t most = *capacity;

	if (wanted <= most)
		return array;
	while (most < wanted && most <= SIZE_MAX / 2)
		most = most ? most * 2 : 8;
	if (most < wanted || most > SIZE_MAX / 2 / bytes)
		return NULL;
	void *moved = ft_realloc(array, most * bytes);
	if (moved)
		*capacity = most;
	return moved;
}

void *ft_grow(void *array, size_t count, size_t *capacity, size_t bytes)
{
	return count < *capacity ? array : ft_reserve(array, *capacity + 1, capacity, bytes);
}
