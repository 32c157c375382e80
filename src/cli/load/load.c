/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - the load of others on this machine: recorded, shown, drawn, judged. */
#include "cli/load/load.h"
#include "cli/common.h"
#include "cli/options.h"

/* What says which observations, and which averages of them. */
#define OBSERVED "every since window niced file cpus store"

static const struct cli_action actions[] = {
	{"record", "observe background load", "[--every 10s] [--timeout 1h] [OPTION...]",
	 "every timeout expires quiet store", 0, 0, cli_load_record},
	{"import", "take in what another monitor observed on this machine", "FILE.csv [OPTION...]",
	 "cpus store format json", 1, 1, cli_load_import},
	{"show", "print it, and what it does to a run", "[FILE.csv] [OPTION...]",
	 OBSERVED " threads format json", 0, 1, cli_load_show},
	{"plot", "draw it", "[FILE.csv] [-o FILE.svg|FILE.png] [OPTION...]", OBSERVED " output", 0, 1,
	 cli_load_plot},
	{"judge", "score its load functions", "[FILE.csv] [OPTION...]", OBSERVED " format json", 0, 1,
	 cli_load_judge},
	{0},
};

static int run_load(const struct cli_command *command, int argc, char **argv)
{
	struct cli_load l = {.share = 1, .threads = 1};
	const struct ft_field options[] = {
		{0, "every", FT_FIELD_DURATION, &l.interval_s, "T",
		 "time between two observations; default 10s, of a file: its own"},
		{'t', "timeout", FT_FIELD_DURATION, &l.for_s, "T", "end after T; default: until interrupted"},
		{0, "expires", FT_FIELD_DURATION, &l.keep_s, "T", "remove older observations; default 30d"},
		{0, "since", FT_FIELD_DURATION, &l.history_s, "T", "how far to look back; default 1d"},
		{0, "window", FT_FIELD_DURATION, &l.window_s, "T", "longest averages; default 1h"},
		{0, "share", FT_FIELD_SHARE, &l.share, "SHARE",
		 "share of the averages between least and largest; default: all", .of = "window"},
		{0, "width", FT_FIELD_SHARE, &l.width, "SHARE",
		 "distance of the two to look for, as a share of the processors", .of = "window"},
		{0, "threads", FT_FIELD_NUMBER, &l.threads, "K",
		 "processors that the run keeps busy; default 1"},
		{0, "niced", FT_FIELD_FLAG, &l.niced, NULL, "the run takes only what other processes leave"},
		{0, "file", FT_FIELD_TEXT, &l.file, "FILE.csv", NULL},
		{0, "cpus", FT_FIELD_COUNT, &l.processors, "N",
		 "processors of the file's machine; default: its note, else 1; import: this machine's"},
		{'o', "output", FT_FIELD_TEXT, &l.output, "FILE",
		 "picture, .svg or .png; default: characters"},
		CLI_QUIET_OPTION(l.quiet),
		CLI_ANSWER_OPTIONS(l.json, l.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	l.path = words.n > 1 ? words.word[1] : NULL;
	l.file = l.path ? l.path : l.file;
	if (l.threads > 0)
		status = words.action->act(&l);
	else
		status = cli_fail("a run has more than %g threads", l.threads);
	cli_load_close(&l);
	return status;
}

const struct cli_command cli_load = {
	"machine load",
	"record background load, and show what it does to a run",
	NULL,
	"Load is the number of processors that other processes want: those that they keep busy, and one for "
	"each task that waits.\n"
	"foretime build records it while it measures; predict --load usual and the cuts of --method gbbp use "
	"it.\n",
	actions,
	run_load,
};
