/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is frozen stands still, whatever it is; thawed it goes on; killed nothing of it is left. Each in each
 * way that there is here. */
#include "../measure/alive.h"
#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "manager/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { SLOTS = 256 };

static char tag[64], file[256], program[512];
static volatile uint64_t *slot; /* what the child counts */
static struct ft__scope *scope;

static struct ft__child *start_words(const char *const *argv)
{
	const struct ft__child_options options = {.argv = argv, .scope = scope, .as_root = true};
	struct ft__child *child = NULL;
	struct ft_err err = {0};

	if (ft__child_start(&child, &options, &err)) {
		diag("%s", err.text);
		exit(99);
	}
	return child;
}

static struct ft__child *start(const char *word)
{
	const char *const argv[] = {program, file, word, tag, NULL};

	memset((void *)(uintptr_t)slot, 0, SLOTS * sizeof *slot);
	return start_words(argv);
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (int i = 0; i < SLOTS; i++)
		all += slot[i];
	return all;
}

/* Until somebody counts who did not before. */
static bool goes_on(void)
{
	uint64_t before = sum();

	for (int i = 0; i < 3000 && sum() <= before; i++)
		ft_clock_sleep(0.01);
	return sum() > before;
}

/* What the loop of the manager does. */
static void listen(struct ft__child *child, int ms)
{
	struct pollfd event[] = {{.fd = ft__child_fd(child), .events = POLLIN},
				 {.fd = ft__scope_fd(scope), .events = POLLIN}};
	struct ft__child_end end;
	const char *line;

	(void)poll(event, 2, ms);
	while (ft__child_line(child, &line))
		;
	(void)ft__child_ended(child, &end);
	(void)ft__scope_frozen(scope);
}

static bool await_frozen(struct ft__child *child)
{
	for (int i = 0; i < 3000 && !ft__scope_frozen(scope); i++)
		listen(child, 10);
	return ft__scope_frozen(scope);
}

static bool await_end(struct ft__child *child, struct ft__child_end *end)
{
	for (int i = 0; i < 3000 && !ft__child_ended(child, end); i++)
		listen(child, 10);
	return ft__child_ended(child, end);
}

/* Frozen, looked at for a while, thawed, and again. */
static void test_program(const char *word)
{
	struct ft__child *child = start(word);
	bool good = true, frozen = true, still = true;

	for (int round = 0; round < 4; round++) {
		good = goes_on() && good;
		ft_clock_sleep(0.01 * round);
		(void)ft__scope_freeze(scope, NULL);
		frozen = await_frozen(child) && frozen;
		uint64_t before = sum();
		ft_clock_sleep(0.03);
		still = sum() == before && still;
		if (sum() != before)
			diag("%s: %llu counted", word, (unsigned long long)(sum() - before));
		double frozen_s = ft__scope_frozen_s(scope);
		good = frozen_s >= 0.03 && good;
		(void)ft__scope_thaw(scope, NULL);
		good = ft__scope_frozen_s(scope) >= frozen_s && !ft__scope_frozen(scope) && good;
	}
	good = goes_on() && good;
	ok(frozen && still && good, "%s: %s: still when frozen, and goes on", scope->row->name, word);
	ok(!slot[9], "... who stood before stands afterwards");
	(void)ft__scope_freeze(scope, NULL);
	(void)await_frozen(child);
	ft__child_free(child);
	if (!ok(!count_alive(tag), "... killed where it stands, nothing is left"))
		diag("%d alive", count_alive(tag));
	(void)ft__scope_thaw(scope, NULL);
}

/* It begins where all is frozen: it does nothing until that is over. */
static void test_born_frozen(void)
{
	(void)ft__scope_freeze(scope, NULL);
	struct ft__child *child = start("one");
	ok(await_frozen(child), "%s: one that begins in a frozen scope", scope->row->name);
	(void)ft__scope_thaw(scope, NULL);
	ok(goes_on(), "... goes on when that is thawed");
	ft__child_free(child);
	ok(!count_alive(tag), "... and nothing is left");
}

static void test_finish(void)
{
	struct ft__child *child = start("stubborn");
	struct ft__child_end end = {0};

	(void)goes_on();
	(void)ft__scope_freeze(scope, NULL);
	(void)await_frozen(child);
	ft__child_finish(child, 0.2);
	ok(await_end(child, &end) && WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL && !end.left,
	   "%s: frozen and deaf, it is ended in the end", scope->row->name);
	ok(end.cpu_s > 0 && ft__scope_cpu_s(scope) > 0, "... and what it used is told: %g s",
	   ft__scope_cpu_s(scope));
	ft__child_free(child);
}

/* Who is killed, or goes, without a word, takes all with him. */
static void test_deserted(void)
{
	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		struct ft__child *child = start("daemons");
		(void)goes_on();
		(void)ft__scope_freeze(scope, NULL);
		(void)await_frozen(child);
		(void)kill(getpid(), SIGKILL);
	}
	(void)waitpid(pid, NULL, 0);
	for (int i = 0; i < 1000 && count_alive(tag); i++)
		ft_clock_sleep(0.01);
	ok(!count_alive(tag), "%s: a manager is killed: what it had frozen is gone", scope->row->name);
	(void)ft__scope_thaw(scope, NULL);
}

/* A keeper is killed: what it kept is ended, where it stands, too, and what others keep goes on. */
static void test_lost(bool frozen)
{
	const char *const argv[] = {"/bin/sh", "-c", "sleep 1000; :", tag, NULL};
	struct ft__child *other = frozen ? NULL : start_words(argv), *child = start("daemons");
	struct ft__child_end end = {0};
	int64_t due_ns = 0;

	(void)goes_on();
	if (frozen) {
		(void)ft__scope_freeze(scope, NULL);
		(void)await_frozen(child);
	}
	(void)kill(ft__child_pid(child), SIGKILL);
	ok(await_end(child, &end) && WIFSIGNALED(end.status), "%s: a keeper is killed%s", scope->row->name,
	   frozen ? ", what it kept stands" : "");
	(void)ft__scope_thaw(scope, NULL);
	for (int i = 0; i < 3000 && due_ns != INT64_MAX; i++) {
		ft_clock_sleep(0.01);
		(void)ft__scope_clean(scope, &due_ns);
	}
	ok(ft__scope_clean(scope, &due_ns) && count_alive(tag) == (frozen ? 0 : 2),
	   "... what it kept is ended alone");
	ft__child_free(child);
	ft__child_free(other);
}

/* A measurement is frozen as a whole: neither the helper nor its guard takes the program for one that stopped
 * itself, which is ended after a second. */
static void test_run(void)
{
	char command[512];
	const char *const argv[] = {command,
				    "run",
				    "--json",
				    "--",
				    "/bin/sh",
				    "-c",
				    "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done",
				    tag,
				    NULL};
	struct ft__child_end end = {.status = -1};

	(void)snprintf(command, sizeof command, "%s/foretime", getenv("FORETIME_TEST_BUILD"));
	struct ft__child *child = start_words(argv);
	ft_clock_sleep(0.1);
	(void)ft__scope_freeze(scope, NULL);
	(void)await_frozen(child);
	ft_clock_sleep(1.2);
	(void)ft__scope_thaw(scope, NULL);
	if (!ok(await_end(child, &end) && WIFEXITED(end.status) && !WEXITSTATUS(end.status) && !end.left,
		"%s: a run that stood for longer than a second is measured", scope->row->name))
		diag("status %x, %s", end.status, ft__child_tail(child));
	ft__child_free(child);
}

/* Who wants more memory than is his is ended, and no one else; a measurement says that it did not fit. */
static void test_limit(void)
{
	char command[512];
	const char *const argv[] = {"/bin/sh", "-c",    "exec \"$@\" 2>&1",
				    "sh",      command, "run",
				    "--json",  "--",    program,
				    file,      "eat",   tag,
				    NULL};
	const char *line = "";
	bool answer = false;
	struct ft__child_end end = {0};

	if (test_sanitized()) {
		skip("memory that is wanted",
		     "sanitizers have memory of their own, and give what is not there");
		return;
	}
	(void)snprintf(command, sizeof command, "%s/foretime", getenv("FORETIME_TEST_BUILD"));
	if (!ft__scope_limit(scope, 200e6)) {
		ok(strstr(ft__scope_way(scope), "memory is not limited"),
		   "%s: memory is not limited, as is said", scope->row->name);
		(void)ft__scope_limit(scope, 0);
		return;
	}
	struct ft__child *child = start("eat");
	ok(await_end(child, &end) && WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL,
	   "%s: one that wants more memory than is its is ended: %x", scope->row->name, (unsigned)end.status);
	ft__child_free(child);
	child = start_words(argv);
	do {
		struct pollfd event = {.fd = ft__child_fd(child), .events = POLLIN};

		(void)poll(&event, 1, 10);
		while (ft__child_line(child, &line))
			answer = answer || strstr(line, "\"out of memory\"");
	} while (!ft__child_ended(child, &end));
	ok(answer, "... measured, it is out of memory");
	ft__child_free(child);
	(void)ft__scope_limit(scope, 0);
	child = start("eat");
	ok(await_end(child, &end) && WIFEXITED(end.status) && !WEXITSTATUS(end.status),
	   "... without a limit it is not: %x", (unsigned)end.status);
	ft__child_free(child);
}

static void test_way(const struct ft__scope_way *row)
{
	static const char *const word[] = {"one",      "daemons", "comet",   "births",   "wakers",
					   "headless", "vfork",   "stopped", "stubborn", "orphans"};
	struct ft_err why = {0};

	if (ft__scope_open(&scope, row, "test", &why)) {
		skip(row->name, why.text);
		return;
	}
	diag("%s", ft__scope_way(scope));
	for (size_t i = 0; i < (test_quick() ? 2 : sizeof word / sizeof *word); i++) {
		test_program(word[i]);
		/* The first with the least weight; the others would wait for long on a machine that is busy.
		 */
		ft__scope_weigh(scope, true);
	}
	test_born_frozen();
	test_finish();
	test_limit();
	test_deserted();
	test_run();
	test_lost(false);
	test_lost(true);
	ft__scope_free(scope);
}

int main(void)
{
	(void)snprintf(tag, sizeof tag, "foretime-test-scope-%d", (int)getpid());
	(void)snprintf(program, sizeof program, "%s/test/manager/child-restless",
		       getenv("FORETIME_TEST_BUILD"));
	(void)snprintf(file, sizeof file, "%s", temp_path("slots"));
	int fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, SLOTS * sizeof *slot))
		return 99;
	slot = mmap(NULL, SLOTS * sizeof *slot, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (size_t i = 0; ft__scope_ways[i]; i++)
		test_way(ft__scope_ways[i]);
	temp_remove();
	return done();
}
