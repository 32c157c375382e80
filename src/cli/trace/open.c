/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - read traces and models from files, and print them */
#include "cli/cli.h"
#include "cli/trace/trace.h"
#include "foretime/base.h"
#include "foretime/store.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *file_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
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
	/* Report gaps that were found and handled. */
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
	return CLI_DONE;
}

int cli_trace_curves(struct cli_trace *t)
{
	struct ft_err err = {0};

	return ft_curves_new(&t->curves, &t->trace, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_trace_open(struct cli_trace *t)
{
	CLI_TRY(trace_read(t));
	return cli_trace_curves(t);
}

void cli_trace_close(struct cli_trace *t)
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
const struct ft_tell_record cli_trace_pair = {.bytes = sizeof(PAIR), .row = pair_rows};

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

void cli_trace_print(const struct cli_trace *t, const struct cli_model *model, const char *what)
{
	struct cli_table table = {0};
	char time[FT_TRACE_TIME_LENGTH], number[FT_NUMBER_LENGTH];
	size_t part = 0;

	cli_trace_headline(t, stdout);
	puts(what);
	const struct ft_pwl_error *error = &model->error;

	char at[FT_TRACE_TIME_LENGTH];
	const struct ft_curves_summary s = ft_curves_summarise(&t->curves);

	printf("rms error %.6g, largest error %.6g at %s\n", error->rms, error->max,
	       ft_trace_time_format(&t->trace, error->max_at, at));
	printf("area %.10g, of the data %.10g (%+.2g %%)\n", error->area, error->area_data,
	       error->area_data != 0 ? 100 * (error->area - error->area_data) / fabs(error->area_data) : 0);
	printf("values from %.6g to %.6g, of the data from %.6g to %.6g\n\n", error->least, error->most,
	       s.range[0], s.range[1]);
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

int cli_columns_phases(struct cli_columns *columns, struct ft_phases *out)
{
	CLI_OWN const struct ft_pwl **f = cli_alloc(columns->n * sizeof *f);
	struct ft_err err = {0};

	if (columns->n > 1) {
		/* With the same times. */
		CLI_OWN struct ft_trace *trace = cli_alloc(columns->n * sizeof *trace);
		int status = CLI_DONE;

		for (size_t k = 0; k < columns->n; k++)
			trace[k] = columns->one[k].trace;
		if (ft_traces_meet(trace, columns->n, &err))
			status = cli_error(&err);
		for (size_t k = 0; k < columns->n; k++)
			columns->one[k].trace = trace[k];
		CLI_TRY(status);
	}
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
		cli_trace_close(&columns->one[k]);
	free(columns->one);
	free(columns->names);
	*columns = (struct cli_columns){0};
}
