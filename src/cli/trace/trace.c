/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - piecewise linear models of traces: fitted, constrained, cut into phases, drawn, shown. */
#include "cli/trace/trace.h"
#include "cli/common.h"

#include <math.h>
#include <stdint.h>

#define COLUMNS "value store"

static const struct cli_action actions[] = {
	{"fit", "place nodes where the error becomes least",
	 "FILE.csv [-k N | --tolerance E] [--start START] [OPTION...]",
	 COLUMNS " pieces tolerance start format csv json", 1, 1, cli_trace_fit},
	{"constrain", "take nodes out, and keep values and areas",
	 "FILE.csv [--keep T1,T2,... | --model FIT.json] [--lambda L] [--smooth T1:T2 | --smooth auto]",
	 COLUMNS " keep model lambda smooth format csv json", 1, 1, cli_trace_constrain},
	{"phases", "find phases", "FILE.csv [-k N] [--value COLUMN,COLUMN...] [OPTION...]",
	 COLUMNS " pieces format csv json", 1, 1, cli_trace_phases},
	{"grow", "show how phases grow with the size of a run",
	 "n=100 A.csv n=200 B.csv n=400 C.csv [n=800] [OPTION...]", COLUMNS " pieces format json", 1,
	 SIZE_MAX, cli_trace_grow},
	{"plot", "draw the trace and a model",
	 "FILE.csv [--model FIT.json] [-o FILE.svg|FILE.png] [OPTION...]",
	 COLUMNS " pieces tolerance start model output width", 1, 1, cli_trace_plot},
	{"show", "print what the file holds",
	 "FILE.csv [--at T1,T2,...] [--json [--width W] [--within T1:T2]] [OPTION...]",
	 COLUMNS " at width within format json", 1, 1, cli_trace_show},
	{0},
};

static int check_options(struct cli_trace *t)
{
	if (t->gaps && !ft_trace_gaps_parse(t->gaps, &t->format.gaps))
		return cli_fail("'%s' is not a way to fill gaps\nhint: --value gaps=join, break or zero",
				t->gaps);
	return CLI_DONE;
}

static int run_trace(const struct cli_command *command, int argc, char **argv)
{
	struct cli_trace t = {.error = NAN, .lambda = NAN};
	const struct ft_field options[] = {
		{'n', "pieces", FT_FIELD_COUNT, &t.pieces, "N", NULL},
		{'k', "pieces", FT_FIELD_COUNT, &t.pieces, "N",
		 "straight pieces; phases: at most; default: as many as differ from noise"},
		{0, "ends", FT_FIELD_TEXT, &t.ends, "ENDS", "fixed to the data (default), or free",
		 .of = "pieces"},
		{0, "tolerance", FT_FIELD_NUMBER, &t.error, "E",
		 "rms error to reach with as few pieces as possible, in the unit of the values",
		 .not_with = "pieces"},
		{0, "start", FT_FIELD_TEXT, &t.start, "START",
		 "start of the fit: best, path, equal, dp, merge, times T1,T2,... or NODES.csv; default "
		 "best"},
		{0, "model", FT_FIELD_TEXTS, &t.models, "FILE",
		 "model in FILE (JSON or CSV) to draw, may be repeated; constrain: keep the values at its "
		 "nodes"},
		{0, "keep", FT_FIELD_TEXT, &t.keep, "T1,T2,...",
		 "times where the model has the trace's values"},
		{0, "lambda", FT_FIELD_NUMBER, &t.lambda, "L",
		 "no line longer than the whole / L; default 1"},
		{0, "smooth", FT_FIELD_TEXTS, &t.smooth, "T1:T2",
		 "one node between, areas kept; auto: all spikes; several: T1:T2,T3:T4,..."},
		{0, "at", FT_FIELD_TEXT, &t.at, "T1,T2,...", "times whose values to print, too"},
		{'o', "output", FT_FIELD_TEXT, &t.output, "FILE",
		 "picture, .svg or .png; default: characters"},
		{0, "width", FT_FIELD_COUNT, &t.width, "W",
		 "width in pixels, or characters; show --json: print what such a picture needs"},
		{0, "within", FT_FIELD_TEXT, &t.within, "T1:T2", "part to draw; default: all"},
		CLI_FORMAT("text|json|csv", "text (default), json, or csv: the nodes or phases"),
		{0, "csv", FT_FIELD_FLAG, &t.csv, NULL, "print the nodes, or phases, as CSV"},
		{0, "json", FT_FIELD_FLAG, &t.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(t.store_path),
		CLI_GROUP("how the file is read"),
		{0, "value", FT_FIELD_TEXT, &t.format.value, "COLUMN",
		 "column of values, by name or number; default: the first that is not the time; phases, "
		 "grow: several: A,B,..."},
		{0, "time", FT_FIELD_TEXT, &t.format.time, "COLUMN",
		 "column of times, by name or number; default: found", .of = "value"},
		{0, "hold", FT_FIELD_FLAG, &t.format.steps, NULL, "each value holds until the next row",
		 .of = "value"},
		{0, "gaps", FT_FIELD_TEXT, &t.gaps, "WHAT", "missing rows: join (default), break or zero",
		 .of = "value"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	t.path = words.word[1];
	status = check_options(&t);
	t.word = words.word + 1;
	t.words = words.n - 1;
	if (status == CLI_DONE && words.action->act != cli_trace_grow &&
	    words.action->act != cli_trace_phases) /* which read several */
		status = cli_trace_open(&t);
	if (status == CLI_DONE)
		status = words.action->act(&t);
	cli_trace_close(&t);
	return status;
}

const struct cli_command cli_trace = {
	"trace",
	"straight pieces and phases of a trace over time",
	NULL,
	"FILE.csv has a column of times (seconds or dates) and one of values; it may be compressed with "
	"gzip; - is\n"
	"standard input. run:17 is the trace that a run of the store was kept with (run --save "
	"NAME,keep-trace; show "
	"NAME\n"
	"lists them).\n",
	actions,
	run_trace,
};
