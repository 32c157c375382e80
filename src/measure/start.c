/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - inside the helper: from nothing to a program that runs. */
#include "measure/start.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void become_program(struct ft__start *start)
{
	const struct ft__keeper *keeper = start->keeper;
	const struct ft__job *job = start->job;
	bool pass = job->flags & FT__PASS_THROUGH;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t none;

	if (!pass)
		(void)setpgid(0, 0);
	if (start->report >= 0)
		(void)dup2(start->report, keeper->report);
	if (!pass &&
	    (dup2(keeper->null, 0) < 0 || (!(job->flags & FT__KEEP_OUTPUT) && dup2(keeper->null, 1) < 0) ||
	     dup2(start->errors, 2) < 0))
		goto failed;
	if (keeper->pin && !(job->flags & FT__PLAIN) && sched_setaffinity(0, keeper->pin_bytes, keeper->pin))
		goto failed;
	/* A real program outlives us: the guard waits for it. */
	if (job->flags & FT__REAL) {
		*keeper->program = getpid();
	} else {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != start->helper)
			_exit(127);
	}
	/* The helper leaves every disposition as it is by default, and blocks all signals. */
	(void)sigemptyset(&none);
	for (int i = 1; job->flags & FT__REAL && i <= SIGRTMAX; i++)
		if (sigismember(&keeper->ignored, i) == 1)
			(void)sigaction(i, &ignore, NULL);
	(void)sigprocmask(SIG_SETMASK, job->flags & FT__REAL ? &keeper->blocked : &none, NULL);
	(void)execvp(job->file, job->argv);
failed:
	start->error = errno;
	_exit(127);
}

pid_t ft__start(struct ft__start *start)
{
	start->helper = getpid();
	start->error = 0;
	pid_t pid = vfork();
	if (!pid)
		become_program(start);
	if (pid < 0)
		start->error = errno;
	if (pid > 0 && start->error)
		(void)waitpid(pid, NULL, 0);
	return pid;
}
