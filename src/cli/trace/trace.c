/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - piecewise linear models of traces: fitted, constrained, cut into phases, drawn, printed. */
#include "cli/cli.h"
#include "cli/trace/trace.h"
#include "foretime/store.h"
#include "foretime/units.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Read traces and models from files, and print them.
 */

static const char *file_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/* Report gaps that were found and handled. */
static void note_gaps(const struct cli_trace *t)
{
	static const char *const done[] = {[FT_TRACE_JOIN] = "joined by straight lines",
					   [FT_TRACE_BREAK] = "left out: the trace is in parts",
					   [FT_TRACE_ZERO] = "taken for zero"};
	const struct ft_trace *trace = &t->trace;
	char at[FT_TRACE_TIME_LENGTH], length[FT_NUMBER_LENGTH];

	if (trace->cut)
		cli_note("the last line of %s has no end, and was left out", file_name(t->path));
	if (trace->same)
		cli_note("%zu row%s of the same time as the next: the last one counts", trace->same,
			 trace->same == 1 ? "" : "s");
	if (trace->gaps && t->format.steps && t->format.gaps == FT_TRACE_JOIN)
		cli_note("%zu row%s without a value: the one before holds; --value gaps=break or gaps=zero "
			 "change that",
			 trace->gaps, trace->gaps == 1 ? "" : "s");
	else if (trace->gaps && !(t->format.steps && t->format.gaps == FT_TRACE_ZERO))
		cli_note("%zu gap%s of %s s in all, the first from %s: %s; --value gaps=join, break or zero",
			 trace->gaps, trace->gaps == 1 ? "" : "s", ft_number_format(trace->gap_s, length),
			 ft_trace_time_format(trace, trace->gap_at, at), done[t->format.gaps]);
}

/* The run of a stored trace, "run:17"; 0: the path is a file. */
static int64_t run_of(const char *path)
{
	char *end;

	if (strncmp(path, "run:", 4) != 0 || !path[4] || path[4 + strspn(path + 4, "0123456789")])
		return 0;
	long long id = strtoll(path + 4, &end, 10);
	return id > 0 && id < INT64_MAX ? id : 0;
}

static int read_stored(struct cli_trace *t, int64_t run)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	size_t length;
	CLI_OWN char *csv = NULL;

	CLI_TRY(cli_store_open(&store, t->store_path, CLI_ANSWER));
	if (ft_store_get_trace(store, run, &csv, &length, &err) ||
	    ft_trace_parse(&t->trace, t->path, csv, length, &t->format, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int trace_read(struct cli_trace *t)
{
	int64_t run = run_of(t->path);
	struct ft_err err = {0};

	if (run)
		CLI_TRY(read_stored(t, run));
	else if (ft_trace_read(&t->trace, t->path, &t->format, &err))
		return cli_error(&err);
	note_gaps(t);
	return CLI_DONE;
}

int cli_trace_curves(struct cli_trace *t)
{
	struct ft_err err = {0};

	return ft_curves_new(&t->curves, &t->trace, &err) ? cli_error(&err) : CLI_DONE;
}

/* trace_open - read the trace, report its gaps, and make its curves. Returns CLI_DONE, or the exit status
 * after a complaint; so do all below. */
static int trace_open(struct cli_trace *t)
{
	CLI_TRY(trace_read(t));
	return cli_trace_curves(t);
}

/* the second */
static void trace_close(struct cli_trace *t)
{
	ft_curves_clear(&t->curves);
	ft_trace_clear(&t->trace);
}

int cli_trace_outside(const struct cli_trace *t, const char *word)
{
	char begin[FT_TRACE_TIME_LENGTH], end[FT_TRACE_TIME_LENGTH];

	return cli_fail("the time %s is not in the trace\n"
			"hint: it goes from %s to %s",
			word, ft_trace_time_format(&t->trace, t->trace.t[0], begin),
			ft_trace_time_format(&t->trace, t->trace.t[t->trace.n - 1], end));
}

int cli_trace_times(const struct cli_trace *t, const char *option, const char *list, double **times,
		    size_t *n)
{
	CLI_OWN char *text = cli_strdup(list);
	struct ft_err err = {0};

	*times = cli_alloc((strlen(text) / 2 + 1) * sizeof **times);
	*n = 0;
	for (char *rest = text, *word; (word = strsep(&rest, ",")) != NULL;) {
		if (!*word)
			continue;
		if (ft_trace_time_parse(&t->trace, word, &(*times)[*n], &err))
			return cli_error_at(&err, "option %s", option);
		if (ft_curves_part(&t->curves, (*times)[*n]) < 0)
			return cli_trace_outside(t, word);
		++*n;
	}
	return CLI_DONE;
}

int cli_trace_interval(const struct cli_trace *t, const char *option, const char *text, double *a, double *b)
{
	if (!ft_trace_interval_parse(&t->trace, text, a, b, NULL))
		return CLI_DONE;
	return cli_fail("option %s: '%s' is not an interval\n"
			"hint: write T1:T2%s",
			option, text, strcmp(option, "--smooth") ? "" : ", or auto");
}

/* ---- models from files --------------------------------------------------------------------------------- */

/* [[t, y], ...] with times that begin at `origin`. */
static int take_nodes(const struct cli_trace *t, const char *path, const json_t *array, const char *origin,
		      struct ft_nodes *nodes)
{
	size_t n = json_array_size(array), i;
	struct ft_err err = {0};
	double shift = 0;

	if (origin && t->trace.dated && ft_trace_time_parse(&t->trace, origin, &shift, &err))
		return cli_error_at(&err, "'%s'", path);
	nodes->t = cli_alloc((n + 1) * sizeof *nodes->t);
	nodes->y = cli_alloc((n + 1) * sizeof *nodes->y);
	for (i = 0; i < n; i++) {
		const json_t *node = json_array_get(array, i);
		const json_t *time = json_array_get(node, 0), *value = json_array_get(node, 1);

		if (!json_is_number(time) || !json_is_number(value))
			return cli_fail("'%s': node %zu is not [time, value]", path, i);
		nodes->t[i] = shift + json_number_value(time);
		nodes->y[i] = json_number_value(value);
		if (i && !(nodes->t[i] > nodes->t[i - 1]))
			return cli_fail("'%s': node %zu is not later than the one before", path, i);
	}
	nodes->n = n;
	return CLI_DONE;
}

static int nodes_from_json(const struct cli_trace *t, const char *path, const char *bytes, size_t length,
			   struct ft_nodes *nodes)
{
	struct ft_err err = {0};
	json_t *object;
	int status;

	if (ft_tell_parse(path, bytes, length, &object, &err))
		return cli_fail("%s\n"
				"hint: it must be what foretime trace fit --json or --csv prints",
				err.text);
	json_t *array = json_object_get(object, "nodes");
	if (json_is_array(array) && json_array_size(array)) {
		status = take_nodes(t, path, array, json_string_value(json_object_get(object, "origin")),
				    nodes);
	} else {
		status = cli_fail("'%s' has no nodes\n"
				  "hint: it must be what foretime trace fit --json or --csv prints",
				  path);
	}
	json_decref(object);
	return status;
}

static int nodes_from_csv(const struct cli_trace *t, const char *path, const char *bytes, size_t length,
			  struct ft_nodes *nodes)
{
	const struct ft_trace_format format = {0};
	struct ft_trace model;
	struct ft_err err = {0};

	if (ft_trace_parse(&model, path, bytes, length, &format, &err))
		return cli_error(&err);
	nodes->t = cli_alloc(model.n * sizeof *nodes->t);
	nodes->y = cli_alloc(model.n * sizeof *nodes->y);
	nodes->n = model.n;
	for (size_t i = 0; i < model.n; i++) {
		nodes->t[i] = model.t[i];
		if (model.dated && t->trace.dated)
			nodes->t[i] += (double)(model.origin_ns - t->trace.origin_ns) / 1e9;
		nodes->y[i] = model.y[i];
	}
	ft_trace_clear(&model);
	return CLI_DONE;
}

int cli_trace_file_nodes(const struct cli_trace *t, const char *path, struct ft_nodes *nodes)
{
	struct ft_err err = {0};
	size_t length, i = 0;
	CLI_OWN char *bytes = NULL;

	*nodes = (struct ft_nodes){0};
	if (!strcmp(path, "-") && !strcmp(t->path, "-"))
		return cli_fail("standard input is the trace: it cannot be a model too");
	if (ft_tell_read(path, &bytes, &length, &err))
		return cli_error(&err);
	while (i < length && strchr(" \n\t\r", bytes[i]) && bytes[i])
		i++;
	int status = i < length && bytes[i] == '{' ? nodes_from_json(t, path, bytes, length, nodes)
						   : nodes_from_csv(t, path, bytes, length, nodes);
	if (status != CLI_DONE)
		ft_nodes_clear(nodes);
	return status;
}

/* ---- output ----------------------------------------------------------------------------------- */

#define ALL struct cli_answer_trace
static const struct ft_tell_row all_rows[] = {
	{FT_TELL(ALL, source)},
	{FT_TELL_AS("time", ALL, trace.time_column), .about = "the column of times: its name or number"},
	{FT_TELL_AS("value", ALL, trace.value_column), .about = "the column of values"},
	{FT_TELL(ALL, origin), .about = "of dates: the first one; every time is seconds since then",
	 .null = "times are as in the file"},
	{FT_TELL_AS("rows", ALL, trace.rows), .about = "of the file that had a time"},
	{FT_TELL_AS("points", ALL, trace.n), .about = "of the trace, after gaps and steps were dealt with"},
	{FT_TELL(ALL, begin)},
	{FT_TELL(ALL, end)},
	{FT_TELL(ALL, steps), .about = "each value held until the next row"},
	{FT_TELL(ALL, step_s), .about = "width of the steep piece that stands for a jump",
	 .null = "there are none"},
	{FT_TELL_AS("gaps", ALL, trace.gaps), .about = "found"},
	{FT_TELL_AS("gaps_s", ALL, trace.gap_s), .about = "their length in all"},
	{FT_TELL(ALL, gaps_as), .words = "join|break|zero", .about = "what was done about them"},
	{0},
};
const struct ft_tell_record cli_trace_rows = {.row = all_rows};

ALL cli_trace_answer(const struct cli_trace *t)
{
	static const char *const gaps[] = {
#define GAPS_TEXT(name, words) words,
		FT_TRACE_GAPS_LIST(GAPS_TEXT)
#undef GAPS_TEXT
	};
	const struct ft_trace *trace = &t->trace;
	ALL answer = {
		.source = file_name(t->path),
		.trace = *trace,
		.begin = trace->t[0],
		.end = trace->t[trace->n - 1],
		.step_s = trace->step_s > 0 ? trace->step_s : (double)NAN,
		.steps = t->format.steps,
		.gaps_as = gaps[t->format.gaps],
	};

	if (trace->dated)
		(void)ft_trace_time_format(trace, 0, answer.origin);
	return answer;
}

#define PAIR struct cli_answer_pair
static const struct ft_tell_row pair_rows[] = {
	{FT_TELL_MANY(ARRAY, "", PAIR, at, n, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record cli_trace_pair = {.bytes = sizeof(PAIR), .row = pair_rows};

#define MODEL struct cli_answer_model
static const struct ft_tell_row model_rows[] = {
	{FT_TELL(MODEL, pieces)},
	{FT_TELL_MANY(LIST, "nodes", MODEL, node, n, &cli_trace_pair),
	 .about = "[time, value], joined by straight lines"},
	{FT_TELL_MANY(LIST, "breaks", MODEL, gap, n_gaps, &cli_trace_pair),
	 .about = "from the end of one part to the begin of the next: no line there"},
	{FT_TELL_AS("rms_error", MODEL, error.rms),
	 .about = "root of the mean over time of (trace - model)^2"},
	{FT_TELL_AS("max_error", MODEL, error.max), .about = "the largest |trace - model|"},
	{FT_TELL_AS("max_error_at", MODEL, error.max_at)},
	{FT_TELL_AS("area", MODEL, error.area), .about = "the integral of the model"},
	{FT_TELL_AS("area_data", MODEL, error.area_data), .about = "that of the trace"},
	{FT_TELL_AS("least", MODEL, error.least), .about = "of the model"},
	{FT_TELL_AS("most", MODEL, error.most)},
	{0},
};
const struct ft_tell_record cli_trace_model_rows = {.row = model_rows};

MODEL cli_trace_answer_model(const struct cli_trace *t, const struct cli_model *model)
{
	MODEL answer = {
		.pieces = model->nodes.n - t->trace.n_parts,
		.node = cli_alloc(model->nodes.n * sizeof *answer.node),
		.gap = cli_alloc(t->trace.n_parts * sizeof *answer.gap),
		.n = model->nodes.n,
		.n_gaps = t->trace.n_parts - 1,
		.error = model->error,
	};
	size_t i;

	for (i = 0; i < answer.n; i++)
		answer.node[i] = (PAIR){{model->nodes.t[i], model->nodes.y[i]}, 2};
	for (i = 0; i < answer.n_gaps; i++)
		answer.gap[i] =
			(PAIR){{ft_pwl_end(t->curves.part[i]), ft_pwl_begin(t->curves.part[i + 1])}, 2};
	return answer;
}

void cli_trace_answer_clear(MODEL *answer)
{
	free(answer->node);
	free(answer->gap);
}

void cli_trace_headline(const struct cli_trace *t, FILE *file)
{
	const struct ft_trace *trace = &t->trace;
	char begin[FT_TRACE_TIME_LENGTH], end[FT_TRACE_TIME_LENGTH], width[FT_NUMBER_LENGTH];

	fprintf(file, "%s: column %s over %s, %zu rows from %s to %s\n", file_name(t->path),
		trace->value_column, trace->time_column, trace->rows,
		ft_trace_time_format(trace, trace->t[0], begin),
		ft_trace_time_format(trace, trace->t[trace->n - 1], end));
	if (trace->step_s > 0)
		fprintf(file, "jumps are steep pieces, %s s wide\n", ft_number_format(trace->step_s, width));
}

static void print_error(const struct cli_trace *t, const struct ft_pwl_error *error)
{
	char at[FT_TRACE_TIME_LENGTH];
	const struct ft_curves_summary s = ft_curves_summarise(&t->curves);

	printf("rms error %.6g, largest error %.6g at %s\n", error->rms, error->max,
	       ft_trace_time_format(&t->trace, error->max_at, at));
	printf("area %.10g, of the data %.10g (%+.2g %%)\n", error->area, error->area_data,
	       error->area_data != 0 ? 100 * (error->area - error->area_data) / fabs(error->area_data) : 0);
	printf("values from %.6g to %.6g, of the data from %.6g to %.6g\n\n", error->least, error->most,
	       s.range[0], s.range[1]);
}

void cli_trace_print(const struct cli_trace *t, const struct cli_model *model, const char *what)
{
	struct cli_table table = {0};
	char time[FT_TRACE_TIME_LENGTH], number[FT_NUMBER_LENGTH];
	size_t part = 0;

	cli_trace_headline(t, stdout);
	puts(what);
	print_error(t, &model->error);
	cli_table_head(&table, ">time");
	cli_table_head(&table, ">value");
	cli_table_head(&table, "");
	for (size_t i = 0; i < model->nodes.n; i++) {
		bool ends = i + 1 == model->first[part + 1] && part + 1 < t->trace.n_parts;

		cli_table_add(&table, "%s",
			      t->trace.dated
				      ? ft_trace_time_format(&t->trace, model->nodes.t[i], time)
				      : (snprintf(time, sizeof time, "%.9g", model->nodes.t[i]), time));
		(void)snprintf(number, sizeof number, "%.6g", model->nodes.y[i]);
		cli_table_add(&table, "%s", number);
		cli_table_add(&table, "%s", ends ? "a gap follows" : "");
		part += ends;
	}
	cli_table_print(&table, stdout);
}

void cli_trace_print_csv(const struct cli_trace *t, const struct cli_model *model)
{
	const struct ft_pwl_error *error = &model->error;
	char a[FT_NUMBER_LENGTH], b[FT_NUMBER_LENGTH], date[FT_TRACE_TIME_LENGTH];
	bool dated = t->trace.dated;
	size_t part = 0;

	printf("# rms_error: %s\n", ft_number_format(error->rms, a));
	printf("# max_error: %s\n", ft_number_format(error->max, a));
	printf("# area: %s\n# area_data: %s\n", ft_number_format(error->area, a),
	       ft_number_format(error->area_data, b));
	if (dated)
		printf("# origin: %s\n", ft_trace_time_format(&t->trace, 0, date));
	puts(dated ? "t,y,date" : "t,y");
	for (size_t i = 0; i < model->nodes.n; i++) {
		printf("%s,%s", ft_number_format(model->nodes.t[i], a),
		       ft_number_format(model->nodes.y[i], b));
		if (dated)
			printf(",%s", ft_trace_time_format(&t->trace, model->nodes.t[i], date));
		putchar('\n');
		if (i + 1 == model->first[part + 1] && part + 1 < t->trace.n_parts) {
			double middle = model->nodes.t[i] / 2 + model->nodes.t[i + 1] / 2;

			printf("%s,%s\n", ft_number_format(middle, a), dated ? "," : "");
			part++;
		}
	}
}

/*
 * Read several columns of one file.
 */

int cli_columns_split(struct cli_columns *columns, const struct cli_trace *query)
{
	char *rest, *word;

	*columns = (struct cli_columns){0};
	rest = columns->names = cli_strdup(query->format.value ? query->format.value : "");
	while ((word = strsep(&rest, ",")) != NULL) {
		columns->one = cli_grow(columns->one, columns->n, sizeof *columns->one);
		columns->one[columns->n] = *query;
		columns->one[columns->n++].format.value = *word ? word : NULL;
		if (!*word && (rest || columns->n > 1))
			return cli_fail("--value: a name is missing between two commas");
	}
	return CLI_DONE;
}

int cli_columns_read(struct cli_columns *columns)
{

	if (columns->n > 1 && !strcmp(columns->one->path, "-"))
		return cli_fail("several columns cannot be read from standard input, which comes once\n"
				"hint: write it to a file, and name that");
	for (size_t k = 0; k < columns->n; k++)
		CLI_TRY(trace_read(&columns->one[k]));
	return CLI_DONE;
}

/* With the same times. */
static int meet(struct cli_columns *columns)
{
	CLI_OWN struct ft_trace *trace = cli_alloc(columns->n * sizeof *trace);
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (size_t k = 0; k < columns->n; k++)
		trace[k] = columns->one[k].trace;
	if (ft_traces_meet(trace, columns->n, &err))
		status = cli_error(&err);
	for (size_t k = 0; k < columns->n; k++)
		columns->one[k].trace = trace[k];
	return status;
}

int cli_columns_phases(struct cli_columns *columns, struct ft_phases *out)
{
	CLI_OWN const struct ft_pwl **f = cli_alloc(columns->n * sizeof *f);
	struct ft_err err = {0};

	if (columns->n > 1)
		CLI_TRY(meet(columns));
	for (size_t k = 0; k < columns->n; k++) {
		CLI_TRY(cli_trace_curves(&columns->one[k]));
		f[k] = columns->one[k].curves.part[0];
	}
	if (ft_pwl_phases_together(out, f, columns->n, columns->one->pieces, &err))
		return cli_error(&err);
	return CLI_DONE;
}

void cli_columns_clear(struct cli_columns *columns)
{
	for (size_t k = 0; k < columns->n; k++)
		trace_close(&columns->one[k]);
	free(columns->one);
	free(columns->names);
	*columns = (struct cli_columns){0};
}

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
		answer->value[i] = (PAIR){
			{times[i], ft_pwl_at(t->curves.part[ft_curves_part(&t->curves, times[i])], times[i])},
			2};
	return CLI_DONE;
}

/* Points, and where a part of the trace ends between them. */
static void take_drawn(SHOW *answer, const struct ft_nodes *few)
{
	answer->drawn = cli_alloc((few->n + 1) * sizeof *answer->drawn);
	answer->gap = cli_alloc((few->n + 1) * sizeof *answer->gap);
	for (size_t i = 0; i < few->n; i++)
		if (isnan(few->y[i]))
			answer->gap[answer->n_gaps++] = (PAIR){{few->t[i - 1], few->t[i + 1]}, 2};
		else
			answer->drawn[answer->n_drawn++] = (PAIR){{few->t[i], few->y[i]}, 2};
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
	take_drawn(answer, &few);
	return CLI_DONE;
}

static void print_trace(const struct cli_trace *t, const SHOW *answer)
{
	const struct ft_curves_summary *s = &answer->summary;
	char at[FT_TRACE_TIME_LENGTH], again[FT_TRACE_TIME_LENGTH];

	cli_trace_headline(t, stdout);
	printf("%zu part%s, %.9g s in all, rows %.6g to %.6g s apart\n", t->trace.n_parts,
	       t->trace.n_parts == 1 ? "" : "s", s->length, s->shortest, s->longest);
	printf("mean %.6g, standard deviation %.6g, area %.10g\n", s->mean, s->deviation, s->area);
	printf("least %.6g at %s, most %.6g at %s\n", s->range[0],
	       ft_trace_time_format(&t->trace, s->at[0], at), s->range[1],
	       ft_trace_time_format(&t->trace, s->at[1], again));
	for (size_t i = 0; i < answer->n_values; i++)
		printf("%.6g at %s\n", answer->value[i].at[1],
		       ft_trace_time_format(&t->trace, answer->value[i].at[0], at));
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
	if (t->json)
		cli_tell(&cli_trace_show_answer, &answer, NULL);
	else
		print_trace(t, &answer);
	return CLI_DONE;
}

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
	    words.action->act != cli_trace_phases) /* these read several */
		status = trace_open(&t);
	if (status == CLI_DONE)
		status = words.action->act(&t);
	trace_close(&t);
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
