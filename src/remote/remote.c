/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.c - runs that others carry: made ready, shown, and ended. */
#include "base/alloc.h"
#include "base/text.h"
#include "remote/executor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct ft__executor *const executors[] = {&ft__executor_slurm, &ft__executor_parallel,
						       &ft__executor_mpiexec};

enum { EXECUTORS = sizeof executors / sizeof *executors };

static const struct ft__executor *find_executor(const char *name)
{
	for (size_t i = 0; i < EXECUTORS; i++)
		if (!strcmp(executors[i]->name, name))
			return executors[i];
	return NULL;
}

enum ft_status ft_remote_check(const struct ft_remote_options *options, struct ft_err *err)
{
	const struct ft__executor *executor = find_executor(options->executor);

	if (!executor) {
		(void)ft_fail(err, FT_EINVAL, "--via is slurm, parallel or mpiexec, not '%s'",
			      options->executor);
		return ft_remedy(err, "without it all runs are made here");
	}
	if (executor->launcher && (options->partition || options->constraint))
		return ft_fail(err, FT_EINVAL, "partition and constraint are of --via slurm");
	if (!executor->launcher && options->hosts)
		return ft_fail(err, FT_EINVAL, "hosts is of --via parallel and mpiexec");
	if (options->sweep.at_once > FT_ASK_MAX)
		return ft_fail(err, FT_EINVAL, "at-once is at most %d", FT_ASK_MAX);
	return FT_OK;
}

enum ft_status ft_remote_open(struct ft_remote **out, struct ft_store *store, struct ft_program *program,
			      const struct ft_remote_options *options, struct ft_err *err)
{
	enum ft_status status = ft_remote_check(options, err);

	*out = NULL;
	if (status)
		return status;
	struct ft_remote *remote = ft_calloc(1, sizeof *remote);
	if (!remote)
		return ft_nomem(err);
	remote->store = store;
	remote->program = program;
	remote->options = *options;
	remote->executor = find_executor(options->executor);
	status =
		ft__folder_choose(&remote->folder, options->folder, ft_store_path(store), program->name, err);
	if (!status && !getcwd(remote->here, sizeof remote->here))
		status = errno == ENOENT ? ft_fail(err, FT_ENOENT, "this folder has no path any more")
					 : ft_fail_errno(err, errno, "this directory has no readable path");
	if (status)
		ft_remote_close(remote);
	else
		*out = remote;
	return status;
}

enum ft_status ft_remote_show(const struct ft_remote *remote, char **out, struct ft_err *err)
{
	static const char serial[] = "0123456789abcdef0123456789abcdef";
	const struct ft_sweep_options *sweep = &remote->options.sweep;
	struct ft__remote_task task = {.size = {.n = remote->program->n_params}, .limit_s = sweep->timeout_s};
	char *handed = NULL, *script = NULL;
	struct ft_text text = {0};
	enum ft_status status =
		remote->executor->show(remote, serial, sweep->at_once ? sweep->at_once : 1, &handed, err);

	*out = NULL;
	for (size_t i = 0; i < task.size.n; i++)
		task.size.value[i] = remote->program->param[i].least;
	(void)snprintf(task.id, sizeof task.id, "%s.0", serial);
	if (!status)
		status = ft__script_text(remote, &task, &script, err);
	if (!status) {
		ft_text_add(&text, "%s\n%s.sh, at the least sizes:\n%s", handed, task.id, script);
		*out = ft_text_take(&text);
		status = *out ? FT_OK : ft_nomem(err);
	}
	ft_free(script);
	ft_free(handed);
	return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

size_t ft_remote_sweeps(const struct ft_remote *remote)
{
	size_t n = 0;

	for (size_t i = 0; i < remote->n_kinds; i++)
		n += remote->kind[i].sweep != NULL;
	return n;
}

size_t ft_remote_lost(const struct ft_remote *remote)
{
	return remote->lost;
}

enum ft_status ft_remote_end(struct ft_remote *remote, size_t i, const struct ft_machine **machine,
			     struct ft_sweep_report *report, struct ft_err *err)
{
	struct ft__machines *kind = remote->kind;

	while (!kind->sweep || i--)
		kind++;
	*machine = &kind->machine;
	enum ft_status status = ft_sweep_end(kind->sweep, report, err);
	remote->failed = remote->failed || status;
	return status;
}

void ft_remote_close(struct ft_remote *remote)
{
	if (!remote)
		return;
	for (size_t i = 0; i < remote->n_kinds; i++) {
		ft_sweep_free(remote->kind[i].sweep);
		ft_machine_clear(&remote->kind[i].machine);
		ft_free(remote->kind[i].fingerprint);
		ft_free(remote->kind[i].label);
		ft_free(remote->kind[i].nodes);
	}
	for (size_t i = 0; i < remote->n_slots; i++)
		ft_free(remote->slot[i].host);
	ft_free(remote->slot);
	ft_free(remote->kind);
	ft_free(remote->task);
	if (remote->folder.lock >= 0 && !remote->failed)
		ft__folder_clean(&remote->folder);
	ft__folder_close(&remote->folder);
	ft_free(remote);
}

/* ---- who calls ---------------------------------------------------------------------------------------- */

void ft__remote_note(const struct ft_remote *remote, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (!remote->options.note)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	remote->options.note(remote->options.sweep.progress_ctx, text);
}

bool ft__remote_is_interrupted(const struct ft_remote *remote)
{
	const volatile sig_atomic_t *interrupt = remote->options.sweep.interrupt;

	return interrupt && *interrupt;
}
