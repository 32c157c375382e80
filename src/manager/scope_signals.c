/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope_signals.c - a scope held by its children's keepers, which stop process by process: works everywhere.
 */
#include "base/alloc.h"
#include "manager/cgroup.h"
#include "manager/former.h"
#include "manager/scope_way.h"
#include "measure/tree.h"

#include <string.h>

/* Of sessions, as far as they are not in a group that is weighed (sched(7), autogroup). */
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

/* The keeper's descendants, who do not change while they stand. */
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
