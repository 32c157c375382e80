/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - `foretime energy predict`, `share`, `peak` and `sweet-spot`: questions to known powers. */
#include "cli/energy/energy.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The jobs that the words tell of, and how many machines are on; or the seconds of each part. */
struct question {
	struct ft_job job[CLI_JOBS_MAX];
	size_t n;
	double machines;
	double value[FT_POWER_PARTS]; /* by part; NaN: not told */
	bool by_part;
};

/* "wall=100s" of a job. */
static int read_field(struct ft_job *job, char *field, bool *has_job)
{
	char *value = strchr(field, '=');
	struct ft_err err = {0};
	enum ft_status status;

	if (!value)
		return cli_fail("'%s' is not wall=T, job=T or n=CORES", field);
	*value++ = 0;
	if (!strcmp(field, "wall")) {
		status = ft_duration_parse(value, &job->wall_s, &err);
	} else if (!strcmp(field, "job")) {
		status = ft_duration_parse(value, &job->job_s, &err);
		*has_job = true;
	} else if (!strcmp(field, "n")) {
		status = ft_number_parse(value, &job->cores, &err);
	} else {
		(void)cli_fail("a job has no '%s'", field);
		cli_hint("write a job as wall=100s,job=90s,n=12");
		return CLI_WRONG;
	}
	return status ? cli_error_at(&err, "%s", field) : CLI_DONE;
}

static int read_job(struct question *q, const char *word)
{
	struct ft_job job = {.cores = 1};
	char *copy = cli_strdup(word), *rest = copy, *field;
	bool has_job = false;
	int status = CLI_DONE;

	while (status == CLI_DONE && (field = strsep(&rest, ",")))
		status = read_field(&job, field, &has_job);
	free(copy);
	if (status != CLI_DONE)
		return status;
	if (q->n == CLI_JOBS_MAX)
		return cli_fail("more than %d jobs", CLI_JOBS_MAX);
	if (!has_job)
		job.job_s = job.wall_s;
	q->job[q->n++] = job;
	return CLI_DONE;
}

/* "core_fast=100s" or "machine=3": a part and how long, or how many of it. */
static int read_part(const struct cli_energy *e, struct question *q, const char *word, bool duration)
{
	char *copy = cli_strdup(word), *value = strchr(copy, '=');
	struct ft_err err = {0};
	enum ft_status status = FT_OK;
	int part, result = CLI_DONE;

	*value++ = 0;
	part = ft_power_part(&e->power, copy);
	if (part < 0) {
		result = cli_fail("the powers know no part '%s'", copy);
		cli_hint("parts are infr, machine, core, or what the fit's columns were called");
	} else {
		status = duration ? ft_duration_parse(value, &q->value[part], &err)
				  : ft_number_parse(value, &q->value[part], &err);
		q->by_part = true;
	}
	if (status)
		result = cli_error_at(&err, "%s", copy);
	free(copy);
	return result;
}

static bool begins(const char *word, const char *key)
{
	return !strncmp(word, key, strlen(key));
}

static int read_words(const struct cli_energy *e, struct question *q, bool jobs)
{
	struct ft_err err = {0};
	size_t i;
	int status = CLI_DONE;

	*q = (struct question){.machines = 1};
	for (i = 0; i < FT_POWER_PARTS; i++)
		q->value[i] = NAN;
	for (i = 0; i < e->words && status == CLI_DONE; i++) {
		const char *word = e->word[i];

		if (begins(word, "m="))
			status = ft_number_parse(word + 2, &q->machines, &err) ? cli_error_at(&err, "m")
									       : CLI_DONE;
		else if (jobs && (begins(word, "wall=") || begins(word, "n=") || begins(word, "job=")) &&
			 ft_power_part(&e->power, "core") >= 0)
			status = read_job(q, word);
		else if (strchr(word, '='))
			status = read_part(e, q, word, jobs);
		else
			status = cli_fail(
				"'%s' says nothing about energy: write wall=100s,job=90s,n=12 and m=1", word);
	}
	return status;
}

static void set_energy(json_t *object, const struct ft_energy *energy)
{
	cli_json_set(object, "energy_j", cli_json_number(energy->joules));
	cli_json_set(object, "lower_j", cli_json_number(energy->lower));
	cli_json_set(object, "upper_j", cli_json_number(energy->upper));
	cli_json_set(object, "seconds", cli_json_number(energy->seconds));
	cli_json_set(object, "mean_w", cli_json_number(energy->mean_w));
}

static void print_energy(const struct ft_energy *energy, double confidence)
{
	char text[5][FT_UNIT_LENGTH];

	printf("energy  %s", ft_value_format(energy->joules, "J", text[0]));
	if (!isnan(energy->lower))
		printf("  (%s .. %s in %.0f %% of runs)", ft_value_format(energy->lower, "J", text[1]),
		       ft_value_format(energy->upper, "J", text[2]), 100 * confidence);
	printf("\n        %s on average for %s\n", ft_value_format(energy->mean_w, "W", text[3]),
	       ft_value_format(energy->seconds, "s", text[4]));
}

/* Seconds of each part: 8.14. wall: the longest of them, or that of infr. */
static int predict_parts(const struct cli_energy *e, struct question *q, struct ft_energy *out)
{
	double wall = 0;
	size_t i;

	for (i = 0; i < e->power.parts; i++)
		wall = fmax(wall, q->value[i]);
	for (i = 0; i < e->power.parts; i++) {
		if (isnan(q->value[i])) {
			(void)cli_fail("how long is '%s' in use?", e->power.part[i]);
			cli_hint("write %s=100s (0s: not at all)", e->power.part[i]);
			return CLI_WRONG;
		}
	}
	if (ft_power_part(&e->power, "infr") >= 0)
		wall = q->value[ft_power_part(&e->power, "infr")];
	if (!(wall > 0))
		return cli_fail("nothing runs for any time");
	*out = ft_power_energy(&e->power, q->value, wall, e->confidence);
	return CLI_DONE;
}

static int ask_jobs(struct cli_energy *e, struct question *q, struct ft_energy *energy, double *share)
{
	struct ft_err err = {0};
	int status = cli_energy_power(e);

	if (status == CLI_DONE)
		status = read_words(e, q, true);
	if (status != CLI_DONE)
		return status;
	if (q->by_part && (q->n || share))
		return cli_fail("jobs and seconds of parts exclude each other");
	if (q->by_part)
		return predict_parts(e, q, energy);
	if (!q->n) {
		(void)cli_fail("which job?");
		cli_hint("write wall=100s,job=90s,n=12 for each job, and m=1 for the machines that are on");
		return CLI_WRONG;
	}
	if (ft_power_jobs(&e->power, q->machines, q->job, q->n, e->printed, e->by_cores, e->confidence,
			  energy, share, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_energy_predict(void *asked)
{
	struct cli_energy *e = asked;
	struct ft_energy energy = {0};
	struct question q;
	int status = ask_jobs(e, &q, &energy, NULL);

	if (status != CLI_DONE)
		return status;
	if (e->json) {
		json_t *object = cli_json_new("energy");

		cli_json_set(object, "action", cli_json_text("predict"));
		set_energy(object, &energy);
		cli_json_set(object, "confidence", cli_json_number(e->confidence));
		cli_json_print(object, stdout);
	} else {
		print_energy(&energy, e->confidence);
	}
	return CLI_DONE;
}

int cli_energy_share(void *asked)
{
	struct cli_energy *e = asked;
	double share[CLI_JOBS_MAX] = {0};
	struct ft_energy energy = {0};
	struct question q;
	json_t *object, *jobs;
	size_t i;
	int status = ask_jobs(e, &q, &energy, share);

	if (status != CLI_DONE)
		return status;
	object = cli_json_new("energy");
	jobs = cli_json_array();
	for (i = 0; i < q.n; i++) {
		char text[FT_UNIT_LENGTH], part[FT_UNIT_LENGTH];
		json_t *job = cli_json_object();

		if (!e->json)
			printf("job %zu  %10s  %s\n", i + 1, ft_value_format(share[i], "J", text),
			       ft_share_format(share[i] / energy.joules, part));
		cli_json_set(job, "energy_j", cli_json_number(share[i]));
		cli_json_set(job, "share", cli_json_number(share[i] / energy.joules));
		cli_json_append(jobs, job);
	}
	if (!e->json)
		print_energy(&energy, e->confidence);
	cli_json_set(object, "action", cli_json_text("share"));
	set_energy(object, &energy);
	cli_json_set(object, "jobs", jobs);
	if (e->json)
		cli_json_print(object, stdout);
	else
		json_decref(object);
	return CLI_DONE;
}

/* Units at the peak: n cores, m machines, or each part by name. */
static int read_units(const struct cli_energy *e, struct question *q)
{
	int machine = ft_power_part(&e->power, "machine"), core = ft_power_part(&e->power, "core"), part;
	struct ft_err err = {0};
	size_t i;
	int status = CLI_DONE;

	*q = (struct question){.machines = 1};
	for (i = 0; i < FT_POWER_PARTS; i++)
		q->value[i] = !strncmp(e->power.part[i], "infr", 4) ? 1 : (double)NAN;
	for (i = 0; i < e->words && status == CLI_DONE; i++) {
		const char *word = e->word[i];

		part = begins(word, "m=") ? machine : begins(word, "n=") ? core : -1;
		if (part >= 0)
			status = ft_number_parse(word + 2, &q->value[part], &err)
					 ? cli_error_at(&err, "%.1s", word)
					 : CLI_DONE;
		else if (strchr(word, '='))
			status = read_part(e, q, word, false);
		else
			status = cli_fail("'%s' is no number of anything: write n=36 m=3", word);
	}
	for (i = 0; i < e->power.parts && status == CLI_DONE; i++)
		if (isnan(q->value[i])) {
			status = cli_fail("how many of '%s' are in use?", e->power.part[i]);
			cli_hint("write n=CORES m=MACHINES, or PART=NUMBER");
		}
	return status;
}

int cli_energy_peak(void *asked)
{
	struct cli_energy *e = asked;
	double watts, lower = NAN, upper = NAN;
	char text[3][FT_UNIT_LENGTH];
	struct question q;
	int status = cli_energy_power(e);

	if (status == CLI_DONE)
		status = read_units(e, &q);
	if (status != CLI_DONE)
		return status;
	watts = ft_power_peak(&e->power, q.value, e->confidence, &lower, &upper);
	if (e->json) {
		json_t *object = cli_json_new("energy");

		cli_json_set(object, "action", cli_json_text("peak"));
		cli_json_set(object, "peak_w", cli_json_number(watts));
		cli_json_set(object, "lower_w", cli_json_number(lower));
		cli_json_set(object, "upper_w", cli_json_number(upper));
		cli_json_print(object, stdout);
		return CLI_DONE;
	}
	printf("peak  %s", ft_value_format(watts, "W", text[0]));
	if (!isnan(lower))
		printf("  (%s .. %s in %.0f %% of readings)", ft_value_format(lower, "W", text[1]),
		       ft_value_format(upper, "W", text[2]), 100 * e->confidence);
	putchar('\n');
	return CLI_DONE;
}

/* ---- sweet spot ------------------------------------------------------------------------------------------
 */

enum { CORES_MOST = 1000000 };

struct spot {
	double seconds, per, most;
};

static int read_spot(const struct cli_energy *e, struct spot *spot)
{
	struct ft_err err = {0};
	enum ft_status status = FT_OK;
	size_t i;

	*spot = (struct spot){.per = 1, .most = NAN};
	for (i = 0; i < e->words && !status; i++) {
		const char *word = e->word[i];

		if (begins(word, "time="))
			status = ft_duration_parse(word + 5, &spot->seconds, &err);
		else if (begins(word, "cores="))
			status = ft_number_parse(word + 6, &spot->per, &err);
		else if (begins(word, "most="))
			status = ft_number_parse(word + 5, &spot->most, &err);
		else
			return cli_fail("energy sweet-spot knows no '%s'", word);
	}
	if (status)
		return cli_error(&err);
	if (isnan(spot->most))
		spot->most = spot->per;
	if (!(spot->most >= 1 && spot->most <= CORES_MOST))
		return cli_fail("most=%g: from 1 to %d cores may be asked about", spot->most, CORES_MOST);
	if (spot->seconds > 0 && !isnan(e->serial) && spot->per >= 1)
		return CLI_DONE;
	(void)cli_fail("energy sweet-spot needs time=T, the time on one core, cores=N of a machine, and "
		       "--serial SHARE");
	cli_hint("write foretime energy sweet-spot time=3600s cores=16 most=64 --serial 10%% --model "
		 "FILE.json");
	return CLI_WRONG;
}

static void print_spot(const struct ft_sweet_spot *s, const struct spot *spot)
{
	char text[4][FT_UNIT_LENGTH];

	printf("%g core%s on %g machine%s: %s, %s\n", s->cores, s->cores == 1 ? "" : "s", s->machines,
	       s->machines == 1 ? "" : "s", ft_value_format(s->joules, "J", text[0]),
	       ft_value_format(s->seconds, "s", text[1]));
	printf("1 core: %s, %s\n", ft_value_format(s->serial_joules, "J", text[2]),
	       ft_value_format(spot->seconds, "s", text[3]));
	if (s->at_bound)
		printf("the energy still falls at %g cores: more would cost less still\n", s->cores);
}

int cli_energy_sweet_spot(void *asked)
{
	struct cli_energy *e = asked;
	struct ft_sweet_spot s;
	struct ft_err err = {0};
	struct spot spot;
	int status = cli_energy_power(e);

	if (status == CLI_DONE)
		status = read_spot(e, &spot);
	if (status != CLI_DONE)
		return status;
	if (ft_power_sweet_spot(&e->power, spot.seconds, e->serial, spot.per, (size_t)spot.most, e->busy, &s,
				NULL, &err))
		return cli_error(&err);
	if (e->json) {
		json_t *object = cli_json_new("energy");

		cli_json_set(object, "action", cli_json_text("sweet-spot"));
		cli_json_set(object, "cores", cli_json_number(s.cores));
		cli_json_set(object, "machines", cli_json_number(s.machines));
		cli_json_set(object, "energy_j", cli_json_number(s.joules));
		cli_json_set(object, "seconds", cli_json_number(s.seconds));
		cli_json_set(object, "serial_energy_j", cli_json_number(s.serial_joules));
		cli_json_set(object, "at_bound", cli_json_bool(s.at_bound));
		cli_json_print(object, stdout);
	} else {
		print_spot(&s, &spot);
	}
	return CLI_DONE;
}
