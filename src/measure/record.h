/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - from what the helper answered to runs and samples. */
#ifndef FT_MEASURE_RECORD_H
#define FT_MEASURE_RECORD_H

#include "foretime/facts.h"
#include "measure/client.h"

/* What is known before a run; read by ft__record_before. */
struct ft__before {
	struct ft_size size;
	int64_t started_ns;
	double load, cpu_hz;
};

/* ft__record_before - the clock, the load and the frequency now. hz_ns and hz keep the frequency where asking
 * for it is dear (/proc/cpuinfo): it is then asked once a second. Both begin as 0. */
void ft__record_before(const struct ft_size *size, int64_t *hz_ns, double *hz, struct ft__before *before);

/* ft__record_failure - append a run that did not take place: FT_NOT_STARTED or FT_INTERRUPTED.
 * detail  copied; may be NULL */
enum ft_status ft__record_failure(const struct ft__before *before, enum ft_outcome outcome,
				  const char *detail, struct ft_runs *runs, struct ft_err *err);

/* ft__record_answer - append the run of an answer, and one for each routine when several were reported.
 *
 * file  what was executed, for the words of a failure
 *
 * Returns FT_OK; FT_ENOMEM: some may have been appended.
 */
enum ft_status ft__record_answer(const struct ft__before *before, const char *file,
				 const struct ft__answer *answer, struct ft_runs *runs, struct ft_err *err);

/* ft__record_detail - the last words of a program as text: without control characters, valid UTF-8, from the
 * beginning of a line. heap, ends with ft_free; NULL: no memory. */
char *ft__record_detail(const struct ft__answer *answer);

#endif
