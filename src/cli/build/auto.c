/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto.c - n=64:auto: the upper end of a range is found, from the memory that runs need. */
#include "cli/build/auto.h"
#include "cli/build/build.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "foretime/units.h"

#include <stdlib.h>
#include <string.h>

/* Of the memory that is there: the rest is for what else starts meanwhile, and for the law's error. */
static const double memory_share = 0.8;

/* Runs longer than this are worth a word where no budget is set. */
static const double long_s = 60;

/* ":auto" as the second number of a range; NULL: the word has none (a list has no end to be found). */
static const char *find_auto(const char *word)
{
	const char *equals = strchr(word, '='), *colon = equals ? strchr(equals, ':') : NULL;

	if (!colon || memchr(equals, ',', (size_t)(colon - equals)) || strncmp(colon, ":auto", 5) != 0 ||
	    (colon[5] && colon[5] != ':'))
		return NULL;
	return colon;
}

int cli_auto_read(struct cli_auto *automatic, const struct cli_words *words, size_t first)
{
	for (size_t i = first; i < words->n; i++) {
		const char *word = words->word[i], *colon = find_auto(word), *equals = strchr(word, '=');
		int least = colon ? (int)(colon - equals - 1) : 0;

		if (!colon)
			continue;
		if (automatic->word)
			return cli_fail("only one range can be automatic: '%s' is the second", word);
		(void)snprintf(automatic->name, sizeof automatic->name, "%.*s", (int)(equals - word), word);
		automatic->word =
			cli_printed("%.*s:%.*s%s", (int)(colon - word), word, least, equals + 1, colon + 5);
		words->word[i] = automatic->word;
	}
	return CLI_DONE;
}

void cli_auto_clear(struct cli_auto *automatic)
{
	free(automatic->word);
	*automatic = (struct cli_auto){0};
}

/* What the largest size will take, where that is long. */
static void warn_long(const struct cli_build *build)
{
	const struct ft_reach *reach = &build->automatic.reach;
	double most = build->options.budget_s > 0 ? build->options.budget_s : long_s;
	char seconds[FT_UNIT_LENGTH], at[FT_NUMBER_LENGTH];

	if (!(reach->seconds > most))
		return;
	cli_note("a run at %s=%s, the largest that fits memory, is expected to take %s; give %s if that is "
		 "too long",
		 build->automatic.name, ft_number_format(reach->most, at),
		 ft_value_format(reach->seconds, "s", seconds),
		 build->options.budget_s > 0 ? "an upper end in place of auto"
					     : "--budget, or an upper end,");
}

int cli_auto_find(struct cli_build *build)
{
	struct cli_auto *automatic = &build->automatic;
	struct ft_program *program = &build->program;
	int varying = ft_program_find_param(program, automatic->name);
	struct ft_err err = {0};

	if (varying < 0) /* cannot be: the word was read */
		return cli_fail("there is no parameter '%s'", automatic->name);
	if (ft_memory_limit_bytes("", &automatic->memory_bytes, &automatic->why, &err))
		return cli_error(&err);
	enum ft_status status = ft_sweep_reach(
		build->store, program, (size_t)varying, &build->machine, build->source, &build->options,
		memory_share * automatic->memory_bytes, &automatic->reach, &err);
	if (build->terminal)
		cli_terminal_again();
	if (status)
		return cli_error(&err);
	program->param[varying].most = automatic->reach.most;
	build->options.memory_bytes = automatic->reach.limit_bytes;
	warn_long(build);
	return CLI_DONE;
}

void cli_auto_print(const struct cli_build *build)
{
	const struct cli_auto *automatic = &build->automatic;
	const struct ft_reach *reach = &automatic->reach;
	char most[FT_NUMBER_LENGTH], at[FT_NUMBER_LENGTH], need[FT_UNIT_LENGTH], limit[FT_UNIT_LENGTH],
		memory[FT_UNIT_LENGTH];

	if (!automatic->word)
		return;
	printf("%s: up to %s, ", automatic->name, ft_number_format(reach->most, most));
	if (reach->bound == FT_REACH_WHERE)
		printf("for no larger one meets %s", build->program.where);
	else if (reach->bound == FT_REACH_MEMORY)
		printf("where a run is expected to need %s",
		       ft_value_format(reach->need_bytes, "bytes", need));
	else
		printf("for a run at %s %s", ft_number_format(reach->bound_at, at),
		       reach->bound == FT_REACH_KILLED ? "was killed for memory" : "failed");
	printf(" (limit %s, %.0f %% of %s: %s)\n\n", ft_value_format(reach->limit_bytes, "bytes", limit),
	       100 * memory_share, ft_value_format(automatic->memory_bytes, "bytes", memory), automatic->why);
}
