/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.c - foretime-keeper: the process between the manager and one child (keeper.h). */
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Inside the keeper: turn a copy of it into the child. Control groups are entered with the keeper's rights;
 * files of the child are accessed with the child's.
 */

static bool read_user(struct ft__become *become, char **words)
{
	become->as_user = true;
	become->uid = (uid_t)strtoul(words[0], NULL, 10);
	become->gid = (gid_t)strtoul(words[1], NULL, 10);
	/* "4,24,1000"; "" is none. */
	const char *text = words[2];
	char *end;

	for (become->n_groups = 0; *text; text = *end ? end + 1 : end) {
		if (become->n_groups == FT__BECOME_GROUPS)
			return false;
		become->group[become->n_groups++] = (gid_t)strtoul(text, &end, 10);
		if (end == text || (*end && *end != ','))
			return false;
	}
	return true;
}

static bool read_enter(struct ft__become *become, char **words)
{
	if (become->n_enter == FT__BECOME_ENTER)
		return false;
	become->enter[become->n_enter++] = words[0];
	return true;
}

static bool read_last(struct ft__become *become, char **words)
{
	if (become->n_last == FT__BECOME_LAST)
		return false;
	become->last[become->n_last][0] = words[0];
	become->last[become->n_last++][1] = words[1];
	return true;
}

static bool read_directory(struct ft__become *become, char **words)
{
	become->directory = words[0];
	return true;
}

static bool read_nice(struct ft__become *become, char **words)
{
	(void)words;
	become->nice = true;
	return true;
}

/* become_read - options of keeper.h, "--", and a command. */
static bool become_read(struct ft__become *become, char **argv)
{
	static const struct {
		const char *name;
		int words;
		bool (*read)(struct ft__become *become, char **words);
	} option[] = {{FT__KEEPER_ENTER, 1, read_enter},
		      {FT__KEEPER_LAST, 2, read_last},
		      {FT__KEEPER_DIRECTORY, 1, read_directory},
		      {FT__KEEPER_USER, 3, read_user},
		      {FT__KEEPER_NICE, 0, read_nice}};
	enum { N = sizeof option / sizeof *option };
	size_t i;

	while (*argv && strcmp(*argv, "--") != 0) {
		for (i = 0; i < N && strcmp(*argv, option[i].name) != 0;)
			i++;
		for (int k = 1; i < N && k <= option[i].words; k++)
			if (!argv[k])
				return false;
		if (i == N || !option[i].read(become, argv + 1))
			return false;
		argv += 1 + option[i].words;
	}
	become->argv = *argv ? argv + 1 : argv;
	return *become->argv;
}

/* ---- the child ----------------------------------------------------------------------------------------- */

_Noreturn static void give_up(const char *what, const char *name)
{
	char text[512];
	int length = snprintf(text, sizeof text, "%s '%.300s': %s\n", what, name, strerror(errno));

	(void)!write(STDERR_FILENO, text, length > 0 ? (size_t)length : 0);
	_exit(127);
}

static bool write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
	int why = errno;

	if (file >= 0)
		(void)close(file);
	errno = why;
	return good;
}

_Noreturn void ft__become(const struct ft__become *become, pid_t keeper, int session)
{
	const struct sched_param least = {0};
	sigset_t none;

	(void)setsid(); /* no terminal; and a group of its own, among which the system divides processors */
	(void)close(session);
	if (become->nice && (setpriority(PRIO_PROCESS, 0, 19) || sched_setscheduler(0, SCHED_IDLE, &least)))
		give_up("cannot be", "nice");
	for (int i = 0; i < become->n_enter; i++)
		if (!write_file(become->enter[i], "0"))
			give_up("cannot enter", become->enter[i]);
	/* When memory runs out, benchmarks are killed before programs of users. */
	(void)write_file("/proc/self/oom_score_adj", "1000");
	if (become->as_user) {
		/* Irreversible: nothing that it executes gains rights. */
		uid_t real, effective, saved;

		if (setgroups((size_t)become->n_groups, become->group) ||
		    setresgid(become->gid, become->gid, become->gid) ||
		    setresuid(become->uid, become->uid, become->uid) ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || getresuid(&real, &effective, &saved))
			give_up("cannot become", "the user");
		if (real != become->uid || effective != become->uid || saved != become->uid ||
		    (become->uid && !setuid(0)))
			_exit(126);
	}
	if (become->directory && chdir(become->directory))
		give_up("cannot enter", become->directory);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execvp(*become->argv, become->argv);
	give_up("cannot execute", *become->argv);
}

/*
 * Inside the keeper: stop all descendants by signals, and keep them stopped. A process that got SIGSTOP runs
 * no more user code, but it may be about to fork in the kernel, and then does; once stopped it cannot.
 * Processes may be born while we scan, or move to the keeper when their parent ends. So the pause begins
 * when a whole pass finds only stopped processes, and none was born during it; later passes check again,
 * since anybody may send SIGCONT.
 */

/* How many new process numbers are checked one by one, and how often. */
enum { YOUNG_MOST = 100 };

/* The pause between two passes: none after the first, since a process that sleeps has to wait for a
   processor again. */
static const int64_t REST_NS = 200000, MOVING_REST_NS = 5000000, STILL_REST_NS = 1000000000;

/* How long a fork(2) may wait within the kernel. With four loops of forks running, one of 200 pauses had such a newborn. */
static const int64_t WITHIN_NS = 50000000;

static struct ft__stopped *find_held(const struct ft__hold *hold, pid_t pid)
{
	for (size_t i = 0; i < hold->n; i++)
		if (hold->held[i].pid == pid)
			return &hold->held[i];
	return NULL;
}

/* A process whose first thread has ended has the state of a zombie, while its other threads run. Returns
 * whether it has a thread; stand: whether all of them are stopped. */
static bool has_threads(const struct ft__hold *hold, pid_t pid, bool *stand)
{
	char name[64], text[512], *rest;
	DIR *folder;
	struct dirent *entry;
	bool some = false;

	*stand = true;
	(void)snprintf(name, sizeof name, "/proc/%d/task", (int)pid);
	folder = opendir(name);
	while (folder && (entry = readdir(folder))) {
		(void)snprintf(name, sizeof name, "%d/task/%.20s/stat", (int)pid, entry->d_name);
		if (*entry->d_name == '.' || !ft__tree_read(hold->tree.proc, name, text, sizeof text) ||
		    !(rest = strrchr(text, ')')) || strlen(rest) < 3 || strchr("ZX", rest[2]))
			continue;
		some = true;
		*stand = *stand && strchr("TtD", rest[2]);
	}
	if (folder)
		(void)closedir(folder);
	return some;
}

/* Whether it runs no more user code. A process that waits inside the kernel stops when it leaves it; but one that waits
 * within fork(2) first ends that, and its child runs. Such waits are brief: the parent of vfork(2) waits for long. */
static bool stands_still(const struct ft__hold *hold, const struct ft__tree_process *process)
{
	const struct ft__stopped *held;
	bool stand = true;

	switch (process->state) {
	case 'T':
	case 't':
	case 'X':
		return true;
	case 'D':
		held = find_held(hold, process->pid);
		return held && ft_clock_ns() - held->since_ns >= WITHIN_NS;
	case 'Z':
		return !has_threads(hold, process->pid, &stand) || stand;
	default:
		return false;
	}
}

static void stop_process(struct ft__hold *hold, const struct ft__tree_process *process)
{
	struct ft__stopped *held = find_held(hold, process->pid);

	if (kill(process->pid, SIGSTOP))
		return;
	if (!held) {
		struct ft__stopped *grown = ft_grow(hold->held, hold->n, &hold->capacity, sizeof *grown);

		if (!grown)
			return;
		hold->held = grown;
		held = &hold->held[hold->n++];
		*held = (struct ft__stopped){.pid = process->pid};
	}
	if (process->state != 'D' || !held->since_ns)
		held->since_ns = ft_clock_ns();
}

/* Returns whether somebody was found that does not stand. In haste only those are looked at that are younger
 * than we, as our descendants are until numbers begin again. */
static bool stop_those_found(struct ft__hold *hold, bool hasty)
{
	struct ft__tree *tree = &hold->tree;
	bool some = false;

	ft__tree_scan(tree, hasty ? tree->self : 0);
	for (size_t i = 0; i < tree->n_found; i++) {
		const struct ft__tree_process *process = &tree->found[i];

		if (process->mark != FT__TREE_OURS || stands_still(hold, process))
			continue;
		stop_process(hold, process);
		some = true;
	}
	return some;
}

/* How a process is marked by its parent, as the last scan has that one. */
static enum ft__tree_mark mark_of(const struct ft__tree *tree, const struct ft__tree_process *process)
{
	size_t at = ft__pid_place(process->parent, tree->found, tree->n_found, sizeof *tree->found);

	if (process->parent == tree->self)
		return FT__TREE_OURS;
	return at < tree->n_found && tree->found[at].pid == process->parent ? tree->found[at].mark
									    : FT__TREE_UNKNOWN;
}

/* Stop those born after a number, the youngest first: a program that hops from process to process lives in
 * the youngest. known: whether each one's ancestry is known. */
static bool stop_youngest(struct ft__hold *hold, pid_t since, pid_t last, bool *known)
{
	struct ft__tree_process process;

	*known = true;
	for (; last > since; last--) {
		if (!ft__tree_one(&hold->tree, last, &process))
			continue;
		enum ft__tree_mark whose = mark_of(&hold->tree, &process);
		*known = *known && whose;
		if (whose != FT__TREE_OURS || stands_still(hold, &process))
			continue;
		stop_process(hold, &process);
		return true;
	}
	return false;
}

/* Whether a process was born meanwhile that may still run: a program that keeps forking is gone before a
 * pass, which reads many processes, gets to it. since: the last number before the pass. */
static bool young_move(struct ft__hold *hold, pid_t since)
{
	bool known = true;

	for (int rounds = 0; rounds < YOUNG_MOST; rounds++) {
		pid_t last = ft__tree_last(&hold->tree);

		if (last == since && known)
			return false;
		if (last < since || last - since > YOUNG_MOST || stop_youngest(hold, since, last, &known))
			return true;
		since = known ? last : since;
	}
	return true;
}

/* Whether any descendant runs. */
static bool anybody_moves(struct ft__hold *hold)
{
	if (!hold->still_ns && stop_those_found(hold, true))
		return true;
	pid_t since = ft__tree_last(&hold->tree);
	return stop_those_found(hold, false) || young_move(hold, since);
}

/* Whether a number is still that of a descendant of ours, by the scan just made. */
static bool is_ours(const struct ft__tree *tree, pid_t pid)
{
	size_t at = ft__pid_place(pid, tree->found, tree->n_found, sizeof *tree->found);

	return at < tree->n_found && tree->found[at].pid == pid && tree->found[at].mark == FT__TREE_OURS;
}

/* The last one stopped is continued first, so that a process that waits for its children finds them
   running. */
/* hold_end - those that we stopped go on; those that stood before still stand. */
static bool is_alive(const struct ft__hold *hold, const struct ft__tree_process *process)
{
	bool stand;

	return process->state != 'X' && (process->state != 'Z' || has_threads(hold, process->pid, &stand));
}

/* hold_alive - a descendant that lives, 0: none does. */
static pid_t hold_alive(struct ft__hold *hold)
{
	const struct ft__tree *tree = &hold->tree;

	ft__tree_scan(&hold->tree, 0);
	for (size_t i = 0; i < tree->n_found; i++)
		if (tree->found[i].mark == FT__TREE_OURS && is_alive(hold, &tree->found[i]))
			return tree->found[i].pid;
	return 0;
}

/*
 * Foretime-keeper: the process between the manager and one child (keeper.h).
 */

enum { AGAIN_NS = 5000000 }; /* until SIGKILL is sent once more */

static const int64_t SECOND = 1000000000;
static const double STUBBORN_S = 10; /* seconds until what SIGKILL has not ended is abandoned */

struct keeper {
	struct ft__become become;
	struct ft__hold hold;
	pid_t child;
	int status, child_signals;
	int64_t kill_ns, killing_since_ns; /* 0: never */
	bool ended, alone;                 /* the child is reaped; so is every other */
	bool deserted;                     /* the manager is gone */
	bool weighs, yields; /* the child's session is weighed; it gets only idle processor time */
	int64_t weigh_ns;    /* when that is tried again; 0: never */
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

/* The system divides processors between sessions (sched(7), autogroup): one with nice 19 gets only idle
 * time. A user may set this for own sessions, some times a second. A child normally keeps its session. */
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

/* As the manager ordered; a child that is to be stopped soon gets a high weight. */
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
	for (int i = 0; i < keeper->become.n_last; i++)
		(void)write_file(keeper->become.last[i][0], keeper->become.last[i][1]);
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
	ft__tree_scan(&keeper->hold.tree, 0);
	while (keeper->hold.n) {
		pid_t pid = keeper->hold.held[--keeper->hold.n].pid;

		if (is_ours(&keeper->hold.tree, pid))
			(void)kill(pid, SIGCONT);
	}
	keeper->hold.still_ns = keeper->hold.look_ns = 0;
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

/* ---- orders of the manager ----------------------------------------------------------------------------- */

static void look_at_hold(struct keeper *keeper)
{
	struct ft__keeper_news news = {.kind = FT__KEEPER_STILL};

	/* A pass over all descendants; it may be the one with which the pause begins. */
	bool moves = anybody_moves(&keeper->hold), begins = !moves && !keeper->hold.still_ns;
	int64_t now = ft_clock_ns(), most = moves ? MOVING_REST_NS : STILL_REST_NS;

	if (moves && keeper->hold.still_ns)
		keeper->hold.rest_ns = 0;
	if (!keeper->hold.still_ns && begins)
		keeper->hold.still_ns = now;
	keeper->hold.rest_ns = keeper->hold.rest_ns > most ? most : keeper->hold.rest_ns;
	keeper->hold.look_ns = now + keeper->hold.rest_ns;
	keeper->hold.rest_ns = keeper->hold.rest_ns ? 2 * keeper->hold.rest_ns : REST_NS;
	if (!begins)
		return;
	news.at_ns = keeper->hold.still_ns;
	tell_news(keeper, &news);
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
		if (event[0].revents) {
			struct ft__keeper_order order;
			ssize_t length = recv(FT__KEEPER_SOCKET, &order, sizeof order, MSG_DONTWAIT);

			if (length == sizeof order) {
				switch (order.what) {
				case FT__KEEPER_FREEZE:
					/* From now on all are stopped, again and again, until hold_end. */
					keeper->hold.still_ns = keeper->hold.rest_ns = 0;
					keeper->hold.look_ns = ft_clock_ns();
					look_at_hold(keeper);
					weigh_again(keeper);
					break;
				case FT__KEEPER_THAW_ALL:
					thaw_all(keeper);
					break;
				case FT__KEEPER_END:
					end_program(keeper, order.seconds);
					break;
				case FT__KEEPER_KILL:
					kill_all(keeper);
					break;
				case FT__KEEPER_YIELD:
				case FT__KEEPER_WORK:
					keeper->weighs = true;
					keeper->yields = order.what == FT__KEEPER_YIELD;
					weigh_again(keeper);
					break;
				default:
					break;
				}
			} else if (length >= 0 || (errno != EAGAIN && errno != EINTR)) {
				keeper->deserted = true;
				kill_all(keeper);
			}
		}
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

/* ---- the beginning ------------------------------------------------------------------------------------- */

/* Block all signals: those of a terminal are handled by the manager. */
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
	if (!become_read(&keeper.become, argv + 2))
		return refuse_start("foretime-keeper: wrong arguments\n");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) || !take_signals(&keeper))
		return refuse_start("foretime-keeper: the system lacks what it needs\n");
	(void)ft__tree_open(&keeper.hold.tree, "");
	if (pipe2(session, O_CLOEXEC) || (keeper.child = fork()) < 0)
		return refuse_start("foretime-keeper: no process can be made\n");
	if (!keeper.child)
		ft__become(&keeper.become, self, session[1]);
	/* The weight of the child's session must not be set on ours. */
	(void)close(session[1]);
	(void)!read(session[0], &byte, 1);
	(void)close(session[0]);
	/* Close the standard descriptors, which are the child's: readers wait for the last copy to close. */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	for (i = 0; i <= STDERR_FILENO; i++)
		if (null < 0 || dup2(null, i) < 0)
			(void)close(i);
	news.pid = keeper.child;
	tell_news(&keeper, &news);
	/* Until the child has ended, and nothing is left of it. */
	struct ft__keeper_news last = {.kind = FT__KEEPER_ENDED};

	while (!keeper.ended && !is_stubborn(&keeper))
		step_keeper(&keeper);
	keeper.killing_since_ns = keeper.ended ? 0 : keeper.killing_since_ns;
	reap(&keeper);
	if (!keeper.alone)
		kill_all(&keeper);
	while (!keeper.alone && !is_stubborn(&keeper))
		step_keeper(&keeper);
	last.status = keeper.ended ? keeper.status : SIGKILL;
	last.pid = keeper.alone ? 0 : hold_alive(&keeper.hold);
	tell_news(&keeper, &last);
	return 0;
}
