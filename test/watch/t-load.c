/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many processors others want: counted on a written machine; and seen on this one, where it can be. */
#include "watch-test.h"

#include <signal.h>
#include <sys/wait.h>

enum { PROCESSORS = 4, TICKS = 100 };

static struct ft_clock clock_set = {.steady_ns = 1000000000, .real_ns = 1000000000};
static double busy_s, idle_s;

/* `seconds` later; so many processors were busy in them, and so many tasks run or wait now, with us. */
static void pass(double seconds, double busy, int runnable)
{
	char text[512];

	clock_set.steady_ns += (int64_t)(seconds * 1e9);
	busy_s += seconds * busy;
	idle_s += seconds * (PROCESSORS - busy);
	(void)snprintf(text, sizeof text,
		       "cpu  %.0f 0 0 %.0f 0 0 0 0 0 0\ncpu0 0\ncpu1 0\ncpu2 0\ncpu3 0\nintr 1\n",
		       TICKS * busy_s, TICKS * idle_s);
	put(text, "proc/stat");
	(void)snprintf(text, sizeof text, "0.50 0.50 0.50 %d/300 4711\n", runnable);
	put(text, "proc/loadavg");
}

static double seen(struct subject *s)
{
	return ft__watch_look(s->watch)->load;
}

static double ours_s;

static double count_ours(void *ctx)
{
	(void)ctx;
	return ours_s;
}

static double count_nine(void *ctx)
{
	++*(unsigned *)ctx;
	return 9;
}

static void check_written(void)
{
	struct subject s = {0};
	char root[256];
	unsigned asked = 0;

	(void)snprintf(root, sizeof root, "%s", temp_path("root"));
	s.needs.root = root;
	add(&s, FT_CONDITION_LOAD_THRESHOLD, NULL);
	ft_clock_set(&clock_set);
	ok(begin(&s) && holds(&s, 0) && strstr(why, "/proc/stat"), "%s", why);
	idle_s = 1000;
	pass(2, 0, 1);
	ok(isnan(seen(&s)) && holds(&s, 0), "as yet %s", why);
	pass(2, 0.25, 1);
	ok(near(seen(&s), 0.25, 1e-3) && !holds(&s, 0), "a quarter of a processor: %g", seen(&s));
	pass(2, 2, 3);
	ok(near(seen(&s), 2, 1e-3) && holds(&s, 0), "%s", why);
	pass(0.1, 4, 9);
	ok(near(seen(&s), 2, 1e-3), "a tenth of a second is too short");
	ours_s = 100;
	ft__watch_count(s.watch, count_ours, NULL);
	(void)seen(&s);
	pass(2, 3, 4);
	(void)seen(&s);
	ours_s = 104;
	pass(2, 3, 4);
	ok(near(seen(&s), 1, 1e-3), "two of three are ours: %g", seen(&s));
	pass(2, 4, 9);
	(void)seen(&s);
	ours_s = 106;
	pass(2, 4, 9);
	ok(near(seen(&s), 6, 1e-3), "three quarters of a queue of eight are others': %g", seen(&s));
	ours_s = 0;
	pass(2, 1, 9);
	(void)seen(&s);
	pass(2, 1, 2);
	ok(near(seen(&s), 1, 1e-3), "a moment's queue is none: %g", seen(&s));
	ours_s = 8;
	pass(2, 4, 5);
	ok(near(seen(&s), 0, 1e-3), "all are ours: %g", seen(&s));
	ft__watch_count(s.watch, count_nine, &asked);
	pass(2, 4, 5);
	for (int i = 0; i < 100; i++)
		(void)seen(&s);
	ok(near(seen(&s), 3.5, 1e-3) && asked == 1, "one who counts is asked when it is needed: %u times",
	   asked);
	take_away("proc/loadavg");
	clock_set.steady_ns += 2000000000;
	(void)seen(&s);
	put("cpu  nothing\n", "proc/stat");
	clock_set.steady_ns += 2000000000;
	ok(isnan(seen(&s)) && holds(&s, 0) && strstr(why, "/proc/stat"), "%s", why);
	end(&s);
	ft_clock_set(NULL);
}

/* Processors that another process keeps busy are seen, and that they are not ours. */
static void check_real(void)
{
	struct subject s = {0};

	add(&s, FT_CONDITION_LOAD_THRESHOLD, NULL)->threshold = 0.02;
	pid_t pid = fork();
	if (!pid)
		for (;;)
			continue;
	ok(begin(&s) && holds(&s, 0), "as long as nothing is known it holds: %s", why);
	while (isnan(ft__watch_look(s.watch)->load))
		(void)usleep(1000U * (unsigned)ft__watch_wait_ms(s.watch));
	ok(comes(&s, 0, true, false), "%s", why);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	end(&s);
}

int main(void)
{
	check_written();
	check_real();
	temp_remove();
	return done();
}
