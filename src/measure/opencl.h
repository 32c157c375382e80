/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl.h - lists OpenCL devices. */
#ifndef FT_MEASURE_OPENCL_H
#define FT_MEASURE_OPENCL_H

#include "foretime/measure.h"
#include "measure/door.h"

/* ft__hardware_add - one item more; it is taken, on failure cleared. */
enum ft_status ft__hardware_add(struct ft_hardware *hardware, struct ft_hardware_item *item,
				struct ft_err *err);

/* ft__opencl_read - the devices of its loader; hardware->opencl has the reason if there are none. FT_OK;
 * FT_ENOMEM. */
enum ft_status ft__opencl_read(struct ft_hardware *hardware, struct ft_err *err);

/* ft__opencl_find - the device listed as opencl:INDEX, in the form of the loader (a cl_device_id), which
 * owns it. FT_OK; FT_EUNAVAIL: there is none, and why. */
enum ft_status ft__opencl_find(size_t index, void **device, struct ft_err *err);

#endif
