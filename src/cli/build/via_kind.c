/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_kind.c - which kinds of machines there are: a task on each tells, before anything is asked of the
 * program. */
#include "cli/build/via.h"
#include "cli/common.h"
#include "cli/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which machines ----------------------------------------------------------------------------------- */

/* WORD.kind is what a build before found out. */
static bool recall_kind(struct cli_via *via, size_t kind)
{
	char *name = cli_printed("%s.kind", via->kind[kind].word), *path = cli_folder_path(via, name, "db");
	bool known = access(path, R_OK) == 0 && cli_via_know(via, kind, name) == CLI_DONE;

	free(path);
	free(name);
	return known;
}

static void keep_kind(struct cli_via *via, size_t kind, const char *id)
{
	char *name = cli_printed("%s.kind", via->kind[kind].word), *to = cli_folder_path(via, name, "db"),
	     *from = cli_folder_path(via, id, "db");

	(void)rename(from, to);
	cli_folder_drop(via, id);
	free(from);
	free(to);
	free(name);
}

static int ask_kind(struct cli_via *via, size_t kind)
{
	struct cli_task task = {.kind = kind};

	return via->kind[kind].fingerprint || recall_kind(via, kind) ? CLI_DONE
								     : cli_tasks_send(via, &task, 1);
}

/* A task of ask_kind has ended, or is gone. */
static int hear_kind(struct cli_via *via, size_t at)
{
	struct cli_task *task = &via->task[at];
	char *path = cli_folder_path(via, task->id, "db");
	size_t kind = task->kind;
	int status = CLI_DONE;

	if (access(path, R_OK) == 0) {
		status = cli_via_know(via, kind, task->id);
		keep_kind(via, kind, task->id);
	} else {
		status = cli_via_missing(via, task);
		cli_folder_drop(via, task->id);
	}
	free(path);
	cli_task_remove(via, at);
	via->quiet_s = 0;
	return status == CLI_DONE ? ask_kind(via, kind) : status;
}

static int hear_kinds(struct cli_via *via)
{
	size_t i = 0;
	int status = CLI_DONE;

	while (i < via->n && status == CLI_DONE) {
		struct cli_task *task = &via->task[i];
		bool gone = task->fate != CLI_OUT && task->missed++ > 0;

		if (task->piece || task->child > 0 || (!gone && cli_folder_ended(via, task->id) < 0))
			i++;
		else
			status = hear_kind(via, i);
	}
	return status;
}

static bool all_known(const struct cli_via *via)
{
	size_t i;

	for (i = 0; i < via->n_kinds && via->kind[i].fingerprint;)
		i++;
	return i == via->n_kinds;
}

/* Slurm's administrator says that they differ, and their hardware does not tell: the models are told apart by
 * what they are called. */
static void tell_apart(struct cli_machines *kind)
{
	char *both = cli_printed("%s %s", kind->fingerprint, kind->label);
	struct ft_machine named;

	cli_machine_named(both, &named);
	free(kind->machine.fingerprint);
	free(kind->machine.host);
	kind->machine.fingerprint = named.fingerprint;
	kind->machine.host = cli_strdup(kind->label);
	free(named.host);
	free(both);
}

static int settle_kinds(struct cli_via *via)
{
	size_t i, j, several = 0;

	for (i = 0; i < via->n_kinds; i++) {
		for (j = 0; j < i && strcmp(via->kind[j].fingerprint, via->kind[i].fingerprint) != 0;)
			j++;
		several += j == i && i > 0;
		if (j < i && via->engine->launcher) {
			via->kind[i].as = via->kind[j].as;
			via->kind[via->kind[j].as].slots += via->kind[i].slots;
		}
	}
	for (i = 0; i < via->n_kinds && !via->engine->launcher && via->n_kinds > 1; i++)
		for (j = 0; j < via->n_kinds; j++)
			if (j != i && !strcmp(via->kind[j].fingerprint, via->kind[i].fingerprint)) {
				tell_apart(&via->kind[i]);
				break;
			}
	if (!several || via->build->each_kind)
		return CLI_DONE;
	return cli_fail("the hosts are machines of %zu kinds, and a model is of one\n"
			"hint: --each-kind models each of them",
			several + 1);
}

int cli_kinds_find(struct cli_via *via)
{
	size_t i;
	int status = CLI_DONE;

	for (i = 0; i < via->n_kinds && status == CLI_DONE; i++)
		status = ask_kind(via, i);
	while (status == CLI_DONE && !*cli_interrupt_flag() && (!all_known(via) || via->n)) {
		cli_via_rest(via);
		status = cli_tasks_look(via, false);
		if (status == CLI_DONE)
			status = hear_kinds(via);
	}
	if (status == CLI_DONE && *cli_interrupt_flag())
		return CLI_INTERRUPTED;
	return status == CLI_DONE ? settle_kinds(via) : status;
}
