/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - parses a command's options by a table.
 *
 *	struct ft_field options[] = {
 *		{'b', "budget", FT_FIELD_DURATION, &budget_s, "T", "seconds of runs to spend"},
 *		CLI_ANSWER_OPTIONS(json, store_path),
 *		{0},
 *	};
 *	status = cli_options_parse(command, options, argc, argv, &words);
 *	if (status != CLI_GO)
 *		return status;
 *
 * Of a command that has several actions the first word is one of them, and only options that it takes are let
 * through:
 *
 *	return words.action->act(&asked);
 *
 * Both `--name value` and `--name=value` are read; options may stand before, between and after words; `--`
 * ends them. A row with `of` is a key: --solver nmf,rank=3 reads the rows "solver" and "rank". */
#ifndef FT_CLI_OPTIONS_H
#define FT_CLI_OPTIONS_H

#include "base/field.h"
#include "cli/cli.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows name what they have, in order; ranges and words, which few have, are left out. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Rows that the tables of several commands have. */
/* clang-format off */
#define CLI_QUESTION(question, query) \
	{.name = "question", .kind = FT_FIELD_ROWS, .where = &(query), .rows = (question).fields}
#define CLI_QUESTION_REST(question, query) \
	{.name = "question", .kind = FT_FIELD_REST, .where = &(query), .rows = (question).fields}
#define CLI_GROUP(title) \
	{0, "", FT_FIELD_HEADING, NULL, NULL, title}
#define CLI_STORE_OPTION(path) \
	{0, "store", FT_FIELD_TEXT, &(path), "PATH", "the store; default $FORETIME_STORE"}
/* Output forms of a command with more than one; each but text is also a FLAG of the table. */
#define CLI_FORMAT(forms, about) \
	{0, "format", FT_FIELD_TEXT, NULL, "F", about, .words = (forms)}
#define CLI_JSON_OPTIONS(json) \
	CLI_FORMAT("text|json", "text (default) or json"), \
	{0, "json", FT_FIELD_FLAG, &(json), NULL, "print one JSON object"}
#define CLI_ANSWER_OPTIONS(json, path) \
	CLI_JSON_OPTIONS(json), CLI_STORE_OPTION(path)
#define CLI_MACHINE_OPTION(machine) \
	{0, "machine", FT_FIELD_TEXT, &(machine), "M", \
	 "host name or fingerprint of the machine measured; default: this one"}
#define CLI_DEVICE_OPTION(device) \
	{0, "device", FT_FIELD_TEXT, &(device), "D", "which of the devices of NAME; default: its only one"}
#define CLI_QUIET_OPTION(quiet) \
	{'q', "quiet", FT_FIELD_FLAG, &(quiet), NULL, "no progress, also on a terminal"}
#define CLI_DARK_OPTION(dark) \
	{0, "dark", FT_FIELD_FLAG, &(dark), NULL, "colours of the picture for a dark page"}
#define CLI_VERBOSE(verbose) \
	{'v', "verbose", FT_FIELD_FLAG, &(verbose), NULL, "print all details"}
/* clang-format on */

enum { CLI_GIVEN_MAX = 128 };

/* The words that are no options, and the options that were given; borrowed from argv. */
struct cli_words {
	char **word; /* [n] before `--`, in order; then NULL */
	size_t n;
	char **rest; /* [n_rest] behind `--` */
	size_t n_rest;
	int separated; /* there was a `--` */
	const struct cli_command *command;
	const struct cli_action *action; /* named by word[0]; NULL: the command has no actions */
	struct {
		const char *name, *value; /* of an option, as typed; value NULL: of a flag */
	} given[CLI_GIVEN_MAX];           /* [n_given] in their order */
	size_t n_given;
};

enum { CLI_GO = -1 };

/* cli_options_parse - parse argv, and move its words to the front.
 *
 * words  out
 *
 * Returns CLI_GO; or the exit status, after --help or a complaint. */
int cli_options_parse(const struct cli_command *command, const struct ft_field *options, int argc,
		      char **argv, struct cli_words *words);

/* cli_options_parse_leading - the same of a command that stands before another one, as env and time do:
 * without
 * `--` its words begin with the first that is neither an option nor NAME=VALUE. */
int cli_options_parse_leading(const struct cli_command *command, const struct ft_field *options, int argc,
			      char **argv, struct cli_words *words);

/* cli_word_missing - "missing NAME; usage: foretime predict NAME n=SIZE": the i-th word that the usage of the
 * command or action requires. Returns CLI_WRONG. */
int cli_word_missing(const struct cli_words *words, size_t i);

/* cli_defaults_end - clear the defaults in the environment of commands that this process starts, since it
   parses their output. */
void cli_defaults_end(void);

/* cli_nearest - the candidate that a word is most likely a slip of (ft_word_mistaken); NULL: of none. */
const char *cli_nearest(const char *word, const char *(*get)(const void *ctx, size_t i), const void *ctx);

/*
 * The actions of a command, for the parser of options.
 */

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

/*
 * Print the completions at the cursor of a shell: a line a word, with a tab and its description;
 * share/completion passes the lines to bash, zsh and fish. A line that begins with a colon is left to the
 * shell: :files, :commands; and :open, for no blank afterwards.
 */

/* The internal option by which cli_complete queries a command for its options. */
#define CLI_COMPLETE_OPTION "complete-options"

/* cli_complete - word[0..n): what stands behind "foretime", up to and with the word at the cursor. Prints on
 * standard output; returns the exit status. */
int cli_complete(int n, char **word);

/* cli_complete_option - by the table of a command, print the completions of word[n - 1]: values behind an
 * option that takes one; else, if it begins like an option, the options that no other word excludes. n: 2
 * or more. action: NULL, all of them. Returns CLI_DONE; CLI_NO: it is a word of the command. */
int cli_complete_option(const struct cli_command *command, const struct ft_field *options,
			const struct cli_action *action, int n, char **word);

#endif
