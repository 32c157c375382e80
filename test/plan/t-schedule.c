/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-schedule.c - graphs of tasks: by hand, cycles, against all schedules of small graphs, and graphs whose
 * least makespan is known ($FORETIME_DATA/dags). Every schedule is judged by stg.h, which knows only the
 * rules. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "stg.h"
#include "tap.h"

enum { TASKS = 8, MACHINES = 3, EDGES = 3 * TASKS };

static void test_hand(void)
{
	/* 0 sends to 1 and 2, both to 3. Apart, 1 and 2 cost 4 s to send; together they take 3 + 3. */
	const struct ft_plan_edge edge[] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 2}, {2, 3, 2}};
	const double p[] = {2, 2, 3, 3, 3, 3, 2, 2}, no = INFINITY, nowhere[] = {1, 1, no, no};
	const double one_way_s[] = {0, 0, 0, 0}, one_way[] = {0, 1e9, 0, 0};
	struct ft_plan_links slow = {.latency_s = 1, .bytes_per_s = 1}, fast = {.bytes_per_s = 1e9};
	struct ft_plan_links only = {.latency_s_of = one_way_s, .bytes_per_s_of = one_way};
	struct ft_plan_slot slot[4];
	struct ft_plan out;
	double heft;

	ok(!ft_plan_schedule(p, 4, 2, edge, 4, &slow, NULL, 0, NULL, slot, &heft, &out, NULL) &&
		   out.value == 10 && slot[1].machine == slot[2].machine && heft >= 10,
	   "links of 3 s: all on one machine");
	ok(judge_schedule(p, 4, 2, edge, 4, &slow, slot) == 10, "and the judge agrees");
	ok(!ft_plan_schedule(p, 4, 2, edge, 4, &fast, NULL, 0, NULL, slot, &heft, &out, NULL) &&
		   near(out.value, 7, 1e-6) && slot[1].machine != slot[2].machine &&
		   near(judge_schedule(p, 4, 2, edge, 4, &fast, slot), out.value, 1e-12),
	   "fast links: two at once");
	ok(!ft_plan_schedule(p, 4, 2, edge, 4, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) &&
		   out.value == 7 && out.exact,
	   "no links to mind: 7 s, proved");
	/* What went to the second machine cannot come back. */
	ok(!ft_plan_schedule(p, 4, 2, edge, 4, &only, NULL, 0, NULL, slot, NULL, &out, NULL) &&
		   isfinite(judge_schedule(p, 4, 2, edge, 4, &only, slot)) &&
		   slot[3].machine >= slot[1].machine && slot[3].machine >= slot[2].machine,
	   "a link that leads one way only");
	ok(!ft_plan_schedule(nowhere, 2, 2, edge, 1, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) &&
		   isinf(out.value) && out.exact && slot[1].machine == FT_PLAN_NOWHERE &&
		   slot[0].machine != FT_PLAN_NOWHERE,
	   "a task that fits nowhere is named");
	ok(!ft_plan_schedule(NULL, 0, 2, NULL, 0, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) &&
		   out.value == 0 && out.exact,
	   "no tasks take no time");
}

static void test_refused(void)
{
	const struct ft_plan_edge circle[] = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {2, 4, 0}};
	const struct ft_plan_edge self[] = {{2, 2, 0}}, off[] = {{0, 9, 0}}, wrong[] = {{0, 1, -5}};
	const double p[] = {1, 1, 1, 1, 1}, bad[] = {1, NAN, 1, 1, 1};
	struct ft_plan_links negative = {.latency_s = -1, .bytes_per_s = 1};
	struct ft_plan_slot slot[5];
	struct ft_plan out;
	struct ft_err err;
	size_t cycle[5], length;

	ok(ft_plan_schedule(p, 5, 1, circle, 5, NULL, NULL, 0, NULL, slot, NULL, &out, &err) == FT_EINVAL &&
		   (strstr(err.text, "1 -> 2 -> 3 -> 1") || strstr(err.text, "2 -> 3 -> 1 -> 2") ||
		    strstr(err.text, "3 -> 1 -> 2 -> 3")),
	   "a cycle is named: %s", err.text);
	ok(!ft_plan_cycle(circle, 5, 5, cycle, &length, NULL) && length == 3, "its tasks, in order");
	ok(!ft_plan_cycle(self, 1, 5, cycle, &length, NULL) && length == 1 && cycle[0] == 2,
	   "a task that waits for itself");
	ok(!ft_plan_cycle(circle, 3, 5, cycle, &length, NULL) && length == 0, "no cycle");
	ok(ft_plan_schedule(p, 5, 1, off, 1, NULL, NULL, 0, NULL, slot, NULL, &out, &err) == FT_EINVAL &&
		   strstr(err.text, "9") &&
		   ft_plan_schedule(p, 5, 1, wrong, 1, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL &&
		   ft_plan_schedule(bad, 5, 1, NULL, 0, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL &&
		   ft_plan_schedule(p, 5, 0, NULL, 0, NULL, NULL, 0, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL &&
		   ft_plan_schedule(p, 5, 1, NULL, 0, &negative, NULL, 0, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL,
	   "an edge to no task, negative bytes, NaN, no machine, a negative latency");
}

static void test_reserved(void)
{
	const double p[] = {4, 4, 2, 2, 1, 1};
	const struct ft_plan_reserved taken[] = {{0, 3, 5}, {1, 0, 2}, {0, 5, 6}, {0, 4, 5}};
	const struct ft_plan_reserved never[] = {{0, 0, INFINITY}}, where[] = {{2, 0, 1}},
				      back[] = {{0, 2, 1}};
	struct ft_plan_slot slot[3];
	struct ft_plan out;
	double start;

	ok(!ft_plan_schedule(p, 3, 2, NULL, 0, NULL, taken, 4, NULL, slot, NULL, &out, NULL) &&
		   out.value == 6 && out.exact && slot[0].machine == 1 && slot[0].start_s == 2 &&
		   slot[1].machine == 0 && slot[1].start_s == 0,
	   "tasks go between what is reserved, which overlaps and touches: proved");
	ok(ft_plan_schedule(p, 3, 2, NULL, 0, NULL, never, 1, NULL, slot, NULL, &out, NULL) == FT_EINVAL &&
		   ft_plan_schedule(p, 3, 2, NULL, 0, NULL, where, 1, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL &&
		   ft_plan_schedule(p, 3, 2, NULL, 0, NULL, back, 1, NULL, slot, NULL, &out, NULL) ==
			   FT_EINVAL,
	   "for ever, no such machine, an end before its beginning");
	ok(!ft_plan_free_from(taken, 4, 0, 0, 3, &start, NULL) && start == 0 &&
		   !ft_plan_free_from(taken, 4, 0, 1, 3, &start, NULL) && start == 6 &&
		   !ft_plan_free_from(taken, 4, 7, 1, 3, &start, NULL) && start == 1 &&
		   ft_plan_free_from(taken, 4, 0, NAN, 3, &start, NULL) == FT_EINVAL,
	   "the earliest start between them");
}

/* ---- against all schedules ----------------------------------------------------------------------------- */

struct graph {
	size_t n, m, edges;
	double p[TASKS * MACHINES];
	struct ft_plan_edge edge[EDGES];
	double latency[MACHINES * MACHINES], bandwidth[MACHINES * MACHINES];
	struct ft_plan_links links;
	struct ft_plan_reserved reserved[3];
	size_t n_reserved;
};

static double send(const struct graph *g, size_t e, size_t a, size_t b)
{
	if (a == b || g->edge[e].bytes == 0)
		return 0;
	if (g->links.latency_s_of)
		return g->latency[a * g->m + b] + g->edge[e].bytes / g->bandwidth[a * g->m + b];
	return g->links.latency_s + g->edge[e].bytes / g->links.bytes_per_s;
}

static void draw(struct graph *g, struct ft_random *r, bool each)
{
	double heavy = exp(between(r, log(0.1), log(5)));

	*g = (struct graph){.n = (size_t)whole(r, 1, TASKS - 1), .m = (size_t)whole(r, 1, MACHINES)};
	for (size_t v = 0; v < g->n; v++) {
		double work = 10 * spread(r, 0.7);

		for (size_t i = 0; i < g->m; i++)
			g->p[v * g->m + i] = i > 0 && ft_random_below(r, 10) == 0 ? (double)INFINITY
										  : work * spread(r, 0.4);
		for (size_t k = 0; v > 0 && k < ft_random_below(r, 3); k++)
			g->edge[g->edges++] = (struct ft_plan_edge){
				ft_random_below(r, v), v,
				ft_random_below(r, 5) ? 10 * heavy * spread(r, 0.7) : 0};
	}
	g->links = (struct ft_plan_links){.latency_s = 0.1, .bytes_per_s = 1};
	for (size_t i = 0; i < g->m * g->m; i++) {
		g->latency[i] = between(r, 0, 1);
		g->bandwidth[i] = ft_random_below(r, 8) ? spread(r, 0.5) : 0;
	}
	if (each) {
		g->links.latency_s_of = g->latency;
		g->links.bytes_per_s_of = g->bandwidth;
	}
}

/* Somewhere in the time that tasks take, one over the other at times. */
static void reserve(struct graph *g, struct ft_random *r)
{
	for (size_t i = g->n_reserved = ft_random_below(r, 4); i-- > 0;) {
		double from = ft_random_below(r, 3) ? between(r, 0, 40) : 0;

		g->reserved[i] =
			(struct ft_plan_reserved){ft_random_below(r, g->m), from, from + between(r, 0, 25)};
	}
}

/* The earliest start that meets nothing that is reserved: tried one after the other. */
static double beside(const struct graph *g, size_t machine, double start, double p)
{
	bool moved = true;
	size_t i;

	while (moved)
		for (moved = false, i = 0; i < g->n_reserved; i++)
			if (g->reserved[i].machine == machine && start < g->reserved[i].to_s &&
			    start + p > g->reserved[i].from_s) {
				start = g->reserved[i].to_s;
				moved = true;
			}
	return start;
}

struct visit {
	const struct graph *g;
	size_t on[TASKS];
	double end[TASKS], release[MACHINES], best;
	bool done[TASKS];
};

/* All orders and machines, each task as early as it can: some such schedule is a best one. */
static void visit(struct visit *k, size_t placed, double t)
{
	const struct graph *g = k->g;

	if (t >= k->best)
		return;
	if (placed == g->n)
		k->best = t;
	for (size_t v = 0; v < g->n; v++) {
		bool ready = !k->done[v];

		for (size_t e = 0; e < g->edges; e++)
			ready = ready && (g->edge[e].to != v || k->done[g->edge[e].from]);
		for (size_t i = 0; ready && i < g->m; i++) {
			double start = k->release[i], before = k->release[i];

			for (size_t e = 0; e < g->edges; e++)
				if (g->edge[e].to == v)
					start = fmax(start, k->end[g->edge[e].from] +
								    send(g, e, k->on[g->edge[e].from], i));
			start = beside(g, i, start, g->p[v * g->m + i]);
			k->on[v] = i;
			k->done[v] = true;
			k->end[v] = k->release[i] = start + g->p[v * g->m + i];
			visit(k, placed + 1, fmax(t, k->end[v]));
			k->done[v] = false;
			k->release[i] = before;
		}
	}
}

static void test_small(void)
{
	struct ft_plan_search search = {.effort = 300000, .seed = 3};
	struct ft_random r = {test_seed()};
	static const char *const kinds[] = {"alike", "each its own", "alike, machines reserved"};
	int each, i, cases = test_cases(60);

	for (each = 0; each < 3; each++) {
		int wrong = 0, worse = 0, none = 0, tiny = 0;
		double sum = 0, all;

		for (i = 0; i < cases; i++) {
			struct ft_plan_slot slot[TASKS];
			struct ft_plan out;
			struct graph g;
			struct visit k = {.g = &g, .best = INFINITY};
			size_t v;

			draw(&g, &r, each == 1);
			if (each == 2)
				reserve(&g, &r);
			for (v = 0, all = 1; v < g.n; v++)
				all *= (double)(v + 1) * (double)g.m;
			visit(&k, 0, 0);
			if (ft_plan_schedule(g.p, g.n, g.m, g.edge, g.edges, &g.links, g.reserved,
					     g.n_reserved, &search, slot, NULL, &out, NULL)) {
				wrong++;
				continue;
			}
			double t = isinf(out.value)
					   ? out.value
					   : judge_schedule(g.p, g.n, g.m, g.edge, g.edges, &g.links, slot);
			none += isinf(k.best);
			for (v = 0; v < g.n && isfinite(out.value); v++)
				wrong += beside(&g, slot[v].machine, slot[v].start_s,
						slot[v].end_s - slot[v].start_s) > slot[v].start_s;
			wrong += t != out.value || t < k.best * (1 - 1e-12) ||
				 out.bound > k.best * (1 + 1e-12) || (out.exact && !near(t, k.best, 1e-9)) ||
				 (all <= (double)search.effort && !out.exact);
			tiny += all <= (double)search.effort;
			worse += t > k.best * (1 + 1e-9);
			sum += isinf(t) ? 1 : t / k.best;
		}
		ok(wrong == 0,
		   "%d small graphs, links %s: schedules are valid, bounds below the best (%d without)",
		   cases, kinds[each], none);
		ok(tiny > cases / 4, "where there are few orders and machines (%d), each is proved the best",
		   tiny);
		ok(sum / cases < 1.005 && worse <= cases / 10, "in the mean %.4f of the best, %d not best",
		   sum / cases, worse);
	}
}

/* ---- larger -------------------------------------------------------------------------------------------- */

static void test_large(void)
{
	enum { N = 400, M = 9, E = 900 };
	static double p[N * M];
	static struct ft_plan_edge edge[E];
	static struct ft_plan_slot slot[N], again[N];
	struct ft_plan_links links = {.latency_s = 0.001, .bytes_per_s = 100};
	struct ft_plan_search search = {.effort = 3000000, .seed = 5};
	struct ft_random r = {test_seed()};
	struct ft_plan out, same;
	double heft;

	for (size_t i = 0; i < N * M; i++)
		p[i] = spread(&r, 1);
	for (size_t i = 0; i < E; i++) {
		edge[i].to = (size_t)whole(&r, 1, N - 1);
		edge[i].from = ft_random_below(&r, edge[i].to);
		edge[i].bytes = between(&r, 0, 100);
	}
	ok(!ft_plan_schedule(p, N, M, edge, E, &links, NULL, 0, &search, slot, &heft, &out, NULL) &&
		   judge_schedule(p, N, M, edge, E, &links, slot) == out.value && out.value <= heft &&
		   out.bound <= out.value,
	   "400 tasks: valid, at most what HEFT has, above the bound");
	diag("%.3f of HEFT, %.3f of the bound", out.value / heft, out.value / out.bound);
	ok(!ft_plan_schedule(p, N, M, edge, E, &links, NULL, 0, &search, again, &heft, &same, NULL) &&
		   same.value == out.value && same.evaluations == out.evaluations &&
		   !memcmp(slot, again, sizeof slot) && out.evaluations < 2 * search.effort,
	   "the same seed gives the same schedule, for about the effort asked for");
}

/* Every twelfth of 180 graphs, on 2, 4, 8 and 16 machines. */
static void test_stg(void)
{
	const char *data = getenv("FORETIME_DATA"), *source = getenv("FORETIME_TEST_SOURCE");
	struct ft_plan_search search = {.effort = 2000000};
	char folder[3000], file[64], *tar;
	int count = 0, best = 0, wrong = 0;
	size_t length, m;
	double least, most;

	(void)snprintf(folder, sizeof folder, "%s/%s",
		       data     ? data
		       : source ? source
				: ".",
		       data ? "dags" : "../shared/data/dags");
	tar = stg_open(folder, &length);
	if (!tar) {
		skip("graphs with known makespans", "no dags/stg50.tar.gz in $FORETIME_DATA (default: "
						    "../shared/data beside the source)");
		return;
	}
	for (int machines = 2; machines <= 16; machines *= 2) {
		FILE *csv = stg_list(folder, machines);

		for (size_t row = 0; stg_next(csv, file, &m, &least, &most); row++) {
			static double p[STG_TASKS * 16];
			const char *text = row % 12 ? NULL : stg_find(tar, length, file);
			struct ft_plan_slot slot[STG_TASKS];
			struct ft_plan out;
			struct stg g;

			if (!text || !stg_read(&g, text))
				continue;
			for (size_t v = 0; v < g.n; v++)
				for (size_t i = 0; i < m; i++)
					p[v * m + i] = g.work[v];
			count++;
			if (ft_plan_schedule(p, g.n, m, g.edge, g.edges, NULL, NULL, 0, &search, slot, NULL,
					     &out, NULL)) {
				wrong++;
				continue;
			}
			wrong += judge_schedule(p, g.n, m, g.edge, g.edges, NULL, slot) != out.value ||
				 out.value < least || out.bound > most || (out.exact && out.value > most);
			best += out.value <= most;
		}
		if (csv)
			(void)fclose(csv);
	}
	ft_free(tar);
	ok(count == 60 && wrong == 0, "%d graphs with known makespans: none below, no bound above", count);
	ok(best >= 58, "%d have the least makespan that is known", best);
}

int main(void)
{
	test_hand();
	test_refused();
	test_reserved();
	test_small();
	test_large();
	test_stg();
	return done();
}
