/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.c - chooses the best mechanism for scopes on this machine. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "manager/child.h"
#include "manager/keeper.h"
#include "measure/tree.h"
#include "watch/aside.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/*
 * Chooses the best mechanism for scopes on this machine.
 */

const struct ft__scope_way *const ft__scope_ways[] = {&ft__scope_systemd, &ft__scope_group,
						      &ft__scope_freezer, &ft__scope_signals, NULL};

static const int64_t SECOND = 1000000000;

enum ft_status ft__scope_open(struct ft__scope **out, const struct ft__scope_way *row, const char *name,
			      struct ft_err *why)
{
	struct ft__scope *scope = ft_calloc(1, sizeof *scope);

	*out = NULL;
	if (!scope)
		return ft_nomem(why);
	scope->row = row;
	enum ft_status status = ft__left_open(&scope->left, why);
	if (!status)
		status = row->open(scope, name, why);
	if (!status && scope->way.failed) {
		row->close(scope);
		status = ft_nomem(why);
	}
	if (status) {
		ft__left_close(&scope->left);
		ft_text_clear(&scope->way);
		ft_free(scope);
		return status;
	}
	ft__scope_weigh(scope, false);
	*out = scope;
	return FT_OK;
}

/* The reason why no better mechanism works is reported with the chosen one. */
enum ft_status ft__scope_new(struct ft__scope **out, const char *name, struct ft_err *err)
{
	struct ft_text reasons = {0};
	enum ft_status status = FT_EUNAVAIL;

	for (size_t i = 0; ft__scope_ways[i] && status && status != FT_ENOMEM; i++) {
		struct ft_err why = {0};

		status = ft__scope_open(out, ft__scope_ways[i], name, &why);
		if (status)
			ft_text_add(&reasons, "%s%s", i ? "; " : "", why.text);
	}
	if (status == FT_ENOMEM)
		(void)ft_nomem(err);
	else if (status)
		status = ft_fail(err, FT_EUNAVAIL, "%s", reasons.s ? reasons.s : "");
	else if (reasons.s)
		ft_text_add(&(*out)->way, " (%s)", reasons.s);
	ft_text_clear(&reasons);
	return status;
}

/* In version 1 a frozen process handles SIGKILL when it is thawed. */
static void end_left(struct ft__scope *scope)
{
	const struct timespec rest = {.tv_nsec = 10000000};

	if (!scope->left.look_ns)
		return;
	(void)ft__scope_thaw(scope, NULL);
	for (int i = 0; i < 300 && !ft__left_end(&scope->left, scope->first); i++)
		(void)nanosleep(&rest, NULL);
}

void ft__scope_free(struct ft__scope *scope)
{
	if (!scope)
		return;
	end_left(scope);
	scope->row->close(scope);
	ft__left_close(&scope->left);
	ft_text_clear(&scope->way);
	ft_free(scope);
}

const char *ft__scope_way(const struct ft__scope *scope)
{
	return scope->way.s;
}

/* ---- its children -------------------------------------------------------------------------------------- */

bool ft__keeper_tell(const struct ft__scoped *child, enum ft__keeper_what what, double seconds)
{
	struct ft__keeper_order order;

	/* All of it is sent, what lies between its members too. */
	memset(&order, 0, sizeof order);
	order.what = (int32_t)what;
	order.seconds = seconds;
	return send(child->control, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof order;
}

static enum ft__keeper_what weight_of(const struct ft__scope *scope)
{
	return scope->dedicated ? FT__KEEPER_WORK : FT__KEEPER_YIELD;
}

void ft__scope_enter(struct ft__scope *scope, struct ft__scoped *child)
{
	child->next = scope->first;
	scope->first = child;
	if (!scope->weighs)
		(void)ft__keeper_tell(child, weight_of(scope), 0);
	if (!scope->freezing)
		return;
	scope->still_ns = 0;
	(void)scope->row->freeze(scope, NULL);
}

void ft__scope_leave(struct ft__scope *scope, struct ft__scoped *child, double cpu_s)
{
	struct ft__scoped **at = &scope->first;

	while (*at && *at != child)
		at = &(*at)->next;
	if (*at)
		*at = child->next;
	scope->ended_cpu_s += cpu_s;
}

void ft__scope_lost(struct ft__scope *scope)
{
	ft__left_expect(&scope->left);
}

bool ft__scope_clean(struct ft__scope *scope, int64_t *due_ns)
{
	struct ft__left *left = &scope->left;

	if (left->look_ns && ft_clock_ns() >= left->look_ns)
		(void)ft__left_end(left, scope->first);
	*due_ns = left->look_ns ? left->look_ns : INT64_MAX;
	return !left->moves;
}

void ft__scope_heard(struct ft__scope *scope, struct ft__scoped *child, int64_t since_ns)
{
	child->still_ns = scope->freezing ? since_ns : 0;
	(void)ft__scope_frozen(scope);
}

/* ---- stopping ------------------------------------------------------------------------------------------ */

enum ft_status ft__scope_freeze(struct ft__scope *scope, struct ft_err *err)
{
	if (scope->freezing)
		return FT_OK;
	scope->freezing = true;
	scope->still_ns = scope->thawed_ns = 0;
	for (struct ft__scoped *child = scope->first; child; child = child->next)
		child->still_ns = 0;
	return scope->row->freeze(scope, err);
}

enum ft_status ft__scope_thaw(struct ft__scope *scope, struct ft_err *err)
{
	if (!scope->freezing)
		return FT_OK;
	(void)ft__scope_frozen(scope);
	scope->freezing = false;
	scope->thawed_ns = ft_clock_ns();
	return scope->row->thaw(scope, err);
}

int ft__scope_fd(const struct ft__scope *scope)
{
	return scope->row->fd(scope);
}

bool ft__scope_frozen(struct ft__scope *scope)
{
	int64_t since_ns = 0;
	bool stands = scope->row->stands(scope, &since_ns);

	if (!scope->freezing)
		return false;
	if (stands && !scope->still_ns)
		scope->still_ns = since_ns ? since_ns : ft_clock_ns();
	return scope->still_ns;
}

double ft__scope_frozen_s(struct ft__scope *scope)
{
	(void)ft__scope_frozen(scope);
	if (!scope->still_ns)
		return 0;
	return (double)((scope->thawed_ns ? scope->thawed_ns : ft_clock_ns()) - scope->still_ns) /
	       (double)SECOND;
}

void ft__scope_weigh(struct ft__scope *scope, bool dedicated)
{
	scope->dedicated = dedicated;
	scope->weighs = scope->row->weigh(scope, dedicated);
	for (const struct ft__scoped *child = scope->first; child && !scope->weighs; child = child->next)
		(void)ft__keeper_tell(child, weight_of(scope), 0);
}

bool ft__scope_limit(struct ft__scope *scope, double bytes)
{
	bool before = scope->limited;

	scope->limited = bytes > 0;
	return (!before && !scope->limited) || scope->row->limit(scope, bytes);
}

double ft__scope_cpu_s(const struct ft__scope *scope)
{
	return scope->row->cpu_s(scope);
}

/* ---- words --------------------------------------------------------------------------------------------- */

void ft__words_clear(struct ft__words *words)
{
	while (words->n)
		ft_free(words->word[--words->n]);
	ft_free(words->word);
	*words = (struct ft__words){0};
}

/*
 * A scope held by its children's keepers, which stop each process: works everywhere.
 */

/* The system weighs sessions only outside groups that are weighed (sched(7), autogroup). */
static bool sessions_are_weighed(void)
{
	char folder[PATH_MAX], text[16] = "";
	bool top = true;

	if (!ft__cgroup_read("/proc/sys/kernel", "sched_autogroup_enabled", text, sizeof text) ||
	    *text != '1' || (ft__cgroup_find(0, "cpu", folder, &top) && !top))
		return false;
	if (!ft__cgroup_find(0, NULL, folder, &top))
		return true;
	for (size_t length = strlen(folder); !top && length; folder[length] = '\0') {
		if (ft__cgroup_read(folder, "cpu.weight", text, sizeof text))
			return false;
		while (length && folder[--length] != '/')
			;
	}
	return true;
}

static enum ft_status open_signals(struct ft__scope *scope, const char *name, struct ft_err *why)
{
	struct ft__tree *tree = ft_calloc(1, sizeof *tree);

	(void)name;
	if (!tree)
		return ft_nomem(why);
	if (!ft__tree_open(tree, "")) {
		ft_free(tree);
		return ft_fail(why, FT_EUNAVAIL, "signals: /proc is not there, or another's");
	}
	scope->state = tree;
	ft_text_add(&scope->way, "signals to each process, %s, memory is not limited",
		    sessions_are_weighed() ? "its session yields"
					   : "nice, for good, within its control group");
	return FT_OK;
}

static void close_signals(struct ft__scope *scope)
{
	ft__tree_close(scope->state);
	ft_free(scope->state);
}

static void add_options(const struct ft__scope *scope, struct ft__words *words)
{
	(void)scope;
	if (!sessions_are_weighed())
		ft__words_add(words, FT__KEEPER_NICE);
}

static enum ft_status tell_keepers(const struct ft__scope *scope, enum ft__keeper_what what)
{
	for (const struct ft__scoped *child = scope->first; child; child = child->next)
		if (!child->still_ns || what != FT__KEEPER_FREEZE)
			(void)ft__keeper_tell(child, what, 0);
	return FT_OK;
}

/* One that is gone needs no stopping. */
static enum ft_status freeze(struct ft__scope *scope, struct ft_err *err)
{
	(void)err;
	return tell_keepers(scope, FT__KEEPER_FREEZE);
}

static enum ft_status thaw(struct ft__scope *scope, struct ft_err *err)
{
	(void)err;
	return tell_keepers(scope, FT__KEEPER_THAW_ALL);
}

static bool stands(struct ft__scope *scope, int64_t *since_ns)
{
	for (const struct ft__scoped *child = scope->first; child; child = child->next) {
		if (!child->still_ns)
			return false;
		if (child->still_ns > *since_ns)
			*since_ns = child->still_ns;
	}
	return true;
}

static int no_fd(const struct ft__scope *scope)
{
	(void)scope;
	return -1;
}

static double cpu_s(const struct ft__scope *scope)
{
	struct ft__tree *tree = scope->state;
	double sum_s = scope->ended_cpu_s;

	for (const struct ft__scoped *child = scope->first; child; child = child->next) {
		tree->self = child->keeper;
		ft__tree_begin(tree, child->keeper);
		(void)ft__tree_bytes(tree);
		sum_s += ft__tree_cpu_s(tree);
	}
	return sum_s;
}

static bool cannot(struct ft__scope *scope, bool dedicated)
{
	(void)scope;
	(void)dedicated;
	return false;
}

static bool cannot_limit(struct ft__scope *scope, double bytes)
{
	(void)scope;
	(void)bytes;
	return false;
}

/* The keeper's descendants, which do not change while they are stopped. */
static void keep_descendants(struct ft__tree *tree, const struct ft__scoped *child, json_t *list)
{
	tree->self = child->keeper;
	ft__tree_scan(tree, 0);
	for (size_t i = 0; i < tree->n_found; i++)
		if (tree->found[i].mark == FT__TREE_OURS)
			(void)json_array_append_new(list, ft__former_process(tree->found[i].pid));
}

static void keep_signals(struct ft__scope *scope, json_t *into)
{
	json_t *list = json_array();

	for (const struct ft__scoped *child = scope->first; child; child = child->next)
		keep_descendants(scope->state, child, list);
	(void)json_object_set_new(into, "processes", list);
}

const struct ft__scope_way ft__scope_signals = {
	.name = "signals",
	.open = open_signals,
	.close = close_signals,
	.add_options = add_options,
	.freeze = freeze,
	.thaw = thaw,
	.stands = stands,
	.fd = no_fd,
	.cpu_s = cpu_s,
	.weigh = cannot,
	.limit = cannot_limit,
	.keep = keep_signals,
};
