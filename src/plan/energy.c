/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - shares of least energy by a deadline. With a price of a unit (Lagrange's multiplier) most
 * shares exceed the cheapest one by too much to be in a good plan: dynamic programming over the rest is
 * exact as soon as it reaches the total. */
#include "base/alloc.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The initial excess of shares, as a share of the bound; then the factor that it grows by. */
static const double first_excess = 1e-9, more_excess = 8;

/* Cells of dynamic programming that are kept: 1 GB. */
static const uint64_t most_cells = (uint64_t)1 << 28, usual_effort = 4000000000;

struct plan_point {
	int64_t x;
	double e, r; /* joules; how much dearer than the cheapest, by the price */
};

struct edge {
	double slope;
	int64_t units;
};

struct ft__least {
	const struct ft_plan_costs *cost;
	size_t p;
	int64_t total;
	struct plan_point *point; /* shares of processor i: from[i] .. from[i + 1] */
	size_t *from;             /* [p + 1] */
	size_t *hull;             /* memory, as long as point */
	struct edge *edge;
	size_t edges;
	double bound, price;
	uint64_t effort, looks;
	/* dynamic programming: sums lo[i] .. hi[i] of the first i shares */
	struct plan_point *kept; /* those that are not too dear, likewise */
	size_t *kept_from;
	int64_t *lo, *hi, *rest_lo, *rest_hi; /* [p + 1] rest: of the shares from i on */
	double *sum, *next;
	int32_t *choice;
	size_t *choice_from; /* [p + 1] */
	struct ft_arena arena,
		cells; /* of all this; of sum, next and choice, which are made again for each excess */
};

enum answer { NO, YES, TOO_MUCH, NO_MEMORY };

/* ---- the price ----------------------------------------------------------------------------------------- */

static bool find_points(struct ft__least *k, double deadline_s)
{
	size_t n = 0;

	for (size_t i = 0; i < k->p; i++) {
		const struct ft_plan_costs *c = &k->cost[i];

		k->from[i] = n;
		for (int64_t x = 0; x < (int64_t)c->n && x <= k->total; x++)
			if (c->time_s[x] <= fmin(deadline_s, DBL_MAX) && c->energy_j[x] < INFINITY)
				k->point[n++] = (struct plan_point){x, c->energy_j[x], 0};
		if (n == k->from[i])
			return false;
		k->looks += c->n;
	}
	k->from[k->p] = n;
	return true;
}

/* The lower hull of a processor's points: its corners' indices. Returns how many. */
static size_t find_hull(struct ft__least *k, size_t i)
{
	size_t n = 0;

	for (size_t j = k->from[i]; j < k->from[i + 1]; j++) {
		const struct plan_point *q = &k->point[j];

		while (n > 1) {
			const struct plan_point *a = &k->point[k->hull[n - 2]],
						*b = &k->point[k->hull[n - 1]];

			if ((b->e - a->e) * (double)(q->x - a->x) < (q->e - a->e) * (double)(b->x - a->x))
				break;
			n--;
		}
		k->hull[n++] = j;
	}
	return n;
}

static int by_slope(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;

	return (p->slope > q->slope) - (p->slope < q->slope);
}

/* All hulls as one: their edges by slope. The one that passes the total is the price. False: the total is out
 * of reach. */
static bool find_price(struct ft__least *k)
{
	int64_t least = 0, most = 0;
	size_t i;

	k->edges = 0;
	for (i = 0; i < k->p; i++) {
		size_t n = find_hull(k, i);
		least += k->point[k->hull[0]].x;
		most += k->point[k->hull[n - 1]].x;
		for (size_t j = 1; j < n; j++) {
			const struct plan_point *a = &k->point[k->hull[j - 1]], *b = &k->point[k->hull[j]];

			k->edge[k->edges++] =
				(struct edge){(b->e - a->e) / (double)(b->x - a->x), b->x - a->x};
		}
	}
	if (least > k->total || most < k->total)
		return false;
	qsort(k->edge, k->edges, sizeof *k->edge, by_slope);
	for (k->price = 0, i = 0; i < k->edges; i++) {
		k->price = k->edge[i].slope;
		least += k->edge[i].units;
		if (least >= k->total)
			break;
	}
	return true;
}

/* ---- dynamic programming over shares that are not too dear --------------------------------------------- */

/* Sums that earlier shares can have and later ones can complete. False: none. */
static bool find_sums(struct ft__least *k, uint64_t *cells, uint64_t *work)
{
	k->rest_lo[k->p] = k->rest_hi[k->p] = k->total;
	for (size_t i = k->p; i-- > 0;) {
		k->rest_lo[i] = k->rest_lo[i + 1] - k->kept[k->kept_from[i + 1] - 1].x;
		k->rest_hi[i] = k->rest_hi[i + 1] - k->kept[k->kept_from[i]].x;
	}
	k->lo[0] = k->hi[0] = 0;
	*cells = *work = 0;
	for (size_t i = 0; i < k->p; i++) {
		int64_t lo = k->lo[i] + k->kept[k->kept_from[i]].x;
		int64_t hi = k->hi[i] + k->kept[k->kept_from[i + 1] - 1].x;

		k->lo[i + 1] = lo > k->rest_lo[i + 1] ? lo : k->rest_lo[i + 1];
		k->hi[i + 1] = hi < k->rest_hi[i + 1] ? hi : k->rest_hi[i + 1];
		if (k->lo[i + 1] > k->hi[i + 1])
			return false;
		k->choice_from[i] = *cells;
		*cells += (uint64_t)(k->hi[i + 1] - k->lo[i + 1] + 1);
		*work += (uint64_t)(k->hi[i] - k->lo[i] + 1) * (k->kept_from[i + 1] - k->kept_from[i]);
	}
	return true;
}

static void add_processor(struct ft__least *k, size_t i, double excess)
{
	int64_t lo = k->lo[i], new_lo = k->lo[i + 1], new_hi = k->hi[i + 1], v;
	int32_t *choice = k->choice + k->choice_from[i];

	for (v = 0; v <= new_hi - new_lo; v++) {
		k->next[v] = INFINITY;
		choice[v] = -1;
	}
	for (size_t j = k->kept_from[i]; j < k->kept_from[i + 1]; j++) {
		int64_t x = k->kept[j].x, a = lo > new_lo - x ? lo : new_lo - x;
		int64_t b = k->hi[i] < new_hi - x ? k->hi[i] : new_hi - x;

		for (v = a; v <= b; v++) {
			double sum = k->sum[v - lo] + k->kept[j].r;

			if (sum <= excess && sum < k->next[v + x - new_lo]) {
				k->next[v + x - new_lo] = sum;
				choice[v + x - new_lo] = (int32_t)(j - k->kept_from[i]);
			}
		}
	}
	double *swap = k->sum;
	k->sum = k->next;
	k->next = swap;
}

/* Is there a plan among shares that are dearer by `excess` at most, all together? */
static enum answer reach(struct ft__least *k, double excess, int64_t *units)
{
	uint64_t cells, work;
	int64_t sum = k->total;

	size_t n = 0;

	for (size_t i = 0; i < k->p; i++) {
		k->kept_from[i] = n;
		for (size_t j = k->from[i]; j < k->from[i + 1]; j++)
			if (k->point[j].r <= excess)
				k->kept[n++] = k->point[j];
	}
	k->kept_from[k->p] = n;
	if (!find_sums(k, &cells, &work))
		return NO;
	if (cells > most_cells || k->looks + work > k->effort)
		return TOO_MUCH;
	k->looks += work;
	int64_t wide = 1;

	for (size_t i = 0; i <= k->p; i++)
		wide = k->hi[i] - k->lo[i] + 1 > wide ? k->hi[i] - k->lo[i] + 1 : wide;
	ft_arena_clear(&k->cells);
	k->sum = ft_arena_take(&k->cells, (size_t)wide, sizeof *k->sum);
	k->next = ft_arena_take(&k->cells, (size_t)wide, sizeof *k->next);
	k->choice = ft_arena_take(&k->cells, (size_t)cells, sizeof *k->choice);
	if (k->cells.failed)
		return NO_MEMORY;
	k->sum[0] = 0;
	for (size_t i = 0; i < k->p; i++)
		add_processor(k, i, excess);
	if (isinf(k->sum[0]))
		return NO;
	for (size_t i = k->p; i-- > 0;) {
		int32_t j = k->choice[k->choice_from[i] + (size_t)(sum - k->lo[i + 1])];

		units[i] = k->kept[k->kept_from[i] + (size_t)j].x;
		sum -= units[i];
	}
	return YES;
}

static enum answer solve_deadline(struct ft__least *k, double deadline_s, int64_t *units)
{
	enum answer answer = NO;

	k->bound = INFINITY;
	if (!find_points(k, deadline_s) || !find_price(k))
		return NO;
	/* The bound, and how much dearer each share is than the processor's cheapest; the most of all together. */
	double scale = fabs(k->price) * (double)k->total, all = 0;

	k->bound = k->price * (double)k->total;
	for (size_t i = 0; i < k->p; i++) {
		double least = INFINITY, most = 0;

		for (size_t j = k->from[i]; j < k->from[i + 1]; j++) {
			k->point[j].r = k->point[j].e - k->price * (double)k->point[j].x;
			least = fmin(least, k->point[j].r);
		}
		for (size_t j = k->from[i]; j < k->from[i + 1]; j++) {
			k->point[j].r -= least;
			most = fmax(most, k->point[j].r);
		}
		k->bound += least;
		scale += fabs(least);
		all += most;
	}
	k->bound -= scale * DBL_EPSILON * (double)(k->p + 4);
	for (double excess = first_excess * (fabs(k->bound) + DBL_MIN); answer == NO; excess *= more_excess) {
		answer = reach(k, fmin(excess, all), units);
		if (excess >= all)
			break;
	}
	if (answer == NO)
		k->bound = INFINITY;
	return answer;
}

/* ---- memory, checks ------------------------------------------------------------------------------------ */

static void least_end(struct ft__least **k)
{
	if (!*k)
		return;
	ft_arena_clear(&(*k)->arena);
	ft_arena_clear(&(*k)->cells);
	ft_free(*k);
	*k = NULL;
}

/* least_fastest - the least makespan of all plans; INFINITY: there is none. */
static enum ft_status least_fastest(const struct ft__least *k, double *fastest_s, struct ft_err *err)
{
	FT_OWN struct ft_plan_times *times = ft_calloc(k->p, sizeof *times);
	FT_OWN int64_t *units = ft_malloc(k->p * sizeof *units);
	struct ft_partition partition;

	if (!times || !units)
		return ft_nomem(err);
	for (size_t i = 0; i < k->p; i++)
		times[i] = (struct ft_plan_times){.n = k->cost[i].n, .time_s = k->cost[i].time_s};
	FT_TRY(ft_plan_partition(times, k->p, k->total, NULL, units, NULL, &partition, err));
	*fastest_s = partition.plan.value;
	return FT_OK;
}

/* least_solve - units [p] out, where there is a plan; out: but for fastest_s */
static enum ft_status least_solve(struct ft__least *k, double deadline_s, int64_t *units,
				  struct ft_partition_energy *out, struct ft_err *err)
{
	enum answer answer = solve_deadline(k, deadline_s, units);

	out->plan = (struct ft_plan){INFINITY, k->bound, answer != TOO_MUCH, k->looks};
	out->time_s = INFINITY;
	if (answer == NO_MEMORY)
		return ft_nomem(err);
	if (answer == YES) {
		out->time_s = out->plan.value = 0;
		for (size_t i = 0; i < k->p; i++) {
			out->time_s = fmax(out->time_s, k->cost[i].time_s[units[i]]);
			out->plan.value += k->cost[i].energy_j[units[i]];
		}
		out->plan.bound = fmin(k->bound, out->plan.value);
	}
	return FT_OK;
}

/* least_new - ends with ft__least_free. effort: steps of dynamic programming, all deadlines together */
static enum ft_status least_new(struct ft__least **out, const struct ft_plan_costs *cost, size_t p,
				int64_t total, uint64_t effort, struct ft_err *err)
{
	size_t n = 1;

	*out = NULL;
	if (p == 0)
		return ft_fail(err, FT_EINVAL, "no processors");
	if (total < 0 || total > FT_PLAN_UNITS)
		return ft_fail(err, FT_EINVAL, "cannot divide %lld units: 0 to 2^53", (long long)total);
	for (size_t l = 0; l < p; l++) {
		if (cost[l].n == 0 || cost[l].n > INT32_MAX)
			return ft_fail(err, FT_EINVAL, "processor %zu: a table of %zu shares", l, cost[l].n);
		for (size_t x = 0; x < cost[l].n; x++)
			if (!(cost[l].time_s[x] >= 0) || !(cost[l].energy_j[x] >= 0))
				return ft_fail(err, FT_EINVAL, "processor %zu: %zu units take %g s and %g J",
					       l, x, cost[l].time_s[x], cost[l].energy_j[x]);
	}
	for (size_t i = 0; i < p; i++)
		n += cost[i].n;
	FT_CLEANUP(least_end) struct ft__least *k = ft_calloc(1, sizeof *k);
	if (!k)
		return ft_nomem(err);
	*k = (struct ft__least){.cost = cost, .p = p, .total = total, .effort = effort};
	k->point = ft_arena_take(&k->arena, n, sizeof *k->point);
	k->kept = ft_arena_take(&k->arena, n, sizeof *k->kept);
	k->hull = ft_arena_take(&k->arena, n, sizeof *k->hull);
	k->edge = ft_arena_take(&k->arena, n, sizeof *k->edge);
	k->from = ft_arena_take(&k->arena, p + 1, sizeof *k->from);
	k->kept_from = ft_arena_take(&k->arena, p + 1, sizeof *k->kept_from);
	k->choice_from = ft_arena_take(&k->arena, p + 1, sizeof *k->choice_from);
	k->lo = ft_arena_take(&k->arena, p + 1, sizeof *k->lo);
	k->hi = ft_arena_take(&k->arena, p + 1, sizeof *k->hi);
	k->rest_lo = ft_arena_take(&k->arena, p + 1, sizeof *k->rest_lo);
	k->rest_hi = ft_arena_take(&k->arena, p + 1, sizeof *k->rest_hi);
	FT_TRY(ft_arena_check(&k->arena, err));
	*out = k;
	k = NULL;
	return FT_OK;
}

enum ft_status ft_plan_partition_energy(const struct ft_plan_costs *cost, size_t p, int64_t total,
					double deadline_s, uint64_t effort, int64_t *units,
					struct ft_partition_energy *out, struct ft_err *err)
{
	FT_CLEANUP(least_end) struct ft__least *k = NULL;

	*out = (struct ft_partition_energy){.plan = {.value = INFINITY}, .fastest_s = NAN};
	if (isnan(deadline_s))
		return ft_fail(err, FT_EINVAL, "the deadline is not a number");
	FT_TRY(least_new(&k, cost, p, total, effort ? effort : usual_effort, err));
	FT_TRY(least_solve(k, deadline_s, units, out, err));
	if (isfinite(out->plan.value))
		return FT_OK;
	memset(units, 0, p * sizeof *units);
	return least_fastest(k, &out->fastest_s, err);
}

/*
 * Time against energy: one deadline after the other, each just below the time of the plan before.
 */

static const uint64_t front_usual_effort = 40000000000;

/* ---- the front ----------------------------------------------------------------------------------------- */

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
		FT_TRY(least_solve(k, deadline, units, &one, err));
		if (isinf(one.plan.value)) {
			f->complete = f->complete && one.plan.exact;
			break;
		}
		if (f->n > 0 && one.plan.value <= f->point[f->n - 1].energy_j * (1 + 1e-12))
			f->n--;
		struct ft_plan_point *grown = ft_grow(f->point, f->n, &f->capacity, sizeof *f->point);

		if (!grown)
			return ft_nomem(err);
		f->point = grown;
		int64_t *more = ft_realloc(f->units, (f->n + 1) * f->p * sizeof *more);
		if (!more)
			return ft_nomem(err);
		f->units = more;
		memcpy(f->units + f->n * f->p, units, f->p * sizeof *units);
		f->point[f->n++] = (struct ft_plan_point){one.time_s, one.plan.value};
		deadline = one.time_s > fastest_s ? next_deadline(f, most, fastest_s) : -1;
		f->evaluations = one.plan.evaluations;
	}
	return FT_OK;
}

enum ft_status ft_plan_front(const struct ft_plan_costs *cost, size_t p, int64_t total, size_t most,
			     uint64_t effort, struct ft_plan_front *out, struct ft_err *err)
{
	FT_CLEANUP(least_end) struct ft__least *k = NULL;
	FT_CLEANUP(ft_plan_front_clear) struct ft_plan_front front = {.p = p, .complete = true};
	double fastest_s = INFINITY;

	*out = (struct ft_plan_front){0};
	FT_TRY(least_new(&k, cost, p, total, effort ? effort : front_usual_effort, err));
	FT_TRY(least_fastest(k, &fastest_s, err));
	if (isfinite(fastest_s))
		FT_TRY(walk_front(k, &front, most, fastest_s, err));
	/* The point farthest below the line from first to last, both axes scaled to 1. */
	const struct ft_plan_point *a = front.point, *b = front.n > 0 ? a + front.n - 1 : a;
	double best = 0;
	size_t knee = 0;

	for (size_t i = 1; i + 1 < front.n; i++) {
		double time = (a->time_s - front.point[i].time_s) / (a->time_s - b->time_s);
		double energy = (front.point[i].energy_j - a->energy_j) / (b->energy_j - a->energy_j);

		if (time - energy > best) {
			best = time - energy;
			knee = i;
		}
	}
	front.knee = knee;
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
