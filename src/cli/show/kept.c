/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - `foretime show --kept`: runs beside what the runs before them said. */
#include "cli/show/show.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/output.h"

#include <string.h>

int cli_kept_find(struct ft_answerer *answerer, const struct ft_resource *resource, size_t most,
		  struct ft_told_kept *out)
{
	const struct ft_kept_options options = {.confidence = 0.9, .most = most, .models = FT_KEPT_MODELS};
	struct ft_err err = {0};

	*out = (struct ft_told_kept){.resource = resource};
	if (!answerer)
		return cli_fail("no run ended well: nothing was foretold\n"
				"hint: foretime build measures a program");
	return ft_ask_kept(answerer, resource, &options, &out->kept, &err) ? cli_error(&err) : CLI_DONE;
}

static void print_share(const struct ft_told_kept *told)
{
	const struct ft_kept *kept = &told->kept;
	const size_t foretold = kept->n - kept->untold;

	printf("\n%s foretold before the run began, to hold 9 in 10\n", told->resource->name);
	if (!foretold)
		printf("none: the runs before did not suffice\n");
	else
		printf("%zu of %zu run%s inside, %zu took less, %zu took more: %.0f %%; of all such runs "
		       "%.0f .. %.0f %%\n",
		       kept->inside, foretold, foretold == 1 ? "" : "s", kept->less, kept->more,
		       100 * kept->share, 100 * kept->least, 100 * kept->most);
	if (foretold && kept->untold)
		printf("%zu more began before enough was known\n", kept->untold);
}

void cli_kept_print(const struct ft_told_kept *told, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program, .unit = told->resource->unit};

	print_share(told);
	cli_tell_table(&ft_tell_kept_run, told->kept.run, told->kept.n, &with);
}
