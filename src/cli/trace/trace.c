/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - piecewise linear models of traces: fitted, constrained, cut into phases, drawn, printed. */
#include "cli/cli.h"
#include "cli/trace/trace.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Print a trace: its columns, range and area, and its values at some times; and draw it.
 */

enum { DRAW_MOST = 16384 }; /* pixels */

struct answer_show {
	struct cli_answer_trace all;
	struct ft_curves_summary summary;
	struct cli_answer_pair *value, *drawn, *gap;
	size_t n_values, n_drawn, n_gaps;
};

#define SHOW struct answer_show
static const struct ft_tell_row show_rows[] = {
	{FT_TELL_BY(ROWS, NULL, SHOW, all), .of = &cli_trace_rows},
	{FT_TELL_AS("parts", SHOW, all.trace.n_parts)},
	{FT_TELL_AS("length", SHOW, summary.length), .about = "without what is left out"},
	{FT_TELL_AS("mean", SHOW, summary.mean), .about = "over time"},
	{FT_TELL_AS("standard_deviation", SHOW, summary.deviation), .about = "over time"},
	{FT_TELL_AS("area", SHOW, summary.area), .about = "the integral"},
	{FT_TELL_AS("least", SHOW, summary.range[0])},
	{FT_TELL_AS("least_at", SHOW, summary.at[0])},
	{FT_TELL_AS("most", SHOW, summary.range[1])},
	{FT_TELL_AS("most_at", SHOW, summary.at[1])},
	{FT_TELL_AS("shortest_interval", SHOW, summary.shortest), .about = "between two points of the trace"},
	{FT_TELL_AS("longest_interval", SHOW, summary.longest)},
	{FT_TELL_MANY(LIST, "values", SHOW, value, n_values, &cli_trace_pair),
	 .about = "[time, value] at the requested times"},
	{FT_TELL_MANY(LIST, "drawn", SHOW, drawn, n_drawn, &cli_trace_pair),
	 .about = "[time, value] of the points that a picture of the requested width needs"},
	{FT_TELL_MANY(LIST, "breaks", SHOW, gap, n_gaps, &cli_trace_pair),
	 .about = "of those: from the end of one part to the begin of the next, no line there"},
	{0},
};
const struct ft_tell_record cli_trace_show_answer = {
	.name = "trace", .action = "show", .version = 1, .row = show_rows};

static int read_values(const struct cli_trace *t, SHOW *answer)
{
	CLI_OWN double *times = NULL;

	if (!t->at)
		return CLI_DONE;
	CLI_TRY(cli_trace_times(t, "--at", t->at, &times, &answer->n_values));
	answer->value = cli_alloc((answer->n_values + 1) * sizeof *answer->value);
	for (size_t i = 0; i < answer->n_values; i++)
		answer->value[i] = (struct cli_answer_pair){
			{times[i], ft_pwl_at(t->curves.part[ft_curves_part(&t->curves, times[i])], times[i])},
			2};
	return CLI_DONE;
}

static int draw_trace(const struct cli_trace *t, SHOW *answer)
{
	double begin = t->trace.t[0], end = t->trace.t[t->trace.n - 1];
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes few = {0};
	struct ft_err err = {0};

	if (t->within)
		CLI_TRY(cli_trace_interval(t, "--within", t->within, &begin, &end));
	if (!t->width)
		return CLI_DONE;
	if (t->width > DRAW_MOST)
		return cli_fail("--width %zu: no picture is wider than %d pixels", t->width, DRAW_MOST);
	if (ft_trace_thin(&few, &t->trace, begin, end, t->width, &err))
		return cli_error(&err);
	/* Points, and where a part of the trace ends between them. */
	answer->drawn = cli_alloc((few.n + 1) * sizeof *answer->drawn);
	answer->gap = cli_alloc((few.n + 1) * sizeof *answer->gap);
	for (size_t i = 0; i < few.n; i++)
		if (isnan(few.y[i]))
			answer->gap[answer->n_gaps++] =
				(struct cli_answer_pair){{few.t[i - 1], few.t[i + 1]}, 2};
		else
			answer->drawn[answer->n_drawn++] = (struct cli_answer_pair){{few.t[i], few.y[i]}, 2};
	return CLI_DONE;
}

static void clear_show(SHOW *answer)
{
	free(answer->value);
	free(answer->drawn);
	free(answer->gap);
}

static int trace_show(void *query)
{
	struct cli_trace *t = query;
	FT_CLEANUP(clear_show)
	SHOW answer = {
		.all = cli_trace_answer(t),
		.summary = ft_curves_summarise(&t->curves),
	};

	if ((t->width || t->within) && !t->json)
		return cli_fail("--width and --within are for programs\n"
				"hint: add --json; 'foretime trace plot' draws for people");
	CLI_TRY(read_values(t, &answer));
	CLI_TRY(draw_trace(t, &answer));
	if (t->json) {
		cli_tell(&cli_trace_show_answer, &answer, NULL);
	} else {
		const struct ft_curves_summary *s = &answer.summary;
		char at[FT_TRACE_TIME_LENGTH], again[FT_TRACE_TIME_LENGTH];

		cli_trace_headline(t, stdout);
		printf("%zu part%s, %.9g s in all, rows %.6g to %.6g s apart\n", t->trace.n_parts,
		       t->trace.n_parts == 1 ? "" : "s", s->length, s->shortest, s->longest);
		printf("mean %.6g, standard deviation %.6g, area %.10g\n", s->mean, s->deviation, s->area);
		printf("least %.6g at %s, most %.6g at %s\n", s->range[0],
		       ft_trace_time_format(&t->trace, s->at[0], at), s->range[1],
		       ft_trace_time_format(&t->trace, s->at[1], again));
		for (size_t i = 0; i < answer.n_values; i++)
			printf("%.6g at %s\n", answer.value[i].at[1],
			       ft_trace_time_format(&t->trace, answer.value[i].at[0], at));
	}
	return CLI_DONE;
}

/*
 * Piecewise linear models of traces: fitted, constrained, cut into phases, drawn, printed.
 */

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
	{"plot", "draw the trace and a model", "FILE.csv [--model FIT.json] [-o FILE.svg] [OPTION...]",
	 COLUMNS " pieces tolerance start model output dark width", 1, 1, cli_trace_plot},
	{"show", "print what the file holds",
	 "FILE.csv [--at T1,T2,...] [--json [--width W] [--within T1:T2]] [OPTION...]",
	 COLUMNS " at width within format json", 1, 1, trace_show},
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
		 "picture, .svg, .png or .pdf; default: characters"},
		CLI_DARK_OPTION(t.dark),
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
	    words.action->act != cli_trace_phases) /* these read several */
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
