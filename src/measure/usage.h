/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.h - from what the helper saw during a run to its trace. */
#ifndef FT_MEASURE_USAGE_H
#define FT_MEASURE_USAGE_H

#include "foretime/measure.h"
#include "measure/client.h"

/* ft__usage_read - the trace of an answer.
 *
 * usage       empty before, and on failure
 * processors  of the machine: no point has more
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft__usage_read(struct ft_usage *usage, const struct ft__answer *answer, double processors,
			      struct ft_err *err);

#endif
