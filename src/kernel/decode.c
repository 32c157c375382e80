/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.c - from LLVM's function to blocks and slots. */
#include "base/alloc.h"
#include "base/files.h"
#include "kernel/kernel.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct ft__number ft__constant(struct ft__decoding *decoder, void *value);

static int slot_new(struct ft__decoding *decoder, int lanes);

enum ft__llvm_type {
	FT__TYPE_VOID = 0,
	FT__TYPE_HALF = 1,
	FT__TYPE_FLOAT = 2,
	FT__TYPE_DOUBLE = 3,
	FT__TYPE_INTEGER = 8,
	FT__TYPE_STRUCT = 10,
	FT__TYPE_ARRAY = 11,
	FT__TYPE_POINTER = 12,
	FT__TYPE_VECTOR = 13
};

/*
 * Loads LLVM's library.
 */

/* The name under which a distribution keeps it; from version 18 on the number stands behind. False: no more.
 */
static bool library_name(char *file, size_t size, size_t i, int version)
{
	switch (i) {
	case 0:
		return snprintf(file, size, "libLLVM-%d.so.1", version) > 0;
	case 1:
		return snprintf(file, size, "libLLVM-%d.so", version) > 0;
	case 2:
		return snprintf(file, size, "libLLVM.so.%d.1", version) > 0;
	default:
		return false;
	}
}

enum ft_status ft__llvm_load(struct ft__llvm *out, int version, struct ft_err *err)
{
	const struct ft_symbol symbols[] = {
#define ROW(type, name, arguments) {"LLVM" #name, &out->name},
		FT__LLVM_LIST(ROW)
#undef ROW
	};
	char file[32];
	size_t i;

	for (i = 0; library_name(file, sizeof file, i, version); i++)
		if (!ft_library_load(file, symbols, sizeof symbols / sizeof *symbols, NULL))
			return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot load libLLVM of version %d, which reads what clang %d makes",
		      version, version);
	(void)ft_remedy(err, "apt install libllvm%d, or choose another compiler with --flags clang=NAME",
			version);
	return FT_EUNAVAIL;
}

/*
 * Types and constants of LLVM: numbers, vectors, variables of the program.
 */

enum { VARIABLE_MOST = 1 << 24 }; /* bytes of a variable whose contents are read */

static void *element_type(const struct ft__decoding *d, void *type)
{
	return d->llvm->GetTypeKind(type) == FT__TYPE_VECTOR ? d->llvm->GetElementType(type) : type;
}

/* Types. */
static int ft__lanes(const struct ft__decoding *d, void *type)
{
	return d->llvm->GetTypeKind(type) == FT__TYPE_VECTOR ? (int)d->llvm->GetVectorSize(type) : 1;
}

static int ft__width(const struct ft__decoding *d, void *type)
{
	void *of = element_type(d, type);

	switch (d->llvm->GetTypeKind(of)) {
	case FT__TYPE_HALF:
		return 16;
	case FT__TYPE_FLOAT:
		return 32;
	case FT__TYPE_DOUBLE:
	case FT__TYPE_POINTER:
		return 64;
	case FT__TYPE_INTEGER:
		return (int)d->llvm->GetIntTypeWidth(of);
	default:
		return 0;
	}
}

/* of a component; 0: no number, no pointer */
static bool ft__is_real(const struct ft__decoding *d, void *type)
{
	int kind = d->llvm->GetTypeKind(element_type(d, type));

	return kind == FT__TYPE_HALF || kind == FT__TYPE_FLOAT || kind == FT__TYPE_DOUBLE;
}

static int64_t ft__size(const struct ft__decoding *d, void *type)
{
	return (int64_t)d->llvm->ABISizeOfType(d->target, type);
}

/* Numbers of a constant into the image of a variable; what is no number stays zero. */
static void image_fill(struct ft__decoding *d, void *value, uint8_t *to, int depth)
{
	const struct ft__llvm *l = d->llvm;
	void *type = l->TypeOf(value);
	bool listed = l->IsAConstantDataArray(value) || l->IsAConstantDataVector(value);
	bool parts = l->IsAConstantArray(value) || l->IsAConstantStruct(value) || l->IsAConstantVector(value);
	bool structure = l->GetTypeKind(type) == FT__TYPE_STRUCT;
	int64_t size = ft__size(d, type), n = 1, i;

	if (listed || parts) {
		n = listed ? l->IsAConstantDataArray(value) ? (int64_t)l->GetArrayLength(type)
							    : ft__lanes(d, type)
			   : (int64_t)l->GetNumOperands(value);
		for (i = 0; i < n && depth < 16; i++)
			image_fill(d,
				   listed ? l->GetElementAsConstant(value, (unsigned)i)
					  : l->GetOperand(value, (unsigned)i),
				   to + (structure ? (int64_t)l->OffsetOfElement(d->target, type, (unsigned)i)
						   : size / n * i),
				   depth + 1);
		return;
	}
	struct ft__number number = ft__constant(d, value);
	float single = (float)number.real;
	if (number.kind == FT__REAL && size == 4)
		memcpy(to, &single, 4);
	else if ((number.kind == FT__REAL || number.kind == FT__WHOLE) && size <= 8)
		memcpy(to, &number.whole, (size_t)size);
}

/* A variable of the program becomes a buffer. */
static struct ft__number add_variable(struct ft__decoding *d, void *value)
{
	const struct ft__llvm *l = d->llvm;
	struct ft_kernel *kernel = d->kernel;
	void *initial = l->GetInitializer(value);
	size_t length;
	struct ft__static *grown =
		ft_grow(kernel->variable, kernel->n_variables, &kernel->variables_capacity, sizeof *grown);

	if (!grown) {
		d->failed = true;
		return (struct ft__number){.kind = FT__UNKNOWN};
	}
	kernel->variable = grown;
	grown += kernel->n_variables;
	*grown = (struct ft__static){.space = (int)l->GetPointerAddressSpace(l->TypeOf(value)),
				     .size = ft__size(d, l->GlobalGetValueType(value))};
	(void)snprintf(grown->name, sizeof grown->name, "%s", l->GetValueName2(value, &length));
	if (initial && grown->space != FT__LOCAL && grown->size <= VARIABLE_MOST) {
		grown->image = ft_calloc((size_t)grown->size + 1, 1);
		d->failed = d->failed || !grown->image;
		if (grown->image)
			image_fill(d, initial, grown->image, 0);
	}
	return (struct ft__number){.kind = FT__POINTER, .buffer = (int32_t)kernel->n_variables++};
}

/* A constant place in a variable. */
static struct ft__number constant_address(struct ft__decoding *d, void *value)
{
	const struct ft__llvm *l = d->llvm;
	struct ft__number at = ft__constant(d, l->GetOperand(value, 0));
	void *type = l->GetGEPSourceElementType(value);
	int n = l->GetNumOperands(value), i;

	for (i = 1; i < n && at.kind == FT__POINTER; i++) {
		void *index = l->GetOperand(value, (unsigned)i);
		int64_t k = l->IsAConstantInt(index) ? l->ConstIntGetSExtValue(index) : 0;

		if (!l->IsAConstantInt(index)) {
			at.kind = FT__ADRIFT;
		} else if (i == 1) {
			at = ft__move(at, k, ft__size(d, type));
		} else if (l->GetTypeKind(type) == FT__TYPE_STRUCT) {
			at = ft__move(at, 1, (int64_t)l->OffsetOfElement(d->target, type, (unsigned)k));
			type = l->StructGetTypeAtIndex(type, (unsigned)k);
		} else {
			type = l->GetElementType(type);
			at = ft__move(at, k, ft__size(d, type));
		}
	}
	return at;
}

/* ft__constant - the value of one; what is no number and no place is unknown. */
static struct ft__number ft__constant(struct ft__decoding *d, void *value)
{
	const struct ft__llvm *l = d->llvm;
	const struct ft__number unknown = {.kind = FT__UNKNOWN};
	int lost, opcode, width = ft__width(d, l->TypeOf(value));

	if (l->IsAConstantInt(value) && width > 64)
		return unknown;
	if (l->IsAConstantInt(value))
		return ft__whole(width == 1 ? (int64_t)l->ConstIntGetZExtValue(value)
					    : l->ConstIntGetSExtValue(value));
	if (l->IsAConstantFP(value))
		return ft__real(l->ConstRealGetDouble(value, &lost), width);
	if (l->IsAConstantPointerNull(value))
		return ft__whole(0);
	if (l->IsAConstantAggregateZero(value))
		return ft__is_real(d, l->TypeOf(value)) ? ft__real(0, width) : ft__whole(0);
	if (l->IsAGlobalVariable(value)) {
		/* The same variable is the same buffer, wherever it is named: its slot holds it. */
		struct ft__entry *entry = ft__entry(d, value);

		if (entry && entry->slot >= 0)
			return d->kernel->initial[entry->slot];
		struct ft__number at = add_variable(d, value);
		int slot = slot_new(d, 1);
		entry = ft__entry(d, value);
		if (slot >= 0 && entry) {
			d->kernel->initial[slot] = at;
			entry->slot = slot;
		}
		return at;
	}
	if (!l->IsAConstantExpr(value))
		return unknown;
	opcode = l->GetConstOpcode(value);
	if (opcode == FT__BITCAST || opcode == FT__ADDRSPACECAST)
		return ft__constant(d, l->GetOperand(value, 0));
	return opcode == FT__GEP ? constant_address(d, value) : unknown;
}

/*
 * An instruction of LLVM as ours.
 */

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

/* Of a branch and a switch: the first slot is the condition. */
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

/* decode_op - one instruction, into the last of the kernel's. */
static void decode_op(struct ft__decoding *d, void *in, struct ft__instruction *op)
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

/*
 * From LLVM's function to blocks and slots.
 */

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

/* The entry of a value; NULL: no memory. Valid until the next call. */
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

static int slot_new(struct ft__decoding *d, int lanes)
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

int ft__slot(struct ft__decoding *d, void *value)
{
	struct ft__entry *entry = ft__entry(d, value);

	if (!entry)
		return -1;
	if (entry->slot >= 0)
		return entry->slot;
	int lanes = ft__lanes(d, d->llvm->TypeOf(value));
	int slot = slot_new(d, lanes);
	if (slot < 0)
		return -1;
	if (d->llvm->IsConstant(value)) {
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
		decode_op(d, instruction, op);
		ft__tally(op, block->count);
		block->phis += op->opcode == FT__PHI;
	}
	block->n = kernel->n_ops - block->first;
}

static const struct ft__instruction *last_op(const struct ft_kernel *kernel, size_t block)
{
	return &kernel->op[kernel->block[block].first + kernel->block[block].n - 1];
}

/* The blocks reachable from `start`. */
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
	int *stack = ft_calloc(kernel->n_blocks + 1, sizeof *stack);

	kernel->reach = ft_calloc(kernel->n_blocks, kernel->n_blocks);
	if (stack && kernel->reach)
		for (i = 0; i < kernel->n_blocks; i++)
			reach_from(kernel, i, stack);
	ft_free(stack);
	return stack && kernel->reach ? FT_OK : ft_nomem(err);
}

void ft__kernel_decoder_clear(struct ft__decoding *d)
{
	ft_free(d->entry);
	d->entry = NULL;
}
