/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actions.h - the actions of a command, for the reader of options. */
#ifndef FT_CLI_ACTIONS_H
#define FT_CLI_ACTIONS_H

#include "cli/options.h"

#include <stdbool.h>

enum { CLI_LIST_MAX = 256 };

/* cli_action_takes - whether it has a use for the option of that name. */
bool cli_action_takes(const struct cli_action *action, const char *option);

/* cli_actions_count - how many take an option; NULL: all of them. */
size_t cli_actions_count(const struct cli_command *command, const char *option);

/* cli_actions_list - "fit, share or plot": the actions that take an option (taking), or do not; NULL: all of
 * them. last: what stands before the last one. */
void cli_actions_list(const struct cli_command *command, const char *option, bool taking, const char *last,
		      char text[CLI_LIST_MAX]);

/* cli_action_find - set words->action to that of the first word. Returns CLI_GO, or CLI_WRONG after a
 * complaint; so do those below. */
int cli_action_find(const struct cli_command *command, struct cli_words *words);

/* cli_action_check_given - no option that was given is one that the action has no use for: something else was
 * meant then. */
int cli_action_check_given(const struct cli_command *command, const struct cli_words *words);

/* cli_action_check_words - there are as many words as it takes. */
int cli_action_check_words(const struct cli_command *command, const struct cli_words *words);

#endif
