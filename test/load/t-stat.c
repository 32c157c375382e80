/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-stat.c - the load of others from recorded /proc files, and from this machine's. */
#include "base/clock.h"
#include "load-test.h"
#include "load/load.h"
#include "temp.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A two-processor KVM guest; then 10 s later: 300 user (of them 100 guest), 20 nice, 80 system, 1500 idle, 40
 * iowait, 5 + 15 interrupts, 40 steal: 2000 ticks. */
static const char before[] = "cpu  31824 500 13248 559669 8136 7 140 106 90 0\n"
			     "cpu0 14088 250 5903 285500 906 3 23 51 90 0\n"
			     "cpu1 17735 250 7345 274169 7230 4 117 54 0 0\n"
			     "intr 1234 0 0\nctxt 99\nbtime 1700000000\nprocesses 4711\nprocs_running 1\n";
static const char after[] = "cpu  32124 520 13328 561169 8176 12 155 146 190 0\n"
			    "cpu0 14188 250 5903 285500 906 3 23 51 190 0\n"
			    "cpu1 17935 270 7425 274169 7270 4 117 54 0 0\nctxt 100\n";
/* As an old 2.4 system writes it. */
static const char old[] = "cpu  100 0 50 850\ncpu0 100 0 50 850\npage 1 2\n";

static void parse(void)
{
	struct ft__load_stat a, b;
	struct ft_load load = {0};

	ok(ft__load_stat_parse(before, &a) && a.processors == 2 && a.busy == 31824 + 500 + 13248 + 7 + 140 &&
		   a.steal == 106 && a.iowait == 8136,
	   "a recorded /proc/stat");
	ok(ft__load_stat_parse(after, &b) && b.all - a.all == 2000, "2000 ticks later");
	ok(ft__load_stat_between(&a, &b, 0, &load) && near(load.busy, 2 * 460. / 2000, 1e-14),
	   "busy and steal are load");
	ok(near(load.steal, 2 * 40. / 2000, 1e-14) && near(load.iowait, 2 * 40. / 2000, 1e-14),
	   "iowait is not");
	ok(ft__load_stat_between(&a, &b, 320, &load) && near(load.busy, 2 * 140. / 2000, 1e-14),
	   "less our own");
	ok(ft__load_stat_between(&a, &b, 5000, &load) && near(load.busy, 2 * 40. / 2000, 1e-14),
	   "never less than steal");
	ok(!ft__load_stat_between(&a, &a, 0, &load), "no tick");
	b.iowait = a.iowait - 10;
	ok(ft__load_stat_between(&a, &b, 0, &load) && load.iowait == 0, "iowait that went back");
	ok(ft__load_stat_parse(old, &a) && a.processors == 1 && a.busy == 150 && a.steal == 0,
	   "an old system");
	ok(!ft__load_stat_parse("", &a) && !ft__load_stat_parse("cpu  0 0 0 0\ncpu0 0 0 0 0\n", &a) &&
		   !ft__load_stat_parse("cpu  1 2 3 4\n", &a) && !ft__load_stat_parse("garbage\n", &a),
	   "what counts nothing is refused");
}

static void put(const char *name, const char *text)
{
	char path[256], *slash;
	FILE *file;

	(void)snprintf(path, sizeof path, "%s", temp_path(name));
	for (slash = strchr(path + strlen(temp_path("")), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		(void)fclose(file);
	}
}

/* We, 100 and its child 200, whose name is no help, and 300 that has just ended. */
static void own_tree(void)
{
	char root[256];
	double ticks = 0;

	put("tree/proc/self/stat", "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 5 3 2 1 20 0 1 0 77\n");
	put("tree/proc/self/task/10/children", "100 300 ");
	put("tree/proc/100/stat",
	    "100 (a) b) (c) S 10 10 10 0 -1 4194304 88 99 0 0 50 30 20 10 20 0 1 0 77\n");
	put("tree/proc/100/task/100/children", "");
	put("tree/proc/100/task/101/children", "200 ");
	put("tree/proc/200/stat",
	    "200 (x y) S 100 10 10 0 -1 4194304 88 99 0 0 500 300 200 100 20 0 1 0 77\n");
	put("tree/proc/200/task/200/children", "");
	(void)snprintf(root, sizeof root, "%s", temp_path("tree"));
	ok(ft__load_own(root, true, &ticks) && ticks == 11 + 110 + 1100, "ticks of all our processes: %g",
	   ticks);
	ok(ft__load_own(root, false, &ticks) && ticks == 11, "of this one alone");
	ok(!ft__load_own(temp_path("nowhere"), true, &ticks), "none where there is nothing");
	put("tree/proc/self/stat", "10 (foretime) R 1 10\n");
	ok(!ft__load_own(root, false, &ticks), "a short line is refused");
	put("bare/proc/self/stat", "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 5 3 2 1 20 0 1 0 77\n");
	ok(!ft__load_own(temp_path("bare"), true, &ticks) && ft__load_own(temp_path("bare"), false, &ticks),
	   "a kernel that does not list children");
}

static void recorder(void)
{
	struct ft_clock clock = {7000000000, INT64_C(1700000000000000000)};
	struct ft_load_recorder *r;
	struct ft_load load;
	struct ft_err err = {0};

	put("box/proc/self/stat", "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 1000 0 0 0 20 0 1 0 77\n");
	put("box/proc/stat", before);
	ft_clock_set(&clock);
	if (!ok(ft_load_recorder_open(&r, temp_path("box"), false, &err) == FT_OK, "a recorded machine"))
		return;
	ok(ft_load_recorder_read(r, &load, &err) == FT_EEND, "no tick yet");
	put("box/proc/stat", after);
	put("box/proc/self/stat",
	    "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 1200 100 20 0 20 0 1 0 77\n");
	ok(ft_load_recorder_read(r, &load, &err) == FT_OK && near(load.busy, 2 * 140. / 2000, 1e-14) &&
		   load.load == load.busy && load.processors == 2,
	   "what the others did; who waited nobody tells");
	ok(near(load.interval_s, 1000. / (double)sysconf(_SC_CLK_TCK), 1e-12), "in the time of its ticks");
	ok(load.started_ns == clock.real_ns - (int64_t)(load.interval_s * 1e9), "which began so long ago");
	ft_clock_sleep(3);
	ok(ft_load_recorder_elapsed(r) == 3, "seconds since are those of our clock");
	ft_clock_set(NULL);
	put("box/proc/stat", "nothing\n");
	ok(ft_load_recorder_read(r, &load, &err) == FT_EUNAVAIL && *err.remedy && load.load == 0, "%s",
	   err.text);
	ft_load_recorder_close(r);
	ft_load_recorder_close(NULL);
	ok(ft_load_recorder_open(&r, temp_path("nowhere"), false, &err) == FT_EUNAVAIL && !r, "%s", err.text);
}

/* A tree at a moment: so many tasks in the queue, so many seconds of pressure; NAN: not told. */
static void put_queue(const char *stat, double runnable, double waited_s)
{
	char text[128];

	(void)mkdir(temp_path("crowd"), 0700);
	put("crowd/proc/self/stat", "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 0 0 0 0 20 0 1 0 77\n");
	put("crowd/proc/self/task/10/children", "");
	put("crowd/proc/stat", stat);
	(void)snprintf(text, sizeof text, "8.00 4.00 2.00 %g/200 4711\n", runnable);
	put("crowd/proc/loadavg", isnan(runnable) ? "0.00 0.00 0.00 0/0 0\n" : text);
	(void)snprintf(text, sizeof text, "some avg10=0.00 avg60=0.00 avg300=0.00 total=%.0f\n",
		       1e6 * waited_s);
	put("crowd/proc/pressure/cpu", isnan(waited_s) ? "" : text);
}

/* The load of 10 s in which looks found so many tasks, ourselves among them, and some waited for so long. */
static double load_of(const double *tasks, size_t n, double waited_s, bool children, const char *later)
{
	double seconds = isnan(waited_s) ? (double)NAN : 100;
	struct ft_load_recorder *r;
	struct ft_load load = {.load = NAN};

	put_queue(before, 1, seconds);
	if (ft_load_recorder_open(&r, temp_path("crowd"), children, NULL))
		return NAN;
	for (size_t i = 0; i < n; i++) {
		put_queue(later, tasks[i], seconds + waited_s);
		if (i + 1 < n)
			ft_load_recorder_look(r);
	}
	(void)ft_load_recorder_read(r, &load, NULL);
	ft_load_recorder_close(r);
	return load.load;
}

/* 2000 ticks of two processors, all but 40 of them busy; and 1000 of them. */
static const char full[] = "cpu  33784 500 13248 559709 8136 7 140 106 90 0\ncpu0 1 0 0 1\ncpu1 1 0 0 1\n";
static const char half[] = "cpu  32824 500 13248 560669 8136 7 140 106 90 0\ncpu0 1 0 0 1\ncpu1 1 0 0 1\n";

static void queues(void)
{
	static const double eight[] = {9, 9, 9, 9}, bursts[] = {1, 9, 1, 1}, none[] = {1, 1, 1},
			    untold[] = {NAN, NAN};
	double busy = 2 * 1960. / 2000;

	ok(near(load_of(eight, 4, 10, false, full), busy + 6, 1e-12), "eight loops on two processors are 8");
	ok(near(load_of(eight, 4, NAN, false, full), busy + 6, 1e-12), "... also where pressure is not told");
	ok(near(load_of(bursts, 4, 1, false, half), 1 + 0.1 * 6, 1e-12),
	   "bursts: how many waited from the looks, how long from the pressure");
	ok(near(load_of(bursts, 4, NAN, false, half), 1 + 0.25 * 6, 1e-12), "... from the looks alone");
	ok(near(load_of(none, 3, 2, false, half), 1.2, 1e-12), "somebody waited, though no look met him");
	ok(near(load_of(none, 3, 0, false, half), 1, 1e-12), "nobody waits: what is busy");
	ok(near(load_of(untold, 2, NAN, false, full), busy, 1e-12), "nothing is told: at least what is busy");
	ok(near(load_of(eight, 4, 10, true, full), 8, 1e-12), "between our runs: those who wait for us, too");
	ok(near(load_of(none, 3, 10, true, half), 1, 1e-12), "our own runs waited for each other");
	ok(near(load_of(untold, 2, NAN, true, half), 1, 1e-12), "between our runs: nothing is told");
}

static void no_memory(void)
{
	struct ft_load_recorder *r = NULL;
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;

	put("box/proc/stat", before);
	put("tree/proc/self/stat", "10 (foretime) R 1 10 10 0 -1 4194304 88 99 0 0 5 3 2 1 20 0 1 0 77\n");
	put("tree/proc/stat", before);
	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_load_recorder_open(&r, temp_path("tree"), true, NULL);
		good &= status ? !r : r != NULL;
		ft_load_recorder_close(r);
	} while (status && n < 300);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 5 && n < 300, "%lu allocations fail cleanly", n - 1);
}

/* A child of ours keeps a processor busy: that is not the load of others. What others do meanwhile cannot be
 * known, so only bounds are checked. */
static void this_machine(void)
{
	struct ft_load_recorder *r;
	struct ft_load load = {0};
	struct ft_err err = {0};
	double now, with = 0, without = 0, before_s = ft_clock_s();
	int processors;

	if (ft_load_recorder_open(&r, "", true, &err)) {
		skip("this machine", err.text);
		return;
	}
	(void)fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		for (;;)
			;
	for (int i = 0; i < 100 && with - without < 1; i++) { /* its turn may come late */
		(void)usleep(300000);
		(void)ft__load_own("", true, &with);
		(void)ft__load_own("", false, &without);
	}
	ok(with - without >= 1, "a busy child is ours: %g ticks", with - without);
	ok(ft_load_recorder_read(r, &load, &err) == FT_OK && load.busy >= 0 && load.busy <= load.processors &&
		   load.load >= load.busy && load.interval_s > 0.29 &&
		   load.interval_s < ft_clock_s() - before_s && ft_load_recorder_elapsed(r) >= 0,
	   "load %g of %d", load.load, load.processors);
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	ft_load_recorder_close(r);
	ok(ft_load_now(0.05, FT_SHARING_FAIR, &now, &processors, &err) == FT_OK && now >= 0 &&
		   processors == load.processors,
	   "now %g", now);
}

int main(void)
{
	parse();
	own_tree();
	recorder();
	queues();
	no_memory();
	this_machine();
	temp_remove();
	return done();
}
