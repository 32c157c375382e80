/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - how good load functions would have been: history, window, extremes and quantiles side by
 * side (000 section 3). */
#include "cli/common.h"
#include "cli/load/load.h"
#include "foretime/units.h"

#include <stdlib.h>

enum { MOMENTS_MOST = 1000, MOMENTS_LEAST = 20, N_LENGTHS = 3 };

/* Averages that may be looked at for the quantiles of one cell: a tenth of a second's. */
static const double EFFORT = 2e7;

static const double shares[] = {1, 0.95, 0.9, 0.8};

struct cell {
	size_t h, w;
	double share;
	struct ft_load_judgement found;
};

static size_t moments(const struct cell *cell)
{
	double n = EFFORT / ((double)cell->h * (double)cell->w);

	return cell->share == 1 || n > MOMENTS_MOST ? MOMENTS_MOST
	       : n < MOMENTS_LEAST                  ? MOMENTS_LEAST
						    : (size_t)n;
}

/* The lengths to compare: the one asked for, else a fraction, the usual, a multiple of it. */
static size_t lengths(double asked, size_t usual, size_t fraction, size_t multiple, size_t out[N_LENGTHS])
{
	size_t n = 1;

	out[0] = usual;
	if (asked > 0)
		return 1;
	out[0] = usual / fraction ? usual / fraction : 1;
	if (out[0] < usual) /* of a short history both may be one interval */
		out[n++] = usual;
	out[n++] = usual * multiple;
	return n;
}

static int judge(const struct cli_load *load, struct cell *cell)
{
	struct ft_err err = {0};

	if (ft_load_judge(&cell->found, &load->history, cell->h, cell->w, cell->share, moments(cell), &err))
		return cli_error(&err);
	return CLI_DONE;
}

static void add_row(const struct cli_load *load, struct cli_table *table, const struct cell *cell)
{
	char text[FT_UNIT_LENGTH];

	cli_table_add(table, "%s", ft_value_format((double)cell->h * load->interval_s, "s", text));
	cli_table_add(table, "%s", ft_value_format((double)cell->w * load->interval_s, "s", text));
	cli_table_add(table, "%s", cell->share < 1 ? ft_share_format(cell->share, text) : "extremes");
	cli_table_add(table, "%s", ft_share_format(cell->found.within, text));
	cli_table_add(table, "%s", ft_share_format(cell->found.width / load->history.processors, text));
	cli_table_add(table, "%.4g", cell->found.area / 3600);
	cli_table_add(table, "%zu", cell->found.moments);
}

static void add_json(const struct cli_load *load, json_t *array, const struct cell *cell)
{
	json_t *row = cli_json_object();

	cli_json_set(row, "history_s", cli_json_number((double)cell->h * load->interval_s));
	cli_json_set(row, "window_s", cli_json_number((double)cell->w * load->interval_s));
	cli_json_set(row, "share", cli_json_number(cell->share));
	cli_json_set(row, "moments", cli_json_number((double)cell->found.moments));
	cli_json_set(row, "averages", cli_json_number((double)cell->found.averages));
	cli_json_set(row, "within", cli_json_number(cell->found.within));
	cli_json_set(row, "width", cli_json_number(cell->found.width));
	cli_json_set(row, "area_s", cli_json_number(cell->found.area));
	cli_json_append(array, row);
}

static void begin(struct cli_table *table)
{
	cli_table_heads(table, ">history", ">window", "functions", ">within", ">width", ">area (processor h)",
			">moments", NULL);
}

static void end(const struct cli_load *load, const struct cli_table *table, json_t *array)
{
	json_t *object;

	if (!load->json) {
		char *source = cli_load_source(load);

		printf("loads of %s: how many later averages lie within the functions, and how wide these "
		       "are\n\n",
		       source);
		cli_table_print(table, stdout);
		free(source);
		json_decref(array);
		return;
	}
	object = cli_load_json(load, "judge");
	cli_json_set(object, "judgements", array);
	cli_json_print(object, stdout);
}

/* Where less was observed than is usual, half of it is the history. */
static void fit(struct cli_load *load)
{
	if (!(load->history_s > 0) && load->h + load->w > load->history.n)
		load->h = load->history.n / 2 + 1;
	if (!(load->window_s > 0) && load->w > load->h / 4)
		load->w = load->h / 4 + 1;
}

int cli_load_judge(void *asked)
{
	struct cli_load *load = asked;
	size_t h[N_LENGTHS], w[N_LENGTHS], n_h, n_w, i, j, k, judged = 0;
	size_t n_shares = load->share < 1 ? 1 : sizeof shares / sizeof *shares;
	struct cli_table table = {0};
	json_t *array;
	int status = cli_load_open(load);

	if (status != CLI_DONE)
		return status;
	fit(load);
	array = cli_json_array();
	begin(&table);
	n_h = lengths(load->history_s, load->h, 6, 7, h);
	n_w = lengths(load->window_s, load->w, 6, 4, w);
	for (i = 0; i < n_w; i++)
		for (j = 0; j < n_h; j++)
			for (k = 0; k < n_shares && status == CLI_DONE; k++) {
				struct cell cell = {
					h[j], w[i], load->share < 1 ? load->share : shares[k], {0}};

				if (cell.w > cell.h || cell.h + cell.w > load->history.n)
					continue;
				status = judge(load, &cell);
				if (status != CLI_DONE || !cell.found.averages)
					continue;
				judged++;
				if (load->json)
					add_json(load, array, &cell);
				else
					add_row(load, &table, &cell);
			}
	if (status == CLI_DONE && !judged) {
		(void)cli_fail("the history is too short to be judged: %zu intervals", load->history.n);
		cli_hint("record for longer, or choose a shorter --history T and --window T");
		status = CLI_NO;
	}
	if (status == CLI_DONE)
		end(load, &table, array);
	else
		json_decref(array);
	cli_table_clear(&table);
	return status;
}
