/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_hosts.c - engines that are started here and reach hosts themselves: GNU parallel (through ssh) and
 * mpiexec. Each run is a launch of its own, so that none waits for the longest of those beside it. */
#include "cli/build/via.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/carry.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- hosts -------------------------------------------------------------------------------------------- */

static void add_slots(struct cli_via *via, const char *host, size_t kind, size_t n)
{
	for (; n; n--) {
		via->slot = cli_grow(via->slot, via->n_slots, sizeof *via->slot);
		via->slot[via->n_slots++] =
			(struct cli_slot){.host = *host ? cli_strdup(host) : NULL, .kind = kind};
	}
	via->kind[kind].slots = 0;
	for (n = 0; n < via->n_slots; n++)
		via->kind[kind].slots += via->slot[n].kind == kind;
}

/* The kind of a host; "": this machine, which is known. */
static int add_host(struct cli_via *via, const char *host, size_t n)
{
	struct cli_machines *kind;
	struct ft_machine drawn;
	struct ft_err err = {0};
	size_t i;

	for (i = 0; i < via->n_kinds && strcmp(via->kind[i].label, host) != 0;)
		i++;
	if (i == via->n_kinds) {
		via->kind = cli_grow(via->kind, via->n_kinds, sizeof *via->kind);
		kind = &via->kind[via->n_kinds];
		*kind = (struct cli_machines){.label = cli_strdup(host), .as = via->n_kinds};
		via->n_kinds++;
		cli_machine_named(host, &drawn);
		(void)snprintf(kind->word, sizeof kind->word, "%s", drawn.fingerprint);
		ft_machine_clear(&drawn);
		if (!*host) {
			if (ft_machine_read("", &kind->machine, &err))
				return cli_error(&err);
			kind->fingerprint = cli_strdup(kind->machine.fingerprint);
		}
	}
	add_slots(via, host, i, n);
	return CLI_DONE;
}

/* "host", "4/host" as parallel has it, "host:4" as mpiexec has it; ":" and "localhost" are this machine. */
static int add_line(struct cli_via *via, const char *path, size_t number, char *line)
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
	    !n || n > FT_ASK_MAX)
		return cli_fail("%s:%zu: that is no host\n"
				"hint: a line is a host, or 4/HOST where 4 runs at once shall be made",
				path, number);
	return add_host(via, !strcmp(host, ":") || !strcmp(host, "localhost") ? "" : host, n);
}

static int read_hosts(struct cli_via *via, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[512];
	size_t number = 0;
	int status = CLI_DONE;

	if (!file)
		return cli_fail("cannot open '%s': %s", path, strerror(errno));
	while (status == CLI_DONE && fgets(line, sizeof line, file)) {
		size_t blank;

		number++;
		line[strcspn(line, "#\r\n")] = '\0';
		blank = strspn(line, " \t");
		line[blank + strcspn(line + blank, " \t")] = '\0';
		if (line[blank])
			status = add_line(via, path, number, line + blank);
	}
	(void)fclose(file);
	if (status == CLI_DONE && !via->n_slots)
		status = cli_fail("'%s' names no host\n"
				  "hint: write a host a line; without --hosts all runs are made here",
				  path);
	return status;
}

static int open_hosts(struct cli_via *via)
{
	const struct cli_build *build = via->build;

	if (!cli_exec_found(via->engine->launcher))
		return cli_fail("there is no %s here\n"
				"hint: install it (Debian: %s), or leave out --via",
				via->engine->launcher,
				!strcmp(via->engine->launcher, "mpiexec") ? "mpich" : via->engine->launcher);
	if (build->hosts)
		return read_hosts(via, build->hosts);
	return add_host(via, "", build->at_once ? build->at_once : 1);
}

/* ---- launches ----------------------------------------------------------------------------------------- */

/* The plan of one task. */
static char *plan_of(const struct cli_via *via, const char *host, const char *script)
{
	const char *argv[] = {"sh", script, NULL};
	const struct ft_carry_command command = {.host = host, .argv = argv};
	const struct ft_carry *format = ft_carry_find(via->engine->launcher);
	struct ft_err err = {0};
	char *text = NULL;

	if (format && !ft_carry_write(format, &command, 1, &text, &err))
		return text;
	(void)cli_fail("%s\nhint: name hosts without blanks, and such a folder with --folder DIR", err.text);
	return NULL;
}

static int write_plan(const struct cli_via *via, const char *host, const char *id, const char *path)
{
	char *script = cli_folder_path(via, id, "sh"), *text = plan_of(via, host, script);
	int status = text ? cli_folder_write(path, text) : CLI_WRONG;

	free(text);
	free(script);
	return status;
}

static int launch(struct cli_via *via, struct cli_task *task)
{
	const char *const parallel[] = {"parallel", "--will-cite", "--jobs", "1", "::::", NULL, NULL};
	const char *const mpiexec[] = {"mpiexec", "-configfile", NULL, NULL};
	bool mpi = !strcmp(via->engine->launcher, "mpiexec");
	const char *argv[sizeof parallel / sizeof *parallel];
	char *plan = cli_folder_path(via, task->id, "plan"), *out = cli_folder_path(via, task->id, "out");
	int status = write_plan(via, via->slot[task->slot].host, task->id, plan);

	memcpy(argv, mpi ? mpiexec : parallel, mpi ? sizeof mpiexec : sizeof parallel);
	argv[mpi ? 2 : 5] = plan;
	if (status == CLI_DONE && (task->child = cli_exec_start(argv, out)) < 0) {
		task->child = 0;
		status = cli_fail("cannot start %s", via->engine->launcher);
	}
	free(out);
	free(plan);
	return status;
}

static int submit(struct cli_via *via, const char *serial, struct cli_task *const *task, size_t n)
{
	size_t i, j;
	int status = CLI_DONE;

	(void)serial;
	for (i = 0; i < n && status == CLI_DONE; i++) {
		for (j = 0; j < via->n_slots; j++)
			if (!via->slot[j].busy && (via->slot[j].kind == task[i]->kind ||
						   via->kind[via->slot[j].kind].as == task[i]->kind))
				break;
		if (j == via->n_slots)
			j = 0; /* more at once than there are places: the first host has two */
		via->slot[j].busy = true;
		task[i]->slot = j;
		status = launch(via, task[i]);
	}
	return status;
}

static int look_at_children(struct cli_via *via, void (*adopt)(struct cli_via *via, const char *id))
{
	size_t i;

	(void)adopt; /* what a build before began ends, and is found */
	for (i = 0; i < via->n; i++) {
		struct cli_task *task = &via->task[i];
		int how = 0;

		if (task->child <= 0 || waitpid(task->child, &how, WNOHANG) != task->child)
			continue;
		task->child = 0;
		task->fate = CLI_GONE;
		if (WIFEXITED(how) && WEXITSTATUS(how))
			(void)snprintf(via->why, sizeof via->why, "%s ended with status %d",
				       via->engine->launcher, WEXITSTATUS(how));
	}
	return CLI_DONE;
}

static bool any_left(struct cli_via *via)
{
	size_t i, n = 0;

	(void)look_at_children(via, NULL);
	for (i = 0; i < via->n; i++)
		n += via->task[i].child > 0;
	return n > 0;
}

static void signal_all(const struct cli_via *via, int number)
{
	size_t i;

	for (i = 0; i < via->n; i++)
		if (via->task[i].child > 0)
			(void)kill(-via->task[i].child, number);
}

/* parallel ends its jobs when it is told a second time. */
static void cancel(struct cli_via *via)
{
	const struct timespec moment = {0, 50000000};
	int i;

	for (i = 0; i < 100 && any_left(via); i++) {
		if (i < 2)
			signal_all(via, SIGTERM);
		else if (i == 99)
			signal_all(via, SIGKILL);
		(void)nanosleep(&moment, NULL);
	}
}

static char *show_command(const struct cli_via *via, const char *serial, size_t kind, size_t n)
{
	char *text = cli_strdup("");
	size_t i;

	(void)kind;
	for (i = 0; i < n && text; i++) {
		char *id = cli_printed("%s.%zu", serial, i), *script = cli_folder_path(via, id, "sh");
		char *line = plan_of(via, NULL, script),
		     *longer = line ? cli_printed("%s%s", text, line) : NULL;

		free(text);
		text = longer;
		free(line);
		free(script);
		free(id);
	}
	return text;
}

const struct cli_engine cli_engine_parallel = {
	.name = "parallel",
	.launcher = "parallel",
	.open = open_hosts,
	.submit = submit,
	.look = look_at_children,
	.cancel = cancel,
	.show = show_command,
};

const struct cli_engine cli_engine_mpiexec = {
	.name = "mpiexec",
	.launcher = "mpiexec",
	.open = open_hosts,
	.submit = submit,
	.look = look_at_children,
	.cancel = cancel,
	.show = show_command,
};
