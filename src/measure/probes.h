/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.h - why a probe does not work, told apart: for the table, and for tests that play other machines. */
#ifndef FT_MEASURE_PROBES_H
#define FT_MEASURE_PROBES_H

#include "foretime/status.h"

#include <stdbool.h>

/* Each fills err and returns FT_EUNAVAIL: none of these is read by this version, and the text says also
 * whether the machine would offer it. */

/* number    errno of an attempt to count instructions; 0: it worked
 * paranoid  kernel.perf_event_paranoid; < 0: not known
 * pmu       whether the kernel lists a performance monitoring unit */
enum ft_status ft__counters_explain(int number, long paranoid, bool pmu, struct ft_err *err);

/* root  "" or a recorded tree; guest: inside a virtual machine */
enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err);

/* Asks the nvidia-smi on PATH, for 5 s at most. */
enum ft_status ft__nvidia_explain(const char *root, struct ft_err *err);

#endif
