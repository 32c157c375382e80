/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constrain.c - constrained placement, and spikes smoothed. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked; the arrays are its own. */
struct trace_wish {
	double *keep;
	struct ft_pwl_stretch *smooth;
	size_t n_keep, n_smooth;
};

static int read_keep_from(const struct cli_trace *t, struct trace_wish *wish)
{
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes nodes = {0};

	CLI_TRY(cli_trace_file_nodes(t, t->models.text[0], &nodes));
	wish->keep = cli_alloc(nodes.n * sizeof *wish->keep);
	for (size_t i = 0; i < nodes.n; i++) {
		char at[FT_TRACE_TIME_LENGTH];

		wish->keep[wish->n_keep++] = nodes.t[i];
		if (ft_curves_part(&t->curves, nodes.t[i]) < 0)
			return cli_trace_outside(t, ft_trace_time_format(&t->trace, nodes.t[i], at));
	}
	return CLI_DONE;
}

static int read_keep(const struct cli_trace *t, struct trace_wish *wish)
{
	if (t->models.n + !!t->keep > 1)
		return cli_fail("--keep and --model: which one?");
	if (t->keep)
		return cli_trace_times(t, "--keep", t->keep, &wish->keep, &wish->n_keep);
	return t->models.n ? read_keep_from(t, wish) : CLI_DONE;
}

/* "auto", or intervals; comma by comma. */
static int read_smooth(const struct cli_trace *t, struct trace_wish *wish)
{
	for (size_t k = 0; k < t->smooth.n; k++) {
		CLI_OWN char *text = cli_strdup(t->smooth.text[k]);

		for (char *rest = text, *word; (word = strsep(&rest, ",")) != NULL;) {
			struct ft_pwl_stretch at = {NAN, NAN};

			if (!*word)
				continue;
			if (strcmp(word, "auto") != 0)
				CLI_TRY(cli_trace_interval(t, "--smooth", word, &at.begin, &at.end));
			wish->smooth = cli_grow(wish->smooth, wish->n_smooth, sizeof *wish->smooth);
			wish->smooth[wish->n_smooth++] = at;
		}
	}
	return CLI_DONE;
}

struct smoothed {
	double begin, end;
	struct cli_told_pair node;
	double area[2];
	size_t n_areas, ways;
};

static bool has_node(const void *told)
{
	return !isnan(((const struct cli_told_pair *)told)->at[0]);
}

static const struct ft_tell_row node_rows[] = {
	{FT_TELL_MANY(ARRAY, "", struct cli_told_pair, at, n, &ft_tell_numbers),
	 .null = "the straight line from begin to end"},
	{0},
};
static const struct ft_tell_record node = {.row = node_rows, .there = has_node};

static const struct ft_tell_row smoothed_rows[] = {
	{FT_TELL(struct smoothed, begin)},
	{FT_TELL(struct smoothed, end)},
	{FT_TELL_BY(RECORD, "node", struct smoothed, node), .of = &node},
	{FT_TELL_MANY(ARRAY, "areas", struct smoothed, area, n_areas, &ft_tell_numbers),
	 .about = "from begin to the node, and from there to end: of the trace and of the model; of a "
		  "straight line: all of it"},
	{FT_TELL_AS("nodes_found", struct smoothed, ways),
	 .about = "that keep both areas; the one nearest to the trace (L2) was taken; 0: the straight line "
		  "does"},
	{0},
};
static const struct ft_tell_record smoothed = {.bytes = sizeof(struct smoothed), .row = smoothed_rows};

struct trace_constrain_told {
	struct cli_told_trace all;
	struct cli_told_model model;
	double lambda;
	const double *keep;
	struct smoothed *smoothed;
	size_t n_keep, n_smoothed;
};

#define TOLD struct trace_constrain_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, TOLD, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, TOLD, model), .of = &cli_trace_model_rows},
	{FT_TELL(TOLD, lambda)},
	{FT_TELL_MANY(LIST, "keep", TOLD, keep, n_keep, &ft_tell_numbers), .about = "P"},
	{FT_TELL_MANY(LIST, "smoothed", TOLD, smoothed, n_smoothed, &smoothed),
	 .about = "spikes replaced by a node"},
	{0},
};
const struct ft_tell_record cli_trace_constrain_told = {
	.name = "trace", .action = "constrain", .version = 1, .row = rows};

static struct smoothed told_spike(const struct ft_pwl_spike *spike)
{
	return (struct smoothed){
		.begin = spike->begin,
		.end = spike->end,
		.node = {{spike->t, spike->y}, 2},
		.area = {spike->area[0], spike->area[1]},
		.n_areas = isnan(spike->t) ? 1 : 2,
		.ways = spike->ways,
	};
}

static void print_json(const struct cli_trace *t, const struct cli_model *model,
		       const struct ft_curves_fit *fit, const struct ft_curves_wish *wish)
{
	TOLD told = {
		.all = cli_trace_told(t),
		.model = cli_trace_told_model(t, model),
		.lambda = wish->lambda,
		.keep = wish->keep,
		.n_keep = wish->n_keep,
		.smoothed = cli_alloc(fit->n_spikes * sizeof *told.smoothed),
		.n_smoothed = fit->n_spikes,
	};
	size_t i;

	for (i = 0; i < fit->n_spikes; i++)
		told.smoothed[i] = told_spike(&fit->spike[i]);
	cli_tell(&cli_trace_constrain_told, &told, NULL);
	cli_trace_told_clear(&told.model);
	free(told.smoothed);
}

static void print_spike(const struct cli_trace *t, const struct ft_pwl_spike *spike)
{
	char begin[FT_TRACE_TIME_LENGTH], end[FT_TRACE_TIME_LENGTH], at[FT_TRACE_TIME_LENGTH];

	printf("smoothed from %s to %s: ", ft_trace_time_format(&t->trace, spike->begin, begin),
	       ft_trace_time_format(&t->trace, spike->end, end));
	if (isnan(spike->t))
		printf("a straight line, area %.6g\n", spike->area[0]);
	else
		printf("%.6g at %s, areas %.6g and %.6g%s\n", spike->y,
		       ft_trace_time_format(&t->trace, spike->t, at), spike->area[0], spike->area[1],
		       spike->ways > 1 ? "; the nearest of several" : "");
}

static void print_text(const struct cli_trace *t, const struct cli_model *model,
		       const struct ft_curves_fit *fit)
{
	size_t pieces = fit->nodes.n - t->trace.n_parts;
	CLI_OWN char *what =
		cli_printed("%zu straight piece%s of an admissible approximation (the trace: %zu)%s", pieces,
			    pieces == 1 ? "" : "s", t->trace.n - t->trace.n_parts,
			    fit->n_spikes ? ", spikes smoothed" : "");

	cli_trace_print(t, model, what);
	for (size_t i = 0; i < fit->n_spikes; i++) {
		printf("%s", i ? "" : "\n");
		print_spike(t, &fit->spike[i]);
	}
}

static int constrain(const struct cli_trace *t, const struct trace_wish *asked)
{
	const struct ft_curves_wish wish = {.keep = asked->keep,
					    .n_keep = asked->n_keep,
					    .lambda = isnan(t->lambda) ? 1 : t->lambda,
					    .smooth = asked->smooth,
					    .n_smooth = asked->n_smooth};
	struct ft_curves_fit fit;
	struct ft_err err = {0};

	if (ft_curves_constrain(&fit, &t->curves, &wish, &err))
		return cli_error(&err);
	struct cli_model model = (struct cli_model){fit.nodes, fit.first, fit.error};
	if (t->json)
		print_json(t, &model, &fit, &wish);
	else if (t->csv)
		cli_trace_print_csv(t, &model);
	else
		print_text(t, &model, &fit);
	ft_curves_fit_clear(&fit);
	return CLI_DONE;
}

static void clear_wish(struct trace_wish *wish)
{
	free(wish->keep);
	free(wish->smooth);
}

int cli_trace_constrain(void *asked)
{
	const struct cli_trace *t = asked;
	FT_CLEANUP(clear_wish) struct trace_wish wish = {0};

	CLI_TRY(read_keep(t, &wish));
	CLI_TRY(read_smooth(t, &wish));
	return constrain(t, &wish);
}
