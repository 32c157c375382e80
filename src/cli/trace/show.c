/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - what a trace is: its columns, range and area, its values at some times, and what draws it. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"

#include <math.h>
#include <stdlib.h>

enum { DRAW_MOST = 16384 }; /* pixels */

struct told_show {
	struct cli_told_trace all;
	struct ft_curves_summary summary;
	struct cli_told_pair *value, *drawn, *gap;
	size_t n_values, n_drawn, n_gaps;
};

#define SHOW struct told_show
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
const struct ft_tell_record cli_trace_show_told = {
	.name = "trace", .action = "show", .version = 1, .row = show_rows};

#define PAIR struct cli_told_pair
static int read_values(const struct cli_trace *t, SHOW *told)
{
	CLI_OWN double *times = NULL;

	if (!t->at)
		return CLI_DONE;
	CLI_TRY(cli_trace_times(t, "--at", t->at, &times, &told->n_values));
	told->value = cli_alloc((told->n_values + 1) * sizeof *told->value);
	for (size_t i = 0; i < told->n_values; i++)
		told->value[i] = (PAIR){
			{times[i], ft_pwl_at(t->curves.part[ft_curves_part(&t->curves, times[i])], times[i])},
			2};
	return CLI_DONE;
}

/* Points, and where a part of the trace ends between them. */
static void take_drawn(SHOW *told, const struct ft_nodes *few)
{
	told->drawn = cli_alloc((few->n + 1) * sizeof *told->drawn);
	told->gap = cli_alloc((few->n + 1) * sizeof *told->gap);
	for (size_t i = 0; i < few->n; i++)
		if (isnan(few->y[i]))
			told->gap[told->n_gaps++] = (PAIR){{few->t[i - 1], few->t[i + 1]}, 2};
		else
			told->drawn[told->n_drawn++] = (PAIR){{few->t[i], few->y[i]}, 2};
}

static int draw_trace(const struct cli_trace *t, SHOW *told)
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
	take_drawn(told, &few);
	return CLI_DONE;
}

static void print_text(const struct cli_trace *t, const SHOW *told)
{
	const struct ft_curves_summary *s = &told->summary;
	char at[FT_TRACE_TIME_LENGTH], again[FT_TRACE_TIME_LENGTH];

	cli_trace_headline(t, stdout);
	printf("%zu part%s, %.9g s in all, rows %.6g to %.6g s apart\n", t->trace.n_parts,
	       t->trace.n_parts == 1 ? "" : "s", s->length, s->shortest, s->longest);
	printf("mean %.6g, standard deviation %.6g, area %.10g\n", s->mean, s->deviation, s->area);
	printf("least %.6g at %s, most %.6g at %s\n", s->range[0],
	       ft_trace_time_format(&t->trace, s->at[0], at), s->range[1],
	       ft_trace_time_format(&t->trace, s->at[1], again));
	for (size_t i = 0; i < told->n_values; i++)
		printf("%.6g at %s\n", told->value[i].at[1],
		       ft_trace_time_format(&t->trace, told->value[i].at[0], at));
}

static void clear_show(SHOW *told)
{
	free(told->value);
	free(told->drawn);
	free(told->gap);
}

int cli_trace_show(void *asked)
{
	struct cli_trace *t = asked;
	FT_CLEANUP(clear_show)
	SHOW told = {
		.all = cli_trace_told(t),
		.summary = ft_curves_summarise(&t->curves),
	};

	if ((t->width || t->within) && !t->json)
		return cli_fail("--width and --within are for programs\n"
				"hint: add --json; 'foretime trace plot' draws for people");
	CLI_TRY(read_values(t, &told));
	CLI_TRY(draw_trace(t, &told));
	if (t->json)
		cli_tell(&cli_trace_show_told, &told, NULL);
	else
		print_text(t, &told);
	return CLI_DONE;
}
