/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.c - inside the keeper: all its descendants stopped by signals, and kept so.
 *
 * A process to which SIGSTOP was sent makes no step outside the kernel, but it may be about to fork there,
 * and then does; once it has stopped it cannot. Others may be born while we read, or move to the keeper when
 * their parent ends. So it stands still when a whole pass finds nobody who has not stopped, and none who
 * began during it has not either, and is looked at from time to time afterwards: anybody may send SIGCONT.
 */
#include "manager/hold.h"
#include "base/alloc.h"
#include "base/clock.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* So many numbers are looked at one by one, and so many times. */
enum { YOUNG_MOST = 100 };

/* Between two passes: none after the first, for who rests waits for a processor again. */
static const int64_t REST_NS = 200000, MOVING_REST_NS = 5000000, STILL_REST_NS = 1000000000;

void ft__hold_open(struct ft__hold *hold)
{
	(void)ft__tree_open(&hold->tree, "");
}

void ft__hold_begin(struct ft__hold *hold)
{
	hold->still_ns = 0;
	hold->look_ns = ft_clock_ns();
	hold->rest_ns = 0;
}

static bool is_held(const struct ft__hold *hold, pid_t pid)
{
	for (size_t i = 0; i < hold->n; i++)
		if (hold->held[i] == pid)
			return true;
	return false;
}

/* A process whose first thread has ended is a zombie by its state, and lives in the others. Whether it has a
 * thread; stands: whether these all stand. */
static bool has_threads(const struct ft__hold *hold, pid_t pid, bool *stand)
{
	char name[64], text[512], *rest;
	DIR *folder;
	struct dirent *entry;
	bool some = false;

	*stand = true;
	(void)snprintf(name, sizeof name, "/proc/%d/task", (int)pid);
	folder = opendir(name);
	while (folder && (entry = readdir(folder))) {
		(void)snprintf(name, sizeof name, "%d/task/%.20s/stat", (int)pid, entry->d_name);
		if (*entry->d_name == '.' || !ft__tree_read(hold->tree.proc, name, text, sizeof text) ||
		    !(rest = strrchr(text, ')')) || strlen(rest) < 3 || strchr("ZX", rest[2]))
			continue;
		some = true;
		*stand = *stand && strchr("TtD", rest[2]);
	}
	if (folder)
		(void)closedir(folder);
	return some;
}

/* Whether it makes no step of its own any more. One that waits inside the kernel stops when it leaves it. */
static bool stands_still(const struct ft__hold *hold, const struct ft__tree_process *process)
{
	bool stand = true;

	switch (process->state) {
	case 'T':
	case 't':
	case 'X':
		return true;
	case 'D':
		return is_held(hold, process->pid);
	case 'Z':
		return !has_threads(hold, process->pid, &stand) || stand;
	default:
		return false;
	}
}

static void stop_process(struct ft__hold *hold, pid_t pid)
{
	if (kill(pid, SIGSTOP) || is_held(hold, pid))
		return;
	pid_t *grown = ft_grow(hold->held, hold->n, &hold->capacity, sizeof *grown);
	if (!grown)
		return;
	hold->held = grown;
	hold->held[hold->n++] = pid;
}

/* Returns whether somebody was found that does not stand. In haste only those are looked at that are younger
 * than we, as our descendants are until numbers begin again. */
static bool stop_those_found(struct ft__hold *hold, bool hasty)
{
	struct ft__tree *tree = &hold->tree;
	bool some = false;

	ft__tree_scan(tree, hasty ? tree->self : 0);
	for (size_t i = 0; i < tree->n_found; i++) {
		const struct ft__tree_process *process = &tree->found[i];

		if (process->mark != FT__TREE_OURS || stands_still(hold, process))
			continue;
		stop_process(hold, process->pid);
		some = true;
	}
	return some;
}

/* What a process is by its parent, as the last scan has that one. */
static enum ft__tree_mark mark_of(const struct ft__tree *tree, const struct ft__tree_process *process)
{
	size_t at = ft__pid_place(process->parent, tree->found, tree->n_found, sizeof *tree->found);

	if (process->parent == tree->self)
		return FT__TREE_OURS;
	return at < tree->n_found && tree->found[at].pid == process->parent ? tree->found[at].mark
									    : FT__TREE_UNKNOWN;
}

/* Of those who began after a number: the youngest first, who is the one that lives where one hops from
 * process to process. known: whether it is known of each whose it is. */
static bool stop_youngest(struct ft__hold *hold, pid_t since, pid_t last, bool *known)
{
	struct ft__tree_process process;

	*known = true;
	for (; last > since; last--) {
		if (!ft__tree_one(&hold->tree, last, &process))
			continue;
		enum ft__tree_mark whose = mark_of(&hold->tree, &process);
		*known = *known && whose;
		if (whose != FT__TREE_OURS || stands_still(hold, &process))
			continue;
		stop_process(hold, last);
		return true;
	}
	return false;
}

/* Whether some began meanwhile of whom it is not known that they stand: who hops all the while is gone before
 * a pass, which reads many, comes to him. since: the number given out last before the pass. */
static bool young_move(struct ft__hold *hold, pid_t since)
{
	bool known = true;

	for (int rounds = 0; rounds < YOUNG_MOST; rounds++) {
		pid_t last = ft__tree_last(&hold->tree);

		if (last == since && known)
			return false;
		if (last < since || last - since > YOUNG_MOST || stop_youngest(hold, since, last, &known))
			return true;
		since = known ? last : since;
	}
	return true;
}

/* Whether anybody moves. */
static bool anybody_moves(struct ft__hold *hold)
{
	if (!hold->still_ns && stop_those_found(hold, true))
		return true;
	pid_t since = ft__tree_last(&hold->tree);
	return stop_those_found(hold, false) || young_move(hold, since);
}

bool ft__hold_look(struct ft__hold *hold)
{
	bool moves = anybody_moves(hold), news = !moves && !hold->still_ns;
	int64_t now = ft_clock_ns(), most = moves ? MOVING_REST_NS : STILL_REST_NS;

	if (moves && hold->still_ns)
		hold->rest_ns = 0;
	if (!hold->still_ns && news)
		hold->still_ns = now;
	hold->rest_ns = hold->rest_ns > most ? most : hold->rest_ns;
	hold->look_ns = now + hold->rest_ns;
	hold->rest_ns = hold->rest_ns ? 2 * hold->rest_ns : REST_NS;
	return news;
}

/* Whether a number is still that of a descendant of ours, by the scan just made. */
static bool is_ours(const struct ft__tree *tree, pid_t pid)
{
	size_t at = ft__pid_place(pid, tree->found, tree->n_found, sizeof *tree->found);

	return at < tree->n_found && tree->found[at].pid == pid && tree->found[at].mark == FT__TREE_OURS;
}

/* The last one that was stopped first: who waits for others finds them running. */
void ft__hold_end(struct ft__hold *hold)
{
	ft__tree_scan(&hold->tree, 0);
	while (hold->n) {
		pid_t pid = hold->held[--hold->n];

		if (is_ours(&hold->tree, pid))
			(void)kill(pid, SIGCONT);
	}
	hold->still_ns = hold->look_ns = 0;
}

static bool is_alive(const struct ft__hold *hold, const struct ft__tree_process *process)
{
	bool stand;

	return process->state != 'X' && (process->state != 'Z' || has_threads(hold, process->pid, &stand));
}

pid_t ft__hold_alive(struct ft__hold *hold)
{
	const struct ft__tree *tree = &hold->tree;

	ft__tree_scan(&hold->tree, 0);
	for (size_t i = 0; i < tree->n_found; i++)
		if (tree->found[i].mark == FT__TREE_OURS && is_alive(hold, &tree->found[i]))
			return tree->found[i].pid;
	return 0;
}
