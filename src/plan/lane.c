/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane.c - when a machine is busy. */
#include "plan/lane.h"

#include <math.h>
#include <string.h>

/* The first interval that ends after t. */
static size_t first_after(const struct ft__lane *lane, double t)
{
	size_t a = 0, b = lane->n;

	while (a < b) {
		size_t c = (a + b) / 2;

		if (lane->of[c].end > t)
			b = c;
		else
			a = c + 1;
	}
	return a;
}

double ft__lane_gap(const struct ft__lane *lane, double ready, double p)
{
	double start = ready;

	if (lane->n == 0 || lane->of[lane->n - 1].end <= ready)
		return ready;
	for (size_t i = first_after(lane, ready); i < lane->n && start + p > lane->of[i].start; i++)
		start = lane->of[i].end;
	return start;
}

static bool insert_reservation(struct ft__lane *lane, size_t i, double start, double end)
{
	struct ft__busy *grown =
		ft_arena_grow(lane->arena, lane->of, lane->n, &lane->capacity, sizeof *lane->of);

	if (!grown)
		return false;
	lane->of = grown;
	memmove(&lane->of[i + 1], &lane->of[i], (lane->n - i) * sizeof *lane->of);
	lane->of[i] = (struct ft__busy){start, end};
	lane->n++;
	return true;
}

bool ft__lane_occupy(struct ft__lane *lane, double start, double end)
{
	size_t i = first_after(lane, start);
	bool left = i > 0 && lane->of[i - 1].end == start, right = i < lane->n && lane->of[i].start == end;

	if (!(end > start))
		return true;
	if (left && right) {
		lane->of[i - 1].end = lane->of[i].end;
		memmove(&lane->of[i], &lane->of[i + 1], (--lane->n - i) * sizeof *lane->of);
	} else if (left) {
		lane->of[i - 1].end = end;
	} else if (right) {
		lane->of[i].start = start;
	} else {
		return insert_reservation(lane, i, start, end);
	}
	return true;
}

bool ft__lane_copy(struct ft__lane *to, const struct ft__lane *from)
{
	to->n = 0;
	for (size_t i = 0; i < from->n; i++)
		if (!insert_reservation(to, i, from->of[i].start, from->of[i].end))
			return false;
	return true;
}

double ft__lane_within(const struct ft__lane *lane, double from, double to)
{
	double sum = 0;

	for (size_t i = 0; i < lane->n; i++)
		sum += fmax(0, fmin(lane->of[i].end, to) - fmax(lane->of[i].start, from));
	return sum;
}

/* ---- what is reserved ---------------------------------------------------------------------------------- */

/* Joined with all that it overlaps or touches. */
static bool reserve_span(struct ft__lane *lane, double start, double end)
{
	size_t i = 0, n = 0;

	for (i = 0; i < lane->n; i++)
		if (lane->of[i].end < start || lane->of[i].start > end) {
			lane->of[n++] = lane->of[i];
		} else {
			start = fmin(start, lane->of[i].start);
			end = fmax(end, lane->of[i].end);
		}
	lane->n = n;
	for (i = 0; i < n && lane->of[i].end < start; i++)
		continue;
	return !(end > start) || insert_reservation(lane, i, start, end);
}

enum ft_status ft__lanes_reserve(struct ft__lane **out, struct ft_arena *arena, size_t m,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err)
{
	*out = NULL;
	for (size_t i = 0; i < n; i++)
		if (reserved[i].machine >= m || !(reserved[i].from_s >= 0) ||
		    !(reserved[i].to_s >= reserved[i].from_s) || isinf(reserved[i].to_s))
			return ft_fail(err, FT_EINVAL, "machine %zu is reserved from %g s to %g s",
				       reserved[i].machine, reserved[i].from_s, reserved[i].to_s);
	if (n == 0)
		return FT_OK;
	struct ft__lane *lane = ft_arena_take(arena, m, sizeof *lane);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		lane[i].arena = arena;
	for (size_t i = 0; i < n; i++)
		if (!reserve_span(&lane[reserved[i].machine], reserved[i].from_s, reserved[i].to_s))
			return ft_nomem(err);
	*out = lane;
	return FT_OK;
}

enum ft_status ft_plan_free_from(const struct ft_plan_reserved *reserved, size_t n, size_t machine,
				 double from_s, double time_s, double *start_s, struct ft_err *err)
{
	struct ft__lane *lane;
	size_t m = machine + 1;

	if (!(from_s >= 0) || !(time_s >= 0))
		return ft_fail(err, FT_EINVAL, "%g s from %g s on", time_s, from_s);
	for (size_t i = 0; i < n; i++)
		m = reserved[i].machine >= m ? reserved[i].machine + 1 : m;
	FT_ARENA(work);
	FT_TRY(ft__lanes_reserve(&lane, &work, m, reserved, n, err));
	*start_s = lane ? ft__lane_gap(&lane[machine], from_s, time_s) : from_s;
	return FT_OK;
}
