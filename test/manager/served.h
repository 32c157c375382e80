/* SPDX-License-Identifier: GPL-3.0-or-later */
/* served.h - a manager as a process, in a folder of its own: its store, its beginning and its end, who visits
 * it, what it holds. For tests, and for who measures it. */
#ifndef FT_TEST_MANAGER_SERVED_H
#define FT_TEST_MANAGER_SERVED_H

#include "../temp.h"
#include "base/clock.h"
#include "foretime/measure.h"
#include "foretime/store.h"
#include "manager/manager.h"
#include "store/door.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAYBE __attribute__((unused)) static

static pid_t manager_pid;
MAYBE struct ft_program program;
MAYBE struct ft_machine machine;

/* Nothing more can be learned. */
MAYBE void give_up(const char *what)
{
	perror(what);
	if (manager_pid > 0)
		(void)kill(manager_pid, SIGKILL);
	temp_remove();
	exit(99);
}

/* ---- its store ----------------------------------------------------------------------------------------- */

MAYBE struct ft_store *open_store(unsigned flags)
{
	struct ft_store *store = NULL;
	struct ft_err err = {0};

	if (!ft_store_open(&store, temp_path("store.db"), flags, &err))
		return store;
	fprintf(stderr, "%s\n", err.text);
	return NULL;
}

/* A program of one parameter, and this machine. */
MAYBE bool put_program(struct ft_store *store, struct ft_program *put, const char *name)
{
	*put = (struct ft_program){
		.name = strdup(name), .hash = strdup(""), .n_params = 1, .param = {{.name = "n"}}};
	return (machine.id ||
		(!ft_machine_read("", &machine, NULL) && !ft_store_put_machine(store, &machine, NULL))) &&
	       !ft_store_put_program(store, put, NULL);
}

MAYBE bool put_run(struct ft_store *store, const struct ft_program *of, double n, double wall_s,
		   double peak_bytes)
{
	struct ft_sample sample[] = {
		{.resource = &ft_wall_s, .value = wall_s, .label = FT_MEASURED, .probe = "clock"},
		{.resource = &ft_peak_rss_bytes, .value = peak_bytes, .label = FT_MEASURED, .probe = "proc"}};
	struct ft_run run;

	ft_run_init(&run);
	run.size = (struct ft_size){.n = 1, .value = {n}};
	run.outcome = FT_DONE;
	run.sample = sample;
	run.n_samples = 2;
	return !ft_store_add_run(store, of->id, machine.id, &run, NULL);
}

MAYBE bool add_run(struct ft_store *store, double n, double wall_s)
{
	return put_run(store, &program, n, wall_s, 1e6 + 8e3 * n);
}

/* A store of one program, "cubic". */
MAYBE bool fill(void)
{
	struct ft_store *store = open_store(FT_STORE_HASTY);
	bool good = store && put_program(store, &program, "cubic");

	for (int i = 1; i <= 20; i++)
		good = good && add_run(store, 100.0 * i, 1e-9 * pow(100.0 * i, 3));
	ft_store_close(store);
	return good;
}

/* ---- its beginning and its end ------------------------------------------------------------------------- */

static int reach(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", temp_path("manager.sock"));
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof at))
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/* Whether somebody does: a socket that a killed manager left stays until the next one replaces it. */
static bool answers(void)
{
	int fd = reach();

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static void serve(void)
{
	struct ft_manager_options options = {0};
	struct ft_manager *manager = NULL;
	struct ft_err err = {0};
	sigset_t set;
	int status = 0;

	options.store_path = temp_path("store.db");
	options.socket_path = temp_path("manager.sock");
	options.spool_path = temp_path("spool");
	(void)sigfillset(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	if (ft_manager_new(&manager, &options, &err) || ft_manager_run(manager, &err)) {
		fprintf(stderr, "%s\n", err.text);
		status = 2;
	}
	ft_manager_free(manager);
	_exit(status);
}

MAYBE void begin(void)
{
	(void)fflush(NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	manager_pid = fork();
	if (!manager_pid)
		serve();
	for (int i = 0; i < 1000 && !answers(); i++)
		ft_clock_sleep(0.01);
}

MAYBE int end(void)
{
	int status = -1;

	(void)kill(manager_pid, SIGTERM);
	(void)waitpid(manager_pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- who asks it --------------------------------------------------------------------------------------- */

MAYBE int visit(void)
{
	int fd = reach();

	if (fd < 0)
		give_up("connect");
	return fd;
}

/* An answer, whole: its status, and its body, which `heard` has; 0: there is none. */
MAYBE int hear_answer(int fd, char *heard, size_t most, const char **body)
{
	size_t n = 0, length = 0;

	*body = NULL;
	while (!*body || n < (size_t)(*body - heard) + length) {
		ssize_t got = read(fd, heard + n, most - 1 - n);

		if (got <= 0)
			return 0;
		heard[n += (size_t)got] = '\0';
		const char *head = strstr(heard, "\r\n\r\n");
		*body = head ? head + 4 : NULL;
		const char *said = strstr(heard, "Content-Length: ");
		length = said ? strtoul(said + 16, NULL, 10) : 0;
	}
	return atoi(heard + 9);
}

/* ---- what it holds ------------------------------------------------------------------------------------- */

MAYBE double rss_mb(void)
{
	char path[64], text[256];
	double kib = NAN;
	FILE *file;

	(void)snprintf(path, sizeof path, "/proc/%d/status", (int)manager_pid);
	file = fopen(path, "re");
	while (file && fgets(text, sizeof text, file))
		if (!strncmp(text, "VmRSS:", 6))
			kib = strtod(text + 6, NULL);
	if (file)
		(void)fclose(file);
	return kib / 1024;
}

#endif
