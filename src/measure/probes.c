/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the table of probes: what each gives, and whether it works on this machine. */
#include "measure/probes.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/client.h"
#include "measure/counters.h"
#include "measure/files.h"
#include "measure/hash.h"
#include "measure/rapl.h"
#include "measure/simulate.h"
#include "measure/virtual.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The failure in err is that a probe is not available, whatever the errno in its text. */
static enum ft_status make_unavailable(struct ft_err *err)
{
	if (err)
		err->status = FT_EUNAVAIL;
	return FT_EUNAVAIL;
}

char *ft__reason(const struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s%s%s", err->text, *err->remedy ? "; " : "", err->remedy);
	return ft_text_take(&text);
}

/* The same, taken apart. */
static enum ft_status fail_by_reason(const char *reason, struct ft_err *err)
{
	const char *remedy = strstr(reason, "; ");
	int length = (int)(remedy ? (size_t)(remedy - reason) : strlen(reason));

	(void)ft_fail(err, FT_EUNAVAIL, "%.*s", length, reason);
	if (remedy)
		(void)ft_remedy(err, "%s", remedy + 2);
	return FT_EUNAVAIL;
}

/* ---- hardware counters -------------------------------------------------------------------------------- */

static enum ft_status explain_refusal(const char *event, bool software, long paranoid, bool pmu,
				      struct ft_err *err)
{
	const char *known = pmu || software ? "" : ", and the kernel lists no performance monitoring unit";

	/* Level 3 and above is a patch of distributions: no counters without privilege (Debian's kernel,
	 * README). A kernel's event needs level 1 where it happens outside the program. */
	if (paranoid > 2 || (software && paranoid > 1)) {
		(void)ft_fail(err, FT_EUNAVAIL,
			      "cannot count %s: kernel.perf_event_paranoid = %ld forbids it%s", event,
			      paranoid, known);
		(void)ft_remedy(err, "as root: sysctl kernel.perf_event_paranoid=%d", software ? 1 : 2);
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: the system refuses it, as containers do%s",
			      event, known);
		(void)ft_remedy(err,
				"let the container call perf_event_open: its seccomp profile, CAP_PERFMON");
	}
	return FT_EUNAVAIL;
}

enum ft_status ft__counters_explain(int number, const char *event, bool software, long paranoid, bool pmu,
				    struct ft_err *err)
{
	switch (number) {
	case 0:
		return FT_OK;
	case EACCES:
	case EPERM:
		return explain_refusal(event, software, paranoid, pmu, err);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: %s", event,
			      pmu || software
				      ? "nothing on this machine counts it"
				      : "the kernel lists no performance monitoring unit, as in most virtual "
					"machines");
		if (!strcmp(event, "instructions"))
			(void)ft_remedy(err,
					"count them under valgrind (--instructions), or on a machine that "
					"is not virtual");
		else
			(void)ft_remedy(
				err,
				"choose a machine that is not virtual, or ask its host for a virtual PMU");
		break;
	case EINVAL:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: the processor cannot count it so", event);
		(void)ft_remedy(err, "leave the modifiers of its name out, or take another counter");
		break;
	case ENOSYS:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: the kernel does not know perf_event_open",
			      event);
		(void)ft_remedy(
			err, "choose a kernel with CONFIG_PERF_EVENTS, or a container that allows the call");
		break;
	default:
		(void)ft_fail_errno(err, number, "cannot count %s", event);
		return make_unavailable(err);
	}
	return FT_EUNAVAIL;
}

static enum ft_status check_counters(struct ft_err *err)
{
	return ft__counters_refused(ft__counters_try(), "instructions", false, err);
}

static enum ft_status check_software(struct ft_err *err)
{
	struct ft__counter_list list = {0};
	struct ft__client client;
	enum ft_status status = ft__client_open(&client, NULL, err);

	if (status)
		return status;
	status = ft__counters_parse("page-faults", &list, err);
	if (!status)
		status = ft__counters_arm(&list, &client, err);
	if (!status && list.counter[0].reason)
		status = fail_by_reason(list.counter[0].reason, err);
	ft__counter_list_clear(&list);
	ft__client_close(&client);
	return status;
}

/* ---- energy of the processor -------------------------------------------------------------------------- */

bool ft__guest(const char *root)
{
	char cpuinfo[8192];

	(void)ft__file_read(cpuinfo, sizeof cpuinfo, root, "/proc/cpuinfo");
	return ft__hypervisor_find(root, cpuinfo) != NULL;
}

enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err)
{
	char path[PATH_MAX];

	if (ft__file_find(path, root, "/sys/class/powercap/*/energy_uj"))
		(void)ft_fail(err, FT_EUNAVAIL, "none of /sys/class/powercap/*/energy_uj is a whole package");
	else
		(void)ft_fail(err, FT_EUNAVAIL,
			      "this machine offers no energy counters: there is no "
			      "/sys/class/powercap/*/energy_uj");
	if (guest)
		(void)ft_remedy(err, "virtual machines have none: measure energy on a machine that is not "
				     "one, or with a meter of its host (--meter)");
	else
		(void)ft_remedy(err, "where the processor has RAPL, as root: modprobe intel_rapl_msr; else "
				     "take a meter (--meter)");
	return FT_EUNAVAIL;
}

static enum ft_status check_rapl(struct ft_err *err)
{
	struct ft__rapl rapl;

	return ft__rapl_open(&rapl, "", err);
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

enum ft_status ft__nvidia_check(const char *root, struct ft_err *err)
{
	char line[FT__LINE_LENGTH], *path, *end;
	bool driver = ft__file_line(line, root, "/proc/driver/nvidia/version");
	enum ft_status status = ft__program_find("nvidia-smi", &path, NULL);
	int exit_status;

	ft_free(path);
	if (status) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s",
			      driver ? "the driver of NVIDIA is loaded, but nvidia-smi is not on PATH"
				     : "this machine has no such device: no driver of NVIDIA is loaded");
		(void)ft_remedy(err, driver ? "add the folder of nvidia-smi to PATH, or install it"
					    : "where there is such a device, install its driver");
		return FT_EUNAVAIL;
	}
	exit_status = ask_nvidia(line);
	if (!exit_status && strtod(line, &end) > 0 && end != line)
		return FT_OK;
	if (exit_status == 124) {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi does not answer within 5 s");
		(void)ft_remedy(err, "try it by hand; nvidia-persistenced makes it quicker");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi tells no power: %s",
			      *line ? line : "it prints nothing");
		(void)ft_remedy(err, "try it by hand: nvidia-smi --query-gpu=power.draw --format=csv");
	}
	return FT_EUNAVAIL;
}

static enum ft_status check_nvidia(struct ft_err *err)
{
	return ft__nvidia_check("", err);
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
	enum ft_status status = ft__client_open(&client, NULL, err);

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

static enum ft_status check_valgrind(struct ft_err *err)
{
	return ft__simulate_check(err);
}

static enum ft_status check_io(struct ft_err *err)
{
	char line[FT__LINE_LENGTH];

	if (ft__file_line(line, "", "/proc/self/io"))
		return check_helper(err);
	(void)ft_fail_errno(err, errno, "cannot read '/proc/self/io'");
	(void)ft_remedy(err, "mount /proc; the kernel needs CONFIG_TASK_IO_ACCOUNTING");
	return make_unavailable(err);
}

static enum ft_status check_schedstat(struct ft_err *err)
{
	char line[FT__LINE_LENGTH];

	if (ft__file_line(line, "", "/proc/self/schedstat"))
		return check_helper(err);
	(void)ft_fail_errno(err, errno, "cannot read '/proc/self/schedstat'");
	(void)ft_remedy(err, "mount /proc; the kernel needs CONFIG_SCHED_INFO");
	return make_unavailable(err);
}

static const struct ft_probe_kind probes[] = {
	{"child", "waits for the program's process, and asks the kernel what it used",
	 "wall_s cpu_s user_s system_s peak_rss_bytes minor_faults major_faults voluntary_switches "
	 "involuntary_switches",
	 check_helper},
	{"tree", "looks at the memory of all its processes again and again", "peak_tree_bytes", check_tree},
	{"report", "what a program that includes foretime-probe.h tells of its routines", "wall_s cpu_s",
	 check_helper},
	{"replay", "runs that were recorded, here or elsewhere",
	 "wall_s cpu_s user_s system_s run_delay_s peak_rss_bytes peak_tree_bytes minor_faults major_faults "
	 "voluntary_switches involuntary_switches read_bytes written_bytes instructions cycles energy_j",
	 always},
	{"counters", "counters of the processor, by perf_event_open and libpfm4's names (--counters)",
	 "instructions cycles", check_counters},
	{"software", "counters of the kernel, in the same way",
	 "page-faults context-switches cpu-migrations task-clock", check_software},
	{"valgrind", "instructions counted in a run of their own, without start-up (--instructions)",
	 "instructions", check_valgrind},
	{"io", "bytes that the kernel adds up over all processes", "read_bytes written_bytes", check_io},
	{"schedstat", "asks the kernel again and again how long each task waited for a processor",
	 "run_delay_s", check_schedstat},
	{"rapl", "energy of processors and memory, from /sys/class/powercap (--energy rapl)", "energy_j",
	 check_rapl},
	{"nvidia", "energy of NVIDIA's devices, from nvidia-smi (--energy nvidia)", "energy_j", check_nvidia},
	{"meter", "energy from any command that prints watts or joules (--meter CMD)", "energy_j", always},
};

const struct ft_probe_kind *ft_probe_get(size_t i)
{
	return i < sizeof probes / sizeof *probes ? &probes[i] : NULL;
}
