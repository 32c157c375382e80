/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-microbenchmarks.c - files of benchmark frameworks, value by value (test/adapt/data/README). */
#include "adapt-test.h"
#include "facts/door.h"

#define SIZE(...)                                                                                            \
	.size = (const char *const[]){__VA_ARGS__},                                                          \
	.n_sizes = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)

/* The value of a counter; NaN: there is none. */
static double count_of(const struct ft_imported *part, size_t i, const char *name)
{
	const struct ft_resource *resource;

	return ft_resource_named(name, &resource, NULL) ? (double)NAN : value_of(part, i, resource);
}

static bool is_estimated(const struct ft_imported *part, size_t i)
{
	return i < part->runs.n && part->runs.run[i].n_samples &&
	       part->runs.run[i].sample[0].label == FT_ESTIMATED && part->runs.run[i].sample[0].reason;
}

static void pytest(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "pytest-benchmark.json", NULL))
		return;
	const struct ft_imported *list = part_of(&import, "test_sort-list");
	ok(!strcmp(import.format->name, "pytest-benchmark") && import.n == 2 && list->runs.n == 6 &&
		   part_of(&import, "test_sort-tuple")->runs.n == 6 && import.passed[FT_PASSED_BROKEN] == 3,
	   "pytest-benchmark: a program for each text; a test without a size is left out, with its rounds");
	ok(list->program.n_params == 1 && !strcmp(list->program.param[0].name, "n") &&
		   size_of(list, 5, 0) == 4000 && value_of(list, 0, &ft_wall_s) == 3.830700006801635e-05 &&
		   list->runs.run[0].sample[0].label == FT_MEASURED,
	   "pytest-benchmark: every round");
	ok(!strcmp(import.machine.host, "vm"), "pytest-benchmark: its machine");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"machine_info\": {}, \"benchmarks\": [\n"
		  "{\"name\": \"t[8-quick]\", \"fullname\": \"a.py::t[8-quick]\", \"params\": null, "
		  "\"stats\": "
		  "{\"data\": [0.5, 0.25], \"iterations\": 3}},\n"
		  "{\"name\": \"t[9-quick]\", \"fullname\": \"b.py::t[9-quick]\", \"stats\": {\"median\": 2, "
		  "\"mean\": 4, \"stddev\": 1, \"rounds\": 5, \"iterations\": 1}},\n"
		  "{\"name\": \"u[x]\", \"params\": {\"size\": \"10MB\", \"on\": true}, \"stats\": "
		  "{\"mean\": 4, "
		  "\"rounds\": 1}}]}",
		  NULL, NULL),
	   "pytest-benchmark: by hand");
	ok(part_of(&import, "t-quick")->runs.n == 2 && is_estimated(part_of(&import, "t-quick"), 0) &&
		   near(part_of(&import, "t-quick")->runs.run[0].cost_s, 1.5, 1e-12) &&
		   size_of(part_of(&import, "t-quick"), 0, 0) == 8,
	   "pytest-benchmark: parameters of the brackets; means of several calls");
	ok(part_of(&import, "b.py.t-quick")->runs.n == 1 &&
		   value_of(part_of(&import, "b.py.t-quick"), 0, &ft_wall_s) == 2 &&
		   strstr(part_of(&import, "b.py.t-quick")->runs.run[0].sample[0].reason,
			  "median of 5 rounds, with a standard deviation of 25 %"),
	   "pytest-benchmark: the same name in two modules; one value of a summary");
	ok(size_of(part_of(&import, "u-true"), 0, 0) == 10e6, "pytest-benchmark: a size with a unit");
	ft_import_clear(&import);
}

static void asv(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "asv.json", NULL))
		return;
	const struct ft_imported *list = part_of(&import, "sort.TimeSuite.time_sort-list");
	const struct ft_imported *tuple = part_of(&import, "sort.TimeSuite.time_sort-tuple");
	const struct ft_imported *merge = part_of(&import, "sort.TimeSuite.time_merge");
	ok(!strcmp(import.format->name, "asv") && import.n == 4 && list->runs.n == 3 && tuple->runs.n == 3 &&
		   import.passed[FT_PASSED_METRIC] == 2 && import.passed[FT_PASSED_BROKEN] == 0,
	   "asv: a program for each text; what it tracks is no resource");
	ok(value_of(list, 1, &ft_wall_s) == 0.0141 && size_of(list, 1, 0) == 10000 &&
		   value_of(tuple, 1, &ft_wall_s) == 0.0152 && value_of(tuple, 0, &ft_wall_s) == 0.0011 &&
		   is_estimated(list, 0),
	   "asv: the last parameter changes fastest; a result is the median of its samples");
	ok(outcome_of(list, 2) == FT_FAILED && size_of(list, 2, 0) == 100000 &&
		   outcome_of(tuple, 2) == FT_INVALID && list->runs.run[2].n_samples == 0,
	   "asv: null failed, NaN skipped itself");
	ok(merge->runs.n == 4 && value_of(merge, 1, &ft_wall_s) == 0.49 && size_of(merge, 1, 1) == 3 &&
		   merge->runs.run[1].sample[0].label == FT_MEASURED && size_of(merge, 3, 0) == 2000 &&
		   merge->runs.run[3].sample[0].label == FT_MEASURED &&
		   merge->runs.run[0].started_ns == INT64_C(1772359202427) * 1000000,
	   "asv: samples where they were recorded");
	ok(value_of(part_of(&import, "sort.MemSuite.peakmem_sort"), 1, &ft_peak_rss_bytes) == 41943040 &&
		   import.machine.threads == 6 && !strcmp(import.machine.host, "box"),
	   "asv: memory; its machine");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"commit_hash\": \"a\", \"results\": {\n\"a.track_x\": [[10, 20], [[\"4\", \"8\"]]]}}",
		  &(struct ft_import_options){.value = (const char *const[]){"instructions=track_x"},
					      .n_values = 1},
		  NULL) &&
		   value_of(part_of(&import, "a.track_x"), 1, &ft_instructions) == 20,
	   "asv: --value maps what it tracks");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"commit_hash\": \"a\", \"results\": {\n\"a.time_x\": {\"result\": [1, 2], \"params\": "
		  "[[\"4\", \"8\"]]},\n\"a.time_y\": 3,\n\"a.time_z\": {\"result\": [1], \"params\": "
		  "[[\"4\", "
		  "\"8\"]]}}, \"version\": 1}",
		  NULL, NULL) &&
		   import.runs == 2 && size_of(part_of(&import, "a.time_x"), 1, 0) == 8 &&
		   import.passed[FT_PASSED_BROKEN] == 2,
	   "asv: version 1; no parameter, and values that are not those of its parameters");
	ft_import_clear(&import);
}

static void pyperf(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "pyperf.json", NULL))
		return;
	const struct ft_imported *sort = part_of(&import, "sort");
	size_t warm = 0;
	for (size_t i = 0; i < sort->runs.n; i++)
		warm += sort->runs.run[i].warmup;
	ok(!strcmp(import.format->name, "pyperf") && import.n == 1 && sort->runs.n == 14 && warm == 5,
	   "pyperf: every value, and warm-ups as such (%zu)", warm);
	ok(sort->runs.run[2].warmup && value_of(sort, 2, &ft_wall_s) == 0.000045 &&
		   value_of(sort, 3, &ft_wall_s) == 0.0000401 && is_estimated(sort, 3) &&
		   size_of(sort, 3, 0) == 1000 && near(sort->runs.run[3].cost_s, 64 * 0.0000401, 1e-12),
	   "pyperf: a number in the name is n; values are means of the loops");
	ok(value_of(sort, 3, &ft_peak_rss_bytes) == 10485760 &&
		   isnan(value_of(sort, 4, &ft_peak_rss_bytes)) &&
		   value_of(sort, 7, &ft_peak_rss_bytes) == 10489856 && import.machine.threads == 4,
	   "pyperf: the memory of a process stands once");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"benchmarks\": [{\"runs\": [{\"metadata\": {\"n\": 12}, \"values\": [0.5, 0.25, "
		  "null]}]}], "
		  "\"metadata\": {\"name\": \"a sorted list\", \"unit\": \"second\"}, \"version\": \"1.0\"}",
		  NULL, NULL) &&
		   part_of(&import, "a_sorted_list")->runs.n == 2 && size_of(import.part, 0, 0) == 12 &&
		   import.part->runs.run[0].sample[0].label == FT_MEASURED &&
		   import.passed[FT_PASSED_BROKEN] == 1 && strstr(import.broken.text, "values[2]"),
	   "pyperf: the name of the only benchmark, and a size in its metadata");
	ft_import_clear(&import);
}

static void jmh(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "jmh.json", NULL))
		return;
	const struct ft_imported *sort = part_of(&import, "Sorting.sort-random");
	ok(!strcmp(import.format->name, "jmh") && import.n == 1 && sort->runs.n == 6 &&
		   near(value_of(sort, 0, &ft_wall_s), 41.5e-6, 1e-12) && size_of(sort, 3, 0) == 1000 &&
		   sort->runs.run[0].cost_s == 1 && is_estimated(sort, 0),
	   "jmh: scores of all forks and iterations; parameters in texts");
	ok(near(value_of(sort, 5, &ft_wall_s), 1 / 4e3, 1e-12) && size_of(sort, 5, 0) == 4000,
	   "jmh: operations in a time are a time of one");
	ok(count_of(sort, 0, "allocated_bytes") == 8016 && count_of(sort, 3, "allocated_bytes") == 8016.5 &&
		   isnan(count_of(sort, 4, "allocated_bytes")),
	   "jmh: bytes that one operation allocates");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "[{\"benchmark\": \"a.B.c\", \"mode\": \"thrpt\", \"threads\": 4, \"params\": {\"n\": "
		  "\"8\"}, "
		  "\"primaryMetric\": {\"scoreUnit\": \"ops/s\", \"rawData\": [[8]]}},\n"
		  "{\"benchmark\": \"x.B.c\", \"mode\": \"sample\", \"threads\": 1, \"params\": {\"n\": "
		  "\"9\"}, "
		  "\"primaryMetric\": {\"scoreUnit\": \"ms/op\", \"rawDataHistogram\": [[[[1, 3], [5, "
		  "1]]]]}},\n"
		  "{\"benchmark\": \"x.B.c\", \"mode\": \"ss\", \"measurementBatchSize\": 1, \"params\": "
		  "{\"n\": "
		  "\"9\"}, \"primaryMetric\": {\"scoreUnit\": \"s/op\", \"rawData\": [[2]]}},\n"
		  "{\"benchmark\": \"x.B.c\", \"params\": {\"n\": \"9\"}, \"primaryMetric\": {\"scoreUnit\": "
		  "\"MB/s\", \"rawData\": [[2]]}}]",
		  NULL, NULL) &&
		   import.n == 3 && import.passed[FT_PASSED_BROKEN] == 1,
	   "jmh: by hand");
	ok(value_of(part_of(&import, "B.c"), 0, &ft_wall_s) == 0.5 &&
		   size_of(part_of(&import, "B.c"), 0, 0) == 4,
	   "jmh: threads are a parameter, and share their operations");
	ok(near(value_of(part_of(&import, "x.B.c"), 0, &ft_wall_s), 0.002, 1e-12),
	   "jmh: the mean of a histogram; another package");
	ok(part_of(&import, "B.c-ss")->runs.n == 1 &&
		   value_of(part_of(&import, "B.c-ss"), 0, &ft_wall_s) == 2,
	   "jmh: first calls are a program of their own");
	ft_import_clear(&import);
}

static void go(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "go/go.txt", NULL))
		return;
	const struct ft_imported *sort = part_of(&import, "BenchmarkSort");
	ok(!strcmp(import.format->name, "go") && import.n == 3 && sort->runs.n == 6 &&
		   part_of(&import, "BenchmarkFind/last")->runs.n == 4 &&
		   import.passed[FT_PASSED_BROKEN] == 2 && strstr(import.broken.text, ":19: BenchmarkEmpty"),
	   "go: parts of a name that are numbers are sizes; one without a size is left out");
	ok(sort->program.n_params == 1 && size_of(sort, 5, 0) == 16000 &&
		   near(value_of(sort, 5, &ft_wall_s), 1277754e-9, 1e-12) && is_estimated(sort, 5) &&
		   near(sort->runs.run[0].work, 8000, 1e-3) &&
		   near(sort->runs.run[0].cost_s, 20 * 57515e-9, 1e-12),
	   "go: nanoseconds of one call; the bytes that it works on");
	ok(count_of(sort, 0, "allocated_bytes") == 8216 && count_of(sort, 0, "allocations") == 2,
	   "go: what a call allocates");
	ft_import_clear(&import);
	if (!read_data(&import, "go/cpu.txt", NULL))
		return;
	sort = part_of(&import, "BenchmarkSort");
	ok(import.n == 1 && sort->program.n_params == 2 &&
		   size_of(sort, 0, 0) + size_of(sort, 0, 1) == 1001 &&
		   size_of(sort, 1, 0) + size_of(sort, 1, 1) == 1002,
	   "go: processors are a parameter where they differ");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "BenchmarkHash/size-64 \t 10\t 5 ns/op\nBenchmarkHash/size-128 10 9 ns/op\nBenchmarkOne 1 "
		  "7 "
		  "ns/op\nBenchmarkHash/size-256 x 9 ns/op\nsome words of a log\nBenchmarkHash/size-512 10 "
		  "soon "
		  "ns/op\nPASS\n",
		  &(struct ft_import_options){SIZE("n=name:/size-(\\d+)/")}, NULL) &&
		   import.n == 1 && part_of(&import, "BenchmarkHash/size")->runs.n == 2 &&
		   import.passed[FT_PASSED_PATTERN] == 1 && import.passed[FT_PASSED_BROKEN] == 2 &&
		   strstr(import.broken.text, "f:4: BenchmarkHash/size-256: N: not a number of calls: 'x'"),
	   "go: on one processor no number is taken off; %s", import.broken.text);
	ft_import_clear(&import);
}

static void criterion(void)
{
	static const char estimates[] = "criterion/sort/1000/new/estimates.json";
	struct ft_import import = {0};

	if (!read_data(&import, "criterion/messages.jsonl", NULL))
		return;
	const struct ft_imported *quick = part_of(&import, "sort/quick");
	ok(!strcmp(import.format->name, "criterion") && import.n == 1 && quick->runs.n == 5 &&
		   near(value_of(quick, 0, &ft_wall_s), 1242000e-9 / 30, 1e-12) &&
		   size_of(quick, 4, 0) == 4000 && quick->runs.run[0].work == 1000 && is_estimated(quick, 0),
	   "criterion: samples are sums of their iterations");
	ft_import_clear(&import);
	if (!read_data(&import, "criterion/raw.csv", NULL))
		return;
	quick = part_of(&import, "sort/quick");
	ok(import.n == 2 && quick->runs.n == 4 &&
		   near(value_of(quick, 3, &ft_wall_s), 3700100e-9 / 20, 1e-12) &&
		   quick->runs.run[3].work == 4000,
	   "criterion: rows of raw.csv, too");
	ft_import_clear(&import);
	if (!read_data(&import, estimates, NULL))
		return;
	ok(import.runs == 1 && near(value_of(part_of(&import, "sort"), 0, &ft_wall_s), 41200.5e-9, 1e-12) &&
		   size_of(import.part, 0, 0) == 1000 &&
		   strstr(import.part->runs.run[0].sample[0].reason, "deviation of 0.487 %"),
	   "criterion: the median of estimates.json, called as its folders are");
	ft_import_clear(&import);
	if (!read_data(&import, "criterion/sort/1000/new/sample.json", NULL))
		return;
	ok(import.runs == 2 &&
		   near(value_of(part_of(&import, "sort"), 1, &ft_wall_s), 2460100e-9 / 60, 1e-12),
	   "criterion: sample.json");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"reason\": \"benchmark-complete\", \"id\": \"a/1\", \"unit\": \"ns\", "
		  "\"iteration_count\": [0, "
		  "2], \"measured_values\": [5, 6]}\n{\"reason\": \"benchmark-complete\", \"id\": \"a/2\", "
		  "\"unit\": \"cycles\", \"iteration_count\": [1], \"measured_values\": [5]}\n",
		  NULL, NULL) &&
		   import.runs == 1 && import.passed[FT_PASSED_BROKEN] == 1 &&
		   import.passed[FT_PASSED_METRIC] == 1,
	   "criterion: no iterations, and another counter");
	ft_import_clear(&import);
}

/* Nothing that can be used: words, and nothing is left. */
static void refuses(void)
{
	static const char *const texts[] = {
		"{\"machine_info\": {}, \"benchmarks\": [{\"name\": \"t\", \"stats\": {\"mean\": 1}}]}",
		"{\"commit_hash\": \"a\", \"results\": {\"a.time_x\": [[1], []]}}",
		"{\"benchmarks\": [{\"metadata\": {\"name\": \"a 8\"}, \"runs\": [{\"values\": [\"x\"]}]}]}",
		"[{\"benchmark\": \"a.B.c\", \"primaryMetric\": {}}]",
		"BenchmarkSort/n=5-8 0 5 ns/op\n",
		"{\"reason\": \"benchmark-complete\", \"id\": \"a/1\"}\n",
		"{\"median_abs_dev\": {\"point_estimate\": 1}, \"median\": {\"point_estimate\": null}}",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ft_import import = {0};
		struct ft_err err = {0};

		ok(parse(&import, texts[i], NULL, &err) && *err.text && *err.remedy && !import.part,
		   "refused: %s", err.text);
	}
}

int main(void)
{
	pytest();
	asv();
	pyperf();
	jmh();
	go();
	criterion();
	refuses();
	return done();
}
