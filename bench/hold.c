/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.c - how soon what a manager runs stands still, and what it takes from others, in each way that there
 *is here.
 *
 *	bench-hold [N]    of each row; default 100
 *
 * Others are processes that are busy in sessions of their own, as users' are. */
#include "base/clock.h"
#include "foretime/base.h"
#include "manager/child.h"
#include "words.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHERS_MOST = 64, TIMES_MOST = 10000 };

static pid_t other[OTHERS_MOST];
static double times[TIMES_MOST];

static void begin_others(int n)
{
	volatile unsigned long spin = 0;
	int i;

	for (i = 0; i < n; i++) {
		other[i] = fork();
		if (!other[i]) {
			(void)setsid();
			for (;;)
				spin++;
		}
	}
}

/* Returns what they used, in seconds of a processor. */
static double end_others(int n)
{
	struct rusage usage;
	double sum_s = 0;

	for (int i = 0; i < n; i++) {
		(void)kill(other[i], SIGKILL);
		if (wait4(other[i], NULL, 0, &usage) == other[i])
			sum_s += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
				 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	}
	return sum_s;
}

static struct ft__child *begin_child(struct ft__scope *scope, int processes)
{
	char script[128];
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	const struct ft__child_options options = {.argv = argv, .scope = scope, .as_root = true};
	struct ft__child *child;
	struct ft_err err;

	(void)snprintf(
		script, sizeof script,
		"i=1; while [ $i -lt %d ]; do (while :; do :; done) & i=$((i+1)); done; while :; do :; done",
		processes);
	if (!ft__child_start(&child, &options, &err))
		return child;
	fprintf(stderr, "%s\n", err.text);
	exit(1);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double freeze_once(struct ft__scope *scope, struct ft__child *child)
{
	struct pollfd event[] = {{.fd = ft__child_fd(child), .events = POLLIN},
				 {.fd = ft__scope_fd(scope), .events = POLLIN}};
	struct ft__child_end end;
	double began_s = ft_clock_s(), s;

	(void)ft__scope_freeze(scope, NULL);
	while (!ft__scope_frozen(scope) && !ft__child_ended(child, &end))
		(void)poll(event, 2, ft__scope_fd(scope) < 0 ? 1 : 1000);
	s = ft_clock_s() - began_s;
	(void)ft__scope_thaw(scope, NULL);
	return s;
}

static void time_freezing(const struct ft__scope_way *row, int n, int others)
{
	struct ft__scope *scope;

	if (ft__scope_open(&scope, row, "bench", NULL))
		return;
	struct ft__child *child = begin_child(scope, 2);
	begin_others(others);
	ft_clock_sleep(0.5);
	for (int i = 0; i < n; i++) {
		ft_clock_sleep(0.02);
		times[i] = freeze_once(scope, child);
	}
	(void)end_others(others);
	qsort(times, (size_t)n, sizeof *times, compare);
	printf("%-10s %d busy: still after p50 %.2f ms, p99 %.2f ms, most %.2f ms (n = %d)\n", row->name,
	       others, 1e3 * times[n / 2], 1e3 * times[(n - 1) * 99 / 100], 1e3 * times[n - 1], n);
	ft__child_free(child);
	ft__scope_free(scope);
}

/* As many of ours as of others: without a difference they would get half. */
static void weigh(const struct ft__scope_way *row, bool dedicated)
{
	int n = (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct ft__scope *scope;

	if (ft__scope_open(&scope, row, "bench", NULL))
		return;
	ft__scope_weigh(scope, dedicated);
	struct ft__child *child = begin_child(scope, n);
	ft_clock_sleep(0.5);
	begin_others(n);
	double ours_s = ft__scope_cpu_s(scope);
	ft_clock_sleep(5);
	ours_s = ft__scope_cpu_s(scope) - ours_s;
	double others_s = end_others(n);
	printf("%-10s %-9s: %.2f %% of what others get (%.2f s, %.2f s)\n", row->name,
	       dedicated ? "dedicated" : "yields", 100 * ours_s / others_s, ours_s, others_s);
	ft__child_free(child);
	ft__scope_free(scope);
}

int main(int argc, char **argv)
{
	double number;

	if (!words_number(argc, argv, 1, 100, &number))
		return fprintf(stderr, "usage: bench-hold [N]\n"), 2;
	int n = (int)fmin(number, TIMES_MOST);
	for (size_t i = 0; ft__scope_ways[i]; i++) {
		struct ft__scope *scope;
		struct ft_err why = {0};

		if (ft__scope_open(&scope, ft__scope_ways[i], "bench", &why)) {
			printf("%-10s %s\n", ft__scope_ways[i]->name, why.text);
			continue;
		}
		printf("%-10s %s\n", ft__scope_ways[i]->name, ft__scope_way(scope));
		ft__scope_free(scope);
		time_freezing(ft__scope_ways[i], n, 0);
		time_freezing(ft__scope_ways[i], n, 8);
		weigh(ft__scope_ways[i], false);
		weigh(ft__scope_ways[i], true);
	}
	return 0;
}
