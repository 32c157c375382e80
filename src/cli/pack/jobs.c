/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - `foretime plan pack --jobs`: when jobs start that share this machine's memory, from their requests of memory over
 * time. */
#include "cli/cli.h"
#include "cli/pack/pack.h"
#include "foretime/base.h"
#include "plan/door.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A job: what foretime request --steps --json printed. */
struct pack_job {
	const char *file;
	char *text; /* "NAME n=1000" */
	double start_s, end_s, first_bytes, most_bytes, risk;
	double *from_s, *bytes; /* [steps] */
	size_t steps;
};

#define JOB struct pack_job
static const struct ft_tell_row job_rows[] = {
	{FT_TELL(JOB, file), .about = "as typed"},
	{FT_TELL_AS("job", JOB, text), .about = "program and size", .head = "job"},
	{FT_TELL(JOB, start_s), .head = ">start", .unit = "s", .null = "it never fits"},
	{FT_TELL(JOB, end_s), .about = "after the time it requests", .head = ">end", .unit = "s",
	 .null = "it never fits"},
	{FT_TELL_AS(NULL, JOB, first_bytes), .head = ">memory at first", .unit = "bytes"},
	{FT_TELL(JOB, most_bytes), .about = "its last step", .head = ">in the end", .unit = "bytes"},
	{FT_TELL(JOB, risk), .about = "share of runs that need more than it requests"},
	{0},
};
static const struct ft_tell_record jobs_record = {.bytes = sizeof(JOB), .row = job_rows};

struct pack_jobs {
	struct pack_job *job; /* [n] */
	size_t n;
	struct ft_plan plan;
	double peaks_s, memory_bytes;
	size_t processors;
};

#define JOBS struct pack_jobs
static const struct ft_tell_row jobs_rows[] = {
	{FT_TELL(JOBS, processors), .about = "that the jobs may use"},
	{FT_TELL(JOBS, memory_bytes), .about = "that they may have"},
	{FT_TELL_AS("time_s", JOBS, plan.value), .about = "until the last one ends",
	 .null = "a job never fits"},
	{FT_TELL(JOBS, peaks_s), .about = "the same if each job held its last step throughout",
	 .null = "a job never fits"},
	{FT_TELL_AS("bound_s", JOBS, plan.bound), .about = "no plan is below", .null = "a job never fits"},
	{FT_TELL_AS("exact", JOBS, plan.exact), .about = "no plan is better"},
	{FT_TELL_MANY(LIST, "jobs", JOBS, job, n, &jobs_record), .about = "in the order typed"},
	{0},
};
const struct ft_tell_record cli_pack_jobs_answer = {
	.name = "pack-jobs", .typed = "plan pack", .version = 1, .row = jobs_rows};

/* ---- requests ------------------------------------------------------------------------------------------- */

static char *job_text(const json_t *root)
{
	char *text = cli_strdup(json_string_value(json_object_get(root, "name")));
	json_t *value;
	const char *name;

	json_object_foreach(json_object_get(root, "size"), name, value)
	{
		cli_reprint(&text, "%s %s=%.15g", text, name, json_number_value(value));
	}
	return text;
}

static int refuse(const char *path, const char *why)
{
	return cli_fail("'%s' is no request of a job: %s\n"
			"hint: make it with: foretime request NAME n=SIZE --steps 4 --json > JOB.json",
			path, why);
}

/* Without steps the job holds its request throughout. */
static int read_job(const json_t *root, struct pack_job *job, struct ft_plan_rising *rising)
{
	const json_t *steps = json_object_get(json_object_get(root, "memory_steps"), "steps");
	const double time_s = json_number_value(json_object_get(json_object_get(root, "time"), "most"));
	const double bytes = json_number_value(json_object_get(json_object_get(root, "memory"), "request"));
	const double cpus = json_number_value(json_object_get(root, "cpus"));

	if (!json_is_string(json_object_get(root, "name")) || !json_is_object(json_object_get(root, "size")))
		return refuse(job->file, "it has no \"name\" and \"size\"");
	if (!(time_s > 0) || !(bytes > 0))
		return refuse(job->file, "it has no time or no memory");
	job->steps = json_array_size(steps) ? json_array_size(steps) : 1;
	job->from_s = cli_alloc(job->steps * sizeof *job->from_s);
	job->bytes = cli_alloc(job->steps * sizeof *job->bytes);
	job->from_s[0] = 0;
	job->bytes[0] = bytes;
	for (size_t s = 0; s < json_array_size(steps); s++) {
		const json_t *step = json_array_get(steps, s);

		job->from_s[s] = json_number_value(json_object_get(step, "from_s"));
		job->bytes[s] = json_number_value(json_object_get(step, "bytes"));
	}
	job->text = job_text(root);
	job->risk = json_number_value(json_object_get(root, "risk"));
	job->first_bytes = job->bytes[0];
	job->most_bytes = job->bytes[job->steps - 1];
	*rising = (struct ft_plan_rising){job->from_s, job->bytes, job->steps, time_s, fmax(1, cpus)};
	return CLI_DONE;
}

static int plan_jobs(struct pack_jobs *jobs, const struct cli_words *words)
{
	CLI_OWN struct ft_plan_rising *rising = cli_alloc(words->n * sizeof *rising);
	CLI_OWN double *start_s = cli_alloc(words->n * sizeof *start_s);
	struct ft_err err = {0};

	for (size_t i = 0; i < words->n; i++) {
		json_t *root = NULL;

		jobs->job[i].file = words->word[i];
		jobs->n++;
		if (ft_tell_read_json(words->word[i], &root, &err))
			return cli_error(&err);
		const int status = read_job(root, &jobs->job[i], &rising[i]);
		json_decref(root);
		CLI_TRY(status);
	}
	if (ft_plan_overlap(rising, jobs->n, jobs->memory_bytes, (double)jobs->processors, NULL, start_s,
			    &jobs->plan, &jobs->peaks_s, &err))
		return cli_error(&err);
	for (size_t i = 0; i < jobs->n; i++) {
		jobs->job[i].start_s = start_s[i];
		jobs->job[i].end_s = start_s[i] + rising[i].time_s;
	}
	return CLI_DONE;
}

static void print_jobs(const struct pack_jobs *jobs)
{
	char text[3][FT_UNIT_LENGTH];

	printf("%zu job%s: done in %s (%s if each held its last step throughout); %zu processor%s, %s\n",
	       jobs->n, jobs->n == 1 ? "" : "s", ft_value_format(jobs->plan.value, "s", text[0]),
	       ft_value_format(jobs->peaks_s, "s", text[1]), jobs->processors,
	       jobs->processors == 1 ? "" : "s", ft_value_format(jobs->memory_bytes, "bytes", text[2]));
	if (jobs->plan.exact)
		puts("exact: no plan is better");
	else
		printf("at most %s above the best plan: lower bound %s\n",
		       ft_share_format(ft_plan_gap(&jobs->plan), text[0]),
		       ft_value_format(jobs->plan.bound, "s", text[1]));
	putchar('\n');
	cli_tell_table(&jobs_record, jobs->job, jobs->n, NULL);
}

int cli_pack_jobs(const struct cli_pack *pack, const struct cli_words *words)
{
	struct pack_jobs jobs = {.memory_bytes = pack->options.memory_bytes, .processors = pack->processors};
	char text[2][FT_UNIT_LENGTH];

	jobs.job = cli_alloc((words->n + 1) * sizeof *jobs.job);
	int status = plan_jobs(&jobs, words);
	if (status == CLI_DONE && isinf(jobs.plan.value)) {
		status = CLI_NO;
		for (size_t i = 0; i < jobs.n; i++)
			if (isinf(jobs.job[i].start_s))
				(void)cli_fail("%s never fits: it needs %s, and there are %s, %zu processors",
					       jobs.job[i].text,
					       ft_value_format(jobs.job[i].most_bytes, "bytes", text[0]),
					       ft_value_format(jobs.memory_bytes, "bytes", text[1]),
					       jobs.processors);
	}
	if (pack->json && (status == CLI_DONE || status == CLI_NO))
		cli_tell(&cli_pack_jobs_answer, &jobs, NULL);
	else if (status == CLI_DONE)
		print_jobs(&jobs);
	for (size_t i = 0; i < jobs.n; i++) {
		free(jobs.job[i].text);
		free(jobs.job[i].from_s);
		free(jobs.job[i].bytes);
	}
	free(jobs.job);
	return status;
}
