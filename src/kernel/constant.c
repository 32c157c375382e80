/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constant.c - types and constants of LLVM: numbers, vectors, variables of the program. */
#include "base/alloc.h"
#include "kernel/run.h"

#include <stdio.h>
#include <string.h>

enum { VARIABLE_MOST = 1 << 24 }; /* bytes of a variable whose contents are read */

static void *element_type(const struct ft__decoding *d, void *type)
{
	return d->llvm->GetTypeKind(type) == FT__TYPE_VECTOR ? d->llvm->GetElementType(type) : type;
}

int ft__lanes(const struct ft__decoding *d, void *type)
{
	return d->llvm->GetTypeKind(type) == FT__TYPE_VECTOR ? (int)d->llvm->GetVectorSize(type) : 1;
}

int ft__width(const struct ft__decoding *d, void *type)
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

bool ft__is_real(const struct ft__decoding *d, void *type)
{
	int kind = d->llvm->GetTypeKind(element_type(d, type));

	return kind == FT__TYPE_HALF || kind == FT__TYPE_FLOAT || kind == FT__TYPE_DOUBLE;
}

int64_t ft__size(const struct ft__decoding *d, void *type)
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

/* The same variable is the same buffer, wherever it is named: its slot holds it. */
static struct ft__number global_address(struct ft__decoding *d, void *value)
{
	struct ft__entry *entry = ft__entry(d, value);

	if (entry && entry->slot >= 0)
		return d->kernel->initial[entry->slot];
	struct ft__number at = add_variable(d, value);
	int slot = ft__slot_new(d, 1);
	entry = ft__entry(d, value);
	if (slot >= 0 && entry) {
		d->kernel->initial[slot] = at;
		entry->slot = slot;
	}
	return at;
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

struct ft__number ft__constant(struct ft__decoding *d, void *value)
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
	if (l->IsAGlobalVariable(value))
		return global_address(d, value);
	if (!l->IsAConstantExpr(value))
		return unknown;
	opcode = l->GetConstOpcode(value);
	if (opcode == FT__BITCAST || opcode == FT__ADDRSPACECAST)
		return ft__constant(d, l->GetOperand(value, 0));
	return opcode == FT__GEP ? constant_address(d, value) : unknown;
}
