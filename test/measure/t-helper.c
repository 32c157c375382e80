/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-helper.c - the helper that starts programs: found, lost, killed, and with no memory left. */
#include "process-test.h"

#include "base/alloc.h"

#include <sys/wait.h>
#include <time.h>

/* Whether all of a tag are gone, within so many seconds. */
static bool gone(const char *tag, int seconds)
{
	struct timespec pause = {0, 10000000};

	for (int i = 0; i < 100 * seconds && count_alive(tag); i++)
		(void)nanosleep(&pause, NULL);
	return !count_alive(tag);
}

static void test_helper(void)
{
	static const volatile sig_atomic_t never;
	char named[512], copy[512], command[2048];
	struct subject s;

	(void)snprintf(named, sizeof named, "%s", getenv("FORETIME_HELPER"));
	HOSTILE(&s, "exit", "0");
	(void)setenv("FORETIME_HELPER", "/nonesuch/helper", 1);
	ok(open_subject(&s) == FT_EUNAVAIL && !s.source && s.err.remedy[0], "%s; %s", s.err.text,
	   s.err.remedy);
	(void)setenv("FORETIME_HELPER", "/bin/true", 1);
	ok(open_subject(&s) == FT_EUNAVAIL && !s.source, "%s", s.err.text);
	(void)unsetenv("FORETIME_HELPER");
	(void)snprintf(copy, sizeof copy, "%s", temp_path("t-process"));
	(void)snprintf(command, sizeof command,
		       "cp /proc/%d/exe '%s' && cp '%s' '%s/foretime-helper' && '%s' t-helper beside",
		       (int)getpid(), copy, named, temp_folder, copy);
	ok(system(command) == 0, "a helper beside the executable is found");
	(void)setenv("FORETIME_HELPER", named, 1);
	HOSTILE(&s, "annoy");
	check_outcome(&s, 0, FT_DONE, "one that sends the helper signals");
	unmake(&s);
	HOSTILE(&s, "halt", "100000");
	ok(!open_subject(&s), "one that stops the helper");
	ft_source_interrupt(s.source, &never);
	ok(!run(&s, 1, 0.3) && last(&s)->outcome == FT_TIMED_OUT, "is ended at its limit all the same");
	unmake(&s);
}

/* Programs that end the helper, their parent: a run like any other that failed, and the next one is watched.
 */
static void test_lost(void)
{
	struct subject s;

	HOSTILE(&s, "parricide");
	check_outcome(&s, 0, FT_CRASHED, "one that ends its parent");
	ok(strstr(words(&s), "foretime-helper, its parent process, was ended") &&
		   strstr(words(&s), "all of it was ended"),
	   "which is said: %s", words(&s));
	ok(isnan(value(&s, &ft_wall_s)) && last(&s)->n_samples == 3 &&
		   last(&s)->sample[0].label == FT_UNAVAILABLE && last(&s)->sample[0].reason,
	   "and nothing is known of it: %s", last(&s)->n_samples ? last(&s)->sample[0].reason : "-");
	ok(!run(&s, 2, 0) && s.runs.n == 2 && last(&s)->outcome == FT_CRASHED, "the next run takes place");
	unmake(&s);
	HOSTILE(&s, "heirs", "helper", "60000", "5000", "0");
	check_outcome(&s, 0, FT_CRASHED, "one that leaves daemons and ends its parent");
	unmake(&s);
	HOSTILE(&s, "heirs", "guard", "60000", "20", "0");
	check_outcome(&s, 0, FT_DONE, "one that ends its parent's parent");
	/* It sleeps for 20 ms. On a busy machine our own wait behind its end is subtracted, which may have begun before it. */
	if (!ok(value(&s, &ft_wall_s) > 0.005 && value(&s, &ft_wall_s) < 60, "is measured all the same"))
		diag("%g s, %zu samples: %s", value(&s, &ft_wall_s), last(&s)->n_samples, words(&s));
	unmake(&s);
	HOSTILE(&s, "exit", "0");
	s.launch.prepare = "kill -9 $PPID; sleep 5";
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_NOT_STARTED &&
		   strstr(words(&s), "the prepare command ended foretime-helper"),
	   "a prepare command that does");
	s.launch.prepare = NULL;
	unmake(&s);
	ok(waitpid(-1, NULL, WNOHANG) < 0, "no helper is left");
}

/* Whether a subject's first run, at which there is no second helper, is told. */
static enum ft_status run_with_no_other(struct subject *s)
{
	char named[512];

	(void)snprintf(named, sizeof named, "%s", getenv("FORETIME_HELPER"));
	enum ft_status status = open_subject(s);
	(void)setenv("FORETIME_HELPER", "/nonesuch/helper", 1);
	status = status ? status : run(s, 1, 0);
	(void)setenv("FORETIME_HELPER", named, 1);
	return status;
}

static void test_no_other(void)
{
	static char shell[] = "/bin/sh", option[] = "-c", command[] = "kill -9 $PPID; exit 7";
	struct subject s;

	HOSTILE(&s, "exit", "0");
	s.argv[0] = shell, s.argv[1] = option, s.argv[2] = command;
	s.program.argc = 3;
	s.launch.real = s.launch.pass_through = true;
	ok(!run_with_no_other(&s) && s.runs.n == 1 && last(&s)->exit_status == 7,
	   "a real program whose helper has no other is told: %s", s.err.text);
	ok(!run(&s, 2, 0) && s.runs.n == 2, "and the next run gets one again");
	unmake(&s);
	HOSTILE(&s, "exit", "0");
	s.launch.prepare = "kill -9 $PPID; sleep 5";
	ok(run_with_no_other(&s) == FT_EUNAVAIL && !s.runs.n, "a prepare command with no other: %s",
	   s.err.text);
	s.launch.prepare = NULL;
	unmake(&s);
}

/* A signal of others that waited from when the helper was there is not the program's. */
static void test_signal_before(void)
{
	static char shell[] = "/bin/sh", option[] = "-c",
		    command[] = "read _ _ _ guard _ </proc/$PPID/stat; kill -TERM $guard; kill -9 $PPID; "
				"sleep 0.1; exit 7";
	struct subject s;

	HOSTILE(&s, "exit", "0");
	s.argv[0] = shell, s.argv[1] = option, s.argv[2] = command;
	s.program.argc = 3;
	s.launch.real = s.launch.pass_through = true;
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_FAILED &&
		   last(&s)->exit_status == 7,
	   "a signal from before is not passed on");
	unmake(&s);
}

/* A real program goes on without it. */
static void test_lost_real(void)
{
	struct subject s;

	HOSTILE(&s, "heirs", "helper", "2000", "50", "7");
	s.launch.real = s.launch.pass_through = true;
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_FAILED &&
		   last(&s)->exit_status == 7 && strstr(words(&s), "nothing was measured"),
	   "a real program that ends its parent ends by itself");
	ok(last(&s)->cost_s >= 0.05, "after %g s", last(&s)->cost_s);
	unmake(&s);
	ok(count_alive(s.tag) > 0, "and what it leaves behind goes on");
	ok(gone(s.tag, 20), "until it ends");
}

/* Foretime itself is killed. */
static void test_killed(void)
{
	struct subject s;
	int pipes[2];
	char c;

	HOSTILE(&s, "forks", "3", "1", "1");
	if (pipe(pipes)) {
		skip("foretime is killed", "no pipe");
		return;
	}
	(void)fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		if (!open_subject(&s) && write(pipes[1], "x", 1) == 1)
			(void)run(&s, 1, 0);
		_exit(0);
	}
	(void)!read(pipes[0], &c, 1);
	while (count_alive(s.tag) < 4 && !waitpid(pid, NULL, WNOHANG))
		(void)usleep(2000);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	ok(gone(s.tag, 10), "when foretime is killed its programs end");
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}

static void test_close(void)
{
	struct subject s, t;

	HOSTILE(&s, "exit", "0");
	HOSTILE(&t, "exit", "4");
	ok(!open_subject(&s) && !open_subject(&t) && !run(&s, 1, 0) && !run(&t, 1, 0), "two sources at once");
	unmake(&s);
	ok(!run(&t, 1, 0) && last(&t)->exit_status == 4, "one outlives the other");
	unmake(&t);
	ok(waitpid(-1, NULL, WNOHANG) < 0, "no helper is left");
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool good = true;
	struct subject s;

	HOSTILE(&s, "flood", "2", "1", "1");
	s.launch.threads = 2;
	s.launch.prepare = "true";
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = open_subject(&s);
		good = good && (!status || (status == FT_ENOMEM && !s.source));
	}
	ok(good && !status && n > 5, "each allocation of opening may fail (%lu)", n - 2);
	status = FT_ENOMEM;
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = run(&s, 1, 0);
		good = good && (!status || (status == FT_ENOMEM && !s.runs.n));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 10 && s.runs.n == 1 && last(&s)->outcome == FT_FAILED, "and of a run (%lu)",
	   n - 2);
	unmake(&s);
	PROBE(&s, "two");
	status = open_subject(&s) ? FT_OK : FT_ENOMEM;
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = run(&s, 1, 0);
		good = good && (!status || (status == FT_ENOMEM && !s.runs.n));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && s.runs.n == 3, "and of routines (%lu)", n - 2);
	unmake(&s);
}

int main(void)
{
	struct subject s;

	if (tap_arguments[0] && !strcmp(tap_arguments[0], "beside")) {
		HOSTILE(&s, "exit", "0");
		int status = !open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE ? 0 : 1;
		unmake(&s);
		return status;
	}
	test_helper();
	test_lost();
	test_lost_real();
	test_no_other();
	test_signal_before();
	test_killed();
	test_close();
	test_faults();
	temp_remove();
	return done();
}
