/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c - runs all sources: which has events, and which has to rest. */
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/base.h"
#include "watch/source.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void ft__name_show(const char *name, char *shown, size_t size)
{
	size_t left = strlen(name), length = 0;

	shown[0] = '\0';
	while (left && length + FT_CHARACTER_LENGTH <= size) {
		size_t taken = ft_character_show(name, left, shown + length);

		if (!taken || *name == '\n' || *name == '\t') { /* also one that the kernel has cut */
			(void)snprintf(shown + length, FT_CHARACTER_LENGTH, "\\x%02x",
				       (unsigned)(unsigned char)*name);
			taken = 1;
		}
		length += strlen(shown + length);
		name += taken;
		left -= taken;
	}
}

/* Per condition: one suffices to make it hold, and while more are left no search is needed when one ends.
 * With many conditions each has one. */
enum { FT__WITNESSES = 8, FT__WITNESSES_ALL = 512 };

/*
 * Processes that make conditions hold.
 */

enum ft_status ft__witnesses_init(struct ft__witnesses *set, const struct ft__source *source,
				  struct ft_err *err)
{
	set->condition = source->condition;
	set->n_conditions = source->n_conditions;
	set->most = source->n_conditions * FT__WITNESSES > FT__WITNESSES_ALL ? 1 : FT__WITNESSES;
	set->room = source->n_conditions * set->most;
	set->witness = ft_calloc(set->room, sizeof *set->witness);
	set->found = ft_calloc(set->n_conditions, sizeof *set->found);
	return set->witness && set->found ? FT_OK : ft_nomem(err);
}

static void let_go(struct ft__witness *witness)
{
	if (witness->end >= 0)
		(void)close(witness->end);
}

void ft__witnesses_empty(struct ft__witnesses *set)
{
	for (size_t i = 0; i < set->n; i++)
		let_go(&set->witness[i]);
	for (size_t i = 0; i < set->n_conditions; i++)
		set->found[i] = 0;
	set->n = 0;
}

void ft__witnesses_clear(struct ft__witnesses *set)
{
	for (size_t i = 0; i < set->n; i++)
		let_go(&set->witness[i]);
	ft_free(set->witness);
	ft_free(set->found);
	*set = (struct ft__witnesses){0};
}

bool ft__condition_holds_by(const struct ft_condition *condition, const struct ft_seen_process *process)
{
	struct ft_seen seen = {.processes = process, .n_processes = 1};

	return ft_condition_holds(condition, &seen, NULL);
}

bool ft__witnesses_want(const struct ft__witnesses *set, const struct ft_seen_process *process)
{
	for (size_t i = 0; i < set->n_conditions; i++)
		if (set->found[i] < set->most && ft__condition_holds_by(set->condition[i], process))
			return true;
	return false;
}

/* The name as conditions have it, of which the kernel may have cut a character into two; NULL: they do not.
 */
static const char *name_in(const struct ft__witnesses *set, const struct ft_seen_process *process)
{
	for (size_t i = 0; i < set->n_conditions; i++) {
		struct ft_condition one = *set->condition[i];

		one.n_names = 1;
		for (size_t k = 0; one.kind == FT_CONDITION_PROCESS && k < set->condition[i]->n_names;
		     k++, one.names++)
			if (ft__condition_holds_by(&one, process))
				return *one.names;
	}
	return NULL;
}

struct ft__witness *ft__witnesses_add(struct ft__witnesses *set, const struct ft_seen_process *process)
{
	struct ft__witness *witness = &set->witness[set->n];

	for (size_t i = 0; i < set->n; i++)
		if (set->witness[i].pid == process->pid)
			return NULL;
	if (set->n == set->room)
		return NULL;
	witness->pid = process->pid;
	witness->end = -1;
	ft__name_show(process->name, witness->shown, sizeof witness->shown);
	witness->name = name_in(set, process);
	(void)snprintf(witness->user, sizeof witness->user, "%s", process->user);
	for (size_t i = 0; i < set->n_conditions; i++)
		set->found[i] += ft__condition_holds_by(set->condition[i], process);
	set->n++;
	return witness;
}

static struct ft_seen_process seen_as(const struct ft__witness *witness)
{
	return (struct ft_seen_process){witness->name ? witness->name : witness->shown, witness->user,
					(int)witness->pid};
}

bool ft__witnesses_drop(struct ft__witnesses *set, size_t i)
{
	struct ft_seen_process process = seen_as(&set->witness[i]);
	bool bare = false;

	for (size_t k = 0; k < set->n_conditions; k++)
		if (ft__condition_holds_by(set->condition[k], &process) && !--set->found[k])
			bare = true;
	let_go(&set->witness[i]);
	set->witness[i] = set->witness[--set->n];
	return bare;
}

void ft__witnesses_tell(const struct ft__witnesses *set, struct ft_seen_process *seen, size_t *n)
{
	for (size_t i = 0; i < set->n; i++)
		seen[(*n)++] = seen_as(&set->witness[i]);
}

/*
 * Cached names of users.
 */

enum { ENTRY_BYTES = 16384 };

struct ft__owner *ft__owner_get(struct ft__users *users, uid_t uid, bool *fresh)
{
	struct ft__owner *user = &users->user[uid % FT__USERS_KEPT];

	*fresh = !user->known || user->uid != uid;
	if (*fresh) {
		*user = (struct ft__owner){.uid = uid, .known = true};
		char bytes[ENTRY_BYTES];
		struct passwd entry, *found = NULL;

		if (!getpwuid_r(user->uid, &entry, bytes, sizeof bytes, &found) && found && *found->pw_name)
			(void)snprintf(user->name, sizeof user->name, "%s", found->pw_name);
		else
			(void)snprintf(user->name, sizeof user->name, "%u", (unsigned)user->uid);
	}
	return user;
}

/*
 * Runs all sources: which has events, and which has to rest.
 */

/* A row for each, which is all that refers to it. */
static const struct ft__source_ops *const rows[] = {
	&ft__source_battery, &ft__source_files, &ft__source_load, &ft__source_logins, &ft__source_processes,
};
enum { SOURCES = sizeof rows / sizeof *rows };

/* A source takes at most a fiftieth of a processor; unused time may be used at once later, up to BURST_NS.
 * It never rests for longer than REST_NS: then more is taken, as doc/manager.md describes. */
enum { SHARE = 50, BURST_NS = 50000000, REST_NS = 1000000000 };

struct ft__watch {
	int epoll;
	struct ft__ours ours;
	struct ft_seen seen;
	const struct ft_condition **condition; /* [n_conditions] grouped by source */
	struct ft__source source[SOURCES];
};

/* ---- needs ------------------------------------------------------------------------------------ */

/* The conditions of some kinds; out may be NULL. Returns how many there are. */
static size_t collect_conditions(const struct ft__watch_needs *needs, unsigned kinds,
				 const struct ft_condition **out)
{
	size_t n = 0;

	for (size_t i = 0; i < needs->n; i++)
		for (size_t k = 0; k < needs->policies[i]->n; k++) {
			const struct ft_policy *policy = &needs->policies[i]->policy[k];

			for (size_t c = 0; c < policy->n_conditions; c++) {
				if (!(kinds >> policy->conditions[c].kind & 1))
					continue;
				if (out)
					out[n] = &policy->conditions[c];
				n++;
			}
		}
	return n;
}

static enum ft_status open_source(struct ft__watch *watch, struct ft__source *source,
				  const struct ft__source_ops *ops, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

	source->ops = ops;
	source->due_ns = source->early_ns = FT_NEVER;
	source->fresh = true;
	source->ours = &watch->ours;
	source->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (source->epoll < 0 || epoll_ctl(watch->epoll, EPOLL_CTL_ADD, source->epoll, &event))
		return ft_fail_errno(err, errno, "cannot watch the background load");
	return ops->open(source, err);
}

enum ft_status ft__watch_new(struct ft__watch **out, const struct ft__watch_needs *needs, struct ft_err *err)
{
	struct ft__watch *watch = ft_calloc(1, sizeof *watch);
	enum ft_status status;

	*out = NULL;
	if (!watch)
		return ft_nomem(err);
	for (size_t i = 0; i < SOURCES; i++)
		watch->source[i].epoll = -1;
	for (size_t i = 0; i < FT_CONDITIONS; i++)
		watch->seen.unseen[i] = "no condition needed it";
	watch->ours.self = getpid();
	watch->condition = ft_calloc(collect_conditions(needs, ~0U, NULL) + 1, sizeof *watch->condition);
	watch->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!watch->condition) {
		status = ft_nomem(err);
	} else if (watch->epoll < 0) {
		status = ft_fail_errno(err, errno, "cannot watch the background load");
	} else {
		const struct ft_condition **at = watch->condition;
		status = FT_OK;

		for (size_t i = 0; i < SOURCES && !status; i++) {
			struct ft__source *source = &watch->source[i];

			source->root = needs->root ? needs->root : "";
			source->events = !*source->root && !needs->timers;
			source->condition = at;
			source->n_conditions = collect_conditions(needs, rows[i]->kinds, at);
			at += source->n_conditions;
			if (source->n_conditions)
				status = open_source(watch, source, rows[i], err);
		}
	}
	if (status)
		ft__watch_free(watch);
	else
		*out = watch;
	return status;
}

void ft__watch_free(struct ft__watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < SOURCES; i++) {
		struct ft__source *source = &watch->source[i];

		if (source->ops && source->state)
			source->ops->close(source);
		if (source->epoll >= 0)
			(void)close(source->epoll);
	}
	if (watch->epoll >= 0)
		(void)close(watch->epoll);
	ft_free(watch->condition);
	ft_free(watch);
}

/* ---- functions for sources
   ------------------------------------------------------------------------------- */

bool ft__source_listen(struct ft__source *source, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return !epoll_ctl(source->epoll, EPOLL_CTL_ADD, fd, &event);
}

void ft__source_due(struct ft__source *source, int64_t ms)
{
	int64_t at_ns = source->now_ns + ms * 1000000;

	if (at_ns < source->due_ns)
		source->due_ns = at_ns;
}

void ft__source_early(struct ft__source *source, int64_t ms)
{
	source->early_ns = source->now_ns + ms * 1000000;
}

void ft__source_cannot(struct ft__source *source, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(source->why, sizeof source->why, format, args);
	va_end(args);
}

/* ---- looking ------------------------------------------------------------------------------------------- */

/* It is heard again, or (until_ns > 0) not before then. */
static void let_rest(struct ft__watch *watch, struct ft__source *source, int64_t until_ns)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

	if (!until_ns == !source->rested_ns)
		return;
	/* One that cannot be heard again is looked at all the same. */
	if (epoll_ctl(watch->epoll, until_ns ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, source->epoll, &event) &&
	    !until_ns)
		until_ns = source->now_ns + REST_NS;
	source->rested_ns = until_ns;
}

static void look_at_source(struct ft__watch *watch, struct ft__source *source, int64_t now_ns)
{
	int64_t began_ns = ft_clock_spent_ns();
	bool fresh = source->fresh;

	source->now_ns = now_ns;
	let_rest(watch, source, 0);
	source->due_ns = source->early_ns = FT_NEVER;
	source->why[0] = '\0';
	source->fresh = false;
	source->ops->look(source, &watch->seen, fresh);
	for (unsigned kind = 0; kind < FT_CONDITIONS; kind++)
		if (source->ops->kinds >> kind & 1)
			watch->seen.unseen[kind] = *source->why ? source->why : NULL;
	/* The time that it took, minus its share since its last look. */
	int64_t debt_ns = source->debt_ns - (source->now_ns - source->looked_ns) / SHARE;
	bool first = !source->looked_ns; /* that is initialisation, not watching */

	source->looked_ns = source->now_ns;
	if (first)
		return;
	source->debt_ns = (debt_ns > 0 ? debt_ns : 0) + (ft_clock_spent_ns() - began_ns);
	if (source->debt_ns <= BURST_NS)
		return;
	if (source->debt_ns > BURST_NS + REST_NS / SHARE)
		source->debt_ns = BURST_NS + REST_NS / SHARE;
	let_rest(watch, source, source->now_ns + (source->debt_ns - BURST_NS) * SHARE);
}

static bool is_due(const struct ft__source *source, int64_t now_ns, bool heard)
{
	if (source->rested_ns)
		return now_ns >= source->rested_ns;
	return heard || source->fresh || now_ns >= source->due_ns || now_ns >= source->early_ns;
}

const struct ft_seen *ft__watch_look(struct ft__watch *watch)
{
	struct epoll_event event[SOURCES];
	int64_t now_ns = ft_clock_ns();
	int i, n = epoll_wait(watch->epoll, event, SOURCES, 0);
	bool heard[SOURCES] = {false};

	for (i = 0; i < n; i++)
		heard[(struct ft__source *)event[i].data.ptr - watch->source] = true;
	for (i = 0; i < SOURCES; i++) {
		struct ft__source *source = &watch->source[i];

		if (source->ops && is_due(source, now_ns, heard[i]))
			look_at_source(watch, source, now_ns);
	}
	return &watch->seen;
}

void ft__watch_count(struct ft__watch *watch, double (*count)(void *ctx), void *ctx)
{
	watch->ours.count = count;
	watch->ours.ctx = ctx;
}

int ft__watch_fd(const struct ft__watch *watch)
{
	return watch->epoll;
}

int ft__watch_wait_ms(const struct ft__watch *watch)
{
	int64_t due_ns = FT_NEVER;

	for (size_t i = 0; i < SOURCES; i++) {
		const struct ft__source *source = &watch->source[i];
		int64_t at_ns = source->rested_ns ? source->rested_ns : source->fresh ? 0 : source->due_ns;

		if (source->ops && at_ns < due_ns)
			due_ns = at_ns;
	}
	if (due_ns == FT_NEVER)
		return -1;
	int64_t left_ns = due_ns - ft_clock_ns();
	return left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0;
}
