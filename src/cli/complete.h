/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h - what may stand at the cursor of a shell: a line a word, a tab and what it is; share/completion
 * hands the lines to bash, zsh and fish. A line that begins with a colon says what the shell knows better:
 * :files, :commands; and :open, that no blank is to follow. */
#ifndef FT_CLI_COMPLETE_H
#define FT_CLI_COMPLETE_H

#include "cli/options.h"

/* The option by which cli_complete asks a command for the words of its options; nobody types it. */
#define CLI_COMPLETE_OPTION "complete-options"

/* cli_complete - word[0..n): what stands behind "foretime", up to and with the word at the cursor. Prints on
 * standard output; returns the exit status. */
int cli_complete(int n, char **word);

/* cli_complete_option - from the table of a command: what may stand at the cursor, word[n - 1]. Behind an
 * option that takes a value: such values; else the options, where one begins there, without those that
 * another word excludes. n: 2 or more. action: NULL, all of them. Returns CLI_DONE; CLI_NO: it is a word of
 * the command. */
int cli_complete_option(const struct cli_command *command, const struct ft_field *options,
			const struct cli_action *action, int n, char **word);

#endif
