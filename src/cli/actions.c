/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actions.c - which of its actions a command was asked for, and whether that one takes what was given. */
#include "cli/actions.h"
#include "base/word.h"
#include "cli/common.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool cli_action_takes(const struct cli_action *action, const char *option)
{
	return ft_word_at(action->takes, option) != SIZE_MAX;
}

size_t cli_actions_count(const struct cli_command *command, const char *option)
{
	size_t n = 0;

	for (const struct cli_action *action = command->actions; action->name; action++)
		n += !option || cli_action_takes(action, option);
	return n;
}

void cli_actions_list(const struct cli_command *command, const char *option, bool taking, const char *last,
		      char text[CLI_LIST_MAX])
{
	const struct cli_action *next;
	size_t at = 0;

	*text = '\0';
	for (const struct cli_action *action = command->actions; action->name; action = next) {
		for (next = action + 1; next->name && option && cli_action_takes(next, option) != taking;)
			next++;
		if (option && cli_action_takes(action, option) != taking)
			continue;
		(void)snprintf(text + at, CLI_LIST_MAX - at, "%s%s",
			       !at          ? ""
			       : next->name ? ", "
					    : last,
			       action->name);
		at += strlen(text + at);
	}
}

static const char *action_name(const void *ctx, size_t i)
{
	const struct cli_action *actions = ctx;

	return actions[i].name;
}

int cli_action_find(const struct cli_command *command, struct cli_words *words)
{
	const char *nearest = NULL;
	char list[CLI_LIST_MAX];

	if (words->n) {
		for (words->action = command->actions; words->action->name; words->action++)
			if (!strcmp(words->action->name, words->word[0]))
				return CLI_GO;
		(void)cli_fail("'%s' knows no '%s'", command->name, words->word[0]);
		nearest = cli_nearest(words->word[0], action_name, command->actions);
	} else {
		(void)cli_fail("what shall '%s' do?", command->name);
	}
	cli_actions_list(command, NULL, true, " or ", list);
	if (nearest)
		cli_hint("the nearest is foretime %s %s", command->name, nearest);
	else
		cli_hint("foretime %s %s", command->name, list);
	return CLI_WRONG;
}

int cli_action_check_given(const struct cli_command *command, const struct cli_words *words)
{
	const struct cli_action *action = words->action;
	char list[CLI_LIST_MAX];

	for (size_t i = 0; i < words->n_given; i++) {
		const char *name = words->given[i].name;

		if (cli_action_takes(action, name))
			continue;
		(void)cli_fail("'%s %s' has no use for --%s", command->name, action->name, name);
		cli_actions_list(command, name, true, " and ", list);
		cli_hint("it is of foretime %s %s", command->name, list);
		return CLI_WRONG;
	}
	return CLI_GO;
}

int cli_action_check_words(const struct cli_command *command, const struct cli_words *words)
{
	const struct cli_action *action = words->action;

	if (words->separated && !cli_action_takes(action, "--"))
		return cli_fail("'%s %s' takes nothing behind --", command->name, action->name);
	if (words->n - 1 > action->most)
		return cli_fail("'%s %s' takes no '%s'", command->name, action->name,
				words->word[action->most + 1]);
	if (words->n - 1 >= action->least)
		return CLI_GO;
	return cli_fail("'%s %s' needs to know more\n"
			"hint: foretime %s %s %s",
			command->name, action->name, command->name, action->name, action->usage);
}
