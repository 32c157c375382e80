/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - piecewise linear models of traces: fitted, constrained, cut into phases, drawn, shown. */
#include "cli/trace.h"
#include "cli/common.h"

#include <math.h>
#include <string.h>

/* Options that an action takes; the others are refused. */
enum { MODEL = 1, KEEP = 2, FITS = 4, PIECES = 8, OUTPUT = 16, CSV = 32, JSON = 64 };

static const struct action {
	const char *name;
	int (*act)(struct cli_trace *t);
	int takes;
} actions[] = {
	{"fit", cli_trace_fit, MODEL | PIECES | CSV | JSON},
	{"constrain", cli_trace_constrain, KEEP | CSV | JSON},
	{"phases", cli_trace_phases, PIECES | CSV | JSON},
	{"plot", cli_trace_plot, MODEL | PIECES | FITS | OUTPUT},
	{"show", cli_trace_show, JSON},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const char *action_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < N_ACTIONS ? actions[i].name : NULL;
}

/* The first option given that the action has no use for; NULL: none. */
static const char *stray_option(const struct cli_trace *t, int takes)
{
	const struct {
		const char *name;
		bool given;
		int group;
	} options[] = {
		{"-n", t->pieces > 0, PIECES},
		{"--error", !isnan(t->error), MODEL},
		{"--start", t->start != NULL, MODEL},
		{"--ends", t->ends != NULL, MODEL},
		{"--keep", t->keep != NULL, KEEP},
		{"--keep-from", t->keep_from != NULL, KEEP},
		{"--lambda", !isnan(t->lambda), KEEP},
		{"--smooth", t->smooth.n > 0, KEEP},
		{"--fit", t->fits.n > 0, FITS},
		{"--output", t->output != NULL, OUTPUT},
		{"--width", t->width > 0, OUTPUT},
		{"--csv", t->csv, CSV},
		{"--json", t->json, JSON},
	};
	size_t i;

	for (i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i].given && !(takes & options[i].group))
			return options[i].name;
	return NULL;
}

static int check(struct cli_trace *t, const struct action *action, const struct cli_words *words)
{
	const char *stray = stray_option(t, action->takes);

	if (stray)
		return cli_fail("'trace %s' has no use for %s", action->name, stray);
	if (words->n < 2) {
		(void)cli_fail("which trace?");
		cli_hint("foretime trace %s FILE.csv; - is standard input", action->name);
		return CLI_WRONG;
	}
	if (words->n > 2)
		return cli_fail("'trace %s' takes no '%s'", action->name, words->word[2]);
	if (t->json && t->csv)
		return cli_fail("--json and --csv: which one?");
	if (t->gaps && !ft_trace_gaps_parse(t->gaps, &t->format.gaps)) {
		(void)cli_fail("'%s' is nothing to do with gaps", t->gaps);
		cli_hint("--gaps join, break or zero");
		return CLI_WRONG;
	}
	t->path = words->word[1];
	return CLI_DONE;
}

static int act(struct cli_trace *t, const struct cli_words *words)
{
	const char *nearest;
	size_t i;

	if (!words->n) {
		(void)cli_fail("what about the trace?");
		cli_hint("foretime trace fit, constrain, phases, plot or show");
		return CLI_WRONG;
	}
	for (i = 0; i < N_ACTIONS; i++)
		if (!strcmp(actions[i].name, words->word[0])) {
			int status = check(t, &actions[i], words);

			if (status == CLI_DONE)
				status = cli_trace_open(t);
			return status == CLI_DONE ? actions[i].act(t) : status;
		}
	(void)cli_fail("'trace' knows no '%s'", words->word[0]);
	nearest = cli_nearest(words->word[0], action_name, NULL);
	if (nearest)
		cli_hint("the nearest is foretime trace %s", nearest);
	else
		cli_hint("foretime trace fit, constrain, phases, plot or show");
	return CLI_WRONG;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_trace t = {.error = NAN, .lambda = NAN};
	const struct cli_option options[] = {
		{'n', "pieces", CLI_COUNT, &t.pieces, "N",
		 "straight pieces; phases: at most; default: as many as tell apart from noise"},
		{0, "error", CLI_NUMBER, &t.error, "E",
		 "fit, plot: as few pieces as bring the rms error to E, in the unit of the values"},
		{0, "start", CLI_TEXT, &t.start, "START",
		 "fit, plot: best, path, equal, dp, merge, or NODES.csv; default best"},
		{0, "ends", CLI_TEXT, &t.ends, "ENDS", "fit, plot: fixed to the data (default), or free"},
		{0, "keep", CLI_TEXT, &t.keep, "T1,T2,...",
		 "constrain: times where the model has the trace's values"},
		{0, "keep-from", CLI_TEXT, &t.keep_from, "FILE",
		 "constrain: the same, the nodes of a fit (JSON or CSV)"},
		{0, "lambda", CLI_NUMBER, &t.lambda, "L",
		 "constrain: no line longer than the whole / L; default 1"},
		{0, "smooth", CLI_TEXTS, &t.smooth, "T1:T2",
		 "constrain: one node between, areas kept; auto: all spikes; may be repeated"},
		{0, "fit", CLI_TEXTS, &t.fits, "FILE",
		 "plot: this model (JSON or CSV), not a new one; may be repeated"},
		{0, "time", CLI_TEXT, &t.format.time, "COLUMN", "its name or number; default: found"},
		{0, "value", CLI_TEXT, &t.format.value, "COLUMN",
		 "its name or number; default: the first other one"},
		{0, "steps", CLI_FLAG, &t.format.steps, NULL, "each value holds until the next row"},
		{0, "gaps", CLI_TEXT, &t.gaps, "WHAT", "rows that miss: join (default), break or zero"},
		{'o', "output", CLI_TEXT, &t.output, "FILE",
		 "plot: a picture, .svg or .png; default: characters"},
		{0, "width", CLI_COUNT, &t.width, "W", "plot: pixels, or characters"},
		{0, "csv", CLI_FLAG, &t.csv, NULL, "print the nodes, or phases, as CSV"},
		{0, "json", CLI_FLAG, &t.json, NULL, "print one JSON object"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = act(&t, &words);
	cli_trace_close(&t);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_trace = {
	"trace",
	"straight pieces and phases of a trace over time",
	"fit FILE.csv [-n N | --error E] [--start START] [OPTION...]\n"
	"constrain FILE.csv [--keep T1,T2,... | --keep-from FIT.json] [--lambda L] [--smooth T1:T2 | "
	"--smooth auto]\n"
	"phases FILE.csv [-n N] [OPTION...]\nplot FILE.csv [--fit FIT.json] [-o FILE.svg|FILE.png] "
	"[OPTION...]\n"
	"show FILE.csv [OPTION...]",
	"FILE.csv has a column of times (seconds or dates) and one of values; it may be compressed with "
	"gzip; - is\n"
	"standard input.\n",
	run,
};
