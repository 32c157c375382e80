/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - a picture of a model: the runs with their spread, the band, time and speed over the size. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/options.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_POINTS = 200 };

struct picture {
	const char *store_path, *machine, *resource, *path;
	double confidence;
	size_t width;
	bool json;
	struct cli_models models;
	struct cli_group *group; /* sizes of the slice */
	size_t n_groups;
	const struct ft_knot *knot; /* [n_knots] of a model over one parameter; else n_knots = 0 */
	size_t n_knots;
	struct ft_size slice; /* the values of the other parameters */
	size_t varying;
	double from, to; /* the range of the data */
	bool logarithmic;
	/* [CURVE_POINTS] the band; [n_groups] the runs; each of the resource and of the speed */
	double *x, *value, *lower, *upper, *speed, *speed_lower, *speed_upper;
	double *value_least, *value_most, *speed_least_typical,
		*speed_most_typical; /* where the curve may be */
	double *at, *median, *least, *most, *speed_median, *speed_least, *speed_most;
};

static double *numbers(size_t n)
{
	return cli_alloc(n * sizeof(double));
}

static void picture_clear(struct picture *picture)
{
	double **array[] = {&picture->x,
			    &picture->value,
			    &picture->lower,
			    &picture->upper,
			    &picture->speed,
			    &picture->speed_lower,
			    &picture->speed_upper,
			    &picture->at,
			    &picture->median,
			    &picture->least,
			    &picture->most,
			    &picture->speed_median,
			    &picture->speed_least,
			    &picture->speed_most,
			    &picture->value_least,
			    &picture->value_most,
			    &picture->speed_least_typical,
			    &picture->speed_most_typical};
	size_t i;

	for (i = 0; i < sizeof array / sizeof *array; i++)
		free(*array[i]);
	free(picture->group);
	cli_models_close(&picture->models);
}

/* Only sizes that differ in nothing but the varying parameter are one curve. */
static void keep_one_curve(struct picture *picture)
{
	size_t varying = picture->varying, i, n = 0;
	struct ft_size first = picture->slice;

	for (i = 0; i < picture->n_groups; i++) {
		first.value[varying] = picture->group[i].size.value[varying];
		if (picture->group[i].n && ft_size_equal(&first, &picture->group[i].size))
			picture->group[n++] = picture->group[i];
	}
	picture->n_groups = n;
}

/* Work at a size: what the program states, else between what the runs reported (a power law from knot to
 * knot). */
static double work_at(const struct picture *picture, const struct ft_size *size)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct ft_knot *knot = picture->knot;
	size_t axis = picture->varying;
	double x = size->value[axis], work, from;
	size_t i;

	if (ft_program_work(program, size, &work, NULL) == FT_OK && !isnan(work))
		return work;
	if (!picture->n_knots)
		return 1;
	for (i = 0; i + 2 < picture->n_knots && knot[i + 1].size.value[axis] < x; i++)
		;
	from = knot[i].size.value[axis];
	if (picture->n_knots < 2 || !(from > 0) || !(x > 0))
		return knot[i].work;
	return knot[i].work *
	       pow(knot[i + 1].work / knot[i].work, log(x / from) / log(knot[i + 1].size.value[axis] / from));
}

static void take_groups(struct picture *picture)
{
	size_t varying = picture->varying, n = picture->n_groups, i;

	picture->at = numbers(n);
	picture->median = numbers(n);
	picture->least = numbers(n);
	picture->most = numbers(n);
	picture->speed_median = numbers(n);
	picture->speed_least = numbers(n);
	picture->speed_most = numbers(n);
	for (i = 0; i < n; i++) {
		const struct cli_group *group = &picture->group[i];
		double work = work_at(picture, &group->size);

		picture->at[i] = group->size.value[varying];
		picture->median[i] = group->median;
		picture->least[i] = group->least;
		picture->most[i] = group->most;
		picture->speed_median[i] = work / group->median;
		picture->speed_least[i] = work / group->most;
		picture->speed_most[i] = work / group->least;
	}
}

static void set_point(struct picture *picture, size_t i, double work, const struct ft_prediction *p)
{
	picture->value[i] = p->value;
	picture->lower[i] = p->lower;
	picture->upper[i] = p->upper;
	picture->value_least[i] = p->value / (1 + p->known);
	picture->value_most[i] = p->value * (1 + p->known);
	picture->speed[i] = work / p->value;
	picture->speed_lower[i] = work / p->upper;
	picture->speed_upper[i] = work / p->lower;
	picture->speed_least_typical[i] = picture->speed[i] / (1 + p->known);
	picture->speed_most_typical[i] = picture->speed[i] * (1 + p->known);
}

static int take_curve(struct picture *picture)
{
	size_t varying = picture->varying, i;
	double from = picture->from, to = picture->to;
	struct ft_size size = picture->slice;

	picture->logarithmic = from > 0 && to / from >= 20;
	picture->x = numbers(CURVE_POINTS);
	picture->value = numbers(CURVE_POINTS);
	picture->lower = numbers(CURVE_POINTS);
	picture->upper = numbers(CURVE_POINTS);
	picture->speed = numbers(CURVE_POINTS);
	picture->speed_lower = numbers(CURVE_POINTS);
	picture->speed_upper = numbers(CURVE_POINTS);
	picture->value_least = numbers(CURVE_POINTS);
	picture->value_most = numbers(CURVE_POINTS);
	picture->speed_least_typical = numbers(CURVE_POINTS);
	picture->speed_most_typical = numbers(CURVE_POINTS);
	for (i = 0; i < CURVE_POINTS; i++) {
		double share = (double)i / (CURVE_POINTS - 1), work;
		struct ft_prediction p;
		struct ft_err err = {0};

		size.value[varying] =
			picture->logarithmic ? from * pow(to / from, share) : from + (to - from) * share;
		if (i == CURVE_POINTS - 1)
			size.value[varying] = to;
		if (ft_ask_predict(picture->models.answerer, picture->resource, &size, picture->confidence,
				   &p, &err))
			return cli_error(&err);
		work = work_at(picture, &size);
		picture->x[i] = size.value[varying];
		set_point(picture, i, work, &p);
	}
	return CLI_DONE;
}

/* Which parameter varies, and where the others are: "m=100" on the command line, else as in the first run. */
static int choose_slice(struct picture *picture, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(picture->models.answerer, axis), i, given = 0;

	picture->slice = cli_models_any_size(&picture->models);
	for (i = 1; i < words->n; i++) {
		struct ft_param param;
		struct ft_err err = {0};
		int at;

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		at = ft_program_find_param(program, param.name);
		if (at < 0 || param.least != param.most || !strchr(words->word[i], '='))
			return cli_fail("'%s' is no value of a parameter of '%s'", words->word[i],
					program->name);
		picture->slice.value[at] = param.least;
		given |= (size_t)1 << at;
	}
	for (i = 0; i + 1 < n && given >> axis[i] & 1; i++)
		;
	picture->varying = axis[i];
	return CLI_DONE;
}

static void find_range(struct picture *picture)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	size_t i;

	picture->from = INFINITY;
	picture->to = -INFINITY;
	for (i = 0; i < runs->n; i++) {
		double x = runs->run[i].size.value[picture->varying];

		if (runs->run[i].outcome != FT_DONE || isnan(ft_run_value(&runs->run[i], picture->resource)))
			continue;
		picture->from = fmin(picture->from, x);
		picture->to = fmax(picture->to, x);
	}
}

static int load(struct picture *picture, const struct cli_words *words)
{
	const struct ft_model_record *record;
	size_t axis[FT_PARAMS_MAX];
	struct ft_err err = {0};
	bool several;
	int status = cli_models_open(&picture->models, picture->store_path, words->word[0], picture->machine);

	if (status != CLI_DONE)
		return status;
	picture->resource = cli_models_resource(&picture->models, picture->resource);
	if (!picture->resource)
		return CLI_WRONG;
	status = choose_slice(picture, words);
	if (status != CLI_DONE)
		return status;
	if (ft_ask_model(picture->models.answerer, picture->resource, &picture->slice, &record, &err))
		return cli_error(&err);
	several = ft_model_axes(record->model, axis) > 1;
	if (!several)
		picture->knot = ft_model_knots(record->model, &picture->n_knots);
	picture->group =
		cli_groups(ft_ask_runs(picture->models.answerer), picture->resource, &picture->n_groups);
	keep_one_curve(picture);
	find_range(picture);
	if (!picture->n_groups && !several)
		return cli_fail("no run of '%s' has a value of '%s'", words->word[0], picture->resource);
	if (picture->n_groups && !several) {
		picture->from = picture->group[0].size.value[picture->varying];
		picture->to = picture->group[picture->n_groups - 1].size.value[picture->varying];
	}
	take_groups(picture);
	return take_curve(picture);
}

static int draw_to(const struct picture *picture, const char *title, const struct ft_panel *panel, size_t n)
{
	int width = picture->width > 100000 ? 100000 : (int)picture->width;
	struct ft_err err = {0};
	char *text = NULL;

	if (ft_plot_draw(title, panel, n, picture->path, width, picture->path ? NULL : &text, &err))
		return cli_error(&err);
	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	free(text);
	return CLI_DONE;
}

/* Whether speed is more than runs per second. */
static bool counts_work(const struct picture *picture)
{
	size_t i;

	for (i = 0; i < picture->n_knots; i++)
		if (picture->knot[i].work != 1)
			return true;
	return false;
}

static int draw(const struct picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct ft_resource *resource = ft_resource_find(picture->resource);
	const char *unit = cli_unit(picture->resource), *x_name = program->param[picture->varying].name;
	bool log_y = picture->logarithmic && picture->value[0] > 0 &&
		     (!picture->n_groups || picture->least[0] > 0);
	char *band = cli_runs_within(picture->confidence);
	/* Where the curve may be is shaded over the other band, which a terminal cannot do. */
	size_t first = picture->path ? 0 : 1;
	const struct ft_series values[] = {
		{NULL, FT_SERIES_BAND, picture->x, NULL, picture->value_least, picture->value_most,
		 CURVE_POINTS},
		{band, FT_SERIES_BAND, picture->x, NULL, picture->lower, picture->upper, CURVE_POINTS},
		{"typical run", FT_SERIES_LINE, picture->x, picture->value, NULL, NULL, CURVE_POINTS},
		{"runs: median, least and most", FT_SERIES_BARS, picture->at, picture->median, picture->least,
		 picture->most, picture->n_groups},
	};
	const struct ft_series speeds[] = {
		{NULL, FT_SERIES_BAND, picture->x, NULL, picture->speed_least_typical,
		 picture->speed_most_typical, CURVE_POINTS},
		{NULL, FT_SERIES_BAND, picture->x, NULL, picture->speed_lower, picture->speed_upper,
		 CURVE_POINTS},
		{NULL, FT_SERIES_LINE, picture->x, picture->speed, NULL, NULL, CURVE_POINTS},
		{NULL, FT_SERIES_BARS, picture->at, picture->speed_median, picture->speed_least,
		 picture->speed_most, picture->n_groups},
	};
	char *y_label = cli_printed("%s%s%s%s", picture->resource, *unit ? " (" : "", unit, *unit ? ")" : "");
	char *title = cli_printed("%s: %s", program->name, picture->resource);
	const struct ft_panel panels[] = {
		{x_name, y_label, picture->logarithmic, log_y, values + first, 4 - first},
		{x_name, counts_work(picture) ? "speed (work/s)" : "speed (runs/s)", picture->logarithmic,
		 false, speeds + first, 4 - first},
	};
	int status = draw_to(picture, title, panels, resource && resource->is_time ? 2 : 1);

	free(band);
	free(title);
	free(y_label);
	return status;
}

static json_t *json_of_numbers(const double *value, size_t n)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < n; i++)
		cli_json_append(array, cli_json_number(value[i]));
	return array;
}

static void print_json(const struct picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	json_t *object = cli_json_new("plot"), *curve = cli_json_object(), *runs = cli_json_object();

	cli_json_set(object, "name", cli_json_text(program->name));
	cli_json_set(object, "parameter", cli_json_text(program->param[picture->varying].name));
	cli_json_set(object, "resource", cli_json_text(picture->resource));
	cli_json_set(object, "unit", cli_json_text(cli_unit(picture->resource)));
	cli_json_set(object, "confidence", cli_json_number(picture->confidence));
	cli_json_set(curve, "x", json_of_numbers(picture->x, CURVE_POINTS));
	cli_json_set(curve, "value", json_of_numbers(picture->value, CURVE_POINTS));
	cli_json_set(curve, "value_least", json_of_numbers(picture->value_least, CURVE_POINTS));
	cli_json_set(curve, "value_most", json_of_numbers(picture->value_most, CURVE_POINTS));
	cli_json_set(curve, "lower", json_of_numbers(picture->lower, CURVE_POINTS));
	cli_json_set(curve, "upper", json_of_numbers(picture->upper, CURVE_POINTS));
	cli_json_set(object, "curve", curve);
	cli_json_set(runs, "x", json_of_numbers(picture->at, picture->n_groups));
	cli_json_set(runs, "median", json_of_numbers(picture->median, picture->n_groups));
	cli_json_set(runs, "least", json_of_numbers(picture->least, picture->n_groups));
	cli_json_set(runs, "most", json_of_numbers(picture->most, picture->n_groups));
	cli_json_set(object, "runs", runs);
	cli_json_print(object, stdout);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct picture p = {.confidence = 0.9};
	const struct cli_option options[] = {
		{'o', "output", CLI_TEXT, &p.path, "FILE",
		 "a picture, .svg or .png; default: characters on the terminal"},
		{'r', "resource", CLI_TEXT, &p.resource, "R", "what is drawn; default wall_s"},
		{0, "confidence", CLI_SHARE, &p.confidence, "C",
		 "share of future runs within the band; default 90%"},
		{0, "width", CLI_COUNT, &p.width, "N", "pixels (default 900), or characters (default 80)"},
		CLI_MACHINE_OPTION(p.machine),
		{0, "json", CLI_FLAG, &p.json, NULL, "print what is drawn as one JSON object"},
		CLI_STORE_OPTION(p.store_path),
		{0},
	};
	struct cli_words words, first;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	first = words;
	first.n = words.n && !words.separated ? 1 : words.n;
	status = cli_name_word(command, &first) ? load(&p, &words) : CLI_WRONG;
	if (status == CLI_DONE && p.json)
		print_json(&p);
	if (status == CLI_DONE && (p.path || !p.json))
		status = draw(&p);
	picture_clear(&p);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_plot = {
	"plot",
	"draw a model and the runs that it rests on",
	"NAME [m=100] [-o FILE.svg|FILE.png] [OPTION...]",
	"Where several parameters vary, m=100 chooses the slice; else it is that of the first run.\n"
	"Pictures are drawn by gnuplot.\n",
	NULL,
	run,
};
