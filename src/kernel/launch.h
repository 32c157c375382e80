/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - sizes and arguments of a launch, as numbers. */
#ifndef FT_KERNEL_LAUNCH_H
#define FT_KERNEL_LAUNCH_H

#include "kernel/run.h"

/* ft__launch_sizes - the sizes of a launch into a run, whose kernel stands there.
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

#endif
