/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind.c - which kinds of machines there are: a task on each tells, before anything is asked of the program.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "remote/executor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- kinds -------------------------------------------------------------------------------------------- */

enum ft_status ft__kind_find(struct ft_remote *remote, const char *label, size_t *kind, struct ft_err *err)
{
	for (*kind = 0; *kind < remote->n_kinds; ++*kind)
		if (!strcmp(remote->kind[*kind].label, label))
			return FT_OK;
	struct ft__machines *grown =
		ft_grow(remote->kind, remote->n_kinds, &remote->kinds_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	remote->kind = grown;
	char *copy = ft_strdup(label);
	if (!copy)
		return ft_nomem(err);
	struct ft__machines *added = &remote->kind[remote->n_kinds];
	*added = (struct ft__machines){.label = copy, .as = remote->n_kinds++};
	(void)ft_hash_format(ft_hash_text(label), added->word);
	return FT_OK;
}

struct ft__machines *ft__kind_of_task(struct ft_remote *remote, const char *id)
{
	for (size_t i = 0; i < remote->n_kinds; i++)
		if (!strncmp(remote->kind[i].word, id, 16))
			return &remote->kind[remote->kind[i].as];
	return NULL;
}

/* ---- asked -------------------------------------------------------------------------------------------- */

/* WORD.kind.db is what a build before found out. */
static void kept_name(const struct ft_remote *remote, size_t kind, char name[FT__ID])
{
	(void)snprintf(name, FT__ID, "%s.kind", remote->kind[kind].word);
}

/* FT_OK, also where nothing is known, or what was kept is damaged: its fingerprint stays NULL; FT_ENOMEM. */
static enum ft_status recall_kind(struct ft_remote *remote, size_t kind, struct ft_err *err)
{
	char name[FT__ID], path[PATH_MAX];
	struct ft_err why = {0};

	kept_name(remote, kind, name);
	if (access(ft__folder_path(&remote->folder, name, "db", path), R_OK) != 0)
		return FT_OK;
	enum ft_status status = ft__kind_know(remote, kind, name, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status)
		ft__remote_note(remote, "%s", why.text);
	return FT_OK;
}

static void keep_kind(struct ft_remote *remote, size_t kind, const char *id)
{
	char name[FT__ID], from[PATH_MAX], to[PATH_MAX];

	kept_name(remote, kind, name);
	(void)rename(ft__folder_path(&remote->folder, id, "db", from),
		     ft__folder_path(&remote->folder, name, "db", to));
	ft__folder_drop(&remote->folder, id);
}

static enum ft_status ask_kind(struct ft_remote *remote, size_t kind, struct ft_err *err)
{
	struct ft__remote_task task = {.kind = kind};
	enum ft_status status = FT_OK;

	if (!remote->kind[kind].fingerprint)
		status = recall_kind(remote, kind, err);
	return status || remote->kind[kind].fingerprint ? status : ft__tasks_send(remote, &task, 1, err);
}

/* A task of ask_kind has ended, or is gone. */
static enum ft_status hear_kind(struct ft_remote *remote, size_t at, struct ft_err *err)
{
	struct ft__remote_task *task = &remote->task[at];
	char path[PATH_MAX];
	size_t kind = task->kind;
	enum ft_status status;

	if (access(ft__folder_path(&remote->folder, task->id, "db", path), R_OK) == 0) {
		status = ft__kind_know(remote, kind, task->id, err);
		keep_kind(remote, kind, task->id);
	} else {
		status = ft__task_miss(remote, task, err);
		ft__folder_drop(&remote->folder, task->id);
	}
	ft__task_remove(remote, at);
	remote->quiet_s = 0;
	return status ? status : ask_kind(remote, kind, err);
}

static enum ft_status hear_kinds(struct ft_remote *remote, struct ft_err *err)
{
	size_t i = 0;
	enum ft_status status = FT_OK;

	while (i < remote->n_tasks && !status) {
		struct ft__remote_task *task = &remote->task[i];
		bool gone = task->fate != FT__TASK_OUT && task->missed++ > 0;

		if (task->piece || task->child > 0 ||
		    (!gone && ft__folder_result(&remote->folder, task->id) < 0))
			i++;
		else
			status = hear_kind(remote, i, err);
	}
	return status;
}

static bool all_known(const struct ft_remote *remote)
{
	size_t i;

	for (i = 0; i < remote->n_kinds && remote->kind[i].fingerprint;)
		i++;
	return i == remote->n_kinds;
}

/* ---- told apart --------------------------------------------------------------------------------------- */

/* Slurm's administrator says that they differ, and their hardware does not tell: the models are told apart by
 * what they are called. */
static enum ft_status tell_apart(struct ft__machines *kind, struct ft_err *err)
{
	struct ft_text both = {0};
	struct ft_machine named = {0};
	char *host = ft_strdup(kind->label);
	enum ft_status status = FT_OK;

	ft_text_add(&both, "%s %s", kind->fingerprint, kind->label);
	status = both.failed || !host ? ft_nomem(err) : ft_machine_named(both.s, &named, err);
	ft_text_clear(&both);
	if (status) {
		ft_free(host);
		return status;
	}
	ft_free(kind->machine.fingerprint);
	ft_free(kind->machine.host);
	kind->machine.fingerprint = named.fingerprint;
	kind->machine.host = host;
	named.fingerprint = NULL;
	ft_machine_clear(&named);
	return FT_OK;
}

static bool is_alike(const struct ft_remote *remote, size_t i, size_t j)
{
	return !strcmp(remote->kind[i].fingerprint, remote->kind[j].fingerprint);
}

/* Hosts that are alike are one kind. Returns how many are left. */
static size_t unite_hosts(struct ft_remote *remote)
{
	size_t j, several = 0;

	for (size_t i = 0; i < remote->n_kinds; i++) {
		for (j = 0; j < i && !is_alike(remote, i, j);)
			j++;
		several += j == i;
		if (j < i && remote->executor->launcher) {
			remote->kind[i].as = remote->kind[j].as;
			remote->kind[remote->kind[j].as].slots += remote->kind[i].slots;
		}
	}
	return several;
}

static enum ft_status settle_kinds(struct ft_remote *remote, struct ft_err *err)
{
	size_t several = unite_hosts(remote), i, j;
	enum ft_status status = FT_OK;

	for (i = 0; i < remote->n_kinds && !remote->executor->launcher && !status; i++) {
		for (j = 0; j < remote->n_kinds && (j == i || !is_alike(remote, i, j));)
			j++;
		if (j < remote->n_kinds)
			status = tell_apart(&remote->kind[i], err);
	}
	if (status || several <= 1 || remote->options.each_kind)
		return status;
	(void)ft_fail(err, FT_EINVAL, "the hosts are machines of %zu kinds, and a model is of one", several);
	return ft_remedy(err, "--via each-kind models each of them");
}

enum ft_status ft__kinds_learn(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < remote->n_kinds && !status; i++)
		status = ask_kind(remote, i, err);
	while (!status && !ft__remote_is_interrupted(remote) && (!all_known(remote) || remote->n_tasks)) {
		ft__tasks_rest(remote);
		status = ft__tasks_look(remote, false, err);
		if (!status)
			status = hear_kinds(remote, err);
	}
	return status || ft__remote_is_interrupted(remote) ? status : settle_kinds(remote, err);
}
