/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_grid.c - a grid of blocks divided into a rectangle for each processor. */
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked: blocks, and processors one by one. */
struct partition_grid {
	struct cli_partition *q;
	int64_t rows, columns, *at;  /* at: of all groups, in blocks */
	struct ft_plan_times *times; /* [p] */
	struct ft_plan_tile *tile;   /* [p] */
	struct ft_grid found;
};

int cli_grid_read(const struct cli_partition *q, int64_t *rows, int64_t *columns)
{
	const char *text = q->plan->grid, *x = strchr(text, 'x');
	char *first = cli_printed("%.*s", x ? (int)(x - text) : 0, text);
	double r = 0, c = 0;
	bool good = x && !ft_number_parse(first, &r, NULL) && !ft_number_parse(x + 1, &c, NULL) && r >= 1 &&
		    c >= 1 && r == floor(r) && c == floor(c) && r * c <= (double)q->total;

	free(first);
	if (!good || q->total % (int64_t)(r * c))
		return cli_fail("--grid '%s' does not divide %s=%lld into blocks\n"
				"hint: write --grid ROWSxCOLUMNS, as in 16x16, such that rows x columns "
				"divides the total",
				text, q->parameter, (long long)q->total);
	*rows = (int64_t)r;
	*columns = (int64_t)c;
	return CLI_DONE;
}

/* Knots in blocks; the share of one unit, which is no block, is left out. */
static void make_times(struct partition_grid *g)
{
	size_t i, j, k = 0, n = 0;

	for (i = 0; i < g->q->n; i++)
		n += g->q->processor[i].cost.n;
	g->at = cli_alloc(n * sizeof *g->at);
	n = 0;
	for (i = 0; i < g->q->n; i++) {
		const struct ft_cost *cost = &g->q->processor[i].cost;
		size_t skip = g->q->step > 1, first = n;

		for (j = skip; j < cost->n; j++)
			g->at[n++] = cost->at[j] / g->q->step;
		for (j = 0; j < g->q->processor[i].host->count; j++)
			g->times[k++] = (struct ft_plan_times){
				.n = n - first, .at = g->at + first, .time_s = cost->value + skip};
	}
}

static void print_text(const struct partition_grid *g, const struct ft_told_grid *told)
{
	char time[FT_UNIT_LENGTH], *proof = cli_plan_proof(&g->found.plan, "s");

	printf("%lld x %lld blocks over %zu processor%s: done in %s\n%s\nsides of all tiles: %g blocks\n\n",
	       (long long)g->rows, (long long)g->columns, g->q->p, g->q->p == 1 ? "" : "s",
	       ft_value_format(g->found.plan.value, "s", time), proof, g->found.half_perimeters);
	cli_tell_table(&ft_tell_tile, told->tile, told->n, NULL);
	free(proof);
}

static void print_grid(const struct partition_grid *g)
{
	struct ft_told_tile *tile = cli_alloc(g->q->p * sizeof *tile);
	const struct ft_told_grid told = {g->found.plan, tile, g->q->p};
	struct ft_told_partition answer = cli_partition_tell(g->q);
	size_t k;

	for (k = 0; k < g->q->p; k++)
		tile[k] = (struct ft_told_tile){g->q->share[k].label, g->tile[k], g->q->share[k].units,
						g->q->share[k].time_s};
	answer.feasible = true;
	answer.grid = &told;
	if (g->q->plan->json)
		cli_tell(&ft_tell_partition, &answer, NULL);
	else
		print_text(g, &told);
	free(tile);
}

static int answer_grid(struct partition_grid *g)
{
	struct ft_err err = {0};
	size_t k;

	if (ft_plan_grid(g->times, g->q->p, g->rows, g->columns, g->tile, &g->found, &err)) {
		(void)cli_error(&err);
		if (!err.remedy[0])
			cli_hint("a grid is divided by models whose times never fall; without --grid any "
				 "will do");
		return CLI_WRONG;
	}
	if (isinf(g->found.plan.value)) {
		(void)cli_fail("the grid cannot be divided: no rectangles that fit cover it\n"
			       "hint: more hosts, smaller blocks, or without --grid");
		return CLI_NO;
	}
	for (k = 0; k < g->q->p; k++) {
		int64_t blocks = g->tile[k].width * g->tile[k].height;

		g->q->share[k].units = blocks * g->q->step;
		g->q->share[k].time_s = blocks ? ft_plan_time(&g->times[k], blocks) : 0;
	}
	print_grid(g);
	return CLI_DONE;
}

int cli_partition_grid(struct cli_partition *q)
{
	struct partition_grid g = {.q = q};
	int status = cli_grid_read(q, &g.rows, &g.columns);

	if (status != CLI_DONE)
		return status;
	g.times = cli_alloc(q->p * sizeof *g.times);
	g.tile = cli_alloc(q->p * sizeof *g.tile);
	make_times(&g);
	status = answer_grid(&g);
	free(g.times);
	free(g.tile);
	free(g.at);
	return status;
}
