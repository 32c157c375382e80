/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - where along a sequence of sizes a function is over a limit: points are looked at, tops between
 * them are climbed, changes between them are bisected. Millions of sizes cost a few hundred evaluations. */
#include "ask/search.h"
#include "base/alloc.h"

#include <math.h>

/* A hump between two points is climbed only where they come this near to the limit: no interval becomes so
 * many times wider within an eighth of a gap. */
static const double worth_climbing = 0.2;

/* ---- the search --------------------------------------------------------------------------------------- */

static bool is_over(const struct ft__search *search, double index)
{
	return search->ratio(search->ctx, index) > 1;
}

static void open_stretch(struct ft__search *search, double from)
{
	struct ft__index_range *grown =
		ft_grow(search->stretch, search->n, &search->capacity, sizeof *search->stretch);

	if (!grown) {
		search->no_memory = true;
		return;
	}
	search->stretch = grown;
	search->stretch[search->n++] = (struct ft__index_range){from, from};
}

/* The next point that was looked at. */
static void step_to(struct ft__search *search, double index, bool over)
{
	double low = search->last, high = index;

	if (search->no_memory || (search->begun && index <= search->last))
		return;
	if (!search->begun && over)
		open_stretch(search, index);
	if (search->begun && over != search->over) {
		while (high - low > 1) {
			double middle = floor(low + (high - low) / 2);

			if (is_over(search, middle) == over)
				high = middle;
			else
				low = middle;
		}
		if (over)
			open_stretch(search, high);
		else
			search->stretch[search->n - 1].to = low;
	}
	search->begun = true;
	search->over = over;
	search->last = index;
}

/* The index between two, inclusive, with the largest ratio, where there is one top (golden section over whole
 * numbers). Stops early at one over the limit: that suffices. */
static double find_top(const struct ft__search *search, double low, double high, double *ratio)
{
	const double golden = 0.6180339887498949;

	while (high - low > 2) {
		double width = high - low, left = low + fmax(1, floor((1 - golden) * width)), right, a, b;

		right = fmin(high - 1, fmax(left + 1, low + ceil(golden * width)));
		a = search->ratio(search->ctx, left);
		b = search->ratio(search->ctx, right);
		if (a > 1 || b > 1) {
			*ratio = a > 1 ? a : b;
			return a > 1 ? left : right;
		}
		if (a < b)
			low = left;
		else
			high = right;
	}
	*ratio = search->ratio(search->ctx, floor(low + (high - low) / 2));
	return floor(low + (high - low) / 2);
}

/* Whether there may be a top over the limit around point i, which is not. */
static bool is_top(const double *ratio, size_t n, size_t i)
{
	return ratio[i] <= 1 && ratio[i] > worth_climbing && (!i || ratio[i - 1] <= ratio[i]) &&
	       (i + 1 == n || ratio[i + 1] <= ratio[i]);
}

void ft__search_go(struct ft__search *search, const double *point, size_t n)
{
	double ratio[FT__POINTS_MAX];

	for (size_t i = 0; i < n; i++)
		ratio[i] = search->ratio(search->ctx, point[i]);
	for (size_t i = 0; i < n; i++) {
		double top = point[i], height = 0;

		if (is_top(ratio, n, i))
			top = find_top(search, point[i ? i - 1 : 0], point[i + 1 < n ? i + 1 : i], &height);
		if (height > 1 && top < point[i])
			step_to(search, top, true);
		step_to(search, point[i], ratio[i] > 1);
		if (height > 1 && top > point[i])
			step_to(search, top, true);
	}
}

void ft__search_each(struct ft__search *search, double to)
{
	while (!search->no_memory && search->last < to)
		step_to(search, search->last + 1, is_over(search, search->last + 1));
}

void ft__search_bar(struct ft__search *search, double to)
{
	if (search->no_memory || to <= search->last)
		return;
	if (!search->over)
		open_stretch(search, search->last + 1);
	search->over = true;
	search->last = to;
}

enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err)
{
	if (search->no_memory)
		return ft_nomem(err);
	if (search->begun && search->over)
		search->stretch[search->n - 1].to = search->last;
	return FT_OK;
}

void ft__search_clear(struct ft__search *search)
{
	if (!search)
		return;
	ft_free(search->stretch);
	search->stretch = NULL;
	search->n = search->capacity = 0;
}
