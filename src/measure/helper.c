/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.c - foretime-helper: a small process that starts the programs which foretime measures.
 *
 * It is small because the peak memory that the kernel reports for a child begins with that of the process
 * which executed it. It is the subreaper of all descendants, so none can escape, where the system allows that.
 * It ends with foretime. A second process, its parent, handles programs that end theirs (gauge.h). */
#include "base/clock.h"
#include "measure/gauge.h"
#include "measure/helper.h"
#include "measure/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Inside the helper: finish a run whose watcher was ended.
 */

static const double STUBBORN_S = 3; /* seconds until what SIGKILL has not ended is abandoned */

enum { NOBODY_KNOWS = 125 }; /* the status for a real program whose end is unknown, as in foretime-run(1) */

/* Nobody waits for these: kill all of them, with their descendants. */
_Noreturn static void end_orphans(void)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	double began_s = ft_clock_s();
	struct ft__tree tree;
	bool some;

	(void)ft__tree_open(&tree, "");
	do {
		ft__tree_kill(&tree, 0);
		/* Until there is no child. */
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
			continue;
		some = !pid || errno != ECHILD;
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
	/* Signals that arrived while the helper existed were not for the program; foretime sent us none
	   then. */
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

/* The helper may have been stopped, and must continue. All signals are blocked. No other child is reaped:
 * while a thread of the helper is left, a program that it leaves may have become our child, and have
 * ended, before it. */
_Noreturn static void guard(pid_t helper, bool real, const volatile struct ft__shared *shared)
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
	if (shared->program)
		wait_for(shared->program);
	_exit(NOBODY_KNOWS);
}

/* guard_fork - become two processes; returns in the one that is to watch, also where there cannot be
 * another, or where it would be no subreaper: then nothing that is left would come to it.
 *
 * real  of struct ft_launch
 *
 * Returns what both share. */
static volatile struct ft__shared *guard_fork(bool real)
{
	static struct ft__shared alone;
	volatile struct ft__shared *shared =
		mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t all, was;
	pid_t helper;

	if (shared == MAP_FAILED)
		return &alone;
	/* Before there are two: a busy machine may let the program run, and send signals, before the guard.
	 */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &was);
	if (!prctl(PR_SET_CHILD_SUBREAPER, 1) && (helper = fork()) > 0)
		guard(helper, real, shared);
	(void)sigprocmask(SIG_SETMASK, &was, NULL);
	return shared;
}

/*
 * Foretime-helper: a small process that starts the programs which foretime measures.
 */

/* The terminal's signals, and those that a batch system sends to every process of a job, are foretime's to
 * answer: we must outlive our children, and end when foretime does. So all are blocked, and SIGCHLD is read
 * from a descriptor. What foretime ignores is not ignored by its children. */
static bool block_signals(struct ft__keeper *keeper)
{
	struct sigaction action = {.sa_handler = SIG_DFL}, before;
	sigset_t set;

	(void)sigemptyset(&keeper->ignored);
	for (int i = 1; i <= SIGRTMAX; i++)
		if (!sigaction(i, &action, &before) && before.sa_handler == SIG_IGN)
			(void)sigaddset(&keeper->ignored, i);
	(void)sigfillset(&set);
	(void)sigprocmask(SIG_SETMASK, &set, &keeper->blocked);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	keeper->child_signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return keeper->child_signals >= 0;
}

/* real: a user's own program, which may need the descriptors that we inherited. group: the folder of our
 * control group, if a group of our own is requested; else NULL */
static bool prepare_keeper(struct ft__keeper *keeper, bool real, const char *group)
{
	char number[16];

	if (!real) {
		(void)close_range(STDERR_FILENO + 1, (unsigned)keeper->socket - 1, 0);
		(void)close_range((unsigned)keeper->socket + 1, ~0U, 0);
	}
	/* The standard three may have been closed by our parent: they must not be reused for other files. */
	do {
		keeper->null = open("/dev/null", O_RDWR);
	} while (keeper->null >= 0 && keeper->null <= STDERR_FILENO);
	keeper->report = keeper->socket - 1;
	if (keeper->null < 0 || fcntl(keeper->null, F_SETFD, FD_CLOEXEC) ||
	    fcntl(keeper->socket, F_SETFD, FD_CLOEXEC) || !block_signals(keeper))
		return false;
	/* Refused by Linux before 3.4, and by qemu-user 7.2: what a program leaves behind does not come to us. */
	keeper->reaps = !prctl(PR_SET_CHILD_SUBREAPER, 1);
	keeper->has_tree = ft__tree_open(&keeper->tree, "");
	ft__own_group_open(&keeper->group, group);
	FT__GAUGES(open, keeper);
	ft__watch_settle(keeper);
	(void)snprintf(number, sizeof number, "%d", keeper->report);
	return !setenv("FORETIME_PROBE_FD", number, 1);
}

/* Try the processors on ourselves: what the system grants is what there is. */
static int32_t missing_processor(const cpu_set_t *wanted, size_t bytes)
{
	size_t space = FT__CPUS_MAX / 8;
	cpu_set_t *before = calloc(1, space), *granted = calloc(1, space);
	int32_t missing = -1;

	if (!before || !granted || sched_getaffinity(0, space, before)) {
		missing = 0;
		goto out;
	}
	(void)sched_setaffinity(0, bytes, wanted);
	(void)sched_getaffinity(0, space, granted);
	(void)sched_setaffinity(0, space, before);
	for (int32_t i = 0; i < (int32_t)(8 * bytes) && missing < 0; i++)
		if (CPU_ISSET_S((size_t)i, bytes, wanted) && !CPU_ISSET_S((size_t)i, space, granted))
			missing = i;
out:
	free(before);
	free(granted);
	return missing;
}

static bool count_program(struct ft__keeper *keeper, const char *payload, size_t length)
{
	struct ft__reply reply = {.magic = FT__HELPER_MAGIC};
	struct perf_event_attr attr[FT__COUNTERS_MAX];
	size_t n = length / sizeof *attr;

	if (n > FT__COUNTERS_MAX || n * sizeof *attr != length)
		return false;
	if (length)
		memcpy(attr, payload, length);
	ft__count_choose(&keeper->counters, attr, n, reply.counts);
	return ft__wire_send(keeper->socket, &reply, sizeof reply);
}

static bool has_bytes(int file)
{
	struct stat status;

	return file >= 0 && !fstat(file, &status) && status.st_size > 0;
}

static bool run_job(struct ft__keeper *keeper, const struct ft__job *job)
{
	struct ft__reply reply = {.magic = FT__HELPER_MAGIC};
	struct ft__tail tail;
	int report;

	if (!ft__watch(keeper, job, &reply, &tail, &report))
		return false;
	ft__queue_read("", &reply.queue);
	reply.flags |= has_bytes(report) ? FT__HAS_REPORT : 0U;
	reply.detail_length = (uint32_t)tail.length;
	reply.trace_length = (uint32_t)(keeper->moments.n * sizeof *keeper->moments.moment);
	bool good = ft__wire_send(keeper->socket, &reply, sizeof reply) &&
		    ft__wire_send(keeper->socket, tail.bytes, reply.detail_length) &&
		    ft__wire_send(keeper->socket, keeper->moments.moment, reply.trace_length) &&
		    (!(reply.flags & FT__HAS_REPORT) || ft__wire_send_file(keeper->socket, report));
	if (report >= 0)
		(void)close(report);
	ft__watch_settle(keeper);
	return good;
}

/* The payload of a run: the file, and the arguments that follow it. */
static bool run_request(struct ft__keeper *keeper, const struct ft__request *request, char *payload)
{
	struct ft__job job = {.file = payload,
			      .flags = request->flags,
			      .limit_s = request->limit_s,
			      .sample_s = request->sample_s};
	size_t at = 0, i;

	if (request->words < 2 || request->words > request->length || payload[request->length - 1])
		return false;
	job.argv = calloc(request->words, sizeof *job.argv);
	if (!job.argv)
		return false;
	for (i = 0; i < request->words && at < request->length; i++) {
		if (i)
			job.argv[i - 1] = payload + at;
		at += strlen(payload + at) + 1;
	}
	bool good = i == request->words && at == request->length && run_job(keeper, &job);
	free(job.argv);
	return good;
}

/* One request; false when foretime is gone or makes no sense. */
static bool serve_request(struct ft__keeper *keeper)
{
	struct ft__request request;
	char *payload = NULL;
	bool good = false;

	if (!ft__wire_receive(keeper->socket, &request, sizeof request) ||
	    request.magic != FT__HELPER_MAGIC || request.length > FT__PAYLOAD_MAX)
		return false;
	if (request.length && (!(payload = malloc(request.length)) ||
			       !ft__wire_receive(keeper->socket, payload, request.length))) {
		free(payload);
		return false;
	}
	if (request.kind == FT__CANCEL || request.kind == FT__SIGNAL) {
		good = true; /* it came too late */
	} else if (request.kind == FT__PIN && payload) {
		/* Takes over the payload. */
		struct ft__reply reply = {.magic = FT__HELPER_MAGIC};
		int32_t missing = missing_processor((const cpu_set_t *)(const void *)payload, request.length);

		free(keeper->pin);
		keeper->pin = NULL;
		if (missing >= 0) {
			reply.start_errno = EINVAL;
			reply.wait_status = missing;
			free(payload);
		} else {
			keeper->pin = (void *)payload;
			keeper->pin_bytes = request.length;
		}
		return ft__wire_send(keeper->socket, &reply, sizeof reply);
	} else if (request.kind == FT__COUNT) {
		good = count_program(keeper, payload, request.length);
	} else if (request.kind == FT__RUN && payload) {
		good = run_request(keeper, &request, payload);
	}
	free(payload);
	return good;
}

int main(int argc, char **argv)
{
	struct ft__hello hello = {.magic = FT__HELPER_MAGIC, .protocol = FT__HELPER_PROTOCOL};
	struct ft__keeper keeper = {.socket = argc > 1 ? atoi(argv[1]) : -1};
	bool real = argc > 2 && !strcmp(argv[2], "real");
	struct stat status;

	if (keeper.socket <= STDERR_FILENO + 1 || fstat(keeper.socket, &status) ||
	    !S_ISSOCK(status.st_mode)) {
		static const char words[] = "foretime-helper is started by foretime, not by hand\n";

		(void)!write(2, words, sizeof words - 1);
		return 2;
	}
	keeper.shared = guard_fork(real);
	if (!prepare_keeper(&keeper, real, argc > 2 && *argv[2] == '/' ? argv[2] : NULL))
		return 1;
	hello.reaps = keeper.reaps;
	if (!ft__wire_send(keeper.socket, &hello, sizeof hello))
		return 1;
	while (serve_request(&keeper))
		continue;
	free(keeper.pin);
	ft__own_group_close(&keeper.group);
	ft__tree_close(&keeper.tree);
	ft__delay_clear(&keeper.delay);
	ft__moments_clear(&keeper.moments);
	return 0;
}
