/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - pages of buffers. */
#include "kernel/memory.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

enum {
	PAGE = 4096,
	PAGES_MOST = 1 << 15
}; /* 256 MiB: what is written beyond is forgotten, with its buffer */

struct ft__page {
	int buffer;
	uint32_t era;
	int64_t number;
	uint8_t byte[PAGE], known[PAGE];
};

int ft__memory_add(struct ft__memory *memory, int space, int64_t size, const char *name)
{
	struct ft__buffer *grown = ft_grow(memory->buffer, memory->n, &memory->capacity, sizeof *grown);

	if (!grown)
		return -1;
	memory->buffer = grown;
	grown += memory->n;
	*grown = (struct ft__buffer){.space = space, .size = size};
	(void)snprintf(grown->name, sizeof grown->name, "%s", name);
	return (int)memory->n++;
}

void ft__memory_clear(struct ft__memory *memory)
{
	for (size_t i = 0; i < memory->places; i++)
		ft_free(memory->table[i]);
	ft_free(memory->table);
	ft_free(memory->buffer);
	*memory = (struct ft__memory){0};
}

void ft__memory_reset(struct ft__memory *memory, int buffer)
{
	memory->buffer[buffer].era++;
	memory->buffer[buffer].lost = false;
	memory->last = NULL;
}

static size_t place_of(const struct ft__memory *memory, int buffer, int64_t number)
{
	uint64_t hash =
		((uint64_t)number * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(unsigned)buffer * 0xC2B2AE3D27D4EB4Fu);
	size_t i = (size_t)(hash >> 32) & (memory->places - 1);

	while (memory->table[i] && (memory->table[i]->buffer != buffer || memory->table[i]->number != number))
		i = (i + 1) & (memory->places - 1);
	return i;
}

static bool widen_pages(struct ft__memory *memory)
{
	struct ft__memory wider = {.places = memory->places ? 2 * memory->places : 64};

	wider.table = ft_calloc(wider.places, sizeof(struct ft__page *));
	if (!wider.table)
		return false;
	for (size_t i = 0; i < memory->places; i++)
		if (memory->table[i])
			wider.table[place_of(&wider, memory->table[i]->buffer, memory->table[i]->number)] =
				memory->table[i];
	ft_free(memory->table);
	memory->table = wider.table;
	memory->places = wider.places;
	return true;
}

/* What the buffer held there at first. */
static void fill_page(const struct ft__buffer *buffer, struct ft__page *page)
{
	int64_t from = page->number * PAGE, n = buffer->image ? buffer->image_bytes - from : 0;

	n = n < 0 ? 0 : n > PAGE ? PAGE : n;
	if (n)
		memcpy(page->byte, buffer->image + from, (size_t)n);
	memset(page->known, 1, (size_t)n);
	memset(page->known + n, 0, (size_t)(PAGE - n));
	page->era = buffer->era;
}

/* The page, or NULL: nothing is known that the buffer did not hold at first. */
static struct ft__page *find_page(struct ft__memory *memory, int buffer, int64_t number)
{
	struct ft__page *page = memory->last;

	if (page && page->buffer == buffer && page->number == number)
		return page;
	page = memory->places ? memory->table[place_of(memory, buffer, number)] : NULL;
	if (page && page->era != memory->buffer[buffer].era)
		fill_page(&memory->buffer[buffer], page);
	if (page)
		memory->last = page;
	return page;
}

/* The page, made where there is none; NULL: no room. */
static struct ft__page *need_page(struct ft__memory *memory, int buffer, int64_t number)
{
	struct ft__page *page = find_page(memory, buffer, number);

	if (page)
		return page;
	if (memory->pages >= PAGES_MOST || (2 * memory->pages >= memory->places && !widen_pages(memory)))
		return NULL;
	page = ft_malloc(sizeof *page);
	if (!page)
		return NULL;
	page->buffer = buffer;
	page->number = number;
	fill_page(&memory->buffer[buffer], page);
	memory->table[place_of(memory, buffer, number)] = page;
	memory->pages++;
	memory->last = page;
	return page;
}

static struct ft__number read_as(const uint8_t *byte, int bytes, int width, bool real)
{
	uint64_t bits = 0;
	float single;
	double twice;

	memcpy(&bits, byte, (size_t)bytes);
	if (!real)
		return ft__whole(ft__wrap((int64_t)bits, width));
	memcpy(&single, &bits, sizeof single);
	memcpy(&twice, &bits, sizeof twice);
	return ft__real(width == 32 ? (double)single : twice, width);
}

struct ft__number ft__memory_load(struct ft__memory *memory, int buffer, int64_t offset, int width, bool real)
{
	const struct ft__buffer *from = &memory->buffer[buffer];
	const struct ft__number unknown = {.kind = FT__UNKNOWN};
	int bytes = (width + 7) / 8, at = (int)(offset & (PAGE - 1));

	if (from->lost || offset < 0 || at + bytes > PAGE || bytes > 8)
		return unknown;
	struct ft__page *page = find_page(memory, buffer, offset / PAGE);
	if (page) {
		for (int i = 0; i < bytes; i++)
			if (!page->known[at + i])
				return unknown;
		return read_as(page->byte + at, bytes, width, real);
	}
	if (!from->image || offset + bytes > from->image_bytes)
		return unknown;
	return read_as(from->image + offset, bytes, width, real);
}

/* Bytes that are not known any more: where nothing was known there is nothing to do. */
static void forget_bytes(struct ft__memory *memory, int buffer, int64_t offset, int bytes)
{
	const struct ft__buffer *in = &memory->buffer[buffer];

	for (int i = 0; i < bytes; i++) {
		int64_t at = offset + i;
		struct ft__page *page = find_page(memory, buffer, at / PAGE);

		if (!page && in->image && at < in->image_bytes) {
			page = need_page(memory, buffer, at / PAGE);
			if (!page) {
				memory->buffer[buffer].lost = true;
				return;
			}
		}
		if (page)
			page->known[at & (PAGE - 1)] = 0;
	}
}

void ft__memory_store(struct ft__memory *memory, int buffer, int64_t offset, int width, bool real,
		      struct ft__number value)
{
	int bytes = (width + 7) / 8, at = (int)(offset & (PAGE - 1));
	float single = (float)value.real;
	uint32_t word;

	if (offset < 0)
		return;
	if (at + bytes > PAGE || bytes > 8 || value.kind != (real ? FT__REAL : FT__WHOLE) ||
	    (real && width != 32 && width != 64)) {
		forget_bytes(memory, buffer, offset, bytes);
		return;
	}
	struct ft__page *page = need_page(memory, buffer, offset / PAGE);
	if (!page) {
		memory->buffer[buffer].lost = true;
		return;
	}
	memset(page->known + at, 1, (size_t)bytes);
	memcpy(&word, &single, sizeof word);
	if (real && width == 32)
		memcpy(page->byte + at, &word, sizeof word);
	else
		memcpy(page->byte + at, &value.whole, (size_t)bytes); /* little-endian, as the device */
}

void ft__memory_forget(struct ft__memory *memory, int buffer, int space)
{
	if (buffer >= 0) {
		memory->buffer[buffer].lost = true;
		return;
	}
	for (size_t i = 0; i < memory->n; i++)
		if (space < 0 || memory->buffer[i].space == space)
			memory->buffer[i].lost = true;
}
