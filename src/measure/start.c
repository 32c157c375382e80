/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - inside the helper: from nothing to a program that runs. */
#include "measure/start.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void default_signals(void)
{
	static const int ours[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1,
				   SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGXCPU, SIGXFSZ};
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t none;
	size_t i;

	for (i = 0; i < sizeof ours / sizeof *ours; i++)
		(void)sigaction(ours[i], &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void become_program(struct ft__start *start)
{
	const struct ft__keeper *keeper = start->keeper;
	const struct ft__job *job = start->job;
	bool pass = job->flags & FT__PASS_THROUGH;

	if (!pass)
		(void)setpgid(0, 0);
	if (start->report >= 0)
		(void)dup2(start->report, FT__REPORT_SOCKET);
	if (!pass && (dup2(keeper->null, 0) < 0 || dup2(keeper->null, 1) < 0 || dup2(start->errors, 2) < 0))
		goto failed;
	if (keeper->pin && !(job->flags & FT__PLAIN) && sched_setaffinity(0, keeper->pin_bytes, keeper->pin))
		goto failed;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != start->helper)
		_exit(127);
	default_signals();
	(void)execvp(job->file, job->argv);
failed:
	start->error = errno;
	_exit(127);
}

pid_t ft__start(struct ft__start *start)
{
	pid_t pid;

	start->helper = getpid();
	start->error = 0;
	pid = vfork();
	if (!pid)
		become_program(start);
	if (pid < 0)
		start->error = errno;
	if (pid > 0 && start->error)
		(void)waitpid(pid, NULL, 0);
	return pid;
}
