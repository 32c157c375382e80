/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-machine.c - what must be read from recorded machines, and from this one by both ways. */
#include "tap.h"

#include "base/alloc.h"
#include "foretime/measure.h"

#include <sys/stat.h>
#include <unistd.h>

static char copy[] = "/tmp/t-machine-XXXXXX";

static const struct {
	const char *tree;
	struct ft_machine fact;
} recorded[] = {
	/* Fingerprints were computed apart from our code: stores keep them, so that they must never change.
	 */
	{"kvm-guest",
	 {.fingerprint = (char *)"f42fb4d7a62fb55a",
	  .host = (char *)"guest",
	  .cpu = (char *)"AMD EPYC-Milan Processor",
	  .architecture = (char *)"x86_64",
	  .sockets = 1,
	  .cores = 2,
	  .threads = 2,
	  .l1d_bytes = 32 << 10,
	  .l2_bytes = 512 << 10,
	  .l3_bytes = 32 << 20,
	  .memory_bytes = INT64_C(8131844) << 10,
	  .system = (char *)"Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64",
	  .hypervisor = (char *)"KVM"}},
	/* An old kernel, that does not tell its architecture; two sockets, two threads a core. */
	{"xeon-slurm",
	 {.fingerprint = (char *)"3be8355b753ab275",
	  .host = (char *)"node042.cluster",
	  .cpu = (char *)"Intel(R) Xeon(R) CPU E5-2637 v4 @ 3.50GHz",
	  .sockets = 2,
	  .cores = 8,
	  .threads = 16,
	  .l1d_bytes = 32 << 10,
	  .l2_bytes = 256 << 10,
	  .l3_bytes = 15 << 20,
	  .memory_bytes = INT64_C(131747212) << 10,
	  .system = (char *)"Rocky Linux 8.9 (Green Obsidian), Linux 4.18.0-513.el8.x86_64",
	  .scheduler = (char *)"Slurm job 4711"}},
	/* No name of the processor, one of four switched off, no third cache, /usr/lib/os-release. */
	{"raspberry-pi",
	 {.fingerprint = (char *)"0f7ce68541b5abc6",
	  .host = (char *)"raspberrypi",
	  .cpu = (char *)"ARM Cortex-A72",
	  .architecture = (char *)"aarch64",
	  .sockets = 1,
	  .cores = 3,
	  .threads = 3,
	  .l1d_bytes = 32 << 10,
	  .l2_bytes = 1 << 20,
	  .memory_bytes = INT64_C(7998784) << 10,
	  .system = (char *)"Debian GNU/Linux 11 (bullseye), Linux 6.1.21-v8+",
	  .governor = (char *)"ondemand"}},
};

static bool same(const char *what, const char *got, const char *expected)
{
	bool good = got && expected ? !strcmp(got, expected) : got == expected;

	if (!good)
		diag("%s: got '%s', expected '%s'", what, got ? got : "(none)",
		     expected ? expected : "(none)");
	return good;
}

static bool same_number(const char *what, int64_t got, int64_t expected)
{
	if (got != expected)
		diag("%s: got %lld, expected %lld", what, (long long)got, (long long)expected);
	return got == expected;
}

static bool same_counts(const struct ft_machine *a, const struct ft_machine *b)
{
	return same_number("sockets", a->sockets, b->sockets) && same_number("cores", a->cores, b->cores) &&
	       same_number("threads", a->threads, b->threads) &&
	       same_number("l1d", a->l1d_bytes, b->l1d_bytes) &&
	       same_number("l2", a->l2_bytes, b->l2_bytes) && same_number("l3", a->l3_bytes, b->l3_bytes) &&
	       same_number("memory", a->memory_bytes, b->memory_bytes);
}

static bool same_machine(const struct ft_machine *a, const struct ft_machine *b)
{
	return same_counts(a, b) && same("fingerprint", a->fingerprint, b->fingerprint) &&
	       same("host", a->host, b->host) && same("cpu", a->cpu, b->cpu) &&
	       same("architecture", a->architecture, b->architecture) &&
	       same("system", a->system, b->system) && same("governor", a->governor, b->governor) &&
	       same("hypervisor", a->hypervisor, b->hypervisor) &&
	       same("scheduler", a->scheduler, b->scheduler);
}

static const char *tree_path(const char *tree)
{
	static char path[4096];
	const char *source = getenv("FORETIME_TEST_SOURCE");

	(void)snprintf(path, sizeof path, "%s/test/machines/%s", source ? source : ".", tree);
	return path;
}

static void test_recorded(void)
{
	struct ft_machine machine;
	struct ft_err err = {0};

	setenv("SLURM_JOB_ID", "99", 1); /* ours, not theirs */
	for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
		ok(!ft_machine_read(tree_path(recorded[i].tree), &machine, &err) &&
			   same_machine(&machine, &recorded[i].fact),
		   "%s%s", recorded[i].tree, err.text);
		ft_machine_clear(&machine);
		ft_machine_clear(&machine);
	}
	unsetenv("SLURM_JOB_ID");
}

static void replace(const char *file, const char *text)
{
	char path[4096];
	FILE *out;

	(void)snprintf(path, sizeof path, "%s%s", copy, file);
	out = fopen(path, "we");
	if (!out)
		return;
	(void)fputs(text, out);
	(void)fclose(out);
}

static bool has_fingerprint(const char *fingerprint)
{
	struct ft_machine machine;
	bool good = !ft_machine_read(copy, &machine, NULL) && !strcmp(machine.fingerprint, fingerprint);

	ft_machine_clear(&machine);
	return good;
}

/* A copy of the first machine, with one thing after the other changed. */
static void test_fingerprint(void)
{
	const char *before = recorded[0].fact.fingerprint;
	struct ft_machine machine;
	char command[8192];

	(void)snprintf(command, sizeof command, "cp -r '%s/.' '%s'", tree_path(recorded[0].tree), copy);
	ok(!system(command) && has_fingerprint(before), "a copy is the same machine");
	replace("/proc/sys/kernel/hostname", "other\n");
	replace("/proc/sys/kernel/osrelease", "9.9\n");
	replace("/etc/os-release", "PRETTY_NAME=Bare\n");
	replace("/proc/meminfo", "MemTotal:        8121844 kB\n");
	ok(has_fingerprint(before), "host, system, and some memory more or less, are not hardware");
	ok(!ft_machine_read(copy, &machine, NULL) && same("system", machine.system, "Bare, Linux 9.9"),
	   "no quotes");
	ft_machine_clear(&machine);
	replace("/proc/meminfo", "MemTotal:        4121844 kB\n");
	ok(!has_fingerprint(before), "half the memory is another machine");
	replace("/proc/meminfo", "MemTotal:        8131844 kB\n");
	replace("/sys/devices/system/cpu/cpu0/cache/index2/size", "1024K\n");
	ok(!has_fingerprint(before), "so is another cache");
	replace("/sys/devices/system/cpu/cpu0/cache/index2/size", "512K\n");
	ok(has_fingerprint(before), "and back");
	replace("/sys/class/dmi/id/product_name", "Bochs\n");
	ok(!ft_machine_read(copy, &machine, NULL) &&
		   same("hypervisor", machine.hypervisor, "unknown hypervisor"),
	   "a guest whose hypervisor does not tell its name");
	ft_machine_clear(&machine);
	replace("/proc/meminfo", "MemTotal:   9223372036854775807 kB\n");
	replace("/sys/devices/system/cpu/cpu0/cache/index2/size", "-1K\n");
	replace("/sys/devices/system/cpu/online", "0,3-9999999999999\n");
	ok(!ft_machine_read(copy, &machine, NULL) && !machine.memory_bytes && !machine.l2_bytes &&
		   machine.threads == 1,
	   "what no machine has is not known");
	ft_machine_clear(&machine);
	replace("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x99\nCPU part\t: 0x123\n");
	ok(!ft_machine_read(copy, &machine, NULL) &&
		   same("cpu", machine.cpu, "ARM implementer 0x99 part 0x123") &&
		   same("hypervisor", machine.hypervisor, NULL),
	   "a processor that is not in the table");
	ft_machine_clear(&machine);
}

static void test_hollow(void)
{
	struct ft_machine machine, empty = {0};
	struct ft_err err = {0};
	char command[4096];

	ok(ft_machine_read("/nowhere", &machine, &err) == FT_ENOENT && *err.remedy &&
		   !memcmp(&machine, &empty, sizeof empty),
	   "no such tree: %s", err.text);
	(void)snprintf(command, sizeof command, "rm -r '%s'/*", copy);
	ok(!system(command) && ft_machine_read(copy, &machine, NULL) == FT_ENOENT, "an empty folder is none");
	(void)snprintf(command, sizeof command, "mkdir '%s/proc'", copy);
	ok(!system(command), "a tree that tells nothing");
	replace("/proc/cpuinfo", "processor\t: 0\n");
	ok(!ft_machine_read(copy, &machine, NULL) && machine.fingerprint, "has a fingerprint");
	ft_free(machine.fingerprint);
	machine.fingerprint = NULL;
	ok(same_machine(&machine, &empty), "and nothing is invented");
	ft_machine_clear(&machine);
}

static void test_this(void)
{
	struct ft_machine machine, by_files = {0};

	setenv("SLURM_JOB_ID", "99", 1);
	ok(!ft_machine_read("", &machine, NULL) && strlen(machine.fingerprint) == 16 && machine.threads > 0 &&
		   machine.memory_bytes > 0 && machine.architecture && machine.system && machine.host,
	   "this machine");
	ok(same("scheduler", machine.scheduler, "Slurm job 99"), "inside a job");
	unsetenv("SLURM_JOB_ID");
	if (access("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", R_OK) ||
	    access("/sys/devices/system/cpu/cpu0/cache/index0/size", R_OK))
		skip("hwloc and /sys count alike", "/sys has no topology here");
	else
		ok(!ft_machine_read("/", &by_files, NULL) && same_counts(&machine, &by_files) &&
			   same("cpu", machine.cpu, by_files.cpu),
		   "hwloc and /sys count alike");
	ft_machine_clear(&by_files);
	ft_machine_clear(&machine);
	ok(!ft_machine_read("", &machine, NULL) && same("scheduler", machine.scheduler, NULL), "outside one");
	ft_machine_clear(&machine);
}

static void test_faults(void)
{
	struct ft_machine machine, empty = {0};
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	int wrong = 0;

	for (n = 1; status && n < 200; n++) {
		ft_alloc_fail_at(n);
		status = ft_machine_read(tree_path("xeon-slurm"), &machine, NULL);
		wrong += status && (status != FT_ENOMEM || memcmp(&machine, &empty, sizeof empty) != 0);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 5 && !wrong, "memory that is out is said");
	ft_machine_clear(&machine);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(copy))
		return 1;
	test_recorded();
	test_fingerprint();
	test_hollow();
	test_this();
	test_faults();
	(void)snprintf(command, sizeof command, "rm -r '%s'", copy);
	ok(!system(command), "tidied up");
	return done();
}
