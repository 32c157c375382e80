/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.h - `foretime serve`, in foretime-service. */
#ifndef FT_CLI_SERVE_SERVE_H
#define FT_CLI_SERVE_SERVE_H

#include "cli/cli.h"
#include "manager/config.h"
#include "web/web.h"

#include <stdbool.h>

/*
 * Foretime serve without a manager: the page.
 */

struct ft_answer_day;

extern const struct cli_command cli_service;

#endif
