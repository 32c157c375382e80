/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroups.c - the control groups around this process. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/measure.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cgroups_walk {
	void (*see)(void *ctx, int version, const char *folder);
	void *ctx;
};

/* Inside a container a path may be that of the host: then only its end, the container's own root, is
 * there. */
static void walk_outwards(const struct cgroups_walk *walk, int version, const char *base, const char *line)
{
	char folder[PATH_MAX];
	size_t least = strlen(base);
	int length = snprintf(folder, sizeof folder, "%s%.*s", base, (int)strcspn(line, "\n"), line);

	if (length < 0 || (size_t)length >= sizeof folder)
		return;
	for (;;) {
		char *slash = strrchr(folder + least, '/');

		if (slash && !slash[1]) /* "/" itself */
			*slash = '\0';
		walk->see(walk->ctx, version, folder);
		slash = strrchr(folder + least, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* Whether a name is in a list from `at` on, where each follows a ':' or a ','. */
static bool is_among(const char *at, const char *end, const char *name)
{
	size_t length = strlen(name);

	for (; at && at < end; at = strchr(at + 1, ','))
		if (!strncmp(at + 1, name, length) && (at[1 + length] == ',' || at[1 + length] == ':'))
			return true;
	return false;
}

/* Lines of /proc/self/cgroup: NUMBER:CONTROLLERS:PATH. Version 2 is number 0, with no controllers. */
/* ft__cgroups_walk - call see for the group that a controller has us in, and for all around it; also for
 * folders that may not be there.
 *
 * root        "" for this machine, or a folder that holds a recorded /proc and /sys
 * controller  as version 1 calls it: "memory", "cpu"
 * version     1 or 2: they call their files differently
 * folder      without root
 */
static void ft__cgroups_walk(const char *root, const char *controller,
			     void (*see)(void *ctx, int version, const char *folder), void *ctx)
{
	const struct cgroups_walk walk = {see, ctx};
	char text[16384], base[64];
	const char *line = text;

	(void)snprintf(base, sizeof base, "/sys/fs/cgroup/%s", controller);
	if (!ft__file_read(text, sizeof text, root, "/proc/self/cgroup"))
		return;
	for (; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		const char *controllers = strchr(line, ':'),
			   *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		if (path == controllers + 1)
			walk_outwards(&walk, 2, "/sys/fs/cgroup", path + 1);
		else if (is_among(controllers, path, controller))
			walk_outwards(&walk, 1, base, path + 1);
	}
}

/* ---- our own ------------------------------------------------------------------------------------------- */

struct cgroups_own {
	const char *root;
	char *folder;
	bool seen[2]; /* of each version: the first is the innermost */
	bool found;
};

/* Outer groups are not ours: a group below them would not have our limits. Inside a group made by a
 * manager, or by the helper of an outer foretime, no group is made, since its owner has to remove it. */
static void find_own(void *ctx, int version, const char *folder)
{
	struct cgroups_own *own = ctx;
	const char *name = strrchr(folder, '/');

	if (own->found || own->seen[version - 1])
		return;
	own->seen[version - 1] = true;
	int length = snprintf(own->folder, PATH_MAX, "%s%s", own->root, folder);
	own->found = length > 0 && length < PATH_MAX && strncmp(name, "/foretime-", 10) != 0 &&
		     !access(own->folder, W_OK);
}

/* Left by a killed helper. */
static void remove_stale(const char *parent)
{
	DIR *folder = opendir(parent);
	const struct dirent *entry;
	int pid, end;

	while (folder && (entry = readdir(folder)))
		if (sscanf(entry->d_name, "foretime-%d-runs%n", &pid, (end = 0, &end)) == 1 && end &&
		    !entry->d_name[end] && kill(pid, 0) && errno == ESRCH)
			(void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	if (folder)
		(void)closedir(folder);
}

bool ft__cgroups_own(const char *root, const char *controller, char folder[PATH_MAX])
{
	struct cgroups_own own = {.root = root, .folder = folder};

	ft__cgroups_walk(root, controller, find_own, &own);
	if (own.found)
		remove_stale(folder);
	return own.found;
}

/*
 * Processor time that control groups withhold.
 */

static const double US = 1e-6, NS = 1e-9;

struct opening {
	struct ft__quota *quota;
	const char *root;
};

static void see_group(void *ctx, int version, const char *folder)
{
	const struct opening *opening = ctx;
	struct ft__quota *quota = opening->quota;
	struct ft_text stat = {0};
	double quota_s, period_s;

	/* The two numbers of a group; a quota that is none ("max", -1) is no number above 0. */
	char line[FT__LINE_LENGTH], *end = line;

	if (version == 1) {
		(void)ft__file_line(line, opening->root, "%s/cpu.cfs_quota_us", folder);
		quota_s = US * strtod(line, NULL);
		(void)ft__file_line(line, opening->root, "%s/cpu.cfs_period_us", folder);
	} else {
		(void)ft__file_line(line, opening->root, "%s/cpu.max", folder);
		quota_s = US * strtod(line, &end);
	}
	period_s = US * strtod(end, NULL);
	if (!(quota_s > 0) || !(period_s > 0))
		return;
	if (quota_s / period_s < quota->processors) {
		quota->processors = quota_s / period_s;
		quota->share_s = quota_s;
	}
	if (quota->n == FT__QUOTAS_MAX)
		return;
	ft_text_add(&stat, "%s/cpu.stat", folder);
	quota->group[quota->n].version = version;
	quota->group[quota->n].stat = ft_text_take(&stat);
	quota->n += quota->group[quota->n].stat != NULL;
}

void ft__quota_open(struct ft__quota *quota, const char *root)
{
	*quota = (struct ft__quota){.processors = INFINITY};
	ft__cgroups_walk(root, "cpu", see_group, &(struct opening){quota, root});
}

void ft__quota_clear(struct ft__quota *quota)
{
	for (size_t i = 0; i < quota->n; i++)
		ft_free(quota->group[i].stat);
	*quota = (struct ft__quota){0};
}

double ft__quota_throttled_s(const struct ft__quota *quota, const char *root)
{
	char text[1024];
	double sum_s = 0;

	for (size_t i = 0; i < quota->n; i++) {
		(void)ft__file_read(text, sizeof text, root, "%s", quota->group[i].stat);
		sum_s += quota->group[i].version == 1 ? NS * ft__file_count(text, "throttled_time")
						      : US * ft__file_count(text, "throttled_usec");
	}
	return sum_s;
}

double ft__quota_rest_s(const struct ft__quota *quota, const struct ft__waited *waited)
{
	double cpu_s = waited->cpu_s, delay_s = waited->delay_s;

	if (!isfinite(quota->processors) || !(waited->wall_s > 0))
		return delay_s;
	double tasks = fmax(1, (cpu_s + delay_s) / waited->wall_s);
	double queued = tasks / fmin(tasks, fmax(1, waited->processors));
	double alone_s = fmax(0, cpu_s - quota->share_s) / quota->processors;
	double rest_s = fmin(delay_s - queued * waited->throttled_s,
			     fmax(1, quota->processors) * (waited->wall_s - alone_s));
	return fmin(delay_s, fmax(0, rest_s));
}

double ft_quota_processors(const char *root)
{
	struct ft__quota quota;
	double processors;

	ft__quota_open(&quota, root);
	processors = quota.processors;
	ft__quota_clear(&quota);
	return processors;
}

/*
 * The memory that a run may use here before it swaps or is killed.
 */

/* A limit above this means none, as version 1 of cgroups reports by default. */
static const double unlimited = 0x1p60;

/* The smallest limit so far. */
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

/* The names of the files in both versions of cgroups. */
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

/*
 * How long a run was paused, because we and all our processes were stopped.
 */

/* The next reported pause; 0: no more. */
static double next_s(const struct ft__still *still)
{
	const struct ft__frozen *frozen = still->frozen;

	return frozen && frozen->heard_s ? frozen->heard_s(frozen->ctx) : 0;
}

void ft__still_begin(struct ft__still *still, const struct ft__frozen *frozen)
{
	*still = (struct ft__still){.frozen = frozen};
	while (next_s(still) > 0)
		continue;
	still->began_s = ft_clock_s();
}

/* It is reported before we continue, so it ended just now: a pause longer than the run so far was over
 * before the run began. */
void ft__still_hear(struct ft__still *still)
{
	double seconds;

	while ((seconds = next_s(still)) > 0)
		if (seconds <= ft_clock_s() - still->began_s)
			still->stood_s += seconds;
}

/* A pause that began after the end of the program does not belong to the run. */
void ft__still_end(struct ft__still *still, double wall_s)
{
	double seconds;

	while ((seconds = next_s(still)) > 0) {
		double since_s = ft_clock_s() - still->began_s;
		if (seconds <= since_s && since_s - seconds < wall_s)
			still->stood_s += seconds;
	}
}

bool ft__still_over(const struct ft__still *still, double limit_s)
{
	return limit_s > 0 && ft_clock_s() - still->began_s - still->stood_s >= limit_s;
}

/* ---- the probe ---------------------------------------------------------------------------------------- */

/* A run without pauses gets no sample. */
static enum ft_status read_frozen(void *state, const struct ft__result *result, struct ft_run *run,
				  struct ft_err *err)
{
	(void)state;
	if (!(result->answer->frozen_s > 0))
		return FT_OK;
	return ft__add_measured(run, &ft_frozen_s, result->answer->frozen_s, "freeze", err);
}

const struct ft__probe_ops ft__freeze_probe = {.read = read_frozen, .read_routine = read_frozen};
