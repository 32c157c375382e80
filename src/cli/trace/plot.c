/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - a trace, its models and their nodes as a picture. */
#include "cli/common.h"
#include "cli/trace/trace.h"
#include "cli/terminal.h"
#include "foretime/plot.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 600, SERIES = 2 * FT_FIELD_TEXTS_MOST + 3 };

/* What is drawn; the arrays are its own. */
struct picture {
	struct ft_series series[SERIES];
	char *title[SERIES];
	size_t n;
	double unit, base; /* of the time axis */
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

/* Of many points few: no spike is lost. */
static int add_data(struct picture *p, const struct ft_trace *trace)
{
	struct ft_nodes few;
	struct ft_err err = {0};

	if (ft_trace_thin(&few, trace, trace->t[0], trace->t[trace->n - 1], COLUMNS, &err))
		return cli_error(&err);
	for (size_t i = 0; i < few.n; i++)
		few.t[i] = (few.t[i] - p->base) / p->unit;
	add_series(p, cli_strdup("trace"), false, few.t, few.y, few.n);
	return CLI_DONE;
}

static void add_model(struct picture *p, const struct ft_nodes *nodes, char *title)
{
	double *x = cli_alloc(nodes->n * sizeof *x), *y = cli_alloc(nodes->n * sizeof *y);
	double *u = cli_alloc(nodes->n * sizeof *u), *v = cli_alloc(nodes->n * sizeof *v);

	for (size_t i = 0; i < nodes->n; i++) {
		x[i] = u[i] = (nodes->t[i] - p->base) / p->unit;
		y[i] = v[i] = nodes->y[i];
	}
	add_series(p, title, false, x, y, nodes->n);
	add_series(p, NULL, true, u, v, nodes->n);
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

/* Does the name of the time column say that it counts seconds? */
static bool counts_seconds(const char *name)
{
	size_t length = strlen(name);

	return !strcmp(name, "seconds") || (length > 2 && !strcmp(name + length - 2, "_s"));
}

/* Seconds, hours or days, whichever makes short numbers; plain numbers stay what they are. */
static char *choose_axis(struct picture *p, const struct ft_trace *trace)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}};
	double length = trace->t[trace->n - 1] - trace->t[0];
	char origin[FT_TRACE_TIME_LENGTH];
	size_t i = 0;

	p->unit = 1;
	p->base = 0;
	while (i < 3 && length < 3 * units[i].seconds)
		i++;
	if (!trace->dated && (i == 3 || !counts_seconds(trace->time_column) || trace->t[0] > length))
		return cli_strdup(trace->time_column);
	p->unit = units[i].seconds;
	if (!trace->dated)
		return cli_printed("%s (%s)", units[i].name, trace->time_column);
	return cli_printed("%s since %s", units[i].name, ft_trace_time_format(trace, 0, origin));
}

int cli_trace_plot(void *asked)
{
	struct cli_trace *t = asked;
	FT_CLEANUP(clear_picture) struct picture p = {.n = 0};
	CLI_OWN char *label = choose_axis(&p, &t->trace), *text = NULL;
	struct ft_panel panel = {.x_label = label, .y_label = t->trace.value_column, .series = p.series};
	const char *name = strcmp(t->path, "-") ? base_name(t->path) : "standard input";
	struct ft_err err = {0};

	CLI_TRY(add_data(&p, &t->trace));
	CLI_TRY(add_models(&p, t));
	panel.n = p.n;
	if (ft_plot_draw(name, &panel, 1, t->output,
			 t->width || t->output ? (int)t->width : (int)cli_terminal_width(stdout),
			 t->output ? NULL : &text, &err))
		return cli_error(&err);
	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	return CLI_DONE;
}
