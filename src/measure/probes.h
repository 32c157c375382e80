/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.h - whether a probe works, and why not, told apart: for the table, for runs, and for tests that play
 * other machines. */
#ifndef FT_MEASURE_PROBES_H
#define FT_MEASURE_PROBES_H

#include "foretime/status.h"

#include <stdbool.h>

/* number    errno of an attempt to count; 0: it worked, and FT_OK is returned
 * event     what was to be counted
 * software  the kernel counts it, not the processor
 * paranoid  kernel.perf_event_paranoid; < 0: not known
 * pmu       whether the kernel lists a performance monitoring unit */
enum ft_status ft__counters_explain(int number, const char *event, bool software, long paranoid, bool pmu,
				    struct ft_err *err);

/* Why there is no energy of the processor: fills err and returns FT_EUNAVAIL.
 * root  "" or a recorded tree; guest: inside a virtual machine */
enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err);

/* Whether this, or what was recorded under root, is a virtual machine. */
bool ft__guest(const char *root);

/* Asks the nvidia-smi on PATH, for 5 s at most. FT_OK: it tells the power. */
enum ft_status ft__nvidia_check(const char *root, struct ft_err *err);

/* A failure as the reason of an unavailable sample: its text and the remedy. heap, ends with ft_free; NULL:
 * no memory. */
char *ft__reason(const struct ft_err *err);

#endif
