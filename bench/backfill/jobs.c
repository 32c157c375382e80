/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - workloads that are made, in the shape of published traces: users of very different activity who
 * submit jobs of a kind one after another, by day more than by night, and ask for round times. */
#include "base/alloc.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { USERS = 60, WIDTHS = 6 };

static const double day_s = 86400, least_s = 10, most_s = 3 * 86400.0;

/* What people ask for, in seconds. */
static const double round_s[] = {600,   1800,  3600,   7200,   14400,  28800,
				 43200, 86400, 172800, 345600, 604800, 1209600};

enum { ROUND = sizeof round_s / sizeof *round_s };

static double rounded(double seconds)
{
	for (size_t i = 0; i < ROUND; i++)
		if (round_s[i] >= seconds)
			return round_s[i];
	return seconds;
}

/* 1, 2, 4 ... 32: half of all jobs take one processor. */
static size_t width(struct ft_random *random)
{
	size_t k = 0;

	while (k + 1 < WIDTHS && ft_random_uniform(random) < 0.5)
		k++;
	return (size_t)1 << k;
}

/* Three quarters of all come within the twelve hours of day. */
static double at_day(struct ft_random *random, double time_s)
{
	double day = floor(time_s / day_s), part = ft_random_uniform(random);

	return day_s *
	       (day + (ft_random_uniform(random) < 0.75 ? 0.33 + 0.5 * part : fmod(0.83 + 0.5 * part, 1)));
}

/* Zipf: the k-th user submits 1 / k of what the first one does. */
static size_t pick_user(struct ft_random *random)
{
	double sum = 0;
	size_t k;

	for (k = 1; k <= USERS; k++)
		sum += 1 / (double)k;
	double at = sum * ft_random_uniform(random);
	for (k = 1; k < USERS && (at -= 1 / (double)k) > 0;)
		k++;
	return k - 1;
}

static int by_submission(const void *a, const void *b)
{
	const struct job *p = a, *q = b;

	return (p->submit_s > q->submit_s) - (p->submit_s < q->submit_s);
}

/* asked_s: for the session; 0: for this job alone */
static struct job make_job(const struct shape *shape, struct ft_random *random, double median_s,
			   double asked_s)
{
	double run_s = median_s * exp(shape->own_scatter * ft_random_normal(random));
	double over = shape->over * exp(shape->over_scatter * ft_random_normal(random));
	struct job job = {.run_s = fmin(most_s, fmax(least_s, run_s))};

	job.asked_s = rounded(fmax(job.run_s, asked_s > 0 ? asked_s : job.run_s * over));
	return job;
}

/* What is asked for all jobs of a session. */
static double session_s(const struct shape *shape, struct ft_random *random, double median_s)
{
	double over = shape->over * exp(shape->over_scatter * ft_random_normal(random));

	return shape->each ? 0 : median_s * over;
}

/* All jobs within [0, 1), those of a session at one moment: the time that they keep the processors busy tells
 * how long that is. */
static void fill(struct jobs *out, const struct shape *shape, struct ft_random *random)
{
	double users_s[USERS];
	size_t i = 0, user;

	for (user = 0; user < USERS; user++)
		users_s[user] = shape->median_s * exp(shape->users_scatter * ft_random_normal(random));
	while (i < out->n) {
		double begin = ft_random_uniform(random);
		size_t wide = width(random);

		user = pick_user(random);
		size_t more = 1 + (size_t)(-shape->session * log(1 - ft_random_uniform(random)));
		double asked_s = session_s(shape, random, users_s[user]);
		for (size_t k = 0; k < more && i < out->n; k++) {
			out->job[i] = make_job(shape, random, users_s[user], asked_s);
			out->job[i].user = user;
			out->job[i].processors = wide;
			out->job[i++].submit_s = begin;
		}
	}
}

/* When sessions begin; their jobs are seconds apart. */
static void settle(struct jobs *out, struct ft_random *random, double length_s)
{
	double before = NAN, at_s = 0;

	for (size_t i = 0; i < out->n; i++) {
		struct job *job = &out->job[i];

		if (job->submit_s != before) {
			before = job->submit_s;
			at_s = at_day(random, job->submit_s * length_s);
		}
		at_s += ft_random_uniform(random);
		job->submit_s = at_s;
	}
}

bool jobs_make(struct jobs *out, const struct shape *shape, size_t n, double busy, uint64_t seed)
{
	struct ft_random random = {seed};
	double work = 0;

	*out = (struct jobs){.job = ft_calloc(n, sizeof *out->job),
			     .n = n,
			     .processors = shape->processors,
			     .users = USERS};
	if (!out->job)
		return false;
	fill(out, shape, &random);
	for (size_t i = 0; i < n; i++)
		work += out->job[i].run_s * (double)out->job[i].processors;
	double length_s = work / busy / (double)shape->processors;
	settle(out, &random, length_s);
	qsort(out->job, n, sizeof *out->job, by_submission);
	return true;
}

void jobs_free(struct jobs *jobs)
{
	ft_free(jobs->job);
	*jobs = (struct jobs){0};
}
