/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - executes work-items from block to block, work-groups from barrier to barrier. */
#include "base/alloc.h"
#include "kernel/kernel.h"

#include <string.h>

enum ft__stop { FT__ENDED, FT__AT_BARRIER, FT__OUT_OF_STEPS };

/*
 * Instructions that do not jump.
 */

static const struct ft__number unknown = {.kind = FT__UNKNOWN};

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

static struct ft__number select_number(struct ft__number which, struct ft__number a, struct ft__number b)
{
	if (which.kind == FT__WHOLE)
		return which.whole ? a : b;
	if (a.kind == b.kind && a.kind != FT__UNKNOWN && a.kind != FT__ADRIFT && a.buffer == b.buffer &&
	    a.whole == b.whole)
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

/* Between types; a bit cast may change the number of lanes. */
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

/* kernel_step - an instruction that is no jump. */
static void kernel_step(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
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
		if (op->to >= 0) {
			bool compares = op->opcode == FT__ICMP,
			     binary = op->opcode >= FT__ADD && op->opcode <= FT__XOR;

			for (int i = 0; i < op->lanes; i++) {
				struct ft__number a = unknown, b = unknown;

				if (compares || binary) {
					a = ft__operand(item, op, 0, i);
					b = ft__operand(item, op, 1, i);
				}
				item->slot[op->to + i] =
					compares ? ft__compare(op->predicate, op->from_width, a, b)
					: binary ? ft__binary(op->opcode, op->width, a, b)
						 : unknown;
			}
		}
	}
}

/*
 * Executes work-items from block to block, work-groups from barrier to barrier.
 */

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * 0xBF58476D1CE4E5B9u;
	a = (a ^ (a >> 29)) * 0x94D049BB133111EBu;
	return a ^ (a >> 32);
}

static bool reaches(const struct ft_kernel *kernel, int64_t from, size_t to)
{
	return (size_t)from == to || kernel->reach[(size_t)from * kernel->n_blocks + to];
}

/* A compiler tests a loop's condition once before the loop and again after each turn, at the same line of
 * the source. Returns which branch of such a test enters the loop: over jumps to a block that repeats the
 * test; -1: it is no such test. Inside another loop all blocks reach each other: there the loop is
 * recognised by consisting of one block. */
static int way_into_loop(const struct ft_kernel *kernel, const struct ft__instruction *op)
{
	int found[2] = {-1, -1}, side, alone;

	for (side = 0; side < 2; side++) {
		size_t at = (size_t)op->extra[side], b, jumps;
		const struct ft__instruction *last =
			&kernel->op[kernel->block[at].first + kernel->block[at].n - 1];

		for (jumps = 0; jumps < 8 && last->opcode == FT__BR && last->n == 1; jumps++) {
			at = (size_t)last->extra[0];
			last = &kernel->op[kernel->block[at].first + kernel->block[at].n - 1];
		}
		for (b = 0; b < kernel->n_blocks; b++) {
			const struct ft__instruction *asks =
				&kernel->op[kernel->block[b].first + kernel->block[b].n - 1];

			if (asks == op || asks->opcode != FT__BR || asks->n != 2 || asks->line != op->line ||
			    !kernel->reach[at * kernel->n_blocks + b] ||
			    !kernel->reach[b * kernel->n_blocks + at])
				continue;
			alone = b == at && ((size_t)asks->extra[0] == at || (size_t)asks->extra[1] == at);
			found[alone] = found[alone] == -1 || found[alone] == side ? side : 2;
		}
	}
	return found[1] >= 0 && found[1] < 2 ? found[1] : found[0] < 2 ? found[0] : -1;
}

/* The branch for an unknown condition: through a loop the requested number of times; else either way, the
 * same for all work-items of a group, so that they reach the same barriers. */
static int guess_branch(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	bool again[2] = {reaches(run->kernel, op->extra[0], item->block),
			 reaches(run->kernel, op->extra[1], item->block)};
	uint32_t *turns = &item->turns[item->block];
	int into;

	if (again[0] == again[1] && op->line > 0 && (into = way_into_loop(run->kernel, op)) >= 0) {
		ft__meet(run, op, FT_KERNEL_NOTE_LOOP);
		return into;
	}
	if (again[0] == again[1]) {
		ft__meet(run, op, FT_KERNEL_NOTE_CONDITION);
		return (int)(mix(mix((uint64_t)run->group_number, item->block), ++*turns) & 1);
	}
	ft__meet(run, op, FT_KERNEL_NOTE_LOOP);
	if (++*turns < run->trips)
		return again[0] ? 0 : 1;
	*turns = 0;
	return again[0] ? 1 : 0;
}

static int chosen_branch(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	if (op->n == 1)
		return 0;
	struct ft__number by = item->slot[op->slot[0]];
	if (op->opcode == FT__BR)
		return by.kind == FT__WHOLE ? !by.whole : guess_branch(run, item, op);
	if (by.kind != FT__WHOLE) {
		ft__meet(run, op, FT_KERNEL_NOTE_CONDITION);
		return (int)(mix(mix((uint64_t)run->group_number, item->block), ++item->turns[item->block]) %
			     (uint64_t)op->n);
	}
	for (int i = 1; i < op->n; i++)
		if (op->extra[op->n + i] == by.whole)
			return i;
	return 0;
}

/* Begin a block; false: no instructions are left. */
static bool enter_block(struct ft__run *run, struct ft__item *item, const struct ft__block *block)
{
	run->visits[item->block]++;
	run->steps += (double)block->n;
	if (run->steps > run->steps_most) {
		run->stopped_line = 0;
		for (size_t i = 0; i < block->n; i++)
			if (run->kernel->op[block->first + i].line > 0)
				run->stopped_line = run->kernel->op[block->first + i].line;
		return false;
	}
	if (block->phis) {
		/* Those at the beginning of a block take their values together. */
		const struct ft__instruction *op = run->kernel->op + block->first;
		struct ft__number *to = run->scratch;

		for (size_t l = 0; l < block->phis; l++, op++)
			for (int k = 0; k < op->n; k++)
				if ((size_t)op->extra[k] == item->before) {
					memcpy(to, item->slot + op->slot[k], sizeof *to * (size_t)op->lanes);
					to += op->lanes;
					break;
				}
		to = run->scratch;
		op = run->kernel->op + block->first;
		for (size_t l = 0; l < block->phis; l++, op++) {
			memcpy(item->slot + op->to, to, sizeof *to * (size_t)op->lanes);
			to += op->lanes;
		}
		item->at = block->phis;
	}
	return true;
}

/* A work-item up to its next barrier, or its end. */
static enum ft__stop item_run(struct ft__run *run, struct ft__item *item)
{
	for (;;) {
		const struct ft__block *block = &run->kernel->block[item->block];
		const struct ft__instruction *op;
		bool jumped = false;

		if (item->at == 0 && !enter_block(run, item, block))
			return FT__OUT_OF_STEPS;
		while (item->at < block->n && !jumped) {
			op = &run->kernel->op[block->first + item->at++];
			switch (op->opcode) {
			case FT__RET:
			case FT__UNREACHABLE:
				item->done = true;
				return FT__ENDED;
			case FT__BR:
			case FT__SWITCH: {
				int which = chosen_branch(run, item, op);

				item->before = item->block;
				item->block = (size_t)op->extra[which];
				item->at = 0;
			}
				jumped = true;
				break;
			case FT__CALL:
				if (op->builtin->kind == FT__BARRIER)
					return FT__AT_BARRIER;
				/* fall through */
			default:
				kernel_step(run, item, op);
			}
		}
		if (!jumped) { /* no block of LLVM ends so */
			item->done = true;
			return FT__ENDED;
		}
	}
}

/* The barrier that a work-item stands at. */
static const struct ft__instruction *barrier_of(const struct ft__run *run, const struct ft__item *item)
{
	return &run->kernel->op[run->kernel->block[item->block].first + item->at - 1];
}

bool ft__group_run(struct ft__run *run, int64_t number, void (*phase)(void *with, struct ft__run *run),
		   void *with)
{
	size_t buffers = run->memory.n, waiting;

	run->group_number = number;
	run->group[0] = number % run->groups[0];
	run->group[1] = number / run->groups[0] % run->groups[1];
	run->group[2] = number / run->groups[0] / run->groups[1];
	/* A group that represents others sees the initial contents of global memory. */
	for (size_t i = 0; i < buffers; i++)
		if (run->sampled || run->memory.buffer[i].space != FT__GLOBAL)
			ft__memory_reset(&run->memory, (int)i);
	for (size_t i = 0; i < run->n_items; i++) {
		struct ft__item *item = &run->item[i];

		memcpy(item->slot, run->initial, sizeof *item->slot * run->kernel->n_slots);
		memset(item->turns, 0, sizeof *item->turns * run->kernel->n_blocks);
		item->block = item->before = item->at = item->n_touches = 0;
		item->done = false;
		item->local[0] = (int64_t)i % run->local[0];
		item->local[1] = (int64_t)i / run->local[0] % run->local[1];
		item->local[2] = (int64_t)i / run->local[0] / run->local[1];
	}
	do {
		waiting = 0;
		for (size_t i = 0; i < run->n_items; i++) {
			if (run->item[i].done)
				continue;
			enum ft__stop stop = item_run(run, &run->item[i]);
			if (stop == FT__OUT_OF_STEPS)
				return false;
			waiting += stop == FT__AT_BARRIER;
		}
		if (waiting) {
			/* All work-items of a group come to the same barrier, or to none. */
			const struct ft__instruction *first = NULL;
			bool differ = waiting < run->n_items;

			for (size_t k = 0; k < run->n_items; k++) {
				if (run->item[k].done)
					continue;
				if (first && barrier_of(run, &run->item[k]) != first)
					differ = true;
				first = first ? first : barrier_of(run, &run->item[k]);
			}
			if (first && differ)
				ft__meet(run, first, FT_KERNEL_NOTE_BARRIER_DIVERGES);
		}
		phase(with, run);
		for (size_t i = 0; i < run->n_items; i++)
			run->item[i].n_touches = 0;
	} while (waiting);
	return true;
}

enum ft_status ft__run_open(struct ft__run *run, struct ft_err *err)
{
	const struct ft_kernel *kernel = run->kernel;

	run->n_items = (size_t)(run->local[0] * run->local[1] * run->local[2]);
	run->item = ft_calloc(run->n_items, sizeof *run->item);
	run->initial = ft_malloc(sizeof *run->initial * (kernel->n_slots + 1));
	run->scratch = ft_malloc(sizeof *run->scratch * (kernel->n_slots + 1));
	run->visits = ft_calloc(kernel->n_blocks, sizeof *run->visits);
	run->met_buffer = ft_malloc(sizeof *run->met_buffer * kernel->n_ops);
	bool good = run->item && run->initial && run->scratch && run->visits && run->met_buffer;
	for (size_t i = 0; i < FT_KERNEL_NOTES; i++) {
		run->met[i] = ft_calloc(kernel->n_ops, sizeof *run->met[i]);
		good = good && run->met[i];
	}
	for (size_t i = 0; good && i < run->n_items; i++) {
		run->item[i].slot = ft_malloc(sizeof *run->item[i].slot * (run->kernel->n_slots + 1));
		run->item[i].turns = ft_malloc(sizeof *run->item[i].turns * (run->kernel->n_blocks + 1));
		good = run->item[i].slot && run->item[i].turns;
	}
	if (!good)
		return ft_nomem(err);
	for (size_t i = 0; i < kernel->n_ops; i++)
		run->met_buffer[i] = -1;
	memcpy(run->initial, kernel->initial, sizeof *run->initial * kernel->n_slots);
	return FT_OK;
}

void ft__run_close(struct ft__run *run)
{
	for (size_t i = 0; run->item && i < run->n_items; i++) {
		ft_free(run->item[i].slot);
		ft_free(run->item[i].turns);
		ft_free(run->item[i].touch);
	}
	ft_free(run->item);
	ft_free(run->initial);
	ft_free(run->scratch);
	ft_free(run->visits);
	ft_free(run->met_buffer);
	for (size_t i = 0; i < FT_KERNEL_NOTES; i++)
		ft_free(run->met[i]);
	ft__memory_clear(&run->memory);
}
