/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - OpenCL kernels: an interpreter of LLVM code, its features, and launches on devices. */
#ifndef FT_KERNEL_KERNEL_H
#define FT_KERNEL_KERNEL_H

#include "foretime/base.h"
#include "foretime/kernel.h"
#include "kernel/door.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The values of a work-item: numbers that are known, or not.
 */

enum ft__number_kind {
	FT__UNKNOWN,
	FT__WHOLE,   /* of any width up to 64, its sign extended; of one bit: 0 or 1 */
	FT__REAL,    /* rounded to its width */
	FT__POINTER, /* whole: the offset in a buffer */
	FT__ADRIFT   /* into a buffer, at an unknown place */
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

/*
 * The functions of OpenCL C, by name.
 */

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

/*
 * The part of LLVM's C interface that is used, loaded when a kernel is read.
 *
 * Handles are LLVM's own. Only functions that each version since 11 has, and that support pointers without a
 * type. The numbers are those of llvm-c/Core.h, which declares them stable.
 */

/* X(result, name without LLVM, arguments) */
/* clang-format off */
#define FT__LLVM_LIST(X) \
	X(void *, ContextCreate, (void)) \
	X(void, ContextDispose, (void *context)) \
	X(void, ContextSetDiagnosticHandler, (void *context, void (*handler)(void *, void *), void *with)) \
	X(void *, CreateMemoryBufferWithMemoryRangeCopy, (const char *bytes, size_t length, const char *name)) \
	X(void, DisposeMemoryBuffer, (void *buffer)) \
	X(int, ParseBitcodeInContext2, (void *context, void *buffer, void **module)) \
	X(void, DisposeModule, (void *module)) \
	X(const char *, GetDataLayoutStr, (void *module)) \
	X(void *, CreateTargetData, (const char *layout)) \
	X(void, DisposeTargetData, (void *data)) \
	X(unsigned long long, ABISizeOfType, (void *data, void *type)) \
	X(unsigned long long, OffsetOfElement, (void *data, void *type, unsigned i)) \
	X(void *, GetFirstFunction, (void *module)) \
	X(void *, GetNextFunction, (void *function)) \
	X(unsigned, GetFunctionCallConv, (void *function)) \
	X(unsigned, CountBasicBlocks, (void *function)) \
	X(void *, GetFirstBasicBlock, (void *function)) \
	X(void *, GetNextBasicBlock, (void *block)) \
	X(void *, GetFirstParam, (void *function)) \
	X(void *, GetNextParam, (void *param)) \
	X(const char *, GetValueName2, (void *value, size_t *length)) \
	X(void *, GetFirstInstruction, (void *block)) \
	X(void *, GetNextInstruction, (void *instruction)) \
	X(int, GetInstructionOpcode, (void *instruction)) \
	X(unsigned, GetDebugLocLine, (void *value)) \
	X(void *, TypeOf, (void *value)) \
	X(int, GetTypeKind, (void *type)) \
	X(unsigned, GetIntTypeWidth, (void *type)) \
	X(unsigned, GetVectorSize, (void *type)) \
	X(unsigned, GetArrayLength, (void *type)) \
	X(void *, GetElementType, (void *type)) \
	X(void *, StructGetTypeAtIndex, (void *type, unsigned i)) \
	X(unsigned, GetPointerAddressSpace, (void *type)) \
	X(int, GetNumOperands, (void *value)) \
	X(void *, GetOperand, (void *value, unsigned i)) \
	X(unsigned, CountIncoming, (void *phi)) \
	X(void *, GetIncomingValue, (void *phi, unsigned i)) \
	X(void *, GetIncomingBlock, (void *phi, unsigned i)) \
	X(unsigned, GetNumSuccessors, (void *instruction)) \
	X(void *, GetSuccessor, (void *instruction, unsigned i)) \
	X(void *, GetCondition, (void *branch)) \
	X(void *, GetCalledValue, (void *call)) \
	X(unsigned, GetNumArgOperands, (void *call)) \
	X(int, GetICmpPredicate, (void *instruction)) \
	X(int, GetFCmpPredicate, (void *instruction)) \
	X(int, GetMaskValue, (void *shuffle, unsigned i)) \
	X(void *, GetAllocatedType, (void *alloca)) \
	X(void *, GetGEPSourceElementType, (void *gep)) \
	X(void *, GlobalGetValueType, (void *global)) \
	X(void *, GetInitializer, (void *global)) \
	X(int, IsConstant, (void *value)) \
	X(int, ValueIsBasicBlock, (void *value)) \
	X(void *, IsAConstantInt, (void *value)) \
	X(void *, IsAConstantFP, (void *value)) \
	X(void *, IsAConstantPointerNull, (void *value)) \
	X(void *, IsAConstantExpr, (void *value)) \
	X(void *, IsAConstantAggregateZero, (void *value)) \
	X(void *, IsAConstantDataVector, (void *value)) \
	X(void *, IsAConstantDataArray, (void *value)) \
	X(void *, IsAConstantVector, (void *value)) \
	X(void *, IsAConstantArray, (void *value)) \
	X(void *, IsAConstantStruct, (void *value)) \
	X(void *, IsAGlobalVariable, (void *value)) \
	X(void *, IsAFunction, (void *value)) \
	X(void *, GetElementAsConstant, (void *value, unsigned i)) \
	X(unsigned long long, ConstIntGetZExtValue, (void *value)) \
	X(long long, ConstIntGetSExtValue, (void *value)) \
	X(double, ConstRealGetDouble, (void *value, int *lost)) \
	X(int, GetConstOpcode, (void *value))
/* clang-format on */

struct ft__llvm {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): of a declaration */
#define FT__LLVM_MEMBER(type, name, arguments) type(*name) arguments;
	FT__LLVM_LIST(FT__LLVM_MEMBER)
#undef FT__LLVM_MEMBER
};

enum ft__llvm_opcode {
	FT__RET = 1,
	FT__BR = 2,
	FT__SWITCH = 3,
	FT__UNREACHABLE = 7,
	FT__ADD = 8,
	FT__FADD = 9,
	FT__SUB = 10,
	FT__FSUB = 11,
	FT__MUL = 12,
	FT__FMUL = 13,
	FT__UDIV = 14,
	FT__SDIV = 15,
	FT__FDIV = 16,
	FT__UREM = 17,
	FT__SREM = 18,
	FT__FREM = 19,
	FT__SHL = 20,
	FT__LSHR = 21,
	FT__ASHR = 22,
	FT__AND = 23,
	FT__OR = 24,
	FT__XOR = 25,
	FT__ALLOCA = 26,
	FT__LOAD = 27,
	FT__STORE = 28,
	FT__GEP = 29,
	FT__TRUNC = 30,
	FT__ZEXT = 31,
	FT__SEXT = 32,
	FT__FPTOUI = 33,
	FT__FPTOSI = 34,
	FT__UITOFP = 35,
	FT__SITOFP = 36,
	FT__FPTRUNC = 37,
	FT__FPEXT = 38,
	FT__PTRTOINT = 39,
	FT__INTTOPTR = 40,
	FT__BITCAST = 41,
	FT__ICMP = 42,
	FT__FCMP = 43,
	FT__PHI = 44,
	FT__CALL = 45,
	FT__SELECT = 46,
	FT__EXTRACTELEMENT = 50,
	FT__INSERTELEMENT = 51,
	FT__SHUFFLEVECTOR = 52,
	FT__EXTRACTVALUE = 53,
	FT__INSERTVALUE = 54,
	FT__FENCE = 55,
	FT__CMPXCHG = 56,
	FT__ATOMICRMW = 57,
	FT__ADDRSPACECAST = 60,
	FT__FNEG = 66,
	FT__FREEZE = 68
};

enum ft__llvm_predicate {
	FT__EQ = 32,
	FT__NE,
	FT__UGT,
	FT__UGE,
	FT__ULT,
	FT__ULE,
	FT__SGT,
	FT__SGE,
	FT__SLT,
	FT__SLE
};

/* a calling convention */

/* ft__llvm_load - the library of a version, to stay for the life of the process.
 *
 * Returns FT_OK; FT_EUNAVAIL: it is not there.
 */
enum ft_status ft__llvm_load(struct ft__llvm *out, int version, struct ft_err *err);

/*
 * Contents of buffers, as far as they are known: pages that are made when a known value is written.
 */

enum ft__space { FT__PRIVATE = 0, FT__GLOBAL = 1, FT__CONSTANT = 2, FT__LOCAL = 3 };

enum {
	FT__ADDRESS_BITS = 40,
	FT__OFFSET_BITS = 39
}; /* of an offset: an address is its buffer's number + 1 above them */

struct ft__buffer {
	int space;
	int64_t size;         /* bytes; -1: not known */
	const uint8_t *image; /* initial contents, borrowed; NULL: unknown */
	int64_t image_bytes;
	bool lost;    /* something was written to an unknown place */
	uint32_t era; /* pages of an older one hold nothing */
	char name[FT_KERNEL_NAME];
};

struct ft__page;

/* Zero-initialise; ends with ft__memory_clear. */
struct ft__memory {
	struct ft__buffer *buffer;
	size_t n, capacity;
	struct ft__page **table; /* open addressing, a power of two of places */
	size_t places, pages;
	struct ft__page *last; /* that was found */
};

/* ft__memory_add - one more buffer; -1: no memory. */
int ft__memory_add(struct ft__memory *memory, int space, int64_t size, const char *name);
void ft__memory_clear(struct ft__memory *memory);

/* ft__memory_reset - a buffer holds what it held at first. */
void ft__memory_reset(struct ft__memory *memory, int buffer);

/* ft__memory_load, ft__memory_store - a number of a width at an offset; what lies outside is unknown. */
struct ft__number ft__memory_load(struct ft__memory *memory, int buffer, int64_t offset, int width,
				  bool real);
void ft__memory_store(struct ft__memory *memory, int buffer, int64_t offset, int width, bool real,
		      struct ft__number value);

/* ft__memory_forget - the contents of a buffer become unknown; of all buffers of a space if the buffer is
 * unknown: buffer -1, and a space of -1 for all. */
void ft__memory_forget(struct ft__memory *memory, int buffer, int space);

/*
 * A kernel in executable form: blocks of instructions over numbered slots, of which each holds a value. A
 * vector has a slot for each component.
 */

struct ft__instruction {
	int opcode;    /* of LLVM */
	int to, lanes; /* the first slot of the result, -1: none; components of it, or of what is stored */
	int width;     /* bits of a component */
	int from_width, from_lanes; /* of the first operand */
	bool real, from_real;
	int *slot; /* [n] the first slot of each operand; -1: none */
	int n;
	int64_t *extra; /* PHI: [n] the block that each comes from. BR, SWITCH: [n] targets, then of each but
			   the first its value. GEP: [n] bytes that an index is worth; where its slot is -1:
			   bytes. SHUFFLEVECTOR: the mask. ALLOCA: its number. CALL: [n] components of each
			   operand */
	int predicate;
	int space, access; /* of memory, -1: none; its number among those that are traced, -1: none */
	bool store;        /* of an access */
	int bytes;         /* of a whole access */
	int line;
	int name; /* of what is called, among the names; -1: none */
	const struct ft__builtin *builtin;
	bool unsigned_;
};

struct ft__block {
	size_t first, n, phis;
	uint32_t count[FT_KERNEL_COUNTS]; /* what one execution does */
};

/* A variable of the program: in local or constant memory. */
struct ft__static {
	int space;
	int64_t size;
	uint8_t *image; /* [size] NULL: not known */
	char name[FT_KERNEL_NAME];
};

struct ft_kernel {
	char name[FT_KERNEL_NAME];
	char *bytes; /* bitcode */
	size_t length;
	int compiler; /* its version */
	struct ft_kernel_param param[FT_KERNEL_PARAMS];
	int param_slot[FT_KERNEL_PARAMS], param_lanes[FT_KERNEL_PARAMS], param_space[FT_KERNEL_PARAMS];
	size_t n_params;
	struct ft__instruction *op;
	size_t n_ops, ops_capacity;
	struct ft__block *block;
	size_t n_blocks;
	uint8_t *reach; /* [n_blocks][n_blocks] whether the second can be come to from the first */
	struct ft__number *initial; /* [n_slots] constants; all else unknown */
	size_t n_slots, slots_capacity;
	struct ft__static *variable; /* the first buffers */
	size_t n_variables, variables_capacity;
	int64_t *alloca_bytes;
	size_t n_allocas, allocas_capacity;
	char (*called)[FT_KERNEL_NAME];
	size_t n_called, called_capacity;
	size_t n_accesses;
};

/* The state of decoding. */
struct ft__decoding {
	const struct ft__llvm *llvm;
	void *target; /* LLVM's data of sizes */
	struct ft_kernel *kernel;
	struct ft__entry {
		void *value;
		int slot; /* of a block: its number */
	} * entry;
	size_t entries, places;
	bool failed; /* memory is out */
};

/* ft__kernel_decode - the code of a function. Returns FT_OK; FT_EINVAL: more than we follow; FT_ENOMEM. */
enum ft_status ft__kernel_decode(struct ft__decoding *decoder, void *function, struct ft_err *err);
void ft__kernel_decoder_clear(struct ft__decoding *decoder);

/* ft__slot - the first slot of a value; a constant's is filled. */
int ft__slot(struct ft__decoding *decoder, void *value);
struct ft__entry *ft__entry(struct ft__decoding *decoder, void *value);

/* ft__tally - what an instruction adds to the counts of its block. */
void ft__tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS]);

/*
 * From source to the bitcode of LLVM, by clang as a child process.
 */

/*
 * The interface of OpenCL needed for a launch: its loader is not linked, and its headers are not needed.
 * Source: Khronos, The OpenCL Specification 3.0, chapters 4 and 5; the numbers are those of its header cl.h.
 */

/* X(RETURNS, name, ARGUMENTS) - each is loaded as clName. */
/* clang-format off */
#define FT__CL_LIST(X) \
	X(int32_t, GetDeviceInfo, (void *device, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(void *, CreateContext, (const intptr_t *, uint32_t n, void *const *device, void *, void *, int32_t *code)) \
	X(void *, CreateCommandQueue, (void *context, void *device, uint64_t flags, int32_t *code)) \
	X(void *, CreateProgramWithSource, (void *context, uint32_t n, const char **text, const size_t *bytes, \
					    int32_t *code)) \
	X(int32_t, BuildProgram, (void *program, uint32_t n, void *const *device, const char *flags, void *, void *)) \
	X(int32_t, GetProgramBuildInfo, (void *program, void *device, uint32_t what, size_t most, void *value, \
					 size_t *bytes)) \
	X(void *, CreateKernel, (void *program, const char *name, int32_t *code)) \
	X(int32_t, CreateKernelsInProgram, (void *program, uint32_t most, void **kernel, uint32_t *n)) \
	X(int32_t, GetKernelInfo, (void *kernel, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(int32_t, GetKernelArgInfo, (void *kernel, uint32_t index, uint32_t what, size_t most, void *value, \
				      size_t *bytes)) \
	X(int32_t, GetKernelWorkGroupInfo, (void *kernel, void *device, uint32_t what, size_t most, void *value, \
					    size_t *bytes)) \
	X(void *, CreateBuffer, (void *context, uint64_t flags, size_t bytes, void *, int32_t *code)) \
	X(int32_t, SetKernelArg, (void *kernel, uint32_t index, size_t bytes, const void *value)) \
	X(int32_t, EnqueueWriteBuffer, (void *queue, void *buffer, uint32_t wait, size_t at, size_t bytes, \
					const void *from, uint32_t n, void *const *after, void **event)) \
	X(int32_t, EnqueueReadBuffer, (void *queue, void *buffer, uint32_t wait, size_t at, size_t bytes, void *to, \
				       uint32_t n, void *const *after, void **event)) \
	X(int32_t, EnqueueNDRangeKernel, (void *queue, void *kernel, uint32_t dims, const size_t *offset, \
					  const size_t *global, const size_t *local, uint32_t n, \
					  void *const *after, void **event)) \
	X(int32_t, Finish, (void *queue)) \
	X(int32_t, GetEventProfilingInfo, (void *event, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(int32_t, ReleaseEvent, (void *event)) \
	X(int32_t, ReleaseMemObject, (void *buffer)) \
	X(int32_t, ReleaseKernel, (void *kernel)) \
	X(int32_t, ReleaseProgram, (void *program)) \
	X(int32_t, ReleaseCommandQueue, (void *queue)) \
	X(int32_t, ReleaseContext, (void *context))
/* clang-format on */

struct ft__opencl {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): of a declaration */
#define FT__CL_MEMBER(returns, name, arguments) returns(*name) arguments;
	FT__CL_LIST(FT__CL_MEMBER)
#undef FT__CL_MEMBER
};

/*
 * The parts of a launch on a device.
 */

/* A parameter of the kernel that is a buffer. */
struct ft__array {
	char name[FT_KERNEL_NAME];
	uint32_t index;
	enum ft_kernel_element element;
	size_t bytes;
	size_t guard; /* guard bytes behind them, which must stay unchanged */
	bool read;    /* the kernel may write it */
	void *buffer; /* of the device */
	char *host;   /* [bytes] what it holds at first; ft_malloc */
};

/* Zero-initialise; ends with ft__execution_close. */
struct ft__execution {
	struct ft__opencl cl;
	const struct ft_kernel_launch *launch;
	void *device, *context, *queue, *program, *kernel;
	char name[FT_KERNEL_NAME]; /* of the kernel */
	struct ft__array place[FT_KERNEL_PARAMS];
	size_t n, local_bytes; /* local: of arguments */
	uint32_t dims;
	size_t global[FT_KERNEL_DIMS], local[FT_KERNEL_DIMS];
	bool grouped; /* local is given */
};

/*
 * Execution of work-groups.
 */

/* An access to global memory: 0 if unknown. */
struct ft__touch {
	uint64_t address;
	int32_t access, bytes;
};

/* One work-item between two stops. */
struct ft__item {
	struct ft__number *slot;
	int64_t local[FT_KERNEL_DIMS];
	size_t block, before, at; /* where it is, where it came from, the next instruction in the block */
	bool done;
	uint32_t *turns;         /* [n_blocks] of undecided jumps */
	struct ft__touch *touch; /* grows by need, to touches_most, which few work-items come near to */
	size_t n_touches, touch_capacity;
};

struct ft__run {
	const struct ft_kernel *kernel;
	struct ft__memory memory;
	int64_t global[FT_KERNEL_DIMS], local[FT_KERNEL_DIMS], groups[FT_KERNEL_DIMS];
	int dims;
	int64_t group[FT_KERNEL_DIMS], group_number;
	struct ft__item *item;
	size_t n_items;
	int first_alloca;                     /* buffer of the first one of the first work-item */
	struct ft__number *initial, *scratch; /* [n_slots] with the arguments; room for what comes together */
	double *visits;                       /* [n_blocks] */
	double *met[FT_KERNEL_NOTES];         /* [n_ops] */
	int *met_buffer;                      /* [n_ops] that an access was outside of; -1: none */
	double steps, steps_most;
	size_t trips;
	bool trace, sampled;
	size_t touches_most; /* of a work-item */
	double touches, touches_kept;
	int stopped_line; /* where the instructions ran out */
	bool no_memory;   /* a touch was not recorded: the run is of no use */
};

/* ft__group_run - carry out one group; phase is called at its end and at each of its barriers.
 *
 * Returns false where the instructions ran out.
 */
bool ft__group_run(struct ft__run *run, int64_t number, void (*phase)(void *with, struct ft__run *run),
		   void *with);

/* ft__call - one that is a call of a function. */
void ft__call(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op);

/* ft__access - common to all accesses: reported if they are outside, or at an unknown place; traced. */
void ft__access(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op,
		struct ft__number at);

/* ft__operand - a component of an operand; what is not there is unknown. */
static inline struct ft__number ft__operand(const struct ft__item *item, const struct ft__instruction *op,
					    int i, int lane)
{
	const struct ft__number unknown = {.kind = FT__UNKNOWN};

	return i >= op->n || op->slot[i] < 0 ? unknown : item->slot[op->slot[i] + lane];
}

/* ft__atomic - an atomic operation: their order is undefined, so its result is unknown. */
void ft__atomic(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op);

/* ft__move - a pointer advanced by a number of elements; too far from its buffer it is adrift. */
struct ft__number ft__move(struct ft__number at, int64_t times, int64_t bytes);

/* ft__read, ft__write - the component at a place. bytes: behind it. */
struct ft__number ft__read(struct ft__run *run, struct ft__number at, int64_t bytes, int width, bool real);
void ft__write(struct ft__run *run, const struct ft__instruction *op, struct ft__number at, int64_t bytes,
	       int width, bool real, struct ft__number value);

/* ft__meet - note an event at an instruction. */
void ft__meet(struct ft__run *run, const struct ft__instruction *op, enum ft_kernel_note note);

/* ft__run_open - all but the arguments. Returns FT_OK; FT_ENOMEM. ft__run_close: accepts one that failed. */
enum ft_status ft__run_open(struct ft__run *run, struct ft_err *err);
void ft__run_close(struct ft__run *run);

/*
 * Sizes and arguments of a launch, as numbers.
 */

/* ft__launch_sizes - set the sizes of a launch in a run, whose kernel is set.
 *
 * Returns FT_OK; FT_EINVAL; FT_EPARSE: an expression.
 */
enum ft_status ft__launch_sizes(struct ft__run *run, const struct ft_kernel_launch *launch,
				struct ft_err *err);

/* ft__launch_buffers - variables, arguments and arrays of work-items become buffers of an opened run; its
 * initial slots are filled.
 *
 * local_bytes  out: of local memory, of a group
 */
enum ft_status ft__launch_buffers(struct ft__run *run, const struct ft_kernel_launch *launch,
				  double *local_bytes, struct ft_err *err);

/* ft__launch_argument - the one of a parameter; NULL: none. */
const struct ft_kernel_argument *ft__launch_argument(const struct ft_kernel_launch *launch, const char *name);

/* ft__launch_value - an expression of the arguments. */
enum ft_status ft__launch_value(const struct ft_kernel_launch *launch, const char *text, double *value,
				struct ft_err *err);

/*
 * Patterns of accesses: sectors of warps, strides, lines of a cache.
 */

/* Of an instruction that accesses global memory. */
struct ft__pattern {
	double times, warps, sectors;
	double pairs, same; /* neighbours of which both are known, and those that lie as the first ones did */
	int64_t stride;     /* of the first ones */
	double step;        /* largest distance of one execution from the next by a work-item; NaN: none */
	int buffer;         /* -1: none yet, -2: several */
};

/* Of a buffer. */
struct ft__reach {
	uint64_t least, most; /* addresses that were touched; most < least: none */
	uint64_t block;       /* bytes between the lowest and the highest of a work-item, the largest */
	double touches;
	double step; /* the largest of its accesses */
};

/* The least recently used cache lines; zero-initialise all but the sizes. */
struct ft__line_cache {
	size_t line, sets, ways;
	uint64_t *tag; /* [sets][ways], the last used one first */
	double misses;
};

struct ft__trace {
	size_t warp;
	struct ft__pattern *pattern; /* [n_accesses] */
	struct ft__reach *reach;     /* [n_buffers] those that are no work-item's own */
	size_t n_accesses, n_buffers;
	struct ft__line_cache cache;
	/* room */
	uint32_t *first, *order; /* of each lane: where an access's touches begin; touches by access */
	size_t order_capacity;
	uint64_t *sector;
	size_t sector_capacity;
	struct ft__reach *own; /* [n_buffers] of one work-item */
	bool failed;           /* memory is out */
};

enum ft_status ft__trace_open(struct ft__trace *trace, const struct ft__run *run,
			      const struct ft_kernel_options *options, struct ft_err *err);
void ft__trace_close(struct ft__trace *trace);

/* ft__trace_phase - take in what the work-items of a group touched since the last barrier; a phase of
 * ft__group_run. */
void ft__trace_phase(void *with, struct ft__run *run);

/* ft__misses_rule - of 004 chapter 13: each buffer by itself; where the block that a work-item goes through
 * fits in the cache, each line of the buffer once, else each access by its stride. scale: of the whole launch
 * to the groups. */
double ft__misses_rule(const struct ft__trace *trace, const struct ft_kernel_options *options, double scale);

/*
 * Executed groups, and the features computed from them.
 */

struct ft__all {
	const struct ft_kernel_options *options;
	struct ft__run run;
	struct ft__trace trace;
	double *visits; /* [n_blocks] as they were before a group */
	double *each; /* [strata x n_blocks] of the group of each part that was carried out; NULL: not kept */
	double groups, local_bytes, error;
	size_t done;
};

/*
 * Whole numbers of 128 bits, and fractions of them: enough for the expressions of kernels; overflow is
 * detected.
 */

__extension__ typedef __int128 ft__wide;

/* ft__polynomial_text - an expression in powers of the arguments; an empty text where it does not fit. */
void ft__polynomial_text(const struct ft_kernel_expressions *e, struct ft_kernel_expression *of);

#endif
