/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes.c - which processes of others conditions hold by: /proc is looked through. Of those that do a few
 * are kept for each condition, whatever their number. */
#include "watch/processes.h"
#include "base/alloc.h"
#include "watch/users.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* So many entries of /proc are read at a time (some 3 us each), and others are served before the next ones.
 */
enum { ENTRIES = 2048, SETS_ROOM = 512 };

struct witness {
	pid_t pid;
	char name[FT__SHOWN_LENGTH];
	char user[FT__USER_LENGTH];
};

/* By whom conditions hold. */
struct set {
	struct witness *witness; /* [room] */
	size_t n;
	size_t *found; /* [n_conditions] how many of them hold each */
};

struct processes {
	DIR *dir;
	int proc; /* of dir */
	bool by_name, by_user;
	bool in_pass; /* /proc is being looked through */
	struct set now, next;
	size_t room;
	struct ft_seen_process *seen; /* [2 room] */
	struct ft__users users;
};

/* ---- one process --------------------------------------------------------------------------------------- */

static bool holds(const struct ft_condition *condition, const struct ft_seen_process *process)
{
	struct ft_seen seen = {.processes = process, .n_processes = 1};

	return ft_condition_holds(condition, &seen, NULL);
}

/* Whether any condition that has too few holds by it; with `take` each is told. */
static bool matches(struct ft__source *source, struct set *set, const struct ft_seen_process *process,
		    bool take)
{
	bool any = false;
	size_t i;

	for (i = 0; i < source->n_conditions && (take || !any); i++) {
		if (set->found[i] >= FT__WITNESSES || !holds(source->condition[i], process))
			continue;
		any = true;
		set->found[i] += take;
	}
	return any;
}

/* Gone is no failure. */
static bool is_gone(int error)
{
	return error == ENOENT || error == ESRCH;
}

static void keep(struct ft__source *source, struct set *set, const struct ft_seen_process *process)
{
	struct processes *state = source->state;
	struct witness *witness = &set->witness[set->n];

	if (set->n == state->room)
		return;
	(void)matches(source, set, process, true);
	witness->pid = process->pid;
	ft__name_show(process->name, witness->name);
	(void)snprintf(witness->user, sizeof witness->user, "%s", process->user);
	set->n++;
}

/* The user of a process, where a condition may hold by him or by its name. NULL: none does, or it is gone. */
static const struct ft__owner *user_of(struct ft__source *source, struct set *set, pid_t pid,
				       const char *name)
{
	struct processes *state = source->state;
	struct ft_seen_process process = {name, "", pid};
	struct ft__owner *user;
	char number[16];
	struct stat st;
	bool fresh;

	if (!state->by_user && !matches(source, set, &process, false))
		return NULL;
	/* The folder belongs to the effective user; files in it to root where a program may not be looked
	 * into. */
	(void)snprintf(number, sizeof number, "%d", (int)pid);
	if (fstatat(state->proc, number, &st, 0))
		return NULL;
	user = ft__owner_get(&state->users, st.st_uid, &fresh);
	process.user = user->name;
	return matches(source, set, &process, false) ? user : NULL;
}

/* False: it cannot be looked at, and why is said; one that is gone is no failure. */
static bool is_fine(struct ft__source *source, pid_t pid, bool read)
{
	if (read || !errno || is_gone(errno))
		return true;
	ft__source_cannot(source, "process %d cannot be looked at: %s", (int)pid, strerror(errno));
	return false;
}

/* Take in a process, where a condition holds by it. False as of is_fine. */
static bool examine(struct ft__source *source, struct set *set, pid_t pid)
{
	struct processes *state = source->state;
	const struct ft__owner *user;
	struct ft__stat stat;
	char name[17];
	bool read;

	errno = 0;
	read = ft__name_read(state->proc, pid, name) > 0;
	if (!read && errno)
		return is_fine(source, pid, read);
	user = user_of(source, set, pid, name);
	if (!user)
		return true;
	errno = 0;
	read = ft__stat_read(state->proc, pid, &stat);
	if (read && stat.state != 'Z' && stat.state != 'X' && !stat.kernel &&
	    !ft__is_ours(state->proc, source->ours, pid))
		keep(source, set, &(struct ft_seen_process){name, user->name, pid});
	return is_fine(source, pid, read);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void clear(struct ft__source *source, struct set *set)
{
	set->n = 0;
	memset(set->found, 0, source->n_conditions * sizeof *set->found);
}

static bool begin_pass(struct ft__source *source)
{
	struct processes *state = source->state;
	struct stat st;

	if (!state->dir) {
		ft__source_cannot(source, "there is no /proc");
		return false;
	}
	if (fstatat(state->proc, "1", &st, 0)) {
		ft__source_cannot(source, "/proc shows no process of others (mounted with hidepid?)");
		return false;
	}
	rewinddir(state->dir);
	clear(source, &state->next);
	state->in_pass = true;
	return true;
}

/* A part of /proc, or (whole) all that is left of it. False: it cannot be looked through. */
static bool go_on(struct ft__source *source, bool whole)
{
	struct processes *state = source->state;
	struct set done = state->next;
	size_t i;

	for (i = 0; whole || i < ENTRIES; i++) {
		struct dirent *entry;

		errno = 0;
		entry = readdir(state->dir);
		if (!entry && errno)
			ft__source_cannot(source, "/proc cannot be read: %s", strerror(errno));
		if (!entry && errno)
			return false;
		if (!entry) {
			state->next = state->now;
			state->now = done;
			state->in_pass = false;
			return true;
		}
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		if (!examine(source, &done, (pid_t)strtol(entry->d_name, NULL, 10)))
			return false;
	}
	state->next = done;
	return true;
}

static void tell_set(const struct set *set, struct ft_seen_process *seen, size_t *n)
{
	size_t i;

	for (i = 0; i < set->n; i++) {
		const struct witness *witness = &set->witness[i];

		seen[(*n)++] = (struct ft_seen_process){witness->name, witness->user, (int)witness->pid};
	}
}

static void look(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct processes *state = source->state;
	bool good = (state->in_pass && !fresh) || begin_pass(source);

	good = good && go_on(source, fresh);
	if (!good)
		state->in_pass = false;
	ft__source_due(source, state->in_pass ? 0 : FT__PATIENT_MS);
	seen->n_processes = 0;
	tell_set(&state->now, state->seen, &seen->n_processes);
	if (state->in_pass)
		tell_set(&state->next, state->seen, &seen->n_processes);
	seen->processes = state->seen;
}

/* ---- its state ----------------------------------------------------------------------------------------- */

static bool make_set(struct ft__source *source, struct set *set)
{
	struct processes *state = source->state;

	set->witness = ft_calloc(state->room, sizeof *set->witness);
	set->found = ft_calloc(source->n_conditions, sizeof *set->found);
	return set->witness && set->found;
}

static enum ft_status open_processes(struct ft__source *source, struct ft_err *err)
{
	struct processes *state = ft_calloc(1, sizeof *state);
	char path[PATH_MAX];
	size_t i;

	source->state = state;
	if (!state)
		return ft_nomem(err);
	for (i = 0; i < source->n_conditions; i++) {
		state->by_name = state->by_name || source->condition[i]->kind == FT_CONDITION_PROCESS;
		state->by_user = state->by_user || source->condition[i]->kind == FT_CONDITION_USER_PROCESS;
	}
	state->room = source->n_conditions * FT__WITNESSES;
	if (state->room > SETS_ROOM)
		state->room = SETS_ROOM;
	state->seen = ft_calloc(2 * state->room, sizeof *state->seen);
	if (!state->seen || !make_set(source, &state->now) || !make_set(source, &state->next))
		return ft_nomem(err);
	(void)snprintf(path, sizeof path, "%s/proc", source->root);
	state->dir = opendir(path);
	state->proc = state->dir ? dirfd(state->dir) : -1;
	return FT_OK;
}

static void close_processes(struct ft__source *source)
{
	struct processes *state = source->state;

	if (state->dir)
		(void)closedir(state->dir);
	ft_free(state->now.witness);
	ft_free(state->now.found);
	ft_free(state->next.witness);
	ft_free(state->next.found);
	ft_free(state->seen);
	ft_free(state);
}

const struct ft__source_ops ft__source_processes = {
	.name = "processes",
	.kinds = 1 << FT_CONDITION_PROCESS | 1 << FT_CONDITION_USER_PROCESS,
	.open = open_processes,
	.look = look,
	.close = close_processes,
	.by_root = true,
};
