/* SPDX-License-Identifier: 0BSD */
/* foretime-probe.h - a program reports the cost of its routines to foretime, which measures it.
 *
 *	#include <foretime-probe.h>
 *
 *	struct ft_probe probe = FT_PROBE_INIT;
 *
 *	if (rows < columns)
 *		ft_probe_invalid();                       (this size makes no sense; does not return)
 *	ft_probe_start(&probe);
 *	multiply(n);
 *	ft_probe_stop(&probe);
 *	ft_probe_report("multiply", 2.0 * n * n * n, &probe);
 *
 * Start and stop may come in several pairs before a report: their times are summed, and so are several
 * reports of one name. `work` is the volume of computation of all of them together; 0 where the program does
 * not state it. What one routine reports replaces the time of the whole process; several are kept as
 * NAME/ROUTINE each. Also reported are the first call and later ones, and, of several routines, the memory of
 * the process where a routine raised it.
 *
 * A program that is not run by foretime behaves as if this were not there, but for ft_probe_invalid, which
 * then reports it on standard error and exits with status 77. Processor time is that of all threads of this
 * process.
 *
 * One header, no library. C (from C89 on) and C++, on POSIX systems. With a strict -std=c99 include
 * it before any header of the system, or define _POSIX_C_SOURCE as 200112L or more.
 */
#ifndef FORETIME_PROBE_H
#define FORETIME_PROBE_H

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(_FEATURES_H)
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif
#include <time.h>
#include <unistd.h>

/* Where valgrind's header is, instructions of each routine can be counted (foretime run --instructions). */
#if defined(__has_include) && defined(__GNUC__) && !defined(FT_PROBE_NO_VALGRIND)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define FT_PROBE_VALGRIND 1
#endif
#endif

#ifndef CLOCK_MONOTONIC
#error "foretime-probe.h needs POSIX: include it first, or compile with -D_POSIX_C_SOURCE=200809L"
#endif

#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define FT_PROBE_INLINE static inline
#else
#define FT_PROBE_INLINE static __inline__
#endif

/* One stop-watch. Begins as FT_PROBE_INIT. */
struct ft_probe {
	double wall_ns, cpu_ns; /* summed over the pairs that are complete */
	double calls;
	int running;
	struct timespec wall_from, cpu_from;
	double first_ns; /* of the first pair */
	double peak_from,
		peak_kib; /* memory of the process, at most so far: at the start; raised in a pair */
};

/* clang-format off */
#define FT_PROBE_INIT {0, 0, 0, 0, {0, 0}, {0, 0}, 0, 0, 0}
/* clang-format on */

FT_PROBE_INLINE double ft_probe_since(const struct timespec *from, const struct timespec *to)
{
	return 1e9 * (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec);
}

/* Where to report to; -1: no listener. */
FT_PROBE_INLINE int ft_probe_descriptor(void)
{
	const char *text = getenv("FORETIME_PROBE_FD");
	char *end;
	long number;

	if (!text || !*text)
		return -1;
	number = strtol(text, &end, 10);
	return *end || number < 3 || number > 65535 ? -1 : (int)number;
}

/* ---- under valgrind, started by foretime -------------------------------------------------------------- */

#ifdef FT_PROBE_VALGRIND

/* Of all files of a program: how many stop-watches run, which ran last and has counts that are not reported
 * yet, and the number of reports. */
__attribute__((weak)) int ft_probe_running, ft_probe_told, ft_probe_mixed;
__attribute__((weak)) const struct ft_probe *ft_probe_counted;

FT_PROBE_INLINE int ft_probe_counts(void)
{
	static int counts = -1;

	if (counts < 0)
		counts = RUNNING_ON_VALGRIND && getenv("FORETIME_PROBE_COUNT") != NULL;
	return counts;
}

/* What was counted since the last time, under a name: "@PROBE", "=ROUTINE @PROBE", or "?". */
FT_PROBE_INLINE void ft_probe_tell(const char *routine, const struct ft_probe *probe)
{
	char text[128];

	if (ft_probe_mixed || ++ft_probe_told > 20000)
		(void)snprintf(text, sizeof text, "?");
	else if (routine)
		(void)snprintf(text, sizeof text, "=%s @%p", routine, (const void *)probe);
	else
		(void)snprintf(text, sizeof text, "@%p", (const void *)probe);
	if (!ft_probe_mixed || routine)
		CALLGRIND_DUMP_STATS_AT(text);
	ft_probe_mixed = ft_probe_mixed || ft_probe_told > 20000;
}

FT_PROBE_INLINE void ft_probe_count(const struct ft_probe *probe)
{
	if (ft_probe_counts()) {
		ft_probe_mixed = ft_probe_mixed || ft_probe_running;
		if (ft_probe_counted && ft_probe_counted != probe)
			ft_probe_tell(NULL, ft_probe_counted);
		ft_probe_counted = probe;
		ft_probe_running++;
		CALLGRIND_TOGGLE_COLLECT;
	}
}

FT_PROBE_INLINE void ft_probe_count_end(void)
{
	if (ft_probe_counts()) {
		CALLGRIND_TOGGLE_COLLECT;
		ft_probe_running--;
	}
}

FT_PROBE_INLINE void ft_probe_count_told(const char *routine, const struct ft_probe *probe)
{
	if (ft_probe_counts()) {
		if (ft_probe_counted && ft_probe_counted != probe)
			ft_probe_tell(NULL, ft_probe_counted);
		ft_probe_tell(routine, probe);
		ft_probe_counted = NULL;
	}
}

#else
#define ft_probe_count(probe)               ((void)0)
#define ft_probe_count_end()                ((void)0)
#define ft_probe_count_told(routine, probe) ((void)0)
#endif

/* ---- start, stop, report ------------------------------------------------------------------------------ */

/* What the process held at most so far, KiB; 0: no listener, or the system does not report it. */
FT_PROBE_INLINE double ft_probe_peak(void)
{
#ifdef __linux__
	static int to = -2; /* -2: not looked for yet */
	struct rusage usage;

	if (to == -2)
		to = ft_probe_descriptor();
	if (to >= 0 && getrusage(RUSAGE_SELF, &usage) == 0)
		return (double)usage.ru_maxrss;
#endif
	return 0;
}

/* ft_probe_start - the routine begins. */
FT_PROBE_INLINE void ft_probe_start(struct ft_probe *probe)
{
	probe->running = 1;
	probe->peak_from = ft_probe_peak();
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &probe->cpu_from);
	(void)clock_gettime(CLOCK_MONOTONIC, &probe->wall_from);
	ft_probe_count(probe);
}

/* ft_probe_stop - the routine has ended; without meaning when it was not begun. */
FT_PROBE_INLINE void ft_probe_stop(struct ft_probe *probe)
{
	struct timespec wall, cpu;
	double peak;

	if (probe->running)
		ft_probe_count_end();
	(void)clock_gettime(CLOCK_MONOTONIC, &wall);
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	if (!probe->running)
		return;
	probe->running = 0;
	peak = ft_probe_peak();
	if (peak > probe->peak_from)
		probe->peak_kib = peak;
	if (!(probe->calls > 0))
		probe->first_ns = ft_probe_since(&probe->wall_from, &wall);
	probe->wall_ns += ft_probe_since(&probe->wall_from, &wall);
	probe->cpu_ns += ft_probe_since(&probe->cpu_from, &cpu);
	probe->calls += 1;
}

/* A volume of work in digits that no locale changes. */
FT_PROBE_INLINE void ft_probe_number(double work, char *text, size_t size)
{
	if (!(work > 0) || work > 1e300)
		(void)snprintf(text, size, "0");
	else if (work >= 1e15)
		(void)snprintf(text, size, "%.0f", work);
	else if (work >= 1)
		(void)snprintf(text, size, "%.0fe-9", work * 1e9);
	else
		(void)snprintf(text, size, "%.0fe-18", work * 1e18);
}

/* ft_probe_report - report what the routine cost so far, and begin again from nothing.
 *
 * routine  its name; blanks and slashes in it become '_', and 63 characters count
 * work     volume of computation of all pairs since the last report; 0: not stated
 */
FT_PROBE_INLINE void ft_probe_report(const char *routine, double work, struct ft_probe *probe)
{
	int to = ft_probe_descriptor();
	char name[64], number[320], line[512];
	size_t i;
	int length;

	ft_probe_stop(probe);
	for (i = 0; i < sizeof name - 1 && routine[i]; i++)
		name[i] = (char)((routine[i] & 0x80) ||
						 (routine[i] > ' ' && routine[i] < 127 && routine[i] != '/')
					 ? routine[i]
					 : '_');
	name[i] = '\0';
	if (probe->calls > 0)
		ft_probe_count_told(i ? name : "_", probe);
	if (to >= 0 && probe->calls > 0) {
		ft_probe_number(work, number, sizeof number);
		length = snprintf(line, sizeof line,
				  "ft1 routine %s %.0f %.0f %.0f %s\nft1 besides %s %.0f %.0f\n",
				  i ? name : "_", probe->calls, probe->wall_ns, probe->cpu_ns, number,
				  i ? name : "_", probe->first_ns, 1024 * probe->peak_kib);
		/* A report that cannot be written is lost: the program itself must not suffer. */
		if (length > 0 && (size_t)length < sizeof line && write(to, line, (size_t)length) < 0)
			probe->calls = 0;
	}
	probe->wall_ns = probe->cpu_ns = probe->calls = probe->first_ns = probe->peak_kib = 0;
}

/* ft_probe_progress - report how much of the work is done, as often as you like: a call takes less than 10
 * ns, and what is written is about 100 lines each time the run gets 2.7 times as long. foretime run
 * --contract predicts from it whether the run will be late. From one thread of one process.
 *
 * done, total  in any unit; done never falls, and time should go with it as evenly as it can
 */
FT_PROBE_INLINE void ft_probe_progress(double done, double total)
{
	static int to = -2; /* -2: not looked for yet */
	static unsigned left;
	static double next, due_ns, gap_ns = 2e7;
	static struct timespec from;
	char numbers[2][320], line[768];
	struct timespec now;
	double since_ns;
	int length;

	/* The clock is read at each 64th call, and where a hundredth was done since it last was. */
	if (to == -1 || (left && done < next))
		goto passed;
	if (to == -2) {
		to = ft_probe_descriptor();
		(void)clock_gettime(CLOCK_MONOTONIC, &from);
	}
	left = 64;
	next = done + total / 100;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	since_ns = ft_probe_since(&from, &now);
	if (to < 0 || since_ns < due_ns)
		goto passed;
	if (gap_ns < since_ns / 100)
		gap_ns = since_ns / 100;
	due_ns = since_ns + gap_ns;
	ft_probe_number(done, numbers[0], sizeof numbers[0]);
	ft_probe_number(total, numbers[1], sizeof numbers[1]);
	length = snprintf(line, sizeof line, "ft1 progress %s %s\n", numbers[0], numbers[1]);
	if (length > 0 && (size_t)length < sizeof line && write(to, line, (size_t)length) < 0)
		to = -1;
	return;
passed:
	left -= left > 0;
}

/* ft_probe_invalid - report that this size makes no sense for the program, and exit with status 0. */
FT_PROBE_INLINE void ft_probe_invalid(void)
{
	static const char line[] = "ft1 invalid\n";
	int to = ft_probe_descriptor();

	if (to >= 0 && write(to, line, sizeof line - 1) == (ssize_t)(sizeof line - 1))
		exit(0);
	(void)fprintf(stderr, "this size is not valid for this program\n");
	exit(77);
}

#endif
