/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - unconstrained placement: n straight pieces, nearest to the trace. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times of nodes, as typed: their values are found. */
static int read_times(const struct cli_trace *t, struct ft_pwl_options *options, struct ft_nodes *nodes)
{
	int status = cli_trace_times(t, "--start", t->start, &nodes->t, &nodes->n);

	nodes->y = cli_alloc((nodes->n + 1) * sizeof *nodes->y);
	options->start = FT_PWL_START_NODES;
	options->nodes = nodes;
	return status;
}

/* best, path, equal, dp, merge; or times of nodes, or a file of them. */
static int read_start(const struct cli_trace *t, struct ft_pwl_options *options, struct ft_nodes *nodes)
{
	for (enum ft_pwl_start start = FT_PWL_START_BEST; start < FT_PWL_START_NODES; start++)
		if (!strcmp(t->start, ft_pwl_start_text(start))) {
			options->start = start;
			return CLI_DONE;
		}
	if (strchr(t->start, ','))
		return read_times(t, options, nodes);
	if (!strchr(t->start, '.') && !strchr(t->start, '/'))
		return cli_fail("'%s' is not a start\n"
				"hint: --start best, path, equal, dp, merge, times: T1,T2,..., or a file of "
				"nodes: NODES.csv",
				t->start);
	CLI_TRY(cli_trace_file_nodes(t, t->start, nodes));
	options->start = FT_PWL_START_NODES;
	options->nodes = nodes;
	return CLI_DONE;
}

static int read_options(const struct cli_trace *t, struct ft_pwl_options *options, struct ft_nodes *nodes)
{
	options->pieces = t->pieces;
	if (!isnan(t->error)) {
		if (!(t->error > 0))
			return cli_fail("option --tolerance: %g is not positive\n"
					"hint: give the rms error to reach, in the unit of the values",
					t->error);
		options->rms = t->error;
	}
	if (t->ends && !strcmp(t->ends, "free")) {
		options->ends = FT_PWL_FREE;
	} else if (t->ends && strcmp(t->ends, "fixed") != 0) {
		return cli_fail("'%s' is not a rule for ends\nhint: --pieces ends=fixed or ends=free",
				t->ends);
	}
	return t->start ? read_start(t, options, nodes) : CLI_DONE;
}

/* More pieces than the trace itself is made of are of no use. */
static void note_enough(const struct cli_trace *t, const struct cli_model *model)
{
	size_t have = model->nodes.n - t->trace.n_parts;

	if (t->pieces && have < t->pieces && !t->start)
		cli_note("the trace has %zu pieces itself: %zu %s enough", t->trace.n - t->trace.n_parts,
			 have, have == 1 ? "is" : "are");
}

int cli_trace_fitted(struct cli_trace *t, struct ft_pwl_fit *fit, struct cli_model *model)
{
	struct ft_pwl_options options = {0};
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes nodes = {0};
	struct ft_err err = {0};

	*model = (struct cli_model){0};
	CLI_TRY(read_options(t, &options, &nodes));
	CLI_OWN size_t *first = cli_alloc((t->trace.n_parts + 1) * sizeof *first);
	if (ft_trace_fit(fit, &t->trace, &options, first, &err))
		return cli_error(&err);
	model->first = first;
	first = NULL;
	model->nodes = fit->nodes; /* the fit's */
	model->error = fit->error;
	note_enough(t, model);
	return CLI_DONE;
}

static void print_text(const struct cli_trace *t, const struct ft_pwl_fit *fit, const struct cli_model *model)
{
	size_t pieces = model->nodes.n - t->trace.n_parts;
	CLI_OWN char *what =
		cli_printed("%zu straight piece%s, the search begun from %s nodes (rms error there %.6g)",
			    pieces, pieces == 1 ? "" : "s",
			    fit->start == FT_PWL_START_NODES ? "the given" : ft_pwl_start_text(fit->start),
			    fit->start_rms);

	cli_trace_print(t, model, what);
}

struct trace_fit_told {
	struct cli_told_trace all;
	struct cli_told_model model;
	const char *start, *ends;
	double start_rms;
	bool reached;
};

#define TOLD struct trace_fit_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, TOLD, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, TOLD, model), .of = &cli_trace_model_rows},
	{FT_TELL(TOLD, start), .words = "best|equal|dp|merge|path|nodes",
	 .about = "the start that led to these nodes"},
	{FT_TELL_AS("start_rms_error", TOLD, start_rms), .about = "there"},
	{FT_TELL(TOLD, ends), .words = "fixed|free"},
	{FT_TELL(TOLD, reached), .about = "the requested rms error was reached; true without one"},
	{0},
};
const struct ft_tell_record cli_trace_fit_told = {
	.name = "trace", .action = "fit", .version = 1, .row = rows};

int cli_trace_fit(void *asked)
{
	struct cli_trace *t = asked;
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	struct cli_model model;

	CLI_TRY(cli_trace_fitted(t, &fit, &model));
	if (t->json) {
		TOLD told = {cli_trace_told(t),
			     cli_trace_told_model(t, &model),
			     ft_pwl_start_text(fit.start),
			     t->ends ? t->ends : "fixed",
			     fit.start_rms,
			     fit.reached};

		cli_tell(&cli_trace_fit_told, &told, NULL);
		cli_trace_told_clear(&told.model);
	} else if (t->csv) {
		cli_trace_print_csv(t, &model);
	} else {
		print_text(t, &fit, &model);
	}
	free(model.first);
	if (fit.reached)
		return CLI_DONE;
	(void)cli_fail("%zu pieces bring the rms error to %g only\n"
		       "hint: allow a larger one with --tolerance E, or choose the pieces with -k N",
		       model.nodes.n - t->trace.n_parts, fit.error.rms);
	return CLI_NO;
}
