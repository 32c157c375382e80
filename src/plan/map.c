/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - independent tasks on machines: many starts, each improved, and a lower bound. */
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A plan: the machine of each task, and the load of each machine. [n], [m] */
struct allotment {
	size_t *on;
	double *load;
	double t; /* the largest load */
};

/* Room for one; the caller checks the arena. */
static struct allotment mapping_make(struct ft_arena *arena, const struct ft__map *k)
{
	return (struct allotment){.on = ft_arena_take(arena, k->n, sizeof(size_t)),
				  .load = ft_arena_take(arena, k->m, sizeof(double))};
}

static void mapping_copy(struct allotment *to, const struct allotment *from, const struct ft__map *k)
{
	memcpy(to->on, from->on, k->n * sizeof *to->on);
	memcpy(to->load, from->load, k->m * sizeof *to->load);
	to->t = from->t;
}

/* Loads and time recomputed from `on`. */
static void mapping_sum(struct allotment *m, const struct ft__map *k)
{
	memset(m->load, 0, k->m * sizeof *m->load);
	for (size_t j = 0; j < k->n; j++)
		m->load[m->on[j]] += k->p[j * k->m + m->on[j]];
	m->t = 0;
	for (size_t i = 0; i < k->m; i++)
		m->t = fmax(m->t, m->load[i]);
}

/*
 * The tasks of each machine: lists that a move changes in O(1).
 */

/* FT_PLAN_NOWHERE ends them. */
struct lists {
	size_t *head;          /* [m] the first task */
	size_t *next, *before; /* [n] */
};

static struct lists lists_make(struct ft_arena *arena, const struct ft__map *k)
{
	return (struct lists){.head = ft_arena_take(arena, k->m, sizeof(size_t)),
			      .next = ft_arena_take(arena, k->n, sizeof(size_t)),
			      .before = ft_arena_take(arena, k->n, sizeof(size_t))};
}

static void link_task(struct lists *lists, size_t j, size_t i)
{
	lists->before[j] = FT_PLAN_NOWHERE;
	lists->next[j] = lists->head[i];
	if (lists->head[i] != FT_PLAN_NOWHERE)
		lists->before[lists->head[i]] = j;
	lists->head[i] = j;
}

static void lists_fill(struct lists *lists, const struct ft__map *k, const struct allotment *m)
{
	for (size_t i = 0; i < k->m; i++)
		lists->head[i] = FT_PLAN_NOWHERE;
	for (size_t j = k->n; j-- > 0;)
		link_task(lists, j, m->on[j]);
}

/* A task to another machine: in the lists, in `on`, and in both loads. */
static void lists_move(struct lists *lists, const struct ft__map *k, struct allotment *m, size_t task,
		       size_t to)
{
	size_t from = m->on[task];

	if (lists->before[task] == FT_PLAN_NOWHERE)
		lists->head[from] = lists->next[task];
	else
		lists->next[lists->before[task]] = lists->next[task];
	if (lists->next[task] != FT_PLAN_NOWHERE)
		lists->before[lists->next[task]] = lists->before[task];
	link_task(lists, task, to);
	m->load[from] -= k->p[task * k->m + from];
	m->load[to] += k->p[task * k->m + to];
	m->on[task] = to;
}

/*
 * Simulated annealing of a mapping: all loads together become even and cheap, not only the largest one
 * smaller.
 *
 * With prices w (sum 1) the loads of any mapping have sum w_i load_i = bound + the excess of tasks over
 * their cheapest machines. So f = sum w_i (load_i + k (load_i - bound)^2) rewards both: cheap machines, and
 * even loads; a step changes two loads, and is evaluated in O(1).
 */

/* Machines that are tried for a task: its cheapest by the prices. */
enum { CHEAP = 6 };

/* The cost of a step in looks. */
enum { DEAR = 16 };

/* The first and the last temperature, as shares of the mean price of a task. On 200 x 10 and 1,000 x 20
 * unrelated tasks, 0.5 or 0.03 and 0.002 end up to 0.2 % higher. */
static const double hot = 0.1, cold = 0.0005;

/* The weight of unevenness: a load that is 50 m mean tasks above the bound costs twice as much. Larger
 * weights fix tasks where they are: 2.5, 10 and 50 times that end up to 0.4, 0.8 and 1.4 % higher (1,000 x
 * 20, 10,000 x 100), a quarter up to 0.1, a twentieth up to 0.7 %. */
static const double even = 0.02;

struct cooling {
	struct ft__map *k;
	struct allotment *q;
	const double *w; /* [m] prices of a second */
	double target;   /* of loads */
	double below;    /* entries from here on are left out */
	double task;     /* what a task costs by these prices, the mean */
	uint32_t *cheap; /* [n x CHEAP] machines; as many as there are of them */
	size_t count;
	double stiff;
};

static double cost(const struct cooling *c, size_t i, double load)
{
	double off = load - c->target, w = c->w[i];

	return w * load + w * c->stiff * off * off;
}

/* One step at a temperature: a task to one of its cheap machines, or two exchanged. */
static void step_task(struct cooling *c, double heat, struct ft_random *random)
{
	size_t m = c->k->m, j = ft_random_below(random, c->k->n), a = c->q->on[j], b, l = SIZE_MAX;
	const double *p = c->k->p + j * m;
	double more_a = -p[a], more_b;

	if (ft_random_bits(random) & 1 << 20) {
		b = c->cheap[j * CHEAP + ft_random_below(random, c->count)];
		more_b = p[b];
	} else {
		l = ft_random_below(random, c->k->n);
		b = c->q->on[l];
		more_a += c->k->p[l * m + a];
		more_b = p[b] - c->k->p[l * m + b];
		if (!(c->k->p[l * m + a] < c->below))
			return;
	}
	if (a == b || !(p[b] < c->below))
		return;
	/* The cost of a change of two loads. */
	const double *load = c->q->load;

	double d = cost(c, a, load[a] + more_a) - cost(c, a, load[a]) + cost(c, b, load[b] + more_b) -
		   cost(c, b, load[b]);
	if (d > 0 && d >= -heat * log(1 - ft_random_uniform(random)))
		return;
	c->q->load[a] += more_a;
	c->q->load[b] += more_b;
	c->q->on[j] = b;
	if (l != SIZE_MAX)
		c->q->on[l] = a;
}

/* Random steps that make all loads even and cheap, for about that many looks; the result may be worse, and is
 * best passed to a search. */
static enum ft_status anneal(struct cooling *c, uint64_t looks, struct ft_random *random, struct ft_err *err)
{
	struct ft__map *k = c->k;
	double heat = hot * c->task;
	uint64_t steps = looks / DEAR;

	FT_OWN uint32_t *cheap = ft_malloc(k->n * CHEAP * sizeof *cheap);
	if (!cheap)
		return ft_nomem(err);
	c->cheap = cheap;
	c->count = k->m < CHEAP ? k->m : CHEAP;
	size_t m = c->k->m;

	for (size_t j = 0; j < c->k->n; j++) {
		const double *p = c->k->p + j * m;
		double price[CHEAP];
		size_t n = 0, at;

		/* Of equal machines, a different one for each task. */
		for (size_t q = 0; q < m; q++) {
			size_t i = (q + j) % m;
			double v = isinf(p[i]) ? (double)INFINITY : c->w[i] * p[i];

			if (n == c->count && !(v < price[n - 1]))
				continue;
			for (at = n < c->count ? n++ : n - 1; at > 0 && v < price[at - 1]; at--) {
				price[at] = price[at - 1];
				c->cheap[j * CHEAP + at] = c->cheap[j * CHEAP + at - 1];
			}
			price[at] = v;
			c->cheap[j * CHEAP + at] = (uint32_t)i;
		}
	}
	c->k->looks += c->k->n * m;
	c->stiff = even / (c->target * (double)k->m / (double)k->n);
	double less = exp(log(cold / hot) / ((double)steps / 256 + 1));
	for (uint64_t i = 0; i < steps; i++) {
		if (i % 256 == 0)
			heat *= less;
		step_task(c, heat, random);
	}
	k->looks += looks;
	mapping_sum(c->q, k);
	return FT_OK;
}

/*
 * Prices of machines: a lower bound of all mappings, and mappings that follow them.
 */

static void scale(double *w, const double *ln, size_t m)
{
	double most = -INFINITY, sum = 0;

	for (size_t i = 0; i < m; i++)
		most = fmax(most, ln[i]);
	for (size_t i = 0; i < m; i++) {
		w[i] = fmax(exp(ln[i] - most), 1e-9);
		sum += w[i];
	}
	for (size_t i = 0; i < m; i++)
		w[i] /= sum;
}

/* A machine that is twice as slow is half as dear: geometric means of its column. Even prices lose 2 % of the
 * bound at 100 machines. */
static void first_prices(const struct ft__map *k, double *w, double *ln)
{
	for (size_t i = 0; i < k->m; i++) {
		double sum = 0;
		size_t count = 0;

		for (size_t j = 0; j < k->n; j++) {
			double p = k->p[j * k->m + i];

			if (p < INFINITY && p > 0) {
				sum += log(p);
				count++;
			}
		}
		ln[i] = count ? -sum / (double)count : -DBL_MAX;
	}
	scale(w, ln, k->m);
}

/* The bound for prices w, and the loads that cheapest machines would have. */
static double value(const struct ft__map *k, double below, const double *w, double *load)
{
	double sum = 0;

	memset(load, 0, k->m * sizeof *load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + j * k->m;
		double least = INFINITY;
		size_t which = 0;

		for (size_t i = 0; i < k->m; i++) {
			double v = w[i] * p[i];

			if (v < least && p[i] <= below) {
				least = v;
				which = i;
			}
		}
		if (isinf(least))
			return INFINITY;
		sum += least;
		load[which] += p[which];
	}
	return sum;
}

double ft__map_dual(struct ft__map *k, double below, size_t rounds, double *w, double *work)
{
	enum { PATIENCE = 12 };
	double *load = work, *ln = work + k->m, *best = work + 2 * k->m, bound = 0, step = 0.5;
	size_t stalled = 0;

	if (!(w[0] > 0))
		first_prices(k, w, ln);
	for (size_t i = 0; i < k->m; i++)
		ln[i] = log(w[i]);
	memcpy(best, w, k->m * sizeof *w);
	for (size_t round = 0; round < rounds && step > 1e-5; round++) {
		double v = value(k, below, w, load), most = 0;

		k->looks += k->n * k->m;
		if (isinf(v))
			return v;
		if (v > bound * (1 + 1e-7)) {
			bound = v;
			memcpy(best, w, k->m * sizeof *w);
			stalled = 0;
		} else if (++stalled >= PATIENCE) {
			step *= 0.6;
			stalled = 0;
			for (size_t i = 0; i < k->m; i++)
				ln[i] = log(best[i]);
		}
		for (size_t i = 0; i < k->m; i++)
			most = fmax(most, load[i]);
		if (!(most > 0))
			break;
		for (size_t i = 0; i < k->m; i++)
			ln[i] += step * (load[i] - v) / most;
		scale(w, ln, k->m);
	}
	memcpy(w, best, k->m * sizeof *w);
	/* Each sum of n terms is rounded n times at most. */
	return bound * (1 - DBL_EPSILON * (double)(k->n + k->m + 4));
}

static double regret(const struct ft__map *k, const double *w, size_t j)
{
	double first = INFINITY, second = INFINITY;

	for (size_t i = 0; i < k->m; i++) {
		double v = w[i] * k->p[j * k->m + i];

		if (v < first) {
			second = first;
			first = v;
		} else if (v < second) {
			second = v;
		}
	}
	return isinf(second) ? DBL_MAX : second - first;
}

/* map_round - tasks by the cost of missing their cheapest machine (prices w), each to the cheapest one
 * that stays below a load, else to where it ends first. order [n]: memory. */
static void map_round(struct ft__map *k, const double *w, double below, struct ft_keyed *order,
		      struct allotment *out)
{
	for (size_t j = 0; j < k->n; j++)
		order[j] = (struct ft_keyed){-regret(k, w, j), j};
	ft_keyed_sort(order, k->n);
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + order[j].of * k->m;
		double least = INFINITY, soonest = INFINITY;
		size_t cheap = k->m, soon = 0;

		for (size_t i = 0; i < k->m; i++) {
			double end = out->load[i] + p[i], v = w[i] * p[i];

			if (end <= below && v < least) {
				least = v;
				cheap = i;
			}
			if (end < soonest) {
				soonest = end;
				soon = i;
			}
		}
		out->on[order[j].of] = cheap < k->m ? cheap : soon;
		out->load[out->on[order[j].of]] += p[out->on[order[j].of]];
	}
	k->looks += 2 * k->n * k->m;
	mapping_sum(out, k);
}

/*
 * Improve a mapping by moves off the machine that ends last.
 */

static const size_t nobody = FT_PLAN_NOWHERE;

/* Gains below this are rounding. */
static const double gain = 1e-12;

struct map_search_walk {
	struct ft__map *k;
	struct allotment *q;
	struct lists lists;
};

static double time_of(const struct map_search_walk *w, size_t j, size_t i)
{
	return w->k->p[j * w->k->m + i];
}

static void move_task(struct map_search_walk *w, size_t j, size_t to)
{
	lists_move(&w->lists, w->k, w->q, j, to);
}

static size_t latest_machine(const struct map_search_walk *w)
{
	size_t k = 0;

	for (size_t i = 1; i < w->k->m; i++)
		if (w->q->load[i] > w->q->load[k])
			k = i;
	return k;
}

/* A move: task j goes to machine i, and `back` comes in return (or none). */
struct map_search_step {
	double value; /* the larger of both loads */
	size_t j, i, back;
};

static void best_swap(struct map_search_walk *w, size_t from, struct map_search_step *best)
{
	for (size_t j = w->lists.head[from]; j != nobody; j = w->lists.next[j]) {
		double rest = w->q->load[from] - time_of(w, j, from);

		for (size_t i = 0; i < w->k->m; i++) {
			double with = w->q->load[i] + time_of(w, j, i);

			if (i == from || isinf(with))
				continue;
			for (size_t l = w->lists.head[i]; l != nobody; l = w->lists.next[l]) {
				double v = fmax(rest + time_of(w, l, from), with - time_of(w, l, i));

				if (v < best->value)
					*best = (struct map_search_step){v, j, i, l};
				w->k->looks++;
			}
		}
		w->k->looks += w->k->m;
	}
}

static void descend_mapping(struct map_search_walk *w, uint64_t until)
{
	do {
		size_t from = latest_machine(w);
		struct map_search_step best = {w->q->load[from] * (1 - gain), nobody, 0, nobody};

		w->q->t = w->q->load[from];
		for (size_t j = w->lists.head[from]; j != nobody; j = w->lists.next[j]) {
			for (size_t i = 0; i < w->k->m; i++) {
				double v =
					fmax(w->q->load[i] + time_of(w, j, i), w->q->t - time_of(w, j, from));

				if (i != from && v < best.value)
					best = (struct map_search_step){v, j, i, nobody};
			}
			w->k->looks += w->k->m;
		}
		if (best.j == nobody)
			best_swap(w, from, &best);
		if (best.j == nobody)
			return;
		if (best.back != nobody)
			move_task(w, best.back, from);
		move_task(w, best.j, best.i);
		w->q->t = w->q->load[latest_machine(w)];
	} while (w->k->looks < until);
}

/*
 * Independent tasks on machines: many starts, each improved, and a lower bound.
 */

/* Several beginnings matter more than a long search from one: 6.7 % above the bound with one, 0.35 % with ten
 * (1,000 tasks, 20 machines). */
enum { STARTS = 9, PRICES = 400, PRICES_AGAIN = 50, COOLINGS = 6 };

/* Loads that rounded prices keep below, by the bound. */
static const double room[] = {1, 1.003, 1.01, 1.03, 1.1};
enum { ROOMS = sizeof room / sizeof *room };

/* ---- beginnings ---------------------------------------------------------------------------------------- */

static double least_of(const struct ft__map *k, size_t j)
{
	double least = INFINITY;

	for (size_t i = 0; i < k->m; i++)
		least = fmin(least, k->p[j * k->m + i]);
	return least;
}

/* Each task in this order to where it ends first. */
static void list_tasks(struct ft__map *k, const struct ft_keyed *order, struct allotment *out)
{
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + order[j].of * k->m;
		double soonest = INFINITY;
		size_t which = 0;

		for (size_t i = 0; i < k->m; i++)
			if (out->load[i] + p[i] < soonest) {
				soonest = out->load[i] + p[i];
				which = i;
			}
		out->on[order[j].of] = which;
		out->load[which] = soonest;
	}
	k->looks += k->n * k->m;
	mapping_sum(out, k);
}

/* For each task where it would end first, when, and when on the second best machine. */
struct offer {
	double first, second;
	size_t on;
	bool placed;
};

static void find_offer(struct ft__map *k, const double *load, size_t j, struct offer *o)
{
	o->first = o->second = INFINITY;
	for (size_t i = 0; i < k->m; i++) {
		double end = load[i] + k->p[j * k->m + i];

		if (end < o->first) {
			o->second = o->first;
			o->first = end;
			o->on = i;
		} else if (end < o->second) {
			o->second = end;
		}
	}
	k->looks += k->m;
}

/* Repeatedly the task that ends first (min-min), or that would lose most by its second best machine
 * (sufferage). Only tasks whose machines have changed are evaluated again. */
static void map_greedily(struct ft__map *k, bool sufferage, struct offer *o, struct allotment *out)
{
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		o[j].placed = false;
		find_offer(k, out->load, j, &o[j]);
	}
	for (size_t round = 0; round < k->n; round++) {
		double most = -INFINITY;
		size_t which = 0;

		for (size_t j = 0; j < k->n; j++) {
			double v = sufferage ? (isinf(o[j].second) ? DBL_MAX : o[j].second - o[j].first)
					     : -o[j].first;

			if (!o[j].placed && v > most) {
				most = v;
				which = j;
			}
		}
		o[which].placed = true;
		out->on[which] = o[which].on;
		out->load[o[which].on] = o[which].first;
		for (size_t j = 0; j < k->n; j++)
			if (!o[j].placed && (o[j].on == o[which].on || sufferage))
				find_offer(k, out->load, j, &o[j]);
		k->looks += k->n;
	}
	mapping_sum(out, k);
}

/* ---- the search ---------------------------------------------------------------------------------------- */

struct map_job {
	struct ft__map k;
	struct allotment start[STARTS], best;
	size_t starts;
	struct ft_keyed *order; /* [n] */
	struct offer *offer;    /* [n] */
	double *w, *work;       /* [m], [3 m] */
	double bound;
	uint64_t effort;
	struct ft_random random;
};

static void keep_best(struct map_job *g, const struct allotment *m)
{
	if (m->t < g->best.t)
		mapping_copy(&g->best, m, &g->k);
}

static bool meets_bound(const struct map_job *g)
{
	return g->best.t <= g->bound * (1 + 1e-9);
}

static void raise_bound(struct map_job *g, double below, size_t rounds)
{
	double bound = ft__map_dual(&g->k, below, rounds, g->w, g->work);

	/* Only plans below `below` are of interest: that itself is one. */
	g->bound = fmax(g->bound, fmin(bound, below));
}

/* Each plan that may be better than the best one, from task j on: loads only grow. */
static void place_rest(struct map_job *g, struct allotment *m, size_t j)
{
	const double *p = g->k.p + j * g->k.m;

	if (j == g->k.n) {
		mapping_sum(m, &g->k);
		keep_best(g, m);
		return;
	}
	for (size_t i = 0; i < g->k.m; i++) {
		double before = m->load[i];

		if (!(before + p[i] < g->best.t))
			continue;
		m->on[j] = i;
		m->load[i] = before + p[i];
		place_rest(g, m, j + 1);
		m->load[i] = before;
	}
	g->k.looks += g->k.m;
}

/* Moves and swaps off the latest machine until none helps, then a few random ones, again and again, until a share
 * of the effort is used up or the bound is met. m is made better, never worse. */
static enum ft_status search_start(struct map_job *g, struct allotment *m, uint64_t share, struct ft_err *err)
{
	struct ft__map *k = &g->k;
	uint64_t until = k->looks + share;

	FT_ARENA(work);
	struct allotment now = mapping_make(&work, k);
	struct map_search_walk w = {.k = k, .q = &now, .lists = lists_make(&work, k)};

	FT_TRY(ft_arena_check(&work, err));
	mapping_copy(&now, m, k);
	lists_fill(&w.lists, k, &now);
	descend_mapping(&w, until);
	mapping_sum(w.q, w.k);
	mapping_copy(m, w.q, w.k);
	while (w.k->looks < until && m->t > g->bound * (1 + 1e-9) && w.k->m > 1) {
		/* Two to five random moves or exchanges, none of a task that alone takes longer than the best plan. */
		size_t n = w.k->n, count = 2 + ft_random_below(&g->random, 4), c;

		for (c = 0; c < count; c++) {
			size_t j = ft_random_below(&g->random, n), l, i, from = w.q->on[j];

			if (ft_random_below(&g->random, 2)) {
				i = ft_random_below(&g->random, w.k->m);
				if (i != from && time_of(&w, j, i) < m->t)
					move_task(&w, j, i);
				continue;
			}
			l = ft_random_below(&g->random, n);
			i = w.q->on[l];
			if (i != from && time_of(&w, j, i) < m->t && time_of(&w, l, from) < m->t) {
				move_task(&w, j, i);
				move_task(&w, l, from);
			}
		}
		w.k->looks += 4 * count;
		descend_mapping(&w, until);
		if (w.q->t < m->t * (1 - gain)) {
			mapping_sum(w.q, w.k);
			mapping_copy(m, w.q, w.k);
		} else if (w.q->t > 1.02 * m->t) {
			mapping_copy(w.q, m, w.k);
			lists_fill(&w.lists, w.k, w.q);
			w.k->looks += w.k->n;
		}
	}
	keep_best(g, m);
	return FT_OK;
}

static enum ft_status search_starts(struct map_job *g, struct ft_err *err)
{
	struct ft__map *k = &g->k;

	for (size_t j = 0; j < k->n; j++)
		g->order[j] = (struct ft_keyed){(double)j, j};
	list_tasks(k, g->order, &g->start[g->starts++]);
	for (size_t j = 0; j < k->n; j++)
		g->order[j].key = -least_of(k, j);
	ft_keyed_sort(g->order, k->n);
	list_tasks(k, g->order, &g->start[g->starts++]);
	/* Both look at n^2 tasks, sufferage m times as often. */
	if ((double)k->n * (double)k->n < 0.02 * (double)g->effort)
		map_greedily(k, false, g->offer, &g->start[g->starts++]);
	if ((double)k->n * (double)k->n * (double)k->m < 0.1 * (double)g->effort)
		map_greedily(k, true, g->offer, &g->start[g->starts++]);
	for (size_t i = 0; i < g->starts; i++)
		keep_best(g, &g->start[i]);
	for (size_t i = 0; i < g->k.n; i++)
		g->bound = fmax(g->bound, least_of(&g->k, i));
	/* With so few plans all are tried, without a bound or a search. */
	if (pow((double)g->k.m, (double)g->k.n) <= fmin(ft__plans_enumerated, (double)g->effort) &&
	    g->k.m > 1) {
		memset(g->start[0].load, 0, g->k.m * sizeof *g->start[0].load);
		place_rest(g, &g->start[0], 0);
		g->bound = g->best.t;
		return FT_OK;
	}
	raise_bound(g, g->best.t, PRICES);
	for (size_t i = 0; i < ROOMS; i++, g->starts++) {
		map_round(&g->k, g->w, g->bound * room[i], g->order, &g->start[g->starts]);
		keep_best(g, &g->start[g->starts]);
	}
	uint64_t rest = g->effort > g->k.looks ? g->effort - g->k.looks : 0;
	for (size_t i = 0; i < g->starts && !meets_bound(g); i++)
		FT_TRY(search_start(g, &g->start[i], rest / 4 / g->starts, err));
	for (size_t i = 0; i < COOLINGS && !meets_bound(g); i++) {
		if (i > 0)
			raise_bound(g, g->best.t, PRICES_AGAIN);
		/* Alternately from the prices, and from the best plan: either is better for some kinds. */
		if (i % 2 == 0)
			map_round(&g->k, g->w, g->bound * room[i % ROOMS], g->order, &g->start[0]);
		else
			mapping_copy(&g->start[0], &g->best, &g->k);
		struct cooling c = {.k = &g->k,
				    .q = &g->start[0],
				    .w = g->w,
				    .target = g->bound,
				    .below = g->start[0].t,
				    .task = g->bound / (double)g->k.n};
		FT_TRY(anneal(&c, rest / 2 / COOLINGS, &g->random, err));
		FT_TRY(search_start(g, &g->start[0], rest / 4 / COOLINGS, err));
	}
	return FT_OK;
}

enum ft_status ft_plan_map(const double *time_s, size_t n, size_t m, const struct ft_plan_search *search_for,
			   size_t *machine, double *load_s, struct ft_plan *out, struct ft_err *err)
{
	struct map_job g = {.k = {.p = time_s, .n = n, .m = m}, .effort = 200000000 + 600 * (uint64_t)n * m};
	bool fits = true;

	*out = (struct ft_plan){.value = INFINITY, .bound = INFINITY, .exact = true};
	if (load_s)
		memset(load_s, 0, m * sizeof *load_s);
	/* Entries in bounds; which tasks fit nowhere. */
	if (m == 0)
		return ft_fail(err, FT_EINVAL, "no machines");
	for (size_t j = 0; j < n; j++) {
		machine[j] = FT_PLAN_NOWHERE;
		for (size_t i = 0; i < m; i++) {
			if (!(time_s[j * m + i] >= 0))
				return ft_fail(err, FT_EINVAL, "task %zu takes %g s on machine %zu", j,
					       time_s[j * m + i], i);
			if (time_s[j * m + i] < INFINITY)
				machine[j] = 0;
		}
		fits = fits && machine[j] == 0;
	}
	if (!fits || n == 0) {
		if (fits)
			*out = (struct ft_plan){.exact = true};
		return FT_OK;
	}
	if (search_for && search_for->effort)
		g.effort = search_for->effort;
	g.random.state = search_for ? search_for->seed : 0;
	FT_ARENA(work);
	g.best = mapping_make(&work, &g.k);
	g.best.t = INFINITY;
	for (size_t i = 0; i < STARTS; i++)
		g.start[i] = mapping_make(&work, &g.k);
	g.order = ft_arena_take(&work, n, sizeof *g.order);
	g.offer = ft_arena_take(&work, n, sizeof *g.offer);
	g.w = ft_arena_take(&work, m, sizeof *g.w);
	g.work = ft_arena_take(&work, 3 * m, sizeof *g.work);
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(search_starts(&g, err));
	memcpy(machine, g.best.on, n * sizeof *machine);
	if (load_s)
		memcpy(load_s, g.best.load, m * sizeof *load_s);
	*out = (struct ft_plan){g.best.t, fmin(g.bound, g.best.t), meets_bound(&g), g.k.looks};
	return FT_OK;
}
