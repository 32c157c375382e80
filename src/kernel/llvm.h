/* SPDX-License-Identifier: GPL-3.0-or-later */
/* llvm.h - the part of LLVM's C interface that is used, loaded when a kernel is read.
 *
 * Handles are LLVM's own. Only functions are here that each version since 11 has, and that know pointers
 * without a type. The numbers are those of llvm-c/Core.h, where they are said to stay. */
#ifndef FT_KERNEL_LLVM_H
#define FT_KERNEL_LLVM_H

#include "foretime/status.h"

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

enum { FT__SPIR_KERNEL = 76 }; /* a calling convention */

/* ft__llvm_load - the library of a version, to stay for the life of the process.
 *
 * Returns FT_OK; FT_EUNAVAIL: it is not there.
 */
enum ft_status ft__llvm_load(struct ft__llvm *out, int version, struct ft_err *err);

#endif
