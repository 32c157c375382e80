/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-moments.c - the helper's trace in its bounded memory, and what becomes of it. */
#include "tap.h"

#include "measure/gauge.h"
#include "measure/measure.h"

static void test_few(void)
{
	struct ft__moments moments = {.sparser = 1};

	for (int i = 0; i < 1000; i++)
		ft__moments_add(&moments,
				&(struct ft__moment){i, 2 * i, (uint64_t)(3 * i), (uint64_t)(i % 4)});
	ok(moments.n == 1000 && moments.moment[999].time_s == 999 && moments.sparser == 1, "all of a few");
	ft__moments_clear(&moments);
	ft__moments_clear(&moments);
	ok(!moments.n && !moments.moment && moments.sparser == 1, "and none");
}

/* Five times as many as there is room for: none is lost but in time. */
static void test_many(void)
{
	struct ft__moments moments = {.sparser = 1};
	int n = 5 * FT__MOMENTS_MAX, peak = n / 3;
	uint64_t largest = 0;
	bool ascending = true;

	for (int i = 0; i < n; i++)
		ft__moments_add(&moments, &(struct ft__moment){i, 0.5 * i, i == peak ? 1000000 : 10, 1});
	for (size_t k = 0; k < moments.n; k++) {
		largest = moments.moment[k].rss_bytes > largest ? moments.moment[k].rss_bytes : largest;
		ascending = ascending && (!k || moments.moment[k].time_s > moments.moment[k - 1].time_s) &&
			    moments.moment[k].cpu_s == 0.5 * moments.moment[k].time_s;
	}
	ok(moments.n <= FT__MOMENTS_MAX && moments.n >= FT__MOMENTS_MAX / 2, "%zu of %d", moments.n, n);
	ok(moments.sparser >= 8, "looks are to be rarer: %g times", moments.sparser);
	ok(ascending && moments.moment[moments.n - 1].time_s == n - 1, "in order, to the last");
	ok(largest == 1000000, "the peak is not lost");
	ft__moments_clear(&moments);
}

enum { PROCESSORS = 2 };

static bool convert(struct ft__moment *trace, size_t n, double wall_s, double cpu_s, unsigned flags,
		    struct ft_usage *usage)
{
	struct ft__answer answer = {.trace = trace, .n_moments = n};

	answer.reply.wall_s = wall_s;
	answer.reply.user_s = cpu_s;
	answer.reply.flags = flags;
	answer.reply.peak_tree_bytes = 77;
	*usage = (struct ft_usage){0};
	return !ft__usage_read(usage, &answer, PROCESSORS, NULL);
}

static void test_usage(void)
{
	struct ft__moment trace[] = {{0, 0, 0, 0}, {1, 0.5, 100, 1}, {2, 2.5, 300, 2}, {3, 2.25, 200, 1}};
	struct ft_usage usage;

	ok(convert(trace, 4, 4, 3.25, 0, &usage) && usage.n == 5, "four looks and the end");
	ok(usage.point[1].processors == 0.5 && usage.point[2].processors == 2,
	   "processors between two looks");
	ok(usage.point[3].processors == 0, "a process that takes its time with it makes nothing negative");
	ok(usage.point[4].processors == 1 && usage.point[4].time_s == 4 && usage.point[4].rss_bytes == 200 &&
		   usage.point[4].processes == 1,
	   "the rest is used before the end, with the memory that was seen last");
	ok(usage.point[2].rss_bytes == 300 && usage.point[2].processes == 2, "memory and processes as seen");
	ok(usage.point[0].processors == usage.point[1].processors && usage.point[0].rss_bytes == 100 &&
		   usage.point[0].processes == 1,
	   "the first as the second");
	ft_usage_clear(&usage);
	ok(convert(NULL, 0, 4, 3, 0, &usage) && !usage.n && !usage.point, "no looks, no trace");
	ok(convert(trace, 1, 0.01, 0.005, 0, &usage) && usage.n == 2 &&
		   near(usage.point[1].processors, 0.5, 1e-12) && usage.point[1].rss_bytes == 77 &&
		   usage.point[1].processes == 1,
	   "a run that ends before the second look held its peak");
	ok(usage.point[0].rss_bytes == 77 && usage.point[0].processes == 1, "from the begin on");
	ft_usage_clear(&usage);
	trace[2].rss_bytes = trace[2].processes = 0;
	ok(convert(trace, 4, 4, 3.25, 0, &usage) && usage.point[2].rss_bytes == 100 &&
		   usage.point[2].processes == 1,
	   "a look that meets an exec sees no memory: what was there before is");
	ft_usage_clear(&usage);
}

/* What cannot be ended has no total: what it used when it was last seen stands. */
static void test_not_ended(void)
{
	struct ft__moment trace[] = {{0, 0, 1, 1}, {1, 1, 1, 1}, {2, 1.5, 1, 1}};
	struct ft_usage usage;

	ok(convert(trace, 3, 5, 0, FT__NOT_ENDED, &usage) && usage.n == 4 &&
		   near(usage.point[2].processors, 0.5, 1e-12) && usage.point[3].processors == 0,
	   "a program that cannot be ended keeps what it was seen to use");
	ft_usage_clear(&usage);
}

/* The last look's time is of one clock, the run's of another: 1.3 ms of processor time in 0.2 ms are no six
 * processors. */
static void test_rest(void)
{
	struct ft__moment trace[] = {{0, 0, 1, 1}, {0.1, 0.1, 1, 1}, {0.2, 0.1, 1, 1}};
	struct ft_usage usage;

	ok(convert(trace, 3, 0.2002, 0.1013, 0, &usage) && usage.n == 3 && usage.point[2].time_s == 0.2002 &&
		   usage.point[2].rss_bytes == 1,
	   "a rest that is shorter than a look's distance is no row");
	ok(near(usage.point[2].processors, 0.0013 / 0.1002, 1e-9), "it belongs to the last look: %g",
	   usage.point[2].processors);
	ok(usage.point[1].processors == 1, "and to no other");
	ft_usage_clear(&usage);
	ok(convert(trace, 3, 0.4, 0.3, 0, &usage) && usage.n == 4 && usage.point[2].processors == 0 &&
		   near(usage.point[3].processors, 1, 1e-9),
	   "one as long as it stands for itself");
	ft_usage_clear(&usage);
}

/* Two processors; what a child used shows when its parent has waited for it. */
static void test_late(void)
{
	struct ft__moment trace[] = {{0, 0, 1, 1}, {1, 1, 1, 1},   {2, 2, 1, 1},
				     {3, 2, 1, 1}, {4, 6.5, 1, 1}, {5, 6.5, 0, 1}};
	struct ft_usage usage;

	ok(convert(trace, 6, 5, 7, 0, &usage) && usage.n == 6, "processor time that shows late");
	ok(usage.point[1].processors == 1 && near(usage.point[2].processors, 5.5 / 3, 1e-12) &&
		   usage.point[3].processors == usage.point[2].processors &&
		   usage.point[4].processors == usage.point[2].processors,
	   "was used before: %g", usage.point[2].processors);
	ok(near(usage.point[5].processors, 0.5, 1e-12) && usage.point[5].rss_bytes == 1,
	   "a look at a program that has given all back is none");
	ft_usage_clear(&usage);
	ok(convert(trace, 2, 1, 9, 0, &usage) && usage.point[1].processors == PROCESSORS,
	   "never more than the machine has");
	ft_usage_clear(&usage);
}

/* One processor at work, looked at every 10 ms in ticks of 10 ms that are rounded down, of two kinds of time;
 * at the end what was rounded off comes in at once. */
static void test_one_processor(void)
{
	enum { N = 64 };
	struct ft__moment trace[N];
	double worst = 0, least = 1;
	struct ft_usage usage;
	struct ft_usage_job job;

	for (size_t n = 2; n <= N; n++) {
		double wall_s = 0.01 * ((double)n - 0.7);

		for (size_t i = 0; i < n; i++)
			trace[i] =
				(struct ft__moment){0.01 * (double)i, i ? 0.01 * ((double)i - 1) : 0, 1, 1};
		if (!convert(trace, n, wall_s, wall_s, FT__TRACE_TICKS, &usage))
			continue;
		for (size_t i = 1; i < usage.n; i++) {
			worst = fmax(worst, usage.point[i].processors);
			least = fmin(least, usage.point[i].rss_bytes);
		}
		worst = ft_usage_job(&usage, &job) && job.cores > 1 ? INFINITY : worst;
		ft_usage_clear(&usage);
	}
	ok(worst < 1.25, "one processor stays one, to the last row: %g at most", worst);
	ok(least == 1, "and memory is there to the last row");
}

/* Ticks of 10 ms, looked at every 4 ms: half a processor is not 0 and 2.5 in turn. */
static void test_ticks(void)
{
	enum { N = 200 };
	struct ft__moment trace[N];
	struct ft_usage usage;
	double worst = 0;

	for (size_t i = 0; i < N; i++)
		trace[i] = (struct ft__moment){0.004 * (double)i, 0.01 * floor(0.2 * (double)i), 1, 1};
	ok(convert(trace, N, 0.8, 0.4, FT__TRACE_TICKS, &usage) && usage.n == N, "a trace in ticks");
	for (size_t i = 1; i + 1 < usage.n; i++)
		worst = fmax(worst, fabs(usage.point[i].processors - 0.5));
	ok(worst <= 0.1, "stays within a tick in ten of half a processor: %g", worst);
	ft_usage_clear(&usage);
}

/* A tree's memory is guessed between readings; the peak that they settle bounds all of the trace. */
static void test_cap(void)
{
	struct ft__moments moments = {.sparser = 1};

	for (int i = 0; i < 5; i++)
		ft__moments_add(&moments, &(struct ft__moment){i, 0, (uint64_t)(100 * i), 2});
	ft__moments_cap(&moments, 250);
	ok(moments.n == 5 && moments.moment[2].rss_bytes == 200 && moments.moment[3].rss_bytes == 250 &&
		   moments.moment[4].rss_bytes == 250,
	   "no moment is above the peak");
	ft__moments_clear(&moments);
}

int main(void)
{
	test_cap();
	test_few();
	test_many();
	test_usage();
	test_not_ended();
	test_rest();
	test_ticks();
	test_late();
	test_one_processor();
	return done();
}
