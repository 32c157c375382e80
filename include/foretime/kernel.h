/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - what a kernel of OpenCL does: its operations, its accesses and how they lie, from its source and
 * its arguments, without a device (004 chapter 13).
 *
 * The source is compiled by clang, as a child process, and work-groups are carried out one by one as the
 * compiler left them: counts are of what runs, not of what is written. Data that was not given stay unknown;
 * where a count depends on them, it is reported with the line of the source.
 */
#ifndef FORETIME_KERNEL_H
#define FORETIME_KERNEL_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* X(NAME, key, what it counts); operations on vectors count once for each component. */
/* clang-format off */
#define FT_KERNEL_REAL_LIST(X, W, w, words) \
	X(W##_ADD, w##_add, "additions and subtractions of " words " numbers") \
	X(W##_MULTIPLY, w##_multiply, "multiplications of " words " numbers") \
	X(W##_DIVIDE, w##_divide, "divisions and remainders of " words " numbers") \
	X(W##_FUSED, w##_fused, "a * b + c of " words " numbers, fused or not") \
	X(W##_COMPARE, w##_compare, "comparisons of " words " numbers") \
	X(W##_OTHER, w##_other, "other cheap operations on " words " numbers: sign, least, floor") \
	X(W##_MATH, w##_math, "roots and transcendental functions of " words " numbers")
#define FT_KERNEL_COUNT_LIST(X) \
	FT_KERNEL_REAL_LIST(X, F16, f16, "half precision") \
	FT_KERNEL_REAL_LIST(X, F32, f32, "single precision") \
	FT_KERNEL_REAL_LIST(X, F64, f64, "double precision") \
	X(INTEGER, integer, "integer arithmetic and logic") \
	X(INTEGER_DIVIDE, integer_divide, "integer divisions and remainders") \
	X(INTEGER_COMPARE, integer_compare, "integer comparisons") \
	X(SELECT, select, "choices without a jump") \
	X(CONVERT, convert, "conversions between integers and real numbers, and of their width") \
	X(BRANCH, branches, "conditional jumps") \
	X(BARRIER, barriers, "barriers, once for each work-item") \
	X(ATOMIC_GLOBAL, global_atomics, "atomic operations on global memory") \
	X(ATOMIC_LOCAL, local_atomics, "atomic operations on local memory") \
	X(GLOBAL_LOAD, global_loads, "loads from global memory") \
	X(GLOBAL_STORE, global_stores, "stores to global memory") \
	X(GLOBAL_LOAD_BYTES, global_load_bytes, "bytes of them") \
	X(GLOBAL_STORE_BYTES, global_store_bytes, "bytes of them") \
	X(LOCAL_LOAD, local_loads, "loads from local memory") \
	X(LOCAL_STORE, local_stores, "stores to local memory") \
	X(CONSTANT_LOAD, constant_loads, "loads from constant memory") \
	X(PRIVATE_LOAD, private_loads, "loads from arrays of a work-item's own") \
	X(PRIVATE_STORE, private_stores, "stores to arrays of a work-item's own") \
	X(WARP_ACCESS, warp_accesses, "accesses to global memory, once for a warp") \
	X(SECTOR, sectors, "sectors of 32 bytes that these touch")
/* clang-format on */

enum ft_kernel_count {
#define FT_KERNEL_COUNT_ENUM(NAME, key, about) FT_KERNEL_##NAME,
	FT_KERNEL_COUNT_LIST(FT_KERNEL_COUNT_ENUM)
#undef FT_KERNEL_COUNT_ENUM
		FT_KERNEL_COUNTS
};

/* ft_kernel_count_name, ft_kernel_count_about - of a count, "f32_add", and in words; NULL past the last. */
const char *ft_kernel_count_name(size_t count);
const char *ft_kernel_count_about(size_t count);

/* ---- a kernel ----------------------------------------------------------------------------------------- */

struct ft_kernel;

enum { FT_KERNEL_NAME = 64, FT_KERNEL_PARAMS = 64, FT_KERNEL_DIMS = 3 };

struct ft_kernel_source {
	const char *path;        /* of the .cl */
	const char *kernel;      /* its name; NULL: the only one */
	const char *clang;       /* NULL: the first of clang, clang-NN that there is with its library */
	const char *const *flag; /* [n_flags] more for the compiler: "-DT=16" */
	size_t n_flags;
};

/* ft_kernel_open - compile a kernel and read what the compiler made.
 *
 * out  heap, ends with ft_kernel_close; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT: no such file or kernel; FT_EUNAVAIL: no clang, or no libLLVM of its version;
 * FT_EPARSE: it does not compile, in the compiler's words; FT_EINVAL: it cannot be followed (calls of
 * functions that are not there, too large); FT_EIO; FT_ENOMEM. Cost: the compiler's, some 0.05 s. Bounded: 60
 * s of wall time, 64 MiB of output.
 */
enum ft_status ft_kernel_open(struct ft_kernel **out, const struct ft_kernel_source *source,
			      struct ft_err *err);
void ft_kernel_close(struct ft_kernel *kernel); /* accepts NULL */

/* ---- a launch ----------------------------------------------------------------------------------------- */

/* X(NAME, as OpenCL calls it, bytes) */
#define FT_KERNEL_ELEMENT_LIST(X)                                                                            \
	X(CHAR, "char", 1)                                                                                   \
	X(UCHAR, "uchar", 1)                                                                                 \
	X(SHORT, "short", 2)                                                                                 \
	X(USHORT, "ushort", 2)                                                                               \
	X(INT, "int", 4)                                                                                     \
	X(UINT, "uint", 4)                                                                                   \
	X(LONG, "long", 8)                                                                                   \
	X(ULONG, "ulong", 8)                                                                                 \
	X(FLOAT, "float", 4)                                                                                 \
	X(DOUBLE, "double", 8)

enum ft_kernel_element {
#define FT_KERNEL_ELEMENT_ENUM(NAME, word, bytes) FT_KERNEL_##NAME,
	FT_KERNEL_ELEMENT_LIST(FT_KERNEL_ELEMENT_ENUM)
#undef FT_KERNEL_ELEMENT_ENUM
		FT_KERNEL_ELEMENTS
};

struct ft_kernel_argument {
	const char *name;
	double value;      /* of a number; NaN: none given */
	const char *bytes; /* how large a buffer is, an expression of the arguments; NULL: not known */
	const char *count; /* where it is run: of its elements, an expression, too; NULL: data has it */
	enum ft_kernel_element element;
	const void *data; /* its contents, borrowed; NULL: not known */
	size_t data_bytes;
	bool fixed; /* keeps its value in expressions */
};

struct ft_kernel_launch {
	/* expressions of the arguments: "n", "1024", "ceil(n/16)*16"; NULL: no such dimension */
	const char *global[FT_KERNEL_DIMS], *local[FT_KERNEL_DIMS];
	const struct ft_kernel_argument *argument; /* [n] borrowed */
	size_t n;
};

struct ft_kernel_options {
	size_t groups;      /* work-groups to carry out at most, drawn at random; 0: all */
	uint64_t seed;      /* of the draw */
	double steps;       /* instructions to carry out at most */
	size_t trips;       /* how often an undecided loop is gone through */
	size_t warp;        /* work-items whose accesses are made together */
	size_t line, cache; /* bytes of a line, and of the cache of data */
	size_t ways;        /* places of a line in it */
	bool counts_only;   /* no sectors, strides or misses */
};

/* ft_kernel_options_default - 64 groups, 1e8 instructions, 8 trips, warps of 32, 32 KiB in lines of 64 bytes,
 * 8 ways. */
struct ft_kernel_options ft_kernel_options_default(void);

/* ---- features ----------------------------------------------------------------------------------------- */

/* X(NAME, word, what it means) */
#define FT_KERNEL_NOTE_LIST(X)                                                                               \
	X(LOOP, loop, "how often this loop runs is not known")                                               \
	X(CONDITION, condition, "which way this goes is not known")                                          \
	X(CALL, call, "what this call does is not known")                                                    \
	X(BARRIER_DIVERGES, barrier, "not all work-items of a group come to this barrier")                   \
	X(OUTSIDE, outside, "this access lies outside of its buffer")                                        \
	X(ADDRESS, address, "where this access goes is not known")                                           \
	X(ROUNDING, rounding,                                                                                \
	  "this compares computed real numbers: a device that rounds otherwise may go "                      \
	  "another way")

enum ft_kernel_note {
#define FT_KERNEL_NOTE_ENUM(NAME, word, about) FT_KERNEL_NOTE_##NAME,
	FT_KERNEL_NOTE_LIST(FT_KERNEL_NOTE_ENUM)
#undef FT_KERNEL_NOTE_ENUM
		FT_KERNEL_NOTES
};

/* What was met at a line of the source. */
struct ft_kernel_met {
	enum ft_kernel_note note;
	int line;                  /* 0: the compiler kept none */
	double times;              /* in the groups that were carried out */
	char what[FT_KERNEL_NAME]; /* the function or the buffer; may be empty */
};

/* An instruction that accesses global memory. */
struct ft_kernel_access {
	char buffer[FT_KERNEL_NAME]; /* of a parameter; empty: several, or not known */
	int line;
	bool store;
	double bytes, times; /* of one, and how often in the whole launch */
	double stride;       /* bytes between neighbouring work-items; NaN: not known */
	double same;         /* share of neighbours that lie so */
	double step; /* bytes between one execution and the next by the same work-item, the largest; NaN: only
			one, or not known */
	double sectors; /* of 32 bytes, for each access of a warp; NaN: not traced */
};

struct ft_kernel_call {
	char name[FT_KERNEL_NAME];
	double times;
};

struct ft_kernel_features {
	double count[FT_KERNEL_COUNTS]; /* of the whole launch */
	bool exact;                     /* all groups were carried out, and nothing was undecided */
	bool decided;                   /* nothing that counts depend on was undecided */
	double global[FT_KERNEL_DIMS], local[FT_KERNEL_DIMS]; /* 1 where there is no such dimension */
	double work_items, groups;
	size_t groups_run;
	double error;  /* standard error of all operations by the draw, as a share; NaN: one group only */
	double steps;  /* instructions that were carried out */
	double traced; /* share of the accesses that sectors and misses are of */
	double misses_rule;   /* cache misses by the rule of 004 chapter 13; NaN: not traced */
	double misses_replay; /* of a cache by itself, work-item after work-item; NaN: not traced */
	double local_bytes;   /* of local memory, of a group */
	struct ft_kernel_met *met;
	size_t n_met;
	struct ft_kernel_access *access;
	size_t n_accesses;
	struct ft_kernel_call *call; /* transcendental functions, by name */
	size_t n_calls;
};

/* ft_kernel_features - what a launch does.
 *
 * options  as of ft_kernel_options_default; not NULL
 * out      ends with ft_kernel_features_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: sizes that do not divide, an argument that is missing or unknown, more local
 * memory than 2^31 bytes, a first group that did not end within the instructions allowed (a loop without end:
 * the line); FT_ENOMEM. Cost: some 20 ns for each instruction carried out.
 */
enum ft_status ft_kernel_features(struct ft_kernel_features *out, const struct ft_kernel *kernel,
				  const struct ft_kernel_launch *launch,
				  const struct ft_kernel_options *options, struct ft_err *err);
void ft_kernel_features_clear(struct ft_kernel_features *features); /* accepts NULL, and twice */

/* ---- expressions -------------------------------------------------------------------------------------- */

enum {
	FT_KERNEL_VARIABLES = 3,
	FT_KERNEL_DEGREE = 8,
	FT_KERNEL_TERMS = 165
}; /* 165: 3 variables, degree 8 */

/* A count is a polynomial of the arguments where these are first, first + step, first + 2 step, ... */
struct ft_kernel_variable {
	char name[FT_KERNEL_NAME];
	int64_t first, step;
};

struct ft_kernel_expression {
	bool known; /* false: no polynomial was found that holds at more points than it has
		       coefficients */
	int64_t difference[FT_KERNEL_TERMS]; /* Newton's: forward differences at the first point */
	char text[512];                      /* "2*n^3 + n^2/2"; empty: not known, or too long */
};

/* Zero-initialise; ends with ft_kernel_expressions_clear. */
struct ft_kernel_expressions {
	struct ft_kernel_variable variable[FT_KERNEL_VARIABLES];
	size_t n;
	size_t degree, terms;
	uint8_t exponent[FT_KERNEL_TERMS][FT_KERNEL_VARIABLES];
	struct ft_kernel_expression *count; /* [FT_KERNEL_COUNTS] */
	size_t runs;                        /* of the kernel, to find them */
};

/* ft_kernel_express - the counts as expressions of the integer arguments, by exact interpolation of exact
 * counts at small sizes, with more sizes than coefficients.
 *
 * launch   its arguments are the given case: the expressions hold in its residue class
 * options  steps: for all of the small sizes together
 * there    the features of the case, with which they are compared, perhaps a sample; NULL: they are not
 *
 * Returns FT_OK, with those that could not be found not known; FT_ENOMODEL: undecided at a small size
 * (where), no argument that could vary, more than three; else as ft_kernel_features.
 */
enum ft_status ft_kernel_express(struct ft_kernel_expressions *out, const struct ft_kernel *kernel,
				 const struct ft_kernel_launch *launch,
				 const struct ft_kernel_options *options,
				 const struct ft_kernel_features *there, struct ft_err *err);
void ft_kernel_expressions_clear(struct ft_kernel_expressions *expressions); /* accepts NULL, and twice */

/* ft_kernel_evaluate - the counts at a size.
 *
 * value  [n] of the variables, in their order
 * out    [FT_KERNEL_COUNTS]; NaN: not known
 *
 * Returns FT_OK; FT_EINVAL: a value outside of the class (smaller, or no whole number of steps above the
 * first), or a count above 2^63. Cost: some 100 ns; no allocation. Threads: no shared state.
 */
enum ft_status ft_kernel_evaluate(const struct ft_kernel_expressions *expressions, const int64_t value[],
				  double out[FT_KERNEL_COUNTS], struct ft_err *err);

FT_END_DECLS

#endif
