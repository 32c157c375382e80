/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-restless.c - programs that are hard to hold still, each a word: child-restless FILE WORD TAG. Each of
 * its threads counts in the file's one page, which others can read: nobody counts who stands still. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 256 };

static volatile uint64_t *slot;

_Noreturn static void count(int at)
{
	for (;;)
		__atomic_fetch_add(&slot[at % SLOTS], 1, __ATOMIC_RELAXED);
}

/* Some rest between: most programs wait now and then. */
_Noreturn static void tick(int at)
{
	const struct timespec pause = {.tv_nsec = 100000};

	for (;;) {
		__atomic_fetch_add(&slot[at % SLOTS], 1, __ATOMIC_RELAXED);
		(void)nanosleep(&pause, NULL);
	}
}

static void *count_thread(void *arg)
{
	count((int)(intptr_t)arg);
}

static void do_one(void)
{
	count(0);
}

/* Several, each in a session of its own, orphans. */
static void do_daemons(void)
{
	for (int i = 0; i < 6; i++)
		if (!fork()) {
			(void)setsid();
			if (!fork()) {
				(void)setpgid(0, 0);
				tick(i);
			}
			_exit(0);
		}
	tick(10);
}

/* One process that is always another. */
static void do_comet(void)
{
	if (!fork())
		for (;;) {
			__atomic_fetch_add(&slot[1], 1, __ATOMIC_RELAXED);
			(void)setsid();
			if (fork())
				_exit(0);
		}
	tick(0);
}

/* Processes come and go. */
static void do_births(void)
{
	(void)signal(SIGCHLD, SIG_IGN);
	for (;;) {
		__atomic_fetch_add(&slot[0], 1, __ATOMIC_RELAXED);
		if (!fork()) {
			if (fork())
				_exit(0);
			__atomic_fetch_add(&slot[1], 1, __ATOMIC_RELAXED);
			_exit(0);
		}
	}
}

/* Three that wake each other, and whoever else they can. */
static void do_wakers(void)
{
	pid_t *pid = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 3; i++)
		if (!(pid[i] = fork()))
			for (;;) {
				__atomic_fetch_add(&slot[i], 1, __ATOMIC_RELAXED);
				for (int k = 0; k < 3; k++)
					if (k != i && pid[k] > 0)
						(void)kill(pid[k], SIGCONT);
				if (getppid() > 1)
					(void)kill(getppid(), SIGCONT);
			}
	tick(5);
}

/* Its first thread has ended. */
static void do_headless(void)
{
	pthread_t thread;

	for (intptr_t i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, count_thread, (void *)i))
			exit(1);
	pthread_exit(NULL);
}

/* A parent that waits in vfork, which nothing wakes but its child. */
static void do_vfork(void)
{
	if (!vfork())
		count(0);
}

/* One has stopped itself, and another has it stopped. */
static void do_stopped(void)
{
	pid_t pid = fork();

	if (!pid) {
		(void)raise(SIGSTOP);
		slot[9] = 1; /* somebody woke it */
		tick(1);
	}
	tick(0);
}

/* Hears nothing. */
static void do_stubborn(void)
{
	for (int i = 1; i < 32; i++)
		(void)signal(i, SIG_IGN);
	tick(0);
}

/* Its parents are killed: whom does it descend from? */
static void do_orphans(void)
{
	for (int i = 0; i < 3; i++)
		if (!fork()) {
			(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
			if (!fork()) {
				(void)kill(getppid(), SIGKILL);
				tick(i);
			}
			for (;;)
				(void)pause();
		}
	tick(5);
}

/* Four hundred megabytes, and no more. */
static void do_eat(void)
{
	enum { PIECE = 16 << 20, PIECES = 25 };

	for (int i = 0; i < PIECES; i++) {
		char *piece = malloc(PIECE);

		if (!piece)
			exit(1);
		memset(piece, i + 1, PIECE);
		slot[0] += (uint64_t)piece[PIECE / 2];
	}
}

static const struct {
	const char *word;
	void (*act)(void);
} words[] = {
	{"one", do_one},           {"daemons", do_daemons},   {"comet", do_comet}, {"births", do_births},
	{"wakers", do_wakers},     {"headless", do_headless}, {"vfork", do_vfork}, {"stopped", do_stopped},
	{"stubborn", do_stubborn}, {"orphans", do_orphans},   {"eat", do_eat},
};

int main(int argc, char **argv)
{
	int file = argc > 2 ? open(argv[1], O_RDWR) : -1;

	slot = file < 0 ? MAP_FAILED
			: mmap(NULL, SLOTS * sizeof *slot, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	for (size_t i = 0; slot != MAP_FAILED && i < sizeof words / sizeof *words; i++)
		if (!strcmp(argv[2], words[i].word)) {
			words[i].act();
			return 0;
		}
	return 99;
}
