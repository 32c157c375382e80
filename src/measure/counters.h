/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.h - which counters a run has: from names to what the kernel is asked for, and from its answers to
 * samples. */
#ifndef FT_MEASURE_COUNTERS_H
#define FT_MEASURE_COUNTERS_H

#include "foretime/measure.h"
#include "measure/client.h"

struct ft__counter {
	const struct ft_resource *resource;
	struct perf_event_attr attr;
	char *reason; /* heap; why it does not count here, and the remedy; NULL: it does */
};

/* Zero-initialise; ends with ft__counter_list_clear. */
struct ft__counter_list {
	struct ft__counter counter[FT__COUNTERS_MAX];
	size_t n;
};

/* ft__counters_parse - "instructions,cache-misses,l3=mem_load_retired:l3_miss": names of libpfm4, each
 * perhaps with another name for its resource. NULL: instructions and cycles if they can be counted here, else
 * none; "none": none. Names are taken in lower case.
 *
 * list  out; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: a name that libpfm4 does not know on this processor, one that is too long, one
 * twice, one that is another resource's, or too many; FT_EUNAVAIL: libpfm4 does not start.
 */
enum ft_status ft__counters_parse(const char *names, struct ft__counter_list *list, struct ft_err *err);
void ft__counter_list_clear(struct ft__counter_list *list); /* twice, too */

/* ft__counters_add - a sample for each counter: measured; estimated where several shared the processor's
 * counters and a part of the time was counted; or unavailable. */
enum ft_status ft__counters_add(const struct ft__counter_list *list, const struct ft__count *counts,
				struct ft_run *run, struct ft_err *err);

/* ft__counters_explain - why the kernel does not count an event: fills err and returns FT_EUNAVAIL. Told what
 * else matters, for tests that play other machines.
 *
 * number    errno of an attempt to count; 0: it worked, and FT_OK is returned
 * event     what was to be counted
 * software  the kernel counts it, not the processor
 * paranoid  kernel.perf_event_paranoid; < 0: not known
 * pmu       whether the kernel lists a performance monitoring unit */
enum ft_status ft__counters_explain(int number, const char *event, bool software, long paranoid, bool pmu,
				    struct ft_err *err);

/* ft__counters_try - the errno of an attempt to count instructions; 0: it works. */
int ft__counters_try(void);

/* ft__counters_simulated - whether a launch has its instructions counted under valgrind. */
bool ft__counters_simulated(const struct ft_launch *launch);

#endif
