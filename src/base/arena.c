/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.c - memory of one answer or one piece of work, released at once. */
#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

#define FIRST_BYTES ((size_t)1024)
#define MOST_BYTES  ((size_t)65536)

struct ft__arena_block {
	struct ft__arena_block *older;
	size_t used, bytes;                           /* of memory */
	_Alignas(max_align_t) unsigned char memory[]; /* zero after used */
};

/* A sanitizer checks the end of a block only, so there each allocation has a block of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define SHARES_BLOCKS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHARES_BLOCKS false
#endif
#endif
#ifndef SHARES_BLOCKS
#define SHARES_BLOCKS true
#endif

void *ft_arena_take(struct ft_arena *arena, size_t count, size_t bytes)
{
	const size_t step = _Alignof(max_align_t);
	struct ft__arena_block *block = arena->newest;

	arena->failed |= bytes && count > (SIZE_MAX / 2 - step) / bytes;
	if (arena->failed)
		return NULL;
	size_t wanted = (count * bytes + step - 1) / step * step;
	if (SHARES_BLOCKS && block && wanted <= block->bytes - block->used) {
		arena->failed = ft_alloc_fails();
		if (arena->failed)
			return NULL;
		void *taken = block->memory + block->used;
		block->used += wanted;
		return taken;
	}
	size_t shared = block && block->bytes * 2 > FIRST_BYTES ? block->bytes * 2 : FIRST_BYTES;
	shared = shared < MOST_BYTES ? shared : MOST_BYTES;
	bool alone = !SHARES_BLOCKS || wanted > shared / 4;
	struct ft__arena_block *made = ft_calloc(1, sizeof *made + (alone ? wanted : shared));
	arena->failed = !made;
	if (!made)
		return NULL;
	made->bytes = alone ? wanted : shared;
	made->used = wanted;
	/* A block of its own goes behind the newest, whose rest stays usable. */
	struct ft__arena_block **place = alone && block ? &block->older : &arena->newest;
	made->older = *place;
	*place = made;
	return made->memory;
}

enum ft_status ft_arena_check(const struct ft_arena *arena, struct ft_err *err)
{
	return arena->failed ? ft_nomem(err) : FT_OK;
}

void *ft_arena_copy(struct ft_arena *arena, const void *from, size_t count, size_t bytes)
{
	void *copy = ft_arena_take(arena, count, bytes);

	if (copy && count && bytes)
		memcpy(copy, from, count * bytes);
	return copy;
}

char *ft_arena_text(struct ft_arena *arena, const char *text)
{
	return text ? ft_arena_copy(arena, text, strlen(text) + 1, 1) : NULL;
}

void *ft_arena_grow(struct ft_arena *arena, const void *array, size_t count, size_t *capacity, size_t bytes)
{
	if (count < *capacity)
		return (void *)array;
	size_t wanted = *capacity ? *capacity * 2 : 8;
	void *moved = wanted > *capacity ? ft_arena_take(arena, wanted, bytes) : NULL;
	if (!moved)
		return NULL;
	if (count)
		memcpy(moved, array, count * bytes);
	*capacity = wanted;
	return moved;
}

void ft_arena_clear(struct ft_arena *arena)
{
	if (!arena)
		return;
	for (struct ft__arena_block *block = arena->newest, *older; block; block = older) {
		older = block->older;
		ft_free(block);
	}
	*arena = (struct ft_arena){0};
}

void ft_free_own(void *pointer)
{
	ft_free(*(void **)pointer);
}
