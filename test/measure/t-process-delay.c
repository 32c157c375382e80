/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process-delay.c - how long programs waited for a processor, on a machine that is made busy. */
#include "process-test.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static const char *reason(const struct subject *s, const struct ft_resource *resource)
{
	for (size_t i = 0; i < last(s)->n_samples; i++)
		if (last(s)->sample[i].resource == resource && last(s)->sample[i].reason)
			return last(s)->sample[i].reason;
	return "";
}

static int first_processor(void)
{
	cpu_set_t set;
	int i = 0;

	(void)sched_getaffinity(0, sizeof set, &set);
	while (i < CPU_SETSIZE && !CPU_ISSET((size_t)i, &set))
		i++;
	return i;
}

/* A loop on one processor that never waits; returns when it runs. It ends with us, whatever becomes of us. */
static pid_t start_loop(int processor)
{
	int pipes[2];
	cpu_set_t set;
	char c = 0;

	if (pipe(pipes))
		return -1;
	pid_t pid = fork();
	if (!pid) {
		(void)alarm(60);
		CPU_ZERO(&set);
		CPU_SET((size_t)processor, &set);
		(void)sched_setaffinity(0, sizeof set, &set);
		(void)!write(pipes[1], &c, 1);
		for (;;)
			continue;
	}
	(void)close(pipes[1]);
	(void)!read(pipes[0], &c, 1);
	(void)close(pipes[0]);
	return pid;
}

static void end_loop(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static bool kernel_tells(void)
{
	return !access("/proc/self/schedstat", R_OK);
}

/* One task is on a processor, waits for one, or waits for something else: it is never two of them at once. */
static void check_identity(struct subject *s, const char *what)
{
	check_outcome(s, 0, FT_DONE, what);
	double wall_s = value(s, &ft_wall_s);
	double known_s = value(s, &ft_cpu_s) + value(s, &ft_run_delay_s);
	ok(known_s <= 1.1 * wall_s && known_s >= 0.5 * wall_s, "%.3g s + %.3g s of %.3g s",
	   value(s, &ft_cpu_s), value(s, &ft_run_delay_s), wall_s);
}

static void test_one(void)
{
	int processor = first_processor();
	char pin[16];
	struct subject s;
	pid_t loop[2];

	(void)snprintf(pin, sizeof pin, "%d", processor);
	HOSTILE(&s, "burn", "0.2");
	check_identity(&s, "one thread");
	unmake(&s);
	loop[0] = start_loop(processor);
	loop[1] = start_loop(processor);
	HOSTILE(&s, "burn", "0.2");
	s.launch.pin = pin;
	check_identity(&s, "one thread beside two loops");
	ok(value(&s, &ft_run_delay_s) > 0.1 * value(&s, &ft_cpu_s), "it waited for them");
	end_loop(loop[0]);
	end_loop(loop[1]);
	unmake(&s);
}

/* They stay until they have been looked at; each is found with nearly all that it did. */
static void test_several(void)
{
	struct subject s;

	HOSTILE(&s, "threads", "3", "0.1", "1500");
	check_outcome(&s, 0, FT_DONE, "three threads");
	ok(value(&s, &ft_run_delay_s) >= 0, "waited %g s", value(&s, &ft_run_delay_s));
	unmake(&s);
	HOSTILE(&s, "workers", "3", "0.1", "1500");
	check_outcome(&s, 0, FT_DONE, "three processes");
	ok(value(&s, &ft_run_delay_s) >= 0, "waited %g s", value(&s, &ft_run_delay_s));
	unmake(&s);
	HOSTILE(&s, "orphan", "0.05", "1");
	check_outcome(&s, 0, FT_DONE, "an orphan");
	ok(value(&s, &ft_run_delay_s) >= 0, "is waited for, and looked at before");
	unmake(&s);
}

/* Most of each is done between two looks. */
static void test_short(void)
{
	struct subject s;

	HOSTILE(&s, "sparks", "100", "0.001", "0");
	check_outcome(&s, 0, FT_DONE, "a hundred short processes");
	ok(isnan(value(&s, &ft_run_delay_s)) && strstr(reason(&s, &ft_run_delay_s), "ended before") &&
		   strchr(reason(&s, &ft_run_delay_s), ';'),
	   "%s", reason(&s, &ft_run_delay_s));
	unmake(&s);
}

static void test_report(void)
{
	struct subject s;
	size_t i;

	PROBE(&s, "one");
	check_outcome(&s, 0, FT_DONE, "a routine that reports its time");
	for (i = 0; i < last(&s)->n_samples && last(&s)->sample[i].resource != &ft_run_delay_s; i++)
		continue;
	if (!ok(i < last(&s)->n_samples && last(&s)->sample[i].label == FT_ESTIMATED &&
			value(&s, &ft_run_delay_s) >= 0 &&
			value(&s, &ft_run_delay_s) <= fmax(0, value(&s, &ft_wall_s) - value(&s, &ft_cpu_s)),
		"has its part of what the process waited: where it did not compute"))
		diag("%g s of %g s, %g s computed: %s", value(&s, &ft_run_delay_s), value(&s, &ft_wall_s),
		     value(&s, &ft_cpu_s), reason(&s, &ft_run_delay_s));
	unmake(&s);
}

int main(void)
{
	if (!kernel_tells()) {
		skip("waiting for a processor", "the kernel has no schedstat");
		return done();
	}
	test_one();
	test_several();
	test_short();
	test_report();
	return done();
}
