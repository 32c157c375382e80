/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl.h - the devices that OpenCL offers. */
#ifndef FT_MEASURE_OPENCL_H
#define FT_MEASURE_OPENCL_H

#include "foretime/hardware.h"

/* ft__hardware_add - one item more; it is taken, on failure cleared. */
enum ft_status ft__hardware_add(struct ft_hardware *hardware, struct ft_hardware_item *item,
				struct ft_err *err);

/* ft__opencl_read - those that its loader knows; why there are none stands in hardware->opencl. FT_OK;
 * FT_ENOMEM. */
enum ft_status ft__opencl_read(struct ft_hardware *hardware, struct ft_err *err);

/* ft__opencl_find - the device that is listed as opencl:INDEX, as the loader knows it (a cl_device_id), which
 * keeps it. FT_OK; FT_EUNAVAIL: there is none, and why. */
enum ft_status ft__opencl_find(size_t index, void **device, struct ft_err *err);

#endif
