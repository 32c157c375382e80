/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-graph.c - any bytes as a graph of tasks, as a table of tasks, or as a table of links: rejected with
 * words and nothing left, or tasks and edges that a plan can use; the DOT that is written names each of them
 * once. */
#include "adapt/door.h"
#include "foretime/adapt.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

/* The first byte says what the rest is: 1 a table of tasks, 2 a table of links, else JSON. */
const char *const fuzz_graph_seeds[] = {
	"{\"tasks\": [{\"id\": \"a\", \"name\": \"heat\", \"size\": {\"n\": 64}}, {\"id\": \"b\", "
	"\"time_s\": "
	"{\"x\": 3, \"y\": \"2m\"}, \"memory\": \"2GiB\", \"cpus\": 2, \"storage\": 1e9, \"architecture\": "
	"\"x86_64\", \"hosts\": [\"x\", \"y\"], \"stage\": 1}, {\"id\": \"c \\\"q\\\\\\n\", \"time_s\": 4}], "
	"\"edges\": [{\"from\": \"a\", \"to\": \"b\", \"bytes\": \"8*n^2\"}, {\"from\": \"b\", \"to\": \"c "
	"\\\"q\\\\\\n\", \"bytes\": 1e6}]}",
	"{\"tasks\": [{\"id\": \"a\", \"time_s\": 1}, {\"id\": \"b\", \"time_s\": 2}, {\"id\": \"c\", "
	"\"time_s\": 1}], \"edges\": [{\"from\": \"a\", \"to\": \"b\"}, {\"from\": \"b\", \"to\": \"c\"}, "
	"{\"from\": \"c\", \"to\": \"a\"}]}",
	"{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [{\"name\": \"p\", "
	"\"id\": "
	"\"p1\", \"parents\": [], \"inputFiles\": [], \"outputFiles\": [\"f\"]}, {\"name\": \"q\", \"id\": "
	"\"q1\", \"parents\": [\"p1\"], \"inputFiles\": [\"f\"], \"outputFiles\": []}], \"files\": [{\"id\": "
	"\"f\", \"sizeInBytes\": 10}]}, \"execution\": {\"tasks\": [{\"id\": \"q1\", \"runtimeInSeconds\": "
	"2.5}, {\"id\": \"p1\", \"runtimeInSeconds\": 1}]}}}",
	"{\"workflow\": {\"tasks\": [{\"name\": \"p1\", \"parents\": [], \"runtime\": 1, \"files\": "
	"[{\"link\": "
	"\"output\", \"name\": \"f\", \"size\": 10}]}, {\"name\": \"q1\", \"parents\": [\"p1\"], "
	"\"runtime\": "
	"2, \"files\": [{\"link\": \"input\", \"name\": \"f\"}]}]}}",
	"\001task,x,y\na,1,2.5\nb,,3\n\"c,d\",4,\n",
	"\001name,n,m\nheat,64,1\nheat,128,\n",
	"\002from,to,latency,bandwidth\n*,*,50us,125MB\nx,y,1ms,1GB\n",
	NULL,
};

const char *const fuzz_graph_pieces[] = {
	"\"",
	"{",
	"}",
	"[",
	"]",
	",",
	":",
	"\n",
	"\\",
	"\\u0000",
	"\\ud83d\\ude00",
	"\xff",
	"-1",
	"1e308",
	"1e309",
	"5e-324",
	"\"1e308h\"",
	"\"9^9^9\"",
	"\"1/0\"",
	"\"n-65\"",
	"null",
	"{\"id\": \"d\", \"time_s\": 1}",
	"{\"from\": \"a\", \"to\": \"a\"}",
	"\"time_s\": {}",
	"\"hosts\": []",
	"\"parents\": [\"p1\", \"p1\"]",
	"*,*,0,1\n",
	"*,*,1e308h,1e308TB\n",
	NULL,
};

static int is_amount(double value)
{
	return value >= 0 && isfinite(value);
}

static const char *check_task(const struct ft_graph_task *task)
{
	if (!task->id)
		return "a task has a name";
	if (!isnan(task->time_s) && !is_amount(task->time_s))
		return "a time is a number of seconds";
	for (size_t i = 0; i < task->n_times; i++)
		if (!task->time[i].host || !is_amount(task->time[i].time_s))
			return "a time of a host is a number of seconds";
	for (size_t i = 0; i < task->n_size; i++)
		if (!isfinite(task->size[i].value))
			return "a size is a number";
	for (size_t i = 0; i < task->n_hosts; i++)
		if (!task->host[i])
			return "a host has a name";
	if (!is_amount(task->cpus) || !is_amount(task->memory_bytes) || !is_amount(task->storage_bytes) ||
	    (!isnan(task->stage) && !is_amount(task->stage)))
		return "what a task needs is a number";
	return NULL;
}

/* As Graphviz reads it: a quote ends a text unless a backslash stands before it, and no text has two lines.
 */
static const char *check_dot(const struct ft_graph *graph, const struct ft_plan_slot *slot)
{
	static const char *const host[] = {"x", "\"y\\"};
	struct ft_err err = {0};
	char *text = NULL;
	const char *broken = NULL;
	size_t lines = 0;
	int quoted = 0;

	if (ft_graph_dot(graph, slot, host, &text, &err))
		return "a graph can be written as DOT";
	for (const char *at = text; *at && !broken; at++) {
		if (*at == '"')
			quoted = !quoted;
		else if (quoted && *at == '\\' && at[1])
			at++;
		else if (*at == '\n' && quoted)
			broken = "a label of DOT is one line";
		lines += *at == '\n';
	}
	if (!broken && (quoted || lines != graph->n + graph->n_edges + 3))
		broken = "DOT has a line for each task and each edge";
	free(text);
	return broken;
}

/* A plan on two machines, the second twice as slow: rejected with words, or one in which each task waits. */
static const char *check_plan(const struct ft_graph *graph)
{
	enum { MOST = 16 };
	const struct ft_plan_search search = {.effort = 2000};
	const struct ft_plan_links links = {.latency_s = 0.5, .bytes_per_s = 1e6};
	struct ft_plan_slot slot[MOST];
	struct ft_plan plan;
	struct ft_err err = {0};
	double time[2 * MOST], send;

	if (graph->n > MOST)
		return check_dot(graph, NULL);
	for (size_t i = 0; i < graph->n; i++) {
		time[2 * i] = isnan(graph->task[i].time_s) ? 1 : fmin(graph->task[i].time_s, 1e12);
		time[2 * i + 1] = 2 * time[2 * i];
	}
	enum ft_status status = ft_plan_schedule(time, graph->n, 2, graph->edge, graph->n_edges, &links, NULL,
						 0, &search, slot, NULL, &plan, &err);
	if (status)
		return fuzz_is_told(status, &err) ? check_dot(graph, NULL) : "a rejected graph has words";
	if (!(plan.bound <= plan.value))
		return "no plan is shorter than its bound";
	for (size_t i = 0; i < graph->n_edges; i++) {
		const struct ft_plan_slot *from = &slot[graph->edge[i].from], *to = &slot[graph->edge[i].to];

		send = from->machine == to->machine || !(graph->edge[i].bytes > 0)
			       ? 0
			       : 0.5 + graph->edge[i].bytes / 1e6;
		if (isfinite(plan.value) && to->start_s < (from->end_s + send) * (1 - 1e-9))
			return "a task waits for what it reads";
	}
	return check_dot(graph, isfinite(plan.value) ? slot : NULL);
}

static const char *check_links(const uint8_t *bytes, size_t length)
{
	static const char *const host[] = {"x", "y", "x"};
	struct ft_graph_links links;
	struct ft_err err = {0};
	enum ft_status status = ft_graph_read_links(&links, host, 3, fuzz_file(bytes, length), &err);
	const char *broken = NULL;

	if (status)
		return !links.latency_s && fuzz_is_told(status, &err) ? NULL
								      : "rejected links leave words alone";
	for (size_t i = 0; i < 9; i++)
		if (!is_amount(links.latency_s[i]) || !(links.bytes_per_s[i] > 0) ||
		    !isfinite(links.bytes_per_s[i]))
			broken = "a link has a latency and a bandwidth";
	ft_graph_links_clear(&links);
	return broken;
}

const char *fuzz_graph(const uint8_t *bytes, size_t length)
{
	unsigned choice = fuzz_choice(&bytes, &length, 3);
	struct ft_graph graph = {0};
	struct ft_err err = {0};
	const char *broken = NULL;

	if (choice == 2)
		return check_links(bytes, length);
	enum ft_status status = choice ? ft_graph_read_table(&graph, fuzz_file(bytes, length), &err)
				       : ft_graph_parse(&graph, "f", (const char *)bytes, length, &err);
	if (status)
		return !graph.task && !graph.n && fuzz_is_told(status, &err) && *err.remedy
			       ? NULL
			       : "a rejected graph leaves words and a remedy";
	for (size_t i = 0; i < graph.n && !broken; i++)
		broken = check_task(&graph.task[i]);
	for (size_t i = 0; i < graph.n_edges && !broken; i++)
		if (graph.edge[i].from >= graph.n || graph.edge[i].to >= graph.n ||
		    !is_amount(graph.edge[i].bytes))
			broken = "an edge joins two tasks";
	if (!broken)
		broken = graph.n ? check_plan(&graph) : "a graph has tasks";
	ft_graph_clear(&graph);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_graph)
#endif
