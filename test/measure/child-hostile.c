/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-hostile.c - programs that are hard to measure, each a word: child-hostile TAG WORD [ARG...].
 * The tag is in the command line of all its processes, so that a test can count those that are left. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&time, &time) && errno == EINTR)
		continue;
}

_Noreturn static void hang(void)
{
	for (;;)
		pause();
}

/* Of the calling thread. */
static void burn(double cpu_s)
{
	struct timespec now;

	do
		(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < cpu_s);
}

static void touch_mb(size_t mb)
{
	volatile char *memory = malloc(mb << 20);
	size_t i;

	for (i = 0; memory && i < mb << 20; i += 4096)
		memory[i] = 1;
}

static int do_exit(char **arg)
{
	return atoi(arg[0]);
}

static int do_signal(char **arg)
{
	(void)raise(atoi(arg[0]));
	return 0;
}

static int do_hang(char **arg)
{
	(void)arg;
	hang();
}

/* Ignores whatever can be ignored. */
static int do_stubborn(char **arg)
{
	(void)arg;
	for (int i = 1; i < 32; i++)
		(void)signal(i, SIG_IGN);
	hang();
}

/* Fills a descriptor with so many megabytes; then says a last word. */
static int do_flood(char **arg)
{
	int to = atoi(arg[0]);
	long left = atol(arg[1]) * 16;
	char block[65536];

	memset(block, 'x', sizeof block);
	block[sizeof block - 1] = '\n';
	while (left-- > 0)
		if (write(to, block, sizeof block) < 0)
			return 1;
	if (write(to, "the last word\n", 14) < 0)
		return 1;
	return atoi(arg[2]);
}

/* Bytes that are no text. */
static int do_binary(char **arg)
{
	static const char bytes[] = "a\0b\x1b[1m\xff\xc3\xa4\xc3 \xed\xa0\x80\tend\r\n\n";

	(void)arg;
	return write(2, bytes, sizeof bytes - 1) < 0 ? 1 : 4;
}

/* Leaves a daemon behind: forked twice, in a session of its own. */
static int do_daemon(char **arg)
{
	(void)arg;
	if (!fork()) {
		(void)setsid();
		if (!fork())
			hang();
		_exit(0);
	}
	(void)wait(NULL);
	return 0;
}

/* So many processes at once, each in a session of its own when the second word is 1. */
static int do_forks(char **arg)
{
	int n = atoi(arg[0]), own = atoi(arg[1]), i;

	for (i = 0; i < n; i++)
		if (!fork()) {
			if (own)
				(void)setsid();
			hang();
		}
	if (atoi(arg[2]))
		hang();
	return 0;
}

/* One process that is always another: forks, and the parent ends. */
static int do_comet(char **arg)
{
	int own = atoi(arg[0]);

	if (fork())
		return 0;
	for (;;) {
		if (own)
			(void)setsid();
		if (fork())
			_exit(0);
	}
}

static int do_stop(char **arg)
{
	(void)arg;
	(void)raise(SIGSTOP);
	return 0;
}

static int do_close(char **arg)
{
	for (int i = 0; i < 4096; i++)
		(void)close(i);
	return atoi(arg[0]);
}

static int do_user(char **arg)
{
	(void)arg;
	if (setgid(65534) || setuid(65534))
		return 1;
	hang();
}

static int do_memory(char **arg)
{
	touch_mb((size_t)atol(arg[0]));
	return 0;
}

static int ready[2], begun[2];

/* In a child: until each of them is so far, or has ended. */
static void wait_for_others(void)
{
	char c = 0;

	(void)close(begun[1]);
	(void)!write(ready[1], &c, 1);
	(void)close(ready[1]);
	(void)!read(begun[0], &c, 1);
}

/* In their parent. */
static void let_begin(int n)
{
	char c;

	(void)close(ready[1]);
	while (n-- && read(ready[0], &c, 1) == 1)
		continue;
	(void)close(begun[1]);
}

/* Memory in several processes at once, which live for so many ms once all have it. */
static int do_tree(char **arg)
{
	int n = atoi(arg[0]), i;

	if (pipe(ready) || pipe(begun))
		return 1;
	for (i = 0; i < n; i++)
		if (!fork()) {
			touch_mb((size_t)atol(arg[1]));
			wait_for_others();
			sleep_ms(atol(arg[2]));
			_exit(0);
		}
	let_begin(n);
	while (wait(NULL) > 0)
		continue;
	return 0;
}

/* The same, but the memory is there before the processes are: it is one memory for all. */
static int do_inherit(char **arg)
{
	int n = atoi(arg[0]), i;

	touch_mb((size_t)atol(arg[1]));
	for (i = 0; i < n; i++)
		if (!fork()) {
			sleep_ms(atol(arg[2]));
			_exit(0);
		}
	while (wait(NULL) > 0)
		continue;
	return 0;
}

/* Workers that share so much and each write to a part of it, at once as well. */
static int do_divide(char **arg)
{
	int n = atoi(arg[0]), i;
	size_t part = (size_t)atol(arg[2]) << 20, k;
	size_t all = (size_t)atol(arg[1]) << 20;
	volatile char *shared = malloc(all); /* a compiler knows that nobody reads it */

	if (!shared || pipe(ready) || pipe(begun))
		return 1;
	for (k = 0; k < all; k += 4096)
		shared[k] = 1;
	for (i = 0; i < n; i++)
		if (!fork()) {
			for (k = 0; k < part; k += 4096)
				shared[k] = 2;
			wait_for_others();
			sleep_ms(atol(arg[3]));
			_exit(0);
		}
	let_begin(n);
	while (wait(NULL) > 0)
		continue;
	free((void *)shared);
	return 0;
}

/* An orphan that works, and ends before its grandparent does. */
static int do_orphan(char **arg)
{
	int pipes[2];
	char c;

	if (pipe(pipes))
		return 1;
	if (!fork()) {
		if (!fork()) {
			burn(atof(arg[0]));
			touch_mb((size_t)atol(arg[1]));
			_exit(0);
		}
		_exit(0);
	}
	(void)close(pipes[1]);
	(void)wait(NULL);
	(void)!read(pipes[0], &c, 1); /* until the orphan has ended */
	return 0;
}

static int do_burn(char **arg)
{
	burn(atof(arg[0]));
	return 0;
}

static void *burn_and_stay(void *arg)
{
	char **words = arg;

	burn(atof(words[1]));
	sleep_ms(atol(words[2]));
	return NULL;
}

/* So many threads burn so long each, and stay for so many ms. */
static int do_threads(char **arg)
{
	pthread_t thread[16];
	int n = atoi(arg[0]), i;

	for (i = 0; i < n && i < 16; i++)
		if (pthread_create(&thread[i], NULL, burn_and_stay, arg))
			return 1;
	while (i--)
		(void)pthread_join(thread[i], NULL);
	return 0;
}

/* The same with processes; in_turn: one after the other. */
static int work(char **arg, int in_turn)
{
	int n = atoi(arg[0]), i;

	for (i = 0; i < n; i++) {
		if (!fork()) {
			(void)burn_and_stay(arg);
			_exit(0);
		}
		if (in_turn)
			(void)wait(NULL);
	}
	while (wait(NULL) > 0)
		continue;
	return 0;
}

static int do_workers(char **arg)
{
	return work(arg, 0);
}

static int do_sparks(char **arg)
{
	return work(arg, 1);
}

/* Ends its parent. */
static int do_parricide(char **arg)
{
	(void)arg;
	(void)kill(getppid(), SIGKILL);
	hang();
}

/* Leaves daemons of their own sessions behind, for so many ms, and ends its parent, or its parent's parent;
 * stays, and ends with a status. */
static int do_heirs(char **arg)
{
	char path[64], text[512];
	int grandparent = 0;

	for (int i = 0; i < 3; i++)
		if (!fork()) {
			(void)setsid();
			if (i && fork())
				_exit(0);
			sleep_ms(atol(arg[1]));
			_exit(0);
		}
	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
	int file = open(path, O_RDONLY);
	ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
	text[length > 0 ? length : 0] = '\0';
	const char *rest = strrchr(text, ')');
	if (!strcmp(arg[0], "guard") && rest && sscanf(rest, ") %*c %d", &grandparent) == 1 &&
	    grandparent > 1)
		(void)kill(grandparent, SIGKILL);
	else
		(void)kill(getppid(), SIGKILL);
	sleep_ms(atol(arg[2]));
	return atoi(arg[3]);
}

/* Stops its parent, and works on. */
static int do_halt(char **arg)
{
	(void)kill(getppid(), SIGSTOP);
	sleep_ms(atol(arg[0]));
	return 0;
}

/* Sends its parent every signal that can be borne. */
static int do_annoy(char **arg)
{
	(void)arg;
	for (int i = 1; i < 65; i++)
		if (i != SIGKILL && i != SIGSTOP)
			(void)kill(getppid(), i);
	sleep_ms(10);
	return 0;
}

/* Ends itself as Ctrl-C would have, having told its grandparent. */
static int do_terminal(char **arg)
{
	(void)kill(atoi(arg[0]), SIGALRM);
	(void)raise(SIGINT);
	return 0;
}

/* What it was given: arguments, signals, group, descriptors, a variable; into a file. */
static int do_tell(char **arg)
{
	FILE *file = fopen(arg[0], "w");
	int i, changed = 0;
	char path[256];
	sigset_t mask;
	ssize_t length;

	if (!file)
		return 1;
	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	for (i = 1; i < 65; i++) {
		struct sigaction action;

		changed += sigismember(&mask, i) == 1;
		changed += !sigaction(i, NULL, &action) && action.sa_handler != SIG_DFL;
	}
	(void)fprintf(file, "signals=%d leader=%d ", changed, getpgrp() == getpid());
	for (i = 0; i < 3; i++) {
		char name[32];

		(void)snprintf(name, sizeof name, "/proc/self/fd/%d", i);
		length = readlink(name, path, sizeof path - 1);
		path[length > 0 ? length : 0] = '\0';
		(void)fprintf(file, "%d=%s ", i, strncmp(path, "pipe:", 5) ? path : "pipe");
	}
	for (i = 3, changed = 0; i < 64; i++)
		changed += i != fileno(file) && fcntl(i, F_GETFD) >= 0;
	(void)fprintf(file, "others=%d", changed);
	for (arg++; *arg; arg++)
		if (**arg == '$')
			(void)fprintf(file, " %s=%s", *arg + 1, getenv(*arg + 1) ? getenv(*arg + 1) : "-");
		else
			(void)fprintf(file, " [%s]", *arg);
	return fclose(file) ? 1 : 0;
}

/* Takes memory in a control group until it is killed. */
static int do_devour(char **arg)
{
	FILE *file = fopen(arg[0], "w");

	if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file))
		return 1;
	touch_mb(256);
	return 0;
}

static const struct {
	const char *word;
	int (*act)(char **arg);
	int args;
} words[] = {
	{"exit", do_exit, 1},           {"signal", do_signal, 1},     {"hang", do_hang, 0},
	{"stubborn", do_stubborn, 0},   {"flood", do_flood, 3},       {"binary", do_binary, 0},
	{"daemon", do_daemon, 0},       {"forks", do_forks, 3},       {"comet", do_comet, 1},
	{"stop", do_stop, 0},           {"close", do_close, 1},       {"user", do_user, 0},
	{"memory", do_memory, 1},       {"tree", do_tree, 3},         {"orphan", do_orphan, 2},
	{"parricide", do_parricide, 0}, {"tell", do_tell, 1},         {"devour", do_devour, 1},
	{"annoy", do_annoy, 0},         {"terminal", do_terminal, 1}, {"halt", do_halt, 1},
	{"burn", do_burn, 1},           {"threads", do_threads, 3},   {"workers", do_workers, 3},
	{"sparks", do_sparks, 3},       {"inherit", do_inherit, 3},   {"heirs", do_heirs, 4},
	{"divide", do_divide, 4},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof words / sizeof *words; i++)
		if (!strcmp(argv[2], words[i].word) && argc - 3 >= words[i].args)
			return words[i].act(argv + 3);
	return 99;
}
