/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - from what the helper answered to runs and samples. */
#ifndef FT_MEASURE_RECORD_H
#define FT_MEASURE_RECORD_H

#include "foretime/facts.h"
#include "measure/probes.h"

/* What is known before a run; read by ft__record_before. */
struct ft__before {
	struct ft_size size;
	int64_t started_ns;
	double cpu_hz;
	struct ft__queue queue; /* with foretime in it */
	int processors;         /* that the operating system schedules on; 0: not known */
};

/* ft__record_before - the clock, who wants a processor and the frequency now, some 20 microseconds in all.
 * hz_ns and hz keep the frequency where asking for it is dear (/proc/cpuinfo): it is then asked once a
 * second. Both begin as 0. */
void ft__record_before(const struct ft_size *size, int64_t *hz_ns, double *hz, struct ft__before *before);

/* ft__record_failure - append a run that did not take place: FT_NOT_STARTED or FT_INTERRUPTED.
 * detail  copied; may be NULL */
enum ft_status ft__record_failure(const struct ft__before *before, enum ft_outcome outcome,
				  const char *detail, struct ft_runs *runs, struct ft_err *err);

/* ft__record_lost - append the run of a program whose helper was ended meanwhile.
 *
 * real   it went on all the same
 * ended  how it ended, as from wait(2); not real: how the guard did, which ended what was left
 */
enum ft_status ft__record_lost(const struct ft__before *before, bool real, int ended, struct ft_runs *runs,
			       struct ft_err *err);

/* ft__record_answer - append the run of an answer, and one for each routine when several were reported.
 *
 * file    what was executed, for the words of a failure
 * probes  that add their samples
 *
 * Returns FT_OK; FT_ENOMEM: some may have been appended.
 */
enum ft_status ft__record_answer(const struct ft__before *before, const char *file,
				 const struct ft__answer *answer, struct ft__probes *probes,
				 struct ft_runs *runs, struct ft_err *err);

/* ft__record_detail - the last words of a program as text: without control characters, valid UTF-8, from the
 * beginning of a line. heap, ends with ft_free; NULL: no memory. */
char *ft__record_detail(const struct ft__answer *answer);

#endif
