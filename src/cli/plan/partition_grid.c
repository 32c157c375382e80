/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_grid.c - a grid of blocks divided into a rectangle for each processor. */
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The answer. */
struct partition_grid {
	struct cli_partition *q;
	struct ft_plan_tile *tile; /* [p] */
	struct ft_grid found;
};

int cli_grid_read(struct cli_partition *q)
{
	const char *text = q->plan->grid, *x = strchr(text, 'x');
	CLI_OWN char *first = cli_printed("%.*s", x ? (int)(x - text) : 0, text);
	int64_t total = q->divide.total;
	double r = 0, c = 0;
	bool good = x && !ft_number_parse(first, &r, NULL) && !ft_number_parse(x + 1, &c, NULL) && r >= 1 &&
		    c >= 1 && r == floor(r) && c == floor(c) && r * c <= (double)total;

	if (!good || total % (int64_t)(r * c))
		return cli_fail("--grid '%s' does not divide %s=%lld into blocks\n"
				"hint: write --grid ROWSxCOLUMNS, as in 16x16, such that rows x columns "
				"divides the total",
				text, q->parameter, (long long)total);
	q->rows = (int64_t)r;
	q->columns = (int64_t)c;
	q->divide.step = total / (int64_t)(r * c);
	return CLI_DONE;
}

static void print_text(const struct partition_grid *g, const struct ft_told_grid *told)
{
	char time[FT_UNIT_LENGTH], *proof = cli_plan_proof(&g->found.plan, "s");

	printf("%lld x %lld blocks over %zu processor%s: done in %s\n%s\nsides of all tiles: %g blocks\n\n",
	       (long long)g->q->rows, (long long)g->q->columns, g->q->found.p, g->q->found.p == 1 ? "" : "s",
	       ft_value_format(g->found.plan.value, "s", time), proof, g->found.half_perimeters);
	cli_tell_table(&ft_tell_tile, told->tile, told->n, NULL);
	free(proof);
}

static void print_grid(const struct partition_grid *g)
{
	CLI_OWN struct ft_told_tile *tile = cli_alloc(g->q->found.p * sizeof *tile);
	const struct ft_told_grid told = {g->found.plan, tile, g->q->found.p};
	struct ft_told_partition answer = cli_partition_tell(g->q);

	for (size_t k = 0; k < g->q->found.p; k++)
		tile[k] = (struct ft_told_tile){g->q->label[k], g->tile[k], g->q->found.share[k].units,
						g->q->found.share[k].time_s};
	answer.feasible = true;
	answer.grid = &told;
	if (g->q->plan->json)
		cli_tell(&ft_tell_partition, &answer, NULL);
	else
		print_text(g, &told);
}

int cli_partition_grid(struct cli_partition *q)
{
	struct partition_grid g = {.q = q, .tile = cli_alloc(q->found.p * sizeof *g.tile)};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_divide_grid(&q->divide, q->rows, q->columns, g.tile, &g.found, &q->found, &err)) {
		status = cli_error(&err);
	} else if (isinf(g.found.plan.value)) {
		(void)cli_fail("the grid cannot be divided: no rectangles that fit cover it\n"
			       "hint: more hosts, smaller blocks, or without --grid");
		status = CLI_NO;
	} else {
		print_grid(&g);
	}
	free(g.tile);
	return status;
}
