/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - what foretime fit found, whichever class was asked for. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_fit_text(const struct cli_fit_data *data, const struct ft_law *law, int digits,
		  char text[CLI_FIT_TEXT])
{
	const char *names[FT_LAW_PARAMS];

	for (size_t p = 0; p < FT_LAW_PARAMS; p++)
		names[p] = data->param[p];
	(void)ft_law_format(law, names, digits, text, CLI_FIT_TEXT);
}

/* ---- predictions --------------------------------------------------------------------------------------- */

#define PREDICTION struct cli_fit_prediction
static const struct ft_tell_row prediction_rows[] = {
	{FT_TELL_AS(NULL, PREDICTION, size)},
	{FT_TELL_AS("value", PREDICTION, said.value), .null = "it says nothing there", .head = ">value",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("median", PREDICTION, said.median), .about = "of the belief", .null = ""},
	{FT_TELL_AS("lower", PREDICTION, said.lower), .null = "no interval", .head = ">lower", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("upper", PREDICTION, said.upper), .null = "no interval", .head = ">upper", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("predicted", PREDICTION, model.value),
	 .about = "what foretime predict returns for these samples", .null = "no model", .head = ">predict",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("predicted_lower", PREDICTION, model.lower), .null = "no interval", .head = ">its lower",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("predicted_upper", PREDICTION, model.upper), .null = "no interval", .head = ">its upper",
	 .unit = "", .none = "unknown"},
	{0},
};
const struct ft_tell_record cli_fit_predictions = {.bytes = sizeof(PREDICTION), .row = prediction_rows};

/* The model of a group of a table; NULL: there is none. Ends with ft_model_free. */
static struct ft_model *model_of_table(const struct cli_fit_data *data, const struct cli_fit_group *group)
{
	CLI_OWN struct ft_observation *o = cli_alloc(group->n * sizeof *o);
	struct ft_model_options options = {.n_axes = data->params, .of = data->resource->of};
	size_t axis[FT_LAW_PARAMS], i, p;
	struct ft_model *model = NULL;

	options.prior = cli_prior(NULL);
	options.axis = axis;
	options.through_speed =
		data->resource->of == FT_CLASS_TIME && data->params == 1; /* as models of runs are */
	for (p = 0; p < data->params; p++)
		axis[p] = p;
	for (i = 0; i < group->n; i++) {
		o[i].size.n = data->params;
		for (p = 0; p < data->params; p++)
			o[i].size.value[p] = group->sample[i].x[p];
		o[i].work = 1;
		o[i].value = group->sample[i].value;
	}
	(void)ft_model_fit(&model, o, group->n, &options, NULL);
	return model;
}

/* The size of the program whose models answer; parameters that the laws are not of are as in a run. */
static struct ft_size program_size(const struct cli_fit_data *data, const struct ft_answerer *answerer,
				   const double *x)
{
	struct ft_size size = ft_ask_any_size(answerer);

	for (size_t p = 0; p < data->params; p++) {
		int at = ft_program_find_param(ft_ask_program(answerer), data->param[p]);

		size.value[at < 0 ? p : (size_t)at] = x[p];
	}
	return size;
}

/* model: of a table; else NULL. */
static struct ft_prediction predict_by_model(const struct cli_fit_data *data, const struct ft_model *model,
					     const double *x, const struct cli_fit_style *style)
{
	const struct ft_prediction none = {.value = NAN, .lower = NAN, .upper = NAN, .known = NAN};
	struct ft_prediction out = none;
	enum ft_status status = FT_ENOMODEL;
	struct ft_size size = {.n = data->params};

	if (style->models) {
		size = program_size(data, style->models->answerer, x);
		status = ft_ask_predict(style->models->answerer, data->resource, &size, style->confidence,
					&out, NULL);
	} else if (model) {
		memcpy(size.value, x, data->params * sizeof *x);
		status = ft_model_predict(model, &size, 1, style->confidence, &out, NULL);
	}
	if (status)
		return none;
	if (style->of == FT_LAW_MEAN) { /* the typical run, not single ones */
		out.lower = out.value / (1 + out.known);
		out.upper = out.value * (1 + out.known);
	}
	return out;
}

struct cli_fit_prediction *cli_fit_predict_all(const struct cli_fit_data *data,
					       const struct cli_fit_group *group,
					       const struct cli_fit_result *fit,
					       const struct cli_fit_sizes *sizes,
					       const struct cli_fit_style *style)
{
	PREDICTION *told = cli_alloc(sizes->n * sizeof *told);
	struct ft_model *model = sizes->n && !style->models ? model_of_table(data, group) : NULL;
	size_t i, p;

	for (i = 0; i < sizes->n; i++) {
		told[i].size.n = data->params;
		for (p = 0; p < data->params; p++)
			told[i].size.value[p] = sizes->x[i][p];
		if (ft_law_any_predict(&fit->of, sizes->x[i], style->confidence, style->of, &told[i].said,
				       NULL))
			told[i].said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		told[i].model = predict_by_model(data, model, sizes->x[i], style);
	}
	ft_model_free(model);
	return told;
}

struct ft_program cli_fit_program(const struct cli_fit_data *data)
{
	struct ft_program program = {.n_params = data->params};

	for (size_t p = 0; p < data->params; p++)
		memcpy(program.param[p].name, data->param[p], sizeof data->param[p]);
	return program;
}
