/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - the load of others on this machine: recorded, shown, drawn, judged. */
#include "cli/load.h"
#include "cli/common.h"
#include "cli/options.h"

#include <string.h>

static const struct action {
	const char *name;
	int (*act)(struct cli_load *load);
} actions[] = {
	{"record", cli_load_record},
	{"show", cli_load_show},
	{"plot", cli_load_plot},
	{"judge", cli_load_judge},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const char *action_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < N_ACTIONS ? actions[i].name : NULL;
}

static int act(struct cli_load *load, const struct cli_words *words)
{
	const char *nearest;
	size_t i;

	if (!words->n) {
		(void)cli_fail("what about the load?");
		cli_hint("foretime load record, show, plot or judge");
		return CLI_WRONG;
	}
	if (words->n > 1)
		return cli_fail("'load %s' takes no '%s'", words->word[0], words->word[1]);
	for (i = 0; i < N_ACTIONS; i++)
		if (!strcmp(actions[i].name, words->word[0]))
			return actions[i].act(load);
	(void)cli_fail("'load' knows no '%s'", words->word[0]);
	nearest = cli_nearest(words->word[0], action_name, NULL);
	if (nearest)
		cli_hint("the nearest is foretime load %s", nearest);
	else
		cli_hint("foretime load record, show, plot or judge");
	return CLI_WRONG;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_load l = {.share = 1, .threads = 1};
	const struct cli_option options[] = {
		{0, "interval", CLI_DURATION, &l.interval_s, "T",
		 "between two observations; default 10s, of a file: its own"},
		{0, "for", CLI_DURATION, &l.for_s, "T", "record: for so long; default: until interrupted"},
		{0, "keep", CLI_DURATION, &l.keep_s, "T", "record: remove older observations; default 30d"},
		{0, "history", CLI_DURATION, &l.history_s, "T", "how much of what was observed; default 1d"},
		{0, "window", CLI_DURATION, &l.window_s, "T", "averages over at most so long; default 1h"},
		{0, "share", CLI_SHARE, &l.share, "SHARE",
		 "of the averages that lie between least and largest; default: all"},
		{0, "width", CLI_SHARE, &l.width, "SHARE",
		 "show: from where on the two are so near, as a share of the processors"},
		{0, "threads", CLI_NUMBER, &l.threads, "K", "show: of the run; default 1"},
		{0, "niced", CLI_FLAG, &l.niced, NULL, "show: the run takes only what others leave"},
		{0, "file", CLI_TEXT, &l.file, "FILE.csv", "loads from a table: columns time, load"},
		{0, "processors", CLI_COUNT, &l.processors, "N",
		 "of the file's machine; default: its note, else 1"},
		{'o', "output", CLI_TEXT, &l.output, "FILE",
		 "plot: a picture, .svg or .png; default: characters"},
		{'q', "quiet", CLI_FLAG, &l.quiet, NULL, "record: no progress, also on a terminal"},
		{0, "json", CLI_FLAG, &l.json, NULL, "show, judge: print one JSON object"},
		CLI_STORE_OPTION(l.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (l.threads > 0)
		status = act(&l, &words);
	else
		status = cli_fail("a run has more than %g threads", l.threads);
	cli_load_close(&l);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_load = {
	"load",
	"record the load of others, and say what it does to a run",
	"record [--interval 10s] [--for 1h] [OPTION...]\nshow [OPTION...]\nplot [-o FILE.svg|FILE.png] "
	"[OPTION...]\njudge [OPTION...]",
	"Load is what other processes keep busy, in processors. foretime build records it while it measures; "
	"predict\n"
	"--load usual and the cuts of --method gbbp use it.\n",
	run,
};
