/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.c - executors that are started here and reach hosts themselves: GNU parallel (through ssh) and
 * mpiexec. Each run is a launch of its own, so that none waits for the longest of a batch. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/text.h"
#include "build/door.h"
#include "foretime/adapt.h"
#include "foretime/measure.h"
#include "measure/program_file.h"
#include "remote/remote.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Words of a launcher at most. */
enum { WORDS = 8 };

/* ---- hosts -------------------------------------------------------------------------------------------- */

static enum ft_status add_slots(struct ft_remote *remote, const char *host, size_t kind, size_t n,
				struct ft_err *err)
{
	for (; n; n--) {
		struct ft__slot *grown =
			ft_grow(remote->slot, remote->n_slots, &remote->slots_capacity, sizeof *grown);
		char *name = *host ? ft_strdup(host) : NULL;

		remote->slot = grown ? grown : remote->slot;
		if (!grown || (*host && !name)) {
			ft_free(name);
			return ft_nomem(err);
		}
		remote->slot[remote->n_slots++] = (struct ft__slot){.host = name, .kind = kind};
		remote->kind[kind].slots++;
	}
	return FT_OK;
}

/* The kind of a host; "": this machine, which is known. */
static enum ft_status add_host(struct ft_remote *remote, const char *host, size_t n, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t kind;

	FT_TRY(ft__kind_find(remote, host, &kind, err));
	struct ft__machines *here = &remote->kind[kind];
	if (!*host && !here->fingerprint) {
		status = ft_machine_read("", &here->machine, err);
		if (!status && !(here->fingerprint = ft_strdup(here->machine.fingerprint)))
			status = ft_nomem(err);
	}
	return status ? status : add_slots(remote, host, kind, n, err);
}

/* "host", "4/host" as parallel has it, "host:4" as mpiexec has it; ":" and "localhost" are this machine. */
static enum ft_status add_line(struct ft_remote *remote, size_t number, char *line, struct ft_err *err)
{
	char *slash = strchr(line, '/'), *colon = strrchr(line, ':'), *count = NULL, *host = line, *end;
	unsigned long n = 1;

	if (slash) {
		*slash = '\0';
		count = line;
		host = slash + 1;
	} else if (colon && colon != line) {
		*colon = '\0';
		count = colon + 1;
	}
	if (count)
		n = strtoul(count, &end, 10);
	if (!*host || *host == '-' || strchr(host, '/') || (count && (!*count || *end || *count == '-')) ||
	    !n || n > FT_ASK_MAX) {
		(void)ft_fail(err, FT_EINVAL, "%s:%zu: that is not a host", remote->options.hosts, number);
		return ft_remedy(err, "a line is a host, or 4/HOST for 4 runs at once");
	}
	return add_host(remote, !strcmp(host, ":") || !strcmp(host, "localhost") ? "" : host, n, err);
}

static enum ft_status read_hosts(struct ft_remote *remote, struct ft_err *err)
{
	const char *path = remote->options.hosts;
	FILE *file = fopen(path, "re");
	char line[512];
	size_t number = 0;
	enum ft_status status = FT_OK;

	if (!file)
		return ft_fail_errno(err, errno, "cannot open '%s'", path);
	while (!status && fgets(line, sizeof line, file)) {
		number++;
		line[strcspn(line, "#\r\n")] = '\0';
		size_t blank = strspn(line, " \t");
		line[blank + strcspn(line + blank, " \t")] = '\0';
		if (line[blank])
			status = add_line(remote, number, line + blank, err);
	}
	(void)fclose(file);
	if (status || remote->n_slots)
		return status;
	(void)ft_fail(err, FT_EINVAL, "'%s' names no host", path);
	return ft_remedy(err, "write a host a line; without hosts= all runs are made here");
}

static enum ft_status open_hosts(struct ft_remote *remote, struct ft_err *err)
{
	const struct ft__executor *executor = remote->executor;
	size_t at_once = remote->options.sweep.at_once;
	char *found = NULL;
	enum ft_status status = ft__program_find(executor->launcher[0], &found, err);

	ft_free(found);
	if (status == FT_ENOMEM)
		return status;
	if (status) {
		(void)ft_fail(err, FT_EUNAVAIL, "there is no %s here", executor->launcher[0]);
		return ft_remedy(err, "install it (Debian: %s), or leave out --via", executor->package);
	}
	return remote->options.hosts ? read_hosts(remote, err)
				     : add_host(remote, "", at_once ? at_once : 1, err);
}

/* ---- launches ----------------------------------------------------------------------------------------- */

/* The plan of one task, for its launcher. */
static enum ft_status write_plan(const struct ft_remote *remote, const char *host, const char *id,
				 char **text, struct ft_err *err)
{
	char script[PATH_MAX];
	const char *argv[] = {"sh", ft__folder_path(&remote->folder, id, "sh", script), NULL};
	const struct ft_carry_command command = {.host = host, .argv = argv};
	enum ft_status status = ft_carry_write(ft_carry_find(remote->executor->name), &command, 1, text, err);

	if (status == FT_EINVAL)
		(void)ft_remedy(err, "name hosts without blanks, and such a folder with --via folder=DIR");
	return status;
}

static enum ft_status launch(const struct ft_remote *remote, struct ft__remote_task *task, struct ft_err *err)
{
	char *text = NULL, plan[PATH_MAX], out[PATH_MAX];
	const char *argv[WORDS] = {NULL};
	enum ft_status status = write_plan(remote, remote->slot[task->slot].host, task->id, &text, err);
	size_t i;

	if (!status)
		status = ft__folder_write(&remote->folder, task->id, "plan", text, err);
	ft_free(text);
	if (status)
		return status;
	for (i = 0; remote->executor->launcher[i]; i++)
		argv[i] = remote->executor->launcher[i];
	argv[i] = ft__folder_path(&remote->folder, task->id, "plan", plan);
	task->child = ft__command_begin(argv, ft__folder_path(&remote->folder, task->id, "out", out));
	if (task->child > 0)
		return FT_OK;
	task->child = 0;
	return ft_fail(err, FT_EIO, "cannot start %s", argv[0]);
}

static enum ft_status submit(struct ft_remote *remote, const char *serial,
			     struct ft__remote_task *const *task, size_t n, struct ft_err *err)
{
	size_t j;
	enum ft_status status = FT_OK;

	(void)serial;
	for (size_t i = 0; i < n && !status; i++) {
		for (j = 0; j < remote->n_slots; j++)
			if (!remote->slot[j].busy && (remote->slot[j].kind == task[i]->kind ||
						      remote->kind[remote->slot[j].kind].as == task[i]->kind))
				break;
		if (j == remote->n_slots)
			j = 0; /* more at once than there are places: the first host has two */
		remote->slot[j].busy = true;
		task[i]->slot = j;
		status = launch(remote, task[i], err);
	}
	return status;
}

/* Launches of an earlier build end by themselves, and their files are found. */
static enum ft_status look_at_children(struct ft_remote *remote, struct ft_err *err)
{
	(void)err;
	for (size_t i = 0; i < remote->n_tasks; i++) {
		struct ft__remote_task *task = &remote->task[i];
		int how = 0;

		if (task->child <= 0 || waitpid(task->child, &how, WNOHANG) != task->child)
			continue;
		task->child = 0;
		task->fate = FT__TASK_GONE;
		if (WIFEXITED(how) && WEXITSTATUS(how))
			(void)snprintf(remote->why, sizeof remote->why, "%s ended with status %d",
				       remote->executor->launcher[0], WEXITSTATUS(how));
	}
	return FT_OK;
}

static bool any_left(struct ft_remote *remote)
{
	size_t n = 0;

	(void)look_at_children(remote, NULL);
	for (size_t i = 0; i < remote->n_tasks; i++)
		n += remote->task[i].child > 0;
	return n > 0;
}

static void signal_all(const struct ft_remote *remote, int number)
{
	for (size_t i = 0; i < remote->n_tasks; i++)
		if (remote->task[i].child > 0)
			(void)kill(-remote->task[i].child, number);
}

/* parallel ends its jobs at the second signal. */
static void cancel(struct ft_remote *remote)
{
	for (int i = 0; i < 100 && any_left(remote); i++) {
		if (i < 2)
			signal_all(remote, SIGTERM);
		else if (i == 99)
			signal_all(remote, SIGKILL);
		ft_clock_sleep(0.05);
	}
}

static enum ft_status show(const struct ft_remote *remote, const char *serial, size_t n, char **text,
			   struct ft_err *err)
{
	struct ft_text all = {0};
	enum ft_status status = FT_OK;
	char id[FT__ID], *plan;

	for (size_t i = 0; i < n && !status; i++) {
		(void)snprintf(id, sizeof id, "%.32s.%zu", serial, i);
		status = write_plan(remote, NULL, id, &plan, err);
		if (status)
			break;
		ft_text_add(&all, "%s", plan);
		ft_free(plan);
	}
	*text = ft_text_take(&all);
	return status || *text ? status : ft_nomem(err);
}

static const char *const parallel[] = {"parallel", "--will-cite", "--jobs", "1", "::::", NULL},
			 *const mpiexec[] = {"mpiexec", "-configfile", NULL};

const struct ft__executor ft__executor_parallel = {
	.name = "parallel",
	.launcher = parallel,
	.package = "parallel",
	.open = open_hosts,
	.submit = submit,
	.look = look_at_children,
	.cancel = cancel,
	.show = show,
};

const struct ft__executor ft__executor_mpiexec = {
	.name = "mpiexec",
	.launcher = mpiexec,
	.package = "mpich",
	.open = open_hosts,
	.submit = submit,
	.look = look_at_children,
	.cancel = cancel,
	.show = show,
};
