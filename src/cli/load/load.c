/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - the load of others on this machine: recorded, shown, drawn, judged. */
#include "cli/load/load.h"
#include "cli/common.h"
#include "cli/options.h"

/* What says which observations, and which averages of them. */
#define OBSERVED "interval history window share niced file processors store"

static const struct cli_action actions[] = {
	{"record", "observe the load of others", "[--interval 10s] [--for 1h] [OPTION...]",
	 "interval for keep quiet store", 0, 0, cli_load_record},
	{"import", "take in what another monitor observed on this machine", "FILE.csv [OPTION...]",
	 "processors store json", 1, 1, cli_load_import},
	{"show", "say what it was, and what it does to a run", "[OPTION...]", OBSERVED " width threads json",
	 0, 0, cli_load_show},
	{"plot", "draw it", "[-o FILE.svg|FILE.png] [OPTION...]", OBSERVED " output", 0, 0, cli_load_plot},
	{"judge", "say how good its functions would have been", "[OPTION...]", OBSERVED " json", 0, 0,
	 cli_load_judge},
	{0},
};

static int run_load(const struct cli_command *command, int argc, char **argv)
{
	struct cli_load l = {.share = 1, .threads = 1};
	const struct ft_field options[] = {
		{0, "interval", FT_FIELD_DURATION, &l.interval_s, "T",
		 "between two observations; default 10s, of a file: its own"},
		{0, "for", FT_FIELD_DURATION, &l.for_s, "T", "for so long; default: until interrupted"},
		{0, "keep", FT_FIELD_DURATION, &l.keep_s, "T", "remove older observations; default 30d"},
		{0, "history", FT_FIELD_DURATION, &l.history_s, "T",
		 "how much of what was observed; default 1d"},
		{0, "window", FT_FIELD_DURATION, &l.window_s, "T",
		 "averages over at most so long; default 1h"},
		{0, "share", FT_FIELD_SHARE, &l.share, "SHARE",
		 "of the averages that lie between least and largest; default: all"},
		{0, "width", FT_FIELD_SHARE, &l.width, "SHARE",
		 "from where on the two are so near, as a share of the processors"},
		{0, "threads", FT_FIELD_NUMBER, &l.threads, "K", "of the run; default 1"},
		{0, "niced", FT_FIELD_FLAG, &l.niced, NULL, "the run takes only what others leave"},
		{0, "file", FT_FIELD_TEXT, &l.file, "FILE.csv", "loads from a table: columns time, load"},
		{0, "processors", FT_FIELD_COUNT, &l.processors, "N",
		 "of the file's machine; default: its note, else 1; import: those of this machine"},
		{'o', "output", FT_FIELD_TEXT, &l.output, "FILE",
		 "a picture, .svg or .png; default: characters"},
		{'q', "quiet", FT_FIELD_FLAG, &l.quiet, NULL, "no progress, also on a terminal"},
		{0, "json", FT_FIELD_FLAG, &l.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(l.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	l.path = words.n > 1 ? words.word[1] : NULL;
	if (l.threads > 0)
		status = words.action->act(&l);
	else
		status = cli_fail("a run has more than %g threads", l.threads);
	cli_load_close(&l);
	return status;
}

const struct cli_command cli_load = {
	"machine load",
	"record the load of others, and say what it does to a run",
	NULL,
	"Load is how many processors others want: those that they keep busy, and one for each of their tasks "
	"that waits.\n"
	"foretime build records it while it measures; predict --load usual and the cuts of --method gbbp use "
	"it.\n",
	actions,
	run_load,
};
