/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - the clocks, and the run queue. */
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct ft_clock *set;

static int64_t read_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t ft_clock_ns(void)
{
	return set ? set->steady_ns : read_ns(CLOCK_MONOTONIC);
}

double ft_clock_s(void)
{
	return (double)ft_clock_ns() / 1e9;
}

int64_t ft_clock_real_ns(void)
{
	return set ? set->real_ns : read_ns(CLOCK_REALTIME);
}

int64_t ft_clock_spent_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

double ft_clock_process_s(void)
{
	return (double)read_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
}

void ft_clock_sleep(double seconds)
{
	struct timespec wait = {.tv_sec = (time_t)seconds};

	if (set) {
		set->steady_ns += (int64_t)(seconds * 1e9);
		set->real_ns += (int64_t)(seconds * 1e9);
		return;
	}
	wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
	while (nanosleep(&wait, &wait) && errno == EINTR)
		;
}

void ft_clock_set(struct ft_clock *clock)
{
	set = clock;
}

/*
 * The run queue and the pressure on processors, from /proc.
 */

/* The beginning of a file, which is short. False: not there, or empty. */
static bool read_short(const char *root, const char *path, char *text, size_t size)
{
	char name[PATH_MAX];
	int length = snprintf(name, sizeof name, "%s%s", root, path), file;

	if (length < 0 || (size_t)length >= sizeof name)
		return false;
	file = open(name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	ssize_t got = read(file, text, size - 1); /* PSI that is switched off fails here: EOPNOTSUPP */
	(void)close(file);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* Digits, and a point among them, in every locale; *end behind them. NaN: there is no digit. */
static double take_number(const char *text, const char **end)
{
	double value = 0, scale = 1;

	*end = text;
	if (*text < '0' || *text > '9')
		return NAN;
	for (; *text >= '0' && *text <= '9'; text++)
		value = 10 * value + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++) {
			scale *= 10;
			value += (*text - '0') / scale;
		}
	*end = text;
	return value;
}

/* "0.90 0.70 0.34 5/100 17453". The reader itself is running: no runnable task means that tasks are not
 * counted, as in some sandboxes. */
static void parse_averages(const char *text, struct ft__queue *out)
{
	out->average = take_number(text, &text);
	for (int i = 0; i < 3 && text; i++)
		text = (text = strchr(text, ' ')) ? text + 1 : NULL;
	double runnable = text ? take_number(text, &text) : (double)NAN;
	if (text && runnable >= 1 && *text == '/')
		out->runnable = runnable;
}

/* "some avg10=19.73 avg60=5.79 avg300=7.33 total=48431370", in microseconds. */
static void parse_pressure(const char *text, struct ft__queue *out)
{
	const char *total = strncmp(text, "some ", 5) ? NULL : strstr(text, "total="),
		   *line = strchr(text, '\n');

	if (total && (!line || total < line))
		out->waited_s = 1e-6 * take_number(total + strlen("total="), &total);
}

void ft__queue_read(const char *root, struct ft__queue *out)
{
	char text[256];

	*out = (struct ft__queue){.average = NAN, .runnable = NAN, .waited_s = NAN};
	if (read_short(root, "/proc/loadavg", text, sizeof text))
		parse_averages(text, out);
	if (read_short(root, "/proc/pressure/cpu", text, sizeof text))
		parse_pressure(text, out);
	out->at_ns = ft_clock_ns();
}

double ft__queue_pressure(double waited_before_s, double waited_after_s, double seconds)
{
	double share = (waited_after_s - waited_before_s) / seconds;

	if (!(seconds > 0) || isnan(share))
		return NAN;
	return share < 0 ? 0 : share > 1 ? 1 : share; /* the kernel updates its clocks one after another */
}
