/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-queue.c - the run queue and the pressure, from recorded trees and from this machine. */
#include "base/clock.h"
#include "tap.h"
#include "temp.h"

#include <math.h>

/* A tree with these two files; NULL: not there. */
static struct ft__queue look(const char *loadavg, const char *pressure)
{
	struct ft__queue queue;

	(void)mkdir(temp_path(""), 0700);
	(void)mkdir(temp_path("proc"), 0700);
	(void)mkdir(temp_path("proc/pressure"), 0700);
	(void)remove(temp_path("proc/loadavg"));
	(void)remove(temp_path("proc/pressure/cpu"));
	if (loadavg)
		(void)temp_write(temp_path("proc/loadavg"), loadavg, 0600);
	if (pressure)
		(void)temp_write(temp_path("proc/pressure/cpu"), pressure, 0600);
	ft__queue_read(temp_path(""), &queue);
	return queue;
}

static void recorded(void)
{
	struct ft__queue q = look("8.03 5.71 2.34 9/132 17453\n",
				  "some avg10=98.71 avg60=65.79 avg300=27.33 total=48431370\n"
				  "full avg10=0.00 avg60=0.00 avg300=0.00 total=17\n");

	ok(near(q.average, 8.03, 1e-12) && q.runnable == 9, "nine tasks, eight on average: %g %g", q.runnable,
	   q.average);
	ok(near(q.waited_s, 48.43137, 1e-12), "some waited for 48.4 s: %.9g", q.waited_s);
	q = look("0.00 0.00 0.00 1/64 200\n", NULL);
	ok(q.average == 0 && q.runnable == 1 && isnan(q.waited_s), "an idle machine without PSI");
	q = look("0.00 0.00 0.00 0/0 0\n", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
	ok(q.average == 0 && isnan(q.runnable) && q.waited_s == 0,
	   "a sandbox in which not even the reader runs counts nobody");
	q = look("0.5", "full avg10=0.00 avg60=0.00 avg300=0.00 total=17\n");
	ok(q.average == 0.5 && isnan(q.runnable) && isnan(q.waited_s), "files cut short, or of another kind");
	q = look("0.5 1 2 x/3\n", "some avg10=0.00\nfull total=17\n");
	ok(isnan(q.runnable) && isnan(q.waited_s), "no numbers where they should stand");
	q = look("nonsense", "");
	ok(isnan(q.average) && isnan(q.runnable) && isnan(q.waited_s), "nonsense");
	ft__queue_read("/nowhere", &q);
	ok(isnan(q.average) && isnan(q.runnable) && isnan(q.waited_s) && q.at_ns > 0, "no files");
}

static void shares(void)
{
	ok(near(ft__queue_pressure(10, 10.5, 2), 0.25, 1e-12), "half of a second in two");
	ok(ft__queue_pressure(10, 13, 2) == 1 && ft__queue_pressure(10, 9, 2) == 0, "never beyond 0 and 1");
	ok(isnan(ft__queue_pressure(NAN, 9, 2)) && isnan(ft__queue_pressure(1, 2, 0)), "unknown");
}

/* What others do cannot be known. */
static void this_machine(void)
{
	struct ft__queue a, b;

	ft__queue_read("", &a);
	ft__queue_read("", &b);
	ok((isnan(a.runnable) || a.runnable >= 1) && b.at_ns >= a.at_ns, "here: %g runnable, %.3f us a look",
	   a.runnable, (double)(b.at_ns - a.at_ns) / 1e3);
	ok(isnan(a.waited_s) || b.waited_s >= a.waited_s, "... %g s of pressure", a.waited_s);
}

int main(void)
{
	recorded();
	shares();
	this_machine();
	temp_remove();
	return done();
}
