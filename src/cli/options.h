/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - a command's options, as a table.
 *
 *	struct cli_option options[] = {
 *		{0, "budget", CLI_DURATION, &budget_s, "T", "seconds of runs to spend"},
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
 * ends them.
 */
#ifndef FT_CLI_OPTIONS_H
#define FT_CLI_OPTIONS_H

#include "cli/command.h"

#include <stddef.h>

enum cli_kind {
	CLI_FLAG,     /* bool */
	CLI_TEXT,     /* const char *: the word itself, borrowed from argv */
	CLI_TEXTS,    /* struct cli_texts: the words, when it may be given several times */
	CLI_NUMBER,   /* double */
	CLI_DURATION, /* double, seconds */
	CLI_BYTES,    /* double */
	CLI_SHARE,    /* double, within 0 .. 1, both excluded */
	CLI_PART,     /* double, within 0 .. 1, both included */
	CLI_COUNT,    /* size_t */
	CLI_COUNTS,   /* struct cli_counts */
};

/* "2:10" or "2:10:30s" */
struct cli_counts {
	size_t least, most;
	double limit_s; /* 0: not stated */
};

enum { CLI_TEXTS_MAX = 16 };

/* Borrowed from argv. */
struct cli_texts {
	const char *text[CLI_TEXTS_MAX];
	size_t n;
};

/* A row; the last one has no name. */
struct cli_option {
	char letter; /* of the short form; 0: none */
	const char *name;
	enum cli_kind kind;
	void *where;          /* of the kind's type; keeps its value when the option is not given */
	const char *argument; /* as --help calls it; NULL for a flag */
	const char *help;
};

/* Rows that the tables of several commands have. */
/* clang-format off */
#define CLI_STORE_OPTION(path) \
	{0, "store", CLI_TEXT, &(path), "PATH", "the store; default $FORETIME_STORE"}
#define CLI_ANSWER_OPTIONS(json, path) \
	{0, "json", CLI_FLAG, &(json), NULL, "print one JSON object"}, \
	CLI_STORE_OPTION(path)
#define CLI_MACHINE_OPTION(machine) \
	{0, "machine", CLI_TEXT, &(machine), "M", \
	 "host name or fingerprint of the machine measured; default: this one"}
#define CLI_DEVICE_OPTION(device) \
	{0, "device", CLI_TEXT, &(device), "D", "which of the devices of NAME; default: its only one"}
#define CLI_QUIET_OPTION(quiet) \
	{'q', "quiet", CLI_FLAG, &(quiet), NULL, "no progress, also on a terminal"}
/* clang-format on */

/* What is no option; borrowed from argv. */
struct cli_words {
	char **word; /* [n] before `--`, in order; then NULL */
	size_t n;
	char **rest; /* [n_rest] behind `--` */
	size_t n_rest;
	int separated;                   /* there was a `--` */
	const struct cli_action *action; /* that word[0] names; NULL: the command has none */
};

enum { CLI_GO = -1 };

/* cli_options_parse - read argv, whose words are put in front.
 *
 * words  out
 *
 * Returns CLI_GO; or the exit status, when --help was printed or a complaint was.
 */
int cli_options_parse(const struct cli_command *command, const struct cli_option *options, int argc,
		      char **argv, struct cli_words *words);

/* cli_options_parse_leading - the same of a command that stands before another one, as env and time do:
 * without
 * `--` its words begin with the first that is neither an option nor NAME=VALUE. */
int cli_options_parse_leading(const struct cli_command *command, const struct cli_option *options, int argc,
			      char **argv, struct cli_words *words);

/* cli_nearest - the candidate that a word is most likely a slip of (ft_word_mistaken); NULL: of none. */
const char *cli_nearest(const char *word, const char *(*get)(const void *ctx, size_t i), const void *ctx);

#endif
