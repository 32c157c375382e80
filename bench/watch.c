/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c - how soon it is seen that others use the machine, and what watching for it takes.
 *
 *	bench-watch [SECONDS]    of each row of costs; default 10; 0: none of these
 *
 * A program is executed by a process that is none of ours; the time goes from then to the judgement that it
 * runs. The program's own start is in it, which waits for a processor as we do: how long it had run by then
 *is what is ours.
 *
 * Costs are processor time, which a busy machine hardly moves.
 */
#include "policy/door.h"
#include "watch/watch.h"
#include "words.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 100, TIMES_TIMERS = 20, LOOPS = 8, MADE = 5000 };

static char folder[64], program[96];
static const char NAME[] = "ft-appears";
static int orders[2], answers[2];

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_s(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- others -------------------------------------------------------------------------------------------- */

/* What is executed: it tells when it began, and waits for its end. */
static void linger(int answer)
{
	double at_s = now_s();

	if (answer >= 0)
		(void)!write(answer, &at_s, sizeof at_s);
	for (;;)
		(void)pause();
}

/* Executes it for each byte that it reads, tells when that was, and ends it at the next one. */
static void serve(void)
{
	char byte;

	while (read(orders[0], &byte, 1) == 1) {
		pid_t pid = fork();

		if (!pid) {
			double at_s = now_s();
			char answer[16];

			(void)snprintf(answer, sizeof answer, "%d", answers[1]);
			(void)!write(answers[1], &at_s, sizeof at_s);
			(void)execl(program, program, answer, (char *)NULL);
			_exit(1);
		}
		(void)!read(orders[0], &byte, 1);
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		(void)!write(answers[1], &byte, 1);
	}
	_exit(0);
}

/* Not below us: it is others'. */
static void begin_others(void)
{
	if (pipe(orders) || pipe(answers))
		fail("pipe");
	pid_t pid = fork();
	if (!pid) {
		if (fork())
			_exit(0);
		(void)close(orders[1]);
		serve();
	}
	(void)waitpid(pid, NULL, 0);
	(void)close(orders[0]);
}

static void begin_loops(pid_t *loop, int n)
{
	for (int i = 0; i < n; i++) {
		loop[i] = fork();
		if (!loop[i]) {
			double end_s = now_s() + 120;

			(void)setsid();
			while (now_s() < end_s)
				continue;
			_exit(0);
		}
	}
}

static void end_all(const pid_t *pid, int n)
{
	for (int i = 0; i < n; i++)
		if (pid[i] > 0)
			(void)kill(pid[i], SIGKILL);
	for (int i = 0; i < n; i++)
		if (pid[i] > 0)
			(void)waitpid(pid[i], NULL, 0);
}

/* ---- watching ------------------------------------------------------------------------------------------ */

static struct ft_condition condition[FT_CONDITIONS];
static struct ft_policy policy = {.conditions = condition};
static struct ft_policies policies = {&policy, 1};
static char *process_name[] = {(char *)(uintptr_t) "ft-appears"}, *user_name[] = {(char *)(uintptr_t) "root"},
	    *file_name[] = {(char *)(uintptr_t) "/tmp/.pmm_halt"};

static struct ft__watch *begin_watch(const enum ft_condition_kind *kind, size_t n, bool timers)
{
	const struct ft_policies *list[] = {&policies};
	struct ft__watch_needs needs = {.policies = list, .n = 1, .timers = timers};
	struct ft__watch *watch;
	struct ft_err err = {0};

	for (policy.n_conditions = 0; policy.n_conditions < n; policy.n_conditions++) {
		struct ft_condition *c = &condition[policy.n_conditions];

		*c = (struct ft_condition){
			.kind = *kind++, .threshold = 1, .say = FT_SAY_FREEZE, .n_names = 1};
		c->names = c->kind == FT_CONDITION_PROCESS     ? process_name
			   : c->kind == FT_CONDITION_HALT_FILE ? file_name
							       : user_name;
	}
	if (ft__watch_new(&watch, &needs, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return watch;
}

/* Until it is judged that the program runs, or does not. */
static void await(struct ft__watch *watch, bool runs)
{
	struct ft_judgement judgement;

	for (;;) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};

		ft_policies_judge(&policies, ft__watch_look(watch), 0, &judgement);
		bool held = judgement.say != FT_SAY_START;
		if (held == runs)
			return;
		(void)poll(&fd, 1, ft__watch_wait_ms(watch));
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How we are on a processor when we are woken: each a row. */
enum haste { AS_ALL, NICE, SESSION, REAL_TIME, HASTES };

static const char *const haste_name[] = {"told by the kernel", "... nice -20", "... its session nice -20",
					 "... SCHED_RR"};

/* Between two of them. When the last one has ended all of /proc is looked through: what has so many a second
 * floods us, and is left to rest (watch.c). */
enum pace { CALM_MS = 250, FLOOD_MS = 20 };

static void write_autogroup(const char *text)
{
	FILE *file = fopen("/proc/self/autogroup", "w");

	if (file && (fputs(text, file) < 0 || fclose(file)))
		fprintf(stderr, "autogroup: %s\n", strerror(errno));
}

static bool hurry(enum haste haste)
{
	const struct sched_param most = {.sched_priority = haste == REAL_TIME};

	write_autogroup(haste == SESSION ? "-20" : "0");
	return !setpriority(PRIO_PROCESS, 0, haste == NICE ? -20 : 0) &&
	       !sched_setscheduler(0, haste == REAL_TIME ? SCHED_RR | SCHED_RESET_ON_FORK : SCHED_OTHER,
				   &most);
}

static void print_times(double *times, int n)
{
	qsort(times, (size_t)n, sizeof *times, compare);
	printf(" %.2f ms | %.2f ms |", 1e3 * times[n / 2], 1e3 * times[n * 99 / 100]);
}

/* As a manager goes on meanwhile. */
static void pause_for(struct ft__watch *watch, int ms)
{
	double until_s = now_s() + 1e-3 * ms, left_s;

	while ((left_s = until_s - now_s()) > 0) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};
		int wait_ms = ft__watch_wait_ms(watch), left_ms = (int)(1e3 * left_s) + 1;

		(void)poll(&fd, 1, wait_ms < 0 || wait_ms > left_ms ? left_ms : wait_ms);
		(void)ft__watch_look(watch);
	}
}

static void react(bool timers, int loops, enum haste haste, enum pace pace)
{
	static const enum ft_condition_kind kind[] = {FT_CONDITION_PROCESS};
	struct ft__watch *watch = begin_watch(kind, 1, timers);
	double times[TIMES], ran[TIMES], at_s, began_s;
	pid_t loop[LOOPS] = {0};
	char byte = 0;
	int n = timers ? TIMES_TIMERS : TIMES;

	begin_loops(loop, loops);
	if (!hurry(haste))
		fprintf(stderr, "%s: %s\n", haste_name[haste], strerror(errno));
	await(watch, false);
	if (!timers && ft__watch_wait_ms(watch) >= 0)
		printf("| the kernel does not tell here | | | | | | |\n");
	for (int i = 0; i < n; i++) {
		pause_for(watch, (int)pace / 2 + rand() % (int)pace);
		(void)!write(orders[1], "+", 1);
		if (read(answers[0], &at_s, sizeof at_s) != sizeof at_s)
			fail("read");
		await(watch, true);
		times[i] = now_s() - at_s;
		ran[i] = now_s();
		if (read(answers[0], &began_s, sizeof began_s) != sizeof began_s)
			fail("read");
		ran[i] = fmax(0, ran[i] - began_s);
		(void)!write(orders[1], "-", 1);
		(void)!read(answers[0], &byte, 1);
		await(watch, false);
	}
	(void)hurry(AS_ALL);
	end_all(loop, loops);
	printf("| %s%s | %d | %d |", timers ? "looked at each second" : haste_name[haste],
	       pace == FLOOD_MS ? ", 30 a second" : "", loops, n);
	print_times(times, n);
	print_times(ran, n);
	printf("\n");
	(void)fflush(stdout);
	ft__watch_free(watch);
}

static void cost(const char *what, const enum ft_condition_kind *kind, size_t n, bool timers, double seconds)
{
	struct ft__watch *watch = begin_watch(kind, n, timers);
	double began_s = now_s(), spent_s, first_s = cpu_s();
	unsigned long wakes = 0;

	(void)ft__watch_look(watch);
	spent_s = cpu_s();
	first_s = spent_s - first_s;
	for (;;) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};
		int left_ms = (int)(1e3 * (began_s + seconds - now_s())), wait_ms = ft__watch_wait_ms(watch);

		if (left_ms <= 0)
			break;
		wakes += poll(&fd, 1, wait_ms < 0 || wait_ms > left_ms ? left_ms : wait_ms) > 0 ||
			 wait_ms <= left_ms;
		(void)ft__watch_look(watch);
	}
	printf("| %s, %s | %.2f ms | %.3f %% | %.1f |\n", what, timers ? "timers" : "events", 1e3 * first_s,
	       100 * (cpu_s() - spent_s) / (now_s() - began_s), (double)wakes / (now_s() - began_s));
	(void)fflush(stdout);
	ft__watch_free(watch);
}

static void costs(double seconds)
{
	static const enum ft_condition_kind process[] = {FT_CONDITION_PROCESS},
					    user[] = {FT_CONDITION_USER_PROCESS},
					    load[] = {FT_CONDITION_LOAD_THRESHOLD},
					    login[] = {FT_CONDITION_USER_LOGIN},
					    file[] = {FT_CONDITION_HALT_FILE},
					    battery[] = {FT_CONDITION_BATTERY};

	for (int timers = 0; timers < 2; timers++) {
		cost("a process by name", process, 1, timers, seconds);
		cost("processes of users", user, 1, timers, seconds);
	}
	cost("load", load, 1, false, seconds);
	cost("logins", login, 1, false, seconds);
	cost("halt file", file, 1, false, seconds);
	cost("battery", battery, 1, false, seconds);
}

static void many(double seconds)
{
	static const enum ft_condition_kind process[] = {FT_CONDITION_PROCESS},
					    user[] = {FT_CONDITION_USER_PROCESS};
	static pid_t pid[MADE];

	for (int i = 0; i < MADE; i++) {
		pid[i] = fork();
		if (!pid[i])
			linger(-1);
	}
	for (int timers = 0; timers < 2; timers++) {
		cost("a process by name", process, 1, timers, seconds);
		cost("processes of users", user, 1, timers, seconds);
	}
	end_all(pid, MADE);
}

static void all_costs(double seconds)
{
	printf("\n| watching | first look | of a processor | wakes a second |\n|---|---|---|---|\n");
	costs(seconds);
	printf("| with %d processes more | | | |\n", MADE);
	many(seconds);
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');
	char self[256];
	double seconds;

	if (!strcmp(name ? name + 1 : argv[0], NAME))
		linger(argc > 1 ? atoi(argv[1]) : -1);
	if (!words_number(argc, argv, 0, 10, &seconds))
		return fprintf(stderr, "usage: bench-watch [SECONDS]\n"), 2;
	(void)snprintf(folder, sizeof folder, "/tmp/foretime-bench-XXXXXX");
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	if (!mkdtemp(folder) || length < 0)
		fail("folder");
	self[length] = '\0';
	(void)snprintf(program, sizeof program, "%s/%s", folder, NAME);
	if (symlink(self, program))
		fail("link");
	begin_others();
	printf("| a program begins | busy loops | n | seen: p50 | p99 | it ran by then: p50 | p99 "
	       "|\n|---|---|---|---|---|---|---|\n");
	for (int loops = 0; loops <= LOOPS; loops += LOOPS) {
		for (enum haste haste = AS_ALL; haste < HASTES; haste++)
			react(false, loops, haste, CALM_MS);
		react(false, loops, AS_ALL, FLOOD_MS);
		react(true, loops, AS_ALL, FLOOD_MS);
	}
	if (seconds > 0)
		all_costs(seconds);
	(void)unlink(program);
	(void)rmdir(folder);
	return 0;
}
