/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overhead.h - what `foretime request --calibrate-executor` tells. */
#ifndef FT_TELL_OVERHEAD_H
#define FT_TELL_OVERHEAD_H

#include "foretime/measure.h"
#include "tell/tell.h"

extern const struct ft_tell_record ft_tell_overhead; /* struct ft_beside_job */

/* ft_tell_overhead_bytes - what is asked for it: whole MB. */
double ft_tell_overhead_bytes(const struct ft_beside_job *job);

#endif
