/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - time against energy: one deadline after the other, each just below the time of the plan before.
 */
#include "base/arena.h"
#include "plan/energy.h"

#include <math.h>
#include <string.h>

static const uint64_t usual_effort = 40000000000;

/* ---- the front ----------------------------------------------------------------------------------------- */

static enum ft_status add_point(struct ft_plan_front *f, double time_s, double energy_j, const int64_t *units,
				struct ft_err *err)
{
	struct ft_plan_point *grown = ft_grow(f->point, f->n, &f->capacity, sizeof *f->point);

	if (!grown)
		return ft_nomem(err);
	f->point = grown;
	int64_t *more = ft_realloc(f->units, (f->n + 1) * f->p * sizeof *more);
	if (!more)
		return ft_nomem(err);
	f->units = more;
	memcpy(f->units + f->n * f->p, units, f->p * sizeof *units);
	f->point[f->n++] = (struct ft_plan_point){time_s, energy_j};
	return FT_OK;
}

/* The next deadline: just below the last point's time; with few points wanted, a step of time below it. */
static double next_deadline(const struct ft_plan_front *f, size_t most, double fastest_s)
{
	double before = nextafter(f->point[f->n - 1].time_s, 0), first = f->point[0].time_s, step;

	if (most < 2 || !(first > fastest_s))
		return before;
	step = first - (first - fastest_s) * (double)f->n / (double)(most - 1);
	return fmax(fastest_s, fmin(before, step));
}

/* From the cheapest plan to the fastest. What costs the same and is faster takes the place of the point
 * before; sums of energies differ in their last digits. */
static enum ft_status walk_front(struct ft__least *k, struct ft_plan_front *f, size_t most, double fastest_s,
				 struct ft_err *err)
{
	FT_OWN int64_t *units = ft_malloc(f->p * sizeof *units);
	double deadline = INFINITY;
	struct ft_partition_energy one;

	if (!units)
		return ft_nomem(err);
	while (deadline >= fastest_s) {
		FT_TRY(ft__least_solve(k, deadline, units, &one, err));
		if (isinf(one.plan.value)) {
			f->complete = f->complete && one.plan.exact;
			break;
		}
		if (f->n > 0 && one.plan.value <= f->point[f->n - 1].energy_j * (1 + 1e-12))
			f->n--;
		FT_TRY(add_point(f, one.time_s, one.plan.value, units, err));
		deadline = one.time_s > fastest_s ? next_deadline(f, most, fastest_s) : -1;
		f->evaluations = one.plan.evaluations;
	}
	return FT_OK;
}

/* The point farthest below the line from first to last, both axes scaled to 1. */
static size_t find_knee(const struct ft_plan_front *f)
{
	const struct ft_plan_point *a = f->point, *b = f->n > 0 ? a + f->n - 1 : a;
	double best = 0;
	size_t knee = 0;

	for (size_t i = 1; i + 1 < f->n; i++) {
		double time = (a->time_s - f->point[i].time_s) / (a->time_s - b->time_s);
		double energy = (f->point[i].energy_j - a->energy_j) / (b->energy_j - a->energy_j);

		if (time - energy > best) {
			best = time - energy;
			knee = i;
		}
	}
	return knee;
}

enum ft_status ft_plan_front(const struct ft_plan_costs *cost, size_t p, int64_t total, size_t most,
			     uint64_t effort, struct ft_plan_front *out, struct ft_err *err)
{
	FT_CLEANUP(ft__least_end) struct ft__least *k = NULL;
	FT_CLEANUP(ft_plan_front_clear) struct ft_plan_front front = {.p = p, .complete = true};
	double fastest_s = INFINITY;

	*out = (struct ft_plan_front){0};
	FT_TRY(ft__least_new(&k, cost, p, total, effort ? effort : usual_effort, err));
	FT_TRY(ft__least_fastest(k, &fastest_s, err));
	if (isfinite(fastest_s))
		FT_TRY(walk_front(k, &front, most, fastest_s, err));
	front.knee = find_knee(&front);
	*out = front;
	front = (struct ft_plan_front){0};
	return FT_OK;
}

void ft_plan_front_clear(struct ft_plan_front *front)
{
	if (!front)
		return;
	ft_free(front->point);
	ft_free(front->units);
	*front = (struct ft_plan_front){0};
}
