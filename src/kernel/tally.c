/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tally.c - what is counted of an instruction. */
#include "kernel/code.h"

#include <string.h>

/* What each width has: in the order of FT_KERNEL_REAL_LIST. */
enum real_kind { ADD, MULTIPLY, DIVIDE, FUSED, COMPARE, OTHER, MATH, REAL_KINDS };

static void count_real(uint32_t count[FT_KERNEL_COUNTS], enum real_kind kind, int width, int lanes)
{
	int first = width == 16 ? FT_KERNEL_F16_ADD : width == 64 ? FT_KERNEL_F64_ADD : FT_KERNEL_F32_ADD;

	count[first + (int)kind] += (uint32_t)lanes;
}

/* Of instructions that are what they are. */
static const struct {
	int opcode;
	bool of_real;
	enum real_kind kind;        /* of_real */
	enum ft_kernel_count count; /* else */
} plain[] = {
	{FT__FADD, true, ADD, 0},
	{FT__FSUB, true, ADD, 0},
	{FT__FMUL, true, MULTIPLY, 0},
	{FT__FDIV, true, DIVIDE, 0},
	{FT__FREM, true, DIVIDE, 0},
	{FT__FNEG, true, OTHER, 0},
	{FT__ADD, false, 0, FT_KERNEL_INTEGER},
	{FT__SUB, false, 0, FT_KERNEL_INTEGER},
	{FT__MUL, false, 0, FT_KERNEL_INTEGER},
	{FT__SHL, false, 0, FT_KERNEL_INTEGER},
	{FT__LSHR, false, 0, FT_KERNEL_INTEGER},
	{FT__ASHR, false, 0, FT_KERNEL_INTEGER},
	{FT__AND, false, 0, FT_KERNEL_INTEGER},
	{FT__OR, false, 0, FT_KERNEL_INTEGER},
	{FT__XOR, false, 0, FT_KERNEL_INTEGER},
	{FT__UDIV, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SDIV, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__UREM, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SREM, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SELECT, false, 0, FT_KERNEL_SELECT},
	{FT__SITOFP, false, 0, FT_KERNEL_CONVERT},
	{FT__UITOFP, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTOSI, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTOUI, false, 0, FT_KERNEL_CONVERT},
	{FT__FPEXT, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTRUNC, false, 0, FT_KERNEL_CONVERT},
};

static void access_tally(int space, bool store, int bytes, uint32_t count[FT_KERNEL_COUNTS])
{
	switch (space) {
	case FT__GLOBAL:
		count[store ? FT_KERNEL_GLOBAL_STORE : FT_KERNEL_GLOBAL_LOAD]++;
		count[store ? FT_KERNEL_GLOBAL_STORE_BYTES : FT_KERNEL_GLOBAL_LOAD_BYTES] += (uint32_t)bytes;
		break;
	case FT__LOCAL:
		count[store ? FT_KERNEL_LOCAL_STORE : FT_KERNEL_LOCAL_LOAD]++;
		break;
	case FT__CONSTANT:
		count[FT_KERNEL_CONSTANT_LOAD]++;
		break;
	default:
		count[store ? FT_KERNEL_PRIVATE_STORE : FT_KERNEL_PRIVATE_LOAD]++;
	}
}

static void call_tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS])
{
	int lanes = op->lanes ? op->lanes : 1;

	switch (op->builtin->kind) {
	case FT__BARRIER:
		count[FT_KERNEL_BARRIER]++;
		break;
	case FT__ATOMIC:
		count[op->space == FT__LOCAL ? FT_KERNEL_ATOMIC_LOCAL : FT_KERNEL_ATOMIC_GLOBAL]++;
		break;
	case FT__FUSED:
		count_real(count, FUSED, op->width, lanes);
		break;
	case FT__DOT:
		count_real(count, FUSED, op->width, op->from_lanes);
		break;
	case FT__MATH:
		count_real(count, MATH, op->width, lanes);
		break;
	case FT__CHEAP:
		if (op->real)
			count_real(count, OTHER, op->width, lanes);
		else
			count[FT_KERNEL_INTEGER] += (uint32_t)lanes;
		break;
	case FT__CONVERSION:
		count[FT_KERNEL_CONVERT] += (uint32_t)lanes;
		break;
	case FT__VECTOR_LOAD:
	case FT__VECTOR_STORE:
		access_tally(op->space, op->store, op->bytes, count);
		break;
	default:
		break;
	}
}

void ft__tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS])
{
	int lanes = op->lanes ? op->lanes : 1;

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (plain[i].opcode == op->opcode) {
			if (plain[i].of_real)
				count_real(count, plain[i].kind, op->width, lanes);
			else
				count[plain[i].count] += (uint32_t)lanes;
			return;
		}
	if (op->opcode == FT__LOAD || op->opcode == FT__STORE)
		access_tally(op->space, op->store, op->bytes, count);
	else if (op->opcode == FT__CALL)
		call_tally(op, count);
	else if (op->opcode == FT__FCMP)
		count_real(count, COMPARE, op->from_width, lanes);
	else if (op->opcode == FT__ICMP)
		count[FT_KERNEL_INTEGER_COMPARE] += (uint32_t)lanes;
	else if ((op->opcode == FT__BR && op->n == 2) || op->opcode == FT__SWITCH)
		count[FT_KERNEL_BRANCH]++;
	else if (op->opcode == FT__ATOMICRMW || op->opcode == FT__CMPXCHG)
		count[op->space == FT__LOCAL ? FT_KERNEL_ATOMIC_LOCAL : FT_KERNEL_ATOMIC_GLOBAL]++;
}
