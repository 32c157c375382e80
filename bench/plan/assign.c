/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.c - tasks, modules and one run: who does what, and when to move. */
#include "bench.h"

#include "../../test/plan/moves.h"
#include "base/alloc.h"
#include "base/input.h"
#include "foretime/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- independent tasks --------------------------------------------------------------------------------- */

enum { RELATED, UNRELATED, UNIFORM, MEMORY, KINDS };
static const char *const kinds[] = {"related", "unrelated", "uniform", "memory"};

static double *draw_tasks(size_t n, size_t m, int kind, uint64_t seed)
{
	double *p = ft_malloc(n * m * sizeof *p), *speed = ft_malloc(m * sizeof *speed),
	       *memory = ft_malloc(m * sizeof *memory);
	struct ft_random r = {seed};

	for (size_t i = 0; i < m; i++) {
		speed[i] = spread(&r, 0.5);
		memory[i] = (double)(1 << ft_random_below(&r, 5));
	}
	memory[0] = 1e300;
	for (size_t j = 0; j < n; j++) {
		double work = spread(&r, 1), need = spread(&r, 1);

		for (size_t i = 0; i < m; i++) {
			double t = work * speed[i];

			if (kind == UNRELATED)
				t *= spread(&r, 0.4);
			if (kind == UNIFORM)
				t = between(&r, 1, 100);
			if (kind == MEMORY) {
				t *= spread(&r, 0.3);
				t *= need > memory[i] ? (double)INFINITY : need > memory[i] / 2 ? 8 : 1;
			}
			p[j * m + i] = t;
		}
	}
	ft_free(speed);
	ft_free(memory);
	return p;
}

/* Each task in turn to where it ends first: what a server list gives. */
static double in_turn(const double *p, size_t n, size_t m)
{
	double *load = ft_calloc(m, sizeof *load), t = 0;

	for (size_t j = 0; j < n; j++) {
		size_t best = 0;

		for (size_t i = 1; i < m; i++)
			if (load[i] + p[j * m + i] < load[best] + p[j * m + best])
				best = i;
		load[best] += p[j * m + best];
		t = fmax(t, load[best]);
	}
	ft_free(load);
	return t;
}

void bench_map(void)
{
	static const size_t sizes[][2] = {{20, 4}, {50, 8}, {200, 10}, {1000, 20}, {10000, 100}};

	printf("aims: 1,000 x 20 within 1 %% of the bound; 10,000 x 100 within 0.5 %% in 3 s\n");
	printf("%6s %4s %10s %14s %12s %8s %10s\n", "tasks", "m", "kind", "in turn/bound", "above bound", "s",
	       "looks");
	for (size_t k = 0; k < 5; k++)
		for (int kind = 0; kind < KINDS; kind++) {
			size_t n = sizes[k][0], m = sizes[k][1], *on = ft_malloc(n * sizeof *on);
			double *p = draw_tasks(n, m, kind, 23 + k), start = cpu_s();
			struct ft_plan out;

			(void)ft_plan_map(p, n, m, NULL, on, NULL, &out, NULL);
			printf("%6zu %4zu %10s %14.3f %11.4f%% %8.2f %10.2e\n", n, m, kinds[kind],
			       in_turn(p, n, m) / out.bound, 100 * (out.value / out.bound - 1),
			       cpu_s() - start, (double)out.evaluations);
			ft_free(p);
			ft_free(on);
		}
}

/* ---- topologies ---------------------------------------------------------------------------------------- */

enum { MODULES = 8, RESOURCES = 4, RUNS = 40, CHOICES = 1 << (2 * MODULES) };
static const char *const costs[] = {"T_s", "T_c printed", "T_c charged"}, *const shapes[] = {"chain", "tree",
											     "graph"};

struct made {
	struct ft_topology t;
	struct ft_plan_links links;
	struct ft_plan_edge port[3 * MODULES];
	double time_s[MODULES * RESOURCES], latency[RESOURCES * RESOURCES], bandwidth[RESOURCES * RESOURCES];
	double needs[MODULES], has[RESOURCES];
};

static void draw_topology(struct made *g, int shape, bool memory, struct ft_random *r)
{
	double all = 0, most = 0;

	*g = (struct made){.t = {.modules = MODULES, .resources = RESOURCES, .kinds = memory}};
	for (size_t i = 0; i < MODULES; i++) {
		double work = 10 * spread(r, 1);

		for (size_t j = 0; j < RESOURCES; j++)
			g->time_s[i * RESOURCES + j] = work * spread(r, 0.58);
		g->needs[i] = spread(r, 0.7);
		all += g->needs[i];
		most = fmax(most, g->needs[i]);
		for (size_t j = 0; i > 0 && j < (shape == 2 ? 1 + ft_random_below(r, 2) : 1); j++)
			g->port[g->t.ports++] = (struct ft_plan_edge){
				shape == 0 ? i - 1 : ft_random_below(r, i), i, 4 * spread(r, 1)};
	}
	for (size_t i = 0; i < RESOURCES * RESOURCES; i++) {
		g->latency[i] = 0.01;
		g->bandwidth[i] = spread(r, 0.7);
	}
	for (size_t i = 0; i < RESOURCES; i++)
		g->has[i] = all / RESOURCES * between(r, 0.8, 2) + most / 2;
	g->links = (struct ft_plan_links){.latency_s_of = g->latency, .bytes_per_s_of = g->bandwidth};
	g->t.time_s = g->time_s;
	g->t.port = g->port;
	g->t.links = &g->links;
	g->t.needs = g->needs;
	g->t.has = g->has;
}

static double topology_cost(const struct made *g, size_t choice)
{
	double load[RESOURCES] = {0}, used[RESOURCES] = {0}, rank[MODULES], sum = 0, most = 0;

	for (size_t i = 0; i < MODULES; i++) {
		rank[i] = g->time_s[i * RESOURCES + (choice >> (2 * i) & 3)];
		used[choice >> (2 * i) & 3] += g->needs[i];
	}
	for (size_t i = 0; i < g->t.ports; i++) {
		size_t a = choice >> (2 * g->port[i].from) & 3, b = choice >> (2 * g->port[i].to) & 3;

		if (a != b)
			rank[g->port[i].from] += g->latency[a * RESOURCES + b] +
						 g->port[i].bytes / g->bandwidth[a * RESOURCES + b];
	}
	for (size_t i = 0; i < MODULES; i++) {
		sum += rank[i];
		load[choice >> (2 * i) & 3] += rank[i];
		most = fmax(most, g->t.cost == FT_TOPOLOGY_PRINTED ? rank[i] : load[choice >> (2 * i) & 3]);
	}
	for (size_t i = 0; i < RESOURCES && g->t.kinds; i++)
		if (used[i] > g->has[i])
			return INFINITY;
	return g->t.cost == FT_TOPOLOGY_SEQUENTIAL ? sum : most;
}

void bench_topology(void)
{
	struct ft_random r = {29};

	printf("aims: trees exact; else at most 1 %% above enumeration (8 modules, 4 resources, half with "
	       "memory)\n");
	printf("%12s %6s %12s %8s %8s %8s\n", "cost", "shape", "/ best", "best", "proved", "ms");
	for (int cost = 0; cost < 3; cost++)
		for (int shape = 0; shape < 3; shape++) {
			double sum = 0, ms = 0;
			int best_of = 0, proved = 0, count = 0;

			for (int i = 0; i < RUNS; i++) {
				struct ft_topology_plan out;
				struct made g;
				size_t on[MODULES];
				double best = INFINITY;

				draw_topology(&g, shape, i % 2, &r);
				g.t.cost = (enum ft_topology_cost)cost;
				for (size_t choice = 0; choice < CHOICES; choice++)
					best = fmin(best, topology_cost(&g, choice));
				double start = cpu_s();
				(void)ft_plan_topology(&g.t, NULL, on, &out, NULL);
				ms += (cpu_s() - start) * 1e3 / RUNS;
				if (isinf(best))
					continue;
				count++;
				sum += out.plan.value / best;
				best_of += out.plan.value <= best * (1 + 1e-9);
				proved += out.plan.exact;
			}
			printf("%12s %6s %12.5f %4d/%d %8d %8.2f\n", costs[cost], shapes[shape], sum / count,
			       best_of, count, proved, ms);
		}
}

/* ---- stay or move -------------------------------------------------------------------------------------- */

enum { COLUMNS = 1100, ROWS = 400 };

/* Percent of each machine every five minutes: column by column, those that are whole. Returns how many. */
static size_t read_loads(const char *folder, double (*load)[ROWS], size_t *rows)
{
	struct ft_input *input;
	const char *line;
	char path[4096];
	size_t length, columns = 0, whole = 0;
	static size_t seen[COLUMNS];

	(void)snprintf(path, sizeof path, "%s/utilisation/planetlab_20110303.csv.gz", folder);
	*rows = 0;
	if (ft__input_open(&input, path, NULL))
		return 0;
	while (*rows < ROWS && !ft__input_line(input, &line, &length, NULL)) {
		const char *at = memchr(line, ',', length), *end = line + length;
		bool number = line[0] >= '0' && line[0] <= '9';

		for (size_t i = 0; number && at && i < COLUMNS; i++) {
			char *after;
			double v = strtod(at + 1, &after);

			if (after > at + 1) {
				load[i][*rows] = fmax(0.05, 1 - v / 100);
				seen[i]++;
			}
			columns = i + 1 > columns ? i + 1 : columns;
			at = memchr(at + 1, ',', (size_t)(end - at - 1));
		}
		*rows += number;
	}
	ft__input_close(input);
	for (size_t i = 0; i < columns; i++)
		if (seen[i] == *rows)
			memcpy(load[whole++], load[i], sizeof load[i]);
	return whole;
}

/* Four machines from some moment on; what each is promised is its mean before. */
static void draw_moves(struct moves *g, double (*load)[ROWS], size_t machines, size_t rows, int scenario,
		       struct ft_random *r)
{
	static const double depths[] = {0.67, 0.5, 0.25, 0.1};
	double depth = depths[ft_random_below(r, 4)];
	size_t from = 60 + ft_random_below(r, 60), k, t, begin = 1 + ft_random_below(r, (size_t)g->work),
	       length;

	length = scenario == 0   ? 0
		 : scenario == 1 ? 1 + ft_random_below(r, 3)
		 : scenario == 2 ? MOVES_HORIZON
				 : (size_t)exp(between(r, 0, log(60)));
	g->start = 0;
	for (k = 0; k < MOVES_MACHINES; k++) {
		const double *own = load[ft_random_below(r, machines)];

		g->promised[k] = 0;
		for (t = 0; t < from; t++)
			g->promised[k] += own[t] / (double)from;
		for (t = 0; t < MOVES_HORIZON; t++)
			g->speed[k][t] = own[(from + t) % rows];
		if (g->promised[k] > g->promised[g->start])
			g->start = k;
	}
	for (t = begin; t < begin + length && t < MOVES_HORIZON; t++)
		g->speed[g->start][t] *= depth;
}

void bench_moves(const char *folder)
{
	static const char *const names[] = {"as recorded", "slowed 1-3", "slowed for good", "slowed 1..60"};
	static double load[COLUMNS][ROWS];
	struct ft_random r = {31};
	size_t rows, machines = read_loads(folder, load, &rows);

	printf("aims: worst 1.6, mean 1.1 of who knows the future; no move in 97 %% of runs on recorded "
	       "loads\n");
	if (machines < MOVES_MACHINES) {
		printf("no utilisation/planetlab_20110303.csv.gz in FORETIME_DATA\n");
		return;
	}
	printf("%zu machines, %zu steps, work 12 and 40 steps, moves of 0.5, 2, 6; ratios to the best with "
	       "hindsight\n",
	       machines, rows);
	printf("%16s %8s %8s %8s %12s %10s\n", "loads", "mean", "> 1.1", "worst", "stay, worst", "no move");
	for (int scenario = 0; scenario < 4; scenario++) {
		enum { EACH = 500 };
		double mean = 0, worst = 0, stay = 0, high = 0;
		int still = 0, count = 0, above = 0;

		for (int work = 0; work < 2; work++)
			for (int cost = 0; cost < 3; cost++)
				for (int i = 0; i < EACH; i++) {
					static struct moves g;
					int moves;

					g.work = work ? 40 : 12;
					g.cost = (double[]){0.5, 2, 6}[cost];
					draw_moves(&g, load, machines, rows, scenario, &r);
					double best = moves_best(&g);
					if (isinf(best))
						continue;
					double own = moves_run(&g, 0.25, false, &moves) / best;
					count++;
					mean += own;
					worst = fmax(worst, own);
					still += moves == 0;
					above += own > 1.1;
					stay = fmax(stay, moves_run(&g, 0.25, true, &moves) / best);
				}
		high = 100.0 * above / count;
		printf("%16s %8.4f %7.1f%% %8.3f %12.2f %9.1f%%\n", names[scenario], mean / count, high,
		       worst, stay, 100.0 * still / count);
	}
}
