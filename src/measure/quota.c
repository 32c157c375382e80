/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quota.c - processor time that control groups withhold. */
#include "measure/quota.h"
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/cgroups.h"

#include <math.h>
#include <stdlib.h>

static const double US = 1e-6, NS = 1e-9;

/* The two numbers of a group; a quota that is none ("max", -1) is no number above 0. */
static void read_group(const char *root, int version, const char *folder, double *quota_s, double *period_s)
{
	char line[FT__LINE_LENGTH], *end = line;

	if (version == 1) {
		(void)ft__file_line(line, root, "%s/cpu.cfs_quota_us", folder);
		*quota_s = US * strtod(line, NULL);
		(void)ft__file_line(line, root, "%s/cpu.cfs_period_us", folder);
	} else {
		(void)ft__file_line(line, root, "%s/cpu.max", folder);
		*quota_s = US * strtod(line, &end);
	}
	*period_s = US * strtod(end, NULL);
}

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

	read_group(opening->root, version, folder, &quota_s, &period_s);
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
