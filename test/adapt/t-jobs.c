/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-jobs.c - sacct --json, seff, and Galaxy's job metrics (test/adapt/data/README). */
#include "adapt-test.h"
#include "adapt/adapt.h"
#include "base/random.h"

#include <time.h>

#define SIZE(...)                                                                                            \
	.size = (const char *const[]){__VA_ARGS__},                                                          \
	.n_sizes = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)

/* Whether two runs say the same, but for amounts that sacct -P rounds. */
static bool same_run(const struct ft_run *a, const struct ft_run *b)
{
	static const struct ft_resource *const exact[] = {&ft_wall_s,   &ft_cpu_s,           &ft_user_s,
							  &ft_system_s, &ft_peak_tree_bytes, &ft_energy_j};
	static const struct ft_resource *const rounded[] = {&ft_read_bytes, &ft_written_bytes};

	for (size_t i = 0; i < 6; i++)
		if (!near(ft_run_value(a, exact[i]), ft_run_value(b, exact[i]), 1e-12) &&
		    !(isnan(ft_run_value(a, exact[i])) && isnan(ft_run_value(b, exact[i]))))
			return false;
	for (size_t i = 0; i < 2; i++)
		if (fabs(ft_run_value(a, rounded[i]) - ft_run_value(b, rounded[i])) > 1)
			return false;
	return a->outcome == b->outcome && a->exit_status == b->exit_status && a->signal == b->signal &&
	       a->started_ns == b->started_ns && ft_size_equal(&a->size, &b->size) &&
	       (a->asked_bytes == b->asked_bytes || isnan(a->asked_bytes));
}

static void sacct_json(const char *name)
{
	struct ft_import_options options = {.name = "{JobName}", SIZE("n=JobID:/(\\d+)$/")};
	struct ft_import table = {0}, import = {0};
	size_t same = 0, all = 0;

	(void)setenv("TZ", "UTC", 1); /* sacct -P prints local time */
	if (!read_data(&table, "sacct.txt", &options) || !read_data(&import, name, &options))
		return;
	for (size_t i = 0; i < import.n; i++) {
		const struct ft_imported *part = &import.part[i],
					 *other = part_of(&table, part->program.name);

		for (size_t j = 0; j < part->runs.n; j++, all++)
			for (size_t k = 0; k < other->runs.n; k++)
				if (ft_size_equal(&part->runs.run[j].size, &other->runs.run[k].size))
					same += same_run(&part->runs.run[j], &other->runs.run[k]);
	}
	ok(!strcmp(import.format->name, "sacct-json") && all == 8 && same == all,
	   "%s: %zu of %zu runs are those of sacct -P", name, same, all);
	const struct ft_imported *part = part_of(&import, "hungry_1");
	ok(part->runs.n == 1 && part->runs.run[0].asked_s == 3600 &&
		   part->runs.run[0].asked_bytes == 50 * 0x1p20,
	   "%s: what was asked for", name);
	ft_import_clear(&table);
	ft_import_clear(&import);
}

static void broken_json(void)
{
	static const char text[] = "{\"jobs\": [\n"
				   "{\"job_id\": 1, \"name\": \"a_1\", \"state\": {\"current\": "
				   "[\"COMPLETED\"]}, \"time\": {\"elapsed\": 200}, "
				   "\"steps\": [{\"step\": {\"name\": \"extern\"}, \"tres\": {\"requested\": "
				   "{\"max\": [{\"type\": \"mem\", "
				   "\"count\": 99}]}}}, {\"step\": {\"name\": \"0\"}, \"tasks\": {\"count\": "
				   "2}, \"tres\": {\"requested\": "
				   "{\"max\": [{\"type\": \"mem\", \"count\": 50}]}}}]},\n"
				   "{\"job_id\": 2, \"name\": \"a_2\", \"state\": {\"current\": \"MELTED\"}, "
				   "\"time\": {\"elapsed\": 9}, "
				   "\"steps\": []},\n"
				   "{\"job_id\": 3, \"name\": \"a_3\", \"state\": {\"current\": "
				   "\"RUNNING\"}, \"time\": {\"elapsed\": 9}, "
				   "\"steps\": []},\n"
				   "{\"job_id\": 4, \"name\": \"a_4\", \"required\": {\"CPUs\": 3, "
				   "\"memory_per_cpu\": {\"set\": true, \"number\": "
				   "5}}, \"state\": {\"current\": \"OUT_OF_MEMORY\"}, \"time\": "
				   "{\"elapsed\": {\"set\": true, \"number\": 9}, "
				   "\"limit\": {\"infinite\": true, \"number\": 9}}, \"steps\": []}]}";
	struct ft_import import = {0};
	struct ft_err err = {0};

	ok(!parse(&import, text, &(struct ft_import_options){SIZE("n=JobName:/_(\\d+)$/")}, &err),
	   "sacct-json: by hand %s", err.text);
	const struct ft_imported *part = part_of(&import, "a");
	ok(part->runs.n == 2 && value_of(part, 0, &ft_peak_tree_bytes) == 100 &&
		   import.passed[FT_PASSED_BROKEN] == 1 && import.passed[FT_PASSED_UNFINISHED] == 1 &&
		   strstr(import.broken.text, "f:3: jobs[1]"),
	   "sacct-json: memory of all tasks, nothing of .extern; an unknown state: %s", import.broken.text);
	ok(outcome_of(part, 1) == FT_OUT_OF_MEMORY && part->runs.run[1].asked_bytes == 15 * 0x1p20 &&
		   !(part->runs.run[1].asked_s > 0),
	   "sacct-json: memory asked for each processor, and no time limit");
	ft_import_clear(&import);
}

static void seff(void)
{
	struct ft_import_options options = {.name = "x", SIZE("n=JobID:/421(\\d)/")};
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "seff.txt", &options))
		return;
	const struct ft_imported *part = part_of(&import, "x");
	ok(!strcmp(import.format->name, "seff") && part->runs.n == 3 &&
		   import.passed[FT_PASSED_UNFINISHED] == 1 && value_of(part, 0, &ft_wall_s) == 6553 &&
		   value_of(part, 0, &ft_cpu_s) == 99612 &&
		   near(value_of(part, 0, &ft_peak_tree_bytes), 3.45 * 0x1p30, 1e-12) &&
		   part->runs.run[0].asked_bytes == 0x1p35,
	   "seff: one job of several, with its processors of two nodes");
	ok(outcome_of(part, 1) == FT_FAILED && part->runs.run[1].exit_status == 3 &&
		   isnan(value_of(part, 1, &ft_peak_tree_bytes)) &&
		   part->runs.run[1].sample[0].label == FT_ESTIMATED &&
		   outcome_of(part, 2) == FT_OUT_OF_MEMORY,
	   "seff: how they ended; no memory was seen; whole seconds");
	ft_import_clear(&import);
	ok(parse(&import, "Job ID: 1\nState: COMPLETED (exit code 0)\nCPU Utilized: 00:01\n", &options,
		 &err) &&
		   strstr(err.text, "Wall-clock"),
	   "seff: cut: %s", err.text);
}

static void galaxy(void)
{
	struct ft_param five = {.name = "n", .least = 5, .most = 5, .stride = 1};
	struct ft_import_options options = {.name = "x", .param = &five, .n_params = 1};
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "galaxy.json", &options))
		return;
	const struct ft_imported *part = part_of(&import, "x");
	ok(!strcmp(import.format->name, "galaxy") && part->runs.n == 1 &&
		   value_of(part, 0, &ft_wall_s) == 150 && value_of(part, 0, &ft_cpu_s) == 431.5 &&
		   value_of(part, 0, &ft_peak_tree_bytes) == 0x1p31 &&
		   part->runs.run[0].asked_bytes == 0x1p33 &&
		   part->runs.run[0].started_ns == 1767225600000000000,
	   "galaxy: the metrics of a job");
	ft_import_clear(&import);
	if (!read_data(&import, "galaxy.csv", &(struct ft_import_options){SIZE("bytes=input_bytes")}))
		return;
	part = part_of(&import, "bwa_mem");
	ok(!strcmp(import.format->name, "galaxy-table") && part->runs.n == 3 &&
		   value_of(part, 2, &ft_wall_s) == 290 && size_of(part, 2, 0) == 4e6 &&
		   value_of(part, 0, &ft_peak_tree_bytes) == 0x1p28 &&
		   part->runs.run[0].sample[0].label == FT_ESTIMATED &&
		   part->runs.run[1].sample[0].label == FT_MEASURED,
	   "galaxy: a run of the rows of each job, its tool the program");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "job_id,metric_name,metric_value\n7,runtime_seconds,100\n8,runtime_seconds,INVALID\n"
		  "7,memory.events.oom_kill,1\n",
		  &(struct ft_import_options){.name = "x", SIZE("n=job_id")}, &err) &&
		   outcome_of(import.part, 0) == FT_OUT_OF_MEMORY && import.passed[FT_PASSED_BROKEN] == 1 &&
		   strstr(import.broken.text, "f:3"),
	   "galaxy: killed for memory; a row that is no metric: %s", import.broken.text);
	ft_import_clear(&import);
	ok(parse(&import, "[{\"plugin\": \"core\", \"raw_value\": ", &options, &err) == FT_EPARSE &&
		   *err.remedy,
	   "galaxy: cut: %s", err.text);
}

/* Local moments with a clock that remembers are those without, also where summer time begins and ends, and where
 * a zone is not whole hours ahead. */
static void local_moments(void)
{
	static const char *const zone[] = {"UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe",
					   "CET-1CEST,M3.5.0,M10.5.0/3"};
	static const char *const around[] = {"2024-03-31", "2024-10-27", "2024-03-10", "2024-04-07",
					     "1970-01-01"};
	struct ft_random random = {test_seed()};
	size_t wrong = 0;

	for (size_t z = 0; z < sizeof zone / sizeof *zone; z++) {
		struct ft__clock clock = {0};

		(void)setenv("TZ", zone[z], 1);
		tzset();
		for (int i = 0; i < test_cases(4000); i++) {
			char text[40];

			if (i % 4)
				(void)snprintf(text, sizeof text, "%sT%02zu:%02zu:%02zu",
					       around[ft_random_below(&random, 5)],
					       ft_random_below(&random, 24), ft_random_below(&random, 60),
					       ft_random_below(&random, 60));
			else
				(void)snprintf(text, sizeof text, "20%02zu-%02zu-%02zuT%02zu:%02zu:01.5",
					       ft_random_below(&random, 40), 1 + ft_random_below(&random, 12),
					       1 + ft_random_below(&random, 28), ft_random_below(&random, 24),
					       ft_random_below(&random, 60));
			const time_t one = (time_t)(ft__read_moment(text, &clock) / 1000000000);
			const time_t two = (time_t)(ft__read_moment(text, NULL) / 1000000000);
			struct tm a, b;
			if (one == two)
				continue;
			/* An hour that comes twice: mktime takes either. */
			if (localtime_r(&one, &a) && localtime_r(&two, &b) && a.tm_mday == b.tm_mday &&
			    a.tm_hour == b.tm_hour && a.tm_min == b.tm_min && a.tm_sec == b.tm_sec)
				continue;
			if (!wrong++)
				diag("seed %llu: %s in %s", (unsigned long long)test_seed(), text, zone[z]);
		}
	}
	ok(!wrong, "local moments are the same with and without a clock");
}

int main(void)
{
	sacct_json("sacct-21.08.json");
	sacct_json("sacct-23.11.json");
	broken_json();
	seff();
	galaxy();
	local_moments();
	return done();
}
