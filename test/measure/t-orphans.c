/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-orphans.c - a system that refuses PR_SET_CHILD_SUBREAPER, as qemu-user 7.2 and Linux before 3.4 do: what is measured
 * there, and what becomes of processes whose parent has ended. */
#include "process-test.h"

#include "base/clock.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

/* For us and all that we start; false: no filter is possible here. */
static bool refuse_reaper(void)
{
	struct sock_filter step[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		/* The low half of the first argument, on a machine of the usual order of bytes. */
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_CHILD_SUBREAPER, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof step / sizeof *step, step};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) && prctl(PR_SET_CHILD_SUBREAPER, 1) &&
	       errno == EINVAL;
}

/* A shell in the place of child-hostile, which is $0, and the tag $1. */
static void make_shell(struct subject *s, const char *script, const char *path)
{
	static char shell[] = "/bin/sh", option[] = "-c";

	HOSTILE(s, "exit", "0");
	s->argv[0] = shell;
	s->argv[1] = option;
	s->argv[2] = (char *)(uintptr_t)script;
	s->argv[3] = s->file;
	s->argv[4] = s->tag;
	s->argv[5] = (char *)(uintptr_t)path;
	s->program.argc = 6;
}

static bool gone(const char *tag)
{
	const struct timespec pause = {0, 10000000};

	for (int i = 0; i < 2000 && count_alive(tag); i++)
		(void)nanosleep(&pause, NULL);
	return !count_alive(tag);
}

static const struct ft_sample *sample(const struct subject *s, const struct ft_resource *resource)
{
	static const struct ft_sample none;

	for (size_t i = 0; i < last(s)->n_samples; i++)
		if (last(s)->sample[i].resource == resource)
			return &last(s)->sample[i];
	return &none;
}

static void test_measured(void)
{
	struct ft_err err = {0};
	char command[600];
	struct subject s;

	ok(!ft_probe_get(0)->available(&err) && strstr(err.text, "PR_SET_CHILD_SUBREAPER") && *err.remedy,
	   "the helper works, and says what it may miss: %s; %s", err.text, err.remedy);
	(void)snprintf(
		command, sizeof command,
		"'%s/foretime' machine info | grep -q 'but: the system refuses PR_SET_CHILD_SUBREAPER'",
		getenv("FORETIME_TEST_BUILD"));
	if (!test_quick())
		ok(!system(command), "so does foretime machine info");
	HOSTILE(&s, "burn", "0.02");
	check_outcome(&s, 0, FT_DONE, "a program");
	ok(value(&s, &ft_wall_s) >= 0.02 && value(&s, &ft_cpu_s) >= 0.02 &&
		   value(&s, &ft_peak_rss_bytes) > 0 && sample(&s, &ft_cpu_s)->label == FT_MEASURED,
	   "is measured: %g s, %g s of processors", value(&s, &ft_wall_s), value(&s, &ft_cpu_s));
	ok(sample(&s, &ft_peak_tree_bytes)->label == FT_ESTIMATED && !last(&s)->left_running,
	   "the memory of all its processes is an estimate");
	unmake(&s);
	HOSTILE(&s, "exit", "3");
	check_outcome(&s, 0, FT_FAILED, "one that fails");
	unmake(&s);
	HOSTILE(&s, "exit", "0");
	s.launch.prepare = "exit 7";
	check_outcome(&s, 0, FT_NOT_STARTED, "one whose prepare command fails");
	s.launch.prepare = NULL;
	unmake(&s);
	HOSTILE(&s, "parricide");
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_CRASHED &&
		   strstr(words(&s), "something of it may still run") && gone(s.tag),
	   "one that ends the helper: %s", words(&s));
	unmake(&s);
}

/* Programs that end before what they started, or are ended with it. */
static void test_group(void)
{
	struct subject s;

	make_shell(&s, "\"$0\" \"$1\" hang & exit 0", "");
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE && gone(s.tag),
	   "what is left in its process group is ended");
	unmake(&s);
	HOSTILE(&s, "forks", "3", "0", "1");
	ok(!open_subject(&s) && !run(&s, 1, 0.2) && last(&s)->outcome == FT_TIMED_OUT && gone(s.tag),
	   "a group at its limit");
	unmake(&s);
}

/* What a watcher waits for: so many processes, and then a look of the helper that came later. */
struct awaited {
	const char *tag, *path;
	int least;
	double began_s, there_s;
};

static bool look(void *ctx, const struct ft_moment *now)
{
	struct awaited *awaited = ctx;

	if (awaited->there_s <= 0 && count_alive(awaited->tag) >= awaited->least)
		awaited->there_s = ft_clock_s() - awaited->began_s;
	if (awaited->there_s <= 0 || now->time_s <= awaited->there_s)
		return true;
	if (awaited->path)
		(void)temp_write(awaited->path, "", 0644);
	return awaited->path;
}

static void run_watched(struct subject *s, struct awaited *awaited)
{
	static struct ft_watcher watcher; /* until the source is closed */

	watcher = (struct ft_watcher){look, NULL, awaited};
	s->launch.watcher = &watcher;
	s->launch.pass_through = true;
	awaited->tag = s->tag;
	awaited->began_s = ft_clock_s();
	ok(!open_subject(s) && !run(s, 1, 0), "a run that is watched");
	s->launch.watcher = NULL;
}

/* Processes in sessions of their own. */
static void test_sessions(void)
{
	static char script[] = "setsid \"$0\" \"$1\" hang & echo $! >\"$2.pid\"; "
			       "while [ ! -e \"$2\" ]; do sleep 0.01; done";
	struct awaited awaited = {.least = 4};
	char path[256], name[300];
	struct subject s;

	HOSTILE(&s, "forks", "3", "1", "1");
	run_watched(&s, &awaited);
	ok(last(&s)->outcome == FT_INTERRUPTED && gone(s.tag), "all are ended with their parent");
	unmake(&s);
	(void)snprintf(path, sizeof path, "%s", temp_path("end"));
	(void)snprintf(name, sizeof name, "%s.pid", path);
	awaited = (struct awaited){.path = path, .least = 2};
	make_shell(&s, script, path);
	run_watched(&s, &awaited);
	ok(last(&s)->outcome == FT_DONE && last(&s)->left_running && count_alive(s.tag) == 1,
	   "one that was seen, and lives on: %s", words(&s));
	ok(sample(&s, &ft_cpu_s)->label == FT_UNAVAILABLE && strstr(sample(&s, &ft_cpu_s)->reason, "orphans"),
	   "what it used is not known: %s", sample(&s, &ft_cpu_s)->reason);
	unmake(&s);
	pid_t left = atoi(told(name));
	ok(left > 1 && !kill(left, SIGKILL) && gone(s.tag), "it was left to us");
}

int main(void)
{
	if (!refuse_reaper()) {
		skip("all", "no filter of system calls (seccomp) here");
		return done();
	}
	test_measured();
	test_group();
	test_sessions();
	temp_remove();
	return done();
}
