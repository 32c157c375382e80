/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process.c - programs, also hostile ones, run and measured: their figures, their ends, their words. */
#include "process-test.h"

#include "facts/door.h"
#include "measure/measure.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>

/* ---- what is measured -------------------------------------------------------------------------------- */

static void test_figures(void)
{
	static const struct ft_resource *const resources[] = {&ft_wall_s,
							      &ft_cpu_s,
							      &ft_user_s,
							      &ft_system_s,
							      &ft_peak_rss_bytes,
							      &ft_peak_tree_bytes,
							      &ft_minor_faults,
							      &ft_major_faults,
							      &ft_voluntary_switches,
							      &ft_involuntary_switches};
	struct subject s;

	HOSTILE(&s, "exit", "0");
	check_outcome(&s, 0, FT_DONE, "a program that does nothing");
	const struct ft_run *r = last(&s);
	for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
		ok(ft_run_value(r, resources[i]) >= 0, "%s is known: %g", resources[i]->name,
		   ft_run_value(r, resources[i]));
	ok(r->cost_s > 0 && near(r->cost_s, value(&s, &ft_wall_s), 0), "its cost is its wall time");
	ok(isnan(r->work) && !r->routine && !r->detail, "it reported nothing, and has no words");
	ok(r->version && !strcmp(r->version, FT_VERSION) && r->started_ns > INT64_C(1600000000000000000) &&
		   r->load_before >= 0,
	   "version, time of day and load are recorded");
	ok((isnan(ft_run_runnable(r)) || (r->runnable_before >= 0 && r->runnable_after >= 0)) &&
		   r->processors > 0 && !(r->pressure < 0) && !(r->pressure > 1),
	   "who else wants a processor: %g and %g tasks, pressure %g, %d processors", r->runnable_before,
	   r->runnable_after, r->pressure, r->processors);
	ok(isnan(r->cpu_hz) || (r->cpu_hz > 1e8 && r->cpu_hz < 1e11), "frequency: %g", r->cpu_hz);
	ok(r->size.n == 1 && near(r->size.value[0], 1, 0), "the size is recorded");
	unmake(&s);
}

/* Four workers that share 24 MiB and write to 12 of them: with a control group, where this user may make one,
 * and without, as a real program is run. */
static void test_both_ways(void)
{
	struct subject s;
	double bytes[2];

	for (int real = 0; real < 2; real++) {
		HOSTILE(&s, "divide", "4", "24", "12", "2500");
		s.launch.real = s.launch.pass_through = real;
		check_outcome(&s, 0, FT_DONE, real ? "four workers, a real run" : "four workers");
		bytes[real] = value(&s, &ft_peak_tree_bytes);
		ok(bytes[real] >= 70 * MB && bytes[real] < 85 * MB, "24 MiB once, and 12 of each: %g",
		   bytes[real]);
		unmake(&s);
	}
	ok(fabs(bytes[0] - bytes[1]) < 2 * MB, "the same both ways: %g and %g", bytes[0], bytes[1]);
}

/* Ours is large, the child's is not ours. */
static void test_memory(void)
{
	size_t large = 300 * (size_t)MB;
	char *fat = mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct subject s;

	memset(fat, 1, large);
	HOSTILE(&s, "exit", "0");
	check_outcome(&s, 0, FT_DONE, "a small program of a large parent");
	ok(value(&s, &ft_peak_rss_bytes) < 32 * MB && value(&s, &ft_peak_rss_bytes) > 0, "is small: %g",
	   value(&s, &ft_peak_rss_bytes));
	unmake(&s);
	(void)munmap(fat, large);
	HOSTILE(&s, "memory", "64");
	check_outcome(&s, 0, FT_DONE, "64 MiB");
	ok(value(&s, &ft_peak_rss_bytes) >= 64 * MB && value(&s, &ft_peak_rss_bytes) < 80 * MB,
	   "are measured: %g", value(&s, &ft_peak_rss_bytes));
	ok(value(&s, &ft_peak_tree_bytes) >= value(&s, &ft_peak_rss_bytes),
	   "the tree has no less than a process");
	unmake(&s);
	HOSTILE(&s, "tree", "4", "24", "1500");
	check_outcome(&s, 0, FT_DONE, "four processes of 24 MiB");
	ok(value(&s, &ft_peak_rss_bytes) >= 24 * MB && value(&s, &ft_peak_rss_bytes) < 40 * MB, "each: %g",
	   value(&s, &ft_peak_rss_bytes));
	/* Between two readings of what is shared a little is taken for shared. */
	ok(value(&s, &ft_peak_tree_bytes) >= 85 * MB && value(&s, &ft_peak_tree_bytes) < 130 * MB,
	   "together: %g", value(&s, &ft_peak_tree_bytes));
	unmake(&s);
	if (access("/proc/self/smaps_rollup", R_OK)) {
		skip("what is shared", "the kernel has no smaps_rollup");
		return;
	}
	HOSTILE(&s, "inherit", "4", "24", "1500");
	check_outcome(&s, 0, FT_DONE, "four processes that share 24 MiB");
	ok(value(&s, &ft_peak_tree_bytes) >= 24 * MB && value(&s, &ft_peak_tree_bytes) < 40 * MB,
	   "together: %g", value(&s, &ft_peak_tree_bytes));
	unmake(&s);
	test_both_ways();
}

static void test_orphan_figures(void)
{
	struct subject s;

	HOSTILE(&s, "orphan", "0.04", "40");
	check_outcome(&s, 0, FT_DONE, "an orphan that works");
	ok(value(&s, &ft_cpu_s) >= 0.04, "its processor time counts: %g", value(&s, &ft_cpu_s));
	ok(value(&s, &ft_peak_rss_bytes) >= 40 * MB, "and its memory: %g", value(&s, &ft_peak_rss_bytes));
	unmake(&s);
}

/* ---- how programs end -------------------------------------------------------------------------------- */

static void test_endings(void)
{
	struct subject s;
	char text[16];

	HOSTILE(&s, "exit", "3");
	check_outcome(&s, 0, FT_FAILED, "status 3");
	ok(last(&s)->exit_status == 3 && value(&s, &ft_wall_s) > 0, "is kept, with its figures");
	unmake(&s);
	HOSTILE(&s, "exit", "127");
	check_outcome(&s, 0, FT_FAILED, "status 127 of its own");
	unmake(&s);
	HOSTILE(&s, "signal", "11");
	check_outcome(&s, 0, FT_CRASHED, "a crash");
	ok(last(&s)->signal == SIGSEGV, "its signal is kept");
	unmake(&s);
	HOSTILE(&s, "signal", "9");
	check_outcome(&s, 0, FT_CRASHED, "SIGKILL of its own, with memory left");
	unmake(&s);
	(void)snprintf(text, sizeof text, "%d", SIGTERM);
	HOSTILE(&s, "signal", text);
	check_outcome(&s, 5, FT_CRASHED, "SIGTERM of its own");
	unmake(&s);
	HOSTILE(&s, "hang");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "a program that hangs");
	ok(value(&s, &ft_wall_s) >= 0.05, "its time is at least the limit");
	unmake(&s);
	HOSTILE(&s, "stubborn");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "one that ignores every signal");
	unmake(&s);
	HOSTILE(&s, "stop");
	check_outcome(&s, 0, FT_CRASHED, "one that stops itself");
	ok(last(&s)->signal == SIGSTOP && *words(&s), "is not waited for: %s", words(&s));
	unmake(&s);
	HOSTILE(&s, "close", "0");
	check_outcome(&s, 0, FT_DONE, "one that closes every descriptor");
	unmake(&s);
	if (getuid()) {
		skip("another user", "needs root");
		return;
	}
	HOSTILE(&s, "user");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "one that becomes another user");
	unmake(&s);
}

static void test_descendants(void)
{
	struct subject s;

	HOSTILE(&s, "daemon");
	check_outcome(&s, 0, FT_DONE, "one that leaves a daemon");
	unmake(&s);
	HOSTILE(&s, "forks", "500", "0", "0");
	check_outcome(&s, 0, FT_DONE, "one that leaves 500 processes");
	unmake(&s);
	HOSTILE(&s, "forks", "200", "1", "1");
	check_outcome(&s, 0.2, FT_TIMED_OUT, "one that hangs with 200 sessions");
	unmake(&s);
	HOSTILE(&s, "comet", "0");
	check_outcome(&s, 0, FT_DONE, "one that is always another process");
	unmake(&s);
	HOSTILE(&s, "comet", "1");
	check_outcome(&s, 0, FT_DONE, "the same in ever new sessions");
	unmake(&s);
}

static void test_words(void)
{
	struct subject s;

	HOSTILE(&s, "flood", "2", "8", "1");
	check_outcome(&s, 0, FT_FAILED, "8 MiB on standard error");
	const char *detail = words(&s);
	ok(strlen(detail) <= 4096 && strlen(detail) > 12 &&
		   !strcmp(detail + strlen(detail) - 13, "the last word"),
	   "the last words are kept: %.40s", detail);
	unmake(&s);
	HOSTILE(&s, "flood", "2", "8", "0");
	check_outcome(&s, 0, FT_DONE, "8 MiB on standard error, and well");
	ok(!last(&s)->detail, "no words are kept");
	unmake(&s);
	HOSTILE(&s, "flood", "1", "64", "0");
	check_outcome(&s, 0, FT_DONE, "64 MiB on standard output");
	unmake(&s);
	HOSTILE(&s, "binary");
	check_outcome(&s, 0, FT_FAILED, "bytes that are no text");
	ok(!strcmp(words(&s), "a?b?[1m?\xc3\xa4? ???\tend"), "become text: %s", words(&s));
	unmake(&s);
}

static volatile sig_atomic_t flag;

static void raise_flag(int signal)
{
	(void)signal;
	flag = 1;
}

static void test_interrupt(void)
{
	struct itimerval soon = {.it_value = {0, 50000}};
	char number[16];
	struct subject s;

	HOSTILE(&s, "forks", "3", "1", "1");
	(void)signal(SIGALRM, raise_flag);
	ok(!open_subject(&s), "to be interrupted");
	ft_source_interrupt(s.source, &flag);
	(void)setitimer(ITIMER_REAL, &soon, NULL);
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_INTERRUPTED && !count_alive(s.tag),
	   "is, and nothing is left");
	ok(!run(&s, 1, 0) && s.runs.n == 2 && last(&s)->outcome == FT_INTERRUPTED && !last(&s)->n_samples,
	   "while the flag stands nothing runs");
	flag = 0;
	s.argv[2] = (char *)(uintptr_t) "exit";
	s.argv[3] = (char *)(uintptr_t) "0";
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_DONE, "after that the source goes on");
	unmake(&s);
	(void)snprintf(number, sizeof number, "%d", (int)getpid());
	HOSTILE(&s, "terminal", number);
	s.launch.pass_through = true;
	ok(!open_subject(&s), "one that shares our terminal");
	ft_source_interrupt(s.source, &flag);
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_INTERRUPTED, "ends by the user's wish too: %s",
	   ft_outcome_text(last(&s)->outcome));
	flag = 0;
	unmake(&s);
}

static void test_out_of_memory(void)
{
	char group[128], path[192], procs[192];
	struct subject s;

	(void)snprintf(group, sizeof group, "/sys/fs/cgroup/memory/foretime-test-%d", (int)getpid());
	(void)snprintf(path, sizeof path, "%s/memory.limit_in_bytes", group);
	if (mkdir(group, 0755)) {
		(void)snprintf(group, sizeof group, "/sys/fs/cgroup/foretime-test-%d", (int)getpid());
		(void)snprintf(path, sizeof path, "%s/memory.max", group);
		if (mkdir(group, 0755)) {
			skip("killed for memory", "no control group can be made");
			return;
		}
	}
	(void)snprintf(procs, sizeof procs, "%s/cgroup.procs", group);
	if (!temp_write(path, "16777216\n", 0644)) {
		skip("killed for memory", "the control group takes no limit");
	} else {
		/* Nor swap, as the one and the other kind of group call it. */
		(void)snprintf(path, sizeof path, "%s/memory.swap.max", group);
		(void)temp_write(path, "0\n", 0644);
		(void)snprintf(path, sizeof path, "%s/memory.memsw.limit_in_bytes", group);
		(void)temp_write(path, "16777216\n", 0644);
		HOSTILE(&s, "devour", procs);
		check_outcome(&s, 20, FT_OUT_OF_MEMORY, "a program that takes too much memory");
		ok(last(&s)->signal == SIGKILL, "by SIGKILL");
		unmake(&s);
	}
	(void)rmdir(group);
}

static int parent_of(int pid)
{
	char path[64];
	int parent = -1;
	FILE *file;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
			parent = -1;
		(void)fclose(file);
	}
	return parent;
}

/* No memory beyond so much, nor swap, as the one and the other kind of group call it. */
static bool limit(const char *group, const char *bytes)
{
	static const char *const files[] = {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes",
					    "memory.swap.max", "memory.max"};
	char path[PATH_MAX + NAME_MAX + 64];
	bool good = false;

	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", group, files[i]);
		if (!access(path, W_OK))
			good |= temp_write(path, i == 2 ? "0\n" : bytes, 0644);
	}
	return good;
}

static void test_left_running(void)
{
	const struct ft__before before = {.size = {1, {1}}};
	struct ft__answer answer = {.reply = {.flags = FT__NOT_ENDED, .wall_s = 1, .queue = {.runnable = 1}}};
	struct ft__probes none = {0};
	struct ft_runs runs = {0};

	answer.detail = (char[]){""};
	answer.report = -1;
	ok(!ft__record_answer(&before, "p", &answer, &none, &runs, NULL) && runs.n == 1 &&
		   runs.run[0].outcome == FT_DONE && runs.run[0].left_running &&
		   strstr(runs.run[0].detail, "could not be ended"),
	   "a run that left what nobody could end is a run, and says so");
	ft_runs_clear(&runs);
	answer.reply.flags = 0;
	ok(!ft__record_answer(&before, "p", &answer, &none, &runs, NULL) && !runs.run[0].left_running &&
		   !runs.run[0].detail,
	   "no other");
	ft_runs_clear(&runs);
}

/* A debugger holds the program: SIGKILL makes a zombie of it that only the debugger may reap. What the kernel
 * has not added up yet is not 0. */
static void test_not_ended(void)
{
	static const struct ft_resource *const resources[] = {
		&ft_cpu_s,        &ft_user_s,     &ft_system_s,    &ft_peak_rss_bytes,
		&ft_minor_faults, &ft_read_bytes, &ft_input_bytes, &ft_run_delay_s};
	char path[300], text[32] = "";
	struct subject s;
	size_t known = 0, reasons = 0;

	(void)snprintf(path, sizeof path, "/tmp/t-process-%d.pid", (int)getpid());
	make(&s, "hostile", (const char *const[]){"-c", "echo $$ > \"$0\"; exec sleep 100", path, NULL});
	s.argv[0] = (char[]){"/bin/sh"};
	memmove(s.argv + 1, s.argv + 2, 4 * sizeof *s.argv); /* less the tag */
	s.program.argc = 4;
	pid_t tracer = fork();
	if (!tracer) {
		for (;;) {
			int file = open(path, O_RDONLY);
			ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);

			if (file >= 0)
				(void)close(file);
			if (got > 1 && text[got - 1] == '\n')
				break;
			(void)usleep(1000);
		}
		if (ptrace(PTRACE_SEIZE, atoi(text), NULL, NULL))
			_exit(1);
		for (;;)
			(void)pause();
	}
	(void)open_subject(&s);
	(void)run(&s, 1, 0.5);
	if (waitpid(tracer, NULL, WNOHANG)) {
		skip("a program that cannot be ended", "nobody may trace here");
	} else {
		for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
			for (size_t k = 0; k < last(&s)->n_samples; k++)
				if (last(&s)->sample[k].resource == resources[i]) {
					known += last(&s)->sample[k].label != FT_UNAVAILABLE;
					reasons += last(&s)->sample[k].reason &&
						   strstr(last(&s)->sample[k].reason, "could not be ended");
				}
		ok(last(&s)->outcome == FT_TIMED_OUT && last(&s)->left_running && !known && reasons >= 5,
		   "a program that cannot be ended: %zu of its resources are known, %zu say why not", known,
		   reasons);
		(void)kill(tracer, SIGKILL);
		(void)waitpid(tracer, NULL, 0);
	}
	unmake(&s);
	(void)unlink(path);
}

/* The group that our helper made for itself and its programs; false: it made none. */
static bool limit_helper(const char *bytes)
{
	char folder[PATH_MAX], path[PATH_MAX + NAME_MAX + 2];
	struct dirent *entry;
	DIR *around;
	bool good = false;
	int pid;

	if (!ft__cgroups_own("", "memory", folder) || !(around = opendir(folder)))
		return false;
	while ((entry = readdir(around)))
		if (sscanf(entry->d_name, "foretime-%d-runs", &pid) == 1 &&
		    parent_of(parent_of(pid)) == getpid()) {
			(void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			good = limit(path, bytes);
		}
	(void)closedir(around);
	return good;
}

/* A process that the program waits for is killed for memory, and the program ends well, as a pipeline does.
 * Where the machine is busy, the kernel may take the one that waits, too: whom it takes is not ours to say.
 */
static void test_killed_inside(void)
{
	struct subject s;
	bool told = true, well = false;
	int tries;

	HOSTILE(&s, "tree", "1", "200", "0");
	ok(!open_subject(&s) && !run(&s, 1, 20) && last(&s)->outcome == FT_DONE, "with memory it ends well");
	if (!limit_helper("67108864\n")) {
		skip("killed inside of a program", "no control group can be made");
	} else {
		for (tries = 0; told && !well && tries < 10; tries++) {
			told = !run(&s, 1, 20) && last(&s)->outcome == FT_OUT_OF_MEMORY;
			well = strstr(words(&s), "status 0");
		}
		ok(told && well, "without it it does not, whatever it says: %s, %s, the %d. time",
		   ft_outcome_text(last(&s)->outcome), words(&s), tries);
		s.argv[4] = (char *)(uintptr_t) "2";
		ok(!run(&s, 1, 20) && last(&s)->outcome == FT_DONE, "and the next one is judged by itself");
	}
	unmake(&s);
}

int main(void)
{
	test_figures();
	test_memory();
	test_orphan_figures();
	test_endings();
	test_descendants();
	test_words();
	test_interrupt();
	test_out_of_memory();
	test_killed_inside();
	test_left_running();
	test_not_ended();
	return done();
}
