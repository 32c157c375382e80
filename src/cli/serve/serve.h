/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.h - the command itself, in foretime-service. */
#ifndef FT_CLI_SERVE_SERVE_H
#define FT_CLI_SERVE_SERVE_H

#include "cli/command.h"
#include "manager/config.h"

#include <stdbool.h>

struct ft_told_day;

extern const struct cli_command cli_service;

/* cli_manager_explain - windows of the next day, order, and what cannot run (exit status 1 where something
 * cannot). user: whom benchmarks run as; (uid_t)-1: nobody else. */
int cli_manager_explain(const struct ft_manager_config *config, uid_t user, bool json);

/* cli_manager_root - FT_EACCESS: benchmarks would run as root. */
enum ft_status cli_manager_root(uid_t user, struct ft_err *err);

/* cli_manager_stop - a problem of the manager that runs is held, or goes on. socket_path NULL: that of this
 * user. */
int cli_manager_stop(const char *socket_path, const char *name, bool stop);

/* cli_manager_now - what holds benchmarks back at this moment; waits for half a second where load is asked
 * for. told: `now` is filled; heap, as is each why. */
int cli_manager_now(const struct ft_manager_config *config, struct ft_told_day *told);

#endif
