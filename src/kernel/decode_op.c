/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode_op.c - an instruction of LLVM as ours. */
#include "base/alloc.h"
#include "kernel/code.h"

#include <stdio.h>
#include <string.h>

static int64_t *new_numbers(struct ft__decoding *d, size_t n)
{
	int64_t *room = ft_calloc(n + 1, sizeof *room);

	d->failed = d->failed || !room;
	return room;
}

static bool new_slots(struct ft__decoding *d, struct ft__instruction *op, int n)
{
	op->slot = ft_malloc(sizeof *op->slot * ((size_t)n + 1));
	d->failed = d->failed || !op->slot;
	op->n = op->slot ? n : 0;
	for (int i = 0; i < op->n; i++)
		op->slot[i] = -1;
	return op->slot;
}

static int64_t block_number(struct ft__decoding *d, void *block)
{
	struct ft__entry *entry = ft__entry(d, block);

	return entry ? entry->slot : 0;
}

static void decode_phi(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	int n = (int)l->CountIncoming(in);

	op->extra = new_numbers(d, (size_t)n);
	if (!new_slots(d, op, n) || !op->extra)
		return;
	for (int i = 0; i < n; i++) {
		op->slot[i] = ft__slot(d, l->GetIncomingValue(in, (unsigned)i));
		op->extra[i] = block_number(d, l->GetIncomingBlock(in, (unsigned)i));
	}
}

/* Of a branch and a switch: the first slot is what decides. */
static void decode_jump(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	int n = (int)l->GetNumSuccessors(in);

	op->extra = new_numbers(d, 2 * (size_t)n);
	if (!new_slots(d, op, n) || !op->extra)
		return;
	for (int i = 0; i < n; i++) {
		op->extra[i] = block_number(d, l->GetSuccessor(in, (unsigned)i));
		if (op->opcode == FT__SWITCH && i)
			op->extra[n + i] = l->ConstIntGetSExtValue(l->GetOperand(in, 2 * (unsigned)i));
	}
	if (op->opcode == FT__SWITCH)
		op->slot[0] = ft__slot(d, l->GetOperand(in, 0));
	else if (n == 2)
		op->slot[0] = ft__slot(d, l->GetCondition(in));
}

static void decode_gep(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	void *type = l->GetGEPSourceElementType(in);
	int n = l->GetNumOperands(in);

	op->extra = new_numbers(d, (size_t)n);
	if (!new_slots(d, op, n) || !op->extra)
		return;
	op->slot[0] = ft__slot(d, l->GetOperand(in, 0));
	for (int i = 1; i < n; i++) {
		void *index = l->GetOperand(in, (unsigned)i);

		if (i > 1 && l->GetTypeKind(type) == FT__TYPE_STRUCT) {
			unsigned part = (unsigned)l->ConstIntGetZExtValue(index);

			op->extra[i] = (int64_t)l->OffsetOfElement(d->target, type, part);
			type = l->StructGetTypeAtIndex(type, part);
			continue;
		}
		if (i > 1)
			type = l->GetElementType(type);
		op->slot[i] = ft__slot(d, index);
		op->extra[i] = ft__size(d, type);
	}
}

static void access_of(struct ft__decoding *d, struct ft__instruction *op, void *pointer)
{
	void *type = d->llvm->TypeOf(pointer);

	op->space = d->llvm->GetTypeKind(type) == FT__TYPE_POINTER
			    ? (int)d->llvm->GetPointerAddressSpace(type)
			    : -1;
	if (op->space == FT__GLOBAL || op->space == FT__CONSTANT)
		op->access = (int)d->kernel->n_accesses++;
}

static void describe_instruction(struct ft__decoding *d, struct ft__instruction *op, void *type)
{
	op->lanes = ft__lanes(d, type);
	op->width = ft__width(d, type);
	op->real = ft__is_real(d, type);
	op->bytes = op->lanes * ((op->width + 7) / 8);
}

static void load_or_store(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	void *pointer = l->GetOperand(in, op->opcode == FT__STORE), *value;

	if (!new_slots(d, op, 2))
		return;
	op->slot[0] = ft__slot(d, pointer);
	access_of(d, op, pointer);
	op->bytes = op->lanes * ((op->width + 7) / 8);
	if (op->opcode == FT__STORE) {
		value = l->GetOperand(in, 0);
		op->store = true;
		op->slot[1] = ft__slot(d, value);
		describe_instruction(d, op, l->TypeOf(value));
	}
	if (!op->width) /* a structure */
		op->bytes = (int)ft__size(d, l->TypeOf(op->store ? l->GetOperand(in, 0) : in));
}

static void alloca_(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	struct ft_kernel *kernel = d->kernel;
	int64_t *grown =
		ft_grow(kernel->alloca_bytes, kernel->n_allocas, &kernel->allocas_capacity, sizeof *grown);

	op->extra = new_numbers(d, 1);
	if (!grown || !op->extra) {
		d->failed = true;
		return;
	}
	kernel->alloca_bytes = grown;
	op->extra[0] = (int64_t)kernel->n_allocas;
	grown[kernel->n_allocas++] = ft__size(d, d->llvm->GetAllocatedType(in));
}

/* The number of a name of a function; -1: no memory. */
static int keep_instruction(struct ft__decoding *d, const char *name)
{
	struct ft_kernel *kernel = d->kernel;
	char(*grown)[FT_KERNEL_NAME];
	size_t i;

	for (i = 0; i < kernel->n_called; i++)
		if (!strcmp(kernel->called[i], name))
			return (int)i;
	grown = ft_grow(kernel->called, kernel->n_called, &kernel->called_capacity, sizeof *grown);
	if (!grown) {
		d->failed = true;
		return -1;
	}
	kernel->called = grown;
	(void)snprintf(grown[i], sizeof grown[i], "%s", name);
	kernel->n_called++;
	return (int)i;
}

/* Of a vector's load and store: how many components of how many bytes. */
static void vector_access(struct ft__decoding *d, void *in, struct ft__instruction *op, const char *name)
{
	bool store = op->builtin->kind == FT__VECTOR_STORE,
	     half = strstr(name, "_half") || !strncmp(name, "vloada_half", 11);
	void *pointer = d->llvm->GetOperand(in, store ? 2 : 1);

	if (op->n < (store ? 3 : 2))
		return;
	access_of(d, op, pointer);
	op->store = store;
	if (store)
		describe_instruction(d, op, d->llvm->TypeOf(d->llvm->GetOperand(in, 0)));
	op->bytes = op->lanes * (half ? 2 : (op->width + 7) / 8);
}

static void decode_call(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	void *function = l->GetCalledValue(in);
	int n = (int)l->GetNumArgOperands(in);
	char name[FT_KERNEL_NAME];
	size_t length;

	op->builtin = ft__builtin_find(l->IsAFunction(function) ? l->GetValueName2(function, &length) : "",
				       name, sizeof name, &op->unsigned_);
	op->name = keep_instruction(d, name);
	if (op->builtin->kind == FT__IGNORED)
		return;
	op->extra = new_numbers(d, (size_t)n);
	if (!new_slots(d, op, n) || !op->extra)
		return;
	for (int i = 0; i < n; i++) {
		op->slot[i] = ft__slot(d, l->GetOperand(in, (unsigned)i));
		op->extra[i] = ft__lanes(d, l->TypeOf(l->GetOperand(in, (unsigned)i)));
	}
	if (n) {
		op->from_width = ft__width(d, l->TypeOf(l->GetOperand(in, 0)));
		op->from_lanes = ft__lanes(d, l->TypeOf(l->GetOperand(in, 0)));
		op->from_real = ft__is_real(d, l->TypeOf(l->GetOperand(in, 0)));
	}
	if (op->builtin->kind == FT__ATOMIC && n) {
		access_of(d, op, l->GetOperand(in, 0));
		op->store = true;
		op->bytes = 4;
	}
	if (op->builtin->kind == FT__VECTOR_LOAD || op->builtin->kind == FT__VECTOR_STORE)
		vector_access(d, in, op, name);
}

static void decode_other(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	int n = l->GetNumOperands(in);

	if (op->opcode == FT__SHUFFLEVECTOR) {
		op->extra = new_numbers(d, (size_t)op->lanes);
		for (int i = 0; i < op->lanes && op->extra; i++)
			op->extra[i] = l->GetMaskValue(in, (unsigned)i);
	}
	if (op->opcode == FT__ICMP)
		op->predicate = l->GetICmpPredicate(in);
	if (op->opcode == FT__FCMP)
		op->predicate = l->GetFCmpPredicate(in);
	if (!new_slots(d, op, n))
		return;
	for (int i = 0; i < n; i++) {
		void *operand = l->GetOperand(in, (unsigned)i);

		if (!l->ValueIsBasicBlock(operand))
			op->slot[i] = ft__slot(d, operand);
	}
	if (n) {
		void *type = l->TypeOf(l->GetOperand(in, 0));

		op->from_width = ft__width(d, type);
		op->from_lanes = ft__lanes(d, type);
		op->from_real = ft__is_real(d, type);
	}
	if (op->opcode == FT__ATOMICRMW || op->opcode == FT__CMPXCHG) {
		access_of(d, op, l->GetOperand(in, 0));
		op->store = true;
		op->bytes = 4;
	}
}

void ft__decode_op(struct ft__decoding *d, void *in, struct ft__instruction *op)
{
	const struct ft__llvm *l = d->llvm;
	void *type = l->TypeOf(in);

	op->opcode = l->GetInstructionOpcode(in);
	op->line = (int)l->GetDebugLocLine(in);
	if (l->GetTypeKind(type) != FT__TYPE_VOID) {
		describe_instruction(d, op, type);
		op->to = ft__slot(d, in);
	}
	switch (op->opcode) {
	case FT__PHI:
		decode_phi(d, in, op);
		break;
	case FT__BR:
	case FT__SWITCH:
		decode_jump(d, in, op);
		break;
	case FT__GEP:
		decode_gep(d, in, op);
		break;
	case FT__LOAD:
	case FT__STORE:
		load_or_store(d, in, op);
		break;
	case FT__ALLOCA:
		alloca_(d, in, op);
		break;
	case FT__CALL:
		decode_call(d, in, op);
		break;
	default:
		decode_other(d, in, op);
	}
}
