/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrated.h - the calibrations of this machine's devices, kept in the store, each with the driver that the
 * device had then. */
#ifndef FT_CLI_CALIBRATED_H
#define FT_CLI_CALIBRATED_H

#include "cli/device/device.h"

/* cli_calibrated_put - keep one, in place of what the device had before. text: as of ft_timed_write. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_calibrated_put(const char *store_path, const char *device, const char *text);

/* Devices as calibrated. Zero-initialise; ends with cli_calibrated_clear. */
struct cli_calibrated {
	struct ft_timed timed[FT_DEVICES_MAX];
	const char *name[FT_DEVICES_MAX]; /* borrowed */
	size_t n;
};

/* cli_calibrated_get - those of files; without any, those of this machine that the store has: one whose
 * driver is another one now is told, and left out. Returns CLI_DONE, or the exit status after a complaint:
 * there is none. */
int cli_calibrated_get(struct cli_calibrated *out, const struct ft_field_texts *files,
		       const char *store_path);
void cli_calibrated_clear(struct cli_calibrated *calibrated);

#endif
