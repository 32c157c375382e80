/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.c - foretime-keeper: the process between the manager and one child (keeper.h). */
#include "manager/keeper.h"
#include "base/clock.h"
#include "manager/become.h"
#include "manager/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AGAIN_NS = 5000000 }; /* until SIGKILL is sent once more */

static const int64_t SECOND = 1000000000;
static const double STUBBORN_S = 10; /* what SIGKILL has not ended by then is left behind */

struct keeper {
	struct ft__become become;
	struct ft__hold hold;
	pid_t child;
	int status, child_signals;
	int64_t kill_ns, killing_since_ns; /* 0: never */
	bool ended, alone;                 /* the child is reaped; so is every other */
	bool deserted;                     /* the manager is gone */
	bool weighs, yields;               /* the child's session is weighed; it gets what others leave */
	int64_t weigh_ns;                  /* when that is tried again; 0: never */
};

static void tell_news(const struct keeper *keeper, const struct ft__keeper_news *news)
{
	if (!keeper->deserted)
		(void)send(FT__KEEPER_SOCKET, news, sizeof *news, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void reap(struct keeper *keeper)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		if (pid == keeper->child) {
			keeper->status = status;
			keeper->ended = true;
		}
	keeper->alone = pid < 0 && errno == ECHILD;
}

/* ---- weight -----------------------------------------------------------------------------------------------
 */

/* The system divides processors between sessions (sched(7), autogroup): one with 19 gets what others leave.
 * Anybody may say so of what is his own, some times a second. Only a fool's child has another session. */
enum urgency { YIELDS, WORKS, URGENT };

static void set_urgency(struct keeper *keeper, enum urgency urgency)
{
	static const char *const text[] = {"19", "0", "-20"};
	char path[64];
	int i;

	(void)snprintf(path, sizeof path, "/proc/%d/autogroup", (int)keeper->child);
	int file = keeper->weighs && !keeper->ended ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	if (file < 0)
		return;
	/* The last is root's alone. */
	errno = 0;
	for (i = (int)urgency; i >= 0 && write(file, text[i], strlen(text[i])) < 0 && errno == EPERM;)
		i--;
	keeper->weigh_ns = i >= 0 && errno == EAGAIN ? ft_clock_ns() + AGAIN_NS : 0;
	(void)close(file);
}

/* As the manager wishes; what is to stand soon is in haste. */
static void weigh_again(struct keeper *keeper)
{
	set_urgency(keeper, keeper->hold.look_ns ? URGENT : keeper->yields ? YIELDS : WORKS);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static void kill_all(struct keeper *keeper)
{
	int64_t now = ft_clock_ns();

	keeper->hold.look_ns = 0;
	set_urgency(keeper, URGENT);
	/* To end takes a processor, too; and a frozen group of version 1 keeps SIGKILL waiting. */
	ft__become_last(&keeper->become);
	if (!keeper->killing_since_ns)
		keeper->killing_since_ns = now;
	keeper->kill_ns = now + AGAIN_NS;
	if (!keeper->ended)
		(void)kill(keeper->child, SIGKILL);
	ft__tree_kill(&keeper->hold.tree, keeper->child);
	reap(keeper);
}

static void thaw_all(struct keeper *keeper)
{
	keeper->hold.look_ns = 0;
	weigh_again(keeper);
	ft__hold_end(&keeper->hold);
}

/* It may have to be thawed to hear of it. */
static void end_program(struct keeper *keeper, double seconds)
{
	if (keeper->ended)
		return;
	if (!keeper->killing_since_ns)
		keeper->kill_ns = ft_clock_ns() + (int64_t)(seconds * (double)SECOND) + 1;
	(void)kill(keeper->child, SIGTERM);
	thaw_all(keeper);
}

/* ---- what the manager says ----------------------------------------------------------------------------- */

static void look_at_hold(struct keeper *keeper)
{
	struct ft__keeper_news news = {.kind = FT__KEEPER_STILL};

	if (!ft__hold_look(&keeper->hold))
		return;
	news.at_ns = keeper->hold.still_ns;
	tell_news(keeper, &news);
}

static void obey_order(struct keeper *keeper, const struct ft__keeper_order *order)
{
	switch (order->what) {
	case FT__KEEPER_FREEZE:
		ft__hold_begin(&keeper->hold);
		look_at_hold(keeper);
		weigh_again(keeper);
		break;
	case FT__KEEPER_THAW_ALL:
		thaw_all(keeper);
		break;
	case FT__KEEPER_END:
		end_program(keeper, order->seconds);
		break;
	case FT__KEEPER_KILL:
		kill_all(keeper);
		break;
	case FT__KEEPER_YIELD:
	case FT__KEEPER_WORK:
		keeper->weighs = true;
		keeper->yields = order->what == FT__KEEPER_YIELD;
		weigh_again(keeper);
		break;
	default:
		break;
	}
}

static void hear_orders(struct keeper *keeper)
{
	struct ft__keeper_order order;
	ssize_t length = recv(FT__KEEPER_SOCKET, &order, sizeof order, MSG_DONTWAIT);

	if (length == sizeof order) {
		obey_order(keeper, &order);
	} else if (length >= 0 || (errno != EAGAIN && errno != EINTR)) {
		keeper->deserted = true;
		kill_all(keeper);
	}
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

static int64_t earliest_of(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static void step_keeper(struct keeper *keeper)
{
	struct pollfd event[] = {{.fd = keeper->deserted ? -1 : FT__KEEPER_SOCKET, .events = POLLIN},
				 {.fd = keeper->child_signals, .events = POLLIN}};
	int64_t due = earliest_of(earliest_of(keeper->kill_ns, keeper->weigh_ns), keeper->hold.look_ns), wait;
	struct signalfd_siginfo info;
	struct timespec timeout;

	wait = due - ft_clock_ns();
	wait = wait < 0 ? 0 : wait;
	timeout = (struct timespec){.tv_sec = wait / SECOND, .tv_nsec = wait % SECOND};
	if (ppoll(event, 2, due ? &timeout : NULL, NULL) > 0) {
		if (event[1].revents) {
			(void)!read(keeper->child_signals, &info, sizeof info);
			reap(keeper);
		}
		if (event[0].revents)
			hear_orders(keeper);
	}
	if (keeper->weigh_ns && ft_clock_ns() >= keeper->weigh_ns)
		weigh_again(keeper);
	if (keeper->kill_ns && ft_clock_ns() >= keeper->kill_ns)
		kill_all(keeper);
	if (keeper->hold.look_ns && ft_clock_ns() >= keeper->hold.look_ns)
		look_at_hold(keeper);
}

static bool is_stubborn(const struct keeper *keeper)
{
	return keeper->killing_since_ns &&
	       (double)(ft_clock_ns() - keeper->killing_since_ns) > STUBBORN_S * (double)SECOND;
}

/* Until the child has ended, and nothing is left of it. */
static void keep_child(struct keeper *keeper)
{
	struct ft__keeper_news news = {.kind = FT__KEEPER_ENDED};

	while (!keeper->ended && !is_stubborn(keeper))
		step_keeper(keeper);
	keeper->killing_since_ns = keeper->ended ? 0 : keeper->killing_since_ns;
	reap(keeper);
	if (!keeper->alone)
		kill_all(keeper);
	while (!keeper->alone && !is_stubborn(keeper))
		step_keeper(keeper);
	news.status = keeper->ended ? keeper->status : SIGKILL;
	news.pid = keeper->alone ? 0 : ft__hold_alive(&keeper->hold);
	tell_news(keeper, &news);
}

/* ---- the beginning ------------------------------------------------------------------------------------- */

/* All signals are others': a terminal's are the manager's to answer. */
static bool take_signals(struct keeper *keeper)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set;

	for (int i = 1; i <= SIGRTMAX; i++)
		(void)sigaction(i, &action, NULL);
	(void)sigfillset(&set);
	(void)sigprocmask(SIG_SETMASK, &set, NULL);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	keeper->child_signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return keeper->child_signals >= 0;
}

/* Its standard three are the child's: whoever reads them waits for their end. */
static void leave_standard(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	for (i = 0; i <= STDERR_FILENO; i++)
		if (null < 0 || dup2(null, i) < 0)
			(void)close(i);
}

static int refuse_start(const char *words)
{
	(void)!write(STDERR_FILENO, words, strlen(words));
	return 2;
}

int main(int argc, char **argv)
{
	struct keeper keeper = {.child_signals = -1};
	struct ft__keeper_news news = {.kind = FT__KEEPER_STARTED};
	pid_t self = getpid();
	int session[2];
	char byte;

	(void)close_range(FT__KEEPER_SOCKET + 1, ~0U, 0);
	if (argc < 2 || strcmp(argv[1], FT_VERSION) != 0 || fcntl(FT__KEEPER_SOCKET, F_SETFD, FD_CLOEXEC))
		return refuse_start("foretime-keeper is started by foretime of its version, not by hand\n");
	if (!ft__become_read(&keeper.become, argv + 2))
		return refuse_start("foretime-keeper: wrong arguments\n");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) || !take_signals(&keeper))
		return refuse_start("foretime-keeper: the system lacks what it needs\n");
	ft__hold_open(&keeper.hold);
	if (pipe2(session, O_CLOEXEC) || (keeper.child = fork()) < 0)
		return refuse_start("foretime-keeper: no process can be made\n");
	if (!keeper.child)
		ft__become(&keeper.become, self, session[1]);
	/* What is said of the child's session is not to be said of ours. */
	(void)close(session[1]);
	(void)!read(session[0], &byte, 1);
	(void)close(session[0]);
	leave_standard();
	news.pid = keeper.child;
	tell_news(&keeper, &news);
	keep_child(&keeper);
	return 0;
}
