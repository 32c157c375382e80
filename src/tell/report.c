/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what jobs requested and used, by program, user or partition; why they failed; and what other
 * requests would have cost, had they been made in the order of time. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "foretime/ask.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* GB h, as sites count memory; and the factor of the rule of thumb that requests are compared with. */
static const double gb_h = 1e9 * 3600, hour_s = 3600, thumb = 1.1;

/*
 * Texts and numbers, each kept once.
 */

/* A table of open addresses: slot 0 is free, else an index and one. */
struct report_names {
	char **name; /* [n] */
	size_t n, capacity;
	uint32_t *slot;
	size_t slots; /* a power of 2 */
};

static void clear_names(struct report_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		ft_free(names->name[i]);
	ft_free(names->name);
	ft_free(names->slot);
	*names = (struct report_names){0};
}

static size_t name_place(const struct report_names *names, const char *name)
{
	size_t at = ft_hash_text(name) & (names->slots - 1);

	while (names->slot[at] && strcmp(names->name[names->slot[at] - 1], name) != 0)
		at = (at + 1) & (names->slots - 1);
	return at;
}

/* The number of a name, a new one for a new name. */
static enum ft_status find_name(struct report_names *names, const char *name, uint32_t *out,
				struct ft_err *err)
{
	if (2 * (names->n + 1) > names->slots) {
		size_t slots = names->slots ? 2 * names->slots : 64;
		uint32_t *slot = ft_calloc(slots, sizeof *slot);

		if (!slot)
			return ft_nomem(err);
		ft_free(names->slot);
		names->slot = slot;
		names->slots = slots;
		for (size_t i = 0; i < names->n; i++)
			names->slot[name_place(names, names->name[i])] = (uint32_t)(i + 1);
	}
	size_t at = name_place(names, name);
	if (!names->slot[at]) {
		char **grown = ft_grow(names->name, names->n, &names->capacity, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		names->name = grown;
		names->name[names->n] = ft_strdup(name);
		if (!names->name[names->n])
			return ft_nomem(err);
		names->slot[at] = (uint32_t)++names->n;
	}
	*out = names->slot[at] - 1;
	return FT_OK;
}

/* Jobs that were seen, by a hash that is not 0. */
struct report_seen {
	uint64_t *hash; /* [slots] */
	size_t n, slots;
};

static enum ft_status see_hash(struct report_seen *seen, uint64_t hash, bool *again, struct ft_err *err)
{
	size_t at;

	if (8 * (seen->n + 1) > 7 * seen->slots) { /* of very many jobs it is a good part of all memory */
		size_t slots = seen->slots ? 2 * seen->slots : 1024;
		uint64_t *grown = ft_calloc(slots, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		for (size_t i = 0; i < seen->slots; i++) {
			if (!seen->hash[i])
				continue;
			for (at = seen->hash[i] & (slots - 1); grown[at];)
				at = (at + 1) & (slots - 1);
			grown[at] = seen->hash[i];
		}
		ft_free(seen->hash);
		seen->hash = grown;
		seen->slots = slots;
	}
	for (at = hash & (seen->slots - 1); seen->hash[at] && seen->hash[at] != hash;)
		at = (at + 1) & (seen->slots - 1);
	*again = seen->hash[at] == hash;
	seen->n += !*again;
	seen->hash[at] = hash;
	return FT_OK;
}

/*
 * Jobs.
 */

/* A job as it comes in. NaN: not known. Its n_size sizes stand behind it. */
struct report_job {
	uint64_t id;          /* of its number, start and program; 0: it has none */
	uint32_t task, group; /* numbers of names */
	uint8_t end, outcome, n_size;
	double wall_s, bytes, cpu_s;
	double asked_s, asked_bytes, cpus;
	double started_s, made_s;
};

/* Jobs wait until all are in, those of a program in one part: in memory, and where they are more than HELD bytes in
 * files without a name. Then memory is bounded but for names, since parts are worked on one after the other, or as
 * many at a time as there are processors for, and take no more than some 300 MB together. */
enum { PARTS = 64, HELD = 64 << 20, WORKERS = 16, STACK = 1 << 20 };

struct report_part {
	struct ft_text held;
	FILE *file;    /* NULL: none is written yet */
	size_t stored; /* bytes in it */
};

/* Jobs that are counted and replayed together. */
struct report_work {
	struct ft_report *report;
	struct report_seen seen;
	struct ft_replay_job *job; /* [n] */
	uint32_t *group_of;        /* [n] */
	size_t n, capacity, groups_of_capacity;
	size_t replayed;               /* of these, so far */
	struct ft_answer_report out;   /* sums of them */
	struct ft_answer_group *group; /* [names of the groups] by number of the name */
};

struct ft_report {
	struct ft_report_options options;
	struct report_names program, user, partition, task;
	const struct report_names *groups; /* of these three */
	struct report_part part[PARTS];
	size_t held, most, jobs;  /* bytes in memory, and at most; all jobs */
	bool timed, stored, lost; /* a job has a moment; jobs are in files; they could not be written */
	/* while it is made, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t turn;
	size_t next, added, replayed; /* part to work on, parts whose sums are added, jobs */
	enum ft_status status;
	struct ft_err why;
	struct ft_answer_report *out;
	struct ft_replay_rule rule[FT_REPORT_RISKS + 2];
	/* until it is made again */
	struct ft_answer_group *group; /* by number of the name, then as they are listed */
};

enum ft_status ft_report_new(struct ft_report **out, const struct ft_report_options *options,
			     struct ft_err *err)
{
	struct ft_report *report = ft_calloc(1, sizeof *report);

	*out = report;
	if (!report)
		return ft_nomem(err);
	report->options = *options;
	report->most = options->held ? options->held : HELD;
	report->groups = options->by == FT_REPORT_USER        ? &report->user
			 : options->by == FT_REPORT_PARTITION ? &report->partition
							      : &report->program;
	(void)pthread_mutex_init(&report->lock, NULL);
	(void)pthread_cond_init(&report->turn, NULL);
	return FT_OK;
}

void ft_report_free(struct ft_report *report)
{
	if (!report)
		return;
	clear_names(&report->program);
	clear_names(&report->user);
	clear_names(&report->partition);
	clear_names(&report->task);
	for (size_t i = 0; i < PARTS; i++) {
		ft_text_clear(&report->part[i].held);
		if (report->part[i].file)
			(void)fclose(report->part[i].file);
	}
	(void)pthread_mutex_destroy(&report->lock);
	(void)pthread_cond_destroy(&report->turn);
	ft_free(report->group);
	ft_free(report);
}

const char *ft_report_end_text(unsigned end)
{
	static const char *const words[FT_ENDS] = {
		[FT_END_COMPLETED] = "completed", [FT_END_MEMORY] = "out of memory",
		[FT_END_TIME] = "time limit",     [FT_END_FAILED] = "failed",
		[FT_END_CANCELLED] = "cancelled", [FT_END_PREEMPTED] = "preempted",
		[FT_END_NODE] = "node failure",   [FT_END_UNBEGUN] = "cancelled before start"};

	return end < FT_ENDS ? words[end] : "unknown";
}

/* Slurm's states say more than outcomes do. */
static enum ft_report_end end_of(const struct ft_import_row *row)
{
	static const struct {
		const char *state;
		enum ft_report_end end;
	} states[] = {{"NODE_FAIL", FT_END_NODE},     {"BOOT_FAIL", FT_END_NODE},
		      {"LAUNCH_FAILED", FT_END_NODE}, {"PREEMPTED", FT_END_PREEMPTED},
		      {"REQUEUED", FT_END_PREEMPTED}, {"REVOKED", FT_END_PREEMPTED}};
	static const enum ft_report_end by_outcome[] = {
		[FT_DONE] = FT_END_COMPLETED,       [FT_FAILED] = FT_END_FAILED,
		[FT_CRASHED] = FT_END_FAILED,       [FT_TIMED_OUT] = FT_END_TIME,
		[FT_OUT_OF_MEMORY] = FT_END_MEMORY, [FT_INVALID] = FT_END_FAILED,
		[FT_NOT_STARTED] = FT_END_UNBEGUN,  [FT_INTERRUPTED] = FT_END_CANCELLED};

	for (size_t i = 0; row->state && i < sizeof states / sizeof *states; i++)
		if (!strncmp(row->state, states[i].state, strlen(states[i].state)))
			return states[i].end;
	return by_outcome[row->run->outcome];
}

static double known(double value)
{
	return value > 0 ? value : (double)NAN;
}

/* What a job requested and used. */
static void add_usage(struct ft_answer_usage *usage, const struct report_job *job)
{
	double hours = job->wall_s / hour_s, bytes = job->bytes;

	usage->jobs++;
	if (!(job->wall_s > 0))
		return;
	/* A job that was killed because it needed more used all of its request, although the last look at it
	 * may have been earlier. */
	if (job->end == FT_END_MEMORY)
		bytes = fmax(bytes, job->asked_bytes);
	if (!isnan(job->asked_bytes) && !isnan(bytes)) {
		usage->memory_jobs++;
		usage->requested_gb_h += job->asked_bytes * job->wall_s / gb_h;
		usage->used_gb_h += bytes * job->wall_s / gb_h;
	} else if (!isnan(job->asked_bytes)) {
		usage->unseen_gb_h += job->asked_bytes * job->wall_s / gb_h;
	}
	if (!isnan(job->cpus) && !isnan(job->cpu_s)) {
		usage->core_jobs++;
		usage->requested_core_h += job->cpus * hours;
		usage->used_core_h += job->cpu_s / hour_s;
	}
	if (!isnan(job->asked_s)) {
		usage->time_jobs++;
		usage->limit_h += job->asked_s / hour_s;
		usage->used_h += hours;
	}
}

/* Write what is held to files. */
static enum ft_status store_parts(struct ft_report *report, struct ft_err *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	bool good = true;

	report->stored = true;
	errno = 0;
	folder = folder && *folder ? folder : "/tmp";
	for (size_t i = 0; i < PARTS && good; i++) {
		struct report_part *part = &report->part[i];

		if (!part->held.length)
			continue;
		if (!part->file) {
			int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);

			(void)snprintf(path, sizeof path, "%s/foretime-XXXXXX", folder);
			if (fd < 0 &&
			    (fd = mkostemp(path, O_CLOEXEC)) >= 0) /* not every file system has these */
				(void)unlink(path);
			part->file = fd < 0 ? NULL : fdopen(fd, "w+");
			if (!part->file && fd >= 0)
				(void)close(fd);
		}
		good = part->file &&
		       fwrite(part->held.s, 1, part->held.length, part->file) == part->held.length &&
		       !fflush(part->file);
		part->stored += part->held.length;
		ft_text_clear(&part->held);
	}
	report->held = 0;
	if (good && !report->lost)
		return FT_OK;
	report->lost = true; /* who takes rows may go on, and a report of a part is none */
	(void)ft_fail(err, FT_EIO, "cannot keep %zu jobs in a file in %s: %s", report->jobs, folder,
		      strerror(errno));
	return ft_remedy(err, "name a folder with more space in TMPDIR, or report a shorter time");
}

enum ft_status ft_report_take(void *ctx, const struct ft_import_row *row, struct ft_err *err)
{
	struct ft_report *report = ctx;
	const struct ft_report_options *options = &report->options;
	const struct ft_run *run = row->run;

	if ((options->user && (!row->user || strcmp(row->user, options->user) != 0)) ||
	    (options->partition && (!row->partition || strcmp(row->partition, options->partition) != 0)))
		return FT_OK;
	uint32_t name[3];
	FT_TRY(find_name(&report->program, row->program, &name[FT_REPORT_PROGRAM], err));
	FT_TRY(find_name(&report->user, row->user ? row->user : "", &name[FT_REPORT_USER], err));
	FT_TRY(find_name(&report->partition, row->partition ? row->partition : "", &name[FT_REPORT_PARTITION],
			 err));
	/* A program with other parameters is another one to a model. */
	struct report_job job = {0};
	struct ft_text text = {0};

	for (size_t i = 0; i < run->size.n; i++)
		ft_text_add(&text, "%s\n%s", i ? "" : row->program, row->param[i].name);
	enum ft_status status =
		text.failed ? ft_nomem(err)
			    : find_name(&report->task, text.s ? text.s : row->program, &job.task, err);
	ft_text_clear(&text);
	FT_TRY(status);
	if (row->id) {
		job.id = ft_hash_bytes(ft_hash_text(row->id), &run->started_ns, sizeof run->started_ns);
		job.id = ft_hash_bytes(job.id, &job.task, sizeof job.task);
		job.id += !job.id;
	}
	job.group = name[options->by];
	job.end = (uint8_t)end_of(row);
	job.outcome = (uint8_t)run->outcome;
	job.n_size = (uint8_t)run->size.n;
	job.wall_s = ft_run_value(run, &ft_wall_s);
	job.bytes = ft_run_footprint(run);
	job.cpu_s = ft_run_value(run, &ft_cpu_s);
	job.asked_s = known(run->asked_s);
	job.asked_bytes = known(run->asked_bytes);
	job.cpus = known(row->cpus);
	job.started_s = run->started_ns > 0 ? 1e-9 * (double)run->started_ns : (double)NAN;
	job.made_s = fmin(job.started_s, row->submitted_ns > 0 ? 1e-9 * (double)row->submitted_ns
							       : (double)NAN); /* NaN loses */
	if (isnan(job.wall_s) && run->outcome == FT_TIMED_OUT)
		job.wall_s = run->asked_s;

	struct report_part *part = &report->part[job.task % PARTS];
	const size_t before = part->held.length;
	ft_text_add_bytes(&part->held, (const char *)&job, sizeof job);
	ft_text_add_bytes(&part->held, (const char *)run->size.value, job.n_size * sizeof *run->size.value);
	if (part->held.failed) { /* a job that there is no memory for is not half there */
		part->held.length = before;
		part->held.failed = false;
		return ft_nomem(err);
	}
	report->jobs++;
	report->timed = report->timed || !isnan(job.started_s);
	report->held += part->held.length - before;
	return report->held > report->most ? store_parts(report, err) : FT_OK;
}

/* Count the jobs of a part, each once, and keep what a replay needs of them. The sizes stay where they are. */
static enum ft_status count_jobs(struct report_work *work, const char *bytes, size_t length,
				 struct ft_err *err)
{
	struct ft_answer_report *out = &work->out;
	struct report_job job;

	for (size_t at = 0, next; at < length; at = next) {
		bool again = false;

		memcpy(&job, bytes + at, sizeof job);
		const double *size = (const double *)(const void *)(bytes + at + sizeof job);
		next = at + sizeof job + job.n_size * sizeof *size;
		if (job.id)
			FT_TRY(see_hash(&work->seen, job.id, &again, err));
		out->twice += again;
		if (again)
			continue;
		uint32_t *group_of =
			ft_grow(work->group_of, work->n, &work->groups_of_capacity, sizeof *group_of);
		if (!group_of)
			return ft_nomem(err);
		work->group_of = group_of;
		struct ft_replay_job *kept = ft_grow(work->job, work->n, &work->capacity, sizeof *kept);
		if (!kept)
			return ft_nomem(err);
		work->job = kept;

		struct ft_answer_group *group = &work->group[job.group];
		add_usage(&out->all, &job);
		add_usage(&group->usage, &job);
		out->end[job.end].jobs++;
		if (job.wall_s > 0) {
			out->end[job.end].hours += job.wall_s / hour_s;
			out->end[job.end].gb_h +=
				isnan(job.asked_bytes) ? 0 : job.asked_bytes * job.wall_s / gb_h;
			out->end[job.end].core_h += isnan(job.cpus) ? 0 : job.cpus * job.wall_s / hour_s;
		}
		group->failed += job.end != FT_END_COMPLETED && job.end != FT_END_UNBEGUN;
		group->killed_memory += job.end == FT_END_MEMORY;
		group->killed_time += job.end == FT_END_TIME;
		out->unsized_jobs += !job.n_size;
		out->unmeasured += job.wall_s > 0 && isnan(job.bytes);
		if (!isnan(job.started_s)) {
			const double end_s = job.started_s + (job.wall_s > 0 ? job.wall_s : 0);

			out->from_ns = (int64_t)fmin((double)out->from_ns, 1e9 * job.started_s);
			out->to_ns = (int64_t)fmax((double)out->to_ns, 1e9 * end_s);
		}
		/* Without a moment in all jobs, the row of each is one. */
		out->timeless += !out->by_rows && isnan(job.made_s) && job.outcome == FT_DONE;
		work->group_of[work->n] = job.group;
		work->job[work->n] = (struct ft_replay_job){
			.program = job.task,
			.n_size = job.n_size,
			.outcome = job.outcome,
			.size = job.n_size ? size : NULL,
			.made_s = out->by_rows ? (double)work->n : job.made_s,
			.ended_s = out->by_rows ? (double)work->n + 0.5 : job.started_s + job.wall_s,
			.wall_s = job.wall_s,
			.bytes = job.bytes,
			.asked_s = job.asked_s,
			.asked_bytes = job.asked_bytes};
		work->n++;
	}
	return FT_OK;
}

/*
 * What other requests would have cost.
 */

static void take_judged(void *ctx, size_t at, const struct ft_replayed *by_rule)
{
	struct report_work *work = ctx;
	struct ft_answer_report *out = &work->out;
	const struct ft_replay_job *job = &work->job[at];
	struct ft_answer_group *group = &work->group[work->group_of[at]];

	out->compared++;
	group->compared++;
	if (!isnan(job->bytes) && !isnan(job->asked_bytes))
		out->compared_used_gb_h += job->bytes * job->wall_s / gb_h;
	for (size_t k = 0; k < out->n_rules; k++) {
		struct ft_answer_rule *rule = &out->rule[k];

		rule->gb_h += isnan(by_rule[k].byte_s) ? 0 : by_rule[k].byte_s / gb_h;
		rule->limit_h += isnan(by_rule[k].limit_s) ? 0 : by_rule[k].limit_s / hour_s;
		rule->killed += by_rule[k].killed > 0;
		rule->own += by_rule[k].own;
	}
	group->compared_gb_h += isnan(by_rule[0].byte_s) ? 0 : by_rule[0].byte_s / gb_h;
	if (work->report->options.n_risks) {
		group->predicted_gb_h += isnan(by_rule[1].byte_s) ? 0 : by_rule[1].byte_s / gb_h;
		group->predicted_killed += by_rule[1].killed > 0;
	}
}

static bool replay_goes_on(void *ctx, size_t done)
{
	struct report_work *work = ctx;
	struct ft_report *report = work->report;
	bool on;

	(void)pthread_mutex_lock(&report->lock);
	report->replayed += done - work->replayed;
	work->replayed = done;
	on = !report->status &&
	     (!report->options.progress || report->options.progress(report->options.ctx, report->replayed));
	(void)pthread_mutex_unlock(&report->lock);
	return on;
}

static enum ft_status begin_work(struct ft_report *report, struct report_work *work, struct ft_err *err)
{
	*work = (struct report_work){.report = report,
				     .out = {.by_rows = !report->timed,
					     .n_rules = report->options.n_risks + 2,
					     .from_ns = INT64_MAX}};
	work->group = ft_calloc(report->groups->n, sizeof *work->group);
	return work->group ? FT_OK : ft_nomem(err);
}

/* Of the jobs that are counted, those of whole programs, with their share of all models. */
static enum ft_status replay_jobs(struct report_work *work, struct ft_err *err)
{
	const struct ft_report *report = work->report;
	const size_t models = report->options.models ? report->options.models : FT_REPLAY_MODELS;
	const double share = (double)work->n / (double)report->jobs;

	return ft_replay_jobs(work->job, work->n,
			      &(struct ft_replay_options){.rule = report->rule,
							  .n_rules = work->out.n_rules,
							  .first = FT_REPLAY_FIRST,
							  .models = (size_t)ceil((double)models * share),
							  .judged = take_judged,
							  .progress = replay_goes_on,
							  .ctx = work},
			      err);
}

static void add_counts(struct ft_answer_usage *to, const struct ft_answer_usage *from)
{
	to->jobs += from->jobs;
	to->memory_jobs += from->memory_jobs;
	to->core_jobs += from->core_jobs;
	to->time_jobs += from->time_jobs;
	to->requested_gb_h += from->requested_gb_h;
	to->used_gb_h += from->used_gb_h;
	to->unseen_gb_h += from->unseen_gb_h;
	to->requested_core_h += from->requested_core_h;
	to->used_core_h += from->used_core_h;
	to->limit_h += from->limit_h;
	to->used_h += from->used_h;
}

/* Add the sums of jobs to those of all, and end them. */
static void end_work(struct report_work *work, bool good)
{
	const struct ft_report *report = work->report;
	struct ft_answer_report *out = report->out;

	for (size_t i = 0; i < report->groups->n && good; i++) {
		const struct ft_answer_group *from = &work->group[i];
		struct ft_answer_group *to = &report->group[i];

		add_counts(&to->usage, &from->usage);
		to->failed += from->failed;
		to->killed_memory += from->killed_memory;
		to->killed_time += from->killed_time;
		to->compared += from->compared;
		to->predicted_killed += from->predicted_killed;
		to->compared_gb_h += from->compared_gb_h;
		to->predicted_gb_h += from->predicted_gb_h;
	}
	if (good) {
		add_counts(&out->all, &work->out.all);
		out->unsized_jobs += work->out.unsized_jobs;
		out->unmeasured += work->out.unmeasured;
		out->twice += work->out.twice;
		out->timeless += work->out.timeless;
		out->compared += work->out.compared;
		out->compared_used_gb_h += work->out.compared_used_gb_h;
		out->from_ns = work->out.from_ns < out->from_ns ? work->out.from_ns : out->from_ns;
		out->to_ns = work->out.to_ns > out->to_ns ? work->out.to_ns : out->to_ns;
	}
	for (size_t i = 0; i < FT_ENDS && good; i++) {
		out->end[i].jobs += work->out.end[i].jobs;
		out->end[i].gb_h += work->out.end[i].gb_h;
		out->end[i].core_h += work->out.end[i].core_h;
		out->end[i].hours += work->out.end[i].hours;
	}
	for (size_t k = 0; k < out->n_rules && good; k++) {
		out->rule[k].gb_h += work->out.rule[k].gb_h;
		out->rule[k].limit_h += work->out.rule[k].limit_h;
		out->rule[k].killed += work->out.rule[k].killed;
		out->rule[k].own += work->out.rule[k].own;
	}
	ft_free(work->seen.hash);
	ft_free(work->job);
	ft_free(work->group_of);
	ft_free(work->group);
	*work = (struct report_work){.report = work->report};
}

/* A part that is in a file. */
static enum ft_status work_on_part(struct report_work *work, struct report_part *part, struct ft_err *err)
{
	FT_TRY(begin_work(work->report, work, err));
	char *bytes = ft_malloc(part->stored);
	if (!bytes)
		return ft_nomem(err);
	enum ft_status status = FT_OK;
	rewind(part->file);
	if (fread(bytes, 1, part->stored, part->file) != part->stored)
		status = ft_fail(err, FT_EIO, "cannot read a file of jobs again: %s", strerror(errno));
	(void)fseek(part->file, 0, SEEK_END); /* more jobs may come */
	if (!status)
		status = count_jobs(work, bytes, part->stored, err);
	if (!status)
		status = replay_jobs(work, err);
	ft_free(bytes);
	return status;
}

/* Part after part, until there is none; their sums are added in the order of the parts, so that they are the same
 * whoever is faster. */
static void *work_on_parts(void *arg)
{
	struct ft_report *report = arg;
	struct report_work work = {.report = report};

	(void)pthread_mutex_lock(&report->lock);
	while (report->next < PARTS && !report->status) {
		const size_t i = report->next++;
		struct ft_err why = {0};
		enum ft_status status = FT_OK;

		if (report->part[i].stored) {
			(void)pthread_mutex_unlock(&report->lock);
			status = work_on_part(&work, &report->part[i], &why);
			(void)pthread_mutex_lock(&report->lock);
		}
		while (report->added < i && !report->status)
			(void)pthread_cond_wait(&report->turn, &report->lock);
		if (status && !report->status) {
			report->status = status;
			report->why = why;
		}
		if (work.group)
			end_work(&work, !report->status);
		report->added++;
		(void)pthread_cond_broadcast(&report->turn);
	}
	(void)pthread_mutex_unlock(&report->lock);
	return NULL;
}

/* All parts that are in files, as many at a time as there are processors and memory for. */
static enum ft_status work_on_files(struct ft_report *report, struct ft_err *err)
{
	pthread_t thread[WORKERS];
	pthread_attr_t with_stack;
	cpu_set_t set;
	size_t largest = 1, n = 0;

	FT_TRY(store_parts(report, err));
	for (size_t i = 0; i < PARTS; i++)
		largest = report->part[i].stored > largest ? report->part[i].stored : largest;
	double workers = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
	workers = fmin(fmin(workers, WORKERS), (double)(4 * report->most) / (double)(3 * largest));
	if (pthread_attr_init(&with_stack))
		workers = 1;
	report->next = report->added = 0;
	report->status = FT_OK;
	while ((double)(n + 1) < workers && !pthread_attr_setstacksize(&with_stack, STACK) &&
	       !pthread_create(&thread[n], &with_stack, work_on_parts, report))
		n++;
	(void)pthread_attr_destroy(&with_stack);
	(void)work_on_parts(report);
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(thread[i], NULL);
	if (report->status && err)
		*err = report->why;
	return report->status;
}

/*
 * The report.
 */

static double unused_of(const struct ft_answer_usage *usage)
{
	return usage->requested_gb_h - usage->used_gb_h;
}

/* The most unused memory first, then the most time, then the most jobs; then by name. */
static int compare_groups(const void *a, const void *b)
{
	const struct ft_answer_group *p = a, *q = b;
	double x = unused_of(&p->usage), y = unused_of(&q->usage);

	if (x == y) {
		x = p->usage.limit_h - p->usage.used_h;
		y = q->usage.limit_h - q->usage.used_h;
	}
	if (x != y)
		return x > y ? -1 : 1;
	if (p->usage.jobs != q->usage.jobs)
		return p->usage.jobs > q->usage.jobs ? -1 : 1;
	return strcmp(p->name ? p->name : "", q->name ? q->name : "");
}

/* Names that are texts: "" stands for those that are not known. */
static size_t count_names(const struct report_names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		n += *names->name[i] != '\0';
	return n;
}

enum ft_status ft_report_make(struct ft_report *report, struct ft_answer_report *out, struct ft_err *err)
{
	static const char *const words[] = {"program", "user", "partition"};
	const struct report_names *names = report->groups;
	const struct ft_report_options *options = &report->options;
	size_t n = 1;

	*out = (struct ft_answer_report){.by = words[options->by],
					 .programs = count_names(&report->program),
					 .users = count_names(&report->user),
					 .partitions = count_names(&report->partition),
					 .from_ns = INT64_MAX,
					 .n_ends = FT_ENDS,
					 .groups = names->n,
					 .by_rows = !report->timed,
					 .first = FT_REPLAY_FIRST};
	if (!report->jobs) {
		(void)ft_fail(err, FT_EINVAL, "there is no job that ended");
		return ft_remedy(err, options->user || options->partition ? "correct --user and --partition"
									  : "report a longer time");
	}
	for (unsigned i = 0; i < FT_ENDS; i++)
		out->end[i].end = (enum ft_report_end)i;
	report->rule[0] = (struct ft_replay_rule){FT_REPLAY_OWN, 0};
	out->rule[0] = (struct ft_answer_rule){.text = "requested", .value = NAN};
	for (size_t i = 0; i < options->n_risks; i++, n++) {
		report->rule[n] = (struct ft_replay_rule){FT_REPLAY_RISK, options->risk[i]};
		out->rule[n] = (struct ft_answer_rule){.text = "foretime", .value = options->risk[i]};
	}
	report->rule[n] = (struct ft_replay_rule){FT_REPLAY_SEEN, thumb};
	out->rule[n++] = (struct ft_answer_rule){.text = "seen", .value = thumb};
	out->n_rules = n;

	ft_free(report->group);
	report->group = ft_calloc(names->n, sizeof *report->group);
	if (!report->group)
		return ft_nomem(err);
	for (size_t i = 0; i < names->n; i++)
		report->group[i].name = *names->name[i] ? names->name[i] : NULL;
	report->out = out;
	report->replayed = 0;
	enum ft_status status;
	if (report->stored) {
		status = work_on_files(report, err);
	} else {
		struct report_work work = {0};

		status = begin_work(report, &work, err);
		for (size_t i = 0; i < PARTS && !status; i++)
			status = count_jobs(&work, report->part[i].held.s, report->part[i].held.length, err);
		if (!status)
			status = replay_jobs(&work, err);
		end_work(&work, !status);
	}
	report->out = NULL;
	FT_TRY(status);
	if (!report->timed)
		out->from_ns = 0;
	qsort(report->group, names->n, sizeof *report->group, compare_groups);
	out->group = report->group;
	out->n_groups = options->limit && options->limit < names->n ? options->limit : names->n;
	return FT_OK;
}

/* ---- its fields --------------------------------------------------------------------------------------- */

#define USAGE struct ft_answer_usage
static const struct ft_tell_row usage_rows[] = {
	{FT_TELL(USAGE, jobs), .csv = true},
	{FT_TELL(USAGE, memory_jobs), .about = "of which requested and used memory are known", .csv = true},
	{FT_TELL(USAGE, requested_gb_h),
	 .about = "requested memory times elapsed time of these, 10^9 bytes h", .csv = true},
	{FT_TELL(USAGE, used_gb_h), .about = "used memory times elapsed time of these", .csv = true},
	{FT_TELL(USAGE, unseen_gb_h), .about = "requested by jobs whose used memory is not known",
	 .csv = true},
	{FT_TELL(USAGE, core_jobs), .about = "of which processors and processor time are known", .csv = true},
	{FT_TELL(USAGE, requested_core_h), .about = "processors times elapsed time of these", .csv = true},
	{FT_TELL(USAGE, used_core_h), .about = "processor time of these", .csv = true},
	{FT_TELL(USAGE, time_jobs), .about = "with a time limit", .csv = true},
	{FT_TELL(USAGE, limit_h), .about = "time limits of these", .csv = true},
	{FT_TELL(USAGE, used_h), .about = "elapsed time of these", .csv = true},
	{0},
};
static const struct ft_tell_record usage_record = {.bytes = sizeof(USAGE), .row = usage_rows};

#define END struct ft_answer_end
static const struct ft_tell_row end_rows[] = {
	{FT_TELL_BY(WORD, "end", END, end), .word = ft_report_end_text,
	 .words = "completed|out of memory|time limit|failed|cancelled|preempted|node failure|cancelled "
		  "before start"},
	{FT_TELL(END, jobs)},
	{FT_TELL(END, gb_h), .about = "requested memory times elapsed time, where known"},
	{FT_TELL(END, core_h), .about = "processors times elapsed time, where known"},
	{FT_TELL(END, hours), .about = "elapsed time"},
	{0},
};
static const struct ft_tell_record end_record = {.bytes = sizeof(END), .row = end_rows};

static double risk_of(const void *at)
{
	const struct ft_answer_rule *rule = at;

	return !strcmp(rule->text, "foretime") && rule->value > 0 ? rule->value : (double)NAN;
}

static double factor_of(const void *at)
{
	const struct ft_answer_rule *rule = at;

	return !strcmp(rule->text, "seen") ? rule->value : (double)NAN;
}

#define RULE struct ft_answer_rule
static const struct ft_tell_row rule_rows[] = {
	{FT_TELL_AS("rule", RULE, text), .words = "requested|foretime|seen",
	 .about = "the job's own request, foretime's, the most that the program had needed times a factor"},
	{FT_TELL_WHOLE(GOT, "risk"), .get = risk_of, .null = "not foretime's, or the one that wastes least"},
	{FT_TELL_WHOLE(GOT, "factor"), .get = factor_of, .null = "of other rules"},
	{FT_TELL(RULE, gb_h), .about = "memory times time, with all tries that were killed"},
	{FT_TELL(RULE, limit_h), .about = "time limits of all tries"},
	{FT_TELL(RULE, killed), .about = "jobs of which a try would have been killed"},
	{FT_TELL(RULE, own), .about = "jobs that kept their own request: too few jobs before them"},
	{0},
};
static const struct ft_tell_record rule_record = {.bytes = sizeof(RULE), .row = rule_rows};

#define GROUP struct ft_answer_group
static const struct ft_tell_row group_rows[] = {
	{FT_TELL(GROUP, name), .null = "not known", .csv = true},
	{FT_TELL_BY(ROWS, NULL, GROUP, usage), .of = &usage_record},
	{FT_TELL(GROUP, failed), .about = "jobs that did not complete, for any cause", .csv = true},
	{FT_TELL(GROUP, killed_memory), .about = "of these, out of memory", .csv = true},
	{FT_TELL(GROUP, killed_time), .about = "of these, at their time limit", .csv = true},
	{FT_TELL(GROUP, compared), .about = "jobs that rules are compared over", .csv = true},
	{FT_TELL(GROUP, compared_gb_h), .about = "that these requested, times elapsed time", .csv = true},
	{FT_TELL(GROUP, predicted_gb_h), .about = "the same with foretime's requests at the first risk",
	 .csv = true},
	{FT_TELL(GROUP, predicted_killed), .about = "jobs of which a try would have been killed then",
	 .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_report_group = {.bytes = sizeof(GROUP), .row = group_rows};

#define REPORT struct ft_answer_report
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(TIME, "from", REPORT, from_ns), .about = "start of the first job, UTC",
	 .null = "jobs have no times"},
	{FT_TELL_BY(TIME, "to", REPORT, to_ns), .about = "end of the last job, UTC",
	 .null = "jobs have no times"},
	{FT_TELL(REPORT, programs)},
	{FT_TELL(REPORT, users), .about = "that are known"},
	{FT_TELL(REPORT, partitions), .about = "that are known"},
	{FT_TELL_BY(ROWS, NULL, REPORT, all), .of = &usage_record},
	{FT_TELL_AS("unsized", REPORT, unsized_jobs), .about = "jobs without a size"},
	{FT_TELL(REPORT, unmeasured), .about = "jobs that ran, and whose used memory is not known"},
	{FT_TELL(REPORT, twice), .about = "jobs that were read before; they count once"},
	{FT_TELL(REPORT, unfinished), .about = "rows of jobs that had not ended"},
	{FT_TELL(REPORT, shorter), .about = "rows of jobs that ended within a second: they have no time"},
	{FT_TELL(REPORT, broken), .about = "rows that cannot be used"},
	{FT_TELL(REPORT, why), .about = "of the first of these", .null = "there is none"},
	{FT_TELL_MANY(ARRAY, "ends", REPORT, end, n_ends, &end_record)},
	{FT_TELL(REPORT, by), .words = "program|user|partition", .about = "what groups are"},
	{FT_TELL_AS("number", REPORT, groups), .about = "groups that there are"},
	{FT_TELL_MANY(LIST, "groups", REPORT, group, n_groups, &ft_tell_report_group),
	 .about = "by memory that was requested and not used, the most first"},
	{FT_TELL(REPORT, compared), .about = "jobs that rules are compared over: those that completed"},
	{FT_TELL(REPORT, compared_used_gb_h), .about = "memory that these used"},
	{FT_TELL(REPORT, timeless), .about = "jobs that are not compared because they have no time"},
	{FT_TELL(REPORT, by_rows), .about = "no job has a time: their order is that of the rows"},
	{FT_TELL(REPORT, first), .about = "jobs of a program that must have ended before a request"},
	{FT_TELL_MANY(ARRAY, "rules", REPORT, rule, n_rules, &rule_record)},
	{0},
};
const struct ft_tell_record ft_tell_report = {.name = "report", .version = 1, .row = rows};
