/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - Slurm as an executor: arrays of jobs, one for all runs requested at once. Uses only sinfo,
 * sbatch, squeue and scancel, so that it works without accounts of jobs. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "remote/remote.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- commands
   ------------------------------------------------------------------------------------------- */

enum { LINE = 400 };

/* The output of a command of Slurm, in command->text. line: out, its last line if it failed. FT_OK;
 * FT_EUNAVAIL: there is none of that name; FT_EIO; FT_ENOMEM. */
static enum ft_status ask_slurm(struct ft__command *command, char line[LINE])
{
	struct ft_err err = {0};
	enum ft_status status = ft__command_run(command, &err);
	int length;
	const char *words = ft__command_line(command, &length);

	if (command->words && *command->words)
		(void)snprintf(line, LINE, "%.*s", length, words);
	else
		(void)snprintf(line, LINE, "%.*s", LINE - 1, err.text);
	return status;
}

static enum ft_status fail_missing(const char *command, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL, "there is no %s here", command);
	return ft_remedy(err, "--via slurm is for a machine where Slurm's commands are; --via "
			      "parallel,hosts=FILE needs none");
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

/* Nodes of the same kind, by sinfo. */
struct group {
	char *partition, *nodes, *features;
	bool usual; /* of the default partition */
	size_t idle, all;
};

enum { FIELDS = 7 };

static bool read_group(char *line, struct group *group)
{
	char *field[FIELDS], *rest = line;
	size_t n = 0;
	unsigned long allocated, idle;

	while (n < FIELDS && rest)
		field[n++] = strsep(&rest, "|");
	if (n < FIELDS || sscanf(field[6], "%lu/%lu", &allocated, &idle) != 2)
		return false;
	*group = (struct group){.partition = field[0],
				.usual = strchr(field[1], '*'),
				.nodes = field[2],
				.features = field[3],
				.idle = idle,
				.all = allocated + idle};
	return true;
}

/* One of the features "a,b", or a constraint that is more than a word: sbatch judges that. */
static bool suits(const struct group *group, const char *constraint)
{
	size_t length = constraint ? strlen(constraint) : 0;
	const char *at = group->features;

	if (!constraint || strpbrk(constraint, "&|()[]*,"))
		return true;
	for (; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && !strncmp(at, constraint, length))
			return true;
	return false;
}

/* Groups of the same features are one kind of node. */
static enum ft_status add_group(struct ft_remote *remote, const struct group *group, struct ft_err *err)
{
	struct ft__machines *kind;
	struct ft_text nodes = {0};
	size_t at;
	enum ft_status status =
		ft__kind_find(remote, remote->options.each_kind ? group->features : "", &at, err);

	if (status)
		return status;
	kind = &remote->kind[at];
	ft_text_add(&nodes, "%s%s%s", kind->nodes ? kind->nodes : "", kind->nodes ? "," : "", group->nodes);
	ft_free(kind->nodes);
	kind->nodes = ft_text_take(&nodes);
	kind->slots += group->idle;
	return kind->nodes ? FT_OK : ft_nomem(err);
}

/* Nodes that are all busy: two runs wait for them. */
enum { WAITING = 2 };

static enum ft_status fail_nodes(const struct ft_remote_options *options, const char *partitions,
				 struct ft_err *err)
{
	if (options->partition && *partitions) {
		(void)ft_fail(err, FT_EUNAVAIL, "Slurm has no partition '%s' with nodes%s%s%s that are up",
			      options->partition, options->constraint ? " of '" : "",
			      options->constraint ? options->constraint : "", options->constraint ? "'" : "");
		return ft_remedy(err, "there are: %s", partitions);
	}
	(void)ft_fail(err, FT_EUNAVAIL, "Slurm has no node %sthat is up",
		      options->constraint ? "with that constraint " : "");
	return ft_remedy(err, "sinfo shows what there is; --via slurm,partition=P chooses a partition");
}

static enum ft_status open_slurm(struct ft_remote *remote, struct ft_err *err)
{
	const char *const argv[] = {"sinfo", "--noheader", "--format=%R|%P|%N|%f|%c|%m|%A", NULL};
	struct ft__command sinfo = {.argv = argv, .apart = true};
	char line[LINE], partitions[300];
	enum ft_status status = ask_slurm(&sinfo, line);

	if (status == FT_ENOMEM) {
		(void)ft_nomem(err);
	} else if (status == FT_EUNAVAIL) {
		(void)fail_missing("sinfo", err);
	} else if (status) {
		(void)ft_fail(err, FT_EUNAVAIL, "Slurm does not answer: %s",
			      *line ? line : "it prints nothing");
		status = ft_remedy(err, "see that sinfo works here; what is finished is kept, and the same "
					"command goes on");
	} else {
		/* text: lines of sinfo, in which words are marked. partitions: out, what there is */
		const struct ft_remote_options *options = &remote->options;
		char *each, *rest = sinfo.text;
		struct group group;
		status = FT_OK;

		*partitions = '\0';
		while (!status && (each = strsep(&rest, "\n"))) {
			if (!read_group(each, &group))
				continue;
			if (ft_word_at(partitions, group.partition) == SIZE_MAX &&
			    strlen(partitions) + strlen(group.partition) + 3 < sizeof partitions)
				(void)snprintf(partitions + strlen(partitions),
					       sizeof partitions - strlen(partitions), "%s%s",
					       *partitions ? ", " : "", group.partition);
			if (group.all && suits(&group, options->constraint) &&
			    (options->partition ? !strcmp(options->partition, group.partition) : group.usual))
				status = add_group(remote, &group, err);
		}
		for (size_t i = 0; i < remote->n_kinds; i++)
			if (!remote->kind[i].slots)
				remote->kind[i].slots = WAITING;
		if (!status && !remote->n_kinds)
			status = fail_nodes(&remote->options, partitions, err);
	}
	ft__command_clear(&sinfo);
	return status;
}

/* ---- submitting --------------------------------------------------------------------------------------- */

/* The longest of them decides. */
static enum ft_status write_array(const struct ft_remote *remote, const char *serial, size_t kind, size_t n,
				  double limit_s, char **text, struct ft_err *err)
{
	const struct ft_remote_options *options = &remote->options;
	struct ft_text exclude = {0};
	char name[FT__ID + 4];
	struct ft_carry_array array = {
		.name = name,
		.folder = remote->folder.path,
		.scripts = serial,
		.partition = options->partition,
		.constraint = options->constraint,
		.n = n,
		.threads = (size_t)options->sweep.threads,
		.limit_s = limit_s,
		.memory_bytes = options->sweep.memory_bytes,
	};

	(void)snprintf(name, sizeof name, "ft-%s", serial);
	for (size_t i = 0; i < remote->n_kinds; i++)
		if (i != kind)
			ft_text_add(&exclude, "%s%s", exclude.s ? "," : "", remote->kind[i].nodes);
	array.exclude = exclude.s;
	enum ft_status status = exclude.failed ? ft_nomem(err) : ft_carry_array(&array, text, err);
	ft_text_clear(&exclude);
	return status;
}

static enum ft_status submit(struct ft_remote *remote, const char *serial,
			     struct ft__remote_task *const *task, size_t n, struct ft_err *err)
{
	char path[PATH_MAX], *text = NULL;
	double limit_s = 0;

	for (size_t i = 0; i < n && (!i || limit_s > 0); i++)
		limit_s = task[i]->limit_s > 0 ? fmax(limit_s, task[i]->limit_s) : 0;
	enum ft_status status = write_array(remote, serial, task[0]->kind, n, limit_s, &text, err);
	if (!status)
		status = ft__folder_write(&remote->folder, serial, "array", text, err);
	(void)ft__folder_path(&remote->folder, serial, "array", path);
	if (!status) {
		const char *const argv[] = {"sbatch", "--parsable", path, NULL};
		struct ft__command sbatch = {.argv = argv, .apart = true};
		const char *partition = remote->options.partition;
		char line[LINE];
		status = ask_slurm(&sbatch, line);
		if (status == FT_ENOMEM) {
			(void)ft_nomem(err);
		} else if (status == FT_EUNAVAIL) {
			(void)fail_missing("sbatch", err);
		} else if (status) {
			(void)ft_fail(err, FT_EIO, "Slurm does not take the runs: %s", line);
			status = ft_remedy(
				err,
				"sinfo shows partitions and features, scontrol show partition %s its "
				"limits",
				partition ? partition : "P");
		}
		ft__command_clear(&sbatch);
	}
	(void)unlink(path);
	ft_free(text);
	return status;
}

static enum ft_status show(const struct ft_remote *remote, const char *serial, size_t n, char **text,
			   struct ft_err *err)
{
	return write_array(remote, serial, 0, n, remote->options.sweep.timeout_s, text, err);
}

/* ---- states ------------------------------------------------------------------------------ */

static enum ft__task_fate fate_of(const char *state)
{
	static const struct {
		const char *state;
		enum ft__task_fate fate;
	} ends[] = {
		{"COMPLETED", FT__TASK_GONE},   {"FAILED", FT__TASK_GONE},
		{"CANCELLED", FT__TASK_GONE},   {"NODE_FAIL", FT__TASK_GONE},
		{"BOOT_FAIL", FT__TASK_GONE},   {"DEADLINE", FT__TASK_GONE},
		{"PREEMPTED", FT__TASK_GONE},   {"OUT_OF_MEMORY", FT__TASK_NO_MEMORY},
		{"TIMEOUT", FT__TASK_TOO_LONG},
	};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(ends[i].state, state))
			return ends[i].fate;
	return FT__TASK_OUT;
}

/* Why a task waits for somebody to act, and not for a node. */
static void note_reason(struct ft_remote *remote, const char *reason)
{
	static const char *const held[] = {"held",
					   "Held",
					   "BadConstraints",
					   "PartitionDown",
					   "PartitionInactive",
					   "PartitionTimeLimit",
					   "PartitionNodeLimit",
					   "ReqNodeNotAvail",
					   "Limit"};

	for (size_t i = 0; i < sizeof held / sizeof *held; i++)
		if (strstr(reason, held[i]) && strcmp(remote->why, reason) != 0) {
			(void)snprintf(remote->why, sizeof remote->why, "%s", reason);
			ft__remote_note(remote, "Slurm lets a task wait: %s", reason);
			return;
		}
}

/* "ft-0123456789abcdef0123456789abcdef|7|RUNNING|node3" */
static enum ft_status read_job(struct ft_remote *remote, char *line, struct ft_err *err)
{
	char *rest = line, *name = strsep(&rest, "|"), *number = strsep(&rest, "|"),
	     *state = strsep(&rest, "|");
	char id[FT__ID];
	enum ft_status status = FT_OK;

	if (!state || strncmp(name, "ft-", 3) != 0 || strlen(name) != 35)
		return FT_OK;
	(void)snprintf(id, sizeof id, "%.32s.%.9s", name + 3, number);
	enum ft__task_fate fate = fate_of(state);
	if (fate == FT__TASK_OUT)
		status = ft__task_adopt(remote, id, err);
	for (size_t i = 0; i < remote->n_tasks; i++)
		if (!strcmp(remote->task[i].id, id))
			remote->task[i].fate = fate;
	if (rest && !strcmp(state, "PENDING"))
		note_reason(remote, rest);
	return status;
}

static enum ft_status look_at_queue(struct ft_remote *remote, struct ft_err *err)
{
	char uid[24], *each, *rest, line[LINE];
	const char *const argv[] = {"squeue", "--noheader",           "--array", "--states=all", "-u",
				    uid,      "--format=%j|%K|%T|%r", NULL};
	struct ft__command squeue = {.argv = argv, .apart = true};

	(void)snprintf(uid, sizeof uid, "%lu", (unsigned long)getuid());
	enum ft_status status = ask_slurm(&squeue, line);
	if (status == FT_ENOMEM) {
		(void)ft_nomem(err);
	} else if (status) { /* it may come back, and jobs go on without it */
		if (!*remote->why)
			ft__remote_note(remote, "Slurm does not answer, and is waited for: %s", line);
		(void)snprintf(remote->why, sizeof remote->why, "%s", *line ? line : "squeue failed");
		status = FT_OK;
	} else {
		for (size_t i = 0; i < remote->n_tasks; i++)
			remote->task[i].fate = FT__TASK_GONE;
		rest = squeue.text;
		while (!status && (each = strsep(&rest, "\n")))
			if (*each)
				status = read_job(remote, each, err);
	}
	ft__command_clear(&squeue);
	return status;
}

static void cancel(struct ft_remote *remote)
{
	size_t j;

	for (size_t i = 0; i < remote->n_tasks; i++) {
		char name[FT__ID + 16];
		const char *const argv[] = {"scancel", "--quiet", name, NULL};
		struct ft__command scancel = {.argv = argv, .apart = true};

		(void)snprintf(name, sizeof name, "--name=ft-%.32s", remote->task[i].id);
		for (j = 0; j < i && strncmp(remote->task[j].id, remote->task[i].id, 32) != 0;)
			j++;
		if (j == i)
			(void)ft__command_run(&scancel, NULL);
		ft__command_clear(&scancel);
	}
}

const struct ft__executor ft__executor_slurm = {
	.name = "slurm",
	.open = open_slurm,
	.submit = submit,
	.look = look_at_queue,
	.cancel = cancel,
	.show = show,
};
