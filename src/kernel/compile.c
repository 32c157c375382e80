/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.c - starts clang, hears what it says, and ends it when it takes too long. */
#include "kernel/compile.h"
#include "base/alloc.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a compiler may take: macros can be made to grow without end. An ordinary kernel takes 0.05 s and 60
 * MB. */
enum { SECONDS_MOST = 60, CODE_MOST = 64 << 20, WORDS_MOST = 1 << 16 };
static const rlim_t memory_most = (rlim_t)4 << 30;

enum { FLAGS_MOST = 64, OLDEST = 11, NEWEST = 30 };

/* Code as the interpreter wants it: loops stay loops, functions are put where they are called, names and
 * lines are kept. */
static const char *const flags[] = {
	"-x",
	"cl",
	"-cl-std=CL1.2",
	"-target",
	"spir64-unknown-unknown",
	"-Xclang",
	"-finclude-default-header",
	"-O1",
	"-fno-unroll-loops",
	"-finline-functions",
	"-mllvm",
	"-inline-threshold=100000",
	"-fno-discard-value-names",
	"-gline-tables-only",
	"-fno-color-diagnostics",
	"-fno-caret-diagnostics",
	"-ferror-limit=3",
	"-emit-llvm",
	"-c",
	"-o",
	"-",
};

/* A child whose output is read. */
struct heard {
	struct ft_text out, words; /* what it writes to 1 and 2 */
	int status;                /* as waitpid has it */
	bool late, long_winded;
};

static void heard_clear(struct heard *heard)
{
	ft_text_clear(&heard->out);
	ft_text_clear(&heard->words);
}

/* Read what is there; false: that was the end, or more than `most`. */
static bool take(int fd, struct ft_text *text, size_t most, bool *more)
{
	char part[1 << 14];
	ssize_t n = read(fd, part, sizeof part);

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n == 0)
		return false;
	if (text->length + (size_t)n > most) {
		*more = true;
		return false;
	}
	ft_text_add_bytes(text, part, (size_t)n);
	return true;
}

/* Until both pipes are closed, or time is out. */
static void listen(struct heard *heard, int out, int words)
{
	struct pollfd poll_for[2] = {{.fd = out, .events = POLLIN}, {.fd = words, .events = POLLIN}};
	int64_t end = ft_clock_ns() + (int64_t)SECONDS_MOST * 1000000000;

	while (poll_for[0].fd >= 0 || poll_for[1].fd >= 0) {
		int64_t left = (end - ft_clock_ns()) / 1000000;

		heard->late = left <= 0;
		if (heard->late || heard->long_winded)
			return;
		(void)poll(poll_for, 2, (int)left);
		if (poll_for[0].revents && !take(out, &heard->out, CODE_MOST, &heard->long_winded))
			poll_for[0].fd = -1;
		if (poll_for[1].revents && !take(words, &heard->words, WORDS_MOST, &heard->long_winded))
			poll_for[1].fd = -1;
	}
}

static void limit(pid_t pid)
{
	const struct rlimit memory = {memory_most, memory_most}, time = {SECONDS_MOST, SECONDS_MOST};

	(void)prlimit(pid, RLIMIT_AS, &memory, NULL);
	(void)prlimit(pid, RLIMIT_CPU, &time, NULL);
}

static void close_all(int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
}

/* Run a program to its end. Returns an errno, 0 for success. */
static int hear(struct heard *heard, const char *const argv[])
{
	int out[2] = {-1, -1}, words[2] = {-1, -1}, nothing = open("/dev/null", O_RDONLY | O_CLOEXEC),
	    number = 0;
	pid_t pid;

	if (nothing < 0 || pipe2(out, O_CLOEXEC) || pipe2(words, O_CLOEXEC))
		number = errno;
	if (!number)
		number = ft__command_start(argv, (int[]){nothing, out[1], words[1]}, &pid);
	close_all((int[]){nothing, out[1], words[1]}, 3);
	if (!number) {
		limit(pid);
		listen(heard, out[0], words[0]);
		if (heard->late || heard->long_winded)
			(void)kill(pid, SIGKILL);
		while (waitpid(pid, &heard->status, 0) < 0 && errno == EINTR)
			;
	}
	close_all((int[]){out[0], words[0]}, 2);
	return number ? number : heard->out.failed || heard->words.failed ? ENOMEM : 0;
}

/* The version of a compiler of that name, 0: there is none. */
static int version(const char *name)
{
	const char *const argv[] = {name, "--version", NULL};
	struct heard heard = {0};
	const char *at;
	int found = 0;

	if (!hear(&heard, argv) && heard.out.s) {
		at = strstr(heard.out.s, "clang version ");
		found = at ? (int)strtol(at + strlen("clang version "), NULL, 10) : 0;
	}
	heard_clear(&heard);
	return found;
}

/* A compiler whose library is there, too. */
static enum ft_status choose(const char *asked, char name[FT_KERNEL_NAME], struct ft__llvm *llvm,
			     int *compiler, struct ft_err *err)
{
	int i, found = 0, last = 0;

	for (i = NEWEST + 1; i >= OLDEST; i--) {
		if (i > NEWEST)
			(void)snprintf(name, FT_KERNEL_NAME, "%s", asked ? asked : "clang");
		else
			(void)snprintf(name, FT_KERNEL_NAME, "clang-%d", i);
		found = version(name);
		*compiler = found;
		last = found ? found : last;
		if (found && !ft__llvm_load(llvm, found, err))
			return FT_OK;
		if (asked)
			break;
	}
	if (last)
		return ft__llvm_load(llvm, last, err);
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start %s, which compiles kernels", asked ? asked : "clang");
	(void)ft_remedy(err, "apt install clang, or name a compiler with --clang NAME");
	return FT_EUNAVAIL;
}

/* The compiler's own words: its first line that says error, else the last line. */
static enum ft_status complain(const struct heard *heard, const char *path, struct ft_err *err)
{
	char line[400] = "";
	const char *at, *text = heard->words.s ? heard->words.s : "";

	if (heard->late)
		return ft_fail(err, FT_EPARSE, "clang took more than %d s for '%s', and was ended",
			       SECONDS_MOST, path);
	if (heard->long_winded)
		return ft_fail(err, FT_EPARSE, "clang makes more of '%s' than %d MiB", path, CODE_MOST >> 20);
	at = strstr(text, "error: ");
	while (at && at > text && at[-1] != '\n')
		at--;
	if (!at)
		at = text;
	(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	if (!*line && WIFSIGNALED(heard->status))
		(void)snprintf(line, sizeof line, "it was ended by signal %d", WTERMSIG(heard->status));
	(void)ft_fail(err, FT_EPARSE, "clang does not compile '%.100s': %s", path,
		      *line ? line : "it does not say why");
	(void)ft_remedy(
		err, "what a host program hands to the compiler is needed here, too: --flags '-DNAME=VALUE'");
	return FT_EPARSE;
}

enum ft_status ft__kernel_compile(const struct ft_kernel_source *source, char **bytes, size_t *length,
				  struct ft__llvm *llvm, int *compiler, struct ft_err *err)
{
	const char *argv[FLAGS_MOST + sizeof flags / sizeof *flags + 4];
	char name[FT_KERNEL_NAME];
	struct heard heard = {0};
	size_t n = 0, i;
	enum ft_status status;
	int number;

	*bytes = NULL;
	*length = 0;
	if (access(source->path, R_OK) != 0)
		return ft_fail_errno(err, errno, "cannot read '%s'", source->path);
	if (source->n_flags > FLAGS_MOST)
		return ft_fail(err, FT_EINVAL, "more than %d flags for the compiler", FLAGS_MOST);
	status = choose(source->clang, name, llvm, compiler, err);
	if (status)
		return status;
	argv[n++] = name;
	for (i = 0; i < sizeof flags / sizeof *flags; i++)
		argv[n++] = flags[i];
	for (i = 0; i < source->n_flags; i++)
		argv[n++] = source->flag[i];
	argv[n++] = "--";
	argv[n++] = source->path;
	argv[n] = NULL;
	number = hear(&heard, argv);
	if (number)
		status = ft_fail_errno(err, number, "cannot start %s", name);
	else if (heard.status || heard.late || heard.long_winded || !heard.out.length)
		status = complain(&heard, source->path, err);
	else {
		*length = heard.out.length;
		*bytes = ft_text_take(&heard.out);
	}
	heard_clear(&heard);
	return status;
}
