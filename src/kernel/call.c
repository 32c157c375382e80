/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - what functions of OpenCL do. */
#include "kernel/llvm.h"
#include "kernel/run.h"

#include <math.h>
#include <string.h>

static const struct ft__number unknown = {.kind = FT__UNKNOWN};

static void give_result(struct ft__item *item, const struct ft__instruction *op, struct ft__number value)
{
	for (int i = 0; i < op->lanes && op->to >= 0; i++)
		item->slot[op->to + i] = value;
}

static int64_t work_item(const struct ft__run *run, const struct ft__item *item, enum ft__work_item which,
			 int dim)
{
	switch (which) {
	case FT__GLOBAL_ID:
		return run->group[dim] * run->local[dim] + item->local[dim];
	case FT__LOCAL_ID:
		return item->local[dim];
	case FT__GROUP_ID:
		return run->group[dim];
	case FT__GLOBAL_SIZE:
		return run->global[dim];
	case FT__LOCAL_SIZE:
		return run->local[dim];
	case FT__NUM_GROUPS:
		return run->groups[dim];
	case FT__WORK_DIM:
		return run->dims;
	default:
		return 0;
	}
}

/* Beyond the dimensions a size is 1 and a place 0, as the standard has it. */
static void ask_work_item(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number dim = op->n ? ft__operand(item, op, 0, 0) : ft__whole(0);
	enum ft__work_item which = (enum ft__work_item)op->builtin->which;
	bool size = which == FT__GLOBAL_SIZE || which == FT__LOCAL_SIZE || which == FT__NUM_GROUPS;

	if (dim.kind != FT__WHOLE)
		give_result(item, op, unknown);
	else if (dim.whole < 0 || dim.whole >= FT_KERNEL_DIMS)
		give_result(item, op, ft__whole(size));
	else
		give_result(item, op, ft__whole(work_item(run, item, which, (int)dim.whole)));
}

static struct ft__number fused_multiply_add(int width, struct ft__number a, struct ft__number b,
					    struct ft__number c)
{
	if (a.kind != FT__REAL || b.kind != FT__REAL || c.kind != FT__REAL)
		return unknown;
	return ft__real(a.real * b.real + c.real, width);
}

static struct ft__number of_reals(const struct ft__instruction *op, struct ft__number a, struct ft__number b,
				  struct ft__number c)
{
	const struct ft__builtin *f = op->builtin;

	if (f->kind == FT__FUSED)
		return fused_multiply_add(op->width, a, b, c);
	if (f->one && op->n == 1 && a.kind == FT__REAL)
		return ft__real(f->one(a.real), op->width);
	if (f->two && op->n == 2 && a.kind == FT__REAL && b.kind == FT__REAL)
		return ft__real(f->two(a.real, b.real), op->width);
	if (f->which == FT__CLAMP && op->n == 3 && a.kind == FT__REAL && b.kind == FT__REAL &&
	    c.kind == FT__REAL)
		return ft__real(fmin(fmax(a.real, b.real), c.real), op->width);
	return unknown;
}

/* Some give a second result through a pointer. */
static void forget_through(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->n; i++) {
		struct ft__number a = ft__operand(item, op, i, 0);

		if (a.kind == FT__POINTER || a.kind == FT__ADRIFT)
			ft__memory_forget(&run->memory, a.buffer, 0);
	}
}

/* A scalar operand beside vectors stands for each component. */
static void lanewise(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	for (int i = 0; i < op->lanes && op->to >= 0; i++) {
		struct ft__number o[3] = {unknown, unknown, unknown};

		for (int k = 0; k < 3 && k < op->n; k++)
			if (op->extra[k] == 1 || op->extra[k] == op->lanes)
				o[k] = ft__operand(item, op, k, op->extra[k] == 1 ? 0 : i);
		item->slot[op->to + i] = op->real || op->builtin->kind != FT__CHEAP
						 ? of_reals(op, o[0], o[1], o[2])
						 : ft__cheap_whole((enum ft__cheap)op->builtin->which,
								   op->unsigned_, op->width, o, op->n);
	}
	forget_through(run, item, op);
}

static void convert(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	const char *name = run->kernel->called[op->name], *rounds = strchr(name + strlen("convert_"), '_');
	bool to_unsigned = name[strlen("convert_")] == 'u';
	int opcode = op->real        ? op->from_real   ? op->width > op->from_width ? FT__FPEXT : FT__FPTRUNC
				       : op->unsigned_ ? FT__UITOFP
						       : FT__SITOFP
		     : op->from_real ? to_unsigned ? FT__FPTOUI : FT__FPTOSI
		     : op->width > op->from_width && op->unsigned_ ? FT__ZEXT
								   : FT__TRUNC;

	for (int i = 0; i < op->lanes; i++)
		item->slot[op->to + i] = rounds || op->from_lanes != op->lanes
						 ? unknown
						 : ft__cast(opcode, op->width, op->from_width, op->real,
							    ft__operand(item, op, 0, i));
}

/* vload4(offset, p) and vstore4(data, offset, p): offset counts vectors, and those of three components lie
 * close together. */
static void vector(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	bool half = strstr(run->kernel->called[op->name], "_half") != NULL;
	struct ft__number offset = ft__operand(item, op, op->store ? 1 : 0, 0),
			  at = ft__operand(item, op, op->store ? 2 : 1, 0);
	int each = (op->width + 7) / 8;

	if (at.kind == FT__POINTER && offset.kind == FT__WHOLE)
		at = ft__move(at, offset.whole, op->bytes);
	else if (at.kind == FT__POINTER)
		at.kind = FT__ADRIFT;
	ft__access(run, item, op, at);
	for (int i = 0; i < op->lanes; i++)
		if (op->store)
			ft__write(run, op, at, (int64_t)i * (half ? 2 : each), half ? 16 : op->width,
				  op->real, ft__operand(item, op, 0, i));
		else
			item->slot[op->to + i] =
				half ? unknown : ft__read(run, at, (int64_t)i * each, op->width, op->real);
}

/* memcpy and memset: what they write is not followed, and how much they are is not counted. */
static void block_move(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	struct ft__number to = ft__operand(item, op, 0, 0);

	ft__memory_forget(&run->memory, to.kind == FT__POINTER || to.kind == FT__ADRIFT ? to.buffer : -1, -1);
	ft__meet(run, op, FT_KERNEL_NOTE_CALL);
}

void ft__call(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op)
{
	switch (op->builtin->kind) {
	case FT__IGNORED:
	case FT__BARRIER:
		give_result(item, op, unknown);
		break;
	case FT__WORK_ITEM:
		ask_work_item(run, item, op);
		break;
	case FT__ATOMIC:
		ft__atomic(run, item, op);
		break;
	case FT__FUSED:
	case FT__MATH:
	case FT__CHEAP:
		lanewise(run, item, op);
		break;
	case FT__CONVERSION:
		convert(run, item, op);
		break;
	case FT__VECTOR_LOAD:
	case FT__VECTOR_STORE:
		vector(run, item, op);
		break;
	case FT__DOT:
		give_result(item, op, unknown);
		break;
	case FT__COPY:
	case FT__FILL:
		block_move(run, item, op);
		break;
	default: /* it may have written anywhere */
		ft__memory_forget(&run->memory, -1, -1);
		give_result(item, op, unknown);
		ft__meet(run, op, FT_KERNEL_NOTE_CALL);
	}
}
