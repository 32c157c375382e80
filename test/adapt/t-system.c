/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-system.c - what GNU time and perf stat print (test/adapt/data/README). */
#include "adapt-test.h"
#include "facts/door.h"

static void gnu_time(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "time.txt", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "solve");
	ok(!strcmp(import.format->name, "time") && import.n == 1 && part->runs.n == 6 &&
		   part->program.n_params == 1 && !strcmp(part->program.param[0].name, "n"),
	   "time: recognised; the program is the command's, its number the size");
	ok(size_of(part, 3, 0) == 3000 && value_of(part, 3, &ft_wall_s) == 1.54 &&
		   value_of(part, 3, &ft_user_s) == 0.33 && near(value_of(part, 3, &ft_cpu_s), 0.35, 1e-12) &&
		   value_of(part, 3, &ft_peak_rss_bytes) == 71520 * 1024.0 &&
		   value_of(part, 3, &ft_minor_faults) == 17653 && value_of(part, 3, &ft_read_bytes) == 0,
	   "time: every value, in SI");
	ok(part->runs.run[3].sample[2].label == FT_MEASURED &&
		   part->runs.run[0].sample[2].label == FT_ESTIMATED && part->runs.run[0].sample[2].reason,
	   "time: below a second, hundredths are estimated");
	ok(outcome_of(part, 4) == FT_FAILED && part->runs.run[4].exit_status == 3 &&
		   outcome_of(part, 5) == FT_CRASHED && part->runs.run[5].signal == 9,
	   "time: a status, and a signal, whose status is printed as 0");
	ft_import_clear(&import);
}

/* A block as time -v prints it, but for lines without a resource. */
#define BLOCK(above, command, wall, status)                                                                  \
	above "\tCommand being timed: \"" command "\"\n\tUser time (seconds): 2.43\n"                        \
	      "\tSystem time (seconds): 0.05\n\tElapsed (wall clock) time (h:mm:ss or m:ss): " wall          \
	      "\n\tMaximum resident set size (kbytes): 120380\n\tFile system outputs: 16\n" status

static void time_blocks(void)
{
	static const char text[] = BLOCK(
		"result 5\n", "env OMP_NUM_THREADS=4 /opt/x/bin/solve --size=64k -t 2 in.txt 7", "1:02:03",
		"\tExit status: 0\nresult 6\n") BLOCK("", "./solve --size 128k -t 2 in.txt 8", "0:02.59", "")
		BLOCK("lastCommand exited with non-zero status 2\n", "./solve --size 1k -t 2 in.txt 9",
		      "0:02.59", "\tExit status: 2\n") "\tUser time (seconds): 1\n\tExit status: "
						       "0\n" BLOCK("", "./solve --size 2k -t 2 in.txt 9",
								   "INVALID", "\tExit status: 0\n");
	struct ft_import import = {0};
	struct ft_err err = {0};

	ok(!parse(&import, text, NULL, &err), "time: blocks between other lines %s", err.text);
	const struct ft_imported *part = part_of(&import, "solve");
	ok(part->runs.n == 2 && part->program.n_params == 3 && !strcmp(part->program.param[0].name, "size") &&
		   !strcmp(part->program.param[1].name, "t") && !strcmp(part->program.param[2].name, "n") &&
		   size_of(part, 0, 0) == 64000 && size_of(part, 0, 1) == 2 && size_of(part, 0, 2) == 7,
	   "time: numbers of options are parameters by their names, the others n, m, k");
	ok(value_of(part, 0, &ft_wall_s) == 3723 && value_of(part, 0, &ft_written_bytes) == 8192 &&
		   outcome_of(part, 1) == FT_FAILED && part->runs.run[1].exit_status == 2,
	   "time: hours; blocks of 512 bytes; what stands behind the program's last line");
	ok(import.passed[FT_PASSED_BROKEN] == 3 && strstr(import.broken.text, "f:10") &&
		   strstr(import.broken.text, "Exit status"),
	   "time: a block that is cut, one without a command, one that cannot be read: %s",
	   import.broken.text);
	ft_import_clear(&import);
	ok(parse(&import, text, &(struct ft_import_options){.strict = true}, &err) == FT_EINVAL,
	   "time: --strict");
	ok(parse(&import, BLOCK("", "./solve", "0:01.00", "\tExit status: 0\n"), NULL, &err) == FT_EINVAL &&
		   strstr(err.remedy, "--size"),
	   "time: no number in the command: %s", err.text);
}

static void perf_csv(void)
{
	struct ft_param five = {.name = "n", .least = 5, .most = 5, .stride = 1};
	struct ft_import_options options = {.name = "x", .param = &five, .n_params = 1};
	struct ft_import import = {0};
	const struct ft_resource *faults;

	if (!read_data(&import, "perf.csv", &options) || ft_resource_named("page-faults", &faults, NULL))
		return;
	const struct ft_imported *part = part_of(&import, "x");
	ok(!strcmp(import.format->name, "perf") && part->runs.n == 3, "perf: runs that were appended");
	ok(value_of(part, 0, &ft_wall_s) > 0.01 && value_of(part, 0, &ft_wall_s) < 10 &&
		   value_of(part, 0, &ft_cpu_s) > 0.001 && value_of(part, 0, &ft_minor_faults) > 100 &&
		   value_of(part, 0, faults) > 100 && isnan(value_of(part, 0, &ft_instructions)),
	   "perf: milliseconds and nanoseconds in seconds; faults; no instructions");
	ft_import_clear(&import);
	if (!read_data(&import, "perf.jsonl", &options))
		return;
	part = part_of(&import, "x");
	ok(!strcmp(import.format->name, "perf") && part->runs.n == 3 &&
		   value_of(part, 2, &ft_wall_s) > value_of(part, 2, &ft_cpu_s) &&
		   value_of(part, 2, faults) > 100,
	   "perf: JSON; the elapsed time from the processors utilised");
	ft_import_clear(&import);
}

static const struct ft_sample *sample_of(const struct ft_imported *part, size_t i,
					 const struct ft_resource *resource)
{
	for (size_t k = 0; i < part->runs.n && k < part->runs.run[i].n_samples; k++)
		if (part->runs.run[i].sample[k].resource == resource)
			return &part->runs.run[i].sample[k];
	return NULL;
}

static void perf_rows(void)
{
	static const char
		text[] = "# started on Mon Nov 30 00:05:10 2026\n\n"
			 "2000.50,msec,task-clock:u,2000500000,100.00,1.000,CPUs utilized\n"
			 "3000,,instructions:u,1000,50.00,1.5,insn per cycle\n"
			 "1000,,cpu_core/cycles/,1000,100.00,,\n"
			 "500,,cpu_atom/cycles/,1000,100.00,,\n"
			 "<not counted>,,LLC-loads,0,0.00,,\n"
			 "12.5,Joules,power/energy-pkg/,1000,100.00,,\n"
			 "7.25,MiB,uncore/read/,1000,100.00,,\n",
		mean[] = "12.46;msec;task-clock;0.10%;12464151;100.00;0.168;CPUs utilized\n"
			 "3;;page-faults;0.00%;12464151;100.00;241.007;/sec\n",
		parts[] = "12.46,msec,task-clock,12464151,100.00,0.168,CPUs utilized\n"
			  "     1.000958290,12.46,msec,task-clock,12464151,100.00,0.168,CPUs utilized\n"
			  "CPU0,1,12.46,msec,cpu-clock,12464151,100.00,0.168,CPUs utilized\n";
	struct ft_param five = {.name = "n", .least = 5, .most = 5, .stride = 1};
	struct ft_import_options options = {.name = "x", .param = &five, .n_params = 1};
	struct ft_import import = {0};
	struct ft_err err = {0};
	const struct ft_resource *loads;

	ok(!parse(&import, text, &options, &err) && !ft_resource_named("LLC-loads", &loads, NULL),
	   "perf: rows %s", err.text);
	const struct ft_imported *part = part_of(&import, "x");
	ok(value_of(part, 0, &ft_wall_s) == 2.0005 && value_of(part, 0, &ft_cpu_s) == 2.0005 &&
		   value_of(part, 0, &ft_cycles) == 1500 && value_of(part, 0, &ft_energy_j) == 12.5 &&
		   sample_of(part, 0, &ft_wall_s)->label == FT_ESTIMATED,
	   "perf: counters of two kinds of processors are added; joules");
	ok(value_of(part, 0, &ft_instructions) == 3000 &&
		   sample_of(part, 0, &ft_instructions)->label == FT_ESTIMATED &&
		   sample_of(part, 0, loads)->label == FT_UNAVAILABLE && sample_of(part, 0, loads)->reason,
	   "perf: scaled counters are estimated, <not counted> is unavailable");
	ft_import_clear(&import);
	ok(!parse(&import, mean, &options, &err) &&
		   sample_of(import.part, 0, &ft_cpu_s)->label == FT_ESTIMATED &&
		   near(value_of(import.part, 0, &ft_wall_s), 0.01246 / 0.168, 1e-12),
	   "perf: -r prints means; another separator");
	ft_import_clear(&import);
	ok(!parse(&import, parts, &options, &err) && import.runs == 1 &&
		   import.passed[FT_PASSED_BROKEN] == 2 && strstr(import.broken.text, "f:2") &&
		   strstr(import.broken.remedy, "-I"),
	   "perf: intervals and single processors are left out: %s", import.broken.text);
	ft_import_clear(&import);
	ok(parse(&import, text, &(struct ft_import_options){.name = "x"}, &err) == FT_EINVAL &&
		   strstr(err.remedy, "--size") && !import.part,
	   "perf: it prints no size: %s", err.text);
	ok(!parse(&import, "value,unit,event,x,y\n3,cm,a,1,2\n",
		  &(struct ft_import_options){.name = "x",
					      .value = (const char *const[]){"wall_s=y"},
					      .n_values = 1,
					      .size = (const char *const[]){"n=value"},
					      .n_sizes = 1},
		  &err) &&
		   !strcmp(import.format->name, "csv"),
	   "perf: another table is none of perf's");
	ft_import_clear(&import);
}

int main(void)
{
	gnu_time();
	time_blocks();
	perf_csv();
	perf_rows();
	return done();
}
