/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - `foretime energy predict`, `share` and `peak`: answers from known powers. */
#include "cli/cli.h"
#include "cli/energy/energy.h"
#include "foretime/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLI_JOBS_MAX = 256 };

/*
 * Jobs that a batch system accounted for: their times and energies, and each user's share.
 */

static void add_job(struct cli_accounts *a, const struct ft_imported *part, const struct ft_run *run)
{
	const struct ft_energy_job job = {.wall_s = ft_run_value(run, &ft_wall_s),
					  .energy_j = ft_run_value(run, &ft_energy_j),
					  .core_s = ft_run_value(run, &ft_cpu_s),
					  .machines = run->size.value[0]};
	struct cli_account *user = &a->user[a->n_users - 1];

	if (!(job.wall_s > 0) || !(job.energy_j > 0) || !(job.core_s >= 0) || !(job.machines >= 1)) {
		a->left_out++;
		return;
	}
	a->job = cli_grow(a->job, a->n, sizeof *a->job);
	a->of = cli_grow(a->of, a->n, sizeof *a->of);
	a->of[a->n] = a->n_users - 1;
	a->job[a->n++] = job;
	user->name = user->name ? user->name : cli_strdup(part->program.name);
	user->jobs++;
	user->core_s += job.core_s;
	user->machine_s += job.machines * job.wall_s;
	user->measured_j += job.energy_j;
}

int cli_accounts_read(struct cli_accounts *a, const struct cli_table_of_runs *table, bool merge,
		      struct ft_energy_runs *runs)
{
	static const char *const size[] = {"m=NNodes"};
	const struct ft_import_options options = {
		.format = "sacct", .by = "User", .size = size, .n_sizes = 1};
	struct ft_import import = {0};
	struct ft_err err = {0};
	int status;

	if (table->bytes
		    ? ft_import_parse(&import, "standard input", table->bytes, table->length, &options, &err)
		    : ft_import_read(&import, table->path, &options, &err)) {
		status = cli_error(&err);
		cli_hint("sacct -P -o JobID,User,State,Elapsed,TotalCPU,NNodes,ConsumedEnergyRaw prints what "
			 "is needed");
		return status;
	}
	cli_reading_notes(&import);
	a->user = cli_alloc((import.n + 1) * sizeof *a->user);
	for (size_t i = 0; i < import.n; i++) {
		a->n_users++;
		for (size_t k = 0; k < import.part[i].runs.n; k++)
			add_job(a, &import.part[i], &import.part[i].runs.run[k]);
		if (!a->user[a->n_users - 1].jobs)
			a->n_users--;
	}
	ft_import_clear(&import);
	if (a->left_out)
		cli_note("%zu job%s left out: no energy, time or processor time is recorded", a->left_out,
			 a->left_out == 1 ? " is" : "s are");
	if (ft_energy_runs_of(runs, a->job, a->n, merge, &err)) {
		status = cli_error(&err);
		if (!a->n)
			cli_hint("Slurm gathers energy where AcctGatherEnergyType is set (slurm.conf)");
		return status;
	}
	return CLI_DONE;
}

void cli_accounts_divide(struct cli_accounts *a, const struct ft_energy_runs *runs,
			 const struct ft_energy_fit *fit)
{
	double all_j = 0;

	for (size_t i = 0; i < a->n; i++) {
		struct cli_account *user = &a->user[a->of[i]];

		user->unfit += fit->left_out[i];
		for (size_t k = 0; k < runs->parts; k++)
			user->joules += fit->power.watts[k] * runs->time_s[i * runs->parts + k];
	}
	for (size_t i = 0; i < a->n_users; i++)
		all_j += a->user[i].joules;
	for (size_t i = 0; i < a->n_users; i++)
		a->user[i].share = a->user[i].joules / all_j;
}

void cli_accounts_clear(struct cli_accounts *a)
{
	for (size_t i = 0; i < a->n_users; i++)
		free(a->user[i].name);
	free(a->user);
	free(a->job);
	free(a->of);
	*a = (struct cli_accounts){0};
}

/*
 * `foretime energy predict`, `share` and `peak`: answers from known powers.
 */

/* The jobs given in words, and how many machines are on; or the seconds of each part. */
struct energy_jobs_question {
	struct ft_job job[CLI_JOBS_MAX];
	size_t n;
	double machines;
	double value[FT_POWER_PARTS]; /* by part; NaN: not given */
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
		return cli_fail("a job has no '%s'\nhint: write a job as wall=100s,job=90s,n=12", field);
	}
	return status ? cli_error_at(&err, "%s", field) : CLI_DONE;
}

static int read_job(struct energy_jobs_question *q, const char *word)
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
static int read_part(const struct cli_energy *e, struct energy_jobs_question *q, const char *word,
		     bool duration)
{
	char *copy = cli_strdup(word), *value = copy + strcspn(copy, "=");
	struct ft_err err = {0};
	enum ft_status status = FT_OK;
	int result = CLI_DONE;

	*value++ = 0;
	int part = ft_power_part(&e->power, copy);
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

static bool has_beginning(const char *word, const char *key)
{
	return !strncmp(word, key, strlen(key));
}

#define ENERGY struct ft_energy
static const struct ft_tell_row energy_rows[] = {
	{FT_TELL_AS("energy_j", ENERGY, joules)},
	{FT_TELL_AS("lower_j", ENERGY, lower), .null = "the powers were stated, not measured"},
	{FT_TELL_AS("upper_j", ENERGY, upper), .null = "the powers were stated, not measured"},
	{FT_TELL(ENERGY, seconds)},
	{FT_TELL(ENERGY, mean_w)},
	{0},
};
static const struct ft_tell_record energies = {.row = energy_rows};

struct energy_predict_answer {
	ENERGY energy;
	double confidence;
	struct ft_answer_price price;
	struct ft_answer_cost cost;
};

static const struct ft_tell_row predict_rows[] = {
	{FT_TELL_BY(ROWS, NULL, struct energy_predict_answer, energy), .of = &energies},
	{FT_TELL(struct energy_predict_answer, confidence),
	 .about = "share of runs between lower_j and upper_j"},
	{FT_TELL_BY(RECORD, "price", struct energy_predict_answer, price), .of = &ft_tell_price,
	 .null = "no price was stated"},
	{FT_TELL_BY(ROWS, NULL, struct energy_predict_answer, cost), .of = &ft_tell_cost},
	{0},
};
const struct ft_tell_record cli_energy_predict_answer = {
	.name = "energy", .action = "predict", .version = 1, .row = predict_rows};

struct energy_job {
	double energy_j, share;
};

static const struct ft_tell_row job_rows[] = {
	{FT_TELL(struct energy_job, energy_j)},
	{FT_TELL(struct energy_job, share)},
	{0},
};
static const struct ft_tell_record jobs = {.bytes = sizeof(struct energy_job), .row = job_rows};

struct answer_share {
	ENERGY energy;
	struct energy_job job[CLI_JOBS_MAX];
	size_t n;
};

static const struct ft_tell_row share_rows[] = {
	{FT_TELL_BY(ROWS, NULL, struct answer_share, energy), .of = &energies},
	{FT_TELL_MANY(ARRAY, "jobs", struct answer_share, job, n, &jobs)},
	{0},
};
const struct ft_tell_record cli_energy_share_answer = {
	.name = "energy", .action = "share", .version = 1, .row = share_rows};

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

static int ask_jobs(struct cli_energy *e, struct energy_jobs_question *q, struct ft_energy *energy,
		    double *share)
{
	struct ft_err err = {0};

	CLI_TRY(cli_energy_power(e));
	int status = CLI_DONE;

	*q = (struct energy_jobs_question){.machines = 1};
	for (size_t i = 0; i < FT_POWER_PARTS; i++)
		q->value[i] = NAN;
	for (size_t i = 0; i < e->words && status == CLI_DONE; i++) {
		const char *word = e->word[i];

		if (has_beginning(word, "m="))
			status = ft_number_parse(word + 2, &q->machines, &err) ? cli_error_at(&err, "m")
									       : CLI_DONE;
		else if ((has_beginning(word, "wall=") || has_beginning(word, "n=") ||
			  has_beginning(word, "job=")) &&
			 ft_power_part(&e->power, "core") >= 0)
			status = read_job(q, word);
		else if (strchr(word, '='))
			status = read_part(e, q, word, true);
		else
			status = cli_fail(
				"'%s' is not a job or a part\nhint: write wall=100s,job=90s,n=12 and m=1",
				word);
	}
	CLI_TRY(status);
	if (q->by_part && (q->n || share))
		return cli_fail("jobs and seconds of parts exclude each other");
	if (q->by_part) {
		/* Seconds of each part: 8.14. wall: the longest of them, or that of infr. */
		double wall = 0;

		for (size_t i = 0; i < e->power.parts; i++)
			wall = fmax(wall, q->value[i]);
		for (size_t i = 0; i < e->power.parts; i++) {
			if (isnan(q->value[i]))
				return cli_fail("how long is '%s' in use?\n"
						"hint: write %s=100s (0s: not at all)",
						e->power.part[i], e->power.part[i]);
		}
		if (ft_power_part(&e->power, "infr") >= 0)
			wall = q->value[ft_power_part(&e->power, "infr")];
		if (!(wall > 0))
			return cli_fail("nothing runs for any time");
		*energy = ft_power_energy(&e->power, q->value, wall, e->confidence);
		return CLI_DONE;
	}
	if (!q->n)
		return cli_fail("which job?\n"
				"hint: write wall=100s,job=90s,n=12 for each job, and m=1 for the machines "
				"that are on");
	if (ft_power_jobs(&e->power, q->machines, q->job, q->n, e->printed, e->by_cores, e->confidence,
			  energy, share, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_energy_predict(void *query)
{
	struct cli_energy *e = query;
	struct ft_energy energy = {0};
	struct energy_jobs_question q;

	CLI_TRY(ask_jobs(e, &q, &energy, NULL));
	if (e->json) {
		const struct energy_predict_answer answer = {
			energy, e->confidence, e->price.answer,
			ft_tell_cost_of(&e->price.answer, energy.joules)};

		cli_tell(&cli_energy_predict_answer, &answer, NULL);
	} else {
		print_energy(&energy, e->confidence);
		CLI_OWN char *cost = cli_price_text(&e->price, energy.joules);

		if (*cost)
			printf("        %s\n", cost);
	}
	return CLI_DONE;
}

int cli_energy_share(void *query)
{
	struct cli_energy *e = query;
	double share[CLI_JOBS_MAX] = {0};
	struct ft_energy energy = {0};
	struct energy_jobs_question q;
	struct answer_share answer;

	CLI_TRY(ask_jobs(e, &q, &energy, share));
	answer = (struct answer_share){.energy = energy, .n = q.n};
	for (size_t i = 0; i < q.n; i++) {
		char text[FT_UNIT_LENGTH], part[FT_UNIT_LENGTH];

		answer.job[i] = (struct energy_job){share[i], share[i] / energy.joules};
		if (!e->json)
			printf("job %zu  %10s  %s\n", i + 1, ft_value_format(share[i], "J", text),
			       ft_share_format(answer.job[i].share, part));
	}
	if (e->json)
		cli_tell(&cli_energy_share_answer, &answer, NULL);
	else
		print_energy(&energy, e->confidence);
	return CLI_DONE;
}

struct answer_peak {
	double peak_w, lower_w, upper_w;
};

static const struct ft_tell_row peak_rows[] = {
	{FT_TELL(struct answer_peak, peak_w)},
	{FT_TELL(struct answer_peak, lower_w), .null = "the powers were stated, not measured"},
	{FT_TELL(struct answer_peak, upper_w), .null = "the powers were stated, not measured"},
	{0},
};
const struct ft_tell_record cli_energy_peak_answer = {
	.name = "energy", .action = "peak", .version = 1, .row = peak_rows};

int cli_energy_peak(void *query)
{
	struct cli_energy *e = query;
	double lower = NAN, upper = NAN;
	char text[3][FT_UNIT_LENGTH];
	struct energy_jobs_question q;

	CLI_TRY(cli_energy_power(e));
	/* Units at the peak: n cores, m machines, or each part by name. */
	int machine = ft_power_part(&e->power, "machine"), core = ft_power_part(&e->power, "core"), part;
	struct ft_err err = {0};
	int status = CLI_DONE;

	q = (struct energy_jobs_question){.machines = 1};
	for (size_t i = 0; i < FT_POWER_PARTS; i++)
		q.value[i] = !strncmp(e->power.part[i], "infr", 4) ? 1 : (double)NAN;
	for (size_t i = 0; i < e->words && status == CLI_DONE; i++) {
		const char *word = e->word[i];

		part = has_beginning(word, "m=") ? machine : has_beginning(word, "n=") ? core : -1;
		if (part >= 0)
			status = ft_number_parse(word + 2, &q.value[part], &err)
					 ? cli_error_at(&err, "%.1s", word)
					 : CLI_DONE;
		else if (strchr(word, '='))
			status = read_part(e, &q, word, false);
		else
			status = cli_fail("'%s' is not a number of parts\nhint: write n=36 m=3", word);
	}
	for (size_t i = 0; i < e->power.parts && status == CLI_DONE; i++)
		if (isnan(q.value[i]))
			status = cli_fail("how many of '%s' are in use?\n"
					  "hint: write n=CORES m=MACHINES, or PART=NUMBER",
					  e->power.part[i]);
	if (status)
		return status;
	double watts = ft_power_peak(&e->power, q.value, e->confidence, &lower, &upper);
	if (e->json) {
		cli_tell(&cli_energy_peak_answer, &(struct answer_peak){watts, lower, upper}, NULL);
		return CLI_DONE;
	}
	printf("peak  %s", ft_value_format(watts, "W", text[0]));
	if (!isnan(lower))
		printf("  (%s .. %s in %.0f %% of readings)", ft_value_format(lower, "W", text[1]),
		       ft_value_format(upper, "W", text[2]), 100 * e->confidence);
	putchar('\n');
	return CLI_DONE;
}
