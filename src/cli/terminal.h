/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - the edge at which all is printed: what strangers wrote (hosts, cells, messages of programs,
 * stores) cannot steer a terminal. */
#ifndef FT_CLI_TERMINAL_H
#define FT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* cli_terminal_guard - from now on both streams show characters that would steer a terminal by their numbers
 * (ft_character_show), and a line that is wider than the terminal goes on below, between two words. */
void cli_terminal_guard(void);

/* cli_terminal_data - whether what is printed to standard output from now on is a file of others: it stays as
 * it is, unless a person looks at it. cli_terminal_whole: its lines do, also on a terminal (JSON, CSV). */
void cli_terminal_data(bool data);
void cli_terminal_whole(bool whole);

/* cli_terminal_width - columns of the terminal that standard output or error is; 80 where it is none. */
size_t cli_terminal_width(const FILE *file);

/* Words of --color, in this order. */
#define CLI_COLORS "auto|always|never"
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
extern enum cli_color cli_color;

/* cli_terminal_paint - how text of standard output looks from now on. Nothing happens where colours are not
 * wanted; by default that is on no terminal, on a dumb one, and with NO_COLOR. */
enum cli_paint { CLI_PLAIN, CLI_BOLD, CLI_RED };
void cli_terminal_paint(enum cli_paint paint);

/* cli_terminal_failure - the errno for which standard output could first not be written; 0: it could. */
int cli_terminal_failure(void);

/* cli_terminal_again - what is printed to standard error from now on takes the place of the present line. */
void cli_terminal_again(void);

#endif
