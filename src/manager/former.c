/* SPDX-License-Identifier: GPL-3.0-or-later */
/* former.c - ends what a manager left that was killed together with its keepers. Its state file is not
 * trusted, since as root we read it from the folder of a user: a group has to be in the file system of
 * groups, of our own user, and named as that manager named its own; a process has to be the user's. */
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/child.h"
#include "manager/keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Find what a killed keeper left behind through the parents of processes, and end it.
 */

/* Between two looks: what SIGKILL ends soon is gone soon, and what it does not end costs little. */
static const int64_t REST_NS = 1000000, MOST_NS = 1000000000;

/* A look that memory was out for did not see us. */
static bool is_whole(const struct ft__tree *tree)
{
	size_t at = ft__pid_place(tree->self, tree->found, tree->n_found, sizeof *tree->found);

	return at < tree->n_found && tree->found[at].pid == tree->self;
}

static bool add_before(struct ft__left *left, pid_t pid)
{
	pid_t *grown = ft_grow(left->before, left->n, &left->capacity, sizeof *grown);

	if (!grown)
		return false;
	left->before = grown;
	left->before[left->n++] = pid;
	return true;
}

enum ft_status ft__left_open(struct ft__left *left, struct ft_err *err)
{
	struct ft__tree *tree = &left->tree;
	bool good = true;

	*left = (struct ft__left){0};
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)ft__tree_open(tree, "");
	ft__tree_scan(tree, 0);
	bool whole = tree->proc < 0 || is_whole(tree);
	for (size_t i = 0; i < tree->n_found && good; i++)
		if (tree->found[i].parent == tree->self)
			good = add_before(left, tree->found[i].pid);
	if (good && whole)
		return FT_OK;
	ft__left_close(left);
	return ft_nomem(err);
}

void ft__left_close(struct ft__left *left)
{
	ft__tree_close(&left->tree);
	ft_free(left->before);
	left->before = NULL;
	left->n = left->capacity = 0;
}

void ft__left_expect(struct ft__left *left)
{
	left->moves = true;
	left->look_ns = ft_clock_ns();
	left->rest_ns = REST_NS;
}

/* The child of ours from which it descends; 0: somebody between has just ended. */
static pid_t branch_of(const struct ft__tree *tree, const struct ft__tree_process *process)
{
	for (size_t steps = 0; process->parent != tree->self; steps++) {
		size_t at = ft__pid_place(process->parent, tree->found, tree->n_found, sizeof *tree->found);
		if (steps > tree->n_found || at >= tree->n_found || tree->found[at].pid != process->parent)
			return 0;
		process = &tree->found[at];
	}
	return process->pid;
}

static bool is_left_alone(const struct ft__left *left, const struct ft__scoped *keepers, pid_t branch)
{
	for (; keepers; keepers = keepers->next)
		if (keepers->keeper == branch)
			return true;
	for (size_t i = 0; i < left->n; i++)
		if (left->before[i] == branch)
			return true;
	return false;
}

bool ft__left_end(struct ft__left *left, const struct ft__scoped *keepers)
{
	struct ft__tree *tree = &left->tree;

	left->moves = false;
	ft__tree_scan(tree, 0);
	bool some = tree->proc >= 0 && !is_whole(tree);
	for (size_t i = 0; i < tree->n_found; i++) {
		const struct ft__tree_process *process = &tree->found[i];

		if (process->mark != FT__TREE_OURS || process->pid == tree->self)
			continue;
		pid_t branch = branch_of(tree, process);
		if (branch && is_left_alone(left, keepers, branch))
			continue;
		some = true;
		if (branch) {
			/* A process that waits in the kernel runs no more user code after SIGKILL, so
			 * benchmarks do not wait for its end. */
			(void)kill(process->pid, SIGKILL);
			if (process->state == 'Z' && process->parent == left->tree.self)
				(void)waitpid(process->pid, NULL, WNOHANG | __WALL);
			left->moves = left->moves || (process->state != 'Z' && process->state != 'D');
		}
	}
	left->look_ns = some ? ft_clock_ns() + left->rest_ns : 0;
	left->rest_ns = 2 * left->rest_ns < MOST_NS ? 2 * left->rest_ns : MOST_NS;
	return !some;
}

/*
 * Ends what a manager left that was killed together with its keepers. Its state file is not trusted,
 * since as root we read it from the folder of a user: a group has to be in the file system of groups, of
 * our own user, and named as that manager named its own; a process has to be the user's.
 */

enum { GROUPS = 0x27e0eb, GROUPS_2 = 0x63677270 /* statfs(2) */ };

enum { LOOKS = 300 };
static const double REST_S = 0.01;

/* ---- identity of the manager
   ---------------------------------------------------------------------------------------- */

static void read_boot(char boot[64])
{
	boot[0] = '\0';
	(void)ft__cgroup_read("/proc/sys/kernel/random", "boot_id", boot, 64);
	boot[strcspn(boot, "\n")] = '\0';
}

/* proc(5): field 22, in ticks since the machine began; the rest begins with field 3. -1: it is gone, or a
 * zombie is left of it. */
static long long start_of(pid_t pid)
{
	char folder[32], text[1024], state = 'Z';
	const char *rest;
	long long ticks = -1;

	(void)snprintf(folder, sizeof folder, "/proc/%d", (int)pid);
	if (!ft__cgroup_read(folder, "stat", text, sizeof text) || !(rest = strrchr(text, ')')))
		return -1;
	(void)sscanf(rest + 1,
		     " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %lld",
		     &state, &ticks);
	return state == 'Z' || state == 'X' ? -1 : ticks;
}

json_t *ft__former_process(pid_t pid)
{
	return json_pack("[i, I]", (int)pid, (json_int_t)start_of(pid));
}

json_t *ft__former_keep(struct ft__scope *scope)
{
	char boot[64];

	read_boot(boot);
	json_t *kept = json_pack("{s:s, s:o}", "boot", boot, "manager", ft__former_process(getpid()));
	if (kept)
		scope->row->keep(scope, kept);
	return kept;
}

/* false: what stands there is no process. */
static bool read_process(const json_t *kept, pid_t *pid, long long *start)
{
	*pid = (pid_t)json_integer_value(json_array_get(kept, 0));
	*start = json_integer_value(json_array_get(kept, 1));
	return *pid > 1 && *start >= 0;
}

/* Whether a process may still be responsible for it: that manager, or another one of its number. */
static bool is_there(pid_t pid, long long start)
{
	long long now = start_of(pid);
	char folder[32], name[32];

	(void)snprintf(folder, sizeof folder, "/proc/%d", (int)pid);
	if (now < 0 || now == start || pid == getpid())
		return now >= 0 && now == start;
	return ft__cgroup_read(folder, "comm", name, sizeof name) && !strncmp(name, "foretime", 8);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

/* Its folder, open; -1: it is gone, or not of that manager. */
static int open_group(const char *folder, pid_t manager)
{
	const char *name = folder ? strrchr(folder, '/') : NULL;
	int pid, fd = -1;
	struct statfs fs;
	struct stat st;

	if (folder && name && sscanf(name, "/foretime-%d-", &pid) == 1 && pid == manager)
		fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!fstatfs(fd, &fs) && (fs.f_type == GROUPS || fs.f_type == GROUPS_2) && !fstat(fd, &st) &&
	    st.st_uid == geteuid())
		return fd;
	(void)close(fd);
	return -1;
}

/* SIGKILL to all in it, as far as they are seen at once. Returns whether there were any. */
static bool kill_group(const char *folder, pid_t manager)
{
	char at[32], text[8192], *next = text, *end;
	int fd = open_group(folder, manager);
	bool some = false;
	long pid;

	if (fd < 0)
		return false;
	(void)snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
	(void)ft__cgroup_read(at, "cgroup.procs", text, sizeof text);
	for (; (pid = strtol(next, &end, 10)) > 0; next = end) {
		some = true;
		(void)kill((pid_t)pid, SIGKILL);
	}
	if (some) {
		/* To end, a process needs a processor, which the least weight would delay for long; in
		 * version 1 it ends only when it is thawed. */
		static const char *const quick[][2] = {{"cpu.idle", "0"},        {"cpu.weight", "10000"},
						       {"cpu.shares", "262144"}, {"cgroup.kill", "1"},
						       {"cgroup.freeze", "0"},   {"freezer.state", "THAWED"}};

		for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
			(void)ft__cgroup_write(at, quick[i][0], quick[i][1]);
	}
	(void)close(fd);
	return some;
}

/* One look at all of them. Returns in how many something was. */
static size_t end_groups(const json_t *kept, pid_t manager)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(kept); i++)
		n += kill_group(json_string_value(json_array_get(kept, i)), manager);
	return n;
}

/* ---- processes ----------------------------------------------------------------------------------------- */

static bool may_end(pid_t pid, uid_t user)
{
	char folder[32];
	struct stat st;

	(void)snprintf(folder, sizeof folder, "/proc/%d", (int)pid);
	return geteuid() || (!stat(folder, &st) && st.st_uid == user);
}

/* By a descriptor: its number may be another's any moment. Returns whether it lived. */
static bool end_process(const json_t *kept, uid_t user)
{
	long long start;
	pid_t pid;
	int fd = read_process(kept, &pid, &start) ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

	if (fd < 0)
		return false;
	bool lives = start_of(pid) == start && may_end(pid, user) &&
		     !syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
	(void)close(fd);
	return lives;
}

static size_t end_processes(const json_t *kept, uid_t user)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(kept); i++)
		n += end_process(json_array_get(kept, i), user);
	return n;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

size_t ft__former_end(const json_t *kept, uid_t user, size_t *left)
{
	const json_t *groups = json_object_get(kept, "groups"),
		     *processes = json_object_get(kept, "processes");
	const char *before = json_string_value(json_object_get(kept, "boot"));
	size_t ended;
	long long start;
	char boot[64];
	pid_t manager;

	*left = 0;
	read_boot(boot);
	if (!before || strcmp(before, boot) != 0 ||
	    !read_process(json_object_get(kept, "manager"), &manager, &start) || is_there(manager, start))
		return 0;
	ended = *left = end_processes(processes, user) + end_groups(groups, manager);
	for (size_t i = 0; *left && i < LOOKS; i++) {
		ft_clock_sleep(REST_S);
		*left = end_processes(processes, user) + end_groups(groups, manager);
	}
	/* Those that are empty; its own stay, where this has that manager's number. */
	for (size_t i = 0; manager != getpid() && i < json_array_size(groups); i++) {
		const char *folder = json_string_value(json_array_get(groups, i));
		int fd = open_group(folder, manager);

		if (fd < 0)
			continue;
		(void)rmdir(folder);
		(void)close(fd);
	}
	return ended;
}
