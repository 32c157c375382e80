/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models_axes.c - what is told of the parameters themselves, by every answer alike: those that change
 * nothing, and those whose parts cannot be told apart. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"

void cli_axes_print_found(const struct ft_told_axes *axes, FILE *file)
{
	for (size_t i = 0; i < axes->n_flat; i++)
		fprintf(file, "flat: %s changes nothing\n", axes->flat[i]);
	for (size_t i = 0; i < axes->n_together; i++)
		fprintf(file, "%s and %s %s in all runs: what each of them does cannot be told apart\n",
			axes->together[i].name[0], axes->together[i].name[1],
			axes->together[i].equal ? "are equal" : "change together");
}

void cli_axes_print(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
		    FILE *file)
{
	struct ft_told_axes axes;

	ft_tell_axes_find(models->answerer, resource, n, &axes);
	cli_axes_print_found(&axes, file);
}
