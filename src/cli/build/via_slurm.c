/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_slurm.c - Slurm as an engine: arrays of jobs, one for all runs that are asked for at once. Only sinfo,
 * sbatch, squeue and scancel are asked, so that it works without accounts of jobs. */
#include "cli/build/via.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/carry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- asking ------------------------------------------------------------------------------------------- */

/* The last line of what a command said, without its name. */
static void last_line(char *text, char *line, size_t size)
{
	char *each, *rest = text;

	*line = '\0';
	while ((each = strsep(&rest, "\n")))
		if (*each)
			(void)snprintf(line, size, "%s", each);
}

static int no_slurm(const char *command, int how, char *text)
{
	char line[400];

	if (how == 127)
		return cli_fail("there is no %s here\n"
				"hint: --via slurm is for a machine where Slurm's commands are; --via "
				"parallel --hosts FILE needs none",
				command);
	last_line(text, line, sizeof line);
	return cli_fail(
		"Slurm does not answer: %s\n"
		"hint: see that %s works here; what is finished is kept, and the same command goes on",
		*line ? line : "and says nothing", command);
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

/* Nodes that are alike, as sinfo tells. */
struct build_group {
	char *partition, *nodes, *features;
	bool usual; /* of the default partition */
	size_t idle, all;
};

enum { FIELDS = 7 };

static bool read_group(char *line, struct build_group *group)
{
	char *field[FIELDS], *rest = line;
	size_t n = 0;
	unsigned long allocated, idle;

	while (n < FIELDS && rest)
		field[n++] = strsep(&rest, "|");
	if (n < FIELDS || sscanf(field[6], "%lu/%lu", &allocated, &idle) != 2)
		return false;
	*group = (struct build_group){.partition = field[0],
				      .usual = strchr(field[1], '*'),
				      .nodes = field[2],
				      .features = field[3],
				      .idle = idle,
				      .all = allocated + idle};
	return true;
}

/* One of the features "a,b", or a constraint that is more than a word: sbatch judges that. */
static bool suits(const struct build_group *group, const char *constraint)
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

static struct cli_machines *add_kind(struct cli_via *via, const char *label)
{
	struct ft_machine drawn;
	struct cli_machines *kind;

	via->kind = cli_grow(via->kind, via->n_kinds, sizeof *via->kind);
	kind = &via->kind[via->n_kinds];
	*kind = (struct cli_machines){.label = cli_strdup(label), .as = via->n_kinds++};
	cli_machine_named(label, &drawn);
	(void)snprintf(kind->word, sizeof kind->word, "%s", drawn.fingerprint);
	ft_machine_clear(&drawn);
	return kind;
}

/* Groups of the same features are one kind of node. */
static void add_group(struct cli_via *via, const struct build_group *group)
{
	struct cli_machines *kind = NULL;
	const char *label = via->build->each_kind ? group->features : "";
	char *nodes;
	size_t i;

	for (i = 0; i < via->n_kinds && !kind; i++)
		if (!strcmp(via->kind[i].label, label))
			kind = &via->kind[i];
	if (!kind)
		kind = add_kind(via, label);
	nodes = kind->nodes ? cli_printed("%s,%s", kind->nodes, group->nodes) : cli_strdup(group->nodes);
	free(kind->nodes);
	kind->nodes = nodes;
	kind->slots += group->idle;
}

/* Nodes that are all busy: two runs wait for them. */
enum { WAITING = 2 };

static void settle_slots(struct cli_via *via)
{
	size_t i;

	for (i = 0; i < via->n_kinds; i++)
		if (!via->kind[i].slots)
			via->kind[i].slots = WAITING;
}

static int no_nodes(const struct cli_build *build, const char *partitions)
{
	if (build->partition && *partitions) {
		(void)cli_fail("Slurm has no partition '%s' with nodes%s%s%s that are up\n"
			       "hint: there are: %s",
			       build->partition, build->constraint ? " of '" : "",
			       build->constraint ? build->constraint : "", build->constraint ? "'" : "",
			       partitions);
	} else {
		(void)cli_fail("Slurm has no node %sthat is up\n"
			       "hint: sinfo shows what there is; --partition P chooses a partition",
			       build->constraint ? "with that --constraint " : "");
	}
	return CLI_WRONG;
}

/* Whether a list "a, b" has a word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ' ') ? strchr(list, ' ') + 1 : NULL)
		if (!strncmp(list, word, length) && (!list[length] || list[length] == ','))
			return true;
	return false;
}

/* text: lines of sinfo, in which words are marked. partitions: out, what there is */
static void read_groups(struct cli_via *via, char *text, char *partitions, size_t size)
{
	const struct cli_build *build = via->build;
	char *each, *rest = text;
	struct build_group group;

	*partitions = '\0';
	while ((each = strsep(&rest, "\n"))) {
		if (!read_group(each, &group))
			continue;
		if (!has_word(partitions, group.partition) &&
		    strlen(partitions) + strlen(group.partition) + 3 < size)
			(void)snprintf(partitions + strlen(partitions), size - strlen(partitions), "%s%s",
				       *partitions ? ", " : "", group.partition);
		if (group.all && suits(&group, build->constraint) &&
		    (build->partition ? !strcmp(build->partition, group.partition) : group.usual))
			add_group(via, &group);
	}
}

static int open_slurm(struct cli_via *via)
{
	const char *const argv[] = {"sinfo", "--noheader", "--format=%R|%P|%N|%f|%c|%m|%A", NULL};
	char *text, partitions[300];
	int how = cli_exec_read(argv, &text), status = CLI_DONE;

	if (how) {
		status = no_slurm("sinfo", how, text);
	} else {
		read_groups(via, text, partitions, sizeof partitions);
		settle_slots(via);
		if (!via->n_kinds)
			status = no_nodes(via->build, partitions);
	}
	free(text);
	return status;
}

/* ---- submitting --------------------------------------------------------------------------------------- */

/* The nodes of all other kinds; NULL: there are none. Ends with free. */
static char *others(const struct cli_via *via, size_t kind)
{
	char *list = NULL;
	size_t i;

	for (i = 0; i < via->n_kinds; i++)
		if (i != kind)
			cli_reprint(&list, "%s%s%s", list ? list : "", list ? "," : "", via->kind[i].nodes);
	return list;
}

/* The longest of them decides. */
static char *script_of(const struct cli_via *via, const char *serial, size_t kind, size_t n, double limit_s)
{
	const struct cli_build *build = via->build;
	char *name = cli_printed("ft-%s", serial), *exclude = others(via, kind), *text = NULL;
	const struct ft_carry_array array = {
		.name = name,
		.folder = via->folder,
		.scripts = serial,
		.partition = build->partition,
		.constraint = build->constraint,
		.exclude = exclude,
		.n = n,
		.threads = build->threads,
		.limit_s = limit_s,
		.memory_bytes = build->options.memory_bytes,
	};
	struct ft_err err = {0};

	if (ft_carry_array(&array, &text, &err))
		(void)cli_error(&err);
	free(exclude);
	free(name);
	return text;
}

static int hand_in(const struct cli_via *via, const char *path)
{
	const char *const argv[] = {"sbatch", "--parsable", path, NULL};
	char *text, line[400];
	int how = cli_exec_read(argv, &text), status = CLI_DONE;

	if (how == 127) {
		status = no_slurm("sbatch", how, text);
	} else if (how) {
		last_line(text, line, sizeof line);
		(void)cli_fail(
			"Slurm does not take the runs: %s\n"
			"hint: sinfo shows partitions and features, scontrol show partition %s its limits",
			line, via->build->partition ? via->build->partition : "P");
		status = CLI_WRONG;
	}
	free(text);
	return status;
}

static int submit(struct cli_via *via, const char *serial, struct cli_task *const *task, size_t n)
{
	char *path = cli_folder_path(via, serial, "array"), *text;
	double limit_s = 0;
	size_t i;
	int status;

	for (i = 0; i < n && (!i || limit_s > 0); i++)
		limit_s = task[i]->limit_s > 0 ? fmax(limit_s, task[i]->limit_s) : 0;
	text = script_of(via, serial, task[0]->kind, n, limit_s);
	status = text ? cli_folder_write(path, text) : CLI_WRONG;
	if (status == CLI_DONE)
		status = hand_in(via, path);
	(void)unlink(path);
	free(text);
	free(path);
	return status;
}

static char *show_command(const struct cli_via *via, const char *serial, size_t kind, size_t n)
{
	return script_of(via, serial, kind, n, via->build->options.timeout_s);
}

/* ---- what became of them ------------------------------------------------------------------------------ */

static enum cli_fate fate_of(const char *state)
{
	static const struct {
		const char *state;
		enum cli_fate fate;
	} ends[] = {
		{"COMPLETED", CLI_GONE},   {"FAILED", CLI_GONE},
		{"CANCELLED", CLI_GONE},   {"NODE_FAIL", CLI_GONE},
		{"BOOT_FAIL", CLI_GONE},   {"DEADLINE", CLI_GONE},
		{"PREEMPTED", CLI_GONE},   {"OUT_OF_MEMORY", CLI_NO_MEMORY},
		{"TIMEOUT", CLI_TOO_LONG},
	};
	size_t i;

	for (i = 0; i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(ends[i].state, state))
			return ends[i].fate;
	return CLI_OUT;
}

/* Why a task waits for somebody to act, and not for a node. */
static void note_reason(struct cli_via *via, const char *reason)
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
	size_t i;

	for (i = 0; i < sizeof held / sizeof *held; i++)
		if (strstr(reason, held[i]) && strcmp(via->why, reason) != 0) {
			(void)snprintf(via->why, sizeof via->why, "%s", reason);
			cli_note("Slurm lets a task wait: %s", reason);
			return;
		}
}

/* "ft-0123456789abcdef0123456789abcdef|7|RUNNING|node3" */
static void read_job(struct cli_via *via, char *line, void (*adopt)(struct cli_via *via, const char *id))
{
	char *rest = line, *name = strsep(&rest, "|"), *number = strsep(&rest, "|"),
	     *state = strsep(&rest, "|");
	char id[CLI_ID];
	enum cli_fate fate;
	size_t i;

	if (!state || strncmp(name, "ft-", 3) != 0 || strlen(name) != 35)
		return;
	(void)snprintf(id, sizeof id, "%.32s.%.9s", name + 3, number);
	fate = fate_of(state);
	if (fate == CLI_OUT)
		adopt(via, id);
	for (i = 0; i < via->n; i++)
		if (!strcmp(via->task[i].id, id))
			via->task[i].fate = fate;
	if (rest && !strcmp(state, "PENDING"))
		note_reason(via, rest);
}

static int look_at_queue(struct cli_via *via, void (*adopt)(struct cli_via *via, const char *id))
{
	char uid[24];
	const char *const argv[] = {"squeue", "--noheader",           "--array", "--states=all", "-u",
				    uid,      "--format=%j|%K|%T|%r", NULL};
	char *text, *each, *rest, line[400];
	size_t i;
	int how;

	(void)snprintf(uid, sizeof uid, "%lu", (unsigned long)getuid());
	how = cli_exec_read(argv, &text);
	rest = text;
	if (how) {
		/* It may come back, and jobs go on without it. */
		last_line(text, line, sizeof line);
		if (!*via->why)
			cli_note("Slurm does not answer, and is waited for: %s", line);
		(void)snprintf(via->why, sizeof via->why, "%s", *line ? line : "squeue failed");
		free(text);
		return CLI_DONE;
	}
	for (i = 0; i < via->n; i++)
		via->task[i].fate = CLI_GONE;
	while ((each = strsep(&rest, "\n")))
		if (*each)
			read_job(via, each, adopt);
	free(text);
	return CLI_DONE;
}

static void cancel(struct cli_via *via)
{
	size_t i, j;

	for (i = 0; i < via->n; i++) {
		char *name = cli_printed("--name=ft-%.32s", via->task[i].id), *text = NULL;
		const char *const argv[] = {"scancel", "--quiet", name, NULL};

		for (j = 0; j < i && strncmp(via->task[j].id, via->task[i].id, 32) != 0;)
			j++;
		if (j == i)
			(void)cli_exec_read(argv, &text);
		free(text);
		free(name);
	}
}

const struct cli_engine cli_engine_slurm = {
	.name = "slurm",
	.open = open_slurm,
	.submit = submit,
	.look = look_at_queue,
	.cancel = cancel,
	.show = show_command,
};
