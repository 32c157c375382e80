/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c - finds the phases of a trace. */
#include "cli/cli.h"
#include "cli/trace/trace.h"
#include "foretime/base.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Draw a trace, its models and their nodes.
 */

enum { COLUMNS = 600, SERIES = 2 * FT_FIELD_TEXTS_MOST + 3 };

/* The picture; the arrays are its own. */
struct picture {
	struct ft_series series[SERIES];
	char *title[SERIES];
	size_t n;
	double base; /* seconds since 1970 of the times' zero; 0: they are no dates */
};

static void add_series(struct picture *p, char *title, bool points, double *x, double *y, size_t n)
{
	p->series[p->n] = (struct ft_series){.title = title, .x = x, .y = y, .n = n};
	p->series[p->n].kind = points ? FT_SERIES_POINTS : FT_SERIES_LINE;
	p->title[p->n++] = title;
}

static void clear_picture(struct picture *p)
{
	while (p->n-- > 0) {
		free((void *)(uintptr_t)p->series[p->n].x);
		free((void *)(uintptr_t)p->series[p->n].y);
		free(p->title[p->n]);
	}
}

static void add_model(struct picture *p, const struct ft_nodes *nodes, char *title)
{
	double *x = cli_alloc(nodes->n * sizeof *x), *y = cli_alloc(nodes->n * sizeof *y);
	double *u = cli_alloc(nodes->n * sizeof *u), *v = cli_alloc(nodes->n * sizeof *v);

	for (size_t i = 0; i < nodes->n; i++) {
		x[i] = u[i] = nodes->t[i] + p->base;
		y[i] = v[i] = nodes->y[i];
	}
	add_series(p, title, false, x, y, nodes->n);
	add_series(p, p->n > 2 ? NULL : cli_strdup("nodes"), true, u, v, nodes->n);
}

/* A file without its folders. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The models: those of files, or a new fit. */
static int add_models(struct picture *p, struct cli_trace *t)
{
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	struct cli_model model;

	for (size_t i = 0; i < t->models.n; i++) {
		FT_CLEANUP(ft_nodes_clear) struct ft_nodes nodes = {0};

		CLI_TRY(cli_trace_file_nodes(t, t->models.text[i], &nodes));
		add_model(p, &nodes,
			  cli_printed("%s: %zu pieces", base_name(t->models.text[i]),
				      nodes.n ? nodes.n - 1 : 0));
	}
	if (t->models.n)
		return CLI_DONE;
	CLI_TRY(cli_trace_fitted(t, &fit, &model));
	add_model(p, &fit.nodes,
		  cli_printed("fit: %zu pieces, rms error %.4g", fit.nodes.n - t->trace.n_parts,
			      fit.error.rms));
	free(model.first);
	return CLI_DONE;
}

/* Whether the name of the time column says that it is in seconds. */
static bool counts_seconds(const char *name)
{
	size_t length = strlen(name);

	return !strcmp(name, "seconds") || (length > 2 && !strcmp(name + length - 2, "_s"));
}

int cli_trace_plot(void *query)
{
	struct cli_trace *t = query;
	const struct ft_trace *trace = &t->trace;
	const char *name = strcmp(t->path, "-") ? base_name(t->path) : "standard input";
	bool seconds = !trace->dated && counts_seconds(trace->time_column) &&
		       trace->t[0] <= trace->t[trace->n - 1] / 2;
	FT_CLEANUP(clear_picture)
	struct picture p = {.base = trace->dated ? (double)trace->origin_ns / 1e9 : 0};
	CLI_OWN char *label = trace->dated ? cli_strdup("time (UTC)")
			      : seconds    ? cli_printed("time (%s)", trace->time_column)
					   : cli_strdup(trace->time_column),
		     *title = cli_printed("%s: %s", name, trace->value_column), *text = NULL;
	struct ft_panel panel = {.x_label = label,
				 .y_label = trace->value_column,
				 .x_unit = trace->dated ? "date"
					   : seconds    ? "s"
							: NULL,
				 .series = p.series};
	struct ft_err err = {0};

	/* Thin out many points without losing a spike. */
	struct ft_nodes few;

	if (ft_trace_thin(&few, trace, trace->t[0], trace->t[trace->n - 1], COLUMNS, &err))
		return cli_error(&err);
	for (size_t i = 0; i < few.n; i++)
		few.t[i] += p.base;
	add_series(&p, cli_strdup("trace"), false, few.t, few.y, few.n);
	CLI_TRY(add_models(&p, t));
	panel.n = p.n;
	if (ft_plot_draw(title, &panel, 1, t->output,
			 t->width || t->output ? (int)t->width : (int)cli_terminal_width(stdout), t->dark,
			 t->output ? NULL : &text, &err))
		return cli_error(&err);
	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	return CLI_DONE;
}

/*
 * Finds the phases of a trace.
 */

/* The phases of a column, of all parts. */
struct trace_column {
	struct cli_trace *t; /* of the requested columns */
	struct ft_phases of;
	struct ft_spikes up, down;
};

/* One column is cut part by part; several are cut at the same times. */
static int find_phases(struct trace_column *c, struct cli_columns *columns)
{
	struct ft_err err = {0};

	if (columns->n == 1) {
		CLI_TRY(cli_trace_curves(c->t));
		if (ft_curves_phases(&c->of, &c->t->curves, c->t->pieces, &err))
			return cli_error(&err);
		return CLI_DONE;
	}
	CLI_OWN struct ft_phases *found = cli_alloc(columns->n * sizeof *found);
	CLI_TRY(cli_columns_phases(columns, found));
	for (size_t k = 0; k < columns->n; k++)
		c[k].of = found[k];
	return CLI_DONE;
}

static int find_spikes(struct trace_column *c)
{
	struct ft_err err = {0};

	if (ft_curves_spikes(&c->up, &c->t->curves, &c->of, false, &err) ||
	    ft_curves_spikes(&c->down, &c->t->curves, &c->of, true, &err))
		return cli_error(&err);
	return CLI_DONE;
}

#define PHASE struct ft_phase
static const struct ft_tell_row phase_rows[] = {
	{FT_TELL(PHASE, name), .about = "the same for phases at about the same level; A is the highest"},
	{FT_TELL(PHASE, begin)},
	{FT_TELL(PHASE, end)},
	{FT_TELL(PHASE, level), .about = "mean over time"},
	{FT_TELL(PHASE, slope), .about = "per second, of the nearest line"},
	{FT_TELL(PHASE, from), .about = "that line at begin"},
	{FT_TELL(PHASE, to), .about = "and at end"},
	{FT_TELL_AS("rms_error", PHASE, rms), .about = "about that line"},
	{FT_TELL(PHASE, work), .about = "the integral"},
	{FT_TELL(PHASE, share), .about = "of the work of all", .null = "there is none"},
	{FT_TELL(PHASE, text), .about = "what it does, in words"},
	{0},
};
static const struct ft_tell_record phases = {.bytes = sizeof(PHASE), .row = phase_rows};

#define SPIKES struct ft_spikes
static const struct ft_tell_row spikes_rows[] = {
	{FT_TELL_AS("count", SPIKES, n)},
	{FT_TELL_AS("period_s", SPIKES, period), .about = "0: they come at no equal times"},
	{FT_TELL_AS("height", SPIKES, height), .about = "off the phase's line, on average"},
	{FT_TELL_MANY(LIST, "times", SPIKES, t, n, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record spikes = {.row = spikes_rows};

#define COLUMN struct answer_column
struct answer_column {
	const char *value;
	struct ft_phases of;
	SPIKES up, down;
};

static const struct ft_tell_row column_rows[] = {
	{FT_TELL_MANY(LIST, "phases", COLUMN, of.phase, of.n, &phases)},
	{FT_TELL_BY(RECORD, "spikes", COLUMN, up), .of = &spikes, .about = "short, and above their phase"},
	{FT_TELL_BY(RECORD, "dips", COLUMN, down), .of = &spikes, .about = "below it"},
	{FT_TELL_AS("work", COLUMN, of.work), .about = "of all"},
	{FT_TELL_AS("rms_error", COLUMN, of.rms), .about = "of the trace about the phases' lines"},
	{0},
};
static const struct ft_tell_record column_alone = {.row = column_rows};

static const struct ft_tell_row named_rows[] = {
	{FT_TELL(COLUMN, value), .about = "the column"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &column_alone},
	{0},
};
static const struct ft_tell_record column_named = {.bytes = sizeof(COLUMN), .row = named_rows};

struct trace_phases_answer {
	struct cli_answer_trace all;
	COLUMN first;
	COLUMN *column; /* [columns] NULL: there is one */
	size_t columns;
};

#define ANSWER struct trace_phases_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, ANSWER, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, ANSWER, first), .of = &column_alone},
	{FT_TELL_MANY(LIST, "columns", ANSWER, column, columns, &column_named),
	 .about = "of each: cut at the same times; above stands what the first has",
	 .absent = "there is one"},
	{0},
};
const struct ft_tell_record cli_trace_phases_answer = {
	.name = "trace", .action = "phases", .version = 1, .row = rows};

static void print_phases_json(const struct trace_column *c, size_t n)
{
	CLI_OWN COLUMN *column = cli_alloc(n * sizeof *column);
	ANSWER answer = {.all = cli_trace_answer(c->t), .columns = n > 1 ? n : 0};
	size_t k;

	for (k = 0; k < n; k++)
		column[k] = (COLUMN){c[k].t->trace.value_column, c[k].of, c[k].up, c[k].down};
	answer.first = column[0];
	answer.column = n > 1 ? column : NULL;
	cli_tell(&cli_trace_phases_answer, &answer, NULL);
}

static void print_cell(const char *text)
{
	printf(strpbrk(text, ",\"") ? "\"%s\"" : "%s", text);
}

static void print_csv_row(const PHASE *p)
{
	char number[5][FT_NUMBER_LENGTH];

	printf("%s,%s,%s,%s,%s,%s,%.6g,%.6g,", p->name, ft_number_format(p->begin, number[0]),
	       ft_number_format(p->end, number[1]), ft_number_format(p->level, number[2]),
	       ft_number_format(p->slope, number[3]), ft_number_format(p->work, number[4]), p->share, p->rms);
	print_cell(p->text);
	putchar('\n');
}

/* A hundred thousandth of the trace is near enough for people. */
static const char *short_time(const struct cli_trace *t, double at, char text[FT_TRACE_TIME_LENGTH])
{
	double length = t->trace.t[t->trace.n - 1] - t->trace.t[0];
	int digits = (int)fmin(fmax(5 - floor(log10(length)), 0), 15);

	if (t->trace.dated)
		return ft_trace_time_format(&t->trace, length < 1e5 ? at : round(at), text);
	(void)snprintf(text, FT_TRACE_TIME_LENGTH, fabs(at) < 1e15 ? "%.*f" : "%.*g", digits, at);
	return text;
}

/* "14 daily spikes" */
static void print_spikes(const struct ft_spikes *s, const char *what)
{
	static const struct {
		double seconds;
		const char *word;
	} usual[] = {{60, " every minute"}, {3600, " hourly"}, {86400, " daily"}, {604800, " weekly"}};
	const char *word = "";
	char text[FT_UNIT_LENGTH];
	size_t i;

	if (!s->n)
		return;
	for (i = 0; i < sizeof usual / sizeof *usual; i++)
		if (s->period > 0 && fabs(s->period / usual[i].seconds - 1) < 0.05)
			word = usual[i].word;
	if (i && !strcmp(word, " every minute"))
		printf("%zu %s%s%s", s->n, what, s->n == 1 ? "" : "s", word);
	else
		printf("%zu%s %s%s", s->n, word, what, s->n == 1 ? "" : "s");
	if (s->period > 0 && !*word)
		printf(", every %s", ft_value_format(s->period, "s", text));
	printf(", %.3g %s on average\n", s->height, *what == 's' ? "high" : "deep");
}

static void print_together(const struct trace_column *c, size_t n)
{
	struct cli_table table = {0};
	char text[FT_TRACE_TIME_LENGTH];

	cli_trace_headline(c->t, stdout);
	printf("%zu phase%s of %zu columns together, mean level of each\n", c->of.n, c->of.n == 1 ? "" : "s",
	       n);
	putchar('\n');
	char head[80];

	cli_table_head(&table, "phase");
	cli_table_head(&table, ">start");
	cli_table_head(&table, ">end");
	for (size_t k = 0; k < n; k++) {
		(void)snprintf(head, sizeof head, ">%s", c[k].t->trace.value_column);
		cli_table_head(&table, head);
	}
	cli_table_head(&table, "what");
	for (size_t i = 0; i < c->of.n; i++) {
		/* "busy steady at 90 % of the peak; rss rises from 10 to 80 % of the peak" */
		CLI_OWN char *words = NULL;

		for (size_t k = 0; k < n; k++)
			cli_reprint(&words, "%s%s%s %s", words ? words : "", k ? "; " : "",
				    c[k].t->trace.value_column, c[k].of.phase[i].text);

		cli_table_add(&table, "%s", c->of.phase[i].name);
		cli_table_add(&table, "%s", short_time(c->t, c->of.phase[i].begin, text));
		cli_table_add(&table, "%s", short_time(c->t, c->of.phase[i].end, text));
		for (size_t k = 0; k < n; k++)
			cli_table_add(&table, "%.4g", c[k].of.phase[i].level);
		cli_table_add(&table, "%s", words);
	}
	cli_table_print(&table, stdout);
}

/* ---- columns ------------------------------------------------------------------------------------- */

int cli_trace_phases(void *query)
{
	const struct cli_trace *t = query;
	struct cli_columns columns;
	int status = cli_columns_split(&columns, t);
	size_t n = columns.n;
	CLI_OWN struct trace_column *c = cli_alloc(n * sizeof *c);

	for (size_t k = 0; k < n; k++)
		c[k].t = &columns.one[k];
	if (status == CLI_DONE)
		status = cli_columns_read(&columns);
	if (status == CLI_DONE)
		status = find_phases(c, &columns);
	for (size_t k = 0; k < n && status == CLI_DONE; k++)
		status = find_spikes(&c[k]);
	if (status == CLI_DONE) {
		if (t->json) {
			print_phases_json(c, n);
		} else if (t->csv) {
			char number[2][FT_NUMBER_LENGTH];

			if (n == 1)
				printf("# rms_error: %s\n# work: %s\n",
				       ft_number_format(c->of.rms, number[0]),
				       ft_number_format(c->of.work, number[1]));
			printf("%sname,begin,end,level,slope,work,share,rms_error,text\n",
			       n > 1 ? "column," : "");
			for (size_t k = 0; k < n; k++)
				for (size_t i = 0; i < c[k].of.n; i++) {
					if (n > 1) {
						print_cell(c[k].t->trace.value_column);
						putchar(',');
					}
					print_csv_row(&c[k].of.phase[i]);
				}
		} else if (n > 1) {
			print_together(c, n);
		} else {
			const struct ft_phases *of = &c->of;
			struct cli_table table = {0};
			char text[FT_TRACE_TIME_LENGTH], percent[FT_UNIT_LENGTH];

			cli_trace_headline(c->t, stdout);
			printf("%zu phase%s, work %.6g, rms error %.6g\n", of->n, of->n == 1 ? "" : "s",
			       of->work, of->rms);
			print_spikes(&c->up, "spike");
			print_spikes(&c->down, "dip");
			putchar('\n');
			cli_table_heads(&table, "phase", ">start", ">end", ">mean level", ">slope (1/s)",
					">work", "what", NULL);
			for (size_t i = 0; i < of->n; i++) {
				const struct ft_phase *p = &of->phase[i];

				cli_table_add(&table, "%s", p->name);
				cli_table_add(&table, "%s", short_time(c->t, p->begin, text));
				cli_table_add(&table, "%s", short_time(c->t, p->end, text));
				cli_table_add(&table, "%.4g", p->level);
				cli_table_add(&table, "%.3g", p->slope);
				cli_table_add(&table, "%s",
					      isnan(p->share) ? "" : ft_share_format(p->share, percent));
				cli_table_add(&table, "%s", p->text);
			}
			cli_table_print(&table, stdout);
		}
	}
	for (size_t k = 0; k < n; k++) {
		ft_phases_clear(&c[k].of);
		ft_spikes_clear(&c[k].up);
		ft_spikes_clear(&c[k].down);
	}
	cli_columns_clear(&columns);
	return status;
}
