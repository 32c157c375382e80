/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - arithmetic that knows what it does not know. */
#include "kernel/value.h"
#include "kernel/llvm.h"

#include <math.h>
#include <string.h>

static const struct ft__number unknown = {.kind = FT__UNKNOWN};

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
		return unknown;
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
		return unknown;
	}
}

/* Division by zero, and the one overflow, have no value. */
static struct ft__number divide_numbers(int opcode, int width, int64_t a, int64_t b)
{
	uint64_t ua = ft__bits(a, width), ub = ft__bits(b, width);

	if (!ub || (b == -1 && (opcode == FT__SDIV || opcode == FT__SREM) && a == INT64_MIN))
		return unknown;
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

static struct ft__number shift_bits(int opcode, int width, int64_t a, int64_t b)
{
	uint64_t by = ft__bits(b, width), bits = ft__bits(a, width);

	if (by >= (uint64_t)width)
		return unknown;
	if (opcode == FT__SHL)
		return ft__whole(ft__wrap((int64_t)(bits << by), width));
	if (opcode == FT__LSHR)
		return ft__whole(ft__wrap((int64_t)(bits >> by), width));
	return ft__whole(a >> by);
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
	case FT__ASHR:
		return shift_bits(opcode, width, a, b);
	case FT__UDIV:
	case FT__UREM:
	case FT__SDIV:
	case FT__SREM:
		return divide_numbers(opcode, width, a, b);
	default:
		return unknown;
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
	return unknown;
}

/* Of two pointers, or of a pointer and null, where that can be told. */
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
		return unknown;
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
		return unknown;
	}
}

/* LLVM's predicates of reals are bits: 1 equal, 2 greater, 4 less, 8 unordered. */
struct ft__number ft__compare_real(int predicate, struct ft__number a, struct ft__number b)
{
	if (a.kind != FT__REAL || b.kind != FT__REAL)
		return unknown;
	int is = isnan(a.real) || isnan(b.real) ? 8 : a.real < b.real ? 4 : a.real > b.real ? 2 : 1;
	return ft__whole((predicate & is) != 0);
}

static struct ft__number to_whole(int opcode, int width, double real)
{
	if (!(fabs(real) < 9e18) || (opcode == FT__FPTOUI && real < 0))
		return unknown;
	return ft__whole(ft__wrap((int64_t)real, width));
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
		return unknown;
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
		return opcode == FT__BITCAST || opcode == FT__ADDRSPACECAST || opcode == FT__FREEZE ? a
												    : unknown;
	if (a.kind == FT__UNKNOWN || width > 64 || from > 64)
		return unknown;
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
		return to_whole(opcode, width, a.real);
	case FT__FPEXT:
	case FT__FPTRUNC:
		return ft__real(a.real, width);
	case FT__BITCAST:
		return reinterpret(width, to_real, a);
	case FT__FREEZE:
		return a;
	default:
		return unknown;
	}
}
