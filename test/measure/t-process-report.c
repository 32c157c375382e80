/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process-report.c - programs that tell of their routines. */
#include "process-test.h"

#include <sys/wait.h>
#include <unistd.h>

static void test_report_one(void)
{
	struct subject s;

	PROBE(&s, "one");
	check_outcome(&s, 0, FT_DONE, "a routine in two pairs");
	ok(value(&s, &ft_cpu_s) >= 0.004 && value(&s, &ft_cpu_s) < value(&s, &ft_wall_s) * 1.5 + 0.001,
	   "its time is the sum: %g", value(&s, &ft_cpu_s));
	ok(value(&s, &ft_wall_s) >= 0.003 && last(&s)->cost_s >= 0.034,
	   "and replaces that of the process: %g of %g", value(&s, &ft_wall_s), last(&s)->cost_s);
	ok(near(last(&s)->work, 1234.5, 1e-9) && isnan(value(&s, &ft_user_s)) &&
		   isnan(value(&s, &ft_system_s)) && value(&s, &ft_peak_rss_bytes) > 0,
	   "with its work, and memory of the process");
	ok(!strcmp(last(&s)->sample[0].probe, "report"), "it comes from the probe 'report'");
	unmake(&s);
}

static void test_report_many(void)
{
	struct subject s;

	PROBE(&s, "two");
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3, "two routines make three runs");
	if (s.runs.n != 3) {
		unmake(&s);
		return;
	}
	ok(!s.runs.run[0].routine && ft_run_value(&s.runs.run[0], &ft_user_s) >= 0 &&
		   isnan(s.runs.run[0].work),
	   "the first is the process");
	ok(!strcmp(s.runs.run[1].routine, "first_part_a") && near(s.runs.run[1].work, 2e20, 1e-12) &&
		   s.runs.run[1].n_samples >= 4,
	   "then a routine: %s, %g", s.runs.run[1].routine, s.runs.run[1].work);
	ok(!strcmp(s.runs.run[2].routine, "second") && isnan(s.runs.run[2].work) &&
		   value(&s, &ft_cpu_s) >= 0.002,
	   "then another, reported twice");
	ok(near(s.runs.run[0].cost_s, s.runs.run[2].cost_s, 0), "each knows the cost of the process");
	unmake(&s);
}

/* The first call takes longer; the second routine takes memory, the third no more. */
static void test_report_besides(void)
{
	struct subject s;
	const struct ft_sample *no;

	PROBE(&s, "cold");
	check_outcome(&s, 0, FT_DONE, "a routine that is slow at first");
	/* A later call may be one that others came into. */
	for (int tries = 0; tries < 20 && !(value(&s, &ft_later_call_s) < value(&s, &ft_first_call_s));
	     tries++)
		(void)run(&s, 1, 0);
	ok(value(&s, &ft_first_call_s) >= 0.02 && value(&s, &ft_later_call_s) >= 0.001 &&
		   value(&s, &ft_later_call_s) < value(&s, &ft_first_call_s) &&
		   near(value(&s, &ft_first_call_s) + 3 * value(&s, &ft_later_call_s), value(&s, &ft_wall_s),
			1e-6),
	   "first %g, later %g, all %g", value(&s, &ft_first_call_s), value(&s, &ft_later_call_s),
	   value(&s, &ft_wall_s));
	unmake(&s);
	PROBE(&s, "memory");
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 4, "three routines");
	if (s.runs.n == 4) {
		double before = ft_run_value(&s.runs.run[1], &ft_peak_rss_bytes),
		       large = ft_run_value(&s.runs.run[2], &ft_peak_rss_bytes);
		size_t i;

		ok(large > 32e6 && large < 64e6 && !(before > 16e6), "32 MiB more: %g, %g", before, large);
		for (no = s.runs.run[3].sample, i = 0;
		     i + 1 < s.runs.run[3].n_samples && no->resource != &ft_peak_rss_bytes; i++)
			no++;
		ok(no->label == FT_UNAVAILABLE && strstr(no->reason, "no more in this routine") &&
			   isnan(ft_run_value(&s.runs.run[3], &ft_first_call_s)),
		   "no more than before: %s", no->reason ? no->reason : "-");
	}
	unmake(&s);
}

static const struct ft_sample *instructions_of(const struct ft_run *run)
{
	static const struct ft_sample none = {.probe = "", .reason = NULL, .value = NAN};

	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == &ft_instructions)
			return &run->sample[i];
	return &none;
}

/* A program with one routine, whose instructions are not to be had: those of its process are no answer. */
static void check_uncounted(struct subject *s, const char *why)
{
	s->launch.instructions = FT_COUNT_SIMULATED;
	(void)open_subject(s);
	(void)run(s, 1, 0);
	const struct ft_sample *sample = instructions_of(last(s));
	ok(s->runs.n == 1 && sample->label == FT_UNAVAILABLE && sample->reason && strstr(sample->reason, why),
	   "not counted: %s", sample->reason ? sample->reason : "but it was");
	unmake(s);
}

/* A short routine, again and again, linked as programs are and statically: always its own instructions, which
 * its process takes many more than. */
static void check_repeated(const char *child)
{
	static const char *const brief[] = {"500", "one", NULL};
	int i, turns = test_quick() ? 3 : 12, other = 0;
	double first = NAN;
	struct subject s;

	for (i = 0; i < turns; i++) {
		make(&s, child, brief);
		if (access(s.file, X_OK)) {
			skip("a static program", "there is no static C library");
			return;
		}
		s.launch.instructions = FT_COUNT_SIMULATED;
		(void)open_subject(&s);
		(void)run(&s, 1, 0);
		first = i ? first : instructions_of(last(&s))->value;
		other += !(instructions_of(last(&s))->value == first) || !(first > 500) || !(first < 10000) ||
			 strcmp(instructions_of(last(&s))->probe, "callgrind") != 0;
		unmake(&s);
	}
	ok(!other, "%s, %d times: %g instructions, of the routine alone (%d others)", child, turns, first,
	   other);
}

/* Under valgrind: of each routine, of the only one, and where that cannot be. */
static void test_report_instructions(void)
{
	static const char *const two[] = {"50000", NULL}, *const one[] = {"50000", "one", NULL},
				 *const clocks[] = {"50000", "clocks", NULL},
				 *const nested[] = {"50000", "nested", NULL},
				 *const threads[] = {"50000", "threads", NULL},
				 *const silent[] = {"50000", "silent", NULL};
	struct subject s;

	make(&s, "routines", two);
	s.launch.instructions = FT_COUNT_SIMULATED;
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3, "two routines: %s", s.err.text);
	if (s.runs.n < 3)
		return;
	const struct ft_sample *process = instructions_of(&s.runs.run[0]);
	if (process->label != FT_SIMULATED) {
		skip("instructions of routines", process->reason ? process->reason : "not counted");
		unmake(&s);
		return;
	}
	const struct ft_sample *second = instructions_of(&s.runs.run[1]);
	const struct ft_sample *first = instructions_of(&s.runs.run[2]);
	if (first->label != FT_SIMULATED) {
		skip("instructions of routines", first->reason ? first->reason : "not counted");
		unmake(&s);
		return;
	}
	ok(!strcmp(first->probe, "callgrind") && !strcmp(process->probe, "valgrind") &&
		   near(second->value, 3 * first->value, 0.02) &&
		   process->value > first->value + second->value,
	   "the process takes %g, its routines %g and %g", process->value, first->value, second->value);
	double expected = first->value;
	unmake(&s);
	make(&s, "routines", one);
	s.launch.instructions = FT_COUNT_SIMULATED;
	(void)open_subject(&s);
	(void)run(&s, 1, 0);
	ok(s.runs.n == 1 && near(instructions_of(last(&s))->value, expected, 1e-2) &&
		   !strcmp(instructions_of(last(&s))->probe, "callgrind"),
	   "the only routine stands for its process: %g", instructions_of(last(&s))->value);
	unmake(&s);
	check_repeated("routines");
	check_repeated("routines-static");
	make(&s, "routines", clocks);
	s.launch.instructions = FT_COUNT_SIMULATED;
	(void)open_subject(&s);
	(void)run(&s, 1, 0);
	ok(value(&s, &ft_cpu_s) > 3 * value(&s, &ft_wall_s) &&
		   near(instructions_of(last(&s))->value, expected, 1e-2),
	   "whatever its clocks show, one thread is counted: %g", instructions_of(last(&s))->value);
	unmake(&s);
	make(&s, "routines", threads);
	check_uncounted(&s, "several threads");
	make(&s, "routines", silent);
	check_uncounted(&s, "does not mark the start");
	make(&s, "routines", nested);
	s.launch.instructions = FT_COUNT_SIMULATED;
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3 &&
		   instructions_of(last(&s))->label == FT_UNAVAILABLE &&
		   strstr(instructions_of(last(&s))->reason, "at once"),
	   "of two at once: %s", instructions_of(last(&s))->reason ? instructions_of(last(&s))->reason : "-");
	unmake(&s);
}

/* A meter knows of the whole run alone. */
static void test_report_energy(void)
{
	const struct ft_sample *energy = NULL;
	struct subject s;

	PROBE(&s, "two");
	s.launch.meter = "echo 10 W; sleep 0.01; echo 10 W; sleep 5";
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3, "two routines and a meter: %s", s.err.text);
	for (size_t i = 0; i < last(&s)->n_samples; i++)
		if (last(&s)->sample[i].resource == &ft_energy_j)
			energy = &last(&s)->sample[i];
	ok(energy && energy->label == FT_UNAVAILABLE && strstr(energy->reason, "whole run"), "%s",
	   energy && energy->reason ? energy->reason : "-");
	unmake(&s);
}

static void test_report_bad(void)
{
	struct subject s;

	PROBE(&s, "garbage");
	check_outcome(&s, 0, FT_DONE, "a report with garbage");
	ok(near(value(&s, &ft_wall_s), 0.003, 1e-9) && near(last(&s)->work, 5, 1e-9),
	   "its good line is read");
	unmake(&s);
	PROBE(&s, "flood");
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3 && near(value(&s, &ft_wall_s), 1e-6, 1e-9) &&
		   !strcmp(last(&s)->routine, "late"),
	   "a line of megabytes is passed over, and what stands behind it is read");
	unmake(&s);
	PROBE(&s, "invalid");
	check_outcome(&s, 0, FT_INVALID, "a size that is not valid");
	unmake(&s);
	PROBE(&s, "failed");
	check_outcome(&s, 0, FT_FAILED, "a program that reports and fails");
	ok(value(&s, &ft_user_s) >= 0 && last(&s)->exit_status == 5, "its report does not count");
	unmake(&s);
	PROBE(&s, "one");
	s.launch.pass_through = true;
	check_outcome(&s, 0, FT_DONE, "a report while output passes through");
	ok(near(last(&s)->work, 1234.5, 1e-9), "arrives too");
	unmake(&s);
}

/* Of what is reported, everything counts, or nothing does. */
static void test_report_whole(void)
{
	struct subject s;

	PROBE(&s, "steps");
	check_outcome(&s, 0, FT_DONE, "a hundred thousand reports");
	ok(near(value(&s, &ft_wall_s), 500, 1e-6) && near(value(&s, &ft_cpu_s), 500, 1e-6) &&
		   near(last(&s)->work, 2e5, 1e-6),
	   "are all summed: %g s", value(&s, &ft_wall_s));
	unmake(&s);
	PROBE(&s, "endless");
	check_outcome(&s, 0, FT_DONE, "a report of more than anybody reads");
	ok(isnan(value(&s, &ft_wall_s)) && last(&s)->sample[0].label == FT_UNAVAILABLE &&
		   strstr(last(&s)->sample[0].reason, "more than could be taken in; let it"),
	   "has no times: %s", last(&s)->sample[0].reason ? last(&s)->sample[0].reason : "-");
	ok(value(&s, &ft_peak_rss_bytes) > 0, "memory is known all the same");
	unmake(&s);
	PROBE(&s, "absurd");
	check_outcome(&s, 0, FT_DONE, "a report of 1e284 years");
	ok(isnan(value(&s, &ft_wall_s)) && isnan(value(&s, &ft_cpu_s)) &&
		   last(&s)->sample[0].label == FT_UNAVAILABLE &&
		   strstr(last(&s)->sample[0].reason, "a hundred years"),
	   "is not believed: %s", last(&s)->sample[0].reason ? last(&s)->sample[0].reason : "-");
	unmake(&s);
	PROBE(&s, "many");
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 257 && s.runs.run[0].detail &&
		   strstr(s.runs.run[0].detail, "more than 256 routines"),
	   "more routines than are kept: %s", s.runs.n && s.runs.run[0].detail ? s.runs.run[0].detail : "-");
	unmake(&s);
}

/* A program with the header that foretime does not run. */
static void test_alone(void)
{
	char command[700];

	(void)unsetenv("FORETIME_PROBE_FD");
	(void)snprintf(command, sizeof command, "'%s/test/measure/child-probe' one",
		       getenv("FORETIME_TEST_BUILD"));
	ok(system(command) == 0, "alone, reporting does nothing");
	(void)snprintf(command, sizeof command, "'%s/test/measure/child-probe' invalid 2>'%s'",
		       getenv("FORETIME_TEST_BUILD"), temp_path("alone"));
	ok(WEXITSTATUS(system(command)) == 77, "alone, an invalid size is status 77");
	ok(!strcmp(told(temp_path("alone")), "this size is not valid for this program\n"), "and says why");
}

int main(void)
{
	test_report_one();
	test_report_many();
	test_report_besides();
	test_report_instructions();
	test_report_energy();
	test_report_bad();
	test_report_whole();
	test_alone();
	temp_remove();
	return done();
}
