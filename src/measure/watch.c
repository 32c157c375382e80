/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c - inside the helper: one child, from its start until the last of its descendants is gone. */
#include "base/clock.h"
#include "measure/gauge.h"
#include "measure/helper.h"
#include "measure/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
 * Inside the helper: start a program.
 */

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
		keeper->shared->program = getpid();
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
	keeper->shared->start_errno = errno;
	_exit(127);
}

pid_t ft__start(struct ft__start *start)
{
	volatile struct ft__shared *shared = start->keeper->shared;

	start->helper = getpid();
	shared->start_errno = 0;
	pid_t pid = vfork();
	if (!pid)
		become_program(start);
	if (pid < 0)
		shared->start_errno = errno;
	if (pid > 0 && shared->start_errno)
		(void)waitpid(pid, NULL, 0);
	return pid;
}

static const int64_t SECOND = 1000000000;
static const double FOREVER_S = 1e9;

enum {
	FIRST_SAMPLE_NS = 1000000,
	LONGEST_SAMPLE_NS = 100000000,
	SAMPLE_PRICE = 200,        /* least interval in durations of a look: 0.5 % of a processor */
	TRACE_PRICE = 50,          /* ... for a requested trace: 2 % */
	SAMPLE_PRICE_SHARED = 400, /* the same, where FT__RESIDENT_PRICE takes 0.25 % of that */
	TRACE_PRICE_SHARED = 58,
	KILL_AGAIN_NS = 5000000,
	STOPPED_S = 1,       /* how long a child that stopped itself is waited for */
	LATE_NS = 500000000, /* waking this late means that we were stopped, too */
	STUBBORN_S = 3,      /* seconds until what SIGKILL has not ended is abandoned */
	LEFTOVER_READS = 64, /* of standard error, after the end of everything */
	LEFT_LOOKS = 20,     /* for processes that may just be ending, where none is reaped */
};

struct watch {
	struct ft__keeper *keeper;
	const struct ft__job *job;
	struct ft__reply *reply;
	struct ft__tail *tail;
	pid_t pid;
	int errors; /* read end of its standard error; -1: none */
	int64_t started, limit_at, sample_at, kill_at, stopped_at; /* 0: never */
	int64_t killing_since;
	uint64_t late_from_ns, late_to_ns; /* our own wait for a processor when we woke, and before that */
	bool armed;                        /* the gauges are armed: not for FT__PLAIN */
	bool ended, alone;                 /* the child is reaped; so is every other */
	bool killed;                       /* another process sent one of them SIGKILL */
	uint64_t own_kills;                /* for memory, of the control group, at the start */
	bool foretime_gone;
	double processors; /* of the machine */
};

static uint64_t read_oom_kills(void)
{
	static const char key[] = "\noom_kill ";
	char text[16384];
	int file = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got;

	if (file < 0)
		return 0;
	while ((got = read(file, text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)got;
	(void)close(file);
	text[length] = '\0';
	const char *found = strstr(text, key);
	return found ? strtoull(found + sizeof key - 1, NULL, 10) : 0;
}

void ft__watch_settle(struct ft__keeper *keeper)
{
	keeper->oom_kills = read_oom_kills();
	FT__GAUGES(settle, keeper);
}

/* Returns false when it was not executed; the reason is in the reply. */
static bool start_job(struct watch *w, int *report)
{
	struct ft__start start = {.keeper = w->keeper, .job = w->job, .errors = -1, .report = -1};
	int ends[2] = {-1, -1};

	if (!(w->job->flags & FT__PLAIN)) {
		int file = memfd_create("foretime-report", MFD_CLOEXEC);

		if (file >= 0)
			(void)fcntl(file, F_SETFL, O_APPEND);
		start.report = *report = w->keeper->reporting = file;
	}
	if (!(w->job->flags & FT__PASS_THROUGH) && pipe2(ends, O_CLOEXEC)) {
		w->reply->start_errno = errno;
		return false;
	}
	w->errors = ends[0];
	if (w->errors >= 0)
		(void)fcntl(w->errors, F_SETFL, O_NONBLOCK);
	start.errors = ends[1];
	w->armed = !(w->job->flags & FT__PLAIN);
	if (w->armed)
		FT__GAUGES(arm, w->keeper, w->job);
	w->late_to_ns = ft__delay_own(w->keeper->schedstat);
	w->started = ft_clock_ns();
	w->pid = ft__start(&start);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	w->reply->start_errno = w->keeper->shared->start_errno;
	if (w->reply->start_errno)
		w->keeper->shared->program = 0;
	return !w->reply->start_errno;
}

/* ---- while it runs ----------------------------------------------------------------------------------- */

static void add_tail(struct ft__tail *tail, const char *bytes, size_t length)
{
	if (length >= sizeof tail->bytes) {
		tail->cut |= length > sizeof tail->bytes || tail->length;
		memcpy(tail->bytes, bytes + length - sizeof tail->bytes, sizeof tail->bytes);
		tail->length = sizeof tail->bytes;
		return;
	}
	size_t keep = sizeof tail->bytes - length < tail->length ? sizeof tail->bytes - length : tail->length;
	tail->cut |= keep < tail->length;
	memmove(tail->bytes, tail->bytes + tail->length - keep, keep);
	memcpy(tail->bytes + keep, bytes, length);
	tail->length = keep + length;
}

/* One reading of standard error; false when there is nothing (more) now. */
static bool read_errors(struct watch *w)
{
	static char buffer[65536]; /* the capacity of a pipe; a stack may be smaller than that */

	if (w->errors < 0)
		return false;
	ssize_t length = read(w->errors, buffer, sizeof buffer);
	if (length > 0) {
		add_tail(w->tail, buffer, (size_t)length);
		return true;
	}
	if (!length || (errno != EAGAIN && errno != EINTR)) {
		(void)close(w->errors);
		w->errors = -1;
	}
	return false;
}

/* A shell returns 128 + 9 when SIGKILL ended its command. */
static bool died_by_kill(int status)
{
	return (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	       (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL);
}

/* The next child of ours that changed state, without reaping it: /proc describes an ended child until
 * then. 0: none has; < 0: there is no child. */
static pid_t next_child(struct watch *w)
{
	siginfo_t told = {0};

	if (waitid(P_ALL, 0, &told, WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED | __WALL))
		return errno == ECHILD ? -1 : 0;
	bool ends = told.si_pid && told.si_code != CLD_STOPPED && told.si_code != CLD_CONTINUED;

	/* What it leaves behind does not come to us, but is in its group, whose number is its own until it is
	   reaped. */
	if (ends && told.si_pid == w->pid && !w->keeper->reaps && !(w->job->flags & FT__PASS_THROUGH))
		(void)kill(-w->pid, SIGKILL);
	if (ends && w->armed)
		FT__GAUGES(end, w->keeper, told.si_pid);
	return told.si_pid;
}

/* Take in all that has ended: the child, and orphans of its making. */
static void reap_ended(struct watch *w)
{
	for (;;) {
		struct rusage usage;
		int64_t now = ft_clock_ns(); /* the program has ended by now: reaping it is our time */
		pid_t next = next_child(w), pid;
		int status;

		w->alone = next < 0;
		pid = next > 0 ? wait4(next, &status, WNOHANG | WUNTRACED | WCONTINUED | __WALL, &usage) : 0;
		if (pid <= 0)
			return;
		if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
			if (pid == w->pid)
				w->stopped_at = WIFSTOPPED(status) ? now : 0;
			continue;
		}
		struct ft__reply *reply = w->reply;
		uint64_t rss = (uint64_t)usage.ru_maxrss * 1024;

		reply->user_s += (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
		reply->system_s += (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
		reply->minor_faults += (uint64_t)usage.ru_minflt;
		reply->major_faults += (uint64_t)usage.ru_majflt;
		reply->voluntary_switches += (uint64_t)usage.ru_nvcsw;
		reply->involuntary_switches += (uint64_t)usage.ru_nivcsw;
		if (rss > reply->peak_rss_bytes)
			reply->peak_rss_bytes = rss;
		if (pid == w->pid) {
			/* From its start to its end. We wake after its end, and then wait for a processor: that wait is
			 * subtracted, from the last time that we woke before. The result is at least what its first task computed
			 * and waited, and what all processors need for the computation so far. */
			int64_t wall = now - w->started, late = (int64_t)(w->late_to_ns - w->late_from_ns),
				least = w->armed ? (int64_t)w->keeper->delay.last_ns
						 : 0, /* else that of the run before */
				busy = (int64_t)((w->reply->user_s + w->reply->system_s) / w->processors *
						 (double)SECOND);

			least = least && least < busy ? busy : least;
			if (least && late > 0 && wall > least)
				wall -= late < wall - least ? late : wall - least;
			w->reply->wall_s = (double)wall / (double)SECOND;
			w->reply->wait_status = status;
			w->reply->start_errno = w->keeper->shared->start_errno;
			w->ended = true;
			w->keeper->shared->program = 0;
		}
		w->killed |= !w->killing_since && died_by_kill(status);
	}
}

static void kill_tree(struct watch *w, unsigned why)
{
	int64_t now = ft_clock_ns();

	if (!w->killing_since) {
		w->killing_since = now;
		w->reply->flags |= why;
	}
	w->kill_at = now + KILL_AGAIN_NS;
	/* Before the program: with it, nothing would lead to what it started. */
	if (!w->keeper->reaps)
		ft__tree_kill(&w->keeper->tree, w->pid);
	if (!w->ended) {
		if (!(w->job->flags & FT__PASS_THROUGH))
			(void)kill(-w->pid, SIGKILL);
		(void)kill(w->pid, SIGKILL);
	}
	ft__tree_kill(&w->keeper->tree, w->pid);
}

/* Shared memory only matters with several processes. */
static int64_t look_price(bool trace, bool several)
{
	if (trace)
		return several ? TRACE_PRICE_SHARED : TRACE_PRICE;
	return several ? SAMPLE_PRICE_SHARED : SAMPLE_PRICE;
}

/* A message of foretime during its run; its end of file counts as one, too. */
static void hear_message(struct watch *w)
{
	struct ft__request request;
	ssize_t length = recv(w->keeper->socket, &request, sizeof request, MSG_WAITALL);

	if (length < 0 && errno == EINTR)
		return;
	if (length == sizeof request && request.magic == FT__HELPER_MAGIC && request.kind == FT__SIGNAL) {
		if (!w->ended)
			(void)kill(w->pid, (int)request.words);
		return;
	}
	if (length != sizeof request || request.magic != FT__HELPER_MAGIC || request.kind != FT__CANCEL)
		w->foretime_gone = true;
	kill_tree(w, FT__ENDED_BY_CANCEL);
}

static int64_t earliest_of(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

/* Wait until something happens or is due, and see to it. */
static void step_watch(struct watch *w)
{
	struct pollfd events[] = {{.fd = w->keeper->child_signals, .events = POLLIN},
				  {.fd = w->foretime_gone ? -1 : w->keeper->socket, .events = POLLIN},
				  {.fd = w->errors, .events = POLLIN}};
	int64_t due = earliest_of(w->kill_at, w->killing_since ? 0 : earliest_of(w->limit_at, w->sample_at)),
		wait;
	struct timespec timeout;
	struct signalfd_siginfo info;

	if (w->stopped_at && !w->killing_since)
		due = earliest_of(due, w->stopped_at + STOPPED_S * SECOND);
	wait = due - ft_clock_ns();
	wait = wait < 0 ? 0 : wait;
	timeout = (struct timespec){.tv_sec = wait / SECOND, .tv_nsec = wait % SECOND};
	w->late_from_ns = w->late_to_ns;
	int ready = ppoll(events, 3, due ? &timeout : NULL, NULL);
	w->late_to_ns = ft__delay_own(w->keeper->schedstat);
	if (ready > 0) {
		if (events[0].revents) {
			(void)!read(w->keeper->child_signals, &info, sizeof info);
			reap_ended(w);
		}
		if (events[1].revents)
			hear_message(w);
		if (events[2].revents)
			(void)read_errors(w);
	}
	/* Actions that are due by the clock. */
	bool pass = w->job->flags & FT__PASS_THROUGH;
	int64_t now = ft_clock_ns();

	if (w->limit_at && now >= w->limit_at && !w->killing_since)
		kill_tree(w, FT__ENDED_AT_LIMIT);
	if (w->stopped_at && !pass && now >= w->stopped_at + STOPPED_S * SECOND && !w->killing_since) {
		/* A stopped child. If we were stopped, too, somebody stopped both, and continues both. */
		if (now >= w->stopped_at + STOPPED_S * SECOND + LATE_NS)
			w->stopped_at = now;
		else
			kill_tree(w, FT__ENDED_AS_STOPPED);
	}
	if (w->killing_since && now >= w->kill_at)
		kill_tree(w, 0);
	if (w->sample_at && now >= w->sample_at && !w->ended && !w->killing_since) {
		bool trace = w->job->flags & FT__TRACE;
		/* Its price is processor time: on a busy machine a look may be interrupted for long. */
		int64_t began = ft_clock_ns(), paid = ft_clock_spent_ns(), interval, price;
		struct ft__look look = {.job = w->job,
					.reply = w->reply,
					.program = w->pid,
					.now_ns = began,
					.since_ns = began - w->started,
					.rss_bytes = ft__tree_bytes(&w->keeper->tree)};

		FT__GAUGES(look, w->keeper, &look);
		interval = trace ? 0 : (began - w->started) / 100;
		if (interval > LONGEST_SAMPLE_NS)
			interval = LONGEST_SAMPLE_NS;
		if ((double)interval < w->job->sample_s * (double)SECOND)
			interval = (int64_t)(w->job->sample_s * (double)SECOND);
		if (trace)
			interval = (int64_t)((double)interval * w->keeper->moments.sparser);
		price = look_price(trace, w->keeper->tree.living > 1) *
			(ft_clock_spent_ns() - paid - look.bounded_ns);
		if (interval < price)
			interval = price;
		w->sample_at = began + interval;
	}
}

static bool is_stubborn(const struct watch *w)
{
	return w->killing_since && ft_clock_ns() > w->killing_since + STUBBORN_S * SECOND;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Whether any process lives on that was seen, or was started by such a one; those that never were, are missed. */
static bool is_any_left(struct watch *w)
{
	const struct timespec pause = {.tv_nsec = KILL_AGAIN_NS};

	for (int i = 0; i < LEFT_LOOKS; i++) {
		(void)ft__tree_bytes(&w->keeper->tree);
		if (!w->keeper->tree.living)
			return false;
		(void)nanosleep(&pause, NULL);
	}
	return true;
}

static void settle_reply(struct watch *w)
{
	struct ft__reply *reply = w->reply;

	for (int i = 0; i < LEFTOVER_READS && read_errors(w); i++)
		continue;
	if (w->errors >= 0)
		(void)close(w->errors);
	if (w->killed && read_oom_kills() > w->keeper->oom_kills)
		reply->flags |= FT__KILLED_FOR_MEMORY;
	if (ft__own_group_kills(&w->keeper->group) > w->own_kills)
		reply->flags |= FT__MEMORY_KILLS;
	if (!w->ended)
		reply->wall_s = (double)(ft_clock_ns() - w->started) / (double)SECOND;
	/* Left processes compute until we have ended them, after the run: that is no time of the run. */
	double most_s = w->processors * reply->wall_s;
	if (reply->user_s + reply->system_s > most_s) {
		reply->user_s *= most_s / (reply->user_s + reply->system_s);
		reply->system_s = most_s - reply->user_s;
	}
	if (!w->keeper->reaps)
		reply->flags |= FT__NO_REAPER;
	if (!w->alone)
		reply->flags |= FT__NOT_ENDED;
	if (w->tail->cut)
		reply->flags |= FT__DETAIL_CUT;
	if (w->armed)
		FT__GAUGES(read, w->keeper, reply);
}

bool ft__watch(struct ft__keeper *keeper, const struct ft__job *job, struct ft__reply *reply,
	       struct ft__tail *tail, int *report)
{
	struct watch w = {.keeper = keeper,
			  .job = job,
			  .reply = reply,
			  .tail = tail,
			  .errors = -1,
			  .processors = (double)sysconf(_SC_NPROCESSORS_ONLN)};

	*report = -1;
	tail->length = 0;
	tail->cut = false;
	while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
		continue; /* left by an earlier run, and ended since */
	w.own_kills = ft__own_group_kills(&keeper->group);
	if (!start_job(&w, report)) {
		if (w.errors >= 0)
			(void)close(w.errors);
		if (w.armed)
			FT__GAUGES(read, keeper, reply);
		return true;
	}
	ft__tree_begin(&keeper->tree, w.pid);
	if (w.armed)
		FT__GAUGES(begin, keeper, job, w.pid);
	if (job->limit_s > 0 && job->limit_s < FOREVER_S)
		w.limit_at = w.started + (int64_t)(job->limit_s * (double)SECOND);
	if (w.armed && keeper->has_tree)
		w.sample_at = w.started + FIRST_SAMPLE_NS;
	while (!w.ended && !is_stubborn(&w))
		step_watch(&w);
	if (job->flags & FT__REAL && !w.killing_since)
		w.alone = true; /* and what it left behind goes on */
	/* From here it is not the child but what it left behind that is ended, which takes its own time. */
	w.killing_since = w.killing_since && !w.ended ? w.killing_since : 0;
	if (!w.alone)
		kill_tree(&w, 0);
	while (!w.alone && !is_stubborn(&w))
		step_watch(&w);
	if (!keeper->reaps && !(job->flags & FT__REAL))
		w.alone = w.alone && !is_any_left(&w);
	settle_reply(&w);
	return !w.foretime_gone;
}
