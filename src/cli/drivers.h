/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drivers.h - what drives the devices of this machine, looked up once and only where somebody asks. */
#ifndef FT_CLI_DRIVERS_H
#define FT_CLI_DRIVERS_H

#include "foretime/facts.h"

/* cli_driver_named - of what `foretime device list` lists under that word, an id or a kind ("gpu"). Ends with
 * free; NULL: it lists none, or none that has a driver. */
char *cli_driver_named(const char *device);

/* cli_driver_now - as ft_rank_options takes it. */
char *cli_driver_now(void *ctx, const struct ft_program *program);

#endif
