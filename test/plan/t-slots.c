/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-slots.c - the order of a schedule, and what it makes tasks wait for: by hand, and against all pairs. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { MOST = 30, MACHINES = 4 };

static void test_by_hand(void)
{
	/* Machine 0: 2 then 0; machine 1: 1 (which takes no time), then 3. */
	const struct ft_plan_slot slot[] = {{0, 5, 9}, {1, 5, 5}, {0, 0, 5}, {1, 5, 8}};
	const struct ft_plan_edge edge[] = {{1, 0, 8}, {2, 3, 0}, {2, 0, 0}};
	size_t order[4], after[7], from[5];

	ok(!ft_plan_order(slot, 4, order, NULL) && order[0] == 2 && order[1] == 1 && order[2] == 3 &&
		   order[3] == 0,
	   "by start, then by end");
	ok(!ft_plan_waits(edge, 3, slot, order, 4, 2, after, from, NULL) && from[0] == 0 && from[1] == 3 &&
		   from[2] == 3 && from[3] == 3 && from[4] == 5,
	   "one waits for three, two for nobody, the last for two");
	ok(after[0] == 1 && after[1] == 2 && after[2] == 2 && after[3] == 2 && after[4] == 1,
	   "for those before in the graph, then for the one before on the machine");
	ok(!ft_plan_order(slot, 0, order, NULL) &&
		   !ft_plan_waits(NULL, 0, slot, order, 0, 2, after, from, NULL) && !from[0],
	   "no tasks");
}

/* Whether task a stands before task b. */
static bool is_before(const struct ft_plan_slot *slot, size_t a, size_t b)
{
	return slot[a].start_s < slot[b].start_s ||
	       (slot[a].start_s == slot[b].start_s &&
		(slot[a].end_s < slot[b].end_s || (slot[a].end_s == slot[b].end_s && a < b)));
}

/* The one before it on its machine, of all pairs; n: none. */
static size_t before_on_machine(const struct ft_plan_slot *slot, size_t n, size_t task)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (slot[i].machine == slot[task].machine && is_before(slot, i, task) &&
		    (best == n || is_before(slot, best, i)))
			best = i;
	return best;
}

static bool waits_right(const struct ft_plan_slot *slot, const struct ft_plan_edge *edge, size_t edges,
			size_t n, const size_t *after, const size_t *from)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = from[i], last = before_on_machine(slot, n, i);

		for (size_t k = 0; k < edges; k++)
			if (edge[k].to == i && after[at++] != edge[k].from)
				return false;
		if (last < n && after[at++] != last)
			return false;
		if (at != from[i + 1])
			return false;
	}
	return true;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	bool ordered = true, right = true;

	for (int round = 0; round < test_cases(200); round++) {
		struct ft_plan_slot slot[MOST];
		struct ft_plan_edge edge[MOST];
		size_t n = (size_t)whole(&random, 1, MOST), edges = (size_t)whole(&random, 0, MOST), i;
		size_t order[MOST], after[2 * MOST], from[MOST + 1];

		for (i = 0; i < n; i++) {
			slot[i].machine = ft_random_below(&random, MACHINES);
			slot[i].start_s = (double)whole(&random, 0, 5);
			slot[i].end_s = slot[i].start_s + (double)whole(&random, 0, 2);
		}
		for (i = 0; i < edges; i++)
			edge[i] = (struct ft_plan_edge){ft_random_below(&random, n),
							ft_random_below(&random, n), 0};
		if (ft_plan_order(slot, n, order, NULL) ||
		    ft_plan_waits(edge, edges, slot, order, n, MACHINES, after, from, NULL))
			ordered = false;
		for (i = 1; i < n && ordered; i++)
			ordered = is_before(slot, order[i - 1], order[i]);
		right = right && ordered && waits_right(slot, edge, edges, n, after, from);
	}
	ok(ordered, "each before the next (seed %llu)", (unsigned long long)test_seed());
	ok(right, "as all pairs have it");
}

static void test_no_memory(void)
{
	const struct ft_plan_slot slot[] = {{0, 1, 2}, {0, 0, 1}};
	size_t order[] = {1, 0}, after[2], from[3];
	bool good = true;

	(void)ft_alloc_fail_at(1);
	ok(ft_plan_order(slot, 2, order, NULL) == FT_ENOMEM, "no memory for an order");
	for (unsigned long n = 1; n <= 3; n++) {
		(void)ft_alloc_fail_at(n);
		good &= ft_plan_waits(NULL, 0, slot, order, 2, 1, after, from, NULL) == FT_ENOMEM;
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "and none for what waits");
}

int main(void)
{
	test_by_hand();
	test_random();
	test_no_memory();
	return done();
}
