/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - several columns of one file. */
#include "cli/common.h"
#include "cli/trace/trace.h"

#include <stdlib.h>
#include <string.h>

int cli_columns_split(struct cli_columns *columns, const struct cli_trace *asked)
{
	char *rest, *word;

	*columns = (struct cli_columns){0};
	rest = columns->names = cli_strdup(asked->format.value ? asked->format.value : "");
	while ((word = strsep(&rest, ",")) != NULL) {
		columns->one = cli_grow(columns->one, columns->n, sizeof *columns->one);
		columns->one[columns->n] = *asked;
		columns->one[columns->n++].format.value = *word ? word : NULL;
		if (!*word && (rest || columns->n > 1))
			return cli_fail("--value: a name is missing between two commas");
	}
	return CLI_DONE;
}

int cli_columns_read(struct cli_columns *columns)
{

	if (columns->n > 1 && !strcmp(columns->one->path, "-"))
		return cli_fail("several columns cannot be read from standard input, which comes once\n"
				"hint: write it to a file, and name that");
	for (size_t k = 0; k < columns->n; k++)
		CLI_TRY(cli_trace_read(&columns->one[k]));
	return CLI_DONE;
}

/* With the same times. */
static int meet(struct cli_columns *columns)
{
	CLI_OWN struct ft_trace *trace = cli_alloc(columns->n * sizeof *trace);
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (size_t k = 0; k < columns->n; k++)
		trace[k] = columns->one[k].trace;
	if (ft_traces_meet(trace, columns->n, &err))
		status = cli_error(&err);
	for (size_t k = 0; k < columns->n; k++)
		columns->one[k].trace = trace[k];
	return status;
}

int cli_columns_phases(struct cli_columns *columns, struct ft_phases *out)
{
	CLI_OWN const struct ft_pwl **f = cli_alloc(columns->n * sizeof *f);
	struct ft_err err = {0};

	if (columns->n > 1)
		CLI_TRY(meet(columns));
	for (size_t k = 0; k < columns->n; k++) {
		CLI_TRY(cli_trace_curves(&columns->one[k]));
		f[k] = columns->one[k].curves.part[0];
	}
	if (ft_pwl_phases_together(out, f, columns->n, columns->one->pieces, &err))
		return cli_error(&err);
	return CLI_DONE;
}

void cli_columns_clear(struct cli_columns *columns)
{
	for (size_t k = 0; k < columns->n; k++)
		cli_trace_close(&columns->one[k]);
	free(columns->one);
	free(columns->names);
	*columns = (struct cli_columns){0};
}
