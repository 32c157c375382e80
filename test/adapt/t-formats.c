/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-formats.c - files of the real tools, and of the documented forms, value by value
 * (test/adapt/data/README). */
#include "adapt-test.h"
#include "facts/door.h"

#define SIZE(...)                                                                                            \
	.size = (const char *const[]){__VA_ARGS__},                                                          \
	.n_sizes = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)

static void hyperfine(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "hyperfine.json", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "fft");
	ok(!strcmp(import.format->name, "hyperfine") && import.n == 1 && part->runs.n == 20 &&
		   import.runs == 20,
	   "hyperfine: recognised; five results of four times each");
	ok(part->program.n_params == 1 && !strcmp(part->program.param[0].name, "n") &&
		   part->program.param[0].least == 65536 && part->program.param[0].most == 1048576,
	   "hyperfine: its parameter, and the range of the data");
	ok(value_of(part, 1, &ft_wall_s) == 0.032034506000000004 && size_of(part, 1, 0) == 65536 &&
		   size_of(part, 19, 0) == 1048576 && outcome_of(part, 1) == FT_DONE &&
		   part->runs.run[1].cost_s == 0.032034506000000004,
	   "hyperfine: every time");
	ok(value_of(part, 0, &ft_user_s) == 0.00808425 &&
		   near(value_of(part, 0, &ft_cpu_s), 0.00808425 + 0.00113975, 1e-15) &&
		   part->runs.run[0].sample[0].label == FT_MEASURED &&
		   part->runs.run[0].sample[1].label == FT_ESTIMATED &&
		   !strcmp(part->runs.run[0].sample[0].probe, "hyperfine"),
	   "hyperfine: processor seconds are means, and so estimated");
	ok(isnan(value_of(part, 1, &ft_cpu_s)) && isnan(value_of(part, 3, &ft_user_s)) &&
		   part->runs.run[1].sample[1].label == FT_UNAVAILABLE &&
		   part->runs.run[1].sample[1].reason && value_of(part, 4, &ft_cpu_s) > 0,
	   "hyperfine: one value a size, for as many that agree would have no noise");
	ft_import_clear(&import);
	if (!read_data(&import, "hyperfine-failing.json", NULL))
		return;
	part = part_of(&import, "sh-clang");
	ok(import.n == 4 && part_of(&import, "sort-gcc")->runs.n == 6 && part->runs.n == 6 &&
		   outcome_of(part, 0) == FT_FAILED && part->runs.run[0].exit_status == (100000 & 255),
	   "hyperfine: parameters in words tell programs apart; exit codes");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"results\": [{\"command\": \"/bin/x 3\", \"times\": [0.5, 0.25, 0.0], "
		  "\"memory_usage_byte\": [1024, "
		  "2048, 1], \"exit_codes\": [0, null, 0], \"user\": 0.1, \"system\": 0.1}]}",
		  &(struct ft_import_options){SIZE("n=command:/x (\\d+)/")}, NULL),
	   "hyperfine: memory, where the version has it");
	part = part_of(&import, "x");
	ok(part->runs.n == 2 && value_of(part, 0, &ft_peak_rss_bytes) == 1024 &&
		   outcome_of(part, 1) == FT_CRASHED && size_of(part, 0, 0) == 3 &&
		   import.passed[FT_PASSED_SHORT] == 1,
	   "hyperfine: ended by a signal; below the start-up of the shell");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"results\": [{\"command\": \"A=1 B='x y' ./bin/prog 1M\", \"times\": [0.5], "
		  "\"parameters\": {\"size\": \"1M\", \"cc\": \"gcc\"}},\n"
		  "{\"command\": \"env A=1 /usr/bin/prog 10M\", \"times\": [5], \"parameters\": "
		  "{\"size\": \"10M\", \"cc\": \"gcc\"}}]}",
		  NULL, NULL) &&
		   import.n == 1 && size_of(part_of(&import, "prog-gcc"), 1, 0) == 10e6,
	   "hyperfine: variables before the program; sizes with units leave its name");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"results\": [{\"command\": \"prog in_100.txt\", \"times\": [0.5], \"parameters\": "
		  "{\"input\": \"in_100.txt\"}},\n{\"command\": \"prog in_200.txt\", \"times\": [1], "
		  "\"parameters\": {\"input\": \"in_200.txt\"}}]}",
		  &(struct ft_import_options){SIZE("n=input:/_(\\d+)/")}, NULL) &&
		   import.n == 1 && part_of(&import, "prog")->runs.n == 2,
	   "hyperfine: a parameter that --size uses leaves the program's name");
	ft_import_clear(&import);
}

static void gbench(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "gbench.json", NULL))
		return;
	const struct ft_imported *sort = part_of(&import, "sort");
	const struct ft_imported *nth = part_of(&import, "nth");
	ok(!strcmp(import.format->name, "gbench") && import.n == 2 && sort->runs.n == 15 &&
		   nth->runs.n == 12 && import.passed[FT_PASSED_AGGREGATE] == 32,
	   "gbench: two benchmarks, repetitions taken, their means and deviations passed over");
	ok(sort->program.n_params == 1 && !strcmp(sort->program.param[0].name, "n") &&
		   sort->program.param[0].least == 1024 && sort->program.param[0].most == 262144,
	   "gbench: an argument without a name is n");
	ok(nth->program.n_params == 2 && !strcmp(nth->program.param[1].name, "k") &&
		   size_of(nth, 0, 0) == 4096 && size_of(nth, 0, 1) == 16,
	   "gbench: arguments with names");
	ok(value_of(nth, 0, &ft_wall_s) > 1e-6 && value_of(nth, 0, &ft_wall_s) < 1e-3 &&
		   value_of(sort, 0, &ft_wall_s) > 1e-6 && value_of(sort, 0, &ft_wall_s) < 1e-3,
	   "gbench: microseconds and nanoseconds in seconds");
	ok(sort->runs.run[0].sample[0].label == FT_ESTIMATED && sort->runs.run[0].sample[0].reason,
	   "gbench: times of many iterations are means, and so estimated");
	ok(near(sort->runs.run[0].work, 1024, 1e-6) && near(nth->runs.run[0].work, 4096 * 8, 1e-6),
	   "gbench: items, else bytes, are the work of one iteration: %.9g %.9g", sort->runs.run[0].work,
	   nth->runs.run[0].work);
	ok(outcome_of(nth, 9) == FT_FAILED && !strcmp(nth->runs.run[9].detail, "k is larger than n") &&
		   nth->runs.run[9].n_samples == 0,
	   "gbench: an error that a benchmark reports");
	ok(import.machine.host && !import.machine.fingerprint, "gbench: the host of its context");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"context\": {}, \"benchmarks\": [{\"name\": \"f/8/real_time/threads:2\", "
		  "\"real_time\": 5, \"cpu_time\": 9, \"time_unit\": \"s\", \"threads\": 2}]}",
		  NULL, NULL) &&
		   import.n == 1 && import.part[0].program.n_params == 2 &&
		   !strcmp(import.part[0].program.name, "f") && size_of(import.part, 0, 1) == 2,
	   "gbench: threads are a parameter");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"context\": {}, \"benchmarks\": [{\"name\": \"f/8\", \"iterations\": 10, \"real_time\": "
		  "5, "
		  "\"cpu_time\": 4, \"time_unit\": \"ms\"},\n{\"name\": \"f/8_mean\", \"real_time\": 5, "
		  "\"time_unit\": \"ms\"},\n{\"name\": \"f_BigO\", \"cpu_coefficient\": 1, \"time_unit\": "
		  "\"ms\"},\n{\"name\": \"f_RMS\", \"rms\": 0.1}]}",
		  NULL, NULL) &&
		   import.runs == 1 && import.passed[FT_PASSED_AGGREGATE] == 3 &&
		   import.passed[FT_PASSED_BROKEN] == 0,
	   "gbench: summaries of versions that do not mark them");
	ft_import_clear(&import);
	if (!read_data(&import, "gbench.csv", NULL))
		return;
	sort = part_of(&import, "sorted");
	ok(!strcmp(import.format->name, "gbench") && import.n == 2 && sort->runs.n == 4 &&
		   import.passed[FT_PASSED_AGGREGATE] == 14,
	   "gbench: CSV behind lines about the machine; summaries passed over");
	ok(size_of(sort, 2, 0) == 4096 && near(value_of(sort, 2, &ft_wall_s), 157216e-9, 1e-12) &&
		   near(value_of(sort, 2, &ft_cpu_s), 42052.7e-9, 1e-12) &&
		   near(sort->runs.run[2].work, 4096, 1e-4) &&
		   sort->runs.run[2].sample[0].label == FT_ESTIMATED,
	   "gbench: a row of CSV as the entry of JSON");
	ok(outcome_of(part_of(&import, "broken"), 2) == FT_FAILED &&
		   !strcmp(part_of(&import, "broken")->runs.run[2].detail, "too \"large\", really"),
	   "gbench: an error in CSV");
	ft_import_clear(&import);
}

static void snakemake(void)
{
	static const char *const files[] = {"2000000", "4000000", "8000000", "16000000"};
	struct ft_import_options options = {.name = "sort", SIZE("n=path:/([0-9]+)[.]tsv/")};
	struct ft_import import = {0};

	for (size_t i = 0; i < 4; i++) {
		char name[64];

		(void)snprintf(name, sizeof name, "snakemake/%s.tsv", files[i]);
		if (!read_data(&import, name, &options))
			return;
	}
	const struct ft_imported *part = part_of(&import, "sort");
	ok(import.n == 1 && part->runs.n == 12 && part->program.param[0].least == 2e6 &&
		   part->program.param[0].most == 16e6 && size_of(part, 3, 0) == 4e6,
	   "snakemake: four files, three repetitions each, sizes from their names");
	ok(value_of(part, 9, &ft_wall_s) == 4.7276 &&
		   near(value_of(part, 9, &ft_peak_tree_bytes), 187.82 * 0x1p20, 1e-15) &&
		   value_of(part, 9, &ft_cpu_s) == 3.12 && value_of(part, 9, &ft_read_bytes) == 0,
	   "snakemake: MiB of the process tree; nothing read");
	ok(isnan(value_of(part, 0, &ft_peak_tree_bytes)) && part->runs.run[0].n_samples == 2 &&
		   part->runs.run[0].sample[1].label == FT_UNAVAILABLE && part->runs.run[0].sample[1].reason,
	   "snakemake: no memory of a job that ended before the second look");
	ft_import_clear(&import);
	options = (struct ft_import_options){SIZE("bytes=input_bytes")};
	ok(!ft_import_read(&import, data_path("snakemake-extended.tsv"),
			   &(struct ft_import_options){.format = "snakemake"}, NULL) &&
		   import.n == 2 && size_of(part_of(&import, "index"), 0, 0) == 2048 &&
		   value_of(part_of(&import, "index"), 0, &ft_wall_s) == 86401,
	   "snakemake: a program for each rule; n is a wildcard");
	ft_import_clear(&import);
	ok(!ft_import_read(&import, data_path("snakemake-extended.tsv"),
			   &(struct ft_import_options){.name = "{rule_name}-{sample}",
						       SIZE("k=jobid", "n=wildcards.n")},
			   NULL) &&
		   part_of(&import, "align-it_s")->runs.n == 1 && part_of(&import, "index-o_k")->runs.n == 1,
	   "snakemake: dictionaries as Python prints them");
	ft_import_clear(&import);
	ok(!ft_import_read(&import, data_path("snakemake-extended.jsonl"), NULL, NULL) && import.n == 2 &&
		   !strcmp(import.format->name, "snakemake") &&
		   size_of(part_of(&import, "align"), 0, 0) == 1024 &&
		   value_of(part_of(&import, "align"), 0, &ft_read_bytes) == 1.5 * 0x1p20 &&
		   part_of(&import, "index")->runs.run[0].n_samples == 1,
	   "snakemake: JSON lines");
	ft_import_clear(&import);
	options.name = "a";
	ok(!parse(&import,
		  "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\trule_"
		  "name\tinput_size_mb\n"
		  "2\t0:00:02\t1\t1\t1\t1\t1\t1\t1\t1\ta\t{'x, y': 1.5, \"z'\": 0.5}\n",
		  &options, NULL) &&
		   size_of(part_of(&import, "a"), 0, 0) == 2 * 0x1p20,
	   "snakemake: the bytes of all input files");
	ft_import_clear(&import);
}

static void nextflow(void)
{
	struct ft_import_options options = {SIZE("n=name:/n(\\d+)/")};
	struct ft_import import = {0}, amounts = {0};

	if (!read_data(&import, "nextflow.txt", &options))
		return;
	const struct ft_imported *sort = part_of(&import, "ALIGN:SORT");
	const struct ft_imported *index = part_of(&import, "ALIGN:INDEX");
	ok(!strcmp(import.format->name, "nextflow") && import.n == 2 && sort->runs.n == 4 &&
		   index->runs.n == 3 && import.passed[FT_PASSED_CACHED] == 1 &&
		   import.passed[FT_PASSED_UNFINISHED] == 1,
	   "nextflow: a program for each process; cached and running tasks are passed over");
	ok(value_of(sort, 0, &ft_wall_s) == 8 && value_of(sort, 1, &ft_wall_s) == 184 &&
		   value_of(index, 0, &ft_wall_s) == 0.003 && value_of(index, 1, &ft_wall_s) == 3660,
	   "nextflow: durations");
	ok(near(value_of(sort, 0, &ft_peak_tree_bytes), 1.2 * 0x1p30, 1e-15) &&
		   isnan(value_of(index, 0, &ft_peak_tree_bytes)) &&
		   near(value_of(index, 1, &ft_peak_tree_bytes), 900.5 * 1024, 1e-15),
	   "nextflow: memory in powers of 1024; none where nobody looked");
	ok(value_of(sort, 0, &ft_input_bytes) == 2 * 1048576 && value_of(sort, 1, &ft_output_bytes) == 1024,
	   "nextflow: bytes read and written, cached or not");
	ok(near(value_of(sort, 1, &ft_cpu_s), 1.87 * 184, 1e-12) &&
		   sort->runs.run[1].sample[4].label == FT_ESTIMATED,
	   "nextflow: processor seconds are estimated from their share");
	ok(!parse(&amounts,
		  "task_id\tname\tstatus\texit\trealtime\trchar\n1\tp\tCOMPLETED\t0\t2s\t3 KB\n"
		  "2\tp\tFAILED\t1\t-\t-\n3\tp\tCOMPLETED\t0\t3s\t1.5 MB\n",
		  &(struct ft_import_options){SIZE("n=rchar")}, NULL) &&
		   amounts.runs == 2 && size_of(amounts.part, 1, 0) == 1.5 * 0x1p20 &&
		   amounts.passed[FT_PASSED_BROKEN] == 1 &&
		   strstr(amounts.broken.text, "f:3: column 6 (rchar): the size is not a number: '-'"),
	   "nextflow: amounts as sizes, and a task that has none");
	ft_import_clear(&amounts);
	ok(outcome_of(sort, 2) == FT_OUT_OF_MEMORY && sort->runs.run[2].signal == 9 &&
		   outcome_of(sort, 3) == FT_INTERRUPTED && outcome_of(index, 2) == FT_FAILED &&
		   index->runs.run[2].exit_status == 1,
	   "nextflow: how tasks end");
	ft_import_clear(&import);
	options = (struct ft_import_options){SIZE("n=tag:/n(\\d+)/")};
	if (!read_data(&import, "nextflow-raw.txt", &options))
		return;
	sort = part_of(&import, "SORT");
	ok(sort->runs.n == 2 && value_of(sort, 0, &ft_wall_s) == 8 && value_of(sort, 1, &ft_wall_s) == 184 &&
		   value_of(sort, 0, &ft_peak_tree_bytes) == 1288490188 &&
		   value_of(sort, 0, &ft_read_bytes) == 1048576 &&
		   value_of(sort, 1, &ft_written_bytes) == 8192 &&
		   value_of(sort, 1, &ft_voluntary_switches) == 40 &&
		   sort->runs.run[0].started_ns == INT64_C(1772359201000) * 1000000,
	   "nextflow: raw values");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "task_id\tname\tstatus\trealtime\tstart\tn\n1\tp\tCOMPLETED\t1000\t1700000000000\t1\n"
		  "2\tp\tCOMPLETED\t1000\t9999999999999\t1\n",
		  NULL, NULL) &&
		   import.part[0].runs.run[0].started_ns == INT64_C(1700000000000000000) &&
		   !import.part[0].runs.run[1].started_ns,
	   "nextflow: a moment past all moments is none");
	ft_import_clear(&import);
}

static void sacct(void)
{
	struct ft_import_options options = {SIZE("n=JobName:/_(\\d+)$/")};
	struct ft_import import = {0};

	if (!read_data(&import, "sacct.txt", &options))
		return;
	const struct ft_imported *sort = part_of(&import, "sort");
	const struct ft_imported *steps = part_of(&import, "steps");
	ok(!strcmp(import.format->name, "sacct") && import.n == 7 && sort->runs.n == 4 && import.runs == 10 &&
		   import.passed[FT_PASSED_PATTERN] == 2 && import.passed[FT_PASSED_SHORT] == 1,
	   "sacct: %zu programs, named without their sizes; a job of no second is too short", import.n);
	ok(size_of(sort, 3, 0) == 32e6 && value_of(sort, 3, &ft_wall_s) == 18 &&
		   near(value_of(sort, 3, &ft_cpu_s), 6.469, 1e-15) &&
		   value_of(sort, 3, &ft_peak_tree_bytes) == 378160 * 1024.0,
	   "sacct: seconds of the job, memory of its batch step");
	ok(value_of(steps, 0, &ft_peak_tree_bytes) == 142116 * 1024.0 &&
		   value_of(steps, 0, &ft_wall_s) == 10 &&
		   near(value_of(steps, 0, &ft_read_bytes), 0.06 * 0x1p20, 0.2) &&
		   isnan(value_of(steps, 0, &ft_energy_j)),
	   "sacct: the largest step; no energy where nothing counts it");
	ok(outcome_of(part_of(&import, "fail"), 0) == FT_FAILED &&
		   part_of(&import, "fail")->runs.run[0].exit_status == 3 &&
		   outcome_of(part_of(&import, "crash"), 0) == FT_CRASHED &&
		   part_of(&import, "crash")->runs.run[0].signal == 11 &&
		   outcome_of(part_of(&import, "late"), 0) == FT_TIMED_OUT &&
		   outcome_of(part_of(&import, "stopped"), 0) == FT_NOT_STARTED,
	   "sacct: how jobs end");
	ok(sort->runs.run[1].started_ns > 0 && sort->runs.run[0].sample[0].label == FT_ESTIMATED,
	   "sacct: when they began; short ones are of whole seconds");
	ft_import_clear(&import);
	options = (struct ft_import_options){.by = "JobName", SIZE("n=JobID:/_(\\d+)$/")};
	ok(!ft_import_read(&import, data_path("sacct.txt"), &options, NULL) && import.n == 1 &&
		   part_of(&import, "list")->runs.n == 2 && size_of(part_of(&import, "list"), 1, 0) == 2,
	   "sacct: an array job, sizes from its indices");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "JobID|JobName|Elapsed|State|MaxRSS|ConsumedEnergyRaw|TotalCPU\n"
		  "7|a_1|1-02:03:04|COMPLETED|||1-02:03:04\n7.batch|batch|02:00|COMPLETED|1.5G|30|00:01.5\n"
		  "7.extern|extern|02:00|COMPLETED|9G|7|00:00\n7.0|x|02:00|COMPLETED|2G|12|00:01\n"
		  "8|a_2|05:00|OUT_OF_MEMORY|||\n8.batch|batch|05:00|OUT_OF_MEMORY|3G||\n"
		  "9|a_3|00:00|RUNNING|||\n10|a_4|10:00|CANCELLED by 1000|||\n11|a_5|00:10|NODE_FAIL|||\n"
		  "12|a_6|00:10|COMPLETED+|||\n",
		  &(struct ft_import_options){SIZE("n=JobName:/a_(.)/")}, NULL),
	   "sacct: rows by hand");
	sort = part_of(&import, "a");
	ok(value_of(sort, 0, &ft_wall_s) == 93784 && value_of(sort, 0, &ft_cpu_s) == 93784 &&
		   value_of(sort, 0, &ft_peak_tree_bytes) == 0x1p31 &&
		   value_of(sort, 0, &ft_energy_j) == 42 && sort->runs.n == 5,
	   "sacct: days and hours; the largest of memory, the sum of energy, nothing of .extern");
	ok(outcome_of(sort, 1) == FT_OUT_OF_MEMORY && value_of(sort, 1, &ft_peak_tree_bytes) == 3 * 0x1p30 &&
		   outcome_of(sort, 2) == FT_INTERRUPTED && outcome_of(sort, 3) == FT_INTERRUPTED &&
		   outcome_of(sort, 4) == FT_DONE && import.passed[FT_PASSED_UNFINISHED] == 1,
	   "sacct: killed for memory, cancelled, and not yet ended");
	ft_import_clear(&import);
}

/* Tasks that met a limit, by how they ended and by what they asked for. */
static void limits(void)
{
	struct ft_import import = {0};

	ok(!parse(&import,
		  "task_id\thash\tname\tstatus\texit\trealtime\tpeak_rss\ttime\tmemory\n"
		  "1\ta1\tSORT (n1)\tCOMPLETED\t0\t1m\t1 GB\t10m\t4 GB\n"
		  "2\ta2\tSORT (n2)\tFAILED\t137\t2m\t3 GB\t10m\t4 GB\n"
		  "3\ta3\tSORT (n3)\tFAILED\t140\t10m\t2 GB\t-\t-\n"
		  "4\ta4\tSORT (n4)\tFAILED\t143\t9m 58s\t2 GB\t10m\t4 GB\n"
		  "5\ta5\tSORT (n5)\tFAILED\t143\t3m\t2 GB\t10m\t4 GB\n"
		  "6\ta6\tSORT (n6)\tFAILED\t137\t10m 2s\t2 GB\t10m\t4 GB\n"
		  "7\ta7\tSORT (n7)\tFAILED\t1\t10m\t2 GB\t10m\t4 GB\n",
		  &(struct ft_import_options){SIZE("n=name:/n(\\d)/")}, NULL),
	   "nextflow: what tasks asked for");
	const struct ft_imported *sort = part_of(&import, "SORT");
	ok(outcome_of(sort, 1) == FT_OUT_OF_MEMORY &&
		   ft_run_limit(&sort->runs.run[1], &ft_peak_tree_bytes) == 4 * 0x1p30,
	   "137 is memory: at least what it was given");
	ok(outcome_of(sort, 2) == FT_TIMED_OUT && ft_run_limit(&sort->runs.run[2], &ft_wall_s) == 600 &&
		   outcome_of(sort, 3) == FT_TIMED_OUT &&
		   ft_run_limit(&sort->runs.run[3], &ft_wall_s) == 598 && outcome_of(sort, 5) == FT_TIMED_OUT,
	   "140 is time; 143 and 137 where it was up");
	ok(outcome_of(sort, 4) == FT_CRASHED && outcome_of(sort, 6) == FT_FAILED, "others are none");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "JobID|JobName|State|ExitCode|Elapsed|MaxRSS|Timelimit|ReqMem\n"
		  "1|s_1|TIMEOUT|0:0|00:20:05||00:20:00|4Gn\n1.batch|batch|CANCELLED|0:15|00:20:06|1G||\n"
		  "2|s_2|FAILED|0:9|00:01:00||UNLIMITED|4Gn\n2.batch|batch|FAILED|0:9|00:01:00|3G||\n"
		  "3|s_3|FAILED|140:0|00:02:00||1-00:00:00|\n",
		  &(struct ft_import_options){SIZE("n=JobName:/s_(.)/")}, NULL),
	   "sacct: what jobs asked for");
	sort = part_of(&import, "s");
	ok(outcome_of(sort, 0) == FT_TIMED_OUT && sort->runs.run[0].asked_s == 1200 &&
		   ft_run_limit(&sort->runs.run[0], &ft_wall_s) == 1205 &&
		   outcome_of(sort, 1) == FT_OUT_OF_MEMORY &&
		   ft_run_limit(&sort->runs.run[1], &ft_peak_tree_bytes) == 4 * 0x1p30 &&
		   !(sort->runs.run[1].asked_s > 0) && outcome_of(sort, 2) == FT_TIMED_OUT &&
		   sort->runs.run[2].asked_s == 86400,
	   "sacct: limits, and what was asked");
	ft_import_clear(&import);
}

static void extrap(void)
{
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "extrap.txt", NULL))
		return;
	const struct ft_imported *solve = part_of(&import, "main->solve");
	const struct ft_imported *read = part_of(&import, "main->read");
	ok(!strcmp(import.format->name, "extrap") && import.n == 2 && solve->runs.n == 9 &&
		   read->runs.n == 3 && import.runs == 12 && import.passed[FT_PASSED_METRIC] == 3,
	   "extrap: two regions; a metric that is no resource is passed over");
	ok(solve->program.n_params == 2 && !strcmp(solve->program.param[0].name, "p") &&
		   size_of(solve, 3, 0) == 8 && size_of(solve, 3, 1) == 100,
	   "extrap: parameters and points");
	ok(value_of(solve, 4, &ft_wall_s) == 16 && value_of(solve, 4, &ft_peak_rss_bytes) == 2010 &&
		   isnan(value_of(solve, 5, &ft_peak_rss_bytes)) && solve->runs.run[4].cost_s == 16,
	   "extrap: the k-th values of all metrics are of one run");
	ft_import_clear(&import);
	if (!read_data(&import, "extrap.jsonl", NULL))
		return;
	solve = part_of(&import, "solve");
	ok(!strcmp(import.format->name, "extrap-lines") && solve->runs.n == 4 &&
		   value_of(solve, 2, &ft_wall_s) == 16.5 && value_of(solve, 2, &ft_peak_rss_bytes) == 2000 &&
		   size_of(solve, 2, 0) == 8 && size_of(solve, 2, 1) == 100,
	   "extrap-lines: in whatever order the parameters stand");
	ft_import_clear(&import);
	ok(!parse(&import, "PARAMETER n\nPOINTS 1 2\nDATA 5\nDATA 6\n",
		  &(struct ft_import_options){
			  .name = "x", .value = (const char *const[]){"cpu_s=value:ms"}, .n_values = 1},
		  NULL) &&
		   value_of(part_of(&import, "x"), 1, &ft_cpu_s) == 0.006,
	   "extrap: without region and metric, named by the user");
	ft_import_clear(&import);
	ok(parse(&import, "{\"params\":{\"x\":20},\"metric\":\"metr\",\"value\":82}\n",
		 &(struct ft_import_options){.name = "x"}, &err) == FT_EINVAL &&
		   strstr(err.remedy, "--value wall_s=metr"),
	   "extrap: a metric that is no resource alone, and the remedy: %s", err.remedy);
	ft_import_clear(&import);
	ok(!parse(&import,
		  "PARAMETER p s\n\nPOINTS ( 2 10 ) ( 4 10 )\nPOINTS ( 8 10 )\n\nMETRIC time\nREGION main\n"
		  "# 2 + s * log(p)\nDATA\t10.84\nDATA\t19.68 20\nDATA\t+28.52\n\nMETRIC flops\nREGION "
		  "main\nDATA 1\n"
		  "DATA 2\nDATA 3\n",
		  NULL, NULL) &&
		   part_of(&import, "main")->runs.n == 4 && size_of(part_of(&import, "main"), 3, 0) == 8 &&
		   import.passed[FT_PASSED_METRIC] == 3,
	   "extrap: points in several lines, remarks between, tabs, a metric again for the same region");
	ft_import_clear(&import);
}

int main(void)
{
	hyperfine();
	gbench();
	snakemake();
	nextflow();
	sacct();
	limits();
	extrap();
	return done();
}
