/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overhead.c - what one experiment costs beyond the program itself: /bin/true by a plain loop, by foretime
 * and by hyperfine; and what foretime run --save costs in front of it.
 *
 *	overhead [RUNS [FORETIME]]
 *
 * FORETIME: another foretime (an older one, in its build folder), whose run --save takes its turn too.
 * The three take turns in rounds, so that a drift of the machine meets them alike. hyperfine's cost is the
 * difference between a long and a short invocation, for its own start is not part of an experiment.
 */
#include "foretime/measure.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 10, RUNS = 2000, RUNS_MOST = 100000, HYPERFINE_SHORT = 20, SAVE_EVERY = 4 };

struct series {
	const char *name;
	double *us; /* microseconds an experiment */
	size_t n;
};

static double now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts. */
static double quantile(struct series *s, double q)
{
	if (!s->n)
		return NAN;
	qsort(s->us, s->n, sizeof *s->us, compare);
	return s->us[(size_t)(q * (double)(s->n - 1) + 0.5)];
}

static bool spawn_and_wait(char **argv)
{
	int status;
	pid_t pid;

	return !posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) && waitpid(pid, &status, 0) == pid &&
	       !status;
}

static bool run_plain(struct series *s, size_t runs)
{
	char file[] = "/bin/true";
	char *argv[] = {file, NULL};

	while (runs--) {
		double began = now_us();

		if (!spawn_and_wait(argv))
			return false;
		s->us[s->n++] = now_us() - began;
	}
	return true;
}

/* reported: the wall time that foretime says, for comparison. */
static bool run_foretime(struct ft_source *source, struct series *s, struct series *reported, size_t runs)
{
	struct ft_size size = {1, {1}};

	while (runs--) {
		struct ft_runs made = {0};
		struct ft_err err;
		double began = now_us();

		if (ft_source_run(source, &size, 0, 0, &made, &err)) {
			(void)fprintf(stderr, "%s\n", err.text);
			return false;
		}
		s->us[s->n++] = now_us() - began;
		reported->us[reported->n++] = 1e6 * ft_run_value(&made.run[0], &ft_wall_s);
		ft_runs_clear(&made);
	}
	return true;
}

static double time_hyperfine(size_t runs)
{
	char program[] = "hyperfine", no_shell[] = "-N", style[] = "--style=none", flag[] = "--runs",
	     file[] = "/bin/true";
	char count[32];
	char *argv[] = {program, no_shell, style, flag, count, file, NULL};

	(void)snprintf(count, sizeof count, "%zu", runs);
	double began = now_us();
	return spawn_and_wait(argv) ? now_us() - began : NAN;
}

static void run_hyperfine(struct series *s, size_t runs)
{
	double cost =
		(time_hyperfine(HYPERFINE_SHORT + runs) - time_hyperfine(HYPERFINE_SHORT)) / (double)runs;

	if (isfinite(cost))
		s->us[s->n++] = cost;
}

/* The foretime of our own build folder; false: it is not known. */
static bool find_command(char *command, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", command, size - 32);

	command[length > 0 ? length : 0] = '\0';
	char *slash = strstr(command, "/bench/");
	if (slash)
		memcpy(slash, "/foretime", sizeof "/foretime");
	return slash;
}

/* The helper of our own build folder, for the library in this process; every foretime finds its own. */
static enum ft_status open_source(struct ft_source **source, const struct ft_launch *launch,
				  const char *command, struct ft_err *err)
{
	char helper[4200];

	(void)snprintf(helper, sizeof helper, "%s-helper", command);
	if (*command)
		(void)setenv("FORETIME_HELPER", helper, 1);
	enum ft_status status = ft_source_open_process(source, launch, err);
	if (*command)
		(void)unsetenv("FORETIME_HELPER");
	return status;
}

/* `foretime run --save` before the program, from start to end: what a real run pays for being kept. */
static bool run_saved(struct series *s, char *command, const char *folder, const char *file_name, size_t runs)
{
	char run[] = "run", save[] = "--save", name[] = "true", size[] = "n=1", option[] = "--store",
	     store[64], dashes[] = "--", file[] = "/bin/true";
	char *argv[] = {command, run, save, name, size, option, store, dashes, file, NULL};

	(void)snprintf(store, sizeof store, "%s/%s", folder, file_name);
	for (; runs; runs--) {
		double began = now_us();

		if (!spawn_and_wait(argv))
			return false;
		s->us[s->n++] = now_us() - began;
	}
	return true;
}

static void remove_stores(const char *folder)
{
	static const char *const name[] = {"store", "other"};
	static const char *const suffix[] = {".db", ".db-wal", ".db-shm"};
	char path[96];

	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		for (size_t j = 0; j < sizeof suffix / sizeof *suffix; j++) {
			(void)snprintf(path, sizeof path, "%s/%s%s", folder, name[i], suffix[j]);
			(void)unlink(path);
		}
	(void)rmdir(folder);
}

static void print(struct series *s, double plain)
{
	double median = quantile(s, 0.5);

	if (!s->n)
		(void)printf("%-26s not installed\n", s->name);
	else
		(void)printf("%-26s %8.1f %8.1f %8.1f %8zu %+9.1f\n", s->name, median, quantile(s, 0.1),
			     quantile(s, 0.9), s->n, median - plain);
}

static void print_machine(void)
{
	struct ft_machine machine;

	if (ft_machine_read("", &machine, NULL))
		return;
	(void)printf("%s, %d threads, %s%s%s\n", machine.cpu ? machine.cpu : "unknown processor",
		     machine.threads, machine.system ? machine.system : "", machine.hypervisor ? ", " : "",
		     machine.hypervisor ? machine.hypervisor : "");
	ft_machine_clear(&machine);
}

int main(int argc, char **argv)
{
	static double us[6][RUNS_MOST + ROUNDS];
	struct series plain = {"posix_spawn and wait", us[0], 0}, foretime = {"ft_source_run", us[1], 0};
	struct series reported = {"  wall_s it reports", us[2], 0}, hyperfine = {"hyperfine -N", us[3], 0};
	struct series saved = {"foretime run --save", us[4], 0}, other = {"  the other one", us[5], 0};
	char command_path[4096];
	bool found = find_command(command_path, sizeof command_path);
	char folder[] = "/tmp/foretime-overhead-XXXXXX";
	size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : RUNS;
	char file[] = "/bin/true";
	char *command[] = {file, NULL};
	struct ft_program program = {
		.argv = command, .argc = 1, .n_params = 1, .param = {{.name = "n", .stride = 1}}};
	struct ft_launch launch = {.program = &program};
	struct ft_source *source;
	struct ft_err err;

	if (!mkdtemp(folder)) {
		perror("mkdtemp");
		return 2;
	}
	if (!runs || runs > RUNS_MOST || open_source(&source, &launch, found ? command_path : "", &err)) {
		(void)fprintf(stderr, "%s\n",
			      !runs || runs > RUNS_MOST ? "usage: overhead [RUNS [FORETIME]]" : err.text);
		return 2;
	}
	for (int round = 0; round < ROUNDS; round++) {
		size_t kept = (runs + SAVE_EVERY * ROUNDS - 1) / (SAVE_EVERY * ROUNDS);

		if (!run_plain(&plain, runs / ROUNDS) ||
		    !run_foretime(source, &foretime, &reported, runs / ROUNDS) ||
		    (found && !run_saved(&saved, command_path, folder, "store.db", kept)) ||
		    (argc > 2 && !run_saved(&other, argv[2], folder, "other.db", kept)))
			return 2;
		run_hyperfine(&hyperfine, runs / ROUNDS);
	}
	ft_source_close(source);
	print_machine();
	(void)printf("%-26s %8s %8s %8s %8s %9s\n", "microseconds a run", "median", "p10", "p90", "n",
		     "beyond");
	print(&plain, quantile(&plain, 0.5));
	print(&foretime, quantile(&plain, 0.5));
	print(&reported, quantile(&plain, 0.5));
	print(&hyperfine, quantile(&plain, 0.5));
	print(&saved, quantile(&plain, 0.5));
	if (argc > 2)
		print(&other, quantile(&plain, 0.5));
	remove_stores(folder);
	return 0;
}
