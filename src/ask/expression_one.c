/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression_one.c - a request as an expression of one parameter: a power law whose exponent changes. */
#include "ask/expression.h"
#include "ask/tunnel.h"
#include "base/alloc.h"
#include "num/order.h"

#include <math.h>
#include <stdlib.h>

/* How far an expression reaches beyond the data, and how far above the numbers it may be: within the data,
 * and beyond. */
static const double reach_up = 1e6, reach_down = 1e-3, slack_inside = 0.095, slack_beyond = 0.25;

/* Points nearer than so are one; what a number may be above those beside it that were looked at; between
 * points nearer than so it is not looked at. */
static const double nearest = 0.04, margin = 0.004, close_by = 0.01;

/* What is steeper is written as this power: numbers stay finite. */
static const double steepest = 10;

enum { GAP_POINTS = 8, BETWEEN_POINTS = 5, OCTAVE_POINTS = 8, FINE_STEP_MOST = 128 };

struct floors {
	double *size; /* [n_sizes] measured, ascending and different */
	size_t n_sizes;
	struct ft__floor *point;
	size_t n, capacity;
	bool no_memory;
};

static double number_at(const struct ft__asked *asked, double x)
{
	struct ft_size size = *asked->size;

	size.value[asked->axis[0]] = x;
	return ft__asked_number(asked, &size);
}

/* How near a place is to a size that was measured, as a share of it. */
static double apart(const struct floors *floors, double x)
{
	size_t above = ft_count_upto(floors->size, floors->n_sizes, x), below = above ? above - 1 : 0;

	return fmin(fabs(x / floors->size[below] - 1),
		    above < floors->n_sizes ? fabs(x / floors->size[above] - 1) : INFINITY);
}

/* With fine structure no number nearby is above another one times its ratio: the least of some, none of them
 * of a smaller size, tells how high all may be. */
static double cover_fine(const struct ft__asked *asked, double x, double number)
{
	double least = number;
	size_t step;

	for (step = 1; step <= FINE_STEP_MOST; step *= 2) {
		double at = (double)step * (floor(x / (double)step) + 1);

		if (at <= x * (1 + nearest))
			least = fmin(least, number_at(asked, at));
	}
	return fmax(number, least * asked->fine);
}

/* The number at a value of the open parameter; at the very sizes measured, where intervals are narrower, also
 * right beside it. */
static double number_around(const struct ft__asked *asked, const struct floors *floors, double x)
{
	double number = number_at(asked, x);

	if (asked->fine > 1)
		number = cover_fine(asked, x, number);
	if (apart(floors, x) > 1e-8)
		return number;
	number = fmax(number, number_at(asked, x * (1 - 1e-9))); /* fmax passes over NaN */
	return fmax(number, number_at(asked, x * (1 + 1e-9)));
}

/* The sizes measured, ascending and different; heap. NULL: no memory. */
static double *sizes_of(const struct ft__asked *asked, size_t *n)
{
	const struct ft_runs *runs = &asked->answerer->runs;
	double *x = ft_calloc(runs->n + 1, sizeof *x);
	size_t i, count = 0;

	*n = 0;
	if (!x)
		return NULL;
	for (i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup &&
		    !isnan(ft_run_value(&runs->run[i], asked->need->resource)))
			x[count++] = runs->run[i].size.value[asked->axis[0]];
	*n = ft_sort_different(x, count);
	return x;
}

static void add_place(struct floors *floors, double x, double slack)
{
	struct ft__floor *grown = ft_grow(floors->point, floors->n, &floors->capacity, sizeof *grown);

	if (!grown) {
		floors->no_memory = true;
		return;
	}
	floors->point = grown;
	floors->point[floors->n++] = (struct ft__floor){x, NAN, slack};
}

static void add_between(struct floors *floors, double from, double to, size_t steps, double slack)
{
	size_t i;

	for (i = 0; i <= steps; i++)
		add_place(floors, from * pow(to / from, (double)i / (double)steps), slack);
}

/* Where to look: below the data, in each gap, beyond. Beyond the data numbers jump where the power law is
 * drawn through one knot more, as far away as that knot is. */
static void find_places(struct floors *floors, const struct ft__asked *asked, const double *x, size_t n)
{
	double first = x[0], last = x[n - 1], lowest = fmax(first * reach_down, fmin(1, first));
	double highest = last * reach_up;
	size_t i;

	add_between(floors, lowest, first, (size_t)ceil(OCTAVE_POINTS * log2(first / lowest)) + 1,
		    slack_beyond);
	for (i = 0; i + 1 < n; i++)
		add_between(floors, x[i], x[i + 1], GAP_POINTS, slack_inside);
	if (asked->killed > last)
		add_between(floors, last, asked->killed, GAP_POINTS, slack_beyond);
	add_between(floors, last, highest, (size_t)log2(reach_up) * OCTAVE_POINTS, slack_beyond);
	for (i = 0; i < n; i++) {
		if (first * (first / x[i]) >= lowest)
			add_place(floors, first * (first / x[i]), slack_beyond);
		if (last * (last / x[i]) <= highest)
			add_place(floors, last * (last / x[i]), slack_beyond);
	}
}

static int compare_floors(const void *a, const void *b)
{
	const struct ft__floor *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* Where the number is held against the expression, ascending and different. data: out, the ends of the data.
 */
static enum ft_status find_floors(struct floors *floors, const struct ft__asked *asked, double data[2],
				  struct ft_err *err)
{
	size_t n, i, skip = 0, kept = 0;
	double *x = floors->size = sizes_of(asked, &n);

	floors->n_sizes = n;
	data[0] = data[1] = NAN;
	if (!x)
		return ft_nomem(err);
	while (skip < n && x[skip] <= 0)
		skip++;
	if (skip == n)
		return ft_fail(err, FT_ENOMODEL,
			       "no size measured is positive: there is no power law to write");
	data[0] = x[skip];
	data[1] = x[n - 1];
	find_places(floors, asked, x + skip, n - skip);
	if (floors->no_memory)
		return ft_nomem(err);
	qsort(floors->point, floors->n, sizeof *floors->point, compare_floors);
	for (i = 0; i < floors->n; i++) {
		struct ft__floor point = floors->point[i];

		if (kept && point.x <= floors->point[kept - 1].x * (1 + 1e-6))
			continue;
		point.value = number_around(asked, floors, point.x);
		if (!isnan(point.value))
			floors->point[kept++] = point;
	}
	floors->n = kept;
	return FT_OK;
}

/* Points so near to each other become one, the higher: a jump is then no steeper than a power can be. In
 * place; returns how many are left. */
static size_t thin(struct ft__floor *point, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (kept && point[i].x < point[kept - 1].x * (1 + nearest))
			point[kept - 1].value = fmax(point[kept - 1].value, point[i].value);
		else
			point[kept++] = point[i];
	}
	return kept;
}

/* No step between neighbours is steeper than the steepest power: the lower one is raised. */
static void soften(struct ft__floor *point, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		point[i].value =
			fmax(point[i].value, point[i - 1].value * pow(point[i - 1].x / point[i].x, steepest));
	for (i = n; i-- > 1;)
		point[i - 1].value =
			fmax(point[i - 1].value, point[i].value * pow(point[i - 1].x / point[i].x, steepest));
}

/* Above every point, and a little more for what lies between them. */
static void raise_to(const struct ft__asked *asked, const struct floors *all, struct ft__tunnel *tunnel)
{
	double short_of = 1, unit;
	size_t i, k;

	for (i = 0; i < all->n; i++)
		for (k = 0; k < BETWEEN_POINTS; k++) {
			double x = all->point[i].x, number = all->point[i].value;

			if (k && (i + 1 == all->n || all->point[i + 1].x < x * (1 + close_by)))
				break;
			if (k) {
				x *= pow(all->point[i + 1].x / x, (double)k / BETWEEN_POINTS);
				number = number_around(asked, all, x);
			}
			if (!isnan(number))
				short_of = fmax(short_of, number / ft__tunnel_value(tunnel, x));
		}
	tunnel->c *= short_of * (1 + margin);
	unit = pow(10, floor(log10(tunnel->c)) - 4);
	tunnel->c = ceil(tunnel->c / unit) * unit;
}

/* The law above all points of the data and beyond. */
static enum ft_status fit_floors(const struct ft__asked *asked, const struct floors *all,
				 struct ft__tunnel *tunnel, struct ft_err *err)
{
	struct ft__floor *few = ft_calloc(all->n, sizeof *few);
	size_t i, n;

	if (!few)
		return ft_nomem(err);
	for (i = 0; i < all->n; i++)
		few[i] = all->point[i];
	n = thin(few, all->n);
	soften(few, n);
	ft__tunnel_fit(few, n, tunnel);
	raise_to(asked, all, tunnel);
	ft_free(few);
	return FT_OK;
}

enum ft_status ft__expression_one(const struct ft__asked *asked, struct ft_request_expression *out,
				  struct ft_err *err)
{
	const char *name = asked->answerer->program.param[asked->axis[0]].name;
	struct floors floors = {0};
	struct ft__tunnel tunnel;
	struct ft_text text = {0};
	double data[2];
	enum ft_status status = find_floors(&floors, asked, data, err);
	size_t i;

	if (!status && !floors.n)
		status = ft_fail(err, FT_ENOMODEL, "the model of %s has no value above 0",
				 asked->need->resource);
	if (!status)
		status = fit_floors(asked, &floors, &tunnel, err);
	if (status)
		goto out;
	ft__text_add_digits(&text, tunnel.c);
	for (i = 0; i < tunnel.n; i++) {
		ft_text_add(&text, "*max(1, %s/", name);
		ft__text_add_digits(&text, tunnel.at[i]);
		ft_text_add(&text, ")");
		ft__text_add_power(&text, tunnel.rise[i]);
	}
	out->from = floors.point[0].x;
	out->to = floors.point[floors.n - 1].x;
	for (i = 0; i < floors.n; i++)
		if (floors.point[i].x >= data[0] && floors.point[i].x <= data[1])
			out->above = fmax(
				out->above,
				ft__tunnel_value(&tunnel, floors.point[i].x) / floors.point[i].value - 1);
	out->text = ft_text_take(&text);
	if (!out->text)
		status = ft_nomem(err);
out:
	ft_text_clear(&text);
	ft_free(floors.size);
	ft_free(floors.point);
	return status;
}
