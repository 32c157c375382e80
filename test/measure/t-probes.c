/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-probes.c - the table of probes, and the reasons why one does not work, told apart. */
#include "tap.h"

#include "foretime/measure.h"
#include "measure/measure.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/t-probes-XXXXXX";

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[512];
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/%s", root, name);
	file = fopen(path, "we");
	if (!file)
		return;
	(void)fputs(text, file);
	(void)fclose(file);
	(void)chmod(path, mode);
}

/* An explanation with these two. */
static void says(enum ft_status status, struct ft_err *err, const char *text, const char *remedy)
{
	if (!ok(status == FT_EUNAVAIL && err->status == status && strstr(err->text, text) &&
			strstr(err->remedy, remedy),
		"%s", text))
		diag("text '%s', remedy '%s'", err->text, err->remedy);
	*err = (struct ft_err){0};
}

static bool all_known(const char *resources)
{
	char words[512], *save = NULL, *word;
	bool good = true;

	(void)snprintf(words, sizeof words, "%s", resources);
	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		good = ft_resource_find(word) && good;
	return good;
}

static void test_table(void)
{
	static const char *const expected[] = {"child",  "report",    "io",         "calls",      "sockets",
					       "files",  "gpu-drm",   "gpu-nvidia", "gpu-opencl", "schedstat",
					       "freeze", "reference", "tree",       "rapl",       "nvidia",
					       "meter",  "counters",  "software",   "valgrind",   "caches",
					       "qemu",   "replay"};
	size_t n = sizeof expected / sizeof *expected, i;
	const struct ft_probe_kind *probe;
	const struct ft_resource *resource;
	struct ft_err err = {0};

	for (i = 0; (probe = ft_probe_get(i)); i++) {
		enum ft_status status = probe->available(&err);

		ok(i < n && !strcmp(probe->name, expected[i]) && strlen(probe->name) < FT_PROBE_LENGTH &&
			   *probe->about && *probe->resources &&
			   (all_known(probe->resources) || !strcmp(probe->name, "software")),
		   "%s gives resources that there are", probe->name);
		if (i < 4)
			ok(!status, "%s is here", probe->name);
		else
			ok(!status || (status == FT_EUNAVAIL && err.status == status && *err.text &&
				       *err.remedy),
			   "%s is here, or says why not and what to do: %s", probe->name, err.text);
		err = (struct ft_err){0};
		if (strcmp(probe->name, "replay") != 0)
			continue;
		for (size_t k = 0; (resource = ft_resource_get(k)); k++)
			if (!strstr(probe->resources, resource->name))
				break;
		ok(!resource, "and gives everything");
	}
	ok(i == n && !ft_probe_get(n) && !ft_probe_get(SIZE_MAX), "the table ends");
	setenv("FORETIME_HELPER", "/nowhere", 1);
	ok(ft_probe_get(0)->available(&err) == FT_EUNAVAIL && *err.remedy, "no helper: %s", err.text);
	ok(ft_probe_get(0)->available(NULL) == FT_EUNAVAIL, "whether or not one wants to know why");
}

static void test_counters(void)
{
	struct ft_err err = {0};

	ok(!ft__counters_explain(0, "instructions", false, 2, true, &err) && !*err.text, "they count");
	says(ft__counters_explain(EACCES, "cycles", false, 3, true, &err), &err,
	     "cannot count cycles: kernel.perf_event_paranoid = 3 forbids it",
	     "sysctl kernel.perf_event_paranoid=2");
	says(ft__counters_explain(EACCES, "instructions", false, 4, false, &err), &err,
	     "= 4 forbids it, and the kernel lists no", "sysctl");
	says(ft__counters_explain(EACCES, "context-switches", true, 2, false, &err), &err,
	     "perf_event_paranoid = 2 forbids it", "sysctl kernel.perf_event_paranoid=1");
	says(ft__counters_explain(EPERM, "instructions", false, 2, true, &err), &err,
	     "the system refuses it, as containers do", "seccomp");
	says(ft__counters_explain(ENOENT, "instructions", false, 2, false, &err), &err, "the kernel lists no",
	     "valgrind");
	says(ft__counters_explain(ENOENT, "cycles", false, 2, false, &err), &err, "the kernel lists no",
	     "virtual");
	says(ft__counters_explain(ENOENT, "instructions", false, 2, true, &err), &err,
	     "nothing on this machine counts it", "valgrind");
	says(ft__counters_explain(EINVAL, "cycles:p", false, 2, true, &err), &err, "cannot count it so",
	     "modifiers");
	says(ft__counters_explain(ENOSYS, "instructions", false, -1, false, &err), &err,
	     "does not know perf_event_open", "CONFIG_PERF_EVENTS");
	says(ft__counters_explain(EMFILE, "instructions", false, 2, true, &err), &err,
	     "cannot count instructions: Too many open files", "");
}

static void test_nvidia(void)
{
	struct ft_err err = {0};
	char command[128], path[128];

	setenv("PATH", root, 1);
	says(ft__nvidia_check(root, &err), &err, "no driver of NVIDIA is loaded", "install its driver");
	(void)snprintf(path, sizeof path, "%s:/usr/bin:/bin", root);
	setenv("PATH", path, 1);
	(void)snprintf(command, sizeof command, "mkdir -p '%s/proc/driver/nvidia'", root);
	ok(!system(command), "a machine with a driver");
	write_file("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64\n", 0444);
	setenv("PATH", root, 1);
	says(ft__nvidia_check(root, &err), &err,
	     "the driver of NVIDIA is loaded, but nvidia-smi is not on PATH", "PATH");
	setenv("PATH", path, 1);
	write_file("nvidia-smi", "#!/bin/sh\necho 73.52\necho 71\n", 0755);
	ok(!ft__nvidia_check(root, &err), "two devices that tell their power");
	write_file("nvidia-smi", "#!/bin/sh\necho '[N/A]'\n", 0755);
	says(ft__nvidia_check(root, &err), &err, "reports no power: [N/A]", "by hand");
	write_file("nvidia-smi", "#!/bin/sh\necho 'No devices were found' >&2\nexit 6\n", 0755);
	says(ft__nvidia_check(root, &err), &err, "reports no power: No devices were found", "by hand");
	if (test_quick())
		return;
	write_file("nvidia-smi", "#!/bin/sh\nsleep 1000 & wait\n", 0755);
	says(ft__nvidia_check(root, &err), &err, "does not answer within 5 s", "by hand");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(root))
		return 1;
	test_table();
	test_counters();
	test_nvidia();
	(void)snprintf(command, sizeof command, "rm -r '%s'", root);
	ok(!system(command), "tidied up");
	return done();
}
