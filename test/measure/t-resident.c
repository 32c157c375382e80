/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-resident.c - the memory of a tree: what its processes share counts once, and short peaks are seen. */
#include "recorded-proc.h"

#include "measure/gauge.h"
#include "measure/tree.h"

#include <fcntl.h>

enum { MIB = 1 << 20 };

static const int64_t LATER = INT64_C(1000000000000000); /* any reading is due again by then */

struct game {
	struct ft__tree tree;
	struct ft__own_group group;
	struct ft__resident resident;
	int last;
	int64_t now_ns;
};

/* A process of so many MiB, of which so many are its own by shares; < 0: nobody may know. */
static void put(struct game *g, int pid, int parent, int rss_mib, double own_mib)
{
	char text[128];

	proc_put(pid, parent, (int)(rss_mib * (MIB / sysconf(_SC_PAGESIZE))));
	(void)snprintf(text, sizeof text, "0-1 ---p 0 00:00 0 [rollup]\nRss: %d kB\nPss: %.0f kB\n",
		       1024 * rss_mib, 1024 * own_mib);
	if (own_mib >= 0)
		proc_file(text, "%d/smaps_rollup", pid);
	g->last = pid > g->last ? pid : g->last;
	proc_last(g->last);
}

/* So many processes that share so much, the first among them. */
static void put_shared(struct game *g, int n, int mib)
{
	for (int i = 0; i < n; i++)
		put(g, 200 + i, i ? 200 : PROC_SELF, mib, (double)mib / n);
}

static void begin(struct game *g)
{
	*g = (struct game){.last = 200};
	proc_begin();
	put(g, 200, PROC_SELF, 24, 24);
	if (!ft__tree_open(&g->tree, temp_folder))
		diag("the recorded /proc cannot be read");
	ft__tree_begin(&g->tree, 200);
	ft__resident_begin(&g->resident, &g->group);
}

/* A control group of version 2 around it, which holds so many MiB. */
static void put_group(struct game *g, double anon_mib, double shmem_mib)
{
	char text[128];

	(void)snprintf(text, sizeof text, "anon %.0f\nfile 1000000000\nshmem %.0f\n", anon_mib * MIB,
		       shmem_mib * MIB);
	(void)temp_write(temp_path("stat"), text, 0644);
	if (!g->group.there)
		g->group = (struct ft__own_group){
			.there = true, .second = true, .stat = open(temp_path("stat"), O_RDONLY)};
}

/* MiB seen at a look; later: so that a reading is due again. */
static double look(struct game *g, bool later)
{
	uint64_t rss_bytes = ft__tree_bytes(&g->tree);

	g->now_ns += later ? LATER : 0;
	return (double)ft__resident_look(&g->resident, &g->tree, rss_bytes, false, g->now_ns) / MIB;
}

static double peak(const struct game *g)
{
	bool guessed;

	return (double)ft__resident_peak(&g->resident, &guessed) / MIB;
}

static bool guessed(const struct game *g)
{
	bool is;

	(void)ft__resident_peak(&g->resident, &is);
	return is;
}

static void test_shared(void)
{
	struct game g;

	begin(&g);
	ok(near(look(&g, false), 24, 0) && near(peak(&g), 24, 0), "one process is what it is");
	put_shared(&g, 5, 24);
	ok(near(look(&g, false), 24, 1e-3) && near(peak(&g), 24, 1e-3), "four forks of it share all of it");
	proc_file("\nRss: 24576 kB\nPss: 24576 kB\n", "203/smaps_rollup");
	ok(near(look(&g, false), 24, 1e-3), "a reading costs: the next one is not at once");
	ok(near(look(&g, true), 24 * 0.8 + 24, 1e-3) && near(peak(&g), 24 * 1.8, 1e-3),
	   "what is written to becomes one's own");
	proc_remove(203);
	proc_remove(204);
	(void)look(&g, true);
	ok(near(peak(&g), 24 * 1.8, 1e-3) && !guessed(&g), "a peak stays, and was read");
	ft__tree_close(&g.tree);
}

/* Between two readings. */
static void test_short_peaks(void)
{
	struct game g;

	begin(&g);
	put_shared(&g, 5, 24);
	(void)look(&g, false);
	put(&g, 202, 200, 124, 104.8);
	ok(near(look(&g, false), 124, 1e-3), "what a process gains is its own");
	put(&g, 202, 200, 24, 4.8);
	ok(near(look(&g, false), 24, 1e-3) && near(peak(&g), 124, 1e-3), "and it gives it back");
	(void)look(&g, true);
	ok(near(peak(&g), 124, 1e-3) && guessed(&g),
	   "a guess that was right is no peak the less for the next reading");
	put(&g, 210, 200, 524, 504);
	ok(near(look(&g, false), 24 + 4.8 + 500, 1e-3),
	   "a new process has not inherited more than there was");
	proc_remove(210);
	(void)look(&g, true);
	ok(near(peak(&g), 528.8, 1e-3), "nor is it lost when it has gone");
	ft__tree_close(&g.tree);
}

/* Two processes that share hardly anything, then eight more that share everything. */
static void test_wrong_guess(void)
{
	struct game g;

	begin(&g);
	put(&g, 201, 200, 24, 24);
	ok(near(look(&g, false), 48, 1e-3), "two that share nothing");
	put_shared(&g, 10, 24);
	ok(near(look(&g, false), 240, 1e-3) && near(peak(&g), 240, 1e-3), "eight more may be the same");
	ok(near(look(&g, true), 24, 1e-3) && near(peak(&g), 48, 1e-3), "and when they are not");
	ft__tree_close(&g.tree);
}

/* A kernel without smaps_rollup, and processes of other users. */
static void test_unread(void)
{
	struct game g;

	begin(&g);
	proc_remove(200);
	put(&g, 200, PROC_SELF, 24, -1);
	put(&g, 201, 200, 24, -1);
	ok(near(look(&g, false), 48, 0) && near(look(&g, true), 48, 0) && near(peak(&g), 48, 0) &&
		   guessed(&g),
	   "without shares the sum is all that is known");
	put(&g, 202, 200, 24, 12);
	(void)look(&g, true);
	ok(near(look(&g, true), 12 + 12 + 12, 1e-3), "who cannot be read is taken to share as the others do");
	put(&g, 203, 200, 0, 0);
	ok(near(look(&g, true), 36, 1e-3), "a zombie has nothing");
	ft__tree_close(&g.tree);
}

/* Between two readings the group tells how the tree moves: nothing is guessed. */
static void test_group(void)
{
	struct game g;

	begin(&g);
	put_group(&g, 24, 3);
	put_shared(&g, 5, 24);
	ok(near(look(&g, false), 24, 1e-3), "four forks share all of it");
	put_group(&g, 44, 3);
	ok(near(look(&g, false), 44, 1e-3) && near(peak(&g), 44, 1e-3) && !guessed(&g),
	   "what they write to is seen without a reading, and is no guess");
	put(&g, 205, 200, 524, 524);
	put_group(&g, 544, 3);
	ok(near(look(&g, false), 544, 1e-3), "nor is what a new process shares with them");
	proc_remove(205);
	put_group(&g, 24, 3);
	ok(near(look(&g, false), 24, 1e-3) && near(peak(&g), 544, 1e-3) && !guessed(&g),
	   "a peak between two looks stays");
	(void)look(&g, true);
	ok(near(peak(&g), 544, 1e-3) && !guessed(&g), "and after the next reading, too");
	(void)close(g.group.stat);
	ft__tree_close(&g.tree);
}

/* What the group counts as shared memory may be a file that nobody holds. */
static void test_group_files(void)
{
	struct game g;

	begin(&g);
	put_group(&g, 24, 3);
	put_shared(&g, 5, 24);
	(void)look(&g, false);
	put_group(&g, 24, 103);
	ok(near(look(&g, false), 124, 1e-3) && guessed(&g), "100 MiB of shared memory, or a file: a guess");
	ok(near(look(&g, true), 24, 1e-3) && near(peak(&g), 24, 1e-3), "which the next reading corrects");
	put_group(&g, 4, 203);
	ok(near(look(&g, false), 104, 1e-3) && guessed(&g), "from then on");
	put_group(&g, 0, 0);
	ok(look(&g, false) > 20, "a group that says what cannot be is not believed");
	(void)close(g.group.stat);
	ft__tree_close(&g.tree);
}

int main(void)
{
	test_shared();
	test_group();
	test_group_files();
	test_short_peaks();
	test_wrong_guess();
	test_unread();
	temp_remove();
	return done();
}
