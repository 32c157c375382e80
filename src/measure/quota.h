/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quota.h - processor time that the control groups around this process withhold (CFS bandwidth control).
 *
 * The kernel counts what a task waits for its quota as waiting for a processor (run_delay of schedstat): it
 * is no wait for others, and will be there at every run.
 */
#ifndef FT_MEASURE_QUOTA_H
#define FT_MEASURE_QUOTA_H

#include <stddef.h>

enum { FT__QUOTAS_MAX = 8 };

/* The groups that have one, from the inside. Zero-initialise; ends with ft__quota_clear. */
struct ft__quota {
	double processors; /* of the least: those that may be busy for long; INFINITY: there is none */
	double share_s;    /* of the same: processor time of one period, to be had at once */
	struct {
		char *stat; /* where it tells, heap */
		int version;
	} group[FT__QUOTAS_MAX]; /* [n] */
	size_t n;
};

/* ft__quota_open - those there are now. root: "" for this machine, or a folder with a recorded /proc and
 * /sys */
void ft__quota_open(struct ft__quota *quota, const char *root);
void ft__quota_clear(struct ft__quota *quota);

/* ft__quota_throttled_s - for how long run queues of these groups stood still so far, all added up. */
double ft__quota_throttled_s(const struct ft__quota *quota, const char *root);

/* What a run took, and met. */
struct ft__waited {
	double wall_s, cpu_s;
	double delay_s;     /* of its tasks, runnable and without a processor, whatever the cause */
	double throttled_s; /* of the run queues meanwhile */
	double processors;  /* of the machine, > 0 */
};

/* ft__quota_rest_s - the part of the delay that was for others.
 *
 * k = (cpu + delay) / wall tasks stand in min(k, C) queues: while one of these stands still, k / min(k, C)
 * tasks wait. That counts ours too little or the helper's too much where a competitor shares the quota or its
 * place, so what is left is at most what others can explain: with a quota of q processors it takes a = (cpu -
 * share) / q even alone, and max(1, q) (wall - a) is the delay from which ft_run_alone makes a again. Never
 * below 0, never above the delay.
 */
double ft__quota_rest_s(const struct ft__quota *quota, const struct ft__waited *waited);

#endif
