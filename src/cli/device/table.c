/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - which device is best where: as a header in C, or in words. */
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/output.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>

/* The part of the range that a node is for. */
struct part {
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX];
};

static void print_leaf(const struct ft_table *table, const struct ft_ranking *ranking,
		       const struct ft_table_node *node, const struct part *part)
{
	const char *device = ft_ranking_device(ranking, node->device);
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH];
	size_t k;

	printf("  ");
	for (k = 0; k < table->n_params; k++)
		if (part->least[k] < part->most[k])
			printf("%s = %s .. %s  ", table->param[k],
			       ft_number_format(round(part->least[k]), least),
			       ft_number_format(round(part->most[k]), most));
	printf("%s, chance %.0f %%\n", *device ? device : "(none)", 100 * node->sure);
}

static void print_node(const struct ft_table *table, const struct ft_ranking *ranking, size_t at,
		       const struct part *part)
{
	const struct ft_table_node *node = &table->node[at];
	struct part below = *part, above = *part;

	if (!node->below) {
		print_leaf(table, ranking, node, part);
		return;
	}
	below.most[node->param] = node->edge;
	above.least[node->param] = node->edge;
	print_node(table, ranking, node->below, &below);
	print_node(table, ranking, node->above, &above);
}

void cli_device_print_table(const struct ft_table *table, const struct ft_ranking *ranking)
{
	struct part all;
	size_t k;

	for (k = 0; k < FT_PARAMS_MAX; k++) {
		all.least[k] = k < table->n_params ? table->least[k] : 0;
		all.most[k] = k < table->n_params ? table->most[k] : 0;
	}
	print_node(table, ranking, 0, &all);
}

int cli_device_table(void *ctx)
{
	struct cli_device *asked = ctx;
	struct ft_table *table = cli_alloc(sizeof *table);
	struct cli_output output = {0};
	struct ft_err err = {0};
	char *text = NULL;
	int status = cli_device_open(asked);

	if (status == CLI_DONE) {
		cli_device_drivers(asked);
		if (ft_table_make(table, asked->ranking, &err) ||
		    ft_table_header(table, asked->ranking, asked->word[0], &text, &err))
			status = cli_error(&err);
	}
	if (status == CLI_DONE)
		status = cli_output_open(&output, asked->output, stdout);
	if (status == CLI_DONE) {
		fputs(text, output.file);
		status = cli_output_close(&output, true);
	}
	free(text);
	free(table);
	return status;
}
