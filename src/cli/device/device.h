/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - where a routine should run, for the subcommands of `foretime device`. */
#ifndef FT_CLI_DEVICE_H
#define FT_CLI_DEVICE_H

#include "cli/device/kernel.h"
#include "cli/powers.h"
#include "foretime/device.h"
#include "foretime/rates.h"

/* What is asked. Zero-initialise. */
struct cli_device {
	char *const *word; /* behind the action */
	size_t words;
	const char *store_path, *output, *machine, *least;
	double watts, confidence;
	size_t times;
	bool json;
	struct cli_kernel kernel; /* of rank FILE.cl */
	struct ft_field_texts rates, powers;
	/* as opened */
	struct ft_store *store;
	struct cli_device_powers drawn;
	struct ft_rank_options options;
	struct ft_ranking *ranking;
};

/* cli_device_open - the devices of the program that the first word names. Returns CLI_DONE, or the exit
 * status after a complaint. */
int cli_device_open(struct cli_device *asked);

/* cli_device_wish - the resource behind --least. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_device_wish(const char *least, const struct ft_resource **resource);

/* cli_device_drivers - say of which devices the driver is another one now. */
void cli_device_drivers(const struct cli_device *asked);

/* cli_device_print_table - which device is best where, in words: a line for each part of the range. */
void cli_device_print_table(const struct ft_table *table, const struct ft_ranking *ranking);

/* cli_device_gone - say that a device is left out of a build; kernel: a device of OpenCL ran it there. */
void cli_device_gone(const char *device, bool kernel);

/* cli_device_launch - make all launches of a calibration on a device, `opencl:K`, each in a process of its
 * own, and count what they do. Those that fail are said and left out.
 *
 * timed  out; ends with ft_timed_clear; its device is borrowed
 *
 * Returns CLI_DONE, or the exit status after a complaint: none could be made. */
int cli_device_launch(struct ft_timed *timed, const char *device, size_t times);

/* cli_device_static - of `rank FILE.cl`: a kernel that never ran, on devices that were calibrated. */
int cli_device_static(struct cli_device *asked);

/* The subcommands. */
int cli_device_list(void *ctx);
int cli_device_rank(void *ctx);
int cli_device_table(void *ctx);
int cli_device_calibrate(void *ctx);

#endif
