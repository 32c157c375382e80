/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children of the manager: lines to and from them, what they inherit, their end, whatever they are. */
#include "../measure/alive.h"
#include "../tap.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/child.h"

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>

static struct ft__scope *scope;
static char tag[64];

/* A shell's child; the tag is in the command line of it and of its subshells. */
static struct ft__child *start(const char *script)
{
	const char *const argv[] = {"/bin/sh", "-c", script, tag, NULL};
	const struct ft__child_options options = {.argv = argv, .scope = scope, .as_root = true};
	struct ft__child *child = NULL;
	struct ft_err err = {0};

	if (ft__child_start(&child, &options, &err)) {
		diag("%s", err.text);
		exit(99);
	}
	return child;
}

static void wait_for(const struct ft__child *child)
{
	struct pollfd event = {.fd = ft__child_fd(child), .events = POLLIN};

	(void)poll(&event, 1, 30000);
}

/* The next line; "" when it ended instead. */
static const char *hear(struct ft__child *child)
{
	struct ft__child_end end;
	const char *line;

	while (!ft__child_line(child, &line)) {
		if (ft__child_ended(child, &end))
			return ft__child_line(child, &line) ? line : "";
		wait_for(child);
	}
	return line;
}

static struct ft__child_end await_end(struct ft__child *child)
{
	struct ft__child_end end = {0};
	const char *line;

	for (;;) {
		while (ft__child_line(child, &line))
			;
		if (ft__child_ended(child, &end))
			return end;
		wait_for(child);
	}
}

static bool exited(const struct ft__child_end *end, int status)
{
	return WIFEXITED(end->status) && WEXITSTATUS(end->status) == status;
}

static void test_lines(void)
{
	struct ft__child *child = start("while read -r a; do echo \"<$a>\"; done; echo bye; exit 7");

	ok(!ft__child_tell(child, "one\ntwo\n", NULL) && !strcmp(hear(child), "<one>") &&
		   !strcmp(hear(child), "<two>"),
	   "lines there and back");
	ok(!ft__child_tell(child, NULL, NULL) && !strcmp(hear(child), "bye"), "the end of what it is told");
	ok(ft__child_tell(child, "three\n", NULL) == FT_EEND, "... is the end");
	struct ft__child_end end = await_end(child);
	ok(exited(&end, 7) && !end.left, "it ends with its own status");
	ft__child_free(child);
}

/* Lines that nobody would write, and one that says nothing more than its beginning. */
static void test_long_lines(void)
{
	struct ft__child *child =
		start("head -c 300000 /dev/zero | tr '\\0' x; echo; echo short; printf unended");
	const char *line = hear(child);

	ok(strlen(line) == FT__CHILD_LINE && strspn(line, "x") == FT__CHILD_LINE,
	   "of a long line the beginning");
	ok(!strcmp(hear(child), "short"), "... and the next one");
	struct ft__child_end end = await_end(child);
	ok(exited(&end, 0), "what does not end is no line");
	ft__child_free(child);
}

/* One that does not listen blocks nobody; one that went tells it. */
static void test_deaf(void)
{
	struct ft__child *child = start("exec sleep 1000");
	char block[4097];
	enum ft_status status = FT_OK;
	int i;

	memset(block, 'x', 4095);
	block[4095] = '\n';
	block[4096] = 0;
	for (i = 0; i < 10000 && !status; i++)
		status = ft__child_tell(child, block, NULL);
	ok(status == FT_ENOSPC && i < 1000, "what it does not take is not kept for ever: %d KiB", 4 * i);
	ft__child_finish(child, 10);
	struct ft__child_end end = await_end(child);
	ok(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGTERM, "it ends by SIGTERM");
	ok(ft__child_tell(child, "x\n", NULL) == FT_EEND, "who ended hears nothing, and we get no SIGPIPE");
	ft__child_free(child);
}

static void test_tail(void)
{
	struct ft__child *child = start("yes abcdefghi | head -c 500000 >&2; echo last words >&2; exit 3");
	struct ft__child_end end = await_end(child);
	const char *tail = ft__child_tail(child);

	ok(exited(&end, 3) && strlen(tail) == FT__CHILD_TAIL &&
		   !strcmp(tail + FT__CHILD_TAIL - 11, "last words\n"),
	   "the last of what it said");
	ft__child_free(child);
}

static void test_no_program(void)
{
	const char *const argv[] = {"/no/such/program", NULL};
	struct ft__child_options options = {.argv = argv, .scope = scope, .as_root = true};
	struct ft__child *child = NULL;

	ok(!ft__child_start(&child, &options, NULL), "a program that is not there");
	struct ft__child_end end = await_end(child);
	ok(exited(&end, 127) && strstr(ft__child_tail(child), "/no/such/program"), "... ends and says so");
	ft__child_free(child);
	options.directory = "/no/such/folder";
	ok(!ft__child_start(&child, &options, NULL), "a folder that is not there");
	end = await_end(child);
	ok(exited(&end, 127) && strstr(ft__child_tail(child), "/no/such/folder"), "... too");
	ft__child_free(child);
}

/* What it gets of us: the standard three and no more, no blocked and no ignored signal. */
static void test_inherits(void)
{
	sigset_t some, before;
	int leak = open("/dev/null", O_RDONLY); /* not closed on exec */
	char line[512];
	unsigned long long blocked = 1, ignored = 1;

	(void)sigemptyset(&some);
	(void)sigaddset(&some, SIGTERM);
	(void)sigaddset(&some, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &some, &before);
	(void)signal(SIGPIPE, SIG_IGN);
	struct ft__child *child =
		start("ls -l /proc/self/fd | grep -c ' -> ' ; grep -E 'Sig(Blk|Ign)' /proc/self/status | tr "
		      "-d '\\n'; "
		      "echo; cat /proc/self/oom_score_adj; cut -d' ' -f5,6 /proc/$$/stat; echo $$");
	/* ls has the folder itself open, too */
	ok(!strcmp(hear(child), "4"), "its standard three, and no other descriptor");
	(void)snprintf(line, sizeof line, "%s", hear(child));
	/* 32 and 33 are of the C library, which leaves them as they were. */
	ok(sscanf(line, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored) == 2 && !blocked &&
		   !(ignored & ~0x180000000ULL),
	   "no signal is blocked or ignored: %s", line);
	ok(!strcmp(hear(child), "1000"), "memory is taken from it first");
	(void)snprintf(line, sizeof line, "%s", hear(child));
	ok(atoi(line) == atoi(hear(child)), "a session of its own");
	(void)await_end(child);
	ft__child_free(child);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(leak);
}

/* The n-th allocation fails, if there is one: whatever comes of it is told, or did no harm. */
static bool lose_memory(const struct ft__scope_way *row, unsigned long n, bool *good)
{
	const char *const argv[] = {"/bin/sleep", "1000", NULL};
	struct ft__child_options options = {.argv = argv, .as_root = true, .directory = "/"};
	struct ft__scope *own = NULL;
	struct ft__child *child = NULL;
	struct ft_err err = {0};

	(void)ft_alloc_fail_at(n);
	enum ft_status status =
		row ? ft__scope_open(&own, row, "memory", &err) : ft__scope_new(&own, "memory", &err);
	options.scope = own;
	if (!status)
		status = ft__child_start(&child, &options, &err);
	unsigned long made = ft_alloc_fail_at(0);
	if (status && status != FT_ENOMEM)
		diag("%lu of %lu: %s", n, made, err.text);
	*good = *good && (!status || (status == FT_ENOMEM && made >= n));
	ft__child_free(child);
	ft__scope_free(own);
	return made >= n;
}

/* Memory that is out at any place is told, and nothing stays open or runs. */
static void test_memory(const struct ft__scope_way *row)
{
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC), last;
	struct ft__scope *own = NULL;
	bool good = true;
	unsigned long n;

	(void)close(first);
	if (row && ft__scope_open(&own, row, "memory", NULL)) {
		skip(row->name, "it is not to be had here");
		return;
	}
	ft__scope_free(own);
	for (n = 1; n < 1000 && lose_memory(row, n, &good); n++)
		;
	last = open("/dev/null", O_RDONLY | O_CLOEXEC);
	(void)close(last);
	if (last != first)
		diag("descriptor %d, %d before", last, first);
	ok(good && n > 5 && n < 1000 && last == first, "%s: memory that is out: %lu places",
	   row ? row->name : "the best", n - 1);
}

static enum ft_status start_as(const char *user, bool as_root, struct ft__child **child, struct ft_err *err)
{
	const char *const argv[] = {
		"/bin/sh", "-c",
		"id -u; id -ru; id -g; echo $HOME $USER $LOGNAME; grep NoNewPrivs /proc/$$/status; "
		"echo ${ROOTS_OWN-none}; cat /proc/$$/status | grep -c 'Groups:.*\\<0\\>'",
		tag, NULL};
	const struct ft__child_options options = {
		.argv = argv, .scope = scope, .user = user, .as_root = as_root, .directory = "/"};

	return ft__child_start(child, &options, err);
}

/* As root: as the user, and never more than he. */
static void test_user(void)
{
	struct ft__child *child = NULL;
	struct ft_err err = {0};
	const struct passwd *nobody = getpwnam("nobody");
	char line[512];

	ok(start_as("no-such-user", false, &child, &err) == FT_EINVAL && strstr(err.text, "no-such-user"),
	   "a user that there is not");
	if (geteuid() || !nobody) {
		ok(start_as("root", true, &child, &err) == FT_EACCESS, "only root may choose another user");
		skip("a child of another user", "we are not root, or there is no user 'nobody'");
		return;
	}
	ok(start_as(NULL, false, &child, &err) == FT_EACCESS &&
		   start_as("root", false, &child, &err) == FT_EACCESS,
	   "nothing is run as root");
	(void)setenv("ROOTS_OWN", "secret", 1);
	if (!ok(!start_as("nobody", false, &child, &err), "as another user"))
		return;
	ok(atoi(hear(child)) == (int)nobody->pw_uid && atoi(hear(child)) == (int)nobody->pw_uid &&
		   atoi(hear(child)) == (int)nobody->pw_gid,
	   "... it is he");
	(void)snprintf(line, sizeof line, "%s nobody nobody", nobody->pw_dir);
	ok(!strcmp(hear(child), line), "... and has his environment");
	ok(!strcmp(hear(child), "NoNewPrivs:\t1"), "... and gets no more rights by what it executes");
	ok(!strcmp(hear(child), "none"), "... and hears nothing of root's");
	ok(!strcmp(hear(child), "0"), "... and is in no group of root's");
	(void)await_end(child);
	ft__child_free(child);
}

/* Who leaves is not waited for; where all of them are waited for, it is for no longer than was said. */
static void test_leaving(void)
{
	static const char script[] = "trap '' TERM INT HUP; echo here; while :; do sleep 1; done";
	struct ft__child *one = start(script), *other = start(script), *leaving = NULL;
	pid_t quick = ft__child_pid(one), stuck = ft__child_pid(other);
	int64_t due_ns;

	(void)hear(one);
	(void)hear(other);
	(void)kill(stuck, SIGSTOP);
	ft__child_leave(one, &leaving);
	ft__child_leave(other, &leaving);
	while (!ft__children_gone(&leaving, &due_ns) && !kill(quick, 0))
		ft_clock_sleep(0.01);
	ok(leaving && !kill(stuck, 0) && due_ns < INT64_MAX, "one is gone, the other's keeper does not stir");
	ft__children_wait(&leaving, 0.1);
	ok(!leaving && !kill(stuck, 0), "it is not waited for longer than was said");
	(void)kill(stuck, SIGCONT);
	ok(waitpid(stuck, NULL, 0) == stuck && !count_alive(tag), "it ends what it keeps without us");
	one = start(script);
	(void)hear(one);
	stuck = ft__child_pid(one);
	ft__child_leave(one, &leaving);
	ft__children_wait(&leaving, 30);
	ok(!leaving && kill(stuck, 0), "one that stirs is gone soon");
	ft__child_leave(NULL, &leaving);
	ok(ft__children_gone(&leaving, &due_ns) && due_ns == INT64_MAX, "nobody leaves any more");
}

int main(void)
{
	struct ft_err err = {0};

	(void)snprintf(tag, sizeof tag, "foretime-test-child-%d", (int)getpid());
	if (ft__scope_new(&scope, "test", &err)) {
		diag("%s", err.text);
		return 99;
	}
	diag("%s", ft__scope_way(scope));
	ft__scope_weigh(scope, true); /* or they wait for long on a machine that is busy */
	test_lines();
	test_long_lines();
	test_deaf();
	test_tail();
	test_no_program();
	test_inherits();
	test_leaving();
	for (size_t i = 0; ft__scope_ways[i]; i++)
		test_memory(ft__scope_ways[i]);
	test_memory(NULL);
	test_user();
	ok(!count_alive(tag), "nothing is left of them");
	ft__scope_free(scope);
	return done();
}
