/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - what a micro-benchmark is made of. A file holds rows of one kind. */
#ifndef FT_MEASURE_CALIBRATE_H
#define FT_MEASURE_CALIBRATE_H

#include "foretime/calibrate.h"

#include <sys/types.h>

/* Where a micro-benchmark works. Zero-initialised before it is prepared. */
struct ft__workplace {
	void *memory; /* [bytes] from the heap */
	size_t bytes;
	void *at;      /* where a walk has come to */
	uint64_t sink; /* every result ends here, so that no work is for nothing */
	int to, from;  /* ends of pipes to the child; 0: none */
	pid_t child;
	sigset_t mask; /* of signals, as it was */
	int error;     /* errno of a call that failed: the time means nothing */
};

/* A row: what is public of it, and how it is done. */
struct ft__micro {
	struct ft_micro micro;
	/* NULL: nothing to prepare. On failure nothing is to be finished. */
	enum ft_status (*prepare)(const struct ft_micro *micro, struct ft__workplace *place,
				  struct ft_err *err);
	/* At least `count` operations; returns how many. The only part that is timed. */
	uint64_t (*run)(struct ft__workplace *place, uint64_t count);
	void (*finish)(struct ft__workplace *place); /* NULL: nothing */
};

/* Each kind's rows; the last one has no name. */
extern const struct ft__micro ft__micro_processor[], ft__micro_memory[], ft__micro_system[];

/* FT__KEEP - the compiler can neither know nor drop this integer or pointer: what was computed so far must be
 * in a register, and what follows is computed from there. No instruction is made. */
#define FT__KEEP(x) __asm__ volatile("" : "+r"(x))

/* FT__KEEP_REAL - the same of a double. */
#if defined(__x86_64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+x"(x))
#elif defined(__aarch64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+w"(x))
#elif defined(__riscv) || defined(__loongarch__) || defined(__s390x__) || defined(__mips__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+f"(x))
#elif defined(__powerpc64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+d"(x))
#else
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+m"(x))
#endif

/* The same statement so many times over: a loop costs little beside it. */
#define FT__4(statement)  statement statement statement statement
#define FT__16(statement) FT__4(FT__4(statement))

#endif
