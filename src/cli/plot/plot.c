/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - draws a model: the typical run, its accuracy, and single runs; over one parameter or two. */
#include "cli/cli.h"
#include "cli/plot/plot.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Draw a model: a curve with its bands, or a plane.
 */

static double *numbers(size_t n)
{
	return cli_alloc((n + 1) * sizeof(double));
}

/* The lines and edges of a panel, [n] each; inside the range of the runs, and outside. */
struct lines {
	double *value, *least, *most, *lower, *upper;
};

static struct lines lines_new(size_t n)
{
	struct lines lines = {numbers(n), numbers(n), numbers(n), numbers(n), numbers(n)};

	return lines;
}

static void lines_clear(struct lines *lines)
{
	free(lines->value);
	free(lines->least);
	free(lines->most);
	free(lines->lower);
	free(lines->upper);
}

/* The i-th place of a curve; as a speed it is turned upside down. */
static void set_place(struct lines *lines, size_t i, const struct ft_prediction *p, double work, bool speed)
{
	double least = p->value / (1 + p->known), most = p->value * (1 + p->known);

	lines->value[i] = speed ? work / p->value : p->value;
	lines->least[i] = speed ? work / most : least;
	lines->most[i] = speed ? work / least : most;
	lines->lower[i] = speed ? work / p->upper : p->lower;
	lines->upper[i] = speed ? work / p->lower : p->upper;
}

static void leave_out(struct lines *lines, size_t i)
{
	lines->value[i] = lines->least[i] = lines->most[i] = lines->lower[i] = lines->upper[i] = NAN;
}

static int draw_to(const struct cli_picture *picture, const struct ft_panel *panel, size_t n,
		   const struct ft_heat_map *field)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct ft_machine *machine = ft_ask_machine(picture->models.answerer);
	int width = picture->width > 100000           ? 100000
		    : picture->width || picture->path ? (int)picture->width
						      : (int)cli_terminal_width(stdout);
	char *text = NULL, **to = picture->path ? NULL : &text, *at = cli_picture_at(picture),
	     *title = cli_printed("%s%s%s: %s%s%s", program->name, *at ? " at " : "", at,
				  cli_resource_title(picture->resource), machine->host ? " on " : "",
				  machine->host ? machine->host : "");
	struct ft_err err = {0};
	enum ft_status status =
		field ? ft_plot_field(title, field, n, picture->path, width, picture->dark, to, &err)
		      : ft_plot_draw(title, panel, n, picture->path, width, picture->dark, to, &err);

	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	free(text);
	free(at);
	free(title);
	return status ? cli_error(&err) : CLI_DONE;
}

/* The labels of a curve's parts, and of its axis. */
struct plot_words {
	char *known, *single, *axis;
	const char *line;
};

static struct plot_words words_of(const struct cli_picture *picture)
{
	const char *name = ft_ask_program(picture->models.answerer)->param[picture->span[0].axis].name;
	const struct ft_run *failing = picture->failing;
	bool ran = ft_ask_runs(picture->models.answerer)->n;
	char digits[FT_NUMBER_LENGTH];
	struct plot_words words = {cli_printed("its %g %% interval", 100 * picture->confidence),
				   cli_runs_within(picture->confidence), cli_printed("size %s", name),
				   ran ? "typical run" : ft_level_text(FT_LEVEL_LAW)};

	if (failing) {
		free(words.axis);
		words.axis = cli_printed("size %s (from %s on: %s)", name,
					 ft_number_format(failing->size.value[picture->span[0].axis], digits),
					 ft_outcome_text(failing->outcome));
	}
	return words;
}

enum { SERIES = 7 };

/* The content of a panel: the resource, or the speed. */
struct graph {
	struct lines within, beyond;
	double *run; /* [n_runs] */
	bool log_y;
	struct ft_series series[SERIES]; /* from the back to the front: bands, lines, runs */
};

static void set_series(struct graph *graph, const struct cli_picture *picture, const struct plot_words *words)
{
	struct ft_series *series = graph->series;
	size_t k;

	for (k = 0; k < SERIES - 1; k++) {
		bool off = k % 2 == 0;
		const struct lines *lines = off ? &graph->beyond : &graph->within;

		series[k] = (struct ft_series){.x = picture->span[0].at, .n = picture->n, .beyond = off};
		series[k].kind = k < 4 ? FT_SERIES_BAND : FT_SERIES_LINE;
		series[k].strong = k / 2 == 1;
		series[k].y = k < 4 ? NULL : lines->value;
		series[k].lower = k < 2 ? lines->lower : k < 4 ? lines->least : NULL;
		series[k].upper = k < 2 ? lines->upper : k < 4 ? lines->most : NULL;
	}
	series[k] = (struct ft_series){.kind = FT_SERIES_POINTS, .x = picture->run_x, .y = graph->run};
	series[k].n = picture->n_runs;
	if (!words)
		return;
	series[1].title = words->single;
	series[3].title = words->known;
	series[4].title = "extrapolated";
	series[5].title = words->line;
	series[6].title = "runs";
}

/* words NULL: without a legend. */
static struct graph graph_new(const struct cli_picture *picture, bool speed, const struct plot_words *words)
{
	struct graph graph = {.within = lines_new(picture->n),
			      .beyond = lines_new(picture->n),
			      .run = numbers(picture->n_runs)};

	/* Split into measured and extrapolated parts; both have the point where they meet. */
	for (size_t i = 0; i < picture->n; i++) {
		bool here = cli_picture_beyond(picture, i);
		bool meets = (i > 0 && cli_picture_beyond(picture, i - 1)) ||
			     (i + 1 < picture->n && cli_picture_beyond(picture, i + 1));

		set_place(&graph.within, i, &picture->p[i], picture->work[i], speed);
		set_place(&graph.beyond, i, &picture->p[i], picture->work[i], speed);
		if (here)
			leave_out(&graph.within, i);
		else if (!meets)
			leave_out(&graph.beyond, i);
	}
	for (size_t i = 0; i < picture->n_runs; i++)
		graph.run[i] = speed ? picture->run_work[i] / picture->run_value[i] : picture->run_value[i];
	graph.log_y = cli_picture_reaches_ten(graph.within.value, picture->n, graph.run, picture->n_runs);
	set_series(&graph, picture, words);
	return graph;
}

static void graph_clear(struct graph *graph)
{
	lines_clear(&graph->within);
	lines_clear(&graph->beyond);
	free(graph->run);
}

static int draw_curve(const struct cli_picture *picture)
{
	const char *work = ft_ask_program(picture->models.answerer)->work;
	struct plot_words words = words_of(picture);
	FT_CLEANUP(graph_clear)
	struct graph cost = graph_new(picture, false, &words), speed = graph_new(picture, true, NULL);
	CLI_OWN char *label = cli_printed("speed: %s per second", work ? work : "work reported");
	const struct cli_span *span = picture->span;
	struct ft_panel cost_panel = {
		.x_label = words.axis,
		.y_label = cli_resource_title(picture->resource),
		.log_x = span->log,
		.log_y = cost.log_y,
		.series = cost.series,
		.n = SERIES,
		.y_unit = picture->resource->unit,
		.whole_x = span->whole,
		.measured = {true, INFINITY, -INFINITY},
	};

	for (size_t i = 0; i < picture->n; i++)
		if (!isnan(picture->p[i].value) && !cli_picture_beyond(picture, i)) {
			cost_panel.measured.from = fmin(cost_panel.measured.from, span->at[i]);
			cost_panel.measured.to = fmax(cost_panel.measured.to, span->at[i]);
		}
	struct ft_panel speed_panel = cost_panel;
	speed_panel.y_label = label;
	speed_panel.log_y = speed.log_y;
	speed_panel.series = speed.series;
	speed_panel.y_unit = NULL;
	const struct ft_panel panels[] = {cost_panel, speed_panel};
	int status = draw_to(picture, panels, cli_picture_has_speed(picture) ? 2 : 1, NULL);

	free(words.known);
	free(words.single);
	free(words.axis);
	return status;
}

static int draw_plane(const struct cli_picture *picture)
{
	FT_CLEANUP(cli_plane_clear) struct cli_plane plane;

	cli_plane_take(&plane, picture);
	return draw_to(picture, NULL, plane.n, plane.field);
}

/*
 * Draws a model: the typical run, its accuracy, and single runs; over one parameter or two.
 */

static int run_plot(const struct cli_command *command, int argc, char **argv)
{
	struct cli_picture p = {.confidence = 0.9};
	const struct ft_field options[] = {
		{'o', "output", FT_FIELD_TEXT, &p.path, "FILE",
		 "a picture, .svg, .png or .pdf; default: characters on the terminal"},
		CLI_DARK_OPTION(p.dark),
		{'r', "resource", FT_FIELD_TEXT, &p.typed, "R", "what is drawn; default wall_s"},
		{'c', "confidence", FT_FIELD_SHARE, &p.confidence, "C",
		 "share of future runs within the interval; default 90%"},
		{0, "width", FT_FIELD_COUNT, &p.width, "N",
		 "pixels (default 900), or characters (default: the terminal's)"},
		CLI_DEVICE_OPTION(p.device),
		CLI_MACHINE_OPTION(p.machine),
		{0, "hash", FT_FIELD_TEXT, &p.hash, "H",
		 "an older executable of that name, as list --json has it"},
		CLI_ANSWER_OPTIONS(p.json, p.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	struct cli_words first = words;
	first.n = words.n && !words.separated ? 1 : words.n;
	status = cli_name_word(command, &first) ? cli_picture_take(&p, &words) : CLI_WRONG;
	if (status == CLI_DONE && p.json)
		cli_picture_print(&p);
	if (status == CLI_DONE && (p.path || !p.json))
		status = p.n_spans > 1 ? draw_plane(&p) : draw_curve(&p);
	cli_picture_clear(&p);
	return status;
}

const struct cli_command cli_plot = {
	"plot",
	"draw a model and the runs that it rests on",
	"NAME [n=64:20000] [m=512] [-o FILE.svg|FILE.png|FILE.pdf] [OPTION...]",
	"Over one parameter a curve, over two a plane; m=512 fixes one, n=64:20000 is the range drawn "
	"(default:\n"
	"that of the runs, and a fifth of the axis more).\n"
	"Files are drawn by gnuplot.\n",
	NULL,
	run_plot,
};
