/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager-world.h - what tests of a manager that answers share: a process, its store, who asks it. */
#ifndef FT_TEST_MANAGER_WORLD_H
#define FT_TEST_MANAGER_WORLD_H

#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "foretime/ask.h"
#include "foretime/measure.h"
#include "manager/manager.h"

#include <jansson.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t manager_pid;
static struct ft_program program;
static struct ft_machine machine;

static void block(void)
{
	sigset_t set;

	(void)sigfillset(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Whether somebody does: a socket that a killed manager left stays until the next one replaces it. */
static bool answers(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool yes;

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", temp_path("manager.sock"));
	yes = fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof at);
	if (fd >= 0)
		(void)close(fd);
	return yes;
}

static void begin(void)
{
	struct ft_manager_options options = {0};
	struct ft_manager *manager = NULL;
	struct ft_err err = {0};
	int i;

	options.store_path = temp_path("store.db");
	options.socket_path = temp_path("manager.sock");
	options.spool_path = temp_path("spool");
	(void)fflush(NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	manager_pid = fork();
	if (!manager_pid) {
		block();
		if (ft_manager_new(&manager, &options, &err) || ft_manager_run(manager, &err))
			_exit(2);
		ft_manager_free(manager);
		_exit(0);
	}
	for (i = 0; i < 1000 && !answers(); i++)
		ft_clock_sleep(0.01);
}

static int end(void)
{
	int status = -1;

	(void)kill(manager_pid, SIGTERM);
	(void)waitpid(manager_pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int visit(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", temp_path("manager.sock"));
	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at)) {
		perror("connect");
		(void)kill(manager_pid, SIGKILL);
		exit(99);
	}
	return fd;
}

/* The body of an answer; code: its status. sent: NULL, or a body to put. */
static const char *talk(const char *method, const char *target, const char *sent, int *code)
{
	static char heard[1 << 23];
	char request[1024];
	size_t n = 0;
	ssize_t got;
	int fd = visit();
	char *body;

	(void)snprintf(request, sizeof request,
		       "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
		       method, target, sent ? strlen(sent) : 0);
	(void)!write(fd, request, strlen(request));
	while (sent && *sent && (got = write(fd, sent, strlen(sent))) > 0)
		sent += got;
	while (n < sizeof heard - 1 && (got = read(fd, heard + n, sizeof heard - 1 - n)) > 0)
		n += (size_t)got;
	heard[n] = 0;
	(void)close(fd);
	*code = n > 12 ? atoi(heard + 9) : 0;
	body = strstr(heard, "\r\n\r\n");
	return body ? body + 4 : "";
}

static const char *get(const char *target, int *code)
{
	return talk("GET", target, NULL, code);
}

static json_t *ask(const char *target, int expected)
{
	int code;
	const char *body = get(target, &code);
	json_t *value = json_loads(body, 0, NULL);

	if (code != expected) {
		diag("%s: %d %.300s", target, code, body);
		json_decref(value);
		value = NULL;
	}
	return value;
}

static double number(const json_t *value, const char *key)
{
	return json_number_value(json_object_get(value, key));
}

static bool add_run(struct ft_store *store, double n, double wall_s)
{
	struct ft_sample sample[] = {
		{.value = wall_s, .label = FT_MEASURED, .resource = "wall_s", .probe = "clock"},
		{.value = 1e6 + 8e3 * n,
		 .label = FT_MEASURED,
		 .resource = "peak_rss_bytes",
		 .probe = "proc"}};
	struct ft_run run;

	ft_run_init(&run);
	run.size = (struct ft_size){.n = 1, .value = {n}};
	run.outcome = FT_DONE;
	run.sample = sample;
	run.n_samples = 2;
	return !ft_store_add_run(store, program.id, machine.id, &run, NULL);
}

static bool fill(void)
{
	struct ft_store *store = NULL;
	bool good = !ft_store_open(&store, temp_path("store.db"), 0, NULL) &&
		    !ft_machine_read("", &machine, NULL) && !ft_store_put_machine(store, &machine, NULL);
	int i;

	program.name = strdup("cubic");
	program.hash = strdup("");
	program.n_params = 1;
	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "n");
	good = good && !ft_store_put_program(store, &program, NULL);
	for (i = 1; i <= 20; i++)
		good = good && add_run(store, 100.0 * i, 1e-9 * pow(100.0 * i, 3));
	ft_store_close(store);
	return good;
}

#endif
