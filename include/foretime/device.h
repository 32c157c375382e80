/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - where a routine should run: its devices, or implementations, compared.
 *
 * Devices of a program are stored under one NAME (struct ft_program, device), each with runs and models of
 * its own. Which one is best at a size is a question to the models.
 * A program that has to decide at each call asks a dispatcher, which waits for nothing:
 *
 *	ft_dispatch_open(&dispatch, store, "solve", NULL, err);
 *	ft_device_choose(dispatch, &n, &device, &sure);
 */
#ifndef FORETIME_DEVICE_H
#define FORETIME_DEVICE_H

#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/kernel.h"
#include "foretime/measure.h"

FT_BEGIN_DECLS

/* ---- the devices of a stored program --------------------------------------------------------------------
 */

/* All of it may be zero. */
struct ft_rank_options {
	const struct ft_resource *resource; /* the value to minimise: NULL: wall_s; energy_j */
	double watts;        /* a device whose run needs more power than this is not chosen; 0: any */
	double confidence;   /* of intervals; 0: 90 % */
	const char *machine; /* as of ft_ask_open */
	int64_t here;
	/* what drives a device now, given its program; heap, NULL: nothing that is known. A device of which
	 * another thing is stored counts as never measured. NULL: not looked at */
	char *(*driver)(void *ctx, const struct ft_program *program);
	/* the powers of the machine as a device uses it, for energy that no run measured;
	 * false: not known. NULL: of none */
	bool (*power)(void *ctx, struct ft_answerer *answerer, struct ft_power *out);
	void *ctx;
};

/* ---- choosing at each call ------------------------------------------------------------------------------
 */

struct ft_dispatch;

/* ft_dispatch_open - load what is known of the devices of a program, once.
 *
 * store    needed for this call alone
 * options  may be NULL
 * out      heap, ends with ft_dispatch_close
 */
enum ft_status ft_dispatch_open(struct ft_dispatch **out, struct ft_store *store, const char *name,
				const struct ft_rank_options *options, struct ft_err *err);
void ft_dispatch_close(struct ft_dispatch *dispatch); /* accepts NULL */

size_t ft_dispatch_devices(const struct ft_dispatch *dispatch);
const char *ft_dispatch_device(const struct ft_dispatch *dispatch, size_t device);

/* ft_device_choose - the device for a size.
 *
 * sizes   a value for each parameter, in the program's order
 * device  out, its number: ft_dispatch_device has the name
 * sure    out, the chance that no other is better; 0 outside of the sizes that were modelled; may be NULL
 *
 * Returns FT_OK; FT_EINVAL: a value that is no number. Cost: 0.14 us (bench/device/made.c); no lock, nothing
 * is allocated, any number of threads may ask. */
enum ft_status ft_device_choose(const struct ft_dispatch *dispatch, const double *sizes, size_t *device,
				double *sure);

/* ft_device_report - what a call took there: a line in the spool, which the manager takes in (as
 * ft_probe_submit of foretime-client.h). seconds > 0. FT_EINVAL; FT_EIO, FT_ENOSPC. */
enum ft_status ft_device_report(const struct ft_dispatch *dispatch, size_t device, const double *sizes,
				double seconds, struct ft_err *err);

FT_END_DECLS

#endif
