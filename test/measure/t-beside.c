/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-beside.c - what runs beside us in a job: children of our own, in a session or a job that nobody else is
 * in. */
#include "foretime/measure.h"
#include "measure/measure.h"
#include "tap.h"
#include "temp.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"};

enum { MB = 1 << 20 };

/* Use so much memory, say so, and wait to be ended. */
_Noreturn static void use(size_t bytes, int told)
{
	char *memory = malloc(bytes);

	if (memory)
		memset(memory, 1, bytes);
	(void)!write(told, memory && memory[bytes / 2] ? "x" : "", 1);
	for (;;)
		(void)pause();
}

/* A child that waits to be ended, in a session of its own or in ours, and uses memory; a shell where bytes is
 * 0. It is there once this returns. */
static pid_t start(bool apart, size_t bytes)
{
	int pipes[2];
	char c;

	if (pipe(pipes))
		return -1;
	pid_t pid = fork();
	if (!pid) {
		if (apart)
			(void)setsid();
		if (bytes)
			use(bytes, pipes[1]);
		(void)dup2(pipes[1], STDOUT_FILENO);
		(void)execl("/bin/sh", "sh", "-c", "echo; kill -STOP $$", (char *)NULL);
		_exit(1);
	}
	(void)close(pipes[1]);
	(void)!read(pipes[0], &c, 1);
	(void)close(pipes[0]);
	return pid;
}

static void end(pid_t pid)
{
	if (pid > 0 && !kill(pid, SIGKILL))
		(void)waitpid(pid, NULL, 0);
}

static struct ft_beside_job asked(void)
{
	struct ft_beside_job beside;
	struct ft_err err = {0};

	if (ft_beside_job(&beside, &err))
		diag("%s", err.text);
	return beside;
}

static void test_session(void)
{
	struct ft_beside_job none = asked(), one;

	ok(!none.job && !none.processes && none.bytes == 0, "alone in a session: %zu beside us",
	   none.processes);
	pid_t here = start(false, 8 * MB);
	pid_t apart = start(true, 8 * MB);
	one = asked();
	ok(!one.job && one.processes == 1, "a child in it, not the one apart: %zu", one.processes);
	ok(one.bytes >= 8 * MB && one.bytes < 800 * MB, "with its memory: %g bytes", one.bytes);
	end(apart);
	end(here);
	ok(asked().processes == 0, "and none once it has ended");
}

/* By what a process began with: a value that begins as ours, or stands behind another name, is none. */
static void test_job(const char *name)
{
	char mine[64], longer[80], behind[80];
	pid_t here, others[2];

	(void)snprintf(mine, sizeof mine, "t-beside-%d", (int)getpid());
	(void)snprintf(longer, sizeof longer, "%s0", mine);
	(void)snprintf(behind, sizeof behind, "X%s", name);
	(void)setenv(name, longer, 1);
	others[0] = start(false, 0);
	(void)unsetenv(name);
	(void)setenv(behind, mine, 1);
	others[1] = start(false, 0);
	(void)unsetenv(behind);
	(void)setenv(name, mine, 1);
	here = start(true, 0);
	struct ft_beside_job one = asked();
	ok(one.job && !strcmp(one.job, name) && one.processes == 1,
	   "%s: a child of it in another session: %zu", name, one.processes);
	(void)unsetenv(name);
	end(here);
	end(others[0]);
	end(others[1]);
}

/* A process 7 as the kernel may tell of it; NULL: there is no such file. */
static void check_told(const char *status, const char *smaps, double bytes, const char *what)
{
	char root[256];

	(void)snprintf(root, sizeof root, "%s", temp_path(""));
	(void)mkdir(temp_path("proc"), 0700);
	(void)mkdir(temp_path("proc/7"), 0700);
	(void)unlink(temp_path("proc/7/smaps_rollup"));
	(void)temp_write(temp_path("proc/7/status"), status, 0644);
	if (smaps)
		(void)temp_write(temp_path("proc/7/smaps_rollup"), smaps, 0644);
	double told = ft__beside_bytes(root, "7");
	ok(isnan(bytes) ? isnan(told) : told == bytes, "%s: %g bytes", what, told);
}

static void test_told(void)
{
	check_told("Name:\tsh\nVmHWM:\t    1636 kB\nVmRSS:\t 1600 kB\n", NULL, 1636 * 1024, "a peak");
	check_told("Name:\tsh\nVmHWM:\t       0 kB\n", "Rss:                1640 kB\nPss: 100 kB\n",
		   1640 * 1024, "a peak of 0: what it has now");
	check_told("Name:\tsh\nVmHWM:\t       0 kB\n", NULL, NAN, "a peak of 0, and nothing else: not known");
	check_told("Name:\tsh\nVmHWM:\t       0 kB\n", "Rss:                   0 kB\n", NAN,
		   "0 again: not known");
	check_told("Name:\tsh\nState:\tZ (zombie)\n", NULL, 0, "it has ended");
	temp_remove();
}

/* In a process and a session of its own: whoever runs the tests may be in a job. */
static int test_all(void)
{
	(void)setsid();
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		(void)unsetenv(jobs[i]);
	test_told();
	test_session();
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		test_job(jobs[i]);
	return done();
}

int main(void)
{
	int status = 1;

	(void)fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		status = test_all();
		(void)fflush(stdout);
		_exit(status);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
