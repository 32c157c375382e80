/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_system.c - micro-benchmarks of the operating system: calls, messages, processes. */
#include "measure/calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A call that does next to nothing; the C library remembers nothing of it. */
static uint64_t call_kernel(struct ft__workplace *place, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		place->sink += (uint64_t)syscall(SYS_getppid);
	return i ? i : 1;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* A child that was killed is an error of the write, and no end of ours. */
static void shield(struct ft__workplace *place)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPIPE);
	(void)pthread_sigmask(SIG_BLOCK, &set, &place->mask);
}

static void unshield(const struct ft__workplace *place)
{
	const struct timespec now = {0};
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPIPE);
	if (place->error == EPIPE)
		(void)sigtimedwait(&set, NULL, &now); /* the signal of that write */
	(void)pthread_sigmask(SIG_SETMASK, &place->mask, NULL);
}

/* The child: each byte that comes is sent back. Ends with the other end of the pipe. */
static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
	_exit(0);
}

static void no_child(struct ft_err *err)
{
	(void)ft_fail_errno(err, errno, "no pipe or process to talk to");
}

static enum ft_status prepare_talk(const struct ft_micro *micro, struct ft__workplace *place,
				   struct ft_err *err)
{
	int there[2], back[2];

	(void)micro;
	if (pipe2(there, O_CLOEXEC)) {
		no_child(err);
		return FT_EUNAVAIL;
	}
	if (pipe2(back, O_CLOEXEC)) {
		no_child(err);
		(void)close(there[0]);
		(void)close(there[1]);
		return FT_EUNAVAIL;
	}
	shield(place);
	place->child = fork();
	if (!place->child) {
		(void)close(there[1]);
		(void)close(back[0]);
		echo(there[0], back[1]);
	}
	place->to = there[1];
	place->from = back[0];
	(void)close(there[0]);
	(void)close(back[1]);
	if (place->child > 0)
		return FT_OK;
	no_child(err);
	(void)close(place->to);
	(void)close(place->from);
	unshield(place);
	return FT_EUNAVAIL;
}

/* One byte there and back. */
static uint64_t talk_to_child(struct ft__workplace *place, uint64_t count)
{
	char byte = 1;
	uint64_t i;

	for (i = 0; i < count && !place->error; i++) {
		ssize_t done = write(place->to, &byte, 1);

		if (done == 1)
			done = read(place->from, &byte, 1);
		if (done != 1)
			place->error = done ? errno : EPIPE; /* 0: it has ended */
	}
	return i ? i : 1;
}

static void end_talk(struct ft__workplace *place)
{
	unshield(place);
	(void)close(place->to);
	(void)close(place->from);
	while (waitpid(place->child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- processes ----------------------------------------------------------------------------------------- */

static uint64_t spawn(struct ft__workplace *place, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		if (child < 0) {
			place->error = errno;
			break;
		}
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return i ? i : 1;
}

const struct ft__micro ft__micro_system[] = {
	{{"system_call", "call", "calls of the system that do nothing", 0}, NULL, call_kernel, NULL},
	{{"pipe_round_trip", "round trip", "a byte to another process and back, through pipes", 0},
	 prepare_talk,
	 talk_to_child,
	 end_talk},
	{{"process", "process", "processes forked, ended and waited for", 0}, NULL, spawn, NULL},
	{{0}, NULL, NULL, NULL},
};
