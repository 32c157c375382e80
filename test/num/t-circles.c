/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-circles.c - circles of directed graphs: by hand, and against reachability in random ones. */
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

#include <string.h>

enum { NODES = 12, EDGES = 20 };

static struct ft_err err;

static void test_hand(void)
{
	/* 0 -> 1 -> 2 -> 0, 2 -> 3, 3 -> 3, 4 alone */
	const size_t first[] = {0, 1, 2, 4, 5, 5}, to[] = {1, 2, 0, 3, 3};
	size_t circle[5], circles;

	ok(!ft_circles_find(first, to, 5, circle, &circles, &err) && circles == 3, "three circles");
	ok(circle[0] == circle[1] && circle[1] == circle[2] && circle[3] != circle[0] &&
		   circle[4] != circle[0] && circle[4] != circle[3],
	   "nodes that reach each other have one number");
	ok(circle[3] < circle[2], "an edge leads to a lower number");
	ok(!ft_circles_find(first, to, 0, circle, &circles, &err) && circles == 0, "no nodes");
	(void)ft_alloc_fail_at(1);
	ok(ft_circles_find(first, to, 5, circle, &circles, &err) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

static bool check_random(struct ft_random *random)
{
	bool reach[NODES][NODES] = {{false}};
	size_t first[NODES + 1] = {0}, to[EDGES], from[EDGES], circle[NODES], circles;

	for (size_t i = 0; i < EDGES; i++)
		from[i] = ft_random_below(random, NODES);
	for (size_t i = 0; i < EDGES; i++)
		first[from[i] + 1]++;
	for (size_t i = 0; i < NODES; i++) {
		for (size_t k = 0; k < first[i + 1]; k++) {
			to[first[i] + k] = ft_random_below(random, NODES);
			reach[i][to[first[i] + k]] = true;
		}
		first[i + 1] += first[i];
		reach[i][i] = true;
	}
	for (size_t k = 0; k < NODES; k++)
		for (size_t i = 0; i < NODES; i++)
			for (size_t j = 0; j < NODES; j++)
				reach[i][j] |= reach[i][k] && reach[k][j];
	if (ft_circles_find(first, to, NODES, circle, &circles, &err))
		return false;
	for (size_t i = 0; i < NODES; i++)
		for (size_t j = 0; j < NODES; j++) {
			if ((circle[i] == circle[j]) != (reach[i][j] && reach[j][i]))
				return false;
			if (reach[i][j] && circle[j] > circle[i])
				return false;
		}
	return circles <= NODES;
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0;

	test_hand();
	for (int i = 0; i < 2000; i++)
		bad += !check_random(&random);
	ok(!bad, "random graphs, seed %llu", (unsigned long long)test_seed());
	return done();
}
