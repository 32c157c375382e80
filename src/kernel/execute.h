/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.h - the parts of a launch on a device. */
#ifndef FT_KERNEL_EXECUTE_H
#define FT_KERNEL_EXECUTE_H

#include "kernel/opencl.h"

/* A parameter of the kernel that is a buffer. */
struct ft__array {
	char name[FT_KERNEL_NAME];
	uint32_t index;
	enum ft_kernel_element element;
	size_t bytes;
	size_t guard; /* bytes behind them that nobody has a right to */
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

/* ft__execution_open - the device, its queue, and the compiled kernel. seconds: out, of the compiler. Returns
 * as ft_execute. */
enum ft_status ft__execution_open(struct ft__execution *x, const struct ft_kernel_source *source,
				  const struct ft_kernel_launch *launch, size_t device, double *seconds,
				  struct ft_err *err);
void ft__execution_close(struct ft__execution *x);

/* ft__execution_arguments - numbers, local memory and filled buffers, behind ft__execution_open. */
enum ft_status ft__execution_arguments(struct ft__execution *x, uint64_t seed, struct ft_err *err);

/* ft__execution_guards - behind a launch: FT_EINVAL: the kernel wrote behind the end of a buffer that holds a
 * file. */
enum ft_status ft__execution_guards(const struct ft__execution *x, struct ft_err *err);

/* ft__execution_sum - of what a buffer holds, as struct ft_execute_sum tells it. */
double ft__execution_sum(const struct ft__array *place, const char *bytes);

#endif
