/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-delay.c - how long the tasks of a tree waited for a processor: added up over tasks that come and go. */
#include "recorded-proc.h"

#include "measure/gauge.h"
#include "measure/tree.h"

static void put_task(int pid, int tid, unsigned long long exec_ns, unsigned long long delay_ns)
{
	char text[64];

	(void)snprintf(text, sizeof text, "%llu %llu 17\n", exec_ns, delay_ns);
	proc_file(text, "%d/task/%d/schedstat", pid, tid);
	if (pid == tid)
		proc_file(text, "%d/schedstat", pid);
}

static bool has(const struct ft__delay *delay, double exec_s, double delay_s)
{
	double exec, waited;

	ft__delay_sum(delay, &exec, &waited);
	if (!near(exec, exec_s, 1e-12) || !near(waited, delay_s, 1e-12))
		diag("%.12g and %.12g", exec, waited);
	return near(exec, exec_s, 1e-12) && near(waited, delay_s, 1e-12);
}

static void begin(struct ft__tree *tree)
{
	proc_begin();
	proc_put(200, PROC_SELF, 1);
	proc_put(201, 200, 1);
	proc_last(201);
	if (!ft__tree_open(tree, temp_folder))
		diag("the recorded /proc cannot be read");
	ft__tree_begin(tree, 200);
	(void)ft__tree_bytes(tree);
}

static void test_tasks(void)
{
	struct ft__delay delay = {0};
	struct ft__tree tree;

	begin(&tree);
	put_task(200, 200, 1000000000, 100000000);
	put_task(201, 201, 2000000000, 200000000);
	ft__delay_begin(&delay, &tree, 200);
	ft__delay_look(&delay, &tree, 200);
	ok(has(&delay, 2, 0.2), "a single task that we wait for is left for its end");
	put_task(201, 202, 4000000000, 400000000);
	put_task(201, 203, 8000000000, 800000000);
	ft__delay_look(&delay, &tree, 200);
	ok(has(&delay, 14, 1.4) && delay.n == 3, "threads are counted each");
	put_task(200, 204, 16000000000, 1600000000);
	ft__delay_look(&delay, &tree, 200);
	ok(has(&delay, 31, 3.1), "and those of the first process");
	proc_remove(201);
	(void)ft__tree_bytes(&tree);
	ft__delay_look(&delay, &tree, 200);
	ok(has(&delay, 31, 3.1) && delay.n == 2, "what is gone counts as it was last seen");
	put_task(200, 204, 1000000000, 0);
	ft__delay_look(&delay, &tree, 200);
	ok(has(&delay, 32, 3.1), "a number that was given out again is another task");
	put_task(200, 200, 3000000000, 300000000);
	ft__delay_end(&delay, &tree, 200);
	ok(has(&delay, 34, 3.3), "the end of a process is the last word of it");
	put_task(205, 205, 64000000000, 6400000000);
	ft__delay_end(&delay, &tree, 205);
	ok(has(&delay, 98, 9.7), "of one that no look has found, too");
	ft__delay_begin(&delay, &tree, 0);
	ok(has(&delay, 0, 0) && !delay.readings, "another run begins with nothing");
	ft__tree_close(&tree);
	ft__delay_clear(&delay);
	ft__delay_clear(&delay);
}

/* CONFIG_SCHED_INFO: without it there is no such file, or zeros stand in it. */
static void test_none(void)
{
	struct ft__delay delay = {0};
	struct ft__tree tree;

	begin(&tree);
	ft__delay_look(&delay, &tree, 200);
	ft__delay_end(&delay, &tree, 200);
	ok(!delay.readings && has(&delay, 0, 0), "a kernel without schedstat");
	put_task(200, 200, 0, 0);
	put_task(201, 201, 0, 0);
	ft__delay_look(&delay, &tree, 200);
	ft__delay_end(&delay, &tree, 200);
	ok(!delay.readings && has(&delay, 0, 0), "one that says nothing in it");
	ft__tree_close(&tree);
	ft__delay_end(&delay, &tree, 200);
	ok(!delay.readings, "no /proc at all");
	ft__delay_clear(&delay);
}

int main(void)
{
	test_tasks();
	test_none();
	temp_remove();
	return done();
}
