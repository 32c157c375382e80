/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - arithmetic that tracks unknown values, and the memory that holds them. */
#include "base/alloc.h"
#include "kernel/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct ft__number value_unknown = {.kind = FT__UNKNOWN};

int64_t ft__wrap(int64_t value, int width)
{
	if (width >= 64)
		return value;
	if (width == 1)
		return value & 1;
	uint64_t sign = (uint64_t)1 << (width - 1);
	return (int64_t)((ft__bits(value, width) ^ sign) - sign);
}

uint64_t ft__bits(int64_t value, int width)
{
	return width >= 64 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << width) - 1);
}

struct ft__number ft__whole(int64_t value)
{
	return (struct ft__number){.kind = FT__WHOLE, .whole = value};
}

struct ft__number ft__real(double value, int width)
{
	if (width != 32 && width != 64)
		return value_unknown;
	return (struct ft__number){.kind = FT__REAL, .real = width == 32 ? (double)(float)value : value};
}

static struct ft__number real_binary(int opcode, int width, double a, double b)
{
	switch (opcode) {
	case FT__FADD:
		return ft__real(a + b, width);
	case FT__FSUB:
		return ft__real(a - b, width);
	case FT__FMUL:
		return ft__real(a * b, width);
	case FT__FDIV:
		return ft__real(a / b, width);
	case FT__FREM:
		return ft__real(fmod(a, b), width);
	default:
		return value_unknown;
	}
}

/* Division by zero, and the one overflow, have no value. */
static struct ft__number divide_numbers(int opcode, int width, int64_t a, int64_t b)
{
	uint64_t ua = ft__bits(a, width), ub = ft__bits(b, width);

	if (!ub || (b == -1 && (opcode == FT__SDIV || opcode == FT__SREM) && a == INT64_MIN))
		return value_unknown;
	switch (opcode) {
	case FT__UDIV:
		return ft__whole(ft__wrap((int64_t)(ua / ub), width));
	case FT__UREM:
		return ft__whole(ft__wrap((int64_t)(ua % ub), width));
	case FT__SDIV:
		return ft__whole(ft__wrap(a / b, width));
	default:
		return ft__whole(a % b);
	}
}

static struct ft__number whole_binary(int opcode, int width, int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	switch (opcode) {
	case FT__ADD:
		return ft__whole(ft__wrap((int64_t)(ua + ub), width));
	case FT__SUB:
		return ft__whole(ft__wrap((int64_t)(ua - ub), width));
	case FT__MUL:
		return ft__whole(ft__wrap((int64_t)(ua * ub), width));
	case FT__AND:
		return ft__whole(a & b);
	case FT__OR:
		return ft__whole(a | b);
	case FT__XOR:
		return ft__whole(ft__wrap(a ^ b, width));
	case FT__SHL:
	case FT__LSHR:
	case FT__ASHR: {
		uint64_t by = ft__bits(b, width), bits = ft__bits(a, width);

		if (by >= (uint64_t)width)
			return value_unknown;
		if (opcode == FT__SHL)
			return ft__whole(ft__wrap((int64_t)(bits << by), width));
		if (opcode == FT__LSHR)
			return ft__whole(ft__wrap((int64_t)(bits >> by), width));
		return ft__whole(a >> by);
	}
	case FT__UDIV:
	case FT__UREM:
	case FT__SDIV:
	case FT__SREM:
		return divide_numbers(opcode, width, a, b);
	default:
		return value_unknown;
	}
}

static bool is_zero(struct ft__number a)
{
	return a.kind == FT__WHOLE && a.whole == 0;
}

struct ft__number ft__binary(int opcode, int width, struct ft__number a, struct ft__number b)
{
	if (a.kind == FT__REAL && b.kind == FT__REAL)
		return real_binary(opcode, width, a.real, b.real);
	if (a.kind == FT__WHOLE && b.kind == FT__WHOLE && width <= 64)
		return whole_binary(opcode, width, a.whole, b.whole);
	if ((opcode == FT__AND || opcode == FT__MUL) && (is_zero(a) || is_zero(b)))
		return ft__whole(0);
	if (width == 1 && opcode == FT__OR &&
	    ((a.kind == FT__WHOLE && a.whole) || (b.kind == FT__WHOLE && b.whole)))
		return ft__whole(1);
	return value_unknown;
}

/* Of two pointers, or of a pointer and null, if that is decidable. */
static bool make_comparable(int predicate, struct ft__number *a, struct ft__number *b)
{
	bool equality = predicate == FT__EQ || predicate == FT__NE;

	if (a->kind == FT__WHOLE && b->kind == FT__WHOLE)
		return true;
	if (a->kind == FT__POINTER && b->kind == FT__POINTER)
		return a->buffer == b->buffer;
	if (!equality || (!is_zero(*a) && !is_zero(*b)))
		return false;
	/* no buffer begins at null */
	if (a->kind == FT__POINTER || a->kind == FT__ADRIFT)
		*a = ft__whole(1);
	else if (b->kind == FT__POINTER || b->kind == FT__ADRIFT)
		*b = ft__whole(1);
	else
		return false;
	return true;
}

struct ft__number ft__compare(int predicate, int width, struct ft__number a, struct ft__number b)
{
	if (!make_comparable(predicate, &a, &b))
		return value_unknown;
	uint64_t x = ft__bits(a.whole, width);
	uint64_t y = ft__bits(b.whole, width);
	switch (predicate) {
	case FT__EQ:
		return ft__whole(x == y);
	case FT__NE:
		return ft__whole(x != y);
	case FT__UGT:
		return ft__whole(x > y);
	case FT__UGE:
		return ft__whole(x >= y);
	case FT__ULT:
		return ft__whole(x < y);
	case FT__ULE:
		return ft__whole(x <= y);
	case FT__SGT:
		return ft__whole(a.whole > b.whole);
	case FT__SGE:
		return ft__whole(a.whole >= b.whole);
	case FT__SLT:
		return ft__whole(a.whole < b.whole);
	case FT__SLE:
		return ft__whole(a.whole <= b.whole);
	default:
		return value_unknown;
	}
}

/* LLVM's predicates of reals are bits: 1 equal, 2 greater, 4 less, 8 unordered. */
struct ft__number ft__compare_real(int predicate, struct ft__number a, struct ft__number b)
{
	if (a.kind != FT__REAL || b.kind != FT__REAL)
		return value_unknown;
	int is = isnan(a.real) || isnan(b.real) ? 8 : a.real < b.real ? 4 : a.real > b.real ? 2 : 1;
	return ft__whole((predicate & is) != 0);
}

/* The same bits as another kind. */
static struct ft__number reinterpret(int width, bool to_real, struct ft__number a)
{
	float single;
	uint32_t word;

	if (to_real == (a.kind == FT__REAL))
		return a;
	if (width == 64 && to_real)
		return (struct ft__number){.kind = FT__REAL, .whole = a.whole};
	if (width == 64)
		return (struct ft__number){.kind = FT__WHOLE, .real = a.real};
	if (width != 32)
		return value_unknown;
	if (to_real) {
		word = (uint32_t)a.whole;
		memcpy(&single, &word, sizeof single);
		return ft__real((double)single, 32);
	}
	single = (float)a.real;
	memcpy(&word, &single, sizeof word);
	return ft__whole((int64_t)(int32_t)word);
}

struct ft__number ft__cast(int opcode, int width, int from, bool to_real, struct ft__number a)
{
	if (a.kind == FT__POINTER || a.kind == FT__ADRIFT)
		return opcode == FT__BITCAST || opcode == FT__ADDRSPACECAST || opcode == FT__FREEZE
			       ? a
			       : value_unknown;
	if (a.kind == FT__UNKNOWN || width > 64 || from > 64)
		return value_unknown;
	switch (opcode) {
	case FT__TRUNC:
		return ft__whole(ft__wrap(a.whole, width));
	case FT__SEXT:
		return from == 1 ? ft__whole(-a.whole) : a;
	case FT__ZEXT:
		return ft__whole((int64_t)ft__bits(a.whole, from));
	case FT__SITOFP:
		return ft__real(from == 1 ? -(double)a.whole : (double)a.whole, width);
	case FT__UITOFP:
		return ft__real((double)ft__bits(a.whole, from), width);
	case FT__FPTOSI:
	case FT__FPTOUI:
		if (!(fabs(a.real) < 9e18) || (opcode == FT__FPTOUI && a.real < 0))
			return value_unknown;
		return ft__whole(ft__wrap((int64_t)a.real, width));
	case FT__FPEXT:
	case FT__FPTRUNC:
		return ft__real(a.real, width);
	case FT__BITCAST:
		return reinterpret(width, to_real, a);
	case FT__FREEZE:
		return a;
	default:
		return value_unknown;
	}
}

/*
 * Pages of buffers.
 */

enum {
	PAGE = 4096,
	PAGES_MOST = 1 << 15
}; /* 256 MiB: above it writes are dropped, and the buffer becomes unknown */

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

/* The initial contents of the buffer. */
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

/* The page, or NULL: it has only its initial contents. */
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

/* Bytes become unknown; nothing to do if they were already. */
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

/*
 * What instructions do at a place: a touch of a buffer, checked and traced.
 */

void ft__meet(struct ft__run *run, const struct ft__instruction *op, enum ft_kernel_note note)
{
	run->met[note][op - run->kernel->op]++;
}

static void record_touch(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op,
			 uint64_t address)
{
	run->touches++;
	if (!run->trace || item->n_touches >= run->touches_most)
		return;
	struct ft__touch *grown = ft_grow(item->touch, item->n_touches, &item->touch_capacity, sizeof *grown);
	if (!grown) {
		run->no_memory = true;
		return;
	}
	item->touch = grown;
	grown[item->n_touches++] = (struct ft__touch){address, op->access, op->bytes};
	run->touches_kept++;
}

void ft__access(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op,
		struct ft__number at)
{
	const struct ft__buffer *buffer;
	uint64_t address = 0;

	if (at.kind == FT__POINTER) {
		buffer = &run->memory.buffer[at.buffer];
		if (at.whole < 0 || (buffer->size >= 0 && at.whole + op->bytes > buffer->size)) {
			ft__meet(run, op, FT_KERNEL_NOTE_OUTSIDE);
			run->met_buffer[op - run->kernel->op] = at.buffer;
		}
		address = at.whole < 0 ? 0
				       : ((uint64_t)(at.buffer + 1) << FT__ADDRESS_BITS) + (uint64_t)at.whole;
	} else if (op->access >= 0) {
		ft__meet(run, op, FT_KERNEL_NOTE_ADDRESS);
	}
	if (op->access >= 0)
		record_touch(run, item, op, address);
}

struct ft__number ft__read(struct ft__run *run, struct ft__number at, int64_t bytes, int width, bool real)
{
	if (at.kind != FT__POINTER || !width)
		return value_unknown;
	return ft__memory_load(&run->memory, at.buffer, at.whole + bytes, width, real);
}

void ft__write(struct ft__run *run, const struct ft__instruction *op, struct ft__number at, int64_t bytes,
	       int width, bool real, struct ft__number value)
{
	if (at.kind == FT__POINTER && width)
		ft__memory_store(&run->memory, at.buffer, at.whole + bytes, width, real, value);
	else
		ft__memory_forget(&run->memory,
				  at.kind == FT__ADRIFT || at.kind == FT__POINTER ? at.buffer : -1,
				  op->space == FT__PRIVATE ? -1 : op->space);
}

struct ft__number ft__move(struct ft__number at, int64_t times, int64_t bytes)
{
	int64_t by, to, most = (int64_t)1 << FT__OFFSET_BITS;

	if (__builtin_mul_overflow(times, bytes, &by) || __builtin_add_overflow(at.whole, by, &to) ||
	    to >= most || to <= -most)
		at.kind = FT__ADRIFT;
	else
		at.whole = to;
	return at;
}

void ft__atomic(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number at = ft__operand(item, op, 0, 0);

	ft__access(run, item, op, at);
	ft__write(run, op, at, 0, 32, false, value_unknown);
	for (int i = 0; i < op->lanes && op->to >= 0; i++)
		item->slot[op->to + i] = value_unknown;
}
