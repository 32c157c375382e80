/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - what instructions do that do not jump. */
#include "kernel/run.h"
#include "base/alloc.h"

#include <string.h>

static const struct ft__number unknown = {.kind = FT__UNKNOWN};

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
		return unknown;
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

static void load_value(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number at = ft__operand(item, op, 0, 0);
	int each = (op->width + 7) / 8;

	ft__access(run, item, op, at);
	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] = ft__read(run, at, (int64_t)i * each, op->width, op->real);
}

static void store_lanes(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number at = ft__operand(item, op, 0, 0);
	int each = (op->width + 7) / 8;

	ft__access(run, item, op, at);
	for (int i = 0; i < op->lanes; i++)
		ft__write(run, op, at, (int64_t)i * each, op->width, op->real, ft__operand(item, op, 1, i));
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

static void gep(struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number at = ft__operand(item, op, 0, 0);

	for (int i = 1; i < op->n && at.kind == FT__POINTER; i++) {
		struct ft__number index = op->slot[i] < 0 ? ft__whole(1) : item->slot[op->slot[i]];

		if (index.kind != FT__WHOLE) {
			at.kind = FT__ADRIFT;
			break;
		}
		at = ft__move(at, index.whole, op->extra[i]);
	}
	if (at.kind != FT__POINTER && at.kind != FT__ADRIFT)
		at = unknown;
	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] = op->lanes == 1 ? at : unknown;
}

/* Each work-item has buffers of its own. */
static void alloca_(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	size_t number = (size_t)(item - run->item) * run->kernel->n_allocas + (size_t)op->extra[0];

	item->slot[op->to] = (struct ft__number){
		.kind = FT__POINTER, .buffer = run->first_alloca + (int32_t)number, .whole = 0};
}

static bool same_number(struct ft__number a, struct ft__number b)
{
	return a.kind == b.kind && a.kind != FT__UNKNOWN && a.kind != FT__ADRIFT && a.buffer == b.buffer &&
	       a.whole == b.whole;
}

static struct ft__number select_number(struct ft__number which, struct ft__number a, struct ft__number b)
{
	if (which.kind == FT__WHOLE)
		return which.whole ? a : b;
	if (same_number(a, b))
		return a;
	if ((a.kind == FT__POINTER || a.kind == FT__ADRIFT) &&
	    (b.kind == FT__POINTER || b.kind == FT__ADRIFT) && a.buffer == b.buffer)
		return (struct ft__number){.kind = FT__ADRIFT, .buffer = a.buffer};
	return unknown;
}

static void select_(struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] =
			select_number(ft__operand(item, op, 0, op->from_lanes > 1 ? i : 0),
				      ft__operand(item, op, 1, i), ft__operand(item, op, 2, i));
}

static void compare_real(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes; i++) {
		struct ft__number a = ft__operand(item, op, 0, i), b = ft__operand(item, op, 1, i);

		item->slot[op->to + i] = ft__compare_real(op->predicate, a, b);
		if (item->slot[op->to + i].kind != FT__UNKNOWN)
			ft__meet(run, op, FT_KERNEL_NOTE_ROUNDING);
	}
}

static void extract(struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number index = ft__operand(item, op, 1, 0);
	bool known = index.kind == FT__WHOLE && index.whole >= 0 && index.whole < op->from_lanes;

	item->slot[op->to] = known ? ft__operand(item, op, 0, (int)index.whole) : unknown;
}

static void insert(struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number index = ft__operand(item, op, 2, 0), part = ft__operand(item, op, 1, 0);

	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] = index.kind != FT__WHOLE ? unknown
					 : i == index.whole      ? part
								 : ft__operand(item, op, 0, i);
}

static void shuffle(struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes; i++) {
		int from = (int)op->extra[i];

		item->slot[op->to + i] = from < 0 ? unknown
					 : from < op->from_lanes
						 ? ft__operand(item, op, 0, from)
						 : ft__operand(item, op, 1, from - op->from_lanes);
	}
}

void ft__atomic(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number at = ft__operand(item, op, 0, 0);

	ft__access(run, item, op, at);
	ft__write(run, op, at, 0, 32, false, unknown);
	for (int i = 0; i < op->lanes && op->to >= 0; i++)
		item->slot[op->to + i] = unknown;
}

/* Between types; the lanes of a bit cast may be others. */
static void cast(struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] = op->from_lanes == op->lanes
						 ? ft__cast(op->opcode, op->width, op->from_width, op->real,
							    ft__operand(item, op, 0, i))
						 : unknown;
}

static void negate_lanes(struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes; i++) {
		struct ft__number a = ft__operand(item, op, 0, i);

		item->slot[op->to + i] = a.kind == FT__REAL ? ft__real(-a.real, op->width) : unknown;
	}
}

static void lanewise(struct ft__item *item, const struct ft__instruction *op)
{
	bool compares = op->opcode == FT__ICMP, binary = op->opcode >= FT__ADD && op->opcode <= FT__XOR;

	for (int i = 0; i < op->lanes; i++) {
		struct ft__number a = unknown, b = unknown;

		if (compares || binary) {
			a = ft__operand(item, op, 0, i);
			b = ft__operand(item, op, 1, i);
		}
		item->slot[op->to + i] = compares ? ft__compare(op->predicate, op->from_width, a, b)
					 : binary ? ft__binary(op->opcode, op->width, a, b)
						  : unknown;
	}
}

void ft__kernel_step(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	switch (op->opcode) {
	case FT__LOAD:
		load_value(run, item, op);
		break;
	case FT__STORE:
		store_lanes(run, item, op);
		break;
	case FT__GEP:
		gep(item, op);
		break;
	case FT__ALLOCA:
		alloca_(run, item, op);
		break;
	case FT__CALL:
		ft__call(run, item, op);
		break;
	case FT__SELECT:
		select_(item, op);
		break;
	case FT__FCMP:
		compare_real(run, item, op);
		break;
	case FT__EXTRACTELEMENT:
		extract(item, op);
		break;
	case FT__INSERTELEMENT:
		insert(item, op);
		break;
	case FT__SHUFFLEVECTOR:
		shuffle(item, op);
		break;
	case FT__ATOMICRMW:
	case FT__CMPXCHG:
		ft__atomic(run, item, op);
		break;
	case FT__FNEG:
		negate_lanes(item, op);
		break;
	case FT__TRUNC:
	case FT__ZEXT:
	case FT__SEXT:
	case FT__FPTOUI:
	case FT__FPTOSI:
	case FT__UITOFP:
	case FT__SITOFP:
	case FT__FPTRUNC:
	case FT__FPEXT:
	case FT__BITCAST:
	case FT__ADDRSPACECAST:
	case FT__FREEZE:
		cast(item, op);
		break;
	default:
		if (op->to >= 0)
			lanewise(item, op);
	}
}
