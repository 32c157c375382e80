/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constrain.c - constrained placement, and spikes smoothed. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times to keep, and spikes that were smoothed. */
struct extras {
	double *keep;
	size_t n_keep;
	struct ft_pwl_spike *spike;
	size_t n_spikes;
};

static int read_keep_from(const struct cli_trace *t, struct extras *x)
{
	struct ft_nodes nodes;
	int status = cli_trace_file_nodes(t, t->keep_from, &nodes);
	size_t i;

	if (status != CLI_DONE)
		return status;
	x->keep = cli_alloc(nodes.n * sizeof *x->keep);
	for (i = 0; i < nodes.n && status == CLI_DONE; i++) {
		char at[FT_TRACE_TIME_LENGTH];

		x->keep[x->n_keep++] = nodes.t[i];
		if (cli_trace_part(t, nodes.t[i]) < 0)
			status = cli_trace_outside(t, ft_trace_time_format(&t->trace, nodes.t[i], at));
	}
	ft_nodes_clear(&nodes);
	return status;
}

static void remember(struct extras *x, struct ft_pwl_spike spike)
{
	x->spike = cli_grow(x->spike, x->n_spikes, sizeof *x->spike);
	x->spike[x->n_spikes++] = spike;
}

static int smooth_auto(const struct cli_trace *t, struct ft_nodes *part, size_t i, struct extras *x)
{
	struct ft_pwl_spike *found = NULL;
	struct ft_err err = {0};
	size_t n = 0, k;

	if (ft_nodes_smooth_auto(part, t->part[i], x->keep, x->n_keep, &found, &n, &err))
		return cli_error(&err);
	for (k = 0; k < n; k++)
		remember(x, found[k]);
	free(found);
	return CLI_DONE;
}

/* "auto", or an interval, which may lie in another part. */
static int smooth_one(const struct cli_trace *t, const char *word, struct ft_nodes *part, size_t i,
		      struct extras *x)
{
	struct ft_pwl_spike spike;
	struct ft_err err = {0};
	double a, b;
	int status;

	if (!strcmp(word, "auto"))
		return smooth_auto(t, part, i, x);
	status = cli_trace_interval(t, "--smooth", word, &a, &b);
	if (status != CLI_DONE || (t->trace.n_parts > 1 && cli_trace_part(t, a) != (int)i))
		return status;
	if (ft_nodes_smooth(part, t->part[i], a, b, &spike, &err))
		return cli_error(&err);
	remember(x, spike);
	return CLI_DONE;
}

/* The spikes as asked, in one part. */
static int smooth(const struct cli_trace *t, struct ft_nodes *part, size_t i, struct extras *x)
{
	int status = CLI_DONE;
	size_t k;

	for (k = 0; k < t->smooth.n && status == CLI_DONE; k++) {
		char *text = cli_strdup(t->smooth.text[k]), *rest = text, *word;

		while (status == CLI_DONE && (word = strsep(&rest, ",")) != NULL)
			if (*word)
				status = smooth_one(t, word, part, i, x);
		free(text);
	}
	return status;
}

static size_t keep_in(const struct cli_trace *t, size_t i, const struct extras *x, double *out)
{
	size_t n = 0, k;

	for (k = 0; k < x->n_keep; k++)
		if (cli_trace_part(t, x->keep[k]) == (int)i)
			out[n++] = x->keep[k];
	return n;
}

static void append(struct cli_model *model, const struct ft_nodes *part)
{
	size_t n = model->nodes.n + part->n;
	double *times = cli_alloc(n * sizeof *times), *values = cli_alloc(n * sizeof *values);

	if (model->nodes.n) {
		memcpy(times, model->nodes.t, model->nodes.n * sizeof *times);
		memcpy(values, model->nodes.y, model->nodes.n * sizeof *values);
	}
	memcpy(times + model->nodes.n, part->t, part->n * sizeof *times);
	memcpy(values + model->nodes.n, part->y, part->n * sizeof *values);
	ft_nodes_clear(&model->nodes);
	model->nodes = (struct ft_nodes){times, values, n};
}

static int constrain(const struct cli_trace *t, struct extras *x, struct cli_model *model)
{
	double *keep = cli_alloc((x->n_keep + 1) * sizeof *keep);
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t i;

	for (i = 0; i < t->trace.n_parts && status == CLI_DONE; i++) {
		struct ft_nodes part;

		if (ft_pwl_constrain(&part, t->part[i], keep, keep_in(t, i, x, keep),
				     isnan(t->lambda) ? 1 : t->lambda, &err)) {
			status = cli_error(&err);
			break;
		}
		status = smooth(t, &part, i, x);
		model->first[i] = model->nodes.n;
		append(model, &part);
		ft_nodes_clear(&part);
	}
	model->first[t->trace.n_parts] = model->nodes.n;
	free(keep);
	return status;
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
	double lambda, *keep;
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

static void print_json(const struct cli_trace *t, const struct cli_model *model, const struct extras *x)
{
	TOLD told = {
		.all = cli_trace_told(t),
		.model = cli_trace_told_model(t, model),
		.lambda = isnan(t->lambda) ? 1 : t->lambda,
		.keep = x->keep,
		.n_keep = x->n_keep,
		.smoothed = cli_alloc(x->n_spikes * sizeof *told.smoothed),
		.n_smoothed = x->n_spikes,
	};
	size_t i;

	for (i = 0; i < x->n_spikes; i++)
		told.smoothed[i] = told_spike(&x->spike[i]);
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

static void print_text(const struct cli_trace *t, const struct cli_model *model, const struct extras *x)
{
	size_t pieces = model->nodes.n - t->trace.n_parts;
	char *what = cli_printed("%zu straight piece%s of an admissible approximation (the trace: %zu)%s",
				 pieces, pieces == 1 ? "" : "s", t->trace.n - t->trace.n_parts,
				 x->n_spikes ? ", spikes smoothed" : "");
	size_t i;

	cli_trace_print(t, model, what);
	free(what);
	for (i = 0; i < x->n_spikes; i++) {
		printf("%s", i ? "" : "\n");
		print_spike(t, &x->spike[i]);
	}
}

int cli_trace_constrain(void *asked)
{
	struct cli_trace *t = asked;
	struct cli_model model = {.first = cli_alloc((t->trace.n_parts + 1) * sizeof *model.first)};
	struct extras x = {0};
	int status = CLI_DONE;

	if (t->keep && t->keep_from)
		status = cli_fail("--keep and --keep-from: which one?");
	else if (t->keep)
		status = cli_trace_times(t, "--keep", t->keep, &x.keep, &x.n_keep);
	else if (t->keep_from)
		status = read_keep_from(t, &x);
	if (status == CLI_DONE)
		status = constrain(t, &x, &model);
	if (status == CLI_DONE) {
		cli_trace_judge(t, &model);
		if (t->json)
			print_json(t, &model, &x);
		else if (t->csv)
			cli_trace_print_csv(t, &model);
		else
			print_text(t, &model, &x);
	}
	ft_nodes_clear(&model.nodes);
	free(model.first);
	free(x.keep);
	free(x.spike);
	return status;
}
