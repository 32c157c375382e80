/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-graph.c - graphs of tasks: our own, WfCommons' of both layouts, what is none, and DOT. */
#include "tap.h"
#include "temp.h"

#include "adapt/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/adapt.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static struct ft_graph graph;

static enum ft_status parse(const char *text, struct ft_err *err)
{
	ft_graph_clear(&graph);
	return ft_graph_parse(&graph, "made", text, strlen(text), err);
}

static const char own[] = "{\"tasks\": [{\"id\": \"a\", \"name\": \"sort\", \"size\": {\"n\": 1000}},"
			  "{\"id\": \"b\", \"time_s\": {\"fast\": 3, \"slow\": \"2m\"}, \"memory\": "
			  "\"2GiB\", \"architecture\": \"x86_64\", "
			  "\"cpus\": 2, \"hosts\": [\"fast\", \"slow\"], \"stage\": 1},"
			  "{\"id\": \"c \\\"q\\\"\", \"time_s\": 4}],"
			  "\"edges\": [{\"from\": \"a\", \"to\": \"b\", \"bytes\": \"8*n\"}, {\"from\": "
			  "\"b\", \"to\": \"c \\\"q\\\"\"}]}";

static const char later[] =
	"{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": ["
	"{\"name\": \"x\", \"id\": \"x1\", \"parents\": [], \"children\": [\"y1\"], \"inputFiles\": [\"f\"], "
	"\"outputFiles\": "
	"[\"g\", \"h\"]},"
	"{\"name\": \"y\", \"id\": \"y1\", \"parents\": [\"x1\"], \"children\": [], \"inputFiles\": [\"g\", "
	"\"f\"], "
	"\"outputFiles\": []}],"
	"\"files\": [{\"id\": \"f\", \"sizeInBytes\": 1}, {\"id\": \"g\", \"sizeInBytes\": 10}, {\"id\": "
	"\"h\", "
	"\"sizeInBytes\": 100}]},"
	"\"execution\": {\"tasks\": [{\"id\": \"y1\", \"runtimeInSeconds\": 2.5}, {\"id\": \"x1\", "
	"\"runtimeInSeconds\": "
	"1}]}}}";

static const char earlier[] = "{\"schemaVersion\": \"1.3\", \"workflow\": {\"tasks\": ["
			      "{\"name\": \"x1\", \"parents\": [], \"runtimeInSeconds\": 1, \"files\": "
			      "[{\"link\": \"output\", \"name\": \"g\", "
			      "\"sizeInBytes\": 10}]},"
			      "{\"name\": \"y1\", \"parents\": [\"x1\"], \"runtime\": 2.5, \"files\": "
			      "[{\"link\": \"input\", \"name\": \"g\", "
			      "\"size\": 10}, {\"link\": \"output\", \"name\": \"z\", \"size\": 3}]}]}}";

static enum ft_status read_table(const char *text, struct ft_err *err)
{
	ft_graph_clear(&graph);
	(void)temp_write(temp_path("tasks.csv"), text, 0600);
	return ft_graph_read_table(&graph, temp_path("tasks.csv"), err);
}

static void test_table(void)
{
	static const char *const bad[] = {"task,name,n\n", "fast\n-1\n",         "fast\nsoon\n",
					  "name,n\na,b\n", "id,name,n\na,b,1\n", "task,fast\na\n"};
	struct ft_err err = {0};
	unsigned long failed = 0, whole = 0;

	ok(!read_table("task,name,n,m\na,sort,10,\nb,join,20,3\n", &err) && graph.n == 2 && !graph.n_edges &&
		   !strcmp(graph.task[0].id, "a") && !strcmp(graph.task[1].name, "join") &&
		   graph.task[0].n_size == 1 && graph.task[1].n_size == 2 &&
		   !strcmp(graph.task[1].size[1].name, "m") && graph.task[1].size[1].value == 3 &&
		   isnan(graph.task[0].time_s) && !graph.task[0].n_times,
	   "a table of programs and sizes");
	ok(!read_table("fast,slow\n3,9\n2,\n", &err) && graph.n == 2 && !strcmp(graph.task[1].id, "2") &&
		   !graph.task[0].name && graph.task[0].n_times == 2 && graph.task[0].time[1].time_s == 9 &&
		   !strcmp(graph.task[0].time[1].host, "slow") && graph.task[1].n_times == 1,
	   "a table of seconds by host");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = (struct ft_err){0};
		ok(read_table(bad[i], &err) && *err.text && !graph.task, "%s", err.text);
	}
	ok(ft_graph_read_table(&graph, temp_path("none.csv"), &err) == FT_ENOENT, "%s", err.text);
	(void)ft_alloc_fail_at(0);
	(void)read_table("task,fast\na,1\n", NULL);
	unsigned long n = ft_alloc_fail_at(0);
	for (unsigned long k = 1; k <= n; k++) {
		(void)ft_alloc_fail_at(k);
		enum ft_status status = read_table("task,fast\na,1\n", NULL);
		failed += status == FT_ENOMEM && !graph.task;
		whole += !status && graph.n == 1 && graph.task[0].n_times == 1;
	}
	(void)ft_alloc_fail_at(0);
	ok(failed > whole && failed + whole == n, "out of memory at %lu of %lu places", failed, n);
}

static enum ft_status read_links(const char *text, struct ft_graph_links *out, struct ft_err *err)
{
	static const char *const host[] = {"a", "a", "b"};

	(void)temp_write(temp_path("links.csv"), text, 0600);
	return ft_graph_read_links(out, host, 3, temp_path("links.csv"), err);
}

static void test_links(void)
{
	static const char *const bad[] = {"from,to\n*,*\n", "from,to,latency,bandwidth\na,c,1ms,1MB\n",
					  "from,to,latency,bandwidth\n*,*,1ms,0\n",
					  "from,to,latency,bandwidth\n*,*,soon,1MB\n"};
	struct ft_graph_links links = {0};
	struct ft_err err = {0};
	unsigned long failed = 0;

	ok(!read_links("from,to,latency,bandwidth\n*,*,1ms,1MB\nb,a,2s,5\n", &links, &err) &&
		   links.links.latency_s_of[2 * 3 + 0] == 2 && links.links.bytes_per_s_of[2 * 3 + 1] == 5 &&
		   links.latency_s[0 * 3 + 2] == 0.001 && links.bytes_per_s[1 * 3 + 2] == 1e6,
	   "later rows count, the way back as it was told");
	ok(links.latency_s[0 * 3 + 1] == 0 && links.bytes_per_s[1 * 3 + 0] > 1e200, "on one host at once");
	ft_graph_links_clear(&links);
	ft_graph_links_clear(&links);
	ok(!read_links("from,to,latency,bandwidth\nb,a,2s,5\n", &links, &err) && links.latency_s[2] == 2 &&
		   links.latency_s[6] == 2,
	   "told one way it is both");
	ft_graph_links_clear(&links);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = (struct ft_err){0};
		ok(read_links(bad[i], &links, &err) && *err.text && !links.latency_s, "%s", err.text);
	}
	(void)ft_alloc_fail_at(0);
	(void)read_links("from,to,latency,bandwidth\n*,*,1ms,1MB\n", &links, NULL);
	ft_graph_links_clear(&links);
	unsigned long n = ft_alloc_fail_at(0);
	for (unsigned long k = 1; k <= n; k++) {
		(void)ft_alloc_fail_at(k);
		failed += read_links("from,to,latency,bandwidth\n*,*,1ms,1MB\n", &links, NULL) == FT_ENOMEM &&
			  !links.latency_s;
		ft_graph_links_clear(&links);
	}
	(void)ft_alloc_fail_at(0);
	ok(failed > 3, "out of memory at %lu of %lu places", failed, n);
}

static void test_own(void)
{
	const char *const host[] = {"fast"};
	const struct ft_plan_slot slot[3] = {{0, 0, 1}, {0, 1, 4}, {0, 4, 8}};
	char *dot;

	ok(parse(own, NULL) == FT_OK && graph.n == 3 && graph.n_edges == 2, "three tasks, two edges");
	const struct ft_graph_task *t = graph.task;
	ok(!strcmp(t[0].name, "sort") && t[0].n_size == 1 && t[0].size[0].value == 1000 && isnan(t[0].time_s),
	   "a program at a size");
	ok(!t[1].name && t[1].n_times == 2 && t[1].time[1].time_s == 120 &&
		   t[1].memory_bytes == 2147483648.0 && !strcmp(t[1].architecture, "x86_64"),
	   "times by host, with units; what it needs");
	ok(t[1].cpus == 2 && t[1].n_hosts == 2 && !strcmp(t[1].host[1], "slow") && t[1].stage == 1 &&
		   !t[0].n_hosts && isnan(t[0].stage),
	   "where it may run, and in which stage");
	ok(t[2].time_s == 4 && graph.edge[0].bytes == 8000 && graph.edge[1].bytes == 0,
	   "one time; bytes as a function of the size");
	ok(ft_graph_dot(&graph, slot, host, &dot, NULL) == FT_OK &&
		   strstr(dot, "t0 -> t1 [label=\"7.81 KiB\"]") &&
		   strstr(dot, "label=\"c \\\"q\\\"\\nfast\\n4.00 s - 8.00 s\""),
	   "as DOT");
	if (!strstr(dot, "fast\\n4"))
		diag("%s", dot);
	ft_free(dot);
}

static void test_wfcommons(void)
{
	ok(parse(later, NULL) == FT_OK && graph.n == 2 && graph.task[0].time_s == 1 &&
		   graph.task[1].time_s == 2.5 && graph.n_edges == 1 && graph.edge[0].bytes == 10,
	   "WfCommons 1.5: files between tasks");
	ok(parse(earlier, NULL) == FT_OK && graph.n == 2 && graph.task[1].time_s == 2.5 &&
		   graph.n_edges == 1 && graph.edge[0].from == 0 && graph.edge[0].bytes == 10,
	   "WfCommons 1.3: files in tasks");
}

static void test_wrong(void)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{",
		"{\"tasks\": []}",
		"{\"tasks\": 3}",
		"{\"tasks\": [{\"name\": \"a\"}]}",
		"{\"tasks\": [{\"id\": \"a\"}]}",
		"{\"tasks\": [{\"id\": \"a\", \"name\": \"p\", \"time_s\": 3}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": -3}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": \"soon\"}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3, \"colour\": 1}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3, \"hosts\": []}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3, \"hosts\": [\"b\", 3]}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3, \"stage\": -1}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3}, {\"id\": \"a\", \"time_s\": 3}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3}], \"edges\": [{\"from\": \"a\"}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3}], \"edges\": [{\"from\": \"a\", \"to\": "
		"\"b\"}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3}], \"edges\": [{\"from\": \"a\", \"to\": \"a\", "
		"\"bytes\": \"n\"}]}",
		"{\"tasks\": [{\"id\": \"a\", \"time_s\": 3}], \"edges\": [{\"from\": \"a\", \"to\": \"a\", "
		"\"bytes\": -1}]}",
		"{\"tasks\": [{\"id\": \"a\", \"name\": \"p\", \"size\": {\"n\": \"x\"}}]}",
		"{\"workflow\": {}}",
		"{\"workflow\": {\"tasks\": [{\"name\": \"a\"}]}}",
		"{\"workflow\": {\"tasks\": [{\"name\": \"a\", \"runtime\": 1, \"parents\": [\"b\"]}]}}"};
	size_t good = 0, n = sizeof bad / sizeof *bad;

	for (size_t i = 0; i < n; i++) {
		struct ft_err err = {0};
		enum ft_status status = parse(bad[i], &err);
		bool refused = (status == FT_EINVAL || status == FT_EPARSE) && err.remedy[0] && !graph.task;

		good += refused;
		if (!refused)
			diag("%s: %s; %s", bad[i], err.text, err.remedy);
	}
	ok(good == n, "what is none is refused, with a remedy");
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	static const char *const seeds[] = {own, later, earlier};

	for (int i = 0; i < test_cases(3000); i++) {
		char text[2000];

		(void)snprintf(text, sizeof text, "%s", seeds[i % 3]);
		size_t n = strlen(text);
		for (size_t k = 0; k < 1 + ft_random_below(&random, 3); k++)
			text[ft_random_below(&random, n)] = "\"{}[]:,0-a1n"[ft_random_below(&random, 12)];
		(void)parse(text, NULL);
	}
	ft_graph_clear(&graph);
	ok(true, "changed texts");
}

static void test_faults(void)
{
	unsigned long failed = 0;

	(void)ft_alloc_fail_at(0);
	(void)parse(own, NULL);
	unsigned long n = ft_alloc_fail_at(0);
	for (unsigned long i = 1; i <= n; i++) {
		struct ft_err err = {0};

		(void)ft_alloc_fail_at(i);
		failed += parse(own, &err) == FT_ENOMEM && !graph.task;
	}
	(void)ft_alloc_fail_at(0);
	ok(n > 10 && failed == n, "out of memory at %lu of %lu places", failed, n);
	ft_graph_clear(&graph);
}

/* Workflows as recorded, where FORETIME_DATA has them. */
static void test_recorded(void)
{
	const char *data = getenv("FORETIME_DATA");
	char path[512];
	struct ft_err err = {0};

	(void)snprintf(path, sizeof path, "%s/dags/wfinstances/viralrecon-dirt02-001.json.gz",
		       data ? data : "");
	if (!data || access(path, R_OK)) {
		ok(true, "a recorded workflow # SKIP no FORETIME_DATA");
		return;
	}
	ok(ft_graph_read(&graph, path, &err) == FT_OK && graph.n > 100 && graph.n_edges > 100,
	   "a recorded workflow %s", err.text);
	diag("%zu tasks, %zu edges", graph.n, graph.n_edges);
	ft_graph_clear(&graph);
}

int main(void)
{
	test_own();
	test_table();
	test_links();
	test_wfcommons();
	test_wrong();
	test_random();
	test_faults();
	test_recorded();
	temp_remove();
	return done();
}
