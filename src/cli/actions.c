/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actions.c - finds the action of a command in its first words, and checks that it takes the options
   given. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"

#include <stdbool.h>
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
	char list[CLI_LIST_MAX];

	for (words->action = command->actions; words->n && words->action->name; words->action++)
		if (!strcmp(words->action->name, words->word[0]))
			return CLI_GO;
	cli_actions_list(command, NULL, true, " or ", list);
	if (!words->n)
		return cli_fail("'%s' needs a subcommand: %s\n"
				"hint: foretime %s --help explains them",
				command->name, list, command->name);
	(void)cli_fail("'%s' has no subcommand '%s'", command->name, words->word[0]);
	const char *nearest = cli_nearest(words->word[0], action_name, command->actions);
	if (nearest)
		cli_hint("the nearest is foretime %s %s", command->name, nearest);
	else
		cli_hint("there are %s", list);
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
	if (words->n - 1 < action->least)
		return cli_word_missing(words, words->n - 1);
	return words->n > 1 && !strncmp(action->usage, "NAME", 4) && strchr(words->word[1], '=')
		       ? cli_word_missing(words, 0)
		       : CLI_GO;
}

const char *cli_nearest(const char *word, const char *(*get)(const void *ctx, size_t i), const void *ctx)
{
	const char *candidate, *nearest = NULL;
	size_t best = SIZE_MAX;

	for (size_t i = 0; (candidate = get(ctx, i)); i++) {
		size_t distance = ft_word_mistaken(word, candidate);

		if (distance < best) {
			best = distance;
			nearest = candidate;
		}
	}
	return nearest;
}

int cli_word_missing(const struct cli_words *words, size_t i)
{
	const struct cli_command *command = words->command;
	const char *usage = words->action ? words->action->usage : command->usage, *at = usage;
	size_t length = 0;

	for (int depth = 0; *at && *at != '\n'; at += length + strspn(at + length, " ")) {
		bool required = !depth && *at != '[' && *at != '(';

		length = strcspn(at, " \n");
		for (size_t k = 0; k < length; k++)
			depth += at[k] == '[' || at[k] == '(' ? 1 : at[k] == ']' || at[k] == ')' ? -1 : 0;
		if (required && !i--)
			break;
	}
	if (length > 3 && !strncmp(at + length - 3, "...", 3))
		length -= 3;
	(void)cli_fail("missing %.*s; usage: foretime %s%s%s %.*s", (int)length, at, command->name,
		       words->action ? " " : "", words->action ? words->action->name : "",
		       (int)strcspn(usage, "\n"), usage);
	if (length == 4 && !strncmp(at, "NAME", 4))
		cli_hint("foretime list shows the names");
	return CLI_WRONG;
}
