/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rapl.c - energy of processors and memory, as the kernel's powercap shows it. */
#include "measure/rapl.h"
#include "base/files.h"
#include "measure/probes.h"
#include "measure/virtual.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether this, or what was recorded under root, is a virtual machine. */
static bool is_guest(const char *root)
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
				     "virtual, or with a meter of its host (--meter)");
	else
		(void)ft_remedy(err, "where the processor has RAPL, as root: modprobe intel_rapl_msr; else "
				     "take a meter (--meter)");
	return FT_EUNAVAIL;
}

static enum ft_status refuse_unreadable(const char *path, const char *file, struct ft_err *err)
{
	int number = errno;

	if (number == EACCES || number == EPERM) {
		(void)ft_fail(err, FT_EUNAVAIL, "'%s/%s' is for root only", path, file);
		(void)ft_remedy(err,
				"as root: chmod a+r /sys/class/powercap/*/energy_uj (until the next start)");
		return FT_EUNAVAIL;
	}
	(void)ft_fail_errno(err, number, "cannot read '%s/%s'", path, file);
	(void)ft_remedy(err, "ask who administers the machine");
	return ft__unavailable(err);
}

static enum ft_status read_joules(const char *path, const char *file, double *joules, struct ft_err *err)
{
	char line[FT__LINE_LENGTH], *end;

	if (!ft__file_line(line, "", "%s/%s", path, file))
		return refuse_unreadable(path, file, err);
	*joules = 1e-6 * strtod(line, &end);
	if (end != line && !*end && *joules >= 0 && isfinite(*joules))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "'%s/%s' holds no energy: '%s'", path, file, line);
	(void)ft_remedy(err, "ask who administers the machine");
	return FT_EUNAVAIL;
}

static bool counts_whole(const char *path)
{
	char name[FT__LINE_LENGTH];

	return ft__file_line(name, "", "%s/name", path) &&
	       (!strncmp(name, "package", 7) || !strcmp(name, "dram"));
}

/* "intel-rapl:0" and its parts; the same package is there again as intel-rapl-mmio:0 on some. */
enum ft_status ft__rapl_open(struct ft__rapl *rapl, const char *root, struct ft_err *err)
{
	char pattern[FT__RAPL_PATH];
	glob_t found;
	enum ft_status status = FT_OK;

	*rapl = (struct ft__rapl){0};
	(void)snprintf(pattern, sizeof pattern, "%s/sys/class/powercap/intel-rapl:*", root);
	if (glob(pattern, 0, NULL, &found))
		return ft__rapl_explain(root, is_guest(root), err);
	for (size_t i = 0; i < found.gl_pathc && !status && rapl->n < FT__RAPL_MOST; i++) {
		const char *path = found.gl_pathv[i];

		if (strlen(path) >= FT__RAPL_PATH || !counts_whole(path))
			continue;
		(void)snprintf(rapl->zone[rapl->n].path, FT__RAPL_PATH, "%s", path);
		status = read_joules(path, "max_energy_range_uj", &rapl->zone[rapl->n].range_j, err);
		if (!status)
			status = read_joules(path, "energy_uj", &rapl->zone[rapl->n].last_j, err);
		rapl->n++;
	}
	globfree(&found);
	if (!status && !rapl->n)
		status = ft__rapl_explain(root, is_guest(root), err);
	if (status)
		*rapl = (struct ft__rapl){0};
	return status;
}

enum ft_status ft__rapl_look(struct ft__rapl *rapl, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < rapl->n && !status; i++) {
		double now_j = NAN;

		status = read_joules(rapl->zone[i].path, "energy_uj", &now_j, err);
		double used_j = now_j - rapl->zone[i].last_j;
		if (status)
			break;
		rapl->joules += used_j < 0 ? used_j + rapl->zone[i].range_j : used_j;
		rapl->zone[i].last_j = now_j;
	}
	return status;
}

enum ft_status ft__rapl_begin(struct ft__rapl *rapl, struct ft_err *err)
{
	enum ft_status status = ft__rapl_look(rapl, err);

	rapl->joules = 0;
	return status;
}

enum ft_status ft__rapl_available(struct ft_err *err)
{
	struct ft__rapl rapl;

	return ft__rapl_open(&rapl, "", err);
}
