/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - what foretime fit found, whichever class was asked for. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <string.h>

void cli_fit_text(const struct cli_fit_data *data, const struct ft_law *law, int digits,
		  char text[CLI_FIT_TEXT])
{
	const char *names[FT_LAW_PARAMS];
	size_t p;

	for (p = 0; p < FT_LAW_PARAMS; p++)
		names[p] = data->param[p];
	(void)ft_law_format(law, names, digits, text, CLI_FIT_TEXT);
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
		told[i].size.n = data->params;
		for (p = 0; p < data->params; p++)
			told[i].size.value[p] = sizes->x[i][p];
		if (ft_law_any_predict(&fit->of, sizes->x[i], style->confidence, style->of, &told[i].said,
				       NULL))
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
