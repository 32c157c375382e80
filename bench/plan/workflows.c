/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workflows.c - recorded workflows (WfCommons) on made machines: how far above the bound, beside HEFT. */
#include "bench.h"

#include "../../test/plan/stg.h"
#include "adapt/door.h"
#include "base/alloc.h"
#include "foretime/adapt.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { MACHINES = 32, PROGRAMS = 64 };

/* Seconds of each task on each machine: as recorded on the usual one; tasks of a program (what stands before
 * the first digit or '_' of an id) like the same machines. */
static double *times_of(const struct ft_graph *graph, size_t m, struct ft_random *r)
{
	double *p = ft_malloc(graph->n * m * sizeof *p), speed[MACHINES], likes[PROGRAMS][MACHINES];

	for (size_t i = 0; i < m; i++) {
		speed[i] = spread(r, 0.4);
		for (size_t j = 0; j < PROGRAMS; j++)
			likes[j][i] = spread(r, 0.2);
	}
	for (size_t j = 0; j < graph->n; j++) {
		const char *at = graph->task[j].id;
		size_t hash = 0;

		for (; *at && !strchr("0123456789_", *at); at++)
			hash = 31 * hash + (unsigned char)*at;
		for (size_t i = 0; i < m; i++)
			p[j * m + i] = graph->task[j].time_s * speed[i] * likes[hash % PROGRAMS][i];
	}
	return p;
}

static bool run_one(const char *path, size_t m, double above[2], double *worst, struct ft_random *r)
{
	struct ft_plan_links links = {.latency_s = 1e-3, .bytes_per_s = 125e6};
	struct ft_graph graph = {0};
	struct ft_plan out;
	double heft;

	if (ft_graph_read(&graph, path, NULL))
		return false;
	double *p = times_of(&graph, m, r);
	struct ft_plan_slot *slot = ft_malloc(graph.n * sizeof *slot);
	bool good = !ft_plan_schedule(p, graph.n, m, graph.edge, graph.n_edges, &links, NULL, 0, NULL, slot,
				      &heft, &out, NULL) &&
		    judge_schedule(p, graph.n, m, graph.edge, graph.n_edges, &links, slot) == out.value;
	if (good) {
		above[0] += heft / out.bound;
		above[1] += out.value / out.bound;
		*worst = fmax(*worst, out.value / heft);
	}
	ft_free(slot);
	ft_free(p);
	ft_graph_clear(&graph);
	return good;
}

void bench_workflows(const char *root)
{
	static const size_t machines[] = {8, MACHINES};
	char folder[3000], path[4000];

	(void)snprintf(folder, sizeof folder, "%s/dags/wfinstances", root);
	printf("aims: 1.07 of the bound in the mean with 8 machines, 1.13 with 32; never worse than HEFT (2 "
	       "draws of "
	       "machines each)\n");
	printf("%4s %8s %8s %12s %12s %14s %8s\n", "m", "of", "wrong", "HEFT/bound", "ours/bound",
	       "worst / HEFT", "s, each");
	for (size_t s = 0; s < 2; s++) {
		DIR *dir = opendir(folder);
		struct ft_random r = {43};
		struct dirent *entry;
		double above[2] = {0}, worst = 0, start = cpu_s();
		int n = 0, wrong = 0, draw;

		while (dir && (entry = readdir(dir))) {
			if (!strstr(entry->d_name, ".json"))
				continue;
			(void)snprintf(path, sizeof path, "%s/%.500s", folder, entry->d_name);
			for (draw = 0; draw < 2; draw++, n++)
				wrong += !run_one(path, machines[s], above, &worst, &r);
		}
		if (dir)
			(void)closedir(dir);
		if (n == wrong) {
			printf("no workflows in FORETIME_DATA/dags/wfinstances\n");
			return;
		}
		printf("%4zu %8d %8d %12.3f %12.3f %14.4f %8.2f\n", machines[s], n, wrong,
		       above[0] / (n - wrong), above[1] / (n - wrong), worst, (cpu_s() - start) / n);
	}
}
