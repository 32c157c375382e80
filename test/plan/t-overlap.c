/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-overlap.c - jobs whose memory rises: the plan never exceeds memory or processors, is no later than that of the peaks,
 * and of few jobs as early as the best order of all. */
#include "tap.h"

#include "base/alloc.h"
#include "plan-test.h"
#include "plan/door.h"

#include <string.h>

enum { JOBS = 40, STEPS = 4 };

struct jobs {
	double from_s[JOBS][STEPS], bytes[JOBS][STEPS];
	struct ft_plan_rising job[JOBS];
	size_t n;
};

static void make_jobs(struct jobs *jobs, size_t n, struct ft_random *random)
{
	jobs->n = n;
	for (size_t i = 0; i < n; i++) {
		struct ft_plan_rising *job = &jobs->job[i];

		*job = (struct ft_plan_rising){jobs->from_s[i], jobs->bytes[i],
					       1 + ft_random_below(random, STEPS), between(random, 1, 10),
					       (double)(1 + ft_random_below(random, 2))};
		jobs->from_s[i][0] = 0;
		jobs->bytes[i][0] = between(random, 0.1, 1);
		for (size_t s = 1; s < job->n; s++) {
			jobs->from_s[i][s] =
				jobs->from_s[i][s - 1] + between(random, 0.01, 0.4) * job->time_s;
			jobs->bytes[i][s] = jobs->bytes[i][s - 1] + between(random, 0.1, 1);
		}
	}
}

/* What a plan needs at most: looked at when a job or one of its steps begins. */
static void find_most(const struct jobs *jobs, const double *start_s, double *bytes, double *cpus)
{
	*bytes = *cpus = 0;
	for (size_t i = 0; i < jobs->n; i++)
		for (size_t s = 0; s < jobs->job[i].n; s++) {
			const double at = start_s[i] + jobs->from_s[i][s];
			double held = 0, busy = 0;

			for (size_t k = 0; k < jobs->n; k++) {
				const struct ft_plan_rising *job = &jobs->job[k];
				size_t step = job->n;

				if (at < start_s[k] || at >= start_s[k] + job->time_s)
					continue;
				while (step-- > 1 && start_s[k] + job->from_s[step] > at)
					;
				held += job->bytes[step];
				busy += job->cpus;
			}
			*bytes = fmax(*bytes, held);
			*cpus = fmax(*cpus, busy);
		}
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	size_t over = 0, later = 0, wrong = 0, earlier = 0, rounds = 60;
	double saved = 0;

	for (size_t r = 0; r < rounds; r++) {
		const struct ft_plan_search search = {200000, r};
		struct jobs jobs;
		struct ft_plan plan;
		struct ft_err err;
		double start_s[JOBS], peaks_s, bytes, cpus, last_s = 0;

		make_jobs(&jobs, 1 + ft_random_below(&random, JOBS), &random);
		if (ft_plan_overlap(jobs.job, jobs.n, 5, 6, &search, start_s, &plan, &peaks_s, &err)) {
			wrong++;
			continue;
		}
		find_most(&jobs, start_s, &bytes, &cpus);
		for (size_t i = 0; i < jobs.n; i++) {
			last_s = fmax(last_s, start_s[i] + jobs.job[i].time_s);
			wrong += !(start_s[i] >= 0);
		}
		over += bytes > 5 * (1 + 1e-12) || cpus > 6;
		later += plan.value > peaks_s;
		earlier += plan.value < 0.99 * peaks_s;
		wrong += last_s != plan.value || plan.value < plan.bound * (1 - 1e-9);
		saved += (1 - plan.value / peaks_s) / (double)rounds;
	}
	ok(!over, "of %zu plans none needs more memory or processors than there are", rounds);
	ok(!later && earlier > rounds / 4 && saved > 0.03,
	   "none is later than that of the peaks; %zu are earlier, %.1f %% in the mean", earlier,
	   100 * saved);
	ok(!wrong, "each ends when it says, and not before its bound");
}

/* Two halves of late memory overlap; their peaks do not. */
static void test_known(void)
{
	static const double from_s[] = {0, 6}, bytes[] = {1, 4};
	static const struct ft_plan_rising two[] = {{from_s, bytes, 2, 10, 1}, {from_s, bytes, 2, 10, 1}};
	static const struct {
		size_t n;
		double bytes, cpus, value_s, peaks_s;
		bool exact;
		const char *what;
	} known[] = {
		{2, 5, 2, 14, 20, false, "the second rises when the first has ended"},
		{2, 8, 2, 10, 10, true, "both at once where memory suffices"},
		{2, 8, 1, 20, 20, true, "one after the other on one processor"},
		{2, 3, 2, INFINITY, INFINITY, false, "no plan where one never fits"},
		{0, 3, 2, 0, 0, false, "no jobs take no time"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		double start_s[2] = {0}, peaks_s = 0;
		struct ft_plan plan = {0};
		struct ft_err err;

		ok(!ft_plan_overlap(two, known[i].n, known[i].bytes, known[i].cpus, NULL, start_s, &plan,
				    &peaks_s, &err) &&
			   plan.value == known[i].value_s && peaks_s == known[i].peaks_s &&
			   plan.exact == known[i].exact && isinf(start_s[0]) == isinf(plan.value),
		   "%s", known[i].what);
	}
}

/* Times of any magnitude: a step long after the start is rounded, and still begins after the other job has ended. */
static void test_rounding(void)
{
	struct ft_random random = {test_seed() + 2};
	size_t over = 0, rounds = 300;

	for (size_t r = 0; r < rounds; r++) {
		const struct ft_plan_search search = {2000, r};
		const double scale = pow(10, between(&random, 0, 12));
		struct jobs jobs;
		struct ft_plan plan;
		struct ft_err err;
		double start_s[JOBS], peaks_s, bytes = 0, cpus = 0;

		make_jobs(&jobs, 6, &random);
		for (size_t i = 0; i < 6; i++) {
			const double longer = i % 2 ? scale : 1;

			jobs.job[i].time_s *= longer;
			for (size_t s = 1; s < jobs.job[i].n; s++)
				jobs.from_s[i][s] *= longer;
		}
		if (ft_plan_overlap(jobs.job, 6, 5, 6, &search, start_s, &plan, &peaks_s, &err))
			over++;
		else
			find_most(&jobs, start_s, &bytes, &cpus);
		over += bytes > 5 * (1 + 1e-12) || cpus > 6;
	}
	ok(!over, "of %zu plans with times from seconds to ages none needs more than there is", rounds);
}

/* Of five jobs the search has looked at nearly all orders soon. */
static void test_small(void)
{
	struct ft_random random = {test_seed() + 1};
	size_t worse = 0, rounds = 20;

	for (size_t r = 0; r < rounds; r++) {
		const struct ft_plan_search few = {100000, 1}, more = {2000000, 2};
		struct jobs jobs;
		struct ft_plan plan, best;
		struct ft_err err;
		double start_s[JOBS], peaks_s;

		make_jobs(&jobs, 5, &random);
		if (ft_plan_overlap(jobs.job, 5, 4, 4, &few, start_s, &plan, &peaks_s, &err) ||
		    ft_plan_overlap(jobs.job, 5, 4, 4, &more, start_s, &best, &peaks_s, &err))
			worse = rounds;
		else
			worse += plan.value > best.value * (1 + 1e-9);
	}
	ok(worse <= rounds / 10, "more effort finds better plans of five jobs in %zu of %zu cases", worse,
	   rounds);
}

static void test_refusals(void)
{
	static const double from_s[] = {0, 6}, falls[] = {4, 1}, rises[] = {1, 4}, late[] = {1, 6};
	const struct ft_plan_rising wrong[] = {{from_s, falls, 2, 10, 1}, {late, rises, 2, 10, 1},
					       {from_s, rises, 2, 0, 1},  {from_s, rises, 2, INFINITY, 1},
					       {from_s, rises, 0, 10, 1}, {from_s, rises, 2, 10, NAN}};
	const struct ft_plan_rising right[] = {{from_s, rises, 2, 10, 1}, {from_s, rises, 2, 10, 1}};
	const struct ft_plan_search little = {1000, 0};
	double start_s[2], peaks_s;
	size_t refused = 0, n = sizeof wrong / sizeof *wrong, failed = 0;
	enum ft_status status = FT_ENOMEM;
	struct ft_plan plan;
	struct ft_err err;

	for (size_t i = 0; i < n; i++)
		refused += ft_plan_overlap(&wrong[i], 1, 5, 2, NULL, start_s, &plan, &peaks_s, &err) ==
				   FT_EINVAL &&
			   strstr(err.text, "job 1");
	ok(refused == n, "steps that fall or begin late, no time, no steps: %zu of %zu refused", refused, n);
	ok(ft_plan_overlap(right, 1, 0, 2, NULL, start_s, &plan, &peaks_s, &err) == FT_EINVAL &&
		   ft_plan_overlap(right, 1, 5, NAN, NULL, start_s, &plan, &peaks_s, &err) == FT_EINVAL,
	   "no memory, no processors");
	for (size_t i = 1; status == FT_ENOMEM && i < 100; i++) {
		(void)ft_alloc_fail_at(i);
		status = ft_plan_overlap(right, 2, 5, 2, &little, start_s, &plan, &peaks_s, NULL);
		(void)ft_alloc_fail_at(0);
		failed += status == FT_ENOMEM;
	}
	ok(!status && failed == 7, "each of %zu allocations may fail", failed);
}

int main(void)
{
	test_known();
	test_random();
	test_rounding();
	test_small();
	test_refusals();
	return done();
}
