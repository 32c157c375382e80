/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - what machines are made of, and how they compare. */
#include "cli/machine.h"
#include "cli/common.h"

#include <string.h>

static const struct action {
	const char *name;
	size_t least, most; /* words behind it */
	int (*act)(const struct cli_machine *asked);
} actions[] = {
	{"calibrate", 0, 0, cli_machine_calibrate}, {"list", 0, 0, cli_machine_list},
	{"show", 0, 1, cli_machine_show},           {"compare", 1, 2, cli_machine_compare},
	{"export", 0, 1, cli_machine_export},       {"import", 1, 1, cli_machine_import},
	{"forget", 0, 1, cli_machine_forget},
};

#define ACTIONS "foretime machine calibrate, list, show, compare, export, import or forget"

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const char *action_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < N_ACTIONS ? actions[i].name : NULL;
}

static int check_words(const struct action *action, const struct cli_machine *asked)
{
	if (asked->words > action->most)
		return cli_fail("'machine %s' takes no '%s'", action->name, asked->word[action->most]);
	if (asked->words >= action->least)
		return CLI_DONE;
	if (action->act == cli_machine_import) {
		(void)cli_fail("which file?");
		cli_hint("write foretime machine import FILE.csv");
	} else {
		(void)cli_fail("compare with which machine?");
		cli_hint("name one or two; foretime machine list shows what there is");
	}
	return CLI_WRONG;
}

static int act(struct cli_machine *asked, const struct cli_words *words)
{
	const char *nearest;
	size_t i;
	int status;

	if (!words->n) {
		(void)cli_fail("what about machines?");
		cli_hint(ACTIONS);
		return CLI_WRONG;
	}
	asked->word = words->word + 1;
	asked->words = words->n - 1;
	for (i = 0; i < N_ACTIONS; i++)
		if (!strcmp(actions[i].name, words->word[0])) {
			status = check_words(&actions[i], asked);
			return status == CLI_DONE ? actions[i].act(asked) : status;
		}
	(void)cli_fail("'machine' knows no '%s'", words->word[0]);
	nearest = cli_nearest(words->word[0], action_name, NULL);
	if (nearest)
		cli_hint("the nearest is foretime machine %s", nearest);
	else
		cli_hint(ACTIONS);
	return CLI_WRONG;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_machine asked = {0};
	const struct cli_option options[] = {
		{0, "quick", CLI_FLAG, &asked.quick, NULL,
		 "calibrate: some two seconds in place of ten, and less exact"},
		{0, "calibration", CLI_TEXT, &asked.calibration, "TIME",
		 "show, compare (of the first), export, forget: that which began then, or all; default: the "
		 "newest"},
		{'o', "output", CLI_TEXT, &asked.output, "FILE",
		 "export: the file; default: standard output"},
		CLI_ANSWER_OPTIONS(asked.json, asked.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = act(&asked, &words);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_machine = {
	"machine",
	"measure what machines are made of, and compare them",
	"calibrate [--quick]\n"
	"list\n"
	"show [MACHINE]\n"
	"compare MACHINE [MACHINE]\n"
	"export [MACHINE] [-o FILE.csv]\n"
	"import FILE.csv\n"
	"forget [MACHINE] --calibration TIME|all",
	"MACHINE is a host name, or a fingerprint or its beginning; without one, this machine.\n"
	"A machine's row is the programs calibration/NAME in the store: foretime surrogate takes them as "
	"they "
	"are.\n",
	run,
};
