/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.c - from LLVM's function to blocks and slots. */
#include "base/alloc.h"
#include "kernel/code.h"

#include <stdio.h>
#include <string.h>

/* More than that is no kernel that anybody wrote; the square of the blocks is kept. */
enum { BLOCKS_MOST = 8192, SLOTS_MOST = 1 << 22 };

static struct ft__entry *find_entry(struct ft__entry *entry, size_t places, void *value)
{
	size_t i = (size_t)(((uintptr_t)value >> 4) * 0x9E3779B97F4A7C15u >> 24) & (places - 1);

	while (entry[i].value && entry[i].value != value)
		i = (i + 1) & (places - 1);
	return &entry[i];
}

static bool widen_entries(struct ft__decoding *d)
{
	size_t places = d->places ? 2 * d->places : 1024;
	struct ft__entry *wider = ft_calloc(places, sizeof *wider);

	if (!wider) {
		d->failed = true;
		return false;
	}
	for (size_t i = 0; i < d->places; i++)
		if (d->entry[i].value)
			*find_entry(wider, places, d->entry[i].value) = d->entry[i];
	ft_free(d->entry);
	d->entry = wider;
	d->places = places;
	return true;
}

/* What is known of a value; NULL: no memory. Stays where it is until the next is asked for. */
struct ft__entry *ft__entry(struct ft__decoding *d, void *value)
{
	if (2 * d->entries >= d->places && !widen_entries(d))
		return NULL;
	struct ft__entry *found = find_entry(d->entry, d->places, value);
	if (!found->value) {
		*found = (struct ft__entry){value, -1};
		d->entries++;
	}
	return found;
}

int ft__slot_new(struct ft__decoding *d, int lanes)
{
	struct ft_kernel *kernel = d->kernel;
	int first = (int)kernel->n_slots;

	for (int i = 0; i < lanes; i++) {
		struct ft__number *grown =
			ft_grow(kernel->initial, kernel->n_slots, &kernel->slots_capacity, sizeof *grown);

		if (!grown || kernel->n_slots >= SLOTS_MOST) {
			kernel->initial = grown ? grown : kernel->initial;
			d->failed = true;
			return -1;
		}
		kernel->initial = grown;
		kernel->initial[kernel->n_slots++] = (struct ft__number){.kind = FT__UNKNOWN};
	}
	return first;
}

static void fill_constant(struct ft__decoding *d, void *value, int slot, int lanes)
{
	const struct ft__llvm *l = d->llvm;
	struct ft__number part;

	for (int i = 0; i < lanes; i++) {
		if (lanes > 1 && l->IsAConstantDataVector(value))
			part = ft__constant(d, l->GetElementAsConstant(value, (unsigned)i));
		else if (lanes > 1 && l->IsAConstantVector(value))
			part = ft__constant(d, l->GetOperand(value, (unsigned)i));
		else
			part = ft__constant(d, value);
		d->kernel->initial[slot + i] = part;
	}
}

int ft__slot(struct ft__decoding *d, void *value)
{
	struct ft__entry *entry = ft__entry(d, value);

	if (!entry)
		return -1;
	if (entry->slot >= 0)
		return entry->slot;
	int lanes = ft__lanes(d, d->llvm->TypeOf(value));
	int slot = ft__slot_new(d, lanes);
	if (slot < 0)
		return -1;
	if (d->llvm->IsConstant(value))
		fill_constant(d, value, slot, lanes);
	entry = ft__entry(d, value); /* a constant's parts may have moved it */
	if (!entry)
		return -1;
	if (entry->slot < 0)
		entry->slot = slot;
	return entry->slot;
}

static void decode_param(struct ft__decoding *d, void *value, size_t i)
{
	const struct ft__llvm *l = d->llvm;
	struct ft_kernel *kernel = d->kernel;
	struct ft_kernel_param *param = &kernel->param[i];
	void *type = l->TypeOf(value);
	bool pointer = l->GetTypeKind(type) == FT__TYPE_POINTER;
	int space = pointer ? (int)l->GetPointerAddressSpace(type) : -1, width = ft__width(d, type);
	size_t length;

	(void)snprintf(param->name, sizeof param->name, "%s", l->GetValueName2(value, &length));
	kernel->param_slot[i] = ft__slot(d, value);
	kernel->param_lanes[i] = ft__lanes(d, type);
	kernel->param_space[i] = space;
	param->bits = pointer ? 0 : width;
	if (pointer)
		param->kind = space == FT__LOCAL                             ? FT_KERNEL_LOCAL
			      : space == FT__GLOBAL || space == FT__CONSTANT ? FT_KERNEL_GLOBAL
									     : FT_KERNEL_ODD;
	else if (!width || kernel->param_lanes[i] > 1)
		param->kind = FT_KERNEL_ODD;
	else
		param->kind = ft__is_real(d, type) ? FT_KERNEL_REAL : FT_KERNEL_WHOLE;
}

static void decode_block(struct ft__decoding *d, void *from, struct ft__block *block)
{
	const struct ft__llvm *l = d->llvm;
	struct ft_kernel *kernel = d->kernel;

	block->first = kernel->n_ops;
	for (void *instruction = l->GetFirstInstruction(from); instruction && !d->failed;
	     instruction = l->GetNextInstruction(instruction)) {
		struct ft__instruction *op =
			ft_grow(kernel->op, kernel->n_ops, &kernel->ops_capacity, sizeof *op);

		if (!op) {
			d->failed = true;
			return;
		}
		kernel->op = op;
		op += kernel->n_ops++;
		*op = (struct ft__instruction){.to = -1, .space = -1, .access = -1, .name = -1};
		ft__decode_op(d, instruction, op);
		ft__tally(op, block->count);
		block->phis += op->opcode == FT__PHI;
	}
	block->n = kernel->n_ops - block->first;
}

static const struct ft__instruction *last_op(const struct ft_kernel *kernel, size_t block)
{
	return &kernel->op[kernel->block[block].first + kernel->block[block].n - 1];
}

/* Which blocks can be come to from `start`. */
static void reach_from(struct ft_kernel *kernel, size_t start, int *stack)
{
	uint8_t *seen = kernel->reach + start * kernel->n_blocks;
	size_t depth = 0;

	stack[depth++] = (int)start;
	while (depth) {
		const struct ft__instruction *op = last_op(kernel, (size_t)stack[--depth]);

		if (op->opcode != FT__BR && op->opcode != FT__SWITCH)
			continue;
		for (int i = 0; i < op->n; i++)
			if (!seen[op->extra[i]]) {
				seen[op->extra[i]] = 1;
				stack[depth++] = (int)op->extra[i];
			}
	}
}

static enum ft_status decode_reach(struct ft_kernel *kernel, struct ft_err *err)
{
	int *stack = ft_calloc(kernel->n_blocks + 1, sizeof *stack);

	kernel->reach = ft_calloc(kernel->n_blocks, kernel->n_blocks);
	if (stack && kernel->reach)
		for (size_t i = 0; i < kernel->n_blocks; i++)
			reach_from(kernel, i, stack);
	ft_free(stack);
	return stack && kernel->reach ? FT_OK : ft_nomem(err);
}

enum ft_status ft__kernel_decode(struct ft__decoding *d, void *function, struct ft_err *err)
{
	const struct ft__llvm *l = d->llvm;
	struct ft_kernel *kernel = d->kernel;
	size_t n = l->CountBasicBlocks(function), i = 0;

	if (n > BLOCKS_MOST)
		return ft_fail(err, FT_EINVAL, "kernel %s has %zu blocks; more than %d are not followed",
			       kernel->name, n, BLOCKS_MOST);
	for (void *at = l->GetFirstParam(function); at; at = l->GetNextParam(at)) {
		if (kernel->n_params == FT_KERNEL_PARAMS)
			return ft_fail(err, FT_EINVAL, "kernel %s has more than %d parameters", kernel->name,
				       FT_KERNEL_PARAMS);
		decode_param(d, at, kernel->n_params++);
	}
	kernel->block = ft_calloc(n, sizeof *kernel->block);
	if (!kernel->block)
		return ft_nomem(err);
	kernel->n_blocks = n;
	for (void *at = l->GetFirstBasicBlock(function); at; at = l->GetNextBasicBlock(at)) {
		struct ft__entry *entry = ft__entry(d, at);

		if (!entry)
			return ft_nomem(err);
		entry->slot = (int)i++;
	}
	i = 0;
	for (void *at = l->GetFirstBasicBlock(function); at && !d->failed; at = l->GetNextBasicBlock(at))
		decode_block(d, at, &kernel->block[i++]);
	if (d->failed)
		return ft_nomem(err);
	return decode_reach(kernel, err);
}

void ft__kernel_decoder_clear(struct ft__decoding *d)
{
	ft_free(d->entry);
	d->entry = NULL;
}
