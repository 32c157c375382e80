/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-memory.c - how much memory a run may have: recorded machines, made-up ones, this one. */
#include "tap.h"
#include "temp.h"

#include "foretime/measure.h"
#include "measure/door.h"

#include <sys/resource.h>
#include <sys/stat.h>

static void check(const char *root, double expected, const char *words)
{
	const char *why = NULL;
	struct ft_err err = {0};
	double bytes;
	enum ft_status status = ft_memory_limit_bytes(root, &bytes, &why, &err);

	if (!ok(!status && bytes == expected && why && strstr(why, words), "%s: %s", root, words))
		diag("%.17g bytes, expected %.17g: %s %s", bytes, expected, why ? why : "(none)", err.text);
}

static void test_recorded(void)
{
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char root[512];

	if (!source)
		source = ".";
	(void)snprintf(root, sizeof root, "%s/test/machines/raspberry-pi", source);
	check(root, 7612244.0 * 1024, "available");
	(void)snprintf(root, sizeof root, "%s/test/machines/kvm-guest", source);
	/* The slice around the service has 4 GiB, of which 1 GiB less 800 MB of cached files is taken. */
	check(root, 4294967296.0 - (1073741824.0 - 800000000.0), "control group");
	(void)snprintf(root, sizeof root, "%s/test/machines/xeon-slurm", source);
	check(root, 17179869184.0 - (1610612736.0 - 536870912.0), "control group");
}

/* A machine of our own, changed step by step. */
static void test_made_up(void)
{
	struct ft_err err = {0};
	double bytes = 1;
	char root[256];

	(void)snprintf(root, sizeof root, "%s", temp_path(""));
	enum ft_status status = ft_memory_limit_bytes(root, &bytes, NULL, &err);
	ok(status == FT_EUNAVAIL && isnan(bytes) && err.text[0], "a folder without a machine: %s", err.text);
	(void)mkdir(temp_path("proc"), 0700);
	(void)mkdir(temp_path("proc/self"), 0700);
	(void)temp_write(temp_path("proc/meminfo"), "MemTotal: 1000 kB\nMemFree: 500 kB\n", 0644);
	check(root, 500 * 1024, "free");
	(void)temp_write(temp_path("proc/meminfo"),
			 "MemTotal: 1000 kB\nMemFree: 500 kB\nMemAvailable: 800 kB\n", 0644);
	check(root, 800 * 1024, "available");
	(void)temp_write(temp_path("proc/self/limits"),
			 "Max address space         700000               unlimited            bytes\n", 0644);
	check(root, 700000, "ulimit -v");
	(void)temp_write(temp_path("proc/self/cgroup"), "3:memory:/docker/0123\n0::/\n", 0644);
	check(root, 700000, "ulimit -v");
	(void)mkdir(temp_path("sys"), 0700);
	(void)mkdir(temp_path("sys/fs"), 0700);
	(void)mkdir(temp_path("sys/fs/cgroup"), 0700);
	(void)mkdir(temp_path("sys/fs/cgroup/memory"), 0700);
	/* The path is the host's: the container sees its own group as the root. */
	(void)temp_write(temp_path("sys/fs/cgroup/memory/memory.limit_in_bytes"), "600000\n", 0644);
	check(root, 600000, "control group");
	(void)temp_write(temp_path("sys/fs/cgroup/memory/memory.usage_in_bytes"), "700000\n", 0644);
	check(root, 0, "control group");
	(void)temp_write(temp_path("sys/fs/cgroup/memory/memory.limit_in_bytes"), "garbage\n", 0644);
	check(root, 700000, "ulimit -v");
	(void)temp_write(temp_path("sys/fs/cgroup/memory.max"), "max\n", 0644);
	check(root, 700000, "ulimit -v");
	(void)temp_write(temp_path("sys/fs/cgroup/memory.max"), "65536\n", 0644);
	check(root, 65536, "control group");
}

static void test_here(void)
{
	struct rlimit before;
	const char *why;
	double bytes, limited;
	enum ft_status status = ft_memory_limit_bytes("", &bytes, &why, NULL);

	ok(!status && bytes > 1 << 20, "this machine: %g bytes, %s", bytes, why);
	(void)getrlimit(RLIMIT_AS, &before);
	struct rlimit less = before;
	less.rlim_cur = (rlim_t)bytes / 2;
	if (setrlimit(RLIMIT_AS, &less)) {
		skip("an address space of half that", "setrlimit failed");
		return;
	}
	status = ft_memory_limit_bytes("", &limited, &why, NULL);
	ok(!status && limited == floor(bytes / 2) && strstr(why, "ulimit"),
	   "an address space of half that: %g", limited);
	(void)setrlimit(RLIMIT_AS, &before);
}

int main(void)
{
	test_recorded();
	test_made_up();
	test_here();
	temp_remove();
	return done();
}
