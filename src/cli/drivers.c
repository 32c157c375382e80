/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drivers.c - what drives the devices of this machine. */
#include "cli/drivers.h"
#include "cli/common.h"
#include "foretime/hardware.h"

#include <string.h>

/* Whether a word may be one of the list: others need not wait for drivers to wake. */
static bool may_be_listed(const char *device)
{
	return !strncmp(device, "opencl:", 7) || !strncmp(device, "nvidia:", 7) ||
	       !strcmp(device, ft_hardware_kind_text(FT_HARDWARE_GPU)) ||
	       !strcmp(device, ft_hardware_kind_text(FT_HARDWARE_ACCELERATOR));
}

char *cli_driver_named(const char *device)
{
	static struct ft_hardware hardware;
	static bool read;
	bool failed = false;

	if (!device || !may_be_listed(device))
		return NULL;
	if (!read && ft_hardware_read(&hardware, NULL))
		return NULL;
	read = true;
	char *driver = ft_hardware_driver(&hardware, device, &failed);
	return failed ? cli_given(NULL) : driver;
}

char *cli_driver_now(void *ctx, const struct ft_program *program)
{
	(void)ctx;
	return cli_driver_named(program->device);
}
