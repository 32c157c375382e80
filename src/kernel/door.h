/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of kernel beyond its interface. */
#ifndef FT_KERNEL_DOOR_H
#define FT_KERNEL_DOOR_H

#include "foretime/base.h"
#include "foretime/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ft_kernel_operations - arithmetic, logic and transcendental operations of all kinds together. */
double ft_kernel_operations(const double count[FT_KERNEL_COUNTS]);

/* ---- a kernel ----------------------------------------------------------------------------------------- */

enum ft_kernel_kind { FT_KERNEL_WHOLE, FT_KERNEL_REAL, FT_KERNEL_GLOBAL, FT_KERNEL_LOCAL, FT_KERNEL_ODD };

struct ft_kernel_param {
	char name[FT_KERNEL_NAME];
	enum ft_kernel_kind kind; /* FT_KERNEL_ODD: a structure, an image: never known */
	int bits;                 /* of a number */
};

const char *ft_kernel_name(const struct ft_kernel *kernel);
const struct ft_kernel_param *ft_kernel_params(const struct ft_kernel *kernel, size_t *n);

/* ft_kernel_compiler - the version of clang that compiled it: 14. */
int ft_kernel_compiler(const struct ft_kernel *kernel);

/* ft_kernel_code - the bitcode of LLVM that the compiler made: borrowed. */
const char *ft_kernel_code(const struct ft_kernel *kernel, size_t *length);

/* ---- features ----------------------------------------------------------------------------------------- */

const char *ft_kernel_note_word(enum ft_kernel_note note);
const char *ft_kernel_note_about(enum ft_kernel_note note);

/* ---- expressions -------------------------------------------------------------------------------------- */

/* ft_kernel_exponents - exponent and terms of n variables and a degree, in the order that differences stand
 * in. */
void ft_kernel_exponents(struct ft_kernel_expressions *expressions);

/*
 * A kernel of OpenCL carried out on a device, and timed by the device's own clock.
 *
 * The loader of OpenCL is loaded on first use; a driver may crash the process, so that a caller which
 * measures does so in a child process (`foretime device run`, foretime-device(1)).
 *
 * 	struct ft_kernel_source source = {.path = "mm.cl", .kernel = "mm"};
 * 	struct ft_kernel_argument argument[] = {{.name = "n", .value = 512},
 * 		{.name = "a", .value = NAN, .element = FT_KERNEL_FLOAT, .count = "n*n"}};
 * 	struct ft_kernel_launch launch = {.global = {"n", "n"}, .local = {"16", "16"}, argument, 2};
 * 	struct ft_execute_options options = {.device = 0, .seed = 1};
 *
 * 	ft_execute(&out, &source, &launch, &options, err);
 */

struct ft_execute_options {
	size_t device; /* the K of `opencl:K`, as ft_hardware_read counts them */
	uint64_t seed; /* of what buffers without data hold: the same on each device */
	size_t times;  /* launches that are timed, behind one that is not; 0: one */
};

/* What a buffer holds afterwards. */
struct ft_execute_sum {
	char name[FT_KERNEL_NAME];
	double bytes;
	double sum; /* of element times a weight of its place in (0.5, 1.5): an exchange of two shows. By
		       devices that round alike the same; NaN where an element is no number */
};

/* Seconds. Those of kernel, write and read are of the device's events, the mean of all times. */
struct ft_executed {
	double build_s;                   /* of the device's compiler, on this machine's clock */
	double first_s;                   /* of the first launch, which is not counted: some compile there */
	double write_s, kernel_s, read_s; /* buffers to the device, the kernel, and buffers back */
	double kernel_low_s;   /* lower quartile of the kernel's times: other users of the device only add */
	double kernel_sigma_s; /* standard deviation of one; 0: there is one only */
	double launch_s;       /* all three with what lies between them, on this machine's clock */
	double cpu_s;          /* of this process meanwhile; pocl computes there */
	size_t times;
	double work_items, group, local_bytes; /* work-items of a group; local memory of a group */
	char device[128];
	struct ft_execute_sum *sum; /* [n_sums] of each buffer that the kernel may write */
	size_t n_sums;
};

/* ft_execute - buffers are made, filled, written, the kernel is launched, and what it may have written is
 * read.
 *
 * source   flags are handed to the device's compiler; clang is not used
 * launch   local may have no dimension at all: the driver chooses. A buffer has an element and a count, or
 *          data; one in local memory has no data
 * out      ends with ft_executed_clear; cleared on failure
 *
 * Buffers without data hold what the seed draws: real numbers in [0, 1), whole ones in 0 .. 127.
 *
 * Returns FT_OK; FT_EUNAVAIL: no loader, no such device, a device that went away; FT_ENOENT: no such file or
 * kernel; FT_EPARSE: it does not compile, in the compiler's words, or an expression; FT_EINVAL: an argument
 * that is missing or of another kind, groups that do not divide or are too large, local memory or buffers
 * that do not fit, doubles where there are none; FT_EIO: the driver failed; FT_ENOMEM. Source: Khronos, The
 * OpenCL Specification 3.0, chapters 4 and 5.
 */
enum ft_status ft_execute(struct ft_executed *out, const struct ft_kernel_source *source,
			  const struct ft_kernel_launch *launch, const struct ft_execute_options *options,
			  struct ft_err *err);
void ft_executed_clear(struct ft_executed *executed); /* accepts NULL, and twice */

#endif
