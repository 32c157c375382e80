/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rivals.h - devices of a program that are being measured: what the files of `build --device` share. */
#ifndef FT_CLI_BUILD_RIVALS_H
#define FT_CLI_BUILD_RIVALS_H

#include "cli/build/build.h"
#include "cli/powers.h"
#include "foretime/device.h"

struct cli_rivals {
	struct cli_build *build;
	const struct ft_resource *resource; /* what shall be least */
	struct cli_device_powers drawn;
	struct ft_program program[FT_DEVICES_MAX];
	struct ft_launch launch[FT_DEVICES_MAX];
	struct ft_decide_device device[FT_DEVICES_MAX];
	size_t n;
	struct ft_decide_report report;
	bool told; /* the report is whole */
	struct ft_ranking *ranking;
	struct ft_table *table; /* NULL: there is none yet */
};

/* cli_rivals_command - one more device, a command: "gpu=./prog --gpu {n}". cli_rivals_kernels - the devices
 * that a kernel of OpenCL runs on. Both return CLI_DONE, or the exit status after a complaint. */
int cli_rivals_command(struct cli_rivals *d, const char *text);
int cli_rivals_kernels(struct cli_rivals *d);

/* cli_rivals_tell - what was measured, and which is best where. Returns the exit status. */
int cli_rivals_tell(const struct cli_rivals *d);

#endif
