/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-report.c - reports of jobs: sums by hand, groups, ends, jobs that were read twice. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t second_ns = 1000000000;

/* A job of an hour that requested 10 GB and two hours on 4 processors, and used 2 GB and an hour of processor
 * time; wrong values are changed afterwards. */
struct made {
	const char *program, *user, *partition, *id, *state;
	enum ft_outcome outcome;
	double wall_s, bytes, cpu_s, asked_s, asked_bytes, cpus, size;
	int64_t start_s, submit_s;
};

static struct made made_job(const char *program, const char *user, int64_t start_s)
{
	return (struct made){.program = program,
			     .user = user,
			     .partition = "batch",
			     .outcome = FT_DONE,
			     .wall_s = 3600,
			     .bytes = 2e9,
			     .cpu_s = 3600,
			     .asked_s = 7200,
			     .asked_bytes = 1e10,
			     .cpus = 4,
			     .size = NAN,
			     .start_s = start_s,
			     .submit_s = start_s};
}

static enum ft_status give(struct ft_report *report, const struct made *made, struct ft_err *err)
{
	struct ft_param param = {.name = "n"};
	struct ft_run run;
	enum ft_status status = FT_OK;

	ft_run_init(&run);
	run.outcome = made->outcome;
	run.started_ns = made->start_s * second_ns;
	run.asked_s = made->asked_s;
	run.asked_bytes = made->asked_bytes;
	if (!isnan(made->size))
		run.size = (struct ft_size){.n = 1, .value = {made->size}};
	if (!isnan(made->wall_s))
		status = ft_run_add(&run, &ft_wall_s, made->wall_s, FT_MEASURED, "test", NULL, err);
	if (!status && !isnan(made->bytes))
		status = ft_run_add(&run, &ft_peak_tree_bytes, made->bytes, FT_MEASURED, "test", NULL, err);
	if (!status && !isnan(made->cpu_s))
		status = ft_run_add(&run, &ft_cpu_s, made->cpu_s, FT_MEASURED, "test", NULL, err);
	if (!status)
		status = ft_report_take(report,
					&(struct ft_import_row){.program = made->program,
								.run = &run,
								.param = &param,
								.user = made->user,
								.partition = made->partition,
								.id = made->id,
								.state = made->state,
								.cpus = made->cpus,
								.submitted_ns = made->submit_s * second_ns},
					err);
	ft_run_clear(&run);
	return status;
}

static bool near_to(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static const double risk[] = {0.05};

static void test_sums(void)
{
	struct ft_report *report;
	struct ft_answer_report a;
	struct ft_err err = {0};
	struct made job[6];

	ok(!ft_report_new(&report, &(struct ft_report_options){.risk = risk, .n_risks = 1}, &err),
	   "a report");
	ok(ft_report_make(report, &a, &err) == FT_EINVAL && strstr(err.text, "no job"), "no job: %s",
	   err.text);
	job[0] = made_job("align", "ann", 1000000);
	job[1] = made_job("align", "bob", 1010000);
	job[1].bytes = NAN; /* nobody looked */
	job[2] = made_job("sort", NULL, 1020000);
	job[2].outcome = FT_OUT_OF_MEMORY;
	job[2].bytes = 1e10;
	job[2].wall_s = 1800;
	job[3] = made_job("sort", "ann", 1030000);
	job[3].outcome = FT_INTERRUPTED;
	job[3].state = "NODE_FAIL";
	job[3].asked_s = NAN;
	job[4] = made_job("late", "ann", 0);
	job[4].outcome = FT_NOT_STARTED;
	job[4].state = "CANCELLED by 1000";
	job[4].wall_s = 0;
	job[4].bytes = job[4].cpu_s = NAN;
	job[5] = made_job("late", "ann", 1040000);
	job[5].outcome = FT_TIMED_OUT;
	job[5].wall_s = 7200;
	job[5].asked_bytes = NAN;
	job[5].cpus = NAN;
	for (size_t i = 0; i < 6; i++)
		ok(!give(report, &job[i], &err), "job %zu %s", i, err.text);
	ok(!ft_report_make(report, &a, &err), "reported: %s", err.text);
	ok(a.all.jobs == 6 && a.programs == 3 && a.users == 2 && a.partitions == 1, "six jobs");
	/* 10 GB h, 5 GB h, 10 GB h; of the second one the use is not known, of the last no request. */
	ok(a.all.memory_jobs == 3 && near_to(a.all.requested_gb_h, 25) && near_to(a.all.used_gb_h, 2 + 5 + 2),
	   "memory: %g of %g", a.all.used_gb_h, a.all.requested_gb_h);
	ok(near_to(a.all.unseen_gb_h, 10) && a.unmeasured == 1, "of one job the use is not known");
	ok(a.all.core_jobs == 4 && near_to(a.all.requested_core_h, 4 + 4 + 2 + 4) &&
		   near_to(a.all.used_core_h, 4),
	   "processors: %g of %g", a.all.used_core_h, a.all.requested_core_h);
	ok(a.all.time_jobs == 4 && near_to(a.all.limit_h, 8) && near_to(a.all.used_h, 1 + 1 + 0.5 + 2),
	   "limits");
	ok(a.end[FT_END_COMPLETED].jobs == 2 && a.end[FT_END_MEMORY].jobs == 1 &&
		   a.end[FT_END_NODE].jobs == 1 && a.end[FT_END_UNBEGUN].jobs == 1 &&
		   a.end[FT_END_TIME].jobs == 1,
	   "how they ended");
	ok(near_to(a.end[FT_END_MEMORY].gb_h, 5) && near_to(a.end[FT_END_TIME].hours, 2),
	   "and what that took");
	ok(a.from_ns == 1000000 * second_ns && a.to_ns == 1047200 * second_ns, "from the first to the last");
	ok(a.n_groups == 3 && !strcmp(a.group[0].name, "align") && !strcmp(a.group[1].name, "sort") &&
		   !strcmp(a.group[2].name, "late"),
	   "by unused memory, then by unused time: %s %s %s", a.group[0].name, a.group[1].name,
	   a.group[2].name);
	ok(a.group[1].failed == 2 && a.group[1].killed_memory == 1 && a.group[2].failed == 1 &&
		   a.group[2].killed_time == 1,
	   "failures of each");
	ok(a.n_rules == 3 && a.compared == 2 && near_to(a.rule[0].gb_h, 10) && a.rule[1].own == 2,
	   "two jobs completed; too few before them");
	ft_report_free(report);
}

static void test_again(void)
{
	struct ft_report *report;
	struct ft_answer_report a;
	struct ft_err err = {0};
	struct made job = made_job("align", "ann", 1000000);

	ok(!ft_report_new(&report, &(struct ft_report_options){.by = FT_REPORT_USER, .user = "ann"}, &err),
	   "a user's report");
	job.id = "17";
	ok(!give(report, &job, &err) && !give(report, &job, &err), "a job in two files");
	job.start_s = 1100000;
	ok(!give(report, &job, &err), "it was queued again");
	for (int i = 0; i < 3000; i++) {
		char id[16];

		(void)snprintf(id, sizeof id, "%d", 100 + i);
		job.id = id;
		job.user = i % 2 ? "ann" : "bob";
		job.start_s++;
		if (give(report, &job, &err))
			break;
	}
	ok(!ft_report_make(report, &a, &err) && a.twice == 1 && a.all.jobs == 1502, "%zu jobs, %zu twice",
	   a.all.jobs, a.twice);
	ok(a.n_groups == 1 && !strcmp(a.group[0].name, "ann") && !strcmp(a.by, "user"), "of one user");
	ft_report_free(report);
	ft_report_free(NULL);
}

/* Sixty jobs that need 1 to 1.2 GB and request 10, one after the other. */
static void give_steady(struct ft_report *report, bool times)
{
	struct ft_err err = {0};

	for (int i = 0; i < 60; i++) {
		struct made job = made_job(i % 3 ? "small" : "tiny", "ann", 1000000 + 10000 * i);

		job.bytes = 1e9 * (1 + 0.1 * (i % 3));
		if (!times)
			job.start_s = job.submit_s = 0;
		if (give(report, &job, &err))
			diag("%s", err.text);
	}
}

static void test_rules(void)
{
	struct ft_report *report;
	struct ft_answer_report a;
	struct ft_err err = {0};

	for (int times = 0; times < 2; times++) {
		ok(!ft_report_new(&report,
				  &(struct ft_report_options){.risk = risk, .n_risks = 1, .limit = 1}, &err),
		   "a report");
		give_steady(report, times);
		ok(!ft_report_make(report, &a, &err) && a.compared == 60 && a.by_rows == !times, "%s",
		   err.text);
		ok(a.n_groups == 1 && a.groups == 2, "one line of two");
		ok(near_to(a.rule[0].gb_h, 600) && near_to(a.rule[0].limit_h, 120), "as requested");
		ok(a.rule[1].own == 10 && a.rule[1].gb_h < 100 + 50 * 2, "foretime: %g GB h", a.rule[1].gb_h);
		ok(a.rule[2].own == 10 && a.rule[2].gb_h < 100 + 50 * 1.4, "most seen: %g GB h",
		   a.rule[2].gb_h);
		ok(near_to(a.group[0].compared_gb_h, 400) &&
			   a.group[0].predicted_gb_h < a.group[0].compared_gb_h / 2,
		   "of one program");
		ft_report_free(report);
	}
}

static void test_json(void)
{
	struct ft_report *report;
	struct ft_answer_report a;
	struct ft_err err = {0};

	if (ft_report_new(&report, &(struct ft_report_options){.risk = risk, .n_risks = 1}, &err))
		diag("%s", err.text);
	give_steady(report, true);
	if (ft_report_make(report, &a, &err))
		diag("%s", err.text);
	json_t *json = ft_tell_json(&ft_tell_report, &a, NULL);
	json_t *rules = json_object_get(json, "rules");
	ok(json_integer_value(json_object_get(json, "jobs")) == 60 && json_array_size(rules) == 3, "as JSON");
	ok(json_real_value(json_object_get(json_array_get(rules, 1), "risk")) == 0.05 &&
		   json_is_null(json_object_get(json_array_get(rules, 1), "factor")) &&
		   json_real_value(json_object_get(json_array_get(rules, 2), "factor")) == 1.1,
	   "rules by name and number");
	json_decref(json);
	ft_report_free(report);
}

/* The JSON of a report of the same random jobs, which are held in so many bytes; it is made in between, too. */
static json_t *report_random(size_t held, size_t jobs, struct ft_err *err)
{
	static const char *const program[] = {"align", "sort", "call", "plot", "index", "merge", "trim"};
	static const char *const user[] = {"ann", "bob", NULL};
	struct ft_report *report = NULL;
	struct ft_answer_report a;
	struct ft_random random = {7};
	char id[24];
	enum ft_status status = ft_report_new(
		&report, &(struct ft_report_options){.risk = risk, .n_risks = 1, .held = held}, err);

	for (size_t i = 0; i < jobs && !status; i++) {
		struct made job = made_job(program[ft_random_below(&random, 7)],
					   user[ft_random_below(&random, 3)], 1000000 + (int64_t)(600 * i));

		(void)snprintf(id, sizeof id, "%zu", i);
		job.id = id;
		job.wall_s = 60 * (1 + (double)ft_random_below(&random, 50));
		job.bytes = 1e8 * (1 + (double)ft_random_below(&random, 40));
		job.size = *job.program == 'a' ? (double)(1 + ft_random_below(&random, 9)) : (double)NAN;
		job.outcome = ft_random_below(&random, 20) ? FT_DONE : FT_OUT_OF_MEMORY;
		status = give(report, &job, err);
		if (!status && i % 50 == 0) /* some come twice */
			status = give(report, &job, err);
		if (!status && i + 2 == jobs)
			status = ft_report_make(report, &a, err);
	}
	if (!status)
		status = ft_report_make(report, &a, err);
	json_t *json = status ? NULL : ft_tell_json(&ft_tell_report, &a, NULL);
	ft_report_free(report);
	return json;
}

/* But for the last digits of sums: these are added in another order. */
static bool same_json(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	bool same = true;

	if (json_is_number(a) && json_is_number(b))
		return near_to(json_number_value(a), json_number_value(b));
	if (json_is_object(a)) {
		json_object_foreach((json_t *)(uintptr_t)a, key, value) same =
			same && same_json(value, json_object_get(b, key));
		return same;
	}
	for (size_t i = 0; i < json_array_size(a) && same; i++)
		same = same_json(json_array_get(a, i), json_array_get(b, i));
	return same && (json_is_array(a) || json_equal(a, b));
}

static void test_files(void)
{
	struct ft_err err = {0};
	json_t *one = report_random(0, 400, &err), *two = report_random(20000, 400, &err);

	ok(one && two && json_integer_value(json_object_get(one, "jobs")) == 400 &&
		   json_integer_value(json_object_get(one, "twice")) == 8 && same_json(one, two),
	   "jobs that wait in files: %s", err.text);
	json_decref(one);
	json_decref(two);
	const char *folder = getenv("TMPDIR");
	char *before = folder ? strdup(folder) : NULL;
	(void)setenv("TMPDIR", "/nonexistent/folder", 1);
	two = report_random(20000, 400, &err);
	ok(!two && err.status == FT_EIO && strstr(err.text, "/nonexistent/folder") &&
		   strstr(err.remedy, "TMPDIR"),
	   "no folder for them: %s", err.text);
	json_decref(two);
	if (before)
		(void)setenv("TMPDIR", before, 1);
	else
		(void)unsetenv("TMPDIR");
	free(before);
}

static void test_memory(void)
{
	enum ft_status status = FT_ENOMEM;
	size_t fails = 0;

	for (unsigned long i = 1; status == FT_ENOMEM && i < 5000; i++) {
		struct ft_report *report = NULL;
		struct ft_answer_report a;
		struct made job = made_job("align", "ann", 1000000);

		job.id = "1";
		job.size = 7;
		(void)ft_alloc_fail_at(i);
		status =
			ft_report_new(&report, &(struct ft_report_options){.risk = risk, .n_risks = 1}, NULL);
		if (!status)
			status = give(report, &job, NULL);
		if (!status)
			status = ft_report_make(report, &a, NULL);
		(void)ft_alloc_fail_at(0);
		ft_report_free(report);
		fails += status == FT_ENOMEM;
	}
	ok(!status && fails > 10, "each of %zu allocations may fail", fails);
}

int main(void)
{
	test_sums();
	test_again();
	test_rules();
	test_json();
	test_files();
	test_memory();
	return done();
}
