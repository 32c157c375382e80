/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - what foretime fit found, whichever class was asked for. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ft_law *cli_fit_law(const struct cli_fit_result *fit)
{
	if (fit->many)
		return &fit->multi.candidate[0].law;
	if (fit->kind == FT_LAW_SIGNED)
		return &fit->sums.candidate[0].law;
	return fit->kind == FT_LAW_LAWS ? &fit->laws.law : &fit->named.law;
}

enum ft_status cli_fit_predict(const struct cli_fit_result *fit, const double *x,
			       const struct cli_fit_style *style, struct ft_law_prediction *out,
			       struct ft_err *err)
{
	if (fit->many)
		return ft_laws_predict_many(&fit->multi, x, style->confidence, style->of, out, err);
	if (fit->kind == FT_LAW_SIGNED)
		return ft_law_sums_predict(&fit->sums, x[0], style->confidence, style->of, out, err);
	if (fit->kind != FT_LAW_LAWS)
		return ft_law_named_predict(&fit->named, x[0], style->confidence, style->of, out, err);
	return ft_laws_predict(&fit->laws, x[0], style->confidence, style->of, out, err);
}

void cli_fit_text(const struct cli_fit_data *data, const struct ft_law *law, int digits,
		  char text[CLI_FIT_TEXT])
{
	const char *names[FT_LAW_PARAMS];
	size_t p;

	for (p = 0; p < FT_LAW_PARAMS; p++)
		names[p] = data->param[p];
	(void)ft_law_format(law, names, digits, text, CLI_FIT_TEXT);
}

double cli_fit_misfit(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.misfit;
	if (fit->kind == FT_LAW_SIGNED)
		return fit->sums.misfit;
	return fit->kind == FT_LAW_LAWS ? fit->laws.misfit : fit->named.mean_error;
}

double cli_fit_noise(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.noise;
	if (fit->kind == FT_LAW_SIGNED)
		return fit->sums.noise;
	return fit->kind == FT_LAW_LAWS ? fit->laws.noise : fit->named.noise;
}

size_t cli_fit_count(const struct cli_fit_result *fit)
{
	if (fit->many)
		return fit->multi.places;
	if (fit->kind == FT_LAW_SIGNED)
		return fit->sums.sizes;
	return fit->kind == FT_LAW_LAWS ? fit->laws.sizes : fit->named.sizes;
}

void cli_fit_residuals(const struct cli_fit_result *fit, double *residual, double *residual_ln)
{
	*residual_ln = NAN;
	if (fit->many) {
		*residual = fit->multi.residual;
		*residual_ln = fit->multi.residual_ln;
	} else if (fit->kind == FT_LAW_SIGNED) {
		*residual = fit->sums.residual;
	} else if (fit->kind == FT_LAW_LAWS) {
		*residual = fit->laws.residual;
		*residual_ln = fit->laws.residual_ln;
	} else {
		*residual = fit->named.residual;
		*residual_ln = fit->named.residual_ln;
	}
}

bool cli_fit_power(const struct cli_fit_result *fit, double confidence, struct ft_law_number *out)
{
	if (fit->many || fit->kind == FT_LAW_SIGNED)
		return false;
	return fit->kind == FT_LAW_LAWS ? ft_laws_power(&fit->laws, confidence, out)
					: ft_law_named_power(&fit->named, confidence, out);
}

/* ---- what it says of sizes
 * ---------------------------------------------------------------------------------- */

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
	{FT_TELL_AS("wide_lower", PREDICTION, said.wide_lower),
	 .about = "holds the confidence also where the law may have one term more", .null = "no interval",
	 .head = ">wide lower", .unit = "", .none = "unknown"},
	{FT_TELL_AS("wide_upper", PREDICTION, said.wide_upper), .null = "no interval", .head = ">wide upper",
	 .unit = "", .none = "unknown"},
	{0},
};
const struct ft_tell_record cli_fit_predictions = {.bytes = sizeof(PREDICTION), .row = prediction_rows};

struct cli_fit_prediction *cli_fit_predict_all(const struct cli_fit_data *data,
					       const struct cli_fit_result *fit,
					       const struct cli_fit_sizes *sizes,
					       const struct cli_fit_style *style)
{
	PREDICTION *told = cli_alloc(sizes->n * sizeof *told);
	size_t i, p;

	for (i = 0; i < sizes->n; i++) {
		struct ft_err err = {0};

		told[i].size.n = data->params;
		for (p = 0; p < data->params; p++)
			told[i].size.value[p] = sizes->x[i][p];
		if (cli_fit_predict(fit, sizes->x[i], style, &told[i].said, &err))
			told[i].said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
	}
	return told;
}

struct ft_program cli_fit_program(const struct cli_fit_data *data)
{
	struct ft_program program = {.n_params = data->params};
	size_t p;

	for (p = 0; p < data->params; p++)
		memcpy(program.param[p].name, data->param[p], sizeof data->param[p]);
	return program;
}
