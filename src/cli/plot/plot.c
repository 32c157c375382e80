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

static double *numbers_new(size_t n)
{
	return cli_alloc((n + 1) * sizeof(double));
}

/* The lines and edges of a panel, [n] each; inside the range of the runs, and outside. */
struct lines {
	double *value, *least, *most, *lower, *upper;
};

static struct lines lines_new(size_t n)
{
	struct lines lines = {numbers_new(n), numbers_new(n), numbers_new(n), numbers_new(n), numbers_new(n)};

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
			      .run = numbers_new(picture->n_runs)};

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
 * The content of a picture of a model, as JSON.
 */

/* A parameter that is not drawn. */
struct fixed {
	const char *name;
	double value;
};

enum what { VALUE, LEAST, MOST, LOWER, UPPER, BEYOND, WORK };

static json_t *json_of_answer(const struct cli_picture *picture, size_t i, enum what what)
{
	const struct ft_prediction *p = &picture->p[i];

	if (!cli_picture_has(picture, i) && what != BEYOND)
		return cli_json_text(NULL);
	switch (what) {
	case VALUE:
		return cli_json_number(p->value);
	case LEAST:
		return cli_json_number(p->value / (1 + p->known));
	case MOST:
		return cli_json_number(p->value * (1 + p->known));
	case LOWER:
		return cli_json_number(p->lower);
	case UPPER:
		return cli_json_number(p->upper);
	case BEYOND:
		return cli_json_bool(cli_picture_beyond(picture, i));
	case WORK:
		return cli_json_number(picture->work[i]);
	}
	return cli_json_text(NULL);
}

/* An array for a curve; for a plane an array for each value of the second parameter. */
static json_t *json_of_answers(const struct cli_picture *picture, enum what what)
{
	size_t row = picture->span[0].n, i, j;
	json_t *all = cli_json_array();

	for (i = 0; i < picture->n; i += row) {
		json_t *inner = picture->n_spans > 1 ? cli_json_array() : all;

		for (j = 0; j < row; j++)
			cli_json_append(inner, json_of_answer(picture, i + j, what));
		if (picture->n_spans > 1)
			cli_json_append(all, inner);
	}
	return all;
}

static const struct ft_tell_row fixed_rows[] = {
	{FT_TELL(struct fixed, name)},
	{FT_TELL_AS("", struct fixed, value)},
	{0},
};
static const struct ft_tell_record fixed = {.bytes = sizeof(struct fixed), .row = fixed_rows};

#define SPAN struct cli_span
static const struct ft_tell_row axis_rows[] = {
	{FT_TELL_AS("parameter", SPAN, name)},
	{FT_TELL_AS("logarithmic", SPAN, log)},
	{FT_TELL_MANY(LIST, "at", SPAN, at, n, &ft_tell_numbers),
	 .about = "the values that are predicted, ascending: not the measured ones, at which runs answer for "
		  "themselves"},
	{0},
};
static const struct ft_tell_record axes = {.bytes = sizeof(SPAN), .row = axis_rows};

static const struct ft_tell_row number_rows[] = {{.key = "", .kind = FT_TELL_NUMBER, .null = ""}, {0}};
static const struct ft_tell_record numbers = {.row = number_rows};
static const struct ft_tell_row truth_rows[] = {{.key = "", .kind = FT_TELL_BOOL}, {0}};
static const struct ft_tell_record truths = {.row = truth_rows};

struct plot_model {
	json_t *value, *least, *most, *lower, *upper, *beyond, *work;
};

#define MODEL struct plot_model
static const struct ft_tell_row model_rows[] = {
	{FT_TELL(MODEL, value), .of = &numbers, .deep = true, .about = "the typical run"},
	{FT_TELL_AS("value_least", MODEL, least), .of = &numbers, .deep = true,
	 .about = "where it lies at least"},
	{FT_TELL_AS("value_most", MODEL, most), .of = &numbers, .deep = true, .about = "and at most"},
	{FT_TELL(MODEL, lower), .of = &numbers, .deep = true, .about = "what holds a share of single runs"},
	{FT_TELL(MODEL, upper), .of = &numbers, .deep = true},
	{FT_TELL_AS("extrapolated", MODEL, beyond), .of = &truths, .deep = true,
	 .about = "whether this is extrapolated"},
	{FT_TELL(MODEL, work), .of = &numbers, .deep = true, .about = "volume of computation",
	 .null = "not known"},
	{0},
};
static const struct ft_tell_record models = {
	.about = "of a curve arrays along its axis, of a plane one array along the first axis for each value "
		 "of the second; null: no such size",
	.row = model_rows,
};

struct drawn {
	const double *x, *y, *value; /* y: NULL of a curve */
	size_t n;
};

static const struct ft_tell_row drawn_rows[] = {
	{FT_TELL_MANY(LIST, "x", struct drawn, x, n, &ft_tell_numbers)},
	{FT_TELL_MANY(LIST, "y", struct drawn, y, n, &ft_tell_numbers), .absent = "a curve"},
	{FT_TELL_MANY(LIST, "value", struct drawn, value, n, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record drawn = {.about = "single runs in the picture", .row = drawn_rows};

struct plot_answer {
	const char *name, *machine, *title;
	const struct ft_resource *resource;
	double confidence;
	const struct fixed *fixed;
	SPAN axis[2];
	size_t n_fixed, n_axes;
	MODEL model;
	struct drawn runs;
	struct cli_painting painting[2];
	size_t n_paintings;
};

#define ANSWER struct plot_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, name)},
	{FT_TELL(ANSWER, machine), .null = "not known"},
	{FT_TELL(ANSWER, resource)},
	{FT_TELL(ANSWER, title), .about = "the resource in words"},
	{FT_TELL_BY(UNIT, "unit", ANSWER, resource)},
	{FT_TELL(ANSWER, confidence)},
	{FT_TELL_MANY(MAP, "fixed", ANSWER, fixed, n_fixed, &fixed),
	 .about = "the values of the parameters that are not drawn"},
	{FT_TELL_MANY(ARRAY, "axes", ANSWER, axis, n_axes, &axes), .about = "one: a curve; two: a plane"},
	{FT_TELL_BY(RECORD, "model", ANSWER, model), .of = &models},
	{FT_TELL_BY(RECORD, "runs", ANSWER, runs), .of = &drawn},
	{FT_TELL_MANY(ARRAY, "pictures", ANSWER, painting, n_paintings, &cli_painting),
	 .about = "of a plane: what is drawn"},
	{0},
};
const struct ft_tell_record cli_plot_answer = {.name = "plot", .version = 2, .row = rows};

static void print_picture(const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	json_t *answers[WORK + 1] = {0};
	struct fixed left[FT_PARAMS_MAX];
	FT_ARENA(arena);
	ANSWER answer = {
		.name = program->name,
		.machine = ft_ask_machine(picture->models.answerer)->host,
		.title = cli_resource_title(picture->resource),
		.resource = picture->resource,
		.confidence = picture->confidence,
		.fixed = left,
		.n_axes = picture->n_spans,
		.runs = {picture->run_x, picture->n_spans > 1 ? picture->run_y : NULL, picture->run_value,
			 picture->n_runs},
	};
	size_t i;

	memcpy(answer.axis, picture->span, sizeof answer.axis);
	for (i = 0; i < answer.n_axes; i++)
		answer.axis[i].name = program->param[picture->span[i].axis].name;
	for (i = 0; i < program->n_params; i++)
		if (i != picture->span[0].axis && (picture->n_spans < 2 || i != picture->span[1].axis))
			left[answer.n_fixed++] =
				(struct fixed){program->param[i].name, picture->slice.value[i]};
	for (i = VALUE; i <= (picture->works ? WORK : BEYOND); i++)
		answers[i] = json_of_answers(picture, (enum what)i);
	answer.model = (MODEL){answers[VALUE], answers[LEAST],  answers[MOST], answers[LOWER],
			       answers[UPPER], answers[BEYOND], answers[WORK]};
	if (picture->n_spans > 1)
		answer.n_paintings = cli_plane_paint(answer.painting, picture, &arena);
	cli_tell(&cli_plot_answer, &answer, NULL);
	for (i = 0; i < answer.n_paintings; i++)
		json_decref(answer.painting[i].colours);
	for (i = VALUE; i <= WORK; i++)
		json_decref(answers[i]);
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
		print_picture(&p);
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
