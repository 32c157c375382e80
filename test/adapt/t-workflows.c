/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-workflows.c - Nextflow's tags, and recorded workflows of WfCommons (test/adapt/data/README). */
#include "adapt-test.h"

static void tags(void)
{
	static const char text[] = "task_id\thash\tname\tstatus\texit\trealtime\n"
				   "1\tab/1\tNF:ALIGN (s1)\tCOMPLETED\t0\t21m 20s\n"
				   "2\tab/2\tNF:ALIGN (s 22)\tCOMPLETED\t0\t21m 20s\n"
				   "3\tab/3\tNF:ALIGN\tCOMPLETED\t0\t21m 20s\n";
	struct ft_import import = {0};
	struct ft_err err = {0};

	ok(!parse(&import, text,
		  &(struct ft_import_options){.size = (const char *const[]){"n={tag:/s ?([0-9]+)/}"},
					      .n_sizes = 1},
		  &err) &&
		   size_of(part_of(&import, "NF:ALIGN"), 1, 0) == 22 && import.runs == 2 &&
		   import.passed[FT_PASSED_BROKEN] == 1,
	   "nextflow: without a column tag, it stands in the name: %s", import.broken.text);
	ft_import_clear(&import);
}

static void wfcommons(void)
{
	static const char earlier[] =
		"{\"schemaVersion\": \"1.3\", \"workflow\": {\"tasks\": [\n"
		"{\"name\": \"map_7\", \"category\": \"map\", \"runtime\": 3, \"bytesRead\": 8, \"files\": "
		"[{\"link\": \"input\", "
		"\"name\": \"a\", \"size\": 64}, {\"link\": \"output\", \"name\": \"b\", \"size\": 5}]},\n"
		"{\"name\": \"x\", \"command\": {\"program\": \"/opt/bin/sum\"}, \"runtimeInSeconds\": 2, "
		"\"files\": []}]}}";
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "wfcommons-1.5.json", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "map");
	ok(!strcmp(import.format->name, "wfcommons") && import.n == 1 && part->runs.n == 2 &&
		   !strcmp(part->program.param[0].name, "bytes") && size_of(part, 0, 0) == 1500 &&
		   value_of(part, 0, &ft_wall_s) == 4.5 && value_of(part, 0, &ft_cpu_s) == 6.75 &&
		   value_of(part, 0, &ft_peak_tree_bytes) == 4096000 &&
		   value_of(part, 0, &ft_written_bytes) == 30 && part->runs.run[0].started_ns > 0,
	   "wfcommons: a run of each task, by the bytes of its inputs");
	ok(import.passed[FT_PASSED_BROKEN] == 2 && strstr(import.broken.text, "tasks[2]"),
	   "wfcommons: a task whose input has no length, and one that is not specified: %s",
	   import.broken.text);
	ft_import_clear(&import);
	ok(!parse(&import, earlier,
		  &(struct ft_import_options){.size = (const char *const[]){"n=inputs"}, .n_sizes = 1},
		  &err) &&
		   value_of(part_of(&import, "map"), 0, &ft_read_bytes) == 8 &&
		   size_of(part_of(&import, "map"), 0, 0) == 1 && part_of(&import, "sum")->runs.n == 1,
	   "wfcommons: before 1.5; the number of inputs as size %s", err.text);
	ft_import_clear(&import);
	ok(parse(&import, "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {}}}", NULL,
		 &err) &&
		   *err.remedy,
	   "wfcommons: never executed: %s", err.text);
}

int main(void)
{
	tags();
	wfcommons();
	return done();
}
