/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-faults.c - every allocation of every kind of plan fails once: out of memory is said, and nothing is left
 * behind (a leak checker sees that). */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { N = 5, M = 2 };

static const double falls[] = {0, 3, 1, 4, 2, 6}, rises[] = {0, 1, 2, 3, 4, 5},
		    joules[] = {0, 5, 6, 7, 9, 11};
static const struct ft_plan_edge edges[] = {{0, 1, 3}, {0, 2, 3}, {1, 3, 3}, {2, 4, 3}};
static const double task_s[N * M] = {3, 4, 2, 5, 6, 1, 2, 2, 4, 3};
static const double latency[M * M] = {0, 1, 1, 0}, bandwidth[M * M] = {1, 10, 5, 1};
static const struct ft_plan_links links = {.latency_s_of = latency, .bytes_per_s_of = bandwidth};
static const struct ft_plan_search little = {.effort = 20000};

static enum ft_status partition(void)
{
	const struct ft_plan_times times[] = {{.n = 6, .time_s = falls},
					      {.n = 6, .time_s = rises, .count = 2}};
	struct ft_partition_options options = {.granularity = 2};
	struct ft_partition out;
	int64_t units[3];

	return ft_plan_partition(times, 2, 9, &options, units, NULL, &out, NULL);
}

static enum ft_status front(void)
{
	const struct ft_plan_costs costs[] = {{6, falls, joules}, {6, rises, joules}};
	struct ft_plan_front out;
	enum ft_status status = ft_plan_front(costs, 2, 6, 0, 0, &out, NULL);

	ft_plan_front_clear(&out);
	return status;
}

static enum ft_status least(void)
{
	const struct ft_plan_costs costs[] = {{6, falls, joules}, {6, rises, joules}};
	struct ft_partition_energy out;
	int64_t units[2];

	return ft_plan_partition_energy(costs, 2, 6, 0.5, 0, units, &out, NULL);
}

static enum ft_status map(void)
{
	struct ft_plan out;
	size_t on[N];

	return ft_plan_map(task_s, N, M, &little, on, NULL, &out, NULL);
}

static enum ft_status schedule(void)
{
	const struct ft_plan_reserved reserved[] = {{0, 1, 2}, {1, 5, 6}, {0, 4, 5}};
	struct ft_plan_slot slot[N];
	struct ft_plan out;

	return ft_plan_schedule(task_s, N, M, edges, 4, &links, reserved, 3, &little, slot, NULL, &out, NULL);
}

static enum ft_status topology(void)
{
	const struct ft_topology t = {.modules = N,
				      .resources = M,
				      .time_s = task_s,
				      .port = edges,
				      .ports = 4,
				      .links = &links,
				      .cost = FT_TOPOLOGY_CONCURRENT};
	struct ft_topology_plan out;
	size_t on[N];

	return ft_plan_topology(&t, &little, on, &out, NULL);
}

static enum ft_status rank(void)
{
	const struct ft_plan_server server[] = {{.time_s = 1, .spread_s = 1}, {.time_s = 2}};
	struct ft_plan_rank out[2];

	return ft_plan_rank(server, 2, 0, out, NULL);
}

static enum ft_status refine(void)
{
	const double seconds[] = {1, 3};
	struct ft_plan_refine *r;
	struct ft_plan_refined now;
	int64_t units[2];
	enum ft_status status = ft_plan_refine_new(&r, 2, 100, NULL, NULL);

	if (!status)
		status = ft_plan_refine_next(r, units, &now, NULL);
	if (!status)
		status = ft_plan_refine_ran(r, units, seconds, NULL);
	if (!status)
		status = ft_plan_refine_next(r, units, &now, NULL);
	ft_plan_refine_free(r);
	return status;
}

static const struct {
	const char *name;
	enum ft_status (*run)(void);
} kinds[] = {{"partition", partition}, {"front", front},       {"least energy", least}, {"map", map},
	     {"schedule", schedule},   {"topology", topology}, {"rank", rank},          {"refine", refine}};

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		enum ft_status status = FT_ENOMEM;
		unsigned long failed = 0;
		bool good = kinds[i].run() == FT_OK;

		for (unsigned long n = 1; good && status == FT_ENOMEM && n < 5000; n++) {
			(void)ft_alloc_fail_at(n);
			status = kinds[i].run();
			(void)ft_alloc_fail_at(0);
			good = status == FT_OK || status == FT_ENOMEM;
			failed += status == FT_ENOMEM;
		}
		ok(good && status == FT_OK && failed > 0, "%s: %lu allocations failed, one by one",
		   kinds[i].name, failed);
	}
	return done();
}
