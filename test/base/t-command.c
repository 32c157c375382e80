/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-command.c - tools of others are heard, and ended when they take too long, print too much or are not
 * wanted any more. */
#include "base/alloc.h"
#include "base/command.h"
#include "tap.h"
#include "temp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Long beside what a test takes, and short beside its own limit. */
enum { LONG_S = 200 };

static struct ft_err err;

static enum ft_status sh(struct ft__command *command, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	err = (struct ft_err){0};
	command->argv = argv;
	enum ft_status status = ft__command_run(command, &err);
	command->argv = NULL;
	return status;
}

static void test_streams(void)
{
	struct ft__command c = {.input = "what it is told"};

	ok(!sh(&c, "echo out; echo words >&2; cat; printf 'a\\0b'") && !c.status && !c.signal && !c.number,
	   "it ends well");
	ok(c.length == 22 && !memcmp(c.text, "out\nwhat it is tolda\0b", 23) && !strcmp(c.words, "words\n"),
	   "both streams, what it is told, and a zero byte");
	c.input = NULL;
	ok(!sh(&c, "cat") && !c.length && !*c.text && !*c.words, "nothing to read, nothing written");
	ok(sh(&c, "echo some; echo first >&2; echo '  last words' >&2; echo >&2; exit 3") == FT_EIO &&
		   c.status == 3 && !strcmp(c.text, "some\n") && !strcmp(err.text, "sh failed: last words"),
	   "it fails: %s", err.text);
	ok(sh(&c, "exit 4") == FT_EIO && c.status == 4 && !strcmp(err.text, "sh failed"), "without a word");
	ok(sh(&c, "kill -9 $$") == FT_EIO && c.status == -1 && c.signal == SIGKILL, "by a signal");
	ok(sh(&c, "exec >&- 2>&-; i=0; while [ $i -lt 9999 ]; do i=$((i + 1)); done; exit 5") == FT_EIO &&
		   c.status == 5,
	   "who closes both is waited for");
	ft__command_clear(&c);
	ft__command_clear(&c);
	ok(!c.text && !c.words, "cleared twice");
}

static void test_environment(void)
{
	static const char *const ours[] = {"FT_NEW=1", "FT_OLD=theirs", NULL};
	struct ft__command c = {.environment = ours};

	(void)setenv("FT_OLD", "ours", 1);
	(void)setenv("FT_OLDER", "kept", 1);
	ok(!sh(&c, "echo $FT_NEW $FT_OLD $FT_OLDER; env | grep -c ^FT_OLD=") &&
		   !strcmp(c.text, "1 theirs kept\n1\n"),
	   "in place of ours");
	(void)unsetenv("FT_OLD");
	(void)unsetenv("FT_OLDER");
	ft__command_clear(&c);
}

/* What else is ignored may be so by who started the test. */
static void test_signals(void)
{
	struct ft__command c = {0};
	void (*pipe_before)(int) = signal(SIGPIPE, SIG_IGN), (*files_before)(int) = signal(SIGXFSZ, SIG_IGN);
	const unsigned long long usual = 1ULL << (SIGPIPE - 1) | 1ULL << (SIGXFSZ - 1);
	unsigned long long blocked = 1, ignored = ~0ULL;
	sigset_t all, before;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	ok(!sh(&c, "grep -e SigBlk -e SigIgn /proc/self/status") &&
		   sscanf(c.text, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored) == 2,
	   "what it tells of itself");
	ok(!blocked && !(ignored & usual), "no signal is blocked, SIGPIPE and SIGXFSZ are not ignored");
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)signal(SIGPIPE, pipe_before);
	(void)signal(SIGXFSZ, files_before);
	ft__command_clear(&c);
}

static void test_missing(void)
{
	static const char *const argv[] = {"foretime-no-such-tool", NULL}, *const folder[] = {"/", NULL};
	struct ft__command c = {.argv = argv};

	ok(ft__command_run(&c, &err) == FT_EUNAVAIL && c.number == ENOENT && c.status == -1 && !*c.text &&
		   !strcmp(err.text, "foretime-no-such-tool cannot be run here"),
	   "missing: %s", err.text);
	c.argv = folder;
	ok(ft__command_run(&c, NULL) == FT_EUNAVAIL && c.number == EACCES, "a folder");
	ft__command_clear(&c);
}

static void test_begun(void)
{
	static const char *const argv[] = {"sh", "-c", "cat; echo out; echo words >&2; exec sleep 1000",
					   NULL},
				 *const missing[] = {"foretime-no-such-tool", NULL};
	const char *output = temp_path("begun");
	char text[64] = "";
	int status = 0;
	FILE *file;

	(void)temp_write(output, "before\n", 0600);
	pid_t pid = ft__command_begin(argv, output);
	ok(pid > 0 && getpgid(pid) == pid, "one that is left to work, in a group of its own");
	while (strlen(text) < 17 && (file = fopen(output, "re"))) {
		text[fread(text, 1, sizeof text - 1, file)] = '\0';
		(void)fclose(file);
	}
	ok(!strcmp(text, "before\nout\nwords\n"), "what it says stands behind what is there");
	ok(!kill(-pid, SIGTERM) && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
	   "it is waited for");
	ok(ft__command_begin(missing, output) == -1 && errno == ENOENT, "missing");
	ok(ft__command_begin(argv, temp_path("no/such")) == -1 && errno == ENOENT, "no place for its words");
	(void)ft_alloc_fail_at(1);
	ok(ft__command_begin(argv, output) == -1 && errno == ENOMEM, "without memory");
	(void)ft_alloc_fail_at(0);
}

static void test_much(void)
{
	struct ft__command c = {.most_bytes = 1000, .limit_s = LONG_S};

	ok(!sh(&c, "head -c 1000 /dev/zero") && c.length == 1000 && !c.much, "as much as it may");
	ok(sh(&c, "exec yes") == FT_EIO && c.much && !c.late && c.length == 1000 &&
		   !strcmp(err.text, "sh prints too much at once"),
	   "it is ended when it prints more: %s", err.text);
	ok(sh(&c, "head -c 1001 /dev/zero") == FT_EIO && c.much && c.length == 1000, "a byte more");
	ok(!sh(&c, "echo first >&2; yes | head -c 300000 >&2; echo out") && strlen(c.words) == 64 << 10 &&
		   !strncmp(c.words, "first\n", 6) && !strcmp(c.text, "out\n"),
	   "of many words the first are kept");
	ft__command_clear(&c);
}

/* Whether who holds the other end goes away. */
static bool ends(int pipe_fd)
{
	struct pollfd wait = {.fd = pipe_fd, .events = POLLIN};
	char byte;

	return poll(&wait, 1, LONG_S * 1000) == 1 && read(pipe_fd, &byte, 1) == 0;
}

static void test_late(void)
{
	struct ft__command c = {.limit_s = 0.2, .apart = true};
	int held[2];

	ok(sh(&c, "exec sleep 1000") == FT_EIO && c.late && c.status == -1 && c.signal == SIGKILL &&
		   !strcmp(err.text, "sh did not end in time"),
	   "late: %s", err.text);
	ok(!pipe(held), "a pipe that all of them hold");
	ok(sh(&c, "sleep 1000 & sleep 1000 & wait") == FT_EIO && c.late, "who waits for others");
	(void)close(held[1]);
	ok(ends(held[0]), "... is ended with them");
	(void)close(held[0]);
	ok(!pipe(held), "once more");
	ok(sh(&c, "sleep 1000 &") == FT_EIO && c.late,
	   "who leaves somebody behind that holds what it writes to");
	(void)close(held[1]);
	ok(ends(held[0]), "... leaves nobody");
	(void)close(held[0]);
	c.limit_s = LONG_S;
	ok(!sh(&c, "sleep 1000 >/dev/null 2>&1 & echo $!") && !c.late,
	   "who is left behind and silent is not waited for");
	ok(!kill((pid_t)strtol(c.text, NULL, 10), SIGKILL), "... and was not ended");
	c.limit_s = 0.2;
	c.apart = false;
	ok(sh(&c, "exec sleep 1000") == FT_EIO && c.late && c.signal == SIGKILL, "late in our own group");
	ft__command_clear(&c);
}

static volatile sig_atomic_t flag;

static void raise_flag(int number)
{
	(void)number;
	flag = 1;
}

static void test_interrupt(void)
{
	struct ft__command c = {.limit_s = LONG_S, .interrupt = &flag, .apart = true};
	void (*before)(int) = signal(SIGUSR1, raise_flag);

	ok(sh(&c, "kill -USR1 $PPID; exec sleep 1000") == FT_EINTR && !c.late && c.signal == SIGKILL &&
		   !strcmp(err.text, "interrupted"),
	   "interrupted: it is ended");
	(void)signal(SIGUSR1, before);
	flag = 0;
	ok(!sh(&c, "ps -o pgid= -p $$ | tr -d ' '; echo $$") &&
		   strtol(c.text, NULL, 10) == strtol(strchr(c.text, '\n') + 1, NULL, 10),
	   "a group of its own");
	c.apart = false;
	ok(!sh(&c, "ps -o pgid= -p $$ | tr -d ' '") && strtol(c.text, NULL, 10) == (long)getpgrp(),
	   "or ours");
	ft__command_clear(&c);
}

static void test_limits(void)
{
	struct ft__command c = {.memory_bytes = 1LL << 30, .cpu_s = 77};

	/* it may ask before it has them: they are set when it runs */
	ok(!sh(&c, "until [ \"$(ulimit -t)\" = 77 ]; do :; done; ulimit -v") && !strcmp(c.text, "1048576\n"),
	   "limits of memory and processor time");
	ft__command_clear(&c);
}

/* Where 0 to 2 are closed, what we open takes their numbers. */
static void test_closed(void)
{
	struct ft__command c = {.input = "in"};
	int kept[3], i;

	(void)fflush(stdout);
	for (i = 0; i < 3; i++) {
		kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
		(void)close(i);
	}
	enum ft_status status = sh(&c, "cat; echo words >&2");
	for (i = 0; i < 3; i++) {
		if (kept[i] >= 0)
			(void)dup2(kept[i], i);
		(void)close(kept[i]);
	}
	ok(!status && !strcmp(c.text, "in") && !strcmp(c.words, "words\n"), "with 0 to 2 closed");
	ft__command_clear(&c);
}

static void test_memory(void)
{
	struct ft__command c = {0};
	enum ft_status status = FT_ENOMEM;
	int failed = 0;

	for (unsigned long n = 1; n < 100 && status; n++) {
		(void)ft_alloc_fail_at(n);
		status = sh(&c, "echo out; echo words >&2");
		if (status && (status != FT_ENOMEM || err.status != FT_ENOMEM))
			break;
		failed += status != FT_OK;
		(void)ft_alloc_fail_at(0);
	}
	(void)ft_alloc_fail_at(0);
	ok(!status && failed >= 3 && !strcmp(c.text, "out\n"), "each of %d allocations may fail", failed);
	ft__command_clear(&c);
}

/* The program itself, and how a path that is too long ends. */
static void test_self(void)
{
	char path[4096], other[4096], brief[4096];

	ok(ft__command_self(path, sizeof path) && *path == '/' && !access(path, X_OK), "our own program: %s",
	   path);
	ok(!strcmp(strrchr(path, '/') + 1, program_invocation_short_name), "... by its name");
	ok(ft__command_beside(strrchr(path, '/') + 1, other, sizeof other) && !strcmp(path, other),
	   "... is next to itself");
	ok(!ft__command_beside("no-such-program", other, sizeof other) && strstr(other, "/no-such-program"),
	   "what is not there has the installed path");
	/* One of these lengths ends at a slash of our own path: what is left of it is a folder that can be entered. */
	bool taken = false;
	for (size_t size = 1; size <= strlen(path) && size <= sizeof brief; size++)
		taken |= ft__command_self(brief, size) ||
			 ft__command_beside("no-such-program", brief, size) || strlen(brief) >= size;
	ok(!taken, "a path that is too long is none");
}

int main(void)
{
	test_self();
	test_streams();
	test_environment();
	test_signals();
	test_missing();
	test_begun();
	test_much();
	test_late();
	test_interrupt();
	test_limits();
	test_closed();
	test_memory();
	return done();
}
