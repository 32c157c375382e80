/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-usage-job.c - from the trace of a run to its cores, and the time that all of them worked. */
#include "base/alloc.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "tap.h"

static struct ft_usage_job job_of(struct ft_usage_point *point, size_t n)
{
	const struct ft_usage usage = {point, n};
	struct ft_usage_job job;

	ok(ft_usage_job(&usage, &job) == (n > 1), "%zu points", n);
	return job;
}

int main(void)
{
	/* 2 s serial, 6 s on four cores, 1 s on two and a half of them, 1 s serial */
	struct ft_usage_point parallel[] = {{0, 0, 0, 1},   {2, 1, 0, 1},   {5, 4, 0, 4},
					    {8, 3.9, 0, 4}, {9, 2.5, 0, 4}, {10, 1, 0, 1}};
	struct ft_usage_point serial[] = {{0, 0, 0, 1}, {1, 0.2, 0, 1}, {4, 1, 0, 1}};
	/* two cores for 11 s, of which one second shows more and one less */
	struct ft_usage_point uneven[] = {{0, 2, 0, 2}, {9, 2, 0, 2}, {10, 2.4, 0, 2}, {11, 1.6, 0, 2}};
	struct ft_usage_job job = job_of(parallel, 6);

	ok(job.cores == 4 && near(job.wall_s, 10, 1e-12), "four cores, ten seconds");
	ok(near(job.job_s, 3 + 3 * 2.9 / 3 + 0.5, 1e-12), "all of them for %g s", job.job_s);
	job = job_of(uneven, 4);
	ok(job.cores == 2 && near(job.job_s, 11, 1e-12), "no processor time is cut off: %g s", job.job_s);
	job = job_of(serial, 3);
	ok(job.cores == 1 && job.job_s == 4, "a serial run is a job of one core");
	(void)job_of(serial, 1);
	(void)job_of(NULL, 0);
	(void)ft_alloc_fail_at(1);
	ok(!ft_usage_job(&(struct ft_usage){parallel, 6}, &job), "without memory nothing is told");
	(void)ft_alloc_fail_at(0);
	return done();
}
