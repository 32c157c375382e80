/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.h - what a work-item computes with: numbers that are known, or not. */
#ifndef FT_KERNEL_VALUE_H
#define FT_KERNEL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum ft__number_kind {
	FT__UNKNOWN,
	FT__WHOLE,   /* of any width up to 64, its sign extended; of one bit: 0 or 1 */
	FT__REAL,    /* rounded to its width */
	FT__POINTER, /* whole: the offset in a buffer */
	FT__ADRIFT   /* into a buffer, nobody knows where */
};

struct ft__number {
	uint8_t kind;
	int32_t buffer;
	union {
		int64_t whole;
		double real;
	};
};

/* ft__wrap - the lowest `width` bits with their sign; ft__bits - without. */
int64_t ft__wrap(int64_t value, int width);
uint64_t ft__bits(int64_t value, int width);

struct ft__number ft__whole(int64_t value);
struct ft__number ft__real(double value, int width); /* rounded; of half precision: unknown */

/* ft__binary - an operation of two operands: opcode of LLVM. */
struct ft__number ft__binary(int opcode, int width, struct ft__number a, struct ft__number b);

/* ft__compare - predicate of LLVM, of integers and pointers of a width, or of reals. */
struct ft__number ft__compare(int predicate, int width, struct ft__number a, struct ft__number b);
struct ft__number ft__compare_real(int predicate, struct ft__number a, struct ft__number b);

/* ft__cast - to a width from a width. to_real: whether the result is a real. */
struct ft__number ft__cast(int opcode, int width, int from, bool to_real, struct ft__number a);

#endif
