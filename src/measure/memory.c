/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - how much memory a run may have here before it pages or is killed. */
#include "base/files.h"
#include "foretime/measure.h"
#include "measure/cgroups.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A limit beyond this is none: what version 1 of cgroups says where nobody set one. */
static const double unlimited = 0x1p60;

/* The least limit so far. */
struct least {
	double bytes; /* infinite: none found */
	const char *why;
};

static void lower_least(struct least *least, double bytes, const char *why)
{
	if (bytes < least->bytes)
		*least = (struct least){fmax(0, bytes), why};
}

/* The number in the first line of a file; NaN: none ("max"). */
static double file_number(const char *root, const char *folder, const char *name)
{
	char line[FT__LINE_LENGTH];

	if (!ft__file_line(line, root, "%s/%s", folder, name) || !isdigit((unsigned char)*line))
		return NAN;
	return (double)strtoull(line, NULL, 10);
}

/* What the two versions of cgroups call their files. */
static const struct {
	const char *limit, *usage, *inactive_file, *active_file;
} versions[] = {
	{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"},
	{"memory.max", "memory.current", "inactive_file", "active_file"},
};

struct groups {
	struct least *least;
	const char *root;
};

/* One cgroup: its limit, less what its processes have now; cached files make room. */
static void look_at_group(void *ctx, int version, const char *folder)
{
	const struct groups *groups = ctx;
	const char *root = groups->root;
	char stat[8192];
	double limit = file_number(root, folder, versions[version - 1].limit);
	double usage = file_number(root, folder, versions[version - 1].usage);

	if (isnan(limit) || limit >= unlimited)
		return;
	(void)ft__file_read(stat, sizeof stat, root, "%s/memory.stat", folder);
	if (usage > 0)
		limit -= fmax(0, usage - ft__file_count(stat, versions[version - 1].inactive_file) -
					 ft__file_count(stat, versions[version - 1].active_file));
	lower_least(groups->least, limit, "the memory limit of the control group");
}

static void look_at_limits(struct least *least, const char *root)
{
	static const char key[] = "Max address space";
	char text[8192];

	if (!ft__file_read(text, sizeof text, root, "/proc/self/limits"))
		return;
	const char *at = strstr(text, key);
	at = at ? at + sizeof key - 1 + strspn(at + sizeof key - 1, " ") : "";
	if (isdigit((unsigned char)*at))
		lower_least(least, (double)strtoull(at, NULL, 10),
			    "the limit of the address space (ulimit -v)");
}

enum ft_status ft_memory_limit_bytes(const char *root, double *bytes, const char **why, struct ft_err *err)
{
	struct least least = {INFINITY, NULL};
	char meminfo[4096], line[FT__LINE_LENGTH];

	(void)ft__file_read(meminfo, sizeof meminfo, root, "/proc/meminfo");
	/* Always kB, which are KiB. Kernels before 3.14 do not estimate what is available. */
	if (ft__file_value(line, meminfo, "MemAvailable"))
		lower_least(&least, strtod(line, NULL) * 1024, "the memory that is available");
	else if (ft__file_value(line, meminfo, "MemFree"))
		lower_least(&least, strtod(line, NULL) * 1024, "the memory that is free");
	ft__cgroups_walk(root, "memory", look_at_group, &(struct groups){&least, root});
	look_at_limits(&least, root);
	*bytes = least.why ? least.bytes : NAN;
	if (why)
		*why = least.why;
	if (least.why)
		return FT_OK;
	return ft_fail(err, FT_EUNAVAIL, "'%s/proc/meminfo' does not report the available memory", root);
}
