/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - which device is best where: as a header in C, or in words. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/output.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>

/* The part of the range that a node is for. */
struct device_part {
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX];
};

static void print_leaf(const struct ft_table *table, const struct ft_ranking *ranking,
		       const struct ft_table_node *node, const struct device_part *part)
{
	const char *device = ft_ranking_device(ranking, node->device);
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH];

	printf("  ");
	for (size_t k = 0; k < table->n_params; k++)
		if (part->least[k] < part->most[k])
			printf("%s = %s .. %s  ", table->param[k],
			       ft_number_format(round(part->least[k]), least),
			       ft_number_format(round(part->most[k]), most));
	printf("%s, chance %.0f %%\n", *device ? device : "(none)", 100 * node->sure);
}

static void print_node(const struct ft_table *table, const struct ft_ranking *ranking, size_t at,
		       const struct device_part *part)
{
	const struct ft_table_node *node = &table->node[at];
	struct device_part below = *part, above = *part;

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
	struct device_part all;

	for (size_t k = 0; k < FT_PARAMS_MAX; k++) {
		all.least[k] = k < table->n_params ? table->least[k] : 0;
		all.most[k] = k < table->n_params ? table->most[k] : 0;
	}
	print_node(table, ranking, 0, &all);
}

/* ---- as JSON: what other languages choose by ---------------------------------------------------------- */

struct node {
	const char *param, *device;
	double edge, sure;
	size_t below, above;
};

static const struct ft_tell_row node_rows[] = {
	{FT_TELL(struct node, param), .null = "it is a leaf"},
	{FT_TELL(struct node, edge), .about = "smaller values go below", .null = "it is a leaf"},
	{FT_TELL(struct node, below), .about = "which node", .null = "it is a leaf"},
	{FT_TELL(struct node, above), .null = "it is a leaf"},
	{FT_TELL(struct node, device),
	 .about = "of a leaf; of inner nodes, the best when no other value is known"},
	{FT_TELL(struct node, sure), .about = "mean chance that it is the best"},
	{0},
};
static const struct ft_tell_record nodes = {.bytes = sizeof(struct node), .row = node_rows};

struct device_table_told {
	const char *name, *axis;
	const struct ft_resource *least;
	const char *param[FT_PARAMS_MAX];
	const double *from, *to, *sure;
	struct node node[FT_TABLE_NODES];
	size_t n, n_params, n_sure;
	double loss;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_table_told, name)},
	{FT_TELL_AS("resource", struct device_table_told, least), .about = "what is least"},
	{FT_TELL_MANY(ARRAY, "parameters", struct device_table_told, param, n_params, &ft_tell_texts)},
	{FT_TELL_MANY(LIST, "from", struct device_table_told, from, n_params, &ft_tell_numbers),
	 .about = "sizes between which it holds, a value for each parameter"},
	{FT_TELL_MANY(LIST, "to", struct device_table_told, to, n_params, &ft_tell_numbers)},
	{FT_TELL(struct device_table_told, loss),
	 .about = "over these, in the mean, against asking the models each time"},
	{FT_TELL_MANY(ARRAY, "nodes", struct device_table_told, node, n, &nodes),
	 .about = "the first is the root"},
	{FT_TELL(struct device_table_told, axis), .about = "the only parameter that varies",
	 .null = "several do"},
	{FT_TELL_MANY(LIST, "sure", struct device_table_told, sure, n_sure, &ft_tell_numbers),
	 .about = "chances along the logarithm of that one, evenly from its least value to its largest"},
	{0},
};
const struct ft_tell_record cli_device_table_told = {
	.name = "device", .action = "table", .version = 1, .row = rows};

static void tell_json(const struct cli_device *asked, const struct ft_table *table)
{
	CLI_OWN struct device_table_told *told = cli_alloc(sizeof *told);

	*told = (struct device_table_told){.name = asked->word[0],
					   .least = asked->options.resource,
					   .axis = table->one ? table->param[table->axis] : NULL,
					   .from = table->least,
					   .to = table->most,
					   .sure = table->sure,
					   .n = table->n,
					   .n_params = table->n_params,
					   .n_sure = table->one ? FT_TABLE_SURE : 0,
					   .loss = table->loss};
	for (size_t i = 0; i < table->n_params; i++)
		told->param[i] = table->param[i];
	for (size_t i = 0; i < table->n; i++) {
		const struct ft_table_node *node = &table->node[i];

		told->node[i] = (struct node){.param = node->below ? table->param[node->param] : NULL,
					      .device = ft_ranking_device(asked->ranking, node->device),
					      .edge = node->below ? node->edge : (double)NAN,
					      .sure = node->sure,
					      .below = node->below,
					      .above = node->above};
	}
	cli_tell(&cli_device_table_told, told, NULL);
}

static int write_header(const struct cli_device *asked, const struct ft_table *table)
{
	struct ft_err err = {0};
	char *text = NULL;

	if (ft_table_header(table, asked->ranking, asked->word[0], &text, &err))
		return cli_error(&err);
	int status = cli_output_text(asked->output, text);
	free(text);
	return status;
}

int cli_device_table(void *ctx)
{
	struct cli_device *asked = ctx;
	struct ft_err err = {0};

	if (asked->json && asked->output)
		return cli_fail("--json is printed, and goes with no --output: that is for the header in C");
	CLI_OWN struct ft_table *table = cli_alloc(sizeof *table);
	int status = cli_device_open(asked);
	if (status == CLI_DONE) {
		cli_device_drivers(asked);
		if (ft_table_make(table, asked->ranking, &err))
			status = cli_error(&err);
		else if (asked->json)
			tell_json(asked, table);
		else
			status = write_header(asked, table);
	}
	return status;
}
