/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - how much memory a run may have here before it pages or is killed. */
#include "foretime/measure.h"
#include "measure/files.h"

#include <ctype.h>
#include <limits.h>
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

static void lower(struct least *least, double bytes, const char *why)
{
	if (bytes < least->bytes)
		*least = (struct least){fmax(0, bytes), why};
}

/* The number in the first line of a file; NaN: none ("max"). */
static double file_number(const char *root, const char *folder, const char *path, const char *name)
{
	char line[FT__LINE_LENGTH];

	if (!ft__file_line(line, root, "%s%s/%s", folder, path, name) || !isdigit((unsigned char)*line))
		return NAN;
	return (double)strtoull(line, NULL, 10);
}

/* A line "key number" of memory.stat; 0: there is none. */
static double stat_number(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == ' ')
			return (double)strtoull(text + length + 1, NULL, 10);
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return 0;
}

/* What the two versions of cgroups call their files. */
struct version {
	const char *folder, *limit, *usage, *inactive_file, *active_file;
};

static const struct version versions[] = {
	{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
	 "total_active_file"},
	{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"},
};

/* One cgroup: its limit, less what its processes have now; cached files make room. */
static void look_at_group(struct least *least, const char *root, const struct version *v, const char *path)
{
	char stat[8192];
	double limit = file_number(root, v->folder, path, v->limit);
	double usage = file_number(root, v->folder, path, v->usage);

	if (isnan(limit) || limit >= unlimited)
		return;
	(void)ft__file_read(stat, sizeof stat, root, "%s%s/memory.stat", v->folder, path);
	if (usage > 0)
		limit -= fmax(0, usage - stat_number(stat, v->inactive_file) -
					 stat_number(stat, v->active_file));
	lower(least, limit, "the memory limit of the control group");
}

/* The cgroup of a path and all around it. Inside a container a path may be that of the host: then only its
 * end, the container's own root, is there. */
static void look_at_groups(struct least *least, const char *root, const struct version *v, const char *line)
{
	char path[PATH_MAX];
	size_t length = strcspn(line, "\n");

	if (length >= sizeof path)
		return;
	memcpy(path, line, length);
	path[length] = '\0';
	for (;;) {
		char *slash = strrchr(path, '/');

		if (slash && !slash[1]) /* "/" itself */
			*slash = '\0';
		look_at_group(least, root, v, path);
		slash = strrchr(path, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* Lines of /proc/self/cgroup: NUMBER:CONTROLLERS:PATH. Version 2 is number 0, with no controllers. */
static void look_at_cgroups(struct least *least, const char *root)
{
	char text[16384];
	const char *line = text;

	if (!ft__file_read(text, sizeof text, root, "/proc/self/cgroup"))
		return;
	for (; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		const char *controllers = strchr(line, ':'),
			   *path = controllers ? strchr(controllers + 1, ':') : NULL;
		const char *at;

		if (!path)
			continue;
		if (path == controllers + 1) {
			look_at_groups(least, root, &versions[1], path + 1);
			continue;
		}
		for (at = controllers; at && at < path; at = strchr(at + 1, ','))
			if (!strncmp(at + 1, "memory", 6) && (at[7] == ',' || at[7] == ':'))
				look_at_groups(least, root, &versions[0], path + 1);
	}
}

static void look_at_limits(struct least *least, const char *root)
{
	static const char key[] = "Max address space";
	char text[8192];
	const char *at;

	if (!ft__file_read(text, sizeof text, root, "/proc/self/limits"))
		return;
	at = strstr(text, key);
	at = at ? at + sizeof key - 1 + strspn(at + sizeof key - 1, " ") : "";
	if (isdigit((unsigned char)*at))
		lower(least, (double)strtoull(at, NULL, 10), "the limit of the address space (ulimit -v)");
}

enum ft_status ft_memory_limit_bytes(const char *root, double *bytes, const char **why, struct ft_err *err)
{
	struct least least = {INFINITY, NULL};
	char meminfo[4096], line[FT__LINE_LENGTH];

	(void)ft__file_read(meminfo, sizeof meminfo, root, "/proc/meminfo");
	/* Always kB, which are KiB. Kernels before 3.14 do not estimate what is available. */
	if (ft__file_value(line, meminfo, "MemAvailable"))
		lower(&least, strtod(line, NULL) * 1024, "the memory that is available");
	else if (ft__file_value(line, meminfo, "MemFree"))
		lower(&least, strtod(line, NULL) * 1024, "the memory that is free");
	look_at_cgroups(&least, root);
	look_at_limits(&least, root);
	*bytes = least.why ? least.bytes : NAN;
	if (why)
		*why = least.why;
	if (least.why)
		return FT_OK;
	return ft_fail(err, FT_EUNAVAIL, "'%s/proc/meminfo' does not tell how much memory is available",
		       root);
}
