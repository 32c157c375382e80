/* SPDX-License-Identifier: GPL-3.0-or-later */
/* soak.c - a manager that is asked a million times while models are built and thrown away beside it: its
 * memory and its descriptors are in the end what they were.
 *
 *	soak-manager FORETIME [REQUESTS]    default 1000000
 *
 * Every kind of request is made, good and bad ones, by connections that stay and others that go; a program
 * that submits timings is one of many. Exit status 1: it grew, or it answered otherwise. */
#include "served.h"

#include <sys/prctl.h>

enum { STAY = 20, HEARD = 1 << 21 };

static pid_t builder_pid;

/* However we end. */
static void end_builder(void)
{
	if (builder_pid <= 0)
		return;
	(void)kill(-builder_pid, SIGKILL);
	(void)waitpid(builder_pid, NULL, 0);
	builder_pid = 0;
}

/* ---- what goes on beside ------------------------------------------------------------------------------- */

/* Models are built, and thrown away, so that the store does not grow. */
static void build(const char *foretime)
{
	const char *store = temp_path("store.db");
	char command[1024];

	builder_pid = fork();
	if (builder_pid) {
		(void)setpgid(builder_pid, builder_pid);
		(void)atexit(end_builder);
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
		foretime, store, foretime, store, temp_path("spool"), foretime, store);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* ---- what it holds ------------------------------------------------------------------------------------- */

static int descriptors(void)
{
	char path[64];
	int n = 0;

	for (int i = 0; i < 4096; i++) {
		(void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)manager_pid, i);
		n += !access(path, F_OK);
	}
	return n;
}

/* ---- requests ------------------------------------------------------------------------------------------ */

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
	const char *body;
	int bytes = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target);

	return write(fd, request, (size_t)bytes) == bytes ? hear_answer(fd, heard, sizeof heard, &body) : 0;
}

/* Returns how many were answered otherwise than they should be. A connection on which nothing came for ten
 * seconds was closed: another one asks. As many models being made as are held may be told, too. */
static unsigned long soak(unsigned long first, unsigned long last)
{
	int stay[STAY], code, got;
	unsigned long odd = 0;

	for (unsigned long i = 0; i < STAY; i++)
		stay[i] = visit();
	for (unsigned long i = first; i < last; i++) {
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
	for (unsigned long i = 0; i < STAY; i++)
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
	if (!fill())
		give_up("store");
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
	end_builder();
	odd += end() != 0;
	temp_remove();
	printf("%lu answers were other ones\n", odd);
	return odd || !(rss[5] < 1.1 * rss[0] + 2) || fds[5] > fds[0] + 4;
}
