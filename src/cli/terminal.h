/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - the edge at which all is printed: what strangers wrote (hosts, cells, messages of programs,
 * stores) cannot steer a terminal. */
#ifndef FT_CLI_TERMINAL_H
#define FT_CLI_TERMINAL_H

#include <stdbool.h>

/* cli_terminal_guard - from now on both streams show characters that would steer a terminal by their numbers
 * (ft_character_show). */
void cli_terminal_guard(void);

/* cli_terminal_data - whether what is printed to standard output from now on is a file of others: it stays as
 * it is, unless a person looks at it. */
void cli_terminal_data(bool data);

/* cli_terminal_failure - the errno for which standard output could first not be written; 0: it could. */
int cli_terminal_failure(void);

/* cli_terminal_again - what is printed to standard error from now on takes the place of the present line. */
void cli_terminal_again(void);

#endif
