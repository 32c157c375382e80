/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.h - from source to the bitcode of LLVM, by clang as a child process. */
#ifndef FT_KERNEL_COMPILE_H
#define FT_KERNEL_COMPILE_H

#include "foretime/kernel.h"
#include "kernel/llvm.h"

/* ft__kernel_compile - the bitcode of a file, and the library that reads it.
 *
 * bytes  heap, [*length], ends with ft_free; NULL on failure
 * compiler  out: its version
 *
 * Returns as ft_kernel_open.
 */
enum ft_status ft__kernel_compile(const struct ft_kernel_source *source, char **bytes, size_t *length,
				  struct ft__llvm *llvm, int *compiler, struct ft_err *err);

#endif
