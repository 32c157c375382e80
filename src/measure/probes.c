/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the table of probes: what each gives, and whether it works on this machine. */
#include "measure/probes.h"
#include "base/alloc.h"
#include "foretime/measure.h"
#include "measure/client.h"
#include "measure/files.h"
#include "measure/hash.h"
#include "measure/virtual.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_YET(what) "this version of foretime does not read " what " yet; "
#define NOTHING_TO_DO "nothing has to be changed on this machine: a later version will use it"

/* The failure in err is that a probe is not available, whatever the errno in its text. */
static enum ft_status make_unavailable(struct ft_err *err)
{
	if (err)
		err->status = FT_EUNAVAIL;
	return FT_EUNAVAIL;
}

/* The first file that fits root + pattern; false, and path "", when there is none. */
static bool find_file(char path[PATH_MAX], const char *root, const char *pattern)
{
	glob_t found;
	int length;

	length = snprintf(path, PATH_MAX, "%s%s", root, pattern);
	if (length >= 0 && length < PATH_MAX && !glob(path, 0, NULL, &found)) {
		(void)snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
		globfree(&found);
		return true;
	}
	path[0] = '\0';
	return false;
}

/* ---- hardware counters -------------------------------------------------------------------------------- */

static enum ft_status explain_refusal(long paranoid, bool pmu, struct ft_err *err)
{
	const char *known = pmu ? "" : ", and the kernel lists no performance monitoring unit";

	/* Level 3 and above is a patch of distributions: no counters without privilege (Debian's kernel,
	 * README). */
	if (paranoid > 2) {
		(void)ft_fail(
			err, FT_EUNAVAIL,
			NOT_YET("hardware counters") "here kernel.perf_event_paranoid = %ld forbids them%s",
			paranoid, known);
		(void)ft_remedy(err, "as root: sysctl kernel.perf_event_paranoid=2");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL,
			      NOT_YET("hardware counters") "here the system refuses them, as containers do%s",
			      known);
		(void)ft_remedy(err,
				"let the container call perf_event_open: its seccomp profile, CAP_PERFMON");
	}
	return FT_EUNAVAIL;
}

enum ft_status ft__counters_explain(int number, long paranoid, bool pmu, struct ft_err *err)
{
	switch (number) {
	case 0:
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("hardware counters") "this machine would offer them");
		(void)ft_remedy(err, NOTHING_TO_DO);
		break;
	case EACCES:
	case EPERM:
		return explain_refusal(paranoid, pmu, err);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		(void)ft_fail(
			err, FT_EUNAVAIL, NOT_YET("hardware counters") "this machine offers none: %s",
			pmu ? "its performance monitoring unit does not count instructions"
			    : "the kernel lists no performance monitoring unit, as in most virtual machines");
		(void)ft_remedy(err,
				"choose a machine that is not virtual, or ask its host for a virtual PMU");
		break;
	case ENOSYS:
		(void)ft_fail(err, FT_EUNAVAIL,
			      NOT_YET("hardware counters") "here the kernel does not know perf_event_open");
		(void)ft_remedy(
			err, "choose a kernel with CONFIG_PERF_EVENTS, or a container that allows the call");
		break;
	default:
		(void)ft_fail_errno(err, number,
				    NOT_YET("hardware counters") "here counting instructions fails");
		return make_unavailable(err);
	}
	return FT_EUNAVAIL;
}

static enum ft_status check_counters(struct ft_err *err)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .size = sizeof attr,
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .disabled = 1,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	char path[PATH_MAX], level[FT__LINE_LENGTH];
	bool pmu = find_file(path, "", "/sys/bus/event_source/devices/cpu*") ||
		   find_file(path, "", "/sys/bus/event_source/devices/arm*");
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int number = fd < 0 ? errno : 0;

	if (fd >= 0)
		(void)close((int)fd);
	return ft__counters_explain(number,
				    ft__file_line(level, "", "/proc/sys/kernel/perf_event_paranoid")
					    ? strtol(level, NULL, 10)
					    : -1,
				    pmu, err);
}

/* ---- energy of the processor -------------------------------------------------------------------------- */

enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err)
{
	char path[PATH_MAX], line[FT__LINE_LENGTH];

	if (!find_file(path, root, "/sys/class/powercap/*/energy_uj")) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      NOT_YET("RAPL") "this machine offers none: there is no "
					      "/sys/class/powercap/*/energy_uj");
		if (guest)
			(void)ft_remedy(
				err,
				"virtual machines have none: measure energy on a machine that is not one");
		else
			(void)ft_remedy(err,
					"where the processor has RAPL, as root: modprobe intel_rapl_msr");
		return FT_EUNAVAIL;
	}
	if (ft__file_line(line, "", "%s", path)) {
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("RAPL") "this machine would offer it");
		(void)ft_remedy(err, NOTHING_TO_DO);
	} else if (errno == EACCES || errno == EPERM) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      NOT_YET("RAPL") "this machine has it, but '%s' is for root only", path);
		(void)ft_remedy(err,
				"as root: chmod a+r /sys/class/powercap/*/energy_uj (until the next start)");
	} else {
		(void)ft_fail_errno(err, errno, NOT_YET("RAPL") "this machine has it, but cannot read '%s'",
				    path);
		(void)ft_remedy(err, "ask who administers the machine");
	}
	return make_unavailable(err);
}

static enum ft_status check_rapl(struct ft_err *err)
{
	char cpuinfo[8192];

	(void)ft__file_read(cpuinfo, sizeof cpuinfo, "", "/proc/cpuinfo");
	return ft__rapl_explain("", ft__hypervisor_find("", cpuinfo) != NULL, err);
}

/* ---- energy of devices -------------------------------------------------------------------------------- */

/* The first line that nvidia-smi prints, and its exit status; -1: it could not be started. */
static int ask_nvidia(char line[FT__LINE_LENGTH])
{
	FILE *pipe =
		popen("timeout 5 nvidia-smi --query-gpu=power.draw --format=csv,noheader,nounits 2>&1", "re");
	int status;

	line[0] = '\0';
	if (!pipe)
		return -1;
	if (!fgets(line, FT__LINE_LENGTH, pipe))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	while (fgetc(pipe) != EOF)
		;
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum ft_status ft__nvidia_explain(const char *root, struct ft_err *err)
{
	char line[FT__LINE_LENGTH], *path, *end;
	bool driver = ft__file_line(line, root, "/proc/driver/nvidia/version");
	enum ft_status status = ft__program_find("nvidia-smi", &path, NULL);
	int exit_status;

	ft_free(path);
	if (status) {
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("nvidia-smi") "%s",
			      driver ? "here the driver is loaded, but nvidia-smi is not on PATH"
				     : "this machine offers none: no driver of NVIDIA is loaded");
		(void)ft_remedy(err, driver ? "add the folder of nvidia-smi to PATH, or install it"
					    : "where there is such a device, install its driver");
		return FT_EUNAVAIL;
	}
	exit_status = ask_nvidia(line);
	if (!exit_status && strtod(line, &end) > 0 && end != line) {
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("nvidia-smi") "this machine would offer it: %s W now",
			      line);
		(void)ft_remedy(err, NOTHING_TO_DO);
	} else if (exit_status == 124) {
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("nvidia-smi") "here it does not answer within 5 s");
		(void)ft_remedy(err, "try it by hand; nvidia-persistenced makes it quicker");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, NOT_YET("nvidia-smi") "here it tells no power: %s",
			      *line ? line : "it prints nothing");
		(void)ft_remedy(err, "try it by hand: nvidia-smi --query-gpu=power.draw --format=csv");
	}
	return FT_EUNAVAIL;
}

static enum ft_status check_nvidia(struct ft_err *err)
{
	return ft__nvidia_explain("", err);
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static enum ft_status always(struct ft_err *err)
{
	(void)err;
	return FT_OK;
}

/* What is measured from outside needs foretime-helper to start and to answer. */
static enum ft_status check_helper(struct ft_err *err)
{
	struct ft__client client;
	enum ft_status status = ft__client_open(&client, 0, err);

	if (!status)
		ft__client_close(&client);
	return status;
}

static enum ft_status check_tree(struct ft_err *err)
{
	char line[FT__LINE_LENGTH];

	if (ft__file_line(line, "", "/proc/self/statm"))
		return check_helper(err);
	(void)ft_fail_errno(err, errno, "cannot read '/proc/self/statm'");
	(void)ft_remedy(err, "mount /proc: mount -t proc proc /proc");
	return make_unavailable(err);
}

static const struct ft_probe probes[] = {
	{"child", "waits for the program's process, and asks the kernel what it used",
	 "wall_s cpu_s user_s system_s peak_rss_bytes minor_faults major_faults voluntary_switches "
	 "involuntary_switches",
	 check_helper},
	{"tree", "looks at the memory of all its processes again and again", "peak_tree_bytes", check_tree},
	{"report", "what a program that includes foretime-probe.h tells of its routines", "wall_s cpu_s",
	 check_helper},
	{"replay", "runs that were recorded, here or elsewhere",
	 "wall_s cpu_s user_s system_s peak_rss_bytes peak_tree_bytes minor_faults major_faults "
	 "voluntary_switches "
	 "involuntary_switches read_bytes written_bytes instructions cycles energy_j",
	 always},
	{"counters", "hardware counters of the processor, by perf_event_open", "instructions cycles",
	 check_counters},
	{"rapl", "energy of processor and memory, from /sys/class/powercap", "energy_j", check_rapl},
	{"nvidia", "energy of NVIDIA's devices, from nvidia-smi", "energy_j", check_nvidia},
};

const struct ft_probe *ft_probe_get(size_t i)
{
	return i < sizeof probes / sizeof *probes ? &probes[i] : NULL;
}
