/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A manager and its keepers are killed at once while all stands still: the next one finds what they left, and
 * nothing else. In each way that there is here. */
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
#include <unistd.h>

enum { SLOTS = 256 };

static char tag[64], file[256], program[512];

static void listen(struct ft__scope *scope, struct ft__child *child, int ms)
{
	struct pollfd event[] = {{.fd = ft__child_fd(child), .events = POLLIN},
				 {.fd = ft__scope_fd(scope), .events = POLLIN}};
	struct ft__child_end end;

	(void)poll(event, 2, ms);
	(void)ft__child_ended(child, &end);
	(void)ft__scope_frozen(scope);
}

/* What a manager does until it is killed: daemons that stand still, and what it writes down of them. */
static void manage(const struct ft__scope_way *row, const volatile uint64_t *slot)
{
	const char *const argv[] = {program, file, "daemons", tag, NULL};
	struct ft__child_options options = {.argv = argv, .as_root = true};
	struct ft__child *child;
	char text[32];

	if (ft__scope_open(&options.scope, row, "test", NULL))
		_exit(77);
	if (ft__child_start(&child, &options, NULL))
		_exit(99);
	for (int i = 0; i < 3000 && !(slot[0] && slot[1] && slot[2] && slot[3] && slot[4] && slot[5]); i++)
		listen(options.scope, child, 10);
	(void)ft__scope_freeze(options.scope, NULL);
	for (int i = 0; i < 3000 && !ft__scope_frozen(options.scope); i++)
		listen(options.scope, child, 10);
	(void)json_dump_file(ft__former_keep(options.scope), temp_path("kept.new"), 0);
	(void)snprintf(text, sizeof text, "%d", (int)ft__child_pid(child));
	(void)temp_write(temp_path("keeper"), text, 0600);
	(void)rename(temp_path("kept.new"), temp_path("kept"));
	for (;;)
		(void)pause();
}

static json_t *begin(const struct ft__scope_way *row, const volatile uint64_t *slot, pid_t *manager)
{
	int status = 0;

	(void)unlink(temp_path("kept"));
	memset((void *)(uintptr_t)slot, 0, SLOTS * sizeof *slot);
	(void)fflush(NULL);
	*manager = fork();
	if (!*manager)
		manage(row, slot);
	for (int i = 0; i < 6000 && access(temp_path("kept"), F_OK); i++) {
		if (waitpid(*manager, &status, WNOHANG) == *manager)
			return NULL;
		ft_clock_sleep(0.01);
	}
	return json_load_file(temp_path("kept"), 0, NULL);
}

static pid_t keeper_of(void)
{
	FILE *from = fopen(temp_path("keeper"), "r");
	int pid = 0;

	if (from && fscanf(from, "%d", &pid) != 1)
		pid = 0;
	if (from)
		(void)fclose(from);
	return pid;
}

/* At once, as far as either can see. */
static void kill_both(pid_t manager)
{
	(void)kill(manager, SIGSTOP);
	(void)kill(keeper_of(), SIGKILL);
	(void)kill(manager, SIGKILL);
	(void)waitpid(manager, NULL, 0);
}

/* Who was only frozen hears nothing of it for ever. */
static bool is_left(void)
{
	ft_clock_sleep(0.2);
	return count_alive(tag) > 0;
}

static void test_way(const struct ft__scope_way *row, const volatile uint64_t *slot)
{
	pid_t manager;
	json_t *kept = begin(row, slot, &manager), *other;
	size_t left;

	if (!kept) {
		skip(row->name, "there is no such way here");
		return;
	}
	ok(!ft__former_end(kept, geteuid(), &left) && is_left(), "%s: a manager that lives keeps what is its",
	   row->name);
	kill_both(manager);
	ok(is_left(), "... killed with its keeper it leaves what stands still");
	other = json_deep_copy(kept);
	(void)json_object_set_new(other, "boot", json_string("another one"));
	ok(!ft__former_end(other, geteuid(), &left) && is_left(), "... of another boot nothing is ended");
	json_decref(other);
	size_t ended = ft__former_end(kept, geteuid(), &left);
	ok(ended > 0 && !left && !count_alive(tag), "... which the next one ends: %zu", ended);
	ok(!ft__former_end(kept, geteuid(), &left), "... once");
	json_decref(kept);
}

/* What a manager that is gone could have written down, with this in it. */
static json_t *make(json_t *groups, json_t *processes)
{
	FILE *from = fopen("/proc/sys/kernel/random/boot_id", "r");
	char boot[64] = "";

	if (from && fscanf(from, "%63s", boot) != 1)
		boot[0] = '\0';
	if (from)
		(void)fclose(from);
	return json_pack("{s:s, s:[i, i], s:o, s:o}", "boot", boot, "manager", 999999999, 1, "groups", groups,
			 "processes", processes);
}

/* It may be anybody's invention, and name what is not that manager's. */
static void test_forged(void)
{
	json_t *forged = make(json_pack("[s, s, s, s, s, i]", "/sys/fs/cgroup", "/sys/fs/cgroup/unified",
					"/tmp/foretime-999999999-x", "", "foretime-999999999-test", 7),
			      json_pack("[[i, i], [s], [i, i], i]", (int)getpid(), 1, "x", 1, 1, 7));
	size_t left;

	ok(!ft__former_end(forged, geteuid(), &left) && !left, "of what is forged nothing is ended");
	ok(!ft__former_end(NULL, geteuid(), &left) && !left, "nor where nothing is known");
	json_decref(forged);
}

/* As root only processes of the configuration's user are ended one by one. */
static void test_other_user(void)
{
	size_t left;

	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid)
		for (;;)
			(void)pause();
	json_t *kept = make(json_array(), json_pack("[o]", ft__former_process(pid)));
	if (geteuid())
		skip("another user's process", "no root");
	else
		ok(!ft__former_end(kept, 65534, &left) && !waitpid(pid, NULL, WNOHANG),
		   "another user's process is not ended");
	ok(ft__former_end(kept, geteuid(), &left) == 1 && !left, "one that is his is");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	json_decref(kept);
}

int main(void)
{
	volatile uint64_t *slot;
	size_t i;
	int fd;

	(void)snprintf(tag, sizeof tag, "foretime-test-former-%d", (int)getpid());
	(void)snprintf(program, sizeof program, "%s/test/manager/child-restless",
		       getenv("FORETIME_TEST_BUILD"));
	(void)snprintf(file, sizeof file, "%s", temp_path("slots"));
	fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, SLOTS * sizeof *slot))
		return 99;
	slot = mmap(NULL, SLOTS * sizeof *slot, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (i = 0; ft__scope_ways[i]; i++)
		test_way(ft__scope_ways[i], slot);
	test_forged();
	test_other_user();
	temp_remove();
	return done();
}
