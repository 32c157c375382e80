/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c - inside the helper: what becomes of a run whose watcher was ended. */
#include "measure/guard.h"
#include "base/clock.h"
#include "measure/tree.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double STUBBORN_S = 3; /* what SIGKILL has not ended by then is left behind */

enum { NOBODY_KNOWS = 125 }; /* how a real program ended: a status of ours, as foretime-run(1) has it */

/* Returns false when there is no child. */
static bool reap_all(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
		continue;
	return !pid || errno != ECHILD;
}

/* Nobody waits for these: all go, and what they started. */
_Noreturn static void end_orphans(void)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	double began_s = ft_clock_s();
	struct ft__tree tree;
	bool some;

	(void)ft__tree_open(&tree, "");
	do {
		ft__tree_kill(&tree, 0);
		some = reap_all();
		if (some)
			(void)nanosleep(&pause, NULL);
	} while (some && ft_clock_s() < began_s + STUBBORN_S);
	_exit(some ? FT__GUARD_SOME_LEFT : FT__GUARD_NOTHING_LEFT);
}

/* End as the program did. */
_Noreturn static void end_as(int status)
{
	const struct rlimit no_core = {0, 0};
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set;

	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	(void)setrlimit(RLIMIT_CORE, &no_core);
	(void)sigaction(WTERMSIG(status), &action, NULL);
	(void)sigfillset(&set);
	(void)raise(WTERMSIG(status));
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + WTERMSIG(status));
}

/* A real program goes on: it is waited for, and gets the signals that are sent to us. A terminal sends it its
 * own. */
_Noreturn static void wait_for(pid_t program)
{
	const struct timespec now = {0};
	sigset_t set;
	siginfo_t info;
	int status;
	pid_t pid;

	(void)sigfillset(&set);
	(void)sigdelset(&set, SIGCHLD);
	/* What others sent while the helper was there was not the program's; foretime sent us none then. */
	while (sigtimedwait(&set, &info, &now) > 0)
		if (info.si_pid == getppid() && info.si_code <= 0 && info.si_signo != SIGCONT)
			(void)kill(program, info.si_signo);
	(void)sigaddset(&set, SIGCHLD);
	for (;;) {
		while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
			if (pid == program)
				end_as(status);
		if (pid < 0)
			_exit(NOBODY_KNOWS);
		if (sigwaitinfo(&set, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
			(void)kill(program, info.si_signo);
	}
}

/* The helper may be stopped, and must go on. All signals are blocked. Nobody else is waited for: as long as a
 * thread of the helper is left, a program that it leaves may be here, and have ended, before it. */
_Noreturn static void guard(pid_t helper, bool real, const volatile pid_t *program)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	int status = 0;
	pid_t pid;

	(void)sigaction(SIGCHLD, &action, NULL);
	(void)close_range(0, ~0U, 0);
	do {
		pid = waitpid(helper, &status, WUNTRACED | __WALL);
		if (pid > 0 && WIFSTOPPED(status))
			(void)kill(helper, SIGCONT);
	} while ((pid < 0 && errno == EINTR) || (pid > 0 && WIFSTOPPED(status)));
	if (pid < 0 || WIFEXITED(status))
		_exit(0);
	if (!real)
		end_orphans();
	if (*program)
		wait_for(*program);
	_exit(NOBODY_KNOWS);
}

volatile pid_t *ft__guard_fork(bool real)
{
	static pid_t nowhere;
	volatile pid_t *program =
		mmap(NULL, sizeof *program, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t all, was;
	pid_t helper;

	if (program == MAP_FAILED)
		return &nowhere;
	/* Before there are two: a busy machine may let the program run, and send signals, before the guard.
	 */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &was);
	if (!prctl(PR_SET_CHILD_SUBREAPER, 1) && (helper = fork()) > 0)
		guard(helper, real, program);
	(void)sigprocmask(SIG_SETMASK, &was, NULL);
	return program;
}
