/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - the matrix as a heat map, and its programs in two dimensions. */
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "cli/terminal.h"
#include "foretime/plot.h"

#include <stdio.h>
#include <stdlib.h>

static int draw_diagnosis(const struct cli_surrogate *s, const struct ft_diagnosis *d, const double *value)
{
	CLI_OWN char *title = cli_printed("%s: %zu resources, %zu programs", cli_surrogate_source(s),
					  s->matrix.rows, s->matrix.columns),
		     *x = cli_printed("first component (%.0f %%)", d ? 100 * d->place_share[0] : 0),
		     *y = cli_printed("second (%.0f %%)", d ? 100 * d->place_share[1] : 0), *text = NULL;
	const struct ft_heat heat = {.rows = s->matrix.rows,
				     .columns = s->matrix.columns,
				     .row = s->matrix.row,
				     .column = s->matrix.column,
				     .value = value,
				     .place = d ? d->place : NULL,
				     .value_label = "doublings against row and column",
				     .x_label = x,
				     .y_label = y};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_plot_heat(title, &heat, s->output, s->output ? 0 : (int)cli_terminal_width(stdout),
			 s->output ? NULL : &text, &err))
		status = cli_error(&err);
	if (text)
		fputs(text, stdout);
	return status;
}

int cli_surrogate_plot(void *asked)
{
	struct cli_surrogate *surrogate = asked;
	FT_CLEANUP(ft_diagnosis_clear) struct ft_diagnosis diagnosis = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_surrogate_open(surrogate));
	enum ft_status found = ft_matrix_diagnose(&surrogate->matrix, 0, &diagnosis, &err);
	if (found && found != FT_ENOMODEL)
		return cli_error(&err);
	if (found)
		cli_note("no row is complete: programs have no place in the plane");
	CLI_OWN double *value = cli_alloc(surrogate->matrix.rows * surrogate->matrix.columns * sizeof *value);
	ft_matrix_doublings(&surrogate->matrix, value);
	return draw_diagnosis(surrogate, found ? NULL : &diagnosis, value);
}
