/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - what time it is. */
#include "base/clock.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

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
