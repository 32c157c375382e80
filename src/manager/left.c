/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left.c - what a keeper that was killed left behind is found by way of parents, and ended. */
#include "manager/left.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/scope_way.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Who waits in the kernel takes no step outside of it any more once SIGKILL was sent, however long he stays
 * there: benchmarks are not kept waiting for him. */
static void end_process(struct ft__left *left, const struct ft__tree_process *process)
{
	(void)kill(process->pid, SIGKILL);
	if (process->state == 'Z' && process->parent == left->tree.self)
		(void)waitpid(process->pid, NULL, WNOHANG | __WALL);
	left->moves = left->moves || (process->state != 'Z' && process->state != 'D');
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
		if (branch)
			end_process(left, process);
	}
	left->look_ns = some ? ft_clock_ns() + left->rest_ns : 0;
	left->rest_ns = 2 * left->rest_ns < MOST_NS ? 2 * left->rest_ns : MOST_NS;
	return !some;
}
