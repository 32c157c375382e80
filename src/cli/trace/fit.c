/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - unconstrained placement: n straight pieces, nearest to the trace. */
#include "cli/cli.h"
#include "cli/trace/trace.h"
#include "foretime/base.h"
#include "foretime/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* best, path, equal, dp, merge; or times of nodes, or a file of them. */
static int read_start(const struct cli_trace *t, struct ft_pwl_options *options, struct ft_nodes *nodes)
{
	for (enum ft_pwl_start start = FT_PWL_START_BEST; start < FT_PWL_START_NODES; start++)
		if (!strcmp(t->start, ft_pwl_start_text(start))) {
			options->start = start;
			return CLI_DONE;
		}
	if (strchr(t->start, ',')) {
		/* Times of nodes, as typed: their values are found. */
		int status = cli_trace_times(t, "--start", t->start, &nodes->t, &nodes->n);

		nodes->y = cli_alloc((nodes->n + 1) * sizeof *nodes->y);
		options->start = FT_PWL_START_NODES;
		options->nodes = nodes;
		return status;
	}
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

int cli_trace_fitted(struct cli_trace *t, struct ft_pwl_fit *fit, struct cli_model *model)
{
	struct ft_pwl_options options = {0};
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes nodes = {0};
	struct ft_err err = {0};

	*model = (struct cli_model){0};
	options.pieces = t->pieces;
	if (!isnan(t->error)) {
		if (!(t->error > 0))
			return cli_fail("option --tolerance: %g is not positive\n"
					"hint: give the rms error to reach, in the unit of the values",
					t->error);
		options.rms = t->error;
	}
	if (t->ends && !strcmp(t->ends, "free")) {
		options.ends = FT_PWL_FREE;
	} else if (t->ends && strcmp(t->ends, "fixed") != 0) {
		return cli_fail("'%s' is not a rule for ends\nhint: --pieces ends=fixed or ends=free",
				t->ends);
	}
	CLI_TRY(t->start ? read_start(t, &options, &nodes) : CLI_DONE);
	CLI_OWN size_t *first = cli_alloc((t->trace.n_parts + 1) * sizeof *first);
	if (ft_trace_fit(fit, &t->trace, &options, first, &err))
		return cli_error(&err);
	model->first = first;
	first = NULL;
	model->nodes = fit->nodes; /* the fit's */
	model->error = fit->error;
	/* More pieces than the trace itself is made of are of no use. */
	size_t have = model->nodes.n - t->trace.n_parts;

	if (t->pieces && have < t->pieces && !t->start)
		cli_note("the trace has %zu pieces itself: %zu %s enough", t->trace.n - t->trace.n_parts,
			 have, have == 1 ? "is" : "are");
	return CLI_DONE;
}

struct trace_fit_answer {
	struct cli_answer_trace all;
	struct cli_answer_model model;
	const char *start, *ends;
	double start_rms;
	bool reached;
};

#define ANSWER struct trace_fit_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, ANSWER, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, ANSWER, model), .of = &cli_trace_model_rows},
	{FT_TELL(ANSWER, start), .words = "best|equal|dp|merge|path|nodes",
	 .about = "the start that led to these nodes"},
	{FT_TELL_AS("start_rms_error", ANSWER, start_rms), .about = "there"},
	{FT_TELL(ANSWER, ends), .words = "fixed|free"},
	{FT_TELL(ANSWER, reached), .about = "the requested rms error was reached; true without one"},
	{0},
};
const struct ft_tell_record cli_trace_fit_answer = {
	.name = "trace", .action = "fit", .version = 1, .row = rows};

int cli_trace_fit(void *query)
{
	struct cli_trace *t = query;
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	struct cli_model model;

	CLI_TRY(cli_trace_fitted(t, &fit, &model));
	if (t->json) {
		ANSWER answer = {cli_trace_answer(t),
				 cli_trace_answer_model(t, &model),
				 ft_pwl_start_text(fit.start),
				 t->ends ? t->ends : "fixed",
				 fit.start_rms,
				 fit.reached};

		cli_tell(&cli_trace_fit_answer, &answer, NULL);
		cli_trace_answer_clear(&answer.model);
	} else if (t->csv) {
		cli_trace_print_csv(t, &model);
	} else {
		size_t pieces = model.nodes.n - t->trace.n_parts;
		CLI_OWN char *what = cli_printed(
			"%zu straight piece%s, the search begun from %s nodes (rms error there %.6g)", pieces,
			pieces == 1 ? "" : "s",
			fit.start == FT_PWL_START_NODES ? "the given" : ft_pwl_start_text(fit.start),
			fit.start_rms);

		cli_trace_print(t, &model, what);
	}
	free(model.first);
	if (fit.reached)
		return CLI_DONE;
	(void)cli_fail("%zu pieces bring the rms error to %g only\n"
		       "hint: allow a larger one with --tolerance E, or choose the pieces with -k N",
		       model.nodes.n - t->trace.n_parts, fit.error.rms);
	return CLI_NO;
}

/*
 * Constrained placement, and smoothing of spikes.
 */

/* The options; the arrays are its own. */
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

struct smoothed {
	double begin, end;
	struct cli_answer_pair node;
	double area[2];
	size_t n_areas, ways;
};

static bool has_node(const void *answer)
{
	return !isnan(((const struct cli_answer_pair *)answer)->at[0]);
}

static const struct ft_tell_row node_rows[] = {
	{FT_TELL_MANY(ARRAY, "", struct cli_answer_pair, at, n, &ft_tell_numbers),
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

struct trace_constrain_answer {
	struct cli_answer_trace all;
	struct cli_answer_model model;
	double lambda;
	const double *keep;
	struct smoothed *smoothed;
	size_t n_keep, n_smoothed;
};

#define CONSTRAIN_TOLD struct trace_constrain_answer
static const struct ft_tell_row constrain_rows[] = {
	{FT_TELL_BY(ROWS, NULL, CONSTRAIN_TOLD, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, CONSTRAIN_TOLD, model), .of = &cli_trace_model_rows},
	{FT_TELL(CONSTRAIN_TOLD, lambda)},
	{FT_TELL_MANY(LIST, "keep", CONSTRAIN_TOLD, keep, n_keep, &ft_tell_numbers), .about = "P"},
	{FT_TELL_MANY(LIST, "smoothed", CONSTRAIN_TOLD, smoothed, n_smoothed, &smoothed),
	 .about = "spikes replaced by a node"},
	{0},
};
const struct ft_tell_record cli_trace_constrain_answer = {
	.name = "trace", .action = "constrain", .version = 1, .row = constrain_rows};

static struct smoothed answer_spike(const struct ft_pwl_spike *spike)
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

static int constrain(const struct cli_trace *t, const struct trace_wish *query)
{
	const struct ft_curves_wish wish = {.keep = query->keep,
					    .n_keep = query->n_keep,
					    .lambda = isnan(t->lambda) ? 1 : t->lambda,
					    .smooth = query->smooth,
					    .n_smooth = query->n_smooth};
	struct ft_curves_fit fit;
	struct ft_err err = {0};

	if (ft_curves_constrain(&fit, &t->curves, &wish, &err))
		return cli_error(&err);
	struct cli_model model = (struct cli_model){fit.nodes, fit.first, fit.error};
	if (t->json) {
		CONSTRAIN_TOLD answer = {
			.all = cli_trace_answer(t),
			.model = cli_trace_answer_model(t, &model),
			.lambda = wish.lambda,
			.keep = wish.keep,
			.n_keep = wish.n_keep,
			.smoothed = cli_alloc(fit.n_spikes * sizeof *answer.smoothed),
			.n_smoothed = fit.n_spikes,
		};
		size_t i;

		for (i = 0; i < fit.n_spikes; i++)
			answer.smoothed[i] = answer_spike(&fit.spike[i]);
		cli_tell(&cli_trace_constrain_answer, &answer, NULL);
		cli_trace_answer_clear(&answer.model);
		free(answer.smoothed);
	} else if (t->csv) {
		cli_trace_print_csv(t, &model);
	} else {
		size_t pieces = fit.nodes.n - t->trace.n_parts;
		CLI_OWN char *what =
			cli_printed("%zu straight piece%s of an admissible approximation (the trace: %zu)%s",
				    pieces, pieces == 1 ? "" : "s", t->trace.n - t->trace.n_parts,
				    fit.n_spikes ? ", spikes smoothed" : "");

		cli_trace_print(t, &model, what);
		for (size_t i = 0; i < fit.n_spikes; i++) {
			printf("%s", i ? "" : "\n");
			const struct ft_pwl_spike *spike = &fit.spike[i];

			char begin[FT_TRACE_TIME_LENGTH], end[FT_TRACE_TIME_LENGTH], at[FT_TRACE_TIME_LENGTH];

			printf("smoothed from %s to %s: ",
			       ft_trace_time_format(&t->trace, spike->begin, begin),
			       ft_trace_time_format(&t->trace, spike->end, end));
			if (isnan(spike->t))
				printf("a straight line, area %.6g\n", spike->area[0]);
			else
				printf("%.6g at %s, areas %.6g and %.6g%s\n", spike->y,
				       ft_trace_time_format(&t->trace, spike->t, at), spike->area[0],
				       spike->area[1], spike->ways > 1 ? "; the nearest of several" : "");
		}
	}
	ft_curves_fit_clear(&fit);
	return CLI_DONE;
}

static void clear_wish(struct trace_wish *wish)
{
	free(wish->keep);
	free(wish->smooth);
}

int cli_trace_constrain(void *query)
{
	const struct cli_trace *t = query;
	FT_CLEANUP(clear_wish) struct trace_wish wish = {0};

	CLI_TRY(read_keep(t, &wish));
	/* "auto", or intervals; comma by comma. */
	for (size_t k = 0; k < t->smooth.n; k++) {
		CLI_OWN char *text = cli_strdup(t->smooth.text[k]);

		for (char *rest = text, *word; (word = strsep(&rest, ",")) != NULL;) {
			struct ft_pwl_stretch at = {NAN, NAN};

			if (!*word)
				continue;
			if (strcmp(word, "auto") != 0)
				CLI_TRY(cli_trace_interval(t, "--smooth", word, &at.begin, &at.end));
			wish.smooth = cli_grow(wish.smooth, wish.n_smooth, sizeof *wish.smooth);
			wish.smooth[wish.n_smooth++] = at;
		}
	}
	return constrain(t, &wish);
}

/*
 * `foretime trace grow`: fit the growth of each phase's length and level with the size of a run.
 */

struct trace_row {
	const char *name, *text; /* of the trace that the rest are aligned to */
	struct ft_phase_growth of;
	struct ft_phase_law level; /* of the first column */
	struct level {
		const char *column;
		struct ft_phase_law level;
	} * more; /* [columns] of each, where there are several */
	size_t columns;
};

struct trace_grow_growing {
	const struct cli_trace *trace;
	char parameter[FT_PARAM_LENGTH];
	char (*column)[64]; /* [columns] of the levels */
	size_t columns;
	const char *first;
	struct ft_traced *run;     /* [n] */
	struct ft_phases **phases; /* [n][columns] what they borrow */
	size_t n;
	double query; /* a size; NaN: none */
	struct ft_phases_growth of;
	struct trace_row *row; /* [of.n] */
};

static int read_run(struct trace_grow_growing *g, const char *path, double size)
{
	struct cli_trace one = *g->trace;
	FT_CLEANUP(cli_columns_clear) struct cli_columns columns = {0};

	one.path = path;
	CLI_TRY(cli_columns_split(&columns, &one));
	CLI_TRY(cli_columns_read(&columns));
	if (columns.one->trace.n_parts > 1)
		return cli_fail("'%s' is in parts\nhint: --value gaps=join or gaps=zero make one of them",
				path);
	CLI_OWN struct ft_phases *found = cli_alloc(columns.n * sizeof *found);
	CLI_TRY(cli_columns_phases(&columns, found));
	if (!g->column)
		g->column = cli_alloc(columns.n * sizeof *g->column);
	g->columns = columns.n;
	for (size_t k = 0; k < columns.n; k++)
		(void)snprintf(g->column[k], sizeof g->column[k], "%s", columns.one[k].trace.value_column);
	struct ft_phases *phases = found;
	found = NULL;
	g->run = cli_grow(g->run, g->n, sizeof *g->run);
	g->phases = cli_grow(g->phases, g->n, sizeof(struct ft_phases *));
	g->phases[g->n] = phases;
	g->run[g->n++] = (struct ft_traced){size, phases};
	return CLI_DONE;
}

/* "n=100" */
static int read_size(struct trace_grow_growing *g, const char *word, double *size)
{
	size_t length = strcspn(word, "=");
	struct ft_err err = {0};

	if (length >= sizeof g->parameter ||
	    (*g->parameter && (strlen(g->parameter) != length || strncmp(g->parameter, word, length) != 0)))
		return cli_fail("'%s': sizes are of one parameter, %s", word,
				*g->parameter ? g->parameter : "n");
	(void)snprintf(g->parameter, sizeof g->parameter, "%.*s", (int)length, word);
	if (ft_number_parse(word + length + 1, size, &err))
		return cli_error_at(&err, "%s", g->parameter);
	return *size > 0 ? CLI_DONE : cli_fail("%s: a size is above 0", word);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static bool has_law(const void *answer)
{
	return ((const struct ft_phase_law *)answer)->found;
}

#define GROWTH struct ft_phase_law
static const struct ft_tell_row growth_rows[] = {
	{FT_TELL(GROWTH, law), .about = "an expression"},
	{FT_TELL(GROWTH, words), .about = "its class, with the weight of the evidence"},
	{FT_TELL(GROWTH, misfit), .about = "root mean square relative difference from the law"},
	{FT_TELL_AS("value", GROWTH, predicted.value), .about = "at the requested size",
	 .null = "no size was requested"},
	{FT_TELL_AS("lower", GROWTH, predicted.wide_lower), .null = "as value"},
	{FT_TELL_AS("upper", GROWTH, predicted.wide_upper), .null = "as value"},
	{0},
};
static const struct ft_tell_record growth = {.row = growth_rows, .there = has_law};

#define LEVEL struct level
static const struct ft_tell_row level_rows[] = {
	{FT_TELL(LEVEL, column)},
	{FT_TELL_BY(RECORD, "level", LEVEL, level), .of = &growth, .null = "as length"},
	{0},
};
static const struct ft_tell_record level_answer = {.bytes = sizeof(LEVEL), .row = level_rows};

#define ROW struct trace_row
static const struct ft_tell_row row_rows[] = {
	{FT_TELL(ROW, name)},
	{FT_TELL(ROW, text), .about = "what it does, in the trace that the rest are compared with"},
	{FT_TELL_AS("in", ROW, of.in), .about = "number of traces with this phase"},
	{FT_TELL_BY(RECORD, "length", ROW, of.length), .of = &growth, .about = "seconds",
	 .null = "fewer than two sizes have this phase"},
	{FT_TELL_BY(RECORD, "level", ROW, level), .of = &growth, .null = "as length"},
	{FT_TELL_MANY(LIST, "levels", ROW, more, columns, &level_answer),
	 .about = "of each of several columns"},
	{0},
};
static const struct ft_tell_record phase_answer = {.bytes = sizeof(ROW), .row = row_rows};

#define GROW_TOLD struct trace_grow_growing
static const struct ft_tell_row grow_rows[] = {
	{FT_TELL(GROW_TOLD, parameter)},
	{FT_TELL_AS("column", GROW_TOLD, first), .about = "of the levels"},
	{FT_TELL_AS("traces", GROW_TOLD, n)},
	{FT_TELL_AS("size", GROW_TOLD, query), .about = "the requested size",
	 .null = "no size was requested"},
	{FT_TELL_AS("total_s", GROW_TOLD, of.total_s), .about = "of all phases there",
	 .null = "no size was requested, or a phase has no law"},
	{FT_TELL_AS("lower_s", GROW_TOLD, of.lower_s), .null = "as total_s"},
	{FT_TELL_AS("upper_s", GROW_TOLD, of.upper_s), .null = "as total_s"},
	{FT_TELL_MANY(LIST, "phases", GROW_TOLD, row, of.n, &phase_answer)},
	{0},
};
const struct ft_tell_record cli_trace_grow_answer = {
	.name = "trace", .action = "grow", .version = 1, .row = grow_rows};

static void print_growth(const char *what, const GROWTH *one, const char *unit)
{
	char text[3][FT_UNIT_LENGTH];

	if (!one->found) {
		printf("   %s  too few sizes have it\n", what);
		return;
	}
	printf("   %s  %s   %s", what, one->law, one->words);
	if (!isnan(one->predicted.value))
		printf("   here %s (%s .. %s)", ft_value_format(one->predicted.value, unit, text[0]),
		       ft_value_format(one->predicted.wide_lower, unit, text[1]),
		       ft_value_format(one->predicted.wide_upper, unit, text[2]));
	putchar('\n');
}

static void print_grown(const GROW_TOLD *g)
{
	char text[3][FT_UNIT_LENGTH];

	printf("%zu phases of %zu traces over %s, levels of column%s", g->of.n, g->n, g->parameter,
	       g->columns > 1 ? "s" : "");
	for (size_t i = 0; i < g->columns; i++)
		printf("%s %s", i ? "," : "", g->column[i]);
	putchar('\n');
	for (size_t i = 0; i < g->of.n; i++) {
		const ROW *row = &g->row[i];

		printf("%s  %s", row->name, row->text);
		if (row->of.in < g->n)
			printf("; in %zu of %zu traces", row->of.in, g->n);
		putchar('\n');
		print_growth("length", &row->of.length, "s");
		if (g->columns == 1)
			print_growth("level ", &row->level, "");
		for (size_t k = 0; k < row->columns; k++)
			print_growth(row->more[k].column, &row->more[k].level, "");
	}
	if (!isnan(g->query) && !isnan(g->of.total_s))
		printf("at %s=%g all of them take %s (%s .. %s)\n", g->parameter, g->query,
		       ft_value_format(g->of.total_s, "s", text[0]),
		       ft_value_format(g->of.lower_s, "s", text[1]),
		       ft_value_format(g->of.upper_s, "s", text[2]));
}

static void clear_growing(struct trace_grow_growing *g)
{
	for (size_t i = 0; i < g->n; i++) {
		for (size_t k = 0; k < g->columns; k++)
			ft_phases_clear(&g->phases[i][k]);
		free(g->phases[i]);
	}
	for (size_t i = 0; i < g->of.n; i++)
		free(g->row[i].more);
	ft_phases_growth_clear(&g->of);
	free(g->phases);
	free(g->run);
	free(g->row);
	free(g->column);
}

int cli_trace_grow(void *query)
{
	FT_CLEANUP(clear_growing) struct trace_grow_growing g = {.trace = query};

	double size = NAN;
	bool used = true;

	g.query = NAN;
	for (size_t k = 0; k < g.trace->words; k++) {
		const char *word = g.trace->word[k];

		if (strchr(word, '=') && !strchr(word, '.') && !strchr(word, '/')) {
			if (!used)
				return cli_fail("which trace is of %s=%g?", g.parameter, size);
			CLI_TRY(read_size(&g, word, &size));
			used = false;
		} else if (isnan(size)) {
			return cli_fail("of which size is '%s'?\n"
					"hint: write foretime trace grow n=100 a.csv n=200 b.csv n=400 c.csv",
					word);
		} else {
			CLI_TRY(read_run(&g, word, size));
			used = true;
		}
	}
	if (!used)
		g.query = size;
	g.first = g.column ? g.column[0] : NULL;
	struct ft_err err = {0};

	if (ft_phases_grow(&g.of, g.run, g.n, g.columns, g.parameter, g.query, &err))
		return cli_error(&err);
	g.row = cli_alloc((g.of.n + 1) * sizeof *g.row);
	for (size_t i = 0; i < g.of.n; i++) {
		struct trace_row *row = &g.row[i];

		row->of = g.of.phase[i];
		row->name = row->of.like->name;
		row->text = row->of.like->text;
		row->level = row->of.level[0];
		row->columns = g.columns > 1 ? g.columns : 0;
		row->more = cli_alloc(g.columns * sizeof *row->more);
		for (size_t c = 0; c < g.columns; c++)
			row->more[c] = (struct level){g.column[c], row->of.level[c]};
	}
	if (g.trace->json)
		cli_tell(&cli_trace_grow_answer, &g, NULL);
	else
		print_grown(&g);
	return CLI_DONE;
}
