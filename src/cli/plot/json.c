/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - what a picture of a model shows, as JSON. */
#include "cli/answers.h"
#include "cli/facts.h"
#include "cli/plot/plot.h"

#include <math.h>
#include <string.h>

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

/* Of a curve an array, of a plane an array for each value of the second parameter. */
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
	 .about = "the values that are predicted, ascending"},
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
	{FT_TELL(MODEL, beyond), .of = &truths, .deep = true, .about = "whether this is extrapolated"},
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

struct plot_told {
	const char *name, *machine;
	const struct ft_resource *resource;
	double confidence;
	const struct fixed *fixed;
	SPAN axis[2];
	size_t n_fixed, n_axes;
	MODEL model;
	struct drawn runs;
};

#define TOLD struct plot_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, name)},
	{FT_TELL(TOLD, machine), .null = "not known"},
	{FT_TELL(TOLD, resource)},
	{FT_TELL_BY(UNIT, "unit", TOLD, resource)},
	{FT_TELL(TOLD, confidence)},
	{FT_TELL_MANY(MAP, "fixed", TOLD, fixed, n_fixed, &fixed),
	 .about = "the values of the parameters that are not drawn"},
	{FT_TELL_MANY(ARRAY, "axes", TOLD, axis, n_axes, &axes), .about = "one: a curve; two: a plane"},
	{FT_TELL_BY(RECORD, "model", TOLD, model), .of = &models},
	{FT_TELL_BY(RECORD, "runs", TOLD, runs), .of = &drawn},
	{0},
};
const struct ft_tell_record cli_plot_told = {.name = "plot", .version = 2, .row = rows};

void cli_picture_print(const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	json_t *answers[WORK + 1] = {0};
	struct fixed left[FT_PARAMS_MAX];
	TOLD told = {
		.name = program->name,
		.machine = ft_ask_machine(picture->models.answerer)->host,
		.resource = picture->resource,
		.confidence = picture->confidence,
		.fixed = left,
		.n_axes = picture->n_spans,
		.runs = {picture->run_x, picture->n_spans > 1 ? picture->run_y : NULL, picture->run_value,
			 picture->n_runs},
	};
	size_t i;

	memcpy(told.axis, picture->span, sizeof told.axis);
	for (i = 0; i < told.n_axes; i++)
		told.axis[i].name = program->param[picture->span[i].axis].name;
	for (i = 0; i < program->n_params; i++)
		if (i != picture->span[0].axis && (picture->n_spans < 2 || i != picture->span[1].axis))
			left[told.n_fixed++] =
				(struct fixed){program->param[i].name, picture->slice.value[i]};
	for (i = VALUE; i <= (picture->works ? WORK : BEYOND); i++)
		answers[i] = json_of_answers(picture, (enum what)i);
	told.model = (MODEL){answers[VALUE], answers[LEAST],  answers[MOST], answers[LOWER],
			     answers[UPPER], answers[BEYOND], answers[WORK]};
	cli_tell(&cli_plot_told, &told, NULL);
	for (i = VALUE; i <= WORK; i++)
		json_decref(answers[i]);
}
