/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression_several.c - a request as an expression of several parameters: a constant and a product of
 * powers. */
#include "ask/expression.h"
#include "base/alloc.h"

#include <math.h>

enum { GRID_MOST = 4096, STEPS_MOST = 24, BEYOND_STEPS = 3, SHIFTS = 110 };

/* How far the product of powers is moved to lie above, ln: from there, in such steps. */
static const double least_shift = -0.5, shift_step = 0.05;

/* Points of a grid: over the box of the data and beyond it. */
struct grid {
	double *ln;    /* [n x axes] */
	double *value; /* [n] */
	bool *inside;
	double most[FT_PARAMS_MAX], largest[FT_PARAMS_MAX]; /* of the data: ln, and as it is */
	size_t n, axes;
};

static void grid_clear(struct grid *grid)
{
	ft_free(grid->ln);
	ft_free(grid->value);
	ft_free(grid->inside);
	*grid = (struct grid){0};
}

/* The least and the largest positive value of each open parameter in the runs. */
static void find_box(const struct ft__asked *asked, double *least, double *most)
{
	const struct ft_runs *runs = &asked->answerer->runs;
	size_t i, a;

	for (a = 0; a < asked->n_axes; a++) {
		least[a] = INFINITY;
		most[a] = 0;
		for (i = 0; i < runs->n; i++) {
			double x = runs->run[i].size.value[asked->axis[a]];

			if (runs->run[i].outcome != FT_DONE || !(x > 0))
				continue;
			least[a] = fmin(least[a], x);
			most[a] = fmax(most[a], x);
		}
	}
}

static enum ft_status find_grid(struct grid *grid, const struct ft__asked *asked, struct ft_err *err)
{
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX];
	size_t steps = (size_t)floor(pow((double)GRID_MOST, 1 / (double)asked->n_axes)), total = 1, i, a;

	steps = steps > STEPS_MOST ? STEPS_MOST : steps;
	steps = steps < BEYOND_STEPS + 2 ? BEYOND_STEPS + 2 : steps;
	for (a = 0; a < asked->n_axes; a++)
		total *= steps;
	find_box(asked, least, most);
	grid->axes = asked->n_axes;
	for (a = 0; a < grid->axes; a++) {
		grid->most[a] = log(most[a]);
		grid->largest[a] = most[a];
	}
	grid->ln = ft_calloc(total * grid->axes, sizeof *grid->ln);
	grid->value = ft_calloc(total, sizeof *grid->value);
	grid->inside = ft_calloc(total, sizeof *grid->inside);
	if (!grid->ln || !grid->value || !grid->inside)
		return ft_nomem(err);
	for (i = 0; i < total; i++) {
		struct ft_size size = *asked->size;
		size_t rest = i;

		grid->inside[grid->n] = true;
		for (a = 0; a < grid->axes; a++, rest /= steps) {
			size_t at = rest % steps, within = steps - BEYOND_STEPS;
			double x = at < within ? least[a] * pow(most[a] / least[a],
								(double)at / (double)(within - 1))
					       : most[a] * pow(10, (double)(at + 1 - within) / BEYOND_STEPS);

			size.value[asked->axis[a]] = x;
			grid->ln[grid->n * grid->axes + a] = log(x);
			grid->inside[grid->n] = grid->inside[grid->n] && x <= most[a] * (1 + 1e-9);
		}
		grid->value[grid->n] = ft__asked_number(asked, &size);
		if (!isnan(grid->value[grid->n]))
			grid->n++;
	}
	return grid->n ? FT_OK
		       : ft_fail(err, FT_ENOMODEL, "the model of %s has no value above 0",
				 asked->need->resource);
}

/* a + b n^p m^q ..., times max(1, n / most)^r ... beyond the data. */
struct plane {
	double a, b, slope[FT_PARAMS_MAX];
	double beyond[FT_PARAMS_MAX];
	double above, mean; /* inside, ln: at most, and on average */
};

/* Least squares of ln (value - constant) over the logarithms of the parameters, inside, where the constant is
 * not most of the value; by Gauss' elimination. Fills slope, returns ln b. */
static double fit_plane(const struct grid *grid, double constant, double *slope)
{
	double m[FT_PARAMS_MAX + 1][FT_PARAMS_MAX + 2] = {{0}}, row[FT_PARAMS_MAX + 2];
	size_t n = grid->axes + 1, i, j, k;

	for (i = 0; i < grid->n; i++) {
		if (!grid->inside[i] || !(grid->value[i] > 1.5 * constant))
			continue;
		for (j = 0; j < grid->axes; j++)
			row[j] = grid->ln[i * grid->axes + j];
		row[grid->axes] = 1;
		row[n] = log(grid->value[i] - constant);
		for (j = 0; j < n; j++)
			for (k = 0; k <= n; k++)
				m[j][k] += row[j] * row[k];
	}
	for (j = 0; j < n; j++) {
		m[j][j] += 1e-9 * m[j][j] + 1e-300;
		for (i = 0; i < n; i++) {
			double factor = m[i][j] / m[j][j];

			for (k = j; k <= n && i != j; k++)
				m[i][k] -= factor * m[j][k];
		}
	}
	for (j = 0; j < grid->axes; j++)
		slope[j] = round(m[j][n] / m[j][j] * 1e4) / 1e4;
	return m[n - 1][n] / m[n - 1][n - 1];
}

static double power_at(const struct grid *grid, size_t i, const double *slope)
{
	double ln = 0;
	size_t a;

	for (a = 0; a < grid->axes; a++)
		ln += slope[a] * grid->ln[i * grid->axes + a];
	return exp(fmin(ln, 690));
}

static double rounded_up(double value)
{
	double unit = value > 0 ? pow(10, floor(log10(value)) - 4) : 1;

	return ceil(value / unit) * unit;
}

/* With b given, the least a that keeps it above all inside. */
static void set_plane(const struct grid *grid, struct plane *plane)
{
	double inside = 0;
	size_t i;

	plane->a = plane->above = plane->mean = 0;
	for (i = 0; i < grid->n; i++)
		if (grid->inside[i])
			plane->a = fmax(plane->a,
					1.0001 * grid->value[i] - plane->b * power_at(grid, i, plane->slope));
	plane->a = rounded_up(plane->a);
	for (i = 0; i < grid->n; i++) {
		double over = log((plane->a + plane->b * power_at(grid, i, plane->slope)) / grid->value[i]);

		if (!grid->inside[i])
			continue;
		plane->mean += over;
		plane->above = fmax(plane->above, over);
		inside++;
	}
	plane->mean /= inside;
}

/* Of planes beside several constants, higher and lower, the one that is least above. */
static struct plane best_plane(const struct grid *grid)
{
	static const double shares[] = {0, 0.5, 0.8, 0.9, 0.97};
	struct plane best = {.mean = INFINITY}, plane = {0};
	double least = INFINITY;
	size_t i, step;

	for (i = 0; i < grid->n; i++)
		least = grid->inside[i] ? fmin(least, grid->value[i]) : least;
	for (i = 0; i < sizeof shares / sizeof *shares; i++) {
		double ln = fit_plane(grid, shares[i] * least, plane.slope);

		for (step = 0; step <= SHIFTS; step++) {
			double shift = least_shift + shift_step * (double)step;

			plane.b = rounded_up(exp(fmax(-600, fmin(600, ln + shift))));
			set_plane(grid, &plane);
			if (plane.mean < best.mean)
				best = plane;
		}
	}
	return best;
}

/* Beyond the data numbers grow faster: by how much more for each parameter, first by itself, then together.
 */
static void set_beyond(const struct grid *grid, struct plane *plane)
{
	size_t i, a, pass;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < grid->n; i++) {
			double short_of, length = 0;
			size_t outside = 0, last = 0;

			short_of =
				log(grid->value[i] / (plane->a + plane->b * power_at(grid, i, plane->slope)));
			for (a = 0; a < grid->axes; a++) {
				double out = fmax(0, grid->ln[i * grid->axes + a] - grid->most[a]);

				if (out < 1e-9)
					continue;
				outside++;
				last = a;
				length += out;
				short_of -= out * plane->beyond[a];
			}
			if (short_of <= 0 || (pass ? outside < 2 : outside != 1))
				continue;
			for (a = 0; a < grid->axes; a++)
				if (pass || a == last)
					plane->beyond[a] += short_of / length;
		}
	for (a = 0; a < grid->axes; a++)
		plane->beyond[a] = ceil(plane->beyond[a] * 100) / 100;
}

enum ft_status ft__expression_several(const struct ft__asked *asked, struct ft_request_expression *out,
				      struct ft_err *err)
{
	const struct ft_param *param = asked->answerer->program.param;
	struct grid grid = {0};
	struct ft_text text = {0};
	struct plane plane;
	enum ft_status status = find_grid(&grid, asked, err);
	size_t a;

	if (status)
		goto out;
	plane = best_plane(&grid);
	set_beyond(&grid, &plane);
	ft_text_add(&text, "(");
	ft__text_add_digits(&text, plane.a);
	ft_text_add(&text, " + ");
	ft__text_add_digits(&text, plane.b);
	for (a = 0; a < grid.axes; a++) {
		if (plane.slope[a] == 0)
			continue;
		ft_text_add(&text, "*%s", param[asked->axis[a]].name);
		ft__text_add_power(&text, plane.slope[a]);
	}
	ft_text_add(&text, ")");
	for (a = 0; a < grid.axes; a++) {
		if (!(plane.beyond[a] > 0))
			continue;
		ft_text_add(&text, "*max(1, %s/", param[asked->axis[a]].name);
		ft_text_add_number(&text, grid.largest[a]);
		ft_text_add(&text, ")");
		ft__text_add_power(&text, plane.beyond[a]);
	}
	out->from = out->to = NAN;
	out->above = exp(plane.above) - 1;
	out->text = ft_text_take(&text);
	if (!out->text)
		status = ft_nomem(err);
out:
	ft_text_clear(&text);
	grid_clear(&grid);
	return status;
}
