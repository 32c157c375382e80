/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-tree.c - the processes of a tree, each found once, however their numbers come. */
#include "recorded-proc.h"

#include "measure/tree.h"

/* Pages of the tree at the next look, when `last` was the last number given out. */
static double look(struct ft__tree *tree, int last)
{
	proc_last(last);
	return (double)ft__tree_bytes(tree) / (double)sysconf(_SC_PAGESIZE);
}

static void begin(struct ft__tree *tree, int pid)
{
	proc_begin();
	proc_last(pid);
	proc_put(pid, PROC_SELF, 1);
	if (!ft__tree_open(tree, temp_folder))
		diag("the recorded /proc cannot be read");
	ft__tree_begin(tree, pid);
}

static void test_descendants(void)
{
	struct ft__tree tree;

	begin(&tree, 200);
	ok(near(look(&tree, 200), 1, 0) && tree.living == 1, "a child");
	proc_put(203, 200, 10);
	proc_put(205, 203, 100);
	proc_put(204, 1, 1000);
	proc_put(206, 204, 1000);
	ok(near(look(&tree, 206), 111, 0) && tree.living == 3, "its child, and the child of that; no others");
	proc_remove(203);
	proc_put(205, PROC_SELF, 100); /* an orphan: ours, who are the subreaper */
	proc_put(208, 205, 10000);
	ok(near(look(&tree, 208), 10101, 0), "a child of an orphan");
	proc_put(208, 205, 0);
	ok(near(look(&tree, 208), 101, 0) && tree.living == 2 && tree.n == 3, "a zombie has no memory");
	ft__tree_close(&tree);
	ft__tree_close(&tree);
	ok(!ft__tree_bytes(&tree), "a tree that is closed has none");
}

/* Process numbers begin again from the bottom: what is ours had numbers above the new ones for ever after,
 * and was taken for new at each look (742 MB of 106). */
static void test_again(void)
{
	struct ft__tree tree;
	bool good = true;

	begin(&tree, 32700);
	proc_put(32710, 32700, 10);
	proc_put(32767, 32700, 100);
	proc_put(32720, 1, 1000000);
	ok(near(look(&tree, 32767), 111, 0), "before the numbers begin again");
	for (int i = 300; i < 320; i++) {
		proc_put(i, 1, 1000000);
		good = good && near(look(&tree, i), 111, 0) && tree.n == 3;
	}
	ok(good, "after that none is counted twice: %zu of 3", tree.n);
	proc_put(320, 32710, 1000);
	proc_put(321, 320, 10000);
	ok(near(look(&tree, 321), 11111, 0), "a child with a small number, and its child");
	proc_put(322, 321, 100000);
	ok(near(look(&tree, 322), 111111, 0), "and one more, found by way of the small numbers");
	ft__tree_close(&tree);
}

/* What begins between the reading of the last number and the look itself. */
static void test_late(void)
{
	struct ft__tree tree;

	begin(&tree, 200);
	proc_put(201, 200, 10);
	proc_put(202, 200, 100);
	(void)look(&tree, 201);
	ok(near(look(&tree, 202), 111, 0) && near(look(&tree, 210), 111, 0) && tree.n == 3,
	   "a process that is newer than the last number is counted once");
	(void)look(&tree, 220);
	proc_put(215, 200, 1000);
	ok(near(look(&tree, 230), 1111, 0),
	   "one whose number was given out before it could be seen is found");
	proc_put(226, 215, 10000);
	ok(near(look(&tree, 230), 11111, 0), "even when no number was given out since");
	ft__tree_close(&tree);
}

/* The last number cannot be read. */
static void test_unknown(void)
{
	struct ft__tree tree;

	begin(&tree, 200);
	proc_put(201, 200, 10);
	proc_file("", "loadavg");
	ok(ft__tree_bytes(&tree) && tree.n == 2 && ft__tree_bytes(&tree) && tree.n == 2,
	   "without a last number everything is looked at");
	ft__tree_close(&tree);
}

int main(void)
{
	test_descendants();
	test_again();
	test_late();
	test_unknown();
	temp_remove();
	return done();
}
