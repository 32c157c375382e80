/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code.h - a kernel as it is carried out: blocks of instructions over numbered slots, of which each holds a
 * value. A vector has a slot for each component. */
#ifndef FT_KERNEL_CODE_H
#define FT_KERNEL_CODE_H

#include "kernel/builtin.h"
#include "kernel/llvm.h"
#include "kernel/memory.h"

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

/* What decoding needs besides. */
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

/* ft__decode_op - one instruction, into the last of the kernel's. */
void ft__decode_op(struct ft__decoding *decoder, void *instruction, struct ft__instruction *op);

/* ft__slot - the first slot of a value; a constant's is filled. */
int ft__slot(struct ft__decoding *decoder, void *value);
int ft__slot_new(struct ft__decoding *decoder, int lanes);
struct ft__entry *ft__entry(struct ft__decoding *decoder, void *value);

/* ft__constant - the value of one; what is no number and no place is unknown. */
struct ft__number ft__constant(struct ft__decoding *decoder, void *value);

/* Types. */
int ft__lanes(const struct ft__decoding *decoder, void *type);
int ft__width(const struct ft__decoding *decoder, void *type); /* of a component; 0: no number, no pointer */
bool ft__is_real(const struct ft__decoding *decoder, void *type);
int64_t ft__size(const struct ft__decoding *decoder, void *type);

/* ft__tally - what an instruction adds to the counts of its block. */
void ft__tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS]);

#endif
