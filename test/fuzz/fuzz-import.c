/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-import.c - any bytes as a file of another tool: refused with words and nothing left, or runs that can
 * be true, which are the same when they are exported and imported again. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "foretime/adapt.h"
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fuzz_import_seeds[] = {
	"# foretime: runs 1\n# name: a\n# counters: hits misses\nn,wall_s,hits\n1,1,5\n2,1,6\n",
	"# counters: n\nn,cycles\n2,1\n",
	"# foretime: runs 1\n# name: a\n# where: n < "
	"9\nn,m,wall_s,peak_rss_bytes,outcome,warmup,cost_s,started\n"
	"64,1,0.5,1e6,done,1,0.5,\n128,1,,,timed out,0,1,2026-01-31T12:00:00Z\n",
	"s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\trule_"
	"name\twildcards\t"
	"input_size_mb\n12.5\t0:00:12\t100.00\t-\t90\t95\t1.5\tNA\t96\t12\talign\t{'n': '1024', 'k': "
	"\"a\"}\t{'in': 1.5}\n",
	"{\"h:m:s\": \"0:00:12\", \"s\": 12.5, \"rule_name\": \"a\", \"wildcards\": {\"n\": \"7\"}, "
	"\"max_rss\": \"NA\"}\n",
	"task_id\thash\tname\tstatus\texit\tsubmit\trealtime\t%cpu\tpeak_rss\tn\n1\ta1/0c\tSORT "
	"(n8)\tCOMPLETED\t0\t"
	"2026-03-01 10:00:00.125\t3m 4s\t98.4%\t1.2 GB\t8\n2\ta2/0c\tSORT "
	"(n9)\tFAILED\t137\t-\t650ms\t-\t0\t9\n",
	"JobID|JobName|State|ExitCode|Start|Elapsed|TotalCPU|MaxRSS|ConsumedEnergyRaw|n\n"
	"1|a|COMPLETED|0:0|2026-01-01T00:00:00|1-00:00:03|00:01.408|||8\n1.batch|batch|COMPLETED|0:0||00:03|"
	"00:01.4|96784K|5|\n"
	"2|a|FAILED|0:11|None|00:00:00||||9\n3|a|CANCELLED by 0|0:0|None|00:01||1.5Gn||10\n",
	"{\"results\": [{\"command\": \"./bin/fft 64\", \"user\": 0.1, \"system\": 0.01, \"times\": [0.5, "
	"0.25], "
	"\"exit_codes\": [0, null], \"parameters\": {\"n\": \"64\", \"cc\": \"gcc\"}}]}",
	"{\"context\": {\"host_name\": \"h\"}, \"benchmarks\": [{\"name\": \"sort/64/k:2/real_time\", "
	"\"run_type\": "
	"\"iteration\", \"iterations\": 3, \"real_time\": 5e3, \"cpu_time\": 4e3, \"time_unit\": \"ns\", "
	"\"items_per_second\": 1e6}, {\"name\": \"sort/64/k:2_mean\", \"run_type\": \"aggregate\"}]}",
	"Run on (2 X 2596 MHz CPU "
	"s)\nname,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,"
	"label,error_occurred,error_message\n\"sort/64/k:2\",353,157216,42052.7,ns,,9.7e+07,,,\n"
	"\"sort/64/k:2_mean\",2,1,1,ns,,,,,\n\"sort/8/k:1\",,,,,,,,true,\"too \"\"large\"\"\"\n",
	"{\"machine_info\": {\"node\": \"h\", \"cpu\": {\"count\": 2}}, \"benchmarks\": [{\"name\": "
	"\"t[8-a]\", "
	"\"fullname\": \"m.py::t[8-a]\", \"params\": {\"n\": 8, \"k\": \"a\"}, \"stats\": {\"data\": [0.1, "
	"0.2], "
	"\"iterations\": 2}}, {\"name\": \"t[9-a]\", \"stats\": {\"median\": 0.3, \"rounds\": 5, \"stddev\": "
	"0.1, "
	"\"mean\": 0.3}}]}",
	"{\"commit_hash\": \"a\", \"params\": {\"machine\": \"h\", \"num_cpu\": \"2\"}, \"result_columns\": "
	"[\"result\", \"params\", \"number\", \"repeat\", \"samples\"], \"results\": {\"a.time_b\": [[0.1, "
	"null, NaN, "
	"0.2], [[\"1\", \"2\"], [\"'x'\", \"3\"]], [1], [2], [[0.1, 0.2]]], \"a.peakmem_b\": [[5], "
	"[[\"4\"]]], "
	"\"track_c\": 3}}",
	"{\"benchmarks\": [{\"metadata\": {\"name\": \"sort 8\", \"loops\": 4}, \"runs\": [{\"metadata\": "
	"{\"date\": "
	"\"2026-03-01 10:00:00\", \"mem_max_rss\": 4096}, \"values\": [0.1, 0.2], \"warmups\": [[4, "
	"0.3]]}]}], "
	"\"metadata\": {\"unit\": \"second\", \"hostname\": \"h\"}}",
	"[{\"benchmark\": \"a.B.c\", \"mode\": \"thrpt\", \"threads\": 2, \"measurementTime\": \"1 s\", "
	"\"params\": "
	"{\"n\": \"8\", \"k\": \"x\"}, \"primaryMetric\": {\"score\": 5, \"scoreUnit\": \"ops/ms\", "
	"\"rawData\": "
	"[[5, 6], [7]]}, \"secondaryMetrics\": {\"gc.alloc.rate.norm\": {\"rawData\": [[16, 16]]}}},\n"
	"{\"benchmark\": \"a.B.c\", \"mode\": \"sample\", \"params\": {\"n\": \"9\"}, \"primaryMetric\": "
	"{\"scoreUnit\": \"us/op\", \"rawDataHistogram\": [[[[1.5, 3], [2, 1]]]]}}]",
	"{\"reason\": \"benchmark-complete\", \"id\": \"sort/quick/8\", \"iteration_count\": [3, 6], "
	"\"measured_values\": [30, 66], \"unit\": \"ns\", \"throughput\": [{\"per_iteration\": 8, \"unit\": "
	"\"elements\"}]}\n{\"reason\": \"group-complete\"}\n",
	"group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n"
	"sort,quick,8,8,elements,30,ns,3\n\"s,t\",,9,,,60,ns,6\n",
	"{\"mean\": {\"point_estimate\": 5}, \"median\": {\"point_estimate\": 4}, \"median_abs_dev\": "
	"{\"point_estimate\": 1}}",
	"{\"sampling_mode\": \"Linear\", \"iters\": [1, 2], \"times\": [10, 20]}",
	"goos: linux\npkg: a/b\nBenchmarkSort/n=8-2 \t 20\t 57515 ns/op\t 139.09 MB/s\t 8216 B/op\t 2 "
	"allocs/op\n"
	"BenchmarkFind/x/9 1 5.5 ns/op\nBenchmarkFind/x/9-4 1 5.5 ns/op\nPASS\nok  \ta/b\t0.1s\n",
	"# work: p\nPARAMETER p n\nPOINTS (4 100) (8 100)\nREGION a->b\nMETRIC time\nDATA 8.5 8\nDATA 16 "
	"17\nMETRIC "
	"peak_rss_bytes\nDATA 1\nDATA 2 3\n",
	"{\"params\":{\"p\":4,\"n\":1},\"callpath\":\"a\",\"metric\":\"time\",\"value\":[8.5,8]}\n"
	"{\"params\":{\"n\":1,\"p\":4},\"callpath\":\"a\",\"metric\":\"cpu_s\",\"value\":3}\n",
	"{\"jobs\": [{\"job_id\": 1, \"array\": {\"job_id\": 1, \"task_id\": {\"set\": true, \"number\": "
	"2}}, "
	"\"name\": \"a\", \"state\": {\"current\": [\"FAILED\"]}, \"exit_code\": {\"return_code\": 1}, "
	"\"time\": "
	"{\"elapsed\": 5, \"start\": 9, \"limit\": 3, \"total\": {\"seconds\": 1, \"microseconds\": 5}}, "
	"\"tres\": "
	"{\"allocated\": [{\"type\": \"cpu\", \"count\": 2}]}, \"steps\": [{\"step\": {\"name\": \"batch\"}, "
	"\"tasks\": {\"count\": 2}, \"tres\": {\"requested\": {\"max\": [{\"type\": \"mem\", \"count\": "
	"4096}]}}}]}]}",
	"Job ID: 1\nUser/Group: a/b\nState: FAILED (exit code 1)\nNodes: 2\nCores per node: 2\nCPU Utilized: "
	"00:01:00\nJob Wall-clock time: 00:02:00\nMemory Utilized: 1.50 GB (estimated maximum)\nMemory "
	"Efficiency: 5% of 2.00 GB\n",
	"[{\"title\": \"t\", \"plugin\": \"core\", \"name\": \"runtime_seconds\", \"raw_value\": \"5.0\"}, "
	"{\"plugin\": \"core\", \"name\": \"n\", \"raw_value\": \"7\"}]",
	"job_id,n,metric_name,metric_value\n1,5,runtime_seconds,7\n1,5,memory.peak,9\n",
	"{\"parameters\":[\"p\"],\"measurements\":{\"m\":{\"time\":[{\"point\":[2],\"values\":[1.0,1.5]}]}}}",
	"{\"callpaths\":[{\"id\":1,\"name\":\"m\"}],\"coordinates\":[{\"id\":1,\"parameter_value_pairs\":[{"
	"\"parameter_id\":"
	"1,\"parameter_value\":2}]}],\"measurements\":[{\"callpath_id\":1,\"coordinate_id\":1,\"metric_id\":"
	"1,\"value\":1."
	"5}],\"metrics\":[{\"id\":1,\"name\":\"time\"}],\"parameters\":[{\"id\":1,\"name\":\"p\"}]}",
	"{\"parameters\":{\"x\":1};\"metric\":\"time\";\"callpath\":\"c\";\"value\":3}\n",
	"{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [{\"name\": \"a_1\", "
	"\"id\": \"a\", "
	"\"inputFiles\": [\"f\"]}], \"files\": [{\"id\": \"f\", \"sizeInBytes\": 5}]}, \"execution\": "
	"{\"tasks\": [{\"id\": "
	"\"a\", \"runtimeInSeconds\": 2, \"avgCPU\": 90, \"coreCount\": 2, \"memoryInBytes\": 7}]}}}",
	"Command terminated by signal 9\n\tCommand being timed: \"./a -t 2 --n=64 7\"\n\tUser time "
	"(seconds): "
	"1.5\n\tSystem time (seconds): 0.5\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.5\n\tMaximum "
	"resident set size (kbytes): 10\n\tExit status: 0\n",
	"# started on\n\n1.5,msec,task-clock:u,100,50.00,0.5,CPUs utilized\n9,,cycles,100,100.00,,\n<not "
	"counted>,,branches,0,0.00,,\n",
	"{\"counter-value\" : \"3.5\", \"unit\" : \"ns\", \"event\" : \"duration_time\", \"pcnt-running\" : "
	"100.00}\n",
	"{\"schema\": \"foretime-export-1\", \"name\": \"a\", \"work\": \"n\", \"where\": null, \"params\": "
	"[{\"name\": "
	"\"n\"}], \"machine\": {\"fingerprint\": \"00\"}, \"runs\": [{\"size\": {\"n\": 3}, \"outcome\": "
	"\"done\", "
	"\"exit_status\": 0, \"signal\": 0, \"warmup\": false, \"cost_s\": 1, \"started\": "
	"\"2026-01-31T12:00:00Z\", "
	"\"detail\": \"x\", \"samples\": {\"wall_s\": {\"value\": 1, \"label\": \"measured\", \"probe\": "
	"\"clock\"}}}]}",
	NULL,
};

const char *const fuzz_import_pieces[] = {
	",",  "\t",    "|",     "\"",   "'",    "{",    "}",       "[",    "]",  ":",    "\n",     "-",
	"NA", "1e999", "-5",    "0",    "40T",  "1-2:", "{'a': 1", "null", "#",  "\r\n", "wall_s", "n",
	" ",  "(4 8)", "DATA ", "9e15", "\\u0", "true", "/",       "\xff", "\\", "done", "1.5 GB", NULL,
};

/* What must hold of any run. */
static const char *check_run(const struct ft_run *run)
{
	for (size_t i = 0; i < run->size.n; i++)
		if (!isfinite(run->size.value[i]))
			return "sizes are finite";
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct ft_sample *sample = &run->sample[i];

		if (!sample->resource || !*sample->resource->name)
			return "samples are of resources";
		if (sample->label == FT_UNAVAILABLE ? !isnan(sample->value)
						    : !(sample->value >= 0 && isfinite(sample->value)))
			return "values are finite and not negative, or unavailable";
	}
	if (run->outcome == FT_DONE && !run->n_samples)
		return "a run that ended well has a value";
	if (run->outcome == FT_DONE && ft_run_value(run, &ft_wall_s) <= 0)
		return "no run takes no time";
	return run->cost_s >= 0 && isfinite(run->cost_s) ? NULL : "cost is a number";
}

static const char *check_part(const struct ft_imported *part)
{
	const char *broken = NULL;

	if (!part->runs.n || !part->program.n_params || !*part->program.name || *part->program.name == '-')
		return "a program has a name, parameters and runs";
	for (const char *at = part->program.name; *at; at++)
		if ((unsigned char)*at < ' ')
			return "no control characters in names";
	for (size_t i = 0; i < part->runs.n && !broken; i++) {
		broken = check_run(&part->runs.run[i]);
		if (part->runs.run[i].size.n != part->program.n_params)
			broken = "a size has a value for each parameter";
	}
	return broken;
}

/* Our own table of it reads back. */
static const char *check_export(const struct ft_imported *part)
{
	const struct ft_format *csv;
	struct ft_import again = {0};
	struct ft_err err = {0};
	size_t dropped = 0;
	char *text = NULL;
	const char *broken = NULL;
	struct ft_import_options options = {.name = "again",
					    .format = "csv",
					    .strict = true,
					    .param = part->program.param,
					    .n_params = part->program.n_params,
					    .memory_bytes = 1e300};

	if (ft_format_find("csv", &csv, NULL) ||
	    ft_export_write(csv, &part->program, NULL, &part->runs, &text, NULL, NULL))
		broken = "it can be exported";
	else if (ft_import_parse(&again, "again", text, strlen(text), &options, &err))
		broken = "what is exported can be imported";
	else if (again.n != 1 || again.part[0].runs.n != part->runs.n ||
		 ft_import_fresh(&again.part[0].runs, &part->runs, &dropped, NULL) || dropped != part->runs.n)
		broken = "the same runs again";
	ft_import_clear(&again);
	ft_free(text);
	return broken;
}

/* The first byte, below 32, chooses the format. */
const char *fuzz_import(const uint8_t *bytes, size_t length)
{
	size_t skip = length && bytes[0] < 32, i;
	struct ft_import_options options = {
		.format = skip && ft_format_get(bytes[0]) ? ft_format_get(bytes[0])->name : NULL,
		.name = length % 2 ? "x" : NULL,
		.memory_bytes = 1e300};
	struct ft_import import = {0};
	struct ft_err err = {0};
	const char *broken = NULL;

	if (ft_import_parse(&import, "f", (const char *)bytes + skip, length - skip, &options, &err)) {
		broken = import.part || import.machine.fingerprint ? "a refusal leaves nothing" : NULL;
		return *err.text && *err.remedy ? broken : "a refusal has words and a remedy";
	}
	for (i = 0; i < import.n && !broken; i++)
		broken = check_part(&import.part[i]);
	for (i = 0; i < import.n && i < 3 && !broken; i++)
		broken = check_export(&import.part[i]);
	if (!broken && (!import.n || !import.runs))
		broken = "there are runs";
	ft_import_clear(&import);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_import)
#endif
