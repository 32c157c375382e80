/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin.h - the functions of OpenCL C, by name. */
#ifndef FT_KERNEL_BUILTIN_H
#define FT_KERNEL_BUILTIN_H

#include "kernel/value.h"

#include <stddef.h>

enum ft__builtin_kind {
	FT__STRANGE,   /* not known */
	FT__IGNORED,   /* does nothing that counts */
	FT__WORK_ITEM, /* which: of enum ft__work_item */
	FT__BARRIER,
	FT__ATOMIC,
	FT__FUSED,      /* a * b + c */
	FT__DOT,        /* as many of them as there are components */
	FT__MATH,       /* a root, a transcendental function */
	FT__CHEAP,      /* of reals or integers; which: of enum ft__cheap */
	FT__CONVERSION, /* convert_TYPE: evaluated as a cast */
	FT__VECTOR_LOAD,
	FT__VECTOR_STORE,
	FT__COPY, /* llvm.memcpy, llvm.memmove */
	FT__FILL  /* llvm.memset */
};

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

enum ft__cheap { FT__CHEAP_OTHER, FT__LEAST, FT__MOST, FT__ABSOLUTE, FT__CLAMP, FT__MUL24, FT__MAD24 };

struct ft__builtin {
	const char *name; /* a row that ends in '*' is for all that begin so */
	enum ft__builtin_kind kind;
	int which;
	double (*one)(double); /* of reals; NULL: its result is not followed */
	double (*two)(double, double);
};

/* ft__builtin_find - of a function's name as the compiler has it, "_Z5fminff"; never NULL.
 *
 * plain     out: "fmin", [size]
 * unsigned_ out: whether its first operand is an unsigned integer
 */
const struct ft__builtin *ft__builtin_find(const char *name, char *plain, size_t size, bool *unsigned_);

/* ft__cheap_whole - one of integers: three operands, those that there are. */
struct ft__number ft__cheap_whole(enum ft__cheap which, bool unsigned_, int width,
				  const struct ft__number operand[3], int n);

#endif
