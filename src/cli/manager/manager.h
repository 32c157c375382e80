/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - the command itself, in foretime-service. */
#ifndef FT_CLI_MANAGER_MANAGER_H
#define FT_CLI_MANAGER_MANAGER_H

#include "cli/command.h"

extern const struct cli_command cli_manager_serve;

#endif
