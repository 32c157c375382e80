/* SPDX-License-Identifier: 0BSD */
/* plan.c - divide work over processors of different speed, and put tasks on machines:
 *
 *	cc plan.c $(pkg-config --cflags --libs foretime) -o plan
 *	./plan
 */
#include <foretime/plan.h>

#include <stdint.h>
#include <stdio.h>

int main(void)
{
	/* Seconds for so many units: straight lines between the knots. The second processor has room for
	 * 400,000 units only. */
	static const int64_t at[] = {1, 1000000};
	static const double fast_s[] = {1e-5, 10}, slow_s[] = {3e-5, 30};
	static struct ft_plan_times times[2]; /* static: zero-initialised */
	static const double time_s[4][2] = {
		{8, 4}, {6, 3}, {2, 3}, {1, 2}}; /* a row a task, a column a machine */
	struct ft_partition partition;
	struct ft_plan map;
	int64_t units[2];
	size_t machine[4];
	double load_s[2];
	struct ft_err err;
	enum ft_status status;

	times[0].n = times[1].n = 2;
	times[0].at = times[1].at = at;
	times[0].time_s = fast_s;
	times[1].time_s = slow_s;
	times[1].most = 400000;
	status = ft_plan_partition(times, 2, 1000000, NULL, units, NULL, &partition, &err);
	if (!status)
		status = ft_plan_map(time_s[0], 4, 2, NULL, machine, load_s, &map, &err);
	if (status) {
		fprintf(stderr, "plan: %s; %s\n", err.text, err.remedy);
		return 1;
	}
	printf("%lld and %lld units: %.2f s%s\n", (long long)units[0], (long long)units[1],
	       partition.plan.value, partition.plan.exact ? ", proved best" : "");
	printf("tasks on machines %zu %zu %zu %zu: %g s (no plan takes less than %g s)\n", machine[0],
	       machine[1], machine[2], machine[3], map.value, map.bound);
	/* Speeds of 3 to 1: 750,000 units, 7.5 s. Tasks 0 and 1 take 7 s on machine 1, or 8 and 3 s apart. */
	return !(partition.plan.exact && units[0] == 750000 && units[0] + units[1] == 1000000 &&
		 map.value == 7 && map.exact);
}
