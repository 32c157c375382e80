/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.c - requests for all sizes, as a file of knots. */
#include "tell/knots.h"
#include "cli/common.h"
#include "cli/export/knots.h"
#include "cli/models.h"

#include <stdlib.h>

int cli_export_knots(const char *name, const char *device, const char *machine, const char *store_path,
		     const char *path, double risk, double lives_s)
{
	struct cli_models models = {0};
	struct ft_err err = {0};
	int status = cli_models_open(&models, store_path, name, device, machine);
	char *text = NULL;

	if (status != CLI_DONE)
		return status;
	if (ft_tell_knots(models.answerer, NULL, 0, risk, lives_s, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = cli_output_text(path, text);
	free(text);
	cli_models_close(&models);
	return status;
}
