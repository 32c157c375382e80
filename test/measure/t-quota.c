/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-quota.c - time that a control group withholds is no waiting for others. */
#include "facts/door.h"
#include "measure/measure.h"
#include "process-test.h"

#include <errno.h>
#include <math.h>
#include <sys/wait.h>

/* ---- what the files say ------------------------------------------------------------------------------- */

static void folder(const char *path)
{
	(void)mkdir(temp_path(path), 0700);
}

static void check_files(const char *root, double processors, size_t n, double throttled_s, const char *what)
{
	struct ft__quota quota;

	ft__quota_open(&quota, root);
	double seen_s = ft__quota_throttled_s(&quota, root);
	ok(quota.processors == processors && quota.n == n && fabs(seen_s - throttled_s) < 1e-9 &&
		   ft_quota_processors(root) == processors,
	   "%s: %g processors, %zu groups, %g s", what, quota.processors, quota.n, seen_s);
	ft__quota_clear(&quota);
}

static void test_files(void)
{
	static const char *const folders[] = {"proc",
					      "proc/self",
					      "sys",
					      "sys/fs",
					      "sys/fs/cgroup",
					      "sys/fs/cgroup/job",
					      "sys/fs/cgroup/job/step",
					      "sys/fs/cgroup/cpu"};
	char root[256];

	(void)snprintf(root, sizeof root, "%s", temp_path(""));
	check_files(root, INFINITY, 0, 0, "nothing there");
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		folder(folders[i]);
	(void)temp_write(temp_path("proc/self/cgroup"), "0::/job/step\n", 0644);
	check_files(root, INFINITY, 0, 0, "groups without files");
	(void)temp_write(temp_path("sys/fs/cgroup/job/step/cpu.max"), "max 100000\n", 0644);
	check_files(root, INFINITY, 0, 0, "no quota");
	(void)temp_write(temp_path("sys/fs/cgroup/job/cpu.max"), "150000 100000\n", 0644);
	(void)temp_write(temp_path("sys/fs/cgroup/job/cpu.stat"),
			 "usage_usec 7\nnr_throttled 3\nthrottled_usec 2500000\n", 0644);
	check_files(root, 1.5, 1, 2.5, "of the group around");
	(void)temp_write(temp_path("sys/fs/cgroup/job/step/cpu.max"), "50000 100000\n", 0644);
	check_files(root, 0.5, 2, 2.5, "the least, and what both withheld");
	(void)temp_write(temp_path("proc/self/cgroup"), "4:cpuset:/\n3:cpuacct,cpu:/docker/0123\n0::/\n",
			 0644);
	(void)temp_write(temp_path("sys/fs/cgroup/cpu/cpu.cfs_quota_us"), "-1\n", 0644);
	(void)temp_write(temp_path("sys/fs/cgroup/cpu/cpu.cfs_period_us"), "100000\n", 0644);
	check_files(root, INFINITY, 0, 0, "version 1 without a quota");
	(void)temp_write(temp_path("sys/fs/cgroup/cpu/cpu.cfs_quota_us"), "200000\n", 0644);
	(void)temp_write(temp_path("sys/fs/cgroup/cpu/cpu.stat"), "throttled_time 1500000000\n", 0644);
	check_files(root, 2, 1, 1.5, "version 1");
	(void)temp_write(temp_path("sys/fs/cgroup/cpu/cpu.cfs_quota_us"), "nonsense\n", 0644);
	check_files(root, INFINITY, 0, 0, "nonsense");
}

/* ---- whose waiting it was ----------------------------------------------------------------------------- */

static double rest(double processors, struct ft__waited waited)
{
	const struct ft__quota quota = {.processors = processors,
					.share_s = isfinite(processors) ? 0.1 * processors : 0};

	return ft__quota_rest_s(&quota, &waited);
}

static void test_rest(void)
{
	ok(rest(INFINITY, (struct ft__waited){10, 4, 6, 0, 2}) == 6, "no quota: all for others");
	ok(rest(0.5, (struct ft__waited){16, 8, 8, 8, 2}) == 0, "one task, alone");
	ok(rest(0.5, (struct ft__waited){16, 8, 24, 24, 2}) == 0, "two tasks, alone");
	ok(rest(0.5, (struct ft__waited){16, 8, 56, 24, 2}) <= 0.1, "four tasks on two processors, alone");
	ok(rest(0.5, (struct ft__waited){16, 8, 8, 4.8, 2}) <= 0.1,
	   "beside others, who made the quota last: alone it takes no less");
	ok(fabs(rest(0.5, (struct ft__waited){26, 8, 18, 1, 2}) - 10.1) < 1e-9, "others took more");
	ok(fabs(rest(0.5, (struct ft__waited){20, 4, 5, 3, 2}) - 2) < 1e-9,
	   "it works now and then: what was withheld is known");
	ok(rest(2, (struct ft__waited){0.05, 0.02, 0.03, 0, 2}) == 0.03,
	   "short: its share was there at once");
}

/* Alone by its own formula, a run is never made shorter than the quota lets it be, nor longer than it was. */
static void test_random(void)
{
	int bad = 0;

	for (int i = 0; i < 20000; i++) {
		double processors = exp(4 * drand48() - 2), cpu_s = exp(6 * drand48() - 3), wall_s, least_s;
		struct ft__waited waited = {.cpu_s = cpu_s, .processors = 1 + floor(8 * drand48())};
		struct ft_run run;

		least_s = fmax(0, cpu_s - 0.1 * processors) / processors;
		wall_s = fmax(least_s, cpu_s / waited.processors) * (1 + drand48());
		waited.wall_s = wall_s;
		waited.delay_s = 3 * wall_s * drand48();
		waited.throttled_s = drand48() < 0.5 ? 0 : wall_s * drand48();
		ft_run_init(&run);
		run.processors = (int)waited.processors;
		(void)ft_run_add(&run, &ft_wall_s, wall_s, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_cpu_s, cpu_s, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_run_delay_s, rest(processors, waited), FT_MEASURED, "test", NULL,
				 NULL);
		struct ft_alone alone = ft_run_alone(&run);
		bad += !(alone.wall_s >= least_s * (1 - 1e-9)) || alone.wall_s > wall_s;
		ft_run_clear(&run);
	}
	ok(!bad, "%d of 20000 runs are shorter alone than their quota lets them be", bad);
}

/* ---- a real one --------------------------------------------------------------------------------------- */

static char group[160];

/* Half a processor; returns why there is none. */
static const char *make_group(void)
{
	static const char *const base[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"};
	char path[224];

	for (int version = 1; version <= 2; version++) {
		(void)snprintf(group, sizeof group, "%s/foretime-test-%d", base[version - 1], (int)getpid());
		if (access(base[version - 1], W_OK) || mkdir(group, 0755))
			continue;
		(void)snprintf(path, sizeof path, "%s/cpu.cfs_period_us", group);
		if (version == 1 && !temp_write(path, "100000\n", 0644))
			return "the control group takes no period";
		(void)snprintf(path, sizeof path, "%s/%s", group,
			       version == 1 ? "cpu.cfs_quota_us" : "cpu.max");
		return temp_write(path, version == 1 ? "50000\n" : "50000 100000\n", 0644)
			       ? NULL
			       : "the control group takes no quota";
	}
	group[0] = '\0';
	return "no control group can be made";
}

/* In the group, in a process of its own: tells how long a run takes alone, and its processor time. */
static bool measure(const char *threads, const char *seconds, double told[2])
{
	int pipes[2], status = 1;

	if (pipe(pipes))
		return false;
	pid_t pid = fork();
	if (!pid) {
		char procs[192];
		struct subject s;

		(void)snprintf(procs, sizeof procs, "%s/cgroup.procs", group);
		if (!temp_write(procs, "0\n", 0644))
			_exit(1);
		HOSTILE(&s, "threads", threads, seconds, "0");
		if (open_subject(&s) || run(&s, 1, 0))
			_exit(1);
		told[0] = ft_run_alone(last(&s)).wall_s;
		told[1] = value(&s, &ft_cpu_s);
		(void)!write(pipes[1], told, 2 * sizeof *told);
		unmake(&s);
		_exit(0);
	}
	(void)close(pipes[1]);
	if (read(pipes[0], told, 2 * sizeof *told) != (ssize_t)(2 * sizeof *told))
		told[0] = told[1] = NAN;
	(void)close(pipes[0]);
	(void)waitpid(pid, &status, 0);
	return !status;
}

static void check_real(const char *threads, const char *seconds)
{
	double told[2];
	bool good = measure(threads, seconds, told);

	ok(good && told[0] >= 1.99 * (told[1] - 0.05),
	   "half a processor, threads %s: alone %g s, of which they compute %g s", threads, told[0], told[1]);
}

static void test_real(void)
{
	const char *why = make_group();
	int tries = 0;

	if (why) {
		skip("half a processor", why);
	} else {
		check_real("1", "0.4");
		check_real("2", "0.2");
	}
	/* The helper's end is not waited for. */
	while (group[0] && rmdir(group) && errno == EBUSY && tries++ < 100)
		(void)usleep(10000);
}

int main(void)
{
	test_files();
	test_rest();
	test_random();
	test_real();
	temp_remove();
	return done();
}
