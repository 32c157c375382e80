/* SPDX-License-Identifier: GPL-3.0-or-later */
/* soak.c - a manager that is asked a million times while models are built and thrown away beside it: its
 *memory and its descriptors are in the end what they were.
 *
 *	soak-manager FORETIME [REQUESTS]    default 1000000
 *
 * Every kind of request is made, good and bad ones, by connections that stay and others that go; a program
 *that submits timings is one of many. Exit status 1: it grew, or it answered otherwise. */
#include "foretime/measure.h"
#include "foretime/store.h"
#include "manager/manager.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STAY = 20, HEARD = 1 << 21 };

static char folder[64], store_path[96], socket_path[96], spool_path[96];
static pid_t manager_pid, builder_pid;

static void end_all(void)
{
	char command[128];

	if (builder_pid > 0)
		(void)kill(-builder_pid, SIGKILL);
	if (manager_pid > 0)
		(void)kill(manager_pid, SIGTERM);
	while (wait(NULL) > 0)
		;
	(void)snprintf(command, sizeof command, "rm -rf %s", folder);
	(void)!system(command);
}

static void fail(const char *what)
{
	perror(what);
	end_all();
	exit(1);
}

/* ---- who is asked, and what goes on beside ------------------------------------------------------------- */

static void fill(void)
{
	struct ft_program program = {
		.name = (char[]){"cubic"}, .hash = (char[]){""}, .n_params = 1, .param = {{.name = "n"}}};
	struct ft_machine machine = {0};
	struct ft_store *store = NULL;
	int i;

	if (ft_store_open(&store, store_path, FT_STORE_HASTY, NULL) || ft_machine_read("", &machine, NULL) ||
	    ft_store_put_machine(store, &machine, NULL) || ft_store_put_program(store, &program, NULL))
		fail("store");
	for (i = 1; i <= 20; i++) {
		double n = 100 * i;
		struct ft_sample sample[] = {
			{.resource = "wall_s", .value = 1e-9 * n * n * n, .probe = "clock"},
			{.resource = "peak_rss_bytes", .value = 1e6 + 8 * n, .probe = "proc"}};
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){.n = 1, .value = {n}};
		run.outcome = FT_DONE;
		run.sample = sample;
		run.n_samples = 2;
		if (ft_store_add_run(store, program.id, machine.id, &run, NULL))
			fail("run");
	}
	ft_machine_clear(&machine);
	ft_store_close(store);
}

static void begin(void)
{
	struct ft_manager_options options = {
		.store_path = store_path, .socket_path = socket_path, .spool_path = spool_path};
	struct ft_manager *manager = NULL;
	struct ft_err err = {0};
	sigset_t set;
	int i;

	manager_pid = fork();
	if (!manager_pid) {
		(void)sigfillset(&set);
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
		if (ft_manager_new(&manager, &options, &err) || ft_manager_run(manager, &err))
			fprintf(stderr, "%s\n", err.text);
		ft_manager_free(manager);
		_exit(0);
	}
	for (i = 0; i < 1000 && access(socket_path, F_OK); i++)
		(void)usleep(10000);
}

/* Models are built, and thrown away, so that the store does not grow. */
static void build(const char *foretime)
{
	char command[1024];

	builder_pid = fork();
	if (builder_pid) {
		(void)setpgid(builder_pid, builder_pid);
		return;
	}
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)snprintf(
		command, sizeof command,
		"while :; do '%s' build sleeps --store %s n=1:30 --budget 3s -- sh -c 'sleep 0.00{n}'; "
		"'%s' rm sleeps --store %s; "
		"echo '{\"name\":\"told\",\"size\":{\"n\":1},\"wall_s\":1}' >%s/one.jsonl; sleep 1; "
		"'%s' rm told --store %s; done >/dev/null 2>&1",
		foretime, store_path, foretime, store_path, spool_path, foretime, store_path);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* ---- what it holds ------------------------------------------------------------------------------------- */

static double rss_mb(void)
{
	char path[64], text[256];
	double kib = -1;
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

static int descriptors(void)
{
	char path[64];
	int i, n = 0;

	for (i = 0; i < 4096; i++) {
		(void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)manager_pid, i);
		n += !access(path, F_OK);
	}
	return n;
}

/* ---- requests ------------------------------------------------------------------------------------------ */

static int visit(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", socket_path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at))
		fail("connect");
	return fd;
}

/* What is asked how often, of 10000; what is answered. tail: what stands behind a number that is another one
 * each time; NULL: there is none. */
static const struct {
	const char *target, *tail;
	int often, code;
} kinds[] = {
	{"/predict/cubic?n=1500", NULL, 6300, 200},
	{"/predict/cubic?n=", "", 1500, 200},
	{"/request/cubic?n=1700&format=slurm", NULL, 1000, 200},
	{"/request/cubic?n=", "", 70, 200},
	{"/largest/cubic?time=1s", NULL, 600, 200},
	{"/rank/cubic?n=900", NULL, 200, 200},
	{"/list", NULL, 10, 200},
	{"/health", NULL, 100, 200},
	{"/metrics", NULL, 60, 200},
	{"/model/cubic", NULL, 4, 200},
	{"/model/cubic?format=knots", NULL, 1, 200},
	{"/openapi.json", NULL, 50, 200},
	{"/predict/nobody", "?n=1", 5, 404},
	{"/predict/cubic?n=five", NULL, 60, 400},
	{"/nothing", "", 40, 404},
};

static const char *next_target(unsigned long i, int *code)
{
	static char target[128];
	unsigned long at = i * 7919 % 10000;
	size_t k = 0;

	while (at >= (unsigned long)kinds[k].often)
		at -= (unsigned long)kinds[k++].often;
	*code = kinds[k].code;
	if (!kinds[k].tail)
		return kinds[k].target;
	(void)snprintf(target, sizeof target, "%s%lu%s", kinds[k].target, i % 100003 + 1, kinds[k].tail);
	return target;
}

/* Its status; 0: none. */
static int ask(int fd, const char *target)
{
	static char heard[HEARD];
	char request[256];
	size_t n = 0, length = 0;
	const char *body = NULL, *said;
	int bytes = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target);

	if (write(fd, request, (size_t)bytes) != bytes)
		return 0;
	while (!body || n < (size_t)(body + 4 - heard) + length) {
		ssize_t got = read(fd, heard + n, sizeof heard - 1 - n);

		if (got <= 0)
			return 0;
		heard[n += (size_t)got] = '\0';
		body = strstr(heard, "\r\n\r\n");
		said = strstr(heard, "Content-Length: ");
		length = said ? strtoul(said + 16, NULL, 10) : 0;
	}
	return atoi(heard + 9);
}

/* Returns how many were answered otherwise than they should be. A connection on which nothing came for ten
 * seconds was closed: another one asks. As many models being made as are held may be told, too. */
static unsigned long soak(unsigned long first, unsigned long last)
{
	int stay[STAY], code, got;
	unsigned long i, odd = 0;

	for (i = 0; i < STAY; i++)
		stay[i] = visit();
	for (i = first; i < last; i++) {
		const char *target = next_target(i, &code);
		int *fd = &stay[i % STAY];

		if (i % 50 == 0 || !(got = ask(*fd, target))) {
			(void)close(*fd);
			*fd = visit();
			got = ask(*fd, target);
		}
		if (got != code && got != 503 && odd++ < 5)
			fprintf(stderr, "%s: %d, not %d\n", target, got, code);
	}
	for (i = 0; i < STAY; i++)
		(void)close(stay[i]);
	return odd;
}

int main(int argc, char **argv)
{
	unsigned long most = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000, odd, i;
	double rss[6];
	int fds[6];

	if (argc < 2) {
		fprintf(stderr, "soak-manager FORETIME [REQUESTS]\n");
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	(void)snprintf(folder, sizeof folder, "/tmp/foretime-soak-XXXXXX");
	if (!mkdtemp(folder))
		fail("folder");
	(void)snprintf(store_path, sizeof store_path, "%s/store.db", folder);
	(void)snprintf(socket_path, sizeof socket_path, "%s/m.sock", folder);
	(void)snprintf(spool_path, sizeof spool_path, "%s/spool", folder);
	fill();
	begin();
	build(argv[1]);
	/* What it keeps of answers and names is full after a tenth. */
	odd = soak(0, most / 10);
	for (i = 0; i < 6; i++) {
		(void)sleep(1);
		rss[i] = rss_mb();
		fds[i] = descriptors();
		printf("after %lu requests: %.1f MB, %d descriptors\n",
		       most / 10 + i * (most - most / 10) / 5, rss[i], fds[i]);
		(void)fflush(stdout);
		if (i < 5)
			odd += soak(most / 10 + i * (most - most / 10) / 5,
				    most / 10 + (i + 1) * (most - most / 10) / 5);
	}
	end_all();
	printf("%lu answers were other ones\n", odd);
	return odd || !(rss[5] < 1.1 * rss[0] + 2) || fds[5] > fds[0] + 4;
}
