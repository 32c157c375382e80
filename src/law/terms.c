/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.c - the belief in laws of three common terms and a constant: a grid over the logarithms of the
 * shares that the parts have at the largest size. */
#include "law/laws.h"

#include <assert.h>
#include <math.h>

enum {
	DIMENSIONS = FT_LAW_MIXED,
	ROUNDS = 5,
	ENOUGH = 24,
	COARSE_ROUNDS = 2,
	COARSE_ENOUGH = 6,
	FINE = 6,
	COARSE = 4
};

/* ln of the constant over all terms; ln of each term over the first, at the largest size. Lower where the
 * sizes span so much that what is less there still counts at the smallest one. */
static const double lowest[DIMENSIONS] = {-8, -6, -6}, high[DIMENSIONS] = {4, 6, 6};

/* On the coarse grid, a choice of shapes whose cells stay so many nats below the best point is not looked at
 * more closely. */
static const double hopeless = 40;

struct grid {
	size_t side; /* cells in each dimension; as many dimensions as terms */
	double low[DIMENSIONS], from[DIMENSIONS], step[DIMENSIONS];
	double top;
	struct ft__law_cells cells;
};

/* Cell i stands at digit d of i, in base side, in dimension d. */
static void evaluate(const struct ft__law_data *data, struct grid *grid)
{
	double at[DIMENSIONS][FINE];
	struct ft__law_cells *cells = &grid->cells;
	size_t i, d, j, digit[DIMENSIONS] = {0};

	assert(cells->terms >= 1 && cells->terms <= DIMENSIONS && grid->side >= 1 && grid->side <= FINE);
	for (d = 0; d < cells->terms; d++) {
		double ratio = exp(grid->step[d]);

		at[d][0] = exp(grid->from[d] + grid->step[d] / 2);
		for (j = 1; j < grid->side; j++)
			at[d][j] = at[d][j - 1] * ratio;
	}
	for (i = 0; i < cells->n; i++) {
		double sum = 1;

		for (d = 1; d < cells->terms; d++) {
			cells->part[d + 1][i] = at[d][digit[d]];
			sum += cells->part[d + 1][i];
		}
		cells->part[1][i] = 1;
		cells->part[0][i] = at[0][digit[0]] * sum; /* over all terms */
		for (d = 0; ++digit[d] == grid->side && d + 1 < cells->terms; d++)
			digit[d] = 0;
	}
	ft__law_evidence(data, cells);
	grid->top = -INFINITY;
	for (i = 0; i < cells->n; i++)
		grid->top = cells->ln[i] > grid->top ? cells->ln[i] : grid->top; /* fmax is a call */
}

/* Bring the grid closer around the cells that matter; false: it is close enough. */
static bool focus_grid(struct grid *grid, size_t enough)
{
	size_t side = grid->side, i, d, inside = 0, first[DIMENSIONS], last[DIMENSIONS] = {0};
	const struct ft__law_cells *cells = &grid->cells;
	bool closer = false;

	for (d = 0; d < cells->terms; d++)
		first[d] = side;
	for (i = 0; i < cells->n; i++) {
		size_t rest = i;

		if (cells->ln[i] < grid->top - FT__LAW_NEGLIGIBLE)
			continue;
		inside++;
		for (d = 0; d < cells->terms; d++, rest /= side) {
			first[d] = rest % side < first[d] ? rest % side : first[d];
			last[d] = rest % side > last[d] ? rest % side : last[d];
		}
	}
	if (inside >= enough)
		return false;
	for (d = 0; d < cells->terms; d++) {
		double from = fmax(grid->low[d], grid->from[d] + ((double)first[d] - 1) * grid->step[d]);
		double to = fmin(high[d], grid->from[d] + ((double)last[d] + 2) * grid->step[d]);
		double step = (to - from) / (double)side;

		closer |= step < 0.95 * grid->step[d];
		grid->from[d] = from;
		grid->step[d] = step;
	}
	return closer;
}

/* The least that is considered of a part: a third of the fastest term at the smallest size. */
static double low_of(const struct ft__law_data *data, const struct grid *grid, size_t d)
{
	const double *fast = ft__law_g(data, grid->cells.shape[0]);
	const double *part = ft__law_g(data, d ? grid->cells.shape[d] : FT__CONSTANT);
	size_t k = fast[0] > 0 && part[0] > 0 ? 0 : 1;

	return fmin(lowest[d], log(fast[k] / part[k]) - 1);
}

static enum ft_status weigh_grid(const struct ft__law_data *data, struct grid *grid, int rounds,
				 size_t enough, double prior, struct ft__law_points *points,
				 struct ft_err *err)
{
	const size_t terms = grid->cells.terms;

	assert(terms <= DIMENSIONS);
	for (size_t d = 0; d < terms; d++) {
		grid->low[d] = low_of(data, grid, d);
		grid->from[d] = grid->low[d];
		grid->step[d] = (high[d] - grid->low[d]) / (double)grid->side;
	}
	evaluate(data, grid);
	for (int round = 0; round < rounds && focus_grid(grid, enough); round++) {
		if (rounds == COARSE_ROUNDS && points->n && grid->top + prior < points->top - hopeless)
			break;
		evaluate(data, grid);
	}
	for (size_t d = 0; d < terms; d++)
		prior += log(grid->step[d] / (high[d] - grid->low[d]));
	return ft__law_points_take(points, data, &grid->cells, prior, err);
}

enum ft_status ft__law_weigh_terms(const struct ft__law_data *data, size_t terms, bool is_coarse,
				   struct ft__law_points *points, struct ft_err *err)
{
	struct ft__law_choice choice = {.terms = terms};
	enum ft_status status = FT_OK;
	struct grid grid;
	size_t i, choices = 0;

	if (terms < DIMENSIONS)
		return ft__law_weigh_pairs(data, points, err);
	grid.side = is_coarse ? COARSE : FINE;
	grid.cells.terms = terms;
	for (grid.cells.n = 1, i = 0; i < terms; i++)
		grid.cells.n *= grid.side;
	while (ft__law_choose(data, &choice))
		choices++;
	choice = (struct ft__law_choice){.terms = terms};
	while (!status && ft__law_choose(data, &choice)) {
		for (i = 0; i < terms; i++)
			grid.cells.shape[i] = choice.shape[i];
		status = weigh_grid(data, &grid, is_coarse ? COARSE_ROUNDS : ROUNDS,
				    is_coarse ? COARSE_ENOUGH : ENOUGH, -log((double)choices), points, err);
	}
	return status;
}
