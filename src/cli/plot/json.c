/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - what a picture of a model shows, as JSON. */
#include "cli/facts.h"
#include "cli/plot/plot.h"

#include <math.h>
#include <stdlib.h>

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

static json_t *json_of_axes(const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	json_t *array = cli_json_array();
	size_t k;

	for (k = 0; k < picture->n_spans; k++) {
		const struct cli_span *span = &picture->span[k];
		json_t *object = cli_json_object();

		cli_json_set(object, "parameter", cli_json_text(program->param[span->axis].name));
		cli_json_set(object, "logarithmic", cli_json_bool(span->log));
		cli_json_set(object, "at", cli_json_numbers(span->at, span->n));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_runs(const struct cli_picture *picture)
{
	json_t *runs = cli_json_object();

	cli_json_set(runs, "x", cli_json_numbers(picture->run_x, picture->n_runs));
	if (picture->n_spans > 1)
		cli_json_set(runs, "y", cli_json_numbers(picture->run_y, picture->n_runs));
	cli_json_set(runs, "value", cli_json_numbers(picture->run_value, picture->n_runs));
	return runs;
}

void cli_picture_print(const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	json_t *object = cli_json_new("plot"), *model = cli_json_object(), *at = cli_json_object();
	size_t i;

	cli_json_set(object, "name", cli_json_text(program->name));
	cli_json_set(object, "machine", cli_json_text(ft_ask_machine(picture->models.answerer)->host));
	cli_json_set(object, "resource", cli_json_text(picture->resource));
	cli_json_set(object, "unit", cli_json_text(cli_unit(picture->resource)));
	cli_json_set(object, "confidence", cli_json_number(picture->confidence));
	for (i = 0; i < program->n_params; i++)
		if (i != picture->span[0].axis && (picture->n_spans < 2 || i != picture->span[1].axis))
			cli_json_set(at, program->param[i].name, cli_json_number(picture->slice.value[i]));
	cli_json_set(object, "fixed", at);
	cli_json_set(object, "axes", json_of_axes(picture));
	cli_json_set(model, "value", json_of_answers(picture, VALUE));
	cli_json_set(model, "value_least", json_of_answers(picture, LEAST));
	cli_json_set(model, "value_most", json_of_answers(picture, MOST));
	cli_json_set(model, "lower", json_of_answers(picture, LOWER));
	cli_json_set(model, "upper", json_of_answers(picture, UPPER));
	cli_json_set(model, "beyond", json_of_answers(picture, BEYOND));
	cli_json_set(model, "work", picture->works ? json_of_answers(picture, WORK) : cli_json_text(NULL));
	cli_json_set(object, "model", model);
	cli_json_set(object, "runs", json_of_runs(picture));
	cli_json_print(object, stdout);
}
