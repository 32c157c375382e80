/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct.c - what `sacct -P` prints: jobs, each followed by its steps, which become one run.
 *
 * Source: sacct(1), "Job accounting fields" and "Job state codes". MaxRSS is that of the task that needed
 * most, summed over its processes, looked at every JobAcctGatherFrequency seconds: 0 means that nobody
 * looked. Elapsed is the difference of two moments that are cut to whole seconds. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "foretime/adapt.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lists of nodes as Slurm writes them: "a[1-3,07],b", "r[1-2]n[1-8]" (scontrol(1), hostlists).
 */

enum { HOST_LENGTH = 256, DIGITS_MOST = 9 };

/* Up to the comma outside brackets. */
static size_t item_length(const char *list)
{
	size_t length = 0;
	bool inside = false;

	for (; list[length] && (inside || list[length] != ','); length++)
		inside = list[length] == '[' || (inside && list[length] != ']');
	return length;
}

/* ---- whether a node is in a list ---------------------------------------------------------------------- */

/* A number of n digits within "1-3,07,9-12", of as many as the list's where these begin with 0. */
static bool in_brackets(const char *list, const char *end, const char *digits, size_t n)
{
	unsigned long own = 0;

	for (size_t i = 0; i < n; i++)
		own = 10 * own + (unsigned long)(digits[i] - '0');
	while (list < end) {
		char *behind;
		unsigned long from = strtoul(list, &behind, 10), to = from;
		size_t width = (size_t)(behind - list);

		if (behind < end && *behind == '-')
			to = strtoul(behind + 1, &behind, 10);
		if (behind == list)
			return false;
		if (own >= from && own <= to && (n == width || (*list != '0' && *digits != '0')))
			return true;
		list = behind + (behind < end);
	}
	return false;
}

static bool is_node(const char *item, const char *end, const char *node)
{
	for (; item < end && *item != '['; item++, node++)
		if (*item != *node)
			return false;
	if (item == end)
		return !*node;
	const char *close = memchr(item, ']', (size_t)(end - item));
	size_t digits = strspn(node, "0123456789");
	for (size_t n = 1; close && n <= digits && n <= DIGITS_MOST; n++)
		if (in_brackets(item + 1, close, node, n) && is_node(close + 1, end, node + n))
			return true;
	return false;
}

bool ft_sinfo_has_node(const char *nodes, const char *node)
{
	while (*nodes) {
		size_t length = item_length(nodes);

		if (is_node(nodes, nodes + length, node))
			return true;
		nodes += length + (nodes[length] == ',');
	}
	return false;
}

/* ---- all nodes of a list ------------------------------------------------------------------------------ */

struct hostlist_walk {
	bool (*take)(void *ctx, const char *host);
	void *ctx;
	size_t left;
	char host[HOST_LENGTH];
};

static bool walk_item(struct hostlist_walk *walk, size_t length, const char *item, const char *end);

/* One "3" or "07-12" of brackets; NULL: it is neither, or it ended. Of no more digits a number ends a loop.
 */
static const char *walk_range(struct hostlist_walk *walk, size_t length, const char *range, const char *close,
			      const char *end)
{
	char *behind;
	unsigned long from = strtoul(range, &behind, 10), to = from;
	int width = (int)(behind - range);

	if (!width || width > DIGITS_MOST)
		return NULL;
	if (*behind == '-') {
		const char *last = behind + 1;

		to = strtoul(last, &behind, 10);
		if (to < from || behind - last > DIGITS_MOST)
			return NULL;
	}
	for (; from <= to; from++) {
		int n = snprintf(walk->host + length, HOST_LENGTH - length, "%0*lu", width, from);

		if (length + (size_t)n >= HOST_LENGTH || !walk_item(walk, length + (size_t)n, close + 1, end))
			return NULL;
	}
	return behind == close || *behind == ',' ? behind : NULL;
}

/* The rest of an item, behind so much of the name. */
static bool walk_item(struct hostlist_walk *walk, size_t length, const char *item, const char *end)
{
	const char *range;

	for (; item < end && *item != '['; item++) {
		if (length + 1 >= HOST_LENGTH)
			return false;
		walk->host[length++] = *item;
	}
	walk->host[length] = '\0';
	if (item == end)
		return length && walk->left-- && walk->take(walk->ctx, walk->host);
	const char *close = memchr(item, ']', (size_t)(end - item));
	for (range = item; close && range && range < close;)
		range = walk_range(walk, length, range + 1, close, end);
	return close && range;
}

bool ft__hosts_each(const char *list, size_t most, bool (*take)(void *ctx, const char *host), void *ctx)
{
	struct hostlist_walk walk = {.take = take, .ctx = ctx, .left = most};

	while (*list) {
		size_t length = item_length(list);

		if (!walk_item(&walk, 0, list, list + length))
			return false;
		list += length + (list[length] == ',');
	}
	return true;
}

/*
 * What `sacct -P` prints: jobs, each followed by its steps, which become one run.
 */

/* Of the job's own row. */
static const struct ft__column job_columns[] = {
	{"Elapsed", &ft_wall_s, ft__read_slurm_time, false},
	{"ElapsedRaw", &ft_wall_s, ft__read_number, false},
	{"TotalCPU", &ft_cpu_s, ft__read_slurm_time, true},
	{"UserCPU", &ft_user_s, ft__read_slurm_time, true},
	{"SystemCPU", &ft_system_s, ft__read_slurm_time, true},
};

/* Of the steps: how they join to that of the job. */
static const struct {
	struct ft__column column;
	bool add; /* one step after the other; else the largest */
} step_columns[] = {
	{{"MaxRSS", &ft_peak_tree_bytes, ft__read_slurm_bytes, true}, false},
	{{"MaxDiskRead", &ft_read_bytes, ft__read_slurm_bytes, true}, true},
	{{"MaxDiskWrite", &ft_written_bytes, ft__read_slurm_bytes, true}, true},
	{{"ConsumedEnergyRaw", &ft_energy_j, ft__read_number, true}, true},
};

enum { STEP_COLUMNS = sizeof step_columns / sizeof *step_columns };

/* A job whose steps may still follow. */
struct sacct_pending {
	bool open, wanted;
	bool tasks; /* memory of a step is that of its largest task, so often as it had tasks */
	char id[64];
	char *name;
	struct ft__record record; /* without fields */
	double value[STEP_COLUMNS];
};

static bool recognise_sacct(const char *head, size_t length)
{
	static const char *const names[] = {"JobID", "State"}, *const other[] = {"JobID", "Elapsed"},
				 *const raw[] = {"JobIDRaw", "State"};

	return ft__table_head(head, length, '|', names, 2) || ft__table_head(head, length, '|', other, 2) ||
	       ft__table_head(head, length, '|', raw, 2);
}

bool ft__sacct_is_aligned(const char *head, size_t length)
{
	static const char *const names[] = {"JobID", "JobIDRaw", "State", "Elapsed", "JobName"};
	const char *end = memchr(head, '\n', length), *at = head;
	size_t found = 0, line = end ? (size_t)(end - head) : length;

	/* Below the names, lines: "------------ ----------". */
	if (!end || memchr(head, '|', line) || end + 4 > head + length || strncmp(end + 1, "---", 3) != 0)
		return false;
	while (at < end) {
		size_t blanks = strspn(at, " "), n = strcspn(at + blanks, " \r\n");

		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			found += strlen(names[i]) == n && !strncmp(at + blanks, names[i], n);
		at += blanks + (n ? n : 1);
	}
	return found >= 2;
}

static const struct {
	const char *state; /* may be followed by more: "CANCELLED by 1000" */
	enum ft_outcome outcome;
} states[] = {
	{"COMPLETED", FT_DONE},
	{"FAILED", FT_FAILED},
	{"TIMEOUT", FT_TIMED_OUT},
	{"DEADLINE", FT_TIMED_OUT},
	{"OUT_OF_MEMORY", FT_OUT_OF_MEMORY},
	{"CANCELLED", FT_INTERRUPTED},
	{"PREEMPTED", FT_INTERRUPTED},
	{"REVOKED", FT_INTERRUPTED},
	{"REQUEUED", FT_INTERRUPTED},
	{"NODE_FAIL", FT_INTERRUPTED},
	{"LAUNCH_FAILED", FT_NOT_STARTED},
	{"BOOT_FAIL", FT_NOT_STARTED},
};

/* Of jobs that have not ended. */
static const char *const waiting[] = {"PENDING",     "RUNNING",      "SUSPENDED",    "COMPLETING",
				      "CONFIGURING", "STOPPED",      "RESIZING",     "SIGNALING",
				      "STAGE_OUT",   "SPECIAL_EXIT", "REQUEUE_HOLD", "RESV_DEL_HOLD"};

/* How a job of that state ended; false: it has not. */
static bool find_state(const char *state, enum ft_outcome *outcome)
{
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		size_t length = strlen(states[i].state);

		*outcome = states[i].outcome;
		if (!strncmp(state, states[i].state, length) &&
		    (!state[length] || strchr(" +", state[length])))
			return true;
	}
	return false;
}

bool ft__sacct_outcome(const char *state, enum ft_outcome *outcome)
{
	return find_state(state, outcome);
}

bool ft__sacct_ended(const char *state)
{
	enum ft_outcome outcome;

	return find_state(state, &outcome);
}

/* How the job ended, if it has. ExitCode is "status:signal". */
static enum ft_status read_state(struct ft_import_job *job, bool *ended, struct ft_err *err)
{
	const struct ft__field *state = ft__record_find(&job->record, "State");
	const char *code = ft__record_text(&job->record, "ExitCode"),
		   *start = ft__record_text(&job->record, "Start"),
		   *nodes = ft__record_text(&job->record, "NodeList");
	struct ft_run *run = &job->record.run;

	*ended = true;
	if (!state)
		return FT_OK;
	if (!find_state(state->text, &run->outcome)) {
		*ended = false;
		for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
			if (!strncmp(state->text, waiting[i], strlen(waiting[i])))
				return FT_OK;
		return ft__record_fail(job, state, "no state of a job", "let sacct -P print the table again",
				       err);
	}
	/* Cancelled while it waited: then Start is missing, or it is the moment of the cancellation. */
	if (run->outcome == FT_INTERRUPTED &&
	    ((start && ft__is_missing(start)) || (nodes && !strcmp(nodes, "None assigned"))))
		run->outcome = FT_NOT_STARTED;
	if (run->outcome != FT_FAILED || !code)
		return FT_OK;
	run->exit_status = atoi(code);
	code = strchr(code, ':');
	run->signal = code ? atoi(code + 1) : 0;
	if (run->signal > 0)
		run->outcome = FT_CRASHED;
	return FT_OK;
}

/* The job that a row belongs to: all before the first point. */
static void job_id(const struct ft__record *record, char id[64], const char **step)
{
	const char *text = ft__record_text(record, "JobID");

	text = text ? text : ft__record_text(record, "JobIDRaw");
	text = text ? text : "";
	size_t length = strcspn(text, "."), kept = length < 63 ? length : 63;
	memcpy(id, text, kept);
	id[kept] = '\0';
	*step = text[length] ? text + length + 1 : NULL;
}

/* From here on the cut seconds of Elapsed, 0.41 s of standard deviation, are less than runs differ by. */
static const double elapsed_good_s = 100;

enum ft_status ft__record_doubt(struct ft_import_job *job, const struct ft_resource *resource, double below,
				const char *reason, struct ft_err *err)
{
	struct ft_run *run = &job->record.run;

	for (size_t i = 0; i < run->n_samples && !ft__values_name(job, resource); i++) {
		struct ft_sample *sample = &run->sample[i];

		if (sample->resource != resource || sample->reason || !(sample->value < below))
			continue;
		sample->label = FT_ESTIMATED;
		sample->reason = ft_strdup(reason);
		if (!sample->reason)
			return ft_nomem(err);
	}
	return FT_OK;
}

static enum ft_status doubt_both(struct ft_import_job *job, bool tasks, struct ft_err *err)
{
	enum ft_status status = ft__record_doubt(job, &ft_wall_s, elapsed_good_s,
						 "Elapsed is in whole seconds, and may be one off", err);

	if (!status && tasks)
		return ft__record_doubt(
			job, &ft_peak_tree_bytes, INFINITY,
			"Slurm reports the largest task's memory: it is taken for that of each", err);
	if (!status && job->options->cgroup)
		status = ft__record_doubt(job, &ft_peak_tree_bytes, INFINITY,
					  "a cgroup's memory includes the page cache of its files", err);
	return status;
}

/* The record changes its place with the pending one, whose field array is used again: as far as it is in use. */
static void swap_pending(struct ft_import_job *job)
{
	struct ft__record *one = &job->record, *two = &((struct sacct_pending *)job->own)->record;
	size_t n = one->n_params > two->n_params ? one->n_params : two->n_params;
	size_t bytes = offsetof(struct ft__record, param) + n * sizeof *one->param;
	struct ft__record between;

	memcpy(&between, one, bytes);
	memcpy(one, two, bytes);
	memcpy(two, &between, bytes);
}

/* The pending job's record goes back where the functions for records work, and is taken. */
static enum ft_status flush_job(struct ft_import_job *job, struct ft_err *err)
{
	struct sacct_pending *pending = job->own;
	enum ft_status status = FT_OK;

	if (!pending->open)
		return FT_OK;
	pending->open = false;
	if (!pending->wanted)
		return FT_OK;
	swap_pending(job);
	for (size_t i = 0; i < STEP_COLUMNS && !status; i++)
		if (isnan(ft_run_value(&job->record.run, step_columns[i].column.resource)))
			status = ft__record_sample(job, step_columns[i].column.resource, pending->value[i],
						   FT_MEASURED, NULL, step_columns[i].column.name, err);
	if (!status)
		status = doubt_both(job, pending->tasks, err);
	job->record.elapsed_s = ft_run_value(&job->record.run, &ft_wall_s) + 1; /* of whole seconds */
	if (!status)
		ft__run_judge_exit(&job->record.run);
	if (!status)
		status = ft__record_keep(job, err);
	if (status) /* it is no fault of the row that comes now */
		status = ft__job_spare(job, status, err);
	ft__record_begin(job, 0);
	swap_pending(job);
	return status;
}

/* How many tasks a step had, each with a memory of its own. */
static double tasks_of(const struct ft_import_job *job)
{
	const char *text = ft__record_text(&job->record, "NTasks");
	double tasks;

	return text && ft__read_number(text, &tasks) && tasks > 1 ? tasks : 1;
}

/* What a step tells of its job. Its values are checked here, where line and column are known. */
static enum ft_status join_step(struct ft_import_job *job, struct ft_err *err)
{
	struct sacct_pending *pending = job->own;

	for (size_t i = 0; i < STEP_COLUMNS; i++) {
		const struct ft__column *column = &step_columns[i].column;
		enum ft_status status = ft__table_samples(job, column, 1, err);
		double value = ft_run_value(&job->record.run, column->resource), had = pending->value[i];

		if (status)
			return status;
		if (!strcmp(column->name, "MaxRSS") && !isnan(value) && tasks_of(job) > 1) {
			value *= tasks_of(job);
			pending->tasks = true;
		}
		if (!isnan(value))
			pending->value[i] = isnan(had)            ? value
					    : step_columns[i].add ? had + value
								  : fmax(had, value);
	}
	return FT_OK;
}

/* What was requested. TimelimitRaw is in minutes, Timelimit in hours or a word (UNLIMITED); ReqMem is that of
 * the job, but before Slurm 21.08 that of a node or a processor where it ends in n or c. */
static void read_asked(struct ft_import_job *job)
{
	const char *minutes = ft__record_text(&job->record, "TimelimitRaw"),
		   *time = ft__record_text(&job->record, "Timelimit"),
		   *memory = ft__record_text(&job->record, "ReqMem"),
		   *nodes = ft__record_text(&job->record, "NNodes");
	struct ft_run *run = &job->record.run;
	double value, times = 1;

	if (minutes && ft__read_number(minutes, &value) && value > 0)
		run->asked_s = 60 * value;
	else if (time && ft__read_slurm_time(time, &value) && value > 0)
		run->asked_s = value;
	if (!memory || !*memory || !ft__read_slurm_bytes(memory, &value) || !(value > 0))
		return;
	if (memory[strlen(memory) - 1] == 'c')
		times = job->record.processors;
	else if (memory[strlen(memory) - 1] == 'n' && nodes)
		times = ft__read_number(nodes, &times) && times >= 1 ? times : 1;
	if (isfinite(times))
		run->asked_bytes = value * times;
}

/* The program and the size that the job's comment states, for who takes all jobs: the site's own comment,
 * which has the arguments of a script, before the user's. */
static enum ft_status take_statement(struct ft_import_job *job, struct ft_err *err)
{
	static const char *const comments[] = {"AdminComment", "Comment"};
	struct ft__statement stated = {.n = 0};
	bool found = false;

	if (!job->options->row || job->options->name || job->options->by)
		return FT_OK;
	for (size_t i = 0; i < 2 && !found; i++) {
		const char *text = ft__record_text(&job->record, comments[i]);

		found = text && ft__statement_find(text, &stated);
	}
	if (!found)
		return FT_OK;
	FT_TRY(ft__record_own(job, "foretime.name", strlen("foretime.name"), stated.name, 0, false, err));
	job->record.name = ft__record_text(&job->record, "foretime.name");
	for (size_t i = 0; i < stated.n; i++)
		FT_TRY(ft__record_own(job, stated.param[i], strlen(stated.param[i]), stated.value[i], 0, true,
				      err));
	return FT_OK;
}

/* A job's own row: a pending one from now on; one that cannot be used keeps its steps from being jobs. */
static enum ft_status begin_job(struct ft_import_job *job, const char id[64], bool *wanted,
				struct ft_err *err)
{
	struct sacct_pending *pending = job->own;
	pending->open = true;
	pending->wanted = false;
	pending->tasks = false;
	memcpy(pending->id, id, sizeof pending->id);
	for (size_t i = 0; i < STEP_COLUMNS; i++)
		pending->value[i] = NAN;
	job->record.name = ft__record_text(&job->record, "JobName");
	enum ft_status status = read_state(job, wanted, err);
	if (!status && !*wanted)
		ft__job_pass(job, FT_PASSED_UNFINISHED);
	if (!status && *wanted)
		status = take_statement(job, err);
	if (!status && *wanted)
		status = ft__record_wanted(job, wanted, err);
	if (status || !*wanted)
		return status;
	const struct ft__field *given = ft__record_find(&job->record, "AllocCPUS");
	given = given ? given : ft__record_find(&job->record, "NCPUS");
	if (!given || !ft__read_number(given->text, &job->record.processors))
		job->record.processors = INFINITY; /* it may have run on many nodes */
	const char *start = ft__record_text(&job->record, "Start");
	job->record.run.started_ns = start ? ft__read_moment(start, &job->clock) : 0;
	read_asked(job);
	status = ft__table_samples(job, job_columns, sizeof job_columns / sizeof *job_columns, err);
	for (size_t i = 0; i < STEP_COLUMNS && !status; i++) /* -X prints no steps, and their sums here */
		status = ft__table_samples(job, &step_columns[i].column, 1, err);
	if (!status)
		status = ft__values_take(job, err);
	ft__record_end_texts(&job->record); /* they end with the row */
	return status;
}

enum ft_status ft__sacct_row(struct ft_import_job *job, struct ft_err *err)
{
	struct sacct_pending *pending = job->own;
	bool wanted = false;
	const char *step;
	char id[64];

	job_id(&job->record, id, &step);
	if (step && pending->open && !strcmp(id, pending->id))
		return pending->wanted && strcmp(step, "extern") != 0 ? join_step(job, err) : FT_OK;
	enum ft_status status = flush_job(job, err);
	if (!status && step)
		return ft__record_fail_named(job, "JobID", ft__record_text(&job->record, "JobID"),
					     "a step whose job stands in no row before it",
					     "let sacct -P print jobs and their steps", err);
	if (!status)
		status = begin_job(job, id, &wanted, err);
	pending->wanted = !status && wanted;
	if (pending->wanted)
		swap_pending(job);
	return status;
}

enum ft_status ft__sacct_read(struct ft_import_job *job,
			      enum ft_status (*rows)(struct ft_import_job *job, struct ft_err *err),
			      struct ft_err *err)
{
	struct sacct_pending pending = {0};

	job->own = &pending;
	enum ft_status status = rows(job, err);
	if (!status)
		status = flush_job(job, err);
	swap_pending(job); /* what it held ends here */
	ft__record_begin(job, 0);
	ft_free(job->record.field);
	ft_text_clear(&job->record.texts);
	job->record = pending.record;
	job->own = NULL;
	return status;
}

static enum ft_status take_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;

	FT_TRY(ft__table_fields(job, csv, err));
	return ft__sacct_row(job, err);
}

static enum ft_status read_rows(struct ft_import_job *job, struct ft_err *err)
{
	return ft__table_each(job, '|', true, take_row, err);
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	return ft__sacct_read(job, read_rows, err);
}

const struct ft_format ft__sacct_format = {"sacct", "what Slurm's sacct -P prints", recognise_sacct,
					   read_file, NULL};
