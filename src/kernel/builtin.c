/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin.c - the table of OpenCL's functions. */
#include "kernel/kernel.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ft__work_item {
	FT__GLOBAL_ID,
	FT__LOCAL_ID,
	FT__GROUP_ID,
	FT__GLOBAL_SIZE,
	FT__LOCAL_SIZE,
	FT__NUM_GROUPS,
	FT__GLOBAL_OFFSET,
	FT__WORK_DIM
};

static double reciprocal_root(double a)
{
	return 1 / sqrt(a);
}

static double reciprocal(double a)
{
	return 1 / a;
}

static double quotient(double a, double b)
{
	return a / b;
}

/* clang-format off */
#define MATH_1(name, f)  {name, FT__MATH, 0, f, NULL}
#define MATH_2(name, f)  {name, FT__MATH, 0, NULL, f}
#define MATH_0(name)     {name, FT__MATH, 0, NULL, NULL}
#define CHEAP_1(name, f) {name, FT__CHEAP, FT__CHEAP_OTHER, f, NULL}
#define CHEAP_2(name, f) {name, FT__CHEAP, FT__CHEAP_OTHER, NULL, f}
#define CHEAP_0(name)    {name, FT__CHEAP, FT__CHEAP_OTHER, NULL, NULL}
#define PLAIN(name, kind, which) {name, kind, which, NULL, NULL}

/* The first row that fits counts. */
static const struct ft__builtin rows[] = {
	PLAIN("get_global_id", FT__WORK_ITEM, FT__GLOBAL_ID), PLAIN("get_local_id", FT__WORK_ITEM, FT__LOCAL_ID),
	PLAIN("get_group_id", FT__WORK_ITEM, FT__GROUP_ID), PLAIN("get_global_size", FT__WORK_ITEM, FT__GLOBAL_SIZE),
	PLAIN("get_local_size", FT__WORK_ITEM, FT__LOCAL_SIZE), PLAIN("get_num_groups", FT__WORK_ITEM, FT__NUM_GROUPS),
	PLAIN("get_global_offset", FT__WORK_ITEM, FT__GLOBAL_OFFSET), PLAIN("get_work_dim", FT__WORK_ITEM, FT__WORK_DIM),
	PLAIN("barrier", FT__BARRIER, 0), PLAIN("work_group_barrier", FT__BARRIER, 0),
	PLAIN("mem_fence", FT__IGNORED, 0), PLAIN("read_mem_fence", FT__IGNORED, 0),
	PLAIN("write_mem_fence", FT__IGNORED, 0), PLAIN("prefetch", FT__IGNORED, 0), PLAIN("printf", FT__IGNORED, 0),
	PLAIN("llvm.lifetime*", FT__IGNORED, 0), PLAIN("llvm.dbg*", FT__IGNORED, 0), PLAIN("llvm.assume", FT__IGNORED, 0),
	PLAIN("llvm.experimental.noalias*", FT__IGNORED, 0), PLAIN("llvm.memcpy*", FT__COPY, 0),
	PLAIN("llvm.memmove*", FT__COPY, 0), PLAIN("llvm.memset*", FT__FILL, 0),
	PLAIN("atom*", FT__ATOMIC, 0),
	PLAIN("llvm.fmuladd*", FT__FUSED, 0), PLAIN("llvm.fma*", FT__FUSED, 0), PLAIN("mad", FT__FUSED, 0),
	PLAIN("fma", FT__FUSED, 0), PLAIN("dot", FT__DOT, 0),
	MATH_1("llvm.sqrt*", sqrt), MATH_1("sqrt", sqrt), MATH_1("native_sqrt", sqrt), MATH_1("half_sqrt", sqrt),
	MATH_1("rsqrt", reciprocal_root), MATH_1("native_rsqrt", reciprocal_root), MATH_1("half_rsqrt", reciprocal_root),
	MATH_1("cbrt", cbrt), MATH_1("exp", exp), MATH_1("native_exp", exp), MATH_1("half_exp", exp), MATH_1("exp2", exp2),
	MATH_1("native_exp2", exp2), MATH_0("exp10"), MATH_0("native_exp10"), MATH_1("expm1", expm1), MATH_1("log", log),
	MATH_1("native_log", log), MATH_1("half_log", log), MATH_1("log2", log2), MATH_1("native_log2", log2),
	MATH_1("log10", log10), MATH_1("native_log10", log10), MATH_1("log1p", log1p), MATH_1("sin", sin),
	MATH_1("native_sin", sin), MATH_1("half_sin", sin), MATH_1("cos", cos), MATH_1("native_cos", cos),
	MATH_1("half_cos", cos), MATH_1("tan", tan), MATH_1("native_tan", tan), MATH_0("half_tan"), MATH_0("sincos"),
	MATH_1("asin", asin), MATH_1("acos", acos), MATH_1("atan", atan), MATH_2("atan2", atan2), MATH_1("sinh", sinh),
	MATH_1("cosh", cosh), MATH_1("tanh", tanh), MATH_1("asinh", asinh), MATH_1("acosh", acosh), MATH_1("atanh", atanh),
	MATH_0("sinpi"), MATH_0("cospi"), MATH_0("tanpi"), MATH_0("asinpi"), MATH_0("acospi"), MATH_0("atanpi"),
	MATH_0("atan2pi"), MATH_2("pow", pow), MATH_2("powr", pow), MATH_2("native_powr", pow), MATH_0("half_powr"),
	MATH_0("pown"), MATH_0("rootn"), MATH_2("hypot", hypot), MATH_1("erf", erf), MATH_1("erfc", erfc),
	MATH_0("lgamma"), MATH_0("lgamma_r"), MATH_1("tgamma", tgamma), MATH_0("length"), MATH_0("fast_length"),
	MATH_0("normalize"), MATH_0("fast_normalize"), MATH_0("distance"), MATH_0("fast_distance"),
	MATH_2("native_divide", quotient), MATH_2("half_divide", quotient), MATH_1("native_recip", reciprocal),
	MATH_1("half_recip", reciprocal), MATH_0("half_exp2"), MATH_0("half_exp10"), MATH_0("half_log2"),
	MATH_0("half_log10"),
	CHEAP_1("fabs", fabs), CHEAP_1("llvm.fabs*", fabs), CHEAP_2("fmin", fmin), CHEAP_2("fmax", fmax),
	CHEAP_2("llvm.minnum*", fmin), CHEAP_2("llvm.maxnum*", fmax), CHEAP_1("floor", floor), CHEAP_1("ceil", ceil),
	CHEAP_1("llvm.floor*", floor), CHEAP_1("llvm.ceil*", ceil), CHEAP_1("trunc", trunc), CHEAP_1("rint", rint),
	CHEAP_1("round", round), CHEAP_2("fmod", fmod), CHEAP_2("copysign", copysign), CHEAP_2("llvm.copysign*", copysign),
	CHEAP_2("fdim", fdim),
	{"min", FT__CHEAP, FT__LEAST, NULL, fmin}, {"max", FT__CHEAP, FT__MOST, NULL, fmax},
	PLAIN("llvm.smin*", FT__CHEAP, FT__LEAST), PLAIN("llvm.smax*", FT__CHEAP, FT__MOST),
	PLAIN("llvm.umin*", FT__CHEAP, FT__LEAST), PLAIN("llvm.umax*", FT__CHEAP, FT__MOST),
	PLAIN("llvm.abs*", FT__CHEAP, FT__ABSOLUTE), PLAIN("abs", FT__CHEAP, FT__ABSOLUTE),
	PLAIN("clamp", FT__CHEAP, FT__CLAMP), PLAIN("mul24", FT__CHEAP, FT__MUL24), PLAIN("mad24", FT__CHEAP, FT__MAD24),
	CHEAP_0("mix"), CHEAP_0("select"), CHEAP_0("bitselect"), CHEAP_0("step"), CHEAP_0("smoothstep"), CHEAP_0("sign"),
	CHEAP_0("degrees"), CHEAP_0("radians"), CHEAP_0("cross"), CHEAP_0("isnan"), CHEAP_0("isinf"), CHEAP_0("isfinite"),
	CHEAP_0("isnormal"), CHEAP_0("isequal"), CHEAP_0("isnotequal"), CHEAP_0("isgreater"), CHEAP_0("isgreaterequal"),
	CHEAP_0("isless"), CHEAP_0("islessequal"), CHEAP_0("islessgreater"), CHEAP_0("isordered"), CHEAP_0("isunordered"),
	CHEAP_0("signbit"), CHEAP_0("any"), CHEAP_0("all"), CHEAP_0("mul_hi"), CHEAP_0("mad_hi"), CHEAP_0("mad_sat"),
	CHEAP_0("abs_diff"), CHEAP_0("hadd"), CHEAP_0("rhadd"), CHEAP_0("rotate"), CHEAP_0("clz"), CHEAP_0("popcount"),
	CHEAP_0("upsample"), CHEAP_0("add_sat"), CHEAP_0("sub_sat"), CHEAP_0("modf"), CHEAP_0("fract"), CHEAP_0("frexp"),
	CHEAP_0("ldexp"), CHEAP_0("ilogb"), CHEAP_0("logb"), CHEAP_0("nan"), CHEAP_0("nextafter"), CHEAP_0("remainder"),
	CHEAP_0("remquo"), CHEAP_0("shuffle"), CHEAP_0("shuffle2"), CHEAP_0("maxmag"), CHEAP_0("minmag"),
	CHEAP_0("llvm.ctlz*"), CHEAP_0("llvm.cttz*"), CHEAP_0("llvm.ctpop*"), CHEAP_0("llvm.fshl*"), CHEAP_0("llvm.fshr*"),
	CHEAP_0("llvm.bswap*"), CHEAP_0("llvm.bitreverse*"), CHEAP_0("llvm.uadd.sat*"), CHEAP_0("llvm.usub.sat*"),
	CHEAP_0("llvm.sadd.sat*"), CHEAP_0("llvm.ssub.sat*"), CHEAP_0("llvm.vector.reduce*"),
	PLAIN("convert_*", FT__CONVERSION, 0),
	PLAIN("vload*", FT__VECTOR_LOAD, 0), PLAIN("vstore*", FT__VECTOR_STORE, 0),
};
/* clang-format on */

static bool fits_row(const char *row, const char *name)
{
	size_t length = strlen(row);

	if (row[length - 1] == '*')
		return !strncmp(row, name, length - 1);
	return !strcmp(row, name);
}

/* "_Z5fminff" is "fmin" of "ff". Returns what is behind the name. */
static const char *demangle(const char *name, char *plain, size_t size)
{
	char *end;

	if (strncmp(name, "_Z", 2) != 0 || !isdigit((unsigned char)name[2])) {
		(void)snprintf(plain, size, "%s", name);
		return "";
	}
	unsigned long length = strtoul(name + 2, &end, 10);
	if (length > strlen(end))
		length = strlen(end);
	(void)snprintf(plain, size, "%.*s", (int)length, end);
	return end + length;
}

const struct ft__builtin *ft__builtin_find(const char *name, char *plain, size_t size, bool *unsigned_)
{
	static const struct ft__builtin strange = {NULL, FT__STRANGE, 0, NULL, NULL};
	const char *types = demangle(name, plain, size);

	if (!strncmp(types, "Dv", 2)) { /* a vector: "Dv4_f" */
		types += strcspn(types, "_");
		types += *types != 0;
	}
	*unsigned_ = (*types && strchr("htjm", *types)) || !strncmp(plain, "llvm.u", 6);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (fits_row(rows[i].name, plain))
			return &rows[i];
	return &strange;
}

static bool less(int64_t a, int64_t b, bool unsigned_, int width)
{
	return unsigned_ ? ft__bits(a, width) < ft__bits(b, width) : a < b;
}

static int64_t lesser(int64_t a, int64_t b, bool unsigned_, int width)
{
	return less(a, b, unsigned_, width) ? a : b;
}

static int64_t greater(int64_t a, int64_t b, bool unsigned_, int width)
{
	return less(a, b, unsigned_, width) ? b : a;
}

struct ft__number ft__cheap_whole(enum ft__cheap which, bool unsigned_, int width,
				  const struct ft__number operand[3], int n)
{
	const struct ft__number unknown = {.kind = FT__UNKNOWN};
	int64_t a = operand[0].whole, b = n > 1 ? operand[1].whole : 0, c = n > 2 ? operand[2].whole : 0;
	int needed = which == FT__ABSOLUTE ? 1 : which == FT__CLAMP || which == FT__MAD24 ? 3 : 2;

	for (int i = 0; i < needed; i++)
		if (i >= n || operand[i].kind != FT__WHOLE)
			return unknown;
	switch (which) {
	case FT__LEAST:
		return ft__whole(lesser(a, b, unsigned_, width));
	case FT__MOST:
		return ft__whole(greater(a, b, unsigned_, width));
	case FT__ABSOLUTE:
		return ft__whole(a < 0 && !unsigned_ ? ft__wrap((int64_t) - (uint64_t)a, width) : a);
	case FT__CLAMP:
		return ft__whole(lesser(greater(a, b, unsigned_, width), c, unsigned_, width));
	case FT__MUL24:
		return ft__binary(FT__MUL, width, operand[0], operand[1]);
	case FT__MAD24:
		return ft__whole(ft__wrap((int64_t)((uint64_t)a * (uint64_t)b + (uint64_t)c), width));
	default:
		return unknown;
	}
}

/*
 * The functions of OpenCL C.
 */

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

/* Beyond the dimensions a size is 1 and an index 0, by the standard. */
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

static struct ft__number of_reals(const struct ft__instruction *op, struct ft__number a, struct ft__number b,
				  struct ft__number c)
{
	const struct ft__builtin *f = op->builtin;

	if (f->kind == FT__FUSED) {
		if (a.kind != FT__REAL || b.kind != FT__REAL || c.kind != FT__REAL)
			return unknown;
		return ft__real(a.real * b.real + c.real, op->width);
	}
	if (f->one && op->n == 1 && a.kind == FT__REAL)
		return ft__real(f->one(a.real), op->width);
	if (f->two && op->n == 2 && a.kind == FT__REAL && b.kind == FT__REAL)
		return ft__real(f->two(a.real, b.real), op->width);
	if (f->which == FT__CLAMP && op->n == 3 && a.kind == FT__REAL && b.kind == FT__REAL &&
	    c.kind == FT__REAL)
		return ft__real(fmin(fmax(a.real, b.real), c.real), op->width);
	return unknown;
}

/* A scalar operand next to vectors applies to each component. */
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
	/* Some give a second result through a pointer. */
	for (int i = 0; i < op->n; i++) {
		struct ft__number a = ft__operand(item, op, i, 0);

		if (a.kind == FT__POINTER || a.kind == FT__ADRIFT)
			ft__memory_forget(&run->memory, a.buffer, 0);
	}
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
	case FT__FILL: {
		/* memcpy and memset: what they write is not followed, and how much they are is not counted. */
		struct ft__number to = ft__operand(item, op, 0, 0);

		ft__memory_forget(&run->memory,
				  to.kind == FT__POINTER || to.kind == FT__ADRIFT ? to.buffer : -1, -1);
		ft__meet(run, op, FT_KERNEL_NOTE_CALL);
	} break;
	default: /* it may have written anywhere */
		ft__memory_forget(&run->memory, -1, -1);
		give_result(item, op, unknown);
		ft__meet(run, op, FT_KERNEL_NOTE_CALL);
	}
}
