/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.h - the command itself, in foretime-service. */
#ifndef FT_CLI_SERVE_SERVE_H
#define FT_CLI_SERVE_SERVE_H

#include "cli/command.h"

extern const struct cli_command cli_serve_page;

#endif
