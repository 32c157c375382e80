/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_energy.c - independent tasks by a deadline for least energy. Prices of a second on each machine give
 * a bound, and plans that nearly meet the deadline: these are repaired, then made cheaper by moves. */
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

static inline double ft__saving_time(const struct ft__saving *g, size_t j, size_t i)
{
	return g->k.p[j * g->k.m + i];
}

static inline double ft__saving_joules(const struct ft__saving *g, size_t j, size_t i)
{
	return g->e[j * g->k.m + i];
}

/*
 * Improve a mapping under a deadline for less energy: moves off late machines, then moves to cheaper ones,
 * with exchanges that make room.
 */

static bool fits_deadline(const struct ft__saving *g, size_t i, double more)
{
	return g->now.load[i] + more <= g->deadline;
}

/* ---- a plan of prices ---------------------------------------------------------------------------------- */

/* The extra cost of task j on its second best machine, by the prices. */
static double regret(const struct ft__saving *g, size_t j)
{
	double first = INFINITY, second = INFINITY;

	for (size_t q = 0; q < g->groups; q++) {
		double p = ft__saving_time(g, j, g->member[q]), v;

		if (!(p <= g->deadline) || isinf(p))
			continue;
		v = ft__saving_joules(g, j, g->member[q]) + g->price[q] * p;
		if (v < first) {
			second = first;
			first = v;
		} else if (v < second) {
			second = v;
		}
	}
	return isinf(second) ? DBL_MAX : second - first;
}

/* The cheapest machine by the prices that has room, the emptiest of those alike; else where it ends first. */
static size_t cheapest_machine(const struct ft__saving *g, size_t j)
{
	double least = INFINITY, soonest = INFINITY;
	size_t cheap = FT_PLAN_NOWHERE, soon = 0;

	for (size_t i = 0; i < g->k.m; i++) {
		double p = ft__saving_time(g, j, i), end = g->now.load[i] + p,
		       v = ft__saving_joules(g, j, i) + g->price[g->group[i]] * p;

		if (end <= g->deadline && end < INFINITY &&
		    (v < least || (v == least && g->now.load[i] < g->now.load[cheap]))) {
			least = v;
			cheap = i;
		}
		if (end < soonest) {
			soonest = end;
			soon = i;
		}
	}
	return cheap != FT_PLAN_NOWHERE ? cheap : soon;
}

/* saving_place - `now`: tasks by the cost of missing their cheapest machine (by the prices), each to the
 * cheapest one that has room, else to where it ends first. */
static void saving_place(struct ft__saving *g)
{
	for (size_t j = 0; j < g->k.n; j++)
		g->order[j] = (struct ft_keyed){-regret(g, j), j};
	ft_keyed_sort(g->order, g->k.n);
	memset(g->now.load, 0, g->k.m * sizeof *g->now.load);
	for (size_t j = 0; j < g->k.n; j++) {
		size_t task = g->order[j].of, on = cheapest_machine(g, task);

		g->now.on[task] = on;
		g->now.load[on] += ft__saving_time(g, task, on);
	}
	g->k.looks += g->k.n * (g->k.m + g->groups);
	ft__lists_fill(&g->lists, &g->k, &g->now);
}

/* saving_latest - the machine with the largest load. */
static size_t saving_latest(const struct ft__mapping *m, size_t machines)
{
	size_t which = 0;

	for (size_t i = 1; i < machines; i++)
		if (m->load[i] > m->load[which])
			which = i;
	return which;
}

/* A move: j goes to i, `other` of that machine goes to `back` (or none). */
struct change {
	double value;
	size_t j, i, other, back;
};

static void apply_change(struct ft__saving *g, const struct change *c)
{
	if (c->other != FT_PLAN_NOWHERE)
		ft__lists_move(&g->lists, &g->k, &g->now, c->other, c->back);
	ft__lists_move(&g->lists, &g->k, &g->now, c->j, c->i);
}

/* The energy per second that `from` is relieved of: task j, for none or for one of i's. */
static void relief_by(struct ft__saving *g, size_t from, size_t j, size_t i, struct change *best)
{
	double over = g->now.load[from] - g->deadline, p = ft__saving_time(g, j, i),
	       more = ft__saving_joules(g, j, i) - ft__saving_joules(g, j, from);

	if (fits_deadline(g, i, p)) {
		double v = more / fmin(ft__saving_time(g, j, from), over);

		if (v < best->value)
			*best = (struct change){v, j, i, FT_PLAN_NOWHERE, 0};
		return;
	}
	for (size_t l = g->lists.head[i]; l != FT_PLAN_NOWHERE; l = g->lists.next[l]) {
		double less = ft__saving_time(g, j, from) - ft__saving_time(g, l, from), v;

		g->k.looks++;
		if (!(less > FT__MAP_GAIN * over) || !fits_deadline(g, i, p - ft__saving_time(g, l, i)))
			continue;
		v = (more + ft__saving_joules(g, l, from) - ft__saving_joules(g, l, i)) / fmin(less, over);
		if (v < best->value)
			*best = (struct change){v, j, i, l, from};
	}
}

/* Until the deadline is met: the move of least energy per second. False: no move helps. */
/* saving_relieve - moves of least energy per second, until the deadline is met. False: no move helps, or
 * `until` looks were made. */
static bool saving_relieve(struct ft__saving *g, uint64_t until)
{
	for (;;) {
		size_t from = saving_latest(&g->now, g->k.m);
		struct change best = {INFINITY, FT_PLAN_NOWHERE, 0, FT_PLAN_NOWHERE, 0};

		if (g->now.load[from] <= g->deadline)
			return true;
		for (size_t j = g->lists.head[from]; j != FT_PLAN_NOWHERE; j = g->lists.next[j]) {
			for (size_t i = 0; i < g->k.m; i++)
				if (i != from && ft__saving_time(g, j, i) <= g->deadline)
					relief_by(g, from, j, i, &best);
			g->k.looks += g->k.m;
		}
		if (best.j == FT_PLAN_NOWHERE || g->k.looks > until)
			return false;
		apply_change(g, &best);
	}
}

/* ---- made cheaper -------------------------------------------------------------------------------------- */

/* j to a cheaper machine that is full: one of its tasks goes where it fits. */
static void exchange_tasks(struct ft__saving *g, size_t j, size_t i, struct change *best)
{
	size_t own = g->now.on[j], l, q;
	double more = ft__saving_joules(g, j, i) - ft__saving_joules(g, j, own), p = ft__saving_time(g, j, i);

	for (l = g->lists.head[i]; l != FT_PLAN_NOWHERE; l = g->lists.next[l]) {
		g->k.looks++;
		if (!fits_deadline(g, i, p - ft__saving_time(g, l, i)))
			continue;
		for (q = 0; q < g->k.m; q++) {
			double v = more + ft__saving_joules(g, l, q) - ft__saving_joules(g, l, i);

			if (v < best->value && q != i &&
			    fits_deadline(g, q,
					  ft__saving_time(g, l, q) -
						  (q == own ? ft__saving_time(g, j, own) : 0)))
				*best = (struct change){v, j, i, l, q};
		}
		g->k.looks += g->k.m;
	}
}

static bool cheapen(struct ft__saving *g, size_t j)
{
	size_t own = g->now.on[j], i;
	double e = ft__saving_joules(g, j, own);
	struct change best = {-FT__MAP_GAIN * (e + g->bound / (double)g->k.n), FT_PLAN_NOWHERE, 0,
			      FT_PLAN_NOWHERE, 0};

	for (i = 0; i < g->k.m; i++) {
		double v = ft__saving_joules(g, j, i) - e;

		if (v < best.value && fits_deadline(g, i, ft__saving_time(g, j, i)))
			best = (struct change){v, j, i, FT_PLAN_NOWHERE, 0};
	}
	g->k.looks += g->k.m;
	for (i = 0; i < g->k.m && best.j == FT_PLAN_NOWHERE; i++)
		if (ft__saving_joules(g, j, i) < e && ft__saving_time(g, j, i) <= g->deadline)
			exchange_tasks(g, j, i, &best);
	if (best.j == FT_PLAN_NOWHERE)
		return false;
	apply_change(g, &best);
	return true;
}

/* Make the present plan cheaper, and keep it if it is the best. */
/* saving_improve - make `now` cheaper, as long as possible; kept if it is the best plan. */
static void saving_improve(struct ft__saving *g, uint64_t until)
{
	double joules = 0;
	bool changed = true;
	size_t j;

	while (changed && g->k.looks < until)
		for (changed = false, j = 0; j < g->k.n && g->k.looks < until; j++)
			changed = cheapen(g, j) || changed;
	ft__mapping_sum(&g->now, &g->k);
	for (j = 0; j < g->k.n; j++)
		joules += ft__saving_joules(g, j, g->now.on[j]);
	if (joules < g->joules && g->now.t <= g->deadline * (1 + FT__MAP_GAIN)) {
		ft__mapping_copy(&g->best, &g->now, &g->k);
		g->joules = joules;
	}
}

/*
 * Independent tasks by a deadline for least energy. Prices of a second on each machine give a bound, and
 * plans that nearly meet the deadline: these are repaired, then made cheaper by moves.
 */

/* Rounds of prices, as the effort allows: with 300 of them the bound is up to 6 % too low (300 related
 * tasks on 12 machines), with 3,000 of them 0.1 %. The number of plans made from them. */
enum { ROUNDS_LEAST = 300, ROUNDS_MOST = 3000, PLANS = 30, PATIENCE = 10, COOLINGS = 6 };

static bool meets_bound(const struct ft__saving *g)
{
	return g->joules <= g->bound * (1 + 1e-9);
}

/* ---- machines that are alike --------------------------------------------------------------------------- */

static bool same_machine(const struct ft__saving *g, size_t a, size_t b)
{
	for (size_t j = 0; j < g->k.n; j++)
		if (ft__saving_time(g, j, a) != ft__saving_time(g, j, b) ||
		    ft__saving_joules(g, j, a) != ft__saving_joules(g, j, b))
			return false;
	return true;
}

/* ---- the bound ----------------------------------------------------------------------------------------- */

/* The cheapest group of each task at these prices, loads, and the bound; INFINITY: one is nowhere in time. */
static double dual(struct ft__saving *g)
{
	double value = 0, size = 0;

	memset(g->sum, 0, g->groups * sizeof *g->sum);
	for (size_t j = 0; j < g->k.n; j++) {
		double least = INFINITY, shortest = INFINITY;
		size_t which = 0;

		for (size_t q = 0; q < g->groups; q++) {
			double p = ft__saving_time(g, j, g->member[q]),
			       v = ft__saving_joules(g, j, g->member[q]) + g->price[q] * p;

			if (p <= g->deadline && p < INFINITY && (v < least || (v == least && p < shortest))) {
				least = v;
				shortest = p;
				which = q;
			}
		}
		if (isinf(least))
			return INFINITY;
		value += least;
		g->sum[which] += shortest;
	}
	size = value;
	for (size_t q = 0; q < g->groups; q++)
		if (g->price[q] > 0) {
			value -= g->price[q] * g->alike[q] * g->deadline;
			size += g->price[q] * g->alike[q] * g->deadline;
		}
	g->k.looks += g->k.n * g->groups;
	/* Each sum is rounded n times at most. */
	return value - size * DBL_EPSILON * (double)(g->k.n + 2 * g->groups + 4);
}

/* A step along the difference of loads from the deadline, as long as the bound is expected to rise
   (Polyak). */
static void step_prices(struct ft__saving *g, double value, double goal, double length)
{
	double norm = 0;

	for (size_t q = 0; q < g->groups; q++) {
		double off = g->sum[q] - g->alike[q] * g->deadline;

		norm += off * off;
	}
	if (!(norm > 0) || isinf(norm))
		return;
	for (size_t q = 0; q < g->groups; q++)
		g->price[q] = fmax(0, g->price[q] + length * (goal - value) / norm *
							    (g->sum[q] - g->alike[q] * g->deadline));
}

/* ---- the search ---------------------------------------------------------------------------------------- */

/* Prices that raise the bound, and plans by the way. False: some task is nowhere done in time. */
static bool raise_bound(struct ft__saving *g)
{
	double length = 1, goal = NAN, each = (double)g->k.n * (double)g->groups;
	size_t rounds = (size_t)fmin(ROUNDS_MOST, fmax(ROUNDS_LEAST, 0.25 * (double)g->effort / each));
	size_t stalled = 0;

	for (size_t round = 0; round < rounds && length > 1e-4 && !meets_bound(g); round++) {
		double value = dual(g);

		if (isinf(value))
			return false;
		/* Without a plan: it will cost more than without any deadline. */
		if (isnan(goal))
			goal = 1.3 * value;
		if (value > g->bound * (1 + 1e-9) || round == 0) {
			g->bound = fmax(0, value);
			memcpy(g->kept, g->price, g->groups * sizeof *g->price);
			stalled = 0;
		} else if (++stalled > PATIENCE) {
			length *= 0.7;
			stalled = 0;
			memcpy(g->price, g->kept, g->groups * sizeof *g->price);
		}
		if (round % (rounds / PLANS) == 0) {
			uint64_t until = g->k.looks + (g->effort / 4 / PLANS);

			saving_place(g);
			if (saving_relieve(g, until))
				saving_improve(g, until);
		}
		step_prices(g, value, isfinite(g->joules) ? g->joules : fmax(goal, 1.05 * g->bound), length);
	}
	memcpy(g->price, g->kept, g->groups * sizeof *g->price);
	return true;
}

/* A few tasks of the best plan elsewhere. */
static void shake_mapping(struct ft__saving *g)
{
	size_t count = 2 + ft_random_below(&g->random, 4 + g->k.n / 50), c;

	for (c = 0; c < count; c++) {
		size_t j = ft_random_below(&g->random, g->k.n), i = ft_random_below(&g->random, g->k.m);

		if (ft__saving_time(g, j, i) <= g->deadline)
			ft__lists_move(&g->lists, &g->k, &g->now, j, i);
	}
	g->k.looks += g->k.n;
}

/* Each plan that meets the deadline and may be cheaper than the best one, from task j on, which begins
 * with so many joules. */
static void save_rest(struct ft__saving *g, size_t j, double joules)
{
	if (j == g->k.n) {
		ft__mapping_sum(&g->now, &g->k);
		ft__mapping_copy(&g->best, &g->now, &g->k);
		g->joules = joules;
		return;
	}
	for (size_t i = 0; i < g->k.m; i++) {
		double before = g->now.load[i], more = joules + ft__saving_joules(g, j, i);

		if (!(before + ft__saving_time(g, j, i) <= g->deadline) || !(more < g->joules))
			continue;
		g->now.on[j] = i;
		g->now.load[i] = before + ft__saving_time(g, j, i);
		save_rest(g, j + 1, more);
		g->now.load[i] = before;
	}
	g->k.looks += g->k.m;
}

/* The best plan shaken, one by other prices, or either cooled down; repaired, and made cheaper. */
static enum ft_status search_plans(struct ft__saving *g, struct ft_err *err)
{
	uint64_t rest = g->effort > g->k.looks ? g->effort - g->k.looks : 0;

	if (!meets_bound(g) && g->k.m > 1 &&
	    pow((double)g->k.m, (double)g->k.n) <= fmin(ft__plans_enumerated, (double)g->effort)) {
		memset(g->now.load, 0, g->k.m * sizeof *g->now.load);
		save_rest(g, 0, 0);
		g->bound = g->joules;
		return FT_OK;
	}
	for (size_t round = 0; g->k.looks < g->effort && !meets_bound(g); round++) {
		if (round % 4 < 2) {
			/* Prices near the best ones. */
			for (size_t q = 0; q < g->groups; q++)
				g->price[q] = g->kept[q] * exp(0.2 * ft_random_normal(&g->random));
			saving_place(g);
		} else {
			ft__mapping_copy(&g->now, &g->best, &g->k);
			ft__lists_fill(&g->lists, &g->k, &g->now);
			shake_mapping(g);
		}
		if (round < (uint64_t)2 * COOLINGS && round % 2 == 0) {
			/* Cooled down by the best prices. */
			uint64_t share = rest / 4 / COOLINGS;
			struct ft__cooling by = {.w = g->of_machine,
						 .e = g->e,
						 .target = g->deadline,
						 .below = nextafter(g->deadline, INFINITY)};
			double dear = 0;

			for (size_t i = 0; i < g->k.m; i++) {
				g->of_machine[i] = g->kept[g->group[i]];
				dear += g->of_machine[i];
			}
			by.task = (g->bound + dear * g->deadline) / (double)g->k.n;
			FT_TRY(ft__map_anneal(&g->k, &g->now, &by, share, &g->random, err));
			ft__lists_fill(&g->lists, &g->k, &g->now);
		}
		if (saving_relieve(g, g->effort))
			saving_improve(g, g->effort);
	}
	return FT_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* If prices led to no plan: the fastest one meets the deadline, or shows what binds. */
static enum ft_status from_fastest(struct ft__saving *g, const struct ft_plan_search *search_for,
				   size_t *machine, struct ft_map_energy *out, struct ft_err *err)
{
	struct ft_plan fastest;

	FT_TRY(ft_plan_map(g->k.p, g->k.n, g->k.m, search_for, machine, g->best.load, &fastest, err));
	g->k.looks += fastest.evaluations;
	g->effort += fastest.evaluations;
	if (fastest.value > g->deadline) {
		out->fastest_s = fastest.value;
		out->plan.exact = fastest.bound > g->deadline;
		out->plan.bound = out->plan.exact ? (double)INFINITY : g->bound;
		return FT_OK;
	}
	memcpy(g->now.on, machine, g->k.n * sizeof *machine);
	ft__mapping_sum(&g->now, &g->k);
	ft__lists_fill(&g->lists, &g->k, &g->now);
	saving_improve(g, g->effort);
	return FT_OK;
}

static enum ft_status run_search(struct ft__saving *g, const struct ft_plan_search *search_for,
				 size_t *machine, struct ft_map_energy *out, struct ft_err *err)
{
	bool anywhere = raise_bound(g);

	if (isinf(g->joules))
		FT_TRY(from_fastest(g, search_for, machine, out, err));
	if (isinf(g->joules)) {
		out->plan.exact = out->plan.exact || !anywhere;
		return FT_OK;
	}
	FT_TRY(search_plans(g, err));
	memcpy(machine, g->best.on, g->k.n * sizeof *machine);
	out->time_s = g->best.t;
	out->plan = (struct ft_plan){g->joules, fmin(g->bound, g->joules), meets_bound(g), 0};
	return FT_OK;
}

/* Is every time one, and does every task fit somewhere? */
static bool all_fit(const struct ft__saving *g)
{
	for (size_t j = 0; j < g->k.n; j++) {
		bool one = false;

		for (size_t i = 0; i < g->k.m; i++) {
			if (!(ft__saving_time(g, j, i) >= 0))
				return false;
			one = one || ft__saving_time(g, j, i) < INFINITY;
		}
		if (!one)
			return false;
	}
	return true;
}

static enum ft_status map_free(const double *time_s, const double *energy_j, size_t n, size_t m,
			       double deadline_s, const struct ft_plan_search *search_for, size_t *machine,
			       double *load_s, struct ft_map_energy *out, struct ft_err *err)
{
	struct ft__saving g = {
		.k = {.p = time_s, .n = n, .m = m},
		.e = energy_j,
		.deadline = deadline_s > DBL_MAX ? DBL_MAX : deadline_s, /* what does not fit takes longer */
		.joules = INFINITY,
		.effort = search_for && search_for->effort ? search_for->effort
							   : 200000000 + 600 * (uint64_t)n * m,
		.random.state = search_for ? search_for->seed : 0};

	*out = (struct ft_map_energy){.plan = {INFINITY, INFINITY, false, 0}, .fastest_s = NAN};
	if (!(g.deadline > 0))
		return ft_fail(err, FT_EINVAL, "a deadline of %g s", g.deadline);
	for (size_t j = 0; j < g.k.n; j++)
		for (size_t i = 0; i < g.k.m; i++)
			if (ft__saving_time(&g, j, i) < INFINITY &&
			    !(ft__saving_joules(&g, j, i) >= 0 && ft__saving_joules(&g, j, i) < INFINITY))
				return ft_fail(err, FT_EINVAL, "task %zu takes %g J on machine %zu", j,
					       ft__saving_joules(&g, j, i), i);
	/* A time that is none, no machine, no task, or one that fits nowhere: the same answer as in time. */
	if (m == 0 || n == 0 || !all_fit(&g)) {
		enum ft_status status =
			ft_plan_map(time_s, n, m, search_for, machine, load_s, &out->plan, err);

		out->time_s = out->plan.value;
		return status;
	}
	FT_ARENA(work);
	g.now = ft__mapping_make(&work, &g.k);
	g.best = ft__mapping_make(&work, &g.k);
	g.lists = ft__lists_make(&work, &g.k);
	g.group = ft_arena_take(&work, m, sizeof *g.group);
	g.member = ft_arena_take(&work, m, sizeof *g.member);
	g.price = ft_arena_take(&work, m, sizeof *g.price);
	g.kept = ft_arena_take(&work, m, sizeof *g.kept);
	g.sum = ft_arena_take(&work, m, sizeof *g.sum);
	g.alike = ft_arena_take(&work, m, sizeof *g.alike);
	g.of_machine = ft_arena_take(&work, m, sizeof *g.of_machine);
	g.order = ft_arena_take(&work, n, sizeof *g.order);
	FT_TRY(ft_arena_check(&work, err));
	size_t q;

	for (size_t i = 0; i < g.k.m; i++) {
		for (q = 0; q < g.groups && !same_machine(&g, g.member[q], i); q++)
			continue;
		if (q == g.groups)
			g.member[g.groups++] = i;
		g.group[i] = q;
		g.alike[q]++;
	}
	FT_TRY(run_search(&g, search_for, machine, out, err));
	out->plan.evaluations = g.k.looks;
	out->latest = saving_latest(&g.best, m);
	out->time_s = g.best.load[out->latest];
	if (load_s)
		memcpy(load_s, g.best.load, m * sizeof *load_s);
	return FT_OK;
}

/* ---- machines that are taken --------------------------------------------------------------------------- */

enum ft_status ft_plan_map_energy(const double *time_s, const double *energy_j, size_t n, size_t m,
				  double deadline_s, const struct ft_plan_reserved *reserved,
				  size_t n_reserved, const struct ft_plan_search *search_for, size_t *machine,
				  double *load_s, struct ft_map_energy *out, struct ft_err *err)
{
	*out = (struct ft_map_energy){.plan = {INFINITY, INFINITY, false, 0}, .fastest_s = NAN};
	if (!n_reserved || !m)
		return map_free(time_s, energy_j, n, m, deadline_s, search_for, machine, load_s, out, err);
	FT_ARENA(work);
	double *until_s = ft_arena_take(&work, m, sizeof *until_s);
	double *time = ft_arena_take(&work, (n + m) * m, sizeof *time);
	double *energy = ft_arena_take(&work, (n + m) * m, sizeof *energy);
	size_t *on = ft_arena_take(&work, n + m, sizeof *on);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n_reserved; i++) {
		const struct ft_plan_reserved *r = &reserved[i];

		if (r->machine >= m || r->from_s != 0 || !(r->to_s >= 0) || isinf(r->to_s))
			return ft_fail(err, FT_EINVAL,
				       "machine %zu is reserved from %g s to %g s: not from the beginning on",
				       r->machine, r->from_s, r->to_s);
		until_s[r->machine] = fmax(until_s[r->machine], r->to_s);
	}
	memcpy(time, time_s, n * m * sizeof *time);
	memcpy(energy, energy_j, n * m * sizeof *energy);
	/* A reservation of a machine is a task that fits nowhere else, and costs nothing; a machine reserved until
	 * after the deadline takes no other task. Rows from the n-th on are room. */
	size_t rows = n;

	for (size_t i = 0; i < m; i++) {
		if (!(until_s[i] > 0))
			continue;
		for (size_t j = 0; j < n && until_s[i] > deadline_s; j++)
			time[j * m + i] = INFINITY;
		for (size_t j = 0; j < m && until_s[i] <= deadline_s; j++)
			time[rows * m + j] = j == i ? until_s[i] : (double)INFINITY;
		rows += until_s[i] <= deadline_s;
	}
	FT_TRY(map_free(time, energy, rows, m, deadline_s, search_for, on, load_s, out, err));
	memcpy(machine, on, n * sizeof *machine);
	return FT_OK;
}
