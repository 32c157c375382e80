/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl_time.h - what launches take on a device of OpenCL. */
#ifndef FT_MEASURE_OPENCL_TIME_H
#define FT_MEASURE_OPENCL_TIME_H

#include "foretime/status.h"

#include <stdint.h>

FT_BEGIN_DECLS

enum { FT_OPENCL_WHY = 400 };

/* A launch of KERNEL(__global float *, int). */
struct ft_opencl_job {
	const char *kernel;
	size_t global[2], local[2]; /* work-items: all, and of a group */
	size_t floats;              /* in its buffer, filled with numbers between 0.5 and 1.5 */
	int32_t n;
	/* out: by the device's own clock, without what waited and without transfers; NaN: it failed */
	double seconds;          /* the lower quartile of the launches */
	double sigma;            /* their standard deviation */
	char why[FT_OPENCL_WHY]; /* it failed; else empty */
};

/* ft_opencl_time - compile a source and launch its kernels: each once to warm up, and `times` times more.
 * It is done in a process of its own: a driver that crashes or hangs takes nothing along.
 *
 * device   "opencl:0", as ft_hardware_read numbers them
 * job      [n]
 * limit_s  of wall time, for all of them
 *
 * Returns FT_OK, also when some jobs failed; FT_EINVAL: no such device; FT_EUNAVAIL: no loader, or the device
 * cannot be opened; FT_EPARSE: it does not compile, in the compiler's words; FT_EIO: the driver ended the
 * process, or the time was up (at which kernel); FT_ENOMEM.
 */
enum ft_status ft_opencl_time(const char *device, const char *source, struct ft_opencl_job *job, size_t n,
			      size_t times, double limit_s, struct ft_err *err);

FT_END_DECLS
#endif
