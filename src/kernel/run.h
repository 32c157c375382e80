/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - work-groups, carried out. */
#ifndef FT_KERNEL_RUN_H
#define FT_KERNEL_RUN_H

#include "kernel/code.h"

/* An access to global memory: 0 where nobody knows. */
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

enum ft__stop { FT__ENDED, FT__AT_BARRIER, FT__OUT_OF_STEPS };

/* ft__group_run - carry out one group; phase is called at its end and at each of its barriers.
 *
 * Returns false where the instructions ran out.
 */
bool ft__group_run(struct ft__run *run, int64_t number, void (*phase)(void *with, struct ft__run *run),
		   void *with);

/* ft__kernel_step - an instruction that is no jump. */
void ft__kernel_step(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op);

/* ft__call - one that is a call of a function. */
void ft__call(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op);

/* ft__access - what all accesses do: told where they are outside, or nowhere, traced. */
void ft__access(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op,
		struct ft__number at);

/* ft__operand - a component of an operand; what is not there is unknown. */
static inline struct ft__number ft__operand(const struct ft__item *item, const struct ft__instruction *op,
					    int i, int lane)
{
	const struct ft__number unknown = {.kind = FT__UNKNOWN};

	return i >= op->n || op->slot[i] < 0 ? unknown : item->slot[op->slot[i] + lane];
}

/* ft__atomic - an atomic operation: in which order they happen nobody knows, so what they give is unknown. */
void ft__atomic(struct ft__run *run, struct ft__item *item, const struct ft__instruction *op);

/* ft__move - a place so many times so many bytes on; too far from its buffer it is adrift. */
struct ft__number ft__move(struct ft__number at, int64_t times, int64_t bytes);

/* ft__read, ft__write - the component at a place. bytes: behind it. */
struct ft__number ft__read(struct ft__run *run, struct ft__number at, int64_t bytes, int width, bool real);
void ft__write(struct ft__run *run, const struct ft__instruction *op, struct ft__number at, int64_t bytes,
	       int width, bool real, struct ft__number value);

/* ft__meet - something worth telling happened at an instruction. */
void ft__meet(struct ft__run *run, const struct ft__instruction *op, enum ft_kernel_note note);

/* ft__run_open - all but the arguments. Returns FT_OK; FT_ENOMEM. ft__run_close: accepts one that failed. */
enum ft_status ft__run_open(struct ft__run *run, struct ft_err *err);
void ft__run_close(struct ft__run *run);

#endif
