/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-topology.c - modules on resources: by hand, and against all choices. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { MODULES = 7, RESOURCES = 4, PORTS = 3 * MODULES };

static void test_hand(void)
{
	/* 0 -> 1: 100 bytes at 10 bytes/s. Apart each takes 5, together 5 and 7. */
	const double time_s[] = {5, 9, 7, 5}, no = INFINITY, rights[] = {5, 9, no, 5}, needs[] = {3, 3},
		     has[] = {4, 4}, little[] = {2, 4};
	const struct ft_plan_edge port[] = {{0, 1, 100}}, circle[] = {{0, 1, 100}, {1, 0, 100}},
				  off[] = {{0, 2, 1}};
	struct ft_plan_links links = {.bytes_per_s = 10};
	struct ft_topology t = {
		.modules = 2, .resources = 2, .time_s = time_s, .port = port, .ports = 1, .links = &links};
	struct ft_topology_plan out;
	size_t on[2];

	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && on[0] == 0 && on[1] == 0 && out.plan.value == 12 &&
		   out.plan.exact && out.printed_s == 7 && out.concurrent_s == 12,
	   "sending is dear: both on one resource, and what each cost says of that");
	t.weight_time = 1;
	t.weight_send = 0.1;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && on[0] == 0 && on[1] == 1 && out.plan.value == 11,
	   "w2 = 0.1: sending matters less");
	t.weight_time = t.weight_send = 0;
	t.cost = FT_TOPOLOGY_PRINTED;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 7 && on[0] == on[1] &&
		   out.plan.exact,
	   "T_c as printed: sharing is free");
	t.cost = FT_TOPOLOGY_CONCURRENT;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 12, "charged it is not");
	t.time_s = rights;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && on[1] == 1 && out.plan.value == 14,
	   "no right to the first resource: both on the second");
	t.kinds = 1;
	t.needs = needs;
	t.has = has;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && on[0] == 0 && on[1] == 1 && out.plan.value == 15,
	   "memory for one each: apart");
	t.port = circle;
	t.ports = 2;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 15 && out.sequential_s == 30,
	   "modules that send to each other");
	t.has = little;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && isinf(out.plan.value) && !out.plan.exact,
	   "not enough memory for both: none is found");
	t.has = (double[]){2, 2};
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && isinf(out.plan.value) && out.plan.exact &&
		   on[0] == FT_PLAN_NOWHERE && on[1] == FT_PLAN_NOWHERE,
	   "a module that fits nowhere is named");
	t.port = off;
	ok(ft_plan_topology(&t, NULL, on, &out, NULL) == FT_EINVAL, "a port to no module");
	t.ports = 0;
	t.resources = 0;
	ok(ft_plan_topology(&t, NULL, on, &out, NULL) == FT_EINVAL, "no resources");
	t.resources = 2;
	t.weight_time = -1;
	ok(ft_plan_topology(&t, NULL, on, &out, NULL) == FT_EINVAL, "a negative weight");
}

struct instance {
	struct ft_topology t;
	struct ft_plan_edge port[PORTS];
	struct ft_plan_links links;
	double time_s[MODULES * RESOURCES], latency[RESOURCES * RESOURCES], bandwidth[RESOURCES * RESOURCES];
	double needs[MODULES], has[RESOURCES];
	size_t stage[MODULES];
};

enum shape { CHAIN, TREE, GRAPH };

static void draw(struct instance *g, enum shape shape, bool memory, struct ft_random *r)
{
	double all = 0, most = 0;
	size_t n, m;

	*g = (struct instance){0};
	n = g->t.modules = (size_t)whole(r, 1, MODULES);
	m = g->t.resources = (size_t)whole(r, 1, RESOURCES);
	for (size_t i = 0; i < n; i++) {
		double work = 10 * spread(r, 1);

		for (size_t j = 0; j < m; j++)
			g->time_s[i * m + j] = work * spread(r, 0.5);
		g->needs[i] = spread(r, 0.7);
		g->stage[i] = ft_random_below(r, n);
		all += g->needs[i];
		most = fmax(most, g->needs[i]);
		for (size_t j = 0; i > 0 && j < (shape == GRAPH ? 1 + ft_random_below(r, 2) : 1); j++)
			g->port[g->t.ports++] = (struct ft_plan_edge){
				shape == CHAIN ? i - 1 : ft_random_below(r, i), i, 4 * spread(r, 1)};
	}
	for (size_t i = 0; i < m * m; i++) {
		g->latency[i] = 0.01;
		g->bandwidth[i] = spread(r, 0.7);
	}
	for (size_t i = 0; i < m; i++)
		g->has[i] = all / (double)m * between(r, 0.8, 2) + most / 2;
	g->links = (struct ft_plan_links){.latency_s_of = g->latency, .bytes_per_s_of = g->bandwidth};
	g->t.time_s = g->time_s;
	g->t.port = g->port;
	g->t.links = &g->links;
	g->t.kinds = memory;
	g->t.needs = g->needs;
	g->t.has = g->has;
	g->t.stage = g->stage;
}

static double cost(const struct instance *g, const size_t *on)
{
	size_t m = g->t.resources;
	double rank[MODULES], load[RESOURCES] = {0}, used[RESOURCES] = {0}, sum = 0, most = 0, charged = 0;
	double by_stage[MODULES][RESOURCES] = {0}, stages = 0;

	for (size_t i = 0; i < g->t.modules; i++) {
		rank[i] = g->time_s[i * m + on[i]];
		used[on[i]] += g->needs[i];
	}
	for (size_t i = 0; i < g->t.ports; i++) {
		size_t a = on[g->port[i].from], b = on[g->port[i].to];

		if (a != b)
			rank[g->port[i].from] +=
				g->latency[a * m + b] + g->port[i].bytes / g->bandwidth[a * m + b];
	}
	for (size_t i = 0; i < g->t.modules; i++) {
		sum += rank[i];
		most = fmax(most, rank[i]);
		load[on[i]] += rank[i];
		by_stage[g->stage[i]][on[i]] += rank[i];
	}
	for (size_t i = 0; i < m; i++) {
		charged = fmax(charged, load[i]);
		if (g->t.kinds && used[i] > g->has[i])
			return INFINITY;
	}
	for (size_t i = 0; i < g->t.modules; i++) {
		double busiest = 0;

		for (size_t j = 0; j < m; j++)
			busiest = fmax(busiest, by_stage[i][j]);
		stages += busiest;
	}
	switch (g->t.cost) {
	case FT_TOPOLOGY_SEQUENTIAL:
		return sum;
	case FT_TOPOLOGY_PRINTED:
		return most;
	case FT_TOPOLOGY_CONCURRENT:
		return charged;
	case FT_TOPOLOGY_HYBRID:
		return stages;
	}
	return NAN;
}

static double enumerate(const struct instance *g)
{
	size_t on[MODULES] = {0}, i;
	double best = INFINITY;

	for (;;) {
		best = fmin(best, cost(g, on));
		for (i = 0; i < g->t.modules && ++on[i] == g->t.resources; i++)
			on[i] = 0;
		if (i == g->t.modules)
			return best;
	}
}

/* One stage is T_c charged, one a module T_s; between them modules wait for a stage, not for each other. */
static void test_stages(void)
{
	/* Three modules of 4, 5 and 6 on either of two resources; nothing is sent. */
	const double time_s[] = {4, 4, 5, 5, 6, 6};
	const size_t one[] = {1, 1, 1}, each[] = {0, 1, 2}, two[] = {0, 0, 1}, off[] = {0, 0, 3};
	struct ft_topology t = {
		.modules = 3, .resources = 2, .time_s = time_s, .cost = FT_TOPOLOGY_HYBRID, .stage = one};
	struct ft_topology_plan out;
	size_t on[3];

	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 9 && out.concurrent_s == 9,
	   "one stage: as the busiest resource");
	t.stage = each;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 15 && out.plan.exact &&
		   out.sequential_s == 15,
	   "each module a stage: one after the other, and proved");
	t.stage = two;
	ok(!ft_plan_topology(&t, NULL, on, &out, NULL) && out.plan.value == 11 && out.plan.exact &&
		   on[0] != on[1],
	   "two beside each other, then the third");
	t.stage = off;
	ok(ft_plan_topology(&t, NULL, on, &out, NULL) == FT_EINVAL, "a stage beyond the modules");
}

static void test_names(void)
{
	const double name[] = {2.5, -1, 10, -1, 2.5};
	size_t stage[5];

	ok(!ft_topology_stages(name, 5, stage, NULL) && stage[0] == 1 && stage[1] == 0 && stage[2] == 2 &&
		   stage[3] == 0 && stage[4] == 1,
	   "stages are numbered as they ascend");
	(void)ft_alloc_fail_at(1);
	ok(ft_topology_stages(name, 5, stage, NULL) == FT_ENOMEM, "no memory to number them");
	(void)ft_alloc_fail_at(0);
}

static void test_all(void)
{
	static const char *const names[] = {"T_s", "T_c as printed", "T_c charged", "a hybrid"};
	struct ft_plan_search search = {.effort = 4000};
	struct ft_random r = {test_seed()};
	int kind, i, cases = test_cases(150);

	for (kind = 0; kind < 4; kind++) {
		int wrong = 0, worse = 0, unproved = 0, trees = 0, none = 0, missed = 0;
		double sum = 0;

		for (i = 0; i < cases; i++) {
			struct ft_topology_plan out;
			struct instance g;
			size_t on[MODULES];
			bool tree = i % 3 != GRAPH && kind < 2 && i % 2 == 0;

			draw(&g, (enum shape)(i % 3), i % 2, &r);
			g.t.cost = (enum ft_topology_cost)kind;
			double best = enumerate(&g);
			wrong += ft_plan_topology(&g.t, &search, on, &out, NULL) != FT_OK;
			double own = isinf(out.plan.value) ? out.plan.value : cost(&g, on);
			wrong += !near(own, out.plan.value, 1e-12) || own < best * (1 - 1e-12) ||
				 out.plan.bound > best * (1 + 1e-12) ||
				 (out.plan.exact && !near(own, best, 1e-9));
			trees += tree;
			unproved += tree && (!out.plan.exact || !near(own, best, 1e-12));
			none += isinf(best);
			missed += isinf(own) && isfinite(best);
			worse += own > best * (1 + 1e-9);
			sum += isfinite(own) ? own / best : 1;
		}
		ok(wrong == 0, "%s, %d topologies: costs and bounds are right", names[kind], cases);
		ok(unproved == 0 && (kind >= 2 || trees > 10), "%d trees are exact, and proved", trees);
		ok(sum / cases < 1.005 && missed == 0 && none < cases / 2,
		   "the others in the mean %.4f of the best, %d not best; %d have none", sum / cases, worse,
		   none);
	}
}

int main(void)
{
	test_hand();
	test_stages();
	test_names();
	test_all();
	return done();
}
