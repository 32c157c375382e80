/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - draws a model: the typical run, its accuracy, and single runs; over one parameter or two. */
#include "cli/cli.h"
#include "cli/plot/plot.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Choose the parameters and ranges of a picture, and fix the rest.
 */

/* What was typed for each parameter. */
struct typed {
	bool fixed[FT_PARAMS_MAX], ranged[FT_PARAMS_MAX];
	struct ft_param param[FT_PARAMS_MAX];
};

/* spans_ten - whether values reach over a factor of ten or more, and are positive: their axis is
 * logarithmic. */
static bool spans_ten(double least, double most)
{
	return least > 0 && most >= 10 * least * (1 - 1e-12);
}

static int read_words(struct cli_picture *picture, const struct cli_words *words, struct typed *typed)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);

	for (size_t i = 1; i < words->n; i++) {
		struct ft_param param;
		struct ft_err err = {0};

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		int at = ft_program_find_param(program, param.name);
		if (at < 0 || !strchr(words->word[i], '='))
			return cli_fail("'%s' is not a value or range of a parameter of '%s'", words->word[i],
					program->name);
		typed->fixed[at] = param.least == param.most;
		typed->ranged[at] = !typed->fixed[at];
		typed->param[at] = param;
		if (typed->fixed[at])
			picture->slice.value[at] = param.least;
	}
	return CLI_DONE;
}

/* The parameters that can vary: those of the models; of a stated law alone those with a range. */
static size_t axes_of(const struct cli_picture *picture, size_t *axis)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	size_t n = 0;

	if (ft_ask_runs(picture->models.answerer)->n)
		return ft_ask_axes(picture->models.answerer, axis);
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].least < program->param[i].most)
			axis[n++] = i;
	return n;
}

static bool counts(const struct cli_picture *picture, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !run->warmup && !isnan(ft_run_idle_value(run, picture->resource));
}

/* The value of a parameter that the middle run has. */
static double middle_of(const struct cli_picture *picture, size_t axis)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	double least = INFINITY, most = -INFINITY, best = NAN;

	for (size_t i = 0; i < runs->n; i++)
		if (counts(picture, &runs->run[i])) {
			least = fmin(least, runs->run[i].size.value[axis]);
			most = fmax(most, runs->run[i].size.value[axis]);
		}
	for (size_t i = 0; i < runs->n; i++) {
		double value = runs->run[i].size.value[axis],
		       middle = least > 0 ? sqrt(least * most) : most / 2;

		if (counts(picture, &runs->run[i]) && !(fabs(value - middle) >= fabs(best - middle)))
			best = value;
	}
	return isnan(best) ? picture->slice.value[axis] : best;
}

/* Three parameters or more: no picture has room for them. */
static int refuse_many(const struct cli_picture *picture, const size_t *axis, size_t n)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	char *names = cli_strdup(""), *fix = cli_strdup(""), *more, digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < n; i++) {
		more = cli_printed("%s%s%s", names,
				   i == 0      ? ""
				   : i + 1 < n ? ", "
					       : " and ",
				   program->param[axis[i]].name);
		free(names);
		names = more;
		if (i < 2)
			continue;
		more = cli_printed("%s %s=%s", fix, program->param[axis[i]].name,
				   ft_number_format(middle_of(picture, axis[i]), digits));
		free(fix);
		fix = more;
	}
	(void)cli_fail("'%s' varies in %s: a picture shows two of them\n"
		       "hint: fix the others: foretime plot %s%s",
		       program->name, names, program->name, fix);
	free(names);
	free(fix);
	return CLI_WRONG;
}

/* From the least to the largest run that counts; of a law alone the program's own range. */
static void find_range(const struct cli_picture *picture, struct cli_span *span)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);

	span->from = INFINITY;
	span->to = -INFINITY;
	for (size_t i = 0; i < runs->n; i++)
		if (counts(picture, &runs->run[i])) {
			span->from = fmin(span->from, runs->run[i].size.value[span->axis]);
			span->to = fmax(span->to, runs->run[i].size.value[span->axis]);
		}
	if (span->from > span->to) {
		span->from = program->param[span->axis].least;
		span->to = program->param[span->axis].most;
	}
	span->log = spans_ten(span->from, span->to);
}

/* A fifth of the axis more, no further than twice the largest size; not into sizes where runs fail, nor
 * behind the end of a list. */
static void reach_beyond(const struct cli_picture *picture, struct cli_span *span)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	double last = span->to;

	if (span->from == span->to && span->to > 0) {
		span->from /= 2;
		last *= 2;
	} else if (span->log) {
		last *= fmin(2, pow(span->to / span->from, 0.2));
	} else {
		last += (span->to - span->from) / 5;
	}
	if (span->to > 0)
		last = fmin(last, 2 * span->to);
	if (picture->failing && picture->failing->size.value[span->axis] > span->to)
		last = fmin(last, picture->failing->size.value[span->axis]);
	if (!program->param[span->axis].n_list)
		span->to = last;
}

static void set_range(struct cli_picture *picture, struct cli_span *span, const struct typed *typed)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	bool curve = picture->n_spans == 1;

	find_range(picture, span);
	if (curve)
		picture->failing = ft_runs_failing(runs, span->axis, &picture->slice);
	if (typed->ranged[span->axis]) {
		span->from = typed->param[span->axis].least;
		span->to = typed->param[span->axis].most;
		span->log = spans_ten(span->from, span->to);
	} else if (curve && runs->n) {
		reach_beyond(picture, span);
	}
}

int cli_picture_choose(struct cli_picture *picture, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	CLI_OWN struct typed *typed = cli_alloc(sizeof *typed);
	size_t axis[FT_PARAMS_MAX], n = axes_of(picture, axis), i, left = 0;

	picture->slice = ft_ask_any_size(picture->models.answerer);
	int status = read_words(picture, words, typed);
	for (i = 0; i < n; i++)
		if (!typed->fixed[axis[i]])
			axis[left++] = axis[i];
	if (status == CLI_DONE && left > 2)
		status = refuse_many(picture, axis, left);
	if (status == CLI_DONE && !left)
		status = cli_fail("nothing of '%s' is left to vary\n"
				  "hint: leave out a value, or give a range, such as %s=64:2048",
				  program->name, program->param[0].name);
	picture->n_spans = left;
	for (i = 0; status == CLI_DONE && i < left; i++) {
		picture->span[i].axis = axis[i];
		set_range(picture, &picture->span[i], typed);
	}
	return status;
}

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

/* Split into measured and extrapolated parts; both have the point where they meet. */
static void split(const struct cli_picture *picture, bool speed, struct lines *within, struct lines *beyond)
{
	for (size_t i = 0; i < picture->n; i++) {
		bool here = cli_picture_beyond(picture, i);
		bool meets = (i > 0 && cli_picture_beyond(picture, i - 1)) ||
			     (i + 1 < picture->n && cli_picture_beyond(picture, i + 1));

		set_place(within, i, &picture->p[i], picture->work[i], speed);
		set_place(beyond, i, &picture->p[i], picture->work[i], speed);
		if (here)
			leave_out(within, i);
		else if (!meets)
			leave_out(beyond, i);
	}
}

/* Whether lines and runs span more than a factor of ten. */
static bool reaches_ten(const double *line, size_t n, const double *run, size_t n_runs)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n + n_runs; i++) {
		double value = i < n ? line[i] : run[i - n];

		if (!isnan(value)) {
			least = fmin(least, value);
			most = fmax(most, value);
		}
	}
	return spans_ten(least, most);
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
				  picture->resource->name, machine->host ? " on " : "",
				  machine->host ? machine->host : "");
	struct ft_err err = {0};
	enum ft_status status = field ? ft_plot_field(title, field, n, picture->path, width, to, &err)
				      : ft_plot_draw(title, panel, n, picture->path, width, to, &err);

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
	struct plot_words words = {cli_printed("typical run, %g %% sure", 100 * picture->confidence),
				   cli_runs_within(picture->confidence), cli_strdup(name),
				   ran ? "typical run" : ft_level_text(FT_LEVEL_LAW)};

	if (failing) {
		free(words.axis);
		words.axis = cli_printed("%s (from %s on: %s)", name,
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

	split(picture, speed, &graph.within, &graph.beyond);
	for (size_t i = 0; i < picture->n_runs; i++)
		graph.run[i] = speed ? picture->run_work[i] / picture->run_value[i] : picture->run_value[i];
	graph.log_y = reaches_ten(graph.within.value, picture->n, graph.run, picture->n_runs);
	set_series(&graph, picture, words);
	return graph;
}

static void graph_clear(struct graph *graph)
{
	lines_clear(&graph->within);
	lines_clear(&graph->beyond);
	free(graph->run);
}

/* A time gives a speed if the work is known. */
static bool has_speed(const struct cli_picture *picture)
{
	return picture->resource->of == FT_CLASS_TIME && picture->works;
}

static int draw_curve(const struct cli_picture *picture)
{
	const char *work = ft_ask_program(picture->models.answerer)->work;
	bool log_x = picture->span[0].log;
	struct plot_words words = words_of(picture);
	FT_CLEANUP(graph_clear)
	struct graph cost = graph_new(picture, false, &words), speed = graph_new(picture, true, NULL);
	CLI_OWN char *label = cli_printed("speed: %s per second", work ? work : "work reported");
	const struct ft_panel panels[] = {
		{words.axis, picture->resource->name, log_x, cost.log_y, cost.series, SERIES,
		 picture->resource->unit},
		{words.axis, label, log_x, speed.log_y, speed.series, SERIES, NULL},
	};
	int status = draw_to(picture, panels, has_speed(picture) ? 2 : 1, NULL);

	free(words.known);
	free(words.single);
	free(words.axis);
	return status;
}

/* A field, but for its values and what they are. */
static struct ft_heat_map field_of(const struct cli_picture *picture)
{
	const struct ft_param *param = ft_ask_program(picture->models.answerer)->param;
	const struct cli_span *span = picture->span;

	return (struct ft_heat_map){
		.x_label = param[span[0].axis].name,
		.y_label = param[span[1].axis].name,
		.log_x = span[0].log,
		.log_y = span[1].log,
		.x = span[0].at,
		.y = span[1].at,
		.blank = picture->blank,
		.columns = span[0].n,
		.rows = span[1].n,
		.at_x = picture->run_x,
		.at_y = picture->run_y,
		.at_title = "runs",
		.points = picture->n_runs,
	};
}

/* Whether the values of a plane span more than a factor of ten. */
static bool plane_reaches_ten(const struct cli_picture *picture, const double *value)
{
	double *there = numbers(picture->n);

	for (size_t i = 0; i < picture->n; i++)
		there[i] = cli_picture_has(picture, i) ? value[i] : NAN;
	bool ten = reaches_ten(there, picture->n, NULL, 0);
	free(there);
	return ten;
}

static int draw_plane(const struct cli_picture *picture)
{
	const char *work = ft_ask_program(picture->models.answerer)->work;
	double *value = numbers(picture->n), *speed = numbers(picture->n);
	CLI_OWN bool *beyond = cli_alloc(picture->n * sizeof *beyond);
	struct ft_heat_map field[2] = {field_of(picture), field_of(picture)};
	CLI_OWN char *label = cli_printed("%s per second", work ? work : "");

	for (size_t i = 0; i < picture->n; i++) {
		value[i] = picture->p[i].value;
		speed[i] = picture->work[i] / value[i];
		beyond[i] = cli_picture_beyond(picture, i);
	}
	field[0].value = value;
	field[1].value = speed;
	field[0].beyond = field[1].beyond = beyond;
	field[0].log_value = plane_reaches_ten(picture, value);
	field[1].log_value = plane_reaches_ten(picture, speed);
	field[0].unit = picture->resource->unit;
	field[0].value_label = "typical run";
	field[1].value_label = label;
	int status = draw_to(picture, NULL, has_speed(picture) ? 2 : 1, field);
	free(value);
	free(speed);
	return status;
}

static int picture_draw(const struct cli_picture *picture)
{
	return picture->n_spans > 1 ? draw_plane(picture) : draw_curve(picture);
}

/*
 * A picture of a model: typical run, what is known of it, single runs; over one size or two.
 */

static int run_plot(const struct cli_command *command, int argc, char **argv)
{
	struct cli_picture p = {.confidence = 0.9};
	const struct ft_field options[] = {
		{'o', "output", FT_FIELD_TEXT, &p.path, "FILE",
		 "a picture, .svg or .png; default: characters on the terminal"},
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
		status = picture_draw(&p);
	cli_picture_clear(&p);
	return status;
}

const struct cli_command cli_plot = {
	"plot",
	"draw a model and the runs that it rests on",
	"NAME [n=64:20000] [m=512] [-o FILE.svg|FILE.png] [OPTION...]",
	"Over one parameter a curve, over two a plane; m=512 fixes one, n=64:20000 is the range drawn "
	"(default:\n"
	"that of the runs, and a fifth of the axis more).\n"
	"Files are drawn by gnuplot.\n",
	NULL,
	run_plot,
};
