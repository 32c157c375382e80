/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - what a manager costs: requests for each of its CPU seconds, which a busy machine hardly moves;
 *how long one client waits; what a build that writes does to both; its memory with a thousand connections;
 *slow ones; what a program waits that asks a file of knots.
 *
 *	bench-manager [SECONDS]    of each row; default 3
 *
 * The manager is a process; its store has 20 made programs of 33 runs.
 */
#include "../test/manager/served.h"
#include "foretime-fetch.h"
#include "words.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <time.h>

enum { PROGRAMS = 20, SIZES = 11, REPS = 3, HEARD = 16384, TIMES_MOST = 1 << 20 };

static struct ft_program programs[PROGRAMS];
static double times[TIMES_MOST];

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the store ----------------------------------------------------------------------------------------- */

static void add(struct ft_store *store, size_t which, double n, double noise)
{
	if (!put_run(store, &programs[which], n, 1e-8 * n * log2(n) * noise, 1e6 + 16 * n))
		give_up("run");
}

static void fill_all(void)
{
	struct ft_store *store = open_store(FT_STORE_HASTY);

	if (!store)
		give_up("store");
	for (size_t i = 0; i < PROGRAMS; i++) {
		char name[32];

		(void)snprintf(name, sizeof name, "prog%zu", i);
		if (!put_program(store, &programs[i], name))
			give_up("program");
		for (size_t k = 0; k < SIZES; k++)
			for (size_t r = 0; r < REPS; r++)
				add(store, i, 1000 * pow(2, (double)k),
				    1 + 0.01 * (double)((7 * k + 5 * r + i) % 5));
	}
	ft_store_close(store);
}

/* ---- what the manager took ----------------------------------------------------------------------------- */

static double cpu_s(void)
{
	char path[64], text[1024];
	unsigned long user = 0, system = 0;
	FILE *file;
	char *at;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)manager_pid);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof text, file) && (at = strrchr(text, ')')))
		(void)sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
	if (file)
		(void)fclose(file);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* What those of its threads took that serve nobody. */
static double worker_s(void)
{
	char path[128];
	DIR *tasks;
	struct dirent *entry;
	double sum_ns = 0, ns;

	(void)snprintf(path, sizeof path, "/proc/%d/task", (int)manager_pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		FILE *file;

		if (atoi(entry->d_name) <= 0 || atoi(entry->d_name) == manager_pid)
			continue;
		(void)snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)manager_pid,
			       entry->d_name);
		file = fopen(path, "re");
		if (file && fscanf(file, "%lf", &ns) == 1)
			sum_ns += ns;
		if (file)
			(void)fclose(file);
	}
	if (tasks)
		(void)closedir(tasks);
	return 1e-9 * sum_ns;
}

/* ---- clients ------------------------------------------------------------------------------------------- */

static size_t request_of(size_t which, unsigned n, char *text, size_t bytes)
{
	return (size_t)snprintf(text, bytes, "GET /predict/prog%zu?n=%u HTTP/1.1\r\nHost: x\r\n\r\n", which,
				n);
}

static bool hear(int fd)
{
	char heard[HEARD];
	const char *body;

	return hear_answer(fd, heard, sizeof heard, &body) == 200;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* One that asks again and again: the times of its requests. */
static size_t ask_alone(double seconds, unsigned first, unsigned sizes)
{
	int fd = visit();
	double end = now_s() + seconds, began;
	char text[256];
	size_t n = 0;

	while ((began = now_s()) < end && n < TIMES_MOST) {
		size_t bytes =
			request_of(n % PROGRAMS, first + (unsigned)(n / PROGRAMS) % sizes, text, sizeof text);

		if (write(fd, text, bytes) != (ssize_t)bytes || !hear(fd))
			give_up("answer");
		times[n++] = now_s() - began;
	}
	(void)close(fd);
	qsort(times, n, sizeof *times, ascending);
	return n;
}

/* So many different questions that all that is kept of answers is taken, and was again. */
static void fill_cache(void)
{
	int fd = visit();
	char text[256];

	for (unsigned i = 0; i < 20000; i++) {
		size_t bytes = request_of(i % PROGRAMS, 40000 + i / PROGRAMS, text, sizeof text);

		if (write(fd, text, bytes) != (ssize_t)bytes || !hear(fd))
			give_up("answer");
	}
	(void)close(fd);
}

/* Many that ask in turn, each with one request on its way. Returns how many were answered. */
static size_t ask_many(size_t clients, double seconds)
{
	int *fd = malloc(clients * sizeof *fd);
	double end = now_s() + seconds;
	char text[256];
	size_t n = 0;

	for (size_t i = 0; i < clients; i++)
		fd[i] = visit();
	while (now_s() < end) {
		for (size_t i = 0; i < clients; i++) {
			size_t bytes = request_of((n + i) % PROGRAMS, 3000, text, sizeof text);

			if (write(fd[i], text, bytes) != (ssize_t)bytes)
				give_up("request");
		}
		for (size_t i = 0; i < clients; i++, n++)
			if (!hear(fd[i]))
				give_up("answer");
	}
	for (size_t i = 0; i < clients; i++)
		(void)close(fd[i]);
	free(fd);
	return n;
}

/* A build that writes, as a process; 0 runs a second: none. */
static pid_t write_runs(double each_second)
{
	pid_t pid = each_second > 0 ? fork() : 0;

	if (pid || !(each_second > 0))
		return pid;
	for (unsigned i = 0;; i++) {
		struct ft_store *store = open_store(FT_STORE_HASTY);

		add(store, i % PROGRAMS, 1000 + 7 * (double)(i % 90000), 1.01);
		ft_store_close(store);
		(void)usleep((useconds_t)(1e6 / each_second));
	}
}

static void stop(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static double rate(size_t clients, double seconds, double writes)
{
	pid_t writer = write_runs(writes);

	(void)ask_many(clients, 0.2);
	double before = cpu_s();
	size_t n = ask_many(clients, seconds);
	double result = (double)n / (cpu_s() - before);
	stop(writer);
	return result;
}

static void rows(double seconds)
{
	size_t n = ask_alone(0.5, 3000, 1); /* models are made */
	n = ask_alone(seconds, 3000, 1);
	printf("one client, hot             p50 %.0f us, p99 %.0f us, %zu requests\n", 1e6 * times[n / 2],
	       1e6 * times[n * 99 / 100], n);
	n = ask_alone(seconds, 2000, 30000);
	printf("one client, a size each     p50 %.0f us, p99 %.0f us, %zu requests\n", 1e6 * times[n / 2],
	       1e6 * times[n * 99 / 100], n);
	double quiet = rate(50, seconds, 0);
	printf("50 clients, hot             %.0f requests a CPU second\n", quiet);
	double worker = worker_s();
	double written = rate(50, seconds, 5);
	worker = worker_s() - worker;
	/* The less it gets of the processors, the more of that are models made anew. */
	printf("  while 5 runs/s are written  %.0f, %.2f of quiet; models made anew: %.1f ms a run\n",
	       written, written / quiet, 1e3 * worker / (5 * (seconds + 0.2)));
	quiet = rate(50, seconds, 0);
	written = rate(50, seconds, 5);
	printf("  once more                   %.0f, %.0f, %.2f\n", quiet, written, written / quiet);
	fill_cache();
	printf("1000 clients, hot           %.0f requests a CPU second", rate(1000, seconds, 0));
	printf(", %.1f MB with %d programs and all answers kept that there is room for\n", rss_mb(),
	       (int)PROGRAMS);
}

/* 300 that send a byte a second: how long until they are gone, and what one other waits meanwhile. */
static void slow_row(void)
{
	int fd[300];
	double began = now_s(), said = 0, mid = 0;
	size_t gone = 0;

	for (size_t i = 0; i < 300; i++)
		fd[i] = visit();
	while (gone < 300 && now_s() - began < 20) {
		size_t n = ask_alone(0.2, 3000, 1);
		mid = fmax(mid, times[n / 2]);
		if (now_s() - said < 1)
			continue;
		said = now_s();
		for (size_t i = gone = 0; i < 300; i++)
			gone += send(fd[i], "G", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN;
	}
	printf("300 slow ones               gone after %.0f s; another one waits %.2f ms, the worst of "
	       "medians\n",
	       now_s() - began, 1e3 * mid);
	for (size_t i = 0; i < 300; i++)
		(void)close(fd[i]);
}

/* The body of an answer as a file. */
static void save(const char *target, const char *path)
{
	static char heard[1 << 20];
	char text[256];
	int fd = visit(), n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target);
	const char *body = NULL;
	FILE *file = fopen(path, "we");

	if (!file || write(fd, text, (size_t)n) != n || hear_answer(fd, heard, sizeof heard, &body) != 200 ||
	    fputs(body, file) < 0 || fclose(file))
		give_up(target);
	(void)close(fd);
}

static void fetch_row(void)
{
	enum { ASKED = 1 << 22 };
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost;
	const char *path = temp_path("knots");
	double told = 0;

	save("/model/prog0?format=knots", path);
	double began = now_s();
	if (ft_probe_fetch(&model, path))
		give_up(path);
	printf("a file of %zu knots         read in %.0f us", model.n, 1e6 * (now_s() - began));
	began = now_s();
	for (int i = 0; i < ASKED; i++)
		if (!ft_probe_at(&model, 1000 + (double)(i % 1000000), &cost))
			told += cost.upper_s;
	printf(", asked in %.0f ns, looked at again in ", 1e9 * (now_s() - began) / ASKED);
	began = now_s();
	for (int i = 0; i < ASKED / 16; i++)
		told += ft_probe_fetch_again(&model);
	printf("%.0f ns%s\n", 1e9 * (now_s() - began) / (ASKED / 16), told > 0 ? "" : "?");
	ft_probe_forget(&model);
}

int main(int argc, char **argv)
{
	double seconds;

	if (!words_number(argc, argv, 0.1, 3, &seconds))
		return fprintf(stderr, "usage: bench-manager [SECONDS]\n"), 2;
	fill_all();
	begin();
	rows(seconds);
	fetch_row();
	slow_row();
	(void)end();
	for (size_t i = 0; i < PROGRAMS; i++)
		ft_program_clear(&programs[i]);
	ft_machine_clear(&machine);
	temp_remove();
	return 0;
}
