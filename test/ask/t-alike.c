/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-alike.c - tasks put together that ask for nearly the same: by hand, and beside the fewest groups. */
#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "tap.h"

enum { TASKS = 9 };

static struct ft_asking asks(size_t at, double time, double memory, double cpus)
{
	return (struct ft_asking){.amount = {time, memory, cpus}, .at = at};
}

/* "0 2 | 1 3": the tasks of each group. */
static bool is_grouped(struct ft_asking *task, size_t n, const char *groups)
{
	struct ft_asking_group *group = NULL;
	char text[200] = "";
	size_t n_groups = 0;

	(void)ft_askings_group(task, n, 2, &group, &n_groups, NULL);
	for (size_t i = 0; i < n; i++)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu",
			       !i                                   ? ""
			       : task[i].group != task[i - 1].group ? " | "
								    : " ",
			       task[i].at);
	free(group);
	if (strcmp(text, groups) != 0)
		diag("%s", text);
	return !strcmp(text, groups) && (!n || task[n - 1].group + 1 == n_groups);
}

static void test_hand(void)
{
	struct ft_asking by_time[] = {asks(0, 4, 1, 1), asks(1, 1, 1, 1), asks(2, 2, 1, 1), asks(3, 5, 1, 1)},
			 by_memory[] = {asks(0, 1, 8, 1), asks(1, 2, 1, 1), asks(2, 1, 7, 1)},
			 unknown[] = {asks(0, NAN, 3, NAN), asks(1, 9, 2, NAN), asks(2, NAN, 9, NAN)},
			 some[] = {asks(0, 3, NAN, 1), asks(1, NAN, NAN, 1), asks(2, 1, NAN, 1),
				   asks(3, 2, NAN, 1), asks(4, NAN, NAN, 1), asks(5, 4, NAN, 1)};

	ok(is_grouped(by_time, 4, "1 2 | 0 3"), "twice as long at most, as they were named");
	ok(is_grouped(by_memory, 3, "0 2 | 1"), "alike in each quantity");
	ok(is_grouped(unknown, 3, "0 1 | 2"), "what is not known parts nothing");
	ok(is_grouped(some, 6, "1 2 3 4 | 0 5"), "where some know it, the fewest of those");
	ok(is_grouped(unknown, 0, ""), "no task");
}

/* Of one quantity the fewest: from the least on, each group as long as it may be. */
static void test_fewest(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), c, bad = 0, more = 0;

	for (c = 0; c < cases; c++) {
		struct ft_asking task[TASKS];
		struct ft_asking_group *group = NULL;
		double sorted[TASKS], begin = 0;
		size_t n_groups = 0, fewest = 0, j;

		for (size_t i = 0; i < TASKS; i++) {
			double x = exp(4 * ft_random_uniform(&random));

			task[i] = asks(i, x, 1, NAN);
			for (j = i; j && sorted[j - 1] > x; j--)
				sorted[j] = sorted[j - 1];
			sorted[j] = x;
		}
		for (size_t i = 0; i < TASKS; i++)
			if (!i || sorted[i] > 2 * begin) {
				begin = sorted[i];
				fewest++;
			}
		(void)ft_askings_group(task, TASKS, 2, &group, &n_groups, NULL);
		more += n_groups != fewest;
		for (size_t i = 0; i < TASKS; i++) {
			const struct ft_asking_group *g = &group[task[i].group];

			bad += g->most[0] > 2 * task[i].amount[0] || g->least[0] > task[i].amount[0] ||
			       !isnan(g->most[2]) || g->most[1] != 1;
		}
		free(group);
	}
	ok(!bad && !more, "no task gets more than twice what it needs, in as few groups as may be");
}

int main(void)
{
	struct ft_asking task = asks(0, 1, 1, 1);
	struct ft_asking_group *group = NULL;
	size_t n = 0;

	test_hand();
	test_fewest();
	(void)ft_alloc_fail_at(1);
	ok(ft_askings_group(&task, 1, 2, &group, &n, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
	return done();
}
