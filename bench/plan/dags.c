/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dags.c - graphs of tasks: large ones, small ones against all schedules, and those whose least makespan is
 * known. */
#include "bench.h"

#include "../../test/plan/stg.h"
#include "plan/plan.h"

#include <stdbool.h>

/* ---- HEFT ---------------------------------------------------------------------------------------------- */

/* From a graph made ready to a schedule. */
static double heft_s(const double *p, size_t n, size_t m, const struct ft_plan_edge *edge, size_t edges,
		     const struct ft_plan_links *links, struct ft_plan_slot *slot)
{
	struct ft__schedule out = {slot, 0};
	double *key = ft_malloc(n * sizeof *key), best = INFINITY;
	struct ft__decoder d;
	struct ft__graph g;
	FT_ARENA(work);

	if (ft__graph_init(&g, &work, p, n, m, edge, edges, links, NULL) ||
	    ft__decoder_init(&d, &work, n, m, NULL))
		return NAN;
	for (int round = 0; round < 3; round++) {
		double start = cpu_s();

		ft__rank_up(&g, FT__MEAN, 1, key);
		ft__decode(&d, &g, &(struct ft__rule){.key = key}, &out);
		best = fmin(best, cpu_s() - start);
	}
	ft_free(key);
	return best;
}

/* ---- large --------------------------------------------------------------------------------------------- */

static void large(size_t n, size_t m, size_t edges, uint64_t effort, const char *what)
{
	double *p = ft_malloc(n * m * sizeof *p), *speed = ft_malloc(m * sizeof *speed), heft, start, valid;
	struct ft_plan_edge *edge = ft_malloc(edges * sizeof *edge);
	struct ft_plan_slot *slot = ft_malloc(n * sizeof *slot);
	struct ft_plan_links links = {.latency_s = 0.001, .bytes_per_s = 1e8};
	struct ft_plan_search search = {.effort = effort};
	struct ft_random r = {37};
	struct ft_plan out;

	for (size_t i = 0; i < m; i++)
		speed[i] = spread(&r, 0.5);
	for (size_t j = 0; j < n; j++) {
		double work = 10 * spread(&r, 0.7);

		for (size_t i = 0; i < m; i++)
			p[j * m + i] = work * speed[i] * spread(&r, 0.3);
	}
	for (size_t i = 0; i < edges; i++) {
		edge[i].to = 1 + ft_random_below(&r, n - 1);
		edge[i].from = edge[i].to - 1 - ft_random_below(&r, edge[i].to < 500 ? edge[i].to : 500);
		edge[i].bytes = 1e8 * spread(&r, 1);
	}
	if (effort == 1)
		printf("%22s %8.4f\n", "HEFT alone", heft_s(p, n, m, edge, edges, &links, slot));
	start = cpu_s();
	(void)ft_plan_schedule(p, n, m, edge, edges, &links, NULL, 0, &search, slot, &heft, &out, NULL);
	start = cpu_s() - start;
	valid = judge_schedule(p, n, m, edge, edges, &links, slot);
	printf("%22s %8.2f %10.4f %10.4f %10.2e%s\n", what, start, heft / out.bound, out.value / out.bound,
	       (double)out.evaluations, valid == out.value ? "" : " NOT VALID");
	ft_free(p);
	ft_free(speed);
	ft_free(edge);
	ft_free(slot);
}

void bench_heft(void)
{
	printf("aims: HEFT alone in 60 ms, list schedules in 1 s (10,000 tasks, 100 machines, 29,304 "
	       "edges)\n");
	printf("%22s %8s %10s %10s %10s\n", "", "s", "HEFT/bound", "ours/bound", "looks");
	large(10000, 100, 29304, 1, "list schedules");
	large(10000, 100, 29304, 0, "usual effort");
	large(1000, 16, 3000, 0, "1,000 x 16");
}

/* ---- against all schedules ----------------------------------------------------------------------------- */

enum { TASKS = 10, MACHINES = 3, NODES = 20000000 };

struct visit {
	size_t edges, on[TASKS];
	double p[TASKS * MACHINES], end[TASKS], release[MACHINES], tail[TASKS], best;
	struct ft_plan_edge edge[3 * TASKS];
	bool done[TASKS];
	long nodes;
};

/* Orders by starting time, each task as early as it can; those that cannot be better are left out. */
static void visit(struct visit *k, size_t placed, double t, double last)
{
	if (placed == TASKS)
		k->best = fmin(k->best, t);
	if (placed == TASKS || ++k->nodes > NODES)
		return;
	for (size_t v = 0; v < TASKS; v++) {
		bool ready = !k->done[v];

		for (size_t e = 0; e < k->edges; e++)
			ready = ready && (k->edge[e].to != v || k->done[k->edge[e].from]);
		for (size_t i = 0; ready && i < MACHINES; i++) {
			double start = k->release[i], before = start, p = k->p[v * MACHINES + i];

			for (size_t e = 0; e < k->edges; e++)
				if (k->edge[e].to == v) {
					size_t u = k->edge[e].from;

					start = fmax(start,
						     k->end[u] + (k->on[u] == i ? 0 : k->edge[e].bytes));
				}
			if (start < last || start + p + k->tail[v] >= k->best)
				continue;
			k->on[v] = i;
			k->done[v] = true;
			k->end[v] = k->release[i] = start + p;
			visit(k, placed + 1, fmax(t, start + p), start);
			k->done[v] = false;
			k->release[i] = before;
		}
	}
}

static void draw_small(struct visit *k, double heavy, struct ft_random *r)
{
	double speed[MACHINES];

	*k = (struct visit){0};
	for (size_t i = 0; i < MACHINES; i++)
		speed[i] = spread(r, 0.4);
	for (size_t v = 0; v < TASKS; v++) {
		double work = 10 * spread(r, 0.7);

		for (size_t i = 0; i < MACHINES; i++)
			k->p[v * MACHINES + i] = work * speed[i] * spread(r, 0.3);
		for (size_t e = ft_random_below(r, 3); v > 0 && e > 0; e--)
			k->edge[k->edges++] =
				(struct ft_plan_edge){ft_random_below(r, v), v, 10 * heavy * spread(r, 0.7)};
	}
	for (size_t v = TASKS; v-- > 0;)
		for (size_t e = 0; e < k->edges; e++)
			if (k->edge[e].from == v) {
				const double *p = k->p + k->edge[e].to * MACHINES;

				k->tail[v] = fmax(k->tail[v],
						  k->tail[k->edge[e].to] + fmin(p[0], fmin(p[1], p[2])));
			}
}

void bench_enumerated(void)
{
	static const double heavy[] = {0.1, 1, 5};
	struct ft_plan_links links = {.bytes_per_s = 1};
	struct ft_plan_search search = {.effort = 5000000};
	struct ft_random r = {41};

	printf("aim: within 0.5 %% of the best in the mean (10 tasks, 3 machines; 40 each)\n");
	printf("%14s %8s %10s %8s %10s %8s %10s\n", "communication", "of", "HEFT/best", "worst", "ours/best",
	       "worst", "bound/best");
	for (size_t k = 0; k < 3; k++) {
		double sum = 0, worst = 0, heft_sum = 0, heft_worst = 0, bound = 0;
		int count = 0;

		for (int i = 0; i < 40; i++) {
			struct ft_plan_slot slot[TASKS];
			struct ft_plan out;
			struct visit g;
			double heft;

			draw_small(&g, heavy[k], &r);
			(void)ft_plan_schedule(g.p, TASKS, MACHINES, g.edge, g.edges, &links, NULL, 0,
					       &search, slot, &heft, &out, NULL);
			g.best = out.value * (1 + 1e-9);
			visit(&g, 0, 0, 0);
			if (g.nodes > NODES ||
			    judge_schedule(g.p, TASKS, MACHINES, g.edge, g.edges, &links, slot) != out.value)
				continue;
			g.best = fmin(g.best, out.value);
			count++;
			sum += out.value / g.best;
			worst = fmax(worst, out.value / g.best);
			heft_sum += heft / g.best;
			heft_worst = fmax(heft_worst, heft / g.best);
			bound += out.bound / g.best;
		}
		printf("%14.1f %8d %10.4f %8.3f %10.5f %8.4f %10.3f\n", heavy[k], count, heft_sum / count,
		       heft_worst, sum / count, worst, bound / count);
	}
}

/* ---- known makespans ----------------------------------------------------------------------------------- */

struct tally {
	int count, best, open, open_best, below, invalid, bound_best;
	double above, heft_above, worst, seconds, slowest, looks;
};

static void count_one(struct tally *k, const struct stg *g, size_t m, double least, double most)
{
	static double p[STG_TASKS * 16];
	struct ft_plan_search search = {.effort = 12000000};
	struct ft_plan_slot slot[STG_TASKS];
	struct ft_plan out;
	double heft;

	for (size_t v = 0; v < g->n; v++)
		for (size_t i = 0; i < m; i++)
			p[v * m + i] = g->work[v];
	double start = cpu_s();
	(void)ft_plan_schedule(p, g->n, m, g->edge, g->edges, NULL, NULL, 0, &search, slot, &heft, &out,
			       NULL);
	start = cpu_s() - start;
	k->seconds += start;
	k->slowest = fmax(k->slowest, start);
	k->looks += (double)out.evaluations;
	k->invalid += judge_schedule(p, g->n, m, g->edge, g->edges, NULL, slot) != out.value;
	k->below += out.value < least || out.bound > most;
	if (most > least) {
		k->open++;
		k->open_best += out.value <= most;
		return;
	}
	k->count++;
	k->best += out.value == least;
	k->bound_best += out.exact;
	k->above += out.value / least - 1;
	k->heft_above += heft / least - 1;
	k->worst = fmax(k->worst, out.value / least - 1);
}

void bench_stg(const char *data)
{
	char folder[3000], file[64], *tar;
	double least, most;
	size_t length, m;

	(void)snprintf(folder, sizeof folder, "%s/dags", data);
	tar = stg_open(folder, &length);
	if (!tar) {
		printf("no dags/stg50.tar.gz in FORETIME_DATA\n");
		return;
	}
	printf("aims: 99.5 %% of proved optima, none below one, 0.25 CPU s each\n");
	printf("%4s %10s %8s %8s %10s %8s %10s %8s %8s %9s %9s\n", "m", "best", "proved", "HEFT", "ours",
	       "worst", "open", "wrong", "s, mean", "s, most", "looks");
	for (int machines = 2; machines <= 16; machines *= 2) {
		FILE *csv = stg_list(folder, machines);
		struct tally k = {0};

		while (stg_next(csv, file, &m, &least, &most)) {
			const char *text = stg_find(tar, length, file);
			struct stg g;

			if (text && stg_read(&g, text) && m <= 16)
				count_one(&k, &g, m, least, most);
		}
		if (csv)
			(void)fclose(csv);
		printf("%4d %6d/%d %8d %7.3f%% %9.4f%% %7.2f%% %6d/%d %4d,%3d %8.3f %9.3f %9.1e\n", machines,
		       k.best, k.count, k.bound_best, 100 * k.heft_above / k.count, 100 * k.above / k.count,
		       100 * k.worst, k.open_best, k.open, k.below, k.invalid, k.seconds / (k.count + k.open),
		       k.slowest, k.looks / (k.count + k.open));
	}
	ft_free(tar);
}
