/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope_group.c - a scope that is a control group: no process leaves it, and all stop at once. It is
 * frozen by cgroup.freeze of version 2 (Linux 5.2), else by the freezer of version 1; weighed by cpu.idle
 * (5.15), else by the smallest weight: of version 2 if our group may divide the processor, else of version
 * 1; and limited in memory by either version. Each may be missing without the rest. */
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/child.h"
#include "manager/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A scope that is a control group: no process leaves it, and all stop at once. It is frozen by
 * cgroup.freeze of version 2 (Linux 5.2), else by the freezer of version 1; weighed by cpu.idle (5.15),
 * else by the smallest weight: of version 2 if our group may divide the processor, else of version 1;
 * and limited in memory by either version. Each may be missing without the rest.
 */

struct scope_group {
	char hold[PATH_MAX];  /* the folder that stops */
	char weigh[PATH_MAX]; /* the folder that weighs: the same, another, or "" */
	char count[PATH_MAX]; /* the folder that counts processor time */
	char limit[PATH_MAX]; /* the folder that limits memory */
	bool first;           /* hold is of version 1 */
	int64_t wished_ns;    /* when it was frozen last */
	int events, epoll;    /* of version 2: cgroup.events, and the epoll that watches it; -1 */
};

/* ---- making -------------------------------------------------------------------------------------------- */

/* A group of that name below ours. Returns 0, or why not. */
static int make_group(const char *parent, const char *name, char folder[PATH_MAX])
{
	/* Groups that a killed manager left here are empty: their keepers ended the processes. */
	DIR *groups = opendir(parent);
	const struct dirent *entry;
	int pid;

	while (groups && (entry = readdir(groups)))
		if (sscanf(entry->d_name, "foretime-%d-", &pid) == 1 && kill(pid, 0) && errno == ESRCH)
			(void)unlinkat(dirfd(groups), entry->d_name, AT_REMOVEDIR);
	if (groups)
		(void)closedir(groups);
	int length = snprintf(folder, PATH_MAX, "%s/foretime-%d-%s", parent, (int)getpid(), name);
	if (length < 0 || length >= PATH_MAX - 32)
		return ENAMETOOLONG;
	return !mkdir(folder, 0755) || errno == EEXIST ? 0 : errno;
}

static bool has(const char *folder, const char *file)
{
	char path[PATH_MAX + 64];

	(void)snprintf(path, sizeof path, "%s/%s", folder, file);
	return !access(path, W_OK);
}

/* Leave our group, if we are alone in it. */
static void step_aside(const char *parent)
{
	char text[64], own[32], folder[PATH_MAX];

	(void)snprintf(own, sizeof own, "%d\n", (int)getpid());
	if (!ft__cgroup_read(parent, "cgroup.procs", text, sizeof text) || strcmp(text, own) != 0 ||
	    snprintf(folder, sizeof folder, "%s/foretime-manager", parent) >= PATH_MAX ||
	    (mkdir(folder, 0755) && errno != EEXIST))
		return;
	if (!ft__cgroup_write(folder, "cgroup.procs", "0"))
		(void)rmdir(folder);
}

/* Enable controllers of version 2 for the groups below this one, which requires that no process is in it.
 * If it has processes, controllers that support threads (cpu) can be enabled, but that makes it threaded,
 * and no process can enter the groups below. The root has no type, and no such rule. */
static void divide_controllers(const char *parent)
{
	static const char *const wanted[] = {"+cpu", "+io", "+memory"};
	char text[256];

	if (!ft__cgroup_read(parent, "cgroup.controllers", text, sizeof text))
		return;
	if (ft__cgroup_read(parent, "cgroup.type", text, sizeof text)) {
		step_aside(parent);
		errno = 0;
		if (ft__cgroup_read(parent, "cgroup.procs", text, sizeof text) || errno)
			return;
	}
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		(void)ft__cgroup_write(parent, "cgroup.subtree_control", wanted[i]);
}

/* Whether processes may be in a group, given the types of those above it. */
static bool may_enter(const char *folder)
{
	char text[64];

	return !ft__cgroup_read(folder, "cgroup.type", text, sizeof text) || !strcmp(text, "domain\n");
}

/* After stepping aside, ours is the one above. */
static bool find_parent(const char *controller, char parent[PATH_MAX], bool *top)
{
	static const char aside[] = "/foretime-manager";

	if (!ft__cgroup_find(0, controller, parent, top))
		return false;
	size_t length = strlen(parent);
	if (length > sizeof aside - 1 && !strcmp(parent + length - (sizeof aside - 1), aside))
		parent[length - (sizeof aside - 1)] = '\0';
	return true;
}

/* Version 2: it stops, and weighs where that is ours to give. */
static int make_second(struct scope_group *group, const char *name, bool *top)
{
	char parent[PATH_MAX];

	if (!find_parent(NULL, parent, top))
		return ENOENT;
	int failed = has(parent, "cgroup.procs") ? make_group(parent, name, group->hold) : EACCES;
	if (failed)
		return failed;
	divide_controllers(parent);
	if (!has(group->hold, "cgroup.freeze") || !has(group->hold, "cgroup.procs") ||
	    !may_enter(group->hold)) {
		(void)rmdir(group->hold);
		return ENOSYS;
	}
	(void)snprintf(group->count, PATH_MAX, "%s", group->hold);
	if (has(group->hold, "cpu.weight"))
		(void)snprintf(group->weigh, PATH_MAX, "%s", group->hold);
	if (has(group->hold, "memory.max"))
		(void)snprintf(group->limit, PATH_MAX, "%s", group->hold);
	return 0;
}

/* A folder of version 1, for one controller. */
static bool make_first(const char *controller, const char *name, const char *file, char folder[PATH_MAX],
		       bool *top)
{
	char parent[PATH_MAX];

	if (!ft__cgroup_find(0, controller, parent, top) || make_group(parent, name, folder)) {
		*folder = '\0';
		return false;
	}
	if (has(folder, file))
		return true;
	(void)rmdir(folder);
	*folder = '\0';
	return false;
}

/* epoll reports a change as urgent data, until it is read. */
static void watch_events(struct scope_group *group)
{
	struct epoll_event event = {.events = EPOLLPRI};
	char path[PATH_MAX + 32];

	group->events = group->epoll = -1;
	if (group->first)
		return;
	(void)snprintf(path, sizeof path, "%s/cgroup.events", group->hold);
	group->events = open(path, O_RDONLY | O_CLOEXEC);
	group->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (group->events < 0 || epoll_ctl(group->epoll, EPOLL_CTL_ADD, group->events, &event)) {
		(void)close(group->epoll);
		group->epoll = -1;
	}
}

/* group: taken; NULL: no memory. lacks: what it lacks, or NULL. */
static enum ft_status finish_scope(struct ft__scope *scope, struct scope_group *group, const char *name,
				   bool top, const char *lacks, struct ft_err *why)
{
	if (!group)
		return ft_nomem(why);
	if (lacks) {
		ft_free(group);
		return ft_fail(why, FT_EUNAVAIL, "no %s", lacks);
	}
	if (!*group->weigh)
		(void)make_first("cpu", name, "cpu.shares", group->weigh, &top);
	if (!*group->count)
		(void)make_first("cpuacct", name, "cpuacct.usage", group->count, NULL);
	if (!*group->limit)
		(void)make_first("memory", name, "memory.limit_in_bytes", group->limit, NULL);
	watch_events(group);
	scope->state = group;
	ft_text_add(&scope->way, "control group %s", group->hold);
	if (!*group->weigh)
		ft_text_add(&scope->way, ", weighed by session alone");
	else if (strcmp(group->weigh, group->hold) != 0)
		ft_text_add(&scope->way, ", weighed by %s", group->weigh);
	if (!*group->limit)
		ft_text_add(&scope->way, ", memory is not limited");
	/* The groups around it have weights of their own that limit it. */
	if (*group->weigh && !top)
		ft_text_add(&scope->way, ", yields within the group around it only");
	return FT_OK;
}

static enum ft_status open_second(struct ft__scope *scope, const char *name, struct ft_err *why)
{
	struct scope_group *group = ft_calloc(1, sizeof *group);
	char lacks[128];
	bool top = true;
	int failed = group ? make_second(group, name, &top) : 0;

	(void)snprintf(lacks, sizeof lacks, "control group: %s", strerror(failed));
	return finish_scope(scope, group, name, top, failed ? lacks : NULL, why);
}

/* A user's session lends its user no group: systemd, which may, gives us one. */
static enum ft_status open_systemd(struct ft__scope *scope, const char *name, struct ft_err *why)
{
	enum ft_status status = FT_EUNAVAIL;
	char unit[64];

	(void)snprintf(unit, sizeof unit, "foretime-manager-%d.scope", (int)getpid());
	if (ft__systemd_wanted(why))
		status = ft__systemd_move(unit, why);
	return status ? status : open_second(scope, name, why);
}

static enum ft_status open_first(struct ft__scope *scope, const char *name, struct ft_err *why)
{
	struct scope_group *group = ft_calloc(1, sizeof *group);
	bool made = group && make_first("freezer", name, "freezer.state", group->hold, NULL);

	if (group)
		group->first = true;
	return finish_scope(scope, group, name, true, made ? NULL : "freezer of version 1", why);
}

/* ---- weight -----------------------------------------------------------------------------------------------
 */

/* The smallest weight that exists; an idle group has it, too. To be frozen or ended, a process needs a
 * processor once more: with the smallest weight it waited for seconds next to eight busy loops. */
enum urgency { YIELDS, WORKS, URGENT };

static const char *const weight_of[2][3] = {{"2", "1024", "262144"},
					    {"1", "100", "10000"}}; /* version 1, 2 */

static bool weighs_second(const struct scope_group *group)
{
	return !strcmp(group->weigh, group->hold);
}

static const char *weight_file(const struct scope_group *group)
{
	return weighs_second(group) ? "cpu.weight" : "cpu.shares";
}

static bool set_weight(const struct scope_group *group, enum urgency urgency)
{
	if (!*group->weigh)
		return false;
	if (weighs_second(group))
		(void)ft__cgroup_write(group->weigh, "io.weight", urgency ? "default 100" : "default 1");
	bool done = ft__cgroup_write(group->weigh, "cpu.idle", urgency ? "0" : "1");
	return (done && !urgency) ||
	       ft__cgroup_write(group->weigh, weight_file(group), weight_of[weighs_second(group)][urgency]);
}

static bool weigh_group(struct ft__scope *scope, bool dedicated)
{
	/* A paused process needs no weight; it is weighed when it continues. */
	return set_weight(scope->state, scope->freezing ? URGENT : dedicated ? WORKS : YIELDS);
}

/* ---- its processes ------------------------------------------------------------------------------------- */

static void close_group(struct ft__scope *scope)
{
	struct scope_group *group = scope->state;

	if (group->events >= 0)
		(void)close(group->events);
	if (group->epoll >= 0)
		(void)close(group->epoll);
	/* Empty, for its children were freed; else it stays, and what is in it is the machine's trouble. */
	(void)rmdir(group->hold);
	(void)rmdir(group->weigh);
	(void)rmdir(group->count);
	(void)rmdir(group->limit);
	ft_free(group);
}

static void add_enter(struct ft__words *words, const char *folder)
{
	char path[PATH_MAX + 32];

	if (!*folder)
		return;
	(void)snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	ft__words_add(words, FT__KEEPER_ENTER);
	ft__words_add(words, path);
}

static void add_last(struct ft__words *words, const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX + 32];

	if (!*folder)
		return;
	(void)snprintf(path, sizeof path, "%s/%s", folder, file);
	ft__words_add(words, FT__KEEPER_LAST);
	ft__words_add(words, path);
	ft__words_add(words, text);
}

static void add_options(const struct ft__scope *scope, struct ft__words *words)
{
	const struct scope_group *group = scope->state;

	/* Each once. */
	const char *folder[] = {group->hold, group->weigh, group->count, group->limit};
	size_t k;

	for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
		for (k = 0; k < i && strcmp(folder[k], folder[i]) != 0;)
			k++;
		if (k == i)
			add_enter(words, folder[i]);
	}
	add_last(words, group->weigh, "cpu.idle", "0");
	add_last(words, group->weigh, weight_file(group), weight_of[weighs_second(group)][URGENT]);
	if (group->first)
		add_last(words, group->hold, "freezer.state", "THAWED");
}

static enum ft_status set_frozen(const struct scope_group *group, bool frozen, struct ft_err *err)
{
	if (ft__cgroup_write(group->hold, group->first ? "freezer.state" : "cgroup.freeze",
			     group->first ? (frozen ? "FROZEN" : "THAWED") : (frozen ? "1" : "0")))
		return FT_OK;
	return ft_fail_errno(err, errno, "cannot %s '%s'", frozen ? "freeze" : "thaw", group->hold);
}

static enum ft_status freeze(struct ft__scope *scope, struct ft_err *err)
{
	((struct scope_group *)scope->state)->wished_ns = ft_clock_ns();
	(void)set_weight(scope->state, URGENT);
	return set_frozen(scope->state, true, err);
}

static enum ft_status thaw(struct ft__scope *scope, struct ft_err *err)
{
	(void)weigh_group(scope, scope->dedicated);
	return set_frozen(scope->state, false, err);
}

static bool stands(struct ft__scope *scope, int64_t *since_ns)
{
	const struct scope_group *group = scope->state;
	char text[256] = "";

	/* The kernel does not report when: some milliseconds after the request. */
	*since_ns = group->first ? group->wished_ns : 0;
	if (group->first)
		return ft__cgroup_read(group->hold, "freezer.state", text, sizeof text) &&
		       !strncmp(text, "FROZEN", 6);
	if (group->events < 0 || pread(group->events, text, sizeof text - 1, 0) <= 0)
		return false;
	return strstr(text, "frozen 1");
}

static int events_fd(const struct ft__scope *scope)
{
	return ((const struct scope_group *)scope->state)->epoll;
}

static double cpu_s(const struct ft__scope *scope)
{
	const struct scope_group *group = scope->state;
	double usage_us = ft__cgroup_number(group->count, "cpu.stat", "usage_usec"), usage_ns;

	if (usage_us >= 0)
		return 1e-6 * usage_us;
	usage_ns = ft__cgroup_number(group->count, "cpuacct.usage", NULL);
	return usage_ns >= 0 ? 1e-9 * usage_ns : NAN;
}

/* No benchmark should wait for swapping, so memory that goes to swap does not count as available. */
static bool limit(struct ft__scope *scope, double bytes)
{
	const struct scope_group *group = scope->state;
	bool second = !strcmp(group->limit, group->hold);
	double has_bytes = ft__cgroup_number(group->limit, "memory.stat", second ? "anon" : "total_rss");
	char text[32];

	if (!*group->limit)
		return false;
	(void)snprintf(text, sizeof text, "%.0f", bytes + fmax(has_bytes, 0));
	(void)ft__cgroup_write(group->limit, second ? "memory.swap.max" : "memory.swappiness",
			       bytes > 0 ? "0"
			       : second  ? "max"
					 : "60");
	return ft__cgroup_write(group->limit, second ? "memory.max" : "memory.limit_in_bytes",
				bytes > 0 ? text
				: second  ? "max"
					  : "-1");
}

static void keep_group(struct ft__scope *scope, json_t *into)
{
	const struct scope_group *group = scope->state;

	(void)json_object_set_new(
		into, "groups",
		json_pack("[s, s, s, s]", group->hold, group->weigh, group->count, group->limit));
}

#define OF_A_GROUP                                                                                           \
	.close = close_group, .add_options = add_options, .freeze = freeze, .thaw = thaw, .stands = stands,  \
	.fd = events_fd, .cpu_s = cpu_s, .weigh = weigh_group, .limit = limit, .keep = keep_group

const struct ft__scope_way ft__scope_systemd = {.name = "systemd", .open = open_systemd, OF_A_GROUP};
const struct ft__scope_way ft__scope_group = {.name = "group", .open = open_second, OF_A_GROUP};
const struct ft__scope_way ft__scope_freezer = {.name = "freezer", .open = open_first, OF_A_GROUP};
