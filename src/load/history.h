/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - histories whose intervals know when they were. */
#ifndef FT_LOAD_HISTORY_H
#define FT_LOAD_HISTORY_H

#include "foretime/load.h"

/* ft__load_history_timed - ft_load_history_make of what others wanted, but interval i began at start_ns +
 * i D: a gap is as many NaN as it is long. Intervals that ended more than age_s > 0 before the newest are
 * left out. */
enum ft_status ft__load_history_timed(struct ft_load_history *out, const struct ft_loads *loads,
				      double interval_s, double age_s, struct ft_err *err);

#endif
